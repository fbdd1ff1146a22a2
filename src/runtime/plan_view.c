/* View ops in plans: another layout of the operand's elements, without a step. */
#include "passes/view.h"
#include "runtime/plan.h"

typedef bool (*view_fn)(planner *x, const node *n, const nest_view *from, nest_view *to);

static dim mul(planner *x, dim a, dim b) { return dim_mul(x->syms, a, b); }
static dim add(planner *x, dim a, dim b) { return dim_add(x->syms, a, b); }

static bool same_size(planner *x, const nest_view *v, int d, dim size) {
  (void)x;
  return dim_equal(v->size[d], size);
}

static bool is_contiguous(planner *x, const nest_view *v) {
  nest_view c = *v;
  plan_contiguous(x, &c);
  for (int d = 0; d < v->rank; d++)
    if (!dim_is(v->size[d], 1) && !dim_equal(v->stride[d], c.stride[d])) return false;
  return true;
}

/* Moves the start along a dimension of `from`. */
static void skip(planner *x, const nest_view *from, nest_view *to, int d, dim steps) {
  dim size = dim_int((int64_t)scanc_dtype_size(from->dtype));
  to->offset = add(x, to->offset, mul(x, mul(x, steps, from->stride[d]), size));
}

static bool axis_operand(const node *n, int k, int rank, int *axis) {
  val v = n->operands[k];
  if (v.kind == VAL_ABSENT) v = val_int(0);
  return rank > 0 && view_axis(v, rank, axis);
}

/* ---- the rules: `to` has the sizes of the result and the place of `from` ---- */

static bool same(planner *x, const node *n, const nest_view *from, nest_view *to) {
  (void)n;
  if (from->rank != to->rank) return false;
  for (int d = 0; d < from->rank; d++) {
    if (!same_size(x, from, d, to->size[d])) return false;
    to->stride[d] = from->stride[d];
  }
  return true;
}

static bool permute(planner *x, const node *n, const nest_view *from, nest_view *to) {
  int perm[SCANC_MAX_RANK];
  (void)x;
  if (!view_permutation(n, perm)) return false;
  for (int d = 0; d < to->rank; d++) to->stride[d] = from->stride[perm[d]];
  return true;
}

static bool expand(planner *x, const node *n, const nest_view *from, nest_view *to) {
  int lead = to->rank - from->rank;
  (void)n;
  for (int d = 0; d < to->rank; d++) {
    bool moves = d >= lead && same_size(x, from, d - lead, to->size[d]);
    if (!moves && d >= lead && !dim_is(from->size[d - lead], 1)) return false;
    to->stride[d] = moves ? from->stride[d - lead] : dim_int(0);
  }
  return true;
}

/* The view without its dimensions of size 1. */
static nest_view without_ones(const nest_view *v) {
  nest_view r = {.rank = 0};
  for (int d = 0; d < v->rank; d++) {
    if (dim_is(v->size[d], 1)) continue;
    r.size[r.rank] = v->size[d];
    r.stride[r.rank++] = v->stride[d];
  }
  return r;
}

/* The product of the sizes from dimension i downwards that lie in memory like one dimension;
 * *start: the first of them. */
static dim run_of(planner *x, const nest_view *v, int i, int *start) {
  dim total = v->size[i];
  while (i > 0 && dim_equal(v->stride[i - 1], mul(x, v->stride[i], v->size[i])))
    total = mul(x, total, v->size[--i]);
  *start = i;
  return total;
}

static dim n_elements(planner *x, const nest_view *v) {
  dim n = dim_int(1);
  for (int d = 0; d < v->rank; d++) n = mul(x, n, v->size[d]);
  return n;
}

/* Runs of `from` must be products of sizes of `to`. */
static bool reshape(planner *x, const node *n, const nest_view *from, nest_view *to) {
  nest_view v = without_ones(from);
  int k = to->rank - 1, first;
  (void)n;
  if (!plan_require_equal(x, n_elements(x, from), n_elements(x, to))) return false;
  if (is_contiguous(x, from)) return plan_contiguous(x, to), true;
  for (int i = v.rank - 1; i >= 0; i = first - 1) {
    dim run = run_of(x, &v, i, &first), cut = dim_int(1);
    for (; k >= 0 && (!dim_equal(cut, run) || dim_is(to->size[k], 1)); k--) {
      to->stride[k] = mul(x, cut, v.stride[i]);
      cut = mul(x, cut, to->size[k]);
    }
    if (!dim_equal(cut, run)) return false;
  }
  for (; k >= 0; k--) {
    if (!dim_is(to->size[k], 1)) return false;
    to->stride[k] = dim_int(1);
  }
  return true;
}

