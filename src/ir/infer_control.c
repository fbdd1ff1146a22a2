/* Result types of control ops that have no subgraph: items of tuples, sizes as numbers, attributes,
 * assertions. */
#include <string.h>

#include "ir/infer.h"

/* The operand as a tensor type; NULL without an error where nothing is known of it. */
static const type *known_tensor(infer_ctx *c, int k) {
  const type *t;
  if (!c->arg[k]) return NULL;
  return arg_tensor(c, k, &t) ? t : NULL;
}

const type *infer_getitem(infer_ctx *c) {
  const type *self = c->arg[0], *index = c->arg[1];
  if (!self || !index) return NULL;
  if (self->kind != TYPE_LIST)
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "only tensors, tuples and lists have items");
  if (index->kind != TYPE_INT || !dim_is_int(index->i))
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "the index of a tuple must be a plain integer");
  int64_t i = index->i.k < 0 ? index->i.k + self->n : index->i.k;
  if (i < 0 || i >= self->n)
    return infer_fail(c, SCANC_ERR_INDEX_RANGE, "expected an index below %d, got %lld", self->n,
                      (long long)index->i.k);
  return self->items[i];
}

static const type *size_list(infer_ctx *c, const type *t) {
  const type *items[SCANC_MAX_RANK];
  for (int i = 0; i < t->n; i++) items[i] = type_int(c->mem, t->dims[i]);
  return type_list(c->mem, items, t->n);
}

static const type *transposed(infer_ctx *c, const type *t, bool all) {
  dim d[SCANC_MAX_RANK];
  if (!all && t->n < 2)
    return infer_fail(c, SCANC_ERR_DIM_RANGE, "expected at least 2 dimensions, got %d", t->n);
  for (int i = 0; i < t->n; i++) d[i] = t->dims[all ? t->n - 1 - i : i];
  if (!all) {
    d[t->n - 2] = t->dims[t->n - 1];
    d[t->n - 1] = t->dims[t->n - 2];
  }
  return infer_tensor(c, t->dtype, d, t->n);
}

const type *infer_getattr(infer_ctx *c) {
  const char *name;
  if (!arg_str_or(c, 1, "", &name)) return NULL;
  const type *t = known_tensor(c, 0);
  if (!t) return NULL;
  if (!strcmp(name, "shape")) return size_list(c, t);
  if (!strcmp(name, "dtype")) return type_dtype(c->mem, t->dtype);
  if (!strcmp(name, "ndim")) return type_int(c->mem, dim_int(t->n));
  if (!strcmp(name, "T")) return transposed(c, t, true);
  if (!strcmp(name, "mT")) return transposed(c, t, false);
  if (!strcmp(name, "data")) return t;
  if (!strcmp(name, "real")) return infer_tensor(c, dtype_real(t->dtype), t->dims, t->n);
  if (!strcmp(name, "imag") && dtype_class(t->dtype) == 'c')
    return infer_tensor(c, dtype_real(t->dtype), t->dims, t->n);
  if (!strcmp(name, "device")) return type_other(c->mem, "device(type='cpu')");
  if (!strcmp(name, "layout")) return type_other(c->mem, "torch.strided");
  if (!strcmp(name, "requires_grad")) return type_bool(c->mem, false);
  if (arg_given(c, 2)) return c->arg[2];
  return infer_fail(c, SCANC_ERR_UNSUPPORTED, "tensors have no attribute '%s' here", name);
}

const type *infer_sym_size(infer_ctx *c) {
  const type *t = known_tensor(c, 0);
  int axis;
  if (!t || !arg_axis(c, 1, t->n, &axis)) return NULL;
  if (t->n == 0)
    return infer_fail(c, SCANC_ERR_DIM_RANGE, "a tensor without dimensions has no sizes");
  return type_int(c->mem, t->dims[axis]);
}

const type *infer_sym_sizes(infer_ctx *c) {
  const type *t = known_tensor(c, 0);
  return t ? size_list(c, t) : NULL;
}

/* Layout is not part of the type: strides are those of the contiguous tensor, here and at run time.
 */
static dim stride_of(infer_ctx *c, const type *t, int axis) {
  dim d = dim_int(1);
  for (int i = t->n - 1; i > axis; i--) d = dim_mul(c->syms, d, t->dims[i]);
  return d;
}

