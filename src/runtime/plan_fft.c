/* Fourier transforms in plans, step by step what the interpreter does (eval_fft.c): in f64, one
 * axis after the other, with a table of roots; radix 2 for powers of two, the plain sum otherwise.
 * Of a length that only a run knows there are both kernels, one of which runs. */
#include "runtime/plan_fft.h"

#include <math.h>

#include "passes/view.h"
#include "runtime/plan_move.h"

enum { MAX_BITS = 40 }; /* of a length */

/* What results are multiplied with: 1, 1 / sqrt(n) or 1 / n, n being the product of the sizes. */
typedef struct {
  int64_t norm; /* 0, 1 or 2 */
  int n;
  dim size[SCANC_MAX_RANK];
} scaling;

/* One axis of a call. Views have the transformed dimension last. */
typedef struct {
  planner *x;
  const node *n;
  dim length, half; /* half: of the source, which is mirrored; else the length */
  int sign;
  scaling scale;
  nest_view from, to; /* to may keep fewer elements, and real parts only */
} transform;

typedef struct {
  const transform *t;
  view_kernel *v;
  int rows, row[SCANC_MAX_RANK]; /* axes */
  int from, roots, line;         /* buffers; line: by value */
} emitter;

/* A complex number: value ids. */
typedef struct {
  int re, im;
} c128;

static const scanc_dtype F64 = SCANC_F64, I64 = SCANC_I64;

static c128 product(view_kernel *v, stmt_list *where, c128 a, c128 b) {
  int rr = vk_op2(v, where, OP_mul, F64, a.re, b.re),
      ii = vk_op2(v, where, OP_mul, F64, a.im, b.im);
  int ri = vk_op2(v, where, OP_mul, F64, a.re, b.im),
      ir = vk_op2(v, where, OP_mul, F64, a.im, b.re);
  int re = vk_op2(v, where, OP_sub, F64, rr, ii), im = vk_op2(v, where, OP_add, F64, ri, ir);
  return (c128){re, im};
}

static c128 joined(view_kernel *v, stmt_list *where, op_id op, c128 a, c128 b) {
  int re = vk_op2(v, where, op, F64, a.re, b.re), im = vk_op2(v, where, op, F64, a.im, b.im);
  return (c128){re, im};
}

/* The extent of dimension d of a buffer, for the indices into it. */
static lexpr extent_of(const emitter *e, int buf, int d) {
  return e->v->k->buffers.data[buf].dims[d].extent;
}

/* ---- tables ---- */

/* exp(sign * 2 pi i * k / n) */
static bool make_roots(const transform *t, nest_view *roots) {
  view_kernel v = plan_kernel(t->x, "roots");
  dim n = t->length;
  *roots = plan_new_array(t->x, SCANC_C128, &n, 1);
  int axis = vk_axis(&v, "k", n);
  stmt_list *body = vk_parallel(&v, &v.k->body, &axis, 1);
  int to = vk_buffer(&v, "roots", SPACE_OUTPUT, roots, &axis);
  int k = vk_cast(&v, body, stmt_point(v.k, body, axis, lexpr_const(0)), F64);
  int angle = vk_op2(&v, body, OP_mul, F64, vk_const(&v, body, 2 * M_PI, F64), k);
  int count = vk_cast(&v, body, vk_size(&v, body, n), F64);
  angle = vk_op2(&v, body, OP_div, F64, angle, count);
  int re = vk_op(&v, body, OP_cos, F64, &angle, 1), im = vk_op(&v, body, OP_sin, F64, &angle, 1);
  vk_store(&v, body, to, NULL, 0, re);
  if (t->sign < 0) im = vk_op(&v, body, OP_neg, F64, &im, 1);
  vk_store(&v, body, to, NULL, 1, im);
  return plan_add_kernel(t->x, t->n, &v);
}

/* Of a power of two. */
static dim bits_of(const transform *t) {
  symtab *syms = t->x->syms;
  dim bits = dim_int(0);
  for (int k = 1; k < MAX_BITS; k++) {
    dim more = dim_floordiv(syms, t->length, dim_int((int64_t)1 << k));
    bits = dim_add(syms, bits, dim_min(syms, more, dim_int(1)));
  }
  return bits;
}

