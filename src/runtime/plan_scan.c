/* Scans without a kernel of their own in plans: loops of the entry.
 *
 * A loop moves buffers. Slices of xs and of ys lie where they are in the whole and move by a stride
 * per iteration. A carry has two blocks that trade places: the body reads one and computes the
 * other. An associative scan is a left fold: the body reads the result before the one that it
 * computes. What depends on no carry and no slice is computed once, before the loop. */
#include "runtime/plan_ahead.h"
#include "runtime/plan_flow.h"
#include "runtime/plan_product.h"

/* ---- products ahead of the loop ---- */

/* Products over slices of xs alone are done for all steps at once, where that takes memory like
 * that of the xs, or for a block of steps; what others multiply with in every iteration is put in
 * order once. */
enum {
  MAX_GROWTH = 4,
  MAX_AHEAD = 16 << 20, /* bytes for all steps, where they are known; else blocks */
  BLOCK = 1 << 20,      /* bytes for a block of steps, which stays in the second cache */
  FEW_STEPS = 16,
  MANY_STEPS = 1024
};

static const node *operand_node(const node *n, int k) {
  return n->operands[k].kind == VAL_NODE ? n->operands[k].node : NULL;
}

/* The move of the buffer that v lies in, if it moves by a stride. */
static const plan_move *move_of(const flow *f, const nest_view *v) {
  for (int i = 0; i < f->moves.len; i++)
    if (f->moves.data[i].buffer == v->buffer && f->moves.data[i].trade < 0)
      return &f->moves.data[i];
  return NULL;
}

/* A chain of views of a slice gets its value, which takes no step. */
static bool view_slice(planner *x, const node *n, const bool *varies) {
  if (!varies[n->id] || x->of[n->id].kind == VALUE_TENSOR) return x->of[n->id].kind == VALUE_TENSOR;
  if (!n->op || !(n->op->traits & (T_VIEW | T_RESHAPE)) || !n->op->n_operands) return false;
  const node *from = operand_node(n, 0);
  return from && type_is_tensor(n->type) && view_slice(x, from, varies) && plan_view_of(x, n);
}

/* What the result has in the place of the dimension that is summed over. */
static dim size_of_other(planner *x, const type *t, int k, const nest_view *slice) {
  int d = k ? t->n - 1 - (slice->rank > 1) : t->n - 1;
  return d >= 0 ? plan_dim(x, t->dims[d]) : dim_int(1);
}

/* Whether n, a product of which operand k is a slice, takes memory like the slices. */
static bool is_small(planner *x, const node *n, int k, const nest_view *slice, dim steps) {
  const type *t = n->type;
  dim size = size_of_other(x, t, k, slice),
      depth = slice->size[k && slice->rank > 1 ? slice->rank - 2 : slice->rank - 1],
      bytes = dim_mul(x->syms, steps, dim_int((int64_t)scanc_dtype_size(t->dtype)));
  for (int d = 0; d < t->n; d++) bytes = dim_mul(x->syms, bytes, plan_dim(x, t->dims[d]));
  bool grows = !dim_is_int(size) || !dim_is_int(depth) || size.k > MAX_GROWTH * depth.k;
  return !grows && (!dim_is_int(bytes) || bytes.k <= MAX_AHEAD);
}

static bool product_ahead(flow *f, const node *n, dim steps, bool *varies) {
  planner *x = f->x;
  if (!plan_has_product_ahead(n) || x->join[n->id].place || x->join[n->id].cat || x->barred[n->id])
    return true;
  int k = varies[operand_node(n, 0)->id] ? 0 : 1; /* which operand is a slice */
  const node *slice = operand_node(n, k), *other = operand_node(n, 1 - k);
  if (varies[other->id] || !view_slice(x, slice, varies)) return true;
  nest_view v = x->of[slice->id].view, all;
  const plan_move *m = move_of(f, &v);
  if (!m || !is_small(x, n, k, &v, steps)) return true;
  dim stride = dim_floordiv(x->syms, m->step, dim_int((int64_t)scanc_dtype_size(v.dtype)));
  v.buffer = m->start;
  v.offset = dim_add(x->syms, v.offset, m->offset);
  if (!plan_product_ahead(x, n, k, &v, steps, stride, &all)) return false;
  flow_set_tensor(x, n, flow_slice(f, &all, 0, dim_int(0), 1));
  varies[n->id] = false; /* it is done */
  return true;
}

