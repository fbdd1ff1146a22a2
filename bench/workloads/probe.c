/* What a call and a step cost when there is next to nothing to compute. */
#include <inttypes.h>

#include "references.h"

/* ---- one call ---- */

static void dispatch_program(FILE *to, const int64_t *n) {
  fprintf(to,
          "class GraphModule(torch.nn.Module):\n"
          "    def forward(self, x: \"f32[%" PRId64 "]\"):\n"
          "        y = torch.ops.aten.add.Tensor(x, 1.0)\n"
          "        return (y,)\n",
          n[0]);
}

static double one(const int64_t *n) { return 1 + 0 * (double)n[0]; }
static double dispatch_bytes(const int64_t *n) { return 8.0 * (double)n[0]; }

DECLARE(probe_dispatch);
static const reference dispatch_references[] = {PLAIN(probe_dispatch) GOOD(probe_dispatch){0}};

const workload w_probe_dispatch;
const workload w_probe_dispatch = {
    .name = "probe_dispatch",
    .row = 22,
    .what = "the cost of a call: a program that adds 1 to one element",
    .size_names = "n",
    .sizes = {{{1}, true}},
    .program = dispatch_program,
    .fill = {{FILL_NORMAL, 0, 1}},
    .bytes = dispatch_bytes,
    .flops = one,
    .units = one,
    .unit = "call",
    .references = dispatch_references,
};

/* ---- one step ---- */

/* `ops` operations that wait for each other: in turn c + x and c * 0.5. */
static void step_program(FILE *to, const int64_t *n) {
  fprintf(to,
          "class GraphModule(torch.nn.Module):\n"
          "    def forward(self, init: \"f32[]\", xs: \"f32[%" PRId64 "]\"):\n"
          "        step = self.step\n"
          "        scan = torch.ops.higher_order.scan(step, [init], [xs], ())\n"
          "        last: \"f32[]\" = scan[0]\n"
          "        ys: \"f32[%" PRId64 "]\" = scan[1]\n"
          "        return (last, ys)\n"
          "\n"
          "    class step(torch.nn.Module):\n"
          "        def forward(self, c0: \"f32[]\", x: \"f32[]\"):\n",
          n[1], n[1]);
  for (int64_t i = 0; i < n[0]; i++)
    fprintf(to, "            c%" PRId64 " = torch.ops.aten.%s(c%" PRId64 ", %s)\n", i + 1,
            i % 2 ? "mul.Tensor" : "add.Tensor", i, i % 2 ? "0.5" : "x");
  fprintf(to,
          "            y = torch.ops.aten.clone.default(c%" PRId64 ")\n"
          "            return [c%" PRId64 ", y]\n",
          n[0], n[0]);
}

static double step_bytes(const int64_t *n) { return 8.0 * (double)n[1] + 8; }
static double step_flops(const int64_t *n) { return (double)n[0] * (double)n[1]; }
static double steps(const int64_t *n) { return (double)n[1]; }

DECLARE(probe_step);
static const reference step_references[] = {PLAIN(probe_step) GOOD(probe_step){0}};

const workload w_probe_step;
const workload w_probe_step = {
    .name = "probe_step",
    .row = 22,
    .what = "the cost of a step: a scan of one lane whose body is a chain of operations",
    .size_names = "ops t",
    .sizes = {{{1, 4096}, true}, {{4, 4096}, true}, {{16, 4096}, true}, {{64, 4096}, true}},
    .program = step_program,
    .fill = {{FILL_WHOLE, -8, 9}, {FILL_WHOLE, -8, 9}},
    .rtol = 1e-5,
    .atol = 1e-5,
    .bytes = step_bytes,
    .flops = step_flops,
    .units = steps,
    .unit = "step",
    .references = step_references,
};
