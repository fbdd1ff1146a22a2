#include <math.h>
#include <string.h>

#include "kalman_step.h"
#include "variants.h"

/* c[rows][columns] = a[rows][k] b[k][columns], b transposed where it says so. */
static void product(const double *a, const double *b, bool transposed, double *c, int64_t rows,
                    int64_t k, int64_t columns) {
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < columns; j++) {
      double sum = 0;
      for (int64_t l = 0; l < k; l++)
        sum += a[i * k + l] * (transposed ? b[j * k + l] : b[l * columns + j]);
      c[i * columns + j] = sum;
    }
}

REFERENCE(kalman_f64) {
  const double *f = in[0], *h = in[1], *z = in[2];
  double mean[4], p[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
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
    double off[2] = {z[2 * t] - seen[0], z[2 * t + 1] - seen[1]};
    product(gain, off, false, mean, 4, 2, 1);
    for (int i = 0; i < 4; i++) mean[i] += m[i];
    product(gain, h, false, kh, 4, 2, 4);
    for (int i = 0; i < 16; i++) kh[i] = (i % 5 == 0) - kh[i];
    product(kh, q, false, p, 4, 4, 4);
    memcpy((double *)out[0] + 4 * t, mean, sizeof mean);
  }
  memcpy(out[1], p, sizeof p);
}

#define SAME(c) (c)
KALMAN_STEP(track_step, float, SAME)

REFERENCE(kalman_lanes) {
  const int64_t steps = n[0], tracks = n[1];
  const float *z = in[0], *m0 = in[1];
  for (int64_t b = 0; b < tracks; b++) {
    float s[TRACK_LEAVES];
    for (int i = 0; i < TRACK_LEAVES; i++)
      s[i] = i < 4 ? m0[i * tracks + b] : (float)starts_at_one(i);
    for (int64_t t = 0; t < steps; t++) {
      track_step(s, z[2 * t * tracks + b], z[(2 * t + 1) * tracks + b]);
      ((float *)out[0])[t * tracks + b] = s[0];
      ((float *)out[1])[t * tracks + b] = s[1];
    }
  }
}

/* The prefix combined with one element after the other; of the prefix only b and c are needed. */
REFERENCE(kalman_assoc) {
  const float *a = in[0], *b = in[1], *c = in[2], *eta = in[3], *j = in[4];
  float *mean = out[0], *variance = out[1];
  const int64_t lanes = n[1];
  for (int64_t i = 0; i < n[0] * lanes; i++) {
    mean[i] = b[i];
    variance[i] = c[i];
    if (i < lanes) continue;
    float m = mean[i - lanes], v = variance[i - lanes];
    float da = a[i] * (1 / (v * j[i] + 1));
    mean[i] = da * (m + v * eta[i]) + b[i];
    variance[i] = da * v * a[i] + c[i];
  }
}

REFERENCE(quasisep) {
  enum { MOST = 8 };
  const int64_t m = n[1];
  const double *d = in[0];
  double f[MOST * MOST] = {0}, pf[MOST], fa[MOST * MOST], pfa[MOST], *w = out[1];
  for (int64_t t = 0; t < n[0]; t++, w += m) {
    const double *p = (const double *)in[1] + t * m, *q = (const double *)in[2] + t * m;
    const double *a = (const double *)in[3] + t * m * m;
    double pfp;
    product(p, f, false, pf, 1, m, m);
    product(pf, p, false, &pfp, 1, m, 1);
    double root = ((double *)out[0])[t] = sqrt(d[t] - pfp);
    product(f, a, true, fa, m, m, m);
    product(p, fa, false, pfa, 1, m, m);
    for (int64_t i = 0; i < m; i++) w[i] = (q[i] - pfa[i]) / root;
    product(a, fa, false, f, m, m, m);
    for (int64_t i = 0; i < m * m; i++) f[i] += w[i / m] * w[i % m];
  }
}

REFERENCE(hmm_forward) {
  const float *trans = in[0], *obs = in[1], *before = in[2];
  const int64_t states = n[1];
  float *alpha = out[0];
  for (int64_t t = 0; t < n[0]; t++, before = alpha, alpha += states)
    for (int64_t j = 0; j < states; j++) {
      float most = -INFINITY, sum = 0;
      for (int64_t i = 0; i < states; i++) {
        float x = before[i] + trans[i * states + j];
        most = x > most || x != x ? x : most;
      }
      if (isinf(most)) most = 0;
      for (int64_t i = 0; i < states; i++) sum += expf(before[i] + trans[i * states + j] - most);
      alpha[j] = logf(sum) + most + obs[t * states + j];
    }
}
