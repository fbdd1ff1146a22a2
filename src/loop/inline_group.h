/* Groups of elementwise nodes inside other kernels: elements that a reduction reads are computed as
 * it reads them, and what a reduction or product has found is computed on before it is stored. No
 * array stands between; the operations are the group's own, so are their bits. */
#ifndef SCANC_LOOP_INLINE_GROUP_H
#define SCANC_LOOP_INLINE_GROUP_H

#include "loop/view_kernel.h"

enum { GROUP_MAX_VIEWS = 24 };

/* A group and the memory that it works on: views of the rank of its results, with stride 0 along
 * what an operand lacks. */
typedef struct {
  const scan_nest *n; /* NULL: there is none */
  int given;          /* the operand of n that the kernel has anyway: a leaf that it computes, or a
                         result that it goes on with */
  int n_views;
  int operand[GROUP_MAX_VIEWS]; /* that view i is of; the given one is none of them, but a result
                                   that is stored, too */
  nest_view *view;
} group_inline;

/* Whether the group can be: every element of its results is a function of the elements at the same
 * place, real, and nothing fails. */
bool group_fits(const scan_nest *n);
int group_cost(const scan_nest *n); /* instructions per vector */
int group_rank(const scan_nest *n); /* of its results */
/* A view of operand o of a call that nest_bind has bound, as group_inline has it. */
nest_view group_view(const scan_nest *n, const nest_call *call, const nest_view *operand, int o);

/* The statements of a group in a kernel. */
typedef struct {
  view_kernel *v;
  const scan_nest *n;
  const stmt **def; /* per value of the group, NULL */
  int *value;       /* per value of the group: that of the kernel, -1 */
} group_body;

group_body group_open(view_kernel *v, const scan_nest *n);
void group_next(group_body *g); /* another element: nothing is there yet */
/* The element of a leaf. Every leaf is set before results are asked for. */
void group_set(group_body *g, int leaf, int value);
/* The element of a result (an operand of the nest); what it takes is appended. */
int group_result(group_body *g, stmt_list *where, int operand);
/* Whether the operand is a result. */
static inline bool group_is_result(const scan_nest *n, int o) { return o >= n->n_leaf; }

/* In a kernel that has a buffer per view: sets the leaves at the point of the loops, `add` away,
 * but for the one that is given. */
void group_load(group_body *g, stmt_list *where, const group_inline *w, const int *bufs,
                const int64_t *add);
/* Stores the results; value[i]: what group_result gave for view i. */
void group_store(group_body *g, stmt_list *where, const group_inline *w, const int *bufs,
                 const int64_t *add, const int *value);
/* value[i] for all views that are results. */
void group_results(group_body *g, stmt_list *where, const group_inline *w, int *value);

#endif
