/* Host functions as operators: registration, reading, the interpreter, the evaluator of loop IR and
 * machine code, all with equal bits. */
#include <check.h>
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "ir/convert.h"
#include "ir/graph.h"
#include "loop/codegen.h"
#include "passes/pass.h"
#include "unit.h"

#define FN(f) ((void (*)(void))(f))

/* ---- functions ---- */

static float softclip(float x, float limit) { return limit * x / (limit + fabsf(x)); }
static double softclip64(double x, double limit) { return limit * x / (limit + fabs(x)); }
static double mean(double a, double b) { return a / 2 + b / 2; }
static float other(float x, float limit) { return x - limit; }

/* Every argument class, more of each than some go to registers. */
static double mix(bool a, uint8_t b, int8_t c, int16_t d, int32_t e, int64_t f, float g, double h) {
  return (a ? 1 : 0.5) * ((double)b + c) + (double)d * e + (double)f * g - h;
}

static bool is_odd(int8_t x) { return x & 1; }
static uint8_t add_u8(uint8_t a, uint8_t b) { return (uint8_t)(a + b); }
static int8_t add_i8(int8_t a, int8_t b) { return (int8_t)(a + b); }
static int16_t add_i16(int16_t a, int16_t b) { return (int16_t)(a + b); }
static int32_t clamp_i32(int32_t a, bool low) { return low && a < 0 ? 0 : a; }
static int64_t collatz(int64_t n) { return n & 1 ? (int64_t)(3 * (uint64_t)n + 1) : n / 2; }
static float half_f32(float x) { return x / 2; }

typedef struct {
  const char *signature, *symbol;
  void (*fn)(void);
} entry;

static const entry all[] = {
    {"mylib::softclip(f32 x, f32 limit) -> f32", NULL, FN(softclip)},
    {"mylib::softclip(f64 x, f64 limit) -> f64", "softclip64", FN(softclip64)},
    {"mean(f64 a, f64 b)->f64", NULL, FN(mean)},
    {"mylib::mix.Tensor(b8 a, u8 b, i8 c, i16 d, i32 e, i64 f, f32 g, f64 h) -> f64", "mix",
     FN(mix)},
    {"mylib::is_odd(i8 x) -> b8", NULL, FN(is_odd)},
    {"mylib::add(u8 a, u8 b) -> u8", "add_u8", FN(add_u8)},
    {"mylib::add(i8 a, i8 b) -> i8", "add_i8", FN(add_i8)},
    {"mylib::add(i16 a, i16 b) -> i16", "add_i16", FN(add_i16)},
    {" mylib::clamp ( i32 a , b8 low ) -> i32 ", "clamp_i32", FN(clamp_i32)},
    {"collatz(i64 n) -> i64", NULL, FN(collatz)},
    {"mylib::half(f32 x) -> f32", "half_f32", FN(half_f32)},
};
enum { N_ALL = sizeof all / sizeof *all };

static void register_all(void) {
  for (int i = 0; i < N_ALL; i++) {
    scanc_error err = {0};
    ck_assert_msg(!scanc_register_op(all[i].signature, all[i].symbol, all[i].fn, &err), "%s",
                  err.message);
  }
}

/* ---- registration ---- */

static void refused(const char *signature, const char *symbol, void (*fn)(void),
                    const char *message) {
  scanc_error err = {0};
  ck_assert_int_eq(scanc_register_op(signature, symbol, fn, &err), SCANC_ERR_USAGE);
  ck_assert_int_eq(err.code, SCANC_ERR_USAGE);
  ck_assert_msg(strstr(err.message, message) != NULL, "expected '%s' in '%s'", message,
                err.message);
  ck_assert_int_eq(scanc_register_op(signature, symbol, fn, NULL), SCANC_ERR_USAGE);
}

