/* Times taken in turn: every subject once per round, so that what slows the machine for a while
 * slows all of them. */
#include <math.h>
#include <string.h>
#include <sys/resource.h>

#include "harness.h"

enum { MOST_ROUNDS = 300, LEAST_ROUNDS = 7, MOST_ATTEMPTS = 4 };
/* A sample is at least this long, so that reading the clock is no part of it. */
static const double sample_ns = 50e3;
/* What takes so long is interrupted whenever somebody else wants the CPU. */
static const double hopeless_ns = 100e6;
/* Calls that are shorter than this are warmed before each sample. */
static const double warming_ns = 1e6;
/* Where warming takes so long, others use the CPUs: nothing is tried again then. */
static const double futile_ns = 20e6;
/* What took so long is not even called a second time. */
static const double no_second_ns = 5e9;
/* A call that takes so much of the budget is not repeated. */
static const double too_long = 0.5;

/* Every member copies a part, which begins at a cache line. */
static void copy_part(void *copied_by, int member) {
  const subject *s = copied_by;
  size_t lines = s->copied / 64, begin = lines * (size_t)member / (size_t)team_size() * 64,
         end = lines * ((size_t)member + 1) / (size_t)team_size() * 64;
  if (member == team_size() - 1) end = s->copied;
  memcpy((char *)s->to + begin, (char *)s->from + begin, end - begin);
}

static void copy(const subject *s) {
  if (s->how.threads > 1) {
    team_run(copy_part, (void *)(uintptr_t)s);
    return;
  }
  memcpy(s->to, s->from, s->copied);
  __asm__ volatile("" ::"r"(s->to) : "memory");
}

bool subject_call(const bench_case *c, const subject *s, arrays *a, scanc_error *err) {
  if (s->kind == SUBJECT_REFERENCE) {
    void *in[BENCH_MAX_ARRAYS], *out[BENCH_MAX_ARRAYS];
    memcpy(in, a->in_data, sizeof in);
    memcpy(out, a->out_data, sizeof out);
    s->ref->fn(in, out, c->size->n);
  } else if (s->kind == SUBJECT_MEMCPY) {
    copy(s);
  } else {
    return scanc_run(s->prog, a->in, a->n_in, a->out, a->n_out, err) == SCANC_OK;
  }
  return true;
}

static long interruptions(void) {
  struct rusage used;
  return getrusage(RUSAGE_SELF, &used) == 0 ? used.ru_nivcsw : 0;
}

static void drop_outputs(const subject *s, const arrays *a) {
  if (s->kind == SUBJECT_MEMCPY) drop_pages(s->to, s->copied);
  else
    for (int i = 0; i < a->n_out; i++) drop_pages(a->out[i].data, tensor_bytes(&a->out[i]));
}

/* ---- samples ---- */

/* Calls before a sample, which are not timed: as many as this until so much time has passed. */
typedef struct {
  int least, most;
  double ns;
} warming;

/* All functions use the same arrays, so after a call or a few the caches hold what they held
 * before, and what other CPUs took has come back. Several threads have to be woken, and each has to
 * get its part of what one CPU had; memcpy has arrays of its own, which a shared cache keeps only
 * when they have been used some times. */
static warming warming_of(const subject *s) {
  bool brief = s->first_ns < warming_ns, several = s->how.threads > 1;
  if (brief)
    return several || s->kind == SUBJECT_MEMCPY ? (warming){8, 20, 1e6} : (warming){1, 4, 2e5};
  return (warming){several && s->first_ns < hopeless_ns ? 2 : 0, 2, 0};
}

static bool warm(const bench_case *c, subject *s, arrays *a) {
  scanc_error err = {0};
  warming w = warming_of(s);
  double start = now_ns(), passed = 0;
  for (int k = 0; k < w.most && passed < (k < w.least ? futile_ns : w.ns); k++) {
    if (!subject_call(c, s, a, &err)) return false;
    passed = now_ns() - start;
  }
  return true;
}

/* What warm takes where a call takes so long. */
static double warming_cost(const subject *s, double once) {
  warming w = warming_of(s);
  double until_end = ceil(w.ns / once);
  return once * fmax(w.least, fmin(w.most, until_end));
}

/* ns per call; negative: it failed. A sample during which the system gave the CPU to somebody else
 * is taken again, a few times. */
