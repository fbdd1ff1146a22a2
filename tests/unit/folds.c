/* The entries of an associative scan: reduce, seeded scan and combine over blocks give what the
 * scan of the whole gives, on the evaluator of loop IR and, if there is a code generator, as native
 * code. The operator is affine maps over wrapping integers: associative, not commutative, without
 * an identity among the elements. */
#include <check.h>
#include <dlfcn.h>
#include <string.h>

#include "loop/codegen.h"
#include "loop/scan_nest.h"
#include "unit.h"

enum {
  LENGTH = 11,
  LANES = 19,
  CUT = 4,
  LEAVES = 2,
  OPERANDS = 8
}; /* operands: xs, ys, seeds, totals */

static const char text[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, a: \"i64[11, 19]\", b: \"i64[11, 19]\"):\n"
    "        associative_scan_combine_graph_0 = self.associative_scan_combine_graph_0\n"
    "        associative_scan = "
    "torch.ops.higher_order.associative_scan(associative_scan_combine_graph_0, [a, b], ())\n"
    "        getitem = associative_scan[0]\n"
    "        getitem_1 = associative_scan[1]\n"
    "        return (getitem, getitem_1)\n"
    "\n"
    "    class associative_scan_combine_graph_0(torch.nn.Module):\n"
    "        def forward(self, a1: \"i64[19]\", b1: \"i64[19]\", a2: \"i64[19]\", b2: "
    "\"i64[19]\"):\n"
    "            mul = torch.ops.aten.mul.Tensor(a2, a1)\n"
    "            mul_1 = torch.ops.aten.mul.Tensor(a2, b1)\n"
    "            add = torch.ops.aten.add.Tensor(mul_1, b2)\n"
    "            return [mul, add]\n";

typedef int64_t row[LANES];

typedef struct {
  row x[LEAVES][LENGTH], y[LEAVES][LENGTH], seed[LEAVES], total[LEAVES];
} data;

static const codegen_api *api; /* NULL: the evaluator runs the kernels */
static const scan_nest *nest;
static arena *mem;

static const codegen_api *open_api(void) {
  void *lib = dlopen("libscanc-codegen.so", RTLD_NOW);
  codegen_entry entry = NULL;
  if (lib) *(void **)&entry = dlsym(lib, CODEGEN_SYMBOL);
  return entry ? entry() : NULL;
}

static void run_kernel(const kernel *k, void *const *bufs, const int64_t *ints) {
  str err = {0};
  codegen_code *code = api ? api->compile(k, "native", &err) : NULL;
  ck_assert_msg(code || !api, "%s", str_cstr(&err));
  int32_t status = code ? api->entry(code)(bufs, ints, NULL) : kernel_eval(k, bufs, ints, false);
  ck_assert_int_eq(status, 0);
  if (code) api->free(code);
}

/* One entry over x[first, first + length), results at the same place of y. */
static void run_entry(data *d, int entry, int first, int length) {
  nest_shape s = nest_shape_default(mem, nest);
  scan_layout l = layout_make(mem, nest, &s, entry);
  kernel *k = nest_kernel(mem, nest, &l);
  target t;
  str why = {0};
  ck_assert(target_get("native", &t));
  schedule_scan(k, &t);
  ck_assert_msg(kernel_verify(k, &why), "%s", str_cstr(&why));
  void *base[OPERANDS], *bufs[OPERANDS];
  for (int i = 0; i < LEAVES; i++) {
    base[i] = d->x[i][first];
    base[LEAVES + i] = d->y[i][first];
    base[nest_seed(nest, i)] = d->seed[i];
    base[nest_total(nest, i)] = d->total[i];
  }
  int64_t *ints = ARENA_ARRAY(mem, int64_t, nest_max_ints(nest));
  dim *sizes = ARENA_ARRAY(mem, dim, nest_max_ints(nest));
  int n_ints = layout_ints(nest, &l, &s, dim_int(length), sizes), operand[OPERANDS];
  for (int i = 0; i < n_ints; i++) ints[i] = sizes[i].k;
  int n_bufs = nest_buffers(nest, entry, operand);
  for (int i = 0; i < n_bufs; i++) bufs[i] = base[operand[i]];
  run_kernel(k, bufs, ints);
}

static void fill(data *d) {
  for (int i = 0; i < LEAVES; i++)
    for (int t = 0; t < LENGTH; t++)
      for (int k = 0; k < LANES; k++)
        d->x[i][t][k] =
            (int64_t)(0x9e3779b97f4a7c15u * (uint64_t)(1 + k + LANES * (t + LENGTH * i)));
}

static void keep(const data *d, row *to) { memcpy(to, d->total, sizeof d->total); }

static void check_blocks(void) {
  static data whole, cut;
  row first[LEAVES], second[LEAVES];
  fill(&whole);
  fill(&cut);
  run_entry(&whole, FOLD_RESULTS | FOLD_TOTAL, 0, LENGTH);
  run_entry(&cut, FOLD_RESULTS, 0, CUT);
  run_entry(&cut, FOLD_TOTAL, 0, CUT);
  keep(&cut, first);
  memcpy(cut.seed, first, sizeof first);
  run_entry(&cut, FOLD_SEED | FOLD_RESULTS, CUT, LENGTH - CUT);
  ck_assert(!memcmp(whole.y, cut.y, sizeof whole.y));
  run_entry(&cut, FOLD_TOTAL, CUT, LENGTH - CUT);
  keep(&cut, second);
  memcpy(cut.seed, first, sizeof first);
  for (int i = 0; i < LEAVES; i++) memcpy(cut.x[i][0], second[i], sizeof(row));
  run_entry(&cut, FOLD_SEED | FOLD_TOTAL, 0, 1);
  ck_assert(!memcmp(whole.total, cut.total, sizeof whole.total));
  for (int i = 0; i < LEAVES; i++)
    ck_assert(!memcmp(whole.total[i], whole.y[i][LENGTH - 1], sizeof(row)));
}

static const node *find_scan(const module *m) {
  for (const node *n = m->main->first; n; n = n->next)
    if (node_is_op(n, OP_associative_scan)) return n;
  return NULL;
}

START_TEST(blocks_agree) {
  scanc_error err = {0};
  str why = {0};
  scanc_module *m = scanc_module_parse(NULL, text, sizeof text - 1, "folds", &err);
  ck_assert_msg(m != NULL, "%s", err.message);
  mem = arena_new();
  nest = nest_build(mem, find_scan(m), &why);
  ck_assert_msg(nest != NULL, "%s", str_cstr(&why));
  ck_assert_int_eq(nest->n_operand, OPERANDS);
  api = NULL;
  check_blocks();
  api = open_api();
  if (api) check_blocks();
  arena_free(mem);
  scanc_module_free(m);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {blocks_agree};
  return unit_run("folds", tests, 1);
}
