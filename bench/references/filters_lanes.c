/* Filters of statistics with intrinsics. */
#include "variants.h"
#if defined(__AVX2__) && defined(__FMA__)
#include "floats.h"
#include "kalman_step.h"
#include "lanes.h"

KALMAN_STEP(track_step, lanes, lanes_all)

enum { TOGETHER = 2 }; /* vectors of tracks, as the steps of one wait for a division */

/* `used` tracks from b on, up to TOGETHER vectors. */
static void track_block(void *const *in, void *const *out, const int64_t *n, int64_t b,
                        int64_t used) {
  const float *z = (const float *)in[0] + b, *m0 = (const float *)in[1] + b;
  float *x = (float *)out[0] + b, *y = (float *)out[1] + b;
  lanes s[TOGETHER][TRACK_LEAVES];
  int64_t count[TOGETHER];
  for (int l = 0; l < TOGETHER; l++) {
    count[l] = used - l * LANES < 0 ? 0 : used - l * LANES < LANES ? used - l * LANES : LANES;
    for (int i = 0; i < TRACK_LEAVES; i++)
      s[l][i] = i < 4 ? lanes_load_n(m0 + i * n[1] + l * LANES, count[l])
                      : lanes_all((float)starts_at_one(i));
  }
  for (int64_t t = 0; t < n[0]; t++, z += 2 * n[1], x += n[1], y += n[1])
    for (int l = 0; l < TOGETHER; l++) {
      track_step(s[l], lanes_load_n(z + l * LANES, count[l]),
                 lanes_load_n(z + n[1] + l * LANES, count[l]));
      lanes_store_n(x + l * LANES, s[l][0], count[l]);
      lanes_store_n(y + l * LANES, s[l][1], count[l]);
    }
}

REFERENCE(kalman_lanes_registers) {
  for (int64_t b = 0; b < n[1]; b += TOGETHER * LANES)
    track_block(in, out, n, b, n[1] - b < TOGETHER * LANES ? n[1] - b : TOGETHER * LANES);
}

/* log sum over i of exp(alpha[i] + trans[i][j]) is m + log sum of exp(alpha[i] - m)
 * exp(trans[i][j]) for any m: with the exp of trans taken once, a step is one vector times a
 * matrix. m is the greatest alpha. */
REFERENCE(hmm_forward_lanes) {
  const int64_t states = n[1];
  const float *trans = in[0], *obs = in[1], *before = in[2];
  if (states % LANES != 0) abort();
  float *weight = floats(states * states), *e = floats(states), *alpha = out[0];
  for (int64_t i = 0; i < states * states; i += LANES)
    lanes_store(weight + i, lanes_exp(lanes_load(trans + i)));
  for (int64_t t = 0; t < n[0]; t++, before = alpha, alpha += states, obs += states) {
    lanes most = lanes_load(before);
    for (int64_t j = LANES; j < states; j += LANES) most = lanes_max(most, lanes_load(before + j));
    most = lanes_all(lanes_maximum(most));
    for (int64_t j = 0; j < states; j += LANES)
      lanes_store(e + j, lanes_exp(lanes_load(before + j) - most));
    for (int64_t j = 0; j < states; j += LANES) {
      lanes sum[4] = {lanes_all(0), lanes_all(0), lanes_all(0), lanes_all(0)};
      for (int64_t i = 0; i < states; i += 4)
        for (int l = 0; l < 4; l++)
          sum[l] = sum[l] + lanes_all(e[i + l]) * lanes_load(weight + (i + l) * states + j);
      lanes total = lanes_log((sum[0] + sum[1]) + (sum[2] + sum[3]));
      lanes_store(alpha + j, total + most + lanes_load(obs + j));
    }
  }
  free(weight), free(e);
}
#endif
