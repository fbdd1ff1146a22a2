/* Symbolic sizes: floor division, remainder, powers, maximum, minimum and other functions, with the
 * simplifications PyTorch makes, so that what it prints for a size is what scanc infers. */
#include <string.h>

#include "ir/sym_expr.h"

int64_t sym_floordiv64(int64_t a, int64_t b) {
  if (b == -1) return a == INT64_MIN ? a : -a;
  int64_t q = a / b;
  return q - (a % b != 0 && (a % b < 0) != (b < 0));
}

int64_t sym_mod64(int64_t a, int64_t b) {
  if (b == -1) return 0;
  int64_t r = a % b;
  return r && (r < 0) != (b < 0) ? r + b : r;
}

static int64_t gcd64(int64_t a, int64_t b) {
  uint64_t x = a < 0 ? -(uint64_t)a : (uint64_t)a, y = b < 0 ? -(uint64_t)b : (uint64_t)b;
  while (y) {
    uint64_t r = x % y;
    x = y;
    y = r;
  }
  return x > INT64_MAX ? 1 : (int64_t)x;
}

/* Quotient of two monomials; false if b does not divide a. */
static bool sym_div_term(symtab *t, term a, term b, term *out) {
  if (b.c == 0 || (b.c == -1 && a.c == INT64_MIN) || a.c % b.c) return false;
  factor *f = ARENA_ARRAY(t->mem, factor, a.n);
  int n = 0, j = 0;
  for (int i = 0; i < a.n; i++) {
    factor x = a.f[i];
    if (j < b.n && b.f[j].a == x.a) x.pow -= b.f[j++].pow;
    if (x.pow < 0) return false;
    if (x.pow) f[n++] = x;
  }
  *out = (term){a.c / b.c, n, f};
  return j == b.n;
}

/* Polynomial long division; succeeds only without remainder. b has at least two terms. */
static bool exact_quotient(symtab *t, dim a, dim b, dim *out) {
  dim q = dim_int(0);
  for (int steps = 0; !dim_is(a, 0); steps++) {
    term lead_a[SYM_MAX_TERMS], lead;
    int n = sym_terms(a, lead_a);
    if (steps == SYM_MAX_TERMS || n == 0 || !sym_div_term(t, lead_a[0], b.e->t[0], &lead))
      return false;
    dim part = sym_of_terms(t, &lead, 1);
    q = dim_add(t, q, part);
    a = dim_sub(t, a, dim_mul(t, part, b));
    if (t->overflowed) return false;
  }
  *out = q;
  return true;
}

/* Splits off what the monomial b divides exactly: a == b * *q + *rest. */
static void split_exact(symtab *t, dim a, term b, dim *q, dim *rest) {
  term in[SYM_MAX_TERMS], quotients[SYM_MAX_TERMS], others[SYM_MAX_TERMS];
  int n = sym_terms(a, in), n_q = 0, n_o = 0;
  for (int i = 0; i < n; i++) {
    if (sym_div_term(t, in[i], b, &quotients[n_q])) n_q++;
    else others[n_o++] = in[i];
  }
  *q = sym_of_terms(t, quotients, n_q);
  *rest = sym_of_terms(t, others, n_o);
}

/* The greatest monomial that divides every term of a and of b; its coefficient is positive. */
static term common_monomial(symtab *t, dim a, dim b) {
  term terms[2 * SYM_MAX_TERMS];
  int n = sym_terms(a, terms);
  n += sym_terms(b, terms + n);
  int64_t c = 0;
  for (int i = 0; i < n; i++) c = gcd64(c, terms[i].c);
  factor *f = ARENA_ARRAY(t->mem, factor, terms[0].n);
  int n_f = 0;
  for (int k = 0; k < terms[0].n; k++) {
    factor low = terms[0].f[k];
    for (int i = 1; i < n && low.pow; i++) {
      int pow = 0;
      for (int j = 0; j < terms[i].n; j++)
        if (terms[i].f[j].a == low.a) pow = terms[i].f[j].pow;
      if (pow < low.pow) low.pow = pow;
    }
    if (low.pow) f[n_f++] = low;
  }
  return (term){c ? c : 1, n_f, f};
}

static dim opaque(symtab *t, atom_kind kind, const char *name, dim a, dim b) {
  return sym_of_atom(t, sym_atom(t, kind, name, (dim[]){a, b}, 2));
}

