/* Associative scans along vectors, for the tests of them: combine functions, programs, data, and
 * left folds in C that results are compared with. */
#ifndef SCANC_TESTS_PREFIX_CASES_H
#define SCANC_TESTS_PREFIX_CASES_H

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "../levels.h"
#include "base/str.h"
#include "programs.h"
#include "runtime/testing.h"

enum { MOST = 33100, MAX_LEAVES = 4 };

#define A "torch.ops.aten."

/* ---- combine functions ---- */

/* The same function of left leaves l and right leaves r as statements of a body and, per element
 * type, in C. */
typedef struct {
  const char *name;
  int n;                /* leaves */
  const char *body[14]; /* statements, then what is returned */
  void (*f32)(const float *l, const float *r, float *y);
  void (*f64)(const double *l, const double *r, double *y);
  void (*i32)(const uint32_t *l, const uint32_t *r, uint32_t *y); /* NULL: floats only */
} combination;

#define IN_FLOATS(name, ...) \
  static inline void name##_f32(const float *l, const float *r, float *y) { __VA_ARGS__ } \
  static inline void name##_f64(const double *l, const double *r, double *y) { __VA_ARGS__ }
#define IN_EACH_TYPE(name, ...) \
  IN_FLOATS(name, __VA_ARGS__) \
  static inline void name##_i32(const uint32_t *l, const uint32_t *r, uint32_t *y) { __VA_ARGS__ }

IN_EACH_TYPE(sum, y[0] = l[0] + r[0];)
IN_EACH_TYPE(affine, y[0] = r[0] * l[0]; y[1] = r[0] * l[1] + r[1];)
IN_EACH_TYPE(matrix, y[0] = l[0] * r[0] + l[1] * r[2]; y[1] = l[0] * r[1] + l[1] * r[3];
             y[2] = l[2] * r[0] + l[3] * r[2]; y[3] = l[2] * r[1] + l[3] * r[3];)
/* A weight and a mean. */
IN_FLOATS(average, y[0] = l[0] + r[0]; y[1] = (l[0] * l[1] + r[0] * r[1]) / y[0];)
/* The last one with a flag. */
IN_EACH_TYPE(latest, y[0] = l[0] != 0 ? l[0] : r[0]; y[1] = r[0] != 0 ? r[1] : l[1];)
IN_EACH_TYPE(segment, y[0] = l[0] + r[0]; y[1] = r[0] != 0 ? r[1] : l[1] + r[1];)

static inline void most_f32(const float *l, const float *r, float *y) {
  y[0] = l[0] > r[0] ? l[0] : r[0];
}
static inline void most_f64(const double *l, const double *r, double *y) {
  y[0] = l[0] > r[0] ? l[0] : r[0];
}
static inline void most_i32(const uint32_t *l, const uint32_t *r, uint32_t *y) {
  y[0] = (int32_t)l[0] > (int32_t)r[0] ? l[0] : r[0];
}

/* The largest and its label, the last one of equal ones. */
static inline void label_f32(const float *l, const float *r, float *y) {
  bool keep = l[0] > r[0] || (l[0] == r[0] && l[1] > r[1]);
  for (int i = 0; i < 2; i++) y[i] = keep ? l[i] : r[i];
}
static inline void label_f64(const double *l, const double *r, double *y) {
  bool keep = l[0] > r[0] || (l[0] == r[0] && l[1] > r[1]);
  for (int i = 0; i < 2; i++) y[i] = keep ? l[i] : r[i];
}
static inline void label_i32(const uint32_t *l, const uint32_t *r, uint32_t *y) {
  bool keep = (int32_t)l[0] > (int32_t)r[0] || (l[0] == r[0] && (int32_t)l[1] > (int32_t)r[1]);
  for (int i = 0; i < 2; i++) y[i] = keep ? l[i] : r[i];
}

/* [low, high]: clamps one after the other. */
static inline void clamp_f32(const float *l, const float *r, float *y) {
  for (int i = 0; i < 2; i++) y[i] = fminf(fmaxf(l[i], r[0]), r[1]);
}
static inline void clamp_f64(const double *l, const double *r, double *y) {
  for (int i = 0; i < 2; i++) y[i] = fmin(fmax(l[i], r[0]), r[1]);
}
static inline void clamp_i32(const uint32_t *l, const uint32_t *r, uint32_t *y) {
  for (int i = 0; i < 2; i++) {
    uint32_t up = (int32_t)l[i] > (int32_t)r[0] ? l[i] : r[0];
    y[i] = (int32_t)up < (int32_t)r[1] ? up : r[1];
  }
}

