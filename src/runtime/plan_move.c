/* A result is made of pieces, each of which is a copy of a piece of the operand or is filled with a
 * number. */
#include "runtime/plan_move.h"

#include <string.h>

#include "ir/convert.h"
#include "passes/view.h"
#include "runtime/plan_cell.h"
#include "runtime/plan_index.h"

/* ---- what these share ---- */

nest_view plan_tensor_result(planner *x, const node *n) {
  nest_view v = plan_result(x, n, n->type);
  x->of[n->id] = (plan_value){.kind = VALUE_TENSOR, .view = v};
  return v;
}

nest_view plan_sizes_of(planner *x, const type *t) {
  nest_view v = {.buffer = -1, .offset = dim_int(0), .dtype = t->dtype, .rank = t->n};
  for (int d = 0; d < v.rank; d++) v.size[d] = plan_dim(x, t->dims[d]);
  plan_contiguous(x, &v);
  return v;
}

void plan_pair_result(planner *x, const node *n, nest_view *a, nest_view *b) {
  plan_value *v = &x->of[n->id];
  *v = (plan_value){.kind = VALUE_LIST, .n = 2, .items = ARENA_ARRAY(x->tmp, plan_value, 2)};
  *a = plan_result_item(x, n, 0, n->type->items[0]);
  *b = plan_result_item(x, n, 1, n->type->items[1]);
  v->items[0] = (plan_value){.kind = VALUE_TENSOR, .view = *a};
  v->items[1] = (plan_value){.kind = VALUE_TENSOR, .view = *b};
}

static bool is_absent(val v) { return v.kind == VAL_ABSENT || v.kind == VAL_NONE; }

bool plan_is_number(val v) {
  return is_absent(v) || v.kind == VAL_INT || v.kind == VAL_FLOAT || v.kind == VAL_BOOL;
}

bool plan_axis(const node *n, int k, int rank, int *axis) {
  val v = n->operands[k];
  return rank > 0 && view_axis(is_absent(v) ? val_int(0) : v, rank, axis);
}

int plan_constant(view_kernel *v, stmt_list *where, val given, scanc_dtype d, int part) {
  _Alignas(16) char element[16];
  number a = {.cls = 'i'};
  if (given.kind == VAL_FLOAT) a = (number){.cls = 'f', .f = given.f};
  else if (!is_absent(given)) a.i = given.i;
  number_store(a, d, element);
  a = number_load(d, element);
  stmt s = {
      .kind = ST_CONST, .dtype = dtype_real(d), .fault = -1, .i = a.i, .f = part ? a.im : a.f};
  return stmt_add(v->k, where, s, NULL);
}

static int n_parts(scanc_dtype d) { return dtype_class(d) == 'c' ? 2 : 1; }

bool plan_fill(planner *x, const node *n, const nest_view *to, val given) {
  nest_view y = *to;
  int axis[SCANC_MAX_RANK];
  view_kernel v = plan_kernel(x, "fill");
  views_merge(x->syms, (nest_view *[]){&y}, 1);
  for (int d = 0; d < y.rank; d++) axis[d] = vk_axis(&v, "i", y.size[d]);
  int out = vk_buffer(&v, "to", SPACE_OUTPUT, &y, axis);
  stmt_list *body = vk_parallel(&v, &v.k->body, axis, y.rank);
  for (int part = 0; part < n_parts(y.dtype); part++)
    vk_store(&v, body, out, NULL, part, plan_scalar(x, &v, body, given, y.dtype, part));
  return plan_add_kernel(x, n, &v);
}

bool plan_broadcast(planner *x, nest_view *v, const nest_view *to) {
  nest_view from = *v;
  int lead = to->rank - from.rank;
  if (lead < 0) return false;
  v->rank = to->rank;
  for (int d = 0; d < to->rank; d++) {
    bool moves = d >= lead && (!dim_is(from.size[d - lead], 1) || dim_is(to->size[d], 1));
    v->size[d] = to->size[d];
    v->stride[d] = moves ? from.stride[d - lead] : dim_int(0);
    if (moves && !plan_require_equal(x, from.size[d - lead], to->size[d])) return false;
  }
  return true;
}

