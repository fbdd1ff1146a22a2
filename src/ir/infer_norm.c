/* Shape and dtype rules of losses, distances and normalisations. */
#include <string.h>

#include "ir/infer_reduce.h"

/* ---- losses ---- */

/* The shape of a loss: that of its elements, or a number. */
static const type *loss_type(infer_ctx *c, int reduction_arg, scanc_dtype d, const dim *dims,
                             int rank) {
  int64_t reduction;
  if (!arg_int_or(c, reduction_arg, 1, &reduction)) return NULL;
  if (reduction < 0 || reduction > 2)
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "expected a reduction of 0, 1 or 2, got %lld",
                      (long long)reduction);
  return reduction == 0 ? infer_tensor(c, d, dims, rank) : infer_tensor(c, d, NULL, 0);
}

static const type *loss_rule(infer_ctx *c, int reduction_arg) {
  const type *x, *y;
  dim dims[SCANC_MAX_RANK];
  int rank;
  scanc_dtype d;
  if (!arg_tensor(c, 0, &x) || !arg_tensor(c, 1, &y) || !infer_promote(c, c->arg, 2, &d))
    return NULL;
  if (dtype_class(d) != 'f')
    return infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "%s needs floating point, got %s", c->op->name,
                      scanc_dtype_name(d));
  if (!infer_broadcast_two(c, x, y, dims, &rank)) return NULL;
  return loss_type(c, reduction_arg, d, dims, rank);
}

const type *infer_loss(infer_ctx *c) { return loss_rule(c, 2); }
const type *infer_loss_weighted(infer_ctx *c) { return loss_rule(c, 3); }
const type *infer_loss_logits(infer_ctx *c) { return loss_rule(c, 4); }

/* self [N, C, d...] or [C], target [N, d...] or [] of class indices; the loss of one element has
 * target's shape. */
static const type *class_loss(infer_ctx *c, const type **x_out) {
  const type *x, *y;
  if (!arg_tensor(c, 0, &x) || !arg_tensor(c, 1, &y) || !infer_need_float(c, x, "the input", false))
    return NULL;
  if (dtype_class(y->dtype) != 'i')
    return infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "expected class indices as target, got %s",
                      scanc_dtype_name(y->dtype));
  bool fits = x->n >= 1 && y->n == x->n - 1;
  for (int i = 0; i < y->n && fits; i++)
    fits = dims_agree(c, y->dims[i], x->dims[i == 0 ? 0 : i + 1]);
  if (!fits)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH,
                      "the target does not have the shape of the input without classes");
  *x_out = x;
  return loss_type(c, 3, x->dtype, y->dims, y->n);
}

/* self, target, weight, reduction, ignore_index */
const type *infer_nll_loss(infer_ctx *c) {
  const type *x;
  return class_loss(c, &x);
}

const type *infer_nll_loss_forward(infer_ctx *c) {
  const type *x, *loss = class_loss(c, &x);
  return loss ? infer_pair(c, loss, infer_tensor(c, x->dtype, NULL, 0)) : NULL;
}

/* ---- distances ---- */

/* x1, x2, dim, eps */
const type *infer_cosine_similarity(infer_ctx *c) {
  const type *x, *y;
  dim dims[SCANC_MAX_RANK];
  int rank, axis;
  scanc_dtype d;
  bool reduced[SCANC_MAX_RANK] = {false};
  if (!arg_tensor(c, 0, &x) || !arg_tensor(c, 1, &y) ||
      !infer_broadcast_two(c, x, y, dims, &rank) || !arg_axis(c, 2, rank, &axis) ||
      !infer_promote(c, c->arg, 2, &d))
    return NULL;
  if (dtype_class(d) != 'f')
    return infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "%s needs floating point, got %s", c->op->name,
                      scanc_dtype_name(d));
  reduced[axis] = true;
  const type *whole = infer_tensor(c, d, dims, rank);
  return whole ? infer_reduced(c, whole, reduced, false, d) : NULL;
}

