/* "Never worse than PyTorch": every composite of the op table that has one argument, in f32 and
 * f64, against exact values of MPFR and against PyTorch's own formula for it
 * (../composite_oracle.c).
 *
 * Compared are the largest errors in each neighbourhood of arguments: those of one sign, one
 * exponent and one quarter of the significands. What the program computes must be right to 2 ulp,
 * or be no further off than the formula is somewhere in that neighbourhood. The formula is
 * evaluated in the same type, operation by operation. Its elementary functions have the exact value
 * rounded to nearest, and again that rounded up, or down, where it lies well between two floats:
 * PyTorch's kernels call functions that promise 1 ulp, not the nearest float. A wrong limit or sign
 * is infinitely far off.
 *
 * Results are the interpreter's, with fused multiply-add and without; compiled code has the same
 * bits (op_table.c). */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../composite_oracle.h"
#include "../levels.h"
#include "../ulp.h"
#include "ir/bind.h"
#include "ir/build.h"
#include "ir/ops_math.h"
#include "unit.h"

/* ---- rows ---- */

/* Every row that can be a composite, with the text of its meaning in floats. */
#define TEXT_(...) #__VA_ARGS__
#define TEXT(...) TEXT_(__VA_ARGS__)
static const struct {
  op_id op;
  const char *meaning; /* NULL: a decomposition */
} rows[] = {
#define EW1(name, sig, promo, traits, F, I, B, C) {OP_##name, TEXT(F)},
#define EW2(name, sig, promo, traits, F, I, B, C) {OP_##name, TEXT(F)},
#define EW3(name, sig, promo, traits, F, I, B, C) {OP_##name, TEXT(F)},
#define EW4(name, sig, promo, traits, F, I, B, C) {OP_##name, TEXT(F)},
#define COMP(name, ...) {OP_##name, NULL},
#include "ir/ops.def"
};
enum { N_ROWS = sizeof rows / sizeof *rows };

/* Primitives in an expression, without literals. */
static int n_primitives(const char *expression) {
  int n = 0;
  for (const char *p = expression; (p = strchr(p, '(')); p++)
    n += p - expression < 3 || strncmp(p - 3, "LIT", 3) != 0;
  return n;
}

/* Whether the row is one of those that are compared: pointwise, of one tensor, a float for a float,
 * and of more than one primitive. A single one is what vecmath.c measures, or rounded once. */
static bool is_composite(int row) {
  const op_info *op = op_get(rows[row].op);
  for (int k = 1; k < op->n_operands; k++)
    if (op_operand_default(op, k).kind == VAL_ABSENT) return false;
  if (!rows[row].meaning) return op->traits & T_POINTWISE;
  return (op->classes & CLASS_F) && op->promo != PROMO_COMPARE && op->promo != PROMO_SELECT &&
         n_primitives(rows[row].meaning) > 1;
}

/* ---- points ---- */

static uint64_t state = 88172645463325252u;

