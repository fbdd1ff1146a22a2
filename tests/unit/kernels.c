/* Machine code against the evaluator of loop IR, bit for bit: every elementwise row and every
 * conversion, in every dtype for this machine and in four dtypes for the lower CPU levels, with
 * NaN, infinities, signed zeros, subnormals and the extremes of integers; and kernels that the
 * verifier must refuse. */
#include <check.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "../levels.h"
#include "../row_kernels.h"
#include "loop/codegen.h"
#include "unit.h"

enum { LANES = 37, LENGTH = 5, POINTS = LANES * LENGTH };

static const codegen_api *api; /* NULL: built without code generator */
static int n_failed;

static const codegen_api *open_api(void) {
  void *lib = dlopen("libscanc-codegen.so", RTLD_NOW);
  codegen_entry entry = NULL;
  if (lib) *(void **)&entry = dlsym(lib, CODEGEN_SYMBOL);
  return entry ? entry() : NULL;
}

static void *random_array(arena *mem, scanc_dtype d) {
  size_t size = scanc_dtype_size(d);
  char *p = arena_alloc(mem, size * POINTS);
  for (int i = 0; i < POINTS; i++)
    number_store(row_random_number(dtype_class(d)), d, p + (size_t)i * size);
  return p;
}

static void complain(const row_case *r, const char *level, const char *what) {
  fprintf(stderr, "%s, %s: %s\n", row_name(r), level, what);
  n_failed++;
}

static void compare(const row_case *r, const kernel *k, const codegen_code *code, const char *level,
                    int lanes) {
  arena *mem = arena_new();
  void *jit[ROW_ARGS + 1], *eval[ROW_ARGS + 1];
  int n = row_n_args(r);
  scanc_dtype d = row_result_dtype(r);
  for (int a = 0; a < n; a++) jit[a] = eval[a] = random_array(mem, row_arg_dtype(r, a));
  jit[n] = arena_alloc(mem, 8 * POINTS);
  eval[n] = arena_alloc(mem, 8 * POINTS);
  int64_t ints[2] = {LENGTH, lanes};
  target t;
  target_get(level, &t);
  if (api->entry(code)(jit, ints, NULL) != kernel_eval(k, eval, ints, t.fma))
    complain(r, level, "another status");
  size_t size = scanc_dtype_size(d);
  bool same = true;
  for (size_t i = 0; i < (size_t)lanes * LENGTH; i++)
    same = same && row_same_element(d, (char *)jit[n] + i * size, (char *)eval[n] + i * size);
  if (!same) complain(r, level, "another result");
  arena_free(mem);
}

static void check_row(const row_case *r, void *ctx) {
  const char *level = ctx;
  arena *mem = arena_new();
  str err = {0};
  kernel *k = row_kernel(mem, r);
  codegen_code *code = kernel_verify(k, &err) ? api->compile(k, level, &err) : NULL;
  if (!code) complain(r, level, str_cstr(&err));
  if (code) {
    compare(r, k, code, level, LANES);
    compare(r, k, code, level, 3);
  }
  api->free(code);
  str_free(&err);
  arena_free(mem);
}

