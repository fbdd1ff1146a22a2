/* Interpreter and compiled code on every program of the corpus: the same bits, all NaNs being one
 * value, at every CPU level of this machine, by one thread and by two, three or seven. (golden.c
 * compares with PyTorch's results, within tolerances.) The same with arrays full of tiny numbers
 * while subnormals are flushed, by programs of some groups. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../levels.h"
#include "ir/convert.h"
#include "programs.h"
#include "runtime/npy.h"

enum { MAX_PORTS = 64, LEAST_CASES = 300 };

typedef struct {
  scanc_tensor in[MAX_PORTS];
  int n;
} arrays;

typedef struct {
  scanc_code code;
  scanc_error err;
  scanc_tensor out[MAX_PORTS];
  int n;
} outcome;

typedef struct {
  const char *cpu;
  int threads; /* other than one */
} level;

static const level levels[] = {{"x86-64", 2}, {"x86-64-v3", 3}, {"x86-64-v4", 7}, {"native", 3}};
enum { N_LEVELS = sizeof levels / sizeof *levels };

static int n_runs, n_failed, n_flushed;

/* ---- bits ---- */

static bool same_element(scanc_dtype d, const char *a, const char *b) {
  scanc_dtype real = dtype_real(d);
  size_t part = scanc_dtype_size(real);
  for (size_t at = 0; at < scanc_dtype_size(d); at += part) {
    if (!memcmp(a + at, b + at, part)) continue;
    number x = number_load(real, a + at), y = number_load(real, b + at);
    if (x.cls != 'f' || x.f == x.f || y.f == y.f) return false;
  }
  return true;
}

/* Results are contiguous, as nobody gave memory for them. */
static bool same_tensor(const scanc_tensor *a, const scanc_tensor *b) {
  if (!a->data || !b->data) return !a->data && !b->data;
  if (a->dtype != b->dtype || a->rank != b->rank ||
      memcmp(a->sizes, b->sizes, sizeof *a->sizes * (size_t)a->rank) != 0)
    return false;
  int64_t n = scanc_tensor_numel(a);
  size_t size = scanc_dtype_size(a->dtype);
  for (int64_t i = 0; i < n; i++)
    if (!same_element(a->dtype, (char *)a->data + (size_t)i * size,
                      (char *)b->data + (size_t)i * size))
      return false;
  return true;
}

static bool same_outcome(const outcome *a, const outcome *b) {
  if (a->code != b->code || strcmp(a->err.message, b->err.message) != 0) return false;
  for (int i = 0; i < a->n; i++)
    if (!same_tensor(&a->out[i], &b->out[i])) return false;
  return true;
}

/* ---- programs ---- */

static scanc_program *compile_case(const scanc_module *m, scanc_exec exec, const char *cpu,
                                   int threads, bool ftz, scanc_error *err) {
  scanc_options opts = SCANC_OPTIONS_INIT;
  opts.exec = exec;
  opts.cpu = cpu;
  opts.threads = threads;
  opts.ftz = ftz;
  scanc_program *p = scanc_compile(m, &opts, err);
  if (p) program_set_thread_work(p, 1);
  return p;
}

static outcome run_case(scanc_program *p, const arrays *a) {
  outcome o = {.n = scanc_program_n_outputs(p)};
  o.code = scanc_run(p, a->in, a->n, o.out, o.n, &o.err);
  return o;
}

static void compare(const char *name, const outcome *want, scanc_program *jit, const arrays *a,
                    const char *cpu, int threads) {
  outcome got = run_case(jit, a);
  n_runs++;
  if (!same_outcome(want, &got)) {
    n_failed++;
    fprintf(stderr, "%s, %s, %d threads: the results differ; interpreted '%s', compiled '%s'\n",
            name, cpu, threads, want->err.message, got.err.message);
  }
  release(got.out, got.n);
}

/* By one thread, and by so many. */
static void check_level(const char *name, const scanc_module *m, const arrays *sets, int n_sets,
                        level l, bool ftz) {
  scanc_error err = {0};
  outcome want[2];
  int threads[] = {1, l.threads};
  scanc_program *interp = compile_case(m, SCANC_EXEC_INTERP, l.cpu, 1, ftz, &err);
  for (int k = 0; interp && k < n_sets; k++) want[k] = run_case(interp, &sets[k]);
  for (int i = 0; interp && i < 2; i++) {
    scanc_program *jit = compile_case(m, SCANC_EXEC_JIT, l.cpu, threads[i], ftz, &err);
    for (int k = 0; jit && k < n_sets; k++)
      compare(name, &want[k], jit, &sets[k], l.cpu, threads[i]);
    scanc_program_free(jit);
  }
  for (int k = 0; interp && k < n_sets; k++) release(want[k].out, want[k].n);
  scanc_program_free(interp);
  if (!err.code) return;
  n_failed++;
  fprintf(stderr, "%s, %s: %s\n", name, l.cpu, err.message);
}

/* ---- files ---- */

/* The arrays DIR/PREFIX.NAME.npy; false: there are none for an input that needs one. */
static bool read_set(const char *dir, const char *prefix, const scanc_program *p, arrays *a) {
  *a = (arrays){.n = scanc_program_n_inputs(p)};
  ck_assert_int_le(a->n, MAX_PORTS);
  bool any = a->n == 0 && !strcmp(prefix, "in");
  for (int i = 0; i < a->n; i++) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s.%s.npy", dir, prefix, scanc_program_input(p, i).name);
    any |= npy_read(path, 0, &a->in[i], NULL);
  }
  return any;
}

/* ---- subnormals ---- */

static double least_normal(scanc_dtype real) { return real == SCANC_F64 ? 0x1p-1022 : 0x1p-126; }

