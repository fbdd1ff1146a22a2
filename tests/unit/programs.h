/* Programs and arrays for the tests of running: compiling a text, making, filling and comparing
 * arrays. */
#ifndef SCANC_TESTS_PROGRAMS_H
#define SCANC_TESTS_PROGRAMS_H

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "../levels.h"
#include "runtime/testing.h"
#include "scanc/scanc.h"
#include "unit.h"

enum { MAX = 4 }; /* inputs, outputs */

/* choices: what the cost model does not choose; NULL. */
static inline scanc_program *compile_choosing(const char *text, const scanc_options *opts,
                                              const program_choices *choices) {
  scanc_error err = {0};
  scanc_module *mod = scanc_module_parse(NULL, text, strlen(text), "program", &err);
  ck_assert_msg(mod != NULL, "%d: %s\n%s", err.line, err.message, text);
  scanc_program *prog = program_new(mod, opts, choices, &err);
  ck_assert_msg(prog != NULL, "%s\n%s", err.message, text);
  scanc_module_free(mod);
  return prog;
}

static inline scanc_program *compile_for(const char *text, const scanc_options *opts) {
  return compile_choosing(text, opts, NULL);
}

static inline scanc_program *compile_with(const char *text, scanc_exec how, size_t max_bytes) {
  scanc_options opts = SCANC_OPTIONS_INIT;
  opts.exec = how;
  opts.max_bytes = max_bytes;
  return compile_for(text, &opts);
}

/* For so many threads, and any work is enough for one. */
static inline scanc_program *compile_threaded(const char *text, scanc_exec how, const char *cpu,
                                              int threads) {
  scanc_options opts = SCANC_OPTIONS_INIT;
  opts.exec = how;
  opts.cpu = cpu;
  opts.threads = threads;
  scanc_program *p = compile_for(text, &opts);
  program_set_thread_work(p, 1);
  return p;
}

static inline scanc_program *compile(const char *text) {
  return compile_with(text, SCANC_EXEC_AUTO, 0);
}

static inline scanc_tensor array(void *data, scanc_dtype d, int rank, int64_t a, int64_t b) {
  return (scanc_tensor){
      .data = data, .dtype = d, .rank = rank, .sizes = {a, b}, .strides = {rank == 2 ? b : 1, 1}};
}

static inline scanc_tensor f32(float *data, int rank, int64_t a, int64_t b) {
  return array(data, SCANC_F32, rank, a, b);
}

static inline uint32_t next_random(void) {
  static uint32_t state = 1;
  return state = state * 1664525 + 1013904223;
}

static inline void fill(float *x, int n, float first) {
  for (int i = 0; i < n; i++) x[i] = first + (float)((i * 37) % 101) / 16;
}

/* Element i of a result in row-major order. */
static inline const char *element(const scanc_tensor *t, int64_t i) {
  int64_t at = 0;
  for (int d = t->rank - 1; d >= 0; i /= t->sizes[d--]) at += i % t->sizes[d] * t->strides[d];
  return (const char *)t->data + at * (int64_t)scanc_dtype_size(t->dtype);
}

static inline void check_equal(const scanc_tensor *a, const scanc_tensor *b) {
  int64_t n = 1;
  ck_assert_int_eq(a->dtype, b->dtype);
  ck_assert_int_eq(a->rank, b->rank);
  for (int d = 0; d < a->rank; d++) {
    ck_assert_int_eq(a->sizes[d], b->sizes[d]);
    n *= a->sizes[d];
  }
  for (int64_t i = 0; i < n; i++)
    CHECK_ELEMENT(!memcmp(element(a, i), element(b, i), scanc_dtype_size(a->dtype)),
                  "element %lld differs", (long long)i);
}

static inline void run(scanc_program *p, const scanc_tensor *in, int n_in, scanc_tensor *out,
                       int n_out) {
  scanc_error err = {0};
  ck_assert_msg(scanc_run(p, in, n_in, out, n_out, &err) == SCANC_OK, "%s", err.message);
}

/* The same within ten seconds, or as much longer as sanitizers take, else the process is killed:
 * threads that wait for each other never come back. */
static inline void run_watched(scanc_program *p, const scanc_tensor *in, int n_in,
                               scanc_tensor *out, int n_out) {
  signal(SIGALRM, SIG_DFL); /* Check has a handler of its own */
  alarm(THIN ? 200 : 10);
  run(p, in, n_in, out, n_out);
  alarm(0);
}

static inline void release(scanc_tensor *out, int n) {
  for (int i = 0; i < n; i++) scanc_tensor_release(&out[i]);
}

/* Both give the same results, bit by bit. */
static inline void check_runs(scanc_program *a, scanc_program *b, const scanc_tensor *in, int n_in,
                              int n_out) {
  scanc_tensor x[MAX] = {0}, y[MAX] = {0};
  run(a, in, n_in, x, n_out);
  run(b, in, n_in, y, n_out);
  for (int i = 0; i < n_out; i++) check_equal(&x[i], &y[i]);
  release(x, n_out);
  release(y, n_out);
}

static inline void run_fails(scanc_program *p, const scanc_tensor *in, int n_in, scanc_tensor *out,
                             int n_out, scanc_code code, const char *says) {
  scanc_error err = {0};
  ck_assert_int_eq(scanc_run(p, in, n_in, out, n_out, &err), code);
  ck_assert_int_eq(err.code, code);
  ck_assert_msg(strstr(err.message, says) != NULL, "%s", err.message);
}

__attribute__((unused)) static const char elementwise[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, x: \"f32[s0, s1]\", y: \"f32[s1]\"):\n"
    "        a = torch.ops.aten.mul.Tensor(x, y)\n"
    "        b = torch.ops.aten.tanh.default(a)\n"
    "        c = torch.ops.aten.add.Tensor(b, x)\n"
    "        d = torch.ops.aten.exp.default(y)\n"
    "        return (c, d, b)\n";

__attribute__((unused)) static const char step[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, h: \"f32[5]\", x: \"f32[5]\"):\n"
    "        a = torch.ops.aten.mul.Tensor(h, 0.5)\n"
    "        b = torch.ops.aten.add.Tensor(a, x)\n"
    "        return (b,)\n";

/* Turned by numbers that a size tells; tests refuse the kernels of that (program_choices). */
__attribute__((unused)) static const char with_host[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, x: \"f32[s0, 6]\", w: \"f32[6, 6]\"):\n"
    "        k = torch.ops.aten.sym_size.int(x, 0)\n"
    "        a = torch.ops.aten.mul.Tensor(x, 2.0)\n"
    "        m = torch.ops.aten.roll.default(a, [k], [1])\n"
    "        n = torch.ops.aten.roll.default(m, [k], [1])\n"
    "        o = torch.ops.aten.roll.default(n, [k], [1])\n"
    "        p = torch.ops.aten.tanh.default(o)\n"
    "        s = torch.ops.aten.sum.dim_IntList(p, [1])\n"
    "        r = torch.ops.aten.relu.default(s)\n"
    "        return (r, p)\n";

__attribute__((unused)) static const char carried[] =
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

__attribute__((unused)) static const char division[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, x: \"i32[4]\", y: \"i32[4]\"):\n"
    "        d = torch.ops.aten.div.Tensor_mode(x, y, rounding_mode = 'floor')\n"
    "        r = torch.ops.aten.remainder.Tensor(x, y)\n"
    "        return (d, r)\n";

#endif
