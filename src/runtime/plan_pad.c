/* Padding and rolling: pieces of the operand next to each other. Amounts are numbers or sizes;
 * those to roll by may be told by the data, then there is an index for every position. */
#include <string.h>

#include "passes/view.h"
#include "runtime/plan_cell.h"
#include "runtime/plan_index.h"
#include "runtime/plan_move.h"

/* Indices from <= i < to along d. */
static nest_view range(planner *x, const nest_view *v, int d, dim from, dim to) {
  return view_range(x->syms, v, d, from, to);
}

static dim add(planner *x, dim a, dim b) { return dim_add(x->syms, a, b); }
static dim sub(planner *x, dim a, dim b) { return dim_sub(x->syms, a, b); }
static dim twice(planner *x, dim a) { return dim_mul(x->syms, a, dim_int(2)); }
static plan_steps made(bool ok) { return ok ? STEPS_MADE : STEPS_REFUSED; }

/* a, or 0 if it is negative; -a, or 0 if a is positive. */
static dim above(planner *x, dim a) { return dim_max(x->syms, a, dim_int(0)); }
static dim below(planner *x, dim a) { return above(x, dim_neg(x->syms, a)); }

/* The items of a list, or a single one. Returns how many, -1: too many. */
static int list_items(val v, val *out, int max) {
  if (v.kind == VAL_ABSENT || v.kind == VAL_NONE) return 0;
  if (!val_is_seq(v)) return out[0] = v, 1;
  for (int i = 0; i < v.n && i < max; i++) out[i] = v.items[i];
  return v.n > max ? -1 : v.n;
}

/* ---- padding ---- */

typedef struct {
  planner *x;
  const node *n;
  nest_view from, to;
  dim by[2 * SCANC_MAX_RANK]; /* per dimension, from the last one: before, behind */
  int dims;
} padding;

/* What of the operand is in the result, and where. */
static bool pad_middle(padding *p, nest_view *from, nest_view *to) {
  planner *x = p->x;
  *from = p->from;
  *to = p->to;
  for (int i = 0; i < p->dims; i++) {
    int d = from->rank - 1 - i;
    dim low = p->by[2 * i], high = p->by[2 * i + 1], begin = below(x, low), at = above(x, low);
    dim end = sub(x, from->size[d], below(x, high)), size = sub(x, end, begin);
    if (!plan_require(x, size)) return false;
    *to = range(x, to, d, at, add(x, at, size));
    *from = range(x, from, d, begin, end);
  }
  return true;
}

static bool pad_constant(padding *p) {
  planner *x = p->x;
  bool ok = true;
  for (int i = 0; i < p->dims && ok; i++) {
    int d = p->to.rank - 1 - i;
    dim low = above(x, p->by[2 * i]), high = above(x, p->by[2 * i + 1]), end = p->to.size[d];
    nest_view before = range(x, &p->to, d, dim_int(0), low),
              behind = range(x, &p->to, d, sub(x, end, high), end);
    if (!dim_is(low, 0)) ok = ok && plan_fill(x, p->n, &before, p->n->operands[3]);
    if (!dim_is(high, 0)) ok = ok && plan_fill(x, p->n, &behind, p->n->operands[3]);
  }
  return ok;
}

/* The piece of the result that fills `size` elements from `begin` on along d: those of a run from
 * `at` on, forwards, backwards or standing still. */
static bool pad_piece(padding *p, int d, dim begin, dim size, dim at, int step) {
  planner *x = p->x;
  if (dim_is(size, 0)) return true;
  nest_view to = range(x, &p->to, d, begin, add(x, begin, size));
  nest_view from = range(x, &p->to, d, at, add(x, at, size));
  from.stride[d] = dim_mul(x->syms, from.stride[d], dim_int(step));
  return plan_copy(x, p->n, &from, &to);
}

/* Dimension by dimension from what the result has already. No amount is negative. */
static bool pad_from_inside(padding *p, const char *mode) {
  planner *x = p->x;
  bool ok = true, reflect = !strcmp(mode, "reflect"), around = !strcmp(mode, "circular");
  for (int i = 0; i < p->dims && ok; i++) {
    int d = p->to.rank - 1 - i;
    dim low = p->by[2 * i], high = p->by[2 * i + 1], most = dim_max(x->syms, low, high);
    dim size = p->from.size[d], first = low, end = add(x, first, size), one = dim_int(1);
    dim last = sub(x, end, one), zero = dim_int(0);
    ok = plan_require(x, sub(x, size, reflect ? add(x, most, one) : around ? most : one));
    if (reflect)
      ok = ok && pad_piece(p, d, zero, low, twice(x, low), -1) &&
           pad_piece(p, d, end, high, sub(x, last, one), -1);
    else if (around)
      ok = ok && pad_piece(p, d, zero, low, size, 1) && pad_piece(p, d, end, high, first, 1);
    else ok = ok && pad_piece(p, d, zero, low, first, 0) && pad_piece(p, d, end, high, last, 0);
  }
  return ok;
}

