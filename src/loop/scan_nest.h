/* From scan nodes to kernels, in three steps that share what they can:
 *   nest_build     a scan or associative scan with an elementwise body -> scan_nest: the body as
 * statements over single elements, independent of layout, sizes and module. Once per scan; decides
 * whether there is a lowering. layout_make    nest + sizes and strides of actual operands ->
 * scan_layout: axes merged, dropped and ordered, and the class of each access. Every run; cheap.
 *   nest_kernel    nest + layout -> kernel. Once per distinct layout.
 *   schedule_scan  binds the innermost parallel loop of every part to lanes.
 *
 * A nest has classes: sets of dimensions of leaves, results and values of the body that always run
 * together. Loops run over classes; dimensions that the body moves along (select, cat, sum,
 * mm...) have no class, and every index of theirs is an element of its own, in registers. A class
 * that an inner scan runs over is a sequential loop within the time loop; everything that has such
 * a dimension is computed in it. Complex elements are two reals. Results whose classes differ and
 * that do not share carries are computed by separate parts, each with loops of its own. */
#ifndef SCANC_LOOP_SCAN_NEST_H
#define SCANC_LOOP_SCAN_NEST_H

#include "loop/loop.h"
#include "loop/target.h"

enum { DIM_TIME = -2, DIM_FIXED = -1 }; /* instead of a class */

/* An operand or result of the scan: a whole tensor, or a number. */
typedef struct {
  const char *name;
  scanc_dtype dtype;
  bool none;  /* a result that is None, a seed or total that is not needed, a leaf that is computed:
                 never touched */
  int rank;   /* dimensions of the tensor; what the body takes apart counts as several */
  int n_axes; /* dimensions of the tensor as it is */
  int axis[SCANC_MAX_RANK];     /* per dimension: that of the tensor; those of one are neighbours */
  int time_axis, time_step;     /* time_axis -1: none (carries, extras); step is +1 or -1 */
  int dim[SCANC_MAX_RANK];      /* per dimension: class, DIM_TIME or DIM_FIXED */
  int64_t size[SCANC_MAX_RANK]; /* of DIM_FIXED dimensions */
} nest_operand;

/* An element of an operand, as a function of the point of the loops. */
typedef struct {
  int operand;
  const int64_t *at; /* per dimension: index where it is DIM_FIXED */
  int part;          /* of a complex element: 0 or 1 */
  int time;          /* index along time */
} nest_ref;
enum {
  REF_STEP,
  REF_FIRST
}; /* that of the step (the one after it in associative scans without seed), or always 0 */

typedef struct {
  nest_ref ref;
  int value;
} nest_input;

/* One carried element. Those along the loop of an inner scan lie in scratch, an element for every
 * point, and are read and written in that loop only. */
typedef struct {
  nest_ref init, last; /* last.operand -1: not a result */
  int in, next;        /* values */
  int item; /* of a fold: the value, computed from inputs alone, that every element enters
               with; that of the first one is the initial carry, not `init` */
} nest_carry;

/* One stored element of a result. Of an associative scan: computed from the value `next` of `carry`
 * alone, which for the first element is its item. Of a group around one: -1, and computed from any
 * of them and from inputs. */
typedef struct {
  nest_ref ref;
  int value, carry;
} nest_store;

/* A class that inner scans run over. */
typedef struct {
  int cls;
  bool reversed; /* from the last index to the first */
} nest_inner;

/* One element that an inner scan carries; all are values. */
typedef struct {
  int inner; /* index in inners */
  int init, in, next, out;
} inner_carry;

/* A statement whose data can be at fault. It is computed by loops over its own dimensions, whether
 * a result needs it or not, and at least where they have a point. */
typedef struct {
  int value;
  int rank;
  int cls[SCANC_MAX_RANK]; /* of its dimensions, those of inner scans apart */
} nest_fault;

/* Results that are computed by one set of loops. */
typedef struct {
  int rank;
  int cls[SCANC_MAX_RANK]; /* classes of its loops, outermost first */
  bool *value, *carry, *last, *store, *operand,
      *inner_carry; /* what belongs to it, by index in the nest; `last`: carries stored */
} nest_part;

