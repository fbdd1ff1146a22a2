#include <string.h>

#include "rows.h"
#include "variants.h"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#include "network.h"
#elif defined(__AVX2__)
#include <immintrin.h>
#endif

static void line(const float *restrict a, const float *restrict b, float *restrict y, int64_t t) {
  float h = y[0] = b[0];
  for (int64_t k = 1; k < t; k++) y[k] = h = h * a[k] + b[k];
}

REFERENCE(affine_scan) { line(in[0], in[1], out[0], n[0]); }

REFERENCE(affine_pair) {
  const float *restrict a = in[0], *restrict b = in[1];
  float *restrict products = out[0], *restrict y = out[1];
  float p = 1, h = 0;
  for (int64_t k = 0; k < n[0]; k++) {
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

/* Row by row, with the last row written as the state. */
REFERENCE(gated_middle) {
  const int64_t width = n[2];
  for (int64_t o = 0; o < n[0]; o++) {
    const float *a = (const float *)in[0] + o * n[1] * width;
    const float *b = (const float *)in[1] + o * n[1] * width;
    float *first = (float *)out[0] + o * n[1] * width;
    memcpy(first, b, (size_t)width * sizeof *b);
    for (int64_t t = 1; t < n[1]; t++) {
      const float *h = first + (t - 1) * width;
      const float *restrict a_row = a + t * width, *restrict b_row = b + t * width;
      float *restrict y = first + t * width;
      for (int64_t d = 0; d < width; d++) y[d] = h[d] * a_row[d] + b_row[d];
    }
  }
}

REFERENCE(complex_diagonal) {
  const int64_t width = 2 * n[2];
  for (int64_t o = 0; o < n[0]; o++) {
    const float *a = (const float *)in[0] + o * n[1] * width;
    const float *b = (const float *)in[1] + o * n[1] * width;
    float *first = (float *)out[0] + o * n[1] * width;
    memcpy(first, b, (size_t)width * sizeof *b);
    for (int64_t t = 1; t < n[1]; t++) {
      const float *h = first + (t - 1) * width;
      const float *restrict a_row = a + t * width, *restrict b_row = b + t * width;
      float *restrict y = first + t * width;
      for (int64_t d = 0; d < width; d += 2) {
        y[d] = h[d] * a_row[d] - h[d + 1] * a_row[d + 1] + b_row[d];
        y[d + 1] = h[d] * a_row[d + 1] + h[d + 1] * a_row[d] + b_row[d + 1];
      }
    }
  }
}

#ifdef NETWORK_H
static inline group affine(group x, group y) {
  x.leaf[1] = x.leaf[1] * y.leaf[0] + y.leaf[1];
  x.leaf[0] = x.leaf[0] * y.leaf[0];
  return x;
}
static const operation affine_operation = {2, affine, {1, 0}, {0}};

static void row(const float *a, const float *b, float *y, int64_t t) {
  const float *const x[] = {a, b};
  float *const result[] = {NULL, y};
  prefix_row(&affine_operation, x, result, t);
}

REFERENCE(affine_scan_zmm) { row(in[0], in[1], out[0], n[0]); }

static float row_behind(const float *a, const float *b, float *y, int64_t n, float before) {
  const float *const x[] = {a, b};
  float *const result[] = {NULL, y};
  group carry = identity_group(&affine_operation);
  carry.leaf[1] = _mm512_set1_ps(before);
  prefix_row_behind(&affine_operation, x, result, n, &carry);
  return _mm512_cvtss_f32(carry.leaf[1]);
}

static summary row_sum(const float *a, const float *b, int64_t n) {
  const float *const x[] = {a, b};
  int64_t i = n / (16 * JOINED) * (16 * JOINED);
  group g = row_total(&affine_operation, x, i);
  summary t = {{_mm512_cvtss_f32(g.leaf[0]), _mm512_cvtss_f32(g.leaf[1])}};
  for (; i < n; i++) t = (summary){{t.leaf[0] * a[i], t.leaf[1] * a[i] + b[i]}};
  return t;
}

REFERENCE(affine_pair_zmm) {
  const float *const x[] = {in[0], in[1]};
  float *const result[] = {out[0], out[1]};
  prefix_row(&affine_operation, x, result, n[0]);
}

REFERENCE(gated_last_zmm) {
  for (int64_t r = 0; r < n[0] * n[1]; r++) {
    int64_t at = r * n[2];
    row((const float *)in[0] + at, (const float *)in[1] + at, (float *)out[0] + at, n[2]);
  }
}

enum { TILE = 8 };

/* TILE registers of channels, whose state stays in them. */
static void tile(const float *a, const float *b, float *y, int64_t t, int64_t stride,
                 int64_t width) {
  __m512 h[TILE] = {0};
  __mmask16 used[TILE];
  for (int k = 0; k < TILE; k++) used[k] = first_lanes(width - 16 * k);
  for (; t > 0; t--, a += stride, b += stride, y += stride) UNROLL for (int k = 0; k < TILE; k++) {
      h[k] = h[k] * _mm512_maskz_loadu_ps(used[k], a + 16 * k) +
             _mm512_maskz_loadu_ps(used[k], b + 16 * k);
      _mm512_mask_storeu_ps(y + 16 * k, used[k], h[k]);
    }
}

REFERENCE(gated_middle_zmm) {
  for (int64_t o = 0; o < n[0]; o++)
    for (int64_t d = 0; d < n[2]; d += 16 * TILE) {
      int64_t at = o * n[1] * n[2] + d;
      tile((const float *)in[0] + at, (const float *)in[1] + at, (float *)out[0] + at, n[1], n[2],
           n[2] - d);
    }
}

/* 8 pairs h * a. */
static inline __m512 complex_product(__m512 h, __m512 a) {
  __m512 real = _mm512_moveldup_ps(a), imaginary = _mm512_movehdup_ps(a);
  __m512 crossed = _mm512_permute_ps(h, 0xb1) * imaginary;
#if BENCH_CONTRACT
  return _mm512_fmaddsub_ps(h, real, crossed);
#else
  __m512 straight = h * real;
  return _mm512_mask_sub_ps(straight + crossed, 0x5555, straight, crossed);
#endif
}

enum { COMPLEX_TILE = 4 };

static void complex_tile(const float *a, const float *b, float *y, int64_t t, int64_t stride,
                         int64_t width) {
  __m512 h[COMPLEX_TILE] = {0};
  __mmask16 used[COMPLEX_TILE];
  for (int k = 0; k < COMPLEX_TILE; k++) used[k] = first_lanes(width - 16 * k);
  for (; t > 0; t--, a += stride, b += stride, y += stride)
    UNROLL for (int k = 0; k < COMPLEX_TILE; k++) {
      h[k] = complex_product(h[k], _mm512_maskz_loadu_ps(used[k], a + 16 * k)) +
             _mm512_maskz_loadu_ps(used[k], b + 16 * k);
      _mm512_mask_storeu_ps(y + 16 * k, used[k], h[k]);
    }
}

REFERENCE(complex_diagonal_zmm) {
  for (int64_t o = 0; o < n[0]; o++)
    for (int64_t d = 0; d < 2 * n[2]; d += 16 * COMPLEX_TILE) {
      int64_t at = 2 * o * n[1] * n[2] + d;
      complex_tile((const float *)in[0] + at, (const float *)in[1] + at, (float *)out[0] + at, n[1],
                   2 * n[2], 2 * n[2] - d);
    }
}
#endif

#ifndef NETWORK_H
static float row_behind(const float *a, const float *b, float *y, int64_t n, float before) {
  for (int64_t i = 0; i < n; i++) y[i] = before = before * a[i] + b[i];
  return before;
}

static summary row_sum(const float *a, const float *b, int64_t n) {
  summary t = {{1, 0}};
  for (int64_t i = 0; i < n; i++) t = (summary){{t.leaf[0] * a[i], t.leaf[1] * a[i] + b[i]}};
  return t;
}
#endif

/* ---- several threads ---- */

/* Of what stands before there is a sum only: its factor would multiply the 0 that h begins with. */
static summary affine_prefixes(void *const *in, void *const *out, int64_t from, int64_t n,
                               summary before) {
  const float *a = in[0], *b = in[1];
  float *y = out[0];
  return (summary){{0, row_behind(a + from, b + from, y + from, n, before.leaf[1])}};
}
static summary affine_sum(void *const *in, int64_t from, int64_t n) {
  const float *a = in[0], *b = in[1];
  return row_sum(a + from, b + from, n);
}
static summary affine_join(summary earlier, summary later) {
  return (summary){
      {earlier.leaf[0] * later.leaf[0], earlier.leaf[1] * later.leaf[0] + later.leaf[1]}};
}
static const row_operation affine_rows = {affine_prefixes, affine_sum, affine_join, {{1, 0}}};

REFERENCE(affine_scan_blocks) { row_by_blocks(&affine_rows, in, out, n[0]); }
REFERENCE(affine_scan_parts) { row_by_parts(&affine_rows, in, out, n[0]); }

#ifdef __AVX2__
/* Lanes of `late` join the lane that `from` names. */
#define STEP(a, b, from, late) \
  do { \
    __m256 before_a = _mm256_permutevar8x32_ps(a, from), \
           before_b = _mm256_permutevar8x32_ps(b, from); \
    b = _mm256_blend_ps(b, before_b * a + b, late); \
    a = _mm256_blend_ps(a, before_a * a, late); \
  } while (0)

#define STEPS(factor, sum) \
  STEP(factor, sum, _mm256_set_epi32(6, 6, 4, 4, 2, 2, 0, 0), 0xaa); \
  STEP(factor, sum, _mm256_set_epi32(5, 5, 4, 4, 1, 1, 0, 0), 0xcc); \
  STEP(factor, sum, _mm256_set1_epi32(3), 0xf0)

REFERENCE(affine_scan_ymm) {
  const float *a = in[0], *b = in[1];
  float *y = out[0], last = 0;
  int64_t i = 0;
  __m256 h = _mm256_setzero_ps();
  for (; i + 8 <= n[0]; i += 8) {
    __m256 factor = _mm256_loadu_ps(a + i), sum = _mm256_loadu_ps(b + i);
    STEPS(factor, sum);
    _mm256_storeu_ps(y + i, h * factor + sum);
    h = h * _mm256_permutevar8x32_ps(factor, _mm256_set1_epi32(7)) +
        _mm256_permutevar8x32_ps(sum, _mm256_set1_epi32(7));
  }
  last = _mm256_cvtss_f32(h);
  for (; i < n[0]; i++) y[i] = last = last * a[i] + b[i];
}

REFERENCE(affine_pair_ymm) {
  const float *a = in[0], *b = in[1];
  float *products = out[0], *y = out[1];
  const __m256i last = _mm256_set1_epi32(7);
  __m256 p = _mm256_set1_ps(1), h = _mm256_setzero_ps();
  int64_t i = 0;
  for (; i + 8 <= n[0]; i += 8) {
    __m256 factor = _mm256_loadu_ps(a + i), sum = _mm256_loadu_ps(b + i);
    STEPS(factor, sum);
    _mm256_storeu_ps(products + i, p * factor);
    _mm256_storeu_ps(y + i, h * factor + sum);
    __m256 all = _mm256_permutevar8x32_ps(factor, last);
    p = p * all;
    h = h * all + _mm256_permutevar8x32_ps(sum, last);
  }
  float product = _mm256_cvtss_f32(p), state = _mm256_cvtss_f32(h);
  for (; i < n[0]; i++) {
    products[i] = product = product * a[i];
    y[i] = state = state * a[i] + b[i];
  }
}
#endif
