/* Helpers that the rules for reductions share with those for norms, losses and products. */
#ifndef SCANC_IR_INFER_REDUCE_H
#define SCANC_IR_INFER_REDUCE_H

#include "ir/infer.h"

/* The type that is left of t with the given axes reduced. */
const type *infer_reduced(infer_ctx *c, const type *t, const bool *reduced, bool keepdim,
                          scanc_dtype d);
/* An error unless t is floating point (or complex, if allowed); `what` is how t is called in the
 * message. */
bool infer_need_float(infer_ctx *c, const type *t, const char *what, bool complex_too);
/* A tensor of the shape of t with another dtype. */
const type *infer_shaped_as(infer_ctx *c, const type *t, scanc_dtype d);
/* The tuple (a, b) or (a, b, d); NULL if one is missing. */
const type *infer_pair(infer_ctx *c, const type *a, const type *b);
const type *infer_triple(infer_ctx *c, const type *a, const type *b, const type *d);
/* Sizes of a and b broadcast against each other; an error if they do not go together. */
bool infer_broadcast_two(infer_ctx *c, const type *a, const type *b, dim *dims, int *rank);
/* An error unless both dtypes are the same. */
bool infer_same_dtype(infer_ctx *c, const type *a, const type *b);

#endif
