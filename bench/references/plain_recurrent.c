#include <math.h>
#include <string.h>

#include "floats.h"
#include "variants.h"

static float sigmoid(float x) { return 1 / (1 + expf(-x)); }

/* y[n] = w[n][k] x[k] + bias[n] */
static void linear(const float *w, const float *bias, const float *x, float *y, int64_t n,
                   int64_t k) {
  for (int64_t j = 0; j < n; j++) {
    float sum = 0;
    for (int64_t i = 0; i < k; i++) sum += w[j * k + i] * x[i];
    y[j] = sum + bias[j];
  }
}

REFERENCE(gru) {
  const int64_t steps = n[0], batch = n[1], inputs = n[2], hidden = n[3], gates = 3 * hidden;
  const float *h = in[5];
  float *y = out[0], *a = floats(gates), *c = floats(gates);
  for (int64_t row = 0; row < steps * batch; row++, h += hidden, y += hidden) {
    if (row == batch) h = out[0];
    linear(in[0], in[2], (const float *)in[4] + row * inputs, a, gates, inputs);
    linear(in[1], in[3], h, c, gates, hidden);
    for (int64_t i = 0; i < hidden; i++) {
      float r = sigmoid(a[i] + c[i]), z = sigmoid(a[hidden + i] + c[hidden + i]);
      y[i] = (1 - z) * tanhf(a[2 * hidden + i] + r * c[2 * hidden + i]) + z * h[i];
    }
  }
  memcpy(out[1], y - batch * hidden, (size_t)(batch * hidden) * sizeof *y);
  free(a), free(c);
}

REFERENCE(lstm) {
  const int64_t steps = n[0], batch = n[1], inputs = n[2], hidden = n[3], gates = 4 * hidden;
  const float *h = in[5];
  float *y = out[0], *a = floats(gates), *c = floats(gates);
  memcpy(out[2], in[6], (size_t)(batch * hidden) * sizeof *h);
  for (int64_t row = 0; row < steps * batch; row++, h += hidden, y += hidden) {
    if (row == batch) h = out[0];
    float *cell = (float *)out[2] + row % batch * hidden;
    linear(in[0], in[2], (const float *)in[4] + row * inputs, a, gates, inputs);
    linear(in[1], in[3], h, c, gates, hidden);
    for (int64_t i = 0; i < hidden; i++) {
      float input = sigmoid(a[i] + c[i]), forget = sigmoid(a[hidden + i] + c[hidden + i]);
      float fresh = tanhf(a[2 * hidden + i] + c[2 * hidden + i]);
      cell[i] = forget * cell[i] + input * fresh;
      y[i] = sigmoid(a[3 * hidden + i] + c[3 * hidden + i]) * tanhf(cell[i]);
    }
  }
  memcpy(out[1], y - batch * hidden, (size_t)(batch * hidden) * sizeof *y);
  free(a), free(c);
}
