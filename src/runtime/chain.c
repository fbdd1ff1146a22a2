/* Stretches of an associative scan for threads. Every thread has chunks of neighbouring stretches,
 * in turn with those of the others and the same from run to run, so that it finds in its cache what
 * it wrote before. Whose chunk follows what is known computes the results at once; else the totals
 * of the chunk come first, whoever needs what comes before a later stretch joins the totals that
 * are there, and the results are computed from what is still in the cache. The first thread never
 * has to look for totals if the others keep up, so its chunks are longer. A chunk whose thread does
 * not come is done by the next one that needs it or has nothing else to do. */
#include "runtime/chain.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "runtime/threads.h"

enum {
  MAX_CHUNK = 4, /* stretches: they fit a cache */
  MAX_HELD = 2,  /* chunks whose totals are there and whose results are not */
  ROUNDS = 6,    /* as many, rather than long chunks: threads wait in the first and the last one */
  PAUSES = 4000,
  NANOSECONDS = 20000 /* of sleep, where that was not enough: the other thread has no CPU now */
};

typedef struct {
  const scanc_chain *c;
  int64_t n;              /* stretches */
  int32_t threads;        /* that have chunks */
  int64_t lead, chunk;    /* stretches of a chunk of the first thread, and of another one */
  _Atomic int32_t *state; /* per stretch */
} chain_state;

/* What there is of a stretch: nothing; somebody who computes it; its total; somebody who joins it;
 * what comes before the next one. */
enum { NOTHING, TAKEN, TOTAL, JOINING, KNOWN };

/* Stretches from `begin` on, without `end`. */
typedef struct {
  int64_t begin, end;
} span;

