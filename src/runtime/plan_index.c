#include "runtime/plan_index.h"

#include "passes/view.h"
#include "runtime/plan_move.h"

static dim minus(planner *x, dim a, dim b) { return dim_sub(x->syms, a, b); }

/* An index into nothing is for the interpreter. */
static bool need_elements(planner *x, dim size) {
  return plan_require(x, minus(x, size, dim_int(1)));
}

static void push(nest_view *v, dim size, dim stride) {
  v->size[v->rank] = size;
  v->stride[v->rank++] = stride;
}

static nest_view empty_view(const nest_view *like) {
  nest_view v = *like;
  v.rank = 0;
  return v;
}

/* One more dimension of the points. */
static void push_point(indexing *r, dim size, dim whole, const dim *index) {
  push(&r->space, size, dim_int(0));
  push(&r->whole, size, whole);
  for (int i = 0; i < r->n; i++) push(&r->index[i], size, index ? index[i] : dim_int(0));
}

static bool set_axis(planner *x, const nest_view *whole, int axis, int i, indexing *r) {
  r->extent[i] = whole->rank ? whole->size[axis] : dim_int(1);
  r->stride[i] = whole->rank ? whole->stride[axis] : dim_int(0);
  return need_elements(x, r->extent[i]);
}

static void start(const nest_view *whole, const nest_view *index, indexing *r) {
  *r = (indexing){.n = 1, .space = empty_view(whole), .whole = empty_view(whole)};
  r->index[0] = empty_view(index);
}

bool index_axis(planner *x, const nest_view *whole, int axis, const nest_view *index, indexing *r) {
  start(whole, index, r);
  if (whole->rank > index->rank || !set_axis(x, whole, axis, 0, r)) return false;
  for (int d = 0; d < index->rank; d++) {
    bool moves = d != axis && d < whole->rank;
    push_point(r, index->size[d], moves ? whole->stride[d] : dim_int(0), &index->stride[d]);
    if (moves && !plan_require(x, minus(x, whole->size[d], index->size[d]))) return false;
    if (dim_is(index->stride[d], 0) && !need_elements(x, index->size[d])) return false;
  }
  return true;
}

/* The interpreter looks at the indices even where there is no element to be chosen. */
bool index_vector(planner *x, const nest_view *whole, int axis, const nest_view *index,
                  indexing *r) {
  start(whole, index, r);
  if (!whole->rank || !set_axis(x, whole, axis, 0, r)) return false;
  for (int d = 0; d < whole->rank; d++) {
    dim stride = index->rank ? index->stride[0] : dim_int(0);
    if (d == axis) push_point(r, index->rank ? index->size[0] : dim_int(1), dim_int(0), &stride);
    else if (!need_elements(x, whole->size[d])) return false;
    else push_point(r, whole->size[d], whole->stride[d], NULL);
  }
  return true;
}

bool index_part(planner *x, const nest_view *whole, int axis, const nest_view *index, indexing *r) {
  start(whole, index, r);
  r->wrap = true;
  if (!set_axis(x, whole, axis, 0, r)) return false;
  for (int d = 0; d < whole->rank; d++) {
    if (d != axis) push_point(r, whole->size[d], whole->stride[d], NULL);
    else if (index->rank) push_point(r, index->size[0], dim_int(0), &index->stride[0]);
  }
  return true;
}

bool index_flat(planner *x, const nest_view *whole, const nest_view *index, bool wrap,
                indexing *r) {
  start(whole, index, r);
  r->wrap = wrap;
  if (whole->rank != 1 || !set_axis(x, whole, 0, 0, r)) return false;
  for (int d = 0; d < index->rank; d++)
    push_point(r, index->size[d], dim_int(0), &index->stride[d]);
  return true;
}

bool index_rows(planner *x, const nest_view *table, const nest_view *index, indexing *r) {
  if (table->rank != 2 || index->rank + 2 > SCANC_MAX_RANK) return false;
  start(table, index, r);
  if (!set_axis(x, table, 0, 0, r) || !need_elements(x, table->size[1])) return false;
  for (int d = 0; d < index->rank; d++)
    push_point(r, index->size[d], dim_int(0), &index->stride[d]);
  push_point(r, table->size[1], table->stride[1], NULL);
  return true;
}

/* ---- several index tensors ---- */

