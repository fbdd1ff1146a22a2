/* Graphs of archives: parameters, nodes, results. */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/annotation.h"
#include "frontend/pt2_reader.h"

static const char hop_prefix[] = "torch.ops.higher_order.";

/* ---- names ---- */

static bool is_declared(const pt2_body *b, const char *name) {
  static const char *const tables[] = {"tensor_values", "sym_int_values", "sym_bool_values",
                                       "sym_float_values"};
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
    if (json_object_get(json_object_get(b->json, tables[i]), name)) return true;
  return false;
}

const char *pt2_fresh(void *body, const char *base) {
  pt2_body *b = body;
  const char *name = base;
  while (map_has(&b->names, name) || graph_find(b->g, name) || is_declared(b, name))
    name = arena_printf(b->r->mem, "%s_%d", base, ++b->n_fresh);
  return name;
}

bool pt2_define(pt2_body *b, const char *name, node *n) {
  SCANC_TRY(pt2_check_name(b->r, name, "a value"));
  if (map_has(&b->names, name))
    return pt2_fail(b->r, SCANC_ERR_DUPLICATE_NAME, "'%.100s' is defined twice in %.100s", name,
                    b->g->class_name);
  map_set(&b->names, arena_strdup(b->r->tmp, name), n);
  return true;
}

/* ---- parameters ---- */

static bool is_constant(val v) {
  return v.kind == VAL_NONE || v.kind == VAL_BOOL || v.kind == VAL_INT || v.kind == VAL_FLOAT ||
         v.kind == VAL_STR;
}

/* An input that is a constant: PyTorch has it as a parameter that nothing reads. The text that it
 * prints does not say which constant; for inputs of the program it is kept with the port. */
static bool constant_parameter(pt2_body *b, json_t *arg, json_t *spec) {
  val v, *kept;
  const char *name = pt2_spec_name(spec);
  SCANC_TRY(pt2_argument(b, arg, false, &v));
  name = name && !map_has(&b->names, name) ? name : pt2_fresh(b, "arg");
  bool bare = spec && is_constant(v);
  node *n = node_placeholder(&b->c, name, name, NULL, bare ? val_absent() : v);
  if (bare) {
    kept = ARENA_NEW(b->r->tmp, val);
    *kept = v;
    map_set(&b->r->constants, n->name, kept);
  }
  return pt2_define(b, name, n);
}

static bool parameter(pt2_body *b, json_t *arg, json_t *spec) {
  const char *name, *key;
  const type *stated;
  json_t *v;
  SCANC_TRY(pt2_result_name(b->r, arg, &name));
  SCANC_TRY(pt2_union(b->r, arg, "parameter", &key, &v));
  if (!name) return constant_parameter(b, arg, spec);
  SCANC_TRY(pt2_stated_type(b, name, &stated));
  node *n = node_placeholder(&b->c, name, name, stated, val_absent());
  n->annotated = stated != NULL;
  return pt2_define(b, name, n);
}

static bool parameters(pt2_body *b, json_t *specs) {
  size_t i;
  json_t *arg, *inputs = pt2_field(b->json, "inputs");
  if (!json_is_array(inputs)) return pt2_fail(b->r, SCANC_ERR_BAD_JSON, "a graph without inputs");
  json_array_foreach (inputs, i, arg) SCANC_TRY(parameter(b, arg, json_array_get(specs, i)));
  return true;
}

/* ---- calls ---- */

node *pt2_call(pt2_body *b, const char *name, const char *path, const val *args, int n_pos,
               const char *const *kw, int n_kw, const type *stated) {
  module *m = b->r->m;
  m->lenient = stated || !strncmp(path, hop_prefix, strlen(hop_prefix));
  node *n = node_call(&b->c, name, path, args, n_pos, kw, n_kw);
  if (m->err.code || (stated && !annotation_apply(n, stated, b->c.loc))) return NULL;
  return n;
}

bool pt2_items(pt2_body *b, node *tuple, json_t *results) {
  size_t i;
  json_t *arg;
  json_array_foreach (results, i, arg) {
    const char *name;
    const type *stated;
    val args[2] = {val_node(tuple), val_int((int64_t)i)};
    SCANC_TRY(pt2_output_name(b->r, arg, &name));
    if (!name) continue;
    if (!strcmp(name, arena_printf(b->r->tmp, "%s_unused_%zu", tuple->name, i))) continue;
    SCANC_TRY(pt2_stated_type(b, name, &stated));
    node *n = pt2_call(b, name, "operator.getitem", args, 2, NULL, 0, stated);
    if (!n || !pt2_define(b, name, n)) return false;
  }
  return true;
}

