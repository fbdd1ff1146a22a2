/* Average and maximum pooling over one to three axes, and their gradients. Sums run in f64 (f32 for
 * f16 and bf16 loses nothing by it), in row-major order of the window, and are rounded once;
 * integers divide towards zero. */
#include <math.h>
#include <string.h>

#include "runtime/eval.h"
#include "runtime/fold.h"

/* Planes of up to three axes; missing ones have size 1. */
typedef struct {
  int64_t planes, in[3], out[3], kernel[3], stride[3], padding[3], dilation[3];
} windows;

static void planes_of(windows *w, const tensor *x, const tensor *y, int n) {
  w->planes = 1;
  for (int i = 0; i < x->rank - n; i++) w->planes *= x->sizes[i];
  for (int i = 0; i < 3; i++) {
    w->in[i] = i < 3 - n ? 1 : x->sizes[x->rank - 3 + i];
    w->out[i] = i < 3 - n ? 1 : y->sizes[y->rank - 3 + i];
    w->dilation[i] = 1;
  }
}

/* kernel_size, stride, padding in operands k.. */
static windows window_args(const eval_ctx *c, int k, const tensor *x, const tensor *y, int n) {
  windows w;
  planes_of(&w, x, y, n);
  eval_spatial(c, k, n, 1, w.kernel);
  eval_spatial(c, k + 1, n, 1, w.stride);
  if (c->arg[k + 1].kind == TYPE_LIST && c->arg[k + 1].n == 0)
    memcpy(w.stride, w.kernel, sizeof w.stride);
  if (!eval_given(c, k + 1)) memcpy(w.stride, w.kernel, sizeof w.stride);
  eval_spatial(c, k + 2, n, 0, w.padding);
  return w;
}

static int64_t plane(const int64_t *size) { return size[0] * size[1] * size[2]; }

/* The part of a window inside the input, and how many elements its average is taken over. */
typedef struct {
  int64_t lo[3], hi[3], count;
} box;

/* Calls fn for every output position, in order. */
typedef void (*visit)(void *ctx, const box *b, int64_t in_plane, int64_t out_at);

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

/* Sliding windows: with `padded`, padding counts, but not what ceil_mode adds beyond it. */
static box sliding(const windows *w, const int64_t *o, bool padded) {
  box b = {.count = 1};
  for (int i = 0; i < 3; i++) {
    int64_t start = o[i] * w->stride[i] - w->padding[i],
            end = smaller(start + w->kernel[i], w->in[i] + w->padding[i]);
    b.lo[i] = start < 0 ? 0 : start;
    b.hi[i] = smaller(end, w->in[i]);
    b.count *= padded ? end - start : b.hi[i] - b.lo[i];
  }
  return b;
}

/* Adaptive windows: position o of n covers [floor(o * in / n), ceil((o + 1) * in / n)). */
static box adaptive(const windows *w, const int64_t *o) {
  box b = {.count = 1};
  for (int i = 0; i < 3; i++) {
    b.lo[i] = o[i] * w->in[i] / w->out[i];
    b.hi[i] = ((o[i] + 1) * w->in[i] + w->out[i] - 1) / w->out[i];
    b.count *= b.hi[i] - b.lo[i];
  }
  return b;
}

typedef enum { SLIDING, SLIDING_PADDED, ADAPTIVE } window_kind;

static void each_window(const windows *w, window_kind kind, visit fn, void *ctx) {
  int64_t o[3], at = 0;
  for (int64_t p = 0; p < w->planes; p++)
    for (o[0] = 0; o[0] < w->out[0]; o[0]++)
      for (o[1] = 0; o[1] < w->out[1]; o[1]++)
        for (o[2] = 0; o[2] < w->out[2]; o[2]++, at++) {
          box b = kind == ADAPTIVE ? adaptive(w, o) : sliding(w, o, kind == SLIDING_PADDED);
          fn(ctx, &b, p, at);
        }
}

/* ---- averages ---- */

typedef struct {
  const windows *w;
  const void *x; /* f64 or i64 */
  void *y;
  int64_t divisor; /* 0: the count of the window */
} average;

static void average_f64(void *ctx, const box *b, int64_t p, int64_t at) {
  const average *a = ctx;
  const double *x = (const double *)a->x + p * plane(a->w->in);
  double sum = 0;
  for (int64_t i = b->lo[0]; i < b->hi[0]; i++)
    for (int64_t j = b->lo[1]; j < b->hi[1]; j++)
      for (int64_t k = b->lo[2]; k < b->hi[2]; k++)
        sum += x[(i * a->w->in[1] + j) * a->w->in[2] + k];
  ((double *)a->y)[at] = sum / (double)(a->divisor ? a->divisor : b->count);
}

