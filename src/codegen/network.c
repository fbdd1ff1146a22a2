/* Prefix loops along vectors: groups of neighbouring points, combined as ir/prefix.h says.
 *
 *   for e = 0; e < n; e += lanes
 *     whole group (not the first, where the scan has no seed): without masks
 *     else: the lanes that there are; in the first group nothing came before
 *
 * Every lane computes every step, and those that a step does not concern keep what they have: what
 * is computed there comes from elements that are there, and data errors of it do not count. The
 * carry of the next group is combined from the total of this one alone, so that the chain from
 * group to group is one combination long. */
#include "codegen/network.h"
#include "loop/op_cost.h"
#include "loop/prefix_stages.h"
#include "loop/walk.h"

enum {
  CHEAP = 8 /* instructions that may be done twice for the sake of the chain */
};

/* A vector per carry, NULL where it is not needed. */
value *network_row(const network *w) { return ARENA_ARRAY(w->tmp, value, w->l->n_carry); }

/* ---- what is needed ---- */

typedef struct {
  int value;
  bool used;
} use_search;

static void find_use(const stmt *s, void *ctx) {
  use_search *q = ctx;
  for (int a = 0; a < s->n_args; a++) q->used |= s->arg[a] == q->value;
  for (int i = 0; s->kind == ST_LOOP && i < s->loop->n_carry; i++)
    q->used |= s->loop->carry[i].init == q->value;
}

static bool is_used(const cg *c, int v) {
  use_search q = {v, false};
  stmts_walk(&c->k->body, find_use, &q);
  return q.used;
}

/* needed[i]: what is stored needs the values `next` of carry i. */
static void find_stored(const network *w, bool *needed) {
  const loop *l = w->l;
  for (int c = 0; c < l->n_carry; c++)
    for (int i = 0; i < l->body.len; i++)
      for (int a = 0; w->stage[i] & STAGE_RESULT && a < l->body.data[i].n_args; a++)
        needed[c] |= l->body.data[i].arg[a] == l->carry[c].next;
}

void network_trace(const network *w, const bool *wanted, bool *marked, bool *need) {
  const loop *l = w->l;
  for (int v = 0; v < w->c->k->values.len; v++) need[v] = false;
  for (int i = 0; i < l->n_carry; i++)
    if (wanted[i]) need[l->carry[i].next] = true;
  for (int i = l->body.len - 1; i >= 0; i--) {
    const stmt *s = &l->body.data[i];
    bool combines = w->stage[i] & STAGE_COMBINE;
    marked[i] = combines && (need[s->value] || (s->kind == ST_OP && s->fault >= 0));
    for (int a = 0; marked[i] && a < s->n_args; a++) need[s->arg[a]] = true;
  }
}

/* Until nothing more is: a carry whose `in` (and, of elements, `item`) is needed is wanted. */
static void close_over(network *w, bool *wanted, bool *marked, bool items, bool *need) {
  for (bool more = true; more;) {
    more = false;
    network_trace(w, wanted, marked, need);
    for (int i = 0; i < w->l->n_carry; i++) {
      const loop_carry *k = &w->l->carry[i];
      if (wanted[i] || !(need[k->in] || (items && need[k->item]))) continue;
      wanted[i] = more = true;
    }
  }
}

static void find_needs(network *w) {
  const loop *l = w->l;
  arena *tmp = w->tmp;
  bool *need = ARENA_ARRAY(tmp, bool, w->c->k->values.len);
  w->carried = ARENA_ARRAY(tmp, bool, l->n_carry);
  w->elements = ARENA_ARRAY(tmp, bool, l->n_carry);
  w->in_steps = ARENA_ARRAY(tmp, bool, l->body.len);
  w->in_last = ARENA_ARRAY(tmp, bool, l->body.len);
  find_stored(w, w->carried);
  for (int i = 0; i < l->n_carry; i++)
    w->carried[i] |= is_used(w->c, l->carry[i].out) || l->prefix.skip;
  close_over(w, w->carried, w->in_last, false, need);
  for (int i = 0; i < l->n_carry; i++) w->elements[i] = w->carried[i] || need[l->carry[i].item];
  close_over(w, w->elements, w->in_steps, true, need);
  int cost = 0;
  for (int i = 0; i < l->body.len; i++) {
    const stmt *s = &l->body.data[i];
    if (w->in_last[i]) cost += s->kind == ST_OP ? op_cost(s->op, s->compute) : 1;
  }
  w->twice = cost <= CHEAP;
}

