/* Reductions and running sums along dimensions of few elements: every element is a value, folded in
 * the order in which the interpreter folds (runtime/fold.h, runtime/eval_cumulative.c), so that the
 * results have the same bits. */
#include <math.h>

#include "loop/body.h"
#include "loop/op_cost.h"

/* An element: one id, two where it is complex; im -1 otherwise. */
typedef struct {
  int re, im;
} element;

typedef enum { FOLD_ADD, FOLD_MULTIPLY, FOLD_GREATEST, FOLD_LEAST } fold_kind;

/* A fold in the type acc (real). */
typedef struct {
  body *b;
  fold_kind kind;
  scanc_dtype acc;
} fold;

/* ---- which dimensions ---- */

static const node *source(const node *at) {
  return at->operands[0].kind == VAL_NODE ? at->operands[0].node : NULL;
}

static bool is_truth(op_id op) { return op == OP_any || op == OP_all; }

/* None or an empty list stands for all dimensions, but for any and all, which an empty list leaves
 * as they are. */
static bool reduced_dims(body *b, const node *at, bool *reduced) {
  const node *x = source(at);
  val v = at->operands[1];
  int n = val_is_seq(v) ? v.n : v.kind == VAL_NONE || v.kind == VAL_ABSENT ? 0 : 1;
  if (!x || !type_is_tensor(x->type)) return body_refuse(b, at, "%s of no tensor", at->op->name);
  for (int d = 0; d < x->type->n; d++)
    reduced[d] = n == 0 && !(is_truth(at->op->id) && val_is_seq(v));
  for (int i = 0; i < n; i++) {
    int64_t d;
    if (!body_known_int(b, val_is_seq(v) ? v.items[i] : v, &d))
      return body_refuse(b, at, "%s along a dimension that is not known", at->op->name);
    if (d < 0) d += x->type->n;
    if (d >= 0 && d < x->type->n) reduced[d] = true;
  }
  return true;
}

static int n_items(const node *at) { return at->type->kind == TYPE_LIST ? at->type->n : 1; }

static bool reduce_axes(body *b, const node *at) {
  bool reduced[SCANC_MAX_RANK];
  SCANC_TRY(reduced_dims(b, at, reduced));
  const type *x = source(at)->type;
  for (int d = 0; d < x->n; d++)
    if (reduced[d] && !dim_is(x->dims[d], 1))
      axes_move(b, axes_dim(b, source(at), 0, d), at->op->name);
  for (int i = 0; i < n_items(at); i++) {
    const type *t = axes_type(at, i);
    if (!type_is_tensor(t)) return body_refuse(b, at, "%s of unknown type", at->op->name);
    bool keep = t->n == x->n;
    for (int d = 0, e = 0; d < x->n; d++) {
      if (!reduced[d]) axes_follow(b, at, i, e, source(at), d);
      e += keep || !reduced[d];
    }
  }
  return true;
}

/* ---- folding values ---- */

static int op2(const fold *f, op_id op, int x, int y) {
  return body_op(f->b, op, f->acc, (int[]){x, y}, NULL);
}

static element product(const fold *f, element x, element y) {
  int ac = op2(f, OP_mul, x.re, y.re), bd = op2(f, OP_mul, x.im, y.im);
  int ad = op2(f, OP_mul, x.re, y.im), bc = op2(f, OP_mul, x.im, y.re);
  int re = op2(f, OP_sub, ac, bd), im = op2(f, OP_add, ad, bc);
  return (element){re, im};
}

static element join(const fold *f, element x, element y) {
  static const op_id rows[] = {OP_add, OP_mul, OP_maximum, OP_minimum};
  static const op_id bools[] = {OP_logical_or, OP_logical_and, OP_logical_or, OP_logical_and};
  if (f->kind == FOLD_MULTIPLY && x.im >= 0) return product(f, x, y);
  op_id op = f->acc == SCANC_BOOL ? bools[f->kind] : rows[f->kind];
  element r = {op2(f, op, x.re, y.re), -1};
  if (x.im >= 0) r.im = op2(f, op, x.im, y.im);
  return r;
}

static element number(const fold *f, double v, bool complex) {
  val n = val_float(v);
  element r = {body_const(f->b, n, f->acc), -1};
  if (complex) r.im = body_const(f->b, val_int(0), f->acc);
  return r;
}

