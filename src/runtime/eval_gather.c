/* Indexing along one axis: index_select and its writing forms, gather, scatter, take, tables;
 * triangles and diagonals. */
#include "runtime/strided.h"

static void fill_zero(const tensor *t) {
  if (tensor_numel(t)) memset(t->data, 0, (size_t)tensor_numel(t) * scanc_dtype_size(t->dtype));
}

/* ---- one index vector ---- */

static int64_t vector_length(const tensor *index) { return index->rank ? index->sizes[0] : 1; }

static int64_t vector_at(const tensor *index, int64_t i) {
  return index_at(index, index->rank ? i * index->strides[0] : 0);
}

/* Offsets along the axis of x for each element of the index; NULL when no element is there to stand
 * for a bad one. */
static int64_t *vector_offsets(eval_ctx *c, const tensor *x, int axis, const tensor *index) {
  int64_t n = vector_length(index), extent = x->rank ? x->sizes[axis] : 1,
          stride = x->rank ? x->strides[axis] : 0;
  int64_t *off = eval_offsets(c, n);
  for (int64_t i = 0; i < n; i++)
    off[i] = stride * eval_safe_index(c, vector_at(index, i), extent, false);
  return extent || !n ? off : NULL;
}

bool eval_index_select(eval_ctx *c) {
  const tensor *x = eval_tensor(c, 0), *out = &c->out[0];
  const int64_t *table[SCANC_MAX_RANK] = {NULL};
  int axis = eval_axis(c, 1, x->rank);
  int64_t *off = vector_offsets(c, x, axis, eval_tensor(c, 2));
  if (!off) return fill_zero(out), true;
  if (!x->rank) return tensor_copy(out, x), true;
  table[axis] = off;
  gather_tables(out, x, table);
  return true;
}

/* The axis of out that a writing form changes, as a tensor of at least one dimension. */
static tensor writable(eval_ctx *c) {
  tensor out = c->out[0];
  tensor_copy(&out, eval_tensor(c, 0));
  if (!out.rank) part_unsqueeze(&out, 0);
  return out;
}

/* out[index[i]] = out[index[i]] OP source[i] along the axis; once[] (may be NULL) marks rows not
 * written before, whose first write replaces. */
static void write_rows(const tensor *out, int axis, const tensor *source, const int64_t *off,
                       combine op, bool *once) {
  int64_t size = (int64_t)scanc_dtype_size(out->dtype), n = source->sizes[axis];
  int64_t sizes[SCANC_MAX_RANK], step = source->strides[axis],
                                 apart = out->strides[axis] ? out->strides[axis] : 1;
  odometer w;
  for (int d = 0; d < out->rank; d++) sizes[d] = d == axis ? 1 : out->sizes[d];
  for (int64_t i = 0; i < n; i++) {
    combine each = op;
    if (once) {
      bool *first = &once[off[i] / apart];
      if (*first) each = COMBINE_REPLACE;
      *first = false;
    }
    if (!odo_start(&w, sizes, out->rank)) continue;
    odo_add(&w, out->strides);
    odo_add(&w, source->strides);
    do {
      const char *from = source->data + (i * step + w.at[1]) * size;
      elem_combine(each, out->dtype, out->data + (off[i] + w.at[0]) * size, from);
    } while (odo_next(&w));
  }
}

/* The source of a writing form, raised to the rank of out. */
static tensor source_rows(const tensor *source, const tensor *out, int axis) {
  tensor s = *source;
  while (s.rank < out->rank) part_unsqueeze(&s, axis);
  return s;
}

/* source * alpha in memory of its own, rounded to the dtype. */
static const tensor *scaled(eval_ctx *c, const tensor *source, number alpha) {
  tensor *t = ARENA_NEW(c->tmp, tensor);
  size_t size = scanc_dtype_size(source->dtype);
  int64_t n = tensor_numel(source);
  char factor[16];
  *t = *source;
  t->data = arena_alloc(c->tmp, (size_t)n * size);
  tensor_default_strides(t);
  tensor_copy(t, source);
  number_store(alpha, t->dtype, factor);
  for (int64_t i = 0; i < n; i++)
    elem_combine(COMBINE_PROD, t->dtype, t->data + (size_t)i * size, factor);
  return t;
}

static bool is_one(number v) {
  return v.cls == 'i' || v.cls == 'b' ? v.i == 1 : v.f == 1 && (v.cls != 'c' || v.im == 0);
}

