/* Bodies of composite reductions and of ops along one axis. f16 and bf16 are computed in f32 and
 * rounded once. */
#include <math.h>
#include <string.h>

#include "passes/decompose.h"
#include "passes/expand.h"

static int rank_of(const node *x) { return x && type_is_tensor(x->type) ? x->type->n : 0; }
static char class_of(const node *x) {
  return x && type_is_tensor(x->type) ? dtype_class(x->type->dtype) : 'f';
}

static val pair(cursor *c, node *a, node *b) {
  return a && b ? val_seq(c->g->mod->mem, VAL_TUPLE, (val[]){V(a), V(b)}, 2) : val_absent();
}

/* A reduced axis is known to be empty. */
static bool reduces_nothing(const node *x, const bool *reduced) {
  for (int i = 0; i < rank_of(x); i++)
    if (reduced[i] && dim_is(x->type->dims[i], 0)) return true;
  return false;
}

/* ---- extrema and counts ---- */

val decompose_aminmax(cursor *c, node *n) {
  val dims = given(n->operands[1]) ? list_of(c, &n->operands[1], 1) : list_of(c, NULL, 0);
  val keepdim = val_bool(bool_of(n->operands[2], false));
  node *least = CALL(c, "amin.default", n->operands[0], dims, keepdim);
  return pair(c, least, CALL(c, "amax.default", n->operands[0], dims, keepdim));
}

val decompose_count_nonzero(cursor *c, node *n) {
  node *x = n->operands[0].node, *set = build_ne(c, V(x), val_int(0));
  bool reduced[SCANC_MAX_RANK];
  axes_of(n->operands[1], rank_of(x), reduced);
  return V(build_sum(c, V(set), axes_list(c, reduced, rank_of(x)), false));
}

/* ---- sums that skip NaN ---- */

static node *without_nan(cursor *c, node *x) {
  return class_of(x) == 'f' ? build_where(c, V(build_isnan(c, V(x))), val_int(0), V(x)) : x;
}

val decompose_nansum(cursor *c, node *n) {
  node *x = n->operands[0].node, *y = without_nan(c, x);
  bool reduced[SCANC_MAX_RANK];
  axes_of(n->operands[1], rank_of(x), reduced);
  val ops[] = {V(y), axes_list(c, reduced, rank_of(x)), val_bool(bool_of(n->operands[2], false)),
               n->operands[3]};
  return V(build_op(c, OP_sum, ops, 4));
}

val decompose_nanmean(cursor *c, node *n) {
  node *x = cast(c, n->operands[0], n->type->dtype);
  x = widen(c, V(x));
  bool reduced[SCANC_MAX_RANK], keepdim = bool_of(n->operands[2], false);
  axes_of(n->operands[1], rank_of(x), reduced);
  val dims = axes_list(c, reduced, rank_of(x));
  node *sum = build_sum(c, V(without_nan(c, x)), dims, keepdim);
  node *count = build_sum(c, V(build_eq(c, V(x), V(x))), dims, keepdim);
  return narrow(c, build_div(c, V(sum), V(count)), n->type);
}

/* ---- variance ---- */

/* max(0, count - correction) */
static val degrees_of_freedom(cursor *c, val count, val correction) {
  double by = given(correction) ? float_of(correction, 1) : 1;
  if (count.kind == VAL_INT) return val_float(fmax(0, (double)count.i - by));
  val delta = by == floor(by) ? val_int((int64_t)by) : val_float(by);
  node *left = expand_call(c, "operator.sub", (val[]){count, delta}, 2);
  return V(expand_call(c, "torch.sym_max", (val[]){val_int(0), V(left)}, 2));
}

/* Variance of x (computed in x's type) and, if asked for, its mean. */
static node *variance(cursor *c, node *x, const bool *reduced, val correction, bool keepdim,
                      node **mean) {
  int rank = rank_of(x);
  val dims = axes_list(c, reduced, rank);
  if (rank == 0) dims = list_of(c, NULL, 0);
  node *m = build_mean(c, V(x), dims, true), *d = build_sub(c, V(x), V(m));
  if (class_of(x) == 'c') d = build_abs(c, V(d));
  node *sum = build_sum(c, V(build_square(c, V(d))), dims, keepdim);
  if (mean) *mean = keepdim ? m : drop_axes(c, m, reduced, rank);
  return build_div(c, V(sum), degrees_of_freedom(c, axes_extent(c, x, reduced), correction));
}

