/* h = a h + b as an associative scan of pairs (rows 5, 6 and 7 of the suite), of which only h is
 * wanted. */
#include <math.h>

#include "associative.h"
#include "references.h"

#define AFFINE(type) \
  { \
      .leaf = {{"a", type, NULL, 0}, {"b", type, NULL, 1}}, \
      .body = {COMBINE("mul", type, "mul.Tensor(a, a_1)"), \
               COMBINE("mul_1", type, "mul.Tensor(b, a_1)"), \
               COMBINE("add", type, "add.Tensor(mul_1, b_1)"), RETURN("mul, add")}, \
  }
static const associative affine = AFFINE("f32");
static const associative affine_complex = AFFINE("c64");

/* Two operations per element is what the recurrence needs; a program that combines pairs does
 * three. */
static double product(const int64_t *n, int rank) {
  double p = 1;
  for (int i = 0; i < rank; i++) p *= (double)n[i];
  return p;
}

/* Factors below 1 forget: the sums stay near 10 and an error of one rounding per step does not
 * grow. A sum may pass near 0, hence the absolute part. */
#define ACCURACY .rtol = 1e-5, .atol = 2e-5

/* ---- one sequence ---- */

static void affine_program(FILE *to, const int64_t *n) {
  associative_program(to, &affine, 1, n, 0);
}
static double affine_elements(const int64_t *n) { return product(n, 1); }
static double affine_bytes(const int64_t *n) { return 12 * product(n, 1); }
static double affine_flops(const int64_t *n) { return 2 * product(n, 1); }

DECLARE(affine_scan);
DECLARE(affine_scan_zmm);
DECLARE(affine_scan_ymm);
DECLARE(affine_scan_blocks);
DECLARE(affine_scan_parts);
static const reference affine_references[] = {
    PLAIN(affine_scan) GOOD(affine_scan)
        KERNEL_AVX512(affine_scan_zmm, "pairs within registers of 16")
            KERNEL_AVX2(affine_scan_ymm, "pairs within registers of 8")
                TEAM(affine_scan_blocks, "blocks that look back")
                    TEAM(affine_scan_parts, "totals of equal parts first"){0}};

const workload w_affine_scan;
const workload w_affine_scan = {
    .name = "affine_scan",
    .row = 5,
    .what = "h = a h + b of one sequence, as an associative scan",
    .size_names = "n",
    .sizes = {{{1 << 12}, false},
              {{1 << 16}, true},
              {{1 << 18}, false},
              {{1 << 20}, false},
              {{1 << 24}, false},
              {{1 << 25}, false}},
    .program = affine_program,
    .fill = {{FILL_UNIFORM, 0.9, 1}, {FILL_NORMAL, 0, 1}},
    ACCURACY,
    .bytes = affine_bytes,
    .flops = affine_flops,
    .units = affine_elements,
    .unit = "element",
    .references = affine_references,
};

/* Of both results: the products of the factors, too. These are so near 1 that neither grows or dies
 * out. */
static const associative affine_both = {
    .leaf = {{"a", "f32", NULL, 1}, {"b", "f32", NULL, 1}},
    .body = {COMBINE("mul", "f32", "mul.Tensor(a, a_1)"),
             COMBINE("mul_1", "f32", "mul.Tensor(b, a_1)"),
             COMBINE("add", "f32", "add.Tensor(mul_1, b_1)"), RETURN("mul, add")},
};

static void affine_pair_program(FILE *to, const int64_t *n) {
  associative_program(to, &affine_both, 1, n, 0);
}
static double affine_pair_bytes(const int64_t *n) { return 16 * product(n, 1); }
/* Products near 1 are rounded to one side more often, so errors grow with the steps. */
static double by_steps(const int64_t *n) { return fmax(1, product(n, 1) / (1 << 16)); }
static double affine_pair_flops(const int64_t *n) { return 3 * product(n, 1); }

DECLARE(affine_pair);
DECLARE(affine_pair_zmm);
DECLARE(affine_pair_ymm);
static const reference affine_pair_references[] = {
    PLAIN(affine_pair) GOOD(affine_pair)
        KERNEL_AVX512(affine_pair_zmm, "pairs within registers of 16")
            KERNEL_AVX2(affine_pair_ymm, "pairs within registers of 8"){0}};