typedef struct {
  nest_view index[MAX_INDICES];
  int axis[MAX_INDICES];
  int n, rank;              /* of the positions */
  dim size[SCANC_MAX_RANK]; /* of the positions */
} positions;

static bool collect(planner *x, val list, int rank, positions *p) {
  p->n = p->rank = 0;
  for (int i = 0; i < list.n; i++) {
    val v = list.items[i];
    if (v.kind == VAL_NONE) continue;
    const plan_value *o = v.kind == VAL_NODE ? &x->of[v.node->id] : NULL;
    if (!o || o->kind != VALUE_TENSOR || p->n == MAX_INDICES || i >= rank) return false;
    if (o->view.dtype != SCANC_I64 && o->view.dtype != SCANC_I32) return false;
    p->axis[p->n] = i;
    p->index[p->n++] = o->view;
    if (o->view.rank > p->rank) p->rank = o->view.rank;
  }
  return p->n > 0;
}

static bool broadcast_positions(planner *x, positions *p) {
  nest_view all = {.rank = p->rank};
  for (int d = 0; d < p->rank; d++) all.size[d] = dim_int(1);
  for (int i = 0; i < p->n; i++)
    for (int d = 0; d < p->index[i].rank; d++) {
      dim *size = &all.size[p->rank - p->index[i].rank + d];
      if (dim_is(*size, 1)) *size = p->index[i].size[d];
    }
  for (int i = 0; i < p->n; i++)
    if (!plan_broadcast(x, &p->index[i], &all)) return false;
  for (int d = 0; d < p->rank; d++) p->size[d] = all.size[d];
  return true;
}

static bool push_kept(planner *x, const nest_view *whole, const bool *taken, int from, int to,
                      indexing *r) {
  for (int d = from; d < to; d++) {
    if (taken[d]) continue;
    if (!need_elements(x, whole->size[d])) return false;
    push_point(r, whole->size[d], whole->stride[d], NULL);
  }
  return true;
}

/* The positions stand where the indices are, or, if something is between these, in front. */
bool index_list(planner *x, const node *n, const nest_view *whole, val list, indexing *r) {
  positions p;
  bool taken[SCANC_MAX_RANK] = {false};
  (void)n;
  if (!val_is_seq(list) || !collect(x, list, whole->rank, &p) || !broadcast_positions(x, &p) ||
      whole->rank - p.n + p.rank > SCANC_MAX_RANK - MAX_INDICES)
    return false;
  start(whole, &p.index[0], r);
  r->n = p.n;
  r->wrap = true;
  for (int i = 0; i < p.n; i++) {
    r->index[i] = empty_view(&p.index[i]);
    taken[p.axis[i]] = true;
    if (!set_axis(x, whole, p.axis[i], i, r)) return false;
  }
  bool together = p.axis[p.n - 1] - p.axis[0] + 1 == p.n;
  int before = together ? p.axis[0] : 0;
  if (!push_kept(x, whole, taken, 0, before, r)) return false;
  for (int d = 0; d < p.rank; d++) {
    dim stride[MAX_INDICES];
    for (int i = 0; i < p.n; i++) stride[i] = p.index[i].stride[d];
    push_point(r, p.size[d], dim_int(0), stride);
  }
  return push_kept(x, whole, taken, before, whole->rank, r);
}

/* ---- in kernels ---- */

int index_buffer(view_kernel *v, const char *name, buffer_space space, const nest_view *view,
                 const int *axis, const indexing *r, int first) {
  nest_view moving = empty_view(view);
  int runs[SCANC_MAX_RANK];
  for (int d = 0; d < view->rank; d++) {
    if (dim_is(view->stride[d], 0)) continue;
    runs[moving.rank] = axis[d];
    push(&moving, view->size[d], view->stride[d]);
  }
  for (int i = 0; r && i < r->n; i++) {
    runs[moving.rank] = INDEX_VALUE - first - i;
    push(&moving, r->extent[i], r->stride[i]);
  }
  return vk_buffer(v, name, space, &moving, runs);
}

void index_open(view_kernel *v, const node *n, const indexing *r, const int *axis, int whole,
                index_values *out) {
  fault_info f = {"an index out of range", arena_strdup(v->k->mem, n->name), n->loc};
  vec_push(v->k->mem, &v->k->faults, f);
  out->extent_of = whole;
  for (int i = 0; i < r->n; i++)
    out->buffer[i] = index_buffer(v, "index", SPACE_INPUT, &r->index[i], axis, NULL, 0);
}

