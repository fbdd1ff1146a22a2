#include "runtime/plan_ahead.h"

#include "runtime/plan_product.h"

static int seq_len(val v) { return val_is_seq(v) ? v.n : 0; }

static const node *operand_node(const node *n, int k) {
  return n->operands[k].kind == VAL_NODE ? n->operands[k].node : NULL;
}

/* ---- what is the same in every iteration ---- */

typedef struct {
  const planner *x;
  const bool *varies; /* per node id */
  bool any;
} operand_search;

static void note_varying(node *n, void *ctx) {
  operand_search *s = ctx;
  s->any |= s->varies[n->id];
}

/* What depends on a number that only the data tell may be out of range. */
static bool can_fail(const planner *x, const node *n) {
  const jit_scan *j = x->p->kernel_of[n->id];
  if (node_has_data_number(n)) return true;
  return j ? jit_nest(j)->faults.len > 0 : (n->op->traits & (T_DATA | T_BODY)) != 0;
}

/* Whether a place of the loop is where n is computed: as a result of the body, or as a part of one.
 */
static bool has_place(const planner *x, const node *n) {
  const plan_join *j = &x->join[n->id];
  return j->place || (j->cat && x->join[j->cat->id].place);
}

static bool is_invariant(const planner *x, const node *n, const bool *varies) {
  operand_search s = {x, varies, false};
  if (n->kind == NODE_GET_ATTR) return true;
  if (!n->op || (n->op->traits & T_EFFECT) || has_place(x, n) || can_fail(x, n)) return false;
  for (int i = 0; i < n->n_args; i++) val_each_node(n->args[i], note_varying, &s);
  return !s.any;
}

/* Whether a loop of the body takes the memory of n for a carry, and so needs it anew every time. */
static bool is_taken(const planner *x, const node *n) {
  for (const use *u = n->uses; u; u = u->next) {
    bool scan = node_is_op(u->user, OP_scan) && !x->p->kernel_of[u->user->id];
    if (!scan && !node_is_op(u->user, OP_while_loop)) continue;
    val carried = u->user->operands[scan ? 1 : 2];
    for (int i = 0; i < seq_len(carried); i++)
      if (carried.items[i].kind == VAL_NODE && carried.items[i].node == n) return true;
  }
  return false;
}

/* A node whose items are results, or carries of other loops, must be computed where those are. */
static bool is_bound(const planner *x, const node *n) {
  for (const use *u = n->uses; u; u = u->next)
    if (node_is_op(u->user, OP_getitem) && (has_place(x, u->user) || is_taken(x, u->user)))
      return true;
  return is_taken(x, n);
}

void plan_find_varying(const planner *x, const graph *g, bool *varies) {
  for (const node *n = g->first; n; n = n->next)
    if (n->kind != NODE_PLACEHOLDER) varies[n->id] = !is_invariant(x, n, varies) || is_bound(x, n);
}

/* ---- products of slices ---- */

typedef struct {
  const graph *g;
  int n_state, n_x;
} body_slots;

/* Whether the value is an x of the body, or (x false) the same in every iteration. */
static bool comes_from(const body_slots *s, const node *n, bool x) {
  while (n && n->op && n->op->traits & (T_VIEW | T_RESHAPE) && n->op->n_operands)
    n = operand_node(n, 0);
  if (!n || n->kind != NODE_PLACEHOLDER) return n && n->kind == NODE_GET_ATTR && !x;
  int i = 0;
  while (graph_placeholder(s->g, i) != n) i++;
  return x ? i >= s->n_state && i < s->n_state + s->n_x : i >= s->n_state + s->n_x;
}

int64_t plan_bytes_ahead(const graph *g, int n_state, int n_x) {
  body_slots of = {g, n_state, n_x}, *s = &of;
  int64_t all = 0;
  for (const node *n = s->g->first; n; n = n->next) {
    int64_t bytes =
        n->op && plan_has_product_ahead(n) ? (int64_t)scanc_dtype_size(n->type->dtype) : 0;
    bool left = bytes && comes_from(s, operand_node(n, 0), true);
    if (!bytes || !comes_from(s, operand_node(n, left), false) ||
        !(left || comes_from(s, operand_node(n, 1), true)))
      continue;
    for (int d = 0; d < n->type->n; d++)
      if (!dim_is_int(n->type->dims[d]) ||
          __builtin_mul_overflow(bytes, n->type->dims[d].k, &bytes))
        return 0;
    all += bytes;
  }
  return all < INT32_MAX ? all : 0;
}
