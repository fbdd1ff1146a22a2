/* Shape and dtype rules of convolution, pooling, Fourier transforms and bags of embeddings. */
#include <string.h>

#include "ir/infer.h"
#include "ir/infer_reduce.h"
#include "ir/shape.h"

/* Arguments of ops that slide a window over one to three axes. */

typedef struct {
  int n; /* spatial axes */
  int64_t stride[3], padding[3], dilation[3], output_padding[3];
  bool transposed;
  int64_t groups;
} conv_args;

typedef struct {
  int n;
  int64_t kernel[3], stride[3], padding[3], dilation[3];
  bool ceil_mode;
} pool_args;

/* ---- lists with one entry per spatial axis ---- */

/* Operand k as n constants: one number or a list of 1 or n, each at least min; dflt where it is
 * absent or empty. */
static bool infer_spatial(infer_ctx *c, int k, int n, int64_t dflt, int64_t min, int64_t *out) {
  const type *t = c->arg[k];
  for (int i = 0; i < n; i++) out[i] = dflt;
  if (!arg_given(c, k) || (t->kind == TYPE_LIST && t->n == 0)) return true;
  bool list = t->kind == TYPE_LIST;
  if (list && t->n != n && t->n != 1)
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "argument '%s': expected 1 or %d numbers, got %d",
                      op_operand_name(c->op, k), n, t->n),
           false;
  for (int i = 0; i < n; i++) {
    const type *e = list ? t->items[t->n == 1 ? 0 : i] : t;
    if (!e || e->kind != TYPE_INT || !dim_is_int(e->i))
      return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "argument '%s': expected constant integers",
                        op_operand_name(c->op, k)),
             false;
    out[i] = e->i.k;
    if (out[i] < min || out[i] > INT32_MAX) /* so that products of two of them do not overflow */
      return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "argument '%s': expected %lld to %d, got %lld",
                        op_operand_name(c->op, k), (long long)min, INT32_MAX, (long long)out[i]),
             false;
  }
  return true;
}

static bool same_sizes(infer_ctx *c, const type *x, const type *expected, const char *what) {
  bool same = x->n == expected->n;
  for (int i = 0; same && i < x->n; i++) same = dims_agree(c, x->dims[i], expected->dims[i]);
  if (!same)
    infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "expected %s of sizes %s, got %s", what,
               shape_text(c, expected->dims, expected->n), shape_text(c, x->dims, x->n));
  return same;
}

static bool fail_small(infer_ctx *c) {
  return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "the window is larger than the padded input"),
         false;
}

/* ---- convolution ---- */

/* Output size along one axis. */
static bool conv_size(infer_ctx *c, const conv_args *p, int i, dim in, dim kernel, dim *out) {
  dim span = dim_mul(c->syms, dim_int(p->dilation[i]), dim_sub(c->syms, kernel, dim_int(1)));
  if (p->transposed) {
    dim d = dim_mul(c->syms, dim_sub(c->syms, in, dim_int(1)), dim_int(p->stride[i]));
    d = dim_add(c->syms, dim_add(c->syms, d, span),
                dim_int(p->output_padding[i] + 1 - 2 * p->padding[i]));
    if (dim_is_int(d) && d.k < 1) return fail_small(c);
    *out = d;
    return true;
  }
  dim room = dim_sub(c->syms, dim_add(c->syms, in, dim_int(2 * p->padding[i])),
                     dim_add(c->syms, span, dim_int(1)));
  if (dim_is_int(room) && room.k < 0) return fail_small(c);
  *out = dim_add(c->syms, dim_floordiv(c->syms, room, dim_int(p->stride[i])), dim_int(1));
  return true;
}

static bool conv_channels(infer_ctx *c, const conv_args *p, const type *x, const type *w,
                          dim *channels) {
  dim in = x->dims[x->n - p->n - 1], g = dim_int(p->groups);
  dim want = p->transposed ? w->dims[0] : dim_mul(c->syms, w->dims[1], g);
  *channels = p->transposed ? dim_mul(c->syms, w->dims[1], g) : w->dims[0];
  if (p->groups < 1)
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "expected at least one group"), false;
  if (!dims_agree(c, in, want))
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH,
                      "the weight is for another number of input channels"),
           false;
  if (dim_is_int(w->dims[0]) && w->dims[0].k % p->groups)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "the channels cannot be cut into %lld groups",
                      (long long)p->groups),
           false;
  return true;
}

