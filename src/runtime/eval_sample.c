/* Resampling of images: nearest and bilinear upsampling, sampling at a grid. Coordinates and
 * weights are computed in the accumulation type (f32 for f16, bf16 and f32), as PyTorch does. */
#include <math.h>

#include "runtime/strided.h"

static double round_to(scanc_dtype d, double v) {
  return dtype_acc(d) == SCANC_F32 ? (double)(float)v : v;
}

static double get(const tensor *t, int64_t at) {
  number v = number_load(t->dtype, t->data + at * (int64_t)scanc_dtype_size(t->dtype));
  return v.cls == 'f' ? v.f : (double)v.i;
}

static void set(const tensor *t, int64_t at, double v) {
  number_store((number){.cls = 'f', .f = v}, t->dtype,
               t->data + at * (int64_t)scanc_dtype_size(t->dtype));
}

/* Source extent per output extent along axis 2 + i: 1 / the scale factor where one is given. */
static double scale_of(const eval_ctx *c, int first_scale, int i, bool align_corners) {
  const tensor *x = eval_tensor(c, 0), *out = &c->out[0];
  const rval *factors = &c->arg[first_scale + 2];
  double n = (double)x->sizes[2 + i], m = (double)out->sizes[2 + i], given = 0;
  if (align_corners) return m > 1 ? (n - 1) / (m - 1) : 0;
  if (factors->kind == TYPE_LIST)
    given =
        factors->items[i].kind == TYPE_FLOAT ? factors->items[i].f : (double)factors->items[i].i;
  else if (eval_given(c, first_scale + i)) given = eval_float_or(c, first_scale + i, 0);
  return given > 0 ? 1 / given : n / m;
}

bool eval_upsample_nearest2d(eval_ctx *c) {
  const tensor *x = eval_tensor(c, 0), *out = &c->out[0];
  const int64_t *table[4] = {NULL};
  if (!tensor_numel(out)) return true;
  for (int i = 0; i < 2; i++) {
    int64_t n = out->sizes[2 + i], *t = eval_offsets(c, n), limit = x->sizes[2 + i] - 1;
    float scale = (float)scale_of(c, 2, i, false);
    for (int64_t k = 0; k < n; k++) {
      int64_t at = (int64_t)floorf((float)k * scale);
      t[k] = (at < limit ? at : limit) * x->strides[2 + i];
    }
    table[2 + i] = t;
  }
  gather_tables(out, x, table);
  return true;
}

/* Two neighbours and their weights along one axis. */
typedef struct {
  int64_t at[2];
  double w[2];
} taps;

static taps linear_taps(const tensor *x, int axis, double scale, int64_t k, bool align_corners) {
  scanc_dtype d = x->dtype;
  double s = round_to(d, scale);
  double pos = align_corners ? round_to(d, s * (double)k)
                             : round_to(d, round_to(d, s * ((double)k + 0.5)) - 0.5);
  int64_t limit = x->sizes[axis] - 1;
  if (pos < 0) pos = 0;
  int64_t low = (int64_t)pos;
  if (low > limit) low = limit;
  double w = round_to(d, pos - (double)low);
  if (w > 1) w = 1;
  return (taps){{low * x->strides[axis], (low < limit ? low + 1 : low) * x->strides[axis]},
                {round_to(d, 1 - w), w}};
}

bool eval_upsample_bilinear2d(eval_ctx *c) {
  const tensor *x = eval_tensor(c, 0), *out = &c->out[0];
  bool align = eval_bool_or(c, 2, false);
  double sy = scale_of(c, 3, 0, align), sx = scale_of(c, 3, 1, align);
  scanc_dtype d = x->dtype;
  int64_t at = 0, h = out->sizes[2], width = out->sizes[3];
  for (int64_t n = 0; n < out->sizes[0]; n++)
    for (int64_t ch = 0; ch < out->sizes[1]; ch++)
      for (int64_t i = 0; i < h; i++) {
        taps ty = linear_taps(x, 2, sy, i, align);
        int64_t base = n * x->strides[0] + ch * x->strides[1];
        for (int64_t j = 0; j < width; j++) {
          taps tx = linear_taps(x, 3, sx, j, align);
          double row[2];
          for (int r = 0; r < 2; r++)
            row[r] = round_to(d, round_to(d, tx.w[0] * get(x, base + ty.at[r] + tx.at[0])) +
                                     round_to(d, tx.w[1] * get(x, base + ty.at[r] + tx.at[1])));
          set(out, at++, round_to(d, ty.w[0] * row[0]) + round_to(d, ty.w[1] * row[1]));
        }
      }
  return true;
}

/* ---- sampling at a grid ---- */

