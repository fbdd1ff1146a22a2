#include "loop/prefix.h"

#include <assert.h>
#include <inttypes.h>

#include "loop/op_cost.h"

enum {
  MAX_LANES = 16,
  MIN_LANES =
      4,       /* with two, the network and the carry take as long as one element after the other */
  COSTLY = 40, /* instructions: more than it takes to gather the lanes from as many rows */
  DIVISION = 16,          /* instructions that a division takes the time of */
  SIDE_BY_SIDE = 4,       /* vectors of segments */
  SKIPPED = 4,            /* vectors that are looked at together for what changes nothing */
  CUT_BYTES = 1 << 18,    /* of a stretch, operands and results: they stay in a core's cache */
  SHARED_BYTES = 1 << 21, /* of a row: so many that its work is worth a second thread */
  MIN_CUT = 4096,
  MAX_NETWORK = 1000,  /* instructions; a kernel is to have less than 1,200 */
  LONG_BYTES = 1 << 22 /* of a row: so many that memory is what one thread waits for */
};

/* ---- facts about the nest ---- */

static int widest_value(const scan_nest *n) {
  size_t widest = 1;
  for (int v = 0; v < n->n_value; v++) {
    size_t size = scanc_dtype_size(dtype_acc(n->dtype[v]));
    if (!n->invariant[v] && size > widest) widest = size;
  }
  for (int i = 0; i < n->body.len; i++) {
    const stmt *s = &n->body.data[i];
    size_t size = s->kind == ST_OP ? scanc_dtype_size(dtype_acc(s->compute)) : 1;
    if (!n->invariant[s->value] && size > widest) widest = size;
  }
  return (int)widest;
}

static int combine_cost(const scan_nest *n) {
  int cost = 0;
  for (int i = 0; i < n->body.len; i++) {
    const stmt *s = &n->body.data[i];
    if (n->invariant[s->value]) continue;
    cost += s->kind == ST_OP ? op_cost(s->op, s->compute) : s->kind == ST_CALL ? OP_COST_CALL : 1;
    if (s->kind == ST_OP && s->op == OP_div) cost += DIVISION;
  }
  return cost;
}

/* Instructions of a network: whole groups and others, all of their steps and what came before;
 * every leaf is moved, chosen and hidden from LLVM. */
static int network_size(const scan_nest *n, int lanes) {
  int steps = 0;
  while (1 << steps < lanes) steps++;
  return 2 * (steps + 1) * (combine_cost(n) + 3 * n->carries.len);
}

/* Vectors of truth values are not transposed. */
static bool has_segments(const scan_nest *n) {
  for (int v = 0; v < n->carries.len; v++)
    if (n->dtype[n->carries.data[v].in] == SCANC_BOOL) return false;
  return true;
}

/* Instructions of a vector of elements in each order. */
typedef struct {
  int network, segments, left;
} order_costs;

/* Segments take two combinations per vector, not one per step of a network and another one, but
 * every leaf is transposed on its way in and results on their way out: in instructions per vector,
 * log2(lanes) shuffles and as many loads and stores again. */
static order_costs costs_of(const scan_nest *n, int lanes) {
  int steps = 0, moved = n->carries.len + n->stores.len, combine = combine_cost(n);
  while (1 << steps < lanes) steps++;
  return (order_costs){.network = (steps + 1) * (combine + n->carries.len),
                       .segments =
                           2 * combine + combine * (steps + 1) / lanes + moved * 2 * (steps + 1),
                       .left = lanes * combine};
}

static bool segments_pay(const scan_nest *n, int lanes) {
  order_costs c = costs_of(n, lanes);
  return c.segments < c.network;
}

/* Whether some leaf has the class behind time. */
static bool is_within_time(const scan_nest *n, int cls) {
  for (int o = 0; o < n->n_x; o++) {
    const nest_operand *p = &n->operand[o];
    for (int d = p->time_axis + 1; d < p->rank; d++)
      if (p->dim[d] == cls) return true;
  }
  return false;
}

/* Lanes over what lies within time are as good: vectors of neighbours in memory, without a network.
 */
