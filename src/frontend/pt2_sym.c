/* Symbolic expressions as sympy's srepr writes them: Add(Symbol('s77', positive=True), Integer(1)).
 * A recursive-descent parser; nothing is ever evaluated as Python. */
#include <ctype.h>
#include <string.h>

#include "frontend/pt2_reader.h"
#include "frontend/sym_call.h"

enum { MAX_DEPTH = 200 };

typedef struct {
  pt2 *r;
  const char *what; /* whose expression it is */
  const char *p;
  int depth;
} parser;

typedef VEC(pt2_sym) sym_list;

static bool expression(parser *s, pt2_sym *out);

static bool expected(parser *s, const char *what) {
  if (!*s->p)
    return pt2_fail(s->r, SCANC_ERR_BAD_JSON,
                    "%.100s: symbolic expression: expected %s, got its end", s->what, what);
  return pt2_fail(s->r, SCANC_ERR_BAD_JSON, "%.100s: symbolic expression: expected %s, got '%.30s'",
                  s->what, what, s->p);
}

static bool too_large(parser *s) {
  return pt2_fail(s->r, SCANC_ERR_SIZE_OVERFLOW, "%.100s: a symbolic size does not fit 64 bits",
                  s->what);
}

static void skip_blanks(parser *s) {
  while (*s->p == ' ') s->p++;
}

static bool take(parser *s, char c) {
  skip_blanks(s);
  if (*s->p != c) return false;
  s->p++;
  return true;
}

static const char *word(parser *s) {
  skip_blanks(s);
  const char *start = s->p;
  while (isalnum((unsigned char)*s->p) || *s->p == '_') s->p++;
  return arena_strndup(s->r->mem, start, (size_t)(s->p - start));
}

/* ---- results ---- */

static pt2_sym of_int(dim d) { return (pt2_sym){.kind = FX_SYM_INT, .d = d}; }

static pt2_sym of_text(fx_sym_kind kind, const char *text) {
  return (pt2_sym){.kind = (int)kind, .text = text};
}

static const char *text_of(const parser *s, const pt2_sym *x) {
  if (x->kind != FX_SYM_INT) return x->text;
  str t = {0};
  dim_print(&t, x->d);
  const char *copy = arena_strdup(s->r->mem, str_cstr(&t));
  str_free(&t);
  return copy;
}

/* Whether the text needs no parentheses as an operand: a word, or a call. */
static bool is_atom(const char *text) {
  int depth = 0;
  for (const char *p = text; *p; p++) {
    depth += (*p == '(') - (*p == ')');
    if (!depth && *p != ')' && !isalnum((unsigned char)*p) && *p != '_' && *p != '.') return false;
  }
  return isalnum((unsigned char)*text) || *text == '_';
}

/* "a op b", or "name(a, b)". Relations have no parentheses around arithmetic. */
static pt2_sym joined(parser *s, fx_sym_kind kind, const sym_function *f, const pt2_sym *a, int n) {
  str t = {0};
  bool relation = f->infix && strpbrk(f->infix, "<>");
  if (!f->infix) str_printf(&t, "%s(", f->printed);
  for (int i = 0; i < n; i++) {
    const char *text = text_of(s, &a[i]);
    bool bare = !f->infix || is_atom(text) || (relation && a[i].kind != FX_SYM_BOOL);
    if (i) str_append(&t, f->infix ? f->infix : ", ");
    str_printf(&t, bare ? "%s" : "(%s)", text);
  }
  if (!f->infix) str_char(&t, ')');
  pt2_sym out = of_text(kind, arena_strdup(s->r->mem, str_cstr(&t)));
  str_free(&t);
  return out;
}

/* ---- atoms ---- */

/* 'text' */
static bool quoted(parser *s, const char **out) {
  skip_blanks(s);
  char quote = *s->p;
  if (quote != '\'' && quote != '"') return expected(s, "a string");
  const char *start = ++s->p;
  while (*s->p && *s->p != quote && *s->p != '\\') s->p++;
  if (*s->p != quote) return expected(s, "the end of a string");
  *out = arena_strndup(s->r->mem, start, (size_t)(s->p++ - start));
  return true;
}

