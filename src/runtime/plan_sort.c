/* Sorting, selection and search in plans: rows are sorted in scratch that they share, or, where
 * there are threads, in scratch of their own. */
#include "runtime/plan_sort.h"

#include <math.h>
#include <string.h>

#include "loop/sort_kernel.h"
#include "runtime/plan_move.h"

/* A call: the operand with the dimension that is sorted last; results with the same dimensions in
 * front (buffer -1: none). */
typedef struct {
  planner *x;
  const node *n;
  sort_op f;
  nest_view in, y, at;
} sorting;

/* An operand that is a constant truth value. */
static bool flag(val v, bool dflt, bool *out) {
  *out = v.kind == VAL_BOOL ? v.i != 0 : dflt;
  return v.kind == VAL_BOOL || v.kind == VAL_ABSENT || v.kind == VAL_NONE;
}

static bool axis_of(const node *n, int k, int rank, int *axis) {
  val v = n->operands[k];
  *axis = rank - 1;
  return !rank || v.kind == VAL_ABSENT || plan_axis(n, k, rank, axis);
}

/* The dimension goes to the end; one of size 1 is made for tensors without. */
static void move_last(nest_view *v, int axis) {
  dim size = v->rank ? v->size[axis] : dim_int(1), stride = v->rank ? v->stride[axis] : dim_int(1);
  for (int d = axis; d + 1 < v->rank; d++)
    v->size[d] = v->size[d + 1], v->stride[d] = v->stride[d + 1];
  v->rank -= v->rank > 0;
  v->size[v->rank] = size;
  v->stride[v->rank++] = stride;
}

static void add_last(nest_view *v) {
  v->size[v->rank] = dim_int(1);
  v->stride[v->rank++] = dim_int(1);
}

/* Dimensions in front that run together become one. */
static void merge_rows(sorting *s) {
  nest_view *all[3] = {&s->in}, last[3];
  int n = 1;
  if (s->y.buffer >= 0) all[n++] = &s->y;
  if (s->at.buffer >= 0) all[n++] = &s->at;
  for (int i = 0; i < n; i++) last[i] = *all[i], all[i]->rank--;
  views_merge(s->x->syms, all, n);
  for (int i = 0; i < n; i++) {
    int d = last[i].rank - 1;
    all[i]->size[all[i]->rank] = last[i].size[d];
    all[i]->stride[all[i]->rank++] = last[i].stride[d];
  }
}

static bool same_rows(const sorting *s, nest_view *v) {
  bool ok = v->buffer < 0 || v->rank == s->in.rank;
  for (int d = 0; ok && v->buffer >= 0 && d + 1 < v->rank; d++)
    ok = plan_same_size(s->x, v, d, s->in.size[d]);
  return ok;
}

static bool is_empty(const nest_view *v) {
  bool yes = false;
  for (int d = 0; d < v->rank; d++) yes |= dim_is(v->size[d], 0);
  return yes;
}

/* What is taken is there. */
static bool require_elements(const sorting *s) {
  symtab *syms = s->x->syms;
  dim n = s->in.size[s->in.rank - 1], least = dim_int(1);
  const nest_view *any = s->y.buffer >= 0 ? &s->y : &s->at;
  if (s->f.take == SORT_FIRST) least = any->size[any->rank - 1];
  if (s->f.take == SORT_KTH) {
    least = s->f.k;
    if (!plan_require(s->x, dim_sub(syms, least, dim_int(1)))) return false;
  }
  return plan_require(s->x, dim_sub(syms, n, least));
}

static plan_steps add_sort(sorting *s) {
  planner *x = s->x;
  dim size[SCANC_MAX_RANK];
  int rank = 0;
  if (is_empty(&s->in) || is_empty(s->y.buffer >= 0 ? &s->y : &s->at)) return STEPS_MADE;
  if (!same_rows(s, &s->y) || !same_rows(s, &s->at) || !require_elements(s)) return STEPS_REFUSED;
  merge_rows(s);
  s->f.parallel = x->p->opts.threads > 1;
  for (int d = 0; s->f.parallel && d + 1 < s->in.rank; d++) size[rank++] = s->in.size[d];
  size[rank++] = dim_int(2);
  size[rank++] = s->in.size[s->in.rank - 1];
  nest_view keys = plan_new_array(x, sort_type(s->in.dtype), size, rank),
            order = plan_new_array(x, SCANC_I64, size, rank);
  target t = plan_target(x);
  view_kernel v = plan_kernel(x, s->n->op->name);
  sort_kernel(&v, &s->f, &t, &s->in, &s->y, &s->at, &keys, &order);
  return plan_add_kernel(x, s->n, &v) ? STEPS_MADE : STEPS_REFUSED;
}

