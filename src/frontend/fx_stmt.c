/* Statements of a body, in order. A statement is one operation; a line may end with what sets
 * values to None. */
#include <stdlib.h>
#include <string.h>

#include "frontend/fx_reader.h"

static bool ends_statement(const token *t) { return tok_ends_line(t) || tok_op(t, ';'); }

static bool expected(fx_body *b, const char *what) {
  return fx_fail(b->r, b->t, SCANC_ERR_SYNTAX, "expected %s, got %s", what, fx_show(b->r, b->t));
}

static const token *statement_end(const token *t) {
  int depth = 0;
  for (; !tok_ends_line(t); t++) {
    if (tok_op(t, '(') || tok_op(t, '[') || tok_op(t, '{')) depth++;
    if (tok_op(t, ')') || tok_op(t, ']') || tok_op(t, '}')) depth--;
    if (depth == 0 && tok_op(t, ';')) break;
  }
  return t;
}

/* a = b = None */
static bool is_cleanup(const token *t) {
  while (t->kind == TOK_NAME && tok_op(t + 1, '=') && !tok_is(t, "None")) t += 2;
  return tok_is(t, "None") && tok_op(t - 1, '=') && ends_statement(t + 1);
}

/* a, b, = ... */
static bool is_unpack(const token *t) {
  if (t->kind != TOK_NAME || !tok_op(t + 1, ',')) return false;
  while (t->kind == TOK_NAME && tok_op(t + 1, ',')) t += 2;
  return tok_op(t, '=') || (t->kind == TOK_NAME && tok_op(t + 1, '='));
}

/* ---- what the body will define ---- */

static void note_definition(fx_body *b, const token *t) {
  char *name = fx_text(b->r, t);
  if (!map_has(&b->defined, name)) map_set(&b->defined, name, (void *)t);
}

static bool unpacks_arguments(const fx_body *b, const token *t) {
  while (!tok_op(t, '=')) t++;
  if (tok_is(t + 1, "fx_pytree") || tok_is(t + 1, "pytree")) return true;
  const token *p = b->cls->params;
  if (tok_is(p, "self")) p += 2;
  return t[1].kind == TOK_NAME && ends_statement(t + 2) && p->kind == TOK_NAME &&
         p->len == t[1].len && !memcmp(p->s, t[1].s, (size_t)p->len);
}

static void note_statement(fx_body *b, const token *t) {
  if (t->kind != TOK_NAME || is_cleanup(t)) return;
  if (is_unpack(t)) {
    if (!b->leaves && unpacks_arguments(b, t)) b->leaves = t;
    for (; !tok_op(t, '='); t++)
      if (t->kind == TOK_NAME) note_definition(b, t);
    return;
  }
  if (tok_is(t, "fx_pytree") && !b->leaves) b->leaves = t; /* no arguments at all */
  if (tok_op(t + 1, '=') || (tok_op(t + 1, ':') && !tok_is(t, "return"))) note_definition(b, t);
}

bool fx_prescan(fx_body *b) {
  for (const token *t = b->cls->body; t < b->cls->body_end; t++) {
    note_statement(b, t);
    t = statement_end(t);
  }
  return true;
}

/* ---- names ---- */

const char *fx_fresh(fx_body *b, const char *base) {
  const char *name = base;
  while (map_has(&b->defined, name) || map_has(&b->names, name) || graph_find(b->g, name))
    name = arena_printf(b->r->tmp, "%s_%d", base, ++b->n_fresh);
  return name;
}

static bool fx_bind(fx_body *b, const token *name, node *n) {
  const char *text = fx_text(b->r, name);
  fx_binding *f = map_get(&b->names, text);
  if (f && f->n)
    return fx_fail(b->r, name, SCANC_ERR_DUPLICATE_NAME,
                   "'%.100s' is defined a second time; the first definition is in line %d", text,
                   f->n->loc.line);
  f = ARENA_NEW(b->r->tmp, fx_binding);
  f->n = n;
  map_set(&b->names, text, f);
  return true;
}