/* a // b where nothing divides any more: nested divisions merge, small numerators vanish. */
static dim floordiv_rest(symtab *t, dim a, dim b) {
  if (dim_is(a, 0)) return a;
  if (!a.e && !b.e) return dim_int(sym_floordiv64(a.k, b.k));
  if (a.e && a.e->n == 1 && a.e->t[0].c == 1 && a.e->t[0].n == 1 && a.e->t[0].f[0].pow == 1) {
    const atom *inner = a.e->t[0].f[0].a;
    if (inner->kind == ATOM_FLOORDIV && !b.e && b.k > 0)
      return dim_floordiv(t, inner->args[0], dim_mul(t, inner->args[1], b));
  }
  int64_t a_min, a_max, b_min, b_max;
  dim_bounds(t, a, &a_min, &a_max);
  dim_bounds(t, b, &b_min, &b_max);
  if (a_min >= 0 && b_min > a_max) return dim_int(0);
  return opaque(t, ATOM_FLOORDIV, "FloorDiv", a, b);
}

dim dim_floordiv(symtab *t, dim a, dim b) {
  if (dim_is(b, 0)) return opaque(t, ATOM_FLOORDIV, "FloorDiv", a, b);
  if (dim_is(b, 1)) return a;
  if (dim_equal(a, b)) return dim_int(1);
  if (!a.e && !b.e)
    return a.k == INT64_MIN && b.k == -1 ? sym_saturate(t, false)
                                         : dim_int(sym_floordiv64(a.k, b.k));
  if (dim_is(a, 0)) return a;
  dim q = dim_int(0), rest = a;
  if (!b.e) {
    split_exact(t, a, (term){b.k, 0, NULL}, &q, &rest);
  } else if (b.e->n == 1) {
    split_exact(t, a, b.e->t[0], &q, &rest);
  } else if (exact_quotient(t, a, b, &q)) {
    return q;
  } else {
    q = dim_int(0);
  }
  if (dim_is(rest, 0)) return q;
  term common = common_monomial(t, rest, b);
  if (common.c != 1 || common.n) {
    dim unused;
    split_exact(t, rest, common, &rest, &unused);
    split_exact(t, b, common, &b, &unused);
    if (dim_is(b, 1)) return dim_add(t, q, rest);
  }
  return dim_add(t, q, floordiv_rest(t, rest, b));
}

dim dim_ceildiv(symtab *t, dim a, dim b) {
  if (!a.e && !b.e && b.k) return dim_neg(t, dim_floordiv(t, dim_neg(t, a), b));
  dim rest = dim_mod(t, a, b);
  if (dim_is(rest, 0)) return dim_floordiv(t, a, b);
  return dim_floordiv(t, dim_add(t, a, dim_sub(t, b, dim_int(1))), b);
}

dim dim_mod(symtab *t, dim a, dim b) {
  if (dim_is(b, 0)) return opaque(t, ATOM_MOD, "Mod", a, b);
  if (dim_is(a, 0) || dim_is(b, 1) || dim_is(b, -1) || dim_equal(a, b)) return dim_int(0);
  if (!a.e && !b.e) return dim_int(sym_mod64(a.k, b.k));
  dim q, rest = a;
  if (!b.e) split_exact(t, a, (term){b.k, 0, NULL}, &q, &rest);
  else if (b.e->n == 1) split_exact(t, a, b.e->t[0], &q, &rest);
  else if (exact_quotient(t, a, b, &q)) return dim_int(0);
  if (dim_is(rest, 0)) return rest;
  if (!rest.e && !b.e) return dim_int(sym_mod64(rest.k, b.k));
  int64_t a_min, a_max, b_min, b_max;
  dim_bounds(t, rest, &a_min, &a_max);
  dim_bounds(t, b, &b_min, &b_max);
  if (a_min >= 0 && a_max < b_min) return rest;
  return opaque(t, ATOM_MOD, a_min >= 0 ? "Mod" : "PythonMod", rest, b);
}

dim dim_pow(symtab *t, dim a, dim b) {
  if (b.e || b.k < 0) return opaque(t, ATOM_POW, "PowByNatural", a, b);
  if (b.k > SYM_MAX_POW && !dim_is(a, 0) && !dim_is(a, 1) && !dim_is(a, -1))
    return sym_saturate(t, false);
  if (b.k > SYM_MAX_POW) return dim_is(a, -1) && b.k % 2 == 0 ? dim_int(1) : a;
  dim r = dim_int(1);
  for (int64_t i = 0; i < b.k; i++) r = dim_mul(t, r, a);
  return r;
}

/* ---- maximum and minimum ---- */

/* Does a >= b hold for every value of the symbols? */
static bool always_ge(symtab *t, dim a, dim b) {
  int64_t min, max;
  bool before = t->overflowed;
  dim_bounds(t, dim_sub(t, a, b), &min, &max);
  bool overflow = t->overflowed;
  t->overflowed = before;
  return !overflow && min >= 0;
}

