/* Runs on AArch64: the calls that tests/aarch64.c wrote, with their results compared bit for bit
 * (all NaNs being one value); what lies around the results must be untouched.
 *
 *   driver calls.bin */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int32_t (*kernel_fn)(void *const *bufs, const int64_t *ints, const void *par);

#define KERNEL(n) int32_t scanc_k_##n(void *const *, const int64_t *, const void *);
#include "kernels.inc"
#undef KERNEL
#define KERNEL(n) scanc_k_##n,
static const kernel_fn kernels[] = {
#include "kernels.inc"
};

enum {
  N_KERNELS = sizeof kernels / sizeof *kernels,
  NAME = 160,
  MAX_BUFFERS = 256,
  MAX_INTS = 4096
};

typedef struct {
  int64_t size, infinity, bytes, origin;
  unsigned char *data, *expected;
} memory;

static int n_failed;

/* False at the end of the file. */
static int get(FILE *f, void *p, size_t bytes) {
  size_t n = fread(p, 1, bytes, f);
  if (n != bytes && n != 0) abort();
  return n == bytes;
}

static int64_t get_int(FILE *f) {
  int64_t v;
  if (!get(f, &v, sizeof v)) abort();
  return v;
}

static void get_memory(FILE *f, memory *m) {
  m->size = get_int(f);
  m->infinity = get_int(f);
  m->bytes = get_int(f);
  m->origin = get_int(f);
  m->data = malloc((size_t)m->bytes);
  m->expected = malloc((size_t)m->bytes);
  if (!m->data || !m->expected || !get(f, m->data, (size_t)m->bytes) ||
      !get(f, m->expected, (size_t)m->bytes))
    abort();
}

static uint64_t element(const unsigned char *p, int64_t size) {
  uint64_t v = 0;
  memcpy(&v, p, (size_t)size);
  return v;
}

static int is_nan(const memory *m, uint64_t v) {
  uint64_t sign = (uint64_t)1 << (8 * m->size - 1);
  return m->infinity && (v & ~sign) > (uint64_t)m->infinity;
}

static void compare(const char *name, int buffer, const memory *m) {
  for (int64_t i = 0; i < m->bytes; i += m->size) {
    uint64_t got = element(m->data + i, m->size), want = element(m->expected + i, m->size);
    if (got == want || (is_nan(m, got) && is_nan(m, want))) continue;
    printf("%s: buffer %d, byte %lld from its origin: %#llx, expected %#llx\n", name, buffer,
           (long long)(i - m->origin), (unsigned long long)got, (unsigned long long)want);
    n_failed++;
    return;
  }
}

static void run_call(FILE *f, const char *name) {
  static int64_t ints[MAX_INTS];
  static memory m[MAX_BUFFERS];
  void *bufs[MAX_BUFFERS];
  int64_t k = get_int(f), status = get_int(f), n_ints = get_int(f), n = get_int(f);
  if (k < 0 || k >= N_KERNELS || n_ints > MAX_INTS || n > MAX_BUFFERS) abort();
  if (n_ints && !get(f, ints, (size_t)n_ints * sizeof *ints)) abort();
  for (int64_t i = 0; i < n; i++) {
    get_memory(f, &m[i]);
    bufs[i] = m[i].data + m[i].origin;
  }
  int32_t got = kernels[k](bufs, ints, NULL);
  if (got != status) {
    printf("%s: status %d, expected %lld\n", name, (int)got, (long long)status);
    n_failed++;
  }
  for (int64_t i = 0; i < n; i++) {
    compare(name, (int)i, &m[i]);
    free(m[i].data);
    free(m[i].expected);
  }
}

int main(int argc, char **argv) {
  char name[NAME];
  int n = 0;
  FILE *f = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (!f) return fputs("usage: driver calls.bin\n", stderr), 2;
  for (; get(f, name, sizeof name); n++) run_call(f, name);
  fclose(f);
  printf("%d calls on AArch64, %d differences\n", n, n_failed);
  return n == 0 || n_failed ? 1 : 0;
}
