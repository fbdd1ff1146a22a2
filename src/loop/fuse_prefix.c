/* Groups around associative scans: an elementwise group whose results are nothing but xs of a scan
 * is computed as the scan reads them, and groups of what the scan gives as it stores them, if that
 * has a lowering (body_fold.c). So are sums of a few elements of each step, if nothing else is
 * wanted of the scan: its results then take no memory. After fuse_elementwise. */
#include "loop/fuse.h"

#include "ir/build.h"
#include "loop/body.h"
#include "loop/prefix.h"

enum {
  MAX_GROUPS = 8,
  MAX_SEARCH = 2000,    /* nodes */
  MAX_STATEMENTS = 120, /* code is made of them for whole vectors and for parts */
  MAX_IN_TURN = 600,    /* of left folds, once */
  MAX_SUMMED = 32,      /* elements: each is carried in a register of its own */
  ENOUGH_LANES = 8
};

/* A scan, and what is on its way into one group with it. */
typedef struct {
  module *m;
  arena *mem;
  node *scan;
  node *part[MAX_GROUPS]; /* groups before the scan, then those, and sums, behind it */
  int n_before, n_parts, n_sums;
  int *place; /* per node id: position in the graph, from 1 */
  graph *sub;
  val *to;             /* per node id: its value in `sub`; ABSENT: none yet */
  VEC(val) outer;      /* what the parameters stand for */
  VEC(node *) results; /* getitems of the scan and of groups that are used elsewhere */
} wrapping;

/* A group of elementwise nodes. */
static bool is_group(const node *n) {
  const graph *g = node_is_op(n, OP_invoke_subgraph) ? val_graph(n->operands[0]) : NULL;
  for (const node *k = g ? g->first : NULL; k; k = k->next)
    if (k->op && k->op->traits & (T_BODY | T_DATA | T_EFFECT)) return false;
  return g != NULL;
}

static bool is_item(const node *n) {
  return node_is_op(n, OP_getitem) && n->operands[0].kind == VAL_NODE &&
         n->operands[1].kind == VAL_INT && n->operands[1].i >= 0;
}

/* ---- which groups ---- */

static bool is_inside(const wrapping *w, const node *n) {
  for (int i = 0; i < w->n_parts; i++)
    if (w->part[i] == n) return true;
  return n == w->scan;
}

static bool is_sum(const node *n) { return node_is_op(n, OP_sum); }

/* A result of what is inside. */
static bool is_own_item(const wrapping *w, const node *n) {
  return is_sum(n) ? is_inside(w, n) : is_item(n) && is_inside(w, n->operands[0].node);
}

/* Whether nothing but the scan uses the results of n. */
static bool feeds_scan_alone(const wrapping *w, const node *n) {
  for (const use *u = n->uses; u; u = u->next) {
    if (!is_item(u->user)) return false;
    for (const use *v = u->user->uses; v; v = v->next)
      if (v->user != w->scan) return false;
  }
  return true;
}

static void find_before(wrapping *w) {
  val xs = w->scan->operands[1];
  for (int i = 0; val_is_seq(xs) && i < xs.n; i++) {
    const node *x = xs.items[i].kind == VAL_NODE ? xs.items[i].node : NULL;
    node *g = x && is_item(x) ? x->operands[0].node : NULL;
    if (!g || !is_group(g) || is_inside(w, g) || w->n_parts == MAX_GROUPS) continue;
    if (feeds_scan_alone(w, g)) w->part[w->n_parts++] = g;
  }
}

static bool same_dims(const type *a, const type *b) {
  bool same = type_is_tensor(a) && type_is_tensor(b) && a->n == b->n;
  for (int d = 0; same && d < a->n; d++) same = dim_equal(a->dims[d], b->dims[d]);
  return same;
}

/* reduced[d]: of n, a sum, along dimension d; returns how many elements go into one, 0: that is not
 * known, or time is among them. */
static int64_t find_summed(const node *n, int time, bool *reduced) {
  const type *t = n->operands[0].node->type;
  val dims = n->operands[1];
  int64_t count = 1;
  int n_dims = val_is_seq(dims) ? dims.n : dims.kind == VAL_INT;
  for (int i = 0; i < n_dims; i++) {
    val v = val_is_seq(dims) ? dims.items[i] : dims;
    int64_t d = v.kind != VAL_INT ? -1 : v.i < 0 ? v.i + t->n : v.i;
    if (d < 0 || d >= t->n || d == time || !dim_is_int(t->dims[d])) return 0;
    if (t->dims[d].k > MAX_SUMMED) return 0;
    if (!reduced[d]) count *= t->dims[d].k;
    reduced[d] = true;
  }
  return n_dims ? count : 0;
}

