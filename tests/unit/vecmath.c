/* The math functions of ir/vecmath.inc against MPFR: limits exact, and at most 2 ulp from the exact
 * value, with fused multiply-add and without, in f32 and f64; at every exponent, around the points
 * where branches of the definitions meet, and at random. With the argument `sweep`: every f32.
 * VECMATH_N sets the number of random points. */
#include <check.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../ulp.h"
#include "ir/ops_kernel.h"
#include "ir/ops_math.h"
#include "loop/target.h"
#include "unit.h"

enum { N_LEVELS = 2, CHUNK = 1024 };

static const double max_ulp = 2;

typedef int (*oracle1)(mpfr_t, const mpfr_t, mpfr_rnd_t);

/* -inf at -0, as 1 / sqrt has it. */
static int exact_rsqrt(mpfr_t y, const mpfr_t a, mpfr_rnd_t rnd) {
  mpfr_sqrt(y, a, rnd);
  return mpfr_ui_div(y, 1, y, rnd);
}

/* 1 / the slope of erf at y */
static void erf_slope_inverse(mpfr_t r, const mpfr_t y) {
  mpfr_t q;
  mpfr_init2(q, mpfr_get_prec(r));
  mpfr_const_pi(q, MPFR_RNDN);
  mpfr_sqrt(q, q, MPFR_RNDN);
  mpfr_div_2ui(q, q, 1, MPFR_RNDN);
  mpfr_sqr(r, y, MPFR_RNDN);
  mpfr_exp(r, r, MPFR_RNDN);
  mpfr_mul(r, r, q, MPFR_RNDN);
  mpfr_clear(q);
}

/* Newton's method for erfc x = 1 - |a|, from below, where its steps stay below. */
static void solve_erfinv(mpfr_t x, const mpfr_t a) {
  mpfr_t rest, step, slope;
  mpfr_inits2(260, rest, step, slope, (mpfr_ptr)0);
  mpfr_abs(rest, a, MPFR_RNDN);
  mpfr_ui_sub(rest, 1, rest, MPFR_RNDN);
  double m = fabs(mpfr_get_d(a, MPFR_RNDN));
  mpfr_set_d(x, m < 0.5 ? 0.8 * m : 0.8 * sqrt(-log(mpfr_get_d(rest, MPFR_RNDN))), MPFR_RNDN);
  do {
    mpfr_erfc(step, x, MPFR_RNDN);
    mpfr_sub(step, step, rest, MPFR_RNDN);
    erf_slope_inverse(slope, x);
    mpfr_mul(step, step, slope, MPFR_RNDN);
    mpfr_add(x, x, step, MPFR_RNDN);
  } while (!mpfr_zero_p(step) && mpfr_get_exp(step) > mpfr_get_exp(x) - 120);
  mpfr_clears(rest, step, slope, (mpfr_ptr)0);
}

static int exact_erfinv(mpfr_t y, const mpfr_t a, mpfr_rnd_t rnd) {
  mpfr_t x;
  if (mpfr_nan_p(a) || mpfr_cmpabs_ui(a, 1) > 0) {
    mpfr_set_nan(y);
  } else if (mpfr_cmpabs_ui(a, 1) == 0) {
    mpfr_set_inf(y, mpfr_sgn(a));
  } else {
    mpfr_init2(x, 260);
    if (mpfr_zero_p(a) || mpfr_get_exp(a) < -60) { /* the cubic term is below 2^-120 */
      mpfr_set_zero(y, 1);
      erf_slope_inverse(x, y);
      mpfr_mul(x, x, a, rnd);
    } else {
      solve_erfinv(x, a);
    }
    mpfr_setsign(y, x, mpfr_signbit(a), rnd);
    mpfr_clear(x);
  }
  return 0;
}

/* PyTorch's values at 0 and -inf. */
static int exact_digamma(mpfr_t y, const mpfr_t a, mpfr_rnd_t rnd) {
  if (mpfr_zero_p(a)) {
    mpfr_set_inf(y, mpfr_signbit(a) ? 1 : -1);
    return 0;
  }
  return mpfr_digamma(y, a, rnd);
}

