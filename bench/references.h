/* Tables of references, for the files of bench/workloads:
 *
 *   DECLARE(cumsum_f32); // what REFERENCE(cumsum_f32) of references/{plain_,}sum.c defines
 *   DECLARE(cumsum_f32_zmm);
 *   static const reference cumsum_f32_references[] = {
 *       PLAIN(cumsum_f32) GOOD(cumsum_f32)
 *           KERNEL_AVX512(cumsum_f32_zmm, "in-register network"){0}};
 *
 * Each stands for all variants there are (references/variants.h) and brings its commas along, as it
 * may be empty: no comma behind it. The plain one comes first. REORDERED_ in front of a kernel:
 * reference.reordered. TEAM: one that several threads compute, strictly, for this CPU. */
#ifndef SCANC_BENCH_REFERENCES_H
#define SCANC_BENCH_REFERENCES_H

#include "bench.h"

#define DECLARE_VARIANT(name) \
  void name(void *const *in, void *const *out, const int64_t *n) __attribute__((unused))
#define DECLARE_BOTH(name, variant) \
  DECLARE_VARIANT(name##_##variant##_off); \
  DECLARE_VARIANT(name##_##variant##_fast)
#define DECLARE(name) \
  DECLARE_BOTH(name, plain); \
  DECLARE_BOTH(name, gcc); \
  DECLARE_BOTH(name, clang); \
  DECLARE_BOTH(name, gcc_v3); \
  DECLARE_BOTH(name, clang_v3)

#define BOTH(kind, reordered, compiler, v3, text, name) \
  {kind, reordered, compiler, v3, false, text, name##_off, false}, \
      {kind, reordered, compiler, v3, true, text, name##_fast, false},

/* BENCH_COMPILER is the one that the harness itself is built with. */
#define PLAIN(name) BOTH(REF_PLAIN, false, BENCH_COMPILER, false, NULL, name##_plain)

/* By compiler and instructions; v3 where this machine can do more. */
#ifdef BENCH_HAVE_GCC
#define WITH_GCC(kind, reordered, text, name) BOTH(kind, reordered, "gcc", false, text, name##_gcc)
#else
#define WITH_GCC(kind, reordered, text, name)
#endif
#ifdef BENCH_HAVE_CLANG
#define WITH_CLANG(kind, reordered, text, name) \
  BOTH(kind, reordered, "clang", false, text, name##_clang)
#else
#define WITH_CLANG(kind, reordered, text, name)
#endif
#if defined(BENCH_HAVE_GCC) && defined(BENCH_HAVE_V3)
#define WITH_GCC_V3(kind, reordered, text, name) \
  BOTH(kind, reordered, "gcc", true, text, name##_gcc_v3)
#else
#define WITH_GCC_V3(kind, reordered, text, name)
#endif
#if defined(BENCH_HAVE_CLANG) && defined(BENCH_HAVE_V3)
#define WITH_CLANG_V3(kind, reordered, text, name) \
  BOTH(kind, reordered, "clang", true, text, name##_clang_v3)
#else
#define WITH_CLANG_V3(kind, reordered, text, name)
#endif

#define NATIVE(kind, reordered, text, name) \
  WITH_GCC(kind, reordered, text, name) WITH_CLANG(kind, reordered, text, name)
#define ALL(kind, reordered, text, name) \
  NATIVE(kind, reordered, text, name) \
  WITH_GCC_V3(kind, reordered, text, name) WITH_CLANG_V3(kind, reordered, text, name)

#define GOOD(name) ALL(REF_GOOD, false, NULL, name)
#define KERNEL(name, text) ALL(REF_KERNEL, false, text, name)
/* The strict variants only: scanc with several threads is measured so. */
#ifdef BENCH_HAVE_GCC
#define TEAM_GCC(text, name) {REF_KERNEL, false, "gcc", false, false, text, name##_gcc_off, true},
#else
#define TEAM_GCC(text, name)
#endif
#ifdef BENCH_HAVE_CLANG
#define TEAM_CLANG(text, name) \
  {REF_KERNEL, false, "clang", false, false, text, name##_clang_off, true},
#else
#define TEAM_CLANG(text, name)
#endif
#define TEAM(name, text) TEAM_GCC(text, name) TEAM_CLANG(text, name)
/* Kernels for what this machine may lack. */
#ifdef BENCH_HAVE_AVX512
#define KERNEL_AVX512(name, text) NATIVE(REF_KERNEL, false, text, name)
#define REORDERED_KERNEL_AVX512(name, text) NATIVE(REF_KERNEL, true, text, name)
#else
#define KERNEL_AVX512(name, text)
#define REORDERED_KERNEL_AVX512(name, text)
#endif
#ifdef BENCH_HAVE_AVX2
#define KERNEL_AVX2(name, text) ALL(REF_KERNEL, false, text, name)
#define REORDERED_KERNEL_AVX2(name, text) ALL(REF_KERNEL, true, text, name)
#else
#define KERNEL_AVX2(name, text)
#define REORDERED_KERNEL_AVX2(name, text)
#endif

#endif
