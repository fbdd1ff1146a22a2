/* Running sums: one long row (row 1 of the suite), and as the carry of a scan over 64 lanes, with
 * the exponential average beside it. */
#include <inttypes.h>

#include "references.h"

/* ---- cumsum of one row, as an associative scan ---- */

static void cumsum_program(FILE *to, const char *type, int64_t n) {
  fprintf(to,
          "class GraphModule(torch.nn.Module):\n"
          "    def forward(self, xs: \"%s[%" PRId64 "]\"):\n"
          "        combine = self.combine\n"
          "        scan = torch.ops.higher_order.associative_scan(combine, [xs], ())\n"
          "        ys: \"%s[%" PRId64 "]\" = scan[0]\n"
          "        return (ys,)\n"
          "\n"
          "    class combine(torch.nn.Module):\n"
          "        def forward(self, a: \"%s[]\", b: \"%s[]\"):\n"
          "            add: \"%s[]\" = torch.ops.aten.add.Tensor(a, b)\n"
          "            return [add]\n",
          type, n, type, n, type, type, type);
}

static void cumsum_f32_program(FILE *to, const int64_t *n) { cumsum_program(to, "f32", n[0]); }
static void cumsum_f64_program(FILE *to, const int64_t *n) { cumsum_program(to, "f64", n[0]); }
static void cumsum_i32_program(FILE *to, const int64_t *n) { cumsum_program(to, "i32", n[0]); }

static double elements(const int64_t *n) { return (double)n[0]; }
static double bytes_4(const int64_t *n) { return 8.0 * (double)n[0]; }
static double bytes_8(const int64_t *n) { return 16.0 * (double)n[0]; }
static double no_flops(const int64_t *n) { return 0 * (double)n[0]; }

DECLARE(cumsum_f32);
DECLARE(cumsum_f32_zmm);
DECLARE(cumsum_f32_ymm);
DECLARE(cumsum_f32_blocks);
DECLARE(cumsum_f32_parts);
DECLARE(cumsum_f64);
DECLARE(cumsum_f64_zmm);
DECLARE(cumsum_i32);
DECLARE(cumsum_i32_zmm);

static const reference cumsum_f32_references[] = {
    PLAIN(cumsum_f32) GOOD(cumsum_f32) KERNEL_AVX512(cumsum_f32_zmm, "sums within registers of 16")
        KERNEL_AVX2(cumsum_f32_ymm, "sums within registers of 8")
            TEAM(cumsum_f32_blocks, "blocks that look back")
                TEAM(cumsum_f32_parts, "totals of equal parts first"){0}};
static const reference cumsum_f64_references[] = {PLAIN(cumsum_f64) GOOD(cumsum_f64) KERNEL_AVX512(
    cumsum_f64_zmm, "sums within registers of 8"){0}};
static const reference cumsum_i32_references[] = {PLAIN(cumsum_i32) GOOD(cumsum_i32) KERNEL_AVX512(
    cumsum_i32_zmm, "sums within registers of 16"){0}};

/* From 16 KB to 128 MB of f32: several threads must not cost anything where they do not pay. */
#define ROW_SIZES \
  { \
    {{1 << 12}, false}, {{1 << 16}, true}, {{1 << 18}, false}, {{1 << 20}, false}, { \
      {1 << 25}, false \
    } \
  }

/* Whole numbers whose sums are exact, so that every order of the additions gives the same. */
#define CUMSUM(type, size_bytes, operations, ...) \
  const workload w_cumsum_##type; \
  const workload w_cumsum_##type = { \
      .name = "cumsum_" #type, \
      .row = 1, \
      .what = "running sum of one row of " #type ", as an associative scan", \
      .size_names = "n", \
      .sizes = ROW_SIZES, \
      .program = cumsum_##type##_program, \
      .fill = {{FILL_WHOLE, -8, 9}}, \
      .corner = {__VA_ARGS__}, \
      .bytes = size_bytes, \
      .flops = operations, \
      .units = elements, \
      .unit = "element", \
      .references = cumsum_##type##_references, \
  }

