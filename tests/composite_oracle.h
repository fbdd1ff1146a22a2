/* What the composites of one argument mean, for tests: exact values by MPFR, and PyTorch's own
 * formulas as its CPU kernels evaluate them. */
#ifndef SCANC_TESTS_COMPOSITE_ORACLE_H
#define SCANC_TESTS_COMPOSITE_ORACLE_H

#include <mpfr.h>
#include <stdbool.h>

#include "ir/op.h"

typedef struct composite composite;

/* NULL: not known here. */
const composite *composite_find(op_id op);

enum { COMPOSITE_BITS = 160 }; /* of y: enough for the sums that lose digits */

/* The value at x, an f32 if `f32`, with all parameters at their defaults, to 2^-100 and better. */
void composite_exact(const composite *c, bool f32, mpfr_t y, const mpfr_t x);

/* PyTorch's formula for x, which is an f32 if `f32`: every operation is rounded to f32 or f64 as
 * usual, exp, erf and the like to nearest, or towards `side` where
 * the exact value is at least a quarter of an ulp away from the nearest float. */
double composite_torch(const composite *c, bool f32, mpfr_rnd_t side, double x);

#endif
