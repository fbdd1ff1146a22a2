/* The floating-point environment of a run: rounding to nearest, nothing traps, subnormals kept or
 * flushed (as operands and as results of arithmetic they count as zeros of their sign); what the
 * caller had is put back. */
#ifndef SCANC_BASE_FP_ENV_H
#define SCANC_BASE_FP_ENV_H

#include <stdbool.h>

#if defined(__x86_64__)
#include <xmmintrin.h>

typedef unsigned fp_env;

enum { FP_ENV_CAN_FLUSH = true, FP_ENV_FLUSH = 0x8040 /* FTZ and DAZ */ };

static inline fp_env fp_env_set(bool flush) {
  enum { DEFAULT = 0x1f80, FLAGS = 0x3f };
  unsigned was = _mm_getcsr(), want = flush ? DEFAULT | FP_ENV_FLUSH : DEFAULT;
  if ((was & ~(unsigned)FLAGS) != want) _mm_setcsr(want);
  return was;
}

static inline void fp_env_restore(fp_env was) {
  if (_mm_getcsr() != was) _mm_setcsr(was);
}

/* Whether the calling thread flushes. */
static inline bool fp_env_flushes(void) { return (_mm_getcsr() & FP_ENV_FLUSH) == FP_ENV_FLUSH; }

#else
#include <fenv.h>
#include <stdint.h>

typedef fenv_t fp_env;

#if defined(__aarch64__)
enum { FP_ENV_CAN_FLUSH = true, FP_ENV_FLUSH = 1 << 24 /* FZ */ };

static inline uint64_t fp_env_control(void) {
  uint64_t fpcr;
  __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
  return fpcr;
}
static inline void fp_env_flush(void) {
  __asm__ volatile("msr fpcr, %0" : : "r"(fp_env_control() | FP_ENV_FLUSH));
}
static inline bool fp_env_flushes(void) { return (fp_env_control() & FP_ENV_FLUSH) != 0; }
#else
enum { FP_ENV_CAN_FLUSH = false };
static inline void fp_env_flush(void) {}
static inline bool fp_env_flushes(void) { return false; }
#endif

static inline fp_env fp_env_set(bool flush) {
  fenv_t was;
  fegetenv(&was);
  fesetenv(FE_DFL_ENV);
  if (flush) fp_env_flush();
  return was;
}

static inline void fp_env_restore(fp_env was) { fesetenv(&was); }

#endif
#endif