/* x [N, C, s...] or [C, s...], w, and operand `bias` (-1: none) if given. */
static const type *conv_type(infer_ctx *c, const conv_args *p, const type *x, const type *w,
                             int bias) {
  dim dims[SCANC_MAX_RANK], channels;
  const type *b;
  if (!infer_same_dtype(c, x, w)) return NULL;
  if (x->dtype == SCANC_BOOL || dtype_class(x->dtype) == 'c')
    return infer_fail(c, SCANC_ERR_UNSUPPORTED, "convolution of %s is not supported",
                      scanc_dtype_name(x->dtype));
  if (w->n != p->n + 2 || (x->n != p->n + 2 && x->n != p->n + 1))
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH,
                      "expected an input of rank %d or %d and a weight of rank %d, got %d and %d",
                      p->n + 1, p->n + 2, p->n + 2, x->n, w->n);
  if (!conv_channels(c, p, x, w, &channels)) return NULL;
  int at = x->n - p->n;
  dims[0] = x->dims[0];
  dims[at - 1] = channels;
  for (int i = 0; i < p->n; i++)
    if (!conv_size(c, p, i, x->dims[at + i], w->dims[2 + i], &dims[at + i])) return NULL;
  if (bias >= 0 && arg_given(c, bias)) {
    if (!arg_tensor(c, bias, &b) || !infer_same_dtype(c, x, b)) return NULL;
    if (b->n != 1 || !dims_agree(c, b->dims[0], channels))
      return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH,
                        "the bias does not have one entry per output channel");
  }
  return infer_tensor(c, x->dtype, dims, x->n);
}

/* stride, padding, dilation, transposed, output_padding, groups in operands k.. */
static bool full_args(infer_ctx *c, int k, conv_args *p) {
  return infer_spatial(c, k, p->n, 1, 1, p->stride) &&
         infer_spatial(c, k + 1, p->n, 0, 0, p->padding) &&
         infer_spatial(c, k + 2, p->n, 1, 1, p->dilation) &&
         arg_bool_or(c, k + 3, false, &p->transposed) &&
         infer_spatial(c, k + 4, p->n, 0, 0, p->output_padding) &&
         arg_int_or(c, k + 5, 1, &p->groups);
}

static bool spatial_rank(infer_ctx *c, const type *w, conv_args *p) {
  p->n = w->n - 2;
  if (p->n >= 1 && p->n <= 3) return true;
  infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "expected a weight of rank 3 to 5, got %d", w->n);
  return false;
}

const type *infer_convolution(infer_ctx *c) {
  const type *x, *w;
  conv_args p = {0};
  if (!arg_tensor(c, 0, &x) || !arg_tensor(c, 1, &w) || !spatial_rank(c, w, &p) ||
      !full_args(c, 3, &p))
    return NULL;
  return conv_type(c, &p, x, w, 2);
}

/* grad_output, input, weight, bias_sizes, stride.., output_mask */
const type *infer_convolution_backward(infer_ctx *c) {
  const type *g, *x, *w, *y, *t[3], *items[3];
  conv_args p = {0};
  if (!arg_tensor(c, 0, &g) || !arg_tensor(c, 1, &x) || !arg_tensor(c, 2, &w) ||
      !spatial_rank(c, w, &p) || !full_args(c, 4, &p))
    return NULL;
  if (x->n != w->n || g->n != w->n || !infer_need_float(c, x, "the input", false))
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH,
                      "expected grad_output, input and weight of one rank");
  if (!(y = conv_type(c, &p, x, w, -1)) || !infer_same_dtype(c, g, x) ||
      !same_sizes(c, g, y, "a gradient"))
    return NULL;
  t[0] = x;
  t[1] = w;
  t[2] = infer_tensor(c, x->dtype, &g->dims[1], 1);
  const type *mask = c->arg[10];
  if (!mask || mask->kind != TYPE_LIST || mask->n != 3)
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "expected an output_mask of three booleans");
  for (int i = 0; i < 3; i++) { /* what the mask leaves out is an empty tensor */
    const type *m = mask->items[i];
    items[i] = m && m->known && m->i.k ? t[i] : infer_tensor(c, x->dtype, (dim[]){dim_int(0)}, 1);
    if (!items[i]) return NULL;
  }
  return type_list(c->mem, items, 3);
}