static inline void logs_f32(const float *l, const float *r, float *y) {
  float high = l[0] > r[0] ? l[0] : r[0], low = l[0] > r[0] ? r[0] : l[0];
  y[0] = high + log1pf(expf(low - high));
}
static inline void logs_f64(const double *l, const double *r, double *y) {
  double high = l[0] > r[0] ? l[0] : r[0], low = l[0] > r[0] ? r[0] : l[0];
  y[0] = high + log1p(exp(low - high));
}

static const combination combinations[] = {
    {"sum", 1, {"y = " A "add.Tensor(l0, r0)", "y"}, sum_f32, sum_f64, sum_i32},
    {"maximum", 1, {"y = " A "maximum.default(l0, r0)", "y"}, most_f32, most_f64, most_i32},
    {"affine",
     2,
     {"a = " A "mul.Tensor(r0, l0)", "m = " A "mul.Tensor(r0, l1)", "b = " A "add.Tensor(m, r1)",
      "a, b"},
     affine_f32,
     affine_f64,
     affine_i32},
    {"clamp",
     2,
     {"a = " A "maximum.default(l0, r0)", "a1 = " A "minimum.default(a, r1)",
      "b = " A "maximum.default(l1, r0)", "b1 = " A "minimum.default(b, r1)", "a1, b1"},
     clamp_f32,
     clamp_f64,
     clamp_i32},
    {"matrix",
     4,
     {"a = " A "mul.Tensor(l0, r0)", "b = " A "mul.Tensor(l1, r2)", "w = " A "add.Tensor(a, b)",
      "c = " A "mul.Tensor(l0, r1)", "d = " A "mul.Tensor(l1, r3)", "x = " A "add.Tensor(c, d)",
      "e = " A "mul.Tensor(l2, r0)", "f = " A "mul.Tensor(l3, r2)", "y = " A "add.Tensor(e, f)",
      "g = " A "mul.Tensor(l2, r1)", "h = " A "mul.Tensor(l3, r3)", "z = " A "add.Tensor(g, h)",
      "w, x, y, z"},
     matrix_f32,
     matrix_f64,
     matrix_i32},
    {"segmented sum",
     2,
     {"a = " A "add.Tensor(l0, r0)", "s = " A "add.Tensor(l1, r1)", "c = " A "ne.Scalar(r0, 0)",
      "b = " A "where.self(c, r1, s)", "a, b"},
     segment_f32,
     segment_f64,
     segment_i32},
    {"label",
     2,
     {"g = " A "gt.Tensor(l0, r0)", "e = " A "eq.Tensor(l0, r0)", "f = " A "gt.Tensor(l1, r1)",
      "a = " A "logical_and.default(e, f)", "o = " A "logical_or.default(g, a)",
      "x = " A "where.self(o, l0, r0)", "y = " A "where.self(o, l1, r1)", "x, y"},
     label_f32,
     label_f64,
     label_i32},
    {"latest",
     2,
     {"a = " A "ne.Scalar(l0, 0)", "b = " A "ne.Scalar(r0, 0)", "x = " A "where.self(a, l0, r0)",
      "y = " A "where.self(b, r1, l1)", "x, y"},
     latest_f32,
     latest_f64,
     latest_i32},
    {"average",
     2,
     {"w = " A "add.Tensor(l0, r0)", "a = " A "mul.Tensor(l0, l1)", "b = " A "mul.Tensor(r0, r1)",
      "s = " A "add.Tensor(a, b)", "m = " A "div.Tensor(s, w)", "w, m"},
     average_f32,
     average_f64,
     NULL},
    {"logaddexp", 1, {"y = " A "logaddexp.default(l0, r0)", "y"}, logs_f32, logs_f64, NULL}};

enum { N_COMBINATIONS = sizeof combinations / sizeof *combinations };

/* The label of the largest by way of a condition for the other one. */
static const combination otherwise = {
    "label otherwise",
    2,
    {"u = " A "le.Tensor(r0, l0)", "v = " A "lt.Tensor(r0, l0)", "w = " A "lt.Tensor(r1, l1)",
     "o = " A "logical_or.default(v, w)", "a = " A "logical_and.default(u, o)",
     "n = " A "logical_not.default(a)", "x = " A "where.self(n, r0, l0)",
     "y = " A "where.self(n, r1, l1)", "x, y"},
    label_f32,
    label_f64,
    label_i32};

