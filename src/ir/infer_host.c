/* Result types of host ops. */
#include "ir/host_op.h"
#include "ir/infer.h"

static bool describe_args(infer_ctx *c, host_arg *args) {
  bool tensors = false;
  for (int k = 0; k < c->op->n_operands; k++) {
    const type *t = c->arg[k];
    if (type_is_tensor(t)) args[k] = (host_arg){.tensor = true, .dtype = t->dtype};
    else if (type_is_scalar(t)) args[k] = (host_arg){.cls = infer_number_class(t)};
    else {
      str got = {0};
      type_describe(&got, t);
      infer_fail(c, SCANC_ERR_BAD_ARGUMENT,
                 "argument '%s' of %s: expected a tensor or a number, got %.120s",
                 op_operand_name(c->op, k), c->op->name, str_cstr(&got));
      str_free(&got);
      return false;
    }
    tensors = tensors || args[k].tensor;
  }
  return tensors || infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "%s: expected a tensor, got numbers only",
                               c->op->name);
}

static void no_function(infer_ctx *c, const host_arg *args) {
  str want = {0}, got = {0};
  host_op_describe(&want, c->op);
  for (int k = 0; k < c->op->n_operands; k++) {
    const host_arg *a = &args[k];
    str_printf(&got, "%s%s", k ? ", " : "",
               a->tensor       ? scanc_dtype_name(a->dtype)
               : a->cls == 'b' ? "a bool"
               : a->cls == 'i' ? "an integer"
               : a->cls == 'f' ? "a float"
                               : "a complex number");
  }
  infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "%s: expected %.200s, got (%.200s)", c->op->name,
             str_cstr(&want), str_cstr(&got));
  str_free(&want);
  str_free(&got);
}

const host_fn *infer_host_fn(infer_ctx *c) {
  host_arg args[HOST_MAX_OPERANDS];
  if (!describe_args(c, args)) return NULL;
  const host_fn *f = host_op_select(c->op, args);
  if (!f) no_function(c, args);
  return f;
}

const type *infer_host_call(infer_ctx *c) {
  const host_fn *f = infer_host_fn(c);
  return f ? infer_broadcast_all(c, f->result) : NULL;
}
