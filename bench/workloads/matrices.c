/* Running products of small matrices, one array per entry (row 8 of the suite). A later matrix
 * stands on the left. */
#include <math.h>

#include "associative.h"
#include "references.h"

static double elements(const int64_t *n) { return (double)n[0]; }

/* Entries are those of the identity but for 1e-3, so that products of 65536 matrices stay near 1.
 */
#define NEAR_1 {FILL_NORMAL, 1, 1e-3}
#define NEAR_0 {FILL_NORMAL, 0, 1e-3}
/* Two products and a sum per entry and step, each rounded to 6e-8: over 65536 steps, where
 * roundings are independent, 3e-5 as measured. */
static double by_the_root_of_steps(const int64_t *n) {
  return n[0] > 1 << 16 ? sqrt((double)n[0] / (1 << 16)) : 1;
}
#define ACCURACY .rtol = 1e-4, .atol = 1e-4, .looser = by_the_root_of_steps

/* ---- 2x2 ---- */

#define ENTRY(name, left, up, right, down) \
  COMBINE("mul_" name, "f32", "mul.Tensor(" left "_1, " up ")"), \
      COMBINE("mul_" name "_1", "f32", "mul.Tensor(" right "_1, " down ")"), \
      COMBINE("add_" name, "f32", "add.Tensor(mul_" name ", mul_" name "_1)")

static const associative product_2x2 = {
    .leaf = {{"a", "f32", NULL, 1},
             {"b", "f32", NULL, 1},
             {"c", "f32", NULL, 1},
             {"d", "f32", NULL, 1}},
    .body = {ENTRY("a", "a", "a", "b", "c"), ENTRY("b", "a", "b", "b", "d"),
             ENTRY("c", "c", "a", "d", "c"), ENTRY("d", "c", "b", "d", "d"),
             RETURN("add_a, add_b, add_c, add_d")},
};

static void matrix_2x2_program(FILE *to, const int64_t *n) {
  associative_program(to, &product_2x2, 1, n, 0);
}
static double bytes_2x2(const int64_t *n) { return 32 * elements(n); }
static double flops_2x2(const int64_t *n) { return 12 * elements(n); }

DECLARE(matrix_2x2);
DECLARE(matrix_2x2_zmm);
static const reference matrix_2x2_references[] = {PLAIN(matrix_2x2) GOOD(matrix_2x2) KERNEL_AVX512(
    matrix_2x2_zmm, "matrices within registers of 16"){0}};

const workload w_matrix_2x2;
const workload w_matrix_2x2 = {
    .name = "matrix_2x2",
    .row = 8,
    .what = "running product of 2x2 matrices, entry by entry, as an associative scan",
    .size_names = "n",
    .sizes = {{{1 << 14}, true}, {{1 << 16}, false}, {{1 << 21}, false}},
    .program = matrix_2x2_program,
    .fill = {NEAR_1, NEAR_0, NEAR_0, NEAR_1},
    ACCURACY,
    .bytes = bytes_2x2,
    .flops = flops_2x2,
    .units = elements,
    .unit = "matrix",
    .references = matrix_2x2_references,
};

/* ---- poses of the plane ---- */

#define POINT(name, left, right) \
  COMBINE("mul_" name, "f32", "mul.Tensor(" left "_1, x)"), \
      COMBINE("mul_" name "_1", "f32", "mul.Tensor(" right "_1, y)"), \
      COMBINE("add_" name, "f32", "add.Tensor(mul_" name ", mul_" name "_1)"), \
      COMBINE("add_" name "_1", "f32", "add.Tensor(add_" name ", " name "_1)")

static const associative product_pose = {
    .leaf = {{"a", "f32", NULL, 1},
             {"b", "f32", NULL, 1},
             {"c", "f32", NULL, 1},
             {"d", "f32", NULL, 1},
             {"x", "f32", NULL, 1},
             {"y", "f32", NULL, 1}},
    .body = {ENTRY("a", "a", "a", "b", "c"), ENTRY("b", "a", "b", "b", "d"),
             ENTRY("c", "c", "a", "d", "c"), ENTRY("d", "c", "b", "d", "d"), POINT("x", "a", "b"),
             POINT("y", "c", "d"), RETURN("add_a, add_b, add_c, add_d, add_x_1, add_y_1")},
};

static void pose_se2_program(FILE *to, const int64_t *n) {
  associative_program(to, &product_pose, 1, n, 0);
}
static double bytes_pose(const int64_t *n) { return 48 * elements(n); }
static double flops_pose(const int64_t *n) { return 20 * elements(n); }

DECLARE(pose_se2);
DECLARE(pose_se2_zmm);
static const reference pose_se2_references[] = {PLAIN(pose_se2) GOOD(pose_se2) KERNEL_AVX512(
    pose_se2_zmm, "matrices within registers of 16"){0}};

const workload w_pose_se2;
const workload w_pose_se2 = {
    .name = "pose_se2",
    .row = 8,
    .what = "running product of 3x3 matrices with the last row 0 0 1, poses of the plane, as an "
            "associative scan",
    .size_names = "n",
    .sizes = {{{1 << 14}, true}, {{1 << 16}, false}, {{1 << 21}, false}},
    .program = pose_se2_program,
    .fill = {NEAR_1, NEAR_0, NEAR_0, NEAR_1, NEAR_0, NEAR_0},
    ACCURACY,
    .bytes = bytes_pose,
    .flops = flops_pose,
    .units = elements,
    .unit = "matrix",
    .references = pose_se2_references,
};
