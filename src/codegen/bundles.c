/* Loops without lanes whose statements do the same to several values at a time (loop/bundle.h): a
 * bundle is a vector; values that are needed on their own, too, are taken out of it. */
#include "codegen/cg.h"
#include "loop/bundle.h"

enum { OUTSIDE = -1, CARRIED = -2 };

struct cg_bundles {
  const loop *l;
  straight_line line;
  bundles plan;
  LLVMValueRef *vector; /* per bundle */
  LLVMValueRef before;  /* what is the same in all points goes in front of it */
  int *def;             /* per value: its statement in the line, CARRIED or OUTSIDE */
  bool *done;           /* per statement */
};

cg_bundles *cg_find_bundles(cg *c, const loop *l, arena *mem) {
  cg_bundles *g = ARENA_NEW(mem, cg_bundles);
  if (c->lane_axis >= 0 ||
      !bundles_of_loop(mem, c->k, l, c->machine.vector_bytes, &g->line, &g->plan))
    return NULL;
  g->l = l;
  g->vector = ARENA_ARRAY(mem, LLVMValueRef, g->plan.all.len);
  g->def = ARENA_ARRAY(mem, int, g->line.n_values);
  g->done = ARENA_ARRAY(mem, bool, g->line.n);
  for (int v = 0; v < g->line.n_values; v++) g->def[v] = OUTSIDE;
  for (int i = 0; i < l->n_carry; i++) g->def[l->carry[i].in] = CARRIED;
  for (int i = 0; i < g->line.n; i++)
    if (g->line.s[i].value >= 0) g->def[g->line.s[i].value] = i;
  return g;
}

static const bundle *bundle_of(const cg_bundles *g, int value) {
  return g->plan.of[value] >= 0 ? &g->plan.all.data[g->plan.of[value]] : NULL;
}

/* ---- vectors of values ---- */

static bool is_same(const int *value, int n) {
  for (int i = 1; i < n; i++)
    if (value[i] != value[0]) return false;
  return true;
}

/* Whether the values are those of a bundle as it is. */
static bool is_whole(const cg_bundles *g, const int *value, int n) {
  const bundle *b = bundle_of(g, value[0]);
  if (!b || b->lanes != n) return false;
  for (int i = 0; i < n; i++)
    if (g->plan.of[value[i]] != g->plan.of[value[0]] || g->plan.lane[value[i]] != i) return false;
  return true;
}

/* Lanes `from` of two vectors of one type; b NULL: of one. */
static LLVMValueRef shuffle(cg *c, LLVMValueRef a, LLVMValueRef b, const int *from, int n) {
  LLVMValueRef index[CG_MAX_LANES];
  for (int i = 0; i < n; i++)
    index[i] = from[i] < 0 ? LLVMGetPoison(LLVMInt32TypeInContext(c->ctx)) : cg_i32(c, from[i]);
  return LLVMBuildShuffleVector(c->b, a, b ? b : LLVMGetPoison(LLVMTypeOf(a)),
                                LLVMConstVector(index, (unsigned)n), "");
}

/* Puts those of the values that bundle b has into their lanes; r: the others so far, NULL. */
static LLVMValueRef take_lanes(cg *c, const cg_bundles *g, LLVMValueRef r, int b, const int *value,
                               int n) {
  int from[CG_MAX_LANES];
  for (int i = 0; i < n; i++) from[i] = g->plan.of[value[i]] == b ? g->plan.lane[value[i]] : -1;
  LLVMValueRef v = g->vector[b];
  if (!r) return shuffle(c, v, NULL, from, n);
  if (cg_lanes_of(v) != n) {
    v = shuffle(c, v, NULL, from, n);
    for (int i = 0; i < n; i++) from[i] = from[i] < 0 ? -1 : i;
  }
  for (int i = 0; i < n; i++) from[i] = from[i] < 0 ? i : n + from[i];
  return shuffle(c, r, v, from, n);
}

static LLVMValueRef gather(cg *c, const cg_bundles *g, const int *value, int n) {
  LLVMValueRef r = NULL;
  if (is_whole(g, value, n)) return g->vector[g->plan.of[value[0]]];
  if (is_same(value, n) && !bundle_of(g, value[0]))
    return cg_splat(c, c->value[value[0]].scalar, n);
  for (int i = 0; i < n; i++) {
    int b = g->plan.of[value[i]];
    bool first = b >= 0;
    for (int j = 0; j < i; j++) first &= g->plan.of[value[j]] != b;
    if (first) r = take_lanes(c, g, r, b, value, n);
  }
  for (int i = 0; i < n; i++) {
    if (bundle_of(g, value[i])) continue;
    LLVMValueRef one = c->value[value[i]].scalar;
    if (!r) r = LLVMGetPoison(cg_wide(LLVMTypeOf(one), n));
    r = cg_set_lane(c, r, one, i);
  }
  return r;
}

