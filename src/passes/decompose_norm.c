/* Bodies of normalisations. f16 and bf16 are computed in f32 and rounded once. */
#include "passes/decompose.h"
#include "passes/expand.h"

static int rank_of(const node *x) { return x && type_is_tensor(x->type) ? x->type->n : 0; }

static val tuple(cursor *c, const val *items, int n) {
  for (int i = 0; i < n; i++)
    if (items[i].kind == VAL_ABSENT) return val_absent();
  return val_seq(c->g->mod->mem, VAL_TUPLE, items, n);
}

/* The parameter k of n in the type of computation, NULL if it is not given. */
static node *parameter(cursor *c, const node *n, int k, scanc_dtype d) {
  return given(n->operands[k]) ? cast(c, n->operands[k], wide_dtype(d)) : NULL;
}

/* x * weight + bias; both may be NULL. */
static node *affine(cursor *c, node *x, node *weight, node *bias) {
  if (weight) x = build_mul(c, V(x), V(weight));
  return bias ? build_add(c, V(x), V(bias)) : x;
}

/* A vector [C] with axes of size 1 behind it, so that it lies along axis 1 of a tensor of that
 * rank. */
static node *along_channels(cursor *c, node *v, int rank) {
  for (int i = 2; i < rank && v; i++) v = build_unsqueeze(c, V(v), -1);
  return v;
}

/* What is left of x after its mean over `dims`, and 1 / sqrt(variance + eps); mean and rstd keep
 * their axes. */
typedef struct {
  node *mean, *rstd, *y;
} standardised;

static standardised standardise(cursor *c, node *x, val dims, double eps) {
  standardised s = {.mean = build_mean(c, V(x), dims, true)};
  node *d = build_sub(c, V(x), V(s.mean)),
       *var = build_mean(c, V(build_square(c, V(d))), dims, true);
  s.rstd = build_rsqrt(c, V(build_add(c, V(var), val_float(eps))));
  s.y = build_mul(c, V(d), V(s.rstd));
  return s;
}

/* The list of the last k axes of rank. */
static val last_axes(cursor *c, int rank, int k) {
  bool reduced[SCANC_MAX_RANK] = {false};
  for (int i = rank - k; i < rank; i++) reduced[i] = true;
  return axes_list(c, reduced, rank);
}

static int normalised_rank(const node *n) {
  return val_is_seq(n->operands[1]) ? n->operands[1].n : 1;
}

/* ---- layer norm ---- */

static standardised layer(cursor *c, node *n) {
  node *x = widen(c, n->operands[0]);
  standardised s = standardise(c, x, last_axes(c, rank_of(x), normalised_rank(n)),
                               float_of(n->operands[4], 1e-5));
  if (!x) return s;
  node *weight = parameter(c, n, 2, x->type->dtype), *bias = parameter(c, n, 3, x->type->dtype);
  s.y = affine(c, s.y, weight, bias);
  return s;
}

val decompose_layer_norm(cursor *c, node *n) { return narrow(c, layer(c, n).y, n->type); }

val decompose_native_layer_norm(cursor *c, node *n) {
  standardised s = layer(c, n);
  const type *const *t = n->type->items;
  return tuple(c, (val[]){narrow(c, s.y, t[0]), narrow(c, s.mean, t[1]), narrow(c, s.rstd, t[2])},
               3);
}

/* input, normalized_shape, weight, eps: x / sqrt(mean(x^2) + eps) */
val decompose_rms_norm(cursor *c, node *n) {
  node *x = widen(c, n->operands[0]);
  if (!x) return val_absent();
  scanc_dtype d = n->operands[0].node->type->dtype;
  double eps = d == SCANC_F64 ? 0x1p-52 : 0x1p-23; /* that of the type of computation */
  node *square =
      build_mean(c, V(build_square(c, V(x))), last_axes(c, rank_of(x), normalised_rank(n)), true);
  node *r = build_rsqrt(c, V(build_add(c, V(square), val_float(float_of(n->operands[3], eps)))));
  node *y = build_mul(c, V(x), V(r));
  return narrow(c, affine(c, y, parameter(c, n, 2, d), NULL), n->type);
}

static bool wanted(const node *n, int mask, int k) {
  return val_is_seq(n->operands[mask]) && bool_of(n->operands[mask].items[k], false);
}

/* With h = g * weight and y the standardised input: rstd * (h - mean(h) - y * mean(h * y)). */
static node *standardised_gradient(cursor *c, node *h, node *y, node *rstd, val dims) {
  node *a = build_mean(c, V(h), dims, true),
       *b = build_mean(c, V(build_mul(c, V(h), V(y))), dims, true);
  node *d = build_sub(c, V(h), V(a));
  d = build_sub(c, V(d), V(build_mul(c, V(y), V(b))));
  return build_mul(c, V(d), V(rstd));
}

