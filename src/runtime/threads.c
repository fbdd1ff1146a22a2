/* A pool of threads that serves one for_each at a time. Its pieces are dealt out in one range per
 * thread, so that the same data come to the same core from job to job; who is done with its range
 * takes from those of others. A range is a counter of pieces left that carries the number of the
 * job, so that a thread that comes late takes nothing of another one. Who waits spins for a while,
 * then sleeps; not with sched_yield, which may give a whole time slice away where other programs
 * want to run. */
#include "runtime/threads.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/fp_env.h"
#include "scanc/scanc.h"

enum { SPINS = 4000 };

typedef void (*piece_fn)(void *arg, int32_t i);

static struct {
  pthread_mutex_t serving; /* held by the for_each that is served */
  pthread_mutex_t lock;    /* guards the members up to `wake` */
  int users, wanted, n, asleep;
  bool stop;
  pthread_cond_t wake, done;
  pthread_t thread[SCANC_MAX_THREADS];
  /* of the job; fn, arg, n_pieces and n_ranges change only while no piece is left to take */
  _Atomic uint32_t job;
  struct {
    _Alignas(64) _Atomic uint64_t ticket; /* job << 32 | pieces left to take */
  } range[SCANC_MAX_THREADS];
  _Atomic(piece_fn) fn;
  _Atomic(void *) arg;
  _Atomic int32_t n_pieces, n_ranges, n_done;
  _Atomic bool awaited; /* somebody sleeps until `done` */
} pool = {.serving = PTHREAD_MUTEX_INITIALIZER,
          .lock = PTHREAD_MUTEX_INITIALIZER,
          .wake = PTHREAD_COND_INITIALIZER,
          .done = PTHREAD_COND_INITIALIZER};

void threads_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/* ---- pieces ---- */

/* First piece of range r. */
static int32_t range_begin(int r) {
  int64_t n = atomic_load_explicit(&pool.n_pieces, memory_order_relaxed);
  return (int32_t)(n * r / atomic_load_explicit(&pool.n_ranges, memory_order_relaxed));
}

/* A ticket with pieces left that has not changed meanwhile proves that fn, arg and the rest are
 * those of its job. */
static bool take_piece(int r, piece_fn *fn, void **arg, int32_t *i) {
  uint64_t t = atomic_load_explicit(&pool.range[r].ticket, memory_order_acquire);
  while ((uint32_t)t) {
    *fn = atomic_load_explicit(&pool.fn, memory_order_relaxed);
    *arg = atomic_load_explicit(&pool.arg, memory_order_relaxed);
    *i = range_begin(r + 1) - (int32_t)(uint32_t)t;
    if (atomic_compare_exchange_weak_explicit(&pool.range[r].ticket, &t, t - 1,
                                              memory_order_acq_rel, memory_order_acquire))
      return true;
  }
  return false;
}

/* Either the caller sees the last piece done before it sleeps, or `awaited` is seen here. */
static void count_done(void) {
  int32_t n = atomic_fetch_add(&pool.n_done, 1) + 1;
  if (n != atomic_load(&pool.n_pieces) || !atomic_load(&pool.awaited)) return;
  pthread_mutex_lock(&pool.lock);
  pthread_cond_signal(&pool.done);
  pthread_mutex_unlock(&pool.lock);
}

static void work(int me) {
  piece_fn fn;
  void *arg;
  int32_t i, n = atomic_load_explicit(&pool.n_ranges, memory_order_relaxed);
  for (int k = 0; k < n; k++)
    while (take_piece((me + k) % n, &fn, &arg, &i)) {
      fn(arg, i);
      count_done();
    }
}

/* ---- threads ---- */

/* Returns when there is another job than `seen`, or to stop. */
static void wait_for_job(uint32_t seen) {
  for (int spin = 0; spin < SPINS; spin++) {
    if (atomic_load_explicit(&pool.job, memory_order_acquire) != seen) return;
    threads_pause();
  }
  pthread_mutex_lock(&pool.lock);
  pool.asleep++;
  while (!pool.stop && atomic_load_explicit(&pool.job, memory_order_acquire) == seen)
    pthread_cond_wait(&pool.wake, &pool.lock);
  pool.asleep--;
  pthread_mutex_unlock(&pool.lock);
}

static bool stopping(void) {
  pthread_mutex_lock(&pool.lock);
  bool stop = pool.stop;
  pthread_mutex_unlock(&pool.lock);
  return stop;
}

static void *run_thread(void *me) {
  uint32_t seen = 0;
  fp_env_set(false);
  while (!stopping()) {
    wait_for_job(seen);
    seen = atomic_load_explicit(&pool.job, memory_order_acquire);
    work((int)(intptr_t)me);
  }
  return NULL;
}

