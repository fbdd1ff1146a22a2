/* A module as JSON, for other programs to read. docs/json.md has the shape. */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "ir/print.h"

/* ---- pieces ---- */

static json_t *made(json_t *j) {
  if (!j) base_no_memory(0);
  return j;
}

static json_t *text_n(const char *s, size_t n) {
  str clean = {0};
  print_text(&clean, s, n);
  json_t *j = made(json_stringn(str_cstr(&clean), clean.len));
  str_free(&clean);
  return j;
}

static json_t *text(const char *s) { return s ? text_n(s, strlen(s)) : json_null(); }

static json_t *number(int64_t i) { return made(json_integer(i)); }

static json_t *float_json(double f) {
  return isnan(f) ? text("nan") : isinf(f) ? text(f < 0 ? "-inf" : "inf") : made(json_real(f));
}

/* Takes v. */
static void set(json_t *o, const char *key, json_t *v) {
  str clean = {0};
  print_text(&clean, key, strlen(key));
  if (json_object_set_new(o, str_cstr(&clean), v)) base_no_memory(0);
  str_free(&clean);
}

static void push(json_t *list, json_t *v) {
  if (json_array_append_new(list, v)) base_no_memory(0);
}

static json_t *tagged(const char *key, json_t *v) {
  json_t *o = made(json_object());
  set(o, key, v);
  return o;
}

/* Takes the text. */
static json_t *of_str(str *s) {
  json_t *j = text_n(str_cstr(s), s->len);
  str_free(s);
  return j;
}

static json_t *line_of(src_loc loc) { return loc.line > 0 ? number(loc.line) : json_null(); }

/* ---- sizes and types ---- */

static json_t *dim_json(dim d) {
  str s = {0};
  if (dim_is_int(d)) return number(d.k);
  dim_print(&s, d);
  return of_str(&s);
}

static json_t *type_json(const type *t) {
  str s = {0};
  if (!t) return json_null();
  type_print(&s, t);
  json_t *o = tagged("text", of_str(&s)), *list = made(json_array());
  bool several = t->kind == TYPE_LIST;
  for (int i = 0; i < t->n && type_is_tensor(t); i++) push(list, dim_json(t->dims[i]));
  for (int i = 0; i < t->n && several; i++) push(list, type_json(t->items[i]));
  if (type_is_tensor(t)) set(o, "dtype", text(scanc_dtype_name(t->dtype)));
  if (type_is_tensor(t) || several) set(o, several ? "items" : "shape", list);
  else json_decref(list);
  return o;
}

/* ---- values ---- */

static json_t *val_json(val v);

static json_t *items_json(val v) {
  json_t *list = made(json_array());
  for (int i = 0; i < v.n; i++) push(list, val_json(v.items[i]));
  return list;
}

static json_t *pairs_json(val v) {
  json_t *list = made(json_array());
  for (int i = 0; i + 1 < v.n; i += 2) {
    json_t *pair = made(json_array());
    push(pair, val_json(v.items[i]));
    push(pair, val_json(v.items[i + 1]));
    push(list, pair);
  }
  return list;
}

/* What has no form of its own is told as Python would write it. */
static json_t *printed(val v) {
  str s = {0};
  val_print(&s, v);
  return tagged("python", of_str(&s));
}

static json_t *val_json(val v) {
  switch (v.kind) {
    case VAL_NODE: return tagged("node", text(v.node->name));
    case VAL_ABSENT:
    case VAL_NONE: return json_null();
    case VAL_BOOL: return json_boolean(v.i != 0);
    case VAL_INT: return number(v.i);
    case VAL_FLOAT: return isfinite(v.f) ? float_json(v.f) : tagged("float", float_json(v.f));
    case VAL_COMPLEX: {
      json_t *parts = made(json_array());
      push(parts, float_json(v.f));
      push(parts, float_json(v.im));
      return tagged("complex", parts);
    }
    case VAL_STR: return text_n(v.s, (size_t)v.n);
    case VAL_DTYPE: return tagged("dtype", text(scanc_dtype_name(v.dtype)));
    case VAL_LIST: return items_json(v);
    case VAL_TUPLE: return tagged("tuple", items_json(v));
    case VAL_SIZE: return tagged("size", items_json(v));
    case VAL_SLICE: return tagged("slice", items_json(v));
    case VAL_RANGE: return tagged("range", items_json(v));
    case VAL_DICT: return tagged("dict", pairs_json(v));
    case VAL_BYTES:
    case VAL_ELLIPSIS:
    case VAL_BIGINT:
    case VAL_ATOM: return printed(v);
  }
  SCANC_UNREACHABLE("kind of value");
}

/* ---- nodes ---- */

static json_t *views_json(const scan_view *v, int n) {
  json_t *list = made(json_array());
  for (int i = 0; i < n; i++) {
    json_t *o = tagged("axis", number(v[i].axis));
    set(o, "step", number(v[i].step));
    set(o, "start", dim_json(v[i].start));
    push(list, o);
  }
  return list;
}

static json_t *scan_json(const scan_attrs *s) {
  json_t *o = tagged("length", dim_json(s->length));
  set(o, "x", views_json(s->x, s->n_x));
  set(o, "y", views_json(s->y, s->n_y));
  return o;
}

static json_t *operands_json(const node *n) {
  json_t *o = made(json_object());
  for (int k = 0; k < n->op->n_operands; k++)
    if (n->operands[k].kind != VAL_ABSENT)
      set(o, op_operand_name(n->op, k), val_json(n->operands[k]));
  return o;
}

