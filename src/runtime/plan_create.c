/* Elements that depend on their indices: ranges, triangles, the unit matrix; and complex numbers
 * from two real ones. */
#include "runtime/plan_cell.h"
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
  int value = vk_op2(&v, body, OP_add, acc, start, vk_op2(&v, body, OP_mul, acc, step, i));
  vk_store(&v, body, out, NULL, 0, vk_cast(&v, body, value, d));
  return plan_add_kernel(x, n, &v) ? STEPS_MADE : STEPS_REFUSED;
}

/* The lower half counts from the start, the upper one from the end (runtime/eval_create.c); for
 * logspace that is the exponent. */
static plan_steps plan_spaced(planner *x, const node *n) {
  const val *a = n->operands, ten = val_int(10);
  const type *t = n->type;
  bool power = n->op->id == OP_logspace;
  const scanc_dtype d = SCANC_F64;
  view_kernel v = plan_kernel(x, n->op->name);
  symtab *syms = x->syms;
  int first, top, base = -1;
  if (!type_is_tensor(t)) return STEPS_NONE;
  dim count = plan_dim(x, t->dims[0]), less = dim_sub(syms, count, dim_int(1)),
      middle = dim_max(syms, dim_floordiv(syms, count, dim_int(2)), dim_int(1));
  int axis = vk_axis(&v, "i", count);
  stmt_list *body = vk_parallel(&v, &v.k->body, &axis, 1);
  if (!plan_cell_load(x, &v, body, a[0], &first) || !plan_cell_load(x, &v, body, a[1], &top) ||
      (power && !plan_cell_load(x, &v, body, a[3].kind == VAL_ABSENT ? ten : a[3], &base)))
    return STEPS_NONE;
  nest_view to = plan_tensor_result(x, n);
  int out = vk_buffer(&v, "to", SPACE_OUTPUT, &to, &axis), zero = vk_zero(&v, body, d);
  first = vk_cast(&v, body, first, d);
  top = vk_cast(&v, body, top, d);
  int last = vk_cast(&v, body, vk_size(&v, body, less), d);
  int step = vk_op2(&v, body, OP_div, d, vk_op2(&v, body, OP_sub, d, top, first), last);
  step = vk_where(&v, body, d, vk_op2(&v, body, OP_eq, d, last, zero), zero, step);
  int i = stmt_point(v.k, body, axis, lexpr_const(0)), at = vk_cast(&v, body, i, d);
  int up = vk_op2(&v, body, OP_add, d, first, vk_op2(&v, body, OP_mul, d, step, at));
  int left = vk_op2(&v, body, OP_sub, d, last, at);
  int down = vk_op2(&v, body, OP_sub, d, top, vk_op2(&v, body, OP_mul, d, step, left));
  int lower = vk_op2(&v, body, OP_lt, SCANC_I64, i, vk_size(&v, body, middle));
  int value = vk_where(&v, body, d, lower, up, down);
  if (power) value = vk_op2(&v, body, OP_pow, d, vk_cast(&v, body, base, d), value);
  vk_store(&v, body, out, NULL, 0, vk_cast(&v, body, value, dtype_real(t->dtype)));
  if (dtype_class(t->dtype) == 'c')
    vk_store(&v, body, out, NULL, 1, vk_zero(&v, body, dtype_real(t->dtype)));
  return plan_add_kernel(x, n, &v) ? STEPS_MADE : STEPS_REFUSED;
}

/* ---- complex numbers ---- */

/* From real and imaginary parts, or lengths and angles. */
static plan_steps plan_complex(planner *x, const node *n) {
  nest_view a, b;
  int axis[SCANC_MAX_RANK];
  if (!type_is_tensor(n->type) || !plan_tensor(x, n, 0, &a) || !plan_tensor(x, n, 1, &b) ||
      n->type->n == SCANC_MAX_RANK)
    return STEPS_NONE;
  nest_view to = plan_tensor_result(x, n);
  scanc_dtype d = dtype_real(to.dtype);
  if (!plan_broadcast(x, &a, &to) || !plan_broadcast(x, &b, &to)) return STEPS_REFUSED;
  view_kernel v = plan_kernel(x, n->op->name);
  views_merge(x->syms, (nest_view *[]){&to, &a, &b}, 3);
  for (int k = 0; k < to.rank; k++) axis[k] = vk_axis(&v, "i", to.size[k]);
  int out = vk_buffer(&v, "to", SPACE_OUTPUT, &to, axis),
      first = vk_buffer(&v, "a", SPACE_INPUT, &a, axis),
      second = vk_buffer(&v, "b", SPACE_INPUT, &b, axis);
  stmt_list *body = vk_parallel(&v, &v.k->body, axis, to.rank);
  int re = vk_load(&v, body, first, NULL, 0, NULL), im = vk_load(&v, body, second, NULL, 0, NULL);
  if (n->op->id == OP_polar) {
    int length = re, angle = im;
    re = vk_op2(&v, body, OP_mul, d, length, vk_op(&v, body, OP_cos, d, &angle, 1));
    im = vk_op2(&v, body, OP_mul, d, length, vk_op(&v, body, OP_sin, d, &angle, 1));
  }
  vk_store(&v, body, out, NULL, 0, re);
  vk_store(&v, body, out, NULL, 1, im);
  return plan_add_kernel(x, n, &v) ? STEPS_MADE : STEPS_REFUSED;
}

