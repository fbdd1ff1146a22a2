/* Running maxima (row 3 of the suite). Sizes "o t": o rows of t elements. */
#include "associative.h"
#include "references.h"

static double elements(const int64_t *n) { return (double)n[0] * (double)n[1]; }
static double bytes_max(const int64_t *n) { return 8 * elements(n); }
static double bytes_where(const int64_t *n) { return 16 * elements(n); }
static double bytes_label(const int64_t *n) { return 24 * elements(n); }

/* The last size does not fit into caches. */
#define SIZES(largest) \
  { \
    {{1, 1 << 16}, true}, {{1, 1 << 20}, false}, {{512, 4096}, false}, { {1, largest}, false } \
  }

static void rows_program(FILE *to, const associative *what, const int64_t *n) {
  const int64_t oti[] = {n[0], n[1], 1};
  associative_program_oti(to, what, oti);
}

/* ---- associative scan with maximum ---- */

static const associative maximum = {
    .leaf = {{"x", "f32", NULL, 1}},
    .body = {COMBINE("maximum", "f32", "maximum.default(x, x_1)"), RETURN("maximum")},
};

static void running_max_program(FILE *to, const int64_t *n) { rows_program(to, &maximum, n); }

DECLARE(running_max);
DECLARE(running_max_zmm);
static const reference running_max_references[] = {
    PLAIN(running_max) GOOD(running_max) KERNEL_AVX512(
        running_max_zmm, "maxima within registers of 16, NaN by a second maximum"){0}};

const workload w_running_max;
const workload w_running_max = {
    .name = "running_max",
    .row = 3,
    .what = "running maximum as an associative scan; NaN wins",
    .size_names = "o t",
    .sizes = SIZES(1 << 25),
    .program = running_max_program,
    .fill = {{FILL_NORMAL, 0, 1}},
    .corner = {{FILL_TIES_NAN, -100, 100}},
    .bytes = bytes_max,
    .flops = elements,
    .units = elements,
    .unit = "element",
    .references = running_max_references,
};

/* ---- with the label of the largest element ---- */

static const associative labelled = {
    .leaf = {{"x", "f32", NULL, 1}, {"label", "i64", NULL, 1}},
    .body = {COMBINE("gt", "b8", "gt.Tensor(x, x_1)"), COMBINE("eq", "b8", "eq.Tensor(x, x_1)"),
             COMBINE("gt_1", "b8", "gt.Tensor(label, label_1)"),
             COMBINE("logical_and", "b8", "logical_and.default(eq, gt_1)"),
             COMBINE("logical_or", "b8", "logical_or.default(gt, logical_and)"),
             COMBINE("where", "f32", "where.self(logical_or, x, x_1)"),
             COMBINE("where_1", "i64", "where.self(logical_or, label, label_1)"),
             RETURN("where, where_1")},
};

static void running_argmax_program(FILE *to, const int64_t *n) { rows_program(to, &labelled, n); }

DECLARE(running_argmax);
DECLARE(running_argmax_blocks);
static const reference running_argmax_references[] = {PLAIN(running_argmax) GOOD(
    running_argmax) KERNEL(running_argmax_blocks, "blocks without a new maximum are filled"){0}};

const workload w_running_argmax;
const workload w_running_argmax = {
    .name = "running_argmax",
    .row = 3,
    .what = "running maximum and its label, the larger label of equal ones, as an associative scan "
            "of pairs",
    .size_names = "o t",
    .sizes = SIZES(1 << 24),
    .program = running_argmax_program,
    .fill = {{FILL_NORMAL, 0, 1}, {FILL_WHOLE, 0, 1 << 30}},
    /* Without NaN, with which the combine function is not associative; equal labels, too. */
    .corner = {{FILL_TIES, -100, 100}, {FILL_WHOLE, 0, 50}},
    .bytes = bytes_label,
    .flops = elements,
    .units = elements,
    .unit = "element",
    .references = running_argmax_references,
};

/* ---- aten.cummax ---- */

static void cummax_op_program(FILE *to, const int64_t *n) {
  int outer = n[0] > 1, rank = 1 + outer;
  fputs("class GraphModule(torch.nn.Module):\n    def forward(self, x: \"f32", to);
  print_sizes(to, rank, n + !outer);
  fprintf(to, "\"):\n        cummax = torch.ops.aten.cummax.default(x, %d)\n        getitem: \"f32",
          outer);
  print_sizes(to, rank, n + !outer);
  fputs("\" = cummax[0]\n        getitem_1: \"i64", to);
  print_sizes(to, rank, n + !outer);
  fputs("\" = cummax[1]\n        return (getitem, getitem_1)\n", to);
}

DECLARE(cummax_op);
DECLARE(cummax_op_blocks);
static const reference cummax_op_references[] = {PLAIN(cummax_op) GOOD(cummax_op) KERNEL(
    cummax_op_blocks, "blocks without a new maximum are filled"){0}};

const workload w_cummax_op;
const workload w_cummax_op = {
    .name = "cummax_op",
    .row = 3,
    .what = "torch.cummax: running maximum and where it is, the last of equal ones; NaN wins",
    .size_names = "o t",
    .sizes = SIZES(1 << 24),
    .program = cummax_op_program,
    .fill = {{FILL_NORMAL, 0, 1}},
    .corner = {{FILL_TIES_NAN, -100, 100}},
    .bytes = bytes_where,
    .flops = elements,
    .units = elements,
    .unit = "element",
    .references = cummax_op_references,
};
