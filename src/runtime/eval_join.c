/* Joining, repeating, rolling and padding: copies whose index maps are separate per axis. */
#include "runtime/strided.h"

bool eval_cat(eval_ctx *c) {
  const rval *list = &c->arg[0];
  tensor *out = &c->out[0];
  int axis = eval_axis(c, 1, out->rank);
  int64_t start = 0;
  for (int i = 0; i < list->n; i++) {
    const tensor *x = list->items[i].t;
    tensor part = *out;
    if (x->rank == 1 && x->sizes[0] == 0) continue;
    part_slice(&part, axis, start, x->sizes[axis], 1);
    tensor_copy(&part, x);
    start += x->sizes[axis];
  }
  return true;
}

static int64_t wrap(int64_t i, int64_t n) {
  int64_t r = i % n;
  return r < 0 ? r + n : r;
}

/* The place in an extent that result i comes from; a: shift, repeats or padding. */
typedef int64_t (*index_fn)(int64_t i, int64_t extent, int64_t a);

/* Offsets along `axis` of x for n results. */
static const int64_t *make_table(eval_ctx *c, const tensor *x, int axis, int64_t n,
                                 index_fn index_of, int64_t a) {
  int64_t *t = eval_offsets(c, n);
  for (int64_t i = 0; i < n; i++) t[i] = index_of(i, x->sizes[axis], a) * x->strides[axis];
  return t;
}

static int64_t rolled(int64_t i, int64_t extent, int64_t shift) { return wrap(i - shift, extent); }
static int64_t repeated(int64_t i, int64_t extent, int64_t unused) {
  (void)unused;
  return i % extent;
}
static int64_t doubled(int64_t i, int64_t extent, int64_t times) {
  (void)extent;
  return i / times;
}

static bool roll_flat(eval_ctx *c, const tensor *x, int64_t shift) {
  const tensor *row = eval_contiguous(c, x, x->dtype);
  if (!row) return false;
  int64_t n = tensor_numel(x), size = (int64_t)scanc_dtype_size(x->dtype);
  int64_t head = n ? wrap(shift, n) : 0;
  memcpy(c->out[0].data, row->data + (n - head) * size, (size_t)(head * size));
  memcpy(c->out[0].data + head * size, row->data, (size_t)((n - head) * size));
  return true;
}

bool eval_roll(eval_ctx *c) {
  const tensor *x = eval_tensor(c, 0);
  const int64_t *table[SCANC_MAX_RANK] = {NULL};
  int64_t shifts[2 * SCANC_MAX_RANK];
  int axes[SCANC_MAX_RANK], n = eval_axes(c, 2, x->rank, axes);
  eval_ints(c, 1, shifts);
  if (!n || !x->rank || !tensor_numel(x)) return roll_flat(c, x, n ? 0 : shifts[0]);
  for (int i = 0; i < n; i++)
    table[axes[i]] = make_table(c, x, axes[i], x->sizes[axes[i]], rolled, shifts[i]);
  gather_tables(&c->out[0], x, table);
  return true;
}

bool eval_repeat(eval_ctx *c) {
  tensor x = *eval_tensor(c, 0);
  const tensor *out = &c->out[0];
  const int64_t *table[SCANC_MAX_RANK] = {NULL};
  while (x.rank < out->rank) part_unsqueeze(&x, 0);
  if (!tensor_numel(out)) return true;
  for (int i = 0; i < out->rank; i++)
    if (out->sizes[i] != x.sizes[i]) table[i] = make_table(c, &x, i, out->sizes[i], repeated, 0);
  gather_tables(out, &x, table);
  return true;
}

bool eval_tile(eval_ctx *c) { return eval_repeat(c); }

/* The operand as repeat_interleave sees it: all elements in a row unless an axis is given. */
static const tensor *interleave_operand(eval_ctx *c, tensor *row, int *axis) {
  const tensor *x = eval_tensor(c, 0);
  *axis = 0;
  if (eval_given(c, 2) && x->rank) {
    *axis = eval_axis(c, 2, x->rank);
    return x;
  }
  if (!(x = eval_contiguous(c, x, x->dtype))) return NULL;
  *row = *x;
  row->rank = 1;
  row->sizes[0] = tensor_numel(x);
  row->strides[0] = 1;
  return row;
}

bool eval_repeat_interleave(eval_ctx *c) {
  tensor row;
  int axis;
  const tensor *x = interleave_operand(c, &row, &axis);
  const int64_t *table[SCANC_MAX_RANK] = {NULL};
  if (!x) return false;
  table[axis] = make_table(c, x, axis, c->out[0].sizes[axis], doubled, eval_int_or(c, 1, 1));
  gather_tables(&c->out[0], x, table);
  return true;
}

/* Repeat k of n, negative ones taken as 0 after a data error. */
static int64_t repeat_count(eval_ctx *c, const tensor *r, int64_t k) {
  int64_t v = index_at(r, r->rank && r->sizes[0] > 1 ? k * r->strides[0] : 0);
  if (v >= 0) return v;
  eval_data_error(c, "repeat %lld is negative", (long long)v);
  return 0;
}