/* , positive=True, integer=True) */
static bool keywords(parser *s) {
  while (take(s, ',')) {
    if (!*word(s) || !take(s, '=')) return expected(s, "NAME=VALUE");
    word(s);
  }
  return take(s, ')') || expected(s, "',' or ')'");
}

static bool symbol(parser *s, pt2_sym *out) {
  const char *name = "";
  SCANC_TRY(quoted(s, &name));
  if (!sym_is_symbol(name))
    return pt2_fail(s->r, SCANC_ERR_BAD_JSON,
                    "%.100s: symbolic expression: expected a symbol, got '%.60s'", s->what, name);
  *out = sym_is_float(name, strlen(name)) ? of_text(FX_SYM_FLOAT, name)
                                          : of_int(dim_symbol(s->r->m->syms, name));
  return keywords(s);
}

static bool integer(parser *s, int64_t *out) {
  bool negative = take(s, '-');
  *out = 0;
  if (!isdigit((unsigned char)*s->p)) return expected(s, "an integer");
  for (; isdigit((unsigned char)*s->p); s->p++)
    if (__builtin_mul_overflow(*out, (int64_t)10, out) ||
        (negative ? __builtin_sub_overflow(*out, (int64_t)(*s->p - '0'), out)
                  : __builtin_add_overflow(*out, (int64_t)(*s->p - '0'), out)))
      return too_large(s);
  return true;
}

static bool rational(parser *s, pt2_sym *out) {
  int64_t p, q;
  SCANC_TRY(integer(s, &p));
  if (!take(s, ',')) return expected(s, "','");
  SCANC_TRY(integer(s, &q));
  if (!take(s, ')')) return expected(s, "')'");
  *out = of_text(FX_SYM_FLOAT, arena_printf(s->r->mem, "%lld/%lld", (long long)p, (long long)q));
  return true;
}

/* -1.5e-07: what is printed can be read. */
static bool is_number(const char *p) {
  static const char digits[] = "0123456789";
  p += *p == '-';
  if (!strspn(p, digits)) return false;
  p += strspn(p, digits);
  if (*p == '.') p += 1 + strspn(p + 1, digits);
  if (*p != 'e') return !*p;
  p++;
  p += *p == '+' || *p == '-';
  return strspn(p, digits) && !p[strspn(p, digits)];
}

static bool real(parser *s, pt2_sym *out) {
  const char *digits = "";
  SCANC_TRY(quoted(s, &digits));
  if (!is_number(digits))
    return pt2_fail(s->r, SCANC_ERR_BAD_JSON,
                    "%.100s: symbolic expression: expected a number, got '%.60s'", s->what, digits);
  *out = of_text(FX_SYM_FLOAT, digits);
  return keywords(s);
}

/* ---- functions ---- */

/* Branches stand in Piecewise, and nothing else does. */
static bool check_pairs(parser *s, const char *name, const sym_list *a) {
  bool wanted = !strcmp(name, "Piecewise");
  for (int i = 0; i < a->len; i++)
    if (a->data[i].pair != wanted)
      return pt2_fail(s->r, SCANC_ERR_BAD_JSON, "%.100s: symbolic expression: expected %s of %s",
                      s->what, wanted ? "branches" : "operands", name);
  return true;
}

/* In print the integers in front of a sum are added up before the rest: they must fit, too. */
static void add_up(parser *s, const sym_function *f, const fx_sym_kind *kinds, const dim *dims,
                   int n) {
  int k = 0;
  while (k < n && kinds[k] == FX_SYM_INT) k++;
  if (f->infix && f->gives == 'n' && k > 1) dim_func(s->r->m->syms, f->name, dims, k);
}

