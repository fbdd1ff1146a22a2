/* Convolutions in plans: sums of products over windows of the input, as views of it that overlap.
 * Where a window leaves the input, or a transposed convolution skips positions, the input is first
 * copied into zeros, as products with those count (of infinities they are no numbers). */
#include "runtime/plan_inline.h"
#include "runtime/plan_product.h"

typedef struct {
  int n; /* spatial axes */
  bool transposed;
  int64_t groups, stride[3], padding[3], dilation[3];
  nest_view x, w, y, bias;
  bool has_bias;
} conv;

/* ---- operands ---- */

/* input, weight, bias, stride, padding, dilation, transposed, output_padding, groups */
static bool read(planner *x, const node *n, conv *c) {
  const val *a = n->operands;
  *c = (conv){.transposed = a[6].kind == VAL_BOOL && a[6].i};
  if (!type_is_tensor(n->type) || !plan_tensor(x, n, 0, &c->x) || !plan_tensor(x, n, 1, &c->w))
    return false;
  plan_use_packed(x, &c->w);
  c->n = c->w.rank - 2;
  c->has_bias = a[2].kind == VAL_NODE;
  if (c->has_bias && !plan_tensor(x, n, 2, &c->bias)) return false;
  bool constant =
      (a[6].kind == VAL_BOOL || a[6].kind == VAL_ABSENT) && plan_numbers(a[8], 1, 1, &c->groups);
  return constant && c->n >= 1 && c->n <= 3 && plan_numbers(a[3], c->n, 1, c->stride) &&
         plan_numbers(a[4], c->n, 0, c->padding) && plan_numbers(a[5], c->n, 1, c->dilation);
}

/* ---- the input with what is around it ---- */

/* Along one axis: element i of the input is at i * step + shift of `size` positions; those that
 * are none of them are left out. */
typedef struct {
  int64_t step, shift;
  dim size;
} margin;

static dim times(planner *x, dim d, int64_t k) { return dim_mul(x->syms, d, dim_int(k)); }
static dim plus(planner *x, dim d, int64_t k) { return dim_add(x->syms, d, dim_int(k)); }

static margin margin_of(planner *x, const conv *c, int i) {
  dim out = c->y.size[c->y.rank - c->n + i],
      span = times(x, plus(x, c->w.size[2 + i], -1), c->dilation[i]);
  if (!c->transposed) {
    dim reach = times(x, plus(x, out, -1), c->stride[i]);
    return (margin){1, c->padding[i], plus(x, dim_add(x->syms, reach, span), 1)};
  }
  return (margin){c->stride[i], dim_is_int(span) ? span.k - c->padding[i] : 0,
                  dim_add(x->syms, out, span)};
}

static bool is_plain(const conv *c) {
  bool plain = !c->transposed;
  for (int i = 0; i < c->n; i++) plain = plain && !c->padding[i];
  return plain;
}

/* Far more zeros than there is input: the interpreter needs no memory for them. */
static bool is_sparse(const conv *c, int i, const margin *m) {
  dim in = c->x.size[c->x.rank - c->n + i], out = c->y.size[c->y.rank - c->n + i];
  return dim_is_int(m->size) && dim_is_int(in) && dim_is_int(out) &&
         m->size.k / 16 > in.k + out.k + 64;
}

/* Whether the windows can be views. */
static bool is_served(planner *x, const conv *c) {
  for (int i = 0; i < c->n; i++) {
    margin m = margin_of(x, c, i);
    if (c->transposed && !dim_is_int(c->w.size[2 + i])) return false;
    if (!is_plain(c) && is_sparse(c, i, &m)) return false;
  }
  return true;
}

static bool fill_zeros(planner *x, const node *n, const nest_view *to) {
  view_kernel v = plan_kernel(x, "zeros");
  nest_view flat = *to;
  int axis[SCANC_MAX_RANK];
  views_merge(x->syms, (nest_view *[]){&flat}, 1);
  for (int d = 0; d < flat.rank; d++) axis[d] = vk_axis(&v, "i", flat.size[d]);
  stmt_list *body = vk_parallel(&v, &v.k->body, axis, flat.rank);
  int out = vk_buffer(&v, "to", SPACE_OUTPUT, &flat, axis);
  vk_store(&v, body, out, NULL, 0, vk_zero(&v, body, flat.dtype));
  return plan_add_kernel(x, n, &v);
}