typedef struct {
  chain_state *s;
  int32_t me;
  int64_t n_chunks, first_free; /* all before are taken */
  span held[MAX_HELD];          /* in their order */
  int n_held;
  void **bufs; /* room for the arguments of one call */
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

/* ---- chunks ---- */

static int64_t round_length(const chain_state *s) { return s->lead + (s->threads - 1) * s->chunk; }

static int64_t count_chunks(const chain_state *s) {
  return (s->n + round_length(s) - 1) / round_length(s) * s->threads;
}

/* Empty behind the last stretch. */
static span chunk_at(const chain_state *s, int64_t i) {
  int64_t thread = i % s->threads, before = i / s->threads * round_length(s),
          begin = thread ? before + s->lead + (thread - 1) * s->chunk : before,
          end = begin + (thread ? s->chunk : s->lead);
  return (span){begin < s->n ? begin : s->n, end < s->n ? end : s->n};
}

/* ---- what is known ---- */

static int32_t state_of(const worker *w, int64_t stretch) {
  return atomic_load_explicit(&w->s->state[stretch], memory_order_acquire);
}

static void tell(const worker *w, int64_t stretch, int32_t what) {
  atomic_store_explicit(&w->s->state[stretch], what, memory_order_release);
}

/* Whether the state was `from` and is `to` now. */
static bool change(const worker *w, int64_t stretch, int32_t from, int32_t to) {
  return atomic_compare_exchange_strong_explicit(&w->s->state[stretch], &from, to,
                                                 memory_order_acq_rel, memory_order_acquire);
}

static void rest(int *k) {
  const struct timespec nap = {0, NANOSECONDS};
  if (++*k < PAUSES) threads_pause();
  else nanosleep(&nap, NULL);
}

/* Whether what comes before the stretch is known, or was as soon as the totals before were joined.
 */
static bool reach(const worker *w, int64_t stretch) {
  int64_t first = stretch;
  for (int32_t is; first > 0 && (is = state_of(w, first - 1)) != KNOWN; first--)
    if (is < TOTAL) return false;
  for (; first < stretch; first++) {
    if (change(w, first, TOTAL, JOINING)) {
      call(w, CHAIN_JOIN, first);
      tell(w, first, KNOWN);
    }
    for (int k = 0; state_of(w, first) != KNOWN;) rest(&k);
  }
  return true;
}

/* ---- stretches ---- */

static void compute(const worker *w, span c) {
  for (int64_t k = c.begin; k < c.end; k++) {
    call(w, k ? CHAIN_LATER : CHAIN_FIRST, k);
    tell(w, k, KNOWN);
  }
}

static void find_totals(const worker *w, span c) {
  for (int64_t k = c.begin; k < c.end; k++) {
    call(w, CHAIN_TOTAL, k);
    tell(w, k, TOTAL);
  }
}

static void compute_again(const worker *w, span c) {
  reach(w, c.end);
  for (int64_t k = c.begin; k < c.end; k++) call(w, CHAIN_AGAIN, k);
}

/* ---- threads ---- */

static bool is_free(const worker *w, int64_t chunk) {
  span c = chunk_at(w->s, chunk);
  return c.begin < c.end && state_of(w, c.begin) == NOTHING;
}

static bool take(const worker *w, int64_t chunk) {
  return is_free(w, chunk) && change(w, chunk_at(w->s, chunk).begin, NOTHING, TAKEN);
}

/* The first chunk from `from` on, in steps, that nobody has taken; n_chunks: none. */
static int64_t find_free(const worker *w, int64_t from, int64_t step) {
  while (from < w->n_chunks && !is_free(w, from)) from += step;
  return from < w->n_chunks ? from : w->n_chunks;
}

/* Computes a chunk that others may wait for: the first one that nobody has taken, if what comes
 * before it is known. */
static bool go_on(worker *w) {
  w->first_free = find_free(w, w->first_free, 1);
  if (w->first_free == w->n_chunks) return false;
  span c = chunk_at(w->s, w->first_free);
  if (!reach(w, c.begin) || !take(w, w->first_free)) return false;
  compute(w, c);
  return true;
}

/* Finds the totals of a chunk of one's own, or of another one if there is none. */
static bool go_ahead(worker *w) {
  if (w->n_held == MAX_HELD) return false;
  int64_t own = w->me + (w->first_free - w->me + w->s->threads - 1) / w->s->threads * w->s->threads,
          chunk = find_free(w, own, w->s->threads);
  if (chunk == w->n_chunks) chunk = w->first_free;
  if (chunk == w->n_chunks || !take(w, chunk)) return false;
  w->held[w->n_held++] = chunk_at(w->s, chunk);
  find_totals(w, w->held[w->n_held - 1]);
  return true;
}

static bool go_back(worker *w) {
  if (!w->n_held || !reach(w, w->held[0].begin)) return false;
  compute_again(w, w->held[0]);
  w->held[0] = w->held[--w->n_held];
  return true;
}

/* Who holds a chunk waits for earlier ones only, and the first of those is either computed by who
 * has taken it or free. */
static void work(worker *w) {
  for (int k = 0; w->n_held || w->first_free < w->n_chunks;) {
    if (go_back(w) || go_on(w) || go_ahead(w)) k = 0;
    else rest(&k);
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
  worker w = {.s = s,
              .me = i,
              .n_chunks = count_chunks(s),
              .bufs = ARENA_ARRAY(tmp, void *, n_bufs),
              .ints = ARENA_ARRAY(tmp, int64_t, n_ints)};
  work(&w);
  arena_free(tmp);
}

void chain_run(const scanc_par *par, const scanc_chain *c, int32_t n) {
  int64_t stretches = (c->length + c->cut - 1) / c->cut, chunk = stretches / (n * ROUNDS);
  if (n > stretches) n = (int32_t)stretches;
  if (chunk < 2) chunk = 2;
  if (chunk > MAX_CHUNK) chunk = MAX_CHUNK;
  chain_state s = {c, stretches, n, chunk + chunk / 2, chunk, (_Atomic int32_t *)(void *)c->flags};
  for (int64_t k = 0; k < s.n; k++) atomic_init(&s.state[k], NOTHING);
  par->for_each(par->pool, piece, &s, n);
}
