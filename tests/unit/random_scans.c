/* Random scans with elementwise bodies through the interpreter and as native code: mixed dtypes, broadcasting shapes,
 * strided inputs, lengths from 0, all CPU levels this machine can run. Results must agree bit for bit (all NaNs are one). */
#include <check.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "scanc/scanc.h"
#include "unit.h"

enum { MAX_LEAVES = 6, MAX_VALUES = 24, MAX_RANK = 3 };

static uint64_t state = 0x9e3779b97f4a7c15u;

static uint64_t next_random(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static int below(int n) { return (int)((next_random() >> 11) % (uint64_t)n); }

/* ---- programs as text ---- */

typedef struct {
  scanc_dtype dtype;
  int rank, size[MAX_RANK];
} shape;

typedef struct {
  int n_carry, n_x, n_y, length;
  shape leaf[MAX_LEAVES]; /* carries, then xs without their time axis */
  str text;
} program;

static const scanc_dtype dtypes[] = {SCANC_F32, SCANC_F32, SCANC_F64, SCANC_I32, SCANC_I64, SCANC_BOOL, SCANC_F16, SCANC_BF16, SCANC_U8};

static void print_type(str *s, shape t, int length) {
  str_printf(s, "%s[", scanc_dtype_name(t.dtype));
  if (length >= 0) str_printf(s, t.rank ? "%d, " : "%d", length);
  for (int i = 0; i < t.rank; i++) str_printf(s, i + 1 < t.rank ? "%d, " : "%d", t.size[i]);
  str_char(s, ']');
}

static const char *torch_name(scanc_dtype d) {
  static const char *const names[SCANC_N_DTYPES] = {
    [SCANC_F32] = "torch.float32", [SCANC_F64] = "torch.float64", [SCANC_I32] = "torch.int32", [SCANC_I64] = "torch.int64",
    [SCANC_BOOL] = "torch.bool", [SCANC_F16] = "torch.float16", [SCANC_BF16] = "torch.bfloat16", [SCANC_U8] = "torch.uint8"};
  return names[d];
}

/* Values of the body are named v0, v1...; all have the leaf's shape broadcast with what they meet. */
static shape join(shape a, shape b) {
  shape r = a.rank >= b.rank ? a : b, s = a.rank >= b.rank ? b : a;
  for (int i = 0; i < s.rank; i++) {
    int *size = &r.size[r.rank - 1 - i];
    if (*size == 1) *size = s.size[s.rank - 1 - i];
  }
  return r;
}

/* One statement that computes vN from earlier values in f32; shapes only matter to the caller. */
static shape add_statement(program *p, int n, const shape *v) {
  static const char *const binary[] = {"add.Tensor", "sub.Tensor", "mul.Tensor", "maximum.default", "minimum.default", "div.Tensor"};
  static const char *const unary[] = {"neg.default", "abs.default", "relu.default", "sigmoid.default", "tanh.default", "sqrt.default",
                                      "floor.default", "exp.default"};
  int a = below(n), b = below(n);
  str_printf(&p->text, "            v%d = torch.ops.aten.", n);
  shape r = v[a];
  switch (below(5)) {
  case 0:
    str_printf(&p->text, "%s(f%d)\n", unary[below(8)], a);
    break;
  case 1:
    str_printf(&p->text, "mul.Tensor(f%d, %d.25)\n", a, below(3));
    break;
  case 2:
    str_printf(&p->text, "where.self(b%d, f%d, f%d)\n", b, a, b);
    r = join(v[a], v[b]);
    break;
  default:
    str_printf(&p->text, "%s(f%d, f%d)\n", binary[below(6)], a, b);
    r = join(v[a], v[b]);
  }
  r.dtype = SCANC_F32;
  str_printf(&p->text, "            f%d = torch.ops.aten.clone.default(v%d)\n", n, n);
  str_printf(&p->text, "            b%d = torch.ops.aten.gt.Scalar(v%d, 0)\n", n, n);
  return r;
}

static bool same_sizes(shape a, shape b) { return a.rank == b.rank && !memcmp(a.size, b.size, sizeof(int) * (size_t)a.rank); }

static void add_body(program *p) {
  int n_leaf = p->n_carry + p->n_x, n = n_leaf;
  shape v[MAX_VALUES];
  str_append(&p->text, "\n    class scan_combine_graph_0(torch.nn.Module):\n        def forward(self");
  for (int i = 0; i < n_leaf; i++) {
    str_printf(&p->text, ", v%d: \"", i);
    print_type(&p->text, v[i] = p->leaf[i], -1);
    str_char(&p->text, '"');
  }
  str_append(&p->text, "):\n");
  for (int i = 0; i < n_leaf; i++) {
    str_printf(&p->text, "            f%d = torch.ops.aten._to_copy.default(v%d, dtype = torch.float32)\n", i, i);
    str_printf(&p->text, "            b%d = torch.ops.aten.gt.Scalar(f%d, 0)\n", i, i);
  }
  for (int k = 3 + below(8); k > 0; k--, n++) v[n] = add_statement(p, n, v);
  str results = {0};
  for (int c = 0; c < p->n_carry; c++) {
    int from = c;
    for (int i = n - 1; i >= n_leaf; i--)
      if (same_sizes(v[i], v[c]) && from == c) from = i;
    str_printf(&p->text, "            c%d = torch.ops.aten._to_copy.default(v%d, dtype = %s)\n", c, from, torch_name(v[c].dtype));
    str_printf(&results, "%sc%d", c ? ", " : "", c);
  }
  for (int y = 0; y < p->n_y; y++) {
    str_printf(&p->text, "            y%d = torch.ops.aten._to_copy.default(v%d, dtype = %s)\n", y, n - 1 - y,
               torch_name(dtypes[below(9)]));
    str_printf(&results, ", y%d", y);
  }
  str_printf(&p->text, "            return [%s]\n", str_cstr(&results));
  str_free(&results);
}

static void add_main(program *p) {
  str *s = &p->text;
  int n_leaf = p->n_carry + p->n_x;
  str_append(s, "class GraphModule(torch.nn.Module):\n    def forward(self");
  for (int i = 0; i < n_leaf; i++) {
    str_printf(s, ", a%d: \"", i);
    print_type(s, p->leaf[i], i < p->n_carry ? -1 : p->length);
    str_char(s, '"');
  }
  str_append(s, "):\n        scan_combine_graph_0 = self.scan_combine_graph_0\n"
                "        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [");
  for (int i = 0; i < n_leaf; i++) str_printf(s, i == 0 ? "a%d" : i == p->n_carry ? "], [a%d" : ", a%d", i);
  str_append(s, "], ())\n");
  for (int i = 0; i < p->n_carry + p->n_y; i++) str_printf(s, "        g%d = scan[%d]\n", i, i);
  str_append(s, "        return (");
  for (int i = 0; i < p->n_carry + p->n_y; i++) str_printf(s, "g%d, ", i);
  str_append(s, ")\n");
}

static program random_program(void) {
  static const int extents[] = {1, 2, 3, 5, 7, 8, 13, 16, 33, 64, 130}, lengths[] = {0, 1, 2, 3, 17};
  program p = {.n_carry = 1 + below(3), .n_x = 1 + below(3), .n_y = 1 + below(2), .length = lengths[below(5)]};
  int space[MAX_RANK];
  for (int i = 0; i < MAX_RANK; i++) space[i] = extents[below(i + 1 < MAX_RANK ? 4 : 11)];
  for (int i = 0; i < p.n_carry + p.n_x; i++) {
    shape *t = &p.leaf[i];
    t->dtype = dtypes[below(9)];
    t->rank = below(MAX_RANK + 1);
    for (int d = 0; d < t->rank; d++) t->size[d] = below(5) ? space[MAX_RANK - t->rank + d] : 1;
  }
  add_main(&p);
  add_body(&p);
  return p;
}

/* ---- inputs ---- */

static void random_bytes(scanc_dtype d, unsigned char *p, size_t bytes) {
  static const float floats[] = {0, -0.0f, 1, -1, INFINITY, -INFINITY, NAN, 1e-40f, 0.1f, 3.7f, -250};
  for (size_t i = 0; i < bytes; i++) p[i] = (unsigned char)next_random();
  if (d == SCANC_BOOL)
    for (size_t i = 0; i < bytes; i++) p[i] &= 1;
  for (size_t i = 0; d == SCANC_F32 && i + 4 <= bytes; i += 4) memcpy(p + i, &floats[below(11)], 4);
  for (size_t i = 0; d == SCANC_F64 && i + 8 <= bytes; i += 8) {
    double v = floats[below(11)];
    memcpy(p + i, &v, 8);
  }
}

/* Dimensions in memory are in random order, one of them with a gap. */
static scanc_tensor random_tensor(shape s, int length) {
  scanc_tensor t = {.dtype = s.dtype, .release = free};
  int order[MAX_RANK + 1];
  if (length >= 0) t.sizes[t.rank++] = length;
  for (int d = 0; d < s.rank; d++) t.sizes[t.rank++] = s.size[d];
  for (int d = 0; d < t.rank; d++) order[d] = t.rank - 1 - d;
  if (t.rank > 1 && below(3) == 0) {
    int k = below(t.rank - 1), swap = order[k];
    order[k] = order[k + 1], order[k + 1] = swap;
  }
  int64_t stride = below(6) ? 1 : 2;
  for (int d = 0; d < t.rank; d++) {
    t.strides[order[d]] = stride;
    stride *= t.sizes[order[d]] + (below(8) == 0);
  }
  size_t bytes = (size_t)(stride + 1) * scanc_dtype_size(s.dtype);
  t.owner = t.data = malloc(bytes);
  random_bytes(s.dtype, t.data, bytes);
  return t;
}

/* ---- comparison ---- */

static bool element_is_nan(scanc_dtype d, const unsigned char *p) {
  float f;
  double g;
  uint16_t h;
  memcpy(&f, p, d == SCANC_F32 ? 4 : 0);
  memcpy(&g, p, d == SCANC_F64 ? 8 : 0);
  memcpy(&h, p, d == SCANC_F16 || d == SCANC_BF16 ? 2 : 0);
  switch (d) {
  case SCANC_F32: return f != f;
  case SCANC_F64: return g != g;
  case SCANC_F16: return (h & 0x7fff) > 0x7c00;
  case SCANC_BF16: return (h & 0x7fff) > 0x7f80;
  default: return false;
  }
}

/* The place of the first difference goes to stderr. */
static bool same_results(const scanc_tensor *a, const scanc_tensor *b) {
  size_t n = 1, size = scanc_dtype_size(a->dtype);
  for (int d = 0; d < a->rank; d++) n *= (size_t)a->sizes[d];
  const unsigned char *p = a->data, *q = b->data;
  for (size_t i = 0; i < n; i++, p += size, q += size)
    if (memcmp(p, q, size) != 0 && !(element_is_nan(a->dtype, p) && element_is_nan(a->dtype, q))) {
      uint64_t want = 0, got = 0;
      memcpy(&want, p, size);
      memcpy(&got, q, size);
      fprintf(stderr, "element %zu of %zu (%s): bits %" PRIx64 ", expected %" PRIx64 "\n", i, n, scanc_dtype_name(a->dtype), got, want);
      return false;
    }
  return true;
}

static scanc_code run(const program *p, scanc_exec exec, const char *cpu, const scanc_tensor *in, scanc_tensor *out, scanc_error *err) {
  scanc_options opts = SCANC_OPTIONS_INIT;
  opts.exec = exec;
  opts.cpu = cpu;
  scanc_module *mod = scanc_module_parse(p->text.data, p->text.len, "random", err);
  scanc_program *prog = mod ? scanc_compile(mod, &opts, err) : NULL;
  scanc_code code = prog ? scanc_run(prog, in, p->n_carry + p->n_x, out, p->n_carry + p->n_y, err) : err->code;
  scanc_program_free(prog);
  scanc_module_free(mod);
  return code;
}

static void check_level(const program *p, const char *cpu, const scanc_tensor *in, const scanc_tensor *want) {
  scanc_tensor got[MAX_LEAVES] = {{0}};
  scanc_error err = {0};
  scanc_code code = run(p, SCANC_EXEC_JIT, cpu, in, got, &err);
  ck_assert_msg(code == SCANC_OK, "%s\n%s", err.message, p->text.data);
  for (int i = 0; i < p->n_carry + p->n_y; i++) {
    ck_assert_msg(same_results(&want[i], &got[i]), "result %d differs at level %s:\n%s", i, cpu, p->text.data);
    scanc_tensor_release(&got[i]);
  }
}

static void check_random(int round) {
  program p = random_program();
  scanc_tensor in[MAX_LEAVES], want[MAX_LEAVES] = {{0}};
  scanc_error err = {0};
  for (int i = 0; i < p.n_carry + p.n_x; i++) in[i] = random_tensor(p.leaf[i], i < p.n_carry ? -1 : p.length);
  scanc_code code = run(&p, SCANC_EXEC_INTERP, NULL, in, want, &err);
  ck_assert_msg(code == SCANC_OK, "round %d: %s\n%s", round, err.message, p.text.data);
  check_level(&p, "native", in, want);
  if (round % 3 == 0) check_level(&p, "x86-64", in, want);
  if (round % 3 == 1 && __builtin_cpu_supports("avx2")) check_level(&p, "x86-64-v3", in, want);
  for (int i = 0; i < p.n_carry + p.n_x; i++) scanc_tensor_release(&in[i]);
  for (int i = 0; i < p.n_carry + p.n_y; i++) scanc_tensor_release(&want[i]);
  str_free(&p.text);
}

START_TEST(executors_agree) {
  for (int round = 0; round < 150; round++) check_random(round);
}
END_TEST

int main(int argc, char **argv) {
  if (argc > 1) state ^= strtoull(argv[1], NULL, 0) * 0xbf58476d1ce4e5b9u;
  const TTest *const tests[] = {executors_agree};
  return unit_run("random_scans", tests, 1);
}
