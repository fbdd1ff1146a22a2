/* Building nests: what the files of nest_build share.
 *
 * A body is first walked to find which dimensions run together (axes.c); then its nodes become
 * statements over single elements. The value of a node is a grid: one value id for every element
 * that loops do not run over. */
#ifndef SCANC_LOOP_BODY_H
#define SCANC_LOOP_BODY_H

#include "loop/scan_nest.h"

/* A set of dimensions that run together. Reshapes take some of them apart: such a class consists of
 * two others, and its points are those of the outer one, each with all of the inner one. */
typedef struct {
  int parent;
  dim extent;
  int outer, within; /* -1: it is not taken apart */
  const char *moved; /* the op that reads it out of order, so that no loop can run over it; NULL */
  const node *inner; /* an inner scan that may run over it; NULL */
  bool reversed;     /* it does so from the last index on */
  int cls;           /* class in the nest, -1: not given yet */
} axis_class;

/* What rules say, kept for a report: a class was moved along; two dimensions were united, which are
 * at different places of their values (counted from the last) where `turned`. By the node `at`. */
typedef struct {
  int cls;
  const node *at;
} axis_event;
typedef struct {
  int a, b; /* as axes_own gives them */
  const node *at;
  bool turned;
} axis_link;
typedef struct {
  const node *at; /* whose rule is at work */
  VEC(axis_event) moves;
  VEC(axis_link) links;
} axis_log;

/* Value ids by index, as in a strided array; extent 1 along dimensions that loops run over. An
 * element takes one id, or two if it is complex. */
typedef struct {
  scanc_dtype dtype;
  int rank;
  int ext[SCANC_MAX_RANK], stride[SCANC_MAX_RANK];
  const int *v;
} grid;

/* What a node stands for: n grids; none where it is a subgraph or None. */
typedef struct {
  bool known;
  int n;
  grid *g;
} node_value;

typedef struct {
  scan_nest *n;
  arena *mem;
  module *mod;
  str *why;
  int *first; /* per node id: class of the first dimension of its first tensor, -1 */
  VEC(axis_class) classes;
  VEC(const graph *) graphs; /* walked by axes_walk */
  VEC(int64_t) extents;      /* per class of the nest */
  node_value *of;            /* per node id */
  VEC(const char *) names;
  VEC(bool) invariant;
  VEC(scanc_dtype) dtypes;
  VEC(int) input_of, domain;
  VEC(int) inner_of; /* per class of the nest: inner loop, -1 */
  int64_t unrolled;  /* cost of what was computed for more than one element */
  bool crossed;      /* a statement has operands of two inner loops */
  int taken;         /* inside a branch: the value that tells whether it is taken; -1 outside */
  int loop;          /* inner loop that the current node is in, -1 */
  bool loops_nest;   /* it is in another one */
  axis_log *log;     /* NULL: nobody asks */
  const node *fold;  /* the associative scan that a group is around; NULL */
  int time;          /* the class of its time */
} body;

