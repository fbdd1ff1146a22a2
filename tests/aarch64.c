/* Kernels as objects for AArch64, with the calls that long/aarch64_driver.c makes there and what
 * the evaluator of loop IR gives for them.
 *
 *   aarch64 OUT_DIR PROGRAM...    writes OUT_DIR/N.o, OUT_DIR/kernels.inc and OUT_DIR/calls.bin
 *
 * Every elementwise row and conversion of every real type is a kernel, and so is every scan and
 * associative scan of the programs, the latter with each of its entries. Buffers and integers are
 * made up from the loop tree alone: extents at random, strides such that no elements share memory,
 * some of them negative, with a margin around each buffer. */
#include <dlfcn.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loop/codegen.h"
#include "loop/prefix.h"
#include "loop/walk.h"
#include "passes/pass.h"
#include "row_kernels.h"
#include "slurp.h"

enum { MARGIN = 64, CALLS = 5 };

typedef struct {
  const codegen_api *api;
  target machine;
  const char *dir;
  FILE *list, *calls;
  int n_kernels, n_calls, n_faults, n_left_out, n_failed;
} writer;

static const char level[] = "aarch64";

/* ---- integers of a call ---- */

/* What the first integer parameters mean: extents of axes; the rest are strides. */
static void choose_extents(const kernel *k, int call, int64_t *ints, bool *chosen) {
  static const int64_t lanes[CALLS] = {37, 3, 16, 1, 70}, times[CALLS] = {5, 1, 3, 6, 2};
  const loop *lane_loop = stmts_lane_loop(&k->body);
  for (int a = 0; a < k->axes.len; a++) {
    lexpr e = k->axes.data[a].extent;
    if (!e.is_param || chosen[e.k]) continue;
    chosen[e.k] = true;
    if (lane_loop && lane_loop->axis == a) ints[e.k] = lanes[call];
    else ints[e.k] = times[(call + a) % CALLS];
  }
}

static int64_t extent_of(lexpr e, const int64_t *ints) {
  return e.is_param ? ints[e.k] + e.add : e.k;
}

/* Memory of one buffer: `elements` in all, the one with all indices zero at `first`. */
typedef struct {
  scanc_dtype dtype;
  bool written;
  int64_t elements, first;
  size_t bytes; /* with margins */
  char *before, *after;
} memory;

/* Dimensions of constant stride first; the others lie outside of them, with a gap now and then. */
static void place(const buffer *b, int64_t *ints, bool *chosen, memory *m) {
  int64_t span = 1;
  *m = (memory){.dtype = b->dtype, .written = b->space == SPACE_OUTPUT};
  for (int d = 0; d < b->n_dims; d++)
    if (!b->dims[d].stride.is_param)
      span += (extent_of(b->dims[d].extent, ints) - 1) * b->dims[d].stride.k;
  for (int d = 0; d < b->n_dims; d++) {
    lexpr stride = b->dims[d].stride;
    int64_t n = extent_of(b->dims[d].extent, ints);
    if (!stride.is_param) continue;
    uint64_t r = row_random();
    if (!chosen[stride.k]) ints[stride.k] = r & 7 ? span : -span;
    chosen[stride.k] = true;
    if (ints[stride.k] < 0) m->first += (n - 1) * -ints[stride.k];
    span = llabs(ints[stride.k]) * n + (int64_t)(r >> 8 & 7 ? 0 : 3);
  }
  m->elements = span;
  m->bytes = (size_t)span * scanc_dtype_size(b->dtype) + (size_t)2 * MARGIN;
}

/* Numbers that stay in range over some steps, or corners. */
static number random_input(scanc_dtype d, bool tame) {
  number v = row_random_number(dtype_class(d));
  if (tame && v.cls == 'f') v.f = (double)(int64_t)row_random() / 0x1p62;
  if (tame && v.cls == 'i') v.i = 1 + (int64_t)(row_random() % 9);
  return v;
}

static void fill(arena *mem, memory *m, bool tame) {
  size_t size = scanc_dtype_size(m->dtype);
  m->before = arena_alloc(mem, m->bytes);
  memset(m->before, 0xa5, m->bytes);
  for (int64_t i = 0; !m->written && i < m->elements; i++)
    number_store(random_input(m->dtype, tame), m->dtype, m->before + MARGIN + (size_t)i * size);
  m->after = arena_copy(mem, m->before, m->bytes);
}

/* ---- the file of calls ---- as the driver reads it */

static void put(writer *w, const void *p, size_t bytes) {
  if (fwrite(p, 1, bytes, w->calls) != bytes) abort();
}

