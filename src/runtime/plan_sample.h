/* Resampling, windows as columns, and distances as kernels of plans. */
#ifndef SCANC_RUNTIME_PLAN_SAMPLE_H
#define SCANC_RUNTIME_PLAN_SAMPLE_H

#include "runtime/plan_kernel.h"

/* NULL: none of these. */
plan_op_fn plan_sample_of(op_id op);
/* At the points of a grid. */
plan_steps plan_grid_sampler(planner *x, const node *n);

#endif