void index_load(view_kernel *v, stmt_list *where, const indexing *r, index_values *out) {
  const buffer *b = &v->k->buffers.data[out->extent_of];
  int first = b->n_dims - r->n - (dtype_class(r->whole.dtype) == 'c');
  for (int i = 0; i < r->n; i++) {
    lexpr extent = v->k->buffers.data[out->extent_of].dims[first + i].extent;
    int at = vk_load(v, where, out->buffer[i], NULL, 0, "index");
    at = vk_cast(v, where, at, SCANC_I64);
    out->value[i + 1] = stmt_index(v->k, where, at, extent, r->wrap, 0);
  }
  out->value[0] = out->value[1];
}

/* ---- reading ---- */

/* Whether the indices are the same along the last dimension, which then has elements: they are
 * loaded around its loop. */
static bool stands_still(const indexing *r) {
  bool yes = r->space.rank > 0;
  for (int i = 0; i < r->n && yes; i++) yes = dim_is(r->index[i].stride[r->index[i].rank - 1], 0);
  return yes;
}

plan_steps plan_gather_points(planner *x, const node *n, indexing *r) {
  nest_view to = plan_tensor_result(x, n), *all[MAX_INDICES + 3] = {&to, &r->whole, &r->space};
  int axis[SCANC_MAX_RANK] = {0};
  index_values at = {0};
  view_kernel v = plan_kernel(x, n->op->name);
  if (to.rank != r->space.rank) return STEPS_REFUSED;
  for (int d = 0; d < to.rank; d++)
    if (!plan_same_size(x, &to, d, r->space.size[d])) return STEPS_REFUSED;
  for (int i = 0; i < r->n; i++) all[i + 3] = &r->index[i];
  views_merge(x->syms, all, r->n + 3);
  int rank = to.rank, outer = rank ? rank - 1 : 0;
  for (int d = 0; d < rank; d++) axis[d] = vk_axis(&v, "i", to.size[d]);
  int out = vk_buffer(&v, "to", SPACE_OUTPUT, &to, axis);
  int in = index_buffer(&v, "from", SPACE_INPUT, &r->whole, axis, r, 0);
  index_open(&v, n, r, axis, in, &at);
  stmt_list *body = vk_parallel(&v, &v.k->body, axis, outer);
  bool still = stands_still(r);
  if (still) index_load(&v, body, r, &at);
  body = vk_parallel(&v, body, axis + outer, rank - outer);
  if (!still) index_load(&v, body, r, &at);
  for (int part = 0; part < (dtype_class(to.dtype) == 'c' ? 2 : 1); part++)
    vk_store(&v, body, out, NULL, part, vk_load_by(&v, body, in, at.value + 1, r->n, part, NULL));
  return plan_add_kernel(x, n, &v) ? STEPS_MADE : STEPS_REFUSED;
}

static plan_steps plan_gather(planner *x, const node *n) {
  nest_view whole, index;
  indexing r;
  int axis = 0;
  if (!plan_tensor(x, n, 0, &whole) || !plan_tensor(x, n, 2, &index) ||
      (whole.rank && !plan_axis(n, 1, whole.rank, &axis)) ||
      !index_axis(x, &whole, axis, &index, &r))
    return STEPS_NONE;
  return plan_gather_points(x, n, &r);
}

static plan_steps plan_index_select(planner *x, const node *n) {
  nest_view whole, index;
  indexing r;
  int axis;
  if (!plan_tensor(x, n, 0, &whole) || !plan_tensor(x, n, 2, &index) ||
      !plan_axis(n, 1, whole.rank, &axis) || !index_vector(x, &whole, axis, &index, &r))
    return STEPS_NONE;
  return plan_gather_points(x, n, &r);
}

/* An index of all elements in a row. */
static plan_steps gather_flat(planner *x, const node *n, nest_view *whole, const nest_view *index,
                              bool wrap) {
  indexing r;
  dim total = dim_int(1);
  for (int d = 0; d < whole->rank; d++) total = dim_mul(x->syms, total, whole->size[d]);
  if (!need_elements(x, total)) return STEPS_NONE;
  if (!plan_flatten(x, n, whole) || !index_flat(x, whole, index, wrap, &r)) return STEPS_REFUSED;
  return plan_gather_points(x, n, &r);
}

