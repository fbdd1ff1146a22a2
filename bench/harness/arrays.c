/* The arrays of a case: filled from the seed, compared, written. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

/* ---- numbers from the seed ---- */

/* splitmix64: the k-th number of a stream needs no number before it. */
static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

typedef struct {
  uint64_t stream, k;
} numbers;

static double uniform(numbers *r) {
  return (double)(mix(r->stream + r->k++ * 0x9e3779b97f4a7c15u) >> 11) * 0x1p-53;
}

static double normal(numbers *r) {
  double radius = sqrt(-2 * log(1 - uniform(r)));
  return radius * cos(6.283185307179586 * uniform(r));
}

/* at: how far into the array, from 0 to 1 */
static double draw(const bench_fill *f, numbers *r, double at) {
  switch (f->kind) {
    case FILL_NORMAL: return f->a + f->b * normal(r);
    case FILL_UNIFORM: return f->a + (f->b - f->a) * uniform(r);
    case FILL_WHOLE: return floor(f->a + (f->b - f->a) * uniform(r));
    case FILL_FLAGS: return uniform(r) < f->a;
    case FILL_TIES:
    case FILL_TIES_NAN: return floor(f->a + (f->b - f->a) * uniform(r) * sqrt(at));
  }
  return 0;
}

/* The element types that can be filled, with those of C. */
#define WHOLE_TYPES \
  STORE(BOOL, uint8_t) \
  STORE(U8, uint8_t) STORE(I8, int8_t) STORE(I16, int16_t) STORE(I32, int32_t) STORE(I64, int64_t)
#define REAL_TYPES STORE(F32, float) STORE(F64, double)

static bool fill(const scanc_tensor *t, const bench_fill *f, uint64_t seed) {
  int64_t n = scanc_tensor_numel(t);
  numbers r = {mix(seed), 0};
  scanc_dtype dtype = t->dtype;
  if (dtype == SCANC_C64 || dtype == SCANC_C128) {
    n *= 2;
    dtype = dtype == SCANC_C64 ? SCANC_F32 : SCANC_F64;
  }
  switch (dtype) {
#define STORE(name, type) \
  case SCANC_##name: \
    for (int64_t i = 0; i < n; i++) \
      ((type *)t->data)[i] = (type)ROUND(draw(f, &r, (double)i / (double)n)); \
    NAN_AT(type, 3 * n / 4); \
    return true;
#define ROUND(x) floor(x)
#define NAN_AT(type, i) (void)0
    WHOLE_TYPES
#undef ROUND
#undef NAN_AT
#define ROUND(x) (x)
#define NAN_AT(type, i) \
  if (f->kind == FILL_TIES_NAN && n) ((type *)t->data)[i] = NAN
    REAL_TYPES
#undef ROUND
#undef NAN_AT
#undef STORE
    default: return false;
  }
}

/* ---- making ---- */

size_t tensor_bytes(const scanc_tensor *t) {
  return t->data ? (size_t)scanc_tensor_numel(t) * scanc_dtype_size(t->dtype) : 0;
}

static bool refuse(scanc_error *err, const char *what, const char *name) {
  err->code = SCANC_ERR_UNSUPPORTED;
  snprintf(err->message, sizeof err->message, "the harness %s: '%s'", what, name);
  return false;
}

/* Arrays that begin at the same place of their pages make loads wait for stores to other arrays, as
 * the CPU compares the lower 12 bits of addresses first: loops over several arrays take twice as
 * long. So every array begins some cache lines further into its page than the one before. */
enum { PAGE = 4096, LINE = 64, LINES_APART = 9 };

static void *array_alloc(size_t bytes, int which) {
  return (char *)must_alloc(bytes + PAGE) + which * LINES_APART * LINE % PAGE;
}

static void array_free(void *data) { free((void *)((uintptr_t)data & ~(uintptr_t)(PAGE - 1))); }

static bool make_inputs(arrays *a, const scanc_program *prog, const workload *w, uint64_t seed,
                        scanc_error *err) {
  for (int i = 0; i < a->n_in; i++) {
    scanc_port p = scanc_program_input(prog, i);
    for (int d = 0; d < p.rank; d++)
      if (p.dims[d] < 0) return refuse(err, "needs constant sizes", p.name);
    if (!p.typed || p.rank < 0) return refuse(err, "needs the type of each input", p.name);
    scanc_tensor t = scanc_tensor_contiguous(NULL, p.dtype, p.rank, p.dims);
    size_t bytes = (size_t)scanc_tensor_numel(&t) * scanc_dtype_size(p.dtype);
    t.data = a->in_data[i] = array_alloc(bytes, i);
    a->in[i] = t;
    if (!fill(&t, &w->fill[i], seed * BENCH_MAX_ARRAYS + (uint64_t)i))
      return refuse(err, "cannot fill this element type", p.name);
  }
  return true;
}

void arrays_fill(arrays *a, const bench_fill *f, uint64_t seed) {
  for (int i = 0; i < a->n_in; i++) fill(&a->in[i], &f[i], seed * BENCH_MAX_ARRAYS + (uint64_t)i);
}

