/* Lint: what PyTorch itself refuses in the body of a scan, an associative scan, a cond or a map
 * although scanc runs it: a result that is (or shows the memory of) a parameter or another result,
 * and in-place changes of carries and xs. */
#include <string.h>

#include "ir/lint.h"

static const node *node_of(val v) { return v.kind == VAL_NODE ? v.node : NULL; }

/* The node whose memory n shows. */
static const node *storage(const node *n) {
  for (;;) {
    if (!n->op || !n->op->n_operands || !n->operands) return n;
    const node *x = node_of(n->in_place ? n->args[0] : n->operands[0]);
    if (!x) return n;
    bool item = node_is_op(n, OP_getitem) && x->op && (x->op->traits & T_VIEW);
    bool reshape = node_is_op(n, OP_reshape) || node_is_op(n, OP_flatten);
    if (!item && !reshape && !n->in_place && !(n->op->traits & T_VIEW)) return n;
    n = x;
  }
}

static bool is_tensor_node(val v) { return v.kind == VAL_NODE && type_is_tensor(v.node->type); }

static bool check_results(const node *call, const graph *g, diagnostics *d) {
  const module *m = g->mod;
  const node *out = graph_output(g);
  bool ok = true;
  int n = graph_n_results(g);
  for (int i = 0; i < n; i++) {
    val v = graph_result(g, i);
    if (!is_tensor_node(v)) continue;
    const node *s = storage(v.node);
    if (s->kind == NODE_PLACEHOLDER)
      ok = lint_add(m, d, SCANC_ERR_ALIAS, out->loc,
                    "result %d of %s is %sits parameter '%s'; PyTorch expects a clone", i,
                    g->class_name, s == v.node ? "" : "a view of ", s->name);
    for (int j = 0; j < i; j++) {
      val w = graph_result(g, j);
      if (!is_tensor_node(w) || storage(w.node) != s || s->kind == NODE_PLACEHOLDER) continue;
      ok = lint_add(
          m, d, SCANC_ERR_ALIAS, out->loc,
          "results %d and %d of %s, called by '%s', share memory ('%s'); PyTorch expects a clone",
          j, i, g->class_name, call->name, s->name);
      break;
    }
  }
  return ok;
}

static int param_index(const graph *g, const node *p) {
  for (int i = 0; i < graph_n_placeholders(g); i++)
    if (graph_placeholder(g, i) == p) return i;
  return -1;
}

/* Parameters from `n_fixed` on may be changed (the extra operands of a scan). */
static bool check_changes(const graph *g, int n_fixed, diagnostics *d) {
  bool ok = true;
  FOR_EACH_NODE (n, g) {
    bool writes = (n->in_place || node_is_op(n, OP_tensor_setitem)) && n->n_args;
    if (!writes || n->args[0].kind != VAL_NODE) continue;
    const node *s = storage(n->args[0].node);
    int k = s->kind == NODE_PLACEHOLDER ? param_index(g, s) : -1;
    if (k < 0 || k >= n_fixed) continue;
    ok = lint_add(
        g->mod, d, SCANC_ERR_MUTATION, n->loc,
        "'%s' changes parameter %d ('%s') of %s in place; expected carries and xs left alone",
        n->name, k, s->name, g->class_name);
  }
  return ok;
}

static int list_length(val v) { return v.kind == VAL_LIST || v.kind == VAL_TUPLE ? v.n : 0; }

static bool check_body(const node *call, val body, int n_fixed, diagnostics *d) {
  const graph *g = val_graph(body);
  if (!g || !graph_output(g)) return true;
  bool results = check_results(call, g, d), changes = check_changes(g, n_fixed, d);
  return results && changes;
}

/* Both branches are looked at, whatever the first one says. */
static bool check_branches(const node *n, diagnostics *d) {
  bool first = check_body(n, n->operands[1], 0, d), second = check_body(n, n->operands[2], 0, d);
  return first && second;
}

static bool check_call(const node *n, diagnostics *d) {
  const val *v = n->operands;
  switch (n->op ? n->op->id : N_OPS) {
    case OP_scan: return check_body(n, v[0], list_length(v[1]) + list_length(v[2]), d);
    case OP_associative_scan:
      return check_body(n, v[0], 2 * list_length(v[1]) + list_length(v[2]), d);
    case OP_map_impl: return check_body(n, v[0], list_length(v[1]), d);
    case OP_cond: return check_branches(n, d);
    default: return true;
  }
}

typedef struct {
  diagnostics *d;
  bool ok;
} torch_run;

static void check_graph(graph *g, void *ctx) {
  torch_run *r = ctx;
  FOR_EACH_NODE (n, g) r->ok &= !n->operands || check_call(n, r->d);
}

bool module_lint_torch(module *m, diagnostics *d) {
  torch_run r = {d, true};
  graph_walk(m->main, check_graph, &r);
  lint_sort(d);
  return r.ok;
}
