/* Kernels of the elementwise ops, generated from ops.def in the C meaning of its primitives
 * (ops_c.h): one per op and type of computation (bool, u8, i8, i16, i32, i64, f32, f64, c64, c128).
 * No tensors here: rows of elements only. */
#ifndef SCANC_IR_OPS_KERNEL_H
#define SCANC_IR_OPS_KERNEL_H

#include "ir/op.h"

enum {
  KERNEL_DIV_ZERO = 1
}; /* bit of *status: an integer was divided by zero; the divisor was taken as 1 */

/* out[i] = op(in[0][i * s[0]], in[1][i * s[1]], ...) for i < n, each stride s[k] being 0 or 1.
 * Operands are of the type of computation, but the condition of a PROMO_SELECT op is bool; results
 * of PROMO_COMPARE ops are bool and those of PROMO_REAL and PROMO_FREAL ops the real counterpart.
 * `out` may be one of the operands of the same element size, or apart from all. Sets bits of
 * *status, never clears any. */
typedef void (*ew_kernel)(int64_t n, void *out, const void *const *in, const int64_t *s,
                          int *status);

/* NULL: the op has no meaning for that class, or `acc` is not a type ops compute in (dtype_acc).
 * `fma`: with the bits of a CPU level that has fused multiply-add (target.h), and only to be called
 * on such a machine; else of one without. */
ew_kernel ew_kernel_of(op_id op, scanc_dtype acc, bool fma);

#endif
