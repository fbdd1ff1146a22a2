/* exp and log1p of 16 floats, for AVX-512 files of this directory. */
#ifndef VECTOR_MATH_H
#define VECTOR_MATH_H

#include <immintrin.h>

/* exp(x) for x <= 0 within 3 units in the last place; 1e-38 for all x below -87, so that nothing is
 * subnormal. NaN stays. 2^n times a polynomial in the rest, |r| <= log(2) / 2. */
static inline __m512 exp_of_negative(__m512 x) {
  static const float coefficient[] = {1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f, 1, 1};
  x = _mm512_max_ps(_mm512_set1_ps(-87), x);
  __m512 n = _mm512_roundscale_ps(x * _mm512_set1_ps(1.44269504f), _MM_FROUND_TO_NEAREST_INT);
  __m512 r = _mm512_fnmadd_ps(n, _mm512_set1_ps(0x1.62e4p-1f), x);
  r = _mm512_fnmadd_ps(n, _mm512_set1_ps(0x1.7f7d1cp-20f), r);
  __m512 p = _mm512_set1_ps(coefficient[0]);
  for (int k = 1; k < 7; k++) p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(coefficient[k]));
  return _mm512_scalef_ps(p, n);
}

/* log(1 + u) for 0 <= u <= 1 as 2 atanh(s), s = u / (2 + u) <= 1/3, within 2 units in the last
 * place. */
static inline __m512 log1p_of_fraction(__m512 u) {
  static const float coefficient[] = {2.0f / 15, 2.0f / 13, 2.0f / 11, 2.0f / 9,
                                      2.0f / 7,  2.0f / 5,  2.0f / 3};
  __m512 s = u / (u + _mm512_set1_ps(2)), square = s * s;
  __m512 p = _mm512_set1_ps(coefficient[0]);
  for (int k = 1; k < 7; k++) p = _mm512_fmadd_ps(p, square, _mm512_set1_ps(coefficient[k]));
  return _mm512_fmadd_ps(p * square, s, s + s);
}

#endif
