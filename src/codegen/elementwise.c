/* The rows of ops.def as emitters: the same expressions that the interpreter's kernels are made of,
 * with every primitive standing for its LLVM instructions. */
#include "codegen/primitives.h"

#include "ir/op.h"

#define ADD(a, b) prim_add(x, a, b)
#define SUB(a, b) prim_sub(x, a, b)
#define MUL(a, b) prim_mul(x, a, b)
#define DIV(a, b) prim_div(x, a, b)
#define FMA(a, b, c) prim_fma(x, a, b, c)
#define NEG(a) prim_neg(x, a)
#define ABS(a) prim_abs(x, a)
#define FLOORDIV(a, b) prim_floordiv(x, a, b)
#define TRUNCDIV(a, b) prim_truncdiv(x, a, b)
#define PYMOD(a, b) prim_pymod(x, a, b)
#define CMOD(a, b) prim_cmod(x, a, b)
#define MAXN(a, b) prim_maxn(x, a, b)
#define MINN(a, b) prim_minn(x, a, b)
#define FMAX(a, b) prim_fmax(x, a, b)
#define FMIN(a, b) prim_fmin(x, a, b)
#define LT(a, b) prim_compare(x, PRIM_LT, a, b)
#define LE(a, b) prim_compare(x, PRIM_LE, a, b)
#define GT(a, b) prim_compare(x, PRIM_GT, a, b)
#define GE(a, b) prim_compare(x, PRIM_GE, a, b)
#define EQ(a, b) prim_compare(x, PRIM_EQ, a, b)
#define NE(a, b) prim_compare(x, PRIM_NE, a, b)
#define PAND(p, q) prim_and(x, p, q)
#define POR(p, q) prim_or(x, p, q)
#define PNOT(p) prim_not_pred(x, p)
#define ISNAN(a) prim_isnan(x, a)
#define ISINF(a) prim_isinf(x, a)
#define ISFINITE(a) prim_isfinite(x, a)
#define SIGNBIT(a) prim_signbit(x, a)
#define TRUTH(a) prim_truth(x, a)
#define SEL(p, u, v) prim_sel(x, p, u, v)
#define AND(a, b) prim_and(x, a, b)
#define OR(a, b) prim_or(x, a, b)
#define XOR(a, b) prim_xor(x, a, b)
#define NOT(a) prim_not(x, a)
#define SHL(a, b) prim_shl(x, a, b)
#define SHR(a, b) prim_shr(x, a, b)
#define LIT(c) prim_literal(x, c)
#define INF_ prim_infinity(x)
#define FLOOR(a) prim_intrinsic1(x, "llvm.floor", a)
#define CEIL(a) prim_intrinsic1(x, "llvm.ceil", a)
#define TRUNC(a) prim_intrinsic1(x, "llvm.trunc", a)
#define RINT(a) prim_intrinsic1(x, "llvm.rint", a)
#define SQRT(a) prim_intrinsic1(x, "llvm.sqrt", a)
#define EXP(a) prim_math(x, MATH_EXP, a, NULL)
#define EXP2(a) prim_math(x, MATH_EXP2, a, NULL)
#define EXPM1(a) prim_math(x, MATH_EXPM1, a, NULL)
#define LOG(a) prim_math(x, MATH_LOG, a, NULL)
#define LOG2(a) prim_math(x, MATH_LOG2, a, NULL)
#define LOG10(a) prim_math(x, MATH_LOG10, a, NULL)
#define LOG1P(a) prim_math(x, MATH_LOG1P, a, NULL)
#define LOG1P_UNIT(a) prim_math(x, MATH_LOG1P_UNIT, a, NULL)
#define SIN(a) prim_math(x, MATH_SIN, a, NULL)
#define COS(a) prim_math(x, MATH_COS, a, NULL)
#define TAN(a) prim_math(x, MATH_TAN, a, NULL)
#define ASIN(a) prim_libm1(x, "asin", a)
#define ACOS(a) prim_libm1(x, "acos", a)
#define ATAN(a) prim_libm1(x, "atan", a)
#define SINH(a) prim_libm1(x, "sinh", a)
#define COSH(a) prim_libm1(x, "cosh", a)
#define TANH(a) prim_math(x, MATH_TANH, a, NULL)
#define TANH_REST(a) prim_math(x, MATH_TANH_REST, a, NULL)
#define TANH_SOFTPLUS(a) prim_math(x, MATH_TANH_SOFTPLUS, a, NULL)
#define ASINH(a) prim_libm1(x, "asinh", a)
#define ACOSH(a) prim_libm1(x, "acosh", a)
#define ATANH(a) prim_libm1(x, "atanh", a)
#define ERF(a) prim_math(x, MATH_ERF, a, NULL)
#define ERF_PLUS_ONE(a) prim_math(x, MATH_ERF_PLUS_ONE, a, NULL)
#define ERFC(a) prim_math(x, MATH_ERFC, a, NULL)
#define LGAMMA(a) prim_lgamma(x, a)
#define DIGAMMA(a) prim_math(x, MATH_DIGAMMA, a, NULL)
#define ERFINV(a) prim_math(x, MATH_ERFINV, a, NULL)
#define POW(a, b) prim_pow(x, a, b)
#define ATAN2(a, b) prim_libm2(x, "atan2", a, b)
#define HYPOT(a, b) prim_libm2(x, "hypot", a, b)
#define COPYSIGN(a, b) prim_intrinsic2(x, "llvm.copysign", a, b)
#define NEXTAFTER(a, b) prim_libm2_exact(x, "nextafter", a, b)
#define NA prim_missing(x)

typedef pv (*row_fn)(prim *x, const pv *in);

/* Complex computation has no emitters: nest_build refuses it. */
#define ROW(name, F, I, B, ...) \
  static pv row_##name(prim *x, const pv *in) { \
    __VA_ARGS__; \
    switch (x->cls) { \
      case 'f': return F; \
      case 'i': return I; \
      default: return B; \
    } \
  }
#define A_ \
  pv a = in[0]; \
  (void)a
#define B_ \
  pv b = in[1]; \
  (void)b
#define D_ \
  pv d = in[2]; \
  (void)d
#define E_ \
  pv e = in[3]; \
  (void)e
#define EW1(name, sig, promo, traits, F, I, B, C) ROW(name, F, I, B, A_)
#define EW2(name, sig, promo, traits, F, I, B, C) ROW(name, F, I, B, A_; B_)
#define EW3(name, sig, promo, traits, F, I, B, C) ROW(name, F, I, B, A_; B_; D_)
#define EW4(name, sig, promo, traits, F, I, B, C) ROW(name, F, I, B, A_; B_; D_; E_)
#include "ir/ops.def"

#define EW1(name, ...) [OP_##name] = row_##name,
#define EW2(name, ...) [OP_##name] = row_##name,
#define EW3(name, ...) [OP_##name] = row_##name,
#define EW4(name, ...) [OP_##name] = row_##name,
static const row_fn rows[N_OPS] = {
#include "ir/ops.def"
};

LLVMValueRef cg_elementwise(cg *c, op_id op, scanc_dtype compute, LLVMValueRef *operands,
                            LLVMValueRef *bad) {
  prim x = {.c = c,
            .dtype = compute,
            .cls = dtype_class(compute),
            .sign = dtype_class(compute) == 'i' && dtype_signed(compute),
            .lanes = cg_lanes_of(operands[0]),
            .scalar = cg_type(c, compute)};
  LLVMValueRef r = rows[op](&x, operands);
  *bad = x.bad;
  return x.missing ? NULL : r;
}
