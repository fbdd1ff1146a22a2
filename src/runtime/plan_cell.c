/* A number that is computed from data lies in a cell: an array without dimensions of i64, bool or
 * f64. Arithmetic on such numbers are kernels of one point; where Python's integers would need
 * more than 64 bits that is a data error. Views that begin at such a number are copies. */
#include "runtime/plan_cell.h"

#include <string.h>

#include "passes/view.h"
#include "runtime/plan_index.h"
#include "runtime/plan_move.h"

static int op1(view_kernel *v, stmt_list *where, op_id op, scanc_dtype d, int a) {
  return vk_op(v, where, op, d, &a, 1);
}

static scanc_dtype type_of(const view_kernel *v, int value) {
  return v->k->values.data[value].dtype;
}

static int constant(view_kernel *v, stmt_list *where, val given) {
  scanc_dtype d = given.kind == VAL_FLOAT  ? SCANC_F64
                  : given.kind == VAL_BOOL ? SCANC_BOOL
                                           : SCANC_I64;
  stmt s = {.kind = ST_CONST, .dtype = d, .fault = -1, .i = given.i, .f = given.f};
  return stmt_add(v->k, where, s, NULL);
}

bool plan_cell_load(planner *x, view_kernel *v, stmt_list *where, val operand, int *value) {
  const plan_value *o = operand.kind == VAL_NODE ? &x->of[operand.node->id] : NULL;
  if (operand.kind == VAL_INT || operand.kind == VAL_BOOL || operand.kind == VAL_FLOAT) {
    *value = constant(v, where, operand);
    return true;
  }
  if (o && o->kind == VALUE_INT) {
    *value = stmt_point(v->k, where, -1, vk_number(v, "number", plan_dim(x, o->i)));
    return true;
  }
  nest_view cell;
  if (o && o->kind == VALUE_CELL) cell = o->view;
  else if (!o || o->kind != VALUE_INPUT || !plan_input_number(x, o->input, &cell)) return false;
  int b = vk_buffer(v, "number", SPACE_INPUT, &cell, NULL);
  *value = vk_load(v, where, b, NULL, 0, NULL);
  return true;
}

bool plan_cell_store(planner *x, const node *n, val given, const nest_view *cell) {
  view_kernel v = plan_kernel(x, "number");
  stmt_list *body = &v.k->body;
  int e, to = vk_buffer(&v, "to", SPACE_OUTPUT, cell, NULL);
  if (!plan_cell_load(x, &v, body, given, &e)) return false;
  vk_store(&v, body, to, NULL, 0, vk_cast(&v, body, e, cell->dtype));
  return plan_add_kernel(x, n, &v);
}

bool plan_is_scalar(const planner *x, val v) {
  const plan_value *o = v.kind == VAL_NODE ? &x->of[v.node->id] : NULL;
  nest_view input;
  if (!o) return plan_is_number(v);
  return o->kind == VALUE_INT || o->kind == VALUE_CELL ||
         (o->kind == VALUE_TENSOR && !o->view.rank) ||
         (o->kind == VALUE_INPUT && plan_input_number(x, o->input, &input));
}

int plan_scalar(planner *x, view_kernel *v, stmt_list *where, val given, scanc_dtype d, int part) {
  const plan_value *o = given.kind == VAL_NODE ? &x->of[given.node->id] : NULL;
  int e = -1;
  if (!o) return plan_constant(v, where, given, d, part);
  bool array = o->kind == VALUE_TENSOR, real = !array || dtype_class(o->view.dtype) != 'c';
  if (part && real) return vk_zero(v, where, dtype_real(d));
  if (array)
    e = vk_load(v, where, vk_buffer(v, "number", SPACE_INPUT, &o->view, NULL), NULL, part, NULL);
  else plan_cell_load(x, v, where, given, &e);
  return vk_cast(v, where, e, dtype_real(d));
}

/* Where the result of a kernel of one point goes. */
static plan_steps store_cell(planner *x, const node *n, view_kernel *v, int value) {
  scanc_dtype d = type_of(v, value);
  type_kind kind = d == SCANC_BOOL ? TYPE_BOOL : d == SCANC_I64 ? TYPE_INT : TYPE_FLOAT;
  if (n->type->kind != kind) return STEPS_NONE;
  nest_view cell = plan_new_array(x, d, NULL, 0);
  vk_store(v, &v->k->body, vk_buffer(v, "to", SPACE_OUTPUT, &cell, NULL), NULL, 0, value);
  x->of[n->id] = (plan_value){.kind = VALUE_CELL, .view = cell};
  return plan_add_kernel(x, n, v) ? STEPS_MADE : STEPS_REFUSED;
}

