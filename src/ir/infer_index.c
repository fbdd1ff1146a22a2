/* Shape rules of indexing by tensors: index, gather, scatter and their kin, subscripts, embedding,
 * parts put back. */
#include <string.h>

#include "ir/shape.h"

static bool is_index_dtype(scanc_dtype d) { return d == SCANC_I64 || d == SCANC_I32; }
static bool is_mask_dtype(scanc_dtype d) { return d == SCANC_BOOL || d == SCANC_U8; }

static bool arg_index(infer_ctx *c, int k, const type **out) {
  if (!arg_tensor(c, k, out)) return false;
  if (is_index_dtype((*out)->dtype)) return true;
  infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "an index must be i64 or i32, got %s",
             scanc_dtype_name((*out)->dtype));
  return false;
}

static bool same_dtype(infer_ctx *c, const type *a, const type *b) {
  if (a->dtype == b->dtype) return true;
  infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "expected equal types, got %s and %s",
             scanc_dtype_name(a->dtype), scanc_dtype_name(b->dtype));
  return false;
}

/* ---- several index tensors ---- */

/* Which axes of the operand index tensors replace, and the shape they broadcast to. */
typedef struct {
  bool taken[SCANC_MAX_RANK];
  int first, last, count;
  dim size[SCANC_MAX_RANK];
  int rank;
  bool mask;
} indexing;

static bool add_mask(infer_ctx *c, const type *x, int axis, const type *t) {
  bool fits = t->n > 0 && axis + t->n <= x->n;
  for (int i = 0; fits && i < t->n; i++) fits = dims_agree(c, t->dims[i], x->dims[axis + i]);
  if (!fits)
    infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "a mask of sizes %s does not fit %s at dimension %d",
               shape_text(c, t->dims, t->n), shape_text(c, x->dims, x->n), axis);
  return fits;
}

/* Adds index t at axis; *axis moves past what it replaces. */
static bool add_index(infer_ctx *c, const type *x, const type *t, int *axis, indexing *r) {
  int n = 1;
  if (t->kind != TYPE_TENSOR || !(is_index_dtype(t->dtype) || is_mask_dtype(t->dtype))) {
    infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "an index must be an i64, i32 or bool tensor%s%s",
               t->kind == TYPE_TENSOR ? ", got " : "",
               t->kind == TYPE_TENSOR ? scanc_dtype_name(t->dtype) : "");
    return false;
  }
  if (is_mask_dtype(t->dtype)) {
    if (!add_mask(c, x, *axis, t)) return false;
    n = t->n;
    r->mask = true;
  } else if (!infer_broadcast(c, r->size, &r->rank, t->dims, t->n)) {
    return false;
  }
  for (int i = 0; i < n; i++) {
    if (*axis >= x->n) {
      infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "too many indices for a tensor of %d dimensions", x->n);
      return false;
    }
    if (!r->count++) r->first = *axis;
    r->last = *axis;
    r->taken[(*axis)++] = true;
  }
  return true;
}

static const type *indexed_shape(infer_ctx *c, const type *x, const indexing *r) {
  dim out[2 * SCANC_MAX_RANK];
  bool together = r->last - r->first + 1 == r->count;
  int k = 0;
  for (int i = 0; i <= x->n; i++) {
    if (i == (together ? r->first : 0))
      for (int j = 0; j < r->rank; j++) out[k++] = r->size[j];
    if (i < x->n && !r->taken[i]) out[k++] = x->dims[i];
  }
  if (k > SCANC_MAX_RANK)
    return infer_fail(c, SCANC_ERR_UNSUPPORTED, "a result of more than %d dimensions",
                      SCANC_MAX_RANK);
  return infer_tensor(c, x->dtype, out, k);
}

