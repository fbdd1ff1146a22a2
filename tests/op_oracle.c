#include "op_oracle.h"

#include <math.h>
#include <stdbool.h>

#include "ir/type.h"

/* ---- rounding ---- */

double round_half(double x, scanc_dtype d) {
  int digits = d == SCANC_F16 ? 11 : 8, low = d == SCANC_F16 ? -24 : -133;
  double limit = d == SCANC_F16 ? 65520 : 0x1.ffp127;
  if (x == 0 || !isfinite(x)) return x;
  if (fabs(x) >= limit) return copysign(INFINITY, x);
  int unit = ilogb(x) - digits + 1;
  if (unit < low) unit = low;
  double scaled = ldexp(x, -unit), whole = floor(scaled), rest = scaled - whole;
  if (rest > 0.5 || (rest == 0.5 && fmod(whole, 2) != 0)) whole += 1;
  return copysign(ldexp(whole, unit), x);
}

int64_t wrap(int64_t x, scanc_dtype d) {
  int bits = 8 * (int)scanc_dtype_size(d);
  if (d == SCANC_BOOL) return x != 0;
  if (bits == 64) return x;
  int64_t low = (int64_t)((uint64_t)x & (((uint64_t)1 << bits) - 1));
  return dtype_signed(d) && low >> (bits - 1) ? low - ((int64_t)1 << bits) : low;
}

/* ---- integers ---- */

