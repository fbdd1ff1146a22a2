#include "composite_oracle.h"

#include <math.h>

static bool in_f32; /* the type of the argument */

/* ---- exact values ---- */

/* MPFR's functions, rounded to nearest. */
#define X(function, ...) ((void)mpfr_##function(__VA_ARGS__, MPFR_RNDN))

static void exact_sigmoid(mpfr_t y, const mpfr_t x) {
  X(neg, y, x);
  X(exp, y, y);
  X(add_ui, y, y, 1);
  X(ui_div, y, 1, y);
}

static void exact_silu(mpfr_t y, const mpfr_t x) {
  X(neg, y, x);
  X(exp, y, y);
  X(add_ui, y, y, 1);
  X(div, y, x, y);
}

static void exact_log_sigmoid(mpfr_t y, const mpfr_t x) {
  bool below = mpfr_sgn(x) < 0;
  X(abs, y, x);
  X(neg, y, y);
  X(exp, y, y);
  X(log1p, y, y);
  X(neg, y, y);
  if (below) X(add, y, y, x);
}

/* Beyond the threshold softplus is x by definition. */
static void exact_softplus(mpfr_t y, const mpfr_t x) {
  if (!mpfr_nan_p(x) && mpfr_cmp_ui(x, 20) > 0) {
    X(set, y, x);
    return;
  }
  X(exp, y, x);
  X(log1p, y, y);
}

/* x tanh(log(1 + e)) = x n / (n + 2), n = e (e + 2), e = e^x */
static void exact_mish(mpfr_t y, const mpfr_t x) {
  mpfr_t n;
  if (!mpfr_nan_p(x) && mpfr_cmp_ui(x, 1000) > 0) {
    X(set, y, x);
    return;
  }
  mpfr_init2(n, mpfr_get_prec(y));
  X(exp, y, x);
  X(add_ui, n, y, 2);
  X(mul, n, n, y);
  X(add_ui, y, n, 2);
  X(div, n, n, y);
  X(mul, y, n, x);
  mpfr_clear(n);
}

/* erfc(-x / sqrt(2)) / 2 */
static void exact_ndtr(mpfr_t y, const mpfr_t x) {
  X(set_si_2exp, y, 1, -1);
  X(sqrt, y, y);
  X(mul, y, y, x);
  X(neg, y, y);
  X(erfc, y, y);
  X(div_2ui, y, y, 1);
}

static void exact_gelu(mpfr_t y, const mpfr_t x) {
  exact_ndtr(y, x);
  X(mul, y, y, x);
}

/* x (1 + tanh u) / 2 = x / (1 + e^-2u), u = sqrt(2 / pi) (x + 0.044715 x^3) */
static void exact_gelu_tanh(mpfr_t y, const mpfr_t x) {
  mpfr_t u;
  mpfr_init2(u, mpfr_get_prec(y));
  X(sqr, u, x);
  X(mul, u, u, x);
  X(mul_ui, u, u, 44715);
  X(div_ui, u, u, 1000000);
  X(add, u, u, x);
  mpfr_const_pi(y, MPFR_RNDN);
  X(ui_div, y, 8, y);
  X(sqrt, y, y);
  X(mul, u, u, y);
  X(neg, u, u);
  X(exp, u, u);
  X(add_ui, u, u, 1);
  X(div, y, x, u);
  mpfr_clear(u);
}

static void exact_elu(mpfr_t y, const mpfr_t x) {
  if (mpfr_sgn(x) > 0) X(set, y, x);
  else X(expm1, y, x);
}

static void exact_selu(mpfr_t y, const mpfr_t x) {
  mpfr_t c;
  mpfr_init2(c, mpfr_get_prec(y));
  exact_elu(y, x);
  mpfr_set_str(c, "1.0507009873554804934193349852946", 10, MPFR_RNDN);
  X(mul, y, y, c);
  mpfr_set_str(c, "1.6732632423543772848170429916717", 10, MPFR_RNDN);
  if (mpfr_sgn(x) < 0) X(mul, y, y, c);
  mpfr_clear(c);
}

