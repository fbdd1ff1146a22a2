/* Filters of statistics: Kalman in three forms, hidden Markov model, quasiseparable Cholesky. */
#include "bench.h"
#include "program_text.h"
#include "references.h"

static double steps(const int64_t *n) { return (double)n[0]; }
static double lane_steps(const int64_t *n) { return (double)n[0] * (double)n[1]; }

/* ---- Kalman filter in matrices: 4 states, 2 observed numbers, f64 ---- */

/* The gain by the closed form of a 2x2 inverse, as such filters are written for speed. Noise is a
 * multiple of the identity, so that the covariance stays one for every input. */
static const char kalman_text[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, f: \"f64[4, 4]\", h: \"f64[2, 4]\", z: \"f64[$t, 2]\", m0: "
    "\"f64[4]\"):\n"
    "        eye: \"f64[4, 4]\" = torch.ops.aten.eye.default(4, dtype = torch.float64, device = "
    "device(type='cpu'), pin_memory = False)\n"
    "        eye_1: \"f64[2, 2]\" = torch.ops.aten.eye.default(2, dtype = torch.float64, device = "
    "device(type='cpu'), pin_memory = False)\n"
    "        mul: \"f64[4, 4]\" = torch.ops.aten.mul.Tensor(eye, 0.01)\n"
    "        mul_1: \"f64[2, 2]\" = torch.ops.aten.mul.Tensor(eye_1, 0.1)\n"
    "        scan_combine_graph_0 = self.scan_combine_graph_0\n"
    "        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [m0, eye], [z], (f, mul, h, "
    "mul_1, eye))\n"
    "        getitem: \"f64[4]\" = scan[0]\n"
    "        getitem_1: \"f64[4, 4]\" = scan[1]\n"
    "        getitem_2: \"f64[$t, 4]\" = scan[2]\n"
    "        return (getitem_2, getitem_1)\n"
    "\n"
    "    class scan_combine_graph_0(torch.nn.Module):\n"
    "        def forward(self, arg0_1: \"f64[4]\", arg1_1: \"f64[4, 4]\", arg2_1: \"f64[2]\", "
    "arg3_1: "
    "\"f64[4, 4]\", arg4_1: \"f64[4, 4]\", arg5_1: \"f64[2, 4]\", arg6_1: \"f64[2, 2]\", arg7_1: "
    "\"f64[4, 4]\"):\n"
    "            matmul: \"f64[4]\" = torch.ops.aten.matmul.default(arg3_1, arg0_1)\n"
    "            matmul_1: \"f64[4, 4]\" = torch.ops.aten.matmul.default(arg3_1, arg1_1)\n"
    "            t: \"f64[4, 4]\" = torch.ops.aten.t.default(arg3_1)\n"
    "            matmul_2: \"f64[4, 4]\" = torch.ops.aten.matmul.default(matmul_1, t)\n"
    "            add: \"f64[4, 4]\" = torch.ops.aten.add.Tensor(matmul_2, arg4_1)\n"
    "            matmul_3: \"f64[2, 4]\" = torch.ops.aten.matmul.default(arg5_1, add)\n"
    "            t_1: \"f64[4, 2]\" = torch.ops.aten.t.default(arg5_1)\n"
    "            matmul_4: \"f64[2, 2]\" = torch.ops.aten.matmul.default(matmul_3, t_1)\n"
    "            add_1: \"f64[2, 2]\" = torch.ops.aten.add.Tensor(matmul_4, arg6_1)\n"
    "            select: \"f64[2]\" = torch.ops.aten.select.int(add_1, 0, 0)\n"
    "            select_1: \"f64[2]\" = torch.ops.aten.select.int(add_1, 0, 1)\n"
    "            select_2: \"f64[]\" = torch.ops.aten.select.int(select, 0, 0)\n"
    "            select_3: \"f64[]\" = torch.ops.aten.select.int(select, 0, 1)\n"
    "            select_4: \"f64[]\" = torch.ops.aten.select.int(select_1, 0, 0)\n"
    "            select_5: \"f64[]\" = torch.ops.aten.select.int(select_1, 0, 1)\n"
    "            mul: \"f64[]\" = torch.ops.aten.mul.Tensor(select_2, select_5)\n"
    "            mul_1: \"f64[]\" = torch.ops.aten.mul.Tensor(select_3, select_4)\n"
    "            sub: \"f64[]\" = torch.ops.aten.sub.Tensor(mul, mul_1)\n"
    "            neg: \"f64[]\" = torch.ops.aten.neg.default(select_3)\n"
    "            neg_1: \"f64[]\" = torch.ops.aten.neg.default(select_4)\n"
    "            stack: \"f64[4]\" = torch.ops.aten.stack.default([select_5, neg, neg_1, "
    "select_2])\n"
    "            view: \"f64[2, 2]\" = torch.ops.aten.view.default(stack, [2, 2])\n"
    "            div: \"f64[2, 2]\" = torch.ops.aten.div.Tensor(view, sub)\n"
    "            matmul_5: \"f64[4, 2]\" = torch.ops.aten.matmul.default(add, t_1)\n"
    "            matmul_6: \"f64[4, 2]\" = torch.ops.aten.matmul.default(matmul_5, div)\n"
    "            matmul_7: \"f64[2]\" = torch.ops.aten.matmul.default(arg5_1, matmul)\n"
    "            sub_1: \"f64[2]\" = torch.ops.aten.sub.Tensor(arg2_1, matmul_7)\n"
    "            matmul_8: \"f64[4]\" = torch.ops.aten.matmul.default(matmul_6, sub_1)\n"
    "            add_2: \"f64[4]\" = torch.ops.aten.add.Tensor(matmul, matmul_8)\n"
    "            matmul_9: \"f64[4, 4]\" = torch.ops.aten.matmul.default(matmul_6, arg5_1)\n"
    "            sub_2: \"f64[4, 4]\" = torch.ops.aten.sub.Tensor(arg7_1, matmul_9)\n"
    "            matmul_10: \"f64[4, 4]\" = torch.ops.aten.matmul.default(sub_2, add)\n"
    "            clone: \"f64[4]\" = torch.ops.aten.clone.default(add_2)\n"
    "            return [add_2, matmul_10, clone]\n";

static void kalman_program(FILE *to, const int64_t *n) { program_text(to, kalman_text, "t", n); }
static double kalman_bytes(const int64_t *n) {
  return 8 * (16 + 8 + 4 + 16 + (2 + 4) * (double)n[0]);
}
/* matvec 28, F P 112, times F' 112, noise 16, H P 56, times H' 28, noise 4, 2x2 inverse 9, P H' 56,
 * gain 24, innovation 16, mean 16, I - K H 64, times P 112. */
static double kalman_flops(const int64_t *n) { return 653 * (double)n[0]; }

DECLARE(kalman_f64);
DECLARE(kalman_f64_rows);
DECLARE(kalman_f64_less);
static const reference kalman_references[] = {
    PLAIN(kalman_f64) GOOD(kalman_f64) KERNEL_AVX2(kalman_f64_rows, "rows of four in registers")
        REORDERED_KERNEL_AVX2(kalman_f64_less, "the same, P as Q - K (H Q)"){0}};

const workload w_kalman_f64 = {
    .name = "kalman_f64",
    .row = 19,
    .what = "Kalman filter, 4 states, matrices in f64",
    .size_names = "t",
    .sizes = {{{2000}, true}},
    .program = kalman_program,
    .fill = {{FILL_UNIFORM, -0.5, 0.5},
             {FILL_NORMAL, 0, 1},
             {FILL_NORMAL, 0, 1},
             {FILL_NORMAL, 0, 1}},
    /* A stable filter forgets its rounding; 1e-11 leaves four digits to the order of sums. */
    .rtol = 1e-11,
    .atol = 1e-13,
    .bytes = kalman_bytes,
    .flops = kalman_flops,
    .units = steps,
    .unit = "step",
    .references = kalman_references,
};

/* ---- Kalman filters of b tracks, scalars per track: constant velocity in the plane, f32 ---- */

#define LANES_NAMES "t b"

static const char lanes_head[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, z: \"f32[$t, 2, $b]\", m0: \"f32[4, $b]\"):\n"
    "        unbind = torch.ops.aten.unbind.int(m0)\n"
    "        x: \"f32[$b]\" = unbind[0]\n"
    "        y: \"f32[$b]\" = unbind[1]\n"
    "        vx: \"f32[$b]\" = unbind[2]\n"
    "        vy: \"f32[$b]\" = unbind[3]\n"
    "        zx: \"f32[$t, $b]\" = torch.ops.aten.select.int(z, 1, 0)\n"
    "        zy: \"f32[$t, $b]\" = torch.ops.aten.select.int(z, 1, 1)\n"
    "        one: \"f32[$b]\" = torch.ops.aten.full.default([$b], 1, dtype = torch.float32, layout "
    "= "
    "torch.strided, device = device(type='cpu'), pin_memory = False)\n"
    "        zero: \"f32[$b]\" = torch.ops.aten.full.default([$b], 0, dtype = torch.float32, "
    "layout = "
    "torch.strided, device = device(type='cpu'), pin_memory = False)\n"
    "        scan_combine_graph_0 = self.scan_combine_graph_0\n"
    "        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [x, y, vx, vy, one, zero, "
    "zero, "
    "zero, one, zero, zero, one, zero, one], [zx, zy], ())\n"
    "        xs: \"f32[$t, $b]\" = scan[14]\n"
    "        ys: \"f32[$t, $b]\" = scan[15]\n"
    "        return (xs, ys)\n"
    "\n"
    "    class scan_combine_graph_0(torch.nn.Module):\n"
    "        def forward(self, x: \"f32[$b]\", y: \"f32[$b]\", vx: \"f32[$b]\", vy: \"f32[$b]\", "
    "p00: "
    "\"f32[$b]\", p01: \"f32[$b]\", p02: \"f32[$b]\", p03: \"f32[$b]\", p11: \"f32[$b]\", p12: "
    "\"f32[$b]\", p13: \"f32[$b]\", p22: \"f32[$b]\", p23: \"f32[$b]\", p33: \"f32[$b]\", zx: "
    "\"f32[$b]\", zy: \"f32[$b]\"):\n";

/* F P F' + q I for F = I + dt (E02 + E13), dt 0.1, q 0.01; then the gain K (4 by 2) for noise 0.1,
 * and P - K H P with H P the first two rows. */
static const char lanes_ops[] = "dx mul vx 0.1\n"
                                "xp add x dx\n"
                                "dy mul vy 0.1\n"
                                "yp add y dy\n"
                                "d22 mul p22 0.1\n"
                                "d23 mul p23 0.1\n"
                                "d33 mul p33 0.1\n"
                                "q02 add p02 d22\n"
                                "q03 add p03 d23\n"
                                "q12 add p12 d23\n"
                                "q13 add p13 d33\n"
                                "e02 mul p02 0.1\n"
                                "e12 mul p12 0.1\n"
                                "e13 mul p13 0.1\n"
                                "g00 add p00 e02\n"
                                "g01 add p01 e12\n"
                                "g11 add p11 e13\n"
                                "h02 mul q02 0.1\n"
                                "h03 mul q03 0.1\n"
                                "h13 mul q13 0.1\n"
                                "i00 add g00 h02\n"
                                "q01 add g01 h03\n"
                                "i11 add g11 h13\n"
                                "q00 add i00 0.01\n"
                                "q11 add i11 0.01\n"
                                "q22 add p22 0.01\n"
                                "q33 add p33 0.01\n"
                                "a add q00 0.1\n"
                                "c add q11 0.1\n"
                                "ac mul a c\n"
                                "bb mul q01 q01\n"
                                "det sub ac bb\n"
                                "inv reciprocal det\n"
                                "s00 mul c inv\n"
                                "s11 mul a inv\n"
                                "b_ neg q01\n"
                                "s01 mul b_ inv\n"
                                "u00 mul q00 s00\n"
                                "v00 mul q01 s01\n"
                                "k00 add u00 v00\n"
                                "u01 mul q00 s01\n"
                                "v01 mul q01 s11\n"
                                "k01 add u01 v01\n"
                                "u10 mul q01 s00\n"
                                "v10 mul q11 s01\n"
                                "k10 add u10 v10\n"
                                "u11 mul q01 s01\n"
                                "v11 mul q11 s11\n"
                                "k11 add u11 v11\n"
                                "u20 mul q02 s00\n"
                                "v20 mul q12 s01\n"
                                "k20 add u20 v20\n"
                                "u21 mul q02 s01\n"
                                "v21 mul q12 s11\n"
                                "k21 add u21 v21\n"
                                "u30 mul q03 s00\n"
                                "v30 mul q13 s01\n"
                                "k30 add u30 v30\n"
                                "u31 mul q03 s01\n"
                                "v31 mul q13 s11\n"
                                "k31 add u31 v31\n"
                                "rx sub zx xp\n"
                                "ry sub zy yp\n"
                                "w0 mul k00 rx\n"
                                "w1 mul k01 ry\n"
                                "w2 add xp w0\n"
                                "nx add w2 w1\n"
                                "w3 mul k10 rx\n"
                                "w4 mul k11 ry\n"
                                "w5 add yp w3\n"
                                "ny add w5 w4\n"
                                "w6 mul k20 rx\n"
                                "w7 mul k21 ry\n"
                                "w8 add vx w6\n"
                                "nvx add w8 w7\n"
                                "w9 mul k30 rx\n"
                                "w10 mul k31 ry\n"
                                "w11 add vy w9\n"
                                "nvy add w11 w10\n"
                                "l00 mul k00 q00\n"
                                "m00 mul k01 q01\n"
                                "o00 sub q00 l00\n"
                                "n00 sub o00 m00\n"
                                "l01 mul k00 q01\n"
                                "m01 mul k01 q11\n"
                                "o01 sub q01 l01\n"
                                "n01 sub o01 m01\n"
                                "l02 mul k00 q02\n"
                                "m02 mul k01 q12\n"
                                "o02 sub q02 l02\n"
                                "n02 sub o02 m02\n"
                                "l03 mul k00 q03\n"
                                "m03 mul k01 q13\n"
                                "o03 sub q03 l03\n"
                                "n03 sub o03 m03\n"
                                "l11 mul k10 q01\n"
                                "m11 mul k11 q11\n"
                                "o11 sub q11 l11\n"
                                "n11 sub o11 m11\n"
                                "l12 mul k10 q02\n"
                                "m12 mul k11 q12\n"
                                "o12 sub q12 l12\n"
                                "n12 sub o12 m12\n"
                                "l13 mul k10 q03\n"
                                "m13 mul k11 q13\n"
                                "o13 sub q13 l13\n"
                                "n13 sub o13 m13\n"
                                "l22 mul k20 q02\n"
                                "m22 mul k21 q12\n"
                                "o22 sub q22 l22\n"
                                "n22 sub o22 m22\n"
                                "l23 mul k20 q03\n"
                                "m23 mul k21 q13\n"
                                "o23 sub p23 l23\n"
                                "n23 sub o23 m23\n"
                                "l33 mul k30 q03\n"
                                "m33 mul k31 q13\n"
                                "o33 sub q33 l33\n"
                                "n33 sub o33 m33\n"
                                "cx clone nx\n"
                                "cy clone ny\n";

static void kalman_lanes_program(FILE *to, const int64_t *n) {
  program_text(to, lanes_head, LANES_NAMES, n);
  program_ops(to, "f32[$b]", lanes_ops, LANES_NAMES, n);
  fputs(
      "            return [nx, ny, nvx, nvy, n00, n01, n02, n03, n11, n12, n13, n22, n23, n33, cx, "
      "cy]\n",
      to);
}
static double kalman_lanes_bytes(const int64_t *n) {
  return 4 * (4 * (double)n[0] * (double)n[1] + 4 * (double)n[1]);
}
static double kalman_lanes_flops(const int64_t *n) { return 119 * lane_steps(n); }

DECLARE(kalman_lanes);
DECLARE(kalman_lanes_registers);
static const reference kalman_lanes_references[] = {PLAIN(kalman_lanes) GOOD(
    kalman_lanes) KERNEL_AVX2(kalman_lanes_registers, "tracks in lanes, state in registers"){0}};

const workload w_kalman_lanes = {
    .name = "kalman_lanes",
    .row = 19,
    .what = "Kalman filters of many tracks, 4 states each as scalars in f32",
    .size_names = LANES_NAMES,
    .sizes = {{{2000, 64}, true}},
    .program = kalman_lanes_program,
    .fill = {{FILL_NORMAL, 0, 1}, {FILL_NORMAL, 0, 1}},
    /* Differences of covariances cancel one or two of the seven digits of f32. */
    .rtol = 1e-4,
    .atol = 1e-5,
    .bytes = kalman_lanes_bytes,
    .flops = kalman_lanes_flops,
    .units = lane_steps,
    .unit = "step of a track",
    .references = kalman_lanes_references,
};

/* ---- Kalman filter as an associative scan: one state per track ---- */

static const char assoc_head[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, a: \"f32[$t, $b]\", b: \"f32[$t, $b]\", c: \"f32[$t, $b]\", eta: "
    "\"f32[$t, $b]\", j: \"f32[$t, $b]\"):\n"
    "        associative_scan_combine_graph_0 = self.associative_scan_combine_graph_0\n"
    "        associative_scan = torch.ops.higher_order.associative_scan("
    "associative_scan_combine_graph_0, [a, b, c, eta, j], ())\n"
    "        getitem: \"f32[$t, $b]\" = associative_scan[1]\n"
    "        getitem_1: \"f32[$t, $b]\" = associative_scan[2]\n"
    "        return (getitem, getitem_1)\n"
    "\n"
    "    class associative_scan_combine_graph_0(torch.nn.Module):\n"
    "        def forward(self, a1: \"f32[$b]\", b1: \"f32[$b]\", c1: \"f32[$b]\", eta1: "
    "\"f32[$b]\", "
    "j1: \"f32[$b]\", a2: \"f32[$b]\", b2: \"f32[$b]\", c2: \"f32[$b]\", eta2: \"f32[$b]\", j2: "
    "\"f32[$b]\"):\n";

static const char assoc_ops[] = "cj mul c1 j2\n"
                                "one_cj add cj 1\n"
                                "d reciprocal one_cj\n"
                                "da mul a2 d\n"
                                "a mul da a1\n"
                                "ce mul c1 eta2\n"
                                "be add b1 ce\n"
                                "dbe mul da be\n"
                                "b add dbe b2\n"
                                "dac mul da c1\n"
                                "daca mul dac a2\n"
                                "c add daca c2\n"
                                "ad mul a1 d\n"
                                "jb mul j2 b1\n"
                                "ejb sub eta2 jb\n"
                                "dejb mul ad ejb\n"
                                "eta add dejb eta1\n"
                                "dj mul ad j2\n"
                                "dja mul dj a1\n"
                                "j add dja j1\n";

static void kalman_assoc_program(FILE *to, const int64_t *n) {
  program_text(to, assoc_head, LANES_NAMES, n);
  program_ops(to, "f32[$b]", assoc_ops, LANES_NAMES, n);
  fputs("            return [a, b, c, eta, j]\n", to);
}
static double kalman_assoc_bytes(const int64_t *n) { return 4 * 7 * lane_steps(n); }
/* Of the combination of the prefix with one element, which is all that the results need. */
static double kalman_assoc_flops(const int64_t *n) { return 11 * lane_steps(n); }

DECLARE(kalman_assoc);
DECLARE(kalman_assoc_registers);
static const reference kalman_assoc_references[] = {
    PLAIN(kalman_assoc) GOOD(kalman_assoc)
        KERNEL_AVX2(kalman_assoc_registers,
                    "tracks in lanes, state in registers; with AVX-512 one track in segments"){0}};

const workload w_kalman_assoc = {
    .name = "kalman_assoc",
    .row = 19,
    .what = "Kalman filter as an associative scan of five leaves, one state; in C as a recurrence",
    .size_names = LANES_NAMES,
    .sizes = {{{2000, 64}, true}, {{65536, 1}, false}},
    .program = kalman_assoc_program,
    .fill = {{FILL_UNIFORM, 0.5, 0.7},
             {FILL_NORMAL, 0, 0.3},
             {FILL_UNIFORM, 0.2, 0.4},
             {FILL_NORMAL, 0, 0.6},
             {FILL_UNIFORM, 0.4, 0.6}},
    /* A tree of combinations rounds otherwise than the recurrence; the gain stays below 1. */
    .rtol = 1e-4,
    .atol = 1e-5,
    .bytes = kalman_assoc_bytes,
    .flops = kalman_assoc_flops,
    .units = lane_steps,
    .unit = "step of a track",
    .references = kalman_assoc_references,
};

/* ---- Cholesky factor of a quasiseparable matrix, as tinygp and celerite have it ---- */

static const char quasisep_text[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, d: \"f64[$t]\", p: \"f64[$t, $m]\", q: \"f64[$t, $m]\", a: \"f64[$t, "
    "$m, "
    "$m]\"):\n"
    "        full: \"f64[$m, $m]\" = torch.ops.aten.full.default([$m, $m], 0, dtype = "
    "torch.float64, "
    "layout = torch.strided, device = device(type='cpu'), pin_memory = False)\n"
    "        scan_combine_graph_0 = self.scan_combine_graph_0\n"
    "        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [full], [d, p, q, a], ())\n"
    "        getitem_1: \"f64[$t]\" = scan[1]\n"
    "        getitem_2: \"f64[$t, $m]\" = scan[2]\n"
    "        return (getitem_1, getitem_2)\n"
    "\n"
    "    class scan_combine_graph_0(torch.nn.Module):\n"
    "        def forward(self, arg0_1: \"f64[$m, $m]\", arg1_1: \"f64[]\", arg2_1: \"f64[$m]\", "
    "arg3_1: "
    "\"f64[$m]\", arg4_1: \"f64[$m, $m]\"):\n"
    "            matmul: \"f64[$m]\" = torch.ops.aten.matmul.default(arg2_1, arg0_1)\n"
    "            matmul_1: \"f64[]\" = torch.ops.aten.matmul.default(matmul, arg2_1)\n"
    "            sub: \"f64[]\" = torch.ops.aten.sub.Tensor(arg1_1, matmul_1)\n"
    "            sqrt: \"f64[]\" = torch.ops.aten.sqrt.default(sub)\n"
    "            t: \"f64[$m, $m]\" = torch.ops.aten.t.default(arg4_1)\n"
    "            matmul_2: \"f64[$m, $m]\" = torch.ops.aten.matmul.default(arg0_1, t)\n"
    "            matmul_3: \"f64[$m]\" = torch.ops.aten.matmul.default(arg2_1, matmul_2)\n"
    "            sub_1: \"f64[$m]\" = torch.ops.aten.sub.Tensor(arg3_1, matmul_3)\n"
    "            div: \"f64[$m]\" = torch.ops.aten.div.Tensor(sub_1, sqrt)\n"
    "            matmul_4: \"f64[$m, $m]\" = torch.ops.aten.matmul.default(arg4_1, matmul_2)\n"
    "            unsqueeze: \"f64[$m, 1]\" = torch.ops.aten.unsqueeze.default(div, -1)\n"
    "            mul: \"f64[$m, $m]\" = torch.ops.aten.mul.Tensor(unsqueeze, div)\n"
    "            add: \"f64[$m, $m]\" = torch.ops.aten.add.Tensor(matmul_4, mul)\n"
    "            return [add, sqrt, div]\n";

static void quasisep_program(FILE *to, const int64_t *n) {
  program_text(to, quasisep_text, "t m", n);
}
static double quasisep_bytes(const int64_t *n) {
  double m = (double)n[1];
  return 8 * (double)n[0] * (2 + 3 * m + m * m);
}
static double quasisep_flops(const int64_t *n) {
  double m = (double)n[1];
  return (double)n[0] * (4 * m * m * m + 4 * m * m + 4 * m + 2);
}

DECLARE(quasisep);
DECLARE(quasisep_rows);
static const reference quasisep_references[] = {
    PLAIN(quasisep) GOOD(quasisep) KERNEL_AVX2(quasisep_rows, "rows of three in registers"){0}};

const workload w_quasisep = {
    .name = "quasisep_cholesky",
    .row = 18,
    .what = "Cholesky factor of a quasiseparable matrix (tinygp, celerite), f64",
    .size_names = "t m",
    .sizes = {{{2000, 3}, true}},
    .program = quasisep_program,
    .fill = {{FILL_UNIFORM, 5, 6},
             {FILL_UNIFORM, -0.5, 0.5},
             {FILL_UNIFORM, -0.5, 0.5},
             {FILL_UNIFORM, -0.3, 0.3}},
    /* The transition shrinks the state, so rounding does not add up; 1e-11 leaves four digits. */
    .rtol = 1e-11,
    .atol = 1e-13,
    .bytes = quasisep_bytes,
    .flops = quasisep_flops,
    .units = steps,
    .unit = "step",
    .references = quasisep_references,
};

/* ---- forward algorithm of a hidden Markov model in log space ---- */

static const char hmm_text[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, trans: \"f32[$k, $k]\", obs: \"f32[$t, $k]\", init: \"f32[$k]\"):\n"
    "        scan_combine_graph_0 = self.scan_combine_graph_0\n"
    "        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [init], [obs], (trans,))\n"
    "        getitem_1: \"f32[$t, $k]\" = scan[1]\n"
    "        return (getitem_1,)\n"
    "\n"
    "    class scan_combine_graph_0(torch.nn.Module):\n"
    "        def forward(self, arg0_1: \"f32[$k]\", arg1_1: \"f32[$k]\", arg2_1: \"f32[$k, "
    "$k]\"):\n"
    "            unsqueeze: \"f32[$k, 1]\" = torch.ops.aten.unsqueeze.default(arg0_1, -1)\n"
    "            add: \"f32[$k, $k]\" = torch.ops.aten.add.Tensor(unsqueeze, arg2_1)\n"
    "            logsumexp: \"f32[$k]\" = torch.ops.aten.logsumexp.default(add, [-2])\n"
    "            add_1: \"f32[$k]\" = torch.ops.aten.add.Tensor(logsumexp, arg1_1)\n"
    "            clone: \"f32[$k]\" = torch.ops.aten.clone.default(add_1)\n"
    "            return [add_1, clone]\n";

static void hmm_program(FILE *to, const int64_t *n) { program_text(to, hmm_text, "t k", n); }
static double hmm_bytes(const int64_t *n) {
  double k = (double)n[1];
  return 4 * (k * k + k + 2 * (double)n[0] * k);
}
/* Sum, maximum, difference, exp and sum per pair of states; log and two sums per state. */
static double hmm_flops(const int64_t *n) {
  double k = (double)n[1];
  return (double)n[0] * (5 * k * k + 3 * k);
}

DECLARE(hmm_forward);
DECLARE(hmm_forward_lanes);
static const reference hmm_references[] = {
    PLAIN(hmm_forward) GOOD(hmm_forward) REORDERED_KERNEL_AVX2(
        hmm_forward_lanes, "exp of transitions taken once, so sums of products"){0}};

const workload w_hmm_forward = {
    .name = "hmm_forward",
    .row = 20,
    .what = "forward algorithm of a hidden Markov model in log space",
    .size_names = "t k",
    .sizes = {{{2048, 32}, true}},
    .program = hmm_program,
    .fill = {{FILL_UNIFORM, -5, -2}, {FILL_UNIFORM, -2, 0}, {FILL_UNIFORM, -4, -2}},
    /* The sums over time grow to a thousand, where half a unit in the last place is 3e-5; those of
     * all steps add up, with either sign: 2048 of them make some 1e-3. */
    .rtol = 1e-5,
    .atol = 1e-4,
    .bytes = hmm_bytes,
    .flops = hmm_flops,
    .units = steps,
    .unit = "step",
    .references = hmm_references,
};
