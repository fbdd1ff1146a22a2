/* Conversions between dtypes: a matrix of row loops generated from the two element types. Values go
 * through the type of computation of the source (f16 and bf16 through f32). */
#include "ir/ops_kernel_opt.h"

#include "ir/convert.h"

#include <string.h>

#include "ir/ops_math.h"

/* ---- halves ---- */

static inline float f32_of_f16(uint16_t h) {
  uint32_t sign = (uint32_t)(h & 0x8000) << 16, rest = (uint32_t)(h & 0x7fff) << 13;
  /* The exponent is rebiased; subnormal numbers are what is above 2^-14 then, and no operand here
   * is subnormal itself. */
  uint32_t normal = rest + 0x38000000, special = 0x7f800000 | rest;
  uint32_t small = ew_bitsf(ew_of_bitsf(rest + 0x38800000) - 0x1p-14f);
  uint32_t finite = rest < 0x400u << 13 ? small : normal;
  return ew_of_bitsf(sign | (rest >= 0x7c00u << 13 ? special : finite));
}

/* The three cases are computed side by side and selected, so that loops vectorise. */
static inline uint16_t f16_of_f32(float f) {
  uint32_t u = ew_bitsf(f), sign = u >> 16 & 0x8000, m = u & 0x7fffffff;
  uint32_t normal = (m + 0xfff + (m >> 13 & 1) - 0x38000000) >> 13;
  uint32_t small = ew_bitsf(ew_of_bitsf(m) + 0.5f) - 0x3f000000; /* rounds to a multiple of 2^-24 */
  uint32_t r = m < 0x38800000 ? small : normal;
  r = m >= 0x477ff000 ? 0x7c00 : r;
  r = m > 0x7f800000 ? 0x7e00 : r;
  return (uint16_t)(sign | r);
}

static inline float f32_of_bf16(uint16_t h) { return ew_of_bitsf((uint32_t)h << 16); }

static inline uint16_t bf16_of_f32(float f) {
  uint32_t u = ew_bitsf(f);
  uint32_t rounded = (u + 0x7fff + (u >> 16 & 1)) >> 16, quiet = u >> 16 | 0x40;
  return (uint16_t)((u & 0x7fffffff) > 0x7f800000 ? quiet : rounded);
}

/* ---- one element ---- */

static inline int64_t int_of_f64(double x) {
  return x >= -0x1p63 && x < 0x1p63 ? (int64_t)x : INT64_MIN;
}
static inline int32_t int32_of_f64(double x) {
  return x > -0x1p31 - 1 && x < 0x1p31 ? (int32_t)x : INT32_MIN;
}
static inline int64_t int_of_f32(float x) {
  return x >= -0x1p63f && x < 0x1p63f ? (int64_t)x : INT64_MIN;
}
static inline int32_t int32_of_f32(float x) {
  return x >= -0x1p31f && x < 0x1p31f ? (int32_t)x : INT32_MIN;
}

/* Stored types, how each is loaded into its type of computation, and the real part of a loaded
 * value. */
#define T_BOOL uint8_t
#define T_U8 uint8_t
#define T_I8 int8_t
#define T_I16 int16_t
#define T_I32 int32_t
#define T_I64 int64_t
#define T_F16 uint16_t
#define T_BF16 uint16_t
#define T_F32 float
#define T_F64 double
#define T_C64 float _Complex
#define T_C128 double _Complex

#define LOAD_BOOL(x) ((uint8_t)(x))
#define LOAD_U8(x) (x)
#define LOAD_I8(x) (x)
#define LOAD_I16(x) (x)
#define LOAD_I32(x) (x)
#define LOAD_I64(x) (x)
#define LOAD_F16(x) f32_of_f16(x)
#define LOAD_BF16(x) f32_of_bf16(x)
#define LOAD_F32(x) (x)
#define LOAD_F64(x) (x)
#define LOAD_C64(x) (x)
#define LOAD_C128(x) (x)

