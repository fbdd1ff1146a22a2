#include "functions.h"

/* Rows first, in the order of memory; the compiler has no vectors of these functions. */
REFERENCE(gated_unit) {
  const float *h0 = in[0], *x = in[1], *k = in[2];
  float *last = out[0], *y = out[1];
  int64_t d = n[1];
  for (int64_t i = 0; i < d; i++) last[i] = h0[i];
  for (int64_t t = 0; t < n[0]; t++, x += 3 * d, y += d)
    for (int64_t i = 0; i < d; i++) {
      float h = last[i], r = sigmoid(x[i] + h * k[i]), z = sigmoid(x[d + i] + h * k[i]);
      float c = tanhf(x[2 * d + i] + r * h);
      y[i] = last[i] = z * h + (1 - z) * c;
    }
}

/* glibc's vector functions, by the names that the vector ABI of x86-64 gives them. */
#ifdef BENCH_HAVE_MVEC
#include <immintrin.h>

#ifdef __AVX512F__
__m512 _ZGVeN16v_expf(__m512 x);
__m512 _ZGVeN16v_logf(__m512 x);
__m512 _ZGVeN16v_tanhf(__m512 x);

static inline __m512 sigmoid_zmm(__m512 x) {
  const __m512 one = _mm512_set1_ps(1);
  __m512 e = _ZGVeN16v_expf(_mm512_sub_ps(_mm512_setzero_ps(), x));
  return _mm512_div_ps(one, _mm512_add_ps(one, e));
}

#define MATH_ZMM(name, of_x) \
  REFERENCE(name##_zmm) { \
    const float *x = in[0]; \
    float *y = out[0]; \
    for (int64_t i = 0; i < n[0]; i += 16) { \
      __mmask16 there = n[0] - i < 16 ? (__mmask16)((1U << (n[0] - i)) - 1) : (__mmask16) - 1; \
      _mm512_mask_storeu_ps(y + i, there, of_x(_mm512_maskz_loadu_ps(there, x + i))); \
    } \
  }

MATH_ZMM(math_exp, _ZGVeN16v_expf)
MATH_ZMM(math_log, _ZGVeN16v_logf)
MATH_ZMM(math_tanh, _ZGVeN16v_tanhf)
MATH_ZMM(math_sigmoid, sigmoid_zmm)
#endif

#ifdef __AVX2__
__m256 _ZGVdN8v_expf(__m256 x);
__m256 _ZGVdN8v_logf(__m256 x);
__m256 _ZGVdN8v_tanhf(__m256 x);

static inline __m256 sigmoid_ymm(__m256 x) {
  const __m256 one = _mm256_set1_ps(1);
  __m256 e = _ZGVdN8v_expf(_mm256_sub_ps(_mm256_setzero_ps(), x));
  return _mm256_div_ps(one, _mm256_add_ps(one, e));
}

/* Whole vectors only: the sizes of these workloads are. */
#define MATH_YMM(name, of_x) \
  REFERENCE(name##_ymm) { \
    const float *x = in[0]; \
    float *y = out[0]; \
    for (int64_t i = 0; i < n[0]; i += 8) _mm256_storeu_ps(y + i, of_x(_mm256_loadu_ps(x + i))); \
  }

MATH_YMM(math_exp, _ZGVdN8v_expf)
MATH_YMM(math_log, _ZGVdN8v_logf)
MATH_YMM(math_tanh, _ZGVdN8v_tanhf)
MATH_YMM(math_sigmoid, sigmoid_ymm)
#endif
#endif