static int op_spatial(const infer_ctx *c) { return c->op->name[strlen(c->op->name) - 2] - '0'; }

/* padding="same" keeps the size; the odd element goes to the end. */
static const type *conv_same(infer_ctx *c, const conv_args *p, const type *x, const type *w) {
  const type *t = conv_type(c, p, x, w, 2);
  if (!t) return NULL;
  dim dims[SCANC_MAX_RANK];
  memcpy(dims, t->dims, sizeof *dims * (size_t)t->n);
  for (int i = 0; i < p->n; i++) {
    if (p->stride[i] != 1)
      return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "padding='same' needs a stride of 1");
    dims[t->n - p->n + i] = x->dims[x->n - p->n + i];
  }
  return infer_tensor(c, t->dtype, dims, t->n);
}

/* input, weight, bias, stride, padding, dilation, groups */
const type *infer_conv_nd(infer_ctx *c) {
  const type *x, *w;
  const char *mode = "";
  conv_args p = {.n = op_spatial(c)};
  if (!arg_tensor(c, 0, &x) || !arg_tensor(c, 1, &w) || !infer_spatial(c, 3, p.n, 1, 1, p.stride) ||
      !infer_spatial(c, 5, p.n, 1, 1, p.dilation) || !arg_int_or(c, 6, 1, &p.groups))
    return NULL;
  if (c->arg[4]->kind != TYPE_STR)
    return infer_spatial(c, 4, p.n, 0, 0, p.padding) ? conv_type(c, &p, x, w, 2) : NULL;
  if (!arg_str_or(c, 4, "valid", &mode)) return NULL;
  if (!strcmp(mode, "valid")) return conv_type(c, &p, x, w, 2);
  if (strcmp(mode, "same"))
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT,
                      "expected a padding of 'same' or 'valid', got '%.40s'", mode);
  for (int i = 0; i < p.n && w->n == p.n + 2;
       i++) /* enough padding for any size; only the check of the rest matters */
    p.padding[i] = dim_is_int(w->dims[2 + i]) && w->dims[2 + i].k <= INT32_MAX
                       ? p.dilation[i] * w->dims[2 + i].k
                       : 0;
  return conv_same(c, &p, x, w);
}

/* input, weight, bias, stride, padding, output_padding, groups, dilation */
const type *infer_conv_transpose(infer_ctx *c) {
  const type *x, *w;
  conv_args p = {.n = op_spatial(c), .transposed = true};
  if (!arg_tensor(c, 0, &x) || !arg_tensor(c, 1, &w) || !infer_spatial(c, 3, p.n, 1, 1, p.stride) ||
      !infer_spatial(c, 4, p.n, 0, 0, p.padding) ||
      !infer_spatial(c, 5, p.n, 0, 0, p.output_padding) || !arg_int_or(c, 6, 1, &p.groups) ||
      !infer_spatial(c, 7, p.n, 1, 1, p.dilation))
    return NULL;
  return conv_type(c, &p, x, w, 2);
}

/* ---- pooling ---- */

/* Windows along one axis; with ceil_mode the last one must start inside the input or the left
 * padding. */
