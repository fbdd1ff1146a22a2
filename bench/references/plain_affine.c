#include "variants.h"

static void line(const float *a, const float *b, float *y, int64_t t) {
  float h = y[0] = b[0];
  for (int64_t k = 1; k < t; k++) y[k] = h = h * a[k] + b[k];
}

REFERENCE(affine_scan) { line(in[0], in[1], out[0], n[0]); }

REFERENCE(affine_pair) {
  const float *a = in[0], *b = in[1];
  float *products = out[0], *y = out[1];
  float p = products[0] = a[0], h = y[0] = b[0];
  for (int64_t k = 1; k < n[0]; k++) {
    products[k] = p = p * a[k];
    y[k] = h = h * a[k] + b[k];
  }
}

REFERENCE(gated_last) {
  for (int64_t row = 0; row < n[0] * n[1]; row++) {
    int64_t at = row * n[2];
    line((const float *)in[0] + at, (const float *)in[1] + at, (float *)out[0] + at, n[2]);
  }
}

/* The state is the row before in the result. */
REFERENCE(gated_middle) {
  const float *a = in[0], *b = in[1];
  float *y = out[0];
  for (int64_t o = 0; o < n[0]; o++)
    for (int64_t t = 0; t < n[1]; t++)
      for (int64_t d = 0; d < n[2]; d++) {
        int64_t at = (o * n[1] + t) * n[2] + d;
        y[at] = t ? y[at - n[2]] * a[at] + b[at] : b[at];
      }
}

/* Pairs of real and imaginary parts. */
REFERENCE(complex_diagonal) {
  for (int64_t o = 0; o < n[0]; o++)
    for (int64_t t = 0; t < n[1]; t++)
      for (int64_t d = 0; d < n[2]; d++) {
        int64_t at = 2 * ((o * n[1] + t) * n[2] + d);
        const float *a = (const float *)in[0] + at, *b = (const float *)in[1] + at;
        float *y = (float *)out[0] + at, *h = t ? y - 2 * n[2] : y;
        y[0] = t ? h[0] * a[0] - h[1] * a[1] + b[0] : b[0];
        y[1] = t ? h[0] * a[1] + h[1] * a[0] + b[1] : b[1];
      }
}
