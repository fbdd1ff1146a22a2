/* Where extrema are: one comparison after the other in rising order of the indices, with lanes
 * along a dimension that stays. Or, where the reduced dimension lies adjacent in memory, every lane
 * looks at its own elements; then the first of the best ones is found among the lanes. */
#include "loop/fold_kernel.h"

/* The best element so far and its index: value ids. */
typedef struct {
  int x, at;
} best;

typedef struct {
  view_kernel *v;
  const nest_view *x;
  bool greatest;
  scanc_dtype acc; /* of comparisons */
  int kept;
  int axis[SCANC_MAX_RANK]; /* of the kept dimensions, then of those behind */
} search;

static int compare(search *s, stmt_list *where, op_id op, scanc_dtype d, int x, int y) {
  return vk_op(s->v, where, op, d, (int[]){x, y}, 2);
}

static int both(search *s, stmt_list *where, op_id op, int p, int q) {
  return vk_op(s->v, where, op, SCANC_BOOL, (int[]){p, q}, 2);
}

/* Whether x is better than e, or a NaN where e is none. */
static int is_better(search *s, stmt_list *where, int x, int e) {
  int better = compare(s, where, s->greatest ? OP_gt : OP_lt, s->acc, x, e);
  if (dtype_class(s->acc) != 'f') return better;
  int nan = compare(s, where, OP_ne, s->acc, x, x), sound = compare(s, where, OP_eq, s->acc, e, e);
  return both(s, where, OP_logical_or, better, both(s, where, OP_logical_and, nan, sound));
}

/* The same, or equal to e with a smaller index: none is better than the other. */
static int comes_first(search *s, stmt_list *where, best x, best e) {
  int better = is_better(s, where, x.x, e.x), worse = is_better(s, where, e.x, x.x);
  int before = compare(s, where, OP_lt, SCANC_I64, x.at, e.at);
  int no = vk_op(s->v, where, OP_logical_not, SCANC_BOOL, &worse, 1);
  return both(s, where, OP_logical_or, better, both(s, where, OP_logical_and, before, no));
}

static best pick(search *s, stmt_list *where, int p, best x, best e) {
  int value = vk_op(s->v, where, OP_where, s->acc, (int[]){p, x.x, e.x}, 3);
  int at = vk_op(s->v, where, OP_where, SCANC_I64, (int[]){p, x.at, e.at}, 3);
  return (best){value, at};
}

static int add_buffer(search *s, const char *name, const nest_view *view, const int *axis) {
  for (int d = s->kept; d < view->rank; d++) s->axis[d] = axis[d - s->kept];
  return vk_buffer(s->v, name, SPACE_INPUT, view, s->axis);
}

static int load(search *s, stmt_list *where, int buf) {
  return vk_cast(s->v, where, vk_load(s->v, where, buf, NULL, 0, NULL), s->acc);
}

static loop *open_loop(search *s, stmt_list *where, int axis, best init, best *in) {
  loop *l = loop_add(s->v->k, where, axis, ORDER_SEQUENTIAL, 2);
  in->x = kernel_add_value(s->v->k, s->acc, NULL);
  in->at = kernel_add_value(s->v->k, SCANC_I64, NULL);
  l->carry[0] = (loop_carry){.init = init.x, .in = in->x};
  l->carry[1] = (loop_carry){.init = init.at, .in = in->at};
  return l;
}

static best close_loop(search *s, loop *l, best next) {
  best out;
  out.x = kernel_add_value(s->v->k, s->acc, NULL);
  out.at = kernel_add_value(s->v->k, SCANC_I64, NULL);
  l->carry[0].next = next.x, l->carry[0].out = out.x;
  l->carry[1].next = next.at, l->carry[1].out = out.at;
  return out;
}

/* The elements of `part`, the first of which has the index `from`, after those before. */
static best follow(search *s, stmt_list *where, const nest_view *part, dim from, best before) {
  int axis = vk_axis(s->v, "n", part->size[s->kept]);
  int buf = add_buffer(s, "x", part, &axis);
  lexpr first = vk_number(s->v, "first", from);
  best in;
  loop *l = open_loop(s, where, axis, before, &in);
  int x = load(s, &l->body, buf), at = stmt_point(s->v->k, &l->body, axis, first);
  best here = {x, at};
  int p = is_better(s, &l->body, x, in.x);
  return close_loop(s, l, pick(s, &l->body, p, here, in));
}

