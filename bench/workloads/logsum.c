/* Running log-sum-exp (row 4 of the suite). Sizes "o t i", along t. */
#include "associative.h"
#include "references.h"

static double bytes(const int64_t *n) { return 8 * oti_elements(n); }
/* Per combination: a maximum, a difference, exp and log1p of about 12 operations each, a sum. */
static double flops(const int64_t *n) { return 27 * oti_elements(n); }

/* The largest is what caches do not hold: in rows, where sums from the left would lose too much of
 * a longer one. */

/* ---- associative scan with logaddexp ---- */

static const associative log_add_exp = {
    .leaf = {{"x", "f32", NULL, 1}},
    .body = {COMBINE("logaddexp", "f32", "logaddexp.default(x, x_1)"), RETURN("logaddexp")},
};

static void logaddexp_scan_program(FILE *to, const int64_t *n) {
  associative_program_oti(to, &log_add_exp, n);
}

DECLARE(logaddexp_scan);
DECLARE(logaddexp_scan_zmm);
static const reference logaddexp_scan_references[] = {
    PLAIN(logaddexp_scan) GOOD(logaddexp_scan) KERNEL_AVX512(
        logaddexp_scan_zmm, "polynomials; 16 transposed segments, or columns as lanes"){0}};

const workload w_logaddexp_scan;
const workload w_logaddexp_scan = {
    .name = "logaddexp_scan",
    .row = 4,
    .what = "running log-sum-exp as an associative scan with logaddexp",
    .size_names = "o t i",
    .sizes = {{{1, 1 << 14, 1}, true},
              {{1, 1 << 20, 1}, false},
              {{8, 2048, 64}, false},
              {{16, 1 << 20, 1}, false}},
    .program = logaddexp_scan_program,
    .fill = {{FILL_NORMAL, 0, 1}},
    /* The fold from the left loses what is below half a unit in the last place of a sum near 14,
     * which is a part of every term from 2^18 terms on; folds of parts do not. Measured at 2^20:
     * 1e-3 of the result; below 2^15: 5e-6. */
    .rtol = 3e-3,
    .atol = 1e-5,
    .bytes = bytes,
    .flops = flops,
    .units = oti_elements,
    .unit = "element",
    .references = logaddexp_scan_references,
};

/* ---- aten.logcumsumexp ---- */

static void logcumsumexp_op_program(FILE *to, const int64_t *n) {
  prefix_op_program(to, "logcumsumexp", n);
}

DECLARE(logcumsumexp_op);
DECLARE(logcumsumexp_op_zmm);
static const reference logcumsumexp_op_references[] = {
    PLAIN(logcumsumexp_op) GOOD(logcumsumexp_op)
        KERNEL_AVX512(logcumsumexp_op_zmm, "sums of exp in f64, polynomials; columns as lanes"){0}};

const workload w_logcumsumexp_op;
const workload w_logcumsumexp_op = {
    .name = "logcumsumexp_op",
    .row = 4,
    .what = "torch.logcumsumexp of f32, which is kept in f64",
    .size_names = "o t i",
    .sizes = {{{1, 1 << 14, 1}, true},
              {{1, 1 << 20, 1}, false},
              {{8, 2048, 64}, false},
              {{1, 1 << 24, 1}, false}},
    .program = logcumsumexp_op_program,
    .fill = {{FILL_NORMAL, 0, 1}},
    /* One rounding to f32 of a value that is exact to 1e-13. */
    .rtol = 2.5e-7,
    .atol = 1e-9,
    .bytes = bytes,
    .flops = flops,
    .units = oti_elements,
    .unit = "element",
    .references = logcumsumexp_op_references,
};