enum { GRID_BILINEAR, GRID_NEAREST, GRID_BICUBIC };
enum { PAD_ZEROS, PAD_BORDER, PAD_REFLECTION };

typedef struct {
  const tensor *x;
  int mode, padding;
  bool align;
} sampler;

static double clip(double v, int64_t extent) {
  double most = (double)(extent - 1);
  return !(v > 0) ? 0 : v < most ? v : most; /* NaN gives 0 */
}

/* Mirrors v at low / 2 and high / 2. */
static double reflect(double v, int64_t low, int64_t high) {
  if (low == high) return 0;
  double min = (double)low / 2, span = (double)(high - low) / 2;
  v = fabs(v - min);
  double extra = fmod(v, span);
  return fmod(floor(v / span), 2) == 0 ? extra + min : span - extra + min;
}

static double pad_coordinate(const sampler *s, double v, int64_t extent) {
  if (s->padding == PAD_BORDER) return clip(v, extent);
  if (s->padding == PAD_REFLECTION)
    return clip(s->align ? reflect(v, 0, 2 * (extent - 1)) : reflect(v, -1, 2 * extent - 1),
                extent);
  return v;
}

/* From [-1, 1] to an index. */
static double unnormalise(const sampler *s, double v, int64_t extent) {
  return round_to(s->x->dtype, s->align ? (v + 1) / 2 * (double)(extent - 1)
                                        : ((v + 1) * (double)extent - 1) / 2);
}

/* Pixel (y, x) of a plane, zero outside. */
static double pixel(const sampler *s, int64_t base, double y, double x) {
  int64_t h = s->x->sizes[2], w = s->x->sizes[3];
  if (!(y >= 0 && y < (double)h && x >= 0 && x < (double)w)) return 0;
  return get(s->x, base + (int64_t)y * s->x->strides[2] + (int64_t)x * s->x->strides[3]);
}

static void cubic_weights(double t, double w[4]) {
  static const double A = -0.75;
  double u = t + 1, v = 1 - t, z = 2 - t;
  w[0] = ((A * u - 5 * A) * u + 8 * A) * u - 4 * A;
  w[1] = ((A + 2) * t - (A + 3)) * t * t + 1;
  w[2] = ((A + 2) * v - (A + 3)) * v * v + 1;
  w[3] = ((A * z - 5 * A) * z + 8 * A) * z - 4 * A;
}

static double sample_cubic(const sampler *s, int64_t base, double y, double x) {
  double y0 = floor(y), x0 = floor(x), wy[4], wx[4], sum = 0;
  cubic_weights(y - y0, wy);
  cubic_weights(x - x0, wx);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      sum += wy[i] * wx[j] *
             pixel(s, base, pad_coordinate(s, y0 + i - 1, s->x->sizes[2]),
                   pad_coordinate(s, x0 + j - 1, s->x->sizes[3]));
  return sum;
}

static double sample(const sampler *s, int64_t base, double gy, double gx) {
  int64_t h = s->x->sizes[2], w = s->x->sizes[3];
  double y = unnormalise(s, gy, h), x = unnormalise(s, gx, w);
  if (s->mode == GRID_BICUBIC) return sample_cubic(s, base, y, x);
  y = pad_coordinate(s, y, h);
  x = pad_coordinate(s, x, w);
  if (s->mode == GRID_NEAREST) return pixel(s, base, nearbyint(y), nearbyint(x));
  double y0 = floor(y), x0 = floor(x), ty = y - y0, tx = x - x0, sum = 0;
  double weight[4] = {(1 - ty) * (1 - tx), (1 - ty) * tx, ty * (1 - tx), ty * tx};
  for (int k = 0; k < 4; k++) {
    int down = k / 2, right = k % 2;
    sum += weight[k] * pixel(s, base, y0 + down, x0 + right); /* a NaN coordinate gives NaN */
  }
  return sum;
}

bool eval_grid_sampler_2d(eval_ctx *c) {
  const tensor *grid = eval_tensor(c, 1), *out = &c->out[0];
  sampler s = {eval_tensor(c, 0), (int)eval_int_or(c, 2, 0), (int)eval_int_or(c, 3, 0),
               eval_bool_or(c, 4, false)};
  int64_t at = 0;
  for (int64_t n = 0; n < out->sizes[0]; n++)
    for (int64_t ch = 0; ch < out->sizes[1]; ch++)
      for (int64_t i = 0; i < out->sizes[2]; i++)
        for (int64_t j = 0; j < out->sizes[3]; j++) {
          int64_t g = n * grid->strides[0] + i * grid->strides[1] + j * grid->strides[2];
          int64_t base = n * s.x->strides[0] + ch * s.x->strides[1];
          set(out, at++, sample(&s, base, get(grid, g + grid->strides[3]), get(grid, g)));
        }
  return true;
}
