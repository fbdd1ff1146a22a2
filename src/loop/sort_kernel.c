/* A stable merge sort from the bottom up: every pass merges neighbouring runs of w elements from
 * one half of the scratch into the other, one element after the other. The position in either run
 * is carried from element to element, so a pass is one loop without branches. */
#include "loop/sort_kernel.h"

#include "loop/fold_kernel.h"

enum { ROW_BITS = 48, STEP_BITS = 4 }; /* no row has more than 2^48 elements */

static int whole(view_kernel *v, stmt_list *where, op_id op, int a, int b) {
  return vk_op2(v, where, op, SCANC_I64, a, b);
}

static int truth(view_kernel *v, stmt_list *where, op_id op, int a, int b) {
  return vk_op2(v, where, op, SCANC_BOOL, a, b);
}

/* At least as many steps as n has bits; some more of them do no harm. */
static dim bits_of(symtab *syms, dim n) {
  dim bits = dim_int(0);
  if (dim_is_int(n)) {
    for (int64_t k = n.k; k > 0; k /= 2) bits.k++;
    return bits;
  }
  for (int b = 0; b < ROW_BITS; b += STEP_BITS) {
    dim some = dim_min(syms, dim_floordiv(syms, n, dim_int((int64_t)1 << b)), dim_int(1));
    bits = dim_add(syms, bits, dim_mul(syms, some, dim_int(STEP_BITS)));
  }
  return bits;
}

/* ---- sorting ---- */

scanc_dtype sort_type(scanc_dtype d) { return d == SCANC_BOOL ? SCANC_I64 : dtype_acc(d); }

typedef struct {
  view_kernel *v;
  const sort_op *f;
  const target *t;
  const nest_view *x, *keys, *order;
  int row[SCANC_MAX_RANK], rows; /* axes of the dimensions in front */
  scanc_dtype d;                 /* of keys */
  lexpr length;
  int n;                /* value */
  int key_at, where_at; /* buffers: of an element of a half, both chosen by values */
  int key_to, where_to; /* of the present element of a half that is chosen */
} sorting;

/* Scratch with these axes for the half and the element. */
static int scratch(sorting *s, const char *name, const nest_view *view, int half, int element) {
  int axis[SCANC_MAX_RANK], rows = view->rank - 2;
  for (int d = 0; d < rows; d++) axis[d] = s->row[d];
  axis[rows] = half;
  axis[rows + 1] = element;
  return vk_buffer(s->v, name, SPACE_SCRATCH, view, axis);
}

static int along(sorting *s, const char *name, buffer_space space, const nest_view *view,
                 int element) {
  int axis[SCANC_MAX_RANK];
  for (int d = 0; d < s->rows; d++) axis[d] = s->row[d];
  axis[s->rows] = element;
  return vk_buffer(s->v, name, space, view, axis);
}

static loop *lanes_loop(sorting *s, stmt_list *where, int axis) {
  loop *l = loop_add(s->v->k, where, axis, ORDER_PARALLEL, 0);
  l->bind = BIND_LANES;
  l->lanes = fold_lanes(s->t, s->d, SCANC_I64);
  return l;
}

/* The row as runs of one element in the first half. */
static void fill(sorting *s, stmt_list *where) {
  view_kernel *v = s->v;
  nest_view keys = *s->keys, order = *s->order;
  int i = vk_axis(v, "i", s->x->size[s->rows]), half = keys.rank - 2;
  keys.size[half] = order.size[half] = dim_int(1);
  int from = along(s, "x", SPACE_INPUT, s->x, i), key = scratch(s, "keys", &keys, -1, i),
      at = scratch(s, "order", &order, -1, i);
  stmt_list *body = &lanes_loop(s, where, i)->body;
  vk_store(v, body, key, NULL, 0, vk_cast(v, body, vk_load(v, body, from, NULL, 0, NULL), s->d));
  vk_store(v, body, at, NULL, 0, stmt_point(v->k, body, i, lexpr_const(0)));
}

static int load_at(sorting *s, stmt_list *where, int from, int half, int i) {
  return vk_load_by(s->v, where, from, (int[]){half, i}, 2, 0, NULL);
}

