/* Shape rules of views: ops whose result is another layout of the operand's elements. */
#include <string.h>

#include "ir/shape.h"

/* ---- same elements, other sizes ---- */

const type *infer_view(infer_ctx *c) {
  const type *x;
  dim size[SCANC_MAX_RANK];
  int n;
  if (!arg_tensor(c, 0, &x) || !arg_dims(c, 1, size, &n) ||
      !shape_resolve(c, x->dims, x->n, size, n))
    return NULL;
  return infer_tensor(c, x->dtype, size, n);
}

const type *infer_view_as(infer_ctx *c) {
  const type *x, *other;
  dim size[SCANC_MAX_RANK];
  if (!arg_tensor(c, 0, &x) || !arg_tensor(c, 1, &other)) return NULL;
  for (int i = 0; i < other->n; i++) size[i] = other->dims[i];
  return shape_resolve(c, x->dims, x->n, size, other->n) ? infer_tensor(c, x->dtype, size, other->n)
                                                         : NULL;
}

const type *infer_view_dtype(infer_ctx *c) {
  const type *x;
  scanc_dtype d;
  if (!arg_tensor(c, 0, &x) || !arg_dtype_or(c, 1, SCANC_F32, &d)) return NULL;
  int64_t from = (int64_t)scanc_dtype_size(x->dtype), to = (int64_t)scanc_dtype_size(d);
  if (from == to) return infer_tensor(c, d, x->dims, x->n);
  if (!x->n)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH,
                      "a 0-d tensor cannot be viewed as a dtype of another size");
  dim last = x->dims[x->n - 1], size;
  if (from > to) {
    size = dim_mul(c->syms, last, dim_int(from / to));
  } else {
    if (dim_is_int(last) && last.k % (to / from))
      return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH,
                        "the last size must be divisible by %lld, got %lld", (long long)(to / from),
                        (long long)last.k);
    size = dim_floordiv(c->syms, last, dim_int(to / from));
  }
  const type *t = shape_replace(c, x, x->n - 1, size);
  return t ? infer_tensor(c, d, t->dims, t->n) : NULL;
}

/* Sizes of x with axes first..last replaced by size[0..n). */
static const type *splice(infer_ctx *c, const type *x, int first, int last, const dim *size,
                          int n) {
  dim out[2 * SCANC_MAX_RANK];
  int k = 0;
  for (int i = 0; i < first; i++) out[k++] = x->dims[i];
  for (int i = 0; i < n; i++) out[k++] = size[i];
  for (int i = last + 1; i < x->n; i++) out[k++] = x->dims[i];
  if (k > SCANC_MAX_RANK)
    return infer_fail(c, SCANC_ERR_UNSUPPORTED, "a result of more than %d dimensions",
                      SCANC_MAX_RANK);
  return infer_tensor(c, x->dtype, out, k);
}

const type *infer_flatten(infer_ctx *c) {
  const type *x;
  int first, last;
  dim product = dim_int(1);
  if (!arg_tensor(c, 0, &x) || !arg_axis(c, 1, x->n, &first) || !arg_axis(c, 2, x->n, &last))
    return NULL;
  if (!x->n) return infer_tensor(c, x->dtype, &product, 1);
  if (first > last)
    return infer_fail(c, SCANC_ERR_DIM_RANGE, "start_dim %d comes after end_dim %d", first, last);
  for (int i = first; i <= last; i++) product = dim_mul(c->syms, product, x->dims[i]);
  return splice(c, x, first, last, &product, 1);
}

const type *infer_unflatten(infer_ctx *c) {
  const type *x;
  dim size[SCANC_MAX_RANK];
  int axis, n;
  if (!arg_tensor(c, 0, &x) || !arg_axis(c, 1, x->n, &axis) || !arg_dims(c, 2, size, &n))
    return NULL;
  if (!x->n || !n)
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "needs a dimension and at least one size");
  return shape_resolve(c, &x->dims[axis], 1, size, n) ? splice(c, x, axis, axis, size, n) : NULL;
}

const type *infer_unsqueeze(infer_ctx *c) {
  const type *x;
  int axis;
  dim one = dim_int(1);
  if (!arg_tensor(c, 0, &x) || !arg_axis(c, 1, x->n + 1, &axis)) return NULL;
  return splice(c, x, axis, axis - 1, &one, 1);
}

