/* Elementwise kernels in bool: bytes 0 and 1. */
#include "ir/ops_kernel_opt.h"
#define EW_CLASS_B
#include "ir/ops_c.h"
#include "ir/ops_kernel_tables.h"

#define EW_T uint8_t
#define EW_R uint8_t
#define EW_S b
#include "ir/ops_kernel.inc"
