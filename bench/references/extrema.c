#include "variants.h"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#include "network.h"
#endif

REFERENCE(running_max) {
  for (int64_t o = 0; o < n[0]; o++) {
    const float *restrict x = (const float *)in[0] + o * n[1];
    float *restrict y = (float *)out[0] + o * n[1];
    float top = x[0];
    for (int64_t t = 0; t < n[1]; t++) {
      top = x[t] <= top || top != top ? top : x[t];
      y[t] = top;
    }
  }
}

/* A new maximum is rare in a long row: it is the branch that is taken. */
REFERENCE(running_argmax) {
  for (int64_t o = 0; o < n[0]; o++) {
    const float *restrict x = (const float *)in[0] + o * n[1];
    const int64_t *restrict label = (const int64_t *)in[1] + o * n[1];
    float *restrict y = (float *)out[0] + o * n[1];
    int64_t *restrict where = (int64_t *)out[1] + o * n[1];
    float top = x[0];
    int64_t at = label[0];
    for (int64_t t = 0; t < n[1]; t++) {
      if (t && !(x[t] < top) && !(x[t] == top && at > label[t])) {
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
    const float *restrict x = (const float *)in[0] + o * n[1];
    float *restrict y = (float *)out[0] + o * n[1];
    int64_t *restrict where = (int64_t *)out[1] + o * n[1];
    float top = x[0];
    int64_t at = 0;
    for (int64_t t = 0; t < n[1]; t++) {
      if (!(x[t] < top) && (top == top || x[t] != x[t])) {
        top = x[t];
        at = t;
      }
      y[t] = top;
      where[t] = at;
    }
  }
}

#ifdef NETWORK_H
/* The instruction gives its second operand where one is NaN: it takes care of a NaN that is
 * earlier, and the mask of a later one. */
static inline group maximum(group a, group b) {
  __m512 top = _mm512_max_ps(b.leaf[0], a.leaf[0]);
  __mmask16 later = _mm512_cmp_ps_mask(b.leaf[0], b.leaf[0], _CMP_UNORD_Q);
  a.leaf[0] = _mm512_mask_mov_ps(top, later, b.leaf[0]);
  return a;
}

static const operation running = {1, maximum, {-__builtin_inff()}, {0}};

REFERENCE(running_max_zmm) {
  for (int64_t o = 0; o < n[0]; o++) {
    const float *x = (const float *)in[0] + o * n[1];
    float *y = (float *)out[0] + o * n[1];
    prefix_row(&running, &x, &y, n[1]);
  }
}
#endif
