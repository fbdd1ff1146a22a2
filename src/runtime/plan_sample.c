/* Nearest and bilinear upsampling, windows as columns of a matrix and back,
 * distances of pairs: with the arithmetic of the interpreter, step by step. */
#include "runtime/plan_sample.h"

#include <math.h>

#include "runtime/plan_index.h"
#include "runtime/plan_move.h"

enum { MAX_EXACT = 1 << 22 }; /* positions that f32 has exactly, with a half added */

/* ---- upsampling ---- */

typedef struct {
  planner *x;
  const node *n;
  nest_view from, to;
  double factor[2]; /* source extent per result extent; 0: that of the sizes */
  bool align;
} sampling;

static bool known_float(val v, double *out) {
  if (v.kind != VAL_FLOAT && v.kind != VAL_INT) return false;
  *out = v.kind == VAL_FLOAT ? v.f : (double)v.i;
  return true;
}

static bool read_factor(sampling *s, int first, int i) {
  const val *a = s->n->operands;
  double given = 0;
  val factors = a[first + 2], own = a[first + i];
  if (s->align) return true;
  if (val_is_seq(factors)) {
    if (factors.n != 2 || !known_float(factors.items[i], &given)) return false;
  } else if (own.kind != VAL_ABSENT && own.kind != VAL_NONE && !known_float(own, &given)) {
    return false;
  }
  s->factor[i] = given > 0 ? 1 / given : 0;
  return true;
}

static bool open_sampling(planner *x, const node *n, int first, sampling *s) {
  s->x = x, s->n = n;
  s->to = plan_sizes_of(x, n->type);
  if (!plan_tensor(x, n, 0, &s->from) || s->from.rank != 4 || s->to.rank != 4) return false;
  for (int i = 0; i < 2; i++) {
    const dim all[2] = {s->from.size[2 + i], s->to.size[2 + i]}, most = dim_int(MAX_EXACT);
    for (int k = 0; k < 2; k++)
      if (!plan_require(x, dim_sub(x->syms, all[k], dim_int(1))) ||
          !plan_require(x, dim_sub(x->syms, most, all[k])))
        return false;
    if (!read_factor(s, first, i)) return false;
  }
  return true;
}

/* The source extent per result extent along axis i, computed in f64 and rounded to d; of corners
 * that lie on each other it is 0 for a single position. */
static int scale_value(const sampling *s, view_kernel *v, stmt_list *where, int i, scanc_dtype d) {
  const scanc_dtype f = SCANC_F64;
  symtab *syms = s->x->syms;
  dim cut = dim_int(s->align), from = dim_sub(syms, s->from.size[2 + i], cut),
      to = dim_sub(syms, s->to.size[2 + i], cut);
  if (s->factor[i]) return vk_cast(v, where, vk_const(v, where, s->factor[i], f), d);
  int n = vk_cast(v, where, vk_size(v, where, from), f);
  int m = vk_cast(v, where, vk_size(v, where, to), f), zero = vk_zero(v, where, f);
  int scale = vk_op2(v, where, OP_div, f, n, m), none = vk_op2(v, where, OP_eq, f, m, zero);
  return vk_cast(v, where, vk_where(v, where, f, none, zero, scale), d);
}

/* The result, with the samples and channels that the operand has. */
static bool open_result(sampling *s) {
  s->to = plan_tensor_result(s->x, s->n);
  return plan_same_size(s->x, &s->to, 0, s->from.size[0]) &&
         plan_same_size(s->x, &s->to, 1, s->from.size[1]);
}

/* The source of every position along axis i, as an array. */
static bool nearest(sampling *s, int i, nest_view *at) {
  view_kernel v = plan_kernel(s->x, "nearest");
  dim n = s->to.size[2 + i];
  *at = plan_new_array(s->x, SCANC_I64, &n, 1);
  int axis = vk_axis(&v, "i", n);
  stmt_list *body = vk_parallel(&v, &v.k->body, &axis, 1);
  int to = vk_buffer(&v, "at", SPACE_OUTPUT, at, &axis);
  int k = vk_cast(&v, body, stmt_point(v.k, body, axis, lexpr_const(0)), SCANC_F32);
  int scale = scale_value(s, &v, body, i, SCANC_F32);
  int place = vk_op2(&v, body, OP_mul, SCANC_F32, k, scale);
  int low = vk_cast(&v, body, vk_op(&v, body, OP_floor, SCANC_F32, &place, 1), SCANC_I64);
  int last = vk_size(&v, body, dim_sub(s->x->syms, s->from.size[2 + i], dim_int(1)));
  vk_store(&v, body, to, NULL, 0, vk_op2(&v, body, OP_minimum, SCANC_I64, low, last));
  return plan_add_kernel(s->x, s->n, &v);
}

