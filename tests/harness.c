#include "harness.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "slurp.h"

static _Noreturn void die(const char *what, const char *on) {
  fprintf(stderr, "harness: %s %s: %s\n", what, on, strerror(errno));
  exit(99);
}

/* ---- processes ---- */

static _Noreturn void child(const char *const *argv, FILE *in, FILE *out, FILE *err) {
  struct rlimit cpu = {120, 130};
  setrlimit(RLIMIT_CPU, &cpu);
  dup2(fileno(in), 0);
  dup2(fileno(out), 1);
  dup2(fileno(err), 2);
  execv(argv[0], (char *const *)argv);
  _exit(127);
}

result run_process(const char *const *argv, const str *input) {
  result r = {0};
  FILE *in = tmpfile(), *out = tmpfile(), *err = tmpfile();
  if (!in || !out || !err) die("cannot make", "temporary files");
  if (input) fwrite(str_cstr(input), 1, input->len, in);
  fflush(in);
  rewind(in);
  fflush(stdout);
  pid_t pid = fork();
  if (pid < 0) die("cannot fork for", argv[0]);
  if (pid == 0) child(argv, in, out, err);
  int status;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) die("cannot wait for", argv[0]);
  r.status = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
  rewind(out);
  slurp_stream(out, &r.out);
  rewind(err);
  slurp_stream(err, &r.err);
  fclose(in);
  return r;
}

void result_free(result *r) {
  str_free(&r->out);
  str_free(&r->err);
}

const char *first_error_line(const result *r) {
  static char line[1200];
  snprintf(line, sizeof line, "%.*s", (int)strcspn(str_cstr(&r->err), "\n"), str_cstr(&r->err));
  return line;
}

/* ---- files ---- */

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

char **list_cases(const char *dir, int *n) {
  DIR *d = opendir(dir);
  if (!d) die("cannot open", dir);
  char **names = NULL;
  *n = 0;
  for (struct dirent *e; (e = readdir(d));) {
    if (e->d_name[0] == '.') continue;
    names = realloc(names, (size_t)(*n + 1) * sizeof *names);
    names[(*n)++] = strdup(e->d_name);
  }
  closedir(d);
  qsort(names, (size_t)*n, sizeof *names, by_name);
  return names;
}

void free_names(char **names, int n) {
  for (int i = 0; i < n; i++) free(names[i]);
  free(names);
}

json_t *load_json(const char *dir, const char *name) {
  str path = {0};
  json_error_t e;
  str_printf(&path, "%s/%s", dir, name);
  json_t *j = json_load_file(path.data, 0, &e);
  if (!j) {
    fprintf(stderr, "harness: %s:%d: %s\n", path.data, e.line, e.text);
    exit(99);
  }
  str_free(&path);
  return j;
}

bool has_tag(const json_t *info, const char *tag) {
  size_t i;
  json_t *t;
  json_array_foreach (json_object_get(info, "tags"), i, t)
    if (strcmp(json_string_value(t), tag) == 0) return true;
  return false;
}

char *make_temporary(void) {
  const char *base = getenv("TMPDIR");
  str path = {0};
  str_printf(&path, "%s/scanc-test-XXXXXX", base && base[0] ? base : "/tmp");
  if (!mkdtemp(path.data)) die("cannot make", path.data);
  return path.data;
}

static int each_file(const char *dir, bool delete) {
  DIR *d = opendir(dir);
  int n = 0;
  if (!d) return 0;
  for (struct dirent *e; (e = readdir(d));) {
    if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
    n++;
    if (!delete) continue;
    str path = {0};
    str_printf(&path, "%s/%s", dir, e->d_name);
    if (unlink(path.data) != 0) {
      each_file(path.data, true);
      rmdir(path.data);
    }
    str_free(&path);
  }
  closedir(d);
  return n;
}

int count_files(const char *dir) { return each_file(dir, false); }

void remove_temporary(char *dir) {
  each_file(dir, true);
  rmdir(dir);
  free(dir);
}

/* ---- counting ---- */

void test_pass(tally *t) { t->passed++; }

static void report(const char *kind, const char *name, const char *fmt, va_list ap) {
  printf("%s %s: ", kind, name);
  vprintf(fmt, ap);
  putchar('\n');
  fflush(stdout);
}

void test_fail(tally *t, const char *name, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  report("FAIL", name, fmt, ap);
  va_end(ap);
  t->failed++;
}

void test_skip(tally *t, const char *name, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  report("skip", name, fmt, ap);
  va_end(ap);
  t->skipped++;
}

int test_end(const tally *t, const char *title) {
  printf("%s: %d passed, %d failed, %d skipped\n", title, t->passed, t->failed, t->skipped);
  return t->failed || !t->passed ? EXIT_FAILURE : EXIT_SUCCESS;
}
