/* Scans of PyTorch 2.5 and 2.6, which have dim and reverse as arguments, in the words of later
 * versions. */
#ifndef SCANC_FRONTEND_OLD_FORM_H
#define SCANC_FRONTEND_OLD_FORM_H

#include "ir/graph.h"

/* A name that the graph under construction will not use, made from `base`. */
typedef const char *fresh_fn(void *ctx, const char *base);

/* x with dimension `axis` in front, then back to front if asked. */
node *old_form_input(cursor *c, node *x, int64_t axis, bool flip, fresh_fn *fresh, void *ctx);

#endif