/* Checked before the node is made, so that the graph does not rename it. */
static bool check_new(fx_body *b, const token *name) {
  const fx_binding *f = map_get_n(&b->names, name->s, (size_t)name->len);
  if (!f || !f->n) return true;
  return fx_fail(b->r, name, SCANC_ERR_DUPLICATE_NAME,
                 "'%.*s' is defined a second time; the first definition is in line %d",
                 name->len > 100 ? 100 : name->len, name->s, f->n->loc.line);
}

/* ---- statements ---- */

static bool cleanup(fx_body *b) {
  for (; b->t->kind == TOK_NAME && !tok_is(b->t, "None"); b->t += 2) {
    fx_binding *f = map_get_n(&b->names, b->t->s, (size_t)b->t->len);
    if (!f || !f->n) return fx_lookup(b, b->t, &f);
    if (!f->released) f->released = b->t;
  }
  b->t++;
  return true;
}

/* l_x_ = L_x_: the node of a parameter has another name than the parameter. */
static bool alias(fx_body *b, const token *name) {
  fx_binding *f;
  SCANC_TRY(fx_lookup(b, b->t, &f));
  if (b->started || !f->input)
    return fx_fail(b->r, b->t, SCANC_ERR_SYNTAX, "expected an operation, got the bare name '%.*s'",
                   b->t->len > 100 ? 100 : b->t->len, b->t->s);
  const char *text = fx_text(b->r, name);
  node_rename(f->n, text);
  b->input_names.data[f->input - 1] = text;
  b->t++;
  return fx_bind(b, name, f->n);
}

/* An infix or prefix operator, and its operands, as a call. */
static bool operator_call(fx_body *b, const token *op, bool prefix, const val *operands,
                          fx_expr *e) {
  char *text = fx_text(b->r, op);
  const spelling *s = spelling_of_infix(text, prefix);
  if (!s) return fx_fail(b->r, op, SCANC_ERR_SYNTAX, "expected an operator, got '%.10s'", text);
  *e = (fx_expr){.kind = FX_PATH, .at = e->at, .path = s->path, .called = true};
  for (int i = 0; i < (prefix ? 1 : 2); i++) vec_push(b->r->mem, &e->args, operands[i]);
  return true;
}

static bool is_infix(const token *t) {
  static const unsigned ops[] = {'+',           '-',           '*',           '/',
                                 '%',           '@',           '&',           '|',
                                 '^',           '<',           '>',           OP2('/', '/'),
                                 OP2('*', '*'), OP2('<', '<'), OP2('>', '>'), OP2('=', '='),
                                 OP2('!', '='), OP2('<', '='), OP2('>', '=')};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    if (tok_op(t, ops[i])) return true;
  return false;
}

/* `-2 ** x` is pow(-2, x) and `-1` is neg(1): a sign belongs to a number only in front of an
 * operator. */
static bool is_prefix(const token *t) {
  if (tok_op(t, '~')) return true;
  if (!tok_op(t, '-') && !tok_op(t, '+')) return false;
  return !is_infix(t + 2) || t[1].kind == TOK_OP;
}

static bool right_side(fx_body *b, fx_expr *e) {
  val v[2];
  if (is_prefix(b->t)) {
    const token *op = b->t++;
    e->at = op;
    SCANC_TRY(fx_value(b, &v[0]));
    return operator_call(b, op, true, v, e);
  }
  SCANC_TRY(fx_expression(b, e));
  if (!is_infix(b->t)) return true;
  if (e->kind != FX_VALUE)
    return expected(b, "the end of the operation: a statement is one operation");
  const token *op = b->t++;
  v[0] = e->v;
  SCANC_TRY(fx_value(b, &v[1]));
  return operator_call(b, op, false, v, e);
}

