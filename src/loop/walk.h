/* Walking loop trees: for the files of loop/ and for codegen. */
#ifndef SCANC_LOOP_WALK_H
#define SCANC_LOOP_WALK_H

#include "loop/loop.h"

/* Calls fn for every statement, a loop before its body. */
void stmts_walk(const stmt_list *list, void (*fn)(const stmt *s, void *ctx), void *ctx);
/* Machine instructions per vector, roughly. */
int stmt_cost(const stmt *s);
/* Whether b loads, or stores, the element behind that of a, a neighbour in memory. */
bool stmt_is_next(const kernel *k, const stmt *a, const stmt *b);
/* A load or store whose address moves with the axis. */
bool stmt_indexes_axis(const kernel *k, const stmt *s, int axis);
/* An access to an input or output whose elements are neighbours, in rising or falling order, along
 * the one axis and lie apart along the other. */
bool stmt_is_tiled(const kernel *k, const stmt *s, int time, int lanes);
/* Whether points of the loop are taken one after the other. */
static inline bool loop_is_sequential(const loop *l) { return l->order != ORDER_PARALLEL; }
/* The first sequential loop in the list, or NULL. */
const loop *stmts_time_loop(const stmt_list *list);
/* The first loop in the list that is bound to lanes, or NULL. */
const loop *stmts_lane_loop(const stmt_list *list);

#endif
