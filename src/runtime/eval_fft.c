/* Discrete Fourier transforms along any axes, in f64 and rounded once: radix 2 for powers of two,
 * the plain sum otherwise, which takes n^2 steps. */
#include <math.h>
#include <string.h>

#include "ir/ops_kernel.h"
#include "runtime/interp.h"

typedef struct {
  double re, im;
} c128;

static c128 mul(c128 a, c128 b) {
  return (c128){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static double function(op_id op, double x, bool fma) {
  double y;
  int status = 0;
  ew_kernel_of(op, SCANC_F64, fma)(1, &y, (const void *const[]){&x}, (const int64_t[]){1}, &status);
  return y;
}

/* exp(sign * 2 pi i * k / n), 0 <= k < n */
static c128 root(int64_t k, int64_t n, int sign, bool fma) {
  double angle = 2 * M_PI * (double)k / (double)n;
  return (c128){function(OP_cos, angle, fma), sign * function(OP_sin, angle, fma)};
}

static void transform_plain(c128 *x, c128 *y, const c128 *w, int64_t n) {
  for (int64_t k = 0; k < n; k++) {
    c128 sum = {0, 0};
    for (int64_t t = 0, at = 0; t < n; t++, at = at + k >= n ? at + k - n : at + k) {
      c128 p = mul(x[t], w[at]);
      sum.re += p.re, sum.im += p.im;
    }
    y[k] = sum;
  }
  memcpy(x, y, sizeof *x * (size_t)n);
}

static void transform_radix2(c128 *x, const c128 *w, int64_t n) {
  for (int64_t i = 1, j = 0; i < n; i++) {
    int64_t bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j |= bit;
    if (i >= j) continue;
    c128 t = x[i];
    x[i] = x[j], x[j] = t;
  }
  for (int64_t half = 1; half < n; half *= 2)
    for (int64_t i = 0; i < n; i += 2 * half)
      for (int64_t k = 0; k < half; k++) {
        c128 a = x[i + k], b = mul(x[i + k + half], w[k * (n / (2 * half))]);
        x[i + k] = (c128){a.re + b.re, a.im + b.im};
        x[i + k + half] = (c128){a.re - b.re, a.im - b.im};
      }
}

/* One line at a time along `axis` of the contiguous array x. */
static bool transform_axis(eval_ctx *c, c128 *x, const int64_t *sizes, int rank, int axis,
                           int sign) {
  int64_t n = sizes[axis], inner = 1, outer = 1;
  for (int i = 0; i < axis; i++) outer *= sizes[i];
  for (int i = axis + 1; i < rank; i++) inner *= sizes[i];
  storage *s = pool_alloc(c->mem, sizeof(c128) * 3 * (size_t)n + 16);
  if (!s) return eval_fail(c, SCANC_ERR_NO_MEMORY, "out of memory");
  c128 *line = (c128 *)(void *)s->data, *spare = line + n, *w = spare + n;
  for (int64_t k = 0; k < n; k++) w[k] = root(k, n, sign, c->in->call->fma);
  for (int64_t o = 0; o < outer; o++)
    for (int64_t i = 0; i < inner; i++) {
      c128 *base = x + o * n * inner + i;
      for (int64_t t = 0; t < n; t++) line[t] = base[t * inner];
      if (n & (n - 1)) transform_plain(line, spare, w, n);
      else transform_radix2(line, w, n);
      for (int64_t t = 0; t < n; t++) base[t * inner] = line[t];
    }
  storage_release(s);
  return true;
}

/* 1, 1 / sqrt(n) or 1 / n, n being the number of elements transformed. */
static double scale_of(int64_t normalization, const int64_t *sizes, const int *axes, int n_axes) {
  double n = 1;
  for (int i = 0; i < n_axes; i++) n *= (double)sizes[axes[i]];
  return normalization == 0 || n == 0 ? 1 : normalization == 1 ? 1 / sqrt(n) : 1 / n;
}

static void scale(c128 *x, int64_t n, double by) {
  for (int64_t i = 0; by != 1 && i < n; i++) x[i].re *= by, x[i].im *= by;
}

/* A c128 copy of t that may be changed; NULL when memory ran out. Release the storage. */
static storage *work_copy(eval_ctx *c, const tensor *t, int64_t n) {
  storage *s = pool_alloc(c->mem, sizeof(c128) * (size_t)n + 16);
  if (!s) return eval_fail(c, SCANC_ERR_NO_MEMORY, "out of memory"), NULL;
  tensor dst = *t;
  dst.dtype = SCANC_C128;
  dst.data = s->data;
  tensor_default_strides(&dst);
  tensor_copy(&dst, t);
  return s;
}

/* self, dim, normalization, forward */
bool eval_fft_c2c(eval_ctx *c) {
  const tensor *x = eval_tensor(c, 0);
  int axes[SCANC_MAX_RANK], n = eval_axes(c, 1, x->rank, axes),
                            sign = eval_bool_or(c, 3, true) ? -1 : 1;
  int64_t count = tensor_numel(x);
  storage *s = work_copy(c, x, count);
  bool ok = s != NULL;
  c128 *v = ok ? (c128 *)(void *)s->data : NULL;
  for (int i = 0; i < n && ok; i++) ok = transform_axis(c, v, x->sizes, x->rank, axes[i], sign);
  if (ok) {
    scale(v, count, scale_of(eval_int_or(c, 2, 0), x->sizes, axes, n));
    convert_of(c->out[0].dtype, SCANC_C128)(count, c->out[0].data, 1, v, 1);
  }
  storage_release(s);
  return ok;
}

/* self, dim, normalization, onesided: the last axis keeps its first n / 2 + 1 elements */
bool eval_fft_r2c(eval_ctx *c) {
  const tensor *x = eval_tensor(c, 0);
  tensor *out = &c->out[0];
  int axes[SCANC_MAX_RANK], n = eval_axes(c, 1, x->rank, axes);
  int64_t count = tensor_numel(x);
  storage *s = work_copy(c, x, count);
  bool ok = s != NULL;
  c128 *v = ok ? (c128 *)(void *)s->data : NULL;
  for (int i = 0; i < n && ok; i++) ok = transform_axis(c, v, x->sizes, x->rank, axes[i], -1);
  if (ok) {
    scale(v, count, scale_of(eval_int_or(c, 2, 0), x->sizes, axes, n));
    tensor whole = *x;
    whole.dtype = SCANC_C128;
    whole.data = s->data;
    tensor_default_strides(&whole);
    memcpy(whole.sizes, out->sizes, sizeof whole.sizes);
    tensor_copy(out, &whole);
  }
  storage_release(s);
  return ok;
}

/* Fills the array of sizes `full` from the half h along `axis`: element k beyond the half is the
 * conjugate of element -k in all transformed axes. The other axes have been transformed already, so
 * only `axis` is mirrored. */
static void mirror(c128 *full, int64_t n, const c128 *h, int64_t half, int64_t outer,
                   int64_t inner) {
  for (int64_t o = 0; o < outer; o++)
    for (int64_t k = 0; k < n; k++)
      for (int64_t i = 0; i < inner; i++) {
        int64_t from = k < half ? k : n - k;
        c128 v = from < half ? h[(o * half + from) * inner + i] : (c128){0, 0};
        if (k >= half) v.im = -v.im;
        full[(o * n + k) * inner + i] = v;
      }
}

/* self, dim, normalization, last_dim_size: the other axes first, then the last one from its half */
bool eval_fft_c2r(eval_ctx *c) {
  const tensor *x = eval_tensor(c, 0);
  tensor *out = &c->out[0];
  int axes[SCANC_MAX_RANK], n = eval_axes(c, 1, x->rank, axes), last = n ? axes[n - 1] : 0;
  int64_t inner = 1, outer = 1, count = tensor_numel(out);
  storage *s = work_copy(c, x, tensor_numel(x)),
          *full = pool_alloc(c->mem, sizeof(c128) * (size_t)count + 16);
  bool ok = s && full;
  if (!full) eval_fail(c, SCANC_ERR_NO_MEMORY, "out of memory");
  for (int i = 0; i + 1 < n && ok; i++)
    ok = transform_axis(c, (c128 *)(void *)s->data, x->sizes, x->rank, axes[i], 1);
  for (int i = 0; i < last; i++) outer *= out->sizes[i];
  for (int i = last + 1; i < out->rank; i++) inner *= out->sizes[i];
  if (ok) {
    c128 *v = (c128 *)(void *)full->data;
    mirror(v, out->sizes[last], (const c128 *)(const void *)s->data, x->sizes[last], outer, inner);
    ok = transform_axis(c, v, out->sizes, out->rank, last, 1);
    scale(v, count, scale_of(eval_int_or(c, 2, 0), out->sizes, axes, n));
    if (ok) convert_of(out->dtype, SCANC_C128)(count, out->data, 1, v, 1);
  }
  storage_release(s);
  storage_release(full);
  return ok;
}
