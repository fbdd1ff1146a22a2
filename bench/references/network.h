/* Prefixes of an associative operator over one row, 16 elements of every leaf in a register each:
 * the logarithmic network of steps 1, 2, 4 and 8, and 16 segments side by side. For AVX-512 files
 * of this directory.
 *
 * They are inlined with a constant operator, and so with a constant number of leaves. */
#ifndef NETWORK_H
#define NETWORK_H

#include <immintrin.h>
#include <stdint.h>

#define INLINE static inline __attribute__((always_inline, unused))
#define UNROLL _Pragma("GCC unroll 16")

enum { MAX_LEAVES = 6, SEGMENT = 16 };

typedef struct {
  __m512 leaf[MAX_LEAVES];
} group;

typedef struct {
  int leaves;
  group (*combine)(group earlier, group later);
  /* What combines without effect, but for roundings, on the left of the elements that occur and of
   * itself. */
  float identity[MAX_LEAVES];
  float made[MAX_LEAVES]; /* the elements of a leaf that has NULL for its array */
} operation;

INLINE __mmask16 first_lanes(int64_t n) {
  return (__mmask16)(n >= 16 ? 0xffff : n <= 0 ? 0 : (1u << n) - 1);
}

/* Every element one lane on, behind an identity. */
INLINE group shift_group(const operation *op, group g) {
  const __m512i before = _mm512_set_epi32(14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0);
  UNROLL for (int k = 0; k < op->leaves; k++) g.leaf[k] =
      _mm512_mask_permutexvar_ps(_mm512_set1_ps(op->identity[k]), 0xfffe, before, g.leaf[k]);
  return g;
}

INLINE group last_of_group(const operation *op, group g) {
  UNROLL for (int k = 0; k < op->leaves; k++) g.leaf[k] =
      _mm512_permutexvar_ps(_mm512_set1_epi32(15), g.leaf[k]);
  return g;
}

INLINE group identity_group(const operation *op) {
  group g = {0};
  UNROLL for (int k = 0; k < op->leaves; k++) g.leaf[k] = _mm512_set1_ps(op->identity[k]);
  return g;
}

/* One step: lanes of `late` combine with the lane that `from` names; the others stay. */
INLINE group network_step(const operation *op, group g, __m512i from, __mmask16 late) {
  group earlier = g;
  UNROLL for (int k = 0; k < op->leaves; k++) earlier.leaf[k] =
      _mm512_permutexvar_ps(from, g.leaf[k]);
  group combined = op->combine(earlier, g);
  UNROLL for (int k = 0; k < op->leaves; k++) g.leaf[k] =
      _mm512_mask_mov_ps(g.leaf[k], late, combined.leaf[k]);
  return g;
}

/* Every step joins neighbouring blocks by the last element of the earlier one, so no identity is
 * needed. */
INLINE group prefix_group(const operation *op, group g) {
  g = network_step(op, g, _mm512_set_epi32(14, 14, 12, 12, 10, 10, 8, 8, 6, 6, 4, 4, 2, 2, 0, 0),
                   0xaaaa);
  g = network_step(op, g, _mm512_set_epi32(13, 13, 12, 12, 9, 9, 8, 8, 5, 5, 4, 4, 1, 1, 0, 0),
                   0xcccc);
  g = network_step(op, g, _mm512_set_epi32(11, 11, 11, 11, 8, 8, 8, 8, 3, 3, 3, 3, 0, 0, 0, 0),
                   0xf0f0);
  return network_step(op, g, _mm512_set1_epi32(7), 0xff00);
}

INLINE group load_group(const operation *op, const float *const *x, int64_t at, __mmask16 used) {
  group g = {0};
  UNROLL for (int k = 0; k < op->leaves; k++) g.leaf[k] =
      x[k] ? _mm512_maskz_loadu_ps(used, x[k] + at) : _mm512_set1_ps(op->made[k]);
  return g;
}

/* A leaf without a result has NULL in y. */
INLINE void store_group(const operation *op, float *const *y, int64_t at, __mmask16 used, group g) {
  UNROLL for (int k = 0; k < op->leaves; k++) if (y[k])
      _mm512_mask_storeu_ps(y[k] + at, used, g.leaf[k]);
}

/* Joins the prefixes g of 16 elements to all before them. The total is that of g alone: one
 * combination per group waits for the group before. */
