/* Values (literals, names and nests of them) and right sides of assignments. The lexer bounds the
 * nesting of brackets, and only brackets make these functions recurse. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "frontend/fx_reader.h"

static bool at_op(const fx_body *b, unsigned op) { return tok_op(b->t, op); }

static bool take(fx_body *b, unsigned op) {
  if (!at_op(b, op)) return false;
  b->t++;
  return true;
}

static bool expected(fx_body *b, const char *what) {
  return fx_fail(b->r, b->t, SCANC_ERR_SYNTAX, "expected %s, got %s", what, fx_show(b->r, b->t));
}

/* ---- names ---- */

/* A name that is not bound: is it defined further down? */
static bool undefined(fx_body *b, const token *name) {
  const token *later = map_get_n(&b->defined, name->s, (size_t)name->len);
  int len = name->len > 100 ? 100 : name->len;
  if (later)
    return fx_fail(b->r, name, SCANC_ERR_USE_BEFORE_DEFINITION,
                   "'%.*s' is used before line %d defines it", len, name->s, later->line);
  return fx_fail(b->r, name, SCANC_ERR_UNDEFINED_NAME, "'%.*s' is not defined", len, name->s);
}

bool fx_lookup(fx_body *b, const token *name, fx_binding **out) {
  fx_binding *f = map_get_n(&b->names, name->s, (size_t)name->len);
  *out = f;
  if (!f || !f->n) return undefined(b, name);
  if (f->released)
    return fx_fail(b->r, name, SCANC_ERR_USE_AFTER_RELEASE, "'%.*s' was set to None in line %d",
                   name->len > 100 ? 100 : name->len, name->s, f->released->line);
  return true;
}

static bool is_bound(const fx_body *b, const token *t) {
  if (t->kind != TOK_NAME) return false;
  const fx_binding *f = map_get_n(&b->names, t->s, (size_t)t->len);
  return f && f->n;
}

/* ---- literals ---- */

static bool string_value(fx_body *b, val *out) {
  const token *t = b->t++;
  int n;
  const char *s = lex_unescape(b->r->mem, t, &n);
  if (!s) return fx_fail(b->r, t, SCANC_ERR_SYNTAX, "a string with an escape that does not exist");
  *out = (val){.kind = t->kind == TOK_STR ? VAL_STR : VAL_BYTES, .n = n, .s = s};
  return true;
}

static val big_integer(fx_body *b, const token *t, bool negative) {
  const char *s = arena_printf(b->r->mem, "%s%.*s", negative ? "-" : "", t->len, t->s);
  return (val){.kind = VAL_BIGINT, .n = (int)strlen(s), .s = s};
}

static bool number_value(fx_body *b, bool negative, val *out) {
  const token *t = b->t++;
  double sign = negative ? -1.0 : 1.0;
  int64_t i;
  if (t->kind == TOK_FLOAT) *out = val_float(sign * lex_float(t->s, t->len));
  else if (t->kind == TOK_IMAG)
    *out = val_complex(negative ? -0.0 : 0.0, sign * lex_float(t->s, t->len));
  else if (lex_int(t->s, t->len, &i)) *out = val_int(negative ? -i : i);
  else if (negative && t->len == 19 && !memcmp(t->s, "9223372036854775808", 19))
    *out = val_int(INT64_MIN);
  else *out = big_integer(b, t, negative);
  return true;
}

/* A number as a word: inf, nan and, inside complex literals, infj and nanj. */
static bool word_number(const token *t, double *out, bool *imaginary) {
  *imaginary = tok_is(t, "infj") || tok_is(t, "nanj");
  *out = tok_is(t, "inf") || tok_is(t, "infj") ? INFINITY : NAN;
  return *imaginary || tok_is(t, "inf") || tok_is(t, "nan");
}

static bool is_number(const token *t) {
  double v;
  bool imaginary;
  return t->kind == TOK_INT || t->kind == TOK_FLOAT || t->kind == TOK_IMAG ||
         word_number(t, &v, &imaginary);
}

