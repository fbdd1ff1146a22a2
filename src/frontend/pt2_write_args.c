/* Values of a graph as Arguments of the schema. */
#include <math.h>
#include <string.h>

#include "frontend/pt2_reader.h"
#include "frontend/pt2_writer.h"

static json_t *tagged(const char *key, json_t *v) {
  json_t *o = json_object();
  json_object_set_new(o, key, v);
  return o;
}

json_t *pt2_float_json(double f) {
  return isnan(f)   ? json_string("NaN")
         : isinf(f) ? json_string(f < 0 ? "-Infinity" : "Infinity")
                    : json_real(f);
}

static json_t *named(const char *name) { return tagged("name", json_string(name)); }

static json_t *node_value(pt2_writer *w, const node *user, const node *n) {
  const type *t = n->type;
  const char *name = pt2_name_of(w, n);
  graph *sub = val_graph(val_node((node *)n));
  if (sub) {
    json_t *g = pt2_graph_json(w, sub, false);
    return g ? tagged("as_graph", json_pack("{s:s, s:o}", "name", n->path, "graph", g)) : NULL;
  }
  if (!t) return pt2_refuse(w, user, "the type of '%.100s' is not known", name);
  json_t *symbol = t->kind == TYPE_TENSOR ? NULL : tagged("as_name", json_string(name));
  switch (t->kind) {
    case TYPE_TENSOR: return tagged("as_tensor", named(name));
    case TYPE_INT: return tagged("as_sym_int", symbol);
    case TYPE_BOOL: return tagged("as_sym_bool", symbol);
    case TYPE_FLOAT: return tagged("as_sym_float", symbol);
    default: json_decref(symbol); return pt2_refuse(w, user, "'%.100s' is no single value", name);
  }
}

/* ---- lists ---- */

typedef struct {
  int nodes, tensors, ints, floats, bools, nones;
} census;

static census count(val v) {
  census c = {0};
  for (int i = 0; i < v.n; i++) {
    val x = v.items[i];
    c.nodes += x.kind == VAL_NODE;
    c.tensors += x.kind == VAL_NODE && type_is_tensor(x.node->type);
    c.ints += x.kind == VAL_INT;
    c.floats += x.kind == VAL_FLOAT;
    c.bools += x.kind == VAL_BOOL;
    c.nones += x.kind == VAL_NONE;
  }
  return c;
}

/* The alternative for a list; an empty one goes by the parameter. */
static const char *list_key(const census *c, int n, const aten_param *p) {
  if (n == 0) return p && strncmp(p->type, "Tensor", 6) ? "as_ints" : "as_tensors";
  if (c->tensors && c->nodes + c->nones == n)
    return c->nones ? "as_optional_tensors" : "as_tensors";
  if (c->ints == n) return "as_ints";
  if (c->nodes + c->ints == n) return "as_sym_ints";
  if (c->floats + c->ints == n) return "as_floats";
  return c->bools == n ? "as_bools" : NULL;
}

static json_t *list_item(pt2_writer *w, const char *key, val x) {
  bool is_node = x.kind == VAL_NODE;
  if (!strcmp(key, "as_tensors")) return named(pt2_name_of(w, x.node));
  if (!strcmp(key, "as_optional_tensors"))
    return is_node ? tagged("as_tensor", named(pt2_name_of(w, x.node)))
                   : tagged("as_none", json_true());
  if (!strcmp(key, "as_sym_ints"))
    return is_node ? tagged("as_name", json_string(pt2_name_of(w, x.node)))
                   : tagged("as_int", json_integer(x.i));
  if (!strcmp(key, "as_floats")) return pt2_float_json(x.kind == VAL_INT ? (double)x.i : x.f);
  return !strcmp(key, "as_bools") ? json_boolean(x.i) : json_integer(x.i);
}

static json_t *list(pt2_writer *w, const node *user, val v, const aten_param *p) {
  census c = count(v);
  const char *key = list_key(&c, v.n, p);
  if (!key) return pt2_refuse(w, user, "a list of mixed values");
  json_t *items = json_array();
  for (int i = 0; i < v.n; i++) json_array_append_new(items, list_item(w, key, v.items[i]));
  return tagged(key, items);
}

/* ---- words ---- */

static json_t *atom(pt2_writer *w, const node *user, const char *s) {
  static const char *const formats[] = {"torch.contiguous_format", "torch.channels_last",
                                        "torch.channels_last_3d", "torch.preserve_format"};
  for (int i = 0; i < 4; i++)
    if (!strcmp(s, formats[i])) return tagged("as_memory_format", json_integer(i + 1));
  if (!strcmp(s, "torch.strided")) return tagged("as_layout", json_integer(7));
  if (!strncmp(s, "device(type='cpu'", 17))
    return tagged("as_device", json_pack("{s:s, s:n}", "type", "cpu", "index"));
  return pt2_refuse(w, user, "the literal %.100s", s);
}

json_t *pt2_value_json(pt2_writer *w, const node *user, val v, const aten_param *p) {
  switch (v.kind) {
    case VAL_NODE: return node_value(w, user, v.node);
    case VAL_NONE: return tagged("as_none", json_true());
    case VAL_BOOL: return tagged("as_bool", json_boolean(v.i));
    case VAL_INT: return tagged("as_int", json_integer(v.i));
    case VAL_FLOAT: return tagged("as_float", pt2_float_json(v.f));
    case VAL_COMPLEX:
      return tagged("as_complex", json_pack("{s:o, s:o}", "real", pt2_float_json(v.f), "imag",
                                            pt2_float_json(v.im)));
    case VAL_STR: return tagged("as_string", json_stringn(v.s, (size_t)v.n));
    case VAL_DTYPE: return tagged("as_scalar_type", json_integer(pt2_dtype_code(v.dtype)));
    case VAL_ATOM: return atom(w, user, v.s);
    case VAL_LIST:
    case VAL_TUPLE:
    case VAL_SIZE: return list(w, user, v, p);
    default: return pt2_refuse(w, user, "an argument that archives cannot hold");
  }
}
