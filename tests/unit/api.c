/* The public interface on a small program: one compiled program serves many sizes, callers and
 * threads. */
#include <pthread.h>
#include <string.h>

#include "scanc/scanc.h"
#include "unit.h"

/* c, x -> c + x, c + x over f32[s0, 3]. */
static const char running_sum[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, init: \"f32[3]\", xs: \"f32[s0, 3]\"):\n"
    "        scan_combine_graph_0 = self.scan_combine_graph_0\n"
    "        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [init], [xs], ())\n"
    "        getitem: \"f32[3]\" = scan[0]\n"
    "        getitem_1: \"f32[s0, 3]\" = scan[1]\n"
    "        return (getitem, getitem_1)\n"
    "\n"
    "    class scan_combine_graph_0(torch.nn.Module):\n"
    "        def forward(self, c: \"f32[3]\", x: \"f32[3]\"):\n"
    "            add: \"f32[3]\" = torch.ops.aten.add.Tensor(c, x)\n"
    "            clone: \"f32[3]\" = torch.ops.aten.clone.default(add)\n"
    "            return [add, clone]\n";

static scanc_program *compile(scanc_exec exec) {
  scanc_error err = {0};
  scanc_module *mod = scanc_module_parse(NULL, running_sum, strlen(running_sum), "sum", &err);
  ck_assert_msg(mod != NULL, "%d: %s", err.line, err.message);
  scanc_options opts = SCANC_OPTIONS_INIT;
  opts.exec = exec;
  scanc_program *prog = scanc_compile(mod, &opts, &err);
  ck_assert_msg(prog != NULL, "%s", err.message);
  scanc_module_free(mod); /* the program keeps nothing of it */
  return prog;
}

static scanc_tensor f32(float *data, int rank, int64_t a, int64_t b) {
  scanc_tensor t = {.data = data,
                    .dtype = SCANC_F32,
                    .rank = rank,
                    .sizes = {a, b},
                    .strides = {rank == 2 ? b : 1, 1}};
  return t;
}

/* Sums of ones over `steps` steps; steps <= 64. */
static void run_and_check(scanc_program *prog, int steps) {
  float init[3] = {1, 2, 3}, xs[64 * 3];
  for (int i = 0; i < 64 * 3; i++) xs[i] = 1;
  scanc_tensor in[2] = {f32(init, 1, 3, 1), f32(xs, 2, steps, 3)}, out[2] = {0};
  scanc_error err = {0};
  ck_assert_msg(scanc_run(prog, in, 2, out, 2, &err) == SCANC_OK, "%s", err.message);
  ck_assert_int_eq(out[1].rank, 2);
  ck_assert_int_eq(out[1].sizes[0], steps);
  for (int d = 0; d < 3; d++) {
    ck_assert(((float *)out[0].data)[d * out[0].strides[0]] == (float)(d + 1 + steps));
    for (int t = 0; t < steps; t++)
      ck_assert(((float *)out[1].data)[t * out[1].strides[0] + d * out[1].strides[1]] ==
                (float)(d + 2 + t));
  }
  scanc_tensor_release(&out[0]);
  scanc_tensor_release(&out[1]);
  ck_assert_ptr_null(out[0].data);
  ck_assert(init[0] == 1 && xs[0] == 1); /* inputs are not changed */
}

START_TEST(one_program_many_sizes) {
  scanc_exec execs[] = {SCANC_EXEC_INTERP, SCANC_EXEC_AUTO};
  for (int k = 0; k < 2; k++) {
    scanc_program *prog = compile(execs[k]);
    int sizes[] = {1, 64, 0, 7, 64, 1};
    for (int i = 0; i < 6; i++) run_and_check(prog, sizes[i]);
    scanc_program_free(prog);
  }
}
END_TEST

/* y = a * b with nothing to compute on: empty arrays need no memory. */
START_TEST(empty_inputs_may_have_no_data) {
  static const char text[] = "class M(torch.nn.Module):\n"
                             "    def forward(self, a: \"f32[s0]\", b: \"f32[s0]\"):\n"
                             "        mul: \"f32[s0]\" = torch.ops.aten.mul.Tensor(a, b)\n"
                             "        return (mul,)\n";
  scanc_error err = {0};
  scanc_module *mod = scanc_module_parse(NULL, text, strlen(text), "mul", &err);
  scanc_program *prog = mod ? scanc_compile(mod, NULL, &err) : NULL;
  ck_assert_msg(prog != NULL, "%s", err.message);
  scanc_tensor in[2] = {f32(NULL, 1, 0, 1), f32(NULL, 1, 0, 1)}, out[1] = {0};
  ck_assert_msg(scanc_run(prog, in, 2, out, 1, &err) == SCANC_OK, "%s", err.message);
  ck_assert_int_eq(out[0].sizes[0], 0);
  scanc_tensor_release(&out[0]);
  scanc_program_free(prog);
  scanc_module_free(mod);
}
END_TEST

START_TEST(ports_are_described) {
  scanc_program *prog = compile(SCANC_EXEC_INTERP);
  ck_assert_int_eq(scanc_program_n_inputs(prog), 2);
  ck_assert_int_eq(scanc_program_n_outputs(prog), 2);
  ck_assert_int_eq(scanc_program_find_input(prog, "xs"), 1);
  ck_assert_int_eq(scanc_program_find_input(prog, "ys"), -1);
  scanc_port xs = scanc_program_input(prog, 1);
  ck_assert_str_eq(xs.name, "xs");
  ck_assert_int_eq(xs.kind, SCANC_PORT_USER);
  ck_assert(xs.typed);
  ck_assert_int_eq(xs.dtype, SCANC_F32);
  ck_assert_int_eq(xs.rank, 2);
  ck_assert_int_eq(xs.dims[0], -1);
  ck_assert_str_eq(xs.dim_text[0], "s0");
  ck_assert_int_eq(xs.dims[1], 3);
  scanc_program_free(prog);
}
END_TEST

START_TEST(ports_have_bounds) {
  static const char text[] =
      "ExportedProgram:\n"
      "    class GraphModule(torch.nn.Module):\n"
      "        def forward(self, n: \"Sym(s3)\", x: \"f32[s0, 2*s0 + 1, s5, 4]\"):\n"
      "            add: \"Sym(s3 + 1)\" = n + 1\n"
      "            neg: \"f32[s0, 2*s0 + 1, s5, 4]\" = torch.ops.aten.neg.default(x)\n"
      "            return (add, neg)\n"
      "\n"
      "Graph signature:\n"
      "    # inputs\n"
      "    n: USER_INPUT\n"
      "    x: USER_INPUT\n"
      "\n"
      "    # outputs\n"
      "    add: USER_OUTPUT\n"
      "    neg: USER_OUTPUT\n"
      "\n"
      "Range constraints: {s0: VR[2, 100], s3: VR[5, 9], s5: VR[1, int_oo]}\n";
  static const int64_t least[] = {2, 5, 1, 4}, most[] = {100, 201, INT64_MAX, 4};
  scanc_error err = {0};
  scanc_module *mod = scanc_module_parse(NULL, text, strlen(text), "bounds", &err);
  scanc_program *prog = mod ? scanc_compile(mod, NULL, &err) : NULL;
  ck_assert_msg(prog != NULL, "%d: %s", err.line, err.message);
  scanc_port n = scanc_program_input(prog, 0), x = scanc_program_input(prog, 1),
             y = scanc_program_output(prog, 1);
  ck_assert_int_eq(n.dim_min[0], 5);
  ck_assert_int_eq(n.dim_max[0], 9);
  for (int d = 0; d < 4; d++) {
    ck_assert_int_eq(x.dim_min[d], least[d]);
    ck_assert_int_eq(x.dim_max[d], most[d]);
    ck_assert_int_eq(y.dim_max[d], most[d]);
  }
  scanc_program_free(prog);
  scanc_module_free(mod);
}
END_TEST

static void expect_error(scanc_program *prog, const scanc_tensor *in, int n_in, scanc_code code) {
  scanc_tensor out[2] = {0};
  scanc_error err = {0};
  ck_assert_int_eq(scanc_run(prog, in, n_in, out, 2, &err), code);
  ck_assert_int_eq(err.code, code);
  ck_assert_uint_gt(strlen(err.message), 0);
  ck_assert_ptr_null(out[0].data);
  ck_assert_ptr_null(out[1].data);
  ck_assert_int_eq(scanc_run(prog, in, n_in, out, 2, NULL), code); /* a record is not needed */
}

START_TEST(wrong_inputs_are_reported) {
  scanc_program *prog = compile(SCANC_EXEC_AUTO);
  float data[12] = {0};
  scanc_tensor good = f32(data, 1, 3, 1), good_xs = f32(data, 2, 4, 3);
  scanc_tensor in[2] = {good, good_xs};
  in[1].dtype = SCANC_I32;
  expect_error(prog, in, 2, SCANC_ERR_INPUT_DTYPE);
  in[1] = f32(data, 2, 3, 4);
  expect_error(prog, in, 2, SCANC_ERR_INPUT_SHAPE);
  in[1] = f32(data, 1, 3, 1);
  expect_error(prog, in, 2, SCANC_ERR_INPUT_SHAPE);
  scanc_program_free(prog);
}
END_TEST

START_TEST(strided_inputs) {
  scanc_program *prog = compile(SCANC_EXEC_AUTO);
  float init = 1, xs[3 * 5];
  for (int i = 0; i < 15; i++) xs[i] = (float)i;
  /* a broadcast init; xs transposed and reversed in time: x[t][d] = xs[d * 5 + 4 - t] */
  scanc_tensor in[2] = {f32(&init, 1, 3, 1), f32(xs + 4, 2, 5, 3)}, out[2] = {0};
  in[0].strides[0] = 0;
  in[1].strides[0] = -1;
  in[1].strides[1] = 5;
  scanc_error err = {0};
  ck_assert_msg(scanc_run(prog, in, 2, out, 2, &err) == SCANC_OK, "%s", err.message);
  for (int d = 0; d < 3; d++) {
    float sum = 1;
    for (int t = 0; t < 5; t++) {
      sum += xs[d * 5 + 4 - t];
      ck_assert(((float *)out[1].data)[t * out[1].strides[0] + d * out[1].strides[1]] == sum);
    }
  }
  scanc_tensor_release(&out[0]);
  scanc_tensor_release(&out[1]);
  scanc_program_free(prog);
}
END_TEST

static void *run_often(void *prog) {
  for (int i = 0; i < 50; i++) run_and_check(prog, i % 30);
  return NULL;
}

START_TEST(programs_are_shared_by_threads) {
  scanc_program *prog = compile(SCANC_EXEC_AUTO);
  pthread_t threads[4];
  for (int i = 0; i < 4; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, run_often, prog), 0);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  scanc_program_free(prog);
}
END_TEST

