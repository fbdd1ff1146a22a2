/* Graphs in the JSON of archives. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "frontend/pt2_reader.h"
#include "frontend/pt2_writer.h"
#include "frontend/sym_call.h"
#include "ir/number_op.h"

static const char hop_prefix[] = "torch.ops.higher_order.", aten_prefix[] = "torch.ops.aten.";

static bool begins(const char *s, const char *prefix) {
  return !strncmp(s, prefix, strlen(prefix));
}

/* ---- types ---- */

/* The expression as sympy's srepr has it; a symbol of it may be the text of a Piecewise. False: it
 * has what sympy has not. */
static bool size_code(pt2_writer *w, dim d, str *out) {
  fx_sym x;
  str text = {0};
  dim_print_srepr(out, d);
  bool ok = pt2_is_srepr(w->m, w->tmp, str_cstr(out));
  if (!ok) {
    str_clear(out);
    dim_print(&text, d);
    ok = fx_sym_parse(w->m, w->tmp, str_cstr(&text), &x) && x.code &&
         pt2_is_srepr(w->m, w->tmp, x.code);
    if (ok) str_append(out, x.code);
    str_free(&text);
  }
  return ok;
}

static json_t *size_json(pt2_writer *w, dim d) {
  int64_t hint;
  if (dim_is_int(d)) return json_pack("{s:I}", "as_int", (json_int_t)d.k);
  str text = {0};
  if (!size_code(w, d, &text)) {
    dim_print(&text, d);
    pt2_refuse(w, NULL, "the size '%.100s' is no expression of sympy's", str_cstr(&text));
  }
  json_t *hinted = dim_eval(w->m->syms, d, w->hints, w->known, &hint)
                       ? json_pack("{s:I}", "as_int", (json_int_t)hint)
                       : json_null();
  json_t *out = json_pack("{s:{s:s, s:o}}", "as_expr", "expr_str", str_cstr(&text), "hint", hinted);
  str_free(&text);
  return out;
}

json_t *pt2_meta_json(pt2_writer *w, const type *t) {
  json_t *sizes = json_array(), *strides = json_array();
  dim stride = dim_int(1);
  for (int i = t->n - 1; i >= 0; i--) {
    json_array_insert_new(sizes, 0, size_json(w, t->dims[i]));
    json_array_insert_new(strides, 0, size_json(w, stride));
    stride = dim_mul(w->m->syms, stride, dim_is(t->dims[i], 0) ? dim_int(1) : t->dims[i]);
  }
  return json_pack("{s:i, s:o, s:b, s:{s:s, s:n}, s:o, s:{s:i}, s:i}", "dtype",
                   pt2_dtype_code(t->dtype), "sizes", sizes, "requires_grad", 0, "device", "type",
                   "cpu", "index", "strides", strides, "storage_offset", "as_int", 0, "layout", 7);
}

static number number_of(const pt2_writer *w, val v) {
  switch (v.kind) {
    case VAL_INT: return (number){.cls = 'i', .i = v.i, .f = (double)v.i};
    case VAL_BOOL: return (number){.cls = 'b', .i = v.i, .f = (double)v.i};
    case VAL_FLOAT: return (number){.cls = 'f', .f = v.f};
    case VAL_NODE: return w->values[v.node->id];
    default: return (number){0};
  }
}

/* What the hints of sizes make of a number. */
static void find_value(pt2_writer *w, const node *n) {
  number a[3], *out = &w->values[n->id];
  const type *t = n->type;
  int64_t k;
  *out = (number){0};
  if (!t) return;
  if (t->kind == TYPE_INT && dim_eval(w->m->syms, t->i, w->hints, w->known, &k))
    *out = (number){.cls = 'i', .i = k, .f = (double)k};
  bool ready = t->kind == TYPE_FLOAT || t->kind == TYPE_BOOL;
  ready = ready && n->op && !strncmp(n->op->name, "sym_", 4) && n->op->n_operands <= 3 &&
          n->op->id != OP_sym_sum;
  for (int i = 0; ready && i < n->op->n_operands; i++) {
    a[i] = number_of(w, n->operands[i]);
    ready = a[i].cls;
  }
  if (ready && number_op(n->op->id, a, n->op->n_operands, out) != NUMBER_OK) *out = (number){0};
}