static node *variance_of(cursor *c, node *n, node **mean) {
  node *x = widen(c, n->operands[0]);
  bool reduced[SCANC_MAX_RANK];
  axes_of(n->operands[1], rank_of(x), reduced);
  return variance(c, x, reduced, n->operands[2], bool_of(n->operands[3], false), mean);
}

val decompose_var(cursor *c, node *n) { return narrow(c, variance_of(c, n, NULL), n->type); }

val decompose_std(cursor *c, node *n) {
  return narrow(c, build_sqrt(c, V(variance_of(c, n, NULL))), n->type);
}

static val spread_and_mean(cursor *c, node *n, bool root) {
  node *mean = NULL, *v = variance_of(c, n, &mean);
  if (root) v = build_sqrt(c, V(v));
  val a = narrow(c, v, n->type->items[0]), b = narrow(c, mean, n->type->items[1]);
  return a.kind == VAL_NODE && b.kind == VAL_NODE ? pair(c, a.node, b.node) : val_absent();
}

val decompose_var_mean(cursor *c, node *n) { return spread_and_mean(c, n, false); }
val decompose_std_mean(cursor *c, node *n) { return spread_and_mean(c, n, true); }

/* ---- norms ---- */

static node *norm_of(cursor *c, node *x, double p, val dims, bool keepdim) {
  if (p == 0)
    return cast(c, V(build_sum(c, V(build_ne(c, V(x), val_int(0))), dims, keepdim)),
                dtype_real(x->type->dtype));
  if (p == 2 && class_of(x) == 'f')
    return build_sqrt(c, V(build_sum(c, V(build_square(c, V(x))), dims, keepdim)));
  node *a = build_abs(c, V(x));
  if (p == 1) return build_sum(c, V(a), dims, keepdim);
  if (p == 2) return build_sqrt(c, V(build_sum(c, V(build_square(c, V(a))), dims, keepdim)));
  if (isinf(p))
    return p > 0 ? build_amax(c, V(a), dims, keepdim)
                 : CALL(c, "amin.default", V(a), dims, val_bool(keepdim));
  node *sum = build_sum(c, V(build_pow(c, V(a), val_float(p))), dims, keepdim);
  return build_pow(c, V(sum), val_float(1 / p));
}

/* self, ord, dim, keepdim, dtype */
val decompose_vector_norm(cursor *c, node *n) {
  node *x = n->operands[0].node;
  if (n->operands[4].kind == VAL_DTYPE) x = cast(c, V(x), n->operands[4].dtype);
  x = widen(c, V(x));
  if (!x) return val_absent();
  bool reduced[SCANC_MAX_RANK];
  axes_of(n->operands[2], rank_of(x), reduced);
  val dims = rank_of(x) ? axes_list(c, reduced, rank_of(x)) : list_of(c, NULL, 0);
  return narrow(c, norm_of(c, x, float_of(n->operands[1], 2), dims, bool_of(n->operands[3], false)),
                n->type);
}

/* ---- softmax and its relatives ---- */

/* The operand in the type the op computes in. */
static node *softmax_input(cursor *c, node *n) {
  scanc_dtype d =
      n->operands[2].kind == VAL_DTYPE ? n->operands[2].dtype : n->operands[0].node->type->dtype;
  node *x = cast(c, n->operands[0], d);
  return x ? widen(c, V(x)) : NULL;
}

/* x minus its maximum along the axis. */
static node *centred(cursor *c, node *x, val dims) {
  return build_sub(c, V(x), V(build_amax(c, V(x), dims, true)));
}

static val axis_list(cursor *c, node *x, val axis, bool *reduced) {
  one_axis(axis_of(axis, rank_of(x)), rank_of(x), reduced);
  return axes_list(c, reduced, rank_of(x));
}

static node *softmax_of(cursor *c, node *x, val dims) {
  node *e = build_exp(c, V(centred(c, x, dims)));
  return build_div(c, V(e), V(build_sum(c, V(e), dims, true)));
}

