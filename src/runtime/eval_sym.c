/* Arithmetic on plain numbers at run time. */
#include "ir/number_op.h"
#include "runtime/eval.h"

enum { MAX_ITEMS = 64 };

static int operands(const eval_ctx *c, number *v) {
  const rval *items = c->arg;
  int n = c->n_arg;
  if (c->op->id == OP_sym_sum && n == 1 && c->arg[0].kind == TYPE_LIST) {
    items = c->arg[0].items;
    n = c->arg[0].n < MAX_ITEMS ? c->arg[0].n : MAX_ITEMS;
  }
  eval_ctx one = *c;
  for (int k = 0; k < n; k++) {
    one.arg = &items[k];
    v[k] = eval_number(&one, 0);
  }
  return n;
}

bool eval_sym(eval_ctx *c) {
  number v[MAX_ITEMS], r;
  int n = operands(c, v);
  switch (number_op(c->op->id, v, n, &r)) {
    case NUMBER_OK: break;
    case NUMBER_DIV_ZERO: eval_data_error(c, "division by zero"); break;
    case NUMBER_UNDEFINED:
      return eval_fail(c, SCANC_ERR_BAD_ARGUMENT, "%s: no 64-bit result for these operands",
                       c->op->name);
  }
  *c->scalar_out = (rval){.kind = r.cls == 'f' ? TYPE_FLOAT : r.cls == 'b' ? TYPE_BOOL : TYPE_INT};
  if (r.cls == 'f') c->scalar_out->f = r.f;
  else c->scalar_out->i = r.i;
  return true;
}
