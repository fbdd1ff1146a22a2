#include "loop/axis_run.h"

static int seq_len(val v) { return val_is_seq(v) ? v.n : 0; }

static const node *node_of(val v) { return v.kind == VAL_NODE ? v.node : NULL; }

static bool is_group(const node *n) { return node_is_op(n, OP_invoke_subgraph); }

/* ---- graphs without calls of groups ---- */

static void flatten_group(axis_graphs *g, const node *call, node_list *out) {
  const graph *sub = val_graph(call->operands[0]);
  val args = call->operands[1];
  if (!sub) return;
  if (seq_len(args) == 1 && val_is_seq(args.items[0])) args = args.items[0];
  for (int i = 0; i < graph_n_placeholders(sub) && i < seq_len(args); i++)
    g->same[graph_placeholder(sub, i)->id] = node_of(args.items[i]);
  axis_flatten(g, sub, out);
}

void axis_flatten(axis_graphs *g, const graph *of, node_list *out) {
  for (const node *n = of->first; n; n = n->next) {
    if (n->kind == NODE_OUTPUT) continue;
    const node *from = node_is_op(n, OP_getitem) ? node_of(n->operands[0]) : NULL;
    const graph *group = from && is_group(from) ? val_graph(from->operands[0]) : NULL;
    val i = group ? n->operands[1] : val_none();
    if (group && i.kind == VAL_INT && i.i >= 0 && i.i < graph_n_results(group))
      g->same[n->id] = node_of(graph_result(group, (int)i.i));
    if (is_group(n)) flatten_group(g, n, out);
    else vec_push(g->mem, out, n);
  }
}

/* ---- what is computed from what ---- */

void axis_operands(const axis_graphs *g, const node *n, bool data, void (*fn)(node *, void *),
                   void *ctx) {
  if (g->same[n->id]) {
    fn((node *)g->same[n->id], ctx);
    return;
  }
  bool cond = data && node_is_op(n, OP_cond);
  for (int k = 0; !n->op && k < n->n_args; k++) val_each_node(n->args[k], fn, ctx);
  for (int k = cond; n->op && k < n->op->n_operands; k++) val_each_node(n->operands[k], fn, ctx);
}

static void mark(node *n, void *ctx) { ((bool *)ctx)[n->id] = true; }

void axis_sources(const axis_graphs *g, const node_list *list, bool data, bool *in) {
  for (int i = list->len - 1; i >= 0; i--)
    if (in[list->data[i]->id]) axis_operands(g, list->data[i], data, mark, in);
}

/* ---- rules ---- */

static void join_graph(axis_run *x, const graph *g, bool control);
static void link_dims(axis_run *x, const node *n);

static void tell_marks(axis_run *x) {
  axis_mark m = {x->top, x->control, 0};
  while (x->marks.len < x->log.moves.len) vec_push(x->g->mem, &x->marks, m);
}

static void move_all(axis_run *x, const node *n) {
  int items = n->type && n->type->kind == TYPE_LIST ? n->type->n : 1;
  for (int i = 0; i < items; i++) {
    const type *t = axes_type(n, i);
    for (int d = 0; type_is_tensor(t) && d < t->n; d++)
      if (!dim_is(t->dims[d], 1)) axes_move(&x->b, axes_dim(&x->b, n, i, d), "it");
  }
}

static void move_operand(node *n, void *ctx) { move_all(ctx, n); }

/* Nothing is known of the op. */
static void join_unknown(axis_run *x, const node *n) {
  for (int k = 0; k < n->n_args; k++) val_each_node(n->args[k], move_operand, x);
  move_all(x, n);
}

static void align_list(axis_run *x, const graph *g, int first, val list) {
  for (int i = 0; i < seq_len(list) && first + i < graph_n_placeholders(g); i++)
    if (node_of(list.items[i]))
      axes_align(&x->b, graph_placeholder(g, first + i), 0, list.items[i].node, 0);
}

static void declare_graph(axis_run *x, const graph *g) {
  node_list list = {0};
  axis_flatten(x->g, g, &list);
  for (int i = 0; i < list.len; i++) axes_declare(&x->b, list.data[i]);
}