/* Sum of the repeats of n elements; false when it cannot be allocated. */
static bool total_repeats(eval_ctx *c, const tensor *r, int64_t n, int64_t *total) {
  *total = 0;
  for (int64_t k = 0; k < n; k++)
    if (__builtin_add_overflow(*total, repeat_count(c, r, k), total) || *total > INT64_MAX / 64)
      return eval_fail(c, SCANC_ERR_SIZE_OVERFLOW, "the sum of the repeats is too large");
  return true;
}

/* Fills index[0..total), which is 0, with k, repeats[k] times, as far as that goes. */
static void spread(eval_ctx *c, const tensor *r, int64_t n, int64_t *index, int64_t total,
                   int64_t stride) {
  int64_t *end = index + total;
  for (int64_t k = 0; k < n; k++)
    for (int64_t i = repeat_count(c, r, k); i > 0 && index < end; i--) *index++ = k * stride;
}

/* The size that is given is that of the result, even if the data say another one. */
static void check_total(eval_ctx *c, int k, int64_t *total) {
  if (!eval_given(c, k) || eval_int_or(c, k, 0) == *total) return;
  eval_data_error(c, "output_size %lld is not the sum of the repeats, %lld",
                  (long long)eval_int_or(c, k, 0), (long long)*total);
  *total = eval_int_or(c, k, 0) > 0 ? eval_int_or(c, k, 0) : 0;
}

bool eval_repeat_each(eval_ctx *c) {
  tensor row;
  int axis;
  const tensor *x = interleave_operand(c, &row, &axis), *r = eval_tensor(c, 1);
  const int64_t *table[SCANC_MAX_RANK] = {NULL};
  int64_t sizes[SCANC_MAX_RANK], total;
  if (!x || !total_repeats(c, r, x->sizes[axis], &total)) return false;
  check_total(c, 3, &total);
  if (!x->sizes[axis]) total = 0; /* there is nothing to repeat */
  memcpy(sizes, x->sizes, sizeof sizes);
  sizes[axis] = total;
  if (!eval_alloc(c, 0, x->dtype, sizes, x->rank)) return false;
  int64_t *t = eval_offsets(c, total);
  spread(c, r, x->sizes[axis], t, total, x->strides[axis]);
  table[axis] = t;
  gather_tables(&c->out[0], x, table);
  return true;
}

bool eval_repeat_index(eval_ctx *c) {
  const tensor *r = eval_tensor(c, 0);
  int64_t total;
  if (!total_repeats(c, r, r->sizes[0], &total)) return false;
  check_total(c, 1, &total);
  if (!eval_alloc(c, 0, r->dtype, &total, 1)) return false;
  int64_t *t = eval_offsets(c, total);
  spread(c, r, r->sizes[0], t, total, 1);
  for (int64_t i = 0; i < total; i++)
    number_store((number){.cls = 'i', .i = t[i]}, r->dtype,
                 c->out[0].data + i * (int64_t)scanc_dtype_size(r->dtype));
  return true;
}

/* ---- padding ---- */

static int64_t reflected(int64_t i, int64_t extent, int64_t low) {
  i -= low;
  if (i < 0) i = -i;
  return i < extent ? i : 2 * (extent - 1) - i;
}

static int64_t replicated(int64_t i, int64_t extent, int64_t low) {
  i -= low;
  return i < 0 ? 0 : i < extent ? i : extent - 1;
}

static void fill(const tensor *out, number v) {
  size_t size = scanc_dtype_size(out->dtype);
  char value[16];
  number_store(v, out->dtype, value);
  for (int64_t i = 0, n = tensor_numel(out); i < n; i++)
    elem_copy(out->data + (size_t)i * size, value, size);
}

static bool pad_constant(eval_ctx *c, tensor x, const int64_t *by, int n) {
  tensor part = c->out[0];
  number v = {.cls = 'i'};
  if (eval_given(c, 3)) v = eval_number(c, 3);
  fill(&part, v);
  for (int i = 0; i < n / 2; i++) {
    int a = x.rank - 1 - i;
    int64_t low = by[2 * i], high = by[2 * i + 1], skip = low < 0 ? -low : 0,
            cut = high < 0 ? -high : 0;
    int64_t length = x.sizes[a] - skip - cut;
    if (length < 0) length = 0;
    part_slice(&x, a, skip, length, 1);
    part_slice(&part, a, low > 0 ? low : 0, length, 1);
  }
  tensor_copy(&part, &x);
  return true;
}

/* What negative padding leaves of x repeats around itself. */
static bool pad_circular(eval_ctx *c, tensor x, int64_t *by, int n) {
  const int64_t *table[SCANC_MAX_RANK] = {NULL};
  for (int i = 0; i < n / 2; i++) {
    int a = x.rank - 1 - i;
    int64_t low = by[2 * i], high = by[2 * i + 1], skip = low < 0 ? -low : 0,
            cut = high < 0 ? -high : 0;
    part_slice(&x, a, skip, x.sizes[a] - skip - cut, 1);
    table[a] = make_table(c, &x, a, c->out[0].sizes[a], rolled, low > 0 ? low : 0);
  }
  gather_tables(&c->out[0], &x, table);
  return true;
}

