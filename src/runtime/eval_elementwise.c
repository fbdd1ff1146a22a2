/* Elementwise ops over strided operands of any dtype. The kernels (ir/ops_kernel.h) take rows of
 * the type of computation with strides 0 or 1; what is stored otherwise passes through buffers of
 * BLOCK elements. */
#include <string.h>

#include "ir/infer.h"
#include "ir/ops_kernel.h"
#include "runtime/interp.h"
#include "runtime/rows.h"

enum {
  MAX_OPERAND = 4,
  BLOCK = 256,
  ELEMENT = 16, /* bytes of the largest */
  SPREAD = 16   /* rows from this length on are worth spreading constants for */
};

typedef struct {
  scanc_dtype have, want; /* as stored, as the kernel takes it */
  int64_t have_size, want_size;
} lane;

typedef struct {
  ew_kernel kernel;
  int n; /* arrays: the result, then the operands */
  lane lanes[1 + MAX_OPERAND];
  int status;
} ew_call;

static lane lane_of(scanc_dtype have, scanc_dtype want) {
  return (lane){have, want, (int64_t)scanc_dtype_size(have), (int64_t)scanc_dtype_size(want)};
}

/* ---- the type of computation ---- */

/* The dtype an EW op computes in for these operands (never f16 or bf16); the same rule as
 * infer_elementwise. */
static scanc_dtype elementwise_compute_dtype(const op_info *op, const rval *args) {
  promotion p = {0};
  for (int k = op->promo == PROMO_SELECT; k < op->n_operands; k++) {
    if (op_operand_is_parameter(op, k)) continue;
    const rval *v = &args[k];
    if (v->kind == TYPE_TENSOR) promotion_tensor(&p, v->t->dtype, v->t->rank);
    else
      promotion_number(&p, v->kind == TYPE_INT     ? 'i'
                           : v->kind == TYPE_FLOAT ? 'f'
                           : v->kind == TYPE_BOOL  ? 'b'
                                                   : 'c');
  }
  return dtype_acc(promotion_of_op(op, &p));
}

static scanc_dtype kernel_result(const op_info *op, scanc_dtype compute) {
  if (op->promo == PROMO_COMPARE) return SCANC_BOOL;
  return op->promo == PROMO_REAL || op->promo == PROMO_FREAL ? dtype_real(compute) : compute;
}

/* ---- rows ---- */

static bool row_is_direct(const ew_call *c, int64_t n, const int64_t *strides) {
  for (int k = 0; k < c->n; k++) {
    const lane *l = &c->lanes[k];
    if (l->have != l->want) return false;
    if (strides[k] != l->want_size && (strides[k] != 0 || (k == 0 && n > 1))) return false;
  }
  return true;
}

static void direct_row(ew_call *c, int64_t n, char *const *data, const int64_t *strides) {
  const void *in[MAX_OPERAND];
  int64_t unit[MAX_OPERAND];
  for (int k = 1; k < c->n; k++) in[k - 1] = data[k], unit[k - 1] = strides[k] != 0;
  c->kernel(n, data[0], in, unit, &c->status);
}

/* One block of m elements of operand k as the kernel wants it: in place, or converted into `buf`.
 */
static const void *load_block(const lane *l, int64_t m, char *data, int64_t stride, int64_t at,
                              void *buf) {
  if (l->have == l->want && (stride == l->want_size || stride == 0)) return data + at * stride;
  convert_of(l->want, l->have)(stride ? m : 1, buf, 1, data + at * stride, stride / l->have_size);
  return buf;
}

static void block_row(ew_call *c, int64_t n, char *const *data, const int64_t *strides) {
  _Alignas(64) char buf[1 + MAX_OPERAND][BLOCK * ELEMENT];
  const void *in[MAX_OPERAND];
  int64_t unit[MAX_OPERAND];
  const lane *o = &c->lanes[0];
  bool store = o->have != o->want || (strides[0] != o->want_size && n > 1);
  for (int k = 1; k < c->n; k++) unit[k - 1] = strides[k] != 0;
  for (int64_t at = 0; at < n; at += BLOCK) {
    int64_t m = n - at < BLOCK ? n - at : BLOCK;
    for (int k = 1; k < c->n; k++)
      if (at == 0 || strides[k])
        in[k - 1] = load_block(&c->lanes[k], m, data[k], strides[k], at, buf[k]);
    char *dst = data[0] + at * strides[0];
    c->kernel(m, store ? buf[0] : dst, in, unit, &c->status);
    if (store) convert_of(o->have, o->want)(m, dst, strides[0] / o->have_size, buf[0], 1);
  }
}

/* A kernel of three or four operands is vectorised only when all have unit stride, so constants are
 * spread out. */
