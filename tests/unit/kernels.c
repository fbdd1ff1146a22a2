/* Machine code against the evaluator of loop IR, bit for bit: every elementwise row and every
 * conversion, in every dtype for this machine and in four dtypes for the lower CPU levels, with
 * NaN, infinities, signed zeros, subnormals and the extremes of integers; and kernels that the
 * verifier must refuse. */
#include <check.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ir/convert.h"
#include "ir/ops_kernel.h"
#include "loop/codegen.h"
#include "loop/op_cost.h"
#include "loop/target.h"
#include "unit.h"

enum { LANES = 37, LENGTH = 5, POINTS = LANES * LENGTH, MAX_ARGS = 4 };

static const codegen_api *api; /* NULL: built without code generator */
static uint64_t state = 88172645463325252u;
static int n_failed;

static uint64_t next_random(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static const codegen_api *open_api(void) {
  void *lib = dlopen("libscanc-codegen.so", RTLD_NOW);
  codegen_entry entry = NULL;
  if (lib) *(void **)&entry = dlsym(lib, CODEGEN_SYMBOL);
  return entry ? entry() : NULL;
}

/* ---- data ---- */

static number random_number(char cls) {
  static const double f[] = {0,     -0.0,   1,      -1,   0.5,   -0.5,  2,     3,        -3,
                             1e-40, -1e-40, 1e-310, 1e30, -1e30, 1e38,  1e308, INFINITY, -INFINITY,
                             NAN,   0.1,    7.5,    -7.5, 2.5,   1.5,   -2.5,  255.7,    3e9,
                             -3e9,  1e19,   -1e19,  88,   -104,  65504, 65520, 6e-8,     -129};
  static const int64_t n[] = {0,         1,    -1,  2,     3,      -3,        7,         -7,
                              127,       -128, 255, 32767, -32768, INT32_MAX, INT32_MIN, INT64_MAX,
                              INT64_MIN, 5,    31,  32,    63,     64,        8,         9};
  uint64_t r = next_random();
  if (cls == 'f')
    return (number){.cls = cls,
                    .f = r % 3 ? f[(r >> 8) % (sizeof f / sizeof *f)] : (double)(int64_t)r / 1e18};
  if (cls == 'i')
    return (number){.cls = cls,
                    .i = r % 2 ? n[(r >> 8) % (sizeof n / sizeof *n)] : (int64_t)r >> (r % 50)};
  return (number){.cls = cls, .i = (int64_t)(r >> 8 & 1)};
}

static void *random_array(arena *mem, scanc_dtype d) {
  size_t size = scanc_dtype_size(d);
  char *p = arena_alloc(mem, size * POINTS);
  for (int i = 0; i < POINTS; i++)
    number_store(random_number(dtype_class(d)), d, p + (size_t)i * size);
  return p;
}

static bool same_element(scanc_dtype d, const char *a, const char *b) {
  if (!memcmp(a, b, scanc_dtype_size(d))) return true;
  if (dtype_class(d) != 'f') return false;
  number x = number_load(d, a), y = number_load(d, b);
  return x.f != x.f && y.f != y.f;
}

/* ---- one row as a kernel: y[t, i] = op(x0[t, i], x1[t, i]...) ---- */

typedef struct {
  const op_info *op; /* NULL: a conversion to `acc` */
  scanc_dtype io, acc;
  int lanes, unroll;
} subject;

static int n_args(const subject *s) { return s->op ? s->op->n_operands : 1; }

static scanc_dtype arg_dtype(const subject *s, int a) {
  return s->op && s->op->promo == PROMO_SELECT && a == 0 ? SCANC_BOOL : s->io;
}

static scanc_dtype result_dtype(const subject *s) {
  return !s->op ? s->acc : s->op->promo == PROMO_COMPARE ? SCANC_BOOL : s->io;
}

static int cast(kernel *k, stmt_list *where, int value, scanc_dtype to) {
  if (k->values.data[value].dtype == to) return value;
  return stmt_add(k, where,
                  (stmt){.kind = ST_CAST, .dtype = to, .arg = {value}, .n_args = 1, .fault = -1},
                  NULL);
}

static int add_op(kernel *k, stmt_list *where, const subject *s, const int *args) {
  stmt st = {.kind = ST_OP, .op = s->op->id, .compute = s->acc, .n_args = n_args(s), .fault = -1};
  for (int a = 0; a < n_args(s); a++)
    st.arg[a] = arg_dtype(s, a) == SCANC_BOOL ? args[a] : cast(k, where, args[a], s->acc);
  st.dtype = s->op->promo == PROMO_COMPARE ? SCANC_BOOL : s->acc;
  fault_info f = {"integer division by zero", "n", {0}};
  if ((s->op->traits & T_DATA) && dtype_class(s->acc) == 'i') {
    vec_push(k->mem, &k->faults, f);
    st.fault = 0;
  }
  return stmt_add(k, where, st, "r");
}

static void add_array(kernel *k, const char *name, scanc_dtype d, buffer_space space) {
  buffer_dim dims[2] = {{k->axes.data[0].extent, lexpr_param(1)},
                        {k->axes.data[1].extent, lexpr_const(1)}};
  kernel_add_buffer(k, (buffer){name, d, space, dims, 2});
}

static kernel *make_kernel(arena *mem, const subject *s) {
  static const index_map index[2] = {{0, 0}, {1, 0}};
  kernel *k = kernel_new(mem, "scanc_k_test");
  int args[MAX_ARGS], n = n_args(s);
  kernel_add_axis(k, "t", lexpr_param(kernel_add_int(k, "length")));
  kernel_add_axis(k, "i", lexpr_param(kernel_add_int(k, "lanes")));
  for (int a = 0; a < n; a++) add_array(k, "x", arg_dtype(s, a), SPACE_INPUT);
  add_array(k, "y", result_dtype(s), SPACE_OUTPUT);
  loop *lanes = loop_add(k, &k->body, 1, ORDER_PARALLEL, 0);
  lanes->bind = BIND_LANES, lanes->lanes = s->lanes, lanes->unroll = s->unroll;
  stmt_list *body = &loop_add(k, &lanes->body, 0, ORDER_SEQUENTIAL, 0)->body;
  for (int a = 0; a < n; a++) args[a] = stmt_load(k, body, a, index, "x");
  int r = s->op ? add_op(k, body, s, args) : args[0];
  stmt_store(k, body, n, index, cast(k, body, r, result_dtype(s)));
  return k;
}

static void complain(const subject *s, const char *level, const char *what) {
  fprintf(stderr, "%s %s -> %s, %d lanes, %s: %s\n", s->op ? s->op->name : "cast",
          scanc_dtype_name(s->io), scanc_dtype_name(result_dtype(s)), s->lanes, level, what);
  n_failed++;
}

static void compare(const subject *s, const kernel *k, const codegen_code *code, const char *level,
                    int lanes) {
  arena *mem = arena_new();
  void *jit[MAX_ARGS + 1], *eval[MAX_ARGS + 1];
  int n = n_args(s);
  for (int a = 0; a < n; a++) jit[a] = eval[a] = random_array(mem, arg_dtype(s, a));
  jit[n] = arena_alloc(mem, 8 * POINTS);
  eval[n] = arena_alloc(mem, 8 * POINTS);
  int64_t ints[2] = {LENGTH, lanes};
  target t;
  target_get(level, &t);
  if (api->entry(code)(jit, ints, NULL) != kernel_eval(k, eval, ints, t.fma))
    complain(s, level, "another status");
  size_t size = scanc_dtype_size(result_dtype(s));
  bool same = true;
  for (size_t i = 0; i < (size_t)lanes * LENGTH; i++)
    same = same &&
           same_element(result_dtype(s), (char *)jit[n] + i * size, (char *)eval[n] + i * size);
  if (!same) complain(s, level, "another result");
  arena_free(mem);
}

static void check_subject(const subject *s, const char *level) {
  arena *mem = arena_new();
  str err = {0};
  kernel *k = make_kernel(mem, s);
  codegen_code *code = kernel_verify(k, &err) ? api->compile(k, level, &err) : NULL;
  if (!code) complain(s, level, str_cstr(&err));
  if (code) {
    compare(s, k, code, level, LANES);
    compare(s, k, code, level, 3);
  }
  api->free(code);
  str_free(&err);
  arena_free(mem);
}

static void check_dtype(scanc_dtype io, const target *t) {
  scanc_dtype acc = dtype_acc(io);
  int lanes = t->vector_bytes / (int)scanc_dtype_size(acc);
  if (lanes > 16) lanes = 16;
  bool rows = !strcmp(t->level, "native") || io == SCANC_F32 || io == SCANC_F16 ||
              io == SCANC_I32 || io == SCANC_BOOL;
  for (int op = 0; rows && op < N_OPS; op++) {
    const op_info *info = op_get((op_id)op);
    if (info->kind != OPK_EW || !ew_kernel_of((op_id)op, acc, false) ||
        op_cost((op_id)op, acc) >= OP_COST_NONE)
      continue;
    check_subject(&(subject){info, io, acc, lanes, 2}, t->level);
  }
  for (int to = 0; to < SCANC_N_DTYPES; to++)
    if (dtype_class((scanc_dtype)to) != 'c')
      check_subject(&(subject){NULL, io, (scanc_dtype)to, lanes, 2}, t->level);
}

static void check_level(const char *level) {
  target t;
  if (!api) return;
  ck_assert(target_get(level, &t));
  n_failed = 0;
  for (int d = 0; d < SCANC_N_DTYPES; d++)
    if (dtype_class((scanc_dtype)d) != 'c') check_dtype((scanc_dtype)d, &t);
  ck_assert_int_eq(n_failed, 0);
}

START_TEST(rows_native) { check_level("native"); }
END_TEST

START_TEST(rows_baseline) { check_level("x86-64"); }
END_TEST

START_TEST(rows_v4) {
  target t;
  target_get(NULL, &t);
  if (t.vector_bytes == 64) check_level("x86-64-v4");
}
END_TEST

START_TEST(rows_v3) {
  if (__builtin_cpu_supports("avx2")) check_level("x86-64-v3");
}
END_TEST

/* ---- math functions call nothing outside of the object ---- */

static void check_no_calls(const char *name, scanc_dtype d, const char *level) {
  arena *mem = arena_new();
  str err = {0}, text = {0};
  kernel *k = make_kernel(mem, &(subject){op_by_name(name), d, dtype_acc(d), 16, 1});
  ck_assert_msg(api->emit(k, level, CODEGEN_ASM, &text, &err), "%s", str_cstr(&err));
  ck_assert_msg(!strstr(str_cstr(&text), "@PLT") && !strstr(str_cstr(&text), "@GOT"),
                "%s calls for %s", name, level);
  str_free(&text);
  str_free(&err);
  arena_free(mem);
}

START_TEST(math_is_inline) {
  static const char *const names[] = {
      "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "tanh", "erf",     "erfc",
      "sin", "cos",  "tan",   "pow", "sqrt", "rsqrt", "silu",  "gelu", "sigmoid", "softplus"};
  static const char *const levels[] = {"x86-64", "x86-64-v3", "x86-64-v4"};
  for (size_t i = 0; api && i < sizeof names / sizeof *names; i++)
    for (int l = 0; l < 3; l++) {
      check_no_calls(names[i], SCANC_F32, levels[l]);
      check_no_calls(names[i], SCANC_F64, levels[l]);
    }
}
END_TEST

/* ---- the verifier ---- */

static kernel *sound_kernel(arena *mem) {
  return make_kernel(mem, &(subject){op_by_name("add"), SCANC_F32, SCANC_F32, 8, 1});
}

static loop *time_loop(kernel *k) { return k->body.data[0].loop->body.data[0].loop; }

static void expect_refusal(kernel *k, const char *part) {
  str why = {0};
  ck_assert(!kernel_verify(k, &why));
  ck_assert_msg(strstr(str_cstr(&why), part) != NULL, "%s", str_cstr(&why));
  str_free(&why);
}

START_TEST(verifier_refuses) {
  arena *mem = arena_new();
  str why = {0};
  ck_assert(kernel_verify(sound_kernel(mem), &why));

  kernel *k = sound_kernel(mem);
  time_loop(k)->body.data[2].arg[1] = time_loop(k)->body.data[2].value;
  expect_refusal(k, "before its definition");

  k = sound_kernel(mem);
  k->axes.data[0].extent = lexpr_const(9);
  expect_refusal(k, "in bounds");

  k = sound_kernel(mem);
  k->buffers.data[2].n_dims = 1;
  expect_refusal(k, "store different values to one element");

  k = sound_kernel(mem);
  k->body.data[0].loop->order = ORDER_SEQUENTIAL;
  expect_refusal(k, "lanes over a sequential loop");

  k = sound_kernel(mem);
  time_loop(k)->body.data[2].compute = SCANC_F64;
  expect_refusal(k, "another element type");

  k = sound_kernel(mem);
  time_loop(k)->body.data[0].buffer = 2;
  expect_refusal(k, "load of an output");
  arena_free(mem);
}
END_TEST

int main(void) {
  setenv("CK_FORK", "no", 0); /* the code generator is loaded once */
  api = open_api();
  const TTest *const tests[] = {rows_native, rows_baseline,  rows_v3,
                                rows_v4,     math_is_inline, verifier_refuses};
  return unit_run("kernels", tests, sizeof tests / sizeof tests[0]);
}