static void put_int(writer *w, int64_t v) { put(w, &v, sizeof v); }

/* Magnitudes above this are NaN; 0 where there are none. */
static int64_t infinity_bits(scanc_dtype d) {
  switch (d) {
    case SCANC_F16: return 0x7c00;
    case SCANC_BF16: return 0x7f80;
    case SCANC_F32: return 0x7f800000;
    case SCANC_F64: return 0x7ff0000000000000;
    default: return 0;
  }
}

static void put_memory(writer *w, const memory *m) {
  put_int(w, (int64_t)scanc_dtype_size(m->dtype));
  put_int(w, infinity_bits(m->dtype));
  put_int(w, (int64_t)m->bytes);
  put_int(w, MARGIN + m->first * (int64_t)scanc_dtype_size(m->dtype));
  put(w, m->before, m->bytes);
  put(w, m->after, m->bytes);
}

static void put_call(writer *w, const kernel *k, const char *name, int call) {
  arena *mem = arena_new();
  int64_t *ints = ARENA_ARRAY(mem, int64_t, k->ints.len);
  bool *chosen = ARENA_ARRAY(mem, bool, k->ints.len);
  memory *m = ARENA_ARRAY(mem, memory, k->buffers.len);
  void **bufs = ARENA_ARRAY(mem, void *, k->buffers.len);
  char text[160] = {0};
  snprintf(text, sizeof text, "%s, call %d", name, call);
  choose_extents(k, call, ints, chosen);
  for (int i = 0; i < k->buffers.len; i++) {
    place(&k->buffers.data[i], ints, chosen, &m[i]);
    fill(mem, &m[i], call % 2);
    bufs[i] = m[i].after + MARGIN + m[i].first * (int64_t)scanc_dtype_size(m[i].dtype);
  }
  int32_t status = kernel_eval(k, bufs, ints, w->machine.fma);
  put(w, text, sizeof text);
  put_int(w, w->n_kernels);
  put_int(w, status);
  put_int(w, k->ints.len);
  put_int(w, k->buffers.len);
  put(w, ints, (size_t)k->ints.len * sizeof *ints);
  for (int i = 0; i < k->buffers.len; i++) put_memory(w, &m[i]);
  w->n_calls++;
  w->n_faults += status != 0;
  arena_free(mem);
}

/* ---- objects ---- */

/* The function of libm that an object calls and that need not give the same bits on every machine,
 * or NULL. Remainders and neighbours are exact everywhere. */
static const char *inexact_call(const str *object) {
  static const char *const exact[] = {"", "fmod", "fmodf", "nextafter", "nextafterf"};
  const Elf64_Ehdr *head = (const void *)object->data;
  const Elf64_Shdr *section = (const void *)(object->data + head->e_shoff);
  for (int s = 0; s < head->e_shnum; s++) {
    if (section[s].sh_type != SHT_SYMTAB) continue;
    const char *names = object->data + section[section[s].sh_link].sh_offset;
    const Elf64_Sym *symbol = (const void *)(object->data + section[s].sh_offset);
    for (size_t i = 0; i < section[s].sh_size / sizeof *symbol; i++) {
      bool known = symbol[i].st_shndx != SHN_UNDEF;
      for (size_t e = 0; e < sizeof exact / sizeof *exact; e++)
        known = known || !strcmp(names + symbol[i].st_name, exact[e]);
      if (!known) return names + symbol[i].st_name;
    }
  }
  return NULL;
}

static bool write_object(writer *w, const str *object) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%d.o", w->dir, w->n_kernels);
  FILE *f = fopen(path, "wb");
  bool ok = f && fwrite(object->data, 1, object->len, f) == object->len;
  return f && fclose(f) == 0 && ok;
}

static void add_kernel(writer *w, kernel *k, const char *name) {
  str err = {0}, object = {0};
  k->name = arena_printf(k->mem, "scanc_k_%d", w->n_kernels);
  if (!kernel_verify(k, &err) || !w->api->emit(k, level, CODEGEN_OBJECT, &object, &err) ||
      !write_object(w, &object)) {
    fprintf(stderr, "%s: %s\n", name, err.len ? err.data : "the object cannot be written");
    w->n_failed++;
  } else {
    const char *call = inexact_call(&object);
    if (call) printf("left out: %s: %s of libm differs between systems\n", name, call);
    w->n_left_out += call != NULL;
    for (int i = 0; !call && i < CALLS; i++) put_call(w, k, name, i);
    fprintf(w->list, "KERNEL(%d)\n", w->n_kernels++);
  }
  str_free(&object);
  str_free(&err);
}

