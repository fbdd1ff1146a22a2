/* The floating-point environment of a run: rounding to nearest, subnormals kept, nothing traps;
 * what the caller had is put back. */
#ifndef SCANC_RUNTIME_FP_ENV_H
#define SCANC_RUNTIME_FP_ENV_H

#if defined(__x86_64__)
#include <xmmintrin.h>

typedef unsigned fp_env;

static inline fp_env fp_env_set(void) {
  enum { DEFAULT = 0x1f80, FLAGS = 0x3f };
  unsigned was = _mm_getcsr();
  if ((was & ~(unsigned)FLAGS) != DEFAULT) _mm_setcsr(DEFAULT);
  return was;
}

static inline void fp_env_restore(fp_env was) {
  if (_mm_getcsr() != was) _mm_setcsr(was);
}

#else
#include <fenv.h>

typedef fenv_t fp_env;

static inline fp_env fp_env_set(void) {
  fenv_t was;
  fegetenv(&was);
  fesetenv(FE_DFL_ENV);
  return was;
}

static inline void fp_env_restore(fp_env was) { fesetenv(&was); }

#endif
#endif