enum { LANES = 8, BLOCK = 128 };

/* 1 * x is x, but for complex numbers that are not finite: their products begin with 1. */
static bool begins_with_one(const fold *f, const element *x) {
  return f->kind == FOLD_MULTIPLY && x[0].im >= 0;
}

/* Element i goes to lane i % LANES; the lanes are combined as a tree. */
static element fold_block(const fold *f, const element *x, int n) {
  element lane[LANES] = {{0, 0}};
  bool one = begins_with_one(f, x);
  for (int k = 0; k < LANES && k < n; k++) lane[k] = one ? join(f, number(f, 1, true), x[k]) : x[k];
  for (int i = LANES; i < n; i++) lane[i % LANES] = join(f, lane[i % LANES], x[i]);
  for (int h = LANES / 2; h > 0; h /= 2)
    for (int k = 0; k < h && k + h < n; k++) lane[k] = join(f, lane[k], lane[k + h]);
  return lane[0];
}

/* Blocks are combined pairwise: level l holds the fold of 2^l blocks. */
static element fold_all(const fold *f, const element *x, int n) {
  enum { LEVELS = 12 };
  element level[LEVELS] = {{0, 0}}, total;
  int count = 0, top;
  if (n <= BLOCK) return fold_block(f, x, n);
  for (int done = 0; done < n; done += BLOCK, count++) {
    total = fold_block(f, x + done, n - done < BLOCK ? n - done : BLOCK);
    for (top = 0; count >> top & 1; top++) total = join(f, level[top], total);
    level[top] = total;
  }
  for (top = 0; !(count >> top & 1);) top++;
  total = level[top];
  for (top++; count >> top; top++)
    if (count >> top & 1) total = join(f, level[top], total);
  return total;
}

/* Sums begin with +0, which only shows where all elements are -0. */
static element fold_values(const fold *f, const element *x, int n, bool complex) {
  if (n == 0) return number(f, f->kind == FOLD_MULTIPLY || f->kind == FOLD_LEAST, complex);
  element r = fold_all(f, x, n);
  if (f->kind == FOLD_ADD && dtype_class(f->acc) == 'f')
    r = join(f, r, (element){number(f, 0, false).re, complex ? number(f, 0, false).re : -1});
  return r;
}

/* ---- reductions ---- */

/* A reduction on its way: the elements that go into one result. */
typedef struct {
  const node *at;
  bool reduced[SCANC_MAX_RANK];
  grid x;
  scanc_dtype via; /* elements are converted to it first */
  fold f;
  element *list;
} reduction;

/* In row-major order of the reduced dimensions. Returns their number. */
static int collect(reduction *r, const int *index) {
  int at[SCANC_MAX_RANK], n = 0;
  grid in = {.rank = r->x.rank};
  for (int d = 0; d < r->x.rank; d++) in.ext[d] = r->reduced[d] ? r->x.ext[d] : 1, at[d] = 0;
  if (!grid_n_elements(&in)) return 0;
  do {
    int place[SCANC_MAX_RANK];
    for (int d = 0; d < r->x.rank; d++) place[d] = r->reduced[d] ? at[d] : index[d];
    const int *id = grid_at(&r->x, place);
    element e = {id[0], grid_width(&r->x) == 2 ? id[1] : -1};
    e.re = body_cast(r->f.b, body_cast(r->f.b, e.re, dtype_real(r->via)), r->f.acc);
    if (e.im >= 0) e.im = body_cast(r->f.b, body_cast(r->f.b, e.im, dtype_real(r->via)), r->f.acc);
    r->list[n++] = e;
  } while (grid_next(&in, at));
  return n;
}

/* The place in the operand of an index of the result. */
static void place_of(const reduction *r, const grid *out, const int *index, int *place) {
  bool keep = out->rank == r->x.rank;
  for (int d = 0, e = 0; d < r->x.rank; d++) {
    place[d] = r->reduced[d] ? 0 : index[e];
    e += keep || !r->reduced[d];
  }
}

static bool open_reduction(body *b, const node *at, reduction *r) {
  *r = (reduction){.at = at, .f = {.b = b}};
  SCANC_TRY(body_operand(b, at, 0, &r->x) && reduced_dims(b, at, r->reduced));
  r->list = ARENA_ARRAY(b->mem, element, grid_n_elements(&r->x) + 1);
  r->via = r->x.dtype;
  return body_unroll(b, at, grid_n_elements(&r->x));
}

