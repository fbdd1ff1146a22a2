/* Running sums, products, extrema and log-sum-exps: compiled code against the interpreter bit by
 * bit, and both against left folds in long double. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "../levels.h"
#include "base/str.h"
#include "ir/convert.h"
#include "ir/type.h"
#include "programs.h"
#include "runtime/testing.h"

enum { MOST = 300001 };

typedef struct {
  const char *op;
  scanc_dtype from, to;
  double bound; /* relative to the sum of magnitudes, or to the product, times the length */
  bool indices; /* of extrema are the results */
} running;

#define VALUES(op, from, to, bound) {#op, SCANC_##from, SCANC_##to, bound, false}
#define INDICES(op, from) {#op, SCANC_##from, SCANC_I64, 0, true}
static const running cases[] = {VALUES(cumsum, F32, F32, 0),
                                VALUES(cumsum, F64, F64, 2.3e-16),
                                VALUES(cumsum, F16, F16, 1.2e-7),
                                VALUES(cumsum, BF16, BF16, 1.2e-7),
                                VALUES(cumsum, I32, I64, 0),
                                VALUES(cumsum, BOOL, I64, 0),
                                VALUES(cumsum, U8, I64, 0),
                                VALUES(cumsum, F32, F64, 2.3e-16),
                                VALUES(cumprod, F32, F32, 0),
                                VALUES(cumprod, F64, F64, 2.3e-16),
                                VALUES(cumprod, I32, I64, 0),
                                VALUES(cummax, F32, F32, 0),
                                VALUES(cummax, I32, I32, 0),
                                VALUES(cummin, F64, F64, 0),
                                VALUES(cummin, BF16, BF16, 0),
                                INDICES(cummax, F32),
                                INDICES(cummax, U8),
                                INDICES(cummin, F64),
                                VALUES(logcumsumexp, F32, F32, 2.3e-16),
                                VALUES(logcumsumexp, F16, F16, 2.3e-16)};

/* ---- programs ---- */

static const char *torch_name(scanc_dtype d) {
  return d == SCANC_F64 ? "torch.float64" : "torch.int64";
}

static scanc_program *make(const running *c, int rank, int axis, scanc_exec how, const char *cpu,
                           int threads) {
  str t = {0};
  bool pair = !strncmp(c->op, "cumm", strlen("cumm"));
  str_printf(&t, "class GraphModule(torch.nn.Module):\n    def forward(self, x: \"%s[",
             scanc_dtype_name(c->from));
  for (int d = 0; d < rank; d++) str_printf(&t, "%ss%d", d ? ", " : "", d);
  str_printf(&t, "]\"):\n        r = torch.ops.aten.%s.default(x, %d", c->op, axis);
  if (c->from != c->to && !c->indices) str_printf(&t, ", dtype = %s", torch_name(c->to));
  str_printf(&t, ")\n        y = %s\n        return (y,)\n",
             c->indices ? "r[1]"
             : pair     ? "r[0]"
                        : "torch.ops.aten.alias.default(r)");
  scanc_options opts = SCANC_OPTIONS_INIT;
  opts.exec = how;
  opts.cpu = cpu;
  opts.threads = threads;
  scanc_program *p = compile_for(str_cstr(&t), &opts);
  program_set_thread_work(p, 1); /* any work is enough for a thread */
  str_free(&t);
  return p;
}

/* ---- data ---- */

static number random_number(const running *c) {
  double u = (double)(next_random() >> 8) / (1 << 24);
  bool product = !strcmp(c->op, "cumprod");
  if (dtype_class(c->from) == 'f') return (number){.cls = 'f', .f = product ? 0.5 + u : 2 * u - 1};
  return (number){.cls = 'i',
                  .i = (int64_t)(next_random() >> 20) - (c->from == SCANC_I32 ? 2048 : 0)};
}

typedef struct {
  _Alignas(64) char x[MOST * 8], y[MOST * 8], z[MOST * 8];
} data;

static void fill_data(data *d, const running *c, int64_t n, bool special) {
  static const double odd[] = {NAN, INFINITY, -0.0, 0.0, 1e-310, -1e-45};
  for (int64_t i = 0; i < n; i++) {
    number v = random_number(c);
    if (special && v.cls == 'f' && next_random() % 16 == 0) v.f = odd[next_random() % 6];
    number_store(v, c->from, d->x + (size_t)i * scanc_dtype_size(c->from));
  }
}

static scanc_tensor over(void *p, scanc_dtype dtype, int rank, const int64_t *sizes) {
  scanc_tensor t = {.data = p, .dtype = dtype, .rank = rank};
  int64_t stride = 1;
  for (int k = rank - 1; k >= 0; k--) {
    t.sizes[k] = sizes[k], t.strides[k] = stride;
    stride *= sizes[k];
  }
  return t;
}

