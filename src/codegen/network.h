/* What the files of prefix loops along vectors share: network.c (groups), lanes.c (steps within
 * them), powers.c (elements that are all equal), skip.c (groups without effect), segments.c
 * (blocks), total.c (totals alone), stretches.c (loops that are cut). */
#ifndef SCANC_CODEGEN_NETWORK_H
#define SCANC_CODEGEN_NETWORK_H

#include "codegen/cg.h"

typedef LLVMValueRef value;

enum { NETWORK_MAX_STEPS = 6 }; /* log2 of CG_MAX_LANES */

/* Memory per carry that is an element (NULL: none). */
typedef struct {
  value *kept;       /* the last elements of up to 2 * `lanes` groups */
  value *total;      /* a vector, the same in all lanes: what came of those before */
  LLVMTypeRef *type; /* of what is kept of a group */
  value joined;      /* an i64: the element up to which groups have been joined */
} network_own;

/* Carries whose elements are the same at all points, as those of a constant decay are, and what
 * becomes of them: within a group the same in every one of them, so it is computed once, before all
 * groups. (powers.c) */
typedef struct {
  bool *still;  /* per carry */
  bool *others; /* per carry: its elements are needed, and are others at other points */
  bool *marked; /* per statement: needed to combine those */
  value *it[NETWORK_MAX_STEPS + 1], *left[NETWORK_MAX_STEPS]; /* per step, and behind all: of
                                                                 `still` carries, a vector each */
} network_powers;

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
  bool fresh;                         /* nothing comes before the first element */
  const network_powers *powers;       /* NULL: none */
  /* Of one stretch of a loop that is cut; `outer` and `n` are about that one then. */
  value is_first;   /* i1: where `fresh`, that it is the first one; NULL: the loop is not cut */
  value *start;     /* what comes before it, a vector per carry; NULL: the initial carries */
  network_own *own; /* its total on its own; NULL: not wanted */
} network;

/* A vector per carry, NULL where it is not needed. */
value *network_row(const network *w);
/* Gives a value of the body a vector. */
void network_set(cg *c, int v, value vector);
/* next[i] = the combination of left and right, where `wanted`. marked: the statements it takes. */
void network_combine(const network *w, const value *left, const value *right, const bool *wanted,
                     const bool *marked, value *next);
/* Marks the statements that the results of the wanted carries need, or whose data can be at fault,
 * and the values. */
void network_trace(const network *w, const bool *wanted, bool *marked, bool *need);
/* Moves all pointers to element e. */
void network_move(const network *w, value e);
/* What `lanes` elements from the current one on enter with. */
void network_load(const network *w, value *it);
/* Combines the elements of a group with those before them in it. */
void network_within(const network *w, value *it);
/* y = left combined with `it`; where `none` (i1 or a mask, NULL: nowhere), `it` as it is. Of
 * carries that are needed. */
void network_join(const network *w, const value *left, const value *it, value none, value *y);
/* The same, where `wanted`. marked: the statements it takes. */
void network_join_all(const network *w, const value *left, const value *it, value none,
                      const bool *wanted, const bool *marked, value *y);
/* i1: nothing comes before element e; NULL: something always does. */
value network_first(const network *w, value e);
/* Computes and stores the results of `lanes` elements from the current one on. */
void network_store(const network *w, const value *y);

/* All groups. last: a vector per carry that is needed behind the loop, the same in all lanes. */
void network_groups(const network *w, value *last);

/* ---- stretches.c ---- */
/* All groups, stretch by stretch. */
void network_stretches(const network *w, value *last);
/* Keeps `total`, a vector per carry, of the group from element e on. */
void network_keep(const network *w, value e, const value *total);
/* The element, at most `end`, where it is time to join some, seen from element e. */
value network_keeps_until(const network *w, value e, value end);
/* Joins some of what is kept to the total of the stretch. next: the element behind that; at the end
 * of the stretch all is joined. */
void network_join_kept(const network *w, value next);
/* Groups up to element `end` have been joined. */
void network_joined(const network *w, value end);
/* Joins to it what `lanes` totals, a vector per carry, are as a group; first (i1): there is none
 * yet. */
void network_join_totals(const network *w, const value *totals, value last_lane, value first);

/* ---- lanes.c ---- */
int network_log2(int d);
/* The lanes whose number has the bit d: those that step d concerns. */
value network_lanes_with(const network *w, int d);
/* Every lane gets what it is combined with in step d; so do those that take no part in it. */
value network_partners(const network *w, value v, int carry, int d);
/* `next` in the lanes that step d concerns, `it` in the others. */
value network_choose(const network *w, value next, value it, int carry, int d);
/* out: that lane (i64; if it is a constant, the last one) of each carry, in all lanes. */
void network_splat(const network *w, const value *v, value lane, value *out);

/* ---- powers.c ---- */
/* NULL: no elements are the same at all points, or there are but few groups. */
const network_powers *network_find_powers(const network *w);

/* ---- skip.c ---- */
/* Goes on at one of two places: whether `carry` combined with each of the `skip` elements from e on
 * is `carry`, bit by bit, or, where it makes no difference, is certain to be that. */
void network_look(const network *w, value e, const value *carry, LLVMBasicBlockRef unchanged,
                  LLVMBasicBlockRef changed);
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
