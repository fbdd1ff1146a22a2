/* Scalar functions behind the primitives of ops.def that C has no operator for. Functions of f32
 * end in f, as libm's do. Values are those of PyTorch's CPU kernels for NaN, infinities, signed
 * zeros and signs of remainders. */
#ifndef SCANC_IR_OPS_MATH_H
#define SCANC_IR_OPS_MATH_H

#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "ir/vecmath.h"

static inline uint32_t ew_bitsf(float x) {
  uint32_t u;
  memcpy(&u, &x, sizeof u);
  return u;
}
static inline uint64_t ew_bits(double x) {
  uint64_t u;
  memcpy(&u, &x, sizeof u);
  return u;
}
static inline float ew_of_bitsf(uint32_t u) {
  float x;
  memcpy(&x, &u, sizeof x);
  return x;
}
static inline double ew_of_bits(uint64_t u) {
  double x;
  memcpy(&x, &u, sizeof x);
  return x;
}

/* fmod and nextafter compute in integers: a product of their result flushes it where arithmetic
 * does, and is the result itself elsewhere. */
#define EW_EXACT_FUNCTIONS(T, f) \
  static inline T ew_fmod##f(T a, T b) { \
    volatile T one = 1; \
    return fmod##f(a, b) * one; \
  } \
  static inline T ew_nextafter##f(T a, T b) { \
    volatile T one = 1; \
    return nextafter##f(a, b) * one; \
  }
EW_EXACT_FUNCTIONS(float, f)
EW_EXACT_FUNCTIONS(double, )
#undef EW_EXACT_FUNCTIONS

/* libm's complex functions. Where one part of an operand is NaN, C leaves the sign of a zero or an
 * infinity in the result open, and libm takes that of the NaN, which is as good as any other: so
 * they are given one and the same. */
static inline double ew_one_nan(double x) {
  return ew_of_bits(x != x ? (uint64_t)0x7ff8 << 48 : ew_bits(x));
}
static inline double _Complex ew_one_nans(double _Complex a) {
  double _Complex r;
  __real__ r = ew_one_nan(__real__ a);
  __imag__ r = ew_one_nan(__imag__ a);
  return r;
}
#define LIBM(name, type)
#define LIBMC1(name) \
  static inline double _Complex ew_lib_##name(double _Complex a) { return name(ew_one_nans(a)); }
#define LIBMC2(name) \
  static inline double _Complex ew_lib_##name(double _Complex a, double _Complex b) { \
    return name(ew_one_nans(a), ew_one_nans(b)); \
  }
#include "ir/libm.def"

/* One definition per function for f32 (suffix f) and f64 (no suffix).
 *   floordiv, pymod: Python's // and %; exact remainder by fmod, so a // b is floor of the exact
 * quotient maxn, minn:  NaN wins, +0 > -0: equal operands differ at most in the sign, so and / or
 * of their bits decides fmaxn, fminn: a number wins over NaN pow: the square where b is 2 */
