/* Sums of products in plans. */
#ifndef SCANC_RUNTIME_PLAN_PRODUCT_H
#define SCANC_RUNTIME_PLAN_PRODUCT_H

#include "loop/product.h"
#include "runtime/plan_kernel.h"

/* The steps of a sum of products for n: copies of operands where they pay, and kernels. p changes.
 * False: there is no plan. */
bool plan_product(planner *x, const node *n, product *p);

/* mm, bmm, mv, dot, matmul, convolution; NULL: another operator. */
plan_op_fn plan_product_of(op_id op);
bool plan_is_product(const node *n); /* of matrices or vectors */
/* Steps ahead of a loop in which n is: its results for `steps` left operands at once, that lie
 * `stride` elements from one to the next, the first of which is `a`; the right one is the same for
 * all. They go to *all: [steps, ...], contiguous. */
bool plan_product_ahead(planner *x, const node *n, const nest_view *a, dim steps, dim stride,
                        nest_view *all);
/* A copy ahead of a loop of operand k of the product n, for whatever uses it, where its lanes do
 * not lie side by side. */
bool plan_pack_ahead(planner *x, const node *n, int k);
plan_steps plan_convolution(planner *x, const node *n); /* plan_conv.c */

#endif
