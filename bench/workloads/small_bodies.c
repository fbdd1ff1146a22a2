/* Scans whose state is small or falls into many pieces: frameworks pay for every operation. */
#include "bench.h"
#include "program_text.h"
#include "references.h"

/* ---- a step of tanh(W h + x) for a handful of numbers ---- */

static const char tanh_text[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, w: \"f32[$d, $d]\", x: \"f32[$t, $d]\", h0: \"f32[$d]\"):\n"
    "        scan_combine_graph_0 = self.scan_combine_graph_0\n"
    "        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [h0], [x], (w,))\n"
    "        getitem: \"f32[$d]\" = scan[0]\n"
    "        return (getitem,)\n"
    "\n"
    "    class scan_combine_graph_0(torch.nn.Module):\n"
    "        def forward(self, arg0_1: \"f32[$d]\", arg1_1: \"f32[$d]\", arg2_1: \"f32[$d, "
    "$d]\"):\n"
    "            matmul: \"f32[$d]\" = torch.ops.aten.matmul.default(arg2_1, arg0_1)\n"
    "            add: \"f32[$d]\" = torch.ops.aten.add.Tensor(matmul, arg1_1)\n"
    "            tanh: \"f32[$d]\" = torch.ops.aten.tanh.default(add)\n"
    "            return [tanh]\n";

static void tanh_program(FILE *to, const int64_t *n) { program_text(to, tanh_text, "t d", n); }
static double tanh_bytes(const int64_t *n) {
  double d = (double)n[1];
  return 4 * (d * d + 2 * d + (double)n[0] * d);
}
static double tanh_flops(const int64_t *n) {
  double d = (double)n[1];
  return (double)n[0] * (2 * d * d + d);
}
static double steps(const int64_t *n) { return (double)n[0]; }

DECLARE(tanh_cell);
DECLARE(tanh_cell_registers);
static const reference tanh_references[] = {PLAIN(tanh_cell) GOOD(tanh_cell) KERNEL_AVX2(
    tanh_cell_registers, "weights in registers, vector tanh; 4 states only"){0}};

const workload w_tanh_cell = {
    .name = "tanh_cell",
    .row = 22,
    .what = "overhead: 128 steps of tanh(W h + x) with a 4x4 matrix",
    .size_names = "t d",
    .sizes = {{{128, 4}, true}},
    .program = tanh_program,
    .fill = {{FILL_UNIFORM, -1, 1}, {FILL_NORMAL, 0, 1}, {FILL_UNIFORM, -1, 1}},
    /* tanh squashes, so the rounding of steps does not add up: some units in the last place. */
    .rtol = 1e-5,
    .atol = 1e-6,
    .bytes = tanh_bytes,
    .flops = tanh_flops,
    .units = steps,
    .unit = "step",
    .references = tanh_references,
};

/* ---- a state of many scalars, each of which looks at the next one ---- */

static void scalars(FILE *to, const char *before, int64_t n, const char *after) {
  for (int64_t i = 0; i < n; i++) fprintf(to, "%s%s%d%s", i ? ", " : "", before, (int)i, after);
}

static void leaves_program(FILE *to, const int64_t *n) {
  program_text(to,
               "class GraphModule(torch.nn.Module):\n"
               "    def forward(self, init: \"f64[$l]\", xs: \"f64[$t]\"):\n"
               "        unbind = torch.ops.aten.unbind.int(init)\n",
               "t l", n);
  for (int i = 0; i < n[1]; i++) fprintf(to, "        c%d: \"f64[]\" = unbind[%d]\n", i, i);
  fputs("        scan_combine_graph_0 = self.scan_combine_graph_0\n"
        "        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [",
        to);
  scalars(to, "c", n[1], "");
  fputs("], [xs], ())\n", to);
  for (int i = 0; i < n[1]; i++) fprintf(to, "        last%d: \"f64[]\" = scan[%d]\n", i, i);
  program_text(to,
               "        ys: \"f64[$t]\" = scan[$l]\n"
               "        stack: \"f64[$l]\" = torch.ops.aten.stack.default([",
               "t l", n);
  scalars(to, "last", n[1], "");
  fputs("])\n"
        "        return (ys, stack)\n"
        "\n"
        "    class scan_combine_graph_0(torch.nn.Module):\n"
        "        def forward(self, ",
        to);
  scalars(to, "c", n[1], ": \"f64[]\"");
  fputs(", x: \"f64[]\"):\n", to);
  for (int i = 0; i < n[1]; i++)
    fprintf(to,
            "            keep%d: \"f64[]\" = torch.ops.aten.mul.Tensor(c%d, 0.99)\n"
            "            part%d: \"f64[]\" = torch.ops.aten.mul.Tensor(c%d, 0.01)\n"
            "            take%d: \"f64[]\" = torch.ops.aten.mul.Tensor(part%d, x)\n"
            "            new%d: \"f64[]\" = torch.ops.aten.add.Tensor(keep%d, take%d)\n",
            i, i, i, (int)((i + 1) % n[1]), i, i, i, i, i);
  fputs("            y: \"f64[]\" = torch.ops.aten.clone.default(new0)\n            return [", to);
  scalars(to, "new", n[1], "");
  fputs(", y]\n", to);
}
static double leaves_bytes(const int64_t *n) { return 8 * 2 * (double)(n[0] + n[1]); }
static double leaves_units(const int64_t *n) { return (double)n[0] * (double)n[1]; }
static double leaves_flops(const int64_t *n) { return 4 * leaves_units(n); }

DECLARE(many_leaves);
DECLARE(many_leaves_registers);
static const reference leaves_references[] = {PLAIN(many_leaves) GOOD(many_leaves) KERNEL_AVX512(
    many_leaves_registers, "60 leaves in registers"){0}};

const workload w_many_leaves = {
    .name = "many_leaves",
    .row = 21,
    .what = "a state of many scalar leaves, f64",
    .size_names = "t l",
    .sizes = {{{614, 60}, true}},
    .program = leaves_program,
    .fill = {{FILL_NORMAL, 0, 1}, {FILL_UNIFORM, -1, 1}},
    /* Sums of two products in the same order: a fused multiply-add is all that may differ. */
    .rtol = 1e-11,
    .atol = 1e-13,
    .bytes = leaves_bytes,
    .flops = leaves_flops,
    .units = leaves_units,
    .unit = "step of a leaf",
    .references = leaves_references,
};

/* ---- Hodgkin-Huxley membranes, not coupled: exponential Euler for the gates, 0.025 ms a step ----
 */

/* For both kinds of membranes; the last parameter of the step is what flows in. */
static const char hh_head[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, v0: \"f32[$d]\", m0: \"f32[$d]\", h0: \"f32[$d]\", n0: \"f32[$d]\", "
    "flow: \"f32[$t, $d]\"):\n"
    "        scan_combine_graph_0 = self.scan_combine_graph_0\n"
    "        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [v0, m0, h0, n0], [flow], "
    "())\n"
    "        getitem: \"f32[$t, $d]\" = scan[4]\n"
    "        return (getitem,)\n"
    "\n"
    "    class scan_combine_graph_0(torch.nn.Module):\n"
    "        def forward(self, v: \"f32[$d]\", m: \"f32[$d]\", h: \"f32[$d]\", n: \"f32[$d]\", ";
static const char hh_current[] = "current: \"f32[$d]\"):\n";

/* A gate with rates a and b moves towards a / (a + b) by exp(-dt (a + b)). expm1 keeps the rates
 * exact near the voltage where they are 0 / 0. */
static const char hh_ops[] = "v40 add v 40.0\n"
                             "v40s mul v40 -0.1\n"
                             "v40e expm1 v40s\n"
                             "am_top mul v40 -0.1\n"
                             "am div am_top v40e\n"
                             "v65 add v 65.0\n"
                             "v65a mul v65 -0.05555555555555555\n"
                             "v65ae exp v65a\n"
                             "bm mul v65ae 4.0\n"
                             "v65b mul v65 -0.05\n"
                             "v65be exp v65b\n"
                             "ah mul v65be 0.07\n"
                             "v35 add v 35.0\n"
                             "v35s mul v35 0.1\n"
                             "bh sigmoid v35s\n"
                             "v55 add v 55.0\n"
                             "v55s mul v55 -0.1\n"
                             "v55e expm1 v55s\n"
                             "an_top mul v55 -0.01\n"
                             "an div an_top v55e\n"
                             "v65c mul v65 -0.0125\n"
                             "v65ce exp v65c\n"
                             "bn mul v65ce 0.125\n"
                             "sm add am bm\n"
                             "fm div am sm\n"
                             "dm sub m fm\n"
                             "tm mul sm -0.025\n"
                             "em exp tm\n"
                             "gm mul dm em\n"
                             "m_1 add fm gm\n"
                             "sh add ah bh\n"
                             "fh div ah sh\n"
                             "dh sub h fh\n"
                             "th mul sh -0.025\n"
                             "eh exp th\n"
                             "gh mul dh eh\n"
                             "h_1 add fh gh\n"
                             "sn add an bn\n"
                             "fn div an sn\n"
                             "dn sub n fn\n"
                             "tn mul sn -0.025\n"
                             "en exp tn\n"
                             "gn mul dn en\n"
                             "n_1 add fn gn\n"
                             "m2 mul m_1 m_1\n"
                             "m3 mul m2 m_1\n"
                             "m3h mul m3 h_1\n"
                             "g_na mul m3h 120.0\n"
                             "n2 mul n_1 n_1\n"
                             "n4 mul n2 n2\n"
                             "g_k mul n4 36.0\n"
                             "v_na sub v 50.0\n"
                             "i_na mul g_na v_na\n"
                             "v_k add v 77.0\n"
                             "i_k mul g_k v_k\n"
                             "v_l add v 54.4\n"
                             "i_l mul v_l 0.3\n"
                             "i_1 sub current i_na\n"
                             "i_2 sub i_1 i_k\n"
                             "i_3 sub i_2 i_l\n"
                             "dv mul i_3 0.025\n"
                             "v_1 add v dv\n"
                             "y clone v_1\n";

static void hh_program(FILE *to, const int64_t *n) {
  program_text(to, hh_head, "t d", n);
  program_text(to, hh_current, "t d", n);
  program_ops(to, "f32[$d]", hh_ops, "t d", n);
  fputs("            return [v_1, m_1, h_1, n_1, y]\n", to);
}
static double hh_units(const int64_t *n) { return (double)n[0] * (double)n[1]; }
static double hh_bytes(const int64_t *n) { return 4 * (4 * (double)n[1] + 2 * hh_units(n)); }
/* A function of libm counted as one. */
static double hh_flops(const int64_t *n) { return 61 * hh_units(n); }

DECLARE(hodgkin_huxley);
DECLARE(hodgkin_huxley_lanes);
static const reference hh_references[] = {PLAIN(hodgkin_huxley) GOOD(hodgkin_huxley) KERNEL_AVX2(
    hodgkin_huxley_lanes, "membranes in lanes, vector exp"){0}};

#define HH_FILL \
  {{FILL_UNIFORM, -70, -60}, \
   {FILL_UNIFORM, 0.04, 0.06}, \
   {FILL_UNIFORM, 0.5, 0.6}, \
   {FILL_UNIFORM, 0.3, 0.35}, \
   {FILL_UNIFORM, 0, 20}}

const workload w_hodgkin_huxley = {
    .name = "hodgkin_huxley",
    .row = 21,
    .what = "Hodgkin-Huxley membranes, not coupled, exponential Euler",
    .size_names = "t d",
    .sizes = {{{300, 32}, true}},
    .program = hh_program,
    .fill = HH_FILL,
    /* A spike multiplies the difference of two nearly equal voltages before its threshold by some
     * thousands, and the voltages are of the order of 50. */
    .rtol = 1e-3,
    .atol = 1e-2,
    .bytes = hh_bytes,
    .flops = hh_flops,
    .units = hh_units,
    .unit = "step of a membrane",
    .references = hh_references,
};

/* ---- the same membranes as the compartments of a cable: currents flow to both neighbours ---- */

static const char cable_currents[] =
    "given: \"f32[$d]\"):\n"
    "            first: \"f32[1]\" = torch.ops.aten.slice.Tensor(v, 0, 0, 1)\n"
    "            last: \"f32[1]\" = torch.ops.aten.slice.Tensor(v, 0, -1, 9223372036854775807)\n"
    "            front = torch.ops.aten.slice.Tensor(v, 0, 0, -1)\n"
    "            back = torch.ops.aten.slice.Tensor(v, 0, 1, 9223372036854775807)\n"
    "            left: \"f32[$d]\" = torch.ops.aten.cat.default([first, front])\n"
    "            right: \"f32[$d]\" = torch.ops.aten.cat.default([back, last])\n";

static const char cable_ops[] = "both add left right\n"
                                "twice mul v 2.0\n"
                                "bend sub both twice\n"
                                "axial mul bend 2.0\n"
                                "current add given axial\n";

static void cable_program(FILE *to, const int64_t *n) {
  program_text(to, hh_head, "t d", n);
  program_text(to, cable_currents, "t d", n);
  program_ops(to, "f32[$d]", cable_ops, "t d", n);
  program_ops(to, "f32[$d]", hh_ops, "t d", n);
  fputs("            return [v_1, m_1, h_1, n_1, y]\n", to);
}
static double cable_flops(const int64_t *n) { return 66 * hh_units(n); }

DECLARE(hodgkin_huxley_cable);
DECLARE(hodgkin_huxley_cable_lanes);
static const reference cable_references[] = {
    PLAIN(hodgkin_huxley_cable) GOOD(hodgkin_huxley_cable)
        KERNEL_AVX2(hodgkin_huxley_cable_lanes, "compartments in lanes, vector exp"){0}};

const workload w_hodgkin_huxley_cable = {
    .name = "hodgkin_huxley_cable",
    .row = 21,
    .what = "Hodgkin-Huxley compartments of a cable, exponential Euler",
    .size_names = "t d",
    .sizes = {{{300, 32}, true}},
    .program = cable_program,
    .fill = HH_FILL,
    /* Spikes are as sharp as those of single membranes. */
    .rtol = 1e-3,
    .atol = 1e-2,
    .bytes = hh_bytes,
    .flops = cable_flops,
    .units = hh_units,
    .unit = "step of a compartment",
    .references = cable_references,
};
