/* Fusion of elementwise nodes outside scans, the last rewrite before compiling.
 *
 * The main graph's elementwise nodes of equal shape that feed each other become one invoke_subgraph
 * node, which has a lowering (nest_build): one pass over memory instead of one per node. Afterwards
 * every tensor that the program returns is computed for it alone: one that is an input, a view, or
 * returned twice is copied by a clone, which joins the groups. The same holds of what is put
 * together by a cat, so that a plan can have it computed in its place there. */
#ifndef SCANC_LOOP_FUSE_H
#define SCANC_LOOP_FUSE_H

#include "ir/graph.h"

/* Rewrites m->main, functional and without composite ops. False after an error in m->err. */
bool fuse_elementwise(module *m);

#endif
