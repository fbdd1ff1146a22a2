/* Vectors of f32 for kernels that are written once for AVX-512 and AVX2: `lanes` of LANES floats,
 * used with + - * /. A sum of a product is fused as -ffp-contract says; lanes_fma always. Include
 * it where __AVX2__ and __FMA__ are defined. */
#ifndef SCANC_BENCH_LANES_H
#define SCANC_BENCH_LANES_H

#include <immintrin.h>
#include <stdint.h>

#if defined(__AVX512F__) && defined(__AVX512DQ__)
typedef __m512 lanes;
enum { LANES = 16 };
static inline lanes lanes_load(const float *p) { return _mm512_loadu_ps(p); }
static inline void lanes_store(float *p, lanes v) { _mm512_storeu_ps(p, v); }
static inline lanes lanes_all(float x) { return _mm512_set1_ps(x); }
static inline lanes lanes_fma(lanes a, lanes b, lanes c) { return _mm512_fmadd_ps(a, b, c); }
/* Of a NaN and a number the second operand, as the instructions have it. */
static inline lanes lanes_max(lanes a, lanes b) { return _mm512_max_ps(a, b); }
static inline lanes lanes_min(lanes a, lanes b) { return _mm512_min_ps(a, b); }
static inline lanes lanes_round(lanes a) { return _mm512_roundscale_ps(a, 8); }
static inline lanes lanes_and(lanes a, lanes b) { return _mm512_and_ps(a, b); }
static inline lanes lanes_or(lanes a, lanes b) { return _mm512_or_ps(a, b); }
/* v times 2 to the n, n whole. */
static inline lanes lanes_scale(lanes v, lanes n) { return _mm512_scalef_ps(v, n); }
/* Where a < b, x, else y. */
static inline lanes lanes_where_less(lanes a, lanes b, lanes x, lanes y) {
  return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(a, b, _CMP_LT_OQ), y, x);
}
/* The first n (up to LANES) elements; the others are read as 0 and are not written. */
static inline lanes lanes_load_n(const float *p, int64_t n) {
  return _mm512_maskz_loadu_ps((__mmask16)(0xffff >> (n < 16 ? 16 - n : 0)), p);
}
static inline void lanes_store_n(float *p, lanes v, int64_t n) {
  _mm512_mask_storeu_ps(p, (__mmask16)(0xffff >> (n < 16 ? 16 - n : 0)), v);
}
static inline float lanes_maximum(lanes v) { return _mm512_reduce_max_ps(v); }
static inline float lanes_sum(lanes v) { return _mm512_reduce_add_ps(v); }
/* Four floats again and again, and element i of each four in all of them. */
static inline lanes lanes_quads(const float *p) { return _mm512_broadcast_f32x4(_mm_loadu_ps(p)); }
#define lanes_of_quad(v, i) _mm512_permute_ps(v, (i) * 0x55)
#else
typedef __m256 lanes;
enum { LANES = 8 };
static inline lanes lanes_load(const float *p) { return _mm256_loadu_ps(p); }
static inline void lanes_store(float *p, lanes v) { _mm256_storeu_ps(p, v); }
static inline lanes lanes_all(float x) { return _mm256_set1_ps(x); }
static inline lanes lanes_fma(lanes a, lanes b, lanes c) { return _mm256_fmadd_ps(a, b, c); }
static inline lanes lanes_max(lanes a, lanes b) { return _mm256_max_ps(a, b); }
static inline lanes lanes_min(lanes a, lanes b) { return _mm256_min_ps(a, b); }
static inline lanes lanes_round(lanes a) { return _mm256_round_ps(a, 8); }
static inline lanes lanes_and(lanes a, lanes b) { return _mm256_and_ps(a, b); }
static inline lanes lanes_or(lanes a, lanes b) { return _mm256_or_ps(a, b); }
static inline lanes lanes_power(__m256i n) {
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(n, _mm256_set1_epi32(127)), 23));
}
/* In two factors, as one alone may lie outside the range of exponents. */
static inline lanes lanes_scale(lanes v, lanes n) {
  __m256i whole = _mm256_cvtps_epi32(n), half = _mm256_srai_epi32(whole, 1);
  return v * lanes_power(half) * lanes_power(_mm256_sub_epi32(whole, half));
}
static inline lanes lanes_where_less(lanes a, lanes b, lanes x, lanes y) {
  return _mm256_blendv_ps(y, x, _mm256_cmp_ps(a, b, _CMP_LT_OQ));
}
static inline __m256i lanes_first(int64_t n) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
static inline lanes lanes_load_n(const float *p, int64_t n) {
  return _mm256_maskload_ps(p, lanes_first(n));
}
static inline void lanes_store_n(float *p, lanes v, int64_t n) {
  _mm256_maskstore_ps(p, lanes_first(n), v);
}
static inline float lanes_maximum(lanes v) {
  __m128 m = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  m = _mm_max_ps(m, _mm_movehl_ps(m, m));
  return _mm_cvtss_f32(_mm_max_ss(m, _mm_shuffle_ps(m, m, 1)));
}
static inline float lanes_sum(lanes v) {
  __m128 m = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  m = _mm_add_ps(m, _mm_movehl_ps(m, m));
  return _mm_cvtss_f32(_mm_add_ss(m, _mm_shuffle_ps(m, m, 1)));
}
static inline lanes lanes_quads(const float *p) {
  return _mm256_broadcast_ps((const __m128 *)(const void *)p);
}
#define lanes_of_quad(v, i) _mm256_permute_ps(v, (i) * 0x55)
#endif

static inline lanes lanes_abs(lanes x) { return lanes_max(x, lanes_all(0) - x); }

