/* Other frameworks: each in a process of its own that times itself (bench/peers/README.md). */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"

enum { MAX_PEERS = 16 };

typedef struct {
  char *name, *version, *missing; /* the last two are NULL until it was asked */
} peer;

static peer chosen[MAX_PEERS];
static int n_chosen;

/* ---- processes ---- */

/* Python of the virtual environment, where that was made. */
static char *run_peers(const char *const *arguments, int n) {
  static const char venv[] = BENCH_PEERS_DIR "/venv/bin/python",
                    script[] = BENCH_PEERS_DIR "/run.py";
  const char *argv[16] = {venv, script};
  if (access(venv, X_OK) != 0) {
    argv[0] = "/usr/bin/env";
    argv[1] = "python3";
    argv[2] = script;
  }
  int at = argv[2] ? 3 : 2;
  for (int i = 0; i < n; i++) argv[at + i] = arguments[i];
  return run_program(argv, NULL);
}

/* ---- which ---- */

static bool is_listed(const char *names, const char *name) {
  size_t n = strlen(name);
  for (const char *at = names; at; at = strchr(at, ',')) {
    at += *at == ',';
    if (strncmp(at, name, n) == 0 && (at[n] == ',' || !at[n])) return true;
  }
  return false;
}

/* Every name that was asked for has to be known. */
static bool all_known(const char *names) {
  char *copy = text_printf("%s", names), *state, *unknown = NULL;
  for (char *name = strtok_r(copy, ",", &state); name; name = strtok_r(NULL, ",", &state)) {
    bool known = false;
    for (int i = 0; i < n_chosen; i++) known = known || strcmp(chosen[i].name, name) == 0;
    if (!known) unknown = name;
  }
  if (unknown) fprintf(stderr, "scanc bench: unknown peer '%s' (or no Python)\n", unknown);
  free(copy);
  return !unknown;
}

bool peers_choose(const bench_options *o) {
  if (o->no_peers) return true;
  char *names = run_peers((const char *[]){"--list"}, 1), *rest = names, *name;
  while (n_chosen < MAX_PEERS && (name = next_line(&rest)))
    if (!o->peers || is_listed(o->peers, name)) chosen[n_chosen++].name = text_printf("%s", name);
  free(names);
  return !o->peers || all_known(o->peers);
}

json_t *peers_describe(void) {
  json_t *all = json_object();
  for (int i = 0; i < n_chosen; i++) {
    const peer *p = &chosen[i];
    json_object_set_new(all, p->name,
                        p->missing ? json_pack("{ss}", "missing", p->missing)
                                   : json_pack("{ss}", "version", p->version ? p->version : ""));
  }
  return all;
}

/* ---- the case as files ---- */

static json_t *about_case(const bench_case *c, const bench_options *o) {
  json_t *sizes = json_object();
  char *names = text_printf("%s", c->w->size_names), *state;
  int k = 0;
  for (char *name = strtok_r(names, " ", &state); name; name = strtok_r(NULL, " ", &state))
    json_object_set_new(sizes, name, json_integer(c->size->n[k++]));
  free(names);
  return json_pack("{sssssosIsssfsf}", "name", c->w->name, "case", c->name, "sizes", sizes, "seed",
                   (json_int_t)o->seed, "program", "program.fx", "rtol", c->w->rtol, "atol",
                   c->w->atol);
}

static bool write_text(const char *path, const char *text) {
  FILE *to = fopen(path, "w");
  if (!to) return false;
  bool ok = fputs(text, to) >= 0;
  return fclose(to) == 0 && ok;
}

/* Calls `file` for every file of the case. */
static bool case_files(const bench_case *c, const bench_options *o, const arrays *a,
                       const char *dir) {
  char path[128];
  snprintf(path, sizeof path, "%s/program.fx", dir);
  bool ok = write_text(path, c->text);
  json_t *about = about_case(c, o);
  snprintf(path, sizeof path, "%s/case.json", dir);
  ok = ok && json_dump_file(about, path, 0) == 0;
  json_decref(about);
  for (int i = 0; i < a->n_in && ok; i++) {
    snprintf(path, sizeof path, "%s/in.%d.npy", dir, i);
    ok = tensor_write(&a->in[i], path);
  }
  for (int i = 0; i < a->n_out && ok; i++) {
    snprintf(path, sizeof path, "%s/out.%d.npy", dir, i);
    ok = tensor_write(&a->expected[i], path);
  }
  return ok;
}

static void remove_dir(const char *dir) {
  free(run_program((const char *[]){"/bin/rm", "-r", dir, NULL}, NULL));
}

/* ---- answers ---- */

static void take_times(bench_case *c, subject *s, const json_t *times) {
  int n = (int)json_array_size(times);
  s->samples = must_alloc((size_t)(n ? n : 1) * sizeof(double));
  for (int i = 0; i < n; i++) s->samples[i] = json_number_value(json_array_get(times, (size_t)i));
  if (!n) {
    s->failure = text_printf("sent no times");
    return;
  }
  statistics_make(&s->s, s->samples, n);
  subject_relate(c, s);
}

/* A peer that cannot do this case does not fail it: the reason is shown. */
static void take_answer(bench_case *c, peer *p, const json_t *answer) {
  const char *variant = json_string_value(json_object_get(answer, "variant"));
  const char *version = json_string_value(json_object_get(answer, "version"));
  const char *note = json_string_value(json_object_get(answer, "note"));
  bool ok = json_is_true(json_object_get(answer, "ok"));
  if (!ok && (!variant || !*variant)) {
    p->missing = text_printf("%s", note ? note : "gives no reason");
    return;
  }
  if (!p->version) p->version = text_printf("%s", version ? version : "");
  if (c->n_subjects == MAX_SUBJECTS) return;
  subject *s = case_add(c, SUBJECT_PEER, text_printf("%s: %s", p->name, variant ? variant : ""));
  s->peer = p->name;
  if (note && *note && ok) s->note = text_printf("%s", note);
  if (ok) take_times(c, s, json_object_get(answer, "times_ns"));
  else s->failure = text_printf("%s", note ? note : "gives no reason");
}

static void ask(bench_case *c, peer *p, const bench_options *o, const char *dir) {
  char *seconds = text_printf("--seconds=%g", o->budget / 3);
  char *limit = text_printf("--limit=%g", 20 * o->budget);
  char *printed = run_peers((const char *[]){p->name, dir, seconds, limit}, 4);
  char *rest = printed, *line;
  int answers = 0;
  while ((line = next_line(&rest))) {
    json_t *answer = json_loads(line, 0, NULL);
    if (answer) take_answer(c, p, answer);
    answers += answer != NULL;
    json_decref(answer);
  }
  if (!printed && !answers && c->n_subjects < MAX_SUBJECTS)
    case_add(c, SUBJECT_PEER, text_printf("%s", p->name))->failure =
        text_printf("its process failed");
  free(printed);
  free(seconds);
  free(limit);
}

void peers_run(bench_case *c, const bench_options *o, const arrays *a) {
  char dir[] = "/tmp/scanc-bench-XXXXXX";
  if (!n_chosen || !a->n_out || !mkdtemp(dir)) return;
  if (case_files(c, o, a, dir)) {
    for (int i = 0; i < n_chosen; i++)
      if (!chosen[i].missing) ask(c, &chosen[i], o, dir);
  } else {
    fprintf(stderr, "scanc bench: cannot write %s for the peers\n", dir);
  }
  remove_dir(dir);
}
