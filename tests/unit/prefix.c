/* Associative scans along vectors: combine functions, lengths, directions and axes against left
 * folds in C, and compiled code against the interpreter, bit by bit. */
#include "prefix_cases.h"

static void check_combination(const combination *w, int rank, int axis, const int64_t (*sizes)[3],
                              int count) {
  for (int reversed = 0; reversed < 2; reversed++) {
    scan_case c = row_case(w);
    c.rank = rank, c.axis = axis, c.reversed = reversed;
    check_on_levels(&c, sizes, count);
    c.dtype = SCANC_I32;
    if (w->i32) check_on_levels(&c, sizes, count);
  }
}

START_TEST(test_lengths) {
  static const int64_t long_ones[] = {255, 256, 257, 1023, 1024, 1025, 4095, 4096, 4097};
  int64_t sizes[140][3];
  int count = 0;
  if (THIN) puts("one CPU level: sanitizers make these runs slow");
  for (int n = 0; n <= 130; n++) sizes[count++][0] = n;
  for (int k = 0; k < 9; k++) sizes[count++][0] = long_ones[k];
  for (int k = 0; k < N_COMBINATIONS; k++)
    check_combination(&combinations[k], 1, 0, (const int64_t(*)[3])sizes, count);
}
END_TEST

/* Any sizes, then a long axis and two others: around multiples of vectors and of blocks. */
START_TEST(test_axes) {
  enum { SHORT = 10, LONG = 4 };
  static const int64_t long_ones[LONG][3] = {{129, 2, 3}, {257, 1, 18}, {1025, 3, 1}, {4097, 1, 2}};
  int64_t sizes[SHORT + LONG][3] = {{3, 5, 37}, {2, 40, 3}, {65, 2, 5}, {1, 1, 18}, {16, 7, 16},
                                    {0, 3, 4},  {3, 0, 4},  {4, 3, 0},  {2, 3, 1},  {20, 33, 1}};
  for (int axis = 0; axis < 3; axis++) {
    for (int k = 0; k < LONG; k++)
      for (int d = 0, other = 1; d < 3; d++)
        sizes[SHORT + k][d] = long_ones[k][d == axis ? 0 : other++];
    for (int k = 0; k < N_COMBINATIONS; k++)
      check_combination(&combinations[k], 3, axis, (const int64_t(*)[3])sizes, SHORT + LONG);
  }
}
END_TEST

/* Where one result is wanted, what only the others need is not computed. */
START_TEST(test_last_result) {
  static const int64_t lengths[] = {1, 5, 16, 33, 1024, 1025, 3000};
  static data d;
  for (int k = 0; k < N_COMBINATIONS; k++)
    for (int l = 0; l < N_LEVELS; l++) {
      scan_case c = row_case(&combinations[k]);
      c.first = combinations[k].n - 1;
      if (!level_is_here(levels[l])) continue;
      scanc_program *interpreted = compile_case(&c, SCANC_EXEC_INTERP, levels[l]),
                    *compiled = compile_case(&c, SCANC_EXEC_JIT, levels[l]);
      fill_data(&d, &c);
      for (int i = 0; i < 7; i++) {
        run_case(interpreted, &c, &d, false, &lengths[i]);
        run_case(compiled, &c, &d, true, &lengths[i]);
        check_same_bits(&c, &d, lengths[i], levels[l]);
      }
      scanc_program_free(interpreted);
      scanc_program_free(compiled);
    }
}
END_TEST

/* NaN, infinities, signed zeros and subnormals: executors agree, whatever a fold gives. */
START_TEST(test_special_numbers) {
  static const float special[] = {NAN,    INFINITY, -INFINITY, 0.0F,   -0.0F,
                                  1e-45F, -1e-40F,  FLT_MAX,   FLT_MIN};
  static data d;
  for (int k = 0; k < N_COMBINATIONS; k++)
    for (int l = 0; l < N_LEVELS; l++) {
      const scan_case c = row_case(&combinations[k]);
      if (!level_is_here(levels[l])) continue;
      scanc_program *interpreted = compile_case(&c, SCANC_EXEC_INTERP, levels[l]),
                    *compiled = compile_case(&c, SCANC_EXEC_JIT, levels[l]);
      for (int64_t n = 1; n < 2000; n = n < 100 ? n + 7 : n + 600) {
        fill_data(&d, &c);
        for (int i = 0; i < 8; i++)
          d.x[next_random() % MAX_LEAVES][next_random() % n].f = special[next_random() % 9];
        run_case(interpreted, &c, &d, false, &n);
        run_case(compiled, &c, &d, true, &n);
        check_same_bits(&c, &d, n, levels[l]);
      }
      scanc_program_free(interpreted);
      scanc_program_free(compiled);
    }
}
END_TEST

