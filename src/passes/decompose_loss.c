/* Bodies of losses and distances. f16 and bf16 are computed in f32 and rounded once. */
#include <math.h>

#include "passes/decompose.h"
#include "passes/expand.h"

static int rank_of(const node *x) { return x && type_is_tensor(x->type) ? x->type->n : 0; }

/* Operand k in the type that results of type d are computed in. */
static node *input(cursor *c, node *n, int k, scanc_dtype d) {
  return cast(c, n->operands[k], wide_dtype(d));
}

static node *difference(cursor *c, node *n) {
  node *x = input(c, n, 0, n->type->dtype), *y = input(c, n, 1, n->type->dtype);
  return build_sub(c, V(x), V(y));
}

static val finish(cursor *c, node *n, node *loss, int reduction_arg) {
  return narrow(c, reduce_loss(c, loss, int_of(n->operands[reduction_arg], 1)), n->type);
}

val decompose_mse_loss(cursor *c, node *n) {
  return finish(c, n, build_square(c, V(difference(c, n))), 2);
}
val decompose_l1_loss(cursor *c, node *n) {
  return finish(c, n, build_abs(c, V(difference(c, n))), 2);
}

/* |d| < beta ? d^2 / (2 beta) : |d| - beta / 2 */
val decompose_smooth_l1_loss(cursor *c, node *n) {
  double beta = float_of(n->operands[3], 1);
  node *z = build_abs(c, V(difference(c, n)));
  if (beta == 0) return finish(c, n, z, 2);
  node *q =
      build_div(c, V(build_mul(c, V(build_mul(c, V(z), val_float(0.5))), V(z))), val_float(beta));
  node *l = build_sub(c, V(z), val_float(0.5 * beta));
  return finish(c, n, build_where(c, V(build_lt(c, V(z), val_float(beta))), V(q), V(l)), 2);
}

/* |d| <= delta ? d^2 / 2 : delta * (|d| - delta / 2) */
val decompose_huber_loss(cursor *c, node *n) {
  double delta = float_of(n->operands[3], 1);
  node *z = build_abs(c, V(difference(c, n)));
  node *q = build_mul(c, V(build_mul(c, V(z), val_float(0.5))), V(z));
  node *l = build_mul(c, V(build_sub(c, V(z), val_float(0.5 * delta))), val_float(delta));
  return finish(c, n, build_where(c, V(build_le(c, V(z), val_float(delta))), V(q), V(l)), 2);
}

static node *weighted(cursor *c, node *n, node *loss, int k) {
  return given(n->operands[k]) ? build_mul(c, V(loss), V(input(c, n, k, n->type->dtype))) : loss;
}

/* (y - 1) * max(log1p(-x), -100) - y * max(log(x), -100) */
val decompose_binary_cross_entropy(cursor *c, node *n) {
  node *x = input(c, n, 0, n->type->dtype), *y = input(c, n, 1, n->type->dtype);
  node *p = build_clamp_min(c, V(build_log(c, V(x))), val_float(-100));
  node *q = build_clamp_min(c, V(build_log1p(c, V(build_neg(c, V(x))))), val_float(-100));
  node *a = build_mul(c, V(build_sub(c, V(y), val_float(1))), V(q));
  return finish(c, n, weighted(c, n, build_sub(c, V(a), V(build_mul(c, V(y), V(p)))), 2), 3);
}

/* (1 - y) * x - (1 + (pos_weight - 1) * y) * log_sigmoid(x) */
val decompose_binary_cross_entropy_with_logits(cursor *c, node *n) {
  scanc_dtype d = n->type->dtype;
  node *x = input(c, n, 0, d), *y = input(c, n, 1, d), *l = build_log_sigmoid(c, V(x));
  if (given(n->operands[3])) {
    node *w = build_mul(c, V(build_sub(c, V(input(c, n, 3, d)), val_float(1))), V(y));
    l = build_mul(c, V(l), V(build_add(c, V(w), val_float(1))));
  }
  node *a = build_mul(c, V(build_rsub(c, V(y), val_float(1))), V(x));
  return finish(c, n, weighted(c, n, build_sub(c, V(a), V(l)), 2), 4);
}

/* self, target, reduction, log_target */
val decompose_kl_div(cursor *c, node *n) {
  node *x = input(c, n, 0, n->type->dtype), *y = input(c, n, 1, n->type->dtype);
  bool log_target = bool_of(n->operands[3], false);
  node *a = log_target ? build_exp(c, V(y)) : build_xlogy(c, V(y), V(y));
  node *b = log_target ? build_sub(c, V(y), V(x)) : build_mul(c, V(y), V(x));
  node *r = log_target ? build_mul(c, V(a), V(b)) : build_sub(c, V(a), V(b));
  return finish(c, n, r, 2);
}

/* ---- class indices ---- */

/* Loss and weight per element for log-probabilities x of operand shape [N, C, ...] or [C]; ignored
 * targets weigh 0. */