typedef struct scan_nest {
  const char *name; /* of the scan node */
  bool timeless;    /* a group of elementwise nodes: no time loop */
  bool fold;  /* associative scan: the first elements are the initial carries, steps begin with the
                 second */
  int n_made; /* the first so many leaves are no operands of calls: of a group around an associative
                 scan, its xs, which are computed from what the group gets (body_fold.c) */
  prefix_order order; /* of a fold */
  bool any_order;     /* of a fold: no result depends on the order */
  int place;          /* of a fold: the value that is the number of the element, an i64; -1: none.
                         Kernels of it have no seed: they would begin to count anew */
  int n_carry, n_x, n_extra,
      n_y; /* operands: carries (not of a fold), xs, extras, last carries (not of a fold), ys, of a
              fold also seeds and totals, one per x */
  int n_leaf; /* the first operands: carries, xs, extras */
  nest_operand *operand;
  int n_operand;
  int n_class;
  const int64_t *extent; /* per class; 0: symbolic */
  stmt_list body;        /* OP, CAST, CALL, CONST */
  VEC(nest_input) inputs;
  VEC(nest_carry) carries;
  VEC(nest_store) stores;
  VEC(nest_inner) inners;
  VEC(inner_carry) inner_carries;
  const char **value_name; /* per value id */
  scanc_dtype *dtype;      /* per value id */
  int *input_of;           /* per value id: index in inputs, -1 */
  bool *invariant;         /* per value id: the same in every step */
  int *domain;             /* per value id: the inner loop it is computed in, index in inners; -1 */
  int n_value;
  nest_part *part;
  int n_part;
  nest_part *exact; /* the same results in parts over exactly their own classes, and so the
                       operations that can fail: for runs in which a class is empty */
  int n_exact;
  VEC(fault_info) faults;
  VEC(nest_fault) fault_at;
} scan_nest;

/* A running sum, product or extremum: an associative scan that has no body. */
bool nest_is_cumulative(const node *n);

/* Of a scan, an associative scan, one of nest_is_cumulative, or an invoke_subgraph: a group of
 * elementwise nodes, which may be around an associative scan. Returns NULL with "node <name>:
 * reason" in `why_not` when it has no lowering. The nest lives in `mem` and keeps nothing of the
 * module. */
scan_nest *nest_build(arena *mem, const node *scan, str *why_not);

/* The entries of an associative scan are kernels of one nest. A block of elements is scanned with
 * or without a seed, what came before it; its total is the last element of the scan. No identity is
 * needed: without a seed the first element starts the scan, so the block must have one.
 *   reduce(block)               FOLD_TOTAL
 *   scan(block, seed or none)   FOLD_RESULTS, with FOLD_SEED or without, and with FOLD_TOTAL if
 *                               that is wanted
 *   combine(total, total)       FOLD_SEED | FOLD_TOTAL of nest_join over a block of one element */
enum { FOLD_SEED = 1, FOLD_RESULTS = 2, FOLD_TOTAL = 4 };

static inline int nest_seed(const scan_nest *n, int i) {
  return n->n_leaf + n->n_carry + n->n_y + i;
}
static inline int nest_total(const scan_nest *n, int i) { return nest_seed(n, n->n_x + i); }
/* Whether a kernel for these entries starts with the first element, not with a carry. */
static inline bool nest_unseeded(const scan_nest *n, int entry) {
  return n->fold && !(entry & FOLD_SEED);
}
/* The same nest, combined as a left fold. */
const scan_nest *nest_in_turn(arena *mem, const scan_nest *n);
/* The nest for combine(total, total): its elements are totals, which enter as they are. */
const scan_nest *nest_join(arena *mem, const scan_nest *n);
/* carried[c]: some result needs what comes before it of carry c. */
void nest_find_carried(arena *mem, const scan_nest *n, bool *carried);
/* Whether a step is short enough for one kernel; fma: of a level on which a multiply-add is one
 * instruction. */
bool nest_fits(const scan_nest *n, bool fma);
/* Whether two references differ in their time at most. */
bool nest_same_element(const scan_nest *n, const nest_ref *a, const nest_ref *b);
/* The inner loop that runs over dimension d of the operand, -1. */
int nest_inner_of(const scan_nest *n, const nest_operand *p, int d);
/* A dimension in memory that no parallel loop runs over. */
bool nest_has_own_dim(const scan_nest *n, const nest_operand *p, int d);
/* Whether the part uses operand o in a kernel for these entries. */
bool nest_uses(const scan_nest *n, const nest_part *p, int o, int entry);
bool nest_operand_is_read(const scan_nest *n, int o);

typedef enum { ACCESS_NONE, ACCESS_UNIT, ACCESS_STRIDED } access_class;