START_TEST(bad_text_and_files) {
  scanc_error err = {0};
  ck_assert_ptr_null(scanc_module_parse(NULL, "nonsense", 8, "n", &err));
  ck_assert_int_ne(err.code, SCANC_OK);
  scanc_error io = {0};
  ck_assert_ptr_null(scanc_module_load(NULL, "/nonexistent/model.fx", &io));
  ck_assert_int_eq(io.code, SCANC_ERR_IO);
  ck_assert_ptr_null(scanc_module_load(NULL, "/nonexistent/model.fx", NULL));
  scanc_module_free(NULL);
  scanc_program_free(NULL);
  scanc_tensor_release(NULL);
}
END_TEST

/* ---- what is missing ---- */

static void expect_usage(scanc_error *err, const char *message) {
  ck_assert_int_eq(err->code, SCANC_ERR_USAGE);
  ck_assert_str_eq(err->message, message);
  *err = (scanc_error){0};
}

START_TEST(modules_without_arguments) {
  scanc_error err = {0};
  scanc_module *mod = scanc_module_parse(NULL, running_sum, strlen(running_sum), NULL, &err);
  ck_assert_ptr_nonnull(mod);
  ck_assert_ptr_null(scanc_module_load(NULL, NULL, &err));
  expect_usage(&err, "scanc_module_load: 'path' is NULL");
  ck_assert_ptr_null(scanc_module_load_named(NULL, NULL, "model", &err));
  expect_usage(&err, "scanc_module_load: 'path' is NULL");
  ck_assert_ptr_null(scanc_module_load(NULL, NULL, NULL));
  ck_assert_ptr_null(scanc_module_parse(NULL, NULL, 5, "t", &err));
  expect_usage(&err, "scanc_module_parse: 'text' is NULL");
  ck_assert_ptr_null(scanc_module_parse(NULL, NULL, 0, "t", NULL)); /* no text, no program */
  ck_assert_int_eq(scanc_module_check(NULL, &err), SCANC_ERR_USAGE);
  expect_usage(&err, "scanc_module_check: 'mod' is NULL");
  ck_assert_ptr_null(scanc_module_print(NULL, NULL, &err));
  expect_usage(&err, "scanc_module_print: 'mod' is NULL");
  ck_assert_ptr_null(scanc_module_print(NULL, NULL, NULL));
  ck_assert_int_eq(scanc_module_save(NULL, "unused.pt2", &err), SCANC_ERR_USAGE);
  expect_usage(&err, "scanc_module_save: 'mod' is NULL");
  ck_assert_int_eq(scanc_module_save(mod, NULL, &err), SCANC_ERR_USAGE);
  expect_usage(&err, "scanc_module_save: 'path' is NULL");
  ck_assert_int_eq(scanc_module_bind(NULL, "xs", NULL, SCANC_COPY, &err), SCANC_ERR_USAGE);
  expect_usage(&err, "scanc_module_bind: 'mod' is NULL");
  ck_assert_int_eq(scanc_module_bind(mod, NULL, NULL, SCANC_COPY, &err), SCANC_ERR_USAGE);
  expect_usage(&err, "scanc_module_bind: 'name' is NULL");
  ck_assert_int_eq(scanc_register_op(NULL, NULL, NULL, &err), SCANC_ERR_USAGE);
  expect_usage(&err, "scanc_register_op: 'signature' is NULL");
  ck_assert_int_eq(scanc_register_op("ns::f(f32 x) -> f32", NULL, NULL, NULL), SCANC_ERR_USAGE);
  ck_assert_ptr_null(scanc_compile(NULL, NULL, &err));
  expect_usage(&err, "scanc_compile: 'mod' is NULL");
  scanc_module_free(mod);
  scanc_context_free(NULL);
  scanc_text_free(NULL);
}
END_TEST