static bool pool_size(infer_ctx *c, const pool_args *p, int i, dim in, dim *out) {
  int64_t span = p->dilation[i] * (p->kernel[i] - 1) + 1, s = p->stride[i];
  if (2 * p->padding[i] > p->kernel[i])
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "the padding is more than half of the window"),
           false;
  dim room = dim_add(c->syms, in, dim_int(2 * p->padding[i] - span));
  if (dim_is_int(room) && room.k < 0 && !(p->ceil_mode && room.k + s - 1 >= 0))
    return fail_small(c);
  dim n = dim_add(
      c->syms,
      dim_floordiv(c->syms, dim_add(c->syms, room, dim_int(p->ceil_mode ? s - 1 : 0)), dim_int(s)),
      dim_int(1));
  if (p->ceil_mode && dim_is_int(n) && dim_is_int(in) && (n.k - 1) * s >= in.k + p->padding[i])
    n.k--;
  *out = n;
  return true;
}

static const type *pool_type(infer_ctx *c, const pool_args *p, const type *x, scanc_dtype d) {
  dim dims[SCANC_MAX_RANK];
  if (x->n != p->n + 1 && x->n != p->n + 2)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "expected an input of rank %d or %d, got %d",
                      p->n + 1, p->n + 2, x->n);
  memcpy(dims, x->dims, sizeof *dims * (size_t)x->n);
  int at = x->n - p->n;
  for (int i = 0; i < p->n; i++)
    if (!pool_size(c, p, i, x->dims[at + i], &dims[at + i])) return NULL;
  return infer_tensor(c, d, dims, x->n);
}

/* Operands at, at + 1, ...: self, kernel_size, stride, padding */
static bool window_args(infer_ctx *c, int at, int n, pool_args *p, const type **x) {
  *p = (pool_args){.n = n};
  for (int i = 0; i < n; i++) p->dilation[i] = 1;
  SCANC_TRY(arg_tensor(c, at, x) && infer_spatial(c, at + 1, n, 1, 1, p->kernel) &&
            infer_spatial(c, at + 2, n, 0, 1, p->stride) &&
            infer_spatial(c, at + 3, n, 0, 0, p->padding));
  for (int i = 0; i < n; i++)
    if (p->stride[i] == 0) p->stride[i] = p->kernel[i];
  return true;
}

static const type *avg_pool(infer_ctx *c, int n) {
  const type *x;
  pool_args p;
  int64_t divisor;
  if (!window_args(c, 0, n, &p, &x) || !arg_bool_or(c, 4, false, &p.ceil_mode)) return NULL;
  if (c->op->n_operands > 6 && !arg_int_or(c, 6, 1, &divisor)) return NULL;
  if (c->op->n_operands > 6 && divisor == 0)
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "divisor_override is zero");
  if (dtype_class(x->dtype) != 'f' && x->dtype != SCANC_I64)
    return infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "%s has no form for %s", c->op->name,
                      scanc_dtype_name(x->dtype));
  return pool_type(c, &p, x, x->dtype);
}

const type *infer_avg_pool1d(infer_ctx *c) { return avg_pool(c, 1); }
const type *infer_avg_pool2d(infer_ctx *c) { return avg_pool(c, 2); }
const type *infer_avg_pool3d(infer_ctx *c) { return avg_pool(c, 3); }

static const type *max_pool(infer_ctx *c, int n, bool indices) {
  const type *x;
  pool_args p;
  if (!window_args(c, 0, n, &p, &x) || !infer_spatial(c, 4, n, 1, 1, p.dilation) ||
      !arg_bool_or(c, 5, false, &p.ceil_mode))
    return NULL;
  if (x->dtype == SCANC_BOOL || dtype_class(x->dtype) == 'c')
    return infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "%s has no form for %s", c->op->name,
                      scanc_dtype_name(x->dtype));
  const type *values = pool_type(c, &p, x, x->dtype);
  return indices && values ? infer_pair(c, values, infer_shaped_as(c, values, SCANC_I64)) : values;
}

const type *infer_max_pool1d(infer_ctx *c) { return max_pool(c, 1, false); }
const type *infer_max_pool2d(infer_ctx *c) { return max_pool(c, 2, false); }
const type *infer_max_pool3d(infer_ctx *c) { return max_pool(c, 3, false); }
const type *infer_max_pool1d_indices(infer_ctx *c) { return max_pool(c, 1, true); }
const type *infer_max_pool2d_indices(infer_ctx *c) { return max_pool(c, 2, true); }
const type *infer_max_pool3d_indices(infer_ctx *c) { return max_pool(c, 3, true); }

