/* Arithmetic on plain numbers as Python does it: the meaning of the SYM rows of ops.def, for
 * inference (when all operands are known) and for the interpreter. */
#ifndef SCANC_IR_NUMBER_OP_H
#define SCANC_IR_NUMBER_OP_H

#include "ir/convert.h"
#include "ir/op.h"

typedef enum {
  NUMBER_OK,
  NUMBER_DIV_ZERO, /* *out is what a divisor of 1 gives */
  NUMBER_UNDEFINED /* no meaning: overflow of 64 bits, a function outside its domain, complex
                      operands */
} number_status;

/* Operands of `op` in order; sym_sum takes any number of them. Classes 'b', 'i' and 'f'. */
number_status number_op(op_id op, const number *a, int n, number *out);

#endif