static json_t *arguments_json(const node *n, bool named) {
  json_t *all = made(named ? json_object() : json_array());
  for (int i = named ? n->n_pos : 0; i < (named ? n->n_args : n->n_pos); i++) {
    if (named) set(all, n->kw[i - n->n_pos], val_json(n->args[i]));
    else push(all, val_json(n->args[i]));
  }
  return all;
}

static json_t *node_json(const graph_list *graphs, const node *n) {
  static const char *const kinds[] = {"placeholder", "get_attr",    "call_function",
                                      "call_module", "call_method", "output"};
  const graph *sub = val_graph(val_node((node *)n));
  json_t *o = tagged("name", text(n->name));
  set(o, "kind", text(kinds[n->kind]));
  set(o, "target", text(n->path));
  set(o, "op", text(n->op ? n->op->name : NULL));
  set(o, "args", arguments_json(n, false));
  set(o, "kwargs", arguments_json(n, true));
  if (n->op && n->operands) set(o, "operands", operands_json(n));
  if (sub) set(o, "graph", number(print_place(graphs, sub)));
  if (n->scan) set(o, "scan", scan_json(n->scan));
  set(o, "type", type_json(n->type));
  set(o, "line", line_of(n->loc));
  if (n->origin.file) {
    json_t *from = tagged("file", text(n->origin.file));
    set(from, "line", line_of(n->origin));
    set(o, "origin", from);
  }
  return o;
}

/* ---- graphs ---- */

static json_t *attributes_json(const graph_list *graphs, const graph *g) {
  static const char *const kinds[] = {"graph", "tensor", "module"};
  json_t *list = made(json_array());
  for (int i = 0; i < g->attrs.len; i++) {
    const attr *a = &g->attrs.data[i];
    json_t *o = tagged("name", text(a->name));
    set(o, "kind", text(kinds[a->kind]));
    int place = a->kind == ATTR_GRAPH ? print_place(graphs, a->sub) : -1;
    if (place >= 0) set(o, "graph", number(place));
    if (a->kind == ATTR_TENSOR) set(o, "type", type_json(a->type));
    push(list, o);
  }
  return list;
}

static json_t *graph_json(const graph_list *graphs, const graph *g) {
  json_t *o = tagged("name", text(g->class_name)), *nodes = made(json_array());
  FOR_EACH_NODE (n, g) push(nodes, node_json(graphs, n));
  set(o, "line", line_of(g->loc));
  set(o, "attributes", attributes_json(graphs, g));
  set(o, "nodes", nodes);
  return o;
}

/* ---- the module ---- */

/* A module without a signature has the parameters and results of its main graph. */
static json_t *ports_json(const module *m, bool inputs) {
  json_t *list = made(json_array());
  const port *rows = inputs ? m->inputs.data : m->outputs.data;
  int n = inputs ? m->inputs.len : m->outputs.len;
  for (int i = 0; i < n; i++) {
    const port *q = &rows[i];
    json_t *o = tagged("name", text(q->name));
    set(o, "kind", text(q->kind_text));
    set(o, "target", text(q->target ? q->target : q->tree));
    if (q->constant.kind != VAL_ABSENT) set(o, "constant", val_json(q->constant));
    push(list, o);
  }
  for (int i = 0;
       !m->has_signature && i < (inputs ? graph_n_placeholders(m->main) : graph_n_results(m->main));
       i++) {
    str name = {0};
    if (inputs) str_append(&name, graph_placeholder(m->main, i)->name);
    else val_print(&name, graph_result(m->main, i));
    json_t *o = tagged("name", of_str(&name));
    set(o, "kind", text(inputs ? "USER_INPUT" : "USER_OUTPUT"));
    set(o, "target", json_null());
    push(list, o);
  }
  return list;
}

static json_t *bound_json(int64_t k) {
  return k == INT64_MIN || k == INT64_MAX ? json_null() : number(k);
}

static json_t *range_json(json_t *of, int64_t min, int64_t max) {
  json_t *o = tagged("size", of);
  set(o, "min", bound_json(min));
  set(o, "max", bound_json(max));
  return o;
}

/* Of the symbols, then of expressions over them. */
static json_t *ranges_json(const module *m) {
  json_t *list = made(json_array());
  for (int i = 0; i < symtab_n_symbols(m->syms); i++) {
    const char *name = symtab_symbol(m->syms, i);
    int64_t min, max;
    sym_range(m->syms, name, &min, &max);
    push(list, range_json(text(name), min, max));
  }
  for (int i = 0; i < m->ranges.len; i++) {
    const range_constraint *c = &m->ranges.data[i];
    const char *name;
    if (!dim_is_symbol(c->expr, &name)) push(list, range_json(dim_json(c->expr), c->min, c->max));
  }
  return list;
}

static int append(const char *bytes, size_t n, void *out) {
  str_append_n(out, bytes, n);
  return 0;
}

void module_print_json(str *out, const module *m) {
  arena *mem = arena_new();
  graph_list reached = print_graphs(m, mem);
  json_t *all = tagged("format", text("scanc")), *graphs = made(json_array());
  for (int i = 0; i < reached.len; i++) push(graphs, graph_json(&reached, reached.data[i]));
  set(all, "version", number(1));
  set(all, "name", text(m->name));
  set(all, "inputs", ports_json(m, true));
  set(all, "outputs", ports_json(m, false));
  set(all, "sizes", ranges_json(m));
  set(all, "graphs", graphs);
  if (json_dump_callback(all, append, out, JSON_INDENT(1))) base_no_memory(0);
  str_char(out, '\n');
  json_decref(all);
  arena_free(mem);
}