bool eval_pad(eval_ctx *c) {
  const tensor *x = eval_tensor(c, 0), *out = &c->out[0];
  const char *mode = eval_str_or(c, 2, "constant");
  const int64_t *table[SCANC_MAX_RANK] = {NULL};
  int64_t by[2 * SCANC_MAX_RANK];
  int n = eval_ints(c, 1, by);
  if (!strcmp(mode, "constant")) return pad_constant(c, *x, by, n);
  if (!tensor_numel(out)) return true;
  if (!strcmp(mode, "circular")) return pad_circular(c, *x, by, n);
  index_fn index_of = !strcmp(mode, "reflect") ? reflected : replicated;
  for (int i = 0; i < n / 2; i++) {
    int a = x->rank - 1 - i;
    table[a] = make_table(c, x, a, out->sizes[a], index_of, by[2 * i]);
  }
  gather_tables(out, x, table);
  return true;
}

/* ---- windows as columns ---- */

typedef struct {
  int64_t kernel[2], dilation[2], padding[2], stride[2], extent[2], count[2];
} windows;

static void get_pair(const eval_ctx *c, int k, int64_t out[2]) {
  int64_t v[2 * SCANC_MAX_RANK];
  int n = eval_ints(c, k, v);
  out[0] = v[0];
  out[1] = v[n - 1];
}

static windows get_windows(const eval_ctx *c, int k, const int64_t extent[2]) {
  windows w;
  get_pair(c, k, w.kernel);
  get_pair(c, k + 1, w.dilation);
  get_pair(c, k + 2, w.padding);
  get_pair(c, k + 3, w.stride);
  for (int i = 0; i < 2; i++) {
    w.extent[i] = extent[i];
    w.count[i] =
        (extent[i] + 2 * w.padding[i] - w.dilation[i] * (w.kernel[i] - 1) - 1) / w.stride[i] + 1;
  }
  return w;
}

/* Calls fn for every element of every window that lies inside the image: its place there, and in
 * the column matrix. */
typedef void (*window_fn)(void *ctx, int64_t y, int64_t x, int64_t row, int64_t column);
static void each_window_element(const windows *w, window_fn fn, void *ctx) {
  int64_t row = 0;
  for (int64_t ky = 0; ky < w->kernel[0]; ky++)
    for (int64_t kx = 0; kx < w->kernel[1]; kx++, row++)
      for (int64_t i = 0; i < w->count[0]; i++)
        for (int64_t j = 0; j < w->count[1]; j++) {
          int64_t y = i * w->stride[0] - w->padding[0] + ky * w->dilation[0];
          int64_t x = j * w->stride[1] - w->padding[1] + kx * w->dilation[1];
          if (y >= 0 && y < w->extent[0] && x >= 0 && x < w->extent[1])
            fn(ctx, y, x, row, i * w->count[1] + j);
        }
}

typedef struct {
  tensor image;   /* [height, width] */
  tensor columns; /* [kernel elements, windows] */
  combine op;     /* into the image; REPLACE: into the columns */
} plane;

static void window_element(void *ctx, int64_t y, int64_t x, int64_t row, int64_t column) {
  plane *p = ctx;
  int64_t size = (int64_t)scanc_dtype_size(p->image.dtype);
  char *at = p->image.data + (y * p->image.strides[0] + x * p->image.strides[1]) * size;
  char *col =
      p->columns.data + (row * p->columns.strides[0] + column * p->columns.strides[1]) * size;
  if (p->op == COMBINE_REPLACE) elem_copy(col, at, (size_t)size);
  else elem_combine(p->op, p->image.dtype, at, col);
}

/* Every (sample, channel) plane of image [N, C, H, W] and columns [N, C * kernel, windows]. */
static void each_plane(const windows *w, tensor image, tensor columns, combine op) {
  int64_t rows = w->kernel[0] * w->kernel[1];
  if (image.rank == 3) part_unsqueeze(&image, 0);
  if (columns.rank == 2) part_unsqueeze(&columns, 0);
  for (int64_t n = 0; n < image.sizes[0]; n++)
    for (int64_t ch = 0; ch < image.sizes[1]; ch++) {
      plane p = {image, columns, op};
      part_select(&p.image, 0, n);
      part_select(&p.image, 0, ch);
      part_select(&p.columns, 0, n);
      part_slice(&p.columns, 0, ch * rows, rows, 1);
      each_window_element(w, window_element, &p);
    }
}

bool eval_im2col(eval_ctx *c) {
  const tensor *x = eval_tensor(c, 0);
  windows w = get_windows(c, 1, x->sizes + x->rank - 2);
  fill(&c->out[0], (number){.cls = 'i'});
  each_plane(&w, *x, c->out[0], COMBINE_REPLACE);
  return true;
}

bool eval_col2im(eval_ctx *c) {
  const tensor *x = eval_tensor(c, 0);
  const tensor *out = &c->out[0];
  windows w = get_windows(c, 2, out->sizes + out->rank - 2);
  fill(out, (number){.cls = 'i'});
  each_plane(&w, *out, *x, COMBINE_SUM);
  return true;
}