/* ---- programs ---- */

typedef struct {
  const combination *what;
  scanc_dtype dtype; /* F32 or I32 */
  int rank, axis;
  const int64_t *fixed; /* the sizes, if the types tell them; NULL: they are symbols */
  bool reversed;
  scanc_assoc assoc;
  int threads; /* 0: one */
  int first;   /* leaf: results before it are not wanted */
  prefix_wish order;
  scanc_mode mode;
  bool grouped; /* elementwise nodes before the scan, and behind it */
} scan_case;

/* One row of f32. */
static inline scan_case row_case(const combination *w) {
  return (scan_case){.what = w, .dtype = SCANC_F32, .rank = 1, .assoc = SCANC_ASSOC_TREE};
}

static inline void append_type(str *t, const scan_case *c, int rank) {
  str_append(t, c->dtype == SCANC_F32 ? ": \"f32[" : ": \"i32[");
  for (int d = 0, k = 0; d < c->rank; d++) {
    if (rank != c->rank && d == c->axis) continue;
    str_append(t, k++ ? ", " : "");
    if (c->fixed) str_printf(t, "%" PRId64, c->fixed[d]);
    else str_printf(t, "s%d", d);
  }
  str_append(t, "]\"");
}

static inline void append_parameters(str *t, const scan_case *c, const char *base, int rank) {
  for (int i = 0; i < c->what->n; i++) {
    str_printf(t, ", %s%d", base, i);
    append_type(t, c, rank);
  }
}

static inline void append_body(str *t, const scan_case *c) {
  int i = 0;
  str_append(t, "    class associative_scan_combine_graph_0(torch.nn.Module):\n"
                "        def forward(self");
  append_parameters(t, c, "l", c->rank - 1);
  append_parameters(t, c, "r", c->rank - 1);
  str_append(t, "):\n");
  for (; c->what->body[i + 1]; i++) str_printf(t, "            %s\n", c->what->body[i]);
  str_printf(t, "            return [%s]\n", c->what->body[i]);
}

/* From leaves x to operands and from results y to what is returned; gives the name of the latter.
 */
static const char *append_views(str *t, const scan_case *c, const char *from) {
  static const char *const names[2][3] = {{"x", "u", "v"}, {"y", "p", "q"}};
  bool after = *from == 'y';
  const char *now = from, *next;
  for (int stage = 0; stage < 2; stage++) {
    bool moves = stage != after;
    next = names[after][stage + 1];
    if (moves ? !c->axis : !c->reversed) continue;
    for (int i = 0; i < c->what->n; i++) {
      if (!moves)
        str_printf(t, "        %s%d = " A "flip.default(%s%d, [%d])\n", next, i, now, i, c->axis);
      else
        str_printf(t, "        %s%d = " A "movedim.int(%s%d, %d, %d)\n", next, i, now, i,
                   after ? 0 : c->axis, after ? c->axis : 0);
    }
    now = next;
  }
  return now;
}

static inline void append_list(str *t, const scan_case *c, const char *base, int first) {
  for (int i = first; i < c->what->n; i++) str_printf(t, "%s%d, ", base, i);
}

static inline scanc_program *compile_case(const scan_case *c, scanc_exec how, const char *cpu) {
  str t = {0};
  str_append(&t, "class GraphModule(torch.nn.Module):\n    def forward(self");
  append_parameters(&t, c, "x", c->rank);
  str_append(&t, "):\n        g = self.associative_scan_combine_graph_0\n");
  for (int i = 0; c->grouped && i < c->what->n; i++)
    str_printf(&t, "        w%d = " A "mul.Tensor(x%d, 2)\n", i, i);
  const char *name = append_views(&t, c, c->grouped ? "w" : "x");
  str_append(&t, "        s = torch.ops.higher_order.associative_scan(g, [");
  append_list(&t, c, name, 0);
  str_append(&t, "], ())\n");
  for (int i = 0; i < c->what->n; i++) str_printf(&t, "        y%d = s[%d]\n", i, i);
  name = append_views(&t, c, "y");
  for (int i = 0; c->grouped && i < c->what->n; i++)
    str_printf(&t, "        z%d = " A "add.Tensor(%s%d, x%d)\n", i, name, i, i);
  if (c->grouped) name = "z";
  str_append(&t, "        return (");
  append_list(&t, c, name, c->first);
  str_append(&t, ")\n\n");
  append_body(&t, c);
  scanc_options opts = SCANC_OPTIONS_INIT;
  opts.exec = how;
  opts.cpu = cpu;
  opts.assoc = c->assoc;
  opts.mode = c->mode;
  if (c->threads) opts.threads = c->threads;
  const program_choices choices = {.order = c->order};
  scanc_program *p = compile_choosing(str_cstr(&t), &opts, &choices);
  program_set_thread_work(p, 1); /* any work is enough for a thread */
  str_free(&t);
  return p;
}

