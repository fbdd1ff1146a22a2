/* CPU levels in tests: which of them run on this machine, and how thorough a test can be. */
#ifndef SCANC_TESTS_LEVELS_H
#define SCANC_TESTS_LEVELS_H

#include "loop/target.h"

/* Sanitizers make tests many times as slow, and see nothing of generated code: a test that is THIN
 * leaves CPU levels out and says so. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { THIN = 1 };
#else
enum { THIN = 0 };
#endif

/* Does code for this level run here, on a machine that may have more than it needs? */
static inline bool level_is_here(const char *level) {
  target native, t;
  return target_get("native", &native) && target_get(level, &t) && !t.foreign &&
         t.vector_bytes <= native.vector_bytes && t.fma <= native.fma;
}

#endif
