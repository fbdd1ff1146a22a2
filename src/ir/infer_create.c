/* Result types of creation ops, casts, copies, and of the composites of the elementwise family. */
#include <math.h>
#include <string.h>

#include "ir/infer.h"
#include "ir/infer_reduce.h"

const type *infer_first(infer_ctx *c) {
  const type *t;
  return arg_tensor(c, 0, &t) ? t : NULL;
}

static bool floating(infer_ctx *c, const type *t) {
  return dtype_class(t->dtype) == 'f' ||
         infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "%s: expected floating point, got %s", c->op->name,
                    scanc_dtype_name(t->dtype));
}

/* self, weight: one number, or one per channel */
const type *infer_prelu(infer_ctx *c) {
  const type *x, *w;
  if (!arg_tensor(c, 0, &x) || !arg_tensor(c, 1, &w) || !infer_same_dtype(c, x, w)) return NULL;
  if (!floating(c, x)) return NULL;
  bool one = w->n == 0 || (w->n == 1 && dim_is(w->dims[0], 1));
  if (one || (w->n == 1 && x->n > 1 && dims_agree(c, w->dims[0], x->dims[1]))) return x;
  return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH,
                    "expected a weight of one number, or of one per channel");
}

/* Integers become the default float; bools have no meaning. */
const type *infer_to_float(infer_ctx *c) {
  const type *t;
  if (!arg_tensor(c, 0, &t)) return NULL;
  if (t->dtype == SCANC_BOOL)
    return infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "%s has no meaning for bool", c->op->name);
  return infer_tensor(c, dtype_class(t->dtype) == 'i' ? SCANC_F32 : t->dtype, t->dims, t->n);
}

const type *infer_nan_to_num(infer_ctx *c) {
  const type *t = infer_first(c);
  if (t && dtype_class(t->dtype) == 'c')
    return infer_fail(c, SCANC_ERR_UNSUPPORTED, "%s of complex numbers is not supported",
                      c->op->name);
  return t;
}

const type *infer_mode(infer_ctx *c) {
  int k = c->op->n_operands - 1;
  const char *s = c->arg[k]->kind == TYPE_STR ? c->arg[k]->s : "True";
  return infer_fail(c, SCANC_ERR_UNSUPPORTED, "%s='%.40s' is not supported",
                    op_operand_name(c->op, k), s);
}

/* Operand 0 and another one, promoted and broadcast. */
static const type *two_operands(infer_ctx *c, int other) {
  const type *arg[] = {c->arg[0], c->arg[other]};
  dim dims[SCANC_MAX_RANK];
  scanc_dtype d;
  int rank = 0;
  if (!infer_promote(c, arg, 2, &d)) return NULL;
  for (int k = 0; k < 2; k++)
    if (type_is_tensor(arg[k]) && !infer_broadcast(c, dims, &rank, arg[k]->dims, arg[k]->n))
      return NULL;
  return infer_tensor(c, d, dims, rank);
}

/* A gradient and the operand, or result, that it belongs to. */
static const type *backward(infer_ctx *c, int operand) {
  const type *t;
  if (!arg_tensor(c, 0, &t) || !arg_tensor(c, operand, &t)) return NULL;
  t = two_operands(c, operand);
  return t && floating(c, t) ? t : NULL;
}

const type *infer_elu_backward(infer_ctx *c) { return backward(c, 5); }
const type *infer_log_sigmoid_backward(infer_ctx *c) {
  const type *t = backward(c, 1);
  return t && infer_same_dtype(c, c->arg[0], c->arg[1]) ? t : NULL;
}

const type *infer_float_power(infer_ctx *c) {
  const type *t = two_operands(c, 1);
  return t ? infer_tensor(c, dtype_class(t->dtype) == 'c' ? SCANC_C128 : SCANC_F64, t->dims, t->n)
           : NULL;
}

const type *infer_ldexp(infer_ctx *c) {
  const type *t = two_operands(c, 1);
  return t && strchr("ib", dtype_class(t->dtype)) ? infer_tensor(c, SCANC_F32, t->dims, t->n) : t;
}

/* ---- copies and casts ---- */

/* A dtype operand; methods such as x.float() bring theirs as the word of a schema's default. */
static bool dtype_or(infer_ctx *c, int k, scanc_dtype dflt, scanc_dtype *out) {
  const type *t = c->arg[k];
  if (t->kind == TYPE_OTHER && t->s) {
    size_t n = 0;
    while (t->s[n]) n++;
    if (dtype_from_torch(t->s, n, out)) return true;
  }
  return arg_dtype_or(c, k, dflt, out);
}

