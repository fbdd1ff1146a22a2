/* Time, memory, text and processes. */
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness.h"

double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static _Noreturn void no_memory(void) {
  fputs("scanc bench: out of memory\n", stderr);
  exit(3);
}

void *must_alloc(size_t bytes) {
  size_t rounded = (bytes + 4095) / 4096 * 4096;
  void *p = NULL;
  if (rounded < bytes || posix_memalign(&p, 4096, rounded ? rounded : 4096) != 0) no_memory();
  memset(p, 0, rounded ? rounded : 4096);
  return p;
}

char *text_printf(const char *format, ...) {
  char *text;
  va_list args;
  va_start(args, format);
  int n = vasprintf(&text, format, args);
  va_end(args);
  if (n < 0) no_memory();
  return text;
}

char *next_line(char **rest) {
  char *line = *rest;
  if (!line || !*line) return NULL;
  char *end = strchr(line, '\n');
  *rest = end ? end + 1 : NULL;
  if (end) *end = '\0';
  return line;
}

/* ---- processes ---- */

/* A program that does not end is ended, after more time than any of them needs. */
static _Noreturn void child(const char *const *argv, int out) {
  setrlimit(RLIMIT_CPU, &(struct rlimit){1800, 1800});
  int null = open("/dev/null", O_RDWR);
  dup2(null, 0);
  dup2(out, 1);
  dup2(null, 2);
  execv(argv[0], (char *const *)argv);
  _exit(127);
}

static char *read_all(int fd) {
  FILE *from = fdopen(fd, "r");
  char *text = NULL;
  size_t n = 0;
  FILE *to = open_memstream(&text, &n);
  if (!from || !to) no_memory();
  char part[4096];
  for (size_t k; (k = fread(part, 1, sizeof part, from)) > 0;) fwrite(part, 1, k, to);
  fclose(from);
  if (fclose(to) != 0) no_memory();
  return text;
}

char *run_program(const char *const *argv, double *seconds) {
  int ends[2], status;
  double start = now_ns();
  fflush(stdout);
  if (pipe2(ends, O_CLOEXEC) != 0) return NULL;
  pid_t pid = fork();
  if (pid == 0) child(argv, ends[1]);
  close(ends[1]);
  char *text = read_all(ends[0]);
  bool ok =
      pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (seconds) *seconds = (now_ns() - start) * 1e-9;
  if (ok) return text;
  free(text);
  return NULL;
}

const char *scanc_tool(void) {
  static char path[4096 + 32];
  static const char *const places[] = {"/../scanc", "/scanc", "/../bin/scanc"};
  char self[4096];
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (n < 0) return NULL;
  self[n] = '\0';
  *strrchr(self, '/') = '\0';
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    snprintf(path, sizeof path, "%s%s", self, places[i]);
    if (access(path, X_OK) == 0) return path;
  }
  return NULL;
}
