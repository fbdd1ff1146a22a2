/* Bundles: statements of a loop without lanes that do the same to different values become the lanes
 * of a vector. So the elements of a small matrix, or a state of many numbers, are worked on several
 * at a time, though no loop runs over them. What is computed does not change. */
#ifndef SCANC_LOOP_BUNDLE_H
#define SCANC_LOOP_BUNDLE_H

#include "loop/loop.h"

/* Statements, none of them a loop, that a loop repeats. */
typedef struct {
  const kernel *k; /* theirs; NULL: of a nest, where no statement touches memory */
  const stmt *s;
  int n;
  const scanc_dtype *dtype; /* per value */
  int n_values;
  const int (*carry)[2]; /* values that the loop carries: at the start of a point, of the next */
  int n_carries;
} straight_line;

typedef struct {
  bool carried;  /* values at the start of a point; else results of statements, or stores */
  int lanes;     /* a power of two */
  const int *at; /* per lane: index of the carry, or of the statement */
} bundle;

typedef struct {
  VEC(bundle) all;
  int *of, *lane;       /* per value: its bundle or -1, its lane there */
  int *of_stmt;         /* per statement: its bundle or -1 */
  bool *single;         /* per value: it is in a bundle, but needed on its own, too */
  int cost, cost_apart; /* instructions, roughly: with the bundles, and without */
} bundles;

/* The value in a lane of a bundle of carries or results. */
static inline int bundle_value(const straight_line *l, const bundle *b, int lane) {
  return b->carried ? l->carry[b->at[lane]][0] : l->s[b->at[lane]].value;
}

/* The bundles for vectors of that many bytes that leave the fewest instructions. No two statements
 * of a bundle depend on each other, nor two bundles in a circle. Returns false if that would not
 * shorten the line by a third. */
bool bundles_find(arena *mem, const straight_line *line, int vector_bytes, bundles *out);
/* Those of a loop that is not within lanes; what the line consists of goes to `mem`, too. */
bool bundles_of_loop(arena *mem, const kernel *k, const loop *l, int vector_bytes,
                     straight_line *line, bundles *out);

#endif
