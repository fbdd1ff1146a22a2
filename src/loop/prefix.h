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
 * graph, and of branches and bodies whose nodes have kernels of their own, as its nodes have: those
 * of cond, while_loop and map, and of scans without a kernel. Others, which may become part of a
 * kernel, where elements follow one another, and those without a lowering are left folds. */
void prefix_orders(module *m, const target *t, prefix_wish wish);

/* Elements of an associative scan, or of one without a body, and of all leaves together in a step:
 * expressions of `to`, which gets the symbols. False: the types do not tell. */
bool prefix_sizes(const node *scan, symtab *to, dim *length, dim *wide);

/* How leaf i is read, how result i is stored. */
scan_view prefix_x(const node *scan, int i);
scan_view prefix_y(const node *scan, int i);
/* The one use of result k of the node, NULL if there are more or none; *read: if there are some. */
const node *prefix_reader(const node *n, int k, bool *read);

/* A leaf that is joined from its first element and the others, where of the result the others alone
 * are read, or nothing (reader NULL). axis: of time. */
typedef struct {
  const node *seed, *rest, *reader;
  int axis;
} prefix_seed;

bool prefix_seed_of(const node *scan, int i, prefix_seed *out);
/* Whether all leaves are such. */
bool prefix_is_seeded(const node *scan);

/* The scan that is alone in reading n and reads it as a seed and others; NULL. */
const node *prefix_seeded_by(const node *n);
/* Whether n is what is read of a result of such a scan. */
bool prefix_is_behind_seed(const node *n);

/* Which order a fold combines in, why, and what the others would cost: one line, without its end.
 */
void prefix_explain(str *out, const scan_nest *n, const target *t);

#endif
