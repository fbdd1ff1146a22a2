/* Running sums along any axis (rows 1 and 2 of the suite): as an associative scan, and as the
 * cumsum and cumprod of torch, which keep f32 in f64 meanwhile. Sizes "o t i": the sums run along
 * t. */
#include "associative.h"
#include "references.h"

/* ---- associative scan ---- */

static const associative sum = {
    .leaf = {{"x", "f32", NULL, 1}},
    .body = {COMBINE("add", "f32", "add.Tensor(x, x_1)"), RETURN("add")},
};

static void cumsum_axis_program(FILE *to, const int64_t *n) {
  associative_program_oti(to, &sum, n);
}

static double cumsum_bytes(const int64_t *n) { return 8 * oti_elements(n); }

DECLARE(cumsum_axis);
DECLARE(cumsum_axis_zmm);
static const reference cumsum_axis_references[] = {
    PLAIN(cumsum_axis) GOOD(cumsum_axis)
        KERNEL_AVX512(cumsum_axis_zmm, "tiles of 64 columns; sums within registers along rows"){0}};

/* Whole numbers whose sums are exact, so that every order of the additions gives the same. */
const workload w_cumsum_axis;
const workload w_cumsum_axis = {
    .name = "cumsum_axis",
    .row = 2,
    .what = "running sum along the first, the last and the middle axis, as an associative scan",
    .size_names = "o t i",
    .sizes = {{{1, 256, 256}, true},
              {{1, 1024, 1024}, false},
              {{256, 256, 1}, false},
              {{1024, 1024, 1}, false},
              {{8, 2048, 64}, false}},
    .program = cumsum_axis_program,
    .fill = {{FILL_WHOLE, -8, 9}},
    .bytes = cumsum_bytes,
    .flops = oti_elements,
    .units = oti_elements,
    .unit = "element",
    .references = cumsum_axis_references,
};

/* ---- aten.cumsum ---- */

static void cumsum_op_program(FILE *to, const int64_t *n) { prefix_op_program(to, "cumsum", n); }

DECLARE(cumsum_op);
DECLARE(cumsum_op_zmm);
static const reference cumsum_op_references[] = {PLAIN(cumsum_op) GOOD(cumsum_op) KERNEL_AVX512(
    cumsum_op_zmm, "columns as lanes; sums within registers of 8"){0}};

const workload w_cumsum_op;
const workload w_cumsum_op = {
    .name = "cumsum_op",
    .row = 2,
    .what = "torch.cumsum of f32, whose sums are kept in f64",
    .size_names = "o t i",
    .sizes = {{{1, 1 << 16, 1}, true},
              {{1, 1 << 20, 1}, false},
              {{1, 1 << 25, 1}, false},
              {{1, 1024, 1024}, false},
              {{1024, 1024, 1}, false},
              {{8, 2048, 64}, false}},
    .program = cumsum_op_program,
    .fill = {{FILL_NORMAL, 0, 1}},
    /* Sums of 2^25 in f64 are exact to 1e-9: what remains is the rounding to f32. */
    .rtol = 2.5e-7,
    .atol = 1e-9,
    .bytes = cumsum_bytes,
    .flops = oti_elements,
    .units = oti_elements,
    .unit = "element",
    .references = cumsum_op_references,
};

/* ---- aten.cumprod ---- */

static void cumprod_op_program(FILE *to, const int64_t *n) { prefix_op_program(to, "cumprod", n); }

DECLARE(cumprod_op);
DECLARE(cumprod_op_zmm);
static const reference cumprod_op_references[] = {PLAIN(cumprod_op) GOOD(cumprod_op) KERNEL_AVX512(
    cumprod_op_zmm, "columns as lanes; products within registers of 8"){0}};

const workload w_cumprod_op;
const workload w_cumprod_op = {
    .name = "cumprod_op",
    .row = 2,
    .what = "torch.cumprod of f32, whose products are kept in f64",
    .size_names = "o t i",
    .sizes = {{{1, 1 << 16, 1}, true},
              {{1, 1 << 20, 1}, false},
              {{1, 1 << 25, 1}, false},
              {{1, 1024, 1024}, false},
              {{8, 2048, 64}, false}},
    .program = cumprod_op_program,
    /* Products of 2^25 of them stay within e^-16 and e^5. */
    .fill = {{FILL_UNIFORM, 0.999, 1.001}},
    /* Products of 2^25 in f64 are exact to 1e-11: what remains is the rounding to f32. */
    .rtol = 2.5e-7,
    .atol = 1e-9,
    .bytes = cumsum_bytes,
    .flops = oti_elements,
    .units = oti_elements,
    .unit = "element",
    .references = cumprod_op_references,
};