START_TEST(signatures_are_checked) {
  static const struct {
    const char *signature, *message;
  } cases[] = {
      {NULL, "'signature' is NULL"},
      {"", "expected a name at the end"},
      {"1f(f32 x) -> f32", "expected a name, got '1f(f32 x)"},
      {"a::(f32 x) -> f32", "expected a name behind '::'"},
      {"a::b.(f32 x) -> f32", "expected an overload behind '.'"},
      {"a.b(f32 x) -> f32", "expected '(', got '.b"},
      {"f", "expected '(' at the end"},
      {"f() -> f32", "expected a type (b8, u8"},
      {"f(f32) -> f32", "expected the operand's name, got ')"},
      {"f(f33 x) -> f32", "expected a type (b8, u8"},
      {"f(bf16 x) -> f32", "C has no scalars of type bf16"},
      {"f(f32 x) -> c64", "C has no scalars of type c64"},
      {"f(f32 x, ) -> f32", "expected a type"},
      {"f(f32 x f32 y) -> f32", "expected ')', got 'f32 y"},
      {"f(f32 x)", "expected '->' at the end"},
      {"f(f32 x) -> f32 y", "expected the end of the signature, got 'y'"},
      {"f(i8 a, i8 b, i8 c, i8 d, i8 e, i8 f, i8 g, i8 h, i8 i) -> i8", "at most 8 operands"},
      {"f(f32 x, i8 limit, f32 x) -> f32", "two operands are called 'x'"},
      {"aten::relu(f32 x) -> f32", "scanc has an operator of that name"},
      {"aten::add.Tensor(f32 x) -> f32", "scanc has an operator of that name"},
      {"higher_order::scan(f32 x) -> f32", "scanc has an operator of that name"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    refused(cases[i].signature, NULL, FN(softclip), cases[i].message);
  refused("f(f32 x) -> f32", NULL, NULL, "no function was given");
  refused("f(f32 x) -> f32", "not a name", FN(half_f32), "not the name of a C function");
  refused("f(f32 x) -> f32", "", FN(half_f32), "not the name of a C function");
  refused("f(f32 x) -> f32", "scanc_k_scan", FN(half_f32), "belong to compiled code");
}
END_TEST

START_TEST(registrations_do_not_contradict) {
  register_all();
  register_all(); /* the same again */
  refused("mylib::softclip(f32 x, f32 limit) -> f32", NULL, FN(other), "another registered");
  refused("mylib::softclip(f32 x, f32 limit) -> f32", "other", FN(other), "for these types");
  refused("mylib::softclip(f32 x, f32 limit) -> f64", "other", FN(other), "for these types");
  refused("mylib::softclip(i32 x, i32 bound) -> f32", "other", FN(other), "operands (x, limit)");
  refused("mylib::softclip(i32 x) -> f32", "other", FN(other), "operands (x, limit)");
  refused("theirs::softclip(f64 x, f64 limit) -> f64", NULL, FN(softclip64), "another registered");
}
END_TEST

static void *register_some(void *name) {
  for (int i = 0; i < 200; i++) {
    char signature[64], symbol[32];
    snprintf(signature, sizeof signature, "%s::f%d(f32 x) -> f32", i % 2 ? "shared" : (char *)name,
             i);
    snprintf(symbol, sizeof symbol, "f_%s_%d", i % 2 ? "shared" : (char *)name, i);
    ck_assert_int_eq(scanc_register_op(signature, symbol, FN(half_f32), NULL), SCANC_OK);
    ck_assert_int_eq(
        scanc_register_op(all[i % N_ALL].signature, all[i % N_ALL].symbol, all[i % N_ALL].fn, NULL),
        SCANC_OK);
    snprintf(signature, sizeof signature, "torch.ops.%s.f%d.default",
             i % 2 ? "shared" : (char *)name, i);
    const op_info *op = host_op_find(signature);
    ck_assert(op && op->n_operands == 1);
    host_arg x = {.tensor = true, .dtype = SCANC_F32};
    ck_assert(host_op_select(op, &x) != NULL);
    host_arg wide[2] = {{.tensor = true, .dtype = SCANC_F64}, {.cls = 'i'}};
    op = host_op_find("torch.ops.mylib.softclip"); /* may get its second function just now */
    if (op) host_op_select(op, wide);
  }
  return NULL;
}

START_TEST(threads_may_register_at_once) {
  static char *names[] = {"a", "b", "c", "d"};
  pthread_t threads[4];
  for (int i = 0; i < 4; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, register_some, names[i]), 0);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  int n = 0;
  while (host_op_path(n)) n++;
  ck_assert_int_eq(n, 4 * 100 + 100 + 8); /* all[] has 8 names */
}
END_TEST

/* ---- programs ---- */

static module *read_program(const char *text) {
  scanc_error err = {0};
  module *m = scanc_module_parse(NULL, text, strlen(text), "host", &err);
  ck_assert_msg(m != NULL, "%s", err.message);
  return m;
}

/* All NaNs are one value. */
static bool same_element(scanc_dtype d, const char *a, const char *b) {
  number x = number_load(d, a), y = number_load(d, b);
  return !memcmp(a, b, scanc_dtype_size(d)) || (x.f != x.f && y.f != y.f);
}

static bool same_bits(const scanc_tensor *a, const scanc_tensor *b) {
  int64_t n = 1;
  for (int d = 0; d < a->rank; d++) {
    if (a->sizes[d] != b->sizes[d] || a->strides[d] != b->strides[d]) return false;
    n *= a->sizes[d];
  }
  size_t size = scanc_dtype_size(a->dtype);
  bool same = a->rank == b->rank && a->dtype == b->dtype;
  for (int64_t i = 0; same && i < n; i++)
    same = same_element(a->dtype, (char *)a->data + i * (int64_t)size,
                        (char *)b->data + i * (int64_t)size);
  return same;
}

enum { MAX_OUT = 4 };

/* Results of the program with this executor and CPU level. */
static int run_program(const char *text, scanc_exec exec, const char *cpu, const scanc_tensor *in,
                       int n_in, scanc_tensor *out) {
  scanc_error err = {0};
  scanc_options opts = SCANC_OPTIONS_INIT;
  opts.exec = exec, opts.cpu = cpu;
  module *m = read_program(text);
  scanc_program *prog = scanc_compile(m, &opts, &err);
  ck_assert_msg(prog != NULL, "%s", err.message);
  scanc_module_free(m);
  int n = scanc_program_n_outputs(prog);
  ck_assert_int_le(n, MAX_OUT);
  ck_assert_msg(scanc_run(prog, in, n_in, out, n, &err) == SCANC_OK, "%s", err.message);
  scanc_program_free(prog);
  return n;
}

static const codegen_api *open_api(void) {
  void *lib = dlopen("libscanc-codegen.so", RTLD_NOW);
  codegen_entry open = NULL;
  if (lib) *(void **)&open = dlsym(lib, CODEGEN_SYMBOL);
  return open ? open() : NULL;
}

static bool have_level(const char *level) {
  if (!strcmp(level, "x86-64-v3")) return __builtin_cpu_supports("avx2");
  if (!strcmp(level, "x86-64-v4")) return __builtin_cpu_supports("avx512vl");
  return true;
}

/* The interpreter's results; compiled code must have the same at every level of this machine. */
static int run_all(const char *text, const scanc_tensor *in, int n_in, scanc_tensor *out) {
  static const char *const levels[] = {"native", "x86-64", "x86-64-v3", "x86-64-v4"};
  int n = 0;
  for (size_t k = 0; k < sizeof levels / sizeof *levels; k++) {
    scanc_tensor got[MAX_OUT] = {0};
    if (!have_level(levels[k])) continue;
    for (int i = 0; i < n; i++) scanc_tensor_release(&out[i]);
    n = run_program(text, SCANC_EXEC_INTERP, levels[k], in, n_in, out);
    if (!open_api()) continue;
    run_program(text, SCANC_EXEC_JIT, levels[k], in, n_in, got);
    for (int i = 0; i < n; i++) {
      ck_assert_msg(same_bits(&out[i], &got[i]), "result %d differs at %s", i, levels[k]);
      scanc_tensor_release(&got[i]);
    }
  }
  return n;
}

static scanc_tensor array(void *data, scanc_dtype d, int rank, int64_t a, int64_t b) {
  return (scanc_tensor){
      .data = data, .dtype = d, .rank = rank, .sizes = {a, b}, .strides = {rank == 2 ? b : 1, 1}};
}

enum { LENGTH = 9, LANES = 37 };

static void fill(float *x, int n) {
  for (int i = 0; i < n; i++) x[i] = (float)((i * 37) % 101 - 50) / 8;
}

/* A carry through a host function, with overloads, numbers, broadcasting and strides. */
START_TEST(scans_through_host_functions) {
  static const char text[] =
      "class M(torch.nn.Module):\n"
      "    def forward(self, c: \"f32[37]\", xs: \"f32[s0, 37]\", k: \"f64[]\"):\n"
      "        g = self.g\n"
      "        scan = torch.ops.higher_order.scan(g, [c], [xs], (k,))\n"
      "        getitem: \"f32[37]\" = scan[0]\n"
      "        getitem_1: \"f64[s0, 37]\" = scan[1]\n"
      "        return (getitem, getitem_1)\n"
      "    class g(torch.nn.Module):\n"
      "        def forward(self, c: \"f32[37]\", x: \"f32[37]\", k: \"f64[]\"):\n"
      "            add: \"f32[37]\" = torch.ops.aten.add.Tensor(c, x)\n"
      "            s: \"f32[37]\" = torch.ops.mylib.softclip.default(add, limit = 2)\n"
      "            d: \"f64[37]\" = torch.ops.aten.to.dtype(x, torch.float64)\n"
      "            w: \"f64[37]\" = torch.ops.mylib.softclip(d, k)\n"
      "            m: \"f64[37]\" = mean(w, 0.1)\n"
      "            return [s, m]\n";
  float init[LANES], xs[LENGTH * LANES], back[LENGTH * LANES];
  double k = 1.5;
  register_all();
  fill(init, LANES);
  fill(xs, LENGTH * LANES);
  init[3] = NAN, xs[7] = INFINITY, xs[8] = -0.0f;
  for (int t = 0; t < LENGTH; t++)
    for (int i = 0; i < LANES; i++) back[i * LENGTH + LENGTH - 1 - t] = xs[t * LANES + i];
  scanc_tensor in[3] = {array(init, SCANC_F32, 1, LANES, 1), array(xs, SCANC_F32, 2, LENGTH, LANES),
                        array(&k, SCANC_F64, 0, 1, 1)};
  scanc_tensor out[MAX_OUT] = {0}, strided[MAX_OUT] = {0};
  ck_assert_int_eq(run_all(text, in, 3, out), 2);
  float *last = out[0].data;
  double *ys = out[1].data;
  for (int i = 0; i < LANES; i++) {
    float c = init[i];
    for (int t = 0; t < LENGTH; t++) {
      c = softclip(c + xs[t * LANES + i], 2);
      double y = mean(softclip64(xs[t * LANES + i], k), 0.1);
      ck_assert(ys[t * LANES + i] == y || y != y);
    }
    ck_assert(last[i] == c || (c != c && last[i] != last[i]));
  }
  in[1] = array(back + LENGTH - 1, SCANC_F32, 2, LENGTH, LANES); /* transposed, backwards */
  in[1].strides[0] = -1, in[1].strides[1] = LENGTH;
  ck_assert_int_eq(run_all(text, in, 3, strided), 2);
  for (int i = 0; i < 2; i++) {
    ck_assert(same_bits(&out[i], &strided[i]));
    scanc_tensor_release(&out[i]);
    scanc_tensor_release(&strided[i]);
  }
}
END_TEST

START_TEST(associative_scans_and_branches) {
  static const char text[] =
      "class M(torch.nn.Module):\n"
      "    def forward(self, xs: \"f64[9, 37]\", p: \"b8[]\"):\n"
      "        g = self.g\n"
      "        scan = torch.ops.higher_order.associative_scan(g, [xs], (p,))\n"
      "        y: \"f64[9, 37]\" = scan[0]\n"
      "        return (y,)\n"
      "    class g(torch.nn.Module):\n"
      "        def forward(self, a: \"f64[37]\", b: \"f64[37]\", p: \"b8[]\"):\n"
      "            yes = self.yes\n"
      "            no = self.no\n"
      "            cond = torch.ops.higher_order.cond(p, yes, no, (a, b))\n"
      "            r: \"f64[37]\" = cond[0]\n"
      "            return [r]\n"
      "        class yes(torch.nn.Module):\n"
      "            def forward(self, a: \"f64[37]\", b: \"f64[37]\"):\n"
      "                m: \"f64[37]\" = mean(a, b)\n"
      "                return (m,)\n"
      "        class no(torch.nn.Module):\n"
      "            def forward(self, a: \"f64[37]\", b: \"f64[37]\"):\n"
      "                s: \"f64[37]\" = torch.ops.mylib.softclip.default(a, b)\n"
      "                return (s,)\n";
  double xs[LENGTH * LANES];
  register_all();
  for (int i = 0; i < LENGTH * LANES; i++) xs[i] = (double)((i * 31) % 64) / 4 + 1;
  for (uint8_t p = 0; p < 2; p++) {
    scanc_tensor in[2] = {array(xs, SCANC_F64, 2, LENGTH, LANES), array(&p, SCANC_BOOL, 0, 1, 1)};
    scanc_tensor out[MAX_OUT] = {0};
    ck_assert_int_eq(run_all(text, in, 2, out), 1);
    const double *y = out[0].data;
    double want = p ? mean(xs[5], xs[5 + LANES]) : softclip64(xs[5], xs[5 + LANES]);
    ck_assert(y[5] == xs[5] && y[5 + LANES] == want);
    scanc_tensor_release(&out[0]);
  }
}
END_TEST

/* One statement outside of scans, on inputs that broadcast. */
START_TEST(element_by_element) {
  static const char text[] =
      "class M(torch.nn.Module):\n"
      "    def forward(self, x: \"f32[2, 1, 3]\", y: \"f32[4, 1]\", n: \"i64[0]\"):\n"
      "        s: \"f32[2, 4, 3]\" = torch.ops.mylib.softclip.default(x, y)\n"
      "        e: \"i64[0]\" = collatz(n)\n"
      "        t: \"f32[1, 4]\" = torch.ops.aten.t.default(y)\n"
      "        u: \"f32[1, 4]\" = torch.ops.mylib.softclip.default(t, True)\n"
      "        return (s, e, u)\n";
  float x[6] = {-1, 2, -3, 4, -5, 6}, y[4] = {1, 2, 3, 4};
  register_all();
  scanc_tensor in[3] = {array(x, SCANC_F32, 2, 2, 1), array(y, SCANC_F32, 2, 4, 1),
                        array(NULL, SCANC_I64, 1, 0, 1)};
  in[0].rank = 3, in[0].sizes[2] = 3, in[0].strides[0] = 3, in[0].strides[1] = 3,
  in[0].strides[2] = 1;
  scanc_tensor out[MAX_OUT] = {0};
  ck_assert_int_eq(run_program(text, SCANC_EXEC_AUTO, NULL, in, 3, out), 3);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 4; j++)
      for (int k = 0; k < 3; k++)
        ck_assert(((float *)out[0].data)[i * 12 + j * 3 + k] == softclip(x[i * 3 + k], y[j]));
  ck_assert_int_eq(out[1].sizes[0], 0);
  for (int j = 0; j < 4; j++) ck_assert(((float *)out[2].data)[j] == softclip(y[j], 1));
  for (int i = 0; i < 3; i++) scanc_tensor_release(&out[i]);
}
END_TEST

