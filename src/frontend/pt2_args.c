/* Arguments: from a union of the schema to a value of the graph. */
#include <string.h>

#include "frontend/pt2_reader.h"

bool pt2_lookup(pt2_body *b, const char *name, val *out) {
  if (!name) return pt2_fail(b->r, SCANC_ERR_BAD_JSON, "an argument without a name");
  node *n = map_get(&b->names, name);
  if (n) *out = val_node(n);
  return n || pt2_fail(b->r, SCANC_ERR_UNDEFINED_NAME,
                       "'%.100s' is used in %.100s, but not defined above its use", name,
                       b->g->class_name);
}

/* ---- alternatives: each turns the value of one key into `out` ---- */

typedef bool convert(pt2_body *b, json_t *v, val *out);

static bool none(pt2_body *b, json_t *v, val *out) {
  (void)b, (void)v;
  *out = val_none();
  return true;
}

static bool named(pt2_body *b, json_t *v, val *out) {
  return pt2_lookup(b, pt2_text(v, "name"), out);
}

static bool integer(pt2_body *b, json_t *v, val *out) {
  int64_t k;
  SCANC_TRY(pt2_int(b->r, v, "argument", &k));
  *out = val_int(k);
  return true;
}

static bool real(pt2_body *b, json_t *v, val *out) {
  double f;
  SCANC_TRY(pt2_float(b->r, v, "argument", &f));
  *out = val_float(f);
  return true;
}

static bool flag(pt2_body *b, json_t *v, val *out) {
  bool x;
  SCANC_TRY(pt2_bool(b->r, v, "argument", &x));
  *out = val_bool(x);
  return true;
}

static bool string(pt2_body *b, json_t *v, val *out) {
  if (!json_is_string(v)) return pt2_fail(b->r, SCANC_ERR_BAD_JSON, "argument: expected a string");
  *out = val_str(b->r->mem, json_string_value(v));
  return true;
}

static bool complex_number(pt2_body *b, json_t *v, val *out) {
  double re, im;
  SCANC_TRY(pt2_float(b->r, json_object_get(v, "real"), "argument", &re));
  SCANC_TRY(pt2_float(b->r, json_object_get(v, "imag"), "argument", &im));
  *out = val_complex(re, im);
  return true;
}

static bool scalar_type(pt2_body *b, json_t *v, val *out) {
  scanc_dtype d;
  SCANC_TRY(pt2_dtype(b->r, v, "argument", &d));
  *out = val_dtype(d);
  return true;
}

static bool atom(pt2_body *b, const char *text, val *out) {
  *out = val_atom(b->r->mem, text);
  return true;
}

static bool memory_format(pt2_body *b, json_t *v, val *out) {
  static const char *const formats[] = {"torch.contiguous_format", "torch.channels_last",
                                        "torch.channels_last_3d", "torch.preserve_format"};
  int64_t k;
  SCANC_TRY(pt2_int(b->r, v, "memory format", &k));
  if (k >= 1 && k <= 4) return atom(b, formats[k - 1], out);
  return pt2_fail(b->r, SCANC_ERR_UNSUPPORTED, "unsupported: memory format %lld", (long long)k);
}

static bool layout(pt2_body *b, json_t *v, val *out) {
  int64_t k;
  SCANC_TRY(pt2_int(b->r, v, "layout", &k));
  if (k == 7) return atom(b, "torch.strided", out);
  return pt2_fail(b->r, SCANC_ERR_UNSUPPORTED, "unsupported: layout %lld", (long long)k);
}

static bool device(pt2_body *b, json_t *v, val *out) {
  const char *kind = pt2_text(v, "type");
  json_t *index = pt2_field(v, "index");
  int64_t k;
  if (!kind || strspn(kind, "abcdefghijklmnopqrstuvwxyz_0123456789") != strlen(kind))
    return pt2_fail(b->r, SCANC_ERR_BAD_JSON, "device: expected a type");
  if (!index) return atom(b, arena_printf(b->r->tmp, "device(type='%.60s')", kind), out);
  SCANC_TRY(pt2_int(b->r, index, "device", &k));
  return atom(b, arena_printf(b->r->tmp, "device(type='%.60s', index=%lld)", kind, (long long)k),
              out);
}

/* SymIntArgument, SymBoolArgument, SymFloatArgument: a name or a constant. */
static bool symbolic(pt2_body *b, json_t *v, val *out) {
  const char *key;
  json_t *x;
  SCANC_TRY(pt2_union(b->r, v, "symbolic argument", &key, &x));
  if (!strcmp(key, "as_name")) return pt2_lookup(b, json_string_value(x), out);
  if (!strcmp(key, "as_int")) return integer(b, x, out);
  if (!strcmp(key, "as_bool")) return flag(b, x, out);
  if (!strcmp(key, "as_float")) return real(b, x, out);
  return pt2_fail(b->r, SCANC_ERR_UNSUPPORTED, "unsupported: symbolic argument %.100s", key);
}

/* OptionalTensorArgument */
static bool optional_tensor(pt2_body *b, json_t *v, val *out) {
  const char *key;
  json_t *x;
  SCANC_TRY(pt2_union(b->r, v, "optional argument", &key, &x));
  if (!strcmp(key, "as_none")) return none(b, x, out);
  if (!strcmp(key, "as_tensor")) return named(b, x, out);
  return pt2_fail(b->r, SCANC_ERR_UNSUPPORTED, "unsupported: optional argument %.100s", key);
}