/* Where x is small, by three terms of the series: x^3 (1/3 - x^2 (2/15 - 17/315 x^2)). */
static void exact_tanhshrink(mpfr_t y, const mpfr_t x) {
  if (mpfr_regular_p(x) && mpfr_get_exp(x) < -20) {
    mpfr_t square;
    mpfr_init2(square, mpfr_get_prec(y));
    X(sqr, square, x);
    X(mul_ui, y, square, 17);
    X(div_ui, y, y, 21);
    X(ui_sub, y, 2, y);
    X(mul, y, y, square);
    X(div_ui, y, y, 5);
    X(ui_sub, y, 1, y);
    X(mul, y, y, square);
    X(mul, y, y, x);
    X(div_ui, y, y, 3);
    mpfr_clear(square);
    return;
  }
  X(tanh, y, x);
  X(sub, y, x, y);
}

static void exact_softsign(mpfr_t y, const mpfr_t x) {
  X(abs, y, x);
  X(add_ui, y, y, 1);
  X(div, y, x, y);
}

static void exact_logit(mpfr_t y, const mpfr_t x) {
  X(ui_sub, y, 1, x);
  X(div, y, x, y);
  X(log, y, y);
}

/* sin(pi x) / (pi x); the sine of an angle of at most pi / 2, of which no digits are lost */
static void exact_sinc(mpfr_t y, const mpfr_t x) {
  mpfr_t pi;
  if (mpfr_zero_p(x)) {
    X(set_ui, y, 1);
    return;
  }
  mpfr_init2(pi, mpfr_get_prec(y));
  X(set_ui, pi, 2);
  X(remainder, y, x, pi);
  if (mpfr_cmp_d(y, 0.5) > 0) X(ui_sub, y, 1, y);
  if (mpfr_cmp_d(y, -0.5) < 0) X(si_sub, y, -1, y);
  mpfr_const_pi(pi, MPFR_RNDN);
  X(mul, y, y, pi);
  X(sin, y, y);
  X(div, y, y, x);
  X(div, y, y, pi);
  mpfr_clear(pi);
}

static void exact_rsqrt(mpfr_t y, const mpfr_t x) {
  X(sqrt, y, x);
  X(ui_div, y, 1, y);
}

static void exact_angle(mpfr_t y, const mpfr_t x) {
  if (mpfr_nan_p(x)) mpfr_set_nan(y);
  else if (mpfr_sgn(x) < 0) mpfr_const_pi(y, MPFR_RNDN);
  else mpfr_set_zero(y, 1);
}

static void exact_frac(mpfr_t y, const mpfr_t x) {
  mpfr_trunc(y, x);
  X(sub, y, x, y);
}

static void exact_sign(mpfr_t y, const mpfr_t x) { X(set_si, y, mpfr_nan_p(x) ? 0 : mpfr_sgn(x)); }

/* x between the limits, of which a zero one is +0 */
static void clamp(mpfr_t y, const mpfr_t x, long low, long high) {
  X(set, y, x);
  if (mpfr_nan_p(x)) return;
  if (mpfr_cmp_si(x, low) < 0) X(set_si, y, low);
  if (mpfr_cmp_si(x, high) > 0) X(set_si, y, high);
}

static void exact_relu(mpfr_t y, const mpfr_t x) {
  X(set, y, x);
  if (mpfr_sgn(x) < 0) mpfr_set_zero(y, 1);
}

static void exact_relu6(mpfr_t y, const mpfr_t x) { clamp(y, x, 0, 6); }
static void exact_hardtanh(mpfr_t y, const mpfr_t x) { clamp(y, x, -1, 1); }

static void exact_hardsigmoid(mpfr_t y, const mpfr_t x) {
  X(add_ui, y, x, 3);
  clamp(y, y, 0, 6);
  X(div_ui, y, y, 6);
}

static void exact_hardswish(mpfr_t y, const mpfr_t x) {
  exact_hardsigmoid(y, x);
  X(mul, y, y, x);
}

/* The slope is the nearest f64 to 0.01. */
static void exact_leaky_relu(mpfr_t y, const mpfr_t x) {
  X(set, y, x);
  if (mpfr_sgn(x) < 0) X(mul_d, y, x, 0.01);
}

static void exact_hardshrink(mpfr_t y, const mpfr_t x) {
  X(set, y, x);
  if (mpfr_cmp_d(x, -0.5) >= 0 && mpfr_cmp_d(x, 0.5) <= 0 && !mpfr_nan_p(x)) mpfr_set_zero(y, 1);
}

static void exact_softshrink(mpfr_t y, const mpfr_t x) {
  if (mpfr_cmp_d(x, 0.5) > 0) X(sub_d, y, x, 0.5);
  else if (mpfr_cmp_d(x, -0.5) < 0) X(add_d, y, x, 0.5);
  else X(mul_ui, y, x, 0);
}

