/* Associative scans with leaves of two types, of two ranks, complex ones and matrices: compiled
 * code against the interpreter, bit by bit, and against left folds in C. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "../levels.h"
#include "base/str.h"
#include "ir/convert.h"
#include "programs.h"
#include "runtime/plan.h"

#define A "torch.ops.aten."

static const char *const levels[] = {"native", "x86-64-v3", "x86-64"};
enum { N_LEVELS = THIN ? 1 : 3 };

/* ---- a program, both ways ---- */

typedef struct {
  scanc_program *interpreted, *compiled;
} both;

/* Several threads share rows, in stretches that are short. Frees the text. */
static both compile_both(str *text, const char *cpu, int threads) {
  const program_choices choices = {.order.cut = threads > 1 ? 256 : 0};
  scanc_options opts = SCANC_OPTIONS_INIT;
  both b;
  opts.cpu = cpu;
  opts.threads = threads;
  opts.exec = SCANC_EXEC_INTERP;
  b.interpreted = compile_choosing(str_cstr(text), &opts, &choices);
  opts.exec = SCANC_EXEC_JIT;
  b.compiled = compile_choosing(str_cstr(text), &opts, &choices);
  program_set_thread_work(b.compiled, 1);
  str_free(text);
  return b;
}

static void free_both(both b) {
  scanc_program_free(b.interpreted);
  scanc_program_free(b.compiled);
}

/* in[n_in] -> out[n], and the same in again[n] */
static void run_both(both b, const scanc_tensor *in, int n_in, scanc_tensor *out,
                     scanc_tensor *again, int n) {
  run(b.interpreted, in, n_in, out, n);
  run_watched(b.compiled, in, n_in, again, n);
  for (int i = 0; i < n; i++) check_equal(&out[i], &again[i]);
}

/* n reals of a type of floats. */
static void fill_reals(void *x, scanc_dtype d, int n) {
  for (int i = 0; i < n; i++) {
    double u = (double)(next_random() >> 8) / (1 << 23) - 1;
    if (scanc_dtype_size(d) == sizeof u) ((double *)x)[i] = u;
    else ((float *)x)[i] = (float)u;
  }
}

/* ---- flags ---- */

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
  both b = compile_both(&t, cpu, 1);
  for (int64_t n = 1; n < 2000; n = n < 80 ? n + 1 : n + 500) {
    for (int i = 0; i < n; i++) f[i] = next_random() >> 28 == 0;
    fill_reals(x, d, (int)n);
    scanc_tensor in[] = {array(x, d, 1, n, 1), array(f, SCANC_BOOL, 1, n, 1)},
                 out[] = {array(y, d, 1, n, 1), array(h, SCANC_BOOL, 1, n, 1)},
                 same[] = {array(again, d, 1, n, 1), array(other, SCANC_BOOL, 1, n, 1)};
    run_both(b, in, 2, out, same, 2);
    for (int i = 1; i < n; i++)
      CHECK_ELEMENT(h[i] == (h[i - 1] || f[i]), "flag %d of %d", i, (int)n);
  }
  free_both(b);
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

/* ---- segments ---- */

/* Sums that start anew where a flag is set, or where a number is another one than before: one row,
 * or columns and rows that have the leaf of flags or of numbers in common. */
typedef struct {
  const char *shape, *element; /* of the summands */
  int rank, axis;
} layout;

typedef struct {
  layout of;
  scanc_dtype dtype;
  bool ids, reversed;
} segmented;

