/* Numbers that only the data tell, and indices that are such numbers, in plans. */
#ifndef SCANC_RUNTIME_PLAN_CELL_H
#define SCANC_RUNTIME_PLAN_CELL_H

#include "runtime/plan_kernel.h"

/* A node whose value is a number: an element of a tensor, arithmetic on numbers. Gives it a cell.
 */
plan_steps plan_number(planner *x, const node *n);
/* NULL: none of assertions about numbers, and of views that begin at a number in memory. */
plan_op_fn plan_cell_of(op_id op);
/* The indices from operand k on, a cell: count of them, or (-1) one without a dimension. False: it
 * is no cell, and nothing was done, or there is no plan. */
bool plan_cell_index(planner *x, const node *n, int k, int64_t count, nest_view *index);
/* Reads a known number, a size, a number that is an input, or a cell in a kernel, as an i64, a bool
 * or an f64; false: it is none of these. */
bool plan_cell_load(planner *x, view_kernel *v, stmt_list *where, val operand, int *value);
/* A step of n that stores such a number in a cell, converted to its type. False: it is none of
 * these, or there is no plan. */
bool plan_cell_store(planner *x, const node *n, val given, const nest_view *cell);
/* Whether the value is such a number, none (0), or a tensor without dimensions. */
bool plan_is_scalar(const planner *x, val v);
/* Reads it in a kernel, converted to d as the interpreter does; of a complex d a part. */
int plan_scalar(planner *x, view_kernel *v, stmt_list *where, val given, scanc_dtype d, int part);
/* A data error of n that a kernel may find. Returns its number there. */
int plan_fault(view_kernel *v, const node *n, const char *what);
/* One if the value, a bool, is true. */
void plan_fail_if(view_kernel *v, stmt_list *where, int bad, const node *n, const char *what);

#endif
