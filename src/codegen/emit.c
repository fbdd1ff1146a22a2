/* Small wrappers around the builder: types, constants, lanes, calls. */
#include <stdio.h>
#include <string.h>

#include "codegen/cg.h"

LLVMTypeRef cg_type(cg *c, scanc_dtype d) {
  switch (d) {
    case SCANC_BOOL: return LLVMInt1TypeInContext(c->ctx);
    case SCANC_U8:
    case SCANC_I8: return LLVMInt8TypeInContext(c->ctx);
    case SCANC_I16:
    case SCANC_F16:
    case SCANC_BF16: return LLVMInt16TypeInContext(c->ctx);
    case SCANC_I32: return LLVMInt32TypeInContext(c->ctx);
    case SCANC_I64: return LLVMInt64TypeInContext(c->ctx);
    case SCANC_F32: return LLVMFloatTypeInContext(c->ctx);
    case SCANC_F64: return LLVMDoubleTypeInContext(c->ctx);
    default: SCANC_UNREACHABLE("dtype without a register type");
  }
}

LLVMTypeRef cg_memory_type(cg *c, scanc_dtype d) {
  return d == SCANC_BOOL ? LLVMInt8TypeInContext(c->ctx) : cg_type(c, d);
}

LLVMTypeRef cg_wide(LLVMTypeRef scalar, int lanes) {
  return lanes > 1 ? LLVMVectorType(scalar, (unsigned)lanes) : scalar;
}

int cg_lanes_of(LLVMValueRef v) {
  LLVMTypeRef t = LLVMTypeOf(v);
  return LLVMGetTypeKind(t) == LLVMVectorTypeKind ? (int)LLVMGetVectorSize(t) : 1;
}

LLVMValueRef cg_i32(cg *c, int64_t v) {
  return LLVMConstInt(LLVMInt32TypeInContext(c->ctx), (unsigned long long)v, 1);
}

LLVMValueRef cg_i64(cg *c, int64_t v) {
  return LLVMConstInt(LLVMInt64TypeInContext(c->ctx), (unsigned long long)v, 1);
}

static LLVMValueRef const_splat(LLVMValueRef scalar, int lanes) {
  LLVMValueRef all[CG_MAX_LANES];
  if (lanes == 1) return scalar;
  for (int i = 0; i < lanes; i++) all[i] = scalar;
  return LLVMConstVector(all, (unsigned)lanes);
}

LLVMValueRef cg_splat(cg *c, LLVMValueRef scalar, int lanes) {
  if (lanes == 1) return scalar;
  if (LLVMIsConstant(scalar)) return const_splat(scalar, lanes);
  LLVMTypeRef t = cg_wide(LLVMTypeOf(scalar), lanes);
  LLVMValueRef one = LLVMBuildInsertElement(c->b, LLVMGetPoison(t), scalar, cg_i32(c, 0), "");
  LLVMValueRef zeros = LLVMConstNull(cg_wide(LLVMInt32TypeInContext(c->ctx), lanes));
  return LLVMBuildShuffleVector(c->b, one, LLVMGetPoison(t), zeros, "");
}

LLVMValueRef cg_const_int(LLVMTypeRef scalar, int lanes, int64_t v) {
  return const_splat(LLVMConstInt(scalar, (unsigned long long)v, 1), lanes);
}

LLVMValueRef cg_const_float(LLVMTypeRef scalar, int lanes, double v) {
  if (LLVMGetTypeKind(scalar) == LLVMFloatTypeKind) v = (float)v;
  return const_splat(LLVMConstReal(scalar, v), lanes);
}

LLVMValueRef cg_lane(cg *c, LLVMValueRef v, int lane) {
  return cg_lanes_of(v) == 1 ? v : LLVMBuildExtractElement(c->b, v, cg_i32(c, lane), "");
}

LLVMValueRef cg_set_lane(cg *c, LLVMValueRef v, LLVMValueRef x, int lane) {
  return cg_lanes_of(v) == 1 ? x : LLVMBuildInsertElement(c->b, v, x, cg_i32(c, lane), "");
}

