#include "variants.h"

#define CUMSUM(name, type) \
  REFERENCE(name) { \
    const type *x = in[0]; \
    type *y = out[0], c = 0; \
    for (int64_t i = 0; i < n[0]; i++) y[i] = c += x[i]; \
  }

CUMSUM(cumsum_f32, float)
CUMSUM(cumsum_f64, double)
CUMSUM(cumsum_i32, uint32_t) /* which wraps */

REFERENCE(sum_lanes) {
  const float *init = in[0], *x = in[1];
  float *last = out[0], *y = out[1];
  for (int64_t d = 0; d < n[1]; d++) {
    float c = init[d];
    for (int64_t t = 0; t < n[0]; t++) y[t * n[1] + d] = c += x[t * n[1] + d];
    last[d] = c;
  }
}

REFERENCE(ema_lanes) {
  const float *init = in[0], *x = in[1];
  float *last = out[0], *y = out[1];
  for (int64_t d = 0; d < n[1]; d++) {
    float c = init[d];
    for (int64_t t = 0; t < n[0]; t++) y[t * n[1] + d] = c = c * 0.9f + x[t * n[1] + d] * 0.1f;
    last[d] = c;
  }
}
