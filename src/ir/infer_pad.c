/* Shape rules of ops that pad or resample. */
#include <string.h>

#include "ir/shape.h"

/* ---- padding ---- */

/* How many elements may be added on a side of d, in each mode that takes them from the tensor. */
static bool pad_limit(infer_ctx *c, const char *mode, dim d, int64_t *most) {
  *most = INT64_MAX;
  if (!strcmp(mode, "circular")) *most = d.k;
  else if (!strcmp(mode, "reflect")) *most = d.k - 1;
  else if (strcmp(mode, "replicate") != 0 && strcmp(mode, "constant") != 0)
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT,
                      "mode '%.60s'; expected constant, reflect, replicate or circular",
                      mode) != NULL;
  return true;
}

static bool check_padding(infer_ctx *c, const char *mode, dim d, dim low, dim high) {
  int64_t most;
  SCANC_TRY(pad_limit(c, mode, d, &most));
  bool known = dim_is_int(d) && dim_is_int(low) && dim_is_int(high);
  if (!known || !strcmp(mode, "constant")) return true;
  if (low.k <= most && high.k <= most && (d.k || (low.k <= 0 && high.k <= 0))) return true;
  return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH,
                    "%s padding (%lld, %lld) is too large for the extent %lld", mode,
                    (long long)low.k, (long long)high.k, (long long)d.k) != NULL;
}

static const type *padded(infer_ctx *c, const char *mode) {
  const type *x;
  dim by[SCANC_MAX_RANK * 2], size[SCANC_MAX_RANK];
  int n;
  if (!arg_tensor(c, 0, &x) || !arg_dims(c, 1, by, &n)) return NULL;
  if (n % 2 || n / 2 > x->n)
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "%d paddings for %d dimensions", n, x->n);
  for (int i = 0; i < x->n; i++) size[i] = x->dims[i];
  for (int i = 0; i < n / 2; i++) {
    int a = x->n - 1 - i;
    dim low = by[2 * i], high = by[2 * i + 1], d = size[a];
    size[a] = dim_add(c->syms, dim_add(c->syms, d, low), high);
    if (dim_is_int(size[a]) && size[a].k < 0)
      return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH,
                        "padding makes the extent of dimension %d negative", a);
    if (!check_padding(c, mode, d, low, high)) return NULL;
  }
  return infer_numbers_fit(c, x->dtype) ? infer_tensor(c, x->dtype, size, x->n) : NULL;
}

const type *infer_pad(infer_ctx *c) {
  const char *mode;
  return arg_str_or(c, 2, "constant", &mode) ? padded(c, mode) : NULL;
}

const type *infer_fixed_pad(infer_ctx *c) {
  op_id op = c->op->id;
  return padded(c, op == OP_reflection_pad    ? "reflect"
                   : op == OP_replication_pad ? "replicate"
                                              : "circular");
}

/* ---- resampling ---- */

/* The tensor, the factor, and in `size` the sizes of the tensor: channels, height and width come
 * last. */
static bool pixel_operands(infer_ctx *c, const type **x, int64_t *factor, dim *size) {
  SCANC_TRY(arg_tensor(c, 0, x) && arg_int(c, 1, factor));
  if ((*x)->n < 3 || *factor <= 0 || *factor > INT32_MAX)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "needs 3 dimensions and a factor of 1 to %d",
                      INT32_MAX) != NULL;
  for (int i = 0; i < (*x)->n; i++) size[i] = (*x)->dims[i];
  return true;
}

const type *infer_pixel_shuffle(infer_ctx *c) {
  const type *x;
  int64_t r;
  dim size[SCANC_MAX_RANK];
  if (!pixel_operands(c, &x, &r, size)) return NULL;
  dim *s = size + x->n - 3;
  if (dim_is_int(s[0]) && s[0].k % (r * r))
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "%lld channels are not divisible by %lld",
                      (long long)s[0].k, (long long)(r * r));
  s[0] = dim_floordiv(c->syms, s[0], dim_int(r * r));
  for (int i = 1; i < 3; i++) s[i] = dim_mul(c->syms, s[i], dim_int(r));
  return infer_tensor(c, x->dtype, size, x->n);
}