int plan_fault(view_kernel *v, const node *n, const char *what) {
  fault_info f = {what, arena_strdup(v->k->mem, n->name), n->loc};
  vec_push(v->k->mem, &v->k->faults, f);
  return v->k->faults.len - 1;
}

void plan_fail_if(view_kernel *v, stmt_list *where, int bad, const node *n, const char *what) {
  int i = vk_cast(v, where, bad, SCANC_I64);
  stmt_index(v->k, where, i, lexpr_const(1), false, plan_fault(v, n, what));
}

/* ---- elements of tensors ---- */

static plan_steps plan_item(planner *x, const node *n) {
  nest_view v;
  if (!plan_tensor(x, n, 0, &v)) return STEPS_NONE;
  char cls = dtype_class(v.dtype);
  bool truth = n->op->id == OP_is_nonzero;
  if (cls == 'c') return STEPS_NONE;
  for (int d = 0; d < v.rank; d++)
    if (!plan_require_equal(x, v.size[d], dim_int(1))) return STEPS_REFUSED;
  v.rank = 0;
  scanc_dtype want = truth || cls == 'b' ? SCANC_BOOL : cls == 'i' ? SCANC_I64 : SCANC_F64;
  x->of[n->id] = (plan_value){.kind = VALUE_CELL, .view = v};
  if (v.dtype == want) return STEPS_MADE;
  nest_view cell = plan_new_array(x, want, NULL, 0);
  x->of[n->id].view = cell;
  return plan_copy(x, n, &v, &cell) ? STEPS_MADE : STEPS_REFUSED;
}

/* ---- arithmetic ---- */

/* The row of ops.def that does what a row of numbers does: of integers, of floats. */
typedef struct {
  op_id number, whole;
  int real; /* an op_id; NONE: not of floats */
  bool compares;
} arithmetic;

enum { NONE = -1 };

static const arithmetic *arithmetic_of(op_id op) {
  static const arithmetic all[] = {
      {OP_sym_add, OP_add, OP_add, false},     {OP_sym_sub, OP_sub, OP_sub, false},
      {OP_sym_mul, OP_mul, OP_mul, false},     {OP_sym_floordiv, OP_floor_divide, NONE, false},
      {OP_sym_mod, OP_remainder, NONE, false}, {OP_sym_max, OP_maximum, NONE, false},
      {OP_sym_min, OP_minimum, NONE, false},   {OP_sym_eq, OP_eq, OP_eq, true},
      {OP_sym_ne, OP_ne, OP_ne, true},         {OP_sym_lt, OP_lt, OP_lt, true},
      {OP_sym_le, OP_le, OP_le, true},         {OP_sym_gt, OP_gt, OP_gt, true},
      {OP_sym_ge, OP_ge, OP_ge, true},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i].number == op) return &all[i];
  return NULL;
}

/* Results of 64 bits, as far as f64 tells: near the limit some that would
 * fit are errors, too. */
static void check_overflow(view_kernel *v, const node *n, op_id op, int a, int b) {
  stmt_list *body = &v->k->body;
  const scanc_dtype d = SCANC_F64;
  int r = vk_op2(v, body, op, d, vk_cast(v, body, a, d), vk_cast(v, body, b, d));
  int most = vk_const(v, body, 9.2e18, d);
  int bad = vk_op2(v, body, OP_gt, d, op1(v, body, OP_abs, d, r), most);
  plan_fail_if(v, body, bad, n, "no 64-bit result for these operands");
}

/* The same for a float that becomes an integer. */
static void check_range(view_kernel *v, const node *n, int f) {
  stmt_list *body = &v->k->body;
  const scanc_dtype d = SCANC_F64;
  int low = vk_op2(v, body, OP_ge, d, f, vk_const(v, body, -0x1p63, d));
  int high = vk_op2(v, body, OP_lt, d, f, vk_const(v, body, 0x1p63, d));
  int fits = vk_op2(v, body, OP_logical_and, SCANC_BOOL, low, high);
  plan_fail_if(v, body, op1(v, body, OP_logical_not, SCANC_BOOL, fits), n,
               "no 64-bit result for these operands");
}

