#include "variants.h"

/* The state is the row behind in the result. */
REFERENCE(discounted_returns) {
  const float *rew = in[0];
  const uint8_t *done = in[1];
  float *y = out[0];
  for (int64_t t = n[0] - 1; t >= 0; t--)
    for (int64_t d = 0; d < n[1]; d++) {
      int64_t at = t * n[1] + d;
      float later = t < n[0] - 1 ? y[at + n[1]] : 0, goes_on = 1.0f - (float)done[at];
      y[at] = rew[at] + goes_on * 0.99f * later;
    }
}

REFERENCE(gae) {
  const float *rew = in[0], *val = in[1], *next = in[2];
  const uint8_t *done = in[3];
  float *advantage = out[0], *returns = out[1];
  for (int64_t t = n[0] - 1; t >= 0; t--)
    for (int64_t d = 0; d < n[1]; d++) {
      int64_t at = t * n[1] + d;
      float later = t < n[0] - 1 ? advantage[at + n[1]] : 0, goes_on = 1.0f - (float)done[at];
      float delta = rew[at] + next[at] * 0.99f * goes_on - val[at];
      advantage[at] = delta + goes_on * 0.9405f * later;
      returns[at] = advantage[at] + val[at];
    }
}
