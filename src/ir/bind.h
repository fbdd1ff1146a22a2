/* Binding: from a call as written (path, positional and keyword arguments) to an op and its
 * operands. */
#ifndef SCANC_IR_BIND_H
#define SCANC_IR_BIND_H

#include "ir/graph.h"

/* Resolves a call of `kind` (CALL_FUNCTION: any spelling; CALL_METHOD: a method name). Returns true
 * and fills `r`; r->op is NULL when the name is unknown to the table. False after an error
 * (recorded in the module): the name is known but the arguments do not fit (OP_ARITY, BAD_ARGUMENT)
 * or no overload accepts them. */
bool bind_call(module *m, node_kind kind, const char *path, const val *args, int n_pos,
               const char *const *kw, int n_kw, src_loc loc, resolution *r);

/* Whether a parameter takes v as PyTorch does: a number may stand for a tensor. */
bool bind_accepts(module *m, const aten_param *p, val v);
/* The overload that computes `op` from these operands (in the order of its signature, VAL_ABSENT
 * where not given), and the operands in the order of row->op's signature in `placed`
 * (MAX_OPERANDS). An overload whose parameters are of the very kinds of the operands is best, then
 * such a one of the same packet (pow of a number is pow_scalar), last one that takes a number as a
 * tensor. NULL: none fits. */
const aten_row *bind_overload(module *m, const op_info *op, const val *operands, val *placed);

#endif
