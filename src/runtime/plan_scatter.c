/* Writing to chosen elements: a copy of the tensor, and then one point after the other in row-major
 * order, as several may choose the same element. */
#include <string.h>

#include "runtime/plan_index.h"
#include "runtime/plan_move.h"
#include "runtime/strided.h"

/* The points of a call that writes to `whole`. */
typedef bool (*points_fn)(planner *x, const node *n, const nest_view *whole, indexing *r);

/* A call: the points, and what is written at each (a tensor along them, or a number). */
typedef struct {
  planner *x;
  const node *n;
  points_fn points;
  indexing at;
  nest_view source;
  bool is_number;
  val given;
  combine op;
} writing;

static int op2(view_kernel *v, stmt_list *where, op_id op, scanc_dtype d, int a, int b) {
  return vk_op(v, where, op, d, (int[]){a, b}, 2);
}

/* The old element stays where it is better, or a NaN. */
static int extremum(view_kernel *v, stmt_list *where, op_id better, scanc_dtype d, int old, int e) {
  int keep = op2(v, where, better, d, old, e);
  if (dtype_class(d) == 'f')
    keep = op2(v, where, OP_logical_or, SCANC_BOOL, op2(v, where, OP_ne, d, old, old), keep);
  return vk_op(v, where, OP_where, d, (int[]){keep, old, e}, 3);
}

static int combined(view_kernel *v, stmt_list *where, combine op, scanc_dtype d, int old, int e) {
  scanc_dtype acc = dtype_acc(d);
  int a = vk_cast(v, where, old, acc), b = vk_cast(v, where, e, acc), r;
  bool truth = d == SCANC_BOOL;
  switch (op) {
    case COMBINE_SUM: r = op2(v, where, truth ? OP_logical_or : OP_add, acc, a, b); break;
    case COMBINE_PROD: r = op2(v, where, truth ? OP_logical_and : OP_mul, acc, a, b); break;
    case COMBINE_AMAX:
      r = truth ? op2(v, where, OP_logical_or, acc, a, b) : extremum(v, where, OP_gt, acc, a, b);
      break;
    default:
      r = truth ? op2(v, where, OP_logical_and, acc, a, b) : extremum(v, where, OP_lt, acc, a, b);
  }
  return vk_cast(v, where, r, d);
}

static bool has_kernel(const writing *w, scanc_dtype d) {
  bool complex = dtype_class(d) == 'c';
  if (!w->is_number && (dtype_class(w->source.dtype) == 'c') != complex) return false;
  return w->op == COMBINE_REPLACE || (w->op != COMBINE_MEAN && (!complex || w->op == COMBINE_SUM));
}

/* Statement by statement: what is stored there, part by part. */
static void write_element(writing *w, view_kernel *v, stmt_list *body, int out, int from,
                          const index_values *at, scanc_dtype d) {
  for (int part = 0; part < (dtype_class(d) == 'c' ? 2 : 1); part++) {
    int e = w->is_number ? plan_constant(v, body, w->given, d, part)
                         : vk_load(v, body, from, NULL, part, NULL);
    e = vk_cast(v, body, e, dtype_real(d));
    if (w->op != COMBINE_REPLACE) {
      int old = vk_load_by(v, body, out, at->value, w->at.n + 1, part, NULL);
      e = combined(v, body, w->op, dtype_real(d), old, e);
    }
    vk_store_by(v, body, out, at->value + 1, w->at.n, part, e);
  }
}

/* The source has the sizes of the points. */
static plan_steps write_points(writing *w, const nest_view *whole) {
  planner *x = w->x;
  nest_view to = plan_tensor_result(x, w->n);
  indexing *r = &w->at;
  int axis[SCANC_MAX_RANK] = {0}, from = -1;
  index_values at = {0};
  if (!plan_copy(x, w->n, whole, &to) || !w->points(x, w->n, &to, r)) return STEPS_REFUSED;
  view_kernel v = plan_kernel(x, w->n->op->name);
  stmt_list *body = &v.k->body;
  for (int d = 0; d < r->space.rank; d++) axis[d] = vk_axis(&v, "i", r->space.size[d]);
  int out = index_buffer(&v, "to", SPACE_SCRATCH, &r->whole, axis, r, 1);
  if (!w->is_number) from = index_buffer(&v, "source", SPACE_INPUT, &w->source, axis, NULL, 0);
  index_open(&v, w->n, r, axis, out, &at);
  for (int d = 0; d < r->space.rank; d++) body = vk_sequence(&v, body, axis[d]);
  index_load(&v, body, r, &at);
  write_element(w, &v, body, out, from, &at, to.dtype);
  return plan_add_kernel(x, w->n, &v) ? STEPS_MADE : STEPS_REFUSED;
}