/* The same, once in front of the loop if that is possible. */
static LLVMValueRef operand(cg *c, const cg_bundles *g, const int *value, int n) {
  bool outside = true;
  for (int i = 0; i < n; i++) {
    int d = g->def[value[i]];
    outside &= d == OUTSIDE || (d >= 0 && g->line.s[d].kind == ST_CONST);
  }
  if (!outside) return gather(c, g, value, n);
  LLVMBasicBlockRef here = LLVMGetInsertBlock(c->b);
  LLVMPositionBuilderBefore(c->b, g->before);
  LLVMValueRef r = gather(c, g, value, n);
  cg_enter(c, here);
  return r;
}

/* Values that something needs on their own. */
static void take_out(cg *c, const cg_bundles *g, int b) {
  const bundle *x = &g->plan.all.data[b];
  for (int i = 0; i < x->lanes; i++) {
    int v = bundle_value(&g->line, x, i);
    if (v >= 0 && g->plan.single[v]) cg_set_uniform(c, v, cg_lane(c, g->vector[b], i));
  }
}

/* ---- the body ---- */

static void emit_bundle(cg *c, cg_bundles *g, int b) {
  const bundle *x = &g->plan.all.data[b];
  const stmt *s = &g->line.s[x->at[0]];
  LLVMValueRef in[STMT_MAX_ARGS] = {NULL};
  if (s->kind == ST_LOAD) g->vector[b] = cg_load_neighbours(c, s, x->lanes);
  for (int a = 0; s->kind != ST_LOAD && a < s->n_args; a++) {
    int value[CG_MAX_LANES] = {0};
    for (int i = 0; i < x->lanes; i++) value[i] = g->line.s[x->at[i]].arg[a];
    in[a] = operand(c, g, value, x->lanes);
  }
  if (s->kind == ST_STORE) cg_store_neighbours(c, s, in[0]);
  else if (s->kind != ST_LOAD) g->vector[b] = cg_compute(c, s, in);
  take_out(c, g, b);
}

static void emit(cg *c, cg_bundles *g, int i);

static void emit_operands(cg *c, cg_bundles *g, const stmt *s) {
  for (int a = 0; a < s->n_args; a++)
    if (g->def[s->arg[a]] >= 0) emit(c, g, g->def[s->arg[a]]);
}

/* Statement i, with all of its bundle, after what they need. */
static void emit(cg *c, cg_bundles *g, int i) {
  int b = g->plan.of_stmt[i];
  if (g->done[i]) return;
  if (b < 0) {
    g->done[i] = true;
    emit_operands(c, g, &g->line.s[i]);
    cg_statement(c, &g->line.s[i], 0);
    return;
  }
  const bundle *x = &g->plan.all.data[b];
  for (int lane = 0; lane < x->lanes; lane++) g->done[x->at[lane]] = true;
  for (int lane = 0; lane < x->lanes; lane++) emit_operands(c, g, &g->line.s[x->at[lane]]);
  emit_bundle(c, g, b);
}

void cg_bundled_statements(cg *c, cg_bundles *g, LLVMValueRef before) {
  g->before = before;
  for (int i = 0; i < g->line.n; i++) emit(c, g, i);
}

/* ---- carries ---- */

cg_carry_form cg_carry(const cg_bundles *g, int i) {
  int in = g->l->carry[i].in;
  return !bundle_of(g, in) ? CARRY_ALONE : g->plan.lane[in] ? CARRY_INSIDE : CARRY_VECTOR;
}

LLVMValueRef cg_carry_values(cg *c, cg_bundles *g, int i, bool next) {
  const bundle *x = bundle_of(g, g->l->carry[i].in);
  int value[CG_MAX_LANES] = {0};
  for (int lane = 0; lane < x->lanes; lane++) {
    const loop_carry *k = &g->l->carry[x->at[lane]];
    value[lane] = next ? k->next : k->init;
  }
  return gather(c, g, value, x->lanes);
}

void cg_set_carries(cg *c, cg_bundles *g, int i, LLVMValueRef vector) {
  int b = g->plan.of[g->l->carry[i].in];
  g->vector[b] = vector;
  take_out(c, g, b);
}

void cg_set_results(cg *c, const cg_bundles *g, int i, LLVMValueRef vector) {
  const bundle *x = bundle_of(g, g->l->carry[i].in);
  for (int lane = 0; lane < x->lanes; lane++)
    cg_set_uniform(c, g->l->carry[x->at[lane]].out, cg_lane(c, vector, lane));
}
