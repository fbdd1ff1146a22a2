/* Sampling an image at the points of a grid, with the arithmetic of the interpreter
 * (eval_sample.c): coordinates and weights in f64, coordinates rounded to the accumulation type. */
#include "runtime/plan_move.h"
#include "runtime/plan_sample.h"

enum { GRID_BILINEAR, GRID_NEAREST, GRID_BICUBIC };
enum { PAD_ZEROS, PAD_BORDER, PAD_REFLECTION };

static const scanc_dtype F64 = SCANC_F64;

/* Everything is about one point; arrays of two are along y and x. */
typedef struct {
  view_kernel *v;
  stmt_list *body;
  int64_t mode, padding;
  bool align;
  scanc_dtype dtype;
  int image;     /* buffer */
  int extent[2]; /* values of f64 */
} sampler;

static int real(const sampler *s, double k) { return vk_const(s->v, s->body, k, F64); }

static int op1(const sampler *s, op_id op, int a) { return vk_op(s->v, s->body, op, F64, &a, 1); }

static int op2(const sampler *s, op_id op, int a, int b) {
  return vk_op(s->v, s->body, op, F64, (int[]){a, b}, 2);
}

static int choose(const sampler *s, int p, int a, int b) {
  return vk_op(s->v, s->body, OP_where, F64, (int[]){p, a, b}, 3);
}

static int both(const sampler *s, int p, int q) {
  return vk_op(s->v, s->body, OP_logical_and, SCANC_BOOL, (int[]){p, q}, 2);
}

/* ---- coordinates ---- */

static int last(const sampler *s, int i) { return op2(s, OP_sub, s->extent[i], real(s, 1)); }

/* From [-1, 1] to an index. */
static int unnormalise(const sampler *s, int g, int i) {
  int one = real(s, 1), two = real(s, 2), from_0 = op2(s, OP_add, g, one), at;
  if (s->align) {
    int most = last(s, i);
    at = op2(s, OP_mul, op2(s, OP_div, from_0, two), most);
  } else {
    at = op2(s, OP_sub, op2(s, OP_mul, from_0, s->extent[i]), one);
    at = op2(s, OP_div, at, two);
  }
  return vk_cast(s->v, s->body, vk_cast(s->v, s->body, at, dtype_acc(s->dtype)), F64);
}

/* NaN gives 0. */
static int clip(const sampler *s, int at, int i) {
  int most = last(s, i), zero = real(s, 0);
  int below = choose(s, op2(s, OP_lt, at, most), at, most);
  return choose(s, op2(s, OP_gt, at, zero), below, zero);
}

/* Mirrors at the centres of the outermost elements or at their edges. */
static int reflect(const sampler *s, int at, int i) {
  int min = real(s, s->align ? 0 : -0.5), span = s->align ? last(s, i) : s->extent[i],
      zero = real(s, 0);
  int d = op1(s, OP_abs, op2(s, OP_sub, at, min)), extra = op2(s, OP_fmod, d, span);
  int turns = op1(s, OP_floor, op2(s, OP_div, d, span)), two = real(s, 2);
  int even = op2(s, OP_eq, op2(s, OP_fmod, turns, two), zero);
  int up = op2(s, OP_add, extra, min), rest = op2(s, OP_sub, span, extra);
  int there = choose(s, even, up, op2(s, OP_add, rest, min));
  return choose(s, op2(s, OP_eq, span, zero), zero, there);
}

static int pad(const sampler *s, int at, int i) {
  if (s->padding == PAD_BORDER) return clip(s, at, i);
  return s->padding == PAD_REFLECTION ? clip(s, reflect(s, at, i), i) : at;
}

/* ---- pixels ---- */

/* A coordinate as an index, and whether there is such a pixel. */
typedef struct {
  int index, inside;
} place;

static place place_of(const sampler *s, int at, int i) {
  lexpr extent = s->v->k->buffers.data[s->image].dims[2 + i].extent;
  int from_0 = op2(s, OP_ge, at, real(s, 0)), below = op2(s, OP_lt, at, s->extent[i]);
  int index = vk_cast(s->v, s->body, at, SCANC_I64);
  index = stmt_index(s->v->k, s->body, index, extent, false, -1);
  return (place){index, both(s, from_0, below)};
}

/* Zero outside. */
static int pixel(const sampler *s, place y, place x) {
  int at[2] = {y.index, x.index}, inside = both(s, y.inside, x.inside);
  int e = vk_load_by(s->v, s->body, s->image, at, 2, 0, NULL), zero = real(s, 0);
  return choose(s, inside, vk_cast(s->v, s->body, e, F64), zero);
}

/* ---- weights ---- */

enum { TAPS = 4 };

/* (p t + q) t, with the constants of the cubic convolution for A = -0.75. */
static int quadratic(const sampler *s, int t, double p, double q) {
  int a = op2(s, OP_mul, real(s, p), t);
  return op2(s, OP_mul, op2(s, OP_sub, a, real(s, q)), t);
}

