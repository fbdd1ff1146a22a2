/* scanc_options.ftz: what is flushed, and what is not. */
#include <fenv.h>
#include <float.h>
#include <math.h>

#include "base/fp_env.h"
#include "programs.h"

static const float TINY = 0x1p-130f; /* subnormal */

static scanc_program *compile_ftz(const char *text, scanc_exec how, int threads) {
  scanc_options opts = SCANC_OPTIONS_INIT;
  opts.exec = how;
  opts.threads = threads;
  opts.ftz = true;
  scanc_program *p = compile_for(text, &opts);
  program_set_thread_work(p, 1);
  return p;
}

static const scanc_exec execs[] = {SCANC_EXEC_INTERP, SCANC_EXEC_AUTO};

/* What moves and chooses numbers, and arithmetic that a compiler would leave out: zeros of the sign
 * that the numbers had. */
START_TEST(inputs_are_flushed) {
  static const char simple[] = "class GraphModule(torch.nn.Module):\n"
                               "    def forward(self, x: \"f32[s0]\"):\n"
                               "        a = torch.ops.aten.mul.Tensor(x, 1.0)\n"
                               "        b = torch.ops.aten.clamp_min.default(x, -1.0)\n"
                               "        c = torch.ops.aten.neg.default(x)\n"
                               "        d = torch.ops.aten.flip.default(x, [0])\n"
                               "        return (a, b, c, d)\n";
  for (int k = 0; k < 2; k++) {
    float x[20];
    for (int i = 0; i < 20; i++) x[i] = i % 2 ? -TINY : TINY;
    x[4] = 3, x[5] = FLT_MIN;
    scanc_program *p = compile_ftz(simple, execs[k], 1);
    scanc_tensor in = f32(x, 1, 20, 1), out[4] = {0};
    run(p, &in, 1, out, 4);
    for (int i = 0; i < 20; i++) {
      float want = i == 4 ? 3 : i == 5 ? FLT_MIN : i % 2 ? -0.0f : 0.0f;
      float got[4];
      for (int o = 0; o < 4; o++) memcpy(&got[o], element(&out[o], o == 3 ? 19 - i : i), 4);
      got[2] = -got[2];
      for (int o = 0; o < 4; o++)
        ck_assert_msg(!memcmp(&got[o], &want, 4), "result %d of %d: %a", o, i, (double)got[o]);
    }
    ck_assert(x[0] == TINY); /* inputs are not changed */
    ck_assert(!fp_env_flushes());
    release(out, 4);
    scanc_program_free(p);
  }
}
END_TEST

/* A program that keeps them, of the same text, has code of its own. */
START_TEST(results_are_flushed) {
  static const char product[] = "class GraphModule(torch.nn.Module):\n"
                                "    def forward(self, x: \"f32[s0]\", y: \"f64[s0]\"):\n"
                                "        a = torch.ops.aten.mul.Tensor(x, x)\n"
                                "        b = torch.ops.aten.mul.Tensor(y, y)\n"
                                "        return (a, b)\n";
  enum { N = 1 << 14 };
  static float x[N];
  static double y[N];
  for (int i = 0; i < N; i++) x[i] = 0x1p-64f, y[i] = 0x1p-520;
  scanc_tensor in[2] = {f32(x, 1, N, 1), array(y, SCANC_F64, 1, N, 1)};
  for (int threads = 1; threads <= 3; threads += 2)
    for (int k = 0; k < 4; k++) {
      scanc_options opts = SCANC_OPTIONS_INIT;
      opts.exec = execs[k % 2];
      opts.threads = threads;
      scanc_program *p =
          k < 2 ? compile_ftz(product, execs[k], threads) : compile_for(product, &opts);
      scanc_tensor out[2] = {0};
      program_set_thread_work(p, 1);
      run(p, in, 2, out, 2);
      for (int i = 0; i < N; i++) {
        ck_assert(((float *)out[0].data)[i] == (k < 2 ? 0 : 0x1p-128f));
        ck_assert(((double *)out[1].data)[i] == (k < 2 ? 0 : 0x1p-1040));
      }
      release(out, 2);
      scanc_program_free(p);
    }
}
END_TEST

