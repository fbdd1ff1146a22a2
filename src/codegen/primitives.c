#include "codegen/primitives.h"

#include <stdio.h>

#define B (x->c->b)

static pv kint(prim *x, int64_t v) { return cg_const_int(x->scalar, x->lanes, v); }

static LLVMTypeRef wide(prim *x) { return cg_wide(x->scalar, x->lanes); }

static bool is_float(const prim *x) { return x->cls == 'f'; }

pv prim_literal(prim *x, double v) {
  return is_float(x) ? cg_const_float(x->scalar, x->lanes, v) : kint(x, (int64_t)v);
}

pv prim_infinity(prim *x) { return cg_const_float(x->scalar, x->lanes, __builtin_inf()); }

pv prim_missing(prim *x) {
  x->missing = true;
  return LLVMGetPoison(wide(x));
}

/* ---- arithmetic ---- */

pv prim_add(prim *x, pv a, pv b) {
  return is_float(x) ? LLVMBuildFAdd(B, a, b, "") : LLVMBuildAdd(B, a, b, "");
}
pv prim_sub(prim *x, pv a, pv b) {
  return is_float(x) ? LLVMBuildFSub(B, a, b, "") : LLVMBuildSub(B, a, b, "");
}
pv prim_mul(prim *x, pv a, pv b) {
  return is_float(x) ? LLVMBuildFMul(B, a, b, "") : LLVMBuildMul(B, a, b, "");
}
pv prim_div(prim *x, pv a, pv b) { return LLVMBuildFDiv(B, a, b, ""); }
pv prim_fma(prim *x, pv a, pv b, pv c) {
  pv in[] = {a, b, c};
  return x->c->machine.fma ? cg_intrinsic(x->c, "llvm.fma", in, 3) : cg_libm(x->c, "fma", in, 3);
}
pv prim_neg(prim *x, pv a) {
  return is_float(x) ? LLVMBuildFNeg(B, a, "") : LLVMBuildNeg(B, a, "");
}

pv prim_abs(prim *x, pv a) {
  if (is_float(x)) return prim_intrinsic1(x, "llvm.fabs", a);
  if (!x->sign) return a;
  return prim_sel(x, prim_compare(x, PRIM_LT, a, kint(x, 0)), prim_neg(x, a), a);
}

/* ---- integer division ---- a divisor that is zero counts as 1 and is noted; MIN / -1 wraps */

/* Notes zero divisors. The result is safe to divide by: never 0, never -1; *negate: lanes where it
 * was -1. */
static pv safe_divisor(prim *x, pv b, pv *negate) {
  pv zero = prim_compare(x, PRIM_EQ, b, kint(x, 0));
  x->bad = x->bad ? LLVMBuildOr(B, x->bad, zero, "") : zero;
  *negate = x->sign ? prim_compare(x, PRIM_EQ, b, kint(x, -1)) : NULL;
  pv unsafe = *negate ? LLVMBuildOr(B, zero, *negate, "") : zero;
  return prim_sel(x, unsafe, kint(x, 1), b);
}

pv prim_truncdiv(prim *x, pv a, pv b) {
  pv negate, safe = safe_divisor(x, b, &negate);
  if (!x->sign) return LLVMBuildUDiv(B, a, safe, "");
  return prim_sel(x, negate, prim_neg(x, a), LLVMBuildSDiv(B, a, safe, ""));
}

static pv int_cmod(prim *x, pv a, pv b) {
  pv negate, safe = safe_divisor(x, b, &negate);
  return x->sign ? LLVMBuildSRem(B, a, safe, "") : LLVMBuildURem(B, a, safe, "");
}

static pv signs_differ(prim *x, pv a, pv b) {
  return LLVMBuildXor(B, prim_compare(x, PRIM_LT, a, prim_literal(x, 0)),
                      prim_compare(x, PRIM_LT, b, prim_literal(x, 0)), "");
}

/* m + b where the remainder m of the truncating division has another sign than b. */
static pv fix_remainder(prim *x, pv m, pv b) {
  pv fix =
      LLVMBuildAnd(B, prim_compare(x, PRIM_NE, m, prim_literal(x, 0)), signs_differ(x, m, b), "");
  return prim_sel(x, fix, prim_add(x, m, b), m);
}