static void cubic_weights(const sampler *s, int t, int *w) {
  static const double A = -0.75;
  int one = real(s, 1), far[2], near[2] = {t, op2(s, OP_sub, one, t)};
  far[0] = op2(s, OP_add, t, one);
  far[1] = op2(s, OP_sub, real(s, 2), t);
  for (int k = 0; k < 2; k++) {
    int outer = quadratic(s, far[k], A, 5 * A);
    outer = op2(s, OP_add, outer, real(s, 8 * A));
    outer = op2(s, OP_mul, outer, far[k]);
    w[3 * k] = op2(s, OP_sub, outer, real(s, 4 * A));
    int inner = op2(s, OP_mul, quadratic(s, near[k], A + 2, A + 3), near[k]);
    w[1 + k] = op2(s, OP_add, inner, one);
  }
}

/* Places and weights along one axis, from the coordinate: of mode bilinear 2, of bicubic 4. */
static void taps_of(const sampler *s, int at, int i, int n, place *p, int *w) {
  int first = op1(s, OP_floor, at), t = op2(s, OP_sub, at, first), one = real(s, 1);
  if (n == TAPS) cubic_weights(s, t, w);
  else w[0] = op2(s, OP_sub, one, t), w[1] = t;
  for (int k = 0; k < n; k++) {
    int there = op2(s, OP_add, first, real(s, k));
    if (n == TAPS) there = pad(s, op2(s, OP_sub, there, one), i);
    p[k] = place_of(s, there, i);
  }
}

static int sample(const sampler *s, int gy, int gx) {
  int at[2] = {unnormalise(s, gy, 0), unnormalise(s, gx, 1)}, w[2][TAPS], sum;
  place p[2][TAPS];
  for (int i = 0; i < 2 && s->mode != GRID_BICUBIC; i++) at[i] = pad(s, at[i], i);
  if (s->mode == GRID_NEAREST) {
    place y = place_of(s, op1(s, OP_round, at[0]), 0);
    return pixel(s, y, place_of(s, op1(s, OP_round, at[1]), 1));
  }
  int n = s->mode == GRID_BICUBIC ? TAPS : 2;
  for (int i = 0; i < 2; i++) taps_of(s, at[i], i, n, p[i], w[i]);
  sum = real(s, 0);
  for (int k = 0; k < n * n; k++) {
    int weight = op2(s, OP_mul, w[0][k / n], w[1][k % n]);
    sum = op2(s, OP_add, sum, op2(s, OP_mul, weight, pixel(s, p[0][k / n], p[1][k % n])));
  }
  return sum;
}

/* ---- the kernel ---- */

static bool known_or(val v, int64_t dflt, int64_t *out) {
  bool none = v.kind == VAL_ABSENT || v.kind == VAL_NONE;
  *out = none ? dflt : v.i;
  return none || v.kind == VAL_INT || v.kind == VAL_BOOL;
}

/* The sizes of image and grid that are those of the result, and that there are pixels. */
static bool fit(planner *x, const nest_view *to, nest_view *image, nest_view *grid) {
  bool ok = plan_same_size(x, grid, 3, dim_int(2)) && plan_same_size(x, grid, 0, to->size[0]);
  for (int i = 0; ok && i < 2; i++)
    ok = plan_same_size(x, image, i, to->size[i]) &&
         plan_same_size(x, grid, 1 + i, to->size[2 + i]) &&
         plan_require(x, dim_sub(x->syms, image->size[2 + i], dim_int(1)));
  return ok;
}

/* input, grid, interpolation_mode, padding_mode, align_corners */
plan_steps plan_grid_sampler(planner *x, const node *n) {
  nest_view image, grid;
  int64_t align;
  view_kernel v = plan_kernel(x, n->op->name);
  sampler s = {.v = &v};
  if (!plan_tensor(x, n, 0, &image) || !plan_tensor(x, n, 1, &grid) ||
      !known_or(n->operands[2], 0, &s.mode) || !known_or(n->operands[3], 0, &s.padding) ||
      !known_or(n->operands[4], 0, &align) || image.rank != 4 || grid.rank != 4)
    return STEPS_NONE;
  nest_view to = plan_tensor_result(x, n);
  if (!fit(x, &to, &image, &grid)) return STEPS_REFUSED;
  int axis[4], point[4], runs[4];
  for (int d = 0; d < 4; d++) axis[d] = runs[d] = vk_axis(&v, "i", to.size[d]);
  point[0] = axis[0], point[1] = axis[2], point[2] = axis[3], point[3] = -1;
  runs[2] = INDEX_VALUE, runs[3] = INDEX_VALUE - 1;
  int out = vk_buffer(&v, "y", SPACE_OUTPUT, &to, axis), g[2],
      at = vk_buffer(&v, "grid", SPACE_INPUT, &grid, point);
  s.image = vk_buffer(&v, "x", SPACE_INPUT, &image, runs);
  s.align = align;
  s.dtype = image.dtype;
  s.body = vk_parallel(&v, &v.k->body, axis, 4);
  for (int i = 0; i < 2; i++) {
    lexpr extent = v.k->buffers.data[s.image].dims[2 + i].extent;
    s.extent[i] = vk_cast(&v, s.body, stmt_point(v.k, s.body, -1, extent), F64);
    int e = vk_load(&v, s.body, at, (int64_t[]){0, 0, 0, 1 - i}, 0, NULL);
    g[i] = vk_cast(&v, s.body, e, F64);
  }
  vk_store(&v, s.body, out, NULL, 0, vk_cast(&v, s.body, sample(&s, g[0], g[1]), to.dtype));
  return plan_add_kernel(x, n, &v) ? STEPS_MADE : STEPS_REFUSED;
}