/* The part of the input that has a place, and its places. */
static void place_axis(planner *x, int d, const margin *m, nest_view *from, nest_view *to) {
  int64_t first = m->shift < 0 ? (-m->shift + m->step - 1) / m->step : 0;
  dim in = from->size[d], begin = dim_min(x->syms, dim_int(first), in),
      fit = dim_floordiv(x->syms, plus(x, m->size, m->step - 1 - m->shift), dim_int(m->step)),
      end = dim_max(x->syms, dim_min(x->syms, in, fit), begin);
  *from = view_range(x->syms, from, d, begin, end);
  dim at = plus(x, times(x, begin, m->step), m->shift);
  *to = view_range(x->syms, to, d, at, dim_add(x->syms, at, from->size[d]));
  to->size[d] = from->size[d];
  to->stride[d] = times(x, to->stride[d], m->step);
}

/* c->x becomes a copy within zeros. */
static bool surround(planner *x, const node *n, conv *c) {
  nest_view from = c->x;
  dim size[SCANC_MAX_RANK];
  int lead = from.rank - c->n;
  for (int d = 0; d < from.rank; d++)
    size[d] = d < lead ? from.size[d] : margin_of(x, c, d - lead).size;
  c->x = plan_new_array(x, product_acc(from.dtype), size, from.rank);
  nest_view to = c->x;
  for (int i = 0; i < c->n; i++) {
    margin m = margin_of(x, c, i);
    place_axis(x, lead + i, &m, &from, &to);
  }
  return fill_zeros(x, n, &c->x) && plan_copy(x, n, &from, &to);
}

/* ---- the product ---- */

/* Free dimensions are [batch, group, channel out, position...], summed ones [channel in, window...]
 */
typedef struct {
  planner *x;
  product *p;
  int d;
} dims;

static void add_dim(dims *to, dim size, dim w, dim x, dim y, dim bias) {
  product *p = to->p;
  nest_view *all[] = {&p->a, &p->b, &p->c, &p->bias};
  const dim stride[] = {w, x, y, bias};
  for (int i = 0; i < 4; i++) {
    all[i]->size[to->d] = size;
    all[i]->stride[to->d] = dim_is(size, 1) ? dim_int(0) : stride[i];
  }
  to->d++;
}

static void add_channels(dims *to, const conv *c, dim per_group) {
  const nest_view *y = &c->y, *v = &c->x;
  int ch = y->rank - c->n - 1, own = c->transposed; /* dimension of the weight that has them */
  dim none = dim_int(0), bias = c->has_bias ? c->bias.stride[0] : none;
  dim in = dim_floordiv(to->x->syms, v->size[ch], dim_int(c->groups));
  dim group_w = dim_mul(to->x->syms, c->w.stride[0], c->transposed ? in : per_group);
  add_dim(to, dim_int(c->groups), group_w, dim_mul(to->x->syms, v->stride[ch], in),
          dim_mul(to->x->syms, y->stride[ch], per_group), dim_mul(to->x->syms, bias, per_group));
  add_dim(to, per_group, c->w.stride[own], none, y->stride[ch], bias);
}

static void make_product(planner *x, const conv *c, product *p) {
  dims to = {x, p, 0};
  dim none = dim_int(0), in;
  int ch = c->y.rank - c->n - 1, pos = ch + 1;
  *p = (product){.a = c->w, .b = c->x, .c = c->y, .bias = c->bias, .has_bias = c->has_bias};
  if (ch) add_dim(&to, c->y.size[0], none, c->x.stride[0], c->y.stride[0], none);
  add_channels(&to, c, dim_floordiv(x->syms, c->y.size[ch], dim_int(c->groups)));
  for (int i = 0; i < c->n; i++) {
    dim step = times(x, c->x.stride[pos + i], c->transposed ? 1 : c->stride[i]);
    add_dim(&to, c->y.size[pos + i], none, step, c->y.stride[pos + i], none);
  }
  p->n_free = to.d;
  in = dim_floordiv(x->syms, c->x.size[ch], dim_int(c->groups));
  add_dim(&to, in, c->w.stride[!c->transposed], c->x.stride[ch], none, none);
  for (int i = 0; i < c->n; i++) {
    dim step = times(x, c->x.stride[pos + i], c->transposed ? -c->dilation[i] : c->dilation[i]);
    add_dim(&to, c->w.size[2 + i], c->w.stride[2 + i], step, none, none);
  }
  p->n_summed = to.d - p->n_free;
  p->a.rank = p->b.rank = to.d;
  p->c.rank = p->bias.rank = p->n_free;
}

