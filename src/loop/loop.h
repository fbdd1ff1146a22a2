/* Loop IR: what stands between graphs and machine code, free of LLVM.
 *
 * A kernel is a tree of loops over named axes with statements in SSA form over single elements.
 * Every statement runs once per point of the loops around it; a loop's binding says how its points
 * are laid out on the machine and never changes what is computed. Memory is seen through buffers: a
 * pointer to the element of index zero on every axis, and one stride per dimension. Kernels live in
 * an arena and are immutable once built, but for the bindings.
 *
 * Emitted functions have the type kernel_fn: bufs[i] is the pointer of buffer i, ints[i] the i-th
 * integer parameter. */
#ifndef SCANC_LOOP_LOOP_H
#define SCANC_LOOP_LOOP_H

#include "base/str.h"
#include "base/vec.h"
#include "ir/graph.h"
#include "ir/host_op.h"

/* The last parameter of a kernel, part of its binary interface; no kernel reads it and callers pass
 * NULL. What entries get there is in entry.h. */
typedef struct scanc_par scanc_par;
/* Returns 0, or 1 + the index in kernel.faults of the data error that came first in time. */
typedef int32_t (*kernel_fn)(void *const *bufs, const int64_t *ints, const scanc_par *par);

/* An integer known when the kernel is made (constant k) or when it is called (ints[k] + add; never
 * negative where it is an extent). */
typedef struct {
  bool is_param;
  int64_t k;
  int64_t add; /* of parameters, >= 0 */
} lexpr;

static inline lexpr lexpr_const(int64_t k) { return (lexpr){false, k, 0}; }
static inline lexpr lexpr_param(int k) { return (lexpr){true, k, 0}; }

typedef enum {
  ORDER_PARALLEL,   /* points are independent: any order, any number at once */
  ORDER_SEQUENTIAL, /* ascending; values may be carried from one point to the next */
  ORDER_PREFIX /* the same, and the step from carry to carry is associative in what it takes from
                  each point: points are combined in the order that `prefix` says */
} loop_order;

typedef enum {
  BIND_SERIAL,
  BIND_LANES /* `lanes` points are the lanes of a vector, `unroll` vectors are worked on together.
                Remainders: the last group is moved back to end at the extent, so points may be
                computed twice, with equal results; extents below one group use single vectors, then
                single points. Of a prefix loop: the groups of its order, the last one masked;
                always so bound unless the order is a left fold */
} loop_bind;

typedef struct {
  const char *name;
  lexpr extent;
  int param;    /* the integer parameter that holds the extent in every call, even where it is a
                   constant; -1: none */
  int64_t unit; /* all extents are multiples of it; 0: nothing is known */
} loop_axis;

/* Element index along one dimension of a buffer: the point of `axis` (0 where axis is -1) plus a
 * constant. Or a value: axis INDEX_VALUE - a stands for argument a of the statement, the result of
 * an INDEX into the extent of the dimension; add is 0 then. */
enum { INDEX_VALUE = -2 };
typedef struct {
  int axis;
  int64_t add; /* >= 0 */
} index_map;

typedef struct {
  lexpr extent, stride; /* stride in elements, may be zero or negative */
} buffer_dim;

typedef enum {
  SPACE_INPUT,   /* never stored to */
  SPACE_OUTPUT,  /* never loaded */
  SPACE_SCRATCH, /* the caller's memory for the length of the call, loaded and stored; what the
                    points of a parallel loop around share of it is not stored to in that loop */
  SPACE_LOCAL    /* a small array of the kernel's own, of constant sizes, packed: what is passed for
                    it is not used. A point of a serial parallel loop finds in it what another one
                    left, and so stores before it loads; lanes have elements of their own: accesses
                    in a loop that is bound to lanes move along it */
} buffer_space;

typedef struct {
  const char *name;
  scanc_dtype dtype;
  buffer_space space;
  const buffer_dim *dims;
  int n_dims;
} buffer;

typedef struct {
  scanc_dtype dtype;
  const char *name; /* of the node it comes from, NULL */
} value_info;

typedef enum {
  ST_LOAD,
  ST_STORE,
  ST_OP,
  ST_CAST,
  ST_CALL,
  ST_CONST,
  ST_POINT, /* the point of `axis` (0 where that is -1) plus `number`, an i64 */
  ST_INDEX, /* the operand, an i64, as an index below `number`, which is at least 1. Negative ones
               count from the end if `wrap`. One that is out of range gives 0, and is a data error
               unless `fault` is -1 */
  ST_LOOP
} stmt_kind;

typedef struct loop loop;

enum { STMT_MAX_ARGS = HOST_MAX_OPERANDS };

typedef struct {
  stmt_kind kind;
  int value;              /* id of the result; -1 for STORE and LOOP */
  scanc_dtype dtype;      /* of the result */
  int arg[STMT_MAX_ARGS]; /* value ids: operands of OP, CAST, CALL and INDEX, the stored value of
                             STORE; then, of LOAD and STORE, indices */
  int n_args;
  int buffer;             /* LOAD, STORE */
  const index_map *index; /* one per dimension of the buffer */
  op_id op; /* OP: an elementwise row of ops.def, computed in `compute`; operands have that type,
               except */
  scanc_dtype compute; /*     the bool condition of a PROMO_SELECT row; the result is bool for
                          PROMO_COMPARE rows */
  int fault;           /* OP with T_DATA, INDEX: index in kernel.faults; -1: none */
  const host_fn *host; /* CALL: of these operands; pure, so it may run more often than needed */
  int64_t i;           /* CONST of class 'b' or 'i' */
  double f;            /* CONST of class 'f' */
  int axis;            /* POINT; the axis is not cut for threads then */
  lexpr number;        /* POINT, INDEX */
  bool wrap;           /* INDEX */
  loop *loop;          /* LOOP */
} stmt;