bool plan_is_empty(const nest_view *v) {
  bool yes = false;
  for (int d = 0; d < v->rank; d++) yes |= dim_is(v->size[d], 0);
  return yes;
}

bool plan_flatten(planner *x, const node *n, nest_view *v) {
  nest_view all = *v;
  dim total = dim_int(1);
  for (int d = 0; d < v->rank; d++) total = dim_mul(x->syms, total, v->size[d]);
  views_merge(x->syms, (nest_view *[]){&all}, 1);
  if (all.rank > 1 && !plan_is_empty(v)) {
    all = plan_new_array(x, v->dtype, v->size, v->rank);
    if (!plan_copy(x, n, v, &all)) return false;
    all.rank = 1;
    all.stride[0] = dim_int(1);
  }
  if (!all.rank) all.stride[0] = dim_int(1);
  all.rank = 1;
  all.size[0] = total;
  *v = all;
  return true;
}

nest_view plan_flat_home(planner *x, const nest_view *to, nest_view *flat) {
  nest_view home = *to;
  dim total = dim_int(1);
  for (int d = 0; d < to->rank; d++) total = dim_mul(x->syms, total, to->size[d]);
  *flat = *to;
  views_merge(x->syms, (nest_view *[]){flat}, 1);
  if (flat->rank > 1) *flat = home = plan_new_array(x, to->dtype, to->size, to->rank);
  if (flat->rank != 1) flat->stride[0] = dim_int(1);
  flat->rank = 1;
  flat->size[0] = total;
  return home;
}

/* Indices from <= i < to along d. */
static nest_view range(planner *x, const nest_view *v, int d, dim from, dim to) {
  return view_range(x->syms, v, d, from, to);
}

static dim add(planner *x, dim a, dim b) { return dim_add(x->syms, a, b); }
static dim sub(planner *x, dim a, dim b) { return dim_sub(x->syms, a, b); }
static plan_steps made(bool ok) { return ok ? STEPS_MADE : STEPS_REFUSED; }

/* ---- repeating ---- */

/* to[i * size + j] or, where `each`, to[j * times + i] = from[j] along d. */
static void repeat_dim(planner *x, nest_view *from, nest_view *to, int d, dim times, bool each) {
  dim size = from->size[d], stride = from->stride[d], whole = to->stride[d];
  int outer = each ? d : d + 1, inner = each ? d + 1 : d; /* those of size and of times */
  for (int i = from->rank; i > d + 1; i--) {
    from->size[i] = from->size[i - 1], from->stride[i] = from->stride[i - 1];
    to->size[i] = to->size[i - 1], to->stride[i] = to->stride[i - 1];
  }
  from->rank++;
  to->rank++;
  from->size[outer] = to->size[outer] = size;
  from->size[inner] = to->size[inner] = times;
  from->stride[outer] = stride;
  from->stride[inner] = dim_int(0);
  to->stride[outer] = each ? dim_mul(x->syms, whole, times) : whole;
  to->stride[inner] = each ? whole : dim_mul(x->syms, whole, size);
}

static plan_steps plan_repeat(planner *x, const node *n) {
  nest_view from;
  dim times[SCANC_MAX_RANK] = {{0}};
  val list = n->operands[1];
  int rank = type_is_tensor(n->type) ? n->type->n : 0, count = val_is_seq(list) ? list.n : 0;
  if (!plan_tensor(x, n, 0, &from) || !count || count > rank || 2 * rank > SCANC_MAX_RANK)
    return STEPS_NONE;
  for (int d = 0; d < rank; d++) {
    int i = d - (rank - count);
    times[d] = dim_int(1);
    if (i >= 0 && !plan_operand_dim(x, list.items[i], &times[d])) return STEPS_NONE;
    if (i >= 0) times[d] = plan_dim(x, times[d]);
  }
  nest_view to = plan_tensor_result(x, n), wide = from;
  int lead = rank - from.rank;
  wide.rank = rank;
  for (int d = 0; d < rank; d++) {
    wide.size[d] = d < lead ? dim_int(1) : from.size[d - lead];
    wide.stride[d] = d < lead ? dim_int(0) : from.stride[d - lead];
  }
  for (int d = rank - 1; d >= 0; d--)
    if (!dim_is(times[d], 1)) repeat_dim(x, &wide, &to, d, times[d], false);
  return made(plan_copy(x, n, &wide, &to));
}

