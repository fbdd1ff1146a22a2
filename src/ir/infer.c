/* Dispatch of inference rules and the helpers they share. */
#include "ir/infer.h"

#include <stdio.h>
#include <string.h>

typedef const type *(*rule_fn)(infer_ctx *c);

static const type *infer_ew(infer_ctx *c);

static const rule_fn rules[N_OPS] = {
#define EW1(name, ...) infer_ew,
#define EW2(name, ...) infer_ew,
#define EW3(name, ...) infer_ew,
#define EW4(name, ...) infer_ew,
#define SYM(name, sig, traits, rule, ...) infer_##rule,
#define COMP(name, sig, traits, rule) infer_##rule,
#define OP(name, sig, traits, rule) infer_##rule,
#include "ir/ops.def"
};

void infer_record(infer_ctx *c, scanc_code code, const char *fmt, ...) {
  char message[512];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(message, sizeof message, fmt, ap);
  va_end(ap);
  /* Rules may begin with the name of the op, which is often the node's too. */
  size_t n = c->what ? strlen(c->what) : 0;
  bool named = n && strncmp(message, c->what, n) == 0 && message[n] == ':';
  if (!c->what || named) err_set(c->err, code, c->loc, "%s", message);
  else err_set(c->err, code, c->loc, "%.120s: %s", c->what, message);
}

/* Fails where an operand without default was not given. */
static bool required_given(infer_ctx *c) {
  for (int k = 0; k < c->op->n_operands; k++)
    if (c->arg[k] && c->arg[k]->kind == TYPE_ABSENT &&
        op_operand_default(c->op, k).kind == VAL_ABSENT)
      return infer_fail(c, SCANC_ERR_OP_ARITY, "%s needs argument '%s'", c->op->name,
                        op_operand_name(c->op, k));
  return true;
}

/* An unknown operand makes an unknown result, except where the rule looks into bodies. */
static bool is_unknown(const type *t) { return !t || (t->kind == TYPE_LIST && !t->known); }

const type *infer_op(infer_ctx *c) {
  bool by_parts = c->op->traits & T_BODY || c->op->id == OP_getitem; /* other items do not matter */
  for (int k = 0; k < c->op->n_operands && !by_parts; k++)
    if (is_unknown(c->arg[k])) return NULL;
  return required_given(c) ? rules[c->op->id](c) : NULL;
}

/* ---- elementwise ops ---- */

static const type *infer_ew(infer_ctx *c) {
  scanc_dtype compute, result;
  return infer_elementwise(c, &compute, &result) ? infer_broadcast_all(c, result) : NULL;
}

/* ---- arguments ---- */

static bool wrong_kind(infer_ctx *c, int k, const char *expected) {
  str got = {0};
  type_describe(&got, c->arg[k]);
  infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "argument '%s' of %s: expected %s, got %.120s",
             op_operand_name(c->op, k), c->op->name, expected, str_cstr(&got));
  str_free(&got);
  return false;
}

bool arg_given(const infer_ctx *c, int k) {
  return c->arg[k]->kind != TYPE_ABSENT && c->arg[k]->kind != TYPE_NONE;
}

bool arg_tensor(infer_ctx *c, int k, const type **out) {
  if (!type_is_tensor(c->arg[k])) return wrong_kind(c, k, "a tensor");
  *out = c->arg[k];
  return true;
}

static bool wrap_axis(infer_ctx *c, int64_t axis, int rank, int *out) {
  int64_t n = rank ? rank : 1;
  if (axis < -n || axis >= n)
    return infer_fail(c, SCANC_ERR_DIM_RANGE,
                      "%s: dimension out of range: expected %lld to %lld for rank %d, got %lld",
                      c->op->name, (long long)-n, (long long)n - 1, rank, (long long)axis);
  *out = (int)(axis < 0 ? axis + n : axis);
  return true;
}

