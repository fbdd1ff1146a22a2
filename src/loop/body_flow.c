/* Branches and scans inside bodies. A branch becomes both sides and a choice. An inner scan of few
 * steps is unrolled, another is a loop within the time loop (of the time loops of all inner scans
 * over the same class), which needs that the elements it reads and writes are needed at the same
 * step only. */
#include "loop/body.h"

enum { MAX_UNROLLED = 64 }; /* nodes that an inner scan of known length may become */

static int seq_len(val v) { return val_is_seq(v) ? v.n : 0; }

static const node *node_of(val v) { return v.kind == VAL_NODE ? v.node : NULL; }

static bool is_tensor_node(const node *n) { return n && type_is_tensor(n->type); }

/* ---- values in and out of subgraphs ---- */

static bool bind(body *b, const node *at, const node *parameter, val v) {
  const node *n = node_of(v);
  grid g;
  if (!n && val_is_number(v) && v.kind != VAL_COMPLEX) {
    int *id = ARENA_ARRAY(b->mem, int, 1);
    g = (grid){.dtype = v.kind == VAL_INT    ? SCANC_I64
                        : v.kind == VAL_BOOL ? SCANC_BOOL
                                             : SCANC_F64,
               .v = id};
    *id = body_const(b, v, g.dtype);
  } else if (!body_grid_of(b, at, v, &g)) {
    return false;
  }
  body_set(b, parameter, &g, 1);
  return true;
}

static void align_parameter(body *b, const node *parameter, val v) {
  if (is_tensor_node(node_of(v)) && type_is_tensor(parameter->type))
    axes_align(b, parameter, 0, node_of(v), 0);
}

/* ---- cond ---- */

static const graph *branch(const node *at, int k) { return val_graph(at->operands[1 + k]); }

static bool check_branches(body *b, const node *at) {
  for (int k = 0; k < 2; k++) {
    const graph *g = branch(at, k);
    if (!g || graph_n_placeholders(g) != seq_len(at->operands[3]))
      return body_refuse(b, at, "a branch that does not fit the call");
  }
  if (!at->type || graph_n_results(branch(at, 0)) != graph_n_results(branch(at, 1)))
    return body_refuse(b, at, "branches with different results");
  return true;
}

static bool cond_axes(body *b, const node *at) {
  if (!check_branches(b, at)) return false;
  for (int k = 0; k < 2; k++) {
    const graph *g = branch(at, k);
    if (!axes_walk(b, g)) return false;
    for (int i = 0; i < graph_n_placeholders(g); i++)
      align_parameter(b, graph_placeholder(g, i), at->operands[3].items[i]);
    for (int i = 0; i < graph_n_results(g); i++) {
      const node *r = node_of(graph_result(g, i));
      if (is_tensor_node(r) && type_is_tensor(axes_type(at, i))) axes_align(b, at, i, r, 0);
    }
  }
  return true;
}

/* The condition as one bool. */
static bool condition(body *b, const node *at, int *out) {
  grid p;
  if (at->operands[0].kind == VAL_BOOL)
    return *out = body_const(b, at->operands[0], SCANC_BOOL), true;
  if (!body_operand(b, at, 0, &p)) return false;
  if (grid_n_elements(&p) != 1 || grid_width(&p) != 1)
    return body_refuse(b, at, "a condition that is not one number");
  for (int d = 0; is_tensor_node(node_of(at->operands[0])) && d < p.rank; d++)
    if (axes_is_loop(b, at->operands[0].node, 0, d))
      return body_refuse(b, at, "a condition that is not one number");
  *out = body_cast(b, p.v[0], SCANC_BOOL);
  return true;
}

/* Fills `out`, whose ids are given: side[0] where p is true, else side[1]. */
static bool choose_elements(body *b, const node *at, int p, const grid *side, const grid *out,
                            int *ids) {
  int index[SCANC_MAX_RANK] = {0};
  if (side[0].dtype != side[1].dtype)
    return body_refuse(b, at, "branches whose results differ in their element type");
  scanc_dtype d = dtype_real(side[0].dtype), acc = dtype_acc(d);
  if (!grid_n_elements(out)) return true;
  do {
    for (int w = 0; w < grid_width(out); w++) {
      int args[3] = {p};
      for (int k = 0; k < 2; k++) args[1 + k] = body_cast(b, grid_at(&side[k], index)[w], acc);
      ids[grid_at(out, index) - out->v + w] =
          body_cast(b, body_op(b, OP_where, acc, args, at->name), d);
    }
  } while (grid_next(out, index));
  return true;
}