static bool grows(const padding *p) {
  bool yes = true;
  for (int i = 0; i < 2 * p->dims; i++) {
    int64_t min, max;
    dim_bounds(p->x->syms, p->by[i], &min, &max);
    yes = yes && min >= 0;
  }
  return yes;
}

static bool pad_outwards(padding *p, const char *mode) {
  nest_view from, to;
  return pad_middle(p, &from, &to) && plan_copy(p->x, p->n, &from, &to) && pad_from_inside(p, mode);
}

/* Negative amounts cut: around the operand before it repeats itself, otherwise what has been put
 * around it, as the edges are those of the whole. */
static bool pad_and_cut(padding *p, const char *mode) {
  planner *x = p->x;
  bool around = !strcmp(mode, "circular");
  padding q = *p, cut = *p;
  for (int i = 0; i < 2 * p->dims; i++) {
    q.by[i] = above(x, p->by[i]);
    cut.by[i] = dim_neg(x->syms, below(x, p->by[i]));
  }
  nest_view whole = p->from, from, to;
  for (int i = 0; i < p->dims; i++) {
    int d = whole.rank - 1 - i;
    whole.size[d] = add(x, whole.size[d], add(x, q.by[2 * i], q.by[2 * i + 1]));
  }
  if (around) {
    if (!pad_middle(&cut, &q.from, &to)) return false;
    return pad_outwards(&q, mode);
  }
  q.to = cut.from = plan_new_array(x, whole.dtype, whole.size, whole.rank);
  return pad_outwards(&q, mode) && pad_middle(&cut, &from, &to) && plan_copy(x, p->n, &from, &to);
}

plan_steps plan_pad(planner *x, const node *n) {
  padding p = {.x = x, .n = n};
  val by[2 * SCANC_MAX_RANK];
  const char *mode = n->operands[2].kind == VAL_STR ? n->operands[2].s : "constant";
  bool constant = !strcmp(mode, "constant");
  int count = list_items(n->operands[1], by, 2 * SCANC_MAX_RANK);
  if (count < 0 || count % 2 || !plan_tensor(x, n, 0, &p.from) || count / 2 > p.from.rank ||
      !plan_is_scalar(x, n->operands[3]))
    return STEPS_NONE;
  for (int i = 0; i < count; i++)
    if (!plan_operand_dim(x, by[i], &p.by[i])) return STEPS_NONE;
  p.dims = count / 2;
  p.to = plan_sizes_of(x, n->type);
  nest_view from, to;
  if ((!constant && plan_is_empty(&p.from)) || !pad_middle(&p, &from, &to)) return STEPS_NONE;
  p.to = plan_tensor_result(x, n);
  if (!constant) return made(grows(&p) ? pad_outwards(&p, mode) : pad_and_cut(&p, mode));
  return made(pad_middle(&p, &from, &to) && plan_copy(x, n, &from, &to) && pad_constant(&p));
}

/* ---- rolling ---- */

enum { MAX_ROLLED = 3 }; /* dimensions, each of which is cut in two */

typedef struct {
  planner *x;
  const node *n;
  int count, axis[SCANC_MAX_RANK];
  val by[SCANC_MAX_RANK];
  dim shift[SCANC_MAX_RANK];
} rolling;

/* Dimensions axis[i...] */
static bool roll(const rolling *r, int i, const nest_view *from, const nest_view *to) {
  planner *x = r->x;
  if (i == r->count) return plan_copy(x, r->n, from, to);
  int d = r->axis[i];
  dim size = from->size[d], zero = dim_int(0), head = dim_mod(x->syms, r->shift[i], size);
  dim rest = sub(x, size, head);
  nest_view a = range(x, from, d, rest, size), b = range(x, from, d, zero, rest);
  nest_view c = range(x, to, d, zero, head), e = range(x, to, d, head, size);
  return (dim_is(head, 0) || roll(r, i + 1, &a, &c)) && roll(r, i + 1, &b, &e);
}

