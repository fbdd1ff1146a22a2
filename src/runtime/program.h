/* What the files of the program runner share. */
#ifndef SCANC_RUNTIME_PROGRAM_H
#define SCANC_RUNTIME_PROGRAM_H

#include <pthread.h>

#include "passes/absorb.h"
#include "runtime/interp.h"

typedef struct scanc_program program;
typedef struct run_state run_state;

/* An input: a parameter of the main graph, or a tensor attribute of a graph. */
typedef struct {
  scanc_port port;
  const type *type;       /* NULL: anything */
  val dflt;               /* of a parameter; VAL_ABSENT: none */
  bool unused;            /* nothing reads it: it may be missing */
  const char *class_name; /* attributes: of the graph; NULL for a parameter */
  const char *path;
  scanc_tensor bound; /* what scanc_program_bind gave, if is_bound */
  bool is_bound;
} in_port;

typedef struct {
  scanc_port port;
  const type *type; /* NULL: unknown */
  int result;       /* index among the main graph's leaves */
} out_port;

struct scanc_program {
  arena *mem;
  module *mod; /* as the passes left it */
  module
      *as_written; /* before fusion, to tell which data error is the first; NULL: there are none */
  scanc_options opts;
  bool fma;            /* the CPU level has fused multiply-add */
  bool has_threads;    /* uses those of the process */
  int64_t thread_work; /* that is worth a thread, by the measure of loop/split.h */
  in_port *inputs;
  int n_inputs, n_params, cap_inputs, n_bound;
  out_port *outputs; /* the caller's results first, then the changed inputs */
  int n_outputs;
  const char **result_names; /* of the main graph's leaves, as they were read */
  int n_results;
  jit_scan **kernel_of; /* per node id: of scans and groups with a lowering */
  const char **why_not; /* per node id: why a scan has none */
  moved_nodes *moved;   /* per node id: what a scan's body has taken in from around it */
  bool loops_only;      /* no scan has a kernel of its own if it goes step by step, for tests */
  const char *refused;  /* the operator whose kernels are refused, for tests; NULL */
  bool plans_only;      /* no machine code, for tests */
  bool planned;         /* runs as one entry; `plans` is not empty */
  pthread_mutex_t lock; /* guards what follows */
  struct plan *plans;   /* one per layout of the inputs that has come up */
  const char *no_plan;  /* why; NULL if it has plans */
  bool reads_numbers;   /* some input is a number, not an array */
  VEC(run_state *) idle;
};

/* What a run changes; belongs to one run at a time. */
struct run_state {
  arena *mem;
  interp *in; /* NULL until a run needs it */
  /* of the last run as one entry: */
  struct plan *pl;      /* NULL: none yet */
  scanc_tensor *inputs; /* their layouts; data are not looked at */
  scanc_tensor
      *given; /* the inputs of a run and what was bound for the others; NULL until needed */
  scanc_tensor *flushed; /* the same with scanc_options.ftz (flush.h); NULL until needed */
  scanc_tensor *places;  /* per output: where the entry writes */
  int64_t *params, *values;
  int cap_params, cap_values, cap_bufs;
  void **bufs; /* per buffer of the entry, moving ones last */
  char *scratch;
  size_t scratch_bytes;
};

/* ports.c */
/* The element type of a number as a 0-d array; false: not a number. */
bool ports_number_dtype(type_kind k, scanc_dtype *out);
bool ports_inputs(program *p, scanc_error *err);  /* from the module as read */
bool ports_outputs(program *p, scanc_error *err); /* from the module after the passes */
/* The leaves of what the main graph returns; the number of them. */
int ports_leaves(const module *m, arena *a, val **leaves);
int ports_attr(void *prog, const graph *g, const char *path); /* interp_attr_fn */

/* ports_bind.c */
/* Checks the arrays and finds the values of the symbols (arrays of the table's length, zeroed).
 * Errors: MISSING_INPUT, INPUT_DTYPE, INPUT_SHAPE, RANGE. */
bool ports_check(const program *p, const scanc_tensor *arrays, int64_t *sym_values, bool *sym_known,
                 scanc_error *err);
/* The same of arrays that may lack data; the symbols that only numbers without data tell stay
 * unknown. */