static void align_result(axis_run *x, const node *n, const graph *g, int i) {
  const node *v = node_of(graph_result(g, i));
  if (v && type_is_tensor(v->type)) axes_align(&x->b, n, i, v, 0);
}

static void join_cond(axis_run *x, const node *n) {
  for (int k = 0; k < 2; k++) {
    const graph *g = val_graph(n->operands[1 + k]);
    if (!g) continue;
    declare_graph(x, g);
    align_list(x, g, 0, n->operands[3]);
    join_graph(x, g, false);
    for (int i = 0; i < graph_n_results(g); i++) align_result(x, n, g, i);
  }
}

static void join_while(axis_run *x, const node *n) {
  int n_carried = seq_len(n->operands[2]);
  for (int k = 0; k < 2; k++) {
    const graph *g = val_graph(n->operands[k]);
    if (!g) continue;
    declare_graph(x, g);
    align_list(x, g, 0, n->operands[2]);
    align_list(x, g, n_carried, n->operands[3]);
    join_graph(x, g, k == 0);
    for (int i = 0; k && i < graph_n_results(g); i++) {
      const node *v = node_of(graph_result(g, i));
      align_result(x, n, g, i);
      if (v && i < graph_n_placeholders(g)) axes_align(&x->b, graph_placeholder(g, i), 0, v, 0);
    }
  }
}

static scan_view view_of(const scan_view *all, int i) {
  return all ? all[i] : (scan_view){0, 1, {0}};
}

/* A slice of each x, and what runs along its time. */
static void join_slice(axis_run *x, const node *parameter, const node *leaf, scan_view v) {
  if (!leaf || !type_is_tensor(leaf->type) || v.axis >= leaf->type->n) return;
  axes_move(&x->b, axes_dim(&x->b, leaf, 0, v.axis), "scan");
  for (int d = 0, e = 0; d < leaf->type->n; d++)
    if (d != v.axis) axes_follow(&x->b, parameter, 0, e++, leaf, d);
}

static void join_stack(axis_run *x, const node *n, int item, const node *v, scan_view at) {
  if (!type_is_tensor(axes_type(n, item))) return;
  axes_move(&x->b, axes_dim(&x->b, n, item, at.axis), "scan");
  for (int d = 0; d < v->type->n; d++) axes_follow(&x->b, n, item, d + (d >= at.axis), v, d);
}

static void join_scan(axis_run *x, const node *n) {
  bool fold = node_is_op(n, OP_associative_scan);
  const graph *g = val_graph(n->operands[0]);
  val init = fold ? val_none() : n->operands[1], xs = n->operands[fold ? 1 : 2];
  int n_state = fold ? seq_len(xs) : seq_len(init);
  if (!g || graph_n_placeholders(g) < n_state + seq_len(xs)) return;
  declare_graph(x, g);
  align_list(x, g, 0, init);
  align_list(x, g, n_state + seq_len(xs), n->operands[fold ? 2 : 3]);
  for (int i = 0; i < seq_len(xs); i++) {
    scan_view v = view_of(n->scan ? n->scan->x : NULL, i);
    join_slice(x, graph_placeholder(g, n_state + i), node_of(xs.items[i]), v);
    if (fold) join_slice(x, graph_placeholder(g, i), node_of(xs.items[i]), v);
  }
  join_graph(x, g, false);
  for (int i = 0; i < graph_n_results(g); i++) {
    const node *v = node_of(graph_result(g, i));
    if (!v || !type_is_tensor(v->type)) continue;
    if (i < n_state) axes_align(&x->b, graph_placeholder(g, i), 0, v, 0);
    if (i < n_state && !fold) align_result(x, n, g, i);
    else join_stack(x, n, i, v, view_of(n->scan ? n->scan->y : NULL, fold ? i : i - n_state));
  }
}

/* Ops that go along one dimension and leave the others as they are. */
static bool goes_along(op_id op) {
  static const op_id ids[] = {OP_index_select, OP_index_add,      OP_gather,      OP_scatter,
                              OP_scatter_add,  OP_scatter_reduce, OP_logcumsumexp};
  for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
    if (op == ids[i]) return true;
  return false;
}

