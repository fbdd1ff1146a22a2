/* Along dimensions of few elements: sorting, as a network of exchanges that keeps the order of
 * equal elements; and constants that count. */
#include "loop/body.h"

static const node *source(const node *at) {
  return at->operands[0].kind == VAL_NODE ? at->operands[0].node : NULL;
}

/* ---- sort, argsort, topk ---- */

static int axis_operand(const node *at) { return at->op->id == OP_topk ? 2 : 1; }

static int n_items(const node *at) { return at->type->kind == TYPE_LIST ? at->type->n : 1; }

static bool sorted_axis(body *b, const node *at, int *axis) {
  const node *x = source(at);
  val v = at->operands[axis_operand(at)];
  int64_t d = -1;
  if (!x || !type_is_tensor(x->type) || (v.kind != VAL_ABSENT && !body_known_int(b, v, &d)))
    return body_refuse(b, at, "%s along a dimension that is not known", at->op->name);
  *axis = (int)(d < 0 ? d + x->type->n : d);
  return true;
}

static bool sort_axes(body *b, const node *at) {
  int axis;
  SCANC_TRY(sorted_axis(b, at, &axis));
  for (int i = 0; i < n_items(at); i++) {
    const type *t = axes_type(at, i);
    if (!type_is_tensor(t)) return body_refuse(b, at, "%s of unknown type", at->op->name);
    for (int d = 0; d < t->n; d++) {
      if (d != axis) axes_follow(b, at, i, d, source(at), d);
      else axes_move(b, axes_dim(b, at, i, d), at->op->name);
    }
  }
  if (source(at)->type->n) axes_move(b, axes_dim(b, source(at), 0, axis), at->op->name);
  return true;
}

typedef struct {
  body *b;
  scanc_dtype acc;
  bool descending;
  int n;
  int *value, *where; /* n each */
} line;

static int test(const line *l, op_id op, int x, int y) {
  return body_op(l->b, op, l->acc, (int[]){x, y}, NULL);
}

/* Whether y comes before x; NaN is the largest number. */
static int comes_before(const line *l, int y, int x) {
  int p = test(l, l->descending ? OP_gt : OP_lt, y, x), big = l->descending ? y : x,
      other = l->descending ? x : y;
  if (dtype_class(l->acc) != 'f') return p;
  int nan = test(l, OP_ne, big, big), sound = test(l, OP_eq, other, other);
  int q = body_op(l->b, OP_logical_and, SCANC_BOOL, (int[]){nan, sound}, NULL);
  return body_op(l->b, OP_logical_or, SCANC_BOOL, (int[]){p, q}, NULL);
}

static void exchange(const line *l, int *x, int *y, scanc_dtype d, int p) {
  int first = body_op(l->b, OP_where, d, (int[]){p, *y, *x}, NULL);
  int second = body_op(l->b, OP_where, d, (int[]){p, *x, *y}, NULL);
  *x = first, *y = second;
}

static void sort_line(const line *l) {
  for (int i = 1; i < l->n; i++)
    for (int k = i; k > 0; k--) {
      int p = comes_before(l, l->value[k], l->value[k - 1]);
      exchange(l, &l->value[k - 1], &l->value[k], l->acc, p);
      exchange(l, &l->where[k - 1], &l->where[k], SCANC_I64, p);
    }
}

static void load_line(line *l, const grid *x, const int *index, int axis) {
  int at[SCANC_MAX_RANK];
  for (int d = 0; d < x->rank; d++) at[d] = index[d];
  for (int k = 0; k < l->n; k++) {
    if (x->rank) at[axis] = k;
    l->value[k] = body_cast(l->b, *grid_at(x, at), l->acc);
    l->where[k] = body_const(l->b, val_int(k), SCANC_I64);
  }
}

static void store_line(const line *l, const int *from, const grid *to, int *ids, const int *index,
                       int axis) {
  int at[SCANC_MAX_RANK], n = to->rank ? to->ext[axis] : 1;
  for (int d = 0; d < to->rank; d++) at[d] = index[d];
  for (int k = 0; k < n; k++) {
    if (to->rank) at[axis] = k;
    ids[grid_at(to, at) - to->v] = body_cast(l->b, from[k], to->dtype);
  }
}

static bool is_descending(body *b, const node *at, bool *out) {
  val v = at->operands[at->op->id == OP_topk ? 3 : 2];
  *out = at->op->id == OP_topk;
  if (v.kind == VAL_BOOL) *out = v.i != 0;
  return v.kind == VAL_BOOL || v.kind == VAL_ABSENT ||
         body_refuse(b, at, "%s in an order that is not known", at->op->name);
}