static bool choose(body *b, const node *at, int i, int p, grid *out) {
  grid side[2];
  int *ids;
  if (!body_grid(b, at, i, out, &ids)) return false;
  for (int k = 0; k < 2; k++)
    if (!body_grid_of(b, at, graph_result(branch(at, k), i), &side[k])) return false;
  return choose_elements(b, at, p, side, out, ids);
}

/* Both branches are computed and one is chosen, so data errors count in the branch that is taken
 * only. */
static int branch_is_taken(body *b, int p, int k, int outer) {
  int not_p = k ? body_op(b, OP_logical_not, SCANC_BOOL, &p, NULL) : -1, here = k ? not_p : p;
  return outer < 0 ? here : body_op(b, OP_logical_and, SCANC_BOOL, (int[]){outer, here}, NULL);
}

static bool cond_grid(body *b, const node *at) {
  int p = -1, n = graph_n_results(branch(at, 0)), outer = b->taken;
  if (!condition(b, at, &p)) return false;
  for (int k = 0; k < 2; k++) {
    const graph *g = branch(at, k);
    b->taken = branch_is_taken(b, p, k, outer);
    for (int i = 0; i < graph_n_placeholders(g); i++)
      if (!bind(b, at, graph_placeholder(g, i), at->operands[3].items[i])) return false;
    if (!body_nodes(b, g)) return false;
  }
  b->taken = outer;
  grid *r = ARENA_ARRAY(b->mem, grid, n);
  for (int i = 0; i < n; i++)
    if (graph_result(branch(at, 0), i).kind != VAL_NONE && !choose(b, at, i, p, &r[i]))
      return false;
  body_set(b, at, r, n);
  return true;
}

/* ---- scans in bodies ---- */

/* An inner scan or associative scan: parameters are n_state carries (left elements), n_x slices,
 * extras. */
typedef struct {
  const node *at;
  const graph *g;
  bool fold;
  val init, xs, extras;
  int n_state, n_x, n_y;
  int64_t length; /* -1: not known */
  bool unroll;    /* the better choice */
  bool loop;      /* what was chosen */
  int time;       /* class of the dimensions along its time, -1 */
} inner;

static scan_view x_view(const inner *s, int i) {
  return s->at->scan ? s->at->scan->x[i] : (scan_view){0, 1, {0}};
}
static scan_view y_view(const inner *s, int i) {
  return s->at->scan ? s->at->scan->y[i] : (scan_view){0, 1, {0}};
}

static bool find_length(body *b, inner *s) {
  const node *x = s->n_x ? node_of(s->xs.items[0]) : NULL;
  if (!s->at->scan && !is_tensor_node(x))
    return body_refuse(b, s->at, "an inner scan whose length is not known");
  dim length = s->at->scan ? s->at->scan->length : x->type->dims[0];
  s->length = dim_is_int(length) ? length.k : -1;
  s->unroll = s->length >= 0 && s->length * s->g->n_nodes <= MAX_UNROLLED;
  return true;
}

static bool open_inner(body *b, const node *at, inner *s) {
  bool fold = at->op->id == OP_associative_scan;
  *s = (inner){.time = -1,
               .at = at,
               .g = val_graph(at->operands[0]),
               .fold = fold,
               .xs = at->operands[fold ? 1 : 2],
               .extras = at->operands[fold ? 2 : 3]};
  s->init = fold ? s->xs : at->operands[1];
  s->n_x = seq_len(s->xs);
  s->n_state = seq_len(s->init);
  if (fold && at != b->fold && at->order.kind != PREFIX_LEFT)
    return body_refuse(b, at, "an inner associative scan that is no left fold");
  int n_params = s->n_state + s->n_x + seq_len(s->extras);
  if (!s->g || graph_n_placeholders(s->g) != n_params || graph_n_results(s->g) < s->n_state ||
      !at->type)
    return body_refuse(b, at, "an inner scan whose body does not fit");
  s->n_y = fold ? s->n_state : graph_n_results(s->g) - s->n_state;
  for (int i = 0; i < s->n_x; i++)
    if (!is_tensor_node(node_of(s->xs.items[i])))
      return body_refuse(b, at, "an inner scan over what is not a tensor");
  return find_length(b, s);
}

/* The dimensions along the time of an inner scan are one class. A loop needs the whole of them. So
 * are those of the scan that a group is around. */
