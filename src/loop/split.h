/* Kernels cut for threads: every part of a kernel (a loop of its body) is cut along one of its
 * parallel axes. Piece i of n of all parts together is one call of the same kernel, with pointers
 * moved and fewer points. Points of a parallel axis are independent, so n changes no result. */
#ifndef SCANC_LOOP_SPLIT_H
#define SCANC_LOOP_SPLIT_H

#include "loop/loop.h"

typedef struct {
  int axis;      /* of the kernel; its extent is an integer parameter */
  int64_t grain; /* points; all pieces but the last are multiples of it */
  int *factor;   /* axes whose extents tell the number of points */
  int n_factors;
  int64_t picoseconds; /* per point, roughly */
} split_part;

/* Where one buffer starts in a piece: `bytes` per point of the axis, times a stride. */
typedef struct {
  int part; /* index in `part`, -1: it does not move */
  lexpr stride;
  int64_t size; /* of an element, bytes */
} split_buffer;

typedef struct kernel_split {
  split_part *part;
  int n_part;
  split_buffer *buffer; /* per buffer of the kernel */
} kernel_split;

/* Work that pays for waking a thread. */
enum { SPLIT_PICOSECONDS = 20 * 1000 * 1000 };

/* How to cut k for that many threads, or NULL: some part has no parallel axis with enough points.
 * Changes k: the extents of the axes that are cut become parameters. k is scheduled. */
kernel_split *split_make(kernel *k, int threads);

/* What an element costs in a kernel that has one loop: an associative scan of one row. */
int64_t split_cost(const kernel *k);

/* Makes the arguments of a call of k those of piece i of n. What is emitted for entries does the
 * same. */
void split_piece(const kernel *k, const kernel_split *s, int32_t i, int32_t n, void **bufs,
                 int64_t *ints);

#endif
