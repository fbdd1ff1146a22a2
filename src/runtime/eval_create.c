/* Creation of tensors, copies, casts and complex numbers from parts. */
#include <math.h>
#include <string.h>

#include "ir/ops_kernel.h"
#include "runtime/interp.h"
#include "runtime/rows.h"

static size_t element(const tensor *t) { return scanc_dtype_size(t->dtype); }

/* Fills contiguous t with one number; `v` is converted to its dtype. */
static bool fill(const tensor *t, number v) {
  _Alignas(16) char one[16];
  size_t size = element(t), n = (size_t)tensor_numel(t), bytes = n * size, done = size;
  if (!n) return true;
  number_store(v, t->dtype, one);
  memcpy(t->data, one, size);
  while (done < bytes) {
    size_t m = done < bytes - done ? done : bytes - done;
    memcpy(t->data + done, t->data, m);
    done += m;
  }
  return true;
}

static bool zero(const tensor *t) {
  memset(t->data, 0, (size_t)tensor_numel(t) * element(t));
  return true;
}

static const number one = {.cls = 'i', .i = 1, .f = 1};

bool eval_zeros(eval_ctx *c) { return zero(&c->out[0]); }
bool eval_zeros_like(eval_ctx *c) { return zero(&c->out[0]); }
bool eval_new_zeros(eval_ctx *c) { return zero(&c->out[0]); }
bool eval_ones(eval_ctx *c) { return fill(&c->out[0], one); }
bool eval_ones_like(eval_ctx *c) { return fill(&c->out[0], one); }
bool eval_new_ones(eval_ctx *c) { return fill(&c->out[0], one); }
bool eval_full(eval_ctx *c) { return fill(&c->out[0], eval_number(c, 1)); }
bool eval_full_like(eval_ctx *c) { return fill(&c->out[0], eval_number(c, 1)); }
bool eval_new_full(eval_ctx *c) { return fill(&c->out[0], eval_number(c, 2)); }
bool eval_scalar_tensor(eval_ctx *c) { return fill(&c->out[0], eval_number(c, 0)); }

static number number_of(const rval *v) {
  eval_ctx c = {.arg = v, .n_arg = 1};
  return eval_number(&c, 0);
}

static char *store_literal(const rval *v, scanc_dtype d, char *p) {
  if (v->kind != TYPE_LIST) {
    number_store(number_of(v), d, p);
    return p + scanc_dtype_size(d);
  }
  for (int i = 0; i < v->n; i++) p = store_literal(&v->items[i], d, p);
  return p;
}

bool eval_tensor_literal(eval_ctx *c) {
  store_literal(&c->arg[0], c->out[0].dtype, c->out[0].data);
  return true;
}

/* Writes the values of `buf` (f64 or i64) from element `at` on. */
static void store_block(const tensor *t, int64_t at, int64_t n, const void *buf, scanc_dtype from) {
  convert_of(t->dtype, from)(n, t->data + at * (int64_t)element(t), 1, buf, 1);
}

enum { BLOCK = 256 };

static bool is_integer(scanc_dtype d) {
  return d == SCANC_U8 || d == SCANC_I8 || d == SCANC_I16 || d == SCANC_I32 || d == SCANC_I64;
}

static int64_t whole_number(number v) { return v.cls == 'f' ? (int64_t)v.f : v.i; }

/* start + i * step, computed in i64 for integers and in f64 otherwise. An integer dtype cuts start
 * and step first. */
bool eval_arange(eval_ctx *c) {
  const tensor *t = &c->out[0];
  number start = eval_number(c, 1), step = eval_number(c, 2);
  bool ints = is_integer(t->dtype);
  uint64_t first = (uint64_t)whole_number(start), by = (uint64_t)whole_number(step);
  int64_t n = tensor_numel(t);
  for (int64_t at = 0; at < n; at += BLOCK) {
    int64_t m = n - at < BLOCK ? n - at : BLOCK;
    int64_t whole[BLOCK];
    double real[BLOCK];
    for (int64_t i = 0; i < m; i++) {
      if (ints) whole[i] = (int64_t)(first + (uint64_t)(at + i) * by);
      else real[i] = start.f + step.f * (double)(at + i);
    }
    store_block(t, at, m, ints ? (void *)whole : (void *)real, ints ? SCANC_I64 : SCANC_F64);
  }
  return true;
}

