/* Selective scan and linear attention with intrinsics. */
#include "variants.h"
#if defined(__AVX2__) && defined(__FMA__)
#include <string.h>

#include "floats.h"
#include "lanes.h"

enum { MAX_STATES = 64, STEPS_AT_ONCE = 8 };

/* decay and h are blocks of LANES channels, [states][LANES] each; decay is scaled so that exp
 * becomes a power of 2. */
typedef struct {
  const float *dt, *x, *b, *c;
  float *y, *decay, *h;
  int64_t channels, states;
} mamba;

/* Channels from d on, `used` of them, with all their states over the steps from `start` to `end`.
 */
static inline __attribute__((always_inline)) void mamba_block(const mamba *m, int64_t d,
                                                              int64_t used, int64_t start,
                                                              int64_t end, const int64_t states) {
  lanes s[MAX_STATES];
  const float *decay = m->decay + d * states;
  float *h = m->h + d * states;
  for (int64_t i = 0; i < states; i++) s[i] = lanes_load(h + i * LANES);
  for (int64_t t = start; t < end; t++) {
    const float *b = m->b + t * states, *c = m->c + t * states;
    lanes dt = lanes_load_n(m->dt + t * m->channels + d, used);
    lanes dt_x = dt * lanes_load_n(m->x + t * m->channels + d, used);
    lanes even = lanes_all(0), odd = lanes_all(0);
    _Pragma("GCC unroll 16") for (int64_t i = 0; i < states; i++) {
      lanes e = lanes_exp2_negative(dt * lanes_load(decay + i * LANES));
      s[i] = e * s[i] + dt_x * lanes_all(b[i]);
      if (i % 2) odd = odd + s[i] * lanes_all(c[i]);
      else even = even + s[i] * lanes_all(c[i]);
    }
    lanes_store_n(m->y + t * m->channels + d, even + odd, used);
  }
  for (int64_t i = 0; i < states; i++) lanes_store(h + i * LANES, s[i]);
}

/* Where state i of channel d lies in the blocks. */
static inline int64_t in_block(const mamba *m, int64_t d, int64_t i) {
  return (d / LANES * m->states + i) * LANES + d % LANES;
}

/* Some steps at once for all channels, so that their rows, states and rates stay in the second
 * cache. */
REFERENCE(mamba_scan_lanes) {
  const float *a = in[0], *h0 = in[5];
  float *last = out[1];
  const int64_t steps = n[0], channels = n[1], states = n[2];
  const int64_t room = (channels + LANES - 1) / LANES * LANES * states;
  mamba m = {in[1], in[2], in[3], in[4], out[0], floats(room), floats(room), channels, states};
  if (states > MAX_STATES) abort();
  memset(m.decay, 0, (size_t)room * sizeof *m.decay);
  memset(m.h, 0, (size_t)room * sizeof *m.h);
  for (int64_t i = 0; i < channels * states; i++) {
    int64_t at = in_block(&m, i / states, i % states);
    m.decay[at] = a[i] * 1.44269504f;
    m.h[at] = h0[i];
  }
  for (int64_t t = 0; t < steps; t += STEPS_AT_ONCE)
    for (int64_t d = 0; d < channels; d += LANES) {
      int64_t used = channels - d < LANES ? channels - d : LANES;
      int64_t end = t + STEPS_AT_ONCE < steps ? t + STEPS_AT_ONCE : steps;
      if (states == 16) mamba_block(&m, d, used, t, end, 16);
      else mamba_block(&m, d, used, t, end, states);
    }
  for (int64_t i = 0; i < channels * states; i++)
    last[i] = m.h[in_block(&m, i / states, i % states)];
  free(m.decay), free(m.h);
}

/* One step of one head for `vectors` vectors of values. r, k and decay are of the keys, s is
 * [keys][values]. u times k v, read with r, is the same multiple of v for all keys together:
 * `bonus`. */
static inline __attribute__((always_inline)) void
rwkv_columns(float bonus, const float *restrict r, const float *restrict k,
             const float *restrict decay, const float *restrict v, float *restrict s,
             float *restrict y, int64_t keys, int64_t values, const int vectors) {
  lanes value[4], sum[4];
  for (int j = 0; j < vectors; j++) {
    value[j] = lanes_load(v + j * LANES);
    sum[j] = lanes_all(bonus) * value[j];
  }
  for (int64_t i = 0; i < keys; i++) {
    const lanes read = lanes_all(r[i]), key = lanes_all(k[i]), kept = lanes_all(decay[i]);
    for (int j = 0; j < vectors; j++) {
      float *at = s + i * values + j * LANES;
      lanes state = lanes_load(at);
      sum[j] = sum[j] + state * read;
      lanes_store(at, state * kept + key * value[j]);
    }
  }
  for (int j = 0; j < vectors; j++) lanes_store(y + j * LANES, sum[j]);
}

REFERENCE(rwkv6_lanes) {
  const int64_t steps = n[0], heads = n[1], keys = n[2], values = n[3];
  if (values % LANES != 0) abort();
  float *decay = floats(keys + LANES);
  memcpy(out[1], in[5], (size_t)(heads * keys * values) * sizeof(float));
  for (int64_t h = 0; h < heads; h++) {
    const float *u = (const float *)in[0] + h * keys;
    float *s = (float *)out[1] + h * keys * values;
    for (int64_t t = 0; t < steps; t++) {
      const int64_t row = t * heads + h;
      const float *r = (const float *)in[1] + row * keys, *k = (const float *)in[2] + row * keys;
      const float *v = (const float *)in[3] + row * values, *w = (const float *)in[4] + row * keys;
      float *y = (float *)out[0] + row * values;
      lanes products = lanes_all(0);
      for (int64_t i = 0; i < keys; i += LANES) {
        const int64_t ahead = 4 * heads * keys + i; /* rows of a head are far apart */
        __builtin_prefetch(r + ahead), __builtin_prefetch(k + ahead), __builtin_prefetch(w + ahead);
        lanes ku = lanes_load_n(k + i, keys - i) * lanes_load_n(u + i, keys - i);
        products = products + ku * lanes_load_n(r + i, keys - i);
        lanes_store(decay + i, lanes_exp(lanes_load_n(w + i, keys - i)));
      }
      for (int64_t j = 0; j < values; j += LANES) __builtin_prefetch(v + 4 * heads * values + j);
      const float bonus = lanes_sum(products);
      int64_t j = 0;
      for (; j + 4 * LANES <= values; j += 4 * LANES)
        rwkv_columns(bonus, r, k, decay, v + j, s + j, y + j, keys, values, 4);
      for (; j < values; j += LANES)
        rwkv_columns(bonus, r, k, decay, v + j, s + j, y + j, keys, values, 1);
    }
  }
  free(decay);
}
#endif