/* ---- vectors ---- */

static value and_lanes(const network *w, value a, value b) {
  return !a ? b : !b ? a : LLVMBuildAnd(w->c->b, a, b, "");
}

/* The first n lanes. */
static value first_lanes(const network *w, value n) {
  value number[CG_MAX_LANES];
  for (int i = 0; i < w->lanes; i++) number[i] = cg_i64(w->c, i);
  return LLVMBuildICmp(w->c->b, LLVMIntSLT, LLVMConstVector(number, (unsigned)w->lanes),
                       cg_splat(w->c, n, w->lanes), "");
}

value network_first(const network *w, value e) {
  cg *c = w->c;
  if (!w->fresh) return NULL;
  value first = LLVMBuildICmp(c->b, LLVMIntEQ, e, cg_i64(c, 0), "");
  return w->is_first ? LLVMBuildAnd(c->b, first, w->is_first, "") : first;
}

/* ---- groups ---- */

void network_set(cg *c, int v, value vector) {
  c->value[v] = (cg_value){.scalar = NULL};
  c->value[v].part[0] = vector;
}

/* next[i] = the combination of left and right, where `wanted`. */
void network_combine(const network *w, const value *left, const value *right, const bool *wanted,
                     const bool *marked, value *next) {
  const loop *l = w->l;
  for (int i = 0; i < l->n_carry; i++) {
    if (left[i]) network_set(w->c, l->carry[i].in, left[i]);
    if (right[i]) network_set(w->c, l->carry[i].item, right[i]);
  }
  for (int i = 0; i < l->body.len; i++)
    if (marked[i]) cg_statement(w->c, &l->body.data[i], 0);
  for (int i = 0; i < l->n_carry; i++)
    next[i] = wanted[i] ? cg_part(w->c, l->carry[i].next, 0) : NULL;
}

static void run_stage(const network *w, unsigned char stage) {
  const stmt_list *body = &w->l->body;
  for (int i = 0; i < body->len; i++)
    if (w->stage[i] & stage && !cg_store_pair(w->c, body->data, body->len, i, 0))
      cg_statement(w->c, &body->data[i], 0);
}

void network_load(const network *w, value *it) {
  const loop *l = w->l;
  w->c->counting = w->c->mask;
  run_stage(w, STAGE_ITEM);
  for (int i = 0; i < l->n_carry; i++)
    it[i] = w->elements[i] ? cg_part(w->c, l->carry[i].item, 0) : NULL;
}

/* powers: elements that are known; NULL. */
static void combine_within(const network *w, value *it, const network_powers *powers) {
  cg *c = w->c;
  value *left = network_row(w), *next = network_row(w);
  int step = 0, n = w->l->n_carry;
  for (int d = 1; d < w->lanes; d *= 2, step++) {
    c->counting = and_lanes(w, c->mask, network_lanes_with(w, d));
    for (int i = 0; i < n; i++) {
      bool known = powers && powers->still[i];
      if (known) it[i] = powers->it[step][i];
      left[i] = known ? powers->left[step][i] : it[i] ? network_partners(w, it[i], i, d) : NULL;
    }
    network_combine(w, left, it, powers ? powers->others : w->elements,
                    powers ? powers->marked : w->in_steps, next);
    for (int i = 0; i < n; i++)
      if (next[i]) it[i] = network_choose(w, next[i], it[i], i, d);
  }
  for (int i = 0; powers && i < n; i++)
    if (powers->still[i]) it[i] = powers->it[step][i];
}

void network_within(const network *w, value *it) { combine_within(w, it, NULL); }

/* The elements of the current group, combined within it. */
static void take_group(const network *w, value *it) {
  network_load(w, it);
  combine_within(w, it, w->powers);
}

/* network_join for any choice of carries, and the statements that these take. */
void network_join_all(const network *w, const value *left, const value *it, value none,
                      const bool *wanted, const bool *marked, value *y) {
  cg *c = w->c;
  c->counting = c->mask;
  if (none) {
    value some = LLVMBuildNot(c->b, none, "");
    if (cg_lanes_of(some) == 1) some = cg_splat(c, some, w->lanes);
    c->counting = and_lanes(w, c->mask, some);
  }
  network_combine(w, left, it, wanted, marked, y);
  for (int i = 0; none && i < w->l->n_carry; i++)
    if (y[i]) y[i] = LLVMBuildSelect(c->b, none, it[i], y[i], "");
}

