/* Associative scans in every order that there is, cut into stretches, and by several threads:
 * compiled code against the interpreter, bit by bit, and against left folds in C. */
#include "prefix_cases.h"

/* Stretches that are long; then short ones, from a length on. */
START_TEST(test_cut) {
  static const int64_t lengths[][3] = {{33000}, {16384}, {16385}, {8193}};
  static const int64_t short_ones[][3] = {{1}, {1023}, {1024}, {1025}, {2049}, {2500}, {7000}};
  for (int k = 0; k < N_COMBINATIONS; k++) {
    scan_case c = row_case(&combinations[k]);
    c.reversed = k % 2;
    c.order.cut = 1 << 13;
    check_sizes(&c, "native", lengths, 4);
    c.order = (prefix_wish){.cut = 1024, .from = 2500};
    check_sizes(&c, "native", short_ones, 7);
    c.dtype = SCANC_I32;
    if (c.what->i32) check_sizes(&c, "native", short_ones, 7);
  }
}
END_TEST

/* Every combine function in every order: compiled code as the interpreter has it. */
static void check_form(const combination *w, prefix_form form) {
  static const int64_t rows[][3] = {{1}, {2}, {15}, {17}, {64}, {1025}, {2600}},
                       grids[][3] = {{3, 5, 37}, {2, 40, 3}, {18, 1, 16}};
  scan_case c = row_case(w);
  c.reversed = form == PREFIX_IN_NETWORKS;
  c.order.form = form;
  check_on_levels(&c, rows, 7);
  c.order.cut = 512;
  check_sizes(&c, "native", rows, 7);
  if (THIN) return;
  c.rank = 3;
  for (c.axis = 0; c.axis < 3; c.axis++) check_sizes(&c, "native", grids, 3);
  c.axis = 0;
  c.dtype = SCANC_I32;
  if (w->i32) check_sizes(&c, "native", grids, 3);
}

START_TEST(test_forms) {
  if (THIN) puts("rows only, fewer lengths and threads: sanitizers make these runs slow");
  for (int k = 0; k < N_COMBINATIONS; k++)
    for (int form = PREFIX_IN_TURN; form <= PREFIX_IN_SEGMENTS; form++)
      check_form(&combinations[k], (prefix_form)form);
}
END_TEST

/* Rows in which most elements change nothing, one or several, without NaN and with some. */
START_TEST(test_unchanged) {
  static const int64_t sizes[][3] = {{1, 700}, {5, 300}, {2, 64}};
  static const float special[] = {NAN, INFINITY, -0.0F, 0.0F};
  static data d;
  const combination *const chosen[] = {&combinations[1], &combinations[6], &combinations[7],
                                       &otherwise};
  for (int k = 0; k < 4; k++) {
    scan_case c = row_case(chosen[k]);
    c.rank = 2, c.axis = 1, c.reversed = k % 2;
    check_on_levels(&c, sizes, 3);
    scanc_program *interpreted = compile_case(&c, SCANC_EXEC_INTERP, NULL),
                  *compiled = compile_case(&c, SCANC_EXEC_JIT, NULL);
    fill_data(&d, &c);
    for (int i = 0; i < 40; i++) d.x[i % 2][next_random() % 1500].f = special[i % 4];
    for (int i = 0; i < 3; i++) {
      run_case(interpreted, &c, &d, false, sizes[i]);
      run_case(compiled, &c, &d, true, sizes[i]);
      check_same_bits(&c, &d, count_of(&c, sizes[i]), "native");
    }
    scanc_program_free(interpreted);
    scanc_program_free(compiled);
    c.dtype = SCANC_I32;
    check_on_levels(&c, sizes, 3);
  }
}
END_TEST

/* Sizes that the types tell: there are enough rows for a vector of them, or not; rows of less than
 * a block, or of some. */
START_TEST(test_known_sizes) {
  static const int64_t sizes[][3] = {{70, 9}, {3, 40}, {65, 1100}, {2, 1100}, {1, 2100}};
  for (int k = 0; k < N_COMBINATIONS; k++)
    for (int i = 0; i < 5; i++) {
      scan_case c = row_case(&combinations[k]);
      if (sizes[i][0] * sizes[i][1] > MOST) continue;
      c.rank = 2, c.axis = 1, c.reversed = (k + i) % 2, c.fixed = sizes[i];
      check_sizes(&c, "native", &sizes[i], 1);
      c.axis = 0;
      if (k % 3 == 0) check_sizes(&c, "native", &sizes[i], 1);
    }
}
END_TEST

