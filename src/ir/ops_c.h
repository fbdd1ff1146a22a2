/* The C meaning of the primitives that the columns of ops.def are written in, for one class. The
 * includer defines EW_CLASS_F, EW_CLASS_I, EW_CLASS_B or EW_CLASS_C, and, before a primitive is
 * expanded: EW_T     the type of computation EW_U     I: the unsigned type that wraps; EW_S  I:
 * suffix of the integer functions EW_M(x)  F and C: libm's name of x for the real type; EW_R  C:
 * the real type Every result has the type of the operands; predicates are int 0 or 1. I: a variable
 * `int st` collects KERNEL_ bits. */
#ifndef SCANC_IR_OPS_C_H
#define SCANC_IR_OPS_C_H

#include "ir/ops_math.h"

#define EW_CAT_(a, b) a##b
#define EW_CAT(a, b) EW_CAT_(a, b)

/* ---- all classes ---- */
#define LIT(c) ((EW_T)(c))
#define EQ(a, b) ((a) == (b))
#define NE(a, b) ((a) != (b))
#define PAND(p, q) ((p) & (q))
#define POR(p, q) ((p) | (q))
#define PNOT(p) ((p) ^ 1)
#define TRUTH(a) ((a) != 0)
#define SEL(p, x, y) ((p) ? (x) : (y))

/* ---- ordered classes ---- */
#if !defined EW_CLASS_C
#define LT(a, b) ((a) < (b))
#define GT(a, b) ((a) > (b))
#define LE(a, b) ((a) <= (b))
#define GE(a, b) ((a) >= (b))
#endif

#if defined EW_CLASS_F
#define ADD(a, b) ((a) + (b))
#define SUB(a, b) ((a) - (b))
#define MUL(a, b) ((a) * (b))
#define DIV(a, b) ((a) / (b))
#define FMA(a, b, c) EW_M(fma)(a, b, c)
#define NEG(a) (-(a))
#define ABS(a) EW_M(fabs)(a)
#define FLOORDIV(a, b) EW_M(ew_floordiv)(a, b)
#define PYMOD(a, b) EW_M(ew_pymod)(a, b)
#define CMOD(a, b) EW_M(ew_fmod)(a, b)
#define MAXN(a, b) EW_M(ew_maxn)(a, b)
#define MINN(a, b) EW_M(ew_minn)(a, b)
#define FMAX(a, b) EW_M(ew_fmaxn)(a, b)
#define FMIN(a, b) EW_M(ew_fminn)(a, b)
#define ISNAN(a) EW_M(ew_isnan)(a)
#define ISINF(a) EW_M(ew_isinf)(a)
#define ISFINITE(a) EW_M(ew_isfinite)(a)
#define SIGNBIT(a) EW_M(ew_signbit)(a)
#define INF_ ((EW_T)INFINITY)
#define FLOOR(a) EW_M(floor)(a)
#define CEIL(a) EW_M(ceil)(a)
#define TRUNC(a) EW_M(trunc)(a)
#define RINT(a) EW_M(rint)(a)
#define SQRT(a) EW_M(sqrt)(a)
#define EXP(a) EW_M(vm_exp)(a)
#define EXP2(a) EW_M(vm_exp2)(a)
#define EXPM1(a) EW_M(vm_expm1)(a)
#define LOG(a) EW_M(vm_log)(a)
#define LOG2(a) EW_M(vm_log2)(a)
#define LOG10(a) EW_M(vm_log10)(a)
#define LOG1P(a) EW_M(vm_log1p)(a)
#define LOG1P_UNIT(a) EW_M(vm_log1p_unit)(a) /* of 0 <= a <= 1 */
#define SIN(a) EW_M(vm_sin)(a)
#define COS(a) EW_M(vm_cos)(a)
#define TAN(a) EW_M(vm_tan)(a)
#define ASIN(a) EW_M(asin)(a)
#define ACOS(a) EW_M(acos)(a)
#define ATAN(a) EW_M(atan)(a)
#define SINH(a) EW_M(sinh)(a)
#define COSH(a) EW_M(cosh)(a)
#define TANH(a) EW_M(vm_tanh)(a)
#define TANH_REST(a) EW_M(vm_tanh_rest)(a)         /* a - tanh a */
#define TANH_SOFTPLUS(a) EW_M(vm_tanh_softplus)(a) /* tanh(log(1 + e^a)) */
#define ASINH(a) EW_M(asinh)(a)
#define ACOSH(a) EW_M(acosh)(a)
#define ATANH(a) EW_M(atanh)(a)
#define ERF(a) EW_M(vm_erf)(a)
#define ERF_PLUS_ONE(a) EW_M(vm_erf_plus_one)(a) /* 1 + erf a */
#define ERFC(a) EW_M(vm_erfc)(a)
#define LGAMMA(a) EW_M(ew_lgamma)(a)
#define DIGAMMA(a) EW_M(vm_digamma)(a)
#define ERFINV(a) EW_M(vm_erfinv)(a)
#define POW(a, b) EW_M(ew_pow)(a, b)
#define ATAN2(a, b) EW_M(atan2)(a, b)
#define HYPOT(a, b) EW_M(hypot)(a, b)
#define COPYSIGN(a, b) EW_M(copysign)(a, b)
#define NEXTAFTER(a, b) EW_M(ew_nextafter)(a, b)
#endif

