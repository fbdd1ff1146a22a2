/* NumPy's .npy files. The header is a Python dictionary literal of three keys; it is parsed here by
 * hand, and every size is checked against the length of the file before anything is allocated. */
#include "runtime/npy.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ir/type.h"
#include "runtime/tensor.h"

enum { MAX_HEADER = 1 << 16, MAX_DESCR = 8 };

typedef struct {
  const char *p, *end;
  const char *path;
  scanc_error *err;
} reader;

typedef struct {
  char descr[MAX_DESCR];
  bool has_descr, has_order, has_shape;
  bool fortran;
  int rank;
  int64_t sizes[SCANC_MAX_RANK];
} header;

static bool bad(const reader *r, const char *what) {
  return err_set(r->err, SCANC_ERR_BAD_NPY, (src_loc){.file = r->path}, "malformed .npy file: %s",
                 what);
}

static bool io_error(const char *path, scanc_error *err, const char *what) {
  return err_set(err, SCANC_ERR_IO, (src_loc){.file = path}, "%s: %s", what, strerror(errno));
}

/* ---- the header's dictionary ---- */

static void skip_blanks(reader *r) {
  while (r->p < r->end && (*r->p == ' ' || *r->p == '\t' || *r->p == '\n')) r->p++;
}

static bool accept(reader *r, char c) {
  skip_blanks(r);
  if (r->p == r->end || *r->p != c) return false;
  r->p++;
  return true;
}

static bool accept_word(reader *r, const char *word) {
  skip_blanks(r);
  size_t n = strlen(word);
  if ((size_t)(r->end - r->p) < n || memcmp(r->p, word, n) != 0) return false;
  r->p += n;
  return true;
}

/* A quoted string without escapes, at most cap - 1 bytes. */
static bool read_string(reader *r, char *out, size_t cap) {
  skip_blanks(r);
  if (r->p == r->end || (*r->p != '\'' && *r->p != '"'))
    return bad(r, "a string is expected in the header");
  char quote = *r->p++;
  const char *start = r->p;
  while (r->p < r->end && *r->p != quote && *r->p != '\\') r->p++;
  if (r->p == r->end || *r->p != quote) return bad(r, "a string of the header is not closed");
  size_t n = (size_t)(r->p++ - start);
  if (n >= cap) return bad(r, "a string of the header is too long");
  memcpy(out, start, n);
  out[n] = 0;
  return true;
}

static bool read_size(reader *r, int64_t *out) {
  skip_blanks(r);
  if (r->p < r->end && *r->p == '-') return bad(r, "a negative size in the shape");
  if (r->p == r->end || *r->p < '0' || *r->p > '9')
    return bad(r, "a size is expected in the shape");
  int64_t v = 0;
  for (; r->p < r->end && *r->p >= '0' && *r->p <= '9'; r->p++) {
    if (__builtin_mul_overflow(v, (int64_t)10, &v) ||
        __builtin_add_overflow(v, (int64_t)(*r->p - '0'), &v))
      return err_set(r->err, SCANC_ERR_SIZE_OVERFLOW, (src_loc){.file = r->path},
                     "a size does not fit 64 bits");
  }
  *out = v;
  return true;
}

static bool read_shape(reader *r, header *h) {
  if (!accept(r, '(')) return bad(r, "the shape is not a tuple");
  while (!accept(r, ')')) {
    if (h->rank == SCANC_MAX_RANK) return bad(r, "the shape has more than 16 dimensions");
    SCANC_TRY(read_size(r, &h->sizes[h->rank++]));
    if (accept(r, ',')) continue;
    if (h->rank == 1) return bad(r, "the shape is not a tuple");
    if (!accept(r, ')')) return bad(r, "the shape is not closed");
    break;
  }
  return true;
}

static bool read_order(reader *r, header *h) {
  if (accept_word(r, "True")) h->fortran = true;
  else if (!accept_word(r, "False")) return bad(r, "fortran_order is neither True nor False");
  return true;
}

static bool read_entry(reader *r, header *h) {
  char key[16];
  SCANC_TRY(read_string(r, key, sizeof key));
  if (!accept(r, ':')) return bad(r, "':' is expected in the header");
  bool *seen = !strcmp(key, "descr")           ? &h->has_descr
               : !strcmp(key, "fortran_order") ? &h->has_order
               : !strcmp(key, "shape")         ? &h->has_shape
                                               : NULL;
  if (!seen) return bad(r, "the header has an unknown key");
  if (*seen) return bad(r, "the header has a key twice");
  *seen = true;
  if (seen == &h->has_order) return read_order(r, h);
  if (seen == &h->has_shape) return read_shape(r, h);
  skip_blanks(r);
  if (r->p < r->end && *r->p == '[') return bad(r, "structured arrays are not supported");
  return read_string(r, h->descr, sizeof h->descr);
}

