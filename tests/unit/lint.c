/* Lint: each structural invariant is broken by hand, and lint names it; graphs made with the
 * primitives are clean. */
#include <check.h>
#include <string.h>

#include "ir/build.h"
#include "ir/graph.h"
#include "unit.h"

static module *m;
static graph *g;
static node *x, *y, *sum, *out;

static void setup(void) {
  m = module_new("lint");
  g = graph_new(m, "GraphModule");
  cursor c = cursor_end(g);
  const type *t = type_tensor(m->mem, SCANC_F32, (dim[]){dim_int(3)}, 1);
  x = node_placeholder(&c, "x", "x", t, val_absent());
  y = node_placeholder(&c, "y", "y", t, val_absent());
  sum = build_add(&c, V(x), V(y));
  out = node_output(&c, val_seq(m->mem, VAL_TUPLE, (val[]){V(sum)}, 1));
}

/* Lint finds something of this code; with SCANC_OK it finds nothing. */
static void finds(scanc_code code, const char *words) {
  diagnostics d = {.mem = m->mem};
  bool clean = module_lint(m, &d), found = false;
  ck_assert(clean == (d.found.len == 0));
  for (int i = 0; i < d.found.len; i++)
    found |= d.found.data[i].code == code && strstr(d.found.data[i].message, words);
  ck_assert_msg(code == SCANC_OK ? clean : found, "%s '%s': %s", scanc_code_text(code), words,
                clean ? "nothing found" : d.found.data[0].message);
  module_free(m);
}

START_TEST(clean_graph) {
  setup();
  finds(SCANC_OK, "");
}
END_TEST

START_TEST(missing_return) {
  setup();
  node_erase(out);
  finds(SCANC_ERR_MISSING_RETURN, "no return");
}
END_TEST

START_TEST(two_returns) {
  setup();
  cursor c = cursor_end(g);
  node_output(&c, V(x));
  finds(SCANC_ERR_TWO_OUTPUTS, "returns twice");
}
END_TEST

START_TEST(behind_return) {
  setup();
  cursor c = cursor_end(g);
  build_neg(&c, V(x));
  finds(SCANC_ERR_CODE_AFTER_RETURN, "behind the return");
}
END_TEST

START_TEST(late_parameter) {
  setup();
  cursor c = cursor_before(out);
  node_placeholder(&c, "z", "z", x->type, val_absent());
  finds(SCANC_ERR_LINT, "behind 'add'");
}
END_TEST

START_TEST(used_above_definition) {
  setup();
  node_move_before(sum, x);
  finds(SCANC_ERR_USE_BEFORE_DEFINITION, "defined below");
}
END_TEST

START_TEST(return_as_value) {
  setup();
  cursor c = cursor_end(g);
  node_call(&c, NULL, "torch.ops.aten.neg.default", (val[]){V(out)}, 1, NULL, 0);
  finds(SCANC_ERR_LINT, "uses the return");
}
END_TEST

START_TEST(foreign_node) {
  setup();
  graph *other = graph_new(m, "other");
  cursor c = cursor_end(other);
  node *z = node_placeholder(&c, "z", "z", x->type, val_absent());
  node_set_args(sum, (val[]){V(x), V(z)}, 2, NULL, 0);
  finds(SCANC_ERR_LINT, "not in this graph");
}
END_TEST

START_TEST(broken_links) {
  setup();
  sum->prev = x;
  finds(SCANC_ERR_LINT, "not linked back");
}
END_TEST

START_TEST(wrong_count) {
  setup();
  g->n_nodes++;
  finds(SCANC_ERR_LINT, "counts 5 nodes; expected 4");
}
END_TEST

START_TEST(lost_name) {
  setup();
  map_remove(&g->names, "add");
  finds(SCANC_ERR_LINT, "table of names");
}
END_TEST

START_TEST(lost_use) {
  setup();
  sum->n_arg_uses = 1;
  finds(SCANC_ERR_LINT, "does not record all uses");
}
END_TEST

START_TEST(missing_attribute) {
  setup();
  cursor c = cursor_before(out);
  node_get_attr(&c, NULL, "nowhere");
  finds(SCANC_ERR_UNKNOWN_SUBGRAPH, "nowhere");
}
END_TEST

START_TEST(wrong_shape) {
  setup();
  x->type = type_tensor(m->mem, SCANC_F32, (dim[]){dim_int(4)}, 1);
  finds(SCANC_ERR_SHAPE_MISMATCH, "add");
}
END_TEST

UNIT_MAIN("lint", clean_graph, missing_return, two_returns, behind_return, late_parameter,
          used_above_definition, return_as_value, foreign_node, broken_links, wrong_count,
          lost_name, lost_use, missing_attribute, wrong_shape)
