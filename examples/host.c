/* A C11 host of scanc: runs a model that PyTorch printed, and an associative scan built here, on
 * its own arrays, and compares both with plain loops.
 *
 *   cc host.c -lscanc -lm && ./a.out */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "scanc/build.h"

enum { T = 200, N = 3 };

/* level += decay * (x - level), as torch.export prints it (shortened). */
static const char smoother[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, decay: \"f32[3]\", level: \"f32[3]\", xs: \"f32[s0, 3]\"):\n"
    "        step = self.step\n"
    "        scan = torch.ops.higher_order.scan(step, [level], [xs], (decay,))\n"
    "        last: \"f32[3]\" = scan[0]\n"
    "        levels: \"f32[s0, 3]\" = scan[1]\n"
    "        return (last, levels)\n"
    "\n"
    "    class step(torch.nn.Module):\n"
    "        def forward(self, level: \"f32[3]\", x: \"f32[3]\", decay: \"f32[3]\"):\n"
    "            sub: \"f32[3]\" = torch.ops.aten.sub.Tensor(x, level)\n"
    "            mul: \"f32[3]\" = torch.ops.aten.mul.Tensor(decay, sub)\n"
    "            add: \"f32[3]\" = torch.ops.aten.add.Tensor(level, mul)\n"
    "            clone: \"f32[3]\" = torch.ops.aten.clone.default(add)\n"
    "            return [add, clone]\n";

static void check(scanc_code code, const scanc_error *err) {
  if (code == SCANC_OK) return;
  fprintf(stderr, "%s:%d: %s\n", err->file, err->line, err->message);
  exit(1);
}

static void compare(const char *what, const float *got, const float *want, int n) {
  for (int i = 0; i < n; i++) {
    if (fabsf(got[i] - want[i]) <= 1e-5f * (1 + fabsf(want[i]))) continue;
    fprintf(stderr, "%s: element %d is %g, expected %g\n", what, i, got[i], want[i]);
    exit(1);
  }
  printf("%s: %d elements are right\n", what, n);
}

static void say(void *user, scanc_log_level level, const char *message) {
  (void)level;
  fprintf(user, "scanc: %s\n", message);
}

static void run_model(scanc_context *ctx, const float *xs) {
  scanc_error err = {0};
  scanc_module *mod = scanc_module_parse(ctx, smoother, sizeof smoother - 1, "smoother", &err);
  scanc_program *prog = mod ? scanc_compile(mod, NULL, &err) : NULL;
  check(err.code, &err);
  scanc_module_free(mod); /* the program keeps nothing of it */

  float decay[N] = {0.9f, 0.5f, 0.1f}, zero[N] = {0}, want[T * N];
  scanc_tensor weights = scanc_tensor_contiguous(decay, SCANC_F32, 1, (int64_t[]){N});
  check(scanc_program_bind(prog, "decay", &weights, SCANC_COPY, &err), &err);
  scanc_tensor in[3] = {{0},
                        scanc_tensor_contiguous(zero, SCANC_F32, 1, (int64_t[]){N}),
                        scanc_tensor_contiguous((void *)xs, SCANC_F32, 2, (int64_t[]){T, N})};
  scanc_tensor out[2] = {{0}, {0}};
  check(scanc_run(prog, in, 3, out, 2, &err), &err);

  for (int i = 0; i < T * N; i++) {
    float level = i < N ? 0 : want[i - N];
    want[i] = level + decay[i % N] * (xs[i] - level);
  }
  compare("smoother", out[1].data, want, T * N);
  for (int i = 0; i < 2; i++) scanc_tensor_release(&out[i]);
  scanc_program_free(prog);
}

/* y[t] = a[t] * y[t-1] + b[t] as the associative scan of the maps y -> a * y + b. */
static scanc_module *build_recurrence(scanc_context *ctx) {
  scanc_module *mod = scanc_module_new(ctx);
  scanc_value steps = scanc_symbol(mod, "T", 1, 1 << 20);
  scanc_value a = scanc_input(mod, "a", SCANC_F32, SCANC_LIST(steps, scanc_i(N)));
  scanc_value b = scanc_input(mod, "b", SCANC_F32, SCANC_LIST(steps, scanc_i(N)));

  scanc_graph *then = scanc_graph_begin(mod, "then");
  scanc_value a1 = scanc_graph_param_step(then, "a1", a, 0);
  scanc_value b1 = scanc_graph_param_step(then, "b1", b, 0);
  scanc_value a2 = scanc_graph_param_step(then, "a2", a, 0);
  scanc_value b2 = scanc_graph_param_step(then, "b2", b, 0);
  scanc_graph_return(then, SCANC_LIST(scanc_mul(a1, a2), scanc_add(scanc_mul(a2, b1), b2)));

  scanc_value maps = scanc_associative_scan(then, SCANC_LIST(a, b), 0, false);
  scanc_output(mod, "y", scanc_get(maps, 1)); /* of y[-1] = 0 */
  return mod;
}

static void run_built(scanc_context *ctx, const float *a, const float *b) {
  scanc_error err = {0};
  scanc_module *mod = build_recurrence(ctx);
  scanc_program *prog = scanc_compile(mod, NULL, &err); /* also says what building did wrong */
  check(err.code, &err);
  float want[T * N];
  for (int i = 0; i < T * N; i++) want[i] = a[i] * (i < N ? 0 : want[i - N]) + b[i];
  scanc_tensor in[2] = {scanc_tensor_contiguous((void *)a, SCANC_F32, 2, (int64_t[]){T, N}),
                        scanc_tensor_contiguous((void *)b, SCANC_F32, 2, (int64_t[]){T, N})};
  scanc_tensor y = {0};
  check(scanc_run(prog, in, 2, &y, 1, &err), &err);
  compare("recurrence", y.data, want, T * N);
  scanc_tensor_release(&y);
  scanc_program_free(prog);
  scanc_module_free(mod);
}

int main(void) {
  float a[T * N], b[T * N];
  for (int i = 0; i < T * N; i++) {
    a[i] = 0.5f + 0.4f * sinf((float)i);
    b[i] = cosf(0.1f * (float)i);
  }
  scanc_context_options opts = SCANC_CONTEXT_OPTIONS_INIT;
  opts.log = say;
  opts.log_user = stderr;
  scanc_context *ctx = scanc_context_new(&opts);
  run_model(ctx, b);
  run_built(ctx, a, b);
  scanc_context_free(ctx);
  return 0;
}