static plan_steps plan_repeat_interleave(planner *x, const node *n) {
  nest_view from;
  dim times;
  int axis = 0;
  bool flat = is_absent(n->operands[2]);
  if (!plan_operand_dim(x, n->operands[1], &times) || !plan_require(x, times) ||
      !plan_tensor(x, n, 0, &from) || from.rank + 1 > SCANC_MAX_RANK)
    return STEPS_NONE;
  if (!flat && from.rank && !plan_axis(n, 2, from.rank, &axis)) return STEPS_NONE;
  nest_view to = plan_tensor_result(x, n);
  if ((flat || !from.rank) && !plan_flatten(x, n, &from)) return STEPS_REFUSED;
  repeat_dim(x, &from, &to, axis, times, true);
  return made(plan_copy(x, n, &from, &to));
}

/* ---- parts put back ---- */

/* Changes the view of a whole to that of a part, which operands k... of n describe. */
typedef bool (*part_fn)(planner *x, const node *n, int k, nest_view *v);

static bool select_part(planner *x, const node *n, int k, nest_view *v) {
  int axis;
  dim at;
  if (!plan_axis(n, k, v->rank, &axis) || !plan_operand_dim(x, n->operands[k + 1], &at))
    return false;
  int64_t min, max;
  dim_bounds(x->syms, at, &min, &max);
  if (max < 0) at = add(x, v->size[axis], at);
  dim rest = sub(x, sub(x, v->size[axis], dim_int(1)), at);
  if (!plan_require(x, at) || !plan_require(x, rest)) return false;
  *v = range(x, v, axis, at, add(x, at, dim_int(1)));
  v->rank--;
  for (int d = axis; d < v->rank; d++) v->size[d] = v->size[d + 1], v->stride[d] = v->stride[d + 1];
  return true;
}

/* An end of a slice: an index that counts from the end if it is negative, cut to the size. One that
 * may be either counts as not. */
static bool slice_end(planner *x, val v, dim size, dim absent, dim *out) {
  int64_t min, max;
  if (is_absent(v)) return *out = absent, true;
  if (!plan_operand_dim(x, v, out)) return false;
  dim_bounds(x->syms, *out, &min, &max);
  if (min < 0 && max >= 0 && !plan_require(x, *out)) return false;
  if (max < 0) *out = dim_max(x->syms, add(x, size, *out), dim_int(0));
  if (!dim_is(*out, 0)) *out = dim_min(x->syms, *out, size);
  return true;
}

static bool slice_part(planner *x, const node *n, int k, nest_view *v) {
  int axis;
  dim from, to;
  val step = n->operands[k + 3];
  if (is_absent(step)) step = val_int(1);
  if (!plan_axis(n, k, v->rank, &axis) || step.kind != VAL_INT || step.i < 1) return false;
  dim size = v->size[axis];
  if (!slice_end(x, n->operands[k + 1], size, dim_int(0), &from) ||
      !slice_end(x, n->operands[k + 2], size, size, &to))
    return false;
  dim length = dim_max(x->syms, sub(x, to, from), dim_int(0));
  *v = range(x, v, axis, from, add(x, from, length));
  v->size[axis] = dim_ceildiv(x->syms, length, dim_int(step.i));
  v->stride[axis] = dim_mul(x->syms, v->stride[axis], dim_int(step.i));
  return true;
}