bool flow_pack_ahead(planner *x, const graph *g, const bool *varies) {
  for (const node *n = g->first; n; n = n->next)
    if (varies[n->id] && !plan_pack_ahead(x, n, varies)) return false;
  return true;
}

static bool products_ahead(flow *f, const graph *g, dim steps, bool *varies) {
  for (const node *n = g->first; n; n = n->next)
    if (varies[n->id] && !product_ahead(f, n, steps, varies)) return false;
  return true;
}

/* ---- scans ---- */

/* Steps `first` to first + n - 1, of `block` steps each; that is a loop in a loop if block > 1. */
typedef struct {
  int64_t first, block;
  dim n;
} stretch;

typedef struct {
  flow f;     /* the loop over steps */
  flow outer; /* that over blocks of them */
  stretch at;
  graph *g;
  val init, xs, extras;
  int n_state, n_x, n_y;
  bool fold;
  dim length;
  plan_value *result; /* last carries, then ys */
  int n_result;
} scanning;

static scan_view view_of(const scan_view *all, int i) {
  return all ? all[i] : (scan_view){0, 1, {0}};
}

static bool open_scan(planner *x, node *n, scanning *s) {
  bool fold = node_is_op(n, OP_associative_scan), maps = node_is_op(n, OP_map_impl);
  *s = (scanning){.f = {.x = x, .n = n, .begin = -1}, .g = val_graph(n->operands[0]), .fold = fold};
  s->init = fold || maps ? val_none() : n->operands[1];
  s->xs = n->operands[fold || maps ? 1 : 2];
  s->extras = n->operands[fold || maps ? 2 : 3];
  s->n_x = seq_len(s->xs);
  s->n_state = fold ? s->n_x : seq_len(s->init);
  s->n_result = n->type ? n->type->n : 0;
  s->n_y = fold ? 0 : s->n_result - s->n_state;
  s->result = ARENA_ARRAY(x->tmp, plan_value, s->n_result);
  if (!s->g || graph_n_placeholders(s->g) != s->n_state + s->n_x + seq_len(s->extras) ||
      graph_n_results(s->g) != (fold ? s->n_x : s->n_result))
    return flow_refuse(&s->f, "a body that does not fit the call");
  for (int i = 0; i < s->n_x; i++) {
    val v = s->xs.items[i];
    if (v.kind != VAL_NODE || x->of[v.node->id].kind != VALUE_TENSOR)
      return flow_refuse(&s->f, "a leaf that is not a tensor");
  }
  if (!n->scan && !s->n_x) return flow_refuse(&s->f, "a length that is not known");
  s->length = n->scan ? plan_dim(x, n->scan->length) : x->of[s->xs.items[0].node->id].view.size[0];
  return true;
}

/* The steps of the scan lie within the leaf. */
static bool slices_fit(const scanning *s, const nest_view *v, scan_view at, dim start) {
  planner *x = s->f.x;
  dim one = dim_int(1), size = v->size[at.axis],
      past = dim_add(x->syms, start, at.step > 0 ? s->length : one),
      low = at.step > 0 ? start : dim_add(x->syms, dim_sub(x->syms, start, s->length), one);
  return plan_require(x, dim_sub(x->syms, size, past)) && plan_require(x, low);
}

/* The slice of a leaf or result for the step at hand, where `start` is that of step 0. */
static nest_view slice_of_step(scanning *s, const nest_view *v, int axis, dim start, int step) {
  planner *x = s->f.x;
  dim first = dim_add(x->syms, start, dim_int(step * s->at.first));
  if (s->at.block == 1) return flow_slice(&s->f, v, axis, first, step);
  nest_view b = flow_slice(&s->outer, v, axis, first, step * (int)s->at.block);
  plan_move m = {.trade = -1, .start = b.buffer, .offset = b.offset};
  m.step = dim_mul(x->syms, flow_bytes_along(x, v, axis), dim_int(step));
  b.buffer = flow_add_moving(&s->f, m, b.buffer, -1);
  return b;
}