/* Whether y comes before x. */
static int comes_before(sorting *s, stmt_list *where, int y, int x) {
  view_kernel *v = s->v;
  int p = vk_op2(v, where, s->f->descending ? OP_gt : OP_lt, s->d, y, x);
  if (dtype_class(s->d) != 'f') return p;
  int big = s->f->descending ? y : x, other = s->f->descending ? x : y;
  int nan = vk_op2(v, where, OP_ne, s->d, big, big),
      sound = vk_op2(v, where, OP_eq, s->d, other, other);
  return truth(v, where, OP_logical_or, p, truth(v, where, OP_logical_and, nan, sound));
}

/* An index of the row: i, which is one wherever it matters. */
static int in_row(sorting *s, stmt_list *where, int i) {
  return stmt_index(s->v->k, where, i, s->length, false, -1);
}

/* Element k of a pass. next: what of the two runs comes next behind it. */
static void merge_element(sorting *s, stmt_list *where, int axis, int w, int from, int to,
                          const int *in, int *next) {
  view_kernel *v = s->v;
  int k = stmt_point(v->k, where, axis, lexpr_const(0)), pair = whole(v, where, OP_add, w, w);
  int zero = vk_integer(v, where, 0), one = vk_integer(v, where, 1);
  int mask = whole(v, where, OP_sub, zero, pair);
  int start = whole(v, where, OP_bitwise_and, k, mask);
  int middle = whole(v, where, OP_minimum, whole(v, where, OP_add, start, w), s->n);
  int end = whole(v, where, OP_minimum, whole(v, where, OP_add, start, pair), s->n);
  int fresh = whole(v, where, OP_eq, k, start);
  int a = vk_where(v, where, SCANC_I64, fresh, start, in[0]);
  int b = vk_where(v, where, SCANC_I64, fresh, middle, in[1]);
  int left = in_row(s, where, a), right = in_row(s, where, b);
  int x = load_at(s, where, s->key_at, from, left), y = load_at(s, where, s->key_at, from, right);
  int done = whole(v, where, OP_ge, a, middle), more = whole(v, where, OP_lt, b, end);
  int better = truth(v, where, OP_logical_or, done, comes_before(s, where, y, x));
  int second = truth(v, where, OP_logical_and, more, better);
  int i = load_at(s, where, s->where_at, from, left),
      j = load_at(s, where, s->where_at, from, right);
  vk_store_by(v, where, s->key_to, &to, 1, 0, vk_where(v, where, s->d, second, y, x));
  vk_store_by(v, where, s->where_to, &to, 1, 0, vk_where(v, where, SCANC_I64, second, j, i));
  next[0] = vk_where(v, where, SCANC_I64, second, a, whole(v, where, OP_add, a, one));
  next[1] = vk_where(v, where, SCANC_I64, second, whole(v, where, OP_add, b, one), b);
}

/* All passes; the half that has the sorted row. */
static int merge(sorting *s, stmt_list *where) {
  view_kernel *v = s->v;
  symtab *syms = v->syms;
  dim n = s->x->size[s->rows], most = dim_max(syms, dim_sub(syms, n, dim_int(1)), dim_int(0));
  int passes = vk_axis(v, "pass", bits_of(syms, most)), axis = vk_axis(v, "k", n);
  s->key_to = scratch(s, "keys", s->keys, INDEX_VALUE - 1, axis);
  s->where_to = scratch(s, "order", s->order, INDEX_VALUE - 1, axis);
  int one = vk_integer(v, where, 1), zero = vk_integer(v, where, 0);
  int init[2] = {one, zero}, in[2], next[2], out[2], runs[2], run_next[2], run_out[2];
  const lexpr two = lexpr_const(2);
  loop *pass = vk_carry(v, where, passes, init, 2, in); /* width of runs, half */
  stmt_list *body = &pass->body;
  int other = whole(v, body, OP_sub, one, in[1]);
  int from = stmt_index(v->k, body, in[1], two, false, -1),
      to = stmt_index(v->k, body, other, two, false, -1);
  loop *each = vk_carry(v, body, axis, (int[]){zero, zero}, 2, runs);
  merge_element(s, &each->body, axis, in[0], from, to, runs, run_next);
  vk_carried(v, each, run_next, run_out);
  next[0] = whole(v, body, OP_add, in[0], in[0]);
  next[1] = other;
  vk_carried(v, pass, next, out);
  return stmt_index(v->k, where, out[1], two, false, -1);
}

