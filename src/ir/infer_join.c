/* Shape rules of ops that split, join or repeat. */
#include "ir/shape.h"
#include <assert.h>

/* ---- splitting ---- */

enum { MAX_PIECES = 4096 };

static bool split_axis(infer_ctx *c, int k, const type **x, int *axis) {
  if (!arg_tensor(c, 0, x)) return false;
  if (!(*x)->n) {
    infer_fail(c, SCANC_ERR_DIM_RANGE, "a 0-d tensor cannot be split");
    return false;
  }
  return arg_axis(c, k, (*x)->n, axis);
}

/* n pieces of `size` along the axis, the last one taking what is left. */
static const type *pieces(infer_ctx *c, const type *x, int axis, dim size, dim count) {
  if (!dim_is_int(count) || count.k > MAX_PIECES)
    return infer_fail(c, SCANC_ERR_UNSUPPORTED,
                      "the number of pieces is not a constant of at most %d", MAX_PIECES);
  int n = (int)count.k;
  dim *each = ARENA_ARRAY(c->mem, dim, n);
  for (int i = 0; i < n; i++) each[i] = size;
  if (n) each[n - 1] = dim_sub(c->syms, x->dims[axis], dim_mul(c->syms, size, dim_int(n - 1)));
  return shape_list(c, x, axis, each, n);
}

const type *infer_split(infer_ctx *c) {
  const type *x;
  dim size;
  int axis;
  if (!split_axis(c, 2, &x, &axis) || !arg_dim(c, 1, &size)) return NULL;
  dim d = x->dims[axis];
  if (dim_is_int(size) && (size.k < 0 || (size.k == 0 && !dim_is(d, 0))))
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "split size %lld for an extent of %s",
                      (long long)size.k, shape_text(c, &d, 1));
  if (dim_is(d, 0)) return pieces(c, x, axis, d, dim_int(1));
  return pieces(c, x, axis, size, dim_ceildiv(c->syms, d, size));
}

const type *infer_chunk(infer_ctx *c) {
  const type *x;
  int64_t n;
  int axis;
  if (!split_axis(c, 2, &x, &axis) || !arg_int(c, 1, &n)) return NULL;
  if (n <= 0)
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "chunks must be positive, got %lld", (long long)n);
  dim d = x->dims[axis];
  if (dim_is(d, 0)) return pieces(c, x, axis, d, dim_int(n));
  dim size = dim_ceildiv(c->syms, d, dim_int(n));
  dim count = dim_is_int(d) ? dim_ceildiv(c->syms, d, size) : dim_int(n);
  return pieces(c, x, axis, size, count);
}

const type *infer_split_with_sizes(infer_ctx *c) {
  const type *x, *list = c->arg[1];
  dim sum = dim_int(0);
  int axis;
  if (!split_axis(c, 2, &x, &axis)) return NULL;
  if (!list) return NULL;
  if (list->kind != TYPE_LIST || list->n > MAX_PIECES)
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "split sizes: expected a list of integers");
  dim *each = ARENA_ARRAY(c->mem, dim, list->n);
  for (int i = 0; i < list->n; i++) {
    const type *t = list->items[i];
    if (!t || t->kind != TYPE_INT)
      return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "split sizes: expected a list of integers");
    each[i] = t->i;
    if (dim_is_int(t->i) && t->i.k < 0)
      return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "negative split size %lld", (long long)t->i.k);
    sum = dim_add(c->syms, sum, t->i);
  }
  if (!dims_agree(c, sum, x->dims[axis]))
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "split sizes %s do not sum to the extent %s",
                      shape_text(c, each, list->n), shape_text(c, &x->dims[axis], 1));
  return shape_list(c, x, axis, each, list->n);
}

/* Sections: n pieces whose sizes differ by at most one. Indices: the borders between pieces. */
static const type *tensor_split(infer_ctx *c, const type *x, int axis) {
  dim d = x->dims[axis], *each;
  int64_t n;
  const type *list = c->arg[1];
  if (!list) return NULL;
  if (list->kind != TYPE_LIST) {
    if (!arg_int(c, 1, &n)) return NULL;
    if (n <= 0 || n > MAX_PIECES)
      return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "sections must be in [1, %d], got %lld",
                        MAX_PIECES, (long long)n);
    each = ARENA_ARRAY(c->mem, dim, n);
    dim low = dim_floordiv(c->syms, d, dim_int(n)), rest = dim_mod(c->syms, d, dim_int(n));
    if (!dim_is_int(rest))
      return infer_fail(c, SCANC_ERR_UNSUPPORTED, "sections of the symbolic extent %s",
                        shape_text(c, &d, 1));
    for (int i = 0; i < n; i++) each[i] = dim_add(c->syms, low, dim_int(i < rest.k));
    return shape_list(c, x, axis, each, (int)n);
  }
  each = ARENA_ARRAY(c->mem, dim, list->n + 1);
  dim from = dim_int(0);
  for (int i = 0; i <= list->n; i++) {
    dim start = from, end = dim_int(INT64_MAX);
    if (i < list->n && (!list->items[i] || list->items[i]->kind != TYPE_INT))
      return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "expected a list of integers");
    if (i < list->n) end = list->items[i]->i;
    each[i] = shape_slice(c, d, &start, end, dim_int(1));
    from = end;
  }
  return shape_list(c, x, axis, each, list->n + 1);
}

