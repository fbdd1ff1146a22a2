/* Convolution and its gradients over one to three axes, as matrix products with the windows of the
 * input laid out as columns. A transposed convolution gathers: an output position reads input (o +
 * padding - k * dilation) / stride where that is whole. Types without arithmetic of their own (f16,
 * bf16, small integers) are computed in f32 or i64. */
#include <string.h>

#include "runtime/eval.h"
#include "runtime/gemm.h"

/* One problem in three spatial axes; missing ones have size 1. */
typedef struct {
  int64_t batch, groups, in_c, out_c; /* channels of all groups */
  int64_t in[3], out[3], kernel[3], stride[3], padding[3], dilation[3];
  bool transposed;
  scanc_dtype acc;
  size_t esize;
} conv;

static int64_t product3(const int64_t *v) { return v[0] * v[1] * v[2]; }

void eval_spatial(const eval_ctx *c, int k, int n, int64_t fill, int64_t *v) {
  const rval *a = &c->arg[k];
  for (int i = 0; i < 3; i++) v[i] = fill;
  for (int i = 0; i < n; i++) {
    if (a->kind == TYPE_INT) v[3 - n + i] = a->i;
    else if (a->kind == TYPE_LIST && a->n > 0) v[3 - n + i] = a->items[a->n == 1 ? 0 : i].i;
  }
}

static void sizes3(const tensor *t, int n, int64_t *v) {
  for (int i = 0; i < 3; i++) v[i] = i < 3 - n ? 1 : t->sizes[t->rank - 3 + i];
}

/* Source index along one axis for window element k of position o; -1: outside. */
static inline int64_t source(const conv *p, int axis, int64_t o, int64_t k, bool transposed,
                             int64_t extent) {
  int64_t s = p->stride[axis], at = transposed ? o + p->padding[axis] - k * p->dilation[axis]
                                               : o * s - p->padding[axis] + k * p->dilation[axis];
  if (at < 0) return -1;
  if (transposed) {
    if (at % s) return -1;
    at /= s;
  }
  return at < extent ? at : -1;
}

/* Positions 0..n of the innermost axis for window element k: whole runs where they are adjacent in
 * the input. */
static void fill_line(const conv *p, const char *x, int64_t extent, int64_t n, int64_t k,
                      bool transposed, char *row) {
  size_t e = p->esize;
  if (!transposed && p->stride[2] == 1) {
    int64_t shift = k * p->dilation[2] - p->padding[2], lo = shift < 0 ? -shift : 0,
            hi = extent - shift;
    if (hi > n) hi = n;
    if (lo > n) lo = n;
    if (hi < lo) hi = lo;
    memset(row, 0, (size_t)lo * e);
    if (hi > lo) memcpy(row + (size_t)lo * e, x + (size_t)(lo + shift) * e, (size_t)(hi - lo) * e);
    memset(row + (size_t)hi * e, 0, (size_t)(n - hi) * e);
    return;
  }
  for (int64_t d = 0; d < n; d++, row += e) {
    int64_t l = source(p, 2, d, k, transposed, extent);
    if (l < 0) memset(row, 0, e);
    else memcpy(row, x + (size_t)l * e, e);
  }
}

/* One row of columns: window element (k0, k1, k2) of channel x for every position of an output
 * plane. */
static void fill_row(const conv *p, const char *x, const int64_t *in, const int64_t *out,
                     const int64_t *k, bool transposed, char *row) {
  size_t e = p->esize;
  for (int64_t a = 0; a < out[0]; a++) {
    int64_t i = source(p, 0, a, k[0], transposed, in[0]);
    for (int64_t b = 0; b < out[1]; b++) {
      int64_t j = i < 0 ? -1 : source(p, 1, b, k[1], transposed, in[1]);
      if (j < 0) memset(row, 0, (size_t)out[2] * e);
      else
        fill_line(p, x + (size_t)((i * in[1] + j) * in[2]) * e, in[2], out[2], k[2], transposed,
                  row);
      row += (size_t)out[2] * e;
    }
  }
}

/* columns[channel, k0, k1, k2, position] of `channels` planes at x. */
static void fill_columns(const conv *p, const char *x, int64_t channels, const int64_t *in,
                         const int64_t *out, bool transposed, char *columns) {
  size_t plane = (size_t)product3(in) * p->esize, row = (size_t)product3(out) * p->esize;
  int64_t k[3];
  for (int64_t ch = 0; ch < channels; ch++)
    for (k[0] = 0; k[0] < p->kernel[0]; k[0]++)
      for (k[1] = 0; k[1] < p->kernel[1]; k[1]++)
        for (k[2] = 0; k[2] < p->kernel[2]; k[2]++, columns += row)
          fill_row(p, x + (size_t)ch * plane, in, out, k, transposed, columns);
}

/* Scratch in pool memory, so that the limit on it holds. NULL when there is none. */
static storage *scratch(eval_ctx *c, int64_t elements, size_t esize) {
  storage *s = pool_alloc(c->mem, (size_t)(elements > 0 ? elements : 1) * esize);
  if (!s) eval_fail(c, SCANC_ERR_NO_MEMORY, "out of memory");
  return s;
}

