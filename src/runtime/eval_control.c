/* Evaluation of control ops without subgraphs: items of tuples, sizes as numbers, attributes,
 * assertions. */
#include <stdlib.h>
#include <string.h>

#include "runtime/interp.h"

static bool give_int(eval_ctx *c, int64_t v) {
  *c->scalar_out = (rval){.kind = TYPE_INT, .i = v};
  return true;
}

static bool give_bool(eval_ctx *c, bool v) {
  *c->scalar_out = (rval){.kind = TYPE_BOOL, .i = v};
  return true;
}

static bool give_ints(eval_ctx *c, const int64_t *v, int n) {
  rval *items = ARENA_ARRAY(c->tmp, rval, n);
  for (int i = 0; i < n; i++) items[i] = (rval){.kind = TYPE_INT, .i = v[i]};
  *c->scalar_out = (rval){.kind = TYPE_LIST, .n = n, .items = items};
  return true;
}

bool eval_getitem(eval_ctx *c) {
  const rval *list = &c->arg[0], *index = &c->arg[1];
  if (list->kind != TYPE_LIST || index->kind != TYPE_INT)
    return eval_fail(c, SCANC_ERR_BAD_ARGUMENT, "only tuples and lists have items");
  int64_t i = index->i < 0 ? index->i + list->n : index->i;
  if (i < 0 || i >= list->n)
    return eval_fail(c, SCANC_ERR_INDEX_RANGE, "expected an index below %d, got %lld", list->n,
                     (long long)index->i);
  slot_set(c->in, eval_exec(c)->out, &list->items[i]);
  return true;
}

/* ---- attributes ---- */

/* Copies x.T, x.mT, x.real, x.imag or x.data into the result. */
static bool copy_attribute(eval_ctx *c, const tensor *t, const char *name) {
  tensor v = *t;
  int last = t->rank - 1;
  for (int i = 0; i < t->rank && !strcmp(name, "T"); i++) {
    v.sizes[i] = t->sizes[last - i];
    v.strides[i] = t->strides[last - i];
  }
  if (!strcmp(name, "mT")) {
    v.sizes[last] = t->sizes[last - 1];
    v.strides[last] = t->strides[last - 1];
    v.sizes[last - 1] = t->sizes[last];
    v.strides[last - 1] = t->strides[last];
  }
  if (v.dtype != c->out[0].dtype) { /* the parts of a complex number */
    v.dtype = c->out[0].dtype;
    for (int i = 0; i < t->rank; i++) v.strides[i] *= 2;
    if (!strcmp(name, "imag")) v.data += scanc_dtype_size(v.dtype);
  }
  tensor_copy(&c->out[0], &v);
  return true;
}

bool eval_getattr(eval_ctx *c) {
  const tensor *t = eval_tensor(c, 0);
  const char *name = c->arg[1].s;
  if (c->n_out) return copy_attribute(c, t, name);
  if (!strcmp(name, "shape")) return give_ints(c, t->sizes, t->rank);
  if (!strcmp(name, "ndim")) return give_int(c, t->rank);
  if (!strcmp(name, "requires_grad")) return give_bool(c, false);
  if (!strcmp(name, "dtype")) *c->scalar_out = (rval){.kind = TYPE_DTYPE, .dtype = t->dtype};
  else if (!strcmp(name, "device"))
    *c->scalar_out = (rval){.kind = TYPE_OTHER, .s = "device(type='cpu')"};
  else if (!strcmp(name, "layout"))
    *c->scalar_out = (rval){.kind = TYPE_OTHER, .s = "torch.strided"};
  else *c->scalar_out = c->arg[2];
  return true;
}

/* ---- sizes; strides are those of the contiguous tensor (infer_control.c) ---- */

static int64_t stride_of(const tensor *t, int axis) {
  int64_t s = 1;
  for (int i = t->rank - 1; i > axis; i--) s *= t->sizes[i];
  return s;
}

bool eval_sym_size(eval_ctx *c) {
  const tensor *t = eval_tensor(c, 0);
  return give_int(c, t->sizes[eval_axis(c, 1, t->rank)]);
}

bool eval_sym_sizes(eval_ctx *c) {
  const tensor *t = eval_tensor(c, 0);
  return give_ints(c, t->sizes, t->rank);
}

bool eval_sym_stride(eval_ctx *c) {
  const tensor *t = eval_tensor(c, 0);
  return give_int(c, stride_of(t, eval_axis(c, 1, t->rank)));
}

bool eval_sym_strides(eval_ctx *c) {
  const tensor *t = eval_tensor(c, 0);
  int64_t s[SCANC_MAX_RANK];
  for (int i = 0; i < t->rank; i++) s[i] = stride_of(t, i);
  return give_ints(c, s, t->rank);
}

bool eval_sym_numel(eval_ctx *c) { return give_int(c, tensor_numel(eval_tensor(c, 0))); }
bool eval_sym_storage_offset(eval_ctx *c) { return give_int(c, 0); }
bool eval_tensor_dim(eval_ctx *c) { return give_int(c, eval_tensor(c, 0)->rank); }
bool eval_is_floating_point(eval_ctx *c) {
  return give_bool(c, dtype_class(eval_tensor(c, 0)->dtype) == 'f');
}
bool eval_is_complex(eval_ctx *c) {
  return give_bool(c, dtype_class(eval_tensor(c, 0)->dtype) == 'c');
}

/* ---- values as numbers ---- */

bool eval_item(eval_ctx *c) {
  number v = eval_number(c, 0);
  switch (v.cls) {
    case 'b': return give_bool(c, v.i != 0);
    case 'i': return give_int(c, v.i);
    case 'f': *c->scalar_out = (rval){.kind = TYPE_FLOAT, .f = v.f}; break;
    default: *c->scalar_out = (rval){.kind = TYPE_COMPLEX, .f = v.f, .im = v.im}; break;
  }
  return true;
}

bool eval_is_nonzero(eval_ctx *c) { return give_bool(c, eval_bool_or(c, 0, false)); }

/* ---- assertions: a violation is a data error ---- */

bool eval_assert_true(eval_ctx *c) {
  if (eval_bool_or(c, 0, true)) return true;
  bool told = c->n_arg > 1 && c->arg[1].kind == TYPE_STR;
  eval_data_error(c, "assertion failed%s%.300s", told ? ": " : "", told ? c->arg[1].s : "");
  return true;
}

bool eval_assert_metadata(eval_ctx *c) {
  (void)c; /* inference has compared the element type and the sizes */
  return true;
}

static bool check_range(eval_ctx *c, int64_t min) {
  int64_t v = eval_int_or(c, 0, 0), lo = eval_int_or(c, 1, min), hi = eval_int_or(c, 2, INT64_MAX);
  if (v < lo || v > hi)
    eval_data_error(c, "a value outside its range: expected %lld to %lld, got %lld", (long long)lo,
                    (long long)hi, (long long)v);
  return true;
}

bool eval_constrain_range(eval_ctx *c) { return check_range(c, INT64_MIN); }
bool eval_check_size(eval_ctx *c) { return check_range(c, 0); }

/* ---- switches without a value ---- */

bool eval_set_grad_enabled(eval_ctx *c) {
  (void)c;
  return true;
}

/* Autocast changes the element types of what follows; scanc does not model that. */
bool eval_enter_autocast(eval_ctx *c) {
  return !eval_bool_or(c, 2, true) ||
         eval_fail(c, SCANC_ERR_UNSUPPORTED, "autocast is not supported");
}

bool eval_exit_autocast(eval_ctx *c) {
  (void)c;
  return true;
}
