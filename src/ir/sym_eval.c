/* Symbolic sizes: bounds over the ranges of the symbols, values for given symbols, solving for one
 * symbol. */
#include <string.h>

#include "ir/sym_expr.h"

/* ---- bounds: INT64_MIN and INT64_MAX stand for no bound ---- */

typedef struct {
  int64_t min, max;
} span;

static const span everything = {INT64_MIN, INT64_MAX};

static bool infinite(int64_t v) { return v == INT64_MIN || v == INT64_MAX; }

static int64_t clamp128(__int128 v) {
  return v > INT64_MAX ? INT64_MAX : v < INT64_MIN ? INT64_MIN : (int64_t)v;
}

/* Lower and upper ends add up separately, so that infinity stays infinity. */
static int64_t add_end(int64_t a, int64_t b) {
  if (infinite(a)) return a;
  if (infinite(b)) return b;
  return clamp128((__int128)a + b);
}

static int64_t mul_end(int64_t a, int64_t b) {
  if (a == 0 || b == 0) return 0;
  if (infinite(a) || infinite(b)) return (a < 0) != (b < 0) ? INT64_MIN : INT64_MAX;
  return clamp128((__int128)a * b);
}

static span mul_span(span a, span b) {
  int64_t v[4] = {mul_end(a.min, b.min), mul_end(a.min, b.max), mul_end(a.max, b.min),
                  mul_end(a.max, b.max)};
  span r = {v[0], v[0]};
  for (int i = 1; i < 4; i++) {
    if (v[i] < r.min) r.min = v[i];
    if (v[i] > r.max) r.max = v[i];
  }
  return r;
}

static span pow_span(span a, int pow) {
  span r = {1, 1};
  for (int i = 0; i < pow; i++) r = mul_span(r, a);
  if (pow % 2 == 0 && r.min < 0) r.min = 0;
  return r;
}

static span span_of(const symtab *t, dim d) {
  span s;
  dim_bounds(t, d, &s.min, &s.max);
  return s;
}

static int64_t div_end(int64_t a, int64_t b) {
  if (infinite(a)) return a;
  if (infinite(b)) return a < 0 ? -1 : 0;
  return sym_floordiv64(a, b);
}

static span floordiv_span(span a, span b) {
  if (b.min < 1) return everything;
  return (span){div_end(a.min, a.min < 0 ? b.min : b.max),
                div_end(a.max, a.max < 0 ? b.max : b.min)};
}

static span extremum_span(const symtab *t, const atom *a, bool is_max) {
  span r = span_of(t, a->args[0]);
  for (int i = 1; i < a->n; i++) {
    span s = span_of(t, a->args[i]);
    if (is_max ? s.min > r.min : s.min < r.min) r.min = s.min;
    if (is_max ? s.max > r.max : s.max < r.max) r.max = s.max;
  }
  return r;
}

static span atom_span(const symtab *t, const atom *a) {
  switch (a->kind) {
    case ATOM_SYMBOL: return (span){t->symbols.data[a->symbol].min, t->symbols.data[a->symbol].max};
    case ATOM_FLOORDIV: return floordiv_span(span_of(t, a->args[0]), span_of(t, a->args[1]));
    case ATOM_MOD: {
      span b = span_of(t, a->args[1]);
      return b.min < 1 ? everything : (span){0, infinite(b.max) ? b.max : b.max - 1};
    }
    case ATOM_MAX: return extremum_span(t, a, true);
    case ATOM_MIN: return extremum_span(t, a, false);
    default: return everything;
  }
}

void dim_bounds(const symtab *t, dim d, int64_t *min, int64_t *max) {
  *min = *max = d.k;
  if (!d.e) return;
  *min = *max = 0;
  for (int i = 0; i < d.e->n; i++) {
    span s = {d.e->t[i].c, d.e->t[i].c};
    for (int j = 0; j < d.e->t[i].n; j++) {
      const factor *f = &d.e->t[i].f[j];
      s = mul_span(s, pow_span(atom_span(t, f->a), f->pow));
    }
    *min = add_end(*min, s.min);
    *max = add_end(*max, s.max);
  }
}

/* ---- values ---- */

typedef struct {
  const int64_t *values;
  const bool *known;
} binding;

static bool eval_dim(const binding *b, dim d, int64_t *out);

