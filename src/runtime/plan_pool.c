/* Pooling in plans: loops over the positions of the result, and within them over the places of a
 * window, in row-major order. A window that lies in the input whatever the position is a view of
 * it; of others the places outside are left out. Gradients go to a plane of f64, one position after
 * the other. */
#include "runtime/plan_pool.h"

#include <math.h>

#include "runtime/plan_move.h"

enum { MAX_AXES = 3 };

/* Windows along one axis. */
typedef struct {
  int64_t kernel, stride, padding, dilation;
  dim in, out, places; /* of the input, of the result, of a window at most */
  int at, step;        /* loop axes: over positions, over the places of a window */
} span;

typedef struct {
  planner *x;
  const node *n;
  int n_axes;
  bool adaptive;   /* position o of n covers [floor(o * in / n), ceil((o + 1) * in / n)) */
  bool inside;     /* all windows lie in the input */
  bool ceil;       /* the last window may reach beyond the input */
  bool padded;     /* padding counts in averages */
  int64_t divisor; /* 0: what a window counts */
  span s[MAX_AXES];
} pooling;

/* A place of a window, while loops are open: value ids per axis. */
typedef struct {
  const pooling *p;
  view_kernel *v;
  int first[MAX_AXES],
      limit[MAX_AXES]; /* of the window: its first place, the end of those that are there */
  int position[MAX_AXES], index[MAX_AXES];
  int valid; /* whether it is in the input as far as the axes in front say; -1: always */
  int x;     /* buffer of the input */
} walk;

static dim plus(planner *x, dim a, int64_t k) { return dim_add(x->syms, a, dim_int(k)); }
static dim times(planner *x, dim a, int64_t k) { return dim_mul(x->syms, a, dim_int(k)); }

/* a + b * k */
static int linear(view_kernel *v, stmt_list *where, int a, int b, int64_t k) {
  if (k != 1) b = vk_op2(v, where, OP_mul, SCANC_I64, b, vk_integer(v, where, k));
  return vk_op2(v, where, OP_add, SCANC_I64, a, b);
}

/* ---- operands ---- */

static bool read_flag(val v, bool dflt, bool *out) {
  *out = v.kind == VAL_BOOL ? v.i != 0 : dflt;
  return v.kind == VAL_BOOL || v.kind == VAL_ABSENT || v.kind == VAL_NONE;
}

/* kernel_size, stride, padding, dilation where `dilated`, and ceil_mode in operands k.. */
static bool read_windows(pooling *p, int k, bool dilated) {
  const val *a = p->n->operands;
  int n = p->n_axes;
  int64_t size[MAX_AXES], stride[MAX_AXES], padding[MAX_AXES], dilation[MAX_AXES];
  if (!plan_numbers(a[k], n, 1, size) || !plan_numbers(a[k + 1], n, 0, stride) ||
      !plan_numbers(a[k + 2], n, 0, padding) ||
      !plan_numbers(dilated ? a[k + 3] : (val){.kind = VAL_ABSENT}, n, 1, dilation) ||
      !read_flag(a[k + 3 + dilated], false, &p->ceil))
    return false;
  for (int i = 0; i < n; i++)
    p->s[i] = (span){.kernel = size[i],
                     .stride = stride[i] ? stride[i] : size[i],
                     .padding = padding[i],
                     .dilation = dilation[i],
                     .places = dim_int(size[i])};
  return true;
}

/* count_include_pad and divisor_override in operands k and k + 1 */
static bool read_divisor(pooling *p, int k) {
  val by = p->n->operands[k + 1];
  p->divisor = by.kind == VAL_INT ? by.i : 0;
  return read_flag(p->n->operands[k], true, &p->padded) &&
         (by.kind == VAL_INT || by.kind == VAL_NONE || by.kind == VAL_ABSENT);
}

static void adapt(pooling *p, int i) {
  planner *x = p->x;
  span *s = &p->s[i];
  bool even = dim_is_int(s->in) && dim_is_int(s->out) && s->in.k % s->out.k == 0;
  s->places = even ? dim_int(s->in.k / s->out.k) : plus(x, dim_ceildiv(x->syms, s->in, s->out), 1);
}