static bool assign(fx_body *b) {
  const token *name = b->t++;
  fx_annot ann = {0};
  if (tok_op(b->t, ':')) {
    b->t++;
    SCANC_TRY(fx_annotation(b->r, &b->t, fx_line_end(b->t), &ann));
    if (ends_statement(b->t)) { /* x: "f32[2]"; announces an input */
      fx_binding *f = ARENA_NEW(b->r->tmp, fx_binding);
      *f = (fx_binding){.annotation = ann.type};
      if (!map_get_n(&b->names, name->s, (size_t)name->len))
        map_set(&b->names, fx_text(b->r, name), f);
      return true;
    }
  }
  SCANC_TRY(fx_expect(b->r, &b->t, '=', "'='"));
  SCANC_TRY(check_new(b, name));
  if (b->t->kind == TOK_NAME && ends_statement(b->t + 1) && !tok_is(b->t, "self"))
    return alias(b, name);
  fx_expr e = {.at = b->t};
  SCANC_TRY(right_side(b, &e));
  b->started = true;
  b->c.loc = fx_loc(b->r, name);
  node *n = fx_make(b, name, &e, ann);
  return n && fx_bind(b, name, n);
}

/* The name that an in-place statement gets from what follows it: `x += 2;  y: "f32[3]" = x`. */
static bool in_place_name(fx_body *b, const token *receiver, const token **name, fx_annot *ann) {
  const token *t = b->t + 1;
  *name = NULL;
  if (!tok_op(b->t, ';') || t->kind != TOK_NAME || is_cleanup(t)) return true;
  b->t = t + 1;
  if (tok_op(b->t, ':')) {
    b->t++;
    SCANC_TRY(fx_annotation(b->r, &b->t, fx_line_end(b->t), ann));
  }
  SCANC_TRY(fx_expect(b->r, &b->t, '=', "'='"));
  if (b->t->kind != TOK_NAME || b->t->len != receiver->len ||
      memcmp(b->t->s, receiver->s, (size_t)receiver->len))
    return expected(b, "the name of the value that was changed");
  b->t++;
  *name = t;
  return check_new(b, t);
}

static bool in_place(fx_body *b, const token *at, const char *path, const char *base,
                     const val *args, int n_args) {
  const token *name;
  fx_annot ann = {0};
  SCANC_TRY(in_place_name(b, at, &name, &ann));
  b->started = true;
  b->c.loc = fx_loc(b->r, at);
  node *n =
      fx_make_call(b, name ? fx_text(b->r, name) : fx_fresh(b, base), path, args, n_args, ann);
  return n && (!name || fx_bind(b, name, n));
}

/* x += 2 and the like: operator.iadd. */
static bool augmented(fx_body *b, const token *at, val receiver) {
  const token *op = b->t++;
  char *text = arena_strndup(b->r->mem, op->s, (size_t)op->len - 1);
  const spelling *s = spelling_of_infix(text, false);
  if (!s || strncmp(s->path, "operator.", 9))
    return fx_fail(b->r, op, SCANC_ERR_SYNTAX, "expected an operator, got '%s='", text);
  char *base = arena_printf(b->r->mem, "i%s", s->path + 9);
  if (base[strlen(base) - 1] == '_') base[strlen(base) - 1] = 0;
  val args[2] = {receiver};
  SCANC_TRY(fx_value(b, &args[1]));
  return in_place(b, at, arena_printf(b->r->mem, "operator.%s", base), base, args, 2);
}

static bool is_augmented(const token *t) {
  if (t->kind != TOK_OP || t->len < 2 || t->s[t->len - 1] != '=') return false;
  return t->len == 3 || !strchr("=!<>", *t->s);
}

/* x[0] = 1, x += 1, or a call without a name. */
static bool unnamed(fx_body *b) {
  const token *at = b->t;
  fx_expr e = {.at = at};
  SCANC_TRY(fx_expression(b, &e));
  if (e.kind == FX_VALUE && is_augmented(b->t)) return augmented(b, at, e.v);
  if (e.kind == FX_ITEM && tok_op(b->t, '=')) {
    val args[3] = {e.v, e.index};
    b->t++;
    SCANC_TRY(fx_value(b, &args[2]));
    return in_place(b, at, "operator.setitem", "setitem", args, 3);
  }
  if (!e.called) return expected(b, "an assignment or a call");
  b->started = true;
  b->c.loc = fx_loc(b->r, at);
  return fx_make(b, NULL, &e, (fx_annot){0}) != NULL;
}

