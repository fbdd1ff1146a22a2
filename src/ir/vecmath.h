/* The math functions of vecmath.inc in C: vm_exp and the like for f64, vm_expf and the like for
 * f32. Where EW_FMA is 1, FMA rounds once; it depends on the CPU level (ops_kernel.h), so two files
 * that include this may see different functions, which are therefore static. */
#ifndef SCANC_IR_VECMATH_H
#define SCANC_IR_VECMATH_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#if !defined EW_FMA
#if defined __x86_64__ || defined __i386__
#define EW_FMA 0
#else
#define EW_FMA 1
#endif
#endif

#define VM_UNUSED __attribute__((unused))

static VM_UNUSED inline uint32_t vm_bits32(float x) {
  uint32_t u;
  memcpy(&u, &x, sizeof u);
  return u;
}
static VM_UNUSED inline uint64_t vm_bits64(double x) {
  uint64_t u;
  memcpy(&u, &x, sizeof u);
  return u;
}
static VM_UNUSED inline float vm_real32(uint32_t u) {
  float x;
  memcpy(&x, &u, sizeof x);
  return x;
}
static VM_UNUSED inline double vm_real64(uint64_t u) {
  double x;
  memcpy(&x, &u, sizeof x);
  return x;
}
static VM_UNUSED inline uint32_t vm_sar32(uint32_t a, int k) { return (uint32_t)((int32_t)a >> k); }
static VM_UNUSED inline uint64_t vm_sar64(uint64_t a, int k) { return (uint64_t)((int64_t)a >> k); }

#if EW_FMA
static VM_UNUSED inline float vm_fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
static VM_UNUSED inline double vm_fma(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
#else
static VM_UNUSED inline float vm_fmaf(float a, float b, float c) { return a * b + c; }
static VM_UNUSED inline double vm_fma(double a, double b, double c) { return a * b + c; }
#endif

#define VF float
#define VD double
#define VJ uint32_t
#define VI uint64_t
#define VP int
#define VM_DEF(type, name, ...) \
  static VM_UNUSED inline __attribute__((always_inline)) type name(__VA_ARGS__)
#define VM_LONG(type, name, ...) static VM_UNUSED __attribute__((noinline)) type name(__VA_ARGS__)
#define VM_DEF_SCALAR(type, name, ...) \
  static VM_UNUSED __attribute__((noinline, cold)) type name(__VA_ARGS__)
#define CALL(f, ...) f(__VA_ARGS__)
#define F(c) ((float)(c))
#define D(c) ((double)(c))
#define J(c) ((uint32_t)(c))
#define L(c) ((uint64_t)(c))
#define INFTYF ((float)INFINITY)
#define INFTY ((double)INFINITY)
#define NOTNUMF ((float)NAN)
#define NOTNUM ((double)NAN)
#define HAS_FMA EW_FMA
#define ADD(a, b) ((a) + (b))
#define SUB(a, b) ((a) - (b))
#define MUL(a, b) ((a) * (b))
#define DIV(a, b) ((a) / (b))
#define NEG(a) (-(a))
#define VM_BY_TYPE(fn, a) _Generic((a), float: fn##f, default: fn)
#define ABS(a) VM_BY_TYPE(fabs, a)(a)
#define SQRT(a) VM_BY_TYPE(sqrt, a)(a)
#define COPYSIGN(a, b) VM_BY_TYPE(copysign, a)(a, b)
#define FMA(a, b, c) VM_BY_TYPE(vm_fma, a)(a, b, c)
#define LT(a, b) ((a) < (b))
#define GT(a, b) ((a) > (b))
#define GE(a, b) ((a) >= (b))
#define EQ(a, b) ((a) == (b))
#define NE(a, b) ((a) != (b))
#define PAND(p, q) ((p) & (q))
#define POR(p, q) ((p) | (q))
#define PXOR(p, q) ((p) ^ (q))
#define PNOT(p) ((p) ^ 1)
#define SEL(p, a, b) ((p) ? (a) : (b))
#define BITSF(a) vm_bits32(a)
#define BITS(a) vm_bits64(a)
#define REALF(a) vm_real32(a)
#define REAL(a) vm_real64(a)
#define WIDEN(a) ((double)(a))
#define NARROW(a) ((float)(a))
#define IADD(a, b) ((a) + (b))
#define ISUB(a, b) ((a) - (b))
#define IMUL(a, b) ((a) * (b))
#define IMULHI(a, b) ((uint64_t)((unsigned __int128)(a) * (b) >> 64))
#define IAND(a, b) ((a) & (b))
#define IOR(a, b) ((a) | (b))
#define IXOR(a, b) ((a) ^ (b))
#define INE(a, b) ((a) != (b))
#define IULT(a, b) ((a) < (b))
#define SHLK(a, k) ((a) << (k))
#define SHRK(a, k) ((a) >> (k))
#define SARK(a, k) _Generic((a), uint32_t: vm_sar32, default: vm_sar64)(a, k)
#define SHL(a, b) ((a) << (b))
#define SHR(a, b) ((a) >> (b))
#define TO_REAL(a) ((double)(int64_t)(a))
#define TO_REALF(a) ((float)(int32_t)(a))
#define TWO_OVER_PI(i) vm_two_over_pi[i]
#define SCALEF(q, z) CALL(vm_scalef, q, z)
#define SCALE(a, b, z) CALL(vm_scale, a, b, z)
#define REDUCE_BIG(a, r, low, z) \
  if (fabs(a) > BIG_ANGLE && fabs(a) < INFTY) r = vm_angle_reduce_big(a, &(low), &(z))

static const uint64_t vm_two_over_pi[] = {
#include "ir/vecmath_pi.inc"
};

#include "ir/vecmath.inc"

#undef VF
#undef VD
#undef VJ
#undef VI
#undef VP
#undef VM_DEF
#undef VM_LONG
#undef VM_DEF_SCALAR
#undef CALL
#undef F
#undef D
#undef J
#undef L
#undef INFTYF
#undef INFTY
#undef NOTNUMF
#undef NOTNUM
#undef HAS_FMA
#undef ADD
#undef SUB
#undef MUL
#undef DIV
#undef NEG
#undef ABS
#undef SQRT
#undef COPYSIGN
#undef FMA
#undef LT
#undef GT
#undef GE
#undef EQ
#undef NE
#undef PAND
#undef POR
#undef PXOR
#undef PNOT
#undef SEL
#undef BITSF
#undef BITS
#undef REALF
#undef REAL
#undef WIDEN
#undef NARROW
#undef IADD
#undef ISUB
#undef IMUL
#undef IMULHI
#undef IAND
#undef IOR
#undef IXOR
#undef INE
#undef IULT
#undef SHLK
#undef SHRK
#undef SARK
#undef SHL
#undef SHR
#undef TO_REAL
#undef TO_REALF
#undef TWO_OVER_PI
#undef REDUCE_BIG
#undef VM_BY_TYPE

#endif