/* A float or truth value: known, or an expression. */
static json_t *number_json(pt2_writer *w, const node *n, const type *t) {
  bool is_bool = t->kind == TYPE_BOOL;
  if (t->known)
    return json_pack("{s:o}", is_bool ? "as_bool" : "as_float",
                     is_bool ? json_boolean(t->i.k) : pt2_float_json(t->f));
  fx_sym x;
  number v = w->values[n->id];
  bool hinted = !is_bool && v.cls == 'f' && isfinite(v.f);
  if (t->s && *t->s && fx_sym_parse(w->m, w->tmp, t->s, &x) && x.kind != FX_SYM_INT && x.code &&
      pt2_is_srepr(w->m, w->tmp, x.code))
    return json_pack("{s:{s:s, s:o}}", "as_expr", "expr_str", x.code, "hint",
                     hinted ? json_pack("{s:f}", "as_float", v.f) : json_null());
  return pt2_refuse(w, n, "the %s '%.100s' of '%.100s' is no expression of sympy's",
                    is_bool ? "condition" : "float", t->s ? t->s : "", n->name);
}

/* Where the type of a named value stands. */
static void add_value(pt2_writer *w, json_t *owner, const node *n) {
  const type *t = n->type;
  if (!t) return;
  const char *table = t->kind == TYPE_TENSOR  ? "tensor_values"
                      : t->kind == TYPE_INT   ? "sym_int_values"
                      : t->kind == TYPE_BOOL  ? "sym_bool_values"
                      : t->kind == TYPE_FLOAT ? "sym_float_values"
                                              : NULL;
  if (!table) return;
  json_t *v = t->kind == TYPE_TENSOR ? pt2_meta_json(w, t)
              : t->kind == TYPE_INT  ? size_json(w, t->i)
                                     : number_json(w, n, t);
  if (v) json_object_set_new(json_object_get(owner, table), pt2_name_of(w, n), v);
}

/* ---- items of tuples ---- */

const node *pt2_item_of(const node *n, int64_t *k) {
  if (n->kind != NODE_CALL_FUNCTION || strcmp(n->path, "operator.getitem") || n->n_args != 2 ||
      n->args[0].kind != VAL_NODE || n->args[1].kind != VAL_INT)
    return NULL;
  const node *from = n->args[0].node;
  *k = n->args[1].i;
  return from->type && from->type->kind == TYPE_LIST && *k >= 0 && *k < from->type->n ? from : NULL;
}

const char *pt2_name_of(const pt2_writer *w, const node *n) {
  return w->first[n->id] ? w->first[n->id]->name : n->name;
}

static void find_items(pt2_writer *w, graph *g) {
  map seen = map_make(w->tmp);
  int64_t k;
  FOR_EACH_NODE (n, g) {
    const node *from = pt2_item_of(n, &k);
    if (!from) continue;
    const char *key = arena_printf(w->tmp, "%d.%lld", from->id, (long long)k);
    node *first = map_get(&seen, key);
    if (!first) map_set(&seen, key, n);
    w->first[n->id] = first ? first : n;
  }
}

/* ---- calls ---- */

static json_t *input(pt2_writer *w, const node *n, const char *name, int len, val v,
                     const aten_param *p, int kind) {
  json_t *arg = pt2_value_json(w, n, v, p);
  return arg ? json_pack("{s:s%, s:o, s:i}", "name", name, (size_t)len, "arg", arg, "kind", kind)
             : NULL;
}

