#include "variants.h"

/* Columns are taken 64 at a time, as memory is read in lines. */
enum { COLUMNS = 64 };

#define ALONG_T(name, accumulator) \
  static void name##_columns(const float *x, float *y, int64_t t, int64_t stride, int64_t width) { \
    accumulator c[COLUMNS] = {0}; \
    for (int64_t k = 0; k < t; k++) \
      for (int64_t i = 0; i < width; i++) y[k * stride + i] = (float)(c[i] += x[k * stride + i]); \
  } \
  REFERENCE(name) { \
    for (int64_t o = 0; o < n[0]; o++) \
      for (int64_t i = 0; i < n[2]; i += COLUMNS) { \
        int64_t at = o * n[1] * n[2] + i, width = n[2] - i < COLUMNS ? n[2] - i : COLUMNS; \
        name##_columns((const float *)in[0] + at, (float *)out[0] + at, n[1], n[2], width); \
      } \
  }

ALONG_T(cumsum_axis, float)
ALONG_T(cumsum_op, double)
