/* Reductions along one dimension as kernels on strided views, with the bits of the interpreter: the
 * order in which elements are joined is that of runtime/fold.h. */
#ifndef SCANC_LOOP_FOLD_KERNEL_H
#define SCANC_LOOP_FOLD_KERNEL_H

#include "loop/inline_group.h"

typedef struct {
  op_id join; /* row: add, mul, maximum, minimum; of truth values logical_or, logical_and */
  scanc_dtype via, acc; /* elements are converted to `via`, then to `acc`, the type of the state;
                           real: of complex elements that is of each part */
  bool exact;           /* any order gives the same bits */
  bool mean;            /* the total is divided by the number of elements */
} fold_op;

/* Lengths that a kernel is for: those of FOLD_SHORT have no blocks that are joined pairwise. Other
 * lengths are left to another kernel of the same results. */
typedef enum { FOLD_ANY, FOLD_SHORT, FOLD_LONG } fold_lengths;
enum { FOLD_SHORT_LENGTH = 128 };
/* The greatest length that kernels for symbolic ones serve, and for any. */
#define FOLD_MAX_LENGTH ((int64_t)1 << 28)
#define FOLD_MAX_KNOWN_LENGTH ((int64_t)1 << 38)

/* Parallel loops over the first `kept` dimensions of x, lanes innermost along one that lies
 * adjacent in memory if there is one; their axes go to axis[]. Returns the body. */
stmt_list *fold_loops(view_kernel *v, const nest_view *x, int kept, int *axis);
/* How many elements of the wider of the types a vector holds. */
int fold_lanes(const target *t, scanc_dtype a, scanc_dtype b);

/* The last dimension of x is the one that is reduced, the others are those of y. A group `before`
 * (n NULL: none) computes the elements of x, which then has no memory but says how it would
 * lie; its views have the dimensions of x. A group `after` goes on with those of y, which are not
 * stored then; its views have the dimensions of y. */
typedef struct {
  const nest_view *x, *y;
  const group_inline *before, *after;
} fold_views;

/* Whether a group that costs so much per vector is better computed as x is read. */
bool fold_takes_before(const fold_op *f, const target *t, const nest_view *x, int cost);
/* y[i...] = the fold of x[i..., 0 <= j < n]. Elements are complex in products and in any and all
 * only, and without groups. `lengths` other than FOLD_ANY for real elements only, FOLD_ANY for a
 * number only unless f->exact. */
void fold_kernel(view_kernel *v, const fold_op *f, fold_lengths lengths, const target *t,
                 const fold_views *views);
/* Where the first of the greatest (least) elements is, NaN being the greatest (least): its index
 * goes to `at` (i64), the element to y (NULL: nowhere). Real elements, at least one; with `along`,
 * for elements that are adjacent in memory, at least ARG_ALONG_LENGTH. */
enum { ARG_ALONG_LENGTH = 64 };
void arg_kernel(view_kernel *v, bool greatest, bool along, const target *t, const nest_view *x,
                const nest_view *y, const nest_view *at);

#endif