static bool runs_along_time(const scan_nest *n) {
  for (const nest_part *p = n->part; p < n->part + n->n_part; p++)
    for (int a = 0; a < p->rank; a++)
      if (n->extent[p->cls[a]] != 1 && is_within_time(n, p->cls[a])) return false;
  return true;
}

/* Results that are one value, or the same in every step, cannot be told apart once they have been
 * combined. */
static bool results_differ(const scan_nest *n) {
  for (int c = 0; c < n->carries.len; c++) {
    if (n->invariant[n->carries.data[c].next]) return false;
    for (int d = 0; d < c; d++)
      if (n->carries.data[c].next == n->carries.data[d].next) return false;
  }
  return true;
}

static bool is_one_row(const scan_nest *n) {
  for (int c = 0; c < n->n_class; c++)
    if (n->extent[c] != 1) return false;
  return true;
}

/* Elements of an operand in a step of one row. */
static int row_elements(const nest_operand *p) {
  int elements = 1;
  for (int d = 0; d < p->rank; d++)
    if (p->dim[d] == DIM_FIXED) elements *= (int)p->size[d];
  return elements;
}

/* Those of all leaves. */
static int leaf_elements(const scan_nest *n) {
  int elements = 0;
  for (int o = 0; o < n->n_x; o++) elements += row_elements(&n->operand[o]);
  assert(elements > 0); /* there is a leaf */
  return elements;
}

/* Of an element, what the loop reads and writes. */
static int step_bytes(const scan_nest *n) {
  int bytes = 0;
  for (int o = 0; o < nest_seed(n, 0); o++) {
    const nest_operand *p = &n->operand[o];
    if (p->time_axis >= 0) bytes += row_elements(p) * (int)scanc_dtype_size(p->dtype);
  }
  return bytes;
}

/* ---- elements that change nothing ---- */

static const stmt *definition(const scan_nest *n, int v) {
  for (int i = 0; i < n->body.len; i++)
    if (n->body.data[i].value == v) return &n->body.data[i];
  return NULL;
}

/* Whether the value is a truth value, or one of those that are combined as it is. */
static bool is_selected(const scan_nest *n, int v) {
  if (n->dtype[v] == SCANC_BOOL || n->invariant[v]) return true;
  for (int c = 0; c < n->carries.len; c++)
    if (v == n->carries.data[c].in || v == n->carries.data[c].item) return true;
  const stmt *s = definition(n, v);
  if (!s || s->kind != ST_OP) return false;
  bool either = s->op == OP_maximum || s->op == OP_minimum || s->op == OP_fmax || s->op == OP_fmin;
  return (either || s->op == OP_where) && is_selected(n, s->arg[s->n_args - 1]) &&
         is_selected(n, s->arg[s->n_args - 2]);
}

/* The order of combining such elements makes no difference to any bit. */
static bool is_exact(const scan_nest *n, const nest_carry *c) {
  const stmt *s = definition(n, c->next);
  if (n->any_order) return true;
  if (!s || s->kind != ST_OP || s->n_args != 2) return false;
  bool both =
      (s->arg[0] == c->in && s->arg[1] == c->item) || (s->arg[0] == c->item && s->arg[1] == c->in);
  bool wraps = dtype_class(s->compute) == 'i' && (s->op == OP_add || s->op == OP_mul);
  return both && (wraps || s->op == OP_maximum || s->op == OP_minimum || s->op == OP_logical_or ||
                  s->op == OP_logical_and || s->op == OP_bitwise_or || s->op == OP_bitwise_and);
}

/* Combining in any order gives the same bits. */
static bool is_associative(const scan_nest *n) {
  for (int c = 0; c < n->carries.len; c++)
    if (!is_exact(n, &n->carries.data[c])) return false;
  return true;
}

/* One of the two, as it is. Then what groups of elements become is one of them, and if each of
 * those changes nothing, so does that: skipping them makes no difference to any bit either. */
static bool is_whole_choice(const scan_nest *n) {
  const stmt *first = definition(n, n->carries.data[0].next);
  if (!first || first->kind != ST_OP) return false;
  for (int c = 0; c < n->carries.len; c++) {
    const nest_carry *k = &n->carries.data[c];
    const stmt *s = definition(n, k->next);
    if (!s || s->kind != ST_OP || s->op != OP_where || s->arg[0] != first->arg[0]) return false;
    bool keeps = first->arg[1] == n->carries.data[0].in;
    if (s->arg[1] != (keeps ? k->in : k->item) || s->arg[2] != (keeps ? k->item : k->in))
      return false;
  }
  return true;
}

