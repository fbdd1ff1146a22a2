/* The kernels of scans and groups. An associative scan has two where sizes that only a run tells
 * decide which order it is combined in (`least` of ir/prefix.h); one of them is left out. */
#include "loop/body.h"
#include "loop/prefix.h"
#include "runtime/plan.h"

typedef struct {
  planner *x;
  const node *n;
  const nest_view *operand;
  const nest_call *call;
  dim length;
} nest_step;

/* Left out when `needs` is 0. */
static bool add_kernel(const nest_step *a, const scan_nest *nest, dim needs) {
  planner *x = a->x;
  arena *mem = x->pl->mem;
  scan_layout layout = layout_make(mem, nest, &a->call->shape, FOLD_RESULTS);
  plan_step s = {.kind = STEP_KERNEL, .k = nest_kernel(mem, nest, &layout), .n = a->n};
  s.ints = ARENA_ARRAY(x->tmp, dim, nest_max_ints(nest));
  layout_ints(nest, &layout, &a->call->shape, a->length, s.ints);
  kernel_fix(s.k, s.ints, -1);
  if (!plan_add_chain(x, a->n, nest, a->operand, a->call, a->length, &s)) return false;
  s.buffer = ARENA_ARRAY(x->tmp, int, nest_max_buffers(nest));
  s.offset = ARENA_ARRAY(x->tmp, dim, nest_max_buffers(nest));
  s.n_places = nest_buffers(nest, layout.entry, s.buffer);
  dim *scratch = ARENA_ARRAY(x->tmp, dim, nest_max_buffers(nest));
  layout_scratch(nest, &layout, &a->call->shape, scratch);
  for (int i = 0, k = 0; i < s.n_places; i++) {
    int o = s.buffer[i];
    s.offset[i] = dim_int(0);
    if (o < 0) s.buffer[i] = plan_scratch(x, scratch[k++]);
    if (o < 0) continue;
    s.buffer[i] = a->operand[o].buffer;
    s.offset[i] = a->call->offset[o];
  }
  s.has_needs = nest->fold;
  s.needs = needs;
  return plan_add_step(x, &s);
}

/* 1 where the scan is a left fold, else 0. */
static dim is_left(const nest_step *a, prefix_order order) {
  symtab *syms = a->x->syms;
  const node *scan = a->n;
  dim length, wide, one = dim_int(1), block = dim_int(prefix_block(order));
  int64_t least, most;
  if (node_is_op(scan, OP_invoke_subgraph)) scan = body_fold_of(val_graph(scan->operands[0]));
  if (order.kind == PREFIX_LEFT) return one;
  if (!order.least || !prefix_sizes(scan, syms, &length, &wide)) return dim_int(0);
  dim rows = dim_max(syms, dim_sub(syms, wide, dim_int(order.least - 1)), dim_int(0));
  dim left = dim_max(syms, dim_sub(syms, block, a->length), dim_int(0));
  dim_bounds(syms, wide, &least, &most);
  rows = most < order.least ? dim_int(0) : least >= order.least ? one : dim_min(syms, rows, one);
  dim_bounds(syms, a->length, &least, &most);
  if (!order.segments || most < block.k) left = one;
  else left = least >= block.k ? dim_int(0) : dim_min(syms, left, one);
  return dim_mul(syms, rows, left);
}

bool plan_add_nest(planner *x, const node *n, const scan_nest *nest, const nest_view *operand,
                   const nest_call *call, dim length) {
  nest_step a = {x, n, operand, call, length};
  if (!nest->fold) return add_kernel(&a, nest, length);
  const scan_nest *folded = nest_in_turn(x->pl->mem, nest);
  dim left = is_left(&a, nest->order);
  if (dim_is_int(left)) return add_kernel(&a, left.k ? folded : nest, length);
  dim some = dim_min(x->syms, length, dim_int(1));
  dim other = dim_sub(x->syms, dim_int(1), left);
  return add_kernel(&a, nest, dim_mul(x->syms, some, other)) &&
         add_kernel(&a, folded, dim_mul(x->syms, some, left));
}