static void join_along(axis_run *x, const node *n) {
  const node *from = node_of(n->operands[0]);
  int64_t at;
  if (!from || !type_is_tensor(from->type) || !type_is_tensor(n->type) ||
      from->type->n != n->type->n || !body_known_int(&x->b, n->operands[1], &at)) {
    join_unknown(x, n);
    return;
  }
  if (at < 0) at += n->type->n;
  for (int d = 0; d < n->type->n; d++) {
    axes_follow(&x->b, n, 0, d, from, d);
    if (d == at) axes_move(&x->b, axes_dim(&x->b, from, 0, d), n->op->name);
  }
}

/* x[batch, channels, place...] */
static void join_convolution(axis_run *x, const node *n) {
  const node *from = node_of(n->operands[0]), *weight = node_of(n->operands[1]);
  if (!from || !weight || !type_is_tensor(from->type) || !type_is_tensor(weight->type) ||
      !type_is_tensor(n->type) || n->type->n != from->type->n)
    return;
  axes_follow(&x->b, n, 0, 0, from, 0);
  for (int d = 1; d < from->type->n; d++) {
    axes_move(&x->b, axes_dim(&x->b, from, 0, d), n->op->name);
    if (d > 1) axes_move(&x->b, axes_dim(&x->b, n, 0, d), n->op->name);
  }
}

static void join_item(axis_run *x, const node *n) {
  const node *from = node_of(n->operands[0]);
  if (x->g->same[n->id]) axes_align(&x->b, n, 0, x->g->same[n->id], 0);
  else if (from && n->operands[1].kind == VAL_INT && n->operands[1].i >= 0)
    axes_align(&x->b, n, 0, from, (int)n->operands[1].i);
}

static void join_by_rule(axis_run *x, const node *n) {
  if (goes_along(n->op->id)) join_along(x, n);
  else if (!axes_join(&x->b, n)) join_unknown(x, n);
  else if (n->op->traits & T_RESHAPE) link_dims(x, n);
  str_clear(&x->why);
}

static void join(axis_run *x, const node *n) {
  const node *before = x->log.at;
  x->log.at = n;
  if (n->kind == NODE_PLACEHOLDER && x->g->same[n->id])
    axes_align(&x->b, n, 0, x->g->same[n->id], 0);
  else if (n->op) switch (n->op->id) {
      case OP_getitem: join_item(x, n); break;
      case OP_cond: join_cond(x, n); break;
      case OP_while_loop: join_while(x, n); break;
      case OP_scan:
      case OP_associative_scan: join_scan(x, n); break;
      case OP_convolution: join_convolution(x, n); break;
      default: join_by_rule(x, n);
    }
  x->log.at = before;
}

/* A graph within a node; `control`: it only decides something. */
static void join_graph(axis_run *x, const graph *g, bool control) {
  node_list list = {0};
  bool *data = ARENA_ARRAY(x->g->mem, bool, x->g->mod->n_ids), before = x->control;
  axis_flatten(x->g, g, &list);
  for (int i = 0; i < graph_n_results(g); i++)
    if (node_of(graph_result(g, i))) data[graph_result(g, i).node->id] = true;
  axis_sources(x->g, &list, true, data);
  tell_marks(x);
  for (int i = 0; i < list.len; i++) {
    x->control = before || control || !data[list.data[i]->id];
    join(x, list.data[i]);
    tell_marks(x);
  }
  x->control = before;
}

/* ---- values that meet themselves ---- */

bool axis_run_shares(const axis_run *x, int c, int d) {
  const body *b = &x->b;
  int f[SCANC_MAX_RANK], g[SCANC_MAX_RANK], n = axes_factors(b, c, f), m = axes_factors(b, d, g);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++)
      if (f[i] == g[k] && !dim_is(axes_class_extent(b, f[i]), 1)) return true;
  return false;
}