/* The last window begins in the input or in front of it, or, without padding, lies inside. */
static bool fit(pooling *p, int i) {
  planner *x = p->x;
  span *s = &p->s[i];
  dim last = times(x, plus(x, s->out, -1), s->stride);
  dim room = dim_sub(x->syms, plus(x, s->in, s->padding - 1), last);
  dim left = plus(x, room, -s->dilation * (s->kernel - 1));
  bool plain = !s->padding && (!p->ceil || (dim_is_int(left) && left.k >= 0));
  if (!plain) p->inside = false;
  return plan_require(x, plain ? left : room);
}

/* The sizes of input and result, which are the last ones of these views. Sizes of 0 are the
 * interpreter's. */
static bool set_sizes(pooling *p, const nest_view *in, const nest_view *out) {
  planner *x = p->x;
  p->inside = !p->adaptive;
  for (int i = 0; i < p->n_axes; i++) {
    span *s = &p->s[i];
    s->in = in->size[in->rank - p->n_axes + i];
    s->out = out->size[out->rank - p->n_axes + i];
    if (!plan_require(x, plus(x, s->in, -1)) || !plan_require(x, plus(x, s->out, -1))) return false;
    if (p->adaptive) adapt(p, i);
    else if (!fit(p, i)) return false;
  }
  return true;
}

/* Dimensions in front that lie in memory like one become one. */
static void merge_lead(const pooling *p, nest_view *const *all, int n) {
  dim size[MAX_AXES][MAX_AXES], stride[MAX_AXES][MAX_AXES];
  for (int k = 0; k < n; k++) {
    all[k]->rank -= p->n_axes;
    for (int i = 0; i < p->n_axes; i++) {
      size[k][i] = all[k]->size[all[k]->rank + i];
      stride[k][i] = all[k]->stride[all[k]->rank + i];
    }
  }
  views_merge(p->x->syms, all, n);
  for (int k = 0; k < n; k++)
    for (int i = 0; i < p->n_axes; i++) {
      all[k]->size[all[k]->rank] = size[k][i];
      all[k]->stride[all[k]->rank++] = stride[k][i];
    }
}

static bool same_lead(const pooling *p, const nest_view *in, nest_view *out) {
  bool ok = in->rank == out->rank;
  for (int d = 0; ok && d < in->rank - p->n_axes; d++)
    ok = plan_same_size(p->x, out, d, in->size[d]);
  return ok;
}

/* ---- loops ---- */

/* Axes of the dimensions in front and of the positions. */
static void add_axes(pooling *p, view_kernel *v, const nest_view *out, int *axis) {
  int lead = out->rank - p->n_axes;
  for (int d = 0; d < lead; d++) axis[d] = vk_axis(v, "i", out->size[d]);
  for (int i = 0; i < p->n_axes; i++) {
    p->s[i].at = axis[lead + i] = vk_axis(v, "o", p->s[i].out);
    p->s[i].step = vk_axis(v, "w", p->s[i].places);
  }
}

/* The input as windows, or indexed by values. */
static int input_buffer(const pooling *p, view_kernel *v, buffer_space space, const nest_view *in,
                        const int *axis) {
  nest_view w = *in;
  int runs[SCANC_MAX_RANK], lead = in->rank - p->n_axes;
  for (int d = 0; d < lead; d++) runs[d] = axis[d];
  w.rank = lead;
  for (int i = 0; i < p->n_axes; i++) {
    const span *s = &p->s[i];
    dim stride = in->stride[lead + i];
    runs[w.rank] = p->inside ? s->at : INDEX_VALUE - i - (space == SPACE_SCRATCH);
    w.size[w.rank] = p->inside ? s->out : s->in;
    w.stride[w.rank++] = p->inside ? times(p->x, stride, s->stride) : stride;
    if (!p->inside) continue;
    runs[w.rank] = s->step;
    w.size[w.rank] = s->places;
    w.stride[w.rank++] = times(p->x, stride, s->dilation);
  }
  return vk_buffer(v, "x", space, &w, runs);
}

