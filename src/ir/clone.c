/* Deep copy of a module into an arena of its own. */
#include <string.h>

#include "ir/graph.h"

typedef struct {
  module *to;
  graph **graphs; /* copies, in the order of from->graphs */
  const module *from;
  node **nodes; /* copies by id of the original */
} cloner;

static graph *graph_copy_of(const cloner *c, const graph *g) {
  for (int i = 0; i < c->from->graphs.len; i++)
    if (c->from->graphs.data[i] == g) return c->graphs[i];
  return NULL;
}

static const type *clone_type(const cloner *c, const type *t) {
  const type *copy = type_import(c->to->mem, c->to->syms, t);
  return copy && copy->kind == TYPE_GRAPH ? type_graph(c->to->mem, graph_copy_of(c, t->graph))
                                          : copy;
}

/* Strings are copied too, so that nothing of the original is referred to. */
static val clone_val(const cloner *c, val v) {
  arena *a = c->to->mem;
  if (v.kind == VAL_NODE) return val_node(c->nodes[v.node->id]);
  if (v.kind == VAL_STR || v.kind == VAL_BYTES || v.kind == VAL_ATOM || v.kind == VAL_BIGINT) {
    size_t n = v.kind == VAL_STR || v.kind == VAL_BYTES ? (size_t)v.n : strlen(v.s);
    v.s = arena_strndup(a, v.s, n);
    return v;
  }
  if (!val_is_seq(v)) return v;
  val *items = ARENA_ARRAY(a, val, v.n);
  for (int i = 0; i < v.n; i++) items[i] = clone_val(c, v.items[i]);
  v.items = items;
  return v;
}

static const char *clone_text(const cloner *c, const char *s) {
  return s ? arena_strdup(c->to->mem, s) : NULL;
}

static src_loc clone_loc(const cloner *c, src_loc l) {
  return (src_loc){clone_text(c, l.file), l.line, l.col, clone_text(c, l.note)};
}

static const scan_attrs *clone_scan(const cloner *c, const scan_attrs *s) {
  if (!s) return NULL;
  arena *a = c->to->mem;
  scan_attrs *t = arena_copy(a, s, sizeof *s);
  scan_view *x = arena_copy(a, s->x, sizeof *s->x * (size_t)s->n_x),
            *y = arena_copy(a, s->y, sizeof *s->y * (size_t)s->n_y);
  for (int i = 0; i < s->n_x; i++) x[i].start = dim_import(c->to->syms, x[i].start);
  for (int i = 0; i < s->n_y; i++) y[i].start = dim_import(c->to->syms, y[i].start);
  t->length = dim_import(c->to->syms, s->length);
  t->x = x;
  t->y = y;
  return t;
}

static node *clone_node(const cloner *c, cursor *at, const node *n) {
  val *args = ARENA_ARRAY(c->to->mem, val, n->n_args);
  int n_kw = n->n_args - n->n_pos;
  for (int i = 0; i < n->n_args; i++) args[i] = clone_val(c, n->args[i]);
  at->loc = clone_loc(c, n->loc);
  at->origin = clone_loc(c, n->origin);
  switch (n->kind) {
    case NODE_PLACEHOLDER:
      return node_placeholder(at, n->name, n->path, clone_type(c, n->type),
                              n->n_args ? args[0] : val_absent());
    case NODE_GET_ATTR: return node_get_attr(at, n->name, n->path);
    case NODE_CALL_FUNCTION: return node_call(at, n->name, n->path, args, n->n_pos, n->kw, n_kw);
    case NODE_CALL_MODULE:
      return node_call_module(at, n->name, n->path, args, n->n_pos, n->kw, n_kw);
    case NODE_CALL_METHOD:
      return node_call_method(at, n->name, n->path, args, n->n_pos, n->kw, n_kw);
    case NODE_OUTPUT: break;
  }
  return node_output(at, args[0]);
}

/* Names of the original are unique and legal, so the copy keeps them whatever the naming rules
 * would prefer. */
static void force_name(node *n, const char *name) {
  if (!strcmp(n->name, name)) return;
  map_remove(&n->owner->names, n->name);
  n->name = arena_strdup(n->owner->mod->mem, name);
  map_set(&n->owner->names, n->name, n);
}

