#include "tiles.h"
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

/* ---- tiles of 64 environments whose state stays in registers ---- */

static void returns_tile(const float *rew, const uint8_t *done, float *y, int64_t steps,
                         int64_t stride) {
  vecf g[TILE_VECTORS] = {{0}};
  for (int64_t at = (steps - 1) * stride; at >= 0; at -= stride)
    for (int k = 0; k < TILE_VECTORS; k++) {
      int64_t i = at + WIDTH * k;
      vecf goes_on = 1.0f - vecf_of_bytes(done + i);
      g[k] = vecf_load(rew + i) + goes_on * 0.99f * g[k];
      vecf_store(y + i, g[k]);
    }
}

REFERENCE(discounted_returns_tiled) {
  const float *rew = in[0];
  const uint8_t *done = in[1];
  float *y = out[0];
  int64_t d = 0;
  for (; d + TILE <= n[1]; d += TILE) returns_tile(rew + d, done + d, y + d, n[0], n[1]);
  for (; d < n[1]; d++) {
    float g = 0;
    for (int64_t at = (n[0] - 1) * n[1] + d; at >= 0; at -= n[1])
      y[at] = g = rew[at] + (1.0f - (float)done[at]) * 0.99f * g;
  }
}

static void gae_tile(void *const *in, void *const *out, int64_t first, int64_t steps,
                     int64_t stride) {
  const float *rew = (const float *)in[0] + first, *val = (const float *)in[1] + first;
  const float *next = (const float *)in[2] + first;
  const uint8_t *done = (const uint8_t *)in[3] + first;
  float *advantage = (float *)out[0] + first, *returns = (float *)out[1] + first;
  vecf a[TILE_VECTORS] = {{0}};
  for (int64_t at = (steps - 1) * stride; at >= 0; at -= stride)
    for (int k = 0; k < TILE_VECTORS; k++) {
      int64_t i = at + WIDTH * k;
      vecf goes_on = 1.0f - vecf_of_bytes(done + i), value = vecf_load(val + i);
      vecf delta = vecf_load(rew + i) + vecf_load(next + i) * 0.99f * goes_on - value;
      a[k] = delta + goes_on * 0.9405f * a[k];
      vecf_store(advantage + i, a[k]);
      vecf_store(returns + i, a[k] + value);
    }
}

REFERENCE(gae_tiled) {
  int64_t d = 0;
  for (; d + TILE <= n[1]; d += TILE) gae_tile(in, out, d, n[0], n[1]);
  for (; d < n[1]; d++) {
    float a = 0;
    for (int64_t at = (n[0] - 1) * n[1] + d; at >= 0; at -= n[1]) {
      float value = ((const float *)in[1])[at];
      float goes_on = 1.0f - (float)((const uint8_t *)in[3])[at];
      float delta =
          ((const float *)in[0])[at] + ((const float *)in[2])[at] * 0.99f * goes_on - value;
      ((float *)out[0])[at] = a = delta + goes_on * 0.9405f * a;
      ((float *)out[1])[at] = a + value;
    }
  }
}
