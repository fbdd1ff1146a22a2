/* The kernels of scans and groups. Of an associative scan whose last results are all that is read,
 * the total is all that is computed. An associative scan has two where sizes that only a run tells
 * decide which order it is combined in (`least` of ir/prefix.h); one of them is left out. */
#include "loop/body.h"
#include "loop/prefix.h"
#include "passes/view.h"
#include "runtime/plan.h"

typedef struct {
  planner *x;
  const node *n;
  const nest_view *operand;
  const nest_call *call;
  dim length;
  int entry;
} nest_step;

/* Left out when `needs` is 0. */
static bool add_kernel(const nest_step *a, const scan_nest *nest, dim needs) {
  planner *x = a->x;
  arena *mem = x->pl->mem;
  scan_layout layout = layout_make(mem, nest, &a->call->shape, a->entry);
  plan_step s = {.kind = STEP_KERNEL, .k = nest_kernel(mem, nest, &layout), .n = a->n};
  s.ints = ARENA_ARRAY(x->tmp, dim, nest_max_ints(nest));
  layout_ints(nest, &layout, &a->call->shape, a->length, s.ints);
  kernel_fix(s.k, s.ints, -1);
  if (!plan_add_chain(x, a->n, nest, a->operand, a->call, a->length, a->entry, &s)) return false;
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

static scan_nest *copy_nest(planner *x, const scan_nest *from) {
  arena *mem = x->pl->mem;
  scan_nest *n = arena_copy(mem, from, sizeof *from);
  n->operand = arena_copy(mem, n->operand, sizeof *n->operand * (size_t)n->n_operand);
  return n;
}

/* ---- last results of scans that are cut ---- */

static nest_call copy_call(planner *x, const scan_nest *n, const nest_call *from) {
  nest_call c = *from;
  size_t strides = (size_t)n->n_operand * SCANC_MAX_RANK;
  c.offset = arena_copy(x->tmp, c.offset, sizeof *c.offset * (size_t)n->n_operand);
  c.shape.stride = arena_copy(x->tmp, c.shape.stride, sizeof *c.shape.stride * strides);
  return c;
}

/* A seed or total is all of a buffer. Returns its bytes. */
static dim place_state(const nest_step *a, const scan_nest *n, int o, nest_call *call) {
  symtab *syms = a->x->syms;
  const nest_operand *p = &n->operand[o];
  dim n_elements = dim_int(1);
  for (int d = p->rank - 1; d >= 0; d--) {
    dim size = p->dim[d] < 0 ? dim_int(p->size[d]) : call->shape.extent[p->dim[d]];
    call->shape.stride[o * SCANC_MAX_RANK + d] = n_elements;
    n_elements = dim_mul(syms, n_elements, size);
  }
  call->offset[o] = dim_int(0);
  return dim_mul(syms, n_elements, dim_int((int64_t)scanc_dtype_size(p->dtype)));
}

/* Leaves begin with element e. */
static void move_leaves(const nest_step *a, const scan_nest *n, dim e, nest_call *call) {
  symtab *syms = a->x->syms;
  for (int o = 0; o < n->n_leaf; o++) {
    const nest_operand *p = &n->operand[o];
    if (p->none || p->time_axis < 0) continue;
    dim stride = call->shape.stride[o * SCANC_MAX_RANK + p->time_axis],
        step = dim_mul(syms, stride, dim_int((int64_t)scanc_dtype_size(p->dtype)));
    call->offset[o] = dim_add(syms, call->offset[o], dim_mul(syms, step, e));
  }
}

/* The total of all stretches but the last one, and from there the last result of that. */
static bool add_stretches(const nest_step *a, const scan_nest *nest, dim needs) {
  planner *x = a->x;
  symtab *syms = x->syms;
  dim cut = dim_int(nest->order.cut), others = dim_sub(syms, a->length, dim_int(1));
  scan_nest *before = copy_nest(x, nest), *last = copy_nest(x, nest);
  nest_call first = copy_call(x, nest, a->call), then = copy_call(x, nest, a->call);
  nest_view *operand = arena_copy(x->tmp, a->operand, sizeof *a->operand * (size_t)nest->n_operand);
  nest_step one = *a, two = *a;
  bool *carried = ARENA_ARRAY(x->tmp, bool, nest->carries.len);
  before->order.from = 0;
  last->order.cut = 0;
  for (int i = 0; i < nest->n_x; i++)
    before->operand[nest_total(nest, i)].none = last->operand[nest_seed(nest, i)].none = true;
  nest_find_carried(x->tmp, nest, carried);
  for (int c = 0; c < nest->carries.len; c++) {
    int i = nest->carries.data[c].init.operand, total = nest_total(nest, i),
        seed = nest_seed(nest, i);
    if (!carried[c] || !before->operand[total].none) continue;
    before->operand[total].none = last->operand[seed].none = false;
    place_state(a, nest, seed, &then);
    operand[total].buffer = operand[seed].buffer =
        plan_scratch(x, place_state(a, nest, total, &first));
  }
  others = dim_mul(syms, dim_floordiv(syms, others, cut), cut);
  move_leaves(a, nest, others, &then);
  one.call = &first, one.length = others, one.operand = operand;
  two.call = &then, two.length = dim_sub(syms, a->length, others);
  two.entry = FOLD_SEED | FOLD_TOTAL;
  if (!add_kernel(&one, before, needs)) return false;
  for (int i = 0; i < nest->n_x; i++)
    operand[nest_total(nest, i)] = a->operand[nest_total(nest, i)];
  two.operand = operand;
  return add_kernel(&two, last, needs);
}

static bool add_last_result(const nest_step *a, const scan_nest *nest, dim needs) {
  symtab *syms = a->x->syms;
  prefix_order o = nest->order;
  if (o.kind == PREFIX_LEFT || o.exact || !o.cut) return add_kernel(a, nest, needs);
  dim more = dim_sub(syms, a->length, dim_int(o.from > o.cut ? o.from - 1 : o.cut)),
      one = dim_int(1);
  dim is_cut = dim_min(syms, dim_max(syms, more, dim_int(0)), one);
  scan_nest *whole = copy_nest(a->x, nest);
  whole->order.cut = 0;
  if (dim_is(is_cut, 1)) return add_stretches(a, nest, needs);
  return add_kernel(a, whole, dim_mul(syms, needs, dim_sub(syms, one, is_cut))) &&
         (dim_is(is_cut, 0) || add_stretches(a, nest, dim_mul(syms, needs, is_cut)));
}

/* ---- orders ---- */

static bool add_entry(const nest_step *a, const scan_nest *nest, dim needs) {
  return (a->entry == FOLD_TOTAL ? add_last_result : add_kernel)(a, nest, needs);
}

bool plan_add_nest(planner *x, const node *n, const scan_nest *nest, const nest_view *operand,
                   const nest_call *call, dim length, int entry) {
  nest_step a = {x, n, operand, call, length, entry};
  if (!nest->fold) return add_kernel(&a, nest, length);
  const scan_nest *folded = nest_in_turn(x->pl->mem, nest);
  dim left = is_left(&a, nest->order);
  dim some = dim_min(x->syms, length, dim_int(1));
  if (dim_is_int(left)) return add_entry(&a, left.k ? folded : nest, some);
  dim other = dim_sub(x->syms, dim_int(1), left);
  return add_entry(&a, nest, dim_mul(x->syms, some, other)) &&
         add_entry(&a, folded, dim_mul(x->syms, some, left));
}

/* ---- last results ---- */

/* The leaf that result k of the scan, or of the group around it, is as it is; -1: none. */
static int leaf_of(const node *n, const node *fold, int k) {
  if (n == fold) return k;
  val v = graph_result(val_graph(n->operands[0]), k);
  bool item = v.kind == VAL_NODE && node_is_op(v.node, OP_getitem) &&
              v.node->operands[0].kind == VAL_NODE && v.node->operands[0].node == fold;
  return item && v.node->operands[1].kind == VAL_INT ? (int)v.node->operands[1].i : -1;
}

/* Whether the node reads the element of leaf i that is combined last. */
static bool reads_last(const node *reader, const node *fold, int i) {
  if (!reader || !node_is_op(reader, OP_select)) return false;
  scan_view y = prefix_y(fold, i);
  const type *t = reader->operands[0].kind == VAL_NODE ? reader->operands[0].node->type : NULL;
  val at = reader->operands[2];
  int axis;
  if (!t || !type_is_tensor(t) || at.kind != VAL_INT || !type_is_tensor(reader->type)) return false;
  if (!view_axis(reader->operands[1], t->n, &axis) || axis != y.axis) return false;
  dim n = t->dims[axis];
  bool forward = y.step > 0;
  return at.i == (forward ? -1 : 0) || (dim_is_int(n) && at.i == (forward ? n.k - 1 : -n.k));
}

/* Totals of blocks are combined in another order than last results. */
static bool is_total(prefix_order o) { return o.kind == PREFIX_LEFT || o.exact || !o.segments; }

/* Whether the total of leaf i can be stored as the reader's value. */
static bool can_store(const scan_nest *nest, int i, const node *reader) {
  const nest_operand *p = &nest->operand[nest_total(nest, i)];
  for (int d = 0; d < p->rank; d++)
    if (p->axis[d] != d) return false;
  return p->dtype == reader->type->dtype && p->rank == reader->type->n + 1;
}

static void place_total(planner *x, scan_nest *nest, int i, const node *reader,
                        nest_view *operand) {
  int o = nest_total(nest, i);
  operand[o] = plan_result(x, reader, reader->type);
  nest->operand[o].none = false;
  x->of[reader->id] = (plan_value){.kind = VALUE_TENSOR, .view = operand[o]};
  x->late[reader->id] = COMPUTED_EARLY;
}

/* The nest of a kernel for last results; NULL: others are read. */
static const scan_nest *last_nest(planner *x, const node *n, const scan_nest *from,
                                  nest_view *operand) {
  const node *fold = n;
  bool read;
  int n_read = 0;
  if (node_is_op(n, OP_invoke_subgraph)) fold = body_fold_of(val_graph(n->operands[0]));
  if (!is_total(from->order)) return NULL;
  scan_nest *nest = copy_nest(x, from);
  const node **reader = ARENA_ARRAY(x->tmp, const node *, nest->n_y);
  for (int i = 0; i < nest->n_x; i++) nest->operand[nest_total(nest, i)].none = true;
  for (int k = 0; k < nest->n_y; k++) {
    if (nest->operand[nest->n_leaf + k].none) continue;
    int i = leaf_of(n, fold, k);
    reader[k] = i < 0 ? NULL : prefix_reader(n, k, &read);
    if (!reads_last(reader[k], fold, i) || !can_store(nest, i, reader[k])) return NULL;
    n_read++;
  }
  for (int k = 0; k < nest->n_y; k++) {
    if (reader[k]) place_total(x, nest, leaf_of(n, fold, k), reader[k], operand);
    nest->operand[nest->n_leaf + k].none = true;
  }
  return n_read ? nest : NULL;
}

/* ---- seeds ---- */

bool plan_is_seed(const planner *x, const node *n) {
  const node *scan = prefix_seeded_by(n);
  return scan && x->p->kernel_of[scan->id] && !x->barred[scan->id];
}

bool plan_seeds(planner *x, const node *n, const scan_nest *nest, nest_view *operand) {
  prefix_seed s;
  for (int i = 0; i < nest->n_x; i++) {
    bool ok = nest->n_x == n->operands[1].n && prefix_seed_of(n, i, &s);
    if (!ok || x->of[s.seed->id].kind != VALUE_TENSOR || x->of[s.rest->id].kind != VALUE_TENSOR)
      return plan_refuse(x, n, "a seed that is no part of what it reads");
    operand[i] = x->of[s.rest->id].view;
    operand[nest_seed(nest, i)] = x->of[s.seed->id].view;
  }
  return true;
}

static void place_results_behind(planner *x, const node *n, const scan_nest *nest,
                                 nest_view *operand) {
  prefix_seed s;
  for (int i = 0; i < nest->n_y; i++) {
    int o = nest->n_leaf + i;
    if (nest->operand[o].none || !prefix_seed_of(n, i, &s) || !s.reader) continue;
    operand[o] = plan_result(x, s.reader, s.reader->type);
    x->of[s.reader->id] = (plan_value){.kind = VALUE_TENSOR, .view = operand[o]};
    x->late[s.reader->id] = COMPUTED_EARLY;
  }
}

/* ---- entries ---- */

int plan_own_results(planner *x, const node *n, const scan_nest **nest, nest_view *operand) {
  const scan_nest *from = *nest, *last = NULL;
  for (int o = from->n_leaf; o < nest_seed(from, 0); o++) operand[o].buffer = -1;
  if (!from->fold || nest_is_cumulative(n)) return FOLD_RESULTS;
  if (from->order.seeded) {
    place_results_behind(x, n, from, operand);
    return FOLD_SEED | FOLD_RESULTS;
  }
  last = last_nest(x, n, from, operand);
  if (!last) return FOLD_RESULTS;
  *nest = last;
  return FOLD_TOTAL;
}

/* A seed or total has the dimensions of the leaf, that of time maybe apart. */
static void bind_state(const scan_nest *nest, int i, int o, const nest_view *v, nest_call *call) {
  const nest_operand *p = &nest->operand[o];
  dim *stride = &call->shape.stride[o * SCANC_MAX_RANK];
  if (p->none) return;
  call->offset[o] = v->offset;
  for (int d = 0, k = 0; d < p->rank; d++) {
    bool apart = d == nest->operand[i].time_axis;
    if (apart) stride[d] = dim_int(0);
    if (!apart || v->rank == p->rank) k++;
    if (!apart) stride[d] = v->stride[k - 1];
  }
}

void plan_bind_state(const scan_nest *nest, const nest_view *operand, int entry, nest_call *call) {
  for (int i = 0; nest->fold && i < nest->n_x; i++) {
    int seed = nest_seed(nest, i), total = nest_total(nest, i);
    if (entry & FOLD_SEED) bind_state(nest, i, seed, &operand[seed], call);
    if (entry == FOLD_TOTAL) bind_state(nest, i, total, &operand[total], call);
  }
}
