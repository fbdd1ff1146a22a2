/* GRU and LSTM with intrinsics: weights packed in panels of four vectors, several rows of the batch
 * at a time, gates where the sums leave the registers. */
#include "variants.h"
#if defined(__AVX2__) && defined(__FMA__)
#include <string.h>

#include "floats.h"
#include "lanes.h"

enum {
  VECTORS = 4,                /* of a panel */
  ROWS = LANES == 16 ? 4 : 2, /* with VECTORS sums each, what the registers hold */
  ROWS_AHEAD = 32             /* of inputs, projected together */
};

static inline int64_t padded(int64_t n) { return (n + LANES - 1) / LANES * LANES; }

/* The weights and biases of some gates, each padded with zeros to whole vectors: w is
 * [panel][k][vectors of the panel], columns is how many there are in all. */
typedef struct {
  float *w, *bias;
  int64_t k, columns;
} matrix;

static inline int64_t vectors_at(const matrix *m, int64_t column) {
  int64_t left = (m->columns - column) / LANES;
  return left < VECTORS ? left : VECTORS;
}

static matrix pack(const float *w, const float *bias, int64_t gates, int64_t hidden, int64_t k) {
  int64_t columns = gates * padded(hidden);
  matrix m = {floats(columns * k), floats(columns), k, columns};
  for (int64_t j = 0; j < columns; j++) {
    int64_t at = j % padded(hidden), row = j / padded(hidden) * hidden + at;
    int64_t panel = j / (VECTORS * LANES) * VECTORS * LANES;
    int64_t width = vectors_at(&m, panel) * LANES;
    float *to = m.w + panel * k + (j - panel);
    for (int64_t i = 0; i < k; i++) to[i * width] = at < hidden ? w[row * k + i] : 0;
    m.bias[j] = at < hidden ? bias[row] : 0;
  }
  return m;
}

/* y[rows] = bias + x[rows] times one panel; ldx and ldy are the distances of rows. */
static inline __attribute__((always_inline)) void
multiply_panel(const float *w, const float *bias, const float *x, int64_t ldx, float *y,
               int64_t ldy, int64_t k, const int rows, const int vectors) {
  lanes sum[ROWS][VECTORS], weight[VECTORS];
  for (int r = 0; r < rows; r++)
    for (int v = 0; v < vectors; v++) sum[r][v] = lanes_load(bias + v * LANES);
  for (int64_t i = 0; i < k; i++) {
    for (int v = 0; v < vectors; v++) weight[v] = lanes_load(w + (i * vectors + v) * LANES);
    for (int r = 0; r < rows; r++)
      for (int v = 0; v < vectors; v++)
        sum[r][v] = sum[r][v] + weight[v] * lanes_all(x[r * ldx + i]);
  }
  for (int r = 0; r < rows; r++)
    for (int v = 0; v < vectors; v++) lanes_store(y + r * ldy + v * LANES, sum[r][v]);
}

static inline __attribute__((always_inline)) void multiply_rows(const matrix *m, int64_t column,
                                                                const float *x, int64_t ldx,
                                                                int64_t rows, float *y,
                                                                const int vectors) {
  const float *w = m->w + column * m->k, *bias = m->bias + column;
  int64_t r = 0;
  y += column;
  for (; r + ROWS <= rows; r += ROWS)
    multiply_panel(w, bias, x + r * ldx, ldx, y + r * m->columns, m->columns, m->k, ROWS, vectors);
  for (; r < rows; r++)
    multiply_panel(w, bias, x + r * ldx, ldx, y + r * m->columns, m->columns, m->k, 1, vectors);
}

static void multiply(const matrix *m, const float *x, int64_t ldx, int64_t rows, float *y) {
  for (int64_t j = 0; j < m->columns; j += VECTORS * LANES) switch (vectors_at(m, j)) {
      case 4: multiply_rows(m, j, x, ldx, rows, y, 4); break;
      case 3: multiply_rows(m, j, x, ldx, rows, y, 3); break;
      case 2: multiply_rows(m, j, x, ldx, rows, y, 2); break;
      default: multiply_rows(m, j, x, ldx, rows, y, 1);
    }
}

/* What both networks keep. State rows are padded like gates. */
typedef struct {
  matrix wi, wh;
  int64_t batch, inputs, hidden, width, ahead;
  float *gi, *gh, *h;
} network;

