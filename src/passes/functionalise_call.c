/* Functionalisation: calls of subgraphs that change their parameters. The changed operands become
 * values that the subgraph returns: carries of a scan or a loop, further results of a cond or a
 * plain call. The caller then writes them back, so that later readers and the outer caller see
 * them. */
#include <string.h>

#include "passes/functionalise.h"

static graph_changes *changes_of(functionaliser *f, graph *g) { return &f->info[graph_index(g)]; }

static bool refuse(functionaliser *f, const node *call, const change *c, const char *what, int i) {
  return module_fail(
      f->m, SCANC_ERR_MUTATION, c->loc,
      "'%s' changes %s %d of '%s' in place; expected a subgraph that leaves it alone", c->by, what,
      i, call->name);
}

static int n_items(val v) { return v.kind == VAL_LIST || v.kind == VAL_TUPLE ? v.n : 0; }

static val seq_like(functionaliser *f, val like, const val *items, int n) {
  return val_seq(f->m->mem, like.kind == VAL_LIST ? VAL_LIST : VAL_TUPLE, items, n);
}

/* The node that operand item v names; NULL after an error. */
static node *changed_operand(functionaliser *f, const node *call, val v, const change *c) {
  if (v.kind == VAL_NODE) return v.node;
  refuse(f, call, c, "parameter", c->param);
  return NULL;
}

/* No other operand may show the memory of the changed one: the subgraph would have to see the
 * change there. */
static bool is_alone(functionaliser *f, const node *call, val list, int item, const change *c) {
  node *storage = cell_storage(f, list.items[item].node);
  for (int i = 0; i < list.n; i++) {
    if (i == item || list.items[i].kind != VAL_NODE || !type_is_tensor(list.items[i].node->type))
      continue;
    if (cell_storage(f, list.items[i].node) == storage)
      return module_fail(f->m, SCANC_ERR_ALIAS, call->loc,
                         "'%s' changes '%s', which shares memory with another operand", call->name,
                         list.items[item].node->name);
  }
  return c != NULL;
}

/* ---- scan and while_loop: a changed extra operand becomes a carry ---- */

/* Adds `values` to the results of g behind the first `at`. */
static bool insert_results(functionaliser *f, graph *g, int at, const val *values, int n) {
  node *out = graph_output(g);
  val old = out->args[0];
  if (old.kind != VAL_LIST && old.kind != VAL_TUPLE)
    return module_fail(
        f->m, SCANC_ERR_UNSUPPORTED, out->loc,
        "a subgraph that changes its parameters returns a single value; expected a tuple");
  val *items = ARENA_ARRAY(f->m->mem, val, old.n + n);
  if (at > old.n) at = old.n;
  for (int i = 0; i < at; i++) items[i] = old.items[i];
  for (int i = 0; i < n; i++) items[at + i] = values[i];
  for (int i = at; i < old.n; i++) items[n + i] = old.items[i];
  val all = val_seq(f->m->mem, old.kind, items, old.n + n);
  node_set_args(out, &all, 1, NULL, 0);
  return true;
}

/* Moves the parameters of the changes to place `to` and the following. */
static void move_params(graph *g, const graph_changes *info, int to) {
  for (int j = 0; j < info->n; j++)
    node_move_before(graph_placeholder(g, info->changes[j].param), graph_placeholder(g, to + j));
}

static bool carry_changes(functionaliser *f, graph *g, graph_changes *info, int n_carry) {
  if (info->exported) return true;
  info->exported = true;
  val *values = ARENA_ARRAY(f->m->mem, val, info->n);
  for (int j = 0; j < info->n; j++) values[j] = val_node(info->changes[j].value);
  return insert_results(f, g, n_carry, values, info->n);
}

