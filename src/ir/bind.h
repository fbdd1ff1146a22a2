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

#endif
