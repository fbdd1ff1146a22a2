/* The C column of ops.def on pairs of values: every primitive becomes statements on real and
 * imaginary parts, in the order in which ops_math.h computes them, or calls of libm's functions of
 * complex numbers. */
#include <assert.h>

#include "ir/complex_fn.h"
#include "loop/body.h"

/* A complex number, or with im < 0 a real number or a predicate (bool). */
typedef struct {
  int re, im;
} cv;

typedef struct {
  body *b;
  scanc_dtype real;
} cx;

static cv op1(cx *x, op_id op, int a) {
  return (cv){body_op(x->b, op, x->real, (int[]){a}, NULL), -1};
}
static cv op2(cx *x, op_id op, int a, int c) {
  return (cv){body_op(x->b, op, x->real, (int[]){a, c}, NULL), -1};
}
static cv pred2(cx *x, op_id op, int a, int c) {
  return (cv){body_op(x->b, op, SCANC_BOOL, (int[]){a, c}, NULL), -1};
}

static int choose(cx *x, int p, int a, int c) {
  return body_op(x->b, OP_where, x->real, (int[]){p, a, c}, NULL);
}

static int number(cx *x, double v) { return body_const(x->b, val_float(v), x->real); }

/* No row has an operation of a complex and a real operand. */
static void check_alike(cv a, cv c) { assert((a.im < 0) == (c.im < 0)); }

static cv parts(cx *x, op_id op, cv a, cv c) {
  check_alike(a, c);
  cv r = op2(x, op, a.re, c.re);
  if (a.im >= 0) r.im = op2(x, op, a.im, c.im).re;
  return r;
}

static cv negative(cx *x, cv a) {
  cv r = op1(x, OP_neg, a.re);
  if (a.im >= 0) r.im = op1(x, OP_neg, a.im).re;
  return r;
}

static int mul(cx *x, int a, int c) { return op2(x, OP_mul, a, c).re; }
static int add(cx *x, int a, int c) { return op2(x, OP_add, a, c).re; }
static int sub(cx *x, int a, int c) { return op2(x, OP_sub, a, c).re; }
static int quotient(cx *x, int a, int c) { return op2(x, OP_div, a, c).re; }

static cv product(cx *x, cv a, cv c) {
  check_alike(a, c);
  if (a.im < 0) return op2(x, OP_mul, a.re, c.re);
  return (cv){sub(x, mul(x, a.re, c.re), mul(x, a.im, c.im)),
              add(x, mul(x, a.re, c.im), mul(x, a.im, c.re))};
}

/* ew_cdiv: every way is computed, and one is chosen. */
static cv division(cx *x, cv a, cv c) {
  check_alike(a, c);
  if (a.im < 0) return op2(x, OP_div, a.re, c.re);
  int p = op1(x, OP_abs, c.re).re, q = op1(x, OP_abs, c.im).re, zero = number(x, 0),
      one = number(x, 1);
  int r1 = quotient(x, c.im, c.re), s1 = quotient(x, one, add(x, c.re, mul(x, c.im, r1)));
  int re1 = mul(x, add(x, a.re, mul(x, a.im, r1)), s1),
      im1 = mul(x, sub(x, a.im, mul(x, a.re, r1)), s1);
  int r2 = quotient(x, c.re, c.im), s2 = quotient(x, one, add(x, mul(x, c.re, r2), c.im));
  int re2 = mul(x, add(x, mul(x, a.re, r2), a.im), s2),
      im2 = mul(x, sub(x, mul(x, a.im, r2), a.re), s2);
  int wide = body_op(x->b, OP_ge, x->real, (int[]){p, q}, NULL);
  int p0 = body_op(x->b, OP_eq, x->real, (int[]){p, zero}, NULL),
      q0 = body_op(x->b, OP_eq, x->real, (int[]){q, zero}, NULL);
  int both = pred2(x, OP_logical_and, p0, q0).re;
  int re = choose(x, wide, re1, re2), im = choose(x, wide, im1, im2);
  return (cv){choose(x, both, quotient(x, a.re, p), re), choose(x, both, quotient(x, a.im, q), im)};
}