/* x[idx[0], idx[1], ...], None taking a whole axis. *mask tells whether a mask is among them. */
static const type *indexed(infer_ctx *c, const type *x, const type *const *idx, int n, bool *mask) {
  indexing r = {0};
  int axis = 0;
  for (int i = 0; i < n; i++) {
    if (!idx[i]) return NULL;
    if (idx[i]->kind == TYPE_NONE) axis++;
    else if (!add_index(c, x, idx[i], &axis, &r)) return NULL;
  }
  *mask = r.mask;
  if (axis > x->n)
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "%d indices for a tensor of %d dimensions", axis,
                      x->n);
  if (!r.count) return x;
  if (r.mask && !r.rank) r.rank = 1, r.size[0] = shape_fresh(c);
  else if (r.mask && dim_is(r.size[r.rank - 1], 1)) r.size[r.rank - 1] = shape_fresh(c);
  return indexed_shape(c, x, &r);
}

static bool arg_indices(infer_ctx *c, int k, const type **list) {
  *list = c->arg[k];
  if (!*list) return false;
  if ((*list)->kind == TYPE_LIST) return true;
  infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "indices: expected a list of tensors");
  return false;
}

const type *infer_index(infer_ctx *c) {
  const type *x, *list;
  bool mask;
  if (!arg_tensor(c, 0, &x) || !arg_indices(c, 1, &list)) return NULL;
  return indexed(c, x, list->items, list->n, &mask);
}

const type *infer_index_put(infer_ctx *c) {
  const type *x, *list, *v;
  bool mask;
  if (!arg_tensor(c, 0, &x) || !arg_indices(c, 1, &list) || !arg_tensor(c, 2, &v)) return NULL;
  const type *part = indexed(c, x, list->items, list->n, &mask);
  if (!part || !same_dtype(c, x, v)) return NULL;
  return mask || shape_broadcasts(c, v, part->dims, part->n) ? x : NULL;
}

/* ---- subscripts ---- */

/* What integers, slices and None leave of a tensor, and the index tensors per remaining axis. */
typedef struct {
  dim size[2 * SCANC_MAX_RANK];
  const type *index[2 * SCANC_MAX_RANK];
  int rank;
  bool advanced;
} subscript;

static bool is_ellipsis(const type *item) {
  return item && item->kind == TYPE_OTHER && !strcmp(item->s, "Ellipsis");
}

static int consumed(const type *item) {
  if (!item) return 1;
  if (item->kind == TYPE_NONE || is_ellipsis(item)) return 0;
  return item->kind == TYPE_TENSOR && is_mask_dtype(item->dtype) ? item->n : 1;
}

static bool take_slice(infer_ctx *c, dim extent, const type *s, dim *out) {
  dim part[3] = {dim_int(0), dim_int(INT64_MAX), dim_int(1)};
  for (int i = 0; i < 3; i++) {
    if (!s->items[i]) return false;
    if (s->items[i]->kind == TYPE_NONE) continue;
    if (s->items[i]->kind != TYPE_INT) {
      infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "the bounds of a slice must be integers");
      return false;
    }
    part[i] = s->items[i]->i;
  }
  if (dim_is_int(part[2]) && part[2].k <= 0) {
    infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "the step of a slice must be positive, got %lld",
               (long long)part[2].k);
    return false;
  }
  *out = shape_slice(c, extent, &part[0], part[1], part[2]);
  return true;
}

static bool take_int(infer_ctx *c, dim extent, dim i) {
  if (!dim_is_int(i) || !dim_is_int(extent) || (i.k >= -extent.k && i.k < extent.k)) return true;
  infer_fail(c, SCANC_ERR_INDEX_RANGE, "index %lld is outside the extent %lld", (long long)i.k,
             (long long)extent.k);
  return false;
}

