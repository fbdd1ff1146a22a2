/* Pooling and its gradients as kernels of plans. */
#ifndef SCANC_RUNTIME_PLAN_POOL_H
#define SCANC_RUNTIME_PLAN_POOL_H

#include "runtime/plan_kernel.h"

/* NULL: none of these. */
plan_op_fn plan_pool_of(op_id op);

#endif
