/* One program through the executors: interpreter, compiled, compiled where possible, and by several
 * threads at once, with several sets of inputs. The interpreter at the same CPU level is the
 * reference; everything has to agree with it bit by bit, errors included. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../levels.h"
#include "ir/convert.h"
#include "random.h"
#include "runtime/testing.h"

const char *const levels[4] = {"native", "x86-64", "x86-64-v3", "x86-64-v4"};

/* ---- results ---- */

typedef struct {
  scanc_code code;
  scanc_error err;
  scanc_tensor out[MAX_PORTS];
  int n_out;
} outcome;

static void release(outcome *o) {
  for (int i = 0; i < o->n_out; i++) scanc_tensor_release(&o->out[i]);
}

static bool is_nan(scanc_dtype d, const char *p) {
  if (dtype_class(d) != 'f') return false;
  number x = number_load(d, p);
  return x.f != x.f;
}

static bool same_element(scanc_dtype d, const char *a, const char *b) {
  size_t size = scanc_dtype_size(d);
  scanc_dtype real = dtype_real(d);
  size_t part = scanc_dtype_size(real);
  for (size_t at = 0; at < size; at += part)
    if (memcmp(a + at, b + at, part) != 0 && !(is_nan(real, a + at) && is_nan(real, b + at)))
      return false;
  return true;
}

/* Element k in row-major order. */
static const char *element(const scanc_tensor *t, int64_t k) {
  int64_t at = 0;
  for (int d = t->rank - 1; d >= 0; d--) {
    at += k % t->sizes[d] * t->strides[d];
    k /= t->sizes[d];
  }
  return (const char *)t->data + at * (int64_t)scanc_dtype_size(t->dtype);
}

