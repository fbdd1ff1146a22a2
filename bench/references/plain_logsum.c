#include <math.h>

#include "variants.h"

static float log_add_exp(float a, float b) {
  if (isinf(a) && a == b) return a;
  return (a > b || a != a ? a : b) + log1pf(expf(-fabsf(a - b)));
}

REFERENCE(logaddexp_scan) {
  const float *x = in[0];
  float *y = out[0];
  for (int64_t o = 0; o < n[0]; o++)
    for (int64_t i = 0; i < n[2]; i++) {
      int64_t at = o * n[1] * n[2] + i;
      float c = y[at] = x[at];
      for (int64_t t = 1; t < n[1]; t++) {
        at += n[2];
        y[at] = c = log_add_exp(c, x[at]);
      }
    }
}

/* As torch: in double, and -inf or inf meet without a NaN. */
static double log_add_exp_double(double x, double c) {
  double low = c < x || c != c ? c : x, high = c > x || c != c ? c : x;
  return low != high || isfinite(low) ? log1p(exp(low - high)) + high : x;
}

REFERENCE(logcumsumexp_op) {
  const float *x = in[0];
  float *y = out[0];
  for (int64_t o = 0; o < n[0]; o++)
    for (int64_t i = 0; i < n[2]; i++) {
      double c = -INFINITY;
      for (int64_t t = 0; t < n[1]; t++) {
        int64_t at = (o * n[1] + t) * n[2] + i;
        y[at] = (float)(c = log_add_exp_double(x[at], c));
      }
    }
}
