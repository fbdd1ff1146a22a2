/* Operands and results of a scan: their dimensions, the elements that the parameters of the body
 * stand for, and where results are stored. */
#include "loop/body.h"

/* The dtype of a parameter of the body. A number becomes a 0-d i64, f64 or bool. */
static bool leaf_dtype(body *b, const node *p, scanc_dtype *out) {
  const type *t = p->type;
  if (!t) return body_refuse(b, p, "unknown type");
  if (!type_is_tensor(t) && (!type_is_scalar(t) || t->kind == TYPE_COMPLEX))
    return body_refuse(b, p, "a parameter of the body that is neither a tensor nor a number");
  if (type_is_tensor(t)) *out = t->dtype;
  else *out = t->kind == TYPE_INT ? SCANC_I64 : t->kind == TYPE_BOOL ? SCANC_BOOL : SCANC_F64;
  return true;
}

static bool add_dim(nest_operand *p, int axis, int cls, int64_t size) {
  if (p->rank == SCANC_MAX_RANK) return false;
  p->axis[p->rank] = axis;
  p->size[p->rank] = size;
  p->dim[p->rank++] = cls;
  return true;
}

/* Dimension d of n, in the parts that the body knows. */
static bool add_factors(body *b, nest_operand *p, const node *n, int d, int axis) {
  int f[SCANC_MAX_RANK], count = axes_factors(b, axes_dim(b, n, 0, d), f);
  dim whole = n->type->dims[d];
  if (dim_is(whole, 1)) return add_dim(p, axis, DIM_FIXED, 1);
  if (count == 1 && axes_is_time(b, f[0])) {
    p->time_axis = p->rank;
    p->time_step = b->fold->scan ? b->fold->scan->x[0].step : 1;
    return add_dim(p, axis, DIM_TIME, 0);
  }
  for (int i = 0; i < count; i++) {
    dim size = count > 1 ? axes_class_extent(b, f[i]) : whole;
    bool runs = !axes_class_moved(b, f[i]) && !dim_is(size, 1);
    if (!add_dim(p, axis, runs ? axes_nest_class(b, f[i]) : DIM_FIXED,
                 dim_is_int(size) ? size.k : 0))
      return false;
  }
  return count > 0;
}

/* Operand o holds, or gets, what node `n` stands for, with a time axis put in where `view` says so.
 */
static bool place_operand(body *b, int o, const char *name, scanc_dtype dtype, const node *n,
                          const scan_view *view) {
  nest_operand *p = &b->n->operand[o];
  const type *t = n ? n->type : NULL;
  int n_dims = type_is_tensor(t) ? t->n : 0;
  *p = (nest_operand){
      .name = arena_strdup(b->mem, name), .dtype = dtype, .time_axis = -1, .time_step = 1};
  for (int d = 0; d <= n_dims; d++) {
    bool ok = true;
    if (view && d == view->axis) {
      p->time_axis = p->rank;
      p->time_step = view->step;
      ok = add_dim(p, p->n_axes++, DIM_TIME, 0);
    }
    if (ok && d < n_dims) ok = add_factors(b, p, n, d, p->n_axes++);
    if (!ok) return body_refuse(b, n, "reshapes into too many dimensions");
  }
  return true;
}

/* Element `index` of operand o: of its dimensions without time, but in groups around a scan, whose
 * values have that dimension too. */
static nest_ref element_of(body *b, int o, const int *index, int part, int time) {
  const nest_operand *p = &b->n->operand[o];
  int64_t *at = ARENA_ARRAY(b->mem, int64_t, p->rank);
  for (int d = p->rank - 1, axis = -1, rest = 0; d >= 0; d--) {
    if (p->dim[d] == DIM_TIME) continue;
    int before = !b->fold && p->time_axis >= 0 && d > p->time_axis;
    if (p->axis[d] != axis) rest = index[p->axis[d] - before];
    axis = p->axis[d];
    if (p->dim[d] != DIM_FIXED) continue;
    at[d] = p->size[d] ? rest % p->size[d] : 0;
    if (p->size[d]) rest = (int)(rest / p->size[d]);
  }
  return (nest_ref){o, at, part, time};
}

/* The inner loop that operand o moves along, -1; with two of them its elements meet nowhere. */
static int domain_of(body *b, int o) {
  const nest_operand *p = &b->n->operand[o];
  int domain = -1;
  for (int d = 0; d < p->rank; d++) {
    int inner = p->dim[d] < 0 ? -1 : b->inner_of.data[p->dim[d]];
    if (inner >= 0 && domain >= 0) b->crossed = true;
    if (inner >= 0) domain = inner;
  }
  return domain;
}

static int add_input(body *b, nest_ref r, scanc_dtype d, const char *name, bool invariant) {
  nest_input in = {
      r, body_value(b, name, dtype_real(d), invariant, b->n->inputs.len, domain_of(b, r.operand))};
  vec_push(b->mem, &b->n->inputs, in);
  return in.value;
}

