/* Runs of elements whose lengths only the data tell. Where each begins is marked in an array of as
 * many elements as there are in all; a running sum of the marks tells the run of each element. Runs
 * may be empty: then several begin at one place. */
#include "runtime/plan_bag.h"

#include "runtime/plan_cell.h"
#include "runtime/plan_index.h"
#include "runtime/plan_move.h"

static const scanc_dtype I64 = SCANC_I64, F64 = SCANC_F64, TRUTH = SCANC_BOOL;

static int any_of(view_kernel *v, stmt_list *where, int p, int q) {
  return vk_op2(v, where, OP_logical_or, TRUTH, p, q);
}

static int all_of(view_kernel *v, stmt_list *where, int p, int q) {
  return vk_op2(v, where, OP_logical_and, TRUTH, p, q);
}

static plan_steps made(bool ok) { return ok ? STEPS_MADE : STEPS_REFUSED; }

static bool need_elements(planner *x, dim size) {
  return plan_require(x, dim_sub(x->syms, size, dim_int(1)));
}

static nest_view new_row(planner *x, scanc_dtype d, dim size) {
  return plan_new_array(x, d, &size, 1);
}

/* ---- marks ---- */

/* In a loop that takes runs one after the other. */
typedef struct {
  view_kernel *v;
  int buffer;
} marks;

/* The array, filled with 0, in a kernel. */
static bool open_marks(planner *x, const node *n, view_kernel *v, nest_view *all, marks *m) {
  if (!plan_fill(x, n, all, val_int(0))) return false;
  *m = (marks){v, vk_buffer(v, "mark", SPACE_SCRATCH, all, (int[]){INDEX_VALUE - 1})};
  return true;
}

static lexpr length_of(const marks *m) { return m->v->k->buffers.data[m->buffer].dims[0].extent; }

/* One more run begins at `first`; behind the last element there is nothing to mark. */
static void mark(const marks *m, stmt_list *where, int first) {
  view_kernel *v = m->v;
  int at = stmt_index(v->k, where, first, length_of(m), false, -1);
  int here = vk_cast(v, where, vk_op2(v, where, OP_eq, I64, at, first), I64);
  int old = vk_load_by(v, where, m->buffer, (int[]){at, at}, 2, 0, NULL);
  vk_store_by(v, where, m->buffer, &at, 1, 0, vk_op2(v, where, OP_add, I64, old, here));
}

/* ---- repeats ---- */

enum { TOO_MANY = 40 }; /* bits: no sum of repeats that could be an extent is as large */

/* The number of the element that each of `total` results repeats. */
static bool spread(planner *x, const node *n, const nest_view *repeats, dim total,
                   nest_view *index) {
  view_kernel v = plan_kernel(x, "starts");
  nest_view all = new_row(x, I64, total);
  marks m;
  int in, next, out, axis = vk_axis(&v, "i", repeats->size[0]);
  if (!open_marks(x, n, &v, &all, &m)) return false;
  int from = vk_buffer(&v, "repeats", SPACE_INPUT, repeats, &axis);
  stmt_list *top = &v.k->body;
  int zero = vk_integer(&v, top, 0), most = vk_integer(&v, top, (int64_t)1 << TOO_MANY),
      want = stmt_point(v.k, top, -1, length_of(&m));
  loop *l = vk_carry(&v, top, axis, &zero, 1, &in);
  int r = vk_cast(&v, &l->body, vk_load(&v, &l->body, from, NULL, 0, NULL), I64);
  plan_fail_if(&v, &l->body, vk_op2(&v, &l->body, OP_lt, I64, r, zero), n, "a negative repeat");
  mark(&m, &l->body, in);
  r = vk_op2(&v, &l->body, OP_minimum, I64, vk_op2(&v, &l->body, OP_maximum, I64, r, zero), most);
  next = vk_op2(&v, &l->body, OP_minimum, I64, vk_op2(&v, &l->body, OP_add, I64, in, r), most);
  vk_carried(&v, l, &next, &out);
  plan_fail_if(&v, top, vk_op2(&v, top, OP_ne, I64, out, want), n,
               "output_size is not the sum of the repeats");
  if (!plan_add_kernel(x, n, &v)) return false;
  v = plan_kernel(x, "run");
  axis = vk_axis(&v, "i", total);
  *index = new_row(x, I64, total);
  int to = vk_buffer(&v, "index", SPACE_OUTPUT, index, &axis);
  from = vk_buffer(&v, "mark", SPACE_INPUT, &all, &axis);
  int none = vk_integer(&v, &v.k->body, -1);
  l = vk_carry(&v, &v.k->body, axis, &none, 1, &in);
  next = vk_op2(&v, &l->body, OP_add, I64, in, vk_load(&v, &l->body, from, NULL, 0, NULL));
  vk_store(&v, &l->body, to, NULL, 0, next);
  vk_carried(&v, l, &next, &out);
  return plan_add_kernel(x, n, &v);
}

