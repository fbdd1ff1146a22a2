/* Running sums, products, extrema and log-sum-exps as folds: the state has the type in which ATen
 * keeps it (runtime/eval_cumulative.c), elements are converted on their way in and results on their
 * way out. Extrema whose indices are read carry those, too. */
#include "loop/body.h"

enum { X, Y, WHERE, N_RESULTS = 2 }; /* operands; extrema have a second result, of indices */

typedef struct {
  body *b;
  const node *at;
  const type *x, *y;
  int axis;
  scanc_dtype state; /* of its reals */
  bool indices;      /* are read */
} running;

static bool is_extremum(op_id op) { return op == OP_cummax || op == OP_cummin; }

bool nest_is_cumulative(const node *at) {
  return at->op && (at->op->id == OP_cumsum || at->op->id == OP_cumprod ||
                    at->op->id == OP_logcumsumexp || is_extremum(at->op->id));
}

static bool indices_are_read(const node *at) {
  for (const use *u = at->uses; u; u = u->next)
    if (!node_is_op(u->user, OP_getitem) || u->user->operands[1].kind != VAL_INT ||
        u->user->operands[1].i % N_RESULTS)
      return true;
  return false;
}

static bool open_running(running *r) {
  const node *at = r->at;
  const val *of = at->operands;
  bool extremum = is_extremum(at->op->id);
  r->x = of[0].kind == VAL_NODE ? of[0].node->type : NULL;
  r->y = axes_type(at, 0);
  if (!r->x || !type_is_tensor(r->x) || !type_is_tensor(r->y) || !r->x->n || of[1].kind != VAL_INT)
    return body_refuse(r->b, at, "%s along no dimension that is known", at->op->name);
  r->axis = (int)(of[1].i < 0 ? of[1].i + r->x->n : of[1].i);
  r->indices = extremum && indices_are_read(at);
  char cls = dtype_class(r->y->dtype);
  if (cls == 'b' || (cls == 'c' && at->op->id != OP_cumsum) ||
      (cls == 'c') != (dtype_class(r->x->dtype) == 'c'))
    return body_refuse(r->b, at, "%s of %s has no compiled form", at->op->name,
                       scanc_dtype_name(r->y->dtype));
  scanc_dtype real = dtype_real(r->y->dtype);
  bool wide = real == SCANC_F32 || at->op->id == OP_logcumsumexp;
  r->state = wide && !extremum ? SCANC_F64 : dtype_fold(real);
  return true;
}

/* ---- operands ---- */

/* Every dimension but the running one is a class. */
static void place(running *r, int o, const char *name, scanc_dtype dtype, bool first) {
  nest_operand *p = &r->b->n->operand[o];
  *p = (nest_operand){.name = name, .dtype = dtype, .rank = r->x->n, .n_axes = r->x->n};
  p->time_axis = r->axis;
  p->time_step = 1;
  for (int d = 0, cls = 0; d < p->rank; d++) {
    dim size = r->x->dims[d];
    p->axis[d] = d;
    p->size[d] = dim_is_int(size) ? size.k : 0;
    p->dim[d] = d == r->axis ? DIM_TIME : dim_is(size, 1) ? DIM_FIXED : cls++;
    if (first && p->dim[d] >= 0) {
      vec_push(r->b->mem, &r->b->extents, p->size[d]);
      vec_push(r->b->mem, &r->b->inner_of, -1);
    }
  }
}

/* Without time. */
static void place_state(running *r, int o, scanc_dtype dtype) {
  nest_operand *p = &r->b->n->operand[o];
  *p = r->b->n->operand[X];
  p->dtype = dtype;
  p->dim[r->axis] = DIM_FIXED;
  p->size[r->axis] = 1;
  p->time_axis = -1;
}

static scanc_dtype state_dtype(const running *r) {
  if (dtype_class(r->y->dtype) != 'c') return r->state;
  return r->state == SCANC_F64 ? SCANC_C128 : SCANC_C64;
}

static void place_all(running *r) {
  scan_nest *n = r->b->n;
  n->fold = true;
  n->any_order = is_extremum(r->at->op->id);
  n->order = r->at->order;
  n->n_x = n->n_leaf = 1;
  n->n_y = is_extremum(r->at->op->id) ? N_RESULTS : 1;
  n->n_operand = nest_total(n, 1);
  n->operand = ARENA_ARRAY(r->b->mem, nest_operand, n->n_operand);
  place(r, X, "x", r->x->dtype, true);
  place(r, Y, "y", r->y->dtype, false);
  if (r->indices) place(r, WHERE, "where", SCANC_I64, false);
  else if (n->n_y == N_RESULTS)
    n->operand[WHERE] = (nest_operand){.name = "unread", .none = true, .time_axis = -1};
  place_state(r, nest_seed(n, 0), state_dtype(r));
  place_state(r, nest_total(n, 0), state_dtype(r));
}