static bool sort_grid(body *b, const node *at) {
  grid x, out[2];
  int *ids[2], axis, n = n_items(at), index[SCANC_MAX_RANK] = {0};
  line l = {.b = b};
  if (!sorted_axis(b, at, &axis) || !body_operand(b, at, 0, &x) ||
      !is_descending(b, at, &l.descending))
    return false;
  for (int i = 0; i < n; i++) SCANC_TRY(body_grid(b, at, i, &out[i], &ids[i]));
  if (grid_width(&x) == 2) return body_refuse(b, at, "%s of complex numbers", at->op->name);
  l.acc = x.dtype == SCANC_BOOL ? SCANC_I64 : dtype_acc(x.dtype);
  l.n = x.rank ? x.ext[axis] : 1;
  l.value = ARENA_ARRAY(b->mem, int, l.n);
  l.where = ARENA_ARRAY(b->mem, int, l.n);
  if (!body_unroll(b, at, 4 * (int64_t)l.n * grid_n_elements(&x))) return false;
  grid lines = x;
  if (x.rank && l.n) lines.ext[axis] = 1;
  if (grid_n_elements(&lines)) do {
      load_line(&l, &x, index, axis);
      sort_line(&l);
      if (n == 2) store_line(&l, l.value, &out[0], ids[0], index, axis);
      store_line(&l, l.where, &out[n - 1], ids[n - 1], index, axis);
    } while (grid_next(&lines, index));
  return body_set(b, at, out, n), true;
}

/* ---- arange ---- */

static bool arange_axes(body *b, const node *at) {
  if (!type_is_tensor(at->type)) return body_refuse(b, at, "arange of unknown type");
  if (!dim_is(at->type->dims[0], 1)) axes_move(b, axes_dim(b, at, 0, 0), "arange");
  return true;
}

/* start + i * step: in i64 for integers, whose start and step are cut first, else in f64. */
static val count(val start, val step, bool whole, int i) {
  double f[2] = {start.kind == VAL_FLOAT ? start.f : (double)start.i,
                 step.kind == VAL_FLOAT ? step.f : (double)step.i};
  if (!whole) return val_float(f[0] + f[1] * i);
  uint64_t first = start.kind == VAL_FLOAT ? (uint64_t)(int64_t)start.f : (uint64_t)start.i,
           by = step.kind == VAL_FLOAT ? (uint64_t)(int64_t)step.f : (uint64_t)step.i;
  return val_int((int64_t)(first + by * (uint64_t)i));
}

static val number_or(val v, int64_t dflt) { return v.kind == VAL_ABSENT ? val_int(dflt) : v; }

static bool arange_grid(body *b, const node *at) {
  grid r;
  int *ids;
  val start = number_or(at->operands[1], 0), step = number_or(at->operands[2], 1);
  if (!val_is_number(start) || !val_is_number(step))
    return body_refuse(b, at, "arange from numbers that are not known");
  SCANC_TRY(body_grid(b, at, 0, &r, &ids));
  for (int i = 0; i < grid_n_elements(&r); i++)
    ids[i] = body_const(b, count(start, step, dtype_class(r.dtype) == 'i', i), r.dtype);
  return body_set(b, at, &r, 1), true;
}

/* ---- broadcast_tensors ---- */

static bool broadcast_axes(body *b, const node *at) {
  val list = at->operands[0];
  if (!val_is_seq(list) || at->type->kind != TYPE_LIST || at->type->n != list.n)
    return body_refuse(b, at, "%s of what is no list", at->op->name);
  for (int i = 0; i < list.n; i++)
    if (list.items[i].kind == VAL_NODE) axes_align(b, at, i, list.items[i].node, 0);
  return true;
}

static bool broadcast_grid(body *b, const node *at) {
  val list = at->operands[0];
  grid *r = ARENA_ARRAY(b->mem, grid, list.n), from;
  for (int i = 0; i < list.n; i++) {
    int *ids, index[SCANC_MAX_RANK] = {0};
    if (!body_grid_of(b, at, list.items[i], &from) || !body_grid(b, at, i, &r[i], &ids))
      return false;
    if (grid_n_elements(&r[i])) do {
        const int *id = grid_broadcast_at(&from, &r[i], index);
        for (int w = 0; w < grid_width(&from); w++) ids[grid_at(&r[i], index) - r[i].v + w] = id[w];
      } while (grid_next(&r[i], index));
  }
  return body_set(b, at, r, list.n), true;
}

const view_rule *sort_rule_of(op_id op) {
  static const view_rule rules[] = {{OP_sort, sort_axes, sort_grid},
                                    {OP_argsort, sort_axes, sort_grid},
                                    {OP_topk, sort_axes, sort_grid},
                                    {OP_arange, arange_axes, arange_grid},
                                    {OP_broadcast_tensors, broadcast_axes, broadcast_grid}};
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if (rules[i].op == op) return &rules[i];
  return NULL;
}