/* One item of a subscript at axis *a of x. */
static bool subscript_item(infer_ctx *c, const type *x, const type *item, int *a, int n_rest,
                           subscript *r) {
  if (item->kind == TYPE_NONE) {
    r->size[r->rank++] = dim_int(1);
  } else if (is_ellipsis(item)) {
    for (int i = 0; i < n_rest; i++) r->size[r->rank++] = x->dims[(*a)++];
  } else if (item->kind == TYPE_INT) {
    return take_int(c, x->dims[(*a)++], item->i);
  } else if (item->kind == TYPE_SLICE) {
    return take_slice(c, x->dims[(*a)++], item, &r->size[r->rank++]);
  } else if (item->kind == TYPE_TENSOR) {
    r->advanced = true;
    r->index[r->rank] = item;
    for (int i = consumed(item); i > 0; i--) r->size[r->rank++] = x->dims[(*a)++];
  } else {
    infer_fail(c, SCANC_ERR_BAD_ARGUMENT,
               "a subscript must be made of integers, slices, None, Ellipsis and tensors");
    return false;
  }
  if (r->rank > SCANC_MAX_RANK)
    infer_fail(c, SCANC_ERR_UNSUPPORTED, "a result of more than %d dimensions", SCANC_MAX_RANK);
  return r->rank <= SCANC_MAX_RANK;
}

static bool subscripts(infer_ctx *c, const type *x, const type *idx, subscript *r) {
  const type *const *items = &idx;
  int n = 1, used = 0, a = 0, ellipses = 0;
  if (!idx) return false;
  if (idx->kind == TYPE_LIST) items = idx->items, n = idx->n;
  for (int i = 0; i < n; i++) {
    if (!items[i]) return false;
    used += consumed(items[i]);
    ellipses += is_ellipsis(items[i]);
  }
  if (ellipses > 1) {
    infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "a subscript has at most one Ellipsis, got %d", ellipses);
    return false;
  }
  if (used > x->n) {
    infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "%d indices for a tensor of %d dimensions", used, x->n);
    return false;
  }
  for (int i = 0; i < n; i++)
    if (!subscript_item(c, x, items[i], &a, x->n - used, r)) return false;
  while (a < x->n && r->rank < SCANC_MAX_RANK) r->size[r->rank++] = x->dims[a++];
  return true;
}

static const type *subscripted(infer_ctx *c, const type *x, const type *idx, bool *mask) {
  subscript r = {0};
  *mask = false;
  if (!subscripts(c, x, idx, &r)) return NULL;
  const type *basic = infer_tensor(c, x->dtype, r.size, r.rank);
  if (!basic || !r.advanced) return basic;
  const type *list[SCANC_MAX_RANK];
  int n = 0;
  for (int i = 0; i < r.rank; i += r.index[i] ? consumed(r.index[i]) : 1)
    list[n++] = r.index[i] ? r.index[i] : &type_none;
  return indexed(c, basic, list, n, mask);
}

const type *infer_tensor_getitem(infer_ctx *c) {
  const type *x;
  bool mask;
  return arg_tensor(c, 0, &x) ? subscripted(c, x, c->arg[1], &mask) : NULL;
}

const type *infer_tensor_setitem(infer_ctx *c) {
  const type *x, *v = c->arg[2];
  bool mask;
  if (!arg_tensor(c, 0, &x)) return NULL;
  const type *part = subscripted(c, x, c->arg[1], &mask);
  if (!part || !v) return NULL;
  if (type_is_scalar(v)) return x;
  if (!arg_tensor(c, 2, &v)) return NULL;
  return mask || shape_broadcasts(c, v, part->dims, part->n) ? x : NULL;
}

/* ---- one index along an axis ---- */

static const type *vector_args(infer_ctx *c, const type **x, int *axis, dim *n) {
  const type *index;
  if (!arg_tensor(c, 0, x) || !arg_axis(c, 1, (*x)->n, axis) || !arg_index(c, 2, &index))
    return NULL;
  if (index->n > 1)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "the index must be a vector, got %d dimensions",
                      index->n);
  *n = index->n ? index->dims[0] : dim_int(1);
  return index;
}

const type *infer_index_select(infer_ctx *c) {
  const type *x;
  dim n;
  int axis;
  if (!vector_args(c, &x, &axis, &n)) return NULL;
  return x->n ? shape_replace(c, x, axis, n) : x;
}

const type *infer_index_fill(infer_ctx *c) {
  const type *x;
  dim n;
  int axis;
  if (!vector_args(c, &x, &axis, &n)) return NULL;
  const type *v = c->arg[3];
  if (v && v->kind == TYPE_TENSOR && v->n)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH,
                      "the value must be a 0-d tensor, got %d dimensions", v->n);
  return infer_numbers_fit(c, x->dtype) ? x : NULL;
}