/* ---- all types, through the evaluator and as machine code ---- */

static kernel *call_kernel(arena *mem, const host_fn *f, int lanes) {
  static const index_map index = {0, 0};
  kernel *k = kernel_new(mem, "scanc_k_test");
  stmt s = {.kind = ST_CALL, .n_args = f->n_operands, .dtype = f->result, .fault = -1, .host = f};
  kernel_add_axis(k, "i", lexpr_param(kernel_add_int(k, "n")));
  buffer_dim row = {k->axes.data[0].extent, lexpr_const(1)};
  loop *l = loop_add(k, &k->body, 0, ORDER_PARALLEL, 0);
  l->bind = BIND_LANES, l->lanes = lanes, l->unroll = 2;
  for (int a = 0; a < f->n_operands; a++) {
    kernel_add_buffer(k, (buffer){"x", f->operand[a], SPACE_INPUT, &row, 1});
    s.arg[a] = stmt_load(k, &l->body, a, &index, "x");
  }
  kernel_add_buffer(k, (buffer){"y", f->result, SPACE_OUTPUT, &row, 1});
  stmt_store(k, &l->body, f->n_operands, &index, stmt_add(k, &l->body, s, "y"));
  return k;
}

static uint64_t state = 88172645463325252u;

static void *random_array(arena *mem, scanc_dtype d) {
  char *p = arena_alloc(mem, 8 * LANES);
  for (int i = 0; i < LANES; i++) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    int64_t v = d == SCANC_BOOL ? (int64_t)(state >> 40 & 1) : (int64_t)state >> (state >> 59);
    float f = (float)v / 64;
    double g = (double)v / 64;
    memcpy(p + (size_t)i * scanc_dtype_size(d),
           d == SCANC_F32   ? (void *)&f
           : d == SCANC_F64 ? (void *)&g
                            : (void *)&v,
           scanc_dtype_size(d));
  }
  return p;
}

