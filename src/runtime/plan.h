/* Plans: how a whole program runs as one emitted entry.
 *
 * A plan says which buffers there are (inputs, outputs, one block of scratch with a place for every
 * value between, reused once its last reader is done), what runs in which order (kernels of scans
 * and of groups of elementwise nodes, numbers put into memory, and host steps: nodes without a
 * lowering, which the interpreter computes), and which sizes it holds for. All of it is made of
 * expressions over the sizes of the inputs, so that one plan serves all of them; only the layout of
 * inputs is part of what a plan is made for (plan_key). */
#ifndef SCANC_RUNTIME_PLAN_H
#define SCANC_RUNTIME_PLAN_H

#include "loop/codegen.h"
#include "loop/scan_nest.h"
#include "runtime/program.h"

/* How an input moves along one of its dimensions. */
typedef enum {
  ALONG_PACKED,  /* as in a contiguous array */
  ALONG_NOTHING, /* stride 0 */
  ALONG_UNIT,    /* stride 1 */
  ALONG_STRIDED  /* any; a parameter of the entry */
} along;

/* What a plan is specialised for: [input * SCANC_MAX_RANK + dimension], and whether a size may be 0
 * that kernels count on. */
typedef struct {
  unsigned char *along;
  bool exact;
} plan_key;

/* A parameter of the entry: a symbol of the module, or a stride of an input. */
typedef struct {
  int symbol; /* index in the module's table; -1: a stride */
  int input, dim;
} plan_param;

/* A strided piece of a buffer of the entry; all numbers are values of its code. */
typedef struct {
  int buffer, offset;
  scanc_dtype dtype;
  int rank;
  int size[SCANC_MAX_RANK], stride[SCANC_MAX_RANK];
} plan_view;

typedef enum { PLAN_TENSOR, PLAN_CELL, PLAN_NUMBER, PLAN_LIST, PLAN_INPUT, PLAN_NOTHING } plan_kind;

/* A value as host steps see it. */
typedef struct plan_host_value {
  plan_kind kind;
  plan_view view; /* TENSOR, CELL */
  int number;     /* NUMBER: value of the code; INPUT: index among the inputs */
  int n;          /* LIST */
  struct plan_host_value *items;
} plan_host_value;

/* A node for the interpreter: its operands are put into their slots, its results are copied from
 * its own. */
typedef struct {
  const node *n;
  int n_operands;
  const node **operand;
  plan_host_value *value; /* per operand */
  plan_host_value result;
} plan_host;

typedef struct {
  plan_kind kind; /* TENSOR, NUMBER, NOTHING */
  plan_view view; /* TENSOR: contiguous, a buffer of its own */
  int bytes;      /* value of the code */
  scanc_dtype dtype;
  int number; /* NUMBER: value of the code */
} plan_output;

/* A condition on a value of the code: it is 0, or at least 0. */
typedef struct {
  int value;
  bool zero;
} plan_guard;

/* NULL: none. */
typedef struct {
  const node *before, *after;
} plan_with;

typedef struct plan plan;
struct plan {
  arena *mem;
  plan *next;
  plan_key key;
  symtab *syms; /* of the expressions while the plan is made */
  entry_point entry;
  VEC(plan_param) params;
  VEC(plan_guard) guards;
  VEC(int) may_be_empty;  /* values; if one is 0, a plan with key.exact is needed */
  plan_output *outputs;   /* per output of the program */
  int scratch;            /* value: bytes of the scratch block, the last buffer */
  VEC(fault_info) faults; /* data errors; `what` is NULL for those of host steps */
  VEC(plan_host) hosts;
  VEC(const node *) step_node; /* per step of the entry: what it computes */
  VEC(plan_with) step_with;    /* per step: the groups that its kernel computes, too */
  int n_kernels;
  const node *interpreted; /* the first node that the interpreter computes in a loop; NULL: none */
  struct cached_code *code;
  kernel_fn fn; /* NULL: inputs of this layout are served node by node */
};

/* The plan for one layout of the inputs. NULL with one sentence in `why_not` if the program has
 * none: a size that only the data tell, or a value of unknown type. Not thread-safe for one
 * program.
 */
plan *plan_new(const program *p, const plan_key *key, str *why_not);
void plan_free(plan *pl); /* NULL is allowed */

/* ---- while a plan is made (plan.c, plan_view.c) ---- */