/* The same bits by any number of threads as interpreted. lengths[count] */
static void check_by_threads(scan_case c, const int *threads, int n_threads, const int64_t *lengths,
                             int count, int times) {
  static data d;
  scanc_program *interpreted = compile_case(&c, SCANC_EXEC_INTERP, NULL), *by[8];
  fill_data(&d, &c);
  for (int t = 0; t < n_threads; t++) {
    c.threads = threads[t];
    by[t] = compile_case(&c, SCANC_EXEC_JIT, NULL);
  }
  if (THIN) times = 1;
  for (int i = 0; i < count; i++) {
    run_case(interpreted, &c, &d, false, &lengths[i]);
    for (int t = 0; t < n_threads * times; t++) {
      memset(d.z, 0, sizeof d.z);
      run_case(by[t % n_threads], &c, &d, true, &lengths[i]);
      check_same_bits(&c, &d, lengths[i], "native");
    }
  }
  scanc_program_free(interpreted);
  for (int t = 0; t < n_threads; t++) scanc_program_free(by[t]);
}

/* What is around a scan is computed with it. */
START_TEST(test_groups) {
  static const int threads[] = {1, 3};
  static const int64_t lengths[] = {1, 2, 17, 512, 1025, 3000};
  for (int k = 0; k < N_COMBINATIONS; k++)
    for (int form = PREFIX_IN_TURN; form <= PREFIX_IN_SEGMENTS; form++) {
      scan_case c = row_case(&combinations[k]);
      c.grouped = true;
      c.reversed = (k + form) % 2;
      c.order = (prefix_wish){.form = (prefix_form)form, .cut = 512};
      check_by_threads(c, threads, 2, lengths, 6, 1);
      c.first = c.what->n - 1;
      c.dtype = SCANC_I32;
      if (c.what->i32 && form == PREFIX_IN_NETWORKS) check_by_threads(c, threads, 2, lengths, 6, 1);
    }
}
END_TEST

/* Threads share the stretches of one row, forwards and backwards: the bits are those of one thread,
 * in every run. */
START_TEST(test_stretches) {
  static const int threads[] = {1, 2, 3, 4, 7, 16, 33}, others[] = {2, 7, 33};
  static const int64_t length = 33000, short_one = 9000;
  for (int k = 0; k < N_COMBINATIONS; k++) {
    scan_case c = row_case(&combinations[k]);
    c.reversed = k % 2 == 0;
    c.order.cut = 1 << 15;
    if (c.what->n == 1) check_by_threads(c, threads, 7, &length, 1, 3);
    c.order.cut = 512;
    check_by_threads(c, threads, 7, &short_one, 1, 3);
    c.reversed = !c.reversed;
    check_by_threads(c, others, 3, &short_one, 1, 2);
    c.first = c.what->n - 1;
    if (c.first) check_by_threads(c, threads, 7, &short_one, 1, 3);
    c.dtype = SCANC_I32;
    if (c.what->i32) check_by_threads(c, threads, 7, &short_one, 1, 1);
  }
}
END_TEST

/* Stretches of one vector or one block. */
START_TEST(test_lengths_by_threads) {
  static const int threads[] = {2, 3, 7};
  static const int64_t long_ones[] = {255, 256, 257, 1023, 1024, 1025, 4095, 4096, 4097};
  int64_t lengths[140];
  int count = 0;
  for (int n = 0; n <= 130; n += THIN ? 5 : 1) lengths[count++] = n;
  for (int k = 0; k < 9; k++) lengths[count++] = long_ones[k];
  for (int k = 0; k < N_COMBINATIONS; k++) {
    scan_case c = row_case(&combinations[k]);
    c.reversed = k % 2;
    c.order.cut = 1;
    check_by_threads(c, threads, 3, lengths, count, 1);
  }
}
END_TEST

/* Any number of threads gives the bits of one. */
START_TEST(test_threads) {
  static const int64_t sizes[][3] = {{3, 5, 37}, {2, 40, 3}, {65, 2, 5}, {16, 7, 16}, {1, 2, 2000}};
  static const int threads[] = {2, 3, 7};
  for (int k = 0; k < N_COMBINATIONS; k++)
    for (int axis = 0; axis < 3; axis++)
      for (int t = THIN; t < (THIN ? 2 : 3); t++) {
        scan_case c = row_case(&combinations[k]);
        c.rank = 3, c.axis = axis, c.reversed = (k + axis) % 2, c.threads = threads[t];
        check_sizes(&c, "native", sizes, 5);
      }
}
END_TEST

UNIT_MAIN("prefix_forms", test_cut, test_forms, test_unchanged, test_known_sizes, test_groups,
          test_stretches, test_lengths_by_threads, test_threads)
