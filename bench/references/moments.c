#include <math.h>

#include "variants.h"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#include "lanes.h"
#include "network.h"
#endif

REFERENCE(welford) {
  for (int64_t o = 0; o < n[0]; o++) {
    const float *restrict x = (const float *)in[0] + o * n[1];
    float *restrict means = (float *)out[0] + o * n[1], *restrict m2s = (float *)out[1] + o * n[1];
    float mean = 0, m2 = 0;
    for (int64_t t = 0; t < n[1]; t++) {
      float difference = x[t] - mean, step = difference * (1 / (float)(t + 1));
      means[t] = mean += step;
      m2s[t] = m2 += difference * step * (float)t;
    }
  }
}

/* One of the two exponents is 0. NaN goes the second way, and stays. */
REFERENCE(online_softmax) {
  for (int64_t o = 0; o < n[0]; o++) {
    const float *restrict x = (const float *)in[0] + o * n[1];
    float *restrict tops = (float *)out[0] + o * n[1], *restrict sums = (float *)out[1] + o * n[1];
    float m = x[0], l = 0;
    for (int64_t t = 0; t < n[1]; t++) {
      if (x[t] <= m) {
        l += expf(x[t] - m);
      } else {
        l = l * expf(m - x[t]) + 1;
        m = m == m ? x[t] : m;
      }
      tops[t] = m;
      sums[t] = l;
    }
  }
}

#ifdef NETWORK_H
/* Leaves: mean, count, sum of squares. */
static inline group join_moments(group a, group b) {
  __m512 count = a.leaf[1] + b.leaf[1], difference = b.leaf[0] - a.leaf[0];
  __m512 step = difference * (b.leaf[1] / count);
  a.leaf[0] += step;
  a.leaf[2] += b.leaf[2] + difference * step * a.leaf[1];
  a.leaf[1] = count;
  return a;
}
/* A count that no other notices but that may be divided by. */
static const operation moments = {3, join_moments, {0, 1e-30f, 0}, {0, 1, 0}};

REFERENCE(welford_zmm) {
  for (int64_t o = 0; o < n[0]; o++) {
    const float *const x[] = {(const float *)in[0] + o * n[1], NULL, NULL};
    float *const y[] = {(float *)out[0] + o * n[1], NULL, (float *)out[1] + o * n[1]};
    segments_row(&moments, x, y, n[1]);
  }
}

/* Leaves: maximum, sum. For finite elements and NaN. */
static inline group join_softmax(group a, group b) {
  __m512 later = b.leaf[0], top = _mm512_max_ps(later, a.leaf[0]);
  top = _mm512_mask_mov_ps(top, _mm512_cmp_ps_mask(later, later, _CMP_UNORD_Q), later);
  __m512 sum = a.leaf[1] * lanes_exp_negative(a.leaf[0] - top);
  a.leaf[1] = sum + b.leaf[1] * lanes_exp_negative(later - top);
  a.leaf[0] = top;
  return a;
}
static const operation softmax = {2, join_softmax, {-3e38f, 0}, {0, 1}};

REFERENCE(online_softmax_zmm) {
  for (int64_t o = 0; o < n[0]; o++) {
    const float *const x[] = {(const float *)in[0] + o * n[1], NULL};
    float *const y[] = {(float *)out[0] + o * n[1], (float *)out[1] + o * n[1]};
    segments_row(&softmax, x, y, n[1]);
  }
}
#endif