START_TEST(programs_without_arguments) {
  scanc_error err = {0};
  scanc_program *prog = compile(SCANC_EXEC_AUTO);
  scanc_tensor t[2] = {0};
  ck_assert_int_eq(scanc_program_n_inputs(NULL), 0);
  ck_assert_int_eq(scanc_program_n_outputs(NULL), 0);
  ck_assert_int_eq(scanc_program_input(NULL, 0).kind, SCANC_PORT_NONE);
  ck_assert_int_eq(scanc_program_output(NULL, 0).kind, SCANC_PORT_NONE);
  ck_assert_ptr_null(scanc_program_input(prog, 2).name);
  ck_assert_ptr_null(scanc_program_output(prog, -1).name);
  ck_assert_int_eq(scanc_program_find_input(NULL, "xs"), -1);
  ck_assert_int_eq(scanc_program_find_input(prog, NULL), -1);
  ck_assert_int_eq(scanc_program_find_output(NULL, "add"), -1);
  ck_assert_int_eq(scanc_program_find_output(prog, NULL), -1);
  ck_assert_int_eq(scanc_program_bind(NULL, "xs", t, SCANC_COPY, &err), SCANC_ERR_USAGE);
  expect_usage(&err, "scanc_program_bind: 'prog' is NULL");
  ck_assert_int_eq(scanc_program_bind(prog, NULL, t, SCANC_COPY, &err), SCANC_ERR_USAGE);
  expect_usage(&err, "scanc_program_bind: 'name' is NULL");
  ck_assert_int_eq(scanc_run(NULL, t, 2, t, 2, &err), SCANC_ERR_USAGE);
  expect_usage(&err, "scanc_run: 'prog' is NULL");
  ck_assert_int_eq(scanc_run(prog, NULL, 2, t, 2, &err), SCANC_ERR_USAGE);
  expect_usage(&err, "scanc_run: 'in' is NULL");
  ck_assert_int_eq(scanc_run(prog, t, 2, NULL, 2, &err), SCANC_ERR_USAGE);
  expect_usage(&err, "scanc_run: 'out' is NULL");
  ck_assert_int_eq(scanc_run(prog, t, 1, t, 2, NULL), SCANC_ERR_USAGE);
  ck_assert_int_eq(scanc_program_infer(NULL, t, 2, t, 2, &err), SCANC_ERR_USAGE);
  expect_usage(&err, "scanc_program_infer: 'prog' is NULL");
  ck_assert_int_eq(scanc_program_infer(prog, NULL, 2, t, 2, &err), SCANC_ERR_USAGE);
  expect_usage(&err, "scanc_program_infer: 'in' is NULL");
  ck_assert_int_eq(scanc_program_infer(prog, t, 2, NULL, 2, &err), SCANC_ERR_USAGE);
  expect_usage(&err, "scanc_program_infer: 'out' is NULL");
  float data[6] = {0};
  t[0] = f32(data, 1, 3, 1);
  t[1] = scanc_tensor_contiguous(data, SCANC_F32, 2, NULL); /* no sizes: refused */
  expect_error(prog, t, 2, SCANC_ERR_INPUT_SHAPE);
  ck_assert_int_eq(scanc_tensor_numel(NULL), -1);
  ck_assert(!scanc_tensor_is_contiguous(NULL));
  ck_assert_uint_eq(scanc_dtype_size((scanc_dtype)99), 0);
  ck_assert_str_eq(scanc_dtype_name((scanc_dtype)-1), "unknown");
  ck_assert_str_eq(scanc_code_text((scanc_code)9999), "unknown");
  scanc_program_free(prog);
}
END_TEST

