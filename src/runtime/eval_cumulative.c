/* Running sums, products, extrema and log-sum-exp along one axis. Sums and products of f32 are kept
 * in f64, of f16 and bf16 in f32, as ATen does, and rounded once per element. They follow the order
 * that the node says (ir/prefix.h); extrema have the same results in any order. */
#include <math.h>
#include <string.h>

#include "ir/ops_kernel.h"
#include "runtime/fold.h"
#include "runtime/interp.h"
#include "runtime/walk.h"

/* Lines are independent. They are taken `width` at a time where an axis beside the running one is
 * inner in memory, and one at a time in stretches of FOLD_BLOCK elements otherwise; the results do
 * not depend on it. */
typedef struct {
  int64_t length, in_step, out_step; /* of the running axis */
  axes in, out;                      /* all other axes, of operand and result; same sizes */
  const char *x;
  char *y;
  size_t x_size, y_size;
  convert_fn load, store; /* operand -> state, state -> result */
  int64_t *index;         /* extrema: where; laid out as y */
  const struct step *step;
  prefix_order order;
} job;

/* State is one value per line, of type `acc`. */
typedef struct step {
  scanc_dtype acc;
  size_t size;
  double start;
  /* a[i] = a[i] op x[i]; index[i] = t where x[i] became the extremum. `chain`: a[i] = a[i - 1] op
   * x[i] instead, a[-1] being valid, so that one line of n elements is run through. */
  void (*join)(void *a, const void *x, int64_t *index, int64_t n, int64_t t);
  void (*chain)(void *a, const void *x, int64_t *index, int64_t n, int64_t t);
  /* A group of a network: a[i], i < n, is combined with those before it in the group; then becomes
   * *before op a[i]. NULL: chain gives the same. */
  void (*network)(void *a, int n, int lanes);
  void (*before)(const void *before, void *a, int n);
} step;

#define LOOPS(name, T, SET) \
  static void name##_join(void *p, const void *q, int64_t *index, int64_t n, int64_t t) { \
    T *a = p; \
    const T *v = q; \
    for (int64_t i = 0; i < n; i++) { \
      T s = a[i], x = v[i]; \
      int64_t at = index ? index[i] : 0, now = t; \
      SET; \
      a[i] = s; \
      if (index) index[i] = at; \
    } \
    (void)t; \
  } \
  static void name##_chain(void *p, const void *q, int64_t *index, int64_t n, int64_t t) { \
    T *a = p, s = a[-1]; \
    const T *v = q; \
    int64_t at = index ? index[-1] : 0; \
    for (int64_t i = 0; i < n; i++) { \
      T x = v[i]; \
      int64_t now = t + i; \
      SET; \
      a[i] = s; \
      if (index) index[i] = at; \
    } \
  }

/* join: s becomes s op x. */
#define NETWORK(name, T, JOIN) \
  static void name##_network(void *p, int n, int lanes) { \
    T *a = p; \
    for (int d = 1; d < lanes; d *= 2) \
      for (int i = d; i < n; i++) { \
        T s = a[prefix_partner(i, d)], x = a[i]; \
        JOIN; \
        if (i & d) a[i] = s; \
      } \
  } \
  static void name##_before(const void *p, void *q, int n) { \
    T *a = q; \
    for (int i = 0; i < n; i++) { \
      T s = *(const T *)p, x = a[i]; \
      JOIN; \
      a[i] = s; \
    } \
  }

typedef struct {
  double re, im;
} c128;

/* As the row logaddexp has it, on CPU levels with and without fused multiply-add. */
static double log_add_exp(double a, double b, bool fma) {
  double r;
  int status = 0;
  ew_kernel_of(OP_logaddexp, SCANC_F64, fma)(1, &r, (const void *const[]){&a, &b},
                                             (const int64_t[]){1, 1}, &status);
  return r;
}