static cv equal(cx *x, cv a, cv c) {
  check_alike(a, c);
  cv re = {body_op(x->b, OP_eq, x->real, (int[]){a.re, c.re}, NULL), -1};
  if (a.im < 0) return re;
  return pred2(x, OP_logical_and, re.re, body_op(x->b, OP_eq, x->real, (int[]){a.im, c.im}, NULL));
}

static cv negation(cx *x, cv p) {
  return (cv){body_op(x->b, OP_logical_not, SCANC_BOOL, (int[]){p.re}, NULL), -1};
}

static cv is(cx *x, op_id op, cv a) {
  return (cv){body_op(x->b, op, x->real, (int[]){a.re}, NULL), -1};
}

static cv selection(cx *x, cv p, cv a, cv c) {
  check_alike(a, c);
  cv r = {choose(x, p.re, a.re, c.re), -1};
  if (a.im >= 0) r.im = choose(x, p.re, a.im, c.im);
  return r;
}

/* A function of one or two complex operands, in f64. */
static cv function(cx *x, complex_fn f, int n, cv a, cv c) {
  int args[4] = {a.re, a.im, c.re, c.im}, part[2];
  for (int k = 0; k < 2 * n; k++) args[k] = body_cast(x->b, args[k], SCANC_F64);
  for (int k = 0; k < 2; k++) {
    part[k] = body_call(x->b, complex_fn_part(f, k ? PART_IMAGINARY : PART_REAL), args, NULL);
    part[k] = body_cast(x->b, part[k], x->real);
  }
  return (cv){part[0], part[1]};
}

static cv literal(cx *x, double v) { return (cv){number(x, v), number(x, 0)}; }

static cv truth(cx *x, cv a) { return negation(x, equal(x, a, literal(x, 0))); }

static cv conjugate(cx *x, cv a) {
  assert(a.im >= 0);
  return (cv){a.re, op1(x, OP_neg, a.im).re};
}

/* ew_cpow */
static cv power(cx *x, cv a, cv c) {
  cv square = product(x, a, a), other = function(x, COMPLEX_cpow, 2, a, c);
  return selection(x, equal(x, c, literal(x, 2)), square, other);
}

static cv imaginary(cv a) {
  assert(a.im >= 0);
  return (cv){a.im, -1};
}

#define ADD(a, b) parts(x, OP_add, a, b)
#define SUB(a, b) parts(x, OP_sub, a, b)
#define MUL(a, b) product(x, a, b)
#define DIV(a, b) division(x, a, b)
#define NEG(a) negative(x, a)
#define RE(a) ((cv){(a).re, -1})
#define IM(a) imaginary(a)
#define CMPLX(u, v) complex_of(u, v)
#define CONJ(a) conjugate(x, a)
#define EQ(a, b) equal(x, a, b)
#define NE(a, b) negation(x, equal(x, a, b))
#define PAND(p, q) pred2(x, OP_logical_and, (p).re, (q).re)
#define POR(p, q) pred2(x, OP_logical_or, (p).re, (q).re)
#define PNOT(p) negation(x, p)
#define TRUTH(a) truth(x, a)
#define ISNAN(a) is(x, OP_isnan, a)
#define ISINF(a) is(x, OP_isinf, a)
#define ISFINITE(a) is(x, OP_isfinite, a)
#define SEL(p, u, v) selection(x, p, u, v)
#define LIT(c) literal(x, c)
#define HYPOT(a, b) op2(x, OP_hypot, (a).re, (b).re)
#define ATAN2(a, b) op2(x, OP_atan2, (a).re, (b).re)
#define SQRT(a) function(x, COMPLEX_csqrt, 1, a, a)
#define EXP(a) function(x, COMPLEX_cexp, 1, a, a)
#define LOG(a) function(x, COMPLEX_clog, 1, a, a)
#define SIN(a) function(x, COMPLEX_csin, 1, a, a)
#define COS(a) function(x, COMPLEX_ccos, 1, a, a)
#define TAN(a) function(x, COMPLEX_ctan, 1, a, a)
#define ASIN(a) function(x, COMPLEX_casin, 1, a, a)
#define ACOS(a) function(x, COMPLEX_cacos, 1, a, a)
#define ATAN(a) function(x, COMPLEX_catan, 1, a, a)
#define SINH(a) function(x, COMPLEX_csinh, 1, a, a)
#define COSH(a) function(x, COMPLEX_ccosh, 1, a, a)
#define TANH(a) function(x, COMPLEX_ctanh, 1, a, a)
#define ASINH(a) function(x, COMPLEX_casinh, 1, a, a)
#define ACOSH(a) function(x, COMPLEX_cacosh, 1, a, a)
#define ATANH(a) function(x, COMPLEX_catanh, 1, a, a)
#define POW(a, b) power(x, a, b)
#define NA absent()

