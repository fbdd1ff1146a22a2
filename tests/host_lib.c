/* A library of host functions, as a user writes one for `scanc --ops`; it is not linked with scanc.
 * HOST_LIB_refused registers something wrong, HOST_LIB_failed says no more than that it failed. */
#include "scanc/scanc.h"

static float softclip(float x, float limit) { return limit * x / (limit + (x < 0 ? -x : x)); }
static double softclip64(double x, double limit) { return limit * x / (limit + (x < 0 ? -x : x)); }
static int64_t collatz(int64_t n) { return n % 2 ? 3 * n + 1 : n / 2; }

#define FN(f) ((void (*)(void))(f))

scanc_code scanc_register_ops(scanc_register_fn add, scanc_error *err) {
  scanc_code code = add("mylib::softclip(f32 x, f32 limit) -> f32", NULL, FN(softclip), err);
  if (!code)
    code = add("mylib::softclip(f64 x, f64 limit) -> f64", "softclip64", FN(softclip64), err);
  if (!code) code = add("collatz(i64 n) -> i64", NULL, FN(collatz), err);
#ifdef HOST_LIB_refused
  if (!code) code = add("mylib::broken(f16 x) -> f16", NULL, FN(softclip), err);
#endif
#ifdef HOST_LIB_failed
  code = SCANC_ERR_DATA;
#endif
  return code;
}
