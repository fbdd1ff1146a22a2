#include "runtime/plan_kernel.h"

#include "loop/copy.h"
#include "runtime/plan_bag.h"
#include "runtime/plan_cell.h"
#include "runtime/plan_fft.h"
#include "runtime/plan_index.h"
#include "runtime/plan_move.h"
#include "runtime/plan_pool.h"
#include "runtime/plan_product.h"
#include "runtime/plan_reduce.h"
#include "runtime/plan_running.h"
#include "runtime/plan_sample.h"
#include "runtime/plan_sort.h"

view_kernel plan_kernel(planner *x, const char *name) {
  return view_kernel_new(x->pl->mem, x->syms, name);
}

bool plan_add_kernel(planner *x, const node *n, const view_kernel *v) {
  return plan_add_kernel_if(x, n, v, NULL);
}

bool plan_add_kernel_if(planner *x, const node *n, const view_kernel *v, const dim *needs) {
  plan_step s = {.kind = STEP_KERNEL, .k = v->k, .n = n, .n_places = v->places.len};
  s.ints = v->ints.data;
  s.buffer = ARENA_ARRAY(x->tmp, int, s.n_places);
  s.offset = ARENA_ARRAY(x->tmp, dim, s.n_places);
  for (int i = 0; i < s.n_places; i++) {
    s.buffer[i] = v->places.data[i].buffer;
    s.offset[i] = v->places.data[i].offset;
  }
  s.has_needs = needs != NULL;
  if (needs) s.needs = *needs;
  return plan_add_step(x, &s);
}

bool plan_tensor(planner *x, const node *n, int operand, nest_view *out) {
  val v = n->operands[operand];
  const plan_value *o = v.kind == VAL_NODE ? &x->of[v.node->id] : NULL;
  if (!o || o->kind != VALUE_TENSOR) return false;
  *out = o->view;
  return true;
}

bool plan_same_size(planner *x, nest_view *v, int d, dim size) {
  bool ok = plan_require_equal(x, v->size[d], size);
  v->size[d] = size;
  return ok;
}

bool plan_numbers(val v, int n, int64_t dflt, int64_t *out) {
  for (int i = 0; i < n; i++) {
    val e = val_is_seq(v) && v.n ? v.items[v.n == 1 ? 0 : i] : v;
    if (val_is_seq(v) && v.n > 1 && v.n != n) return false;
    bool none = e.kind == VAL_ABSENT || e.kind == VAL_NONE || val_is_seq(e);
    if (!none && e.kind != VAL_INT) return false;
    out[i] = none ? dflt : e.i;
  }
  return true;
}

target plan_target(const planner *x) {
  target t;
  if (!target_get(x->p->opts.cpu, &t)) target_get("native", &t); /* steps report the level */
  return t;
}

bool plan_copy(planner *x, const node *n, const nest_view *from, const nest_view *to) {
  view_kernel v = plan_kernel(x, "copy");
  target t = plan_target(x);
  copy_build(&v, from, to, &t);
  return plan_add_kernel(x, n, &v);
}

/* ---- operators ---- */

/* A reshape that no strides express. */
static plan_steps plan_reshape(planner *x, const node *n) {
  nest_view from, to;
  if (!type_is_tensor(n->type) || !plan_tensor(x, n, 0, &from)) return STEPS_NONE;
  to = plan_new_block(x, n->type);
  x->of[n->id] = (plan_value){.kind = VALUE_TENSOR, .view = to};
  nest_view flat = from;
  flat.buffer = to.buffer;
  flat.offset = to.offset;
  plan_contiguous(x, &flat);
  return plan_copy(x, n, &from, &flat) ? STEPS_MADE : STEPS_REFUSED;
}

/* Elements of another size than those of a tensor that does not lie in memory as a view of them. */
static plan_steps plan_reinterpret(planner *x, const node *n) {
  nest_view from;
  if (!type_is_tensor(n->type) || !plan_tensor(x, n, 0, &from)) return STEPS_NONE;
  nest_view copy = plan_new_array(x, from.dtype, from.size, from.rank), to = copy;
  if (!plan_copy(x, n, &from, &copy)) return STEPS_REFUSED;
  to.dtype = n->type->dtype;
  to.rank = n->type->n;
  for (int d = 0; d < to.rank; d++) to.size[d] = plan_dim(x, n->type->dims[d]);
  plan_contiguous(x, &to);
  x->of[n->id] = (plan_value){.kind = VALUE_TENSOR, .view = to};
  return STEPS_MADE;
}

plan_op_fn plan_op_of(const op_info *op) {
  if (op->traits & T_RESHAPE) return plan_reshape;
  if (op->id == OP_view_dtype || op->id == OP_view_as_complex) return plan_reinterpret;
  static plan_op_fn (*const families[])(op_id) = {
      plan_reduction_of, plan_running_of, plan_product_of, plan_move_of, plan_gather_of,
      plan_scatter_of,   plan_create_of,  plan_pool_of,    plan_sort_of, plan_cell_of,
      plan_fft_of,       plan_sample_of,  plan_bag_of};
  plan_op_fn f = NULL;
  for (size_t i = 0; !f && i < sizeof families / sizeof *families; i++) f = families[i](op->id);
  return f;
}
