/* Entry of the FX reader and its walk over the lines of the text. */
#include "frontend/fx.h"

#include <stdio.h>
#include <string.h>

#include "frontend/fx_reader.h"

src_loc fx_loc(const reader *r, const token *t) {
  return (src_loc){.file = r->m->name, .line = t->line, .col = t->col};
}

void fx_record(reader *r, const token *t, scanc_code code, const char *fmt, ...) {
  char message[640];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(message, sizeof message, fmt, ap);
  va_end(ap);
  module_fail(r->m, code, fx_loc(r, t), "%s", message);
}

char *fx_text(reader *r, const token *t) { return arena_strndup(r->tmp, t->s, (size_t)t->len); }

char *fx_span(reader *r, const token *from, const token *to) {
  size_t n = 0;
  for (const token *t = from; t < to; t++) n += (size_t)t->len + 4;
  char *out = arena_alloc(r->mem, n + 1), *o = out;
  for (const token *t = from; t < to; t++) {
    bool quoted = t->kind == TOK_STR || t->kind == TOK_BYTES;
    const char *s = quoted ? t->s - 1 : t->s;
    size_t len = (size_t)t->len + (quoted ? 2 : 0) + (t->kind == TOK_IMAG);
    bool words = t > from && t->kind != TOK_OP && t[-1].kind != TOK_OP;
    if (words || (t > from && tok_op(t - 1, ','))) *o++ = ' ';
    if (t->kind == TOK_BYTES) *o++ = 'b';
    memcpy(o, s, len);
    o += len;
  }
  return out;
}

const char *fx_show(reader *r, const token *t) {
  if (t->kind == TOK_END) return "the end of the text";
  if (tok_ends_line(t)) return "the end of the line";
  return arena_printf(r->tmp, "'%.*s'", t->len > 60 ? 60 : t->len, t->s);
}

const token *fx_line_end(const token *t) {
  while (!tok_ends_line(t)) t++;
  return t;
}

bool fx_expect(reader *r, const token **t, unsigned op, const char *what) {
  if (!tok_op(*t, op))
    return fx_fail(r, *t, SCANC_ERR_SYNTAX, "expected %s, got %s", what, fx_show(r, *t));
  (*t)++;
  return true;
}

const token *fx_skip_brackets(const token *t) {
  int depth = 0;
  do {
    if (tok_op(t, '(') || tok_op(t, '[') || tok_op(t, '{')) depth++;
    if (tok_op(t, ')') || tok_op(t, ']') || tok_op(t, '}')) depth--;
    t++;
  } while (depth);
  return t;
}

/* ---- classes and defs ---- */

static bool second_program(reader *r, const token *t) {
  return fx_fail(r, t, SCANC_ERR_WRONG_FORM,
                 "a second program in one file: pass one printout, for example what "
                 "print(exported_program) or "
                 "gm.print_readable() gives");
}

static fx_class *new_class(reader *r, const token *at, const char *name, fx_class *parent) {
  fx_class *c = ARENA_NEW(r->tmp, fx_class);
  *c = (fx_class){.name = name,
                  .at = at,
                  .parent = parent,
                  .indent = at->indent,
                  .depth = parent ? parent->depth + 1 : 0};
  if (!parent) r->root = c;
  else if (parent->last_child) parent->last_child->next = c;
  else parent->first_child = c;
  if (parent) parent->last_child = c;
  r->last = c;
  return c;
}

/* The class that a class line with this indentation belongs to; NULL: it would be a second program.
 */
static fx_class *enclosing(const reader *r, int indent) {
  if (r->flat) return r->root;
  fx_class *p = r->last;
  while (p && p->indent >= indent) p = p->parent;
  return p;
}

static bool read_class(reader *r, const token **t) {
  const token *at = *t, *p = at + 1;
  if (r->root && (!r->last || r->root->bare)) return second_program(r, at);
  if (r->last && !r->last->def)
    return fx_fail(r, at, SCANC_ERR_SYNTAX, "expected 'def forward' of class %s", r->last->name);
  fx_class *parent = r->root ? enclosing(r, at->indent) : NULL;
  if (r->root && !parent) return second_program(r, at);
  if (parent && parent->depth + 1 >= FX_MAX_CLASS_DEPTH)
    return fx_fail(r, at, SCANC_ERR_TOO_DEEP, "classes nested deeper than %d", FX_MAX_CLASS_DEPTH);
  while (!tok_ends_line(p) && !tok_op(p, '(')) p++;
  if (p == at + 1 || !tok_op(p, '('))
    return fx_fail(r, p, SCANC_ERR_SYNTAX, "expected 'class NAME(torch.nn.Module):', got %s",
                   fx_show(r, p));
  const char *name = fx_span(r, at + 1, p);
  p = fx_skip_brackets(p);
  SCANC_TRY(fx_expect(r, &p, ':', "':' behind the class"));
  if (!tok_ends_line(p))
    return fx_fail(r, p, SCANC_ERR_SYNTAX, "expected the end of the line, got %s", fx_show(r, p));
  new_class(r, at, name, parent);
  *t = p;
  return true;
}