/* Sizes and strides: numbers of one call, or expressions that hold for all calls. */
typedef struct {
  symtab *syms; /* owner of the expressions; NULL: all are numbers */
  dim *extent;  /* per class */
  dim *stride;  /* [o * SCANC_MAX_RANK + d]: of operand o, in elements; along time already times the
                   direction */
  bool steps;   /* there is at least one */
} nest_shape;

/* What a kernel is specialised for, per part: n_axes <= rank loops, the lane axis last; access[o *
 * n_axes + a]. */
typedef struct {
  int n_axes;
  unsigned char *access;
  int64_t lane_hint; /* number of lanes if the types fix it, else 0 */
  /* for this call only, not part of the specialisation: */
  dim extent[SCANC_MAX_RANK];
  dim *stride; /* [o * n_axes + a], in real elements */
} part_layout;

typedef struct {
  int entry;         /* FOLD_ bits; of scans: FOLD_RESULTS */
  part_layout *part; /* n_part of the nest */
  bool *still;       /* per operand: a leaf that has the same elements in every step, of which there
                        are some; they are loaded before the steps */
} scan_layout;

nest_shape nest_shape_alloc(arena *mem, const scan_nest *n, symtab *syms);
/* The shape that the types promise: contiguous operands; symbolic sizes count as large. */
nest_shape nest_shape_default(arena *mem, const scan_nest *n);
scan_layout layout_make(arena *mem, const scan_nest *n, const nest_shape *s, int entry);
/* A copy in another arena, without what belongs to the call. */
scan_layout layout_key(arena *mem, const scan_nest *n, const scan_layout *l);
bool layout_equal(const scan_nest *n, const scan_layout *a, const scan_layout *b);

/* Buffers of the kernel: for each part in order, the operands that it uses, in order, and scratch
 * for the carries along inner loops. */
kernel *nest_kernel(arena *mem, const scan_nest *n, const scan_layout *l);
int nest_max_buffers(const scan_nest *n);
/* operand[i]: the operand that buffer i is, -1 for scratch; returns how many, at most
 * nest_max_buffers. */
int nest_buffers(const scan_nest *n, int entry, int *operand);
/* Whether the part keeps carry c in scratch. */
bool nest_in_scratch(const scan_nest *n, const nest_part *p, int c);
/* bytes[i]: of the buffers that are scratch, in order; returns how many. */
int layout_scratch(const scan_nest *n, const scan_layout *l, const nest_shape *s, dim *bytes);
/* The integer parameters of that kernel; returns how many, at most nest_max_ints. */
int layout_ints(const scan_nest *n, const scan_layout *l, const nest_shape *s, dim length,
                dim *ints);
int nest_max_ints(const scan_nest *n);

/* ---- calls (nest_bind.c) ---- */

/* What an operand or result is in a call: a strided piece of a buffer. A number is a 0-d i64, f64
 * or bool. */
typedef struct {
  int buffer; /* of the caller's; -1: a result that is None */
  dim offset; /* of element [0, ..., 0], in bytes from the start of the buffer */
  scanc_dtype dtype;
  int rank;
  dim size[SCANC_MAX_RANK], stride[SCANC_MAX_RANK]; /* strides in elements */
} nest_view;

/* What must hold for sizes that are not numbers: d is 0, or at least 0. */
typedef struct {
  dim d;
  bool zero;
} nest_guard;

typedef struct {
  nest_shape shape;
  dim *offset; /* per operand: of its first element in time, in bytes */
  VEC(nest_guard) guards;
} nest_call;

/* Sizes, strides and places of a call. operand: leaves, then last carries, then ys; x_start: per x,
 * NULL for 0. Returns false when the operands are not those that the nest was built for or time
 * leaves them. */
bool nest_bind(arena *mem, const scan_nest *n, symtab *syms, const nest_view *operand, dim length,
               const dim *x_start, nest_call *out);
/* Loops of no points compute nothing: if a class is empty that some result of its part does not
 * have, or some operation that data can make fail, the exact parts are needed. */
bool nest_needs_exact(const scan_nest *n, int cls);
/* The nest with its exact parts. */
const scan_nest *nest_exact(arena *mem, const scan_nest *n);
/* Puts numbers in the place of integer parameters: those of `ints` that are numbers, except
 * parameter `but` (-1: none). */
void kernel_fix(kernel *k, const dim *ints, int but);

/* Binds the lane loop (if any) of each part: width by the CPU level and the widest value, unrolled
 * by the number of live values. */
void schedule_scan(kernel *k, const target *t);

#endif
