/* Which results of associative scans take memory: those that are read, and of a scan of which only
 * the last results are read, those. */
#include <math.h>

#include "base/str.h"
#include "programs.h"

#define A "torch.ops.aten."

enum { LENGTH = 5000, ROWS = 3, FEW_BYTES = 8192 };

/* Leaves l0, r0 and, if there are two, l1, r1. */
typedef struct {
  const char *name;
  int leaves;
  const char *body, *results;
} combine;

static const combine combines[] = {{"add", 1, "y = " A "add.Tensor(l0, r0)", "y"},
                                   {"maximum", 1, "y = " A "maximum.default(l0, r0)", "y"},
                                   {"logaddexp", 1, "y = " A "logaddexp.default(l0, r0)", "y"},
                                   {"affine", 2,
                                    "y = " A "mul.Tensor(l0, r0)\n            m = " A
                                    "mul.Tensor(r0, l1)\n            z = " A "add.Tensor(m, r1)",
                                    "y, z"}};

enum { N_COMBINES = sizeof combines / sizeof *combines };

static void append_combine(str *t, const combine *w, const char *leaf) {
  str_append(t, "    class associative_scan_combine_graph_0(torch.nn.Module):\n"
                "        def forward(self");
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < w->leaves; i++)
      str_printf(t, ", %c%d: \"f32[%s]\"", side ? 'r' : 'l', i, leaf);
  str_printf(t, "):\n            %s\n            return [%s]\n", w->body, w->results);
}

/* The scan of leaves p, or u if it is reversed, and f, the results of the last one. */
static void append_scan(str *t, int leaves, bool reversed) {
  str_append(t, "        s = torch.ops.higher_order.associative_scan(g, [");
  for (int i = 0; i < leaves; i++) str_printf(t, "%c%d, ", reversed ? 'u' : 'p', i);
  str_printf(t, "], ())\n        %c = s[%d]\n", reversed ? 'e' : 'f', leaves - 1);
  if (reversed) str_append(t, "        f = " A "flip.default(e, [0])\n");
}

typedef struct {
  const combine *what;
  const char *sizes, *step; /* as the types have them */
  int axis;                 /* time, the last dimension or the first one */
  bool reversed, grouped;
  int cut;
  const char *after; /* of y, the last leaf: what is returned; NULL: y */
} last_case;

static scanc_program *make(const last_case *c, scanc_exec how, size_t max_bytes) {
  str t = {0};
  int n = c->what->leaves;
  str_append(&t, "class GraphModule(torch.nn.Module):\n    def forward(self");
  for (int i = 0; i < n; i++) str_printf(&t, ", x%d: \"f32[%s]\"", i, c->sizes);
  str_append(&t, "):\n        g = self.associative_scan_combine_graph_0\n");
  for (int i = 0; i < n; i++) {
    if (c->grouped) str_printf(&t, "        v%d = " A "mul.Tensor(x%d, 0.5)\n", i, i);
    str_printf(&t, "        p%d = " A "movedim.int(%c%d, %d, 0)\n", i, c->grouped ? 'v' : 'x', i,
               c->axis);
    if (c->reversed) str_printf(&t, "        u%d = " A "flip.default(p%d, [0])\n", i, i);
  }
  append_scan(&t, n, c->reversed);
  str_printf(&t, "        y = " A "movedim.int(f, 0, %d)\n", c->axis);
  if (c->after) str_printf(&t, "        w = %s\n", c->after);
  str_printf(&t, "        return (%c,)\n\n", c->after ? 'w' : 'y');
  append_combine(&t, c->what, c->step);
  scanc_options opts = SCANC_OPTIONS_INIT;
  const program_choices choices = {.order = {.cut = c->cut, .from = 2000}};
  opts.exec = how;
  opts.max_bytes = max_bytes;
  scanc_program *p = compile_choosing(str_cstr(&t), &opts, &choices);
  str_free(&t);
  return p;
}

static float x[2][ROWS * LENGTH];

/* The result, which has `rank` dimensions of these sizes, interpreted and as compiled code has it
 * that may take no more than a few bytes. */
