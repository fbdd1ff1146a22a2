/* One case: the program, its compilation, the comparison of all results with the plain reference.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"

/* ---- subjects ---- */

char *case_name(const workload *w, const bench_size *size) {
  char *name = text_printf("%s[", w->name);
  for (int k = 0; k < BENCH_MAX_SIZES && size->n[k]; k++) {
    char *longer = text_printf("%s%s%lld", name, k ? "," : "", (long long)size->n[k]);
    free(name);
    name = longer;
  }
  char *closed = text_printf("%s]", name);
  free(name);
  return closed;
}

subject *case_add(bench_case *c, subject_kind kind, char *label) {
  subject *s = &c->subjects[c->n_subjects++];
  *s = (subject){.kind = kind, .label = label, .how = {.threads = 1}};
  return s;
}

void case_fail(bench_case *c, subject *s, char *why) {
  c->failures++;
  s->failure = why;
}

static char *reference_label(const reference *r) {
  static const char *const kinds[] = {"plain C", "C", "kernel", "library"};
  char *threads = r->team ? text_printf(", %d threads", team_size()) : NULL;
  char *label =
      text_printf("%s, %s%s%s%s%s%s%s", kinds[r->kind], r->compiler, r->v3 ? " x86-64-v3" : "",
                  r->contract ? ", contracted" : "", r->reordered ? ", reordered" : "",
                  threads ? threads : "", r->name ? ": " : "", r->name ? r->name : "");
  free(threads);
  return label;
}

static bool can_do_more_than_v3(void) {
#ifdef __x86_64__
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
#else
  return false;
#endif
}

static void add_scanc(bench_case *c, build_kind how) {
  char *threads = how.threads > 1 ? text_printf(" --threads=%d", how.threads) : NULL;
  case_add(c, SUBJECT_SCANC,
           text_printf("scanc%s%s%s", how.v3 ? " --cpu=x86-64-v3" : "",
                       how.contract ? " --fp=contract" : "", threads ? threads : ""))
      ->how = how;
  free(threads);
}

static void add_reference(bench_case *c, const reference *r) {
  subject *s = case_add(c, SUBJECT_REFERENCE, reference_label(r));
  s->ref = r;
  s->how.v3 = r->v3;
  s->how.contract = r->contract;
  s->how.threads = r->team ? team_size() : 1;
}

/* The second one copies between the arrays of the first one. */
static void add_copies(bench_case *c, bool by_team) {
  subject *one = case_add(c, SUBJECT_MEMCPY, text_printf("memcpy of the same bytes"));
  one->copied = (size_t)(c->w->bytes(c->size->n) / 2);
  one->from = must_alloc(one->copied);
  one->to = must_alloc(one->copied);
  if (!by_team) return;
  subject *several =
      case_add(c, SUBJECT_MEMCPY, text_printf("memcpy of the same bytes, %d threads", team_size()));
  several->copied = one->copied;
  several->from = one->from;
  several->to = one->to;
  several->how.threads = team_size();
}

static void add_subjects(bench_case *c, int threads) {
  bool v3 = can_do_more_than_v3(), by_team = threads > 1 && team_size() == threads;
  add_scanc(c, PLAINLY);
  add_scanc(c, CONTRACTED);
  if (v3) add_scanc(c, STRICT_V3);
  if (v3) add_scanc(c, CONTRACTED_V3);
  for (const reference *r = c->w->references; r->fn; r++)
    if (!r->team && (!r->v3 || v3)) add_reference(c, r);
  add_copies(c, by_team);
  /* What several threads do comes last: the next round begins with scanc with one, so both are
   * measured one after the other. */
  for (const reference *r = c->w->references; r->fn && by_team; r++)
    if (r->team) add_reference(c, r);
  if (threads > 1) add_scanc(c, (build_kind){false, false, threads});
}

/* ---- the program ---- */

static char *program_of(const bench_case *c) {
  char *text = NULL;
  size_t n = 0;
  FILE *to = open_memstream(&text, &n);
  c->w->program(to, c->size->n);
  fclose(to);
  return text;
}

static scanc_program *compile(const bench_case *c, build_kind how, double *ms, scanc_error *err) {
  scanc_options opts = SCANC_OPTIONS_INIT;
  opts.cpu = how.v3 ? "x86-64-v3" : NULL;
  opts.fp = how.contract ? SCANC_FP_CONTRACT : SCANC_FP_STRICT;
  opts.threads = how.threads;
  double start = now_ns();
  scanc_module *mod = scanc_module_parse(NULL, c->text, strlen(c->text), c->name, err);
  scanc_program *prog = mod ? scanc_compile(mod, &opts, err) : NULL;
  *ms = (now_ns() - start) * 1e-6;
  scanc_module_free(mod);
  return prog;
}

