#include "variants.h"

REFERENCE(probe_dispatch) {
  const float *restrict x = in[0];
  float *restrict y = out[0];
  for (int64_t i = 0; i < n[0]; i++) y[i] = x[i] + 1.0f;
}

/* For a number of operations that the compiler knows. */
static inline __attribute__((always_inline)) void chain(int ops, void *const *in, void *const *out,
                                                        int64_t steps) {
  const float *restrict x = in[1];
  float *restrict y = out[1];
  float c = *(const float *)in[0];
  for (int64_t t = 0; t < steps; t++) {
    for (int i = 0; i < ops; i++) c = i % 2 ? c * 0.5f : c + x[t];
    y[t] = c;
  }
  *(float *)out[0] = c;
}

REFERENCE(probe_step) {
  switch (n[0]) {
    case 1: chain(1, in, out, n[1]); break;
    case 4: chain(4, in, out, n[1]); break;
    case 16: chain(16, in, out, n[1]); break;
    case 64: chain(64, in, out, n[1]); break;
  }
}

/* ---- what the machine can do ---- */

#ifdef __AVX512F__
enum { LANES = 16, CHAINS = 16 };
#else
enum { LANES = 8, CHAINS = 8 };
#endif
typedef float vec __attribute__((vector_size(LANES * sizeof(float))));

/* n[0] rounds of CHAINS independent multiply-adds of LANES elements; n[1] gets the operations done.
 * With contraction they are fused. */
REFERENCE(probe_fma) {
  vec c[CHAINS], a = {0}, b = {0};
  a += *(const float *)in[0];
  b += *(const float *)in[1];
  for (int k = 0; k < CHAINS; k++) c[k] = b + (float)k;
  for (int64_t i = 0; i < n[0]; i++)
    for (int k = 0; k < CHAINS; k++) c[k] = c[k] * a + b;
  vec sum = c[0];
  for (int k = 1; k < CHAINS; k++) sum += c[k];
  *(vec *)out[0] = sum;
  *(double *)out[1] = 2.0 * LANES * CHAINS * (double)n[0];
}

/* ---- what the harness has to notice ---- */

/* Right where there is a NaN, so that it is the ordinary values that show it. */
REFERENCE(self_test_wrong) {
  const float *restrict x = in[0];
  float *restrict y = out[0];
  for (int64_t i = 0; i < n[0]; i++) y[i] = x[i] + 1.0f;
  if (x[3 * n[0] / 4] == x[3 * n[0] / 4]) y[n[0] - 1] += 0.001f;
}

REFERENCE(self_test_later) {
  static int calls;
  const float *restrict x = in[0];
  float *restrict y = out[0];
  for (int64_t i = 0; i < n[0]; i++) y[i] = x[i] + 1.0f;
  y[n[0] - 1] += calls++ > 1 ? 0.001f : 0;
}

REFERENCE(self_test_corner) {
  const float *restrict x = in[0];
  float *restrict y = out[0];
  for (int64_t i = 0; i < n[0]; i++) y[i] = x[i] == x[i] ? x[i] + 1.0f : 0.0f;
}
