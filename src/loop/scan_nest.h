/* From scan nodes to kernels, in three steps that share what they can:
 *   nest_build     a scan node with an elementwise body -> scan_nest: the body as loop statements over one iteration
 *                  space, independent of layout, sizes and module. Once per scan; decides whether there is a lowering.
 *   layout_make    nest + sizes and strides of actual operands -> scan_layout: axes merged, dropped and ordered, and the
 *                  class of each access. Every run; cheap.
 *   nest_kernel    nest + layout -> kernel. Once per distinct layout.
 *   schedule_scan  binds the innermost parallel loop to lanes.
 *
 * The iteration space of a scan has the axes of its carries and slices, aligned at the right as broadcasting does;
 * every value of an elementwise body is a function on it. Time is an axis of its own. */
#ifndef SCANC_LOOP_SCAN_NEST_H
#define SCANC_LOOP_SCAN_NEST_H

#include "loop/loop.h"
#include "loop/target.h"

/* An operand or result of the scan, as seen from the iteration space. */
typedef struct {
  const char *name;
  scanc_dtype dtype;
  int rank;                   /* of the whole tensor, with its time axis */
  int time_axis, time_step;   /* time_axis -1: none (carries, extras); step is +1 or -1 */
  int dim_of[SCANC_MAX_RANK]; /* per iteration axis: dimension of the tensor; -1 where it broadcasts */
  bool used;                  /* false: never loaded */
} nest_operand;

/* Value ids of the body: 0 .. n_leaf-1 are the leaves, then one per statement, in order. */
typedef struct {
  const char *name; /* of the scan node */
  int n_carry, n_x, n_extra, n_y;
  int n_leaf;               /* n_carry + n_x + n_extra */
  nest_operand *operand;    /* leaves, then final carries, then ys */
  int n_operand;
  int rank;                 /* of the iteration space */
  int64_t extent[SCANC_MAX_RANK]; /* 0: symbolic */
  stmt_list body;           /* OP, CAST, CONST */
  const char **value_name;  /* per value id */
  bool *invariant;          /* per value id: the same in every step */
  int n_value;
  int *result;              /* value ids: n_carry, then n_y */
  VEC(fault_info) faults;
} scan_nest;

/* Returns NULL with "node <name>: reason" in `why_not` when the scan has no lowering. The nest lives in `mem` and
 * keeps nothing of the module. */
scan_nest *nest_build(arena *mem, const node *scan, str *why_not);

typedef enum { ACCESS_NONE, ACCESS_UNIT, ACCESS_STRIDED } access_class;

/* Sizes and strides of one call in the iteration space. stride[o * rank + a] in elements, 0 where operand o
 * broadcasts along axis a; time_stride[o] already multiplied by the direction. */
typedef struct {
  int64_t extent[SCANC_MAX_RANK];
  int64_t *stride, *time_stride;
} nest_shape;

/* What a kernel is specialised for. n_axes <= rank axes, the lane axis last; access[o * n_axes + a]. */
typedef struct {
  int n_axes;
  unsigned char *access;
  int64_t lane_hint; /* number of lanes if the types fix it, else 0 */
  /* for this call only, not part of the specialisation: */
  int64_t extent[SCANC_MAX_RANK];
  int64_t *stride; /* [o * n_axes + a] */
} scan_layout;

nest_shape nest_shape_alloc(arena *mem, const scan_nest *n);
/* The shape that the types promise: contiguous operands; symbolic sizes count as large. */
nest_shape nest_shape_default(arena *mem, const scan_nest *n);
scan_layout layout_make(arena *mem, const scan_nest *n, const nest_shape *s);
/* A copy in another arena, without what belongs to the call. */
scan_layout layout_key(arena *mem, const scan_nest *n, const scan_layout *l);
bool layout_equal(const scan_nest *n, const scan_layout *a, const scan_layout *b);

/* buffers of the kernel are the nest's operands, in order. */
kernel *nest_kernel(arena *mem, const scan_nest *n, const scan_layout *l);
/* The integer parameters of that kernel for one call; returns how many, at most nest_max_ints. */
int layout_ints(const scan_nest *n, const scan_layout *l, const nest_shape *s, int64_t length, int64_t *ints);
int nest_max_ints(const scan_nest *n);

/* Binds the lane loop (if any): width by the CPU level and the widest value, unrolled by the number of live values. */
void schedule_scan(kernel *k, const target *t, int64_t lane_hint);

#endif
