/* Shape rules of ops that order or search, and of triangles and diagonals. */
#include "ir/shape.h"

static const type *pair(infer_ctx *c, const type *values) {
  if (!values) return NULL;
  const type *items[2] = {values, infer_tensor(c, SCANC_I64, values->dims, values->n)};
  return items[1] ? type_list(c->mem, items, 2) : NULL;
}

static bool sortable(infer_ctx *c, const type **x) {
  if (!arg_tensor(c, 0, x)) return false;
  if (dtype_class((*x)->dtype) != 'c') return true;
  infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "complex numbers have no order");
  return false;
}

const type *infer_sort(infer_ctx *c) {
  const type *x;
  int axis;
  return sortable(c, &x) && arg_axis(c, 1, x->n, &axis) ? pair(c, x) : NULL;
}

const type *infer_argsort(infer_ctx *c) {
  const type *t = infer_sort(c);
  return t ? t->items[1] : NULL;
}

/* Operand 1 as a rank k in an extent, lowest allowed value `low`. */
static bool arg_rank(infer_ctx *c, const type *x, int axis, int64_t low, dim *k) {
  if (!arg_dim(c, 1, k)) return false;
  dim d = x->n ? x->dims[axis] : dim_int(1);
  if (!dim_is_int(*k) || !dim_is_int(d) || (k->k >= low && k->k <= d.k)) return true;
  infer_fail(c, SCANC_ERR_INDEX_RANGE, "k = %lld is outside [%lld, %lld]", (long long)k->k,
             (long long)low, (long long)d.k);
  return false;
}

const type *infer_topk(infer_ctx *c) {
  const type *x;
  dim k;
  int axis;
  if (!sortable(c, &x) || !arg_axis(c, 2, x->n, &axis) || !arg_rank(c, x, axis, 0, &k)) return NULL;
  return pair(c, x->n ? shape_replace(c, x, axis, k) : x);
}

static const type *one_of_axis(infer_ctx *c, const type *x, int axis, int keep_operand) {
  bool keep;
  if (!arg_bool_or(c, keep_operand, false, &keep)) return NULL;
  if (!x->n) return pair(c, x);
  return pair(c, keep ? shape_replace(c, x, axis, dim_int(1)) : shape_drop(c, x, axis));
}

const type *infer_kthvalue(infer_ctx *c) {
  const type *x;
  dim k;
  int axis;
  if (!sortable(c, &x) || !arg_axis(c, 2, x->n, &axis) || !arg_rank(c, x, axis, 1, &k)) return NULL;
  return one_of_axis(c, x, axis, 3);
}

const type *infer_median(infer_ctx *c) {
  const type *x;
  return sortable(c, &x) ? infer_tensor(c, x->dtype, NULL, 0) : NULL;
}

const type *infer_median_dim(infer_ctx *c) {
  const type *x;
  int axis;
  if (!sortable(c, &x) || !arg_axis(c, 1, x->n, &axis)) return NULL;
  if (x->n && dim_is(x->dims[axis], 0))
    return infer_fail(c, SCANC_ERR_INDEX_RANGE, "median of no elements");
  return one_of_axis(c, x, axis, 2);
}

const type *infer_searchsorted(infer_ctx *c) {
  const type *sorted, *v = c->arg[1];
  bool narrow;
  const char *side;
  if (!sortable(c, &sorted) || !arg_bool_or(c, 2, false, &narrow) || !arg_str_or(c, 4, "", &side))
    return NULL;
  scanc_dtype d = narrow ? SCANC_I32 : SCANC_I64;
  if (!sorted->n)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "the sorted sequence must have a dimension");
  if (arg_given(c, 5)) {
    const type *order;
    if (!arg_tensor(c, 5, &order)) return NULL;
    bool same = order->n == sorted->n && order->dtype == SCANC_I64;
    for (int i = 0; same && i < order->n; i++)
      same = dims_agree(c, order->dims[i], sorted->dims[i]);
    if (!same)
      return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH,
                        "the sorter is not an i64 tensor of the sequence's sizes");
  }
  if (!v) return NULL;
  if (type_is_scalar(v) && sorted->n > 1)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "a number needs a sequence of one dimension");
  if (type_is_scalar(v)) return infer_tensor(c, d, NULL, 0);
  if (!arg_tensor(c, 1, &v)) return NULL;
  if (dtype_class(v->dtype) == 'c')
    return infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "complex numbers have no order");
  bool fits = sorted->n == 1 || sorted->n == v->n;
  for (int i = 0; fits && sorted->n > 1 && i < v->n - 1; i++)
    fits = dims_agree(c, sorted->dims[i], v->dims[i]);
  if (!fits)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH,
                      "a sequence of sizes %s does not fit values of sizes %s",
                      shape_text(c, sorted->dims, sorted->n), shape_text(c, v->dims, v->n));
  return infer_tensor(c, d, v->dims, v->n);
}