static bool write_vector(eval_ctx *c, const tensor *source, combine op) {
  tensor out = writable(c);
  int axis = eval_axis(c, 1, out.rank);
  const int64_t *off = vector_offsets(c, &out, axis, eval_tensor(c, 2));
  if (!off) return true;
  tensor rows = source_rows(source, &out, axis);
  write_rows(&out, axis, &rows, off, op, NULL);
  return true;
}

bool eval_index_copy(eval_ctx *c) { return write_vector(c, eval_tensor(c, 3), COMBINE_REPLACE); }

bool eval_index_add(eval_ctx *c) {
  number alpha = eval_number(c, 4);
  const tensor *source = eval_tensor(c, 3);
  return write_vector(c, is_one(alpha) ? source : scaled(c, source, alpha), COMBINE_SUM);
}

bool eval_index_fill(eval_ctx *c) {
  tensor out = writable(c);
  int axis = eval_axis(c, 1, out.rank);
  const tensor *index = eval_tensor(c, 2);
  int64_t n = vector_length(index), extent = out.sizes[axis], *off = eval_offsets(c, n);
  for (int64_t i = 0; i < n; i++)
    off[i] = out.strides[axis] * eval_safe_index(c, vector_at(index, i), extent, true);
  if (!extent) return true;
  char value[16];
  number_store(eval_number(c, 3), out.dtype, value);
  tensor rows = {.data = value, .dtype = out.dtype, .rank = out.rank};
  for (int i = 0; i < out.rank; i++) rows.sizes[i] = i == axis ? n : out.sizes[i];
  write_rows(&out, axis, &rows, off, COMBINE_REPLACE, NULL);
  return true;
}

/* Divides the element by n, as a mean does: integers round down. */
static void divide(scanc_dtype d, char *at, int64_t n) {
  number v = number_load(d, at);
  if (v.cls == 'i') {
    int64_t q = v.i / n;
    v.i = q - (v.i % n < 0);
  } else {
    v.f /= (double)n;
    v.im /= (double)n;
  }
  number_store(v, d, at);
}

bool eval_index_reduce(eval_ctx *c) {
  combine op = combine_named(eval_str_or(c, 4, ""));
  bool with_self = eval_bool_or(c, 5, true);
  tensor out = writable(c);
  int axis = eval_axis(c, 1, out.rank);
  int64_t extent = out.sizes[axis], n = vector_length(eval_tensor(c, 2));
  const int64_t *off = vector_offsets(c, &out, axis, eval_tensor(c, 2));
  if (!off) return true;
  bool *once = arena_alloc(c->tmp, (size_t)extent);
  int64_t *count = eval_offsets(c, extent), stride = out.strides[axis] ? out.strides[axis] : 1;
  for (int64_t i = 0; i < extent; i++) once[i] = !with_self, count[i] = with_self;
  for (int64_t i = 0; i < n; i++) count[off[i] / stride]++;
  tensor rows = source_rows(eval_tensor(c, 3), &out, axis);
  write_rows(&out, axis, &rows, off, op, once);
  if (op != COMBINE_MEAN) return true;
  for (int64_t i = 0; i < extent; i++) {
    tensor row = out;
    odometer w;
    part_select(&row, axis, i);
    if (count[i] < 2 || !odo_start(&w, row.sizes, row.rank)) continue;
    odo_add(&w, row.strides);
    do divide(out.dtype, row.data + w.at[0] * (int64_t)scanc_dtype_size(out.dtype), count[i]);
    while (odo_next(&w));
  }
  return true;
}

/* ---- an index per element ---- */

/* out = x at index along the axis; index and x (but for the axis) have out's sizes, by stride 0 if
 * need be. */
static bool gather_axis(eval_ctx *c, const tensor *x, int axis, const tensor *index) {
  const tensor *out = &c->out[0];
  int64_t size = (int64_t)scanc_dtype_size(x->dtype);
  int64_t extent = x->rank ? x->sizes[axis] : 1, stride = x->rank ? x->strides[axis] : 0;
  int64_t strides[SCANC_MAX_RANK] = {0};
  odometer w;
  if (!odo_start(&w, out->sizes, out->rank)) return true;
  for (int i = 0; i < x->rank; i++) strides[i] = i == axis ? 0 : x->strides[i];
  odo_add(&w, index->strides);
  odo_add(&w, strides);
  char *dst = out->data;
  do {
    int64_t i = eval_safe_index(c, index_at(index, w.at[0]), extent, false);
    if (extent) elem_copy(dst, x->data + (w.at[1] + i * stride) * size, (size_t)size);
    else memset(dst, 0, (size_t)size);
    dst += size;
  } while (odo_next(&w));
  return true;
}

