/* Associative scans with leaves of two types, and with complex ones: compiled code against the
 * interpreter, bit by bit. */
#include <stdint.h>
#include <stdio.h>

#include "../levels.h"
#include "base/str.h"
#include "programs.h"

#define A "torch.ops.aten."

static const char *const levels[] = {"native", "x86-64-v3", "x86-64"};
enum { N_LEVELS = THIN ? 1 : 3 };

static scanc_program *compile_text(str *text, scanc_exec how, const char *cpu) {
  scanc_options opts = SCANC_OPTIONS_INIT;
  opts.exec = how;
  opts.cpu = cpu;
  return compile_for(str_cstr(text), &opts);
}

/* n reals of a type of floats. */
static void fill_reals(void *x, scanc_dtype d, int n) {
  for (int i = 0; i < n; i++) {
    double u = (double)(next_random() >> 8) / (1 << 23) - 1;
    if (scanc_dtype_size(d) == sizeof u) ((double *)x)[i] = u;
    else ((float *)x)[i] = (float)u;
  }
}

/* Leaves of two types: y starts anew where a flag is set, or is the last value with a flag. */
static const char flagged[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, x: \"%s[s0]\", f: \"b8[s0]\"):\n"
    "        g = self.associative_scan_combine_graph_0\n"
    "        s = torch.ops.higher_order.associative_scan(g, [x, f], ())\n"
    "        y = s[0]\n"
    "        h = s[1]\n"
    "        return (y, h)\n"
    "\n"
    "    class associative_scan_combine_graph_0(torch.nn.Module):\n"
    "        def forward(self, x: \"%s[]\", f: \"b8[]\", v: \"%s[]\", g: \"b8[]\"):\n"
    "            a = " A "%s\n"
    "            y = " A "where.self(g, v, a)\n"
    "            h = " A "logical_or.default(f, g)\n"
    "            return [y, h]\n";

static void check_flagged(scanc_dtype d, const char *otherwise, const char *cpu) {
  static double x[2000], y[2000], again[2000];
  static bool f[2000], h[2000], other[2000];
  const char *name = scanc_dtype_name(d);
  str t = {0};
  str_printf(&t, flagged, name, name, name, otherwise);
  scanc_program *interpreted = compile_text(&t, SCANC_EXEC_INTERP, cpu),
                *compiled = compile_text(&t, SCANC_EXEC_AUTO, cpu);
  for (int64_t n = 1; n < 2000; n = n < 80 ? n + 1 : n + 500) {
    for (int i = 0; i < n; i++) f[i] = next_random() >> 28 == 0;
    fill_reals(x, d, (int)n);
    scanc_tensor in[] = {array(x, d, 1, n, 1), array(f, SCANC_BOOL, 1, n, 1)},
                 out[] = {array(y, d, 1, n, 1), array(h, SCANC_BOOL, 1, n, 1)},
                 same[] = {array(again, d, 1, n, 1), array(other, SCANC_BOOL, 1, n, 1)};
    run(interpreted, in, 2, out, 2);
    run(compiled, in, 2, same, 2);
    for (int i = 0; i < 2; i++) check_equal(&out[i], &same[i]);
    for (int i = 1; i < n; i++)
      CHECK_ELEMENT(h[i] == (h[i - 1] || f[i]), "flag %d of %d", i, (int)n);
  }
  scanc_program_free(interpreted);
  scanc_program_free(compiled);
  str_free(&t);
}

START_TEST(test_flags) {
  for (int l = 0; l < N_LEVELS; l++)
    if (level_is_here(levels[l])) {
      check_flagged(SCANC_F32, "add.Tensor(x, v)", levels[l]);
      check_flagged(SCANC_F64, "add.Tensor(x, v)", levels[l]);
      check_flagged(SCANC_F32, "where.self(f, x, v)", levels[l]);
    }
}
END_TEST

/* Complex leaves, which lie in memory as pairs: along rows, columns, and planes of any width. */
static const char complex_affine[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, x: \"%s[s0, s1]\", y: \"%s[s0, s1]\"):\n"
    "        u = " A "movedim.int(x, %d, 0)\n"
    "        v = " A "movedim.int(y, %d, 0)\n"
    "        g = self.associative_scan_combine_graph_0\n"
    "        s = torch.ops.higher_order.associative_scan(g, [u, v], ())\n"
    "        p = s[0]\n"
    "        q = s[1]\n"
    "        a = " A "movedim.int(p, 0, %d)\n"
    "        b = " A "movedim.int(q, 0, %d)\n"
    "        return (a, b)\n"
    "\n"
    "    class associative_scan_combine_graph_0(torch.nn.Module):\n"
    "        def forward(self, a: \"%s[s%d]\", b: \"%s[s%d]\", c: \"%s[s%d]\", d: \"%s[s%d]\"):\n"
    "            e = " A "mul.Tensor(c, a)\n"
    "            f = " A "mul.Tensor(c, b)\n"
    "            g = " A "add.Tensor(f, d)\n"
    "            return [e, g]\n";

static void check_complex(scanc_dtype d, int axis, const char *cpu) {
  enum { SIDE = 41, N = SIDE * SIDE };
  static double x[2][2 * N], y[2][2 * N], z[2][2 * N];
  const char *name = scanc_dtype_name(d);
  str t = {0};
  str_printf(&t, complex_affine, name, name, axis, axis, axis, axis, name, !axis, name, !axis, name,
             !axis, name, !axis);
  scanc_program *interpreted = compile_text(&t, SCANC_EXEC_INTERP, cpu),
                *compiled = compile_text(&t, SCANC_EXEC_AUTO, cpu);
  for (int i = 0; i < 2; i++) fill_reals(x[i], d == SCANC_C64 ? SCANC_F32 : SCANC_F64, 2 * N);
  for (int64_t n = 1; n <= SIDE; n += n < 9 ? 1 : 8)
    for (int64_t m = 1; m <= SIDE; m += m < 9 ? 3 : 16) {
      scanc_tensor in[2], out[2], again[2];
      for (int i = 0; i < 2; i++) {
        in[i] = array(x[i], d, 2, m, n);
        out[i] = array(y[i], d, 2, m, n);
        again[i] = array(z[i], d, 2, m, n);
      }
      run(interpreted, in, 2, out, 2);
      run(compiled, in, 2, again, 2);
      for (int i = 0; i < 2; i++) check_equal(&out[i], &again[i]);
    }
  scanc_program_free(interpreted);
  scanc_program_free(compiled);
  str_free(&t);
}

START_TEST(test_complex) {
  for (int l = 0; l < N_LEVELS; l++)
    for (int axis = 0; axis < 2; axis++)
      if (level_is_here(levels[l])) {
        check_complex(SCANC_C64, axis, levels[l]);
        check_complex(SCANC_C128, axis, levels[l]);
      }
}
END_TEST

UNIT_MAIN("prefix_leaves", test_flags, test_complex)