static bool open_sort(planner *x, const node *n, sorting *s) {
  *s = (sorting){.x = x, .n = n, .y = {.buffer = -1}, .at = {.buffer = -1}};
  return plan_tensor(x, n, 0, &s->in) && dtype_class(s->in.dtype) != 'c' &&
         s->in.rank + 2 <= SCANC_MAX_RANK;
}

static plan_steps plan_sort(planner *x, const node *n) {
  sorting s;
  int axis;
  bool top = n->op->id == OP_topk;
  if (!open_sort(x, n, &s) || !axis_of(n, top ? 2 : 1, s.in.rank, &axis) ||
      !flag(n->operands[top ? 3 : 2], top, &s.f.descending))
    return STEPS_NONE;
  if (n->op->id == OP_argsort) s.at = plan_tensor_result(x, n);
  else plan_pair_result(x, n, &s.y, &s.at);
  move_last(&s.in, axis);
  if (s.y.buffer >= 0) move_last(&s.y, axis);
  move_last(&s.at, axis);
  return add_sort(&s);
}

/* ---- one element of each row ---- */

static plan_steps plan_pick(planner *x, const node *n) {
  sorting s;
  int axis;
  bool kth = n->op->id == OP_kthvalue, keep;
  if (!open_sort(x, n, &s) || !axis_of(n, 1 + kth, s.in.rank, &axis) ||
      !flag(n->operands[2 + kth], false, &keep))
    return STEPS_NONE;
  s.f.take = kth ? SORT_KTH : n->op->id == OP_median_dim ? SORT_MEDIAN : SORT_NANMEDIAN;
  if (kth && !plan_operand_dim(x, n->operands[1], &s.f.k)) return STEPS_NONE;
  if (kth) s.f.k = plan_dim(x, s.f.k);
  plan_pair_result(x, n, &s.y, &s.at);
  move_last(&s.in, axis);
  if (keep || !s.y.rank) {
    move_last(&s.y, axis);
    move_last(&s.at, axis);
  } else {
    add_last(&s.y);
    add_last(&s.at);
  }
  return add_sort(&s);
}

/* Of all elements; of none: NaN, converted. */
static plan_steps plan_median(planner *x, const node *n) {
  sorting s;
  if (!open_sort(x, n, &s)) return STEPS_NONE;
  s.f.take = n->op->id == OP_median ? SORT_MEDIAN : SORT_NANMEDIAN;
  s.y = plan_tensor_result(x, n);
  if (is_empty(&s.in)) return plan_fill(x, n, &s.y, val_float(NAN)) ? STEPS_MADE : STEPS_REFUSED;
  if (!plan_flatten(x, n, &s.in)) return STEPS_REFUSED;
  add_last(&s.y);
  return add_sort(&s);
}

/* ---- search ---- */

/* The one number that is sought, converted as the interpreter does. */
static bool number_cell(planner *x, const node *n, scanc_dtype d, nest_view *out) {
  val given = n->operands[1];
  dim k;
  *out = plan_new_array(x, d, NULL, 0);
  if (plan_is_number(given)) return plan_fill(x, n, out, given);
  if (!plan_operand_dim(x, given, &k)) return plan_refuse(x, n, "a number that is not known");
  view_kernel v = plan_kernel(x, "number");
  int to = vk_buffer(&v, "to", SPACE_OUTPUT, out, NULL);
  int e = stmt_point(v.k, &v.k->body, -1, vk_number(&v, "number", plan_dim(x, k)));
  vk_store(&v, &v.k->body, to, NULL, 0, vk_cast(&v, &v.k->body, e, d));
  return plan_add_kernel(x, n, &v);
}