static plan_steps plan_upsample_nearest(planner *x, const node *n) {
  sampling s = {.align = false};
  indexing r = {.n = 2};
  if (!open_sampling(x, n, 2, &s)) return STEPS_NONE;
  r.space = r.whole = s.from;
  for (int i = 0; i < 2; i++) {
    nest_view at;
    r.extent[i] = s.from.size[2 + i];
    r.stride[i] = s.from.stride[2 + i];
    if (!nearest(&s, i, &at)) return STEPS_REFUSED;
    r.index[i] = at;
    r.index[i].rank = 4;
    for (int d = 0; d < 4; d++) {
      r.index[i].size[d] = d < 2 ? s.from.size[d] : s.to.size[d];
      r.index[i].stride[d] = dim_int(d == 2 + i);
    }
  }
  for (int d = 0; d < 4; d++) {
    r.space.size[d] = r.whole.size[d] = r.index[0].size[d];
    if (d >= 2) r.whole.stride[d] = dim_int(0);
  }
  return plan_gather_points(x, n, &r);
}

/* Two neighbours along an axis, as indices, and their weights. */
typedef struct {
  int at[2], w[2];
} taps;

static taps linear_taps(const sampling *s, view_kernel *v, stmt_list *where, int from, int axis,
                        int i) {
  scanc_dtype d = dtype_acc(s->from.dtype);
  int scale = scale_value(s, v, where, i, d), half = vk_const(v, where, 0.5, d);
  int zero = vk_zero(v, where, d), one = vk_const(v, where, 1, d);
  int k = vk_cast(v, where, stmt_point(v->k, where, axis, lexpr_const(0)), d);
  if (!s->align) k = vk_op2(v, where, OP_add, d, k, half);
  int pos = vk_op2(v, where, OP_mul, d, scale, k);
  if (!s->align) pos = vk_op2(v, where, OP_sub, d, pos, half);
  pos = vk_where(v, where, d, vk_op2(v, where, OP_lt, d, pos, zero), zero, pos);
  int last = vk_size(v, where, dim_sub(s->x->syms, s->from.size[2 + i], dim_int(1)));
  int next = vk_integer(v, where, 1);
  int low = vk_op2(v, where, OP_minimum, SCANC_I64, vk_cast(v, where, pos, SCANC_I64), last);
  int high = vk_op2(v, where, OP_add, SCANC_I64, low, next);
  high = vk_op2(v, where, OP_minimum, SCANC_I64, high, last);
  int w = vk_op2(v, where, OP_sub, d, pos, vk_cast(v, where, low, d));
  w = vk_where(v, where, d, vk_op2(v, where, OP_gt, d, w, one), one, w);
  lexpr extent = v->k->buffers.data[from].dims[2 + i].extent;
  int rest = vk_op2(v, where, OP_sub, d, one, w);
  int a = stmt_index(v->k, where, low, extent, false, -1);
  int b = stmt_index(v->k, where, high, extent, false, -1);
  return (taps){{a, b}, {rest, w}};
}

static plan_steps plan_upsample_bilinear(planner *x, const node *n) {
  sampling s = {.align = n->operands[2].kind == VAL_BOOL && n->operands[2].i};
  int axis[4], runs[4], row[2];
  if (n->operands[2].kind != VAL_BOOL || !open_sampling(x, n, 3, &s)) return STEPS_NONE;
  if (!open_result(&s)) return STEPS_REFUSED;
  scanc_dtype d = dtype_acc(s.from.dtype);
  view_kernel v = plan_kernel(x, n->op->name);
  for (int k = 0; k < 4; k++) axis[k] = runs[k] = vk_axis(&v, "i", s.to.size[k]);
  runs[2] = INDEX_VALUE, runs[3] = INDEX_VALUE - 1;
  int to = vk_buffer(&v, "y", SPACE_OUTPUT, &s.to, axis),
      from = vk_buffer(&v, "x", SPACE_INPUT, &s.from, runs);
  stmt_list *body = vk_parallel(&v, &v.k->body, axis, 4);
  taps ty = linear_taps(&s, &v, body, from, axis[2], 0);
  taps tx = linear_taps(&s, &v, body, from, axis[3], 1);
  for (int r = 0; r < 2; r++) {
    int part[2];
    for (int k = 0; k < 2; k++) {
      int at[2] = {ty.at[r], tx.at[k]}, e = vk_load_by(&v, body, from, at, 2, 0, NULL);
      part[k] = vk_op2(&v, body, OP_mul, d, tx.w[k], vk_cast(&v, body, e, d));
    }
    row[r] = vk_op2(&v, body, OP_mul, d, ty.w[r], vk_op2(&v, body, OP_add, d, part[0], part[1]));
    row[r] = vk_cast(&v, body, row[r], SCANC_F64); /* halves are rounded once */
  }
  int y = vk_op2(&v, body, OP_add, SCANC_F64, row[0], row[1]);
  vk_store(&v, body, to, NULL, 0, vk_cast(&v, body, y, s.to.dtype));
  return plan_add_kernel(x, n, &v) ? STEPS_MADE : STEPS_REFUSED;
}