/* 0 for powers of two, else more. */
static dim is_no_power(const transform *t) {
  return dim_mod(t->x->syms, dim_int((int64_t)1 << 62), t->length);
}

/* i with its bits in reverse order. */
static bool make_order(const transform *t, nest_view *order, const dim *needs) {
  view_kernel v = plan_kernel(t->x, "reversed_bits");
  dim n = t->length;
  int in[2], next[2], out[2];
  *order = plan_new_array(t->x, I64, &n, 1);
  int axis = vk_axis(&v, "i", n), bit = vk_axis(&v, "bit", bits_of(t));
  stmt_list *body = vk_parallel(&v, &v.k->body, &axis, 1);
  int to = vk_buffer(&v, "order", SPACE_OUTPUT, order, &axis);
  int init[2] = {stmt_point(v.k, body, axis, lexpr_const(0)), vk_integer(&v, body, 0)};
  loop *l = vk_carry(&v, body, bit, init, 2, in);
  int one = vk_integer(&v, &l->body, 1), two = vk_integer(&v, &l->body, 2);
  int last = vk_op2(&v, &l->body, OP_bitwise_and, I64, in[0], one);
  int twice = vk_op2(&v, &l->body, OP_mul, I64, in[1], two);
  next[0] = vk_op2(&v, &l->body, OP_floor_divide, I64, in[0], two);
  next[1] = vk_op2(&v, &l->body, OP_add, I64, twice, last);
  vk_carried(&v, l, next, out);
  vk_store(&v, body, to, NULL, 0, out[1]);
  return plan_add_kernel_if(t->x, t->n, &v, needs);
}

/* ---- lines ---- */

static int line_buffer(emitter *e, const char *name, buffer_space space, const nest_view *view,
                       int element) {
  int axis[SCANC_MAX_RANK];
  for (int d = 0; d < e->rows; d++) axis[d] = e->row[d];
  axis[e->rows] = element;
  return vk_buffer(e->v, name, space, view, axis);
}

/* Element i of the source; behind its half the conjugates of those before. */
static c128 load_source(emitter *e, stmt_list *where, int i) {
  view_kernel *v = e->v;
  const transform *t = e->t;
  bool complex = dtype_class(t->from.dtype) == 'c', mirrored = !dim_equal(t->half, t->length);
  int up = -1, there = -1, zero = vk_zero(v, where, F64);
  if (mirrored) {
    int half = vk_size(v, where, t->half), n = vk_size(v, where, t->length);
    up = vk_op2(v, where, OP_lt, I64, i, half);
    i = vk_where(v, where, I64, up, i, vk_op2(v, where, OP_sub, I64, n, i));
    there = vk_op2(v, where, OP_lt, I64, i, half);
  }
  int at = stmt_index(v->k, where, i, extent_of(e, e->from, e->rows), false, -1);
  c128 x = {vk_cast(v, where, vk_load_by(v, where, e->from, &at, 1, 0, NULL), F64), zero};
  if (complex) x.im = vk_cast(v, where, vk_load_by(v, where, e->from, &at, 1, 1, NULL), F64);
  if (!mirrored) return x;
  int re = vk_where(v, where, F64, there, x.re, zero),
      im = vk_where(v, where, F64, there, x.im, zero);
  int conj = vk_op(v, where, OP_neg, F64, &im, 1);
  return (c128){re, vk_where(v, where, F64, up, im, conj)};
}

/* -1: by nothing. */
static int scale_value(emitter *e, stmt_list *where) {
  const scaling *s = &e->t->scale;
  view_kernel *v = e->v;
  if (!s->norm) return -1;
  int n = vk_const(v, where, 1, F64), one = vk_const(v, where, 1, F64);
  for (int i = 0; i < s->n; i++)
    n = vk_op2(v, where, OP_mul, F64, n, vk_cast(v, where, vk_size(v, where, s->size[i]), F64));
  if (s->norm == 1) n = vk_op(v, where, OP_sqrt, F64, &n, 1);
  return vk_op2(v, where, OP_div, F64, one, n);
}