static bool signed_number(fx_body *b, val *out) {
  bool negative = false, imaginary;
  double v;
  if (at_op(b, '-') || at_op(b, '+')) negative = (b->t++)->op == '-';
  if (word_number(b->t, &v, &imaginary) && !is_bound(b, b->t)) {
    b->t++;
    if (negative) v = -v;
    *out = imaginary ? val_complex(0, v) : val_float(v);
    return true;
  }
  if (!is_number(b->t)) return expected(b, "a number");
  return number_value(b, negative, out);
}

/* The rest of (1+2j), the real part read. */
static bool complex_value(fx_body *b, val re, val *out) {
  val im;
  SCANC_TRY(signed_number(b, &im));
  if (im.kind != VAL_COMPLEX || (re.kind != VAL_INT && re.kind != VAL_FLOAT))
    return expected(b, "an imaginary part such as 2j");
  *out = val_complex(re.kind == VAL_INT ? (double)re.i : re.f, im.im);
  if (!take(b, ')')) return expected(b, "')'");
  return true;
}

/* ---- containers ---- */

typedef VEC(val) val_list;

static bool items_until(fx_body *b, unsigned closing, val_list *items) {
  while (!take(b, closing)) {
    val v;
    if (items->len && !take(b, ','))
      return expected(b, closing == ')' ? "',' or ')'" : "',' or ']'");
    if (take(b, closing)) break;
    SCANC_TRY(fx_value(b, &v));
    vec_push(b->r->mem, items, v);
  }
  return true;
}

static bool list_value(fx_body *b, val *out) {
  val_list items = {0};
  b->t++;
  SCANC_TRY(items_until(b, ']', &items));
  *out = (val){.kind = VAL_LIST, .n = items.len, .items = items.data};
  return true;
}

/* (), (a,), (a, b), (a) or (1+2j). */
static bool paren_value(fx_body *b, val *out) {
  val_list items = {0};
  val v;
  b->t++;
  if (take(b, ')')) {
    *out = (val){.kind = VAL_TUPLE};
    return true;
  }
  bool negative = at_op(b, '-');
  SCANC_TRY(fx_value(b, &v));
  if (negative && v.kind == VAL_INT && v.i == 0) v = val_float(-0.0); /* the real part of (-0-1j) */
  if (at_op(b, '+') || at_op(b, '-')) return complex_value(b, v, out);
  if (take(b, ')')) {
    *out = v;
    return true;
  }
  if (!at_op(b, ',')) return expected(b, "',' or ')'");
  vec_push(b->r->mem, &items, v);
  SCANC_TRY(items_until(b, ')', &items));
  *out = (val){.kind = VAL_TUPLE, .n = items.len, .items = items.data};
  return true;
}

static bool dict_value(fx_body *b, val *out) {
  val_list items = {0};
  b->t++;
  while (!take(b, '}')) {
    val k, v;
    if (items.len && !take(b, ',')) return expected(b, "',' or '}'");
    if (take(b, '}')) break;
    SCANC_TRY(fx_value(b, &k));
    if (!take(b, ':')) return expected(b, "':' behind a key");
    SCANC_TRY(fx_value(b, &v));
    vec_push(b->r->mem, &items, k);
    vec_push(b->r->mem, &items, v);
  }
  *out = (val){.kind = VAL_DICT, .n = items.len, .items = items.data};
  return true;
}

/* slice(a), slice(a, b), slice(a, b, c) and the same of range. */
static bool slice_value(fx_body *b, val_kind kind, val *out) {
  val_list items = {0};
  const token *at = b->t;
  b->t += 2;
  SCANC_TRY(items_until(b, ')', &items));
  if (items.len < 1 || items.len > 3)
    return fx_fail(b->r, at, SCANC_ERR_OP_ARITY, "%.*s takes 1 to 3 arguments, got %d", at->len,
                   at->s, items.len);
  *out = (val){.kind = kind, .n = items.len, .items = items.data};
  if (kind == VAL_RANGE) return true;
  val full[3] = {val_none(), val_none(), val_none()};
  if (items.len == 1) full[1] = items.data[0];
  else memcpy(full, items.data, sizeof(val) * (size_t)items.len);
  *out = val_seq(b->r->mem, VAL_SLICE, full, 3);
  return true;
}

