/* Symbolic expressions in annotations and ranges, as sympy prints them: precedence climbing over
 * the characters, integers through sym.h. Conditions and floats have no value here: their kind is
 * needed, and what sympy's srepr would write for them, which archives want. */
#include <ctype.h>
#include <string.h>

#include "frontend/fx_reader.h"

enum { SYM_MAX_DEPTH = 200, SYM_MAX_CODE = 10000 /* bytes; of longer ones there is no code */ };
typedef VEC(fx_sym) sym_args;

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

static const char *code_of(sym_reader *s, fx_sym x) {
  if (x.kind != FX_SYM_INT || x.code) return x.code;
  str t = {0};
  dim_print_srepr(&t, x.d);
  const char *code = arena_strdup(s->r->mem, str_cstr(&t));
  str_free(&t);
  return code;
}

/* name(a, b) as srepr writes it; NULL where an operand is opaque. */
static const char *joined(sym_reader *s, const char *name, fx_sym a, fx_sym b) {
  const char *x = code_of(s, a), *y = code_of(s, b);
  if (!x || !y || strlen(x) + strlen(y) > SYM_MAX_CODE) return NULL;
  return arena_printf(s->r->mem, "%s(%s, %s)", name, x, y);
}

static const char *wrapped(sym_reader *s, const char *before, fx_sym a, const char *after) {
  const char *x = code_of(s, a);
  return x && strlen(x) <= SYM_MAX_CODE ? arena_printf(s->r->mem, "%s%s%s", before, x, after)
                                        : NULL;
}

typedef dim arithmetic(symtab *, dim, dim);

/* name is what srepr calls fn. */
static fx_sym combined(sym_reader *s, const char *name, arithmetic *fn, fx_sym a, fx_sym b) {
  fx_sym_kind kinds[2] = {a.kind, b.kind};
  dim dims[2] = {a.d, b.d};
  fx_sym_kind kind = sym_function_kind(sym_function_named(name, strlen(name)), kinds, dims, 2);
  fx_sym out = sym_of(kind, kind != FX_SYM_INT || a.code || b.code ? joined(s, name, a, b) : NULL);
  if (kind == FX_SYM_INT) out.d = fn(s->r->m->syms, a.d, b.d);
  return out;
}