/* Where elements replace what came before or do not, most of a long row does not. The interpreter
 * looks at all rows and leaves together, kernels at one row and what is needed of it. */
static bool may_skip(const scan_nest *n) {
  bool exact = true, all = n->n_part == 1;
  if (!n->faults.len && is_whole_choice(n)) return true;
  for (int c = 0; c < n->carries.len; c++) {
    if (!is_selected(n, n->carries.data[c].next)) return false;
    exact = exact && is_exact(n, &n->carries.data[c]);
    all = all && n->part[0].carry[c];
  }
  return !n->faults.len && (exact || (all && is_one_row(n)));
}

/* Where there is one row only, threads share it: it is cut, for any number of them, and so that
 * this depends on the length alone, all rows are. Totals take one thread more time if they are more
 * than the results, as those of several leaves may be; so only where memory takes longer are those
 * computed. */
static void choose_cut(const scan_nest *n, prefix_wish wish, prefix_order *order) {
  int bytes = step_bytes(n), cut = CUT_BYTES, block = order->lanes;
  if (order->segments) block *= order->segments;
  if (n->faults.len || !bytes) return; /* one thread finds the first fault */
  /* What is skipped depends on all leaves, and, unless that makes no difference, on all before. */
  if (order->skip && !order->segments && (n->carries.len > 1 || !order->exact)) return;
  while (cut > MIN_CUT && cut * (int64_t)bytes > CUT_BYTES) cut /= 2;
  int64_t from = n->carries.len > 1 ? LONG_BYTES / bytes
                 : order->segments  ? 0
                                    : SHARED_BYTES / bytes;
  /* Code for short rows and for long ones is too much. */
  if (!order->exact && 5 * network_size(n, order->lanes) > 2 * MAX_NETWORK) from = 0;
  if (wish.cut) from = wish.from, cut = (wish.cut + block - 1) / block * block;
  order->cut = cut;
  order->from = from;
}

/* ---- choice ---- */

static bool can_be_network(const scan_nest *n) {
  return n->fold && n->carries.len && !n->inners.len && results_differ(n);
}

static int choose_segments(const scan_nest *n, int lanes, prefix_form form) {
  if (!has_segments(n) || form == PREFIX_IN_NETWORKS) return 0;
  return form == PREFIX_CHEAPEST && !segments_pay(n, lanes) ? 0 : SIDE_BY_SIDE * lanes;
}

/* Elements along time in a vector. */
static int count_lanes(const scan_nest *n, const target *t) {
  int lanes = t->vector_bytes / widest_value(n);
  if (lanes > MAX_LANES) lanes = MAX_LANES;
  while (lanes >= MIN_LANES && network_size(n, lanes) > MAX_NETWORK) lanes /= 2;
  return lanes;
}

/* Left folds of as many rows as there are lanes take a combination per vector. */
static bool rows_fill_lanes(const scan_nest *n) {
  return combine_cost(n) >= COSTLY && !is_one_row(n);
}

/* The order for scans of any size. */
static prefix_order choose(const scan_nest *n, const target *t, prefix_wish wish) {
  const prefix_order left = {.kind = PREFIX_LEFT};
  bool cheapest = wish.form == PREFIX_CHEAPEST;
  if (!can_be_network(n) || wish.form == PREFIX_IN_TURN) return left;
  prefix_order o = {.kind = PREFIX_NETWORK, .lanes = count_lanes(n, t)};
  if (o.lanes < 2 || (cheapest && (o.lanes < MIN_LANES || !runs_along_time(n)))) return left;
  o.segments = choose_segments(n, o.lanes, wish.form);
  if (cheapest && rows_fill_lanes(n)) o.least = (int64_t)o.lanes * leaf_elements(n);
  o.exact = is_associative(n);
  /* With segments only where there are too few elements for a block, which is to change no bit. */
  if (may_skip(n) && (!o.segments || o.exact || is_whole_choice(n))) o.skip = SKIPPED * o.lanes;
  choose_cut(n, wish, &o);
  return o;
}