/* One number of repeats per element of an axis of that size, or one for all. */
static bool read_repeats(planner *x, const node *n, int k, dim size, nest_view *repeats) {
  if (!plan_tensor(x, n, k, repeats) || repeats->rank > 1) return false;
  bool one = !repeats->rank || dim_is(repeats->size[0], 1);
  repeats->rank = 1;
  if (one) repeats->stride[0] = dim_int(0);
  if (!one && !plan_require_equal(x, repeats->size[0], size)) return false;
  repeats->size[0] = size;
  return true;
}

/* self, repeats, dim, output_size */
static plan_steps plan_repeat_each(planner *x, const node *n) {
  nest_view from, repeats, index;
  indexing r;
  int axis = 0;
  bool flat = n->operands[2].kind == VAL_ABSENT || n->operands[2].kind == VAL_NONE;
  if (!type_is_tensor(n->type) || !plan_tensor(x, n, 0, &from) ||
      (!flat && from.rank && !plan_axis(n, 2, from.rank, &axis)))
    return STEPS_NONE;
  dim total = plan_dim(x, n->type->dims[axis]), size = dim_int(1);
  for (int d = 0; d < from.rank; d++)
    size = flat ? dim_mul(x->syms, size, from.size[d]) : from.size[axis];
  if (dim_is_unbacked(total) || !need_elements(x, total) || !need_elements(x, size) ||
      !read_repeats(x, n, 1, size, &repeats))
    return STEPS_NONE;
  if ((flat || !from.rank) && !plan_flatten(x, n, &from)) return STEPS_REFUSED;
  if (!spread(x, n, &repeats, total, &index)) return STEPS_REFUSED;
  return index_vector(x, &from, axis, &index, &r) ? plan_gather_points(x, n, &r) : STEPS_REFUSED;
}

/* repeats, output_size */
static plan_steps plan_repeat_index(planner *x, const node *n) {
  nest_view repeats, index;
  if (!type_is_tensor(n->type) || !plan_tensor(x, n, 0, &repeats) || repeats.rank != 1)
    return STEPS_NONE;
  dim total = plan_dim(x, n->type->dims[0]);
  if (dim_is_unbacked(total) || !need_elements(x, total)) return STEPS_NONE;
  nest_view to = plan_tensor_result(x, n);
  return made(spread(x, n, &repeats, total, &index) && plan_copy(x, n, &index, &to));
}

/* ---- bags of embeddings ---- */

enum { BAG_SUM, BAG_MEAN, BAG_MAX };
enum { SUMS, BAG_OF, SIZES, LARGEST, N_RESULTS };

/* Rows of the table and what becomes of them. Arrays of the indices: the bag and the row of each,
 * whether it is a member of the bag, and how many members come before it. Of the bags: their
 * members. */
typedef struct {
  planner *x;
  const node *n;
  int64_t mode, padding;
  nest_view table, index, offsets, factors; /* factors.rank -1: none */
  nest_view result[N_RESULTS];
  dim n_bags, count;
  nest_view marks, bag, row, member, before, members;
} bags;

static bool known_or(val v, int64_t dflt, int64_t *out) {
  bool none = v.kind == VAL_ABSENT || v.kind == VAL_NONE;
  *out = none ? dflt : v.i;
  return none || v.kind == VAL_INT || v.kind == VAL_BOOL;
}