/* ---- distances of pairs ---- */

static int distance_term(view_kernel *v, stmt_list *where, double p, int sum, int e) {
  const scanc_dtype d = SCANC_F64;
  if (p == 0) {
    int there = vk_op2(v, where, OP_ne, d, e, vk_zero(v, where, d));
    return vk_op2(v, where, OP_add, d, sum, vk_cast(v, where, there, d));
  }
  if (isinf(p)) {
    int nan = vk_op2(v, where, OP_ne, d, e, e), more = vk_op2(v, where, OP_gt, d, e, sum);
    return vk_where(v, where, d, vk_op2(v, where, OP_logical_or, SCANC_BOOL, nan, more), e, sum);
  }
  if (p == 2) e = vk_op2(v, where, OP_mul, d, e, e);
  else if (p != 1) e = vk_op2(v, where, OP_pow, d, e, vk_const(v, where, p, d));
  return vk_op2(v, where, OP_add, d, sum, e);
}

static int distance_of(view_kernel *v, stmt_list *where, double p, int sum) {
  if (p == 2) return vk_op(v, where, OP_sqrt, SCANC_F64, &sum, 1);
  if (p == 0 || p == 1 || isinf(p)) return sum;
  return vk_op2(v, where, OP_pow, SCANC_F64, sum, vk_const(v, where, 1 / p, SCANC_F64));
}

/* self [N, M], p: all pairs of rows i < j, by i and then j */
static plan_steps plan_pdist(planner *x, const node *n) {
  nest_view from, to;
  double p = 2;
  val given = n->operands[1];
  if (!plan_tensor(x, n, 0, &from) || from.rank != 2 ||
      (given.kind != VAL_ABSENT && !known_float(given, &p)))
    return STEPS_NONE;
  if (!plan_require(x, dim_sub(x->syms, from.size[0], dim_int(1)))) return STEPS_NONE;
  view_kernel v = plan_kernel(x, n->op->name);
  const scanc_dtype d = SCANC_F64;
  to = plan_tensor_result(x, n);
  int pair = vk_axis(&v, "pair", to.size[0]), m = vk_axis(&v, "m", from.size[1]);
  int in[2], next[2], out[2], state, more, sum, runs[2] = {INDEX_VALUE, m};
  int rows = vk_buffer(&v, "x", SPACE_INPUT, &from, runs),
      y = vk_buffer(&v, "y", SPACE_OUTPUT, &to, &pair);
  lexpr extent = v.k->buffers.data[rows].dims[0].extent;
  int first[2] = {vk_integer(&v, &v.k->body, 0), vk_integer(&v, &v.k->body, 1)};
  loop *l = vk_carry(&v, &v.k->body, pair, first, 2, in);
  stmt_list *body = &l->body;
  int i = stmt_index(v.k, body, in[0], extent, false, -1),
      j = stmt_index(v.k, body, in[1], extent, false, -1), zero = vk_zero(&v, body, d);
  loop *along_row = vk_carry(&v, body, m, &zero, 1, &state);
  int a = vk_cast(&v, &along_row->body, vk_load_by(&v, &along_row->body, rows, &i, 1, 0, NULL), d);
  int b = vk_cast(&v, &along_row->body, vk_load_by(&v, &along_row->body, rows, &j, 1, 0, NULL), d);
  int e = vk_op2(&v, &along_row->body, OP_sub, d, a, b);
  e = vk_op(&v, &along_row->body, OP_abs, d, &e, 1);
  more = distance_term(&v, &along_row->body, p, state, e);
  vk_carried(&v, along_row, &more, &sum);
  sum = distance_of(&v, body, p, sum);
  vk_store(&v, body, y, NULL, 0, vk_cast(&v, body, sum, to.dtype));
  int one = vk_integer(&v, body, 1), size = stmt_point(v.k, body, -1, extent);
  int column = vk_op2(&v, body, OP_add, SCANC_I64, in[1], one);
  int row = vk_op2(&v, body, OP_add, SCANC_I64, in[0], one);
  int same = vk_op2(&v, body, OP_lt, SCANC_I64, column, size);
  int behind = vk_op2(&v, body, OP_add, SCANC_I64, row, one);
  next[0] = vk_where(&v, body, SCANC_I64, same, in[0], row);
  next[1] = vk_where(&v, body, SCANC_I64, same, column, behind);
  vk_carried(&v, l, next, out);
  return plan_add_kernel(x, n, &v) ? STEPS_MADE : STEPS_REFUSED;
}

