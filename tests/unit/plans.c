/* Programs as one entry: fusion, layouts of inputs, host steps, errors, the
 * cache of code. What runs as an entry is compared with the interpreter, bit by bit. */
#include <fenv.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "programs.h"
#include "runtime/plan.h"

/* Kernels of that operator count as wrong. */
static scanc_program *compile_refusing(const char *text, const char *op) {
  const scanc_options opts = SCANC_OPTIONS_INIT;
  const program_choices choices = {.refused = op};
  return compile_choosing(text, &opts, &choices);
}

/* The entry, which is freed, and the interpreter give the same. */
static void agree_with(scanc_program *a, const char *text, const scanc_tensor *in, int n_in,
                       int n_out) {
  scanc_program *b = compile_with(text, SCANC_EXEC_INTERP, 0);
  ck_assert(a->planned && !b->planned);
  for (int again = 0; again < 2; again++) check_runs(a, b, in, n_in, n_out);
  scanc_program_free(a);
  scanc_program_free(b);
}

static void agree(const char *text, const scanc_tensor *in, int n_in, int n_out) {
  agree_with(compile(text), text, in, n_in, n_out);
}

/* ---- what an entry consists of ---- */

START_TEST(test_fusion) {
  scanc_program *p = compile(elementwise);
  ck_assert(p->planned);
  ck_assert_int_eq(p->plans->n_kernels, 2); /* mul, tanh, add; exp over a smaller shape */
  ck_assert_int_eq(p->plans->hosts.len, 0);
  scanc_program_free(p);
}
END_TEST

START_TEST(test_scratch_is_shared) {
  scanc_program *p = compile_refusing(with_host, "roll");
  float x[12], w[36];
  fill(x, 12, -3);
  fill(w, 36, -2);
  scanc_tensor in[2] = {f32(x, 2, 2, 6), f32(w, 2, 6, 6)};
  scanc_error err = {0};
  ck_assert(p->planned);
  ck_assert_int_eq(p->plans->hosts.len, 3);
  run_state *s = run_state_take(p);
  ck_assert_int_eq(plan_resolve(p, s, in, &err), PLAN_RAN);
  /* m, n and o live in two pieces of 96 bytes, rounded up; a, s and the results' sums in one more
   */
  ck_assert_int_le(s->values[p->plans->scratch], 3 * 128);
  run_state_return(p, s);
  scanc_program_free(p);
}
END_TEST

START_TEST(test_host_steps) {
  float x[60], w[36];
  fill(x, 60, -3);
  fill(w, 36, -2);
  for (int n = 0; n <= 10; n += 5) {
    scanc_tensor in[2] = {f32(x, 2, n, 6), f32(w, 2, 6, 6)};
    agree_with(compile_refusing(with_host, "roll"), with_host, in, 2, 2);
  }
}
END_TEST

/* ---- kernels that are refused ---- */

static void note(void *user, scanc_log_level level, const char *message) {
  char *said = user;
  if (level == SCANC_LOG_WARNING) snprintf(said, 400, "%s", message);
}

/* The interpreter does that node alone, and the log says so. */
static void check_refused(const char *text, const char *op, int hosts, const scanc_tensor *in,
                          int n_in, int n_out) {
  char said[400] = "", name[64];
  scanc_error err = {0};
  const program_choices choices = {.refused = op};
  scanc_context_options opts = SCANC_CONTEXT_OPTIONS_INIT;
  opts.log = note;
  opts.log_user = said;
  scanc_context *ctx = scanc_context_new(&opts);
  scanc_module *m = scanc_module_parse(ctx, text, strlen(text), "program", &err);
  ck_assert_msg(m != NULL, "%s", err.message);
  scanc_program *p = program_new(m, NULL, &choices, &err);
  ck_assert_msg(p != NULL, "%s", err.message);
  ck_assert_msg(p->plans->hosts.len == hosts, "%s: %d interpreted steps; %s", op,
                p->plans->hosts.len, p->no_plan ? p->no_plan : "");
  ck_assert_int_gt(p->plans->n_kernels, 0);
  snprintf(name, sizeof name, "is interpreted: its kernel is refused");
  ck_assert_msg(strstr(said, name) != NULL, "%s: '%s'", op, said);
  agree_with(p, text, in, n_in, n_out);
  scanc_module_free(m);
  scanc_context_free(ctx);
}