static double largest(void) { return in_f32 ? 0x1.fffffep127 : 0x1.fffffffffffffp1023; }

static void exact_nan_to_num(mpfr_t y, const mpfr_t x) {
  X(set, y, x);
  if (mpfr_nan_p(x)) mpfr_set_zero(y, 1);
  else if (mpfr_inf_p(x)) X(set_d, y, copysign(largest(), mpfr_sgn(x)));
}

/* ---- PyTorch's formulas ---- */

/* Operations round to the type of the formula; two roundings of f32, of which the first is to f64,
 * are as good as one. */
static double rounded(double x) { return in_f32 ? (double)(float)x : x; }
static double add(double a, double b) { return rounded(a + b); }
static double sub(double a, double b) { return rounded(a - b); }
static double mul(double a, double b) { return rounded(a * b); }
static double quot(double a, double b) { return rounded(a / b); }
#define C(c) rounded(c) /* a constant */

typedef int (*function)(mpfr_t, const mpfr_t, mpfr_rnd_t);

static mpfr_rnd_t direction; /* where the exact value is well between two floats */

static double rounded_exact(const mpfr_t y, mpfr_rnd_t rnd) {
  return in_f32 ? (double)mpfr_get_flt(y, rnd) : mpfr_get_d(y, rnd);
}

static double elementary(function f, double a) {
  mpfr_t x, y;
  mpfr_init2(x, 53);
  mpfr_init2(y, 90);
  X(set_d, x, a);
  f(y, x, MPFR_RNDN);
  double near = rounded_exact(y, MPFR_RNDN), other = rounded_exact(y, direction);
  mpfr_sub_d(y, y, near, MPFR_RNDN);
  bool between = fabs(mpfr_get_d(y, MPFR_RNDN)) > fabs(other - near) / 4;
  mpfr_clear(x);
  mpfr_clear(y);
  return between ? other : near;
}

#define ELEMENTARY(name) \
  static double t_##name(double a) { return elementary((function)mpfr_##name, a); }
ELEMENTARY(exp)
ELEMENTARY(expm1)
ELEMENTARY(log)
ELEMENTARY(log1p)
ELEMENTARY(tanh)
ELEMENTARY(erf)
ELEMENTARY(sin)

static double least(double a, double b) { return isnan(a) || a < b ? a : b; }
static double greatest(double a, double b) { return isnan(a) || a > b ? a : b; }

/* aten/src/ATen/native/cpu/UnaryOpsKernel.cpp */
static double torch_sigmoid(double a) { return quot(1, add(1, t_exp(sub(0, a)))); }
static double torch_logit(double a) { return t_log(quot(a, sub(1, a))); }
static double torch_rsqrt(double a) { return quot(1, rounded(sqrt(a))); }
static double torch_frac(double a) { return sub(a, trunc(a)); }
static double torch_sign(double a) { return (a > 0) - (a < 0); }
static double torch_angle(double a) { return isnan(a) ? a : a < 0 ? C(3.14159265358979323846) : 0; }
static double torch_sinc(double a) {
  double product = mul(C(3.14159265358979323846), a);
  return a == 0 ? 1 : quot(t_sin(product), product);
}
static double torch_nan_to_num(double a) {
  return isnan(a) ? 0 : isinf(a) ? copysign(largest(), a) : a;
}

/* aten/src/ATen/native/cpu/Activation.cpp */
static double torch_silu(double a) { return quot(a, add(1, t_exp(-a))); }
static double torch_log_sigmoid(double a) { return sub(least(a, 0), t_log1p(t_exp(-fabs(a)))); }
static double torch_softplus(double a) {
  return mul(a, 1) > 20 ? a : quot(t_log1p(t_exp(mul(a, 1))), 1);
}
static double torch_mish(double a) { return mul(a, t_tanh(t_log1p(t_exp(a)))); }
static double torch_relu6(double a) { return greatest(least(a, 6), 0); }
static double torch_hardsigmoid(double a) { return quot(least(greatest(add(a, 3), 0), 6), 6); }
static double torch_hardswish(double a) {
  return quot(mul(a, least(greatest(add(a, 3), 0), 6)), 6);
}
static double torch_leaky_relu(double a) { return a > 0 ? a : mul(a, C(0.01)); }
static double torch_hardshrink(double a) { return a >= -0.5 && a <= 0.5 ? 0 : a; }
static double torch_softshrink(double a) {
  return a > 0.5 ? sub(a, 0.5) : a < -0.5 ? add(a, 0.5) : mul(a, 0);
}

