/* Loops and branches without a kernel of their own in plans: their bodies are planned like the
 * program itself, between the steps that open and close a loop or a branch of the entry. Here is
 * what loops share, and while loops and branches; scans are in plan_scan.c. Numbers that a loop
 * carries, or that the sides of a branch give, lie in cells. */
#include "runtime/plan_flow.h"
#include "runtime/plan_ahead.h"

#include "runtime/plan_cell.h"

/* ---- buffers that move ---- */

int flow_add_moving(flow *f, plan_move m, int base, int base2) {
  planner *x = f->x;
  plan_block b = {.bytes = dim_int(0),
                  .first = x->steps.len,
                  .last = x->steps.len,
                  .output = -1,
                  .slot = -1,
                  .moving = true,
                  .base = {base, base2}};
  m.buffer = x->p->n_inputs + x->blocks.len;
  vec_push(x->tmp, &x->blocks, b);
  vec_push(x->tmp, &f->moves, m);
  return m.buffer;
}

dim flow_bytes_along(planner *x, const nest_view *v, int axis) {
  return dim_mul(x->syms, v->stride[axis], dim_int((int64_t)scanc_dtype_size(v->dtype)));
}

nest_view flow_without_axis(planner *x, const nest_view *v, int axis, dim at) {
  nest_view s = {.buffer = v->buffer, .dtype = v->dtype};
  s.offset = dim_add(x->syms, v->offset, dim_mul(x->syms, at, flow_bytes_along(x, v, axis)));
  for (int d = 0; d < v->rank; d++) {
    if (d == axis) continue;
    s.size[s.rank] = v->size[d];
    s.stride[s.rank++] = v->stride[d];
  }
  return s;
}

nest_view flow_slice(flow *f, const nest_view *v, int axis, dim first, int step) {
  planner *x = f->x;
  nest_view s = flow_without_axis(x, v, axis, first);
  plan_move m = {.trade = -1, .start = s.buffer, .offset = s.offset};
  m.step = dim_mul(x->syms, flow_bytes_along(x, v, axis), dim_int(step));
  s.buffer = flow_add_moving(f, m, v->buffer, -1);
  s.offset = dim_int(0);
  return s;
}

/* ---- bodies ---- */

void flow_set_tensor(planner *x, const node *n, nest_view v) {
  x->of[n->id] = (plan_value){.kind = VALUE_TENSOR, .view = v};
}

bool flow_equal_sizes(planner *x, const nest_view *v, const type *t) {
  if (!type_is_tensor(t) || t->n != v->rank || t->dtype != v->dtype) return false;
  for (int d = 0; d < v->rank; d++)
    if (!plan_require_equal(x, v->size[d], plan_dim(x, t->dims[d]))) return false;
  return true;
}

bool flow_pass(const flow *f, const node *parameter, val v) {
  planner *x = f->x;
  dim d;
  if (plan_operand_dim(x, v, &d)) x->of[parameter->id] = (plan_value){.kind = VALUE_INT, .i = d};
  else if (v.kind == VAL_NODE && x->of[v.node->id].kind != VALUE_SLOT)
    x->of[parameter->id] = x->of[v.node->id];
  else return flow_refuse(f, "an operand that is neither a tensor nor a size");
  return true;
}

void flow_forget(planner *x, const graph *g) {
  for (const node *n = g->first; n; n = n->next) {
    x->of[n->id] = (plan_value){.kind = VALUE_UNKNOWN};
    x->join[n->id] = (plan_join){.cat = NULL};
    x->late[n->id] = NOT_LATE;
  }
}

static void put_result(planner *x, const node *r, const nest_view *place) {
  x->join[r->id] = (plan_join){.place = arena_copy(x->tmp, place, sizeof *place)};
}

bool flow_place_result(const flow *f, const graph *g, int i, const nest_view *place) {
  val v = graph_result(g, i);
  if (v.kind != VAL_NODE || v.node->kind == NODE_PLACEHOLDER ||
      !flow_equal_sizes(f->x, place, v.node->type))
    return flow_refuse(f, "a result of its body that is no tensor of the expected type");
  put_result(f->x, v.node, place);
  return true;
}

bool flow_nodes(planner *x, graph *g, const bool *varies, bool which) {
  const bool *before = x->varies;
  bool ok = true;
  x->varies = varies;
  FOR_EACH_NODE (n, g) {
    if (n->kind == NODE_PLACEHOLDER || n->kind == NODE_OUTPUT) continue;
    if (!varies || varies[n->id] == which) ok = ok && plan_node(x, n);
  }
  x->varies = before;
  return ok;
}

/* ---- steps ---- */

static void open_step(flow *f, step_kind kind) {
  plan_step s = {.kind = kind, .n = f->n};
  f->begin = f->x->steps.len;
  vec_push(f->x->tmp, &f->x->steps, s);
}

