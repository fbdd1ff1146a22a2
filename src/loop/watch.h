/* When a while loop is found to be one that never ends. A step of it depends on what it carries
 * alone, so once that repeats, bit by bit, it always will. It is compared with what it was after
 * the last iteration whose number is a power of two, if not earlier than WATCH_FROM, and not in
 * every iteration: that finds any period, and costs next to nothing however much is carried.
 * Entries and the interpreter do the same. */
#ifndef SCANC_LOOP_WATCH_H
#define SCANC_LOOP_WATCH_H

#include <stdbool.h>
#include <stdint.h>

enum { WATCH_FROM = 1024, WATCH_EVERY = 64 }; /* powers of two */

/* After n iterations: whether to compare (after WATCH_FROM there is nothing yet to compare with).
 */
static inline bool watch_is_due(int64_t n) { return n >= WATCH_FROM && n % WATCH_EVERY == 0; }
/* Then, whether to keep what is carried. */
static inline bool watch_keeps(int64_t n) { return (n & (n - 1)) == 0; }

#endif
