/* Union-find over the dimensions of the body's values (axis_run.c), once for every strongly
 * connected part of the carries (two carries belong to one if each needs the other) over the nodes
 * of its recurrence: those that need a carry of it and that one needs. And once over all that needs
 * any carry, for what carries feed beside it, and over what each y is computed from. Carries are
 * united with what becomes of them, so that one pass over the body finds the fixpoint. */
#include "loop/axis_class.h"

#include "loop/axis_run.h"

typedef enum { AXIS_MAP, AXIS_CONTROL, AXIS_MOVED, AXIS_CONTRACTED } axis_kind;

/* Which nodes: per node id. */
typedef struct {
  bool *needs;      /* the carry */
  bool *feeds;      /* its next value */
  bool *feeds_data; /* the same, not by deciding a branch alone */
} reach;

typedef struct {
  axis_graphs graphs;
  const graph *g;
  bool fold;
  int n_state;
  node_list list;
  reach *of;      /* per carry */
  bool *part;     /* [c * n_state + k]: of one strongly connected part */
  axis_run *all;  /* over all that needs carries */
  axis_run **own; /* per carry: over the recurrence of its part */
} report;

static int seq_len(val v) { return val_is_seq(v) ? v.n : 0; }

static const node *node_of(val v) { return v.kind == VAL_NODE ? v.node : NULL; }

static bool *node_set(const report *r) {
  return ARENA_ARRAY(r->graphs.mem, bool, r->graphs.mod->n_ids);
}

/* ---- what needs what ---- */

typedef struct {
  const bool *in; /* per node id */
  bool any;
} search;

static void look(node *n, void *ctx) {
  search *m = ctx;
  m->any |= m->in[n->id];
}

static void find_users(report *r, const node_list *list, bool *in) {
  for (int i = 0; i < list->len; i++) {
    search m = {in, false};
    axis_operands(&r->graphs, list->data[i], false, look, &m);
    if (m.any) in[list->data[i]->id] = true;
  }
}

static void find_reach(report *r, int c) {
  reach *x = &r->of[c];
  const node *next = node_of(graph_result(r->g, c));
  *x = (reach){node_set(r), node_set(r), node_set(r)};
  x->needs[graph_placeholder(r->g, c)->id] = true;
  if (r->fold) x->needs[graph_placeholder(r->g, r->n_state + c)->id] = true;
  find_users(r, &r->list, x->needs);
  if (!next) return;
  x->feeds[next->id] = x->feeds_data[next->id] = true;
  axis_sources(&r->graphs, &r->list, false, x->feeds);
  axis_sources(&r->graphs, &r->list, true, x->feeds_data);
}

/* Which carries need each other, in as many steps as it takes. */
static void find_parts(report *r) {
  int n = r->n_state;
  bool *to = ARENA_ARRAY(r->graphs.mem, bool, n *n);
  r->part = ARENA_ARRAY(r->graphs.mem, bool, n *n);
  for (int c = 0; c < n; c++)
    for (int k = 0; k < n; k++) to[c * n + k] = r->of[k].feeds[graph_placeholder(r->g, c)->id];
  for (int m = 0; m < n; m++)
    for (int c = 0; c < n; c++)
      for (int k = 0; to[c * n + m] && k < n; k++) to[c * n + k] |= to[m * n + k];
  for (int c = 0; c < n; c++)
    for (int k = 0; k < n; k++) r->part[c * n + k] = c == k || (to[c * n + k] && to[k * n + c]);
}

/* Whether the node is on the way from a carry of c's part to one. */
static bool recurs(const report *r, int c, const node *n, bool data) {
  bool needs = false, feeds = false;
  for (int k = 0; k < r->n_state; k++) {
    const reach *x = &r->of[k];
    if (!r->part[c * r->n_state + k]) continue;
    needs |= x->needs[n->id];
    feeds |= data ? x->feeds_data[n->id] : x->feeds[n->id];
  }
  return needs && feeds;
}

static bool needs_part(const report *r, int c, const node *n) {
  bool needs = false;
  for (int k = 0; k < r->n_state; k++)
    needs |= r->part[c * r->n_state + k] && r->of[k].needs[n->id];
  return needs;
}

static bool needs_any(const report *r, const node *n) {
  bool needs = false;
  for (int k = 0; k < r->n_state; k++) needs |= r->of[k].needs[n->id];
  return needs;
}

static bool feeds_any(const report *r, const node *n) {
  bool feeds = false;
  for (int k = 0; k < r->n_state; k++) feeds |= r->of[k].feeds[n->id];
  return feeds;
}