static void push_dim(nest_view *v, dim size, dim stride) {
  v->size[v->rank] = size;
  v->stride[v->rank++] = dim_is(size, 1) ? dim_int(0) : stride;
}

/* A view that has the dimensions of the result, with those of the product. */
static nest_view free_dims(planner *x, const conv *c, const nest_view *from) {
  int ch = c->y.rank - c->n - 1;
  dim per_group = dim_floordiv(x->syms, c->y.size[ch], dim_int(c->groups));
  nest_view v = *from;
  v.rank = 0;
  if (ch) push_dim(&v, c->y.size[0], from->stride[0]);
  push_dim(&v, dim_int(c->groups), dim_mul(x->syms, from->stride[ch], per_group));
  push_dim(&v, per_group, from->stride[ch]);
  for (int i = 0; i < c->n; i++) push_dim(&v, c->y.size[ch + 1 + i], from->stride[ch + 1 + i]);
  return v;
}

/* The group that goes on with the elements. False: it is too much for the kernel. */
static bool add_after(planner *x, const conv *c, product *p) {
  const group_inline *g = &x->after->g;
  p->after = *g;
  p->after.view = ARENA_ARRAY(x->tmp, nest_view, g->n_views);
  for (int i = 0; i < g->n_views; i++) p->after.view[i] = free_dims(x, c, &g->view[i]);
  return plan_takes_after(x, p);
}

/* What inference may have believed, and that there is a window: else the run is the program's
 * fault. */
static bool require_sizes(planner *x, const conv *c) {
  int ch = c->y.rank - c->n - 1;
  dim in = c->x.size[ch], out = c->y.size[ch], w_in = c->w.size[!c->transposed],
      w_out = c->w.size[c->transposed];
  *(c->transposed ? &w_out : &w_in) = times(x, c->transposed ? w_out : w_in, c->groups);
  bool ok = plan_require_equal(x, in, w_in) && plan_require_equal(x, out, w_out) &&
            (!c->has_bias || plan_require_equal(x, c->bias.size[0], out));
  for (int i = 0; ok && i < c->n; i++) ok = plan_require(x, plus(x, c->y.size[ch + 1 + i], -1));
  return ok;
}

/* A transposed convolution reads a window from its end. */
static void start_at_end(planner *x, const conv *c, nest_view *v) {
  int64_t size = (int64_t)scanc_dtype_size(c->x.dtype);
  for (int i = 0; i < c->n; i++) {
    dim steps = times(x, plus(x, c->w.size[2 + i], -1), c->dilation[i]);
    steps = dim_mul(x->syms, steps, c->x.stride[c->x.rank - c->n + i]);
    v->offset = dim_add(x->syms, v->offset, times(x, steps, size));
  }
}

plan_steps plan_convolution(planner *x, const node *n) {
  conv c;
  product p;
  if (!read(x, n, &c)) return STEPS_NONE;
  c.y = (nest_view){.rank = n->type->n};
  for (int d = 0; d < n->type->n; d++) c.y.size[d] = plan_dim(x, n->type->dims[d]);
  if (c.x.rank != c.y.rank || c.y.rank < c.n + 1 || 2 * c.n + 4 > SCANC_MAX_RANK ||
      !is_served(x, &c) || !require_sizes(x, &c))
    return STEPS_NONE;
  if (x->after) {
    c.y = x->after->g.view[x->after->g.n_views - 1];
    c.y.dtype = n->type->dtype;
    make_product(x, &c, &p);
    if (!add_after(x, &c, &p)) return STEPS_NONE;
  } else {
    c.y = plan_result(x, n, n->type);
    x->of[n->id] = (plan_value){.kind = VALUE_TENSOR, .view = c.y};
  }
  if (!is_plain(&c) && !surround(x, n, &c)) return STEPS_REFUSED;
  make_product(x, &c, &p);
  if (x->after) add_after(x, &c, &p);
  if (c.transposed) start_at_end(x, &c, &p.b);
  return plan_product(x, n, &p) ? STEPS_MADE : STEPS_REFUSED;
}

