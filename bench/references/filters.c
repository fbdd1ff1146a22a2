/* Filters of statistics: matrices of known size, and what is independent in the innermost loop. */
#include <math.h>
#include <string.h>

#include "floats.h"
#include "kalman_step.h"
#include "variants.h"

/* c = a b, or a b' where `transposed`; every size is known where it is called, so all of it
 * unrolls. */
static inline __attribute__((always_inline)) void
product(const double *restrict a, const double *restrict b, const bool transposed,
        double *restrict c, const int rows, const int k, const int columns) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) {
      double sum = 0;
      for (int l = 0; l < k; l++)
        sum += a[i * k + l] * (transposed ? b[j * k + l] : b[l * columns + j]);
      c[i * columns + j] = sum;
    }
}

REFERENCE(kalman_f64) {
  double f[16], h[8], mean[4], p[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  const double *z = in[2];
  memcpy(f, in[0], sizeof f);
  memcpy(h, in[1], sizeof h);
  memcpy(mean, in[3], sizeof mean);
  for (int64_t t = 0; t < n[0]; t++) {
    double m[4], fp[16], q[16], hq[8], s[4], qh[8], gain[8], seen[2], kh[16];
    product(f, mean, false, m, 4, 4, 1);
    product(f, p, false, fp, 4, 4, 4);
    product(fp, f, true, q, 4, 4, 4);
    for (int i = 0; i < 4; i++) q[i * 5] += 0.01;
    product(h, q, false, hq, 2, 4, 4);
    product(hq, h, true, s, 2, 4, 2);
    s[0] += 0.1, s[3] += 0.1;
    double det = s[0] * s[3] - s[1] * s[2];
    double inverse[4] = {s[3] / det, -s[1] / det, -s[2] / det, s[0] / det};
    product(q, h, true, qh, 4, 4, 2);
    product(qh, inverse, false, gain, 4, 2, 2);
    product(h, m, false, seen, 2, 4, 1);
    double off0 = z[2 * t] - seen[0], off1 = z[2 * t + 1] - seen[1];
    for (int i = 0; i < 4; i++) mean[i] = m[i] + (gain[2 * i] * off0 + gain[2 * i + 1] * off1);
    product(gain, h, false, kh, 4, 2, 4);
    for (int i = 0; i < 16; i++) kh[i] = (i % 5 == 0) - kh[i];
    product(kh, q, false, p, 4, 4, 4);
    memcpy((double *)out[0] + 4 * t, mean, sizeof mean);
  }
  memcpy(out[1], p, sizeof p);
}

#define SAME(c) (c)
KALMAN_STEP(track_step, float, SAME)

/* `width` tracks from b on. The leaves lie in an array of known size, so that the compiler sees
 * that none overlaps another and vectorises over the tracks. */
static inline __attribute__((always_inline)) void
track_block(void *const *in, void *const *out, const int64_t *n, int64_t b, const int width) {
  float leaves[TRACK_LEAVES][32];
  for (int i = 0; i < TRACK_LEAVES; i++)
    for (int l = 0; l < width; l++)
      leaves[i][l] = i < 4 ? ((const float *)in[1])[i * n[1] + b + l] : (float)starts_at_one(i);
  for (int64_t t = 0; t < n[0]; t++) {
    const float *restrict zx = (const float *)in[0] + 2 * t * n[1] + b, *restrict zy = zx + n[1];
    float *restrict x = (float *)out[0] + t * n[1] + b;
    float *restrict y = (float *)out[1] + t * n[1] + b;
    for (int l = 0; l < width; l++) {
      float s[TRACK_LEAVES];
      for (int i = 0; i < TRACK_LEAVES; i++) s[i] = leaves[i][l];
      track_step(s, zx[l], zy[l]);
      for (int i = 0; i < TRACK_LEAVES; i++) leaves[i][l] = s[i];
      x[l] = s[0];
      y[l] = s[1];
    }
  }
}

REFERENCE(kalman_lanes) {
  int64_t b = 0;
  for (; b + 32 <= n[1]; b += 32) track_block(in, out, n, b, 32);
  for (; b < n[1]; b++) track_block(in, out, n, b, 1);
}

/* A row at a time from the row before it. */
REFERENCE(kalman_assoc) {
  const int64_t lanes = n[1];
  memcpy(out[0], in[1], (size_t)lanes * sizeof(float));
  memcpy(out[1], in[2], (size_t)lanes * sizeof(float));
  for (int64_t t = lanes; t < n[0] * lanes; t += lanes) {
    const float *restrict a = (const float *)in[0] + t, *restrict b = (const float *)in[1] + t;
    const float *restrict c = (const float *)in[2] + t, *restrict eta = (const float *)in[3] + t;
    const float *restrict j = (const float *)in[4] + t;
    float *restrict mean = (float *)out[0] + t, *restrict variance = (float *)out[1] + t;
    const float *restrict m = (const float *)out[0] + t - lanes;
    const float *restrict v = (const float *)out[1] + t - lanes;
    for (int64_t i = 0; i < lanes; i++) {
      float da = a[i] * (1 / (v[i] * j[i] + 1));
      mean[i] = da * (m[i] + v[i] * eta[i]) + b[i];
      variance[i] = da * v[i] * a[i] + c[i];
    }
  }
}

static inline __attribute__((always_inline)) void quasisep(void *const *in, void *const *out,
                                                           int64_t steps, const int m) {
  enum { MOST = 8 };
  double f[MOST * MOST] = {0}, pf[MOST], fa[MOST * MOST], pfa[MOST], *w = out[1];
  for (int64_t t = 0; t < steps; t++, w += m) {
    const double *p = (const double *)in[1] + t * m, *q = (const double *)in[2] + t * m;
    const double *a = (const double *)in[3] + t * m * m;
    double pfp;
    product(p, f, false, pf, 1, m, m);
    product(pf, p, false, &pfp, 1, m, 1);
    double root = ((double *)out[0])[t] = sqrt(((const double *)in[0])[t] - pfp);
    product(f, a, true, fa, m, m, m);
    product(p, fa, false, pfa, 1, m, m);
    for (int i = 0; i < m; i++) w[i] = (q[i] - pfa[i]) / root;
    product(a, fa, false, f, m, m, m);
    for (int i = 0; i < m * m; i++) f[i] += w[i / m] * w[i % m];
  }
}

REFERENCE(quasisep) {
  if (n[1] == 3) quasisep(in, out, n[0], 3);
  else quasisep(in, out, n[0], (int)n[1]);
}

/* Row by row of the transitions, so that the inner loops run over the states that come next. */
REFERENCE(hmm_forward) {
  const float *restrict trans = in[0];
  const int64_t states = n[1];
  const float *before = in[2];
  float *restrict most = floats(2 * states), *restrict sum = most + states;
  for (int64_t t = 0; t < n[0]; t++) {
    const float *restrict obs = (const float *)in[1] + t * states;
    float *restrict alpha = (float *)out[0] + t * states;
    for (int64_t j = 0; j < states; j++) most[j] = -INFINITY, sum[j] = 0;
    for (int64_t i = 0; i < states; i++)
      for (int64_t j = 0; j < states; j++) {
        float x = before[i] + trans[i * states + j];
        most[j] = most[j] > x ? most[j] : x;
      }
    for (int64_t j = 0; j < states; j++) most[j] = isinf(most[j]) ? 0 : most[j];
    for (int64_t i = 0; i < states; i++)
      for (int64_t j = 0; j < states; j++)
        sum[j] += expf(before[i] + trans[i * states + j] - most[j]);
    for (int64_t j = 0; j < states; j++) alpha[j] = logf(sum[j]) + most[j] + obs[j];
    before = alpha;
  }
  free(most);
}
