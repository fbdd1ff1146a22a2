/* The forms for other programs: JSON, as Jansson reads it back, and dot, by its structure, over
 * every program of the corpus, as it was read and as the passes leave it. */
#include <ctype.h>
#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "ir/print.h"
#include "passes/pass.h"
#include "unit.h"

static int n_programs, n_nodes, n_references;

/* ---- JSON ---- */

static const char *string_of(const json_t *o, const char *key) {
  return json_string_value(json_object_get(o, key));
}

/* Every {"node": name} inside names a node of the graph. */
static void check_references(const json_t *v, const graph *g) {
  const char *name = string_of(v, "node"), *key;
  json_t *item;
  size_t i;
  if (json_is_object(v) && name) {
    ck_assert_msg(graph_find(g, name) != NULL, "no node %s", name);
    n_references++;
  }
  json_array_foreach (v, i, item) check_references(item, g);
  json_object_foreach((json_t *)v, key, item) check_references(item, g);
}

static void check_type(const json_t *o, const type *t) {
  str text = {0};
  if (!t) {
    ck_assert(json_is_null(o));
    return;
  }
  type_print(&text, t);
  ck_assert_str_eq(string_of(o, "text"), str_cstr(&text));
  if (type_is_tensor(t)) {
    ck_assert_str_eq(string_of(o, "dtype"), scanc_dtype_name(t->dtype));
    ck_assert_uint_eq(json_array_size(json_object_get(o, "shape")), (size_t)t->n);
  }
  str_free(&text);
}

static void check_node(const json_t *o, const node *n, const json_t *graphs) {
  const graph *sub = val_graph(val_node((node *)n));
  n_nodes++;
  ck_assert_str_eq(string_of(o, "name"), n->name);
  if (n->op) ck_assert_str_eq(string_of(o, "op"), n->op->name);
  else ck_assert(json_is_null(json_object_get(o, "op")));
  ck_assert_int_eq(json_integer_value(json_object_get(o, "line")), n->loc.line);
  ck_assert_uint_eq(json_array_size(json_object_get(o, "args")), (size_t)n->n_pos);
  ck_assert_uint_eq(json_object_size(json_object_get(o, "kwargs")), (size_t)(n->n_args - n->n_pos));
  check_references(o, n->owner);
  check_type(json_object_get(o, "type"), n->type);
  if (!sub) return;
  json_int_t place = json_integer_value(json_object_get(o, "graph"));
  ck_assert_str_eq(string_of(json_array_get(graphs, (size_t)place), "name"), sub->class_name);
}

static void check_json(const module *m, const graph_list *list) {
  str text = {0};
  json_error_t err;
  module_print_json(&text, m);
  json_t *all = json_loadb(text.data, text.len, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &err);
  ck_assert_msg(all != NULL, "%s: line %d: %s", m->name, err.line, err.text);
  json_t *graphs = json_object_get(all, "graphs");
  ck_assert_uint_eq(json_array_size(graphs), (size_t)list->len);
  for (int i = 0; i < list->len; i++) {
    json_t *o = json_array_get(graphs, (size_t)i), *nodes = json_object_get(o, "nodes");
    const graph *g = list->data[i];
    size_t at = 0;
    ck_assert_str_eq(string_of(o, "name"), g->class_name);
    ck_assert_uint_eq(json_array_size(nodes), (size_t)g->n_nodes);
    for (const node *n = g->first; n; n = n->next)
      check_node(json_array_get(nodes, at++), n, graphs);
  }
  int inputs = m->has_signature ? m->inputs.len : graph_n_placeholders(m->main);
  int outputs = m->has_signature ? m->outputs.len : graph_n_results(m->main);
  ck_assert_uint_eq(json_array_size(json_object_get(all, "inputs")), (size_t)inputs);
  ck_assert_uint_eq(json_array_size(json_object_get(all, "outputs")), (size_t)outputs);
  json_decref(all);
  str_free(&text);
}

/* ---- dot ---- */

typedef struct {
  int depth, nodes, edges, clusters;
} dot_counts;

/* Reads a quoted string; returns what is behind it. */
static const char *skip_string(const char *s) {
  for (s++; *s != '"'; s++) {
    ck_assert_msg((unsigned char)*s >= ' ', "a string that is not closed, or a control character");
    if (*s == '\\') s++;
  }
  return s + 1;
}

static int id_at(const char *s, const bool *declared, int n_ids) {
  int id = *s == 'n' ? atoi(s + 1) : -1;
  ck_assert_msg(id >= 0 && id < n_ids && declared[id], "an edge of no node: %.20s", s);
  return id;
}