static bool read_header(reader *r, header *h) {
  if (!accept(r, '{')) return bad(r, "the header is not a dictionary");
  while (!accept(r, '}')) {
    SCANC_TRY(read_entry(r, h));
    if (accept(r, ',')) continue;
    if (!accept(r, '}')) return bad(r, "the header is not closed");
    break;
  }
  skip_blanks(r);
  if (r->p != r->end) return bad(r, "there is text behind the header");
  if (!h->has_descr) return bad(r, "the header has no descr");
  if (!h->has_order) return bad(r, "the header has no fortran_order");
  if (!h->has_shape) return bad(r, "the header has no shape");
  return true;
}

/* ---- the element type ---- */

/* The dtype of "<f4", "|b1", ">i8"...; `swap` is set for big-endian data. */
static bool find_dtype(reader *r, const char *descr, scanc_dtype *out, bool *swap) {
  if (!strcmp(descr, "|O") || !strcmp(descr, "O"))
    return bad(r, "arrays of Python objects are not supported");
  *swap = descr[0] == '>';
  char order = descr[0] == '=' || descr[0] == '>' ? '<' : descr[0];
  for (int d = 0; d < SCANC_N_DTYPES; d++) {
    const char *npy = dtype_npy((scanc_dtype)d);
    bool order_fits = npy[0] == '|' ? strchr("|<", order) != NULL : order == '<';
    if (descr[0] && order_fits && !strcmp(npy + 1, descr + 1)) {
      *out = (scanc_dtype)d;
      return true;
    }
  }
  return err_set(r->err, SCANC_ERR_BAD_NPY, (src_loc){.file = r->path},
                 "element type '%s' is not supported; expected bool, int8 to int64, uint8, float16 "
                 "to float64, "
                 "complex64, complex128, or uint16 for bf16",
                 descr);
}

static void swap_bytes(char *p, size_t n_elems, size_t width) {
  for (size_t i = 0; i < n_elems; i++, p += width)
    for (size_t j = 0; j < width / 2; j++) {
      char c = p[j];
      p[j] = p[width - 1 - j];
      p[width - 1 - j] = c;
    }
}

static void normalise(scanc_tensor *t, size_t bytes, bool swap) {
  char *p = t->data;
  size_t size = scanc_dtype_size(t->dtype);
  size_t width = dtype_class(t->dtype) == 'c' ? size / 2 : size;
  if (swap) swap_bytes(p, bytes / width, width);
  if (t->dtype == SCANC_BOOL)
    for (size_t i = 0; i < bytes; i++) p[i] = p[i] != 0;
}

/* ---- reading ---- */

static void free_data(void *data) { free(data); }

static bool array_bytes(reader *r, const header *h, scanc_dtype d, size_t *out) {
  int64_t n = (int64_t)scanc_dtype_size(d);
  bool empty = false;
  for (int i = 0; i < h->rank; i++) {
    empty |= h->sizes[i] == 0;
    if (h->sizes[i] && __builtin_mul_overflow(n, h->sizes[i], &n))
      return err_set(r->err, SCANC_ERR_SIZE_OVERFLOW, (src_loc){.file = r->path},
                     "the product of the sizes does not fit 64 bits");
  }
  *out = empty ? 0 : (size_t)n;
  return true;
}

static void set_strides(scanc_tensor *t, bool fortran) {
  int64_t stride = 1;
  for (int k = 0; k < t->rank; k++) {
    int i = fortran ? k : t->rank - 1 - k;
    t->strides[i] = stride;
    stride *= t->sizes[i] > 0 ? t->sizes[i] : 1;
  }
}

/* The bytes between the header and the end of the file must be exactly the array. */
static bool read_data(reader *r, FILE *f, size_t rest, size_t max_bytes, const header *h,
                      scanc_tensor *t) {
  bool swap;
  size_t bytes;
  SCANC_TRY(find_dtype(r, h->descr, &t->dtype, &swap));
  SCANC_TRY(array_bytes(r, h, t->dtype, &bytes));
  if (bytes != rest)
    return err_set(r->err, SCANC_ERR_BAD_NPY, (src_loc){.file = r->path},
                   "malformed .npy file: wrong amount of data; expected %zu bytes, got %zu", bytes,
                   rest);
  if (max_bytes && bytes > max_bytes)
    return err_set(r->err, SCANC_ERR_NO_MEMORY, (src_loc){.file = r->path},
                   "the array needs %zu bytes, the limit is %zu", bytes, max_bytes);
  t->data = data_alloc(bytes);
  if (!t->data)
    return err_set(r->err, SCANC_ERR_NO_MEMORY, (src_loc){.file = r->path},
                   "no memory for %zu bytes", bytes);
  t->owner = t->data;
  t->release = free_data;
  if (fread(t->data, 1, bytes, f) != bytes) return bad(r, "the data end early");
  t->rank = h->rank;
  memcpy(t->sizes, h->sizes, sizeof h->sizes);
  set_strides(t, h->fortran);
  normalise(t, bytes, swap);
  return true;
}

