/* Operators that sort, select by order or search as kernels of plans. */
#ifndef SCANC_RUNTIME_PLAN_SORT_H
#define SCANC_RUNTIME_PLAN_SORT_H

#include "runtime/plan_kernel.h"

/* NULL: none of these. */
plan_op_fn plan_sort_of(op_id op);

#endif