const type *infer_squeeze(infer_ctx *c) {
  const type *x;
  int axes[SCANC_MAX_RANK], n = 0, k = 0;
  bool drop[SCANC_MAX_RANK] = {false};
  dim size[SCANC_MAX_RANK];
  if (!arg_tensor(c, 0, &x) || (arg_given(c, 1) && !arg_axes(c, 1, x->n, axes, &n))) return NULL;
  for (int i = 0; i < n; i++) drop[axes[i]] = true;
  for (int i = 0; i < x->n; i++)
    if (!dim_is(x->dims[i], 1) || (arg_given(c, 1) && !drop[i])) size[k++] = x->dims[i];
  return infer_tensor(c, x->dtype, size, k);
}

static const type *at_least_rank(infer_ctx *c, int rank) {
  const type *x;
  dim size[3] = {dim_int(1), dim_int(1), dim_int(1)};
  if (!arg_tensor(c, 0, &x)) return NULL;
  if (x->n >= rank) return x;
  if (x->n == 2) size[0] = x->dims[0], size[1] = x->dims[1];
  else if (x->n == 1) size[1] = x->dims[0];
  return infer_tensor(c, x->dtype, size, rank);
}

const type *infer_atleast_1d(infer_ctx *c) { return at_least_rank(c, 1); }
const type *infer_atleast_2d(infer_ctx *c) { return at_least_rank(c, 2); }
const type *infer_atleast_3d(infer_ctx *c) { return at_least_rank(c, 3); }

/* ---- permutations ---- */

static const type *permuted(infer_ctx *c, const type *x, const int *perm) {
  dim size[SCANC_MAX_RANK];
  for (int i = 0; i < x->n; i++) size[i] = x->dims[perm[i]];
  return infer_tensor(c, x->dtype, size, x->n);
}

/* Reports an axis that occurs twice. */
static bool distinct(infer_ctx *c, const int *axes, int n) {
  unsigned seen = 0;
  for (int i = 0; i < n; i++) {
    if (seen >> axes[i] & 1) {
      infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "dimension %d appears twice", axes[i]);
      return false;
    }
    seen |= 1u << axes[i];
  }
  return true;
}

const type *infer_permute(infer_ctx *c) {
  const type *x;
  int perm[SCANC_MAX_RANK], n;
  if (!arg_tensor(c, 0, &x) || !arg_axes(c, 1, x->n, perm, &n)) return NULL;
  if (n != x->n)
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "expected %d dimensions, got %d", x->n, n);
  return distinct(c, perm, n) ? permuted(c, x, perm) : NULL;
}

static const type *swapped(infer_ctx *c, const type *x, int a, int b) {
  int perm[SCANC_MAX_RANK];
  for (int i = 0; i < x->n; i++) perm[i] = i == a ? b : i == b ? a : i;
  return permuted(c, x, perm);
}

const type *infer_transpose(infer_ctx *c) {
  const type *x;
  int a, b;
  if (!arg_tensor(c, 0, &x) || !arg_axis(c, 1, x->n, &a) || !arg_axis(c, 2, x->n, &b)) return NULL;
  return swapped(c, x, a, b);
}

const type *infer_t(infer_ctx *c) {
  const type *x;
  if (!arg_tensor(c, 0, &x)) return NULL;
  if (x->n > 2)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "expected at most 2 dimensions, got %d", x->n);
  return x->n == 2 ? swapped(c, x, 0, 1) : x;
}

const type *infer_numpy_T(infer_ctx *c) {
  const type *x;
  int perm[SCANC_MAX_RANK];
  if (!arg_tensor(c, 0, &x)) return NULL;
  for (int i = 0; i < x->n; i++) perm[i] = x->n - 1 - i;
  return permuted(c, x, perm);
}

const type *infer_mT(infer_ctx *c) {
  const type *x;
  if (!arg_tensor(c, 0, &x)) return NULL;
  if (x->n < 2)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "expected at least 2 dimensions, got %d", x->n);
  return swapped(c, x, x->n - 2, x->n - 1);
}

const type *infer_movedim(infer_ctx *c) {
  const type *x;
  int from[SCANC_MAX_RANK], to[SCANC_MAX_RANK], perm[SCANC_MAX_RANK], n, m;
  if (!arg_tensor(c, 0, &x) || !arg_axes(c, 1, x->n, from, &n) || !arg_axes(c, 2, x->n, to, &m))
    return NULL;
  if (n != m)
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "%d source dimensions but %d destinations", n, m);
  if (!x->n) return x;
  if (!distinct(c, from, n) || !distinct(c, to, n)) return NULL;
  shape_movedim(x->n, from, to, n, perm);
  return permuted(c, x, perm);
}

