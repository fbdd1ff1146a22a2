/* Types of arithmetic on plain numbers: computed where the operands are known, an expression over
 * symbols where they are symbolic integers, and otherwise only the kind of the result. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "ir/graph.h"
#include "ir/infer.h"
#include "ir/number_op.h"

enum { MAX_ITEMS = 64, MAX_TEXT = 1000 /* bytes; longer expressions have no text */ };

static bool is_known(const type *t) {
  switch (t->kind) {
    case TYPE_INT: return dim_is_int(t->i);
    case TYPE_FLOAT:
    case TYPE_BOOL: return t->known;
    default: return false;
  }
}

static number number_of(const type *t) {
  if (t->kind == TYPE_FLOAT) return (number){.cls = 'f', .f = t->f};
  return (number){.cls = t->kind == TYPE_BOOL ? 'b' : 'i', .i = t->i.k, .f = (double)t->i.k};
}

static const type *of_number(infer_ctx *c, number v) {
  if (v.cls == 'f') return type_float(c->mem, v.f);
  return v.cls == 'b' ? type_bool(c->mem, v.i) : type_int(c->mem, dim_int(v.i));
}

/* Operands as a flat list: sym_sum has them in a list. */
static int operands(infer_ctx *c, const type **out) {
  int n = 0;
  const type *first = c->arg[0];
  if (c->op->id == OP_sym_sum && first->kind == TYPE_LIST) {
    for (; n < first->n && n < MAX_ITEMS; n++) out[n] = first->items[n];
    return n;
  }
  for (; n < c->op->n_operands; n++) out[n] = c->arg[n];
  return n;
}

/* False: no text says what it is. */
static bool put_operand(str *s, const type *t, bool condition) {
  bool known = t->kind == TYPE_INT || t->known;
  if ((t->kind == TYPE_BOOL) != condition) return false;
  if (t->kind == TYPE_FLOAT && known && !isfinite(t->f)) return false;
  if (!known && (!t->s || !*t->s)) return false;
  if (t->kind == TYPE_INT) dim_print(s, t->i);
  else if (!known) str_append(s, t->s);
  else if (condition) str_append(s, t->i.k ? "True" : "False");
  else val_print(s, val_float(t->f));
  return true;
}

static const char *kept(infer_ctx *c, str *s, bool told) {
  const char *text = told && s->len <= MAX_TEXT ? arena_strdup(c->mem, str_cstr(s)) : "";
  str_free(s);
  return text;
}

/* name(a, b) as PyTorch writes symbolic floats and bools, of numbers or of conditions; "" where
 * the operands have no text. */
static const char *text_of(infer_ctx *c, const char *name, const type *const *a, int n,
                           bool conditions) {
  str s = {0};
  bool told = true;
  str_printf(&s, "%s(", name);
  for (int k = 0; k < n; k++) {
    if (k) str_append(&s, ", ");
    told = told && put_operand(&s, a[k], conditions);
  }
  str_char(&s, ')');
  return kept(c, &s, told);
}

/* a - b, or -b where a is NULL: sympy has sums and products only. */
static const char *difference(infer_ctx *c, const type *a, const type *b) {
  str s = {0};
  if (a) str_append(&s, "Add(");
  bool told = !a || put_operand(&s, a, false);
  str_append(&s, a ? ", Mul(-1, " : "Mul(-1, ");
  told = put_operand(&s, b, false) && told;
  str_append(&s, a ? "))" : ")");
  return kept(c, &s, told);
}

/* Arithmetic on floats in the words of sympy. */
static const char *float_text(infer_ctx *c, const type *const *a, int n) {
  switch (c->op->id) {
    case OP_sym_add:
    case OP_sym_sum: return text_of(c, "Add", a, n, false);
    case OP_sym_sub: return difference(c, a[0], a[1]);
    case OP_sym_neg: return difference(c, NULL, a[0]);
    case OP_sym_mul: return text_of(c, "Mul", a, n, false);
    case OP_sym_pow:
    case OP_sym_fpow: return text_of(c, "FloatPow", a, n, false);
    case OP_sym_floordiv: return text_of(c, "FloorDiv", a, n, false);
    case OP_sym_mod: return text_of(c, "Mod", a, n, false);
    case OP_sym_abs: return text_of(c, "Abs", a, n, false);
    case OP_sym_max: return text_of(c, "Max", a, n, false);
    case OP_sym_min: return text_of(c, "Min", a, n, false);
    case OP_sym_pos: return text_of(c, "Identity", a, n, false);
    default: {
      const char *name = arena_printf(c->mem, "OpaqueUnaryFn_%s", c->op->name + strlen("sym_"));
      return text_of(c, name, a, n, false);
    }
  }
}

