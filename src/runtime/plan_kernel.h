/* Steps of plans that are kernels on strided views (loop/view_kernel.h), and the operators that
 * have such kernels. */
#ifndef SCANC_RUNTIME_PLAN_KERNEL_H
#define SCANC_RUNTIME_PLAN_KERNEL_H

#include "loop/view_kernel.h"
#include "runtime/plan.h"

typedef enum {
  STEPS_MADE,
  STEPS_NONE,   /* nothing was done: the node has no kernel and is a step of the host's */
  STEPS_REFUSED /* there is no plan; the reason is told */
} plan_steps;

/* Makes the steps of a call of an operator and gives the node its value. */
typedef plan_steps (*plan_op_fn)(planner *x, const node *n);
/* NULL: the operator has no kernel of its own. */
plan_op_fn plan_op_of(const op_info *op);

/* A kernel for expressions of the plan. */
view_kernel plan_kernel(planner *x, const char *name);
/* Appends a step for n that calls the kernel. Its loops get a schedule if none is bound to lanes
 * yet, and are cut for threads; its buffers are marked as used and its faults become the plan's.
 * False: there is no plan. */
bool plan_add_kernel(planner *x, const node *n, const view_kernel *v);
/* The same for a step that is left out when *needs is 0 (NULL: never). */
bool plan_add_kernel_if(planner *x, const node *n, const view_kernel *v, const dim *needs);

target plan_target(const planner *x); /* the CPU level of the program */

/* An operand of known integers, one per axis: a list of n, or one that stands for all; dflt where
 * it is absent or empty. */
bool plan_numbers(val v, int n, int64_t dflt, int64_t *out);
/* The view of an operand that is a tensor. */
bool plan_tensor(planner *x, const node *n, int operand, nest_view *out);
/* Dimension d of v has that size whenever the plan runs, and is given it. False: never. */
bool plan_same_size(planner *x, nest_view *v, int d, dim size);
/* A step that makes `to` equal to `from`, converted to the type of `to`; the sizes are the same and
 * the two share no memory (loop/copy.h). */
bool plan_copy(planner *x, const node *n, const nest_view *from, const nest_view *to);

#endif
