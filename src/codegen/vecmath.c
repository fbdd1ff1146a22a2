/* ir/vecmath.inc as emitters: the math functions for scalars and for vectors of any width. */
#include "codegen/primitives.h"

#include <stdio.h>
#include <string.h>

#define B (cx->c->b)

/* ---- types and constants ---- */

static LLVMTypeRef f32(prim *cx) { return LLVMFloatTypeInContext(cx->c->ctx); }
static LLVMTypeRef f64(prim *cx) { return LLVMDoubleTypeInContext(cx->c->ctx); }
static LLVMTypeRef i32(prim *cx) { return LLVMInt32TypeInContext(cx->c->ctx); }
static LLVMTypeRef i64(prim *cx) { return LLVMInt64TypeInContext(cx->c->ctx); }

static pv cast(prim *cx, LLVMTypeRef t, pv a) {
  return LLVMBuildBitCast(B, a, cg_wide(t, cx->lanes), "");
}

/* A constant of the type of a. */
static pv like(pv a, int64_t v) {
  LLVMTypeRef t = LLVMTypeOf(a);
  int lanes = cg_lanes_of(a);
  return cg_const_int(lanes > 1 ? LLVMGetElementType(t) : t, lanes, v);
}

static pv fused(prim *cx, pv a, pv b, pv c) {
  if (cx->c->machine.fma) return cg_intrinsic(cx->c, "llvm.fma", (pv[]){a, b, c}, 3);
  return LLVMBuildFAdd(B, LLVMBuildFMul(B, a, b, ""), c, "");
}

static pv upper_product(prim *cx, pv a, pv b) {
  LLVMTypeRef wide = LLVMIntTypeInContext(cx->c->ctx, 128);
  pv p = LLVMBuildMul(B, LLVMBuildZExt(B, a, wide, ""), LLVMBuildZExt(B, b, wide, ""), "");
  return LLVMBuildTrunc(B, LLVMBuildLShr(B, p, LLVMConstInt(wide, 64, 0), ""), i64(cx), "");
}

/* ---- the bits of 2 / pi ---- */

static const uint64_t two_over_pi[] = {
#include "ir/vecmath_pi.inc"
};
enum { N_PI_WORDS = sizeof two_over_pi / sizeof *two_over_pi };

static pv pi_word(prim *cx, pv i) {
  const char *name = "scanc_two_over_pi";
  LLVMTypeRef t = LLVMArrayType2(i64(cx), N_PI_WORDS);
  LLVMValueRef table = LLVMGetNamedGlobal(cx->c->mod, name), word[N_PI_WORDS];
  if (!table) {
    for (int k = 0; k < N_PI_WORDS; k++) word[k] = LLVMConstInt(i64(cx), two_over_pi[k], 0);
    table = LLVMAddGlobal(cx->c->mod, t, name);
    LLVMSetInitializer(table, LLVMConstArray2(i64(cx), word, N_PI_WORDS));
    LLVMSetGlobalConstant(table, 1);
    LLVMSetLinkage(table, LLVMPrivateLinkage);
  }
  return LLVMBuildLoad2(B, i64(cx), LLVMBuildGEP2(B, t, table, (pv[]){cg_i64(cx->c, 0), i}, 2, ""),
                        "");
}

static void reduce_big(prim *cx, pv a, pv *r, pv *low, pv *z);

/* ---- the vocabulary ---- */