/* Offsets must not fall, nor leave the indices. */
static bool mark_bags(bags *g) {
  planner *x = g->x;
  view_kernel v = plan_kernel(x, "bags");
  stmt_list *top = &v.k->body;
  marks m;
  int in, next, out, axis = vk_axis(&v, "bag", g->offsets.size[0]);
  g->marks = new_row(x, I64, g->count);
  if (!open_marks(x, g->n, &v, &g->marks, &m)) return false;
  int from = vk_buffer(&v, "offsets", SPACE_INPUT, &g->offsets, &axis);
  int zero = vk_integer(&v, top, 0), end = stmt_point(v.k, top, -1, length_of(&m));
  loop *l = vk_carry(&v, top, axis, &zero, 1, &in);
  next = vk_cast(&v, &l->body, vk_load(&v, &l->body, from, NULL, 0, NULL), I64);
  int falls = vk_op2(&v, &l->body, OP_lt, I64, next, in);
  int bad = any_of(&v, &l->body, falls, vk_op2(&v, &l->body, OP_gt, I64, next, end));
  plan_fail_if(&v, &l->body, bad, g->n, "an offset out of range");
  mark(&m, &l->body, next);
  vk_carried(&v, l, &next, &out);
  return plan_add_kernel(x, g->n, &v);
}

/* Which bag and row an index stands for. An index that is in no bag may be any number. */
static bool find_members(bags *g) {
  planner *x = g->x;
  view_kernel v = plan_kernel(x, "members");
  stmt_list *top = &v.k->body;
  nest_view *made_here[] = {&g->bag, &g->row, &g->before};
  int to[3], in, next, out, axis = vk_axis(&v, "i", g->count);
  int from = vk_buffer(&v, "mark", SPACE_INPUT, &g->marks, &axis),
      rows = vk_buffer(&v, "index", SPACE_INPUT, &g->index, &axis);
  for (int k = 0; k < 3; k++) {
    *made_here[k] = new_row(x, I64, g->count);
    to[k] = vk_buffer(&v, "to", SPACE_OUTPUT, made_here[k], &axis);
  }
  g->member = new_row(x, TRUTH, g->count);
  g->members = new_row(x, I64, g->n_bags);
  if (!plan_fill(x, g->n, &g->members, val_int(0))) return false;
  int is = vk_buffer(&v, "member", SPACE_OUTPUT, &g->member, &axis),
      sizes = vk_buffer(&v, "members", SPACE_SCRATCH, &g->members, (int[]){INDEX_VALUE - 1});
  lexpr n_bags = v.k->buffers.data[sizes].dims[0].extent,
        n_rows = vk_number(&v, "rows", g->table.size[0]);
  int none = vk_integer(&v, top, -1);
  loop *l = vk_carry(&v, top, axis, &none, 1, &in);
  stmt_list *body = &l->body;
  next = vk_op2(&v, body, OP_add, I64, in, vk_load(&v, body, from, NULL, 0, NULL));
  int bag = stmt_index(v.k, body, next, n_bags, false, -1);
  int inside = vk_op2(&v, body, OP_eq, I64, bag, next), zero = vk_integer(&v, body, 0);
  int row = vk_cast(&v, body, vk_load(&v, body, rows, NULL, 0, NULL), I64);
  int kept = vk_op2(&v, body, OP_ne, I64, row, vk_integer(&v, body, g->padding));
  int member = all_of(&v, body, inside, kept);
  row = vk_where(&v, body, I64, inside, row, zero);
  row = stmt_index(v.k, body, row, n_rows, false, plan_fault(&v, g->n, "an index out of range"));
  int before = vk_load_by(&v, body, sizes, (int[]){bag, bag}, 2, 0, NULL);
  int more = vk_op2(&v, body, OP_add, I64, before, vk_cast(&v, body, member, I64));
  vk_store_by(&v, body, sizes, &bag, 1, 0, more);
  int value[] = {bag, row, before};
  for (int k = 0; k < 3; k++) vk_store(&v, body, to[k], NULL, 0, value[k]);
  vk_store(&v, body, is, NULL, 0, member);
  vk_carried(&v, l, &next, &out);
  return plan_add_kernel(x, g->n, &v);
}

