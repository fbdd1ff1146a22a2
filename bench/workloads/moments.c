/* Running statistics of rows (row 9 of the suite): mean and variance by Welford's update, and the
 * maximum and sum of exponentials of an online softmax. Sizes "o t": o rows of t elements. */
#include "associative.h"
#include "references.h"

static double elements(const int64_t *n) { return (double)n[0] * (double)n[1]; }
static double bytes(const int64_t *n) { return 12 * elements(n); }

/* The last one does not fit into caches; longer rows would lose too much of their sums in f32. */
#define SIZES \
  { \
    {{1, 1 << 14}, true}, {{1, 1 << 20}, false}, {{1024, 1024}, false}, { {16, 1 << 20}, false } \
  }

static void rows_program(FILE *to, const associative *what, const int64_t *n) {
  const int64_t oti[] = {n[0], n[1], 1};
  associative_program_oti(to, what, oti);
}

/* ---- Welford ---- */

static const associative moments = {
    .leaf = {{"mean", "f32", NULL, 1},
             {"count", "f32", "ones_like.default(mean, pin_memory = False)", 0},
             {"m2", "f32", "zeros_like.default(mean, pin_memory = False)", 1}},
    .body = {COMBINE("add", "f32", "add.Tensor(count, count_1)"),
             COMBINE("sub", "f32", "sub.Tensor(mean_1, mean)"),
             COMBINE("div", "f32", "div.Tensor(count_1, add)"),
             COMBINE("mul", "f32", "mul.Tensor(sub, div)"),
             COMBINE("add_1", "f32", "add.Tensor(mean, mul)"),
             COMBINE("mul_1", "f32", "mul.Tensor(sub, mul)"),
             COMBINE("mul_2", "f32", "mul.Tensor(mul_1, count)"),
             COMBINE("add_2", "f32", "add.Tensor(m2, m2_1)"),
             COMBINE("add_3", "f32", "add.Tensor(add_2, mul_2)"), RETURN("add_1, add, add_3")},
};

static void welford_program(FILE *to, const int64_t *n) { rows_program(to, &moments, n); }
static double welford_flops(const int64_t *n) { return 9 * elements(n); }

DECLARE(welford);
DECLARE(welford_zmm);
static const reference welford_references[] = {
    PLAIN(welford) GOOD(welford) KERNEL_AVX512(welford_zmm, "16 transposed segments"){0}};

const workload w_welford;
const workload w_welford = {
    .name = "welford",
    .row = 9,
    .what = "running mean and sum of squared deviations, as an associative scan of triples",
    .size_names = "o t",
    .sizes = SIZES,
    .program = welford_program,
    .fill = {{FILL_NORMAL, 2, 1}},
    /* The sum of 2^20 squares in f32 from the left is off by 5e-4, as measured; sums of parts are
     * better. */
    .rtol = 2e-3,
    .atol = 1e-5,
    .bytes = bytes,
    .flops = welford_flops,
    .units = elements,
    .unit = "element",
    .references = welford_references,
};

/* ---- online softmax ---- */

static const associative softmax = {
    .leaf = {{"m", "f32", NULL, 1}, {"l", "f32", "ones_like.default(m, pin_memory = False)", 1}},
    .body = {COMBINE("maximum", "f32", "maximum.default(m, m_1)"),
             COMBINE("sub", "f32", "sub.Tensor(m, maximum)"),
             COMBINE("exp", "f32", "exp.default(sub)"), COMBINE("mul", "f32", "mul.Tensor(l, exp)"),
             COMBINE("sub_1", "f32", "sub.Tensor(m_1, maximum)"),
             COMBINE("exp_1", "f32", "exp.default(sub_1)"),
             COMBINE("mul_1", "f32", "mul.Tensor(l_1, exp_1)"),
             COMBINE("add", "f32", "add.Tensor(mul, mul_1)"), RETURN("maximum, add")},
};

static void online_softmax_program(FILE *to, const int64_t *n) { rows_program(to, &softmax, n); }
/* An exp counts as 12. */
static double softmax_flops(const int64_t *n) { return 30 * elements(n); }

DECLARE(online_softmax);
DECLARE(online_softmax_zmm);
static const reference online_softmax_references[] = {PLAIN(online_softmax) GOOD(
    online_softmax) KERNEL_AVX512(online_softmax_zmm, "polynomials; 16 transposed segments"){0}};

const workload w_online_softmax;
const workload w_online_softmax = {
    .name = "online_softmax",
    .row = 9,
    .what = "running maximum and sum of exp(x - maximum), as an associative scan of pairs",
    .size_names = "o t",
    .sizes = SIZES,
    .program = online_softmax_program,
    .fill = {{FILL_NORMAL, 0, 1}},
    /* The sum of 2^20 exponentials in f32 from the left is off by 2e-5, as measured. */
    .rtol = 1e-4,
    .atol = 1e-5,
    .bytes = bytes,
    .flops = softmax_flops,
    .units = elements,
    .unit = "element",
    .references = online_softmax_references,
};