const type *infer_pixel_unshuffle(infer_ctx *c) {
  const type *x;
  int64_t r;
  dim size[SCANC_MAX_RANK];
  if (!pixel_operands(c, &x, &r, size)) return NULL;
  dim *s = size + x->n - 3;
  s[0] = dim_mul(c->syms, s[0], dim_int(r * r));
  for (int i = 1; i < 3; i++) {
    if (dim_is_int(s[i]) && s[i].k % r)
      return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "extent %lld is not divisible by %lld",
                        (long long)s[i].k, (long long)r);
    s[i] = dim_floordiv(c->syms, s[i], dim_int(r));
  }
  return infer_tensor(c, x->dtype, size, x->n);
}

/* Operand k as two integers (one stands for both). */
static bool arg_pair(infer_ctx *c, int k, int64_t low, dim out[2]) {
  dim d[SCANC_MAX_RANK];
  int n;
  if (!arg_dims(c, k, d, &n)) return false;
  if (n < 1 || n > 2) {
    infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "argument %d: expected two integers, got %d", k, n);
    return false;
  }
  out[0] = d[0];
  out[1] = d[n - 1];
  for (int i = 0; i < 2; i++)
    if (dim_is_int(out[i]) && out[i].k < low) {
      infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "argument %d: expected at least %lld, got %lld", k,
                 (long long)low, (long long)out[i].k);
      return false;
    }
  return true;
}

/* Number of window positions along each of two axes. */
static bool window_counts(infer_ctx *c, int k, const dim extent[2], dim kernel[2], dim count[2]) {
  dim dilation[2], padding[2], stride[2];
  if (!arg_pair(c, k, 1, kernel) || !arg_pair(c, k + 1, 1, dilation) ||
      !arg_pair(c, k + 2, 0, padding) || !arg_pair(c, k + 3, 1, stride))
    return false;
  for (int i = 0; i < 2; i++) {
    dim reach =
        dim_add(c->syms, dim_mul(c->syms, dilation[i], dim_sub(c->syms, kernel[i], dim_int(1))),
                dim_int(1));
    dim room = dim_sub(
        c->syms, dim_add(c->syms, extent[i], dim_mul(c->syms, padding[i], dim_int(2))), reach);
    count[i] = dim_add(c->syms, dim_floordiv(c->syms, room, stride[i]), dim_int(1));
    if (dim_is_int(room) && room.k < 0) {
      infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "the window is larger than the padded extent %s",
                 shape_text(c, &extent[i], 1));
      return false;
    }
  }
  return true;
}

const type *infer_im2col(infer_ctx *c) {
  const type *x;
  dim kernel[2], count[2], size[3];
  if (!arg_tensor(c, 0, &x)) return NULL;
  if (x->n != 3 && x->n != 4)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "expected 3 or 4 dimensions, got %d", x->n);
  if (!window_counts(c, 1, x->dims + x->n - 2, kernel, count)) return NULL;
  size[0] = x->dims[0];
  size[1] = dim_mul(c->syms, x->dims[x->n - 3], dim_mul(c->syms, kernel[0], kernel[1]));
  size[2] = dim_mul(c->syms, count[0], count[1]);
  return x->n == 4 ? infer_tensor(c, x->dtype, size, 3) : infer_tensor(c, x->dtype, size + 1, 2);
}

