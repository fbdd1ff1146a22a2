/* What of the body of a loop need not be done in every iteration. */
#ifndef SCANC_RUNTIME_PLAN_AHEAD_H
#define SCANC_RUNTIME_PLAN_AHEAD_H

#include "runtime/plan.h"

/* Marks, per node id, what the loop has to compute in every iteration: `varies` has the parameters
 * that differ. Places of results are known. */
void plan_find_varying(const planner *x, const graph *g, bool *varies);
/* Bytes of the products in a step of a scan's body that could be done ahead of its loop: of slices
 * of xs with what is the same in every step. 0: none, or not known. */
int64_t plan_bytes_ahead(const graph *g, int n_state, int n_x);

#endif
