/* Builder calls: one per op, at a cursor. A value is a node; NULL is the invalid value, which every
 * call passes on (the error sticks in the module). Composite rows of ops.def are written with these
 * (passes/decompose.c). */
#ifndef SCANC_IR_BUILD_H
#define SCANC_IR_BUILD_H

#include "ir/graph.h"

/* The op `op` with operands in the order of its signature; a VAL_ABSENT operand takes the default.
 * Spelled as the first row of aten.def that computes the op. Returns NULL when an operand is
 * invalid or inference fails. */
node *build_op(cursor *c, op_id op, const val *operands, int n);

/* val from a node (or NULL), for building operand lists. */
static inline val V(node *n) { return n ? val_node(n) : val_absent(); }

/* build_<op>(cursor, a, b...) for every elementwise op: operands as vals, so numbers may stand for
 * tensors. */
#define EW1(name, ...) node *build_##name(cursor *c, val a);
#define EW2(name, ...) node *build_##name(cursor *c, val a, val b);
#define EW3(name, ...) node *build_##name(cursor *c, val a, val b, val d);
#define EW4(name, ...) node *build_##name(cursor *c, val a, val b, val d, val e);
#define SYM(name, ...)
#define COMP(name, ...)
#define OP(name, ...)
#include "ir/ops.def"

/* Structural ops that decompositions and passes need often; the rest go through build_op. */
node *build_to(cursor *c, val a, scanc_dtype d);
node *build_getitem(cursor *c, node *tuple, int i);
node *build_sum(cursor *c, val a, val dims, bool keepdim);
node *build_mean(cursor *c, val a, val dims, bool keepdim);
node *build_amax(cursor *c, val a, val dims, bool keepdim);
node *build_reshape(cursor *c, val a, val sizes);
node *build_expand(cursor *c, val a, val sizes);
node *build_permute(cursor *c, val a, const int *perm, int rank);
node *build_unsqueeze(cursor *c, val a, int axis);
node *build_squeeze(cursor *c, val a, int axis);
node *build_select(cursor *c, val a, int axis, val index);
node *build_slice(cursor *c, val a, int axis, val start, val end, val step);
node *build_cat(cursor *c, const val *items, int n, int axis);
node *build_matmul(cursor *c, val a, val b);
node *build_full(cursor *c, val sizes, val value, scanc_dtype d);
node *build_clone(cursor *c, val a);
/* Sizes of a value as a list val; symbolic ones become sym_size nodes. */
val build_sizes(cursor *c, node *a);
val build_size(cursor *c, node *a, int axis);

#endif
