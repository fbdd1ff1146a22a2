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
plan_steps plan_convolution(planner *x, const node *n); /* plan_conv.c */

#endif