#define VF pv
#define VD pv
#define VJ pv
#define VI pv
#define VP pv
#define VM_DEF(result, name, ...) static result name(prim *cx, __VA_ARGS__)
#define VM_LONG VM_DEF
#define VM_DEF_SCALAR VM_DEF
#define CALL(f, ...) f(cx, __VA_ARGS__)
#define F(c) cg_const_float(f32(cx), cx->lanes, c)
#define D(c) cg_const_float(f64(cx), cx->lanes, c)
#define J(c) cg_const_int(i32(cx), cx->lanes, (int64_t)(c))
#define L(c) cg_const_int(i64(cx), cx->lanes, (int64_t)(c))
#define INFTYF F(__builtin_inf())
#define INFTY D(__builtin_inf())
#define NOTNUMF F(__builtin_nan(""))
#define NOTNUM D(__builtin_nan(""))
#define HAS_FMA cx->c->machine.fma
#define ADD(a, b) LLVMBuildFAdd(B, a, b, "")
#define SUB(a, b) LLVMBuildFSub(B, a, b, "")
#define MUL(a, b) LLVMBuildFMul(B, a, b, "")
#define DIV(a, b) LLVMBuildFDiv(B, a, b, "")
#define NEG(a) LLVMBuildFNeg(B, a, "")
#define ABS(a) prim_intrinsic1(cx, "llvm.fabs", a)
#define SQRT(a) prim_intrinsic1(cx, "llvm.sqrt", a)
#define COPYSIGN(a, b) prim_intrinsic2(cx, "llvm.copysign", a, b)
#define FMA(a, b, c) fused(cx, a, b, c)
#define LT(a, b) LLVMBuildFCmp(B, LLVMRealOLT, a, b, "")
#define GT(a, b) LLVMBuildFCmp(B, LLVMRealOGT, a, b, "")
#define GE(a, b) LLVMBuildFCmp(B, LLVMRealOGE, a, b, "")
#define EQ(a, b) LLVMBuildFCmp(B, LLVMRealOEQ, a, b, "")
#define NE(a, b) LLVMBuildFCmp(B, LLVMRealUNE, a, b, "")
#define PAND(p, q) LLVMBuildAnd(B, p, q, "")
#define POR(p, q) LLVMBuildOr(B, p, q, "")
#define PXOR(p, q) LLVMBuildXor(B, p, q, "")
#define PNOT(p) LLVMBuildNot(B, p, "")
#define SEL(p, a, b) LLVMBuildSelect(B, p, a, b, "")
#define BITSF(a) cast(cx, i32(cx), a)
#define BITS(a) cast(cx, i64(cx), a)
#define REALF(a) cast(cx, f32(cx), a)
#define REAL(a) cast(cx, f64(cx), a)
#define WIDEN(a) LLVMBuildFPExt(B, a, cg_wide(f64(cx), cx->lanes), "")
#define NARROW(a) LLVMBuildFPTrunc(B, a, cg_wide(f32(cx), cx->lanes), "")
#define IADD(a, b) LLVMBuildAdd(B, a, b, "")
#define ISUB(a, b) LLVMBuildSub(B, a, b, "")
#define IMUL(a, b) LLVMBuildMul(B, a, b, "")
#define IMULHI(a, b) upper_product(cx, a, b)
#define IAND(a, b) LLVMBuildAnd(B, a, b, "")
#define IOR(a, b) LLVMBuildOr(B, a, b, "")
#define IXOR(a, b) LLVMBuildXor(B, a, b, "")
#define INE(a, b) LLVMBuildICmp(B, LLVMIntNE, a, b, "")
#define IULT(a, b) LLVMBuildICmp(B, LLVMIntULT, a, b, "")
#define SHL(a, b) LLVMBuildShl(B, a, b, "")
#define SHR(a, b) LLVMBuildLShr(B, a, b, "")
#define SHLK(a, k) shift_left(cx, a, k)
#define SHRK(a, k) shift_right(cx, a, k)
#define SARK(a, k) shift_signed(cx, a, k)
#define TO_REAL(a) LLVMBuildSIToFP(B, a, cg_wide(f64(cx), cx->lanes), "")
#define TO_REALF(a) LLVMBuildSIToFP(B, a, cg_wide(f32(cx), cx->lanes), "")
#define SCALEF(q, z) scale_single(cx, q, z)
#define SCALE(a, b, z) scale_double(cx, a, b, z)
#define TWO_OVER_PI(i) pi_word(cx, i)
#define REDUCE_BIG(a, r, low, z) reduce_big(cx, a, &(r), &(low), &(z))

