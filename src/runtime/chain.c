/* Stretches of an associative scan for threads. Who takes a stretch when what comes before it is
 * known, or is about to be, as only totals remain to be joined, computes it at once. Else its total
 * comes first, and, while that is not known yet, the totals of a few more stretches; then what
 * comes before the stretches that follow is told, and the results are computed from what is still
 * in the cache. */
#include "runtime/chain.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "runtime/threads.h"

enum {
  AHEAD = 3, /* stretches whose totals are there and whose results are not: they fit a cache */
  PAUSES = 4000,
  SOON = 1000,        /* pauses for others to join totals */
  NANOSECONDS = 20000 /* of sleep, where that was not enough: the other thread has no CPU now */
};

typedef struct {
  const scanc_chain *c;
  int64_t n; /* stretches */
  _Atomic int64_t next;
  _Atomic int32_t *state; /* per stretch */
} chain_state;

/* What there is of a stretch: nothing, its total, what comes before the next one. */
enum { NOTHING, TOTAL, KNOWN };

/* Room for the arguments of one call. */
typedef struct {
  chain_state *s;
  void **bufs;
  int64_t *ints;
} worker;

static void call(const worker *w, chain_role role, int64_t stretch) {
  const scanc_chain *c = w->s->c;
  const scanc_chain_call *k = &c->call[role];
  int64_t left = c->length - stretch * c->cut, elements = left < c->cut ? left : c->cut;
  for (int i = 0; i < k->n_bufs; i++) {
    uintptr_t at = (uintptr_t)k->bufs[i] + (uintptr_t)(stretch * k->advance[i]);
    w->bufs[i] = (void *)at;
  }
  memcpy(w->ints, k->ints, sizeof *w->ints * (size_t)k->n_ints);
  w->ints[CHAIN_LENGTH] = (role == CHAIN_JOIN ? 1 : elements) - k->less;
  k->fn(w->bufs, w->ints, NULL);
}

/* ---- what is known ---- */

static int32_t state_of(const worker *w, int64_t stretch) {
  return atomic_load_explicit(&w->s->state[stretch], memory_order_acquire);
}

static bool is_known(const worker *w, int64_t stretch) { return state_of(w, stretch) == KNOWN; }

static void tell(const worker *w, int64_t stretch, int32_t what) {
  atomic_store_explicit(&w->s->state[stretch], what, memory_order_release);
}

/* Whether all before the stretch is known but for totals that are there, which takes others no time
 * to join; then waits for that. */
static bool is_known_soon(const worker *w, int64_t stretch) {
  int64_t first = stretch;
  while (first >= 0 && !is_known(w, first))
    if (state_of(w, first--) != TOTAL) return false;
  for (int k = 0; k < SOON && !is_known(w, stretch); k++) threads_pause();
  return is_known(w, stretch);
}

static void await(const worker *w, int64_t stretch) {
  for (int k = 0; !is_known(w, stretch); k++) {
    const struct timespec nap = {0, NANOSECONDS};
    if (k < PAUSES) threads_pause();
    else nanosleep(&nap, NULL);
  }
}

/* ---- stretches ---- */

static int64_t take(const worker *w) { return atomic_fetch_add(&w->s->next, 1); }

static void find_total(const worker *w, int64_t stretch) {
  call(w, CHAIN_TOTAL, stretch);
  tell(w, stretch, TOTAL);
}

static void compute_from(const worker *w, int64_t first) {
  int64_t taken[AHEAD] = {first};
  int count = 1;
  find_total(w, first);
  while (count < AHEAD && !is_known(w, first - 1)) {
    int64_t more = take(w);
    if (more >= w->s->n) break;
    find_total(w, more);
    taken[count++] = more;
  }
  for (int i = 0; i < count; i++) {
    await(w, taken[i] - 1);
    call(w, CHAIN_JOIN, taken[i]);
    tell(w, taken[i], KNOWN);
  }
  for (int i = 0; i < count; i++) call(w, CHAIN_AGAIN, taken[i]);
}

static void work(const worker *w) {
  for (int64_t k; (k = take(w)) < w->s->n;) {
    if (k && !is_known_soon(w, k - 1)) {
      compute_from(w, k);
      continue;
    }
    call(w, k ? CHAIN_LATER : CHAIN_FIRST, k);
    tell(w, k, KNOWN);
  }
}

static void piece(void *arg, int32_t i) {
  chain_state *s = arg;
  arena *tmp = arena_new();
  int n_bufs = 0, n_ints = 0;
  for (int r = 0; r < CHAIN_ROLES; r++) {
    const scanc_chain_call *k = &s->c->call[r];
    if (k->n_bufs > n_bufs) n_bufs = k->n_bufs;
    if (k->n_ints > n_ints) n_ints = k->n_ints;
  }
  worker w = {s, ARENA_ARRAY(tmp, void *, n_bufs), ARENA_ARRAY(tmp, int64_t, n_ints)};
  work(&w);
  arena_free(tmp);
  (void)i;
}

void chain_run(const scanc_par *par, const scanc_chain *c, int32_t n) {
  chain_state s = {c, (c->length + c->cut - 1) / c->cut, 0, (_Atomic int32_t *)(void *)c->flags};
  for (int64_t k = 0; k < s.n; k++) atomic_init(&s.state[k], NOTHING);
  par->for_each(par->pool, piece, &s, n < s.n ? n : (int32_t)s.n);
}
