/* The report on the terminal. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

static const char *time_text(double ns) {
  static char text[4][32];
  static int turn;
  char *to = text[turn++ % 4];
  if (ns < 1e3) snprintf(to, 32, "%.*f ns", ns < 10 ? 3 : 1, ns);
  else if (ns < 1e6) snprintf(to, 32, "%.2f us", ns * 1e-3);
  else if (ns < 1e9) snprintf(to, 32, "%.2f ms", ns * 1e-6);
  else snprintf(to, 32, "%.2f s", ns * 1e-9);
  return to;
}

static void print_number(double x, char mark) {
  if (x <= 0) printf(" %7s", "-");
  else if (x < 0.1) printf(" %7.2g", x);
  else printf(" %7.*f", x < 10 ? 2 : x < 100 ? 1 : 0, x);
  putchar(mark);
}

void table_head(void) {
  static const char *const columns[N_FIGURES] = {"plain", "C",     "fused",  "reord",
                                                 "copy",  "v3",    "v3 f",   "v3 pl",
                                                 "thr",   "thr C", "thr cp", "peer"};
  puts("Time of scanc per unit, and as a multiple of the time of others: below 1 scanc is faster.\n"
       "  plain    the plain C loop\n"
       "  C        the best C with -ffp-contract=off: what scanc is held to\n"
       "  fused    scanc --fp=contract against the best C with -ffp-contract=fast\n"
       "  reord    the best C that computes in an order which the program does not allow\n"
       "  copy     memcpy of the bytes that have to be moved\n"
       "  v3       scanc --cpu=x86-64-v3 against the best C with -march=x86-64-v3; v3 f: both "
       "fused; ~: that is no\n"
       "           kernel, though there is one for this CPU\n"
       "  v3 pl    scanc --cpu=x86-64-v3 against the plain C loop, which is built for this CPU\n"
       "  thr      scanc with several threads against one; thr C: against the best C with as many; "
       "thr "
       "cp: against\n"
       "           memcpy by as many\n"
       "  peer     the fastest other framework\n");
  printf("%-30s %10s %-8s %4s", "case", "scanc", "per", "+-%");
  for (int k = 0; k < N_FIGURES; k++) printf(" %7s ", columns[k]);
  printf(" %9s %9s\n", "compile", "cached");
  fflush(stdout);
}

/* In the order of figures.c; with threads, what is left of the time. */
static void print_figures(const bench_case *c) {
  for (int k = 0; k < N_FIGURES; k++) {
    double x = case_figure(c, k);
    print_number(x > 0 && k == FIGURE_THREADS ? 1 / x : x,
                 case_figure_lacks_kernel(c, k) ? '~' : ' ');
  }
}

/* ---- remarks ---- */

enum { MOST_REMARKS = 3 };

static void print_interpreted(const bench_case *c) {
  int n = 0;
  for (const char *at = c->interpreted; at && *at; n++) {
    int len = (int)strcspn(at, "\n");
    if (n < MOST_REMARKS) printf("    %.*s\n", len, at);
    at += len + (at[len] == '\n');
  }
  if (n > MOST_REMARKS) printf("    and %d more steps are interpreted\n", n - MOST_REMARKS);
}

static void print_failures(const bench_case *c) {
  for (int i = 0; i < c->n_subjects; i++) {
    const subject *s = &c->subjects[i];
    bool peer = s->kind == SUBJECT_PEER;
    if (!s->failure || (peer && !strstr(s->failure, "result is off"))) continue;
    printf("    %s %s: %s\n", peer ? "left out:" : "FAILED", s->label, s->failure);
  }
}

static void print_losses(const bench_case *c) {
  char *text = case_losses(c), *rest = text, *line;
  while ((line = next_line(&rest))) printf("    %s\n", line);
  free(text);
}

