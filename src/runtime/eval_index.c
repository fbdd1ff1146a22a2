/* Indexing by several tensors: index, index_put, subscripts, masks, and parts put back. */
#include "runtime/strided.h"

/* ---- subscripts ---- */

static int consumed(const rval *v) {
  if (v->kind == TYPE_NONE || v->kind == TYPE_OTHER) return 0;
  bool mask = v->kind == TYPE_TENSOR && (v->t->dtype == SCANC_BOOL || v->t->dtype == SCANC_U8);
  return mask ? v->t->rank : 1;
}

static void take_slice(tensor *t, int axis, const rval *s) {
  const rval *p = s->items;
  int64_t start = p[0].kind == TYPE_INT ? p[0].i : 0,
          end = p[1].kind == TYPE_INT ? p[1].i : INT64_MAX;
  int64_t step = p[2].kind == TYPE_INT ? p[2].i : 1;
  int64_t n = slice_bounds(t->sizes[axis], &start, end, step);
  part_slice(t, axis, start, n, step);
}

void eval_subscript(const tensor *x, const rval *idx, subscript *s) {
  const rval *items = idx->kind == TYPE_LIST ? idx->items : idx;
  int n = idx->kind == TYPE_LIST ? idx->n : 1, used = 0, axis = 0;
  *s = (subscript){.view = *x};
  for (int i = 0; i < n; i++) used += consumed(&items[i]);
  for (int i = 0; i < n; i++) {
    const rval *v = &items[i];
    if (v->kind == TYPE_INT || v->kind == TYPE_BOOL) {
      part_select(&s->view, axis, v->i);
      continue;
    }
    int width = 1;
    if (v->kind == TYPE_NONE) part_unsqueeze(&s->view, axis);
    else if (v->kind == TYPE_OTHER) width = x->rank - used;
    else if (v->kind == TYPE_SLICE) take_slice(&s->view, axis, v);
    else width = consumed(v);
    s->index[s->n_index] = v->kind == TYPE_TENSOR ? *v : (rval){.kind = TYPE_NONE};
    if (v->kind == TYPE_TENSOR) s->n_index++, s->advanced = true;
    else
      for (int k = 0; k < width; k++) s->index[s->n_index++] = (rval){.kind = TYPE_NONE};
    axis += width;
  }
}

/* ---- plans ---- */

/* x[i, j...]: the result is [before..., positions, after...]; position p stands at off[p] (in
 * elements of x). */
typedef struct {
  int64_t n_off, *off;
  int n_before, n_after;
  int64_t sizes[2][SCANC_MAX_RANK], strides[2][SCANC_MAX_RANK]; /* before, after */
  int64_t shape[SCANC_MAX_RANK];                                /* of the result */
  int rank;
  bool nothing; /* an index into an empty axis: there is no safe element */
} plan;

/* An index tensor and the axis it replaces. */
typedef struct {
  tensor t;
  int axis;
} axis_index;

static int64_t count_true(const tensor *mask) {
  odometer w;
  int64_t n = 0;
  if (!odo_start(&w, mask->sizes, mask->rank)) return 0;
  odo_add(&w, mask->strides);
  do n += mask->data[w.at[0]] != 0;
  while (odo_next(&w));
  return n;
}

/* Coordinates of the true elements of a mask, one vector per axis of it, as index tensors. */
static int mask_indices(eval_ctx *c, const tensor *mask, int axis, axis_index *out) {
  int64_t n = count_true(mask), k = 0;
  int64_t *column = eval_offsets(c, n * mask->rank);
  odometer w;
  for (int d = 0; d < mask->rank; d++)
    out[d] = (axis_index){{.data = (char *)(column + d * n),
                           .dtype = SCANC_I64,
                           .rank = 1,
                           .sizes = {n},
                           .strides = {1}},
                          axis + d};
  if (!n || !odo_start(&w, mask->sizes, mask->rank)) return mask->rank;
  odo_add(&w, mask->strides);
  do {
    if (!mask->data[w.at[0]]) continue;
    for (int d = 0; d < mask->rank; d++) column[d * n + k] = w.i[d];
    k++;
  } while (odo_next(&w));
  return mask->rank;
}

