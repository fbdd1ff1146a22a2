/* Small states: of known size, or with what is independent in the innermost loop. */
#include <math.h>
#include <string.h>

#include "floats.h"
#include "membrane_step.h"
#include "variants.h"

static inline __attribute__((always_inline)) void tanh_steps(void *const *in, float *restrict h,
                                                             float *restrict next, int64_t steps,
                                                             const int64_t size) {
  const float *restrict w = in[0], *restrict x = in[1];
  for (int64_t t = 0; t < steps; t++, x += size) {
    for (int64_t i = 0; i < size; i++) next[i] = 0;
    for (int64_t j = 0; j < size; j++)
      for (int64_t i = 0; i < size; i++) next[i] += w[i * size + j] * h[j];
    for (int64_t i = 0; i < size; i++) h[i] = tanhf(next[i] + x[i]);
  }
}

REFERENCE(tanh_cell) {
  float known[4], *room = n[1] == 4 ? NULL : floats(n[1]);
  memcpy(out[0], in[2], (size_t)n[1] * sizeof(float));
  if (n[1] == 4) tanh_steps(in, out[0], known, n[0], 4);
  else tanh_steps(in, out[0], room, n[0], n[1]);
  free(room);
}

/* In place: every leaf is read before its neighbour is written, but for the first. */
REFERENCE(many_leaves) {
  const double *restrict x = in[1];
  double *restrict c = out[1];
  const int64_t last = n[1] - 1;
  memcpy(c, in[0], (size_t)n[1] * sizeof *c);
  for (int64_t t = 0; t < n[0]; t++) {
    double first = c[0];
    for (int64_t i = 0; i < last; i++) c[i] = 0.99 * c[i] + 0.01 * c[i + 1] * x[t];
    c[last] = 0.99 * c[last] + 0.01 * first * x[t];
    ((double *)out[0])[t] = c[0];
  }
}

#define SAME(c) (c)
static inline float sigmoid(float x) { return 1 / (1 + expf(-x)); }
MEMBRANE_STEP(membrane_step, float, SAME, expf, expm1f, sigmoid)

/* All membranes of a step in the inner loop. */
REFERENCE(hodgkin_huxley) {
  const int64_t membranes = n[1];
  float *restrict state = floats(4 * membranes);
  for (int i = 0; i < 4; i++)
    memcpy(state + i * membranes, in[i], (size_t)membranes * sizeof *state);
  for (int64_t t = 0; t < n[0]; t++) {
    const float *restrict current = (const float *)in[4] + t * membranes;
    float *restrict y = (float *)out[0] + t * membranes;
    for (int64_t d = 0; d < membranes; d++) {
      float s[4];
      for (int i = 0; i < 4; i++) s[i] = state[i * membranes + d];
      membrane_step(s, current[d]);
      for (int i = 0; i < 4; i++) state[i * membranes + d] = s[i];
      y[d] = s[0];
    }
  }
  free(state);
}

/* The voltages lie between copies of the first and the last one, and are written to another row. */
REFERENCE(hodgkin_huxley_cable) {
  const int64_t size = n[1];
  float *gates = floats(3 * size), *rows = floats(2 * (size + 2)), *v = rows, *next = v + size + 2;
  memcpy(v + 1, in[0], (size_t)size * sizeof *v);
  for (int i = 0; i < 3; i++) memcpy(gates + i * size, in[i + 1], (size_t)size * sizeof *gates);
  for (int64_t t = 0; t < n[0]; t++) {
    const float *restrict given = (const float *)in[4] + t * size;
    v[0] = v[1], v[size + 1] = v[size];
    for (int64_t d = 0; d < size; d++) {
      float s[4] = {v[d + 1], gates[d], gates[size + d], gates[2 * size + d]};
      membrane_step(s, given[d] + AXIAL(s[0], v[d], v[d + 2], SAME));
      next[d + 1] = s[0];
      for (int i = 0; i < 3; i++) gates[i * size + d] = s[i + 1];
    }
    memcpy((float *)out[0] + t * size, next + 1, (size_t)size * sizeof *next);
    float *before = v;
    v = next, next = before;
  }
  free(gates), free(rows);
}
