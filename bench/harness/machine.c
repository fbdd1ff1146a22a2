/* What the numbers were measured on and with. */
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#ifdef __x86_64__
#include <xmmintrin.h>
#endif
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include "bench_commit.h"
#include "harness.h"

static cpu_set_t given;

static int last_cpu(void) {
  int last = 0;
  for (int i = 0; i < CPU_SETSIZE; i++)
    if (CPU_ISSET(i, &given)) last = i; /* interrupts tend to be served by the first ones */
  return last;
}

void machine_pin(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof given, &given) != 0) return;
  CPU_ZERO(&set);
  CPU_SET(last_cpu(), &set);
  sched_setaffinity(0, sizeof set, &set);
}

void machine_release(void) { sched_setaffinity(0, sizeof given, &given); }

int machine_cpus(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

/* Enough work to be done by all. */
static const char work[] = "def forward(self, x: \"f32[4194304]\"):\n"
                           "    y = torch.ops.aten.exp.default(x)\n    return (y,)\n";

/* Threads run where the thread that makes them may run. They last as long as a program wants them:
 * this one is kept. */
void machine_start_threads(int threads) {
  scanc_options opts = SCANC_OPTIONS_INIT;
  opts.threads = threads;
  scanc_module *mod = scanc_module_parse(NULL, work, sizeof work - 1, "work", NULL);
  static scanc_program *kept;
  kept = mod ? scanc_compile(mod, &opts, NULL) : NULL;
  scanc_module_free(mod);
  cpu_set_t others = given;
  CPU_CLR(last_cpu(), &others);
  if (CPU_COUNT(&others) == 0) others = given; /* all share the one that there is */
  if (!kept) return;
  int64_t n = 4194304;
  float *data = must_alloc((size_t)n * sizeof *data);
  scanc_tensor x = scanc_tensor_contiguous(data, SCANC_F32, 1, &n), y = x;
  sched_setaffinity(0, sizeof others, &others);
  team_start(threads);
  scanc_run(kept, &x, 1, &y, 1, NULL);
  CPU_ZERO(&others);
  CPU_SET(last_cpu(), &others);
  sched_setaffinity(0, sizeof others, &others);
  free(data);
}

/* The first line of a file, without its end; "" if there is none. */
static const char *file_line(const char *path) {
  static char line[256];
  FILE *from = fopen(path, "r");
  if (!from || !fgets(line, sizeof line, from)) *line = '\0';
  if (from) fclose(from);
  line[strcspn(line, "\n")] = '\0';
  return line;
}

/* The value of the first line "key   : value". */
static const char *keyed_line(const char *path, const char *key) {
  static char line[4096];
  FILE *from = fopen(path, "r");
  const char *value = "";
  while (from && !*value && fgets(line, sizeof line, from)) {
    line[strcspn(line, "\n")] = '\0';
    char *colon = strchr(line, ':');
    if (colon && strncmp(line, key, strlen(key)) == 0) value = colon + 1 + strspn(colon + 1, " \t");
  }
  if (from) fclose(from);
  return value;
}

static json_t *caches(void) {
  static const char *const facts[] = {"level", "type", "size", "shared_cpu_list"};
  json_t *all = json_array();
  for (int i = 0; i < 8; i++) {
    json_t *cache = json_object();
    for (size_t k = 0; k < sizeof facts / sizeof *facts; k++) {
      char path[128];
      snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", i, facts[k]);
      json_object_set_new(cache, facts[k], json_string(file_line(path)));
    }
    if (*json_string_value(json_object_get(cache, "level"))) json_array_append(all, cache);
    json_decref(cache);
  }
  return all;
}

/* The state in which C functions run; scanc computes in that of C's start whatever it is. */
static const char *flush_state(void) {
#ifdef __x86_64__
  unsigned csr = _mm_getcsr();
  bool ftz = csr & 0x8000, daz = csr & 0x40;
  return ftz ? (daz ? "FTZ and DAZ on" : "FTZ on") : (daz ? "DAZ on" : "FTZ and DAZ off");
#else
  return "as the process starts";
#endif
}

/* The library that C functions take exp and others from. */
static const char *libc_version(void) {
#ifdef __GLIBC__
  static char text[64];
  snprintf(text, sizeof text, "glibc %s", gnu_get_libc_version());
  return text;
#else
  return "";
#endif
}

static json_t *load(void) {
  double load[3] = {0};
  getloadavg(load, 3);
  return json_pack("[fff]", load[0], load[1], load[2]);
}

static json_t *build_facts(void) {
  return json_pack("{ss ss ss ss ss ss}", "compilers", BENCH_COMPILERS, "llvm", BENCH_LLVM,
                   "flags_of_c", BENCH_GOOD_FLAGS " -ffp-contract=off or fast", "flags_of_c_v3",
                   BENCH_V3_FLAGS " -ffp-contract=off or fast", "flags_of_plain_c",
                   BENCH_PLAIN_FLAGS " -ffp-contract=off or fast", "build_of_scanc",
                   BENCH_BUILD_TYPE);
}

json_t *machine_describe(void) {
  struct utsname u = {0};
  char date[32];
  time_t now = time(NULL);
  struct tm utc;
  uname(&u);
  strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
  json_t *m = json_pack("{ss ss ss ss ss ss so ss si}", "scanc", scanc_version(), "commit",
                        BENCH_COMMIT, "date", date, "kernel", u.release, "libc", libc_version(),
                        "architecture", u.machine, "load_average", load(), "subnormals",
                        flush_state(), "pinned_to_cpu", sched_getcpu());
  json_object_set_new(m, "cpu", json_string(keyed_line("/proc/cpuinfo", "model name")));
  json_object_set_new(m, "cpu_flags", json_string(keyed_line("/proc/cpuinfo", "flags")));
  json_object_set_new(m, "memory", json_string(keyed_line("/proc/meminfo", "MemTotal")));
  json_object_set_new(
      m, "governor",
      json_string(file_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")));
  json_object_set_new(m, "transparent_huge_pages",
                      json_string(file_line("/sys/kernel/mm/transparent_hugepage/enabled")));
  json_object_set_new(m, "caches", caches());
  json_object_set_new(m, "build", build_facts());
  return m;
}

void machine_end(json_t *m) { json_object_set_new(m, "load_average_at_the_end", load()); }
