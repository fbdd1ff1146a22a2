/* Golden text files: tests/golden/<topic>/<name>.fx. The first line says what is run, the program
 * follows, then what is expected:
 *
 *   # test: print --after=cse
 *   class GraphModule(torch.nn.Module):
 *       ...
 *   # ----
 *   (standard output, then standard error, then "exit N" unless N is 0)
 *
 * The program goes to `scanc COMMAND - ARGUMENTS` on standard input, with the first line, so that
 * line numbers in messages are those of the file. SCANC_BLESS=1 rewrites what is expected.
 *
 *   text TOOL GOLDEN [TOPIC/NAME.fx] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "harness.h"
#include "slurp.h"

static const char mark[] = "# ----\n", head[] = "# test: ";

static bool write_file(const char *path, const char *program, size_t n, const str *expected) {
  FILE *f = fopen(path, "wb");
  if (!f) return false;
  fwrite(program, 1, n, f);
  fputs(mark, f);
  fwrite(str_cstr(expected), 1, expected->len, f);
  return fclose(f) == 0;
}

/* Runs `scanc COMMAND - ARGUMENTS`, where line is "COMMAND ARGUMENTS". */
static result run_line(const char *tool, char *line, const str *program) {
  const char *argv[32] = {tool};
  int n = 1;
  for (char *w = strtok(line, " "); w && n < 30; w = strtok(NULL, " ")) {
    argv[n++] = w;
    if (n == 2) argv[n++] = "-";
  }
  return run_process(argv, program);
}

static void collect(const result *r, str *out) {
  str_append_n(out, str_cstr(&r->out), r->out.len);
  str_append_n(out, str_cstr(&r->err), r->err.len);
  if (r->status) str_printf(out, "exit %d\n", r->status);
}

/* 1-based line in which a and b differ first. */
static int differing_line(const char *a, const char *b) {
  int line = 1;
  for (; *a && *a == *b; a++, b++) line += *a == '\n';
  return line;
}

static void test_file(const char *tool, const char *path, const char *name, tally *t) {
  str text = {0}, program = {0}, got = {0};
  const char *cut = slurp(path, &text) ? strstr(str_cstr(&text), mark) : NULL;
  bool bless = getenv("SCANC_BLESS") != NULL;
  if (!text.data || strncmp(text.data, head, strlen(head)) != 0 || (!cut && !bless)) {
    test_fail(t, name, "not a test file: no '%s' or no '# ----'", head);
    str_free(&text);
    return;
  }
  size_t n = cut ? (size_t)(cut - text.data) : text.len;
  str_append_n(&program, text.data, n);
  char line[300];
  snprintf(line, sizeof line, "%.*s", (int)strcspn(text.data + strlen(head), "\n"),
           text.data + strlen(head));
  result r = run_line(tool, line, &program);
  collect(&r, &got);
  const char *want = cut ? cut + strlen(mark) : "";
  bool same = strcmp(str_cstr(&got), want) == 0;
  if (same || (bless && write_file(path, program.data, n, &got))) test_pass(t);
  else
    test_fail(t, name, "differs in line %d of what is expected; got:\n%s",
              differing_line(want, str_cstr(&got)), str_cstr(&got));
  result_free(&r);
  str_free(&text);
  str_free(&program);
  str_free(&got);
}

static void test_topic(const char *tool, const char *root, const char *topic, const char *only,
                       tally *t) {
  str dir = {0};
  str_printf(&dir, "%s/%s", root, topic);
  int n;
  char **names = list_cases(dir.data, &n);
  for (int i = 0; i < n; i++) {
    str path = {0}, name = {0};
    str_printf(&path, "%s/%s", dir.data, names[i]);
    str_printf(&name, "%s/%s", topic, names[i]);
    if (!only || strcmp(only, name.data) == 0) test_file(tool, path.data, name.data, t);
    str_free(&path);
    str_free(&name);
  }
  free_names(names, n);
  str_free(&dir);
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  tally t = {0};
  int n;
  char **topics = list_cases(argv[2], &n);
  for (int i = 0; i < n; i++)
    test_topic(argv[1], argv[2], topics[i], argc > 3 ? argv[3] : NULL, &t);
  free_names(topics, n);
  return test_end(&t, "text");
}
