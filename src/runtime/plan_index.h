/* Operators that index by tensors as kernels of plans. */
#ifndef SCANC_RUNTIME_PLAN_INDEX_H
#define SCANC_RUNTIME_PLAN_INDEX_H

#include "runtime/plan_kernel.h"

/* NULL: none of these that read; that write (plan_scatter.c). */
plan_op_fn plan_gather_of(op_id op);
plan_op_fn plan_scatter_of(op_id op);
/* select_scatter and slice_scatter from a number in memory on. */
plan_steps plan_scatter_at_cell(planner *x, const node *n);

/* ---- what these share ---- */

enum { MAX_INDICES = 6 }; /* tensors of one call */

/* Elements of a tensor, chosen by indices, over a space of points. All views have the sizes of the
 * space; a dimension along which one does not move has stride 0. */
typedef struct {
  nest_view space; /* sizes only */
  nest_view whole; /* the tensor along its dimensions that are not indexed */
  int n;
  nest_view index[MAX_INDICES];
  dim extent[MAX_INDICES], stride[MAX_INDICES]; /* of the tensor along the indexed dimensions */
  bool wrap;                                    /* negative indices count from the end */
} indexing;

/* Each fills in all of it, or returns false: no kernel. Nothing is made but guards. */

/* whole[..., i, ...] along the axis, with an index for every point. */
bool index_axis(planner *x, const nest_view *whole, int axis, const nest_view *index, indexing *r);
/* whole[..., index[i], ...]: the points have the sizes of the tensor but along the axis. */
bool index_vector(planner *x, const nest_view *whole, int axis, const nest_view *index,
                  indexing *r);
/* whole[..., i, ...] with an index that may count from the end; the dimension goes with one that
 * has none. */
bool index_part(planner *x, const nest_view *whole, int axis, const nest_view *index, indexing *r);
/* whole[i], of one dimension, with an index for every point. */
bool index_flat(planner *x, const nest_view *whole, const nest_view *index, bool wrap, indexing *r);
/* table[i, ...]: the points are those of the index, then those of a row. */
bool index_rows(planner *x, const nest_view *table, const nest_view *index, indexing *r);
/* whole[list of tensors and None]. */
bool index_list(planner *x, const node *n, const nest_view *whole, val list, indexing *r);

/* Buffers and values of an indexing in a kernel. */
typedef struct {
  int buffer[MAX_INDICES];
  int extent_of;              /* the buffer of the tensor */
  int value[MAX_INDICES + 1]; /* from 1 on: the checked indices; before: any value */
} index_values;

/* The elements as the value of n. */
plan_steps plan_gather_points(planner *x, const node *n, indexing *r);

/* A buffer of the view that has the dimensions in which it moves, followed by those of the indices,
 * which begin with argument `first` of the statements; r NULL: none. */
int index_buffer(view_kernel *v, const char *name, buffer_space space, const nest_view *view,
                 const int *axis, const indexing *r, int first);
/* Buffers of the indices. */
void index_open(view_kernel *v, const node *n, const indexing *r, const int *axis, int whole,
                index_values *out);
/* Loads and checks them. */
void index_load(view_kernel *v, stmt_list *where, const indexing *r, index_values *out);

#endif
