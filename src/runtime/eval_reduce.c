/* Reductions: sum, prod, mean, extrema and where they are, any, all. The order of accumulation is
 * that of fold.h. */
#include <string.h>

#include "runtime/eval.h"
#include "runtime/fold.h"
#include "runtime/walk.h"

typedef struct {
  const fold *f;
  const char *data;
  size_t esize;       /* of an element of the operand */
  convert_fn load;    /* operand -> acc */
  bool direct;        /* the operand is of type acc */
  axes kept, reduced; /* of the operand */
  int64_t n;          /* number of reduced elements */
  bool mean;
  char *out; /* contiguous results */
  size_t out_esize;
  convert_fn store;
  int64_t *index; /* results of argmax and the like; NULL: values only */
} job;

/* ---- one value at a time ---- */

/* The next n elements of the reduced space as values of type acc; `buf` has room for n. */
static const void *read_run(const job *j, walk *w, const char *base, void *buf, int64_t n) {
  if (j->direct && n <= walk_run(w) && (walk_stride(w) == 1 || n == 1)) {
    const char *p = base + (int64_t)j->esize * w->offset;
    walk_advance(w, n);
    return p;
  }
  for (char *p = buf; n > 0;) {
    int64_t run = walk_run(w) < n ? walk_run(w) : n;
    j->load(run, p, 1, base + (int64_t)j->esize * w->offset, walk_stride(w));
    walk_advance(w, run);
    p += (size_t)run * j->f->size;
    n -= run;
  }
  return buf;
}

/* Block results, combined pairwise: level l holds the fold of 2^l blocks when bit l of count is
 * set. */
typedef struct {
  char *levels;
  int64_t width, count;
} cascade;

static void cascade_push(const fold *f, cascade *s, const void *partial) {
  size_t bytes = (size_t)s->width * f->size;
  char *level = s->levels;
  for (int64_t k = s->count; k & 1; k >>= 1, level += bytes) {
    f->join(level, partial, s->width);
    partial = level;
  }
  memcpy(level, partial, bytes);
  s->count++;
}

static const void *cascade_total(const fold *f, cascade *s) {
  size_t bytes = (size_t)s->width * f->size;
  char *level = s->levels, *total = NULL;
  for (int64_t k = s->count; k; k >>= 1, level += bytes) {
    if (!(k & 1)) continue;
    if (total) f->join(level, total, s->width);
    total = level;
  }
  return total;
}

static void reduce_line(const job *j, const char *base, void *result) {
  char levels[FOLD_LEVELS * 16], buf[FOLD_BLOCK * 16], partial[16];
  walk w = walk_begin(&j->reduced);
  if (j->n <= FOLD_BLOCK) {
    j->f->block(result, j->n ? read_run(j, &w, base, buf, j->n) : buf, j->n);
    return;
  }
  cascade s = {levels, 1, 0};
  for (int64_t done = 0; done < j->n; done += FOLD_BLOCK) {
    int64_t n = j->n - done < FOLD_BLOCK ? j->n - done : FOLD_BLOCK;
    j->f->block(partial, read_run(j, &w, base, buf, n), n);
    cascade_push(j->f, &s, partial);
  }
  memcpy(result, cascade_total(j->f, &s), j->f->size);
}

/* The extremum of n values replaces `best`. */
static bool wins(const job *j, const void *x, int64_t n, const void *best) {
  char top[16], copy[16];
  int64_t index = 0;
  j->f->block(top, x, n);
  memcpy(copy, best, j->f->size);
  j->f->arg(copy, &index, top, 1, 1);
  return index == 1;
}

static void arg_line(const job *j, const char *base, void *result, int64_t *index) {
  char buf[FOLD_BLOCK * 16];
  walk w = walk_begin(&j->reduced);
  for (int64_t done = 0; done < j->n; done += FOLD_BLOCK) {
    int64_t n = j->n - done < FOLD_BLOCK ? j->n - done : FOLD_BLOCK;
    const char *x = read_run(j, &w, base, buf, n);
    if (done == 0) memcpy(result, x, j->f->size), *index = 0;
    if (wins(j, x, n, result)) /* few blocks do: the others are not looked at one by one */
      for (int64_t i = 0; i < n; i++)
        j->f->arg(result, index, x + (size_t)i * j->f->size, 1, done + i);
  }
}

/* Results first..first + n of the output, from values of type acc. */
static void write_results(const job *j, int64_t first, void *values, int64_t n) {
  if (j->mean) j->f->divide(values, n, j->n);
  if (j->out) j->store(n, j->out + (size_t)first * j->out_esize, 1, values, 1);
}

static void reduce_lines(const job *j) {
  char values[FOLD_COLUMNS * 16];
  int64_t total = axes_count(&j->kept);
  walk w = walk_begin(&j->kept);
  for (int64_t done = 0; done < total; done += FOLD_COLUMNS) {
    int64_t n = total - done < FOLD_COLUMNS ? total - done : FOLD_COLUMNS;
    for (int64_t i = 0; i < n; i++) {
      const char *base = j->data + (int64_t)j->esize * w.offset;
      if (j->index) arg_line(j, base, values + (size_t)i * j->f->size, j->index + done + i);
      else reduce_line(j, base, values + (size_t)i * j->f->size);
      walk_advance(&w, 1);
    }
    write_results(j, done, values, n);
  }
}

