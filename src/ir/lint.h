/* How lint records violations: for lint.c and the other lint_*.c. */
#ifndef SCANC_IR_LINT_H
#define SCANC_IR_LINT_H

#include "ir/graph.h"

/* Adds a violation at loc, with its source line. Always returns false. */
bool lint_add(const module *m, diagnostics *d, scanc_code code, src_loc loc, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
/* In the order of the lines. */
void lint_sort(diagnostics *d);

/* Known ops, existing attributes, subgraphs with a return, calls of modules. */
bool lint_ops(graph *g, diagnostics *d);
/* Types as inference finds them: operands, element types, arity of subgraphs, annotations. */
bool lint_types(graph *g, diagnostics *d);

#endif
