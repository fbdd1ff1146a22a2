/* What becomes of the dimensions of a scan's carries and results from step to step: for
 * `scanc explain`. Not what a kernel does with them (nest_build), but what the body asks for; so it
 * holds of scans with a kernel as of those that are loops of an entry. */
#ifndef SCANC_LOOP_AXIS_CLASS_H
#define SCANC_LOOP_AXIS_CLASS_H

#include "ir/graph.h"

/* A line for every carry and every y of a scan or associative scan (of that: every leaf) with the
 * class of each dimension and the operation that decided it:
 *   map          a step computes element i from elements i of the carries
 *   map, reduced (or moved) for ys only (for other carries)
 *                so in the recurrence of the carry; outside of it something goes along it
 *   contracted   a step needs all elements along it: products, reductions, scans in the body
 *   moved        a step needs an element of another index
 *   tainted by control
 *                a branch or loop of the body is decided by what was reduced or taken along it
 * Dimensions that views take apart are given by their parts. Nothing for a scan without a body. */
void axis_classes_print(str *out, const node *scan);

#endif
