/* Elementwise kernels in f32 and f64. Included a second time by ops_kernel_f_fma.c. */
#include "ir/ops_kernel_opt.h"
#define EW_CLASS_F
#include "ir/ops_c.h"
#include "ir/ops_kernel_tables.h"

#if !defined EW_LEVEL
#define EW_LEVEL(s) s
#endif

#define EW_T float
#define EW_R float
#define EW_S EW_LEVEL(f32)
#define EW_M(x) x##f
#include "ir/ops_kernel.inc"
#undef EW_T
#undef EW_R
#undef EW_S
#undef EW_M

#define EW_T double
#define EW_R double
#define EW_S EW_LEVEL(f64)
#define EW_M(x) x
#include "ir/ops_kernel.inc"