/* Integers from the four kinds of loaded values: I integer, S f32, D f64. */
#define TO_I64_I(x) ((int64_t)(x))
#define TO_I64_S(x) int_of_f32(x)
#define TO_I64_D(x) int_of_f64(x)
#define TO_I32_I(x) ((int32_t)(x))
#define TO_I32_S(x) int32_of_f32(x)
#define TO_I32_D(x) int32_of_f64(x)
#define TO_I16_I(x) ((int16_t)(x))
#define TO_I16_S(x) ((int16_t)int32_of_f32(x))
#define TO_I16_D(x) ((int16_t)int32_of_f64(x))
#define TO_I8_I(x) ((int8_t)(x))
#define TO_I8_S(x) ((int8_t)int32_of_f32(x))
#define TO_I8_D(x) ((int8_t)int32_of_f64(x))
#define TO_U8_I(x) ((uint8_t)(x))
#define TO_U8_S(x) ((uint8_t)int_of_f32(x))
#define TO_U8_D(x) ((uint8_t)int_of_f64(x))
#define TO_F16_I(x) f16_of_f32((float)(x))
#define TO_F16_S(x) f16_of_f32(x)
#define TO_F16_D(x) f16_of_f32((float)(x))
#define TO_BF16_I(x) bf16_of_f32((float)(x))
#define TO_BF16_S(x) bf16_of_f32(x)
#define TO_BF16_D(x) bf16_of_f32((float)(x))
#define TO_F32_I(x) ((float)(x))
#define TO_F32_S(x) (x)
#define TO_F32_D(x) ((float)(x))
#define TO_F64_I(x) ((double)(x))
#define TO_F64_S(x) ((double)(x))
#define TO_F64_D(x) (x)
#define TO_C64_I(x) ew_cmplxf((float)(x), 0)
#define TO_C64_S(x) ew_cmplxf(x, 0)
#define TO_C64_D(x) ew_cmplxf((float)(x), 0)
#define TO_C128_I(x) ew_cmplx((double)(x), 0)
#define TO_C128_S(x) ew_cmplx(x, 0)
#define TO_C128_D(x) ew_cmplx(x, 0)
#define TO_BOOL_I(x) ((uint8_t)((x) != 0))
#define TO_BOOL_S(x) ((uint8_t)((x) != 0))
#define TO_BOOL_D(x) ((uint8_t)((x) != 0))

/* ---- row loops ---- */

#define ROW(to, from, expr) \
  static void to##_of_##from(int64_t n, void *dst, int64_t ds, const void *src, int64_t ss) { \
    T_##to *d = dst; \
    const T_##from *s = src; \
    if (ds == 1 && ss == 1) { \
      for (int64_t i = 0; i < n; i++) { \
        T_##from x = s[i]; \
        d[i] = expr; \
      } \
      return; \
    } \
    for (int64_t i = 0; i < n; i++) { \
      T_##from x = s[i * ss]; \
      d[i * ds] = expr; \
    } \
  }
#define ROW_OF(to, from, kind) ROW(to, from, TO_##to##_##kind(LOAD_##from(x)))
/* The formatter never settles on these lines. */
/* clang-format off */
#define ROWS_TO(to) \
  ROW_OF(to, U8, I) ROW_OF(to, I8, I) ROW_OF(to, I16, I) ROW_OF(to, I32, I) ROW_OF(to, I64, I) \
  ROW_OF(to, F16, S) ROW_OF(to, BF16, S) ROW_OF(to, F32, S) ROW_OF(to, F64, D) ROW_OF(to, BOOL, I)