INLINE void finish_group(const operation *op, group *carry, group g, float *const *y, int64_t at,
                         __mmask16 used) {
  store_group(op, y, at, used, op->combine(*carry, g));
  *carry = op->combine(*carry, last_of_group(op, g));
}

/* Behind what comes to *carry, the same in every lane; it becomes what comes before the next ones.
 */
INLINE void prefix_row_behind(const operation *op, const float *const *x, float *const *y,
                              int64_t n, group *carry) {
  int64_t at = 0;
  for (; at + 32 <= n; at += 32) {
    group g = prefix_group(op, load_group(op, x, at, 0xffff));
    group h = prefix_group(op, load_group(op, x, at + 16, 0xffff));
    finish_group(op, carry, g, y, at, 0xffff);
    finish_group(op, carry, h, y, at + 16, 0xffff);
  }
  for (; at < n; at += 16) {
    __mmask16 used = first_lanes(n - at);
    group g = prefix_group(op, load_group(op, x, at, used));
    finish_group(op, carry, g, y, at, used);
  }
}

INLINE void prefix_row(const operation *op, const float *const *x, float *const *y, int64_t n) {
  group carry = identity_group(op);
  prefix_row_behind(op, x, y, n, &carry);
}

/* ---- totals ---- */

/* Lane i becomes elements 2 i and 2 i + 1 of both, combined. */
INLINE group join_pairs(const operation *op, group g, group h) {
  const __m512i even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
  const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
  group earlier = g, later = g;
  UNROLL for (int k = 0; k < op->leaves; k++) {
    earlier.leaf[k] = _mm512_permutex2var_ps(g.leaf[k], even, h.leaf[k]);
    later.leaf[k] = _mm512_permutex2var_ps(g.leaf[k], odd, h.leaf[k]);
  }
  return op->combine(earlier, later);
}

/* JOINED * 16 elements as 16 that stand for neighbours: one combination per register, where a
 * prefix takes four. */
enum { JOINED = 8 };
INLINE group join_groups(const operation *op, const float *const *x, int64_t at) {
  group g[JOINED];
  UNROLL for (int i = 0; i < JOINED; i++) g[i] = load_group(op, x, at + 16 * i, 0xffff);
  UNROLL for (int i = 0; i < JOINED / 2; i++) g[i] = join_pairs(op, g[2 * i], g[2 * i + 1]);
  UNROLL for (int i = 0; i < JOINED / 4; i++) g[i] = join_pairs(op, g[2 * i], g[2 * i + 1]);
  return join_pairs(op, g[0], g[1]);
}

/* What the first elements of a row come to, in every lane. n: a multiple of 16 * JOINED. */
INLINE group row_total(const operation *op, const float *const *x, int64_t n) {
  group carry = identity_group(op);
  for (int64_t at = 0; at < n; at += 16 * JOINED)
    carry = op->combine(carry, last_of_group(op, prefix_group(op, join_groups(op, x, at))));
  return carry;
}

/* ---- segments ---- */

/* 4x4 blocks within 128-bit lanes. */
INLINE void transpose_4(__m512 *v) {
  __m512d ab = _mm512_castps_pd(_mm512_unpacklo_ps(v[0], v[1]));
  __m512d ab_high = _mm512_castps_pd(_mm512_unpackhi_ps(v[0], v[1]));
  __m512d cd = _mm512_castps_pd(_mm512_unpacklo_ps(v[2], v[3]));
  __m512d cd_high = _mm512_castps_pd(_mm512_unpackhi_ps(v[2], v[3]));
  v[0] = _mm512_castpd_ps(_mm512_unpacklo_pd(ab, cd));
  v[1] = _mm512_castpd_ps(_mm512_unpackhi_pd(ab, cd));
  v[2] = _mm512_castpd_ps(_mm512_unpacklo_pd(ab_high, cd_high));
  v[3] = _mm512_castpd_ps(_mm512_unpackhi_pd(ab_high, cd_high));
}

/* Elements j to j + 3 of 16 lines that are `stride` apart: v[k] gets element j + k of each. Lane
 * 4 q + r is line 4 q + r. */