static bool const_int(const type *t, int64_t *out) {
  if (!t || (t->kind != TYPE_INT && t->kind != TYPE_BOOL) || !dim_is_int(t->i) || !t->known)
    return false;
  *out = t->i.k;
  return true;
}

bool arg_int(infer_ctx *c, int k, int64_t *out) {
  return const_int(c->arg[k], out) || wrong_kind(c, k, "a constant integer");
}

bool arg_int_or(infer_ctx *c, int k, int64_t dflt, int64_t *out) {
  *out = dflt;
  return !arg_given(c, k) || arg_int(c, k, out);
}

bool arg_axis(infer_ctx *c, int k, int rank, int *out) {
  int64_t axis = 0;
  return arg_int(c, k, &axis) && wrap_axis(c, axis, rank, out);
}

static bool add_axis(infer_ctx *c, int64_t axis, int rank, int *axes, int *n) {
  int a;
  if (!wrap_axis(c, axis, rank, &a)) return false;
  for (int i = 0; i < *n; i++)
    if (axes[i] == a)
      return infer_fail(c, SCANC_ERR_DIM_RANGE, "%s: dimension %d is given twice", c->op->name, a);
  axes[(*n)++] = a;
  return true;
}

bool arg_axes(infer_ctx *c, int k, int rank, int *axes, int *n) {
  const type *t = c->arg[k];
  int64_t v;
  *n = 0;
  if (!arg_given(c, k)) return true;
  if (const_int(t, &v)) return add_axis(c, v, rank, axes, n);
  if (t->kind != TYPE_LIST) return wrong_kind(c, k, "dimensions");
  for (int i = 0; i < t->n; i++) {
    if (!const_int(t->items[i], &v)) return wrong_kind(c, k, "dimensions");
    if (!add_axis(c, v, rank, axes, n)) return false;
  }
  return true;
}

static bool dim_of(const type *t, dim *out) {
  if (!t || (t->kind != TYPE_INT && !(t->kind == TYPE_BOOL && t->known))) return false;
  *out = t->i;
  return true;
}

bool arg_dim(infer_ctx *c, int k, dim *out) {
  return dim_of(c->arg[k], out) || wrong_kind(c, k, "an integer");
}

bool arg_dims(infer_ctx *c, int k, dim *out, int *n) {
  const type *t = c->arg[k];
  *n = 0;
  if (dim_of(t, &out[0])) return *n = 1, true;
  if (t->kind != TYPE_LIST) return wrong_kind(c, k, "a list of integers");
  if (t->n > SCANC_MAX_RANK)
    return infer_fail(c, SCANC_ERR_UNSUPPORTED, "%s: at most %d dimensions are supported, got %d",
                      c->op->name, SCANC_MAX_RANK, t->n);
  for (int i = 0; i < t->n; i++)
    if (!dim_of(t->items[i], &out[i])) return wrong_kind(c, k, "a list of integers");
  *n = t->n;
  return true;
}

bool arg_bool_or(infer_ctx *c, int k, bool dflt, bool *out) {
  int64_t v;
  *out = dflt;
  if (!arg_given(c, k)) return true;
  if (!const_int(c->arg[k], &v)) return wrong_kind(c, k, "True or False");
  *out = v != 0;
  return true;
}

bool arg_dtype_or(infer_ctx *c, int k, scanc_dtype dflt, scanc_dtype *out) {
  *out = dflt;
  if (!arg_given(c, k)) return true;
  if (c->arg[k]->kind != TYPE_DTYPE) return wrong_kind(c, k, "a dtype");
  *out = c->arg[k]->dtype;
  return true;
}

bool arg_str_or(infer_ctx *c, int k, const char *dflt, const char **out) {
  *out = dflt;
  if (!arg_given(c, k)) return true;
  if (c->arg[k]->kind != TYPE_STR) return wrong_kind(c, k, "a string");
  *out = c->arg[k]->s;
  return true;
}

