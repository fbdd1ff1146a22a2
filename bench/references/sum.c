#include <string.h>

#include "rows.h"
#include "tiles.h"
#include "variants.h"
#ifdef __AVX2__
#include <immintrin.h>
#endif

#define CUMSUM(name, type) \
  REFERENCE(name) { \
    const type *restrict x = in[0]; \
    type *restrict y = out[0]; \
    type c = 0; \
    for (int64_t i = 0; i < n[0]; i++) y[i] = c += x[i]; \
  }

CUMSUM(cumsum_f32, float)
CUMSUM(cumsum_f64, double)
CUMSUM(cumsum_i32, uint32_t)

/* Row by row with the carry in the last row written: vectors over d, and what a row needs is in the
 * cache. */
REFERENCE(sum_lanes) {
  const float *restrict x = in[1];
  const int64_t steps = n[0], lanes = n[1];
  const float *c = in[0];
  for (int64_t t = 0; t < steps; t++) {
    float *restrict y = (float *)out[1] + t * lanes;
    const float *restrict row = x + t * lanes;
    for (int64_t d = 0; d < lanes; d++) y[d] = c[d] + row[d];
    c = y;
  }
  memcpy(out[0], c, (size_t)lanes * sizeof *c);
}

REFERENCE(ema_lanes) {
  const float *restrict x = in[1];
  const int64_t steps = n[0], lanes = n[1];
  const float *c = in[0];
  for (int64_t t = 0; t < steps; t++) {
    float *restrict y = (float *)out[1] + t * lanes;
    const float *restrict row = x + t * lanes;
    for (int64_t d = 0; d < lanes; d++) y[d] = c[d] * 0.9f + row[d] * 0.1f;
    c = y;
  }
  memcpy(out[0], c, (size_t)lanes * sizeof *c);
}

/* Tiles of 64 lanes whose sums stay in registers; the lanes that are left one by one. */
#define TILED(name, step) \
  static void name##_tile(const float *c0, const float *x, float *last, float *y, int64_t steps, \
                          int64_t lanes) { \
    vecf c[TILE_VECTORS]; \
    for (int k = 0; k < TILE_VECTORS; k++) c[k] = vecf_load(c0 + WIDTH * k); \
    for (int64_t t = 0; t < steps; t++, x += lanes, y += lanes) \
      for (int k = 0; k < TILE_VECTORS; k++) { \
        c[k] = step(c[k], vecf_load(x + WIDTH * k)); \
        vecf_store(y + WIDTH * k, c[k]); \
      } \
    for (int k = 0; k < TILE_VECTORS; k++) vecf_store(last + WIDTH * k, c[k]); \
  } \
  REFERENCE(name) { \
    const float *c0 = in[0], *x = in[1]; \
    float *last = out[0], *y = out[1]; \
    int64_t d = 0; \
    for (; d + TILE <= n[1]; d += TILE) name##_tile(c0 + d, x + d, last + d, y + d, n[0], n[1]); \
    for (; d < n[1]; d++) { \
      float c = c0[d]; \
      for (int64_t t = 0; t < n[0]; t++) y[t * n[1] + d] = c = step(c, x[t * n[1] + d]); \
      last[d] = c; \
    } \
  }
#define SUM_STEP(c, x) ((c) + (x))
#define EMA_STEP(c, x) ((c) * 0.9f + (x) * 0.1f)
TILED(sum_lanes_tiled, SUM_STEP)
TILED(ema_lanes_tiled, EMA_STEP)

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define SHIFTED(v, bytes) _mm512_castsi512_ps(_mm512_bslli_epi128(_mm512_castps_si512(v), bytes))

/* Two steps within 128-bit lanes, then the last element of a group is added to the group behind it.
 */
static inline __m512 sums_of_16(__m512 v) {
  const __m512i quarter = _mm512_set_epi32(11, 11, 11, 11, 0, 0, 0, 0, 3, 3, 3, 3, 0, 0, 0, 0);
  v = _mm512_add_ps(v, SHIFTED(v, 4));
  v = _mm512_add_ps(v, SHIFTED(v, 8));
  v = _mm512_mask_add_ps(v, 0xf0f0, v, _mm512_permutexvar_ps(quarter, v));
  return _mm512_mask_add_ps(v, 0xff00, v, _mm512_permutexvar_ps(_mm512_set1_epi32(7), v));
}

/* The total is taken before the carry is added, so only one addition per 16 elements waits for the
 * group before. */
static inline float sums_behind(const float *x, float *y, int64_t n, float before) {
  __m512 carry = _mm512_set1_ps(before);
  int64_t i = 0;
  for (; i + 16 <= n; i += 16) {
    __m512 v = sums_of_16(_mm512_loadu_ps(x + i));
    _mm512_storeu_ps(y + i, _mm512_add_ps(v, carry));
    carry = _mm512_add_ps(carry, _mm512_permutexvar_ps(_mm512_set1_epi32(15), v));
  }
  float c = _mm512_cvtss_f32(carry);
  for (; i < n; i++) y[i] = c += x[i];
  return c;
}

REFERENCE(cumsum_f32_zmm) { sums_behind(in[0], out[0], n[0], 0); }