void flow_end_step(planner *x, const node *n, step_kind kind) {
  plan_step s = {.kind = kind, .n = n};
  vec_push(x->tmp, &x->steps, s);
}

/* Blocks that were there before the loop and are used in it are needed until its end. */
void flow_close_loop(flow *f) {
  planner *x = f->x;
  plan_step *open = &x->steps.data[f->begin];
  for (int i = 0; i < x->blocks.len; i++) {
    plan_block *b = &x->blocks.data[i];
    if (b->first <= f->begin && b->last > f->begin) b->last = x->steps.len;
  }
  open->moves = f->moves.data;
  open->n_moves = f->moves.len;
  flow_end_step(x, f->n, STEP_END);
  x->depth--;
}

void flow_open_loop(flow *f, bool endless, dim count) {
  open_step(f, STEP_LOOP);
  f->x->steps.data[f->begin].endless = endless;
  f->x->steps.data[f->begin].number = count;
  f->x->depth++;
}

/* ---- carries ---- */

/* Two blocks that trade places, of which the first one holds the initial value. */
static void trade(flow *f, int first, const nest_view *second, nest_view *now, nest_view *next) {
  plan_move a = {.start = first, .offset = dim_int(0), .trade = f->moves.len + 1},
            b = {.start = second->buffer, .offset = dim_int(0), .trade = f->moves.len};
  plan_use(f->x, first);
  *now = *next = *second; /* both are contiguous */
  now->buffer = flow_add_moving(f, a, first, second->buffer);
  next->buffer = flow_add_moving(f, b, first, second->buffer);
}

bool flow_carry(flow *f, val init, nest_view *now, nest_view *next) {
  planner *x = f->x;
  const plan_value *v = init.kind == VAL_NODE ? &x->of[init.node->id] : NULL;
  if (!v || v->kind != VALUE_TENSOR || !type_is_tensor(init.node->type))
    return flow_refuse(f, "a carry that is not a tensor");
  if (v->view.buffer < x->p->n_inputs || x->blocks.data[v->view.buffer - x->p->n_inputs].moving ||
      !dim_is(v->view.offset, 0))
    return flow_refuse(f, "a carry whose initial value has no memory of its own");
  nest_view second = plan_new_block(x, init.node->type);
  trade(f, v->view.buffer, &second, now, next);
  return true;
}

/* ---- numbers ---- */

/* What a loop carries, or a branch gives: per item the type of a number, or SCANC_N_DTYPES. */
static const scanc_dtype *number_dtypes(planner *x, const graph *g, const type *t) {
  scanc_dtype *d = ARENA_ARRAY(x->tmp, scanc_dtype, t->n);
  for (int i = 0; i < t->n; i++) {
    const type *item = t->items[i] ? t->items[i] : val_type(g->mod, graph_result(g, i));
    if (!item || !ports_number_dtype(item->kind, &d[i])) d[i] = SCANC_N_DTYPES;
  }
  return d;
}

static bool is_number(scanc_dtype d) { return d != SCANC_N_DTYPES; }

/* A cell for a number as a carry. */
static bool add_number(flow *f, val init, scanc_dtype d, nest_view *now, nest_view *next) {
  planner *x = f->x;
  nest_view first = plan_new_array(x, d, NULL, 0);
  if (!plan_cell_store(x, f->n, init, &first)) return flow_refuse(f, "a number that is not known");
  nest_view second = plan_new_array(x, d, NULL, 0);
  trade(f, first.buffer, &second, now, next);
  return true;
}

/* The numbers among the results of g go to their cells. */
static bool store_numbers(const flow *f, const graph *g, const scanc_dtype *d, int n,
                          const nest_view *cell) {
  for (int i = 0; i < n; i++)
    if (is_number(d[i]) && !plan_cell_store(f->x, f->n, graph_result(g, i), &cell[i]))
      return flow_refuse(f, "a result that is no number");
  return true;
}

/* ---- while loops ---- */

static bool enter(flow *f, graph *g, val carried, val extras) {
  int n = seq_len(carried);
  if (!g || graph_n_placeholders(g) != n + seq_len(extras))
    return flow_refuse(f, "a body that does not fit the call");
  flow_forget(f->x, g);
  for (int i = 0; i < seq_len(extras); i++)
    if (!flow_pass(f, graph_placeholder(g, n + i), extras.items[i])) return false;
  return true;
}