static bool push(json_t *list, json_t *v) { return v && json_array_append_new(list, v) == 0; }

static const aten_param *param_named(const aten_schema *s, const char *name) {
  for (int i = 0; s && i < s->n; i++)
    if ((int)strlen(name) == s->p[i].name_len && !memcmp(name, s->p[i].name, strlen(name)))
      return &s->p[i];
  return NULL;
}

/* The arguments as they are written. */
static bool written_inputs(pt2_writer *w, const node *n, const aten_schema *s, json_t *out) {
  for (int i = 0; i < n->n_args; i++) {
    bool positional = i < n->n_pos;
    const char *kw = positional ? "" : n->kw[i - n->n_pos];
    const aten_param *p = !positional ? param_named(s, kw) : s && i < s->n ? &s->p[i] : NULL;
    const char *name = positional && p ? p->name : kw;
    int len = positional && p ? p->name_len : (int)strlen(kw);
    if (!push(out, input(w, n, name, len, n->args[i], p, positional ? 1 : 2))) return false;
  }
  return true;
}

/* Operands in the places of the overload's parameters. */
static bool placed_inputs(pt2_writer *w, const node *n, const aten_schema *s, json_t *out) {
  val placed[MAX_OPERANDS];
  bool positional = true;
  aten_place_operands(n->row, n->op, n->operands, n->op->n_operands, placed);
  for (int k = 0; k < s->n; k++) {
    const aten_param *p = &s->p[k];
    val v = p->operand >= 0 ? placed[p->operand] : val_absent();
    bool given =
        v.kind != VAL_ABSENT && !(p->has_default && val_equal(v, p->default_value, NULL, NULL));
    positional = positional && given && !p->kw_only;
    if (given && !push(out, input(w, n, p->name, p->name_len, v, p, positional ? 1 : 2)))
      return false;
  }
  return true;
}

/* "torch.ops.aten.add_.Tensor" for a method or function that means it. */
static const char *overload_path(pt2_writer *w, const node *n) {
  const char *name = n->row->name, *dot = strchr(name, '.');
  if (!n->in_place || !dot) return arena_printf(w->tmp, "%s%s", aten_prefix, name);
  return arena_printf(w->tmp, "%s%.*s_%s", aten_prefix, (int)(dot - name), name, dot);
}

static bool on_numbers(const node *n) {
  return n->kind == NODE_CALL_FUNCTION && n->type && !type_is_tensor(n->type) &&
         (begins(n->path, "operator.") || begins(n->path, "torch.sym_") ||
          begins(n->path, "torch._sym_") || begins(n->path, "math."));
}

static json_t *call_inputs(pt2_writer *w, const node *n, const char **target) {
  json_t *out = json_array();
  bool exact = n->kind == NODE_CALL_FUNCTION &&
               (begins(n->path, aten_prefix) || begins(n->path, hop_prefix));
  const aten_schema *s =
      n->row && !begins(n->path ? n->path : "", hop_prefix) ? aten_schema_of(n->row) : NULL;
  *target = n->path;
  bool ok;
  if (on_numbers(n)) {
    if (begins(n->path, "operator.")) *target = arena_printf(w->tmp, "_%s", n->path);
    ok = written_inputs(w, n, NULL, out);
  } else if (exact) {
    ok = written_inputs(w, n, s, out);
  } else {
    ok = s && n->op;
    if (!ok) pt2_refuse(w, n, "'%.100s' has no ATen overload", n->path);
    else *target = overload_path(w, n);
    ok = ok && placed_inputs(w, n, s, out);
  }
  if (ok) return out;
  json_decref(out);
  return NULL;
}

/* Whether the schema says Tensor[] instead of a tuple. */
static bool returns_list(const node *n) {
  switch (n->op ? n->op->id : N_OPS) {
    case OP_split:
    case OP_split_with_sizes:
    case OP_chunk:
    case OP_tensor_split:
    case OP_hsplit:
    case OP_vsplit:
    case OP_dsplit:
    case OP_unbind:
    case OP_meshgrid:
    case OP_broadcast_tensors: return true;
    default: return false;
  }
}