static node *class_losses(cursor *c, node *n, node *x, node **weight) {
  int axis = rank_of(x) > 1 ? 1 : 0;
  int64_t ignore = int_of(n->operands[4], -100);
  node *target = cast(c, n->operands[1], SCANC_I64),
       *used = build_ne(c, V(target), val_int(ignore));
  node *safe = build_where(c, V(used), V(target), val_int(0));
  node *picked =
      CALL(c, "gather.default", V(x), val_int(axis), V(build_unsqueeze(c, V(safe), axis)));
  picked = build_squeeze(c, V(picked), axis);
  node *w = cast(c, V(used), x->type->dtype);
  if (given(n->operands[2])) {
    val table = V(cast(c, n->operands[2], x->type->dtype)), at = V(safe);
    w = build_mul(c, V(w), V(CALL(c, "index.Tensor", table, list_of(c, &at, 1))));
  }
  *weight = w;
  node *loss = build_mul(c, V(build_neg(c, V(picked))), V(w));
  return build_where(c, V(used), V(loss), val_float(0));
}

static node *reduce_classes(cursor *c, node *n, node *loss, node *weight, node **total) {
  int64_t reduction = int_of(n->operands[3], 1);
  *total = NULL;
  if (reduction == 0) return loss;
  *total = CALL(c, "sum.default", V(weight));
  node *sum = CALL(c, "sum.default", V(loss));
  return reduction == 1 ? build_div(c, V(sum), V(*total)) : sum;
}

val decompose_nll_loss(cursor *c, node *n) {
  node *weight = NULL, *total, *x = widen(c, n->operands[0]);
  node *loss = x ? class_losses(c, n, x, &weight) : NULL;
  return narrow(c, reduce_classes(c, n, loss, weight, &total), n->type);
}

val decompose_nll_loss_forward(cursor *c, node *n) {
  node *weight = NULL, *total, *x = widen(c, n->operands[0]);
  node *loss = x ? class_losses(c, n, x, &weight) : NULL;
  loss = reduce_classes(c, n, loss, weight, &total);
  if (!total && loss && x) total = build_full(c, list_of(c, NULL, 0), val_float(0), x->type->dtype);
  val a = narrow(c, loss, n->type->items[0]), b = narrow(c, total, n->type->items[1]);
  return a.kind == VAL_NODE && b.kind == VAL_NODE
             ? val_seq(c->g->mod->mem, VAL_TUPLE, (val[]){a, b}, 2)
             : val_absent();
}

val decompose_cross_entropy_loss(cursor *c, node *n) {
  node *weight = NULL, *total, *x = widen(c, n->operands[0]);
  if (float_of(n->operands[5], 0) != 0) return val_absent(); /* label smoothing is not supported */
  x = CALL(c, "log_softmax.int", V(x), val_int(rank_of(x) > 1 ? 1 : 0));
  node *loss = x ? class_losses(c, n, x, &weight) : NULL;
  return narrow(c, reduce_classes(c, n, loss, weight, &total), n->type);
}

/* ---- distances ---- */

static node *norm(cursor *c, node *x, val p, int axis, bool keepdim) {
  val at = val_int(axis);
  return CALL(c, "linalg_vector_norm.default", V(x), p, list_of(c, &at, 1), val_bool(keepdim));
}

/* x1, x2, dim, eps: each vector is divided by its norm, or eps where that is smaller */
val decompose_cosine_similarity(cursor *c, node *n) {
  node *x = input(c, n, 0, n->type->dtype), *y = input(c, n, 1, n->type->dtype);
  int rank = rank_of(x) > rank_of(y) ? rank_of(x) : rank_of(y),
      axis = axis_of(n->operands[2], rank) - rank;
  val eps = val_float(float_of(n->operands[3], 1e-8)), at = val_int(rank ? axis : -1);
  if (!x || !y) return val_absent();
  if (!type_equal(x->type, y->type)) { /* the norms count repeated elements too */
    node *both = CALL(c, "broadcast_tensors.default", list_of(c, (val[]){V(x), V(y)}, 2));
    x = build_getitem(c, both, 0);
    y = build_getitem(c, both, 1);
  }
  node *u =
      build_div(c, V(x), V(build_clamp_min(c, V(norm(c, x, val_float(2), (int)at.i, true)), eps)));
  node *v =
      build_div(c, V(y), V(build_clamp_min(c, V(norm(c, y, val_float(2), (int)at.i, true)), eps)));
  return narrow(c, build_sum(c, V(build_mul(c, V(u), V(v))), list_of(c, &at, 1), false), n->type);
}

/* x1, x2, p, eps, keepdim */
val decompose_pairwise_distance(cursor *c, node *n) {
  node *d = build_add(c, V(difference(c, n)), val_float(float_of(n->operands[3], 1e-6)));
  return narrow(
      c, norm(c, d, val_float(float_of(n->operands[2], 2)), -1, bool_of(n->operands[4], false)),
      n->type);
}

val decompose_dist(cursor *c, node *n) {
  node *d = build_sub(c, n->operands[0], n->operands[1]);
  return narrow(c, CALL(c, "norm.Scalar", V(d), val_float(float_of(n->operands[2], 2))), n->type);
}

/* x1 [..., P, M], x2 [..., R, M] */
val decompose_cdist(cursor *c, node *n) {
  node *a = build_unsqueeze(c, V(widen(c, n->operands[0])), -2),
       *b = build_unsqueeze(c, V(widen(c, n->operands[1])), -3);
  node *d = build_sub(c, V(a), V(b));
  return narrow(c, norm(c, d, val_float(float_of(n->operands[2], 2)), -1, false), n->type);
}