/* ---- up to FOLD_COLUMNS adjacent results at once ---- */

/* The `width` elements at base, `stride` apart, as values of type acc. */
static const void *read_columns(const job *j, const char *base, int64_t stride, void *buf,
                                int64_t width) {
  if (j->direct && stride == 1) return base;
  j->load(width, buf, 1, base, stride);
  return buf;
}

/* Folds n rows into lanes[0]. */
static void block_columns(const job *j, walk *w, const char *base, int64_t stride, char *lanes,
                          int64_t width, int64_t n) {
  char buf[FOLD_COLUMNS * 16];
  size_t bytes = (size_t)width * j->f->size;
  int64_t used = n < FOLD_LANES ? n : FOLD_LANES;
  j->f->fill(lanes, width * (used ? used : 1));
  for (int64_t r = 0; r < n; r++) {
    const void *x = read_columns(j, base + (int64_t)j->esize * w->offset, stride, buf, width);
    j->f->join(lanes + (size_t)(r % FOLD_LANES) * bytes, x, width);
    walk_advance(w, 1);
  }
  for (int h = FOLD_LANES / 2; h > 0; h /= 2)
    for (int k = 0; k < h && k + h < used; k++)
      j->f->join(lanes + (size_t)k * bytes, lanes + (size_t)(k + h) * bytes, width);
}

static void reduce_columns(const job *j, const char *base, int64_t stride, int64_t width,
                           void *result) {
  char lanes[FOLD_LANES * FOLD_COLUMNS * 16], levels[FOLD_LEVELS * FOLD_COLUMNS * 16];
  cascade s = {levels, width, 0};
  walk w = walk_begin(&j->reduced);
  size_t bytes = (size_t)width * j->f->size;
  if (j->n <= FOLD_BLOCK) {
    block_columns(j, &w, base, stride, lanes, width, j->n);
    memcpy(result, lanes, bytes);
    return;
  }
  for (int64_t done = 0; done < j->n; done += FOLD_BLOCK) {
    block_columns(j, &w, base, stride, lanes, width,
                  j->n - done < FOLD_BLOCK ? j->n - done : FOLD_BLOCK);
    cascade_push(j->f, &s, lanes);
  }
  memcpy(result, cascade_total(j->f, &s), bytes);
}

static void arg_columns(const job *j, const char *base, int64_t stride, int64_t width, void *result,
                        int64_t *index) {
  char buf[FOLD_COLUMNS * 16];
  walk w = walk_begin(&j->reduced);
  memcpy(result, read_columns(j, base, stride, buf, width), (size_t)width * j->f->size);
  memset(index, 0, (size_t)width * sizeof *index);
  for (int64_t r = 0; r < j->n; r++) {
    j->f->arg(result, index,
              read_columns(j, base + (int64_t)j->esize * w.offset, stride, buf, width), width, r);
    walk_advance(&w, 1);
  }
}

static void reduce_all_columns(const job *j) {
  char values[FOLD_COLUMNS * 16];
  axes outer = j->kept;
  int64_t inner = outer.size[--outer.n], stride = j->kept.stride[outer.n],
          rows = axes_count(&outer);
  walk w = walk_begin(&outer);
  for (int64_t row = 0; row < rows; row++) {
    const char *base = j->data + (int64_t)j->esize * w.offset;
    for (int64_t col = 0; col < inner; col += FOLD_COLUMNS) {
      int64_t width = inner - col < FOLD_COLUMNS ? inner - col : FOLD_COLUMNS,
              first = row * inner + col;
      const char *p = base + (int64_t)j->esize * col * stride;
      if (j->index) arg_columns(j, p, stride, width, values, j->index + first);
      else reduce_columns(j, p, stride, width, values);
      write_results(j, first, values, width);
    }
    walk_advance(&w, 1);
  }
}

/* Columns where the kept axis is the inner one in memory, or where lines would be too short to pay.
 */
static bool by_columns(const job *j) {
  if (j->kept.n == 0 || j->kept.size[j->kept.n - 1] < 4) return false;
  int64_t kept = j->kept.stride[j->kept.n - 1],
          reduced = j->reduced.n ? j->reduced.stride[j->reduced.n - 1] : 0;
  if (j->n <= 16) return true;
  return (kept < 0 ? -kept : kept) < (reduced < 0 ? -reduced : reduced);
}

static void run(job *j) {
  for (int i = 0; i < j->kept.n; i++)
    if (j->kept.size[i] == 0) return;
  if (by_columns(j)) reduce_all_columns(j);
  else reduce_lines(j);
}

/* ---- the ops: self, dim, keepdim, dtype ---- */