static pv shift_left(prim *cx, pv a, int k) { return LLVMBuildShl(B, a, like(a, k), ""); }
static pv shift_right(prim *cx, pv a, int k) { return LLVMBuildLShr(B, a, like(a, k), ""); }
static pv shift_signed(prim *cx, pv a, int k) { return LLVMBuildAShr(B, a, like(a, k), ""); }

static pv scale_single(prim *cx, pv q, pv z);
static pv scale_double(prim *cx, pv a, pv b, pv z);

#include "ir/vecmath.inc"

/* ---- scaling by powers of two ---- */

/* v 2^k for a whole k, rounded once, by the instruction of AVX-512 for vectors; NULL: there is
 * none.
 */
static pv scaled(prim *cx, pv v, pv k) {
  char name[48];
  bool single = LLVMTypeOf(v) == cg_wide(f32(cx), cx->lanes);
  int bits = cx->lanes * (single ? 32 : 64);
  if (!cx->c->machine.scales || (bits != 128 && bits != 256 && bits != 512)) return NULL;
  snprintf(name, sizeof name, "llvm.x86.avx512.mask.scalef.p%c.%d", single ? 's' : 'd', bits);
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  if (!id) return NULL;
  LLVMTypeRef mask = LLVMIntTypeInContext(cx->c->ctx, cx->lanes < 8 ? 8 : (unsigned)cx->lanes);
  LLVMValueRef f = LLVMGetIntrinsicDeclaration(cx->c->mod, id, NULL, 0);
  enum { AS_THE_MODE_SAYS = 4 };
  pv args[] = {v, k, v, LLVMConstAllOnes(mask), cg_i32(cx->c, AS_THE_MODE_SAYS)};
  return LLVMBuildCall2(B, LLVMGlobalGetValueType(f), f, args, bits == 512 ? 5 : 4, "");
}

static pv scale_single(prim *cx, pv q, pv z) {
  pv r = scaled(cx, ADD(q, F(1)), SUB(z, MAGICF));
  return r ? r : vm_scalef(cx, q, z);
}

static pv scale_double(prim *cx, pv a, pv b, pv z) {
  pv r = scaled(cx, ADD(a, b), SUB(z, MAGIC));
  return r ? r : vm_scale(cx, a, b, z);
}

/* ---- private functions of the module ---- */

static void add_attribute(prim *cx, LLVMValueRef f, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(cx->c->ctx, kind, 0));
}

/* Opens a new private function; the builder stands in its entry block. Returns where it stood. */
static LLVMBasicBlockRef open_function(prim *cx, const char *name, LLVMTypeRef signature,
                                       LLVMValueRef *f) {
  LLVMBasicBlockRef before = LLVMGetInsertBlock(B);
  *f = LLVMAddFunction(cx->c->mod, name, signature);
  LLVMSetLinkage(*f, LLVMPrivateLinkage);
  add_attribute(cx, *f, "nounwind");
  LLVMPositionBuilderAtEnd(B, LLVMAppendBasicBlockInContext(cx->c->ctx, *f, "entry"));
  return before;
}

/* ---- large angles ---- */

static pv element(prim *cx, pv array, pv i) { return LLVMBuildGEP2(B, f64(cx), array, &i, 1, ""); }

