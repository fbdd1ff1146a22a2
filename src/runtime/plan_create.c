/* Elements that depend on their indices: ranges, triangles, the unit matrix. */
#include "runtime/plan_move.h"

/* ---- ranges ---- */

/* A number, known or a size, as a value of type d; a float is cut for an integer. */
static bool scalar(view_kernel *v, planner *x, stmt_list *where, val given, double dflt,
                   scanc_dtype d, int *out) {
  dim n;
  if (given.kind == VAL_ABSENT || given.kind == VAL_NONE) given = val_float(dflt);
  if (given.kind == VAL_FLOAT) {
    double f = given.f;
    if (d == SCANC_I64 && !(f > -9e18 && f < 9e18)) return false;
    *out = vk_const(v, where, f, d);
    return true;
  }
  if (!plan_operand_dim(x, given, &n)) return false;
  lexpr e = vk_number(v, "number", n);
  *out = vk_cast(v, where, stmt_point(v->k, where, -1, e), d);
  return true;
}

static int op2(view_kernel *v, stmt_list *where, op_id op, scanc_dtype d, int a, int b) {
  return vk_op(v, where, op, d, (int[]){a, b}, 2);
}

/* start + i * step, in i64 for integers and in f64 otherwise. */
static plan_steps plan_arange(planner *x, const node *n) {
  scanc_dtype d = type_is_tensor(n->type) ? n->type->dtype : SCANC_C64;
  char cls = dtype_class(d);
  if (cls != 'i' && cls != 'f') return STEPS_NONE;
  scanc_dtype acc = cls == 'i' ? SCANC_I64 : SCANC_F64;
  view_kernel v = plan_kernel(x, "arange");
  int axis = vk_axis(&v, "i", plan_dim(x, n->type->dims[0])), start, step;
  stmt_list *body = vk_parallel(&v, &v.k->body, &axis, 1);
  if (!scalar(&v, x, body, n->operands[1], 0, acc, &start) ||
      !scalar(&v, x, body, n->operands[2], 1, acc, &step))
    return STEPS_NONE;
  nest_view to = plan_tensor_result(x, n);
  int out = vk_buffer(&v, "to", SPACE_OUTPUT, &to, &axis);
  int i = vk_cast(&v, body, stmt_point(v.k, body, axis, lexpr_const(0)), acc);
  int value = op2(&v, body, OP_add, acc, start, op2(&v, body, OP_mul, acc, step, i));
  vk_store(&v, body, out, NULL, 0, vk_cast(&v, body, value, d));
  return plan_add_kernel(x, n, &v) ? STEPS_MADE : STEPS_REFUSED;
}

/* ---- triangles ---- */

/* Dimensions in front are a loop each; the two of the matrix are not cut for threads, as they tell
 * indices. */
static plan_steps plan_triangle(planner *x, const node *n) {
  nest_view from;
  int axis[SCANC_MAX_RANK];
  val by = n->operands[1].kind == VAL_ABSENT ? val_int(0) : n->operands[1];
  if (!plan_tensor(x, n, 0, &from) || by.kind != VAL_INT || from.rank < 2) return STEPS_NONE;
  view_kernel v = plan_kernel(x, n->op->name);
  nest_view to = plan_tensor_result(x, n);
  for (int d = 0; d < from.rank; d++) axis[d] = vk_axis(&v, "i", from.size[d]);
  int in = vk_buffer(&v, "from", SPACE_INPUT, &from, axis),
      out = vk_buffer(&v, "to", SPACE_OUTPUT, &to, axis);
  stmt_list *body = vk_parallel(&v, &v.k->body, axis, from.rank);
  int row = stmt_point(v.k, body, axis[from.rank - 2], lexpr_const(0));
  int column = stmt_point(v.k, body, axis[from.rank - 1], lexpr_const(0));
  int distance = op2(&v, body, OP_sub, SCANC_I64, column, row);
  stmt k = {.kind = ST_CONST, .dtype = SCANC_I64, .fault = -1, .i = by.i};
  int limit = stmt_add(v.k, body, k, NULL);
  int in_it = op2(&v, body, n->op->id == OP_tril ? OP_le : OP_ge, SCANC_I64, distance, limit);
  for (int part = 0; part < (dtype_class(from.dtype) == 'c' ? 2 : 1); part++) {
    scanc_dtype d = dtype_real(from.dtype), acc = dtype_acc(d);
    int e = vk_cast(&v, body, vk_load(&v, body, in, NULL, part, NULL), acc);
    e = vk_op(&v, body, OP_where, acc, (int[]){in_it, e, vk_zero(&v, body, acc)}, 3);
    vk_store(&v, body, out, NULL, part, vk_cast(&v, body, e, d));
  }
  return plan_add_kernel(x, n, &v) ? STEPS_MADE : STEPS_REFUSED;
}

static plan_steps plan_eye(planner *x, const node *n) {
  nest_view to = plan_tensor_result(x, n), diagonal = to;
  diagonal.rank = 1;
  diagonal.size[0] = dim_min(x->syms, to.size[0], to.size[1]);
  diagonal.stride[0] = dim_add(x->syms, to.stride[0], to.stride[1]);
  return plan_fill(x, n, &to, val_int(0)) && plan_fill(x, n, &diagonal, val_int(1)) ? STEPS_MADE
                                                                                    : STEPS_REFUSED;
}

plan_op_fn plan_create_of(op_id op) {
  switch (op) {
    case OP_arange: return plan_arange;
    case OP_tril:
    case OP_triu: return plan_triangle;
    case OP_eye: return plan_eye;
    default: return NULL;
  }
}