LOOPS(sum_f32, float, (s += x, (void)at, (void)now))
LOOPS(sum_f64, double, (s += x, (void)at, (void)now))
LOOPS(sum_i64, uint64_t, (s += x, (void)at, (void)now))
LOOPS(prod_f32, float, (s *= x, (void)at, (void)now))
LOOPS(prod_f64, double, (s *= x, (void)at, (void)now))
LOOPS(prod_i64, uint64_t, (s *= x, (void)at, (void)now))
NETWORK(sum_f32, float, s += x)
NETWORK(sum_f64, double, s += x)
NETWORK(sum_i64, uint64_t, s += x)
NETWORK(prod_f32, float, s *= x)
NETWORK(prod_f64, double, s *= x)
NETWORK(prod_i64, uint64_t, s *= x)
NETWORK(lse_f64, double, s = log_add_exp(x, s, false))
NETWORK(lse_fma_f64, double, s = log_add_exp(x, s, true))
LOOPS(prod_c128, c128,
      (s = (c128){s.re * x.re - s.im * x.im, s.re *x.im + s.im *x.re}, (void)at, (void)now))
LOOPS(lse_f64, double, (s = log_add_exp(x, s, false), (void)at, (void)now))
LOOPS(lse_fma_f64, double, (s = log_add_exp(x, s, true), (void)at, (void)now))
/* the last of equal extrema; NaN stays, and a later NaN replaces it */
LOOPS(
    max_f64, double, if (x != x || (s == s && x >= s)) {
      s = x;
      at = now;
    })
LOOPS(
    max_i64, int64_t, if (x >= s) {
      s = x;
      at = now;
    })
LOOPS(
    min_f64, double, if (x != x || (s == s && x <= s)) {
      s = x;
      at = now;
    })
LOOPS(
    min_i64, int64_t, if (x <= s) {
      s = x;
      at = now;
    })