/* ---- triangles ---- */

/* The diagonal may be any number. Dimensions in front are a loop each; the two of the matrix are
 * not cut for threads, as they tell indices. */
static plan_steps plan_triangle(planner *x, const node *n) {
  nest_view from;
  int axis[SCANC_MAX_RANK];
  val by = n->operands[1].kind == VAL_ABSENT ? val_int(0) : n->operands[1];
  view_kernel v = plan_kernel(x, n->op->name);
  int limit;
  if (!plan_tensor(x, n, 0, &from) || from.rank < 2 ||
      !plan_cell_load(x, &v, &v.k->body, by, &limit))
    return STEPS_NONE;
  nest_view to = plan_tensor_result(x, n);
  for (int d = 0; d < from.rank; d++) axis[d] = vk_axis(&v, "i", from.size[d]);
  int in = vk_buffer(&v, "from", SPACE_INPUT, &from, axis),
      out = vk_buffer(&v, "to", SPACE_OUTPUT, &to, axis);
  stmt_list *body = vk_parallel(&v, &v.k->body, axis, from.rank);
  int row = stmt_point(v.k, body, axis[from.rank - 2], lexpr_const(0));
  int column = stmt_point(v.k, body, axis[from.rank - 1], lexpr_const(0));
  int distance = vk_op2(&v, body, OP_sub, SCANC_I64, column, row);
  int in_it = vk_op2(&v, body, n->op->id == OP_tril ? OP_le : OP_ge, SCANC_I64, distance, limit);
  for (int part = 0; part < (dtype_class(from.dtype) == 'c' ? 2 : 1); part++) {
    scanc_dtype d = dtype_real(from.dtype), acc = dtype_acc(d);
    int e = vk_cast(&v, body, vk_load(&v, body, in, NULL, part, NULL), acc);
    e = vk_op(&v, body, OP_where, acc, (int[]){in_it, e, vk_zero(&v, body, acc)}, 3);
    vk_store(&v, body, out, NULL, part, vk_cast(&v, body, e, d));
  }
  return plan_add_kernel(x, n, &v) ? STEPS_MADE : STEPS_REFUSED;
}

/* ---- constants ---- */

enum { MAX_LITERAL = 1024 }; /* elements of a literal that become stores of a kernel */

/* The numbers of nested lists, in their order. */
static void literal_items(val v, val *out, int *n) {
  if (!val_is_seq(v)) {
    if (*n < MAX_LITERAL) out[*n] = v;
    ++*n;
  }
  for (int i = 0; val_is_seq(v) && i < v.n; i++) literal_items(v.items[i], out, n);
}

/* Stores of the numbers, in row-major order. */
static plan_steps store_numbers(planner *x, const node *n, const val *items, int count) {
  nest_view to = plan_tensor_result(x, n), flat, home = plan_flat_home(x, &to, &flat);
  view_kernel v = plan_kernel(x, n->op->name);
  stmt_list *body = &v.k->body;
  int none = -1, out = vk_buffer(&v, "to", SPACE_OUTPUT, &flat, &none);
  for (int64_t i = 0; i < count; i++)
    for (int part = 0; part < (dtype_class(to.dtype) == 'c' ? 2 : 1); part++)
      vk_store(&v, body, out, &i, part, plan_scalar(x, &v, body, items[i], to.dtype, part));
  bool ok = plan_add_kernel(x, n, &v) && (home.buffer == to.buffer || plan_copy(x, n, &home, &to));
  return ok ? STEPS_MADE : STEPS_REFUSED;
}

static plan_steps plan_literal(planner *x, const node *n) {
  val *items = ARENA_ARRAY(x->tmp, val, MAX_LITERAL);
  int count = 0;
  literal_items(n->operands[0], items, &count);
  if (!type_is_tensor(n->type) || !count || count > MAX_LITERAL) return STEPS_NONE;
  for (int i = 0; i < count; i++)
    if (!plan_is_scalar(x, items[i]) || items[i].kind == VAL_NONE) return STEPS_NONE;
  return store_numbers(x, n, items, count);
}