static scanc_dtype wide(scanc_dtype d) { return d == SCANC_BOOL ? SCANC_I64 : dtype_fold(d); }

/* Sums and products; elements are converted first where a dtype is given. */
static bool set_sum(reduction *r) {
  scanc_dtype d = r->at->type->dtype;
  op_id op = r->at->op->id;
  bool whole = dtype_class(r->via) == 'i' || r->via == SCANC_BOOL;
  if (r->via != d && !(d == SCANC_I64 && whole)) r->via = d;
  if ((dtype_class(r->via) == 'c') != (grid_width(&r->x) == 2))
    return body_refuse(r->f.b, r->at, "%s of real numbers as complex ones", r->at->op->name);
  r->f.kind = op == OP_prod ? FOLD_MULTIPLY : FOLD_ADD;
  r->f.acc = dtype_real(wide(r->via));
  return true;
}

static bool set_fold(reduction *r) {
  switch (r->at->op->id) {
    case OP_sum:
    case OP_mean:
    case OP_prod: return set_sum(r);
    case OP_any:
    case OP_amax: r->f.kind = FOLD_GREATEST; break;
    default: r->f.kind = FOLD_LEAST;
  }
  if (grid_width(&r->x) == 2 && !is_truth(r->at->op->id))
    return body_refuse(r->f.b, r->at, "%s of complex numbers", r->at->op->name);
  r->f.acc = is_truth(r->at->op->id) ? SCANC_BOOL : dtype_fold(r->via);
  return true;
}

/* A complex number is true unless both parts are 0. */
static void to_truth(reduction *r, int n) {
  for (int i = 0; i < n && grid_width(&r->x) == 2; i++) {
    r->list[i].re = op2(&r->f, OP_logical_or, r->list[i].re, r->list[i].im);
    r->list[i].im = -1;
  }
}

static element reduce_one(reduction *r, int n) {
  bool complex = grid_width(&r->x) == 2 && !is_truth(r->at->op->id);
  if (is_truth(r->at->op->id)) to_truth(r, n);
  element e = fold_values(&r->f, r->list, n, complex);
  if (r->at->op->id != OP_mean) return e;
  int by = body_const(r->f.b, val_int(n), r->f.acc);
  e.re = op2(&r->f, OP_div, e.re, by);
  if (complex) e.im = op2(&r->f, OP_div, e.im, by);
  return e;
}

static bool reduce_grid(body *b, const node *at) {
  reduction r;
  grid out;
  int *ids, index[SCANC_MAX_RANK] = {0}, place[SCANC_MAX_RANK];
  if (!open_reduction(b, at, &r) || !set_fold(&r) || !body_grid(b, at, 0, &out, &ids)) return false;
  if (grid_n_elements(&out)) do {
      place_of(&r, &out, index, place);
      element e = reduce_one(&r, collect(&r, place));
      int *to = ids + (grid_at(&out, index) - out.v);
      to[0] = body_cast(b, e.re, dtype_real(out.dtype));
      if (grid_width(&out) == 2) to[1] = body_cast(b, e.im, dtype_real(out.dtype));
    } while (grid_next(&out, index));
  return body_set(b, at, &out, 1), true;
}

/* ---- where the extremum is ---- */

static int test(const fold *f, op_id op, int x, int y) {
  return body_op(f->b, op, f->acc, (int[]){x, y}, NULL);
}

static int both(const fold *f, op_id op, int p, int q) {
  return body_op(f->b, op, SCANC_BOOL, (int[]){p, q}, NULL);
}

/* Whether x replaces the extremum e: the first of equal ones stays, the first NaN wins. */
static int wins(const fold *f, int x, int e) {
  int better = test(f, f->kind == FOLD_GREATEST ? OP_gt : OP_lt, x, e);
  if (dtype_class(f->acc) != 'f') return better;
  int nan = test(f, OP_ne, x, x), none = test(f, OP_eq, e, e);
  return both(f, OP_logical_or, better, both(f, OP_logical_and, nan, none));
}

static int choose(const fold *f, scanc_dtype d, int p, int x, int y) {
  return body_op(f->b, OP_where, d, (int[]){p, x, y}, NULL);
}