/* Both halves count from their own end, as PyTorch does, so that the last value is exact. */
static double linspace_value(double start, double end, int64_t n, int64_t i) {
  double step = n > 1 ? (end - start) / (double)(n - 1) : 0;
  return i < n / 2 || n == 1 ? start + step * (double)i : end - step * (double)(n - 1 - i);
}

/* base: NULL, or what is raised to the power of the values. */
static bool eval_spaced(eval_ctx *c, const double *base) {
  const tensor *t = &c->out[0];
  double start = eval_float_or(c, 0, 0), end = eval_float_or(c, 1, 0);
  int64_t n = tensor_numel(t);
  for (int64_t i = 0; i < n; i++) {
    double v = linspace_value(start, end, n, i);
    int status = 0;
    if (base)
      ew_kernel_of(OP_pow, SCANC_F64, c->in->call->fma)(1, &v, (const void *const[]){base, &v},
                                                        (const int64_t[]){0, 0}, &status);
    store_block(t, i, 1, &v, SCANC_F64);
  }
  return true;
}

bool eval_linspace(eval_ctx *c) { return eval_spaced(c, NULL); }
bool eval_logspace(eval_ctx *c) {
  double base = eval_float_or(c, 3, 10);
  return eval_spaced(c, &base);
}

bool eval_eye(eval_ctx *c) {
  const tensor *t = &c->out[0];
  int64_t n = t->sizes[0] < t->sizes[1] ? t->sizes[0] : t->sizes[1];
  zero(t);
  for (int64_t i = 0; i < n; i++)
    number_store(one, t->dtype, t->data + i * (t->sizes[1] + 1) * (int64_t)element(t));
  return true;
}

/* ---- copies ---- */

static bool copy_operand(eval_ctx *c) {
  tensor_copy(&c->out[0], c->arg[0].t);
  return true;
}

bool eval_clone(eval_ctx *c) { return copy_operand(c); }
bool eval_to(eval_ctx *c) { return copy_operand(c); }

bool eval_alias(eval_ctx *c) {
  storage *store = c->out[0].store;
  c->out[0] = *c->arg[0].t;
  c->out[0].store = store;
  return true;
}

/* log_sigmoid and exp(-|x|), which its derivative uses. */

/* ---- complex numbers ---- */

/* Of the results, and of the CPU level. */
typedef struct {
  scanc_dtype dtype;
  bool fma;
} parts_call;

static void complex_row(void *ctx, int64_t n, char *const *data, const int64_t *strides) {
  bool f64 = ((parts_call *)ctx)->dtype == SCANC_C128;
  for (int64_t i = 0; i < n; i++) {
    char *o = data[0] + i * strides[0], *a = data[1] + i * strides[1],
         *b = data[2] + i * strides[2];
    size_t half = f64 ? 8 : 4;
    memcpy(o, a, half);
    memcpy(o + half, b, half);
  }
}

/* As the row of the op table has it. */
static void circular(const parts_call *p, op_id op, void *out, const void *angle) {
  int status = 0;
  ew_kernel_of(op, dtype_real(p->dtype), p->fma)(1, out, &angle, (const int64_t[]){1}, &status);
}

static void polar_row(void *ctx, int64_t n, char *const *data, const int64_t *strides) {
  const parts_call *p = ctx;
  for (int64_t i = 0; i < n; i++) {
    char *o = data[0] + i * strides[0], *a = data[1] + i * strides[1],
         *b = data[2] + i * strides[2];
    if (p->dtype == SCANC_C128) {
      double r = *(double *)a, z[2];
      circular(p, OP_cos, &z[0], b), circular(p, OP_sin, &z[1], b);
      z[0] *= r, z[1] *= r;
      memcpy(o, z, sizeof z);
    } else {
      float r = *(float *)a, z[2];
      circular(p, OP_cos, &z[0], b), circular(p, OP_sin, &z[1], b);
      z[0] *= r, z[1] *= r;
      memcpy(o, z, sizeof z);
    }
  }
}

static bool from_parts(eval_ctx *c, void (*row)(void *, int64_t, char *const *, const int64_t *)) {
  tensor *out = &c->out[0];
  rows r;
  rows_init(&r, 3, out->sizes, out->rank);
  rows_set(&r, 0, out);
  for (int k = 0; k < 2; k++) rows_set(&r, k + 1, c->arg[k].t);
  parts_call p = {out->dtype, c->in->call->fma};
  if (rows_merge(&r)) rows_each(&r, row, &p);
  return true;
}

bool eval_complex(eval_ctx *c) { return from_parts(c, complex_row); }
bool eval_polar(eval_ctx *c) { return from_parts(c, polar_row); }