const type *infer_unique(infer_ctx *c) {
  const type *x, *items[3];
  bool inverse, counts;
  dim n = shape_fresh(c), none = dim_int(0);
  if (!sortable(c, &x) || !arg_bool_or(c, 2, false, &inverse) || !arg_bool_or(c, 3, false, &counts))
    return NULL;
  items[0] = infer_tensor(c, x->dtype, &n, 1);
  items[1] =
      inverse ? infer_tensor(c, SCANC_I64, x->dims, x->n) : infer_tensor(c, SCANC_I64, &none, 1);
  items[2] = infer_tensor(c, SCANC_I64, counts ? &n : &none, 1);
  return items[1] ? type_list(c->mem, items, 3) : NULL;
}

/* ---- triangles and diagonals ---- */

const type *infer_triangle(infer_ctx *c) {
  const type *x;
  if (!arg_tensor(c, 0, &x)) return NULL;
  return x->n >= 2 ? x
                   : infer_fail(c, SCANC_ERR_SHAPE_MISMATCH,
                                "expected at least 2 dimensions, got %d", x->n);
}

/* Elements (i, j) of a rows x cols matrix with j - i <= offset. */
static int64_t below(int64_t rows, int64_t cols, int64_t offset) {
  int64_t n = 0;
  for (int64_t i = 0; i < rows; i++) {
    int64_t k = i + offset + 1;
    n += k < 0 ? 0 : k > cols ? cols : k;
  }
  return n;
}

const type *infer_triangle_indices(infer_ctx *c) {
  int64_t rows, cols, offset;
  scanc_dtype d;
  if (!arg_int(c, 0, &rows) || !arg_int(c, 1, &cols) || !arg_int_or(c, 2, 0, &offset) ||
      !arg_dtype_or(c, 3, SCANC_I64, &d))
    return NULL;
  enum { LIMIT = 1 << 24 };
  if (rows < 0 || cols < 0 || rows > LIMIT || cols > LIMIT || offset > LIMIT || offset < -LIMIT)
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "sizes must be in [0, %d]", LIMIT);
  int64_t n = c->op->id == OP_tril_indices ? below(rows, cols, offset)
                                           : rows * cols - below(rows, cols, offset - 1);
  dim size[2] = {dim_int(2), dim_int(n)};
  return infer_tensor(c, d, size, 2);
}

/* x (or its elements in a row) on the diagonal `offset` of new axes a and b. */
static const type *embedded(infer_ctx *c, const type *x, dim last, int lead, dim offset, int a,
                            int b) {
  dim size[SCANC_MAX_RANK], away = offset;
  int rank = lead + 2;
  if (rank > SCANC_MAX_RANK)
    return infer_fail(c, SCANC_ERR_UNSUPPORTED, "a result of more than %d dimensions",
                      SCANC_MAX_RANK);
  if (a == b) return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "needs two different dimensions");
  if (!dim_is_int(offset)) return infer_fail(c, SCANC_ERR_UNSUPPORTED, "a symbolic offset");
  if (away.k < 0) away.k = -away.k;
  for (int i = 0, k = 0; i < rank; i++)
    size[i] = i == a || i == b ? dim_add(c->syms, last, away) : x->dims[k++];
  return infer_tensor(c, x->dtype, size, rank);
}

const type *infer_diag_embed(infer_ctx *c) {
  const type *x;
  dim offset;
  int a, b;
  if (!arg_tensor(c, 0, &x)) return NULL;
  if (!x->n) return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "a 0-d tensor has no diagonal");
  if (!arg_dim(c, 1, &offset) || !arg_axis(c, 2, x->n + 1, &a) || !arg_axis(c, 3, x->n + 1, &b))
    return NULL;
  return embedded(c, x, x->dims[x->n - 1], x->n - 1, offset, a, b);
}

const type *infer_diag(infer_ctx *c) {
  const type *x;
  dim offset, n;
  if (!arg_tensor(c, 0, &x) || !arg_dim(c, 1, &offset)) return NULL;
  if (x->n == 1) return embedded(c, x, x->dims[0], 0, offset, 0, 1);
  if (x->n != 2)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH,
                      "expected a vector or a matrix, got %d dimensions", x->n);
  if (!dim_is_int(offset)) return infer_fail(c, SCANC_ERR_UNSUPPORTED, "a symbolic offset");
  dim rows = x->dims[0], cols = x->dims[1];
  if (offset.k >= 0) cols = dim_sub(c->syms, cols, offset);
  else rows = dim_add(c->syms, rows, offset);
  n = dim_max(c->syms, dim_equal(rows, cols) ? rows : dim_min(c->syms, rows, cols), dim_int(0));
  return infer_tensor(c, x->dtype, &n, 1);
}

const type *infer_diagflat(infer_ctx *c) {
  const type *x;
  dim offset;
  if (!arg_tensor(c, 0, &x) || !arg_dim(c, 1, &offset)) return NULL;
  return embedded(c, x, infer_numel(c, x), 0, offset, 0, 1);
}
