/* Which order associative scans combine in (ir/prefix.h). */
#ifndef SCANC_LOOP_PREFIX_H
#define SCANC_LOOP_PREFIX_H

#include "loop/scan_nest.h"
#include "loop/target.h"

/* Sets the order of the associative scans and of the running sums, products and extrema of the main
 * graph; those of bodies, which are steps of other loops, and those without a lowering are left
 * folds. left: all are. */
void prefix_orders(module *m, const target *t, bool left);

/* The order for a scan of `length` elements; -1: of any number. */
prefix_order prefix_choose(const scan_nest *n, int64_t length, const target *t);

#endif
