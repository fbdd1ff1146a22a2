/* Functions of one variable over an array that the nearest cache holds, beside glibc's vectors of
 * them, and a scan whose step has twelve elementwise operations, for its compile time. */
#include "program_text.h"
#include "references.h"

static double elements(const int64_t *n) { return (double)n[0]; }
static double bytes(const int64_t *n) { return 8.0 * (double)n[0]; }

/* ---- functions ---- */

static void function_program(FILE *to, const char *function, const int64_t *n) {
  fprintf(to,
          "class GraphModule(torch.nn.Module):\n"
          "    def forward(self, x: \"f32[%d]\"):\n"
          "        y: \"f32[%d]\" = torch.ops.aten.%s.default(x)\n"
          "        return (y,)\n",
          (int)n[0], (int)n[0], function);
}

/* BENCH_HAVE_MVEC: this system has libmvec, for both widths. */
#ifdef BENCH_HAVE_MVEC
#define MVEC(name) \
  KERNEL_AVX512(name##_zmm, "libmvec, 16 at a time") \
  KERNEL_AVX2(name##_ymm, "libmvec, 8 at a " \
                          "time")
#else
#define MVEC(name)
#endif

/* libmvec promises 4 units in the last place, libm and scanc are nearer. */
#define FUNCTION(function, from, below) \
  static void function##_program(FILE *to, const int64_t *n) { \
    function_program(to, #function, n); \
  } \
  DECLARE(math_##function); \
  DECLARE(math_##function##_zmm); \
  DECLARE(math_##function##_ymm); \
  static const reference function##_references[] = {PLAIN(math_##function) GOOD(math_##function) \
                                                        MVEC(math_##function){0}}; \
  const workload w_math_##function; \
  const workload w_math_##function = { \
      .name = "math_" #function, \
      .row = 22, \
      .what = #function " of f32, one by one", \
      .size_names = "n", \
      .sizes = {{{4096}, true}}, \
      .program = function##_program, \
      .fill = {{FILL_UNIFORM, from, below}}, \
      .rtol = 1e-6, \
      .atol = 1e-6, \
      .bytes = bytes, \
      .flops = elements, \
      .units = elements, \
      .unit = "element", \
      .references = function##_references, \
  }

FUNCTION(exp, -4, 4);
FUNCTION(log, 0.01, 100);
FUNCTION(tanh, -4, 4);
FUNCTION(sigmoid, -4, 4);

/* ---- a gated unit ---- */

static void unit_program(FILE *to, const int64_t *n) {
  program_text(
      to,
      "class GraphModule(torch.nn.Module):\n"
      "    def forward(self, h0: \"f32[$d]\", xs: \"f32[$t, 3, $d]\", k: \"f32[$d]\"):\n"
      "        select: \"f32[$t, $d]\" = torch.ops.aten.select.int(xs, 1, 0)\n"
      "        select_1: \"f32[$t, $d]\" = torch.ops.aten.select.int(xs, 1, 1)\n"
      "        select_2: \"f32[$t, $d]\" = torch.ops.aten.select.int(xs, 1, 2)\n"
      "        scan_combine_graph_0 = self.scan_combine_graph_0\n"
      "        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [h0], [select, select_1, "
      "select_2], (k,))\n"
      "        getitem: \"f32[$d]\" = scan[0]\n"
      "        getitem_1: \"f32[$t, $d]\" = scan[1]\n"
      "        return (getitem, getitem_1)\n"
      "\n"
      "    class scan_combine_graph_0(torch.nn.Module):\n"
      "        def forward(self, h: \"f32[$d]\", x: \"f32[$d]\", x_1: \"f32[$d]\", x_2: "
      "\"f32[$d]\", k: \"f32[$d]\"):\n"
      "            mul: \"f32[$d]\" = torch.ops.aten.mul.Tensor(h, k)\n"
      "            add: \"f32[$d]\" = torch.ops.aten.add.Tensor(x, mul)\n"
      "            sigmoid: \"f32[$d]\" = torch.ops.aten.sigmoid.default(add)\n"
      "            add_1: \"f32[$d]\" = torch.ops.aten.add.Tensor(x_1, mul)\n"
      "            sigmoid_1: \"f32[$d]\" = torch.ops.aten.sigmoid.default(add_1)\n"
      "            mul_1: \"f32[$d]\" = torch.ops.aten.mul.Tensor(sigmoid, h)\n"
      "            add_2: \"f32[$d]\" = torch.ops.aten.add.Tensor(x_2, mul_1)\n"
      "            tanh: \"f32[$d]\" = torch.ops.aten.tanh.default(add_2)\n"
      "            mul_2: \"f32[$d]\" = torch.ops.aten.mul.Tensor(sigmoid_1, h)\n"
      "            rsub: \"f32[$d]\" = torch.ops.aten.rsub.Scalar(sigmoid_1, 1)\n"
      "            mul_3: \"f32[$d]\" = torch.ops.aten.mul.Tensor(rsub, tanh)\n"
      "            add_3: \"f32[$d]\" = torch.ops.aten.add.Tensor(mul_2, mul_3)\n"
      "            clone: \"f32[$d]\" = torch.ops.aten.clone.default(add_3)\n"
      "            return [add_3, clone]\n",
      "t d", n);
}
static double unit_bytes(const int64_t *n) { return 4.0 * (double)(n[1] * (4 * n[0] + 3)); }
static double unit_flops(const int64_t *n) { return 12.0 * (double)(n[0] * n[1]); }
static double steps(const int64_t *n) { return (double)(n[0] * n[1]); }

DECLARE(gated_unit);
static const reference unit_references[] = {PLAIN(gated_unit) GOOD(gated_unit){0}};

const workload w_gated_unit;
const workload w_gated_unit = {
    .name = "gated_unit",
    .row = 22,
    .what = "a gated unit of d lanes without matrices: 12 elementwise operations a step",
    .size_names = "t d",
    .sizes = {{{100, 64}, true}},
    .program = unit_program,
    .fill = {{FILL_UNIFORM, -1, 1}, {FILL_NORMAL, 0, 1}, {FILL_UNIFORM, -1, 1}},
    /* The gates forget, so the rounding of steps does not add up. */
    .rtol = 1e-5,
    .atol = 1e-6,
    .bytes = unit_bytes,
    .flops = unit_flops,
    .units = steps,
    .unit = "step of a lane",
    .references = unit_references,
};