static int64_t floor_div(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* Powers wrap; below zero the exponent leaves 1, -1 or 0. */
static int64_t power(int64_t a, int64_t b) {
  if (b < 0) return a == 1 ? 1 : a == -1 ? (b % 2 ? -1 : 1) : 0;
  uint64_t r = 1;
  for (; b > 0; b--) r *= (uint64_t)a;
  return (int64_t)r;
}

static bool int_oracle(op_id op, scanc_dtype d, const int64_t *v, int64_t *r) {
  int64_t a = v[0], b = v[1], c = v[2], bits = 8 * (int64_t)scanc_dtype_size(d);
  bool inside = b >= 0 && b < bits;
  switch (op) {
    case OP_add: *r = a + b; return true;
    case OP_add_scaled: *r = a + b * c; return true;
    case OP_sub: *r = a - b; return true;
    case OP_sub_scaled: *r = a - b * c; return true;
    case OP_rsub: *r = b - a; return true;
    case OP_rsub_scaled: *r = b - a * c; return true;
    case OP_mul: *r = a * b; return true;
    case OP_div_trunc: *r = b ? a / b : 0; return b != 0;
    case OP_floor_divide: *r = b ? floor_div(a, b) : 0; return b != 0;
    case OP_remainder: *r = b ? a - b * floor_div(a, b) : 0; return b != 0;
    case OP_fmod: *r = b ? a % b : 0; return b != 0;
    case OP_neg: *r = -a; return true;
    case OP_abs: *r = a < 0 ? -a : a; return true;
    case OP_sign:
    case OP_sgn: *r = (a > 0) - (a < 0); return true;
    case OP_square: *r = a * a; return true;
    case OP_pow:
    case OP_pow_scalar: *r = power(a, b); return true;
    case OP_addcmul: *r = a + b * c; return true;
    case OP_addcmul_scaled: *r = a + b * c * v[3]; return true;
    case OP_shift_left: *r = inside ? (int64_t)((uint64_t)a << b) : 0; return true;
    case OP_shift_right: *r = inside ? a >> b : a < 0 ? -1 : 0; return true;
    case OP_bitwise_and: *r = a & b; return true;
    case OP_bitwise_or: *r = a | b; return true;
    case OP_bitwise_xor: *r = a ^ b; return true;
    case OP_bitwise_not: *r = d == SCANC_BOOL ? !a : -1 - a; return true;
    case OP_fmax:
    case OP_clamp_min:
    case OP_maximum: *r = a > b ? a : b; return true;
    case OP_fmin:
    case OP_clamp_max:
    case OP_minimum: *r = a < b ? a : b; return true;
    case OP_hardtanh:
    case OP_clamp: *r = a > b ? a : b, *r = *r < c ? *r : c; return true;
    case OP_relu: *r = a > 0 ? a : 0; return true;
    case OP_relu6: *r = a < 0 ? 0 : a > 6 ? 6 : a; return true;
    case OP_where: *r = a ? b : c; return true;
    case OP_masked_fill: *r = a ? c : b; return true;
    case OP_fill:
    case OP_copy: *r = b; return true;
    case OP_conj:
    case OP_floor:
    case OP_ceil:
    case OP_trunc:
    case OP_round:
    case OP_round_decimals: *r = a; return true;
    case OP_heaviside: *r = a == 0 ? b : a > 0; return true;
    case OP_threshold: *r = a <= b ? c : a; return true;
    case OP_threshold_backward: *r = b <= c ? 0 : a; return true;
    case OP_eq: *r = a == b; return true;
    case OP_ne: *r = a != b; return true;
    case OP_lt: *r = a < b; return true;
    case OP_le: *r = a <= b; return true;
    case OP_gt: *r = a > b; return true;
    case OP_ge: *r = a >= b; return true;
    case OP_logical_and: *r = a && b; return true;
    case OP_logical_or: *r = a || b; return true;
    case OP_logical_xor: *r = !a != !b; return true;
    case OP_logical_not: *r = !a; return true;
    case OP_isfinite: *r = 1; return true;
    case OP_isnan:
    case OP_isinf:
    case OP_isposinf:
    case OP_isneginf: *r = 0; return true;
    case OP_signbit: *r = a < 0; return true;
    default: return false;
  }
}

/* ---- floats ---- */

static double greater(double a, double b) {
  if (isnan(a) || isnan(b)) return NAN;
  return a == b ? (signbit(a) ? b : a) : a > b ? a : b;
}

static double lesser(double a, double b) { return -greater(-a, -b); }

static bool float_predicate(op_id op, double a, double b, int64_t *r) {
  switch (op) {
    case OP_eq: *r = a == b; return true;
    case OP_ne: *r = a != b; return true;
    case OP_lt: *r = a < b; return true;
    case OP_le: *r = a <= b; return true;
    case OP_gt: *r = a > b; return true;
    case OP_ge: *r = a >= b; return true;
    case OP_logical_and: *r = a != 0 && b != 0; return true;
    case OP_logical_or: *r = a != 0 || b != 0; return true;
    case OP_logical_xor: *r = (a != 0) != (b != 0); return true;
    case OP_logical_not: *r = a == 0; return true;
    case OP_isnan: *r = a != a; return true;
    case OP_isinf: *r = isinf(a) != 0; return true;
    case OP_isfinite: *r = isfinite(a); return true;
    case OP_isposinf: *r = a == INFINITY; return true;
    case OP_isneginf: *r = a == -INFINITY; return true;
    default: return false;
  }
}

/* The sum, product, quotient... of two halves, correctly rounded to f32 by way of double (which is
 * wide enough for both roundings to count as one), as the op is defined. */
static bool float_exact(op_id op, double a, double b, double c, double *r) {
  switch (op) {
    case OP_add: *r = a + b; return true;
    case OP_sub: *r = a - b; return true;
    case OP_rsub: *r = b - a; return true;
    case OP_mul: *r = a * b; return true;
    case OP_div: *r = a / b; return true;
    case OP_neg: *r = -a; return true;
    case OP_abs: *r = fabs(a); return true;
    case OP_square: *r = a * a; return true;
    case OP_sqrt: *r = sqrt(a); return true;
    case OP_reciprocal: *r = 1 / a; return true;
    case OP_floor: *r = floor(a); return true;
    case OP_ceil: *r = ceil(a); return true;
    case OP_trunc: *r = trunc(a); return true;
    case OP_round: *r = nearbyint(a); return true;
    case OP_frac: *r = a - trunc(a); return true;
    case OP_fmod: *r = fmod(a, b); return true;
    case OP_sign:
    case OP_sgn: *r = isnan(a) ? 0 : (double)((a > 0) - (a < 0)); return true;
    case OP_maximum:
    case OP_clamp_min: *r = greater(a, b); return true;
    case OP_minimum:
    case OP_clamp_max: *r = lesser(a, b); return true;
    case OP_clamp:
    case OP_hardtanh: *r = lesser(greater(a, b), c); return true;
    case OP_fmax: *r = isnan(a) ? b : isnan(b) ? a : greater(a, b); return true;
    case OP_fmin: *r = isnan(a) ? b : isnan(b) ? a : lesser(a, b); return true;
    case OP_relu: *r = a < 0 ? 0 : a; return true;
    case OP_heaviside: *r = a == 0 ? b : a > 0; return true;
    case OP_threshold: *r = a <= b ? c : a; return true;
    case OP_fill:
    case OP_copy: *r = b; return true;
    case OP_conj: *r = a; return true;
    case OP_copysign: *r = copysign(a, b); return !isnan(b);
    default: return false;
  }
}

static bool float_near(op_id op, double a, double b, double *r) {
  switch (op) {
    case OP_exp: *r = exp(a); return true;
    case OP_exp2: *r = exp2(a); return true;
    case OP_expm1: *r = expm1(a); return true;
    case OP_log: *r = log(a); return true;
    case OP_log2: *r = log2(a); return true;
    case OP_log10: *r = log10(a); return true;
    case OP_log1p: *r = log1p(a); return true;
    case OP_sin: *r = sin(a); return true;
    case OP_cos: *r = cos(a); return true;
    case OP_tan: *r = tan(a); return true;
    case OP_asin: *r = asin(a); return true;
    case OP_acos: *r = acos(a); return true;
    case OP_atan: *r = atan(a); return true;
    case OP_sinh: *r = sinh(a); return true;
    case OP_cosh: *r = cosh(a); return true;
    case OP_tanh: *r = tanh(a); return true;
    case OP_asinh: *r = asinh(a); return true;
    case OP_acosh: *r = acosh(a); return true;
    case OP_atanh: *r = atanh(a); return true;
    case OP_atan2: *r = atan2(a, b); return true;
    case OP_hypot: *r = hypot(a, b); return true;
    case OP_pow: *r = pow(a, b); return true;
    case OP_erf: *r = erf(a); return true;
    case OP_erfc: *r = erfc(a); return true;
    case OP_rsqrt: *r = 1 / sqrt(a); return true;
    case OP_sigmoid: *r = 1 / (1 + (double)(float)exp(-a)); return true; /* as PyTorch, overflow */
    case OP_silu: *r = a / (1 + (double)(float)exp(-a)); return true;    /* included */
    default: return false;
  }
}

oracle_kind op_oracle(op_id op, scanc_dtype d, scanc_dtype to, const plain *arg, plain *result) {
  if (dtype_class(d) != 'f') {
    const int64_t v[] = {arg[0].i, arg[1].i, arg[2].i, arg[3].i};
    int64_t r;
    if (!int_oracle(op, d, v, &r)) return ORACLE_NONE;
    result->i = wrap(r, to);
    return ORACLE_EXACT;
  }
  if (op == OP_where || op == OP_masked_fill) {
    result->f = (op == OP_where) == (arg[0].i != 0) ? arg[1].f : arg[2].f;
    return ORACLE_EXACT;
  }
  double a = arg[0].f, b = arg[1].f, r;
  if (float_predicate(op, a, b, &result->i)) return ORACLE_EXACT;
  bool exact = float_exact(op, a, b, arg[2].f, &r);
  if (!exact && !float_near(op, a, b, &r)) return ORACLE_NONE;
  result->f = round_half((float)r, to);
  return exact ? ORACLE_EXACT : ORACLE_NEAR;
}

/* ---- conversions ---- */

/* Truncation, as x86 has it: what does not fit is the smallest number of the type that the
 * instruction makes, i64 or i32, of which narrower types keep the low bits. */
static int64_t truncated(double x, scanc_dtype to) {
  bool wide = to == SCANC_I64 || to == SCANC_U8;
  double limit = wide ? 0x1p63 : 0x1p31;
  if (x > -limit - (wide ? 0 : 1) && x < limit) return (int64_t)x;
  return wide ? INT64_MIN : INT32_MIN;
}

plain convert_oracle(scanc_dtype from, scanc_dtype to, plain v) {
  char f = dtype_class(from), t = dtype_class(to);
  plain r = {0};
  double x = f == 'f' ? v.f : (double)v.i;
  if (t == 'b') r.i = f == 'f' ? v.f != 0 : v.i != 0;
  else if (t == 'i') r.i = wrap(f == 'f' ? truncated(v.f, to) : v.i, to);
  else if (to == SCANC_F64) r.f = x;
  else r.f = to == SCANC_F32 ? (double)(float)x : round_half((float)x, to);
  return r;
}