static int collect(eval_ctx *c, const rval *idx, int n, axis_index *out) {
  int count = 0, axis = 0;
  for (int i = 0; i < n; i++) {
    if (idx[i].kind != TYPE_TENSOR) {
      axis++;
      continue;
    }
    const tensor *t = idx[i].t;
    if (t->dtype == SCANC_BOOL || t->dtype == SCANC_U8) {
      int used = mask_indices(c, t, axis, out + count);
      axis += used;
      count += used;
    } else {
      out[count++] = (axis_index){*t, axis++};
    }
  }
  return count;
}

/* Broadcasts the sizes of the index tensors. False: masks with different counts. */
static bool broadcast_indices(eval_ctx *c, const axis_index *ix, int n, int64_t *sizes, int *rank) {
  *rank = 0;
  for (int k = 0; k < n; k++)
    if (ix[k].t.rank > *rank) *rank = ix[k].t.rank;
  for (int i = 0; i < *rank; i++) sizes[i] = 1;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < ix[k].t.rank; i++) {
      int64_t *s = &sizes[*rank - ix[k].t.rank + i], d = ix[k].t.sizes[i];
      if (d == 1) continue;
      if (*s != 1 && *s != d)
        return eval_fail(c, SCANC_ERR_SHAPE_MISMATCH, "index sizes %lld and %lld do not broadcast",
                         (long long)*s, (long long)d);
      *s = d;
    }
  return true;
}

static void fill_offsets(eval_ctx *c, const tensor *x, axis_index *ix, int n, const int64_t *sizes,
                         int rank, plan *p) {
  p->n_off = 1;
  for (int i = 0; i < rank; i++) p->n_off *= sizes[i];
  p->off = eval_offsets(c, p->n_off);
  for (int k = 0; k < n; k++) {
    int64_t extent = x->sizes[ix[k].axis], stride = x->strides[ix[k].axis], at = 0;
    odometer w;
    part_expand(&ix[k].t, sizes, rank);
    if (!odo_start(&w, sizes, rank)) continue;
    p->nothing |= extent == 0;
    odo_add(&w, ix[k].t.strides);
    do p->off[at++] += stride * eval_safe_index(c, index_at(&ix[k].t, w.at[0]), extent, true);
    while (odo_next(&w));
  }
}

/* Sorts the axes of x that no index replaces into those before and after the positions, and lays
 * out the result. */
static void place_axes(const tensor *x, const axis_index *ix, int n, const int64_t *sizes, int rank,
                       plan *p) {
  bool taken[SCANC_MAX_RANK] = {false};
  for (int k = 0; k < n; k++) taken[ix[k].axis] = true;
  bool together = ix[n - 1].axis - ix[0].axis + 1 == n;
  int *count[2] = {&p->n_before, &p->n_after};
  for (int i = 0; i < x->rank; i++) {
    int side = !together || i > ix[0].axis;
    if (taken[i]) continue;
    p->sizes[side][*count[side]] = x->sizes[i];
    p->strides[side][(*count[side])++] = x->strides[i];
  }
  for (int i = 0; i < p->n_before; i++) p->shape[p->rank++] = p->sizes[0][i];
  for (int i = 0; i < rank; i++) p->shape[p->rank++] = sizes[i];
  for (int i = 0; i < p->n_after; i++) p->shape[p->rank++] = p->sizes[1][i];
}

static bool make_plan(eval_ctx *c, const tensor *x, const rval *idx, int n_idx, plan *p) {
  axis_index ix[2 * SCANC_MAX_RANK];
  int64_t sizes[SCANC_MAX_RANK];
  int rank, n = collect(c, idx, n_idx, ix);
  *p = (plan){0};
  if (n == 0) { /* only whole axes: one position, all axes behind it */
    p->n_off = 1;
    p->off = eval_offsets(c, 1);
    p->n_after = p->rank = x->rank;
    memcpy(p->sizes[1], x->sizes, sizeof x->sizes);
    memcpy(p->strides[1], x->strides, sizeof x->strides);
    memcpy(p->shape, x->sizes, sizeof x->sizes);
    return true;
  }
  if (!broadcast_indices(c, ix, n, sizes, &rank)) return false;
  place_axes(x, ix, n, sizes, rank, p);
  fill_offsets(c, x, ix, n, sizes, rank, p);
  return true;
}