static pv int_floordiv(prim *x, pv a, pv b) {
  pv q = prim_truncdiv(x, a, b);
  if (!x->sign) return q;
  pv inexact = prim_compare(x, PRIM_NE, prim_mul(x, q, b), a);
  pv fix = LLVMBuildAnd(B, LLVMBuildAnd(B, signs_differ(x, a, b), inexact, ""),
                        prim_compare(x, PRIM_NE, b, kint(x, 0)), "");
  return prim_sel(x, fix, prim_sub(x, q, kint(x, 1)), q);
}

/* ---- float division with Python's meaning: the steps of ew_floordiv ---- */

static pv float_floordiv(prim *x, pv a, pv b) {
  pv zero = prim_literal(x, 0), one = prim_literal(x, 1), plain = prim_div(x, a, b);
  pv m = prim_libm2_exact(x, "fmod", a, b), q = prim_div(x, prim_sub(x, a, m), b);
  pv fix = LLVMBuildAnd(B, prim_compare(x, PRIM_NE, m, zero), signs_differ(x, b, m), "");
  q = prim_sel(x, fix, prim_sub(x, q, one), q);
  pv r = prim_intrinsic1(x, "llvm.floor", q);
  pv up = prim_compare(x, PRIM_GT, prim_sub(x, q, r), prim_literal(x, 0.5));
  r = prim_sel(x, up, prim_add(x, r, one), r);
  r = prim_sel(x, prim_compare(x, PRIM_EQ, q, zero),
               prim_intrinsic2(x, "llvm.copysign", zero, plain), r);
  return prim_sel(x, prim_compare(x, PRIM_EQ, b, zero), plain, r);
}

pv prim_floordiv(prim *x, pv a, pv b) {
  return is_float(x) ? float_floordiv(x, a, b) : int_floordiv(x, a, b);
}

pv prim_cmod(prim *x, pv a, pv b) {
  return is_float(x) ? prim_libm2_exact(x, "fmod", a, b) : int_cmod(x, a, b);
}

pv prim_pymod(prim *x, pv a, pv b) { return fix_remainder(x, prim_cmod(x, a, b), b); }

/* ---- powers ---- */

/* ew_pow of integers as a function of scalars in the module: a loop over the bits of the exponent.
 */
static LLVMValueRef int_pow_function(prim *x, LLVMTypeRef fn_type) {
  char name[32];
  cg *c = x->c;
  snprintf(name, sizeof name, "scanc_pow_%s", scanc_dtype_name(x->dtype));
  LLVMValueRef f = LLVMGetNamedFunction(c->mod, name);
  if (f) return f;
  f = LLVMAddFunction(c->mod, name, fn_type);
  LLVMSetLinkage(f, LLVMPrivateLinkage);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(c->ctx);
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(c->ctx, f, "entry");
  LLVMBasicBlockRef head = LLVMAppendBasicBlockInContext(c->ctx, f, "head");
  LLVMBasicBlockRef body = LLVMAppendBasicBlockInContext(c->ctx, f, "body");
  LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(c->ctx, f, "done");
  LLVMValueRef zero = LLVMConstNull(x->scalar), one = LLVMConstInt(x->scalar, 1, 0);
  LLVMPositionBuilderAtEnd(b, entry);
  LLVMBuildBr(b, head);
  LLVMPositionBuilderAtEnd(b, head);
  LLVMValueRef r = LLVMBuildPhi(b, x->scalar, ""), base = LLVMBuildPhi(b, x->scalar, ""),
               k = LLVMBuildPhi(b, x->scalar, "");
  LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, k, zero, ""), done, body);
  LLVMPositionBuilderAtEnd(b, body);
  LLVMValueRef odd = LLVMBuildICmp(b, LLVMIntNE, LLVMBuildAnd(b, k, one, ""), zero, "");
  LLVMValueRef next = LLVMBuildSelect(b, odd, LLVMBuildMul(b, r, base, ""), r, "");
  LLVMValueRef square = LLVMBuildMul(b, base, base, ""), half = LLVMBuildLShr(b, k, one, "");
  LLVMBuildBr(b, head);
  LLVMBasicBlockRef from[2] = {entry, body};
  LLVMAddIncoming(r, (LLVMValueRef[]){one, next}, from, 2);
  LLVMAddIncoming(base, (LLVMValueRef[]){LLVMGetParam(f, 0), square}, from, 2);
  LLVMAddIncoming(k, (LLVMValueRef[]){LLVMGetParam(f, 1), half}, from, 2);
  LLVMPositionBuilderAtEnd(b, done);
  LLVMBuildRet(b, r);
  LLVMDisposeBuilder(b);
  return f;
}

