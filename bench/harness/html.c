/* The report as one HTML file with charts in SVG, which needs nothing else. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"

static void escaped(FILE *to, const char *text) {
  for (; *text; text++) {
    if (*text == '<') fputs("&lt;", to);
    else if (*text == '>') fputs("&gt;", to);
    else if (*text == '&') fputs("&amp;", to);
    else if (*text == '"') fputs("&quot;", to);
    else fputc(*text, to);
  }
}

static void element(FILE *to, const char *tag, const char *text) {
  fprintf(to, "<%s>", tag);
  escaped(to, text);
  fprintf(to, "</%s>\n", tag);
}

/* ---- charts ---- */

typedef struct {
  const char *label;
  double value;
  const char *colour, *text; /* text: what stands behind the bar */
} bar;

/* Names of cases are shorter than those of what a case is compared with. */
enum { CASES = 240, SUBJECTS = 560, BARS = 330, TEXTS = 430, LINE = 18 };
static const char blue[] = "#2b6cb0", red[] = "#c05621", grey[] = "#718096", green[] = "#2f855a";

/* Bars on a logarithmic scale, as ratios go from thousandths to thousands, with a line at `mark`.
 */
static void chart(FILE *to, const bar *bars, int n, double mark, int labels) {
  double least = mark, most = mark;
  for (int i = 0; i < n; i++) {
    least = fmin(least, bars[i].value);
    most = fmax(most, bars[i].value);
  }
  double low = log10(least) - 0.3, scale = BARS / (log10(most) + 0.1 - low);
  fprintf(to, "<svg width=\"%d\" height=\"%d\">\n", labels + BARS + TEXTS, n * LINE + 4);
  for (int i = 0; i < n; i++) {
    int y = i * LINE;
    fprintf(to, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", labels - 8, y + 13);
    escaped(to, bars[i].label);
    fprintf(to, "</text><rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>", labels,
            y + 3, fmax(1, (log10(bars[i].value) - low) * scale), LINE - 5, bars[i].colour);
    fprintf(to, "<text x=\"%.1f\" y=\"%d\">", labels + (log10(bars[i].value) - low) * scale + 5,
            y + 13);
    escaped(to, bars[i].text);
    fputs("</text>\n", to);
  }
  double x = labels + (log10(mark) - low) * scale;
  fprintf(to,
          "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"0\" y2=\"%d\" stroke=\"#1a202c\" "
          "stroke-dasharray=\"3 3\"/></svg>\n",
          x, x, n * LINE + 4);
}

/* ---- one bar per case ---- */

/* What a chart is about: a figure of figures.c, or a peer. */
typedef struct {
  int figure;       /* -1: a peer */
  const char *peer; /* its name */
  int threads;
} topic;

static const subject *pick(const bench_case *c, const topic *t) {
  return t->figure >= 0 ? case_figure_subject(c, t->figure) : best_peer(c, t->peer, t->threads);
}

/* The time of scanc over the least that the machine allows. */
static void bounds(FILE *to, const report *r) {
  bar *bars = must_alloc((size_t)(r->n + 1) * sizeof *bars);
  int n = 0;
  for (int i = 0; i < r->n; i++) {
    const bench_case *c = &r->cases[i];
    bool arithmetic;
    double ns = case_bound(c, r->probes, &arithmetic), mine = c->subjects[0].s.median;
    if (ns <= 0 || mine <= 0) continue;
    bars[n++] = (bar){c->name, mine / ns, grey,
                      text_printf("%.3g  (%s)", mine / ns,
                                  arithmetic ? "operations at the rate of f32 multiply-adds"
                                             : "memcpy of the same bytes")};
  }
  if (n) {
    element(to, "h3",
            "the roofline: memcpy of the bytes or the operations at the measured peak, whichever "
            "is longer");
    chart(to, bars, n, 1, CASES);
  }
  for (int i = 0; i < n; i++) free((char *)bars[i].text);
  free(bars);
}

/* The ratio of the topic: the time of scanc over that of s; with threads, where the other is scanc
 * itself, what is left of the time. */
static double topic_ratio(const bench_case *c, const topic *t, const subject *s) {
  double x = t->figure >= 0 ? case_figure(c, t->figure) : s->ratio;
  return t->figure == FIGURE_THREADS && x > 0 ? 1 / x : x;
}

/* The time of scanc over that of what the topic finds. */
static void overview(FILE *to, const report *r, const char *title, topic t) {
  bar *bars = must_alloc((size_t)(r->n + 1) * sizeof *bars);
  int n = 0;
  for (int i = 0; i < r->n; i++) {
    const subject *s = pick(&r->cases[i], &t);
    double x = subject_timed(s) ? topic_ratio(&r->cases[i], &t, s) : 0;
    if (x <= 0) continue;
    bool lacks = t.figure >= 0 && case_figure_lacks_kernel(&r->cases[i], t.figure);
    bars[n++] = (bar){r->cases[i].name, x, x <= 1.05 ? blue : red,
                      text_printf("%.3g%s  (%s)", x, lacks ? "~" : "", s->label)};
  }
  if (n) {
    element(to, "h3", title);
    chart(to, bars, n, 1, CASES);
  }
  for (int i = 0; i < n; i++) free((char *)bars[i].text);
  free(bars);
}

static void overviews(FILE *to, const report *r) {
  static const char *const titles[N_FIGURES] = {
      "the plain C loop",
      "the best C function, -ffp-contract=off (scanc is strict: this is the comparison of equals)",
      "scanc --fp=contract to the best C function, -ffp-contract=fast",
      "the best C function that computes in an order which the program does not allow",
      "memcpy of the bytes that have to be moved",
      "scanc --cpu=x86-64-v3 to the best C function, -march=x86-64-v3 -ffp-contract=off",
      "scanc --cpu=x86-64-v3 --fp=contract to the best C function, the same with fast",
      "scanc --cpu=x86-64-v3 to the plain C loop",
      "scanc with several threads to scanc with one",
      "scanc with several threads to the best C function with as many",
      "scanc with several threads to memcpy of the bytes by as many",
      "the fastest other framework"};
  static const int order[N_FIGURES] = {FIGURE_C,         FIGURE_FUSED,        FIGURE_C_V3,
                                       FIGURE_FUSED_V3,  FIGURE_PLAIN_V3,     FIGURE_REORDERED,
                                       FIGURE_PLAIN,     FIGURE_COPY,         FIGURE_THREADS,
                                       FIGURE_C_THREADS, FIGURE_COPY_THREADS, FIGURE_PEER};
  element(to, "h2", "Time of scanc as a multiple of the time of others");
  element(to, "p", "Below 1, left of the dashed line, scanc is faster. The scale is logarithmic.");
  element(to, "p",
          "~: the C function for x86-64-v3 is what the compiler makes of a loop, though there is a "
          "kernel with intrinsics for this CPU: a low figure is no proof of good code there.");
  for (int k = 0; k < N_FIGURES; k++) overview(to, r, titles[order[k]], (topic){order[k], NULL, 1});
  bounds(to, r);
  const char *name;
  json_t *peer;
  for (int threads = 1; threads <= r->options->threads; threads++) {
    json_object_foreach(r->peers, name, peer) {
      char *title = threads == 1 ? text_printf("the fastest variant of %s", name)
                                 : text_printf("the fastest variant of %s, both with %d threads",
                                               name, threads);
      overview(to, r, title, (topic){-1, name, threads});
      free(title);
    }
  }
}

/* ---- scaling ---- */

/* Whether the cases differ in size k only. */
static bool differ_in(const bench_case *a, const bench_case *b, int k) {
  for (int i = 0; i < BENCH_MAX_SIZES; i++)
    if (i != k && a->size->n[i] != b->size->n[i]) return false;
  return true;
}

static const bench_case *smallest_of(const report *r, const bench_case *like, int k,
                                     int64_t above) {
  const bench_case *best = NULL;
  for (int i = 0; i < r->n; i++) {
    const bench_case *c = &r->cases[i];
    if (c->w == like->w && differ_in(c, like, k) && c->size->n[k] > above &&
        (!best || c->size->n[k] < best->size->n[k]))
      best = c;
  }
  return best;
}

/* Time per unit of scanc and of the best C over size k, in the cases that else are as `first`. */
static void scale_over(FILE *to, const report *r, const bench_case *first, int k) {
  bar bars[2 * BENCH_MAX_CASES];
  int n = 0;
  for (const bench_case *c = first; c; c = smallest_of(r, first, k, c->size->n[k])) {
    const subject *both[2] = {&c->subjects[0], best_reference(c, ANY_C, PLAINLY, false)};
    for (int j = 0; j < 2 && n < 2 * BENCH_MAX_CASES; j++) {
      if (!subject_timed(both[j])) continue;
      double ns = both[j]->s.median / c->w->units(c->size->n);
      bars[n++] = (bar){j ? "the best C" : c->name, ns, j ? grey : green,
                        text_printf("%.3g ns per %s", ns, c->w->unit)};
    }
  }
  char names[32], *state, *name = NULL;
  snprintf(names, sizeof names, "%s", first->w->size_names);
  for (int j = 0; j <= k; j++) name = strtok_r(j ? NULL : names, " ", &state);
  char *title = text_printf("%s, over %s: %s", first->w->name, name ? name : "", first->w->what);
  if (n > 2) {
    element(to, "h3", title);
    chart(to, bars, n, bars[0].value, CASES);
  }
  free(title);
  for (int j = 0; j < n; j++) free((char *)bars[j].text);
}

/* For every size of every workload, where it is varied. */
static void scaling(FILE *to, const report *r) {
  element(to, "h2", "Time per unit over sizes: elements, steps (t), lanes (d, i), operations");
  for (int i = 0; i < r->n; i++)
    for (int k = 0; k < BENCH_MAX_SIZES && r->cases[i].size->n[k]; k++)
      if (smallest_of(r, &r->cases[i], k, 0) == &r->cases[i]) scale_over(to, r, &r->cases[i], k);
}

static void compile_times(FILE *to, const report *r) {
  static const char *const titles[] = {"text to program with new machine code",
                                       "the same, code from the cache",
                                       "a fresh process to its first result"};
  element(to, "h2", "Time to compile");
  for (int k = 0; k < 3; k++) {
    bar *bars = must_alloc((size_t)(r->n + 1) * sizeof *bars);
    int n = 0;
    for (int i = 0; i < r->n; i++) {
      const bench_case *c = &r->cases[i];
      double ms = k == 0   ? c->compile_cold.median
                  : k == 1 ? c->compile_cached_ms
                           : c->first_result_ms;
      if (ms > 0) bars[n++] = (bar){c->name, ms, green, text_printf("%.3g ms", ms)};
    }
    if (n) {
      element(to, "h3", titles[k]);
      chart(to, bars, n, bars[0].value, CASES);
    }
    for (int i = 0; i < n; i++) free((char *)bars[i].text);
    free(bars);
  }
}

/* ---- single cases ---- */

static void case_chart(FILE *to, const bench_case *c) {
  static const char *const colours[] = {green, blue, grey, red};
  bar bars[MAX_SUBJECTS];
  int n = 0;
  double units = c->w->units(c->size->n);
  for (int i = 0; i < c->n_subjects; i++) {
    const subject *s = &c->subjects[i];
    double ns = s->s.median / units;
    if (subject_timed(s))
      bars[n++] = (bar){s->label, ns, colours[s->kind],
                        text_printf("%.3g ns per %s, +-%.0f %%%s%s", ns, c->w->unit,
                                    50 * s->s.spread, s->note ? ", " : "", s->note ? s->note : "")};
  }
  if (n) chart(to, bars, n, bars[0].value, SUBJECTS);
  for (int i = 0; i < n; i++) free((char *)bars[i].text);
}

static void one_case(FILE *to, const bench_case *c) {
  element(to, "h3", c->name);
  double median = c->subjects[0].s.median, ns = median > 0 ? median : INFINITY;
  char *about =
      text_printf("%s. %.1f GB/s, %.2f GFLOP/s. Compiled in %.1f ms, from the cache in %.2f ms. %s",
                  c->w->what, c->w->bytes(c->size->n) / ns, c->w->flops(c->size->n) / ns,
                  c->compile_cold.median, c->compile_cached_ms, c->executed ? c->executed : "");
  element(to, "p", about);
  free(about);
  if (c->interpreted) element(to, "pre", c->interpreted);
  char *losses = case_losses(c);
  if (*losses) element(to, "pre", losses);
  free(losses);
  for (int i = 0; i < c->n_subjects; i++) {
    const subject *s = &c->subjects[i];
    if (!s->failure) continue;
    char *text = text_printf("%s: %s", s->label, s->failure);
    element(to, s->kind == SUBJECT_PEER ? "p" : "b", text);
    free(text);
  }
  case_chart(to, c);
}

/* ---- the file ---- */

static void head(FILE *to) {
  fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>scanc "
        "bench</title><style>\n"
        "body { font: 15px sans-serif; max-width: 1060px; margin: 2em auto; color: #1a202c }\n"
        "svg { overflow: visible } svg text { font: 12px sans-serif } h3 { margin-bottom: .3em } p "
        "{ margin: .3em 0 }\n"
        "b { color: #9b2c2c; display: block } pre { background: #edf2f7; padding: .6em; overflow: "
        "auto }\n"
        "</style></head><body>\n<h1>scanc bench</h1>\n",
        to);
}