bool ports_check_sizes(const program *p, const scanc_tensor *arrays, int64_t *sym_values,
                       bool *sym_known, scanc_error *err);
/* Element type, rank and constant sizes of one array for input i. */
bool ports_check_kind(const program *p, int i, const scanc_tensor *t, scanc_error *err);
bool ports_is_missing(const scanc_tensor *t);
/* Whether the public function `call` got as many arrays as there are inputs and outputs. Error
 * USAGE. */
bool ports_check_call(const program *p, const char *call, const scanc_tensor *in, int n_in,
                      const scanc_tensor *out, int n_out, scanc_error *err);
/* ports_check, and makes the values of a run. */
bool ports_bind(const program *p, const scanc_tensor *arrays, arena *tmp, pool *mem,
                interp_call *call, scanc_error *err);
void ports_release(const program *p, const interp_call *call); /* also after ports_bind failed */

/* ports_bound.c */
/* The arrays of a run: `in`, or `in` with what was bound where it has none, in `merged` (n_inputs;
 * may be NULL where n_bound is 0). */
const scanc_tensor *ports_given(const program *p, const scanc_tensor *in, scanc_tensor *merged);
/* Binds the values that the module came with. */
bool ports_bind_stored(program *p, scanc_error *err);
void ports_unbind(program *p); /* before the program is freed */

/* results.c: what the caller gets. An output may come with memory of the caller's (data not NULL).
 */
/* A new contiguous array that owns its memory; its bytes are taken from *left. False: no memory. */
bool result_new(scanc_tensor *out, scanc_dtype d, const int64_t *sizes, int rank, size_t *left);
/* Whether the caller's array for output i has that type. Error OUTPUT_SHAPE. */
bool result_fits(const program *p, int i, const scanc_tensor *given, scanc_dtype d,
                 const int64_t *sizes, int rank, scanc_error *err);
/* Whether the caller's arrays share no memory with each other, and each is an input exactly or not
 * at all. Error OVERLAP. */
bool results_apart(const program *p, const scanc_tensor *in, const scanc_tensor *out,
                   scanc_error *err);
/* Whether the caller's array for output i is, or shares memory with, an input. */
bool result_is_input(const program *p, const scanc_tensor *in, const scanc_tensor *given);
void result_copy(const scanc_tensor *to, const tensor *from);

/* explain.c */
/* What `scanc explain` prints: what the program consists of, and of every scan and every group of
 * elementwise nodes how it is executed: axes, schedule, operations and bytes per step; of all that
 * is interpreted, why. in: arrays whose sizes are those of interest; NULL: any. */
bool explain_program(str *out, program *p, const scanc_tensor *in, scanc_error *err);

/* run.c */
run_state *run_state_take(program *p);
void run_state_return(program *p, run_state *s);
/* Prepares one interpreter, so that what cannot run is known now. */
bool run_prepare(program *p, scanc_error *err);
void run_state_free(run_state *s);
interp *run_interp_of(program *p, run_state *s, scanc_error *err); /* NULL with an error */
bool no_memory(const program *p, scanc_error *err);                /* records it; false */

/* plan_run.c: a run as one entry. */
typedef enum { PLAN_RAN, PLAN_DECLINED, PLAN_FAILED } plan_status; /* DECLINED: nothing was done */
/* Makes the plan for contiguous inputs; sets p->no_plan if there is none. False: error CODEGEN. */
bool plan_compile_default(program *p, scanc_error *err);
/* Of the plan for contiguous inputs: the first node that the interpreter computes in a loop, NULL;
 * whether the scan is a loop of it. */
const node *plan_interpreted(const program *p);
bool plan_has_loop(const program *p, const node *scan);
/* The first scan whose kernel was refused, NULL. */
const node *plan_refused_scan(const program *p);
/* The plan for these inputs, and its numbers in s->values. RAN: both are there. */
plan_status plan_resolve(program *p, run_state *s, const scanc_tensor *in, scanc_error *err);
plan_status plan_run(program *p, run_state *s, const scanc_tensor *in, scanc_tensor *out,
                     scanc_error *err);
void plans_free(program *p);

#endif
