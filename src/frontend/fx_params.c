/* Parameters of a def, and the statement that unpacks them where the calling convention is not
 * flat: a pytree prologue or a boxed list of arguments. */
#include <string.h>

#include "frontend/fx_reader.h"

/* The input that `name` stands for. */
static bool add_input(fx_body *b, const token *name, const char *target, const type *t, val dflt) {
  const fx_binding *old = map_get_n(&b->names, name->s, (size_t)name->len);
  if (old && old->n)
    return fx_fail(b->r, name, SCANC_ERR_DUPLICATE_NAME, "two parameters are named '%.*s'",
                   name->len > 100 ? 100 : name->len, name->s);
  b->c.loc = fx_loc(b->r, name);
  const char *text = fx_text(b->r, name);
  node *n = node_placeholder(&b->c, text, target ? target : text, t, dflt);
  n->annotated = t != NULL;
  fx_binding *f = ARENA_NEW(b->r->tmp, fx_binding);
  *f = (fx_binding){.n = n, .input = b->input_names.len + 1};
  map_set(&b->names, text, f);
  vec_push(b->r->tmp, &b->placeholders, n);
  vec_push(b->r->tmp, &b->input_names, text);
  return !b->r->m->err.code;
}

static bool parameter(fx_body *b, const token *end) {
  const char *stars = tok_op(b->t, '*') ? "*" : tok_op(b->t, OP2('*', '*')) ? "**" : "";
  if (*stars) b->t++;
  const token *name = b->t;
  if (name->kind != TOK_NAME || name >= end)
    return fx_fail(b->r, name, SCANC_ERR_SYNTAX, "expected a parameter, got %s",
                   fx_show(b->r, name));
  b->t++;
  fx_annot ann = {0};
  val dflt = val_absent();
  if (tok_op(b->t, ':')) {
    b->t++;
    SCANC_TRY(fx_annotation(b->r, &b->t, end, &ann));
  }
  if (tok_op(b->t, '=')) {
    b->t++;
    SCANC_TRY(fx_value(b, &dflt));
  }
  if (tok_is(name, "self") && !*stars && !ann.given) return true;
  if (tok_is(name, "self") || graph_is_keyword(fx_text(b->r, name)))
    return fx_fail(b->r, name, SCANC_ERR_SYNTAX, "expected the name of a parameter, got %s",
                   fx_show(b->r, name));
  if (b->leaves) return true;
  const char *target = *stars ? arena_printf(b->r->mem, "%s%.*s", stars, name->len, name->s) : NULL;
  return add_input(b, name, target, ann.type, dflt);
}

bool fx_parameters(fx_body *b) {
  const token *end = b->cls->params_end;
  b->t = b->cls->params;
  while (b->t < end) {
    SCANC_TRY(parameter(b, end));
    if (b->t < end) SCANC_TRY(fx_expect(b->r, &b->t, ',', "',' or ')'"));
  }
  return true;
}

bool fx_unpack(fx_body *b) {
  if (b->t != b->leaves || b->started)
    return fx_fail(
        b->r, b->t, SCANC_ERR_SYNTAX,
        "only the arguments of the program can be unpacked, in front of the first operation");
  while (!tok_op(b->t, '=')) {
    const token *name = b->t++;
    if (name->kind != TOK_NAME)
      return fx_fail(b->r, name, SCANC_ERR_SYNTAX, "expected a name, got %s", fx_show(b->r, name));
    const fx_binding *f = map_get_n(&b->names, name->s, (size_t)name->len);
    SCANC_TRY(add_input(b, name, NULL, f ? f->annotation : NULL, val_absent()));
    if (!tok_op(b->t, '=')) SCANC_TRY(fx_expect(b->r, &b->t, ',', "',' or '='"));
  }
  while (!tok_ends_line(b->t) && !tok_op(b->t, ';')) b->t++;
  return true;
}