/* Dimensions that a reshape leaves as they are, as links. */
static void link_dims(axis_run *x, const node *n) {
  const node *from = node_of(n->operands[0]);
  for (int d = 0; type_is_tensor(n->type) && d < n->type->n; d++)
    for (int e = 0; from && type_is_tensor(from->type) && e < from->type->n; e++) {
      int c = axes_dim(&x->b, n, 0, d), f = axes_dim(&x->b, from, 0, e);
      if (!axis_run_shares(x, c, f) || !dim_equal(n->type->dims[d], from->type->dims[e])) continue;
      axis_link l = {axes_own(&x->b, n, 0, d), axes_own(&x->b, from, 0, e), n,
                     n->type->n - d != from->type->n - e};
      vec_push(x->g->mem, &x->log.links, l);
    }
}

/* Where the way from dimension `a` to `to` turns: the first view that does it, or other node. */
static const node *turn_between(const axis_run *x, int a, int to) {
  int n = x->b.classes.len, first = 0, count = 1;
  int *queue = ARENA_ARRAY(x->g->mem, int, n), *by = ARENA_ARRAY(x->g->mem, int, n);
  bool *seen = ARENA_ARRAY(x->g->mem, bool, n);
  const node *turn = NULL;
  queue[0] = to;
  seen[to] = true;
  while (first < count && !seen[a]) {
    int c = queue[first++];
    for (int i = 0; i < x->log.links.len; i++) {
      const axis_link *l = &x->log.links.data[i];
      int other = l->a == c ? l->b : l->b == c ? l->a : -1;
      if (other < 0 || seen[other]) continue;
      seen[other] = true;
      by[other] = i;
      queue[count++] = other;
    }
  }
  for (int c = a; seen[a] && c != to;) {
    const axis_link *l = &x->log.links.data[by[c]];
    bool view = l->at->op && l->at->op->traits & T_VIEW;
    if (l->turned && view) return l->at;
    if (l->turned && !turn) turn = l->at;
    c = l->a == c ? l->b : l->a;
  }
  return turn;
}

/* Whether such a meeting along the class is known already. */
static bool is_known(const axis_run *x, int c, int kind) {
  for (int i = x->turns; i >= 0 && i < x->log.moves.len; i++)
    if (x->marks.data[i].kind == kind && axis_run_shares(x, x->log.moves.data[i].cls, c))
      return true;
  return false;
}

void axis_run_turn(axis_run *x, const node *n, int kind) {
  const type *t = n->type;
  if (x->turns < 0) x->turns = x->log.moves.len;
  for (int d = 0; type_is_tensor(t) && d < t->n; d++)
    for (int e = 0; e < d; e++) {
      int c = axes_dim(&x->b, n, 0, d), f = axes_dim(&x->b, n, 0, e);
      if (!axis_run_shares(x, c, f) || is_known(x, c, kind)) continue;
      const node *by = turn_between(x, axes_own(&x->b, n, 0, e), axes_own(&x->b, n, 0, d));
      axis_event event = {c, by ? by : n};
      axis_mark m = {n, false, kind};
      vec_push(x->g->mem, &x->log.moves, event);
      vec_push(x->g->mem, &x->marks, m);
    }
}

/* ---- runs ---- */

axis_run *axis_run_new(axis_graphs *g, const node_list *list) {
  axis_run *x = ARENA_NEW(g->mem, axis_run);
  *x = (axis_run){.g = g, .turns = -1};
  x->b = (body){.mem = g->mem, .mod = g->mod, .why = &x->why, .log = &x->log};
  x->b.first = ARENA_ARRAY(g->mem, int, g->mod->n_ids);
  for (int i = 0; i < g->mod->n_ids; i++) x->b.first[i] = -1;
  for (int i = 0; i < list->len; i++) axes_declare(&x->b, list->data[i]);
  return x;
}

void axis_run_join(axis_run *x, const node *n) {
  x->top = n;
  join(x, n);
  tell_marks(x);
  str_clear(&x->why);
}

void axis_run_align(axis_run *x, const node *to, const node *from) {
  x->top = x->log.at = from;
  axes_align(&x->b, to, 0, from, 0);
  tell_marks(x);
}

void axis_run_free(axis_run *x) { str_free(&x->why); }
