/* Conversions between element types, with the meaning of ir/convert.h on every target: no poison,
 * no library call. */
#include "codegen/cg.h"

static LLVMTypeRef wide(cg *c, scanc_dtype d, LLVMValueRef like) {
  return cg_wide(cg_type(c, d), cg_lanes_of(like));
}

static LLVMValueRef kint(cg *c, LLVMValueRef like, int64_t v) {
  return cg_const_int(LLVMInt32TypeInContext(c->ctx), cg_lanes_of(like), v);
}

static LLVMValueRef kfloat_bits(cg *c, LLVMValueRef like, uint32_t bits) {
  union {
    uint32_t u;
    float f;
  } v = {bits};
  return cg_const_float(LLVMFloatTypeInContext(c->ctx), cg_lanes_of(like), v.f);
}

static LLVMValueRef bits_of_f32(cg *c, LLVMValueRef v) {
  return LLVMBuildBitCast(c->b, v, wide(c, SCANC_I32, v), "");
}

static LLVMValueRef f32_of_bits(cg *c, LLVMValueRef v) {
  return LLVMBuildBitCast(c->b, v, wide(c, SCANC_F32, v), "");
}

/* ---- bf16: integer rounding to nearest even ---- */

static LLVMValueRef bf16_to_f32(cg *c, LLVMValueRef v) {
  LLVMValueRef x = LLVMBuildZExt(c->b, v, wide(c, SCANC_I32, v), "");
  return f32_of_bits(c, LLVMBuildShl(c->b, x, kint(c, v, 16), ""));
}

static LLVMValueRef f32_to_bf16(cg *c, LLVMValueRef v) {
  LLVMBuilderRef b = c->b;
  LLVMValueRef x = bits_of_f32(c, v);
  LLVMValueRef odd = LLVMBuildAnd(b, LLVMBuildLShr(b, x, kint(c, v, 16), ""), kint(c, v, 1), "");
  LLVMValueRef rounded = LLVMBuildAdd(b, x, LLVMBuildAdd(b, odd, kint(c, v, 0x7fff), ""), "");
  LLVMValueRef nan = LLVMBuildOr(b, x, kint(c, v, 0x400000), "");
  LLVMValueRef is_nan = LLVMBuildFCmp(b, LLVMRealUNO, v, v, "");
  LLVMValueRef r =
      LLVMBuildLShr(b, LLVMBuildSelect(b, is_nan, nan, rounded, ""), kint(c, v, 16), "");
  return LLVMBuildTrunc(b, r, wide(c, SCANC_BF16, v), "");
}

/* ---- f16 ---- by the target where it can, else in integers (a conversion instruction LLVM does
 * not have would become a call into the compiler's own library) */

static LLVMValueRef half_bits_to_f32(cg *c, LLVMValueRef v) {
  LLVMBuilderRef b = c->b;
  LLVMValueRef x = LLVMBuildZExt(b, v, wide(c, SCANC_I32, v), "");
  LLVMValueRef sign =
      LLVMBuildShl(b, LLVMBuildAnd(b, x, kint(c, v, 0x8000), ""), kint(c, v, 16), "");
  LLVMValueRef em = LLVMBuildAnd(b, x, kint(c, v, 0x7fff), "");
  LLVMValueRef shifted = LLVMBuildShl(b, em, kint(c, v, 13), "");
  LLVMValueRef normal = LLVMBuildAdd(b, shifted, kint(c, v, (127 - 15) << 23), "");
  LLVMValueRef special = LLVMBuildAdd(b, normal, kint(c, v, (128 - 16) << 23), "");
  LLVMValueRef tiny =
      LLVMBuildFSub(b, f32_of_bits(c, LLVMBuildAdd(b, shifted, kint(c, v, 113 << 23), "")),
                    kfloat_bits(c, v, 113u << 23), "");
  LLVMValueRef is_special = LLVMBuildICmp(b, LLVMIntUGE, em, kint(c, v, 0x7c00), "");
  LLVMValueRef is_tiny = LLVMBuildICmp(b, LLVMIntULT, em, kint(c, v, 0x400), "");
  LLVMValueRef r = LLVMBuildSelect(b, is_special, special, normal, "");
  r = LLVMBuildSelect(b, is_tiny, bits_of_f32(c, tiny), r, "");
  return f32_of_bits(c, LLVMBuildOr(b, r, sign, ""));
}