/* ---- data ---- */

static inline float random_float(int leaf) {
  float u = (float)(next_random() >> 8) / (1 << 24);
  return leaf ? 2 * u - 1 : u; /* factors below 1, or flags */
}

typedef struct {
  union {
    float f;
    uint32_t i;
  } x[MAX_LEAVES][MOST], y[MAX_LEAVES][MOST], z[MAX_LEAVES][MOST];
} data;

static inline void fill_data(data *d, const scan_case *c) {
  bool flags = !strcmp(c->what->name, "segmented sum") || !strcmp(c->what->name, "latest");
  for (int i = 0; i < c->what->n; i++)
    for (int k = 0; k < MOST; k++) {
      if (flags && !i) {
        bool set = next_random() >> 28 == 0;
        if (c->dtype == SCANC_F32) d->x[i][k].f = set;
        else d->x[i][k].i = set;
      } else if (c->dtype == SCANC_F32) {
        d->x[i][k].f = random_float(i);
      } else {
        d->x[i][k].i = next_random();
      }
    }
}

static inline scanc_tensor tensor_over(void *p, const scan_case *c, const int64_t *sizes) {
  scanc_tensor t = {.data = p, .dtype = c->dtype, .rank = c->rank};
  int64_t stride = 1;
  for (int k = c->rank - 1; k >= 0; k--) {
    t.sizes[k] = sizes[k], t.strides[k] = stride;
    stride *= sizes[k];
  }
  return t;
}

static inline int64_t count_of(const scan_case *c, const int64_t *sizes) {
  int64_t n = 1;
  for (int k = 0; k < c->rank; k++) n *= sizes[k];
  return n;
}

static inline void run_case(scanc_program *p, const scan_case *c, data *d, bool second,
                            const int64_t *sizes) {
  scanc_tensor in[MAX_LEAVES], out[MAX_LEAVES];
  for (int i = 0; i < c->what->n; i++) {
    in[i] = tensor_over(d->x[i], c, sizes);
    out[i] = tensor_over(second ? d->z[i] : d->y[i], c, sizes);
  }
  run_watched(p, in, c->what->n, out + c->first, c->what->n - c->first);
}

/* ---- comparison ---- */

static inline void check_same_bits(const scan_case *c, const data *d, int64_t n, const char *cpu) {
  for (int i = c->first; i < c->what->n; i++)
    for (int64_t k = 0; k < n; k++) {
      bool nan = c->dtype == SCANC_F32 && isnan(d->y[i][k].f) && isnan(d->z[i][k].f);
      CHECK_ELEMENT(nan || d->y[i][k].i == d->z[i][k].i,
                    "%s on %s, %lld elements, leaf %d: element %lld is %a, interpreted %a",
                    c->what->name, cpu, (long long)n, i, (long long)k, (double)d->z[i][k].f,
                    (double)d->y[i][k].f);
    }
}

/* One row of `length` elements, `stride` apart, forwards or backwards. */
typedef struct {
  const scan_case *c;
  const data *d;
  int64_t first, stride, length;
} row;

static inline int64_t place_of(const row *r, int64_t t) {
  return r->first + (r->c->reversed ? r->length - 1 - t : t) * r->stride;
}

static inline void check_integers(const row *r) {
  uint32_t left[MAX_LEAVES], right[MAX_LEAVES], y[MAX_LEAVES];
  for (int64_t t = 0; t < r->length; t++) {
    for (int i = 0; i < r->c->what->n; i++) right[i] = r->d->x[i][place_of(r, t)].i;
    memcpy(y, right, sizeof y);
    if (t) r->c->what->i32(left, right, y);
    for (int i = 0; i < r->c->what->n; i++)
      CHECK_ELEMENT(r->d->y[i][place_of(r, t)].i == y[i], "%s: element %lld of %lld, leaf %d",
                    r->c->what->name, (long long)t, (long long)r->length, i);
    memcpy(left, y, sizeof left);
  }
}

