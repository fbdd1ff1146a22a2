/* Operators with runs of elements whose lengths only the data tell, as kernels of plans: repeats,
 * bags of embeddings. */
#ifndef SCANC_RUNTIME_PLAN_BAG_H
#define SCANC_RUNTIME_PLAN_BAG_H

#include "runtime/plan_kernel.h"

/* NULL: none of these. */
plan_op_fn plan_bag_of(op_id op);

#endif