#define EW_FLOAT_FUNCTIONS(T, f) \
  static inline T ew_pymod##f(T a, T b) { \
    T m = ew_fmod##f(a, b); \
    return m != 0 && (b < 0) != (m < 0) ? m + b : m; \
  } \
  static inline T ew_floordiv##f(T a, T b) { \
    if (b == 0) return a / b; \
    T m = ew_fmod##f(a, b), q = (a - m) / b; \
    if (m != 0 && (b < 0) != (m < 0)) q -= 1; \
    if (q == 0) return copysign##f(0, a / b); \
    T r = floor##f(q); \
    return q - r > (T)0.5 ? r + 1 : r; \
  } \
  static inline T ew_maxn##f(T a, T b) { \
    T r = a > b ? a : b, z = ew_of_bits##f(ew_bits##f(a) & ew_bits##f(b)); \
    r = a == b ? z : r; \
    return a != a ? a : r; \
  } \
  static inline T ew_minn##f(T a, T b) { \
    T r = a < b ? a : b, z = ew_of_bits##f(ew_bits##f(a) | ew_bits##f(b)); \
    r = a == b ? z : r; \
    return a != a ? a : r; \
  } \
  static inline T ew_fmaxn##f(T a, T b) { \
    T r = ew_maxn##f(a, b); \
    r = b != b ? a : r; \
    return a != a ? b : r; \
  } \
  static inline T ew_fminn##f(T a, T b) { \
    T r = ew_minn##f(a, b); \
    r = b != b ? a : r; \
    return a != a ? b : r; \
  } \
  static inline T ew_pow##f(T a, T b) { return b == 2 ? a * a : vm_pow##f(a, b); } \
  static inline T ew_lgamma##f(T a) { \
    int sign; \
    return lgamma##f##_r(a, &sign); \
  } \
  static inline int ew_isnan##f(T a) { return a != a; } \
  static inline int ew_isinf##f(T a) { return fabs##f(a) == (T)INFINITY; } \
  static inline int ew_isfinite##f(T a) { return fabs##f(a) < (T)INFINITY; } \
  static inline int ew_signbit##f(T a) { return (int)(ew_bits##f(a) >> (8 * sizeof a - 1)); } \
  static inline T ew_rmul##f(T a, T b) { return a * b; } \
  static inline T _Complex ew_cmplx##f(T re, T im) { \
    union { \
      T part[2]; \
      T _Complex whole; \
    } z = {{re, im}}; \
    return z.whole; \
  } \
  static inline T _Complex ew_cmul##f(T _Complex a, T _Complex b) { \
    T ar = __real__ a, ai = __imag__ a, br = __real__ b, bi = __imag__ b; \
    return ew_cmplx##f(ar * br - ai * bi, ar * bi + ai * br); \
  } \
  /* Smith's scaled division, and an infinite quotient by zero. */ \
  static inline T _Complex ew_cdiv##f(T _Complex a, T _Complex b) { \
    T ar = __real__ a, ai = __imag__ a, br = __real__ b, bi = __imag__ b; \
    T p = fabs##f(br), q = fabs##f(bi); \
    if (p == 0 && q == 0) return ew_cmplx##f(ar / p, ai / q); \
    if (p >= q) { \
      T ratio = bi / br, scale = 1 / (br + bi * ratio); \
      return ew_cmplx##f((ar + ai * ratio) * scale, (ai - ar * ratio) * scale); \
    } \
    T ratio = br / bi, scale = 1 / (br * ratio + bi); \
    return ew_cmplx##f((ar * ratio + ai) * scale, (ai * ratio - ar) * scale); \
  } \
  static inline T _Complex ew_cpow##f(T _Complex a, T _Complex b) { \
    return b == 2 ? ew_cmul##f(a, a) : (T _Complex)ew_lib_cpow(a, b); \
  }
EW_FLOAT_FUNCTIONS(float, f)
EW_FLOAT_FUNCTIONS(double, )
#undef EW_FLOAT_FUNCTIONS

/* Integers of type T, U the unsigned type they wrap in (at least 32 bits, so that nothing is
 * promoted to int and overflows). `st` gets 1 when the divisor is zero, which then counts as 1; MIN
 * / -1 wraps. pow: exponents below zero give 0, but for the bases 1 and -1. */
#define EW_INTEGER_FUNCTIONS(T, U, s) \
  static inline T ew_truncdiv_##s(T a, T b, int *st) { \
    if (b == 0) return *st |= 1, a; \
    if (b == (T) - 1 && (T) - 1 < 0) return (T)(0 - (U)a); \
    return (T)(a / b); \
  } \
  static inline T ew_cmod_##s(T a, T b, int *st) { \
    if (b == 0) return *st |= 1, (T)0; \
    if (b == (T) - 1 && (T) - 1 < 0) return 0; \
    return (T)(a % b); \
  } \
  static inline T ew_pymod_##s(T a, T b, int *st) { \
    T m = ew_cmod_##s(a, b, st); \
    return m != 0 && (m < 0) != (b < 0) ? (T)(m + b) : m; \
  } \
  static inline T ew_floordiv_##s(T a, T b, int *st) { \
    T q = ew_truncdiv_##s(a, b, st); \
    return b != 0 && (a < 0) != (b < 0) && (T)((U)q * (U)b) != a ? (T)(q - 1) : q; \
  } \
  static inline T ew_pow_##s(T a, T b) { \
    if (b < 0) return a == 1 ? (T)1 : a == (T) - 1 ? (T)((b & 1) ? -1 : 1) : (T)0; \
    U r = 1, x = (U)a; \
    for (uint64_t k = (uint64_t)b; k; k >>= 1, x *= x) \
      if (k & 1) r *= x; \
    return (T)r; \
  } \
  static inline T ew_shl_##s(T a, T b) { \
    return (uint64_t)b < 8 * sizeof(T) ? (T)((U)a << b) : (T)0; \
  } \
  static inline T ew_shr_##s(T a, T b) { \
    return (T)((uint64_t)b < 8 * sizeof(T) ? a >> b : a < 0 ? -1 : 0); \
  }

#endif
