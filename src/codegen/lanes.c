/* What the lanes of a group give to each other, in the fewest instructions that machines have for
 * it. LLVM is told as little as it takes for them: where it knows which lanes count it makes two
 * moves of one, loads masks again and again, or puts numbers where none are needed. */
#include <string.h>

#include "codegen/network.h"
#include "ir/op.h"
#include "loop/op_cost.h"

enum { WORD = 4, HALF_REGISTER = 32, REGISTER = 64 /* bytes */ };

static value const_i1(cg *c, bool b) { return LLVMConstInt(LLVMInt1TypeInContext(c->ctx), b, 0); }

value network_lanes_with(const network *w, int d) {
  value all[CG_MAX_LANES];
  for (int i = 0; i < w->lanes; i++) all[i] = const_i1(w->c, i & d);
  return LLVMConstVector(all, (unsigned)w->lanes);
}

/* A constant that is made once, where the function begins. */
static value opaque_constant(cg *c, value v, const char *kind) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(c->b);
  LLVMPositionBuilderBefore(c->b, c->entry_end);
  value known = cg_opaque(c, v, kind);
  cg_enter(c, here);
  return known;
}

static scanc_dtype dtype_of(const network *w, int carry) {
  return w->c->k->values.data[w->l->carry[carry].in].dtype;
}

static int bytes_of(const network *w, int carry) {
  return w->lanes * (int)scanc_dtype_size(dtype_of(w, carry));
}

int network_log2(int d) {
  int n = 0;
  while (1 << n < d) n++;
  return n;
}

/* ---- truth values ---- */

/* Where masks have registers of their own, lanes of truth values are the bits of an integer: they
 * are moved by its arithmetic, not by way of vectors. */
static bool in_bits(const network *w, int carry) {
  return w->c->machine.masks && dtype_of(w, carry) == SCANC_BOOL && w->lanes >= 8;
}

static value as_bits(const network *w, value v) {
  return LLVMBuildBitCast(w->c->b, v, LLVMIntTypeInContext(w->c->ctx, (unsigned)w->lanes), "");
}

/* What from_bits made v of; NULL: something else made it. */
static value bits_behind(value v) {
  value lanes = LLVMIsACallInst(v) ? LLVMGetOperand(v, 0) : NULL,
        bits = lanes && LLVMIsABitCastInst(lanes) ? LLVMGetOperand(lanes, 0) : NULL;
  return bits && LLVMGetTypeKind(LLVMTypeOf(bits)) == LLVMIntegerTypeKind ? bits : NULL;
}

/* A mask that is asked whether it is true. */
static value without_test(value v) {
  while (LLVMIsAICmpInst(v) && LLVMGetICmpPredicate(v) == LLVMIntNE &&
         LLVMIsNull(LLVMGetOperand(v, 1)) && LLVMTypeOf(LLVMGetOperand(v, 0)) == LLVMTypeOf(v))
    v = LLVMGetOperand(v, 0);
  return v;
}

/* And, or and exclusive or of masks that bits made are done again with the bits, so that these do
 * not go through mask registers and back; what nobody reads then goes. */
static value to_bits(const network *w, value v) {
  LLVMBuilderRef b = w->c->b;
  v = without_test(v);
  value known = bits_behind(v);
  if (known || !LLVMIsABinaryOperator(v)) return known ? known : as_bits(w, v);
  value left = to_bits(w, LLVMGetOperand(v, 0)), right = to_bits(w, LLVMGetOperand(v, 1));
  return LLVMBuildBinOp(b, LLVMGetInstructionOpcode(v), left, right, "");
}

/* LLVM 19 does not come to an end rewriting masks as integers and back where it sees both: neither
 * what made the bits, nor, where such masks meet, that they were bits. */
static value from_bits(const network *w, value bits) {
  LLVMTypeRef mask = cg_wide(LLVMInt1TypeInContext(w->c->ctx), w->lanes);
  value lanes = LLVMBuildBitCast(w->c->b, cg_opaque(w->c, bits, "r"), mask, "");
  return cg_opaque(w->c, lanes, w->c->machine.masks);
}

static value bits_where(const network *w, int d, int is) {
  unsigned long long bits = 0;
  for (int i = 0; i < w->lanes; i++)
    if ((i & d) == is) bits |= 1ULL << i;
  return LLVMConstInt(LLVMIntTypeInContext(w->c->ctx, (unsigned)w->lanes), bits, 0);
}

/* The bit of the last of d lanes goes to all of the next d. */
static value partner_bits(const network *w, value v, int d) {
  LLVMBuilderRef b = w->c->b;
  value bits = to_bits(w, v), last = bits_where(w, 2 * d - 1, d - 1);
  value copies = LLVMConstInt(LLVMTypeOf(bits), (2ULL << d) - 2, 0);
  return from_bits(w, LLVMBuildMul(b, LLVMBuildAnd(b, bits, last, ""), copies, ""));
}

static value choose_bits(const network *w, value next, value it, int d) {
  LLVMBuilderRef b = w->c->b;
  value taken = LLVMBuildAnd(b, to_bits(w, next), bits_where(w, d, d), "");
  value kept = LLVMBuildAnd(b, to_bits(w, it), bits_where(w, d, 0), "");
  return from_bits(w, LLVMBuildOr(b, taken, kept, ""));
}

