/* Reductions as kernels of plans. */
#ifndef SCANC_RUNTIME_PLAN_REDUCE_H
#define SCANC_RUNTIME_PLAN_REDUCE_H

#include "runtime/plan_kernel.h"

bool plan_is_fold(op_id op); /* a reduction to one element: sum, mean, prod, amax, amin, any, all */
/* NULL: no reduction. */
plan_op_fn plan_reduction_of(op_id op);

#endif
