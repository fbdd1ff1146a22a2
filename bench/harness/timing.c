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
/* Before a sample of shorter calls, one more warms the caches, which hold what was measured before.
 */
static const double warming_ns = 1e6;
/* What took so long is not even called a second time. */
static const double no_second_ns = 5e9;
/* A call that takes so much of the budget is not repeated. */
static const double too_long = 0.5;

bool subject_call(const bench_case *c, const subject *s, arrays *a, scanc_error *err) {
  if (s->kind == SUBJECT_REFERENCE) {
    void *in[BENCH_MAX_ARRAYS], *out[BENCH_MAX_ARRAYS];
    memcpy(in, a->in_data, sizeof in);
    memcpy(out, a->out_data, sizeof out);
    s->ref->fn(in, out, c->size->n);
  } else if (s->kind == SUBJECT_MEMCPY) {
    memcpy(s->to, s->from, s->copied);
    __asm__ volatile("" ::"r"(s->to) : "memory");
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

/* ns per call; negative: it failed. A sample during which the system gave the CPU to somebody else
 * is taken again, a few times. */
static double sample(const bench_case *c, subject *s, arrays *a) {
  scanc_error err = {0};
  double ns = 0;
  for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    if (s->first_ns < warming_ns && !subject_call(c, s, a, &err)) return -1;
    if (a->fresh_pages) drop_outputs(s, a);
    long before = interruptions();
    double start = now_ns();
    for (int k = 0; k < s->calls; k++)
      if (!subject_call(c, s, a, &err)) return -1;
    ns = now_ns() - start;
    if (interruptions() == before || ns > hopeless_ns) break;
  }
  return ns / s->calls;
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
  return once * (s->calls + (once < warming_ns));
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

/* First calls meet cold caches and pages that are not there yet: a second one says more about what
 * seems slow. */
static void second_calls(bench_case *c, arrays *a, double budget_ns) {
  for (int i = 0; i < c->n_subjects; i++) {
    subject *s = &c->subjects[i];
    if (s->failure || in_turn(s, budget_ns) || s->first_ns > no_second_ns) continue;
    s->calls = 1;
    double ns = sample(c, s, a);
    if (ns >= 0) s->first_ns = fmin(s->first_ns, ns);
  }
}

void case_time(bench_case *c, arrays *a, double budget) {
  double budget_ns = budget * 1e9;
  second_calls(c, a, budget_ns);
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
