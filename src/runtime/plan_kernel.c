#include "runtime/plan_kernel.h"

#include "loop/walk.h"
#include "runtime/plan_move.h"
#include "runtime/plan_product.h"
#include "runtime/plan_reduce.h"
#include "runtime/plan_running.h"

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

/* ---- copies ---- */

/* How far apart neighbours along d lie: strides that only a run knows count as far. */
static int64_t distance(const nest_view *v, int d) {
  dim s = v->stride[d];
  if (!dim_is_int(s)) return INT64_MAX;
  return s.k < 0 ? -s.k : s.k;
}

static int nearest(const nest_view *v, int but) {
  int best = -1;
  for (int d = v->rank - 1; d >= 0; d--)
    if (d != but && (best < 0 || distance(v, d) < distance(v, best))) best = d;
  return best;
}

/* Dimensions from the outermost loop inwards. Where the two views have different nearest
 * dimensions, lanes run along that of `to`, around the loop along that of `from`: so a few lines of
 * memory are read to their ends. */
static void order_of(const nest_view *from, const nest_view *to, int *order) {
  int n = 0, lanes = nearest(to, -1), inner = nearest(from, lanes);
  bool transposes = inner >= 0 && distance(from, inner) < distance(from, lanes);
  for (int d = 0; d < to->rank; d++)
    if (d != lanes && (!transposes || d != inner)) order[n++] = d;
  if (lanes >= 0) order[n] = lanes;
  if (transposes) order[n + 1] = inner;
}

/* Part `part` of the element; real numbers have no second one. */
static int load_part(view_kernel *v, stmt_list *body, int buf, scanc_dtype d, int part) {
  if (part && dtype_class(d) != 'c') return vk_zero(v, body, dtype_real(d));
  return vk_load(v, body, buf, NULL, part, NULL);
}

bool plan_copy(planner *x, const node *n, const nest_view *from, const nest_view *to) {
  nest_view a = *from, b = *to;
  int axis[SCANC_MAX_RANK], order[SCANC_MAX_RANK], loops[SCANC_MAX_RANK];
  view_kernel v = plan_kernel(x, "copy");
  views_merge(x->syms, (nest_view *[]){&b, &a}, 2);
  order_of(&a, &b, order);
  for (int i = 0; i < b.rank; i++) loops[i] = axis[order[i]] = vk_axis(&v, "i", b.size[order[i]]);
  int in = vk_buffer(&v, "from", SPACE_INPUT, &a, axis),
      out = vk_buffer(&v, "to", SPACE_OUTPUT, &b, axis);
  stmt_list *body = vk_parallel(&v, &v.k->body, loops, b.rank);
  for (int part = 0; part < (dtype_class(b.dtype) == 'c' ? 2 : 1); part++) {
    int e = load_part(&v, body, in, a.dtype, part);
    vk_store(&v, body, out, NULL, part, vk_cast(&v, body, e, dtype_real(b.dtype)));
  }
  return plan_add_kernel(x, n, &v);
}

/* ---- operators that are copies ---- */

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

plan_op_fn plan_op_of(const op_info *op) {
  if (op->traits & T_RESHAPE) return plan_reshape;
  static plan_op_fn (*const families[])(op_id) = {plan_reduction_of, plan_running_of, plan_move_of,
                                                  plan_create_of};
  plan_op_fn f = NULL;
  for (size_t i = 0; !f && i < sizeof families / sizeof *families; i++) f = families[i](op->id);
  return f;
}
