/* State of functionalisation, shared by functionalise.c (in-place ops), functionalise_view.c
 * (views) and functionalise_call.c (calls of subgraphs). Private to the pass.
 *
 * Every tensor value is a view of a storage or a storage itself: a cell names the viewed node. A
 * write makes a new value of the storage and moves its version on; a reader whose cell is behind
 * gets the view taken again from the present value. So the graph is walked once, in order, and only
 * what is read after a write is taken again. */
#ifndef SCANC_PASSES_FUNCTIONALISE_H
#define SCANC_PASSES_FUNCTIONALISE_H

#include "ir/build.h"
#include "passes/hop.h"

typedef struct {
  node *parent; /* the node this one views; NULL: a storage of its own */
  node *source; /* what stands for the parent among the node's arguments */
  bool same;    /* shows all of the parent, unchanged */
  int version;  /* of the storage that `value` shows */
  node *value;
  src_loc changed_at; /* storages: the first write, and what wrote */
  const char *changed_by;
} cell;

/* A parameter that its graph changes. */
typedef struct {
  int param;
  node *value; /* at the end of the graph */
  src_loc loc;
  const char *by;
} change;

typedef struct {
  int n;
  change *changes; /* in the order of the parameters */
  bool exported;   /* the changed values are results of the graph already */
} graph_changes;

typedef struct {
  module *m;
  arena *mem;
  graph_changes *info; /* by graph_index */
  graph *g;            /* the current one */
  cursor at;           /* where new nodes go */
  VEC(cell *) cells;   /* by node id, of the current graph */
  bool changed;
} functionaliser;

cell *cell_of(functionaliser *f, node *n);
/* Makes n a view of parent, which `source` stands for among its arguments. */
void cell_link(functionaliser *f, node *n, node *parent, node *source, bool same);
/* The node that has the present content of n. */
node *cell_read(functionaliser *f, node *n);
/* Lets the arguments of n be what they hold now. */
void cell_refresh_args(functionaliser *f, node *n);
/* Gives the memory that n shows the content x, converted to the type of n. `by` is the statement
 * that does it. */
bool cell_write(functionaliser *f, node *n, node *x, const node *by);
node *cell_storage(functionaliser *f, node *n);

/* Refreshes the arguments of n and registers it if it shows memory of another node. Subscripts of
 * tensors become selects and slices. Returns false after an error. */
bool view_track(functionaliser *f, node *n);
/* The value of the parent of view n when n gets the content x; NULL after an error. */
node *view_invert(functionaliser *f, node *n, node *x, const node *by);
/* x[index] for a subscript of integers, slices, None and Ellipsis, as views of x; NULL if it has
 * other parts (then no node was made). */
node *view_subscript(functionaliser *f, node *x, val index);

/* Calls of subgraphs whose bodies change their parameters. */
bool call_functionalise(functionaliser *f, node *n);

#endif