/* aten/src/ATen/native/cpu/Elu.h; selu and celu call it with constants (native/Activation.cpp) */
static double elu(double a, double alpha, double scale, double input_scale) {
  double slope = mul(C(alpha), C(scale));
  return a < 0 ? mul(t_expm1(mul(a, C(input_scale))), slope) : mul(a, C(scale));
}
static double torch_elu(double a) { return elu(a, 1, 1, 1); }
static double torch_selu(double a) {
  return elu(a, 1.6732632423543772848170429916717, 1.0507009873554804934193349852946, 1);
}

/* aten/src/ATen/native/cpu/Gelu.h */
static double torch_gelu(double a) {
  return mul(mul(a, 0.5), add(1, t_erf(mul(a, C(0.70710678118654752440)))));
}
static double torch_gelu_tanh(double a) {
  double cube = mul(mul(a, a), a);
  double inner = mul(C(0.79788456080286535588), add(a, mul(C(0.044715), cube)));
  return mul(mul(0.5, a), add(1, t_tanh(inner)));
}

/* aten/src/ATen/native/TensorCompare.cpp, UnaryOps.cpp */
static double torch_relu(double a) { return a < 0 ? 0 : a; }
static double torch_hardtanh(double a) { return least(greatest(a, -1), 1); }
static double torch_ndtr(double a) {
  return mul(add(1, t_erf(mul(a, C(0.70710678118654752440)))), 0.5);
}

/* torch/nn/functional.py: an operation of tensors after the other */
static double torch_softsign(double a) { return quot(a, add(fabs(a), 1)); }
static double torch_tanhshrink(double a) { return sub(a, t_tanh(a)); }

/* ---- the table ---- */

struct composite {
  op_id op;
  void (*exact)(mpfr_t y, const mpfr_t x);
  double (*torch)(double x);
};

static const composite composites[] = {
    {OP_sigmoid, exact_sigmoid, torch_sigmoid},
    {OP_log_sigmoid, exact_log_sigmoid, torch_log_sigmoid},
    {OP_log_sigmoid_forward, exact_log_sigmoid, torch_log_sigmoid},
    {OP_silu, exact_silu, torch_silu},
    {OP_gelu, exact_gelu, torch_gelu},
    {OP_gelu_tanh, exact_gelu_tanh, torch_gelu_tanh},
    {OP_softplus, exact_softplus, torch_softplus},
    {OP_mish, exact_mish, torch_mish},
    {OP_elu, exact_elu, torch_elu},
    {OP_celu, exact_elu, torch_elu},
    {OP_selu, exact_selu, torch_selu},
    {OP_tanhshrink, exact_tanhshrink, torch_tanhshrink},
    {OP_softsign, exact_softsign, torch_softsign},
    {OP_ndtr, exact_ndtr, torch_ndtr},
    {OP_logit, exact_logit, torch_logit},
    {OP_sinc, exact_sinc, torch_sinc},
    {OP_rsqrt, exact_rsqrt, torch_rsqrt},
    {OP_angle, exact_angle, torch_angle},
    {OP_frac, exact_frac, torch_frac},
    {OP_sign, exact_sign, torch_sign},
    {OP_sgn, exact_sign, torch_sign},
    {OP_relu, exact_relu, torch_relu},
    {OP_relu6, exact_relu6, torch_relu6},
    {OP_hardtanh, exact_hardtanh, torch_hardtanh},
    {OP_hardsigmoid, exact_hardsigmoid, torch_hardsigmoid},
    {OP_hardswish, exact_hardswish, torch_hardswish},
    {OP_leaky_relu, exact_leaky_relu, torch_leaky_relu},
    {OP_hardshrink, exact_hardshrink, torch_hardshrink},
    {OP_softshrink, exact_softshrink, torch_softshrink},
    {OP_nan_to_num, exact_nan_to_num, torch_nan_to_num},
};

const composite *composite_find(op_id op) {
  for (size_t i = 0; i < sizeof composites / sizeof *composites; i++)
    if (composites[i].op == op) return &composites[i];
  return NULL;
}

void composite_exact(const composite *c, bool f32, mpfr_t y, const mpfr_t x) {
  in_f32 = f32;
  c->exact(y, x);
}

double composite_torch(const composite *c, bool f32, mpfr_rnd_t side, double x) {
  in_f32 = f32;
  direction = side;
  return c->torch(x);
}
