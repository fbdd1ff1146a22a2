/* What data can make fail. */
#include "ir/graph.h"
#include "ir/sym.h"

static bool is_told_by_data(dim d) { return !dim_is_int(d) && dim_is_unbacked(d); }

static void note_data_number(node *n, void *any) {
  const type *t = n->type;
  if (t && t->kind == TYPE_INT && is_told_by_data(t->i)) *(bool *)any = true;
}

static void note_data_size(node *n, void *any) {
  for (int d = 0; type_is_tensor(n->type) && d < n->type->n; d++)
    if (is_told_by_data(n->type->dims[d])) *(bool *)any = true;
}

bool node_has_data_number(const node *n) {
  bool any = false;
  for (int i = 0; i < n->n_args; i++) val_each_node(n->args[i], note_data_number, &any);
  return any;
}

static bool has_data_size(const node *n) {
  bool any = false;
  for (int i = 0; i < n->n_args; i++) val_each_node(n->args[i], note_data_size, &any);
  return any;
}

static bool divides_floats(const node *n) {
  return n->op->kind == OPK_EW && n->type && type_is_tensor(n->type) &&
         dtype_class(n->type->dtype) != 'i';
}

/* A divisor that is written down, as the dtype of the division has it, is not 0. */
static bool divides_by_nonzero(const node *n) {
  if (n->op->kind != OPK_EW || !n->type || !type_is_tensor(n->type)) return false;
  if (n->op->n_operands != 2 || n->operands[1].kind != VAL_INT) return false;
  size_t bits = 8 * scanc_dtype_size(n->type->dtype);
  return (uint64_t)n->operands[1].i << (64 - bits) != 0;
}

static bool any_fails(const graph *g) {
  bool found = false;
  for (const node *n = g->first; n && !found; n = n->next) found = node_may_fail(n);
  return found;
}

bool node_may_fail(const node *n) {
  if (!n->op) return false;
  bool fails = (n->op->traits & T_DATA && !divides_floats(n) && !divides_by_nonzero(n)) ||
               node_has_data_number(n) || has_data_size(n);
  for (int k = 0; n->op->traits & T_BODY && k < n->op->n_operands && !fails; k++)
    fails = val_graph(n->operands[k]) && any_fails(val_graph(n->operands[k]));
  return fails;
}
