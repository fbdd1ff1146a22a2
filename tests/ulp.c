#include "ulp.h"

#include <math.h>
#include <stdbool.h>

const ulp_format ulp_f32 = {24, -149, 128}, ulp_f64 = {53, -1074, 1024};

/* Whether the exact value rounds to infinity. */
static bool overflows(const mpfr_t y, const ulp_format *f) {
  if (mpfr_inf_p(y)) return true;
  if (mpfr_zero_p(y) || mpfr_get_exp(y) < f->over) return false;
  if (mpfr_get_exp(y) > f->over) return true;
  mpfr_t limit, half;
  mpfr_init2(limit, 120);
  mpfr_init2(half, 120);
  mpfr_set_ui_2exp(limit, 1, f->over, MPFR_RNDN);
  mpfr_set_ui_2exp(half, 1, f->over - f->digits - 1, MPFR_RNDN);
  mpfr_sub(limit, limit, half, MPFR_RNDN);
  bool r = mpfr_cmpabs(y, limit) >= 0;
  mpfr_clear(limit);
  mpfr_clear(half);
  return r;
}

double ulp_error(double got, const mpfr_t y, const ulp_format *f, int least) {
  if (mpfr_nan_p(y) || isnan(got)) return mpfr_nan_p(y) && isnan(got) ? 0 : INFINITY;
  bool small = mpfr_regular_p(y) && mpfr_get_exp(y) < least;
  if (!small && !signbit(got) != !mpfr_signbit(y)) return INFINITY;
  if (overflows(y, f) || isinf(got)) return overflows(y, f) && isinf(got) ? 0 : INFINITY;
  if (mpfr_zero_p(y)) return got == 0 ? 0 : INFINITY;
  long last = (small ? least : mpfr_get_exp(y)) - f->digits;
  if (last < f->least) last = f->least;
  mpfr_t d;
  mpfr_init2(d, 64);
  mpfr_sub_d(d, y, got, MPFR_RNDN);
  mpfr_mul_2si(d, d, -last, MPFR_RNDN);
  double r = fabs(mpfr_get_d(d, MPFR_RNDN));
  mpfr_clear(d);
  return r;
}