/* grad_out, input, normalized_shape, mean, rstd, weight, bias, output_mask */
val decompose_native_layer_norm_backward(cursor *c, node *n) {
  node *g = widen(c, n->operands[0]), *x = widen(c, n->operands[1]);
  if (!g || !x) return val_absent();
  scanc_dtype d = x->type->dtype;
  int rank = rank_of(x), k = val_is_seq(n->operands[2]) ? n->operands[2].n : 1;
  val inner = last_axes(c, rank, k), out[3] = {val_none(), val_none(), val_none()};
  bool outer[SCANC_MAX_RANK] = {false};
  for (int i = 0; i < rank - k; i++) outer[i] = true;
  val rows = axes_list(c, outer, rank);
  node *rstd = parameter(c, n, 4, d), *w = parameter(c, n, 5, d);
  node *y = build_mul(c, V(build_sub(c, V(x), V(parameter(c, n, 3, d)))), V(rstd));
  node *gy = build_mul(c, V(g), V(y));
  if (wanted(n, 7, 0)) {
    node *h = w ? build_mul(c, V(g), V(w)) : g;
    out[0] = narrow(c, standardised_gradient(c, h, y, rstd, inner), n->type->items[0]);
  }
  if (wanted(n, 7, 1))
    out[1] = narrow(c, rank > k ? build_sum(c, V(gy), rows, false) : gy, n->type->items[1]);
  if (wanted(n, 7, 2))
    out[2] = narrow(c, rank > k ? build_sum(c, V(g), rows, false) : g, n->type->items[2]);
  return tuple(c, out, 3);
}

/* ---- group norm ---- */

/* x as [N, group, C / group * positions]. */
static node *by_group(cursor *c, node *x, int64_t group) {
  if (!x) return NULL;
  bool rest[SCANC_MAX_RANK] = {false};
  for (int i = 1; i < rank_of(x); i++) rest[i] = true;
  val all = axes_extent(c, x, rest), per;
  per = all.kind == VAL_INT
            ? val_int(all.i / group)
            : V(expand_call(c, "operator.floordiv", (val[]){all, val_int(group)}, 2));
  return build_reshape(c, V(x), list_of(c, (val[]){build_size(c, x, 0), val_int(group), per}, 3));
}

/* The normalised input with weight in operand w and bias in w + 1. */
static standardised group(cursor *c, node *n, int64_t groups, int w, double eps) {
  node *x = widen(c, n->operands[0]);
  standardised s =
      standardise(c, by_group(c, x, groups), val_ints(c->g->mod->mem, (int64_t[]){2}, 1), eps);
  if (!x || !s.y) return s;
  s.y = build_reshape(c, V(s.y), build_sizes(c, x));
  node *weight = along_channels(c, parameter(c, n, w, x->type->dtype), rank_of(x));
  node *bias = along_channels(c, parameter(c, n, w + 1, x->type->dtype), rank_of(x));
  s.y = affine(c, s.y, weight, bias);
  return s;
}

val decompose_group_norm(cursor *c, node *n) {
  return narrow(c, group(c, n, int_of(n->operands[1], 1), 2, float_of(n->operands[4], 1e-5)).y,
                n->type);
}

/* input, weight, bias, N, C, HxW, group, eps */
val decompose_native_group_norm(cursor *c, node *n) {
  standardised s = group(c, n, int_of(n->operands[6], 1), 1, float_of(n->operands[7], 1e-5));
  const type *const *t = n->type->items;
  node *mean = build_squeeze(c, V(s.mean), 2), *rstd = build_squeeze(c, V(s.rstd), 2);
  return tuple(c, (val[]){narrow(c, s.y, t[0]), narrow(c, mean, t[1]), narrow(c, rstd, t[2])}, 3);
}

/* grad_out, input, mean, rstd, weight, N, C, HxW, group, output_mask */
val decompose_native_group_norm_backward(cursor *c, node *n) {
  node *g = widen(c, n->operands[0]), *x = widen(c, n->operands[1]);
  if (!g || !x) return val_absent();
  scanc_dtype d = x->type->dtype;
  int rank = rank_of(x);
  int64_t groups = int_of(n->operands[8], 1);
  val sizes = build_sizes(c, x), out[3] = {val_none(), val_none(), val_none()},
      two = val_ints(c->g->mod->mem, (int64_t[]){2}, 1);
  node *mean = build_unsqueeze(c, V(parameter(c, n, 2, d)), 2),
       *rstd = build_unsqueeze(c, V(parameter(c, n, 3, d)), 2);
  node *y = build_mul(c, V(build_sub(c, V(by_group(c, x, groups)), V(mean))), V(rstd));
  node *w = along_channels(c, parameter(c, n, 4, d), rank), *h = w ? build_mul(c, V(g), V(w)) : g;
  bool others[SCANC_MAX_RANK] = {false};
  for (int i = 0; i < rank; i++) others[i] = i != 1;
  val rest = axes_list(c, others, rank);
  if (wanted(n, 9, 0)) {
    node *r = standardised_gradient(c, by_group(c, h, groups), y, rstd, two);
    out[0] = narrow(c, build_reshape(c, V(r), sizes), n->type->items[0]);
  }
  if (wanted(n, 9, 1)) {
    node *gy = build_mul(c, V(g), V(build_reshape(c, V(y), sizes)));
    out[1] = narrow(c, build_sum(c, V(gy), rest, false), n->type->items[1]);
  }
  if (wanted(n, 9, 2)) out[2] = narrow(c, build_sum(c, V(g), rest, false), n->type->items[2]);
  return tuple(c, out, 3);
}