static bool parameter_grid(body *b, const node *p, scanc_dtype d, grid *g, int **ids) {
  if (type_is_tensor(p->type)) return body_grid(b, p, 0, g, ids);
  *g = (grid){.dtype = d};
  g->v = *ids = ARENA_ARRAY(b->mem, int, 1);
  return true;
}

/* A parameter of the body that reads operand o. */
static bool bind_input(body *b, const node *p, int o, bool invariant) {
  grid g;
  int *ids, index[SCANC_MAX_RANK] = {0};
  scanc_dtype d = b->n->operand[o].dtype;
  SCANC_TRY(parameter_grid(b, p, d, &g, &ids));
  if (grid_n_elements(&g)) do {
      for (int w = 0; w < grid_width(&g); w++)
        ids[grid_at(&g, index) - g.v + w] =
            add_input(b, element_of(b, o, index, w, REF_STEP), d, p->name, invariant);
    } while (grid_next(&g, index));
  body_set(b, p, &g, 1);
  return true;
}

/* A parameter that is carried, starting with operand o; `time`: REF_FIRST in associative scans. */
static bool bind_carry(body *b, const node *p, int o, int time) {
  grid g;
  int *ids, index[SCANC_MAX_RANK] = {0};
  scanc_dtype d = b->n->operand[o].dtype;
  SCANC_TRY(parameter_grid(b, p, d, &g, &ids));
  if (grid_n_elements(&g)) do {
      for (int w = 0; w < grid_width(&g); w++) {
        nest_carry c = {
            .init = element_of(b, o, index, w, time), .last = {.operand = -1}, .item = -1};
        c.in = ids[grid_at(&g, index) - g.v + w] =
            body_value(b, p->name, dtype_real(d), false, -1, domain_of(b, o));
        vec_push(b->mem, &b->n->carries, c);
      }
    } while (grid_next(&g, index));
  body_set(b, p, &g, 1);
  return true;
}

/* The right elements of a fold are those that its carries begin with. */
static void find_items(scan_nest *n) {
  for (int c = 0; c < n->carries.len; c++)
    for (int i = 0; i < n->inputs.len; i++) {
      const nest_ref *r = &n->inputs.data[i].ref;
      if (r->time == REF_STEP && nest_same_element(n, r, &n->carries.data[c].init))
        n->carries.data[c].item = n->inputs.data[i].value;
    }
}

static const scan_view first_axis = {0, 1, {0}};

/* Parameters of the body: carries or left elements, slices, captured values. */
bool body_bind(body *b, const node *scan, const graph *g) {
  scan_nest *n = b->n;
  int n_state = n->fold ? n->n_x : n->n_carry;
  for (int i = 0; i < n_state + n->n_x + n->n_extra; i++) {
    const node *p = graph_placeholder(g, i);
    bool state = i < n_state, x = !state && i < n_state + n->n_x;
    int o = n->fold && !state ? i - n_state : i;
    bool slice = x || (n->fold && state);
    const scan_view *view = !slice       ? NULL
                            : scan->scan ? &scan->scan->x[x ? i - n_state : i]
                                         : &first_axis;
    scanc_dtype d = SCANC_F32;
    SCANC_TRY(leaf_dtype(b, p, &d));
    if (!(n->fold && x)) SCANC_TRY(place_operand(b, o, p->name, d, p, view));
    if (n->operand[o].dtype != d)
      return body_refuse(b, p, "the two elements of a leaf differ in their element type");
    SCANC_TRY(state ? bind_carry(b, p, o, n->fold ? REF_FIRST : REF_STEP)
                    : bind_input(b, p, o, !x));
  }
  if (n->fold) find_items(n);
  return true;
}

/* ---- results ---- */

/* The next values of the carries that begin at `first`, and where their last ones go. */
static bool close_carry(body *b, const node *scan, const grid *g, int i, int *first, int last) {
  int index[SCANC_MAX_RANK] = {0};
  if (grid_n_elements(g)) do {
      for (int w = 0; w < grid_width(g); w++) {
        nest_carry *c = &b->n->carries.data[(*first)++];
        c->next = grid_at(g, index)[w];
        if (b->dtypes.data[c->next] != b->dtypes.data[c->in])
          return body_refuse(b, scan, "carry %d changes its element type", i);
        if (last >= 0) c->last = element_of(b, last, index, w, REF_STEP);
      }
    } while (grid_next(g, index));
  return true;
}

static void store_result(body *b, const grid *g, int o, int carry) {
  int index[SCANC_MAX_RANK] = {0};
  if (!grid_n_elements(g)) return;
  do {
    for (int w = 0; w < grid_width(g); w++) {
      nest_ref r = element_of(b, o, index, w, b->n->fold ? REF_FIRST : REF_STEP);
      nest_store s = {r, grid_at(g, index)[w], carry < 0 ? -1 : carry++};
      vec_push(b->mem, &b->n->stores, s);
    }
  } while (grid_next(g, index));
}

