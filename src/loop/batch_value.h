/* Values of a scan's body for all steps at once: rules for its operations. For batch.c. */
#ifndef SCANC_LOOP_BATCH_VALUE_H
#define SCANC_LOOP_BATCH_VALUE_H

#include "ir/graph.h"

typedef struct {
  module *m;
  node *scan;
  const graph *g;
  cursor c; /* before the scan */
  dim length;
  bool backward; /* step t is index length - 1 - t */
  int n_state, n_x;
  bool *stepped; /* per node id: depends on xs, and on no carry */
  bool *state;   /* per node id: depends on a carry */
  val *to;       /* per node id: the value of all steps, or of any; ABSENT: not made yet */
  int n_ids;
} batch;

static inline val batch_made(batch *b, node *n) {
  return n && !b->m->err.code ? val_node(n) : val_none();
}

/* Fills to[] for n, a call, and what it needs. False: there is no rule for something, or inference
 * cannot tell that the type is that of n (an error in m->err, then). */
bool batch_value(batch *b, const node *n);

#endif