INLINE void load_lines(const float *x, int64_t stride, int j, __m512 *v) {
  UNROLL for (int r = 0; r < 4; r++) {
    const float *p = x + r * stride + j;
    __m512 four = _mm512_castps128_ps512(_mm_loadu_ps(p));
    four = _mm512_insertf32x4(four, _mm_loadu_ps(p + 4 * stride), 1);
    four = _mm512_insertf32x4(four, _mm_loadu_ps(p + 8 * stride), 2);
    v[r] = _mm512_insertf32x4(four, _mm_loadu_ps(p + 12 * stride), 3);
  }
  transpose_4(v);
}

INLINE void store_lines(float *y, int64_t stride, int j, __m512 *v) {
  transpose_4(v);
  UNROLL for (int r = 0; r < 4; r++) {
    float *p = y + r * stride + j;
    _mm_storeu_ps(p, _mm512_castps512_ps128(v[r]));
    _mm_storeu_ps(p + 4 * stride, _mm512_extractf32x4_ps(v[r], 1));
    _mm_storeu_ps(p + 8 * stride, _mm512_extractf32x4_ps(v[r], 2));
    _mm_storeu_ps(p + 12 * stride, _mm512_extractf32x4_ps(v[r], 3));
  }
}

INLINE void load_segments(const float *x, int j, __m512 *v) { load_lines(x, SEGMENT, j, v); }
INLINE void store_segments(float *y, int j, __m512 *v) { store_lines(y, SEGMENT, j, v); }

/* Sets of 16 segments that run side by side, as one chain of combinations leaves the units idle. */
enum { SETS = 4, BLOCK = SETS * 16 * SEGMENT };
/* The elements of a block, transposed, by leaf. */
typedef __m512 transposed[MAX_LEAVES][SETS][SEGMENT];

INLINE group transposed_group(const operation *op, const float *const *x, const transposed v,
                              int set, int j) {
  group g = {0};
  UNROLL for (int k = 0; k < op->leaves; k++) g.leaf[k] =
      x[k] ? v[k][set][j] : _mm512_set1_ps(op->made[k]);
  return g;
}

/* From the totals of segments to what stands before each, and the carry behind the block. */
INLINE void segment_starts(const operation *op, group *total, group *carry) {
  UNROLL for (int s = 0; s < SETS; s++) {
    group g = prefix_group(op, total[s]);
    total[s] = op->combine(*carry, shift_group(op, g));
    *carry = op->combine(*carry, last_of_group(op, g));
  }
}

/* One block: every element is combined once for the total of its segment, and once for the result.
 */
INLINE void segments_block(const operation *op, const float *const *x, float *const *y, int64_t at,
                           group *carry) {
  transposed v;
  group state[SETS];
  UNROLL for (int k = 0; k < op->leaves;
              k++) for (int s = 0; s < SETS; s++) for (int j = 0; j < SEGMENT; j += 4) if (x[k])
      load_segments(x[k] + at + s * 16 * SEGMENT, j, v[k][s] + j);
  UNROLL for (int s = 0; s < SETS; s++) state[s] = transposed_group(op, x, v, s, 0);
  for (int j = 1; j < SEGMENT; j++)
    UNROLL for (int s = 0; s < SETS; s++) state[s] =
        op->combine(state[s], transposed_group(op, x, v, s, j));
  segment_starts(op, state, carry);
  for (int j = 0; j < SEGMENT; j++) UNROLL for (int s = 0; s < SETS; s++) {
      state[s] = op->combine(state[s], transposed_group(op, x, v, s, j));
      UNROLL for (int k = 0; k < op->leaves; k++) v[k][s][j] = state[s].leaf[k];
    }
  for (int k = 0; k < op->leaves; k++)
    for (int s = 0; y[k] && s < SETS; s++)
      for (int j = 0; j < SEGMENT; j += 4)
        store_segments(y[k] + at + s * 16 * SEGMENT, j, v[k][s] + j);
}

/* For operators that are dear: twice per element instead of five times. */
INLINE void segments_row(const operation *op, const float *const *x, float *const *y, int64_t n) {
  group carry = identity_group(op);
  int64_t at = 0;
  for (; at + BLOCK <= n; at += BLOCK) segments_block(op, x, y, at, &carry);
  for (; at < n; at += 16) {
    __mmask16 used = first_lanes(n - at);
    group g = prefix_group(op, load_group(op, x, at, used));
    finish_group(op, &carry, g, y, at, used);
  }
}

#endif