static bool all_ints(const type *const *a, int n) {
  for (int k = 0; k < n; k++)
    if (a[k]->kind != TYPE_INT && !(a[k]->kind == TYPE_BOOL && a[k]->known)) return false;
  return true;
}

static bool any_float(const type *const *a, int n) {
  for (int k = 0; k < n; k++)
    if (a[k]->kind == TYPE_FLOAT) return true;
  return false;
}

static bool all_bools(const type *const *a, int n) {
  for (int k = 0; k < n; k++)
    if (a[k]->kind != TYPE_BOOL) return false;
  return true;
}

/* Integer expressions; NULL where the op does not give one. */
static const type *int_expression(infer_ctx *c, const type *const *a, int n) {
  symtab *t = c->syms;
  dim x = a[0]->i, y = n > 1 ? a[1]->i : dim_int(0);
  switch (c->op->id) {
    case OP_sym_add: return type_int(c->mem, dim_add(t, x, y));
    case OP_sym_sub: return type_int(c->mem, dim_sub(t, x, y));
    case OP_sym_mul: return type_int(c->mem, dim_mul(t, x, y));
    case OP_sym_floordiv: return type_int(c->mem, dim_floordiv(t, x, y));
    case OP_sym_mod: return type_int(c->mem, dim_mod(t, x, y));
    case OP_sym_pow: return type_int(c->mem, dim_pow(t, x, y));
    case OP_sym_neg: return type_int(c->mem, dim_neg(t, x));
    case OP_sym_abs: return type_int(c->mem, dim_max(t, x, dim_neg(t, x)));
    case OP_sym_max: return type_int(c->mem, dim_max(t, x, y));
    case OP_sym_min: return type_int(c->mem, dim_min(t, x, y));
    case OP_sym_pos:
    case OP_sym_int:
    case OP_sym_floor:
    case OP_sym_ceil:
    case OP_sym_trunc:
    case OP_sym_round: return type_int(c->mem, x);
    case OP_sym_lshift:
      return dim_is_int(y) && y.k >= 0 && y.k < 62
                 ? type_int(c->mem, dim_mul(t, x, dim_int((int64_t)1 << y.k)))
                 : NULL;
    case OP_sym_rshift:
      return dim_is_int(y) && y.k >= 0 && y.k < 62
                 ? type_int(c->mem, dim_floordiv(t, x, dim_int((int64_t)1 << y.k)))
                 : NULL;
    case OP_sym_sum: {
      dim sum = dim_int(0);
      for (int k = 0; k < n; k++) sum = dim_add(t, sum, a[k]->i);
      return type_int(c->mem, sum);
    }
    default: return NULL;
  }
}

/* A comparison that the ranges of the symbols decide, -1 where they do not. */
static int decided(infer_ctx *c, dim x, dim y) {
  int64_t lo, hi;
  dim_bounds(c->syms, dim_sub(c->syms, x, y), &lo, &hi);
  switch (c->op->id) {
    case OP_sym_eq: return lo == 0 && hi == 0 ? 1 : lo > 0 || hi < 0 ? 0 : -1;
    case OP_sym_ne: return lo == 0 && hi == 0 ? 0 : lo > 0 || hi < 0 ? 1 : -1;
    case OP_sym_lt: return hi < 0 ? 1 : lo >= 0 ? 0 : -1;
    case OP_sym_le: return hi <= 0 ? 1 : lo > 0 ? 0 : -1;
    case OP_sym_gt: return lo > 0 ? 1 : hi <= 0 ? 0 : -1;
    default: return lo >= 0 ? 1 : hi < 0 ? 0 : -1;
  }
}

