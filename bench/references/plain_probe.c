#include "variants.h"

REFERENCE(probe_dispatch) {
  const float *x = in[0];
  float *y = out[0];
  for (int64_t i = 0; i < n[0]; i++) y[i] = x[i] + 1.0f;
}

REFERENCE(probe_step) {
  const float *x = in[1];
  float *last = out[0], *y = out[1], c = *(const float *)in[0];
  for (int64_t t = 0; t < n[1]; t++) {
    for (int64_t i = 0; i < n[0]; i++) c = i % 2 ? c * 0.5f : c + x[t];
    y[t] = c;
  }
  *last = c;
}
