/* The kernels in f32 and f64 for machines with fused multiply-add; CMakeLists.txt compiles this
 * file for them. Where every machine has it there is one set of kernels only. */
#include "ir/ops_kernel_opt.h"
#include "ir/ops_kernel_tables.h"

#if defined EW_TWO_LEVELS
#define EW_FMA 1
#define EW_LEVEL(s) s##_fma
/* NOLINTNEXTLINE(bugprone-suspicious-include): the same file a second time, with other flags */
#include "ir/ops_kernel_f.c"
#endif