static pv int_pow(prim *x, pv a, pv b) {
  LLVMTypeRef params[2] = {x->scalar, x->scalar},
              fn_type = LLVMFunctionType(x->scalar, params, 2, 0);
  LLVMValueRef f = int_pow_function(x, fn_type);
  pv negative = x->sign ? prim_compare(x, PRIM_LT, b, kint(x, 0)) : NULL;
  pv exponent = negative ? prim_sel(x, negative, kint(x, 0), b) : b, r = LLVMGetPoison(wide(x));
  for (int i = 0; i < x->lanes; i++) {
    LLVMValueRef args[2] = {cg_lane(x->c, a, i), cg_lane(x->c, exponent, i)};
    r = cg_set_lane(x->c, r, LLVMBuildCall2(B, fn_type, f, args, 2, ""), i);
  }
  if (!negative) return r;
  pv odd = prim_compare(x, PRIM_NE, prim_and(x, b, kint(x, 1)), kint(x, 0));
  pv inverse = prim_sel(x, prim_compare(x, PRIM_EQ, a, kint(x, -1)),
                        prim_sel(x, odd, kint(x, -1), kint(x, 1)), kint(x, 0));
  inverse = prim_sel(x, prim_compare(x, PRIM_EQ, a, kint(x, 1)), kint(x, 1), inverse);
  return prim_sel(x, negative, inverse, r);
}

pv prim_pow(prim *x, pv a, pv b) {
  if (!is_float(x)) return int_pow(x, a, b);
  pv two = prim_literal(x, 2), square = prim_mul(x, a, a);
  if (b == two) return square; /* constants are unique */
  return prim_sel(x, prim_compare(x, PRIM_EQ, b, two), square, prim_math(x, MATH_POW, a, b));
}

/* ---- extremes ---- */

static pv bits_of(prim *x, pv a) {
  LLVMTypeRef t = LLVMIntTypeInContext(x->c->ctx, x->dtype == SCANC_F64 ? 64 : 32);
  return LLVMBuildBitCast(B, a, cg_wide(t, x->lanes), "");
}

/* NaN wins; equal operands differ at most in the sign of zero, which and / or of the bits decides.
 */
static pv extreme(prim *x, prim_relation better, pv a, pv b) {
  pv r = prim_sel(x, prim_compare(x, better, a, b), a, b);
  if (!is_float(x)) return r;
  pv u = bits_of(x, a), v = bits_of(x, b);
  pv z = better == PRIM_GT ? LLVMBuildAnd(B, u, v, "") : LLVMBuildOr(B, u, v, "");
  r = prim_sel(x, prim_compare(x, PRIM_EQ, a, b), LLVMBuildBitCast(B, z, wide(x), ""), r);
  return prim_sel(x, prim_isnan(x, a), a, r);
}

pv prim_maxn(prim *x, pv a, pv b) { return extreme(x, PRIM_GT, a, b); }
pv prim_minn(prim *x, pv a, pv b) { return extreme(x, PRIM_LT, a, b); }

static pv number_wins(prim *x, pv a, pv b, pv r) {
  if (!is_float(x)) return r;
  return prim_sel(x, prim_isnan(x, a), b, prim_sel(x, prim_isnan(x, b), a, r));
}

pv prim_fmax(prim *x, pv a, pv b) { return number_wins(x, a, b, prim_maxn(x, a, b)); }
pv prim_fmin(prim *x, pv a, pv b) { return number_wins(x, a, b, prim_minn(x, a, b)); }

/* ---- predicates ---- */

pv prim_compare(prim *x, prim_relation r, pv a, pv b) {
  static const LLVMRealPredicate real[] = {LLVMRealOLT, LLVMRealOLE, LLVMRealOGT,
                                           LLVMRealOGE, LLVMRealOEQ, LLVMRealUNE};
  static const LLVMIntPredicate sgn[] = {LLVMIntSLT, LLVMIntSLE, LLVMIntSGT,
                                         LLVMIntSGE, LLVMIntEQ,  LLVMIntNE};
  static const LLVMIntPredicate uns[] = {LLVMIntULT, LLVMIntULE, LLVMIntUGT,
                                         LLVMIntUGE, LLVMIntEQ,  LLVMIntNE};
  if (is_float(x)) return LLVMBuildFCmp(B, real[r], a, b, "");
  return LLVMBuildICmp(B, x->sign ? sgn[r] : uns[r], a, b, "");
}

