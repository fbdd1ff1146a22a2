/* Lint for SCANC_POINTWISE: combine functions of associative scans that do not work element by
 * element. */
#include "ir/lint.h"

typedef struct {
  diagnostics *d;
  bool ok;
} pointwise_run;

static bool is_pointwise(const op_info *op) {
  return op->kind == OPK_EW || op->kind == OPK_SYM || op->host || op->traits & T_POINTWISE;
}

static void check_combine(const node *scan, pointwise_run *r) {
  const graph *g = val_graph(scan->operands[0]);
  for (const node *n = g ? g->first : NULL; n; n = n->next)
    if (n->op && !is_pointwise(n->op))
      r->ok = lint_add(g->mod, r->d, SCANC_ERR_NOT_POINTWISE, n->loc,
                       "'%s' (%s) in the combine function of '%s'; expected nothing but operations "
                       "that work element by element, as mode pointwise demands",
                       n->name, n->op->name, scan->name);
}

static void check_graph(graph *g, void *ctx) {
  FOR_EACH_NODE (n, g)
    if (node_is_op(n, OP_associative_scan) && n->operands) check_combine(n, ctx);
}

bool module_lint_pointwise(module *m, diagnostics *d) {
  pointwise_run r = {d, true};
  graph_walk(m->main, check_graph, &r);
  lint_sort(d);
  return r.ok;
}
