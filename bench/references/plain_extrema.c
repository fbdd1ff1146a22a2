#include "variants.h"

/* NaN stays once it is there. */
REFERENCE(running_max) {
  for (int64_t o = 0; o < n[0]; o++) {
    const float *x = (const float *)in[0] + o * n[1];
    float *y = (float *)out[0] + o * n[1], top = x[0];
    for (int64_t t = 0; t < n[1]; t++) {
      if (x[t] > top || x[t] != x[t]) top = x[t];
      y[t] = top;
    }
  }
}

REFERENCE(running_argmax) {
  for (int64_t o = 0; o < n[0]; o++) {
    const float *x = (const float *)in[0] + o * n[1];
    const int64_t *label = (const int64_t *)in[1] + o * n[1];
    float *y = (float *)out[0] + o * n[1], top = x[0];
    int64_t *where = (int64_t *)out[1] + o * n[1], at = label[0];
    for (int64_t t = 0; t < n[1]; t++) {
      if (t && !(top > x[t] || (top == x[t] && at > label[t]))) {
        top = x[t];
        at = label[t];
      }
      y[t] = top;
      where[t] = at;
    }
  }
}

REFERENCE(cummax_op) {
  for (int64_t o = 0; o < n[0]; o++) {
    const float *x = (const float *)in[0] + o * n[1];
    float *y = (float *)out[0] + o * n[1], top = x[0];
    int64_t *where = (int64_t *)out[1] + o * n[1], at = 0;
    for (int64_t t = 0; t < n[1]; t++) {
      if (x[t] >= top || x[t] != x[t]) {
        top = x[t];
        at = t;
      }
      y[t] = top;
      where[t] = at;
    }
  }
}
