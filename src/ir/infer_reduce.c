/* Shape and dtype rules of reductions and of the ops that run along one axis. */
#include "ir/infer_reduce.h"

#include <string.h>

/* ---- shared helpers ---- */

/* Which axes the operand k of c reduces: None or an empty list stands for all. Fills
 * reduced[0..rank). */
static bool infer_reduced_axes(infer_ctx *c, int k, int rank, bool *reduced) {
  int axes[SCANC_MAX_RANK], n;
  SCANC_TRY(arg_axes(c, k, rank, axes, &n));
  for (int i = 0; i < rank; i++) reduced[i] = n == 0;
  for (int i = 0; i < n && rank > 0; i++) {
    if (reduced[axes[i]])
      return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "dimension %d appears twice", axes[i]), false;
    reduced[axes[i]] = true;
  }
  return true;
}

const type *infer_reduced(infer_ctx *c, const type *t, const bool *reduced, bool keepdim,
                          scanc_dtype d) {
  dim dims[SCANC_MAX_RANK];
  int rank = 0;
  for (int i = 0; i < t->n; i++) {
    if (!reduced[i]) dims[rank++] = t->dims[i];
    else if (keepdim) dims[rank++] = dim_int(1);
  }
  return infer_tensor(c, d, dims, rank);
}

bool infer_need_float(infer_ctx *c, const type *t, const char *what, bool complex_too) {
  char cls = dtype_class(t->dtype);
  if (cls == 'f' || (complex_too && cls == 'c')) return true;
  infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "%s must be floating point%s, got %s", what,
             complex_too ? " or complex" : "", scanc_dtype_name(t->dtype));
  return false;
}

const type *infer_shaped_as(infer_ctx *c, const type *t, scanc_dtype d) {
  return infer_tensor(c, d, t->dims, t->n);
}

const type *infer_pair(infer_ctx *c, const type *a, const type *b) {
  return a && b ? type_list(c->mem, (const type *const[]){a, b}, 2) : NULL;
}

const type *infer_triple(infer_ctx *c, const type *a, const type *b, const type *d) {
  return a && b && d ? type_list(c->mem, (const type *const[]){a, b, d}, 3) : NULL;
}

bool infer_broadcast_two(infer_ctx *c, const type *a, const type *b, dim *dims, int *rank) {
  *rank = 0;
  return infer_broadcast(c, dims, rank, a->dims, a->n) &&
         infer_broadcast(c, dims, rank, b->dims, b->n);
}

bool infer_same_dtype(infer_ctx *c, const type *a, const type *b) {
  if (a->dtype == b->dtype) return true;
  infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "expected operands of one dtype, got %s and %s",
             scanc_dtype_name(a->dtype), scanc_dtype_name(b->dtype));
  return false;
}

/* ---- reductions: self, dim, keepdim, dtype ---- */

static bool reduction_args(infer_ctx *c, const type **t, bool *reduced, bool *keepdim) {
  return arg_tensor(c, 0, t) && infer_reduced_axes(c, 1, (*t)->n, reduced) &&
         arg_bool_or(c, 2, false, keepdim);
}

const type *infer_sum(infer_ctx *c) {
  const type *t;
  bool reduced[SCANC_MAX_RANK], keepdim;
  scanc_dtype d;
  if (!reduction_args(c, &t, reduced, &keepdim)) return NULL;
  char cls = dtype_class(t->dtype);
  if (!arg_dtype_or(c, 3, cls == 'b' || cls == 'i' ? SCANC_I64 : t->dtype, &d)) return NULL;
  if (c->op->id == OP_nansum && cls == 'c')
    return infer_fail(c, SCANC_ERR_UNSUPPORTED, "nansum has no complex form");
  return infer_reduced(c, t, reduced, keepdim, d);
}

const type *infer_mean(infer_ctx *c) {
  const type *t;
  bool reduced[SCANC_MAX_RANK], keepdim;
  scanc_dtype d;
  if (!reduction_args(c, &t, reduced, &keepdim) || !arg_dtype_or(c, 3, t->dtype, &d)) return NULL;
  if (dtype_class(d) != 'f' && dtype_class(d) != 'c')
    return infer_fail(c, SCANC_ERR_DTYPE_MISMATCH,
                      "the mean needs a floating-point or complex dtype, got %s",
                      scanc_dtype_name(d));
  return infer_reduced(c, t, reduced, keepdim, d);
}

