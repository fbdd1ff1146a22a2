/* Associative folds over rows of elements, in a fixed order: within a block of FOLD_BLOCK elements,
 * element i goes to lane i % FOLD_LANES and the lanes are combined as a tree; block results are
 * combined pairwise. So the order depends on the number of elements only, whether rows or columns
 * are folded and whatever the strides. */
#ifndef SCANC_RUNTIME_FOLD_H
#define SCANC_RUNTIME_FOLD_H

#include "scanc/scanc.h"

enum { FOLD_LANES = 8, FOLD_BLOCK = 128, FOLD_LEVELS = 60, FOLD_COLUMNS = 64 };

typedef enum { FOLD_SUM, FOLD_PROD, FOLD_MAX, FOLD_MIN } fold_kind;

/* Works on elements of type acc. */
typedef struct {
  scanc_dtype acc;
  size_t size;
  void (*fill)(void *p, int64_t n);                /* with the identity */
  void (*join)(void *a, const void *x, int64_t n); /* a[i] = a[i] op x[i] */
  void (*block)(void *out, const void *x,
                int64_t n);                       /* one value from n <= FOLD_BLOCK adjacent ones */
  void (*divide)(void *p, int64_t n, int64_t by); /* p[i] /= by; sums of floats only */
  /* first[i], index[i]: the extremum so far and where; x is row `row`. Ties keep the earlier, NaN
   * wins. MAX, MIN only */
  void (*arg)(void *first, int64_t *index, const void *x, int64_t n, int64_t row);
} fold;

/* acc is BOOL, I64, F32, F64 and, for products, C64 or C128; NULL for any other. */
const fold *fold_of(fold_kind kind, scanc_dtype acc);
#endif
