#include "functions.h"

/* A gated unit without matrices: every lane has its own weights. */
REFERENCE(gated_unit) {
  const float *h0 = in[0], *xs = in[1], *k = in[2];
  float *last = out[0], *y = out[1];
  int64_t d = n[1];
  for (int64_t i = 0; i < d; i++) {
    float h = h0[i];
    for (int64_t t = 0; t < n[0]; t++) {
      const float *x = xs + t * 3 * d + i;
      float r = sigmoid(x[0] + h * k[i]), z = sigmoid(x[d] + h * k[i]);
      float c = tanhf(x[2 * d] + r * h);
      y[t * d + i] = h = z * h + (1 - z) * c;
    }
    last[i] = h;
  }
}