typedef struct plan_value plan_value;
struct plan_value {
  enum {
    VALUE_UNKNOWN, /* nothing that a step could use */
    VALUE_TENSOR,
    VALUE_INT,
    VALUE_LIST,
    VALUE_INPUT, /* a number that is an input */
    VALUE_CELL,  /* a number in memory, of i64, bool or f64: view, without dimensions */
    VALUE_SLOT   /* a number that a host step leaves with the interpreter */
  } kind;
  nest_view view;
  dim i;
  int input;
  int n;
  plan_value *items;
};

/* A value's memory: an output, or a place in the scratch block. */
typedef struct plan_block {
  dim bytes;
  int first, last; /* the steps that make it and that use it last */
  int output;      /* -1: scratch */
  int slot;        /* of the scratch block; of moving ones: among those */
  bool moving;     /* no memory of its own: a loop moves it within that of `base` */
  int base[2];     /* buffers of the planner; -1 */
} plan_block;

/* entry_move, in the planner's terms. */
typedef struct {
  int buffer, start; /* of the planner */
  dim offset, step;
  int trade; /* index among the moves; -1: it moves by `step` */
} plan_move;

/* Where the buffers of a kernel are, as in plan_step; advance: bytes from stretch to stretch. */
typedef struct {
  int n;
  int *buffer;
  dim *offset, *advance;
} plan_places;

/* What becomes an entry_chain. */
typedef struct {
  const kernel *k[CHAIN_ROLES];
  dim *ints[CHAIN_ROLES];
  bool less[CHAIN_ROLES]; /* the first element is not one of the kernel's steps */
  plan_places place[CHAIN_ROLES];
  int flags; /* buffer */
  dim length;
  int64_t least, cut;
  int64_t picoseconds;
} plan_chain;

typedef struct plan_step {
  step_kind kind;
  kernel *k;
  int n_watched;             /* WATCH: as in the entry; a copy is a buffer of its own */
  const kernel_split *split; /* NULL: not cut for threads */
  plan_chain *chain;         /* NULL: not computed by stretches */
  dim *ints;
  int n_places;
  int *buffer; /* per place: an input, or n_inputs + block */
  dim *offset;
  bool has_needs;
  dim needs, number; /* LOOP: how often */
  bool endless;      /* LOOP: until it is left */
  const plan_move *moves;
  int n_moves;
  int host, fault_base;
  const node *n;
  plan_with with;
} plan_step;

/* Where a value is computed: in the result of a cat, at a place, or (both NULL) in memory of its
 * own. */
typedef struct {
  const node *cat;
  int index; /* among its operands */
  const nest_view *place;
} plan_join;

/* A copy of a value in another order of its elements (plan_product.c). */
typedef struct {
  nest_view from, to;
} plan_packed;

typedef struct {
  const program *p;
  plan *pl;
  symtab *syms;
  arena *tmp;
  str *why;
  plan_value *of;  /* per node id */
  plan_join *join; /* per node id */
  VEC(plan_block) blocks;
  VEC(plan_step) steps;
  VEC(plan_packed) packed; /* for the loops that are open */
  int depth;               /* of them */
  const bool *varies;      /* per node id, of the body that is being planned; NULL: all do */
  unsigned char *late;     /* per node id: plan_lateness (plan_inline.c) */
  const bool *barred;      /* per node id: computed by the interpreter, as its kernel was refused */
  const node *bad;         /* whose kernel has just been refused; NULL: none */
  const struct plan_inline *before, *after; /* of the coming kernels */
} planner;

/* What comes with the steps of other nodes. */
enum { NOT_LATE, LEFT_TO_USER, COMPUTED_EARLY };

bool plan_refuse(planner *x, const node *n, const char *what); /* false */
/* Whether a kernel for n is valid. If it is not, n becomes x->bad, and the plan is made again
 * without that kernel. */
bool plan_verify(planner *x, const node *n, const kernel *k);
/* The kernels of a scan or group, with its calls bound; entry: what of it. (plan_nest.c) */
bool plan_add_nest(planner *x, const node *n, const scan_nest *nest, const nest_view *operand,
                   const nest_call *call, dim length, int entry);
/* The views of xs that are joined from a seed and others, and of the seeds, of scans that have
 * them.
 */
