/* The tables that ops_kernel_<class>.c define, indexed by op; for ops_kernel.c. */
#ifndef SCANC_IR_OPS_KERNEL_TABLES_H
#define SCANC_IR_OPS_KERNEL_TABLES_H

#include "ir/ops_kernel.h"

extern const ew_kernel ew_kernels_b[N_OPS], ew_kernels_u8[N_OPS], ew_kernels_i8[N_OPS],
    ew_kernels_i16[N_OPS], ew_kernels_i32[N_OPS], ew_kernels_i64[N_OPS], ew_kernels_f32[N_OPS],
    ew_kernels_f64[N_OPS], ew_kernels_c64[N_OPS], ew_kernels_c128[N_OPS];
#if defined __x86_64__
#define EW_TWO_LEVELS
extern const ew_kernel ew_kernels_f32_fma[N_OPS], ew_kernels_f64_fma[N_OPS];
#endif

#endif
