/* A combine function of more than 200 operations: what many of them take to compile, and whether
 * they are still fast. The running product of power series, cut off behind the coefficient of x^14,
 * one array per coefficient: coefficient k of a product is the sum of 2 k + 1 products and sums. */
#include <inttypes.h>

#include "references.h"

enum { COEFFICIENTS = 15, OPERATIONS = COEFFICIENTS * COEFFICIENTS };

static void list(FILE *to, const char *format, const char *type, int64_t n) {
  for (int k = 0; k < COEFFICIENTS; k++) {
    fprintf(to, format, k);
    if (*type) fprintf(to, type, n);
  }
}

/* c_k = a_0 b_k + a_1 b_{k - 1} + ... + a_k b_0 */
static void coefficient(FILE *to, int k) {
  for (int i = 0; i <= k; i++)
    fprintf(to, "            p%d_%d = torch.ops.aten.mul.Tensor(a%d, b%d)\n", k, i, i, k - i);
  for (int i = 1; i <= k; i++)
    fprintf(to, "            s%d_%d = torch.ops.aten.add.Tensor(%c%d_%d, p%d_%d)\n", k, i,
            i > 1 ? 's' : 'p', k, i - 1, k, i);
}

static void series_program(FILE *to, const int64_t *n) {
  fputs("class GraphModule(torch.nn.Module):\n    def forward(self", to);
  list(to, ", x%d", ": \"f32[%" PRId64 "]\"", n[0]);
  fputs("):\n        combine = self.combine\n"
        "        scan = torch.ops.higher_order.associative_scan(combine, [x0",
        to);
  for (int k = 1; k < COEFFICIENTS; k++) fprintf(to, ", x%d", k);
  fputs("], ())\n", to);
  for (int k = 0; k < COEFFICIENTS; k++)
    fprintf(to, "        y%d: \"f32[%" PRId64 "]\" = scan[%d]\n", k, n[0], k);
  fputs("        return (y0", to);
  for (int k = 1; k < COEFFICIENTS; k++) fprintf(to, ", y%d", k);
  fputs(")\n\n    class combine(torch.nn.Module):\n        def forward(self", to);
  list(to, ", a%d: \"f32[]\"", "", 0);
  list(to, ", b%d: \"f32[]\"", "", 0);
  fputs("):\n", to);
  for (int k = 0; k < COEFFICIENTS; k++) coefficient(to, k);
  fputs("            return [p0_0", to);
  for (int k = 1; k < COEFFICIENTS; k++) fprintf(to, ", s%d_%d", k, k);
  fputs("]\n", to);
}

static double elements(const int64_t *n) { return (double)n[0]; }
static double bytes(const int64_t *n) { return 8.0 * COEFFICIENTS * (double)n[0]; }
static double flops(const int64_t *n) { return (double)OPERATIONS * (double)n[0]; }

DECLARE(series);
static const reference series_references[] = {PLAIN(series) GOOD(series){0}};

#define NEAR_0 {FILL_NORMAL, 0, 1e-3}

const workload w_series;
const workload w_series = {
    .name = "series",
    .row = 22,
    .what = "a combine function of 225 operations: the running product of power series of 15 "
            "coefficients",
    .size_names = "n",
    .sizes = {{{1 << 12}, true}, {{1 << 16}, false}},
    .program = series_program,
    /* Near the series 1, so that products stay near it. */
    .fill = {{FILL_NORMAL, 1, 1e-3},
             NEAR_0,
             NEAR_0,
             NEAR_0,
             NEAR_0,
             NEAR_0,
             NEAR_0,
             NEAR_0,
             NEAR_0,
             NEAR_0,
             NEAR_0,
             NEAR_0,
             NEAR_0,
             NEAR_0,
             NEAR_0},
    /* Roundings of up to 65536 products add up, as those of matrices do (matrices.c). */
    .rtol = 1e-4,
    .atol = 1e-4,
    .bytes = bytes,
    .flops = flops,
    .units = elements,
    .unit = "element",
    .references = series_references,
};
