#include <math.h>

#include "variants.h"

REFERENCE(welford) {
  for (int64_t o = 0; o < n[0]; o++) {
    const float *x = (const float *)in[0] + o * n[1];
    float *means = (float *)out[0] + o * n[1], *m2s = (float *)out[1] + o * n[1];
    float count = 1, mean = x[0], m2 = 0;
    for (int64_t t = 0; t < n[1]; t++) {
      if (t) {
        float total = count + 1, difference = x[t] - mean, step = difference * (1 / total);
        mean = mean + step;
        m2 = m2 + 0 + difference * step * count;
        count = total;
      }
      means[t] = mean;
      m2s[t] = m2;
    }
  }
}

REFERENCE(online_softmax) {
  for (int64_t o = 0; o < n[0]; o++) {
    const float *x = (const float *)in[0] + o * n[1];
    float *tops = (float *)out[0] + o * n[1], *sums = (float *)out[1] + o * n[1];
    float m = x[0], l = 1;
    for (int64_t t = 0; t < n[1]; t++) {
      if (t) {
        float top = x[t] > m || x[t] != x[t] ? x[t] : m;
        l = l * expf(m - top) + 1 * expf(x[t] - top);
        m = top;
      }
      tops[t] = m;
      sums[t] = l;
    }
  }
}