/* An index that counts from the end if it is negative; one that may be either counts as not. */
static bool index_of(planner *x, val v, dim size, dim *out) {
  int64_t min, max;
  if (!plan_operand_dim(x, v, out)) return false;
  dim_bounds(x->syms, *out, &min, &max);
  if (min < 0 && max >= 0) return plan_require(x, *out);
  if (max < 0) *out = add(x, size, *out);
  return true;
}

static bool select_index(planner *x, const node *n, const nest_view *from, nest_view *to) {
  int axis;
  dim at;
  if (!axis_operand(n, 1, from->rank, &axis) || !index_of(x, n->operands[2], from->size[axis], &at))
    return false;
  if (!plan_require(x, at) ||
      !plan_require(x, dim_sub(x->syms, dim_sub(x->syms, from->size[axis], dim_int(1)), at)))
    return false;
  for (int d = 0; d < to->rank; d++) to->stride[d] = from->stride[d < axis ? d : d + 1];
  skip(x, from, to, axis, at);
  return true;
}

/* Where a slice begins: an index that counts from the end if it is negative, cut to the size. */
static bool start_of(planner *x, const nest_view *from, int axis, val v, dim *out) {
  *out = dim_int(0);
  if (v.kind == VAL_NONE || v.kind == VAL_ABSENT) return true;
  dim size = from->size[axis], at;
  if (!index_of(x, v, size, &at)) return false;
  at = dim_max(x->syms, at, dim_int(0));
  *out = dim_is(at, 0) ? at : dim_min(x->syms, at, size);
  return true;
}

static bool part(planner *x, const node *n, const nest_view *from, nest_view *to, int64_t step) {
  int axis;
  dim start;
  if (!axis_operand(n, 1, from->rank, &axis) || !start_of(x, from, axis, n->operands[2], &start))
    return false;
  for (int d = 0; d < to->rank; d++) to->stride[d] = from->stride[d];
  to->stride[axis] = mul(x, from->stride[axis], dim_int(step));
  skip(x, from, to, axis, start);
  return true;
}

static bool slice(planner *x, const node *n, const nest_view *from, nest_view *to) {
  val step = n->operands[4];
  if (step.kind != VAL_INT && step.kind != VAL_ABSENT && step.kind != VAL_NONE) return false;
  return part(x, n, from, to, step.kind == VAL_INT ? step.i : 1);
}

/* Unlike a slice it is not cut to the size. */
static bool narrow(planner *x, const node *n, const nest_view *from, nest_view *to) {
  int axis;
  dim at;
  if (!axis_operand(n, 1, from->rank, &axis) || !index_of(x, n->operands[2], from->size[axis], &at))
    return false;
  dim rest = dim_sub(x->syms, from->size[axis], at);
  return plan_require(x, at) && plan_require(x, dim_sub(x->syms, rest, to->size[axis])) &&
         part(x, n, from, to, 1);
}

static bool flip(planner *x, const node *n, const nest_view *from, nest_view *to) {
  val axes = n->operands[1];
  if (!val_is_seq(axes) || !same(x, n, from, to)) return false;
  for (int i = 0; i < axes.n; i++) {
    int d;
    if (!view_axis(axes.items[i], from->rank, &d)) return false;
    skip(x, from, to, d, dim_sub(x->syms, from->size[d], dim_int(1)));
    to->stride[d] = dim_neg(x->syms, from->stride[d]);
  }
  return true;
}

/* ---- windows, diagonals, parts of complex numbers ---- */

static bool int_operand(const node *n, int k, int64_t dflt, int64_t *out) {
  val v = n->operands[k];
  *out = v.kind == VAL_INT ? v.i : dflt;
  return v.kind == VAL_INT || v.kind == VAL_ABSENT || v.kind == VAL_NONE;
}

static bool diagonal(planner *x, const node *n, const nest_view *from, nest_view *to) {
  dim offset = dim_int(0), none = offset;
  int64_t min, max;
  val first = n->operands[2], second = n->operands[3], by = n->operands[1];
  int a, b, e = 0;
  if (second.kind == VAL_ABSENT) second = val_int(1);
  if (first.kind == VAL_ABSENT) first = val_int(0);
  if (by.kind != VAL_ABSENT && by.kind != VAL_NONE && !plan_operand_dim(x, by, &offset))
    return false;
  dim_bounds(x->syms, offset, &min, &max);
  if ((min < 0 && max >= 0 && !plan_require(x, offset)) || from->rank < 2 ||
      !view_axis(first, from->rank, &a) || !view_axis(second, from->rank, &b))
    return false;
  for (int d = 0; d < from->rank; d++)
    if (d != a && d != b) to->stride[e++] = from->stride[d];
  to->stride[e] = add(x, from->stride[a], from->stride[b]);
  skip(x, from, to, max < 0 ? a : b, max < 0 ? dim_sub(x->syms, none, offset) : offset);
  return true;
}