/* An integer that is no dim is a symbol, with its text for a name. */
static bool function(parser *s, const char *name, const sym_list *a, pt2_sym *out) {
  const sym_function *f = sym_function_named(name, strlen(name));
  fx_sym_kind *kinds = ARENA_ARRAY(s->r->tmp, fx_sym_kind, a->len);
  dim *dims = ARENA_ARRAY(s->r->tmp, dim, a->len);
  if (!f)
    return pt2_fail(s->r, SCANC_ERR_UNSUPPORTED,
                    "%.100s: unsupported: %.60s in a symbolic expression", s->what, name);
  for (int i = 0; i < a->len; i++) {
    kinds[i] = (fx_sym_kind)a->data[i].kind;
    dims[i] = a->data[i].d;
  }
  const char *wanted = sym_function_expects(s->r->tmp, f, kinds, a->len);
  if (wanted)
    return pt2_fail(s->r, SCANC_ERR_BAD_JSON,
                    "%.100s: symbolic expression: expected %s, got %d operands", s->what, wanted,
                    a->len);
  SCANC_TRY(check_pairs(s, f->name, a));
  fx_sym_kind kind = sym_function_kind(f, kinds, dims, a->len);
  if (kind != FX_SYM_INT) add_up(s, f, kinds, dims, a->len);
  *out = kind == FX_SYM_INT ? of_int(dim_func(s->r->m->syms, f->name, dims, a->len))
                            : joined(s, kind, f, a->data, a->len);
  out->pair = !*f->printed;
  if (kind == FX_SYM_WHOLE && !out->pair) *out = of_int(dim_symbol(s->r->m->syms, out->text));
  return true;
}

static bool arguments(parser *s, sym_list *a) {
  while (!take(s, ')')) {
    pt2_sym x;
    if (a->len && !take(s, ',')) return expected(s, "',' or ')'");
    if (a->len == SYM_MAX_ARGS)
      return pt2_fail(s->r, SCANC_ERR_UNSUPPORTED,
                      "%.100s: unsupported: more than %d operands in a symbolic expression",
                      s->what, SYM_MAX_ARGS);
    SCANC_TRY(expression(s, &x));
    vec_push(s->r->tmp, a, x);
  }
  return true;
}

/* A word without arguments. */
static bool constant(parser *s, const char *name, pt2_sym *out) {
  if (!strcmp(name, "true") || !strcmp(name, "false"))
    *out = of_text(FX_SYM_BOOL, *name == 't' ? "True" : "False");
  else if (!strcmp(name, "oo") || !strcmp(name, "int_oo")) *out = of_int(dim_int(INT64_MAX));
  else return expected(s, "'(' behind the name of a function");
  return true;
}

static bool call(parser *s, const char *name, pt2_sym *out) {
  sym_list a = {0};
  int64_t k;
  if (!strcmp(name, "Symbol")) return symbol(s, out);
  if (!strcmp(name, "Rational")) return rational(s, out);
  if (!strcmp(name, "Float")) return real(s, out);
  if (!strcmp(name, "Integer")) {
    SCANC_TRY(integer(s, &k));
    *out = of_int(dim_int(k));
    return take(s, ')') || expected(s, "')'");
  }
  SCANC_TRY(arguments(s, &a));
  return function(s, name, &a, out);
}

static bool expression(parser *s, pt2_sym *out) {
  if (s->depth++ >= MAX_DEPTH)
    return pt2_fail(s->r, SCANC_ERR_TOO_DEEP, "%.100s: a symbolic expression nested deeper than %d",
                    s->what, MAX_DEPTH);
  const char *name = word(s);
  if (!isalpha((unsigned char)*name) && *name != '_')
    return expected(s, "a function such as Symbol('s0')");
  SCANC_TRY(take(s, '(') ? call(s, name, out) : constant(s, name, out));
  s->depth--;
  return true;
}

bool pt2_symbolic(pt2 *r, const char *srepr, const char *what, pt2_sym *out) {
  parser s = {.r = r, .what = what, .p = srepr};
  symtab_overflowed(r->m->syms);
  SCANC_TRY(expression(&s, out));
  skip_blanks(&s);
  if (*s.p) return expected(&s, "the end");
  if (out->pair)
    return pt2_fail(r, SCANC_ERR_BAD_JSON, "%.100s: symbolic expression: expected no branch", what);
  if (symtab_overflowed(r->m->syms)) return too_large(&s);
  if (out->kind == FX_SYM_INT) out->text = text_of(&s, out);
  return true;
}

bool pt2_is_srepr(module *m, arena *tmp, const char *text) {
  scanc_error err = m->err;
  pt2 r = {.m = m, .mem = tmp, .tmp = tmp};
  pt2_sym unused;
  m->err = (scanc_error){0};
  bool ok = pt2_symbolic(&r, text, "", &unused);
  m->err = err;
  return ok;
}
