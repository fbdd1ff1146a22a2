#include <math.h>
#include <string.h>

#include "variants.h"

REFERENCE(mamba_scan) {
  const float *a = in[0], *dt = in[1], *x = in[2], *b = in[3], *c = in[4];
  const int64_t steps = n[0], channels = n[1], states = n[2];
  float *y = out[0], *h = out[1];
  memcpy(h, in[5], (size_t)(channels * states) * sizeof *h);
  for (int64_t t = 0; t < steps; t++)
    for (int64_t d = 0; d < channels; d++) {
      float dt_x = dt[t * channels + d] * x[t * channels + d], sum = 0;
      for (int64_t i = 0; i < states; i++) {
        float *s = &h[d * states + i];
        *s = expf(dt[t * channels + d] * a[d * states + i]) * *s + dt_x * b[t * states + i];
        sum += *s * c[t * states + i];
      }
      y[t * channels + d] = sum;
    }
}

REFERENCE(rwkv6) {
  const float *u = in[0], *r = in[1], *k = in[2], *v = in[3], *w = in[4];
  const int64_t steps = n[0], heads = n[1], keys = n[2], values = n[3];
  float *s = out[1];
  memcpy(s, in[5], (size_t)(heads * keys * values) * sizeof *s);
  memset(out[0], 0, (size_t)(steps * heads * values) * sizeof *s);
  for (int64_t t = 0; t < steps; t++)
    for (int64_t h = 0; h < heads; h++)
      for (int64_t i = 0; i < keys; i++) {
        int64_t at = (t * heads + h) * keys + i;
        float decay = expf(w[at]), *y = (float *)out[0] + (t * heads + h) * values;
        for (int64_t j = 0; j < values; j++) {
          float kv = k[at] * v[(t * heads + h) * values + j];
          float *state = &s[(h * keys + i) * values + j];
          y[j] += (*state + u[h * keys + i] * kv) * r[at];
          *state = *state * decay + kv;
        }
      }
}
