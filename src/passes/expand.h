/* What the bodies of composite ops share: operands as literals, axes, and computing f16 and bf16 in
 * f32. */
#ifndef SCANC_PASSES_EXPAND_H
#define SCANC_PASSES_EXPAND_H

#include "ir/build.h"
#include "ir/graph.h"

/* A call by its printed name with positional arguments; NULL after an error. */
node *expand_call(cursor *c, const char *path, const val *args, int n);
#define CALL(c, path, ...) \
  expand_call((c), "torch.ops.aten." path, (val[]){__VA_ARGS__}, \
              (int)(sizeof((val[]){__VA_ARGS__}) / sizeof(val)))

/* The call of n, in its own overload, with other operands; NULL after an error. */
node *expand_same_call(cursor *c, const node *n, const val *operands);

/* ---- operands ---- */
static inline bool given(val v) { return v.kind != VAL_ABSENT && v.kind != VAL_NONE; }
double float_of(val v, double dflt);
int64_t int_of(val v, int64_t dflt);
bool bool_of(val v, bool dflt);
int axis_of(val v, int rank); /* a rank of 0 counts as 1 */
val list_of(cursor *c, const val *items, int n);

/* ---- dtypes ---- */
/* The type in which values of d are computed. */
scanc_dtype wide_dtype(scanc_dtype d);
/* v as a tensor of dtype d; v itself where it is one. */
node *cast(cursor *c, val v, scanc_dtype d);
/* v in the type it is computed in. */
node *widen(cursor *c, val v);
/* r as the result of n: in its dtype. */
val narrow(cursor *c, node *r, const type *t);

/* ---- axes ---- */
/* The axes an operand names: None and an empty list stand for all. */
void axes_of(val v, int rank, bool *reduced);
void one_axis(int axis, int rank, bool *reduced);
val axes_list(cursor *c, const bool *reduced, int rank);
/* Number of elements along those axes: an integer or a node that computes it. */
val axes_extent(cursor *c, node *x, const bool *reduced);
/* Removes the axes, which have size 1. */
node *drop_axes(cursor *c, node *x, const bool *reduced, int rank);
/* Product of two sizes. */
val size_mul(cursor *c, val a, val b);
/* x[..., start:end, ...] */
node *slice_of(cursor *c, node *x, int axis, int64_t start, int64_t end);
enum { TO_END = INT32_MAX };

/* Applies the reduction of a loss: 0 none, 1 mean, 2 sum. */
node *reduce_loss(cursor *c, node *x, int64_t reduction);

/* ---- contraction ---- */
enum { MAX_LABELS = 128 };
/* A tensor whose axes carry labels. */
typedef struct {
  node *x;
  int n;
  int label[SCANC_MAX_RANK];
} labelled;
/* The product of a and b over the labels they share, summed over those that `keep` (MAX_LABELS
 * entries) does not name. Result: shared kept labels, those of a alone, those of b alone. x is NULL
 * after an error. */
labelled contract(cursor *c, labelled a, labelled b, const bool *keep);
/* x with its axes in the order of label[0..n). */
node *arrange(cursor *c, const labelled *x, const int *label, int n);
/* Sums the axes whose label `keep` does not name. */
labelled sum_labels(cursor *c, labelled a, const bool *keep);

#endif
