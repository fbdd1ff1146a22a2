/* Walking loop trees: for the files of loop/ and for codegen. */
#ifndef SCANC_LOOP_WALK_H
#define SCANC_LOOP_WALK_H

#include "loop/loop.h"

/* Calls fn for every statement, a loop before its body. */
void stmts_walk(const stmt_list *list, void (*fn)(const stmt *s, void *ctx), void *ctx);
/* A load or store whose address moves with the axis. */
bool stmt_indexes_axis(const kernel *k, const stmt *s, int axis);
/* The innermost sequential loop, or NULL. */
const loop *kernel_time_loop(const kernel *k);

#endif
