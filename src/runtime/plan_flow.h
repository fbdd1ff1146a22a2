/* What loops and branches of the entry share while a plan is made (plan_flow.c, plan_scan.c). */
#ifndef SCANC_RUNTIME_PLAN_FLOW_H
#define SCANC_RUNTIME_PLAN_FLOW_H

#include "runtime/plan_kernel.h"

/* A loop or branch that is being made. */
typedef struct {
  planner *x;
  node *n;
  int begin; /* index of the step that opens the loop; -1 until then */
  VEC(plan_move) moves;
} flow;

static inline int seq_len(val v) { return val_is_seq(v) ? v.n : 0; }
static inline bool flow_refuse(const flow *f, const char *what) {
  return plan_refuse(f->x, f->n, what);
}

/* ---- buffers that move ---- */

/* A buffer that the loop moves; it may lie in the buffers of `base` (-1: none). */
int flow_add_moving(flow *f, plan_move m, int base, int base2);
dim flow_bytes_along(planner *x, const nest_view *v, int axis);
/* Index `at` of dimension `axis`, which goes. */
nest_view flow_without_axis(planner *x, const nest_view *v, int axis, dim at);
/* The same, `step` further in every iteration. */
nest_view flow_slice(flow *f, const nest_view *v, int axis, dim first, int step);
/* The two places of a carry. The block that holds the initial value is one of them; fuse.h sees to
 * it that nothing else uses it. False: refused. */
bool flow_carry(flow *f, val init, nest_view *now, nest_view *next);

/* ---- bodies ---- */

void flow_set_tensor(planner *x, const node *n, nest_view v);
bool flow_equal_sizes(planner *x, const nest_view *v, const type *t);
/* A parameter that stands for an operand of the call. */
bool flow_pass(const flow *f, const node *parameter, val v);
/* Values that an earlier call of the same body has left. */
void flow_forget(planner *x, const graph *g);
/* Result i of g is computed at `place`. */
bool flow_place_result(const flow *f, const graph *g, int i, const nest_view *place);
/* The steps of a body; of those nodes whose entry in `varies` (NULL: of all) is `which`. */
bool flow_nodes(planner *x, graph *g, const bool *varies, bool which);

/* ---- steps ---- */

void flow_open_loop(flow *f, bool endless, dim count);
void flow_close_loop(flow *f);
void flow_end_step(planner *x, const node *n, step_kind kind);

/* plan_scan.c */
bool flow_scan(planner *x, node *n);
/* Before a loop: copies of what its body g multiplies with in every iteration (plan_pack_ahead). */
bool flow_pack_ahead(planner *x, const graph *g, const bool *varies);

#endif
