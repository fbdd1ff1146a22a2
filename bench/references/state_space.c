/* Selective scan and linear attention. */
#include <math.h>
#include <string.h>

#include "floats.h"
#include "variants.h"

/* exp apart from the rest, which then is vectorised over the states. */
REFERENCE(mamba_scan) {
  const float *restrict a = in[0], *restrict b = in[3], *restrict c = in[4];
  const int64_t steps = n[0], channels = n[1], states = n[2];
  float *restrict h = out[1], *restrict decay = floats(states);
  memcpy(h, in[5], (size_t)(channels * states) * sizeof *h);
  for (int64_t t = 0; t < steps; t++, b += states, c += states)
    for (int64_t d = 0; d < channels; d++) {
      float dt = ((const float *)in[1])[t * channels + d], sum = 0;
      float dt_x = dt * ((const float *)in[2])[t * channels + d], *restrict s = h + d * states;
      for (int64_t i = 0; i < states; i++) decay[i] = expf(dt * a[d * states + i]);
      for (int64_t i = 0; i < states; i++) s[i] = decay[i] * s[i] + dt_x * b[i];
      for (int64_t i = 0; i < states; i++) sum += s[i] * c[i];
      ((float *)out[0])[t * channels + d] = sum;
    }
  free(decay);
}

/* A head at a time, so that its state stays in the nearest cache. */
REFERENCE(rwkv6) {
  const int64_t steps = n[0], heads = n[1], keys = n[2], values = n[3];
  memcpy(out[1], in[5], (size_t)(heads * keys * values) * sizeof(float));
  for (int64_t h = 0; h < heads; h++) {
    const float *restrict u = (const float *)in[0] + h * keys;
    for (int64_t t = 0; t < steps; t++) {
      const int64_t row = t * heads + h;
      const float *restrict r = (const float *)in[1] + row * keys;
      const float *restrict k = (const float *)in[2] + row * keys;
      const float *restrict v = (const float *)in[3] + row * values;
      const float *restrict w = (const float *)in[4] + row * keys;
      float *restrict y = (float *)out[0] + row * values;
      float *restrict s = (float *)out[1] + h * keys * values;
      for (int64_t j = 0; j < values; j++) y[j] = 0;
      for (int64_t i = 0; i < keys; i++, s += values) {
        float decay = expf(w[i]);
        for (int64_t j = 0; j < values; j++) {
          float kv = k[i] * v[j];
          y[j] += (s[j] + u[i] * kv) * r[i];
          s[j] = s[j] * decay + kv;
        }
      }
    }
  }
}