/* The dtype a sequence and what is sought in it are compared in. */
static scanc_dtype common_dtype(scanc_dtype sorted, const node *n) {
  val v = n->operands[1];
  const type *t = v.kind == VAL_NODE ? v.node->type : NULL;
  bool has_tensor = t && type_is_tensor(t);
  if (has_tensor && t->n) return dtype_promote(sorted, t->dtype);
  bool is_float = has_tensor ? dtype_class(t->dtype) == 'f' : v.kind == VAL_FLOAT;
  bool lifts = dtype_class(sorted) != 'f' && is_float;
  return !lifts ? sorted : has_tensor ? t->dtype : SCANC_F32;
}

/* A view of sequences along the dimensions of the result, then along the one that is sorted. */
static bool along_result(planner *x, const nest_view *from, nest_view *y, nest_view *out) {
  int last = from->rank - 1;
  *out = *y;
  out->buffer = from->buffer, out->offset = from->offset, out->dtype = from->dtype;
  out->rank = y->rank + 1;
  for (int d = 0; d < y->rank; d++) out->stride[d] = dim_int(0);
  for (int d = 0; d < last && from->rank == y->rank; d++) {
    out->stride[d] = from->stride[d];
    if (!plan_require_equal(x, from->size[d], y->size[d])) return false;
  }
  out->size[y->rank] = from->size[last];
  out->stride[y->rank] = from->stride[last];
  return true;
}

static bool read_search(const node *n, search_op *f) {
  val side = n->operands[4];
  bool named = side.kind == VAL_STR;
  if (!flag(n->operands[3], false, &f->right)) return false;
  f->right |= named && !strcmp(side.s, "right");
  return named || side.kind == VAL_ABSENT || side.kind == VAL_NONE;
}

static plan_steps plan_search(planner *x, const node *n) {
  nest_view sorted, sorter = {.buffer = -1}, row, order = {.buffer = -1}, sought, y;
  search_op f = {0};
  bool has_tensor = plan_tensor(x, n, 1, &sought), ordered = n->operands[5].kind == VAL_NODE;
  dim k;
  if (!plan_tensor(x, n, 0, &sorted) || !sorted.rank || !read_search(n, &f) ||
      n->type->n + 1 > SCANC_MAX_RANK || (ordered && !plan_tensor(x, n, 5, &sorter)) ||
      !(has_tensor || plan_is_number(n->operands[1]) || plan_operand_dim(x, n->operands[1], &k)))
    return STEPS_NONE;
  dim length = sorted.size[sorted.rank - 1];
  f.common = common_dtype(sorted.dtype, n);
  y = plan_tensor_result(x, n);
  if (dim_is(length, 0)) return plan_fill(x, n, &y, val_int(0)) ? STEPS_MADE : STEPS_REFUSED;
  if (!plan_require(x, dim_sub(x->syms, length, dim_int(1))) ||
      !along_result(x, &sorted, &y, &row) || (ordered && !along_result(x, &sorter, &y, &order)) ||
      (ordered && !plan_require_equal(x, sorter.size[sorter.rank - 1], length)))
    return STEPS_REFUSED;
  if (!has_tensor && !number_cell(x, n, f.common, &sought)) return STEPS_REFUSED;
  for (int d = 0; d < y.rank; d++)
    if (!plan_same_size(x, &sought, d, y.size[d])) return STEPS_REFUSED;
  view_kernel v = plan_kernel(x, n->op->name);
  search_kernel(&v, &f, &row, &order, &sought, &y);
  return plan_add_kernel(x, n, &v) ? STEPS_MADE : STEPS_REFUSED;
}

plan_op_fn plan_sort_of(op_id op) {
  switch (op) {
    case OP_sort:
    case OP_argsort:
    case OP_topk: return plan_sort;
    case OP_kthvalue:
    case OP_median_dim:
    case OP_nanmedian_dim: return plan_pick;
    case OP_median:
    case OP_nanmedian: return plan_median;
    case OP_searchsorted: return plan_search;
    default: return NULL;
  }
}