/* complex(0.0, 1.0) */
static bool complex_call(fx_body *b, val *out) {
  val part[2] = {val_float(0), val_float(0)};
  b->t += 2;
  for (int i = 0; i < 2; i++) {
    if (i && !take(b, ',')) break;
    SCANC_TRY(signed_number(b, &part[i]));
    if (part[i].kind == VAL_INT) part[i] = val_float((double)part[i].i);
    if (part[i].kind != VAL_FLOAT) return expected(b, "a real number");
  }
  *out = val_complex(part[0].f, part[1].f);
  return take(b, ')') || expected(b, "')'");
}

/* ---- atoms: literals that scanc keeps as text ---- */

static const token *skip_dotted(const token *t) {
  while (tok_op(t + 1, '.') && t[2].kind == TOK_NAME) t += 2;
  return t + 1;
}

static bool atom_until(fx_body *b, const token *end, val *out) {
  *out = val_atom(b->r->mem, fx_span(b->r, b->t, end));
  b->t = end;
  return true;
}

/* Names behind "torch." that mean an element type which scanc has not. */
static bool is_foreign_dtype(const char *s) {
  static const char *const starts[] = {"float8_",   "float4_", "uint1", "uint3", "uint6",
                                       "complex32", "chalf",   "bits",  "quint", "qint"};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (!strncmp(s, starts[i], strlen(starts[i]))) return true;
  return false;
}

static bool looks_like_dtype(const char *s) {
  static const char *const starts[] = {"float",  "int",  "uint", "complex",
                                       "bfloat", "bool", "half", "double"};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (!strncmp(s, starts[i], strlen(starts[i]))) return true;
  return false;
}

/* torch.float32, torch.Size([...]), torch.device(...), torch.ops.aten.add.Tensor, torch.strided */
static bool torch_value(fx_body *b, val *out) {
  const token *at = b->t, *end = skip_dotted(at);
  char *path = fx_span(b->r, at, end);
  scanc_dtype d;
  if (tok_op(end, '(')) {
    if (!strcmp(path, "torch.Size")) {
      val v;
      b->t = end;
      SCANC_TRY(paren_value(b, &v));
      *out = val_is_seq(v) ? (val){.kind = VAL_SIZE, .n = v.n, .items = v.items} : v;
      return true;
    }
    if (!strcmp(path, "torch.device") || !strcmp(path, "torch.Tensor"))
      return atom_until(b, fx_skip_brackets(end), out);
    return fx_fail(b->r, at, SCANC_ERR_SYNTAX,
                   "a call as an argument: expected the name of a value, got %.100s(...)", path);
  }
  if (dtype_from_torch(path, strlen(path), &d)) {
    *out = val_dtype(d);
    b->t = end;
    return true;
  }
  if (!strchr(path + 6, '.') && looks_like_dtype(path + 6) && !is_foreign_dtype(path + 6))
    return fx_fail(b->r, at, SCANC_ERR_BAD_DTYPE, "unknown element type %.100s", path);
  return atom_until(b, end, out);
}

/* <built-in method ...>, <class 'int'>: the repr of an object. */
static bool object_value(fx_body *b, val *out) {
  const token *t = b->t;
  int depth = 0;
  do {
    if (tok_ends_line(t)) return expected(b, "a value");
    if (tok_op(t, '<')) depth++;
    if (tok_op(t, '>')) depth--;
    t++;
  } while (depth);
  return atom_until(b, t, out);
}

static bool constant_value(fx_body *b, val *out) {
  const token *t = b->t;
  if (tok_is(t, "None")) *out = val_none();
  else if (tok_is(t, "True")) *out = val_bool(true);
  else if (tok_is(t, "False")) *out = val_bool(false);
  else if (tok_is(t, "Ellipsis")) *out = (val){.kind = VAL_ELLIPSIS};
  else return false;
  b->t++;
  return true;
}