/* ---- broadcasting ---- */

static const type *expanded(infer_ctx *c, const type *x, dim *size, int n) {
  if (n < x->n)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "%d sizes for a tensor of %d dimensions", n,
                      x->n);
  for (int i = 0; i < n; i++) {
    int k = i - (n - x->n);
    if (!dim_is(size[i], -1)) continue;
    if (k < 0)
      return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "-1 is not allowed for the new dimension %d", i);
    size[i] = x->dims[k];
  }
  return shape_broadcasts(c, x, size, n) ? infer_tensor(c, x->dtype, size, n) : NULL;
}

const type *infer_expand(infer_ctx *c) {
  const type *x;
  dim size[SCANC_MAX_RANK];
  int n;
  return arg_tensor(c, 0, &x) && arg_dims(c, 1, size, &n) ? expanded(c, x, size, n) : NULL;
}

const type *infer_expand_as(infer_ctx *c) {
  const type *x, *other;
  dim size[SCANC_MAX_RANK];
  if (!arg_tensor(c, 0, &x) || !arg_tensor(c, 1, &other)) return NULL;
  for (int i = 0; i < other->n; i++) size[i] = other->dims[i];
  return expanded(c, x, size, other->n);
}

const type *infer_broadcast_tensors(infer_ctx *c) {
  const type *const *x;
  dim size[SCANC_MAX_RANK];
  int n, rank = 0;
  if (!arg_tensors(c, 0, &x, &n)) return NULL;
  for (int i = 0; i < n; i++)
    if (!infer_broadcast(c, size, &rank, x[i]->dims, x[i]->n)) return NULL;
  const type **items = ARENA_ARRAY(c->mem, const type *, n);
  for (int i = 0; i < n; i++)
    if (!(items[i] = infer_tensor(c, x[i]->dtype, size, rank))) return NULL;
  return type_list(c->mem, items, n);
}

const type *infer_meshgrid(infer_ctx *c) {
  const type *const *x;
  const char *indexing;
  dim size[SCANC_MAX_RANK];
  int n;
  if (!arg_tensors(c, 0, &x, &n) || !arg_str_or(c, 1, "ij", &indexing)) return NULL;
  if (strcmp(indexing, "ij") != 0 && strcmp(indexing, "xy") != 0)
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "indexing '%.60s'; expected ij or xy", indexing);
  if (n > SCANC_MAX_RANK)
    return infer_fail(c, SCANC_ERR_UNSUPPORTED, "more than %d tensors", SCANC_MAX_RANK);
  for (int i = 0; i < n; i++) {
    if (x[i]->n > 1)
      return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "expected vectors, got %d dimensions",
                        x[i]->n);
    int place = indexing[0] == 'x' && n > 1 && i < 2 ? 1 - i : i;
    size[place] = x[i]->n ? x[i]->dims[0] : dim_int(1);
  }
  const type **items = ARENA_ARRAY(c->mem, const type *, n);
  for (int i = 0; i < n; i++)
    if (!(items[i] = infer_tensor(c, x[i]->dtype, size, n))) return NULL;
  return type_list(c->mem, items, n);
}

/* ---- parts ---- */

bool shape_index_arg(infer_ctx *c, int k, dim extent, dim *index) {
  if (!arg_dim(c, k, index)) return false;
  if (!dim_is_int(*index) || !dim_is_int(extent)) return true;
  if (index->k >= -extent.k && index->k < extent.k) return true;
  infer_fail(c, SCANC_ERR_INDEX_RANGE, "index %lld is outside the extent %lld", (long long)index->k,
             (long long)extent.k);
  return false;
}

const type *shape_drop(infer_ctx *c, const type *x, int axis) {
  return splice(c, x, axis, axis, NULL, 0);
}

static bool needs_rank(infer_ctx *c, const type *x) {
  if (!x->n) infer_fail(c, SCANC_ERR_DIM_RANGE, "a 0-d tensor has no dimension to take a part of");
  return x->n > 0;
}