const type *infer_index_write(infer_ctx *c) {
  const type *x, *source;
  dim n;
  int axis;
  if (!vector_args(c, &x, &axis, &n) || !arg_tensor(c, 3, &source) || !same_dtype(c, x, source))
    return NULL;
  if (!x->n && source->n) return shape_same(c, source, &n, 1) ? x : NULL;
  if (!source->n) return x;
  const type *expected = shape_replace(c, x, axis, n);
  return expected && shape_same(c, source, expected->dims, expected->n) ? x : NULL;
}

/* The index must not exceed `limit` except along `axis` (-1: nowhere). */
static bool within(infer_ctx *c, const type *index, const type *limit, int axis) {
  int n = index->n ? index->n : 1, m = limit->n ? limit->n : 1;
  bool ok = n == m;
  for (int i = 0; i < index->n; i++)
    if (dim_is(index->dims[i], 0)) return true;
  for (int i = 0; ok && i < index->n && limit->n; i++) {
    dim d = index->dims[i], l = limit->dims[i];
    ok = i == axis || !dim_is_int(d) || !dim_is_int(l) || d.k <= l.k;
  }
  if (!ok)
    infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "an index of sizes %s exceeds %s",
               shape_text(c, index->dims, index->n), shape_text(c, limit->dims, limit->n));
  return ok;
}

const type *infer_gather(infer_ctx *c) {
  const type *x, *index;
  int axis;
  if (!arg_tensor(c, 0, &x) || !arg_axis(c, 1, x->n, &axis) || !arg_index(c, 2, &index) ||
      !within(c, index, x, axis))
    return NULL;
  return infer_tensor(c, x->dtype, index->dims, index->n);
}

/* Whether a scatter is known to take extrema. */
static bool takes_extrema(const infer_ctx *c) {
  const type *how = c->op->n_operands > 4 ? c->arg[4] : NULL;
  return how && how->kind == TYPE_STR && (!strcmp(how->s, "amax") || !strcmp(how->s, "amin"));
}

const type *infer_scatter(infer_ctx *c) {
  const type *x, *index, *src = c->arg[3];
  int axis;
  if (!arg_tensor(c, 0, &x) || !arg_axis(c, 1, x->n, &axis) || !arg_index(c, 2, &index) ||
      !within(c, index, x, axis))
    return NULL;
  if (!src) return NULL;
  if (type_is_scalar(src)) return infer_numbers_fit(c, x->dtype) ? x : NULL;
  if (!arg_tensor(c, 3, &src) || !within(c, index, src, -1) || !same_dtype(c, x, src)) return NULL;
  if (dtype_class(x->dtype) == 'c' && takes_extrema(c))
    return infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "complex numbers have no order");
  return x;
}

const type *infer_take(infer_ctx *c) {
  const type *x, *index;
  if (!arg_tensor(c, 0, &x) || !arg_index(c, 1, &index)) return NULL;
  return infer_tensor(c, x->dtype, index->dims, index->n);
}

const type *infer_put(infer_ctx *c) {
  const type *x, *index, *source;
  if (!arg_tensor(c, 0, &x) || !arg_index(c, 1, &index) || !arg_tensor(c, 2, &source) ||
      !same_dtype(c, x, source))
    return NULL;
  if (!dims_agree(c, infer_numel(c, index), infer_numel(c, source)))
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "index %s and source %s differ in size",
                      shape_text(c, index->dims, index->n), shape_text(c, source->dims, source->n));
  return x;
}

const type *infer_take_along_dim(infer_ctx *c) {
  const type *x, *index;
  int axis, rank = 0;
  dim size[SCANC_MAX_RANK], own[SCANC_MAX_RANK];
  if (!arg_tensor(c, 0, &x) || !arg_index(c, 1, &index)) return NULL;
  if (!arg_given(c, 2)) {
    dim n = infer_numel(c, index);
    return infer_tensor(c, x->dtype, &n, 1);
  }
  if (!arg_axis(c, 2, x->n, &axis)) return NULL;
  if (x->n != index->n)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "expected an index of %d dimensions, got %d",
                      x->n, index->n);
  for (int i = 0; i < x->n; i++) own[i] = i == axis ? dim_int(1) : x->dims[i];
  if (!infer_broadcast(c, size, &rank, index->dims, index->n) ||
      !infer_broadcast(c, size, &rank, own, x->n))
    return NULL;
  if (x->n) size[axis] = index->dims[axis];
  return infer_tensor(c, x->dtype, size, rank);
}

