/* What is compared, and the statistics of its times. */
#include <stdlib.h>
#include <string.h>

#include "harness.h"

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double *sorted(const double *samples, int n) {
  double *v = must_alloc((size_t)n * sizeof *v);
  memcpy(v, samples, (size_t)n * sizeof *v);
  qsort(v, (size_t)n, sizeof *v, by_value);
  return v;
}

static double middle(const double *v, int n) {
  return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

void statistics_make(statistics *s, const double *samples, int n) {
  double *v = sorted(samples, n);
  s->n = n;
  s->least = v[0];
  s->median = middle(v, n);
  s->spread = (v[n - 1 - n / 4] - v[n / 4]) / s->median;
  free(v);
}

double median_of_ratios(const double *a, const double *b, int n) {
  double *v = must_alloc((size_t)n * sizeof *v);
  for (int i = 0; i < n; i++) v[i] = a[i] / b[i];
  qsort(v, (size_t)n, sizeof *v, by_value);
  double m = middle(v, n);
  free(v);
  return m;
}

bool subject_timed(const subject *s) { return s && !s->failure && s->s.n > 0; }

static bool faster(const subject *s, const subject *than) {
  return subject_timed(s) && (!than || s->s.median < than->s.median);
}

static bool is_built(const subject *s, build_kind how) {
  return s->how.v3 == how.v3 && s->how.contract == how.contract && s->how.threads == how.threads;
}

const subject *best_reference(const bench_case *c, unsigned kinds, build_kind how, bool reordered) {
  const subject *best = NULL;
  for (int i = 0; i < c->n_subjects; i++) {
    const subject *s = &c->subjects[i];
    if (s->kind == SUBJECT_REFERENCE && kinds >> s->ref->kind & 1 && is_built(s, how) &&
        s->ref->reordered == reordered && faster(s, best))
      best = s;
  }
  return best;
}

const subject *best_peer(const bench_case *c, const char *peer, int threads) {
  const subject *best = NULL;
  for (int i = 0; i < c->n_subjects; i++) {
    const subject *s = &c->subjects[i];
    if (s->kind == SUBJECT_PEER && s->how.threads == threads &&
        (!peer || strcmp(s->peer, peer) == 0) && faster(s, best))
      best = s;
  }
  return best;
}

const subject *find_copy(const bench_case *c, int threads) {
  for (int i = 0; i < c->n_subjects; i++)
    if (c->subjects[i].kind == SUBJECT_MEMCPY && c->subjects[i].how.threads == threads)
      return &c->subjects[i];
  return NULL;
}

const subject *find_scanc(const bench_case *c, build_kind how) {
  for (int i = 0; i < c->n_subjects; i++)
    if (c->subjects[i].kind == SUBJECT_SCANC && is_built(&c->subjects[i], how))
      return &c->subjects[i];
  return NULL;
}

const subject *subject_rival(const bench_case *c, const subject *s) {
  const subject *rival = s->kind == SUBJECT_SCANC ? NULL : find_scanc(c, s->how);
  return rival ? rival : &c->subjects[0];
}