/* Sums that overflow: in floats they become inf after 3, -inf is none of the numbers; i32 wraps. */
CUMSUM(f32, bytes_4, elements, {FILL_UNIFORM, 1.2e38, 1.3e38});
CUMSUM(i32, bytes_4, no_flops, {FILL_UNIFORM, -2147483648.0, 2147483648.0});
CUMSUM(f64, bytes_8, elements, {FILL_UNIFORM, 6e307, 7e307});

/* ---- scans over lanes ---- */

static void lanes_program(FILE *to, const int64_t *n, const char *body, const char *result) {
  fprintf(to,
          "class GraphModule(torch.nn.Module):\n"
          "    def forward(self, init: \"f32[%" PRId64 "]\", xs: \"f32[%" PRId64 ", %" PRId64
          "]\"):\n"
          "        step = self.step\n"
          "        scan = torch.ops.higher_order.scan(step, [init], [xs], ())\n"
          "        last: \"f32[%" PRId64 "]\" = scan[0]\n"
          "        ys: \"f32[%" PRId64 ", %" PRId64 "]\" = scan[1]\n"
          "        return (last, ys)\n"
          "\n"
          "    class step(torch.nn.Module):\n"
          "        def forward(self, c: \"f32[%" PRId64 "]\", x: \"f32[%" PRId64 "]\"):\n"
          "%s"
          "            clone = torch.ops.aten.clone.default(%s)\n"
          "            return [%s, clone]\n",
          n[1], n[0], n[1], n[1], n[0], n[1], n[1], n[1], body, result, result);
}

static void sum_lanes_program(FILE *to, const int64_t *n) {
  lanes_program(to, n, "            add = torch.ops.aten.add.Tensor(c, x)\n", "add");
}

static void ema_lanes_program(FILE *to, const int64_t *n) {
  lanes_program(to, n,
                "            mul = torch.ops.aten.mul.Tensor(c, 0.9)\n"
                "            mul_1 = torch.ops.aten.mul.Tensor(x, 0.1)\n"
                "            add = torch.ops.aten.add.Tensor(mul, mul_1)\n",
                "add");
}

static double lanes_bytes(const int64_t *n) {
  return 8.0 * (double)n[0] * (double)n[1] + 8.0 * (double)n[1];
}
static double lanes_elements(const int64_t *n) { return (double)n[0] * (double)n[1]; }
static double ema_flops(const int64_t *n) { return 3 * lanes_elements(n); }

DECLARE(sum_lanes);
DECLARE(ema_lanes);
DECLARE(sum_lanes_tiled);
DECLARE(ema_lanes_tiled);
static const reference sum_lanes_references[] = {
    PLAIN(sum_lanes) GOOD(sum_lanes) KERNEL(sum_lanes_tiled, "tiles of 64 lanes in registers"){0}};
static const reference ema_lanes_references[] = {
    PLAIN(ema_lanes) GOOD(ema_lanes) KERNEL(ema_lanes_tiled, "tiles of 64 lanes in registers"){0}};

/* Also to see how the time goes with the number of lanes and of steps. */
#define LANES_SIZES \
  {{2000, 64}, true}, {{2000, 1}, false}, {{2000, 16}, false}, {{2000, 256}, false}, \
      {{2000, 1024}, false}, {{200, 64}, false}, {{20000, 64}, false}, { \
    {200000, 64}, false \
  }

#define LANES(member, text, operations, ...) \
  const workload w_##member; \
  const workload w_##member = { \
      .name = #member, \
      .row = 2, \
      .what = text, \
      .size_names = "t d", \
      .sizes = {__VA_ARGS__}, \
      .program = member##_program, \
      .fill = {{FILL_NORMAL, 0, 1}, {FILL_NORMAL, 0, 1}}, \
      .rtol = 1e-5, \
      .atol = 1e-6, \
      .bytes = lanes_bytes, \
      .flops = operations, \
      .units = lanes_elements, \
      .unit = "element", \
      .references = member##_references, \
  }

/* The last one: rows that are wider than a cache. */
LANES(sum_lanes, "running sum of d lanes as a scan", lanes_elements, LANES_SIZES,
      {{512, 65536}, false});
LANES(ema_lanes, "exponential average of d lanes: c = 0.9 c + 0.1 x", ema_flops, LANES_SIZES);