static void arg_extremum(const fold *f, const element *x, int n, int *value, int *where) {
  *value = x[0].re;
  *where = body_const(f->b, val_int(0), SCANC_I64);
  for (int i = 1; i < n; i++) {
    int p = wins(f, x[i].re, *value), at = body_const(f->b, val_int(i), SCANC_I64);
    *value = choose(f, f->acc, p, x[i].re, *value);
    *where = choose(f, SCANC_I64, p, at, *where);
  }
}

static bool arg_grid(body *b, const node *at) {
  reduction r;
  grid out[2];
  int *ids[2] = {NULL, NULL}, index[SCANC_MAX_RANK] = {0}, place[SCANC_MAX_RANK], value, where;
  int n = n_items(at), last = n - 1; /* the indices are the last item */
  if (!open_reduction(b, at, &r)) return false;
  for (int i = 0; i < n; i++) SCANC_TRY(body_grid(b, at, i, &out[i], &ids[i]));
  if (grid_width(&r.x) == 2) return body_refuse(b, at, "%s of complex numbers", at->op->name);
  bool greatest = at->op->id == OP_max_dim || at->op->id == OP_argmax;
  r.f.kind = greatest ? FOLD_GREATEST : FOLD_LEAST;
  r.f.acc = wide(r.via);
  if (grid_n_elements(&out[0])) do {
      place_of(&r, &out[0], index, place);
      int count = collect(&r, place);
      if (!count) return body_refuse(b, at, "%s of nothing", at->op->name);
      arg_extremum(&r.f, r.list, count, &value, &where);
      if (n == 2) ids[0][grid_at(&out[0], index) - out[0].v] = body_cast(b, value, out[0].dtype);
      ids[last][grid_at(&out[last], index) - out[last].v] = where;
    } while (grid_next(&out[0], index));
  return body_set(b, at, out, n), true;
}

/* ---- running sums, products and extrema ---- */

static bool running_axis(body *b, const node *at, int *axis) {
  const node *x = source(at);
  int64_t d;
  if (!x || !type_is_tensor(x->type) || !body_known_int(b, at->operands[1], &d))
    return body_refuse(b, at, "%s along a dimension that is not known", at->op->name);
  *axis = (int)(d < 0 ? d + x->type->n : d);
  return true;
}

static bool running_axes(body *b, const node *at) {
  int axis;
  if (at->order.kind != PREFIX_LEFT)
    return body_refuse(b, at, "%s that is no left fold", at->op->name);
  SCANC_TRY(running_axis(b, at, &axis));
  for (int i = 0; i < n_items(at); i++)
    for (int d = 0; d < source(at)->type->n; d++) axes_follow(b, at, i, d, source(at), d);
  if (source(at)->type->n) axes_move(b, axes_dim(b, source(at), 0, axis), at->op->name);
  return true;
}

/* The type the state is kept in: sums of f32 in f64, as ATen does. */
static scanc_dtype running_dtype(scanc_dtype d) { return d == SCANC_F32 ? SCANC_F64 : wide(d); }

/* The results along one line of n elements; step[k] is the state after k + 1 of them. */
static void run_sum(const fold *f, const element *x, int n, element *step) {
  for (int i = 0; i < n; i++) {
    if (i) step[i] = join(f, step[i - 1], x[i]);
    else if (f->kind == FOLD_MULTIPLY)
      step[i] = begins_with_one(f, x) ? join(f, number(f, 1, true), x[i]) : x[i];
    else {
      int zero = number(f, 0, false).re;
      step[i] = join(f, (element){zero, x[i].im >= 0 ? zero : -1}, x[i]);
    }
  }
}

/* The last of equal extrema; NaN stays, and a later NaN replaces it. */
static void run_extremum(const fold *f, const element *x, int n, element *step) {
  step[0] = (element){x[0].re, body_const(f->b, val_int(0), SCANC_I64)};
  for (int i = 1; i < n; i++) {
    element s = step[i - 1];
    int p = test(f, f->kind == FOLD_GREATEST ? OP_ge : OP_le, x[i].re, s.re);
    if (dtype_class(f->acc) == 'f') {
      int sound = test(f, OP_eq, s.re, s.re), nan = test(f, OP_ne, x[i].re, x[i].re);
      p = both(f, OP_logical_or, nan, both(f, OP_logical_and, sound, p));
    }
    int at = body_const(f->b, val_int(i), SCANC_I64);
    step[i].re = choose(f, f->acc, p, x[i].re, s.re);
    step[i].im = choose(f, SCANC_I64, p, at, s.im);
  }
}