/* void (double *a, r, low, z, i64 n): vm_angle_reduce_big on the elements that need it. */
static LLVMValueRef big_function(prim *cx, LLVMTypeRef signature) {
  const char *name = "scanc_reduce_big";
  LLVMValueRef f = LLVMGetNamedFunction(cx->c->mod, name), low, z;
  if (f) return f;
  prim one = *cx;
  one.lanes = 1;
  cx = &one;
  LLVMBasicBlockRef before = open_function(cx, name, signature, &f),
                    entry = LLVMGetEntryBasicBlock(f);
  LLVMBasicBlockRef head = LLVMAppendBasicBlockInContext(cx->c->ctx, f, ""),
                    big = LLVMAppendBasicBlockInContext(cx->c->ctx, f, "");
  LLVMBasicBlockRef next = LLVMAppendBasicBlockInContext(cx->c->ctx, f, ""),
                    end = LLVMAppendBasicBlockInContext(cx->c->ctx, f, "");
  add_attribute(cx, f, "cold");
  add_attribute(cx, f, "noinline");
  LLVMBuildBr(B, head);
  LLVMPositionBuilderAtEnd(B, head);
  pv i = LLVMBuildPhi(B, i64(cx), ""),
     a = LLVMBuildLoad2(B, f64(cx), element(cx, LLVMGetParam(f, 0), i), ""), m = ABS(a);
  LLVMBuildCondBr(B, PAND(GT(m, D(BIG_ANGLE)), LT(m, INFTY)), big, next);
  LLVMPositionBuilderAtEnd(B, big);
  pv r = vm_angle_reduce_big(cx, a, &low, &z);
  LLVMBuildStore(B, r, element(cx, LLVMGetParam(f, 1), i));
  LLVMBuildStore(B, low, element(cx, LLVMGetParam(f, 2), i));
  LLVMBuildStore(B, z, element(cx, LLVMGetParam(f, 3), i));
  LLVMBuildBr(B, next);
  LLVMPositionBuilderAtEnd(B, next);
  pv following = IADD(i, L(1));
  LLVMAddIncoming(i, (pv[]){L(0), following}, (LLVMBasicBlockRef[]){entry, next}, 2);
  LLVMBuildCondBr(B, IULT(following, LLVMGetParam(f, 4)), head, end);
  LLVMPositionBuilderAtEnd(B, end);
  LLVMBuildRetVoid(B);
  LLVMPositionBuilderAtEnd(B, before);
  return f;
}

/* A slot on the stack, made where the function begins. */
static LLVMValueRef slot(prim *cx) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(B),
                    entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(here));
  LLVMValueRef first = LLVMGetFirstInstruction(entry);
  if (first) LLVMPositionBuilderBefore(B, first);
  LLVMValueRef p = LLVMBuildAlloca(B, cg_wide(f64(cx), cx->lanes), "");
  LLVMPositionBuilderAtEnd(B, here);
  return p;
}

static void reduce_big(prim *cx, pv a, pv *r, pv *low, pv *z) {
  LLVMTypeRef p = LLVMPointerTypeInContext(cx->c->ctx, 0), params[5] = {p, p, p, p, i64(cx)};
  LLVMTypeRef signature = LLVMFunctionType(LLVMVoidTypeInContext(cx->c->ctx), params, 5, 0);
  LLVMBasicBlockRef before = LLVMGetInsertBlock(B);
  LLVMValueRef f = LLVMGetBasicBlockParent(before), m = ABS(a), call[5];
  LLVMBasicBlockRef some = LLVMAppendBasicBlockInContext(cx->c->ctx, f, ""),
                    go_on = LLVMAppendBasicBlockInContext(cx->c->ctx, f, "");
  pv *value[3] = {r, low, z};
  for (int i = 0; i < 4; i++) call[i] = slot(cx);
  call[4] = cg_i64(cx->c, cx->lanes);
  LLVMValueRef any = cg_any(cx->c, PAND(GT(m, D(BIG_ANGLE)), LT(m, INFTY)));
  cg_weigh(cx->c, LLVMBuildCondBr(B, any, some, go_on), 1, 4000);
  LLVMPositionBuilderAtEnd(B, some);
  LLVMBuildStore(B, a, call[0]);
  for (int i = 0; i < 3; i++) LLVMBuildStore(B, *value[i], call[i + 1]);
  LLVMBuildCall2(B, signature, big_function(cx, signature), call, 5, "");
  LLVMTypeRef wide = cg_wide(f64(cx), cx->lanes);
  pv changed[3];
  for (int i = 0; i < 3; i++) changed[i] = LLVMBuildLoad2(B, wide, call[i + 1], "");
  LLVMBuildBr(B, go_on);
  LLVMPositionBuilderAtEnd(B, go_on);
  for (int i = 0; i < 3; i++) {
    pv phi = LLVMBuildPhi(B, wide, "");
    LLVMAddIncoming(phi, (pv[]){*value[i], changed[i]}, (LLVMBasicBlockRef[]){before, some}, 2);
    *value[i] = phi;
  }
}