static bool add_x(scanning *s, int i) {
  planner *x = s->f.x;
  const nest_view *v = &x->of[s->xs.items[i].node->id].view;
  scan_view at = view_of(s->f.n->scan ? s->f.n->scan->x : NULL, i);
  dim start = plan_dim(x, at.start);
  if (at.axis >= v->rank || !slices_fit(s, v, at, start))
    return flow_refuse(&s->f, "a leaf that is shorter than the scan");
  if (s->fold) start = dim_add(x->syms, start, dim_int(at.step)); /* the first is the state */
  nest_view slice = slice_of_step(s, v, at.axis, start, at.step);
  flow_set_tensor(x, graph_placeholder(s->g, s->n_state + i), slice);
  return true;
}

static dim first_of(const scanning *s, scan_view at) {
  return at.step > 0 ? dim_int(0) : dim_sub(s->f.x->syms, s->length, dim_int(1));
}

static bool add_y(scanning *s, int i) {
  planner *x = s->f.x;
  int item = s->n_state + i;
  const type *t = s->f.n->type->items[item];
  scan_view at = view_of(s->f.n->scan ? s->f.n->scan->y : NULL, i);
  if (!t || t->kind == TYPE_NONE || graph_result(s->g, item).kind == VAL_NONE) return true;
  if (!type_is_tensor(t)) return flow_refuse(&s->f, "a result that is not a tensor");
  if (!s->at.first)
    s->result[item] =
        (plan_value){.kind = VALUE_TENSOR, .view = plan_result_item(x, s->f.n, item, t)};
  nest_view all = s->result[item].view,
            slice = slice_of_step(s, &all, at.axis, first_of(s, at), at.step);
  return flow_place_result(&s->f, s->g, item, &slice);
}

static bool add_state(scanning *s, int i, nest_view *now) {
  nest_view next;
  const node *p = graph_placeholder(s->g, i);
  if (!flow_carry(&s->f, s->init.items[i], now, &next)) return false;
  if (!flow_equal_sizes(s->f.x, now, p->type))
    return flow_refuse(&s->f, "a carry that its body has with another type");
  flow_set_tensor(s->f.x, p, *now);
  /* After an even number of steps the state is where it began. */
  s->result[i] = s->at.block > 1 ? s->f.x->of[s->init.items[i].node->id]
                                 : (plan_value){.kind = VALUE_TENSOR, .view = *now};
  return flow_place_result(&s->f, s->g, i, &next);
}

/* The first result of an associative scan is its first element, if it has one. */
static bool copy_first(scanning *s, const nest_view *x, dim start, int axis, const nest_view *y,
                       scan_view at) {
  planner *p = s->f.x;
  nest_view from = flow_without_axis(p, x, axis, start),
            to = flow_without_axis(p, y, at.axis, first_of(s, at));
  if (!plan_copy(p, s->f.n, &from, &to)) return false;
  plan_step *step = &p->steps.data[p->steps.len - 1];
  step->has_needs = true;
  step->needs = s->length;
  return true;
}

/* The left operand of an associative scan, the place of the result, and the first result. */
static bool add_fold(scanning *s, int i) {
  planner *x = s->f.x;
  const scan_attrs *a = s->f.n->scan;
  const type *t = s->f.n->type->items[i];
  scan_view at = view_of(a ? a->y : NULL, i), from = view_of(a ? a->x : NULL, i);
  const nest_view *leaf = &x->of[s->xs.items[i].node->id].view;
  if (!type_is_tensor(t)) return flow_refuse(&s->f, "a result that is not a tensor");
  nest_view all = plan_result_item(x, s->f.n, i, t);
  plan_use(x, all.buffer);
  s->result[i] = (plan_value){.kind = VALUE_TENSOR, .view = all};
  if (from.axis >= leaf->rank || leaf->rank != all.rank)
    return flow_refuse(&s->f, "a leaf that does not fit its result");
  dim first = first_of(s, at), second = dim_add(x->syms, first, dim_int(at.step));
  if (!copy_first(s, leaf, plan_dim(x, from.start), from.axis, &all, at)) return false;
  nest_view left = flow_slice(&s->f, &all, at.axis, first, at.step),
            next = flow_slice(&s->f, &all, at.axis, second, at.step);
  if (!flow_equal_sizes(x, &left, graph_placeholder(s->g, i)->type))
    return flow_refuse(&s->f, "a leaf that its body has with another type");
  flow_set_tensor(x, graph_placeholder(s->g, i), left);
  return flow_place_result(&s->f, s->g, i, &next);
}