/* Where the elements of positions 0 to size - 1 come from. */
static bool sources(const rolling *r, int i, dim size, nest_view *at) {
  const scanc_dtype d = SCANC_I64;
  view_kernel v = plan_kernel(r->x, "rolled");
  *at = plan_new_array(r->x, d, &size, 1);
  int axis = vk_axis(&v, "i", size), by, out = vk_buffer(&v, "at", SPACE_OUTPUT, at, &axis);
  stmt_list *body = vk_parallel(&v, &v.k->body, &axis, 1);
  if (!plan_cell_load(r->x, &v, body, r->by[i], &by)) return false;
  int n = vk_size(&v, body, size);
  by = vk_op2(&v, body, OP_remainder, d, vk_cast(&v, body, by, d), n);
  int k = vk_op2(&v, body, OP_sub, d, stmt_point(v.k, body, axis, lexpr_const(0)), by);
  int before = vk_op2(&v, body, OP_lt, d, k, vk_zero(&v, body, d));
  k = vk_where(&v, body, d, before, vk_op2(&v, body, OP_add, d, k, n), k);
  vk_store(&v, body, out, NULL, 0, k);
  return plan_add_kernel(r->x, r->n, &v);
}

/* Along the dimensions of the view. */
static plan_steps roll_by_index(const rolling *r, const nest_view *from) {
  planner *x = r->x;
  indexing g = {.n = r->count, .space = *from, .whole = *from};
  for (int i = 0; i < r->count; i++) {
    int d = r->axis[i];
    nest_view at;
    if (!plan_require(x, sub(x, from->size[d], dim_int(1)))) return STEPS_NONE;
    if (!sources(r, i, from->size[d], &at)) return STEPS_REFUSED;
    g.extent[i] = from->size[d];
    g.stride[i] = from->stride[d];
    g.whole.stride[d] = dim_int(0);
    g.index[i] = at;
    g.index[i].rank = from->rank;
    for (int k = 0; k < from->rank; k++) {
      g.index[i].size[k] = from->size[k];
      g.index[i].stride[k] = dim_int(k == d);
    }
  }
  return plan_gather_points(x, r->n, &g);
}

/* All elements as one dimension, with an index for every one. */
static plan_steps roll_flat_by_index(const rolling *r, nest_view *from, const nest_view *to) {
  planner *x = r->x;
  indexing g;
  nest_view at, index = *to;
  if (!plan_require(x, sub(x, from->size[0], dim_int(1)))) return STEPS_NONE;
  if (!sources(r, 0, from->size[0], &at)) return STEPS_REFUSED;
  index.buffer = at.buffer, index.offset = at.offset, index.dtype = at.dtype;
  plan_contiguous(x, &index);
  if (!index_flat(x, from, &index, false, &g)) return STEPS_REFUSED;
  return plan_gather_points(x, r->n, &g);
}

/* The shifts and the dimensions. False: there is no kernel. */
static bool read_rolling(rolling *r, int rank, bool *flat, bool *by_index) {
  val axes[SCANC_MAX_RANK];
  int n_axes = list_items(r->n->operands[2], axes, SCANC_MAX_RANK);
  r->count = list_items(r->n->operands[1], r->by, SCANC_MAX_RANK);
  *flat = !n_axes;
  *by_index = r->count > MAX_ROLLED;
  if (r->count < 1 || r->count > MAX_INDICES || n_axes < 0 || (n_axes && n_axes != r->count) ||
      (!n_axes && r->count > 1))
    return false;
  for (int i = 0; i < r->count; i++) {
    const plan_value *o = r->by[i].kind == VAL_NODE ? &r->x->of[r->by[i].node->id] : NULL;
    bool told = plan_operand_dim(r->x, r->by[i], &r->shift[i]);
    if (!told && !(o && o->kind == VALUE_CELL)) return false;
    *by_index |= !told;
    if (n_axes && !view_axis(axes[i], rank, &r->axis[i])) return false;
    for (int k = 0; k < i; k++)
      if (r->axis[k] == r->axis[i]) return false;
  }
  return true;
}

plan_steps plan_roll(planner *x, const node *n) {
  nest_view from;
  rolling r = {.x = x, .n = n};
  bool is_flat, by_index;
  if (!plan_tensor(x, n, 0, &from) || plan_is_empty(&from) ||
      !read_rolling(&r, from.rank, &is_flat, &by_index))
    return STEPS_NONE;
  if (by_index && from.rank == SCANC_MAX_RANK) return STEPS_NONE;
  if (by_index && !is_flat) return roll_by_index(&r, &from);
  if (by_index) {
    nest_view sizes = plan_sizes_of(x, n->type);
    return plan_flatten(x, n, &from) ? roll_flat_by_index(&r, &from, &sizes) : STEPS_REFUSED;
  }
  nest_view to = plan_tensor_result(x, n), flat, home;
  if (!from.rank) return made(plan_copy(x, n, &from, &to));
  if (!is_flat) return made(roll(&r, 0, &from, &to));
  if (!plan_flatten(x, n, &from)) return STEPS_REFUSED;
  home = plan_flat_home(x, &to, &flat);
  return made(roll(&r, 0, &from, &flat) &&
              (home.buffer == to.buffer || plan_copy(x, n, &home, &to)));
}
