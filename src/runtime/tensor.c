/* Tensors: sizes, strides, walking over elements, copies. */
#include "runtime/tensor.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/rows.h"

/* The first touch of a page costs more than what most kernels do with it. */
void *data_alloc(size_t bytes) {
  const size_t huge = (size_t)2 << 20;
  size_t unit = bytes < 2 * huge ? 64 : huge;
  if (bytes > SIZE_MAX - unit) return NULL;
  size_t size = (bytes + unit) & ~(unit - 1);
  void *data = aligned_alloc(unit, size);
#ifdef MADV_HUGEPAGE
  if (data && unit == huge) madvise(data, size, MADV_HUGEPAGE);
#endif
  return data;
}

int64_t tensor_numel(const tensor *t) {
  int64_t n = 1;
  for (int d = 0; d < t->rank; d++) n *= t->sizes[d];
  return n;
}

bool tensor_contiguous(const tensor *t) {
  int64_t expected = 1;
  for (int d = t->rank - 1; d >= 0; d--) {
    if (t->sizes[d] == 0) return true;
    if (t->sizes[d] != 1 && t->strides[d] != expected) return tensor_numel(t) == 0;
    expected *= t->sizes[d];
  }
  return true;
}

void tensor_default_strides(tensor *t) {
  int64_t stride = 1;
  for (int d = t->rank - 1; d >= 0; d--) {
    t->strides[d] = stride;
    stride *= t->sizes[d] ? t->sizes[d] : 1;
  }
}

scanc_tensor scanc_tensor_contiguous(void *data, scanc_dtype dtype, int rank,
                                     const int64_t *sizes) {
  scanc_tensor t = {.data = data, .dtype = dtype, .rank = rank};
  if (rank > 0 && !sizes) t.rank = -1;
  if (t.rank <= 0 || rank > SCANC_MAX_RANK) return t;
  memcpy(t.sizes, sizes, sizeof *sizes * (size_t)rank);
  int64_t stride = 1;
  for (int d = rank - 1; d >= 0; d--) {
    t.strides[d] = stride;
    if (t.sizes[d] > 0 && __builtin_mul_overflow(stride, t.sizes[d], &stride)) stride = 0;
  }
  return t;
}

int64_t scanc_tensor_numel(const scanc_tensor *t) {
  int64_t n = 1;
  bool empty = false, overflow = false;
  if (!t || t->rank < 0 || t->rank > SCANC_MAX_RANK) return -1;
  for (int d = 0; d < t->rank; d++) {
    if (t->sizes[d] < 0) return -1;
    empty |= t->sizes[d] == 0;
    if (t->sizes[d]) overflow |= __builtin_mul_overflow(n, t->sizes[d], &n);
  }
  return empty ? 0 : overflow ? -1 : n;
}

bool scanc_tensor_is_contiguous(const scanc_tensor *t) {
  int64_t expected = 1, n = scanc_tensor_numel(t);
  if (n <= 0) return n == 0;
  for (int d = t->rank - 1; d >= 0; d--) {
    if (t->sizes[d] != 1 && t->strides[d] != expected) return false;
    expected *= t->sizes[d];
  }
  return true;
}

double tensor_get_f64(const tensor *t, int64_t offset) {
  return number_load(t->dtype, t->data + offset * (int64_t)scanc_dtype_size(t->dtype)).f;
}

/* ---- rows ---- */

void rows_set(rows *r, int k, const tensor *t) {
  int64_t size = (int64_t)scanc_dtype_size(t->dtype);
  int shift = r->rank - t->rank;
  r->data[k] = t->data;
  for (int d = 0; d < r->rank; d++)
    r->strides[k][d] = d < shift || t->sizes[d - shift] == 1 ? 0 : t->strides[d - shift] * size;
}

void rows_set_element(rows *r, int k, void *p) {
  r->data[k] = p;
  for (int d = 0; d < r->rank; d++) r->strides[k][d] = 0;
}

/* Whether dimension d and the next inner one behave like a single dimension in every array. */
static bool mergeable(const rows *r, int outer, int inner) {
  for (int k = 0; k < r->n; k++)
    if (r->strides[k][outer] != r->strides[k][inner] * r->sizes[inner]) return false;
  return true;
}

int64_t rows_merge(rows *r) {
  int64_t numel = 1;
  int to = -1; /* the last dimension kept */
  for (int d = 0; d < r->rank; d++) {
    numel *= r->sizes[d];
    if (r->sizes[d] == 1) continue;
    if (to >= 0 && mergeable(r, to, d)) {
      r->sizes[to] *= r->sizes[d];
      for (int k = 0; k < r->n; k++) r->strides[k][to] = r->strides[k][d];
      continue;
    }
    to++;
    r->sizes[to] = r->sizes[d];
    for (int k = 0; k < r->n; k++) r->strides[k][to] = r->strides[k][d];
  }
  r->rank = to + 1;
  if (r->rank == 0) {
    r->rank = 1;
    r->sizes[0] = 1;
    for (int k = 0; k < r->n; k++) r->strides[k][0] = 0;
  }
  return numel;
}

void rows_each(const rows *r,
               void (*row)(void *ctx, int64_t n, char *const *data, const int64_t *strides),
               void *ctx) {
  int inner = r->rank - 1;
  char *data[ROWS_MAX];
  int64_t step[ROWS_MAX], index[SCANC_MAX_RANK] = {0};
  for (int k = 0; k < r->n; k++) data[k] = r->data[k], step[k] = r->strides[k][inner];
  for (;;) {
    row(ctx, r->sizes[inner], data, step);
    int d = inner - 1;
    for (; d >= 0; d--) {
      for (int k = 0; k < r->n; k++) data[k] += r->strides[k][d];
      if (++index[d] < r->sizes[d]) break;
      for (int k = 0; k < r->n; k++) data[k] -= r->strides[k][d] * r->sizes[d];
      index[d] = 0;
    }
    if (d < 0) return;
  }
}

/* ---- copies ---- */

typedef struct {
  convert_fn convert;
  int64_t dst_size, src_size;
  bool same;
} copy_ctx;

static void copy_row(void *ctx, int64_t n, char *const *data, const int64_t *strides) {
  const copy_ctx *c = ctx;
  if (c->same && strides[0] == c->dst_size && strides[1] == c->dst_size)
    memmove(data[0], data[1], (size_t)(n * c->dst_size));
  else c->convert(n, data[0], strides[0] / c->dst_size, data[1], strides[1] / c->src_size);
}

void tensor_copy(const tensor *dst, const tensor *src) {
  copy_ctx c = {convert_of(dst->dtype, src->dtype), (int64_t)scanc_dtype_size(dst->dtype),
                (int64_t)scanc_dtype_size(src->dtype), dst->dtype == src->dtype};
  rows r;
  rows_init(&r, 2, dst->sizes, dst->rank);
  rows_set(&r, 0, dst);
  rows_set(&r, 1, src);
  if (!rows_merge(&r)) return;
  assert(r.n == 2);
  rows_each(&r, copy_row, &c);
}