static bool add_leaves(scanning *s) {
  int n_slots = s->n_state + s->n_x;
  nest_view now = {0};
  for (int i = 0; i < s->n_state; i++)
    if (!(s->fold ? add_fold(s, i) : add_state(s, i, &now))) return false;
  for (int i = 0; i < s->n_x; i++)
    if (!add_x(s, i)) return false;
  for (int i = 0; i < s->n_y; i++)
    if (!add_y(s, i)) return false;
  for (int i = 0; i < seq_len(s->extras); i++)
    if (!flow_pass(&s->f, graph_placeholder(s->g, n_slots + i), s->extras.items[i])) return false;
  return true;
}

/* ---- blocks of steps ---- */

/* Steps in a block, an even number; 1: no blocks. Rather one that leaves no steps over, as those
 * take a loop of their own. */
static int64_t block_of(const scanning *s) {
  bool test = s->f.x->p->loops_only;
  int64_t bytes =
              s->fold || !dim_is_int(s->length) ? 0 : plan_bytes_ahead(s->g, s->n_state, s->n_x),
          n, limit = MAX_AHEAD;
  if (!bytes || (!test && s->length.k <= limit / bytes)) return 1;
  n = BLOCK / bytes < FEW_STEPS ? FEW_STEPS : BLOCK / bytes;
  if (n > MANY_STEPS) n = MANY_STEPS;
  if (test) n = 4;
  n -= n % 2;
  for (int64_t k = n; 2 * k > n; k -= 2)
    if (s->length.k % k == 0) n = k;
  return s->length.k >= 2 * n ? n : 1;
}

/* ---- scans ---- */

static void open_loops(scanning *s) {
  if (s->at.block == 1) flow_open_loop(&s->f, false, s->at.n);
  else flow_open_loop(&s->f, false, dim_int(s->at.block));
}

static void close_loops(scanning *s) {
  flow_close_loop(&s->f);
  if (s->at.block > 1) flow_close_loop(&s->outer);
}

static bool add_stretch(scanning *s, int64_t first, int64_t block, dim n) {
  planner *x = s->f.x;
  s->at = (stretch){first, block, n};
  s->f = s->outer = (flow){.x = x, .n = s->f.n, .begin = -1};
  flow_forget(x, s->g);
  if (!add_leaves(s)) return false;
  bool *varies = ARENA_ARRAY(x->tmp, bool, x->p->mod->n_ids);
  for (int i = 0; i < s->n_state + s->n_x; i++) varies[graph_placeholder(s->g, i)->id] = true;
  plan_find_joins(x, s->g);
  plan_find_varying(x, s->g, varies);
  int packed = x->packed.len;
  if (!flow_nodes(x, s->g, varies, false) || !flow_pack_ahead(x, s->g, varies)) return false;
  if (block > 1) flow_open_loop(&s->outer, false, n);
  if (!s->fold && !products_ahead(&s->f, s->g, block > 1 ? dim_int(block) : n, varies))
    return false;
  open_loops(s);
  if (!flow_nodes(x, s->g, varies, true)) return false;
  close_loops(s);
  x->packed.len = packed;
  return true;
}

bool flow_scan(planner *x, node *n) {
  scanning s;
  if (n->order.kind != PREFIX_LEFT)
    return plan_refuse(x, n, "an associative scan that is no left fold needs a kernel");
  if (!open_scan(x, n, &s)) return false;
  int64_t block = block_of(&s);
  dim count = s.fold ? dim_sub(x->syms, s.length, dim_int(1)) : s.length;
  if (block == 1) {
    if (!add_stretch(&s, 0, 1, count)) return false;
  } else {
    int64_t blocks = s.length.k / block, rest = s.length.k % block;
    if (!add_stretch(&s, 0, block, dim_int(blocks))) return false;
    if (rest && !add_stretch(&s, blocks * block, 1, dim_int(rest))) return false;
  }
  x->of[n->id] = (plan_value){.kind = VALUE_LIST, .n = s.n_result, .items = s.result};
  return true;
}