const type *infer_tensor_split(infer_ctx *c) {
  const type *x;
  int axis;
  return split_axis(c, 2, &x, &axis) ? tensor_split(c, x, axis) : NULL;
}

/* hsplit, vsplit and dsplit need min_rank dimensions and, for a number of sections, an even split.
 */
static const type *axis_split(infer_ctx *c, int min_rank, int axis) {
  const type *x;
  if (!arg_tensor(c, 0, &x)) return NULL;
  if (x->n < min_rank)
    return infer_fail(c, SCANC_ERR_DIM_RANGE, "expected at least %d dimensions, got %d", min_rank,
                      x->n);
  if (min_rank == 1 && x->n == 1) axis = 0;
  dim d = x->dims[axis];
  const type *n = c->arg[1];
  if (n && n->kind == TYPE_INT && dim_is_int(n->i) && dim_is_int(d) &&
      (n->i.k <= 0 || d.k % n->i.k))
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "extent %lld is not divisible by %lld",
                      (long long)d.k, (long long)n->i.k);
  return tensor_split(c, x, axis);
}

const type *infer_hsplit(infer_ctx *c) { return axis_split(c, 1, 1); }
const type *infer_vsplit(infer_ctx *c) { return axis_split(c, 2, 0); }
const type *infer_dsplit(infer_ctx *c) { return axis_split(c, 3, 2); }

const type *infer_unbind(infer_ctx *c) {
  const type *x;
  int axis, k = 0;
  dim size[SCANC_MAX_RANK];
  if (!split_axis(c, 1, &x, &axis)) return NULL;
  dim d = x->dims[axis];
  if (!dim_is_int(d) || d.k > MAX_PIECES)
    return infer_fail(c, SCANC_ERR_UNSUPPORTED,
                      "the number of pieces is not a constant of at most %d", MAX_PIECES);
  for (int i = 0; i < x->n; i++)
    if (i != axis) size[k++] = x->dims[i];
  const type *piece = infer_tensor(c, x->dtype, size, k);
  const type **items = ARENA_ARRAY(c->mem, const type *, d.k);
  for (int i = 0; i < d.k; i++) items[i] = piece;
  return piece ? type_list(c->mem, items, (int)d.k) : NULL;
}

/* ---- joining ---- */

static bool join_args(infer_ctx *c, const type *const **x, int *n, scanc_dtype *d) {
  if (!arg_tensors(c, 0, x, n)) return false;
  if (!*n) infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "expected a non-empty list of tensors");
  return *n && infer_promote(c, *x, *n, d);
}

/* PyTorch ignores tensors of shape [0] whatever the rank of the others. */
static bool is_skipped(const type *t) { return t->n == 1 && dim_is(t->dims[0], 0); }

static const type *joined(infer_ctx *c, const type *const *x, int n, scanc_dtype d, int axis) {
  const type *first = NULL;
  dim size[SCANC_MAX_RANK];
  for (int i = 0; i < n; i++) {
    if (is_skipped(x[i])) continue;
    if (!first) {
      first = x[i];
      assert(axis < first->n);
      for (int k = 0; k < first->n; k++) size[k] = first->dims[k];
      continue;
    }
    bool fits = x[i]->n == first->n;
    for (int k = 0; fits && k < first->n; k++)
      fits = k == axis || dims_agree(c, size[k], x[i]->dims[k]);
    if (!fits)
      return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH,
                        "sizes must match except in dimension %d: %s and %s (tensor %d)", axis,
                        shape_text(c, first->dims, first->n), shape_text(c, x[i]->dims, x[i]->n),
                        i);
    size[axis] = dim_add(c->syms, size[axis], x[i]->dims[axis]);
  }
  return first ? infer_tensor(c, d, size, first->n) : infer_tensor(c, d, x[0]->dims, 1);
}