const type *infer_select(infer_ctx *c) {
  const type *x;
  dim index;
  int axis;
  if (!arg_tensor(c, 0, &x) || !needs_rank(c, x) || !arg_axis(c, 1, x->n, &axis)) return NULL;
  return shape_index_arg(c, 2, x->dims[axis], &index) ? shape_drop(c, x, axis) : NULL;
}

bool shape_slice_args(infer_ctx *c, int k, const type *x, int *axis, dim *length) {
  dim start = dim_int(0), end = dim_int(INT64_MAX), step = dim_int(1);
  if (!needs_rank(c, x) || !arg_axis(c, k, x->n, axis)) return false;
  if (arg_given(c, k + 1) && !arg_dim(c, k + 1, &start)) return false;
  if (arg_given(c, k + 2) && !arg_dim(c, k + 2, &end)) return false;
  if (arg_given(c, k + 3) && !arg_dim(c, k + 3, &step)) return false;
  if (dim_is_int(step) && step.k <= 0) {
    infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "the step of a slice must be positive, got %lld",
               (long long)step.k);
    return false;
  }
  *length = shape_slice(c, x->dims[*axis], &start, end, step);
  return true;
}

const type *infer_slice(infer_ctx *c) {
  const type *x;
  dim n;
  int axis;
  if (!arg_tensor(c, 0, &x) || !shape_slice_args(c, 1, x, &axis, &n)) return NULL;
  return shape_replace(c, x, axis, n);
}

const type *infer_narrow(infer_ctx *c) {
  const type *x;
  dim start, n;
  int axis;
  if (!arg_tensor(c, 0, &x) || !needs_rank(c, x) || !arg_axis(c, 1, x->n, &axis) ||
      !arg_dim(c, 2, &start) || !arg_dim(c, 3, &n))
    return NULL;
  dim d = x->dims[axis];
  if (dim_is_int(start) && dim_is_int(n) && dim_is_int(d)) {
    int64_t s = start.k < 0 ? start.k + d.k : start.k;
    if (n.k < 0 || s < 0 || s > d.k || n.k > d.k - s)
      return infer_fail(c, SCANC_ERR_INDEX_RANGE,
                        "start %lld and length %lld exceed the extent %lld", (long long)start.k,
                        (long long)n.k, (long long)d.k);
  }
  return shape_replace(c, x, axis, n);
}

const type *infer_unfold(infer_ctx *c) {
  const type *x;
  dim size, step, out[SCANC_MAX_RANK];
  int axis;
  if (!arg_tensor(c, 0, &x) || !arg_axis(c, 1, x->n, &axis) || !arg_dim(c, 2, &size) ||
      !arg_dim(c, 3, &step))
    return NULL;
  if (x->n + 1 > SCANC_MAX_RANK)
    return infer_fail(c, SCANC_ERR_UNSUPPORTED, "a result of more than %d dimensions",
                      SCANC_MAX_RANK);
  dim d = x->n ? x->dims[axis] : dim_int(1);
  if (dim_is_int(step) && step.k <= 0)
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "step must be positive, got %lld",
                      (long long)step.k);
  if (dim_is_int(size) && dim_is_int(d) && (size.k < 0 || size.k > d.k))
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "window of %lld in an extent of %lld",
                      (long long)size.k, (long long)d.k);
  for (int i = 0; i < x->n; i++) out[i] = x->dims[i];
  if (x->n)
    out[axis] =
        dim_add(c->syms, dim_floordiv(c->syms, dim_sub(c->syms, d, size), step), dim_int(1));
  out[x->n] = size;
  return infer_tensor(c, x->dtype, out, x->n + 1);
}

bool shape_diagonal_args(infer_ctx *c, int k, const type *x, int *a, int *b, dim *length) {
  dim offset;
  if (!arg_dim(c, k, &offset) || !arg_axis(c, k + 1, x->n, a) || !arg_axis(c, k + 2, x->n, b))
    return false;
  if (x->n < 2 || *a == *b) {
    infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "needs two different dimensions, got %d and %d of %d", *a,
               *b, x->n);
    return false;
  }
  int64_t min, max;
  dim_bounds(c->syms, offset, &min, &max);
  dim none = dim_int(0),
      right = min >= 0  ? offset
              : max < 0 ? none
                        : dim_max(c->syms, offset, none),
      down = min >= 0  ? none
             : max < 0 ? offset
                       : dim_min(c->syms, offset, none);
  dim n = dim_add(c->syms, x->dims[*a], down), m = dim_sub(c->syms, x->dims[*b], right);
  dim d = dim_equal(n, m) ? n : dim_min(c->syms, n, m);
  dim_bounds(c->syms, d, &min, &max);
  *length = min >= 0 ? d : dim_max(c->syms, d, dim_int(0));
  return true;
}

