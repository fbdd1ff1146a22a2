/* The calling convention: the tree of arguments (a pytree of PyTorch), from which each user input
 * gets a name such as h.p. */
#include <stdlib.h>
#include <string.h>

#include "frontend/pt2_reader.h"

typedef struct {
  pt2 *r;
  json_t *namedtuples; /* field names by registered name */
  VEC(const char *) leaves;
} tree;

static const char *join(tree *t, const char *prefix, const char *part) {
  return *prefix ? arena_printf(t->r->tmp, "%s.%s", prefix, part) : arena_strdup(t->r->tmp, part);
}

/* Keys of a dictionary are a list in JSON; other names are numbers. */
static json_t *context_keys(tree *t, json_t *spec) {
  const char *text = pt2_text(spec, "context"), *kind = pt2_text(spec, "type");
  json_t *fields = pt2_field(json_object_get(t->namedtuples, text ? text : ""), "field_names");
  if (fields) return json_incref(fields);
  bool dict = kind && strstr(kind, "dict");
  json_t *keys = dict && text ? json_loads(text, JSON_DECODE_ANY, NULL) : NULL;
  if (json_is_array(keys)) return keys;
  json_decref(keys);
  return NULL;
}

static const char *part_name(tree *t, json_t *keys, size_t i) {
  json_t *key = json_array_get(keys, i);
  if (json_is_string(key)) return json_string_value(key);
  if (json_is_integer(key))
    return arena_printf(t->r->tmp, "%lld", (long long)json_integer_value(key));
  return arena_printf(t->r->tmp, "%zu", i);
}

/* `names` (may be NULL) takes the place of the keys. */
static bool walk(tree *t, json_t *spec, json_t *names, const char *prefix, int depth) {
  size_t i;
  json_t *child, *children = pt2_field(spec, "children_spec");
  if (depth > PT2_MAX_TREE_DEPTH)
    return pt2_fail(t->r, SCANC_ERR_TOO_DEEP, "arguments nested deeper than %d",
                    PT2_MAX_TREE_DEPTH);
  if (!pt2_field(spec, "type")) {
    vec_push(t->r->tmp, &t->leaves, prefix);
    return true;
  }
  json_t *keys = names ? json_incref(names) : context_keys(t, spec);
  bool ok = true;
  json_array_foreach (children, i, child) {
    if (!ok) break;
    ok = walk(t, child, NULL, join(t, prefix, part_name(t, keys, i)), depth + 1);
  }
  json_decref(keys);
  return ok;
}

/* The root is (arguments, keyword arguments). */
static bool walk_root(tree *t, json_t *root, json_t *arg_names) {
  json_t *parts = pt2_field(root, "children_spec");
  return walk(t, json_array_get(parts, 0), arg_names, "", 1) &&
         walk(t, json_array_get(parts, 1), NULL, "", 1);
}

/* A tree that has another number of leaves than there are inputs names nothing. */
static void name_inputs(tree *t) {
  module *m = t->r->m;
  int n = 0;
  for (int i = 0; i < m->inputs.len; i++) n += m->inputs.data[i].kind == PORT_USER;
  if (n != t->leaves.len) return;
  for (int i = 0, k = 0; i < m->inputs.len; i++) {
    port *p = &m->inputs.data[i];
    if (p->kind != PORT_USER) continue;
    const char *leaf = t->leaves.data[k++];
    if (*leaf && strcmp(leaf, p->name)) p->tree = arena_strdup(t->r->mem, leaf);
  }
}

/* For saving, which gives it back as it was. */
static void keep(pt2 *r, json_t *signature, json_t *namedtuples) {
  json_t *j = json_object();
  static const char *const keys[] = {"in_spec", "out_spec", "forward_arg_names"};
  for (int i = 0; i < 3; i++) json_object_set(j, keys[i], json_object_get(signature, keys[i]));
  if (namedtuples) json_object_set(j, "namedtuples", namedtuples);
  else json_object_set_new(j, "namedtuples", json_object());
  char *text = json_dumps(j, JSON_COMPACT);
  if (text) r->m->call_spec = arena_strdup(r->mem, text);
  free(text);
  json_decref(j);
}

bool pt2_trees(pt2 *r, json_t *graph_module) {
  json_t *entry = json_array_get(pt2_field(graph_module, "module_call_graph"), 0);
  json_t *signature = pt2_field(entry, "signature");
  json_t *names = pt2_field(signature, "forward_arg_names");
  const char *text = pt2_text(signature, "in_spec");
  tree t = {.r = r, .namedtuples = pt2_field(graph_module, "treespec_namedtuple_fields")};
  if (!text) return true;
  keep(r, signature, t.namedtuples);
  if (!json_is_array(names)) return true;
  json_t *spec = pt2_parse_json(r, "in_spec", text, strlen(text));
  bool ok = spec && walk_root(&t, json_array_get(spec, 1), names);
  if (ok) name_inputs(&t);
  json_decref(spec);
  return ok;
}
