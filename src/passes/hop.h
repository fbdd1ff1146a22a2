/* Calls of subgraphs seen in one way: which operand feeds which parameter, and which result comes
 * back where. Shared by the passes that change both sides of such a call. */
#ifndef SCANC_PASSES_HOP_H
#define SCANC_PASSES_HOP_H

#include "ir/graph.h"

/* One leaf that crosses the border of a subgraph. */
typedef struct {
  int operand; /* index in call->operands of the list that holds it; -1: a result only */
  int item;    /* position in that list */
  int param;   /* parameter of every body; -1: none */
  int param2;  /* associative_scan: the parameter of the right element; else -1 */
  int result;  /* index among the results of the call and of the last body; -1: none */
  bool live;
} hop_slot;

/* Slots in the order of the operands, then those of the results that have no operand. */
typedef struct {
  node *call;
  int n_bodies;
  graph *body[2]; /* cond: true, false; while_loop: condition, body; else one */
  int n_slots, n_results;
  hop_slot *slots;
  int n_carry, n_x; /* scan: leading slots that are carries, then xs. map_impl: n_x */
} hop;

/* Fills *h for scan, associative_scan, cond, while_loop and map_impl with well-formed operands;
 * false for other nodes. Memory from a. */
bool hop_read(node *n, arena *a, hop *h);
/* Removes the slots that are not live from the call, its bodies and the getitems that read it. Each
 * body must be used by this call only, and nothing live may depend on a slot that is not. What no
 * result needs goes from the bodies; keep_failing: but for what data can make fail. */
void hop_shrink(const hop *h, bool keep_failing);
/* The getitem index of a use of the call's result; -1 when it is not a getitem with a constant
 * index. */
int hop_result_index(const hop *h, const node *user);

/* Index of g in g->mod->graphs. */
int graph_index(const graph *g);
/* How often each graph of the module is an operand of a call, by graph_index; get_attrs without use
 * do not count. */
int *graph_call_counts(module *m, arena *a);
/* True for each graph that contains, at any depth, an op with T_EFFECT, by graph_index. */
bool *graph_effects(module *m, arena *a);
bool node_has_effect(const node *n, const bool *graph_effect);
/* Calls fn for every node of graph type among the operands of n. */
void node_each_body(const node *n, void (*fn)(graph *g, void *ctx), void *ctx);

#endif
