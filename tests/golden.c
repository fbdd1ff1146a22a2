/* The golden corpus through the command line tool.
 *
 *   golden TOOL CORPUS run GROUP EXEC [CASE]   every case: the outputs equal the expected ones,
 * both input sets golden TOOL CORPUS archive GROUP EXEC [CASE]   the same from model.pt2, with
 * arrays for user inputs only golden TOOL CORPUS print GROUP [CASE] print(read(print(read(file))))
 * is print(read(file)) golden TOOL CORPUS bad [CASE]              every file is refused at the
 * right line, and nothing is written
 *
 * Each failing case is reported by name. corpus/README.md describes the files. */
#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"
#include "ir/graph.h"
#include "levels.h"

typedef struct {
  const char *tool, *exec;
  const char *file; /* model.fx or model.pt2 */
  const char *dir;  /* of the case */
  const char *name; /* "ops/cat" */
  tally *count;
} test_case;

/* Printouts that are not programs, or several in one file: they must be refused with what to pass
 * instead. */
static const char *const not_programs[] = {"graph_listing",
                                           "s_ep_scan_graph_str",
                                           "s_ep_scan_tabular",
                                           "s_getattr_numeric_modules",
                                           "s_makefx_associative_scan",
                                           "s_odd_nodes_and_literals"};

static bool is_program(const char *case_name) {
  for (size_t i = 0; i < sizeof not_programs / sizeof not_programs[0]; i++)
    if (strcmp(case_name, not_programs[i]) == 0) return false;
  return true;
}

/* "FILE:LINE:COL: error: CODE: message" or "FILE: error: CODE: message"; line 0 where there is
 * none. */
static bool parse_diagnostic(const char *text, char *code, size_t code_size, int *line) {
  static const char mark[] = ": error: ";
  const char *p = strstr(text, mark);
  if (!p) return false;
  const char *q = p + strlen(mark);
  size_t n = strcspn(q, ":");
  if (!n || n >= code_size || q[n] != ':' || q[n + 1] != ' ' || !q[n + 2]) return false;
  memcpy(code, q, n);
  code[n] = '\0';
  int col;
  const char *start = p;
  while (start > text && (isdigit((unsigned char)start[-1]) || start[-1] == ':')) start--;
  *line = 0;
  start += strspn(start, "0123456789"); /* the end of a name such as model.pt2 */
  return start == p || sscanf(start, ":%d:%d", line, &col) >= 1;
}

/* How a process that should have succeeded or been refused ended. */
static const char *describe(const result *r) {
  static char text[1400];
  if (r->status == -SIGXCPU) return "took too long";
  if (r->status < 0)
    snprintf(text, sizeof text, "killed by signal %d: %s", -r->status, first_error_line(r));
  else snprintf(text, sizeof text, "exit %d: %s", r->status, first_error_line(r));
  return text;
}

/* ---- run ---- */

/* Whether the file is an array of a parameter, buffer or constant of m: archives of PyTorch 2.8 and
 * later hold them. */
static bool is_stored(const module *m, const char *file) {
  for (int i = 0; m && i < m->inputs.len; i++) {
    const port *p = &m->inputs.data[i];
    size_t n = strlen(p->name);
    bool held = p->kind == PORT_PARAMETER || p->kind == PORT_BUFFER || p->kind == PORT_CONSTANT;
    if (held && !strncmp(file, "in.", 3) && !strncmp(file + 3, p->name, n) &&
        !strcmp(file + 3 + n, ".npy"))
      return true;
  }
  return false;
}

/* The files of input set 1 or 2 under the names of set 1, but those that m holds. */
static void link_set(const char *from, const char *to, const char *prefix, int set,
                     const module *m) {
  int n;
  char **names = list_cases(from, &n);
  size_t len = strlen(prefix);
  for (int i = 0; i < n; i++) {
    bool second = names[i][len] == '2';
    str source = {0}, path = {0}, name = {0};
    if (strncmp(names[i], prefix, len) != 0 || second != (set == 2)) continue;
    str_printf(&name, "%s%s", prefix, names[i] + len + second);
    if (is_stored(m, name.data)) {
      str_free(&name);
      continue;
    }
    str_printf(&source, "%s/%s", from, names[i]);
    str_printf(&path, "%s/%s", to, name.data);
    str_free(&name);
    if (symlink(source.data, path.data) != 0)
      fprintf(stderr, "golden: cannot link %s\n", path.data);
    str_free(&source);
    str_free(&path);
  }
  free_names(names, n);
}

static result run_set(const test_case *t, const char *data, const json_t *info, int n_threads) {
  char exec[32], rtol[64], atol[64], threads[32];
  bool exact = json_is_true(json_object_get(info, "exact"));
  snprintf(exec, sizeof exec, "--exec=%s", t->exec);
  snprintf(threads, sizeof threads, "--threads=%d", n_threads);
  snprintf(rtol, sizeof rtol, "--rtol=%.17g",
           exact ? 0 : json_number_value(json_object_get(info, "rtol")));
  snprintf(atol, sizeof atol, "--atol=%.17g",
           exact ? 0 : json_number_value(json_object_get(info, "atol")));
  str model = {0};
  str_printf(&model, "%s/%s", t->dir, t->file);
  const char *argv[] = {t->tool,    "run", model.data, exec, "--in",  data,
                        "--expect", data,  rtol,       atol, threads, NULL};
  result r = run_process(argv, NULL);
  str_free(&model);
  return r;
}