/* Numbers of the text, and what a compiler makes of them. */
START_TEST(literals_are_flushed) {
  static const char text[] =
      "class GraphModule(torch.nn.Module):\n"
      "    def forward(self, x: \"f32[3]\"):\n"
      "        a = torch.ops.aten.full.default([3], 1e-40, dtype = torch.float32)\n"
      "        b = torch.ops.aten.full.default([3], 5e-310, dtype = torch.float64)\n"
      "        c = torch.ops.aten.full.default([3], -88.5, dtype = torch.float32)\n"
      "        d = torch.ops.aten.exp.default(c)\n"
      "        e = torch.ops.aten.full.default([3], 1e-20, dtype = torch.float32)\n"
      "        f = torch.ops.aten.mul.Tensor(e, e)\n"
      "        g = torch.ops.aten.clamp_min.default(x, 1e-40)\n"
      "        return (a, b, d, f, g)\n";
  for (int k = 0; k < 2; k++) {
    float x[3] = {-1, 0, -TINY};
    scanc_program *p = compile_ftz(text, execs[k], 1);
    scanc_tensor in = f32(x, 1, 3, 1), out[5] = {0};
    run(p, &in, 1, out, 5);
    for (int o = 0; o < 5; o++)
      for (int i = 0; i < 3; i++) {
        const char *at = element(&out[o], i);
        double got = o == 1 ? *(const double *)at : (double)*(const float *)at;
        ck_assert_msg(got == 0, "result %d: %a", o, got);
      }
    release(out, 5);
    scanc_program_free(p);
  }
}
END_TEST

/* f16 computes in f32, where its numbers are ordinary ones; the remainder is computed in integers.
 */
START_TEST(other_numbers) {
  static const char text[] = "class GraphModule(torch.nn.Module):\n"
                             "    def forward(self, h: \"f16[4]\", x: \"f64[4]\", y: \"f64[4]\"):\n"
                             "        a = torch.ops.aten.add.Tensor(h, h)\n"
                             "        b = torch.ops.aten.fmod.Tensor(x, y)\n"
                             "        c = torch.ops.aten.remainder.Tensor(x, y)\n"
                             "        return (a, b, c)\n";
  static const char *const levels[] = {"x86-64", "native"};
  for (int k = 0; k < 4; k++) {
    uint16_t h[4] = {1, 0x8001, 0x3ff, 0x3c00};
    double x[4], y[4];
    for (int i = 0; i < 4; i++) x[i] = 1.5 * DBL_MIN, y[i] = DBL_MIN;
    scanc_options opts = SCANC_OPTIONS_INIT;
    opts.exec = execs[k % 2];
    opts.ftz = true;
#if defined __x86_64__
    opts.cpu = levels[k / 2];
#else
    (void)levels;
#endif
    scanc_program *p = compile_for(text, &opts);
    scanc_tensor in[3] = {array(h, SCANC_F16, 1, 4, 1), array(x, SCANC_F64, 1, 4, 1),
                          array(y, SCANC_F64, 1, 4, 1)},
                 out[3] = {0};
    static const uint16_t twice[4] = {2, 0x8002, 0x7fe, 0x4000};
    run(p, in, 3, out, 3);
    ck_assert_int_eq(memcmp(out[0].data, twice, sizeof twice), 0);
    for (int i = 0; i < 4; i++)
      ck_assert(((double *)out[1].data)[i] == 0 && ((double *)out[2].data)[i] == 0);
    release(out, 3);
    scanc_program_free(p);
  }
}
END_TEST

/* ---- memory of the caller's ---- */

