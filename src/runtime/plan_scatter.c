/* Writing to chosen elements: a copy of the tensor, and then one point after the other in row-major
 * order, as several may choose the same element. */
#include <string.h>

#include "runtime/plan_cell.h"
#include "runtime/plan_index.h"
#include "runtime/plan_move.h"
#include "runtime/strided.h"

/* A call: the points of the tensor `whole`, and what is written at each (a tensor along them, or a
 * number). */
typedef struct writing writing;
struct writing {
  planner *x;
  const node *n;
  bool (*points)(const writing *w, const nest_view *whole, indexing *r);
  nest_view index; /* of an operator with one index */
  indexing at;
  nest_view source;
  bool is_number;
  val given, factor; /* elements are multiplied by the factor first; absent: by none */
  combine op;
  bool anew;        /* the first value that is written to an element replaces it */
  nest_view counts; /* of COMBINE_MEAN: how many values an element is the sum of */
};

/* An array beside the tensor, with an element for each of its own. */
typedef struct {
  nest_view all;
  int buffer;
} beside;

/* The old element stays where it is better, or a NaN. */
static int extremum(view_kernel *v, stmt_list *where, op_id better, scanc_dtype d, int old, int e) {
  int keep = vk_op2(v, where, better, d, old, e);
  if (dtype_class(d) == 'f')
    keep = vk_op2(v, where, OP_logical_or, SCANC_BOOL, vk_op2(v, where, OP_ne, d, old, old), keep);
  return vk_op(v, where, OP_where, d, (int[]){keep, old, e}, 3);
}

static int combined(view_kernel *v, stmt_list *where, combine op, scanc_dtype d, int old, int e) {
  scanc_dtype acc = dtype_acc(d);
  int a = vk_cast(v, where, old, acc), b = vk_cast(v, where, e, acc), r;
  bool truth = d == SCANC_BOOL;
  switch (op) {
    case COMBINE_MEAN:
    case COMBINE_SUM: r = vk_op2(v, where, truth ? OP_logical_or : OP_add, acc, a, b); break;
    case COMBINE_PROD: r = vk_op2(v, where, truth ? OP_logical_and : OP_mul, acc, a, b); break;
    case COMBINE_AMAX:
      r = truth ? vk_op2(v, where, OP_logical_or, acc, a, b) : extremum(v, where, OP_gt, acc, a, b);
      break;
    default:
      r = truth ? vk_op2(v, where, OP_logical_and, acc, a, b)
                : extremum(v, where, OP_lt, acc, a, b);
  }
  return vk_cast(v, where, r, d);
}

static bool has_kernel(const writing *w, scanc_dtype d) {
  bool complex = dtype_class(d) == 'c', extremum = w->op == COMBINE_AMAX || w->op == COMBINE_AMIN;
  if (!w->is_number && (dtype_class(w->source.dtype) == 'c') != complex) return false;
  return !(complex && extremum);
}

/* The parts of a complex number, or the first alone. */
typedef struct {
  int part[2];
} element;

static element product(view_kernel *v, stmt_list *where, scanc_dtype d, element x, element y) {
  int ac = vk_op2(v, where, OP_mul, d, x.part[0], y.part[0]);
  int bd = vk_op2(v, where, OP_mul, d, x.part[1], y.part[1]);
  int ad = vk_op2(v, where, OP_mul, d, x.part[0], y.part[1]);
  int bc = vk_op2(v, where, OP_mul, d, x.part[1], y.part[0]);
  int re = vk_op2(v, where, OP_sub, d, ac, bd), im = vk_op2(v, where, OP_add, d, ad, bc);
  return (element){{re, im}};
}

static element joined(view_kernel *v, stmt_list *where, combine op, scanc_dtype d, element x,
                      element y) {
  bool complex = dtype_class(d) == 'c';
  element r = {{-1, -1}};
  if (complex && op == COMBINE_PROD) return product(v, where, dtype_real(d), x, y);
  for (int i = 0; i <= (int)complex; i++)
    r.part[i] = combined(v, where, op, dtype_real(d), x.part[i], y.part[i]);
  return r;
}