/* A result of the scan that is read; they are items. */
static const node *some_result(const wrapping *w) {
  const node *r = NULL;
  for (const use *u = w->scan->uses; u; u = u->next)
    if (u->user->uses) r = u->user;
  return r;
}

/* Whether n is a sum of a few elements of what comes of a step, and others than those fill the
 * lanes of vectors. */
static bool is_small_sum(const wrapping *w, const node *n) {
  const node *x = is_sum(n) && n->operands[0].kind == VAL_NODE ? n->operands[0].node : NULL;
  const node *like = some_result(w);
  bool reduced[SCANC_MAX_RANK] = {false}, lanes = false;
  if (!x || !like || !is_own_item(w, x) || !same_dims(x->type, like->type) ||
      !type_is_tensor(n->type))
    return false;
  int time = prefix_y(w->scan, (int)like->operands[1].i).axis;
  int64_t count = find_summed(n, time, reduced);
  for (int d = 0; d < x->type->n; d++) {
    dim size = x->type->dims[d];
    lanes |= d != time && !reduced[d] && (!dim_is_int(size) || size.k >= ENOUGH_LANES);
  }
  return lanes && count > 0 && count <= MAX_SUMMED;
}

typedef struct {
  wrapping *w;
  VEC(node *) queue;
  bool *seen;
  bool direct; /* the operands at hand are those of the group itself */
  bool found;
} search;

static void reach(node *n, void *ctx) {
  search *s = ctx;
  if (s->direct && is_own_item(s->w, n)) return;
  s->found |= is_inside(s->w, n);
  if (s->seen[n->id]) return;
  s->seen[n->id] = true;
  vec_push(s->w->mem, &s->queue, n);
}

/* Whether group n needs what is inside by way of other nodes; what takes too long to find out
 * counts as yes. */
static bool is_entangled(wrapping *w, const node *n) {
  search s = {.w = w, .seen = ARENA_ARRAY(w->mem, bool, w->m->n_ids), .direct = true};
  for (int i = 0; i < n->n_args; i++) val_each_node(n->args[i], reach, &s);
  s.direct = false;
  for (int i = 0; i < s.queue.len && !s.found; i++) {
    const node *x = s.queue.data[i];
    for (int k = 0; k < x->n_args; k++) val_each_node(x->args[k], reach, &s);
    s.found |= i > MAX_SEARCH;
  }
  return s.found;
}

/* Whether all uses of a result come behind `where`, if they are not inside. */
static bool is_used_behind(const wrapping *w, const node *result, const node *where) {
  for (const use *u = result->uses; u; u = u->next)
    if (!is_inside(w, u->user) && w->place[u->user->id] < w->place[where->id]) return false;
  return true;
}

/* Whether what is inside, as one node before `where`, comes before all that uses it. */
static bool comes_first(const wrapping *w, const node *where) {
  for (int i = -1; i < w->n_parts; i++) {
    const node *n = i < 0 ? w->scan : w->part[i];
    if (is_sum(n) && !is_used_behind(w, n, where)) return false;
    for (const use *u = n->uses; u && !is_sum(n); u = u->next)
      if (!is_used_behind(w, u->user, where)) return false;
  }
  return true;
}

/* The groups that use results of the scan, in the order of the graph; sums of them, too, if that is
 * asked for. */
static void find_behind(wrapping *w, bool sums) {
  for (const use *u = w->scan->uses; u; u = u->next)
    if (!is_item(u->user)) return;
  for (node *n = w->scan->next; n && w->n_parts < MAX_GROUPS; n = n->next) {
    bool uses = false, sum = sums && is_small_sum(w, n);
    if (!is_group(n) && !sum) continue;
    for (int i = 0; i < n->n_arg_uses; i++) uses |= is_own_item(w, n->arg_uses[i].def);
    if (!uses || is_entangled(w, n)) continue;
    w->part[w->n_parts++] = n;
    if (!comes_first(w, n)) w->n_parts--;
    else w->n_sums += sum;
  }
}

/* Whether something else reads all elements of what the scan gives, or of what is computed from it.
 */
static bool is_read_outside(const wrapping *w) {
  const node *like = some_result(w);
  for (int i = w->n_before - 1; i < w->n_parts; i++) {
    const node *n = i < w->n_before ? w->scan : w->part[i];
    for (const use *u = n->uses; u && !is_sum(n); u = u->next)
      for (const use *v = u->user->uses; v; v = v->next)
        if (!is_inside(w, v->user) && same_dims(u->user->type, like->type)) return true;
  }
  return false;
}