const type *infer_to(infer_ctx *c) {
  const type *t;
  scanc_dtype d;
  if (!arg_tensor(c, 0, &t)) return NULL;
  scanc_dtype dflt = type_is_tensor(c->arg[2]) ? c->arg[2]->dtype : t->dtype;
  return dtype_or(c, 1, dflt, &d) ? infer_tensor(c, d, t->dims, t->n) : NULL;
}

static bool check_eval_mode(infer_ctx *c) {
  bool train;
  if (!arg_bool_or(c, 2, true, &train)) return false;
  const type *p = c->arg[1];
  bool none =
      (p->kind == TYPE_FLOAT && p->known && p->f == 0) || (p->kind == TYPE_INT && dim_is(p->i, 0));
  if (train && !none)
    return infer_fail(c, SCANC_ERR_UNSUPPORTED,
                      "%s in training mode draws random numbers, which is not supported",
                      c->op->name);
  return true;
}

const type *infer_dropout(infer_ctx *c) { return check_eval_mode(c) ? infer_first(c) : NULL; }

const type *infer_native_dropout(infer_ctx *c) {
  const type *t = infer_dropout(c);
  if (!t) return NULL;
  const type *mask = infer_tensor(c, SCANC_BOOL, t->dims, t->n);
  return mask ? type_list(c->mem, (const type *[]){t, mask}, 2) : NULL;
}

const type *infer_log_sigmoid_forward(infer_ctx *c) {
  const type *t = infer_first(c);
  return t && floating(c, t) ? type_list(c->mem, (const type *[]){t, t}, 2) : NULL;
}

const type *infer_complex(infer_ctx *c) {
  const type *a, *b;
  dim dims[SCANC_MAX_RANK];
  int rank = 0;
  if (!arg_tensor(c, 0, &a) || !arg_tensor(c, 1, &b)) return NULL;
  if (a->dtype != b->dtype || (a->dtype != SCANC_F32 && a->dtype != SCANC_F64))
    return infer_fail(c, SCANC_ERR_DTYPE_MISMATCH,
                      "expected two operands of f32 or of f64, got %s and %s",
                      scanc_dtype_name(a->dtype), scanc_dtype_name(b->dtype));
  if (!infer_broadcast(c, dims, &rank, a->dims, a->n) ||
      !infer_broadcast(c, dims, &rank, b->dims, b->n))
    return NULL;
  return infer_tensor(c, dtype_complex(a->dtype), dims, rank);
}

/* ---- creation ---- */

static bool dtype_of_value(infer_ctx *c, const type *t, scanc_dtype *out) {
  if (t && type_is_tensor(t) && t->n == 0) return *out = t->dtype, true;
  if (!t || !type_is_scalar(t)) return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "expected a number");
  *out = t->kind == TYPE_BOOL    ? SCANC_BOOL
         : t->kind == TYPE_INT   ? SCANC_I64
         : t->kind == TYPE_FLOAT ? SCANC_F32
                                 : SCANC_C64;
  return true;
}

static int operand(const infer_ctx *c, const char *name) {
  int n = 0;
  while (name[n]) n++;
  return op_operand_index(c->op, name, (size_t)n);
}

/* A tensor of the sizes of operand `size` and the dtype of operand "dtype". */
static const type *sized(infer_ctx *c, int size, scanc_dtype dflt) {
  dim dims[SCANC_MAX_RANK];
  int rank;
  scanc_dtype d;
  if (!arg_dims(c, size, dims, &rank) || !arg_dtype_or(c, operand(c, "dtype"), dflt, &d))
    return NULL;
  return infer_numbers_fit(c, d) ? infer_tensor(c, d, dims, rank) : NULL;
}

const type *infer_full(infer_ctx *c) {
  scanc_dtype d;
  return dtype_of_value(c, c->arg[1], &d) ? sized(c, 0, d) : NULL;
}

const type *infer_zeros(infer_ctx *c) { return sized(c, 0, SCANC_F32); }
const type *infer_ones(infer_ctx *c) { return sized(c, 0, SCANC_F32); }

const type *infer_like(infer_ctx *c) {
  const type *t;
  scanc_dtype d;
  if (!arg_tensor(c, 0, &t) || !arg_dtype_or(c, operand(c, "dtype"), t->dtype, &d)) return NULL;
  return infer_numbers_fit(c, d) ? infer_tensor(c, d, t->dims, t->n) : NULL;
}

const type *infer_new(infer_ctx *c) {
  const type *t;
  return arg_tensor(c, 0, &t) ? sized(c, 1, t->dtype) : NULL;
}