static void store_result(emitter *e, stmt_list *where, int to, c128 x) {
  view_kernel *v = e->v;
  scanc_dtype d = dtype_real(e->t->to.dtype);
  int part[2] = {x.re, x.im}, scale = scale_value(e, where);
  for (int i = 0; i < (dtype_class(e->t->to.dtype) == 'c' ? 2 : 1); i++) {
    int y = part[i];
    if (scale >= 0) y = vk_op2(v, where, OP_mul, F64, y, scale);
    vk_store(v, where, to, NULL, i, vk_cast(v, where, y, d));
  }
}

static c128 load_root(emitter *e, stmt_list *where, int k) {
  int at = stmt_index(e->v->k, where, k, extent_of(e, e->roots, 0), false, -1);
  int re = vk_load_by(e->v, where, e->roots, &at, 1, 0, NULL),
      im = vk_load_by(e->v, where, e->roots, &at, 1, 1, NULL);
  return (c128){re, im};
}

/* y[k] = sum of x[t] * root[k * t], in rising order of t */
static void plain(emitter *e, stmt_list *where) {
  view_kernel *v = e->v;
  const transform *t = e->t;
  int k = vk_axis(v, "k", t->to.size[e->rows]), axis = vk_axis(v, "t", t->length);
  int to = line_buffer(e, "y", SPACE_OUTPUT, &t->to, k), in[3], next[3], out[3];
  stmt_list *body = vk_parallel(v, where, &k, 1);
  int zero = vk_zero(v, body, F64), n = vk_size(v, body, t->length);
  int step = stmt_point(v->k, body, k, lexpr_const(0));
  loop *l = vk_carry(v, body, axis, (int[]){zero, zero, vk_integer(v, body, 0)}, 3, in);
  int i = stmt_point(v->k, &l->body, axis, lexpr_const(0));
  c128 x = load_source(e, &l->body, i), w = load_root(e, &l->body, in[2]);
  c128 sum = joined(v, &l->body, OP_add, (c128){in[0], in[1]}, product(v, &l->body, x, w));
  int at = vk_op2(v, &l->body, OP_add, I64, in[2], step);
  int less = vk_op2(v, &l->body, OP_sub, I64, at, n);
  int beyond = vk_op2(v, &l->body, OP_ge, I64, at, n);
  next[0] = sum.re, next[1] = sum.im;
  next[2] = vk_where(v, &l->body, I64, beyond, less, at);
  vk_carried(v, l, next, out);
  store_result(e, body, to, (c128){out[0], out[1]});
}

/* ---- radix 2 ---- */

static c128 load_line(emitter *e, stmt_list *where, int at) {
  int by[2] = {at, at};
  int re = vk_load_by(e->v, where, e->line, by, 2, 0, NULL),
      im = vk_load_by(e->v, where, e->line, by, 2, 1, NULL);
  return (c128){re, im};
}

static void store_line(emitter *e, stmt_list *where, int at, c128 x) {
  vk_store_by(e->v, where, e->line, &at, 1, 0, x.re);
  vk_store_by(e->v, where, e->line, &at, 1, 1, x.im);
}

static void butterfly(emitter *e, stmt_list *where, int axis, int half, int step) {
  view_kernel *v = e->v;
  lexpr n = extent_of(e, e->line, e->rows);
  int b = stmt_point(v->k, where, axis, lexpr_const(0));
  int mask = vk_op2(v, where, OP_sub, I64, half, vk_integer(v, where, 1));
  int k = vk_op2(v, where, OP_bitwise_and, I64, b, mask);
  int low = vk_op2(v, where, OP_add, I64, b, vk_op2(v, where, OP_sub, I64, b, k));
  int high = vk_op2(v, where, OP_add, I64, low, half);
  int i = stmt_index(v->k, where, low, n, false, -1),
      j = stmt_index(v->k, where, high, n, false, -1);
  c128 w = load_root(e, where, vk_op2(v, where, OP_mul, I64, k, step));
  c128 a = load_line(e, where, i), x = product(v, where, load_line(e, where, j), w);
  store_line(e, where, i, joined(v, where, OP_add, a, x));
  store_line(e, where, j, joined(v, where, OP_sub, a, x));
}

