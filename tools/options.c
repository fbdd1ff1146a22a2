/* The option table, from which the command line is read and the help is printed. */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

typedef enum {
  OPT_FLAG,
  OPT_STRING,
  OPT_CHOICE,
  OPT_WORD,
  OPT_REAL,
  OPT_COUNT,
  OPT_TRIALS, /* the same, and the value may be left out */
  OPT_BYTES,
  OPT_DIM,
  OPT_LIST /* may be given several times */
} opt_kind;

typedef struct {
  const char *name;
  opt_kind kind;
  int commands;    /* bits */
  const char *arg; /* as in the help; the choices of OPT_CHOICE, in the order of the enum's values,
                      and of OPT_WORD */
  size_t offset;   /* of the member of `options` */
  const char *help;
} opt_row;

#define AT(member) offsetof(options, member)

static const opt_row table[] = {
    {"in", OPT_STRING, CMD_RUN | CMD_EXPLAIN | CMD_SAVE, "DIR", AT(in),
     "read inputs from DIR/in.NAME.npy"},
    {"out", OPT_STRING, CMD_RUN, "DIR", AT(out),
     "write DIR/out.I.npy, and DIR/mut.NAME.npy for changed buffers; all or none"},
    {"expect", OPT_STRING, CMD_RUN, "DIR", AT(expect), "compare the outputs with DIR/out.I.npy"},
    {"rtol", OPT_REAL, CMD_RUN, "X", AT(rtol),
     "relative tolerance of --expect (1e-5; integers are always exact)"},
    {"atol", OPT_REAL, CMD_RUN, "X", AT(atol),
     "absolute tolerance of --expect (1e-6); both 0: equal bits"},
    {"dim", OPT_DIM, CMD_RUN | CMD_EXPLAIN | CMD_SAVE, "SYMBOL=N", AT(dims),
     "value of a symbolic size, for generated inputs"},
    {"seed", OPT_COUNT, CMD_RUN | CMD_SAVE, "N", AT(seed), "seed of the generator `normal` (0)"},
    {"exec", OPT_CHOICE, CMD_RUN | CMD_EXPLAIN, "auto|interp|jit", AT(exec),
     "compile what can be compiled; interpret everything; or fail unless every scan is compiled"},
    {"cpu", OPT_WORD, CMD_RUN | CMD_EXPLAIN, "native|x86-64|x86-64-v3|x86-64-v4|aarch64", AT(cpu),
     "instructions to use"},
    {"fp", OPT_CHOICE, CMD_RUN | CMD_PRINT | CMD_EXPLAIN, "strict|contract|reassociate", AT(fp),
     "round every operation; fuse products with sums; or also reorder (as yet only the former)"},
    {"assoc", OPT_CHOICE, CMD_RUN | CMD_PRINT | CMD_EXPLAIN, "tree|left", AT(assoc),
     "combine the elements of an associative scan as is fastest, or one after the other"},
    {"ftz", OPT_FLAG, CMD_RUN | CMD_EXPLAIN, NULL, AT(ftz),
     "flush subnormal numbers to zero, as the CPU does it: those of the inputs, of literals and of "
     "results"},
    {"mode", OPT_CHOICE, CMD_RUN | CMD_EXPLAIN | CMD_CHECK, "generic|pointwise", AT(mode),
     "let associative scans combine by any function, or by those that work element by element"},
    {"threads", OPT_COUNT, CMD_RUN | CMD_EXPLAIN, "N", AT(threads),
     "threads that a run may use (1); the results do not depend on it"},
    {"max-bytes", OPT_BYTES, CMD_RUN | CMD_EXPLAIN | CMD_SAVE, "N", AT(max_bytes),
     "bound of the inputs, and of what a run allocates, with K, M or G (4G)"},
    {"model", OPT_STRING, CMD_ALL & ~CMD_NONE, "NAME", AT(program),
     "the program to take from an archive that holds several"},
    {"ops", OPT_LIST, CMD_ALL & ~CMD_NONE, "LIB.so", AT(ops),
     "use the C functions that the library registers as operators (scanc_register_ops)"},
    {"time", OPT_FLAG, CMD_RUN, NULL, AT(time),
     "print how long loading, compiling and running take"},
    {"form", OPT_CHOICE, CMD_PRINT, "code|table|dot|json|loops", AT(form),
     "as PyTorch prints it, one row per node, a drawing for Graphviz, JSON, or loop IR"},
    {"after", OPT_STRING, CMD_PRINT | CMD_SAVE, "PASS", AT(after),
     "the program as it is after that pass"},
    {"output", OPT_STRING, CMD_SAVE, "FILE.pt2", AT(save), "the archive to write; short: -o"},
    {"torch", OPT_FLAG, CMD_CHECK, NULL, AT(torch), "also report what PyTorch itself would refuse"},
    {"associative", OPT_TRIALS, CMD_CHECK, "N", AT(associative),
     "also test whether the functions of associative scans are associative, N times (100)"},
    {"list-ops", OPT_FLAG, CMD_NONE, NULL, AT(list_ops),
     "print the table of operators and their PyTorch names"},
    {"help", OPT_FLAG, CMD_ALL, NULL, AT(help), "print this text"},
    {"version", OPT_FLAG, CMD_NONE, NULL, AT(version), "print the version"},
};
enum { N_OPTIONS = sizeof table / sizeof table[0] };

