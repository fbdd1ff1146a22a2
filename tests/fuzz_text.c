/* Damaged programs: single-byte edits and truncations of the good files of the corpus, read,
 * compiled and run with the arrays of the case. Each must end in a result or an error: no crash, no
 * hang, no large allocation. The edits follow from the seed alone.
 *
 *   fuzz_text CORPUS COUNT [SEED [FIRST]]   COUNT edits, from number FIRST on
 *
 * Edits run in child processes, so that a crash is reported with what caused it and the others
 * still run. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "harness.h"
#include "runtime/npy.h"
#include "scanc/scanc.h"

enum { MAX_FILE = 100000, MAX_MB = 256, SECONDS = 60 };

/* A run may have MAX_MB; a larger piece, or more in all, is a failure. AddressSanitizer reserves
 * address space of its own and bounds the pieces (tests/CMakeLists.txt). */
#ifdef __SANITIZE_ADDRESS__
static void limit_memory(void) {}
#else
static void limit_memory(void) {
  rlim_t bytes = (rlim_t)4 * MAX_MB << 20;
  setrlimit(RLIMIT_AS, &(struct rlimit){bytes, bytes});
}
#endif

typedef struct {
  char *dir;
  char *text;
  size_t len;
} sample;

typedef struct {
  sample *items;
  int n;
} samples;

/* Shared with the children: which edit is being tried, and how many ended how. */
typedef struct {
  long current;
  long refused, failed, ran;
} progress;

