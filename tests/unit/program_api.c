/* Programs through the API: arrays that are bound, results that are inferred; contexts, tensors. */
#include <pthread.h>
#include <stdio.h>

#include "built.h"

/* ---- programs: infer and bind ---- */

static scanc_module *leaky_module(scanc_context *ctx) {
  scanc_module *mod = scanc_module_new(ctx);
  scanc_value steps = scanc_symbol(mod, "T", 0, 64);
  scanc_value w = scanc_parameter(mod, "w", SCANC_F32, SCANC_INTS(N));
  scanc_value xs = scanc_input(mod, "xs", SCANC_F32, SCANC_LIST(steps, scanc_i(N)));
  scanc_value r = scanc_scan(leaky_step(mod, w), scanc_zeros_like(w), xs, 0, false);
  scanc_output(mod, "ys", scanc_get(r, 1));
  scanc_output(mod, "steps", steps);
  return mod;
}

static scanc_program *leaky_program(scanc_context *ctx, scanc_exec exec) {
  return finish(leaky_module(ctx), exec);
}

/* The first 5 ys for x = 1 and w. */
static void check_ys(scanc_program *prog, const scanc_tensor *w, float value) {
  float x[T * N];
  for (int i = 0; i < T * N; i++) x[i] = 1;
  scanc_tensor in[2] = {*w, f32(x, 2, T, N, 0)}, out[2];
  run(prog, in, 2, out, 2);
  float c = 0;
  for (int t = 0; t < T; t++) {
    c = value * c + 1;
    for (int i = 0; i < N; i++) ck_assert(at(&out[0], t, i) == c);
  }
  ck_assert_int_eq(*(int64_t *)out[1].data, T);
  release(out, 2);
}

START_TEST(bound_inputs) {
  scanc_program *prog = leaky_program(NULL, SCANC_EXEC_AUTO);
  scanc_error err = {0};
  scanc_tensor none = {0}, out[2] = {{0}, {0}};
  float x[T * N] = {0}, w[N] = {2, 2, 2}, v[N] = {3, 3, 3}, half = 0.5f;
  scanc_tensor in[2] = {none, f32(x, 2, T, N, 0)}, wt = f32(w, 1, N, 0, 0), vt = f32(v, 1, N, 0, 0);
  ck_assert_int_eq(scanc_run(prog, in, 2, out, 2, NULL), SCANC_ERR_MISSING_INPUT);
  ck_assert_int_eq(scanc_program_bind(prog, "w", &wt, SCANC_COPY, &err), SCANC_OK);
  w[0] = w[1] = w[2] = 9; /* it was copied */
  check_ys(prog, &none, 2);
  check_ys(prog, &vt, 3); /* what is given counts */
  check_ys(prog, &none, 2);
  ck_assert_int_eq(scanc_program_bind(prog, "w", &vt, SCANC_BORROW, &err), SCANC_OK);
  v[0] = v[1] = v[2] = 4;
  check_ys(prog, &none, 4);
  scanc_tensor strided = f32(&half, 1, N, 0, 0);
  strided.strides[0] = 0;
  ck_assert_int_eq(scanc_program_bind(prog, "w", &strided, SCANC_COPY, &err), SCANC_OK);
  check_ys(prog, &none, 0.5f);

  scanc_tensor longer = f32(w, 1, N + 1, 0, 0), integers = wt, no_data = f32(NULL, 1, N, 0, 0);
  integers.dtype = SCANC_I32;
  ck_assert_int_eq(scanc_program_bind(prog, "v", &wt, SCANC_COPY, NULL), SCANC_ERR_UNDEFINED_NAME);
  ck_assert_int_eq(scanc_program_bind(prog, "w", &longer, SCANC_COPY, NULL), SCANC_ERR_INPUT_SHAPE);
  ck_assert_int_eq(scanc_program_bind(prog, "w", &integers, SCANC_COPY, NULL),
                   SCANC_ERR_INPUT_DTYPE);
  ck_assert_int_eq(scanc_program_bind(prog, "w", &no_data, SCANC_COPY, NULL),
                   SCANC_ERR_MISSING_INPUT);
  check_ys(prog, &none, 0.5f); /* still bound */
  ck_assert_int_eq(scanc_program_bind(prog, "w", NULL, SCANC_COPY, &err), SCANC_OK);
  ck_assert_int_eq(scanc_run(prog, in, 2, out, 2, NULL), SCANC_ERR_MISSING_INPUT);

  float many[70 * N] = {0}; /* a symbolic size is the run's business */
  scanc_tensor xs = f32(many, 2, 70, N, 0);
  ck_assert_int_eq(scanc_program_bind(prog, "xs", &xs, SCANC_BORROW, &err), SCANC_OK);
  scanc_tensor both[2] = {wt, none};
  ck_assert_int_eq(scanc_run(prog, both, 2, out, 2, NULL), SCANC_ERR_RANGE);
  scanc_program_free(prog);
}
END_TEST