/* ---- rows ---- */

static void add_row(const row_case *r, void *ctx) {
  arena *mem = arena_new();
  add_kernel(ctx, row_kernel(mem, r), row_name(r));
  arena_free(mem);
}

static void add_rows(writer *w) {
  for (int d = 0; d < SCANC_N_DTYPES; d++) {
    if (dtype_class((scanc_dtype)d) == 'c') continue;
    row_for_each((scanc_dtype)d, &w->machine, add_row, w);
    row_for_each_conversion((scanc_dtype)d, &w->machine, add_row, w);
  }
}

/* ---- scans ---- */

static void add_entry(writer *w, const scan_nest *n, int entry, const char *name) {
  arena *mem = arena_new();
  nest_shape shape = nest_shape_default(mem, n);
  scan_layout layout = layout_make(mem, n, &shape, entry);
  kernel *k = nest_kernel(mem, n, &layout);
  schedule_scan(k, &w->machine);
  add_kernel(w, k, arena_printf(mem, "%s %s, entry %d", name, n->name, entry));
  arena_free(mem);
}

static void add_scan(writer *w, const node *scan, const char *name) {
  static const int entries[] = {FOLD_RESULTS, FOLD_TOTAL, FOLD_RESULTS | FOLD_TOTAL,
                                FOLD_SEED | FOLD_RESULTS, FOLD_SEED | FOLD_TOTAL};
  arena *mem = arena_new();
  str why = {0};
  const scan_nest *n = nest_build(mem, scan, &why);
  if (!n) printf("left out: %s: no lowering: %s\n", name, str_cstr(&why));
  for (int e = 0; n && e < (n->fold ? 5 : 1); e++) add_entry(w, n, entries[e], name);
  str_free(&why);
  arena_free(mem);
}

/* The program of a file, which ends where the expectations of a golden test begin. */
static scanc_module *read_program(const char *path, scanc_error *err) {
  str text = {0};
  slurp(path, &text);
  const char *end = strstr(str_cstr(&text), "\n# ----");
  size_t len = end ? (size_t)(end - str_cstr(&text)) + 1 : text.len;
  scanc_module *m = scanc_module_parse(NULL, str_cstr(&text), len, path, err);
  str_free(&text);
  return m;
}

static void add_program(writer *w, const char *path) {
  scanc_error err = {0};
  scanc_module *m = read_program(path, &err);
  if (!m || !passes_run(m, NULL)) {
    fprintf(stderr, "%s: %s\n", path, m ? m->err.message : err.message);
    w->n_failed++;
    scanc_module_free(m);
    return;
  }
  prefix_orders(m, &w->machine, (prefix_wish){0});
  for (int i = 0; i < m->graphs.len; i++)
    for (const node *n = m->graphs.data[i]->first; n; n = n->next)
      if (node_is_op(n, OP_scan) || node_is_op(n, OP_associative_scan)) add_scan(w, n, path);
  scanc_module_free(m);
}

/* ---- */

static const codegen_api *open_api(void) {
  void *lib = dlopen("libscanc-codegen.so", RTLD_NOW);
  codegen_entry entry = NULL;
  if (lib) *(void **)&entry = dlsym(lib, CODEGEN_SYMBOL);
  return entry ? entry() : NULL;
}

static FILE *open_file(const char *dir, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  FILE *f = fopen(path, "wb");
  if (!f) perror(path), exit(2);
  return f;
}

int main(int argc, char **argv) {
  if (argc < 2) return fputs("usage: aarch64 OUT_DIR PROGRAM...\n", stderr), 2;
  writer w = {.api = open_api(), .dir = argv[1]};
  target here;
  if (!w.api) return fputs("there is no code generator\n", stderr), 2;
  if (!target_get(NULL, &here) || !here.fma)
    return puts("skipped: this machine has no fused multiply-add, AArch64 does"), 77;
  target_get(level, &w.machine);
  w.list = open_file(w.dir, "kernels.inc");
  w.calls = open_file(w.dir, "calls.bin");
  add_rows(&w);
  for (int i = 2; i < argc; i++) add_program(&w, argv[i]);
  bool ok = fclose(w.list) == 0;
  ok = fclose(w.calls) == 0 && ok && !w.n_failed;
  printf("%d kernels, %d of them left out; %d calls, %d of them with data at fault\n", w.n_kernels,
         w.n_left_out, w.n_calls, w.n_faults);
  return ok ? 0 : 1;
}