LLVMValueRef cg_intrinsic(cg *c, const char *name, const LLVMValueRef *args, int n) {
  LLVMTypeRef t = LLVMTypeOf(args[0]);
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef f = LLVMGetIntrinsicDeclaration(c->mod, id, &t, 1);
  LLVMValueRef copy[3];
  for (int i = 0; i < n; i++) copy[i] = args[i];
  return LLVMBuildCall2(c->b, LLVMGlobalGetValueType(f), f, copy, (unsigned)n, "");
}

static void add_attribute(cg *c, LLVMValueRef f, unsigned where, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  if (kind) LLVMAddAttributeAtIndex(f, where, LLVMCreateEnumAttribute(c->ctx, kind, 0));
}

/* Declared as a pure function that is not the builtin of its name: no call is ever rewritten, so
 * that every executor gets the library's own bits. */
static LLVMValueRef pure_function(cg *c, const char *name, LLVMTypeRef fn_type) {
  LLVMValueRef f = LLVMGetNamedFunction(c->mod, name);
  if (f) return f;
  f = LLVMAddFunction(c->mod, name, fn_type);
  const unsigned all = (unsigned)LLVMAttributeFunctionIndex;
  add_attribute(c, f, all, "nounwind");
  add_attribute(c, f, all, "willreturn");
  add_attribute(c, f, all, "nobuiltin");
  add_attribute(c, f, all, "memory");
  return f;
}

LLVMValueRef cg_libm(cg *c, const char *name, const LLVMValueRef *args, int n) {
  int lanes = cg_lanes_of(args[0]);
  LLVMTypeRef wide = LLVMTypeOf(args[0]);
  LLVMTypeRef scalar = lanes > 1 ? LLVMGetElementType(wide) : wide;
  LLVMTypeRef params[3];
  char symbol[32];
  for (int i = 0; i < n; i++) params[i] = scalar;
  snprintf(symbol, sizeof symbol, "%s%s", name,
           LLVMGetTypeKind(scalar) == LLVMFloatTypeKind ? "f" : "");
  LLVMTypeRef fn_type = LLVMFunctionType(scalar, params, (unsigned)n, 0);
  LLVMValueRef f = pure_function(c, symbol, fn_type), result = LLVMGetPoison(wide);
  for (int lane = 0; lane < lanes; lane++) {
    LLVMValueRef a[3];
    for (int i = 0; i < n; i++) a[i] = cg_lane(c, args[i], lane);
    result = cg_set_lane(c, result, LLVMBuildCall2(c->b, fn_type, f, a, (unsigned)n, ""), lane);
  }
  return result;
}

/* The C calling convention has the caller, and for results the called function, extend small
 * integers; a bool is a byte. */
static void extend_small(cg *c, LLVMValueRef f, unsigned where, scanc_dtype d) {
  char cls = dtype_class(d);
  if (cls == 'f' || scanc_dtype_size(d) >= sizeof(int)) return;
  add_attribute(c, f, where, cls == 'i' && dtype_signed(d) ? "signext" : "zeroext");
}

/* Complex numbers in f64 are passed as their parts and returned as a pair, on x86-64 and AArch64.
 */
static LLVMValueRef host_function(cg *c, const host_fn *h, LLVMTypeRef *fn_type) {
  LLVMTypeRef params[HOST_MAX_OPERANDS], result = cg_memory_type(c, h->result);
  for (int k = 0; k < h->n_operands; k++) params[k] = cg_memory_type(c, h->operand[k]);
  if (h->part != PART_ALL)
    result = LLVMStructTypeInContext(c->ctx, (LLVMTypeRef[]){result, result}, 2, 0);
  *fn_type = LLVMFunctionType(result, params, (unsigned)h->n_operands, 0);
  LLVMValueRef f = pure_function(c, h->symbol, *fn_type);
  extend_small(c, f, LLVMAttributeReturnIndex, h->result);
  for (int k = 0; k < h->n_operands; k++) extend_small(c, f, (unsigned)k + 1, h->operand[k]);
  return f;
}