static const type *comparison(infer_ctx *c, const type *const *a, int n, const char *name) {
  assert(n == 2);
  if (all_ints(a, n)) {
    int v = decided(c, a[0]->i, a[1]->i);
    if (v >= 0) return type_bool(c->mem, v);
  }
  return type_bool_unknown(c->mem, text_of(c, name, a, n, false));
}

/* The kind of the result where its value is not known. */
static const type *unknown_result(infer_ctx *c, const type *const *a, int n) {
  switch (c->op->id) {
    case OP_sym_eq: return comparison(c, a, n, "Eq");
    case OP_sym_ne: return comparison(c, a, n, "Ne");
    case OP_sym_lt: return comparison(c, a, n, "Lt");
    case OP_sym_le: return comparison(c, a, n, "Le");
    case OP_sym_gt: return comparison(c, a, n, "Gt");
    case OP_sym_ge: return comparison(c, a, n, "Ge");
    case OP_sym_not: return type_bool_unknown(c->mem, text_of(c, "Not", a, n, true));
    case OP_sym_bool: return type_bool_unknown(c->mem, text_of(c, "And", a, n, true));
    case OP_sym_and:
      return all_bools(a, n) ? type_bool_unknown(c->mem, text_of(c, "And", a, n, true)) : NULL;
    case OP_sym_or:
      return all_bools(a, n) ? type_bool_unknown(c->mem, text_of(c, "Or", a, n, true)) : NULL;
    case OP_sym_xor: return all_bools(a, n) ? type_bool_unknown(c->mem, "") : NULL;
    case OP_sym_invert:
    case OP_sym_lshift:
    case OP_sym_rshift:
    case OP_sym_int:
    case OP_sym_floor:
    case OP_sym_ceil:
    case OP_sym_trunc:
    case OP_sym_round: return NULL;
    case OP_sym_add:
    case OP_sym_sub:
    case OP_sym_mul:
    case OP_sym_pow:
    case OP_sym_floordiv:
    case OP_sym_mod:
    case OP_sym_neg:
    case OP_sym_pos:
    case OP_sym_abs:
    case OP_sym_sum: /* of conditions: integers that only the run tells */
      return any_float(a, n) ? type_float_unknown(c->mem, float_text(c, a, n)) : NULL;
    case OP_sym_ite: assert(n == 3); return type_equal(a[1], a[2]) ? a[1] : NULL;
    case OP_sym_max:
    case OP_sym_min:
      assert(n == 2);
      return a[0]->kind == TYPE_FLOAT && a[1]->kind == TYPE_FLOAT
                 ? type_float_unknown(c->mem, float_text(c, a, n))
                 : NULL;
    case OP_sym_truediv:
      return type_float_unknown(
          c->mem, text_of(c, all_ints(a, n) ? "IntTrueDiv" : "FloatTrueDiv", a, n, false));
    case OP_sym_float: return type_float_unknown(c->mem, text_of(c, "ToFloat", a, n, false));
    default: return type_float_unknown(c->mem, float_text(c, a, n));
  }
}

const type *infer_sym(infer_ctx *c) {
  const type *a[MAX_ITEMS] = {NULL};
  number v[MAX_ITEMS], r;
  int n = operands(c, a);
  bool known = true;
  for (int k = 0; k < n; k++) {
    if (!a[k]) return NULL;
    if (!type_is_scalar(a[k]) || a[k]->kind == TYPE_COMPLEX) {
      str got = {0};
      type_print(&got, a[k]);
      infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "%s: expected a number, got %.120s", c->op->name,
                 str_cstr(&got));
      str_free(&got);
      return NULL;
    }
    known &= is_known(a[k]);
    if (is_known(a[k])) v[k] = number_of(a[k]);
  }
  if (known) {
    number_status s = number_op(c->op->id, v, n, &r);
    if (s == NUMBER_DIV_ZERO && c->mod)
      return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "%s: division by zero", c->op->name);
    if (s == NUMBER_UNDEFINED)
      return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "%s: no 64-bit result for these operands",
                        c->op->name);
    return of_number(c, r);
  }
  const type *t = all_ints(a, n) ? int_expression(c, a, n) : NULL;
  return t ? t : unknown_result(c, a, n);
}