/* Splits the extra operands: those that are changed go behind `carried`. */
static void move_operands(functionaliser *f, const graph_changes *info, int first_extra,
                          val *carried, val *extra) {
  int n_c = n_items(*carried), n_e = n_items(*extra), n = 0;
  val *c = ARENA_ARRAY(f->m->mem, val, n_c + info->n), *e = ARENA_ARRAY(f->m->mem, val, n_e);
  for (int i = 0; i < n_c; i++) c[i] = carried->items[i];
  for (int i = 0, j = 0; i < n_e; i++) {
    if (j < info->n && info->changes[j].param == first_extra + i) c[n_c + j++] = extra->items[i];
    else e[n++] = extra->items[i];
  }
  *carried = seq_like(f, *carried, c, n_c + info->n);
  *extra = seq_like(f, *extra, e, n);
}

/* Getitems of results from `from` on move up by n. */
static void shift_getitems(node *call, int from, int n) {
  for (node *u = call->next; u; u = u->next) {
    if (!node_is_op(u, OP_getitem) || u->operands[0].kind != VAL_NODE ||
        u->operands[0].node != call || u->operands[1].kind != VAL_INT)
      continue;
    if (u->operands[1].i >= from)
      node_set_args(u, (val[]){val_node(call), val_int(u->operands[1].i + n)}, 2, NULL, 0);
  }
}

/* Reads result `first + j` of the call back into targets[j]. */
static bool write_back(functionaliser *f, node *call, int first, node *const *targets, int n) {
  f->at = cursor_after(call);
  for (int j = 0; j < n; j++) {
    node *x = build_getitem(&f->at, call, first + j);
    if (!x || !cell_write(f, targets[j], x, call)) return false;
  }
  f->changed = true;
  return true;
}

/* The nodes that the changed extra operands name. */
static node **changed_extras(functionaliser *f, const node *call, val extra,
                             const graph_changes *info, int first_extra) {
  node **targets = ARENA_ARRAY(f->mem, node *, info->n);
  for (int j = 0; j < info->n; j++) {
    const change *c = &info->changes[j];
    int item = c->param - first_extra;
    targets[j] = item < n_items(extra) ? changed_operand(f, call, extra.items[item], c) : NULL;
    if (!targets[j] || !is_alone(f, call, extra, item, c)) return NULL;
  }
  return targets;
}

static bool rewrite_scan(functionaliser *f, node *n) {
  graph *g = val_graph(n->operands[0]);
  val init = n->operands[1], xs = n->operands[2], extra = n->operands[3];
  int n_carry = n_items(init), n_x = n_items(xs);
  graph_changes *info = changes_of(f, g);
  for (int j = 0; j < info->n; j++) {
    int p = info->changes[j].param;
    if (p < n_carry + n_x)
      return refuse(f, n, &info->changes[j], p < n_carry ? "carry" : "x",
                    p < n_carry ? p : p - n_carry);
  }
  node **targets = changed_extras(f, n, extra, info, n_carry + n_x);
  if (!targets) return false;
  cell_refresh_args(f, n);
  init = n->operands[1], xs = n->operands[2], extra = n->operands[3];
  if (!info->exported) move_params(g, info, n_carry);
  if (!carry_changes(f, g, info, n_carry)) return false;
  if (info->n) move_operands(f, info, n_carry + n_x, &init, &extra);
  node_set_args(n, (val[]){n->operands[0], init, xs, extra}, 4, NULL, 0);
  shift_getitems(n, n_carry, info->n);
  f->changed = true;
  return write_back(f, n, n_carry, targets, info->n);
}

static bool rewrite_while(functionaliser *f, node *n) {
  graph *cond = val_graph(n->operands[0]), *body = val_graph(n->operands[1]);
  val carried = n->operands[2], extra = n->operands[3];
  int n_carry = n_items(carried);
  if (changes_of(f, cond)->n)
    return refuse(f, n, &changes_of(f, cond)->changes[0], "parameter",
                  changes_of(f, cond)->changes[0].param);
  /* A changed carry is a value of the step: what the step returns is what counts. */
  graph_changes *all = changes_of(f, body), extras = *all;
  while (extras.n && extras.changes->param < n_carry) extras.changes++, extras.n--;
  node **targets = changed_extras(f, n, extra, &extras, n_carry);
  if (!targets) return false;
  cell_refresh_args(f, n);
  if (extras.n == 0) return !f->m->err.code;
  carried = n->operands[2], extra = n->operands[3];
  if (!all->exported) {
    move_params(body, &extras, n_carry);
    move_params(cond, &extras, n_carry);
  }
  if (!carry_changes(f, body, &extras, n_carry)) return false;
  all->exported = true;
  move_operands(f, &extras, n_carry, &carried, &extra);
  node_set_args(n, (val[]){n->operands[0], n->operands[1], carried, extra}, 4, NULL, 0);
  return write_back(f, n, n_carry, targets, extras.n);
}