#if defined EW_CLASS_I
#define ADD(a, b) ((EW_T)((EW_U)(a) + (EW_U)(b)))
#define SUB(a, b) ((EW_T)((EW_U)(a) - (EW_U)(b)))
#define MUL(a, b) ((EW_T)((EW_U)(a) * (EW_U)(b)))
#define NEG(a) ((EW_T)(0 - (EW_U)(a)))
#define ABS(a) ((EW_T)((a) < 0 ? 0 - (EW_U)(a) : (EW_U)(a)))
#define FLOORDIV(a, b) EW_CAT(ew_floordiv_, EW_S)(a, b, &st)
#define TRUNCDIV(a, b) EW_CAT(ew_truncdiv_, EW_S)(a, b, &st)
#define PYMOD(a, b) EW_CAT(ew_pymod_, EW_S)(a, b, &st)
#define CMOD(a, b) EW_CAT(ew_cmod_, EW_S)(a, b, &st)
#define POW(a, b) EW_CAT(ew_pow_, EW_S)(a, b)
#define MAXN(a, b) ((a) > (b) ? (a) : (b))
#define MINN(a, b) ((a) < (b) ? (a) : (b))
#define AND(a, b) ((EW_T)((a) & (b)))
#define OR(a, b) ((EW_T)((a) | (b)))
#define XOR(a, b) ((EW_T)((a) ^ (b)))
#define NOT(a) ((EW_T) ~(a))
#define SHL(a, b) EW_CAT(ew_shl_, EW_S)(a, b)
#define SHR(a, b) EW_CAT(ew_shr_, EW_S)(a, b)
#endif

#if defined EW_CLASS_B
#define AND(a, b) ((EW_T)((a) & (b)))
#define OR(a, b) ((EW_T)((a) | (b)))
#define XOR(a, b) ((EW_T)((a) ^ (b)))
#endif

/* Complex numbers: + and - part by part, the plain product (also of real parts), Smith's quotient,
 * libm's complex functions in f64, rounded. HYPOT, ATAN2 and the IS predicates take real parts. */
#if defined EW_CLASS_C
#define RE(a) (__real__(a))
#define IM(a) (__imag__(a))
#undef CMPLX
#define CMPLX(re, im) EW_M(ew_cmplx)(re, im)
#define CONJ(a) EW_M(conj)(a)
#define ADD(a, b) ((a) + (b))
#define SUB(a, b) ((a) - (b))
#define MUL(a, b) _Generic((a), EW_T: EW_M(ew_cmul), default: EW_M(ew_rmul))(a, b)
#define DIV(a, b) EW_M(ew_cdiv)(a, b)
#define NEG(a) (-(a))
#define ISNAN(a) EW_M(ew_isnan)(a)
#define ISINF(a) EW_M(ew_isinf)(a)
#define ISFINITE(a) EW_M(ew_isfinite)(a)
#define HYPOT(a, b) EW_M(hypot)(a, b)
#define ATAN2(a, b) EW_M(atan2)(a, b)
#define SQRT(a) ((EW_T)ew_lib_csqrt(a))
#define EXP(a) ((EW_T)ew_lib_cexp(a))
#define LOG(a) ((EW_T)ew_lib_clog(a))
#define SIN(a) ((EW_T)ew_lib_csin(a))
#define COS(a) ((EW_T)ew_lib_ccos(a))
#define TAN(a) ((EW_T)ew_lib_ctan(a))
#define ASIN(a) ((EW_T)ew_lib_casin(a))
#define ACOS(a) ((EW_T)ew_lib_cacos(a))
#define ATAN(a) ((EW_T)ew_lib_catan(a))
#define SINH(a) ((EW_T)ew_lib_csinh(a))
#define COSH(a) ((EW_T)ew_lib_ccosh(a))
#define TANH(a) ((EW_T)ew_lib_ctanh(a))
#define ASINH(a) ((EW_T)ew_lib_casinh(a))
#define ACOSH(a) ((EW_T)ew_lib_cacosh(a))
#define ATANH(a) ((EW_T)ew_lib_catanh(a))
#define POW(a, b) EW_M(ew_cpow)(a, b)
#endif

#endif