bool eval_gather(eval_ctx *c) {
  const tensor *x = eval_tensor(c, 0);
  return gather_axis(c, x, eval_axis(c, 1, x->rank), eval_tensor(c, 2));
}

bool eval_take_along_dim(eval_ctx *c) {
  tensor x = *eval_tensor(c, 0), index = *eval_tensor(c, 1);
  const tensor *out = &c->out[0];
  if (!eval_given(c, 2)) {
    const tensor *row = eval_contiguous(c, &x, x.dtype),
                 *flat = eval_contiguous(c, &index, index.dtype);
    if (!row || !flat) return false;
    x = *row;
    index = *flat;
    x.sizes[0] = tensor_numel(&x);
    index.sizes[0] = tensor_numel(&index);
    x.rank = index.rank = 1;
    x.strides[0] = index.strides[0] = 1;
    return gather_axis(c, &x, 0, &index);
  }
  int axis = eval_axis(c, 2, x.rank);
  int64_t sizes[SCANC_MAX_RANK];
  memcpy(sizes, out->sizes, sizeof sizes);
  part_expand(&index, sizes, out->rank);
  if (x.rank) sizes[axis] = x.sizes[axis];
  part_expand(&x, sizes, out->rank);
  return gather_axis(c, &x, axis, &index);
}

/* out[..., index, ...] OP= src over the index space; first (may be NULL, one per element of out)
 * marks elements whose first write replaces, count (may be NULL) counts writes. */
static void scatter_axis(eval_ctx *c, const tensor *out, int axis, const tensor *index,
                         const tensor *src, combine op, bool *first, int64_t *count) {
  int64_t size = (int64_t)scanc_dtype_size(out->dtype);
  int64_t extent = out->rank ? out->sizes[axis] : 1, stride = out->rank ? out->strides[axis] : 0;
  int64_t strides[SCANC_MAX_RANK] = {0};
  odometer w;
  if (!odo_start(&w, index->sizes, index->rank)) return;
  for (int i = 0; i < out->rank; i++) strides[i] = i == axis ? 0 : out->strides[i];
  odo_add(&w, index->strides);
  odo_add(&w, strides);
  odo_add(&w, src->strides);
  do {
    int64_t at = w.at[1] + stride * eval_safe_index(c, index_at(index, w.at[0]), extent, false);
    if (!extent) continue;
    bool replace = first && first[at];
    if (replace) first[at] = false;
    if (count) count[at]++;
    elem_combine(replace ? COMBINE_REPLACE : op, out->dtype, out->data + at * size,
                 src->data + w.at[2] * size);
  } while (odo_next(&w));
}

/* Operand 3 as a tensor of out's dtype; a number stands for all elements. */
static tensor scatter_source(eval_ctx *c, const tensor *out) {
  if (c->arg[3].kind == TYPE_TENSOR) return *eval_tensor(c, 3);
  tensor t = {.data = arena_alloc(c->tmp, 16), .dtype = out->dtype};
  number_store(eval_number(c, 3), out->dtype, t.data);
  return t;
}

static bool scatter_op(eval_ctx *c, combine op) {
  const tensor *x = eval_tensor(c, 0), *out = &c->out[0];
  tensor src = scatter_source(c, out);
  tensor_copy(out, x);
  scatter_axis(c, out, eval_axis(c, 1, x->rank), eval_tensor(c, 2), &src, op, NULL, NULL);
  return true;
}

bool eval_scatter(eval_ctx *c) { return scatter_op(c, combine_named(eval_str_or(c, 4, ""))); }
bool eval_scatter_add(eval_ctx *c) { return scatter_op(c, COMBINE_SUM); }

