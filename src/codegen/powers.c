/* Elements of a prefix loop that are the same at all points: a decay that is one number for all of
 * a row. What they become within a group, its powers, is computed before all groups, as the groups
 * would compute it, and stays in registers. */
#include "codegen/network.h"
#include "loop/prefix_stages.h"

static bool can_fail(const loop *l) {
  for (int i = 0; i < l->body.len; i++)
    if (l->body.data[i].fault >= 0) return true;
  return false;
}

/* Whether combining carry i takes carries with `still` alone. */
static bool takes_still_ones(const network *w, int i, const bool *still) {
  const loop *l = w->l;
  bool *wanted = ARENA_ARRAY(w->tmp, bool, l->n_carry),
       *marked = ARENA_ARRAY(w->tmp, bool, l->body.len),
       *need = ARENA_ARRAY(w->tmp, bool, w->c->k->values.len);
  wanted[i] = true;
  network_trace(w, wanted, marked, need);
  for (int j = 0; j < l->n_carry; j++)
    if (!still[j] && (need[l->carry[j].in] || need[l->carry[j].item])) return false;
  for (int s = 0; s < l->body.len; s++) {
    stmt_kind kind = l->body.data[s].kind;
    if (marked[s] && kind != ST_OP && kind != ST_CAST && kind != ST_CALL && kind != ST_CONST)
      return false;
  }
  return true;
}

static bool find_still(const network *w, bool *still) {
  const loop *l = w->l;
  bool *varies = ARENA_ARRAY(w->tmp, bool, w->c->k->values.len), any = false;
  kernel_varies(w->c->k, l->axis, varies);
  for (int i = 0; i < l->n_carry; i++) still[i] = w->elements[i] && !varies[l->carry[i].item];
  for (bool fewer = true; fewer;) {
    fewer = false;
    for (int i = 0; i < l->n_carry; i++)
      if (still[i] && !takes_still_ones(w, i, still)) still[i] = false, fewer = true;
  }
  for (int i = 0; i < l->n_carry; i++) any |= still[i];
  return any;
}

/* The elements themselves, in all lanes. */
static void load_still(const network *w, const bool *still, value *it) {
  const loop *l = w->l;
  bool *need = ARENA_ARRAY(w->tmp, bool, w->c->k->values.len);
  for (int i = 0; i < l->n_carry; i++) need[l->carry[i].item] |= still[i];
  for (int i = l->body.len - 1; i >= 0; i--) {
    const stmt *s = &l->body.data[i];
    bool here = w->stage[i] & STAGE_ITEM && need[s->value];
    for (int a = 0; here && a < s->n_args; a++) need[s->arg[a]] = true;
  }
  for (int i = 0; i < l->body.len; i++)
    if (w->stage[i] & STAGE_ITEM && need[l->body.data[i].value])
      cg_statement(w->c, &l->body.data[i], 0);
  for (int i = 0; i < l->n_carry; i++) it[i] = still[i] ? cg_part(w->c, l->carry[i].item, 0) : NULL;
}

static void compute(const network *w, network_powers *p) {
  const loop *l = w->l;
  bool *marked = ARENA_ARRAY(w->tmp, bool, l->body.len),
       *need = ARENA_ARRAY(w->tmp, bool, w->c->k->values.len);
  value *it = network_row(w), *next = network_row(w);
  int step = 0;
  network_trace(w, p->still, marked, need);
  load_still(w, p->still, it);
  for (int d = 1; d < w->lanes; d *= 2, step++) {
    p->it[step] = it;
    p->left[step] = network_row(w);
    for (int i = 0; i < l->n_carry; i++)
      if (it[i]) p->left[step][i] = network_partners(w, it[i], i, d);
    network_combine(w, p->left[step], it, p->still, marked, next);
    it = network_row(w);
    for (int i = 0; i < l->n_carry; i++)
      if (next[i]) it[i] = network_choose(w, next[i], p->it[step][i], i, d);
  }
  p->it[step] = it;
}

const network_powers *network_find_powers(const network *w) {
  const loop *l = w->l;
  network_powers *p = ARENA_NEW(w->tmp, network_powers);
  bool *need = ARENA_ARRAY(w->tmp, bool, w->c->k->values.len);
  p->still = ARENA_ARRAY(w->tmp, bool, l->n_carry);
  p->others = ARENA_ARRAY(w->tmp, bool, l->n_carry);
  p->marked = ARENA_ARRAY(w->tmp, bool, l->body.len);
  if (l->prefix.segments || can_fail(l) || !find_still(w, p->still)) return NULL;
  for (int i = 0; i < l->n_carry; i++) p->others[i] = w->elements[i] && !p->still[i];
  network_trace(w, p->others, p->marked, need);
  w->c->mask = w->c->n_lanes = w->c->counting = NULL;
  compute(w, p);
  return p;
}
