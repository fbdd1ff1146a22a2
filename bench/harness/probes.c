/* What the machine can do at best, and what a process costs. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../tests/zip.h"
#include "harness.h"
#include "references.h"

/* ---- copying ---- */

static double copy_gb_per_s(size_t bytes, double seconds) {
  char *from = must_alloc(bytes), *to = must_alloc(bytes);
  double best = 0, start = now_ns();
  size_t calls = bytes < 1 << 20 ? (1 << 20) / bytes : 1;
  do {
    double begin = now_ns();
    for (size_t k = 0; k < calls; k++) {
      memcpy(to, from, bytes);
      __asm__ volatile("" ::"r"(to) : "memory");
    }
    double rate = 2.0 * (double)bytes * (double)calls / (now_ns() - begin);
    if (rate > best) best = rate;
  } while (now_ns() - start < seconds * 1e9);
  free(from);
  free(to);
  return best;
}

static json_t *probe_copies(double seconds, bool quick) {
  json_t *all = json_array();
  for (size_t kb = 16; kb <= (quick ? 1u << 15 : 1u << 18); kb *= 8)
    json_array_append_new(all, json_pack("{sI sf}", "bytes", (json_int_t)kb * 1024, "gb_per_s",
                                         copy_gb_per_s(kb * 1024, seconds)));
  return all;
}

/* ---- multiply-adds ---- */

DECLARE(probe_fma);
static const reference fma_variants[] = {GOOD(probe_fma){0}};

static double fma_rate(const reference *r, double seconds) {
  float a = 0.5f, b = 0.25f;
  void *sum = must_alloc(64);
  double operations, best = 0, start = now_ns();
  do {
    double begin = now_ns();
    r->fn((void *[]){&a, &b}, (void *[]){sum, &operations}, (int64_t[]){100000});
    double rate = operations / (now_ns() - begin);
    if (rate > best) best = rate;
  } while (now_ns() - start < seconds * 1e9);
  free(sum);
  return best;
}

static double probe_fmas(double seconds) {
  double best = 0;
  for (const reference *r = fma_variants; r->fn; r++) {
    double rate = r->contract ? fma_rate(r, seconds) : 0;
    if (rate > best) best = rate;
  }
  return best;
}

/* ---- processes ---- */

static double best_of(const char *const *argv, int n) {
  double best = 0, seconds;
  for (int k = 0; k < n; k++) {
    char *printed = run_program(argv, &seconds);
    if (printed && (best == 0 || seconds < best)) best = seconds;
    free(printed);
  }
  return best * 1e3;
}

/* The least program from text to result, beside a process that does nothing but print its version.
 */
static json_t *probe_process(const char *tool) {
  char *path = temporary_name();
  int fd = mkstemp(path);
  FILE *to = fd >= 0 ? fdopen(fd, "w") : NULL;
  if (!to) {
    free(path);
    return json_null();
  }
  fputs("def forward(self, x: \"f32[1]\"):\n    y = torch.ops.aten.add.Tensor(x, 1.0)\n    return "
        "(y,)\n",
        to);
  fclose(to);
  double idle = best_of((const char *[]){tool, "--version", NULL}, 5);
  double jit = best_of((const char *[]){tool, "run", path, "x=ones", NULL}, 5);
  double interp = best_of((const char *[]){tool, "run", path, "x=ones", "--exec=interp", NULL}, 5);
  unlink(path);
  free(path);
  return json_pack("{sf sf sf}", "process_ms", idle, "compiled_ms", jit, "interpreted_ms", interp);
}

/* ---- archives ---- */

static double resident_mb(void) {
  long pages = 0, resident = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (f && fscanf(f, "%ld %ld", &pages, &resident) != 2) resident = 0;
  if (f) fclose(f);
  return (double)resident * (double)sysconf(_SC_PAGESIZE) / (1 << 20);
}

/* Loading an archive with a weight of a gigabyte: the least time of several, and the memory that
 * the first one took. */
static json_t *probe_archive(void) {
  char *path = temporary_name();
  int fd = mkstemp(path);
  if (fd >= 0) close(fd);
  bool ok = fd >= 0 && zip_write_gigabyte(path);
  double least = 0, mb = 0;
  for (int k = 0; ok && k < 5; k++) {
    double before = resident_mb(), begin = now_ns();
    scanc_module *mod = scanc_module_load(NULL, path, NULL);
    double ns = now_ns() - begin;
    if (k == 0) mb = resident_mb() - before;
    if (k == 0 || ns < least) least = ns;
    ok = mod != NULL;
    scanc_module_free(mod);
  }
  if (fd >= 0) unlink(path);
  free(path);
  return ok ? json_pack("{sf sf}", "load_ms", least * 1e-6, "resident_mb", mb) : json_null();
}

json_t *probes_run(const bench_options *o) {
  double seconds = o->quick ? 0.05 : 0.3;
  const char *tool = scanc_tool();
  return json_pack("{so sf so so}", "memcpy", probe_copies(seconds, o->quick), "fma_gflops",
                   probe_fmas(seconds), "first_result", tool ? probe_process(tool) : json_null(),
                   "archive_of_1_gb", probe_archive());
}
