/* Plain integers in bodies: sizes and what is computed from them. */
#include "loop/body.h"

static grid single(body *b, scanc_dtype d, int value) {
  int *ids = ARENA_ARRAY(b->mem, int, 1);
  *ids = value;
  return (grid){.dtype = d, .v = ids};
}

/* The elementwise row that does on i64 elements what the op does on integers. */
static bool integer_row(op_id op, op_id *out) {
  static const op_id rows[][2] = {
      {OP_sym_add, OP_add}, {OP_sym_sub, OP_sub},     {OP_sym_mul, OP_mul},    {OP_sym_neg, OP_neg},
      {OP_sym_abs, OP_abs}, {OP_sym_max, OP_maximum}, {OP_sym_min, OP_minimum}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i][0] == op) return *out = rows[i][1], true;
  return false;
}

/* A plain integer: known, or a sum, difference or product of others. Anything else is only refused
 * where it is used. */
bool body_integer(body *b, const node *at) {
  op_id row;
  int args[2];
  grid g;
  if (dim_is_int(at->type->i)) {
    g = single(b, SCANC_I64, body_const(b, val_int(at->type->i.k), SCANC_I64));
    body_set(b, at, &g, 1);
    return true;
  }
  if (!at->op || !integer_row(at->op->id, &row)) return true;
  for (int k = 0; k < at->op->n_operands; k++) {
    val v = at->operands[k];
    const node_value *x = v.kind == VAL_NODE ? &b->of[v.node->id] : NULL;
    if (v.kind == VAL_INT) args[k] = body_const(b, v, SCANC_I64);
    else if (x && x->known && x->n == 1 && x->g->dtype == SCANC_I64 &&
             !type_is_tensor(v.node->type))
      args[k] = x->g->v[0];
    else return true;
  }
  g = single(b, SCANC_I64, body_op(b, row, SCANC_I64, args, at->name));
  body_set(b, at, &g, 1);
  return true;
}
