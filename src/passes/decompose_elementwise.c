/* Bodies of composites of the elementwise family. */
#include <float.h>
#include <string.h>

#include "passes/decompose.h"
#include "passes/expand.h"

static val value(node *n) { return n ? val_node(n) : val_absent(); }

static val pair(cursor *c, val a, val b) {
  if (a.kind == VAL_ABSENT || b.kind == VAL_ABSENT) return val_absent();
  return val_seq(c->g->mod->mem, VAL_TUPLE, (val[]){a, b}, 2);
}

/* x / (1 + |x|), rounded at every step as PyTorch's function in Python is. */
val decompose_softsign(cursor *c, node *n) {
  val x = n->operands[0];
  return value(build_div(c, x, V(build_add(c, V(build_abs(c, x)), val_int(1)))));
}

/* Of halves both operations round. */
val decompose_tanhshrink(cursor *c, node *n) {
  val x = n->operands[0];
  if (n->type->dtype == SCANC_F32 || n->type->dtype == SCANC_F64)
    return value(build_tanh_rest(c, x));
  return value(build_sub(c, x, V(build_tanh(c, x))));
}

/* The weight belongs to axis 1, or to all elements when it is a single one. */
val decompose_prelu(cursor *c, node *n) {
  node *x = n->operands[0].node, *w = n->operands[1].node;
  if (w->type->n == 1 && x->type->n != 1) { /* of a 0-d operand, too: it stays 0-d */
    int64_t sizes[SCANC_MAX_RANK];
    for (int d = 0; d < x->type->n; d++) sizes[d] = d == 1 ? -1 : 1;
    w = build_reshape(c, V(w), val_ints(c->g->mod->mem, sizes, x->type->n));
  }
  return value(build_prelu_kernel(c, V(x), V(w)));
}

/* x > 0: g * scale; else, NaN included, g * input_scale * (y + alpha * scale) from the result y, or
 * with alpha * scale * exp(x * input_scale) from the operand x. */
val decompose_elu_backward(cursor *c, node *n) {
  double alpha = float_of(n->operands[1], 1), scale = float_of(n->operands[2], 1),
         in = float_of(n->operands[3], 1);
  node *g = widen(c, V(cast(c, n->operands[0], n->type->dtype))),
       *x = widen(c, V(cast(c, n->operands[5], n->type->dtype)));
  node *slope = bool_of(n->operands[4], false)
                    ? build_add(c, V(x), val_float(alpha * scale))
                    : build_mul(c, V(build_exp(c, V(build_mul(c, V(x), val_float(in))))),
                                val_float(alpha * scale));
  node *below = build_mul(c, V(build_mul(c, V(g), val_float(in))), V(slope));
  node *above = build_mul(c, V(g), val_float(scale));
  return narrow(c, build_where(c, V(build_gt(c, V(x), val_float(0))), V(above), V(below)), n->type);
}

/* The derivative of log(sigmoid(x)) is sigmoid(-x). */
val decompose_log_sigmoid_backward(cursor *c, node *n) {
  node *slope = build_sigmoid(c, V(build_neg(c, V(widen(c, n->operands[1])))));
  return narrow(c, build_mul(c, V(widen(c, n->operands[0])), V(slope)), n->type);
}

/* log(sigmoid(x)), and exp(-|x|) for the derivative. */
val decompose_log_sigmoid_forward(cursor *c, node *n) {
  node *x = widen(c, n->operands[0]), *z = build_exp(c, V(build_neg(c, V(build_abs(c, V(x))))));
  node *low = build_minimum(c, V(x), val_float(0)),
       *y = build_sub(c, V(low), V(build_log1p(c, V(z))));
  return pair(c, narrow(c, y, n->type->items[0]), narrow(c, z, n->type->items[1]));
}

/* Without training nothing is dropped. */
val decompose_dropout(cursor *c, node *n) { return value(build_clone(c, n->operands[0])); }

val decompose_native_dropout(cursor *c, node *n) {
  node *x = build_clone(c, n->operands[0]), *mask = CALL(c, "full_like.default", V(x), val_int(1));
  return pair(c, value(x), value(mask ? cast(c, V(mask), SCANC_BOOL) : NULL));
}

static double largest(scanc_dtype d) {
  switch (d) {
    case SCANC_F16: return 65504;
    case SCANC_BF16: return 0x1.fep127;
    case SCANC_F64: return DBL_MAX;
    default: return FLT_MAX;
  }
}

val decompose_nan_to_num(cursor *c, node *n) {
  node *x = n->operands[0].node;
  if (dtype_class(x->type->dtype) != 'f') return value(build_clone(c, V(x)));
  double max = largest(x->type->dtype);
  val nan = val_float(float_of(n->operands[1], 0));
  val above = val_float(float_of(n->operands[2], max)),
      below = val_float(float_of(n->operands[3], -max));
  node *r = build_where(c, V(build_isnan(c, V(x))), nan, V(x));
  r = build_where(c, V(build_isposinf(c, V(x))), above, V(r));
  return value(build_where(c, V(build_isneginf(c, V(x))), below, V(r)));
}

/* The power in f64 (c128). */
val decompose_float_power(cursor *c, node *n) {
  val v[2];
  for (int k = 0; k < 2; k++) {
    v[k] = n->operands[k];
    if (v[k].kind == VAL_NODE && type_is_tensor(v[k].node->type))
      v[k] = V(cast(c, v[k], n->type->dtype));
  }
  return value(build_pow(c, v[0], v[1]));
}

/* x * 2^y; the power is rounded to the type of y where that is floating point. */
val decompose_ldexp(cursor *c, node *n) {
  val y = n->operands[1];
  bool whole = y.kind == VAL_NODE && y.node->type && strchr("ib", dtype_class(y.node->type->dtype));
  if (whole) y = V(cast(c, y, wide_dtype(dtype_real(n->type->dtype))));
  return narrow(c, build_mul(c, n->operands[0], V(build_pow(c, val_float(2), y))), n->type);
}

/* Inference has refused these: the mode has no meaning. */
val decompose_div_mode(cursor *c, node *n) { return (void)c, (void)n, val_absent(); }
val decompose_gelu_mode(cursor *c, node *n) { return (void)c, (void)n, val_absent(); }
val decompose_gelu_mode_backward(cursor *c, node *n) { return (void)c, (void)n, val_absent(); }
val decompose_inplace_mode(cursor *c, node *n) { return (void)c, (void)n, val_absent(); }
