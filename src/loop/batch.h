/* What the steps of a scan compute without its carries, for all steps at once: operations whose
 * values have time as one more dimension, in front. A scan that carries nothing is replaced by
 * them. One that carries little, so that a step has no vectors to work on, gets costly functions of
 * its xs as further xs. */
#ifndef SCANC_LOOP_BATCH_H
#define SCANC_LOOP_BATCH_H

#include "ir/graph.h"

/* For a functional module without composite operators. What stays behind in bodies is dead. Sets
 * *changed if anything was. False after an error in m->err. */
bool batch_scans(module *m, bool *changed);
/* The same for a scan without a kernel, whose steps are too large for one: products of its xs, and
 * costly functions of them, become xs as far as they take memory like the xs. True if there were
 * some; it may have a kernel now. m->err stays as it is. */
bool batch_ahead(module *m, node *scan);

#endif
