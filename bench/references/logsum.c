#include <math.h>

#include "variants.h"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#include "network.h"
#include "vector_math.h"
#endif

enum { STRIP = 256 };

static inline float log_add_exp(float a, float b) {
  float top = a > b || a != a ? a : b;
  return isinf(a) && a == b ? a : top + log1pf(expf(-fabsf(a - b)));
}

static inline double log_add_exp_double(double c, double x) {
  double low = c < x || c != c ? c : x, high = c > x || c != c ? c : x;
  return low != high || isfinite(low) ? log1p(exp(low - high)) + high : x;
}

#define ALONG_T(name, accumulator, add) \
  static void name##_strip(const float *restrict x, float *restrict y, int64_t t, int64_t i, \
                           int64_t width) { \
    accumulator c[STRIP]; \
    for (int64_t j = 0; j < width; j++) c[j] = y[j] = x[j]; \
    for (int64_t k = 1; k < t; k++) { \
      x += i; \
      y += i; \
      for (int64_t j = 0; j < width; j++) y[j] = (float)(c[j] = add(c[j], x[j])); \
    } \
  } \
  REFERENCE(name) { \
    for (int64_t o = 0; o < n[0]; o++) { \
      const float *x = (const float *)in[0] + o * n[1] * n[2]; \
      float *y = (float *)out[0] + o * n[1] * n[2]; \
      for (int64_t j = 0; j < n[2]; j += STRIP) \
        name##_strip(x + j, y + j, n[1], n[2], n[2] - j < STRIP ? n[2] - j : STRIP); \
    } \
  }

ALONG_T(logaddexp_scan, float, log_add_exp)
ALONG_T(logcumsumexp_op, double, log_add_exp_double)

#ifdef NETWORK_H
/* Equal operands, infinite ones too, differ by 0. */
static inline group add_exp(group a, group b) {
  __m512 x = a.leaf[0], y = b.leaf[0], top = _mm512_max_ps(x, y);
  __mmask16 differ = _mm512_cmp_ps_mask(x, y, _CMP_NEQ_UQ);
  __m512 difference = _mm512_maskz_sub_ps(differ, x, y);
  __m512 negative = _mm512_or_ps(difference, _mm512_set1_ps(-0.0f));
  a.leaf[0] = top + log1p_of_fraction(exp_of_negative(negative));
  return a;
}
static const operation log_sum = {1, add_exp, {-__builtin_inff()}, {0}};

/* Four registers of columns. */
static void tile(const float *x, float *y, int64_t t, int64_t i, int64_t width) {
  group c[4];
  __mmask16 used[4];
  for (int k = 0; k < 4; k++) {
    used[k] = first_lanes(width - 16 * k);
    c[k] = identity_group(&log_sum);
  }
  for (; t > 0; t--, x += i, y += i) UNROLL for (int k = 0; k < 4; k++) {
      group row = {{_mm512_maskz_loadu_ps(used[k], x + 16 * k)}};
      c[k] = add_exp(c[k], row);
      _mm512_mask_storeu_ps(y + 16 * k, used[k], c[k].leaf[0]);
    }
}

REFERENCE(logaddexp_scan_zmm) {
  for (int64_t o = 0; o < n[0]; o++) {
    const float *x = (const float *)in[0] + o * n[1] * n[2];
    float *y = (float *)out[0] + o * n[1] * n[2];
    if (n[2] == 1) segments_row(&log_sum, &x, &y, n[1]);
    for (int64_t j = 0; n[2] > 1 && j < n[2]; j += 64) tile(x + j, y + j, n[1], n[2], n[2] - j);
  }
}
#endif
