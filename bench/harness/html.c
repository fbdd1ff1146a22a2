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

enum { LABELS = 400, BARS = 330, TEXTS = 330, LINE = 18 };
static const char blue[] = "#2b6cb0", red[] = "#c05621", grey[] = "#718096", green[] = "#2f855a";

/* Bars on a logarithmic scale, as ratios go from thousandths to thousands, with a line at `mark`.
 */
static void chart(FILE *to, const bar *bars, int n, double mark) {
  double least = mark, most = mark;
  for (int i = 0; i < n; i++) {
    least = fmin(least, bars[i].value);
    most = fmax(most, bars[i].value);
  }
  double low = log10(least) - 0.3, scale = BARS / (log10(most) + 0.1 - low);
  fprintf(to, "<svg width=\"%d\" height=\"%d\">\n", LABELS + BARS + TEXTS, n * LINE + 4);
  for (int i = 0; i < n; i++) {
    int y = i * LINE;
    fprintf(to, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", LABELS - 8, y + 13);
    escaped(to, bars[i].label);
    fprintf(to, "</text><rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>", LABELS,
            y + 3, fmax(1, (log10(bars[i].value) - low) * scale), LINE - 5, bars[i].colour);
    fprintf(to, "<text x=\"%.1f\" y=\"%d\">", LABELS + (log10(bars[i].value) - low) * scale + 5,
            y + 13);
    escaped(to, bars[i].text);
    fputs("</text>\n", to);
  }
  double x = LABELS + (log10(mark) - low) * scale;
  fprintf(to,
          "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"0\" y2=\"%d\" stroke=\"#1a202c\" "
          "stroke-dasharray=\"3 3\"/></svg>\n",
          x, x, n * LINE + 4);
}

/* One bar per case that `pick` finds something for: the time of scanc over that of what it finds.
 */
typedef const subject *pick_fn(const bench_case *c, const char *name);

static void overview(FILE *to, const report *r, const char *title, pick_fn *pick,
                     const char *name) {
  bar *bars = must_alloc((size_t)(r->n + 1) * sizeof *bars);
  int n = 0;
  for (int i = 0; i < r->n; i++) {
    const subject *s = pick(&r->cases[i], name);
    if (!subject_timed(s) || s->ratio <= 0) continue;
    bars[n++] = (bar){r->cases[i].name, s->ratio, s->ratio <= 1.05 ? blue : red,
                      text_printf("%.3g  (%s)", s->ratio, s->label)};
  }
  if (n) {
    element(to, "h3", title);
    chart(to, bars, n, 1);
  }
  for (int i = 0; i < n; i++) free((char *)bars[i].text);
  free(bars);
}

static const subject *pick_c(const bench_case *c, const char *name) {
  (void)name;
  return best_reference(c, ANY_C, false);
}

static const subject *pick_fused(const bench_case *c, const char *name) {
  (void)name;
  return best_reference(c, ANY_C, true);
}

static const subject *pick_plain(const bench_case *c, const char *name) {
  (void)name;
  return best_reference(c, 1 << REF_PLAIN, false);
}

static const subject *pick_copy(const bench_case *c, const char *name) {
  (void)name;
  return find_subject(c, SUBJECT_MEMCPY);
}

static void overviews(FILE *to, const report *r) {
  element(to, "h2", "Time of scanc as a multiple of the time of others");
  element(to, "p", "Below 1, left of the dashed line, scanc is faster. The scale is logarithmic.");
  overview(
      to, r,
      "the best C function, -ffp-contract=off (scanc is strict: this is the comparison of equals)",
      pick_c, NULL);
  overview(to, r, "the best C function, -ffp-contract=fast", pick_fused, NULL);
  overview(to, r, "the plain C loop", pick_plain, NULL);
  overview(to, r, "memcpy of the bytes that have to be moved", pick_copy, NULL);
  const char *name;
  json_t *peer;
  json_object_foreach(r->peers, name, peer) {
    char *title = text_printf("the fastest variant of %s", name);
    overview(to, r, title, best_peer, name);
    free(title);
  }
}

/* ---- sizes ---- */

/* Times per unit over the sizes of a workload, where it has several. */
static void scaling(FILE *to, const report *r) {
  bar bars[BENCH_MAX_CASES];
  element(to, "h2", "Time per unit over sizes");
  for (int i = 0, n; i < r->n; i += n) {
    const workload *w = r->cases[i].w;
    int timed = 0;
    for (n = 0; i + n < r->n && r->cases[i + n].w == w; n++) {
      const bench_case *c = &r->cases[i + n];
      double ns = c->subjects[0].s.median / w->units(c->size->n);
      if (subject_timed(&c->subjects[0]))
        bars[timed++] = (bar){c->name, ns, green, text_printf("%.3g ns per %s", ns, w->unit)};
    }
    if (timed > 1) {
      element(to, "h3", w->what);
      chart(to, bars, timed, bars[0].value);
    }
    for (int k = 0; k < timed; k++) free((char *)bars[k].text);
  }
}

/* ---- single cases ---- */

static void case_chart(FILE *to, const bench_case *c) {
  static const char *const colours[] = {green, green, blue, grey, red};
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
  if (n) chart(to, bars, n, bars[0].value);
  for (int i = 0; i < n; i++) free((char *)bars[i].text);
}

static void one_case(FILE *to, const bench_case *c) {
  element(to, "h3", c->name);
  double median = c->subjects[0].s.median, ns = median > 0 ? median : INFINITY;
  char *about =
      text_printf("%s. %.1f GB/s, %.2f GFLOP/s. Compiled in %.1f ms, from the cache in %.2f ms. %s",
                  c->w->what, c->w->bytes(c->size->n) / ns, c->w->flops(c->size->n) / ns,
                  c->compile_cold_ms, c->compile_cached_ms, c->executed ? c->executed : "");
  element(to, "p", about);
  free(about);
  if (c->interpreted) element(to, "pre", c->interpreted);
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
        "svg text { font: 12px sans-serif } h3 { margin-bottom: .3em } p { margin: .3em 0 }\n"
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
  char *text = text_printf("%d cases, %d failures. Every time shown is of a result that was "
                           "compared with that of the plain C loop in "
                           "this run. scanc computes strictly, one rounding per operation, in one "
                           "thread. Ratios are medians of "
                           "ratios of samples taken in turn; those to other frameworks, which time "
                           "themselves in processes of their "
                           "own, are ratios of medians.",
                           r->n, r->failures);
  element(to, "p", text);
  free(text);
  if (r->left_out) element(to, "b", r->left_out);
  overviews(to, r);
  scaling(to, r);
  element(to, "h2", "Cases");
  for (int i = 0; i < r->n; i++) one_case(to, &r->cases[i]);
  json_block(to, "What the machine can do", r->probes);
  json_block(to, "Other frameworks", r->peers);
  json_block(to, "Machine and build", r->machine);
  fputs("</body></html>\n", to);
}

bool report_write_html(const report *r, const char *path) {
  char *part = text_printf("%s.part", path);
  FILE *to = fopen(part, "w");
  if (to) {
    head(to);
    body(to, r);
  }
  bool ok = to && !ferror(to);
  if (to) ok = fclose(to) == 0 && ok;
  ok = ok && rename(part, path) == 0;
  if (!ok) {
    fprintf(stderr, "scanc bench: cannot write %s\n", path);
    unlink(part);
  }
  free(part);
  return ok;
}