/* Zeros for a column of every bag. Lanes may compute a column twice, so its sums begin here. */
static void clear(view_kernel *v, stmt_list *where, const nest_view *all, int j) {
  int axis[2] = {vk_axis(v, "bag", all->size[0]), j};
  int to = vk_buffer(v, "clear", SPACE_SCRATCH, all, axis);
  stmt_list *body = vk_sequence(v, where, axis[0]);
  vk_store(v, body, to, NULL, 0, vk_zero(v, body, all->dtype));
}

/* Sums or maxima of the members' rows in f64, and for maxima which row it was: one index after the
 * other, columns in lanes. */
static bool reduce_members(bags *g, nest_view *sums, nest_view *largest) {
  planner *x = g->x;
  dim size[2] = {g->n_bags, g->table.size[1]};
  *sums = plan_new_array(x, F64, size, 2);
  if (g->mode == BAG_MAX) *largest = plan_new_array(x, I64, size, 2);
  view_kernel v = plan_kernel(x, g->n->op->name);
  int j = vk_axis(&v, "j", size[1]), i = vk_axis(&v, "i", g->count), first = -1, factor = -1;
  int y = vk_buffer(&v, "y", SPACE_SCRATCH, sums, (int[]){INDEX_VALUE - 1, j}),
      w = vk_buffer(&v, "weight", SPACE_INPUT, &g->table, (int[]){INDEX_VALUE, j}),
      bag_of = vk_buffer(&v, "bag", SPACE_INPUT, &g->bag, &i),
      row_of = vk_buffer(&v, "row", SPACE_INPUT, &g->row, &i),
      is = vk_buffer(&v, "member", SPACE_INPUT, &g->member, &i),
      before = vk_buffer(&v, "before", SPACE_INPUT, &g->before, &i);
  if (g->mode == BAG_MAX)
    first = vk_buffer(&v, "largest", SPACE_SCRATCH, largest, (int[]){INDEX_VALUE - 1, j});
  if (g->factors.rank >= 0) factor = vk_buffer(&v, "factor", SPACE_INPUT, &g->factors, &i);
  stmt_list *body = vk_parallel(&v, &v.k->body, &j, 1);
  clear(&v, body, sums, j);
  if (first >= 0) clear(&v, body, largest, j);
  body = vk_sequence(&v, body, i);
  int bag = vk_load(&v, body, bag_of, NULL, 0, NULL), old_row = -1;
  bag = stmt_index(v.k, body, bag, v.k->buffers.data[y].dims[0].extent, false, -1);
  int row_number = vk_load(&v, body, row_of, NULL, 0, NULL);
  int row = stmt_index(v.k, body, row_number, v.k->buffers.data[w].dims[0].extent, false, -1);
  int take = vk_load(&v, body, is, NULL, 0, NULL);
  int e = vk_cast(&v, body, vk_load_by(&v, body, w, &row, 1, 0, NULL), F64);
  int old = vk_load_by(&v, body, y, (int[]){bag, bag}, 2, 0, NULL);
  if (factor >= 0) {
    int f = vk_cast(&v, body, vk_load(&v, body, factor, NULL, 0, NULL), F64);
    e = g->mode == BAG_MAX ? e : vk_op2(&v, body, OP_mul, F64, f, e);
  }
  if (first >= 0) {
    int n = vk_load(&v, body, before, NULL, 0, NULL);
    int fresh = vk_op2(&v, body, OP_eq, I64, n, vk_integer(&v, body, 0));
    take = all_of(&v, body, take, any_of(&v, body, fresh, vk_op2(&v, body, OP_gt, F64, e, old)));
    vk_extent(&v, first, 0, v.k->buffers.data[y].dims[0].extent);
    old_row = vk_load_by(&v, body, first, (int[]){bag, bag}, 2, 0, NULL);
    vk_store_by(&v, body, first, &bag, 1, 0, vk_where(&v, body, I64, take, row_number, old_row));
  } else {
    e = vk_op2(&v, body, OP_add, F64, old, e);
  }
  vk_store_by(&v, body, y, &bag, 1, 0, vk_where(&v, body, F64, take, e, old));
  return plan_add_kernel(x, g->n, &v);
}

