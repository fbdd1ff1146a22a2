/* Facts about view ops. */
#ifndef SCANC_PASSES_VIEW_H
#define SCANC_PASSES_VIEW_H

#include "ir/graph.h"

/* For permute, transpose, t, T, mT and movedim of a tensor of known rank: dimension i of the result
 * is dimension perm[i] of the operand. False for other nodes. */
bool view_permutation(const node *n, int *perm);
/* The axis of an operand, wrapped; false if it is not a constant in range. */
bool view_axis(val v, int rank, int *axis);

#endif