/* In scratch, into which the line is copied first: lanes may do it twice. */
static void radix2(emitter *e, stmt_list *where, const nest_view *order, const nest_view *line) {
  view_kernel *v = e->v;
  const transform *t = e->t;
  dim pairs = dim_floordiv(t->x->syms, t->length, dim_int(2));
  int i = vk_axis(v, "i", t->length), in[2], next[2], out[2];
  int from = vk_buffer(v, "order", SPACE_INPUT, order, &i),
      to = line_buffer(e, "line", SPACE_SCRATCH, line, i);
  stmt_list *body = vk_sequence(v, where, i);
  c128 x = load_source(e, body, vk_load(v, body, from, NULL, 0, NULL));
  vk_store(v, body, to, NULL, 0, x.re);
  vk_store(v, body, to, NULL, 1, x.im);
  e->line = line_buffer(e, "line", SPACE_SCRATCH, line, INDEX_VALUE - 1);
  int stage = vk_axis(v, "stage", bits_of(t)), b = vk_axis(v, "b", pairs);
  int one = vk_integer(v, where, 1), init[2] = {one, vk_size(v, where, pairs)};
  loop *l = vk_carry(v, where, stage, init, 2, in);
  butterfly(e, vk_sequence(v, &l->body, b), b, in[0], in[1]);
  next[0] = vk_op2(v, &l->body, OP_add, I64, in[0], in[0]);
  next[1] = vk_op2(v, &l->body, OP_floor_divide, I64, in[1], vk_integer(v, &l->body, 2));
  vk_carried(v, l, next, out);
  int k = vk_axis(v, "k", t->to.size[e->rows]);
  nest_view part = *line;
  part.size[e->rows] = t->to.size[e->rows];
  int done = line_buffer(e, "line", SPACE_SCRATCH, &part, k),
      y = line_buffer(e, "y", SPACE_OUTPUT, &t->to, k);
  body = vk_sequence(v, where, k);
  x.re = vk_load(v, body, done, NULL, 0, NULL);
  x.im = vk_load(v, body, done, NULL, 1, NULL);
  store_result(e, body, y, x);
}

/* Lines of scratch that lie side by side. */
static nest_view new_lines(const transform *t) {
  dim size[SCANC_MAX_RANK];
  int rows = t->from.rank - 1;
  size[0] = t->length;
  for (int d = 0; d < rows; d++) size[d + 1] = t->from.size[d];
  nest_view all = plan_new_array(t->x, SCANC_C128, size, rows + 1), line = all;
  for (int d = 0; d < rows; d++) {
    line.size[d] = all.size[d + 1];
    line.stride[d] = all.stride[d + 1];
  }
  line.size[rows] = all.size[0];
  line.stride[rows] = all.stride[0];
  return line;
}

/* needs: as in plan_add_kernel_if. */
static bool transform_by(const transform *t, const nest_view *roots, bool power, const dim *needs) {
  nest_view order = {.buffer = -1}, line = order;
  if (power && !make_order(t, &order, needs)) return false;
  if (power) line = new_lines(t);
  view_kernel v = plan_kernel(t->x, t->n->op->name);
  emitter e = {.t = t, .v = &v, .rows = t->from.rank - 1};
  for (int d = 0; d < e.rows; d++) e.row[d] = vk_axis(&v, "row", t->from.size[d]);
  stmt_list *body = vk_parallel(&v, &v.k->body, e.row, e.rows);
  e.from = line_buffer(&e, "x", SPACE_INPUT, &t->from, INDEX_VALUE);
  e.roots = vk_buffer(&v, "roots", SPACE_INPUT, roots, (int[]){INDEX_VALUE});
  if (power) radix2(&e, body, &order, &line);
  else plain(&e, body);
  return plan_add_kernel_if(t->x, t->n, &v, needs);
}