/* Where the window of the present position begins and ends. */
static void open_window(walk *w, stmt_list *where, int i) {
  view_kernel *v = w->v;
  const span *s = &w->p->s[i];
  const scanc_dtype d = SCANC_I64;
  int o = stmt_point(v->k, where, s->at, lexpr_const(0)), n = vk_size(v, where, s->in);
  if (!w->p->adaptive) {
    w->first[i] = linear(v, where, vk_integer(v, where, -s->padding), o, s->stride);
    w->limit[i] = n;
    return;
  }
  int m = vk_size(v, where, s->out), begin = vk_op2(v, where, OP_mul, d, o, n);
  int up = vk_op2(v, where, OP_add, d, begin, n), less = vk_integer(v, where, -1);
  int most = vk_op2(v, where, OP_add, d, vk_op2(v, where, OP_add, d, up, m), less);
  w->first[i] = vk_op2(v, where, OP_floor_divide, d, begin, m);
  w->limit[i] = vk_op2(v, where, OP_floor_divide, d, most, m);
}

/* The present place along axis i. */
static void locate(walk *w, stmt_list *where, int i) {
  view_kernel *v = w->v;
  const span *s = &w->p->s[i];
  const scanc_dtype d = SCANC_I64;
  int k = stmt_point(v->k, where, s->step, lexpr_const(0));
  w->position[i] = linear(v, where, w->first[i], k, s->dilation);
  if (w->p->inside) return;
  int behind = vk_op2(v, where, OP_ge, d, w->position[i], vk_integer(v, where, 0));
  int before = vk_op2(v, where, OP_lt, d, w->position[i], w->limit[i]);
  int valid = vk_op2(v, where, OP_logical_and, SCANC_BOOL, behind, before);
  w->valid = w->valid < 0 ? valid : vk_op2(v, where, OP_logical_and, SCANC_BOOL, w->valid, valid);
  const buffer *b = &v->k->buffers.data[w->x];
  lexpr extent = b->dims[b->n_dims - w->p->n_axes + i].extent;
  w->index[i] = stmt_index(v->k, where, w->position[i], extent, false, -1);
}

/* What is done at a place: from the state to the next one. */
typedef void (*place_fn)(walk *w, stmt_list *where, const int *state, int *next);

static void each_place(walk *w, stmt_list *where, int i, place_fn fn, const int *state, int n,
                       int *out) {
  int in[2], next[2], outer = w->valid;
  if (i == w->p->n_axes || i == MAX_AXES) {
    fn(w, where, state, out);
    return;
  }
  loop *l = vk_carry(w->v, where, w->p->s[i].step, state, n, in);
  locate(w, &l->body, i);
  each_place(w, &l->body, i + 1, fn, in, n, next);
  vk_carried(w->v, l, next, out);
  w->valid = outer;
}

static int load_place(walk *w, stmt_list *where) {
  int n = w->p->inside ? 0 : w->p->n_axes;
  return vk_load_by(w->v, where, w->x, w->index, n, 0, NULL);
}

/* ---- averages ---- */

static void add_place(walk *w, stmt_list *where, const int *state, int *next) {
  scanc_dtype d = w->v->k->values.data[*state].dtype;
  int x = vk_cast(w->v, where, load_place(w, where), d);
  if (w->valid >= 0)
    x = vk_op(w->v, where, OP_where, d, (int[]){w->valid, x, vk_zero(w->v, where, d)}, 3);
  *next = vk_op2(w->v, where, OP_add, d, *state, x);
}