static void check_function(const codegen_api *api, const host_fn *f, const char *level, int lanes) {
  arena *mem = arena_new();
  str err = {0};
  int64_t n = LANES;
  kernel *k = call_kernel(mem, f, lanes);
  void *bufs[HOST_MAX_OPERANDS + 1], *eval[HOST_MAX_OPERANDS + 1];
  for (int a = 0; a < f->n_operands; a++) bufs[a] = eval[a] = random_array(mem, f->operand[a]);
  bufs[f->n_operands] = arena_alloc(mem, 8 * LANES);
  eval[f->n_operands] = arena_alloc(mem, 8 * LANES);
  ck_assert_msg(kernel_verify(k, &err), "%s", str_cstr(&err));
  codegen_code *code = api->compile(k, level, &err);
  ck_assert_msg(code != NULL, "%s", str_cstr(&err));
  ck_assert_int_eq(api->entry(code)(bufs, &n, NULL), 0);
  ck_assert_int_eq(kernel_eval(k, eval, &n, false), 0);
  ck_assert_msg(!memcmp(bufs[f->n_operands], eval[f->n_operands], 8 * LANES), "%s at %s", f->symbol,
                level);
  api->free(code);
  str_free(&err);
  arena_free(mem);
}

static const host_fn *only_function(const char *path) {
  const op_info *op = host_op_find(path);
  host_arg args[HOST_MAX_OPERANDS];
  ck_assert_msg(op != NULL, "%s", path);
  for (int k = 0; k < op->n_operands; k++) args[k] = (host_arg){.cls = 'b'};
  return host_op_select(op, args); /* the first: a bool fits everything */
}

