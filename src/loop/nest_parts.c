/* Which results are computed by one set of loops: those over the same classes, and those over fewer
 * that need the same carries. */
#include "loop/body.h"
#include "loop/bundle.h"
#include "loop/walk.h"

enum {
  MAX_COST = 900, /* of a step: a kernel is to have less than 1,200 vector instructions */
  MAX_SCALAR_COST = 300,
  MAX_BUNDLED_COST = 400,
  MAX_PRODUCT_COST = 500, /* of an associative scan of single matrices */
  BUNDLE_BYTES = 32       /* vectors of most machines */
};

typedef struct {
  body *b;
  scan_nest *n;
  const stmt **def; /* per value: the statement that defines it, NULL */
  int *carry_of;    /* per value: carry whose `in` it is, -1 */
  int *inner_of;    /* per value: carry of an inner scan that it enters or leaves, -1 */
} splitter;

/* ---- what a result needs ---- */

static void need(splitter *s, nest_part *p, int v);

static void need_carry(splitter *s, nest_part *p, int c) {
  if (p->carry[c]) return;
  p->carry[c] = true;
  p->operand[s->n->carries.data[c].init.operand] = true;
  if (s->n->fold) need(s, p, s->n->carries.data[c].item);
  need(s, p, s->n->carries.data[c].next);
}

static void need_inner(splitter *s, nest_part *p, int c) {
  if (p->inner_carry[c]) return;
  p->inner_carry[c] = true;
  need(s, p, s->n->inner_carries.data[c].init);
  need(s, p, s->n->inner_carries.data[c].next);
}

/* Where elements are combined before they meet a carry, what enters the body as an element is
 * carried too. */
static void need_element(splitter *s, nest_part *p, int v) {
  const scan_nest *n = s->n;
  if (n->order.kind == PREFIX_LEFT) return;
  for (int c = 0; c < n->carries.len; c++)
    if (n->carries.data[c].item == v) need_carry(s, p, c);
}

static void need(splitter *s, nest_part *p, int v) {
  if (p->value[v]) return;
  p->value[v] = true;
  need_element(s, p, v);
  if (s->carry_of[v] >= 0) need_carry(s, p, s->carry_of[v]);
  else if (s->inner_of[v] >= 0) need_inner(s, p, s->inner_of[v]);
  else if (s->n->input_of[v] >= 0)
    p->operand[s->n->inputs.data[s->n->input_of[v]].ref.operand] = true;
  for (int a = 0; s->def[v] && a < s->def[v]->n_args; a++) need(s, p, s->def[v]->arg[a]);
}

/* The carries whose results a result of a group is computed from. */
static void need_results(splitter *s, nest_part *p, int v, bool *seen) {
  if (seen[v]) return;
  seen[v] = true;
  for (int c = 0; c < s->n->carries.len; c++)
    if (s->n->carries.data[c].next == v) {
      need_carry(s, p, c);
      return;
    }
  for (int a = 0; s->def[v] && a < s->def[v]->n_args; a++)
    need_results(s, p, s->def[v]->arg[a], seen);
}

static nest_part part_new(const splitter *s) {
  const scan_nest *n = s->n;
  arena *mem = s->b->mem;
  nest_part p = {.value = ARENA_ARRAY(mem, bool, n->n_value),
                 .carry = ARENA_ARRAY(mem, bool, n->carries.len),
                 .last = ARENA_ARRAY(mem, bool, n->carries.len),
                 .store = ARENA_ARRAY(mem, bool, n->stores.len),
                 .operand = ARENA_ARRAY(mem, bool, n->n_operand),
                 .inner_carry = ARENA_ARRAY(mem, bool, n->inner_carries.len)};
  return p;
}

/* The classes of result operand o. */
static void set_classes(const splitter *s, int o, nest_part *p) {
  const nest_operand *r = &s->n->operand[o];
  for (int d = 0; d < r->rank; d++)
    if (r->dim[d] >= 0 && nest_inner_of(s->n, r, d) < 0) p->cls[p->rank++] = r->dim[d];
}

