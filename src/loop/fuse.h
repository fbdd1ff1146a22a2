/* Fusion of elementwise nodes, the last rewrite before compiling: in the main graph and in bodies
 * that have no kernel as a whole.
 *
 * Elementwise nodes of equal shape that feed each other become one invoke_subgraph
 * node, which has a lowering (nest_build): one pass over memory instead of one per node. Afterwards
 * every tensor that a graph returns is computed for that alone: one that is an input, a view, or
 * returned twice is copied by a clone, which joins the groups. The same holds of what is put
 * together by a cat, so that a plan can have it computed in its place there, and of the initial
 * carries of loops, whose memory the loop takes. */
#ifndef SCANC_LOOP_FUSE_H
#define SCANC_LOOP_FUSE_H

#include "ir/graph.h"

/* What is rewritten: graphs, functional and without composite ops. */
typedef struct {
  VEC(graph *) graphs;
  VEC(const node *) loops; /* scans and while loops in them that have no kernel */
} fuse_scope;

/* False after an error in m->err. */
bool fuse_elementwise(module *m, const fuse_scope *s);
/* After that, in the main graph and in branches: associative scans of which has_kernel is true
 * become groups with the groups around them, which may not be the scans' own any more. False after
 * an error. */
bool fuse_prefixes(module *m, bool (*has_kernel)(const node *scan, void *ctx), void *ctx);

#endif