bool arg_tensors(infer_ctx *c, int k, const type *const **out, int *n) {
  const type *t = c->arg[k];
  if (t->kind != TYPE_LIST) return wrong_kind(c, k, "a list of tensors");
  for (int i = 0; i < t->n; i++)
    if (!type_is_tensor(t->items[i])) return wrong_kind(c, k, "a list of tensors");
  *out = t->items;
  *n = t->n;
  return true;
}

/* ---- sizes ---- */

bool dims_agree(const infer_ctx *c, dim a, dim b) {
  if (dim_equal(a, b)) return true;
  if (dim_is_int(a) && dim_is_int(b)) return false;
  int64_t a_min, a_max, b_min, b_max;
  dim_bounds(c->syms, a, &a_min, &a_max);
  dim_bounds(c->syms, b, &b_min, &b_max);
  if (a_max < b_min || b_max < a_min) return false;
  return c->lenient || dim_is_unbacked(a) || dim_is_unbacked(b) ||
         (a_min == a_max && b_min == b_max && a_min == b_min);
}

/* The better known of two sizes that agree. */
static dim merge(dim a, dim b) { return dim_is_int(b) ? b : a; }

static bool cannot_broadcast(infer_ctx *c, dim a, dim b, int from_end) {
  str x = {0}, y = {0};
  dim_print(&x, a);
  dim_print(&y, b);
  infer_fail(
      c, SCANC_ERR_SHAPE_MISMATCH,
      "%s: sizes %.60s and %.60s at dimension -%d do not broadcast: expected equal sizes or 1",
      c->op->name, str_cstr(&x), str_cstr(&y), from_end);
  str_free(&x);
  str_free(&y);
  return false;
}

bool infer_broadcast(infer_ctx *c, dim *out, int *rank, const dim *b, int b_rank) {
  int shift = b_rank - *rank;
  if (shift > 0) {
    memmove(out + shift, out, sizeof *out * (size_t)*rank);
    for (int i = 0; i < shift; i++) out[i] = dim_int(1);
    *rank = b_rank;
  }
  for (int i = 0; i < b_rank; i++) {
    dim *o = &out[*rank - b_rank + i];
    if (dim_is(b[i], 1)) continue;
    if (dim_is(*o, 1)) *o = b[i];
    else if (dims_agree(c, *o, b[i])) *o = merge(*o, b[i]);
    else return cannot_broadcast(c, *o, b[i], b_rank - i);
  }
  return true;
}

const type *infer_broadcast_all(infer_ctx *c, scanc_dtype d) {
  dim dims[SCANC_MAX_RANK];
  int rank = 0;
  for (int k = 0; k < c->op->n_operands; k++)
    if (type_is_tensor(c->arg[k]) &&
        !infer_broadcast(c, dims, &rank, c->arg[k]->dims, c->arg[k]->n))
      return NULL;
  return infer_tensor(c, d, dims, rank);
}

const type *infer_tensor(infer_ctx *c, scanc_dtype d, const dim *dims, int rank) {
  if (rank > SCANC_MAX_RANK)
    return infer_fail(c, SCANC_ERR_UNSUPPORTED, "%s: at most %d dimensions are supported, got %d",
                      c->op->name, SCANC_MAX_RANK, rank);
  for (int i = 0; i < rank; i++)
    if (dim_is_int(dims[i]) && dims[i].k < 0)
      return infer_fail(c, SCANC_ERR_NEGATIVE_SIZE, "%s: size %lld at dimension %d is negative",
                        c->op->name, (long long)dims[i].k, i);
  const type *t = type_tensor(c->mem, d, dims, rank);
  int64_t n;
  bool overflow;
  if (type_numel(t, &n, &overflow) && (overflow || n > INT64_MAX / 16))
    return infer_fail(c, SCANC_ERR_SIZE_OVERFLOW, "%s: the number of elements does not fit 64 bits",
                      c->op->name);
  return t;
}

dim infer_numel(infer_ctx *c, const type *t) {
  dim n = dim_int(1);
  for (int i = 0; i < t->n; i++) n = dim_mul(c->syms, n, t->dims[i]);
  return n;
}