/* Number of elements behind a position when they lie in a row, else 0. */
static int64_t row_length(const plan *p) {
  int64_t n = 1;
  for (int i = p->n_after - 1; i >= 0; i--) {
    if (p->sizes[1][i] != 1 && p->strides[1][i] != n) return 0;
    n *= p->sizes[1][i];
  }
  return n;
}

/* Copies what stands behind one position to dst; returns the end. */
static char *copy_block(const plan *p, char *dst, const char *src, size_t size) {
  odometer w;
  if (!odo_start(&w, p->sizes[1], p->n_after)) return dst;
  odo_add(&w, p->strides[1]);
  do {
    elem_copy(dst, src + w.at[0] * (int64_t)size, size);
    dst += size;
  } while (odo_next(&w));
  return dst;
}

static bool read_plan(eval_ctx *c, const tensor *x, const plan *p) {
  int64_t row = row_length(p);
  size_t size = scanc_dtype_size(x->dtype);
  odometer w;
  if (!eval_alloc(c, 0, x->dtype, p->shape, p->rank)) return false;
  char *dst = c->out[0].data;
  if (p->nothing) memset(dst, 0, (size_t)tensor_numel(&c->out[0]) * size);
  if (p->nothing || !tensor_numel(&c->out[0]) || !odo_start(&w, p->sizes[0], p->n_before))
    return true;
  odo_add(&w, p->strides[0]);
  do
    for (int64_t k = 0; k < p->n_off; k++) {
      const char *src = x->data + (w.at[0] + p->off[k]) * (int64_t)size;
      if (row == 1) elem_copy(dst, src, size);
      else if (row) memcpy(dst, src, (size_t)row * size);
      dst = row ? dst + (size_t)row * size : copy_block(p, dst, src, size);
    }
  while (odo_next(&w));
  return true;
}

/* Writes the elements of v, in row-major order of the plan's shape, to x. */
static void write_plan(const tensor *x, const plan *p, const char *v, combine op) {
  int64_t size = (int64_t)scanc_dtype_size(x->dtype);
  odometer w, b;
  if (p->nothing || !odo_start(&w, p->sizes[0], p->n_before)) return;
  odo_add(&w, p->strides[0]);
  do
    for (int64_t k = 0; k < p->n_off; k++) {
      if (!odo_start(&b, p->sizes[1], p->n_after)) return;
      odo_add(&b, p->strides[1]);
      do {
        elem_combine(op, x->dtype, x->data + (w.at[0] + p->off[k] + b.at[0]) * size, v);
        v += size;
      } while (odo_next(&b));
    }
  while (odo_next(&w));
}

/* ---- index, index_put ---- */

bool eval_index(eval_ctx *c) {
  plan p;
  return make_plan(c, eval_tensor(c, 0), c->arg[1].items, c->arg[1].n, &p) &&
         read_plan(c, eval_tensor(c, 0), &p);
}

/* v broadcast to `sizes` must be possible: with masks that shows only now. */
static bool check_broadcast(eval_ctx *c, const tensor *v, const int64_t *sizes, int rank) {
  for (int i = 0; i < v->rank; i++) {
    int k = i - (v->rank - rank);
    if (v->sizes[i] != 1 && (k < 0 || v->sizes[i] != sizes[k]))
      return eval_fail(c, SCANC_ERR_SHAPE_MISMATCH,
                       "values of size %lld at dimension %d do not broadcast to the indexed part",
                       (long long)v->sizes[i], i);
  }
  return true;
}

/* A part of `whole` (dtype and rank changed to fit) as v, broadcast, in row-major order. */
static const tensor *broadcast_row(eval_ctx *c, const tensor *v, scanc_dtype d,
                                   const int64_t *sizes, int rank) {
  if (!check_broadcast(c, v, sizes, rank)) return NULL;
  tensor *wide = ARENA_NEW(c->tmp, tensor);
  *wide = *v;
  while (wide->rank > rank) part_select(wide, 0, 0);
  part_expand(wide, sizes, rank);
  return eval_contiguous(c, wide, d);
}