const type *infer_cat(infer_ctx *c) {
  const type *const *x;
  int n, axis, rank = 0;
  scanc_dtype d;
  if (!join_args(c, &x, &n, &d)) return NULL;
  for (int i = 0; i < n; i++) {
    if (!x[i]->n)
      return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH,
                        "a 0-d tensor (number %d) cannot be concatenated", i);
    if (!rank && !is_skipped(x[i])) rank = x[i]->n;
  }
  return arg_axis(c, 1, rank ? rank : 1, &axis) ? joined(c, x, n, d, axis) : NULL;
}

const type *infer_stack(infer_ctx *c) {
  const type *const *x;
  dim size[SCANC_MAX_RANK];
  int n, axis;
  scanc_dtype d;
  if (!join_args(c, &x, &n, &d) || !arg_axis(c, 1, x[0]->n + 1, &axis)) return NULL;
  for (int i = 1; i < n; i++) {
    bool fits = x[i]->n == x[0]->n;
    for (int k = 0; fits && k < x[0]->n; k++) fits = dims_agree(c, x[0]->dims[k], x[i]->dims[k]);
    if (!fits)
      return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH,
                        "stacked tensors must have equal sizes: %s and %s (tensor %d)",
                        shape_text(c, x[0]->dims, x[0]->n), shape_text(c, x[i]->dims, x[i]->n), i);
  }
  if (x[0]->n == SCANC_MAX_RANK)
    return infer_fail(c, SCANC_ERR_UNSUPPORTED, "a result of more than %d dimensions",
                      SCANC_MAX_RANK);
  for (int k = 0; k <= x[0]->n; k++) size[k] = k == axis ? dim_int(n) : x[0]->dims[k - (k > axis)];
  return infer_tensor(c, d, size, x[0]->n + 1);
}

/* The tensors of operand 0, each raised to `rank` by sizes of 1 in front (or, for columns, behind).
 */
static const type *raised(infer_ctx *c, const type *t, int rank, bool behind) {
  if (t->n >= rank) return t;
  dim size[3] = {dim_int(1), dim_int(1), dim_int(1)};
  if (t->n == 2) size[0] = t->dims[0], size[1] = t->dims[1];
  else if (t->n == 1) size[rank == 3 ? 1 : behind ? 0 : rank - 1] = t->dims[0];
  return infer_tensor(c, t->dtype, size, rank);
}

/* What was 0-d counts in the promotion as what it is raised to. */
static const type *join_raised(infer_ctx *c, int rank, bool behind, int axis) {
  const type *const *x;
  int n;
  scanc_dtype d;
  if (!join_args(c, &x, &n, &d)) return NULL;
  const type **up = ARENA_ARRAY(c->mem, const type *, n);
  for (int i = 0; i < n; i++)
    if (!(up[i] = raised(c, x[i], rank, behind))) return NULL;
  if (axis < 0) axis = up[0]->n == 1 ? 0 : 1;
  if (!infer_promote(c, up, n, &d)) return NULL;
  return joined(c, up, n, d, axis);
}

const type *infer_hstack(infer_ctx *c) { return join_raised(c, 1, false, -1); }
const type *infer_vstack(infer_ctx *c) { return join_raised(c, 2, false, 0); }
const type *infer_dstack(infer_ctx *c) { return join_raised(c, 3, false, 2); }
const type *infer_column_stack(infer_ctx *c) { return join_raised(c, 2, true, 1); }

/* ---- moving and repeating ---- */

const type *infer_flip(infer_ctx *c) {
  const type *x;
  int axes[SCANC_MAX_RANK], n;
  unsigned seen = 0;
  if (!arg_tensor(c, 0, &x) || !arg_axes(c, 1, x->n, axes, &n)) return NULL;
  for (int i = 0; i < n; i++) {
    if (seen >> axes[i] & 1)
      return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "dimension %d appears twice", axes[i]);
    seen |= 1u << axes[i];
  }
  return x;
}

static const type *needs_ranks(infer_ctx *c, int rank) {
  const type *x;
  if (!arg_tensor(c, 0, &x)) return NULL;
  return x->n >= rank ? x
                      : infer_fail(c, SCANC_ERR_DIM_RANGE,
                                   "expected at least %d dimensions, got %d", rank, x->n);
}

const type *infer_fliplr(infer_ctx *c) { return needs_ranks(c, 2); }
const type *infer_flipud(infer_ctx *c) { return needs_ranks(c, 1); }

const type *infer_rot90(infer_ctx *c) {
  const type *x;
  int64_t k;
  int axes[SCANC_MAX_RANK], n;
  dim size[SCANC_MAX_RANK];
  if (!arg_tensor(c, 0, &x) || !arg_int(c, 1, &k) || !arg_axes(c, 2, x->n, axes, &n)) return NULL;
  if (n != 2 || axes[0] == axes[1])
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "needs two different dimensions");
  for (int i = 0; i < x->n; i++) size[i] = x->dims[i];
  if (k % 2) size[axes[0]] = x->dims[axes[1]], size[axes[1]] = x->dims[axes[0]];
  return infer_tensor(c, x->dtype, size, x->n);
}