static float sum_of(const float *x, int64_t n) {
  __m512 s[4] = {0};
  int64_t i = 0;
  for (; i + 64 <= n; i += 64)
    for (int k = 0; k < 4; k++) s[k] = _mm512_add_ps(s[k], _mm512_loadu_ps(x + i + 16 * k));
  float sum =
      _mm512_reduce_add_ps(_mm512_add_ps(_mm512_add_ps(s[0], s[1]), _mm512_add_ps(s[2], s[3])));
  for (; i < n; i++) sum += x[i];
  return sum;
}

/* Whole numbers wrap in any order. */
REFERENCE(cumsum_i32_zmm) {
  const int32_t *x = in[0];
  uint32_t *y = out[0];
  const __m512i first = _mm512_set_epi32(11, 11, 11, 11, 0, 0, 0, 0, 3, 3, 3, 3, 0, 0, 0, 0);
  __m512i carry = _mm512_setzero_si512();
  int64_t i = 0;
  for (; i + 16 <= n[0]; i += 16) {
    __m512i v = _mm512_loadu_si512(x + i);
    v = _mm512_add_epi32(v, _mm512_bslli_epi128(v, 4));
    v = _mm512_add_epi32(v, _mm512_bslli_epi128(v, 8));
    v = _mm512_mask_add_epi32(v, 0xf0f0, v, _mm512_permutexvar_epi32(first, v));
    v = _mm512_mask_add_epi32(v, 0xff00, v, _mm512_permutexvar_epi32(_mm512_set1_epi32(7), v));
    _mm512_storeu_si512(y + i, _mm512_add_epi32(v, carry));
    carry = _mm512_add_epi32(carry, _mm512_permutexvar_epi32(_mm512_set1_epi32(15), v));
  }
  uint32_t c = (uint32_t)_mm_cvtsi128_si32(_mm512_castsi512_si128(carry));
  for (; i < n[0]; i++) y[i] = c += (uint32_t)x[i];
}

REFERENCE(cumsum_f64_zmm) {
  const double *x = in[0];
  double *y = out[0];
  __m512d carry = _mm512_setzero_pd();
  int64_t i = 0;
  for (; i + 8 <= n[0]; i += 8) {
    __m512d v = _mm512_loadu_pd(x + i);
    v = _mm512_mask_add_pd(v, 0xaa, v, _mm512_movedup_pd(v));
    v = _mm512_mask_add_pd(v, 0xcc, v, _mm512_permutex_pd(v, 0x50));
    v = _mm512_mask_add_pd(v, 0xf0, v, _mm512_permutexvar_pd(_mm512_set1_epi64(3), v));
    _mm512_storeu_pd(y + i, _mm512_add_pd(v, carry));
    carry = _mm512_add_pd(carry, _mm512_permutexvar_pd(_mm512_set1_epi64(7), v));
  }
  double c = _mm512_cvtsd_f64(carry);
  for (; i < n[0]; i++) y[i] = c += x[i];
}
#endif

#if !(defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && \
      defined(__AVX512VL__))
static inline float sums_behind(const float *x, float *y, int64_t n, float before) {
  for (int64_t i = 0; i < n; i++) y[i] = before += x[i];
  return before;
}

/* In four chains, as each waits for itself. */
static float sum_of(const float *x, int64_t n) {
  float s[4] = {0};
  int64_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; k++) s[k] += x[i + k];
  for (; i < n; i++) s[0] += x[i];
  return (s[0] + s[1]) + (s[2] + s[3]);
}
#endif

/* ---- several threads ---- */

static summary sum_prefixes(void *const *in, void *const *out, int64_t from, int64_t n,
                            summary before) {
  const float *x = in[0];
  float *y = out[0];
  return (summary){{sums_behind(x + from, y + from, n, before.leaf[0])}};
}
static summary sum_total(void *const *in, int64_t from, int64_t n) {
  const float *x = in[0];
  return (summary){{sum_of(x + from, n)}};
}
static summary sum_join(summary earlier, summary later) {
  return (summary){{earlier.leaf[0] + later.leaf[0]}};
}
static const row_operation sum_rows = {sum_prefixes, sum_total, sum_join, {{0}}};

REFERENCE(cumsum_f32_blocks) { row_by_blocks(&sum_rows, in, out, n[0]); }
REFERENCE(cumsum_f32_parts) { row_by_parts(&sum_rows, in, out, n[0]); }

#ifdef __AVX2__
/* As above with 8 elements: the shift stays within 128 bits, so the lower half's sum is added last.
 */
REFERENCE(cumsum_f32_ymm) {
  const float *x = in[0];
  float *y = out[0];
  __m256 carry = _mm256_setzero_ps();
  int64_t i = 0;
  for (; i + 8 <= n[0]; i += 8) {
    __m256 v = _mm256_loadu_ps(x + i);
    v = _mm256_add_ps(v, _mm256_castsi256_ps(_mm256_slli_si256(_mm256_castps_si256(v), 4)));
    v = _mm256_add_ps(v, _mm256_castsi256_ps(_mm256_slli_si256(_mm256_castps_si256(v), 8)));
    __m256 lower = _mm256_permutevar8x32_ps(v, _mm256_set1_epi32(3));
    v = _mm256_blend_ps(v, _mm256_add_ps(v, lower), 0xf0);
    _mm256_storeu_ps(y + i, _mm256_add_ps(v, carry));
    carry = _mm256_add_ps(carry, _mm256_permutevar8x32_ps(v, _mm256_set1_epi32(7)));
  }
  float c = _mm256_cvtss_f32(carry);
  for (; i < n[0]; i++) y[i] = c += x[i];
}
#endif
