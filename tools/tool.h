/* The command line tool: what its files share. */
#ifndef SCANC_TOOLS_TOOL_H
#define SCANC_TOOLS_TOOL_H

#include <stdint.h>

#include "base/err.h"
#include "ir/graph.h"
#include "scanc/scanc.h"

/* Commands, as bits: the option table says which of them take an option. */
enum {
  CMD_RUN = 1,
  CMD_PRINT = 2,
  CMD_INSPECT = 4,
  CMD_EXPLAIN = 8,
  CMD_CHECK = 16,
  CMD_NONE = 32, /* no command: scanc --version */
  CMD_SAVE = 64,
  CMD_ALL = 127,
  CMD_BENCH = 128 /* reads its own options */
};

typedef enum { FORM_CODE, FORM_TABLE, FORM_DOT, FORM_JSON, FORM_LOOPS } print_form;

/* NAME=VALUE as given. */
typedef struct {
  const char *name; /* name_len bytes */
  int name_len;
  const char *value;
} binding;

typedef VEC(const char *) word_list;

typedef struct {
  const char *in, *out, *expect, *cpu, *after;
  const char *program, *save; /* --model, --output */
  int exec;                   /* scanc_exec */
  int form;                   /* print_form */
  int fp;                     /* scanc_fp */
  int assoc;                  /* scanc_assoc */
  int mode;                   /* scanc_mode */
  int64_t seed;
  double rtol, atol;          /* negative: not given */
  int64_t max_bytes, threads; /* 0: not given */
  int64_t associative;        /* trials; 0: none */
  bool ftz, time, torch, list_ops, help, version;
  VEC(binding) dims;   /* --dim */
  word_list ops;       /* --ops */
  VEC(binding) inputs; /* NAME=VALUE behind the model */
  const char *model;
} options;

typedef struct {
  const char *name;
  int bit;
  const char *args; /* for the usage line */
  const char *purpose;
  bool takes_inputs;
  int (*run)(const options *o); /* returns the exit status; NULL for bench */
} command;

extern const command commands[]; /* ended by a NULL name */

/* options.c: reads the command line. NULL command with *status < 0: no command was given but
 * --help, --version or
 * --list-ops was. On a usage error it reports, sets *status to 2 and returns NULL. Strings are
 * borrowed from argv. */
const command *options_parse(arena *mem, int argc, char **argv, options *o, int *status);
void options_help(const command *only);             /* NULL: all commands */
scanc_options options_of_program(const options *o); /* for scanc_compile */

/* diag.c: writes the diagnostic to stderr and returns the exit status for it. */
int diag_print(const scanc_error *err);
/* The same for an error made on the spot, without a place. */
int diag_fail(scanc_code code, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* What to do about an array that is missing. */
void diag_how_to_give(void);

/* load.c: reads MODEL, "-" being stdin. */
module *load_model(const options *o, scanc_error *err);
/* Notes operations that do not fit in `faults` instead of failing (see fx_read_faulty). */
module *load_faulty(const options *o, diagnostics *faults, scanc_error *err);
/* The same, and the module has passed lint. */
module *load_checked(const options *o, scanc_error *err);

/* ops.c: registers the host functions of the libraries named by --ops. */
bool ops_load(const options *o, scanc_error *err);

/* inputs.c: one array per input of the program, from files and generators. `in` holds zeroed
 * tensors; the caller releases those that were filled, also after a failure. */
bool inputs_gather(const options *o, const module *mod, const scanc_program *prog, scanc_tensor *in,
                   scanc_error *err);

/* results.c */
typedef struct {
  double rtol, atol; /* negative: 1e-5 and 1e-6 for floating point; integers are always exact */
} tolerance;
void results_summary(const scanc_program *prog, const scanc_tensor *out);
/* Writes all outputs into `dir` (made if missing): all are on the disk before the first takes its
 * place, so that a full disk or a directory in the way leaves what was there. */
bool results_write(const scanc_program *prog, const scanc_tensor *out, const char *dir,
                   scanc_error *err);
/* Compares with the files of `dir`; reports the first output that differs. */
bool results_compare(const scanc_program *prog, const scanc_tensor *out, const char *dir,
                     tolerance tol, scanc_error *err);

int cmd_run(const options *o);
int cmd_print(const options *o);
int cmd_inspect(const options *o);
int cmd_explain(const options *o);
int cmd_check(const options *o);
int cmd_save(const options *o);
/* associative.c: tests the functions of all associative scans; returns the exit status. */
int check_associative(const module *mod, int64_t trials);
void list_ops(void);
/* bench.c: becomes the program that measures; argv begins with the word bench. Returns only if
 * there is none. */
int cmd_bench(char **argv);

#endif
