/* libm's complex functions take signs that C leaves open from the sign of a NaN. All NaNs are one
 * value: the sign of a NaN in an operand changes no result, interpreted or compiled. */
#include <math.h>
#include <stdio.h>

#include "programs.h"

static const char *const functions[] = {"sqrt", "exp",  "log",   "sin",   "cos",
                                        "tan",  "asin", "acos",  "atan",  "sinh",
                                        "cosh", "tanh", "asinh", "acosh", "atanh"};
enum { N_FUNCTIONS = sizeof functions / sizeof *functions, N_PARTS = 7, N = N_PARTS * N_PARTS };

/* Every pair of parts, where NaNs have the sign of `sign`. */
static void fill_parts(double (*z)[2], double sign) {
  const double parts[N_PARTS] = {0, -0.0, 1, -1, INFINITY, -INFINITY, copysign(NAN, sign)};
  for (int k = 0; k < N; k++) {
    z[k][0] = parts[k / N_PARTS];
    z[k][1] = parts[k % N_PARTS];
  }
}

static void run_function(const char *name, scanc_exec how, double sign, double (*out)[2]) {
  char text[512];
  double z[N][2];
  snprintf(text, sizeof text,
           "class GraphModule(torch.nn.Module):\n"
           "    def forward(self, z: \"c128[%d]\"):\n"
           "        y: \"c128[%d]\" = torch.ops.aten.%s.default(z)\n"
           "        return (y,)\n",
           N, N, name);
  fill_parts(z, sign);
  scanc_program *p = compile_with(text, how, 0);
  scanc_tensor in = array(z, SCANC_C128, 1, N, 0), to = array(out, SCANC_C128, 1, N, 0);
  in.strides[0] = to.strides[0] = 1;
  scanc_error err = {0};
  ck_assert_msg(scanc_run(p, &in, 1, &to, 1, &err) == SCANC_OK, "%s", err.message);
  scanc_program_free(p);
}

static bool same(double a, double b) { return isnan(a) ? isnan(b) : memcmp(&a, &b, sizeof a) == 0; }

START_TEST(test_signs_of_nan) {
  static const scanc_exec ways[] = {SCANC_EXEC_INTERP, SCANC_EXEC_JIT};
  double want[N][2], got[N][2], z[N][2];
  fill_parts(z, 1);
  for (int f = 0; f < N_FUNCTIONS; f++) {
    run_function(functions[f], SCANC_EXEC_INTERP, 1, want);
    for (int k = 0; k < 4; k++) {
      run_function(functions[f], ways[k / 2], k % 2 ? -1 : 1, got);
      for (int i = 0; i < N; i++)
        CHECK_ELEMENT(same(want[i][0], got[i][0]) && same(want[i][1], got[i][1]),
                      "%s(%g, %g), %s, %s NaN: expected (%g, %g), got (%g, %g)", functions[f],
                      z[i][0], z[i][1], k / 2 ? "compiled" : "interpreted",
                      k % 2 ? "negative" : "positive", want[i][0], want[i][1], got[i][0],
                      got[i][1]);
    }
  }
}
END_TEST

UNIT_MAIN("complex_nan", test_signs_of_nan)