bool eval_scatter_reduce(eval_ctx *c) {
  const tensor *x = eval_tensor(c, 0), *out = &c->out[0];
  combine op = combine_named(eval_str_or(c, 4, ""));
  bool with_self = eval_bool_or(c, 5, true);
  int64_t n = tensor_numel(out), *count = NULL;
  bool *first = NULL;
  tensor_copy(out, x);
  if (!with_self) memset(first = arena_alloc(c->tmp, (size_t)n), 1, (size_t)n);
  if (op == COMBINE_MEAN) count = eval_offsets(c, n);
  scatter_axis(c, out, eval_axis(c, 1, x->rank), eval_tensor(c, 2), eval_tensor(c, 3), op, first,
               count);
  for (int64_t i = 0; count && i < n; i++)
    if (count[i] + with_self > 1 && count[i])
      divide(out->dtype, out->data + i * (int64_t)scanc_dtype_size(out->dtype),
             count[i] + with_self);
  return true;
}

bool eval_take(eval_ctx *c) {
  const tensor *x = eval_contiguous(c, eval_tensor(c, 0), eval_tensor(c, 0)->dtype),
               *index = eval_tensor(c, 1);
  if (!x) return false;
  int64_t n = tensor_numel(x), size = (int64_t)scanc_dtype_size(x->dtype);
  char *dst = c->out[0].data;
  odometer w;
  if (!odo_start(&w, index->sizes, index->rank)) return true;
  odo_add(&w, index->strides);
  do {
    int64_t i = eval_safe_index(c, index_at(index, w.at[0]), n, true);
    if (n) elem_copy(dst, x->data + i * size, (size_t)size);
    else memset(dst, 0, (size_t)size);
    dst += size;
  } while (odo_next(&w));
  return true;
}

bool eval_put(eval_ctx *c) {
  const tensor *index = eval_tensor(c, 1),
               *source = eval_contiguous(c, eval_tensor(c, 2), c->out[0].dtype);
  const tensor *out = &c->out[0];
  if (!source) return false;
  combine op = eval_bool_or(c, 3, false) ? COMBINE_SUM : COMBINE_REPLACE;
  int64_t n = tensor_numel(out), size = (int64_t)scanc_dtype_size(out->dtype);
  const char *src = source->data;
  odometer w;
  tensor_copy(out, eval_tensor(c, 0));
  if (!odo_start(&w, index->sizes, index->rank)) return true;
  odo_add(&w, index->strides);
  do {
    int64_t i = eval_safe_index(c, index_at(index, w.at[0]), n, true);
    if (n) elem_combine(op, out->dtype, out->data + i * size, src);
    src += size;
  } while (odo_next(&w));
  return true;
}

/* ---- tables ---- */

bool eval_embedding(eval_ctx *c) {
  const tensor *table = eval_tensor(c, 0), *index = eval_tensor(c, 1);
  int64_t width = table->sizes[1], size = (int64_t)scanc_dtype_size(table->dtype);
  char *dst = c->out[0].data;
  odometer w;
  if (!table->sizes[0]) fill_zero(&c->out[0]);
  if (!width || !odo_start(&w, index->sizes, index->rank)) return true;
  odo_add(&w, index->strides);
  do {
    int64_t row = eval_safe_index(c, index_at(index, w.at[0]), table->sizes[0], false);
    const char *src = table->data + row * table->strides[0] * size;
    if (table->sizes[0] && table->strides[1] == 1) memcpy(dst, src, (size_t)(width * size));
    else
      for (int64_t j = 0; j < width && table->sizes[0]; j++)
        elem_copy(dst + j * size, src + j * table->strides[1] * size, (size_t)size);
    dst += width * size;
  } while (odo_next(&w));
  return true;
}

/* Number of occurrences of each row in the index, for scale_grad_by_freq. */
static const int64_t *frequencies(eval_ctx *c, const tensor *index, int64_t rows) {
  int64_t *count = eval_offsets(c, rows);
  odometer w;
  if (!odo_start(&w, index->sizes, index->rank)) return count;
  odo_add(&w, index->strides);
  do {
    int64_t row = index_at(index, w.at[0]);
    if (row >= 0 && row < rows) count[row]++;
  } while (odo_next(&w));
  return count;
}