static bool eval_power(int64_t base, int64_t pow, int64_t *out) {
  if (pow < 0) return false;
  if (base == 0 || base == 1 || base == -1) pow = pow ? 2 - pow % 2 : 0;
  *out = 1;
  for (int64_t i = 0; i < pow; i++)
    if (__builtin_mul_overflow(*out, base, out)) return false;
  return true;
}

static bool eval_extremum(const binding *b, const atom *a, bool is_max, int64_t *out) {
  for (int i = 0; i < a->n; i++) {
    int64_t v = 0;
    if (!eval_dim(b, a->args[i], &v)) return false;
    if (i == 0 || (is_max ? v > *out : v < *out)) *out = v;
  }
  return true;
}

static bool eval_binary(const binding *b, const atom *a, int64_t *out) {
  int64_t x, y;
  if (!eval_dim(b, a->args[0], &x) || !eval_dim(b, a->args[1], &y)) return false;
  if (a->kind == ATOM_POW) return eval_power(x, y, out);
  if (y == 0 || (x == INT64_MIN && y == -1)) return false;
  *out = a->kind == ATOM_FLOORDIV ? sym_floordiv64(x, y) : sym_mod64(x, y);
  return true;
}

static bool eval_atom(const binding *b, const atom *a, int64_t *out) {
  switch (a->kind) {
    case ATOM_SYMBOL: *out = b->values[a->symbol]; return b->known[a->symbol];
    case ATOM_MAX:
    case ATOM_MIN: return eval_extremum(b, a, a->kind == ATOM_MAX, out);
    case ATOM_FUNC: return false;
    default: return eval_binary(b, a, out);
  }
}

static bool eval_term(const binding *b, const term *t, int64_t *out) {
  *out = t->c;
  for (int i = 0; i < t->n; i++) {
    int64_t v = 0;
    if (!eval_atom(b, t->f[i].a, &v) || !eval_power(v, t->f[i].pow, &v)) return false;
    if (__builtin_mul_overflow(*out, v, out)) return false;
  }
  return true;
}

static bool eval_dim(const binding *b, dim d, int64_t *out) {
  *out = d.k;
  if (!d.e) return true;
  *out = 0;
  for (int i = 0; i < d.e->n; i++) {
    int64_t v = 0;
    if (!eval_term(b, &d.e->t[i], &v) || __builtin_add_overflow(*out, v, out)) return false;
  }
  return true;
}

bool dim_eval(const symtab *t, dim d, const int64_t *values, const bool *known, int64_t *out) {
  (void)t;
  binding b = {values, known};
  return eval_dim(&b, d, out);
}

/* ---- solving ---- */

/* Splits a term that mentions the unknown: coefficient times symbol. False if it is not of that
 * form. */
static bool linear_term(const binding *b, const term *t, int *symbol, int64_t *coefficient) {
  factor rest[SYM_MAX_TERMS];
  int n = 0, unknown = -1;
  if (t->n > SYM_MAX_TERMS) return false;
  for (int i = 0; i < t->n; i++) {
    const atom *a = t->f[i].a;
    if (a->kind == ATOM_SYMBOL && !b->known[a->symbol]) {
      if (unknown >= 0 || t->f[i].pow != 1) return false;
      unknown = a->symbol;
    } else {
      rest[n++] = t->f[i];
    }
  }
  if (unknown < 0 || (*symbol >= 0 && *symbol != unknown)) return false;
  *symbol = unknown;
  term known_part = {t->c, n, rest};
  return eval_term(b, &known_part, coefficient);
}

dim_solution dim_solve(const symtab *t, dim d, int64_t value, const int64_t *values,
                       const bool *known, int *symbol, int64_t *solution) {
  (void)t;
  if (!d.e) return DIM_OPEN;
  binding b = {values, known};
  int64_t slope = 0, rest = value;
  *symbol = -1;
  for (int i = 0; i < d.e->n; i++) {
    int64_t v = 0;
    if (eval_term(&b, &d.e->t[i], &v)) {
      if (__builtin_sub_overflow(rest, v, &rest)) return DIM_OPEN;
    } else {
      if (!linear_term(&b, &d.e->t[i], symbol, &v) || __builtin_add_overflow(slope, v, &slope))
        return DIM_OPEN;
    }
  }
  if (slope == 0 || (slope == -1 && rest == INT64_MIN)) return DIM_OPEN;
  if (rest % slope) return DIM_IMPOSSIBLE;
  *solution = rest / slope;
  return DIM_SOLVED;
}
