#include "variants.h"

enum { COEFFICIENTS = 15, LANES = 16 };

/* The series so far times the next one: b is added, shifted by one coefficient more each time, from
 * a window with zeros in front of it, so that 16 coefficients make one vector. */
REFERENCE(series) {
  float state[LANES] = {1}, window[2 * LANES] = {0};
  const float *x[COEFFICIENTS];
  float *y[COEFFICIENTS];
  for (int k = 0; k < COEFFICIENTS; k++) x[k] = in[k], y[k] = out[k];
  for (int64_t i = 0; i < n[0]; i++) {
    float next[LANES] = {0};
    for (int k = 0; k < COEFFICIENTS; k++) window[LANES + k] = x[k][i];
    for (int j = 0; j < COEFFICIENTS; j++)
      for (int k = 0; k < LANES; k++) next[k] += state[j] * window[LANES + k - j];
    for (int k = 0; k < COEFFICIENTS; k++) y[k][i] = state[k] = next[k];
  }
}
