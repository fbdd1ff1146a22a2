/* Costs of elementwise rows: the expressions of ops.def read with every primitive standing for its
 * price. */
#include "loop/op_cost.h"

#include "ir/type.h"

/* Operands cost nothing themselves. */
#define P1(name, cost) \
  static inline int name(int x) { return x + (cost); }
#define P2(name, cost) \
  static inline int name(int x, int y) { return x + y + (cost); }
#define P3(name, cost) \
  static inline int name(int x, int y, int z) { return x + y + z + (cost); }

P2(price_add, 1)
P1(price_neg, 1)
P2(price_div, 4)
P2(price_intdiv, OP_COST_CALL)
P2(price_minmax, 4)
P1(price_round, 2)
P3(price_sel, 1)
P1(price_exp, 22)
P1(price_log, 34)
P1(price_circular, 50)
P1(price_erfc, 100)
P2(price_pow, 120)
P1(price_call1, OP_COST_CALL)
P2(price_call2, OP_COST_CALL)

#define ADD(x, y) price_add(x, y)
#define SUB(x, y) price_add(x, y)
#define MUL(x, y) price_add(x, y)
#define DIV(x, y) price_div(x, y)
#define FMA(x, y, z) price_sel(x, y, z)
#define NEG(x) price_neg(x)
#define ABS(x) price_neg(x)
#define FLOORDIV(x, y) price_intdiv(x, y)
#define TRUNCDIV(x, y) price_intdiv(x, y)
#define PYMOD(x, y) price_intdiv(x, y)
#define CMOD(x, y) price_intdiv(x, y)
#define MAXN(x, y) price_minmax(x, y)
#define MINN(x, y) price_minmax(x, y)
#define FMAX(x, y) price_minmax(x, y)
#define FMIN(x, y) price_minmax(x, y)
#define LT(x, y) price_add(x, y)
#define LE(x, y) price_add(x, y)
#define GT(x, y) price_add(x, y)
#define GE(x, y) price_add(x, y)
#define EQ(x, y) price_add(x, y)
#define NE(x, y) price_add(x, y)
#define PAND(x, y) price_add(x, y)
#define POR(x, y) price_add(x, y)
#define PNOT(x) price_neg(x)
#define ISNAN(x) price_neg(x)
#define ISINF(x) price_round(x)
#define ISFINITE(x) price_round(x)
#define SIGNBIT(x) price_neg(x)
#define TRUTH(x) price_neg(x)
#define SEL(p, x, y) price_sel(p, x, y)
#define AND(x, y) price_add(x, y)
#define OR(x, y) price_add(x, y)
#define XOR(x, y) price_add(x, y)
#define NOT(x) price_neg(x)
#define SHL(x, y) price_div(x, y)
#define SHR(x, y) price_div(x, y)
#define LIT(c) 0
#define INF_ 0
#define FLOOR(x) price_round(x)
#define CEIL(x) price_round(x)
#define TRUNC(x) price_round(x)
#define RINT(x) price_round(x)
#define SQRT(x) price_round(x)
#define EXP(x) price_exp(x)
#define EXP2(x) price_exp(x)
#define EXPM1(x) price_exp(x)
#define LOG(x) price_log(x)
#define LOG2(x) price_log(x)
#define LOG10(x) price_log(x)
#define LOG1P(x) price_log(x)
#define LOG1P_UNIT(x) price_log(x)
#define SIN(x) price_circular(x)
#define COS(x) price_circular(x)
#define TAN(x) price_circular(x)
#define ASIN(x) price_call1(x)
#define ACOS(x) price_call1(x)
#define ATAN(x) price_call1(x)
#define SINH(x) price_call1(x)
#define COSH(x) price_call1(x)
#define TANH(x) price_log(x)
#define TANH_REST(x) price_circular(x)
#define TANH_SOFTPLUS(x) price_log(x)
#define ASINH(x) price_call1(x)
#define ACOSH(x) price_call1(x)
#define ATANH(x) price_call1(x)
#define ERF(x) price_log(x)
#define ERF_PLUS_ONE(x) price_log(x)
#define ERFC(x) price_erfc(x)
#define LGAMMA(x) price_call1(x)
#define DIGAMMA(x) price_pow(x, 0)
#define ERFINV(x) price_erfc(x)
#define POW(x, y) price_pow(x, y)
#define ATAN2(x, y) price_call2(x, y)
#define HYPOT(x, y) price_call2(x, y)
#define COPYSIGN(x, y) price_add(x, y)
#define NEXTAFTER(x, y) price_call2(x, y)
#define RE(x) (x)
#define IM(x) (x)
#define CMPLX(x, y) ((x) + (y))
#define CONJ(x) (x)
#define NA 0

#define ROW(name, F, I, B, C) \
  case OP_##name: return cls == 'f' ? (F) : cls == 'i' ? (I) : cls == 'b' ? (B) : (C);

int op_cost(op_id op, scanc_dtype acc) {
  enum { a = 0, b = 0, d = 0, e = 0 };
  char cls = dtype_class(acc);
  switch (op) {
#define EW1(name, sig, promo, traits, F, I, B, C) ROW(name, F, I, B, C)
#define EW2(name, sig, promo, traits, F, I, B, C) ROW(name, F, I, B, C)
#define EW3(name, sig, promo, traits, F, I, B, C) ROW(name, F, I, B, C)
#define EW4(name, sig, promo, traits, F, I, B, C) ROW(name, F, I, B, C)
#include "ir/ops.def"
    default: return 0;
  }
}