/* Elements that lie apart in memory, or all in one place. */
START_TEST(test_strides) {
  static data d;
  static const int64_t strides[] = {2, 3, -1, -2, 0, 0};
  const scan_case c = row_case(&combinations[2]);
  scanc_program *interpreted = compile_case(&c, SCANC_EXEC_INTERP, NULL),
                *compiled = compile_case(&c, SCANC_EXEC_JIT, NULL);
  fill_data(&d, &c);
  for (int k = 0; k < 25; k++)
    for (int64_t n = 1; n < 80; n += 13) {
      scanc_tensor in[2], out[2], again[2];
      for (int i = 0; i < 2; i++) {
        in[i] = tensor_over(d.x[i] + MOST / 2, &c, &n);
        in[i].strides[0] = strides[i ? k / 5 : k % 5];
        out[i] = tensor_over(d.y[i], &c, &n);
        again[i] = tensor_over(d.z[i] + 2 * n, &c, &n);
        again[i].strides[0] = k % 2 ? -2 : 1;
      }
      run(interpreted, in, 2, out, 2);
      run(compiled, in, 2, again, 2);
      for (int i = 0; i < 2; i++) check_equal(&out[i], &again[i]);
    }
  scanc_program_free(interpreted);
  scanc_program_free(compiled);
}
END_TEST

/* ---- one after the other ---- */

/* Every result is that of the fold in C, to the bit. logaddexp of C is another one: executors
 * agree. */
static void check_left(scan_case c, scanc_exec how, const int64_t (*sizes)[3], int count) {
  static data d;
  bool folds = strcmp(c.what->name, "logaddexp") != 0;
  scanc_program *p = compile_case(&c, how, NULL),
                *interpreted = folds ? NULL : compile_case(&c, SCANC_EXEC_INTERP, NULL);
  fill_data(&d, &c);
  for (int k = 0; k < count; k++) {
    run_case(p, &c, &d, false, sizes[k]);
    if (!folds) run_case(interpreted, &c, &d, true, sizes[k]);
    if (folds) check_rows(&c, &d, sizes[k], c.dtype == SCANC_F32 ? check_exactly : check_integers);
    else check_same_bits(&c, &d, count_of(&c, sizes[k]), "native");
    if (!folds) check_folds(&c, &d, sizes[k]);
  }
  scanc_program_free(p);
  scanc_program_free(interpreted);
}

/* Rows, alone and as lanes, and lanes within time. */
START_TEST(test_left) {
  static const int64_t rows[][3] = {{1}, {2}, {17}, {130}, {1000}},
                       grids[][3] = {{70, 19, 1}, {3, 33, 18}, {1, 130, 5}};
  for (int k = 0; k < N_COMBINATIONS; k++)
    for (int axis = -1; axis < 3; axis++)
      for (int i32 = 0; i32 <= (combinations[k].i32 != NULL); i32++) {
        scan_case c = row_case(&combinations[k]);
        c.assoc = SCANC_ASSOC_LEFT, c.reversed = (k + axis + i32 + 1) % 2;
        if (i32) c.dtype = SCANC_I32;
        if (axis >= 0) c.rank = 3, c.axis = axis;
        check_left(c, SCANC_EXEC_JIT, axis < 0 ? rows : grids, axis < 0 ? 5 : 3);
        if (axis < 0) check_left(c, SCANC_EXEC_INTERP, rows, 5);
      }
}
END_TEST

