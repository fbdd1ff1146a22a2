#include "variants.h"

/* Row by row backwards, in strips of environments whose state stays in L1. */
enum { STRIP = 256 };

REFERENCE(discounted_returns) {
  for (int64_t first = 0; first < n[1]; first += STRIP) {
    const int64_t width = n[1] - first < STRIP ? n[1] - first : STRIP;
    float g[STRIP] = {0};
    for (int64_t at = (n[0] - 1) * n[1] + first; at >= 0; at -= n[1]) {
      const float *restrict rew = (const float *)in[0] + at;
      const uint8_t *restrict done = (const uint8_t *)in[1] + at;
      float *restrict y = (float *)out[0] + at;
      for (int64_t d = 0; d < width; d++)
        y[d] = g[d] = rew[d] + (1.0f - (float)done[d]) * 0.99f * g[d];
    }
  }
}

REFERENCE(gae) {
  for (int64_t first = 0; first < n[1]; first += STRIP) {
    const int64_t width = n[1] - first < STRIP ? n[1] - first : STRIP;
    float a[STRIP] = {0};
    for (int64_t at = (n[0] - 1) * n[1] + first; at >= 0; at -= n[1]) {
      const float *restrict rew = (const float *)in[0] + at, *restrict val =
                                                                 (const float *)in[1] + at;
      const float *restrict next = (const float *)in[2] + at;
      const uint8_t *restrict done = (const uint8_t *)in[3] + at;
      float *restrict advantage = (float *)out[0] + at, *restrict returns = (float *)out[1] + at;
      for (int64_t d = 0; d < width; d++) {
        float goes_on = 1.0f - (float)done[d];
        float delta = rew[d] + next[d] * 0.99f * goes_on - val[d];
        advantage[d] = a[d] = delta + goes_on * 0.9405f * a[d];
        returns[d] = a[d] + val[d];
      }
    }
  }
}