static bool diagonal_part(planner *x, const node *n, int k, nest_view *v) {
  val off = n->operands[k];
  int a, b, count = 0;
  if (is_absent(off)) off = val_int(0);
  val second = is_absent(n->operands[k + 2]) ? val_int(1) : n->operands[k + 2];
  if (off.kind != VAL_INT || !plan_axis(n, k + 1, v->rank, &a) || !view_axis(second, v->rank, &b) ||
      a == b)
    return false;
  nest_view r = range(x, v, off.i < 0 ? a : b, dim_int(off.i < 0 ? -off.i : off.i),
                      v->size[off.i < 0 ? a : b]);
  dim length = dim_min(x->syms, r.size[a], r.size[b]), stride = add(x, v->stride[a], v->stride[b]);
  for (int d = 0; d < v->rank; d++)
    if (d != a && d != b) r.size[count] = v->size[d], r.stride[count++] = v->stride[d];
  r.size[count] = dim_max(x->syms, length, dim_int(0));
  r.stride[count++] = stride;
  r.rank = count;
  *v = r;
  return true;
}

static part_fn part_of(op_id op) {
  switch (op) {
    case OP_select_scatter:
    case OP_select_backward: return select_part;
    case OP_slice_scatter:
    case OP_slice_backward: return slice_part;
    default: return diagonal_part;
  }
}

/* A part that cannot be told is found out before anything is made: the sizes are those of the
 * result. */
static bool find_part(planner *x, const node *n, int k, const nest_view *whole, nest_view *part) {
  *part = *whole;
  return part_of(n->op->id)(x, n, k, part);
}

static plan_steps plan_scatter_part(planner *x, const node *n) {
  nest_view from, piece, part, whole = plan_sizes_of(x, n->type);
  if (!plan_tensor(x, n, 0, &from) || !plan_tensor(x, n, 1, &piece)) return STEPS_NONE;
  if (!find_part(x, n, 2, &whole, &part)) return plan_scatter_at_cell(x, n);
  nest_view to = plan_tensor_result(x, n);
  return made(find_part(x, n, 2, &to, &part) && plan_broadcast(x, &piece, &part) &&
              plan_copy(x, n, &from, &to) && plan_copy(x, n, &piece, &part));
}

static plan_steps plan_backward_part(planner *x, const node *n) {
  nest_view piece, part, whole = plan_sizes_of(x, n->type);
  if (!plan_tensor(x, n, 0, &piece) || !find_part(x, n, 2, &whole, &part)) return STEPS_NONE;
  nest_view to = plan_tensor_result(x, n);
  return made(find_part(x, n, 2, &to, &part) && plan_broadcast(x, &piece, &part) &&
              plan_fill(x, n, &to, val_int(0)) && plan_copy(x, n, &piece, &part));
}

static plan_steps plan_diag_embed(planner *x, const node *n) {
  nest_view piece, part, whole = plan_sizes_of(x, n->type);
  if (!plan_tensor(x, n, 0, &piece)) return STEPS_NONE;
  part = whole;
  if (!diagonal_part(x, n, 1, &part)) return STEPS_NONE;
  part = plan_tensor_result(x, n);
  whole = part;
  return made(diagonal_part(x, n, 1, &part) && plan_broadcast(x, &piece, &part) &&
              plan_fill(x, n, &whole, val_int(0)) && plan_copy(x, n, &piece, &part));
}

/* ---- parts of any strides ---- */

/* Whether no two elements are known to lie at one place. */
static bool are_apart(const nest_view *v) {
  int64_t reach = 0;
  bool done[SCANC_MAX_RANK] = {false}, yes = true;
  for (int d = 0; d < v->rank; d++) yes = yes && dim_is_int(v->size[d]) && dim_is_int(v->stride[d]);
  for (int i = 0; yes && i < v->rank; i++) {
    int least = -1;
    for (int d = 0; d < v->rank; d++)
      if (!done[d] && (least < 0 || v->stride[d].k < v->stride[least].k)) least = d;
    done[least] = true;
    yes = v->size[least].k == 1 || v->stride[least].k > reach;
    reach += v->stride[least].k * (v->size[least].k - 1);
  }
  return yes;
}