static element source_element(writing *w, view_kernel *v, stmt_list *body, int from,
                              scanc_dtype d) {
  element e = {{-1, -1}}, f = e;
  bool scaled = w->factor.kind != VAL_ABSENT;
  for (int i = 0; i < (dtype_class(d) == 'c' ? 2 : 1); i++) {
    int x = w->is_number ? plan_scalar(w->x, v, body, w->given, d, i)
                         : vk_load(v, body, from, NULL, i, NULL);
    e.part[i] = vk_cast(v, body, x, dtype_real(d));
    if (scaled) f.part[i] = plan_scalar(w->x, v, body, w->factor, d, i);
  }
  return scaled ? joined(v, body, COMBINE_PROD, d, e, f) : e;
}

/* first: whether nothing has been written to an element yet; count: how often. Buffers, -1. */
static void write_element(writing *w, view_kernel *v, stmt_list *body, int out, int from,
                          const index_values *at, scanc_dtype d, int first, int count) {
  int n = w->at.n, parts = dtype_class(d) == 'c' ? 2 : 1;
  const int *index = at->value + 1;
  element e = source_element(w, v, body, from, d), old;
  if (w->op != COMBINE_REPLACE) {
    for (int i = 0; i < parts; i++)
      old.part[i] = vk_load_by(v, body, out, at->value, n + 1, i, NULL);
    element r = joined(v, body, w->op, d, old, e);
    int fresh = first < 0 ? -1 : vk_load_by(v, body, first, at->value, n + 1, 0, NULL);
    for (int i = 0; i < parts && first >= 0; i++) {
      scanc_dtype acc = dtype_acc(dtype_real(d));
      int x = vk_cast(v, body, e.part[i], acc), y = vk_cast(v, body, r.part[i], acc);
      r.part[i] = vk_op(v, body, OP_where, acc, (int[]){fresh, x, y}, 3);
      r.part[i] = vk_cast(v, body, r.part[i], dtype_real(d));
    }
    e = r;
  }
  for (int i = 0; i < parts; i++) vk_store_by(v, body, out, index, n, i, e.part[i]);
  if (first >= 0) vk_store_by(v, body, first, index, n, 0, vk_zero(v, body, SCANC_BOOL));
  if (count < 0) return;
  int k = vk_load_by(v, body, count, at->value, n + 1, 0, NULL);
  k = vk_op2(v, body, OP_add, SCANC_I64, k, vk_const(v, body, 1, SCANC_I64));
  vk_store_by(v, body, count, index, n, 0, k);
}

/* An array of the sizes of `to`, filled with a number, and its buffer. */
static bool make_beside(writing *w, const nest_view *to, scanc_dtype d, int64_t k, beside *b) {
  b->all = plan_new_array(w->x, d, to->size, to->rank);
  return plan_fill(w->x, w->n, &b->all, val_int(k));
}

/* Indexed as the buffer `out` is. */
static bool open_beside(writing *w, view_kernel *v, const int *axis, int out, beside *b) {
  indexing r;
  if (!w->points(w, &b->all, &r)) return false;
  b->buffer = index_buffer(v, "beside", SPACE_SCRATCH, &r.whole, axis, &r, 1);
  int own = v->k->buffers.data[b->buffer].n_dims,
      last = v->indices.data[out].rank; /* without parts of complex numbers */
  for (int i = 1; i <= r.n; i++)
    vk_extent(v, b->buffer, own - i, v->k->buffers.data[out].dims[last - i].extent);
  return true;
}

