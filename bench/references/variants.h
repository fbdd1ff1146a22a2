/* For the C functions that programs are compared with: files of this directory only.
 *
 * A file <family>.c is compiled once per variant, with -O3 -march=native: gcc_off, gcc_fast,
 * clang_off and clang_fast, where off and fast are the value of -ffp-contract and compilers that
 * are not installed are left out; and with -march=x86-64-v3 as gcc_v3_off and so on, on machines
 * that can do more. plain_<family>.c is compiled as plain_off and plain_fast with -O2
 * -march=native and vectorisation off. So write a function as
 *
 *   REFERENCE(cumsum_f32) {
 *     const float *x = in[0];
 *     float *y = out[0];
 *     ...n[0]...
 *   }
 *
 * which defines cumsum_f32_gcc_off and so on, of type reference_fn (bench.h). What a machine may
 * not have stands in #ifdef __AVX512F__ or #ifdef __AVX2__, and in the table as KERNEL_AVX512 or
 * KERNEL_AVX2. Helpers are static. BENCH_CONTRACT is 1 in the fast variants: a kernel that writes
 * its fused multiply-adds by hand does so only there. */
#ifndef SCANC_BENCH_VARIANTS_H
#define SCANC_BENCH_VARIANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef BENCH_VARIANT
#error "bench/CMakeLists.txt defines BENCH_VARIANT and BENCH_CONTRACT"
#endif

#define VARIANT_PASTE(name, variant) name##_##variant
#define VARIANT_NAME(name, variant) VARIANT_PASTE(name, variant)
#define REFERENCE_ARGUMENTS \
  (__attribute__((unused)) void *const *in, __attribute__((unused)) void *const *out, \
   __attribute__((unused)) const int64_t *n)

/* Declared and defined, as the warnings want it. */
#define REFERENCE(name) \
  void VARIANT_NAME(name, BENCH_VARIANT) REFERENCE_ARGUMENTS; \
  void VARIANT_NAME(name, BENCH_VARIANT) REFERENCE_ARGUMENTS

#endif
