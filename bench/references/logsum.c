#include <math.h>

#include "variants.h"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#include "lanes.h"
#include "network.h"
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
  a.leaf[0] = top + lanes_log1p_fraction(lanes_exp_negative(negative));
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

/* ---- in f64: sums of exp(x - m) for the largest m, and their logarithm ---- */

/* For x from -700 to 0, to the last place but one. */
static inline __m512d exp_f64(__m512d x) {
  __m512d n = _mm512_roundscale_pd(x * 1.4426950408889634, _MM_FROUND_TO_NEAREST_INT);
  __m512d r = _mm512_fnmadd_pd(n, _mm512_set1_pd(0x1.62e42fefa3800p-1), x);
  r = _mm512_fnmadd_pd(n, _mm512_set1_pd(0x1.ef35793c76730p-45), r);
  double factor = 1;
  for (int k = 1; k <= 12; k++) factor /= k;
  __m512d p = _mm512_set1_pd(factor / 13);
  UNROLL for (int k = 12; k >= 0; k--) {
    p = _mm512_fmadd_pd(p, r, _mm512_set1_pd(factor));
    factor *= k;
  }
  return _mm512_scalef_pd(p, n);
}

/* Of positive normal numbers: the exponent, and 2 atanh(s) of the rest, |s| <= 1/5. */
static inline __m512d log_f64(__m512d x) {
  __m512d m = _mm512_getmant_pd(x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_src);
  __m512d e = _mm512_getexp_pd(x / m), s = (m - 1.0) / (m + 1.0), z = s * s;
  __m512d p = _mm512_set1_pd(2.0 / 23);
  UNROLL for (int k = 10; k >= 0; k--) p = _mm512_fmadd_pd(p, z, _mm512_set1_pd(2.0 / (2 * k + 1)));
  return _mm512_fmadd_pd(e, _mm512_set1_pd(0.6931471805599453), p * s);
}

/* 8 columns. False: they differ by so much that small terms would vanish. */
static bool sums_of_columns(const float *x, float *y, int64_t t, int64_t i, int64_t width) {
  const __mmask8 used = (__mmask8)first_lanes(width < 8 ? width : 8);
  __m256 most = _mm256_maskz_loadu_ps(used, x), least = most;
  for (int64_t k = 0; k < t; k++) {
    __m256 row = _mm256_maskz_loadu_ps(used, x + k * i);
    most = _mm256_max_ps(most, row), least = _mm256_min_ps(least, row);
  }
  __m512d m = _mm512_cvtps_pd(most), sum = _mm512_setzero_pd();
  if (_mm512_cmp_pd_mask(_mm512_cvtps_pd(least) - m, _mm512_set1_pd(-600), _CMP_NGE_UQ))
    return false;
  for (int64_t k = 0; k < t; k++) {
    sum += exp_f64(_mm512_cvtps_pd(_mm256_maskz_loadu_ps(used, x + k * i)) - m);
    _mm256_mask_storeu_ps(y + k * i, used, _mm512_cvtpd_ps(m + log_f64(sum)));
  }
  return true;
}

/* One row, 8 elements a time. */
static bool sums_of_row(const float *x, float *y, int64_t t) {
  float most = x[0], least = x[0];
  for (int64_t k = 0; k < t; k++) {
    most = x[k] > most ? x[k] : most;
    least = x[k] < least || x[k] != x[k] ? x[k] : least;
  }
  if (!(least - most > -600)) return false;
  const __m512d m = _mm512_set1_pd(most);
  __m512d carry = _mm512_setzero_pd();
  for (int64_t k = 0; k < t; k += 8) {
    __mmask8 used = (__mmask8)first_lanes(t - k < 8 ? t - k : 8);
    __m512d v = exp_f64(_mm512_cvtps_pd(_mm256_maskz_loadu_ps(used, x + k)) - m);
    v = _mm512_mask_add_pd(v, 0xaa, v, _mm512_movedup_pd(v));
    v = _mm512_mask_add_pd(v, 0xcc, v, _mm512_permutex_pd(v, 0x50));
    v = _mm512_mask_add_pd(v, 0xf0, v, _mm512_permutexvar_pd(_mm512_set1_epi64(3), v)) + carry;
    _mm256_mask_storeu_ps(y + k, used, _mm512_cvtpd_ps(m + log_f64(v)));
    carry = _mm512_permutexvar_pd(_mm512_set1_epi64(7), v);
  }
  return true;
}

REFERENCE(logcumsumexp_op_zmm) {
  for (int64_t o = 0; o < n[0]; o++) {
    const float *x = (const float *)in[0] + o * n[1] * n[2];
    float *y = (float *)out[0] + o * n[1] * n[2];
    if (n[2] == 1 && !sums_of_row(x, y, n[1])) logcumsumexp_op_strip(x, y, n[1], 1, 1);
    for (int64_t j = 0; n[2] > 1 && j < n[2]; j += 8)
      if (!sums_of_columns(x + j, y + j, n[1], n[2], n[2] - j))
        logcumsumexp_op_strip(x + j, y + j, n[1], n[2], n[2] - j < 8 ? n[2] - j : 8);
  }
}
#endif
