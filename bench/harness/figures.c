/* The figures of the tables: ratios of times, each to the best of its kind. */
#include "harness.h"

/* What is named here is compared between records (compare.c) and written by --json. */
const char *const figure_names[N_FIGURES] = {"plain", "c",        "fused",   "reordered", "copy",
                                             "c_v3",  "fused_v3", "threads", "peer"};

/* Of scanc with several threads the one there is. */
static const subject *with_threads(const bench_case *c) {
  for (int i = 0; i < c->n_subjects; i++)
    if (c->subjects[i].kind == SUBJECT_SCANC && c->subjects[i].how.threads > 1)
      return &c->subjects[i];
  return NULL;
}

const subject *case_figure_subject(const bench_case *c, int figure) {
  switch (figure) {
    case FIGURE_PLAIN: return best_reference(c, 1 << REF_PLAIN, PLAINLY, false);
    case FIGURE_C: return best_reference(c, ANY_C, PLAINLY, false);
    case FIGURE_FUSED: return best_reference(c, ANY_C, CONTRACTED, false);
    case FIGURE_REORDERED: return best_reference(c, ANY_C, PLAINLY, true);
    case FIGURE_COPY: return find_subject(c, SUBJECT_MEMCPY);
    case FIGURE_C_V3: return best_reference(c, ANY_C, STRICT_V3, false);
    case FIGURE_FUSED_V3: return best_reference(c, ANY_C, CONTRACTED_V3, false);
    case FIGURE_THREADS: return with_threads(c);
    default: return best_peer(c, NULL, 1);
  }
}

double case_bound(const bench_case *c, const json_t *probes, bool *arithmetic) {
  const subject *copy = find_subject(c, SUBJECT_MEMCPY);
  double rate = json_number_value(json_object_get(probes, "fma_gflops"));
  double moving = subject_timed(copy) ? copy->s.median : 0;
  double computing = rate > 0 ? c->w->flops(c->size->n) / rate : 0;
  *arithmetic = computing > moving;
  return *arithmetic ? computing : moving;
}

double case_figure(const bench_case *c, int figure) {
  const subject *s = case_figure_subject(c, figure);
  return subject_timed(s) ? s->ratio : 0;
}