/* ---- values of modules ---- */

static scanc_program *compiled(const scanc_module *mod) {
  scanc_error err = {0};
  scanc_program *prog = scanc_compile(mod, NULL, &err);
  ck_assert_msg(prog, "%s", err.message);
  return prog;
}

/* Programs have the values that the module had when they were compiled, archives those it has. */
START_TEST(values_of_modules) {
  scanc_error err = {0};
  scanc_module *mod = leaky_module(NULL);
  scanc_tensor none = {0};
  float w[N] = {2, 2, 2}, v[N] = {3, 3, 3};
  scanc_tensor wt = f32(w, 1, N, 0, 0), vt = f32(v, 1, N, 0, 0);
  ck_assert_ptr_null(reload(mod)); /* there is no value to save */
  ck_assert_int_eq(scanc_module_bind(mod, "w", &wt, SCANC_COPY, &err), SCANC_OK);
  w[0] = w[1] = w[2] = 9; /* it was copied */
  scanc_program *first = compiled(mod);
  check_ys(first, &none, 2);
  ck_assert_int_eq(scanc_module_bind(mod, "w", &vt, SCANC_BORROW, &err), SCANC_OK);
  scanc_program *second = compiled(mod);
  check_ys(second, &none, 3);
  ck_assert_int_eq(scanc_module_bind(mod, "w", &wt, SCANC_COPY, &err), SCANC_OK);
  w[0] = 1;
  ck_assert_int_eq(scanc_module_bind(mod, "w", &wt, SCANC_COPY, &err), SCANC_OK); /* once more */
  w[0] = 9;
  ck_assert_int_eq(scanc_module_bind(mod, "w", &wt, SCANC_COPY, &err), SCANC_OK);
  scanc_module *again = reload(mod);
  scanc_module_free(mod);
  check_ys(first, &none, 2);
  check_ys(second, &none, 3);
  scanc_program *third = compiled(again);
  ck_assert_int_eq(scanc_module_bind(again, "w", &vt, SCANC_COPY, &err), SCANC_OK);
  scanc_program *fourth = compiled(again);
  scanc_module_free(again);
  check_ys(third, &none, 9);
  check_ys(fourth, &none, 3);
  scanc_program *all[4] = {first, second, third, fourth};
  for (int i = 0; i < 4; i++) scanc_program_free(all[i]);
}
END_TEST

START_TEST(wrong_values_of_modules) {
  scanc_error err = {0};
  scanc_module *mod = leaky_module(NULL);
  float w[N + 1] = {2, 2, 2, 2};
  scanc_tensor none = {0}, wt = f32(w, 1, N, 0, 0), longer = f32(w, 1, N + 1, 0, 0), integers = wt,
               no_data = f32(NULL, 1, N, 0, 0), xs = f32(w, 2, 1, N, 0);
  integers.dtype = SCANC_I32;
  ck_assert_int_eq(scanc_module_bind(mod, "w", &wt, SCANC_COPY, &err), SCANC_OK);
  ck_assert_int_eq(scanc_module_bind(mod, "v", &wt, SCANC_COPY, NULL), SCANC_ERR_UNDEFINED_NAME);
  ck_assert_int_eq(scanc_module_bind(mod, "w", &longer, SCANC_COPY, NULL), SCANC_ERR_INPUT_SHAPE);
  ck_assert_int_eq(scanc_module_bind(mod, "w", &integers, SCANC_COPY, NULL), SCANC_ERR_INPUT_DTYPE);
  ck_assert_int_eq(scanc_module_bind(mod, "w", &no_data, SCANC_COPY, NULL),
                   SCANC_ERR_MISSING_INPUT);
  ck_assert_int_eq(scanc_module_bind(mod, "w", NULL, SCANC_COPY, NULL), SCANC_ERR_MISSING_INPUT);
  ck_assert_int_eq(scanc_module_bind(mod, "xs", &xs, SCANC_COPY, &err), SCANC_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "'xs' is an argument of the call"));
  scanc_program *prog = compiled(mod);
  check_ys(prog, &none, 2); /* still what it was */
  scanc_program_free(prog);
  scanc_module_free(mod);
}
END_TEST

