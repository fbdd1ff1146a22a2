/* Symbolic expressions in annotations and ranges, as sympy prints them: precedence climbing over
 * the characters, integers through sym.h. Conditions and floats have no value here; only their kind
 * is needed. */
#include <ctype.h>
#include <string.h>

#include "frontend/fx_reader.h"

enum { SYM_MAX_DEPTH = 100, SYM_MAX_ARGS = 16 };

typedef struct {
  reader *r;
  const char *p, *end;
  const token *at;
  int depth;
} sym_reader;

static bool sym_or(sym_reader *s, fx_sym *out);

static bool sym_fail(sym_reader *s, const char *expected) {
  int n = (int)(s->end - s->p);
  if (n <= 0)
    return fx_fail(s->r, s->at, SCANC_ERR_SYNTAX, "symbolic expression: expected %s, got its end",
                   expected);
  return fx_fail(s->r, s->at, SCANC_ERR_SYNTAX, "symbolic expression: expected %s, got '%.*s'",
                 expected, n > 30 ? 30 : n, s->p);
}

static void skip_blanks(sym_reader *s) {
  while (s->p < s->end && (*s->p == ' ' || *s->p == '\t' || *s->p == '\n')) s->p++;
}

/* Takes `op` if it is next; a longer operator that begins with it does not count. */
static bool take(sym_reader *s, const char *op) {
  skip_blanks(s);
  size_t n = strlen(op);
  if ((size_t)(s->end - s->p) < n || memcmp(s->p, op, n)) return false;
  char next = (size_t)(s->end - s->p) > n ? s->p[n] : 0;
  if (n == 1 && (*op == '*' || *op == '/') && next == *op) return false;
  if (n == 1 && strchr("<>=!", *op) && next == '=') return false;
  s->p += n;
  return true;
}

static fx_sym sym_int(dim d) { return (fx_sym){FX_SYM_INT, d}; }
static fx_sym sym_of(fx_sym_kind kind) { return (fx_sym){kind, dim_int(0)}; }
static bool both_int(fx_sym a, fx_sym b) { return a.kind == FX_SYM_INT && b.kind == FX_SYM_INT; }

/* The kind of arithmetic on values that are not both integers. */
static fx_sym mixed(fx_sym a, fx_sym b) {
  return sym_of(a.kind == FX_SYM_OPAQUE || b.kind == FX_SYM_OPAQUE ? FX_SYM_OPAQUE : FX_SYM_FLOAT);
}

static bool sym_number(sym_reader *s, fx_sym *out) {
  const char *start = s->p, *p = s->p;
  while (p < s->end && isdigit((unsigned char)*p)) p++;
  bool whole = p == s->end || (*p != '.' && *p != 'e');
  while (p < s->end &&
         (isalnum((unsigned char)*p) || *p == '.' || ((*p == '+' || *p == '-') && p[-1] == 'e')))
    p++;
  s->p = p;
  *out = sym_of(FX_SYM_FLOAT);
  if (!whole) return true;
  int64_t v = 0;
  if (!lex_int(start, (int)(p - start), &v))
    return fx_fail(s->r, s->at, SCANC_ERR_BAD_NUMBER, "the size %.*s does not fit 64 bits",
                   (int)(p - start > 60 ? 60 : p - start), start);
  for (const char *q = start; q < p; q++)
    if (!isdigit((unsigned char)*q))
      return fx_fail(s->r, s->at, SCANC_ERR_BAD_NUMBER, "malformed number '%.*s'",
                     (int)(p - start > 60 ? 60 : p - start), start);
  *out = sym_int(dim_int(v));
  return true;
}

static bool sym_call(sym_reader *s, const char *name, size_t len, fx_sym *out) {
  dim args[SYM_MAX_ARGS];
  int n = 0;
  bool ints = true;
  while (!take(s, ")")) {
    fx_sym a = sym_of(FX_SYM_OPAQUE);
    if (n) {
      if (!take(s, ",")) return sym_fail(s, "',' or ')'");
      if (take(s, ")")) break;
    }
    SCANC_TRY(sym_or(s, &a));
    if (n == SYM_MAX_ARGS)
      return fx_fail(s->r, s->at, SCANC_ERR_UNSUPPORTED,
                     "more than %d arguments in a symbolic expression", SYM_MAX_ARGS);
    ints = ints && a.kind == FX_SYM_INT;
    args[n++] = a.d;
  }
  fx_sym_kind kind = sym_function_kind(name, len);
  if (kind != FX_SYM_INT) *out = sym_of(kind);
  else if (!ints || n == 0) *out = sym_of(FX_SYM_OPAQUE);
  else *out = sym_int(sym_function(s->r->m->syms, s->r->mem, name, len, args, n));
  return true;
}

static bool sym_name(sym_reader *s, fx_sym *out) {
  const char *start = s->p;
  while (s->p < s->end && (isalnum((unsigned char)*s->p) || *s->p == '_')) s->p++;
  size_t n = (size_t)(s->p - start);
  if (n > LEX_MAX_NAME)
    return fx_fail(s->r, s->at, SCANC_ERR_NAME_TOO_LONG, "a symbol of %zu bytes; the limit is %d",
                   n, LEX_MAX_NAME);
  if (take(s, "(")) return sym_call(s, start, n, out);
  if (sym_name_is(start, n, "True") || sym_name_is(start, n, "False")) *out = sym_of(FX_SYM_BOOL);
  else if (sym_name_is(start, n, "int_oo") || sym_name_is(start, n, "oo"))
    *out = sym_int(dim_int(INT64_MAX));
  else if (n > 1 && *start == 'z') *out = sym_of(FX_SYM_FLOAT);
  else *out = sym_int(dim_symbol(s->r->m->syms, arena_strndup(s->r->mem, start, n)));
  return true;
}