static fx_sym negated(sym_reader *s, fx_sym a) {
  return combined(s, "Mul", dim_mul, sym_int(dim_int(-1)), a);
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

/* f(a, b) as srepr writes it; NULL where an operand is opaque. */
static const char *call_code(sym_reader *s, const sym_function *f, const fx_sym *a, int n) {
  str t = {0};
  bool whole = true;
  str_printf(&t, "%s(", f->name);
  for (int i = 0; i < n; i++) {
    const char *code = code_of(s, a[i]);
    whole = whole && code && t.len <= SYM_MAX_CODE;
    str_printf(&t, i ? ", %s" : "%s", code ? code : "");
  }
  str_char(&t, ')');
  const char *code = whole ? arena_strdup(s->r->mem, str_cstr(&t)) : NULL;
  str_free(&t);
  return code;
}

/* f is NULL for a function that sympy has not: kept where its operands are integers. */
static bool sym_apply(sym_reader *s, const sym_function *f, const char *name, const sym_args *a,
                      fx_sym *out) {
  fx_sym_kind *kinds = ARENA_ARRAY(s->r->tmp, fx_sym_kind, a->len);
  dim *dims = ARENA_ARRAY(s->r->tmp, dim, a->len);
  bool ints = a->len > 0, coded = false;
  for (int i = 0; i < a->len; i++) {
    kinds[i] = a->data[i].kind;
    dims[i] = a->data[i].d;
    ints = ints && kinds[i] == FX_SYM_INT;
    coded = coded || a->data[i].code;
  }
  const char *expected = f ? sym_function_expects(s->r->tmp, f, kinds, a->len) : NULL;
  if (expected)
    return fx_fail(s->r, s->at, SCANC_ERR_SYNTAX, "symbolic expression: expected %s", expected);
  fx_sym_kind kind = f      ? sym_function_kind(f, kinds, dims, a->len)
                     : ints ? FX_SYM_INT
                            : FX_SYM_OPAQUE;
  bool plain = kind == FX_SYM_INT && !coded;
  *out = sym_of(kind, f && !plain ? call_code(s, f, a->data, a->len) : NULL);
  if (kind == FX_SYM_INT) out->d = dim_func(s->r->m->syms, f ? f->name : name, dims, a->len);
  return true;
}

static bool sym_operands(sym_reader *s, sym_args *args) {
  while (!take(s, ")")) {
    fx_sym a = opaque();
    if (args->len) {
      if (!take(s, ",")) return sym_fail(s, "',' or ')'");
      if (take(s, ")")) break;
    }
    SCANC_TRY(sym_or(s, &a));
    if (args->len == SYM_MAX_ARGS)
      return fx_fail(s->r, s->at, SCANC_ERR_UNSUPPORTED,
                     "more than %d operands in a symbolic expression", SYM_MAX_ARGS);
    vec_push(s->r->tmp, args, a);
  }
  return true;
}

const char *fx_sym_text(reader *r, const char *start, const char *end) {
  str t = {0};
  while (end > start && isspace((unsigned char)end[-1])) end--;
  for (const char *p = start; p < end; p++) {
    bool blank = isspace((unsigned char)*p) != 0;
    if (!blank) str_char(&t, *p);
    else if (t.len && t.data[t.len - 1] != ' ') str_char(&t, ' ');
  }
  const char *text = arena_strdup(r->mem, str_cstr(&t));
  str_free(&t);
  return text;
}

/* An integer that is no dim is a symbol, with its text for a name. */
static bool sym_call(sym_reader *s, const char *start, size_t len, fx_sym *out) {
  sym_args args = {0};
  const sym_function *f = len ? sym_function_printed(start, len) : NULL;
  bool piecewise = sym_name_is(start, len, "Piecewise");
  s->piecewise += piecewise;
  SCANC_TRY(sym_operands(s, &args));
  s->piecewise -= piecewise;
  SCANC_TRY(sym_apply(s, f, arena_strndup(s->r->mem, start, len), &args, out));
  if (out->kind != FX_SYM_WHOLE) return true;
  out->kind = FX_SYM_INT;
  out->d = dim_symbol(s->r->m->syms, fx_sym_text(s->r, start, s->p));
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
  else if (sym_is_float(start, n))
    *out =
        sym_of(FX_SYM_FLOAT, arena_printf(s->r->mem, "Symbol('%.*s', real=True)", (int)n, start));
  else *out = sym_int(dim_symbol(s->r->m->syms, arena_strndup(s->r->mem, start, n)));
  return true;
}

/* A parenthesis, or a pair (value, condition) inside Piecewise. */
static bool sym_paren(sym_reader *s, fx_sym *out) {
  SCANC_TRY(sym_or(s, out));
  if (s->piecewise && take(s, ",")) {
    fx_sym more = opaque();
    sym_args pair = {0};
    SCANC_TRY(sym_or(s, &more));
    vec_push(s->r->tmp, &pair, *out);
    vec_push(s->r->tmp, &pair, more);
    SCANC_TRY(sym_apply(s, sym_function_printed("", 0), "", &pair, out));
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
    *out = combined(s, "Pow", dim_pow, *out, e);
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
    arithmetic *fn;
  } ops[] = {{"*", "Mul", dim_mul}, {"//", "FloorDiv", dim_floordiv}, {"%", "Mod", dim_mod}};
  SCANC_TRY(sym_factor(s, out));
  for (;;) {
    fx_sym b = opaque();
    int k = 0;
    while (k < 3 && !take(s, ops[k].op)) k++;
    if (k == 3 && !take(s, "/")) return true;
    SCANC_TRY(sym_factor(s, &b));
    *out = k == 3 ? quotient(s, *out, b) : combined(s, ops[k].name, ops[k].fn, *out, b);
  }
}

static bool sym_sum(sym_reader *s, fx_sym *out) {
  SCANC_TRY(sym_product(s, out));
  for (;;) {
    fx_sym b = opaque();
    bool minus = !take(s, "+");
    if (minus && !take(s, "-")) return true;
    SCANC_TRY(sym_product(s, &b));
    bool plain = minus && out->kind == FX_SYM_INT && b.kind == FX_SYM_INT && !out->code && !b.code;
    *out = plain ? sym_int(dim_sub(s->r->m->syms, out->d, b.d))
                 : combined(s, "Add", dim_add, *out, minus ? negated(s, b) : b);
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
