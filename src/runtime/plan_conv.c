/* Convolutions in plans: sums of products over windows of the input, as views of it that overlap.
 * Where a window leaves the input, or a transposed convolution skips positions, the input is first
 * copied into zeros, as products with those count (of infinities they are no numbers). */
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
  c.y = plan_result(x, n, n->type);
  x->of[n->id] = (plan_value){.kind = VALUE_TENSOR, .view = c.y};
  if (!is_plain(&c) && !surround(x, n, &c)) return STEPS_REFUSED;
  make_product(x, &c, &p);
  if (c.transposed) start_at_end(x, &c, &p.b);
  return plan_product(x, n, &p) ? STEPS_MADE : STEPS_REFUSED;
}