static const char segments[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, x: \"%s[%s]\", f: \"%s[s0]\"):\n"
    "        u = " A "movedim.int(x, %d, 0)\n"
    "        v = " A "%s\n"
    "        k = " A "%s\n"
    "        g = self.associative_scan_combine_graph_0\n"
    "        s = torch.ops.higher_order.associative_scan(g, [v, k], ())\n"
    "        y = s[0]\n"
    "        h = s[1]\n"
    "        z = " A "%s\n"
    "        w = " A "movedim.int(z, 0, %d)\n"
    "        i = " A "%s\n"
    "        return (w, i)\n"
    "\n"
    "    class associative_scan_combine_graph_0(torch.nn.Module):\n"
    "        def forward(self, x: \"%s[%s]\", f: \"%s[]\", v: \"%s[%s]\", g: \"%s[]\"):\n"
    "            a = " A "add.Tensor(x, v)\n"
    "%s"
    "            return [y, h]\n";

static const char by_flags[] = "            y = " A "where.self(g, v, a)\n"
                               "            h = " A "logical_or.default(f, g)\n",
                  by_ids[] = "            e = " A "eq.Tensor(f, g)\n"
                             "            y = " A "where.self(e, a, v)\n"
                             "            h = " A "alias.default(g)\n";

static both compile_segments(const segmented *s, int threads) {
  const char *d = scanc_dtype_name(s->dtype), *f = s->ids ? "i64" : "b8", *e = s->of.element;
  bool r = s->reversed;
  str t = {0};
  str_printf(&t, segments, d, s->of.shape, f, s->of.axis,
             r ? "flip.default(u, [0])" : "alias.default(u)",
             r ? "flip.default(f, [0])" : "alias.default(f)",
             r ? "flip.default(y, [0])" : "alias.default(y)", s->of.axis,
             r ? "flip.default(h, [0])" : "alias.default(h)", d, e, f, d, e, f,
             s->ids ? by_ids : by_flags);
  return compile_both(&t, "native", threads);
}

/* Small whole numbers, whose sums are exact in any order. */
static void fill_segments(const segmented *s, void *x, int64_t n_x, void *f, int64_t n_f) {
  int64_t id = -3;
  size_t size = scanc_dtype_size(s->dtype);
  for (int64_t i = 0; i < n_x; i++)
    number_store((number){.cls = 'i', .i = (int64_t)(next_random() >> 28) - 8}, s->dtype,
                 (char *)x + (size_t)i * size);
  for (int64_t i = 0; i < n_f; i++) {
    bool starts = next_random() >> 28 == 0;
    if (s->ids) ((int64_t *)f)[i] = id += starts;
    else ((bool *)f)[i] = starts;
  }
}

static double real_at(const void *x, scanc_dtype d, int64_t i) {
  number v = number_load(d, (const char *)x + (size_t)i * scanc_dtype_size(d));
  return v.cls == 'f' ? v.f : (double)v.i;
}

/* n elements along time, m across. */
static void check_segments(const segmented *s, both b, int64_t n, int64_t m) {
  enum { MOST = 1025 * 18 };
  static float x[MOST], y[MOST], again[MOST];
  static int64_t f[MOST], h[MOST], other[MOST];
  scanc_dtype leaf = s->ids ? SCANC_I64 : SCANC_BOOL;
  int64_t rows = s->of.axis ? m : n, columns = s->of.axis ? n : m;
  scanc_tensor in[] = {array(x, s->dtype, s->of.rank, rows, columns), array(f, leaf, 1, n, 1)},
               out[] = {array(y, s->dtype, s->of.rank, rows, columns), array(h, leaf, 1, n, 1)},
               same[] = {array(again, s->dtype, s->of.rank, rows, columns),
                         array(other, leaf, 1, n, 1)};
  fill_segments(s, x, n * m, f, n);
  run_both(b, in, 2, out, same, 2);
  for (int64_t j = 0; j < m; j++) {
    double sum = 0;
    bool any = false;
    for (int64_t t = 0; t < n; t++) {
      int64_t at = s->reversed ? n - 1 - t : t, before = s->reversed ? at + 1 : at - 1,
              place = s->of.axis ? j * n + at : at * m + j;
      bool starts = s->ids ? !t || f[at] != f[before] : ((bool *)f)[at];
      sum = (starts ? 0 : sum) + real_at(x, s->dtype, place);
      any = any || starts;
      CHECK_ELEMENT(real_at(y, s->dtype, place) == sum, "%lld by %lld: %lld, %lld is %g, not %g",
                    (long long)n, (long long)m, (long long)t, (long long)j,
                    real_at(y, s->dtype, place), sum);
      CHECK_ELEMENT(s->ids ? h[at] == f[at] : ((bool *)h)[at] == any, "leaf 1 of %lld: %lld",
                    (long long)n, (long long)t);
    }
  }
}

START_TEST(test_segments) {
  static const layout layouts[] = {
      {"s0", "", 1, 0}, {"s0, s1", "s1", 2, 0}, {"s1, s0", "s1", 2, 1}};
  static const int64_t lengths[] = {1, 2, 15, 16, 17, 33, 64, 130, 257, 1025},
                       widths[] = {1, 3, 8, 18};
  for (int k = 0; k < 32; k++) {
    segmented s = {layouts[k / 8 % 3], k & 1 ? SCANC_F32 : SCANC_I32, k & 2, k & 4};
    both b = compile_segments(&s, k < 24 ? 1 : 3);
    for (int i = 0; i < 10; i++)
      for (int j = 0; j < (s.of.rank == 1 ? 1 : 4); j++)
        check_segments(&s, b, lengths[i], widths[j]);
    free_both(b);
  }
}
END_TEST

/* ---- matrices ---- */

/* Products of 2 x 2 matrices, one per step or several. */
static const char matrices[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, x: \"i32[s0, %s2, 2]\"):\n"
    "        v = " A "%s\n"
    "        g = self.associative_scan_combine_graph_0\n"
    "        s = torch.ops.higher_order.associative_scan(g, [v], ())\n"
    "        y = s[0]\n"
    "        z = " A "%s\n"
    "        return (z,)\n"
    "\n"
    "    class associative_scan_combine_graph_0(torch.nn.Module):\n"
    "        def forward(self, l: \"i32[%s2, 2]\", r: \"i32[%s2, 2]\"):\n"
    "            p = " A "%s.default(l, r)\n"
    "            return [p]\n";

static void multiply(const uint32_t *l, const uint32_t *r, uint32_t *y) {
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) y[2 * i + j] = l[2 * i] * r[j] + l[2 * i + 1] * r[2 + j];
}

/* n steps of m matrices. */
static void check_products(both b, bool batched, bool reversed, int64_t n, int64_t m) {
  enum { MOST = 4 * 1025 * 5 };
  static uint32_t x[MOST], y[MOST], again[MOST];
  int64_t one[] = {n, 2, 2}, several[] = {n, m, 2, 2};
  const int64_t *sizes = batched ? several : one;
  int rank = batched ? 4 : 3;
  scanc_tensor in = scanc_tensor_contiguous(x, SCANC_I32, rank, sizes),
               out = scanc_tensor_contiguous(y, SCANC_I32, rank, sizes),
               same = scanc_tensor_contiguous(again, SCANC_I32, rank, sizes);
  for (int64_t i = 0; i < 4 * n * m; i++) x[i] = next_random();
  run_both(b, &in, 1, &out, &same, 1);
  for (int64_t j = 0; j < m; j++) {
    uint32_t left[4], now[4];
    for (int64_t t = 0; t < n; t++) {
      int64_t at = 4 * ((reversed ? n - 1 - t : t) * m + j);
      if (t) multiply(left, x + at, now);
      else memcpy(now, x + at, sizeof now);
      CHECK_ELEMENT(!memcmp(now, y + at, sizeof now), "step %lld of %lld, matrix %lld of %lld",
                    (long long)t, (long long)n, (long long)j, (long long)m);
      memcpy(left, now, sizeof left);
    }
  }
}

static void check_matrices(bool batched, bool reversed, const char *cpu, int threads) {
  static const int64_t long_ones[] = {255, 256, 257, 1023, 1024, 1025, 4095, 4096, 4097};
  const char *more = batched ? "s1, " : "";
  str t = {0};
  str_printf(&t, matrices, more, reversed ? "flip.default(x, [0])" : "alias.default(x)",
             reversed ? "flip.default(y, [0])" : "alias.default(y)", more, more,
             batched ? "bmm" : "mm");
  both b = compile_both(&t, cpu, threads);
  if (batched) {
    for (int64_t n = 1; n < 1026; n = 4 * n + 1)
      for (int64_t m = 1; m < 6; m += 2) check_products(b, true, reversed, n, m);
    check_products(b, true, reversed, 5, 70);
  } else {
    for (int64_t n = 0; n < 131; n++) check_products(b, false, reversed, n, 1);
    for (int k = 0; k < 9; k++) check_products(b, false, reversed, long_ones[k], 1);
  }
  free_both(b);
}

START_TEST(test_matrices) {
  if (THIN) puts("one CPU level: sanitizers make these runs slow");
  for (int l = 0; l < N_LEVELS; l++)
    for (int k = 0; k < 4; k++)
      if (level_is_here(levels[l])) check_matrices(k & 1, k & 2, levels[l], 1);
  for (int k = 0; k < 4; k++) check_matrices(k & 1, k & 2, "native", 3);
}
END_TEST

/* Products of single matrices: small ones are a kernel, those of large ones are kernels in a loop.
 */
static const char square[] = "class GraphModule(torch.nn.Module):\n"
                             "    def forward(self, x: \"f32[s0, %d, %d]\"):\n"
                             "        g = self.associative_scan_combine_graph_0\n"
                             "        s = torch.ops.higher_order.associative_scan(g, [x], ())\n"
                             "        y = s[0]\n"
                             "        return (y,)\n"
                             "\n"
                             "    class associative_scan_combine_graph_0(torch.nn.Module):\n"
                             "        def forward(self, l: \"f32[%d, %d]\", r: \"f32[%d, %d]\"):\n"
                             "            m = " A "mm.default(l, r)\n"
                             "            return [m]\n";

static bool has_loop(const scanc_program *p) {
  for (int i = 0; i < p->plans->entry.steps.len; i++)
    if (p->plans->entry.steps.data[i].kind == STEP_LOOP) return true;
  return false;
}

START_TEST(test_squares) {
  enum { LARGEST = 9, STEPS = 40 };
  static float x[STEPS * LARGEST * LARGEST], y[STEPS * LARGEST * LARGEST],
      again[STEPS * LARGEST * LARGEST];
  static const int64_t lengths[] = {1, 2, 5, STEPS};
  for (int n = 3; n <= LARGEST; n++) {
    str t = {0};
    str_printf(&t, square, n, n, n, n, n, n);
    both b = compile_both(&t, "native", n % 2 ? 1 : 3);
    ck_assert_int_eq(has_loop(b.compiled), n >= 7);
    fill_reals(x, SCANC_F32, STEPS * n * n);
    for (int i = 0; i < 4; i++) {
      scanc_tensor in = f32(x, 3, lengths[i], n), out = f32(y, 3, lengths[i], n), same;
      in.sizes[2] = out.sizes[2] = n;
      in.strides[0] = out.strides[0] = (int64_t)n * n;
      in.strides[1] = out.strides[1] = n;
      in.strides[2] = out.strides[2] = 1;
      same = out;
      same.data = again;
      run_both(b, &in, 1, &out, &same, 1);
    }
    free_both(b);
  }
}
END_TEST

/* ---- complex leaves ---- */

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

/* n elements of both leaves, and results, `stride` apart: max |got - exact fold| <= 2 max |left
 * fold
 * - exact fold| + 4 ulp. */
#define COMPLEX_ROW(name, real, ulp) \
  static void name(const real complex *a, const real complex *b, const real complex *p, \
                   const real complex *q, int64_t stride, int64_t n) { \
    real complex e = 0, f = 0; \
    long double complex exact_e = 0, exact_f = 0; \
    long double off[2] = {0}, fold_off[2] = {0}, largest[2] = {0}; \
    for (int64_t i = 0; i < n * stride; i += stride) { \
      f = i ? a[i] * f + b[i] : b[i]; \
      e = i ? a[i] * e : a[i]; \
      exact_f = i ? a[i] * exact_f + b[i] : b[i]; \
      exact_e = i ? a[i] * exact_e : a[i]; \
      off[0] = fmaxl(off[0], cabsl(p[i] - exact_e)); \
      off[1] = fmaxl(off[1], cabsl(q[i] - exact_f)); \
      fold_off[0] = fmaxl(fold_off[0], cabsl(e - exact_e)); \
      fold_off[1] = fmaxl(fold_off[1], cabsl(f - exact_f)); \
      largest[0] = fmaxl(largest[0], cabsl(exact_e)); \
      largest[1] = fmaxl(largest[1], cabsl(exact_f)); \
    } \
    for (int k = 0; k < 2; k++) \
      ck_assert_msg(off[k] <= 2 * fold_off[k] + 4 * (ulp) * largest[k], \
                    "%lld complex elements, leaf %d: off by %Lg, the left fold by %Lg", \
                    (long long)n, k, off[k], fold_off[k]); \
  }

COMPLEX_ROW(check_c64, float, FLT_EPSILON)
COMPLEX_ROW(check_c128, double, DBL_EPSILON)

enum { SIDE = 41, N = SIDE * SIDE };
typedef struct {
  double x[2][2 * N], y[2][2 * N], z[2][2 * N];
} complex_data;

/* m rows and n columns. */
static void run_complex(both b, complex_data *c, scanc_dtype d, int axis, int64_t m, int64_t n) {
  scanc_tensor in[2], out[2], again[2];
  for (int i = 0; i < 2; i++) {
    in[i] = array(c->x[i], d, 2, m, n);
    out[i] = array(c->y[i], d, 2, m, n);
    again[i] = array(c->z[i], d, 2, m, n);
  }
  run_both(b, in, 2, out, again, 2);
  for (int64_t k = 0; k < (axis ? m : n); k++) {
    int64_t at = axis ? k * n : k, stride = axis ? 1 : n, length = axis ? n : m;
    void *x0 = c->x[0], *x1 = c->x[1], *y0 = c->y[0], *y1 = c->y[1];
    if (d == SCANC_C64)
      check_c64((float complex *)x0 + at, (float complex *)x1 + at, (float complex *)y0 + at,
                (float complex *)y1 + at, stride, length);
    else
      check_c128((double complex *)x0 + at, (double complex *)x1 + at, (double complex *)y0 + at,
                 (double complex *)y1 + at, stride, length);
  }
}

static void check_complex(scanc_dtype d, int axis, const char *cpu) {
  static const int64_t long_ones[][2] = {{1, 1025}, {1025, 1}, {129, 13}, {13, 129}};
  static complex_data c;
  const char *name = scanc_dtype_name(d);
  str t = {0};
  str_printf(&t, complex_affine, name, name, axis, axis, axis, axis, name, !axis, name, !axis, name,
             !axis, name, !axis);
  both b = compile_both(&t, cpu, 1);
  for (int i = 0; i < 2; i++) fill_reals(c.x[i], d == SCANC_C64 ? SCANC_F32 : SCANC_F64, 2 * N);
  for (int64_t n = 1; n <= SIDE; n += n < 9 ? 1 : 8)
    for (int64_t m = 1; m <= SIDE; m += m < 9 ? 3 : 16) run_complex(b, &c, d, axis, m, n);
  for (int k = 0; k < 4; k++) run_complex(b, &c, d, axis, long_ones[k][0], long_ones[k][1]);
  free_both(b);
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

UNIT_MAIN("prefix_leaves", test_flags, test_segments, test_matrices, test_squares, test_complex)