/* ---- results ---- */

static void store_first(sorting *s, stmt_list *where, int half, const nest_view *y,
                        const nest_view *at) {
  view_kernel *v = s->v;
  const nest_view *any = y->buffer >= 0 ? y : at;
  int j = vk_axis(v, "j", any->size[s->rows]);
  loop *l = lanes_loop(s, where, j);
  const nest_view *to[] = {y, at}, *from[] = {s->keys, s->order};
  for (int i = 0; i < 2; i++) {
    if (to[i]->buffer < 0) continue;
    nest_view sorted = *from[i];
    sorted.size[sorted.rank - 1] = any->size[s->rows];
    int out = along(s, "y", SPACE_OUTPUT, to[i], j),
        in = scratch(s, "sorted", &sorted, INDEX_VALUE, j);
    int e = vk_load_by(v, &l->body, in, &half, 1, 0, NULL);
    vk_store(v, &l->body, out, NULL, 0, vk_cast(v, &l->body, e, to[i]->dtype));
  }
}

/* How many NaN the row has: they are the last ones. */
static int count_nan(sorting *s, stmt_list *where) {
  view_kernel *v = s->v;
  int zero = vk_integer(v, where, 0), in, next, out;
  if (dtype_class(s->d) != 'f') return zero;
  int axis = vk_axis(v, "n", s->x->size[s->rows]), buf = along(s, "x", SPACE_INPUT, s->x, axis);
  loop *l = vk_carry(v, where, axis, &zero, 1, &in);
  int x = vk_cast(v, &l->body, vk_load(v, &l->body, buf, NULL, 0, NULL), s->d);
  int nan = vk_cast(v, &l->body, vk_op2(v, &l->body, OP_ne, s->d, x, x), SCANC_I64);
  next = whole(v, &l->body, OP_add, in, nan);
  vk_carried(v, l, &next, &out);
  return out;
}

static int pick(sorting *s, stmt_list *where) {
  view_kernel *v = s->v;
  int zero = vk_integer(v, where, 0), one = vk_integer(v, where, 1), two = vk_integer(v, where, 2);
  if (s->f->take == SORT_KTH) {
    int k = stmt_point(v->k, where, -1, vk_number(v, "k", s->f->k));
    return whole(v, where, OP_sub, k, one);
  }
  int nan = count_nan(s, where), sound = whole(v, where, OP_sub, s->n, nan);
  bool skip = s->f->take == SORT_NANMEDIAN;
  int last = whole(v, where, OP_sub, skip ? sound : s->n, one);
  int middle = whole(v, where, OP_floor_divide, last, two);
  int special = skip ? whole(v, where, OP_eq, sound, zero) : whole(v, where, OP_gt, nan, zero);
  return vk_where(v, where, SCANC_I64, special, skip ? zero : sound, middle);
}

static void store_one(sorting *s, stmt_list *where, int half, const nest_view *y,
                      const nest_view *at) {
  view_kernel *v = s->v;
  int i = in_row(s, where, pick(s, where));
  const nest_view *to[] = {y, at};
  const int from[] = {s->key_at, s->where_at};
  for (int k = 0; k < 2; k++) {
    if (to[k]->buffer < 0) continue;
    int out = along(s, "y", SPACE_OUTPUT, to[k], -1);
    int e = load_at(s, where, from[k], half, i);
    vk_store(v, where, out, NULL, 0, vk_cast(v, where, e, to[k]->dtype));
  }
}