static uint64_t next_random(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

typedef struct {
  bool f32;
  int n, room;
  double *x; /* ordered by sign, exponent, significand */
} points;

static void put(points *p, double x) {
  if (p->n + 2 > p->room) {
    p->room = p->room ? 2 * p->room : 1 << 14;
    p->x = realloc(p->x, sizeof *p->x * (size_t)p->room);
  }
  if (p->f32) x = (float)x;
  p->x[p->n++] = x;
  p->x[p->n++] = -x;
}

/* x and its neighbours. */
static void put_near(points *p, double x) {
  uint64_t unit = p->f32 ? (uint64_t)1 << 29 : 1, b = ew_bits(x) & ~(unit - 1);
  for (uint64_t k = 0; k < 3; k++)
    put(p, ew_of_bits(b + k * unit)), put(p, ew_of_bits(b - k * unit));
  for (int k = 4; k < 44; k += 4)
    put(p, ew_of_bits(b + (next_random() >> (64 - k) & ~(unit - 1)))),
        put(p, ew_of_bits(b - (next_random() >> (64 - k) & ~(unit - 1))));
}

/* Where definitions of functions, or of PyTorch's formulas, change, saturate or overflow. */
static const double corners[] = {
    0.25,      0.34657359, 0.41421356, 0.5,     0.5493,  0.69314718, 0.70710678, 0.9375,
    1,         1.3258,     1.4142136,  2,       2.5,     2.75,       3,          4,
    5.5861,    5.95,       6,          8.3178,  8.4146,  9.0109,     9.25,       12,
    13.2,      17.329,     18.715,     19.0615, 19.5,    20,         36.7368,    37.43,
    37.7,      38.5,       40,         43.668,  44.36,   88.02,      88.37,      88.722839,
    103.97208, 104,        354.89,     372.5,   709.089, 709.782713, 745.13322};

static int by_bits(const void *a, const void *b) {
  uint64_t x = ew_bits(*(const double *)a), y = ew_bits(*(const double *)b);
  return x < y ? -1 : x > y;
}

/* The dense range: below, the first terms of series are all there is, above, all is saturated or
 * nearly so. */
static void make_points(points *p) {
  int low = p->f32 ? -27 : -56, first = p->f32 ? -149 : -1074, last = p->f32 ? 127 : 1023;
  int many = p->f32 ? 20 : 12;
  for (int e = first; e <= last; e++) {
    bool dense = e >= low && e <= 10;
    put(p, ldexp(1, e));
    put(p, ldexp(p->f32 ? 0x1.fffffep0 : 0x1.fffffffffffffp0, e));
    for (int quarter = 0; quarter < 4 && dense; quarter++)
      for (int k = 0; k < many; k++)
        put(p, ldexp(1 + quarter * 0.25 + (double)(next_random() >> 11) * 0x1p-55, e));
  }
  for (size_t k = 0; k < sizeof corners / sizeof *corners; k++) put_near(p, corners[k]);
  put(p, 0), put(p, INFINITY), put(p, NAN);
  qsort(p->x, (size_t)p->n, sizeof *p->x, by_bits);
}

/* Points of a sign, an exponent and a quarter of the significands are neighbours. */
static uint64_t neighbourhood(double x) { return ew_bits(x) >> 50; }

/* ---- results ---- */

static node *first_of(cursor *c, node *y) {
  return y && y->type && !type_is_tensor(y->type) ? build_getitem(c, y, 0) : y;
}

/* The row as a program of n elements; false: it is none with its parameters at their defaults. */
static bool print_program(op_id op, bool f32, int n, str *text) {
  module *m = module_new("composite");
  m->main = graph_new(m, "GraphModule");
  cursor c = cursor_end(m->main);
  const dim size = dim_int(n);
  node *x = node_placeholder(
      &c, "x", "x", type_tensor(m->mem, f32 ? SCANC_F32 : SCANC_F64, &size, 1), val_absent());
  x->annotated = true;
  val v[MAX_OPERANDS] = {V(x)}, placed[MAX_OPERANDS];
  const aten_row *row = bind_overload(m, op_get(op), v, placed);
  node *y = row ? node_call_row(&c, row, placed, op_get(row->op)->n_operands) : NULL;
  bool is_it = y && !m->err.code && y->op->id == op;
  if (is_it) {
    node_output(&c, val_seq(m->mem, VAL_TUPLE, (val[]){V(first_of(&c, y))}, 1));
    module_print_code(text, m);
  } else {
    printf("%s is left out: %s\n", op_get(op)->name,
           m->err.code ? m->err.message
           : y         ? "with its defaults it is another row"
                       : "none of its spellings has these defaults");
  }
  module_free(m);
  return is_it;
}

/* The results as doubles, which hold them exactly. */
static double *run(const str *text, const points *p, const char *level) {
  scanc_error err = {0};
  scanc_options opts = SCANC_OPTIONS_INIT;
  opts.exec = SCANC_EXEC_INTERP;
  opts.cpu = level;
  scanc_module *m = scanc_module_parse(NULL, text->data, text->len, "composite.fx", &err);
  scanc_program *prog = m ? scanc_compile(m, &opts, &err) : NULL;
  double *wide = malloc(sizeof *wide * (size_t)p->n);
  float *narrow = malloc(sizeof *narrow * (size_t)p->n);
  for (int i = 0; i < p->n; i++) narrow[i] = (float)p->x[i];
  scanc_tensor in = {
      .dtype = p->f32 ? SCANC_F32 : SCANC_F64, .rank = 1, .sizes = {p->n}, .strides = {1}};
  scanc_tensor out = in;
  in.data = p->f32 ? (void *)narrow : p->x;
  out.data = p->f32 ? (void *)narrow : wide;
  ck_assert_msg(prog && !scanc_run(prog, &in, 1, &out, 1, &err), "%s", err.message);
  for (int i = 0; p->f32 && i < p->n; i++) wide[i] = narrow[i];
  free(narrow);
  scanc_program_free(prog);
  scanc_module_free(m);
  return wide;
}

/* ---- errors ---- */

enum { N_LEVELS = 2 };
static const char *const levels[N_LEVELS] = {"native", "x86-64"};

typedef struct {
  const composite *c;
  const points *p;
  double *got[N_LEVELS]; /* NULL: the level does not run here */
  mpfr_t x, y;
} subject;

/* A zero instead of a small value has no sign that counts. */
static double error_of(const subject *s, double got) {
  if (got == 0 && mpfr_regular_p(s->y)) got = copysign(0, mpfr_sgn(s->y));
  return ulp_error(got, s->y, s->p->f32 ? &ulp_f32 : &ulp_f64, ULP_RELATIVE);
}

static void set_exact(subject *s, int i) {
  mpfr_set_d(s->x, s->p->x[i], MPFR_RNDN);
  composite_exact(s->c, s->p->f32, s->y, s->x);
}

/* Of the formula at point i, for which the exact value is set. */
static double torch_error(const subject *s, int i) {
  static const mpfr_rnd_t sides[] = {MPFR_RNDN, MPFR_RNDD, MPFR_RNDU};
  double worst = 0;
  for (int k = 0; k < 3; k++)
    worst = fmax(worst, error_of(s, composite_torch(s->c, s->p->f32, sides[k], s->p->x[i])));
  return worst;
}

/* The largest error of the program in the points i..end-1, but where the formula is infinitely far
 * off. */
static double largest_error(subject *s, int i, int end, int *at) {
  double worst = 0;
  *at = i;
  for (; i < end; i++) {
    set_exact(s, i);
    for (int l = 0; l < N_LEVELS; l++) {
      double ulp = s->got[l] ? error_of(s, s->got[l][i]) : 0;
      if (ulp <= worst || (isinf(ulp) && isinf(torch_error(s, i)))) continue;
      worst = ulp;
      *at = i;
    }
  }
  return worst;
}

static double largest_torch_error(subject *s, int i, int end) {
  double worst = 0;
  for (; i < end; i++) {
    set_exact(s, i);
    double ulp = torch_error(s, i);
    if (!isinf(ulp)) worst = fmax(worst, ulp);
  }
  return worst;
}

static const double max_ulp = 2;

/* Returns the number of neighbourhoods in which the program is worse. */
static int compare(subject *s, const char *name) {
  const points *p = s->p;
  double worst = 0, torch_there = 0, x = 0;
  int n_worse = 0, at, end;
  for (int i = 0; i < p->n; i = end) {
    for (end = i + 1; end < p->n && neighbourhood(p->x[end]) == neighbourhood(p->x[i]);) end++;
    double ulp = largest_error(s, i, end, &at), torch = 0;
    if (ulp > max_ulp) torch = largest_torch_error(s, i, end);
    if (ulp > worst) worst = ulp, torch_there = torch, x = p->x[at];
    if (ulp <= fmax(max_ulp, torch)) continue;
    n_worse++;
    printf("%s: %.4g ulp at %.17g (%a); PyTorch has at most %.4g around there\n", name, ulp,
           p->x[at], p->x[at], torch);
  }
  printf("%-20s %s: at most %.4g ulp, at %.9g", name, p->f32 ? "f32" : "f64", worst, x);
  if (torch_there > 0) printf(", PyTorch %.4g", torch_there);
  putchar('\n');
  return n_worse;
}

/* ---- all rows ---- */

static int check_row(op_id op, const points *p) {
  str text = {0};
  subject s = {.c = composite_find(op), .p = p};
  int n_worse = 0;
  if (print_program(op, p->f32, p->n, &text)) {
    ck_assert_msg(s.c, "%s has no exact value and formula in composite_oracle.c", op_get(op)->name);
    for (int l = 0; l < N_LEVELS; l++)
      if (level_is_here(levels[l])) s.got[l] = run(&text, p, levels[l]);
    mpfr_init2(s.x, 53);
    mpfr_init2(s.y, COMPOSITE_BITS);
    n_worse = compare(&s, op_get(op)->name);
    mpfr_clears(s.x, s.y, (mpfr_ptr)0);
    for (int l = 0; l < N_LEVELS; l++) free(s.got[l]);
  }
  str_free(&text);
  return n_worse;
}

static void check_all(bool f32) {
  points p = {.f32 = f32};
  int n_worse = 0, n_rows = 0;
  make_points(&p);
  for (int r = 0; r < N_ROWS; r++) {
    if (!is_composite(r)) continue;
    n_worse += check_row(rows[r].op, &p);
    n_rows++;
  }
  printf("%d rows, %d arguments each\n", n_rows, p.n);
  fflush(stdout);
  free(p.x);
  ck_assert_int_gt(n_rows, 20);
  ck_assert_int_eq(n_worse, 0);
}

START_TEST(in_f32) { check_all(true); }
END_TEST
START_TEST(in_f64) { check_all(false); }
END_TEST

UNIT_MAIN("composites", in_f32, in_f64)