/* What is summed is divided by its count, where that is 2 or more; integers round down. */
static bool divide(writing *w, const nest_view *sum, const nest_view *to) {
  nest_view x = *sum, y = *to, c = w->counts;
  int axis[SCANC_MAX_RANK];
  scanc_dtype d = dtype_real(to->dtype), wide = dtype_class(d) == 'i' ? SCANC_I64 : SCANC_F64;
  if (d == SCANC_BOOL) return plan_copy(w->x, w->n, sum, to);
  view_kernel v = plan_kernel(w->x, "mean");
  views_merge(w->x->syms, (nest_view *[]){&x, &y, &c}, 3);
  for (int i = 0; i < y.rank; i++) axis[i] = vk_axis(&v, "i", y.size[i]);
  int in = vk_buffer(&v, "x", SPACE_INPUT, &x, axis),
      out = vk_buffer(&v, "y", SPACE_OUTPUT, &y, axis),
      by = vk_buffer(&v, "count", SPACE_INPUT, &c, axis);
  stmt_list *body = vk_parallel(&v, &v.k->body, axis, y.rank);
  int n = vk_load(&v, body, by, NULL, 0, NULL), two = vk_const(&v, body, 2, SCANC_I64);
  int several = vk_op2(&v, body, OP_ge, SCANC_I64, n, two);
  n = vk_op(&v, body, OP_where, SCANC_I64, (int[]){several, n, vk_const(&v, body, 1, SCANC_I64)},
            3);
  for (int i = 0; i < (dtype_class(to->dtype) == 'c' ? 2 : 1); i++) {
    int e = vk_cast(&v, body, vk_load(&v, body, in, NULL, i, NULL), wide);
    e = vk_op2(&v, body, wide == SCANC_I64 ? OP_floor_divide : OP_div, wide, e,
               vk_cast(&v, body, n, wide));
    vk_store(&v, body, out, NULL, i, vk_cast(&v, body, e, d));
  }
  return plan_add_kernel(w->x, w->n, &v);
}

/* The source has the sizes of the points. */
static bool write_to(writing *w, const nest_view *to) {
  planner *x = w->x;
  indexing *r = &w->at;
  int axis[SCANC_MAX_RANK] = {0}, from = -1;
  index_values at = {0};
  beside first = {.buffer = -1}, count = {.buffer = -1};
  bool mean = w->op == COMBINE_MEAN;
  if (!w->points(w, to, r)) return false;
  if (w->anew && !make_beside(w, to, SCANC_BOOL, 1, &first)) return false;
  if (mean && !make_beside(w, to, SCANC_I64, !w->anew, &count)) return false;
  view_kernel v = plan_kernel(x, w->n->op->name);
  stmt_list *body = &v.k->body;
  for (int d = 0; d < r->space.rank; d++) axis[d] = vk_axis(&v, "i", r->space.size[d]);
  int out = index_buffer(&v, "to", SPACE_SCRATCH, &r->whole, axis, r, 1);
  if (!w->is_number) from = index_buffer(&v, "source", SPACE_INPUT, &w->source, axis, NULL, 0);
  if ((w->anew && !open_beside(w, &v, axis, out, &first)) ||
      (mean && !open_beside(w, &v, axis, out, &count)))
    return false;
  index_open(&v, w->n, r, axis, out, &at);
  for (int d = 0; d < r->space.rank; d++) body = vk_sequence(&v, body, axis[d]);
  index_load(&v, body, r, &at);
  write_element(w, &v, body, out, from, &at, to->dtype, first.buffer, count.buffer);
  w->counts = count.all;
  return plan_add_kernel(x, w->n, &v);
}

static plan_steps write_points(writing *w, const nest_view *whole) {
  nest_view to = plan_tensor_result(w->x, w->n), sum = to;
  bool mean = w->op == COMBINE_MEAN;
  if (mean) sum = plan_new_array(w->x, to.dtype, to.size, to.rank);
  bool ok =
      plan_copy(w->x, w->n, whole, &sum) && write_to(w, &sum) && (!mean || divide(w, &sum, &to));
  return ok ? STEPS_MADE : STEPS_REFUSED;
}

/* ---- an index per element ---- */

static bool axis_points(const writing *w, const nest_view *whole, indexing *r) {
  int axis = 0;
  return (!whole->rank || plan_axis(w->n, 1, whole->rank, &axis)) &&
         index_axis(w->x, whole, axis, &w->index, r);
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
  w.anew = op == OP_scatter_reduce && !is_true(n, 5);
  w.is_number = !plan_tensor(x, n, 3, &w.source);
  if (w.is_number && !plan_is_scalar(x, w.given)) return STEPS_NONE;
  if (!plan_tensor(x, n, 0, &whole) || !plan_tensor(x, n, 2, &w.index) ||
      !axis_points(&w, &whole, &w.at))
    return STEPS_NONE;
  if (!w.is_number && (!plan_tensor(x, n, 3, &w.source) || !source_within(&w))) return STEPS_NONE;
  return has_kernel(&w, whole.dtype) ? write_points(&w, &whole) : STEPS_NONE;
}