/* How many elements the average is taken over. */
static int divisor(walk *w, stmt_list *where) {
  view_kernel *v = w->v;
  const pooling *p = w->p;
  const scanc_dtype d = SCANC_I64;
  int count = vk_integer(v, where, p->divisor ? p->divisor : 1);
  for (int i = 0; i < p->n_axes && !p->divisor; i++) {
    const span *s = &p->s[i];
    int end = w->limit[i], begin = w->first[i];
    if (!p->adaptive) {
      int size = vk_integer(v, where, s->kernel),
          edge = vk_integer(v, where, p->padded ? s->padding : 0);
      int most = vk_op2(v, where, OP_add, d, begin, size),
          room = vk_op2(v, where, OP_add, d, end, edge);
      end = vk_op2(v, where, OP_minimum, d, most, room);
    }
    if (!p->padded) begin = vk_op2(v, where, OP_maximum, d, begin, vk_integer(v, where, 0));
    count = vk_op2(v, where, OP_mul, d, count, vk_op2(v, where, OP_sub, d, end, begin));
  }
  return count;
}

static int divided(view_kernel *v, stmt_list *where, int sum, int by) {
  scanc_dtype d = v->k->values.data[sum].dtype;
  return vk_op2(v, where, d == SCANC_I64 ? OP_div_trunc : OP_div, d, sum, vk_cast(v, where, by, d));
}

static bool average(pooling *p, nest_view in, nest_view out) {
  view_kernel v = plan_kernel(p->x, p->n->op->name);
  walk w = {.p = p, .v = &v, .valid = -1};
  int axis[SCANC_MAX_RANK];
  scanc_dtype acc = dtype_class(out.dtype) == 'f' ? SCANC_F64 : SCANC_I64;
  merge_lead(p, (nest_view *[]){&in, &out}, 2);
  add_axes(p, &v, &out, axis);
  w.x = input_buffer(p, &v, SPACE_INPUT, &in, axis);
  int to = vk_buffer(&v, "y", SPACE_OUTPUT, &out, axis);
  stmt_list *body = vk_parallel(&v, &v.k->body, axis, out.rank);
  for (int i = 0; i < p->n_axes; i++) open_window(&w, body, i);
  int sum = vk_zero(&v, body, acc);
  each_place(&w, body, 0, add_place, &sum, 1, &sum);
  int y = divided(&v, body, sum, divisor(&w, body));
  vk_store(&v, body, to, NULL, 0, vk_cast(&v, body, y, out.dtype));
  return plan_add_kernel(p->x, p->n, &v);
}

static plan_steps plan_average(pooling *p) {
  nest_view in, out = plan_sizes_of(p->x, p->n->type);
  if (!plan_tensor(p->x, p->n, 0, &in) || in.rank != out.rank || in.rank < p->n_axes ||
      !set_sizes(p, &in, &out))
    return STEPS_NONE;
  out = plan_tensor_result(p->x, p->n);
  return same_lead(p, &in, &out) && average(p, in, out) ? STEPS_MADE : STEPS_REFUSED;
}

static plan_steps plan_avg_pool(planner *x, const node *n) {
  pooling p = {.x = x, .n = n, .n_axes = n->op->id == OP_avg_pool3d ? 3 : 2};
  return read_windows(&p, 1, false) && read_divisor(&p, 5) ? plan_average(&p) : STEPS_NONE;
}

static plan_steps plan_adaptive_pool(planner *x, const node *n) {
  pooling p = {.x = x, .n = n, .adaptive = true};
  p.n_axes = n->op->id == OP_adaptive_avg_pool3d ? 3 : 2;
  for (int i = 0; i < p.n_axes; i++) p.s[i] = (span){.stride = 1, .dilation = 1};
  return plan_average(&p);
}

/* ---- maxima ---- */

/* The greatest element and its index in the plane, below 0 while there is none: the first of equal
 * ones, the last NaN. */