bool plan_seeds(planner *x, const node *n, const scan_nest *nest, nest_view *operand);
/* Whether n is such an x: the scan reads its parts, and nothing else reads it. */
bool plan_is_seed(const planner *x, const node *n);
/* Where not all results are stored as they are, gives what reads them its value, which is in
 * `operand` too, and *nest results that nobody reads: if nothing but last results are read, those
 * are totals, and if the first elements are seeds, others than those. Returns the entry. */
int plan_own_results(planner *x, const node *n, const scan_nest **nest, nest_view *operand);
/* Strides and places of seeds and totals, in a call that is bound. */
void plan_bind_state(const scan_nest *nest, const nest_view *operand, int entry, nest_call *call);
int plan_code(planner *x, dim d); /* the value of the entry's code; -1: none */

/* A dim of the module in the plan's table. */
static inline dim plan_dim(planner *x, dim d) { return dim_import(x->syms, d); }
/* An operand as a size; false if it is none. */
bool plan_operand_dim(planner *x, val v, dim *out);
/* A number that is an input lies there as a 0-d array. False: it is no number. */
bool plan_input_number(const planner *x, int i, nest_view *out);
/* d must be at least 0 whenever the plan runs; false if it never is. */
bool plan_require(planner *x, dim d);
/* The same for a == b. */
bool plan_require_equal(planner *x, dim a, dim b);
/* Whether n, with the type it has, gives tensors of those sizes whenever the plan runs: annotations
 * may say more than inference can tell, and a run may contradict them. False: never, or refused. */
bool plan_sizes_hold(planner *x, const node *n);
void plan_contiguous(planner *x, nest_view *v);
nest_view plan_new_block(planner *x, const type *t); /* contiguous memory for a result */
void plan_use(planner *x, int where);                /* the buffer, by the coming step */
/* Contiguous memory for a value that the coming step makes and later ones use. */
nest_view plan_new_array(planner *x, scanc_dtype d, const dim *size, int rank);
/* Appends a step that calls a kernel: gives its loops a schedule if none is bound to lanes yet,
 * cuts it for threads, verifies it, marks its buffers as used and adds its faults to those of the
 * plan. False: there is no plan. */
bool plan_add_step(planner *x, plan_step *s);
/* Finds the values that are computed in the results of cats (plan_join.c). */
void plan_find_joins(planner *x, const graph *g);
/* Memory for the value of n, of type t: its place, in that of a cat, or of its own. */
nest_view plan_result(planner *x, const node *n, const type *t);
/* The same for item i of the list that n gives. */
nest_view plan_result_item(planner *x, const node *n, int i, const type *t);
/* The steps of one node, and its value. */
bool plan_node(planner *x, node *n);
/* The same without any other node's. */
bool plan_alone(planner *x, node *n);
/* A step of the interpreter's, and its value (plan_host.c). False: there is no plan. */
bool plan_add_host(planner *x, const node *n);
bool plan_host_view(planner *x, const nest_view *v, plan_view *out);
/* Memory for the tensors that n gives as a list: views (without buffer where there is none), and
 * its value. nest: tells which of them nobody reads; NULL. */
bool plan_result_views(planner *x, const node *n, const scan_nest *nest, nest_view *out,
                       plan_value *value);
/* The call of a group on those views, and what that asks for as guards of the plan. False: the
 * sizes do not fit. */
bool plan_bind(planner *x, const scan_nest *nest, const nest_view *operand, nest_call *call);
/* The steps of a scan, loop or branch that has no kernel (plan_flow.c). False: refused; what it has
 * added is to be taken back. */
bool plan_flow(planner *x, node *n);
/* Memory for the coming step alone: a buffer. */
int plan_scratch(planner *x, dim bytes);
/* Gives the coming step s, a kernel of the nest, what threads need to compute it by stretches, if
 * it is cut. False: refused. (plan_chain.c) */
bool plan_add_chain(planner *x, const node *n, const scan_nest *nest, const nest_view *operand,
                    const nest_call *call, dim length, int entry, plan_step *s);
/* Places all blocks and makes the steps of the entry. */
bool plan_place(planner *x);
/* Gives n the value that is a view of its operand's memory. False: not such a node, or no layout
 * will do. */
bool plan_view_of(planner *x, const node *n);
/* Gives `to`, which has sizes, the strides in operand k and the offset in the next one, in elements
 * of `from`, which is contiguous. False: they may leave it, or are no numbers. */
bool plan_strided_part(planner *x, const node *n, int k, const nest_view *from, nest_view *to);

#endif
