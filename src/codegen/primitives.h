/* The primitives of ops.def as LLVM instructions; the meaning in C is ir/ops_c.h and ir/ops_math.h,
 * and both give the same bits. Predicates are i1. */
#ifndef SCANC_CODEGEN_PRIMITIVES_H
#define SCANC_CODEGEN_PRIMITIVES_H

#include "codegen/cg.h"

/* One computation: its type and what went wrong on the way. */
typedef struct {
  cg *c;
  scanc_dtype dtype;
  char cls;  /* 'f' 'i' 'b' */
  bool sign; /* signed integers */
  int lanes;
  LLVMTypeRef scalar;
  LLVMValueRef bad; /* lanes that divided by zero, NULL: none */
  bool missing;     /* a primitive without emitter was met */
} prim;

typedef LLVMValueRef pv;

pv prim_literal(prim *x, double v);
pv prim_infinity(prim *x);
pv prim_missing(prim *x);

/* arithmetic */
pv prim_add(prim *x, pv a, pv b);
pv prim_sub(prim *x, pv a, pv b);
pv prim_mul(prim *x, pv a, pv b);
pv prim_div(prim *x, pv a, pv b);
pv prim_fma(prim *x, pv a, pv b, pv c); /* a * b + c, rounded once */
pv prim_neg(prim *x, pv a);
pv prim_abs(prim *x, pv a);
pv prim_floordiv(prim *x, pv a, pv b);
pv prim_truncdiv(prim *x, pv a, pv b);
pv prim_pymod(prim *x, pv a, pv b);
pv prim_cmod(prim *x, pv a, pv b);
pv prim_pow(prim *x, pv a, pv b);
pv prim_maxn(prim *x, pv a, pv b);
pv prim_minn(prim *x, pv a, pv b);
pv prim_fmax(prim *x, pv a, pv b);
pv prim_fmin(prim *x, pv a, pv b);

/* predicates */
typedef enum { PRIM_LT, PRIM_LE, PRIM_GT, PRIM_GE, PRIM_EQ, PRIM_NE } prim_relation;
pv prim_compare(prim *x, prim_relation r, pv a, pv b);
pv prim_truth(prim *x, pv a);
pv prim_not_pred(prim *x, pv p);
pv prim_isnan(prim *x, pv a);
pv prim_isinf(prim *x, pv a);
pv prim_isfinite(prim *x, pv a);
pv prim_signbit(prim *x, pv a);
pv prim_sel(prim *x, pv p, pv a, pv b);

/* bits; also and, or of predicates */
pv prim_and(prim *x, pv a, pv b);
pv prim_or(prim *x, pv a, pv b);
pv prim_xor(prim *x, pv a, pv b);
pv prim_not(prim *x, pv a);
pv prim_shl(prim *x, pv a, pv b);
pv prim_shr(prim *x, pv a, pv b);

/* functions */
/* The functions of ir/vecmath.inc; inline, or a call of a private function of the module. `b` is
 * for pow. */
typedef enum {
  MATH_EXP,
  MATH_EXP2,
  MATH_EXPM1,
  MATH_LOG,
  MATH_LOG2,
  MATH_LOG10,
  MATH_LOG1P,
  MATH_LOG1P_UNIT,
  MATH_TANH,
  MATH_TANH_REST,
  MATH_TANH_SOFTPLUS,
  MATH_ERF,
  MATH_ERF_PLUS_ONE,
  MATH_ERFC,
  MATH_ERFINV,
  MATH_DIGAMMA,
  MATH_SIN,
  MATH_COS,
  MATH_TAN,
  MATH_POW,
  N_MATH
} math_id;
pv prim_math(prim *x, math_id f, pv a, pv b);
pv prim_intrinsic1(prim *x, const char *name, pv a);
pv prim_intrinsic2(prim *x, const char *name, pv a, pv b);
pv prim_libm1(prim *x, const char *name, pv a);
pv prim_libm2(prim *x, const char *name, pv a, pv b);
/* The same of a function that computes in integers, and so flushes no subnormals by itself. */
pv prim_libm2_exact(prim *x, const char *name, pv a, pv b);
pv prim_lgamma(prim *x, pv a);

#endif
