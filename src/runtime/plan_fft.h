/* Fourier transforms as kernels of plans. */
#ifndef SCANC_RUNTIME_PLAN_FFT_H
#define SCANC_RUNTIME_PLAN_FFT_H

#include "runtime/plan_kernel.h"

/* NULL: none of these. */
plan_op_fn plan_fft_of(op_id op);

#endif