/* to = sums, divided by the members of a bag that has some. */
static bool divide_sums(bags *g, const nest_view *sums) {
  planner *x = g->x;
  const nest_view *to = &g->result[SUMS];
  view_kernel v = plan_kernel(x, "mean");
  int axis[2];
  for (int d = 0; d < 2; d++) axis[d] = vk_axis(&v, "i", to->size[d]);
  int out = vk_buffer(&v, "to", SPACE_OUTPUT, to, axis),
      in = vk_buffer(&v, "y", SPACE_INPUT, sums, axis),
      sizes = vk_buffer(&v, "members", SPACE_INPUT, &g->members, axis);
  stmt_list *body = vk_parallel(&v, &v.k->body, axis, 1);
  int k = vk_load(&v, body, sizes, NULL, 0, NULL), one = vk_integer(&v, body, 1);
  int by = vk_cast(&v, body, vk_op2(&v, body, OP_maximum, I64, k, one), F64);
  body = vk_parallel(&v, body, axis + 1, 1);
  int e = vk_op2(&v, body, OP_div, F64, vk_load(&v, body, in, NULL, 0, NULL), by);
  vk_store(&v, body, out, NULL, 0, vk_cast(&v, body, e, to->dtype));
  return plan_add_kernel(x, g->n, &v);
}

static bool make_results(bags *g) {
  planner *x = g->x;
  nest_view sums, largest, *r = g->result;
  if (!mark_bags(g) || !find_members(g) || !reduce_members(g, &sums, &largest)) return false;
  bool sum = g->mode == BAG_SUM, mapped = !dim_is(r[BAG_OF].size[0], 0);
  if (!(g->mode == BAG_MEAN ? divide_sums(g, &sums) : plan_copy(x, g->n, &sums, &r[SUMS])) ||
      (mapped && !plan_copy(x, g->n, &g->bag, &r[BAG_OF])))
    return false;
  for (int k = SIZES; k <= LARGEST; k++) {
    const nest_view *from = k == LARGEST && g->mode == BAG_MAX ? &largest : &g->members;
    if (!(sum ? plan_fill(x, g->n, &r[k], val_int(0)) : plan_copy(x, g->n, from, &r[k])))
      return false;
  }
  return true;
}

/* weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights,
 * include_last_offset, padding_idx */
static plan_steps plan_embedding_bag(planner *x, const node *n) {
  bags g = {.x = x, .n = n, .factors = {.rank = -1}};
  val factors = n->operands[6];
  bool given = factors.kind != VAL_ABSENT && factors.kind != VAL_NONE;
  if (n->type->kind != TYPE_LIST || n->type->n != N_RESULTS || !plan_tensor(x, n, 0, &g.table) ||
      !plan_tensor(x, n, 1, &g.index) || !plan_tensor(x, n, 2, &g.offsets) ||
      (given && !plan_tensor(x, n, 6, &g.factors)) || !known_or(n->operands[4], 0, &g.mode) ||
      !known_or(n->operands[8], -1, &g.padding))
    return STEPS_NONE;
  g.n_bags = plan_dim(x, n->type->items[SUMS]->dims[0]);
  g.count = g.index.size[0];
  if (!need_elements(x, g.n_bags) || !need_elements(x, g.count) ||
      !need_elements(x, g.table.size[0]) || !need_elements(x, g.offsets.size[0]) ||
      (given && !plan_same_size(x, &g.factors, 0, g.count)))
    return STEPS_NONE;
  plan_value *v = &x->of[n->id];
  *v = (plan_value){
      .kind = VALUE_LIST, .n = N_RESULTS, .items = ARENA_ARRAY(x->tmp, plan_value, N_RESULTS)};
  for (int k = 0; k < N_RESULTS; k++) {
    g.result[k] = plan_result_item(x, n, k, n->type->items[k]);
    v->items[k] = (plan_value){.kind = VALUE_TENSOR, .view = g.result[k]};
  }
  return made(make_results(&g));
}

plan_op_fn plan_bag_of(op_id op) {
  switch (op) {
    case OP_repeat_each: return plan_repeat_each;
    case OP_repeat_index: return plan_repeat_index;
    case OP_embedding_bag: return plan_embedding_bag;
    default: return NULL;
  }
}
