/* Built programs compute what plain loops compute. */
#include "built.h"

/* ---- what it computes ---- */

/* xs of f32[N, T], scanned along dimension 1, backwards, with an integer length unknown. */
START_TEST(scan_along_a_dimension_in_reverse) {
  scanc_exec execs[] = {SCANC_EXEC_INTERP, SCANC_EXEC_AUTO};
  for (int e = 0; e < 2; e++) {
    scanc_module *mod = scanc_module_new(NULL);
    scanc_value steps = scanc_symbol(mod, "T", 0, INT64_MAX);
    scanc_value xs = scanc_input(mod, "xs", SCANC_F32, SCANC_LIST(scanc_i(N), steps));
    scanc_value init = scanc_zeros(mod, SCANC_INTS(N));
    scanc_value r = scanc_scan(leaky_step(mod, scanc_f(0.5)), init, xs, -1, true);
    scanc_output(mod, "last", scanc_get(r, 0));
    scanc_output(mod, "ys", scanc_get(r, 1));
    scanc_program *prog = finish(mod, execs[e]);
    float x[N * T];
    fill(x, N * T);
    scanc_tensor in = f32(x, 2, N, T, 0), out[2];
    run(prog, &in, 1, out, 2);
    ck_assert_int_eq(out[1].sizes[0], N);
    ck_assert_int_eq(out[1].sizes[1], T);
    for (int i = 0; i < N; i++) {
      float c = 0;
      for (int t = T - 1; t >= 0; t--) {
        c = 0.5f * c + x[i * T + t];
        ck_assert(at(&out[1], i, t) == c);
      }
      ck_assert(at(&out[0], i, 0) == c);
    }
    release(out, 2);
    scanc_program_free(prog);
  }
}
END_TEST

/* Maps y -> a*y + b do not commute. */
START_TEST(associative_scan_both_ways) {
  for (int reverse = 0; reverse < 2; reverse++) {
    scanc_module *mod = scanc_module_new(NULL);
    scanc_value a = scanc_input(mod, "a", SCANC_F32, SCANC_INTS(N, T));
    scanc_value b = scanc_input(mod, "b", SCANC_F32, SCANC_INTS(N, T));
    scanc_graph *g = scanc_graph_begin(mod, "then");
    scanc_value a1 = scanc_graph_param_step(g, "a1", a, 1);
    scanc_value b1 = scanc_graph_param_step(g, "b1", b, -1);
    scanc_value a2 = scanc_graph_param_like(g, "a2", a1), b2 = scanc_graph_param_like(g, "b2", b1);
    scanc_graph_return(g, SCANC_LIST(scanc_mul(a2, a1), scanc_add(scanc_mul(a2, b1), b2)));
    scanc_value r = scanc_associative_scan(g, SCANC_LIST(a, b), 1, reverse);
    scanc_output(mod, "ya", scanc_get(r, 0));
    scanc_output(mod, "yb", scanc_get(r, 1));
    scanc_program *prog = finish(mod, SCANC_EXEC_AUTO);
    float av[N * T], bv[N * T];
    fill(av, N * T);
    fill(bv, N * T);
    for (int i = 0; i < N * T; i++) av[i] *= 0.25f;
    scanc_tensor in[2] = {f32(av, 2, N, T, 0), f32(bv, 2, N, T, 0)}, out[2];
    run(prog, in, 2, out, 2);
    for (int i = 0; i < N; i++) {
      float y = 0;
      for (int k = 0; k < T; k++) {
        int t = reverse ? T - 1 - k : k;
        y = k ? av[i * T + t] * y + bv[i * T + t] : bv[i * T + t];
        ck_assert_float_eq_tol(at(&out[1], i, t), y, 1e-4f);
      }
    }
    release(out, 2);
    scanc_program_free(prog);
  }
}
END_TEST

/* Rows of a matrix: a running sum along each row, summed up over the rows; the inner body uses a
 * value of the main graph, which passes through both. */