const type *infer_sym_stride(infer_ctx *c) {
  const type *t = known_tensor(c, 0);
  int axis;
  if (!t || !arg_axis(c, 1, t->n, &axis)) return NULL;
  if (t->n == 0)
    return infer_fail(c, SCANC_ERR_DIM_RANGE, "a tensor without dimensions has no strides");
  return type_int(c->mem, stride_of(c, t, axis));
}

const type *infer_sym_strides(infer_ctx *c) {
  const type *t = known_tensor(c, 0);
  const type *items[SCANC_MAX_RANK];
  if (!t) return NULL;
  for (int i = 0; i < t->n; i++) items[i] = type_int(c->mem, stride_of(c, t, i));
  return type_list(c->mem, items, t->n);
}

const type *infer_sym_numel(infer_ctx *c) {
  const type *t = known_tensor(c, 0);
  return t ? type_int(c->mem, infer_numel(c, t)) : NULL;
}

const type *infer_sym_storage_offset(infer_ctx *c) {
  return known_tensor(c, 0) ? type_int(c->mem, dim_int(0)) : NULL;
}

const type *infer_tensor_dim(infer_ctx *c) {
  const type *t = known_tensor(c, 0);
  return t ? type_int(c->mem, dim_int(t->n)) : NULL;
}

static bool one_element(infer_ctx *c, const type *t) {
  dim n = infer_numel(c, t);
  if (!dim_is_int(n) || n.k == 1) return true;
  infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "expected a tensor of one element, got %lld",
             (long long)n.k);
  return false;
}

/* The value of an integer tensor is known when the program runs only; an annotation (u0) gives it a
 * name. */
const type *infer_item(infer_ctx *c) {
  const type *t = known_tensor(c, 0);
  if (!t || !one_element(c, t)) return NULL;
  switch (dtype_class(t->dtype)) {
    case 'b': return type_bool_unknown(c->mem, "");
    case 'f': return type_float_unknown(c->mem, "");
    case 'c':
      return infer_fail(c, SCANC_ERR_UNSUPPORTED,
                        "complex numbers outside of tensors are not supported");
    default: return NULL;
  }
}

const type *infer_is_nonzero(infer_ctx *c) {
  const type *t = known_tensor(c, 0);
  return t && one_element(c, t) ? type_bool_unknown(c->mem, "") : NULL;
}

const type *infer_is_floating_point(infer_ctx *c) {
  const type *t = known_tensor(c, 0);
  return t ? type_bool(c->mem, dtype_class(t->dtype) == 'f') : NULL;
}

const type *infer_is_complex(infer_ctx *c) {
  const type *t = known_tensor(c, 0);
  return t ? type_bool(c->mem, dtype_class(t->dtype) == 'c') : NULL;
}

const type *infer_no_value(infer_ctx *c) {
  (void)c;
  return &type_none;
}

const type *infer_assert_true(infer_ctx *c) {
  const type *t = c->arg[0];
  if (t && type_is_tensor(t) && !one_element(c, t)) return NULL;
  if (t && !type_is_tensor(t) && !type_is_scalar(t))
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "expected a condition");
  return &type_none;
}

static bool metadata_sizes(infer_ctx *c, const type *t) {
  dim d[SCANC_MAX_RANK];
  int n;
  if (!arg_given(c, 1)) return true;
  if (!arg_dims(c, 1, d, &n)) return false;
  bool same = n == t->n;
  for (int i = 0; same && i < n; i++) same = dims_agree(c, d[i], t->dims[i]);
  if (!same) infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "the tensor does not have the asserted sizes");
  return same;
}

const type *infer_assert_metadata(infer_ctx *c) {
  const type *t = known_tensor(c, 0);
  scanc_dtype d;
  if (!t) return c->arg[0] ? NULL : &type_none;
  if (!metadata_sizes(c, t) || !arg_dtype_or(c, 3, t->dtype, &d)) return NULL;
  if (d != t->dtype)
    return infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "asserted element type: expected %s, got %s",
                      scanc_dtype_name(d), scanc_dtype_name(t->dtype));
  return &type_none;
}

const type *infer_constrain_range(infer_ctx *c) {
  const type *t = c->arg[0];
  if (t && !type_is_scalar(t) && !type_is_tensor(t))
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "expected an integer");
  return &type_none;
}
