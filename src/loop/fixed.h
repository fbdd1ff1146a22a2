/* What is the same in every iteration of a loop, and can be computed before it. */
#ifndef SCANC_LOOP_FIXED_H
#define SCANC_LOOP_FIXED_H

#include "loop/fuse.h"

/* Marks, per node id, the nodes of g that are the same in every iteration of the loops of s whose
 * body g is: functions of further inputs alone that no data can make fail, but for constants that
 * nothing marked needs. Marks nothing if g is the body of no loop. */
void fixed_find(const graph *g, const fuse_scope *s, bool *fixed);
/* Whether `user` needs n computed in every iteration, where it is needed: as a result, as a part of
 * one, as an initial carry of an inner loop. */
bool fixed_needed_anew(const fuse_scope *s, const node *n, const node *user);
/* Takes back the marks of nodes that a user needs anew. */
void fixed_drop_anew(const graph *g, const fuse_scope *s, bool *fixed);

#endif
