/* Which order associative scans combine in (ir/prefix.h). */
#ifndef SCANC_LOOP_PREFIX_H
#define SCANC_LOOP_PREFIX_H

#include "loop/scan_nest.h"
#include "loop/target.h"

/* What is asked for in the place of what costs least. Forms that the scan does not allow, or that
 * need wider vectors, become left folds, segments of truth values networks. */
typedef enum {
  PREFIX_CHEAPEST,
  PREFIX_IN_TURN, /* left folds */
  PREFIX_IN_NETWORKS,
  PREFIX_IN_SEGMENTS
} prefix_form;

typedef struct {
  prefix_form form;
  int cut;      /* stretches of so many elements, or a few more, where one row can be cut; 0: as the
                   cost has it */
  int64_t from; /* with `cut`: in scans of so many elements or more */
} prefix_wish;

/* Sets the order of the associative scans and of the running sums, products and extrema of the main
 * graph; those of bodies, which are steps of other loops, and those without a lowering are left
 * folds. */
void prefix_orders(module *m, const target *t, prefix_wish wish);

/* Elements of an associative scan, or of one without a body, and of all leaves together in a step:
 * expressions of `to`, which gets the symbols. False: the types do not tell. */
bool prefix_sizes(const node *scan, symtab *to, dim *length, dim *wide);

/* Which order a fold combines in, why, and what the others would cost: one line, without its end.
 */
void prefix_explain(str *out, const scan_nest *n, const target *t);

#endif