/* ---- comparison ---- */

static void check_same(const running *c, const data *d, int64_t n, const char *cpu) {
  size_t size = scanc_dtype_size(c->to);
  for (int64_t i = 0; i < n; i++) {
    const char *y = d->y + (size_t)i * size, *z = d->z + (size_t)i * size;
    number a = number_load(c->to, y), b = number_load(c->to, z);
    bool nan = a.cls == 'f' && isnan(a.f) && isnan(b.f);
    CHECK_ELEMENT(nan || !memcmp(y, z, size), "%s of %s on %s: element %lld of %lld is %g, not %g",
                  c->op, scanc_dtype_name(c->from), cpu, (long long)i, (long long)n, b.f, a.f);
  }
}

static void step_int(const char *op, uint64_t *s, int64_t x, bool first) {
  if (first) *s = (uint64_t)x;
  else if (!strcmp(op, "cumsum")) *s += (uint64_t)x;
  else if (!strcmp(op, "cumprod")) *s *= (uint64_t)x;
  else if (!strcmp(op, "cummax") == (x >= (int64_t)*s)) *s = (uint64_t)x;
}

static void step_float(const char *op, long double *s, double x, bool first) {
  if (first) *s = x;
  else if (!strcmp(op, "cumsum")) *s += x;
  else if (!strcmp(op, "cumprod")) *s *= x;
  else if (!strcmp(op, "logcumsumexp")) *s = fmaxl(*s, x) + log1pl(expl(-fabsl(*s - x)));
  else if (!strcmp(op, "cummax") ? x >= *s : x <= *s) *s = x;
}

static double as_double(number v) { return v.cls == 'f' ? v.f : (double)v.i; }

/* Where the last of the extrema so far is. */
static void check_indices(const running *c, const char *x, const char *y, int64_t stride,
                          int64_t n) {
  size_t size = scanc_dtype_size(c->from) * (size_t)stride;
  double top = 0;
  int64_t at = 0;
  for (int64_t t = 0; t < n; t++) {
    double now = as_double(number_load(c->from, x + (size_t)t * size));
    bool better = !strcmp(c->op, "cummax") ? now >= top : now <= top;
    if (!t || better) top = now, at = t;
    int64_t got = number_load(c->to, y + (size_t)(t * stride) * scanc_dtype_size(c->to)).i;
    CHECK_ELEMENT(got == at, "%s of %s: element %lld of %lld is %lld, not %lld", c->op,
                  scanc_dtype_name(c->from), (long long)t, (long long)n, (long long)got,
                  (long long)at);
  }
}

/* Half a unit of the result's last place, and a bit. */
static double rounding(scanc_dtype d) {
  return d == SCANC_F64 ? 1.2e-16 : d == SCANC_F32 ? 6e-8 : d == SCANC_F16 ? 4.9e-4 : 3.95e-3;
}

/* One row of elements `stride` apart. */
static void check_row(const running *c, const char *x, const char *y, int64_t stride, int64_t n) {
  uint64_t whole = 0;
  long double s = 0, magnitude = 0;
  for (int64_t t = 0; t < n; t++) {
    number in = number_load(c->from, x + (size_t)(t * stride) * scanc_dtype_size(c->from)),
           out = number_load(c->to, y + (size_t)(t * stride) * scanc_dtype_size(c->to));
    if (out.cls == 'i') {
      step_int(c->op, &whole, in.i, !t);
      CHECK_ELEMENT(out.i == (int64_t)whole, "%s: element %lld is %lld, not %lld", c->op,
                    (long long)t, (long long)out.i, (long long)whole);
      continue;
    }
    step_float(c->op, &s, in.f, !t);
    magnitude = !strcmp(c->op, "cumsum")         ? magnitude + fabs(in.f)
                : !strcmp(c->op, "logcumsumexp") ? fabsl(s) + 1
                                                 : fabsl(s);
    long double bound = fabsl(s) * rounding(c->to) * (c->op[3] != 'm') +
                        (c->bound + 2e-16) * (long double)t * magnitude + 1e-45L;
    CHECK_ELEMENT(fabsl((long double)out.f - s) <= bound,
                  "%s of %s: element %lld of %lld is %g, not %g", c->op, scanc_dtype_name(c->from),
                  (long long)t, (long long)n, out.f, (double)s);
  }
}

static void check_folds(const running *c, const data *d, int rank, int axis, const int64_t *sizes) {
  int64_t inner = 1, outer = 1, n = sizes[axis];
  for (int k = 0; k < axis; k++) outer *= sizes[k];
  for (int k = axis + 1; k < rank; k++) inner *= sizes[k];
  for (int64_t o = 0; o < outer; o++)
    for (int64_t i = 0; i < inner; i++) {
      size_t at = (size_t)(o * n * inner + i);
      const char *x = d->x + at * scanc_dtype_size(c->from),
                 *y = d->y + at * scanc_dtype_size(c->to);
      (c->indices ? check_indices : check_row)(c, x, y, inner, n);
    }
}