static void unite_time(body *b, const inner *s, int c, scan_view v, bool whole) {
  bool own = s->at == b->fold;
  if (own ? !whole : s->unroll || !whole) axes_move(b, c, "an inner scan");
  if (s->time >= 0) axes_unite(b, s->time, c);
  if (own) b->time = c;
  else axes_inner(b, c, s->at, v.step < 0);
}

/* A parameter that gets slices of x. */
static void align_slice(body *b, inner *s, const node *parameter, const node *x, scan_view v) {
  int c = axes_dim(b, x, 0, v.axis), ax = v.axis;
  dim size = x->type->dims[ax], length = s->at->scan ? s->at->scan->length : size;
  bool start = v.step > 0 ? dim_is(v.start, 0)
                          : dim_equal(v.start, dim_sub(b->mod->syms, length, dim_int(1)));
  unite_time(b, s, c, v, start && dim_equal(size, length));
  s->time = c;
  for (int d = 0, e = 0; d < x->type->n; d++)
    if (d != ax) axes_follow(b, parameter, 0, e++, x, d);
}

static void align_stack(body *b, const inner *s, int item, const node *r, scan_view v) {
  int ax = v.axis;
  unite_time(b, s, axes_dim(b, s->at, item, ax), v, true);
  for (int d = 0; d < r->type->n; d++) axes_follow(b, s->at, item, d < ax ? d : d + 1, r, d);
}

static void align_results(body *b, const inner *s) {
  for (int i = 0; i < graph_n_results(s->g); i++) {
    const node *r = node_of(graph_result(s->g, i));
    if (!is_tensor_node(r)) continue;
    if (i < s->n_state) axes_align(b, graph_placeholder(s->g, i), 0, r, 0);
    if (i < s->n_state && !s->fold) axes_align(b, s->at, i, r, 0);
    else align_stack(b, s, i, r, y_view(s, s->fold ? i : i - s->n_state));
  }
}

static bool inner_axes(body *b, const node *at) {
  inner s;
  if (!open_inner(b, at, &s) || !axes_walk(b, s.g)) return false;
  for (int i = 0; i < s.n_state; i++) {
    if (s.fold)
      align_slice(b, &s, graph_placeholder(s.g, i), node_of(s.xs.items[i]), x_view(&s, i));
    else align_parameter(b, graph_placeholder(s.g, i), s.init.items[i]);
  }
  for (int i = 0; i < s.n_x; i++)
    align_slice(b, &s, graph_placeholder(s.g, s.n_state + i), node_of(s.xs.items[i]),
                x_view(&s, i));
  for (int i = 0; i < seq_len(s.extras); i++)
    align_parameter(b, graph_placeholder(s.g, s.n_state + s.n_x + i), s.extras.items[i]);
  align_results(b, &s);
  return true;
}

static grid without_axis(const grid *g, int ax, int index) {
  grid r = *g;
  r.v += index * g->stride[ax];
  r.rank--;
  for (int d = ax; d < r.rank; d++) r.ext[d] = r.ext[d + 1], r.stride[d] = r.stride[d + 1];
  return r;
}

static bool slice_at(body *b, const inner *s, int i, int64_t step, grid *out) {
  scan_view v = x_view(s, i);
  grid g;
  if (!body_grid_of(b, s->at, s->xs.items[i], &g)) return false;
  if (s->loop) return *out = without_axis(&g, v.axis, 0), true;
  if (!dim_is_int(v.start))
    return body_refuse(b, s->at, "an inner scan that starts at a place that is not known");
  int64_t index = v.start.k + step * v.step;
  if (index < 0 || index >= g.ext[v.axis])
    return body_refuse(b, s->at, "an inner scan outside of its leaf");
  *out = without_axis(&g, v.axis, (int)index);
  return true;
}

/* Puts the elements of one step into the stacked result. */
static void stack_at(const inner *s, int i, int64_t step, const grid *g, const grid *all,
                     int *ids) {
  scan_view v = y_view(s, i);
  int index[SCANC_MAX_RANK] = {0}, place[SCANC_MAX_RANK];
  if (!grid_n_elements(g)) return;
  do {
    for (int d = 0; d < all->rank; d++) place[d] = d == v.axis ? 0 : index[d < v.axis ? d : d - 1];
    place[v.axis] = s->loop ? 0 : (int)(v.step > 0 ? step : s->length - 1 - step);
    for (int w = 0; w < grid_width(g); w++)
      ids[grid_at(all, place) - all->v + w] = grid_at(g, index)[w];
  } while (grid_next(g, index));
}

