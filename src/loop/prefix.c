#include "loop/prefix.h"

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

/* Segments take two combinations per vector, not one per step of a network and another one, but
 * every leaf is transposed on its way in and results on their way out: in instructions per vector,
 * log2(lanes) shuffles and as many loads and stores again. */
static bool segments_pay(const scan_nest *n, int lanes) {
  int steps = 0, moved = n->carries.len, combine = combine_cost(n);
  while (1 << steps < lanes) steps++;
  for (int y = 0; y < n->stores.len; y++) moved++;
  int network = (steps + 1) * (combine + n->carries.len),
      segments = 2 * combine + combine * (steps + 1) / lanes + moved * 2 * (steps + 1);
  return segments < network;
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

/* Rows that are known to be there. */
static int64_t count_rows(const scan_nest *n) {
  int64_t rows = 1;
  for (int c = 0; c < n->n_class; c++)
    if (n->extent[c] > 0 && __builtin_mul_overflow(rows, n->extent[c], &rows)) return INT64_MAX;
  return rows;
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

/* Of an element, what the loop reads and writes. */
static int step_bytes(const scan_nest *n) {
  int bytes = 0;
  for (int o = 0; o < nest_seed(n, 0); o++) {
    const nest_operand *p = &n->operand[o];
    int elements = 1;
    for (int d = 0; d < p->rank; d++)
      if (p->dim[d] == DIM_FIXED) elements *= (int)p->size[d];
    if (p->time_axis >= 0) bytes += elements * (int)scanc_dtype_size(p->dtype);
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

/* Where there is one row only, threads share it: it is cut, for any number of them. Totals take one
 * thread more time if they are more than the results, as those of several leaves may be; so only
 * where memory takes longer are those computed. */
static void choose_cut(const scan_nest *n, int64_t length, prefix_wish wish, prefix_order *order) {
  int bytes = step_bytes(n), cut = CUT_BYTES, block = order->lanes;
  if (order->segments) block *= order->segments;
  if (n->faults.len || !bytes || !is_one_row(n)) return; /* one thread finds the first fault */
  /* What is skipped depends on all leaves, and, unless that makes no difference, on all before. */
  if (order->skip && (n->carries.len > 1 || !order->exact)) return;
  while (cut > MIN_CUT && cut * (int64_t)bytes > CUT_BYTES) cut /= 2;
  int64_t from = n->carries.len > 1 ? LONG_BYTES / bytes
                 : order->segments  ? 0
                                    : SHARED_BYTES / bytes;
  bool twice = length < 0 && from && !order->exact; /* code for short rows and for long ones */
  if (twice && 5 * network_size(n, order->lanes) > 2 * MAX_NETWORK) return;
  if (wish.cut) from = wish.from, cut = (wish.cut + block - 1) / block * block;
  if (length >= 0 && (length <= cut || length < from)) return;
  order->cut = cut;
  order->from = length < 0 ? from : 0;
}

/* ---- choice ---- */

static bool can_be_network(const scan_nest *n) {
  return n->fold && n->carries.len && !n->inners.len && results_differ(n);
}

/* One element after the other, in vectors of what else there is, takes less. */
static bool left_pays(const scan_nest *n, int64_t length, const prefix_order *o) {
  bool fills = o->segments && length >= 0; /* read in the order of memory, which gathers do not */
  if (o->lanes < MIN_LANES || !runs_along_time(n)) return true;
  return !fills && combine_cost(n) >= COSTLY && count_rows(n) >= o->lanes;
}

static int choose_segments(const scan_nest *n, int64_t length, int lanes, prefix_form form) {
  int segments = SIDE_BY_SIDE * lanes;
  if (!has_segments(n) || form == PREFIX_IN_NETWORKS) return 0;
  if (form == PREFIX_CHEAPEST && !segments_pay(n, lanes)) return 0;
  return length >= 0 && length < (int64_t)segments * lanes ? 0 : segments;
}

prefix_order prefix_choose(const scan_nest *n, int64_t length, const target *t, prefix_wish wish) {
  const prefix_order left = {.kind = PREFIX_LEFT};
  if (!can_be_network(n) || wish.form == PREFIX_IN_TURN) return left;
  prefix_order o = {.kind = PREFIX_NETWORK, .lanes = t->vector_bytes / widest_value(n)};
  if (o.lanes > MAX_LANES) o.lanes = MAX_LANES;
  while (length >= 0 && o.lanes / 2 >= length && o.lanes > 1) o.lanes /= 2;
  while (o.lanes >= MIN_LANES && network_size(n, o.lanes) > MAX_NETWORK) o.lanes /= 2;
  o.segments = choose_segments(n, length, o.lanes, wish.form);
  if (o.lanes < 2 || (wish.form == PREFIX_CHEAPEST && left_pays(n, length, &o))) return left;
  o.exact = is_associative(n);
  if (!o.segments && may_skip(n)) o.skip = SKIPPED * o.lanes;
  if (length >= 0 && length < o.lanes + o.skip) o.skip = 0;
  choose_cut(n, length, wish, &o);
  return o;
}

static int64_t running_length(const node *n) {
  const type *t = n->operands[0].kind == VAL_NODE ? n->operands[0].node->type : NULL;
  val axis = n->operands[1];
  if (!t || !type_is_tensor(t) || axis.kind != VAL_INT) return -1;
  int64_t d = axis.i < 0 ? axis.i + t->n : axis.i;
  return d >= 0 && d < t->n && dim_is_int(t->dims[d]) ? t->dims[d].k : -1;
}

/* The number of elements, -1 if no type tells. */
static int64_t length_of(const node *scan) {
  val xs = scan->operands[1];
  if (nest_is_cumulative(scan)) return running_length(scan);
  if (scan->scan) return dim_is_int(scan->scan->length) ? scan->scan->length.k : -1;
  for (int i = 0; i < xs.n; i++) {
    const type *t = xs.items[i].kind == VAL_NODE ? xs.items[i].node->type : NULL;
    if (t && type_is_tensor(t) && t->n && dim_is_int(t->dims[0])) return t->dims[0].k;
  }
  return -1;
}

void prefix_orders(module *m, const target *t, prefix_wish wish) {
  FOR_EACH_NODE (n, m->main) {
    if (!node_is_op(n, OP_associative_scan) && !nest_is_cumulative(n)) continue;
    arena *tmp = arena_new();
    str why = {0};
    const scan_nest *nest = wish.form == PREFIX_IN_TURN ? NULL : nest_build(tmp, n, &why);
    n->order = (prefix_order){.kind = PREFIX_LEFT};
    if (nest) n->order = prefix_choose(nest, length_of(n), t, wish);
    str_free(&why);
    arena_free(tmp);
  }
}
