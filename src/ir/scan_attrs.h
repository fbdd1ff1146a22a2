/* What canonicalisation folds into a scan node: how each x is read and each y is stored. Printed as
 * the PyTorch ops it stands for (slice, flip, movedim around the call). */
#ifndef SCANC_IR_SCAN_ATTRS_H
#define SCANC_IR_SCAN_ATTRS_H

#include <stdbool.h>

#include "ir/sym.h"

/* Step t of `length` reads (or writes) index start + t*step along `axis` of the operand (result).
 */
typedef struct {
  int axis;
  int step; /* +1 or -1 */
  dim start;
} scan_view;

typedef struct scan_attrs {
  dim length;
  int n_x, n_y;
  const scan_view *x, *y;
  /* y only: extent along the axis is the length; start is 0 for step 1, length - 1 for step -1. */
} scan_attrs;

#endif
