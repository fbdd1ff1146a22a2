/* Cats in plans: where every operand is computed for the cat alone (fuse.h sees to that), each is
 * computed in its place in the result, and the cat itself takes no step. */
#include "passes/view.h"
#include "runtime/plan.h"

static bool has_memory_of_its_own(const node *n) {
  if (node_is_op(n, OP_getitem))
    return n->operands[0].kind == VAL_NODE && has_memory_of_its_own(n->operands[0].node);
  return n->op && !(n->op->traits & (T_VIEW | T_ALIAS_OK)) && !node_is_op(n, OP_cat);
}

static bool fits(const node *cat, val v) {
  if (v.kind != VAL_NODE || !v.node->uses || v.node->uses->next) return false;
  const type *t = v.node->type, *whole = cat->type;
  return type_is_tensor(t) && t->dtype == whole->dtype && t->n == whole->n &&
         has_memory_of_its_own(v.node);
}

static bool axis_of(const node *cat, int *axis) {
  val v = cat->operands[1].kind == VAL_ABSENT ? val_int(0) : cat->operands[1];
  return view_axis(v, cat->type->n, axis);
}

void plan_find_joins(planner *x, const graph *g) {
  int axis;
  for (const node *n = g->first; n; n = n->next) {
    if (!node_is_op(n, OP_cat) || !type_is_tensor(n->type) || !axis_of(n, &axis)) continue;
    if (plan_is_seed(x, n)) continue;
    val all = n->operands[0];
    bool ok = val_is_seq(all);
    for (int i = 0; ok && i < all.n; i++) ok = fits(n, all.items[i]);
    for (int i = 0; ok && i < all.n; i++) x->join[all.items[i].node->id] = (plan_join){n, i, NULL};
  }
}

/* The first operand makes the memory. */
static nest_view part_of(planner *x, plan_join j) {
  plan_value *whole = &x->of[j.cat->id];
  const val *items = j.cat->operands[0].items;
  int axis = 0;
  if (whole->kind != VALUE_TENSOR)
    *whole = (plan_value){.kind = VALUE_TENSOR, .view = plan_result(x, j.cat, j.cat->type)};
  nest_view v = whole->view;
  dim before = dim_int(0), size = dim_int((int64_t)scanc_dtype_size(v.dtype));
  axis_of(j.cat, &axis);
  for (int i = 0; i < j.index; i++)
    before = dim_add(x->syms, before, plan_dim(x, items[i].node->type->dims[axis]));
  const type *t = items[j.index].node->type;
  for (int d = 0; d < v.rank; d++) v.size[d] = plan_dim(x, t->dims[d]);
  v.offset = dim_mul(x->syms, dim_mul(x->syms, before, v.stride[axis]), size);
  return v;
}

nest_view plan_result(planner *x, const node *n, const type *t) {
  const plan_join *j = &x->join[n->id];
  return j->place ? *j->place : j->cat ? part_of(x, *j) : plan_new_block(x, t);
}

nest_view plan_result_item(planner *x, const node *n, int i, const type *t) {
  for (const use *u = n->uses; u; u = u->next) {
    const node *item = u->user;
    if (!node_is_op(item, OP_getitem) || item->operands[1].kind != VAL_INT) continue;
    int64_t k = item->operands[1].i;
    const plan_join *j = &x->join[item->id];
    if ((k < 0 ? k + n->type->n : k) == i && (j->cat || j->place)) return plan_result(x, item, t);
  }
  return plan_new_block(x, t);
}