/* x1, x2, p, eps, keepdim: the norm over the last axis */
const type *infer_pairwise_distance(infer_ctx *c) {
  const type *x, *y;
  dim dims[SCANC_MAX_RANK];
  int rank;
  scanc_dtype d;
  bool keepdim;
  if (!arg_tensor(c, 0, &x) || !arg_tensor(c, 1, &y) ||
      !infer_broadcast_two(c, x, y, dims, &rank) || !infer_promote(c, c->arg, 2, &d) ||
      !arg_bool_or(c, 4, false, &keepdim))
    return NULL;
  if (dtype_class(d) != 'f')
    return infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "%s needs floating point, got %s", c->op->name,
                      scanc_dtype_name(d));
  if (rank > 0 && keepdim) dims[rank - 1] = dim_int(1);
  return infer_tensor(c, d, dims, rank > 0 && !keepdim ? rank - 1 : rank);
}

const type *infer_dist(infer_ctx *c) {
  const type *x, *y;
  dim dims[SCANC_MAX_RANK];
  int rank;
  scanc_dtype d;
  if (!arg_tensor(c, 0, &x) || !arg_tensor(c, 1, &y) ||
      !infer_broadcast_two(c, x, y, dims, &rank) || !infer_promote(c, c->arg, 2, &d))
    return NULL;
  if (dtype_class(d) != 'f' && dtype_class(d) != 'c')
    return infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "%s needs floating point, got %s", c->op->name,
                      scanc_dtype_name(d));
  return infer_tensor(c, dtype_real(d), NULL, 0);
}

/* x1 [..., P, M], x2 [..., R, M] -> [..., P, R] */
const type *infer_cdist(infer_ctx *c) {
  const type *x, *y;
  dim dims[SCANC_MAX_RANK];
  int rank = 0;
  if (!arg_tensor(c, 0, &x) || !arg_tensor(c, 1, &y) || !infer_need_float(c, x, "x1", false) ||
      !infer_same_dtype(c, x, y))
    return NULL;
  if (x->n < 2 || y->n < 2)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "expected operands of at least two dimensions");
  if (!dims_agree(c, x->dims[x->n - 1], y->dims[y->n - 1]))
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "the last dimensions of x1 and x2 differ");
  if (!infer_broadcast(c, dims, &rank, x->dims, x->n - 2) ||
      !infer_broadcast(c, dims, &rank, y->dims, y->n - 2))
    return NULL;
  dims[rank++] = x->dims[x->n - 2];
  dims[rank++] = y->dims[y->n - 2];
  return infer_tensor(c, x->dtype, dims, rank);
}

/* self [N, M] -> [N * (N - 1) / 2] */
const type *infer_pdist(infer_ctx *c) {
  const type *x;
  if (!arg_tensor(c, 0, &x) || !infer_need_float(c, x, "the operand", false)) return NULL;
  if (x->n != 2)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "expected a matrix, got rank %d", x->n);
  dim n = x->dims[0],
      pairs =
          dim_floordiv(c->syms, dim_mul(c->syms, n, dim_sub(c->syms, n, dim_int(1))), dim_int(2));
  return infer_tensor(c, x->dtype, &pairs, 1);
}

/* ---- normalisation ---- */

/* The operand k is absent or has the sizes dims[0..n). */
static bool fits(infer_ctx *c, int k, const dim *dims, int n) {
  const type *w;
  if (!arg_given(c, k)) return true;
  SCANC_TRY(arg_tensor(c, k, &w));
  bool same = w->n == n;
  for (int i = 0; i < n && same; i++) same = dims_agree(c, w->dims[i], dims[i]);
  if (!same)
    infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "'%s' does not have the expected shape",
               op_operand_name(c->op, k));
  return same;
}

/* The operand k is given and has the sizes dims[0..n). */
static bool given_and_fits(infer_ctx *c, int k, const dim *dims, int n) {
  const type *t;
  return arg_tensor(c, k, &t) && fits(c, k, dims, n);
}

/* Input in operand k, normalized_shape in k + 1: checks them and gives the shape of n axes. */
static bool layer_shape(infer_ctx *c, int k, const type **x, dim *shape, int *n) {
  SCANC_TRY(arg_tensor(c, k, x) && infer_need_float(c, *x, "the input", false) &&
            arg_dims(c, k + 1, shape, n));
  bool same = *n >= 1 && *n <= (*x)->n;
  for (int i = 0; i < *n && same; i++) same = dims_agree(c, shape[i], (*x)->dims[(*x)->n - *n + i]);
  if (!same)
    infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "normalized_shape does not match the last dimensions");
  return same;
}