/* ---- an index per slice ---- */

static bool vector_points(const writing *w, const nest_view *whole, indexing *r) {
  int axis;
  if (!plan_axis(w->n, 1, whole->rank, &axis) || !index_vector(w->x, whole, axis, &w->index, r))
    return false;
  r->wrap = w->n->op->id == OP_index_fill;
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
  w.op = op == OP_index_add      ? COMBINE_SUM
         : op == OP_index_reduce ? combine_named(word(n, 4))
                                 : COMBINE_REPLACE;
  w.anew = op == OP_index_reduce && !is_true(n, 5);
  w.is_number = op == OP_index_fill;
  if (op == OP_index_add && !is_one(n->operands[4])) w.factor = n->operands[4];
  if (!plan_is_scalar(x, w.factor) || (w.is_number && !plan_is_scalar(x, w.given)))
    return STEPS_NONE;
  if (!plan_tensor(x, n, 0, &whole) || !plan_tensor(x, n, 2, &w.index) ||
      !vector_points(&w, &whole, &w.at))
    return STEPS_NONE;
  if (!w.is_number && (!plan_tensor(x, n, 3, &w.source) || !source_within(&w))) return STEPS_NONE;
  return has_kernel(&w, whole.dtype) ? write_points(&w, &whole) : STEPS_NONE;
}

/* ---- several index tensors ---- */

static bool list_points(const writing *w, const nest_view *whole, indexing *r) {
  return index_list(w->x, w->n, whole, w->n->operands[1], r);
}

static plan_steps plan_index_put(planner *x, const node *n) {
  writing w = {.x = x, .n = n, .points = list_points};
  nest_view whole;
  val add = n->operands[3];
  w.op = add.kind == VAL_BOOL && add.i ? COMBINE_SUM : COMBINE_REPLACE;
  if (!plan_tensor(x, n, 0, &whole) || !plan_tensor(x, n, 2, &w.source) ||
      !list_points(&w, &whole, &w.at) || !plan_broadcast(x, &w.source, &w.at.space) ||
      !has_kernel(&w, whole.dtype))
    return STEPS_NONE;
  return write_points(&w, &whole);
}

/* ---- an index of all elements in a row ---- */

static bool flat_points(const writing *w, const nest_view *whole, indexing *r) {
  return index_flat(w->x, whole, &w->index, true, r);
}

/* v in the sizes of the index, whose elements it has in row-major order. */
static bool shape_source(writing *w, nest_view *v) {
  planner *x = w->x;
  dim stride, total = dim_int(1);
  if (!plan_flatten(x, w->n, v)) return false;
  for (int d = 0; d < w->index.rank; d++) total = dim_mul(x->syms, total, w->index.size[d]);
  if (!plan_require_equal(x, total, v->size[0])) return false;
  stride = v->stride[0];
  v->rank = w->index.rank;
  for (int d = 0; d < v->rank; d++) v->size[d] = w->index.size[d];
  plan_contiguous(x, v);
  for (int d = 0; d < v->rank; d++) v->stride[d] = dim_mul(x->syms, v->stride[d], stride);
  return true;
}

static plan_steps plan_put(planner *x, const node *n) {
  writing w = {.x = x, .n = n, .points = flat_points};
  nest_view whole, flat;
  val add = n->operands[3];
  dim total = dim_int(1);
  w.op = add.kind == VAL_BOOL && add.i ? COMBINE_SUM : COMBINE_REPLACE;
  if (!plan_tensor(x, n, 0, &whole) || !plan_tensor(x, n, 1, &w.index) ||
      !plan_tensor(x, n, 2, &w.source) || !has_kernel(&w, whole.dtype))
    return STEPS_NONE;
  for (int d = 0; d < whole.rank; d++) total = dim_mul(x->syms, total, whole.size[d]);
  if (!plan_require(x, dim_sub(x->syms, total, dim_int(1)))) return STEPS_NONE;
  nest_view to = plan_tensor_result(x, n), home = plan_flat_home(x, &to, &flat);
  bool ok = plan_copy(x, n, &whole, &home) && shape_source(&w, &w.source) && write_to(&w, &flat) &&
            (home.buffer == to.buffer || plan_copy(x, n, &home, &to));
  return ok ? STEPS_MADE : STEPS_REFUSED;
}

