/* Host ops over strided operands: one call of the function per element. */
#include "ir/convert.h"
#include "ir/host_op.h"
#include "runtime/eval.h"
#include "runtime/rows.h"

static void call_row(void *ctx, int64_t n, char *const *data, const int64_t *strides) {
  host_fn_call(ctx, n, data[0], strides[0], (const char *const *)data + 1, strides + 1);
}

bool eval_host_call(eval_ctx *c) {
  _Alignas(8) char numbers[HOST_MAX_OPERANDS][8];
  host_arg args[HOST_MAX_OPERANDS];
  rows r;
  for (int k = 0; k < c->n_arg; k++) {
    const rval *v = &c->arg[k];
    args[k].tensor = v->kind == TYPE_TENSOR;
    if (args[k].tensor) args[k].dtype = v->t->dtype;
    else args[k].cls = eval_number(c, k).cls;
  }
  const host_fn *f = host_op_select(c->op, args); /* inference has found it */
  rows_init(&r, 1 + c->n_arg, c->out[0].sizes, c->out[0].rank);
  rows_set(&r, 0, &c->out[0]);
  for (int k = 0; k < c->n_arg; k++) {
    if (args[k].tensor) {
      rows_set(&r, k + 1, c->arg[k].t);
      continue;
    }
    number_store(eval_number(c, k), f->operand[k], numbers[k]);
    rows_set_element(&r, k + 1, numbers[k]);
  }
  if (rows_merge(&r)) rows_each(&r, call_row, (void *)f);
  return true;
}