START_TEST(inferred_results) {
  scanc_program *prog = leaky_program(NULL, SCANC_EXEC_INTERP);
  scanc_error err = {0};
  scanc_tensor in[2] = {f32(NULL, 1, N, 0, 0), f32(NULL, 2, 7, N, 0)}, out[2];
  ck_assert_msg(scanc_program_infer(prog, in, 2, out, 2, &err) == SCANC_OK, "%s", err.message);
  ck_assert_int_eq(out[0].dtype, SCANC_F32);
  ck_assert_int_eq(out[0].rank, 2);
  ck_assert_int_eq(out[0].sizes[0], 7);
  ck_assert_int_eq(out[0].strides[0], N);
  ck_assert_int_eq(out[0].strides[1], 1);
  ck_assert_ptr_null(out[0].data);
  ck_assert_int_eq(out[1].dtype, SCANC_I64);
  ck_assert_int_eq(out[1].rank, 0);
  in[1] = f32(NULL, 2, 0, N, 0);
  ck_assert_int_eq(scanc_program_infer(prog, in, 2, out, 2, &err), SCANC_OK);
  ck_assert_int_eq(out[0].sizes[0], 0);
  in[1] = f32(NULL, 2, 65, N, 0);
  ck_assert_int_eq(scanc_program_infer(prog, in, 2, out, 2, NULL), SCANC_ERR_RANGE);
  in[1] = f32(NULL, 2, 7, N + 1, 0);
  ck_assert_int_eq(scanc_program_infer(prog, in, 2, out, 2, NULL), SCANC_ERR_INPUT_SHAPE);
  ck_assert_int_eq(scanc_program_infer(prog, in, 1, out, 2, NULL), SCANC_ERR_USAGE);
  memset(&in[0], 0, sizeof in[0]);
  in[1] = f32(NULL, 2, 7, N, 0);
  ck_assert_int_eq(scanc_program_infer(prog, in, 2, out, 2, NULL), SCANC_ERR_MISSING_INPUT);
  float w[N] = {1, 1, 1};
  scanc_tensor wt = f32(w, 1, N, 0, 0);
  ck_assert_int_eq(scanc_program_bind(prog, "w", &wt, SCANC_BORROW, &err), SCANC_OK);
  ck_assert_int_eq(scanc_program_infer(prog, in, 2, out, 2, &err), SCANC_OK);
  scanc_program_free(prog);
}
END_TEST

static scanc_code infer_text(const char *text, const scanc_tensor *in, int n_in,
                             scanc_tensor *out) {
  scanc_error err = {0};
  scanc_module *mod = scanc_module_parse(NULL, text, strlen(text), "text", &err);
  scanc_program *prog = mod ? scanc_compile(mod, NULL, &err) : NULL;
  ck_assert_msg(prog != NULL, "%s", err.message);
  scanc_code code = scanc_program_infer(prog, in, n_in, out, 1, NULL);
  scanc_program_free(prog);
  scanc_module_free(mod);
  return code;
}

/* Text without types is inferred with those of the arrays; what data decide is an error of its own.
 */
START_TEST(inferred_results_of_text) {
  scanc_tensor in[2] = {f32(NULL, 2, 4, 1, 0), f32(NULL, 1, 6, 0, 0)}, out;
  ck_assert_int_eq(infer_text("def forward(self, a, b):\n"
                              "    add = a + b\n"
                              "    return (add,)\n",
                              in, 2, &out),
                   SCANC_OK);
  ck_assert_int_eq(out.rank, 2);
  ck_assert_int_eq(out.sizes[0], 4);
  ck_assert_int_eq(out.sizes[1], 6);
  static const char found[] = "def forward(self, a: \"f32[4, 1]\"):\n"
                              "    nonzero: \"i64[u0, 2]\" = torch.ops.aten.nonzero.default(a)\n"
                              "    return (nonzero,)\n";
  ck_assert_int_eq(infer_text(found, in, 1, &out), SCANC_ERR_UNKNOWN_SIZE);
  static const char sized[] = "def forward(self, n: \"Sym(s0)\"):\n"
                              "    ones: \"f32[s0]\" = torch.ops.aten.ones.default([n])\n"
                              "    return (ones,)\n";
  int64_t n = 12;
  in[0] = scanc_tensor_contiguous(NULL, SCANC_I64, 0, NULL);
  ck_assert_int_eq(infer_text(sized, in, 1, &out), SCANC_ERR_UNKNOWN_SIZE);
  in[0].data = &n;
  ck_assert_int_eq(infer_text(sized, in, 1, &out), SCANC_OK);
  ck_assert_int_eq(out.sizes[0], 12);
}
END_TEST