/* Writes the reason; false, which a macro lets every caller's compiler see. */
#define body_refuse(...) (body_refuse_(__VA_ARGS__), false)
void body_refuse_(body *b, const node *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- axes.c ---- */
/* Gives the dimensions of all values of g and of the subgraphs it calls their classes. */
bool axes_walk(body *b, const graph *g);
/* The same in steps: declares the dimensions of a node; applies the rule of its op. */
void axes_declare(body *b, const node *n);
bool axes_join(body *b, const node *n);
/* After everything is united. */
void axes_separate(body *b);
/* Dimension d of the item-th tensor of a node (0 unless it is a list). */
int axes_dim(const body *b, const node *n, int item, int d);
/* The same, without what it was united with. */
int axes_own(const body *b, const node *n, int item, int d);
const type *axes_type(const node *n, int item); /* of that tensor; NULL */
void axes_unite(body *b, int a, int c);
/* Dimension d of the item-th tensor of `to` runs with dimension e of `from`, unless that has
 * size 1. */
void axes_follow(body *b, const node *to, int item, int d, const node *from, int e);
void axes_move(body *b, int c, const char *op);
/* Right-aligned, as broadcasting does. */
void axes_align(body *b, const node *to, int item, const node *from, int from_item);
bool axes_is_loop(const body *b, const node *n, int item, int d); /* some part of it is one */
/* The classes that a dimension consists of, outermost first, at most SCANC_MAX_RANK; how many. 0:
 * more than that. */
int axes_factors(const body *b, int c, int *out);
bool axes_class_moved(const body *b, int c); /* of such a class: it is unrolled */
dim axes_class_extent(const body *b, int c);
/* The dimensions of two values that are the same elements in row-major order run together, taken
 * apart where sizes differ; where they cannot be, they are given up for loops. */
void axes_match(body *b, const int *x, int n_x, const int *y, int n_y, const char *op);
bool axes_is_inner(const body *b, const node *n, int item, int d); /* a loop of an inner scan */
bool axes_is_time(const body *b, int c); /* of a group around an associative scan: its time */
/* Extent of a dimension in a grid: 1 if loops run over it. Refuses those that are too large to
 * unroll. */
bool axes_grid_extent(body *b, const node *n, int item, int d, int *out);
int axes_nest_class(body *b, int c);     /* the class in the nest */
bool axes_is_long(const body *b, int c); /* too long to be unrolled, or of unknown size */
/* An inner scan runs over the class, if nothing moves along it and it is no dimension of a carry.
 */
void axes_inner(body *b, int c, const node *scan, bool reversed);

/* ---- body.c ---- */
bool body_build(body *b, const node *scan); /* the nest of all but groups around a scan */
bool body_nodes(body *b, const graph *g);   /* all but placeholders and output */
bool body_is_elementwise(const node *at);   /* works on elements with the same index: computes,
                                               converts, fills or is a number */
/* A node outside scans that can join a group: its type is a tensor, its row has a compiled form. */
bool body_accepts(module *m, const node *at);
bool body_is_fill(const node *at); /* a constant tensor: its operands give it a type, no elements */
/* A new value; input: index in the nest's inputs, -1. */
int body_value(body *b, const char *name, scanc_dtype dtype, bool invariant, int input, int domain);
int body_cast(body *b, int value, scanc_dtype to);
int body_const(body *b, val v, scanc_dtype to);
int body_op(body *b, op_id op, scanc_dtype compute, const int *args,
            const char *name); /* of real class; no faults */
int body_call(body *b, const host_fn *f, const int *args, const char *name);
/* A grid of that shape for the item-th tensor of a node, with ids to be filled in row-major order.
 */
bool body_grid(body *b, const node *n, int item, grid *out, int **ids);
int grid_n_elements(const grid *g);
int grid_width(const grid *g); /* ids per element */
const int *grid_at(const grid *g, const int *index);
/* The same, where g is broadcast to the shape of `to`, whose index is given. */
const int *grid_broadcast_at(const grid *g, const grid *to, const int *index);
/* Steps to the next index in row-major order; false after the last. */
bool grid_next(const grid *g, int *index);
/* The grid that operand k is. Refuses what is none. */
bool body_operand(body *b, const node *at, int k, grid *out);
bool body_grid_of(body *b, const node *at, val v, grid *out);
void body_set(body *b, const node *n, const grid *g, int n_grids);
bool val_is_number(val v);
/* A cost beyond that of one element. Refuses a body that becomes too large. */
bool body_unroll(body *b, const node *at, int64_t cost);
/* The rule of an op that moves along dimensions; NULL: there is none. */
const struct view_rule *body_rule_of(op_id op);

/* ---- body_bind.c ---- */
bool body_bind(body *b, const node *scan, const graph *g); /* the parameters of the scan's body */
bool body_results(body *b, const node *scan, const graph *g);

/* What operand o holds, as node n has it, with all its dimensions. */
bool body_place(body *b, int o, const char *name, const node *n);
/* The parameters and results of the graph of a group around an associative scan. */
bool body_bind_group(body *b, const graph *g);
bool body_group_results(body *b, const graph *g);
/* The carry of element `index` of x i of that scan, which enters as the value *item, or, if that is
 * the same in every step or another element enters as it, as a new one like it. */
int body_group_carry(body *b, int i, const node *parameter, const int *index, int part, int *item);

/* ---- body_fold.c ---- */
/* The associative scan that the group is around: the only call of a subgraph in it. NULL: it is a
 * group of elementwise nodes alone. */
const node *body_fold_of(const graph *g);
bool fold_build(body *b, const node *call); /* the nest of such a group */
/* The same as an input or statement, once more, and in every step. */
int body_twin(body *b, int value);

/* ---- body_number.c ---- */
bool body_integer(body *b, const node *at); /* a node whose type is a plain integer */

/* ---- body_view.c ---- */
typedef bool (*axes_rule)(body *b, const node *at);
typedef bool (*grid_rule)(body *b, const node *at);
typedef struct view_rule {
  op_id op;
  axes_rule axes;
  grid_rule grid;
} view_rule;
const view_rule *view_rule_of(op_id op); /* NULL: not a view that has a lowering */
bool body_known_int(body *b, val v, int64_t *out);

/* ---- body_flow.c ---- */
const view_rule *flow_rule_of(op_id op); /* cond, scans in bodies */

/* ---- body_reduce.c, body_matmul.c, body_sort.c ---- */
const view_rule *reduce_rule_of(op_id op); /* sums, extrema, running sums... of few elements */
const view_rule *matmul_rule_of(op_id op);
const view_rule *sort_rule_of(op_id op); /* sorting few elements; arange, broadcast_tensors */

/* ---- body_complex.c ---- */
/* The C column of a row of ops.def on pairs of values. args: ids of the operands, pairs where
 * pair[k]. out: two ids, one if the result is real. */
void complex_op(body *b, op_id op, scanc_dtype real, const int (*args)[2], const bool *pair,
                int n_args, int *out);

/* ---- cumulative.c ---- */
bool cumulative_build(body *b, const node *at); /* a nest of nest_is_cumulative */

/* ---- nest_parts.c ---- */
bool nest_split(body *b, const node *scan);
bool nest_pays(body *b, const node *scan); /* else other executors are faster */

#endif