/* Callers ask for rows with a meaning only. */
static cv absent(void) { SCANC_UNREACHABLE("row without a meaning for complex numbers"); }

static cv complex_of(cv re, cv im) { return (cv){re.re, im.re}; }

typedef cv (*row_fn)(cx *x, const cv *in);

#define ROW(name, C, ...) \
  static cv row_##name(cx *x, const cv *in) { \
    __VA_ARGS__; \
    (void)x; \
    return C; \
  }
#define A_ \
  cv a = in[0]; \
  (void)a
#define B_ \
  cv b = in[1]; \
  (void)b
#define D_ \
  cv d = in[2]; \
  (void)d
#define E_ \
  cv e = in[3]; \
  (void)e
#define EW1(name, sig, promo, traits, F, I, B, C) ROW(name, C, A_)
#define EW2(name, sig, promo, traits, F, I, B, C) ROW(name, C, A_; B_)
#define EW3(name, sig, promo, traits, F, I, B, C) ROW(name, C, A_; B_; D_)
#define EW4(name, sig, promo, traits, F, I, B, C) ROW(name, C, A_; B_; D_; E_)
#include "ir/ops.def"

#define EW1(name, ...) [OP_##name] = row_##name,
#define EW2(name, ...) [OP_##name] = row_##name,
#define EW3(name, ...) [OP_##name] = row_##name,
#define EW4(name, ...) [OP_##name] = row_##name,
static const row_fn rows[N_OPS] = {
#include "ir/ops.def"
};

/* ---- order ---- */

/* The order in which a row's statements are made depends on the compiler, which may evaluate the
 * arguments of a call in any order; so they are put in that of their use, operands first. */
typedef struct {
  stmt_list *body;
  int first, n_old;
  stmt *old; /* the statements from `first` on; value -1 once placed */
} arrangement;

static void arrange(arrangement *a, int value) {
  for (int i = 0; i < a->n_old; i++) {
    stmt s = a->old[i];
    if (s.value != value || value < 0) continue;
    a->old[i].value = -1;
    for (int k = 0; k < s.n_args; k++) arrange(a, s.arg[k]);
    a->body->data[a->body->len++] = s;
    return;
  }
}

void complex_op(body *b, op_id op, scanc_dtype real, const int (*args)[2], const bool *pair,
                int n_args, int *out) {
  cx x = {b, real};
  cv in[4] = {{0, 0}};
  stmt_list *list = &b->n->body;
  int first = list->len;
  for (int k = 0; k < n_args && k < 4; k++) in[k] = (cv){args[k][0], pair[k] ? args[k][1] : -1};
  cv r = rows[op](&x, in);
  out[0] = r.re;
  if (r.im >= 0) out[1] = r.im;
  arrangement a = {list, first, list->len - first, NULL};
  a.old = arena_copy(b->mem, list->data + first, sizeof(stmt) * (size_t)a.n_old);
  list->len = first;
  arrange(&a, r.re);
  arrange(&a, r.im);
}