/* clang-format on */
#define ROWS_TO_REAL(to) \
  ROWS_TO(to) ROW(to, C64, TO_##to##_S(__real__ x)) ROW(to, C128, TO_##to##_D(__real__ x))
ROWS_TO(BOOL)
ROW(BOOL, C64, (uint8_t)(x != 0))
ROW(BOOL, C128, (uint8_t)(x != 0))
ROWS_TO_REAL(U8)
ROWS_TO_REAL(I8)
ROWS_TO_REAL(I16)
ROWS_TO_REAL(I32)
ROWS_TO_REAL(I64)
ROWS_TO_REAL(F16)
ROWS_TO_REAL(BF16)
ROWS_TO_REAL(F32)
ROWS_TO_REAL(F64)
ROWS_TO(C64)
ROW(C64, C64, x)
ROW(C64, C128, ew_cmplxf((float)__real__ x, (float)__imag__ x))
ROWS_TO(C128)
ROW(C128, C64, ew_cmplx(__real__ x, __imag__ x))
ROW(C128, C128, x)

#define ENTRIES(to) \
  [SCANC_##to] = { \
      [SCANC_BOOL] = to##_of_BOOL, [SCANC_U8] = to##_of_U8,     [SCANC_I8] = to##_of_I8, \
      [SCANC_I16] = to##_of_I16,   [SCANC_I32] = to##_of_I32,   [SCANC_I64] = to##_of_I64, \
      [SCANC_F16] = to##_of_F16,   [SCANC_BF16] = to##_of_BF16, [SCANC_F32] = to##_of_F32, \
      [SCANC_F64] = to##_of_F64,   [SCANC_C64] = to##_of_C64,   [SCANC_C128] = to##_of_C128}

convert_fn convert_of(scanc_dtype to, scanc_dtype from) {
  static const convert_fn table[SCANC_N_DTYPES][SCANC_N_DTYPES] = {
      ENTRIES(BOOL), ENTRIES(U8),   ENTRIES(I8),  ENTRIES(I16), ENTRIES(I32), ENTRIES(I64),
      ENTRIES(F16),  ENTRIES(BF16), ENTRIES(F32), ENTRIES(F64), ENTRIES(C64), ENTRIES(C128)};
  /* Copies of halves keep the bits. */
  if (to == from && (to == SCANC_F16 || to == SCANC_BF16)) return table[SCANC_I16][SCANC_I16];
  return table[to][from];
}

/* ---- numbers ---- */

void number_store(number v, scanc_dtype d, void *p) {
  if (d == SCANC_F32 && v.cls == 'f') { /* the common case, without an indirect call */
    float f = (float)v.f;
    memcpy(p, &f, sizeof f);
    return;
  }
  double z[2] = {v.f, v.im};
  uint8_t b = v.i != 0;
  switch (v.cls) {
    case 'b': convert_of(d, SCANC_BOOL)(1, p, 1, &b, 1); return;
    case 'i': convert_of(d, SCANC_I64)(1, p, 1, &v.i, 1); return;
    case 'f': convert_of(d, SCANC_F64)(1, p, 1, &v.f, 1); return;
    default: convert_of(d, SCANC_C128)(1, p, 1, z, 1);
  }
}

number number_load(scanc_dtype d, const void *p) {
  if (d == SCANC_F32) {
    float f;
    memcpy(&f, p, sizeof f);
    return (number){.cls = 'f', .i = int_of_f64((double)f), .f = (double)f};
  }
  number v = {0};
  double z[2] = {0};
  if (d == SCANC_C64 || d == SCANC_C128) {
    v.cls = 'c';
    convert_of(SCANC_C128, d)(1, z, 1, p, 1);
    v.f = z[0];
    v.im = z[1];
    v.i = int_of_f64(v.f);
  } else if (d == SCANC_F16 || d == SCANC_BF16 || d == SCANC_F32 || d == SCANC_F64) {
    v.cls = 'f';
    convert_of(SCANC_F64, d)(1, &v.f, 1, p, 1);
    v.i = int_of_f64(v.f);
  } else {
    v.cls = d == SCANC_BOOL ? 'b' : 'i';
    convert_of(SCANC_I64, d)(1, &v.i, 1, p, 1);
    v.f = (double)v.i;
  }
  return v;
}