static bool put(eval_ctx *c, const tensor *part, const rval *idx, int n_idx, const tensor *v,
                combine op) {
  plan p;
  if (!make_plan(c, part, idx, n_idx, &p)) return false;
  const tensor *row = broadcast_row(c, v, part->dtype, p.shape, p.rank);
  if (!row) return false;
  write_plan(part, &p, row->data, op);
  return true;
}

bool eval_index_put(eval_ctx *c) {
  tensor_copy(&c->out[0], eval_tensor(c, 0));
  combine op = eval_bool_or(c, 3, false) ? COMBINE_SUM : COMBINE_REPLACE;
  return put(c, &c->out[0], c->arg[1].items, c->arg[1].n, eval_tensor(c, 2), op);
}

/* A scalar operand as a 0-d tensor of dtype d. */
static const tensor *value_tensor(eval_ctx *c, int k, scanc_dtype d) {
  if (c->arg[k].kind == TYPE_TENSOR) return eval_tensor(c, k);
  tensor *t = ARENA_NEW(c->tmp, tensor);
  t->data = arena_alloc(c->tmp, 16);
  t->dtype = d;
  number_store(eval_number(c, k), d, t->data);
  return t;
}

/* Copies v, broadcast, into a part of an output. */
static bool copy_part(eval_ctx *c, const tensor *part, const tensor *v) {
  tensor wide = *v;
  if (!check_broadcast(c, v, part->sizes, part->rank)) return false;
  while (wide.rank > part->rank) part_select(&wide, 0, 0);
  part_expand(&wide, part->sizes, part->rank);
  tensor_copy(part, &wide);
  return true;
}

bool eval_tensor_setitem(eval_ctx *c) {
  const tensor *v = value_tensor(c, 2, c->out[0].dtype);
  subscript s;
  tensor_copy(&c->out[0], eval_tensor(c, 0));
  eval_subscript(&c->out[0], &c->arg[1], &s);
  return s.advanced ? put(c, &s.view, s.index, s.n_index, v, COMBINE_REPLACE)
                    : copy_part(c, &s.view, v);
}

/* ---- masks ---- */

/* The operands of a mask op, broadcast against each other; sizes and rank of the broadcast shape.
 */
static void broadcast_mask(const eval_ctx *c, tensor *x, tensor *mask, int64_t *sizes, int *rank) {
  *x = *eval_tensor(c, 0);
  *mask = *eval_tensor(c, 1);
  while (x->rank < mask->rank) part_unsqueeze(x, 0);
  while (mask->rank < x->rank) part_unsqueeze(mask, 0);
  *rank = x->rank;
  for (int i = 0; i < x->rank; i++) sizes[i] = x->sizes[i] == 1 ? mask->sizes[i] : x->sizes[i];
  part_expand(x, sizes, *rank);
  part_expand(mask, sizes, *rank);
}

bool eval_masked_select(eval_ctx *c) {
  tensor x, mask;
  int64_t sizes[SCANC_MAX_RANK], n;
  int rank;
  odometer w;
  broadcast_mask(c, &x, &mask, sizes, &rank);
  n = count_true(&mask);
  size_t size = scanc_dtype_size(x.dtype);
  if (!eval_alloc(c, 0, x.dtype, &n, 1)) return false;
  char *dst = c->out[0].data;
  if (!odo_start(&w, sizes, rank)) return true;
  odo_add(&w, x.strides);
  odo_add(&w, mask.strides);
  do {
    if (!mask.data[w.at[1]]) continue;
    elem_copy(dst, x.data + w.at[0] * (int64_t)size, size);
    dst += size;
  } while (odo_next(&w));
  return true;
}

bool eval_masked_scatter(eval_ctx *c) {
  tensor x, mask;
  int64_t sizes[SCANC_MAX_RANK], k = 0;
  int rank;
  odometer w;
  const tensor *source = eval_contiguous(c, eval_tensor(c, 2), c->out[0].dtype);
  if (!source) return false;
  broadcast_mask(c, &x, &mask, sizes, &rank);
  tensor_copy(&c->out[0], &x);
  size_t size = scanc_dtype_size(x.dtype);
  int64_t n = tensor_numel(source);
  if (!odo_start(&w, sizes, rank)) return true;
  odo_add(&w, c->out[0].strides);
  odo_add(&w, mask.strides);
  do {
    if (!mask.data[w.at[1]]) continue;
    if (k >= n) {
      eval_data_error(c, "the mask selects more than the %lld elements of the source",
                      (long long)n);
      return true;
    }
    elem_copy(c->out[0].data + w.at[0] * (int64_t)size, source->data + k++ * (int64_t)size, size);
  } while (odo_next(&w));
  return true;
}