START_TEST(every_type_in_every_executor) {
  const codegen_api *api = open_api();
  static const char *const levels[] = {"native", "x86-64", "x86-64-v3", "x86-64-v4"};
  if (!api) return; /* built without code generator */
  register_all();
  const char *path;
  for (int i = 0; (path = host_op_path(i)); i++)
    for (const host_fn *f = only_function(path); f; f = f->next)
      for (size_t k = 0; k < sizeof levels / sizeof *levels; k++)
        for (int lanes = 1; have_level(levels[k]) && lanes <= 16; lanes *= 4)
          check_function(api, f, levels[k], lanes);
  const host_fn *f = only_function("torch.ops.mylib.mix.Tensor");
  char in[8][8] = {{1}, {200}, {(char)-100}, {0, 1}, {3}, {5}};
  float g = 0.5f;
  double h = 7, r;
  memcpy(in[6], &g, sizeof g);
  memcpy(in[7], &h, sizeof h);
  const char *args[8];
  for (int k = 0; k < 8; k++) args[k] = in[k];
  host_fn_call(f, 1, (char *)&r, 8, args, (int64_t[8]){0});
  ck_assert(r == mix(true, 200, -100, 256, 3, 5, 0.5f, 7));
}
END_TEST

/* ---- objects ---- */