static void add_result(splitter *s, nest_part *p, int o) {
  const scan_nest *n = s->n;
  p->operand[o] = true;
  for (int c = 0; c < n->carries.len; c++) {
    if (n->carries.data[c].last.operand != o) continue;
    p->last[c] = true;
    need_carry(s, p, c);
  }
  for (int y = 0; y < n->stores.len; y++) {
    if (n->stores.data[y].ref.operand != o) continue;
    p->store[y] = true;
    need(s, p, n->stores.data[y].value);
    if (n->stores.data[y].carry >= 0) need_carry(s, p, n->stores.data[y].carry);
    else if (n->n_made)
      need_results(s, p, n->stores.data[y].value, ARENA_ARRAY(s->b->mem, bool, n->n_value));
  }
}

/* ---- grouping ---- */

static bool has_class(const nest_part *p, int c) {
  for (int a = 0; a < p->rank; a++)
    if (p->cls[a] == c) return true;
  return false;
}

static bool is_subset(const nest_part *inner, const nest_part *outer) {
  for (int a = 0; a < inner->rank; a++)
    if (!has_class(outer, inner->cls[a])) return false;
  return true;
}

static bool share_carry(const scan_nest *n, const nest_part *a, const nest_part *c) {
  for (int i = 0; i < n->carries.len; i++)
    if (a->carry[i] && c->carry[i]) return true;
  return false;
}

/* Every point of a part has scratch of its own, so that what is read from it counts as different.
 */
static bool has_scratch(const scan_nest *n, const nest_part *p) {
  for (int c = 0; c < n->carries.len; c++)
    if (nest_in_scratch(n, p, c)) return true;
  return false;
}

static void merge_flags(bool *to, const bool *from, int n) {
  for (int i = 0; i < n; i++) to[i] = to[i] || from[i];
}

static void merge(const scan_nest *n, nest_part *to, const nest_part *from) {
  merge_flags(to->value, from->value, n->n_value);
  merge_flags(to->carry, from->carry, n->carries.len);
  merge_flags(to->last, from->last, n->carries.len);
  merge_flags(to->store, from->store, n->stores.len);
  merge_flags(to->operand, from->operand, n->n_operand);
  merge_flags(to->inner_carry, from->inner_carry, n->inner_carries.len);
}

static bool belongs(const scan_nest *n, const nest_part *p, const nest_part *to, bool exact) {
  if (!is_subset(p, to)) return false;
  return p->rank == to->rank || (!exact && share_carry(n, p, to) && !has_scratch(n, p));
}

/* Every operand that a part reads must be indexed by its loops alone. */
static bool check_part(splitter *s, const node *scan, const nest_part *p) {
  for (int o = 0; o < s->n->n_operand; o++)
    for (int d = 0; p->operand[o] && d < s->n->operand[o].rank; d++)
      if (s->n->operand[o].dim[d] >= 0 && nest_inner_of(s->n, &s->n->operand[o], d) < 0 &&
          !has_class(p, s->n->operand[o].dim[d]))
        return body_refuse(
            s->b, scan, "a result depends on all of '%s' along a dimension that it does not have",
            s->n->operand[o].name);
  return true;
}

static bool add_part(splitter *s, const node *scan, const nest_part *p, bool exact, nest_part *part,
                     int *n_part) {
  int to = 0;
  if (!check_part(s, scan, p)) return false;
  while (to < *n_part && !belongs(s->n, p, &part[to], exact)) to++;
  if (to == *n_part) part[(*n_part)++] = *p;
  else merge(s->n, &part[to], p);
  return true;
}

/* Operations that can fail: where no part computes them, and in exact parts all of them. */
static bool add_faults(splitter *s, const node *scan, bool exact, nest_part *part, int *n_part) {
  const scan_nest *n = s->n;
  for (int i = 0; i < n->fault_at.len; i++) {
    const nest_fault *f = &n->fault_at.data[i];
    bool seen = false;
    for (int k = 0; k < *n_part && !exact; k++) seen |= part[k].value[f->value];
    if (seen) continue;
    nest_part p = part_new(s);
    p.rank = f->rank;
    for (int a = 0; a < f->rank; a++) p.cls[a] = f->cls[a];
    need(s, &p, f->value);
    if (!add_part(s, scan, &p, exact, part, n_part)) return false;
  }
  return true;
}

/* Results with more loops first, so that the others find them. */
static bool make_parts(splitter *s, const node *scan, bool exact, nest_part **out, int *n_out) {
  scan_nest *n = s->n;
  nest_part *part = *out = ARENA_ARRAY(s->b->mem, nest_part, n->n_operand + n->fault_at.len);
  for (int rank = SCANC_MAX_RANK; rank >= 0; rank--)
    for (int o = n->n_leaf; o < nest_seed(n, 0); o++) {
      nest_part p = part_new(s);
      set_classes(s, o, &p);
      if (p.rank != rank || n->operand[o].none) continue;
      add_result(s, &p, o);
      if (!add_part(s, scan, &p, exact, part, n_out)) return false;
    }
  return add_faults(s, scan, exact, part, n_out);
}