/* ---- gradients of tables ---- */

/* How often each row is chosen, but for those that are out of range. */
static bool count_rows(const writing *w, dim rows, nest_view *counts) {
  planner *x = w->x;
  int axis[SCANC_MAX_RANK];
  *counts = plan_new_array(x, SCANC_I64, &rows, 1);
  if (!plan_fill(x, w->n, counts, val_int(0))) return false;
  view_kernel v = plan_kernel(x, "frequencies");
  stmt_list *body = &v.k->body;
  for (int d = 0; d < w->index.rank; d++) axis[d] = vk_axis(&v, "i", w->index.size[d]);
  int to = vk_buffer(&v, "count", SPACE_SCRATCH, counts, (int[]){INDEX_VALUE - 1}),
      from = vk_buffer(&v, "index", SPACE_INPUT, &w->index, axis);
  lexpr extent = v.k->buffers.data[to].dims[0].extent;
  for (int d = 0; d < w->index.rank; d++) body = vk_sequence(&v, body, axis[d]);
  int row = vk_cast(&v, body, vk_load(&v, body, from, NULL, 0, NULL), SCANC_I64);
  int i = stmt_index(v.k, body, row, extent, false, -1);
  int same = vk_cast(&v, body, vk_op2(&v, body, OP_eq, SCANC_I64, i, row), SCANC_I64);
  int old = vk_load_by(&v, body, to, (int[]){i, i}, 2, 0, NULL);
  vk_store_by(&v, body, to, &i, 1, 0, vk_op2(&v, body, OP_add, SCANC_I64, old, same));
  return plan_add_kernel(x, w->n, &v);
}

/* An index that is skipped becomes 0, and its gradients too; counts (buffer -1: none): others are
 * divided by the count of their row. */
static bool clean_gradients(writing *w, int64_t skip, const nest_view *counts) {
  planner *x = w->x;
  nest_view g = w->source, index = w->index, to, row;
  int axis[SCANC_MAX_RANK], rank = index.rank;
  const scanc_dtype d = g.dtype, i64 = SCANC_I64;
  to = plan_new_array(x, d, g.size, g.rank);
  row = plan_new_array(x, i64, index.size, index.rank);
  view_kernel v = plan_kernel(x, "gradients");
  for (int k = 0; k < g.rank; k++) axis[k] = vk_axis(&v, "i", g.size[k]);
  int in = vk_buffer(&v, "g", SPACE_INPUT, &g, axis),
      from = vk_buffer(&v, "index", SPACE_INPUT, &index, axis),
      out = vk_buffer(&v, "to", SPACE_OUTPUT, &to, axis),
      rows = vk_buffer(&v, "row", SPACE_OUTPUT, &row, axis);
  stmt_list *body = vk_parallel(&v, &v.k->body, axis, rank);
  int at = vk_cast(&v, body, vk_load(&v, body, from, NULL, 0, NULL), i64);
  int no = vk_op2(&v, body, OP_eq, i64, at, vk_const(&v, body, (double)skip, i64));
  vk_store(&v, body, rows, NULL, 0,
           vk_op(&v, body, OP_where, i64, (int[]){no, vk_zero(&v, body, i64), at}, 3));
  int count = vk_const(&v, body, 1, i64);
  if (counts->buffer >= 0) {
    int n = vk_buffer(&v, "count", SPACE_INPUT, counts, (int[]){INDEX_VALUE});
    int i = stmt_index(v.k, body, at, v.k->buffers.data[n].dims[0].extent, false, -1);
    int k = vk_load_by(&v, body, n, &i, 1, 0, NULL);
    count = vk_op2(&v, body, OP_maximum, i64, count, k);
  }
  body = vk_parallel(&v, body, axis + rank, g.rank - rank);
  int by = vk_cast(&v, body, count, SCANC_F64);
  for (int part = 0; part < (dtype_class(d) == 'c' ? 2 : 1); part++) {
    scanc_dtype own = dtype_real(d);
    int e = vk_cast(&v, body, vk_load(&v, body, in, NULL, part, NULL), SCANC_F64);
    if (counts->buffer >= 0) e = vk_op2(&v, body, OP_div, SCANC_F64, e, by);
    e = vk_op(&v, body, OP_where, SCANC_F64, (int[]){no, vk_zero(&v, body, SCANC_F64), e}, 3);
    vk_store(&v, body, out, NULL, part, vk_cast(&v, body, e, own));
  }
  w->source = to;
  w->index = row;
  return plan_add_kernel(x, w->n, &v);
}