static bool read_def(reader *r, const token **t) {
  const token *at = *t, *p = at + 1;
  if (r->root && (!r->last || r->last->def)) return second_program(r, at);
  if (!r->root) {
    if (r->m->exported)
      return fx_fail(r, at, SCANC_ERR_SYNTAX,
                     "expected 'class GraphModule(torch.nn.Module):', got 'def'");
    new_class(r, at, "GraphModule", NULL)->bare = true;
  }
  fx_class *c = r->last;
  if (p->kind != TOK_NAME)
    return fx_fail(r, p, SCANC_ERR_SYNTAX, "expected a name behind 'def', got %s", fx_show(r, p));
  p++;
  if (!tok_op(p, '('))
    return fx_fail(r, p, SCANC_ERR_SYNTAX, "expected '(', got %s", fx_show(r, p));
  c->def = at;
  c->params = p + 1;
  p = fx_skip_brackets(p);
  c->params_end = p - 1;
  while (!tok_ends_line(p) && !tok_op(p, ':')) p++; /* -> type */
  SCANC_TRY(fx_expect(r, &p, ':', "':' behind the def"));
  if (!tok_ends_line(p))
    return fx_fail(r, p, SCANC_ERR_SYNTAX, "expected the end of the line, got %s", fx_show(r, p));
  c->body = c->body_end = p + (p->kind == TOK_NEWLINE);
  if (c == r->root && !c->bare) r->flat = at->indent <= c->indent;
  *t = p;
  return true;
}

/* ---- lines ---- */

static bool is_words(const token *t, const char *a, const char *b) {
  return tok_is(t, a) && tok_is(t + 1, b);
}

static bool read_header(reader *r, const token **t) {
  if (r->root || r->m->exported) return second_program(r, *t);
  r->m->exported = true;
  *t += 2;
  if (!tok_ends_line(*t))
    return fx_fail(r, *t, SCANC_ERR_SYNTAX, "expected the end of the line, got %s", fx_show(r, *t));
  return true;
}

/* torch.fx._symbolic_trace.wrap("name"): says nothing about the graph. */
static bool is_wrap_line(const token *t) {
  return tok_is(t, "torch") && tok_op(t + 1, '.') && tok_is(t + 2, "fx");
}

static bool read_line(reader *r, const token **t) {
  const token *p = *t;
  if (p->kind == TOK_COMMENT && (!r->last || !r->last->def)) {
    *t = fx_line_end(p);
    return true;
  }
  if (tok_is(p, "ExportedProgram") && tok_op(p + 1, ':')) return read_header(r, t);
  if (tok_is(p, "class") && !tok_op(p + 1, '=') && !tok_op(p + 1, ':')) return read_class(r, t);
  if (tok_is(p, "def") && !tok_op(p + 1, '=') && !tok_op(p + 1, ':')) return read_def(r, t);
  if (is_words(p, "Graph", "signature") || is_words(p, "Graph", "Signature"))
    return fx_signature(r, t);
  if (is_words(p, "Range", "constraints") ||
      (is_words(p, "Symbol", "to") && tok_is(p + 2, "range")))
    return fx_ranges(r, t);
  if (is_wrap_line(p) && (!r->last || !r->last->def)) {
    *t = fx_line_end(p);
    return true;
  }
  if (!r->last) {
    const char *expected =
        r->root ? "the end of the program" : "'ExportedProgram:', 'class' or 'def forward'";
    return fx_fail(r, p, SCANC_ERR_SYNTAX, "expected %s, got %s", expected, fx_show(r, p));
  }
  if (!r->last->def)
    return fx_fail(r, p, SCANC_ERR_SYNTAX, "expected 'def forward' of class %s, got %s",
                   r->last->name, fx_show(r, p));
  *t = fx_line_end(p);
  r->last->body_end = *t + ((*t)->kind == TOK_NEWLINE);
  return true;
}

static bool read_lines(reader *r) {
  const token *t = r->lx.toks;
  while (t->kind != TOK_END) {
    if (t->kind == TOK_NEWLINE) t++;
    else SCANC_TRY(read_line(r, &t));
  }
  if (!r->root)
    return fx_fail(r, t->line > 1 ? t - 1 : t, SCANC_ERR_SYNTAX,
                   "no program: expected 'class' or 'def forward'");
  fx_class *last = r->last ? r->last : r->root;
  while (last->last_child) last = last->last_child;
  if (!last->def)
    return fx_fail(r, last->at, SCANC_ERR_SYNTAX, "class %s has no 'def forward'", last->name);
  return true;
}

/* ---- entry ---- */

static bool read_all(reader *r) {
  SCANC_TRY(fx_check_form(r));
  SCANC_TRY(lex_text(r->tmp, r->m->text, r->m->text_len, r->m->name, &r->lx, &r->m->err));
  SCANC_TRY(read_lines(r));
  SCANC_TRY(fx_build(r, r->root));
  r->m->main = r->root->g;
  return !r->m->err.code;
}

module *fx_read_faulty(const char *text, size_t n, const char *name, diagnostics *faults,
                       scanc_error *err) {
  if (n > FX_MAX_TEXT) {
    err_set(err, SCANC_ERR_UNSUPPORTED, (src_loc){.file = name},
            "a text of %zu bytes; the limit is %d", n, FX_MAX_TEXT);
    return NULL;
  }
  module *m = module_new(name);
  m->text = lex_clean(m->mem, text, n, &m->text_len);
  m->faults = faults;
  reader r = {.m = m, .mem = m->mem, .tmp = arena_new()};
  bool ok = read_all(&r);
  arena_free(r.tmp);
  m->faults = NULL;
  if (ok) {
    m->lenient = true;
    return m;
  }
  err_quote(&m->err, m->text, m->text_len);
  if (err && !err->code) *err = m->err;
  module_free(m);
  return NULL;
}

module *fx_read(const char *text, size_t n, const char *name, scanc_error *err) {
  return fx_read_faulty(text, n, name, NULL, err);
}
