/* Going over the elements of several strided arrays of one shape at once: adjacent dimensions are
 * merged where every array allows it, then a function gets one innermost row after the other. */
#ifndef SCANC_RUNTIME_ROWS_H
#define SCANC_RUNTIME_ROWS_H

#include "runtime/tensor.h"

enum { ROWS_MAX = 9 }; /* arrays */

typedef struct {
  int n, rank;
  int64_t sizes[SCANC_MAX_RANK];
  int64_t strides[ROWS_MAX][SCANC_MAX_RANK]; /* in bytes */
  char *data[ROWS_MAX];
} rows;

/* For n arrays of shape sizes[0..rank), to be set next. */
static inline void rows_init(rows *r, int n, const int64_t *sizes, int rank) {
  r->n = n;
  r->rank = rank;
  for (int d = 0; d < rank; d++) r->sizes[d] = sizes[d];
}

/* Array k is tensor t, broadcast to the shape. */
void rows_set(rows *r, int k, const tensor *t);
/* Array k is one element, the same everywhere. */
void rows_set_element(rows *r, int k, void *p);
/* Merges dimensions; returns the number of elements. */
int64_t rows_merge(rows *r);
/* After rows_merge gave more than 0: calls fn once per innermost row with its n elements, where
 * each array's row starts, and the strides in bytes. */
void rows_each(const rows *r,
               void (*fn)(void *ctx, int64_t n, char *const *data, const int64_t *strides),
               void *ctx);

#endif
