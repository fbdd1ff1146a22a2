#include "variants.h"

REFERENCE(ema_audio) {
  for (int64_t c = 0; c < n[0]; c++) {
    const float *x = (const float *)in[0] + c * n[1];
    float *y = (float *)out[0] + c * n[1], s = 0;
    for (int64_t t = 0; t < n[1]; t++) y[t] = s = s + (x[t] - s) * 0.1f;
  }
}

REFERENCE(biquad_audio) {
  for (int64_t c = 0; c < n[0]; c++) {
    const float *x = (const float *)in[0] + c * n[1];
    float *y = (float *)out[0] + c * n[1], s = 0, z = 0;
    for (int64_t t = 0; t < n[1]; t++) {
      float now = x[t] * 0.0675f + s;
      s = x[t] * 0.1349f + now * 1.143f + z;
      z = x[t] * 0.0675f - now * 0.4128f;
      y[t] = now;
    }
  }
}