bool eval_nonzero(eval_ctx *c) {
  const tensor *x = eval_tensor(c, 0), *mask = x;
  int64_t sizes[2] = {0, x->rank}, n;
  axis_index columns[SCANC_MAX_RANK];
  if (x->dtype != SCANC_BOOL && !(mask = eval_contiguous(c, x, SCANC_BOOL))) return false;
  sizes[0] = n = count_true(mask);
  if (!eval_alloc(c, 0, SCANC_I64, sizes, 2)) return false;
  int rank = mask_indices(c, mask, 0, columns);
  int64_t *out = (int64_t *)c->out[0].data;
  for (int64_t k = 0; k < n; k++)
    for (int d = 0; d < rank; d++) *out++ = ((const int64_t *)columns[d].t.data)[k];
  return true;
}

/* ---- a part put back ---- */

/* The part of t that the operands from k on describe, for op names of either family. */
static void cut_select(const eval_ctx *c, int k, tensor *t) {
  part_select(t, eval_axis(c, k, t->rank), eval_int_or(c, k + 1, 0));
}

static void cut_slice(const eval_ctx *c, int k, tensor *t) {
  int axis = eval_axis(c, k, t->rank);
  int64_t start = eval_int_or(c, k + 1, 0), step = eval_int_or(c, k + 3, 1);
  int64_t n = slice_bounds(t->sizes[axis], &start, eval_int_or(c, k + 2, INT64_MAX), step);
  part_slice(t, axis, start, n, step);
}

static void cut_diagonal(const eval_ctx *c, int k, tensor *t) {
  int64_t offset = eval_int_or(c, k, 0);
  int a = eval_axis(c, k + 1, t->rank), b = eval_axis(c, k + 2, t->rank);
  int64_t n = t->sizes[a] + (offset < 0 ? offset : 0), m = t->sizes[b] - (offset > 0 ? offset : 0);
  int64_t length = n < m ? n : m;
  part_diagonal(t, offset, a, b, length > 0 ? length : 0);
}

static bool scatter_part(eval_ctx *c, void (*cut)(const eval_ctx *c, int k, tensor *t)) {
  tensor part = c->out[0];
  tensor_copy(&c->out[0], eval_tensor(c, 0));
  cut(c, 2, &part);
  return copy_part(c, &part, eval_tensor(c, 1));
}

static bool backward_part(eval_ctx *c, void (*cut)(const eval_ctx *c, int k, tensor *t)) {
  tensor part = c->out[0];
  memset(part.data, 0, (size_t)tensor_numel(&part) * scanc_dtype_size(part.dtype));
  cut(c, 2, &part);
  return copy_part(c, &part, eval_tensor(c, 0));
}

bool eval_select_scatter(eval_ctx *c) { return scatter_part(c, cut_select); }
bool eval_slice_scatter(eval_ctx *c) { return scatter_part(c, cut_slice); }
bool eval_diagonal_scatter(eval_ctx *c) { return scatter_part(c, cut_diagonal); }
bool eval_select_backward(eval_ctx *c) { return backward_part(c, cut_select); }
bool eval_slice_backward(eval_ctx *c) { return backward_part(c, cut_slice); }
bool eval_diagonal_backward(eval_ctx *c) { return backward_part(c, cut_diagonal); }

bool eval_as_strided_scatter(eval_ctx *c) {
  tensor part = c->out[0];
  int64_t strides[2 * SCANC_MAX_RANK];
  tensor_copy(&c->out[0], eval_tensor(c, 0));
  part.rank = eval_ints(c, 2, part.sizes);
  eval_ints(c, 3, strides);
  memcpy(part.strides, strides, sizeof part.strides);
  part.data += eval_int_or(c, 4, 0) * (int64_t)scanc_dtype_size(part.dtype);
  return copy_part(c, &part, eval_tensor(c, 1));
}