static bool list_of(pt2_body *b, json_t *v, convert *fn, val_kind kind, val *out) {
  VEC(val) items = {0};
  size_t i;
  json_t *x;
  val item;
  if (!json_is_array(v)) return pt2_fail(b->r, SCANC_ERR_BAD_JSON, "argument: expected a list");
  json_array_foreach (v, i, x) {
    SCANC_TRY(fn(b, x, &item));
    vec_push(b->r->tmp, &items, item);
  }
  *out = val_seq(b->r->mem, kind, items.data, items.len);
  return true;
}

static bool integers(pt2_body *b, json_t *v, val *out) {
  return list_of(b, v, integer, VAL_LIST, out);
}

static bool reals(pt2_body *b, json_t *v, val *out) { return list_of(b, v, real, VAL_LIST, out); }

static bool tensors(pt2_body *b, json_t *v, val *out) {
  return list_of(b, v, named, VAL_LIST, out);
}

/* Subgraphs of one graph may have the same name: f, f_1, f_2. */
static const char *attr_name(pt2_body *b, const char *base) {
  const char *name = base;
  intptr_t k = (intptr_t)map_get(&b->subgraphs, base);
  while (graph_find_attr(b->g, name))
    name = arena_printf(b->r->tmp, "%s_%lld", base, (long long)++k);
  map_set(&b->subgraphs, arena_strdup(b->r->tmp, base), (void *)k);
  return name;
}

/* A get_attr node of a new graph. */
static bool subgraph(pt2_body *b, json_t *v, val *out) {
  const char *name = pt2_text(v, "name");
  if (!name) return pt2_fail(b->r, SCANC_ERR_BAD_JSON, "a subgraph without a name");
  SCANC_TRY(pt2_check_name(b->r, name, "a subgraph"));
  if (b->g->attrs.len == PT2_MAX_ATTRS)
    return pt2_fail(b->r, SCANC_ERR_UNSUPPORTED, "unsupported: more than %d subgraphs of one graph",
                    PT2_MAX_ATTRS);
  name = attr_name(b, name);
  graph *sub = pt2_graph(b->r, pt2_field(v, "graph"), name, NULL);
  if (!sub) return false;
  graph_add_attr(b->g, name, ATTR_GRAPH, sub);
  *out = val_node(node_get_attr(&b->c, pt2_fresh(b, name), name));
  return true;
}

/* ---- the union ---- */

typedef struct {
  const char *key;
  convert *fn;
  bool list; /* of what fn converts */
} alternative;

static const alternative alternatives[] = {
    {"as_none", none, false},
    {"as_tensor", named, false},
    {"as_tensors", named, true},
    {"as_int", integer, false},
    {"as_ints", integer, true},
    {"as_float", real, false},
    {"as_floats", real, true},
    {"as_string", string, false},
    {"as_strings", string, true},
    {"as_sym_int", symbolic, false},
    {"as_sym_ints", symbolic, true},
    {"as_scalar_type", scalar_type, false},
    {"as_memory_format", memory_format, false},
    {"as_layout", layout, false},
    {"as_device", device, false},
    {"as_bool", flag, false},
    {"as_bools", flag, true},
    {"as_sym_bool", symbolic, false},
    {"as_sym_bools", symbolic, true},
    {"as_graph", subgraph, false},
    {"as_optional_tensors", optional_tensor, true},
    {"as_sym_float", symbolic, false},
    {"as_sym_floats", symbolic, true},
    {"as_optional_tensor", optional_tensor, false},
    {"as_complex", complex_number, false},
    {"as_nested_tensors", tensors, true},
    {"as_int_lists", integers, true},
    {"as_float_lists", reals, true},
};

bool pt2_argument(pt2_body *b, json_t *arg, bool tuple, val *out) {
  const char *key;
  json_t *v;
  SCANC_TRY(pt2_union(b->r, arg, "argument", &key, &v));
  for (size_t i = 0; i < sizeof alternatives / sizeof *alternatives; i++) {
    const alternative *a = &alternatives[i];
    if (strcmp(a->key, key)) continue;
    return a->list ? list_of(b, v, a->fn, tuple ? VAL_TUPLE : VAL_LIST, out) : a->fn(b, v, out);
  }
  return pt2_fail(b->r, SCANC_ERR_UNSUPPORTED, "unsupported: argument %.100s", key);
}

bool pt2_output_name(pt2 *r, json_t *arg, const char **out) {
  static const char *const keys[] = {"as_none", "as_tensor", "as_sym_int", "as_sym_bool",
                                     "as_sym_float"};
  const char *key;
  json_t *v;
  bool known = false;
  SCANC_TRY(pt2_union(r, arg, "result", &key, &v));
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) known = known || !strcmp(key, keys[i]);
  if (!known) return pt2_fail(r, SCANC_ERR_UNSUPPORTED, "unsupported: result %.100s", key);
  SCANC_TRY(pt2_result_name(r, arg, out));
  return *out || !strcmp(key, "as_none") ||
         pt2_fail(r, SCANC_ERR_BAD_JSON, "a result without a name");
}

bool pt2_result_name(pt2 *r, json_t *arg, const char **out) {
  const char *key;
  json_t *v;
  SCANC_TRY(pt2_union(r, arg, "result", &key, &v));
  bool symbol = !strncmp(key, "as_sym_", 7);
  *out = symbol ? pt2_text(v, "as_name") : !strcmp(key, "as_tensor") ? pt2_text(v, "name") : NULL;
  return true;
}