/* Where the rows of a triangle begin and end, without those that are empty. */
typedef struct {
  view_kernel *v;
  bool lower;
  int columns, offset, zero; /* values */
} triangle;

static int clamp(const triangle *t, stmt_list *where, int i) {
  i = vk_op2(t->v, where, OP_maximum, SCANC_I64, i, t->zero);
  return vk_op2(t->v, where, OP_minimum, SCANC_I64, i, t->columns);
}

static int row_begin(const triangle *t, stmt_list *where, int row) {
  return t->lower ? t->zero
                  : clamp(t, where, vk_op2(t->v, where, OP_add, SCANC_I64, row, t->offset));
}

static int row_end(const triangle *t, stmt_list *where, int row) {
  int one = vk_const(t->v, where, 1, SCANC_I64);
  int end = vk_op2(t->v, where, OP_add, SCANC_I64, row, t->offset);
  return t->lower ? clamp(t, where, vk_op2(t->v, where, OP_add, SCANC_I64, end, one)) : t->columns;
}

/* row, col, offset: one element after the other, as only the last rows of an upper triangle and the
 * first ones of a lower one are empty. */
static plan_steps plan_triangle_indices(planner *x, const node *n) {
  const val *a = n->operands;
  val by = a[2].kind == VAL_ABSENT ? val_int(0) : a[2];
  if (!type_is_tensor(n->type) || a[1].kind != VAL_INT || by.kind != VAL_INT) return STEPS_NONE;
  view_kernel v = plan_kernel(x, n->op->name);
  stmt_list *body = &v.k->body;
  const scanc_dtype d = SCANC_I64;
  nest_view to = plan_tensor_result(x, n);
  int axis = vk_axis(&v, "k", to.size[1]), runs[2] = {-1, axis};
  int out = vk_buffer(&v, "to", SPACE_OUTPUT, &to, runs), one = vk_const(&v, body, 1, d);
  triangle t = {.v = &v, .lower = n->op->id == OP_tril_indices};
  t.columns = vk_const(&v, body, (double)a[1].i, d);
  t.offset = vk_const(&v, body, (double)by.i, d);
  t.zero = vk_const(&v, body, 0, d);
  int first = vk_const(&v, body, t.lower && by.i < 0 ? (double)-by.i : 0, d);
  int init[2] = {first, row_begin(&t, body, first)}, in[2], next[2], last[2];
  loop *l = vk_carry(&v, body, axis, init, 2, in);
  for (int k = 0; k < 2; k++)
    vk_store(&v, &l->body, out, (int64_t[]){k, 0}, 0, vk_cast(&v, &l->body, in[k], to.dtype));
  int column = vk_op2(&v, &l->body, OP_add, d, in[1], one);
  int below = vk_op2(&v, &l->body, OP_add, d, in[0], one);
  int more = vk_op2(&v, &l->body, OP_lt, d, column, row_end(&t, &l->body, in[0]));
  int begin = row_begin(&t, &l->body, below);
  next[0] = vk_op(&v, &l->body, OP_where, d, (int[]){more, in[0], below}, 3);
  next[1] = vk_op(&v, &l->body, OP_where, d, (int[]){more, column, begin}, 3);
  vk_carried(&v, l, next, last);
  return plan_add_kernel(x, n, &v) ? STEPS_MADE : STEPS_REFUSED;
}

/* All elements are a number, which need not be known: groups take those that are. */
static plan_steps plan_full(planner *x, const node *n) {
  val given = n->operands[n->op->id == OP_scalar_tensor ? 0 : n->op->id == OP_new_full ? 2 : 1];
  if (!type_is_tensor(n->type) || !plan_is_scalar(x, given)) return STEPS_NONE;
  nest_view to = plan_tensor_result(x, n);
  return plan_fill(x, n, &to, given) ? STEPS_MADE : STEPS_REFUSED;
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
    case OP_linspace:
    case OP_logspace: return plan_spaced;
    case OP_complex:
    case OP_polar: return plan_complex;
    case OP_tril:
    case OP_triu: return plan_triangle;
    case OP_eye: return plan_eye;
    case OP_full:
    case OP_full_like:
    case OP_new_full:
    case OP_scalar_tensor: return plan_full;
    case OP_tensor_literal: return plan_literal;
    case OP_tril_indices:
    case OP_triu_indices: return plan_triangle_indices;
    default: return NULL;
  }
}