/* The value of a graph that gives one bool; it is read where the next step is. */
static bool truth_step(flow *f, val v, step_kind kind) {
  planner *x = f->x;
  const plan_value *p = v.kind == VAL_NODE ? &x->of[v.node->id] : NULL;
  bool there = p && (p->kind == VALUE_TENSOR || p->kind == VALUE_CELL);
  if (!there || p->view.dtype != SCANC_BOOL)
    return flow_refuse(f, "a condition that is not a tensor of one bool");
  for (int d = 0; d < p->view.rank; d++)
    if (!plan_require_equal(x, p->view.size[d], dim_int(1)))
      return flow_refuse(f, "a condition that is not a tensor of one bool");
  plan_step s = {.kind = kind, .n = f->n, .n_places = 1};
  s.buffer = ARENA_ARRAY(x->tmp, int, 1);
  s.offset = ARENA_ARRAY(x->tmp, dim, 1);
  *s.buffer = p->view.buffer;
  *s.offset = p->view.offset;
  plan_use(x, p->view.buffer);
  f->begin = f->begin < 0 ? x->steps.len : f->begin;
  vec_push(x->tmp, &x->steps, s);
  return true;
}

/* What the loop carries: tensors and numbers. */
typedef struct {
  int n;
  graph *test, *body;
  const scanc_dtype *number; /* per carry */
  nest_view *now, *next;
} carries;

static bool add_carries(flow *f, const carries *c, val carried) {
  planner *x = f->x;
  for (int i = 0; i < c->n; i++) {
    bool single = is_number(c->number[i]);
    if (single ? !add_number(f, carried.items[i], c->number[i], &c->now[i], &c->next[i])
               : !flow_carry(f, carried.items[i], &c->now[i], &c->next[i]))
      return false;
    plan_value v = {.kind = single ? VALUE_CELL : VALUE_TENSOR, .view = c->now[i]};
    x->of[graph_placeholder(c->test, i)->id] = x->of[graph_placeholder(c->body, i)->id] = v;
    if (!single && !flow_place_result(f, c->body, i, &c->next[i])) return false;
  }
  return true;
}

/* The results; numbers get a place that does not move. */
static bool end_carries(planner *x, const node *n, const carries *c) {
  plan_value *result = ARENA_ARRAY(x->tmp, plan_value, c->n);
  for (int i = 0; i < c->n; i++) {
    result[i] = (plan_value){.kind = VALUE_TENSOR, .view = c->now[i]};
    if (!is_number(c->number[i])) continue;
    result[i] = (plan_value){.kind = VALUE_CELL, .view = plan_new_array(x, c->number[i], NULL, 0)};
    if (!plan_copy(x, n, &c->now[i], &result[i].view)) return false;
  }
  x->of[n->id] = (plan_value){.kind = VALUE_LIST, .n = c->n, .items = result};
  return true;
}

/* Buffers for what the loop carries, to find that it repeats. */
static int *add_copies(planner *x, const carries *c) {
  int *copy = ARENA_ARRAY(x->tmp, int, c->n);
  for (int i = 0; i < c->n; i++)
    copy[i] = plan_new_array(x, c->now[i].dtype, c->now[i].size, c->now[i].rank).buffer;
  return copy;
}

static bool watch_step(flow *f, const carries *c, const int *copy) {
  planner *x = f->x;
  plan_step s = {.kind = STEP_WATCH, .n = f->n, .n_places = 2 * c->n, .n_watched = c->n};
  fault_info never = {"the loop never ends: its values repeat", f->n->name, f->n->loc};
  s.buffer = ARENA_ARRAY(x->tmp, int, s.n_places);
  s.offset = ARENA_ARRAY(x->tmp, dim, s.n_places);
  s.ints = ARENA_ARRAY(x->tmp, dim, c->n);
  for (int i = 0; i < c->n; i++) {
    const nest_view *v = &c->now[i];
    s.buffer[i] = v->buffer, s.offset[i] = v->offset;
    s.buffer[c->n + i] = copy[i], s.offset[c->n + i] = dim_int(0);
    s.ints[i] = dim_int((int64_t)scanc_dtype_size(v->dtype));
    for (int d = 0; d < v->rank; d++) s.ints[i] = dim_mul(x->syms, s.ints[i], v->size[d]);
  }
  for (int i = 0; i < s.n_places; i++) plan_use(x, s.buffer[i]);
  s.fault_base = x->pl->faults.len;
  vec_push(x->pl->mem, &x->pl->faults, never);
  vec_push(x->tmp, &x->steps, s);
  return true;
}