static uint64_t mix(uint64_t z) {
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

static void add_group(samples *s, const char *corpus, const char *group) {
  str dir = {0};
  str_printf(&dir, "%s/%s", corpus, group);
  int n;
  char **names = list_cases(dir.data, &n);
  for (int i = 0; i < n; i++) {
    sample one = {.text = base_malloc(MAX_FILE)};
    str path = {0};
    str_printf(&path, "%s/%s", dir.data, names[i]);
    one.dir = strdup(path.data);
    str_append(&path, "/model.fx");
    FILE *f = fopen(path.data, "rb");
    if (f) one.len = fread(one.text, 1, MAX_FILE, f);
    if (f) fclose(f);
    str_free(&path);
    s->items = base_realloc(s->items, (size_t)(s->n + 1) * sizeof *s->items);
    s->items[s->n++] = one;
  }
  free_names(names, n);
  str_free(&dir);
}

/* ---- one edit ---- */

/* Returns the number of bytes of the edited text. A quarter are truncations; of the rest, half put
 * a byte that means something to the grammar. */
static size_t edit(const sample *s, uint64_t seed, char *text, str *what) {
  static const char telling[] = "()[]{},.:;=\"'#\\ \n0123456789-+*/sfiub_%@x";
  uint64_t r = mix(seed), at = mix(r + 1) % s->len;
  memcpy(text, s->text, s->len);
  if (r % 4 == 0) {
    str_printf(what, "cut at byte %llu", (unsigned long long)at);
    return at;
  }
  uint64_t k = mix(r + 2);
  char c = r % 2 ? telling[k % (sizeof telling - 1)] : (char)(k & 0xFF);
  uint64_t way = mix(r + 3) % 3;
  str_printf(what, "%s byte %llu: 0x%02x",
             way == 0   ? "insert at"
             : way == 1 ? "delete"
                        : "replace",
             (unsigned long long)at, (unsigned char)c);
  if (way == 0) {
    memmove(text + at + 1, text + at, s->len - at);
    text[at] = c;
    return s->len + 1;
  }
  if (way == 1) {
    memmove(text + at, text + at + 1, s->len - at - 1);
    return s->len - 1;
  }
  text[at] = c;
  return s->len;
}

static void run_program(scanc_program *prog, const char *dir, progress *p) {
  scanc_error err = {0};
  int n_in = scanc_program_n_inputs(prog), n_out = scanc_program_n_outputs(prog);
  scanc_tensor *in = calloc((size_t)n_in + 1, sizeof *in),
               *out = calloc((size_t)n_out + 1, sizeof *out);
  bool ok = true;
  for (int i = 0; ok && i < n_in; i++) {
    str path = {0};
    str_printf(&path, "%s/in.%s.npy", dir, scanc_program_input(prog, i).name);
    ok = npy_read(path.data, 0, &in[i], &err);
    str_free(&path);
  }
  ok = ok && scanc_run(prog, in, n_in, out, n_out, &err) == SCANC_OK;
  if (ok) p->ran++;
  else if (err.code != SCANC_OK && err.message[0]) p->failed++;
  else abort(); /* failed without saying why */
  for (int i = 0; i < n_in; i++) scanc_tensor_release(&in[i]);
  for (int i = 0; i < n_out; i++) scanc_tensor_release(&out[i]);
  free(in);
  free(out);
}

static void try_edit(const samples *s, uint64_t seed, long number, progress *p) {
  uint64_t key = mix(seed * 1000003 + (uint64_t)number);
  const sample *one = &s->items[key % (uint64_t)s->n];
  char *text = malloc(one->len + 2);
  str what = {0};
  size_t len = edit(one, key, text, &what);
  str_free(&what);
  text = realloc(text, len ? len : 1); /* exact, so that a read behind the end is found */
  scanc_error err = {0};
  scanc_module *mod = scanc_module_parse(NULL, text, len, "edited", &err);
  free(text);
  scanc_options opts = SCANC_OPTIONS_INIT;
  opts.exec = number % 16 ? SCANC_EXEC_INTERP : SCANC_EXEC_AUTO;
  opts.max_bytes = (size_t)MAX_MB << 20;
  scanc_program *prog = mod ? scanc_compile(mod, &opts, &err) : NULL;
  scanc_module_free(mod);
  if (prog) run_program(prog, one->dir, p);
  else if (err.code != SCANC_OK && err.message[0]) p->refused++;
  else abort(); /* refused without saying why */
  scanc_program_free(prog);
}

/* ---- many ---- */

static void report(const samples *s, uint64_t seed, long number, int status) {
  uint64_t key = mix(seed * 1000003 + (uint64_t)number);
  const sample *one = &s->items[key % (uint64_t)s->n];
  char *text = malloc(one->len + 2);
  str what = {0};
  edit(one, key, text, &what);
  if (WIFSIGNALED(status))
    printf("FAIL edit %ld of %s: %s: %s\n", number, one->dir, what.data,
           WTERMSIG(status) == SIGALRM ? "takes too long" : strsignal(WTERMSIG(status)));
  else
    printf("FAIL edit %ld of %s: %s: exit %d\n", number, one->dir, what.data, WEXITSTATUS(status));
  fflush(stdout);
  str_free(&what);
  free(text);
}

/* Runs edits first..end-1 in a child. Returns the number of the next edit to try. */
static long run_batch(const samples *s, uint64_t seed, long first, long end, progress *p,
                      int *n_failed) {
  fflush(stdout);
  pid_t pid = fork();
  if (pid == 0) {
    limit_memory();
    for (long i = first; i < end; i++) {
      p->current = i;
      alarm(SECONDS);
      try_edit(s, seed, i, p);
    }
    _exit(0);
  }
  int status = 0;
  if (pid < 0 || waitpid(pid, &status, 0) < 0) exit(99);
  if (status == 0) return end;
  report(s, seed, p->current, status);
  ++*n_failed;
  return p->current + 1;
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  static const char *const groups[] = {"ops", "scan", "assoc", "models", "dyn", "fxtext"};
  samples s = {0};
  for (int i = 0; i < 6; i++) add_group(&s, argv[1], groups[i]);
  uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
  long next = argc > 4 ? atol(argv[4]) : 0, end = next + atol(argv[2]);
  progress *p = mmap(NULL, sizeof *p, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED || !s.n) return 99;
  int n_failed = 0;
  long count = end - next;
  while (next < end)
    next = run_batch(&s, seed, next, next + 500 < end ? next + 500 : end, p, &n_failed);
  printf("fuzz_text: %ld refused, %ld failed at run time, %ld ran, %d crashed or hung\n",
         p->refused, p->failed, p->ran, n_failed);
  for (int i = 0; i < s.n; i++) {
    free(s.items[i].dir);
    free(s.items[i].text);
  }
  free(s.items);
  bool few = p->ran < count / 20; /* a quarter of the edits do no harm */
  if (few)
    printf("FAIL only %ld of %ld edited programs ran: the arrays of the cases do not fit them\n",
           p->ran, count);
  return n_failed || few ? EXIT_FAILURE : EXIT_SUCCESS;
}
