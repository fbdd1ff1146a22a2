/* The trailer of an exported program: its signature, in the block form or the one-line form up
 * to 2.6, and the ranges of its symbols. */
#include <string.h>

#include "frontend/fx_reader.h"

static const struct {
  const char *text;
  port_kind kind;
  bool input;
} kinds[] = {
#define PORT_KIND(text, kind, input, json, key) {text, kind, input},
#include "frontend/port_kinds.def"
#undef PORT_KIND
};

static bool add_port(reader *r, fx_port p, bool input, const token *kind_at) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (kinds[i].input != input || strcmp(kinds[i].text, p.kind)) continue;
    if (input) vec_push(r->tmp, &r->inputs, p);
    else vec_push(r->tmp, &r->outputs, p);
    return true;
  }
  return fx_fail(r, kind_at, SCANC_ERR_SIGNATURE,
                 "signature: unknown kind of %s '%.60s'; expected for example %s",
                 input ? "input" : "output", p.kind,
                 input ? "USER_INPUT or PARAMETER" : "USER_OUTPUT or BUFFER_MUTATION");
}

static bool string_of(reader *r, const token *t, const char **out) {
  int n;
  *out = t->kind == TOK_STR ? lex_unescape(r->mem, t, &n) : NULL;
  return *out ||
         fx_fail(r, t, SCANC_ERR_SYNTAX, "signature: expected a string, got %s", fx_show(r, t));
}

/* ---- the block form ---- */

/* name: KIND target='w' persistent=True; a constant output has no name. */
static bool block_line(reader *r, const token **t, bool input) {
  const token *p = *t, *kind;
  fx_port line = {.name = "", .persistent = -1, .at = p};
  if (p->kind == TOK_NAME) line.name = fx_text(r, p++);
  SCANC_TRY(fx_expect(r, &p, ':', "':' behind a name"));
  kind = p++;
  if (kind->kind != TOK_NAME)
    return fx_fail(r, kind, SCANC_ERR_SYNTAX, "signature: expected a kind, got %s",
                   fx_show(r, kind));
  line.kind = fx_text(r, kind);
  while (!tok_ends_line(p)) {
    if (!tok_op(p + 1, '=') || tok_ends_line(p + 2))
      return fx_fail(r, p, SCANC_ERR_SYNTAX, "signature: expected target= or persistent=, got %s",
                     fx_show(r, p));
    if (tok_is(p, "target")) SCANC_TRY(string_of(r, p + 2, &line.target));
    else if (tok_is(p, "persistent")) line.persistent = tok_is(p + 2, "True");
    else
      return fx_fail(r, p, SCANC_ERR_SYNTAX, "signature: expected target= or persistent=, got %s",
                     fx_show(r, p));
    p += 3;
  }
  *t = p;
  return add_port(r, line, input, kind);
}

static bool comment_is(const token *t, const char *word) {
  const char *s = t->s;
  int n = t->len;
  while (n && *s == ' ') s++, n--;
  while (n && s[n - 1] == ' ') n--;
  return t->kind == TOK_COMMENT && (size_t)n == strlen(word) && !memcmp(s, word, (size_t)n);
}

static bool starts_trailer(const token *t) { return tok_is(t, "Range") || tok_is(t, "Symbol"); }

static bool block(reader *r, const token **t) {
  bool input = true;
  const token *p = *t;
  for (; p->kind != TOK_END && !starts_trailer(p); p++) {
    if (p->kind == TOK_NEWLINE) continue;
    if (p->kind == TOK_COMMENT) {
      if (comment_is(p, "inputs")) input = true;
      if (comment_is(p, "outputs")) input = false;
      continue;
    }
    SCANC_TRY(block_line(r, &p, input));
    if (p->kind == TOK_END) break;
  }
  *t = p;
  return true;
}

/* ---- ExportGraphSignature(input_specs=[InputSpec(kind=<InputKind.X: n>,
 * arg=TensorArgument(name='n'), target=...)])
 * ---- */

