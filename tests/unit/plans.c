/* Programs as one entry: fusion, layouts of inputs, memory of the caller's, host steps, errors, the
 * cache of code. What runs as an entry is compared with the interpreter, bit by bit. */
#include <fenv.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "runtime/plan.h"
#include "unit.h"

enum { MAX = 4 };

static scanc_program *compile_with(const char *text, scanc_exec how, size_t max_bytes) {
  scanc_error err = {0};
  scanc_module *mod = scanc_module_parse(NULL, text, strlen(text), "program", &err);
  ck_assert_msg(mod != NULL, "%d: %s", err.line, err.message);
  scanc_options opts = SCANC_OPTIONS_INIT;
  opts.exec = how;
  opts.max_bytes = max_bytes;
  scanc_program *prog = scanc_compile(mod, &opts, &err);
  ck_assert_msg(prog != NULL, "%s", err.message);
  scanc_module_free(mod);
  return prog;
}

static scanc_program *compile(const char *text) { return compile_with(text, SCANC_EXEC_AUTO, 0); }

static scanc_tensor array(void *data, scanc_dtype d, int rank, int64_t a, int64_t b) {
  return (scanc_tensor){
      .data = data, .dtype = d, .rank = rank, .sizes = {a, b}, .strides = {rank == 2 ? b : 1, 1}};
}

static scanc_tensor f32(float *data, int rank, int64_t a, int64_t b) {
  return array(data, SCANC_F32, rank, a, b);
}

static void fill(float *x, int n, float first) {
  for (int i = 0; i < n; i++) x[i] = first + (float)((i * 37) % 101) / 16;
}

/* Element i of a result in row-major order. */
static const char *element(const scanc_tensor *t, int64_t i) {
  int64_t at = 0;
  for (int d = t->rank - 1; d >= 0; i /= t->sizes[d--]) at += i % t->sizes[d] * t->strides[d];
  return (const char *)t->data + at * (int64_t)scanc_dtype_size(t->dtype);
}

static void check_equal(const scanc_tensor *a, const scanc_tensor *b) {
  int64_t n = 1;
  ck_assert_int_eq(a->dtype, b->dtype);
  ck_assert_int_eq(a->rank, b->rank);
  for (int d = 0; d < a->rank; d++) {
    ck_assert_int_eq(a->sizes[d], b->sizes[d]);
    n *= a->sizes[d];
  }
  for (int64_t i = 0; i < n; i++)
    ck_assert_msg(!memcmp(element(a, i), element(b, i), scanc_dtype_size(a->dtype)),
                  "element %lld differs", (long long)i);
}

static void run(scanc_program *p, const scanc_tensor *in, int n_in, scanc_tensor *out, int n_out) {
  scanc_error err = {0};
  ck_assert_msg(scanc_run(p, in, n_in, out, n_out, &err) == SCANC_OK, "%s", err.message);
}

static void release(scanc_tensor *out, int n) {
  for (int i = 0; i < n; i++) scanc_tensor_release(&out[i]);
}

/* The entry and the interpreter give the same. */
static void agree(const char *text, const scanc_tensor *in, int n_in, int n_out) {
  scanc_program *a = compile(text), *b = compile_with(text, SCANC_EXEC_INTERP, 0);
  scanc_tensor x[MAX] = {0}, y[MAX] = {0};
  ck_assert(a->planned && !b->planned);
  for (int again = 0; again < 2; again++) {
    run(a, in, n_in, x, n_out);
    run(b, in, n_in, y, n_out);
    for (int i = 0; i < n_out; i++) check_equal(&x[i], &y[i]);
    release(x, n_out);
    release(y, n_out);
  }
  scanc_program_free(a);
  scanc_program_free(b);
}

/* ---- programs ---- */

static const char elementwise[] = "class GraphModule(torch.nn.Module):\n"
                                  "    def forward(self, x: \"f32[s0, s1]\", y: \"f32[s1]\"):\n"
                                  "        a = torch.ops.aten.mul.Tensor(x, y)\n"
                                  "        b = torch.ops.aten.tanh.default(a)\n"
                                  "        c = torch.ops.aten.add.Tensor(b, x)\n"
                                  "        d = torch.ops.aten.exp.default(y)\n"
                                  "        return (c, d, b)\n";

static const char step[] = "class GraphModule(torch.nn.Module):\n"
                           "    def forward(self, h: \"f32[5]\", x: \"f32[5]\"):\n"
                           "        a = torch.ops.aten.mul.Tensor(h, 0.5)\n"
                           "        b = torch.ops.aten.add.Tensor(a, x)\n"
                           "        return (b,)\n";

static const char with_host[] = "class GraphModule(torch.nn.Module):\n"
                                "    def forward(self, x: \"f32[s0, 6]\", w: \"f32[6, 6]\"):\n"
                                "        a = torch.ops.aten.mul.Tensor(x, 2.0)\n"
                                "        m = torch.ops.aten.mm.default(a, w)\n"
                                "        n = torch.ops.aten.mm.default(m, w)\n"
                                "        o = torch.ops.aten.mm.default(n, w)\n"
                                "        p = torch.ops.aten.tanh.default(o)\n"
                                "        s = torch.ops.aten.sum.dim_IntList(p, [1])\n"
                                "        r = torch.ops.aten.relu.default(s)\n"
                                "        return (r, p)\n";

