/* Prefix loops that are cut (`cut` of ir/prefix.h): stretch by stretch, each from what comes before
 * it, which is joined from totals of single stretches. Beside its results, the total of a stretch
 * is computed on its own: the last element of each group, as it is within the group, is kept;
 * `lanes` of them are a group once more. They are taken as a vector when as many more have been
 * stored: a load of what many stores have just written waits for all of them. */
#include "codegen/network.h"

/* ---- the total of a stretch ---- */

static value smaller(cg *c, value a, value b) {
  return LLVMBuildSelect(c->b, LLVMBuildICmp(c->b, LLVMIntSLT, a, b, ""), a, b, "");
}

static value memory_for(cg *c, LLVMTypeRef t) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(c->b);
  LLVMPositionBuilderBefore(c->b, c->entry_end);
  value at = LLVMBuildAlloca(c->b, t, "");
  LLVMBuildStore(c->b, LLVMConstNull(t), at);
  cg_enter(c, here);
  return at;
}

static LLVMTypeRef vector_type(const network *w, int carry) {
  cg *c = w->c;
  return cg_wide(cg_type(c, c->k->values.data[w->l->carry[carry].in].dtype), w->lanes);
}

/* Truth values, which are bits in vectors, are bytes there. */
static LLVMTypeRef kept_type(const network *w, int carry) {
  LLVMTypeRef lane = LLVMGetElementType(vector_type(w, carry));
  bool truth = LLVMGetTypeKind(lane) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(lane) == 1;
  return truth ? LLVMInt8TypeInContext(w->c->ctx) : lane;
}

static network_own make_own(const network *w) {
  network_own own = {network_row(w), network_row(w),
                     ARENA_ARRAY(w->tmp, LLVMTypeRef, w->l->n_carry),
                     memory_for(w->c, LLVMInt64TypeInContext(w->c->ctx))};
  for (int i = 0; i < w->l->n_carry; i++) {
    if (!w->elements[i]) continue;
    own.type[i] = kept_type(w, i);
    own.kept[i] = memory_for(w->c, cg_wide(own.type[i], 2 * w->lanes));
    own.total[i] = memory_for(w->c, vector_type(w, i));
  }
  return own;
}

/* Elements whose groups are joined together. */
static int64_t joined_elements(const network *w) { return (int64_t)w->lanes * w->lanes; }

/* The number of the group of element e, modulo n, which is a power of two. */
static value group_of(const network *w, value e, int n) {
  cg *c = w->c;
  value group = LLVMBuildLShr(c->b, e, cg_i64(c, network_log2(w->lanes)), "");
  return LLVMBuildAnd(c->b, group, cg_i64(c, n - 1), "");
}

static value kept_at(const network *w, int carry, value e) {
  value at = group_of(w, e, 2 * w->lanes);
  return LLVMBuildGEP2(w->c->b, w->own->type[carry], w->own->kept[carry], &at, 1, "");
}

void network_keep(const network *w, value e, const value *total) {
  cg *c = w->c;
  for (int i = 0; i < w->l->n_carry; i++) {
    if (!w->own->kept[i]) continue;
    value lane = cg_lane(c, total[i], 0);
    if (LLVMTypeOf(lane) != w->own->type[i]) lane = LLVMBuildZExt(c->b, lane, w->own->type[i], "");
    LLVMBuildStore(c->b, lane, kept_at(w, i, e));
  }
}

value network_keeps_until(const network *w, value e, value end) {
  cg *c = w->c;
  value until = LLVMBuildOr(c->b, e, cg_i64(c, joined_elements(w) - 1), "");
  until = LLVMBuildAdd(c->b, until, cg_i64(c, 1), "");
  return smaller(c, until, end);
}

void network_join_totals(const network *w, const value *totals, value last_lane, value first) {
  cg *c = w->c;
  value *last = network_row(w), *before = network_row(w), *joined = network_row(w);
  network_splat(w, totals, last_lane, last);
  for (int i = 0; i < w->l->n_carry; i++)
    if (w->own->total[i]) before[i] = LLVMBuildLoad2(c->b, vector_type(w, i), w->own->total[i], "");
  network_join_all(w, before, last, first, w->elements, w->in_steps, joined);
  for (int i = 0; i < w->l->n_carry; i++)
    if (w->own->total[i]) LLVMBuildStore(c->b, joined[i], w->own->total[i]);
}

/* Those of the groups from element `from` on, up to element `end`. */
static void join_kept(const network *w, value from, value end) {
  cg *c = w->c;
  value *it = network_row(w);
  for (int i = 0; i < w->l->n_carry; i++) {
    if (!w->own->kept[i]) continue;
    LLVMTypeRef t = cg_wide(w->own->type[i], w->lanes);
    it[i] = LLVMBuildLoad2(c->b, t, kept_at(w, i, from), "");
    if (t != vector_type(w, i)) it[i] = LLVMBuildTrunc(c->b, it[i], vector_type(w, i), "");
  }
  c->rarely = true;
  network_within(w, it);
  value last = group_of(w, LLVMBuildSub(c->b, end, cg_i64(c, 1), ""), w->lanes);
  network_join_totals(w, it, last, LLVMBuildICmp(c->b, LLVMIntEQ, from, cg_i64(c, 0), ""));
  c->rarely = false;
}