/* self, output_size: an entry None keeps the size */
static const type *adaptive_pool(infer_ctx *c, int n) {
  const type *x, *s = c->arg[1];
  dim dims[SCANC_MAX_RANK];
  if (!arg_tensor(c, 0, &x) || !infer_need_float(c, x, "the input", false)) return NULL;
  if (x->n != n + 1 && x->n != n + 2)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "expected an input of rank %d or %d, got %d",
                      n + 1, n + 2, x->n);
  memcpy(dims, x->dims, sizeof *dims * (size_t)x->n);
  for (int i = 0; i < n; i++) {
    const type *e = s->kind == TYPE_LIST ? (s->n == 1  ? s->items[0]
                                            : i < s->n ? s->items[i]
                                                       : NULL)
                                         : s;
    if (!e || (e->kind != TYPE_INT && e->kind != TYPE_NONE))
      return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "expected an output_size of %d integers", n);
    if (e->kind == TYPE_INT) dims[x->n - n + i] = e->i;
  }
  return infer_tensor(c, x->dtype, dims, x->n);
}

const type *infer_adaptive_pool1d(infer_ctx *c) { return adaptive_pool(c, 1); }
const type *infer_adaptive_pool2d(infer_ctx *c) { return adaptive_pool(c, 2); }
const type *infer_adaptive_pool3d(infer_ctx *c) { return adaptive_pool(c, 3); }

/* ---- gradients of pooling: of the type of the pooled operand ---- */

static bool gradient_args(infer_ctx *c, const type **g, const type **x) {
  SCANC_TRY(arg_tensor(c, 0, g) && arg_tensor(c, 1, x) && infer_same_dtype(c, *g, *x));
  if ((*g)->n == (*x)->n && (*x)->n >= 3 && (*x)->n <= 4) return true;
  return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH,
                    "expected operands of one rank, 3 or 4, got %d and %d", (*g)->n, (*x)->n),
         false;
}

/* grad_output, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
 */
const type *infer_avg_pool2d_backward(infer_ctx *c) {
  const type *g, *x, *pooled;
  pool_args p;
  int64_t divisor;
  if (!gradient_args(c, &g, &x) || !window_args(c, 1, 2, &p, &x) ||
      !arg_bool_or(c, 5, false, &p.ceil_mode) || !arg_int_or(c, 7, 1, &divisor) ||
      !(pooled = pool_type(c, &p, x, x->dtype)))
    return NULL;
  if (divisor == 0) return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "divisor_override is zero");
  return same_sizes(c, g, pooled, "a gradient") ? infer_shaped_as(c, x, x->dtype) : NULL;
}

/* grad_output, self, kernel_size, stride, padding, dilation, ceil_mode, indices */
const type *infer_max_pool2d_backward(infer_ctx *c) {
  const type *g, *x, *pooled, *indices;
  pool_args p;
  if (!gradient_args(c, &g, &x) || !window_args(c, 1, 2, &p, &x) ||
      !infer_spatial(c, 5, 2, 1, 1, p.dilation) || !arg_bool_or(c, 6, false, &p.ceil_mode) ||
      !arg_tensor(c, 7, &indices) || !(pooled = pool_type(c, &p, x, x->dtype)))
    return NULL;
  if (indices->dtype != SCANC_I64)
    return infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "expected indices of i64, got %s",
                      scanc_dtype_name(indices->dtype));
  if (!same_sizes(c, g, pooled, "a gradient") || !same_sizes(c, indices, pooled, "indices"))
    return NULL;
  return infer_shaped_as(c, x, x->dtype);
}

/* grad_output, self */
const type *infer_adaptive_pool2d_backward(infer_ctx *c) {
  const type *g, *x;
  if (!gradient_args(c, &g, &x)) return NULL;
  const type *planes = infer_tensor(c, x->dtype, x->dims, x->n - 2);
  type outer = *g;
  outer.n -= 2;
  return same_sizes(c, &outer, planes, "planes of the gradient") ? infer_shaped_as(c, x, x->dtype)
                                                                 : NULL;
}

