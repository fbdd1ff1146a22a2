/* What is said in words about times: where scanc takes longer than what it is held to. */
#include <stdlib.h>

#include "harness.h"

/* What is slower by less is not remarked on. */
static const double slight = 0.05;

static void say_loss(FILE *to, const bench_case *c, const subject *other) {
  const subject *mine = subject_timed(other) ? subject_rival(c, other) : NULL;
  if (subject_timed(mine) && other->ratio > 1 + slight)
    fprintf(to, "%s takes %.2f times as long as \"%s\"\n", mine->label, other->ratio, other->label);
}

/* What other threads cost instead of help, and what others do with as many. */
static void say_losses_of_threads(FILE *to, const bench_case *c) {
  for (int i = 1; i < c->n_subjects; i++) {
    const subject *s = &c->subjects[i];
    if (s->kind != SUBJECT_SCANC || s->how.threads == 1 || !subject_timed(s)) continue;
    if (s->ratio > 0 && 1 / s->ratio > 1 + slight)
      fprintf(to, "%s takes %.2f times as long as with one thread\n", s->label, 1 / s->ratio);
    say_loss(to, c, best_reference(c, ANY_C, s->how, false));
    say_loss(to, c, best_peer(c, NULL, s->how.threads));
  }
}

/* The columns in which scanc stands beside C or a framework; memcpy is a bound. */
char *case_losses(const bench_case *c) {
  static const int columns[] = {FIGURE_C,    FIGURE_FUSED,    FIGURE_REORDERED,
                                FIGURE_C_V3, FIGURE_FUSED_V3, FIGURE_PEER};
  char *text = NULL;
  size_t n = 0;
  FILE *to = open_memstream(&text, &n);
  if (!to) abort();
  for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
    say_loss(to, c, case_figure_subject(c, columns[k]));
  say_losses_of_threads(to, c);
  fclose(to);
  return text;
}
