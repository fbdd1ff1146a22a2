/* Calls of subgraphs: the slots of a call, and taking slots away from both sides. */
#include "passes/hop.h"

#include <string.h>

/* ---- facts about graphs ---- */

int graph_index(const graph *g) {
  const module *m = g->mod;
  for (int i = 0; i < m->graphs.len; i++)
    if (m->graphs.data[i] == g) return i;
  SCANC_UNREACHABLE("a graph outside its module");
}

typedef struct {
  void (*fn)(graph *g, void *ctx);
  void *ctx;
} body_visitor;

static void visit_body(node *n, void *ctx) {
  body_visitor *v = ctx;
  graph *g = val_graph(val_node(n));
  if (g) v->fn(g, v->ctx);
}

void node_each_body(const node *n, void (*fn)(graph *g, void *ctx), void *ctx) {
  body_visitor v = {fn, ctx};
  for (int i = 0; i < n->n_args; i++) val_each_node(n->args[i], visit_body, &v);
}

static void count_call(graph *g, void *ctx) { ((int *)ctx)[graph_index(g)]++; }

static void count_calls_in(graph *g, void *ctx) {
  FOR_EACH_NODE (n, g) node_each_body(n, count_call, ctx);
}

int *graph_call_counts(module *m, arena *a) {
  int *counts = ARENA_ARRAY(a, int, m->graphs.len);
  graph_walk(m->main, count_calls_in, counts);
  return counts;
}

typedef struct {
  const bool *table;
  bool found;
} effect_search;

static void search_effect(graph *g, void *ctx) {
  effect_search *s = ctx;
  s->found |= s->table[graph_index(g)];
}

bool node_has_effect(const node *n, const bool *graph_effect) {
  if (n->in_place || (n->op && (n->op->traits & T_EFFECT))) return true;
  if (!n->op || !(n->op->traits & T_BODY)) return false;
  effect_search s = {graph_effect, false};
  node_each_body(n, search_effect, &s);
  return s.found;
}

static void find_effects(graph *g, void *ctx) {
  bool *table = ctx, found = false;
  FOR_EACH_NODE (n, g) found |= node_has_effect(n, table);
  table[graph_index(g)] = found;
}

bool *graph_effects(module *m, arena *a) {
  bool *table = ARENA_ARRAY(a, bool, m->graphs.len);
  graph_walk(m->main, find_effects, table);
  return table;
}

/* ---- reading a call ---- */

static int n_items(const node *n, int operand) {
  val v = n->operands[operand];
  return v.kind == VAL_LIST || v.kind == VAL_TUPLE    ? v.n
         : v.kind == VAL_NONE || v.kind == VAL_ABSENT ? 0
                                                      : -1;
}

static void add_slot(hop *h, int operand, int item, int param, int result) {
  h->slots[h->n_slots++] = (hop_slot){operand, item, param, -1, result, false};
}

/* Slots for a list operand; the first n_carried come back as results. Returns the next parameter.
 */
static int add_list(hop *h, int operand, int param, int n_carried) {
  int n = n_items(h->call, operand);
  for (int i = 0; i < n; i++) add_slot(h, operand, i, param + i, i < n_carried ? i : -1);
  return param + n;
}

static bool bodies(hop *h, int first, int n) {
  h->n_bodies = n;
  for (int i = 0; i < n; i++) {
    h->body[i] = val_graph(h->call->operands[first + i]);
    if (!h->body[i] || !graph_output(h->body[i])) return false;
  }
  h->n_results = graph_n_results(h->body[n - 1]);
  return true;
}

typedef struct {
  int first_body, n_bodies;
  int list[3];  /* operands that are lists, in the order of the parameters; -1: none */
  bool carried; /* list[0] comes back */
} hop_layout;

static const hop_layout *layout_of(const node *n) {
  static const hop_layout scan = {0, 1, {1, 2, 3}, true}, assoc = {0, 1, {1, 2, -1}, true},
                          cond = {1, 2, {3, -1, -1}, false}, loop = {0, 2, {2, 3, -1}, true},
                          mapped = {0, 1, {1, 2, -1}, false};
  if (!n->op) return NULL;
  switch (n->op->id) {
    case OP_scan: return &scan;
    case OP_associative_scan: return &assoc;
    case OP_cond: return &cond;
    case OP_while_loop: return &loop;
    case OP_map_impl: return &mapped;
    default: return NULL;
  }
}

/* associative_scan: leaf i is the parameters i and n + i. */
static void pair_params(hop *h, int n) {
  for (int i = 0; i < n; i++) h->slots[i].param2 = n + i;
  for (int i = n; i < h->n_slots; i++) h->slots[i].param += n;
}

static bool arity_fits(const hop *h, int n_params) {
  for (int i = 0; i < h->n_bodies; i++)
    if (graph_n_placeholders(h->body[i]) != n_params) return false;
  return true;
}

bool hop_read(node *n, arena *a, hop *h) {
  const hop_layout *l = layout_of(n);
  *h = (hop){.call = n};
  if (!l || !bodies(h, l->first_body, l->n_bodies)) return false;
  int count[3] = {0}, total = h->n_results;
  for (int k = 0; k < 3 && l->list[k] >= 0; k++) {
    count[k] = n_items(n, l->list[k]);
    if (count[k] < 0) return false;
    total += count[k];
  }
  int n_carried = l->carried ? count[0] : 0;
  if (n_carried > h->n_results) return false;
  h->slots = ARENA_ARRAY(a, hop_slot, total);
  int param = 0;
  for (int k = 0; k < 3 && l->list[k] >= 0; k++)
    param = add_list(h, l->list[k], param, k == 0 ? n_carried : 0);
  if (n->op->id == OP_associative_scan) {
    pair_params(h, count[0]);
    param += count[0];
  }
  for (int i = n_carried; i < h->n_results; i++) add_slot(h, -1, 0, -1, i);
  if (n->op->id == OP_scan) h->n_carry = count[0], h->n_x = count[1];
  if (n->op->id == OP_map_impl) h->n_x = count[0];
  return arity_fits(h, param);
}

