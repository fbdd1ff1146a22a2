/* Scans along the last dimension of arrays, whose steps are neighbours in memory while their lanes
 * lie apart, so that blocks of steps are transposed: compared with the interpreter, bit by bit,
 * with one thread and with several, on every CPU level. */
#include <stdio.h>

#include "../levels.h"
#include "programs.h"

enum { MOST_CHANNELS = 37, MOST_STEPS = 150 };

/* Two arrays, forwards and backwards, and results of which one is a row further on. */
static const char filter[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, c: \"%s[%d]\", x: \"%s[%d, s0]\", z: \"%s[s0, %d]\"):\n"
    "        body = self.body\n"
    "        a = torch.ops.aten.movedim.int(x, 1, 0)\n"
    "        u = torch.ops.aten.flip.default(a, [0])\n"
    "        f = torch.ops.higher_order.scan(body, [c], [a, z], ())\n"
    "        b = torch.ops.higher_order.scan(body, [c], [u, z], ())\n"
    "        p = f[0]\n"
    "        q = f[1]\n"
    "        r = torch.ops.aten.movedim.int(q, 0, 1)\n"
    "        s = b[1]\n"
    "        t = torch.ops.aten.flip.default(s, [0])\n"
    "        v = torch.ops.aten.movedim.int(t, 0, 1)\n"
    "        w = f[2]\n"
    "        return (p, r, v, w)\n"
    "    class body(torch.nn.Module):\n"
    "        def forward(self, c: \"%s[%d]\", x: \"%s[%d]\", z: \"%s[%d]\"):\n"
    "            d = torch.ops.aten.sub.Tensor(x, c)\n"
    "            m = torch.ops.aten.mul.Tensor(d, z)\n"
    "            s = torch.ops.aten.add.Tensor(m, x)\n"
    "            y = torch.ops.aten.maximum.default(s, c)\n"
    "            w = torch.ops.aten.lt.Tensor(s, c)\n"
    "            return [s, y, w]\n";

static const struct {
  scanc_dtype dtype;
  const char *name;
} types[] = {{SCANC_F32, "f32"}, {SCANC_F64, "f64"}, {SCANC_F16, "f16"}, {SCANC_I8, "i8"}};

/* Finite numbers of any type. */
static void fill_any(void *to, scanc_dtype d, int n) {
  for (int i = 0; i < n; i++) {
    int x = (int)(next_random() >> 8) % 199 - 99;
    if (d == SCANC_F64) ((double *)to)[i] = x / 64.;
    else if (d == SCANC_F32) ((float *)to)[i] = (float)x / 64;
    else if (d == SCANC_F16) ((uint16_t *)to)[i] = (uint16_t)(0x3000 + 8 * x);
    else ((int8_t *)to)[i] = (int8_t)x;
  }
}

/* For all numbers of steps: of whole blocks, pieces of them and single ones. */
static void agree(const char *text, scanc_tensor *in, const char *level, int threads) {
  static const int steps[] = {0, 1, 3, 4, 63, 64, 65, 128, MOST_STEPS};
  scanc_program *known = compile_threaded(text, SCANC_EXEC_INTERP, level, 1),
                *p = compile_threaded(text, SCANC_EXEC_JIT, level, threads);
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    in[1].sizes[1] = in[1].strides[0] = in[2].sizes[0] = steps[i];
    check_runs(known, p, in, 3, 4);
  }
  scanc_program_free(known);
  scanc_program_free(p);
}

START_TEST(test_channels) {
  static const char *const levels[] = {"native", "x86-64-v3", "x86-64"};
  static const int channels[] = {4, 16, MOST_CHANNELS};
  static double c[MOST_CHANNELS], x[MOST_CHANNELS * MOST_STEPS], z[MOST_CHANNELS * MOST_STEPS];
  for (int i = 0; i < (int)(sizeof types / sizeof *types) * 3; i++) {
    char text[2048];
    scanc_dtype d = types[i / 3].dtype;
    const char *e = types[i / 3].name;
    int n = channels[i % 3];
    snprintf(text, sizeof text, filter, e, n, e, n, e, n, e, n, e, n, e, n);
    fill_any(c, d, n), fill_any(x, d, n * MOST_STEPS), fill_any(z, d, n * MOST_STEPS);
    scanc_tensor in[] = {array(c, d, 1, n, 1), array(x, d, 2, n, 1), array(z, d, 2, 1, n)};
    for (int l = 0; l < (THIN ? 1 : 3); l++)
      if (level_is_here(levels[l])) agree(text, in, levels[l], 1);
    agree(text, in, "native", 3);
  }
}
END_TEST

UNIT_MAIN("tiles", test_channels)