/* What sizes that are known (-1: not) leave of it, in the same bits. */
static prefix_order settle(prefix_order o, int64_t length, int64_t wide) {
  if (o.kind == PREFIX_LEFT) return o;
  if (wide >= 0 && wide < o.least) o.least = 0;
  if (o.segments && (length < 0 || length >= prefix_block(o))) o.skip = 0;
  if (length < 0) return o;
  if (length + o.seeded <= 2 || (wide >= 0 && prefix_is_left(o, wide, length)))
    return (prefix_order){.kind = PREFIX_LEFT, .seeded = o.seeded};
  if (o.segments && length >= prefix_block(o)) o.least = 0;
  else o.segments = 0;
  while (o.lanes > MIN_LANES && o.lanes / 2 >= length) o.lanes /= 2;
  if (length < o.lanes + o.skip) o.skip = 0;
  if (length <= o.cut || length < o.from) o.cut = 0;
  o.from = 0;
  return o;
}

/* ---- sizes ---- */

/* The number of elements of a scan, and of the elements of a step; -1 if the types do not tell. */
typedef struct {
  int64_t length, wide;
} scan_size;

static scan_size size_of(const node *scan) {
  scan_size s = {-1, 0};
  dim length = dim_int(0), wide = dim_int(0);
  if (!prefix_sizes(scan, scan->owner->mod->syms, &length, &wide)) return (scan_size){-1, -1};
  s.length = dim_is_int(length) ? length.k : -1;
  s.wide = dim_is_int(wide) ? wide.k : -1;
  return s;
}

/* Adds the elements of a step of an operand. */
static bool add_step(val x, int64_t axis, symtab *to, dim *length, dim *wide) {
  const type *t = x.kind == VAL_NODE ? x.node->type : NULL;
  dim step = dim_int(1);
  if (!t || !type_is_tensor(t)) return false;
  if (axis < 0) axis += t->n;
  if (axis < 0 || axis >= t->n) return false;
  for (int d = 0; d < t->n; d++)
    if (d != axis) step = dim_mul(to, step, dim_import(to, t->dims[d]));
  *length = dim_import(to, t->dims[axis]);
  *wide = dim_add(to, *wide, step);
  return true;
}

bool prefix_sizes(const node *scan, symtab *to, dim *length, dim *wide) {
  const val *of = scan->operands;
  const scan_attrs *a = scan->scan;
  *wide = dim_int(0);
  if (nest_is_cumulative(scan))
    return of[1].kind == VAL_INT && add_step(of[0], of[1].i, to, length, wide);
  if (!val_is_seq(of[1]) || !of[1].n) return false;
  for (int i = 0; i < of[1].n; i++)
    if (!add_step(of[1].items[i], a ? a->x[i].axis : 0, to, length, wide)) return false;
  if (a) *length = dim_import(to, a->length);
  return true;
}

/* No dimension of a leaf counts as several. */
static bool has_plain_leaves(const scan_nest *n) {
  for (int i = 0; i < n->n_x; i++)
    if (n->operand[i].rank != n->operand[i].n_axes) return false;
  return true;
}

/* ---- graphs whose nodes have kernels of their own ---- */

typedef struct {
  const target *t;
  bool *inner; /* per graph, by the id of its first node: something that may become a kernel calls
                  it */
  bool *own;   /* per graph: its nodes have kernels of their own */
} graph_search;

static bool is_prefix(const node *n) {
  return node_is_op(n, OP_associative_scan) || nest_is_cumulative(n);
}

static void note_prefix(graph *g, void *ctx) {
  FOR_EACH_NODE (n, g)
    if (is_prefix(n)) *(bool *)ctx = true;
}

/* Whether the scan has no kernel, and something in its body has an order. */
static bool is_loop_of_prefixes(const graph_search *s, const node *n) {
  graph *body = val_graph(n->operands[0]);
  bool any = false;
  if (body) graph_walk(body, note_prefix, &any);
  if (!any) return false;
  arena *tmp = arena_new();
  str why = {0};
  const scan_nest *nest = nest_build(tmp, n, &why);
  bool steps = !nest || !nest_fits(nest, s->t->fma);
  str_free(&why);
  arena_free(tmp);
  return steps;
}

