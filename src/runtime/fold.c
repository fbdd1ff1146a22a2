/* The kernels of fold.h. */
#include "runtime/fold.h"

#include <math.h>
#include <string.h>

typedef struct {
  float re, im;
} c64;
typedef struct {
  double re, im;
} c128;

static inline c64 c64_mul(c64 a, c64 b) {
  return (c64){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
static inline c128 c128_mul(c128 a, c128 b) {
  return (c128){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* Vectors of 16 bytes: what every supported CPU has. */
#define VECTOR_BYTES 16
typedef float v_f32 __attribute__((vector_size(VECTOR_BYTES), aligned(4), may_alias));
typedef double v_f64 __attribute__((vector_size(VECTOR_BYTES), aligned(8), may_alias));
typedef uint64_t v_i64 __attribute__((vector_size(VECTOR_BYTES), aligned(8), may_alias));
typedef int32_t mask_f32 __attribute__((vector_size(VECTOR_BYTES)));
typedef int64_t mask_f64 __attribute__((vector_size(VECTOR_BYTES)));

/* Maximum and minimum: NaN wins and +0 > -0. Equal values differ at most in the sign of zero, so
 * and/or of the bits gives the larger and the smaller one. name_v: the same for vectors. */
#define EXTREMUM(name, T, I, type, better, bits) \
  static inline T name(T a, T b) { \
    I x, y; \
    memcpy(&x, &a, sizeof x); \
    memcpy(&y, &b, sizeof y); \
    I same = x bits y; \
    T equal, r = b better a ? b : a; \
    memcpy(&equal, &same, sizeof same); \
    r = a == b ? equal : r; \
    return b != b ? b : r; \
  } \
  static inline v_##type name##_v(v_##type p, v_##type q) { \
    mask_##type wins = q better p, same = p == q, nan = q != q, x = (mask_##type)p, \
                y = (mask_##type)q; \
    mask_##type r = (y & wins) | (x & ~wins); \
    r = ((x bits y) & same) | (r & ~same); \
    return (v_##type)((y & nan) | (r & ~nan)); \
  }
EXTREMUM(max_f32, float, int32_t, f32, >, &)
EXTREMUM(min_f32, float, int32_t, f32, <, |)
EXTREMUM(max_f64, double, int64_t, f64, >, &)
EXTREMUM(min_f64, double, int64_t, f64, <, |)

#define ADD(a, b) ((a) + (b))
#define MUL(a, b) ((a) * (b))
#define MAXI(a, b) ((b) > (a) ? (b) : (a))
#define MINI(a, b) ((b) < (a) ? (b) : (a))

#define FILL(name, T, IDENTITY) \
  static void name##_fill(void *p, int64_t n) { \
    T *v = p; \
    for (int64_t i = 0; i < n; i++) v[i] = IDENTITY; \
  }

/* The lanes in a[] and what is left of x, x[i..n), as one value. Lanes without elements are left
 * out: 1 * x is not x for complex numbers that are not finite. */
#define FINISH(T, OP) \
  for (int k = 0; i < n; i++, k++) a[k] = OP(a[k], x[i]); \
  for (int h = FOLD_LANES / 2; h > 0; h /= 2) \
    for (int k = 0; k < h && k + h < n; k++) a[k] = OP(a[k], a[k + h]); \
  *(T *)out = a[0]

#define FOLD(name, T, IDENTITY, OP) \
  FILL(name, T, IDENTITY) \
  static void name##_join(void *p, const void *q, int64_t n) { \
    T *a = p; \
    const T *x = q; \
    for (int64_t i = 0; i < n; i++) a[i] = OP(a[i], x[i]); \
  } \
  static void name##_block(void *out, const void *q, int64_t n) { \
    const T *x = q; \
    T a[FOLD_LANES]; \
    for (int k = 0; k < FOLD_LANES; k++) a[k] = IDENTITY; \
    int64_t i = 0; \
    for (; i + FOLD_LANES <= n; i += FOLD_LANES) \
      for (int k = 0; k < FOLD_LANES; k++) a[k] = OP(a[k], x[i + k]); \
    FINISH(T, OP); \
  }

/* The same in vectors; OPV is OP for them. */
#define FOLD_V(name, T, type, IDENTITY, OP, OPV) \
  FILL(name, T, IDENTITY) \
  static void name##_join(void *p, const void *q, int64_t n) { \
    enum { W = VECTOR_BYTES / sizeof(T) }; \
    T *a = p; \
    const T *x = q; \
    int64_t i = 0; \
    for (; i + W <= n; i += W) \
      *(v_##type *)(a + i) = OPV(*(v_##type *)(a + i), *(const v_##type *)(x + i)); \
    for (; i < n; i++) a[i] = OP(a[i], x[i]); \
  } \
  static void name##_block(void *out, const void *q, int64_t n) { \
    enum { W = VECTOR_BYTES / sizeof(T), N = FOLD_LANES / W }; \
    const T *x = q; \
    T a[FOLD_LANES]; \
    v_##type lanes[N]; \
    int64_t i = 0; \
    for (int k = 0; k < FOLD_LANES; k++) a[k] = IDENTITY; \
    memcpy(lanes, a, sizeof a); \
    for (; i + FOLD_LANES <= n; i += FOLD_LANES) { \
      _Pragma("GCC unroll 4") for (int k = 0; k < N; k++) lanes[k] = \
          OPV(lanes[k], ((const v_##type *)(x + i))[k]); \
    } \
    memcpy(a, lanes, sizeof a); \
    FINISH(T, OP); \
  }

/* `wins`: x replaces the extremum e. */
#define ARG(name, T, wins) \
  static void name##_arg(void *p, int64_t *index, const void *q, int64_t n, int64_t row) { \
    T *first = p; \
    const T *v = q; \
    for (int64_t i = 0; i < n; i++) { \
      T x = v[i], e = first[i]; \
      if (wins) first[i] = x, index[i] = row; \
    } \
  }

#define DIVIDE(name, T) \
  static void name##_divide(void *p, int64_t n, int64_t by) { \
    T *v = p; \
    for (int64_t i = 0; i < n; i++) v[i] /= (T)by; \
  }

FOLD_V(sum_f32, float, f32, 0, ADD, ADD)
FOLD_V(sum_f64, double, f64, 0, ADD, ADD)
FOLD_V(sum_i64, uint64_t, i64, 0, ADD, ADD)
FOLD_V(prod_f32, float, f32, 1, MUL, MUL)
FOLD_V(prod_f64, double, f64, 1, MUL, MUL)
FOLD(prod_i64, uint64_t, 1, MUL)
FOLD(prod_c64, c64, ((c64){1, 0}), c64_mul)
FOLD(prod_c128, c128, ((c128){1, 0}), c128_mul)
FOLD_V(max_f32, float, f32, -INFINITY, max_f32, max_f32_v)
FOLD_V(max_f64, double, f64, -INFINITY, max_f64, max_f64_v)
FOLD(max_i64, int64_t, INT64_MIN, MAXI)
FOLD(max_b8, uint8_t, 0, MAXI)
FOLD_V(min_f32, float, f32, INFINITY, min_f32, min_f32_v)
FOLD_V(min_f64, double, f64, INFINITY, min_f64, min_f64_v)
FOLD(min_i64, int64_t, INT64_MAX, MINI)
FOLD(min_b8, uint8_t, 1, MINI)
DIVIDE(sum_f32, float)
DIVIDE(sum_f64, double)
ARG(max_f32, float, x > e || (x != x && e == e))
ARG(max_f64, double, x > e || (x != x && e == e))
ARG(max_i64, int64_t, x > e)
ARG(max_b8, uint8_t, x > e)
ARG(min_f32, float, x < e || (x != x && e == e))
ARG(min_f64, double, x < e || (x != x && e == e))
ARG(min_i64, int64_t, x < e)
ARG(min_b8, uint8_t, x < e)

#define ROW(dtype, name, T, divide, arg) \
  {SCANC_##dtype, sizeof(T), name##_fill, name##_join, name##_block, divide, arg}

static const fold folds[][5] = {
    [FOLD_SUM] = {ROW(F32, sum_f32, float, sum_f32_divide, NULL),
                  ROW(F64, sum_f64, double, sum_f64_divide, NULL),
                  ROW(I64, sum_i64, int64_t, NULL, NULL)},
    [FOLD_PROD] = {ROW(F32, prod_f32, float, NULL, NULL), ROW(F64, prod_f64, double, NULL, NULL),
                   ROW(I64, prod_i64, int64_t, NULL, NULL), ROW(C64, prod_c64, c64, NULL, NULL),
                   ROW(C128, prod_c128, c128, NULL, NULL)},
    [FOLD_MAX] = {ROW(F32, max_f32, float, NULL, max_f32_arg),
                  ROW(F64, max_f64, double, NULL, max_f64_arg),
                  ROW(I64, max_i64, int64_t, NULL, max_i64_arg),
                  ROW(BOOL, max_b8, uint8_t, NULL, max_b8_arg)},
    [FOLD_MIN] = {ROW(F32, min_f32, float, NULL, min_f32_arg),
                  ROW(F64, min_f64, double, NULL, min_f64_arg),
                  ROW(I64, min_i64, int64_t, NULL, min_i64_arg),
                  ROW(BOOL, min_b8, uint8_t, NULL, min_b8_arg)},
};

const fold *fold_of(fold_kind kind, scanc_dtype acc) {
  for (int i = 0; i < 5; i++)
    if (folds[kind][i].size && folds[kind][i].acc == acc) return &folds[kind][i];
  return NULL;
}