/* ---- an index per element ---- */

static bool axis_points(planner *x, const node *n, const nest_view *whole, indexing *r) {
  nest_view index;
  int axis = 0;
  return plan_tensor(x, n, 2, &index) && (!whole->rank || plan_axis(n, 1, whole->rank, &axis)) &&
         index_axis(x, whole, axis, &index, r);
}

/* The source may be larger than the index. */
static bool source_within(writing *w) {
  const nest_view *space = &w->at.space;
  bool ok = w->source.rank == space->rank;
  for (int d = 0; ok && d < space->rank; d++) {
    ok = plan_require(w->x, dim_sub(w->x->syms, w->source.size[d], space->size[d]));
    w->source.size[d] = space->size[d];
  }
  return ok;
}

static const char *word(const node *n, int k) {
  return k < n->op->n_operands && n->operands[k].kind == VAL_STR ? n->operands[k].s : "";
}

/* Whether an operand that is true by default is not given, or is. */
static bool is_true(const node *n, int k) {
  val v = n->operands[k];
  return v.kind == VAL_ABSENT || v.kind == VAL_NONE || (v.kind == VAL_BOOL && v.i);
}

static plan_steps plan_scatter(planner *x, const node *n) {
  writing w = {.x = x, .n = n, .points = axis_points, .given = n->operands[3]};
  nest_view whole;
  op_id op = n->op->id;
  w.op = op == OP_scatter_add ? COMBINE_SUM : combine_named(word(n, 4));
  if (op == OP_scatter_reduce && !is_true(n, 5)) return STEPS_NONE;
  w.is_number = plan_is_number(w.given);
  if (!plan_tensor(x, n, 0, &whole) || !axis_points(x, n, &whole, &w.at)) return STEPS_NONE;
  if (!w.is_number && (!plan_tensor(x, n, 3, &w.source) || !source_within(&w))) return STEPS_NONE;
  return has_kernel(&w, whole.dtype) ? write_points(&w, &whole) : STEPS_NONE;
}

/* ---- an index per slice ---- */

static bool vector_points(planner *x, const node *n, const nest_view *whole, indexing *r) {
  nest_view index;
  int axis;
  if (!plan_tensor(x, n, 2, &index) || !plan_axis(n, 1, whole->rank, &axis) ||
      !index_vector(x, whole, axis, &index, r))
    return false;
  r->wrap = n->op->id == OP_index_fill;
  return true;
}

static bool is_one(val v) {
  return v.kind == VAL_ABSENT || v.kind == VAL_NONE || (v.kind == VAL_INT && v.i == 1) ||
         (v.kind == VAL_FLOAT && v.f == 1);
}

static plan_steps plan_index_write(planner *x, const node *n) {
  writing w = {.x = x, .n = n, .points = vector_points, .given = n->operands[3]};
  nest_view whole;
  op_id op = n->op->id;
  w.op = op == OP_index_add ? COMBINE_SUM : COMBINE_REPLACE;
  w.is_number = op == OP_index_fill;
  if (op == OP_index_add && !is_one(n->operands[4])) return STEPS_NONE;
  if (w.is_number && !plan_is_number(w.given)) return STEPS_NONE;
  if (!plan_tensor(x, n, 0, &whole) || !vector_points(x, n, &whole, &w.at)) return STEPS_NONE;
  if (!w.is_number && (!plan_tensor(x, n, 3, &w.source) || !source_within(&w))) return STEPS_NONE;
  return has_kernel(&w, whole.dtype) ? write_points(&w, &whole) : STEPS_NONE;
}

/* ---- several index tensors ---- */

static bool list_points(planner *x, const node *n, const nest_view *whole, indexing *r) {
  return index_list(x, n, whole, n->operands[1], r);
}

static plan_steps plan_index_put(planner *x, const node *n) {
  writing w = {.x = x, .n = n, .points = list_points};
  nest_view whole;
  val add = n->operands[3];
  w.op = add.kind == VAL_BOOL && add.i ? COMBINE_SUM : COMBINE_REPLACE;
  if (!plan_tensor(x, n, 0, &whole) || !plan_tensor(x, n, 2, &w.source) ||
      !list_points(x, n, &whole, &w.at) || !plan_broadcast(x, &w.source, &w.at.space) ||
      !has_kernel(&w, whole.dtype))
    return STEPS_NONE;
  return write_points(&w, &whole);
}

plan_op_fn plan_scatter_of(op_id op) {
  switch (op) {
    case OP_scatter:
    case OP_scatter_add:
    case OP_scatter_reduce: return plan_scatter;
    case OP_index_add:
    case OP_index_copy:
    case OP_index_fill: return plan_index_write;
    case OP_index_put: return plan_index_put;
    default: return NULL;
  }
}