/* A divisor other than 0: where it is 0, that is a data error, and it counts as 1. */
static int divisor(view_kernel *v, const node *n, int b) {
  stmt_list *body = &v->k->body;
  scanc_dtype d = type_of(v, b);
  int zero = vk_op2(v, body, OP_eq, d, b, vk_zero(v, body, d));
  plan_fail_if(v, body, zero, n, "division by zero");
  return vk_where(v, body, d, zero, vk_const(v, body, 1, d), b);
}

/* To the power of a known integer, as far as that has no more than 64 bits. */
static plan_steps whole_power(planner *x, const node *n, view_kernel *v, int a) {
  val given = n->operands[1];
  stmt_list *body = &v->k->body;
  int r = vk_integer(v, body, 1);
  if (given.kind != VAL_INT || given.i < 0 || given.i > 64) return STEPS_NONE;
  for (int64_t k = given.i; k; k >>= 1) {
    if (k & 1) {
      check_overflow(v, n, OP_mul, r, a);
      r = vk_op2(v, body, OP_mul, SCANC_I64, r, a);
    }
    if (k == 1) break;
    check_overflow(v, n, OP_mul, a, a);
    a = vk_op2(v, body, OP_mul, SCANC_I64, a, a);
  }
  return store_cell(x, n, v, r);
}

static plan_steps whole_arithmetic(planner *x, const node *n, view_kernel *v, const arithmetic *f,
                                   int a, int b) {
  stmt_list *body = &v->k->body;
  bool divides = f->number == OP_sym_floordiv || f->number == OP_sym_mod;
  a = vk_cast(v, body, a, SCANC_I64);
  b = vk_cast(v, body, b, SCANC_I64);
  if (divides) {
    b = divisor(v, n, b);
    check_overflow(v, n, OP_div, a, b);
  } else if (f->number == OP_sym_add || f->number == OP_sym_sub || f->number == OP_sym_mul) {
    check_overflow(v, n, f->whole, a, b);
  }
  return store_cell(x, n, v, vk_op2(v, body, f->whole, SCANC_I64, a, b));
}

static plan_steps two_numbers(planner *x, const node *n, view_kernel *v, int a, int b) {
  const arithmetic *f = arithmetic_of(n->op->id);
  stmt_list *body = &v->k->body;
  scanc_dtype da = type_of(v, a), db = type_of(v, b);
  bool truth = da == SCANC_BOOL && db == SCANC_BOOL, real = da == SCANC_F64 || db == SCANC_F64;
  if (n->op->id == OP_sym_and || n->op->id == OP_sym_or) {
    op_id op = n->op->id == OP_sym_and ? OP_logical_and : OP_logical_or;
    return truth ? store_cell(x, n, v, vk_op2(v, body, op, SCANC_BOOL, a, b)) : STEPS_NONE;
  }
  if (n->op->id == OP_sym_pow && !real) return whole_power(x, n, v, vk_cast(v, body, a, SCANC_I64));
  if (da == SCANC_F64 && db == SCANC_F64 && (n->op->id == OP_sym_max || n->op->id == OP_sym_min)) {
    int more = vk_op2(v, body, n->op->id == OP_sym_max ? OP_gt : OP_lt, SCANC_F64, b, a);
    return store_cell(x, n, v, vk_where(v, body, SCANC_F64, more, b, a));
  }
  bool divides = n->op->id == OP_sym_truediv;
  if (!divides && (!f || (real && f->real == NONE))) return STEPS_NONE;
  if (!divides && !real) return whole_arithmetic(x, n, v, f, a, b);
  a = vk_cast(v, body, a, SCANC_F64);
  b = vk_cast(v, body, b, SCANC_F64);
  if (divides) return store_cell(x, n, v, vk_op2(v, body, OP_div, SCANC_F64, a, divisor(v, n, b)));
  return store_cell(x, n, v, vk_op2(v, body, (op_id)f->real, SCANC_F64, a, b));
}

