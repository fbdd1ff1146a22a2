/* Running sums, products, extrema and log-sum-exps along one dimension as kernels on strided views:
 * one element after the other, lanes along another dimension. */
#ifndef SCANC_LOOP_RUNNING_KERNEL_H
#define SCANC_LOOP_RUNNING_KERNEL_H

#include "loop/view_kernel.h"

typedef struct {
  op_id join;           /* row: add, mul, logaddexp; ge or le for extrema */
  scanc_dtype via, acc; /* elements are converted to `via`, then to `acc`, the type of the state;
                           real: of complex elements that is of each part */
} running_op;

/* y[i..., t] = the state after x[i..., 0] to x[i..., t]. The last dimension is the one that runs,
 * the same in x and the results. Complex elements in products only. Of extrema the last of equal
 * ones counts, and NaN stays until another one comes; their indices go to `at` (i64, NULL:
 * nowhere). */
void running_kernel(view_kernel *v, const running_op *f, const nest_view *x, const nest_view *y,
                    const nest_view *at);

#endif