/* ---- masks ---- */

static bool mask_args(infer_ctx *c, const type **x, dim *size, int *rank) {
  const type *mask;
  *rank = 0;
  if (!arg_tensor(c, 0, x) || !arg_tensor(c, 1, &mask)) return false;
  if (!is_mask_dtype(mask->dtype)) {
    infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "a mask must be bool, got %s",
               scanc_dtype_name(mask->dtype));
    return false;
  }
  return infer_broadcast(c, size, rank, (*x)->dims, (*x)->n) &&
         infer_broadcast(c, size, rank, mask->dims, mask->n);
}

const type *infer_masked_select(infer_ctx *c) {
  const type *x;
  dim size[SCANC_MAX_RANK];
  int rank;
  if (!mask_args(c, &x, size, &rank)) return NULL;
  dim n = shape_fresh(c);
  return infer_tensor(c, x->dtype, &n, 1);
}

const type *infer_masked_scatter(infer_ctx *c) {
  const type *x, *source;
  dim size[SCANC_MAX_RANK];
  int rank;
  if (!mask_args(c, &x, size, &rank) || !arg_tensor(c, 2, &source) || !same_dtype(c, x, source))
    return NULL;
  return infer_tensor(c, x->dtype, size, rank);
}

const type *infer_nonzero(infer_ctx *c) {
  const type *x;
  if (!arg_tensor(c, 0, &x)) return NULL;
  dim size[2] = {shape_fresh(c), dim_int(x->n)};
  return infer_tensor(c, SCANC_I64, size, 2);
}

/* ---- a part put back ---- */

/* self (operand 0) when src (operand 1) fills its part. */
static const type *filled(infer_ctx *c, const type *x, const type *part) {
  const type *src;
  if (!part || !arg_tensor(c, 1, &src)) return NULL;
  return shape_broadcasts(c, src, part->dims, part->n) ? x : NULL;
}

const type *infer_select_scatter(infer_ctx *c) {
  const type *x;
  dim index;
  int axis;
  if (!arg_tensor(c, 0, &x)) return NULL;
  if (!x->n)
    return infer_fail(c, SCANC_ERR_DIM_RANGE, "a 0-d tensor has no dimension to take a part of");
  if (!arg_axis(c, 2, x->n, &axis) || !shape_index_arg(c, 3, x->dims[axis], &index)) return NULL;
  return filled(c, x, shape_drop(c, x, axis));
}

const type *infer_slice_scatter(infer_ctx *c) {
  const type *x;
  dim n;
  int axis;
  if (!arg_tensor(c, 0, &x) || !shape_slice_args(c, 2, x, &axis, &n)) return NULL;
  return filled(c, x, shape_replace(c, x, axis, n));
}

static const type *diagonal_of(infer_ctx *c, const type *x, int operand) {
  dim size[SCANC_MAX_RANK], n;
  int a, b, k = 0;
  if (!shape_diagonal_args(c, operand, x, &a, &b, &n)) return NULL;
  for (int i = 0; i < x->n; i++)
    if (i != a && i != b) size[k++] = x->dims[i];
  size[k++] = n;
  return infer_tensor(c, x->dtype, size, k);
}

const type *infer_diagonal_scatter(infer_ctx *c) {
  const type *x;
  return arg_tensor(c, 0, &x) ? filled(c, x, diagonal_of(c, x, 2)) : NULL;
}

const type *infer_as_strided_scatter(infer_ctx *c) {
  const type *x, *src;
  if (!arg_tensor(c, 0, &x) || !arg_tensor(c, 1, &src)) return NULL;
  const type *part = shape_as_strided(c, 2, x);
  return part && shape_same(c, src, part->dims, part->n) ? x : NULL;
}