#define usage_error(...) diag_fail(SCANC_ERR_USAGE, __VA_ARGS__)

/* ---- help ---- */

static void print_option(const opt_row *r) {
  char left[64];
  snprintf(left, sizeof left, "--%s%s%s", r->name, r->arg ? "=" : "", r->arg ? r->arg : "");
  if (strlen(left) > 24) printf("  %s\n  %-24s %s\n", left, "", r->help);
  else printf("  %-24s %s\n", left, r->help);
}

void options_help(const command *only) {
  for (const command *c = commands; c->name; c++)
    if (!only || only == c) printf("scanc %-8s %-24s %s\n", c->name, c->args, c->purpose);
  if (!only) puts("scanc --list-ops | --version | --help");
  for (const command *c = commands; c->name; c++) {
    if ((only && only != c) || !c->run) continue;
    printf("\nOptions of %s:\n", c->name);
    for (int i = 0; i < N_OPTIONS; i++)
      if (table[i].commands & c->bit) print_option(&table[i]);
  }
  puts("\nMODEL is a file with the text PyTorch prints for a program, an archive of "
       "torch.export.save\n"
       "(.pt2), or - for standard input.\n"
       "Generators: normal, zeros, ones, arange.\n"
       "Exit status: 0 success, 1 the program or the data are at fault, 2 usage, 3 files or "
       "memory.");
}

/* ---- values ---- */

static bool parse_choice(const char *choices, const char *value, int *out) {
  size_t len = strlen(value);
  for (int k = 0; *choices; k++) {
    size_t n = strcspn(choices, "|");
    if (n == len && memcmp(choices, value, n) == 0) {
      *out = k;
      return true;
    }
    choices += n + (choices[n] == '|');
  }
  return false;
}

static bool parse_real(const char *value, double *out) {
  char *end;
  *out = strtod(value, &end);
  return end != value && !*end && isfinite(*out) && *out >= 0;
}

static bool parse_count(const char *value, bool suffix, int64_t *out) {
  if (*value < '0' || *value > '9') return false;
  char *end;
  errno = 0;
  long long n = strtoll(value, &end, 10);
  if (errno) return false;
  int shift = 0;
  if (suffix && *end) {
    const char *letter = strchr("KMG", *end++);
    if (!letter) return false;
    shift = 10 * (int)(letter - "KMG" + 1);
  }
  if (*end || n > INT64_MAX >> shift) return false;
  *out = (int64_t)n << shift;
  return true;
}

static bool parse_binding(const char *text, binding *out) {
  const char *eq = strchr(text, '=');
  if (!eq || eq == text || !eq[1]) return false;
  *out = (binding){text, (int)(eq - text), eq + 1};
  return true;
}

static bool parse_dim(arena *mem, options *o, const char *value) {
  binding b;
  int64_t n;
  if (!parse_binding(value, &b) || !parse_count(b.value, false, &n)) return false;
  vec_push(mem, &o->dims, b);
  return true;
}

static bool add_word(arena *mem, void *list, const char *value) {
  word_list *w = list;
  vec_push(mem, w, value);
  return *value != '\0';
}

static bool store(arena *mem, options *o, const opt_row *r, const char *value) {
  void *at = (char *)o + r->offset;
  switch (r->kind) {
    case OPT_FLAG: return *(bool *)at = true;
    case OPT_STRING: return *(*(const char **)at = value) != '\0';
    case OPT_CHOICE: return parse_choice(r->arg, value, at);
    case OPT_WORD: return parse_choice(r->arg, *(const char **)at = value, &(int){0});
    case OPT_REAL: return parse_real(value, at);
    case OPT_COUNT: return parse_count(value, false, at);
    case OPT_TRIALS: return parse_count(value ? value : "100", false, at) && *(int64_t *)at > 0;
    case OPT_BYTES: return parse_count(value, true, at) && *(int64_t *)at > 0;
    case OPT_DIM: return parse_dim(mem, o, value);
    case OPT_LIST: return add_word(mem, at, value);
  }
  SCANC_UNREACHABLE("option kind");
}

