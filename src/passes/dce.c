/* Dead code elimination: nodes that no result needs and that have no effect; also ys, carries, xs
 * and other operands of scans (and of cond, while_loop, map, associative_scan) whose body is used
 * by that call alone. A carry is alive if its final value is used, or a step needs it for something
 * alive: a fixpoint over the loop. Outer graphs come first, so that a body is judged by what is
 * left of its callers. */
#include <string.h>

#include "passes/hop.h"
#include "passes/pass.h"

typedef struct {
  module *m;
  arena *mem;
  bool *effects; /* by graph_index */
  int *n_calls;
  bool keep_failing; /* what data can make fail is alive */
  bool changed;
} dce;

/* ---- which slots of a call are alive ---- */

static bool result_slot(const hop *h, int result) {
  for (int i = 0; i < h->n_slots; i++)
    if (h->slots[i].result == result) {
      h->slots[i].live = true;
      return true;
    }
  return false;
}

/* Marks the slots whose results are read. A use other than a getitem reads all. */
static void mark_read(const hop *h) {
  for (const use *u = h->call->uses; u; u = u->next) {
    int k = hop_result_index(h, u->user);
    for (int i = 0; i < h->n_results; i++)
      if (k < 0 || i == k) result_slot(h, i);
  }
}

static void need(node *n, void *ctx) { ((bool *)ctx)[n->id] = true; }

static void need_args(const node *n, bool *needed) {
  for (int i = 0; i < n->n_args; i++) val_each_node(n->args[i], need, needed);
}

static bool is_kept(const dce *d, const node *n) {
  return node_has_effect(n, d->effects) || (d->keep_failing && node_may_fail(n));
}

/* Marks what the live results of body b and its effects need; needed[] is by node id. */
static void mark_body(const dce *d, const hop *h, int b, bool *needed) {
  graph *g = h->body[b];
  bool is_condition = node_is_op(h->call, OP_while_loop) && b == 0;
  if (is_condition) need_args(graph_output(g), needed);
  for (int i = 0; !is_condition && i < h->n_slots; i++)
    if (h->slots[i].live && h->slots[i].result >= 0)
      val_each_node(graph_result(g, h->slots[i].result), need, needed);
  for (const node *n = g->last; n; n = n->prev) {
    if (n->kind == NODE_OUTPUT) continue;
    if (needed[n->id] || is_kept(d, n)) need_args(n, needed);
  }
}

static bool param_needed(const hop *h, int param, const bool *needed) {
  for (int b = 0; param >= 0 && b < h->n_bodies; b++)
    if (needed[graph_placeholder(h->body[b], param)->id]) return true;
  return false;
}

static bool mark_params(const hop *h, const bool *needed) {
  bool grew = false;
  for (int i = 0; i < h->n_slots; i++) {
    hop_slot *s = &h->slots[i];
    if (s->live || !(param_needed(h, s->param, needed) || param_needed(h, s->param2, needed)))
      continue;
    s->live = grew = true;
  }
  return grew;
}

static bool is_dead_x(const hop *h, int i) {
  return i >= h->n_carry && i < h->n_carry + h->n_x && !h->slots[i].live;
}

/* The xs give the length: one of them stays. */
static void keep_length(const hop *h) {
  if (h->n_x == 0) return;
  for (int i = h->n_carry; i < h->n_carry + h->n_x; i++)
    if (!is_dead_x(h, i)) return;
  h->slots[h->n_carry].live = true;
}

static void find_live(const dce *d, const hop *h) {
  bool *needed = ARENA_ARRAY(d->mem, bool, d->m->n_ids);
  mark_read(h);
  do
    for (int b = 0; b < h->n_bodies; b++) mark_body(d, h, b, needed);
  while (mark_params(h, needed));
  keep_length(h);
}

static bool any_dead(const hop *h) {
  for (int i = 0; i < h->n_slots; i++)
    if (!h->slots[i].live) return true;
  return false;
}

static bool returns_list(const graph *g) {
  val v = graph_output(g)->args[0];
  return v.kind == VAL_LIST || v.kind == VAL_TUPLE;
}

static void shrink_call(dce *d, node *n) {
  arena_mark mark = arena_save(d->mem);
  hop h;
  if (hop_read(n, d->mem, &h) && returns_list(h.body[h.n_bodies - 1])) {
    bool alone = true;
    for (int b = 0; b < h.n_bodies; b++)
      alone &=
          d->n_calls[graph_index(h.body[b])] == 1 && (returns_list(h.body[b]) || h.n_bodies > 1);
    if (alone) find_live(d, &h);
    if (alone && any_dead(&h)) {
      hop_shrink(&h, d->keep_failing);
      d->changed = true;
    }
  }
  arena_reset(d->mem, mark);
}

/* ---- graphs ---- */

static bool is_dead(const dce *d, const node *n) {
  return n->kind != NODE_PLACEHOLDER && n->kind != NODE_OUTPUT && !node_has_uses(n) &&
         !is_kept(d, n);
}

static void forget_call(graph *g, void *ctx) { ((dce *)ctx)->n_calls[graph_index(g)]--; }

static void sweep(dce *d, graph *g) {
  for (node *n = g->last, *prev; n; n = prev) {
    prev = n->prev;
    if (is_dead(d, n)) {
      node_each_body(n, forget_call, d);
      node_erase(n);
      d->changed = true;
    } else if (n->op && (n->op->traits & T_BODY)) {
      shrink_call(d, n);
      prev = n->prev;
    }
  }
}

typedef struct {
  graph **g;
  int n;
} graph_list;

static void collect(graph *g, void *ctx) {
  graph_list *l = ctx;
  l->g[l->n++] = g;
}

static bool eliminate(module *m, bool keep_failing, bool *changed) {
  arena *mem = arena_new();
  dce d = {m, mem, graph_effects(m, mem), graph_call_counts(m, mem), keep_failing, false};
  graph_list l = {ARENA_ARRAY(mem, graph *, m->graphs.len), 0};
  graph_walk(m->main, collect, &l);
  while (l.n > 0) sweep(&d, l.g[--l.n]);
  arena_free(mem);
  *changed |= d.changed;
  return m->err.code == SCANC_OK;
}

bool pass_dce(module *m, bool *changed) { return eliminate(m, false, changed); }

bool dce_leftovers(module *m, bool *changed) { return eliminate(m, true, changed); }