static bool row_points(const writing *w, const nest_view *whole, indexing *r) {
  return index_rows(w->x, whole, &w->index, r);
}

/* grad_output, indices, num_weights, padding_idx, scale_grad_by_freq */
static plan_steps plan_embedding_backward(planner *x, const node *n) {
  writing w = {.x = x, .n = n, .points = row_points, .op = COMBINE_SUM};
  nest_view table = plan_sizes_of(x, n->type), counts = {.buffer = -1};
  val skip = n->operands[3], scale = n->operands[4];
  char cls = dtype_class(table.dtype);
  if (!plan_tensor(x, n, 0, &w.source) || !plan_tensor(x, n, 1, &w.index) || skip.kind != VAL_INT ||
      scale.kind != VAL_BOOL || (cls != 'f' && cls != 'c') ||
      !index_rows(x, &table, &w.index, &w.at) || !has_kernel(&w, table.dtype))
    return STEPS_NONE;
  nest_view to = plan_tensor_result(x, n);
  bool ok = plan_fill(x, n, &to, val_int(0)) &&
            (!scale.i || count_rows(&w, table.size[0], &counts)) &&
            clean_gradients(&w, skip.i, &counts) && write_to(&w, &to);
  return ok ? STEPS_MADE : STEPS_REFUSED;
}

/* ---- masks ---- */

typedef struct {
  view_kernel v;
  int x, mask, source, to;
  int rank, axis[SCANC_MAX_RANK];
  scanc_dtype d;
} masking;

/* k: how many elements of the source are gone; the same behind the present element. */
static int mask_element(masking *m, stmt_list *body, int k) {
  view_kernel *v = &m->v;
  lexpr extent = v->k->buffers.data[m->source].dims[0].extent;
  int p = vk_cast(v, body, vk_load(v, body, m->mask, NULL, 0, NULL), SCANC_BOOL);
  int zero = vk_const(v, body, 0, SCANC_I64), n = stmt_point(v->k, body, -1, extent);
  int i = vk_op(v, body, OP_where, SCANC_I64, (int[]){p, k, zero}, 3);
  int at = stmt_index(v->k, body, i, extent, false, 0);
  int there = vk_op2(v, body, OP_lt, SCANC_I64, k, n);
  int take = vk_op2(v, body, OP_logical_and, SCANC_BOOL, p, there);
  for (int part = 0; part < (dtype_class(m->d) == 'c' ? 2 : 1); part++) {
    scanc_dtype own = dtype_real(m->d), acc = dtype_acc(own);
    int e = vk_cast(v, body, vk_load_by(v, body, m->source, &at, 1, part, NULL), acc);
    int old = vk_cast(v, body, vk_load(v, body, m->x, NULL, part, NULL), acc);
    e = vk_op(v, body, OP_where, acc, (int[]){take, e, old}, 3);
    vk_store(v, body, m->to, NULL, part, vk_cast(v, body, e, own));
  }
  return vk_op2(v, body, OP_add, SCANC_I64, k, vk_cast(v, body, take, SCANC_I64));
}

static int mask_loops(masking *m, stmt_list *where, int d, int k) {
  int in, next, out;
  if (d == m->rank) return mask_element(m, where, k);
  loop *l = vk_carry(&m->v, where, m->axis[d], &k, 1, &in);
  next = mask_loops(m, &l->body, d + 1, in);
  vk_carried(&m->v, l, &next, &out);
  return out;
}