const type *infer_roll(infer_ctx *c) {
  const type *x;
  dim shifts[SCANC_MAX_RANK];
  int axes[SCANC_MAX_RANK], n, m;
  if (!arg_tensor(c, 0, &x) || !arg_dims(c, 1, shifts, &n) || !arg_axes(c, 2, x->n, axes, &m))
    return NULL;
  if (m && !x->n)
    return infer_fail(c, SCANC_ERR_DIM_RANGE, "a 0-d tensor has no dimension to roll");
  if (!n || (m && n != m) || (!m && n != 1))
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "%d shifts for %d dimensions", n, m);
  return x;
}

static const type *repeated(infer_ctx *c, bool raise) {
  const type *x;
  dim times[SCANC_MAX_RANK], size[SCANC_MAX_RANK];
  int n;
  if (!arg_tensor(c, 0, &x) || !arg_dims(c, 1, times, &n)) return NULL;
  if (n < x->n && !raise)
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "%d repeats for a tensor of %d dimensions", n,
                      x->n);
  int rank = n > x->n ? n : x->n;
  for (int i = 0; i < rank; i++) {
    int k = i - (rank - n), j = i - (rank - x->n);
    dim t = k < 0 ? dim_int(1) : times[k];
    if (dim_is_int(t) && t.k < 0)
      return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "negative repeat %lld", (long long)t.k);
    size[i] = j < 0 ? t : dim_mul(c->syms, x->dims[j], t);
  }
  return infer_tensor(c, x->dtype, size, rank);
}

const type *infer_repeat(infer_ctx *c) { return repeated(c, false); }
const type *infer_tile(infer_ctx *c) { return repeated(c, true); }

/* x with the axis of operand 2 (all elements in a row if None) of size d. */
static const type *interleaved(infer_ctx *c, const type *x, dim count_or_times, bool is_times) {
  int axis = 0;
  if (arg_given(c, 2) && !arg_axis(c, 2, x->n, &axis)) return NULL;
  dim old = arg_given(c, 2) ? x->n ? x->dims[axis] : dim_int(1) : infer_numel(c, x);
  dim d = is_times ? dim_mul(c->syms, old, count_or_times) : count_or_times;
  return arg_given(c, 2) && x->n ? shape_replace(c, x, axis, d) : infer_tensor(c, x->dtype, &d, 1);
}

const type *infer_repeat_interleave(infer_ctx *c) {
  const type *x;
  dim times;
  if (!arg_tensor(c, 0, &x) || !arg_dim(c, 1, &times)) return NULL;
  if (dim_is_int(times) && times.k < 0)
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "negative repeat %lld", (long long)times.k);
  return interleaved(c, x, times, true);
}

static bool check_repeats(infer_ctx *c, int k, const type **r) {
  if (!arg_tensor(c, k, r)) return false;
  if ((*r)->dtype != SCANC_I64 && (*r)->dtype != SCANC_I32)
    infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "repeats must be i64 or i32, got %s",
               scanc_dtype_name((*r)->dtype));
  else if ((*r)->n > 1) infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "repeats must be a vector");
  else return true;
  return false;
}

const type *infer_repeat_each(infer_ctx *c) {
  const type *x, *r;
  dim total;
  if (!arg_tensor(c, 0, &x) || !check_repeats(c, 1, &r)) return NULL;
  if (!arg_given(c, 3)) total = shape_fresh(c);
  else if (!arg_dim(c, 3, &total)) return NULL;
  int axis = 0;
  if (arg_given(c, 2) && !arg_axis(c, 2, x->n, &axis)) return NULL;
  dim old = !arg_given(c, 2) ? infer_numel(c, x) : x->n ? x->dims[axis] : dim_int(1);
  if (r->n && !dim_is(r->dims[0], 1) && !dims_agree(c, r->dims[0], old))
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "%s repeats for an extent of %s",
                      shape_text(c, r->dims, 1), shape_text(c, &old, 1));
  return interleaved(c, x, total, false);
}

const type *infer_repeat_index(infer_ctx *c) {
  const type *r;
  dim total;
  if (!check_repeats(c, 0, &r)) return NULL;
  if (!r->n) return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "repeats must be a vector");
  if (!arg_given(c, 1)) total = shape_fresh(c);
  else if (!arg_dim(c, 1, &total)) return NULL;
  return infer_tensor(c, r->dtype, &total, 1);
}
