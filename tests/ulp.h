/* Errors of results in f32 and f64, in units in the last place, against exact values of MPFR. */
#ifndef SCANC_TESTS_ULP_H
#define SCANC_TESTS_ULP_H

#include <mpfr.h>

/* Precision, exponent of the least subnormal, exponent of what overflows. */
typedef struct {
  int digits, least, over;
} ulp_format;
extern const ulp_format ulp_f32, ulp_f64;

enum { ULP_RELATIVE = -(1 << 20) };

/* Distance of `got` from the exact y in units of the last place of y, or of 2^(least - 1) where y
 * is below that and so its sign free (ULP_RELATIVE: nowhere); infinite where a limit or a sign is
 * wrong. */
double ulp_error(double got, const mpfr_t y, const ulp_format *f, int least);

#endif
