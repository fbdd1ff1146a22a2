/* Kernels made directly on strided views: a loop per axis, a buffer per view, statements on single
 * elements. What the kernel knows of sizes and strides are numbers where the types fix them and
 * integer parameters elsewhere; `ints` has the expressions of the parameters and `places` what the
 * buffers are, for whoever makes a step of the kernel (runtime/plan_kernel.h).
 *
 *   view_kernel v = view_kernel_new(mem, syms, "double");
 *   int i = vk_axis(&v, "i", from.size[0]);
 *   int a = vk_buffer(&v, "a", SPACE_INPUT, &from, &i), b = vk_buffer(&v, "b", SPACE_OUTPUT,
 * &to, &i); stmt_list *body = vk_parallel(&v, &v.k->body, &i, 1);
 *   int x = vk_load(&v, body, a, NULL, 0, "x");
 *   vk_store(&v, body, b, NULL, 0, vk_op(&v, body, OP_add, d, (int[]){x, x}, 2));
 *
 * Kernels get their schedule afterwards: schedule_scan binds the innermost parallel loop of every
 * part to lanes. A kernel with a loop that is bound already keeps what it has. For threads
 * (split.h) a kernel should be one loop, as every buffer must belong to one part. */
#ifndef SCANC_LOOP_VIEW_KERNEL_H
#define SCANC_LOOP_VIEW_KERNEL_H

#include "loop/scan_nest.h"

/* A buffer of the kernel is this many bytes behind the start of a buffer of the caller's. */
typedef struct {
  int buffer;
  dim offset;
} view_place;

/* How a buffer of the kernel is indexed. */
typedef struct {
  int rank; /* of the view; the parts of complex elements are one dimension more */
  int axis[SCANC_MAX_RANK];
} view_index;

typedef struct {
  kernel *k;
  symtab *syms;            /* of the expressions */
  VEC(dim) ints;           /* per integer parameter of k */
  VEC(view_place) places;  /* per buffer of k */
  VEC(view_index) indices; /* per buffer of k */
} view_kernel;

/* name: of what it does, for `scanc explain`; it is part of a symbol. */
view_kernel view_kernel_new(arena *mem, symtab *syms, const char *name);
/* An axis of that extent, at least 0. Threads may cut it. */
int vk_axis(view_kernel *v, const char *name, dim extent);
/* A number for extents and statements: a parameter where it is symbolic. */
lexpr vk_number(view_kernel *v, const char *name, dim d);
/* A buffer that is the view. axis[d]: the axis that runs along dimension d, whose extent is taken
 * for the size (the caller has seen to it that it is); -1: none, indices are numbers below the
 * size, which must be a number; INDEX_VALUE - a: the index is argument a of the statements. Along
 * a dimension of stride 0 there is one element, whatever the index. Complex elements are pairs of
 * real ones. */
int vk_buffer(view_kernel *v, const char *name, buffer_space space, const nest_view *view,
              const int *axis);
/* Dimension d has that extent: the same size by another name, so that indices below the one are
 * indices of the other. */
void vk_extent(view_kernel *v, int buffer, int d, lexpr extent);
/* A nest of parallel loops, outermost first; the body of the innermost. */
stmt_list *vk_parallel(view_kernel *v, stmt_list *where, const int *axis, int n);

/* The element at the point of the buffer's axes, plus add[d] along dimension d of the view (NULL:
 * 0). part: of a complex element, else 0. The value is of the real type. */
int vk_load(view_kernel *v, stmt_list *where, int buffer, const int64_t *add, int part,
            const char *name);
void vk_store(view_kernel *v, stmt_list *where, int buffer, const int64_t *add, int part,
              int value);
/* The same where some indices are values: `by` are the arguments that axis[d] of vk_buffer counts,
 * n of them; of a store argument 0 is the stored value, and by[0] argument 1. */
int vk_load_by(view_kernel *v, stmt_list *where, int buffer, const int *by, int n, int part,
               const char *name);
void vk_store_by(view_kernel *v, stmt_list *where, int buffer, const int *by, int n, int part,
                 int value);
/* A local array; some buffer is there already. */
int vk_local(view_kernel *v, const char *name, scanc_dtype d, int64_t rows, int64_t columns);
/* An elementwise row computed in d; a condition is a bool, and comparisons give one. */
int vk_op(view_kernel *v, stmt_list *where, op_id op, scanc_dtype d, const int *arg, int n);
static inline int vk_op2(view_kernel *v, stmt_list *where, op_id op, scanc_dtype d, int a, int b) {
  return vk_op(v, where, op, d, (int[]){a, b}, 2);
}
/* a where p is true, else b. */
static inline int vk_where(view_kernel *v, stmt_list *where, scanc_dtype d, int p, int a, int b) {
  return vk_op(v, where, OP_where, d, (int[]){p, a, b}, 3);
}
/* The product of two complex numbers, each as {real, imaginary} of type d. */
void vk_product(view_kernel *v, stmt_list *where, scanc_dtype d, const int *x, const int *y,
                int *product);
/* The same value if it has that type. */
int vk_cast(view_kernel *v, stmt_list *where, int value, scanc_dtype d);
int vk_zero(view_kernel *v, stmt_list *where, scanc_dtype d);
/* A real number, converted to d. */
int vk_const(view_kernel *v, stmt_list *where, double number, scanc_dtype d);
static inline int vk_integer(view_kernel *v, stmt_list *where, int64_t k) {
  return vk_const(v, where, (double)k, SCANC_I64);
}
/* A number as an i64. */
int vk_size(view_kernel *v, stmt_list *where, dim d);
/* A sequential loop. */
stmt_list *vk_sequence(view_kernel *v, stmt_list *where, int axis);
/* One that carries n values: in[i] begins as init[i]. vk_carried says what they become in every
 * point; out[i] are the last ones. */
loop *vk_carry(view_kernel *v, stmt_list *where, int axis, const int *init, int n, int *in);
void vk_carried(view_kernel *v, loop *l, const int *next, int *out);

/* ---- views ---- */

/* Fewer dimensions with the same elements in the same order: those of size 1 are dropped, and
 * neighbours that lie in memory like one dimension in every view become one. All views have the
 * same sizes. */
void views_merge(symtab *syms, nest_view *const *views, int n);
/* Dimension d becomes two, of sizes floor(size / by) and by; what is left over is not in it. */
nest_view view_tiled(symtab *syms, const nest_view *v, int d, int64_t by);
/* Indices `from` to `to` (not included) along dimension d. */
nest_view view_range(symtab *syms, const nest_view *v, int d, dim from, dim to);

#endif