START_TEST(nested_scans_reach_outer_values) {
  scanc_module *mod = scanc_module_new(NULL);
  scanc_value x = scanc_input(mod, "x", SCANC_F32, SCANC_INTS(N, T));
  scanc_value k = scanc_input(mod, "k", SCANC_F32, (scanc_value){0});
  scanc_graph *row = scanc_graph_begin(mod, "row");
  scanc_value total = scanc_graph_param(row, "total", SCANC_F32, (scanc_value){0});
  scanc_value line = scanc_graph_param_step(row, "line", x, 0);
  scanc_graph *item = scanc_graph_begin(mod, "item");
  scanc_value c = scanc_graph_param_like(item, "c", total);
  scanc_value v = scanc_graph_param_step(item, "v", line, 0);
  scanc_value next = scanc_add(c, scanc_mul(k, v));
  scanc_graph_return(item, SCANC_LIST(next, scanc_clone(next)));
  scanc_value inner = scanc_scan(item, scanc_zeros_like(total), line, 0, false);
  scanc_value sum = scanc_add(total, scanc_get(inner, 0));
  scanc_graph_return(row, SCANC_LIST(sum, scanc_get(inner, 1)));
  scanc_value zero = scanc_scalar_tensor(mod, scanc_f(0), scanc_dt(SCANC_F32));
  scanc_value r = scanc_scan(row, zero, x, 0, false);
  scanc_output(mod, "total", scanc_get(r, 0));
  scanc_output(mod, "sums", scanc_get(r, 1));
  scanc_program *prog = finish(mod, SCANC_EXEC_AUTO);
  float data[N * T], factor = 2, all = 0;
  fill(data, N * T);
  scanc_tensor in[2] = {f32(data, 2, N, T, 0), f32(&factor, 0, 0, 0, 0)}, out[2];
  run(prog, in, 2, out, 2);
  for (int i = 0; i < N; i++) {
    float s = 0;
    for (int t = 0; t < T; t++) {
      s += factor * data[i * T + t];
      ck_assert(at(&out[1], i, t) == s);
    }
    all += s;
  }
  ck_assert(*(float *)out[0].data == all);
  release(out, 2);
  scanc_program_free(prog);
}
END_TEST

/* The branches, the loop's test and its body use different outer values. */
START_TEST(branches_loops_and_maps) {
  scanc_module *mod = scanc_module_new(NULL);
  scanc_value x = scanc_input(mod, "x", SCANC_F32, SCANC_INTS(N));
  scanc_value y = scanc_input(mod, "y", SCANC_F32, SCANC_INTS(N));
  scanc_value limit = scanc_input(mod, "limit", SCANC_F32, (scanc_value){0});
  scanc_graph *yes = scanc_graph_begin(mod, "yes");
  scanc_graph_return(yes, scanc_mul(x, scanc_f(2)));
  scanc_graph *no = scanc_graph_begin(mod, "no");
  scanc_graph_return(no, scanc_sub(y, scanc_f(1)));
  scanc_value chosen =
      scanc_get(scanc_cond(scanc_gt(scanc_sum(x), limit), yes, no, (scanc_value){0}), 0);

  scanc_graph *test = scanc_graph_begin(mod, "test");
  scanc_value t = scanc_graph_param_like(test, "t", chosen);
  scanc_graph_return(test, scanc_lt(scanc_sum(t), limit));
  scanc_graph *body = scanc_graph_begin(mod, "body");
  scanc_value u = scanc_graph_param_like(body, "u", chosen);
  scanc_graph_return(body, scanc_add(u, y));
  scanc_value grown = scanc_get(scanc_while_loop(test, body, chosen), 0);

  scanc_graph *each = scanc_graph_begin(mod, "each");
  scanc_value e = scanc_graph_param_step(each, "e", grown, 0);
  scanc_graph_return(each, scanc_mul(e, limit));
  scanc_output(mod, "grown", grown);
  scanc_output(mod, "scaled", scanc_get(scanc_map(each, grown), 0));
  scanc_program *prog = finish(mod, SCANC_EXEC_AUTO);
  for (int high = 0; high < 2; high++) {
    float xv[N] = {1, 2, 3}, yv[N] = {3, 2, 2}, lv = high ? 50 : 5;
    scanc_tensor in[3] = {f32(xv, 1, N, 0, 0), f32(yv, 1, N, 0, 0), f32(&lv, 0, 0, 0, 0)}, out[2];
    run(prog, in, 3, out, 2);
    float want[N], sum = 0;
    for (int i = 0; i < N; i++) sum += want[i] = high ? yv[i] - 1 : 2 * xv[i];
    for (; sum < lv; sum += 7)
      for (int i = 0; i < N; i++) want[i] += yv[i];
    for (int i = 0; i < N; i++) {
      ck_assert(at(&out[0], i, 0) == want[i]);
      ck_assert(at(&out[1], i, 0) == want[i] * lv);
    }
    release(out, 2);
  }
  scanc_program_free(prog);
}
END_TEST

