/* The threads of the process: one pool for all programs. */
#ifndef SCANC_RUNTIME_THREADS_H
#define SCANC_RUNTIME_THREADS_H

#include <stdint.h>

/* Threads are made when they are first needed and end when the last user has let go. n: how many
 * a user wants to have at work at the same time, its own among them. */
void threads_take(int n);
void threads_let_go(void);

/* Calls fn(arg, i) once for every 0 <= i < n, in any order, and returns when all calls have
 * returned, each in the floating-point environment of the caller's run. The caller takes part.
 * While another thread's for_each is being served, and where no thread could be made, the caller
 * does it all. pool is not used. Thread-safe. A child made by fork makes threads of its own. */
void threads_for_each(void *pool, void (*fn)(void *arg, int32_t i), void *arg, int32_t n);

/* A little rest for a thread that looks again and again whether something has happened. */
void threads_pause(void);

/* The threads of a host (scanc_options.for_each), which get the floating-point environment of a run
 * for each piece. As `pool` for host_for_each. */
typedef struct {
  void (*for_each)(void *pool, void (*fn)(void *arg, int32_t i), void *arg, int32_t n);
  void *pool;
} host_threads;
void host_for_each(void *host, void (*fn)(void *arg, int32_t i), void *arg, int32_t n);

#endif
