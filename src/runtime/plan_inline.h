/* Groups of elementwise nodes that take no step of their own: what only a reduction or product
 * reads is computed as it reads it, what only a group reads of a product or reduction never leaves
 * the registers. */
#ifndef SCANC_RUNTIME_PLAN_INLINE_H
#define SCANC_RUNTIME_PLAN_INLINE_H

#include "loop/inline_group.h"
#include "runtime/plan_kernel.h"

/* Whether a group may go on with each element of the operator's result before it is stored. */
bool plan_goes_on(op_id op);
/* The value that operand k of n is, for a matrix product also one that it is a permutation of;
 * NULL. */
node *plan_operand_item(const node *n, int k);
/* Makes no step for n now if it is left to what reads it, and says so. */
bool plan_leave(planner *x, const node *n);
/* The steps of n, which is a group with a kernel or an operator with kernels, together with what
 * was left to it. NONE: what was left has its steps, n has not. */
plan_steps plan_together(planner *x, node *n);

/* For the kernels of a step that is being made (x->before, x->after), its views as far as it has
 * some; NULL: none. */
typedef struct plan_inline {
  const node *group;
  group_inline g;
  nest_view element; /* before: what is read of it, as if it were an array */
} plan_inline;

/* Sizes and strides as if the value lay in memory of its own; in no buffer. */
nest_view plan_as_array(planner *x, const type *t);
/* The last step is one of x->before and x->after, too. */
void plan_note_with(planner *x);

#endif
