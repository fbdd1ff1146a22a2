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

/* ---- by blocks: where none of the elements is a new maximum, the old one is written ---- */

enum { STRETCH = 32 };

/* Also where there is a NaN on either side. */
static inline int has_new(const float *x, float top) {
  int any = 0;
  for (int j = 0; j < STRETCH; j++) any |= !(x[j] < top);
  return any;
}

static inline void fill_block(float *restrict y, int64_t *restrict where, float top, int64_t at) {
  for (int j = 0; j < STRETCH; j++) y[j] = top;
  for (int j = 0; j < STRETCH; j++) where[j] = at;
}

#define STRETCHES(name, first, is_new, place) \
  REFERENCE(name) { \
    for (int64_t o = 0; o < n[0]; o++) { \
      const float *restrict x = (const float *)in[0] + o * n[1]; \
      __attribute__((unused)) const int64_t *label = (const int64_t *)in[1] + o * n[1]; \
      float *restrict y = (float *)out[0] + o * n[1], top = x[0]; \
      int64_t *restrict where = (int64_t *)out[1] + o * n[1], at = first; \
      for (int64_t t = 0, end; t < n[1]; t = end) { \
        end = t + STRETCH < n[1] ? t + STRETCH : n[1]; \
        if (end - t == STRETCH && !has_new(x + t, top)) { \
          fill_block(y + t, where + t, top, at); \
          continue; \
        } \
        for (int64_t k = t; k < end; k++) { \
          if (is_new) { \
            top = x[k]; \
            at = place; \
          } \
          y[k] = top; \
          where[k] = at; \
        } \
      } \
    } \
  }

STRETCHES(running_argmax_blocks, label[0], k && !(x[k] < top) && !(x[k] == top && at > label[k]),
          label[k])
STRETCHES(cummax_op_blocks, 0, !(x[k] < top) && (top == top || x[k] != x[k]), k)

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