/* A reduction without identity: no reduced axis may be known to be empty, unless a kept one is
 * empty too. */
static bool need_elements(infer_ctx *c, const type *t, const bool *reduced) {
  bool empty = false;
  for (int i = 0; i < t->n; i++) {
    if (!reduced[i] && dim_is(t->dims[i], 0) && arg_given(c, 1)) return true;
    empty |= reduced[i] && dim_is(t->dims[i], 0);
  }
  if (empty)
    infer_fail(c, SCANC_ERR_SHAPE_MISMATCH,
               "expected the reduced dimensions to be of non-zero size");
  return !empty;
}

static bool need_ordered(infer_ctx *c, const type *t) {
  if (dtype_class(t->dtype) != 'c') return true;
  infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "complex numbers have no order");
  return false;
}

const type *infer_extremum(infer_ctx *c) {
  const type *t;
  bool reduced[SCANC_MAX_RANK], keepdim;
  if (!reduction_args(c, &t, reduced, &keepdim) || !need_ordered(c, t)) return NULL;
  for (int i = 0; i < t->n; i++)
    if (reduced[i] && dim_is(t->dims[i], 0))
      return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH,
                        "expected the reduced dimension %d to be of non-zero size", i);
  return infer_reduced(c, t, reduced, keepdim, t->dtype);
}

const type *infer_aminmax(infer_ctx *c) {
  const type *t;
  bool reduced[SCANC_MAX_RANK], keepdim;
  if (!reduction_args(c, &t, reduced, &keepdim) || !need_ordered(c, t) ||
      !need_elements(c, t, reduced))
    return NULL;
  const type *r = infer_reduced(c, t, reduced, keepdim, t->dtype);
  return infer_pair(c, r, r);
}

const type *infer_extremum_dim(infer_ctx *c) {
  const type *t;
  bool reduced[SCANC_MAX_RANK], keepdim;
  if (!reduction_args(c, &t, reduced, &keepdim) || !need_ordered(c, t)) return NULL;
  for (int i = 0; i < t->n; i++)
    if (reduced[i] && dim_is(t->dims[i], 0))
      return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "expected dimension %d to be of non-zero size",
                        i);
  return infer_pair(c, infer_reduced(c, t, reduced, keepdim, t->dtype),
                    infer_reduced(c, t, reduced, keepdim, SCANC_I64));
}

const type *infer_arg_extremum(infer_ctx *c) {
  const type *t;
  bool reduced[SCANC_MAX_RANK], keepdim;
  if (!reduction_args(c, &t, reduced, &keepdim) || !need_ordered(c, t)) return NULL;
  if (t->dtype == SCANC_BOOL)
    return infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "%s has no form for bool", c->op->name);
  for (int i = 0; i < t->n; i++)
    if (reduced[i] && dim_is(t->dims[i], 0))
      return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "expected dimension %d to be of non-zero size",
                        i);
  return infer_reduced(c, t, reduced, keepdim, SCANC_I64);
}

/* An empty list of dimensions reduces nothing here, unlike everywhere else. u8 stays u8. */
const type *infer_any(infer_ctx *c) {
  const type *t;
  bool reduced[SCANC_MAX_RANK], keepdim;
  if (!reduction_args(c, &t, reduced, &keepdim)) return NULL;
  if (c->arg[1] && c->arg[1]->kind == TYPE_LIST && c->arg[1]->n == 0)
    memset(reduced, 0, sizeof reduced);
  return infer_reduced(c, t, reduced, keepdim, t->dtype == SCANC_U8 ? SCANC_U8 : SCANC_BOOL);
}

const type *infer_count_nonzero(infer_ctx *c) {
  const type *t;
  bool reduced[SCANC_MAX_RANK];
  if (!arg_tensor(c, 0, &t) || !infer_reduced_axes(c, 1, t->n, reduced)) return NULL;
  return infer_reduced(c, t, reduced, false, SCANC_I64);
}

/* self, dim, correction, keepdim */
static bool var_args(infer_ctx *c, const type **t, bool *reduced, bool *keepdim) {
  return arg_tensor(c, 0, t) && infer_need_float(c, *t, "the operand", true) &&
         infer_reduced_axes(c, 1, (*t)->n, reduced) && arg_bool_or(c, 3, false, keepdim);
}