static bool transform_lines(const transform *t) {
  symtab *syms = t->x->syms;
  nest_view roots;
  dim other = is_no_power(t), power = dim_max(syms, dim_sub(syms, dim_int(1), other), dim_int(0));
  if (!make_roots(t, &roots)) return false;
  if (dim_is_int(other)) return transform_by(t, &roots, !other.k, NULL);
  return transform_by(t, &roots, true, &power) && transform_by(t, &roots, false, &other);
}

/* ---- calls ---- */

static void move_last(nest_view *v, int axis) {
  dim size = v->size[axis], stride = v->stride[axis];
  for (int d = axis; d + 1 < v->rank; d++)
    v->size[d] = v->size[d + 1], v->stride[d] = v->stride[d + 1];
  v->size[v->rank - 1] = size;
  v->stride[v->rank - 1] = stride;
}

typedef struct {
  int n, axis[SCANC_MAX_RANK];
  dim length[SCANC_MAX_RANK]; /* of the transform along each */
  scaling scale;
} axes;

/* The length of the last axis is the result's where that is real. */
static bool read_axes(planner *x, const node *n, const nest_view *in, const nest_view *out,
                      axes *a) {
  symtab *syms = x->syms;
  val list = n->operands[1], norm = n->operands[2];
  bool back = n->op->id == OP_fft_c2r;
  if (!val_is_seq(list) || !list.n || list.n > in->rank || norm.kind != VAL_INT) return false;
  a->n = list.n;
  a->scale = (scaling){.norm = norm.i > 1 ? 2 : norm.i, .n = list.n};
  for (int i = 0; i < list.n; i++) {
    if (!view_axis(list.items[i], in->rank, &a->axis[i])) return false;
    const nest_view *v = back && i == list.n - 1 ? out : in;
    dim size = v->size[a->axis[i]], one = dim_int(1), most = dim_int((int64_t)1 << (MAX_BITS - 1));
    if (!plan_require(x, dim_sub(syms, size, one)) || !plan_require(x, dim_sub(syms, most, size)) ||
        !plan_require(x, dim_sub(syms, in->size[a->axis[i]], one)))
      return false;
    a->length[i] = size;
    a->scale.size[i] = (back ? out : in)->size[a->axis[i]];
  }
  return true;
}

static int sign_of(const node *n) {
  if (n->op->id != OP_fft_c2c) return n->op->id == OP_fft_c2r ? 1 : -1;
  val forward = n->operands[3];
  return forward.kind == VAL_BOOL && !forward.i ? 1 : -1;
}

static plan_steps plan_fft(planner *x, const node *n) {
  nest_view in, out = plan_sizes_of(x, n->type);
  axes a;
  if (!plan_tensor(x, n, 0, &in) || in.rank != out.rank || in.rank + 1 > SCANC_MAX_RANK ||
      !read_axes(x, n, &in, &out, &a))
    return STEPS_NONE;
  nest_view to = plan_tensor_result(x, n);
  for (int d = 0; d < in.rank; d++) {
    bool moved = false;
    for (int i = 0; i < a.n; i++) moved |= a.axis[i] == d;
    if (!moved && !plan_same_size(x, &to, d, in.size[d])) return STEPS_REFUSED;
  }
  for (int i = 0; i < a.n; i++) {
    bool last = i == a.n - 1;
    int axis = a.axis[i];
    nest_view next = last ? to : plan_new_array(x, SCANC_C128, in.size, in.rank);
    transform t = {
        .x = x, .n = n, .length = a.length[i], .sign = sign_of(n), .from = in, .to = next};
    t.half = dim_min(x->syms, in.size[axis], t.length);
    if (last) t.scale = a.scale;
    t.from.size[axis] = t.half;
    move_last(&t.from, axis);
    move_last(&t.to, axis);
    if (!transform_lines(&t)) return STEPS_REFUSED;
    in = next;
  }
  return STEPS_MADE;
}

plan_op_fn plan_fft_of(op_id op) {
  return op == OP_fft_c2c || op == OP_fft_r2c || op == OP_fft_c2r ? plan_fft : NULL;
}
