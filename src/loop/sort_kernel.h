/* Sorting along one dimension, and search in sorted rows, as kernels on strided views, with the
 * order of runtime/eval_sort.c: NaN is the largest number, equal elements keep their order. */
#ifndef SCANC_LOOP_SORT_KERNEL_H
#define SCANC_LOOP_SORT_KERNEL_H

#include "loop/view_kernel.h"

/* Which elements of the sorted row are results. */
typedef enum {
  SORT_FIRST,    /* as many from the first one on as the results have */
  SORT_KTH,      /* number k, from 1 on */
  SORT_MEDIAN,   /* the lower one of the middle; the first NaN if there is one */
  SORT_NANMEDIAN /* the lower one of the middle of those that are no NaN; of none: the first */
} sort_take;

typedef struct {
  sort_take take;
  bool descending;
  bool parallel; /* rows have scratch of their own, so that threads may share them */
  dim k;         /* SORT_KTH */
} sort_op;

/* The type of the elements in scratch. */
scanc_dtype sort_type(scanc_dtype d);

/* Sorts the rows of x, a real one, along its last dimension and puts elements and indices (i64)
 * into y and at (buffer -1: nowhere), whose last dimension is that of the sorted row. Dimensions in
 * front are the same. keys and order: scratch [2, n], of sort_type and i64, with the dimensions in
 * front if f->parallel. Rows of at least one element but for SORT_FIRST. */
void sort_kernel(view_kernel *v, const sort_op *f, const target *t, const nest_view *x,
                 const nest_view *y, const nest_view *at, const nest_view *keys,
                 const nest_view *order);

typedef struct {
  bool right;         /* behind elements that are equal */
  scanc_dtype common; /* that elements are compared in */
} search_op;

/* y[i...] = how many elements of the row come before the one that is sought there, by bisection.
 * sought has the sizes of y; row and sorter (buffer -1: none) have its dimensions, with a stride of
 * 0 where they do not move, and then the one that is sorted, of at least one element. */
void search_kernel(view_kernel *v, const search_op *f, const nest_view *row,
                   const nest_view *sorter, const nest_view *sought, const nest_view *y);

#endif