/* One application of the body to the state. */
static bool inner_step(body *b, const inner *s, int64_t step, grid *state) {
  for (int i = 0; i < s->n_state; i++) body_set(b, graph_placeholder(s->g, i), &state[i], 1);
  for (int i = 0; i < s->n_x; i++) {
    grid x;
    if (!slice_at(b, s, i, step, &x)) return false;
    body_set(b, graph_placeholder(s->g, s->n_state + i), &x, 1);
  }
  if (!body_nodes(b, s->g)) return false;
  for (int i = 0; i < s->n_state; i++)
    if (!body_grid_of(b, s->at, graph_result(s->g, i), &state[i])) return false;
  return true;
}

static bool push_stacks(body *b, const inner *s, int64_t step, const grid *state, const grid *all,
                        int **ids) {
  for (int i = 0; i < s->n_y; i++) {
    grid y;
    if (!ids[i]) continue;
    if (s->fold) y = state[i];
    else if (!body_grid_of(b, s->at, graph_result(s->g, s->n_state + i), &y)) return false;
    stack_at(s, i, step, &y, &all[i], ids[i]);
  }
  return true;
}

static bool run_inner(body *b, const inner *s, grid *state, const grid *all, int **ids) {
  for (int i = 0; i < s->n_state; i++)
    if (s->fold ? s->length && !slice_at(b, s, i, 0, &state[i])
                : !body_grid_of(b, s->at, s->init.items[i], &state[i]))
      return false;
  if (s->fold && s->length && !push_stacks(b, s, 0, state, all, ids)) return false;
  for (int64_t t = s->fold; t < s->length; t++)
    if (!inner_step(b, s, t, state) || !push_stacks(b, s, t, state, all, ids)) return false;
  return true;
}

/* ---- as a loop ---- */

/* Every dimension along its time is a loop, or every one is unrolled. */
static bool choose_form(body *b, inner *s) {
  const node *x = s->n_x ? node_of(s->xs.items[0]) : NULL;
  int y = s->fold ? 0 : s->n_state;
  if (x) s->loop = axes_is_inner(b, x, 0, x_view(s, 0).axis);
  else
    s->loop = s->n_y && type_is_tensor(axes_type(s->at, y)) &&
              axes_is_inner(b, s->at, y, y_view(s, 0).axis);
  s->time = x         ? axes_dim(b, x, 0, x_view(s, 0).axis)
            : s->loop ? axes_dim(b, s->at, y, y_view(s, 0).axis)
                      : -1;
  if (s->loop || s->length >= 0) return true;
  return body_refuse(b, s->at, "an inner scan whose length is not known");
}

/* New values for the elements of a carry that start as `init`; all in the loop `domain`. */
static grid open_state(body *b, const grid *init, const node *parameter, int domain) {
  grid r = *init;
  int n = grid_n_elements(init) * grid_width(init), stride = grid_width(init),
      index[SCANC_MAX_RANK] = {0};
  int *ids = ARENA_ARRAY(b->mem, int, n);
  for (int d = r.rank - 1; d >= 0; d--) r.stride[d] = stride, stride *= r.ext[d];
  r.v = ids;
  if (!n) return r;
  do {
    for (int w = 0; w < grid_width(init); w++) {
      int v = grid_at(init, index)[w];
      inner_carry c = {domain, v,
                       body_value(b, parameter->name, b->dtypes.data[v], false, -1, domain), -1,
                       body_value(b, parameter->name, b->dtypes.data[v], false, -1, -1)};
      if (b->domain.data[v] >= 0) b->crossed = true;
      ids[grid_at(&r, index) - r.v + w] = c.in;
      vec_push(b->mem, &b->n->inner_carries, c);
    }
  } while (grid_next(&r, index));
  return r;
}

/* The carries from `first` on get their next values; `state` becomes what leaves the loop. */
static bool close_state(body *b, const inner *s, const grid *next, int *first, grid *state) {
  int *ids = ARENA_ARRAY(b->mem, int, grid_n_elements(state) * grid_width(state)),
      index[SCANC_MAX_RANK] = {0};
  if (grid_n_elements(state) != grid_n_elements(next))
    return body_refuse(b, s->at, "an inner carry that changes its shape");
  if (grid_n_elements(next)) do {
      for (int w = 0; w < grid_width(next); w++) {
        inner_carry *c = &b->n->inner_carries.data[(*first)++];
        c->next = grid_at(next, index)[w];
        if (b->dtypes.data[c->next] != b->dtypes.data[c->in])
          return body_refuse(b, s->at, "an inner carry that changes its type");
        ids[grid_at(state, index) - state->v + w] = c->out;
      }
    } while (grid_next(next, index));
  state->v = ids;
  return true;
}