START_TEST(tensors) {
  scanc_tensor t = scanc_tensor_contiguous(NULL, SCANC_F64, 3, (int64_t[]){2, 3, 4});
  ck_assert_int_eq(t.strides[0], 12);
  ck_assert_int_eq(t.strides[2], 1);
  ck_assert_int_eq(scanc_tensor_numel(&t), 24);
  ck_assert(scanc_tensor_is_contiguous(&t));
  t.strides[1] = 5;
  ck_assert(!scanc_tensor_is_contiguous(&t));
  t.sizes[1] = 1; /* its stride does not count */
  t.strides[0] = 4;
  ck_assert(scanc_tensor_is_contiguous(&t));
  t.sizes[2] = 0;
  ck_assert_int_eq(scanc_tensor_numel(&t), 0);
  t.sizes[2] = -1;
  ck_assert_int_eq(scanc_tensor_numel(&t), -1);
  t = scanc_tensor_contiguous(NULL, SCANC_F64, 2, (int64_t[]){INT64_MAX, 2});
  ck_assert_int_eq(scanc_tensor_numel(&t), -1);
  t = scanc_tensor_contiguous(NULL, SCANC_F64, 99, NULL);
  ck_assert_int_eq(scanc_tensor_numel(&t), -1);
  t = scanc_tensor_contiguous(NULL, SCANC_F64, 0, NULL);
  ck_assert_int_eq(scanc_tensor_numel(&t), 1);
}
END_TEST

/* ---- contexts ---- */

typedef struct {
  pthread_mutex_t lock;
  int n[3];
  char last[3][200], first_debug[200];
} messages;

static void note(void *user, scanc_log_level level, const char *message) {
  messages *m = user;
  pthread_mutex_lock(&m->lock);
  m->n[level]++;
  snprintf(m->last[level], sizeof m->last[level], "%s", message);
  if (level == SCANC_LOG_DEBUG && m->n[level] == 1)
    snprintf(m->first_debug, sizeof m->first_debug, "%s", message);
  pthread_mutex_unlock(&m->lock);
}

START_TEST(the_log_says_what_is_done) {
  static const char text[] = "class M(torch.nn.Module):\n"
                             "    def forward(self, xs: \"f32[s0, 300]\", c: \"f32[300]\"):\n"
                             "        body = self.body\n"
                             "        scan = torch.ops.higher_order.scan(body, [c], [xs], ())\n"
                             "        getitem: \"f32[300]\" = scan[0]\n"
                             "        return (getitem,)\n"
                             "    class body(torch.nn.Module):\n"
                             "        def forward(self, c: \"f32[300]\", x: \"f32[300]\"):\n"
                             "            all: \"i64[u0, 1]\" = "
                             "torch.ops.aten.nonzero.default(c)\n"
                             "            far: \"i64[]\" = torch.ops.aten.sum.default(all)\n"
                             "            add: \"f32[300]\" = torch.ops.aten.add.Tensor(far, x)\n"
                             "            return (add,)\n";
  messages m = {.lock = PTHREAD_MUTEX_INITIALIZER};
  scanc_error err = {0};
  scanc_context_options opts = SCANC_CONTEXT_OPTIONS_INIT;
  opts.log = note;
  opts.log_user = &m;
  opts.log_from = SCANC_LOG_DEBUG;
  scanc_context *ctx = scanc_context_new(&opts);
  scanc_module *mod = scanc_module_parse(ctx, text, sizeof text - 1, "apart", &err);
  ck_assert_msg(mod != NULL, "%s", err.message);
  scanc_context_free(ctx); /* the module has what it needs */
  scanc_program *prog = scanc_compile(mod, NULL, &err);
  ck_assert_msg(prog != NULL, "%s", err.message);
  ck_assert_int_eq(m.n[SCANC_LOG_DEBUG], 2);
  ck_assert_int_eq(m.n[SCANC_LOG_INFO], 1);
  ck_assert_int_eq(m.n[SCANC_LOG_WARNING], 1);
  ck_assert_msg(!strncmp(m.first_debug, "apart: read 2 graphs with ", 26), "%s", m.first_debug);
  ck_assert_msg(!strncmp(m.last[SCANC_LOG_INFO], "apart: compiled in ", 19), "%s",
                m.last[SCANC_LOG_INFO]);
  ck_assert_msg(strstr(m.last[SCANC_LOG_WARNING], "apart:4: 'scan' is interpreted: ") != NULL, "%s",
                m.last[SCANC_LOG_WARNING]);
  scanc_program_free(prog);
  scanc_module_free(mod);
}
END_TEST

