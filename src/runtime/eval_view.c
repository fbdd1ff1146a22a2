/* Views: results that are another layout of the operand's elements, and the few copies where no
 * layout will do. */
#include "runtime/strided.h"

/* ---- same elements, other sizes: out[0] has the inferred sizes ---- */

/* x's elements in row-major order as out[0]: a view where the strides allow one, else a copy. */
static bool reshape_out(eval_ctx *c, const tensor *x) {
  tensor *out = &c->out[0], row = *x;
  int64_t sizes[SCANC_MAX_RANK];
  memcpy(sizes, out->sizes, sizeof sizes);
  if (reshape_strides(x, sizes, out->rank, out->strides)) {
    out->data = x->data;
    return true;
  }
  if (!eval_alloc(c, 0, x->dtype, sizes, out->rank)) return false;
  row.data = out->data;
  tensor_default_strides(&row);
  tensor_copy(&row, x);
  return true;
}

static bool reshape_self(eval_ctx *c) { return reshape_out(c, eval_tensor(c, 0)); }

bool eval_view(eval_ctx *c) { return reshape_self(c); }
bool eval_view_as(eval_ctx *c) { return reshape_self(c); }
bool eval_reshape(eval_ctx *c) { return reshape_self(c); }
bool eval_reshape_as(eval_ctx *c) { return reshape_self(c); }
bool eval_flatten(eval_ctx *c) { return reshape_self(c); }
bool eval_unflatten(eval_ctx *c) { return reshape_self(c); }
bool eval_unsqueeze(eval_ctx *c) { return reshape_self(c); }
bool eval_squeeze(eval_ctx *c) { return reshape_self(c); }
bool eval_atleast_1d(eval_ctx *c) { return reshape_self(c); }
bool eval_atleast_2d(eval_ctx *c) { return reshape_self(c); }
bool eval_atleast_3d(eval_ctx *c) { return reshape_self(c); }

/* Makes out[0] own memory for n elements of x's dtype and copies x there. */
static bool own_copy(eval_ctx *c, const tensor *x, tensor *row) {
  storage *s = pool_alloc(c->mem, (size_t)tensor_numel(x) * scanc_dtype_size(x->dtype));
  if (!s) return eval_fail(c, SCANC_ERR_NO_MEMORY, "no memory for a copy");
  *row = *x;
  row->store = c->out[0].store = s;
  row->data = s->data;
  tensor_default_strides(row);
  tensor_copy(row, x);
  return true;
}

bool eval_view_dtype(eval_ctx *c) {
  const tensor *x = eval_tensor(c, 0);
  tensor *out = &c->out[0], row = *x;
  size_t size = scanc_dtype_size(out->dtype), align = size > 8 ? 8 : size;
  if (size == scanc_dtype_size(x->dtype)) {
    memcpy(out->strides, x->strides, sizeof out->strides);
  } else {
    if ((!tensor_contiguous(x) || (uintptr_t)x->data % align) && !own_copy(c, x, &row))
      return false;
    tensor_default_strides(out);
  }
  out->data = row.data;
  return true;
}

bool eval_permute(eval_ctx *c) {
  const tensor *x = eval_tensor(c, 0);
  int axes[SCANC_MAX_RANK], n = eval_axes(c, 1, x->rank, axes);
  for (int i = 0; i < n; i++) c->out[0].strides[i] = x->strides[axes[i]];
  c->out[0].data = x->data;
  return true;
}

static bool expand_out(eval_ctx *c, int k, const tensor *x) {
  tensor v = *x;
  part_expand(&v, c->out[k].sizes, c->out[k].rank);
  return eval_view_out(c, k, &v);
}

bool eval_expand(eval_ctx *c) { return expand_out(c, 0, eval_tensor(c, 0)); }
bool eval_expand_as(eval_ctx *c) { return expand_out(c, 0, eval_tensor(c, 0)); }

static void share(eval_ctx *c, int k, const tensor *x) {
  c->out[k].store = x->store;
  storage_retain(x->store);
}

bool eval_broadcast_tensors(eval_ctx *c) {
  for (int k = 0; k < c->n_out; k++) {
    const tensor *x = c->arg[0].items[k].t;
    expand_out(c, k, x);
    share(c, k, x);
  }
  return true;
}

bool eval_meshgrid(eval_ctx *c) {
  bool swap = eval_str_or(c, 1, "ij")[0] == 'x' && c->n_out > 1;
  for (int k = 0; k < c->n_out; k++) {
    const tensor *x = c->arg[0].items[k].t;
    int axis = swap && k < 2 ? 1 - k : k;
    for (int i = 0; i < c->out[k].rank; i++)
      c->out[k].strides[i] = i == axis && x->rank ? x->strides[0] : 0;
    c->out[k].data = x->data;
    share(c, k, x);
  }
  return true;
}

/* ---- parts ---- */

bool eval_select(eval_ctx *c) {
  tensor v = *eval_tensor(c, 0);
  part_select(&v, eval_axis(c, 1, v.rank), eval_int_or(c, 2, 0));
  return eval_view_out(c, 0, &v);
}

bool eval_slice(eval_ctx *c) {
  tensor v = *eval_tensor(c, 0);
  int axis = eval_axis(c, 1, v.rank);
  int64_t start = eval_int_or(c, 2, 0), step = eval_int_or(c, 4, 1);
  int64_t n = slice_bounds(v.sizes[axis], &start, eval_int_or(c, 3, INT64_MAX), step);
  part_slice(&v, axis, start, n, step);
  return eval_view_out(c, 0, &v);
}