static char *error_text(const scanc_error *err) {
  return err->line ? text_printf("line %d: %s", err->line, err->message)
                   : text_printf("%s", err->message);
}

/* From the cache: the best of three times, while the program with the code is there. */
static double compile_again(const bench_case *c) {
  double best = 0, ms;
  for (int k = 0; k < 3; k++) {
    scanc_program_free(compile(c, PLAINLY, &ms, NULL));
    if (k == 0 || ms < best) best = ms;
  }
  return best;
}

/* Code that no program has any more is kept, up to 64 pieces: so many others push it out. */
enum { OTHER_PIECES = 72, COLD_COMPILES = 5 };

static void empty_cache(void) {
  for (int k = 0; k < OTHER_PIECES; k++) {
    char *text = text_printf("def forward(self, x: \"f32[2]\"):\n"
                             "    y = torch.ops.aten.mul.Tensor(x, %d.5)\n    return (y,)\n",
                             k);
    scanc_module *mod = scanc_module_parse(NULL, text, strlen(text), "other", NULL);
    scanc_program_free(mod ? scanc_compile(mod, NULL, NULL) : NULL);
    scanc_module_free(mod);
    free(text);
  }
}

/* With new machine code. Only the program that is compiled last stays. */
static scanc_program *compile_cold(bench_case *c, int times, scanc_error *err) {
  double ms[COLD_COMPILES];
  scanc_program *prog = NULL;
  for (int k = 0; k < times; k++) {
    scanc_program_free(prog);
    if (times > 1) empty_cache();
    prog = compile(c, PLAINLY, &ms[k], err);
    if (!prog) return NULL;
  }
  statistics_make(&c->compile_cold, ms, times);
  return prog;
}

static void compile_programs(bench_case *c, const bench_options *o) {
  for (int i = 0; i < c->n_subjects; i++) {
    subject *s = &c->subjects[i];
    scanc_error err = {0};
    double ms;
    if (s->kind != SUBJECT_SCANC) continue;
    s->prog = i == 0 ? compile_cold(c, o->quick ? 1 : COLD_COMPILES, &err)
                     : compile(c, s->how, &ms, &err);
    if (!s->prog) case_fail(c, s, error_text(&err));
    else if (i == 0) c->compile_cached_ms = compile_again(c);
  }
}

/* ---- the tool ---- */

static void add_line(char **text, const char *line) {
  char *longer = text_printf("%s%s%s", *text ? *text : "", *text ? "\n" : "", line);
  free(*text);
  *text = longer;
}

/* The first line, about the whole program, and those about interpreted steps. */
static void take_explanation(bench_case *c, char *text) {
  char *rest = text, *line = next_line(&rest);
  if (!line) return;
  c->executed = text_printf("%s", line);
  while ((line = next_line(&rest)))
    if (strstr(line, ": interpreted: ")) add_line(&c->interpreted, line);
  if (!c->interpreted && strstr(c->executed, "node by node"))
    add_line(&c->interpreted, c->executed);
}

/* Best of three: a process that reads the program, compiles it and computes once, on zeros. */
static void first_result(bench_case *c, const char *tool, const char *path, const arrays *a) {
  const char *argv[BENCH_MAX_ARRAYS + 4] = {tool, "run", path};
  for (int i = 0; i < a->n_in; i++)
    argv[i + 3] = text_printf("%s=zeros", scanc_program_input(c->subjects[0].prog, i).name);
  for (int k = 0; k < 3; k++) {
    double seconds;
    char *printed = run_program(argv, &seconds);
    if (printed && (!c->first_result_ms || seconds * 1e3 < c->first_result_ms))
      c->first_result_ms = seconds * 1e3;
    free(printed);
  }
  for (int i = 0; i < a->n_in; i++) free((char *)argv[i + 3]);
}

/* Of a case that compiles, what is interpreted is told by `scanc explain`. */
static void explain(bench_case *c, const char *tool, const char *path) {
  char *printed = run_program((const char *[]){tool, "explain", path, NULL}, NULL);
  if (printed) take_explanation(c, printed);
  else add_line(&c->interpreted, "what is interpreted is not known: scanc explain fails");
  free(printed);
}