/* The least integer has no negative. */
static void check_negation(view_kernel *v, const node *n, int a) {
  stmt_list *body = &v->k->body;
  stmt s = {.kind = ST_CONST, .dtype = SCANC_I64, .fault = -1, .i = INT64_MIN};
  int bad = vk_op2(v, body, OP_eq, SCANC_I64, a, stmt_add(v->k, body, s, NULL));
  plan_fail_if(v, body, bad, n, "no 64-bit result for these operands");
}

/* What becomes an integer; others have none. */
static plan_steps rounded(planner *x, const node *n, view_kernel *v, int a) {
  static const struct {
    op_id cell, row;
  } all[] = {{OP_sym_int, OP_trunc},
             {OP_sym_trunc, OP_trunc},
             {OP_sym_floor, OP_floor},
             {OP_sym_ceil, OP_ceil},
             {OP_sym_round, OP_round}};
  stmt_list *body = &v->k->body;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (all[i].cell != n->op->id) continue;
    if (type_of(v, a) == SCANC_F64) {
      a = op1(v, body, all[i].row, SCANC_F64, a);
      check_range(v, n, a);
    }
    return store_cell(x, n, v, vk_cast(v, body, a, SCANC_I64));
  }
  return STEPS_NONE;
}

static plan_steps one_number(planner *x, const node *n, view_kernel *v, int a) {
  stmt_list *body = &v->k->body;
  scanc_dtype d = type_of(v, a);
  switch (n->op->id) {
    case OP_sym_not:
      return store_cell(x, n, v,
                        op1(v, body, OP_logical_not, SCANC_BOOL, vk_cast(v, body, a, SCANC_BOOL)));
    case OP_sym_bool: return store_cell(x, n, v, vk_cast(v, body, a, SCANC_BOOL));
    case OP_sym_float: return store_cell(x, n, v, vk_cast(v, body, a, SCANC_F64));
    case OP_sym_neg:
    case OP_sym_abs:
      if (d == SCANC_BOOL) a = vk_cast(v, body, a, d = SCANC_I64);
      if (d == SCANC_I64) check_negation(v, n, a);
      return store_cell(x, n, v, op1(v, body, n->op->id == OP_sym_neg ? OP_neg : OP_abs, d, a));
    case OP_sym_sqrt:
      return store_cell(x, n, v, op1(v, body, OP_sqrt, SCANC_F64, vk_cast(v, body, a, SCANC_F64)));
    default: return rounded(x, n, v, a);
  }
}

static plan_steps plan_arithmetic(planner *x, const node *n) {
  view_kernel v = plan_kernel(x, n->op->name);
  int a, b;
  if (!plan_cell_load(x, &v, &v.k->body, n->operands[0], &a)) return STEPS_NONE;
  if (n->op->n_operands == 1) return one_number(x, n, &v, a);
  if (n->op->n_operands != 2 || !plan_cell_load(x, &v, &v.k->body, n->operands[1], &b))
    return STEPS_NONE;
  return two_numbers(x, n, &v, a, b);
}

plan_steps plan_number(planner *x, const node *n) {
  type_kind k = n->type ? n->type->kind : TYPE_OTHER;
  if (k != TYPE_INT && k != TYPE_BOOL && k != TYPE_FLOAT) return STEPS_NONE;
  if (n->op->id == OP_item || n->op->id == OP_is_nonzero) return plan_item(x, n);
  return n->op->kind == OPK_SYM ? plan_arithmetic(x, n) : STEPS_NONE;
}

/* ---- assertions ---- */

/* self, min, max of constrain_range and check_size, which has a minimum of 0 */
static plan_steps plan_range(planner *x, const node *n) {
  view_kernel v = plan_kernel(x, "range");
  stmt_list *body = &v.k->body;
  int a, e, bad = -1;
  if (!plan_cell_load(x, &v, body, n->operands[0], &a) || type_of(&v, a) != SCANC_I64)
    return STEPS_NONE;
  for (int k = 1; k < 3; k++) {
    val given = n->operands[k];
    bool none = given.kind == VAL_NONE || given.kind == VAL_ABSENT;
    if (none && (k == 2 || n->op->id != OP_check_size)) continue;
    if (!plan_cell_load(x, &v, body, none ? val_int(0) : given, &e) || type_of(&v, e) != SCANC_I64)
      return STEPS_NONE;
    int out = vk_op2(&v, body, k == 1 ? OP_lt : OP_gt, SCANC_I64, a, e);
    bad = bad < 0 ? out : vk_op2(&v, body, OP_logical_or, SCANC_BOOL, bad, out);
  }
  if (bad < 0) return STEPS_MADE;
  plan_fail_if(&v, body, bad, n, "a value outside its range");
  return plan_add_kernel(x, n, &v) ? STEPS_MADE : STEPS_REFUSED;
}