/* Signals are for the threads of the host. */
static bool start_thread(void) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool ok =
      pthread_create(&pool.thread[pool.n], NULL, run_thread, (void *)(intptr_t)(pool.n + 1)) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pool.n += ok;
  return ok;
}

static void forget_threads(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
  pool.serving = pool.lock = mutex;
  pool.wake = pool.done = cond;
  pool.n = pool.asleep = 0;
  for (int r = 0; r < SCANC_MAX_THREADS; r++) atomic_store(&pool.range[r].ticket, 0);
  atomic_store(&pool.awaited, false);
}

static void watch_forks(void) { pthread_atfork(NULL, NULL, forget_threads); }

void threads_take(int n) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watch_forks);
  pthread_mutex_lock(&pool.lock);
  pool.users++;
  if (n > pool.wanted) pool.wanted = n;
  pthread_mutex_unlock(&pool.lock);
}

void threads_let_go(void) {
  pthread_mutex_lock(&pool.serving);
  pthread_mutex_lock(&pool.lock);
  int n = --pool.users ? 0 : pool.n;
  pool.stop = n > 0;
  pthread_cond_broadcast(&pool.wake);
  pthread_mutex_unlock(&pool.lock);
  atomic_fetch_add(&pool.job, 1); /* ends the spinning */
  for (int i = 0; i < n; i++) pthread_join(pool.thread[i], NULL);
  pthread_mutex_lock(&pool.lock);
  pool.n -= n;
  if (!pool.users) pool.wanted = 0;
  pool.stop = false;
  pthread_mutex_unlock(&pool.lock);
  pthread_mutex_unlock(&pool.serving);
}

/* ---- jobs ---- */

static void post(piece_fn fn, void *arg, int32_t n) {
  pthread_mutex_lock(&pool.lock);
  uint32_t job = atomic_load_explicit(&pool.job, memory_order_relaxed) + 1;
  int32_t n_ranges = n < pool.wanted ? n : pool.wanted;
  atomic_store_explicit(&pool.n_done, 0, memory_order_relaxed);
  atomic_store_explicit(&pool.fn, fn, memory_order_relaxed);
  atomic_store_explicit(&pool.arg, arg, memory_order_relaxed);
  atomic_store_explicit(&pool.n_pieces, n, memory_order_relaxed);
  atomic_store_explicit(&pool.n_ranges, n_ranges, memory_order_relaxed);
  for (int r = 0; r < n_ranges; r++) {
    uint64_t ticket = (uint64_t)job << 32 | (uint32_t)(range_begin(r + 1) - range_begin(r));
    atomic_store_explicit(&pool.range[r].ticket, ticket, memory_order_release);
  }
  atomic_store_explicit(&pool.job, job, memory_order_release);
  while (pool.n < pool.wanted - 1 && start_thread()) {
  }
  if (pool.asleep) pthread_cond_broadcast(&pool.wake);
  pthread_mutex_unlock(&pool.lock);
}

static void wait_until_done(int32_t n) {
  for (int spin = 0; spin < SPINS; spin++) {
    if (atomic_load_explicit(&pool.n_done, memory_order_acquire) == n) return;
    threads_pause();
  }
  pthread_mutex_lock(&pool.lock);
  atomic_store(&pool.awaited, true);
  while (atomic_load(&pool.n_done) < n) pthread_cond_wait(&pool.done, &pool.lock);
  atomic_store(&pool.awaited, false);
  pthread_mutex_unlock(&pool.lock);
}

/* A piece with the floating-point environment of the run that it belongs to. */
typedef struct {
  piece_fn fn;
  void *arg;
  bool flush;
} piece;

static void run_piece(void *arg, int32_t i) {
  const piece *p = arg;
  fp_env env = fp_env_set(p->flush);
  p->fn(p->arg, i);
  fp_env_restore(env);
}

void threads_for_each(void *unused, piece_fn fn, void *arg, int32_t n) {
  (void)unused;
  if (n < 2 || pthread_mutex_trylock(&pool.serving) != 0) {
    for (int32_t i = 0; i < n; i++) fn(arg, i);
    return;
  }
  piece p = {fn, arg, fp_env_flushes()};
  if (p.flush) post(run_piece, &p, n); /* the threads keep subnormals by themselves */
  else post(fn, arg, n);
  work(0);
  wait_until_done(n);
  pthread_mutex_unlock(&pool.serving);
}

/* ---- threads of a host ---- */

void host_for_each(void *host, piece_fn fn, void *arg, int32_t n) {
  const host_threads *h = host;
  piece p = {fn, arg, fp_env_flushes()};
  h->for_each(h->pool, run_piece, &p, n);
}
