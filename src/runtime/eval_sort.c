/* Sorting, selection and search. NaN is the largest number; equal elements keep their order (sort,
 * argsort) or the first of them wins (the others). */
#include <math.h>
#include <stdlib.h>

#include "runtime/strided.h"

/* ---- keys: every dtype mapped to uint64 in the order of sorting ---- */

static uint64_t float_key(double v) {
  uint64_t bits;
  if (isnan(v)) return UINT64_MAX;
  v += 0.0; /* -0 equals 0 */
  if (v == 0) v = 0;
  memcpy(&bits, &v, sizeof bits);
  return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static uint64_t key_of(scanc_dtype d, const char *p) {
  number v = number_load(d, p);
  return v.cls == 'f' ? float_key(v.f) : (uint64_t)v.i ^ (uint64_t)1 << 63;
}

typedef struct {
  uint64_t key;
  int64_t i;
} item;

static int by_key(const void *pa, const void *pb) {
  const item *a = pa, *b = pb;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return a->i < b->i ? -1 : a->i > b->i;
}

/* One row of x along the axis as items in sorted order; descending: keys complemented, so ties keep
 * their order too. */
static void sort_row(const tensor *x, const char *data, int64_t n, int64_t stride, bool descending,
                     item *row) {
  int64_t size = (int64_t)scanc_dtype_size(x->dtype);
  for (int64_t i = 0; i < n; i++) {
    uint64_t k = key_of(x->dtype, data + i * stride * size);
    row[i] = (item){descending ? ~k : k, i};
  }
  qsort(row, (size_t)n, sizeof *row, by_key);
}

/* ---- rows ---- */

/* All rows of x along an axis, with the matching places in up to two outputs. */
typedef struct {
  const tensor *x;
  int64_t n, stride; /* along the axis */
  odometer w;        /* over the other axes: offsets of x, then of the outputs */
  item *items;
} rows;

static bool rows_start(eval_ctx *c, rows *r, const tensor *x, int axis) {
  tensor rest = *x;
  r->x = x;
  r->n = x->rank ? x->sizes[axis] : 1;
  r->stride = x->rank ? x->strides[axis] : 0;
  r->items = arena_alloc(c->tmp, (size_t)r->n * sizeof(item));
  if (x->rank) part_select(&rest, axis, 0);
  bool any = odo_start(&r->w, rest.sizes, rest.rank);
  odo_add(&r->w, rest.strides);
  return any;
}

static void rows_add(rows *r, const tensor *t, int axis, bool axis_kept) {
  tensor rest = *t;
  if (axis_kept && t->rank) part_select(&rest, axis, 0);
  odo_add(&r->w, rest.strides);
}

static const char *row_data(const rows *r) {
  return r->x->data + r->w.at[0] * (int64_t)scanc_dtype_size(r->x->dtype);
}

/* Writes element `from` of the current row to place `at` of output t, whose row starts at w.at[k].
 */
static void put_value(const rows *r, int k, const tensor *t, int64_t at, int64_t from) {
  int64_t size = (int64_t)scanc_dtype_size(t->dtype);
  elem_copy(t->data + (r->w.at[k] + at) * size, row_data(r) + from * r->stride * size,
            (size_t)size);
}

static void put_index(const rows *r, int k, const tensor *t, int64_t at, int64_t from) {
  ((int64_t *)t->data)[r->w.at[k] + at] = from;
}

/* The first m of every sorted row to values and indices (either may be NULL). */
static bool sorted_rows(eval_ctx *c, int axis, bool descending, const tensor *values,
                        const tensor *indices) {
  const tensor *x = eval_tensor(c, 0), *any = values ? values : indices;
  rows r;
  if (!any || !rows_start(c, &r, x, axis)) return true;
  int64_t m = x->rank ? any->sizes[axis] : 1, step = x->rank ? any->strides[axis] : 0;
  if (!tensor_numel(any)) return true;
  rows_add(&r, any, axis, true);
  do {
    sort_row(x, row_data(&r), r.n, r.stride, descending, r.items);
    for (int64_t i = 0; i < m; i++) {
      if (values) put_value(&r, 1, values, i * step, r.items[i].i);
      if (indices) put_index(&r, 1, indices, i * step, r.items[i].i);
    }
  } while (odo_next(&r.w));
  return true;
}

bool eval_sort(eval_ctx *c) {
  return sorted_rows(c, eval_axis(c, 1, eval_tensor(c, 0)->rank), eval_bool_or(c, 2, false),
                     &c->out[0], &c->out[1]);
}

bool eval_argsort(eval_ctx *c) {
  return sorted_rows(c, eval_axis(c, 1, eval_tensor(c, 0)->rank), eval_bool_or(c, 2, false), NULL,
                     &c->out[0]);
}

bool eval_topk(eval_ctx *c) {
  return sorted_rows(c, eval_axis(c, 2, eval_tensor(c, 0)->rank), eval_bool_or(c, 3, true),
                     &c->out[0], &c->out[1]);
}

/* ---- one element of each row ---- */

/* Which element of a sorted row of n, the last n_nan of which are NaN. */
typedef int64_t (*pick_fn)(const eval_ctx *c, int64_t n, int64_t n_nan);

static int64_t pick_kth(const eval_ctx *c, int64_t n, int64_t n_nan) {
  (void)n, (void)n_nan;
  return eval_int_or(c, 1, 1) - 1;
}

/* The lower median; the first NaN if there is one. */
static int64_t pick_median(const eval_ctx *c, int64_t n, int64_t n_nan) {
  (void)c;
  return n_nan ? n - n_nan : (n - 1) / 2;
}

static int64_t pick_nanmedian(const eval_ctx *c, int64_t n, int64_t n_nan) {
  (void)c;
  return n_nan == n ? 0 : (n - n_nan - 1) / 2;
}

static int64_t count_nan(const rows *r) {
  int64_t n = 0;
  if (dtype_class(r->x->dtype) != 'f') return 0;
  while (n < r->n && r->items[r->n - 1 - n].key == UINT64_MAX) n++;
  return n;
}

/* The axis and whether it stays are operands. */
static bool picked(eval_ctx *c, int axis_operand, int keep_operand, pick_fn pick) {
  int axis = eval_axis(c, axis_operand, eval_tensor(c, 0)->rank);
  bool keep = eval_bool_or(c, keep_operand, false);
  rows r;
  const tensor *values = &c->out[0], *indices = &c->out[1];
  if (!rows_start(c, &r, eval_tensor(c, 0), axis) || !r.n) return true;
  rows_add(&r, values, axis, keep);
  do {
    sort_row(r.x, row_data(&r), r.n, r.stride, false, r.items);
    int64_t from = r.items[pick(c, r.n, count_nan(&r))].i;
    put_value(&r, 1, values, 0, from);
    put_index(&r, 1, indices, 0, from);
  } while (odo_next(&r.w));
  return true;
}

bool eval_kthvalue(eval_ctx *c) { return picked(c, 2, 3, pick_kth); }
bool eval_median_dim(eval_ctx *c) { return picked(c, 1, 2, pick_median); }
bool eval_nanmedian_dim(eval_ctx *c) { return picked(c, 1, 2, pick_nanmedian); }

/* Of all elements; of none: NaN, or the smallest integer, as PyTorch has it. */
static bool median_all(eval_ctx *c, pick_fn pick) {
  tensor row;
  const tensor *x = eval_contiguous(c, eval_tensor(c, 0), eval_tensor(c, 0)->dtype);
  rows r;
  if (!x) return false;
  row = *x;
  row.rank = 1;
  row.sizes[0] = tensor_numel(x);
  row.strides[0] = 1;
  if (!row.sizes[0])
    return number_store((number){.cls = 'f', .f = NAN}, x->dtype, c->out[0].data), true;
  rows_start(c, &r, &row, 0);
  sort_row(&row, row.data, r.n, 1, false, r.items);
  rows_add(&r, &c->out[0], 0, false);
  put_value(&r, 1, &c->out[0], 0, r.items[pick(c, r.n, count_nan(&r))].i);
  return true;
}

bool eval_median(eval_ctx *c) { return median_all(c, pick_median); }
bool eval_nanmedian(eval_ctx *c) { return median_all(c, pick_nanmedian); }

/* ---- search ---- */

/* A sorted sequence, perhaps through a permutation, compared in dtype `common`. */
typedef struct {
  const tensor *sorted, *sorter;
  scanc_dtype common;
  int64_t n, stride, sorter_stride;
} sequence;

/* v as a number of dtype d. */
static number converted(number v, scanc_dtype d) {
  char p[16];
  number_store(v, d, p);
  return number_load(d, p);
}

/* Element i of the row that starts at `base` (in elements; the sorter's at sorter_base). */
static number sequence_at(const sequence *s, int64_t base, int64_t sorter_base, int64_t i) {
  if (s->sorter) i = index_at(s->sorter, sorter_base + i * s->sorter_stride);
  if (i < 0 || i >= s->n) i = 0;
  const tensor *t = s->sorted;
  number v =
      number_load(t->dtype, t->data + (base + i * s->stride) * (int64_t)scanc_dtype_size(t->dtype));
  return t->dtype == s->common ? v : converted(v, s->common);
}

static bool greater_equal(number a, number b) { return a.cls == 'f' ? a.f >= b.f : a.i >= b.i; }
static bool greater(number a, number b) { return a.cls == 'f' ? a.f > b.f : a.i > b.i; }

/* PyTorch's binary search: what is not known to be large enough lies in front, so a NaN lies behind
 * everything. */
static int64_t search(const sequence *s, int64_t base, int64_t sorter_base, number v, bool right) {
  int64_t low = 0, high = s->n;
  while (low < high) {
    int64_t mid = low + (high - low) / 2;
    number m = sequence_at(s, base, sorter_base, mid);
    if (right ? greater(m, v) : greater_equal(m, v)) high = mid;
    else low = mid + 1;
  }
  return low;
}

/* The dtype a sequence and what is sought in it are compared in. */
static scanc_dtype common_dtype(const eval_ctx *c, const tensor *sorted) {
  const rval *v = &c->arg[1];
  if (v->kind == TYPE_TENSOR && v->t->rank) return dtype_promote(sorted->dtype, v->t->dtype);
  bool is_float = v->kind == TYPE_TENSOR ? dtype_class(v->t->dtype) == 'f' : v->kind == TYPE_FLOAT;
  bool lifts = dtype_class(sorted->dtype) != 'f' && is_float;
  return !lifts ? sorted->dtype : v->kind == TYPE_TENSOR ? v->t->dtype : SCANC_F32;
}

bool eval_searchsorted(eval_ctx *c) {
  const tensor *sorted = eval_tensor(c, 0), *out = &c->out[0],
               *sorter = eval_given(c, 5) ? eval_tensor(c, 5) : NULL;
  const tensor *v = c->arg[1].kind == TYPE_TENSOR ? eval_tensor(c, 1) : NULL;
  bool right = eval_bool_or(c, 3, false) || !strcmp(eval_str_or(c, 4, "left"), "right");
  bool per_row = sorted->rank == out->rank;
  int last = sorted->rank - 1;
  sequence s = {sorted, sorter, common_dtype(c, sorted), sorted->sizes[last], sorted->strides[last],
                0};
  if (sorter) s.sorter_stride = sorter->strides[last];
  tensor row = *sorted, sorter_row = sorter ? *sorter : *sorted;
  int64_t zero[SCANC_MAX_RANK] = {0};
  odometer w;
  row.strides[last] = sorter_row.strides[last] = 0;
  if (!odo_start(&w, out->sizes, out->rank)) return true;
  odo_add(&w, out->strides);
  odo_add(&w, v ? v->strides : zero);
  odo_add(&w, per_row ? row.strides : zero);
  odo_add(&w, per_row ? sorter_row.strides : zero);
  do {
    number x = v ? number_load(v->dtype, v->data + w.at[1] * (int64_t)scanc_dtype_size(v->dtype))
                 : eval_number(c, 1);
    int64_t at = search(&s, w.at[2], w.at[3], converted(x, s.common), right);
    if (out->dtype == SCANC_I64) ((int64_t *)out->data)[w.at[0]] = at;
    else ((int32_t *)out->data)[w.at[0]] = (int32_t)at;
  } while (odo_next(&w));
  return true;
}

bool eval_unique(eval_ctx *c) {
  const tensor *x = eval_contiguous(c, eval_tensor(c, 0), eval_tensor(c, 0)->dtype);
  if (!x) return false;
  bool inverse = eval_bool_or(c, 2, false), counts = eval_bool_or(c, 3, false);
  int64_t n = tensor_numel(x), m = 0, none = 0, size = (int64_t)scanc_dtype_size(x->dtype);
  item *items = arena_alloc(c->tmp, (size_t)n * sizeof *items);
  sort_row(x, x->data, n, 1, false, items);
  bool is_float = dtype_class(x->dtype) == 'f';
  int64_t *group = eval_offsets(c, n);
  for (int64_t i = 0; i < n; i++) {
    bool same = i && items[i].key == items[i - 1].key && !(is_float && items[i].key == UINT64_MAX);
    m += !same;
    group[i] = m - 1;
  }
  if (!eval_alloc(c, 0, x->dtype, &m, 1) || !eval_alloc(c, 2, SCANC_I64, counts ? &m : &none, 1))
    return false;
  if (!(inverse ? eval_alloc(c, 1, SCANC_I64, x->sizes, x->rank)
                : eval_alloc(c, 1, SCANC_I64, &none, 1)))
    return false;
  if (counts && m) memset(c->out[2].data, 0, (size_t)m * sizeof(int64_t));
  for (int64_t i = n - 1; i >= 0; i--) {
    elem_copy(c->out[0].data + group[i] * size, x->data + items[i].i * size, (size_t)size);
    if (inverse) ((int64_t *)c->out[1].data)[items[i].i] = group[i];
    if (counts) ((int64_t *)c->out[2].data)[group[i]]++;
  }
  return true;
}
