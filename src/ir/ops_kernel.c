/* Lookup of the elementwise kernels. */
#include "ir/ops_kernel.h"

#include "ir/ops_kernel_tables.h"

ew_kernel ew_kernel_of(op_id op, scanc_dtype acc, bool fma) {
  static const ew_kernel *const tables[SCANC_N_DTYPES] = {
      [SCANC_BOOL] = ew_kernels_b,   [SCANC_U8] = ew_kernels_u8,   [SCANC_I8] = ew_kernels_i8,
      [SCANC_I16] = ew_kernels_i16,  [SCANC_I32] = ew_kernels_i32, [SCANC_I64] = ew_kernels_i64,
      [SCANC_F32] = ew_kernels_f32,  [SCANC_F64] = ew_kernels_f64, [SCANC_C64] = ew_kernels_c64,
      [SCANC_C128] = ew_kernels_c128};
#if defined EW_TWO_LEVELS
  if (fma && acc == SCANC_F32) return ew_kernels_f32_fma[op];
  if (fma && acc == SCANC_F64) return ew_kernels_f64_fma[op];
#else
  (void)fma;
#endif
  return tables[acc] ? tables[acc][op] : NULL;
}