static plan_steps plan_take_along(planner *x, const node *n) {
  nest_view whole, index, space;
  indexing r;
  int axis;
  if (!plan_tensor(x, n, 0, &whole) || !plan_tensor(x, n, 1, &index)) return STEPS_NONE;
  if (n->operands[2].kind != VAL_INT)
    return plan_flatten(x, n, &index) ? gather_flat(x, n, &whole, &index, false) : STEPS_REFUSED;
  if (!plan_axis(n, 2, whole.rank, &axis) || n->type->n != whole.rank) return STEPS_NONE;
  space = whole;
  for (int d = 0; d < whole.rank; d++) space.size[d] = plan_dim(x, n->type->dims[d]);
  if (!plan_broadcast(x, &index, &space)) return STEPS_NONE;
  space.size[axis] = whole.size[axis];
  if (!plan_broadcast(x, &whole, &space) || !index_axis(x, &whole, axis, &index, &r))
    return STEPS_NONE;
  return plan_gather_points(x, n, &r);
}

static plan_steps plan_embedding(planner *x, const node *n) {
  nest_view table, index;
  indexing r;
  if (!plan_tensor(x, n, 0, &table) || !plan_tensor(x, n, 1, &index) ||
      !index_rows(x, &table, &index, &r))
    return STEPS_NONE;
  return plan_gather_points(x, n, &r);
}

static plan_steps plan_take(planner *x, const node *n) {
  nest_view whole, index;
  if (!plan_tensor(x, n, 0, &whole) || !plan_tensor(x, n, 1, &index)) return STEPS_NONE;
  return gather_flat(x, n, &whole, &index, true);
}

static plan_steps plan_index(planner *x, const node *n) {
  nest_view whole;
  indexing r;
  if (!type_is_tensor(n->type) || !plan_tensor(x, n, 0, &whole) ||
      !index_list(x, n, &whole, n->operands[1], &r))
    return STEPS_NONE;
  return plan_gather_points(x, n, &r);
}

/* A 1 where the index is that of the last dimension. */
static plan_steps plan_one_hot(planner *x, const node *n) {
  nest_view from, to;
  int axis[SCANC_MAX_RANK] = {0}, last;
  if (!type_is_tensor(n->type) || !plan_tensor(x, n, 0, &from) || n->type->n != from.rank + 1)
    return STEPS_NONE;
  dim classes = plan_dim(x, n->type->dims[from.rank]);
  if (dim_is_unbacked(classes) || !need_elements(x, classes)) return STEPS_NONE;
  view_kernel v = plan_kernel(x, n->op->name);
  to = plan_tensor_result(x, n);
  for (int d = 0; d < from.rank; d++) axis[d] = vk_axis(&v, "i", from.size[d]);
  last = axis[from.rank] = vk_axis(&v, "class", classes);
  int in = vk_buffer(&v, "from", SPACE_INPUT, &from, axis),
      out = vk_buffer(&v, "to", SPACE_OUTPUT, &to, axis);
  fault_info f = {"an index out of range", arena_strdup(v.k->mem, n->name), n->loc};
  vec_push(v.k->mem, &v.k->faults, f);
  stmt_list *body = vk_parallel(&v, &v.k->body, axis, from.rank);
  int at = vk_cast(&v, body, vk_load(&v, body, in, NULL, 0, NULL), SCANC_I64);
  at = stmt_index(v.k, body, at, v.k->axes.data[last].extent, false, 0);
  body = vk_parallel(&v, body, &last, 1);
  int here = stmt_point(v.k, body, last, lexpr_const(0));
  int same = vk_op(&v, body, OP_eq, SCANC_I64, (int[]){at, here}, 2);
  vk_store(&v, body, out, NULL, 0, vk_cast(&v, body, same, to.dtype));
  return plan_add_kernel(x, n, &v) ? STEPS_MADE : STEPS_REFUSED;
}

plan_op_fn plan_gather_of(op_id op) {
  switch (op) {
    case OP_gather: return plan_gather;
    case OP_index_select: return plan_index_select;
    case OP_take: return plan_take;
    case OP_take_along_dim: return plan_take_along;
    case OP_embedding: return plan_embedding;
    case OP_index: return plan_index;
    case OP_one_hot: return plan_one_hot;
    default: return NULL;
  }
}