static double sample_awake(const bench_case *c, subject *s, arrays *a) {
  scanc_error err = {0};
  double ns = 0;
  for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    double begin = now_ns();
    if (!warm(c, s, a)) return -1;
    bool futile = now_ns() - begin >= futile_ns;
    if (a->fresh_pages) drop_outputs(s, a);
    long before = interruptions();
    double start = now_ns();
    for (int k = 0; k < s->calls; k++)
      if (!subject_call(c, s, a, &err)) return -1;
    ns = now_ns() - start;
    if (interruptions() == before || ns > hopeless_ns || futile) break;
  }
  return ns / s->calls;
}

/* The team sleeps before the next subject, whose threads may want the same CPUs. */
static double sample(const bench_case *c, subject *s, arrays *a) {
  double ns = sample_awake(c, s, a);
  team_rest();
  return ns;
}

static bool in_turn(const subject *s, double budget_ns) {
  return !s->failure && s->kind != SUBJECT_PEER && s->first_ns < too_long * budget_ns;
}

/* How many calls make a sample. The first call was cold, so it is no measure of short ones. Returns
 * what a sample takes. */
static double choose_calls(const bench_case *c, subject *s, arrays *a) {
  double once = s->first_ns;
  s->calls = 1;
  for (int k = 0; k < 3 && once < warming_ns; k++) {
    once = fmax(sample(c, s, a), 1);
    s->calls = once < sample_ns && !a->fresh_pages ? (int)(sample_ns / once) + 1 : 1;
  }
  return once * s->calls + warming_cost(s, once);
}

static int choose_rounds(bench_case *c, arrays *a, double budget_ns) {
  double round = 1;
  for (int i = 0; i < c->n_subjects; i++)
    if (in_turn(&c->subjects[i], budget_ns)) round += choose_calls(c, &c->subjects[i], a);
  double rounds = budget_ns / round;
  return rounds < LEAST_ROUNDS ? LEAST_ROUNDS : rounds > MOST_ROUNDS ? MOST_ROUNDS : (int)rounds;
}

/* Every round begins with another subject: what happens in a rhythm does not hit always the same.
 */
static void one_round(bench_case *c, arrays *a, double budget_ns, int round) {
  for (int i = 0; i < c->n_subjects; i++) {
    subject *s = &c->subjects[(i + round) % c->n_subjects];
    if (!in_turn(s, budget_ns)) continue;
    double ns = sample(c, s, a);
    if (ns < 0) case_fail(c, s, text_printf("fails when it is run again"));
    else s->samples[round] = ns;
  }
}

double subjects_ratio(const subject *a, const subject *b) {
  bool paired = a->s.n == b->s.n && a->kind != SUBJECT_PEER && b->kind != SUBJECT_PEER;
  return paired ? median_of_ratios(a->samples, b->samples, a->s.n) : a->s.median / b->s.median;
}

void subject_relate(const bench_case *c, subject *s) {
  const subject *mine = subject_rival(c, s);
  if (!subject_timed(mine)) mine = &c->subjects[0];
  if (!subject_timed(mine) || !subject_timed(s)) return;
  s->paired = mine->s.n == s->s.n && s->kind != SUBJECT_PEER;
  s->ratio = subjects_ratio(mine, s);
}

bool subject_may_repeat(const subject *s) { return s->first_ns <= no_second_ns; }

/* First calls meet cold caches, pages that are not there yet and threads that sleep: a second one
 * says more about how long they take. */
static void second_calls(bench_case *c, arrays *a) {
  for (int i = 0; i < c->n_subjects; i++) {
    subject *s = &c->subjects[i];
    scanc_error err = {0};
    if (s->failure || !subject_may_repeat(s)) continue;
    if (a->fresh_pages) drop_outputs(s, a);
    double start = now_ns();
    if (subject_call(c, s, a, &err)) s->first_ns = fmin(s->first_ns, now_ns() - start);
    team_rest();
  }
}

void case_time(bench_case *c, arrays *a, double budget) {
  double budget_ns = budget * 1e9;
  second_calls(c, a);
  int rounds = choose_rounds(c, a, budget_ns);
  for (int i = 0; i < c->n_subjects; i++)
    c->subjects[i].samples = must_alloc((size_t)rounds * sizeof(double));
  for (int k = 0; k < rounds; k++) one_round(c, a, budget_ns, k);
  for (int i = 0; i < c->n_subjects; i++) {
    subject *s = &c->subjects[i];
    if (s->failure) continue;
    if (!in_turn(s, budget_ns)) {
      s->samples[0] = s->first_ns;
      s->note = text_printf("measured once: a call takes %.2f s", s->first_ns * 1e-9);
    }
    statistics_make(&s->s, s->samples, in_turn(s, budget_ns) ? rounds : 1);
  }
}
