/* Arithmetic on sizes that several shape rules share. Not rules themselves. */
#ifndef SCANC_IR_SHAPE_H
#define SCANC_IR_SHAPE_H

#include "ir/infer.h"

/* "[2, s0, -1]" in c->mem, for messages. */
const char *shape_text(infer_ctx *c, const dim *d, int n);
/* Replaces the one -1 among size[0..n) so that the product is that of have[0..n_have), or checks
 * the product. */
bool shape_resolve(infer_ctx *c, const dim *have, int n_have, dim *size, int n);
/* Permutation that moves axes from[i] to places to[i]; the others keep their order. */
void shape_movedim(int rank, const int *from, const int *to, int n, int *perm);
/* Number of elements of start:end:step in an extent, after clamping; *start is the clamped start.
 */
dim shape_slice(infer_ctx *c, dim extent, dim *start, dim end, dim step);
/* A size that only the data decide: a symbol of its own. */
dim shape_fresh(infer_ctx *c);
/* x with size d on `axis`. */
const type *shape_replace(infer_ctx *c, const type *x, int axis, dim d);
/* A list of n tensors of x's type, with sizes size[i] on the axis. */
const type *shape_list(infer_ctx *c, const type *x, int axis, const dim *size, int n);
/* True when the sizes of src broadcast to those of dst; records an error otherwise. */
bool shape_broadcasts(infer_ctx *c, const type *src, const dim *dst, int rank);

/* Operand k as an index into an axis: range-checked where both are known. */
bool shape_index_arg(infer_ctx *c, int k, dim extent, dim *index);
/* Operands k.. as axis, start, end, step of a slice of x. */
bool shape_slice_args(infer_ctx *c, int k, const type *x, int *axis, dim *length);
/* Operands k.. as offset and two axes: the diagonal's axes and length. */
bool shape_diagonal_args(infer_ctx *c, int k, const type *x, int *a, int *b, dim *length);
/* Operands k.. as sizes, strides and offset of a view that stays inside x's elements. */
const type *shape_as_strided(infer_ctx *c, int k, const type *x);
/* x without the axis. */
const type *shape_drop(infer_ctx *c, const type *x, int axis);
/* True when the sizes agree one by one; records an error otherwise. */
bool shape_same(infer_ctx *c, const type *t, const dim *size, int rank);

#endif