/* max |got - fold in f64| <= 2 max |left fold in f32 - fold in f64| + 4 ulp. */
static inline void check_floats(const row *r) {
  const combination *w = r->c->what;
  float left[MAX_LEAVES], right[MAX_LEAVES], y[MAX_LEAVES];
  double exact_left[MAX_LEAVES], exact_right[MAX_LEAVES], exact[MAX_LEAVES];
  double off[MAX_LEAVES] = {0}, fold_off[MAX_LEAVES] = {0}, largest[MAX_LEAVES] = {0};
  for (int64_t t = 0; t < r->length; t++) {
    for (int i = 0; i < w->n; i++)
      right[i] = r->d->x[i][place_of(r, t)].f, exact_right[i] = right[i];
    memcpy(y, right, sizeof y);
    memcpy(exact, exact_right, sizeof exact);
    if (t) w->f32(left, right, y), w->f64(exact_left, exact_right, exact);
    for (int i = 0; i < w->n; i++) {
      off[i] = fmax(off[i], fabs((double)r->d->y[i][place_of(r, t)].f - exact[i]));
      fold_off[i] = fmax(fold_off[i], fabs((double)y[i] - exact[i]));
      largest[i] = fmax(largest[i], fabs(exact[i]));
    }
    memcpy(left, y, sizeof left);
    memcpy(exact_left, exact, sizeof exact_left);
  }
  for (int i = 0; i < w->n; i++)
    ck_assert_msg(off[i] <= 2 * fold_off[i] + 4 * FLT_EPSILON * largest[i],
                  "%s, %lld elements, leaf %d: off by %g, the left fold by %g", w->name,
                  (long long)r->length, i, off[i], fold_off[i]);
}

/* Every row of a result. */
static inline void check_rows(const scan_case *c, const data *d, const int64_t *sizes,
                              void (*check)(const row *r)) {
  int64_t inner = 1, n = count_of(c, sizes), length = sizes[c->axis];
  for (int k = c->axis + 1; k < c->rank; k++) inner *= sizes[k];
  for (int64_t outer = 0; outer < n; outer += inner * length)
    for (int64_t k = 0; k < inner; k++) {
      row r = {c, d, outer + k, inner, length};
      check(&r);
    }
}

/* Against left folds. */
static inline void check_folds(const scan_case *c, const data *d, const int64_t *sizes) {
  check_rows(c, d, sizes, c->dtype == SCANC_F32 ? check_floats : check_integers);
}

/* The left fold in f32, to the bit. */
static inline void check_exactly(const row *r) {
  const combination *w = r->c->what;
  float left[MAX_LEAVES], right[MAX_LEAVES], y[MAX_LEAVES];
  for (int64_t t = 0; t < r->length; t++) {
    for (int i = 0; i < w->n; i++) right[i] = y[i] = r->d->x[i][place_of(r, t)].f;
    if (t) w->f32(left, right, y);
    for (int i = 0; i < w->n; i++)
      CHECK_ELEMENT(r->d->y[i][place_of(r, t)].f == y[i],
                    "%s: element %lld of %lld, leaf %d is %a, not %a", w->name, (long long)t,
                    (long long)r->length, i, (double)r->d->y[i][place_of(r, t)].f, (double)y[i]);
    for (int i = 0; i < w->n; i++) left[i] = y[i];
  }
}

static const char *const levels[] = {"native", "x86-64-v3", "x86-64"};
enum { N_LEVELS = THIN ? 1 : 3 };

/* ---- a case ---- */

/* All sizes of a case on one level. sizes[rank][count] */
static inline void check_sizes(const scan_case *c, const char *cpu, const int64_t (*sizes)[3],
                               int count) {
  static data d;
  scanc_program *interpreted = compile_case(c, SCANC_EXEC_INTERP, cpu),
                *compiled = compile_case(c, SCANC_EXEC_JIT, cpu);
  fill_data(&d, c);
  for (int k = 0; k < count; k++) {
    run_case(interpreted, c, &d, false, sizes[k]);
    run_case(compiled, c, &d, true, sizes[k]);
    check_same_bits(c, &d, count_of(c, sizes[k]), cpu);
    check_folds(c, &d, sizes[k]);
  }
  scanc_program_free(interpreted);
  scanc_program_free(compiled);
}

static inline void check_on_levels(const scan_case *c, const int64_t (*sizes)[3], int count) {
  for (int i = 0; i < N_LEVELS; i++)
    if (level_is_here(levels[i])) check_sizes(c, levels[i], sizes, count);
}

#endif