static void check_case(const last_case *c, const int64_t *sizes, int rank, int out_rank) {
  scanc_tensor in[2];
  for (int i = 0; i < 2; i++) {
    fill(x[i], ROWS * LENGTH, 0.125F);
    for (int k = 0; k < ROWS * LENGTH; k++) x[i][k] = i ? x[i][k] / 8 - 0.4F : 0.9F;
    in[i] = f32(x[i], rank, sizes[0], rank > 1 ? sizes[1] : 1);
    if (c->what->leaves == 1)
      for (int k = 0; k < ROWS * LENGTH; k++) x[0][k] = (float)(k * 37 % 101) / 16 - 3;
  }
  static float y[ROWS * LENGTH], z[ROWS * LENGTH];
  int64_t n = 1;
  scanc_tensor out = f32(y, out_rank, rank > out_rank ? ROWS : sizes[0], rank > 1 ? sizes[1] : 1);
  for (int d = 0; d < out_rank; d++) n *= out.sizes[d];
  scanc_program *p = make(c, SCANC_EXEC_INTERP, 0);
  run(p, in, c->what->leaves, &out, 1);
  scanc_program_free(p);
  p = make(c, SCANC_EXEC_JIT, FEW_BYTES);
  out.data = z;
  memset(z, 0, sizeof z);
  run(p, in, c->what->leaves, &out, 1);
  scanc_program_free(p);
  for (int64_t i = 0; i < n; i++)
    ck_assert_msg(!memcmp(&y[i], &z[i], sizeof *y), "%s, %s: element %lld is %a, interpreted %a",
                  c->what->name, c->sizes, (long long)i, (double)z[i], (double)y[i]);
}

/* Forwards, backwards, with what comes before the scan; sizes that types tell or not. */
START_TEST(test_last) {
  static const int64_t row = LENGTH, rows[2] = {ROWS, LENGTH}, columns[2] = {LENGTH, ROWS};
  for (int k = 0; k < N_COMBINES; k++) {
    last_case c = {.what = &combines[k], .sizes = "5000", .step = ""};
    bool total = strcmp(c.what->name, "logaddexp") != 0; /* which goes by blocks */
    c.after = A "select.int(y, 0, -1)";
    if (total) check_case(&c, &row, 1, 0);
    for (c.sizes = "s0", c.cut = 512; total && c.cut < 9000; c.cut *= 4) {
      static const int64_t lengths[] = {5000, 4608, 2049, 1999, 300, 1};
      for (int i = 0; i < 6; i++) check_case(&c, &lengths[i], 1, 0);
    }
    c.sizes = "5000", c.cut = 512;
    if (total) check_case(&c, &row, 1, 0);
    c.grouped = true;
    if (total) check_case(&c, &row, 1, 0);
    c.grouped = false, c.reversed = true, c.after = A "select.int(y, 0, 0)";
    if (total) check_case(&c, &row, 1, 0);
    c = (last_case){&combines[k], "3, 5000", "3", 1, false, false, 600, A "select.int(y, 1, 4999)"};
    if (total) check_case(&c, rows, 2, 1);
    c = (last_case){&combines[k], "s0, s1", "s1", 0, false, false, 0, A "select.int(y, 0, -1)"};
    check_case(&c, columns, 2, 1);
    c.reversed = true, c.after = A "select.int(y, 0, 0)";
    check_case(&c, columns, 2, 1);
  }
}
END_TEST

/* A leaf that nobody reads has no place, where the caller has one for the other. */
START_TEST(test_unread) {
  static const int64_t row = LENGTH;
  const last_case c = {&combines[3], "5000", "", 0, false, false, 0, NULL};
  check_case(&c, &row, 1, 1);
}
END_TEST

/* Of no elements there is no last one, compiled or not. */
START_TEST(test_empty) {
  const last_case c = {&combines[0], "s0", "", 0, false, false, 0, A "select.int(y, 0, -1)"};
  scanc_tensor in = f32(x[0], 1, 0, 1);
  float y = 0;
  for (int how = 0; how < 2; how++) {
    scanc_tensor out = f32(&y, 0, 1, 1);
    scanc_error err = {0};
    scanc_program *p = make(&c, how ? SCANC_EXEC_AUTO : SCANC_EXEC_INTERP, 0);
    ck_assert_int_ne(scanc_run(p, &in, 1, &out, 1, &err), SCANC_OK);
    scanc_program_free(p);
  }
}
END_TEST

/* ---- seeds ---- */

typedef struct {
  const combine *what;
  const char *sizes, *seed, *step; /* as the types have them */
  int axis;
  bool reversed;
  int cut;
} seed_case;