/* input, normalized_shape, weight, bias: checks them and gives the number of normalised axes. */
static bool layer_args(infer_ctx *c, const type **x, int *n) {
  dim shape[SCANC_MAX_RANK];
  SCANC_TRY(layer_shape(c, 0, x, shape, n));
  return fits(c, 2, shape, *n) && (c->op->id == OP_rms_norm || fits(c, 3, shape, *n));
}

/* f16 and bf16 inputs with f32 parameters keep their statistics in f32. */
static scanc_dtype stats_dtype(const infer_ctx *c, scanc_dtype d, int first, int last) {
  for (int k = first; k <= last; k++)
    if (arg_given(c, k) && type_is_tensor(c->arg[k])) d = dtype_promote(d, c->arg[k]->dtype);
  return d;
}

const type *infer_layer_norm(infer_ctx *c) {
  const type *x;
  int n;
  return layer_args(c, &x, &n) ? infer_shaped_as(c, x, x->dtype) : NULL;
}

const type *infer_native_layer_norm(infer_ctx *c) {
  const type *x;
  int n;
  if (!layer_args(c, &x, &n)) return NULL;
  bool reduced[SCANC_MAX_RANK] = {false};
  for (int i = x->n - n; i < x->n; i++) reduced[i] = true;
  const type *stats = infer_reduced(c, x, reduced, true, stats_dtype(c, x->dtype, 2, 3));
  return infer_triple(c, infer_shaped_as(c, x, x->dtype), stats, stats);
}

/* Gradients under an output mask: the type of each is that of the operand it belongs to, None where
 * not asked for. */
static const type *masked(infer_ctx *c, int mask_arg, const type *const *t) {
  const type *mask = c->arg[mask_arg], *items[3];
  if (!mask || mask->kind != TYPE_LIST || mask->n != 3)
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "expected an output_mask of three booleans");
  for (int i = 0; i < 3; i++) {
    const type *m = mask->items[i];
    items[i] = m && m->known && m->i.k ? t[i] : &type_none;
    if (!items[i]) return NULL;
  }
  return type_list(c->mem, items, 3);
}

/* grad_out, input, normalized_shape, mean, rstd, weight, bias, output_mask */
const type *infer_layer_norm_backward(infer_ctx *c) {
  const type *x;
  dim shape[SCANC_MAX_RANK], rows[SCANC_MAX_RANK];
  int n;
  if (!layer_shape(c, 1, &x, shape, &n) || !given_and_fits(c, 0, x->dims, x->n)) return NULL;
  for (int i = 0; i < x->n; i++) rows[i] = i < x->n - n ? x->dims[i] : dim_int(1);
  if (!given_and_fits(c, 3, rows, x->n) || !given_and_fits(c, 4, rows, x->n) ||
      !fits(c, 5, shape, n))
    return NULL;
  scanc_dtype d = arg_given(c, 5) && type_is_tensor(c->arg[5]) ? c->arg[5]->dtype : x->dtype;
  const type *p = infer_tensor(c, d, shape, n);
  return masked(c, 7, (const type *const[]){infer_shaped_as(c, x, x->dtype), p, p});
}

/* Input [N, C, ...] in operand k, group count in operand `group_arg`. */
static bool group_count(infer_ctx *c, int k, int group_arg, const type **x, int64_t *groups) {
  SCANC_TRY(arg_tensor(c, k, x) && infer_need_float(c, *x, "the input", false) &&
            arg_int(c, group_arg, groups));
  if ((*x)->n < 2)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "expected at least two dimensions, got %d",
                      (*x)->n),
           false;
  dim channels = (*x)->dims[1];
  if (*groups <= 0 || (dim_is_int(channels) && channels.k % *groups))
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "the channels cannot be cut into %lld groups",
                      (long long)*groups),
           false;
  return true;
}

/* The same with weight and bias [C] in operands w, w + 1. */
static bool group_args(infer_ctx *c, int group_arg, int w, const type **x, int64_t *groups) {
  SCANC_TRY(group_count(c, 0, group_arg, x, groups));
  return fits(c, w, &(*x)->dims[1], 1) && fits(c, w + 1, &(*x)->dims[1], 1);
}