void network_join(const network *w, const value *left, const value *it, value none, value *y) {
  network_join_all(w, left, it, none, w->carried, w->in_last, y);
}

void network_store(const network *w, const value *y) {
  const loop *l = w->l;
  for (int i = 0; i < l->n_carry; i++)
    if (y[i]) network_set(w->c, l->carry[i].next, y[i]);
  w->c->counting = w->c->mask;
  run_stage(w, STAGE_RESULT);
}

void network_move(const network *w, value e) {
  cg *c = w->c;
  value point = w->l->headless ? LLVMBuildSub(c->b, e, cg_i64(c, 1), "") : e;
  c->point[w->l->axis] = point;
  for (int i = 0; i < c->n_paths; i++)
    if (w->along[i] >= 0)
      c->ptr[i] = cg_advance(
          c, w->outer[i],
          LLVMBuildMul(c->b, point, cg_stride_bytes(c, c->path[i].buffer, w->along[i]), ""));
}

/* Where a group ends. */
typedef struct {
  value last; /* lane */
  bool whole; /* it is the last one of the vector */
} group_end;

/* Elements from e on that are combined within their group get what comes before them. first:
 * nothing does; NULL: something does. */
static void finish_group(const network *w, value e, const value *carry, const value *it,
                         group_end end, value first, value *next) {
  value *y = network_row(w), *total = network_row(w);
  bool twice = end.whole && w->twice;
  network_join(w, carry, it, first, y);
  network_store(w, y);
  if (twice || w->own) network_splat(w, it, end.last, total);
  if (w->own) network_keep(w, e, total);
  if (twice) network_join(w, carry, total, first, next);
  else network_splat(w, y, end.last, next);
}

/* A group without mask. */
static void whole_group(const network *w, value e, const value *carry, value *next) {
  value *it = network_row(w);
  group_end end = {cg_i64(w->c, w->lanes - 1), true};
  network_move(w, e);
  w->c->mask = w->c->n_lanes = NULL;
  take_group(w, it);
  finish_group(w, e, carry, it, end, NULL, next);
}

/* A group of `left` elements, if that is not more than there are lanes. */
static void part_group(const network *w, value e, value left, value first, const value *carry,
                       value *next) {
  cg *c = w->c;
  value *it = network_row(w), most = cg_i64(c, w->lanes);
  network_move(w, e);
  c->n_lanes =
      LLVMBuildSelect(c->b, LLVMBuildICmp(c->b, LLVMIntSLT, left, most, ""), left, most, "");
  c->mask = first_lanes(w, c->n_lanes);
  c->rarely = true;
  group_end end = {LLVMBuildSub(c->b, c->n_lanes, cg_i64(c, 1), ""), false};
  take_group(w, it);
  finish_group(w, e, carry, it, end, first, next);
  c->mask = c->n_lanes = NULL;
  c->rarely = false;
}

/* ---- the loop ---- */

typedef struct {
  LLVMBasicBlockRef head, latch, exit;
  value head_groups;      /* elements that are not in groups without mask, where the loop begins */
  value places;           /* behind these: where a whole group fits */
  value e, until, *carry; /* phis of the head; until: before it nothing is skipped */
  value next_e, next_until, *next, *last; /* of the latch and of the exit */
} group_loop;

static void add_incoming(value phi, value v, LLVMBasicBlockRef from) {
  LLVMAddIncoming(phi, &v, &from, 1);
}

static value phi_like(cg *c, value v) { return LLVMBuildPhi(c->b, LLVMTypeOf(v), ""); }

/* Goes on with element e. */
static void to_latch(const network *w, const group_loop *g, value e, value until,
                     const value *next) {
  cg *c = w->c;
  LLVMBasicBlockRef from = LLVMGetInsertBlock(c->b);
  for (int i = 0; i < w->l->n_carry; i++)
    if (w->carried[i]) add_incoming(g->next[i], next[i], from);
  add_incoming(g->next_e, e, from);
  if (g->until) add_incoming(g->next_until, until, from);
  LLVMBuildBr(c->b, g->latch);
}

