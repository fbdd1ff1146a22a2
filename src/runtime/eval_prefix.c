/* Interpretation of associative scans, in the order that the node says (ir/prefix.h). The earlier
 * element is the left operand everywhere. */
#include <string.h>

#include "runtime/eval_loop.h"

static rval slice_at(loop *l, int i, int64_t t) {
  l->x[i].t.data = l->x[i].base + t * l->x[i].advance;
  return (rval){.kind = TYPE_TENSOR, .t = &l->x[i].t};
}

/* Step 0 is the first slice itself. */
static bool fold_left(loop *l) {
  bool ok = true;
  l->place_from = 1;
  for (int i = 0; ok && i < l->n_carry; i++) {
    rval v = slice_at(l, i, 0);
    cell_set(&l->carry[i], &v);
    ok = loop_push_y(l, i, i, &v, 0);
  }
  for (int64_t t = 1; ok && t < l->length; t++) ok = loop_step(l, t);
  return ok;
}

/* ---- networks ---- */

typedef struct {
  loop *l;
  int lanes;
  cell **it;   /* per place in the group: a cell per leaf */
  cell *total; /* per leaf: the last result of the group before */
} network;

/* `right` becomes combine(left, right). */
static bool combine(network *w, const cell *left, cell *right) {
  loop *l = w->l;
  slot *s = l->f->slots;
  for (int i = 0; i < l->n_carry; i++) s[i].v = left[i].v, s[l->n_carry + i].v = right[i].v;
  if (!frame_run(l->c->in, l->f)) return false;
  l->c->in->cur = eval_exec(l->c);
  l->carry = right;
  return loop_take_carries(l);
}

static bool combine_within(network *w, int n) {
  for (int d = 1; d < w->lanes; d *= 2)
    for (int i = 0; i < n; i++)
      if (i & d && !combine(w, w->it[prefix_partner(i, d)], w->it[i])) return false;
  return true;
}

static void load_group(network *w, int64_t first, int n) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < w->l->n_carry; i++) {
      rval v = slice_at(w->l, i, first + k);
      cell_clear(&w->it[k][i]);
      cell_set(&w->it[k][i], &v);
    }
}

static bool store_group(network *w, int64_t first, int n) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < w->l->n_carry; i++)
      if (!loop_push_y(w->l, i, i, &w->it[k][i].v, first + k)) return false;
  for (int i = 0; i < w->l->n_carry; i++) {
    cell_clear(&w->total[i]);
    cell_set(&w->total[i], &w->it[n - 1][i].v);
  }
  return true;
}

static bool run_group(network *w, int64_t first, int n) {
  load_group(w, first, n);
  bool ok = combine_within(w, n);
  for (int k = 0; ok && first && k < n; k++) ok = combine(w, w->total, w->it[k]);
  return ok && store_group(w, first, n);
}

static bool fold_network(loop *l, int lanes) {
  arena *tmp = l->c->tmp;
  network w = {l, lanes, ARENA_ARRAY(tmp, cell *, lanes), ARENA_ARRAY(tmp, cell, l->n_carry)};
  cell *own = l->carry;
  bool ok = true;
  l->place_from = -1;
  for (int k = 0; k < lanes; k++) w.it[k] = ARENA_ARRAY(tmp, cell, l->n_carry);
  for (int64_t t = 0; ok && t < l->length; t += lanes)
    ok = run_group(&w, t, (int)(l->length - t < lanes ? l->length - t : lanes));
  for (int k = 0; k < lanes; k++)
    for (int i = 0; i < l->n_carry; i++) cell_clear(&w.it[k][i]);
  for (int i = 0; i < l->n_carry; i++) cell_clear(&w.total[i]);
  l->carry = own;
  return ok;
}

/* ---- the whole ---- */

static bool open_stacks(loop *l) {
  for (int i = 0; i < l->n_y; i++)
    if (!loop_open_stack(l, i, &l->x[i].t)) return false;
  return true;
}

bool eval_prefix(eval_ctx *c) {
  frame *f = eval_exec(c)->sub[0];
  const rval *xs = &c->arg[1];
  prefix_order order = eval_exec(c)->n->order;
  int n = list_len(xs);
  if (f->n_results != n || n == 0)
    return eval_fail(c, SCANC_ERR_LEAF_COUNT, "%s returns %d leaves, expected %d", f->g->class_name,
                     f->n_results, n);
  loop l = loop_new(c, f, n, n, n);
  l.fold = true;
  if (!loop_open_slices(&l, xs) || !loop_bind_extras(c, f, 2 * n, &c->arg[2])) return false;
  bool ok = l.length <= 0               ? open_stacks(&l)
            : order.kind == PREFIX_LEFT ? fold_left(&l)
                                        : fold_network(&l, order.lanes);
  if (ok) loop_give_results(&l, false);
  loop_close(&l);
  return ok;
}