/* ---- the graph of the group ---- */

static void add_parameter(node *n, void *ctx) {
  wrapping *w = ctx;
  if (is_own_item(w, n) || val_graph(val_node(n)) || w->to[n->id].kind != VAL_ABSENT) return;
  cursor c = cursor_end(w->sub);
  w->to[n->id] = val_node(node_placeholder(&c, n->name, n->name, n->type, val_absent()));
  vec_push(w->mem, &w->outer, val_node(n));
}

static void add_parameters(wrapping *w, const node *n) {
  for (int i = 0; i < n->n_args; i++) val_each_node(n->args[i], add_parameter, w);
}

static val mapped(node *n, void *ctx) { return ((wrapping *)ctx)->to[n->id]; }

/* The nodes of a group in the place of its results, or a sum. */
static void inline_part(wrapping *w, cursor *c, const node *call) {
  if (is_sum(call)) {
    w->to[call->id] = val_node(node_copy(c, call, mapped, w));
    return;
  }
  const graph *g = val_graph(call->operands[0]);
  val args = call->operands[1];
  int k = 0;
  for (const node *n = g->first; n; n = n->next) {
    if (n->kind == NODE_OUTPUT) continue;
    if (n->kind == NODE_PLACEHOLDER)
      w->to[n->id] = val_map_nodes(w->m->mem, args.items[k++], mapped, w);
    else w->to[n->id] = val_node(node_copy(c, n, mapped, w));
  }
  for (const use *u = call->uses; u; u = u->next)
    w->to[u->user->id] =
        val_map_nodes(w->m->mem, graph_result(g, (int)u->user->operands[1].i), mapped, w);
}

static void inline_scan(wrapping *w, cursor *c) {
  graph *combine = val_graph(w->scan->operands[0]);
  graph_add_attr(w->sub, combine->class_name, ATTR_GRAPH, combine);
  node *callee = node_get_attr(c, combine->class_name, combine->class_name);
  w->to[w->scan->operands[0].node->id] = val_node(callee);
  node *copy = node_copy(c, w->scan, mapped, w);
  for (const use *u = w->scan->uses; u; u = u->next)
    w->to[u->user->id] = val_node(build_getitem(c, copy, (int)u->user->operands[1].i));
}

static void add_result(wrapping *w, node *result) {
  bool elsewhere = false;
  for (const use *u = result->uses; u; u = u->next) elsewhere |= !is_inside(w, u->user);
  if (elsewhere) vec_push(w->mem, &w->results, result);
}

static void find_results(wrapping *w, node *n) {
  if (is_sum(n)) add_result(w, n);
  for (const use *u = n->uses; u && !is_sum(n); u = u->next) add_result(w, u->user);
}

static void fill_graph(wrapping *w) {
  for (int i = 0; i < w->n_parts; i++) add_parameters(w, w->part[i]);
  add_parameters(w, w->scan);
  cursor c = cursor_end(w->sub);
  for (int i = 0; i < w->n_before; i++) inline_part(w, &c, w->part[i]);
  inline_scan(w, &c);
  for (int i = w->n_before; i < w->n_parts; i++) inline_part(w, &c, w->part[i]);
  find_results(w, w->scan);
  for (int i = w->n_before; i < w->n_parts; i++) find_results(w, w->part[i]);
  val *items = ARENA_ARRAY(w->m->mem, val, w->results.len);
  for (int i = 0; i < w->results.len; i++) items[i] = w->to[w->results.data[i]->id];
  node_output(&c, val_seq(w->m->mem, VAL_TUPLE, items, w->results.len));
}

static node *call_graph(wrapping *w, cursor *c) {
  graph *g = w->scan->owner;
  const char *name = arena_strdup(w->m->mem, w->sub->class_name);
  graph_add_attr(g, name, ATTR_GRAPH, w->sub);
  val *args = ARENA_ARRAY(w->mem, val, w->outer.len + 2);
  args[0] = val_node(node_get_attr(c, name, name));
  args[1] = val_str(w->m->mem, name);
  for (int i = 0; i < w->outer.len; i++) args[2 + i] = w->outer.data[i];
  return node_call(c, NULL, "torch.ops.higher_order.invoke_subgraph", args, w->outer.len + 2, NULL,
                   0);
}

/* ---- the scan with its groups ---- */