/* The type of the original stands: inference is not asked to find again what an annotation or a
 * pass stated. */
static void clone_graph_body(const cloner *c, const graph *from, graph *to) {
  cursor at = cursor_end(to);
  FOR_EACH_NODE (n, from) {
    node *copy = clone_node(c, &at, n);
    force_name(copy, n->name);
    copy->annotated = n->annotated;
    copy->scan = clone_scan(c, n->scan);
    copy->order = n->order;
    copy->type = n->kind == NODE_OUTPUT ? copy->type : clone_type(c, n->type);
    c->nodes[n->id] = copy;
  }
}

static void clone_graph_head(const cloner *c, const graph *from, graph *to) {
  to->bare = from->bare;
  to->loc = clone_loc(c, from->loc);
  for (int i = 0; i < from->attrs.len; i++) {
    const attr *a = &from->attrs.data[i];
    graph_add_attr(to, a->name, a->kind, graph_copy_of(c, a->sub))->type = clone_type(c, a->type);
  }
}

static void clone_ports(const cloner *c, const port *from, int n, bool inputs) {
  for (int i = 0; i < n; i++) {
    port p = from[i];
    p.name = clone_text(c, p.name);
    p.kind_text = clone_text(c, p.kind_text);
    p.target = clone_text(c, p.target);
    p.tree = clone_text(c, p.tree);
    p.loc = clone_loc(c, p.loc);
    p.constant = clone_val(c, p.constant);
    if (inputs) vec_push(c->to->mem, &c->to->inputs, p);
    else vec_push(c->to->mem, &c->to->outputs, p);
  }
}

static void clone_head(module *to, const module *m) {
  to->exported = m->exported;
  to->has_signature = m->has_signature;
  to->lenient = m->lenient;
  to->contract = m->contract;
  to->values_unread = m->values_unread;
  to->call_spec = m->call_spec ? arena_strdup(to->mem, m->call_spec) : NULL;
  to->data = value_store_retain(m->data);
  to->log = m->log;
  to->text = m->text ? arena_strndup(to->mem, m->text, m->text_len) : NULL;
  to->text_len = m->text_len;
  for (int i = 0; i < symtab_n_symbols(m->syms); i++) {
    int64_t min, max;
    sym_range(m->syms, symtab_symbol(m->syms, i), &min, &max);
    dim_symbol(to->syms, symtab_symbol(m->syms, i));
    sym_set_range(to->syms, symtab_symbol(m->syms, i), min, max);
  }
  for (int i = 0; i < m->ranges.len; i++) {
    range_constraint r = m->ranges.data[i];
    r.expr = dim_import(to->syms, r.expr);
    vec_push(to->mem, &to->ranges, r);
  }
}

/* Bodies come before the graphs that name them: inference of a scan looks into its body. */
static void clone_in_order(graph *g, void *ctx) {
  const cloner *c = ctx;
  clone_graph_body(c, g, graph_copy_of(c, g));
}

module *module_clone(const module *m) {
  module *to = module_new(m->name);
  cloner c = {to, ARENA_ARRAY(to->mem, graph *, m->graphs.len), m,
              ARENA_ARRAY(to->mem, node *, m->n_ids)};
  clone_head(to, m);
  for (int i = 0; i < m->graphs.len; i++)
    c.graphs[i] = graph_new(to, m->graphs.data[i]->class_name);
  for (int i = 0; i < m->graphs.len; i++) clone_graph_head(&c, m->graphs.data[i], c.graphs[i]);
  to->main = graph_copy_of(&c, m->main);
  graph_walk(m->main, clone_in_order, &c);
  for (int i = 0; i < m->graphs.len; i++)
    if (!c.graphs[i]->first && m->graphs.data[i]->first)
      clone_graph_body(&c, m->graphs.data[i], c.graphs[i]);
  clone_ports(&c, m->inputs.data, m->inputs.len, true);
  clone_ports(&c, m->outputs.data, m->outputs.len, false);
  to->err = m->err;
  return to;
}
