/* Associative scans of one row for several threads: the kernels that compute its stretches
 * (ir/prefix.h), and what they get. Beside the arrays of the scan there are, per leaf, a row of
 * totals of single stretches, and, where results need that, a row of what comes before each. */
#include "runtime/plan.h"

enum { LINE = 64 }; /* bytes; threads write what they share into lines of their own */

typedef struct {
  planner *x;
  const node *n;
  const scan_nest *nest;
  const nest_view *operand;
  const nest_call *call;
  int entry; /* of the whole scan */
  plan_chain *out;
  bool *carried;       /* per leaf: what comes before a stretch is needed */
  int *before, *total; /* per leaf: blocks */
} chaining;

/* Bytes from entry to entry of the rows of leaf i. */
static int64_t entry_bytes(const scan_nest *n, int i) {
  const nest_operand *p = &n->operand[nest_seed(n, i)];
  int64_t bytes = (int64_t)scanc_dtype_size(p->dtype);
  for (int d = 0; d < p->rank; d++) bytes *= p->dim[d] == DIM_FIXED ? p->size[d] : 1;
  return (bytes + LINE - 1) / LINE * LINE;
}

/* An operand that is an entry of a row. */
static void set_strides(const scan_nest *n, int o, nest_shape *s) {
  const nest_operand *p = &n->operand[o];
  dim stride = dim_int(1);
  for (int d = p->rank - 1; d >= 0; d--) {
    s->stride[o * SCANC_MAX_RANK + d] = stride;
    if (p->dim[d] == DIM_FIXED) stride = dim_mul(NULL, stride, dim_int(p->size[d]));
  }
}

static nest_shape shape_of(const chaining *c, const scan_nest *n, chain_role role) {
  nest_shape s = c->call->shape;
  s.stride =
      arena_copy(c->x->tmp, s.stride, sizeof *s.stride * (size_t)n->n_operand * SCANC_MAX_RANK);
  for (int i = 0; i < n->n_x; i++) {
    if (role != CHAIN_FIRST) set_strides(n, nest_seed(n, i), &s);
    set_strides(n, nest_total(n, i), &s);
    if (role == CHAIN_JOIN) set_strides(n, i, &s);
  }
  return s;
}

/* ---- places ---- */

static void place_leaf(const chaining *c, int block, int64_t entry, int i, int at, plan_places *p) {
  int64_t size = entry_bytes(c->nest, i);
  p->buffer[at] = block;
  p->offset[at] = dim_int(entry * size);
  p->advance[at] = dim_int(size);
}

static void place_operand(const chaining *c, int o, int at, plan_places *p) {
  const nest_operand *q = &c->nest->operand[o];
  int64_t size = (int64_t)scanc_dtype_size(q->dtype);
  p->buffer[at] = c->operand[o].buffer;
  p->offset[at] = c->call->offset[o];
  p->advance[at] = dim_int(0);
  if (q->time_axis < 0) return;
  dim stride = c->call->shape.stride[o * SCANC_MAX_RANK + q->time_axis];
  p->advance[at] = dim_mul(c->x->syms, stride, dim_int(size * c->nest->order.cut));
}

/* What comes before stretch k is entry k of its row, its total entry k of the other one. */
static void place_all(const chaining *c, const scan_nest *n, chain_role role, int entry,
                      plan_places *p) {
  int max = nest_max_buffers(n);
  bool single = role == CHAIN_TOTAL || role == CHAIN_AGAIN;
  p->buffer = ARENA_ARRAY(c->x->tmp, int, max);
  p->offset = ARENA_ARRAY(c->x->tmp, dim, max);
  p->advance = ARENA_ARRAY(c->x->tmp, dim, max);
  p->n = nest_buffers(n, entry, p->buffer);
  for (int at = 0; at < p->n; at++) {
    int o = p->buffer[at], seed = o - nest_seed(n, 0), total = o - nest_total(n, 0);
    if (total >= 0 && single) place_leaf(c, c->total[total], 0, total, at, p);
    else if (total >= 0) place_leaf(c, c->before[total], 1, total, at, p);
    else if (seed >= 0 && role == CHAIN_FIRST) place_operand(c, o, at, p);
    else if (seed >= 0) place_leaf(c, c->before[seed], 0, seed, at, p);
    else if (role == CHAIN_JOIN && o < n->n_x) place_leaf(c, c->total[o], 0, o, at, p);
    else place_operand(c, o, at, p);
  }
}

/* ---- kernels ---- */