/* ew_one_nan, by integers, in which all NaNs are not one to LLVM */
static LLVMValueRef one_nan(cg *c, LLVMValueRef v) {
  LLVMTypeRef bits = LLVMInt64TypeInContext(c->ctx);
  LLVMValueRef is_nan = LLVMBuildFCmp(c->b, LLVMRealUNO, v, v, "");
  LLVMValueRef nan = LLVMConstInt(bits, (uint64_t)0x7ff8 << 48, 0);
  LLVMValueRef chosen = LLVMBuildSelect(c->b, is_nan, nan, LLVMBuildBitCast(c->b, v, bits, ""), "");
  return LLVMBuildBitCast(c->b, chosen, LLVMTypeOf(v), "");
}

LLVMValueRef cg_host_call(cg *c, const host_fn *h, const LLVMValueRef *args) {
  int lanes = cg_lanes_of(args[0]);
  LLVMTypeRef fn_type, byte = cg_memory_type(c, SCANC_BOOL);
  LLVMValueRef f = host_function(c, h, &fn_type);
  LLVMValueRef result = LLVMGetPoison(cg_wide(cg_type(c, h->result), lanes));
  for (int lane = 0; lane < lanes; lane++) {
    LLVMValueRef a[HOST_MAX_OPERANDS];
    for (int k = 0; k < h->n_operands; k++) {
      a[k] = cg_lane(c, args[k], lane);
      if (h->operand[k] == SCANC_BOOL) a[k] = LLVMBuildZExt(c->b, a[k], byte, "");
      if (h->part != PART_ALL) a[k] = one_nan(c, a[k]);
    }
    LLVMValueRef r = LLVMBuildCall2(c->b, fn_type, f, a, (unsigned)h->n_operands, "");
    if (h->part != PART_ALL) r = LLVMBuildExtractValue(c->b, r, h->part == PART_IMAGINARY, "");
    if (h->result == SCANC_BOOL)
      r = LLVMBuildICmp(c->b, LLVMIntNE, r, LLVMConstInt(byte, 0, 0), "");
    result = cg_set_lane(c, result, r, lane);
  }
  return result;
}

LLVMValueRef cg_any(cg *c, LLVMValueRef mask) {
  return cg_lanes_of(mask) == 1 ? mask : cg_intrinsic(c, "llvm.vector.reduce.or", &mask, 1);
}

LLVMValueRef cg_opaque(cg *c, LLVMValueRef v, const char *kind) {
  LLVMTypeRef t = LLVMTypeOf(v), fn_type = LLVMFunctionType(t, &t, 1, 0);
  char text[] = "", constraints[16];
  int n = snprintf(constraints, sizeof constraints, "=%s,0", kind);
  LLVMValueRef f =
      LLVMGetInlineAsm(fn_type, text, 0, constraints, (size_t)n, 0, 0, LLVMInlineAsmDialectATT, 0);
  return LLVMBuildCall2(c->b, fn_type, f, &v, 1, "");
}

LLVMValueRef cg_hidden(cg *c, LLVMValueRef v) {
  LLVMTypeRef t = LLVMTypeOf(v);
  bool vector = LLVMGetTypeKind(t) == LLVMVectorTypeKind;
  LLVMTypeKind kind = LLVMGetTypeKind(vector ? LLVMGetElementType(t) : t);
  if (!c->machine.flushes || !c->machine.vectors || !LLVMIsConstant(v) ||
      (kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind))
    return v;
  LLVMValueRef all = LLVMGetPoison(t);
  for (int i = 0; i < cg_lanes_of(v); i++)
    all = cg_set_lane(c, all, cg_opaque(c, cg_lane(c, v, i), c->machine.vectors), i);
  return all;
}

void cg_weigh(cg *c, LLVMValueRef branch, int first, int second) {
  LLVMMetadataRef parts[3] = {LLVMMDStringInContext2(c->ctx, "branch_weights", 14),
                              LLVMValueAsMetadata(cg_i32(c, first)),
                              LLVMValueAsMetadata(cg_i32(c, second))};
  LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(c->ctx, "prof", 4),
                  LLVMMetadataAsValue(c->ctx, LLVMMDNodeInContext2(c->ctx, parts, 3)));
}