/* A parenthesis, or a tuple inside Piecewise. */
static bool sym_paren(sym_reader *s, fx_sym *out) {
  SCANC_TRY(sym_or(s, out));
  while (take(s, ",")) {
    fx_sym more = sym_of(FX_SYM_OPAQUE);
    if (take(s, ")")) return true;
    SCANC_TRY(sym_or(s, &more));
    *out = sym_of(FX_SYM_OPAQUE);
  }
  return take(s, ")") || sym_fail(s, "')'");
}

static bool sym_primary(sym_reader *s, fx_sym *out) {
  skip_blanks(s);
  if (s->p == s->end) return sym_fail(s, "a size");
  if (isdigit((unsigned char)*s->p)) return sym_number(s, out);
  if (isalpha((unsigned char)*s->p) || *s->p == '_') return sym_name(s, out);
  return take(s, "(") ? sym_paren(s, out) : sym_fail(s, "a size");
}

static bool sym_factor(sym_reader *s, fx_sym *out) {
  bool negative = false;
  while (take(s, "-")) negative = !negative;
  SCANC_TRY(sym_primary(s, out));
  if (take(s, "**")) {
    fx_sym e = sym_of(FX_SYM_OPAQUE);
    if (s->depth++ > SYM_MAX_DEPTH)
      return fx_fail(s->r, s->at, SCANC_ERR_TOO_DEEP, "a symbolic expression nested deeper than %d",
                     SYM_MAX_DEPTH);
    SCANC_TRY(sym_factor(s, &e));
    s->depth--;
    *out = both_int(*out, e) ? sym_int(dim_pow(s->r->m->syms, out->d, e.d)) : mixed(*out, e);
  }
  if (negative && out->kind == FX_SYM_INT) out->d = dim_neg(s->r->m->syms, out->d);
  return true;
}

static bool sym_product(sym_reader *s, fx_sym *out) {
  symtab *t = s->r->m->syms;
  SCANC_TRY(sym_factor(s, out));
  for (;;) {
    fx_sym b = sym_of(FX_SYM_OPAQUE);
    dim (*fn)(symtab *, dim, dim) = take(s, "*")    ? dim_mul
                                    : take(s, "//") ? dim_floordiv
                                    : take(s, "%")  ? dim_mod
                                                    : NULL;
    bool quotient = !fn && take(s, "/");
    if (!fn && !quotient) return true;
    SCANC_TRY(sym_factor(s, &b));
    *out = quotient            ? sym_of(FX_SYM_FLOAT)
           : both_int(*out, b) ? sym_int(fn(t, out->d, b.d))
                               : mixed(*out, b);
  }
}

static bool sym_sum(sym_reader *s, fx_sym *out) {
  symtab *t = s->r->m->syms;
  SCANC_TRY(sym_product(s, out));
  for (;;) {
    fx_sym b = sym_of(FX_SYM_OPAQUE);
    dim (*fn)(symtab *, dim, dim) = take(s, "+") ? dim_add : take(s, "-") ? dim_sub : NULL;
    if (!fn) return true;
    SCANC_TRY(sym_product(s, &b));
    *out = both_int(*out, b) ? sym_int(fn(t, out->d, b.d)) : mixed(*out, b);
  }
}

static bool sym_relation(sym_reader *s, fx_sym *out) {
  bool negated = false;
  while (take(s, "~")) negated = true;
  SCANC_TRY(sym_sum(s, out));
  static const char *const ops[] = {"<=", ">=", "==", "!=", "<", ">"};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
    fx_sym b = sym_of(FX_SYM_OPAQUE);
    if (!take(s, ops[i])) continue;
    SCANC_TRY(sym_sum(s, &b));
    *out = sym_of(FX_SYM_BOOL);
    break;
  }
  if (negated) *out = sym_of(FX_SYM_BOOL);
  return true;
}

static bool sym_or(sym_reader *s, fx_sym *out) {
  if (s->depth++ > SYM_MAX_DEPTH)
    return fx_fail(s->r, s->at, SCANC_ERR_TOO_DEEP, "a symbolic expression nested deeper than %d",
                   SYM_MAX_DEPTH);
  SCANC_TRY(sym_relation(s, out));
  while (take(s, "|") || take(s, "&")) {
    fx_sym b = sym_of(FX_SYM_OPAQUE);
    SCANC_TRY(sym_relation(s, &b));
    *out = sym_of(FX_SYM_BOOL);
  }
  s->depth--;
  return true;
}

bool fx_symbolic(reader *r, const char **p, const char *end, const token *at, fx_sym *out) {
  sym_reader s = {.r = r, .p = *p, .end = end, .at = at};
  symtab_overflowed(r->m->syms);
  SCANC_TRY(sym_or(&s, out));
  if (symtab_overflowed(r->m->syms))
    return fx_fail(r, at, SCANC_ERR_SIZE_OVERFLOW, "a symbolic size does not fit 64 bits");
  *p = s.p;
  return true;
}