static nest_ref element(running *r, int o, int part, int time) {
  int64_t *at = ARENA_ARRAY(r->b->mem, int64_t, r->x->n);
  return (nest_ref){o, at, part, time};
}

/* ---- values ---- */

static int op2(running *r, op_id op, scanc_dtype compute, int x, int y) {
  return body_op(r->b, op, compute, (int[]){x, y}, NULL);
}

/* Part of an element. Sums begin with +0, and +0 + -0 is +0; so do log-sum-exps end with a sum. */
static int enter(running *r, int part) {
  body *b = r->b;
  scanc_dtype real = dtype_real(r->y->dtype);
  nest_input in = {element(r, X, part, REF_STEP),
                   body_value(b, "x", dtype_real(r->x->dtype), false, b->n->inputs.len, -1)};
  vec_push(b->mem, &b->n->inputs, in);
  bool wraps = dtype_class(real) == 'i' && dtype_class(r->x->dtype) != 'f';
  int v = body_cast(b, wraps ? in.value : body_cast(b, in.value, real), r->state);
  bool sums = r->at->op->id == OP_cumsum || r->at->op->id == OP_logcumsumexp;
  if (!sums || dtype_class(real) == 'i') return v;
  int zero = body_const(b, val_float(0), r->state);
  return op2(r, OP_add, r->state, v, zero);
}

/* Whether element x replaces s: the last of equal extrema does; NaN stays, but for a later NaN. */
static int replaces(running *r, int s, int x) {
  bool greatest = r->at->op->id == OP_cummax;
  int p = op2(r, greatest ? OP_ge : OP_le, r->state, x, s);
  if (dtype_class(r->state) != 'f') return p;
  int sound = op2(r, OP_eq, r->state, s, s), nan = op2(r, OP_ne, r->state, x, x);
  p = op2(r, OP_logical_and, SCANC_BOOL, sound, p);
  return op2(r, OP_logical_or, SCANC_BOOL, nan, p);
}

static void add_result(running *r, int o, int part, nest_carry *c, scanc_dtype dtype) {
  body *b = r->b;
  c->init = element(r, X, part, REF_FIRST);
  c->last.operand = -1;
  nest_store y = {element(r, o, part, REF_FIRST), body_cast(b, c->next, dtype), b->n->carries.len};
  vec_push(b->mem, &b->n->carries, *c);
  vec_push(b->mem, &b->n->stores, y);
}

/* A part of the sum, product or log-sum-exp. */
static void add_sum(running *r, int part) {
  op_id op = r->at->op->id;
  nest_carry c = {.item = enter(r, part)};
  c.in = body_value(r->b, "state", r->state, false, -1, -1);
  if (op == OP_logcumsumexp) c.next = op2(r, OP_logaddexp, r->state, c.item, c.in);
  else c.next = op2(r, op == OP_cumsum ? OP_add : OP_mul, r->state, c.in, c.item);
  add_result(r, Y, part, &c, dtype_real(r->y->dtype));
}

static void add_extremum(running *r) {
  body *b = r->b;
  nest_carry top = {.item = enter(r, 0)}, at = {0};
  top.in = body_value(b, "state", r->state, false, -1, -1);
  if (r->indices) {
    at.item = b->n->place = body_value(b, "place", SCANC_I64, false, -1, -1);
    at.in = body_value(b, "where", SCANC_I64, false, -1, -1);
  }
  if (!r->indices && dtype_class(r->state) != 'f') {
    op_id op = r->at->op->id == OP_cummax ? OP_maximum : OP_minimum;
    top.next = op2(r, op, r->state, top.in, top.item);
    add_result(r, Y, 0, &top, r->y->dtype);
    return;
  }
  int p = replaces(r, top.in, top.item);
  top.next = body_op(b, OP_where, r->state, (int[]){p, top.item, top.in}, NULL);
  add_result(r, Y, 0, &top, r->y->dtype);
  if (!r->indices) return;
  at.next = body_op(b, OP_where, SCANC_I64, (int[]){p, at.item, at.in}, NULL);
  add_result(r, WHERE, 0, &at, SCANC_I64);
}

bool cumulative_build(body *b, const node *at) {
  running r = {.b = b, .at = at};
  SCANC_TRY(open_running(&r));
  place_all(&r);
  int parts = dtype_class(r.y->dtype) == 'c' ? 2 : 1;
  if (r.b->n->any_order) add_extremum(&r);
  for (int part = 0; !r.b->n->any_order && part < parts; part++) add_sum(&r, part);
  return nest_split(b, at);
}
