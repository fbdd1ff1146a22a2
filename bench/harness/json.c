/* The report as JSON. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"

static json_t *maybe_text(const char *text) { return text ? json_string(text) : json_null(); }

static json_t *sizes_json(const bench_case *c) {
  json_t *sizes = json_object();
  char *names = text_printf("%s", c->w->size_names), *state;
  int k = 0;
  for (char *name = strtok_r(names, " ", &state); name; name = strtok_r(NULL, " ", &state))
    json_object_set_new(sizes, name, json_integer(c->size->n[k++]));
  free(names);
  return sizes;
}

static json_t *subject_json(const subject *s) {
  static const char *const kinds[] = {"scanc", "reference", "memcpy", "peer"};
  static const char *const reference_kinds[] = {"plain", "good", "kernel", "library"};
  json_t *j = json_pack("{ss ss ss ss si so so}", "label", s->label, "kind", kinds[s->kind], "cpu",
                        s->how.v3 ? "x86-64-v3" : "native", "fp",
                        s->how.contract ? "contract" : "strict", "threads", s->how.threads,
                        "failure", maybe_text(s->failure), "note", maybe_text(s->note));
  if (s->ref) {
    json_object_set_new(j, "reference", json_string(reference_kinds[s->ref->kind]));
    json_object_set_new(j, "compiler", json_string(s->ref->compiler));
    json_object_set_new(j, "reordered", json_boolean(s->ref->reordered));
  }
  if (s->peer) json_object_set_new(j, "peer", json_string(s->peer));
  if (!subject_timed(s)) return j;
  json_object_update_new(
      j, json_pack("{si si sf sf sf sf sf sb}", "samples", s->s.n, "calls_per_sample", s->calls,
                   "min_ns", s->s.least, "median_ns", s->s.median, "spread", s->s.spread, "error",
                   s->worst, "scanc_time_over_this", s->ratio, "paired", s->paired));
  return j;
}

static json_t *ratios_json(const bench_case *c) {
  json_t *j = json_object();
  for (int k = 0; k < N_FIGURES; k++) {
    double x = case_figure(c, k);
    if (x > 0) json_object_set_new(j, figure_names[k], json_real(x));
  }
  return j;
}

/* The ratios of a C function that is no kernel, though there is one for this CPU. */
static json_t *without_kernel_json(const bench_case *c) {
  json_t *j = json_array();
  for (int k = 0; k < N_FIGURES; k++)
    if (case_figure_lacks_kernel(c, k)) json_array_append_new(j, json_string(figure_names[k]));
  return j;
}

static json_t *losses_json(const bench_case *c) {
  json_t *j = json_array();
  char *text = case_losses(c), *rest = text, *line;
  while ((line = next_line(&rest))) json_array_append_new(j, json_string(line));
  free(text);
  return j;
}

static json_t *bound_json(const bench_case *c, const json_t *probes) {
  bool arithmetic;
  double ns = case_bound(c, probes, &arithmetic), mine = c->subjects[0].s.median;
  if (ns <= 0 || mine <= 0) return json_null();
  return json_pack("{ss sf sf}", "what", arithmetic ? "arithmetic" : "memcpy", "ns", ns,
                   "scanc_time_over_this", mine / ns);
}

static json_t *case_json(const bench_case *c, const json_t *probes) {
  const workload *w = c->w;
  const int64_t *n = c->size->n;
  json_t *subjects = json_array();
  for (int i = 0; i < c->n_subjects; i++)
    json_array_append_new(subjects, subject_json(&c->subjects[i]));
  json_t *j = json_pack("{ss ss si ss so ss sf sf sf}", "name", c->name, "workload", w->name, "row",
                        w->row, "what", w->what, "sizes", sizes_json(c), "unit", w->unit, "units",
                        w->units(n), "bytes", w->bytes(n), "flops", w->flops(n));
  json_object_update_new(
      j, json_pack("{sf si sf sf sf sf so so si sf so}", "compile_cold_ms", c->compile_cold.median,
                   "compile_cold_samples", c->compile_cold.n, "compile_cold_min_ms",
                   c->compile_cold.least, "compile_cold_spread", c->compile_cold.spread,
                   "compile_cached_ms", c->compile_cached_ms, "first_result_ms", c->first_result_ms,
                   "executed", maybe_text(c->executed), "interpreted", maybe_text(c->interpreted),
                   "failures", c->failures, "seconds", c->seconds, "subjects", subjects));
  json_object_set_new(j, "ratios", ratios_json(c));
  json_object_set_new(j, "without_kernel", without_kernel_json(c));
  json_object_set_new(j, "losses", losses_json(c));
  json_object_set_new(j, "bound", bound_json(c, probes));
  double ns = c->subjects[0].s.median;
  if (ns > 0)
    json_object_update_new(
        j, json_pack("{sf sf}", "gb_per_s", w->bytes(n) / ns, "gflops", w->flops(n) / ns));
  return j;
}

json_t *report_json(const report *r) {
  const bench_options *o = r->options;
  json_t *cases = json_array();
  for (int i = 0; i < r->n; i++) json_array_append_new(cases, case_json(&r->cases[i], r->probes));
  json_t *method = json_pack(
      "{sb sf sb sI si ss ss ss}", "quick", o->quick, "budget_s", o->budget, "fresh_pages",
      o->fresh_pages, "seed", (json_int_t)o->seed, "threads", o->threads, "compared",
      "strict scanc with -ffp-contract=off, --fp=contract with fast, x86-64-v3 with "
      "-march=x86-64-v3; memcpy and others with strict scanc",
      "ratios",
      "time of scanc over that of the other: median of the ratios of samples taken in "
      "turn; peers and what was called once: "
      "ratio of medians; threads: time with one over time with several",
      "warmed",
      "calls before each sample, of what takes below 1 ms: 1 to 4, until 0.2 ms have passed; of "
      "memcpy "
      "and of several threads 8 to 20, until 1 ms has; 2 of several threads where a call takes "
      "longer");
  return json_pack("{so sO sO sO sf si so so}", "method", method, "machine", r->machine, "probes",
                   r->probes, "peers", r->peers, "seconds", r->seconds, "failures", r->failures,
                   "left_out", maybe_text(r->left_out), "cases", cases);
}

bool report_write_json(const report *r, const char *path) {
  output_file o;
  json_t *j = report_json(r);
  bool ok =
      output_open(&o, path) && json_dumpf(j, o.to, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) == 0;
  ok = output_close(&o, ok) && ok;
  if (!ok) fprintf(stderr, "scanc bench: cannot write %s\n", path);
  json_decref(j);
  return ok;
}
