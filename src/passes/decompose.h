/* Composite ops: each COMP row of ops.def is expanded into other ops by one function. The driver
 * (decompose.c) repeats until no composite is left, so a body may use composites itself, as long as
 * that ends. */
#ifndef SCANC_PASSES_DECOMPOSE_H
#define SCANC_PASSES_DECOMPOSE_H

#include "ir/build.h"
#include "ir/graph.h"

/* decompose_<name>(c, n): creates the nodes that compute n at the cursor (which stands before n),
 * from n->operands, and returns the value that replaces n: a node for one result; for several a
 * VAL_TUPLE, whose items replace the getitems of n. The result has the type of n. VAL_ABSENT:
 * failed; an error is recorded in the module, or the driver reports UNSUPPORTED. n itself is left
 * alone. */
#define EW1(name, ...)
#define EW2(name, ...)
#define EW3(name, ...)
#define EW4(name, ...)
#define SYM(name, ...)
#define COMP(name, ...) val decompose_##name(cursor *c, node *n);
#define OP(name, ...)
#include "ir/ops.def"

/* ---- masks (decompose_mask.c) ---- */

/* What a call of index_put that writes where one mask is true gives, as a choice between elements;
 * NULL: it is none, or what it writes depends on how many are chosen. Made at the cursor. */
node *decompose_masked_write(cursor *c, node *n);
/* Whether n does nothing but assert what always holds of how many elements a mask chooses. */
bool decompose_counts(const node *n);

#endif
