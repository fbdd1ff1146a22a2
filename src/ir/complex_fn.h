/* The complex functions of libm in f64 (LIBMC rows of libm.def), as pairs of functions of real
 * operands: what loop IR calls. Functions of c64 are these, rounded. */
#ifndef SCANC_IR_COMPLEX_FN_H
#define SCANC_IR_COMPLEX_FN_H

#include "ir/host_op.h"

typedef enum {
#define LIBM(name, type)
#define LIBMC1(name) COMPLEX_##name,
#define LIBMC2(name) COMPLEX_##name,
#include "ir/libm.def"
  N_COMPLEX_FNS
} complex_fn;

/* One part of the result, f64, of the real and imaginary parts of the operands in turn, f64. */
const host_fn *complex_fn_part(complex_fn f, host_part part);

#endif