static bool name_value(fx_body *b, val *out) {
  const token *t = b->t;
  fx_binding *f;
  if (constant_value(b, out)) return true;
  if (is_bound(b, t)) {
    SCANC_TRY(fx_lookup(b, t, &f));
    *out = val_node(f->n);
    b->t++;
    return true;
  }
  if (tok_is(t, "inf") || tok_is(t, "nan") || tok_is(t, "infj") || tok_is(t, "nanj"))
    return signed_number(b, out);
  if (tok_is(t, "torch") && tok_op(t + 1, '.')) return torch_value(b, out);
  if (tok_op(t + 1, '(')) {
    if (tok_is(t, "slice")) return slice_value(b, VAL_SLICE, out);
    if (tok_is(t, "range")) return slice_value(b, VAL_RANGE, out);
    if (tok_is(t, "complex")) return complex_call(b, out);
    if (tok_is(t, "device")) return atom_until(b, fx_skip_brackets(t + 1), out);
  }
  if (tok_is(t, "NoneType")) return atom_until(b, t + 1, out);
  if (tok_op(t + 1, '.') && isupper((unsigned char)*t->s))
    return atom_until(b, skip_dotted(t), out); /* Enum.MEMBER */
  return undefined(b, t);
}

bool fx_value(fx_body *b, val *out) {
  const token *t = b->t;
  switch (t->kind) {
    case TOK_INT:
    case TOK_FLOAT:
    case TOK_IMAG: return number_value(b, false, out);
    case TOK_STR:
    case TOK_BYTES: return string_value(b, out);
    case TOK_NAME: return name_value(b, out);
    case TOK_OP: break;
    default: return expected(b, "a value");
  }
  switch (t->op) {
    case '[': return list_value(b, out);
    case '(': return paren_value(b, out);
    case '{': return dict_value(b, out);
    case '-':
    case '+': return signed_number(b, out);
    case '<': return object_value(b, out);
    case OP3('.', '.', '.'):
      *out = (val){.kind = VAL_ELLIPSIS};
      b->t++;
      return true;
    default: return expected(b, "a value");
  }
}

/* ---- right sides ---- */

static bool call_args(fx_body *b, fx_expr *e) {
  b->t++;
  e->called = true;
  while (!take(b, ')')) {
    val v;
    if (e->args.len && !take(b, ',')) return expected(b, "',' or ')'");
    if (take(b, ')')) break;
    bool keyword = b->t->kind == TOK_NAME && tok_op(b->t + 1, '=');
    if (keyword) {
      vec_push(b->r->tmp, &e->kw, fx_text(b->r, b->t));
      b->t += 2;
    } else if (e->kw.len) {
      return expected(b, "a keyword argument: positional ones come first");
    }
    SCANC_TRY(fx_value(b, &v));
    vec_push(b->r->tmp, &e->args, v);
  }
  return true;
}

static char *join_path(fx_body *b, const char *a, const char *name, int len) {
  return arena_printf(b->r->tmp, "%s%s%.*s", a, *a ? "." : "", len, name);
}

/* getattr(x, "name"), getattr(x, 'name', default), getattr(getattr(self, "0"), "1"); `getattr` is
 * next. */
static bool getattr_expression(fx_body *b, fx_expr *e) {
  const token *at = b->t, *inner = at;
  int depth = 0;
  for (; tok_is(inner, "getattr") && tok_op(inner + 1, '('); inner += 2)
    depth++; /* brackets bound the depth */
  b->t = inner;
  *e = (fx_expr){.kind = FX_SELF, .at = at, .path = "", .index = val_absent()};
  if (tok_is(b->t, "self")) {
    for (b->t++; take(b, '.'); b->t++) {
      if (b->t->kind != TOK_NAME) return expected(b, "a name");
      e->path = join_path(b, e->path, b->t->s, b->t->len);
    }
  } else {
    e->kind = FX_ATTR;
    if (depth > 1) return expected(b, "self");
    SCANC_TRY(fx_value(b, &e->v));
  }
  for (; depth > 0; depth--) {
    val name = val_none();
    if (!take(b, ',')) return expected(b, "','");
    if (b->t->kind != TOK_STR) return expected(b, "the name of an attribute as a string");
    SCANC_TRY(string_value(b, &name));
    e->path = e->kind == FX_SELF ? join_path(b, e->path, name.s, name.n) : name.s;
    if (e->kind == FX_ATTR && take(b, ',')) SCANC_TRY(fx_value(b, &e->index));
    if (!take(b, ')')) return expected(b, "')'");
  }
  return true;
}

