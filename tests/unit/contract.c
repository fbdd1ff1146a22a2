/* What --fp=contract computes: the bits of fma() where products are fused with sums, those of
 * separate operations elsewhere; the same by every executor. */
#include <math.h>

#include "loop/target.h"
#include "programs.h"

enum { T = 7, D = 5, N = T * D };

static scanc_program *compile_contracted(const char *text, scanc_exec exec, const char *cpu,
                                         scanc_fp fp, scanc_error *err) {
  scanc_module *mod = scanc_module_parse(NULL, text, strlen(text), "program", err);
  ck_assert_msg(mod != NULL, "%d: %s", err->line, err->message);
  scanc_options opts = SCANC_OPTIONS_INIT;
  opts.exec = exec;
  opts.cpu = cpu;
  opts.fp = fp;
  scanc_program *prog = scanc_compile(mod, &opts, err);
  scanc_module_free(mod);
  return prog;
}

static bool has_fma(void) {
  target here;
  return target_get(NULL, &here) && here.fma;
}

/* ---- outside of scans ---- */

static const char sums[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, x: \"f32[7, 5]\", y: \"f32[7, 5]\", d: \"f64[7, 5]\"):\n"
    "        mul = torch.ops.aten.mul.Tensor(x, x)\n"
    "        sub = torch.ops.aten.sub.Tensor(mul, y)\n"
    "        mul_1 = torch.ops.aten.mul.Tensor(x, y)\n"
    "        sub_1 = torch.ops.aten.sub.Tensor(y, mul_1)\n"
    "        mul_2 = torch.ops.aten.mul.Tensor(d, d)\n"
    "        add = torch.ops.aten.add.Tensor(mul_2, 0.1)\n"
    "        return (sub, sub_1, add)\n";

/* Without them the test itself might be contracted. */
static float rounded(float x) {
  volatile float r = x;
  return r;
}
static double rounded_double(double x) {
  volatile double r = x;
  return r;
}

static void check_sums(scanc_exec exec, const char *cpu, scanc_fp fp, bool fused) {
  float x[N], y[N];
  double d[N];
  int differ = 0;
  for (int i = 0; i < N; i++) {
    x[i] = 1 + (float)(i + 1) / 8191;
    y[i] = rounded(x[i] * x[i]);
    d[i] = sqrt(i + 2);
  }
  scanc_error err = {0};
  scanc_program *p = compile_contracted(sums, exec, cpu, fp, &err);
  ck_assert_msg(p != NULL, "%s", err.message);
  scanc_tensor in[3] = {f32(x, 2, T, D), f32(y, 2, T, D), array(d, SCANC_F64, 2, T, D)};
  scanc_tensor out[3] = {{0}};
  run(p, in, 3, out, 3);
  const float *sub = out[0].data, *sub_1 = out[1].data;
  const double *add = out[2].data;
  for (int i = 0; i < N; i++) {
    float apart = rounded(rounded(x[i] * x[i]) - y[i]), apart_1 = rounded(x[i] * y[i]);
    double apart_2 = rounded_double(d[i] * d[i]) + 0.1;
    ck_assert(sub[i] == (fused ? fmaf(x[i], x[i], -y[i]) : apart));
    ck_assert(sub_1[i] == (fused ? fmaf(-x[i], y[i], y[i]) : y[i] - apart_1));
    ck_assert(add[i] == (fused ? fma(d[i], d[i], 0.1) : apart_2));
    differ += sub[i] != apart;
  }
  ck_assert(fused ? differ > N / 2 : differ == 0);
  release(out, 3);
  scanc_program_free(p);
}

START_TEST(sums_of_products) {
  for (int exec = SCANC_EXEC_AUTO; exec <= SCANC_EXEC_JIT; exec++) {
    check_sums((scanc_exec)exec, NULL, SCANC_FP_STRICT, false);
    check_sums((scanc_exec)exec, NULL, SCANC_FP_CONTRACT, has_fma());
    check_sums((scanc_exec)exec, NULL, SCANC_FP_REASSOCIATE, has_fma());
#ifdef __x86_64__
    check_sums((scanc_exec)exec, "x86-64", SCANC_FP_CONTRACT, false); /* has none */
    if (has_fma()) check_sums((scanc_exec)exec, "x86-64-v3", SCANC_FP_CONTRACT, true);
#endif
  }
}
END_TEST

/* ---- in bodies ---- */

static const char average[] = "class GraphModule(torch.nn.Module):\n"
                              "    def forward(self, c: \"f32[5]\", xs: \"f32[7, 5]\"):\n"
                              "        step = self.step\n"
                              "        scan = torch.ops.higher_order.scan(step, [c], [xs], ())\n"
                              "        last = scan[0]\n"
                              "        ys = scan[1]\n"
                              "        return (last, ys)\n"
                              "\n"
                              "    class step(torch.nn.Module):\n"
                              "        def forward(self, c: \"f32[5]\", x: \"f32[5]\"):\n"
                              "            mul = torch.ops.aten.mul.Tensor(x, 0.1)\n"
                              "            mul_1 = torch.ops.aten.mul.Tensor(c, 0.9)\n"
                              "            add = torch.ops.aten.add.Tensor(mul, mul_1)\n"
                              "            clone = torch.ops.aten.clone.default(add)\n"
                              "            return [add, clone]\n";

START_TEST(scans) {
  for (int exec = SCANC_EXEC_AUTO; exec <= SCANC_EXEC_JIT; exec++) {
    float c[D], x[N], state[D];
    scanc_error err = {0};
    fill(c, D, 0.3f);
    fill(x, N, -1.7f);
    memcpy(state, c, sizeof c);
    scanc_program *p = compile_contracted(average, (scanc_exec)exec, NULL, SCANC_FP_CONTRACT, &err);
    ck_assert_msg(p != NULL, "%s", err.message);
    scanc_tensor in[2] = {f32(c, 1, D, 0), f32(x, 2, T, D)}, out[2] = {{0}};
    run(p, in, 2, out, 2);
    for (int i = 0; i < N; i++) {
      float part = rounded(x[i] * 0.1f), *s = &state[i % D];
      *s = has_fma() ? fmaf(*s, 0.9f, part) : rounded(*s * 0.9f) + part;
      ck_assert(((const float *)out[1].data)[i] == *s);
    }
    release(out, 2);
    scanc_program_free(p);
  }
}
END_TEST

START_TEST(values_of_the_option) {
  scanc_error err = {0};
  ck_assert_ptr_null(compile_contracted(sums, SCANC_EXEC_AUTO, NULL, (scanc_fp)3, &err));
  ck_assert_int_eq(err.code, SCANC_ERR_USAGE);
  ck_assert(strstr(err.message, "no such value of fp: 3") != NULL);
}
END_TEST

UNIT_MAIN("contract", sums_of_products, scans, values_of_the_option)
