/* Random programs. Usage:
 *   random_graphs COUNT [SEED [FIRST]]   COUNT programs
 *   random_graphs seconds N [SEED]       as many as N seconds allow, from a random seed
 *   random_graphs print SEED             the text of one program
 *   random_graphs replay FILE SEED       a text (which may have been edited) with the inputs of
 *                                        SEED
 * What fails is printed with the arguments that repeat it. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "random.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#include <sanitizer/common_interface_defs.h>
enum { SLOWDOWN = 7 };
#else
enum { SLOWDOWN = 1 };
#endif

enum { MAX_FAILURES = 10 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- crashes and hangs name the program, too ---- */

/* Per program: of processor time; and, for what waits for ever, on the clock. */
enum { MAX_SECONDS = 60 * SLOWDOWN, MAX_CLOCK_SECONDS = 10 * MAX_SECONDS };
static char current[96];

static void say(const char *text) {
  ssize_t n = write(STDOUT_FILENO, text, strlen(text));
  (void)n;
}

static void say_current(void) { say(current); }

static void die(int signal) {
  bool late = signal == SIGALRM || signal == SIGPROF;
  say(late ? "took too long: " : "crashed: ");
  say_current();
  _exit(late ? 4 : 3);
}

static void watch(void) {
  struct sigaction act = {.sa_handler = die, .sa_flags = SA_ONSTACK};
  static char memory[65536];
  stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
  sigaltstack(&stack, NULL);
  sigaction(SIGALRM, &act, NULL);
  sigaction(SIGPROF, &act, NULL);
  sigaction(SIGABRT, &act, NULL);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  __sanitizer_set_death_callback(say_current);
#else
  sigaction(SIGSEGV, &act, NULL);
#endif
}

static void watch_program(uint64_t seed) {
  snprintf(current, sizeof current, "DIED: program %" PRIu64 "\n", seed);
  struct itimerval limit = {.it_value.tv_sec = MAX_SECONDS};
  setitimer(ITIMER_PROF, &limit, NULL);
  alarm(MAX_CLOCK_SECONDS);
}

static bool check_one(uint64_t seed, counts *c) {
  watch_program(seed);
  str text = generate(seed);
  bool same = check_program(&text, seed, c);
  if (!same)
    printf("FAILED: program %" PRIu64 "; repeat with: random_graphs replay FILE %" PRIu64 "\n%s\n",
           seed, seed, str_cstr(&text));
  fflush(stdout);
  str_free(&text);
  return same;
}

static int summary(const counts *c, int failures, double seconds) {
  printf("%d programs in %.0f s: %d compiled, %d refused, %d runs, %d with errors, %d by three "
         "callers, %d with three threads, %d into memory given (%d results in place), %d "
         "contracted, %d "
         "with loops for all scans;",
         c->programs, seconds, c->compiled, c->refused, c->runs, c->errors, c->threaded, c->cut,
         c->given, c->in_place, c->contracted, c->as_loops);
  for (int i = 0; i < 4; i++) printf(" %s %d", levels[i], c->level[i]);
  printf("; %d failures\n", failures);
  print_refusals();
  if (c->programs > 1) print_coverage();
  return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int check_many(uint64_t seed, int first, int count, double limit) {
  counts c = {0};
  int failures = 0;
  if (SLOWDOWN > 1 && count > 100 && count < INT32_MAX) {
    printf("%d programs instead of %d: with sanitizers each takes %d times as long\n",
           count / SLOWDOWN, count, SLOWDOWN);
    count /= SLOWDOWN;
  }
  double start = now();
  for (int k = first; k < first + count && failures < MAX_FAILURES && now() - start < limit; k++)
    failures += !check_one(mix(seed, (uint64_t)k), &c);
  return summary(&c, failures, now() - start);
}

static int replay(const char *path, uint64_t seed) {
  FILE *f = fopen(path, "r");
  str text = {0};
  counts c = {0};
  if (!f) {
    perror(path);
    return EXIT_FAILURE;
  }
  for (int ch; (ch = fgetc(f)) != EOF;) str_char(&text, (char)ch);
  fclose(f);
  watch_program(seed);
  int failures = !check_program(&text, seed, &c);
  str_free(&text);
  return summary(&c, failures, 0);
}

static uint64_t number_of(const char *s) { return strtoull(s, NULL, 0); }

int main(int argc, char **argv) {
  watch();
  if (argc == 3 && !strcmp(argv[1], "print")) {
    str text = generate(number_of(argv[2]));
    fputs(str_cstr(&text), stdout);
    str_free(&text);
    return EXIT_SUCCESS;
  }
  if (argc == 4 && !strcmp(argv[1], "replay")) return replay(argv[2], number_of(argv[3]));
  if (argc >= 3 && !strcmp(argv[1], "seconds")) {
    uint64_t seed = argc > 3 ? number_of(argv[3]) : mix((uint64_t)time(NULL), (uint64_t)clock());
    printf("seed %" PRIu64 "\n", seed);
    return check_many(seed, 0, INT32_MAX, atof(argv[2]));
  }
  if (argc < 2) return 2;
  return check_many(argc > 2 ? number_of(argv[2]) : 1, argc > 3 ? atoi(argv[3]) : 0, atoi(argv[1]),
                    1e9);
}