/* weight[g] as a matrix [rows, channels * kernel] in w: rows are the channels that come out.
 * `swapped`: the weight has the channels that go in on its first axis. */
static void group_weight(const conv *p, const char *weight, int64_t g, int64_t rows,
                         int64_t channels, bool swapped, char *w) {
  size_t taps = (size_t)product3(p->kernel) * p->esize;
  const char *base = weight + (size_t)(g * rows * channels) * taps;
  for (int64_t r = 0; r < rows; r++)
    for (int64_t ch = 0; ch < channels; ch++, w += taps)
      memcpy(w, base + (size_t)(swapped ? ch * rows + r : r * channels + ch) * taps, taps);
}

/* y[N, out_c, out] from x[N, in_c, in]; all contiguous, of type acc. swapped: see group_weight. */
static bool forward(eval_ctx *c, const conv *p, const char *x, const char *weight, bool swapped,
                    char *y) {
  int64_t in_g = p->in_c / p->groups, out_g = p->out_c / p->groups,
          depth = in_g * product3(p->kernel);
  int64_t n_in = product3(p->in), n_out = product3(p->out);
  storage *cols = scratch(c, depth * n_out, p->esize), *w = scratch(c, out_g * depth, p->esize);
  for (int64_t g = 0; cols && w && g < p->groups; g++) {
    group_weight(p, weight, g, out_g, in_g, swapped, w->data);
    for (int64_t b = 0; b < p->batch; b++) {
      fill_columns(p, x + (size_t)((b * p->in_c + g * in_g) * n_in) * p->esize, in_g, p->in, p->out,
                   p->transposed, cols->data);
      gemm m = {
          out_g, n_out, depth, w->data, cols->data,
          depth, 1,     n_out, 1,       y + (size_t)((b * p->out_c + g * out_g) * n_out) * p->esize,
          n_out, 1};
      gemm_run(&m, p->acc, c->tmp);
    }
  }
  bool ok = cols && w;
  storage_release(cols);
  storage_release(w);
  return ok;
}

static conv describe(const eval_ctx *c, int first, const tensor *x, const tensor *w,
                     const tensor *y) {
  int n = w->rank - 2;
  conv p = {.batch = x->rank == w->rank ? x->sizes[0] : 1,
            .groups = eval_int_or(c, first + 5, 1),
            .in_c = x->sizes[x->rank - n - 1],
            .out_c = y->sizes[y->rank - n - 1],
            .transposed = eval_bool_or(c, first + 3, false),
            .acc = dtype_fold(x->dtype)};
  p.esize = scanc_dtype_size(p.acc);
  sizes3(x, n, p.in);
  sizes3(y, n, p.out);
  sizes3(w, n, p.kernel);
  eval_spatial(c, first, n, 1, p.stride);
  eval_spatial(c, first + 1, n, 0, p.padding);
  eval_spatial(c, first + 2, n, 1, p.dilation);
  return p;
}

#define ADD_BIAS(T) \
  do { \
    T *v = (T *)(void *)y; \
    for (int64_t b = 0; b < p->batch; b++) \
      for (int64_t ch = 0; ch < p->out_c; ch++, v += n) \
        for (int64_t i = 0; i < n; i++) v[i] += ((const T *)(const void *)bias)[ch]; \
  } while (0)

static void add_bias(const conv *p, char *y, const char *bias) {
  int64_t n = product3(p->out);
  if (p->acc == SCANC_F32) ADD_BIAS(float);
  else if (p->acc == SCANC_F64) ADD_BIAS(double);
  else ADD_BIAS(uint64_t);
}

/* A buffer of type acc that becomes `out`: its own memory where the types agree. */
static char *begin_result(eval_ctx *c, const tensor *out, scanc_dtype acc, storage **own) {
  *own = out->dtype == acc ? NULL : scratch(c, tensor_numel(out), scanc_dtype_size(acc));
  return out->dtype == acc ? out->data : *own ? (*own)->data : NULL;
}

static void end_result(const tensor *out, scanc_dtype acc, storage *own) {
  if (!own) return;
  convert_of(out->dtype, acc)(tensor_numel(out), out->data, 1, own->data, 1);
  storage_release(own);
}

/* input, weight, bias, stride, padding, dilation, transposed, output_padding, groups */
bool eval_convolution(eval_ctx *c) {
  const tensor *x = eval_tensor(c, 0), *w = eval_tensor(c, 1), *y = &c->out[0], *bias = NULL;
  conv p = describe(c, 3, x, w, y);
  storage *own;
  if (!(x = eval_contiguous(c, x, p.acc)) || !(w = eval_contiguous(c, w, p.acc))) return false;
  if (eval_given(c, 2) && !(bias = eval_contiguous(c, eval_tensor(c, 2), p.acc))) return false;
  char *out = begin_result(c, y, p.acc, &own);
  if (!out) return false;
  bool ok = forward(c, &p, x->data, w->data, p.transposed, out);
  if (ok && bias) add_bias(&p, out, bias->data);
  end_result(y, p.acc, own);
  return ok;
}

