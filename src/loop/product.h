/* Sums of products: c[p] = bias[p] + sum over k of a[p, k] * b[p, k] for points p and k of several
 * axes, on strided views. Matrix products and convolutions are that. Every element is summed in
 * rising order of k, the last axis fastest, from +0; product and sum are rounded one by one. */
#ifndef SCANC_LOOP_PRODUCT_H
#define SCANC_LOOP_PRODUCT_H

#include "loop/inline_group.h"

enum { PRODUCT_MAX_ROWS = 8, PRODUCT_MAX_DEPTH = 16 };

/* All three have one element type. The first n_free dimensions of a and b are those of c; the
 * others are summed over. An operand does not move along a dimension where its stride is 0. */
typedef struct {
  nest_view a, b, c;
  int n_free, n_summed;
  bool has_bias; /* of the rank of c, added to the sums before they are converted; only of numbers
                    that are not complex */
  nest_view bias;
  group_inline before; /* what computes the elements of operand `computed` (0: a, 1: b) as they are
                          read; views of the rank of a. The operand's own view tells sizes, and
                          along which dimensions it moves */
  int computed;
  group_inline after; /* what goes on with an element of c, which is not stored then; views of the
                         rank of c. The strides of c are those of what is stored instead */
} product;

/* How it is computed: `lanes` * `unroll` points along dimension `lane` and `rows` points along
 * dimension `row` at a time, their sums in registers. */
typedef struct {
  int lane; /* -1: scalars */
  int lanes, unroll;
  int row; /* -1: none */
  int rows;
  int depth;    /* steps of the sum at a time; more than 1 where an operand is read in squares */
  bool pack[2]; /* a, b is better copied first, to be contiguous along `lane` */
} product_shape;

/* The type that elements are computed in, that of the parts of complex numbers. Integers wrap, so
 * the bits that are kept are those of any wider type. */
static inline scanc_dtype product_acc(scanc_dtype d) { return dtype_real(dtype_acc(d)); }

/* Fewer dimensions with the same sums. Views of groups are in mem, here and below. */
void product_merge(arena *mem, symtab *syms, product *p);
/* The part of it with indices `from` to `to` (not included) of free dimension d. */
product product_range(arena *mem, symtab *syms, const product *p, int d, dim from, dim to);
/* Free dimension d becomes two, as view_tiled does it. */
product product_tiled(arena *mem, symtab *syms, const product *p, int d, int64_t by);

/* How many elements of the result an element of operand v of p is for; how many products a sum is
 * of. Sizes that only a run tells count as some number. */
double product_reuse(const product *p, const nest_view *v);
double product_depth(const product *p);
/* Whether a copy of the operand is small enough to be made. */
bool product_may_copy(const nest_view *v);
/* The shape of least cost for the CPU level. may_pack: shapes for operands that are packed first
 * count, too. */
product_shape product_choose(const product *p, const target *t, bool may_pack);
/* Whether elements of the computed operand are computed once each, in lanes, and read from memory
 * as cheaply as if they lay there. */
bool product_takes_before(const product *p, const product_shape *s);
/* Whether what goes on with the elements of a tile is small enough to be part of the kernel. */
bool product_takes_after(const product *p, const product_shape *s);
/* Whole tiles of `rows` points only: what is left along dimension `row` is the caller's. */
void product_build(view_kernel *v, const product *p, const product_shape *s);

#endif
