/* A cascade of second-order sections, as filters of high order are built (row 12 of the suite):
 * every sample runs through four sections in transposed direct form II, whose coefficients are an
 * input. Sizes "s t". */
#include "references.h"

enum { SECTIONS = 4 };

static double samples(const int64_t *n) { return (double)n[1]; }
static double bytes(const int64_t *n) { return 8 * (double)n[1]; }
static double flops(const int64_t *n) { return 9 * (double)n[0] * (double)n[1]; }

/* One operation of the body: its name and number, type and call. */
#define LINE(type, name, call, ...) \
  fprintf(to, "            " name ": \"" type "\" = torch.ops.aten." call "\n", __VA_ARGS__)

/* Section k, between the samples x_k and x_(k + 1), and its states afterwards, state_k. */
static void section(FILE *to, int k) {
  LINE("f32[5]", "of_%d", "select.int(arg2_1, 0, %d)", k, k);
  static const char *const coefficients[] = {"b0", "b1", "b2", "a1", "a2"};
  for (int j = 0; j < 5; j++)
    LINE("f32[]", "%s_%d", "select.int(of_%d, 0, %d)", coefficients[j], k, k, j);
  LINE("f32[2]", "before_%d", "select.int(arg0_1, 0, %d)", k, k);
  for (int j = 0; j < 2; j++) LINE("f32[]", "z%d_%d", "select.int(before_%d, 0, %d)", j, k, k, j);
  LINE("f32[]", "now_%d", "mul.Tensor(b0_%d, x_%d)", k, k, k);
  LINE("f32[]", "x_%d", "add.Tensor(now_%d, z0_%d)", k + 1, k, k);
  LINE("f32[]", "ahead_%d", "mul.Tensor(b1_%d, x_%d)", k, k, k);
  LINE("f32[]", "back_%d", "mul.Tensor(a1_%d, x_%d)", k, k, k + 1);
  LINE("f32[]", "both_%d", "sub.Tensor(ahead_%d, back_%d)", k, k, k);
  LINE("f32[]", "next0_%d", "add.Tensor(both_%d, z1_%d)", k, k, k);
  LINE("f32[]", "ahead2_%d", "mul.Tensor(b2_%d, x_%d)", k, k, k);
  LINE("f32[]", "back2_%d", "mul.Tensor(a2_%d, x_%d)", k, k, k + 1);
  LINE("f32[]", "next1_%d", "sub.Tensor(ahead2_%d, back2_%d)", k, k, k);
  LINE("f32[2]", "state_%d", "stack.default([next0_%d, next1_%d])", k, k, k);
}

static void cascade_program(FILE *to, const int64_t *n) {
  fprintf(
      to,
      "class GraphModule(torch.nn.Module):\n"
      "    def forward(self, sos: \"f32[%d, 5]\", x: \"f32[%lld]\"):\n"
      "        full: \"f32[%d, 2]\" = torch.ops.aten.full.default([%d, 2], 0, dtype = "
      "torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory = False)\n"
      "        scan_combine_graph_0 = self.scan_combine_graph_0\n"
      "        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [full], [x], (sos,))\n"
      "        getitem: \"f32[%lld]\" = scan[1]\n"
      "        return (getitem,)\n"
      "\n"
      "    class scan_combine_graph_0(torch.nn.Module):\n"
      "        def forward(self, arg0_1: \"f32[%d, 2]\", x_0: \"f32[]\", arg2_1: \"f32[%d, "
      "5]\"):\n",
      SECTIONS, (long long)n[1], SECTIONS, SECTIONS, (long long)n[1], SECTIONS, SECTIONS);
  for (int k = 0; k < SECTIONS; k++) section(to, k);
  LINE("f32[%d, 2]", "states", "stack.default([state_0, state_1, state_2, state_3])", SECTIONS);
  LINE("f32[]", "y", "clone.default(x_%d)", SECTIONS);
  fprintf(to, "            return [states, y]\n");
}

DECLARE(cascade);
DECLARE(cascade_skewed);
static const reference cascade_references[] = {PLAIN(cascade) GOOD(cascade) KERNEL(
    cascade_skewed, "4 sections as lanes, one sample apart"){0}};

const workload w_biquad_cascade;
const workload w_biquad_cascade = {
    .name = "biquad_cascade",
    .row = 12,
    .what = "four sections of second order along time, transposed direct form II",
    .size_names = "s t",
    .sizes = {{{SECTIONS, 4800}, true}, {{SECTIONS, 48000}, false}, {{SECTIONS, 480000}, false}},
    .program = cascade_program,
    /* Any such section is stable, and its samples fade within 50 steps. */
    .fill = {{FILL_UNIFORM, -0.4, 0.4}, {FILL_NORMAL, 0, 1}},
    .rtol = 1e-5,
    .atol = 2e-6,
    .bytes = bytes,
    .flops = flops,
    .units = samples,
    .unit = "sample",
    .references = cascade_references,
};
