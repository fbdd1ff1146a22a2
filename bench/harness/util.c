/* Time, memory, text and processes. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
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

void drop_pages(void *from, size_t bytes) {
  const uintptr_t page = 4096, begin = ((uintptr_t)from + page - 1) / page * page;
  const uintptr_t end = ((uintptr_t)from + bytes) / page * page;
  if (begin < end) madvise((void *)begin, end - begin, MADV_DONTNEED);
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

char *temporary_name(void) {
  const char *dir = getenv("TMPDIR");
  return text_printf("%s/scanc-bench-XXXXXX", dir && *dir ? dir : "/tmp");
}

/* ---- processes ---- */

/* In a group of its own, so that all of it can be killed. in: -1 for nothing. */
static _Noreturn void child(const char *const *argv, int in, int out, bool all_cpus) {
  setpgid(0, 0);
  if (all_cpus) machine_release();
  int null = open("/dev/null", O_RDWR);
  if (null < 0) _exit(127);
  dup2(in < 0 ? null : in, 0);
  dup2(out, 1);
  dup2(null, 2);
  execv(argv[0], (char *const *)argv);
  _exit(127);
}

/* Whether the last line of the text is empty. */
static bool has_ended(const char *text, size_t n) {
  return n > 0 && text[n - 1] == '\n' && (n == 1 || text[n - 2] == '\n');
}

/* Until the other end is closed (*closed), the time is over (*late), or, where an empty line ends
 * what is said, until that. */
static char *read_answer(int fd, double until, bool empty_line_ends, bool *closed, bool *late) {
  char *text = NULL, part[4096];
  size_t n = 0;
  FILE *to = open_memstream(&text, &n);
  if (!to) no_memory();
  for (;;) {
    double left = (until - now_ns()) * 1e-6;
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    int ready = poll(&wait, 1, left > 0 ? (int)left + 1 : 0);
    if (ready < 0 && errno == EINTR) continue;
    *late = ready == 0;
    ssize_t k = ready > 0 ? read(fd, part, sizeof part) : 0;
    *closed = !*late && k <= 0;
    if (k <= 0) break;
    fwrite(part, 1, (size_t)k, to);
    if (fflush(to) != 0) no_memory();
    if (empty_line_ends && has_ended(text, n)) break;
  }
  if (fclose(to) != 0) no_memory();
  return text;
}

char *run_process(const char *const *argv, process *p) {
  int ends[2], status;
  double start = now_ns();
  fflush(stdout);
  p->late = false;
  p->failed = true;
  if (pipe2(ends, O_CLOEXEC) != 0) return text_printf("%s", "");
  pid_t pid = fork();
  if (pid == 0) child(argv, -1, ends[1], p->all_cpus);
  close(ends[1]);
  bool closed;
  char *text = read_answer(ends[0], start + p->limit * 1e9, false, &closed, &p->late);
  close(ends[0]);
  if (pid > 0 && p->late) kill(-pid, SIGKILL);
  if (pid > 0 && waitpid(pid, &status, 0) == pid)
    p->failed = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
  p->seconds = (now_ns() - start) * 1e-9;
  return text;
}

char *run_program(const char *const *argv, double *seconds) {
  process p = {.limit = 300};
  char *text = run_process(argv, &p);
  if (seconds) *seconds = p.seconds;
  if (!p.failed) return text;
  free(text);
  return NULL;
}

bool server_start(server *s, const char *const *argv, bool all_cpus) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
  fflush(stdout);
  pid_t pid = fork();
  if (pid == 0) child(argv, ends[1], ends[1], all_cpus);
  close(ends[1]);
  if (pid < 0) close(ends[0]);
  *s = (server){pid < 0 ? 0 : pid, ends[0]};
  return pid > 0;
}

void server_stop(server *s) {
  if (!s->pid) return;
  kill(-s->pid, SIGKILL);
  waitpid(s->pid, NULL, 0);
  close(s->fd);
  s->pid = 0;
}

char *server_ask(server *s, const char *line, double limit, bool *late) {
  double start = now_ns();
  bool closed = false;
  size_t n = strlen(line);
  *late = false;
  /* No signal if it has died: the answer ends at once then. */
  if (send(s->fd, line, n, MSG_NOSIGNAL) != (ssize_t)n) closed = true;
  char *text =
      closed ? text_printf("%s", "") : read_answer(s->fd, start + limit * 1e9, true, &closed, late);
  if (closed || *late) server_stop(s);
  return text;
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
