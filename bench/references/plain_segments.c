#include "variants.h"

REFERENCE(segmented_sum) {
  const float *x = in[0];
  const uint8_t *start = in[1];
  float *y = out[0], c = 0;
  for (int64_t i = 0; i < n[0]; i++) {
    c = start[i] ? x[i] : c + x[i];
    y[i] = c;
  }
}