void network_join_kept(const network *w, value next) {
  cg *c = w->c;
  LLVMBasicBlockRef head = cg_block(c, ""), join = cg_block(c, ""), done = cg_block(c, "");
  LLVMTypeRef i64 = LLVMInt64TypeInContext(c->ctx);
  value size = cg_i64(c, joined_elements(w));
  value behind = LLVMBuildICmp(c->b, LLVMIntSGE, next, w->n, "");
  value whole = LLVMBuildAnd(c->b, next, cg_i64(c, -joined_elements(w)), "");
  value until = LLVMBuildSelect(c->b, behind, w->n, LLVMBuildSub(c->b, whole, size, ""), "");
  LLVMBuildBr(c->b, head);
  cg_enter(c, head);
  value from = LLVMBuildLoad2(c->b, i64, w->own->joined, "");
  LLVMBuildCondBr(c->b, LLVMBuildICmp(c->b, LLVMIntSLT, from, until, ""), join, done);
  cg_enter(c, join);
  value end = LLVMBuildAdd(c->b, from, size, "");
  join_kept(w, from, smaller(c, end, w->n));
  network_joined(w, end);
  LLVMBuildBr(c->b, head);
  cg_enter(c, done);
}

void network_joined(const network *w, value end) { LLVMBuildStore(w->c->b, end, w->own->joined); }

/* ---- stretches ---- */

/* The stretch that begins at element `base`. */
static network stretch_at(const network *whole, value base) {
  network w = *whole;
  cg *c = w.c;
  value left = LLVMBuildSub(c->b, whole->n, base, ""), size = cg_i64(c, w.l->prefix.cut);
  w.n = smaller(c, left, size);
  w.outer = arena_copy(w.tmp, whole->outer, sizeof *w.outer * (size_t)c->n_paths);
  for (int i = 0; i < c->n_paths; i++)
    if (w.along[i] >= 0)
      w.outer[i] = cg_advance(
          c, w.outer[i],
          LLVMBuildMul(c->b, base, cg_stride_bytes(c, c->path[i].buffer, w.along[i]), ""));
  w.is_first = LLVMBuildICmp(c->b, LLVMIntEQ, base, cg_i64(c, 0), "");
  return w;
}

/* slot: per carry, what comes before the stretch, and then before the next one. */
static void emit_stretch(const network *whole, value base, network_own *own, const value *slot) {
  cg *c = whole->c;
  int n = whole->l->n_carry;
  network w = stretch_at(whole, base);
  value *start = network_row(whole), *total = network_row(whole), *next = network_row(whole);
  for (int i = 0; i < n; i++) start[i] = LLVMBuildLoad2(c->b, vector_type(whole, i), slot[i], "");
  w.start = start;
  w.own = own;
  network_joined(&w, cg_i64(c, 0));
  if (!network_stores(whole)) w.carried = ARENA_ARRAY(w.tmp, bool, n);
  c->step = base;
  network_groups(&w, next);
  for (int i = 0; i < n; i++)
    if (own->total[i]) total[i] = LLVMBuildLoad2(c->b, vector_type(whole, i), own->total[i], "");
  network_join(whole, start, total, whole->fresh ? w.is_first : NULL, next);
  for (int i = 0; i < n; i++)
    if (whole->carried[i]) LLVMBuildStore(c->b, next[i], slot[i]);
}

void network_stretches(const network *whole, value *last) {
  cg *c = whole->c;
  const loop *l = whole->l;
  value *slot = network_row(whole), zero = cg_i64(c, 0);
  network_own own = make_own(whole);
  for (int i = 0; i < l->n_carry; i++) {
    slot[i] = memory_for(c, vector_type(whole, i));
    value init = cg_splat(c, c->value[l->carry[i].init].scalar, whole->lanes);
    LLVMBuildStore(c->b, init, slot[i]);
  }
  LLVMBasicBlockRef before = LLVMGetInsertBlock(c->b), head = cg_block(c, ""),
                    exit = cg_block(c, "");
  LLVMBuildCondBr(c->b, LLVMBuildICmp(c->b, LLVMIntSGT, whole->n, zero, ""), head, exit);
  cg_enter(c, head);
  value base = LLVMBuildPhi(c->b, LLVMInt64TypeInContext(c->ctx), "");
  LLVMAddIncoming(base, &zero, &before, 1);
  emit_stretch(whole, base, &own, slot);
  value next = LLVMBuildAdd(c->b, base, cg_i64(c, l->prefix.cut), "");
  LLVMBasicBlockRef end = LLVMGetInsertBlock(c->b);
  LLVMAddIncoming(base, &next, &end, 1);
  LLVMBuildCondBr(c->b, LLVMBuildICmp(c->b, LLVMIntSLT, next, whole->n, ""), head, exit);
  cg_enter(c, exit);
  for (int i = 0; i < l->n_carry; i++)
    last[i] = LLVMBuildLoad2(c->b, vector_type(whole, i), slot[i], "");
}