/* The same program twice: the second time its code is there. */
START_TEST(the_log_tells_cached_code) {
  messages m = {.lock = PTHREAD_MUTEX_INITIALIZER};
  scanc_context_options opts = SCANC_CONTEXT_OPTIONS_INIT;
  opts.log = note;
  opts.log_user = &m;
  opts.log_from = SCANC_LOG_DEBUG;
  scanc_context *ctx = scanc_context_new(&opts);
  const char *const said[2] = {"<built>: machine code made in ",
                               "<built>: machine code found in the cache in "};
  for (int k = 0; k < 2; k++) {
    scanc_program_free(leaky_program(ctx, SCANC_EXEC_AUTO));
    ck_assert_int_eq(m.n[SCANC_LOG_DEBUG], k + 1);
    ck_assert_msg(!strncmp(m.last[SCANC_LOG_DEBUG], said[k], strlen(said[k])), "%s",
                  m.last[SCANC_LOG_DEBUG]);
  }
  scanc_context_free(ctx);
}
END_TEST

static void *build_and_run(void *ctx) {
  scanc_tensor none = {0};
  float w[N] = {2, 2, 2};
  scanc_tensor wt = f32(w, 1, N, 0, 0);
  for (int k = 0; k < 5; k++) {
    scanc_program *prog = leaky_program(ctx, k % 2 ? SCANC_EXEC_AUTO : SCANC_EXEC_INTERP);
    ck_assert_int_eq(scanc_program_bind(prog, "w", &wt, SCANC_COPY, NULL), SCANC_OK);
    check_ys(prog, &none, 2);
    scanc_program_free(prog);
  }
  return NULL;
}

static void *infer_often(void *prog) {
  scanc_tensor in[2] = {f32(NULL, 1, N, 0, 0), {0}}, out[2], none = {0};
  for (int k = 0; k < 50; k++) {
    in[1] = f32(NULL, 2, k, N, 0);
    ck_assert_int_eq(scanc_program_infer(prog, in, 2, out, 2, NULL), SCANC_OK);
    ck_assert_int_eq(out[0].sizes[0], k);
    if (k % 10 == 0) check_ys(prog, &none, 2);
  }
  return NULL;
}

static void in_threads(void *(*fn)(void *), void *ctx) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) ck_assert_int_eq(pthread_create(&threads[i], NULL, fn, ctx), 0);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
}

START_TEST(contexts_and_programs_are_shared_by_threads) {
  messages m = {.lock = PTHREAD_MUTEX_INITIALIZER};
  scanc_context_options opts = SCANC_CONTEXT_OPTIONS_INIT;
  opts.log = note;
  opts.log_user = &m;
  scanc_context *ctx = scanc_context_new(&opts);
  in_threads(build_and_run, ctx);
  scanc_program *prog = leaky_program(ctx, SCANC_EXEC_AUTO);
  float w[N] = {2, 2, 2};
  scanc_tensor wt = f32(w, 1, N, 0, 0);
  ck_assert_int_eq(scanc_program_bind(prog, "w", &wt, SCANC_BORROW, NULL), SCANC_OK);
  in_threads(infer_often, prog);
  scanc_program_free(prog);
  scanc_context_free(ctx);
  ck_assert_int_eq(m.n[SCANC_LOG_INFO], 21);
}
END_TEST

UNIT_MAIN("program_api", bound_inputs, values_of_modules, wrong_values_of_modules, inferred_results,
          inferred_results_of_text, tensors, the_log_says_what_is_done, the_log_tells_cached_code,
          contexts_and_programs_are_shared_by_threads)
