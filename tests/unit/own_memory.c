/* Results in memory of the caller's: strided, in the place of an input, wrong, or shared. */
#include <string.h>

#include "programs.h"

START_TEST(test_results_into_own_memory) {
  float x[24], y[4], c[24], d[8], b[4 * 10];
  fill(x, 24, -2);
  fill(y, 4, 1);
  scanc_program *p = compile(elementwise);
  scanc_tensor in[2] = {f32(x, 2, 6, 4), f32(y, 1, 4, 1)}, want[3] = {0};
  scanc_tensor out[3] = {f32(c, 2, 6, 4), f32(d + 7, 1, 4, 1), f32(b, 2, 6, 4)};
  out[1].strides[0] = -2; /* backwards */
  out[2].strides[0] = 1;  /* transposed, with gaps */
  out[2].strides[1] = 10;
  run(p, in, 2, want, 3);
  run(p, in, 2, out, 3);
  ck_assert_ptr_eq(out[0].data, c);
  ck_assert_ptr_eq(out[2].data, b);
  for (int i = 0; i < 3; i++) check_equal(&want[i], &out[i]);
  release(want, 3);
  scanc_program_free(p);
}
END_TEST

static void wrong_outputs(scanc_exec how) {
  float h[10], x[5], o[10];
  scanc_program *p = compile_with(step, how, 0);
  fill(h, 10, 0);
  fill(x, 5, 0);
  scanc_tensor in[2] = {f32(h, 1, 5, 1), f32(x, 1, 5, 1)}, out = f32(o, 1, 4, 1);
  run_fails(p, in, 2, &out, 1, SCANC_ERR_OUTPUT_SHAPE, "expected f32[5], got f32[4]");
  out = array(o, SCANC_I32, 1, 5, 1);
  run_fails(p, in, 2, &out, 1, SCANC_ERR_OUTPUT_SHAPE, "expected f32[5], got i32[5]");
  out = f32(h + 2, 1, 5, 1);
  run_fails(p, in, 2, &out, 1, SCANC_ERR_OVERLAP, "lies in the memory of input 'h'");
  scanc_program_free(p);
}

START_TEST(test_wrong_outputs) {
  wrong_outputs(SCANC_EXEC_AUTO);
  wrong_outputs(SCANC_EXEC_INTERP);
}
END_TEST

static void impossible_outputs(scanc_exec how) {
  float h[5] = {0}, x[5] = {0}, o[8];
  scanc_program *p = compile_with(step, how, 0);
  scanc_tensor in[2] = {f32(h, 1, 5, 1), f32(x, 1, 5, 1)}, out = f32(o, 1, 5, 1);
  out.rank = 20;
  run_fails(p, in, 2, &out, 1, SCANC_ERR_OUTPUT_SHAPE, "impossible");
  out = f32(o, 1, 5, 1);
  out.dtype = (scanc_dtype)77;
  run_fails(p, in, 2, &out, 1, SCANC_ERR_OUTPUT_SHAPE, "impossible");
  out = f32(o, 1, 5, 1);
  out.strides[0] = 0;
  run_fails(p, in, 2, &out, 1, SCANC_ERR_OVERLAP, "at one place");
  scanc_program_free(p);
}

START_TEST(test_impossible_outputs) {
  impossible_outputs(SCANC_EXEC_AUTO);
  impossible_outputs(SCANC_EXEC_INTERP);
}
END_TEST

START_TEST(test_outputs_that_share) {
  float x[24], y[4], c[30];
  scanc_program *p = compile(elementwise);
  fill(x, 24, 0);
  fill(y, 4, 0);
  scanc_tensor in[2] = {f32(x, 2, 6, 4), f32(y, 1, 4, 1)};
  scanc_tensor out[3] = {f32(c, 2, 6, 4), {0}, f32(c + 6, 2, 6, 4)};
  run_fails(p, in, 2, out, 3, SCANC_ERR_OVERLAP, "outputs 0 and 2");
  scanc_program_free(p);
}
END_TEST