static bool open_running(body *b, const node *at, reduction *r, int axis) {
  *r = (reduction){.at = at, .f = {.b = b}};
  SCANC_TRY(body_operand(b, at, 0, &r->x));
  r->list = ARENA_ARRAY(b->mem, element, grid_n_elements(&r->x) + 1);
  if (r->x.rank) r->reduced[axis] = true;
  r->via = r->x.dtype;
  op_id op = at->op->id;
  if (op == OP_cumsum || op == OP_cumprod) {
    SCANC_TRY(set_sum(r));
    r->f.acc = running_dtype(dtype_real(r->via));
    r->f.kind = op == OP_cumprod ? FOLD_MULTIPLY : FOLD_ADD;
  } else {
    r->f.kind = op == OP_cummax ? FOLD_GREATEST : FOLD_LEAST;
    r->f.acc = wide(r->via);
  }
  return body_unroll(b, at, 4 * (int64_t)grid_n_elements(&r->x));
}

/* Steps along the line that begins at `index`, into the grids of the results. */
static void store_line(reduction *r, const int *index, int axis, const grid *out, int *const *ids,
                       int n_out, const element *step, int n) {
  int place[SCANC_MAX_RANK];
  for (int d = 0; d < out[0].rank; d++) place[d] = index[d];
  for (int k = 0; k < n; k++) {
    if (out[0].rank) place[axis] = k;
    int *to = ids[0] + (grid_at(&out[0], place) - out[0].v);
    to[0] = body_cast(r->f.b, step[k].re, dtype_real(out[0].dtype));
    if (grid_width(&out[0]) == 2) to[1] = body_cast(r->f.b, step[k].im, dtype_real(out[0].dtype));
    if (n_out == 2) ids[1][grid_at(&out[1], place) - out[1].v] = step[k].im;
  }
}

static bool running_grid(body *b, const node *at) {
  reduction r;
  grid out[2];
  int *ids[2] = {NULL, NULL}, index[SCANC_MAX_RANK] = {0}, axis, n = n_items(at);
  if (!running_axis(b, at, &axis) || !open_running(b, at, &r, axis)) return false;
  for (int i = 0; i < n; i++) SCANC_TRY(body_grid(b, at, i, &out[i], &ids[i]));
  if (n == 2 && grid_width(&r.x) == 2)
    return body_refuse(b, at, "%s of complex numbers", at->op->name);
  grid lines = r.x;
  if (lines.rank && lines.ext[axis]) lines.ext[axis] = 1;
  element *step = ARENA_ARRAY(b->mem, element, grid_n_elements(&r.x) + 1);
  if (grid_n_elements(&lines)) do {
      int count = collect(&r, index);
      if (n == 2) run_extremum(&r.f, r.list, count, step);
      else run_sum(&r.f, r.list, count, step);
      store_line(&r, index, axis, out, ids, n, step, count);
    } while (grid_next(&lines, index));
  return body_set(b, at, out, n), true;
}

/* ---- the table ---- */

const view_rule *reduce_rule_of(op_id op) {
  static const view_rule rules[] = {
      {OP_sum, reduce_axes, reduce_grid},       {OP_mean, reduce_axes, reduce_grid},
      {OP_prod, reduce_axes, reduce_grid},      {OP_amax, reduce_axes, reduce_grid},
      {OP_amin, reduce_axes, reduce_grid},      {OP_any, reduce_axes, reduce_grid},
      {OP_all, reduce_axes, reduce_grid},       {OP_max_dim, reduce_axes, arg_grid},
      {OP_min_dim, reduce_axes, arg_grid},      {OP_argmax, reduce_axes, arg_grid},
      {OP_argmin, reduce_axes, arg_grid},       {OP_cumsum, running_axes, running_grid},
      {OP_cumprod, running_axes, running_grid}, {OP_cummax, running_axes, running_grid},
      {OP_cummin, running_axes, running_grid},
  };
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if (rules[i].op == op) return &rules[i];
  return NULL;
}