/* "  File "model.py", line 6, in forward": the last such line of a stack trace. */
static src_loc origin_of(pt2 *r, const char *trace) {
  src_loc out = {0};
  for (const char *p = trace; p && (p = strstr(p, "File \"")) != NULL;) {
    const char *end = strchr(p += 6, '"');
    if (!end || end - p > 200 || strncmp(end, "\", line ", 8)) continue;
    bool clean = end > p;
    for (const char *q = p; q < end; q++) clean = clean && (unsigned char)*q >= ' ';
    long line = strtol(end + 8, NULL, 10);
    if (line < 0 || line > INT_MAX) line = 0;
    if (clean)
      out = (src_loc){.file = arena_strndup(r->mem, p, (size_t)(end - p)), .line = (int)line};
  }
  return out;
}

/* Archives before 2.8 do not say which arguments are positional: those that stand where the schema
 * has them. */
static bool is_positional(const char *path, json_t *input, const char *name, int i) {
  static const char prefix[] = "torch.ops.aten.";
  json_t *kind = pt2_field(input, "kind");
  if (!name || !*name || json_integer_value(kind) == 1) return true;
  if (kind || strncmp(path, prefix, strlen(prefix))) return false;
  const char *packet = path + strlen(prefix);
  const aten_row *row = aten_find(packet, strlen(packet));
  const aten_schema *s = row ? aten_schema_of(row) : NULL;
  return s && i < s->n && !s->p[i].kw_only && (int)strlen(name) == s->p[i].name_len &&
         !memcmp(name, s->p[i].name, strlen(name));
}

/* PyTorch prints lists of tensors as tuples where an operator passes them to a subgraph. */
static bool is_tuple(const char *path, size_t i) {
  if (strncmp(path, hop_prefix, strlen(hop_prefix))) return false;
  const char *op = path + strlen(hop_prefix);
  if (!strcmp(op, "scan")) return i != 1 && i != 2;
  return (strcmp(op, "associative_scan") && strcmp(op, "map_impl")) || i != 1;
}

typedef struct {
  VEC(val) args;
  VEC(const char *) kw;
} call_args;

static bool arguments(pt2_body *b, const char *path, json_t *inputs, call_args *a) {
  size_t i;
  json_t *input;
  if (!json_is_array(inputs))
    return pt2_fail(b->r, SCANC_ERR_BAD_JSON, "a call of %.100s without inputs", path);
  json_array_foreach (inputs, i, input) {
    val v;
    const char *name = pt2_text(input, "name");
    SCANC_TRY(pt2_argument(b, pt2_field(input, "arg"), is_tuple(path, i), &v));
    bool positional = !a->kw.len && is_positional(path, input, name, (int)i);
    if (!positional && (!name || !*name))
      return pt2_fail(b->r, SCANC_ERR_BAD_JSON, "%.100s: an argument without a name", path);
    if (!positional) SCANC_TRY(pt2_check_name(b->r, name, "an argument"));
    vec_push(b->r->tmp, &a->args, v);
    if (!positional) vec_push(b->r->tmp, &a->kw, name);
  }
  return true;
}

/* "_operator.add" is operator.add; all else is called what the printed form calls it. */
static const char *path_of(pt2 *r, const char *target) {
  return strncmp(target, "_operator.", 10) ? target : arena_printf(r->mem, "%s", target + 1);
}

/* The names of a call's results if it gives a tuple; NULL: one value, or none. */
static json_t *tuple_results(json_t *n, const char *path, json_t *outputs) {
  json_t *first = json_array_get(outputs, 0), *list = pt2_field(first, "as_tensors");
  if (!list) list = pt2_field(first, "as_optional_tensors");
  if (json_array_size(outputs) == 1 && list) return list;
  bool hop = !strncmp(path, hop_prefix, strlen(hop_prefix));
  bool tuple = hop ? !json_is_true(json_object_get(n, "is_hop_single_tensor_return"))
                   : json_array_size(outputs) > 1;
  return tuple ? outputs : NULL;
}

/* as_tensors lists names only: as Arguments. */
static json_t *as_arguments(json_t *results) {
  json_t *out = json_array(), *x;
  size_t i;
  json_array_foreach (results, i, x) {
    bool argument = pt2_field(x, "as_tensor") || !pt2_field(x, "name");
    if (argument) json_array_append(out, x);
    else json_array_append_new(out, json_pack("{s:O}", "as_tensor", x));
  }
  return out;
}

static bool tuple_call(pt2_body *b, json_t *j, const char *name, const char *path,
                       const call_args *a, json_t *results) {
  bool done;
  int n_kw = a->kw.len, n_pos = a->args.len - n_kw;
  if (!n_kw && !pt2_old_form(b, j, name, path, a->args.data, n_pos, &done)) return false;
  if (!n_kw && done) return true;
  node *n = pt2_call(b, name, path, a->args.data, n_pos, a->kw.data, n_kw, NULL);
  if (!n) return false;
  json_t *list = as_arguments(results);
  bool ok = pt2_items(b, n, list);
  json_decref(list);
  return ok;
}