static const char around_a_sum[] = "class GraphModule(torch.nn.Module):\n"
                                   "    def forward(self, x: \"f32[s0, 40]\", w: \"f32[40, 5]\"):\n"
                                   "        a = torch.ops.aten.mul.Tensor(x, x)\n"
                                   "        s = torch.ops.aten.sum.dim_IntList(a, [1])\n"
                                   "        b = torch.ops.aten.add.Tensor(s, 1)\n"
                                   "        p = torch.ops.aten.mm.default(x, w)\n"
                                   "        r = torch.ops.aten.relu.default(p)\n"
                                   "        return (b, r)\n";

static const char around_a_scan[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, h: \"f32[5]\", xs: \"f32[s0, 5]\"):\n"
    "        body = self.body\n"
    "        scan = torch.ops.higher_order.scan(body, [h], [xs], ())\n"
    "        a = scan[0]\n"
    "        b = scan[1]\n"
    "        s = torch.ops.aten.sum.dim_IntList(b, [0])\n"
    "        return (a, s)\n"
    "    class body(torch.nn.Module):\n"
    "        def forward(self, h: \"f32[5]\", x: \"f32[5]\"):\n"
    "            m = torch.ops.aten.mul.Tensor(h, 0.5)\n"
    "            n = torch.ops.aten.add.Tensor(m, x)\n"
    "            y = torch.ops.aten.neg.default(n)\n"
    "            return [n, y]\n";

START_TEST(test_refused) {
  float h[5], xs[35], x[120], w[200];
  fill(h, 5, -3), fill(xs, 35, -2), fill(x, 120, -3), fill(w, 200, -2);
  const scanc_tensor of_scan[2] = {f32(h, 1, 5, 1), f32(xs, 2, 7, 5)},
                     of_sum[2] = {f32(x, 2, 3, 40), f32(w, 2, 40, 5)};
  check_refused(around_a_scan, "scan", 1, of_scan, 2, 2);
  check_refused(around_a_sum, "sum", 1, of_sum, 2, 2);
  check_refused(around_a_sum, "mm", 1, of_sum, 2, 2);
}
END_TEST

/* A scan that the interpreter must not do. */
START_TEST(test_refused_scan) {
  scanc_error err = {0};
  scanc_options opts = SCANC_OPTIONS_INIT;
  const program_choices choices = {.refused = "scan"};
  opts.exec = SCANC_EXEC_JIT;
  scanc_module *m = scanc_module_parse(NULL, around_a_scan, strlen(around_a_scan), "program", &err);
  ck_assert_ptr_nonnull(m);
  ck_assert_ptr_null(program_new(m, &opts, &choices, &err));
  ck_assert_int_eq(err.code, SCANC_ERR_NO_KERNEL);
  ck_assert_msg(strstr(err.message, "its kernel is refused") != NULL, "%s", err.message);
  scanc_module_free(m);
}
END_TEST

START_TEST(test_second_compile_is_cached) {
  scanc_program *a = compile(elementwise), *b = compile(elementwise), *c = compile(step);
  ck_assert_ptr_eq(a->plans->code, b->plans->code);
  ck_assert_ptr_ne(a->plans->code, c->plans->code);
  scanc_program_free(a);
  scanc_program *d = compile(elementwise);
  ck_assert_ptr_eq(b->plans->code, d->plans->code);
  scanc_program_free(b);
  scanc_program_free(c);
  scanc_program_free(d);
}
END_TEST

/* More programs than the cache keeps. */
START_TEST(test_cache_gives_back) {
  scanc_program *kept = compile(elementwise);
  char text[400];
  for (int i = 0; i < 80; i++) {
    snprintf(text, sizeof text,
             "class GraphModule(torch.nn.Module):\n"
             "    def forward(self, x: \"f32[1]\"):\n"
             "        a = torch.ops.aten.add.Tensor(x, %d)\n"
             "        return (a,)\n",
             i);
    float one = 1;
    scanc_tensor in = f32(&one, 1, 1, 1), out = {0};
    scanc_program *p = compile(text);
    run(p, &in, 1, &out, 1);
    ck_assert(*(float *)out.data == (float)(1 + i));
    scanc_tensor_release(&out);
    scanc_program_free(p);
  }
  scanc_program *again = compile(elementwise);
  ck_assert_ptr_eq(kept->plans->code, again->plans->code);
  scanc_program_free(kept);
  scanc_program_free(again);
}
END_TEST

/* ---- layouts of inputs ---- */

START_TEST(test_input_strides) {
  static float x[400], y[40];
  fill(x, 400, -7);
  fill(y, 40, -1);
  const struct {
    int64_t n, m, sx, sy, first, stride;
  } cases[] = {{7, 9, 9, 1, 0, 1},    {7, 9, 1, 7, 0, 1},   {7, 9, 20, 2, 3, 3}, {7, 9, 0, 1, 0, 0},
               {7, 9, -9, 1, 90, -1}, {7, 9, 9, -1, 60, 1}, {1, 9, 5, 1, 0, 1},  {7, 1, 3, 8, 0, 1},
               {0, 9, 9, 1, 0, 1},    {7, 0, 1, 1, 0, 1},   {40, 3, 3, 1, 0, 2}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    scanc_tensor in[2] = {f32(x + cases[i].first, 2, cases[i].n, cases[i].m),
                          f32(y + (cases[i].stride < 0 ? 20 : 0), 1, cases[i].m, 1)};
    in[0].strides[0] = cases[i].sx;
    in[0].strides[1] = cases[i].sy;
    in[1].strides[0] = cases[i].stride;
    agree(elementwise, in, 2, 3);
  }
}
END_TEST

/* One program, changing sizes and layouts: what a state knows of the run before must not be taken
 * for the next. */
START_TEST(test_changing_inputs) {
  static float x[400], y[40];
  scanc_program *a = compile(elementwise), *b = compile_with(elementwise, SCANC_EXEC_INTERP, 0);
  fill(x, 400, -7);
  fill(y, 40, -1);
  for (int i = 0; i < 60; i++) {
    int64_t n = i * 5 % 11, m = 1 + i * 3 % 13;
    scanc_tensor in[2] = {f32(x + i, 2, n, m), f32(y + i % 7, 1, m, 1)}, u[3] = {0}, v[3] = {0};
    if (i % 3 == 1) in[0].strides[0] = 1, in[0].strides[1] = n;
    if (i % 4 == 1) in[1].strides[0] = 0;
    for (int again = 0; again < 2; again++) {
      run(a, in, 2, u, 3);
      run(b, in, 2, v, 3);
      for (int k = 0; k < 3; k++) check_equal(&u[k], &v[k]);
      release(u, 3);
      release(v, 3);
    }
  }
  scanc_program_free(a);
  scanc_program_free(b);
}
END_TEST

/* ---- sizes, errors ---- */

/* Leaves of a scan that only the run finds to be of unequal length. */
static void unequal_lengths(const char *text, int n_out) {
  float h[3] = {0}, x[12] = {0}, z[15] = {0};
  for (int how = 0; how < 3; how++) {
    scanc_program *p = compile_with(text, (scanc_exec)how, 0);
    for (int n = 4; n < 6; n++) {
      scanc_tensor in[3] = {f32(h, 1, 3, 1), f32(x, 2, 4, 3), f32(z, 2, n, 3)}, out[MAX] = {0};
      scanc_error err = {0};
      scanc_code code = scanc_run(p, in, 3, out, n_out, &err);
      if (n == 4) ck_assert_msg(code == SCANC_OK, "%s", err.message);
      else ck_assert_int_eq(code, SCANC_ERR_SCAN_LENGTH);
      release(out, n_out);
    }
    scanc_program_free(p);
  }
}

START_TEST(test_unequal_lengths) {
  static const char two[] =
      "class GraphModule(torch.nn.Module):\n"
      "    def forward(self, h: \"f32[3]\", x: \"f32[s0, 3]\", z: \"f32[s1, 3]\"):\n"
      "%s"
      "        g = self.g_0\n"
      "        scan = torch.ops.higher_order.scan(g, [h], [x, w], ())\n"
      "        a: \"f32[3]\" = scan[0]\n"
      "        b: \"f32[s0, 3]\" = scan[1]\n"
      "        return (a, b)\n"
      "\n"
      "    class g_0(torch.nn.Module):\n"
      "        def forward(self, h: \"f32[3]\", x: \"f32[3]\", z: \"f32[3]\"):\n"
      "            m: \"f32[3]\" = torch.ops.aten.mul.Tensor(h, x)\n"
      "            n: \"f32[3]\" = torch.ops.aten.add.Tensor(m, z)\n"
      "            c: \"f32[3]\" = torch.ops.aten.clone.default(n)\n"
      "            return [n, c]\n";
  static const char *const leaf[] = {
      "        w: \"f32[s1, 3]\" = torch.ops.aten.clone.default(z)\n",
      "        w: \"f32[s1, 3]\" = torch.ops.aten.flip.default(z, [0])\n"};
  for (int i = 0; i < 2; i++) {
    char text[1200];
    snprintf(text, sizeof text, two, leaf[i]);
    unequal_lengths(text, 2);
  }
}
END_TEST

START_TEST(test_empty_sizes) {
  float h[5], k[3] = {1, 2, 3}, x[5];
  fill(h, 5, 1);
  fill(x, 5, 1);
  for (int n = 0; n < 2; n++) {
    scanc_tensor in[3] = {f32(h, 1, 5, 1), f32(k, 1, 3, 1), f32(x, 2, n, 5)};
    agree(carried, in, 3, 3);
  }
}
END_TEST

/* A result that lacks a dimension which is empty in this run only. */
START_TEST(test_empty_class) {
  static const char text[] =
      "class GraphModule(torch.nn.Module):\n"
      "    def forward(self, c: \"f32[s1, 3]\", k: \"f32[3]\", xs: \"f32[4, s1, 3]\"):\n"
      "        g = self.g_0\n"
      "        scan = torch.ops.higher_order.scan(g, [c, k], [xs], ())\n"
      "        a: \"f32[s1, 3]\" = scan[0]\n"
      "        b: \"f32[3]\" = scan[1]\n"
      "        return (a, b)\n"
      "\n"
      "    class g_0(torch.nn.Module):\n"
      "        def forward(self, c: \"f32[s1, 3]\", k: \"f32[3]\", x: \"f32[s1, 3]\"):\n"
      "            n: \"f32[3]\" = torch.ops.aten.mul.Tensor(k, 2)\n"
      "            o: \"f32[s1, 3]\" = torch.ops.aten.add.Tensor(c, k)\n"
      "            q: \"f32[s1, 3]\" = torch.ops.aten.add.Tensor(o, x)\n"
      "            return [q, n]\n";
  float c[9], k[3] = {1, 2, 3}, x[36];
  fill(c, 9, 0);
  fill(x, 36, 0);
  for (int n = 3; n >= 0; n--) {
    scanc_tensor in[3] = {f32(c, 2, n, 3), f32(k, 1, 3, 1), f32(x, 2, 4, n)};
    in[2].rank = 3;
    in[2].sizes[2] = 3;
    in[2].strides[0] = 3 * n;
    in[2].strides[1] = 3;
    in[2].strides[2] = 1;
    agree(text, in, 3, 2);
  }
}
END_TEST

START_TEST(test_data_errors) {
  int32_t x[4] = {1, 2, 3, 4}, y[4] = {1, 1, 0, 1}, o[4];
  for (int interp_it = 0; interp_it < 2; interp_it++) {
    scanc_program *p = compile_with(division, interp_it ? SCANC_EXEC_INTERP : SCANC_EXEC_AUTO, 0);
    scanc_tensor in[2] = {array(x, SCANC_I32, 1, 4, 1), array(y, SCANC_I32, 1, 4, 1)};
    scanc_tensor out[2] = {array(o, SCANC_I32, 1, 4, 1)};
    run_fails(p, in, 2, out, 2, SCANC_ERR_DATA, "integer division by zero");
    ck_assert_ptr_null(out[1].data);
    scanc_error err = {0};
    scanc_run(p, in, 2, out, 2, &err);
    ck_assert_int_eq(err.line, 3); /* the first of the two nodes */
    y[2] = 1;
    run(p, in, 2, out, 2);
    ck_assert_int_eq(o[3], 4);
    scanc_tensor_release(&out[1]);
    y[2] = 0;
    scanc_program_free(p);
  }
}
END_TEST

/* The division by y is written first, but joins the group of the last node, behind the scan. */
START_TEST(test_first_error_of_the_program) {
  static const char text[] = "class GraphModule(torch.nn.Module):\n"
                             "    def forward(self, h: \"i32[]\", x: \"i32[4]\", y: \"i32[4]\"):\n"
                             "        d = torch.ops.aten.remainder.Tensor(x, y)\n"
                             "        g = self.g_0\n"
                             "        scan = torch.ops.higher_order.scan(g, [h], [x], ())\n"
                             "        a: \"i32[]\" = scan[0]\n"
                             "        b: \"i32[4]\" = scan[1]\n"
                             "        e = torch.ops.aten.add.Tensor(d, b)\n"
                             "        return (a, e)\n"
                             "\n"
                             "    class g_0(torch.nn.Module):\n"
                             "        def forward(self, h: \"i32[]\", x: \"i32[]\"):\n"
                             "            n: \"i32[]\" = torch.ops.aten.remainder.Tensor(x, h)\n"
                             "            c: \"i32[]\" = torch.ops.aten.clone.default(n)\n"
                             "            return [n, c]\n";
  int32_t h = 0, x[4] = {1, 2, 3, 4}, y[4] = {1, 1, 0, 1};
  int lines[2];
  for (int interp_it = 0; interp_it < 2; interp_it++) {
    scanc_program *p = compile_with(text, interp_it ? SCANC_EXEC_INTERP : SCANC_EXEC_AUTO, 0);
    scanc_tensor in[3] = {array(&h, SCANC_I32, 0, 0, 0), array(x, SCANC_I32, 1, 4, 1),
                          array(y, SCANC_I32, 1, 4, 1)},
                 out[2] = {0};
    scanc_error err = {0};
    ck_assert_int_eq(scanc_run(p, in, 3, out, 2, &err), SCANC_ERR_DATA);
    ck_assert(!out[0].data && !out[1].data);
    lines[interp_it] = err.line;
    scanc_program_free(p);
  }
  ck_assert_int_eq(lines[0], 3);
  ck_assert_int_eq(lines[1], 3);
}
END_TEST

START_TEST(test_memory_limit) {
  static float x[600], y[6];
  scanc_program *p = compile_with(elementwise, SCANC_EXEC_AUTO, 4096);
  scanc_tensor in[2] = {f32(x, 2, 100, 6), f32(y, 1, 6, 1)}, out[3] = {0};
  run_fails(p, in, 2, out, 3, SCANC_ERR_NO_MEMORY,
            "needs 4824 bytes, more than the limit of 4096 bytes");
  ck_assert(!out[0].data && !out[1].data && !out[2].data);
  in[0].sizes[0] = 10;
  run(p, in, 2, out, 3);
  release(out, 3);
  scanc_program_free(p);
}
END_TEST

START_TEST(test_input_errors_still_told) {
  float x[12], y[4];
  scanc_program *p = compile(elementwise);
  fill(x, 12, 0);
  fill(y, 4, 0);
  scanc_tensor in[2] = {f32(x, 2, 3, 4), f32(y, 1, 3, 1)}, out[3] = {0};
  run_fails(p, in, 2, out, 3, SCANC_ERR_INPUT_SHAPE, "input 'y', dimension 0");
  in[1] = (scanc_tensor){0};
  run_fails(p, in, 2, out, 3, SCANC_ERR_MISSING_INPUT, "'y'");
  in[1] = array(y, SCANC_I32, 1, 4, 1);
  run_fails(p, in, 2, out, 3, SCANC_ERR_INPUT_DTYPE, "expected f32, got i32");
  in[1] = f32(y, 1, 4, 1);
  run(p, in, 2, out, 3);
  release(out, 3);
  scanc_program_free(p);
}
END_TEST

/* ---- the environment ---- */

START_TEST(test_rounding_mode) {
  float h[5] = {1, 1, 1, 1, 1}, x[5] = {1e-9f, 1e-9f, 1e-9f, 1e-9f, 1e-9f};
  scanc_program *p = compile(step);
  scanc_tensor in[2] = {f32(h, 1, 5, 1), f32(x, 1, 5, 1)}, out[1] = {0};
  ck_assert_int_eq(fesetround(FE_UPWARD), 0);
  run(p, in, 2, out, 1);
  ck_assert_int_eq(fegetround(), FE_UPWARD);
  fesetround(FE_TONEAREST);
  ck_assert(*(float *)out[0].data == 0.5f);
  release(out, 1);
  scanc_program_free(p);
}
END_TEST

typedef struct {
  scanc_program *p, *q;
  int seed;
} job;

static void *run_many(void *arg) {
  job *j = arg;
  float x[400], y[20];
  fill(x, 400, (float)j->seed);
  fill(y, 20, (float)-j->seed);
  for (int i = 0; i < 200; i++) {
    int64_t n = (i + j->seed) % 20, m = 1 + (i * j->seed) % 19;
    scanc_tensor in[2] = {f32(x, 2, n, m), f32(y, 1, m, 1)}, u[3] = {0}, v[3] = {0};
    if (i % 5 == j->seed) in[0].strides[0] = 1, in[0].strides[1] = n ? n : 1;
    run(j->p, in, 2, u, 3);
    run(j->q, in, 2, v, 3);
    for (int k = 0; k < 3; k++) check_equal(&u[k], &v[k]);
    release(u, 3);
    release(v, 3);
  }
  return NULL;
}

START_TEST(test_threads) {
  scanc_program *p = compile(elementwise), *q = compile_with(elementwise, SCANC_EXEC_INTERP, 0);
  pthread_t t[3];
  job jobs[3];
  for (int i = 0; i < 3; i++) {
    jobs[i] = (job){p, q, i + 1};
    ck_assert_int_eq(pthread_create(&t[i], NULL, run_many, &jobs[i]), 0);
  }
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  scanc_program_free(p);
  scanc_program_free(q);
}
END_TEST

UNIT_MAIN("plans", test_fusion, test_scratch_is_shared, test_host_steps, test_refused,
          test_refused_scan, test_second_compile_is_cached, test_cache_gives_back,
          test_input_strides, test_changing_inputs, test_unequal_lengths, test_empty_sizes,
          test_empty_class, test_data_errors, test_first_error_of_the_program, test_memory_limit,
          test_input_errors_still_told, test_rounding_mode, test_threads)
