/* erfinv and digamma. */
#include "ir/ops_math.h"

static double poly(double x, const double *c, int n) {
  double r = c[0];
  for (int i = 1; i < n; i++) r = r * x + c[i];
  return r;
}

/* A rational approximation, then two Newton steps on erf. */
double ew_erfinv(double y) {
  static const double a[] = {-0.140543331, 0.914624893, -1.645349621, 0.886226899};
  static const double b[] = {0.012229801, -0.329097515, 1.442710462, -2.118377725, 1};
  static const double c[] = {1.641345311, 3.429567803, -1.624906493, -1.970840454};
  static const double d[] = {1.637067800, 3.543889200, 1};
  double m = fabs(y), x;
  if (!(m <= 1)) return NAN;
  if (m == 1) return copysign(INFINITY, y);
  if (m <= 0.7) {
    double z = y * y;
    x = y * poly(z, a, 4) / poly(z, b, 5);
  } else {
    double z = sqrt(-log((1 - m) / 2));
    x = copysign(poly(z, c, 4) / poly(z, d, 3), y);
  }
  const double two_over_sqrt_pi = 1.12837916709551257390;
  for (int i = 0; i < 2; i++) x -= (erf(x) - y) / (two_over_sqrt_pi * exp(-x * x));
  return x;
}

float ew_erfinvf(float x) { return (float)ew_erfinv(x); }

/* Reflection for negative x, recurrence up to 10, then the asymptotic series. Poles: -inf at +0,
 * +inf at -0, NaN at the negative integers. */
double ew_digamma(double x) {
  static const double series[] = {8.33333333333333333333e-2, -2.10927960927960927961e-2,
                                  7.57575757575757575758e-3, -4.16666666666666666667e-3,
                                  3.96825396825396825397e-3, -8.33333333333333333333e-3,
                                  8.33333333333333333333e-2};
  const double pi = 3.14159265358979323846;
  if (x == 0) return copysign(INFINITY, -x);
  if (x < 0) {
    if (x == trunc(x)) return NAN;
    return ew_digamma(1 - x) - pi / tan(pi * (x - trunc(x)));
  }
  double r = 0;
  for (; x < 10; x += 1) r -= 1 / x;
  if (x == 10) return r + 2.25175258906672110764;
  double z = 1 / (x * x);
  return r + log(x) - 0.5 / x - (x < 1e17 ? z * poly(z, series, 7) : 0);
}

float ew_digammaf(float x) { return (float)ew_digamma(x); }
