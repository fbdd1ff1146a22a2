/* Sums of products in plans. */
#ifndef SCANC_RUNTIME_PLAN_PRODUCT_H
#define SCANC_RUNTIME_PLAN_PRODUCT_H

#include "loop/product.h"
#include "runtime/plan_kernel.h"

/* The steps of a sum of products for n: copies of operands where they pay, and kernels. p changes.
 * False: there is no plan. */
bool plan_product(planner *x, const node *n, product *p);
/* Whether p, which has a group that goes on with its elements, is small enough as one kernel. */
bool plan_takes_after(const planner *x, const product *p);

/* Called before a loop is opened, for the calls of its body: copies what every iteration multiplies
 * with and would have to read across its order. varies: per node id, the values that are not the
 * same in every iteration. False: there is no plan. */
bool plan_pack_ahead(planner *x, const node *n, const bool *varies);
/* Puts the copy in the place of a view that there is one of. Entries of x->packed are valid until
 * their loop is closed. */
void plan_use_packed(const planner *x, nest_view *v);

bool plan_is_matmul(op_id op); /* mm, bmm, mv, dot, matmul */
/* mm, bmm, mv, dot, matmul, convolution; NULL: another operator. */
plan_op_fn plan_product_of(op_id op);
/* Whether n is a product of matrices or vectors that could be done for all steps of a loop at once.
 */
bool plan_has_product_ahead(const node *n);
/* Steps ahead of the loop: the results for `steps` of its operands k that lie `stride` elements
 * from one to the next, the first of which is `slice`, and one other operand. They go to *all:
 * [steps,
 * ...], contiguous. False: there is no plan. */
bool plan_product_ahead(planner *x, const node *n, int k, const nest_view *slice, dim steps,
                        dim stride, nest_view *all);
plan_steps plan_convolution(planner *x, const node *n); /* plan_conv.c */
plan_steps plan_convolution_backward(planner *x, const node *n);

#endif