const type *infer_col2im(infer_ctx *c) {
  const type *x;
  dim out[2], kernel[2], count[2], size[4];
  if (!arg_tensor(c, 0, &x) || !arg_pair(c, 1, 1, out)) return NULL;
  if (x->n != 2 && x->n != 3)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "expected 2 or 3 dimensions, got %d", x->n);
  if (!window_counts(c, 2, out, kernel, count)) return NULL;
  dim k = dim_mul(c->syms, kernel[0], kernel[1]), rows = x->dims[x->n - 2];
  if (!dims_agree(c, x->dims[x->n - 1], dim_mul(c->syms, count[0], count[1])) ||
      (dim_is_int(rows) && dim_is_int(k) && rows.k % k.k))
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "sizes %s do not fit the windows",
                      shape_text(c, x->dims, x->n));
  size[0] = x->dims[0];
  size[1] = dim_floordiv(c->syms, rows, k);
  size[2] = out[0];
  size[3] = out[1];
  return x->n == 3 ? infer_tensor(c, x->dtype, size, 4) : infer_tensor(c, x->dtype, size + 1, 3);
}

/* Output sizes given as operand 1, or as factors in the last operand. */
static const type *resampled(infer_ctx *c) {
  const type *x, *f = c->arg[c->op->n_operands - 1];
  dim size[4];
  if (!arg_tensor(c, 0, &x)) return NULL;
  if (x->n != 4)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "expected 4 dimensions, got %d", x->n);
  for (int i = 0; i < 2; i++) size[i] = x->dims[i];
  if (arg_given(c, 1) && f && f->kind == TYPE_LIST)
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "needs output_size or scale_factors, not both");
  if (arg_given(c, 1))
    return arg_pair(c, 1, 1, size + 2) ? infer_tensor(c, x->dtype, size, 4) : NULL;
  if (!f || f->kind != TYPE_LIST || f->n != 2)
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "needs output_size or two scale_factors");
  for (int i = 0; i < 2; i++) {
    const type *s = f->items[i];
    double v = !s ? 0 : s->kind == TYPE_FLOAT ? s->f : (double)s->i.k;
    if (!s || !s->known || !dim_is_int(x->dims[2 + i]))
      return infer_fail(c, SCANC_ERR_UNSUPPORTED, "scale factors of symbolic sizes");
    size[2 + i] = dim_int((int64_t)((double)x->dims[2 + i].k * v));
    if (size[2 + i].k < 1)
      return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "scale factor %g gives an empty result", v);
  }
  return infer_tensor(c, x->dtype, size, 4);
}

static const type *resampled_float(infer_ctx *c) {
  const type *t = resampled(c);
  if (!t || dtype_class(t->dtype) == 'f' ||
      (t->dtype == SCANC_U8 && c->op->id == OP_upsample_nearest2d))
    return t;
  return infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "expected a floating-point tensor, got %s",
                    scanc_dtype_name(t->dtype));
}

const type *infer_upsample_nearest2d(infer_ctx *c) { return resampled_float(c); }
const type *infer_upsample_bilinear2d(infer_ctx *c) { return resampled_float(c); }

const type *infer_grid_sampler_2d(infer_ctx *c) {
  const type *x, *g;
  if (!arg_tensor(c, 0, &x) || !arg_tensor(c, 1, &g)) return NULL;
  if (x->n != 4 || g->n != 4 || !dims_agree(c, x->dims[0], g->dims[0]) ||
      !dims_agree(c, g->dims[3], dim_int(2)))
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH,
                      "expected sizes [N, C, H, W] and [N, h, w, 2], got %s and %s",
                      shape_text(c, x->dims, x->n), shape_text(c, g->dims, g->n));
  if (x->dtype != g->dtype || dtype_class(x->dtype) != 'f')
    return infer_fail(c, SCANC_ERR_DTYPE_MISMATCH,
                      "expected equal floating-point types, got %s and %s",
                      scanc_dtype_name(x->dtype), scanc_dtype_name(g->dtype));
  dim size[4] = {x->dims[0], x->dims[1], g->dims[1], g->dims[2]};
  return infer_tensor(c, x->dtype, size, 4);
}
