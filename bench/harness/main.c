/* scanc bench: chooses the cases, runs one after the other, writes the reports. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"

/* Has a reference that is wrong, to see that this is found. Runs only if it is named. */
extern const workload w_self_test;

/* --quick begins no case after so many seconds. */
static const double quick_seconds = 100;

/* ---- which cases ---- */

static bool begins(const char *name, const char *with) {
  return strncmp(name, with, strlen(with)) == 0;
}

static bool is_chosen(const bench_options *o, const char *name, const bench_size *size) {
  bool named = o->n_cases == 0;
  for (int i = 0; i < o->n_cases; i++) named = named || begins(name, o->cases[i]);
  return named && (!o->quick || size->quick);
}

static void add_cases(report *r, const workload *w) {
  for (int k = 0; k < BENCH_MAX_CASES && w->sizes[k].n[0]; k++) {
    char *name = case_name(w, &w->sizes[k]);
    if (is_chosen(r->options, name, &w->sizes[k])) {
      bench_case *longer = realloc(r->cases, (size_t)(r->n + 1) * sizeof *longer);
      if (!longer) abort();
      r->cases = longer;
      r->cases[r->n++] = (bench_case){.w = w, .size = &w->sizes[k]};
    }
    free(name);
  }
}

/* How many cases of w begin so. */
static int count_cases(const workload *w, const char *with, bool quick) {
  int n = 0;
  for (int k = 0; k < BENCH_MAX_CASES && w->sizes[k].n[0]; k++) {
    char *name = case_name(w, &w->sizes[k]);
    n += begins(name, with) && (!quick || w->sizes[k].quick);
    free(name);
  }
  return n;
}

/* Every name that is given is the beginning of a case. */
static bool check_name(const bench_options *o, const char *with) {
  int all = count_cases(&w_self_test, with, false),
      chosen = count_cases(&w_self_test, with, o->quick);
  for (const workload *const *w = workloads; *w; w++) {
    all += count_cases(*w, with, false);
    chosen += count_cases(*w, with, o->quick);
  }
  if (!all) fprintf(stderr, "scanc bench: no such case: %s; try --list\n", with);
  else if (!chosen) fprintf(stderr, "scanc bench: %s is not part of --quick\n", with);
  return chosen > 0;
}

static bool choose_cases(report *r) {
  const bench_options *o = r->options;
  for (int i = 0; i < o->n_cases; i++)
    if (!check_name(o, o->cases[i])) return false;
  for (const workload *const *w = workloads; *w; w++) add_cases(r, *w);
  for (int i = 0; i < o->n_cases; i++)
    if (begins(o->cases[i], w_self_test.name)) add_cases(r, &w_self_test);
  return true;
}

static void list_cases(const report *r) {
  for (int i = 0; i < r->n; i++) {
    const bench_case *c = &r->cases[i];
    char *name = case_name(c->w, c->size);
    printf("%-34s %s %2d  %s (%s)\n", name, c->size->quick ? "quick" : "     ", c->w->row,
           c->w->what, c->w->size_names);
    free(name);
  }
}

/* ---- running them ---- */

/* The line on the terminal: "[3/125] cumsum_f32[65536]", and what is asked. */
static char *progress_line;

void progress_note(const char *what) {
  if (!isatty(2) || !progress_line) return;
  fprintf(stderr, "\r%s %-20s", progress_line, what);
  fflush(stderr);
}

static void progress_clear(void) {
  if (isatty(2)) fprintf(stderr, "\r%-79s\r", "");
}

static void progress(const report *r, int i) {
  char *name = case_name(r->cases[i].w, r->cases[i].size);
  free(progress_line);
  progress_line = text_printf("[%d/%d] %s", i + 1, r->n, name);
  free(name);
  progress_note("");
}

static void run_case(report *r, bench_case *c) {
  arrays a = {0};
  double start = now_ns();
  case_run(c, r->options, &a);
  peers_run(c, r->options, &a);
  progress_clear();
  table_row(c, r->options->n_cases > 0);
  r->failures += c->failures;
  c->seconds = (now_ns() - start) * 1e-9;
  arrays_free(&a);
  case_free(c);
}

static void run_cases(report *r) {
  double start = now_ns();
  table_head();
  for (int i = 0; i < r->n; i++) {
    if (r->options->quick && now_ns() - start > quick_seconds * 1e9) {
      r->left_out = text_printf("%d cases were left out, as --quick ended after %.0f s", r->n - i,
                                quick_seconds);
      r->n = i;
      break;
    }
    progress(r, i);
    run_case(r, &r->cases[i]);
  }
  r->peers = peers_describe();
  r->seconds = (now_ns() - start) * 1e-9;
  machine_end(r->machine);
  table_end(r);
  peers_stop();
}

/* LLVM is loaded by the first program that is compiled; that is no part of the first case. */
static void warm_up(void) {
  static const char text[] = "def forward(self, x: \"f32[3]\"):\n    y = "
                             "torch.ops.aten.mul.Tensor(x, 2.0)\n    return (y,)\n";
  scanc_module *mod = scanc_module_parse(NULL, text, sizeof text - 1, "warm-up", NULL);
  scanc_program_free(mod ? scanc_compile(mod, NULL, NULL) : NULL);
  scanc_module_free(mod);
}

/* Found out before everything is measured. */
static bool can_write(const char *path) {
  if (!path || output_is_possible(path)) return true;
  fprintf(stderr, "scanc bench: cannot write %s: %s\n", path, strerror(errno));
  return false;
}

int main(int argc, char **argv) {
  static bench_options o; /* as is what points to it */
  int status = options_read(argc, argv, &o);
  if (status >= 0) return status;
  if (o.compare) return records_compare(o.cases[0], o.cases[1]);
  static report r; /* keeps what it holds until the process ends */
  r.options = &o;
  if (!choose_cases(&r)) return 2;
  if (o.list) {
    list_cases(&r);
    return 0;
  }
  if (!can_write(o.json) || !can_write(o.html)) return 3;
  if (!peers_choose(&o)) return 2;
  machine_pin();
  r.machine = machine_describe();
  warm_up();
  if (o.threads > 1) machine_start_threads(o.threads);
  r.probes = probes_run(&o);
  run_cases(&r);
  bool written =
      (!o.json || report_write_json(&r, o.json)) && (!o.html || report_write_html(&r, o.html));
  if (fflush(stdout) != 0) written = false;
  return r.failures ? 1 : written ? 0 : 3;
}