static scanc_program *make_seeded(const seed_case *c, const scanc_options *opts) {
  str t = {0};
  int n = c->what->leaves;
  const char *order = c->reversed ? "x%d, i%d" : "i%d, x%d";
  str_append(&t, "class GraphModule(torch.nn.Module):\n    def forward(self");
  for (int i = 0; i < n; i++)
    str_printf(&t, ", x%d: \"f32[%s]\", i%d: \"f32[%s]\"", i, c->sizes, i, c->seed);
  str_append(&t, "):\n        g = self.associative_scan_combine_graph_0\n");
  for (int i = 0; i < n; i++) {
    str_printf(&t, "        c%d = " A "cat.default([", i);
    str_printf(&t, order, i, i);
    str_printf(&t, "], %d)\n        p%d = " A "movedim.int(c%d, %d, 0)\n", c->axis, i, i, c->axis);
    if (c->reversed) str_printf(&t, "        u%d = " A "flip.default(p%d, [0])\n", i, i);
  }
  append_scan(&t, n, c->reversed);
  str_printf(&t, "        y = " A "movedim.int(f, 0, %d)\n", c->axis);
  str_printf(&t, "        w = " A "slice.Tensor(y, %d, %s)\n        return (w,)\n\n", c->axis,
             c->reversed ? "0, -1" : "1, 9223372036854775807");
  append_combine(&t, c->what, c->step);
  const program_choices choices = {.order = {.cut = c->cut}};
  scanc_program *p = compile_choosing(str_cstr(&t), opts, &choices);
  program_set_thread_work(p, 1);
  str_free(&t);
  return p;
}

static void run_seeded(const seed_case *c, const scanc_options *opts, const int64_t *sizes,
                       int rank, float *to) {
  static float seed[2][ROWS] = {{0.75F, 2.0F, -1.5F}, {0.5F, -3.0F, 1.25F}};
  scanc_tensor in[4], out = f32(to, rank, sizes[0], rank > 1 ? sizes[1] : 1);
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < ROWS * LENGTH; k++) x[i][k] = (float)(k * 37 % 101) / 160 - (i ? 0.3F : 0);
    in[2 * i] = f32(x[i], rank, sizes[0], rank > 1 ? sizes[1] : 1);
    in[2 * i + 1] = in[2 * i];
    in[2 * i + 1].data = seed[i];
    in[2 * i + 1].sizes[c->axis] = 1;
    in[2 * i + 1].strides[0] = 1;
  }
  scanc_program *p = make_seeded(c, opts);
  memset(to, 0, sizeof *to * ROWS * LENGTH);
  run(p, in, 2 * c->what->leaves, &out, 1);
  scanc_program_free(p);
}

/* Compiled, for one thread and three, without memory for a copy; interpreted; as a left fold. */
static void check_seeded(const seed_case *c, const int64_t *sizes, int rank) {
  static float y[ROWS * LENGTH], z[ROWS * LENGTH], left[ROWS * LENGTH];
  scanc_options opts = SCANC_OPTIONS_INIT;
  int64_t n = rank > 1 ? sizes[0] * sizes[1] : sizes[0];
  opts.exec = SCANC_EXEC_INTERP;
  run_seeded(c, &opts, sizes, rank, y);
  opts.assoc = SCANC_ASSOC_LEFT;
  run_seeded(c, &opts, sizes, rank, left);
  opts.assoc = SCANC_ASSOC_TREE;
  opts.exec = SCANC_EXEC_JIT;
  for (int threads = 1; threads < 4; threads += 2) {
    opts.threads = threads;
    opts.max_bytes = FEW_BYTES;
    run_seeded(c, &opts, sizes, rank, z);
    for (int64_t i = 0; i < n; i++) {
      ck_assert_msg(!memcmp(&y[i], &z[i], sizeof *y),
                    "%s, %s, %d threads: element %lld is %a, interpreted %a", c->what->name,
                    c->sizes, threads, (long long)i, (double)z[i], (double)y[i]);
      ck_assert_msg(fabsf(z[i] - left[i]) <= 1e-4F * (1 + fabsf(left[i])),
                    "%s, %s: element %lld is %a, as a left fold %a", c->what->name, c->sizes,
                    (long long)i, (double)z[i], (double)left[i]);
    }
  }
}

/* Seeds that are joined with what is scanned: no copy is made of it, nor of the results. */
START_TEST(test_seeds) {
  static const int64_t row = LENGTH, rows[2] = {ROWS, LENGTH}, columns[2] = {LENGTH, ROWS};
  for (int k = 0; k < N_COMBINES; k++)
    for (int reversed = 0; reversed < 2; reversed++) {
      seed_case c = {&combines[k], "5000", "1", "", 0, reversed, 0};
      check_seeded(&c, &row, 1);
      c.sizes = "s0", c.cut = 512; /* threads share it */
      check_seeded(&c, &row, 1);
      if (k == 1) continue;
      c = (seed_case){&combines[k], "3, s1", "3, 1", "3", 1, reversed, 0};
      check_seeded(&c, rows, 2);
      c = (seed_case){&combines[k], "5000, 3", "1, 3", "3", 0, reversed, 0};
      check_seeded(&c, columns, 2);
    }
}
END_TEST

UNIT_MAIN("prefix_results", test_last, test_unread, test_empty, test_seeds)