static bool returned_value(fx_body *b, val *out) {
  VEC(val) items = {0};
  if (ends_statement(b->t)) {
    *out = val_none();
    return true;
  }
  SCANC_TRY(fx_value(b, out));
  if (!tok_op(b->t, ',')) return true;
  vec_push(b->r->mem, &items, *out);
  while (tok_op(b->t, ',')) {
    b->t++;
    if (ends_statement(b->t)) break;
    SCANC_TRY(fx_value(b, out));
    vec_push(b->r->mem, &items, *out);
  }
  *out = (val){.kind = VAL_TUPLE, .n = items.len, .items = items.data};
  return true;
}

static bool return_statement(fx_body *b) {
  const token *at = b->t++;
  val v;
  bool tree = tok_is(b->t, "pytree") && tok_op(b->t + 1, '.') && tok_op(b->t + 3, '(');
  if (tree) b->t += 4;
  SCANC_TRY(tree ? fx_value(b, &v) : returned_value(b, &v));
  if (tree) { /* , self._out_spec) */
    if (!tok_op(b->t, ',')) return expected(b, "','");
    b->t = statement_end(b->t);
  }
  b->c.loc = fx_loc(b->r, at);
  node_output(&b->c, v);
  b->returned = at;
  return !b->r->m->err.code;
}

static bool statement(fx_body *b) {
  const token *t = b->t;
  if (b->returned && !is_cleanup(t)) {
    if (tok_is(t, "return"))
      return fx_fail(b->r, t, SCANC_ERR_TWO_OUTPUTS, "a second return; the first one is in line %d",
                     b->returned->line);
    return fx_fail(b->r, t, SCANC_ERR_CODE_AFTER_RETURN, "a statement behind the return of line %d",
                   b->returned->line);
  }
  if (tok_is(t, "return")) return return_statement(b);
  if (tok_is(t, "pass")) return b->t++, true;
  if (is_cleanup(t)) return cleanup(b);
  if (is_unpack(t)) return fx_unpack(b);
  if (t == b->leaves ||
      (b->leaves && t->kind == TOK_NAME && tok_op(t + 1, '.') && tok_is(t + 2, "clear"))) {
    b->t = statement_end(t);
    return true;
  }
  if (t->kind == TOK_NAME && (tok_op(t + 1, '=') || tok_op(t + 1, ':'))) return assign(b);
  return unnamed(b);
}

/* ---- comments ---- */

/* "# File: model.py:6 in forward, code: ...", also behind other words. */
static void origin_of(fx_body *b, const token *t) {
  const char *end = t->s + t->len, *p = memmem(t->s, (size_t)t->len, "File: ", 6);
  const char *nothing = memmem(t->s, (size_t)t->len, "No stacktrace found", 19);
  if (!p) {
    if (nothing) b->c.origin = (src_loc){0};
    return;
  }
  p += 6;
  const char *stop = memmem(p, (size_t)(end - p), ", code: ", 8);
  if (!stop) stop = end;
  for (const char *q = p; q < stop; q++) {
    int n = 0;
    if ((unsigned char)*q < ' ') return;
    if (*q != ':') continue;
    while (q + 1 + n < stop && n < 9 && q[1 + n] >= '0' && q[1 + n] <= '9') n++;
    bool ends = n && (q + 1 + n == stop || q[1 + n] == ' ');
    if (!ends || q - p > 200 || q == p) continue;
    b->c.origin =
        (src_loc){.file = arena_strndup(b->r->mem, p, (size_t)(q - p)), .line = atoi(q + 1)};
    return;
  }
}

bool fx_body_read(fx_body *b) {
  b->t = b->cls->body;
  while (b->t < b->cls->body_end) {
    if (b->t->kind == TOK_COMMENT) {
      origin_of(b, b->t);
      b->t++;
    } else if (b->t->kind == TOK_NEWLINE || tok_op(b->t, ';')) {
      b->t++;
    } else {
      SCANC_TRY(statement(b));
      if (!ends_statement(b->t)) return expected(b, "the end of the statement");
    }
  }
  if (!b->returned)
    return fx_fail(b->r, b->cls->def, SCANC_ERR_MISSING_RETURN,
                   "the body has no return: expected one before line %d", b->t->line);
  return true;
}