const workload w_affine_pair;
const workload w_affine_pair = {
    .name = "affine_pair",
    .row = 5,
    .what = "h = a h + b and the products of a of one sequence, as an associative scan",
    .size_names = "n",
    .sizes = {{{1 << 16}, true}, {{1 << 18}, false}},
    .program = affine_pair_program,
    .fill = {{FILL_UNIFORM, 0.999, 1.001}, {FILL_NORMAL, 0, 0.01}},
    .rtol = 1e-4,
    .atol = 1e-4,
    .looser = by_steps,
    .bytes = affine_pair_bytes,
    .flops = affine_pair_flops,
    .units = affine_elements,
    .unit = "element",
    .references = affine_pair_references,
};

/* ---- gated linear recurrent networks ---- */

static double cube(const int64_t *n) { return product(n, 3); }
static double cube_bytes(const int64_t *n) { return 12 * product(n, 3); }
static double cube_flops(const int64_t *n) { return 2 * product(n, 3); }

static void gated_middle_program(FILE *to, const int64_t *n) {
  associative_program(to, &affine, 3, n, 1);
}
static void gated_last_program(FILE *to, const int64_t *n) {
  associative_program(to, &affine, 3, n, 2);
}

DECLARE(gated_middle);
DECLARE(gated_middle_zmm);
DECLARE(gated_last);
DECLARE(gated_last_zmm);
static const reference gated_middle_references[] = {PLAIN(gated_middle) GOOD(
    gated_middle) KERNEL_AVX512(gated_middle_zmm, "128 channels a tile, state in registers"){0}};
static const reference gated_last_references[] = {PLAIN(gated_last) GOOD(gated_last) KERNEL_AVX512(
    gated_last_zmm, "pairs within registers of 16"){0}};

#define GATED(member, text, names, ...) \
  const workload w_##member; \
  const workload w_##member = { \
      .name = #member, \
      .row = 6, \
      .what = text, \
      .size_names = names, \
      .sizes = {__VA_ARGS__}, \
      .program = member##_program, \
      .fill = {{FILL_UNIFORM, 0.9, 1}, {FILL_NORMAL, 0, 1}}, \
      ACCURACY, \
      .bytes = cube_bytes, \
      .flops = cube_flops, \
      .units = cube, \
      .unit = "element", \
      .references = member##_references, \
  }
GATED(gated_middle, "gated linear recurrence over [batch, time, channel]", "b t d",
      {{2, 256, 64}, true}, {{8, 2048, 64}, false}, {{8, 2048, 1536}, false});
GATED(gated_last, "gated linear recurrence over [batch, channel, time]", "b d t",
      {{2, 64, 256}, true}, {{8, 64, 2048}, false}, {{8, 1536, 2048}, false});

/* ---- complex diagonal state space ---- */

static double complex_bytes(const int64_t *n) { return 24 * product(n, 3); }
static double complex_flops(const int64_t *n) { return 8 * product(n, 3); }

static void complex_diagonal_program(FILE *to, const int64_t *n) {
  associative_program(to, &affine_complex, 3, n, 1);
}

DECLARE(complex_diagonal);
DECLARE(complex_diagonal_zmm);
static const reference complex_diagonal_references[] = {
    PLAIN(complex_diagonal) GOOD(complex_diagonal)
        KERNEL_AVX512(complex_diagonal_zmm, "8 channels a register, state in registers"){0}};

const workload w_complex_diagonal;
const workload w_complex_diagonal = {
    .name = "complex_diagonal",
    .row = 7,
    .what = "the state of S5 or LRU: h = a h + b in c64 over [batch, time, state], as an "
            "associative scan",
    .size_names = "b t d",
    .sizes = {{{2, 256, 32}, true}, {{8, 2048, 256}, false}},
    .program = complex_diagonal_program,
    /* |a| is 0.6 in the middle, so products of it die out; sums stay near 1. */
    .fill = {{FILL_NORMAL, 0, 0.5}, {FILL_NORMAL, 0, 1}},
    ACCURACY,
    .bytes = complex_bytes,
    .flops = complex_flops,
    .units = cube,
    .unit = "element",
    .references = complex_diagonal_references,
};
