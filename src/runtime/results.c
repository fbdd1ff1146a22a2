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
  out->data = data_alloc(bytes);
  out->owner = out->data;
  out->release = out->data ? free : NULL;
  return out->data != NULL;
}

static src_loc nowhere(const program *p) { return (src_loc){.file = p->mod->name}; }

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

/* The bytes that the elements lie in; empty: first == end. Strides may be any numbers. */
typedef struct {
  __int128 first, end;
} extent;

static extent extent_of(const scanc_tensor *t) {
  __int128 low = 0, high = 0, size = (__int128)scanc_dtype_size(t->dtype);
  __int128 base = (__int128)(uintptr_t)t->data;
  for (int i = 0; i < t->rank; i++) {
    if (t->sizes[i] == 0) return (extent){base, base};
    __int128 last = (__int128)(t->sizes[i] - 1) * t->strides[i];
    if (last < 0) low += last;
    else high += last;
  }
  return (extent){base + low * size, base + (high + 1) * size};
}

static bool is_sane(const scanc_tensor *t) {
  if (t->rank < 0 || t->rank > SCANC_MAX_RANK || (unsigned)t->dtype >= SCANC_N_DTYPES) return false;
  for (int i = 0; i < t->rank; i++)
    if (t->sizes[i] < 0) return false;
  return true;
}

static __int128 magnitude(int64_t stride) { return stride < 0 ? -(__int128)stride : stride; }

/* Whether two elements may lie at one place: taken by rising stride, every dimension must step over
 * all of those before it. */
static bool overlaps_itself(const scanc_tensor *t) {
  bool taken[SCANC_MAX_RANK] = {false};
  __int128 reach = 0;
  for (int i = 0; i < t->rank; i++)
    if (t->sizes[i] == 0) return false;
  for (;;) {
    int next = -1;
    for (int i = 0; i < t->rank; i++)
      if (!taken[i] && t->sizes[i] > 1 &&
          (next < 0 || magnitude(t->strides[i]) < magnitude(t->strides[next])))
        next = i;
    if (next < 0) return false;
    if (magnitude(t->strides[next]) <= reach) return true;
    reach += (t->sizes[next] - 1) * magnitude(t->strides[next]);
    taken[next] = true;
  }
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
    if (in[i].data && is_sane(&in[i]) && touch(&in[i], given)) return true;
  return false;
}

bool results_apart(const program *p, const scanc_tensor *in, const scanc_tensor *out,
                   scanc_error *err) {
  for (int i = 0; i < p->n_outputs; i++) {
    if (!out[i].data) continue;
    if (!is_sane(&out[i]))
      return err_set(
          err, SCANC_ERR_OUTPUT_SHAPE, nowhere(p),
          "output %d: the array given for it has an impossible rank, size or element type", i);
    if (overlaps_itself(&out[i]))
      return err_set(err, SCANC_ERR_OVERLAP, nowhere(p),
                     "output %d: elements of the array given for it lie at one place", i);
    for (int k = 0; k < p->n_inputs; k++)
      if (in[k].data && is_sane(&in[k]) && touch(&in[k], &out[i]) && !identical(&in[k], &out[i]))
        return err_set(err, SCANC_ERR_OVERLAP, nowhere(p),
                       "output %d lies in the memory of input '%s' and is not the same array", i,
                       p->inputs[k].port.name);
    for (int k = 0; k < i; k++)
      if (out[k].data && touch(&out[k], &out[i]))
        return err_set(err, SCANC_ERR_OVERLAP, nowhere(p),
                       "the arrays given for outputs %d and %d lie in one range of memory", k, i);
  }
  return true;
}

void result_copy(const scanc_tensor *to, const tensor *from) {
  tensor t = {.data = to->data, .dtype = to->dtype, .rank = to->rank};
  memcpy(t.sizes, to->sizes, sizeof t.sizes);
  memcpy(t.strides, to->strides, sizeof t.strides);
  tensor_copy(&t, from);
}