/* The loop, behind what of it is the same in every iteration. */
static bool add_iterations(flow *f, const carries *c) {
  planner *x = f->x;
  bool *varies = ARENA_ARRAY(x->tmp, bool, x->p->mod->n_ids);
  int packed = x->packed.len;
  graph *both[] = {c->test, c->body};
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < c->n; i++) varies[graph_placeholder(both[k], i)->id] = true;
    plan_find_joins(x, both[k]);
    plan_find_varying(x, both[k], varies);
    if (!flow_nodes(x, both[k], varies, false) || !flow_pack_ahead(x, both[k], varies))
      return false;
  }
  const int *copy = add_copies(x, c);
  flow_open_loop(f, true, dim_int(0));
  if (!flow_nodes(x, c->test, varies, true) ||
      !truth_step(f, graph_result(c->test, 0), STEP_LEAVE) || !watch_step(f, c, copy) ||
      !flow_nodes(x, c->body, varies, true) || !store_numbers(f, c->body, c->number, c->n, c->next))
    return false;
  flow_close_loop(f);
  x->packed.len = packed;
  return true;
}

static bool add_while(planner *x, node *n) {
  flow f = {.x = x, .n = n, .begin = -1};
  val carried = n->operands[2], extras = n->operands[3];
  carries c = {
      seq_len(carried), val_graph(n->operands[0]), val_graph(n->operands[1]), NULL, NULL, NULL};
  if (!enter(&f, c.test, carried, extras) || !enter(&f, c.body, carried, extras)) return false;
  if (graph_n_results(c.body) != c.n || graph_n_results(c.test) != 1 || !n->type ||
      n->type->kind != TYPE_LIST || n->type->n != c.n)
    return flow_refuse(&f, "a body that does not fit the call");
  c.now = ARENA_ARRAY(x->tmp, nest_view, c.n);
  c.next = ARENA_ARRAY(x->tmp, nest_view, c.n);
  c.number = number_dtypes(x, c.body, n->type);
  if (!add_carries(&f, &c, carried)) return false;
  return add_iterations(&f, &c) && end_carries(x, n, &c);
}

/* ---- branches ---- */

/* What both sides compute: tensors and numbers. */
typedef struct {
  const type *t;
  const scanc_dtype *number; /* per result */
  nest_view *place;
  plan_value *value;
} branch_results;

static bool add_side(flow *f, graph *g, const branch_results *r) {
  if (!enter(f, g, val_none(), f->n->operands[3])) return false;
  if (graph_n_results(g) != r->t->n) return flow_refuse(f, "branches with different results");
  for (int i = 0; i < r->t->n; i++)
    if (type_is_tensor(r->t->items[i]) && !flow_place_result(f, g, i, &r->place[i])) return false;
  plan_find_joins(f->x, g);
  return flow_nodes(f->x, g, NULL, true) && store_numbers(f, g, r->number, r->t->n, r->place);
}

static bool open_results(const flow *f, branch_results *r) {
  planner *x = f->x;
  for (int i = 0; i < r->t->n; i++) {
    const type *t = r->t->items[i];
    bool single = is_number(r->number[i]);
    if (t && t->kind == TYPE_NONE) continue;
    if (!single && !type_is_tensor(t)) return flow_refuse(f, "a result that is not a tensor");
    r->place[i] =
        single ? plan_new_array(x, r->number[i], NULL, 0) : plan_result_item(x, f->n, i, t);
    plan_use(x, r->place[i].buffer);
    r->value[i] = (plan_value){.kind = single ? VALUE_CELL : VALUE_TENSOR, .view = r->place[i]};
  }
  return true;
}

static bool add_cond(planner *x, node *n) {
  flow f = {.x = x, .n = n, .begin = -1};
  branch_results r = {.t = n->type};
  graph *side[2] = {val_graph(n->operands[1]), val_graph(n->operands[2])};
  if (!r.t || r.t->kind != TYPE_LIST || !side[0] || graph_n_results(side[0]) != r.t->n)
    return flow_refuse(&f, "results that are not a list");
  r.number = number_dtypes(x, side[0], r.t);
  r.place = ARENA_ARRAY(x->tmp, nest_view, r.t->n);
  r.value = ARENA_ARRAY(x->tmp, plan_value, r.t->n);
  if (!open_results(&f, &r) || !truth_step(&f, n->operands[0], STEP_IF)) return false;
  for (int i = 0; i < 2; i++) {
    if (!add_side(&f, side[i], &r)) return false;
    flow_end_step(x, n, i ? STEP_END : STEP_ELSE);
  }
  for (int i = 0; i < r.t->n; i++)
    if (r.value[i].kind != VALUE_UNKNOWN) plan_use(x, r.place[i].buffer);
  x->of[n->id] = (plan_value){.kind = VALUE_LIST, .n = r.t->n, .items = r.value};
  return true;
}

bool plan_flow(planner *x, node *n) {
  switch (n->op->id) {
    case OP_scan:
    case OP_map_impl:
    case OP_associative_scan: return flow_scan(x, n);
    case OP_while_loop: return add_while(x, n);
    case OP_cond: return add_cond(x, n);
    default: return plan_refuse(x, n, "a call of a body that has no compiled form");
  }
}