static const char carried[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, h: \"f32[5]\", k: \"f32[3]\", xs: \"f32[s0, 5]\"):\n"
    "        scan_combine_graph_0 = self.scan_combine_graph_0\n"
    "        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [h, k], [xs], ())\n"
    "        a: \"f32[5]\" = scan[0]\n"
    "        b: \"f32[3]\" = scan[1]\n"
    "        c: \"f32[s0, 5]\" = scan[2]\n"
    "        return (a, b, c)\n"
    "\n"
    "    class scan_combine_graph_0(torch.nn.Module):\n"
    "        def forward(self, h: \"f32[5]\", k: \"f32[3]\", x: \"f32[5]\"):\n"
    "            m: \"f32[5]\" = torch.ops.aten.mul.Tensor(h, 0.5)\n"
    "            n: \"f32[5]\" = torch.ops.aten.add.Tensor(m, x)\n"
    "            o: \"f32[3]\" = torch.ops.aten.add.Tensor(k, 1)\n"
    "            y: \"f32[5]\" = torch.ops.aten.neg.default(n)\n"
    "            return [n, o, y]\n";

static const char division[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, x: \"i32[4]\", y: \"i32[4]\"):\n"
    "        d = torch.ops.aten.div.Tensor_mode(x, y, rounding_mode = 'floor')\n"
    "        r = torch.ops.aten.remainder.Tensor(x, y)\n"
    "        return (d, r)\n";

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
  scanc_program *p = compile(with_host);
  float x[12], w[36];
  fill(x, 12, -3);
  fill(w, 36, -2);
  scanc_tensor in[2] = {f32(x, 2, 2, 6), f32(w, 2, 6, 6)};
  scanc_error err = {0};
  ck_assert(p->planned);
  ck_assert_int_eq(p->plans->hosts.len, 4);
  run_state *s = run_state_take(p);
  ck_assert_int_eq(plan_resolve(p, s, in, &err), PLAN_RAN);
  /* a, m, n, o and s live in two pieces of 48 bytes each, rounded up, and one of 8 */
  ck_assert_int_le(s->values[p->plans->scratch], 3 * 64);
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
    agree(with_host, in, 2, 2);
  }
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

/* ---- memory of the caller's ---- */

START_TEST(test_results_into_own_memory) {
  float x[24], y[4], c[24], d[8], b[4 * 10];
  fill(x, 24, -2);
  fill(y, 4, 1);
  scanc_program *p = compile(elementwise);
  scanc_tensor in[2] = {f32(x, 2, 6, 4), f32(y, 1, 4, 1)}, want[3] = {0};
  scanc_tensor out[3] = {f32(c, 2, 6, 4), f32(d + 7, 1, 4, 1), f32(b, 2, 6, 4)};
  out[1].strides[0] = -2; /* backwards */
  out[2].strides[0] = 1;  /* transposed, with gaps */
  out[2].strides[1] = 10;
  run(p, in, 2, want, 3);
  run(p, in, 2, out, 3);
  ck_assert_ptr_eq(out[0].data, c);
  ck_assert_ptr_eq(out[2].data, b);
  for (int i = 0; i < 3; i++) check_equal(&want[i], &out[i]);
  release(want, 3);
  scanc_program_free(p);
}
END_TEST

static void run_fails(scanc_program *p, const scanc_tensor *in, int n_in, scanc_tensor *out,
                      int n_out, scanc_code code, const char *says) {
  scanc_error err = {0};
  ck_assert_int_eq(scanc_run(p, in, n_in, out, n_out, &err), code);
  ck_assert_int_eq(err.code, code);
  ck_assert_msg(strstr(err.message, says) != NULL, "%s", err.message);
}

static void wrong_outputs(scanc_exec how) {
  float h[10], x[5], o[10];
  scanc_program *p = compile_with(step, how, 0);
  fill(h, 10, 0);
  fill(x, 5, 0);
  scanc_tensor in[2] = {f32(h, 1, 5, 1), f32(x, 1, 5, 1)}, out = f32(o, 1, 4, 1);
  run_fails(p, in, 2, &out, 1, SCANC_ERR_OUTPUT_SHAPE, "expected f32[5], got f32[4]");
  out = array(o, SCANC_I32, 1, 5, 1);
  run_fails(p, in, 2, &out, 1, SCANC_ERR_OUTPUT_SHAPE, "expected f32[5], got i32[5]");
  out = f32(h + 2, 1, 5, 1);
  run_fails(p, in, 2, &out, 1, SCANC_ERR_OVERLAP, "shares memory with input 'h'");
  scanc_program_free(p);
}

START_TEST(test_wrong_outputs) {
  wrong_outputs(SCANC_EXEC_AUTO);
  wrong_outputs(SCANC_EXEC_INTERP);
}
END_TEST

START_TEST(test_outputs_that_share) {
  float x[24], y[4], c[30];
  scanc_program *p = compile(elementwise);
  fill(x, 24, 0);
  fill(y, 4, 0);
  scanc_tensor in[2] = {f32(x, 2, 6, 4), f32(y, 1, 4, 1)};
  scanc_tensor out[3] = {f32(c, 2, 6, 4), {0}, f32(c + 6, 2, 6, 4)};
  run_fails(p, in, 2, out, 3, SCANC_ERR_OVERLAP, "outputs 0 and 2");
  scanc_program_free(p);
}
END_TEST

/* The state of a stream is replaced in place. */
static void stream(const char *text, int n_in, int n_out, scanc_tensor *in, scanc_tensor *out,
                   float *state, int n, scanc_exec how) {
  scanc_program *p = compile_with(text, how, 0), *q = compile_with(text, SCANC_EXEC_INTERP, 0);
  float copy[16];
  memcpy(copy, state, sizeof *copy * (size_t)n);
  for (int i = 0; i < 5; i++) {
    scanc_tensor separate[MAX] = {in[0], in[1], in[2]}, got[MAX] = {0};
    separate[0].data = copy;
    run(q, separate, n_in, got, n_out);
    run(p, in, n_in, out, n_out);
    ck_assert_ptr_eq(out[0].data, state);
    for (int k = 0; k < n_out; k++) check_equal(&got[k], &out[k]);
    memcpy(copy, got[0].data, sizeof *copy * (size_t)n);
    release(got, n_out);
    release(out + 1, n_out - 1);
  }
  scanc_program_free(p);
  scanc_program_free(q);
}

START_TEST(test_state_in_place) {
  float h[5], k[3] = {0}, x[20];
  for (int interp_it = 0; interp_it < 2; interp_it++) {
    fill(h, 5, 1);
    fill(x, 20, -1);
    scanc_tensor in[3] = {f32(h, 1, 5, 1), f32(x, 1, 5, 1)}, out[3] = {f32(h, 1, 5, 1)};
    stream(step, 2, 1, in, out, h, 5, interp_it ? SCANC_EXEC_INTERP : SCANC_EXEC_AUTO);
    scanc_tensor in2[3] = {f32(h, 1, 5, 1), f32(k, 1, 3, 1), f32(x, 2, 4, 5)},
                 out2[3] = {f32(h, 1, 5, 1), {0}, {0}};
    stream(carried, 3, 3, in2, out2, h, 5, interp_it ? SCANC_EXEC_INTERP : SCANC_EXEC_AUTO);
  }
}
END_TEST

/* A permuted result over its own operand. */
START_TEST(test_transposed_in_place) {
  static const char text[] = "class GraphModule(torch.nn.Module):\n"
                             "    def forward(self, x: \"f32[4, 4]\"):\n"
                             "        t = torch.ops.aten.permute.default(x, [1, 0])\n"
                             "        return (t,)\n";
  for (int interp_it = 0; interp_it < 2; interp_it++) {
    scanc_program *p = compile_with(text, interp_it ? SCANC_EXEC_INTERP : SCANC_EXEC_AUTO, 0);
    float x[16], was[16];
    fill(x, 16, 0);
    memcpy(was, x, sizeof x);
    scanc_tensor in = f32(x, 2, 4, 4), out = in;
    run(p, &in, 1, &out, 1);
    for (int i = 0; i < 16; i++) ck_assert(x[i] == was[i % 4 * 4 + i / 4]);
    scanc_program_free(p);
  }
}
END_TEST

START_TEST(test_results_are_apart) {
  static const char text[] = "class GraphModule(torch.nn.Module):\n"
                             "    def forward(self, x: \"f32[s0]\"):\n"
                             "        a = torch.ops.aten.add.Tensor(x, 1)\n"
                             "        n = torch.ops.aten.sym_size.int(x, 0)\n"
                             "        return (a, x, a, n)\n";
  float x[3] = {1, 2, 3};
  scanc_program *p = compile(text);
  scanc_tensor in = f32(x, 1, 3, 1), out[4] = {0};
  ck_assert(p->planned);
  run(p, &in, 1, out, 4);
  ck_assert_ptr_ne(out[0].data, out[2].data);
  ck_assert_ptr_ne(out[1].data, x);
  check_equal(&out[0], &out[2]);
  check_equal(&out[1], &in);
  ck_assert_int_eq(*(int64_t *)out[3].data, 3);
  release(out, 4);
  scanc_program_free(p);
}
END_TEST

/* ---- sizes, errors ---- */

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
  run_fails(p, in, 2, out, 3, SCANC_ERR_NO_MEMORY, "limit of 4096 bytes");
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

UNIT_MAIN("plans", test_fusion, test_scratch_is_shared, test_host_steps,
          test_second_compile_is_cached, test_cache_gives_back, test_input_strides,
          test_changing_inputs, test_results_into_own_memory, test_wrong_outputs,
          test_outputs_that_share, test_state_in_place, test_transposed_in_place,
          test_results_are_apart, test_empty_sizes, test_empty_class, test_data_errors,
          test_first_error_of_the_program, test_memory_limit, test_input_errors_still_told,
          test_rounding_mode, test_threads)