static void ask_tool(bench_case *c, const arrays *a, bool time_it) {
  const char *tool = scanc_tool();
  if (!tool) {
    add_line(&c->interpreted,
             "what is interpreted is not known: the tool scanc does not lie beside scanc bench");
    return;
  }
  char *path = temporary_name();
  int fd = mkstemp(path);
  FILE *to = fd >= 0 ? fdopen(fd, "w") : NULL;
  if (to) fputs(c->text, to);
  if (to && fclose(to) == 0) {
    explain(c, tool, path);
    if (time_it) first_result(c, tool, path, a);
  } else {
    add_line(&c->interpreted,
             "what is interpreted is not known: no temporary file for the program");
  }
  if (to) unlink(path);
  free(path);
}

/* ---- comparing ---- */

/* memcpy by several threads may leave a part out. */
static bool copied_all(const subject *s) { return memcmp(s->to, s->from, s->copied) == 0; }

/* Calls the subject on spoiled outputs and compares. Returns the ns that the call took. */
static double call_and_compare(bench_case *c, subject *s, arrays *a, const char *when) {
  scanc_error err = {0};
  arrays_spoil(a);
  if (s->kind == SUBJECT_MEMCPY) memset(s->to, 0xa5, s->copied);
  double start = now_ns();
  bool ok = subject_call(c, s, a, &err);
  double ns = now_ns() - start, loose = c->w->looser ? c->w->looser(c->size->n) : 1;
  team_rest();
  if (s->kind == SUBJECT_MEMCPY) {
    if (!copied_all(s)) case_fail(c, s, text_printf("%sdoes not copy all bytes", when));
    return ns;
  }
  const char *wrong =
      ok ? arrays_compare(a, loose * c->w->rtol, loose * c->w->atol, &s->worst) : "";
  if (!ok) case_fail(c, s, error_text(&err));
  else if (*wrong) case_fail(c, s, text_printf("%s%s", when, wrong));
  return ns;
}

/* What the plain function gives is what all others must give. */
static void judge(bench_case *c, arrays *a) {
  c->w->references[0].fn(a->in_data, a->expected_data, c->size->n);
  for (int i = 0; i < c->n_subjects; i++) {
    subject *s = &c->subjects[i];
    if (!s->failure) s->first_ns = call_and_compare(c, s, a, "");
  }
}

/* With values that are rare in what is timed, but part of what is computed. */
static void judge_corners(bench_case *c, arrays *a, uint64_t seed) {
  const bench_fill *f = c->w->corner;
  if (f->a == f->b) return;
  arrays_fill(a, f, seed);
  c->w->references[0].fn(a->in_data, a->expected_data, c->size->n);
  for (int i = 0; i < c->n_subjects; i++) {
    subject *s = &c->subjects[i];
    if (!s->failure && s->kind != SUBJECT_MEMCPY)
      call_and_compare(c, s, a, "with NaN, ties or overflow ");
    s->worst = 0;
  }
  arrays_fill(a, c->w->fill, seed);
}

/* Once more after all the calls that were timed: threads and what a program keeps between calls may
 * have left something behind. */
static void judge_again(bench_case *c, arrays *a) {
  for (int i = 0; i < c->n_subjects; i++) {
    subject *s = &c->subjects[i];
    if (subject_timed(s) && subject_may_repeat(s)) call_and_compare(c, s, a, "after the timing ");
  }
}

void case_run(bench_case *c, const bench_options *o, arrays *a) {
  scanc_error err = {0};
  c->name = case_name(c->w, c->size);
  c->text = program_of(c);
  add_subjects(c, o->threads);
  compile_programs(c, o);
  scanc_program *prog = c->subjects[0].prog;
  if (!prog) return;
  if (!arrays_make(a, prog, c->w, o->seed, &err)) {
    case_fail(c, &c->subjects[0], error_text(&err));
    return;
  }
  a->fresh_pages = o->fresh_pages;
  ask_tool(c, a, !o->quick);
  judge_corners(c, a, o->seed);
  judge(c, a);
  case_time(c, a, o->budget);
  judge_again(c, a);
  for (int i = 0; i < c->n_subjects; i++) subject_relate(c, &c->subjects[i]);
}

void case_free(bench_case *c) {
  for (int i = 0; i < c->n_subjects; i++) {
    subject *s = &c->subjects[i];
    bool owner = s->how.threads == 1; /* of the arrays that memcpy uses */
    scanc_program_free(s->prog);
    if (owner) free(s->from);
    if (owner) free(s->to);
    s->prog = NULL;
    s->from = s->to = NULL;
  }
}
