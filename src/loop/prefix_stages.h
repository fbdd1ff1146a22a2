/* What the statements in the body of a prefix loop that is no left fold are for. */
#ifndef SCANC_LOOP_PREFIX_STAGES_H
#define SCANC_LOOP_PREFIX_STAGES_H

#include "loop/loop.h"

enum {
  STAGE_ITEM = 1,    /* what an element enters with: loads, and what is computed from them */
  STAGE_COMBINE = 2, /* from `in` and `item` to `next` */
  STAGE_RESULT = 4   /* from `next` to what is stored, and the stores */
};

/* stage[i]: of statement i of the body, as bits; a statement that several stages need has several.
 * Returns what is wrong with the loop, NULL if it keeps the rules of loop.h. */
const char *prefix_stages(const kernel *k, const loop *l, unsigned char *stage);

#endif