START_TEST(objects_call_the_c_name) {
  const codegen_api *api = open_api();
  if (!api) return;
  register_all();
  arena *mem = arena_new();
  str text = {0}, err = {0};
  kernel *k = call_kernel(mem, only_function("torch.ops.mylib.is_odd"), 4);
  ck_assert(api->emit(k, "x86-64", CODEGEN_LLVM, &text, &err));
  ck_assert(strstr(text.data, "declare zeroext i8 @is_odd(i8 signext)") != NULL);
  str_clear(&text);
  ck_assert(api->emit(k, "x86-64", CODEGEN_OBJECT, &text, &err));
  ck_assert(memmem(text.data, text.len, "is_odd", sizeof "is_odd") != NULL);
  kernel_print(&err, k);
  ck_assert(strstr(err.data, ".y: b8 = call is_odd %0.x") != NULL);
  str_free(&text);
  str_free(&err);
  arena_free(mem);
}
END_TEST

/* Compiled code takes these from libm too. */
START_TEST(names_of_libm) {
  const codegen_api *api = open_api();
  if (!api) return;
  arena *mem = arena_new();
  str err = {0};
  ck_assert(!scanc_register_op("true(f32 x) -> f32", "floorf", FN((float (*)(float))floorf), NULL));
  refused("wrong(f32 x) -> f32", "ceilf", FN(half_f32), "'ceilf' is that of a function of the C");
  refused("wrong(f32 x) -> f32", "memcpy", FN(half_f32), "'memcpy' is that of a function of the C");
  codegen_code *code = api->compile(call_kernel(mem, only_function("true"), 4), "native", &err);
  ck_assert_msg(code != NULL, "%s", str_cstr(&err));
  api->free(code);
  str_free(&err);
  arena_free(mem);
}
END_TEST