/* ---- the gradients of parts: the operand in zeros of the sizes of operand 1 ---- */

static const type *backward_sizes(infer_ctx *c, const type **g) {
  dim size[SCANC_MAX_RANK];
  int n;
  return arg_tensor(c, 0, g) && arg_dims(c, 1, size, &n) ? infer_tensor(c, (*g)->dtype, size, n)
                                                         : NULL;
}

const type *infer_select_backward(infer_ctx *c) {
  const type *g, *x = backward_sizes(c, &g);
  dim index;
  int axis;
  if (!x) return NULL;
  if (!x->n)
    return infer_fail(c, SCANC_ERR_DIM_RANGE, "a 0-d tensor has no dimension to take a part of");
  if (!arg_axis(c, 2, x->n, &axis) || !shape_index_arg(c, 3, x->dims[axis], &index)) return NULL;
  const type *part = shape_drop(c, x, axis);
  return part && shape_same(c, g, part->dims, part->n) ? x : NULL;
}

const type *infer_slice_backward(infer_ctx *c) {
  const type *g, *x = backward_sizes(c, &g);
  dim n;
  int axis;
  if (!x || !shape_slice_args(c, 2, x, &axis, &n)) return NULL;
  const type *part = shape_replace(c, x, axis, n);
  return part && shape_same(c, g, part->dims, part->n) ? x : NULL;
}

const type *infer_diagonal_backward(infer_ctx *c) {
  const type *g, *x = backward_sizes(c, &g);
  const type *part = x ? diagonal_of(c, x, 2) : NULL;
  return part && shape_same(c, g, part->dims, part->n) ? x : NULL;
}

/* ---- tables ---- */

const type *infer_embedding(infer_ctx *c) {
  const type *w, *index;
  dim size[SCANC_MAX_RANK];
  if (!arg_tensor(c, 0, &w) || !arg_index(c, 1, &index)) return NULL;
  if (w->n != 2)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "the table must have 2 dimensions, got %d",
                      w->n);
  if (arg_given(c, 2))
    return infer_fail(c, SCANC_ERR_UNSUPPORTED, "embedding with max_norm changes its table");
  if (index->n == SCANC_MAX_RANK)
    return infer_fail(c, SCANC_ERR_UNSUPPORTED, "a result of more than %d dimensions",
                      SCANC_MAX_RANK);
  for (int i = 0; i < index->n; i++) size[i] = index->dims[i];
  size[index->n] = w->dims[1];
  return infer_tensor(c, w->dtype, size, index->n + 1);
}

const type *infer_embedding_dense_backward(infer_ctx *c) {
  const type *g, *index;
  dim size[2];
  if (!arg_tensor(c, 0, &g) || !arg_index(c, 1, &index) || !arg_dim(c, 2, &size[0])) return NULL;
  if (g->n != index->n + 1)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "gradient of %d and index of %d dimensions",
                      g->n, index->n);
  size[1] = g->dims[g->n - 1];
  return infer_tensor(c, g->dtype, size, 2);
}

const type *infer_one_hot(infer_ctx *c) {
  const type *x;
  dim size[SCANC_MAX_RANK], n;
  if (!arg_tensor(c, 0, &x) || !arg_dim(c, 1, &n)) return NULL;
  if (x->dtype != SCANC_I64)
    return infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "expected i64, got %s",
                      scanc_dtype_name(x->dtype));
  if (dim_is_int(n) && n.k < 1 && n.k != -1)
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "num_classes must be positive, got %lld",
                      (long long)n.k);
  if (x->n == SCANC_MAX_RANK)
    return infer_fail(c, SCANC_ERR_UNSUPPORTED, "a result of more than %d dimensions",
                      SCANC_MAX_RANK);
  for (int i = 0; i < x->n; i++) size[i] = x->dims[i];
  size[x->n] = dim_is(n, -1) ? shape_fresh(c) : n;
  return infer_tensor(c, SCANC_I64, size, x->n + 1);
}
