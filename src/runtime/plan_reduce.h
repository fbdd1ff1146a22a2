/* Reductions as kernels of plans. */
#ifndef SCANC_RUNTIME_PLAN_REDUCE_H
#define SCANC_RUNTIME_PLAN_REDUCE_H

#include "runtime/plan_kernel.h"

/* NULL: no reduction. */
plan_op_fn plan_reduction_of(op_id op);

#endif