/* ---- windows as columns ---- */

/* An image [N, C, H, W] and columns [N, C, ky, kx, oy, ox]. */
typedef struct {
  planner *x;
  const node *n;
  int64_t kernel[2], dilation[2], padding[2], stride[2];
  nest_view image, columns;
} columns;

/* kernel_size, dilation, padding, stride in operands k.. */
static bool read_columns(columns *c, int k) {
  const val *a = c->n->operands;
  return plan_numbers(a[k], 2, 1, c->kernel) && plan_numbers(a[k + 1], 2, 1, c->dilation) &&
         plan_numbers(a[k + 2], 2, 0, c->padding) && plan_numbers(a[k + 3], 2, 1, c->stride);
}

/* A view [N, C, H, W], which may have no samples. */
static bool four_dims(nest_view *v, int rank) {
  if (v->rank == rank) return true;
  if (v->rank != rank - 1) return false;
  for (int d = v->rank; d > 0; d--) v->size[d] = v->size[d - 1], v->stride[d] = v->stride[d - 1];
  v->size[0] = dim_int(1);
  v->stride[0] = dim_int(0);
  v->rank++;
  return true;
}

/* Splits the two dimensions of a matrix [N, C * kernel, windows]; there is a window. */
static bool split_columns(columns *c) {
  planner *x = c->x;
  nest_view all = c->columns, *v = &c->columns;
  dim total = dim_int(1), taps_of = dim_int(c->kernel[0] * c->kernel[1]);
  v->rank = 6;
  v->size[1] = c->image.size[1];
  v->stride[1] = dim_mul(x->syms, all.stride[1], taps_of);
  for (int i = 1; i >= 0; i--) {
    dim room = dim_add(x->syms, c->image.size[2 + i],
                       dim_int(2 * c->padding[i] - c->dilation[i] * (c->kernel[i] - 1) - 1));
    v->size[2 + i] = dim_int(c->kernel[i]);
    v->stride[2 + i] = dim_mul(x->syms, all.stride[1], dim_int(i ? 1 : c->kernel[1]));
    v->size[4 + i] =
        dim_add(x->syms, dim_floordiv(x->syms, room, dim_int(c->stride[i])), dim_int(1));
    v->stride[4 + i] = dim_mul(x->syms, all.stride[2], i ? dim_int(1) : v->size[5]);
    total = dim_mul(x->syms, total, v->size[4 + i]);
    if (!plan_require(x, room) ||
        !plan_require(x, dim_sub(x->syms, c->image.size[2 + i], dim_int(1))))
      return false;
  }
  dim rows = dim_mul(x->syms, c->image.size[1], taps_of);
  return plan_require_equal(x, all.size[2], total) && plan_require_equal(x, all.size[1], rows) &&
         plan_require_equal(x, all.size[0], c->image.size[0]);
}

/* Along axis i: the place in the image and whether there is one. */
static int place(const columns *c, view_kernel *v, stmt_list *where, int buf, const int *axis,
                 int i, int *valid) {
  const scanc_dtype d = SCANC_I64;
  int o = stmt_point(v->k, where, axis[4 + i], lexpr_const(0)),
      k = stmt_point(v->k, where, axis[2 + i], lexpr_const(0));
  int first = vk_op2(v, where, OP_mul, d, o, vk_integer(v, where, c->stride[i]));
  int step = vk_op2(v, where, OP_mul, d, k, vk_integer(v, where, c->dilation[i]));
  int at = vk_op2(v, where, OP_add, d, first, step);
  at = vk_op2(v, where, OP_sub, d, at, vk_integer(v, where, c->padding[i]));
  lexpr extent = v->k->buffers.data[buf].dims[2 + i].extent;
  int index = stmt_index(v->k, where, at, extent, false, -1);
  int here = vk_op2(v, where, OP_eq, d, at, index);
  *valid = *valid < 0 ? here : vk_op2(v, where, OP_logical_and, SCANC_BOOL, *valid, here);
  return index;
}