const type *infer_group_norm(infer_ctx *c) {
  const type *x;
  int64_t groups;
  return group_args(c, 1, 2, &x, &groups) ? infer_shaped_as(c, x, x->dtype) : NULL;
}

/* input, weight, bias, N, C, HxW, group, eps */
const type *infer_native_group_norm(infer_ctx *c) {
  const type *x;
  int64_t groups;
  if (!group_args(c, 6, 1, &x, &groups)) return NULL;
  const type *stats =
      infer_tensor(c, stats_dtype(c, x->dtype, 1, 2), (dim[]){x->dims[0], dim_int(groups)}, 2);
  return infer_triple(c, infer_shaped_as(c, x, x->dtype), stats, stats);
}

/* grad_out, input, mean, rstd, weight, N, C, HxW, group, output_mask */
const type *infer_group_norm_backward(infer_ctx *c) {
  const type *x;
  int64_t groups;
  if (!group_count(c, 1, 8, &x, &groups) || !given_and_fits(c, 0, x->dims, x->n)) return NULL;
  dim stats[2] = {x->dims[0], dim_int(groups)};
  if (!given_and_fits(c, 2, stats, 2) || !given_and_fits(c, 3, stats, 2) ||
      !fits(c, 4, &x->dims[1], 1))
    return NULL;
  scanc_dtype d = arg_given(c, 4) && type_is_tensor(c->arg[4]) ? c->arg[4]->dtype : x->dtype;
  const type *p = infer_tensor(c, d, &x->dims[1], 1);
  return masked(c, 9, (const type *const[]){infer_shaped_as(c, x, x->dtype), p, p});
}

/* input, weight, bias, running_mean, running_var, training */
static bool batch_args(infer_ctx *c, const type **x, bool *training) {
  SCANC_TRY(arg_tensor(c, 0, x) && infer_need_float(c, *x, "the input", false) &&
            arg_bool_or(c, 5, false, training));
  if ((*x)->n < 2)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "expected at least two dimensions, got %d",
                      (*x)->n),
           false;
  for (int k = 1; k <= 4; k++) SCANC_TRY(fits(c, k, &(*x)->dims[1], 1));
  if (!*training && (!arg_given(c, 3) || !arg_given(c, 4)))
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT,
                      "expected running_mean and running_var outside of training"),
           false;
  return true;
}

/* In training the running statistics are changed in place (functionalisation makes values of them):
 * both or none. */
static bool both_statistics(infer_ctx *c, bool training) {
  if (!training || arg_given(c, 3) == arg_given(c, 4)) return true;
  infer_fail(c, SCANC_ERR_BAD_ARGUMENT,
             "expected both running_mean and running_var, or none of them");
  return false;
}

const type *infer_batch_norm(infer_ctx *c) {
  const type *x;
  bool training;
  return batch_args(c, &x, &training) && both_statistics(c, training)
             ? infer_shaped_as(c, x, x->dtype)
             : NULL;
}

static bool batch_norm_types(infer_ctx *c, const type *x, bool training, const type **t) {
  dim size = training ? x->dims[1] : dim_int(0);
  t[0] = infer_shaped_as(c, x, x->dtype);
  t[1] = t[2] = infer_tensor(c, stats_dtype(c, x->dtype, 1, 4), &size, 1);
  return t[0] && t[1];
}

const type *infer_native_batch_norm(infer_ctx *c) {
  const type *x, *t[3];
  bool training;
  if (!batch_args(c, &x, &training) || !both_statistics(c, training) ||
      !batch_norm_types(c, x, training, t))
    return NULL;
  return type_list(c->mem, t, 3);
}

const type *infer_native_batch_norm_functional(infer_ctx *c) {
  const type *x, *t[5];
  bool training;
  if (!batch_args(c, &x, &training) || !batch_norm_types(c, x, training, t)) return NULL;
  if (!arg_tensor(c, 3, &t[3]) || !arg_tensor(c, 4, &t[4])) return NULL;
  return type_list(c->mem, t, 5);
}

/* input, weight, bias, running_mean, running_var, use_input_stats */
const type *infer_instance_norm(infer_ctx *c) {
  const type *x;
  bool own;
  if (!batch_args(c, &x, &own) || !both_statistics(c, own)) return NULL;
  return infer_shaped_as(c, x, x->dtype);
}
