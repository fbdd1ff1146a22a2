#include "ir/complex_fn.h"

#include "ir/ops_math.h"

#define LIBM(name, type)
#define LIBMC1(name) \
  static double name##_re(double a, double b) { return __real__ ew_lib_##name(ew_cmplx(a, b)); } \
  static double name##_im(double a, double b) { return __imag__ ew_lib_##name(ew_cmplx(a, b)); }
#define LIBMC2(name) \
  static double name##_re(double a, double b, double c, double d) { \
    return __real__ ew_lib_##name(ew_cmplx(a, b), ew_cmplx(c, d)); \
  } \
  static double name##_im(double a, double b, double c, double d) { \
    return __imag__ ew_lib_##name(ew_cmplx(a, b), ew_cmplx(c, d)); \
  }
#include "ir/libm.def"

const host_fn *complex_fn_part(complex_fn f, host_part part) {
#define PART(c_name, n, which, function) \
  {.symbol = #c_name, \
   .fn = (void (*)(void))function, \
   .n_operands = n, \
   .operand = {SCANC_F64, SCANC_F64, SCANC_F64, SCANC_F64}, \
   .result = SCANC_F64, \
   .part = which}
  static const host_fn parts[N_COMPLEX_FNS][2] = {
#define LIBM(name, type)
#define LIBMC1(name) \
  {PART(name, 2, PART_REAL, name##_re), PART(name, 2, PART_IMAGINARY, name##_im)},
#define LIBMC2(name) \
  {PART(name, 4, PART_REAL, name##_re), PART(name, 4, PART_IMAGINARY, name##_im)},
#include "ir/libm.def"
  };
  return &parts[f][part == PART_IMAGINARY];
}
