#include "variants.h"

/* Columns are taken 64 at a time, as memory is read in lines. */
enum { COLUMNS = 64 };

/* start op= x */
#define ALONG_T(name, accumulator, start, op) \
  static void name##_columns(const float *x, float *y, int64_t t, int64_t stride, int64_t width) { \
    accumulator c[COLUMNS]; \
    for (int64_t i = 0; i < COLUMNS; i++) c[i] = start; \
    for (int64_t k = 0; k < t; k++) \
      for (int64_t i = 0; i < width; i++) y[k * stride + i] = (float)(c[i] op x[k * stride + i]); \
  } \
  static void name##_line(const float *x, float *y, int64_t t) { \
    accumulator c = start; \
    for (int64_t k = 0; k < t; k++) y[k] = (float)(c op x[k]); \
  } \
  REFERENCE(name) { \
    for (int64_t o = 0; o < n[0]; o++) \
      for (int64_t i = 0; i < n[2]; i += COLUMNS) { \
        int64_t at = o * n[1] * n[2] + i, width = n[2] - i < COLUMNS ? n[2] - i : COLUMNS; \
        const float *x = (const float *)in[0] + at; \
        float *y = (float *)out[0] + at; \
        if (n[2] == 1) name##_line(x, y, n[1]); \
        else name##_columns(x, y, n[1], n[2], width); \
      } \
  }

ALONG_T(cumsum_axis, float, 0, +=)
ALONG_T(cumsum_op, double, 0, +=)
ALONG_T(cumprod_op, double, 1, *=)