val decompose_softmax(cursor *c, node *n) {
  node *x = softmax_input(c, n);
  bool reduced[SCANC_MAX_RANK];
  val dims = axis_list(c, x, n->operands[1], reduced);
  if (reduces_nothing(x, reduced)) return narrow(c, x, n->type);
  return narrow(c, softmax_of(c, x, dims), n->type);
}

/* Rows of -inf alone give zeros. */
val decompose_safe_softmax(cursor *c, node *n) {
  node *x = softmax_input(c, n);
  bool reduced[SCANC_MAX_RANK];
  val dims = axis_list(c, x, n->operands[1], reduced);
  if (reduces_nothing(x, reduced)) return narrow(c, x, n->type);
  node *y = softmax_of(c, x, dims), *masked = build_eq(c, V(x), val_float(-INFINITY));
  node *none =
      CALL(c, "all.dim", V(masked), val_int(axis_of(n->operands[1], rank_of(x))), val_bool(true));
  return narrow(c, build_where(c, V(none), val_float(0), V(y)), n->type);
}

val decompose_log_softmax(cursor *c, node *n) {
  node *x = softmax_input(c, n);
  bool reduced[SCANC_MAX_RANK];
  val dims = axis_list(c, x, n->operands[1], reduced);
  if (reduces_nothing(x, reduced)) return narrow(c, x, n->type);
  node *s = centred(c, x, dims), *sum = build_sum(c, V(build_exp(c, V(s))), dims, true);
  return narrow(c, build_sub(c, V(s), V(build_log(c, V(sum)))), n->type);
}

/* log(sum(exp(x - m))) + m, m being the maximum, or 0 where that is infinite. */
val decompose_logsumexp(cursor *c, node *n) {
  node *x = class_of(n->operands[0].node) == 'f' ? widen(c, n->operands[0])
                                                 : cast(c, n->operands[0], SCANC_F32);
  bool reduced[SCANC_MAX_RANK], keepdim = bool_of(n->operands[2], false);
  int rank = rank_of(x);
  axes_of(n->operands[1], rank, reduced);
  val dims = rank ? axes_list(c, reduced, rank) : list_of(c, NULL, 0);
  if (reduces_nothing(x, reduced))
    return narrow(c, build_log(c, V(build_sum(c, V(build_exp(c, V(x))), dims, keepdim))), n->type);
  node *top = build_amax(c, V(x), dims, true);
  node *m = build_where(c, V(build_isinf(c, V(top))), val_float(0), V(top));
  node *sum = build_sum(c, V(build_exp(c, V(build_sub(c, V(x), V(m))))), dims, keepdim);
  if (!keepdim) m = drop_axes(c, m, reduced, rank);
  return narrow(c, build_add(c, V(build_log(c, V(sum))), V(m)), n->type);
}

/* grad_output, output, dim, input_dtype: y * (g - sum(g * y)) */
val decompose_softmax_backward(cursor *c, node *n) {
  node *g = widen(c, n->operands[0]), *y = widen(c, n->operands[1]);
  bool reduced[SCANC_MAX_RANK];
  val dims = axis_list(c, y, n->operands[2], reduced);
  node *gy = build_mul(c, V(g), V(y)), *sum = build_sum(c, V(gy), dims, true);
  return narrow(c, build_sub(c, V(gy), V(build_mul(c, V(y), V(sum)))), n->type);
}

/* g - exp(y) * sum(g) */
val decompose_log_softmax_backward(cursor *c, node *n) {
  node *g = widen(c, n->operands[0]), *y = widen(c, n->operands[1]);
  bool reduced[SCANC_MAX_RANK];
  val dims = axis_list(c, y, n->operands[2], reduced);
  node *sum = build_sum(c, V(g), dims, true);
  return narrow(c, build_sub(c, V(g), V(build_mul(c, V(build_exp(c, V(y))), V(sum)))), n->type);
}

val decompose_trace(cursor *c, node *n) {
  return V(CALL(c, "sum.default", V(CALL(c, "diagonal.default", n->operands[0]))));
}