static bool single_call(pt2_body *b, json_t *j, const char *path, const call_args *a,
                        json_t *outputs) {
  const char *name = NULL;
  const type *stated = NULL;
  int n_kw = a->kw.len;
  if (json_array_size(outputs)) SCANC_TRY(pt2_output_name(b->r, json_array_get(outputs, 0), &name));
  if (name) SCANC_TRY(pt2_stated_type(b, name, &stated));
  const char *called = name ? name : pt2_text(j, "name");
  node *n = pt2_call(b, called, path, a->args.data, a->args.len - n_kw, a->kw.data, n_kw, stated);
  return n && (!name || pt2_define(b, name, n));
}

/* The arguments of the call that `name` stands for in messages. */
static bool named_arguments(pt2_body *b, const char *name, const char *path, json_t *inputs,
                            call_args *a) {
  const char *outer = b->r->call;
  b->r->call = name;
  bool ok = arguments(b, path, inputs, a);
  b->r->call = outer;
  return ok;
}

static bool read_call(pt2_body *b, json_t *j) {
  call_args a = {0};
  const char *target = pt2_text(j, "target"), *name = pt2_text(j, "name");
  json_t *outputs = pt2_field(j, "outputs");
  if (!target) return pt2_fail(b->r, SCANC_ERR_BAD_JSON, "a node without a target");
  const char *path = path_of(b->r, target);
  SCANC_TRY(named_arguments(b, name ? name : target, path, pt2_field(j, "inputs"), &a));
  json_t *results = tuple_results(j, path, outputs);
  if (!results) return single_call(b, j, path, &a, outputs);
  const char *dot = strrchr(path, '.');
  name = name && *name ? name : pt2_fresh(b, dot && dot[1] ? dot + 1 : "call");
  return tuple_call(b, j, name, path, &a, results);
}

/* What messages say of a node: an archive has no lines to point at. */
static src_loc loc_of(pt2 *r, const char *name, src_loc origin) {
  if (!name || !*name) name = "without a name";
  return (src_loc){.note = origin.file ? arena_printf(r->mem, "node %.100s, %s:%d", name,
                                                      origin.file, origin.line)
                                       : arena_printf(r->mem, "node %.100s", name)};
}

static bool read_node(pt2_body *b, json_t *j) {
  src_loc outer = b->r->loc;
  b->c.origin = origin_of(b->r, pt2_text(pt2_field(j, "metadata"), "stack_trace"));
  b->r->loc = b->c.loc = loc_of(b->r, pt2_text(j, "name"), b->c.origin);
  bool ok = read_call(b, j);
  b->r->loc = outer;
  return ok;
}

/* ---- graphs ---- */

static bool results(pt2_body *b, bool main) {
  VEC(val) items = {0};
  size_t i;
  json_t *arg, *outputs = pt2_field(b->json, "outputs");
  val v;
  if (!json_is_array(outputs)) return pt2_fail(b->r, SCANC_ERR_BAD_JSON, "a graph without outputs");
  json_array_foreach (outputs, i, arg) {
    SCANC_TRY(pt2_argument(b, arg, false, &v));
    vec_push(b->r->tmp, &items, v);
  }
  bool single = json_is_true(json_object_get(b->json, "is_single_tensor_return"));
  if (!single || items.len != 1)
    v = val_seq(b->r->mem, main ? VAL_TUPLE : VAL_LIST, items.data, items.len);
  b->c.origin = (src_loc){0};
  b->c.loc = b->r->loc;
  node_output(&b->c, v);
  return true;
}

static bool read_graph(pt2_body *b, json_t *input_specs) {
  size_t i;
  json_t *n, *nodes = pt2_field(b->json, "nodes");
  if (!json_is_object(b->json)) return pt2_fail(b->r, SCANC_ERR_BAD_JSON, "expected a graph");
  SCANC_TRY(parameters(b, input_specs));
  if (!json_is_array(nodes)) return pt2_fail(b->r, SCANC_ERR_BAD_JSON, "a graph without nodes");
  json_array_foreach (nodes, i, n) SCANC_TRY(read_node(b, n));
  return results(b, input_specs != NULL);
}

graph *pt2_graph(pt2 *r, json_t *json, const char *name, json_t *input_specs) {
  if (r->depth++ >= PT2_MAX_GRAPH_DEPTH) {
    pt2_record(r, SCANC_ERR_TOO_DEEP, "graphs nested deeper than %d", PT2_MAX_GRAPH_DEPTH);
    return NULL;
  }
  graph *g = graph_new(r->m, name);
  pt2_body b = {.r = r, .g = g, .json = json, .c = cursor_end(g)};
  b.c.loc = r->loc; /* of the call that has the graph */
  b.names = map_make(r->tmp);
  b.subgraphs = map_make(r->tmp);
  bool ok = read_graph(&b, input_specs) && !r->m->err.code;
  r->depth--;
  return ok ? g : NULL;
}