/* ---- gradients ---- */

/* The adjoint: the same windows with input and output exchanged. */
static bool input_gradient(eval_ctx *c, const conv *p, const char *g, const char *weight,
                           const tensor *out) {
  conv q = *p;
  storage *own;
  q.in_c = p->out_c, q.out_c = p->in_c;
  memcpy(q.in, p->out, sizeof q.in);
  memcpy(q.out, p->in, sizeof q.out);
  q.transposed = !p->transposed;
  char *y = begin_result(c, out, p->acc, &own);
  bool ok = y && forward(c, &q, g, weight, q.transposed, y);
  end_result(out, p->acc, own);
  return ok;
}

#define ACCUMULATE(T) \
  for (int64_t i = 0; i < n; i++) ((T *)sum)[i] += ((const T *)x)[i]

static void accumulate(void *sum, const void *x, int64_t n, scanc_dtype acc) {
  if (acc == SCANC_F32) ACCUMULATE(float);
  else ACCUMULATE(double);
}

/* weight[a, b, k] = sum over batch and position of rows[a, position] * window k of planes[b]: the
 * windows always slide over the larger side, which is the input, or the gradient of a transposed
 * convolution. */
static bool weight_gradient(eval_ctx *c, const conv *p, const char *x, const char *g,
                            const tensor *out) {
  const char *rows = p->transposed ? x : g, *planes = p->transposed ? g : x;
  const int64_t *small = p->transposed ? p->in : p->out, *large = p->transposed ? p->out : p->in;
  int64_t rows_c = p->transposed ? p->in_c : p->out_c,
          planes_c = p->transposed ? p->out_c : p->in_c;
  int64_t rg = rows_c / p->groups, pg = planes_c / p->groups, taps = product3(p->kernel),
          depth = pg * taps;
  int64_t n_small = product3(small), n_large = product3(large);
  storage *own, *cols = scratch(c, depth * n_small, p->esize),
                *part = scratch(c, rg * depth, p->esize);
  char *y = begin_result(c, out, p->acc, &own);
  bool ok = cols && part && y;
  if (ok) memset(y, 0, (size_t)tensor_numel(out) * p->esize);
  for (int64_t b = 0; ok && b < p->batch; b++)
    for (int64_t grp = 0; grp < p->groups; grp++) {
      fill_columns(p, planes + (size_t)((b * planes_c + grp * pg) * n_large) * p->esize, pg, large,
                   small, false, cols->data);
      gemm m = {rg,         depth,
                n_small,    rows + (size_t)((b * rows_c + grp * rg) * n_small) * p->esize,
                cols->data, n_small,
                1,          1,
                n_small,    part->data,
                depth,      1};
      gemm_run(&m, p->acc, c->tmp);
      accumulate(y + (size_t)(grp * rg * depth) * p->esize, part->data, rg * depth, p->acc);
    }
  storage_release(cols);
  storage_release(part);
  end_result(out, p->acc, own);
  return ok;
}

/* Sums of g over batch and positions. */
static bool bias_gradient(eval_ctx *c, const conv *p, const char *g, const tensor *out) {
  storage *own;
  int64_t n = product3(p->out);
  char *y = begin_result(c, out, p->acc, &own);
  if (!y) return false;
  for (int64_t ch = 0; ch < p->out_c; ch++) {
    double sum = 0;
    for (int64_t b = 0; b < p->batch; b++)
      for (int64_t i = 0; i < n; i++) {
        int64_t at = (b * p->out_c + ch) * n + i;
        sum += p->acc == SCANC_F32 ? (double)((const float *)(const void *)g)[at]
                                   : ((const double *)(const void *)g)[at];
      }
    number_store((number){.cls = 'f', .f = sum}, p->acc, y + (size_t)ch * p->esize);
  }
  end_result(out, p->acc, own);
  return true;
}

/* grad_output, input, weight, bias_sizes, stride, padding, dilation, transposed, output_padding,
 * groups, output_mask. Results that the mask leaves out are empty. */
bool eval_convolution_backward(eval_ctx *c) {
  const tensor *g = eval_tensor(c, 0), *x = eval_tensor(c, 1), *w = eval_tensor(c, 2);
  conv p = describe(c, 4, x, w, g);
  const rval *mask = c->arg[10].items;
  if (!(g = eval_contiguous(c, g, p.acc)) || !(x = eval_contiguous(c, x, p.acc)) ||
      !(w = eval_contiguous(c, w, p.acc)))
    return false;
  if (mask[0].i && !input_gradient(c, &p, g->data, w->data, &c->out[0])) return false;
  if (mask[1].i && !weight_gradient(c, &p, x->data, g->data, &c->out[1])) return false;
  return !mask[2].i || bias_gradient(c, &p, g->data, &c->out[2]);
}