static const char *item_name(pt2_writer *w, const node *n, int64_t k) {
  int64_t i;
  for (const use *u = n->uses; u; u = u->next)
    if (pt2_item_of(u->user, &i) == n && i == k) return pt2_name_of(w, u->user);
  return NULL;
}

/* An item that nothing reads has a name too, and a type. */
static json_t *tuple_outputs(pt2_writer *w, const node *n, json_t *owner) {
  json_t *out = json_array(), *names = json_array();
  for (int k = 0; k < n->type->n; k++) {
    const char *name = item_name(w, n, k);
    node unused = {.id = n->id,
                   .name = arena_printf(w->tmp, "%s_unused_%d", n->name, k),
                   .type = n->type->items[k]};
    if (!unused.type || unused.type->kind == TYPE_NONE) { /* a y that is None */
      json_array_append_new(out, json_pack("{s:b}", "as_none", 1));
      continue;
    }
    if (!name) {
      name = unused.name;
      add_value(w, owner, &unused);
    }
    bool integer = unused.type && unused.type->kind == TYPE_INT;
    json_array_append_new(names, json_pack("{s:s}", "name", name));
    json_array_append_new(out, integer ? json_pack("{s:{s:s}}", "as_sym_int", "as_name", name)
                                       : json_pack("{s:{s:s}}", "as_tensor", "name", name));
  }
  if (returns_list(n)) {
    json_array_clear(out);
    json_array_append_new(out, json_pack("{s:O}", "as_tensors", names));
  }
  json_decref(names);
  return out;
}

static json_t *call_outputs(pt2_writer *w, const node *n, json_t *owner) {
  if (n->type && n->type->kind == TYPE_LIST) return tuple_outputs(w, n, owner);
  json_t *out = json_array();
  if (n->op && (n->op->traits & T_EFFECT) && !type_is_tensor(n->type)) return out;
  if (push(out, pt2_value_json(w, n, val_node((node *)n), NULL))) return out;
  json_decref(out);
  return NULL;
}

static json_t *node_json(pt2_writer *w, const node *n, json_t *owner) {
  const char *target;
  if (n->kind != NODE_CALL_FUNCTION && n->kind != NODE_CALL_METHOD)
    return pt2_refuse(w, n,
                      "'%.100s' is a module or an attribute with data; expected the text of an "
                      "exported program, of which parameters are inputs",
                      n->name);
  json_t *inputs = call_inputs(w, n, &target);
  json_t *outputs = inputs ? call_outputs(w, n, owner) : NULL;
  bool tuple = n->type && n->type->kind == TYPE_LIST;
  json_t *metadata = json_object(),
         *single = begins(target, hop_prefix) ? json_boolean(!tuple) : json_null();
  if (outputs && n->origin.file) {
    char trace[400];
    snprintf(trace, sizeof trace, "  File \"%.300s\", line %d, in forward\n", n->origin.file,
             n->origin.line);
    json_object_set_new(metadata, "stack_trace", json_string(trace));
  }
  if (outputs)
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:s}", "target", target, "inputs", inputs,
                     "outputs", outputs, "metadata", metadata, "is_hop_single_tensor_return",
                     single, "name", n->name);
  json_decref(inputs);
  json_decref(metadata);
  json_decref(single);
  return NULL;
}

/* ---- graphs ---- */

static bool is_listed(const node *n) {
  int64_t k;
  return n->kind != NODE_PLACEHOLDER && n->kind != NODE_OUTPUT && !pt2_item_of(n, &k) &&
         !val_graph(val_node((node *)n));
}

