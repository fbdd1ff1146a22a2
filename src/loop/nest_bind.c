/* From the operands of a call to the sizes, strides and places that a kernel gets. */
#include "loop/scan_nest.h"

typedef struct {
  const scan_nest *n;
  arena *mem;
  symtab *syms;
  const nest_view *operand;
  dim length;
  const dim *x_start;
  bool *size_known; /* per class */
  nest_call *call;
} binding;

/* d must be 0, or at least 0: known now, or a guard. */
static bool require(binding *b, dim d, bool zero) {
  nest_guard g = {d, zero};
  if (dim_is_int(d)) return zero ? d.k == 0 : d.k >= 0;
  vec_push(b->mem, &b->call->guards, g);
  return true;
}

static bool require_equal(binding *b, dim x, dim y) {
  return dim_equal(x, y) || require(b, dim_sub(b->syms, x, y), true);
}

/* Sizes must be equal within a class. */
static bool bind_size(binding *b, const nest_operand *p, int d, dim size) {
  if (p->dim[d] == DIM_TIME) return true;
  if (p->dim[d] == DIM_FIXED) return require_equal(b, size, dim_int(p->size[d]));
  dim *extent = &b->call->shape.extent[p->dim[d]];
  if (!b->size_known[p->dim[d]]) *extent = size;
  b->size_known[p->dim[d]] = true;
  return require_equal(b, *extent, size);
}

/* A size that is known. */
static dim size_of_dim(const binding *b, const nest_operand *p, int d) {
  return p->dim[d] < 0 ? dim_int(p->size[d]) : b->call->shape.extent[p->dim[d]];
}

static dim mul(const binding *b, dim x, int64_t k) { return dim_mul(b->syms, x, dim_int(k)); }

static void move_start(binding *b, int o, dim steps, dim stride) {
  int64_t size = (int64_t)scanc_dtype_size(b->n->operand[o].dtype);
  dim bytes = mul(b, dim_mul(b->syms, steps, stride), size);
  b->call->offset[o] = dim_add(b->syms, b->call->offset[o], bytes);
}

/* Time runs from `start` in the direction of the operand, within its size; leaves without views are
 * as long as the scan. */
static bool bind_time(binding *b, int o, dim start) {
  const nest_operand *p = &b->n->operand[o];
  const nest_view *v = &b->operand[o];
  int axis = p->axis[p->time_axis];
  dim size = v->size[axis], stride = v->stride[axis];
  bool forward = p->time_step > 0, whole = o < b->n->n_leaf && !b->x_start;
  if (whole && !require_equal(b, size, b->length)) return false;
  dim past = dim_add(b->syms, start, forward ? b->length : dim_int(1)),
      first = forward ? start : dim_add(b->syms, dim_sub(b->syms, start, b->length), dim_int(1));
  if (!require(b, dim_sub(b->syms, size, past), false) || !require(b, first, false)) return false;
  b->call->shape.stride[o * SCANC_MAX_RANK + p->time_axis] = mul(b, stride, p->time_step);
  move_start(b, o, start, stride);
  return true;
}

static dim start_of(const binding *b, int o) {
  const scan_nest *n = b->n;
  if (o < n->n_leaf && b->x_start) return b->x_start[o - n->n_carry];
  return n->operand[o].time_step > 0 ? dim_int(0) : dim_sub(b->syms, b->length, dim_int(1));
}

/* Dimensions `first` to `last` are one of the tensor; at most one of their sizes is still unknown.
 */
static bool bind_factors(binding *b, const nest_operand *p, int first, int last, dim size) {
  int unknown = -1;
  dim product = dim_int(1);
  for (int d = first; d <= last; d++) {
    bool known = p->dim[d] < 0 || b->size_known[p->dim[d]];
    if (!known && unknown >= 0) return false;
    if (!known) unknown = d;
    else product = dim_mul(b->syms, product, size_of_dim(b, p, d));
  }
  if (unknown >= 0) {
    dim rest = dim_is(product, 0) ? dim_int(0) : dim_floordiv(b->syms, size, product);
    SCANC_TRY(bind_size(b, p, unknown, rest));
    product = dim_mul(b->syms, product, rest);
  }
  return require_equal(b, size, product);
}

/* Sizes of dimensions that are whole, or of those that are not. */
static bool bind_sizes(binding *b, int o, bool whole) {
  const nest_operand *p = &b->n->operand[o];
  const nest_view *v = &b->operand[o];
  if (p->none) return true;
  if (v->buffer < 0 || v->dtype != p->dtype || v->rank != p->n_axes) return false;
  for (int d = 0, end; d < p->rank; d = end) {
    for (end = d + 1; end < p->rank && p->axis[end] == p->axis[d];) end++;
    if ((end == d + 1) != whole) continue;
    dim size = v->size[p->axis[d]];
    if (!(whole ? bind_size(b, p, d, size) : bind_factors(b, p, d, end - 1, size))) return false;
  }
  return true;
}

/* Size of dimension d to go on by: of what has no elements none is met, but a stride of 0 would say
 * that nothing moves. */
static dim pace(const binding *b, const nest_operand *p, int d) {
  dim size = size_of_dim(b, p, d);
  return dim_is(size, 0) ? dim_int(1) : size;
}

