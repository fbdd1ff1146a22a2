/* Sums that start anew where a flag is set (row 10 of the suite): as an associative scan of pairs
 * and as a scan with a reset. Sizes "n". */
#include "associative.h"
#include "program_text.h"
#include "references.h"

static double elements(const int64_t *n) { return (double)n[0]; }
static double bytes(const int64_t *n) { return 9 * elements(n); }

DECLARE(segmented_sum);
DECLARE(segmented_sum_zmm);
static const reference segmented_sum_references[] = {
    PLAIN(segmented_sum) GOOD(segmented_sum)
        KERNEL_AVX512(segmented_sum_zmm, "sums within registers of 16, cut by masks"){0}};
static const reference reset_sum_references[] = {
    PLAIN(segmented_sum) GOOD(segmented_sum)
        REORDERED_KERNEL_AVX512(segmented_sum_zmm, "sums within registers of 16, cut by masks"){0}};

/* Segments of 50 elements on average. Whole numbers, whose sums are exact in any order. */
#define SEGMENTS(member, text) \
  const workload w_##member; \
  const workload w_##member = { \
      .name = #member, \
      .row = 10, \
      .what = text, \
      .size_names = "n", \
      .sizes = {{{1 << 16}, true}, {{1 << 20}, false}, {{1 << 25}, false}}, \
      .program = member##_program, \
      .fill = {{FILL_WHOLE, -8, 9}, {FILL_FLAGS, 0.02, 0}}, \
      .bytes = bytes, \
      .flops = elements, \
      .units = elements, \
      .unit = "element", \
      .references = member##_references, \
  }

static const associative segmented = {
    .leaf = {{"x", "f32", NULL, 1}, {"start", "b8", NULL, 0}},
    .body = {COMBINE("add", "f32", "add.Tensor(x, x_1)"),
             COMBINE("where", "f32", "where.self(start_1, x_1, add)"),
             COMBINE("logical_or", "b8", "logical_or.default(start, start_1)"),
             RETURN("where, logical_or")},
};

static void segmented_sum_program(FILE *to, const int64_t *n) {
  associative_program(to, &segmented, 1, n, 0);
}

SEGMENTS(segmented_sum,
         "sums of segments that start where a flag is set, as an associative scan of pairs");

static void reset_sum_program(FILE *to, const int64_t *n) {
  program_text(
      to,
      "class GraphModule(torch.nn.Module):\n"
      "    def forward(self, x: \"f32[$n]\", start: \"b8[$n]\"):\n"
      "        full: \"f32[]\" = torch.ops.aten.full.default([], 0, dtype = torch.float32, layout "
      "= "
      "torch.strided, device = device(type='cpu'), pin_memory = False)\n"
      "        scan_combine_graph_0 = self.scan_combine_graph_0\n"
      "        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [full], [x, start], ())\n"
      "        getitem = scan[0]\n"
      "        getitem_1: \"f32[$n]\" = scan[1]\n"
      "        return (getitem_1,)\n"
      "\n"
      "    class scan_combine_graph_0(torch.nn.Module):\n"
      "        def forward(self, arg0_1: \"f32[]\", arg1_1: \"f32[]\", arg2_1: \"b8[]\"):\n"
      "            add: \"f32[]\" = torch.ops.aten.add.Tensor(arg0_1, arg1_1)\n"
      "            where: \"f32[]\" = torch.ops.aten.where.self(arg2_1, arg1_1, add)\n"
      "            clone: \"f32[]\" = torch.ops.aten.clone.default(where)\n"
      "            return [where, clone]\n",
      "n", n);
}

SEGMENTS(reset_sum, "a running sum that a flag resets, as a scan");