static bool old_spec(reader *r, const token **t, bool input) {
  const token *at = *t, *p = at + 1, *kind = at;
  fx_port line = {.name = "", .kind = "", .persistent = -1, .at = at};
  int depth = 0;
  bool named = false;
  do {
    if (tok_op(p, '(') || tok_op(p, '[') || tok_op(p, '{')) depth++;
    if (tok_op(p, ')') || tok_op(p, ']') || tok_op(p, '}')) depth--;
    if (tok_is(p, "kind") && tok_op(p + 1, '=') && tok_op(p + 2, '<') && tok_op(p + 4, '.')) {
      kind = p + 5;
      line.kind = fx_text(r, kind);
    }
    bool string = tok_op(p + 1, '=') && p[2].kind == TOK_STR;
    if (tok_is(p, "name") && string && !named) {
      named = true;
      SCANC_TRY(string_of(r, p + 2, &line.name));
    }
    if (tok_is(p, "target") && string && depth == 1) SCANC_TRY(string_of(r, p + 2, &line.target));
    if (tok_is(p, "persistent") && tok_op(p + 1, '=') && !tok_is(p + 2, "None"))
      line.persistent = tok_is(p + 2, "True");
    p++;
  } while (depth && !tok_ends_line(p));
  *t = p;
  return add_port(r, line, input, kind);
}

static bool one_line(reader *r, const token **t) {
  const token *p = *t;
  while (!tok_ends_line(p)) {
    bool input = tok_is(p, "InputSpec");
    if ((input || tok_is(p, "OutputSpec")) && tok_op(p + 1, '(')) SCANC_TRY(old_spec(r, &p, input));
    else p++;
  }
  *t = p;
  return true;
}

bool fx_signature(reader *r, const token **t) {
  const token *at = *t;
  if (r->signature)
    return fx_fail(r, at, SCANC_ERR_WRONG_FORM, "a second signature: pass one printout");
  if (!r->root)
    return fx_fail(r, at, SCANC_ERR_SYNTAX, "expected the program in front of its signature");
  r->signature = at;
  r->last = NULL;
  *t += 2;
  SCANC_TRY(fx_expect(r, t, ':', "':'"));
  return tok_ends_line(*t) ? block(r, t) : one_line(r, t);
}

/* ---- ranges ---- */

static bool bound(reader *r, const token **t, int64_t *out) {
  bool negative = tok_op(*t, '-');
  if (negative) ++*t;
  const token *p = *t;
  ++*t;
  if (tok_is(p, "int_oo") || tok_is(p, "oo") || tok_is(p, "inf")) {
    *out = negative ? INT64_MIN : INT64_MAX;
    return true;
  }
  if (p->kind != TOK_INT)
    return fx_fail(r, p, SCANC_ERR_SYNTAX, "range: expected a bound, got %s", fx_show(r, p));
  if (!lex_int(p->s, p->len, out))
    return fx_fail(r, p, SCANC_ERR_BAD_NUMBER, "range: %.*s does not fit 64 bits",
                   p->len > 60 ? 60 : p->len, p->s);
  if (negative) *out = -*out;
  return true;
}

/* s0: VR[0, int_oo] */
static bool one_range(reader *r, const token **t) {
  const token *at = *t, *p = at;
  while (!tok_ends_line(p) && !tok_op(p, ':') && !tok_op(p, '}')) p++;
  if (!tok_op(p, ':') || p == at)
    return fx_fail(r, p, SCANC_ERR_SYNTAX, "range: expected ':' behind a symbol, got %s",
                   fx_show(r, p));
  fx_sym s;
  range_constraint c;
  const char *text = at->s, *end = p[-1].s + p[-1].len;
  SCANC_TRY(fx_symbolic(r, &text, end, at, &s));
  if (text != end || s.kind != FX_SYM_INT)
    return fx_fail(r, at, SCANC_ERR_SYNTAX, "range: expected a symbolic size, got %s",
                   fx_show(r, at));
  p++;
  if (!tok_is(p, "VR") || !tok_op(p + 1, '['))
    return fx_fail(r, p, SCANC_ERR_SYNTAX, "range: expected VR[min, max], got %s", fx_show(r, p));
  p += 2;
  SCANC_TRY(bound(r, &p, &c.min));
  SCANC_TRY(fx_expect(r, &p, ',', "','"));
  SCANC_TRY(bound(r, &p, &c.max));
  SCANC_TRY(fx_expect(r, &p, ']', "']'"));
  if (c.min > c.max)
    return fx_fail(r, at, SCANC_ERR_RANGE,
                   "range: the lower bound %lld is above the upper bound %lld", (long long)c.min,
                   (long long)c.max);
  c.expr = s.d;
  vec_push(r->m->mem, &r->m->ranges, c);
  const char *name;
  if (dim_is_symbol(s.d, &name)) sym_set_range(r->m->syms, name, c.min, c.max);
  *t = p;
  return true;
}

