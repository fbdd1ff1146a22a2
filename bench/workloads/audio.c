/* Recursive filters of audio (row 12 of the suite): scans along the time of [channel, time]. Sizes
 * "c t"; one channel is an array of rank 1. */
#include "program_text.h"
#include "references.h"

static double samples(const int64_t *n) { return (double)n[0] * (double)n[1]; }
static double bytes(const int64_t *n) { return 8 * samples(n); }

#define SIZES \
  { \
    {{1, 48000}, true}, {{1, 480000}, false}, {{2, 480000}, false}, {{32, 48000}, false}, { \
      {1, 1 << 24}, false \
    } \
  }
/* Both filters forget within some 50 samples, so roundings do not add up; the absolute part is for
 * sums near 0. */
#define ACCURACY .rtol = 1e-5, .atol = 2e-6

#define FULL(name, sizes) \
  "        " name ": \"f32[" sizes "]\" = torch.ops.aten.full.default([" sizes \
  "], 0, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory " \
  "= False)\n"

/* zeros: lines that make the states; ys: which result of the scan are the samples; step: the
 * combine function for states and samples of the given sizes. */
#define FILTER_1(zeros, states, ys, step) \
  "class GraphModule(torch.nn.Module):\n" \
  "    def forward(self, x: \"f32[$t]\"):\n" zeros( \
      "") "        scan_combine_graph_0 = self.scan_combine_graph_0\n" \
          "        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [" states \
          "], [x], ())\n" \
          "        getitem: \"f32[$t]\" = scan[" ys "]\n" \
          "        return (getitem,)\n" step("")
#define FILTER_C(zeros, states, ys, step) \
  "class GraphModule(torch.nn.Module):\n" \
  "    def forward(self, x: \"f32[$c, $t]\"):\n" zeros( \
      "$c") "        movedim: \"f32[$t, $c]\" = torch.ops.aten.movedim.int(x, 1, 0)\n" \
            "        scan_combine_graph_0 = self.scan_combine_graph_0\n" \
            "        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [" states \
            "], [movedim], ())\n" \
            "        getitem: \"f32[$t, $c]\" = scan[" ys "]\n" \
            "        movedim_1: \"f32[$c, $t]\" = torch.ops.aten.movedim.int(getitem, 0, 1)\n" \
            "        return (movedim_1,)\n" step("$c")

#define ZERO(sizes) FULL("full", sizes)
#define ZEROS(sizes) FULL("full", sizes) FULL("full_1", sizes)

#define BEGIN_STEP "\n    class scan_combine_graph_0(torch.nn.Module):\n"
#define OP(result, lane, call) \
  "            " result ": \"f32[" lane "]\" = torch.ops.aten." call "\n"

/* ---- exponential average ---- */

#define EMA_STEP(lane) \
  BEGIN_STEP \
  "        def forward(self, arg0_1: \"f32[" lane "]\", arg1_1: \"f32[" lane \
  "]\"):\n" OP("sub", lane, "sub.Tensor(arg1_1, arg0_1)") OP("mul", lane, "mul.Tensor(sub, 0.1)") \
      OP("add", lane, "add.Tensor(arg0_1, mul)") \
          OP("clone", lane, "clone.default(add)") "            return [add, clone]\n"

static void ema_audio_program(FILE *to, const int64_t *n) {
  program_text(
      to, n[0] == 1 ? FILTER_1(ZERO, "full", "1", EMA_STEP) : FILTER_C(ZERO, "full", "1", EMA_STEP),
      "c t", n);
}
static double ema_flops(const int64_t *n) { return 3 * samples(n); }

DECLARE(ema_audio);
DECLARE(ema_audio_zmm);
static const reference ema_audio_references[] = {PLAIN(ema_audio) GOOD(
    ema_audio) REORDERED_KERNEL_AVX512(ema_audio_zmm, "powers of 0.9 within registers of 16"){0}};

const workload w_ema_audio;
const workload w_ema_audio = {
    .name = "ema_audio",
    .row = 12,
    .what = "exponential average along time: s = s + 0.1 (x - s)",
    .size_names = "c t",
    .sizes = SIZES,
    .program = ema_audio_program,
    .fill = {{FILL_NORMAL, 0, 1}},
    ACCURACY,
    .bytes = bytes,
    .flops = ema_flops,
    .units = samples,
    .unit = "sample",
    .references = ema_audio_references,
};

/* ---- one second-order section, transposed direct form II ---- */

#define BIQUAD_STEP(lane) \
  BEGIN_STEP \
  "        def forward(self, arg0_1: \"f32[" lane "]\", arg1_1: \"f32[" lane \
  "]\", arg2_1: \"f32[" lane "]\"):\n" OP("mul", lane, "mul.Tensor(arg2_1, 0.0675)") OP( \
      "add", lane, "add.Tensor(mul, arg0_1)") OP("mul_1", lane, "mul.Tensor(arg2_1, 0.1349)") \
      OP("mul_2", lane, "mul.Tensor(add, 1.143)") OP("add_1", lane, "add.Tensor(mul_1, mul_2)") \
          OP("add_2", lane, "add.Tensor(add_1, arg1_1)") \
              OP("mul_3", lane, "mul.Tensor(arg2_1, 0.0675)") \
                  OP("mul_4", lane, "mul.Tensor(add, 0.4128)") \
                      OP("sub", lane, \
                         "sub.Tensor(mul_3, mul_4)") "            return [add_2, sub, add]\n"

static void biquad_audio_program(FILE *to, const int64_t *n) {
  program_text(to,
               n[0] == 1 ? FILTER_1(ZEROS, "full, full_1", "2", BIQUAD_STEP)
                         : FILTER_C(ZEROS, "full, full_1", "2", BIQUAD_STEP),
               "c t", n);
}
static double biquad_flops(const int64_t *n) { return 9 * samples(n); }

DECLARE(biquad_audio);
DECLARE(biquad_audio_zmm);
DECLARE(biquad_audio_within);
static const reference biquad_audio_references[] = {
    PLAIN(biquad_audio) GOOD(biquad_audio)
        KERNEL_AVX512(biquad_audio_zmm, "16 channels side by side, transposed; fewer one by one")
            REORDERED_KERNEL_AVX512(biquad_audio_within,
                                    "distances doubled within registers of 16"){0}};

const workload w_biquad_audio;
const workload w_biquad_audio = {
    .name = "biquad_audio",
    .row = 12,
    .what = "a low-pass of second order along time, transposed direct form II",
    .size_names = "c t",
    .sizes = SIZES,
    .program = biquad_audio_program,
    .fill = {{FILL_NORMAL, 0, 1}},
    ACCURACY,
    .bytes = bytes,
    .flops = biquad_flops,
    .units = samples,
    .unit = "sample",
    .references = biquad_audio_references,
};