static void max_place(walk *w, stmt_list *where, const int *state, int *next) {
  view_kernel *v = w->v;
  const scanc_dtype d = v->k->values.data[state[0]].dtype, flag = SCANC_BOOL;
  int x = vk_cast(v, where, load_place(w, where), d);
  int take = vk_op2(v, where, OP_gt, d, x, state[0]);
  if (dtype_class(d) == 'f')
    take = vk_op2(v, where, OP_logical_or, flag, take, vk_op2(v, where, OP_ne, d, x, x));
  int none = vk_op2(v, where, OP_lt, SCANC_I64, state[1], vk_integer(v, where, 0));
  take = vk_op2(v, where, OP_logical_or, flag, take, none);
  if (w->valid >= 0) take = vk_op2(v, where, OP_logical_and, flag, take, w->valid);
  int at = w->position[0];
  for (int i = 1; i < w->p->n_axes; i++) {
    int row = vk_op2(v, where, OP_mul, SCANC_I64, at, vk_size(v, where, w->p->s[i].in));
    at = vk_op2(v, where, OP_add, SCANC_I64, row, w->position[i]);
  }
  next[0] = vk_op(v, where, OP_where, d, (int[]){take, x, state[0]}, 3);
  next[1] = vk_op(v, where, OP_where, SCANC_I64, (int[]){take, at, state[1]}, 3);
}

static bool maximum(pooling *p, nest_view in, nest_view out, nest_view at) {
  view_kernel v = plan_kernel(p->x, p->n->op->name);
  walk w = {.p = p, .v = &v, .valid = -1};
  int axis[SCANC_MAX_RANK], state[2];
  bool real = dtype_class(in.dtype) == 'f';
  merge_lead(p, (nest_view *[]){&in, &out, &at}, 3);
  add_axes(p, &v, &out, axis);
  w.x = input_buffer(p, &v, SPACE_INPUT, &in, axis);
  int y = vk_buffer(&v, "y", SPACE_OUTPUT, &out, axis),
      index = vk_buffer(&v, "at", SPACE_OUTPUT, &at, axis);
  stmt_list *body = vk_parallel(&v, &v.k->body, axis, out.rank);
  for (int i = 0; i < p->n_axes; i++) open_window(&w, body, i);
  state[0] = real ? vk_const(&v, body, -INFINITY, dtype_acc(in.dtype))
                  : vk_const(&v, body, (double)INT64_MIN, SCANC_I64);
  state[1] = vk_integer(&v, body, -1);
  each_place(&w, body, 0, max_place, state, 2, state);
  int found = vk_op2(&v, body, OP_maximum, SCANC_I64, state[1], vk_integer(&v, body, 0));
  vk_store(&v, body, y, NULL, 0, vk_cast(&v, body, state[0], out.dtype));
  vk_store(&v, body, index, NULL, 0, found);
  return plan_add_kernel(p->x, p->n, &v);
}

static plan_steps plan_max_pool(planner *x, const node *n) {
  pooling p = {.x = x, .n = n, .n_axes = n->op->id == OP_max_pool3d_with_indices ? 3 : 2};
  const type *t = n->type;
  nest_view in, out, at;
  if (!read_windows(&p, 1, true) || !plan_tensor(x, n, 0, &in) || in.rank != t->items[0]->n)
    return STEPS_NONE;
  out = plan_sizes_of(x, t->items[0]);
  if (in.rank < p.n_axes || !set_sizes(&p, &in, &out)) return STEPS_NONE;
  plan_pair_result(x, n, &out, &at);
  bool ok = same_lead(&p, &in, &out) && same_lead(&p, &in, &at) && maximum(&p, in, out, at);
  return ok ? STEPS_MADE : STEPS_REFUSED;
}

/* ---- gradients ---- */

/* Sums of what comes to each element of the input, in f64, and their conversion. Lanes may compute
 * a plane twice, so it starts at zero in the kernel itself. */
static plan_steps summed(pooling *p, const nest_view *x,
                         bool (*add)(pooling *p, const nest_view *sum)) {
  nest_view sum = plan_new_array(p->x, SCANC_F64, x->size, x->rank);
  bool ok = add(p, &sum);
  nest_view to = plan_tensor_result(p->x, p->n);
  for (int d = 0; ok && d < to.rank; d++) ok = plan_same_size(p->x, &to, d, x->size[d]);
  return ok && plan_copy(p->x, p->n, &sum, &to) ? STEPS_MADE : STEPS_REFUSED;
}

