/* Room for the C functions that programs are compared with. */
#ifndef SCANC_BENCH_FLOATS_H
#define SCANC_BENCH_FLOATS_H

#include <stdint.h>
#include <stdlib.h>

/* At least n floats, aligned to 64 bytes, to be freed. Ends the process where there is no memory,
 * as the harness does. */
static inline float *floats(int64_t n) {
  float *room = aligned_alloc(64, (size_t)(n * 4 / 64 + 1) * 64);
  if (!room) abort();
  return room;
}

#endif
