/* State space models and linear attention: a matrix of state per channel or head. */
#include "bench.h"
#include "program_text.h"
#include "references.h"

/* ---- Mamba-1 selective scan: one sequence of t steps, d channels with n states each ---- */

#define MAMBA_NAMES "t d n"

static const char mamba_text[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, a: \"f32[$d, $n]\", dt: \"f32[$t, $d]\", x: \"f32[$t, $d]\", "
    "b: \"f32[$t, $n]\", c: \"f32[$t, $n]\", h0: \"f32[$d, $n]\"):\n"
    "        scan_combine_graph_0 = self.scan_combine_graph_0\n"
    "        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [h0], [dt, x, b, c], (a,))\n"
    "        getitem: \"f32[$d, $n]\" = scan[0]\n"
    "        getitem_1: \"f32[$t, $d]\" = scan[1]\n"
    "        return (getitem_1, getitem)\n"
    "\n"
    "    class scan_combine_graph_0(torch.nn.Module):\n"
    "        def forward(self, arg0_1: \"f32[$d, $n]\", arg1_1: \"f32[$d]\", arg2_1: \"f32[$d]\", "
    "arg3_1: \"f32[$n]\", arg4_1: \"f32[$n]\", arg5_1: \"f32[$d, $n]\"):\n"
    "            unsqueeze: \"f32[$d, 1]\" = torch.ops.aten.unsqueeze.default(arg1_1, -1)\n"
    "            mul: \"f32[$d, $n]\" = torch.ops.aten.mul.Tensor(unsqueeze, arg5_1)\n"
    "            exp: \"f32[$d, $n]\" = torch.ops.aten.exp.default(mul)\n"
    "            mul_1: \"f32[$d, $n]\" = torch.ops.aten.mul.Tensor(exp, arg0_1)\n"
    "            mul_2: \"f32[$d]\" = torch.ops.aten.mul.Tensor(arg1_1, arg2_1)\n"
    "            unsqueeze_1: \"f32[$d, 1]\" = torch.ops.aten.unsqueeze.default(mul_2, -1)\n"
    "            mul_3: \"f32[$d, $n]\" = torch.ops.aten.mul.Tensor(unsqueeze_1, arg3_1)\n"
    "            add: \"f32[$d, $n]\" = torch.ops.aten.add.Tensor(mul_1, mul_3)\n"
    "            mul_4: \"f32[$d, $n]\" = torch.ops.aten.mul.Tensor(add, arg4_1)\n"
    "            sum_1: \"f32[$d]\" = torch.ops.aten.sum.dim_IntList(mul_4, [-1])\n"
    "            return [add, sum_1]\n";

static void mamba_program(FILE *to, const int64_t *n) {
  program_text(to, mamba_text, MAMBA_NAMES, n);
}
static double mamba_bytes(const int64_t *n) {
  double t = (double)n[0], d = (double)n[1], states = (double)n[2];
  return 4 * (3 * d * states + 3 * t * d + 2 * t * states);
}
/* Per state the product in exp, exp as one, its product, one product and sum each for input and
 * output; per channel dt * x. */
static double mamba_flops(const int64_t *n) {
  return (double)n[0] * (double)n[1] * (7 * (double)n[2] + 1);
}
static double mamba_units(const int64_t *n) { return (double)n[0] * (double)n[1]; }

DECLARE(mamba_scan);
DECLARE(mamba_scan_lanes);

static const reference mamba_references[] = {
    PLAIN(mamba_scan) GOOD(mamba_scan)
        REORDERED_KERNEL_AVX2(mamba_scan_lanes, "channels in lanes, states in registers"){0}};

const workload w_mamba_scan = {
    .name = "mamba_scan",
    .row = 13,
    .what = "Mamba-1 selective scan, one sequence",
    .size_names = MAMBA_NAMES,
    .sizes = {{{64, 256, 16}, true}, {{512, 1536, 16}, false}, {{2048, 1536, 16}, false}},
    .program = mamba_program,
    .fill = {{FILL_UNIFORM, -16, -1},
             {FILL_UNIFORM, 0.001, 0.1},
             {FILL_NORMAL, 0, 1},
             {FILL_NORMAL, 0, 1},
             {FILL_NORMAL, 0, 1},
             {FILL_NORMAL, 0, 1}},
    /* The state forgets within tens of steps, so only the rounding of as many remains; y is a sum
     * of n products that may cancel, hence the absolute part. */
    .rtol = 1e-4,
    .atol = 1e-5,
    .bytes = mamba_bytes,
    .flops = mamba_flops,
    .units = mamba_units,
    .unit = "step of a channel",
    .references = mamba_references,
};

/* ---- RWKV-6: h heads, state of k keys by v values each ---- */

#define RWKV_NAMES "t h k v"

static const char rwkv_text[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, u: \"f32[$h, $k]\", r: \"f32[$t, $h, $k]\", k: \"f32[$t, $h, $k]\", "
    "v: \"f32[$t, $h, $v]\", w: \"f32[$t, $h, $k]\", s0: \"f32[$h, $k, $v]\"):\n"
    "        scan_combine_graph_0 = self.scan_combine_graph_0\n"
    "        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [s0], [r, k, v, w], (u,))\n"
    "        getitem: \"f32[$h, $k, $v]\" = scan[0]\n"
    "        getitem_1: \"f32[$t, $h, $v]\" = scan[1]\n"
    "        return (getitem_1, getitem)\n"
    "\n"
    "    class scan_combine_graph_0(torch.nn.Module):\n"
    "        def forward(self, arg0_1: \"f32[$h, $k, $v]\", arg1_1: \"f32[$h, $k]\", arg2_1: "
    "\"f32[$h, $k]\", arg3_1: \"f32[$h, $v]\", arg4_1: \"f32[$h, $k]\", arg5_1: \"f32[$h, $k]\"):\n"
    "            unsqueeze: \"f32[$h, $k, 1]\" = torch.ops.aten.unsqueeze.default(arg2_1, -1)\n"
    "            unsqueeze_1: \"f32[$h, 1, $v]\" = torch.ops.aten.unsqueeze.default(arg3_1, -2)\n"
    "            mul: \"f32[$h, $k, $v]\" = torch.ops.aten.mul.Tensor(unsqueeze, unsqueeze_1)\n"
    "            unsqueeze_2: \"f32[$h, $k, 1]\" = torch.ops.aten.unsqueeze.default(arg5_1, -1)\n"
    "            mul_1: \"f32[$h, $k, $v]\" = torch.ops.aten.mul.Tensor(unsqueeze_2, mul)\n"
    "            add: \"f32[$h, $k, $v]\" = torch.ops.aten.add.Tensor(arg0_1, mul_1)\n"
    "            unsqueeze_3: \"f32[$h, $k, 1]\" = torch.ops.aten.unsqueeze.default(arg1_1, -1)\n"
    "            mul_2: \"f32[$h, $k, $v]\" = torch.ops.aten.mul.Tensor(add, unsqueeze_3)\n"
    "            sum_1: \"f32[$h, $v]\" = torch.ops.aten.sum.dim_IntList(mul_2, [-2])\n"
    "            exp: \"f32[$h, $k]\" = torch.ops.aten.exp.default(arg4_1)\n"
    "            unsqueeze_4: \"f32[$h, $k, 1]\" = torch.ops.aten.unsqueeze.default(exp, -1)\n"
    "            mul_3: \"f32[$h, $k, $v]\" = torch.ops.aten.mul.Tensor(arg0_1, unsqueeze_4)\n"
    "            add_1: \"f32[$h, $k, $v]\" = torch.ops.aten.add.Tensor(mul_3, mul)\n"
    "            return [add_1, sum_1]\n";

static void rwkv_program(FILE *to, const int64_t *n) { program_text(to, rwkv_text, RWKV_NAMES, n); }
static double rwkv_bytes(const int64_t *n) {
  double t = (double)n[0], h = (double)n[1], k = (double)n[2], v = (double)n[3];
  return 4 * (h * k + t * h * (3 * k + 2 * v) + 2 * h * k * v);
}
static double rwkv_flops(const int64_t *n) {
  return (double)n[0] * (double)n[1] * (double)n[2] * (7 * (double)n[3] + 1);
}
static double rwkv_units(const int64_t *n) { return (double)n[0] * (double)n[1]; }

DECLARE(rwkv6);
DECLARE(rwkv6_lanes);

static const reference rwkv_references[] = {PLAIN(rwkv6) GOOD(rwkv6) REORDERED_KERNEL_AVX2(
    rwkv6_lanes, "values in lanes, a head at a time, bonus apart"){0}};

const workload w_rwkv6 = {
    .name = "rwkv6",
    .row = 14,
    .what = "RWKV-6 state update, a matrix of state per head",
    .size_names = RWKV_NAMES,
    .sizes = {{{32, 4, 64, 64}, true}, {{256, 32, 64, 64}, false}},
    .program = rwkv_program,
    .fill = {{FILL_NORMAL, 0, 1},
             {FILL_NORMAL, 0, 1},
             {FILL_NORMAL, 0, 1},
             {FILL_NORMAL, 0, 1},
             {FILL_UNIFORM, -1, -0.01},
             {FILL_NORMAL, 0, 1}},
    /* y is a sum of k products of either sign and of magnitude 5 or so: it may cancel. */
    .rtol = 1e-4,
    .atol = 2e-4,
    .bytes = rwkv_bytes,
    .flops = rwkv_flops,
    .units = rwkv_units,
    .unit = "step of a head",
    .references = rwkv_references,
};
