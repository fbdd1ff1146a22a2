/* Walking and cutting strided tensors. */
#include "runtime/strided.h"

#include <math.h>

/* ---- views ---- */

static void drop_axis(tensor *t, int axis) {
  t->rank--;
  for (int i = axis; i < t->rank; i++) {
    t->sizes[i] = t->sizes[i + 1];
    t->strides[i] = t->strides[i + 1];
  }
}

static void advance(tensor *t, int64_t elements) {
  t->data += elements * (int64_t)scanc_dtype_size(t->dtype);
}

void part_select(tensor *t, int axis, int64_t index) {
  advance(t, (index < 0 ? index + t->sizes[axis] : index) * t->strides[axis]);
  drop_axis(t, axis);
}

void part_slice(tensor *t, int axis, int64_t start, int64_t length, int64_t step) {
  if (length > 0) advance(t, start * t->strides[axis]);
  t->sizes[axis] = length;
  t->strides[axis] *= step;
}

void part_diagonal(tensor *t, int64_t offset, int a, int b, int64_t length) {
  int64_t stride = t->strides[a] + t->strides[b];
  if (length > 0) advance(t, offset >= 0 ? offset * t->strides[b] : -offset * t->strides[a]);
  drop_axis(t, a > b ? a : b);
  drop_axis(t, a > b ? b : a);
  t->sizes[t->rank] = length;
  t->strides[t->rank++] = stride;
}

void part_expand(tensor *t, const int64_t *sizes, int rank) {
  tensor old = *t;
  for (int i = 0; i < rank; i++) {
    int k = i - (rank - old.rank);
    t->strides[i] = k < 0 || (old.sizes[k] == 1 && sizes[i] != 1) ? 0 : old.strides[k];
    t->sizes[i] = sizes[i];
  }
  t->rank = rank;
}

void part_unsqueeze(tensor *t, int axis) {
  for (int i = t->rank++; i > axis; i--) {
    t->sizes[i] = t->sizes[i - 1];
    t->strides[i] = t->strides[i - 1];
  }
  t->sizes[axis] = 1;
  t->strides[axis] = 1;
}

/* Runs of axes of t that lie one behind the other in memory are cut into the new sizes from the
 * back. */
bool reshape_strides(const tensor *t, const int64_t *sizes, int rank, int64_t *strides) {
  tensor u = {.rank = rank};
  if (rank) memcpy(u.sizes, sizes, sizeof *sizes * (size_t)rank);
  tensor_default_strides(&u);
  if (rank) memcpy(strides, u.strides, sizeof *strides * (size_t)rank);
  if (tensor_contiguous(t) || tensor_numel(t) == 0) return true;
  int k = rank - 1;
  int64_t base = t->strides[t->rank - 1], run = 1, cut = 1;
  for (int i = t->rank - 1; i >= 0; i--) {
    run *= t->sizes[i];
    if (i > 0 && (t->sizes[i - 1] == 1 || t->strides[i - 1] == run * base)) continue;
    for (; k >= 0 && (cut < run || sizes[k] == 1); k--) {
      strides[k] = cut * base;
      cut *= sizes[k];
    }
    if (cut != run) return false;
    if (i > 0) base = t->strides[i - 1];
    run = cut = 1;
  }
  return k < 0;
}

int64_t slice_bounds(int64_t extent, int64_t *start, int64_t end, int64_t step) {
  int64_t b[2] = {*start, end};
  for (int i = 0; i < 2; i++) {
    if (b[i] < 0) b[i] += extent;
    b[i] = b[i] < 0 ? 0 : b[i] > extent ? extent : b[i];
  }
  *start = b[0];
  return b[1] > b[0] ? (b[1] - b[0] - 1) / step + 1 : 0;
}

/* ---- walking ---- */

bool odo_start(odometer *w, const int64_t *sizes, int rank) {
  w->rank = rank;
  w->n = 0;
  for (int k = 0; k < ODO_OFFSETS; k++) w->at[k] = 0;
  bool empty = false;
  for (int i = 0; i < rank; i++) {
    w->sizes[i] = sizes[i];
    w->i[i] = 0;
    empty |= sizes[i] == 0;
  }
  return !empty;
}

void odo_add(odometer *w, const int64_t *strides) {
  for (int i = 0; i < w->rank; i++) w->strides[w->n][i] = strides[i];
  w->n++;
}

bool odo_next(odometer *w) {
  for (int d = w->rank - 1; d >= 0; d--) {
    if (++w->i[d] < w->sizes[d]) {
      for (int k = 0; k < w->n; k++) w->at[k] += w->strides[k][d];
      return true;
    }
    w->i[d] = 0;
    for (int k = 0; k < w->n; k++) w->at[k] -= w->strides[k][d] * (w->sizes[d] - 1);
  }
  return false;
}

/* ---- elements ---- */

static double combine_float(combine op, double a, double b) {
  switch (op) {
    case COMBINE_SUM:
    case COMBINE_MEAN: return a + b;
    case COMBINE_PROD: return a * b;
    case COMBINE_AMAX: return isnan(a) || a > b ? a : b;
    case COMBINE_AMIN: return isnan(a) || a < b ? a : b;
    default: return b;
  }
}