static bool windows(planner *x, const node *n, const nest_view *from, nest_view *to) {
  int64_t step;
  int axis;
  if (!axis_operand(n, 1, from->rank, &axis) || !int_operand(n, 3, 1, &step)) return false;
  for (int d = 0; d < from->rank; d++) to->stride[d] = from->stride[d];
  to->stride[axis] = mul(x, from->stride[axis], dim_int(step));
  to->stride[to->rank - 1] = from->stride[axis];
  return true;
}

/* Elements of the same size lie where they are; smaller ones in several where those of a contiguous
 * tensor are. Larger ones might not be aligned. */
static bool other_type(planner *x, const node *n, const nest_view *from, nest_view *to) {
  size_t a = scanc_dtype_size(from->dtype), b = scanc_dtype_size(to->dtype);
  if (dtype_class(from->dtype) == 'c' || dtype_class(to->dtype) == 'c') return false;
  if (a == b) return same(x, n, from, to);
  if (b > a || !is_contiguous(x, from)) return false;
  plan_contiguous(x, to);
  return true;
}

bool plan_strided_part(planner *x, const node *n, int k, const nest_view *from, nest_view *to) {
  val strides = n->operands[k];
  dim first = dim_int(0), last, numel = dim_int(1);
  if (!is_contiguous(x, from) || !val_is_seq(strides) || strides.n != to->rank) return false;
  if (n->operands[k + 1].kind != VAL_ABSENT && n->operands[k + 1].kind != VAL_NONE &&
      !plan_operand_dim(x, n->operands[k + 1], &first))
    return false;
  last = first = plan_dim(x, first);
  for (int d = 0; d < from->rank; d++) numel = mul(x, numel, from->size[d]);
  for (int d = 0; d < to->rank; d++) {
    if (!plan_operand_dim(x, strides.items[d], &to->stride[d])) return false;
    to->stride[d] = plan_dim(x, to->stride[d]);
    if (!plan_require(x, to->stride[d]) || !plan_require(x, add(x, to->size[d], dim_int(-1))))
      return false;
    last = add(x, last, mul(x, to->stride[d], add(x, to->size[d], dim_int(-1))));
  }
  dim size = dim_int((int64_t)scanc_dtype_size(from->dtype));
  to->offset = add(x, to->offset, mul(x, first, size));
  dim room = add(x, numel, mul(x, add(x, last, dim_int(1)), dim_int(-1)));
  return plan_require(x, first) && plan_require(x, room);
}

static bool as_strided(planner *x, const node *n, const nest_view *from, nest_view *to) {
  return plan_strided_part(x, n, 2, from, to);
}

/* The first part of complex numbers is where they are, the second one right behind it. */
static bool parts(planner *x, const node *n, const nest_view *from, nest_view *to) {
  bool complex = dtype_class(from->dtype) == 'c';
  if (!complex) return n->op->id == OP_real && same(x, n, from, to);
  for (int d = 0; d < from->rank; d++) to->stride[d] = mul(x, from->stride[d], dim_int(2));
  if (to->rank > from->rank) to->stride[from->rank] = dim_int(1);
  if (n->op->id == OP_imag)
    to->offset = add(x, to->offset, dim_int((int64_t)scanc_dtype_size(to->dtype)));
  return true;
}

static bool joined_parts(planner *x, const node *n, const nest_view *from, nest_view *to) {
  (void)n;
  if (!is_contiguous(x, from)) return false;
  plan_contiguous(x, to);
  return true;
}

static view_fn rule_of(const op_info *op) {
  if (op->traits & T_RESHAPE) return reshape;
  switch (op->id) {
    case OP_alias: return same;
    case OP_permute: return permute;
    case OP_expand:
    case OP_expand_as: return expand;
    case OP_select: return select_index;
    case OP_slice: return slice;
    case OP_narrow: return narrow;
    case OP_flip: return flip;
    case OP_diagonal: return diagonal;
    case OP_unfold: return windows;
    case OP_view_dtype: return other_type;
    case OP_as_strided: return as_strided;
    case OP_real:
    case OP_imag:
    case OP_view_as_real: return parts;
    case OP_view_as_complex: return joined_parts;
    default: return NULL;
  }
}