/* ---- runs ---- */

/* in (NULL: all): per node id, which carries. */
static void unite_states(report *r, axis_run *x, int c, const bool *in) {
  for (int k = 0; k < r->n_state; k++) {
    const node *p = graph_placeholder(r->g, k), *v = node_of(graph_result(r->g, k));
    if ((c >= 0 && !r->part[c * r->n_state + k]) || (in && !in[p->id])) continue;
    if (v) axis_run_align(x, p, v);
    if (r->fold) axis_run_align(x, p, graph_placeholder(r->g, r->n_state + k));
  }
}

static bool recurs_any(const report *r, const node *n) {
  bool any = false;
  for (int c = 0; c < r->n_state; c++) any |= recurs(r, c, n, false);
  return any;
}

static bool is_part_of(const report *r, int c, const bool *in, const node *n) {
  return c >= 0 ? recurs(r, c, n, false) : (!in || in[n->id]) && needs_any(r, n);
}

/* Over the recurrence of carry c, or (-1) all that needs carries, of the nodes `in` (NULL: all). */
static axis_run *run(report *r, int c, const bool *in) {
  axis_run *x = axis_run_new(&r->graphs, &r->list);
  for (int i = 0; i < r->list.len; i++)
    if (is_part_of(r, c, in, r->list.data[i])) axis_run_join(x, r->list.data[i]);
  unite_states(r, x, c, in);
  for (int i = 0; i < r->list.len; i++) {
    const node *n = r->list.data[i];
    if (is_part_of(r, c, in, n)) axis_run_turn(x, n, c < 0 && recurs_any(r, n));
  }
  return x;
}

/* Over all that y is computed from, in this step and those before. */
static axis_run *run_for_y(report *r, const node *y) {
  bool *in = node_set(r), more = true;
  in[y->id] = true;
  while (more) {
    more = false;
    axis_sources(&r->graphs, &r->list, false, in);
    for (int k = 0; k < r->n_state; k++) {
      const node *next = node_of(graph_result(r->g, k));
      if (!next || !in[graph_placeholder(r->g, k)->id] || in[next->id]) continue;
      in[next->id] = more = true;
    }
  }
  return run(r, -1, in);
}

/* ---- verdicts ---- */

typedef struct {
  axis_kind kind;
  const node *by, *top; /* NULL: none */
} verdict;

static axis_kind kind_of(const node *n) {
  op_id op = n->op ? n->op->id : OP_getitem;
  bool all = reduce_rule_of(op) || matmul_rule_of(op) || op == OP_convolution || op == OP_scan ||
             op == OP_associative_scan || op == OP_logcumsumexp;
  return all ? AXIS_CONTRACTED : AXIS_MOVED;
}

/* The strongest of the events along the class; inside: of those in the recurrence of carry c (-1:
 * of any), else of the others that need it. */
static verdict judge(const report *r, const axis_run *x, int cls, int c, bool inside) {
  verdict v = {AXIS_MAP, NULL, NULL};
  for (int i = 0; i < x->log.moves.len; i++) {
    const axis_event *e = &x->log.moves.data[i];
    const axis_mark *m = &x->marks.data[i];
    bool in = false, data = false;
    if (!axis_run_shares(x, e->cls, cls)) continue;
    for (int k = 0; k < r->n_state; k++) {
      if (c >= 0 && k != c) continue;
      in |= recurs(r, k, m->top, false);
      data |= recurs(r, k, m->top, true);
    }
    if (in != inside || (!inside && c >= 0 && !needs_part(r, c, m->top))) continue;
    axis_kind kind = inside && (m->control || !data) ? AXIS_CONTROL : kind_of(e->at);
    if (kind > v.kind) v = (verdict){kind, e->at, m->top};
  }
  return v;
}

static void print_node(str *out, const node *n) {
  str_printf(out, "%s %s", n->op ? n->op->name : "parameter", n->name);
  if (n->loc.line) str_printf(out, " (line %d)", n->loc.line);
}

/* The branch or loop that n decides. */
static const node *decided_by(report *r, const node *n, const node *top) {
  bool *in = node_set(r);
  node_list list = {0};
  in[n->id] = true;
  axis_flatten(&r->graphs, n->owner == top->owner ? r->g : n->owner, &list);
  find_users(r, &list, in);
  for (int i = 0; i < list.len; i++) {
    search m = {in, false};
    if (!node_is_op(list.data[i], OP_cond)) continue;
    val_each_node(list.data[i]->operands[0], look, &m);
    if (m.any) return list.data[i];
  }
  return top;
}

