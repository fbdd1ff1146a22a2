/* What is promised of sums and products (docs/design.md, "Numbers"): the error is at most
 * (log2 n + 16) u sum|x| of a sum, n u sum|a b| of an element of a matrix product; and a row has
 * the same bits alone and in any batch, by any number of threads, in every executor. */
#include <math.h>
#include <stdio.h>

#include "programs.h"

enum { MOST_ROWS = 33, MOST = 4097, COLUMNS = 19 };

static const double unit = 0x1p-24; /* of f32 */

static const char sums[] = "class GraphModule(torch.nn.Module):\n"
                           "    def forward(self, x: \"f32[s0, s1]\", w: \"f32[s1, 19]\"):\n"
                           "        a = torch.ops.aten.sum.dim_IntList(x, [1])\n"
                           "        return (a,)\n";

static const char products[] = "class GraphModule(torch.nn.Module):\n"
                               "    def forward(self, x: \"f32[s0, s1]\", w: \"f32[s1, 19]\"):\n"
                               "        a = torch.ops.aten.mm.default(x, w)\n"
                               "        return (a,)\n";

/* The rows are carried, and multiplied in every step. */
static const char steps[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, x: \"f32[s0, 19]\", w: \"f32[19, 19]\"):\n"
    "        body = self.body\n"
    "        scan = torch.ops.higher_order.scan(body, [x], [w], (w,))\n"
    "        a = scan[0]\n"
    "        return (a,)\n"
    "    class body(torch.nn.Module):\n"
    "        def forward(self, h: \"f32[s0, 19]\", x: \"f32[19]\", w: \"f32[19, 19]\"):\n"
    "            m = torch.ops.aten.mm.default(h, w)\n"
    "            s = torch.ops.aten.sum.dim_IntList(m, [1], True)\n"
    "            a = torch.ops.aten.add.Tensor(m, x)\n"
    "            b = torch.ops.aten.sub.Tensor(a, s)\n"
    "            t = torch.ops.aten.tanh.default(b)\n"
    "            return [t]\n";

static float x[MOST_ROWS * MOST], w[MOST * COLUMNS];

/* Of both signs and of sizes that differ by a factor of 2^20. */
static void fill_all(float *to, int n) {
  for (int i = 0; i < n; i++) {
    uint32_t r = next_random();
    to[i] = ldexpf((float)(int32_t)r, -31 - (int)(r >> 7) % 20);
  }
}

/* Every other row has equal elements, whose sum one by one would err in one direction. */
static void fill_rows(int n) {
  fill_all(x, MOST_ROWS * n);
  for (int r = 1; r < MOST_ROWS; r += 2)
    for (int i = 0; i < n; i++) x[r * n + i] = 0.3F;
}

static float at(const scanc_tensor *t, int64_t i) {
  float v;
  memcpy(&v, element(t, i), sizeof v);
  return v;
}

static void check_sum(const scanc_tensor *out, int rows, int n) {
  for (int r = 0; r < rows; r++) {
    double exact = 0, all = 0;
    for (int i = 0; i < n; i++) exact += x[r * n + i], all += fabs((double)x[r * n + i]);
    double error = fabs(at(out, r) - exact), bound = (log2(n) + 16) * unit * all;
    ck_assert_msg(error <= bound, "sum of %d: error %g, at most %g expected", n, error, bound);
  }
}

static void check_product(const scanc_tensor *out, int rows, int n) {
  for (int e = 0; e < rows * COLUMNS; e++) {
    double exact = 0, all = 0;
    for (int i = 0; i < n; i++) {
      double p = (double)x[e / COLUMNS * n + i] * (double)w[i * COLUMNS + e % COLUMNS];
      exact += p, all += fabs(p);
    }
    double error = fabs(at(out, e) - exact), bound = n * unit * all;
    ck_assert_msg(error <= bound, "product of %d: error %g, at most %g expected", n, error, bound);
  }
}

/* Row r of a batch, computed by itself. */
static void check_row(scanc_program *p, const scanc_tensor *out, int r, int n) {
  scanc_tensor in[2] = {f32(x + r * n, 2, 1, n), f32(w, 2, n, COLUMNS)}, alone = {0};
  run(p, in, 2, &alone, 1);
  int64_t size = scanc_tensor_numel(&alone);
  for (int64_t i = 0; i < size; i++) {
    float a = at(&alone, i), b = at(out, r * size + i);
    ck_assert_msg(!memcmp(&a, &b, sizeof a), "%d elements: row %d differs from itself", n, r);
  }
  scanc_tensor_release(&alone);
}

static void check_batches(const char *text, int n,
                          void (*check)(const scanc_tensor *out, int rows, int n)) {
  static const int batches[] = {1, 2, 7, 16, MOST_ROWS};
  scanc_program *interp = compile_threaded(text, SCANC_EXEC_INTERP, NULL, 1),
                *jit = compile_threaded(text, SCANC_EXEC_JIT, NULL, 1),
                *by_three = compile_threaded(text, SCANC_EXEC_JIT, NULL, 3);
  fill_rows(n), fill_all(w, n * COLUMNS);
  for (size_t b = 0; b < sizeof batches / sizeof *batches; b++) {
    int rows = batches[b];
    scanc_tensor in[2] = {f32(x, 2, rows, n), f32(w, 2, n, COLUMNS)}, out = {0};
    check_runs(jit, interp, in, 2, 1);
    check_runs(jit, by_three, in, 2, 1);
    run(jit, in, 2, &out, 1);
    if (check) check(&out, rows, n);
    check_row(jit, &out, 0, n), check_row(jit, &out, rows / 2, n);
    check_row(by_three, &out, rows - 1, n);
    scanc_tensor_release(&out);
  }
  scanc_program_free(interp), scanc_program_free(jit), scanc_program_free(by_three);
}

static const int lengths[] = {1, 3, 8, 100, 128, 129, 1000, MOST};
enum { N_LENGTHS = sizeof lengths / sizeof *lengths };

START_TEST(test_sums) {
  for (int i = 0; i < N_LENGTHS; i++) check_batches(sums, lengths[i], check_sum);
}
END_TEST

START_TEST(test_products) {
  for (int i = 0; i < N_LENGTHS; i++) check_batches(products, lengths[i], check_product);
}
END_TEST

START_TEST(test_steps) { check_batches(steps, COLUMNS, NULL); }
END_TEST

UNIT_MAIN("bounds", test_sums, test_products, test_steps)