START_TEST(verifier_checks_calls) {
  register_all();
  arena *mem = arena_new();
  str why = {0};
  for (int fault = 0; fault < 3; fault++) {
    kernel *k = call_kernel(mem, only_function("torch.ops.mylib.clamp"), 4);
    stmt *s = &k->body.data[0].loop->body.data[2];
    ck_assert_int_eq(s->kind, ST_CALL);
    ck_assert(kernel_verify(k, &why));
    if (fault == 0) s->n_args = 1;
    if (fault == 1) s->arg[1] = s->arg[0];
    if (fault == 2) s->dtype = SCANC_F32, k->values.data[s->value].dtype = SCANC_F32;
    ck_assert(!kernel_verify(k, &why));
    str_clear(&why);
  }
  str_free(&why);
  arena_free(mem);
}
END_TEST

/* ---- graphs ---- */

static int count_calls(const module *m) {
  int n = 0;
  FOR_EACH_NODE (x, m->main) n += node_is_op(x, OP_host_call);
  return n;
}

START_TEST(passes_see_pure_operators) {
  static const char text[] =
      "class M(torch.nn.Module):\n"
      "    def forward(self, x: \"f64[3]\"):\n"
      "        a: \"f64[3]\" = torch.ops.mylib.softclip.default(x, 2)\n"
      "        b: \"f64[3]\" = torch.ops.mylib.softclip(x, limit = 2)\n" /* the same */
      "        c: \"f64[3]\" = mean(x, 2)\n"                             /* another function */
      "        d: \"f64[3]\" = torch.ops.mylib.softclip(x, 2.0)\n"       /* another literal */
      "        e: \"f64[3]\" = mean(a, b)\n"                             /* dead */
      "        f = operator_softclip(x)\n"                               /* dead and unknown */
      "        return (a, b, c, d)\n";
  register_all();
  module *m = read_program(text), *copy = module_clone(m);
  str printed = {0}, why = {0};
  ck_assert_int_eq(count_calls(m), 5);
  ck_assert_msg(module_equal(m, copy, &why), "%s", str_cstr(&why));
  module_print_code(&printed, m);
  module *again = read_program(printed.data);
  ck_assert_msg(module_equal(m, again, &why), "%s", str_cstr(&why));
  ck_assert(passes_run(m, "cse"));
  ck_assert_int_eq(count_calls(m), 3);
  module_free(m);
  module_free(copy);
  module_free(again);
  str_free(&printed);
  str_free(&why);
}
END_TEST

/* Types that are known only when the program runs choose the function then. */
START_TEST(untyped_programs) {
  static const char text[] = "def forward(self, x):\n"
                             "    softclip = torch.ops.mylib.softclip(x, 2.0);  x = None\n"
                             "    return softclip\n";
  register_all();
  double d[2] = {1, -8};
  float f[2] = {1, -8};
  scanc_tensor in = array(d, SCANC_F64, 1, 2, 1), out = {0};
  run_program(text, SCANC_EXEC_AUTO, NULL, &in, 1, &out);
  ck_assert(out.dtype == SCANC_F64 && ((double *)out.data)[1] == softclip64(-8, 2));
  scanc_tensor_release(&out);
  in = array(f, SCANC_F32, 1, 2, 1);
  run_program(text, SCANC_EXEC_AUTO, NULL, &in, 1, &out);
  ck_assert(out.dtype == SCANC_F32 && ((float *)out.data)[1] == softclip(-8, 2));
  scanc_tensor_release(&out);
}
END_TEST

UNIT_MAIN("host_ops", signatures_are_checked, registrations_do_not_contradict,
          threads_may_register_at_once, scans_through_host_functions,
          associative_scans_and_branches, element_by_element, every_type_in_every_executor,
          objects_call_the_c_name, names_of_libm, verifier_checks_calls, passes_see_pure_operators,
          untyped_programs)