/* ---- transforms ---- */

/* self, dim: at least one axis */
static bool fft_args(infer_ctx *c, char cls, const type **x, int *axes, int *n) {
  SCANC_TRY(arg_tensor(c, 0, x) && arg_axes(c, 1, (*x)->n, axes, n));
  if (dtype_class((*x)->dtype) != cls || (*x)->dtype == SCANC_F16 || (*x)->dtype == SCANC_BF16)
    return infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "%s has no form for %s", c->op->name,
                      scanc_dtype_name((*x)->dtype)),
           false;
  return true;
}

const type *infer_fft_r2c(infer_ctx *c) {
  const type *x;
  int axes[SCANC_MAX_RANK], n;
  bool onesided;
  dim dims[SCANC_MAX_RANK];
  if (!fft_args(c, 'f', &x, axes, &n) || !arg_bool_or(c, 3, true, &onesided)) return NULL;
  memcpy(dims, x->dims, sizeof *dims * (size_t)x->n);
  if (n > 0 && onesided)
    dims[axes[n - 1]] =
        dim_add(c->syms, dim_floordiv(c->syms, dims[axes[n - 1]], dim_int(2)), dim_int(1));
  return infer_tensor(c, dtype_complex(x->dtype), dims, x->n);
}

const type *infer_fft_c2r(infer_ctx *c) {
  const type *x;
  int axes[SCANC_MAX_RANK], n;
  dim dims[SCANC_MAX_RANK], last;
  if (!fft_args(c, 'c', &x, axes, &n) || !arg_dim(c, 3, &last)) return NULL;
  memcpy(dims, x->dims, sizeof *dims * (size_t)x->n);
  if (n > 0) dims[axes[n - 1]] = last;
  return infer_tensor(c, dtype_real(x->dtype), dims, x->n);
}

const type *infer_fft_c2c(infer_ctx *c) {
  const type *x;
  int axes[SCANC_MAX_RANK], n;
  return fft_args(c, 'c', &x, axes, &n) ? infer_shaped_as(c, x, x->dtype) : NULL;
}

/* ---- bags: weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights,
 * include_last_offset, padding_idx ---- */

const type *infer_embedding_bag(infer_ctx *c) {
  const type *w, *i, *o, *items[4];
  int64_t mode, padding;
  bool last;
  if (!arg_tensor(c, 0, &w) || !arg_tensor(c, 1, &i) || !arg_tensor(c, 2, &o) ||
      !arg_int_or(c, 4, 0, &mode) || !arg_int_or(c, 8, -1, &padding) ||
      !arg_bool_or(c, 7, false, &last) || !infer_need_float(c, w, "the weight", false))
    return NULL;
  if (w->n != 2 || i->n != 1 || o->n != 1)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH,
                      "expected a weight of rank 2, indices and offsets of rank 1");
  if (mode < 0 || mode > 2)
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "expected a mode of 0, 1 or 2");
  if (dtype_class(i->dtype) != 'i' || dtype_class(o->dtype) != 'i')
    return infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "expected integer indices and offsets");
  dim bags = last ? dim_sub(c->syms, o->dims[0], dim_int(1)) : o->dims[0];
  items[0] = infer_tensor(c, w->dtype, (dim[]){bags, w->dims[1]}, 2);
  bool no_map = mode == 0 && padding < 0 &&
                w->dtype != SCANC_F64; /* PyTorch leaves the bag of each index out */
  items[1] = infer_tensor(c, i->dtype, no_map ? (dim[]){dim_int(0)} : i->dims, 1);
  items[2] = infer_tensor(c, i->dtype, &bags, 1);
  items[3] = mode == 2 ? infer_tensor(c, i->dtype, (dim[]){bags, w->dims[1]}, 2) : items[2];
  return items[0] && items[1] && items[2] && items[3] ? type_list(c->mem, items, 4) : NULL;
}