/* The state of a stream is replaced in place. */
static void stream(const char *text, int n_in, int n_out, scanc_tensor *in, scanc_tensor *out,
                   float *state, int n, scanc_exec how) {
  scanc_program *p = compile_with(text, how, 0), *q = compile_with(text, SCANC_EXEC_INTERP, 0);
  float copy[16];
  memcpy(copy, state, sizeof *copy * (size_t)n);
  for (int i = 0; i < 5; i++) {
    scanc_tensor separate[MAX] = {in[0], in[1], in[2]}, got[MAX] = {0};
    separate[0].data = copy;
    run(q, separate, n_in, got, n_out);
    run(p, in, n_in, out, n_out);
    ck_assert_ptr_eq(out[0].data, state);
    for (int k = 0; k < n_out; k++) check_equal(&got[k], &out[k]);
    memcpy(copy, got[0].data, sizeof *copy * (size_t)n);
    release(got, n_out);
    release(out + 1, n_out - 1);
  }
  scanc_program_free(p);
  scanc_program_free(q);
}

START_TEST(test_state_in_place) {
  float h[5], k[3] = {0}, x[20];
  for (int interp_it = 0; interp_it < 2; interp_it++) {
    fill(h, 5, 1);
    fill(x, 20, -1);
    scanc_tensor in[3] = {f32(h, 1, 5, 1), f32(x, 1, 5, 1)}, out[3] = {f32(h, 1, 5, 1)};
    stream(step, 2, 1, in, out, h, 5, interp_it ? SCANC_EXEC_INTERP : SCANC_EXEC_AUTO);
    scanc_tensor in2[3] = {f32(h, 1, 5, 1), f32(k, 1, 3, 1), f32(x, 2, 4, 5)},
                 out2[3] = {f32(h, 1, 5, 1), {0}, {0}};
    stream(carried, 3, 3, in2, out2, h, 5, interp_it ? SCANC_EXEC_INTERP : SCANC_EXEC_AUTO);
  }
}
END_TEST

/* A permuted result over its own operand. */
START_TEST(test_transposed_in_place) {
  static const char text[] = "class GraphModule(torch.nn.Module):\n"
                             "    def forward(self, x: \"f32[4, 4]\"):\n"
                             "        t = torch.ops.aten.permute.default(x, [1, 0])\n"
                             "        return (t,)\n";
  for (int interp_it = 0; interp_it < 2; interp_it++) {
    scanc_program *p = compile_with(text, interp_it ? SCANC_EXEC_INTERP : SCANC_EXEC_AUTO, 0);
    float x[16], was[16];
    fill(x, 16, 0);
    memcpy(was, x, sizeof x);
    scanc_tensor in = f32(x, 2, 4, 4), out = in;
    run(p, &in, 1, &out, 1);
    for (int i = 0; i < 16; i++) ck_assert(x[i] == was[i % 4 * 4 + i / 4]);
    scanc_program_free(p);
  }
}
END_TEST

START_TEST(test_results_are_apart) {
  static const char text[] = "class GraphModule(torch.nn.Module):\n"
                             "    def forward(self, x: \"f32[s0]\"):\n"
                             "        a = torch.ops.aten.add.Tensor(x, 1)\n"
                             "        n = torch.ops.aten.sym_size.int(x, 0)\n"
                             "        return (a, x, a, n)\n";
  float x[3] = {1, 2, 3};
  scanc_program *p = compile(text);
  scanc_tensor in = f32(x, 1, 3, 1), out[4] = {0};
  run(p, &in, 1, out, 4);
  ck_assert_ptr_ne(out[0].data, out[2].data);
  ck_assert_ptr_ne(out[1].data, x);
  check_equal(&out[0], &out[2]);
  check_equal(&out[1], &in);
  ck_assert_int_eq(*(int64_t *)out[3].data, 3);
  release(out, 4);
  scanc_program_free(p);
}
END_TEST

UNIT_MAIN("own_memory", test_results_into_own_memory, test_wrong_outputs, test_impossible_outputs,
          test_outputs_that_share, test_state_in_place, test_transposed_in_place,
          test_results_are_apart)
