/* Running sums and the like as kernels of plans. */
#ifndef SCANC_RUNTIME_PLAN_RUNNING_H
#define SCANC_RUNTIME_PLAN_RUNNING_H

#include "runtime/plan_kernel.h"

/* NULL: none. */
plan_op_fn plan_running_of(op_id op);

#endif