static void average_i64(void *ctx, const box *b, int64_t p, int64_t at) {
  const average *a = ctx;
  const int64_t *x = (const int64_t *)a->x + p * plane(a->w->in);
  uint64_t sum = 0;
  for (int64_t i = b->lo[0]; i < b->hi[0]; i++)
    for (int64_t j = b->lo[1]; j < b->hi[1]; j++)
      for (int64_t k = b->lo[2]; k < b->hi[2]; k++)
        sum += (uint64_t)x[(i * a->w->in[1] + j) * a->w->in[2] + k];
  int64_t by = a->divisor ? a->divisor : b->count;
  ((int64_t *)a->y)[at] = by == 0 ? 0 : by == -1 ? (int64_t)-sum : (int64_t)sum / by;
}

/* A gradient spread evenly over its window. */
static void spread_f64(void *ctx, const box *b, int64_t p, int64_t at) {
  const average *a = ctx;
  double *y = (double *)a->y + p * plane(a->w->in),
         g = ((const double *)a->x)[at] / (double)(a->divisor ? a->divisor : b->count);
  for (int64_t i = b->lo[0]; i < b->hi[0]; i++)
    for (int64_t j = b->lo[1]; j < b->hi[1]; j++)
      for (int64_t k = b->lo[2]; k < b->hi[2]; k++) y[(i * a->w->in[1] + j) * a->w->in[2] + k] += g;
}

/* Runs fn from x, converted to `acc`, to out, which starts at zero. */
static bool pass_windows(eval_ctx *c, const windows *w, window_kind kind, visit fn, const tensor *x,
                         int64_t divisor) {
  tensor *out = &c->out[0];
  scanc_dtype acc = dtype_class(out->dtype) == 'f' ? SCANC_F64 : SCANC_I64;
  const tensor *wide = eval_contiguous(c, x, acc);
  storage *s = pool_alloc(c->mem, (size_t)tensor_numel(out) * 8 + 8);
  bool ok = wide && s;
  if (!s) eval_fail(c, SCANC_ERR_NO_MEMORY, "out of memory");
  if (ok) {
    memset(s->data, 0, (size_t)tensor_numel(out) * 8);
    average a = {w, wide->data, s->data, divisor};
    each_window(w, kind, fn, &a);
    convert_of(out->dtype, acc)(tensor_numel(out), out->data, 1, s->data, 1);
  }
  storage_release(s);
  return ok;
}

/* self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override */
static bool avg_pool(eval_ctx *c, int n) {
  const tensor *x = eval_tensor(c, 0);
  windows w = window_args(c, 1, x, &c->out[0], n);
  window_kind kind = eval_bool_or(c, 5, true) ? SLIDING_PADDED : SLIDING;
  return pass_windows(c, &w, kind, c->out[0].dtype == SCANC_I64 ? average_i64 : average_f64, x,
                      eval_int_or(c, 6, 0));
}

bool eval_avg_pool2d(eval_ctx *c) { return avg_pool(c, 2); }
bool eval_avg_pool3d(eval_ctx *c) { return avg_pool(c, 3); }

/* grad_output, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
 */
bool eval_avg_pool2d_backward(eval_ctx *c) {
  const tensor *g = eval_tensor(c, 0);
  windows w = window_args(c, 2, eval_tensor(c, 1), g, 2);
  return pass_windows(c, &w, eval_bool_or(c, 6, true) ? SLIDING_PADDED : SLIDING, spread_f64, g,
                      eval_int_or(c, 7, 0));
}

static bool adaptive_pool(eval_ctx *c, int n) {
  windows w;
  planes_of(&w, eval_tensor(c, 0), &c->out[0], n);
  return pass_windows(c, &w, ADAPTIVE, average_f64, eval_tensor(c, 0), 0);
}

bool eval_adaptive_avg_pool2d(eval_ctx *c) { return adaptive_pool(c, 2); }
bool eval_adaptive_avg_pool3d(eval_ctx *c) { return adaptive_pool(c, 3); }

bool eval_adaptive_avg_pool2d_backward(eval_ctx *c) {
  windows w;
  planes_of(&w, eval_tensor(c, 1), eval_tensor(c, 0), 2);
  return pass_windows(c, &w, ADAPTIVE, spread_f64, eval_tensor(c, 0), 0);
}

