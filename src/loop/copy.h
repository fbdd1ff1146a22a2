/* Copies of strided views as kernels. */
#ifndef SCANC_LOOP_COPY_H
#define SCANC_LOOP_COPY_H

#include "loop/view_kernel.h"

/* Builds in v what makes `to` equal to `from`, converted to the type of `to`; the two have the same
 * sizes and share no memory. Lanes are along the dimension that moves least in `to`; where that of
 * `from` is another one, squares of elements are transposed in registers. */
void copy_build(view_kernel *v, const nest_view *from, const nest_view *to, const target *t);

#endif