/* The value that indexes dimension d of a load or store, -1. */
static inline int stmt_index_value(const stmt *s, int d) {
  int a = INDEX_VALUE - s->index[d].axis;
  return a >= 0 ? s->arg[a] : -1;
}

typedef VEC(stmt) stmt_list;

/* A value carried by a sequential loop. All four are value ids. */
typedef struct {
  int init; /* defined outside: the value in the first point, and the result if there is none */
  int in;   /* defined by the loop: the value at the start of a point */
  int next; /* defined in the body: the value of the next point */
  int out;  /* defined by the loop for what follows it: the value after the last point */
  int item; /* of a prefix loop that is no left fold: the value, computed in the body from loads and
               from outside, that a point enters with */
} loop_carry;

struct loop {
  int axis;
  loop_order order;
  loop_bind bind;
  int lanes, unroll; /* BIND_LANES */
  int64_t block;     /* of a parallel loop bound to lanes, around one sequential loop with no loop
                        in it: if the points are whole groups, so many of them (whole groups, too)
                        do each step of that loop together, which reads arrays in the order of
                        memory; what lives from step to step lies in a small array meanwhile. 0:
                        each group does all steps, with that in registers */
  int tile; /* of a serial sequential loop in one that is bound to lanes: so many steps at a time (a
               power of two), what stands in its body and is_tiled (walk.h)
               passes through small arrays in which the lanes of a step are side by side. 0: such
               elements are taken one by one */
  prefix_order prefix; /* of ORDER_PREFIX. If it is no left fold, the values `next`, all different,
                          are functions of the values `in` and `item` of the carries and of what is
                          the same at all points; what is stored moves along the axis and is a
                          function of the values `next` and of loads (prefix_stages.h) */
  bool headless; /* the initial carries of a prefix loop are the elements before the first point,
                    and part of the first group; else they are a seed */
  loop_carry *carry;
  int n_carry;
  stmt_list body;
};

/* A place where data can be at fault: for messages. */
typedef struct {
  const char *what; /* "integer division by zero" */
  const char *node; /* name */
  src_loc loc;      /* of the node */
} fault_info;

typedef struct {
  arena *mem;
  const char *name; /* symbol */
  VEC(loop_axis) axes;
  VEC(buffer) buffers;
  VEC(const char *) ints; /* names of the integer parameters */
  VEC(value_info) values;
  VEC(fault_info) faults;
  stmt_list body;
} kernel;

kernel *kernel_new(arena *mem, const char *name);
int kernel_add_axis(kernel *k, const char *name, lexpr extent);
int kernel_add_int(kernel *k, const char *name);
int kernel_add_buffer(kernel *k, buffer b); /* dims are copied */
int kernel_add_value(kernel *k, scanc_dtype dtype, const char *name);
/* Appends a loop and returns it for filling. */
loop *loop_add(kernel *k, stmt_list *where, int axis, loop_order order, int n_carry);
int stmt_load(kernel *k, stmt_list *where, int buffer, const index_map *index, const char *name);
void stmt_store(kernel *k, stmt_list *where, int buffer, const index_map *index, int value);
/* The same with values that are indices: by[i] is argument i of a load, i + 1 of a store. */
int stmt_load_by(kernel *k, stmt_list *where, int buffer, const index_map *index, const int *by,
                 int n, const char *name);
void stmt_store_by(kernel *k, stmt_list *where, int buffer, const index_map *index, const int *by,
                   int n, int value);
int stmt_point(kernel *k, stmt_list *where, int axis, lexpr number);
int stmt_index(kernel *k, stmt_list *where, int value, lexpr extent, bool wrap, int fault);
/* Adds any other statement; gives it a result value of s.dtype and returns its id. */
int stmt_add(kernel *k, stmt_list *where, stmt s, const char *name);

/* varies[v] (k->values.len entries): value v can differ between points of the axis. */
void kernel_varies(const kernel *k, int axis, bool *varies);
/* What a point costs in one part of a kernel (a loop of its body; NULL: all of the kernel), in the
 * innermost sequential loops if there are any: operations of ops.def rows, those on floating-point
 * numbers among them, bytes loaded and stored. */
typedef struct {
  int ops, flops, bytes;
} kernel_cost;
kernel_cost kernel_part_cost(const kernel *k, const stmt *part);

/* Checks every rule stated in this header: SSA order and types, loop nesting, index bounds, no
 * value or store carried across the points of a parallel loop. Returns false and one sentence in
 * `why`. */
bool kernel_verify(const kernel *k, str *why);
void kernel_print(str *out, const kernel *k);
/* Whether code made for one is code for the other: they differ in names at most. */
bool kernel_same(const kernel *a, const kernel *b);
/* Runs the kernel slowly, group by group as the bindings say, without LLVM. The same results and
 * status as the emitted function for a CPU level with or without fused multiply-add. */
int32_t kernel_eval(const kernel *k, void *const *bufs, const int64_t *ints, bool fma);

/* Every scan and every group of elementwise nodes of the module as a kernel, scheduled for
 * x86-64-v3 with contiguous operands, or why there is none. Sets the orders of associative scans
 * (loop/prefix.h); left: to left folds. */
void loops_print(str *out, module *m, bool left);

#endif
