/* Other frameworks: each in a process of its own that times itself, and lasts, as some take seconds
 * to be loaded (bench/peers/README.md). */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"

enum { MAX_PEERS = 16 };

typedef struct {
  char *name, *version, *missing; /* the last two are NULL until it was asked */
  server one, several;            /* with one thread and with several; run when first asked */
  double seconds;                 /* it was waited for, in all */
} peer;

static peer chosen[MAX_PEERS];
static int n_chosen;

/* ---- processes ---- */

static const char *peers_dir(void) {
  const char *dir = getenv("SCANC_BENCH_PEERS");
  return dir && *dir ? dir : BENCH_PEERS_DIR;
}

enum { MAX_ARGUMENTS = 8 };

/* A command line; `python` and `script` are to be freed. */
typedef struct {
  const char *argv[MAX_ARGUMENTS];
  char *python, *script;
} command;

/* run.py with up to three arguments (ended by NULL), by Python of the virtual environment, where
 * that was made; SCANC_BENCH_PYTHON names another one. */
static command peers_command(const char *const *arguments) {
  const char *named = getenv("SCANC_BENCH_PYTHON");
  command c = {.python = named && *named ? text_printf("%s", named)
                                         : text_printf("%s/venv/bin/python", peers_dir()),
               .script = text_printf("%s/run.py", peers_dir())};
  int at = 0;
  if (access(c.python, X_OK) == 0) {
    c.argv[at++] = c.python;
  } else {
    c.argv[at++] = "/usr/bin/env";
    c.argv[at++] = named && *named ? named : "python3";
  }
  c.argv[at++] = c.script;
  while (*arguments) c.argv[at++] = *arguments++;
  return c;
}

static void command_free(command *c) {
  free(c->python);
  free(c->script);
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
  process p = {.limit = 60};
  command list = peers_command((const char *[]){"--list", NULL});
  char *names = run_process(list.argv, &p), *rest = names, *name;
  command_free(&list);
  while (n_chosen < MAX_PEERS && (name = next_line(&rest)))
    if (!o->peers || is_listed(o->peers, name)) chosen[n_chosen++].name = text_printf("%s", name);
  free(names);
  return !o->peers || all_known(o->peers);
}

json_t *peers_describe(void) {
  json_t *all = json_object();
  for (int i = 0; i < n_chosen; i++) {
    const peer *p = &chosen[i];
    const char *what = p->missing ? "missing" : "version";
    const char *text = p->missing ? p->missing : p->version ? p->version : "";
    json_object_set_new(all, p->name, json_pack("{ss sf}", what, text, "seconds", p->seconds));
  }
  return all;
}

void peers_stop(void) {
  for (int i = 0; i < n_chosen; i++) {
    server_stop(&chosen[i].one);
    server_stop(&chosen[i].several);
  }
}

/* ---- the case as files ---- */