static void spread_row(ew_call *c, int64_t n, char *const *data, const int64_t *strides) {
  _Alignas(64) char buf[1 + MAX_OPERAND][BLOCK * ELEMENT];
  char *from[1 + MAX_OPERAND];
  int64_t step[1 + MAX_OPERAND], m = n < BLOCK ? n : BLOCK;
  for (int k = 0; k < c->n; k++) {
    from[k] = data[k];
    step[k] = strides[k];
    if (strides[k]) continue;
    convert_of(c->lanes[k].want, c->lanes[k].have)(m, buf[k], 1, data[k], 0);
    from[k] = buf[k];
    step[k] = c->lanes[k].want_size;
  }
  for (int64_t at = 0; at < n; at += BLOCK) {
    char *now[1 + MAX_OPERAND];
    for (int k = 0; k < c->n; k++) now[k] = strides[k] ? from[k] + at * strides[k] : from[k];
    direct_row(c, n - at < m ? n - at : m, now, step);
  }
}

static void ew_row(void *ctx, int64_t n, char *const *data, const int64_t *strides) {
  ew_call *c = ctx;
  if (!row_is_direct(c, n, strides)) {
    block_row(c, n, data, strides);
    return;
  }
  bool constant = false;
  for (int k = 1; k < c->n; k++) constant |= strides[k] == 0;
  if (constant && c->n > 3 && n >= SPREAD) spread_row(c, n, data, strides);
  else direct_row(c, n, data, strides);
}

/* ---- a call ---- */

static number number_of(const rval *v) {
  switch (v->kind) {
    case TYPE_INT: return (number){.cls = 'i', .i = v->i, .f = (double)v->i};
    case TYPE_BOOL: return (number){.cls = 'b', .i = v->i, .f = (double)v->i};
    case TYPE_FLOAT: return (number){.cls = 'f', .f = v->f};
    default: return (number){.cls = 'c', .f = v->f, .im = v->im};
  }
}

static scanc_dtype wanted(const op_info *op, int k, scanc_dtype compute) {
  return k == 0 && op->promo == PROMO_SELECT ? SCANC_BOOL : compute;
}

/* The common case: numbers, and tensors of the type of computation laid out as the (contiguous)
 * result is. Returns false, having done nothing, where it is another case. */
static bool run_flat(const eval_ctx *c, ew_call *e, scanc_dtype compute) {
  _Alignas(16) char numbers[MAX_OPERAND][ELEMENT];
  const tensor *out = &c->out[0];
  size_t bytes = sizeof *out->sizes * (size_t)out->rank;
  const void *in[MAX_OPERAND];
  int64_t unit[MAX_OPERAND];
  if (out->dtype != kernel_result(c->op, compute)) return false;
  for (int k = 0; k < c->op->n_operands; k++) {
    const rval *v = &c->arg[k];
    scanc_dtype want = wanted(c->op, k, compute);
    unit[k] = v->kind == TYPE_TENSOR;
    in[k] = numbers[k];
    if (!unit[k]) {
      number_store(number_of(v), want, numbers[k]);
      continue;
    }
    const tensor *t = v->t;
    if (t->dtype != want || t->rank != out->rank || memcmp(t->sizes, out->sizes, bytes) ||
        memcmp(t->strides, out->strides, bytes))
      return false;
    in[k] = t->data;
  }
  e->kernel(tensor_numel(out), out->data, in, unit, &e->status);
  return true;
}

static void run_rows(const eval_ctx *c, ew_call *e, scanc_dtype compute) {
  _Alignas(16) char numbers[MAX_OPERAND][ELEMENT];
  const op_info *op = c->op;
  const tensor *out = &c->out[0];
  rows r;
  rows_init(&r, e->n, out->sizes, out->rank);
  rows_set(&r, 0, out);
  e->lanes[0] = lane_of(out->dtype, kernel_result(op, compute));
  for (int k = 0; k < op->n_operands; k++) {
    scanc_dtype want = wanted(op, k, compute);
    const rval *v = &c->arg[k];
    if (v->kind == TYPE_TENSOR) {
      e->lanes[k + 1] = lane_of(v->t->dtype, want);
      rows_set(&r, k + 1, v->t);
    } else {
      e->lanes[k + 1] = lane_of(want, want);
      number_store(number_of(v), want, numbers[k]);
      rows_set_element(&r, k + 1, numbers[k]);
    }
  }
  if (rows_merge(&r)) rows_each(&r, ew_row, e);
}

bool eval_elementwise(eval_ctx *c) {
  const op_info *op = c->op;
  scanc_dtype compute = elementwise_compute_dtype(op, c->arg);
  ew_call e;
  e.kernel = ew_kernel_of(op->id, compute, c->in->call->fma);
  e.n = 1 + op->n_operands;
  e.status = 0;
  if (!e.kernel)
    return eval_fail(c, SCANC_ERR_UNSUPPORTED, "%s has no meaning for %s", op->name,
                     scanc_dtype_name(compute));
  bool flat =
      (op->n_operands < 3 || tensor_numel(&c->out[0]) < SPREAD) && tensor_contiguous(&c->out[0]);
  if (!flat || !run_flat(c, &e, compute)) run_rows(c, &e, compute);
  if (e.status & KERNEL_DIV_ZERO) eval_data_error(c, "integer division by zero");
  return true;
}