/* Carries that nothing needs stay as they are. */
static value continue_after_blocks(const network *w, value *init) {
  value *carry = network_row(w);
  for (int i = 0; i < w->l->n_carry; i++) carry[i] = w->carried[i] ? init[i] : NULL;
  value e = w->l->prefix.segments ? network_blocks(w, carry) : network_totals(w, carry);
  if (w->own) network_joined(w, e);
  for (int i = 0; i < w->l->n_carry; i++)
    if (carry[i]) init[i] = carry[i];
  return e;
}

static void open_groups(const network *w, group_loop *g) {
  cg *c = w->c;
  value *init = network_row(w), start = cg_i64(c, 0);
  for (int i = 0; i < w->l->n_carry; i++)
    init[i] = w->start ? w->start[i] : cg_splat(c, c->value[w->l->carry[i].init].scalar, w->lanes);
  if (w->l->prefix.segments || network_has_totals_alone(w)) start = continue_after_blocks(w, init);
  LLVMBasicBlockRef before = LLVMGetInsertBlock(c->b);
  g->head = cg_block(c, c->k->axes.data[w->l->axis].name);
  g->latch = cg_block(c, ""), g->exit = cg_block(c, "");
  LLVMBuildCondBr(c->b, LLVMBuildICmp(c->b, LLVMIntSGT, w->n, start, ""), g->head, g->exit);
  cg_enter(c, g->exit);
  for (int i = 0; i < w->l->n_carry; i++) g->last[i] = phi_like(c, init[i]);
  cg_enter(c, g->latch);
  g->next_e = phi_like(c, start);
  if (w->l->prefix.skip) g->next_until = phi_like(c, start);
  for (int i = 0; i < w->l->n_carry; i++) g->next[i] = w->carried[i] ? phi_like(c, init[i]) : NULL;
  cg_enter(c, g->head);
  g->e = phi_like(c, start);
  add_incoming(g->e, start, before);
  if (w->l->prefix.skip) {
    g->until = phi_like(c, start);
    add_incoming(g->until, start, before);
  }
  for (int i = 0; i < w->l->n_carry; i++) {
    add_incoming(g->last[i], init[i], before);
    g->carry[i] = w->carried[i] ? phi_like(c, init[i]) : NULL;
    if (w->carried[i]) add_incoming(g->carry[i], init[i], before);
  }
}

static void close_groups(const network *w, const group_loop *g) {
  cg *c = w->c;
  cg_enter(c, g->latch);
  if (w->own) network_join_kept(w, g->next_e);
  LLVMBasicBlockRef end = LLVMGetInsertBlock(c->b);
  add_incoming(g->e, g->next_e, end);
  if (g->until) add_incoming(g->until, g->next_until, end);
  for (int i = 0; i < w->l->n_carry; i++) {
    if (w->carried[i]) add_incoming(g->carry[i], g->next[i], end);
    add_incoming(g->last[i], w->carried[i] ? g->next[i] : LLVMGetPoison(LLVMTypeOf(g->last[i])),
                 end);
  }
  LLVMBuildCondBr(c->b, LLVMBuildICmp(c->b, LLVMIntSLT, g->next_e, w->n, ""), g->head, g->exit);
  cg_enter(c, g->exit);
}

/* A group that nothing precedes is one with a mask. */
static void find_places(const network *w, group_loop *g) {
  cg *c = w->c;
  value zero = cg_i64(c, 0), n = LLVMBuildSub(c->b, w->n, cg_i64(c, w->lanes - 1), "");
  g->head_groups = w->fresh ? cg_i64(c, w->lanes) : zero;
  if (w->fresh && w->is_first)
    g->head_groups = LLVMBuildSelect(c->b, w->is_first, g->head_groups, zero, "");
  n = LLVMBuildSub(c->b, n, g->head_groups, "");
  g->places = LLVMBuildSelect(c->b, LLVMBuildICmp(c->b, LLVMIntSGT, n, zero, ""), n, zero, "");
}

