/* Arrays for the inputs of a program: sizes by symbol and round, dimensions in any order in memory
 * with gaps, running backwards or not moving at all, elements with many special values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ir/convert.h"
#include "random.h"

int64_t symbol_size(uint64_t seed, int round, const char *name) {
  static const int64_t sizes[] = {2, 3, 5, 8, 17, 33, 16, 4, 7, 1, 0};
  static const int64_t lengths[] = {8, 9, 64, 127, 128, 129, 257, 700, 1025, 7, 1, 0};
  for (const char *p = name; *p; p++) seed = mix(seed, (uint64_t)*p);
  /* The first round is ordinary; one and zero come later. */
  rng r = {mix(seed, (uint64_t)round)};
  if (!strncmp(name, "s9", 2)) return lengths[below(&r, round ? 12 : 10)];
  return round ? sizes[below(&r, 11)] : sizes[below(&r, 9)];
}

/* ---- elements ---- */

static double random_float(rng *r) {
  static const double special[] = {0,    -0.0,  INFINITY, -INFINITY, NAN,   1e-40, -1e-40, 1e30,
                                   -1e5, 65504, 65520,    1e-310,    1e308, 88.5,  -104,   1e19};
  int kind = below(r, 10);
  if (kind == 0) return special[below(r, 16)];
  if (kind < 4) return below(r, 9) - 4;
  return (double)((int64_t)(rng_next(r) >> 11) - ((int64_t)1 << 52)) / (double)((int64_t)1 << 51);
}

static int64_t random_int(rng *r) {
  static const int64_t special[] = {0,   1,    -1,  INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN,
                                    127, -128, 255, 32767,     -32768,    31,        63};
  int kind = below(r, 10);
  if (kind == 0) return special[below(r, 14)];
  return kind < 8 ? below(r, 19) - 9 : (int64_t)rng_next(r) >> below(r, 60);
}

static number random_element(rng *r, char cls) {
  if (cls == 'b') return (number){.cls = cls, .i = below(r, 2)};
  if (cls == 'i') return (number){.cls = cls, .i = random_int(r)};
  return (number){.cls = cls, .f = random_float(r), .im = cls == 'c' ? random_float(r) : 0};
}

/* ---- layout ---- */

/* No dimension of a writable array stands still. */
static void random_strides(rng *r, scanc_tensor *t, bool writable, int64_t *low, int64_t *high) {
  int order[SCANC_MAX_RANK];
  bool plain = chance(r, 55);
  int64_t stride = !plain && chance(r, 12) ? 2 : 1;
  *low = *high = 0;
  for (int d = 0; d < t->rank; d++) order[d] = t->rank - 1 - d;
  for (int d = t->rank - 1; !plain && d > 0 && chance(r, 60); d--) {
    int k = below(r, d + 1), swap = order[d];
    order[d] = order[k], order[k] = swap;
  }
  for (int i = 0; i < t->rank; i++) {
    int d = order[i];
    int64_t size = t->sizes[d] > 0 ? t->sizes[d] : 1;
    bool still = !plain && !writable && chance(r, 8), back = !plain && chance(r, 10);
    t->strides[d] = still ? 0 : back ? -stride : stride;
    if (!still) stride *= size + (!plain && chance(r, 10));
    int64_t reach = t->strides[d] * (size - 1);
    if (reach < 0) *low += reach;
    else *high += reach;
  }
}

scanc_tensor random_array(rng *r, rng *layout, scanc_dtype d, int rank, const int64_t *sizes,
                          bool writable) {
  scanc_tensor t = {.dtype = d, .rank = rank, .release = free};
  int64_t low, high;
  for (int k = 0; k < rank; k++) t.sizes[k] = sizes[k];
  random_strides(layout, &t, writable, &low, &high);
  size_t size = scanc_dtype_size(d), n = (size_t)(high - low + 1);
  char *data = malloc(n * size);
  for (size_t i = 0; i < n; i++)
    number_store(random_element(r, dtype_class(d)), d, data + i * size);
  t.owner = data;
  t.data = data - low * (int64_t)size;
  return t;
}

scanc_tensor random_input(rng *r, const scanc_port *in, int i, uint64_t seed, int round) {
  int64_t sizes[SCANC_MAX_RANK];
  bool varies = seed % 4 == 0;
  rng layout = rng_make(mix(mix(seed, 100 + (uint64_t)i), varies ? (uint64_t)round : 0));
  for (int d = 0; d < in->rank; d++)
    sizes[d] = in->dims[d] >= 0 ? in->dims[d] : symbol_size(seed, round, in->dim_text[d]);
  return random_array(r, &layout, in->dtype, in->rank, sizes, false);
}
