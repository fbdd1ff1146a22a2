#include "runtime/plan_running.h"

#include "loop/running_kernel.h"
#include "passes/view.h"

/* A call: operand, values and indices (buffer -1: none), all of the same sizes. */
typedef struct {
  planner *x;
  const node *n;
  nest_view in, out, at;
} running;

/* The type that the state of sums and products of d is kept in: of f32 in f64, as ATen does. */
static scanc_dtype state_of(scanc_dtype d) {
  return d == SCANC_F32 ? SCANC_F64 : d == SCANC_BOOL ? SCANC_I64 : dtype_fold(d);
}

/* Elements are converted first where a dtype is given. */
static bool set_sum(const running *r, running_op *f) {
  scanc_dtype d = r->n->type->dtype, e = r->in.dtype;
  bool whole = dtype_class(e) == 'i' || e == SCANC_BOOL;
  f->via = e != d && !(d == SCANC_I64 && whole) ? d : e;
  f->join = r->n->op->id == OP_cumprod ? OP_mul : OP_add;
  if ((dtype_class(f->via) == 'c') != (dtype_class(e) == 'c')) return false;
  f->via = dtype_real(f->via);
  f->acc = state_of(f->via);
  return true;
}

static bool set_op(const running *r, running_op *f) {
  op_id op = r->n->op->id;
  *f = (running_op){.via = r->in.dtype, .acc = dtype_acc(r->in.dtype)};
  if (op == OP_cumsum || op == OP_cumprod) return set_sum(r, f);
  if (dtype_class(r->in.dtype) == 'c') return false;
  f->join = op == OP_cummax ? OP_ge : op == OP_cummin ? OP_le : OP_logaddexp;
  if (r->in.dtype == SCANC_BOOL) f->acc = SCANC_I64;
  if (op == OP_logcumsumexp) f->acc = SCANC_F64;
  return true;
}

static void as_parts(symtab *syms, nest_view *v) {
  v->dtype = dtype_real(v->dtype);
  for (int d = 0; d < v->rank; d++) v->stride[d] = dim_mul(syms, v->stride[d], dim_int(2));
  v->size[v->rank] = dim_int(2);
  v->stride[v->rank++] = dim_int(1);
}

/* The dimension that runs comes last; the others that run together become one. */
static void arrange(running *r, int axis) {
  nest_view *all[3] = {&r->in, &r->out, &r->at};
  int n = r->at.buffer < 0 ? 2 : 3;
  dim size[3], stride[3];
  for (int i = 0; i < n; i++) {
    nest_view *v = all[i];
    size[i] = v->rank ? v->size[axis] : dim_int(1);
    stride[i] = v->rank ? v->stride[axis] : dim_int(1);
    for (int d = axis; d + 1 < v->rank; d++)
      v->size[d] = v->size[d + 1], v->stride[d] = v->stride[d + 1];
    if (v->rank) v->rank--;
  }
  views_merge(r->x->syms, all, n);
  for (int i = 0; i < n; i++) {
    all[i]->size[all[i]->rank] = size[i];
    all[i]->stride[all[i]->rank++] = stride[i];
  }
}

static bool same_sizes(const running *r, nest_view *v) {
  bool ok = true;
  for (int d = 0; d < v->rank; d++) ok = ok && plan_same_size(r->x, v, d, r->in.size[d]);
  return ok;
}

/* Gives the node its value. */
static bool open_results(running *r) {
  planner *x = r->x;
  const type *t = r->n->type;
  plan_value *v = &x->of[r->n->id];
  if (type_is_tensor(t)) {
    r->out = plan_result(x, r->n, t);
    *v = (plan_value){.kind = VALUE_TENSOR, .view = r->out};
    return same_sizes(r, &r->out);
  }
  *v = (plan_value){.kind = VALUE_LIST, .n = 2, .items = ARENA_ARRAY(x->tmp, plan_value, 2)};
  r->out = plan_result_item(x, r->n, 0, t->items[0]);
  r->at = plan_result_item(x, r->n, 1, t->items[1]);
  v->items[0] = (plan_value){.kind = VALUE_TENSOR, .view = r->out};
  v->items[1] = (plan_value){.kind = VALUE_TENSOR, .view = r->at};
  return same_sizes(r, &r->out) && same_sizes(r, &r->at);
}

static plan_steps plan_running(planner *x, const node *n) {
  running r = {.x = x, .n = n, .at = {.buffer = -1}};
  running_op f;
  int axis = 0;
  if (n->order.kind != PREFIX_LEFT) return STEPS_NONE; /* the interpreter combines in that order */
  if (!plan_tensor(x, n, 0, &r.in) || !set_op(&r, &f)) return STEPS_NONE;
  if (r.in.rank > SCANC_MAX_RANK - 2) return STEPS_NONE;
  if (r.in.rank && !view_axis(n->operands[1], r.in.rank, &axis)) return STEPS_NONE;
  if (!open_results(&r)) return STEPS_REFUSED;
  bool split = dtype_class(r.in.dtype) == 'c' && f.join == OP_add;
  if (split) as_parts(x->syms, &r.in), as_parts(x->syms, &r.out);
  arrange(&r, axis);
  bool extremum = f.join == OP_ge || f.join == OP_le;
  dim length = r.in.size[r.in.rank - 1];
  if (extremum && dim_is(length, 0)) return STEPS_MADE;
  if (extremum && !plan_require(x, dim_sub(x->syms, length, dim_int(1)))) return STEPS_REFUSED;
  view_kernel v = plan_kernel(x, n->op->name);
  running_kernel(&v, &f, &r.in, &r.out, r.at.buffer < 0 ? NULL : &r.at);
  return plan_add_kernel(x, n, &v) ? STEPS_MADE : STEPS_REFUSED;
}

plan_op_fn plan_running_of(op_id op) {
  switch (op) {
    case OP_cumsum:
    case OP_cumprod:
    case OP_cummax:
    case OP_cummin:
    case OP_logcumsumexp: return plan_running;
    default: return NULL;
  }
}