/* The bit of that lane becomes the sign, and so all bits. */
static value splat_bit(const network *w, value v, value lane) {
  LLVMBuilderRef b = w->c->b;
  value bits = to_bits(w, v), top = LLVMConstInt(LLVMTypeOf(bits), (unsigned)w->lanes - 1, 0);
  value above = LLVMBuildSub(b, top, LLVMBuildTrunc(b, lane, LLVMTypeOf(bits), ""), "");
  return from_bits(w, LLVMBuildAShr(b, LLVMBuildShl(b, bits, above, ""), top, ""));
}

/* ---- vectors ---- */

/* Whether the results of a carry are one instruction in registers that have masks: it can be done
 * in some lanes alone, if LLVM does not know which. */
static bool is_masked(const network *w, int carry) {
  const loop *l = w->l;
  if (bytes_of(w, carry) < REGISTER) return false;
  for (int i = 0; i < l->body.len; i++) {
    const stmt *s = &l->body.data[i];
    if (s->value != l->carry[carry].next || s->kind != ST_OP) continue;
    return op_get(s->op)->promo != PROMO_SELECT && op_cost(s->op, s->compute) == 1;
  }
  return false;
}

/* The lanes that step d concerns, in a mask register for vectors that have masks. */
static value lanes_chosen(const network *w, int carry, int d) {
  value lanes = network_lanes_with(w, d), *known = &w->known_masks[network_log2(d)];
  if (!w->c->machine.masks || bytes_of(w, carry) < REGISTER || w->lanes < 8) return lanes;
  if (!*known) *known = opaque_constant(w->c, lanes, w->c->machine.masks);
  return *known;
}

/* Whether one instruction moves any lanes of such a vector anywhere. */
static bool is_permuted(const network *w, int carry) {
  int bytes = bytes_of(w, carry);
  return w->c->machine.permutes && scanc_dtype_size(dtype_of(w, carry)) == WORD &&
         (bytes == HALF_REGISTER || bytes == REGISTER);
}

static value permute(cg *c, value v, value from) {
  bool whole = cg_lanes_of(v) * WORD == REGISTER,
       real = LLVMGetTypeKind(LLVMGetElementType(LLVMTypeOf(v))) == LLVMFloatTypeKind;
  const char *name =
      whole  ? real ? "llvm.x86.avx512.permvar.sf.512" : "llvm.x86.avx512.permvar.si.512"
      : real ? "llvm.x86.avx2.permps"
             : "llvm.x86.avx2.permd";
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  value f = LLVMGetIntrinsicDeclaration(c->mod, id, NULL, 0), args[] = {v, from};
  return LLVMBuildCall2(c->b, LLVMGlobalGetValueType(f), f, args, 2, "");
}

/* Lane i gets lane from[i]. place: where the numbers are kept. */
static value permute_known(const network *w, value v, const int *from, int place) {
  value number[CG_MAX_LANES], *known = &w->known_numbers[place];
  for (int i = 0; i < w->lanes; i++) number[i] = cg_i32(w->c, from[i]);
  if (!*known)
    *known =
        opaque_constant(w->c, LLVMConstVector(number, (unsigned)w->lanes), w->c->machine.vectors);
  return permute(w->c, v, *known);
}

static value shuffle(const network *w, value v, const int *from) {
  value number[CG_MAX_LANES];
  for (int i = 0; i < w->lanes; i++) number[i] = cg_i32(w->c, from[i]);
  return LLVMBuildShuffleVector(w->c->b, v, LLVMGetPoison(LLVMTypeOf(v)),
                                LLVMConstVector(number, (unsigned)w->lanes), "");
}

/* LLVM, which sees which lanes are not needed, would have anything there, numbers among it that
 * arithmetic takes a hundred times as long with. */
static value partner_lanes(const network *w, value v, int carry, int d) {
  cg *c = w->c;
  int from[CG_MAX_LANES];
  scanc_dtype dtype = dtype_of(w, carry);
  for (int i = 0; i < w->lanes; i++) from[i] = prefix_partner(i, d);
  if (is_permuted(w, carry) && d >= 4) return permute_known(w, v, from, network_log2(d));
  v = shuffle(w, v, from);
  bool whole = dtype == SCANC_F32 || dtype == SCANC_F64; /* in a register of its own */
  whole = whole && bytes_of(w, carry) >= 16;
  bool hidden = c->machine.vectors && whole && !is_masked(w, carry);
  return hidden ? cg_opaque(c, v, c->machine.vectors) : v;
}

/* ---- of all carries ---- */

value network_partners(const network *w, value v, int carry, int d) {
  return in_bits(w, carry) ? partner_bits(w, v, d) : partner_lanes(w, v, carry, d);
}

value network_choose(const network *w, value next, value it, int carry, int d) {
  if (in_bits(w, carry)) return choose_bits(w, next, it, d);
  return LLVMBuildSelect(w->c->b, lanes_chosen(w, carry, d), next, it, "");
}

static value splat(const network *w, value v, int carry, value lane) {
  cg *c = w->c;
  if (in_bits(w, carry)) return splat_bit(w, v, lane);
  if (!LLVMIsConstant(lane) || !is_permuted(w, carry))
    return cg_splat(c, LLVMBuildExtractElement(c->b, v, lane, ""), w->lanes);
  int from[CG_MAX_LANES];
  for (int i = 0; i < w->lanes; i++) from[i] = w->lanes - 1;
  return permute_known(w, v, from, network_log2(w->lanes));
}

void network_splat(const network *w, const value *v, value lane, value *out) {
  for (int i = 0; i < w->l->n_carry; i++) out[i] = v[i] ? splat(w, v[i], i, lane) : NULL;
}