static void check_dtype(scanc_dtype io, const target *t) {
  bool rows = !strcmp(t->level, "native") || io == SCANC_F32 || io == SCANC_F16 ||
              io == SCANC_I32 || io == SCANC_BOOL;
  if (rows) row_for_each(io, t, check_row, (void *)t->level);
  row_for_each_conversion(io, t, check_row, (void *)t->level);
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

START_TEST(rows_baseline) {
  if (level_is_here("x86-64")) check_level("x86-64");
}
END_TEST

START_TEST(rows_v4) {
  if (level_is_here("x86-64-v4")) check_level("x86-64-v4");
}
END_TEST

START_TEST(rows_v3) {
  if (level_is_here("x86-64-v3")) check_level("x86-64-v3");
}
END_TEST

/* Objects for another machine can be emitted, but are not run. */
START_TEST(foreign_level) {
  const char *other = level_is_here("aarch64") ? "x86-64" : "aarch64";
  arena *mem = arena_new();
  str object = {0}, err = {0};
  kernel *k = row_kernel(mem, &(row_case){op_by_name("add"), SCANC_F32, SCANC_F32, 4, 1});
  if (api) {
    ck_assert_msg(api->emit(k, other, CODEGEN_OBJECT, &object, &err), "%s", str_cstr(&err));
    ck_assert(object.len > 20 && !memcmp(object.data, "\177ELF", 4));
    ck_assert_int_eq(object.data[18] == (char)183, !strcmp(other, "aarch64")); /* EM_AARCH64 */
    ck_assert(!api->compile(k, other, &err));
    ck_assert_msg(strstr(str_cstr(&err), "this machine cannot run code for CPU level") != NULL,
                  "%s", str_cstr(&err));
  }
  str_free(&object);
  str_free(&err);
  arena_free(mem);
}
END_TEST

/* ---- math functions call nothing outside of the object ---- */

static void check_no_calls(const char *name, scanc_dtype d, const char *level) {
  arena *mem = arena_new();
  str err = {0}, text = {0};
  kernel *k = row_kernel(mem, &(row_case){op_by_name(name), d, dtype_acc(d), 16, 1});
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
  return row_kernel(mem, &(row_case){op_by_name("add"), SCANC_F32, SCANC_F32, 8, 1});
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

/* y[i] = x[at[i]], of x[5]; what the index is checked against. */
static kernel *gather_kernel(arena *mem, int64_t below) {
  static const index_map along[] = {{0, 0}}, by[] = {{INDEX_VALUE, 0}};
  kernel *k = kernel_new(mem, "gather");
  buffer_dim row = {lexpr_param(kernel_add_int(k, "n")), lexpr_const(1)},
             table = {lexpr_const(5), lexpr_const(1)};
  vec_push(mem, &k->faults, ((fault_info){"an index out of range", "gather", {0}}));
  int axis = kernel_add_axis(k, "i", row.extent);
  int x = kernel_add_buffer(k, (buffer){"x", SCANC_F32, SPACE_INPUT, &table, 1});
  int at = kernel_add_buffer(k, (buffer){"at", SCANC_I64, SPACE_INPUT, &row, 1});
  int y = kernel_add_buffer(k, (buffer){"y", SCANC_F32, SPACE_OUTPUT, &row, 1});
  loop *l = loop_add(k, &k->body, axis, ORDER_PARALLEL, 0);
  int i = stmt_load(k, &l->body, at, along, "i");
  if (below) i = stmt_index(k, &l->body, i, lexpr_const(below), true, 0);
  stmt_store(k, &l->body, y, along, stmt_load_by(k, &l->body, x, by, &i, 1, NULL));
  return k;
}

START_TEST(verifier_wants_checked_indices) {
  arena *mem = arena_new();
  str why = {0};
  ck_assert(kernel_verify(gather_kernel(mem, 5), &why));
  expect_refusal(gather_kernel(mem, 4), "in bounds"); /* of another extent */
  expect_refusal(gather_kernel(mem, 0), "in bounds");

  kernel *k = gather_kernel(mem, 5);
  k->body.data[0].loop->body.data[1].number = lexpr_const(0);
  expect_refusal(k, "index into nothing");

  k = gather_kernel(mem, 5);
  k->buffers.data[2].space = SPACE_LOCAL;
  expect_refusal(k, "not constant");

  k = gather_kernel(mem, 5);
  k->body.data[0].loop->bind = BIND_LANES;
  k->buffers.data[0].space = SPACE_LOCAL;
  expect_refusal(k, "lanes share");
  arena_free(mem);
}
END_TEST

/* Negative indices count from the end; those out of range are a fault and read element 0. */
START_TEST(indices_are_checked) {
  float x[] = {1, 2, 3, 4, 5}, y[4] = {0};
  int64_t at[] = {3, -1, 5, 0}, n[] = {4};
  void *bufs[] = {x, at, y};
  arena *mem = arena_new();
  ck_assert_int_eq(kernel_eval(gather_kernel(mem, 5), bufs, n, false), 1);
  ck_assert(y[0] == 4 && y[1] == 5 && y[2] == 1 && y[3] == 1);
  *n = 2;
  ck_assert_int_eq(kernel_eval(gather_kernel(mem, 5), bufs, n, false), 0);
  arena_free(mem);
}
END_TEST

int main(void) {
  setenv("CK_FORK", "no", 0); /* the code generator is loaded once */
  api = open_api();
  const TTest *const tests[] = {
      rows_native,        rows_baseline,  rows_v3,          rows_v4,
      foreign_level,      math_is_inline, verifier_refuses, verifier_wants_checked_indices,
      indices_are_checked};
  return unit_run("kernels", tests, sizeof tests / sizeof tests[0]);
}