/* What the carries of a loop start as. The first step of an associative scan takes none, so any
 * values will do. */
static bool first_state(body *b, const inner *s, int i, grid *out) {
  if (!s->fold) return body_grid_of(b, s->at, s->init.items[i], out);
  if (!slice_at(b, s, i, 0, out)) return false;
  int n = grid_n_elements(out) * grid_width(out), *ids = ARENA_ARRAY(b->mem, int, n),
      stride = grid_width(out), zero = body_const(b, val_int(0), dtype_real(out->dtype));
  for (int k = 0; k < n; k++) ids[k] = zero;
  for (int d = out->rank - 1; d >= 0; d--) out->stride[d] = stride, stride *= out->ext[d];
  out->v = ids;
  return true;
}

/* A bool that is false in the first step only. */
static int add_started(body *b, int domain) {
  int no = body_const(b, val_bool(false), SCANC_BOOL),
      yes = body_const(b, val_bool(true), SCANC_BOOL);
  inner_carry c = {domain, no, body_value(b, "started", SCANC_BOOL, false, -1, domain), yes,
                   body_value(b, NULL, SCANC_BOOL, false, -1, -1)};
  vec_push(b->mem, &b->n->inner_carries, c);
  return c.in;
}

/* The carries of the next step: those of an associative scan are the elements in the first one. */
static bool next_state(body *b, const inner *s, int i, int started, grid *out) {
  grid side[2];
  if (!body_grid_of(b, s->at, graph_result(s->g, i), &side[0])) return false;
  *out = side[0];
  if (!s->fold) return true;
  if (!slice_at(b, s, i, 0, &side[1])) return false;
  int stride = grid_width(out), n = grid_n_elements(out) * stride,
      *ids = ARENA_ARRAY(b->mem, int, n);
  for (int d = out->rank - 1; d >= 0; d--) out->stride[d] = stride, stride *= out->ext[d];
  out->v = ids;
  return choose_elements(b, s->at, started, side, out, ids);
}

/* One step; its body stands for all. */
static bool loop_step(body *b, const inner *s, int started, grid *next) {
  int outer = b->taken;
  for (int i = 0; i < s->n_x; i++) {
    grid x;
    if (!slice_at(b, s, i, 0, &x)) return false;
    body_set(b, graph_placeholder(s->g, s->n_state + i), &x, 1);
  }
  if (s->fold) b->taken = branch_is_taken(b, started, 0, outer);
  if (!body_nodes(b, s->g)) return false;
  b->taken = outer;
  for (int i = 0; i < s->n_state; i++)
    if (!next_state(b, s, i, started, &next[i])) return false;
  return true;
}

static bool loop_inner(body *b, const inner *s, grid *state, const grid *all, int **ids) {
  int first = b->n->inner_carries.len, cls = axes_nest_class(b, s->time),
      domain = b->inner_of.data[cls];
  int outer = b->loop;
  bool outer_nests = b->loops_nest;
  grid *next = ARENA_ARRAY(b->mem, grid, s->n_state);
  b->loops_nest |= outer >= 0;
  b->loop = domain;
  for (int i = 0; i < s->n_state; i++) {
    if (!first_state(b, s, i, &state[i])) return false;
    state[i] = open_state(b, &state[i], graph_placeholder(s->g, i), domain);
    body_set(b, graph_placeholder(s->g, i), &state[i], 1);
  }
  int started = s->fold ? add_started(b, domain) : -1;
  if (!loop_step(b, s, started, next) || !push_stacks(b, s, 0, next, all, ids)) return false;
  for (int i = 0; i < s->n_state; i++)
    if (!close_state(b, s, &next[i], &first, &state[i])) return false;
  b->loop = outer;
  b->loops_nest = outer_nests;
  return true;
}

/* ---- the scan that a group is around ---- */

static int *dense_ids(body *b, grid *g) {
  int stride = grid_width(g), *ids = ARENA_ARRAY(b->mem, int, grid_n_elements(g) * stride);
  for (int d = g->rank - 1; d >= 0; d--) g->stride[d] = stride, stride *= g->ext[d];
  g->v = ids;
  return ids;
}