int hop_result_index(const hop *h, const node *user) {
  if (!node_is_op(user, OP_getitem) || user->operands[1].kind != VAL_INT) return -1;
  int64_t i = user->operands[1].i;
  if (i < 0) i += h->n_results;
  return i >= 0 && i < h->n_results ? (int)i : -1;
}

/* ---- shrinking ---- */

static bool keeps_result(const hop *h, int result) {
  for (int i = 0; i < h->n_slots; i++)
    if (h->slots[i].result == result) return h->slots[i].live;
  return true;
}

/* New index of each result, -1 for those that go. */
static int *renumber(const hop *h, arena *a) {
  int *to = ARENA_ARRAY(a, int, h->n_results), n = 0;
  for (int i = 0; i < h->n_results; i++) to[i] = keeps_result(h, i) ? n++ : -1;
  return to;
}

static void shrink_output(graph *g, const int *to) {
  node *out = graph_output(g);
  val seq = out->args[0];
  val *items = ARENA_ARRAY(g->mod->mem, val, seq.n);
  int n = 0;
  for (int i = 0; i < seq.n; i++)
    if (to[i] >= 0) items[n++] = seq.items[i];
  val kept = val_seq(g->mod->mem, seq.kind, items, n);
  node_set_args(out, &kept, 1, NULL, 0);
}

static void erase_dead(graph *g, const bool *effects, bool keep_failing) {
  for (node *n = g->last, *prev; n; n = prev) {
    prev = n->prev;
    if (n->kind != NODE_PLACEHOLDER && n->kind != NODE_OUTPUT && !node_has_uses(n) &&
        !node_has_effect(n, effects) && !(keep_failing && node_may_fail(n)))
      node_erase(n);
  }
}

static bool drops_param(const hop *h, int param) {
  for (int i = 0; i < h->n_slots; i++)
    if (!h->slots[i].live && param >= 0 &&
        (h->slots[i].param == param || h->slots[i].param2 == param))
      return true;
  return false;
}

static void erase_params(const hop *h, graph *g) {
  int k = 0;
  FOR_EACH_NODE (n, g) {
    if (n->kind == NODE_PLACEHOLDER && drops_param(h, k++)) node_erase(n);
  }
}

/* The list operand k without the items that go. */
static val shrink_list(const hop *h, int k) {
  val v = h->call->operands[k];
  if (v.kind != VAL_LIST && v.kind != VAL_TUPLE) return v;
  arena *a = h->call->owner->mod->mem;
  val *items = ARENA_ARRAY(a, val, v.n);
  int n = 0;
  for (int i = 0; i < h->n_slots; i++)
    if (h->slots[i].operand == k && h->slots[i].live) items[n++] = v.items[h->slots[i].item];
  return val_seq(a, v.kind, items, n);
}

/* Views folded into a scan go with their xs and ys. */
static void shrink_views(const hop *h) {
  const scan_attrs *old = h->call->scan;
  if (!old) return;
  arena *a = h->call->owner->mod->mem;
  scan_attrs *s = ARENA_NEW(a, scan_attrs);
  scan_view *x = ARENA_ARRAY(a, scan_view, old->n_x), *y = ARENA_ARRAY(a, scan_view, old->n_y);
  *s = (scan_attrs){.length = old->length, .x = x, .y = y};
  for (int i = 0; i < old->n_x; i++)
    if (h->slots[h->n_carry + i].live) x[s->n_x++] = old->x[i];
  for (int i = 0; i < old->n_y; i++)
    if (keeps_result(h, h->n_carry + i)) y[s->n_y++] = old->y[i];
  h->call->scan = s;
}

static void shrink_call(const hop *h) {
  val args[MAX_OPERANDS];
  int n = h->call->op->n_operands;
  for (int k = 0; k < n; k++) args[k] = shrink_list(h, k);
  while (n > 0 && (args[n - 1].kind == VAL_NONE || args[n - 1].kind == VAL_ABSENT)) n--;
  shrink_views(h);
  node_set_args(h->call, args, n, NULL, 0);
}

static void shrink_getitems(const hop *h, const int *to) {
  for (node *n = h->call->next, *next; n; n = next) {
    next = n->next;
    int i = node_is_op(n, OP_getitem) && n->operands[0].kind == VAL_NODE &&
                    n->operands[0].node == h->call
                ? hop_result_index(h, n)
                : -1;
    if (i < 0) continue;
    if (to[i] < 0) node_erase(n);
    else node_set_args(n, (val[]){val_node(h->call), val_int(to[i])}, 2, NULL, 0);
  }
}

void hop_shrink(const hop *h, bool keep_failing) {
  module *m = h->call->owner->mod;
  const int *to = renumber(h, m->mem);
  const bool *effects = graph_effects(m, m->mem);
  bool loop = node_is_op(h->call, OP_while_loop);
  for (int i = 0; i < h->n_bodies; i++) {
    if (!loop || i > 0) shrink_output(h->body[i], to);
    erase_dead(h->body[i], effects, keep_failing);
    erase_params(h, h->body[i]);
  }
  shrink_call(h);
  shrink_getitems(h, to);
}
