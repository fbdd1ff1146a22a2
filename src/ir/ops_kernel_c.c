/* Elementwise kernels in c64 and c128. */
#include "ir/ops_kernel_opt.h"
#define EW_CLASS_C
#include "ir/ops_c.h"
#include "ir/ops_kernel_tables.h"

#define EW_T float _Complex
#define EW_R float
#define EW_S c64
#define EW_M(x) x##f
#include "ir/ops_kernel.inc"
#undef EW_T
#undef EW_R
#undef EW_S
#undef EW_M

#define EW_T double _Complex
#define EW_R double
#define EW_S c128
#define EW_M(x) x
#include "ir/ops_kernel.inc"