static bool bind_operand(binding *b, int o) {
  const nest_operand *p = &b->n->operand[o];
  const nest_view *v = &b->operand[o];
  dim *stride = &b->call->shape.stride[o * SCANC_MAX_RANK];
  if (p->none) return true;
  for (int d = p->rank - 1; d >= 0; d--) {
    bool apart = d + 1 < p->rank && p->axis[d + 1] == p->axis[d];
    stride[d] = apart ? dim_mul(b->syms, stride[d + 1], pace(b, p, d + 1)) : v->stride[p->axis[d]];
  }
  b->call->offset[o] = v->offset;
  return p->time_axis < 0 || bind_time(b, o, start_of(b, o));
}

/* Inner scans that run backwards start at the last index. */
static void reverse_inner(binding *b) {
  const scan_nest *n = b->n;
  for (int o = 0; o < nest_seed(n, 0); o++)
    for (int d = 0; d < n->operand[o].rank; d++) {
      int inner = nest_inner_of(n, &n->operand[o], d);
      if (inner < 0 || !n->inners.data[inner].reversed) continue;
      dim *stride = &b->call->shape.stride[o * SCANC_MAX_RANK + d],
          last = dim_sub(b->syms, b->call->shape.extent[n->operand[o].dim[d]], dim_int(1));
      move_start(b, o, last, *stride);
      *stride = dim_neg(b->syms, *stride);
    }
}

bool nest_bind(arena *mem, const scan_nest *n, symtab *syms, const nest_view *operand, dim length,
               const dim *x_start, nest_call *out) {
  *out = (nest_call){.shape = nest_shape_alloc(mem, n, syms)};
  out->offset = ARENA_ARRAY(mem, dim, n->n_operand);
  binding b = {n, mem, syms, operand, length, x_start, ARENA_ARRAY(mem, bool, n->n_class), out};
  int64_t least = length.k, most;
  if (!dim_is_int(length)) dim_bounds(syms, length, &least, &most);
  if (dim_is_int(length) && length.k < 0) return false;
  out->shape.steps = n->fold || least > 0; /* folds of nothing are not called */
  for (int c = 0; c < n->n_class; c++)     /* some are dimensions of no operand */
    if (n->extent[c]) out->shape.extent[c] = dim_int(n->extent[c]), b.size_known[c] = true;
  for (int pass = 0; pass < 2; pass++)
    for (int o = 0; o < nest_seed(n, 0); o++)
      if (!bind_sizes(&b, o, !pass)) return false;
  for (int o = 0; o < nest_seed(n, 0); o++)
    if (!bind_operand(&b, o)) return false;
  reverse_inner(&b);
  return true;
}

/* ---- empty classes ---- */

static bool has_class(const nest_operand *p, int c) {
  for (int d = 0; d < p->rank; d++)
    if (p->dim[d] == c) return true;
  return false;
}

static bool fails_without(const scan_nest *n, const nest_part *p, int c) {
  for (int i = 0; i < n->fault_at.len; i++) {
    const nest_fault *f = &n->fault_at.data[i];
    bool has = false;
    for (int a = 0; a < f->rank; a++) has |= f->cls[a] == c;
    if (p->value[f->value] && !has) return true;
  }
  return false;
}

bool nest_needs_exact(const scan_nest *n, int cls) {
  for (const nest_part *p = n->part; p < n->part + n->n_part; p++) {
    bool runs = false;
    for (int a = 0; a < p->rank; a++) runs |= p->cls[a] == cls;
    if (runs && fails_without(n, p, cls)) return true;
    for (int o = n->n_leaf; runs && o < nest_seed(n, 0); o++)
      if (p->operand[o] && !has_class(&n->operand[o], cls)) return true;
  }
  return false;
}

const scan_nest *nest_exact(arena *mem, const scan_nest *n) {
  scan_nest *e = arena_copy(mem, n, sizeof *n);
  e->part = n->exact;
  e->n_part = n->n_exact;
  return e;
}

/* ---- numbers for parameters ---- */

static void fix(lexpr *e, const dim *ints, int but) {
  if (e->is_param && e->k != but && dim_is_int(ints[e->k])) *e = lexpr_const(ints[e->k].k + e->add);
}

static void fix_numbers(stmt_list *list, const dim *ints, int but) {
  for (int i = 0; i < list->len; i++) {
    stmt *s = &list->data[i];
    if (s->kind == ST_LOOP) fix_numbers(&s->loop->body, ints, but);
    if (s->kind == ST_POINT || s->kind == ST_INDEX) fix(&s->number, ints, but);
  }
}

void kernel_fix(kernel *k, const dim *ints, int but) {
  fix_numbers(&k->body, ints, but);
  for (int i = 0; i < k->axes.len; i++) fix(&k->axes.data[i].extent, ints, but);
  for (int i = 0; i < k->buffers.len; i++) {
    const buffer *b = &k->buffers.data[i];
    buffer_dim *dims = arena_copy(k->mem, b->dims, sizeof *dims * (size_t)b->n_dims);
    for (int d = 0; d < b->n_dims; d++) {
      fix(&dims[d].extent, ints, but);
      fix(&dims[d].stride, ints, but);
    }
    k->buffers.data[i].dims = dims;
  }
}