/* ---- the functions ---- */

typedef pv (*function1)(prim *cx, pv a);

/* Long ones become private functions, so that a kernel that calls one often stays small; where code
 * runs rarely, so do the others. */
static const struct {
  const char *name;
  function1 f32, f64;
  bool short32, short64;
} functions[N_MATH] = {
    [MATH_EXP] = {"exp", vm_expf, vm_exp, true, true},
    [MATH_EXP2] = {"exp2", vm_exp2f, vm_exp2, true, true},
    [MATH_EXPM1] = {"expm1", vm_expm1f, vm_expm1, true, true},
    [MATH_LOG] = {"log", vm_logf, vm_log, true, true},
    [MATH_LOG2] = {"log2", vm_log2f, vm_log2, true, false},
    [MATH_LOG10] = {"log10", vm_log10f, vm_log10, true, false},
    [MATH_LOG1P] = {"log1p", vm_log1pf, vm_log1p, true, false},
    [MATH_LOG1P_UNIT] = {"log1p_unit", vm_log1p_unitf, vm_log1p_unit, true, false},
    [MATH_TANH] = {"tanh", vm_tanhf, vm_tanh, true, true},
    [MATH_TANH_REST] = {"tanh_rest", vm_tanh_restf, vm_tanh_rest, false, false},
    [MATH_TANH_SOFTPLUS] = {"tanh_softplus", vm_tanh_softplusf, vm_tanh_softplus, true, true},
    [MATH_ERF] = {"erf", vm_erff, vm_erf, true, false},
    [MATH_ERF_PLUS_ONE] = {"erf_plus_one", vm_erf_plus_onef, vm_erf_plus_one, true, false},
    [MATH_ERFC] = {"erfc", vm_erfcf, vm_erfc, false, false},
    [MATH_ERFINV] = {"erfinv", vm_erfinvf, vm_erfinv, false, false},
    [MATH_DIGAMMA] = {"digamma", vm_digammaf, vm_digamma, false, false},
    [MATH_SIN] = {"sin", vm_sinf, vm_sin, false, false},
    [MATH_COS] = {"cos", vm_cosf, vm_cos, false, false},
    [MATH_TAN] = {"tan", vm_tanf, vm_tan, false, false},
    [MATH_POW] = {"pow", NULL, NULL, false, false}};

static pv expand(prim *cx, math_id f, pv a, pv b) {
  bool single = cx->dtype == SCANC_F32;
  if (f == MATH_POW) return single ? vm_powf(cx, a, b) : vm_pow(cx, a, b);
  return (single ? functions[f].f32 : functions[f].f64)(cx, a);
}

static pv call_private(prim *cx, math_id f, pv a, pv b) {
  char name[48];
  int n = b ? 2 : 1;
  LLVMTypeRef t = LLVMTypeOf(a), params[2] = {t, t},
              signature = LLVMFunctionType(t, params, (unsigned)n, 0);
  snprintf(name, sizeof name, "scanc_%s_%sx%d", functions[f].name, scanc_dtype_name(cx->dtype),
           cx->lanes);
  LLVMValueRef fn = LLVMGetNamedFunction(cx->c->mod, name);
  if (!fn) {
    LLVMBasicBlockRef before = open_function(cx, name, signature, &fn);
    add_attribute(cx, fn, "willreturn");
    add_attribute(cx, fn, "memory");
    LLVMBuildRet(B, expand(cx, f, LLVMGetParam(fn, 0), n > 1 ? LLVMGetParam(fn, 1) : NULL));
    LLVMPositionBuilderAtEnd(B, before);
  }
  return LLVMBuildCall2(B, signature, fn, (pv[]){a, b}, (unsigned)n, "");
}

pv prim_math(prim *cx, math_id f, pv a, pv b) {
  bool inlined = cx->dtype == SCANC_F32 ? functions[f].short32 : functions[f].short64;
  return inlined && !cx->c->rarely ? expand(cx, f, a, b) : call_private(cx, f, a, b);
}
