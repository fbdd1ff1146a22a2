/* Which dimensions of the values of a body run together, and along which something goes: the rules
 * of axes.c, applied to those nodes that are asked about, with a record of which node did what. For
 * axis_class.c. */
#ifndef SCANC_LOOP_AXIS_RUN_H
#define SCANC_LOOP_AXIS_RUN_H

#include "loop/body.h"

typedef VEC(const node *) node_list;

/* Graphs as if groups of elementwise nodes had not been put into graphs of their own. */
typedef struct {
  arena *mem;
  module *mod;
  const node **same; /* per node id: what it is another name of, NULL */
} axis_graphs;

/* The nodes of g in order, but for its output; those of groups in the place of their calls. */
void axis_flatten(axis_graphs *g, const graph *of, node_list *out);
/* Calls fn for all that n is computed from; data: but for what only decides which branch. */
void axis_operands(const axis_graphs *g, const node *n, bool data, void (*fn)(node *, void *),
                   void *ctx);
/* Marks (per node id) all that marked nodes are computed from. */
void axis_sources(const axis_graphs *g, const node_list *list, bool data, bool *in);

/* Of an event of the log. */
typedef struct {
  const node *top; /* the node that was joined when it came about */
  bool control;    /* it only decides a branch or loop in there */
  int kind;        /* what axis_run_turn was given */
} axis_mark;

typedef struct {
  axis_graphs *g;
  body b;
  axis_log log;
  str why;
  VEC(axis_mark) marks; /* per event */
  int turns;            /* the first of the events that axis_run_turn found; -1 */
  const node *top;      /* what is being joined */
  bool control;
} axis_run;

/* `list`: the nodes that may be joined. Lives in g->mem, but for `why`. */
axis_run *axis_run_new(axis_graphs *g, const node_list *list);
void axis_run_free(axis_run *x);
/* Unites what runs together in n, an inner graph of it included. */
void axis_run_join(axis_run *x, const node *n);
/* The same for two values of one shape: a carry and what becomes of it. */
void axis_run_align(axis_run *x, const node *to, const node *from);
/* After all is joined: notes it if two dimensions of the value run together, as it meets its own
 * transpose; once per class and kind. */
void axis_run_turn(axis_run *x, const node *n, int kind);
/* Whether two classes have a part in common. */
bool axis_run_shares(const axis_run *x, int c, int d);

#endif