/* The nest of a kernel that computes one stretch, or joins totals. */
static const scan_nest *nest_of(const chaining *c, chain_role role) {
  arena *mem = c->x->pl->mem;
  scan_nest *n = arena_copy(mem, c->nest, sizeof *n);
  n->order.from = 0;
  if (role == CHAIN_TOTAL) return n;
  n->operand = arena_copy(mem, n->operand, sizeof *n->operand * (size_t)n->n_operand);
  for (int i = 0; i < n->n_x; i++)
    n->operand[nest_seed(n, i)].none = n->operand[nest_total(n, i)].none = !c->carried[i];
  /* One element joins one: there is nothing to be done in vectors. */
  return role == CHAIN_JOIN ? nest_in_turn(mem, nest_join(mem, n)) : n;
}

static bool add_role(const chaining *c, chain_role role, int entry, const target *t) {
  planner *x = c->x;
  arena *mem = x->pl->mem;
  const scan_nest *n = nest_of(c, role);
  nest_shape shape = shape_of(c, n, role);
  scan_layout layout = layout_make(mem, n, &shape, entry);
  kernel *k = nest_kernel(mem, n, &layout);
  dim *ints = ARENA_ARRAY(x->tmp, dim, nest_max_ints(n));
  layout_ints(n, &layout, &shape, dim_int(0), ints);
  kernel_fix(k, ints, CHAIN_LENGTH);
  schedule_scan(k, t);
  bool ok = plan_verify(x, c->n, k);
  ints[CHAIN_LENGTH] = dim_int(0); /* the call gets another one */
  c->out->k[role] = k;
  c->out->ints[role] = ints;
  c->out->less[role] = nest_unseeded(c->nest, entry);
  place_all(c, n, role, entry, &c->out->place[role]);
  return ok;
}

static bool add_roles(const chaining *c) {
  const int entry[] = {[CHAIN_FIRST] = c->entry | FOLD_TOTAL,
                       [CHAIN_LATER] = FOLD_SEED | FOLD_RESULTS | FOLD_TOTAL,
                       [CHAIN_AGAIN] = FOLD_SEED | FOLD_RESULTS | FOLD_TOTAL,
                       [CHAIN_TOTAL] = FOLD_TOTAL,
                       [CHAIN_JOIN] = FOLD_SEED | FOLD_TOTAL};
  target t;
  if (!target_get(c->x->p->opts.cpu, &t)) return false;
  for (int r = 0; r < CHAIN_ROLES; r++)
    if (!add_role(c, (chain_role)r, entry[r], &t)) return false;
  c->out->k[CHAIN_AGAIN] = c->out->k[CHAIN_LATER];
  return true;
}

/* The rows beside the arrays, and which of them there are. */
static void add_rows(chaining *c, dim stretches) {
  planner *x = c->x;
  const scan_nest *n = c->nest;
  bool *carried = ARENA_ARRAY(x->tmp, bool, n->carries.len);
  c->carried = ARENA_ARRAY(x->tmp, bool, n->n_x);
  c->before = ARENA_ARRAY(x->tmp, int, n->n_x);
  c->total = ARENA_ARRAY(x->tmp, int, n->n_x);
  nest_find_carried(x->tmp, n, carried);
  for (int i = 0; i < n->carries.len; i++)
    if (carried[i]) c->carried[n->carries.data[i].init.operand] = true;
  for (int i = 0; i < n->n_x; i++) {
    dim bytes = dim_mul(x->syms, stretches, dim_int(entry_bytes(n, i)));
    c->total[i] = plan_scratch(x, bytes);
    if (c->carried[i])
      c->before[i] = plan_scratch(x, dim_add(x->syms, bytes, dim_int(entry_bytes(n, i))));
  }
}

bool plan_add_chain(planner *x, const node *n, const scan_nest *nest, const nest_view *operand,
                    const nest_call *call, dim length, int entry, plan_step *s) {
  if (x->p->opts.threads == 1 || s->split || !nest->order.cut) return true;
  if (!(entry & FOLD_RESULTS)) return true;
  for (int c = 0; c < nest->n_class; c++)
    if (nest->extent[c] != 1) return true; /* pieces of what is beside time */
  if (nest->n_part != 1 || nest->faults.len || nest->inners.len) return true;
  plan_chain *out = s->chain = ARENA_NEW(x->tmp, plan_chain);
  dim stretches = dim_ceildiv(x->syms, length, dim_int(nest->order.cut));
  chaining c = {
      .x = x, .n = n, .nest = nest, .operand = operand, .call = call, .entry = entry, .out = out};
  add_rows(&c, stretches);
  out->flags = plan_scratch(x, dim_mul(x->syms, stretches, dim_int((int64_t)sizeof(int32_t))));
  out->length = length;
  out->cut = nest->order.cut;
  out->least = nest->order.from > out->cut ? nest->order.from : out->cut + 1;
  out->picoseconds = split_cost(s->k);
  return add_roles(&c);
}