START_TEST(unknown_levels_are_refused) {
  static const scanc_exec execs[] = {SCANC_EXEC_AUTO, SCANC_EXEC_INTERP, SCANC_EXEC_JIT};
  scanc_module *mod = scanc_module_parse(NULL, running_sum, strlen(running_sum), "sum", NULL);
  for (int i = 0; i < 3; i++) {
    scanc_options opts = SCANC_OPTIONS_INIT;
    scanc_error err = {0};
    opts.exec = execs[i];
    opts.cpu = "x86-64-v9";
    ck_assert(!scanc_compile(mod, &opts, &err));
    ck_assert_int_eq(err.code, SCANC_ERR_USAGE);
    ck_assert_msg(strstr(err.message, "'x86-64-v9'") != NULL, "%s", err.message);
    ck_assert(!scanc_compile(mod, &opts, NULL));
  }
  scanc_module_free(mod);
}
END_TEST

START_TEST(memory_is_bounded) {
  scanc_error err = {0};
  scanc_module *mod = scanc_module_parse(NULL, running_sum, strlen(running_sum), "sum", &err);
  scanc_options opts = SCANC_OPTIONS_INIT;
  opts.max_bytes = 1024;
  scanc_program *prog = scanc_compile(mod, &opts, &err);
  ck_assert_msg(prog != NULL, "%s", err.message);
  float init[3] = {0}, one = 0;
  scanc_tensor in[2] = {f32(init, 1, 3, 1), f32(&one, 2, 1000000, 3)}, out[2] = {0};
  in[1].strides[0] = in[1].strides[1] = 0;
  ck_assert_int_eq(scanc_run(prog, in, 2, out, 2, &err), SCANC_ERR_NO_MEMORY);
  scanc_program_free(prog);
  scanc_module_free(mod);
}
END_TEST

UNIT_MAIN("api", empty_inputs_may_have_no_data, one_program_many_sizes, ports_are_described,
          ports_have_bounds, wrong_inputs_are_reported, strided_inputs,
          programs_are_shared_by_threads, bad_text_and_files, modules_without_arguments,
          programs_without_arguments, unknown_levels_are_refused, memory_is_bounded)