/* exp(r) - 1 for |r| up to log(2) / 2; the polynomials are those of Cephes. */
static inline lanes lanes_expm1_core(lanes r) {
  lanes p = lanes_all(1.9875691500e-4f);
  p = lanes_fma(p, r, lanes_all(1.3981999507e-3f));
  p = lanes_fma(p, r, lanes_all(8.3334519073e-3f));
  p = lanes_fma(p, r, lanes_all(4.1665795894e-2f));
  p = lanes_fma(p, r, lanes_all(1.6666665459e-1f));
  p = lanes_fma(p, r, lanes_all(5.0000001201e-1f));
  return lanes_fma(p * r, r, r);
}

/* n and r with x = n log(2) + r. */
static inline lanes lanes_exp_reduce(lanes x, lanes *n) {
  *n = lanes_round(x * lanes_all(1.44269504f));
  lanes r = lanes_fma(*n, lanes_all(-0.693359375f), x);
  return lanes_fma(*n, lanes_all(2.12194440e-4f), r);
}

static inline lanes lanes_exp(lanes x) {
  lanes n, r = lanes_exp_reduce(lanes_min(lanes_all(89), lanes_max(lanes_all(-104), x)), &n);
  return lanes_scale(lanes_all(1) + lanes_expm1_core(r), n);
}

/* For x up to 88. */
static inline lanes lanes_expm1(lanes x) {
  lanes n, r = lanes_exp_reduce(lanes_min(lanes_all(88), lanes_max(lanes_all(-104), x)), &n);
  lanes power = lanes_scale(lanes_all(1), n);
  return lanes_fma(power, lanes_expm1_core(r), power - lanes_all(1));
}

/* 2 to the x for x up to 0. */
static inline lanes lanes_exp2_negative(lanes x) {
  x = lanes_max(lanes_all(-150), x);
  lanes n = lanes_round(x), r = x - n, p = lanes_all(1.5403530e-4f);
  p = lanes_fma(p, r, lanes_all(1.3333558e-3f));
  p = lanes_fma(p, r, lanes_all(9.6181291e-3f));
  p = lanes_fma(p, r, lanes_all(5.5504109e-2f));
  p = lanes_fma(p, r, lanes_all(2.4022651e-1f));
  p = lanes_fma(p, r, lanes_all(6.9314718e-1f));
  return lanes_scale(lanes_fma(p, r, lanes_all(1)), n);
}

static inline lanes lanes_sigmoid(lanes x) {
  return lanes_all(1) / (lanes_all(1) + lanes_exp(lanes_all(0) - x));
}

static inline lanes lanes_tanh(lanes x) {
  lanes a = lanes_abs(x), e = lanes_exp(a * lanes_all(-2)), z = x * x;
  lanes far = lanes_or((lanes_all(1) - e) / (lanes_all(1) + e), lanes_and(x, lanes_all(-0.0f)));
  lanes p = lanes_all(-5.70498872745e-3f);
  p = lanes_fma(p, z, lanes_all(2.06390887954e-2f));
  p = lanes_fma(p, z, lanes_all(-5.37397155531e-2f));
  p = lanes_fma(p, z, lanes_all(1.33314422036e-1f));
  p = lanes_fma(p, z, lanes_all(-3.33332819422e-1f));
  return lanes_where_less(a, lanes_all(0.625f), lanes_fma(p * z, x, x), far);
}

/* Of positive normal numbers. */
static inline lanes lanes_log(lanes x) {
  typedef int32_t words __attribute__((vector_size(sizeof(lanes))));
  const int32_t root_half = 0x3f3504f3;
  words bits = (words)x - root_half, exponent = bits >> 23;
  lanes e = __builtin_convertvector(exponent, lanes);
  lanes r = (lanes)((bits & 0x7fffff) + root_half) - lanes_all(1), z = r * r;
  lanes p = lanes_all(7.0376836292e-2f);
  p = lanes_fma(p, r, lanes_all(-1.1514610310e-1f));
  p = lanes_fma(p, r, lanes_all(1.1676998740e-1f));
  p = lanes_fma(p, r, lanes_all(-1.2420140846e-1f));
  p = lanes_fma(p, r, lanes_all(1.4249322787e-1f));
  p = lanes_fma(p, r, lanes_all(-1.6668057665e-1f));
  p = lanes_fma(p, r, lanes_all(2.0000714765e-1f));
  p = lanes_fma(p, r, lanes_all(-2.4999993993e-1f));
  p = lanes_fma(p, r, lanes_all(3.3333331174e-1f));
  p = lanes_fma(e, lanes_all(-2.12194440e-4f), p * r * z);
  p = lanes_fma(z, lanes_all(-0.5f), p);
  return lanes_fma(e, lanes_all(0.693359375f), r + p);
}

/* exp(x) for x <= 0; 1e-38 for all x below -87, so that nothing is subnormal. NaN stays. */
static inline lanes lanes_exp_negative(lanes x) { return lanes_exp(lanes_max(lanes_all(-87), x)); }

/* log(1 + u) for 0 <= u <= 1 as 2 atanh(s), s = u / (2 + u) <= 1/3, within 2 units in the last
 * place. */
static inline lanes lanes_log1p_fraction(lanes u) {
  static const float coefficient[] = {2.0f / 15, 2.0f / 13, 2.0f / 11, 2.0f / 9,
                                      2.0f / 7,  2.0f / 5,  2.0f / 3};
  lanes s = u / (u + lanes_all(2)), square = s * s;
  lanes p = lanes_all(coefficient[0]);
  for (int k = 1; k < 7; k++) p = lanes_fma(p, square, lanes_all(coefficient[k]));
  return lanes_fma(p * square, s, s + s);
}

#endif
