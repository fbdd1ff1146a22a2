/* What the files of prefix loops along vectors share: network.c (groups), segments.c (blocks). */
#ifndef SCANC_CODEGEN_NETWORK_H
#define SCANC_CODEGEN_NETWORK_H

#include "codegen/cg.h"

typedef LLVMValueRef value;

typedef struct {
  cg *c;
  const loop *l;
  arena *tmp;
  int lanes;
  bool *carried;            /* per carry: what came before is needed */
  bool *elements;           /* per carry: the elements are needed */
  unsigned char *stage;     /* per statement of the body */
  bool *in_steps, *in_last; /* per statement: needed to combine elements; what came before */
  bool twice;   /* combining costs so little that the chain gets a combination of its own */
  value *outer; /* per path: pointer to the element of point 0 */
  int *along;   /* per path: dimension that the axis indexes, -1 */
  value n;      /* elements */
} network;

/* A vector per carry, NULL where it is not needed. */
value *network_row(const network *w);
/* next[i] = the combination of left and right, where `wanted`. marked: the statements it takes. */
void network_combine(const network *w, const value *left, const value *right, const bool *wanted,
                     const bool *marked, value *next);
/* Moves all pointers to element e. */
void network_move(const network *w, value e);
/* What `lanes` elements from the current one on enter with. */
void network_load(const network *w, value *it);
/* Combines the elements of a group with those before them in it. */
void network_within(const network *w, value *it);
/* y = the carry combined with `it`; where `first` (NULL: nowhere), `it` as it is. */
void network_before(const network *w, const value *carry, const value *it, value first, value *y);
/* Computes and stores the results of `lanes` elements from the current one on. */
void network_store(const network *w, const value *y);

/* ---- segments.c ---- */
/* Blocks of segments. Makes `carry` what follows them; returns the element that does. */
value network_blocks(const network *w, value *carry);

#endif
