/* What the files of prefix loops along vectors share: network.c (groups), lanes.c (steps within
 * them), skip.c (groups without effect), segments.c (blocks), total.c (totals alone). */
#ifndef SCANC_CODEGEN_NETWORK_H
#define SCANC_CODEGEN_NETWORK_H

#include "codegen/cg.h"

typedef LLVMValueRef value;

enum { NETWORK_MAX_STEPS = 6 }; /* log2 of CG_MAX_LANES */

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
  value *known_masks, *known_numbers; /* of lanes.c, per step: constants of the function; NULL: not
                                         made yet */
  int *along;                         /* per path: dimension that the axis indexes, -1 */
  value n;                            /* elements */
  bool fresh; /* nothing comes before the first element: the loop is headless, or is cut */
  /* Of a loop that is cut; then all that is said above is about one stretch. */
  bool *final, *in_final; /* per carry: what came before the stretch is needed; per statement */
  value *seed;            /* what came before it, a vector per carry; NULL: the loop is not cut */
  value seeded;           /* i1: something did; NULL: always */
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
/* What comes before elements in their stretch (`carry`, meaningless where `first`, NULL: nowhere),
 * with what comes before the stretch. */
void network_seed(const network *w, const value *carry, value first, value *before);
/* Where nothing comes before elements, given where nothing does in their stretch: i1 or a mask. */
value network_none(const network *w, value first);
/* y = before combined with `it`; where `none`, `it` as it is. */
void network_before(const network *w, const value *before, const value *it, value none, value *y);
/* The same for totals of the stretch on its own; `first`: nothing comes before them in it. */
void network_total(const network *w, const value *carry, const value *it, value first, value *y);
/* Computes and stores the results of `lanes` elements from the current one on. */
void network_store(const network *w, const value *y);

/* ---- lanes.c ---- */
/* The lanes whose number has the bit d: those that step d concerns. */
value network_lanes_with(const network *w, int d);
/* Every lane gets what it is combined with in step d; so do those that take no part in it. */
value network_partners(const network *w, value v, int carry, int d);
/* `next` in the lanes that step d concerns, `it` in the others. */
value network_choose(const network *w, value next, value it, int carry, int d);
/* out: that lane (i64; if it is a constant, the last one) of each carry, in all lanes. */
void network_splat(const network *w, const value *v, value lane, value *out);

/* ---- skip.c ---- */
/* i1: whether `carry` combined with each of the `skip` elements from e on is `carry`, bit by bit.
 */
value network_unchanged(const network *w, value e, const value *carry);
/* Stores it as the results of these elements. */
void network_fill(const network *w, value e, const value *carry);

/* ---- segments.c ---- */
/* Blocks of segments. Makes `carry` what follows them; returns the element that does. */
value network_blocks(const network *w, value *carry);

/* ---- total.c ---- */
bool network_stores(const network *w); /* the loop has results, not totals alone */
/* Whether the loop stores nothing, and there is a shorter way to its total. */
bool network_has_totals_alone(const network *w);
/* That way, for whole blocks of groups: the same as network_blocks does. */
value network_totals(const network *w, value *carry);

#endif