/* One element after the other, as the last one that comes to a place is to stay there. */
static bool copy_in_order(planner *x, const node *n, const nest_view *from, const nest_view *to) {
  int axis[SCANC_MAX_RANK];
  view_kernel v = plan_kernel(x, n->op->name);
  stmt_list *body = &v.k->body;
  for (int d = 0; d < to->rank; d++) axis[d] = vk_axis(&v, "i", to->size[d]);
  int in = vk_buffer(&v, "from", SPACE_INPUT, from, axis),
      out = vk_buffer(&v, "to", SPACE_OUTPUT, to, axis);
  for (int d = 0; d < to->rank; d++) body = vk_sequence(&v, body, axis[d]);
  for (int part = 0; part < n_parts(to->dtype); part++)
    vk_store(&v, body, out, NULL, part, vk_load(&v, body, in, NULL, part, NULL));
  return plan_add_kernel(x, n, &v);
}

/* self, src, size, stride, storage_offset */
static plan_steps plan_as_strided_scatter(planner *x, const node *n) {
  nest_view from, piece, part, flat, whole = plan_sizes_of(x, n->type);
  if (!plan_tensor(x, n, 0, &from) || !plan_tensor(x, n, 1, &piece) || piece.dtype != whole.dtype)
    return STEPS_NONE;
  part = piece;
  part.offset = dim_int(0);
  if (!plan_strided_part(x, n, 3, &whole, &part)) return STEPS_NONE;
  nest_view to = plan_tensor_result(x, n), home = plan_flat_home(x, &to, &flat);
  part.buffer = flat.buffer;
  part.offset = add(x, flat.offset, dim_mul(x->syms, part.offset, flat.stride[0]));
  for (int d = 0; d < part.rank; d++)
    part.stride[d] = dim_mul(x->syms, part.stride[d], flat.stride[0]);
  bool ok =
      plan_copy(x, n, &from, &home) &&
      (are_apart(&part) ? plan_copy(x, n, &piece, &part) : copy_in_order(x, n, &piece, &part));
  return made(ok && (home.buffer == to.buffer || plan_copy(x, n, &home, &to)));
}

/* ---- joining ---- */

/* Cats whose operands are not computed in their places. */
static plan_steps plan_cat(planner *x, const node *n) {
  val list = n->operands[0];
  int axis, count = val_is_seq(list) ? list.n : 0;
  if (!plan_axis(n, 1, n->type->n, &axis)) return STEPS_NONE;
  for (int i = 0; i < count; i++) {
    const plan_value *v = list.items[i].kind == VAL_NODE ? &x->of[list.items[i].node->id] : NULL;
    if (!v || v->kind != VALUE_TENSOR || v->view.rank != n->type->n) return STEPS_NONE;
  }
  nest_view to = plan_tensor_result(x, n);
  dim at = dim_int(0);
  for (int i = 0; i < count; i++) {
    nest_view from = x->of[list.items[i].node->id].view;
    dim end = add(x, at, from.size[axis]);
    nest_view part = range(x, &to, axis, at, end);
    if (!plan_broadcast(x, &from, &part) || !plan_copy(x, n, &from, &part)) return STEPS_REFUSED;
    at = end;
  }
  return STEPS_MADE;
}

plan_op_fn plan_move_of(op_id op) {
  switch (op) {
    case OP_pad: return plan_pad;
    case OP_roll: return plan_roll;
    case OP_repeat:
    case OP_tile: return plan_repeat;
    case OP_repeat_interleave: return plan_repeat_interleave;
    case OP_select_scatter:
    case OP_slice_scatter:
    case OP_diagonal_scatter: return plan_scatter_part;
    case OP_select_backward:
    case OP_slice_backward:
    case OP_diagonal_backward: return plan_backward_part;
    case OP_diag_embed: return plan_diag_embed;
    case OP_as_strided_scatter: return plan_as_strided_scatter;
    case OP_cat: return plan_cat;
    default: return NULL;
  }
}