static void print_subjects(const bench_case *c) {
  double units = c->w->units(c->size->n), ns = c->subjects[0].s.median;
  if (subject_timed(&c->subjects[0]))
    printf("    scanc: %.1f GB/s, %.2f GFLOP/s; %s\n", c->w->bytes(c->size->n) / ns,
           c->w->flops(c->size->n) / ns, c->executed ? c->executed : "");
  for (int i = 0; i < c->n_subjects; i++) {
    const subject *s = &c->subjects[i];
    if (s->failure) {
      printf("    %-58s %s\n", s->label, s->failure);
      continue;
    }
    if (!subject_timed(s)) continue;
    printf("    %-58s least %10s, median %10s +-%2.0f %%", s->label, time_text(s->s.least / units),
           time_text(s->s.median / units), 50 * s->s.spread);
    if (s->ratio > 0) printf(", scanc / this %.*g", s->ratio < 1 ? 3 : 4, s->ratio);
    printf("%s%s\n", s->note ? ", " : "", s->note ? s->note : "");
  }
}

void table_row(const bench_case *c, bool all_subjects) {
  const subject *mine = &c->subjects[0];
  double units = c->w->units(c->size->n);
  printf("%-30s %10s %-8s", c->name, subject_timed(mine) ? time_text(mine->s.median / units) : "-",
         c->w->unit);
  printf(" %4.0f", 50 * mine->s.spread);
  print_figures(c);
  printf(" %6.1f ms %6.2f ms\n", c->compile_cold.median, c->compile_cached_ms);
  print_failures(c);
  print_interpreted(c);
  print_losses(c);
  if (all_subjects) print_subjects(c);
  fflush(stdout);
}

/* ---- the end ---- */

static void print_text(const char *label, const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  if (text && *text) printf("%s %s\n", label, text);
}

static double number(const json_t *object, const char *key) {
  return json_number_value(json_object_get(object, key));
}

static double first_number(const json_t *object, const char *key) {
  return json_number_value(json_array_get(json_object_get(object, key), 0));
}

static void print_probes(const json_t *probes) {
  size_t i;
  json_t *copy;
  printf("memcpy   ");
  json_array_foreach (json_object_get(probes, "memcpy"), i, copy)
    printf("  %g KB %.1f GB/s", number(copy, "bytes") / 1024, number(copy, "gb_per_s"));
  printf("\nf32 fma    %.1f GFLOP/s\n", number(probes, "fma_gflops"));
  const json_t *first = json_object_get(probes, "first_result");
  if (json_is_object(first))
    printf("a process  %.1f ms to print the version, %.1f ms to a first result (%.1f ms "
           "interpreted)\n",
           number(first, "process_ms"), number(first, "compiled_ms"),
           number(first, "interpreted_ms"));
  const json_t *archive = json_object_get(probes, "archive_of_1_gb");
  if (json_is_object(archive))
    printf("an archive of 1 GB loads in %.2f ms and takes %.1f MB of memory\n",
           number(archive, "load_ms"), number(archive, "resident_mb"));
}

static void print_peers(const json_t *peers) {
  const char *name;
  json_t *p;
  json_object_foreach((json_t *)peers, name, p) {
    const char *version = json_string_value(json_object_get(p, "version"));
    const char *missing = json_string_value(json_object_get(p, "missing"));
    printf("peer       %s %s%s (%.0f s)\n", name, missing ? "is missing: " : version,
           missing ? missing : "", number(p, "seconds"));
  }
}

void table_end(const report *r) {
  const json_t *build = json_object_get(r->machine, "build");
  puts("");
  print_text("scanc     ", r->machine, "scanc");
  print_text("commit    ", r->machine, "commit");
  print_text("CPU       ", r->machine, "cpu");
  print_text("C library ", r->machine, "libc");
  print_text("compilers ", build, "compilers");
  print_text("C         ", build, "flags_of_c");
  print_text("C for v3  ", build, "flags_of_c_v3");
  print_text("plain C   ", build, "flags_of_plain_c");
  print_text("LLVM      ", build, "llvm");
  print_text("governor  ", r->machine, "governor");
  print_text("subnormals", r->machine, "subnormals");
  printf("load       %.1f at the start, %.1f at the end, on one pinned CPU but for thr\n",
         first_number(r->machine, "load_average"),
         first_number(r->machine, "load_average_at_the_end"));
  print_probes(r->probes);
  print_peers(r->peers);
  if (r->left_out) puts(r->left_out);
  printf("budget     %g s per case, %.0f min in all\n", r->options->budget, r->seconds / 60);
  printf("%d case%s, %d failure%s\n", r->n, r->n == 1 ? "" : "s", r->failures,
         r->failures == 1 ? "" : "s");
}