/* ---- inner loops ---- */

/* Sets of inner loops, a bit each: those that must be finished before a value is there, before a
 * loop can begin. */
typedef struct {
  const scan_nest *n;
  uint64_t *value, *loop;
} waiting;

static void wait_for(waiting *w, int inner, int v) {
  if (inner >= 0) w->loop[inner] |= w->value[v];
}

static void find_waits(waiting *w) {
  const scan_nest *n = w->n;
  for (int c = 0; c < n->inner_carries.len; c++) {
    const inner_carry *k = &n->inner_carries.data[c];
    w->value[k->out] |= (uint64_t)1 << k->inner | w->loop[k->inner];
  }
  for (int i = 0; i < n->body.len; i++) {
    const stmt *s = &n->body.data[i];
    for (int a = 0; a < s->n_args; a++) {
      w->value[s->value] |= w->value[s->arg[a]];
      wait_for(w, n->domain[s->value], s->arg[a]);
    }
  }
  for (int c = 0; c < n->inner_carries.len; c++) {
    wait_for(w, n->inner_carries.data[c].inner, n->inner_carries.data[c].init);
    wait_for(w, n->inner_carries.data[c].inner, n->inner_carries.data[c].next);
  }
  for (int c = 0; c < n->carries.len; c++)
    wait_for(w, n->domain[n->carries.data[c].in], n->carries.data[c].next);
  for (int y = 0; y < n->stores.len; y++) {
    const nest_operand *p = &n->operand[n->stores.data[y].ref.operand];
    for (int d = 0; d < p->rank; d++) wait_for(w, nest_inner_of(n, p, d), n->stores.data[y].value);
  }
}

/* Whether some result goes along an inner loop and has values of another. */
static bool crosses(const scan_nest *n) {
  for (int y = 0; y < n->stores.len; y++) {
    const nest_operand *p = &n->operand[n->stores.data[y].ref.operand];
    int domain = n->domain[n->stores.data[y].value];
    for (int d = 0; d < p->rank; d++) {
      int inner = nest_inner_of(n, p, d);
      if (domain >= 0 && inner >= 0 && inner != domain) return true;
    }
  }
  return false;
}

/* All that an inner loop computes is computed in one loop, so nothing in it may wait for its end.
 */
static bool check_inner_loops(body *b, const node *scan) {
  const scan_nest *n = b->n;
  if (n->inners.len > 64) return body_refuse(b, scan, "more than 64 inner loops");
  if (crosses(n)) return body_refuse(b, scan, "values along two inner scans meet");
  waiting w = {n, ARENA_ARRAY(b->mem, uint64_t, n->n_value),
               ARENA_ARRAY(b->mem, uint64_t, n->inners.len)};
  for (int i = 0; i <= n->inners.len; i++) find_waits(&w);
  for (int i = 0; i < n->inners.len; i++)
    if (w.loop[i] >> i & 1)
      return body_refuse(
          b, scan, "results along an inner scan that need its last carry have no lowering yet");
  return true;
}

/* Loops take their sizes from operands. */
static bool is_size(const body *b, int cls) {
  const scan_nest *n = b->n;
  for (int o = 0; o < n->n_operand; o++)
    for (int d = 0; d < n->operand[o].rank; d++)
      if (n->operand[o].dim[d] == cls) return true;
  return b->extents.data[cls] > 0;
}

static bool check_sizes(body *b, const node *scan) {
  const scan_nest *n = b->n;
  for (int i = 0; i < n->inners.len; i++)
    if (!is_size(b, n->inners.data[i].cls))
      return body_refuse(b, scan, "an inner scan whose length no operand has as a size");
  for (int i = 0; i < n->fault_at.len; i++)
    for (int a = 0; a < n->fault_at.data[i].rank; a++)
      if (!is_size(b, n->fault_at.data[i].cls[a]))
        return body_refuse(b, scan, "a division over a size that no operand has");
  return true;
}