#define STEP(dtype, name, T, start) \
  {SCANC_##dtype, sizeof(T), start, name##_join, name##_chain, NULL, NULL}
#define FOLD(dtype, name, T, start) \
  {SCANC_##dtype, sizeof(T), start, name##_join, name##_chain, name##_network, name##_before}
static const step sums[] = {FOLD(F32, sum_f32, float, 0), FOLD(F64, sum_f64, double, 0),
                            FOLD(I64, sum_i64, int64_t, 0)};
static const step prods[] = {FOLD(F32, prod_f32, float, 1), FOLD(F64, prod_f64, double, 1),
                             FOLD(I64, prod_i64, int64_t, 1), STEP(C128, prod_c128, c128, 1)};
static const step maxima[] = {STEP(F64, max_f64, double, -INFINITY),
                              STEP(I64, max_i64, int64_t, 0)};
static const step minima[] = {STEP(F64, min_f64, double, INFINITY), STEP(I64, min_i64, int64_t, 0)};
static const step log_sums[][1] = {{FOLD(F64, lse_f64, double, -INFINITY)},
                                   {FOLD(F64, lse_fma_f64, double, -INFINITY)}};

static const step *find_step(const step *list, int n, scanc_dtype acc) {
  for (int i = 0; i < n; i++)
    if (list[i].acc == acc) return &list[i];
  SCANC_UNREACHABLE("no running fold for this dtype");
}
#define FIND(list, acc) find_step(list, (int)(sizeof list / sizeof *list), acc)

/* ---- the two ways through ---- */

static bool is_network(const job *j) { return j->order.kind == PREFIX_NETWORK && j->step->network; }

static void start_state(const job *j, char *state) {
  number start = {.cls = 'f', .f = j->step->start};
  number_store(start, j->step->acc, state);
}

static void load_elements(const job *j, const char *x, int64_t t, int n, char *it) {
  j->load(n, it, 1, x + (int64_t)j->x_size * t * j->in_step, j->in_step);
}

/* The first element of a row joins the start, as it does in a chain. */
static void join_start(const job *j, char *it) {
  _Alignas(16) char first[16];
  start_state(j, first);
  j->step->join(first, it, NULL, 1, 0);
  memcpy(it, first, j->step->size);
}

enum { MAX_SEGMENTS = 64, MAX_VECTOR = 64 /* bytes of as many states as there are lanes */ };

/* A row on its way. */
typedef struct {
  const job *j;
  _Alignas(16) char total[16]; /* what comes before an element */
  bool any;                    /* something does */
  bool is_cut;                 /* then: the total of the stretch, */
  _Alignas(16) char own[16];   /* but for the last elements of up to `lanes` segments or groups */
  _Alignas(16) char unit[MAX_VECTOR];
  int n_units;
  bool has_own;
} row_state;

static void join_units(row_state *r) {
  const step *f = r->j->step;
  int n = r->n_units;
  r->n_units = 0;
  if (!n) return;
  f->network(r->unit, n, r->j->order.lanes);
  const char *last = r->unit + (size_t)(n - 1) * f->size;
  if (r->has_own) f->join(r->own, last, NULL, 1, 0);
  else memcpy(r->own, last, f->size);
  r->has_own = true;
}

static void add_unit(row_state *r, const char *last) {
  size_t size = r->j->step->size;
  if (!r->is_cut) return;
  memcpy(r->unit + (size_t)r->n_units++ * size, last, size);
  if (r->n_units == r->j->order.lanes) join_units(r);
}

/* The totals of the segments of a block become what comes before each of them. */
static void join_totals(row_state *r, const char *it, char *before) {
  const job *j = r->j;
  _Alignas(16) char last[MAX_VECTOR];
  char *total = r->total;
  size_t size = j->step->size, row = size * (size_t)j->order.lanes;
  for (int s = 0; s < j->order.segments; s += j->order.lanes) {
    for (int k = 0; k < j->order.lanes; k++) {
      memcpy(last + (size_t)k * size, it + (size_t)(s + k + 1) * row - size, size);
      add_unit(r, last + (size_t)k * size);
    }
    j->step->network(last, j->order.lanes, j->order.lanes);
    if (s || r->any) j->step->before(total, last, j->order.lanes);
    if (s || r->any) memcpy(before + (size_t)s * size, total, size);
    memcpy(before + (size_t)(s + 1) * size, last, row - size);
    memcpy(total, last + row - size, size);
  }
}

/* A block from element t on. */
static void run_block(row_state *r, const char *x, char *y, int64_t t) {
  const job *j = r->j;
  _Alignas(16) char it[MAX_SEGMENTS * MAX_VECTOR], before[MAX_SEGMENTS * 16], tail[MAX_VECTOR];
  int lanes = j->order.lanes, n = lanes * j->order.segments;
  size_t size = j->step->size, row = size * (size_t)lanes;
  load_elements(j, x, t, n, it);
  if (!r->any) join_start(j, it);
  for (int s = 0; s < j->order.segments; s++) {
    char *second = it + (size_t)s * row + size;
    memcpy(tail, second, row - size);
    j->step->chain(second, tail, NULL, lanes - 1, 0);
  }
  join_totals(r, it, before);
  for (int s = !r->any; s < j->order.segments; s++)
    j->step->before(before + (size_t)s * size, it + (size_t)s * row, lanes);
  r->any = true;
  j->store(n, y + (int64_t)j->y_size * t * j->out_step, j->out_step, it, 1);
}

static void run_group(row_state *r, const char *x, char *y, int64_t t, int n) {
  const job *j = r->j;
  _Alignas(16) char it[MAX_VECTOR], last[16];
  load_elements(j, x, t, n, it);
  if (!r->any) join_start(j, it);
  j->step->network(it, n, j->order.lanes);
  memcpy(last, it + (size_t)(n - 1) * j->step->size, j->step->size);
  add_unit(r, last);
  if (r->any) j->step->before(r->total, it, n);
  if (r->any) j->step->join(r->total, last, NULL, 1, 0);
  else memcpy(r->total, last, j->step->size);
  r->any = true;
  j->store(n, y + (int64_t)j->y_size * t * j->out_step, j->out_step, it, 1);
}

/* A stretch of n elements from element t on. seed: what comes before it, and then before the next
 * one. */
static void run_stretch(row_state *r, const char *x, char *y, int64_t t, int64_t n, char *seed) {
  const job *j = r->j;
  int lanes = j->order.lanes, block = lanes * j->order.segments;
  int64_t end = t + n;
  bool first = !t;
  for (; block && end - t >= block; t += block) run_block(r, x, y, t);
  for (; t < end; t += lanes) run_group(r, x, y, t, end - t < lanes ? (int)(end - t) : lanes);
  if (!r->is_cut) return;
  join_units(r);
  if (first) memcpy(seed, r->own, j->step->size);
  else j->step->join(seed, r->own, NULL, 1, 0);
  memcpy(r->total, seed, j->step->size);
  r->has_own = false;
}

static void run_network(const job *j, const char *x, char *y) {
  _Alignas(16) char seed[16];
  int64_t cut = prefix_stretch(j->order, j->length);
  row_state r = {.j = j, .is_cut = prefix_is_cut(j->order, j->length)};
  for (int64_t t = 0; t < j->length; t += cut)
    run_stretch(&r, x, y, t, j->length - t < cut ? j->length - t : cut, seed);
}

static void run_line(const job *j, const char *x, char *y, int64_t *index) {
  char values[FOLD_BLOCK * 16], state[(FOLD_BLOCK + 1) * 16];
  int64_t where[FOLD_BLOCK + 1];
  size_t size = j->step->size;
  where[0] = 0;
  start_state(j, state);
  if (j->index) j->load(1, state, 1, x, 1);
  for (int64_t t = 0; t < j->length; t += FOLD_BLOCK) {
    int64_t n = j->length - t < FOLD_BLOCK ? j->length - t : FOLD_BLOCK;
    j->load(n, values, 1, x + (int64_t)j->x_size * t * j->in_step, j->in_step);
    j->step->chain(state + size, values, index ? where + 1 : NULL, n, t);
    j->store(n, y + (int64_t)j->y_size * t * j->out_step, j->out_step, state + size, 1);
    for (int64_t i = 0; index && i < n; i++) index[(t + i) * j->out_step] = where[i + 1];
    memcpy(state, state + (size_t)n * size, size);
    if (index) where[0] = where[n];
  }
}

static void run_columns(const job *j, const char *x, int64_t xs, char *y, int64_t ys,
                        int64_t *index, int64_t width) {
  char values[FOLD_COLUMNS * 16], state[FOLD_COLUMNS * 16];
  int64_t where[FOLD_COLUMNS];
  for (int64_t i = 0; i < width; i++) {
    where[i] = 0;
    start_state(j, state + (size_t)i * j->step->size);
  }
  if (j->index) j->load(width, state, 1, x, xs);
  for (int64_t t = 0; t < j->length; t++) {
    j->load(width, values, 1, x + (int64_t)j->x_size * t * j->in_step, xs);
    j->step->join(state, values, index ? where : NULL, width, t);
    j->store(width, y + (int64_t)j->y_size * t * j->out_step, ys, state, 1);
    for (int64_t i = 0; index && i < width; i++) index[t * j->out_step + i * ys] = where[i];
  }
}

static void run(const job *j) {
  axes in = j->in, out = j->out;
  for (int i = 0; i < in.n; i++)
    if (in.size[i] == 0) return;
  if (j->length == 0) return;
  bool columns = in.n > 0 && in.size[in.n - 1] >= 4 && !is_network(j);
  int64_t inner = columns ? in.size[in.n - 1] : 1, xs = columns ? in.stride[in.n - 1] : 0,
          ys = columns ? out.stride[out.n - 1] : 0;
  if (columns) in.n--, out.n--;
  walk a = walk_begin(&in), b = walk_begin(&out);
  for (int64_t rows = axes_count(&in); rows > 0; rows--) {
    for (int64_t col = 0; col < inner; col += FOLD_COLUMNS) {
      int64_t width = inner - col < FOLD_COLUMNS ? inner - col : FOLD_COLUMNS,
              to = b.offset + col * ys;
      const char *x = j->x + (int64_t)j->x_size * (a.offset + col * xs);
      char *y = j->y + (int64_t)j->y_size * to;
      int64_t *index = j->index ? j->index + to : NULL;
      if (columns) run_columns(j, x, xs, y, ys, index, width);
      else if (is_network(j)) run_network(j, x, y);
      else run_line(j, x, y, index);
    }
    walk_advance(&a, 1);
    walk_advance(&b, 1);
  }
}

/* Axes other than `axis`, unmerged so that operand and result stay in step. */
static void split_axes(job *j, const tensor *x, const tensor *y, int axis, bool pairs) {
  int64_t k = pairs ? 2 : 1;
  j->length = x->rank ? x->sizes[axis] : 1;
  j->in_step = x->rank ? x->strides[axis] * k : 0;
  j->out_step = x->rank ? y->strides[axis] * k : 0;
  for (int i = 0; i < x->rank; i++) {
    if (i == axis || x->sizes[i] == 1) continue;
    j->in.size[j->in.n] = j->out.size[j->out.n] = x->sizes[i];
    j->in.stride[j->in.n++] = x->strides[i] * k;
    j->out.stride[j->out.n++] = y->strides[i] * k;
  }
  if (!pairs) return;
  j->in.size[j->in.n] = j->out.size[j->out.n] = 2;
  j->in.stride[j->in.n++] = j->out.stride[j->out.n++] = 1;
}

static void start(eval_ctx *c, job *j, const step *s, const tensor *x, const tensor *y,
                  scanc_dtype from, scanc_dtype to) {
  j->step = s;
  j->order = eval_exec(c)->n->order;
  int64_t rows = j->length ? tensor_numel(x) / j->length : 0;
  if (prefix_is_left(j->order, rows, j->length)) j->order.kind = PREFIX_LEFT;
  j->x = x->data;
  j->y = y->data;
  j->x_size = scanc_dtype_size(from);
  j->y_size = scanc_dtype_size(to);
  j->load = convert_of(s->acc, from);
  j->store = convert_of(to, s->acc);
}

/* The type in which sums and products of d run. */
static scanc_dtype state_dtype(scanc_dtype d) {
  if (d == SCANC_F32) return SCANC_F64;
  if (d == SCANC_C64) return SCANC_C128;
  return dtype_fold(d);
}

/* self, dim, dtype: the operand is converted first. Complex sums run on real and imaginary parts.
 */
static bool cumulative(eval_ctx *c, bool product) {
  const tensor *x = eval_tensor(c, 0), *y = &c->out[0];
  scanc_dtype d = y->dtype;
  job j = {0};
  if (x->dtype != d &&
      !(d == SCANC_I64 && (dtype_class(x->dtype) == 'i' || x->dtype == SCANC_BOOL))) {
    x = eval_contiguous(c, x, d);
    if (!x) return false;
  }
  bool pairs = dtype_class(d) == 'c' && !product;
  split_axes(&j, x, y, eval_axis(c, 1, x->rank), pairs);
  scanc_dtype from = pairs ? dtype_real(x->dtype) : x->dtype, to = pairs ? dtype_real(d) : d;
  start(c, &j, product ? FIND(prods, state_dtype(to)) : FIND(sums, state_dtype(to)), x, y, from,
        to);
  run(&j);
  return true;
}

bool eval_cumsum(eval_ctx *c) { return cumulative(c, false); }
bool eval_cumprod(eval_ctx *c) { return cumulative(c, true); }

static bool cumulative_extremum(eval_ctx *c, bool maximum) {
  const tensor *x = eval_tensor(c, 0), *y = &c->out[0];
  job j = {.index = (int64_t *)(void *)c->out[1].data};
  scanc_dtype acc = dtype_class(x->dtype) == 'f' ? SCANC_F64 : SCANC_I64;
  split_axes(&j, x, y, eval_axis(c, 1, x->rank), false);
  start(c, &j, maximum ? FIND(maxima, acc) : FIND(minima, acc), x, y, x->dtype, x->dtype);
  run(&j);
  return true;
}

bool eval_cummax(eval_ctx *c) { return cumulative_extremum(c, true); }
bool eval_cummin(eval_ctx *c) { return cumulative_extremum(c, false); }

bool eval_logcumsumexp(eval_ctx *c) {
  const tensor *x = eval_tensor(c, 0), *y = &c->out[0];
  job j = {0};
  split_axes(&j, x, y, eval_axis(c, 1, x->rank), false);
  start(c, &j, FIND(log_sums[c->in->call->fma], SCANC_F64), x, y, x->dtype, x->dtype);
  run(&j);
  return true;
}