/* Every third number becomes a subnormal one, every third one so small that a product of two is. */
static void make_tiny(const arrays *a, arrays *tiny) {
  *tiny = (arrays){.n = a->n};
  for (int i = 0; i < a->n; i++) {
    scanc_tensor *t = &tiny->in[i];
    *t = a->in[i];
    if (!t->data) continue;
    int64_t n = scanc_tensor_numel(t), parts = 1;
    size_t bytes = (size_t)n * scanc_dtype_size(t->dtype);
    t->owner = t->data = memcpy(malloc(bytes + 1), t->data, bytes);
    t->release = free;
    scanc_dtype real = dtype_real(t->dtype);
    if (dtype_class(real) != 'f' || real == SCANC_F16) continue;
    parts = (int64_t)(scanc_dtype_size(t->dtype) / scanc_dtype_size(real));
    for (int64_t k = 0; k < n * parts; k++) {
      char *at = (char *)t->data + (size_t)k * scanc_dtype_size(real);
      number x = number_load(real, at);
      if (k % 3 == 0) x.f = least_normal(real) * (k % 2 ? 0.375 : -0.25);
      else if (k % 3 == 1) x.f *= real == SCANC_F64 ? 0x1p-511 : 0x1p-63;
      number_store(x, real, at);
    }
  }
}

static bool is_subnormal(double x, scanc_dtype real) {
  return x != 0 && fabs(x) < least_normal(real);
}

static bool has_subnormals(const outcome *o) {
  for (int i = 0; i < o->n; i++) {
    const scanc_tensor *t = &o->out[i];
    scanc_dtype real = dtype_real(t->dtype);
    int64_t n = t->data ? scanc_tensor_numel(t) : 0;
    if (dtype_class(real) != 'f' || real == SCANC_F16) continue;
    for (int64_t k = 0; k < n; k++) {
      number x = number_load(t->dtype, (char *)t->data + (size_t)k * scanc_dtype_size(t->dtype));
      if (is_subnormal(x.f, real) || (x.cls == 'c' && is_subnormal(x.im, real))) return true;
    }
  }
  return false;
}

/* CPU levels take turns. */
static void check_flushed(const char *name, const scanc_module *m, const arrays *a) {
  static int turn;
  level l = levels[turn++ % N_LEVELS];
  arrays tiny;
  make_tiny(a, &tiny);
  if (!level_is_here(l.cpu)) l.cpu = "native";
  check_level(name, m, &tiny, 1, l, true);
  scanc_program *kept = compile_case(m, SCANC_EXEC_INTERP, NULL, 1, false, NULL),
                *p = compile_case(m, SCANC_EXEC_AUTO, NULL, 1, true, NULL);
  outcome want = run_case(kept, &tiny), got = run_case(p, &tiny);
  if (has_subnormals(&got)) {
    n_failed++;
    fprintf(stderr, "%s: a result holds subnormal numbers\n", name);
  }
  n_flushed += !same_outcome(&want, &got);
  release(want.out, want.n);
  release(got.out, got.n);
  scanc_program_free(kept);
  scanc_program_free(p);
  release(tiny.in, tiny.n);
}

/* ---- cases ---- */

/* False: the text is no program, or has operators that nothing executes. */
static bool check_case(const char *dir, const char *name, bool flushed) {
  char path[512];
  arrays sets[2];
  int n_sets = 0;
  snprintf(path, sizeof path, "%s/model.fx", dir);
  scanc_module *m = scanc_module_load(NULL, path, NULL);
  scanc_program *p = m ? compile_case(m, SCANC_EXEC_INTERP, NULL, 1, false, NULL) : NULL;
  if (p && read_set(dir, "in", p, &sets[0])) n_sets++;
  if (n_sets && read_set(dir, "in2", p, &sets[1])) n_sets++;
  scanc_program_free(p);
  for (int l = THIN ? 3 : 0; !flushed && n_sets && l < (THIN ? 4 : 3); l++)
    if (level_is_here(levels[l].cpu)) check_level(name, m, sets, n_sets, levels[l], false);
  if (flushed && n_sets) check_flushed(name, m, &sets[0]);
  for (int k = 0; k < n_sets; k++) release(sets[k].in, sets[k].n);
  scanc_module_free(m);
  return n_sets > 0;
}

static int check_group(const char *group, bool flushed) {
  char dir[300], path[600];
  int n = 0;
  snprintf(dir, sizeof dir, "%s/corpus/%s", TEST_DIR, group);
  DIR *d = opendir(dir);
  ck_assert_msg(d != NULL, "%s", dir);
  for (struct dirent *e; (e = readdir(d));) {
    if (e->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
    n += check_case(path, path + strlen(TEST_DIR) + strlen("/corpus/"), flushed);
  }
  closedir(d);
  return n;
}

START_TEST(test_bits) {
  static const char *const groups[] = {"ops", "scan", "assoc", "models", "dyn", "fxtext"};
  int n = 0;
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) n += check_group(groups[i], false);
  printf("corpus: %d programs, %d runs compared, %d failures\n", n, n_runs, n_failed);
  ck_assert_int_ge(n, LEAST_CASES);
  ck_assert_int_eq(n_failed, 0);
}
END_TEST

START_TEST(test_flushed) {
  static const char *const groups[] = {"scan", "assoc", "models"};
  int n = 0;
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) n += check_group(groups[i], true);
  printf("corpus, flushed: %d programs, %d runs compared, %d differ from unflushed ones, "
         "%d failures\n",
         n, n_runs, n_flushed, n_failed);
  ck_assert_int_ge(n_flushed, 30);
  ck_assert_int_eq(n_failed, 0);
}
END_TEST

UNIT_MAIN("corpus", test_bits, test_flushed)