pv prim_truth(prim *x, pv a) { return prim_compare(x, PRIM_NE, a, LLVMConstNull(wide(x))); }

pv prim_not_pred(prim *x, pv p) { return LLVMBuildNot(B, p, ""); }

pv prim_isnan(prim *x, pv a) { return LLVMBuildFCmp(B, LLVMRealUNO, a, a, ""); }

pv prim_isinf(prim *x, pv a) { return prim_compare(x, PRIM_EQ, prim_abs(x, a), prim_infinity(x)); }

pv prim_isfinite(prim *x, pv a) {
  return prim_compare(x, PRIM_LT, prim_abs(x, a), prim_infinity(x));
}

pv prim_signbit(prim *x, pv a) {
  pv u = bits_of(x, a);
  return LLVMBuildICmp(B, LLVMIntSLT, u, LLVMConstNull(LLVMTypeOf(u)), "");
}

pv prim_sel(prim *x, pv p, pv a, pv b) { return LLVMBuildSelect(B, p, a, b, ""); }

/* ---- bits ---- */

pv prim_and(prim *x, pv a, pv b) { return LLVMBuildAnd(B, a, b, ""); }
pv prim_or(prim *x, pv a, pv b) { return LLVMBuildOr(B, a, b, ""); }
pv prim_xor(prim *x, pv a, pv b) { return LLVMBuildXor(B, a, b, ""); }
pv prim_not(prim *x, pv a) { return LLVMBuildNot(B, a, ""); }

/* Amounts from the width on, and negative ones, shift everything out. */
static pv shift_fits(prim *x, pv b) {
  return LLVMBuildICmp(B, LLVMIntULT, b, kint(x, 8 * (int64_t)scanc_dtype_size(x->dtype)), "");
}

pv prim_shl(prim *x, pv a, pv b) {
  pv fits = shift_fits(x, b), safe = prim_sel(x, fits, b, kint(x, 0));
  return prim_sel(x, fits, LLVMBuildShl(B, a, safe, ""), kint(x, 0));
}

pv prim_shr(prim *x, pv a, pv b) {
  pv fits = shift_fits(x, b);
  if (!x->sign)
    return prim_sel(x, fits, LLVMBuildLShr(B, a, prim_sel(x, fits, b, kint(x, 0)), ""), kint(x, 0));
  return LLVMBuildAShr(
      B, a, prim_sel(x, fits, b, kint(x, 8 * (int64_t)scanc_dtype_size(x->dtype) - 1)), "");
}

/* ---- functions ---- */

pv prim_intrinsic1(prim *x, const char *name, pv a) { return cg_intrinsic(x->c, name, &a, 1); }

pv prim_intrinsic2(prim *x, const char *name, pv a, pv b) {
  return cg_intrinsic(x->c, name, (pv[]){a, b}, 2);
}

pv prim_libm1(prim *x, const char *name, pv a) { return cg_libm(x->c, name, &a, 1); }

pv prim_libm2(prim *x, const char *name, pv a, pv b) {
  return cg_libm(x->c, name, (pv[]){a, b}, 2);
}

pv prim_libm2_exact(prim *x, const char *name, pv a, pv b) {
  pv r = prim_libm2(x, name, a, b);
  if (!x->c->machine.flushes) return r;
  return prim_mul(x, r, cg_splat(x->c, cg_hidden(x->c, cg_const_float(x->scalar, 1, 1)), x->lanes));
}

/* lgamma_r: the plain function writes a global variable. */
pv prim_lgamma(prim *x, pv a) {
  cg *c = x->c;
  LLVMTypeRef params[2] = {x->scalar, LLVMPointerTypeInContext(c->ctx, 0)},
              fn_type = LLVMFunctionType(x->scalar, params, 2, 0);
  const char *name = x->dtype == SCANC_F32 ? "lgammaf_r" : "lgamma_r";
  LLVMValueRef f = LLVMGetNamedFunction(c->mod, name), r = LLVMGetPoison(wide(x));
  if (!f) f = LLVMAddFunction(c->mod, name, fn_type);
  for (int i = 0; i < x->lanes; i++) {
    LLVMValueRef args[2] = {cg_lane(c, a, i), c->sign_slot};
    r = cg_set_lane(c, r, LLVMBuildCall2(B, fn_type, f, args, 2, ""), i);
  }
  return r;
}