static void clear_plane(const pooling *p, view_kernel *v, stmt_list *where, const nest_view *plane,
                        const int *lead) {
  int axis[SCANC_MAX_RANK], first = plane->rank - p->n_axes;
  for (int d = 0; d < first; d++) axis[d] = lead[d];
  for (int i = 0; i < p->n_axes; i++) {
    axis[first + i] = vk_axis(v, "z", plane->size[first + i]);
    where = vk_sequence(v, where, axis[first + i]);
  }
  int to = vk_buffer(v, "y", SPACE_SCRATCH, plane, axis);
  vk_store(v, where, to, NULL, 0, vk_zero(v, where, SCANC_F64));
}

static stmt_list *sequences(const pooling *p, view_kernel *v, stmt_list *where) {
  for (int i = 0; i < p->n_axes; i++) where = vk_sequence(v, where, p->s[i].at);
  return where;
}

/* state: what every element of the window gets. */
static void spread_place(walk *w, stmt_list *where, const int *state, int *next) {
  view_kernel *v = w->v;
  const scanc_dtype d = SCANC_F64;
  int g = vk_op(v, where, OP_where, d, (int[]){w->valid, *state, vk_zero(v, where, d)}, 3);
  int by[1 + MAX_AXES] = {-1, w->index[0], w->index[1], w->index[2]};
  by[0] = by[1]; /* a load has no argument in front of the indices: any value stands for it */
  int old = vk_load_by(v, where, w->x, by, w->p->n_axes + 1, 0, NULL);
  vk_store_by(v, where, w->x, by + 1, w->p->n_axes, 0, vk_op2(v, where, OP_add, d, old, g));
  *next = *state;
}

static bool spread(pooling *p, const nest_view *sum) {
  view_kernel v = plan_kernel(p->x, p->n->op->name);
  walk w = {.p = p, .v = &v, .valid = -1};
  nest_view g, to = *sum;
  int axis[SCANC_MAX_RANK];
  if (!plan_tensor(p->x, p->n, 0, &g) || !same_lead(p, &to, &g)) return false;
  merge_lead(p, (nest_view *[]){&to, &g}, 2);
  p->inside = false;
  add_axes(p, &v, &g, axis);
  w.x = input_buffer(p, &v, SPACE_SCRATCH, &to, axis);
  int from = vk_buffer(&v, "g", SPACE_INPUT, &g, axis);
  stmt_list *body = vk_parallel(&v, &v.k->body, axis, g.rank - p->n_axes);
  clear_plane(p, &v, body, &to, axis);
  body = sequences(p, &v, body);
  for (int i = 0; i < p->n_axes; i++) open_window(&w, body, i);
  int e = vk_cast(&v, body, vk_load(&v, body, from, NULL, 0, NULL), SCANC_F64);
  e = divided(&v, body, e, divisor(&w, body));
  each_place(&w, body, 0, spread_place, &e, 1, &e);
  return plan_add_kernel(p->x, p->n, &v);
}

/* grad_output, self, ... */
static plan_steps plan_average_backward(pooling *p) {
  nest_view g, x;
  if (!plan_tensor(p->x, p->n, 0, &g) || !plan_tensor(p->x, p->n, 1, &x) || g.rank != x.rank ||
      g.rank < p->n_axes || !set_sizes(p, &x, &g))
    return STEPS_NONE;
  return summed(p, &x, spread);
}

static plan_steps plan_avg_pool_backward(planner *x, const node *n) {
  pooling p = {.x = x, .n = n, .n_axes = 2};
  if (!read_windows(&p, 2, false) || !read_divisor(&p, 6)) return STEPS_NONE;
  return plan_average_backward(&p);
}

static plan_steps plan_adaptive_pool_backward(planner *x, const node *n) {
  pooling p = {.x = x, .n = n, .n_axes = 2, .adaptive = true};
  for (int i = 0; i < p.n_axes; i++) p.s[i] = (span){.stride = 1, .dilation = 1};
  return plan_average_backward(&p);
}

