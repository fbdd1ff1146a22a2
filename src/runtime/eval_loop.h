/* Loops over frames, for eval_hop.c and eval_prefix.c: how a body gets its parameters step by step
 * and where its results go. */
#ifndef SCANC_RUNTIME_EVAL_LOOP_H
#define SCANC_RUNTIME_EVAL_LOOP_H

#include "runtime/interp.h"

/* A carried value and the tensor it points to, if it is one. */
typedef struct {
  rval v;
  tensor t;
} cell;

typedef struct {
  tensor t;        /* the view the body sees */
  char *base;      /* of step 0 */
  int64_t advance; /* bytes per step */
} slice;

typedef struct {
  tensor all; /* NULL store until the shape is known; a None has none */
  bool none;
  int axis;
  char *base; /* of step 0 */
  int64_t advance;
  tensor row;   /* shape of one step's result, strides within `all` */
  slot *placed; /* computed in place by this slot, NULL */
} stack;

typedef struct {
  eval_ctx *c;
  frame *f;
  int64_t length;
  int n_carry, n_x, n_y;
  cell *carry, *next;
  slice *x;
  stack *y;
  bool fold;          /* associative scan: what is stacked is the carry */
  int64_t place_from; /* the step after which results may be computed in place; -1: none */
} loop;

/* A loop of the frame's body; to be closed with loop_close. */
loop loop_new(eval_ctx *c, frame *f, int n_carry, int n_x, int n_y);
void loop_close(loop *l);
/* Opens all leaves and finds the number of steps. */
bool loop_open_slices(loop *l, const rval *xs);
/* The parameters from `at` on. */
bool loop_bind_extras(eval_ctx *c, frame *f, int at, const rval *extras);
bool loop_open_stack(loop *l, int j, const tensor *row);
/* Result j of step t, which the body returned as its result number `result`. */
bool loop_push_y(loop *l, int j, int result, const rval *v, int64_t t);
/* Makes the first results of the body the carries, if they have the type of those before. */
bool loop_take_carries(loop *l);
/* Runs the body for step t and takes its results. */
bool loop_step(loop *l, int64_t t);
/* Carries (if they count) and stacks become the result of the node. */
void loop_give_results(loop *l, bool carries);

/* A cell that holds its own reference. */
void cell_set(cell *k, const rval *v);
void cell_clear(cell *k);

static inline int list_len(const rval *v) { return v->kind == TYPE_LIST ? v->n : 0; }

/* Interprets an associative scan. (eval_prefix.c) */
bool eval_prefix(eval_ctx *c);

#endif