/* A whole group, or, if it is time to look and they change nothing, all elements to be skipped. */
static void skip_or_group(const network *w, const group_loop *g, value left, value *next) {
  cg *c = w->c;
  value skip = cg_i64(c, w->l->prefix.skip);
  LLVMBasicBlockRef here = LLVMGetInsertBlock(c->b), look = cg_block(c, ""), fill = cg_block(c, ""),
                    group = cg_block(c, "");
  value due = LLVMBuildAnd(c->b, LLVMBuildICmp(c->b, LLVMIntSGE, left, skip, ""),
                           LLVMBuildICmp(c->b, LLVMIntSGE, g->e, g->until, ""), "");
  LLVMBuildCondBr(c->b, due, look, group);
  cg_enter(c, look);
  value end = LLVMBuildAdd(c->b, g->e, skip, "");
  network_look(w, g->e, g->carry, fill, group);
  look = LLVMGetInsertBlock(c->b);
  cg_enter(c, fill);
  network_fill(w, g->e, g->carry);
  to_latch(w, g, end, end, g->carry);
  cg_enter(c, group);
  value until = phi_like(c, end);
  add_incoming(until, g->until, here);
  add_incoming(until, end, look);
  whole_group(w, g->e, g->carry, next);
  to_latch(w, g, LLVMBuildAdd(c->b, g->e, cg_i64(c, w->lanes), ""), until, next);
}

/* i1: a whole group without mask fits at element e. */
static value fits(const network *w, const group_loop *g, value e) {
  cg *c = w->c;
  value left = LLVMBuildSub(c->b, w->n, e, ""), lanes = cg_i64(c, w->lanes);
  if (!w->fresh) return LLVMBuildICmp(c->b, LLVMIntSGE, left, lanes, "");
  return LLVMBuildICmp(c->b, LLVMIntULT, LLVMBuildSub(c->b, e, g->head_groups, ""), g->places, "");
}

static value step_at(const network *w, value outer_step, value e) {
  return outer_step ? LLVMBuildAdd(w->c->b, outer_step, e, "") : e;
}

/* Whole groups as long as there are some, in a loop that does nothing else; of a stretch, up to
 * where the last elements of groups are joined. */
static void whole_groups(const network *w, const group_loop *g, value outer_step, value *next) {
  cg *c = w->c;
  LLVMBasicBlockRef before = LLVMGetInsertBlock(c->b), head = cg_block(c, ""),
                    behind = cg_block(c, "");
  value *carry = network_row(w);
  value end = LLVMBuildAnd(c->b, w->n, cg_i64(c, -(int64_t)w->lanes), "");
  if (w->own) end = network_keeps_until(w, g->e, end);
  LLVMBuildBr(c->b, head);
  cg_enter(c, head);
  value e = phi_like(c, g->e);
  add_incoming(e, g->e, before);
  for (int i = 0; i < w->l->n_carry; i++) {
    if (!w->carried[i]) continue;
    carry[i] = phi_like(c, g->carry[i]);
    add_incoming(carry[i], g->carry[i], before);
  }
  c->step = step_at(w, outer_step, e);
  whole_group(w, e, carry, next);
  value following = LLVMBuildAdd(c->b, e, cg_i64(c, w->lanes), "");
  LLVMBasicBlockRef latch = LLVMGetInsertBlock(c->b);
  add_incoming(e, following, latch);
  for (int i = 0; i < w->l->n_carry; i++)
    if (w->carried[i]) add_incoming(carry[i], next[i], latch);
  LLVMBuildCondBr(c->b, LLVMBuildICmp(c->b, LLVMIntSLT, following, end, ""), head, behind);
  cg_enter(c, behind);
  to_latch(w, g, following, NULL, next);
}

void network_groups(const network *w, value *last) {
  cg *c = w->c;
  group_loop g = {.carry = network_row(w), .next = network_row(w), .last = last};
  value *next = network_row(w), outer_step = c->step;
  find_places(w, &g);
  open_groups(w, &g);
  value left = LLVMBuildSub(c->b, w->n, g.e, ""), first = network_first(w, g.e);
  c->step = step_at(w, outer_step, g.e);
  /* Behind blocks there are few groups. */
  if (!w->l->prefix.segments && !network_has_totals_alone(w)) {
    LLVMBasicBlockRef with = cg_block(c, ""), without = cg_block(c, "");
    LLVMBuildCondBr(c->b, fits(w, &g, g.e), without, with);
    cg_enter(c, without);
    if (w->l->prefix.skip) skip_or_group(w, &g, left, next);
    else whole_groups(w, &g, outer_step, next);
    cg_enter(c, with);
  }
  c->step = step_at(w, outer_step, g.e);
  part_group(w, g.e, left, first, g.carry, next);
  to_latch(w, &g, LLVMBuildAdd(c->b, g.e, cg_i64(c, w->lanes), ""), g.until, next);
  close_groups(w, &g);
  c->step = outer_step;
}

