#include "variants.h"

/* The later matrix, of entry k at x[k][i], on the left of m, entries a b c d. */
static void multiply(const float *const *x, int64_t i, float *m) {
  float a = x[0][i] * m[0] + x[1][i] * m[2], b = x[0][i] * m[1] + x[1][i] * m[3];
  float c = x[2][i] * m[0] + x[3][i] * m[2], d = x[2][i] * m[1] + x[3][i] * m[3];
  m[0] = a;
  m[1] = b;
  m[2] = c;
  m[3] = d;
}

static void move(const float *const *x, int64_t i, float *m) {
  float p = x[0][i] * m[4] + x[1][i] * m[5] + x[4][i];
  m[5] = x[2][i] * m[4] + x[3][i] * m[5] + x[5][i];
  m[4] = p;
}

static void products(int entries, void *const *in, void *const *out, int64_t n) {
  const float *x[6];
  float m[6];
  for (int k = 0; k < entries; k++) x[k] = in[k];
  for (int64_t i = 0; i < n; i++) {
    for (int k = 0; k < entries && i == 0; k++) m[k] = x[k][0];
    if (i) multiply(x, i, m);
    if (i && entries == 6) move(x, i, m);
    for (int k = 0; k < entries; k++) ((float *)out[k])[i] = m[k];
  }
}

REFERENCE(matrix_2x2) { products(4, in, out, n[0]); }
REFERENCE(pose_se2) { products(6, in, out, n[0]); }
