/* The interpreter: the reference executor. It runs a module after the passes, node by node.
 *
 * An `interp` belongs to one run at a time and holds everything a run changes: a frame per graph,
 * the results of its nodes and, per node, the result types found for the last operand shapes, so
 * that a node that is run again with the same shapes infers nothing and, if its result is small,
 * allocates nothing. It can be used for any number of runs. Values are not copied when passed on: a
 * tensor is a view of reference-counted storage, and nothing is changed in place once computed. */
#ifndef SCANC_RUNTIME_INTERP_H
#define SCANC_RUNTIME_INTERP_H

#include "runtime/eval.h"
#include "runtime/jit.h"

typedef struct interp interp;
typedef struct frame frame;
typedef struct exec exec;

enum { INTERP_MAX_DEPTH = 200 }; /* nesting of graphs */

/* Number of the program's input that holds the tensor attribute `path` of g, -1 if there is none.
 */
typedef int (*interp_attr_fn)(void *ctx, const graph *g, const char *path);
/* The kernel compiled for a scan node, NULL if it has none. */
typedef jit_scan *(*interp_kernel_fn)(void *ctx, const node *n);

/* Prepares a module that has no composite op left; borrows it. NULL with an error: an op that
 * cannot run, or graphs nested too deep (TOO_DEEP). */
interp *interp_new(const module *m, interp_attr_fn attr_of, interp_kernel_fn kernel_of, void *ctx,
                   scanc_error *err);
void interp_free(interp *in); /* NULL is allowed */

typedef struct {
  const rval *inputs; /* the main graph's parameters in order, then the tensor attributes; TENSOR, a
                         number or ABSENT */
  int64_t *sym_values; /* per symbol of the module; the run adds unbacked ones */
  bool *sym_known;
  pool *mem;
  size_t max_bytes;  /* the pool's limit, for messages */
  bool fma;          /* the CPU level has fused multiply-add */
  bool must_compile; /* a scan that its kernel declines is an error, not interpreted */
} interp_call;

/* Runs the main graph; results are borrowed until interp_clear. False: `err` says what failed. Data
 * errors leave the run going: it returns true and the first one is in `err` with code DATA. */
bool interp_run(interp *in, const interp_call *call, const rval **results, int *n_results,
                scanc_error *err);
/* Drops all values; to be called after every run, before the pool is freed. */
void interp_clear(interp *in);

/* Single nodes of the main graph, for plans. interp_begin opens a run; a node's operands are set,
 * then it is run: *result is borrowed until interp_clear. */
void interp_begin(interp *in, const interp_call *call, scanc_error *err);
void interp_set(interp *in, const node *n, const rval *v);
bool interp_step(interp *in, const node *n, const rval **result);

/* ---- for eval_control.c and eval_hop.c ---- */

/* The result of one node. It holds a reference to the storage of each of its tensors. */
typedef struct slot {
  rval v; /* TENSOR: outs[0]; LIST: items */
  tensor *outs;
  int n_outs, cap_outs;
  rval *items;
  int cap_items;
  storage
      *place; /* set by a scan: where the result is to be computed if it has place_bytes, NULL */
  char *place_data;
  size_t place_bytes;
} slot;

/* A value that is put into an operand before the node runs. */
typedef struct {
  rval *where;
  const slot *from;
} patch;

/* An unbacked symbol that a value tells: the size of dimension `dim`, or the value itself if that
 * is negative. */
typedef struct {
  int symbol, dim;
  const slot *from;
} told_symbol;

typedef VEC(told_symbol) told_symbols;

typedef enum { RESULT_UNKNOWN, RESULT_TENSOR, RESULT_LIST, RESULT_NUMBER } result_kind;

struct exec {
  eval_ctx c; /* first: an eval function's context is that of its exec */
  const node *n;
  eval_fn fn;
  bool manual; /* fills its slot itself: no inference, no allocation */
  patch *patches;
  int n_patches;
  slot *out;
  slot **dead; /* results that nobody needs after this node */
  int n_dead;
  result_kind kind; /* for the operands described by key */
  tensor *shapes;   /* dtype, rank, sizes and default strides per result */
  size_t *bytes;
  int n_shapes, cap_shapes;
  int64_t *key;
  int n_key, cap_key;
  frame *sub[2];
  jit_scan *kernel;
  told_symbols tells;
};

struct frame {
  const graph *g;
  slot *slots; /* one per node; the parameters' come first */
  int n_params, n_slots;
  told_symbols tells; /* by the parameters */
  exec *execs;
  int n_execs;
  rval *results;
  int n_results;
  bool sequence; /* returns a tuple or list, not one bare value */
  patch *patches;
  int n_patches;
  exec *
      *producer; /* per result: the node that computes it, NULL if it is a parameter or constant */
};

struct interp {
  const module *mod;
  arena *mem; /* frames */
  arena *tmp; /* scratch of one node */
  arena *sym_mem;
  symtab *syms;  /* for inference; holds no symbol of the module */
  frame *frames; /* per graph of the module; g NULL: not prepared */
  frame *main;
  interp_attr_fn attr_of;
  interp_kernel_fn kernel_of;
  void *ctx;
  int n_main;     /* parameters of the main graph */
  slot **slot_of; /* by node id, while frames are built */
  exec **exec_of;
  struct {
    slot *s;
    int input;
  } *attrs; /* slots of tensor attributes */
  int n_attrs, cap_attrs;
  /* the present run */
  const interp_call *call;
  exec *cur;
  scanc_error *err;
  VEC(storage *) temps; /* released after the present node */
};

bool frame_run(interp *in, frame *f); /* parameters' values are in slots[..].v */
static inline exec *eval_exec(eval_ctx *c) { return (exec *)c; }

/* Makes the slot hold a copy of v (LIST: of its items), retaining the tensors. */
void slot_set(interp *in, slot *s, const rval *v);
/* An uninitialised contiguous tensor; NULL store after an error (NO_MEMORY). */
bool interp_alloc(eval_ctx *c, tensor *t, scanc_dtype d, const int64_t *sizes, int rank);

#endif