static const struct {
  const char *name;
  op_id op;
  oracle1 exact;
} functions[] = {
#define FUNCTION(name) {#name, OP_##name, (oracle1)mpfr_##name}
    FUNCTION(exp),
    FUNCTION(exp2),
    FUNCTION(expm1),
    FUNCTION(log),
    FUNCTION(log2),
    FUNCTION(log10),
    FUNCTION(log1p),
    FUNCTION(tanh),
    FUNCTION(erf),
    FUNCTION(erfc),
    FUNCTION(sin),
    FUNCTION(cos),
    FUNCTION(tan),
    FUNCTION(sqrt),
    {"rsqrt", OP_rsqrt, exact_rsqrt},
    {"erfinv", OP_erfinv, exact_erfinv},
    {"digamma", OP_digamma, exact_digamma}};
enum { N_FUNCTIONS = sizeof functions / sizeof *functions };

static bool have_fma;
static uint64_t state = 88172645463325252u;

static uint64_t next_random(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

/* ---- errors ---- */

typedef struct {
  double ulp, x, y;
} worst;

static void note(worst *w, double ulp, double x, double y) {
  if (ulp > w->ulp) *w = (worst){ulp, x, y};
}

/* Below 0 digamma is psi(1 - x) - pi / tan(pi x), with a root between any two poles: what counts
 * are the units of the larger term, or of 1. */
static int least_of(op_id op, double x) {
  const double pi = 3.14159265358979323846;
  int e;
  if (op != OP_digamma || !(x < 0) || isinf(x)) return ULP_RELATIVE;
  double cotangent = pi / tan(pi * remainder(x, 1));
  frexp(isinf(cotangent) ? 1 : fmax(1, fmax(log(-x), fabs(cotangent))), &e);
  return e;
}

/* ---- points ---- */

static double scaled(double range) { return range * ((double)(int64_t)next_random() / 0x1p63); }

/* Near a value at which something changes. */
static double near_corner(void) {
  static const double at[] = {0,
                              0.34657359027997264,
                              0.5,
                              0.69314718055994531,
                              0.70710678118654752,
                              0.9375,
                              1,
                              1.25,
                              1.4142135623730951,
                              1.5707963267948966,
                              2,
                              3,
                              3.1415926535897931,
                              5.95,
                              9.25,
                              19.5,
                              27.5,
                              88.72283905206835,
                              103.97,
                              104,
                              709.78271289338397,
                              745.1332,
                              746,
                              0.41421356,
                              0.29289322,
                              1.4616321449683623,
                              2.75,
                              0.99903,
                              1048576,
                              1647099.3};
  uint64_t b;
  double x = at[next_random() % (sizeof at / sizeof *at)];
  memcpy(&b, &x, sizeof b);
  x = ew_of_bits(b + (uint64_t)((int64_t)next_random() >> (14 + next_random() % 48)));
  return next_random() & 1 ? x : -x;
}

static double random_point(void) {
  static const double range[] = {0.01, 1, 10, 100, 750, 1e5};
  switch (next_random() % 4) {
    case 0: return ew_of_bits(next_random());
    case 1: return near_corner();
    default: return scaled(range[next_random() % 6]);
  }
}

/* The first points are every exponent with the least, greatest and next significands, and
 * infinities and NaN. */
static double point_f64(int i) {
  static const uint64_t significand[] = {0, 1, 0xfffffffffffff, 0x8000000000000};
  if (i < 4 * 4096) return ew_of_bits((uint64_t)(i / 4) << 52 | significand[i % 4]);
  return random_point();
}

static double point_f32(int i) {
  static const uint32_t significand[] = {0, 1, 0x7fffff, 0x400000};
  if (i < 4 * 512) return ew_of_bitsf((uint32_t)(i / 4) << 23 | significand[i % 4]);
  return (float)(next_random() % 4 ? random_point() : ew_of_bitsf((uint32_t)next_random()));
}

static int n_random(void) {
  const char *n = getenv("VECMATH_N");
  return n ? atoi(n) : 20000;
}

/* ---- one argument ---- */

/* A chunk of results at a level: as the interpreter computes them. */
static void run_typed(op_id op, bool fma, scanc_dtype d, int n, const void *in, const void *in2,
                      void *out) {
  int status = 0;
  ew_kernel_of(op, d, fma)(n, out, (const void *[]){in, in2}, (const int64_t[]){1, 1}, &status);
}

static void run_chunk(op_id op, bool fma, bool f32, int n, const double *in, const double *in2,
                      double *out) {
  float a[CHUNK], b[CHUNK], r[CHUNK];
  if (!f32) {
    run_typed(op, fma, SCANC_F64, n, in, in2, out);
    return;
  }
  for (int i = 0; i < n; i++) a[i] = (float)in[i], b[i] = in2 ? (float)in2[i] : 0;
  run_typed(op, fma, SCANC_F32, n, a, b, r);
  for (int i = 0; i < n; i++) out[i] = r[i];
}

static void measure(int f, bool f32, int n, worst *w) {
  double x[CHUNK], got[N_LEVELS][CHUNK];
  mpfr_t a, y;
  mpfr_init2(a, 53);
  mpfr_init2(y, 140);
  for (int at = 0; at < n; at += CHUNK) {
    for (int i = 0; i < CHUNK; i++) x[i] = f32 ? point_f32(at + i) : point_f64(at + i);
    for (int l = 0; l <= have_fma; l++) run_chunk(functions[f].op, l, f32, CHUNK, x, NULL, got[l]);
    for (int i = 0; i < CHUNK; i++) {
      mpfr_set_d(a, x[i], MPFR_RNDN);
      functions[f].exact(y, a, MPFR_RNDN);
      for (int l = 0; l <= have_fma; l++)
        note(&w[l],
             ulp_error(got[l][i], y, f32 ? &ulp_f32 : &ulp_f64, least_of(functions[f].op, x[i])),
             x[i], 0);
    }
  }
  mpfr_clear(a);
  mpfr_clear(y);
}

static void report(const char *name, bool f32, const worst *w) {
  for (int l = 0; l <= have_fma; l++) {
    printf("%-6s %s %s %.3f ulp at %a %a\n", name, f32 ? "f32" : "f64", l ? "fma  " : "plain",
           w[l].ulp, w[l].x, w[l].y);
    ck_assert_msg(w[l].ulp <= max_ulp, "%s: %g ulp at %a, %a", name, w[l].ulp, w[l].x, w[l].y);
  }
}

START_TEST(one_argument) {
  for (int f = 0; f < N_FUNCTIONS; f++)
    for (int f32 = 0; f32 < 2; f32++) {
      worst w[N_LEVELS] = {{0}};
      measure(f, f32, n_random() + 4 * 4096, w);
      report(functions[f].name, f32, w);
    }
}
END_TEST

/* ---- pow ---- */

static const double corner[] = {0,
                                -0.0,
                                1,
                                -1,
                                INFINITY,
                                -INFINITY,
                                NAN,
                                0.5,
                                -0.5,
                                2,
                                -2,
                                3,
                                -3,
                                2.5,
                                1e308,
                                -1e308,
                                5e-324,
                                -5e-324,
                                0x1p52 + 1,
                                0x1p53 - 1,
                                0x1p53,
                                -0x1p53 + 1,
                                0x1.8p51 + 0.5,
                                1e300,
                                1 + 0x1p-52,
                                1 - 0x1p-53,
                                0x1p24 - 1,
                                0x1p-149,
                                7};
enum { N_CORNERS = sizeof corner / sizeof *corner };

static void pow_point(int i, double *x, double *y) {
  if (i < N_CORNERS * N_CORNERS) {
    *x = corner[i / N_CORNERS], *y = corner[i % N_CORNERS];
    return;
  }
  uint64_t r = next_random();
  *x = r % 3 == 0   ? fabs(ew_of_bits(next_random()))
       : r % 3 == 1 ? exp(scaled(3))
                    : 1 + scaled(exp2(-(double)(r >> 8 & 31)));
  *y = scaled(exp2((double)(r >> 16 & 7)));
  /* all of the range of results */
  if (r & 1 << 24 && *x > 0 && *x != 1 && !isinf(*x))
    *y = scaled((r & 1 << 25 ? 760 : 110) / fabs(log(*x)));
  if (r & 1 << 26) *y = rint(*y), *x = r & 1 << 27 ? -*x : *x;
}

static void measure_pow(bool f32, int n, worst *w) {
  double x[CHUNK], y[CHUNK], got[N_LEVELS][CHUNK];
  mpfr_t a, b, r;
  mpfr_inits2(53, a, b, (mpfr_ptr)0);
  mpfr_init2(r, 140);
  for (int at = 0; at < n; at += CHUNK) {
    for (int i = 0; i < CHUNK; i++) {
      pow_point(at + i, &x[i], &y[i]);
      if (f32) x[i] = (float)x[i], y[i] = (float)y[i];
    }
    for (int l = 0; l <= have_fma; l++) run_chunk(OP_pow, l, f32, CHUNK, x, y, got[l]);
    for (int i = 0; i < CHUNK; i++) {
      mpfr_set_d(a, x[i], MPFR_RNDN);
      mpfr_set_d(b, y[i], MPFR_RNDN);
      mpfr_pow(r, a, b, MPFR_RNDN);
      for (int l = 0; l <= have_fma; l++)
        note(&w[l], ulp_error(got[l][i], r, f32 ? &ulp_f32 : &ulp_f64, ULP_RELATIVE), x[i], y[i]);
    }
  }
  mpfr_clears(a, b, r, (mpfr_ptr)0);
}

START_TEST(powers) {
  for (int f32 = 0; f32 < 2; f32++) {
    worst w[N_LEVELS] = {{0}};
    measure_pow(f32, n_random() + N_CORNERS * N_CORNERS, w);
    report("pow", f32, w);
  }
}
END_TEST

/* ---- all of f32 ---- */

/* How far an f32 result is off by the f64 kernels, which are right to 2^-51; infinite where that
 * says nothing. */
static double quick_error(double got, double near_exact) {
  double m = fabs(near_exact);
  uint64_t b;
  if (isnan(got) && isnan(near_exact)) return 0;
  if (!signbit(got) != !signbit(near_exact)) return INFINITY;
  if (isinf(got)) return m > 0x1p129 ? 0 : INFINITY;
  if (!(m < 0x1.fffffp127)) return INFINITY;
  if (m < 0x1p-126) return fabs(got - near_exact) * 0x1p149;
  memcpy(&b, &m, sizeof b);
  return fabs(got - near_exact) * ew_of_bits((2 * 1023 + 23 - (b >> 52)) << 52);
}

/* The places of results other than those of the f64 kernels rounded, which are off by half a unit,
 * give or take 2^-20, and count as exact here. Without branches, as it looks at all of f32. */
static int not_rounded(const float *got, const double *near_exact, int *place) {
  int n = 0;
  for (int i = 0; i < CHUNK; i++) {
    float want = (float)near_exact[i];
    uint32_t a, b;
    memcpy(&a, &got[i], sizeof a);
    memcpy(&b, &want, sizeof b);
    place[n] = i;
    n += a != b;
  }
  return n;
}

static void sweep_chunk(int f, uint32_t first, worst *w) {
  double x[CHUNK], near_exact[CHUNK];
  float x32[CHUNK], got[CHUNK];
  op_id op = functions[f].op;
  mpfr_t a, y;
  mpfr_init2(a, 53);
  mpfr_init2(y, 80);
  for (int i = 0; i < CHUNK; i++) x[i] = x32[i] = ew_of_bitsf(first + (uint32_t)i);
  run_typed(op, have_fma, SCANC_F64, CHUNK, x, NULL, near_exact);
  for (int l = 0; l <= have_fma; l++) {
    run_typed(op, l, SCANC_F32, CHUNK, x32, NULL, got);
    int place[CHUNK], n = not_rounded(got, near_exact, place);
    for (int k = 0; k < n; k++) {
      int i = place[k];
      if (quick_error(got[i], near_exact[i]) <= w[l].ulp) continue;
      mpfr_set_d(a, x[i], MPFR_RNDN);
      functions[f].exact(y, a, MPFR_RNDN);
      note(&w[l], ulp_error(got[i], y, &ulp_f32, least_of(op, x[i])), x[i], 0);
    }
  }
  mpfr_clear(a);
  mpfr_clear(y);
}

static void sweep(const char *only) {
  for (int f = 0; f < N_FUNCTIONS; f++) {
    if (only && strcmp(only, functions[f].name)) continue;
    worst w[N_LEVELS] = {{0}};
    for (uint64_t first = 0; first <= UINT32_MAX; first += CHUNK)
      sweep_chunk(f, (uint32_t)first, w);
    report(functions[f].name, true, w);
    fflush(stdout);
  }
}

static const char *only_function;

START_TEST(every_f32) { sweep(only_function); }
END_TEST

int main(int argc, char **argv) {
  target t;
  target_get(NULL, &t);
  have_fma = t.fma;
  setenv("CK_DEFAULT_TIMEOUT", "36000", 0);
  setenv("CK_FORK", "no", 0);
  if (argc > 2) only_function = argv[2];
  const TTest *const quick[] = {one_argument, powers}, *const full[] = {every_f32};
  if (argc > 1 && !strcmp(argv[1], "sweep")) return unit_run("vecmath", full, 1);
  return unit_run("vecmath", quick, sizeof quick / sizeof quick[0]);
}
