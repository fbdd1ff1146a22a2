#include "runtime/plan_reduce.h"

#include "loop/fold_kernel.h"
#include "runtime/plan_inline.h"

/* A call of a reduction. */
typedef struct {
  planner *x;
  const node *n;
  bool reduced[SCANC_MAX_RANK];
  bool keep;                  /* results have dimensions of size 1 for those reduced */
  nest_view in;               /* the operand; later: kept dimensions, then the reduced one */
  nest_view out;              /* kept dimensions; of argmax and the like: the elements */
  nest_view at;               /* indices; buffer -1: none */
  group_inline before, after; /* views with the dimensions of `in` and of `out` */
} reduction;

enum { MAX_KEPT = SCANC_MAX_RANK - 5 }; /* pieces of the reduced one are dimensions, too */

/* ---- which dimensions ---- */

/* None or an empty list stands for all, but for any and all, which an empty list leaves as they
 * are. */
static bool find_dims(reduction *r) {
  val v = r->n->operands[1];
  bool list = val_is_seq(v), truth = r->n->op->id == OP_any || r->n->op->id == OP_all;
  int n = list ? v.n : v.kind == VAL_NONE || v.kind == VAL_ABSENT ? 0 : 1, rank = r->in.rank;
  for (int d = 0; d < rank; d++) r->reduced[d] = n == 0 && !(truth && list);
  for (int i = 0; i < n; i++) {
    val item = list ? v.items[i] : v;
    if (item.kind != VAL_INT) return false;
    int64_t d = item.i < 0 ? item.i + rank : item.i;
    if (d >= 0 && d < rank) r->reduced[d] = true;
  }
  return rank <= MAX_KEPT;
}

static void push_dim(nest_view *v, dim size, dim stride) {
  v->size[v->rank] = size;
  v->stride[v->rank++] = stride;
}

/* The dimensions of the operand, or of what it is computed from, that are reduced, or are not. */
static nest_view dims_of(const reduction *r, const nest_view *in, bool reduced) {
  nest_view v = *in;
  v.rank = 0;
  for (int d = 0; d < in->rank; d++)
    if (r->reduced[d] == reduced) push_dim(&v, in->size[d], in->stride[d]);
  return v;
}

/* The kept dimensions of a result, with the sizes that the operand has. */
static bool kept_result(const reduction *r, const nest_view *whole, nest_view *v) {
  bool ok = true;
  *v = *whole;
  v->rank = 0;
  for (int d = 0, e = 0; d < r->in.rank; d++) {
    if (!r->reduced[d]) {
      push_dim(v, whole->size[e], whole->stride[e]);
      ok = ok && plan_same_size(r->x, v, v->rank - 1, r->in.size[d]);
    }
    e += r->keep || !r->reduced[d];
  }
  return ok;
}

/* ---- one reduced dimension ---- */

/* In a copy they lie one after the other. */
static bool gather_reduced(reduction *r, nest_view *kept, nest_view *reduced) {
  nest_view from = *kept;
  for (int d = 0; d < reduced->rank; d++) push_dim(&from, reduced->size[d], reduced->stride[d]);
  nest_view to = plan_new_array(r->x, from.dtype, from.size, from.rank);
  if (!plan_copy(r->x, r->n, &from, &to)) return false;
  int n = kept->rank, m = reduced->rank;
  kept->buffer = reduced->buffer = to.buffer;
  kept->offset = reduced->offset = to.offset;
  for (int d = 0; d < n; d++) kept->stride[d] = to.stride[d];
  for (int d = 0; d < m; d++) reduced->stride[d] = to.stride[n + d];
  views_merge(r->x->syms, (nest_view *[]){reduced}, 1);
  return true;
}

/* Whether a size is known to be 0; strides then say nothing. */
static bool is_empty(const nest_view *v) {
  bool yes = false;
  for (int d = 0; d < v->rank; d++) yes |= dim_is(v->size[d], 0);
  return yes;
}

static bool merge_reduced(reduction *r) {
  nest_view kept = dims_of(r, &r->in, false), reduced = dims_of(r, &r->in, true);
  if (is_empty(&reduced)) reduced.rank = 1, reduced.size[0] = dim_int(0);
  views_merge(r->x->syms, (nest_view *[]){&reduced}, 1);
  if (reduced.rank > 1 && !gather_reduced(r, &kept, &reduced)) return false;
  r->in = kept;
  if (reduced.rank) push_dim(&r->in, reduced.size[0], reduced.stride[0]);
  else push_dim(&r->in, dim_int(1), dim_int(1));
  return true;
}

