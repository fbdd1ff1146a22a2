/* Operators that only move elements, or make them from indices, as kernels of plans: copies of
 * pieces, triangles, ranges. */
#ifndef SCANC_RUNTIME_PLAN_MOVE_H
#define SCANC_RUNTIME_PLAN_MOVE_H

#include "runtime/plan_kernel.h"

/* NULL: none of these. */
plan_op_fn plan_move_of(op_id op);
plan_steps plan_pad(planner *x, const node *n); /* plan_pad.c */
plan_steps plan_roll(planner *x, const node *n);
/* Of those made from indices (plan_create.c). */
plan_op_fn plan_create_of(op_id op);

/* ---- what these share ---- */

/* A step that makes all elements of `to` the number, one that plan_is_scalar allows, converted. */
bool plan_fill(planner *x, const node *n, const nest_view *to, val number);
/* Whether the value is a number that is known, or none: then 0. */
bool plan_is_number(val v);
/* Such a number in a kernel, converted to d as the interpreter does; of a complex one a part. */
int plan_constant(view_kernel *v, stmt_list *where, val given, scanc_dtype d, int part);
/* Gives the node a result of its own; a pair of them. */
nest_view plan_tensor_result(planner *x, const node *n);
void plan_pair_result(planner *x, const node *n, nest_view *a, nest_view *b);
/* The sizes of a tensor as a contiguous view of no buffer: to find out what there is to do before
 * anything is made. */
nest_view plan_sizes_of(planner *x, const type *t);
/* Whether a size is known to be 0. */
bool plan_is_empty(const nest_view *v);
/* v with the sizes of `to`: dimensions of size 1 and missing ones stand still. False: never. */
bool plan_broadcast(planner *x, nest_view *v, const nest_view *to);
/* v as one dimension in row-major order, copied where its strides do not express that. */
bool plan_flatten(planner *x, const node *n, nest_view *v);
/* Where a result is computed as one dimension, *flat, in row-major order: `to`, or, where strides
 * do not express that, memory that is to be copied there. */
nest_view plan_flat_home(planner *x, const nest_view *to, nest_view *flat);
/* An axis operand of a tensor of that rank; absent: 0. */
bool plan_axis(const node *n, int operand, int rank, int *axis);

#endif
