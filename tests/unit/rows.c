/* Scans over rows so wide that blocks of lanes take each step together: compared with the
 * interpreter, bit by bit, with one thread and with several, on every CPU level. */
#include <stdio.h>

#include "../levels.h"
#include "programs.h"
#include "runtime/testing.h"

enum { MOST_WIDE = 6144, MOST_STEPS = 7 };

/* A carry per lane and one for all, a factor per lane, from the front or from behind. */
static const char decaying[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, c: \"%s[%d]\", k: \"i64[]\", x: \"%s[s0, %d]\", d: \"%s[%d]\"):\n"
    "        body = self.body\n"
    "        u = torch.ops.aten.flip.default(x, [0])\n"
    "        f = torch.ops.higher_order.scan(body, [c, k], [x], (d,))\n"
    "        b = torch.ops.higher_order.scan(body, [c, k], [u], (d,))\n"
    "        y = b[2]\n"
    "        v = torch.ops.aten.flip.default(y, [0])\n"
    "        p = f[0]\n"
    "        q = f[1]\n"
    "        r = f[2]\n"
    "        return (p, q, r, v)\n"
    "    class body(torch.nn.Module):\n"
    "        def forward(self, c: \"%s[%d]\", k: \"i64[]\", x: \"%s[%d]\", d: \"%s[%d]\"):\n"
    "            e = torch.ops.aten.cos.default(d)\n"
    "            m = torch.ops.aten.mul.Tensor(c, e)\n"
    "            s = torch.ops.aten.add.Tensor(m, x)\n"
    "            n = torch.ops.aten.add.Tensor(k, 1)\n"
    "            y = torch.ops.aten.mul.Tensor(s, k)\n"
    "            return [s, n, y]\n";

/* Data errors: the first in time counts. Rows in two batches. */
static const char dividing[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, c: \"i32[2, 1024]\", x: \"i32[s0, 2, 1024]\"):\n"
    "        body = self.body\n"
    "        f = torch.ops.higher_order.scan(body, [c], [x], ())\n"
    "        p = f[0]\n"
    "        r = f[1]\n"
    "        return (p, r)\n"
    "    class body(torch.nn.Module):\n"
    "        def forward(self, c: \"i32[2, 1024]\", x: \"i32[2, 1024]\"):\n"
    "            q = torch.ops.aten.div.Tensor_mode(c, x, rounding_mode = 'trunc')\n"
    "            s = torch.ops.aten.add.Tensor(q, 77)\n"
    "            g = torch.ops.aten.gt.Scalar(s, 3)\n"
    "            return [s, g]\n";

typedef struct {
  scanc_tensor in[MAX];
  int n_in, n_out;
} arguments;

static void agree(const char *text, const arguments *a, int steps) {
  static const char *const levels[] = {"native", "x86-64-v3", "x86-64"};
  scanc_tensor want[MAX], got[MAX];
  for (int l = 0; l < (THIN ? 1 : 3); l++) {
    if (!level_is_here(levels[l])) continue;
    scanc_program *known = compile_threaded(text, SCANC_EXEC_INTERP, levels[l], 1);
    for (int threads = 1; threads <= 3; threads++) {
      scanc_program *p = compile_threaded(text, SCANC_EXEC_JIT, levels[l], threads);
      for (int n = 0; n <= steps; n += n < 2 ? 1 : 5) {
        arguments now = *a;
        now.in[now.n_in > 2 ? 2 : 1].sizes[0] = n;
        memset(want, 0, sizeof want), memset(got, 0, sizeof got);
        run(known, now.in, now.n_in, want, now.n_out);
        run(p, now.in, now.n_in, got, now.n_out);
        for (int i = 0; i < now.n_out; i++) check_equal(&got[i], &want[i]);
        release(want, now.n_out), release(got, now.n_out);
      }
      scanc_program_free(p);
    }
    scanc_program_free(known);
  }
}

static double random_number(void) {
  static uint32_t state = 1;
  state = state * 1664525 + 1013904223;
  return (double)(state >> 8) / (1 << 23) - 1;
}

static void fill_any(void *to, scanc_dtype d, int n) {
  for (int i = 0; i < n; i++) {
    double x = random_number();
    if (d == SCANC_F64) ((double *)to)[i] = x;
    else if (d == SCANC_F32) ((float *)to)[i] = (float)x;
    else ((uint16_t *)to)[i] = (uint16_t)(0x3000 + (int)(x * 0xc00)); /* f16 from 2^-6 to 2 */
  }
}

START_TEST(test_widths) {
  static double c[MOST_WIDE], d[MOST_WIDE], x[MOST_STEPS * MOST_WIDE];
  static const int widths[] = {512, 1024, 1536, 1030, 4096, 6144};
  static const struct {
    scanc_dtype dtype;
    const char *name;
  } types[] = {{SCANC_F32, "f32"}, {SCANC_F64, "f64"}, {SCANC_F16, "f16"}};
  for (int t = 0; t < 3; t++)
    for (int i = 0; i < 6; i++) {
      char text[2048];
      int w = widths[i];
      const char *e = types[t].name;
      int64_t k = 3;
      scanc_dtype dtype = types[t].dtype;
      snprintf(text, sizeof text, decaying, e, w, e, w, e, w, e, w, e, w, e, w);
      fill_any(c, dtype, w), fill_any(d, dtype, w), fill_any(x, dtype, MOST_STEPS * w);
      arguments a = {{array(c, dtype, 1, w, 1), array(&k, SCANC_I64, 0, 1, 1),
                      array(x, dtype, 2, MOST_STEPS, w), array(d, dtype, 1, w, 1)},
                     4,
                     4};
      agree(text, &a, MOST_STEPS);
    }
}
END_TEST

static scanc_tensor integers(int32_t *data, int rank, int64_t steps) {
  scanc_tensor t = {.data = data, .dtype = SCANC_I32, .rank = rank};
  const int64_t sizes[] = {steps, 2, 1024}, strides[] = {2048, 1024, 1};
  for (int d = 0; d < rank; d++)
    t.sizes[d] = sizes[3 - rank + d], t.strides[d] = strides[3 - rank + d];
  return t;
}

START_TEST(test_errors) {
  static int32_t c[2048], x[MOST_STEPS * 2048];
  for (int i = 0; i < 2048; i++) c[i] = i * 37 - 9999;
  for (int i = 0; i < MOST_STEPS * 2048; i++) x[i] = i % 7 + 1;
  arguments a = {{integers(c, 2, 1), integers(x, 3, MOST_STEPS)}, 2, 2};
  agree(dividing, &a, MOST_STEPS);
  x[3 * 2048 + 1500] = 0;
  for (int threads = 1; threads <= 3; threads++) {
    scanc_program *p = compile_threaded(dividing, SCANC_EXEC_JIT, NULL, threads);
    scanc_tensor out[2] = {0};
    run_fails(p, a.in, 2, out, 2, SCANC_ERR_DATA, "division by zero");
    scanc_program_free(p);
  }
}
END_TEST

UNIT_MAIN("rows", test_widths, test_errors)