static bool result_grid(body *b, const node *scan, val v, int i, grid *g) {
  if (v.kind != VAL_NODE || !type_is_tensor(v.node->type))
    return body_refuse(b, scan, "result %d of the body is not a tensor", i);
  return body_grid_of(b, scan, v, g);
}

/* Seeds and totals of an associative scan: its leaves without time. An element keeps its place in
 * at[]. */
static void place_totals(scan_nest *n) {
  for (int i = 0; n->fold && i < n->n_x; i++) {
    nest_operand *p = &n->operand[nest_seed(n, i)];
    *p = n->operand[i];
    p->size[p->time_axis] = 1;
    p->dim[p->time_axis] = DIM_FIXED;
    p->time_axis = -1;
    n->operand[nest_total(n, i)] = *p;
  }
}

/* Whether something may read result y. The results of an associative scan are also what it carries,
 * so there they stay in the graph. */
static bool is_read(const node *scan, int y) {
  for (const use *u = scan->uses; u; u = u->next) {
    const node *n = u->user;
    bool item =
        node_is_op(n, OP_getitem) && n->operands[1].kind == VAL_INT && n->operands[1].i >= 0;
    if (!item || n->operands[1].i == y) return true;
  }
  return false;
}

bool body_results(body *b, const node *scan, const graph *g) {
  scan_nest *n = b->n;
  int carry = 0;
  for (int i = 0; i < n->n_carry + n->n_y; i++) {
    val v = graph_result(g, i);
    int y = i - n->n_carry, o = n->n_leaf + i, first = carry;
    const scan_view *view = y < 0 || n->timeless ? NULL
                            : scan->scan         ? &scan->scan->y[y]
                                                 : &first_axis;
    grid r;
    if (y >= 0 && v.kind == VAL_NONE) {
      n->operand[o] = (nest_operand){.name = "none", .none = true, .time_axis = -1};
      continue;
    }
    SCANC_TRY(result_grid(b, scan, v, i, &r));
    if (n->fold && !is_read(scan, y)) {
      n->operand[o] = (nest_operand){.name = "unread", .none = true, .time_axis = -1};
      SCANC_TRY(close_carry(b, scan, &r, i, &carry, -1));
      continue;
    }
    const char *name = arena_printf(b->mem, y < 0 ? "last%d" : "y%d", y < 0 ? i : y);
    SCANC_TRY(place_operand(b, o, name, r.dtype, v.node, view));
    if (y < 0) SCANC_TRY(close_carry(b, scan, &r, i, &carry, o));
    else if (n->fold) SCANC_TRY(close_carry(b, scan, &r, i, &carry, -1));
    if (y >= 0) store_result(b, &r, o, n->fold ? first : -1);
  }
  place_totals(n);
  return true;
}

/* ---- groups around an associative scan ---- */

bool body_place(body *b, int o, const char *name, const node *n) {
  scanc_dtype d = SCANC_F32;
  return leaf_dtype(b, n, &d) && place_operand(b, o, name, d, n, NULL);
}

bool body_bind_group(body *b, const graph *g) {
  scan_nest *n = b->n;
  bool timed = false;
  for (int i = 0; i < n->n_x; i++) {
    const node *x = b->fold->operands[1].items[i].node;
    SCANC_TRY(body_place(b, i, x->name, x));
  }
  for (int i = 0; i < n->n_extra; i++) {
    const node *p = graph_placeholder(g, i);
    int o = n->n_x + i;
    SCANC_TRY(body_place(b, o, p->name, p) && bind_input(b, p, o, n->operand[o].time_axis < 0));
    timed = timed || n->operand[o].time_axis >= 0;
  }
  return timed || body_refuse(b, b->fold, "no operand has its dimension of time");
}

int body_group_carry(body *b, int i, const node *parameter, const int *index, int part,
                     int *item_value) {
  int item = *item_value;
  bool taken = b->invariant.data[item];
  for (int k = 0; k < b->n->carries.len; k++) taken |= b->n->carries.data[k].item == item;
  if (taken) item = *item_value = body_twin(b, item);
  nest_carry c = {.init = element_of(b, i, index, part, REF_FIRST), .last = {.operand = -1}};
  c.item = item;
  c.in = body_value(b, parameter->name, b->dtypes.data[item], false, -1, -1);
  vec_push(b->mem, &b->n->carries, c);
  return c.in;
}

bool body_group_results(body *b, const graph *g) {
  scan_nest *n = b->n;
  for (int i = 0; i < n->n_y; i++) {
    val v = graph_result(g, i);
    int o = n->n_leaf + i;
    grid r;
    SCANC_TRY(result_grid(b, b->fold, v, i, &r));
    SCANC_TRY(body_place(b, o, arena_printf(b->mem, "y%d", i), v.node));
    if (n->operand[o].time_axis < 0)
      return body_refuse(b, v.node, "a result without the dimension of time");
    store_result(b, &r, o, -1);
  }
  place_totals(n);
  for (int i = 0; i < n->n_x; i++) n->operand[i].none = true;
  return true;
}