static float *state(const float *from, int64_t batch, int64_t hidden) {
  float *rows = floats(batch * padded(hidden));
  memset(rows, 0, (size_t)(batch * padded(hidden)) * sizeof *rows);
  for (int64_t b = 0; b < batch; b++)
    memcpy(rows + b * padded(hidden), from + b * hidden, (size_t)hidden * sizeof *rows);
  return rows;
}

static network begin(void *const *in, const int64_t *n, int64_t gates) {
  network net = {.batch = n[1], .inputs = n[2], .hidden = n[3], .width = padded(n[3])};
  net.ahead = net.batch < ROWS_AHEAD ? ROWS_AHEAD / net.batch : 1;
  net.wi = pack(in[0], in[2], gates, net.hidden, net.inputs);
  net.wh = pack(in[1], in[3], gates, net.hidden, net.hidden);
  net.gi = floats(net.ahead * net.batch * net.wi.columns);
  net.gh = floats(net.batch * net.wh.columns);
  net.h = state(in[5], net.batch, net.hidden);
  return net;
}

/* Leaves the sums of step t in gh and in the result, which is gi of this step. */
static const float *sums(network *net, const float *x, int64_t t, int64_t steps) {
  int64_t now = t % net->ahead, left = steps - t < net->ahead ? steps - t : net->ahead;
  if (now == 0)
    multiply(&net->wi, x + t * net->batch * net->inputs, net->inputs, left * net->batch, net->gi);
  multiply(&net->wh, net->h, net->width, net->batch, net->gh);
  return net->gi + now * net->batch * net->wi.columns;
}

static void write_state(const network *net, const float *state, float *to) {
  for (int64_t b = 0; b < net->batch; b++)
    memcpy(to + b * net->hidden, state + b * net->width, (size_t)net->hidden * sizeof *to);
}

static void end(network *net) {
  free(net->wi.w), free(net->wi.bias), free(net->wh.w), free(net->wh.bias);
  free(net->gi), free(net->gh), free(net->h);
}

REFERENCE(gru_packed) {
  network net = begin(in, n, 3);
  const int64_t width = net.width;
  float *y = out[0];
  for (int64_t t = 0; t < n[0]; t++, y += net.batch * net.hidden) {
    const float *gi = sums(&net, in[4], t, n[0]);
    for (int64_t b = 0; b < net.batch; b++)
      for (int64_t i = 0; i < width; i += LANES) {
        const float *a = gi + b * 3 * width + i, *c = net.gh + b * 3 * width + i;
        float *h = net.h + b * width + i;
        lanes r = lanes_sigmoid(lanes_load(a) + lanes_load(c));
        lanes z = lanes_sigmoid(lanes_load(a + width) + lanes_load(c + width));
        lanes fresh = lanes_tanh(lanes_load(a + 2 * width) + r * lanes_load(c + 2 * width));
        lanes_store(h, (lanes_all(1) - z) * fresh + z * lanes_load(h));
      }
    write_state(&net, net.h, y);
  }
  write_state(&net, net.h, out[1]);
  end(&net);
}

REFERENCE(lstm_packed) {
  network net = begin(in, n, 4);
  const int64_t width = net.width;
  float *y = out[0], *cells = state(in[6], net.batch, net.hidden);
  for (int64_t t = 0; t < n[0]; t++, y += net.batch * net.hidden) {
    const float *gi = sums(&net, in[4], t, n[0]);
    for (int64_t b = 0; b < net.batch; b++)
      for (int64_t i = 0; i < width; i += LANES) {
        const float *a = gi + b * 4 * width + i, *c = net.gh + b * 4 * width + i;
        float *cell = cells + b * width + i;
        lanes input = lanes_sigmoid(lanes_load(a) + lanes_load(c));
        lanes forget = lanes_sigmoid(lanes_load(a + width) + lanes_load(c + width));
        lanes fresh = lanes_tanh(lanes_load(a + 2 * width) + lanes_load(c + 2 * width));
        lanes output = lanes_sigmoid(lanes_load(a + 3 * width) + lanes_load(c + 3 * width));
        lanes kept = forget * lanes_load(cell) + input * fresh;
        lanes_store(cell, kept);
        lanes_store(net.h + b * width + i, output * lanes_tanh(kept));
      }
    write_state(&net, net.h, y);
  }
  write_state(&net, net.h, out[1]);
  write_state(&net, cells, out[2]);
  free(cells);
  end(&net);
}
#endif