bool arrays_make(arrays *a, const scanc_program *prog, const workload *w, uint64_t seed,
                 scanc_error *err) {
  *a = (arrays){.n_in = scanc_program_n_inputs(prog), .n_out = scanc_program_n_outputs(prog)};
  if (a->n_in > BENCH_MAX_ARRAYS || a->n_out > BENCH_MAX_ARRAYS)
    return refuse(err, "has room for fewer inputs and outputs", w->name);
  if (!make_inputs(a, prog, w, seed, err) ||
      scanc_program_infer(prog, a->in, a->n_in, a->out, a->n_out, err) != SCANC_OK)
    return false;
  for (int i = 0; i < a->n_out; i++) {
    a->expected[i] = a->out[i];
    size_t bytes = (size_t)scanc_tensor_numel(&a->out[i]) * scanc_dtype_size(a->out[i].dtype);
    a->out[i].data = a->out_data[i] = array_alloc(bytes, a->n_in + i);
    a->expected[i].data = a->expected_data[i] = array_alloc(bytes, a->n_in + a->n_out + i);
  }
  return true;
}

void arrays_free(arrays *a) {
  for (int i = 0; i < BENCH_MAX_ARRAYS; i++) {
    array_free(a->in_data[i]);
    array_free(a->out_data[i]);
    array_free(a->expected_data[i]);
  }
  *a = (arrays){0};
}

void arrays_spoil(arrays *a) {
  for (int i = 0; i < a->n_out; i++) memset(a->out[i].data, 0xa5, tensor_bytes(&a->out[i]));
}

/* ---- comparing ---- */

static double element(const scanc_tensor *t, int64_t i) {
  switch (t->dtype) {
#define STORE(name, type) \
  case SCANC_##name: return (double)((const type *)t->data)[i];
    WHOLE_TYPES
    REAL_TYPES
#undef STORE
    default: return NAN;
  }
}

static bool agrees(double x, double want, double rtol, double atol) {
  if (isnan(want)) return isnan(x);
  if (isinf(want)) return x == want;
  return fabs(x - want) <= atol + rtol * fabs(want);
}

static const char *compare_floats(const scanc_tensor *got, const scanc_tensor *want, int64_t n,
                                  int at, double rtol, double atol, double *worst) {
  static char text[256];
  int64_t bad = 0, first = 0;
  if (memcmp(got->data, want->data, (size_t)n * scanc_dtype_size(got->dtype)) == 0) return "";
  for (int64_t i = 0; i < n; i++) {
    double x = element(got, i), y = element(want, i);
    if (!agrees(x, y, rtol, atol) && bad++ == 0) first = i;
    double error = fabs(x - y) / fmax(fabs(y), 1);
    if (error > *worst) *worst = error;
  }
  if (!bad) return "";
  snprintf(text, sizeof text,
           "result %d differs in %" PRId64 " of %" PRId64 " numbers; number %" PRId64
           " is %.9g, expected %.9g (rtol %g, atol %g)",
           at, bad, n, first, element(got, first), element(want, first), rtol, atol);
  return text;
}

static const char *compare_exactly(const scanc_tensor *got, const scanc_tensor *want, int64_t n,
                                   int at) {
  static char text[256];
  size_t size = scanc_dtype_size(got->dtype);
  const char *x = got->data, *y = want->data;
  if (memcmp(x, y, (size_t)n * size) == 0) return "";
  int64_t i = 0;
  while (memcmp(x + (size_t)i * size, y + (size_t)i * size, size) == 0) i++;
  snprintf(text, sizeof text, "result %d differs: number %" PRId64 " is %.17g, expected %.17g", at,
           i, element(got, i), element(want, i));
  return text;
}

const char *arrays_compare(const arrays *a, double rtol, double atol, double *worst) {
  for (int i = 0; i < a->n_out; i++) {
    scanc_tensor got = a->out[i], want = a->expected[i];
    int64_t n = scanc_tensor_numel(&got);
    bool complex64 = got.dtype == SCANC_C64, complex128 = got.dtype == SCANC_C128;
    if (!got.data) continue;
    if (complex64 || complex128) {
      got.dtype = want.dtype = complex64 ? SCANC_F32 : SCANC_F64;
      n *= 2;
    }
    bool floats = got.dtype == SCANC_F32 || got.dtype == SCANC_F64;
    const char *wrong = floats ? compare_floats(&got, &want, n, i, rtol, atol, worst)
                               : compare_exactly(&got, &want, n, i);
    if (*wrong) return wrong;
  }
  return "";
}

/* ---- .npy ---- */

bool tensor_write(const scanc_tensor *t, const char *path) {
  static const char *const types[] = {
#define DTYPE(name, fx, torch, size, cls, sgn, acc, npy) npy,
#include "scanc/dtype.def"
#undef DTYPE
  };
  char shape[512] = "", header[1024];
  for (int d = 0, used = 0; d < t->rank; d++)
    used += snprintf(shape + used, sizeof shape - (size_t)used, "%" PRId64 ",", t->sizes[d]);
  int n =
      snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }",
               types[t->dtype], shape);
  int padded = (n + 11 + 63) / 64 * 64 - 10; /* with the line end, and what stands before it */
  FILE *to = fopen(path, "wb");
  if (!to) return false;
  const unsigned char start[] = {
      0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)padded, (unsigned char)(padded >> 8)};
  fwrite(start, 1, sizeof start, to);
  fprintf(to, "%-*s\n", padded - 1, header);
  fwrite(t->data, 1, tensor_bytes(t), to);
  bool ok = !ferror(to);
  return fclose(to) == 0 && ok;
}