/* ---- cond and plain calls: changed operands come back as further results ---- */

static const change *change_of(const graph_changes *info, int param) {
  for (int j = 0; j < info->n; j++)
    if (info->changes[j].param == param) return &info->changes[j];
  return NULL;
}

/* What body g leaves in each of the parameters `params`. */
static bool return_params(functionaliser *f, graph *g, const int *params, int n) {
  graph_changes *info = changes_of(f, g);
  val *values = ARENA_ARRAY(f->m->mem, val, n);
  for (int i = 0; i < n; i++) {
    const change *c = change_of(info, params[i]);
    values[i] = val_node(c ? c->value : graph_placeholder(g, params[i]));
  }
  if (info->exported)
    return module_fail(f->m, SCANC_ERR_UNSUPPORTED, graph_output(g)->loc,
                       "'%s' changes its parameters and is called more than once", g->class_name);
  info->exported = true;
  return insert_results(f, g, graph_n_results(g), values, n);
}

static bool rewrite_branches(functionaliser *f, node *n, int first_body, int n_bodies,
                             int operand) {
  graph *g[2] = {val_graph(n->operands[first_body]),
                 n_bodies > 1 ? val_graph(n->operands[first_body + 1]) : NULL};
  if (n_bodies > 1 && g[0] == g[1]) n_bodies = 1;
  val list = n->operands[operand];
  int n_changed = 0, n_results = graph_n_results(g[0]),
      *params = ARENA_ARRAY(f->mem, int, n_items(list));
  node **targets = ARENA_ARRAY(f->mem, node *, n_items(list));
  for (int k = 0; k < n_items(list); k++) {
    const change *c = change_of(changes_of(f, g[0]), k);
    if (!c && n_bodies > 1) c = change_of(changes_of(f, g[1]), k);
    if (!c) continue;
    targets[n_changed] = changed_operand(f, n, list.items[k], c);
    if (!targets[n_changed] || !is_alone(f, n, list, k, c)) return false;
    params[n_changed++] = k;
  }
  cell_refresh_args(f, n);
  for (int b = 0; b < n_bodies; b++)
    if (!return_params(f, g[b], params, n_changed)) return false;
  val *args = ARENA_ARRAY(f->m->mem, val, n->n_args);
  memcpy(args, n->args, sizeof(val) * (size_t)n->n_args);
  node_set_args(n, args, n->n_pos, n->kw, n->n_args - n->n_pos); /* infers the new results */
  return write_back(f, n, n_results, targets, n_changed);
}

typedef struct {
  functionaliser *f;
  const node *call;
} refusal;

static void refuse_changes(graph *g, void *ctx) {
  const refusal *r = ctx;
  const graph_changes *info = changes_of(r->f, g);
  if (info->n) refuse(r->f, r->call, &info->changes[0], "parameter", info->changes[0].param);
}

bool call_functionalise(functionaliser *f, node *n) {
  switch (n->op->id) {
    case OP_scan: return rewrite_scan(f, n);
    case OP_while_loop: return rewrite_while(f, n);
    case OP_cond: return rewrite_branches(f, n, 1, 2, 3);
    case OP_invoke_subgraph: return rewrite_branches(f, n, 0, 1, 1);
    default: {
      refusal r = {f, n};
      node_each_body(n, refuse_changes, &r);
      return !f->m->err.code;
    }
  }
}