/* ---- lists of views ---- */

/* The operand of the axis of an op that cuts its operand into pieces, -1. */
static int axis_of_pieces(op_id op) {
  switch (op) {
    case OP_split:
    case OP_split_with_sizes:
    case OP_tensor_split:
    case OP_chunk: return 2;
    case OP_unbind: return 1;
    default: return -1;
  }
}

static void sizes_of(planner *x, const type *t, nest_view *v) {
  v->rank = t->n;
  v->dtype = t->dtype;
  for (int d = 0; d < t->n; d++) v->size[d] = plan_dim(x, t->dims[d]);
}

static bool pieces(planner *x, const node *n, const nest_view *from, plan_value *out) {
  int axis, k = axis_of_pieces(n->op->id);
  dim at = dim_int(0);
  if (k < 0 || !axis_operand(n, k, from->rank, &axis) || n->type->kind != TYPE_LIST) return false;
  *out = (plan_value){.kind = VALUE_LIST, .n = n->type->n};
  out->items = ARENA_ARRAY(x->tmp, plan_value, out->n);
  for (int i = 0; i < out->n; i++) {
    nest_view *v = &out->items[i].view;
    bool whole = n->op->id != OP_unbind;
    out->items[i].kind = VALUE_TENSOR;
    *v = *from;
    sizes_of(x, n->type->items[i], v);
    for (int d = 0; d < v->rank; d++) v->stride[d] = from->stride[whole || d < axis ? d : d + 1];
    skip(x, from, v, axis, at);
    at = add(x, at, whole ? v->size[axis] : dim_int(1));
  }
  return true;
}

/* Every operand as large as all of them together. */
static bool broadcast(planner *x, const node *n, plan_value *out) {
  val list = n->operands[0];
  if (list.kind == VAL_NODE || !val_is_seq(list) || n->type->kind != TYPE_LIST) return false;
  *out = (plan_value){.kind = VALUE_LIST, .n = n->type->n};
  out->items = ARENA_ARRAY(x->tmp, plan_value, out->n);
  for (int i = 0; i < out->n; i++) {
    const plan_value *from = list.items[i].kind == VAL_NODE ? &x->of[list.items[i].node->id] : NULL;
    if (!from || from->kind != VALUE_TENSOR) return false;
    out->items[i] = *from;
    sizes_of(x, n->type->items[i], &out->items[i].view);
    if (!expand(x, n, &from->view, &out->items[i].view)) return false;
  }
  return true;
}

/* Vectors, each along a dimension of its own. */
static bool meshgrid(planner *x, const node *n, plan_value *out) {
  val list = n->operands[0], order = n->operands[1];
  if (!val_is_seq(list) || n->type->kind != TYPE_LIST || n->type->n != list.n) return false;
  bool swap = order.kind == VAL_STR && order.s[0] == 'x' && list.n > 1;
  *out = (plan_value){.kind = VALUE_LIST, .n = n->type->n};
  out->items = ARENA_ARRAY(x->tmp, plan_value, out->n);
  for (int k = 0; k < out->n; k++) {
    const plan_value *from = list.items[k].kind == VAL_NODE ? &x->of[list.items[k].node->id] : NULL;
    int axis = swap && k < 2 ? 1 - k : k;
    if (!from || from->kind != VALUE_TENSOR || from->view.rank > 1) return false;
    out->items[k] = *from;
    nest_view *v = &out->items[k].view;
    dim stride = v->rank ? v->stride[0] : dim_int(0);
    sizes_of(x, n->type->items[k], v);
    for (int d = 0; d < v->rank; d++) v->stride[d] = d == axis ? stride : dim_int(0);
  }
  return true;
}

bool plan_view_of(planner *x, const node *n) {
  val v = n->op->n_operands ? n->operands[0] : val_absent();
  const plan_value *from = v.kind == VAL_NODE ? &x->of[v.node->id] : NULL;
  view_fn rule = rule_of(n->op);
  if (node_is_op(n, OP_broadcast_tensors)) return broadcast(x, n, &x->of[n->id]);
  if (node_is_op(n, OP_meshgrid)) return meshgrid(x, n, &x->of[n->id]);
  if (!from || from->kind != VALUE_TENSOR) return false;
  if (!rule) return pieces(x, n, &from->view, &x->of[n->id]);
  if (!type_is_tensor(n->type)) return false;
  plan_value to = {.kind = VALUE_TENSOR, .view = from->view};
  sizes_of(x, n->type, &to.view);
  if (!rule(x, n, &from->view, &to.view)) return false;
  x->of[n->id] = to;
  return true;
}
