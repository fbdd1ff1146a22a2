/* Compiled scans beside the same loop in plain C. One line per case and executor, separated by
 * tabs:
 *
 *   case  executor  compile_ms  ns_per_step  times_c
 *
 * bench [CASE ...] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "scanc/scanc.h"

enum { T = 2000, D = 64 };

typedef struct {
  const char *name;
  const char *text; /* init f32[D], xs f32[T, D] -> f32[D], f32[T, D] */
  void (*plain)(const float *init, const float *xs, float *last, float *ys);
} bench_case;

#define PROGRAM(body, result) \
  "class GraphModule(torch.nn.Module):\n" \
  "    def forward(self, init: \"f32[64]\", xs: \"f32[2000, 64]\"):\n" \
  "        scan_combine_graph_0 = self.scan_combine_graph_0\n" \
  "        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [init], [xs], ())\n" \
  "        getitem: \"f32[64]\" = scan[0]\n" \
  "        getitem_1: \"f32[2000, 64]\" = scan[1]\n" \
  "        return (getitem, getitem_1)\n" \
  "\n" \
  "    class scan_combine_graph_0(torch.nn.Module):\n" \
  "        def forward(self, c: \"f32[64]\", x: \"f32[64]\"):\n" body \
  "            clone: \"f32[64]\" = torch.ops.aten.clone.default(" result ")\n" \
  "            return [" result ", clone]\n"

/* Out of line and not vectorised across steps by chance: these are what a C programmer would write.
 */
__attribute__((noinline)) static void plain_sum(const float *init, const float *xs, float *last,
                                                float *ys) {
  float c[D];
  memcpy(c, init, sizeof c);
  for (int t = 0; t < T; t++)
    for (int d = 0; d < D; d++) ys[t * D + d] = c[d] = c[d] + xs[t * D + d];
  memcpy(last, c, sizeof c);
}

__attribute__((noinline)) static void plain_ema(const float *init, const float *xs, float *last,
                                                float *ys) {
  float c[D];
  memcpy(c, init, sizeof c);
  for (int t = 0; t < T; t++)
    for (int d = 0; d < D; d++) ys[t * D + d] = c[d] = c[d] * 0.9f + xs[t * D + d] * 0.1f;
  memcpy(last, c, sizeof c);
}

static const bench_case cases[] = {
    {"running_sum_2000x64",
     PROGRAM("            add: \"f32[64]\" = torch.ops.aten.add.Tensor(c, x)\n", "add"), plain_sum},
    {"ema_2000x64",
     PROGRAM("            mul: \"f32[64]\" = torch.ops.aten.mul.Tensor(c, 0.9)\n"
             "            mul_1: \"f32[64]\" = torch.ops.aten.mul.Tensor(x, 0.1)\n"
             "            add: \"f32[64]\" = torch.ops.aten.add.Tensor(mul, mul_1)\n",
             "add"),
     plain_ema},
};

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

typedef struct {
  float init[D], xs[T * D], last[D], ys[T * D];
} arrays;

static scanc_tensor view(float *data, int64_t steps) {
  if (!steps)
    return (scanc_tensor){
        .data = data, .dtype = SCANC_F32, .rank = 1, .sizes = {D}, .strides = {1}};
  return (scanc_tensor){
      .data = data, .dtype = SCANC_F32, .rank = 2, .sizes = {steps, D}, .strides = {D, 1}};
}

/* Best of the runs in 0.3 s; ns per step. */
static double time_plain(const bench_case *c, arrays *a) {
  double best = INFINITY, start = now_ns();
  do {
    double t = now_ns();
    c->plain(a->init, a->xs, a->last, a->ys);
    best = fmin(best, now_ns() - t);
  } while (now_ns() - start < 3e8);
  return best / T;
}

/* Also compares the results with those of the plain loop, which must be equal bit for bit. */
static double time_program(scanc_program *prog, arrays *a, scanc_error *err) {
  scanc_tensor in[2] = {view(a->init, 0), view(a->xs, T)}, out[2] = {0};
  double best = INFINITY, start = now_ns();
  do {
    double t = now_ns();
    if (scanc_run(prog, in, 2, out, 2, err) != SCANC_OK) return -1;
    best = fmin(best, now_ns() - t);
    bool same = memcmp(out[1].data, a->ys, sizeof a->ys) == 0;
    scanc_tensor_release(&out[0]);
    scanc_tensor_release(&out[1]);
    if (!same) return -2;
  } while (now_ns() - start < 3e8);
  return best / T;
}

static bool run_case(const bench_case *c, arrays *a) {
  static const struct {
    const char *name;
    scanc_exec exec;
  } executors[] = {{"jit", SCANC_EXEC_JIT}, {"interp", SCANC_EXEC_INTERP}};
  double plain = time_plain(c, a);
  printf("%s\tc\t0\t%.3f\t1\n", c->name, plain);
  bool ok = true;
  for (int i = 0; i < 2; i++) {
    scanc_error err = {0};
    scanc_options opts = SCANC_OPTIONS_INIT;
    opts.exec = executors[i].exec;
    double start = now_ns();
    scanc_module *mod = scanc_module_parse(NULL, c->text, strlen(c->text), c->name, &err);
    scanc_program *prog = mod ? scanc_compile(mod, &opts, &err) : NULL;
    double compile = now_ns() - start, ns = prog ? time_program(prog, a, &err) : -1;
    if (ns >= 0)
      printf("%s\t%s\t%.3f\t%.3f\t%.2f\n", c->name, executors[i].name, compile * 1e-6, ns,
             ns / plain);
    else
      fprintf(stderr, "%s: %s: %s\n", c->name, executors[i].name,
              ns == -2 ? "wrong result" : err.message);
    ok = ok && ns >= 0;
    scanc_program_free(prog);
    scanc_module_free(mod);
  }
  return ok;
}

int main(int argc, char **argv) {
  arrays *a = malloc(sizeof *a);
  if (!a) return 3;
  for (int d = 0; d < D; d++) a->init[d] = (float)d / D;
  for (int i = 0; i < T * D; i++) a->xs[i] = (float)(i * 2654435761u >> 8) / (1 << 24) - 0.5f;
  bool ok = true;
  puts("case\texecutor\tcompile_ms\tns_per_step\ttimes_c");
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    bool chosen = argc == 1;
    for (int k = 1; k < argc; k++) chosen = chosen || strcmp(argv[k], cases[i].name) == 0;
    if (chosen) ok = run_case(&cases[i], a) && ok;
  }
  free(a);
  return ok ? 0 : 1;
}
