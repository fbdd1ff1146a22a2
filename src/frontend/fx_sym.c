/* Symbolic expressions in annotations and ranges, as sympy prints them: precedence climbing over
 * the characters, integers through sym.h. Conditions and floats have no value here: their kind is
 * needed, and what sympy's srepr would write for them, which archives want. */
#include <ctype.h>
#include <string.h>

#include "frontend/fx_reader.h"

enum { SYM_MAX_DEPTH = 100, SYM_MAX_ARGS = 16 };

typedef struct {
  reader *r;
  const char *p, *end;
  const token *at;
  int depth;
  int piecewise; /* calls of Piecewise that are open: their arguments are pairs */
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

static fx_sym sym_int(dim d) { return (fx_sym){FX_SYM_INT, d, NULL}; }
static fx_sym sym_of(fx_sym_kind kind, const char *code) {
  return (fx_sym){kind, dim_int(0), code};
}
static fx_sym opaque(void) { return sym_of(FX_SYM_OPAQUE, NULL); }
static bool both_int(fx_sym a, fx_sym b) { return a.kind == FX_SYM_INT && b.kind == FX_SYM_INT; }

static const char *code_of(sym_reader *s, fx_sym x) {
  if (x.kind != FX_SYM_INT) return x.code;
  str t = {0};
  dim_print_srepr(&t, x.d);
  const char *code = arena_strdup(s->r->mem, str_cstr(&t));
  str_free(&t);
  return code;
}

/* name(a, b) as srepr writes it; NULL where an operand is opaque. */
static const char *joined(sym_reader *s, const char *name, fx_sym a, fx_sym b) {
  const char *x = code_of(s, a), *y = code_of(s, b);
  return x && y ? arena_printf(s->r->mem, "%s(%s, %s)", name, x, y) : NULL;
}

static const char *wrapped(sym_reader *s, const char *before, fx_sym a, const char *after) {
  const char *x = code_of(s, a);
  return x ? arena_printf(s->r->mem, "%s%s%s", before, x, after) : NULL;
}

/* Arithmetic on values that are not both integers. */
static fx_sym mixed(sym_reader *s, const char *name, fx_sym a, fx_sym b) {
  bool unknown = a.kind == FX_SYM_OPAQUE || b.kind == FX_SYM_OPAQUE;
  return sym_of(unknown ? FX_SYM_OPAQUE : FX_SYM_FLOAT, joined(s, name, a, b));
}

static fx_sym negated(sym_reader *s, fx_sym a) {
  if (a.kind == FX_SYM_INT) return sym_int(dim_neg(s->r->m->syms, a.d));
  return sym_of(a.kind, wrapped(s, "Mul(Integer(-1), ", a, ")"));
}

static bool sym_number(sym_reader *s, fx_sym *out) {
  const char *start = s->p, *p = s->p;
  while (p < s->end && isdigit((unsigned char)*p)) p++;
  bool whole = p == s->end || (*p != '.' && *p != 'e');
  while (p < s->end &&
         (isalnum((unsigned char)*p) || *p == '.' || ((*p == '+' || *p == '-') && p[-1] == 'e')))
    p++;
  s->p = p;
  *out = sym_of(FX_SYM_FLOAT,
                arena_printf(s->r->mem, "Float('%.*s', precision=53)", (int)(p - start), start));
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

/* What srepr calls the relations that sympy prints as functions. */
static const char *srepr_name(sym_reader *s, const char *name, size_t len) {
  static const char *const known[][2] = {{"Eq", "Equality"},          {"Ne", "Unequality"},
                                         {"Lt", "StrictLessThan"},    {"Le", "LessThan"},
                                         {"Gt", "StrictGreaterThan"}, {"Ge", "GreaterThan"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (sym_name_is(name, len, known[i][0])) return known[i][1];
  return arena_strndup(s->r->mem, name, len);
}

static const char *call_code(sym_reader *s, const char *name, size_t len, const fx_sym *a, int n) {
  str t = {0};
  bool whole = true;
  str_printf(&t, "%s(", srepr_name(s, name, len));
  for (int i = 0; i < n; i++) {
    const char *code = code_of(s, a[i]);
    whole = whole && code;
    str_printf(&t, i ? ", %s" : "%s", code ? code : "");
  }
  str_char(&t, ')');
  const char *code = whole ? arena_strdup(s->r->mem, str_cstr(&t)) : NULL;
  str_free(&t);
  return code;
}

static bool sym_call(sym_reader *s, const char *name, size_t len, fx_sym *out) {
  fx_sym args[SYM_MAX_ARGS];
  dim dims[SYM_MAX_ARGS];
  int n = 0;
  bool ints = true, piecewise = sym_name_is(name, len, "Piecewise");
  s->piecewise += piecewise;
  while (!take(s, ")")) {
    fx_sym a = opaque();
    if (n) {
      if (!take(s, ",")) return sym_fail(s, "',' or ')'");
      if (take(s, ")")) break;
    }
    SCANC_TRY(sym_or(s, &a));
    if (n == SYM_MAX_ARGS)
      return fx_fail(s->r, s->at, SCANC_ERR_UNSUPPORTED,
                     "more than %d arguments in a symbolic expression", SYM_MAX_ARGS);
    ints = ints && a.kind == FX_SYM_INT;
    dims[n] = a.d;
    args[n++] = a;
  }
  s->piecewise -= piecewise;
  fx_sym_kind kind = sym_function_kind(name, len);
  if (kind == FX_SYM_INT && ints && n)
    *out = sym_int(sym_function(s->r->m->syms, s->r->mem, name, len, dims, n));
  else *out = sym_of(kind == FX_SYM_INT ? FX_SYM_OPAQUE : kind, call_code(s, name, len, args, n));
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
  if (sym_name_is(start, n, "True")) *out = sym_of(FX_SYM_BOOL, "true");
  else if (sym_name_is(start, n, "False")) *out = sym_of(FX_SYM_BOOL, "false");
  else if (sym_name_is(start, n, "int_oo") || sym_name_is(start, n, "oo"))
    *out = sym_int(dim_int(INT64_MAX));
  else if (n > 1 && *start == 'z')
    *out =
        sym_of(FX_SYM_FLOAT, arena_printf(s->r->mem, "Symbol('%.*s', real=True)", (int)n, start));
  else *out = sym_int(dim_symbol(s->r->m->syms, arena_strndup(s->r->mem, start, n)));
  return true;
}

/* A parenthesis, or a pair (value, condition) inside Piecewise. */
static bool sym_paren(sym_reader *s, fx_sym *out) {
  SCANC_TRY(sym_or(s, out));
  while (s->piecewise && take(s, ",")) {
    fx_sym more = opaque();
    if (take(s, ")")) return true;
    SCANC_TRY(sym_or(s, &more));
    *out = sym_of(FX_SYM_OPAQUE, joined(s, "ExprCondPair", *out, more));
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

/* The least integer, whose digits alone do not fit. */
static bool take_least(sym_reader *s) {
  const char *p = s->p;
  if (take(s, "9223372036854775808") &&
      (s->p == s->end || (!isalnum((unsigned char)*s->p) && *s->p != '.' && *s->p != '*')))
    return true;
  s->p = p;
  return false;
}

static bool sym_factor(sym_reader *s, fx_sym *out) {
  bool negative = false;
  while (take(s, "-")) negative = !negative;
  if (negative && take_least(s)) {
    *out = sym_int(dim_int(INT64_MIN));
    return true;
  }
  SCANC_TRY(sym_primary(s, out));
  if (take(s, "**")) {
    fx_sym e = opaque();
    if (s->depth++ > SYM_MAX_DEPTH)
      return fx_fail(s->r, s->at, SCANC_ERR_TOO_DEEP, "a symbolic expression nested deeper than %d",
                     SYM_MAX_DEPTH);
    SCANC_TRY(sym_factor(s, &e));
    s->depth--;
    *out =
        both_int(*out, e) ? sym_int(dim_pow(s->r->m->syms, out->d, e.d)) : mixed(s, "Pow", *out, e);
  }
  if (negative) *out = negated(s, *out);
  return true;
}

static fx_sym quotient(sym_reader *s, fx_sym a, fx_sym b) {
  fx_sym inverse = sym_of(FX_SYM_FLOAT, wrapped(s, "Pow(", b, ", Integer(-1))"));
  return sym_of(FX_SYM_FLOAT, joined(s, "Mul", a, inverse));
}

static bool sym_product(sym_reader *s, fx_sym *out) {
  static const struct {
    const char *op, *name;
    dim (*fn)(symtab *, dim, dim);
  } ops[] = {{"*", "Mul", dim_mul}, {"//", "FloorDiv", dim_floordiv}, {"%", "Mod", dim_mod}};
  SCANC_TRY(sym_factor(s, out));
  for (;;) {
    fx_sym b = opaque();
    int k = 0;
    while (k < 3 && !take(s, ops[k].op)) k++;
    if (k == 3 && !take(s, "/")) return true;
    SCANC_TRY(sym_factor(s, &b));
    *out = k == 3              ? quotient(s, *out, b)
           : both_int(*out, b) ? sym_int(ops[k].fn(s->r->m->syms, out->d, b.d))
                               : mixed(s, ops[k].name, *out, b);
  }
}

static bool sym_sum(sym_reader *s, fx_sym *out) {
  symtab *t = s->r->m->syms;
  SCANC_TRY(sym_product(s, out));
  for (;;) {
    fx_sym b = opaque();
    bool minus = !take(s, "+");
    if (minus && !take(s, "-")) return true;
    SCANC_TRY(sym_product(s, &b));
    if (both_int(*out, b)) *out = sym_int((minus ? dim_sub : dim_add)(t, out->d, b.d));
    else *out = mixed(s, "Add", *out, minus ? negated(s, b) : b);
  }
}

static bool sym_relation(sym_reader *s, fx_sym *out) {
  static const char *const ops[][2] = {{"<=", "LessThan"},      {">=", "GreaterThan"},
                                       {"==", "Equality"},      {"!=", "Unequality"},
                                       {"<", "StrictLessThan"}, {">", "StrictGreaterThan"}};
  bool no = false;
  for (; take(s, "~"); no = !no) {
  }
  SCANC_TRY(sym_sum(s, out));
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
    fx_sym b = opaque();
    if (!take(s, ops[i][0])) continue;
    SCANC_TRY(sym_sum(s, &b));
    *out = sym_of(FX_SYM_BOOL, joined(s, ops[i][1], *out, b));
    break;
  }
  if (no) *out = sym_of(FX_SYM_BOOL, wrapped(s, "Not(", *out, ")"));
  return true;
}

static bool sym_and(sym_reader *s, fx_sym *out) {
  SCANC_TRY(sym_relation(s, out));
  while (take(s, "&")) {
    fx_sym b = opaque();
    SCANC_TRY(sym_relation(s, &b));
    *out = sym_of(FX_SYM_BOOL, joined(s, "And", *out, b));
  }
  return true;
}

static bool sym_or(sym_reader *s, fx_sym *out) {
  if (s->depth++ > SYM_MAX_DEPTH)
    return fx_fail(s->r, s->at, SCANC_ERR_TOO_DEEP, "a symbolic expression nested deeper than %d",
                   SYM_MAX_DEPTH);
  SCANC_TRY(sym_and(s, out));
  while (take(s, "|")) {
    fx_sym b = opaque();
    SCANC_TRY(sym_and(s, &b));
    *out = sym_of(FX_SYM_BOOL, joined(s, "Or", *out, b));
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

bool fx_sym_parse(module *m, arena *mem, const char *text, fx_sym *out) {
  const char *p = text, *end = text + strlen(text);
  scanc_error err = m->err;
  reader r = {.m = m, .mem = mem, .tmp = mem};
  token at = {0};
  bool ok = fx_symbolic(&r, &p, end, &at, out) && p == end;
  m->err = err;
  return ok;
}
