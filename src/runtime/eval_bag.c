/* Bags of embeddings, and distances between all pairs of rows. */
#include <math.h>
#include <string.h>

#include "ir/ops_kernel.h"
#include "runtime/interp.h"

/* ---- bags ---- */

enum { BAG_SUM, BAG_MEAN, BAG_MAX };

typedef struct {
  const double *weight;  /* [rows, width] */
  const double *factors; /* per index, NULL: 1 */
  const int64_t *indices, *offsets;
  int64_t rows, width, n_indices, n_bags, padding;
  int mode;
} bags;

/* Reduces bag b into y; returns the number of its members. first: its row of the indices of maxima,
 * or NULL. */
static int64_t reduce_bag(eval_ctx *c, const bags *g, int64_t begin, int64_t end, double *y,
                          int64_t *first) {
  int64_t members = 0;
  for (int64_t i = begin; i < end; i++) {
    int64_t row = g->indices[i];
    if (row < 0 || row >= g->rows) {
      eval_data_error(c, "index %lld is out of range for %lld embeddings", (long long)row,
                      (long long)g->rows);
      continue;
    }
    if (row == g->padding) continue;
    const double *w = g->weight + row * g->width;
    double f = g->factors ? g->factors[i] : 1;
    for (int64_t j = 0; j < g->width; j++) {
      if (g->mode != BAG_MAX) y[j] += f * w[j];
      else if (members == 0 || w[j] > y[j]) y[j] = w[j], first[j] = row;
    }
    members++;
  }
  for (int64_t j = 0; g->mode == BAG_MEAN && members > 0 && j < g->width; j++)
    y[j] /= (double)members;
  return members;
}

static void write_index(const tensor *t, int64_t at, int64_t v) {
  if (at >= tensor_numel(t)) return;
  number_store((number){.cls = 'i', .i = v}, t->dtype,
               t->data + (size_t)at * scanc_dtype_size(t->dtype));
}

static bool run_bags(eval_ctx *c, const bags *g) {
  storage *s = pool_alloc(c->mem, (size_t)g->width * 16 + 16);
  if (!s) return eval_fail(c, SCANC_ERR_NO_MEMORY, "out of memory");
  double *y = (double *)(void *)s->data;
  int64_t *first = (int64_t *)(void *)(y + g->width);
  const tensor *out = &c->out[0];
  convert_fn store = convert_of(out->dtype, SCANC_F64);
  memset(c->out[1].data, 0,
         (size_t)tensor_numel(&c->out[1]) * scanc_dtype_size(c->out[1].dtype)); /* in no bag */
  for (int64_t b = 0; b < g->n_bags; b++) {
    int64_t begin = g->offsets[b],
            end = b + 1 < tensor_numel(eval_tensor(c, 2)) ? g->offsets[b + 1] : g->n_indices;
    memset(s->data, 0, (size_t)g->width * 16);
    if (begin < 0 || end > g->n_indices || begin > end) {
      eval_data_error(c, "offset %lld is out of range", (long long)begin);
      begin = end = 0;
    }
    int64_t members = reduce_bag(c, g, begin, end, y, first);
    store(g->width, out->data + (size_t)(b * g->width) * scanc_dtype_size(out->dtype), 1, y, 1);
    for (int64_t i = begin; i < end; i++) write_index(&c->out[1], i, b);
    write_index(&c->out[2], b, g->mode == BAG_SUM ? 0 : members);
    if (g->mode == BAG_MAX)
      for (int64_t j = 0; j < g->width; j++) write_index(&c->out[3], b * g->width + j, first[j]);
    else write_index(&c->out[3], b, g->mode == BAG_SUM ? 0 : members);
  }
  storage_release(s);
  return true;
}

/* weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights,
 * include_last_offset, padding_idx */
bool eval_embedding_bag(eval_ctx *c) {
  const tensor *w = eval_contiguous(c, eval_tensor(c, 0), SCANC_F64),
               *i = eval_contiguous(c, eval_tensor(c, 1), SCANC_I64);
  const tensor *o = eval_contiguous(c, eval_tensor(c, 2), SCANC_I64), *f = NULL;
  if (!w || !i || !o) return false;
  if (eval_given(c, 6) && !(f = eval_contiguous(c, eval_tensor(c, 6), SCANC_F64))) return false;
  bags g = {.weight = (const double *)(const void *)w->data,
            .factors = f ? (const double *)(const void *)f->data : NULL,
            .indices = (const int64_t *)(const void *)i->data,
            .offsets = (const int64_t *)(const void *)o->data,
            .rows = w->sizes[0],
            .width = w->sizes[1],
            .n_indices = i->sizes[0],
            .n_bags = c->out[0].sizes[0],
            .padding = eval_int_or(c, 8, -1),
            .mode = (int)eval_int_or(c, 4, 0)};
  return run_bags(c, &g);
}

/* ---- distances ---- */

static double power(double x, double p, bool fma) {
  double y;
  int status = 0;
  ew_kernel_of(OP_pow, SCANC_F64, fma)(1, &y, (const void *const[]){&x, &p},
                                       (const int64_t[]){1, 1}, &status);
  return y;
}

static double distance(const double *a, const double *b, int64_t n, double p, bool fma) {
  double sum = 0;
  for (int64_t i = 0; i < n; i++) {
    double d = fabs(a[i] - b[i]);
    if (p == 0) sum += d != 0;
    else if (p == 1) sum += d;
    else if (p == 2) sum += d * d;
    else if (isinf(p)) sum = isnan(d) || d > sum ? d : sum;
    else sum += power(d, p, fma);
  }
  return p == 2 ? sqrt(sum) : p == 0 || p == 1 || isinf(p) ? sum : power(sum, 1 / p, fma);
}

/* self [N, M], p: all pairs of rows i < j, by i and then j */
bool eval_pdist(eval_ctx *c) {
  const tensor *x = eval_contiguous(c, eval_tensor(c, 0), SCANC_F64), *y = &c->out[0];
  if (!x) return false;
  double p = eval_float_or(c, 1, 2);
  const double *v = (const double *)(const void *)x->data;
  int64_t n = x->sizes[0], m = x->sizes[1], at = 0;
  convert_fn store = convert_of(y->dtype, SCANC_F64);
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = i + 1; j < n; j++, at++) {
      double d = distance(v + i * m, v + j * m, m, p, c->in->call->fma);
      store(1, y->data + (size_t)at * scanc_dtype_size(y->dtype), 1, &d, 1);
    }
  return true;
}