static plan_steps plan_assertion(planner *x, const node *n) {
  view_kernel v = plan_kernel(x, "assertion");
  stmt_list *body = &v.k->body;
  nest_view flag;
  int ok, none[SCANC_MAX_RANK];
  if (plan_tensor(x, n, 0, &flag)) {
    if (dtype_class(flag.dtype) == 'c') return STEPS_NONE;
    for (int d = 0; d < flag.rank; d++) {
      none[d] = -1;
      if (!plan_same_size(x, &flag, d, dim_int(1))) return STEPS_REFUSED;
    }
    int buf = vk_buffer(&v, "flag", SPACE_INPUT, &flag, none);
    ok = vk_load(&v, body, buf, NULL, 0, "flag");
  } else if (n->operands[0].kind == VAL_BOOL && n->operands[0].i) {
    return STEPS_MADE;
  } else if (!plan_cell_load(x, &v, body, n->operands[0], &ok)) {
    return STEPS_NONE;
  }
  ok = vk_cast(&v, body, ok, SCANC_BOOL);
  plan_fail_if(&v, body, op1(&v, body, OP_logical_not, SCANC_BOOL, ok), n, "assertion failed");
  return plan_add_kernel(x, n, &v) ? STEPS_MADE : STEPS_REFUSED;
}

/* ---- views that begin at a number in memory ---- */

bool plan_cell_index(planner *x, const node *n, int k, int64_t count, nest_view *index) {
  val first = n->operands[k];
  if (first.kind != VAL_NODE || x->of[first.node->id].kind != VALUE_CELL ||
      x->of[first.node->id].view.dtype != SCANC_I64)
    return false;
  *index = x->of[first.node->id].view;
  if (count < 0) return true;
  dim size = dim_int(count);
  view_kernel v = plan_kernel(x, "indices");
  int a, axis = vk_axis(&v, "i", size);
  stmt_list *body = &v.k->body;
  *index = plan_new_array(x, SCANC_I64, &size, 1);
  if (!plan_cell_load(x, &v, body, first, &a))
    return plan_refuse(x, n, "an index that is no number");
  body = vk_parallel(&v, body, &axis, 1);
  int to = vk_buffer(&v, "to", SPACE_OUTPUT, index, &axis);
  int i = stmt_point(v.k, body, axis, lexpr_const(0));
  vk_store(&v, body, to, NULL, 0, vk_op2(&v, body, OP_add, SCANC_I64, a, i));
  return plan_add_kernel(x, n, &v);
}

/* The dimension goes with an index, and has the length of the result in a slice. */
static plan_steps plan_part(planner *x, const node *n) {
  nest_view whole, index;
  indexing r;
  int axis;
  bool one = n->op->id == OP_select;
  val step = n->op->id == OP_slice ? n->operands[4] : val_absent();
  if (!type_is_tensor(n->type) || !plan_tensor(x, n, 0, &whole) ||
      !plan_axis(n, 1, whole.rank, &axis) ||
      !(step.kind == VAL_ABSENT || (step.kind == VAL_INT && step.i == 1)))
    return STEPS_NONE;
  dim size = one ? dim_int(1) : n->type->dims[axis];
  if (!dim_is_int(size) || size.k < 1 || !plan_cell_index(x, n, 2, one ? -1 : size.k, &index))
    return STEPS_NONE;
  return index_part(x, &whole, axis, &index, &r) ? plan_gather_points(x, n, &r) : STEPS_REFUSED;
}

plan_op_fn plan_cell_of(op_id op) {
  switch (op) {
    case OP_assert_true: return plan_assertion;
    case OP_constrain_range:
    case OP_check_size: return plan_range;
    case OP_select:
    case OP_slice:
    case OP_narrow: return plan_part;
    default: return NULL;
  }
}
