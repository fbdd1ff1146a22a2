#include "variants.h"

enum { COEFFICIENTS = 15 };

/* Coefficient k of the series so far times the next one. */
static float coefficient(const float *state, void *const *next, int k, int64_t i) {
  float sum = state[0] * ((const float *)next[k])[i];
  for (int j = 1; j <= k; j++) sum += state[j] * ((const float *)next[k - j])[i];
  return sum;
}

REFERENCE(series) {
  float state[COEFFICIENTS] = {1};
  for (int64_t i = 0; i < n[0]; i++) {
    /* From the last one, which no other one needs, to the first one, which all need. */
    for (int k = COEFFICIENTS - 1; k >= 0; k--) state[k] = coefficient(state, in, k, i);
    for (int k = 0; k < COEFFICIENTS; k++) ((float *)out[k])[i] = state[k];
  }
}
