/* Discounted returns and generalised advantages of reinforcement learning (row 11 of the suite):
 * scans that run backwards in time. Sizes "t d": t steps of d environments. */
#include "program_text.h"
#include "references.h"

static double elements(const int64_t *n) { return (double)n[0] * (double)n[1]; }

#define SIZES \
  { \
    {{256, 64}, true}, {{2048, 64}, false}, { {128, 4096}, false } \
  }

/* 1 - done as a factor, and what runs backwards. */
#define CONTINUES \
  "        to: \"f32[$t, $d]\" = torch.ops.aten.to.dtype(done, torch.float32)\n" \
  "        rsub: \"f32[$t, $d]\" = torch.ops.aten.rsub.Scalar(to, 1.0)\n"
#define BACKWARDS(x) \
  "        select: \"f32[$d]\" = torch.ops.aten.select.int(rew, 0, 0)\n" \
  "        zeros_like: \"f32[$d]\" = torch.ops.aten.zeros_like.default(select, pin_memory = " \
  "False)\n" \
  "        flip: \"f32[$t, $d]\" = torch.ops.aten.flip.default(" x ", [0])\n" \
  "        flip_1: \"f32[$t, $d]\" = torch.ops.aten.flip.default(rsub, [0])\n" \
  "        scan_combine_graph_0 = self.scan_combine_graph_0\n" \
  "        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [zeros_like], [flip, " \
  "flip_1], ())\n" \
  "        getitem = scan[0]\n" \
  "        getitem_1: \"f32[$t, $d]\" = scan[1]\n" \
  "        flip_2: \"f32[$t, $d]\" = torch.ops.aten.flip.default(getitem_1, [0])\n"
#define STEP(factor) \
  "\n" \
  "    class scan_combine_graph_0(torch.nn.Module):\n" \
  "        def forward(self, arg0_1: \"f32[$d]\", arg1_1: \"f32[$d]\", arg2_1: \"f32[$d]\"):\n" \
  "            mul: \"f32[$d]\" = torch.ops.aten.mul.Tensor(arg2_1, " factor ")\n" \
  "            mul_1: \"f32[$d]\" = torch.ops.aten.mul.Tensor(mul, arg0_1)\n" \
  "            add: \"f32[$d]\" = torch.ops.aten.add.Tensor(arg1_1, mul_1)\n" \
  "            clone: \"f32[$d]\" = torch.ops.aten.clone.default(add)\n" \
  "            return [add, clone]\n"

/* Sums of at most 100 terms that count; near 0 where they cancel. */
#define ACCURACY .rtol = 1e-5, .atol = 1e-5

/* ---- discounted returns ---- */

static void discounted_returns_program(FILE *to, const int64_t *n) {
  program_text(
      to,
      "class GraphModule(torch.nn.Module):\n"
      "    def forward(self, rew: \"f32[$t, $d]\", done: \"b8[$t, $d]\"):\n" CONTINUES BACKWARDS(
          "rew") "        return (flip_2,)\n" STEP("0.99"),
      "t d", n);
}

static double returns_bytes(const int64_t *n) { return 9 * elements(n); }
static double returns_flops(const int64_t *n) { return 4 * elements(n); }

DECLARE(discounted_returns);
DECLARE(discounted_returns_tiled);
static const reference discounted_returns_references[] = {
    PLAIN(discounted_returns) GOOD(discounted_returns)
        KERNEL(discounted_returns_tiled, "tiles of 64 environments in registers"){0}};

const workload w_discounted_returns;
const workload w_discounted_returns = {
    .name = "discounted_returns",
    .row = 11,
    .what = "g = r + 0.99 g backwards in time, cut where an episode ends",
    .size_names = "t d",
    .sizes = SIZES,
    .program = discounted_returns_program,
    .fill = {{FILL_NORMAL, 0, 1}, {FILL_FLAGS, 0.01, 0}},
    ACCURACY,
    .bytes = returns_bytes,
    .flops = returns_flops,
    .units = elements,
    .unit = "element",
    .references = discounted_returns_references,
};

/* ---- generalised advantages ---- */

static void gae_program(FILE *to, const int64_t *n) {
  program_text(
      to,
      "class GraphModule(torch.nn.Module):\n"
      "    def forward(self, rew: \"f32[$t, $d]\", val: \"f32[$t, $d]\", nval: \"f32[$t, $d]\", "
      "done: \"b8[$t, $d]\"):\n" CONTINUES
      "        mul: \"f32[$t, $d]\" = torch.ops.aten.mul.Tensor(nval, 0.99)\n"
      "        mul_1: \"f32[$t, $d]\" = torch.ops.aten.mul.Tensor(mul, rsub)\n"
      "        add: \"f32[$t, $d]\" = torch.ops.aten.add.Tensor(rew, mul_1)\n"
      "        sub: \"f32[$t, $d]\" = torch.ops.aten.sub.Tensor(add, val)\n" BACKWARDS(
          "sub") "        add_1: \"f32[$t, $d]\" = torch.ops.aten.add.Tensor(flip_2, val)\n"
                 "        return (flip_2, add_1)\n" STEP("0.9405"),
      "t d", n);
}

static double gae_bytes(const int64_t *n) { return 21 * elements(n); }
static double gae_flops(const int64_t *n) { return 9 * elements(n); }

DECLARE(gae);
DECLARE(gae_tiled);
static const reference gae_references[] = {
    PLAIN(gae) GOOD(gae) KERNEL(gae_tiled, "tiles of 64 environments in registers"){0}};

const workload w_gae;
const workload w_gae = {
    .name = "gae",
    .row = 11,
    .what = "generalised advantages and returns: a = delta + 0.9405 a backwards in time",
    .size_names = "t d",
    .sizes = SIZES,
    .program = gae_program,
    .fill = {{FILL_NORMAL, 0, 1}, {FILL_NORMAL, 0, 1}, {FILL_NORMAL, 0, 1}, {FILL_FLAGS, 0.01, 0}},
    ACCURACY,
    .bytes = gae_bytes,
    .flops = gae_flops,
    .units = elements,
    .unit = "element",
    .references = gae_references,
};