/* Sums what broadcasting from `size` to the operand's shape repeated. */
val decompose_sum_to_size(cursor *c, node *n) {
  node *x = n->operands[0].node;
  bool reduced[SCANC_MAX_RANK] = {false}, any = false;
  int rank = rank_of(x), lead = rank - n->type->n;
  for (int i = 0; i < rank; i++)
    any |= reduced[i] =
        i < lead || (dim_is(n->type->dims[i - lead], 1) && !dim_is(x->type->dims[i], 1));
  if (!any) return V(cast(c, V(x), n->type->dtype));
  node *s = build_sum(c, V(x), axes_list(c, reduced, rank), true);
  for (int i = 0; i < lead; i++) s = build_squeeze(c, V(s), 0);
  return V(s);
}

/* ---- along one axis ---- */

static node *step(cursor *c, node *x, int axis) {
  node *a = slice_of(c, x, axis, 1, TO_END), *b = slice_of(c, x, axis, 0, -1);
  return class_of(x) == 'b' ? build_ne(c, V(a), V(b)) : build_sub(c, V(a), V(b));
}

/* self, n, dim, prepend, append */
val decompose_diff(cursor *c, node *n) {
  node *x = n->operands[0].node;
  int axis = axis_of(n->operands[2], rank_of(x)), k = 0;
  int64_t times = int_of(n->operands[1], 1);
  val parts[3];
  if (times == 0) return V(build_clone(c, V(x)));
  if (given(n->operands[3])) parts[k++] = n->operands[3];
  parts[k++] = V(x);
  if (given(n->operands[4])) parts[k++] = n->operands[4];
  if (k > 1) x = build_cat(c, parts, k, axis);
  if (!x) return val_absent();
  dim size = x->type->dims[axis];
  if (dim_is_int(size) && times > size.k) times = size.k;
  for (int64_t i = 0; i < times && x; i++) x = step(c, x, axis);
  return V(x);
}

/* (sum(y) - (first + last) / 2) * dx */
static node *even_trapezoid(cursor *c, node *y, int axis, val dims, double dx) {
  node *ends = build_select(c, V(y), axis, val_int(0));
  ends = build_add(c, V(ends), V(build_select(c, V(y), axis, val_int(-1))));
  node *inner = build_sum(c, V(y), dims, false);
  inner = build_sub(c, V(inner), V(build_mul(c, V(ends), val_float(0.5))));
  return build_mul(c, V(inner), val_float(dx));
}

/* y, x, dx, dim: sum of (y[i] + y[i + 1]) * (x[i + 1] - x[i]) / 2 */
val decompose_trapezoid(cursor *c, node *n) {
  node *y = n->operands[0].node;
  int rank = rank_of(y), axis = axis_of(n->operands[3], rank);
  bool reduced[SCANC_MAX_RANK];
  one_axis(axis, rank, reduced);
  val dims = axes_list(c, reduced, rank);
  if (reduces_nothing(y, reduced))
    return V(build_to(c, V(build_sum(c, V(y), dims, false)), n->type->dtype));
  if (!given(n->operands[1]))
    return V(even_trapezoid(c, y, axis, dims, float_of(n->operands[2], 1)));
  node *both = slice_of(c, y, axis, 0, -1);
  both = build_add(c, V(both), V(slice_of(c, y, axis, 1, TO_END)));
  node *x = n->operands[1].node;
  int line = rank_of(x) == 1;
  x = step(c, x, line ? 0 : axis);
  for (int i = axis + 1; i < rank && line; i++) x = build_unsqueeze(c, V(x), -1);
  node *sum = build_sum(c, V(build_mul(c, V(both), V(x))), dims, false);
  return V(build_div(c, V(sum), val_float(2)));
}

val decompose_glu(cursor *c, node *n) {
  node *x = widen(c, n->operands[0]);
  int axis = axis_of(n->operands[1], rank_of(x));
  val size = build_size(c, x, axis), half;
  half = size.kind == VAL_INT
             ? val_int(size.i / 2)
             : V(expand_call(c, "operator.floordiv", (val[]){size, val_int(2)}, 2));
  node *a = build_slice(c, V(x), axis, val_int(0), half, val_int(1)),
       *b = build_slice(c, V(x), axis, half, val_int(INT64_MAX), val_int(1));
  return narrow(c, build_mul(c, V(a), V(build_sigmoid(c, V(b)))), n->type);
}
