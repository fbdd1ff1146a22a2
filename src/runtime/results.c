/* Results in the hands of the caller: arrays of their own, or the caller's memory. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/program.h"

void scanc_tensor_release(scanc_tensor *t) {
  if (!t) return;
  if (t->release) t->release(t->owner);
  memset(t, 0, sizeof *t);
}

bool result_new(scanc_tensor *out, scanc_dtype d, const int64_t *sizes, int rank, size_t *left) {
  size_t bytes = scanc_dtype_size(d);
  bool empty = false;
  int64_t stride = 1;
  out->dtype = d;
  out->rank = rank;
  for (int i = rank - 1; i >= 0; i--) {
    out->sizes[i] = sizes[i];
    out->strides[i] = stride;
    stride *= sizes[i] > 0 ? sizes[i] : 1;
    empty |= sizes[i] == 0;
    if (sizes[i] && __builtin_mul_overflow(bytes, (size_t)sizes[i], &bytes)) return false;
  }
  if (empty) bytes = 0;
  if (bytes > *left) return false;
  *left -= bytes;
  out->data = aligned_alloc(64, (bytes + 64) & ~(size_t)63);
  out->owner = out->data;
  out->release = out->data ? free : NULL;
  return out->data != NULL;
}

static src_loc nowhere(const program *p) { return (src_loc){p->mod->name, 0, 0}; }

static void print_sizes(str *out, const int64_t *sizes, int rank) {
  for (int i = 0; i < rank; i++) str_printf(out, "%s%" PRId64, i ? ", " : "", sizes[i]);
}

bool result_fits(const program *p, int i, const scanc_tensor *given, scanc_dtype d,
                 const int64_t *sizes, int rank, scanc_error *err) {
  bool same = given->dtype == d && given->rank == rank;
  for (int k = 0; same && k < rank; k++) same = given->sizes[k] == sizes[k];
  if (same) return true;
  str want = {0}, got = {0};
  print_sizes(&want, sizes, rank);
  bool legal =
      given->rank >= 0 && given->rank <= SCANC_MAX_RANK && (unsigned)given->dtype < SCANC_N_DTYPES;
  if (legal) print_sizes(&got, given->sizes, given->rank);
  err_set(err, SCANC_ERR_OUTPUT_SHAPE, nowhere(p), "output %d: expected %s[%.200s], got %s[%.200s]",
          i, scanc_dtype_name(d), str_cstr(&want), legal ? scanc_dtype_name(given->dtype) : "?",
          legal ? str_cstr(&got) : "?");
  str_free(&want);
  str_free(&got);
  return false;
}

/* ---- shared memory ---- */

/* The bytes that the elements lie in; empty: first == end. */
typedef struct {
  uintptr_t first, end;
} extent;

static extent extent_of(const scanc_tensor *t) {
  int64_t low = 0, high = 0, size = (int64_t)scanc_dtype_size(t->dtype);
  uintptr_t base = (uintptr_t)t->data;
  for (int i = 0; i < t->rank; i++) {
    if (t->sizes[i] == 0) return (extent){base, base};
    int64_t last = (t->sizes[i] - 1) * t->strides[i];
    if (last < 0) low += last;
    else high += last;
  }
  return (extent){base + (uintptr_t)(low * size), base + (uintptr_t)((high + 1) * size)};
}

static bool touch(const scanc_tensor *a, const scanc_tensor *b) {
  extent x = extent_of(a), y = extent_of(b);
  return x.first < x.end && y.first < y.end && x.first < y.end && y.first < x.end;
}

static bool identical(const scanc_tensor *a, const scanc_tensor *b) {
  if (a->data != b->data || a->dtype != b->dtype || a->rank != b->rank) return false;
  for (int i = 0; i < a->rank; i++)
    if (a->sizes[i] != b->sizes[i] || (a->sizes[i] > 1 && a->strides[i] != b->strides[i]))
      return false;
  return true;
}

bool result_is_input(const program *p, const scanc_tensor *in, const scanc_tensor *given) {
  for (int i = 0; i < p->n_inputs; i++)
    if (in[i].data && touch(&in[i], given)) return true;
  return false;
}

bool results_apart(const program *p, const scanc_tensor *in, const scanc_tensor *out,
                   scanc_error *err) {
  for (int i = 0; i < p->n_outputs; i++) {
    for (int k = 0; out[i].data && k < p->n_inputs; k++)
      if (in[k].data && touch(&in[k], &out[i]) && !identical(&in[k], &out[i]))
        return err_set(err, SCANC_ERR_OVERLAP, nowhere(p),
                       "output %d shares memory with input '%s' and is not the same array", i,
                       p->inputs[k].port.name);
    for (int k = 0; out[i].data && k < i; k++)
      if (out[k].data && touch(&out[k], &out[i]))
        return err_set(err, SCANC_ERR_OVERLAP, nowhere(p), "outputs %d and %d share memory", k, i);
  }
  return true;
}

void result_copy(const scanc_tensor *to, const tensor *from) {
  tensor t = {.data = to->data, .dtype = to->dtype, .rank = to->rank};
  memcpy(t.sizes, to->sizes, sizeof t.sizes);
  memcpy(t.strides, to->strides, sizeof t.strides);
  tensor_copy(&t, from);
}
