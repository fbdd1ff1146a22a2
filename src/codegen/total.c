/* Totals of prefix loops that store nothing: what only results need is left out. Of as many groups
 * as there are lanes neighbours are combined, then neighbours of those, and so on, in vectors: a
 * combination per vector, not one per step of a network. They are the combinations that give the
 * last element of a group in a network. What comes of each group then joins the total in turn, or,
 * of a stretch, what they are as a group does. */
#include "codegen/network.h"
#include "loop/op_cost.h"
#include "loop/prefix_stages.h"

enum { LARGEST = 600 /* instructions that are emitted for a block of groups */ };

bool network_stores(const network *w) {
  for (int i = 0; i < w->l->body.len; i++)
    if (w->stage[i] & STAGE_RESULT) return true;
  return false;
}

bool network_has_totals_alone(const network *w) {
  const loop *l = w->l;
  int cost = 2 * l->n_carry;
  for (int i = 0; i < l->body.len; i++) {
    const stmt *s = &l->body.data[i];
    if (s->kind == ST_OP && s->fault >= 0) return false;
    if (w->in_steps[i]) cost += s->kind == ST_OP ? op_cost(s->op, s->compute) : 1;
  }
  return !network_stores(w) && !l->prefix.segments && !l->prefix.skip &&
         cost * (w->lanes - 1) <= LARGEST;
}

/* The lanes of a, then those of b, every second one from `first` on. */
static value every_second(const network *w, value a, value b, int first) {
  value from[CG_MAX_LANES];
  for (int i = 0; i < w->lanes; i++) from[i] = cg_i32(w->c, 2 * i + first);
  return LLVMBuildShuffleVector(w->c->b, a, b, LLVMConstVector(from, (unsigned)w->lanes), "");
}

/* A vector per carry of totals of `size` elements each, those of the size vectors from `first` on,
 * counted from element e. */
static void combine_vectors(const network *w, value e, int first, int size, value *out) {
  cg *c = w->c;
  if (size == 1) {
    network_move(w, LLVMBuildAdd(c->b, e, cg_i64(c, (int64_t)first * w->lanes), ""));
    network_load(w, out);
    return;
  }
  value *a = network_row(w), *b = network_row(w), *left = network_row(w), *right = network_row(w);
  combine_vectors(w, e, first, size / 2, a);
  combine_vectors(w, e, first + size / 2, size / 2, b);
  for (int i = 0; i < w->l->n_carry; i++) {
    if (!a[i]) continue;
    left[i] = every_second(w, a[i], b[i], 0);
    right[i] = every_second(w, a[i], b[i], 1);
  }
  network_combine(w, left, right, w->elements, w->in_steps, out);
}

/* Totals of groups, one after the other; first: nothing comes before the first one, NULL: never. */
static void join_in_turn(const network *w, const value *groups, value first, value *total) {
  cg *c = w->c;
  value *one = network_row(w), *next = network_row(w);
  c->lanes = 1;
  for (int k = 0; k < w->lanes; k++) {
    for (int i = 0; i < w->l->n_carry; i++) one[i] = groups[i] ? cg_lane(c, groups[i], k) : NULL;
    network_combine(w, total, one, w->carried, w->in_last, next);
    for (int i = 0; i < w->l->n_carry; i++) {
      total[i] = next[i];
      if (!k && first && next[i]) total[i] = LLVMBuildSelect(c->b, first, one[i], next[i], "");
    }
  }
  c->lanes = w->lanes;
}

static void join_as_group(const network *w, value *groups, value e) {
  cg *c = w->c;
  network_within(w, groups);
  network_join_totals(w, groups, cg_i64(c, w->lanes - 1),
                      LLVMBuildICmp(c->b, LLVMIntEQ, e, cg_i64(c, 0), ""));
}

static void add_incoming(value phi, value v, LLVMBasicBlockRef from) {
  if (phi) LLVMAddIncoming(phi, &v, &from, 1);
}

static void make_phis(const network *w, const value *like, value *phi) {
  for (int i = 0; i < w->l->n_carry; i++)
    if (w->carried[i]) phi[i] = LLVMBuildPhi(w->c->b, LLVMTypeOf(like[i]), "");
}

value network_totals(const network *w, value *carry) {
  cg *c = w->c;
  int n = w->l->n_carry;
  value size = cg_i64(c, (int64_t)w->lanes * w->lanes), zero = cg_i64(c, 0);
  value *init = network_row(w), *at = network_row(w), *end = network_row(w),
        *total = network_row(w), *groups = network_row(w);
  for (int i = 0; i < n; i++) init[i] = w->carried[i] ? cg_lane(c, carry[i], 0) : NULL;
  LLVMBasicBlockRef before = LLVMGetInsertBlock(c->b), head = cg_block(c, ""),
                    after = cg_block(c, "");
  LLVMBuildCondBr(c->b, LLVMBuildICmp(c->b, LLVMIntSGE, w->n, size, ""), head, after);
  cg_enter(c, after);
  value reached = LLVMBuildPhi(c->b, LLVMTypeOf(zero), "");
  make_phis(w, init, end);
  cg_enter(c, head);
  value e = LLVMBuildPhi(c->b, LLVMTypeOf(zero), "");
  make_phis(w, init, at);
  c->mask = c->n_lanes = c->counting = NULL;
  combine_vectors(w, e, 0, w->lanes, groups);
  for (int i = 0; i < n; i++) total[i] = at[i];
  if (w->own) join_as_group(w, groups, e);
  else join_in_turn(w, groups, network_first(w, e), total);
  value next = LLVMBuildAdd(c->b, e, size, ""), left = LLVMBuildSub(c->b, w->n, next, "");
  LLVMBasicBlockRef behind = LLVMGetInsertBlock(c->b);
  LLVMBuildCondBr(c->b, LLVMBuildICmp(c->b, LLVMIntSGE, left, size, ""), head, after);
  add_incoming(e, zero, before);
  add_incoming(e, next, behind);
  add_incoming(reached, zero, before);
  add_incoming(reached, next, behind);
  for (int i = 0; i < n; i++) {
    add_incoming(at[i], init[i], before);
    add_incoming(at[i], total[i], behind);
    add_incoming(end[i], init[i], before);
    add_incoming(end[i], total[i], behind);
  }
  cg_enter(c, after);
  for (int i = 0; i < n; i++)
    if (end[i]) carry[i] = cg_splat(c, end[i], w->lanes);
  return reached;
}
