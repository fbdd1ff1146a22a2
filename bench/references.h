/* Tables of references, for the files of bench/workloads:
 *
 *   DECLARE(cumsum_f32); // what REFERENCE(cumsum_f32) of references/{plain_,}sum.c defines
 *   DECLARE(cumsum_f32_zmm);
 *   static const reference cumsum_f32_references[] = {
 *       PLAIN(cumsum_f32) GOOD(cumsum_f32)
 *           KERNEL_AVX512(cumsum_f32_zmm, "in-register network"){0}};
 *
 * Each stands for all variants there are (references/variants.h) and brings its commas along, as it
 * may be empty: no comma behind it. The plain one comes first. */
#ifndef SCANC_BENCH_REFERENCES_H
#define SCANC_BENCH_REFERENCES_H

#include "bench.h"

#define DECLARE_VARIANT(name) \
  void name(void *const *in, void *const *out, const int64_t *n) __attribute__((unused))
#define DECLARE(name) \
  DECLARE_VARIANT(name##_plain_off); \
  DECLARE_VARIANT(name##_plain_fast); \
  DECLARE_VARIANT(name##_gcc_off); \
  DECLARE_VARIANT(name##_gcc_fast); \
  DECLARE_VARIANT(name##_clang_off); \
  DECLARE_VARIANT(name##_clang_fast)

/* BENCH_COMPILER is the one that the harness itself is built with. */
#define PLAIN(name) \
  {REF_PLAIN, BENCH_COMPILER, false, NULL, name##_plain_off}, \
      {REF_PLAIN, BENCH_COMPILER, true, NULL, name##_plain_fast},

#ifdef BENCH_HAVE_GCC
#define WITH_GCC(kind, text, name) \
  {kind, "gcc", false, text, name##_gcc_off}, {kind, "gcc", true, text, name##_gcc_fast},
#else
#define WITH_GCC(kind, text, name)
#endif
#ifdef BENCH_HAVE_CLANG
#define WITH_CLANG(kind, text, name) \
  {kind, "clang", false, text, name##_clang_off}, {kind, "clang", true, text, name##_clang_fast},
#else
#define WITH_CLANG(kind, text, name)
#endif

#define GOOD(name) WITH_GCC(REF_GOOD, NULL, name) WITH_CLANG(REF_GOOD, NULL, name)
#define KERNEL(name, text) WITH_GCC(REF_KERNEL, text, name) WITH_CLANG(REF_KERNEL, text, name)
/* Kernels for what this machine may lack. */
#ifdef BENCH_HAVE_AVX512
#define KERNEL_AVX512(name, text) KERNEL(name, text)
#else
#define KERNEL_AVX512(name, text)
#endif
#ifdef BENCH_HAVE_AVX2
#define KERNEL_AVX2(name, text) KERNEL(name, text)
#else
#define KERNEL_AVX2(name, text)
#endif

#endif
