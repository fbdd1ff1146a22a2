/* Elementwise kernels in the integer types. */
#include "ir/ops_kernel_opt.h"
#define EW_CLASS_I
#include "ir/ops_c.h"
#include "ir/ops_kernel_tables.h"

EW_INTEGER_FUNCTIONS(uint8_t, uint32_t, u8)
EW_INTEGER_FUNCTIONS(int8_t, uint32_t, i8)
EW_INTEGER_FUNCTIONS(int16_t, uint32_t, i16)
EW_INTEGER_FUNCTIONS(int32_t, uint32_t, i32)
EW_INTEGER_FUNCTIONS(int64_t, uint64_t, i64)

#define EW_R EW_T
#define EW_U uint32_t
#define EW_T uint8_t
#define EW_S u8
#include "ir/ops_kernel.inc"
#undef EW_T
#undef EW_S

#define EW_T int8_t
#define EW_S i8
#include "ir/ops_kernel.inc"
#undef EW_T
#undef EW_S

#define EW_T int16_t
#define EW_S i16
#include "ir/ops_kernel.inc"
#undef EW_T
#undef EW_S

#define EW_T int32_t
#define EW_S i32
#include "ir/ops_kernel.inc"
#undef EW_T
#undef EW_S
#undef EW_U

#define EW_U uint64_t
#define EW_T int64_t
#define EW_S i64
#include "ir/ops_kernel.inc"