bool eval_narrow(eval_ctx *c) {
  tensor v = *eval_tensor(c, 0);
  int axis = eval_axis(c, 1, v.rank);
  int64_t start = eval_int_or(c, 2, 0);
  part_slice(&v, axis, start < 0 ? start + v.sizes[axis] : start, eval_int_or(c, 3, 0), 1);
  return eval_view_out(c, 0, &v);
}

/* The outputs, one behind the other along the axis. */
static bool pieces(eval_ctx *c, int axis_operand) {
  const tensor *x = eval_tensor(c, 0);
  int axis = eval_axis(c, axis_operand, x->rank);
  int64_t start = 0;
  for (int k = 0; k < c->n_out; k++) {
    tensor v = *x;
    int64_t n = c->out[k].sizes[axis];
    part_slice(&v, axis, start, n, 1);
    eval_view_out(c, k, &v);
    start += n;
  }
  return true;
}

bool eval_split(eval_ctx *c) { return pieces(c, 2); }
bool eval_split_with_sizes(eval_ctx *c) { return pieces(c, 2); }
bool eval_chunk(eval_ctx *c) { return pieces(c, 2); }

bool eval_tensor_split(eval_ctx *c) {
  if (c->arg[1].kind != TYPE_LIST) return pieces(c, 2);
  const tensor *x = eval_tensor(c, 0);
  int axis = eval_axis(c, 2, x->rank);
  for (int k = 0; k < c->n_out; k++) {
    tensor v = *x;
    int64_t start = k ? c->arg[1].items[k - 1].i : 0,
            end = k < c->n_out - 1 ? c->arg[1].items[k].i : INT64_MAX;
    int64_t n = slice_bounds(v.sizes[axis], &start, end, 1);
    part_slice(&v, axis, start, n, 1);
    eval_view_out(c, k, &v);
  }
  return true;
}

bool eval_unbind(eval_ctx *c) {
  const tensor *x = eval_tensor(c, 0);
  int axis = eval_axis(c, 1, x->rank);
  for (int k = 0; k < c->n_out; k++) {
    tensor v = *x;
    part_select(&v, axis, k);
    eval_view_out(c, k, &v);
  }
  return true;
}

bool eval_unfold(eval_ctx *c) {
  const tensor *x = eval_tensor(c, 0);
  tensor *out = &c->out[0];
  int axis = eval_axis(c, 1, x->rank);
  memcpy(out->strides, x->strides, sizeof out->strides);
  out->strides[x->rank] = x->rank ? x->strides[axis] : 1;
  if (x->rank && out->sizes[axis] > 1) out->strides[axis] *= eval_int_or(c, 3, 1);
  out->data = x->data;
  return true;
}

bool eval_diagonal(eval_ctx *c) {
  tensor v = *eval_tensor(c, 0);
  int a = eval_axis(c, 2, v.rank), b = eval_axis(c, 3, v.rank);
  part_diagonal(&v, eval_int_or(c, 1, 0), a, b, c->out[0].sizes[c->out[0].rank - 1]);
  return eval_view_out(c, 0, &v);
}

/* Strides and offset count the elements of the operand, whose layout must be what PyTorch's is:
 * row-major. */
bool eval_as_strided(eval_ctx *c) {
  const tensor *x = eval_tensor(c, 0);
  if (!tensor_contiguous(x))
    return eval_fail(c, SCANC_ERR_UNSUPPORTED, "as_strided of a tensor that is not contiguous");
  eval_ints(c, 2, c->out[0].strides);
  c->out[0].data = x->data + eval_int_or(c, 3, 0) * (int64_t)scanc_dtype_size(x->dtype);
  return true;
}

bool eval_flip(eval_ctx *c) {
  tensor v = *eval_tensor(c, 0);
  int axes[SCANC_MAX_RANK], n = eval_axes(c, 1, v.rank, axes);
  bool empty = tensor_numel(&v) == 0;
  for (int i = 0; i < n && v.rank && !empty; i++) {
    int a = axes[i];
    v.data += (v.sizes[a] - 1) * v.strides[a] * (int64_t)scanc_dtype_size(v.dtype);
    v.strides[a] = -v.strides[a];
  }
  return eval_view_out(c, 0, &v);
}

/* ---- complex numbers ---- */

static void double_strides(tensor *out, const tensor *x) {
  for (int i = 0; i < x->rank; i++) out->strides[i] = 2 * x->strides[i];
}

bool eval_view_as_real(eval_ctx *c) {
  const tensor *x = eval_tensor(c, 0);
  double_strides(&c->out[0], x);
  c->out[0].strides[x->rank] = 1;
  c->out[0].data = x->data;
  return true;
}

bool eval_view_as_complex(eval_ctx *c) {
  const tensor *x = eval_tensor(c, 0);
  tensor row = *x;
  bool paired = x->strides[x->rank - 1] == 1;
  for (int i = 0; i < x->rank - 1; i++) paired = paired && x->strides[i] % 2 == 0;
  if (!paired && !own_copy(c, x, &row)) return false;
  for (int i = 0; i < x->rank - 1; i++) c->out[0].strides[i] = row.strides[i] / 2;
  c->out[0].data = row.data;
  return true;
}

bool eval_real(eval_ctx *c) {
  const tensor *x = eval_tensor(c, 0);
  if (x->dtype == c->out[0].dtype) return eval_view_out(c, 0, x);
  double_strides(&c->out[0], x);
  c->out[0].data = x->data;
  return true;
}

bool eval_imag(eval_ctx *c) {
  const tensor *x = eval_tensor(c, 0);
  double_strides(&c->out[0], x);
  c->out[0].data = x->data + scanc_dtype_size(x->dtype) / 2;
  return true;
}