const type *infer_diagonal(infer_ctx *c) {
  const type *x;
  dim size[SCANC_MAX_RANK], length;
  int a, b, k = 0;
  if (!arg_tensor(c, 0, &x) || !shape_diagonal_args(c, 1, x, &a, &b, &length)) return NULL;
  for (int i = 0; i < x->n; i++)
    if (i != a && i != b) size[k++] = x->dims[i];
  size[k++] = length;
  return infer_tensor(c, x->dtype, size, k);
}

const type *shape_as_strided(infer_ctx *c, int k, const type *x) {
  dim size[SCANC_MAX_RANK], stride[SCANC_MAX_RANK], offset = dim_int(0), numel = infer_numel(c, x);
  int n, m;
  if (!arg_dims(c, k, size, &n) || !arg_dims(c, k + 1, stride, &m)) return NULL;
  if (arg_given(c, k + 2) && !arg_dim(c, k + 2, &offset)) return NULL;
  if (n != m) return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "%d sizes but %d strides", n, m);
  dim last = offset;
  symtab_overflowed(c->syms); /* clears what earlier arithmetic left */
  for (int i = 0; i < n; i++) {
    if (dim_is_int(stride[i]) && stride[i].k < 0)
      return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "negative stride %lld", (long long)stride[i].k);
    last =
        dim_add(c->syms, last, dim_mul(c->syms, stride[i], dim_sub(c->syms, size[i], dim_int(1))));
  }
  const type *t = infer_tensor(c, x->dtype, size, n);
  bool empty = false;
  for (int i = 0; i < n; i++) empty |= dim_is(size[i], 0);
  if (!t || empty) return t;
  if (symtab_overflowed(c->syms) || (dim_is_int(last) && dim_is_int(numel) && last.k >= numel.k) ||
      (dim_is_int(offset) && offset.k < 0))
    return infer_fail(c, SCANC_ERR_INDEX_RANGE,
                      "element %s lies outside the %s elements of the operand",
                      shape_text(c, &last, 1), shape_text(c, &numel, 1));
  return t;
}

const type *infer_as_strided(infer_ctx *c) {
  const type *x;
  return arg_tensor(c, 0, &x) ? shape_as_strided(c, 1, x) : NULL;
}

/* ---- complex numbers ---- */

const type *infer_view_as_real(infer_ctx *c) {
  const type *x;
  dim two = dim_int(2);
  if (!arg_tensor(c, 0, &x)) return NULL;
  if (dtype_class(x->dtype) != 'c')
    return infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "expected a complex tensor, got %s",
                      scanc_dtype_name(x->dtype));
  const type *t = splice(c, x, x->n, x->n, &two, 1);
  return t ? infer_tensor(c, dtype_real(x->dtype), t->dims, t->n) : NULL;
}

const type *infer_view_as_complex(infer_ctx *c) {
  const type *x;
  if (!arg_tensor(c, 0, &x)) return NULL;
  if (x->dtype != SCANC_F32 && x->dtype != SCANC_F64)
    return infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "expected f32 or f64, got %s",
                      scanc_dtype_name(x->dtype));
  if (!x->n || (dim_is_int(x->dims[x->n - 1]) && x->dims[x->n - 1].k != 2))
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "the last size must be 2, got %s",
                      shape_text(c, x->dims, x->n));
  return infer_tensor(c, dtype_complex(x->dtype), x->dims, x->n - 1);
}

const type *infer_real(infer_ctx *c) {
  const type *x;
  return arg_tensor(c, 0, &x) ? infer_tensor(c, dtype_real(x->dtype), x->dims, x->n) : NULL;
}

const type *infer_imag(infer_ctx *c) {
  const type *x;
  if (!arg_tensor(c, 0, &x)) return NULL;
  if (dtype_class(x->dtype) != 'c')
    return infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "expected a complex tensor, got %s",
                      scanc_dtype_name(x->dtype));
  return infer_tensor(c, dtype_real(x->dtype), x->dims, x->n);
}