static int64_t combine_int(combine op, int64_t a, int64_t b) {
  switch (op) {
    case COMBINE_SUM:
    case COMBINE_MEAN: return (int64_t)((uint64_t)a + (uint64_t)b);
    case COMBINE_PROD: return (int64_t)((uint64_t)a * (uint64_t)b);
    case COMBINE_AMAX: return a > b ? a : b;
    case COMBINE_AMIN: return a < b ? a : b;
    default: return b;
  }
}

void elem_combine(combine op, scanc_dtype d, char *dst, const char *src) {
  if (op == COMBINE_REPLACE) {
    elem_copy(dst, src, scanc_dtype_size(d));
    return;
  }
  if (d == SCANC_F32) { /* the same as below, without going through numbers */
    float a, b;
    memcpy(&a, dst, sizeof a);
    memcpy(&b, src, sizeof b);
    a = (float)combine_float(op, a, b);
    memcpy(dst, &a, sizeof a);
    return;
  }
  number a = number_load(d, dst), b = number_load(d, src);
  if (a.cls == 'f') {
    a.f = combine_float(op, a.f, b.f);
  } else if (a.cls == 'i') {
    a.i = combine_int(op, a.i, b.i);
  } else if (a.cls == 'b') {
    a.i = op == COMBINE_PROD || op == COMBINE_AMIN ? a.i & b.i : a.i | b.i;
  } else if (op == COMBINE_PROD) {
    number p = a;
    bool narrow = d == SCANC_C64; /* products are rounded, as in complex arithmetic of that type */
    p.f = narrow ? (float)(a.f * b.f) - (float)(a.im * b.im) : a.f * b.f - a.im * b.im;
    p.im = narrow ? (float)(a.f * b.im) + (float)(a.im * b.f) : a.f * b.im + a.im * b.f;
    a = p;
  } else {
    a.f += b.f;
    a.im += b.im;
  }
  number_store(a, d, dst);
}

combine combine_named(const char *name) {
  static const struct {
    const char *name;
    combine op;
  } names[] = {{"sum", COMBINE_SUM},       {"add", COMBINE_SUM},   {"prod", COMBINE_PROD},
               {"multiply", COMBINE_PROD}, {"mean", COMBINE_MEAN}, {"amax", COMBINE_AMAX},
               {"amin", COMBINE_AMIN}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(names[i].name, name)) return names[i].op;
  return COMBINE_REPLACE;
}

/* ---- gathering by tables ---- */

typedef struct {
  const tensor *out, *x;
  const int64_t *const *table;
  size_t size, block; /* bytes of an element, and of the contiguous tail */
  int tail;           /* first axis of the tail */
} tables;

static char *gather_axis(const tables *g, int d, char *dst, const char *src) {
  if (d == g->tail) {
    memcpy(dst, src, g->block);
    return dst + g->block;
  }
  int64_t n = g->out->sizes[d], step = (int64_t)g->size * g->x->strides[d];
  const int64_t *t = g->table[d];
  if (d == g->out->rank - 1) {
    for (int64_t i = 0; i < n; i++, dst += g->size)
      elem_copy(dst, src + (t ? t[i] * (int64_t)g->size : i * step), g->size);
    return dst;
  }
  for (int64_t i = 0; i < n; i++)
    dst = gather_axis(g, d + 1, dst, src + (t ? t[i] * (int64_t)g->size : i * step));
  return dst;
}

void gather_tables(const tensor *out, const tensor *x, const int64_t *const *table) {
  tables g = {out, x, table, scanc_dtype_size(out->dtype), scanc_dtype_size(out->dtype), out->rank};
  if (tensor_numel(out) == 0) return;
  while (g.tail > 0 && !table[g.tail - 1] &&
         x->strides[g.tail - 1] * (int64_t)g.size == (int64_t)g.block)
    g.block *= (size_t)out->sizes[--g.tail];
  gather_axis(&g, 0, out->data, x->data);
}

/* ---- arguments ---- */

int eval_ints(const eval_ctx *c, int k, int64_t *out) {
  const rval *v = &c->arg[k];
  if (v->kind != TYPE_LIST) return out[0] = eval_int_or(c, k, 0), 1;
  for (int i = 0; i < v->n; i++) out[i] = v->items[i].i;
  return v->n;
}

const char *eval_str_or(const eval_ctx *c, int k, const char *dflt) {
  return c->arg[k].kind == TYPE_STR ? c->arg[k].s : dflt;
}

bool eval_view_out(eval_ctx *c, int k, const tensor *v) {
  tensor *out = &c->out[k];
  out->data = v->data;
  out->dtype = v->dtype;
  out->rank = v->rank;
  memcpy(out->sizes, v->sizes, sizeof out->sizes);
  memcpy(out->strides, v->strides, sizeof out->strides);
  return true;
}

int64_t eval_safe_index(eval_ctx *c, int64_t i, int64_t extent, bool wrap) {
  if (i >= 0 && i < extent) return i;
  if (wrap && i < 0 && i >= -extent) return i + extent;
  eval_data_error(c, "index %lld is outside the extent %lld", (long long)i, (long long)extent);
  return 0;
}

int64_t *eval_offsets(eval_ctx *c, int64_t n) { return ARENA_ARRAY(c->tmp, int64_t, n); }