bool eval_embedding_dense_backward(eval_ctx *c) {
  const tensor *index = eval_tensor(c, 1), *out = &c->out[0];
  const tensor *g = eval_contiguous(c, eval_tensor(c, 0), out->dtype);
  int64_t rows = out->sizes[0], width = out->sizes[1], size = (int64_t)scanc_dtype_size(out->dtype);
  int64_t skip = eval_int_or(c, 3, -1);
  if (!g) return false;
  const int64_t *count = eval_bool_or(c, 4, false) ? frequencies(c, index, rows) : NULL;
  const char *src = g->data;
  odometer w;
  fill_zero(out);
  if (!odo_start(&w, index->sizes, index->rank)) return true;
  odo_add(&w, index->strides);
  do {
    int64_t row = index_at(index, w.at[0]);
    if (row != skip) row = eval_safe_index(c, row, rows, false);
    for (int64_t j = 0; j < width && row != skip && rows; j++) {
      char element[16];
      elem_copy(element, src + j * size, (size_t)size);
      if (count && count[row] > 1) divide(out->dtype, element, count[row]);
      elem_combine(COMBINE_SUM, out->dtype, out->data + (row * width + j) * size, element);
    }
    src += width * size;
  } while (odo_next(&w));
  return true;
}

bool eval_one_hot(eval_ctx *c) {
  const tensor *x = eval_contiguous(c, eval_tensor(c, 0), SCANC_I64);
  int64_t sizes[SCANC_MAX_RANK], classes = eval_int_or(c, 1, -1);
  if (!x) return false;
  int64_t n = tensor_numel(x);
  const int64_t *v = (const int64_t *)x->data;
  for (int64_t i = 0; i < n && eval_int_or(c, 1, -1) == -1; i++)
    classes = v[i] >= classes && v[i] < INT64_MAX / 64 ? v[i] + 1 : classes;
  if (classes < 0) classes = 0;
  memcpy(sizes, x->sizes, sizeof sizes);
  sizes[x->rank] = classes;
  if (!eval_alloc(c, 0, SCANC_I64, sizes, x->rank + 1)) return false;
  fill_zero(&c->out[0]);
  for (int64_t i = 0; i < n; i++) {
    int64_t k = eval_safe_index(c, v[i], classes, false);
    if (classes) ((int64_t *)c->out[0].data)[i * classes + k] = 1;
  }
  return true;
}

/* ---- triangles and diagonals ---- */

/* Copies the elements with j - i <= limit (lower) or >= limit (upper) of every matrix; the rest are
 * zero. */
static bool triangle(eval_ctx *c, bool lower) {
  const tensor *x = eval_tensor(c, 0), *out = &c->out[0];
  int64_t limit = eval_int_or(c, 1, 0), size = (int64_t)scanc_dtype_size(x->dtype);
  odometer w;
  if (!odo_start(&w, x->sizes, x->rank)) return true;
  odo_add(&w, x->strides);
  char *dst = out->data;
  do {
    int64_t i = w.i[x->rank - 2], j = w.i[x->rank - 1];
    if (lower ? j - i <= limit : j - i >= limit)
      elem_copy(dst, x->data + w.at[0] * size, (size_t)size);
    else memset(dst, 0, (size_t)size);
    dst += size;
  } while (odo_next(&w));
  return true;
}

bool eval_tril(eval_ctx *c) { return triangle(c, true); }
bool eval_triu(eval_ctx *c) { return triangle(c, false); }

static bool triangle_indices(eval_ctx *c, bool lower) {
  const tensor *out = &c->out[0];
  int64_t rows = eval_int_or(c, 0, 0), cols = eval_int_or(c, 1, 0), offset = eval_int_or(c, 2, 0);
  int64_t n = out->sizes[1], k = 0;
  int64_t size = (int64_t)scanc_dtype_size(out->dtype);
  for (int64_t i = 0; i < rows; i++) {
    int64_t border = lower ? i + offset + 1 : i + offset;
    border = border < 0 ? 0 : border > cols ? cols : border;
    for (int64_t j = lower ? 0 : border, end = lower ? border : cols; j < end; j++, k++) {
      number_store((number){.cls = 'i', .i = i}, out->dtype, out->data + k * size);
      number_store((number){.cls = 'i', .i = j}, out->dtype, out->data + (n + k) * size);
    }
  }
  return true;
}

bool eval_tril_indices(eval_ctx *c) { return triangle_indices(c, true); }
bool eval_triu_indices(eval_ctx *c) { return triangle_indices(c, false); }

bool eval_diag_embed(eval_ctx *c) {
  const tensor *x = eval_tensor(c, 0);
  tensor part = c->out[0];
  int a = eval_axis(c, 2, part.rank), b = eval_axis(c, 3, part.rank);
  fill_zero(&part);
  part_diagonal(&part, eval_int_or(c, 1, 0), a, b, x->sizes[x->rank - 1]);
  tensor_copy(&part, x);
  return true;
}
