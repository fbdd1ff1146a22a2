/* The order in which an associative scan combines its elements. It is part of what the scan means:
 * every executor follows it, so all give the same bits. It depends on the combine function, the
 * element types, the CPU level and the sizes of a run only, never on whether types tell the sizes.
 * The earlier element is the left operand everywhere. */
#ifndef SCANC_IR_PREFIX_H
#define SCANC_IR_PREFIX_H

#include <stdbool.h>
#include <stdint.h>

typedef enum {
  PREFIX_LEFT,   /* y[t] = combine(y[t - 1], x[t]) */
  PREFIX_NETWORK /* Groups of `lanes` (a power of two) elements, the last one maybe shorter. Within
                    a group, for d = 1, 2, 4... < lanes: every element whose place has the bit d
                    becomes combine(e, it), where e is the last element before it whose place,
                    divided by d and rounded down, is even: the last of the d elements before its
                    own d. Then, but in the first group of a scan without a seed, every element
                    becomes combine(c, it), where c is the last result of the group before, or the
                    seed */
} prefix_kind;

/* With `segments`, a multiple of lanes, a NETWORK begins with blocks, as long as there are enough
 * elements: so many segments of `lanes` elements each. Within a segment, every element but the
 * first becomes combine(the one before it, it). The last elements of the segments, which are the
 * totals, then become groups as above, in the order of the segments, continued from block to block.
 * Last, every element becomes combine(t, it), where t is what the total of the segment before has
 * become, or the seed; without one, the first segment stays as it is. What is left over are groups,
 * which continue from the last total. */
/* With `cut`, a multiple of what a block takes, a NETWORK is cut into stretches of that many
 * elements, the last one maybe shorter. The elements of each are combined as above, from what comes
 * before the stretch: the seed, or combine(what comes before the stretch before, its total), which
 * after the first stretch of a scan without a seed is its total alone. The total is that of the
 * stretch on its own, and none of its results: the last elements of its segments, and of its groups
 * behind them, as far as they are combined within those, become groups of `lanes` once more; the
 * last elements of these are combined one after the other. So products of many factors, which would
 * run into numbers below the normal ones and stay there, are products of few. */
/* With `skip`, a multiple of lanes, a NETWORK without segments leaves elements alone that change
 * nothing. Before a group that something precedes, if at least `skip` elements are left: if
 * combine(c, it) is c for each of them, bit by bit in every leaf, then their results are c, and c
 * stays the last total. Else the groups of these `skip` elements are combined as above, and it is
 * after them that this is tried again. */
/* With `seeded`, the first element of a scan is no part of any group, block or stretch, but the
 * seed of the others; it is its own result. */
/* With `least`, a NETWORK whose steps have that many elements or more, those of all leaves counted,
 * is a left fold, if it has segments only where the scan is shorter than a block: there are enough
 * rows to fill vectors with. */
typedef struct {
  prefix_kind kind;
  int lanes;     /* NETWORK */
  int segments;  /* of a block of a NETWORK; 0: there are no blocks */
  int cut;       /* NETWORK; 0: it is not cut */
  int skip;      /* NETWORK; 0: no elements are left alone */
  int exact;     /* combining in any order gives the same bits: the cut is one of the work only */
  int seeded;    /* NETWORK; what counts elements counts those behind the seed */
  int64_t from;  /* with `cut`: a scan of fewer elements is not cut */
  int64_t least; /* NETWORK; 0: however many rows there are, it is no left fold */
} prefix_order;

/* The elements of a block; 0: there are no blocks. */
static inline int64_t prefix_block(prefix_order o) { return (int64_t)o.segments * o.lanes; }

/* Whether a scan of n elements is a left fold. wide: elements of a step, of all leaves together. */
static inline bool prefix_is_left(prefix_order o, int64_t wide, int64_t n) {
  if (o.kind == PREFIX_LEFT) return true;
  return o.least && wide >= o.least && (!o.segments || n < prefix_block(o));
}

/* Whether results of a scan of n elements are combined by stretches. */
static inline bool prefix_is_cut(prefix_order o, int64_t n) {
  return o.cut && !o.exact && n >= o.from;
}

/* The elements of a stretch of a scan of n. */
static inline int64_t prefix_stretch(prefix_order o, int64_t n) {
  return prefix_is_cut(o, n) ? o.cut : n;
}

/* The place that the element at place i is combined with in step d, which i has as a bit. */
static inline int prefix_partner(int i, int d) { return (i & ~(2 * d - 1)) + d - 1; }

#endif