static bool refused(const result *r) {
  char code[64];
  int line;
  return r->status == 1 && parse_diagnostic(first_error_line(r), code, sizeof code, &line);
}

/* Judges one run; true if it gave the expected results. */
static bool judge(const test_case *t, const result *r, bool may_refuse, int set, int threads) {
  if (r->status == 0) return true;
  if (may_refuse && refused(r))
    test_skip(t->count, t->name, "refused, as is expected of it: %s", first_error_line(r));
  else test_fail(t->count, t->name, "set %d, %d threads: %s", set, threads, describe(r));
  return false;
}

/* Compiled programs run with several numbers of threads. */
static bool run_and_judge(const test_case *t, const char *data, const json_t *info, int set) {
  static const int threads[] = {1, 3, 2, 7};
  int n = strcmp(t->exec, "jit") ? 1 : THIN ? 2 : 4;
  bool ok = true;
  for (int i = 0; ok && i < n; i++) {
    result r = run_set(t, data, info, threads[i]);
    ok = judge(t, &r, has_tag(info, "predispatch"), set, threads[i]);
    result_free(&r);
  }
  return ok;
}

/* Nothing of a compiled program is left to the interpreter, as explain tells. */
static bool is_compiled(const test_case *t) {
  str model = {0};
  str_printf(&model, "%s/%s", t->dir, t->file);
  const char *argv[] = {t->tool, "explain", model.data, "--exec=jit", NULL};
  result r = run_process(argv, NULL);
  const char *line = r.out.len ? str_cstr(&r.out) : "";
  bool ok = r.status == 0 && strstr(line, ", 0 interpreted steps");
  if (!ok) test_fail(t->count, t->name, "not all of it is compiled: %.60s", line);
  result_free(&r);
  str_free(&model);
  return ok;
}

static module *load_archive(const test_case *t) {
  str path = {0};
  str_printf(&path, "%s/model.pt2", t->dir);
  module *m = scanc_module_load(NULL, path.data, NULL);
  str_free(&path);
  return m;
}

static void test_run(const test_case *t) {
  json_t *info = load_json(t->dir, "case.json");
  bool dynamic = json_is_true(json_object_get(info, "dynamic")), ok = true;
  if (json_is_false(json_object_get(info, "runnable"))) {
    test_skip(t->count, t->name, "text only");
    json_decref(info);
    return;
  }
  /* the weights, which are then given as arrays */
  bool pickled = has_tag(info, "torch26") || has_tag(info, "torch27");
  module *stored = pickled || strcmp(t->file, "model.pt2") ? NULL : load_archive(t);
  for (int set = 1; ok && set <= 1 + dynamic; set++) {
    char *linked = set == 2 || stored ? make_temporary() : NULL;
    if (linked) {
      link_set(t->dir, linked, "in", set, stored);
      link_set(t->dir, linked, "out", set, NULL);
      link_set(t->dir, linked, "mut", set, NULL);
    }
    ok = run_and_judge(t, linked ? linked : t->dir, info, set);
    if (linked) remove_temporary(linked);
  }
  if (ok && !strcmp(t->exec, "jit")) ok = is_compiled(t);
  if (ok) test_pass(t->count);
  scanc_module_free(stored);
  json_decref(info);
}

/* ---- print ---- */

static result print_text(const test_case *t, const char *model, const str *input) {
  const char *argv[] = {t->tool, "print", model, NULL};
  return run_process(argv, input);
}

static void test_print(const test_case *t) {
  str model = {0};
  str_printf(&model, "%s/model.fx", t->dir);
  result first = print_text(t, model.data, NULL), second = {0};
  char code[64] = "";
  int line;
  if (!is_program(strrchr(t->dir, '/') + 1)) {
    bool right = refused(&first) &&
                 parse_diagnostic(first_error_line(&first), code, sizeof code, &line) &&
                 strcmp(code, "wrong-form") == 0;
    if (right) test_pass(t->count);
    else test_fail(t->count, t->name, "not refused as wrong-form: %s", describe(&first));
  } else if (first.status != 0) {
    test_fail(t->count, t->name, "cannot be read: %s", describe(&first));
  } else {
    second = print_text(t, "-", &first.out);
    if (second.status != 0)
      test_fail(t->count, t->name, "its print cannot be read: %s", describe(&second));
    else if (strcmp(first.out.data, second.out.data) != 0)
      test_fail(t->count, t->name, "the second print differs");
    else test_pass(t->count);
  }
  result_free(&first);
  result_free(&second);
  str_free(&model);
}

/* ---- bad ---- */

