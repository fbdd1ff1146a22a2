/* Leaves that are the same in every step (stride 0 along time): in every order, of rows and of
 * lanes, by any number of threads. Compiled code, which loads them once, against the interpreter on
 * arrays that have them in every step, bit by bit. */
#include "prefix_cases.h"

/* The first n_still leaves have their first elements in every step. */
static void make_still(const scan_case *c, data *d, const int64_t *sizes, int n_still) {
  int64_t inner = 1, length = sizes[c->axis], n = count_of(c, sizes);
  for (int k = c->axis + 1; k < c->rank; k++) inner *= sizes[k];
  for (int i = 0; i < n_still; i++)
    for (int64_t k = 0; k < n; k++) d->x[i][k] = d->x[i][k - k / inner % length * inner];
}

static void run_still(scanc_program *p, const scan_case *c, data *d, const int64_t *sizes,
                      int n_still) {
  scanc_tensor in[MAX_LEAVES], out[MAX_LEAVES];
  memset(d->z, 0, sizeof d->z);
  for (int i = 0; i < c->what->n; i++) {
    in[i] = tensor_over(d->x[i], c, sizes);
    out[i] = tensor_over(d->z[i], c, sizes);
    if (i < n_still) in[i].strides[c->axis] = 0;
  }
  run_watched(p, in, c->what->n, out + c->first, c->what->n - c->first);
}

static const int threads[] = {1, 3, 2, 7};

/* By the first n_threads numbers of threads. */
static void check_still(scan_case c, const char *cpu, int n_threads, const int64_t (*sizes)[3],
                        int count) {
  static data d;
  scanc_program *interpreted = compile_case(&c, SCANC_EXEC_INTERP, cpu), *compiled[4];
  for (int t = 0; t < n_threads; t++) {
    c.threads = threads[t];
    compiled[t] = compile_case(&c, SCANC_EXEC_JIT, cpu);
  }
  for (int k = 0; k < count; k++)
    for (int n_still = 1; n_still <= c.what->n; n_still += c.what->n > 1 ? c.what->n - 1 : 1) {
      fill_data(&d, &c);
      make_still(&c, &d, sizes[k], n_still);
      run_case(interpreted, &c, &d, false, sizes[k]);
      for (int t = 0; t < n_threads; t++) {
        run_still(compiled[t], &c, &d, sizes[k], n_still);
        check_same_bits(&c, &d, count_of(&c, sizes[k]), cpu ? cpu : "native");
      }
    }
  scanc_program_free(interpreted);
  for (int t = 0; t < n_threads; t++) scanc_program_free(compiled[t]);
}

/* Of one row, all results or the last leaf's alone; in groups they are multiplied, as a decay is
 * computed. */
START_TEST(test_rows) {
  static const int64_t lengths[][3] = {{1}, {2}, {17}, {64}, {1025}, {2600}};
  for (int k = 0; k < N_COMBINATIONS; k++)
    for (int form = PREFIX_IN_TURN; form <= PREFIX_IN_SEGMENTS; form++) {
      scan_case c = row_case(&combinations[k]);
      c.reversed = (k + form) % 2;
      c.order = (prefix_wish){.form = (prefix_form)form, .cut = 512};
      c.first = form == PREFIX_IN_NETWORKS ? c.what->n - 1 : 0;
      c.grouped = k == 2 || (k + form) % 3 == 0;
      check_still(c, NULL, k == 2 ? 4 : 2, lengths, 6);
    }
}
END_TEST

/* Rows and lanes of them. */
START_TEST(test_lanes) {
  static const int64_t sizes[][3] = {{3, 5, 37}, {70, 2, 3}, {2, 130, 18}, {18, 1, 300}};
  for (int k = 0; k < N_COMBINATIONS; k += 2)
    for (int axis = 0; axis < 3; axis++) {
      scan_case c = row_case(&combinations[k]);
      c.rank = 3, c.axis = axis, c.reversed = (k + axis) % 2;
      c.first = axis % 2 ? c.what->n - 1 : 0;
      if (axis == 1 && c.what->i32) c.dtype = SCANC_I32;
      check_still(c, NULL, k == 2 ? 4 : 2, sizes, 4);
    }
}
END_TEST

START_TEST(test_levels) {
  static const int64_t lengths[][3] = {{17}, {1025}};
  for (int k = 0; k < N_COMBINATIONS; k += 2)
    for (int l = 1; l < N_LEVELS; l++)
      if (level_is_here(levels[l])) {
        scan_case c = row_case(&combinations[k]);
        check_still(c, levels[l], 2, lengths, 2);
      }
}
END_TEST

/* A scan with such an x, of a length that the types tell and of one that may be 0. */
static void check_scan(const char *length, int64_t n) {
  enum { T = 40, D = 300 };
  static float h[D], a[T * D], x[T * D], y[T * D], z[T * D], last[2][D];
  str t = {0};
  str_printf(&t,
             "class GraphModule(torch.nn.Module):\n"
             "    def forward(self, h: \"f32[s1]\", a: \"f32[%s, s1]\", x: \"f32[%s, s1]\"):\n"
             "        b = self.body\n"
             "        s = torch.ops.higher_order.scan(b, [h], [a, x], ())\n"
             "        i = s[0]\n"
             "        y = s[1]\n"
             "        return (i, y)\n"
             "    class body(torch.nn.Module):\n"
             "        def forward(self, h: \"f32[s1]\", a: \"f32[s1]\", x: \"f32[s1]\"):\n"
             "            e: \"f32[s1]\" = " A "exp.default(a)\n"
             "            m: \"f32[s1]\" = " A "mul.Tensor(e, h)\n"
             "            i: \"f32[s1]\" = " A "add.Tensor(m, x)\n"
             "            return [i, i]\n",
             length, length);
  scanc_program *interpreted = compile_with(str_cstr(&t), SCANC_EXEC_INTERP, 0),
                *compiled = compile_with(str_cstr(&t), SCANC_EXEC_JIT, 0);
  str_free(&t);
  for (int k = 0; k < T * D; k++) a[k] = -(float)(k % D) / 64, x[k] = (float)(k % 37) / 8;
  for (int64_t d = 1; d <= D; d = d < 40 ? d + 13 : d + 260) {
    for (int64_t k = 0; k < n * d; k++) y[k] = -(float)(k % d) / 64;
    scanc_tensor in[] = {f32(h, 1, d, 1), f32(y, 2, n, d), f32(x, 2, n, d)},
                 out[] = {f32(last[0], 1, d, 1), f32(z, 2, n, d)};
    run(interpreted, in, 3, out, 2);
    memcpy(y, z, sizeof y);
    in[1] = f32(n ? a : NULL, 2, n, d);
    in[1].strides[0] = 0;
    out[0].data = last[1];
    memset(z, 0, sizeof z);
    run(compiled, in, 3, out, 2);
    ck_assert(!memcmp(last[0], last[1], (size_t)d * sizeof **last));
    ck_assert(!memcmp(y, z, (size_t)(n * d) * sizeof *y));
  }
  scanc_program_free(interpreted);
  scanc_program_free(compiled);
}

START_TEST(test_scan) {
  check_scan("40", 40);
  check_scan("s0", 40);
  check_scan("s0", 1);
  check_scan("s0", 0);
}
END_TEST

UNIT_MAIN("prefix_still", test_rows, test_lanes, test_levels, test_scan)