/* What is a left fold only where it is asked for: sums in lanes along a row are others. */
START_TEST(test_tree) {
  static data d;
  const int64_t sizes[1] = {1000};
  for (int how = SCANC_EXEC_AUTO; how <= SCANC_EXEC_JIT; how++) {
    const scan_case c = row_case(&combinations[0]);
    scanc_program *p = compile_case(&c, (scanc_exec)how, NULL);
    fill_data(&d, &c);
    run_case(p, &c, &d, false, sizes);
    float left = d.x[0][0].f;
    bool same = true;
    for (int k = 1; k < sizes[0]; k++) {
      left += d.x[0][k].f;
      same = same && d.y[0][k].f == left;
    }
    ck_assert(!same);
    scanc_program_free(p);
  }
}
END_TEST

static scanc_code compile_products(scanc_mode mode, scanc_error *err) {
  static const char text[] = "class GraphModule(torch.nn.Module):\n"
                             "    def forward(self, x: \"f32[s0, 2, 2]\"):\n"
                             "        g = self.products\n"
                             "        s = torch.ops.higher_order.associative_scan(g, [x], ())\n"
                             "        y = s[0]\n"
                             "        return (y,)\n"
                             "    class products(torch.nn.Module):\n"
                             "        def forward(self, l: \"f32[2, 2]\", r: \"f32[2, 2]\"):\n"
                             "            twice = torch.ops.aten.mul.Tensor(l, 2)\n"
                             "            product = torch.ops.aten.mm.default(twice, r)\n"
                             "            return [product]\n";
  scanc_module *mod = scanc_module_parse(NULL, text, sizeof text - 1, "products", err);
  ck_assert_msg(mod != NULL, "%s", err->message);
  scanc_options opts = SCANC_OPTIONS_INIT;
  opts.mode = mode;
  scanc_program_free(scanc_compile(mod, &opts, err));
  scanc_module_free(mod);
  return err->code;
}

START_TEST(test_pointwise) {
  scanc_error generic = {0}, pointwise = {0}, other = {0};
  for (int k = 0; k < N_COMBINATIONS; k++) {
    scan_case c = row_case(&combinations[k]);
    c.mode = SCANC_POINTWISE;
    scanc_program_free(compile_case(&c, SCANC_EXEC_JIT, NULL));
  }
  ck_assert_int_eq(compile_products(SCANC_GENERIC, &generic), SCANC_OK);
  ck_assert_int_eq(compile_products(SCANC_POINTWISE, &pointwise), SCANC_ERR_NOT_POINTWISE);
  ck_assert_int_eq(pointwise.line, 10);
  ck_assert(strstr(pointwise.message, "'product' (mm)") != NULL);
  ck_assert_int_eq(compile_products((scanc_mode)2, &other), SCANC_ERR_USAGE);
  ck_assert(strstr(other.message, "no such value of mode: 2") != NULL);
}
END_TEST

/* Nothing is carried: there is no element. */
START_TEST(test_no_elements) {
  static const char text[] = "class GraphModule(torch.nn.Module):\n"
                             "    def forward(self, x: \"f16[s0, 1, 0]\"):\n"
                             "        g = self.combine\n"
                             "        s = torch.ops.higher_order.associative_scan(g, [x], ())\n"
                             "        y = s[0]\n"
                             "        return (y,)\n"
                             "    class combine(torch.nn.Module):\n"
                             "        def forward(self, l: \"f16[1, 0]\", r: \"f16[1, 0]\"):\n"
                             "            one = torch.ops.aten.prod.dim_int(l, 1, True)\n"
                             "            add = torch.ops.aten.add.Tensor(l, one)\n"
                             "            return [add]\n";
  uint16_t none;
  for (int how = SCANC_EXEC_AUTO; how <= SCANC_EXEC_JIT; how++)
    for (int64_t steps = 0; steps < 300; steps += 99) {
      scanc_tensor in = {.data = &none, .dtype = SCANC_F16, .rank = 3, .sizes = {steps, 1, 0}},
                   out = {0};
      scanc_program *p = compile_with(text, (scanc_exec)how, 0);
      run(p, &in, 1, &out, 1);
      ck_assert_int_eq(out.sizes[0], steps);
      ck_assert_int_eq(scanc_tensor_numel(&out), 0);
      release(&out, 1);
      scanc_program_free(p);
    }
}
END_TEST

UNIT_MAIN("prefix", test_left, test_tree, test_pointwise, test_no_elements, test_lengths, test_axes,
          test_last_result, test_special_numbers, test_strides)