const type *infer_var(infer_ctx *c) {
  const type *t;
  bool reduced[SCANC_MAX_RANK], keepdim;
  if (!var_args(c, &t, reduced, &keepdim)) return NULL;
  return infer_reduced(c, t, reduced, keepdim, dtype_real(t->dtype));
}

const type *infer_var_mean(infer_ctx *c) {
  const type *t;
  bool reduced[SCANC_MAX_RANK], keepdim;
  if (!var_args(c, &t, reduced, &keepdim)) return NULL;
  return infer_pair(c, infer_reduced(c, t, reduced, keepdim, dtype_real(t->dtype)),
                    infer_reduced(c, t, reduced, keepdim, t->dtype));
}

/* self, ord, dim, keepdim, dtype */
const type *infer_vector_norm(infer_ctx *c) {
  const type *t;
  bool reduced[SCANC_MAX_RANK], keepdim;
  scanc_dtype d;
  if (!arg_tensor(c, 0, &t) || !infer_need_float(c, t, "the operand", true) ||
      !infer_reduced_axes(c, 2, t->n, reduced) || !arg_bool_or(c, 3, false, &keepdim) ||
      !arg_dtype_or(c, 4, t->dtype, &d))
    return NULL;
  if (dtype_class(d) != 'f' && dtype_class(d) != 'c')
    return infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "a norm needs a floating-point dtype, got %s",
                      scanc_dtype_name(d));
  return infer_reduced(c, t, reduced, keepdim, dtype_real(d));
}

const type *infer_logsumexp(infer_ctx *c) {
  const type *t;
  bool reduced[SCANC_MAX_RANK], keepdim;
  if (!reduction_args(c, &t, reduced, &keepdim)) return NULL;
  char cls = dtype_class(t->dtype);
  if (cls == 'c')
    return infer_fail(c, SCANC_ERR_UNSUPPORTED, "logsumexp of complex numbers is not supported");
  return infer_reduced(c, t, reduced, keepdim, cls == 'f' ? t->dtype : SCANC_F32);
}

/* self, dim, dtype, half_to_float */
const type *infer_softmax(infer_ctx *c) {
  const type *t;
  scanc_dtype d;
  int axis;
  bool widen = false;
  if (!arg_tensor(c, 0, &t) || !arg_axis(c, 1, t->n, &axis) || !arg_dtype_or(c, 2, t->dtype, &d))
    return NULL;
  if (c->op->n_operands > 3 && !arg_bool_or(c, 3, false, &widen)) return NULL;
  if (widen) d = SCANC_F32;
  if (dtype_class(d) != 'f')
    return infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "%s needs floating point, got %s", c->op->name,
                      scanc_dtype_name(d));
  return infer_shaped_as(c, t, d);
}

/* grad_output, output, dim, input_dtype */
const type *infer_softmax_backward(infer_ctx *c) {
  const type *g, *y;
  scanc_dtype d;
  int axis;
  if (!arg_tensor(c, 0, &g) || !arg_tensor(c, 1, &y) || !arg_axis(c, 2, y->n, &axis) ||
      !arg_dtype_or(c, 3, y->dtype, &d))
    return NULL;
  return infer_shaped_as(c, y, d);
}

const type *infer_trace(infer_ctx *c) {
  const type *t;
  if (!arg_tensor(c, 0, &t)) return NULL;
  if (t->n != 2)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "expected a matrix, got rank %d", t->n);
  char cls = dtype_class(t->dtype);
  return infer_tensor(c, cls == 'i' || cls == 'b' ? SCANC_I64 : t->dtype, NULL, 0);
}

const type *infer_sum_to_size(infer_ctx *c) {
  const type *t;
  dim dims[SCANC_MAX_RANK];
  int n;
  if (!arg_tensor(c, 0, &t) || !arg_dims(c, 1, dims, &n)) return NULL;
  bool fits = n <= t->n, sums = n < t->n || n == 0;
  for (int i = 0; i < n && fits; i++) {
    dim own = t->dims[t->n - n + i];
    fits = dim_is(dims[i], 1) || dims_agree(c, dims[i], own);
    sums |= dim_is(dims[i], 1) && !dim_is(own, 1);
  }
  if (!fits)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH,
                      "the size does not broadcast to that of the operand");
  bool widens = sums && strchr("ib", dtype_class(t->dtype));
  return infer_tensor(c, widens ? SCANC_I64 : t->dtype, dims, n);
}