/* The class of a dimension, or a part of one: in its own recurrence, then in all of the body; of a
 * y, both in what that is computed from. */
typedef struct {
  const axis_run *own, *all;
  int own_class, all_class;
  int carry; /* -1: a y */
} part_of_dim;

static void print_class(str *out, report *r, const part_of_dim *p) {
  verdict v = judge(r, p->own, p->own_class, p->carry, true);
  if (v.kind == AXIS_MAP) {
    str_append(out, "map");
    v = judge(r, p->all, p->all_class, p->carry, false);
    if (v.kind == AXIS_MAP) return;
    str_printf(out, ", %s for %s by ", v.kind == AXIS_MOVED ? "moved" : "reduced",
               feeds_any(r, v.top) ? "other carries" : "ys only");
  } else if (v.kind == AXIS_CONTROL) {
    str_append(out, "tainted by control of ");
    print_node(out, decided_by(r, v.by, v.top));
    str_append(out, " through ");
  } else {
    str_append(out, v.kind == AXIS_MOVED ? "moved by " : "contracted by ");
  }
  print_node(out, v.by);
}

static void print_dim(str *out, report *r, const axis_run *own, const node *n, int d, int carry) {
  const axis_run *all = carry < 0 ? own : r->all;
  int f[SCANC_MAX_RANK], g[SCANC_MAX_RANK], cls = axes_dim(&all->b, n, 0, d);
  int count = axes_factors(&own->b, axes_dim(&own->b, n, 0, d), f),
      same = axes_factors(&all->b, cls, g);
  for (int i = 0; i < count; i++) {
    part_of_dim p = {own, all, f[i], same == count ? g[i] : cls, carry};
    if (count > 1) {
      str_append(out, i ? " times " : "as ");
      dim_print(out, axes_class_extent(&own->b, f[i]));
      str_char(out, ' ');
    }
    print_class(out, r, &p);
  }
}

static void print_value(str *out, report *r, const axis_run *own, const node *n, int carry) {
  const type *t = n->type;
  const node *named = n;
  bool y = carry < 0;
  while (r->graphs.same[named->id]) named = r->graphs.same[named->id];
  str_printf(out, "  %s %s: ", y ? "y" : r->fold ? "leaf" : "carry", named->name);
  if (!type_is_tensor(t) || !t->n) str_append(out, "one element");
  for (int d = 0; type_is_tensor(t) && d < t->n; d++) {
    str_printf(out, "%sdimension %d (", d ? "; " : "", d);
    dim_print(out, t->dims[d]);
    str_append(out, ") ");
    print_dim(out, r, own, n, d, carry);
  }
  if (y && !needs_any(r, n)) str_append(out, "; needs no carry");
  str_char(out, '\n');
}

static void print_all(str *out, report *r) {
  for (int c = 0; c < r->n_state; c++)
    print_value(out, r, r->own[c], graph_placeholder(r->g, c), c);
  for (int i = r->n_state; !r->fold && i < graph_n_results(r->g); i++) {
    const node *n = node_of(graph_result(r->g, i));
    if (!n) continue;
    axis_run *own = run_for_y(r, n);
    print_value(out, r, own, n, -1);
    axis_run_free(own);
  }
}

void axis_classes_print(str *out, const node *scan) {
  bool fold = node_is_op(scan, OP_associative_scan);
  const graph *g = fold || node_is_op(scan, OP_scan) ? val_graph(scan->operands[0]) : NULL;
  if (!g) return;
  arena *tmp = arena_new();
  report r = {.graphs = {.mem = tmp, .mod = g->mod}, .g = g, .fold = fold};
  r.n_state = seq_len(scan->operands[1]);
  r.graphs.same = ARENA_ARRAY(tmp, const node *, g->mod->n_ids);
  axis_flatten(&r.graphs, g, &r.list);
  r.of = ARENA_ARRAY(tmp, reach, r.n_state);
  r.own = ARENA_ARRAY(tmp, axis_run *, r.n_state);
  for (int c = 0; c < r.n_state; c++) find_reach(&r, c);
  find_parts(&r);
  r.all = run(&r, -1, NULL);
  for (int c = 0; c < r.n_state; c++) r.own[c] = run(&r, c, NULL);
  print_all(out, &r);
  for (int c = 0; c < r.n_state; c++) axis_run_free(r.own[c]);
  axis_run_free(r.all);
  arena_free(tmp);
}
