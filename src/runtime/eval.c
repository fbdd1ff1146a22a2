/* What evaluation functions share: errors, memory and arguments. */
#include "runtime/eval.h"

#include <stdio.h>
#include <string.h>

#include "runtime/interp.h"

/* ---- errors ---- */

static bool record(eval_ctx *c, scanc_code code, const char *fmt, va_list ap) {
  const node *n = c->in->cur->n;
  const module *m = c->in->mod;
  char message[512];
  if (c->in->err->code) return false;
  vsnprintf(message, sizeof message, fmt, ap);
  src_loc loc = n->loc;
  if (!loc.file) loc.file = m->name;
  err_set(c->in->err, code, loc, "%.120s: %s", n->name, message);
  if (m->text) err_quote(c->in->err, m->text, m->text_len);
  return false;
}

void eval_record(eval_ctx *c, scanc_code code, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  record(c, code, fmt, ap);
  va_end(ap);
}

void eval_data_error(eval_ctx *c, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  record(c, SCANC_ERR_DATA, fmt, ap);
  va_end(ap);
}

/* ---- memory ---- */

static bool tensor_bytes(scanc_dtype d, const int64_t *sizes, int rank, size_t *out) {
  int64_t n = (int64_t)scanc_dtype_size(d);
  bool empty = false;
  for (int i = 0; i < rank; i++) {
    empty |= sizes[i] == 0;
    if (sizes[i] && __builtin_mul_overflow(n, sizes[i], &n)) return false;
  }
  *out = empty ? 0 : (size_t)n;
  return true;
}

bool interp_alloc(eval_ctx *c, tensor *t, scanc_dtype d, const int64_t *sizes, int rank) {
  size_t bytes;
  *t = (tensor){.dtype = d, .rank = rank};
  if (!tensor_bytes(d, sizes, rank, &bytes))
    return eval_fail(c, SCANC_ERR_SIZE_OVERFLOW,
                     "the number of bytes of the result does not fit 64 bits");
  memcpy(t->sizes, sizes, sizeof *sizes * (size_t)rank);
  tensor_default_strides(t);
  t->store = pool_alloc(c->mem, bytes);
  if (!t->store)
    return eval_fail(c, SCANC_ERR_NO_MEMORY,
                     "the result needs %zu bytes, more than is left of the %zu bytes a run may use",
                     bytes, c->in->call->max_bytes);
  t->data = t->store->data;
  return true;
}

bool eval_alloc(eval_ctx *c, int k, scanc_dtype d, const int64_t *sizes, int rank) {
  storage_release(c->out[k].store);
  return interp_alloc(c, &c->out[k], d, sizes, rank);
}

const tensor *eval_contiguous(eval_ctx *c, const tensor *t, scanc_dtype d) {
  if (t->dtype == d && tensor_contiguous(t)) return t;
  tensor *copy = ARENA_NEW(c->tmp, tensor);
  if (!interp_alloc(c, copy, d, t->sizes, t->rank)) return NULL;
  vec_push(c->in->mem, &c->in->temps, copy->store);
  tensor_copy(copy, t);
  return copy;
}

/* ---- arguments ---- */

const tensor *eval_tensor(const eval_ctx *c, int k) {
  return c->arg[k].kind == TYPE_TENSOR ? c->arg[k].t : NULL;
}

bool eval_given(const eval_ctx *c, int k) {
  return c->arg[k].kind != TYPE_ABSENT && c->arg[k].kind != TYPE_NONE;
}

number eval_number(const eval_ctx *c, int k) {
  const rval *v = &c->arg[k];
  switch (v->kind) {
    case TYPE_TENSOR: return number_load(v->t->dtype, v->t->data);
    case TYPE_INT: return (number){.cls = 'i', .i = v->i, .f = (double)v->i};
    case TYPE_BOOL: return (number){.cls = 'b', .i = v->i, .f = (double)v->i};
    case TYPE_FLOAT: return (number){.cls = 'f', .f = v->f};
    case TYPE_COMPLEX: return (number){.cls = 'c', .f = v->f, .im = v->im};
    default: return (number){.cls = 'i'};
  }
}

int64_t eval_int_or(const eval_ctx *c, int k, int64_t dflt) {
  if (!eval_given(c, k)) return dflt;
  number v = eval_number(c, k);
  return v.cls == 'f' || v.cls == 'c' ? (int64_t)v.f : v.i;
}

bool eval_bool_or(const eval_ctx *c, int k, bool dflt) {
  if (!eval_given(c, k)) return dflt;
  number v = eval_number(c, k);
  return v.cls == 'f' || v.cls == 'c' ? v.f != 0 || v.im != 0 : v.i != 0;
}

double eval_float_or(const eval_ctx *c, int k, double dflt) {
  if (!eval_given(c, k)) return dflt;
  number v = eval_number(c, k);
  return v.cls == 'f' || v.cls == 'c' ? v.f : (double)v.i;
}

static int wrap(int64_t axis, int rank) {
  return (int)(axis < 0 ? axis + (rank ? rank : 1) : axis);
}

int eval_axis(const eval_ctx *c, int k, int rank) { return wrap(eval_int_or(c, k, 0), rank); }

int eval_axes(const eval_ctx *c, int k, int rank, int *axes) {
  const rval *v = &c->arg[k];
  if (v->kind == TYPE_INT) return axes[0] = wrap(v->i, rank), 1;
  if (v->kind != TYPE_LIST) return 0;
  for (int i = 0; i < v->n; i++)
    axes[i] = wrap(v->items[i].kind == TYPE_INT ? v->items[i].i : 0, rank);
  return v->n;
}
