/* State of a module under construction: where operations go, how values of outer graphs come into
 * bodies, and what errors say. */
#include "frontend/builder.h"

#include <stdio.h>
#include <string.h>

/* ---- modules ---- */

scanc_module *scanc_module_new(scanc_context *ctx) {
  module *m = module_new("<built>");
  if (ctx) m->log = ctx->log;
  m->exported = m->has_signature = m->lenient = true;
  builder *b = ARENA_NEW(m->mem, builder);
  b->m = m;
  b->open = b->main = ARENA_NEW(m->mem, scope);
  b->main->g = graph_new(m, "GraphModule");
  vec_push(m->mem, &b->scopes, b->main);
  m->builder = b;
  return m;
}

const scanc_error *scanc_module_error(const scanc_module *mod) {
  static const scanc_error none = {.code = SCANC_ERR_USAGE,
                                   .message = "scanc_module_error: 'mod' is NULL"};
  return mod ? &mod->err : &none;
}

builder *builder_of(module *m) {
  if (!m) return NULL;
  if (!m->builder)
    module_record(m, SCANC_ERR_USAGE, (src_loc){0},
                  "a module that was read cannot be built on; expected one of scanc_module_new");
  return m->err.code ? NULL : m->builder;
}

module *builder_module(const scanc_value *v, int n) {
  module *m = NULL;
  for (int i = 0; v && i < n && !m; i++) {
    if (v[i].graph) m = v[i].graph->mod;
    else if (v[i].kind == V_LIST) m = builder_module(v[i].u.p, v[i].n);
  }
  return m;
}

scope *builder_scope(const builder *b, const graph *g) {
  for (int i = 0; i < b->scopes.len; i++)
    if (b->scopes.data[i]->g == g) return b->scopes.data[i];
  return NULL;
}

cursor builder_cursor(const scope *s) { return (cursor){.g = s->g, .before = graph_output(s->g)}; }

/* ---- errors ---- */

scanc_value builder_fail(builder *b, scanc_code code, const char *fmt, ...) {
  char message[640];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(message, sizeof message, fmt, ap);
  va_end(ap);
  module_record(b->m, code, (src_loc){0}, "%s", message);
  return builder_invalid(b->m);
}

scanc_value builder_invalid(module *m) {
  return (scanc_value){.kind = V_INVALID, .graph = m && m->builder ? m->builder->open->g : NULL};
}

/* " (add of f32[3] and f32[4])" behind the message. */
static void name_operands(builder *b, const char *what, const val *operands, int n) {
  str text = {0};
  const char *gap = "of";
  str_printf(&text, " (%s", what);
  for (int i = 0; i < n; i++) {
    if (operands[i].kind == VAL_ABSENT) continue;
    const type *t = val_type(b->m, operands[i]);
    str_printf(&text, " %s ", gap);
    if (t) type_describe(&text, t);
    else str_append(&text, "an unknown value");
    gap = "and";
  }
  str_char(&text, ')');
  char *message = b->m->err.message;
  size_t used = strlen(message), room = sizeof b->m->err.message - used;
  if (text.len < room) memcpy(message + used, text.data, text.len + 1);
  str_free(&text);
}

scanc_value builder_made(builder *b, node *n, const char *what, const val *operands,
                         int n_operands) {
  if (n && !b->m->err.code) return value_of_node(n);
  name_operands(b, what, operands, n_operands);
  return builder_invalid(b->m);
}

node *builder_call(builder *b, cursor *c, const char *path, const val *args, int n_pos,
                   const char *const *kw, int n_kw) {
  b->m->lenient = false;
  node *n = node_call(c, NULL, path, args, n_pos, kw, n_kw);
  b->m->lenient = true;
  return n;
}

/* ---- values of outer graphs ---- */

capture builder_capture(scope *s, node *outer) {
  cursor c = {.g = s->g, .before = s->g->first};
  while (c.before && c.before->kind == NODE_PLACEHOLDER) c.before = c.before->next;
  const char *name = graph_fresh_name(s->g, outer->name);
  node *p = node_placeholder(&c, name, name, outer->type, val_absent());
  p->annotated = p->type != NULL;
  return (capture){outer, p};
}

static bool is_inside(const scope *s, const scope *outer) {
  while (s && s != outer) s = s->parent;
  return s != NULL;
}

static node *bring(builder *b, scope *s, node *n) {
  if (n->owner == s->g) return n;
  node *outer = bring(b, s->parent, n);
  for (int i = 0; i < s->captures.len; i++)
    if (s->captures.data[i].outer == outer) return s->captures.data[i].param;
  vec_push(b->m->mem, &s->captures, builder_capture(s, outer));
  return vec_last(&s->captures).param;
}

node *builder_bring(builder *b, scope *s, node *n) {
  const scope *home = n->owner->mod == b->m ? builder_scope(b, n->owner) : NULL;
  if (!home) {
    builder_fail(b, SCANC_ERR_BAD_ARGUMENT, "'%.100s' is a value of another module", n->name);
    return NULL;
  }
  if (home->returned) {
    builder_fail(b, SCANC_ERR_CODE_AFTER_RETURN,
                 "'%.100s' is a value of graph '%.100s', which has returned", n->name,
                 home->g->class_name);
    return NULL;
  }
  if (!is_inside(s, home)) {
    builder_fail(b, SCANC_ERR_BAD_ARGUMENT,
                 "'%.100s' is a value of graph '%.100s', which does not enclose '%.100s'", n->name,
                 home->g->class_name, s->g->class_name);
    return NULL;
  }
  if (n->owner != s->g && n->type && n->type->kind == TYPE_LIST) {
    builder_fail(b, SCANC_ERR_BAD_ARGUMENT,
                 "'%.100s' has several results: expected one of them (scanc_get)", n->name);
    return NULL;
  }
  return bring(b, s, n);
}