/* ---- gradients ---- */

/* Of the input: the same windows with input and output exchanged. */
static bool input_gradient(planner *x, const node *n, const conv *c, nest_view y) {
  conv q = *c;
  product p;
  q.transposed = !c->transposed;
  q.x = c->y;
  q.y = y;
  if (!is_plain(&q) && !surround(x, n, &q)) return false;
  make_product(x, &q, &p);
  if (q.transposed) start_at_end(x, &q, &p.b);
  return plan_product(x, n, &p);
}

/* The windows of a weight's gradient slide over the larger side: the input, or the gradient of a
 * transposed convolution. */
static conv weight_windows(const conv *c) {
  conv s = *c;
  if (c->transposed) s.x = c->y, s.y = c->x;
  s.transposed = false;
  return s;
}

/* parts[batch, weight...]: the sums over the positions of each sample. */
static bool weight_parts(planner *x, const node *n, const conv *c, const nest_view *parts) {
  conv s = weight_windows(c);
  product p;
  dims to = {x, &p, 0};
  dim none = dim_int(0), by = dim_int(c->groups);
  if (!is_plain(&s) && !surround(x, n, &s)) return false;
  p = (product){.a = s.y, .b = s.x, .c = *parts};
  dim rows = dim_floordiv(x->syms, s.y.size[1], by),
      planes = dim_floordiv(x->syms, s.x.size[1], by);
  add_dim(&to, s.y.size[0], s.y.stride[0], s.x.stride[0], parts->stride[0], none);
  add_dim(&to, by, dim_mul(x->syms, s.y.stride[1], rows), dim_mul(x->syms, s.x.stride[1], planes),
          dim_mul(x->syms, parts->stride[1], rows), none);
  add_dim(&to, rows, s.y.stride[1], none, parts->stride[1], none);
  add_dim(&to, planes, none, s.x.stride[1], parts->stride[2], none);
  for (int i = 0; i < c->n; i++)
    add_dim(&to, c->w.size[2 + i], none, times(x, s.x.stride[2 + i], c->dilation[i]),
            parts->stride[3 + i], none);
  p.n_free = to.d;
  for (int i = 0; i < c->n; i++)
    add_dim(&to, s.y.size[2 + i], s.y.stride[2 + i], times(x, s.x.stride[2 + i], c->stride[i]),
            none, none);
  p.n_summed = to.d - p.n_free;
  p.a.rank = p.b.rank = to.d;
  p.c.rank = p.bias.rank = p.n_free;
  return plan_product(x, n, &p);
}

/* to[i...] = the sum of from over the dimensions that are none of its own, one after the other from
 * 0 on, in type acc. own[d]: the dimension of `to` that d is, -1. */
static bool add_up(planner *x, const node *n, const nest_view *from, const nest_view *to,
                   const int *own, scanc_dtype acc) {
  view_kernel v = plan_kernel(x, "sum");
  int axis[SCANC_MAX_RANK], kept[SCANC_MAX_RANK], state[SCANC_MAX_RANK + 1], depth = 0;
  loop *nest[SCANC_MAX_RANK];
  for (int d = 0; d < from->rank; d++) {
    axis[d] = vk_axis(&v, "i", from->size[d]);
    if (own[d] >= 0) kept[own[d]] = axis[d];
  }
  int y = vk_buffer(&v, "y", SPACE_OUTPUT, to, kept),
      e = vk_buffer(&v, "x", SPACE_INPUT, from, axis);
  stmt_list *outer = vk_parallel(&v, &v.k->body, kept, to->rank), *body = outer;
  state[0] = vk_zero(&v, body, acc);
  for (int d = 0; d < from->rank; d++) {
    if (own[d] >= 0) continue;
    nest[depth] = vk_carry(&v, body, axis[d], &state[depth], 1, &state[depth + 1]);
    body = &nest[depth++]->body;
  }
  int term = vk_cast(&v, body, vk_load(&v, body, e, NULL, 0, NULL), acc);
  int sum = vk_op(&v, body, OP_add, acc, (int[]){state[depth], term}, 2);
  while (depth > 0) vk_carried(&v, nest[--depth], &sum, &sum);
  sum = vk_cast(&v, outer, sum, product_acc(to->dtype)); /* halves are rounded twice */
  vk_store(&v, outer, y, NULL, 0, vk_cast(&v, outer, sum, to->dtype));
  return plan_add_kernel(x, n, &v);
}