/* ---- maxima: the first of equal ones; the last NaN wins ---- */

#define MAX_WINDOW(name, T, wins) \
  static void name(const windows *w, const T *x, const int64_t *o, T *value, int64_t *index) { \
    bool none = true; \
    for (int64_t a = 0; a < w->kernel[0]; a++) { \
      int64_t i = o[0] * w->stride[0] - w->padding[0] + a * w->dilation[0]; \
      if (i < 0 || i >= w->in[0]) continue; \
      for (int64_t b = 0; b < w->kernel[1]; b++) { \
        int64_t j = o[1] * w->stride[1] - w->padding[1] + b * w->dilation[1]; \
        if (j < 0 || j >= w->in[1]) continue; \
        for (int64_t d = 0; d < w->kernel[2]; d++) { \
          int64_t k = o[2] * w->stride[2] - w->padding[2] + d * w->dilation[2]; \
          if (k < 0 || k >= w->in[2]) continue; \
          int64_t at = (i * w->in[1] + j) * w->in[2] + k; \
          T v = x[at], best = *value; \
          if (none || (wins)) *value = v, *index = at; \
          none = false; \
        } \
      } \
    } \
  }

MAX_WINDOW(max_f64, double, v > best || isnan(v))
MAX_WINDOW(max_i64, int64_t, v > best)

/* self, kernel_size, stride, padding, dilation, ceil_mode */
static bool max_pool(eval_ctx *c, int n) {
  const tensor *x = eval_tensor(c, 0), *y = &c->out[0];
  windows w = window_args(c, 1, x, y, n);
  eval_spatial(c, 4, n, 1, w.dilation);
  bool real = dtype_class(x->dtype) == 'f';
  scanc_dtype acc = real ? SCANC_F64 : SCANC_I64;
  if (!(x = eval_contiguous(c, x, acc))) return false;
  convert_fn store = convert_of(y->dtype, acc);
  size_t esize = scanc_dtype_size(y->dtype);
  int64_t o[3], at = 0, *index = (int64_t *)(void *)c->out[1].data;
  for (int64_t p = 0; p < w.planes; p++) {
    const char *in = x->data + (size_t)(p * plane(w.in)) * 8;
    for (o[0] = 0; o[0] < w.out[0]; o[0]++)
      for (o[1] = 0; o[1] < w.out[1]; o[1]++)
        for (o[2] = 0; o[2] < w.out[2]; o[2]++, at++) {
          double f = -INFINITY;
          int64_t i = INT64_MIN;
          index[at] = 0;
          if (real) max_f64(&w, (const double *)(const void *)in, o, &f, &index[at]);
          else max_i64(&w, (const int64_t *)(const void *)in, o, &i, &index[at]);
          store(1, y->data + (size_t)at * esize, 1, real ? (const void *)&f : (const void *)&i, 1);
        }
  }
  return true;
}

bool eval_max_pool2d_with_indices(eval_ctx *c) { return max_pool(c, 2); }
bool eval_max_pool3d_with_indices(eval_ctx *c) { return max_pool(c, 3); }

/* grad_output, self, kernel_size, stride, padding, dilation, ceil_mode, indices */
bool eval_max_pool2d_with_indices_backward(eval_ctx *c) {
  const tensor *g = eval_contiguous(c, eval_tensor(c, 0), SCANC_F64),
               *at = eval_contiguous(c, eval_tensor(c, 7), SCANC_I64);
  tensor *out = &c->out[0];
  if (!g || !at) return false;
  int64_t in = out->sizes[out->rank - 1] * out->sizes[out->rank - 2], n = tensor_numel(g);
  int64_t per_plane = g->sizes[g->rank - 1] * g->sizes[g->rank - 2];
  storage *s = pool_alloc(c->mem, (size_t)tensor_numel(out) * 8 + 8);
  if (!s) return eval_fail(c, SCANC_ERR_NO_MEMORY, "out of memory");
  double *y = memset(s->data, 0, (size_t)tensor_numel(out) * 8);
  for (int64_t i = 0; i < n; i++) {
    int64_t k = ((const int64_t *)(const void *)at->data)[i];
    if (k < 0 || k >= in)
      eval_data_error(c, "index %lld is out of range for a plane of %lld elements", (long long)k,
                      (long long)in);
    else y[i / per_plane * in + k] += ((const double *)(const void *)g->data)[i];
  }
  convert_of(out->dtype, SCANC_F64)(tensor_numel(out), out->data, 1, s->data, 1);
  storage_release(s);
  return true;
}