/* What the body computes from its carries and items differs between lanes, whatever it is. */
static bool *lanes_differ(const cg *c, const loop *l, arena *tmp) {
  bool *varies = ARENA_ARRAY(tmp, bool, c->k->values.len);
  kernel_varies(c->k, l->axis, varies);
  for (int i = 0; i < l->n_carry; i++) varies[l->carry[i].in] = varies[l->carry[i].item] = true;
  for (int i = 0; i < l->body.len; i++) {
    const stmt *s = &l->body.data[i];
    for (int a = 0; s->value >= 0 && a < s->n_args; a++)
      if (varies[s->arg[a]]) varies[s->value] = true;
  }
  return varies;
}

/* Cut only if there are enough elements. */
static void stretches_if_long(const network *w, value *last) {
  cg *c = w->c;
  value *short_last = network_row(w), *long_last = network_row(w);
  LLVMBasicBlockRef cut = cg_block(c, ""), whole = cg_block(c, ""), done = cg_block(c, "");
  value enough = LLVMBuildICmp(c->b, LLVMIntSGE, w->n, cg_i64(c, w->l->prefix.from), "");
  LLVMBuildCondBr(c->b, enough, cut, whole);
  cg_enter(c, cut);
  network_stretches(w, long_last);
  LLVMBasicBlockRef behind_cut = LLVMGetInsertBlock(c->b);
  LLVMBuildBr(c->b, done);
  cg_enter(c, whole);
  c->step = NULL;
  network_groups(w, short_last);
  LLVMBasicBlockRef behind_whole = LLVMGetInsertBlock(c->b);
  LLVMBuildBr(c->b, done);
  cg_enter(c, done);
  for (int i = 0; i < w->l->n_carry; i++) {
    last[i] = phi_like(c, long_last[i]);
    add_incoming(last[i], long_last[i], behind_cut);
    add_incoming(last[i], short_last[i], behind_whole);
  }
}

void cg_network(cg *c, const loop *l, const int *along) {
  arena *tmp = arena_new();
  LLVMValueRef step = c->step;
  network w = {.c = c, .l = l, .tmp = tmp, .lanes = l->prefix.lanes};
  w.along = arena_copy(tmp, along, sizeof *along * (size_t)c->n_paths);
  w.outer = arena_copy(tmp, c->ptr, sizeof *c->ptr * (size_t)c->n_paths);
  w.n = cg_number(c, c->k->axes.data[l->axis].extent);
  if (l->headless) w.n = LLVMBuildAdd(c->b, w.n, cg_i64(c, 1), "");
  w.known_masks = ARENA_ARRAY(tmp, value, NETWORK_MAX_STEPS);
  w.known_numbers = ARENA_ARRAY(tmp, value, NETWORK_MAX_STEPS + 1);
  w.stage = ARENA_ARRAY(tmp, unsigned char, l->body.len);
  prefix_stages(c->k, l, w.stage);
  find_needs(&w);
  w.fresh = l->headless;
  c->lane_axis = l->axis;
  c->varies = lanes_differ(c, l, tmp);
  c->lanes = w.lanes;
  value *last = network_row(&w);
  c->step = NULL;
  w.powers = network_find_powers(&w);
  if (!l->prefix.cut || l->prefix.exact) network_groups(&w, last);
  else if (!l->prefix.from) network_stretches(&w, last);
  else stretches_if_long(&w, last);
  c->lanes = 1;
  for (int i = 0; i < l->n_carry; i++) cg_set_uniform(c, l->carry[i].out, cg_lane(c, last[i], 0));
  c->lane_axis = -1;
  c->varies = NULL;
  c->counting = NULL;
  c->step = step;
  for (int i = 0; i < c->n_paths; i++) c->ptr[i] = w.outer[i];
  arena_free(tmp);
}
