/* Matrix products. Every element is the sum over k in rising order, so its bits depend on its row,
 * its column and K only, never on the other rows and columns. */
#ifndef SCANC_RUNTIME_GEMM_H
#define SCANC_RUNTIME_GEMM_H

#include "base/arena.h"
#include "base/err.h"
#include "scanc/scanc.h"

/* c[m, n] = sum over k of a[m, k] * b[k, n]. Strides count elements. */
typedef struct {
  int64_t m, n, k;
  const void *a, *b;
  int64_t a_row, a_col, b_row, b_col; /* steps from row to row and from column to column */
  void *c;
  int64_t c_row, c_col;
} gemm;

/* dtype is F32, F64, I64 (wraps), C64 or C128; all three matrices have it. tmp: scratch. */
void gemm_run(const gemm *g, scanc_dtype dtype, arena *tmp);
#endif