/* ---- the command line ---- */

static const command *find_command(const char *name) {
  for (const command *c = commands; c->name; c++)
    if (strcmp(c->name, name) == 0) return c;
  return NULL;
}

/* Words that are not options: the command, MODEL, NAME=VALUE. */
static int take_words(arena *mem, char **words, int n, const command **cmd, options *o) {
  if (n == 0)
    return o->help || o->version || o->list_ops ? 0
                                                : usage_error("no command given; try scanc --help");
  *cmd = find_command(words[0]);
  if (!*cmd) return usage_error("unknown command '%s'; try scanc --help", words[0]);
  if (!(*cmd)->run) return usage_error("%s must be the first word behind scanc", words[0]);
  if (o->help) return 0;
  if (n < 2) return usage_error("scanc %s needs a model: %s", words[0], (*cmd)->args);
  o->model = words[1];
  for (int i = 2; i < n; i++) {
    binding b;
    if (!(*cmd)->takes_inputs)
      return usage_error("scanc %s takes one model; '%s' is too much", words[0], words[i]);
    if (!parse_binding(words[i], &b)) return usage_error("expected NAME=VALUE, got '%s'", words[i]);
    vec_push(mem, &o->inputs, b);
  }
  return 0;
}

static int check_applies(const command *cmd, unsigned given) {
  int bit = cmd ? cmd->bit : CMD_NONE;
  for (int i = 0; i < N_OPTIONS; i++) {
    if (!(given >> i & 1) || table[i].commands & bit) continue;
    return cmd ? usage_error("scanc %s has no option --%s", cmd->name, table[i].name)
               : usage_error("--%s needs a command; try scanc --help", table[i].name);
  }
  return 0;
}

static int output_row(void) {
  int i = 0;
  while (table[i].offset != AT(save)) i++;
  return i;
}

static int take_options(arena *mem, int argc, char **argv, options *o, unsigned *given) {
  struct option longs[N_OPTIONS + 1] = {0};
  for (int i = 0; i < N_OPTIONS; i++)
    longs[i] = (struct option){table[i].name,
                               table[i].kind == OPT_FLAG     ? no_argument
                               : table[i].kind == OPT_TRIALS ? optional_argument
                                                             : required_argument,
                               NULL, i + 256};
  opterr = 0;
  int k;
  while ((k = getopt_long(argc, argv, ":ho:", longs, NULL)) != -1) {
    if (k == 'h') {
      o->help = true;
      continue;
    }
    if (k == 'o') {
      if (!*(o->save = optarg)) return usage_error("-o needs a file");
      *given |= 1u << output_row();
      continue;
    }
    if (k == ':') return usage_error("%s needs a value", argv[optind - 1]);
    if (k < 256) return usage_error("unknown option '%s'; try scanc --help", argv[optind - 1]);
    const opt_row *r = &table[k - 256];
    *given |= 1u << (k - 256);
    if (!store(mem, o, r, optarg))
      return usage_error("--%s: expected %s, got '%s'", r->name, r->arg ? r->arg : "no value",
                         optarg ? optarg : "");
  }
  return 0;
}

const command *options_parse(arena *mem, int argc, char **argv, options *o, int *status) {
  const command *cmd = NULL;
  unsigned given = 0;
  *status = take_options(mem, argc, argv, o, &given);
  if (!*status) *status = take_words(mem, argv + optind, argc - optind, &cmd, o);
  if (!*status) *status = check_applies(cmd, given);
  return *status ? NULL : cmd;
}

scanc_options options_of_program(const options *o) {
  scanc_options p = SCANC_OPTIONS_INIT;
  p.exec = (scanc_exec)o->exec;
  p.cpu = o->cpu;
  p.fp = (scanc_fp)o->fp;
  p.assoc = (scanc_assoc)o->assoc;
  p.mode = (scanc_mode)o->mode;
  p.ftz = o->ftz;
  p.max_bytes = (size_t)o->max_bytes;
  if (o->threads) p.threads = o->threads > INT_MAX ? INT_MAX : (int)o->threads;
  return p;
}