bool nest_split(body *b, const node *scan) {
  scan_nest *n = b->n;
  splitter s = {.b = b, .n = n};
  n->n_class = b->extents.len;
  n->extent = b->extents.data;
  n->n_value = b->names.len;
  n->value_name = b->names.data;
  n->dtype = b->dtypes.data;
  n->invariant = b->invariant.data;
  n->input_of = b->input_of.data;
  n->domain = b->domain.data;
  if (!check_inner_loops(b, scan) || !check_sizes(b, scan)) return false;
  s.def = ARENA_ARRAY(b->mem, const stmt *, n->n_value);
  s.carry_of = ARENA_ARRAY(b->mem, int, n->n_value);
  s.inner_of = ARENA_ARRAY(b->mem, int, n->n_value);
  for (int v = 0; v < n->n_value; v++) s.carry_of[v] = s.inner_of[v] = -1;
  for (int c = 0; c < n->inner_carries.len; c++)
    s.inner_of[n->inner_carries.data[c].in] = s.inner_of[n->inner_carries.data[c].out] = c;
  for (int i = 0; i < n->body.len; i++) s.def[n->body.data[i].value] = &n->body.data[i];
  for (int c = 0; c < n->carries.len; c++) s.carry_of[n->carries.data[c].in] = c;
  return make_parts(&s, scan, false, &n->part, &n->n_part) &&
         make_parts(&s, scan, true, &n->exact, &n->n_exact);
}

/* Whether a step is short enough where no loop runs in lanes: with operations side by side in
 * vectors. */
static bool is_short(body *b) {
  scan_nest *n = b->n;
  straight_line line = {.dtype = n->dtype, .n_values = n->n_value, .n_carries = n->carries.len};
  VEC(stmt) steps = {0};
  bundles found;
  int(*carry)[2] = arena_alloc(b->mem, sizeof *carry * (size_t)n->carries.len);
  for (int i = 0; i < n->body.len; i++)
    if (!n->invariant[n->body.data[i].value]) vec_push(b->mem, &steps, n->body.data[i]);
  for (int c = 0; c < n->carries.len; c++)
    carry[c][0] = n->carries.data[c].in, carry[c][1] = n->carries.data[c].next;
  line.s = steps.data, line.n = steps.len, line.carry = carry;
  return !n->inners.len && bundles_find(b->mem, &line, BUNDLE_BYTES, &found) &&
         found.cost <= MAX_BUNDLED_COST;
}

/* Math functions multiply and add most of the time. */
static int unfused(const stmt *s) {
  enum { LEAST_MATH = 20, EXTRA_PERCENT = 20 };
  int cost = stmt_cost(s);
  return s->kind == ST_OP && cost >= LEAST_MATH ? cost + cost * EXTRA_PERCENT / 100 : cost;
}

static bool has_lanes(const scan_nest *n) {
  bool lanes = false;
  for (int p = 0; p < n->n_part; p++) lanes |= n->part[p].rank > 0;
  return lanes;
}

bool nest_fits(const scan_nest *n, bool fma) {
  int cost = 0;
  bool fused = fma || !has_lanes(n);
  for (int i = 0; i < n->body.len; i++) cost += (fused ? stmt_cost : unfused)(&n->body.data[i]);
  return cost <= MAX_COST || n->timeless;
}

static bool multiplies_matrices(const graph *g) {
  static const op_id ids[] = {OP_mm, OP_bmm, OP_matmul, OP_mv};
  for (const node *n = g ? g->first : NULL; n; n = n->next)
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
      if (node_is_op(n, ids[i])) return true;
  return false;
}

/* Products of matrices from some size on take less time in a kernel of their own, step by step. */
static bool is_large_product(const body *b, const node *scan) {
  return b->n->fold && b->unrolled > MAX_PRODUCT_COST && !has_lanes(b->n) &&
         multiplies_matrices(val_graph(scan->operands[0]));
}

/* A scan without a loop that could run in lanes computes one element after the other, and vectors
 * over what would be unrolled do more. */
bool nest_pays(body *b, const node *scan) {
  const scan_nest *n = b->n;
  if (!nest_fits(n, true)) return body_refuse(b, scan, "the body is too large for one kernel");
  bool lanes = n->fold || n->timeless || b->unrolled <= MAX_SCALAR_COST || has_lanes(n);
  lanes = lanes && !is_large_product(b, scan);
  return lanes || (!n->fold && is_short(b)) ||
         body_refuse(b, scan, "too many operations on single elements");
}
