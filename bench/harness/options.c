/* The command line. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

static const char usage[] =
    "scanc bench [OPTION ...] [CASE ...]\n"
    "\n"
    "Runs programs beside C functions and other frameworks that compute the same, compares all "
    "results and\n"
    "reports ratios of times. CASE is the name of a case or its beginning; none: all of them.\n"
    "\n"
    "  --list         print the cases and what they are\n"
    "  --quick        one or two sizes of each workload, short measurements, no peers: below 2 "
    "minutes\n"
    "  --json=FILE    write times (least, median, spread), ratios and the machine\n"
    "  --html=FILE    write a report with charts\n"
    "  --peers=NAME,...|none  the frameworks to ask (all that are installed; none with --quick)\n"
    "  --budget=S     seconds of measurement per case (1; 0.25 with --quick)\n"
    "  --threads=N    measure scanc, C and memcpy with N threads, too (2 where there are as many "
    "CPUs;\n"
    "                 1 with --quick: not)\n"
    "  --fresh-pages  give the pages of outputs back before each call, so that page faults count\n"
    "  --seed=N       seed of the inputs (0)\n"
    "  --compare A.json B.json  measure nothing: how far two records of --json agree\n"
    "\n"
    "Exit status: 0 success, 1 a result is off or a program fails, 2 usage, 3 files or memory.\n";

static const struct option longs[] = {
    {"list", no_argument, NULL, 'l'},        {"quick", no_argument, NULL, 'q'},
    {"json", required_argument, NULL, 'j'},  {"html", required_argument, NULL, 'w'},
    {"peers", required_argument, NULL, 'p'}, {"budget", required_argument, NULL, 'b'},
    {"seed", required_argument, NULL, 's'},  {"threads", required_argument, NULL, 't'},
    {"fresh-pages", no_argument, NULL, 'f'}, {"compare", no_argument, NULL, 'c'},
    {"help", no_argument, NULL, 'h'},        {0},
};

static bool read_seconds(const char *text, double *out) {
  char *end;
  *out = strtod(text, &end);
  return end != text && !*end && *out > 0 && *out <= 3600;
}

static bool read_threads(const char *text, int *out) {
  uint64_t n = 0;
  for (; *text >= '0' && *text <= '9' && n <= SCANC_MAX_THREADS; text++)
    n = n * 10 + (uint64_t)(*text - '0');
  *out = (int)n;
  return !*text && n >= 1 && n <= SCANC_MAX_THREADS;
}

static bool read_seed(const char *text, uint64_t *out) {
  char *end;
  errno = 0;
  *out = strtoull(text, &end, 10);
  return *text >= '0' && *text <= '9' && !*end && !errno;
}

static bool take(int key, bench_options *o) {
  switch (key) {
    case 'l': return o->list = true;
    case 'q': return o->quick = true;
    case 'j': return *(o->json = optarg) != '\0';
    case 'w': return *(o->html = optarg) != '\0';
    case 'p':
      o->no_peers = strcmp(optarg, "none") == 0;
      o->peers = o->no_peers ? NULL : optarg;
      return true;
    case 'b': return read_seconds(optarg, &o->budget);
    case 's': return read_seed(optarg, &o->seed);
    case 't': return read_threads(optarg, &o->threads);
    case 'f': return o->fresh_pages = true;
    case 'c': return o->compare = true;
  }
  return false;
}

int options_read(int argc, char **argv, bench_options *o) {
  int key, index = 0;
  *o = (bench_options){0};
  opterr = 0;
  while ((key = getopt_long(argc, argv, ":", longs, &index)) != -1) {
    if (key == 'h') {
      fputs(usage, stdout);
      return 0;
    }
    const char *given = key == '?' || key == ':' ? argv[optind - 1] : longs[index].name;
    if (take(key, o)) continue;
    if (key == '?') fprintf(stderr, "scanc bench: unknown option '%s'; try --help\n", given);
    else if (key == ':') fprintf(stderr, "scanc bench: %s needs a value\n", given);
    else fprintf(stderr, "scanc bench: --%s: cannot be '%s'\n", given, optarg);
    return 2;
  }
  if (o->budget == 0) o->budget = o->quick ? 0.25 : 1;
  if (o->threads == 0) o->threads = o->quick || machine_cpus() < 2 ? 1 : 2;
  if (o->quick && !o->peers) o->no_peers = true;
  o->cases = argv + optind;
  o->n_cases = argc - optind;
  if (o->compare && o->n_cases != 2) {
    fputs("scanc bench: --compare takes two files\n", stderr);
    return 2;
  }
  if (o->json && o->html && strcmp(o->json, o->html) == 0) {
    fputs("scanc bench: --json and --html are the same file\n", stderr);
    return 2;
  }
  return -1;
}
