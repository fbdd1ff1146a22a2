/* Elements of a prefix loop that change nothing (`skip` of ir/prefix.h), several vectors at a time:
 * the one before is combined with each of them, and where all results are the one before, it is
 * what is stored. */
#include "codegen/network.h"

static void move_group(const network *w, value e, int u) {
  network_move(w, LLVMBuildAdd(w->c->b, e, cg_i64(w->c, (int64_t)u * w->lanes), ""));
}

static value as_bits(cg *c, value v) {
  LLVMTypeRef t = LLVMTypeOf(v), lane = LLVMGetElementType(t);
  LLVMTypeKind kind = LLVMGetTypeKind(lane);
  if (kind == LLVMIntegerTypeKind) return v;
  unsigned bits = kind == LLVMDoubleTypeKind ? 64 : 32;
  LLVMTypeRef whole = LLVMIntTypeInContext(c->ctx, bits);
  return LLVMBuildBitCast(c->b, v, cg_wide(whole, cg_lanes_of(v)), "");
}

value network_unchanged(const network *w, value e, const value *carry) {
  cg *c = w->c;
  value *it = network_row(w), *next = network_row(w), changed = NULL;
  c->mask = c->n_lanes = NULL;
  for (int u = 0; u < w->l->prefix.skip / w->lanes; u++) {
    move_group(w, e, u);
    network_load(w, it);
    network_combine(w, carry, it, w->carried, w->in_last, next);
    for (int i = 0; i < w->l->n_carry; i++) {
      value differs = LLVMBuildICmp(c->b, LLVMIntNE, as_bits(c, next[i]), as_bits(c, carry[i]), "");
      changed = changed ? LLVMBuildOr(c->b, changed, differs, "") : differs;
    }
  }
  return LLVMBuildNot(c->b, cg_any(c, changed), "");
}

void network_fill(const network *w, value e, const value *carry) {
  for (int u = 0; u < w->l->prefix.skip / w->lanes; u++) {
    move_group(w, e, u);
    network_store(w, carry);
  }
}