static json_t *about_case(const bench_case *c, const bench_options *o) {
  double loose = c->w->looser ? c->w->looser(c->size->n) : 1;
  json_t *sizes = json_object();
  char *names = text_printf("%s", c->w->size_names), *state;
  int k = 0;
  for (char *name = strtok_r(names, " ", &state); name; name = strtok_r(NULL, " ", &state))
    json_object_set_new(sizes, name, json_integer(c->size->n[k++]));
  free(names);
  return json_pack("{sssssosIsssfsf}", "name", c->w->name, "case", c->name, "sizes", sizes, "seed",
                   (json_int_t)o->seed, "program", "program.fx", "rtol", loose * c->w->rtol, "atol",
                   loose * c->w->atol);
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
  char path[4096];
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

static subject *add_peer(bench_case *c, const peer *p, const char *variant, int threads) {
  char *with = threads > 1 ? text_printf(", %d threads", threads) : NULL;
  subject *s =
      case_add(c, SUBJECT_PEER,
               text_printf("%s%s%s%s", p->name, *variant ? ": " : "", variant, with ? with : ""));
  free(with);
  s->peer = p->name;
  s->how.threads = threads;
  return s;
}

/* A peer that cannot do this case does not fail it: the reason is shown. */
static void take_answer(bench_case *c, peer *p, const json_t *answer, int threads) {
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
  subject *s = add_peer(c, p, variant ? variant : "", threads);
  if (note && *note && ok) s->note = text_printf("%s", note);
  if (ok) take_times(c, s, json_object_get(answer, "times_ns"));
  else s->failure = text_printf("%s", note ? note : "gives no reason");
}

/* ---- what is not tried again ---- */

/* A variant that took too long for a case takes too long for larger ones of the same workload. */
enum { MAX_HOPELESS = 32 };
static struct {
  const workload *w;
  const peer *p;
  double units;
  char variant[128];
} hopeless[MAX_HOPELESS];
static int n_hopeless;

static void note_hopeless(const bench_case *c, const peer *p, const json_t *answer) {
  const char *variant = json_string_value(json_object_get(answer, "variant"));
  if (!json_is_true(json_object_get(answer, "late")) || !variant || n_hopeless == MAX_HOPELESS)
    return;
  hopeless[n_hopeless].w = c->w;
  hopeless[n_hopeless].p = p;
  hopeless[n_hopeless].units = c->w->units(c->size->n);
  snprintf(hopeless[n_hopeless++].variant, sizeof hopeless->variant, "%s", variant);
}

/* What `run.py --serve` is to do, with an option for every variant that is not to be tried. */
static char *request(const bench_case *c, const peer *p, const char *dir, double seconds,
                     double limit) {
  char *text = text_printf("--seconds=%g", seconds), *longest = text_printf("--limit=%g", limit);
  json_t *line = json_pack("[sss]", dir, text, longest);
  free(text);
  free(longest);
  if (n_hopeless && hopeless[0].w != c->w) n_hopeless = 0; /* cases come by workload */
  for (int i = 0; i < n_hopeless; i++)
    if (hopeless[i].p == p && hopeless[i].units <= c->w->units(c->size->n))
      json_array_append_new(line, json_sprintf("--skip=%s", hopeless[i].variant));
  char *dumped = json_dumps(line, 0);
  text = text_printf("%s\n", dumped);
  free(dumped);
  json_decref(line);
  return text;
}

static bool running(const peer *p, server *s, int threads) {
  if (s->pid) return true;
  char *count = text_printf("--threads=%d", threads);
  command serve = peers_command((const char *[]){p->name, "--serve", count, NULL});
  bool started = server_start(s, serve.argv, threads > 1);
  command_free(&serve);
  free(count);
  return started;
}

/* It ends variants that take too long by itself; what does not listen is killed. What it said until
 * then counts. */
static void ask(bench_case *c, peer *p, const bench_options *o, const char *dir, int threads) {
  double limit = fmax(10 * o->budget, o->quick ? 2 : 20); /* compiling takes some seconds */
  double longest = 4 * limit + 20, start = now_ns();
  server *s = threads > 1 ? &p->several : &p->one;
  bool late = false;
  progress_note(p->name);
  char *line = request(c, p, dir, o->budget / 3, limit), *said;
  char *printed = running(p, s, threads) ? server_ask(s, line, longest, &late) : NULL;
  for (char *rest = printed; (said = next_line(&rest));) {
    json_t *answer = json_loads(said, 0, NULL);
    if (answer) take_answer(c, p, answer, threads);
    if (answer) note_hopeless(c, p, answer);
    json_decref(answer);
  }
  if (!s->pid && c->n_subjects < MAX_SUBJECTS)
    add_peer(c, p, "", threads)->failure =
        late ? text_printf("killed after %.0f s", longest) : text_printf("its process failed");
  p->seconds += (now_ns() - start) * 1e-9;
  free(printed);
  free(line);
}

/* One row that is long enough to be cut: what others do with several threads is asked there. */
static bool is_long_row(const bench_case *c) {
  double all = 1, longest = 1;
  for (int k = 0; k < BENCH_MAX_SIZES && c->size->n[k]; k++) {
    all *= (double)c->size->n[k];
    longest = fmax(longest, (double)c->size->n[k]);
  }
  return longest >= 1 << 20 && all <= 2 * longest;
}

static void ask_all(bench_case *c, const bench_options *o, const char *dir) {
  int most = is_long_row(c) ? o->threads : 1;
  for (int i = 0; i < n_chosen; i++)
    for (int threads = 1; threads <= most && !chosen[i].missing; threads += most > 1 ? most - 1 : 1)
      ask(c, &chosen[i], o, dir, threads);
}

void peers_run(bench_case *c, const bench_options *o, const arrays *a) {
  if (!n_chosen || !a->n_out) return;
  char *dir = temporary_name();
  if (!mkdtemp(dir) || !case_files(c, o, a, dir))
    fprintf(stderr, "scanc bench: cannot write %s for the peers\n", dir);
  else ask_all(c, o, dir);
  remove_dir(dir);
  free(dir);
}