/* Nodes are declared before edges, which stand outside clusters. */
static dot_counts read_dot(const char *s, int n_ids) {
  dot_counts c = {0};
  bool *declared = calloc((size_t)n_ids + 1, sizeof *declared);
  ck_assert(!strncmp(s, "digraph ", 8));
  while (*s) {
    if (*s == '"') {
      s = skip_string(s);
      continue;
    }
    if (!strncmp(s, "subgraph cluster_", 17)) c.clusters++;
    if (*s == 'n' && isdigit((unsigned char)s[1]) && s[-1] == ' ') {
      const char *next = s + 1 + strspn(s + 1, "0123456789");
      if (!strncmp(next, " [label=\"", 9)) {
        ck_assert(!declared[atoi(s + 1)]);
        declared[atoi(s + 1)] = true;
        c.nodes++;
      } else if (!strncmp(next, " -> ", 4)) {
        id_at(s, declared, n_ids);
        id_at(next + 4, declared, n_ids);
        ck_assert_int_eq(c.depth, 1);
        c.edges++;
        next += 4 + strcspn(next + 4, " ;");
      }
      s = next;
      continue;
    }
    c.depth += (*s == '{') - (*s == '}');
    ck_assert_int_ge(c.depth, 0);
    s++;
  }
  free(declared);
  return c;
}

static void check_dot(const module *m, const graph_list *list) {
  str text = {0};
  int nodes = 0, edges = 0;
  module_print_dot(&text, m);
  for (int i = 0; i < list->len; i++)
    for (const node *n = list->data[i]->first; n; n = n->next, nodes++)
      edges += n->n_arg_uses + (val_graph(val_node((node *)n)) != NULL);
  dot_counts c = read_dot(text.data, m->n_ids);
  ck_assert_int_eq(c.depth, 0);
  ck_assert_int_eq(c.nodes, nodes);
  ck_assert_int_eq(c.edges, edges);
  ck_assert_int_eq(c.clusters, list->len);
  str_free(&text);
}

/* ---- programs ---- */

static void check_forms(const module *m) {
  arena *mem = arena_new();
  graph_list list = print_graphs(m, mem);
  check_json(m, &list);
  check_dot(m, &list);
  arena_free(mem);
}

static void check_file(const char *path) {
  module *m = scanc_module_load(NULL, path, NULL);
  if (!m) return;
  n_programs++;
  check_forms(m);
  if (passes_run(m, NULL)) check_forms(m);
  scanc_module_free(m);
}

START_TEST(every_program) {
  static const char *const groups[] = {"ops", "scan", "assoc", "models", "dyn", "fxtext"};
  char dir[300], path[600];
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
    snprintf(dir, sizeof dir, "%s/corpus/%s", TEST_DIR, groups[i]);
    DIR *d = opendir(dir);
    ck_assert_msg(d != NULL, "%s", dir);
    for (struct dirent *e; (e = readdir(d));) {
      if (e->d_name[0] == '.') continue;
      snprintf(path, sizeof path, "%s/%s/model.fx", dir, e->d_name);
      check_file(path);
    }
    closedir(d);
  }
  printf("forms: %d programs, %d nodes, %d references\n", n_programs, n_nodes, n_references);
  ck_assert_int_ge(n_programs, 300);
  ck_assert_int_ge(n_references, n_nodes);
}
END_TEST

#define E4 "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"
#define E16 E4 E4 E4 E4

/* Quotes, backslashes, a file name that is no UTF-8, numbers that JSON lacks. */
START_TEST(odd_text) {
  static const char text[] =
      "class Gr\xc3\xa4ph(torch.nn.Module):\n"
      "    def forward(self, x: \"f32[2]\", mode = 'a\"b\\\\c\\n{}', \xc3\xa9 = 'x" E16 E16 "'):\n"
      "        add: \"f32[2]\" = torch.ops.aten.add.Tensor(x, inf)\n"
      "        full: \"f32[2]\" = torch.ops.aten.full.default([2], -0.0)\n"
      "        return (add, full)\n";
  scanc_error err = {0};
  module *m = scanc_module_parse(NULL, text, sizeof text - 1, "a\"\\\xff", &err);
  ck_assert_msg(m != NULL, "%s", err.message);
  check_forms(m);
  str out = {0};
  module_print_json(&out, m);
  json_t *all = json_loadb(out.data, out.len, 0, NULL);
  ck_assert_str_eq(string_of(all, "name"), "a\"\\?");
  json_t *nodes = json_object_get(json_array_get(json_object_get(all, "graphs"), 0), "nodes"),
         *mode = json_array_get(json_object_get(json_array_get(nodes, 1), "args"), 0);
  ck_assert_str_eq(json_string_value(mode), "a\"b\\c\n{}");
  json_t *other = json_object_get(json_object_get(json_array_get(nodes, 3), "operands"), "other");
  ck_assert_str_eq(string_of(other, "float"), "inf");
  json_decref(all);
  str_clear(&out);
  module_print_dot(&out, m);
  ck_assert_ptr_nonnull(strstr(out.data, "digraph \"a\\\"\\\\?\" {"));
  ck_assert_ptr_nonnull(strstr(out.data, "label=\"Gr\xc3\xa4ph\""));
  ck_assert_ptr_nonnull(strstr(out.data, "'a\\\"b\\\\\\\\c\\\\n{}'"));
  ck_assert_ptr_nonnull(strstr(out.data, "\xc3\xa9?...\"]")); /* cut within a character */
  str_free(&out);
  scanc_module_free(m);
}
END_TEST

UNIT_MAIN("print_forms", every_program, odd_text)