/* Roots of the names of functions; any other dotted name would be a method of a value. */
static bool is_module_name(const token *t) {
  static const char *const roots[] = {"torch",     "operator", "_operator", "math", "builtins",
                                      "fx_pytree", "pytree",   "numpy",     "np"};
  for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
    if (tok_is(t, roots[i])) return true;
  return false;
}

static bool is_literal_call(const token *t) {
  return tok_is(t, "slice") || tok_is(t, "range") || tok_is(t, "device") || tok_is(t, "complex");
}

/* The base of a right side: self, a function's name, a value. */
static bool base_expression(fx_body *b, fx_expr *e) {
  const token *t = b->t;
  *e = (fx_expr){.kind = FX_VALUE, .at = t, .index = val_absent()};
  if (t->kind == TOK_NAME && !is_bound(b, t)) {
    if (tok_is(t, "getattr") && tok_op(t + 1, '(')) return getattr_expression(b, e);
    bool dotted = tok_op(t + 1, '.'), call = tok_op(t + 1, '(') && !is_literal_call(t);
    if (tok_is(t, "self") || (dotted && is_module_name(t)) || call) {
      e->kind = tok_is(t, "self") ? FX_SELF : FX_PATH;
      e->path = e->kind == FX_SELF ? "" : fx_text(b->r, t);
      b->t++;
      return true;
    }
  }
  return fx_value(b, &e->v);
}

static bool one_at_a_time(fx_body *b) {
  return fx_fail(b->r, b->t, SCANC_ERR_SYNTAX,
                 "expected the end of the operation, got %s: a statement is one operation",
                 fx_show(b->r, b->t));
}

static bool postfix_name(fx_body *b, fx_expr *e) {
  if (b->t[1].kind != TOK_NAME) {
    b->t++;
    return expected(b, "a name behind '.'");
  }
  const token *name = b->t + 1;
  if (e->called || e->kind == FX_ATTR || e->kind == FX_ITEM) return one_at_a_time(b);
  if (e->kind == FX_VALUE) {
    e->kind = FX_ATTR;
    e->path = fx_text(b->r, name);
  } else {
    e->path = join_path(b, e->path, name->s, name->len);
    if (strlen(e->path) > LEX_MAX_NAME)
      return fx_fail(b->r, e->at, SCANC_ERR_NAME_TOO_LONG, "a dotted name beyond %d bytes",
                     LEX_MAX_NAME);
  }
  b->t += 2;
  return true;
}

bool fx_expression(fx_body *b, fx_expr *e) {
  SCANC_TRY(base_expression(b, e));
  for (;;) {
    if (at_op(b, '.')) {
      SCANC_TRY(postfix_name(b, e));
    } else if (at_op(b, '(')) {
      if (e->called || e->kind == FX_VALUE || e->kind == FX_ITEM) return one_at_a_time(b);
      SCANC_TRY(call_args(b, e));
    } else if (at_op(b, '[')) {
      if (e->called || e->kind != FX_VALUE) return one_at_a_time(b);
      e->kind = FX_ITEM;
      b->t++;
      SCANC_TRY(fx_value(b, &e->index));
      if (!take(b, ']')) return expected(b, "']'");
    } else {
      break;
    }
  }
  if (e->kind == FX_PATH && !e->called)
    return fx_fail(b->r, b->t, SCANC_ERR_SYNTAX, "expected '(' behind %.100s, got %s", e->path,
                   fx_show(b->r, b->t));
  if (e->kind == FX_SELF && !*e->path)
    return fx_fail(b->r, e->at, SCANC_ERR_SYNTAX, "expected an attribute behind self");
  return true;
}
