/* Sizes that a plan counts on: what annotations vouch for is checked when the plan runs. */
#include "ir/infer.h"
#include "runtime/plan.h"

/* The type that inference gives n by itself, in the plan's table; NULL: it fails. */
static const type *inferred(planner *x, const node *n) {
  module scratch = {.mem = x->tmp, .syms = x->syms}; /* for the types of literals */
  const type *args[MAX_OPERANDS];
  scanc_error err = {0};
  for (int k = 0; k < n->op->n_operands; k++)
    args[k] = type_import(x->tmp, x->syms, val_type(&scratch, n->operands[k]));
  infer_ctx c = {.mem = x->tmp,
                 .syms = x->syms,
                 .op = n->op,
                 .arg = args,
                 .lenient = true,
                 .err = &err,
                 .loc = n->loc,
                 .what = n->name};
  const type *t = infer_op(&c);
  return err.code ? NULL : t;
}

static bool same_sizes(planner *x, const type *a, const type *b) {
  if (!type_is_tensor(a) || !type_is_tensor(b)) return true;
  if (a->n != b->n) return false;
  for (int d = 0; d < a->n; d++)
    if (!plan_require_equal(x, a->dims[d], b->dims[d])) return false;
  return true;
}

static bool not_negative(planner *x, const type *t) {
  for (int d = 0; type_is_tensor(t) && d < t->n; d++) {
    int64_t min, max;
    dim_bounds(x->syms, t->dims[d], &min, &max);
    if (min < 0 && !plan_require(x, t->dims[d])) return false;
  }
  return true;
}

bool plan_sizes_hold(planner *x, const node *n) {
  const type *t = type_import(x->tmp, x->syms, n->type);
  if (n->op->traits & T_BODY) return true; /* its results have no annotations of their own */
  if (!not_negative(x, t)) return false;
  if (!type_is_tensor(t)) return true;
  const type *own = inferred(x, n);
  return own && same_sizes(x, own, t);
}