static void json_block(FILE *to, const char *title, const json_t *j) {
  char *text = json_dumps(j, JSON_INDENT(2) | JSON_REAL_PRECISION(5));
  element(to, "h2", title);
  element(to, "pre", text ? text : "");
  free(text);
}

static void body(FILE *to, const report *r) {
  char *text = text_printf(
      "%d cases, %d failures. Every time shown is of a result that was compared with that of the "
      "plain C loop in this run. scanc computes strictly, one rounding per operation, and is "
      "compared with C built so; with --fp=contract it is compared with C that may fuse. One "
      "thread, but where it says otherwise. Ratios are medians of ratios of samples taken in turn; "
      "those to other frameworks, which time themselves in processes of their own, are ratios of "
      "medians.",
      r->n, r->failures);
  element(to, "p", text);
  free(text);
  if (r->left_out) element(to, "b", r->left_out);
  overviews(to, r);
  scaling(to, r);
  compile_times(to, r);
  element(to, "h2", "Cases");
  for (int i = 0; i < r->n; i++) one_case(to, &r->cases[i]);
  json_block(to, "What the machine can do", r->probes);
  json_block(to, "Other frameworks", r->peers);
  json_block(to, "Machine and build", r->machine);
  fputs("</body></html>\n", to);
}

bool report_write_html(const report *r, const char *path) {
  output_file o;
  bool ok = output_open(&o, path);
  if (ok) {
    head(o.to);
    body(o.to, r);
  }
  ok = output_close(&o, ok) && ok;
  if (!ok) fprintf(stderr, "scanc bench: cannot write %s\n", path);
  return ok;
}
