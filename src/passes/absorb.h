/* Elementwise work at the border of a scan moves into its body: what computes an x is done step by
 * step, and what is done with a y, too, so that neither goes through memory. No bit changes. */
#ifndef SCANC_PASSES_ABSORB_H
#define SCANC_PASSES_ABSORB_H

#include "ir/graph.h"

typedef VEC(const node *) moved_nodes;

/* Whether node n may move; its result and its tensors have one shape then. */
typedef struct {
  bool (*before)(module *m, const node *n, const node *inside); /* it computes the x that parameter
                                                                   `inside` of the body is */
  bool (*behind)(module *m, const node *n, const node *inside); /* it uses the y that node `inside`
                                                                   of the body computes */
} absorb_rules;

/* The scan's body belongs to it alone. Returns whether anything has moved; the scan stays the same
 * node, and `moved` (in m's arena) gets what is now in the body, in no order. False after an error
 * in m->err, too. */
bool absorb_border(module *m, node *scan, const absorb_rules *rules, moved_nodes *moved);

#endif