bool fx_ranges(reader *r, const token **t) {
  const token *p = *t;
  if (!r->root)
    return fx_fail(r, p, SCANC_ERR_SYNTAX, "expected the program in front of its ranges");
  while (!tok_ends_line(p) && !tok_op(p, ':')) p++;
  SCANC_TRY(fx_expect(r, &p, ':', "':'"));
  SCANC_TRY(fx_expect(r, &p, '{', "'{'"));
  while (!tok_op(p, '}')) {
    SCANC_TRY(one_range(r, &p));
    if (!tok_op(p, '}')) SCANC_TRY(fx_expect(r, &p, ',', "',' or '}'"));
  }
  *t = p + 1;
  if (!tok_ends_line(*t))
    return fx_fail(r, *t, SCANC_ERR_SYNTAX, "expected the end of the line, got %s", fx_show(r, *t));
  r->last = NULL;
  return true;
}

/* ---- the signature against the graph ---- */

static port_kind kind_of(const char *text, bool input) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (kinds[i].input == input && !strcmp(kinds[i].text, text)) return kinds[i].kind;
  return PORT_OTHER;
}

static port make_port(reader *r, const fx_port *p, const char *name, bool input) {
  return (port){.name = name,
                .kind = kind_of(p->kind, input),
                .kind_text = arena_strdup(r->mem, p->kind),
                .target = p->target,
                .persistent = p->persistent,
                .loc = fx_loc(r, p->at)};
}

static bool check_inputs(reader *r, fx_body *b) {
  int n = b->placeholders.len;
  for (int i = 0; i < r->inputs.len; i++) {
    const fx_port *p = &r->inputs.data[i];
    if (i >= n)
      return fx_fail(r, p->at, SCANC_ERR_SIGNATURE,
                     "signature: input '%.100s' is superfluous: forward has %d parameters", p->name,
                     n);
    if (strcmp(p->name, b->input_names.data[i]))
      return fx_fail(
          r, p->at, SCANC_ERR_SIGNATURE,
          "signature: expected input '%.100s', which is parameter %d of forward, got '%.100s'",
          b->input_names.data[i], i + 1, p->name);
    vec_push(r->m->mem, &r->m->inputs, make_port(r, p, b->placeholders.data[i]->name, true));
  }
  if (r->inputs.len < n)
    return fx_fail(r, r->signature, SCANC_ERR_SIGNATURE,
                   "signature: %d inputs, but forward has %d parameters: '%.100s' is missing",
                   r->inputs.len, n, b->input_names.data[r->inputs.len]);
  return true;
}

typedef struct {
  arena *mem;
  VEC(val) leaves;
} leaf_list;

static void flatten(leaf_list *l, val v) {
  if (v.kind != VAL_LIST && v.kind != VAL_TUPLE && v.kind != VAL_DICT) {
    vec_push(l->mem, &l->leaves, v);
    return;
  }
  for (int i = v.kind == VAL_DICT; i < v.n; i += v.kind == VAL_DICT ? 2 : 1) flatten(l, v.items[i]);
}

static bool check_outputs(reader *r, fx_body *b) {
  leaf_list l = {.mem = r->tmp};
  flatten(&l, graph_output(b->g)->args[0]);
  for (int i = 0; i < r->outputs.len; i++) {
    const fx_port *p = &r->outputs.data[i];
    if (i >= l.leaves.len)
      return fx_fail(r, p->at, SCANC_ERR_SIGNATURE,
                     "signature: output '%.100s' is superfluous: forward returns %d values",
                     p->name, l.leaves.len);
    val v = l.leaves.data[i];
    const fx_binding *f = map_get(&b->names, p->name);
    const node *n = v.kind == VAL_NODE ? v.node : NULL;
    if (n && (!f || f->n != n))
      return fx_fail(
          r, p->at, SCANC_ERR_SIGNATURE,
          "signature: expected output '%.100s', which forward returns as value %d, got '%.100s'",
          n->name, i + 1, p->name);
    vec_push(r->m->mem, &r->m->outputs, make_port(r, p, n ? n->name : "", false));
  }
  if (r->outputs.len < l.leaves.len)
    return fx_fail(r, r->signature, SCANC_ERR_SIGNATURE,
                   "signature: %d outputs, but forward returns %d values", r->outputs.len,
                   l.leaves.len);
  return true;
}

bool fx_check_signature(reader *r, fx_body *b) {
  if (!r->signature) return true;
  r->m->has_signature = true;
  return check_inputs(r, b) && check_outputs(r, b);
}
