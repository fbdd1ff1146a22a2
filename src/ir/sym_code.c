/* Symbolic sizes to straight-line code, and running it. */
#include "ir/sym_code.h"

#include "ir/sym_expr.h"

static int push(arena *mem, int_code *code, int_op op) {
  for (int i = 0; i < code->len; i++) {
    const int_op *o = &code->data[i];
    if (o->kind == op.kind && o->a == op.a && o->b == op.b && o->k == op.k) return i;
  }
  vec_push(mem, code, op);
  return code->len - 1;
}

static int binary(arena *mem, int_code *code, int_op_kind kind, int a, int b) {
  return a < 0 || b < 0 ? -1 : push(mem, code, (int_op){kind, a, b, 0});
}

static int constant(arena *mem, int_code *code, int64_t k) {
  return push(mem, code, (int_op){INT_CONST, 0, 0, k});
}

static int add_atom(arena *mem, int_code *code, const atom *a) {
  static const int_op_kind kinds[] = {[ATOM_FLOORDIV] = INT_FLOORDIV,
                                      [ATOM_MOD] = INT_MOD,
                                      [ATOM_MAX] = INT_MAX,
                                      [ATOM_MIN] = INT_MIN};
  if (a->kind == ATOM_SYMBOL) return push(mem, code, (int_op){INT_PARAM, 0, 0, a->symbol});
  if (a->kind == ATOM_POW || a->kind == ATOM_FUNC) return -1;
  int v = int_code_add(mem, code, a->args[0]);
  for (int i = 1; i < a->n; i++)
    v = binary(mem, code, kinds[a->kind], v, int_code_add(mem, code, a->args[i]));
  return v;
}

static int add_term(arena *mem, int_code *code, const term *t) {
  int v = -1;
  for (int i = 0; i < t->n; i++) {
    int a = add_atom(mem, code, t->f[i].a);
    if (a < 0) return -1;
    for (int p = 0; p < t->f[i].pow; p++) v = v < 0 ? a : binary(mem, code, INT_MUL, v, a);
  }
  if (v < 0) return constant(mem, code, t->c);
  return t->c == 1 ? v : binary(mem, code, INT_MUL, v, constant(mem, code, t->c));
}

int int_code_add(arena *mem, int_code *code, dim d) {
  if (dim_is_int(d)) return constant(mem, code, d.k);
  int v = -1;
  for (int i = 0; i < d.e->n; i++) {
    int t = add_term(mem, code, &d.e->t[i]);
    if (t < 0) return -1;
    v = i == 0 ? t : binary(mem, code, INT_ADD, v, t);
  }
  return v;
}

static bool divide(const int_op *o, int64_t a, int64_t b, int64_t *out) {
  if (b == 0 || (a == INT64_MIN && b == -1)) return false;
  *out = o->kind == INT_MOD ? sym_mod64(a, b) : sym_floordiv64(a, b);
  return true;
}

bool int_code_run(const int_code *code, const int64_t *params, int64_t *values) {
  for (int i = 0; i < code->len; i++) {
    const int_op *o = &code->data[i];
    int64_t a = values[o->a], b = values[o->b], *v = &values[i];
    switch (o->kind) {
      case INT_CONST: *v = o->k; break;
      case INT_PARAM: *v = params[o->k]; break;
      case INT_ADD:
        if (__builtin_add_overflow(a, b, v)) return false;
        break;
      case INT_MUL:
        if (__builtin_mul_overflow(a, b, v)) return false;
        break;
      case INT_FLOORDIV:
      case INT_MOD:
        if (!divide(o, a, b, v)) return false;
        break;
      case INT_MAX: *v = a > b ? a : b; break;
      case INT_MIN: *v = a < b ? a : b; break;
    }
  }
  return true;
}