static LLVMValueRef f32_to_half_bits(cg *c, LLVMValueRef v) {
  LLVMBuilderRef b = c->b;
  const uint32_t magic = (127 - 15 + 23 - 10 + 1) << 23;
  LLVMValueRef x = bits_of_f32(c, v);
  LLVMValueRef abs = LLVMBuildAnd(b, x, kint(c, v, 0x7fffffff), "");
  LLVMValueRef sign =
      LLVMBuildAnd(b, LLVMBuildLShr(b, x, kint(c, v, 16), ""), kint(c, v, 0x8000), "");
  LLVMValueRef is_nan = LLVMBuildICmp(b, LLVMIntUGT, abs, kint(c, v, 0x7f800000), "");
  LLVMValueRef special = LLVMBuildSelect(b, is_nan, kint(c, v, 0x7e00), kint(c, v, 0x7c00), "");
  LLVMValueRef sum = LLVMBuildFAdd(b, f32_of_bits(c, abs), kfloat_bits(c, v, magic), "");
  LLVMValueRef tiny = LLVMBuildSub(b, bits_of_f32(c, sum), kint(c, v, magic), "");
  LLVMValueRef odd = LLVMBuildAnd(b, LLVMBuildLShr(b, abs, kint(c, v, 13), ""), kint(c, v, 1), "");
  LLVMValueRef normal = LLVMBuildAdd(b, abs, kint(c, v, (int32_t)((15u - 127u) << 23) + 0xfff), "");
  normal = LLVMBuildLShr(b, LLVMBuildAdd(b, normal, odd, ""), kint(c, v, 13), "");
  LLVMValueRef is_tiny = LLVMBuildICmp(b, LLVMIntULT, abs, kint(c, v, 113 << 23), "");
  LLVMValueRef is_special = LLVMBuildICmp(b, LLVMIntUGE, abs, kint(c, v, (127 + 16) << 23), "");
  LLVMValueRef r = LLVMBuildSelect(b, is_tiny, tiny, normal, "");
  r = LLVMBuildOr(b, LLVMBuildSelect(b, is_special, special, r, ""), sign, "");
  return LLVMBuildTrunc(b, r, wide(c, SCANC_F16, v), "");
}

/* Keeps LLVM from doing arithmetic or comparisons in half, which ends in calls per lane. */
static LLVMValueRef fence(cg *c, LLVMValueRef v) {
  return cg_intrinsic(c, "llvm.arithmetic.fence", &v, 1);
}

static LLVMValueRef f16_to_f32(cg *c, LLVMValueRef v) {
  if (!c->machine.half_native) return half_bits_to_f32(c, v);
  LLVMTypeRef half = cg_wide(LLVMHalfTypeInContext(c->ctx), cg_lanes_of(v));
  return fence(
      c, LLVMBuildFPExt(c->b, LLVMBuildBitCast(c->b, v, half, ""), wide(c, SCANC_F32, v), ""));
}

static LLVMValueRef f32_to_f16(cg *c, LLVMValueRef v) {
  if (!c->machine.half_native) return f32_to_half_bits(c, v);
  LLVMTypeRef half = cg_wide(LLVMHalfTypeInContext(c->ctx), cg_lanes_of(v));
  return LLVMBuildBitCast(c->b, LLVMBuildFPTrunc(c->b, fence(c, v), half, ""),
                          wide(c, SCANC_F16, v), "");
}

/* ---- numbers ---- */

