#include "variants.h"

REFERENCE(cascade) {
  const int64_t sections = n[0];
  const float *sos = in[0], *x = in[1];
  float *y = out[0], z[16] = {0};
  for (int64_t t = 0; t < n[1]; t++) {
    float sample = x[t];
    for (int64_t k = 0; k < sections; k++) {
      const float *c = sos + 5 * k;
      float now = c[0] * sample + z[2 * k];
      z[2 * k] = c[1] * sample - c[3] * now + z[2 * k + 1];
      z[2 * k + 1] = c[2] * sample - c[4] * now;
      sample = now;
    }
    y[t] = sample;
  }
}