/* Splits the axes of x by the argument `dim`. */
static void split_axes(const eval_ctx *c, const tensor *x, job *j) {
  int list[SCANC_MAX_RANK], n = eval_given(c, 1) ? eval_axes(c, 1, x->rank, list) : 0;
  bool reduced[SCANC_MAX_RANK];
  bool none = (c->op->id == OP_any || c->op->id == OP_all) && c->arg[1].kind == TYPE_LIST &&
              c->arg[1].n == 0;
  for (int i = 0; i < x->rank; i++) reduced[i] = n == 0 && !none;
  for (int i = 0; i < n && x->rank > 0; i++) reduced[list[i]] = true;
  j->n = 1;
  for (int i = 0; i < x->rank; i++) {
    axes_push(reduced[i] ? &j->reduced : &j->kept, x->sizes[i], x->strides[i]);
    if (reduced[i]) j->n *= x->sizes[i];
  }
}

static void prepare(job *j, const tensor *x, const fold *f, scanc_dtype element) {
  j->f = f;
  j->data = x->data;
  j->esize = scanc_dtype_size(element);
  j->direct = element == f->acc;
  j->load = convert_of(f->acc, element);
}

static void set_output(job *j, const tensor *out, scanc_dtype element) {
  j->out = out->data;
  j->out_esize = scanc_dtype_size(element);
  j->store = convert_of(element, j->f->acc);
}

/* A complex sum is that of real and imaginary parts: the operand gets an inner axis of two real
 * numbers. */
static void as_real(axes *a, bool inner) {
  for (int i = 0; i < a->n; i++) a->stride[i] *= 2;
  if (inner) a->size[a->n] = 2, a->stride[a->n++] = 1;
}

static bool sum_or_mean(eval_ctx *c, bool mean) {
  const tensor *x = eval_tensor(c, 0);
  scanc_dtype d = c->out[0].dtype, element = x->dtype;
  job j = {.mean = mean};
  bool widening = d == SCANC_I64 && (dtype_class(element) == 'i' || element == SCANC_BOOL);
  if (element != d && !widening) { /* an explicit dtype: elements are converted first */
    x = eval_contiguous(c, x, d);
    if (!x) return false;
    element = x->dtype;
  }
  split_axes(c, x, &j);
  if (dtype_class(element) == 'c') {
    as_real(&j.reduced, false);
    as_real(&j.kept, true);
    element = dtype_real(element);
    d = dtype_real(d);
  }
  prepare(&j, x, fold_of(FOLD_SUM, element == SCANC_BOOL ? SCANC_I64 : dtype_fold(element)),
          element);
  set_output(&j, &c->out[0], d);
  run(&j);
  return true;
}

bool eval_sum(eval_ctx *c) { return sum_or_mean(c, false); }
bool eval_mean(eval_ctx *c) { return sum_or_mean(c, true); }

bool eval_prod(eval_ctx *c) {
  const tensor *x = eval_tensor(c, 0);
  scanc_dtype d = c->out[0].dtype;
  job j = {0};
  if (x->dtype != d &&
      !(d == SCANC_I64 && (dtype_class(x->dtype) == 'i' || x->dtype == SCANC_BOOL))) {
    x = eval_contiguous(c, x, d);
    if (!x) return false;
  }
  split_axes(c, x, &j);
  prepare(&j, x, fold_of(FOLD_PROD, x->dtype == SCANC_BOOL ? SCANC_I64 : dtype_fold(x->dtype)),
          x->dtype);
  set_output(&j, &c->out[0], d);
  run(&j);
  return true;
}

/* values and indices may be NULL. */
static bool extremum(eval_ctx *c, fold_kind kind, const tensor *values, const tensor *indices) {
  const tensor *x = eval_tensor(c, 0);
  job j = {.index = indices ? (int64_t *)(void *)indices->data : NULL};
  split_axes(c, x, &j);
  prepare(&j, x, fold_of(kind, dtype_fold(x->dtype)), x->dtype);
  if (values) set_output(&j, values, x->dtype);
  run(&j);
  return true;
}

bool eval_amax(eval_ctx *c) { return extremum(c, FOLD_MAX, &c->out[0], NULL); }
bool eval_amin(eval_ctx *c) { return extremum(c, FOLD_MIN, &c->out[0], NULL); }
bool eval_max_dim(eval_ctx *c) { return extremum(c, FOLD_MAX, &c->out[0], &c->out[1]); }
bool eval_min_dim(eval_ctx *c) { return extremum(c, FOLD_MIN, &c->out[0], &c->out[1]); }
bool eval_argmax(eval_ctx *c) { return extremum(c, FOLD_MAX, NULL, &c->out[0]); }
bool eval_argmin(eval_ctx *c) { return extremum(c, FOLD_MIN, NULL, &c->out[0]); }

static bool truth(eval_ctx *c, fold_kind kind) {
  const tensor *x = eval_tensor(c, 0);
  job j = {0};
  split_axes(c, x, &j);
  prepare(&j, x, fold_of(kind, SCANC_BOOL), x->dtype);
  set_output(&j, &c->out[0], c->out[0].dtype);
  run(&j);
  return true;
}

bool eval_any(eval_ctx *c) { return truth(c, FOLD_MAX); }
bool eval_all(eval_ctx *c) { return truth(c, FOLD_MIN); }
