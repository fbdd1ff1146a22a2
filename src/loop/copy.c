#include "loop/copy.h"

enum { MAX_SQUARE = 16 }; /* rows of a square that is transposed in registers */

/* How far apart neighbours along d lie: strides that only a run knows count as far. */
static int64_t distance(const nest_view *v, int d) {
  dim s = v->stride[d];
  if (!dim_is_int(s)) return INT64_MAX;
  return s.k < 0 ? -s.k : s.k;
}

static int nearest(const nest_view *v, int but) {
  int best = -1;
  for (int d = v->rank - 1; d >= 0; d--)
    if (d != but && (best < 0 || distance(v, d) < distance(v, best))) best = d;
  return best;
}

typedef struct {
  view_kernel *v;
  nest_view from, to;
  int lane, inner; /* dimensions; inner -1: nothing is transposed */
  int axis[SCANC_MAX_RANK];
} copier;

static bool is_complex(const nest_view *v) { return dtype_class(v->dtype) == 'c'; }

static void copy_element(copier *x, stmt_list *body, int in, int out) {
  for (int part = 0; part < 1 + is_complex(&x->to); part++) {
    bool none = part && !is_complex(&x->from); /* of a real number */
    int e = none ? vk_zero(x->v, body, dtype_real(x->from.dtype))
                 : vk_load(x->v, body, in, NULL, part, NULL);
    vk_store(x->v, body, out, NULL, part, vk_cast(x->v, body, e, dtype_real(x->to.dtype)));
  }
}

/* Parallel loops over all dimensions but two; the body of the innermost. */
static stmt_list *outer_loops(copier *x) {
  stmt_list *body = &x->v->k->body;
  for (int d = 0; d < x->to.rank; d++) {
    x->axis[d] = vk_axis(x->v, "i", x->to.size[d]);
    if (d != x->lane && d != x->inner) body = vk_parallel(x->v, body, &x->axis[d], 1);
  }
  return body;
}

/* ---- squares ---- */

static int square_of(const copier *x, const target *t) {
  size_t a = scanc_dtype_size(x->from.dtype), b = scanc_dtype_size(x->to.dtype);
  int n = t->vector_bytes / (int)(a > b ? a : b);
  dim lanes = x->to.size[x->lane];
  while (n > MAX_SQUARE || (dim_is_int(lanes) && n > lanes.k)) n /= 2;
  return n;
}

/* Indices `begin` to `end` of the inner dimension, `n` at a time. */
static void copy_strip(copier *x, stmt_list *body, dim begin, dim end, int n) {
  symtab *syms = x->v->syms;
  nest_view from = view_range(syms, &x->from, x->inner, begin, end),
            to = view_range(syms, &x->to, x->inner, begin, end);
  from = view_tiled(syms, &from, x->inner, n);
  to = view_tiled(syms, &to, x->inner, n);
  int axis[SCANC_MAX_RANK], e[MAX_SQUARE];
  int64_t add[SCANC_MAX_RANK] = {0};
  for (int d = 0; d < to.rank; d++) axis[d] = x->axis[d > x->inner ? d - 1 : d];
  axis[x->inner] = vk_axis(x->v, "strip", to.size[x->inner]);
  axis[x->inner + 1] = -1;
  int in = vk_buffer(x->v, "from", SPACE_INPUT, &from, axis),
      out = vk_buffer(x->v, "to", SPACE_OUTPUT, &to, axis);
  body = vk_parallel(x->v, body, &axis[x->inner], 1);
  for (int i = 0; i < n; i++) {
    add[x->inner + 1] = i;
    e[i] = vk_load(x->v, body, in, add, 0, NULL);
  }
  for (int i = 0; i < n; i++) {
    add[x->inner + 1] = i;
    vk_store(x->v, body, out, add, 0, vk_cast(x->v, body, e[i], x->to.dtype));
  }
}

/* Lanes around strips of squares, so that a few lines of memory are read to their ends. */
static void copy_squares(copier *x, int n) {
  symtab *syms = x->v->syms;
  dim size = x->to.size[x->inner], by = dim_int(n),
      whole = dim_mul(syms, dim_floordiv(syms, size, by), by);
  stmt_list *body = outer_loops(x);
  loop *lanes = loop_add(x->v->k, body, x->axis[x->lane], ORDER_PARALLEL, 0);
  lanes->bind = BIND_LANES;
  lanes->lanes = n;
  if (!dim_is(whole, 0)) copy_strip(x, &lanes->body, dim_int(0), whole, n);
  if (!dim_equal(whole, size)) copy_strip(x, &lanes->body, whole, size, 1);
}

static void copy_elements(copier *x) {
  x->inner = -1;
  stmt_list *body = outer_loops(x);
  if (x->lane >= 0) body = vk_parallel(x->v, body, &x->axis[x->lane], 1);
  int in = vk_buffer(x->v, "from", SPACE_INPUT, &x->from, x->axis),
      out = vk_buffer(x->v, "to", SPACE_OUTPUT, &x->to, x->axis);
  copy_element(x, body, in, out);
}

void copy_build(view_kernel *v, const nest_view *from, const nest_view *to, const target *t) {
  copier x = {.v = v, .from = *from, .to = *to};
  views_merge(v->syms, (nest_view *[]){&x.to, &x.from}, 2);
  x.lane = nearest(&x.to, -1);
  x.inner = nearest(&x.from, x.lane);
  bool transposes = x.inner >= 0 && distance(&x.from, x.inner) == 1 &&
                    dim_is(x.from.stride[x.inner], 1) && !dim_is(x.from.stride[x.lane], 0) &&
                    !dim_is(x.from.stride[x.lane], 1) && !is_complex(&x.from) && !is_complex(&x.to);
  int n = transposes ? square_of(&x, t) : 1;
  if (n > 1) copy_squares(&x, n);
  else copy_elements(&x);
}
