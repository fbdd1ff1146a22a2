/* What a file says about types against what inference finds. */
#ifndef SCANC_FRONTEND_ANNOTATION_H
#define SCANC_FRONTEND_ANNOTATION_H

#include "ir/graph.h"

/* Whether the two differ for every value of the symbols. NULL, unknown, differs from nothing. */
bool annotation_clashes(symtab *t, const type *inferred, const type *annotated);
/* The better of the two where they do not clash: a number beats an expression, and a size that
 * depends on data is called what the file calls it. */
const type *annotation_merge(arena *mem, const type *inferred, const type *annotated);
/* Gives n the type that `at` states for it. False with error ANNOTATION_MISMATCH where inference
 * contradicts; while faults are noted (module_note), the stated type stands instead. */
bool annotation_apply(node *n, const type *stated, src_loc at);
/* Whether the elements and the bytes of a tensor of constant sizes fit 64 bits. */
bool annotation_fits(const type *t);

#endif