/* The same for an operand that a group computes. False: the reduced dimensions are not one. */
static bool merge_before(reduction *r) {
  group_inline *g = &r->before;
  nest_view kept = dims_of(r, &r->in, false), reduced = dims_of(r, &r->in, true),
            *part = ARENA_ARRAY(r->x->tmp, nest_view, g->n_views), *all[1 + GROUP_MAX_VIEWS];
  if (is_empty(&reduced)) return false;
  all[0] = &reduced;
  for (int i = 0; i < g->n_views; i++) {
    part[i] = dims_of(r, &g->view[i], true);
    all[1 + i] = &part[i];
  }
  views_merge(r->x->syms, all, 1 + g->n_views);
  if (reduced.rank > 1) return false;
  bool any = reduced.rank > 0;
  r->in = kept;
  push_dim(&r->in, any ? reduced.size[0] : dim_int(1), any ? reduced.stride[0] : dim_int(1));
  for (int i = 0; i < g->n_views; i++) {
    g->view[i] = dims_of(r, &g->view[i], false);
    push_dim(&g->view[i], r->in.size[kept.rank], any ? part[i].stride[0] : dim_int(0));
  }
  return true;
}

static bool takes_before(reduction *r, const fold_op *f) {
  target t = plan_target(r->x);
  return merge_before(r) && fold_takes_before(f, &t, &r->in, group_cost(r->before.n));
}

static void as_parts(symtab *syms, nest_view *v) {
  v->dtype = dtype_real(v->dtype);
  for (int d = 0; d < v->rank; d++) v->stride[d] = dim_mul(syms, v->stride[d], dim_int(2));
}

/* A sum of complex numbers is that of their parts, which are one more dimension that is kept. */
static void split_complex(reduction *r) {
  int last = r->in.rank - 1;
  as_parts(r->x->syms, &r->in);
  as_parts(r->x->syms, &r->out);
  push_dim(&r->out, dim_int(2), dim_int(1));
  push_dim(&r->in, r->in.size[last], r->in.stride[last]);
  r->in.size[last] = dim_int(2);
  r->in.stride[last] = dim_int(1);
}

/* Kept dimensions of operand and results that run together become one. */
static void merge_kept(reduction *r) {
  nest_view *last[1 + GROUP_MAX_VIEWS] = {&r->in}, *all[3 + 2 * GROUP_MAX_VIEWS];
  dim size[1 + GROUP_MAX_VIEWS], stride[1 + GROUP_MAX_VIEWS];
  int n_in = 1, n = 0;
  for (int i = 0; i < r->before.n_views; i++) last[n_in++] = &r->before.view[i];
  for (int i = 0; i < n_in; i++) {
    int d = --last[i]->rank;
    size[i] = last[i]->size[d], stride[i] = last[i]->stride[d];
    all[n++] = last[i];
  }
  if (r->out.buffer >= 0) all[n++] = &r->out;
  if (r->at.buffer >= 0) all[n++] = &r->at;
  for (int i = 0; i < r->after.n_views; i++) all[n++] = &r->after.view[i];
  views_merge(r->x->syms, all, n);
  for (int i = 0; i < n_in; i++) push_dim(last[i], size[i], stride[i]);
}

static dim length_of(const reduction *r) { return r->in.size[r->in.rank - 1]; }

/* ---- folds ---- */

static scanc_dtype wide(scanc_dtype d) { return d == SCANC_BOOL ? SCANC_I64 : dtype_fold(d); }

/* Elements are converted first where a dtype is given. Between real and complex ones that takes a
 * copy. */
static bool set_sum(const reduction *r, fold_op *f) {
  scanc_dtype d = r->n->type->dtype, e = r->in.dtype;
  bool whole = dtype_class(e) == 'i' || e == SCANC_BOOL;
  f->via = e != d && !(d == SCANC_I64 && whole) ? d : e;
  f->join = r->n->op->id == OP_prod ? OP_mul : OP_add;
  if ((dtype_class(f->via) == 'c') != (dtype_class(e) == 'c')) return false;
  f->via = dtype_real(f->via);
  f->acc = wide(f->via);
  f->exact = dtype_class(f->acc) == 'i';
  f->mean = r->n->op->id == OP_mean;
  return true;
}

static bool is_sum(const node *n) {
  return n->op->id == OP_sum || n->op->id == OP_mean || n->op->id == OP_prod;
}