static best first_element(search *s, stmt_list *where) {
  const int fixed = -1;
  nest_view v = view_range(s->v->syms, s->x, s->kept, dim_int(0), dim_int(1));
  int x = load(s, where, add_buffer(s, "first", &v, &fixed));
  return (best){x, vk_const(s->v, where, 0, SCANC_I64)};
}

/* ---- lanes along the reduced dimension ---- */

/* Lane k looks at the elements k, k + width..., as far as whole rows go. */
static best search_rows(search *s, stmt_list *where, int lane, int width) {
  symtab *syms = s->v->syms;
  nest_view first = view_range(syms, s->x, s->kept, dim_int(0), dim_int(width)),
            rows = view_tiled(syms, s->x, s->kept, width);
  int axis = vk_axis(s->v, "rows", rows.size[s->kept]);
  int a = add_buffer(s, "first", &first, &lane), b = add_buffer(s, "x", &rows, (int[]){axis, lane});
  int value = load(s, where, a), k = stmt_point(s->v->k, where, lane, lexpr_const(0));
  best in, init = {value, k};
  loop *l = open_loop(s, where, axis, init, &in);
  int row = stmt_point(s->v->k, &l->body, axis, lexpr_const(0));
  int by = vk_const(s->v, &l->body, width, SCANC_I64);
  int begin = vk_op(s->v, &l->body, OP_mul, SCANC_I64, (int[]){row, by}, 2);
  best x = {load(s, &l->body, b), -1};
  x.at = vk_op(s->v, &l->body, OP_add, SCANC_I64, (int[]){begin, k}, 2);
  int p = is_better(s, &l->body, x.x, in.x);
  return close_loop(s, l, pick(s, &l->body, p, x, in));
}

static best search_along(search *s, stmt_list *where, const target *t) {
  symtab *syms = s->v->syms;
  int vector = fold_lanes(t, s->x->dtype, SCANC_I64), width = 2 * vector;
  int value = vk_local(s->v, "best", s->acc, 1, width),
      at = vk_local(s->v, "at", SCANC_I64, 1, width);
  int lane = kernel_add_axis(s->v->k, "k", lexpr_const(width));
  loop *lanes = loop_add(s->v->k, where, lane, ORDER_PARALLEL, 0);
  lanes->bind = BIND_LANES;
  lanes->lanes = vector;
  lanes->unroll = 2;
  best b = search_rows(s, &lanes->body, lane, width), all = {-1, -1};
  const index_map to[] = {{-1, 0}, {lane, 0}};
  stmt_store(s->v->k, &lanes->body, value, to, b.x);
  stmt_store(s->v->k, &lanes->body, at, to, b.at);
  for (int k = 0; k < width; k++) {
    index_map from[] = {{-1, 0}, {-1, k}};
    b.x = stmt_load(s->v->k, where, value, from, NULL);
    b.at = stmt_load(s->v->k, where, at, from, NULL);
    all = k ? pick(s, where, comes_first(s, where, b, all), b, all) : b;
  }
  dim n = s->x->size[s->kept], rows = dim_floordiv(syms, n, dim_int(width));
  dim begin = dim_mul(syms, rows, dim_int(width));
  nest_view tail = view_range(syms, s->x, s->kept, begin, n);
  return dim_is(tail.size[s->kept], 0) ? all : follow(s, where, &tail, begin, all);
}

void arg_kernel(view_kernel *v, bool greatest, bool along, const target *t, const nest_view *x,
                const nest_view *y, const nest_view *at) {
  search s = {.v = v, .x = x, .greatest = greatest, .acc = x->dtype, .kept = x->rank - 1};
  if (x->dtype == SCANC_BOOL) s.acc = SCANC_I64;
  else s.acc = dtype_acc(x->dtype);
  stmt_list *body = fold_loops(v, x, s.kept, s.axis);
  int index = vk_buffer(v, "at", SPACE_OUTPUT, at, s.axis);
  int value = y ? vk_buffer(v, "y", SPACE_OUTPUT, y, s.axis) : -1;
  best b =
      along ? search_along(&s, body, t) : follow(&s, body, x, dim_int(0), first_element(&s, body));
  vk_store(v, body, index, NULL, 0, b.at);
  if (y) vk_store(v, body, value, NULL, 0, vk_cast(v, body, b.x, y->dtype));
}