/* Adds an argument to a maximum (minimum), flattening nested ones and dropping what is dominated.
 */
static int add_extremum(symtab *t, dim *args, int n, dim x, bool is_max) {
  atom_kind kind = is_max ? ATOM_MAX : ATOM_MIN;
  if (x.e && x.e->n == 1 && x.e->t[0].c == 1 && x.e->t[0].n == 1 && x.e->t[0].f[0].pow == 1) {
    const atom *a = x.e->t[0].f[0].a;
    if (a->kind == kind) {
      for (int i = 0; i < a->n; i++) n = add_extremum(t, args, n, a->args[i], is_max);
      return n;
    }
  }
  int m = 0;
  for (int i = 0; i < n; i++) {
    if (is_max ? always_ge(t, args[i], x) : always_ge(t, x, args[i])) return n;
  }
  for (int i = 0; i < n; i++)
    if (!(is_max ? always_ge(t, x, args[i]) : always_ge(t, args[i], x))) args[m++] = args[i];
  if (m == SYM_MAX_TERMS) {
    t->overflowed = true;
    return m;
  }
  int at = m++;
  for (; at > 0 && sym_cmp_dim(args[at - 1], x) > 0; at--) args[at] = args[at - 1];
  args[at] = x;
  return m;
}

static dim extremum(symtab *t, const dim *in, int n_in, bool is_max) {
  dim args[SYM_MAX_TERMS];
  int n = 0;
  for (int i = 0; i < n_in; i++) n = add_extremum(t, args, n, in[i], is_max);
  if (n == 1) return args[0];
  return sym_of_atom(t, sym_atom(t, is_max ? ATOM_MAX : ATOM_MIN, is_max ? "Max" : "Min", args, n));
}

dim dim_max(symtab *t, dim a, dim b) { return extremum(t, (dim[]){a, b}, 2, true); }

dim dim_min(symtab *t, dim a, dim b) { return extremum(t, (dim[]){a, b}, 2, false); }

/* ---- functions by name ---- */

static dim modular_indexing(symtab *t, const dim *a) {
  return dim_mod(t, dim_floordiv(t, a[0], a[1]), a[2]);
}

static dim absolute(symtab *t, const dim *a) { return dim_max(t, a[0], dim_neg(t, a[0])); }

static dim power_of_two(symtab *t, dim n) { return dim_pow(t, dim_int(2), n); }
static dim lshift(symtab *t, dim a, dim n) { return dim_mul(t, a, power_of_two(t, n)); }
static dim rshift(symtab *t, dim a, dim n) { return dim_floordiv(t, a, power_of_two(t, n)); }

static dim fold(symtab *t, dim (*fn)(symtab *, dim, dim), const dim *a, int n) {
  dim d = a[0];
  for (int i = 1; i < n; i++) d = fn(t, d, a[i]);
  return d;
}

/* What rounds to an integer leaves integers as they are. */
static bool is_identity(const char *name) {
  static const char *const names[] = {"Identity",   "CeilToInt", "FloorToInt", "TruncToInt",
                                      "RoundToInt", "ceiling",   "floor"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(name, names[i])) return true;
  return false;
}

dim dim_func(symtab *t, const char *name, const dim *args, int n) {
  static const struct {
    const char *name;
    dim (*fn)(symtab *t, dim a, dim b);
  } binary[] = {{"FloorDiv", dim_floordiv}, {"CleanDiv", dim_floordiv}, {"CeilDiv", dim_ceildiv},
                {"Mod", dim_mod},           {"PythonMod", dim_mod},     {"PowByNatural", dim_pow},
                {"Pow", dim_pow},           {"LShift", lshift},         {"RShift", rshift}};
  bool negative_shift = n == 2 && dim_is_int(args[1]) && args[1].k < 0 && strstr(name, "Shift");
  for (size_t i = 0; n == 2 && !negative_shift && i < sizeof binary / sizeof *binary; i++)
    if (!strcmp(name, binary[i].name)) return binary[i].fn(t, args[0], args[1]);
  if (n >= 1 && !strcmp(name, "Add")) return fold(t, dim_add, args, n);
  if (n >= 1 && !strcmp(name, "Mul")) return fold(t, dim_mul, args, n);
  if (n >= 1 && !strcmp(name, "Max")) return extremum(t, args, n, true);
  if (n >= 1 && !strcmp(name, "Min")) return extremum(t, args, n, false);
  if (n == 1 && !strcmp(name, "Abs")) return absolute(t, args);
  if (n == 1 && is_identity(name)) return args[0];
  if (n == 3 && !strcmp(name, "ModularIndexing")) return modular_indexing(t, args);
  return sym_of_atom(t, sym_atom(t, ATOM_FUNC, name, args, n));
}