/* Extrema of integers need not be converted. */
static bool set_fold(const reduction *r, fold_op *f) {
  op_id op = r->n->op->id;
  bool complex = dtype_class(r->in.dtype) == 'c', truth = op == OP_any || op == OP_all;
  *f = (fold_op){.exact = true, .via = dtype_real(r->in.dtype)};
  if (is_sum(r->n)) return set_sum(r, f);
  if (truth) f->join = op == OP_any ? OP_logical_or : OP_logical_and;
  else if (f->via == SCANC_BOOL) f->join = op == OP_amax ? OP_logical_or : OP_logical_and;
  else f->join = op == OP_amax ? OP_maximum : OP_minimum;
  f->acc = truth ? SCANC_BOOL : dtype_acc(f->via);
  return truth || !complex;
}

static bool as_complex_or_real(reduction *r) {
  nest_view to = plan_new_array(r->x, r->n->type->dtype, r->in.size, r->in.rank), from = r->in;
  r->in = to;
  return plan_copy(r->x, r->n, &from, &to);
}

static bool add_fold(const reduction *r, const fold_op *f, fold_lengths lengths, const dim *needs) {
  target t;
  view_kernel v = plan_kernel(r->x, r->n->op->name);
  if (!target_get(r->x->p->opts.cpu, &t)) return plan_refuse(r->x, r->n, "unknown CPU level");
  fold_kernel(&v, f, lengths, &t, &(fold_views){&r->in, &r->out, &r->before, &r->after});
  if (!plan_add_kernel_if(r->x, r->n, &v, needs)) return false;
  plan_note_with(r->x);
  return true;
}

/* Short and long folds of a length that only a run knows are two kernels, of which one runs. */
static bool add_folds(const reduction *r, const fold_op *f) {
  symtab *syms = r->x->syms;
  dim n = length_of(r), limit = dim_int(FOLD_SHORT_LENGTH);
  int64_t min, max;
  if (f->exact || dim_is_int(n)) return add_fold(r, f, FOLD_ANY, NULL);
  dim_bounds(syms, n, &min, &max);
  if (max <= limit.k) return add_fold(r, f, FOLD_SHORT, NULL);
  dim rest = dim_sub(syms, dim_add(syms, limit, dim_int(1)), n), more = dim_sub(syms, n, limit);
  dim is_short = dim_max(syms, rest, dim_int(0)), is_long = dim_max(syms, more, dim_int(0));
  return plan_require(r->x, dim_sub(syms, dim_int(FOLD_MAX_LENGTH - 1), n)) &&
         add_fold(r, f, FOLD_SHORT, &is_short) && add_fold(r, f, FOLD_LONG, &is_long);
}

/* Extrema of nothing are an error, which the interpreter tells. */
static bool require_elements(const reduction *r) {
  return plan_require(r->x, dim_sub(r->x->syms, length_of(r), dim_int(1)));
}

static bool open_reduction(planner *x, const node *n, reduction *r) {
  *r = (reduction){.x = x, .n = n, .out = {.buffer = -1}, .at = {.buffer = -1}};
  if (x->before) r->in = x->before->element;
  return (x->before || plan_tensor(x, n, 0, &r->in)) && find_dims(r);
}

static group_inline own_views(planner *x, const plan_inline *from) {
  group_inline g = {0};
  if (!from) return g;
  g = from->g;
  g.view = arena_copy(x->tmp, g.view, sizeof *g.view * (size_t)g.n_views);
  return g;
}

/* Where the results go, and one reduced dimension. `merged`: the operand, if a group computes it.
 */
static bool open_result(reduction *r, const reduction *merged) {
  planner *x = r->x;
  nest_view y;
  r->after = own_views(x, x->after);
  if (x->after) y = r->after.view[r->after.n_views - 1];
  else {
    y = plan_result(x, r->n, r->n->type);
    x->of[r->n->id] = (plan_value){.kind = VALUE_TENSOR, .view = y};
  }
  y.dtype = r->n->type->dtype;
  if (!kept_result(r, &y, &r->out)) return false;
  for (int i = 0; i < r->after.n_views; i++) {
    nest_view whole = r->after.view[i];
    if (!kept_result(r, &whole, &r->after.view[i])) return false;
  }
  if (!x->before) return merge_reduced(r);
  r->in = merged->in;
  r->before = merged->before;
  return true;
}

