/* Symbolic sizes as text, in the form of sympy's printer with PyTorch's functions: FloorDiv and Mod
 * bind more weakly than a sum, so they are parenthesised inside sums and products. */
#include <inttypes.h>
#include <string.h>

#include "ir/sym_expr.h"

static void print_args(str *out, const atom *a) {
  str_printf(out, "%s(", a->name);
  for (int i = 0; i < a->n; i++) {
    if (i) str_append(out, ", ");
    dim_print(out, a->args[i]);
  }
  str_char(out, ')');
}

/* An operand of // or **: bare only when it is a symbol or a number that is not negative. */
static void print_operand(str *out, dim d) {
  bool bare = d.e ? dim_is_symbol(d, NULL) : d.k >= 0;
  if (!bare) str_char(out, '(');
  dim_print(out, d);
  if (!bare) str_char(out, ')');
}

/* 2**s0; what has an exponent below zero would be a fraction. */
static bool is_power(const atom *a) {
  return a->kind == ATOM_POW && !a->args[0].e && (a->args[1].e || a->args[1].k >= 0);
}

static void print_atom(str *out, const atom *a) {
  if (a->kind == ATOM_SYMBOL) {
    str_append(out, a->name);
  } else if (a->kind == ATOM_FLOORDIV) {
    str_char(out, '(');
    print_operand(out, a->args[0]);
    str_append(out, "//");
    print_operand(out, a->args[1]);
    str_char(out, ')');
  } else if (is_power(a)) {
    print_operand(out, a->args[0]);
    str_append(out, "**");
    print_operand(out, a->args[1]);
  } else {
    print_args(out, a);
  }
}

static void print_factor(str *out, const factor *f, bool alone) {
  bool weak = f->a->kind == ATOM_FLOORDIV || f->a->kind == ATOM_MOD;
  bool paren = (weak && (!alone || f->pow > 1)) || (f->pow > 1 && is_power(f->a));
  if (paren) str_char(out, '(');
  print_atom(out, f->a);
  if (paren) str_char(out, ')');
  if (f->pow > 1) str_printf(out, "**%d", f->pow);
}

/* Without its sign. alone: nothing stands beside the term. */
static void print_term(str *out, const term *t, bool alone) {
  uint64_t c = t->c < 0 ? -(uint64_t)t->c : (uint64_t)t->c;
  if (t->n == 0 || c != 1) str_printf(out, "%" PRIu64, c);
  for (int i = 0; i < t->n; i++) {
    if (i || c != 1) str_char(out, '*');
    print_factor(out, &t->f[i], alone && t->n == 1 && t->c == 1);
  }
}

static void print_signed(str *out, const term *t, bool first, bool alone) {
  if (first) str_append(out, t->c < 0 ? "-" : "");
  else str_append(out, t->c < 0 ? " - " : " + ");
  print_term(out, t, alone);
}

/* sympy writes 1 - s0, not -s0 + 1. */
static bool constant_first(const struct sym *e) {
  return e->n == 2 && e->t[1].n == 0 && e->t[1].c > 0 && e->t[0].c < 0 && e->t[0].n == 1;
}

void dim_print(str *out, dim d) {
  if (!d.e) {
    str_printf(out, "%" PRId64, d.k);
    return;
  }
  const struct sym *e = d.e;
  if (constant_first(e)) {
    print_signed(out, &e->t[1], true, false);
    print_signed(out, &e->t[0], false, false);
    return;
  }
  for (int i = 0; i < e->n; i++) print_signed(out, &e->t[i], i == 0, e->n == 1);
}

/* ---- sympy's srepr ---- */

static void srepr_atom(str *out, const atom *a) {
  if (a->kind == ATOM_SYMBOL) {
    bool unbacked = a->name[0] == 'u';
    str_printf(out, "Symbol('%s', %sinteger=True)", a->name, unbacked ? "" : "positive=True, ");
    return;
  }
  str_printf(out, "%s(", a->kind == ATOM_FLOORDIV ? "FloorDiv" : a->name);
  for (int i = 0; i < a->n; i++) {
    if (i) str_append(out, ", ");
    dim_print_srepr(out, a->args[i]);
  }
  str_char(out, ')');
}

static void srepr_term(str *out, const term *t) {
  int n = t->n + (t->c != 1 || t->n == 0);
  if (n > 1) str_append(out, "Mul(");
  if (n > t->n) str_printf(out, "Integer(%" PRId64 ")", t->c);
  for (int i = 0; i < t->n; i++) {
    if (i || n > t->n) str_append(out, ", ");
    if (t->f[i].pow > 1) str_append(out, "Pow(");
    srepr_atom(out, t->f[i].a);
    if (t->f[i].pow > 1) str_printf(out, ", Integer(%d))", t->f[i].pow);
  }
  if (n > 1) str_char(out, ')');
}

void dim_print_srepr(str *out, dim d) {
  if (!d.e) {
    str_printf(out, "Integer(%" PRId64 ")", d.k);
    return;
  }
  if (d.e->n > 1) str_append(out, "Add(");
  for (int i = 0; i < d.e->n; i++) {
    if (i) str_append(out, ", ");
    srepr_term(out, &d.e->t[i]);
  }
  if (d.e->n > 1) str_char(out, ')');
}
