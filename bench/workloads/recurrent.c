/* Recurrent networks with matrix products in every step, as torch prints a cell in a scan. */
#include "bench.h"
#include "program_text.h"
#include "references.h"

#define NAMES "t b i h"
enum { T, B, I, H };

static const char gru_text[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, w_ih: \"f32[$3h, $i]\", w_hh: \"f32[$3h, $h]\", b_ih: \"f32[$3h]\", "
    "b_hh: \"f32[$3h]\", x: \"f32[$t, $b, $i]\", h0: \"f32[$b, $h]\"):\n"
    "        scan_combine_graph_0 = self.scan_combine_graph_0\n"
    "        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [h0], [x], (w_ih, b_ih, "
    "w_hh, "
    "b_hh))\n"
    "        getitem: \"f32[$b, $h]\" = scan[0]\n"
    "        getitem_1: \"f32[$t, $b, $h]\" = scan[1]\n"
    "        return (getitem_1, getitem)\n"
    "\n"
    "    class scan_combine_graph_0(torch.nn.Module):\n"
    "        def forward(self, arg0_1: \"f32[$b, $h]\", arg1_1: \"f32[$b, $i]\", arg2_1: "
    "\"f32[$3h, $i]\", arg3_1: \"f32[$3h]\", arg4_1: \"f32[$3h, $h]\", arg5_1: \"f32[$3h]\"):\n"
    "            linear: \"f32[$b, $3h]\" = torch.ops.aten.linear.default(arg1_1, arg2_1, arg3_1)\n"
    "            chunk = torch.ops.aten.chunk.default(linear, 3, -1)\n"
    "            getitem: \"f32[$b, $h]\" = chunk[0]\n"
    "            getitem_1: \"f32[$b, $h]\" = chunk[1]\n"
    "            getitem_2: \"f32[$b, $h]\" = chunk[2]\n"
    "            linear_1: \"f32[$b, $3h]\" = torch.ops.aten.linear.default(arg0_1, arg4_1, "
    "arg5_1)\n"
    "            chunk_1 = torch.ops.aten.chunk.default(linear_1, 3, -1)\n"
    "            getitem_3: \"f32[$b, $h]\" = chunk_1[0]\n"
    "            getitem_4: \"f32[$b, $h]\" = chunk_1[1]\n"
    "            getitem_5: \"f32[$b, $h]\" = chunk_1[2]\n"
    "            add: \"f32[$b, $h]\" = torch.ops.aten.add.Tensor(getitem, getitem_3)\n"
    "            sigmoid: \"f32[$b, $h]\" = torch.ops.aten.sigmoid.default(add)\n"
    "            add_1: \"f32[$b, $h]\" = torch.ops.aten.add.Tensor(getitem_1, getitem_4)\n"
    "            sigmoid_1: \"f32[$b, $h]\" = torch.ops.aten.sigmoid.default(add_1)\n"
    "            mul: \"f32[$b, $h]\" = torch.ops.aten.mul.Tensor(sigmoid, getitem_5)\n"
    "            add_2: \"f32[$b, $h]\" = torch.ops.aten.add.Tensor(getitem_2, mul)\n"
    "            tanh: \"f32[$b, $h]\" = torch.ops.aten.tanh.default(add_2)\n"
    "            rsub: \"f32[$b, $h]\" = torch.ops.aten.rsub.Scalar(sigmoid_1, 1)\n"
    "            mul_1: \"f32[$b, $h]\" = torch.ops.aten.mul.Tensor(rsub, tanh)\n"
    "            mul_2: \"f32[$b, $h]\" = torch.ops.aten.mul.Tensor(sigmoid_1, arg0_1)\n"
    "            add_3: \"f32[$b, $h]\" = torch.ops.aten.add.Tensor(mul_1, mul_2)\n"
    "            clone: \"f32[$b, $h]\" = torch.ops.aten.clone.default(add_3)\n"
    "            return [add_3, clone]\n";

static const char lstm_text[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, w_ih: \"f32[$4h, $i]\", w_hh: \"f32[$4h, $h]\", b_ih: \"f32[$4h]\", "
    "b_hh: \"f32[$4h]\", x: \"f32[$t, $b, $i]\", h0: \"f32[$b, $h]\", c0: \"f32[$b, $h]\"):\n"
    "        scan_combine_graph_0 = self.scan_combine_graph_0\n"
    "        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [h0, c0], [x], (w_ih, b_ih, "
    "w_hh, b_hh))\n"
    "        getitem: \"f32[$b, $h]\" = scan[0]\n"
    "        getitem_1: \"f32[$b, $h]\" = scan[1]\n"
    "        getitem_2: \"f32[$t, $b, $h]\" = scan[2]\n"
    "        return (getitem_2, getitem, getitem_1)\n"
    "\n"
    "    class scan_combine_graph_0(torch.nn.Module):\n"
    "        def forward(self, arg0_1: \"f32[$b, $h]\", arg1_1: \"f32[$b, $h]\", arg2_1: "
    "\"f32[$b, $i]\", arg3_1: \"f32[$4h, $i]\", arg4_1: \"f32[$4h]\", arg5_1: \"f32[$4h, $h]\", "
    "arg6_1: \"f32[$4h]\"):\n"
    "            linear: \"f32[$b, $4h]\" = torch.ops.aten.linear.default(arg2_1, arg3_1, arg4_1)\n"
    "            linear_1: \"f32[$b, $4h]\" = torch.ops.aten.linear.default(arg0_1, arg5_1, "
    "arg6_1)\n"
    "            add: \"f32[$b, $4h]\" = torch.ops.aten.add.Tensor(linear, linear_1)\n"
    "            chunk = torch.ops.aten.chunk.default(add, 4, -1)\n"
    "            getitem: \"f32[$b, $h]\" = chunk[0]\n"
    "            getitem_1: \"f32[$b, $h]\" = chunk[1]\n"
    "            getitem_2: \"f32[$b, $h]\" = chunk[2]\n"
    "            getitem_3: \"f32[$b, $h]\" = chunk[3]\n"
    "            sigmoid: \"f32[$b, $h]\" = torch.ops.aten.sigmoid.default(getitem_1)\n"
    "            mul: \"f32[$b, $h]\" = torch.ops.aten.mul.Tensor(sigmoid, arg1_1)\n"
    "            sigmoid_1: \"f32[$b, $h]\" = torch.ops.aten.sigmoid.default(getitem)\n"
    "            tanh: \"f32[$b, $h]\" = torch.ops.aten.tanh.default(getitem_2)\n"
    "            mul_1: \"f32[$b, $h]\" = torch.ops.aten.mul.Tensor(sigmoid_1, tanh)\n"
    "            add_1: \"f32[$b, $h]\" = torch.ops.aten.add.Tensor(mul, mul_1)\n"
    "            sigmoid_2: \"f32[$b, $h]\" = torch.ops.aten.sigmoid.default(getitem_3)\n"
    "            tanh_1: \"f32[$b, $h]\" = torch.ops.aten.tanh.default(add_1)\n"
    "            mul_2: \"f32[$b, $h]\" = torch.ops.aten.mul.Tensor(sigmoid_2, tanh_1)\n"
    "            clone: \"f32[$b, $h]\" = torch.ops.aten.clone.default(mul_2)\n"
    "            return [mul_2, add_1, clone]\n";

static void gru_program(FILE *to, const int64_t *n) { program_text(to, gru_text, NAMES, n); }
static void lstm_program(FILE *to, const int64_t *n) { program_text(to, lstm_text, NAMES, n); }

static double product(const int64_t *n, int a, int b, int c) {
  return (double)n[a] * (double)n[b] * (double)n[c];
}

/* Weights and biases of `gates` gates, x, the initial carries, and what is written. */
static double bytes(const int64_t *n, int gates, int carries) {
  double weights = gates * (double)n[H] * (double)(n[I] + n[H] + 2);
  double state = carries * (double)n[B] * (double)n[H];
  return 4 * (weights + product(n, T, B, I) + product(n, T, B, H) + 2 * state);
}

static double gru_bytes(const int64_t *n) { return bytes(n, 3, 1); }
static double lstm_bytes(const int64_t *n) { return bytes(n, 4, 2); }

/* Products, biases, and the elementwise part with a function of libm counted as one. */
static double gru_flops(const int64_t *n) {
  return product(n, T, B, H) * (6.0 * (double)(n[I] + n[H]) + 6 + 11);
}
static double lstm_flops(const int64_t *n) {
  return product(n, T, B, H) * (8.0 * (double)(n[I] + n[H]) + 8 + 13);
}
static double steps(const int64_t *n) { return (double)n[T]; }

DECLARE(gru);
DECLARE(gru_packed);
DECLARE(lstm);
DECLARE(lstm_packed);

static const reference gru_references[] = {
    PLAIN(gru) GOOD(gru) KERNEL_AVX2(gru_packed, "packed weights, vector exp and tanh"){0}};
static const reference lstm_references[] = {
    PLAIN(lstm) GOOD(lstm) KERNEL_AVX2(lstm_packed, "packed weights, vector exp and tanh"){0}};

/* Tolerances: every gate is a sum of up to 1024 products, rounded in another order or fused, which
 * moves it by some 1e-6; the gates squash, so steps do not add up. */
#define WEIGHT(r) {FILL_UNIFORM, -(r), r}
#define LAYER(r) WEIGHT(r), WEIGHT(r), WEIGHT(r), WEIGHT(r), {FILL_NORMAL, 0, 1}
#define STATE {FILL_UNIFORM, -1, 1}
#define ONE_SEQUENCE \
  { \
    {{100, 1, 64, 64}, true}, {{100, 1, 128, 128}, false}, {{100, 1, 256, 256}, false}, { \
      {100, 1, 512, 512}, false \
    } \
  }
#define RECURRENT(text) \
  .size_names = NAMES, .program = text##_program, .bytes = text##_bytes, .flops = text##_flops, \
  .units = steps, .unit = "step", .references = text##_references, .rtol = 5e-5, .atol = 5e-6

const workload w_gru = {
    RECURRENT(gru),
    .name = "gru",
    .row = 15,
    .what = "GRU layer, one sequence",
    .sizes = ONE_SEQUENCE,
    .fill = {LAYER(0.1), STATE},
};

const workload w_lstm = {
    RECURRENT(lstm),
    .name = "lstm",
    .row = 15,
    .what = "LSTM layer, one sequence",
    .sizes = ONE_SEQUENCE,
    .fill = {LAYER(0.1), STATE, STATE},
};

const workload w_lstm_batched = {
    RECURRENT(lstm),
    .name = "lstm_batched",
    .row = 16,
    .what = "LSTM layer, a batch of sequences",
    .sizes = {{{20, 16, 64, 64}, true}, {{100, 32, 256, 256}, false}},
    .fill = {LAYER(0.1), STATE, STATE},
};

const workload w_tiny_gru = {
    RECURRENT(gru),
    .name = "tiny_gru",
    .row = 17,
    .what = "tiny GRU over the subbands of a spectrum",
    .sizes = {{{33, 1, 4, 4}, true},
              {{33, 1, 8, 8}, false},
              {{33, 1, 16, 16}, false},
              {{33, 8, 8, 8}, false},
              {{33, 8, 16, 16}, false}},
    .fill = {LAYER(0.5), STATE},
};
