#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "floats.h"
#include "membrane_step.h"
#include "variants.h"

REFERENCE(tanh_cell) {
  const float *w = in[0], *x = in[1];
  const int64_t size = n[1];
  float *h = out[0], *next = floats(size);
  memcpy(h, in[2], (size_t)size * sizeof *h);
  for (int64_t t = 0; t < n[0]; t++) {
    for (int64_t i = 0; i < size; i++) {
      float sum = 0;
      for (int64_t j = 0; j < size; j++) sum += w[i * size + j] * h[j];
      next[i] = tanhf(sum + x[t * size + i]);
    }
    memcpy(h, next, (size_t)size * sizeof *h);
  }
  free(next);
}

REFERENCE(many_leaves) {
  const double *x = in[1];
  double *c = out[1];
  const int64_t leaves = n[1];
  memcpy(c, in[0], (size_t)leaves * sizeof *c);
  for (int64_t t = 0; t < n[0]; t++) {
    double first = c[0];
    for (int64_t i = 0; i < leaves; i++)
      c[i] = 0.99 * c[i] + 0.01 * (i + 1 < leaves ? c[i + 1] : first) * x[t];
    ((double *)out[0])[t] = c[0];
  }
}

#define SAME(c) (c)
static inline float sigmoid(float x) { return 1 / (1 + expf(-x)); }
MEMBRANE_STEP(membrane_step, float, SAME, expf, expm1f, sigmoid)

REFERENCE(hodgkin_huxley) {
  const int64_t steps = n[0], membranes = n[1];
  for (int64_t d = 0; d < membranes; d++) {
    float s[4];
    for (int i = 0; i < 4; i++) s[i] = ((const float *)in[i])[d];
    for (int64_t t = 0; t < steps; t++) {
      membrane_step(s, ((const float *)in[4])[t * membranes + d]);
      ((float *)out[0])[t * membranes + d] = s[0];
    }
  }
}

REFERENCE(hodgkin_huxley_cable) {
  const int64_t steps = n[0], size = n[1];
  const float *given = in[4];
  float *state = floats(4 * size), *v = floats(size), *y = out[0]; /* state[compartment][4] */
  for (int64_t i = 0; i < 4 * size; i++) state[i] = ((const float *)in[i % 4])[i / 4];
  for (int64_t t = 0; t < steps; t++, given += size, y += size) {
    for (int64_t d = 0; d < size; d++) v[d] = state[4 * d];
    for (int64_t d = 0; d < size; d++) {
      float left = v[d > 0 ? d - 1 : 0], right = v[d + 1 < size ? d + 1 : d];
      membrane_step(state + 4 * d, given[d] + AXIAL(v[d], left, right, SAME));
      y[d] = state[4 * d];
    }
  }
  free(state), free(v);
}