static bool line_fits(const json_t *expect, int line) {
  const json_t *want = json_object_get(expect, "line");
  if (!json_is_integer(want) || json_integer_value(want) == line) return true;
  size_t i;
  json_t *also;
  json_array_foreach (json_object_get(expect, "also"), i, also)
    if (json_integer_value(also) == line) return true;
  return false;
}

/* A diagnostic on a text names that file. Of arrays it names the file or the input. */
static bool file_fits(const test_case *t, const json_t *expect, const char *text) {
  const char *file = json_string_value(json_object_get(expect, "file"));
  str path = {0};
  str_printf(&path, "%s/%s:", t->dir, file);
  bool fits = strncmp(text, path.data, path.len) == 0;
  str_free(&path);
  if (fits || strncmp(file, "model.", 6) == 0) return fits;
  char input[64];
  snprintf(input, sizeof input, "'%.*s'", (int)strcspn(file + 3, "."), file + 3);
  return strstr(text, file) || strstr(text, input);
}

static void judge_bad(const test_case *t, const json_t *expect, const result *r, int n_files) {
  char code[64];
  int line;
  const char *first = first_error_line(r),
             *want = json_string_value(json_object_get(expect, "error"));
  bool may_accept = json_is_true(json_object_get(expect, "may_accept"));
  bool parsed = parse_diagnostic(first, code, sizeof code, &line);
  bool accepted = r->status == 0 ||
                  (parsed && strcmp(code, "missing-input") == 0); /* not all come with arrays */
  if (accepted && may_accept) test_pass(t->count);
  else if (r->status != 1) test_fail(t->count, t->name, "expected exit 1, got %s", describe(r));
  else if (!parsed) test_fail(t->count, t->name, "no diagnostic: %s", first);
  else if (!file_fits(t, expect, first))
    test_fail(t->count, t->name, "does not name the file: %s", first);
  else if (!line_fits(expect, line))
    test_fail(t->count, t->name, "expected line %d: %s",
              (int)json_integer_value(json_object_get(expect, "line")), first);
  else if (strcmp(code, want) != 0) test_fail(t->count, t->name, "expected %s: %s", want, first);
  else if (n_files) test_fail(t->count, t->name, "%d files were left behind", n_files);
  else test_pass(t->count);
}

static void test_bad(const test_case *t) {
  json_t *expect = load_json(t->dir, "expect.json");
  const char *command = json_string_value(json_object_get(expect, "command"));
  char *tmp = make_temporary();
  str model = {0}, out = {0};
  str_printf(&model, "%s/model.pt2", t->dir);
  if (access(model.data, F_OK) != 0) {
    str_clear(&model);
    str_printf(&model, "%s/model.fx", t->dir);
  }
  str_printf(&out, "%s/out", tmp);
  const char *check[] = {t->tool, "check", "--torch", model.data, NULL};
  const char *run[] = {t->tool, "run",    model.data,         "--in", t->dir,
                       "--out", out.data, "--max-bytes=256M", NULL};
  result r = run_process(command && strcmp(command, "check --torch") == 0 ? check : run, NULL);
  judge_bad(t, expect, &r, count_files(out.data));
  result_free(&r);
  str_free(&model);
  str_free(&out);
  remove_temporary(tmp);
  json_decref(expect);
}

/* ---- main ---- */

static int usage(void) {
  fputs(
      "usage: golden TOOL CORPUS run|archive GROUP EXEC [CASE] | print GROUP [CASE] | bad [CASE]\n",
      stderr);
  return 2;
}

int main(int argc, char **argv) {
  if (argc < 4) return usage();
  const char *mode = argv[3];
  bool archived = strcmp(mode, "archive") == 0, run = archived || strcmp(mode, "run") == 0;
  bool print = strcmp(mode, "print") == 0;
  int used = run ? 6 : print ? 5 : 4;
  if (argc < used || (!run && !print && strcmp(mode, "bad") != 0)) return usage();
  const char *group = run || print ? argv[4] : "bad", *only = argc > used ? argv[used] : NULL;
  tally count = {0};
  str dir = {0}, name = {0};
  char *corpus = realpath(argv[2], NULL); /* links to its files stand elsewhere */
  if (!corpus) return perror(argv[2]), 2;
  if (THIN && run) puts("compiled programs with 1 and 3 threads only: sanitizers make them slow");
  str_printf(&dir, "%s/%s", corpus, group);
  int n;
  char **names = list_cases(dir.data, &n);
  for (int i = 0; i < n; i++) {
    if (only && strcmp(only, names[i]) != 0) continue;
    str_clear(&name);
    str_clear(&dir);
    str_printf(&name, "%s/%s", group, names[i]);
    str_printf(&dir, "%s/%s/%s", corpus, group, names[i]);
    test_case t = {
        argv[1], run ? argv[5] : NULL, archived ? "model.pt2" : "model.fx", dir.data, name.data,
        &count};
    (run ? test_run : print ? test_print : test_bad)(&t);
  }
  free_names(names, n);
  str_free(&dir);
  str_free(&name);
  free(corpus);
  return test_end(&count, mode);
}
