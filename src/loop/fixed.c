#include "loop/fixed.h"

static int seq_len(val v) { return val_is_seq(v) ? v.n : 0; }

/* ---- bodies ---- */

/* How many of the first parameters of a loop's bodies differ from iteration to iteration. */
static int n_differing(const node *loop) {
  const val *v = loop->operands;
  if (node_is_op(loop, OP_while_loop)) return seq_len(v[2]);
  if (node_is_op(loop, OP_map_impl)) return seq_len(v[1]);
  if (node_is_op(loop, OP_associative_scan)) return 2 * seq_len(v[1]);
  return seq_len(v[1]) + seq_len(v[2]);
}

/* False: g is the body of no loop. */
static bool mark_parameters(const graph *g, const fuse_scope *s, bool *fixed) {
  bool body = false;
  for (int i = 0; i < s->loops.len; i++) {
    const node *loop = s->loops.data[i];
    bool calls = false;
    for (int k = 0; k < loop->op->n_operands; k++) calls |= val_graph(loop->operands[k]) == g;
    if (!calls) continue;
    for (int p = 0; p < graph_n_placeholders(g); p++) {
      bool *f = &fixed[graph_placeholder(g, p)->id];
      *f = p >= n_differing(loop) && (*f || !body);
    }
    body = true;
  }
  return body;
}

/* ---- nodes ---- */

static bool depends_on_fixed_only(const node *n, const bool *fixed) {
  if (n->kind == NODE_GET_ATTR) return true;
  if (!n->op || n->in_place || n->op->traits & (T_EFFECT | T_BODY) || node_may_fail(n))
    return false;
  for (int i = 0; i < n->n_arg_uses; i++)
    if (!fixed[n->arg_uses[i].def->id]) return false;
  return true;
}

static bool is_loop(const fuse_scope *s, const node *n) {
  bool known = false;
  for (int i = 0; i < s->loops.len; i++) known |= s->loops.data[i] == n;
  return known && (node_is_op(n, OP_scan) || node_is_op(n, OP_while_loop));
}

static bool is_returned(const node *n) {
  bool returned = false;
  for (const use *u = n->uses; u; u = u->next) returned |= u->user->kind == NODE_OUTPUT;
  return returned;
}

bool fixed_needed_anew(const fuse_scope *s, const node *n, const node *user) {
  if (node_is_op(user, OP_cat)) return is_returned(user);
  if (!is_loop(s, user)) return user->kind == NODE_OUTPUT;
  val v = user->operands[node_is_op(user, OP_scan) ? 1 : 2];
  for (int i = 0; i < seq_len(v); i++)
    if (v.items[i].kind == VAL_NODE && v.items[i].node == n) return true;
  return false;
}

/* What is computed from nothing is computed as well where it is needed. */
static bool is_constant_of_others(const node *n, const bool *fixed) {
  bool used = false;
  for (const use *u = n->uses; u; u = u->next) used |= fixed[u->user->id];
  return n->op && !n->n_arg_uses && !used;
}

void fixed_find(const graph *g, const fuse_scope *s, bool *fixed) {
  if (!mark_parameters(g, s, fixed)) return;
  for (const node *n = g->first; n; n = n->next)
    if (n->kind != NODE_PLACEHOLDER) fixed[n->id] = depends_on_fixed_only(n, fixed);
  for (const node *n = g->last; n; n = n->prev)
    if (is_constant_of_others(n, fixed)) fixed[n->id] = false;
}

void fixed_drop_anew(const graph *g, const fuse_scope *s, bool *fixed) {
  for (const node *n = g->first; n; n = n->next)
    for (const use *u = n->uses; n->op && u; u = u->next)
      if (fixed_needed_anew(s, n, u->user)) fixed[n->id] = false;
}