/* Gradients go where the indices say; one that is no element of the plane is a data error. */
static bool send_back(pooling *p, const nest_view *sum) {
  view_kernel v = plan_kernel(p->x, p->n->op->name);
  nest_view g, at, to = *sum;
  int axis[SCANC_MAX_RANK], runs[SCANC_MAX_RANK], by[2], lead;
  const scanc_dtype d = SCANC_F64;
  if (!plan_tensor(p->x, p->n, 0, &g) || !plan_tensor(p->x, p->n, 7, &at) ||
      !same_lead(p, &to, &g) || !same_lead(p, &to, &at))
    return false;
  for (int i = 0; i < p->n_axes; i++)
    if (!plan_same_size(p->x, &at, at.rank - 1 - i, g.size[g.rank - 1 - i])) return false;
  merge_lead(p, (nest_view *[]){&to, &g, &at}, 3);
  add_axes(p, &v, &g, axis);
  lead = g.rank - p->n_axes;
  stmt_list *body = vk_parallel(&v, &v.k->body, axis, lead);
  clear_plane(p, &v, body, &to, axis);
  for (int i = 0; i < lead; i++) runs[i] = axis[i];
  to.rank = lead + 1;
  to.size[lead] = dim_mul(p->x->syms, p->s[0].in, p->s[1].in);
  to.stride[lead] = dim_int(1);
  runs[lead] = INDEX_VALUE - 1;
  int y = vk_buffer(&v, "y", SPACE_SCRATCH, &to, runs),
      from = vk_buffer(&v, "g", SPACE_INPUT, &g, axis),
      index = vk_buffer(&v, "at", SPACE_INPUT, &at, axis);
  lexpr extent = v.k->buffers.data[y].dims[lead].extent;
  body = sequences(p, &v, body);
  fault_info f = {"an index out of range", arena_strdup(v.k->mem, p->n->name), p->n->loc};
  vec_push(v.k->mem, &v.k->faults, f);
  int k = vk_load(&v, body, index, NULL, 0, NULL), n = stmt_point(v.k, body, -1, extent);
  int low = vk_op2(&v, body, OP_ge, SCANC_I64, k, vk_integer(&v, body, 0));
  int valid =
      vk_op2(&v, body, OP_logical_and, SCANC_BOOL, low, vk_op2(&v, body, OP_lt, SCANC_I64, k, n));
  int e = vk_cast(&v, body, vk_load(&v, body, from, NULL, 0, NULL), d);
  e = vk_op(&v, body, OP_where, d, (int[]){valid, e, vk_zero(&v, body, d)}, 3);
  by[0] = by[1] = stmt_index(v.k, body, k, extent, false, 0);
  int old = vk_load_by(&v, body, y, by, 2, 0, NULL);
  vk_store_by(&v, body, y, by + 1, 1, 0, vk_op2(&v, body, OP_add, d, old, e));
  return plan_add_kernel(p->x, p->n, &v);
}

static plan_steps plan_max_pool_backward(planner *x, const node *n) {
  pooling p = {.x = x, .n = n, .n_axes = 2};
  nest_view g, in, at;
  if (!read_windows(&p, 2, true) || !plan_tensor(x, n, 0, &g) || !plan_tensor(x, n, 1, &in) ||
      !plan_tensor(x, n, 7, &at) || g.rank != in.rank || at.rank != in.rank || in.rank < p.n_axes ||
      !set_sizes(&p, &in, &g))
    return STEPS_NONE;
  return summed(&p, &in, send_back);
}

plan_op_fn plan_pool_of(op_id op) {
  switch (op) {
    case OP_avg_pool2d:
    case OP_avg_pool3d: return plan_avg_pool;
    case OP_adaptive_avg_pool2d:
    case OP_adaptive_avg_pool3d: return plan_adaptive_pool;
    case OP_max_pool2d_with_indices:
    case OP_max_pool3d_with_indices: return plan_max_pool;
    case OP_avg_pool2d_backward: return plan_avg_pool_backward;
    case OP_adaptive_avg_pool2d_backward: return plan_adaptive_pool_backward;
    case OP_max_pool2d_with_indices_backward: return plan_max_pool_backward;
    default: return NULL;
  }
}