static plan_steps plan_fold(planner *x, const node *n) {
  reduction r;
  fold_op f;
  if (!open_reduction(x, n, &r) || !type_is_tensor(n->type)) return STEPS_NONE;
  if (!set_fold(&r, &f) &&
      (x->before || !is_sum(n) || !as_complex_or_real(&r) || !set_fold(&r, &f)))
    return STEPS_NONE;
  bool complex = dtype_class(r.in.dtype) == 'c', sum = f.join == OP_add;
  nest_view reduced = dims_of(&r, &r.in, true);
  dim length = dim_int(1);
  for (int d = 0; d < reduced.rank; d++) length = dim_mul(x->syms, length, reduced.size[d]);
  if (dim_is_int(length) && length.k >= FOLD_MAX_KNOWN_LENGTH) return STEPS_NONE;
  r.keep = n->type->n == r.in.rank;
  reduction merged = r;
  merged.before = own_views(x, x->before);
  if (complex && (x->before || x->after)) return STEPS_NONE;
  if (x->before && !takes_before(&merged, &f)) return STEPS_NONE;
  if (!open_result(&r, &merged)) return STEPS_REFUSED;
  if (complex && sum) split_complex(&r);
  merge_kept(&r);
  bool extremum = n->op->id == OP_amax || n->op->id == OP_amin;
  if (extremum && !require_elements(&r)) return STEPS_REFUSED;
  return add_folds(&r, &f) ? STEPS_MADE : STEPS_REFUSED;
}

/* ---- where extrema are ---- */

static bool add_arg(const reduction *r, bool adjacent, const dim *needs) {
  op_id op = r->n->op->id;
  target t;
  view_kernel v = plan_kernel(r->x, r->n->op->name);
  if (!target_get(r->x->p->opts.cpu, &t)) return plan_refuse(r->x, r->n, "unknown CPU level");
  arg_kernel(&v, op == OP_max_dim || op == OP_argmax, adjacent, &t, &r->in,
             r->out.buffer < 0 ? NULL : &r->out, &r->at);
  return plan_add_kernel_if(r->x, r->n, &v, needs);
}

/* Lanes along the reduced dimension need some elements. */
static bool add_args(const reduction *r) {
  symtab *syms = r->x->syms;
  dim n = length_of(r), limit = dim_int(ARG_ALONG_LENGTH);
  if (!require_elements(r)) return false;
  if (!dim_is(r->in.stride[r->in.rank - 1], 1)) return add_arg(r, false, NULL);
  if (dim_is_int(n)) return add_arg(r, n.k >= limit.k, NULL);
  dim more = dim_sub(syms, dim_add(syms, n, dim_int(1)), limit), rest = dim_sub(syms, limit, n);
  dim is_short = dim_max(syms, rest, dim_int(0)), is_long = dim_max(syms, more, dim_int(0));
  return add_arg(r, false, &is_short) && add_arg(r, true, &is_long);
}

static plan_steps plan_arg(planner *x, const node *n) {
  reduction r;
  nest_view y = {.buffer = -1}, at;
  plan_value *v = &x->of[n->id];
  bool pair = n->op->id == OP_max_dim || n->op->id == OP_min_dim;
  if (!open_reduction(x, n, &r) || dtype_class(r.in.dtype) == 'c') return STEPS_NONE;
  const type *t = pair ? n->type->items[1] : n->type;
  r.keep = t->n == r.in.rank;
  if (pair) {
    *v = (plan_value){.kind = VALUE_LIST, .n = 2, .items = ARENA_ARRAY(x->tmp, plan_value, 2)};
    y = plan_result_item(x, n, 0, n->type->items[0]);
    at = plan_result_item(x, n, 1, t);
    v->items[0] = (plan_value){.kind = VALUE_TENSOR, .view = y};
    v->items[1] = (plan_value){.kind = VALUE_TENSOR, .view = at};
    if (!kept_result(&r, &y, &r.out)) return STEPS_REFUSED;
  } else {
    at = plan_result(x, n, t);
    *v = (plan_value){.kind = VALUE_TENSOR, .view = at};
  }
  if (!kept_result(&r, &at, &r.at) || !merge_reduced(&r)) return STEPS_REFUSED;
  merge_kept(&r);
  return add_args(&r) ? STEPS_MADE : STEPS_REFUSED;
}

bool plan_is_fold(op_id op) { return plan_reduction_of(op) == plan_fold; }

plan_op_fn plan_reduction_of(op_id op) {
  switch (op) {
    case OP_sum:
    case OP_mean:
    case OP_prod:
    case OP_amax:
    case OP_amin:
    case OP_any:
    case OP_all: return plan_fold;
    case OP_max_dim:
    case OP_min_dim:
    case OP_argmax:
    case OP_argmin: return plan_arg;
    default: return NULL;
  }
}