const type *infer_scalar_tensor(infer_ctx *c) {
  scanc_dtype d;
  if (!dtype_of_value(c, c->arg[0], &d)) return NULL;
  if (!arg_dtype_or(c, 1, d == SCANC_C64 ? SCANC_C64 : SCANC_F32, &d)) return NULL;
  return infer_numbers_fit(c, d) ? infer_tensor(c, d, NULL, 0) : NULL;
}

/* Nested lists of numbers: every level of equal length. */
static bool literal_shape(infer_ctx *c, const type *t, int depth, dim *dims, int *rank,
                          promotion *p) {
  scanc_dtype d;
  if (!t || t->kind != TYPE_LIST) {
    if (!dtype_of_value(c, t, &d)) return false;
    if (*rank < 0) *rank = depth;
    if (*rank != depth)
      return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "the nested lists have different depths");
    promotion_tensor(p, d, 1);
    return true;
  }
  if (depth >= SCANC_MAX_RANK)
    return infer_fail(c, SCANC_ERR_UNSUPPORTED, "lists are nested too deeply");
  if (dims[depth].k >= 0 && dims[depth].k != t->n)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "expected %lld items at depth %d, got %d",
                      (long long)dims[depth].k, depth, t->n);
  dims[depth] = dim_int(t->n);
  if (!t->n) *rank = depth + 1;
  for (int i = 0; i < t->n; i++)
    if (!literal_shape(c, t->items[i], depth + 1, dims, rank, p)) return false;
  return true;
}

const type *infer_tensor_literal(infer_ctx *c) {
  dim dims[SCANC_MAX_RANK];
  int rank = -1;
  promotion p = {0};
  scanc_dtype d;
  for (int i = 0; i < SCANC_MAX_RANK; i++) dims[i] = dim_int(-1);
  if (!literal_shape(c, c->arg[0], 0, dims, &rank, &p)) return NULL;
  return arg_dtype_or(c, 1, promotion_result(&p), &d) ? infer_tensor(c, d, dims, rank) : NULL;
}

static bool is_int(const type *t) {
  return t->kind == TYPE_INT || (t->kind == TYPE_BOOL && t->known);
}

static bool value_of(const type *t, double *out) {
  *out = t->kind == TYPE_FLOAT ? t->f : (double)t->i.k;
  return t->kind == TYPE_FLOAT ? t->known : is_int(t) && dim_is_int(t->i);
}

/* ceil((end - start) / step) */
static bool arange_length(infer_ctx *c, dim *out) {
  const type *end = c->arg[0], *start = c->arg[1], *step = c->arg[2];
  double e, s, d;
  if (is_int(end) && is_int(start) && is_int(step) && dim_is_int(step->i)) {
    int64_t k = step->i.k;
    if (!k) return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "step must not be zero");
    dim span = k > 0 ? dim_sub(c->syms, end->i, start->i) : dim_sub(c->syms, start->i, end->i);
    *out = dim_ceildiv(c->syms, span, dim_int(k > 0 ? k : k == INT64_MIN ? INT64_MAX : -k));
  } else {
    if (!value_of(end, &e) || !value_of(start, &s) || !value_of(step, &d))
      return infer_fail(c, SCANC_ERR_UNSUPPORTED,
                        "the length depends on numbers that are not known");
    double n = d != 0 ? ceil((e - s) / d) : NAN;
    if (!(n < 0x1p62))
      return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "the length is not a finite number");
    *out = dim_int(n < -1 ? -1 : (int64_t)n);
  }
  if (dim_is_int(*out) && out->k < 0)
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT,
                      "the bounds and the sign of step contradict each other");
  return true;
}

const type *infer_arange(infer_ctx *c) {
  scanc_dtype d = SCANC_I64;
  dim n;
  for (int k = 0; k < 3; k++) {
    if (!type_is_scalar(c->arg[k]))
      return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "%s: expected a number",
                        op_operand_name(c->op, k));
    if (!is_int(c->arg[k])) d = SCANC_F32;
  }
  if (!arg_dtype_or(c, 3, d, &d) || !arange_length(c, &n)) return NULL;
  return infer_tensor(c, d, &n, 1);
}

const type *infer_linspace(infer_ctx *c) {
  dim n;
  scanc_dtype d;
  if (!arg_dim(c, 2, &n) || !arg_dtype_or(c, operand(c, "dtype"), SCANC_F32, &d)) return NULL;
  return infer_tensor(c, d, &n, 1);
}

const type *infer_eye(infer_ctx *c) {
  dim n[2];
  scanc_dtype d;
  if (!arg_dim(c, 0, &n[0]) || !arg_dtype_or(c, 2, SCANC_F32, &d)) return NULL;
  n[1] = n[0];
  if (arg_given(c, 1) && !arg_dim(c, 1, &n[1])) return NULL;
  return infer_tensor(c, d, n, 2);
}