/* Elements enter as x, of which some values are replaced by others like them; what comes before
 * them becomes `state`. */
static void open_fold(body *b, const inner *s, int i, grid *x, grid *state) {
  const node *left = graph_placeholder(s->g, i);
  grid from = *x;
  int index[SCANC_MAX_RANK] = {0}, whole[SCANC_MAX_RANK] = {0}, ax = x_view(s, i).axis;
  int *items = dense_ids(b, x);
  *state = *x;
  int *ids = dense_ids(b, state);
  if (grid_n_elements(x)) do {
      for (int d = 0; d < x->rank; d++) whole[d < ax ? d : d + 1] = index[d];
      whole[ax] = 0;
      for (int w = 0; w < grid_width(x); w++) {
        int64_t at = grid_at(x, index) - x->v + w;
        items[at] = grid_at(&from, index)[w];
        ids[at] = body_group_carry(b, i, left, whole, w, &items[at]);
      }
    } while (grid_next(x, index));
}

/* The carries from *first on get their next values. */
static bool close_fold(body *b, const inner *s, const grid *x, const grid *next, int *first) {
  int index[SCANC_MAX_RANK] = {0};
  if (grid_n_elements(x) != grid_n_elements(next))
    return body_refuse(b, s->at, "a leaf that changes its shape");
  if (grid_n_elements(x)) do {
      for (int w = 0; w < grid_width(x); w++) {
        nest_carry *c = &b->n->carries.data[(*first)++];
        c->next = grid_at(next, index)[w];
        if (b->dtypes.data[c->next] != b->dtypes.data[c->in])
          return body_refuse(b, s->at, "a leaf that changes its type");
      }
    } while (grid_next(x, index));
  return true;
}

static bool fold_grid(body *b, const inner *s) {
  grid *x = ARENA_ARRAY(b->mem, grid, s->n_x), *y = ARENA_ARRAY(b->mem, grid, s->n_y), next;
  int first = b->n->carries.len, *ids;
  for (int i = 0; i < s->n_x; i++) {
    grid state;
    if (!slice_at(b, s, i, 0, &x[i])) return false;
    open_fold(b, s, i, &x[i], &state);
    body_set(b, graph_placeholder(s->g, i), &state, 1);
    body_set(b, graph_placeholder(s->g, s->n_x + i), &x[i], 1);
  }
  if (!body_nodes(b, s->g)) return false;
  for (int i = 0; i < s->n_y; i++) {
    if (!body_grid_of(b, s->at, graph_result(s->g, i), &next) ||
        !close_fold(b, s, &x[i], &next, &first) || !body_grid(b, s->at, i, &y[i], &ids))
      return false;
    stack_at(s, i, 0, &next, &y[i], ids);
  }
  body_set(b, s->at, y, s->n_y);
  return true;
}

static bool inner_grid(body *b, const node *at) {
  inner s;
  if (!open_inner(b, at, &s)) return false;
  int n_extra = seq_len(s.extras), n_last = s.fold ? 0 : s.n_state;
  for (int i = 0; i < n_extra; i++)
    if (!bind(b, at, graph_placeholder(s.g, s.n_state + s.n_x + i), s.extras.items[i]))
      return false;
  s.loop = at == b->fold;
  if (s.loop) return fold_grid(b, &s);
  grid *state = ARENA_ARRAY(b->mem, grid, s.n_state),
       *result = ARENA_ARRAY(b->mem, grid, n_last + s.n_y);
  int **ids = ARENA_ARRAY(b->mem, int *, s.n_y);
  for (int i = 0; i < s.n_y; i++)
    if (type_is_tensor(axes_type(at, n_last + i)) &&
        !body_grid(b, at, n_last + i, &result[n_last + i], &ids[i]))
      return false;
  SCANC_TRY(choose_form(b, &s));
  if (!(s.loop ? loop_inner(b, &s, state, result + n_last, ids)
               : run_inner(b, &s, state, result + n_last, ids)))
    return false;
  for (int i = 0; i < n_last; i++) result[i] = state[i];
  body_set(b, at, result, n_last + s.n_y);
  return true;
}

const view_rule *flow_rule_of(op_id op) {
  static const view_rule rules[] = {{OP_cond, cond_axes, cond_grid},
                                    {OP_scan, inner_axes, inner_grid},
                                    {OP_associative_scan, inner_axes, inner_grid}};
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if (rules[i].op == op) return &rules[i];
  return NULL;
}