/* Whether what the node calls is planned as the graph around it is. */
static bool calls_steps(const graph_search *s, const node *n) {
  if (node_is_op(n, OP_scan)) return is_loop_of_prefixes(s, n);
  return node_is_op(n, OP_cond) || node_is_op(n, OP_while_loop) || node_is_op(n, OP_map_impl);
}

static void mark_inner(graph *g, void *ctx) { ((bool *)ctx)[g->first->id] = true; }

static void find_inner(graph *g, void *ctx) {
  graph_search *s = ctx;
  FOR_EACH_NODE (n, g) {
    if (!n->op || !(n->op->traits & T_BODY) || calls_steps(s, n)) continue;
    for (int k = 0; k < n->op->n_operands; k++) {
      graph *sub = val_graph(n->operands[k]);
      if (sub) graph_walk(sub, mark_inner, s->inner);
    }
  }
}

static void find_own(graph_search *s, graph *g) {
  int i = g->first->id;
  if (s->own[i] || s->inner[i]) return;
  s->own[i] = true;
  FOR_EACH_NODE (n, g)
    for (int k = 0; n->op && n->op->traits & T_BODY && k < n->op->n_operands; k++) {
      graph *sub = val_graph(n->operands[k]);
      if (sub) find_own(s, sub);
    }
}

/* ---- all of them ---- */

static void set_order(node *n, const target *t, prefix_wish wish) {
  arena *tmp = arena_new();
  str why = {0};
  const scan_nest *nest = wish.form == PREFIX_IN_TURN ? NULL : nest_build(tmp, n, &why);
  scan_size s = size_of(n);
  bool plain = nest && !nest->faults.len && has_plain_leaves(nest);
  n->order = (prefix_order){.kind = PREFIX_LEFT};
  if (nest) n->order = choose(nest, t, wish);
  n->order.seeded = plain && n->owner == n->owner->mod->main && prefix_is_seeded(n);
  if (nest) n->order = settle(n->order, s.length - (s.length > 0 && n->order.seeded), s.wide);
  str_free(&why);
  arena_free(tmp);
}

void prefix_orders(module *m, const target *t, prefix_wish wish) {
  arena *tmp = arena_new();
  graph_search s = {t, ARENA_ARRAY(tmp, bool, m->n_ids), ARENA_ARRAY(tmp, bool, m->n_ids)};
  graph_walk(m->main, find_inner, &s);
  find_own(&s, m->main);
  for (int i = 0; i < m->graphs.len; i++) {
    const node *first = m->graphs.data[i]->first;
    if (!first || !s.own[first->id]) continue;
    FOR_EACH_NODE (n, m->graphs.data[i])
      if (is_prefix(n)) set_order(n, t, wish);
  }
  arena_free(tmp);
}

/* ---- reasons ---- */

static const char *why_left(const scan_nest *n, int lanes) {
  if (n->inners.len) return "the combine function has an inner loop";
  if (!can_be_network(n)) return "leaves that become the same cannot be told apart";
  if (!runs_along_time(n)) return "what lies within time fills vectors";
  if (lanes < MIN_LANES) return "vectors hold too few elements";
  return rows_fill_lanes(n) ? "there are rows enough to fill vectors" : "there are few elements";
}

static const char *why_network(const scan_nest *n, int lanes) {
  if (!has_segments(n)) return "truth values are not transposed";
  return segments_pay(n, lanes) ? "there are too few elements for segments" : "that is the least";
}

void prefix_explain(str *out, const scan_nest *n, const target *t) {
  prefix_order o = n->order;
  int lanes = count_lanes(n, t);
  order_costs c = costs_of(n, lanes);
  bool left = o.kind == PREFIX_LEFT;
  str_printf(out, "%s, as %s",
             left         ? "left fold"
             : o.segments ? "segments"
                          : "network",
             left         ? why_left(n, lanes)
             : o.segments ? "that is the least"
                          : why_network(n, lanes));
  str_printf(out, "; instructions for %d elements: network %d, segments %d, left fold %d", lanes,
             c.network, c.segments, c.left);
  if (o.least)
    str_printf(out, "; left folds of %" PRId64 " rows or more%s", o.least / leaf_elements(n),
               o.segments ? " of less than a block" : "");
}