static plan_steps plan_im2col(planner *x, const node *n) {
  columns c = {.x = x, .n = n};
  int axis[6], runs[4], at[2], valid = -1;
  if (!read_columns(&c, 1) || !plan_tensor(x, n, 0, &c.image) || !four_dims(&c.image, 4))
    return STEPS_NONE;
  c.columns = plan_tensor_result(x, n);
  if (!four_dims(&c.columns, 3) || !split_columns(&c)) return STEPS_REFUSED;
  view_kernel v = plan_kernel(x, n->op->name);
  for (int k = 0; k < 6; k++) axis[k] = vk_axis(&v, "i", c.columns.size[k]);
  runs[0] = axis[0], runs[1] = axis[1], runs[2] = INDEX_VALUE, runs[3] = INDEX_VALUE - 1;
  c.image.size[0] = c.columns.size[0];
  int from = vk_buffer(&v, "image", SPACE_INPUT, &c.image, runs),
      to = vk_buffer(&v, "columns", SPACE_OUTPUT, &c.columns, axis);
  stmt_list *body = vk_parallel(&v, &v.k->body, axis, 6);
  for (int i = 0; i < 2; i++) at[i] = place(&c, &v, body, from, axis, i, &valid);
  for (int part = 0; part < (dtype_class(c.image.dtype) == 'c' ? 2 : 1); part++) {
    scanc_dtype d = dtype_real(c.image.dtype), acc = dtype_acc(d);
    int e = vk_cast(&v, body, vk_load_by(&v, body, from, at, 2, part, NULL), acc);
    e = vk_where(&v, body, acc, valid, e, vk_zero(&v, body, acc));
    vk_store(&v, body, to, NULL, part, vk_cast(&v, body, e, d));
  }
  return plan_add_kernel(x, n, &v) ? STEPS_MADE : STEPS_REFUSED;
}

/* Sums in the order of the columns. What a place outside adds to the first element is -0, which
 * changes nothing. */
static plan_steps plan_col2im(planner *x, const node *n) {
  columns c = {.x = x, .n = n};
  int axis[6], runs[4], at[2], valid = -1;
  if (!read_columns(&c, 2) || !plan_tensor(x, n, 0, &c.columns) || !four_dims(&c.columns, 3))
    return STEPS_NONE;
  nest_view to = plan_tensor_result(x, n);
  c.image = to;
  if (!four_dims(&c.image, 4) || !split_columns(&c) || !plan_fill(x, n, &to, val_int(0)))
    return STEPS_REFUSED;
  view_kernel v = plan_kernel(x, n->op->name);
  for (int k = 0; k < 6; k++) axis[k] = vk_axis(&v, "i", c.columns.size[k]);
  runs[0] = axis[0], runs[1] = axis[1], runs[2] = INDEX_VALUE - 1, runs[3] = INDEX_VALUE - 2;
  int from = vk_buffer(&v, "columns", SPACE_INPUT, &c.columns, axis),
      image = vk_buffer(&v, "image", SPACE_SCRATCH, &c.image, runs);
  stmt_list *body = &v.k->body;
  for (int k = 0; k < 6; k++) body = vk_sequence(&v, body, axis[k]);
  for (int i = 0; i < 2; i++) at[i] = place(&c, &v, body, image, axis, i, &valid);
  scanc_dtype d = dtype_real(c.image.dtype), acc = dtype_acc(d);
  op_id join = d == SCANC_BOOL ? OP_logical_or : OP_add;
  for (int part = 0; part < (dtype_class(c.image.dtype) == 'c' ? 2 : 1); part++) {
    int e = vk_cast(&v, body, vk_load(&v, body, from, NULL, part, NULL), acc);
    e = vk_where(&v, body, acc, valid, e, vk_const(&v, body, -0.0, acc));
    int old = vk_load_by(&v, body, image, (int[]){at[0], at[0], at[1]}, 3, part, NULL);
    int sum = vk_op2(&v, body, join, acc, vk_cast(&v, body, old, acc), e);
    vk_store_by(&v, body, image, at, 2, part, vk_cast(&v, body, sum, d));
  }
  return plan_add_kernel(x, n, &v) ? STEPS_MADE : STEPS_REFUSED;
}

plan_op_fn plan_sample_of(op_id op) {
  switch (op) {
    case OP_upsample_nearest2d: return plan_upsample_nearest;
    case OP_upsample_bilinear2d: return plan_upsample_bilinear;
    case OP_grid_sampler_2d: return plan_grid_sampler;
    case OP_pdist: return plan_pdist;
    case OP_im2col: return plan_im2col;
    case OP_col2im: return plan_col2im;
    default: return NULL;
  }
}
