/* The order in which an associative scan combines its elements. It is part of what the scan means:
 * every executor follows it, so all give the same bits. It depends on the combine function, the
 * types and the CPU level only. The earlier element is the left operand everywhere. */
#ifndef SCANC_IR_PREFIX_H
#define SCANC_IR_PREFIX_H

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

typedef struct {
  prefix_kind kind;
  int lanes; /* NETWORK */
} prefix_order;

/* The place that the element at place i is combined with in step d, which i has as a bit. */
static inline int prefix_partner(int i, int d) { return (i & ~(2 * d - 1)) + d - 1; }

#endif