/* Magic, version and length of the header; `used` gets the bytes consumed. */
static bool read_preamble(reader *r, FILE *f, size_t *header_bytes, size_t *used) {
  unsigned char b[12];
  if (fread(b, 1, 8, f) != 8 || memcmp(b, "\x93NUMPY", 6) != 0)
    return bad(r, "the magic bytes are missing");
  if (b[6] < 1 || b[6] > 3 || b[7] != 0)
    return err_set(r->err, SCANC_ERR_BAD_NPY, (src_loc){.file = r->path},
                   "malformed .npy file: version %d.%d; expected 1.0, 2.0 or 3.0", b[6], b[7]);
  size_t n = b[6] == 1 ? 2 : 4;
  if (fread(b + 8, 1, n, f) != n) return bad(r, "the file ends in the header");
  *header_bytes = 0;
  for (size_t i = n; i-- > 0;) *header_bytes = *header_bytes << 8 | b[8 + i];
  *used = 8 + n;
  return true;
}

static bool read_file(reader *r, FILE *f, size_t max_bytes, scanc_tensor *t) {
  struct stat st;
  size_t header_bytes, used;
  if (fstat(fileno(f), &st) != 0) return io_error(r->path, r->err, "cannot read");
  if (!S_ISREG(st.st_mode))
    return err_set(r->err, SCANC_ERR_IO, (src_loc){.file = r->path},
                   "cannot read: not a regular file");
  SCANC_TRY(read_preamble(r, f, &header_bytes, &used));
  size_t size = (size_t)st.st_size;
  if (header_bytes > MAX_HEADER) return bad(r, "the header is too long");
  if (size < used || header_bytes > size - used)
    return bad(r, "the header is longer than the file");
  char *text = malloc(header_bytes + 1);
  if (!text)
    return err_set(r->err, SCANC_ERR_NO_MEMORY, (src_loc){.file = r->path},
                   "no memory for the header");
  header h = {0};
  bool ok =
      fread(text, 1, header_bytes, f) == header_bytes || bad(r, "the file ends in the header");
  r->p = text;
  r->end = text + header_bytes;
  ok = ok && read_header(r, &h);
  free(text);
  return ok && read_data(r, f, size - used - header_bytes, max_bytes, &h, t);
}

bool npy_read(const char *path, size_t max_bytes, scanc_tensor *out, scanc_error *err) {
  FILE *f = fopen(path, "rb");
  if (!f) return io_error(path, err, "cannot open");
  reader r = {.path = path, .err = err};
  scanc_tensor t = {0};
  bool ok = read_file(&r, f, max_bytes, &t);
  fclose(f);
  if (ok) *out = t;
  else free(t.owner);
  return ok;
}

/* ---- writing ---- */

static void write_header(FILE *f, const scanc_tensor *t) {
  char text[64 + 24 * SCANC_MAX_RANK];
  int n = snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (",
                   dtype_npy(t->dtype));
  for (int i = 0; i < t->rank; i++)
    n += snprintf(text + n, sizeof text - (size_t)n,
                  t->rank == 1 ? "%lld,"
                  : i          ? ", %lld"
                               : "%lld",
                  (long long)t->sizes[i]);
  n += snprintf(text + n, sizeof text - (size_t)n, "), }");
  int padded = (10 + n + 1 + 63) / 64 * 64 - 10;
  unsigned char head[10] = {
      0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)padded, (unsigned char)(padded >> 8)};
  fwrite(head, 1, sizeof head, f);
  fprintf(f, "%-*s\n", padded - 1, text);
}

static bool is_contiguous(const scanc_tensor *t, int axis) {
  int64_t stride = 1;
  for (int i = t->rank - 1; i >= axis; i--) {
    if (t->sizes[i] != 1 && t->strides[i] != stride) return false;
    stride *= t->sizes[i];
  }
  return true;
}

static void write_axis(FILE *f, const scanc_tensor *t, const char *p, int axis) {
  size_t size = scanc_dtype_size(t->dtype);
  if (is_contiguous(t, axis)) {
    size_t n = size;
    for (int i = axis; i < t->rank; i++) n *= (size_t)t->sizes[i];
    if (n) fwrite(p, 1, n, f);
    return;
  }
  for (int64_t i = 0; i < t->sizes[axis]; i++, p += t->strides[axis] * (int64_t)size)
    write_axis(f, t, p, axis + 1);
}

void npy_write(FILE *to, const scanc_tensor *t) {
  write_header(to, t);
  write_axis(to, t, t->data, 0);
}