static bool complain(const char *how, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static bool complain(const char *how, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  printf("%s: ", how);
  vprintf(fmt, ap);
  putchar('\n');
  va_end(ap);
  return false;
}

static const char *say_element(scanc_dtype d, const char *p, char (*text)[96]) {
  number x = number_load(d, p);
  switch (dtype_class(d)) {
    case 'f': snprintf(*text, sizeof *text, "%.17g", x.f); break;
    case 'c': snprintf(*text, sizeof *text, "(%.17g, %.17g)", x.f, x.im); break;
    default: snprintf(*text, sizeof *text, "%" PRId64, x.i); break;
  }
  return *text;
}

static bool same_tensor(const char *how, int i, const scanc_tensor *want, const scanc_tensor *got) {
  if (want->dtype != got->dtype || want->rank != got->rank ||
      memcmp(want->sizes, got->sizes, sizeof *want->sizes * (size_t)want->rank) != 0)
    return complain(how, "result %d has another type", i);
  int64_t n = 1;
  for (int d = 0; d < want->rank; d++) n *= want->sizes[d];
  for (int64_t k = 0; k < n; k++) {
    const char *a = element(want, k), *b = element(got, k);
    if (same_element(want->dtype, a, b)) continue;
    char wanted[96], found[96];
    return complain(how, "result %d, element %" PRId64 " of %" PRId64 " (%s): expected %s, got %s",
                    i, k, n, scanc_dtype_name(want->dtype), say_element(want->dtype, a, &wanted),
                    say_element(got->dtype, b, &found));
  }
  return true;
}

static bool same_outcome(const char *how, const outcome *want, const outcome *got) {
  if (want->code != got->code)
    return complain(how, "expected %s (%s), got %s (%s)", scanc_code_text(want->code),
                    want->err.message, scanc_code_text(got->code), got->err.message);
  if (want->code == SCANC_ERR_DATA &&
      (strcmp(want->err.message, got->err.message) != 0 || want->err.line != got->err.line))
    return complain(how, "expected '%s' (line %d), got '%s' (line %d)", want->err.message,
                    want->err.line, got->err.message, got->err.line);
  for (int i = 0; want->code == SCANC_OK && i < want->n_out; i++)
    if (!same_tensor(how, i, &want->out[i], &got->out[i])) return false;
  return true;
}

/* ---- runs ---- */

typedef struct {
  scanc_tensor in[MAX_PORTS];
  int n_in;
  uint64_t sum; /* of the elements of the inputs */
  outcome want;
} round_of;

/* With several threads everything is cut that can be, however little work it is. */
static scanc_program *compile(const str *text, scanc_exec exec, const char *cpu, scanc_fp fp,
                              int threads, bool loops, scanc_error *err) {
  scanc_options opts = SCANC_OPTIONS_INIT;
  opts.fp = fp;
  opts.exec = exec;
  opts.cpu = cpu;
  opts.threads = threads;
  scanc_module *m = scanc_module_parse(NULL, text->data, text->len, "random.fx", err);
  const program_choices choices = {.loops_only = loops};
  scanc_program *p = m ? program_new(m, &opts, &choices, err) : NULL;
  scanc_module_free(m);
  if (p) program_set_thread_work(p, 1);
  return p;
}

static outcome run(scanc_program *p, const round_of *r) {
  outcome o = {.n_out = scanc_program_n_outputs(p)};
  o.code = scanc_run(p, r->in, r->n_in, o.out, o.n_out, &o.err);
  return o;
}

static _Atomic int n_declined;

/* With exec=jit a kernel may decline the sizes of a run: those that are empty, where data may be at
 * fault. */
static bool declines(const outcome *o) {
  bool yes = o->code == SCANC_ERR_NO_KERNEL && strstr(o->err.message, "for these inputs");
  n_declined += yes;
  return yes;
}

static bool run_and_compare(const char *how, scanc_program *p, const round_of *r) {
  outcome got = run(p, r);
  bool same = declines(&got) || same_outcome(how, &r->want, &got);
  release(&got);
  return same;
}

/* ---- results in memory of the caller's ---- */

static void copy_elements(const scanc_tensor *to, const scanc_tensor *from) {
  int64_t n = 1;
  for (int d = 0; d < from->rank; d++) n *= from->sizes[d];
  for (int64_t k = 0; k < n; k++)
    memcpy((char *)element(to, k), element(from, k), scanc_dtype_size(from->dtype));
}

/* An input of that type that no result has taken yet, -1. */
static int input_like(const round_of *r, const scanc_tensor *t, const bool *taken) {
  for (int i = 0; i < r->n_in; i++)
    if (!taken[i] && r->in[i].dtype == t->dtype && r->in[i].rank == t->rank &&
        !memcmp(r->in[i].sizes, t->sizes, sizeof *t->sizes * (size_t)t->rank))
      return i;
  return -1;
}

/* Every result has memory of random layout; some replace an input. */
static bool run_given(const char *how, scanc_program *p, const round_of *round, rng *g, counts *c) {
  round_of r = *round; /* its inputs are borrowed */
  outcome got = {.n_out = scanc_program_n_outputs(p)};
  bool taken[MAX_PORTS] = {false};
  for (int i = 0; i < got.n_out; i++) {
    const scanc_tensor *want = &r.want.out[i];
    if (!want->data) continue;
    got.out[i] = random_array(g, g, want->dtype, want->rank, want->sizes, true);
    int in = chance(g, 60) ? input_like(&r, want, taken) : -1;
    if (in < 0) continue;
    taken[in] = true;
    copy_elements(&got.out[i], &r.in[in]);
    r.in[in] = got.out[i];
    c->in_place++;
  }
  c->given++;
  got.code = scanc_run(p, r.in, r.n_in, got.out, got.n_out, &got.err);
  bool same = declines(&got) || same_outcome(how, &round->want, &got);
  release(&got);
  return same;
}

/* ---- threads ---- */

typedef struct {
  const char *how;
  scanc_program *p;
  const round_of *r;
  bool same;
} task;

static void *run_task(void *arg) {
  task *t = arg;
  t->same = true;
  for (int k = 0; k < 3 && t->same; k++) t->same = run_and_compare(t->how, t->p, t->r);
  return NULL;
}

static bool run_threads(const char *how, scanc_program *p, const round_of *rounds) {
  pthread_t thread[N_ROUNDS];
  task t[N_ROUNDS];
  bool same = true;
  for (int k = 0; k < N_ROUNDS; k++) {
    t[k] = (task){how, p, &rounds[k], false};
    if (pthread_create(&thread[k], NULL, run_task, &t[k]) != 0) abort();
  }
  for (int k = 0; k < N_ROUNDS; k++) {
    pthread_join(thread[k], NULL);
    same &= t[k].same;
  }
  return same;
}

/* ---- reasons of refusals ---- */

enum { MAX_REASONS = 64 };
static struct {
  char text[120];
  int n;
} reasons[MAX_REASONS];

/* "...: node scan_1: REASON": names and numbers are left out, so that equal reasons count as one.
 */
static void count_refusal(const char *message) {
  char text[120];
  const char *p = strstr(message, "node ");
  p = p ? strchr(p, ':') : NULL;
  snprintf(text, sizeof text, "%.119s", p ? p + 2 : message);
  for (char *q = text; *q; q++)
    if (*q >= '0' && *q <= '9') *q = '#';
  for (int i = 0; i < MAX_REASONS; i++) {
    if (reasons[i].n && strcmp(reasons[i].text, text) != 0) continue;
    memcpy(reasons[i].text, text, sizeof text);
    reasons[i].n++;
    return;
  }
}

void print_refusals(void) {
  if (n_declined) printf("  %d runs declined by kernels\n", n_declined);
  for (int i = 0; i < MAX_REASONS && reasons[i].n; i++)
    printf("  refused %d times: %s\n", reasons[i].n, reasons[i].text);
}

/* ---- what is done with a program ---- */

/* Drawn one by one, so that everything meets everything. */
typedef struct {
  int level; /* -1: all */
  scanc_fp fp;
  bool jit;     /* what jit refuses is run with auto; false: with that at once */
  bool cut;     /* by three threads, too */
  bool callers; /* by three at once, too */
  bool given;   /* into memory of the caller's, too, in one round */
  int given_round;
  bool loops; /* with every scan as a loop of the entry, too */
  int loops_threads;
} choices;

static choices choose(uint64_t seed) {
  rng r = rng_make(mix(seed, 79));
  choices is = {.level = below(&r, 4)};
  if (chance(&r, 6)) is.level = -1;
  is.fp = chance(&r, 33) ? SCANC_FP_CONTRACT : SCANC_FP_STRICT;
  is.jit = chance(&r, 80);
  is.cut = chance(&r, 50);
  is.callers = chance(&r, 12);
  is.given = chance(&r, 50);
  is.given_round = below(&r, N_ROUNDS);
  is.loops = chance(&r, 50);
  is.loops_threads = chance(&r, 50) ? 3 : 1;
  return is;
}

/* ---- one program ---- */

typedef struct {
  const str *text;
  counts *c;
  uint64_t seed;
  choices is;
  bool loops; /* every scan as a loop of the entry */
  round_of rounds[N_ROUNDS];
} subject;

static uint64_t sum_of(const round_of *r) {
  uint64_t sum = 0;
  for (int i = 0; i < r->n_in; i++) {
    const scanc_tensor *t = &r->in[i];
    int64_t n = 1;
    for (int d = 0; d < t->rank; d++) n *= t->sizes[d];
    for (int64_t k = 0; k < n; k++)
      for (size_t b = 0; b < scanc_dtype_size(t->dtype); b++)
        sum = sum * 0x100000001b3u + (unsigned char)element(t, k)[b];
  }
  return sum;
}

static bool make_rounds(subject *s, scanc_program *interp) {
  rng r = rng_make(mix(s->seed, 77));
  for (int k = 0; k < N_ROUNDS; k++) {
    round_of *round = &s->rounds[k];
    round->n_in = scanc_program_n_inputs(interp);
    for (int i = 0; i < round->n_in; i++) {
      scanc_port in = scanc_program_input(interp, i);
      round->in[i] = random_input(&r, &in, i, s->seed, k);
    }
    round->sum = sum_of(round);
    round->want = run(interp, round);
    scanc_code code = round->want.code;
    s->c->errors += code != SCANC_OK;
    if (code != SCANC_OK && code != SCANC_ERR_DATA && code != SCANC_ERR_RANGE &&
        code != SCANC_ERR_SHAPE_MISMATCH && code != SCANC_ERR_INDEX_RANGE)
      return complain("interpreter", "%s: %s", scanc_code_text(code), round->want.err.message);
  }
  return true;
}

static void free_rounds(subject *s) {
  for (int k = 0; k < N_ROUNDS; k++) {
    for (int i = 0; i < s->rounds[k].n_in; i++) scanc_tensor_release(&s->rounds[k].in[i]);
    release(&s->rounds[k].want);
  }
}

/* What jit may refuse; any other refusal is a failure. */
static bool is_expected(const char *message, bool loops) {
  static const struct {
    const char *reason;
    bool loops_only;
  } expected[] = {
      /* indices into nothing are the interpreter's, which tells what is wrong with them */
      {" of a tensor without elements has no compiled form yet", false},
      /* factors would have to be joined in the interpreter's order */
      {"prod of complex numbers has no compiled form yet", false},
      /* a step that only the run tells: kernels of scans have it */
      {"slice has no compiled form yet", true},
      {"slice of complex numbers has no compiled form yet", true},
  };
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
    if (strstr(message, expected[i].reason) && (loops || !expected[i].loops_only)) return true;
  return false;
}

/* A program that jit refuses for a reason that is expected is run with auto. */
static scanc_program *compile_natively(subject *s, const char *cpu, int threads, scanc_error *err) {
  scanc_exec exec = s->is.jit ? SCANC_EXEC_JIT : SCANC_EXEC_AUTO;
  scanc_program *p = compile(s->text, exec, cpu, s->is.fp, threads, s->loops, err);
  if (p || err->code != SCANC_ERR_NO_KERNEL) {
    s->c->compiled += s->is.jit;
    return p;
  }
  s->c->refused++;
  count_refusal(err->message);
  if (!is_expected(err->message, s->loops)) return NULL;
  *err = (scanc_error){0};
  return compile(s->text, SCANC_EXEC_AUTO, cpu, s->is.fp, threads, s->loops, err);
}

static bool check_compiled(subject *s, const char *cpu, int threads) {
  char how[80];
  scanc_error err = {0};
  snprintf(how, sizeof how, "compiled, %s, threads=%d%s%s", cpu, threads,
           s->is.fp ? ", contracted" : "", s->loops ? ", as loops" : "");
  scanc_program *p = compile_natively(s, cpu, threads, &err);
  if (!p) return complain(how, "%s: %s", scanc_code_text(err.code), err.message);
  bool same = true;
  for (int k = 0; k < N_ROUNDS && same; k++) same = run_and_compare(how, p, &s->rounds[k]);
  s->c->runs += N_ROUNDS;
  if (same && s->is.callers) {
    same = run_threads("three callers", p, s->rounds);
    s->c->threaded++;
  }
  rng g = rng_make(mix(s->seed, 78));
  const round_of *r = &s->rounds[s->is.given_round];
  if (same && s->is.given && !r->want.code) same = run_given("results given", p, r, &g, s->c);
  for (int k = 0; k < N_ROUNDS && same; k++)
    if (sum_of(&s->rounds[k]) != s->rounds[k].sum) same = complain(how, "an input was changed");
  scanc_program_free(p);
  return same;
}

static bool check_level(subject *s, int level) {
  scanc_error err = {0};
  scanc_program *interp =
      compile(s->text, SCANC_EXEC_INTERP, levels[level], s->is.fp, 1, false, &err);
  if (!interp)
    return complain("interpreter", "%s: %s (line %d)", scanc_code_text(err.code), err.message,
                    err.line);
  bool same = make_rounds(s, interp) && check_compiled(s, levels[level], 1);
  if (same && s->is.cut) {
    same = check_compiled(s, levels[level], 3);
    s->c->cut++;
  }
  if (same && s->is.loops) {
    s->loops = true;
    same = check_compiled(s, levels[level], s->is.loops_threads);
    s->loops = false;
    s->c->as_loops++;
  }
  s->c->level[level]++;
  free_rounds(s);
  scanc_program_free(interp);
  return same;
}

bool check_program(const str *text, uint64_t seed, counts *c) {
  bool same = true;
  choices is = choose(seed);
  c->programs++;
  for (int level = 0; level < 4 && same; level++) {
    if ((is.level >= 0 && level != is.level) || !level_is_here(levels[level])) continue;
    subject s = {.text = text, .c = c, .seed = seed, .is = is};
    c->contracted += is.fp != SCANC_FP_STRICT;
    same = check_level(&s, level);
  }
  return same;
}