/* ---- tests ---- */

static void check_sizes(const running *c, int rank, int axis, const int64_t (*sizes)[3], int count,
                        const char *cpu) {
  static data d;
  scanc_program *interpreted = make(c, rank, axis, SCANC_EXEC_INTERP, cpu, 1),
                *compiled = make(c, rank, axis, SCANC_EXEC_JIT, cpu, 1),
                *shared = make(c, rank, axis, SCANC_EXEC_JIT, cpu, 3);
  for (int k = 0; k < count; k++)
    for (int special = 0; special < 2; special++) {
      int64_t n = 1;
      for (int i = 0; i < rank; i++) n *= sizes[k][i];
      fill_data(&d, c, n, special);
      scanc_tensor x = over(d.x, c->from, rank, sizes[k]), y = over(d.y, c->to, rank, sizes[k]),
                   z = over(d.z, c->to, rank, sizes[k]);
      run(interpreted, &x, 1, &y, 1);
      run(compiled, &x, 1, &z, 1);
      check_same(c, &d, n, cpu);
      memset(d.z, 0, (size_t)n * scanc_dtype_size(c->to));
      run_watched(shared, &x, 1, &z, 1);
      check_same(c, &d, n, cpu);
      if (!special) check_folds(c, &d, rank, axis, sizes[k]);
    }
  scanc_program_free(interpreted);
  scanc_program_free(compiled);
  scanc_program_free(shared);
}

static const char *const levels[] = {"native", "x86-64-v3", "x86-64"};
enum { N_LEVELS = THIN ? 1 : 3 };

START_TEST(test_rows) {
  static const int64_t sizes[][3] = {
      {0},  {1},   {2},   {3},   {5},   {7},   {8},   {9},   {15},  {16},   {17},   {31},   {33},
      {64}, {100}, {127}, {128}, {129}, {130}, {255}, {256}, {257}, {1025}, {4097}, {70000}};
  if (THIN) puts("one CPU level: sanitizers make these runs slow");
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    for (int l = 0; l < N_LEVELS; l++)
      if (level_is_here(levels[l])) check_sizes(&cases[k], 1, 0, sizes, 25, levels[l]);
}
END_TEST

START_TEST(test_axes) {
  static const int64_t sizes[][3] = {{3, 5, 37},  {2, 40, 3}, {65, 2, 5}, {1, 1, 18},
                                     {16, 7, 16}, {0, 3, 4},  {3, 0, 4},  {20, 33, 1}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    for (int axis = 0; axis < 3; axis++) check_sizes(&cases[k], 3, axis, sizes, 8, "native");
}
END_TEST

/* Numbers whose products neither overflow nor vanish. */
static void keep_products_in_range(data *d, const running *c, int64_t n) {
  size_t size = scanc_dtype_size(c->from);
  for (int64_t i = 0; i < n; i++) {
    number v = number_load(c->from, d->x + (size_t)i * size);
    v.i |= 1;
    v.f = 1 + (v.f - 1) / 1024;
    number_store(v, c->from, d->x + (size_t)i * size);
  }
}

/* So long that threads share it. */
static void check_shared_row(const running *c) {
  static const int threads[] = {1, 2, 7};
  static const int64_t n = MOST;
  static data d;
  scanc_tensor x = over(d.x, c->from, 1, &n), y = over(d.y, c->to, 1, &n),
               z = over(d.z, c->to, 1, &n);
  fill_data(&d, c, n, false);
  if (!strcmp(c->op, "cumprod")) keep_products_in_range(&d, c, n);
  for (int t = -1; t < 3; t++) {
    scanc_program *p =
        make(c, 1, 0, t < 0 ? SCANC_EXEC_INTERP : SCANC_EXEC_JIT, "native", t < 0 ? 1 : threads[t]);
    memset(d.z, 0, (size_t)n * scanc_dtype_size(c->to));
    run_watched(p, &x, 1, t < 0 ? &y : &z, 1);
    if (t >= 0) check_same(c, &d, n, "native");
    scanc_program_free(p);
  }
  check_folds(c, &d, 1, 0, &n);
}

START_TEST(test_shared_rows) {
  if (THIN) puts("f32 only: sanitizers make these runs slow");
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    bool sums = !strcmp(cases[k].op, "cumsum") || !strcmp(cases[k].op, "cumprod"),
         wide = cases[k].from == SCANC_F64 || cases[k].from == SCANC_I32;
    if (sums && (cases[k].from == SCANC_F32 || (wide && !THIN))) check_shared_row(&cases[k]);
  }
}
END_TEST

UNIT_MAIN("cumulative", test_rows, test_axes, test_shared_rows)
