#include <string.h>

#include "variants.h"

enum { SECTIONS = 4 };

/* The number of sections is known, so that coefficients and states stay in registers. */
REFERENCE(cascade) {
  float c[SECTIONS][5], z[SECTIONS][2] = {{0}};
  memcpy(c, in[0], sizeof c);
  const float *restrict x = in[1];
  float *restrict y = out[0];
  for (int64_t t = 0; t < n[1]; t++) {
    float sample = x[t];
    for (int k = 0; k < SECTIONS; k++) {
      float now = c[k][0] * sample + z[k][0];
      z[k][0] = c[k][1] * sample - c[k][3] * now + z[k][1];
      z[k][1] = c[k][2] * sample - c[k][4] * now;
      sample = now;
    }
    y[t] = sample;
  }
}

/* Lane k is section k and takes, at every step, the sample that lane k - 1 had ready one step
 * before: the four work at the same time, on four samples in a row. */
typedef float lanes __attribute__((vector_size(4 * SECTIONS)));
typedef int32_t mask __attribute__((vector_size(4 * SECTIONS)));

REFERENCE(cascade_skewed) {
  const float *sos = in[0], *x = in[1];
  float *y = out[0];
  lanes c[5], z0 = {0}, z1 = {0}, now = {0};
  for (int j = 0; j < 5; j++)
    for (int k = 0; k < SECTIONS; k++) c[j][k] = sos[5 * k + j];
  for (int64_t t = 0; t < n[1] + SECTIONS - 1; t++) {
    lanes sample = __builtin_shufflevector(now, now, 0, 0, 1, 2);
    sample[0] = t < n[1] ? x[t] : 0;
    now = c[0] * sample + z0;
    z0 = c[1] * sample - c[3] * now + z1;
    z1 = c[2] * sample - c[4] * now;
    if (t >= SECTIONS - 1) {
      y[t - (SECTIONS - 1)] = now[SECTIONS - 1];
    } else { /* the sections behind have no sample yet */
      mask begun = (mask){0, 1, 2, 3} <= (int32_t)t;
      z0 = (lanes)((mask)z0 & begun);
      z1 = (lanes)((mask)z1 & begun);
    }
  }
}