/* ---- batch norm: input, weight, bias, running_mean, running_var, training, momentum, eps ---- */

/* y and, in training, the statistics of the batch: mean, rstd and variance as vectors [C]. */
typedef struct {
  node *y, *mean, *rstd, *var;
} batch;

static batch batch_statistics(cursor *c, node *x, double eps) {
  bool others[SCANC_MAX_RANK] = {false};
  int rank = rank_of(x);
  for (int i = 0; i < rank; i++) others[i] = i != 1;
  val dims = axes_list(c, others, rank);
  batch b = {.mean = build_mean(c, V(x), dims, false)};
  node *d = build_sub(c, V(x), V(along_channels(c, b.mean, rank)));
  b.var = build_mean(c, V(build_square(c, V(d))), dims, false);
  b.rstd = build_rsqrt(c, V(build_add(c, V(b.var), val_float(eps))));
  b.y = build_mul(c, V(d), V(along_channels(c, b.rstd, rank)));
  return b;
}

static batch batch_of(cursor *c, node *n, bool training) {
  node *x = widen(c, n->operands[0]);
  double eps = float_of(n->operands[7], 1e-5);
  if (!x) return (batch){0};
  scanc_dtype d = x->type->dtype;
  int rank = rank_of(x);
  batch b = {0};
  if (training) {
    b = batch_statistics(c, x, eps);
  } else {
    node *rstd = build_rsqrt(c, V(build_add(c, V(parameter(c, n, 4, d)), val_float(eps))));
    b.y = build_sub(c, V(x), V(along_channels(c, parameter(c, n, 3, d), rank)));
    b.y = build_mul(c, V(b.y), V(along_channels(c, rstd, rank)));
  }
  node *weight = along_channels(c, parameter(c, n, 1, d), rank);
  node *bias = along_channels(c, parameter(c, n, 2, d), rank);
  b.y = affine(c, b.y, weight, bias);
  return b;
}

val decompose_batch_norm(cursor *c, node *n) {
  return narrow(c, batch_of(c, n, bool_of(n->operands[5], false)).y, n->type);
}

static val saved(cursor *c, node *v, const type *t) {
  return v ? narrow(c, v, t)
           : V(build_full(c, list_of(c, (val[]){val_int(0)}, 1), val_float(0), t->dtype));
}

val decompose_native_batch_norm(cursor *c, node *n) {
  batch b = batch_of(c, n, bool_of(n->operands[5], false));
  const type *const *t = n->type->items;
  return tuple(c, (val[]){narrow(c, b.y, t[0]), saved(c, b.mean, t[1]), saved(c, b.rstd, t[2])}, 3);
}

/* running * (1 - momentum) + value * momentum */
static val updated(cursor *c, val running, node *value, double momentum, const type *t) {
  node *old = build_mul(c, V(widen(c, running)), val_float(1 - momentum));
  return narrow(c, build_add(c, V(old), V(build_mul(c, V(value), val_float(momentum)))), t);
}

/* Also gives the new running statistics; the variance they hold is the unbiased one. */
val decompose_native_batch_norm_functional(cursor *c, node *n) {
  bool training = bool_of(n->operands[5], false);
  double momentum = float_of(n->operands[6], 0.1);
  batch b = batch_of(c, n, training);
  const type *const *t = n->type->items;
  val mean = n->operands[3], var = n->operands[4];
  if (!b.y) return val_absent();
  if (training) {
    bool others[SCANC_MAX_RANK] = {false};
    node *x = n->operands[0].node;
    for (int i = 0; i < rank_of(x); i++) others[i] = i != 1;
    val count = axes_extent(c, x, others);
    val less = count.kind == VAL_INT
                   ? val_int(count.i - 1)
                   : V(expand_call(c, "operator.sub", (val[]){count, val_int(1)}, 2));
    node *unbiased = build_div(c, V(build_mul(c, V(b.var), count)), less);
    mean = updated(c, mean, b.mean, momentum, t[3]);
    var = updated(c, var, unbiased, momentum, t[4]);
  }
  return tuple(
      c, (val[]){narrow(c, b.y, t[0]), saved(c, b.mean, t[1]), saved(c, b.rstd, t[2]), mean, var},
      5);
}

/* Statistics per channel of each batch element. */
val decompose_instance_norm(cursor *c, node *n) {
  if (!bool_of(n->operands[5], true)) return narrow(c, batch_of(c, n, false).y, n->type);
  node *x = widen(c, n->operands[0]);
  if (!x) return val_absent();
  int rank = rank_of(x);
  scanc_dtype d = x->type->dtype;
  standardised s = standardise(c, x, last_axes(c, rank, rank - 2), float_of(n->operands[7], 1e-5));
  node *w = along_channels(c, parameter(c, n, 1, d), rank),
       *b = along_channels(c, parameter(c, n, 2, d), rank);
  return narrow(c, affine(c, s.y, w, b), n->type);
}
