/* Python's arithmetic on bool, int and float. Integers have 64 bits here; overflow is reported, not
 * wrapped. */
#include "ir/number_op.h"

#include <math.h>

#include "ir/ops_math.h"

static number of_int(int64_t i) { return (number){.cls = 'i', .i = i, .f = (double)i}; }
static number of_bool(bool b) { return (number){.cls = 'b', .i = b, .f = b}; }
static number of_float(double f) { return (number){.cls = 'f', .f = f}; }

static bool is_float(const number *a) { return a->cls == 'f'; }

static number_status give(number v, number *out) {
  *out = v;
  return NUMBER_OK;
}

static int64_t floor_div(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static number_status int_pow(int64_t base, int64_t k, number *out) {
  int64_t r = 1;
  if (k < 0) return base ? give(of_float(pow((double)base, (double)k)), out) : NUMBER_UNDEFINED;
  for (; k; k >>= 1) {
    if ((k & 1) && __builtin_mul_overflow(r, base, &r)) return NUMBER_UNDEFINED;
    if (k > 1 && __builtin_mul_overflow(base, base, &base)) return NUMBER_UNDEFINED;
  }
  return give(of_int(r), out);
}

static number_status int_arith(op_id op, int64_t x, int64_t y, number *out) {
  int64_t r;
  bool zero = y == 0;
  switch (op) {
    case OP_sym_add:
      return __builtin_add_overflow(x, y, &r) ? NUMBER_UNDEFINED : give(of_int(r), out);
    case OP_sym_sub:
      return __builtin_sub_overflow(x, y, &r) ? NUMBER_UNDEFINED : give(of_int(r), out);
    case OP_sym_mul:
      return __builtin_mul_overflow(x, y, &r) ? NUMBER_UNDEFINED : give(of_int(r), out);
    case OP_sym_pow: return int_pow(x, y, out);
    case OP_sym_truediv: *out = of_float((double)x / (zero ? 1 : (double)y)); break;
    case OP_sym_floordiv:
      if (y == -1) return x == INT64_MIN ? NUMBER_UNDEFINED : give(of_int(-x), out);
      *out = of_int(zero ? x : floor_div(x, y));
      break;
    default: *out = of_int(zero || y == -1 ? 0 : x - floor_div(x, y) * y);
  }
  return zero ? NUMBER_DIV_ZERO : NUMBER_OK;
}

static number_status float_arith(op_id op, double x, double y, number *out) {
  bool zero = y == 0;
  switch (op) {
    case OP_sym_add: return give(of_float(x + y), out);
    case OP_sym_sub: return give(of_float(x - y), out);
    case OP_sym_mul: return give(of_float(x * y), out);
    case OP_sym_pow:
    case OP_sym_fpow: return give(of_float(pow(x, y)), out);
    case OP_sym_truediv: *out = of_float(x / (zero ? 1 : y)); break;
    case OP_sym_floordiv: *out = of_float(ew_floordiv(x, zero ? 1 : y)); break;
    default: *out = of_float(ew_pymod(x, zero ? 1 : y));
  }
  return zero ? NUMBER_DIV_ZERO : NUMBER_OK;
}

static int compare(const number *a, const number *b) {
  if (!is_float(a) && !is_float(b)) return a->i < b->i ? -1 : a->i > b->i;
  return a->f < b->f ? -1 : a->f > b->f ? 1 : a->f == b->f ? 0 : 2;
}

static bool holds(op_id op, int order) {
  switch (op) {
    case OP_sym_eq: return order == 0;
    case OP_sym_ne: return order != 0;
    case OP_sym_lt: return order == -1;
    case OP_sym_le: return order == -1 || order == 0;
    case OP_sym_gt: return order == 1;
    default: return order == 1 || order == 0;
  }
}

static number_status bits(op_id op, const number *a, const number *b, number *out) {
  bool both = a->cls == 'b' && b->cls == 'b';
  if (is_float(a) || is_float(b)) return NUMBER_UNDEFINED;
  if (op == OP_sym_lshift) {
    if (b->i < 0 || b->i > 62 || a->i > INT64_MAX >> b->i || a->i < INT64_MIN >> b->i)
      return NUMBER_UNDEFINED;
    return give(of_int((int64_t)((uint64_t)a->i << b->i)), out);
  }
  if (op == OP_sym_rshift)
    return b->i < 0 ? NUMBER_UNDEFINED : give(of_int(a->i >> (b->i > 63 ? 63 : b->i)), out);
  int64_t r = op == OP_sym_and ? a->i & b->i : op == OP_sym_or ? a->i | b->i : a->i ^ b->i;
  return give(both ? of_bool(r) : of_int(r), out);
}

/* A float that becomes an integer. */
static number_status whole(double f, number *out) {
  if (!(f >= -0x1p63 && f < 0x1p63)) return NUMBER_UNDEFINED;
  return give(of_int((int64_t)f), out);
}

static number_status rounding(op_id op, const number *a, number *out) {
  if (!is_float(a)) return give(of_int(a->i), out);
  return whole(op == OP_sym_floor   ? floor(a->f)
               : op == OP_sym_ceil  ? ceil(a->f)
               : op == OP_sym_round ? rint(a->f)
                                    : trunc(a->f),
               out);
}

static number_status function(op_id op, double x, number *out) {
  double r;
  switch (op) {
    case OP_sym_sqrt: r = sqrt(x); break;
    case OP_sym_exp: r = exp(x); break;
    case OP_sym_log: r = log(x); break;
    case OP_sym_log2: r = log2(x); break;
    case OP_sym_sin: r = sin(x); break;
    case OP_sym_cos: r = cos(x); break;
    case OP_sym_tan: r = tan(x); break;
    case OP_sym_asin: r = asin(x); break;
    case OP_sym_acos: r = acos(x); break;
    case OP_sym_atan: r = atan(x); break;
    case OP_sym_sinh: r = sinh(x); break;
    case OP_sym_cosh: r = cosh(x); break;
    case OP_sym_tanh: r = tanh(x); break;
    default: return NUMBER_UNDEFINED;
  }
  return give(of_float(r), out);
}

static number_status one_operand(op_id op, const number *a, number *out) {
  bool truth = is_float(a) ? a->f != 0 : a->i != 0;
  switch (op) {
    case OP_sym_neg:
      if (is_float(a)) return give(of_float(-a->f), out);
      return a->i == INT64_MIN ? NUMBER_UNDEFINED : give(of_int(-a->i), out);
    case OP_sym_pos: return give(is_float(a) ? *a : of_int(a->i), out);
    case OP_sym_abs:
      if (is_float(a)) return give(of_float(fabs(a->f)), out);
      return a->i == INT64_MIN ? NUMBER_UNDEFINED : give(of_int(a->i < 0 ? -a->i : a->i), out);
    case OP_sym_not: return give(of_bool(!truth), out);
    case OP_sym_bool: return give(of_bool(truth), out);
    case OP_sym_invert: return is_float(a) ? NUMBER_UNDEFINED : give(of_int(~a->i), out);
    case OP_sym_float: return give(of_float(a->f), out);
    case OP_sym_int:
    case OP_sym_floor:
    case OP_sym_ceil:
    case OP_sym_trunc:
    case OP_sym_round: return rounding(op, a, out);
    default: return function(op, a->f, out);
  }
}

number_status number_op(op_id op, const number *a, int n, number *out) {
  for (int k = 0; k < n; k++)
    if (a[k].cls == 'c') return NUMBER_UNDEFINED;
  switch (op) {
    case OP_sym_sum:
      *out = of_int(0);
      for (int k = 0; k < n; k++)
        if (number_op(OP_sym_add, (number[]){*out, a[k]}, 2, out)) return NUMBER_UNDEFINED;
      return NUMBER_OK;
    case OP_sym_add:
    case OP_sym_sub:
    case OP_sym_mul:
    case OP_sym_truediv:
    case OP_sym_floordiv:
    case OP_sym_mod:
    case OP_sym_pow:
      if (is_float(&a[0]) || is_float(&a[1])) return float_arith(op, a[0].f, a[1].f, out);
      return int_arith(op, a[0].i, a[1].i, out);
    case OP_sym_fpow: return float_arith(op, a[0].f, a[1].f, out);
    case OP_sym_eq:
    case OP_sym_ne:
    case OP_sym_lt:
    case OP_sym_le:
    case OP_sym_gt:
    case OP_sym_ge: return give(of_bool(holds(op, compare(&a[0], &a[1]))), out);
    case OP_sym_and:
    case OP_sym_or:
    case OP_sym_xor:
    case OP_sym_lshift:
    case OP_sym_rshift: return bits(op, &a[0], &a[1], out);
    case OP_sym_max: return give(compare(&a[1], &a[0]) == 1 ? a[1] : a[0], out);
    case OP_sym_min: return give(compare(&a[1], &a[0]) == -1 ? a[1] : a[0], out);
    case OP_sym_ite: return give(a[0].i || a[0].f != 0 ? a[1] : a[2], out);
    default: return one_operand(op, &a[0], out);
  }
}