START_TEST(arrays_of_the_caller) {
  float x[8], w[8];
  for (int i = 0; i < 8; i++) x[i] = TINY, w[i] = i == 3 ? 1 : TINY;
  static const char text[] = "class GraphModule(torch.nn.Module):\n"
                             "    def forward(self, x: \"f32[4]\", w: \"f32[4]\"):\n"
                             "        a = torch.ops.aten.maximum.default(x, w)\n"
                             "        return (a,)\n";
  scanc_error err = {0};
  scanc_program *p = compile_ftz(text, SCANC_EXEC_AUTO, 1);
  scanc_tensor wt = f32(w, 1, 4, 1), in[2] = {f32(x, 1, 4, 1), {0}}, out = f32(x, 1, 4, 1);
  ck_assert_int_eq(scanc_program_bind(p, "w", &wt, SCANC_BORROW, &err), SCANC_OK);
  run(p, in, 2, &out, 1); /* in place */
  for (int i = 0; i < 4; i++) ck_assert(x[i] == (i == 3));
  ck_assert(w[0] == TINY);
  x[0] = TINY;
  out = f32(x + 1, 1, 4, 1); /* told as ever, although a copy is computed with */
  run_fails(p, in, 2, &out, 1, SCANC_ERR_OVERLAP, "lies in the memory of input 'x'");
  scanc_program_free(p);
  scanc_options opts = SCANC_OPTIONS_INIT;
  opts.ftz = true;
  opts.max_bytes = 15; /* a copy of x needs 16 */
  p = compile_for(text, &opts);
  scanc_tensor both[2] = {f32(x, 1, 4, 1), f32(w, 1, 4, 1)};
  out = f32(w + 4, 1, 4, 1);
  run_fails(p, both, 2, &out, 1, SCANC_ERR_NO_MEMORY, "15 bytes");
  scanc_program_free(p);
}
END_TEST

/* Of any strides: every other column back to front, and one number for all. */
START_TEST(strided_inputs) {
  static const char text[] = "class GraphModule(torch.nn.Module):\n"
                             "    def forward(self, x: \"f32[3, 4]\", y: \"c64[5]\"):\n"
                             "        a = torch.ops.aten.neg.default(x)\n"
                             "        b = torch.ops.aten.clone.default(y)\n"
                             "        return (a, b)\n";
  for (int k = 0; k < 2; k++) {
    float x[24], y[2] = {1, -TINY};
    for (int i = 0; i < 24; i++) x[i] = (float)i;
    x[22] = x[21] = TINY;
    scanc_program *p = compile_ftz(text, execs[k], 1);
    scanc_tensor in[2] = {f32(x + 22, 2, 3, 4), array(y, SCANC_C64, 1, 5, 1)}, out[2] = {0};
    in[0].strides[0] = -8, in[0].strides[1] = -2;
    in[1].strides[0] = 0;
    run(p, in, 2, out, 2);
    for (int i = 0; i < 12; i++) {
      float want = i ? -(float)(22 - 2 * i) : 0;
      ck_assert(*(const float *)element(&out[0], i) == want);
    }
    for (int i = 0; i < 5; i++) {
      const float *z = (const float *)element(&out[1], i);
      ck_assert(z[0] == 1 && z[1] == 0 && signbit(z[1]));
    }
    release(out, 2);
    scanc_program_free(p);
  }
}
END_TEST

/* ---- threads of a host ---- */

static void one_after_the_other(void *unused, void (*fn)(void *arg, int32_t i), void *arg,
                                int32_t n) {
  (void)unused;
  fp_env env = fp_env_set(false); /* as another thread would have it */
  for (int32_t i = 0; i < n; i++) fn(arg, i);
  ck_assert(!fp_env_flushes());
  fp_env_restore(env);
}

START_TEST(threads_of_a_host) {
  static const char text[] = "class GraphModule(torch.nn.Module):\n"
                             "    def forward(self, x: \"f32[s0]\"):\n"
                             "        a = torch.ops.aten.mul.Tensor(x, x)\n"
                             "        return (a,)\n";
  enum { N = 1 << 14 };
  static float x[N];
  for (int i = 0; i < N; i++) x[i] = 0x1p-64f;
  scanc_options opts = SCANC_OPTIONS_INIT;
  opts.threads = 3;
  opts.for_each = one_after_the_other;
  opts.ftz = true;
  scanc_program *p = compile_for(text, &opts);
  scanc_tensor in = f32(x, 1, N, 1), out = {0};
  program_set_thread_work(p, 1);
  run(p, &in, 1, &out, 1);
  for (int i = 0; i < N; i++) ck_assert(((float *)out.data)[i] == 0);
  release(&out, 1);
  scanc_program_free(p);
}
END_TEST

UNIT_MAIN("ftz", inputs_are_flushed, results_are_flushed, literals_are_flushed, other_numbers,
          arrays_of_the_caller, strided_inputs, threads_of_a_host)