/* One body for two scans; an input and a value returned twice; sizes as numbers. */
START_TEST(shared_bodies_and_outputs) {
  scanc_module *mod = scanc_module_new(NULL);
  scanc_value steps = scanc_symbol(mod, "T", 0, INT64_MAX);
  scanc_value w = scanc_input(mod, "w", SCANC_F32, SCANC_INTS(N));
  scanc_value xs = scanc_input(mod, "xs", SCANC_F32, SCANC_LIST(steps, scanc_i(N)));
  scanc_graph *g = leaky_step(mod, w);
  scanc_value first = scanc_scan(g, w, xs, 0, false);
  scanc_value second = scanc_scan(g, scanc_get(first, 0), scanc_get(first, 1), 0, true);
  scanc_value last = scanc_get(second, 0);
  scanc_output(mod, "last", last);
  scanc_output(mod, "again", last);
  scanc_output(mod, "mul", w); /* the name of a value inside, which moves away */
  scanc_output(mod, "count", scanc_mul(scanc_size(xs, 0), scanc_size(xs, -1)));
  scanc_program *prog = finish(mod, SCANC_EXEC_AUTO);
  ck_assert_int_eq(scanc_program_find_output(prog, "again"), 1);
  ck_assert_int_eq(scanc_program_find_output(prog, "nobody"), -1);
  float wv[N] = {0.5f, 1, 2}, x[T * N], c[N], ys[T * N];
  fill(x, T * N);
  scanc_tensor in[2] = {f32(wv, 1, N, 0, 0), f32(x, 2, T, N, 0)}, out[4];
  run(prog, in, 2, out, 4);
  memcpy(c, wv, sizeof c);
  for (int i = 0; i < T * N; i++) ys[i] = c[i % N] = wv[i % N] * c[i % N] + x[i];
  for (int t = T - 1; t >= 0; t--)
    for (int i = 0; i < N; i++) c[i] = wv[i] * c[i] + ys[t * N + i];
  for (int i = 0; i < N; i++) {
    ck_assert(at(&out[0], i, 0) == c[i]);
    ck_assert(at(&out[1], i, 0) == c[i]);
    ck_assert(at(&out[2], i, 0) == wv[i]);
  }
  ck_assert_int_eq(*(int64_t *)out[3].data, T * N);
  release(out, 4);
  scanc_program_free(prog);
}
END_TEST

/* ---- symbolic sizes ---- */

START_TEST(symbols) {
  scanc_module *mod = scanc_module_new(NULL);
  scanc_value a = scanc_symbol(mod, "A", 2, 8), b = scanc_symbol(mod, "B", 0, INT64_MAX);
  scanc_value x = scanc_input(mod, "x", SCANC_F32, SCANC_LIST(a, b));
  scanc_value y = scanc_input(mod, "y", SCANC_F32, SCANC_LIST(scanc_mul(a, scanc_i(2)), b));
  char buf[32];
  ck_assert_str_eq(scanc_value_describe(y, buf, sizeof buf), "f32[2*A, B]");
  scanc_value joined = scanc_cat(SCANC_LIST(x, x));
  scanc_output(mod, "z", scanc_add(joined, y)); /* 2*A equals 2*A */
  scanc_program *prog = finish(mod, SCANC_EXEC_AUTO);
  float xv[6 * 10] = {0}, yv[12 * 10] = {0};
  scanc_tensor in[2] = {f32(xv, 2, 3, 5, 0), f32(yv, 2, 6, 5, 0)}, out = {0};
  run(prog, in, 2, &out, 1);
  ck_assert_int_eq(out.sizes[0], 6);
  release(&out, 1);
  scanc_error err = {0};
  in[0] = f32(xv, 2, 1, 5, 0), in[1] = f32(yv, 2, 2, 5, 0);
  ck_assert_int_eq(scanc_run(prog, in, 2, &out, 1, &err), SCANC_ERR_RANGE);
  scanc_program_free(prog);

  mod = scanc_module_new(NULL);
  x = scanc_input(mod, "x", SCANC_F32, SCANC_LIST(scanc_symbol(mod, "A", 2, 8)));
  y = scanc_input(mod, "y", SCANC_F32, SCANC_LIST(scanc_symbol(mod, "B", 2, 8)));
  scanc_add(x, y);
  expect_error(mod, SCANC_ERR_SHAPE_MISMATCH, "(add of f32[A] and f32[B])");
  mod = scanc_module_new(NULL);
  scanc_symbol(mod, "A", 0, 8);
  scanc_symbol(mod, "A", 0, 9);
  expect_error(mod, SCANC_ERR_RANGE, "two ranges");
  mod = scanc_module_new(NULL);
  scanc_symbol(mod, "A", 3, 2);
  expect_error(mod, SCANC_ERR_RANGE, "min <= max");
  mod = scanc_module_new(NULL);
  scanc_symbol(mod, "u0", 0, 2);
  expect_error(mod, SCANC_ERR_BAD_ARGUMENT, "depend on data");
  static const char *const taken[] = {"True", "False", "oo", "int_oo", "z1", "\xc2\xb5"};
  for (int i = 0; i < 6; i++) {
    mod = scanc_module_new(NULL);
    scanc_symbol(mod, taken[i], 0, 2);
    expect_error(mod, SCANC_ERR_BAD_ARGUMENT, "as a size");
  }
  mod = scanc_module_new(NULL);
  scanc_zeros(mod, SCANC_LIST(scanc_symbol(mod, "A", 0, 8)));
  expect_error(mod, SCANC_ERR_BAD_ARGUMENT, "no input has a dimension of size A");
}
END_TEST

UNIT_MAIN("build_run", scan_along_a_dimension_in_reverse, associative_scan_both_ways,
          nested_scans_reach_outer_values, branches_loops_and_maps, shared_bodies_and_outputs,
          symbols)