static bool weight_gradient(planner *x, const node *n, const conv *c, const nest_view *to) {
  dim size[SCANC_MAX_RANK] = {c->x.size[0]};
  int own[SCANC_MAX_RANK] = {-1};
  for (int d = 0; d < to->rank; d++) size[d + 1] = to->size[d], own[d + 1] = d;
  scanc_dtype acc = product_acc(to->dtype);
  nest_view parts = plan_new_array(x, acc, size, to->rank + 1);
  return weight_parts(x, n, c, &parts) && add_up(x, n, &parts, to, own, acc);
}

static bool bias_gradient(planner *x, const node *n, const conv *c, const nest_view *to) {
  int own[SCANC_MAX_RANK];
  for (int d = 0; d < c->y.rank; d++) own[d] = d == 1 ? 0 : -1;
  return add_up(x, n, &c->y, to, own, SCANC_F64);
}

/* grad_output, input, weight, bias_sizes, stride, padding, dilation, transposed, output_padding,
 * groups, output_mask; c->y is the gradient of the result. */
static bool read_gradient(planner *x, const node *n, conv *c, bool *wanted) {
  const val *a = n->operands;
  *c = (conv){.transposed = a[7].kind == VAL_BOOL && a[7].i};
  if (!plan_tensor(x, n, 0, &c->y) || !plan_tensor(x, n, 1, &c->x) ||
      !plan_tensor(x, n, 2, &c->w) || !val_is_seq(a[10]) || a[10].n != 3)
    return false;
  c->n = c->w.rank - 2;
  for (int i = 0; i < 3; i++) {
    if (a[10].items[i].kind != VAL_BOOL) return false;
    wanted[i] = a[10].items[i].i;
  }
  return dtype_class(c->x.dtype) == 'f' && c->x.rank == c->n + 2 && c->y.rank == c->x.rank &&
         c->n >= 1 && c->n <= 3 && plan_numbers(a[4], c->n, 1, c->stride) &&
         plan_numbers(a[5], c->n, 0, c->padding) && plan_numbers(a[6], c->n, 1, c->dilation) &&
         plan_numbers(a[9], 1, 1, &c->groups);
}

plan_steps plan_convolution_backward(planner *x, const node *n) {
  conv c;
  bool wanted[3], ok = true;
  nest_view to[3];
  plan_value *v = &x->of[n->id];
  if (!read_gradient(x, n, &c, wanted)) return STEPS_NONE;
  conv q = c, s = weight_windows(&c);
  q.transposed = !c.transposed, q.x = c.y, q.y = c.x;
  if (!require_sizes(x, &q) || !is_served(x, &q) || !is_served(x, &s)) return STEPS_NONE;
  *v = (plan_value){.kind = VALUE_LIST, .n = 3, .items = ARENA_ARRAY(x->tmp, plan_value, 3)};
  for (int i = 0; i < 3; i++) {
    to[i] = plan_result_item(x, n, i, n->type->items[i]);
    v->items[i] = (plan_value){.kind = VALUE_TENSOR, .view = to[i]};
  }
  if (wanted[0]) ok = input_gradient(x, n, &c, to[0]);
  if (wanted[1]) ok = ok && weight_gradient(x, n, &c, &to[1]);
  if (wanted[2]) ok = ok && bias_gradient(x, n, &c, &to[2]);
  return ok ? STEPS_MADE : STEPS_REFUSED;
}
