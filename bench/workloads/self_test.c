/* Three of its references are wrong on purpose: the harness has to say so. Not in the table of
 * workloads. */
#include <inttypes.h>

#include "references.h"

static void program(FILE *to, const int64_t *n) {
  fprintf(to,
          "class GraphModule(torch.nn.Module):\n"
          "    def forward(self, x: \"f32[%" PRId64 "]\"):\n"
          "        y = torch.ops.aten.add.Tensor(x, 1.0)\n"
          "        return (y,)\n",
          n[0]);
}

static double bytes(const int64_t *n) { return 8.0 * (double)n[0]; }
static double elements(const int64_t *n) { return (double)n[0]; }

/* The plain one is right. */
DECLARE(probe_dispatch);
DECLARE(self_test_wrong);
DECLARE(self_test_later);
DECLARE(self_test_corner);
static const reference references[] = {PLAIN(probe_dispatch) GOOD(self_test_wrong) KERNEL(
    self_test_later, "right twice") KERNEL(self_test_corner, "without NaN"){0}};

const workload w_self_test;
const workload w_self_test = {
    .name = "self_test",
    .what =
        "references that are off: in the last element, after the first call, where there is a NaN",
    .size_names = "n",
    .sizes = {{{100}, true}},
    .program = program,
    .fill = {{FILL_NORMAL, 0, 1}},
    .corner = {{FILL_TIES_NAN, -9, 9}},
    .rtol = 1e-5,
    .atol = 1e-6,
    .bytes = bytes,
    .flops = elements,
    .units = elements,
    .unit = "element",
    .references = references,
};
