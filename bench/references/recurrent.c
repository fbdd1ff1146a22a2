/* GRU and LSTM: weights packed once per call, so that the innermost loop runs over outputs, and the
 * projection of the inputs taken ahead for some steps, so that its weights are read less often. */
#include <math.h>
#include <string.h>

#include "floats.h"
#include "variants.h"

enum { MAX_WIDTH = 64, ROWS_AHEAD = 32 };

/* A matrix of n rows of k, as [panel][k][width]; rows that fill up the last panel are zero. */
typedef struct {
  float *w;
  int64_t n, k, width;
} panels;

static panels pack(const float *w, int64_t n, int64_t k) {
  int64_t width = n < MAX_WIDTH ? 16 : MAX_WIDTH, count = (n + width - 1) / width;
  panels p = {floats(count * width * k), n, k, width};
  for (int64_t j = 0; j < count * width; j++)
    for (int64_t i = 0; i < k; i++)
      p.w[(j / width * k + i) * width + j % width] = j < n ? w[j * k + i] : 0;
  return p;
}

static inline void multiply_panel(const float *restrict w, const float *restrict bias,
                                  const float *restrict x, float *restrict y, int64_t k,
                                  int64_t used, const int64_t width) {
  float sum[MAX_WIDTH] = {0};
  for (int64_t i = 0; i < k; i++)
    for (int64_t j = 0; j < width; j++) sum[j] += w[i * width + j] * x[i];
  for (int64_t j = 0; j < used; j++) y[j] = sum[j] + bias[j];
}

/* y[rows][n] = x[rows][k] times the matrix, plus bias. */
static void multiply(const panels *p, const float *bias, const float *x, int64_t rows, float *y) {
  for (int64_t j = 0; j < p->n; j += p->width) {
    const float *w = p->w + j * p->k;
    int64_t used = p->n - j < p->width ? p->n - j : p->width;
    for (int64_t r = 0; r < rows; r++)
      if (p->width == MAX_WIDTH)
        multiply_panel(w, bias + j, x + r * p->k, y + r * p->n + j, p->k, used, MAX_WIDTH);
      else multiply_panel(w, bias + j, x + r * p->k, y + r * p->n + j, p->k, used, 16);
  }
}

static inline float sigmoid(float x) { return 1 / (1 + expf(-x)); }

static inline int64_t steps_ahead(int64_t batch) {
  return batch < ROWS_AHEAD ? ROWS_AHEAD / batch : 1;
}

REFERENCE(gru) {
  const int64_t steps = n[0], batch = n[1], inputs = n[2], hidden = n[3], gates = 3 * hidden;
  const int64_t ahead = steps_ahead(batch);
  const float *x = in[4], *h = in[5];
  float *y = out[0], *gi = floats(ahead * batch * gates), *gh = floats(batch * gates);
  panels wi = pack(in[0], gates, inputs), wh = pack(in[1], gates, hidden);
  for (int64_t t = 0; t < steps; t++) {
    int64_t now = t % ahead, rows = (steps - t < ahead ? steps - t : ahead) * batch;
    if (now == 0) multiply(&wi, in[2], x + t * batch * inputs, rows, gi);
    multiply(&wh, in[3], h, batch, gh);
    for (int64_t b = 0; b < batch; b++) {
      const float *restrict a = gi + (now * batch + b) * gates, *restrict c = gh + b * gates;
      for (int64_t i = 0; i < hidden; i++) {
        float r = sigmoid(a[i] + c[i]), z = sigmoid(a[hidden + i] + c[hidden + i]);
        float fresh = tanhf(a[2 * hidden + i] + r * c[2 * hidden + i]);
        y[b * hidden + i] = (1 - z) * fresh + z * h[b * hidden + i];
      }
    }
    h = y;
    y += batch * hidden;
  }
  memcpy(out[1], h, (size_t)(batch * hidden) * sizeof *h);
  free(gi), free(gh), free(wi.w), free(wh.w);
}

REFERENCE(lstm) {
  const int64_t steps = n[0], batch = n[1], inputs = n[2], hidden = n[3], gates = 4 * hidden;
  const int64_t ahead = steps_ahead(batch);
  const float *x = in[4], *h = in[5];
  float *y = out[0], *cell = out[2];
  float *gi = floats(ahead * batch * gates), *gh = floats(batch * gates);
  panels wi = pack(in[0], gates, inputs), wh = pack(in[1], gates, hidden);
  memcpy(cell, in[6], (size_t)(batch * hidden) * sizeof *cell);
  for (int64_t t = 0; t < steps; t++) {
    int64_t now = t % ahead, rows = (steps - t < ahead ? steps - t : ahead) * batch;
    if (now == 0) multiply(&wi, in[2], x + t * batch * inputs, rows, gi);
    multiply(&wh, in[3], h, batch, gh);
    for (int64_t b = 0; b < batch; b++) {
      const float *restrict a = gi + (now * batch + b) * gates, *restrict c = gh + b * gates;
      for (int64_t i = 0; i < hidden; i++) {
        float input = sigmoid(a[i] + c[i]), forget = sigmoid(a[hidden + i] + c[hidden + i]);
        float fresh = tanhf(a[2 * hidden + i] + c[2 * hidden + i]);
        float output = sigmoid(a[3 * hidden + i] + c[3 * hidden + i]);
        cell[b * hidden + i] = forget * cell[b * hidden + i] + input * fresh;
        y[b * hidden + i] = output * tanhf(cell[b * hidden + i]);
      }
    }
    h = y;
    y += batch * hidden;
  }
  memcpy(out[1], h, (size_t)(batch * hidden) * sizeof *h);
  free(gi), free(gh), free(wi.w), free(wh.w);
}
