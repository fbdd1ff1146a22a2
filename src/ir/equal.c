/* Structural equality of modules: what must hold after printing and reading back. Names of classes,
 * source positions and the order of attributes do not count; graphs are compared where nodes name
 * them. */
#include <string.h>

#include "ir/graph.h"

typedef struct {
  arena *mem;
  const module *a, *b;
  node **partner;  /* node of b by id of the node of a */
  graph **matched; /* by position in a->graphs: the graph of b it was found equal to */
  str *why;
} comparison;

static bool graphs_equal(comparison *c, const graph *a, const graph *b);

static bool differ(comparison *c, const char *where, const char *what) {
  if (c->why && !c->why->len) str_printf(c->why, "%s: %s", where, what);
  return false;
}

static bool text_equal(const char *a, const char *b) { return a && b ? !strcmp(a, b) : a == b; }

/* Expressions of two tables have no common pointers: compare them as text. */
static bool dim_same(dim a, dim b) {
  if (!a.e && !b.e) return a.k == b.k;
  str x = {0}, y = {0};
  dim_print(&x, a);
  dim_print(&y, b);
  bool same = !strcmp(str_cstr(&x), str_cstr(&y));
  str_free(&x);
  str_free(&y);
  return same;
}

static bool type_same(const type *a, const type *b) {
  if (!a || !b || a->kind == TYPE_GRAPH) return a && b ? a->kind == b->kind : a == b;
  str x = {0}, y = {0};
  type_print(&x, a);
  type_print(&y, b);
  bool same = a->kind == b->kind && !strcmp(str_cstr(&x), str_cstr(&y));
  str_free(&x);
  str_free(&y);
  return same;
}

static bool nodes_paired(node *a, node *b, void *ctx) {
  return ((comparison *)ctx)->partner[a->id] == b;
}

static int graph_index(const module *m, const graph *g) {
  for (int i = 0; i < m->graphs.len; i++)
    if (m->graphs.data[i] == g) return i;
  return -1;
}

/* Equal graphs, each pair compared once. */
static bool subgraphs_equal(comparison *c, graph *a, graph *b) {
  int i = graph_index(c->a, a);
  if (i < 0) return a == b;
  if (c->matched[i] == b) return true;
  if (!graphs_equal(c, a, b)) return false;
  c->matched[i] = b;
  return true;
}

static bool targets_equal(comparison *c, const node *a, const node *b) {
  graph *ga = val_graph(val_node((node *)a)), *gb = val_graph(val_node((node *)b));
  if (a->kind == NODE_GET_ATTR && ga && gb) return subgraphs_equal(c, ga, gb);
  return text_equal(a->path, b->path) && !ga == !gb;
}

static bool views_equal(const scan_view *a, const scan_view *b, int n) {
  for (int i = 0; i < n; i++)
    if (a[i].axis != b[i].axis || a[i].step != b[i].step || !dim_same(a[i].start, b[i].start))
      return false;
  return true;
}

static bool scans_equal(const scan_attrs *a, const scan_attrs *b) {
  if (!a || !b) return a == b;
  return dim_same(a->length, b->length) && a->n_x == b->n_x && a->n_y == b->n_y &&
         views_equal(a->x, b->x, a->n_x) && views_equal(a->y, b->y, a->n_y);
}

static bool args_equal(comparison *c, const node *a, const node *b) {
  if (a->n_args != b->n_args || a->n_pos != b->n_pos) return false;
  for (int i = 0; i < a->n_args; i++) {
    if (i >= a->n_pos && strcmp(a->kw[i - a->n_pos], b->kw[i - a->n_pos])) return false;
    if (!val_equal(a->args[i], b->args[i], nodes_paired, c)) return false;
  }
  return true;
}

static bool nodes_equal(comparison *c, node *a, node *b) {
  if (a->kind != b->kind) return differ(c, a->name, "another kind of node");
  if (a->kind != NODE_OUTPUT && strcmp(a->name, b->name)) return differ(c, a->name, "another name");
  if (!targets_equal(c, a, b)) return differ(c, a->name, "another target");
  if (a->op != b->op || a->in_place != b->in_place) return differ(c, a->name, "another op");
  if (!args_equal(c, a, b)) return differ(c, a->name, "other arguments");
  if (!type_same(a->type, b->type)) return differ(c, a->name, "another type");
  if (!scans_equal(a->scan, b->scan)) return differ(c, a->name, "other attributes of the scan");
  return true;
}

static bool graphs_equal(comparison *c, const graph *a, const graph *b) {
  node *y = b->first;
  for (node *x = a->first; x; x = x->next, y = y->next) {
    if (!y) return differ(c, x->name, "has no counterpart");
    c->partner[x->id] = y;
    if (!nodes_equal(c, x, y)) return false;
  }
  return y ? differ(c, y->name, "is superfluous") : true;
}

static bool ports_equal(comparison *c, const port *a, int n, const port *b, int n_b,
                        const char *what) {
  if (n != n_b) return differ(c, what, "another number");
  for (int i = 0; i < n; i++)
    if (strcmp(a[i].name, b[i].name) || a[i].kind != b[i].kind ||
        !text_equal(a[i].kind_text, b[i].kind_text) || !text_equal(a[i].target, b[i].target) ||
        a[i].persistent != b[i].persistent)
      return differ(c, what, a[i].name);
  return true;
}

static bool ranges_equal(comparison *c) {
  if (c->a->ranges.len != c->b->ranges.len) return differ(c, "ranges", "another number");
  for (int i = 0; i < c->a->ranges.len; i++) {
    const range_constraint *a = &c->a->ranges.data[i], *b = &c->b->ranges.data[i];
    if (!dim_same(a->expr, b->expr) || a->min != b->min || a->max != b->max)
      return differ(c, "ranges", "another range");
  }
  return true;
}

bool module_equal(const module *a, const module *b, str *why) {
  comparison c = {.mem = arena_new(), .a = a, .b = b, .why = why};
  c.partner = ARENA_ARRAY(c.mem, node *, a->n_ids);
  c.matched = ARENA_ARRAY(c.mem, graph *, a->graphs.len);
  bool same = a->exported == b->exported && a->has_signature == b->has_signature &&
              a->main->bare == b->main->bare;
  if (!same) differ(&c, "module", "another form of printout");
  same = same && graphs_equal(&c, a->main, b->main) &&
         ports_equal(&c, a->inputs.data, a->inputs.len, b->inputs.data, b->inputs.len, "inputs") &&
         ports_equal(&c, a->outputs.data, a->outputs.len, b->outputs.data, b->outputs.len,
                     "outputs") &&
         ranges_equal(&c);
  arena_free(c.mem);
  return same;
}