/* self, mask, source: the elements of the source, one after the other, where the mask is true. */
static plan_steps plan_masked_scatter(planner *x, const node *n) {
  nest_view whole, mask, source, to;
  dim total = dim_int(1);
  masking m = {.d = n->type->dtype};
  if (!plan_tensor(x, n, 0, &whole) || !plan_tensor(x, n, 1, &mask) ||
      !plan_tensor(x, n, 2, &source))
    return STEPS_NONE;
  for (int d = 0; d < source.rank; d++) total = dim_mul(x->syms, total, source.size[d]);
  if (!plan_require(x, dim_sub(x->syms, total, dim_int(1)))) return STEPS_NONE;
  to = plan_tensor_result(x, n);
  if (!plan_broadcast(x, &whole, &to) || !plan_broadcast(x, &mask, &to) ||
      !plan_flatten(x, n, &source))
    return STEPS_REFUSED;
  m.v = plan_kernel(x, n->op->name);
  m.rank = to.rank;
  for (int d = 0; d < to.rank; d++) m.axis[d] = vk_axis(&m.v, "i", to.size[d]);
  m.to = vk_buffer(&m.v, "to", SPACE_OUTPUT, &to, m.axis);
  m.x = vk_buffer(&m.v, "x", SPACE_INPUT, &whole, m.axis);
  m.mask = vk_buffer(&m.v, "mask", SPACE_INPUT, &mask, m.axis);
  m.source = vk_buffer(&m.v, "source", SPACE_INPUT, &source, (int[]){INDEX_VALUE});
  fault_info f = {"the mask selects more elements than the source has",
                  arena_strdup(m.v.k->mem, n->name), n->loc};
  vec_push(m.v.k->mem, &m.v.k->faults, f);
  mask_loops(&m, &m.v.k->body, 0, vk_const(&m.v, &m.v.k->body, 0, SCANC_I64));
  return plan_add_kernel(x, n, &m.v) ? STEPS_MADE : STEPS_REFUSED;
}

/* ---- parts that begin at a number in memory ---- */

static bool part_points(const writing *w, const nest_view *whole, indexing *r) {
  int axis;
  return plan_axis(w->n, 2, whole->rank, &axis) && index_part(w->x, whole, axis, &w->index, r);
}

/* self, src, dim, index or start, end, step */
plan_steps plan_scatter_at_cell(planner *x, const node *n) {
  writing w = {.x = x, .n = n, .points = part_points, .op = COMBINE_REPLACE};
  nest_view whole;
  int axis;
  bool one = n->op->id == OP_select_scatter;
  val step = one ? val_absent() : n->operands[5];
  if ((!one && n->op->id != OP_slice_scatter) || !plan_tensor(x, n, 0, &whole) ||
      !plan_tensor(x, n, 1, &w.source) || !has_kernel(&w, whole.dtype) ||
      !plan_axis(n, 2, whole.rank, &axis) ||
      !(step.kind == VAL_ABSENT || (step.kind == VAL_INT && step.i == 1)) ||
      w.source.rank != whole.rank - one)
    return STEPS_NONE;
  dim size = one ? dim_int(1) : w.source.size[axis];
  if (!dim_is_int(size) || size.k < 1 || !plan_cell_index(x, n, 3, one ? -1 : size.k, &w.index))
    return STEPS_NONE;
  if (!part_points(&w, &whole, &w.at) || !plan_broadcast(x, &w.source, &w.at.space))
    return STEPS_REFUSED;
  return write_points(&w, &whole);
}

plan_op_fn plan_scatter_of(op_id op) {
  switch (op) {
    case OP_scatter:
    case OP_scatter_add:
    case OP_scatter_reduce: return plan_scatter;
    case OP_index_add:
    case OP_index_copy:
    case OP_index_reduce:
    case OP_index_fill: return plan_index_write;
    case OP_put: return plan_put;
    case OP_embedding_dense_backward: return plan_embedding_backward;
    case OP_masked_scatter: return plan_masked_scatter;
    case OP_index_put: return plan_index_put;
    default: return NULL;
  }
}