/* Truncation as x86 does it: out of range and NaN give the smallest integer. */
static LLVMValueRef float_to_signed(cg *c, LLVMValueRef v, scanc_dtype to) {
  LLVMBuilderRef b = c->b;
  int lanes = cg_lanes_of(v), bits = to == SCANC_I64 ? 64 : 32;
  LLVMTypeRef t = LLVMTypeOf(v), scalar = lanes > 1 ? LLVMGetElementType(t) : t;
  double limit = bits == 64 ? 0x1p63 : 0x1p31;
  LLVMValueRef low = LLVMBuildFCmp(b, LLVMRealOGE, v, cg_const_float(scalar, lanes, -limit), "");
  LLVMValueRef high = LLVMBuildFCmp(b, LLVMRealOLT, v, cg_const_float(scalar, lanes, limit), "");
  LLVMValueRef fits = LLVMBuildAnd(b, low, high, "");
  LLVMValueRef safe = LLVMBuildSelect(b, fits, v, LLVMConstNull(t), "");
  LLVMValueRef r = LLVMBuildFPToSI(b, safe, wide(c, to, v), "");
  LLVMValueRef smallest = cg_const_int(cg_type(c, to), lanes, bits == 64 ? INT64_MIN : INT32_MIN);
  return LLVMBuildSelect(b, fits, r, smallest, "");
}

static LLVMValueRef float_to_int(cg *c, LLVMValueRef v, scanc_dtype to) {
  scanc_dtype via = to == SCANC_U8 || to == SCANC_I64 ? SCANC_I64 : SCANC_I32;
  LLVMValueRef r = float_to_signed(c, v, via);
  return via == to ? r : LLVMBuildTrunc(c->b, r, wide(c, to, v), "");
}

static LLVMValueRef int_to_int(cg *c, LLVMValueRef v, scanc_dtype from, scanc_dtype to) {
  LLVMTypeRef t = wide(c, to, v);
  size_t a = scanc_dtype_size(from), z = scanc_dtype_size(to);
  if (from != SCANC_BOOL && a == z) return v;
  if (from != SCANC_BOOL && a > z) return LLVMBuildTrunc(c->b, v, t, "");
  bool sign = from != SCANC_BOOL && dtype_signed(from);
  return sign ? LLVMBuildSExt(c->b, v, t, "") : LLVMBuildZExt(c->b, v, t, "");
}

static LLVMValueRef int_to_float(cg *c, LLVMValueRef v, scanc_dtype from, scanc_dtype to) {
  LLVMTypeRef t = wide(c, to, v);
  bool sign = from != SCANC_BOOL && dtype_signed(from);
  return sign ? LLVMBuildSIToFP(c->b, v, t, "") : LLVMBuildUIToFP(c->b, v, t, "");
}

static LLVMValueRef to_bool(cg *c, LLVMValueRef v, bool is_float) {
  LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(v));
  return is_float ? LLVMBuildFCmp(c->b, LLVMRealUNE, v, zero, "")
                  : LLVMBuildICmp(c->b, LLVMIntNE, v, zero, "");
}

static bool is_half(scanc_dtype d) { return d == SCANC_F16 || d == SCANC_BF16; }

/* Halves are widened before and narrowed after, so this sees none. */
static LLVMValueRef cast_plain(cg *c, LLVMValueRef v, scanc_dtype from, scanc_dtype to) {
  bool from_float = dtype_class(from) == 'f', to_float = dtype_class(to) == 'f';
  if (from == to) return v;
  if (to == SCANC_BOOL) return to_bool(c, v, from_float);
  if (from_float && !to_float) return float_to_int(c, v, to);
  if (!from_float && to_float) return int_to_float(c, v, from, to);
  if (!from_float) return int_to_int(c, v, from, to);
  LLVMTypeRef t = wide(c, to, v);
  return to == SCANC_F64 ? LLVMBuildFPExt(c->b, v, t, "") : LLVMBuildFPTrunc(c->b, v, t, "");
}

LLVMValueRef cg_cast(cg *c, LLVMValueRef v, scanc_dtype from, scanc_dtype to) {
  if (from == to) return v;
  if (is_half(from)) v = from == SCANC_F16 ? f16_to_f32(c, v) : bf16_to_f32(c, v);
  v = cast_plain(c, v, is_half(from) ? SCANC_F32 : from, is_half(to) ? SCANC_F32 : to);
  if (is_half(to)) v = to == SCANC_F16 ? f32_to_f16(c, v) : f32_to_bf16(c, v);
  return v;
}
