#include "variants.h"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#include "network.h"
#endif

enum { STRIP = 256 };

/* One array of t rows of i elements, in strips whose sums stay in L1; one line where i is 1. */
#define ALONG_T(name, accumulator, start, op) \
  static void name##_line(const float *restrict x, float *restrict y, int64_t t) { \
    accumulator c = start; \
    for (int64_t k = 0; k < t; k++) y[k] = (float)(c op x[k]); \
  } \
  static void name##_strip(const float *restrict x, float *restrict y, int64_t t, int64_t i, \
                           int64_t width) { \
    accumulator c[STRIP]; \
    for (int64_t j = 0; j < STRIP; j++) c[j] = start; \
    for (int64_t k = 0; k < t; k++, x += i, y += i) \
      for (int64_t j = 0; j < width; j++) y[j] = (float)(c[j] op x[j]); \
  } \
  REFERENCE(name) { \
    for (int64_t o = 0; o < n[0]; o++) { \
      const float *x = (const float *)in[0] + o * n[1] * n[2]; \
      float *y = (float *)out[0] + o * n[1] * n[2]; \
      if (n[2] == 1) name##_line(x, y, n[1]); \
      for (int64_t j = 0; n[2] > 1 && j < n[2]; j += STRIP) \
        name##_strip(x + j, y + j, n[1], n[2], n[2] - j < STRIP ? n[2] - j : STRIP); \
    } \
  }

ALONG_T(cumsum_axis, float, 0, +=)
ALONG_T(cumsum_op, double, 0, +=)
ALONG_T(cumprod_op, double, 1, *=)

#ifdef NETWORK_H
static inline group add(group a, group b) {
  a.leaf[0] += b.leaf[0];
  return a;
}

static const operation sum = {1, add, {0}, {0}};

/* 64 columns, whose sums stay in four registers. */
static void tile(const float *x, float *y, int64_t t, int64_t i, int64_t width) {
  __m512 c[4] = {0};
  __mmask16 used[4];
  for (int k = 0; k < 4; k++) used[k] = first_lanes(width - 16 * k);
  for (; t > 0; t--, x += i, y += i)
    for (int k = 0; k < 4; k++) {
      c[k] += _mm512_maskz_loadu_ps(used[k], x + 16 * k);
      _mm512_mask_storeu_ps(y + 16 * k, used[k], c[k]);
    }
}

/* In f64: 32 columns; rows within registers of 8, which is another order than that of the loop. */
#define WIDE(name, start, op, combine) \
  static void name##_tile(const float *x, float *y, int64_t t, int64_t i, int64_t width) { \
    __m512d c[4]; \
    __mmask16 used[4]; \
    for (int k = 0; k < 4; k++) c[k] = _mm512_set1_pd(start); \
    for (int k = 0; k < 4; k++) used[k] = first_lanes(width - 8 * k); \
    for (; t > 0; t--, x += i, y += i) \
      for (int k = 0; k < 4; k++) { \
        __mmask8 mask = (__mmask8)used[k]; \
        c[k] op _mm512_cvtps_pd(_mm256_maskz_loadu_ps(mask, x + 8 * k)); \
        _mm256_mask_storeu_ps(y + 8 * k, mask, _mm512_cvtpd_ps(c[k])); \
      } \
  } \
  static void name##_row(const float *x, float *y, int64_t t) { \
    __m512d carry = _mm512_set1_pd(start); \
    int64_t k = 0; \
    for (; k + 8 <= t; k += 8) { \
      __m512d v = _mm512_cvtps_pd(_mm256_loadu_ps(x + k)), whole; \
      v = combine(v, 0xaa, v, _mm512_movedup_pd(v)); \
      v = combine(v, 0xcc, v, _mm512_permutex_pd(v, 0x50)); \
      v = combine(v, 0xf0, v, _mm512_permutexvar_pd(_mm512_set1_epi64(3), v)); \
      whole = _mm512_permutexvar_pd(_mm512_set1_epi64(7), v); \
      v op carry; \
      _mm256_storeu_ps(y + k, _mm512_cvtpd_ps(v)); \
      carry op whole; \
    } \
    double c = _mm512_cvtsd_f64(carry); \
    for (; k < t; k++) y[k] = (float)(c op x[k]); \
  } \
  REFERENCE(name) { \
    for (int64_t o = 0; o < n[0]; o++) { \
      const float *x = (const float *)in[0] + o * n[1] * n[2]; \
      float *y = (float *)out[0] + o * n[1] * n[2]; \
      if (n[2] == 1) name##_row(x, y, n[1]); \
      for (int64_t j = 0; n[2] > 1 && j < n[2]; j += 32) \
        name##_tile(x + j, y + j, n[1], n[2], n[2] - j); \
    } \
  }

WIDE(cumsum_op_zmm, 0, +=, _mm512_mask_add_pd)
WIDE(cumprod_op_zmm, 1, *=, _mm512_mask_mul_pd)

REFERENCE(cumsum_axis_zmm) {
  for (int64_t o = 0; o < n[0]; o++) {
    const float *x = (const float *)in[0] + o * n[1] * n[2];
    float *y = (float *)out[0] + o * n[1] * n[2];
    if (n[2] == 1) prefix_row(&sum, &x, &y, n[1]);
    for (int64_t j = 0; n[2] > 1 && j < n[2]; j += 64) tile(x + j, y + j, n[1], n[2], n[2] - j);
  }
}
#endif