/* ---- along one axis ---- */

/* self, dim, dtype */
const type *infer_cumulative(infer_ctx *c) {
  const type *t;
  int axis;
  scanc_dtype d;
  if (!arg_tensor(c, 0, &t) || !arg_axis(c, 1, t->n, &axis)) return NULL;
  char cls = dtype_class(t->dtype);
  if (!arg_dtype_or(c, 2, cls == 'b' || cls == 'i' ? SCANC_I64 : t->dtype, &d)) return NULL;
  if (d == SCANC_BOOL)
    return infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "%s has no form for bool", c->op->name);
  return infer_shaped_as(c, t, d);
}

const type *infer_cumulative_extremum(infer_ctx *c) {
  const type *t;
  int axis;
  if (!arg_tensor(c, 0, &t) || !arg_axis(c, 1, t->n, &axis) || !need_ordered(c, t)) return NULL;
  return infer_pair(c, infer_shaped_as(c, t, t->dtype), infer_shaped_as(c, t, SCANC_I64));
}

const type *infer_logcumsumexp(infer_ctx *c) {
  const type *t;
  int axis;
  if (!arg_tensor(c, 0, &t) || !arg_axis(c, 1, t->n, &axis) ||
      !infer_need_float(c, t, "the operand", false))
    return NULL;
  return infer_shaped_as(c, t, t->dtype);
}

/* self, n, dim, prepend, append */
const type *infer_diff(infer_ctx *c) {
  const type *t, *e;
  int64_t n;
  int axis;
  if (!arg_tensor(c, 0, &t) || !arg_int_or(c, 1, 1, &n)) return NULL;
  if (t->n == 0) return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "expected at least one dimension");
  if (n < 0)
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "expected a non-negative order, got %lld",
                      (long long)n);
  if (!arg_axis(c, 2, t->n, &axis)) return NULL;
  if (n == 0) return t; /* whatever stands before or behind */
  dim dims[SCANC_MAX_RANK];
  memcpy(dims, t->dims, sizeof *dims * (size_t)t->n);
  scanc_dtype d = t->dtype;
  for (int k = 3; k < 5; k++) {
    if (!arg_given(c, k)) continue;
    if (!arg_tensor(c, k, &e)) return NULL;
    if (e->n != t->n)
      return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "expected rank %d, got %d", t->n, e->n);
    dims[axis] = dim_add(c->syms, dims[axis], e->dims[axis]);
    d = dtype_promote(d, e->dtype);
  }
  dims[axis] = dim_max(c->syms, dim_sub(c->syms, dims[axis], dim_int(n)), dim_int(0));
  return infer_tensor(c, d, dims, t->n);
}

/* y, x, dx, dim */
const type *infer_trapezoid(infer_ctx *c) {
  const type *y, *x = NULL;
  int axis;
  scanc_dtype d;
  bool reduced[SCANC_MAX_RANK] = {false};
  if (!arg_tensor(c, 0, &y) || (arg_given(c, 1) && !arg_tensor(c, 1, &x)) ||
      !arg_axis(c, 3, y->n, &axis))
    return NULL;
  if (y->n == 0) return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "expected at least one dimension");
  if (x && (x->n == 0 || (x->n > 1 && x->n != y->n)))
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "expected x of rank 1 or %d, got %d", y->n,
                      x->n);
  if (!infer_promote(c, c->arg, x ? 2 : 1, &d)) return NULL;
  reduced[axis] = true;
  return infer_reduced(c, y, reduced, false,
                       dtype_class(d) == 'f' || dtype_class(d) == 'c' ? d : SCANC_F32);
}

const type *infer_glu(infer_ctx *c) {
  const type *t;
  int axis;
  if (!arg_tensor(c, 0, &t) || !infer_need_float(c, t, "the operand", false)) return NULL;
  if (t->n == 0) return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "expected at least one dimension");
  if (!arg_axis(c, 1, t->n, &axis)) return NULL;
  dim dims[SCANC_MAX_RANK];
  memcpy(dims, t->dims, sizeof *dims * (size_t)t->n);
  if (dim_is_int(dims[axis]) && dims[axis].k % 2)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH,
                      "expected an even size of dimension %d, got %lld", axis,
                      (long long)dims[axis].k);
  dims[axis] = dim_floordiv(c->syms, dims[axis], dim_int(2));
  return infer_tensor(c, t->dtype, dims, t->n);
}