/* Whether the group is one fold, with a sound kernel. */
static bool is_fold(const node *call) {
  arena *tmp = arena_new();
  str why = {0};
  const scan_nest *n = nest_build(tmp, call, &why);
  bool ok =
      n && n->fold && n->body.len <= (n->order.kind == PREFIX_LEFT ? MAX_IN_TURN : MAX_STATEMENTS);
  if (ok) {
    nest_shape shape = nest_shape_default(tmp, n);
    scan_layout layout = layout_make(tmp, n, &shape, FOLD_RESULTS);
    ok = kernel_verify(nest_kernel(tmp, n, &layout), &why);
  }
  str_free(&why);
  arena_free(tmp);
  return ok;
}

static void erase_with_items(node *n) {
  for (const use *u = n->uses; u; u = n->uses) node_erase(u->user);
  node_erase(n);
}

static void replace(wrapping *w, node *call, cursor *c) {
  for (int i = 0; i < w->results.len; i++)
    node_replace_uses(w->results.data[i], build_getitem(c, call, i));
  for (int i = w->n_parts - 1; i >= w->n_before; i--) erase_with_items(w->part[i]);
  erase_with_items(w->scan);
  for (int i = 0; i < w->n_before; i++) erase_with_items(w->part[i]);
}

/* False: it is no fold, and all is as it was. */
static bool wrap(wrapping *w) {
  node *where = w->n_parts > w->n_before ? w->part[w->n_parts - 1] : w->scan;
  w->to = ARENA_ARRAY(w->mem, val, w->m->n_ids);
  w->outer.len = w->results.len = 0;
  w->sub = graph_new(w->m, arena_printf(w->m->mem, "fused_%d", w->m->graphs.len));
  fill_graph(w);
  cursor c = cursor_before(where);
  node *call = call_graph(w, &c);
  if (!call || w->m->err.code) return false;
  bool ok = is_fold(call);
  if (ok) replace(w, call, &c);
  if (ok) return true;
  node *callee = call->args[0].node;
  node_erase(call);
  node_erase(callee);
  return false;
}

enum { BEFORE = 1, BEHIND = 2, SUMS = 4 };

/* Returns whether there is nothing left to try. */
static bool try_wrap(module *m, node *scan, int which) {
  int at = 0;
  wrapping w = {.m = m, .mem = arena_new(), .scan = scan};
  w.place = ARENA_ARRAY(w.mem, int, m->n_ids);
  for (const node *n = scan->owner->first; n; n = n->next) w.place[n->id] = ++at;
  if (which & BEFORE) find_before(&w);
  w.n_before = w.n_parts;
  if (which & BEHIND) find_behind(&w, which & SUMS);
  bool both = w.n_before && w.n_parts > w.n_before, done;
  if (which & SUMS) done = w.n_sums && !is_read_outside(&w) && wrap(&w);
  else done = !w.n_parts || wrap(&w) || (which == (BEFORE | BEHIND) && !both);
  arena_free(w.mem);
  return done;
}

/* With all groups and sums, or all groups, or those before it, or those behind it. */
static void wrap_scan(module *m, node *scan) {
  static const int which[] = {BEFORE | BEHIND | SUMS, BEFORE | BEHIND, BEHIND, BEFORE};
  for (int i = 0; i < 4 && !m->err.code; i++)
    if (try_wrap(m, scan, which[i])) return;
}

/* What a loop goes through in every iteration stays apart from what it computes once. */
static bool is_main_or_branch(const module *m, const graph *g) {
  bool is = g == m->main;
  for (int i = 0; i < m->graphs.len; i++)
    for (const node *n = m->graphs.data[i]->first; n; n = n->next)
      for (int k = 0; node_is_op(n, OP_cond) && n->operands && k < n->op->n_operands; k++)
        is |= val_graph(n->operands[k]) == g;
  return is;
}

bool fuse_prefixes(module *m, bool (*has_kernel)(const node *scan, void *ctx), void *ctx) {
  arena *tmp = arena_new();
  VEC(node *) scans = {NULL, 0, 0};
  for (int i = 0; i < m->graphs.len; i++)
    FOR_EACH_NODE (n, m->graphs.data[i])
      if (node_is_op(n, OP_associative_scan) && n->operands && has_kernel(n, ctx) &&
          is_main_or_branch(m, n->owner))
        vec_push(tmp, &scans, n);
  for (int i = 0; i < scans.len; i++) wrap_scan(m, scans.data[i]);
  arena_free(tmp);
  return m->err.code == SCANC_OK;
}
