#include "variants.h"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define HAVE_ZMM
#include <immintrin.h>
#endif

REFERENCE(segmented_sum) {
  const float *restrict x = in[0];
  const uint8_t *restrict start = in[1];
  float *restrict y = out[0];
  float c = 0;
  for (int64_t i = 0; i < n[0]; i++) {
    if (start[i]) c = 0;
    y[i] = c += x[i];
  }
}

#ifdef HAVE_ZMM
/* Lanes of `late` without a start add the lane that `from` names. */
static inline __m512 step(__m512 v, __m512i from, __mmask16 late, __mmask16 started) {
  return _mm512_mask_add_ps(v, late & (__mmask16)~started, v, _mm512_permutexvar_ps(from, v));
}

/* started: lanes at or behind a start; it spreads from the last lane of each earlier block to the
 * whole later one. */
static inline __m512 sums_of_16(__m512 v, __mmask16 *started) {
  __mmask16 s = *started;
  v = step(v, _mm512_set_epi32(14, 14, 12, 12, 10, 10, 8, 8, 6, 6, 4, 4, 2, 2, 0, 0), 0xaaaa, s);
  s = (__mmask16)(s | (s & 0x5555) * 0x2);
  v = step(v, _mm512_set_epi32(13, 13, 12, 12, 9, 9, 8, 8, 5, 5, 4, 4, 1, 1, 0, 0), 0xcccc, s);
  s = (__mmask16)(s | (s & 0x2222) * 0x6);
  v = step(v, _mm512_set_epi32(11, 11, 11, 11, 8, 8, 8, 8, 3, 3, 3, 3, 0, 0, 0, 0), 0xf0f0, s);
  s = (__mmask16)(s | (s & 0x0808) * 0x1e);
  v = step(v, _mm512_set1_epi32(7), 0xff00, s);
  *started = (__mmask16)(s | (s & 0x0080) * 0x1fe);
  return v;
}

REFERENCE(segmented_sum_zmm) {
  const float *x = in[0];
  const uint8_t *start = in[1];
  float *y = out[0];
  __m512 carry = _mm512_setzero_ps();
  int64_t i = 0;
  for (; i + 16 <= n[0]; i += 16) {
    __m128i flags = _mm_loadu_si128((const __m128i *)(const void *)(start + i));
    __mmask16 started = _mm_test_epi8_mask(flags, flags);
    __m512 v = sums_of_16(_mm512_loadu_ps(x + i), &started);
    v = _mm512_mask_add_ps(v, (__mmask16)~started, v, carry);
    _mm512_storeu_ps(y + i, v);
    carry = _mm512_permutexvar_ps(_mm512_set1_epi32(15), v);
  }
  float c = _mm512_cvtss_f32(carry);
  for (; i < n[0]; i++) y[i] = c = start[i] ? x[i] : c + x[i];
}
#endif