/* An archive said so, or a text has a default that nothing reads. */
bool pt2_constant(const pt2_writer *w, const node *parameter, val *out) {
  const type *t = parameter->type;
  const port *p = pt2_port(w->m, parameter);
  bool symbolic = t && ((t->kind == TYPE_INT && !dim_is_int(t->i)) ||
                        ((t->kind == TYPE_BOOL || t->kind == TYPE_FLOAT) && !t->known));
  *out = parameter->n_args == 1 ? parameter->args[0] : val_absent();
  if (p && parameter->owner == w->m->main && !parameter->n_args) *out = p->constant;
  return out->kind != VAL_ABSENT && !parameter->uses && !type_is_tensor(t) && !symbolic;
}

static bool fill(pt2_writer *w, graph *g, json_t *j) {
  json_t *inputs = json_object_get(j, "inputs"), *nodes = json_object_get(j, "nodes");
  FOR_EACH_NODE (n, g) {
    find_value(w, n);
    val v;
    bool constant = n->kind == NODE_PLACEHOLDER && pt2_constant(w, n, &v);
    bool repeated = w->first[n->id] && w->first[n->id] != n;
    if (n->kind != NODE_OUTPUT && !constant && !repeated) add_value(w, j, n);
    val given = constant ? v : val_node(n);
    if (n->kind == NODE_PLACEHOLDER && !push(inputs, pt2_value_json(w, n, given, NULL)))
      return false;
    if (is_listed(n) && !push(nodes, node_json(w, n, j))) return false;
  }
  const node *out = graph_output(g);
  for (int i = 0; i < graph_n_results(g); i++)
    if (!push(json_object_get(j, "outputs"), pt2_value_json(w, out, graph_result(g, i), NULL)))
      return false;
  return !w->err->code;
}

json_t *pt2_graph_json(pt2_writer *w, graph *g, bool main) {
  const node *out = graph_output(g);
  bool single = !main && out->args[0].kind == VAL_NODE;
  json_t *j = json_pack("{s:[], s:[], s:[], s:{}, s:{}, s:{}, s:b, s:{}, s:{}}", "inputs",
                        "outputs", "nodes", "tensor_values", "sym_int_values", "sym_bool_values",
                        "is_single_tensor_return", single, "custom_obj_values", "sym_float_values");
  find_items(w, g);
  if (fill(w, g, j)) return j;
  json_decref(j);
  return NULL;
}

/* ---- size ---- */

enum { MAX_REPEATED = 100000 };

static int64_t graph_size(pt2_writer *w, graph *g, int64_t *known);

static int64_t size_in(pt2_writer *w, val v, int64_t *known) {
  int64_t n = 0;
  graph *sub = val_graph(v);
  if (sub) return graph_size(w, sub, known);
  for (int i = 0; (v.kind == VAL_LIST || v.kind == VAL_TUPLE) && i < v.n; i++)
    n += size_in(w, v.items[i], known);
  return n;
}

/* Operations of the graph and of those in it, each as often as it is used; at most what is too
 * many. known: results by the number of the graph's output. */
static int64_t graph_size(pt2_writer *w, graph *g, int64_t *known) {
  int64_t limit = w->m->n_ids + (int64_t)MAX_REPEATED + 1, n = 0;
  int id = graph_output(g)->id;
  if (known[id]) return known[id];
  FOR_EACH_NODE (x, g) {
    n++;
    for (int i = 0; i < x->n_args && n < limit; i++) n += size_in(w, x->args[i], known);
  }
  return known[id] = n < limit ? n : limit;
}

bool pt2_has_room(pt2_writer *w) {
  int64_t *known = ARENA_ARRAY(w->tmp, int64_t, w->m->n_ids);
  if (graph_size(w, w->m->main, known) <= w->m->n_ids + (int64_t)MAX_REPEATED) return true;
  pt2_refuse(w, NULL,
             "an archive repeats each graph where it is used, here more than %d operations",
             MAX_REPEATED);
  return false;
}