void sort_kernel(view_kernel *v, const sort_op *f, const target *t, const nest_view *x,
                 const nest_view *y, const nest_view *at, const nest_view *keys,
                 const nest_view *order) {
  sorting s = {.v = v, .f = f, .t = t, .x = x, .keys = keys, .order = order, .rows = x->rank - 1};
  stmt_list *body = &v->k->body;
  s.d = sort_type(x->dtype);
  for (int d = 0; d < s.rows; d++) {
    s.row[d] = vk_axis(v, "row", x->size[d]);
    body = f->parallel ? vk_parallel(v, body, &s.row[d], 1) : vk_sequence(v, body, s.row[d]);
  }
  s.key_at = scratch(&s, "keys", keys, INDEX_VALUE, INDEX_VALUE - 1);
  s.where_at = scratch(&s, "order", order, INDEX_VALUE, INDEX_VALUE - 1);
  s.length = v->k->buffers.data[s.key_at].dims[keys->rank - 1].extent;
  vk_extent(v, s.where_at, order->rank - 1, s.length);
  s.n = stmt_point(v->k, body, -1, s.length);
  fill(&s, body);
  int half = merge(&s, body);
  if (f->take == SORT_FIRST) store_first(&s, body, half, y, at);
  else store_one(&s, body, half, y, at);
}

/* ---- search ---- */

typedef struct {
  view_kernel *v;
  const search_op *f;
  scanc_dtype d;   /* of comparisons */
  int row, sorter; /* buffers; -1 */
  lexpr length;
} search;

static int element(search *s, stmt_list *where, int i) {
  view_kernel *v = s->v;
  if (s->sorter >= 0) {
    i = vk_load_by(v, where, s->sorter, &i, 1, 0, NULL);
    i = stmt_index(v->k, where, i, s->length, false, -1);
  }
  int x = vk_load_by(v, where, s->row, &i, 1, 0, NULL);
  return vk_cast(v, where, vk_cast(v, where, x, s->f->common), s->d);
}

/* PyTorch's: what is not known to be large enough lies in front, so a NaN lies behind everything.
 */
static void halve(search *s, stmt_list *where, int sought, const int *in, int *next) {
  view_kernel *v = s->v;
  int low = in[0], high = in[1], one = vk_integer(v, where, 1), two = vk_integer(v, where, 2);
  int room = whole(v, where, OP_sub, high, low), open = whole(v, where, OP_lt, low, high);
  int middle = whole(v, where, OP_add, low, whole(v, where, OP_floor_divide, room, two));
  int x = element(s, where, stmt_index(v->k, where, middle, s->length, false, -1));
  int enough = vk_op2(v, where, s->f->right ? OP_gt : OP_ge, s->d, x, sought);
  int behind = whole(v, where, OP_add, middle, one);
  int down = vk_where(v, where, SCANC_I64, enough, middle, high),
      up = vk_where(v, where, SCANC_I64, enough, low, behind);
  next[0] = vk_where(v, where, SCANC_I64, open, up, low);
  next[1] = vk_where(v, where, SCANC_I64, open, down, high);
}

void search_kernel(view_kernel *v, const search_op *f, const nest_view *row,
                   const nest_view *sorter, const nest_view *sought, const nest_view *y) {
  search s = {.v = v, .f = f, .d = sort_type(f->common), .sorter = -1};
  int axis[SCANC_MAX_RANK], rank = y->rank, in[2], next[2], out[2];
  for (int d = 0; d < rank; d++) axis[d] = vk_axis(v, "i", y->size[d]);
  axis[rank] = INDEX_VALUE;
  stmt_list *body = vk_parallel(v, &v->k->body, axis, rank);
  int to = vk_buffer(v, "y", SPACE_OUTPUT, y, axis),
      what = vk_buffer(v, "sought", SPACE_INPUT, sought, axis);
  s.row = vk_buffer(v, "row", SPACE_INPUT, row, axis);
  s.length = v->k->buffers.data[s.row].dims[rank].extent;
  if (sorter->buffer >= 0) {
    s.sorter = vk_buffer(v, "sorter", SPACE_INPUT, sorter, axis);
    vk_extent(v, s.sorter, rank, s.length);
  }
  int x = vk_load(v, body, what, NULL, 0, NULL);
  x = vk_cast(v, body, vk_cast(v, body, x, f->common), s.d);
  int init[2] = {vk_integer(v, body, 0), stmt_point(v->k, body, -1, s.length)};
  int steps = vk_axis(v, "step", bits_of(v->syms, row->size[rank]));
  loop *l = vk_carry(v, body, steps, init, 2, in);
  halve(&s, &l->body, x, in, next);
  vk_carried(v, l, next, out);
  vk_store(v, body, to, NULL, 0, vk_cast(v, body, out[0], y->dtype));
}
