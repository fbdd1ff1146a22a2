/* CPU levels: what schedules need to know of a machine. */
#ifndef SCANC_LOOP_TARGET_H
#define SCANC_LOOP_TARGET_H

#include <stdbool.h>

typedef struct {
  const char *level; /* "x86-64", "x86-64-v3", "x86-64-v4", "aarch64", "native" */
  int vector_bytes;  /* widest vector */
  int registers;     /* vector registers */
  bool fma;          /* FMA of the math functions rounds once (ir/vecmath.inc) */
  bool foreign;      /* objects of this level do not run on this machine */
} target;

/* level NULL is "native". Returns false for a level that scanc does not know. */
bool target_get(const char *level, target *out);

#endif
