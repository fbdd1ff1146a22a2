/* The figures of the tables: ratios of times, each to the best of its kind. */
#include "harness.h"

/* What is named here is compared between records (compare.c) and written by --json. */
const char *const figure_names[N_FIGURES] = {"plain",   "c",         "fused",        "reordered",
                                             "copy",    "c_v3",      "fused_v3",     "plain_v3",
                                             "threads", "c_threads", "copy_threads", "peer"};

/* Of scanc with several threads the one there is. */
static const subject *with_threads(const bench_case *c) {
  for (int i = 0; i < c->n_subjects; i++)
    if (c->subjects[i].kind == SUBJECT_SCANC && c->subjects[i].how.threads > 1)
      return &c->subjects[i];
  return NULL;
}

static const subject *c_with_threads(const bench_case *c) {
  const subject *mine = with_threads(c);
  return mine ? best_reference(c, ANY_C, mine->how, false) : NULL;
}

static const subject *copy_with_threads(const bench_case *c) {
  const subject *mine = with_threads(c);
  return mine ? find_copy(c, mine->how.threads) : NULL;
}

const subject *case_figure_subject(const bench_case *c, int figure) {
  switch (figure) {
    case FIGURE_PLAIN_V3:
    case FIGURE_PLAIN: return best_reference(c, 1 << REF_PLAIN, PLAINLY, false);
    case FIGURE_C: return best_reference(c, ANY_C, PLAINLY, false);
    case FIGURE_FUSED: return best_reference(c, ANY_C, CONTRACTED, false);
    case FIGURE_REORDERED: return best_reference(c, ANY_C, PLAINLY, true);
    case FIGURE_COPY: return find_copy(c, 1);
    case FIGURE_C_V3: return best_reference(c, ANY_C, STRICT_V3, false);
    case FIGURE_FUSED_V3: return best_reference(c, ANY_C, CONTRACTED_V3, false);
    case FIGURE_THREADS: return with_threads(c);
    case FIGURE_C_THREADS: return c_with_threads(c);
    case FIGURE_COPY_THREADS: return copy_with_threads(c);
    default: return best_peer(c, NULL, 1);
  }
}

bool case_figure_lacks_kernel(const bench_case *c, int figure) {
  if (figure != FIGURE_C_V3 && figure != FIGURE_FUSED_V3) return false;
  const subject *s = case_figure_subject(c, figure);
  build_kind native = {false, s && s->how.contract, 1};
  return s && s->ref->kind != REF_KERNEL && best_reference(c, 1 << REF_KERNEL, native, false);
}

double case_bound(const bench_case *c, const json_t *probes, bool *arithmetic) {
  const subject *copy = find_copy(c, 1);
  double rate = json_number_value(json_object_get(probes, "fma_gflops"));
  double moving = subject_timed(copy) ? copy->s.median : 0;
  double computing = rate > 0 ? c->w->flops(c->size->n) / rate : 0;
  *arithmetic = computing > moving;
  return *arithmetic ? computing : moving;
}

double case_figure(const bench_case *c, int figure) {
  const subject *s = case_figure_subject(c, figure), *v3 = find_scanc(c, STRICT_V3);
  if (!subject_timed(s)) return 0;
  if (figure == FIGURE_PLAIN_V3) return subject_timed(v3) ? subjects_ratio(v3, s) : 0;
  return s->ratio;
}
