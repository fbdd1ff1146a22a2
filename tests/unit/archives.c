/* Archives of torch.export.save: the same graphs as printed programs give, damage of every kind,
 * layouts, large files. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../slurp.h"
#include "../zip.h"
#include "base/crc32.h"
#include "frontend/load.h"
#include "frontend/pt2.h"
#include "passes/pass.h"
#include "runtime/module.h"
#include "unit.h"

static const char corpus[] = TEST_DIR "/corpus";

/* ---- reading files ---- */

/* Reads an archive from exactly these bytes, so that a sanitizer sees what lies outside. */
static module *read_bytes(const char *bytes, size_t n, const char *model, scanc_error *err) {
  void *copy = malloc(n ? n : 1);
  if (n) memcpy(copy, bytes, n);
  archive *a = archive_of_bytes(copy, n, "test.pt2", err);
  return a ? pt2_read(a, model, NULL, err) : NULL;
}

/* Whatever the bytes are: a module, or an error. Returns whether it was a module. */
static bool survives(const char *bytes, size_t n) {
  scanc_error err = {0};
  module *m = read_bytes(bytes, n, NULL, &err);
  ck_assert_msg(m || err.code, "neither a module nor an error");
  if (m) module_check(m, NULL);
  module_free(m);
  return m != NULL;
}

/* ---- the same graphs ---- */

/* An archive does not say whether a graph returns a list or a tuple. */
static void returns_tuple(module *m) {
  for (int i = 0; i < m->graphs.len; i++) {
    node *out = graph_output(m->graphs.data[i]);
    if (!out || out->args[0].kind != VAL_LIST) continue;
    val v = val_seq(m->mem, VAL_TUPLE, out->args[0].items, out->args[0].n);
    node_set_args(out, &v, 1, NULL, 0);
  }
}

static module *canonical(const char *path, const char *file, scanc_error *err) {
  str full = {0};
  str_printf(&full, "%s/%s", path, file);
  module *m = load_file(str_cstr(&full), NULL, NULL, err);
  str_free(&full);
  if (m && (!module_check(m, err) || !passes_run(m, NULL))) {
    if (!err->code) *err = m->err;
    module_free(m);
    m = NULL;
  }
  if (m) returns_tuple(m);
  return m;
}

/* Cases with both files give the same graphs, but those with what vmap leaves behind: both files
 * are refused. Returns whether there were graphs. */
static bool compare_case(const char *path) {
  str pt2 = {0}, why = {0};
  scanc_error ea = {0}, eb = {0};
  str_printf(&pt2, "%s/model.pt2", path);
  bool both = access(str_cstr(&pt2), F_OK) == 0;
  str_free(&pt2);
  if (!both) return false;
  module *a = canonical(path, "model.fx", &ea), *b = canonical(path, "model.pt2", &eb);
  ck_assert_msg(ea.code == eb.code, "%s: text: %s; archive: %s", path, ea.message, eb.message);
  if (a && b) ck_assert_msg(module_equal(a, b, &why), "%s: %s", path, str_cstr(&why));
  str_free(&why);
  ck_assert_msg(a || strstr(ea.message, "torch._functorch.predispatch"), "%s: %s", path,
                ea.message);
  bool compared = a && b;
  module_free(a);
  module_free(b);
  return compared;
}

START_TEST(same_graphs) {
  static const char *const groups[] = {"ops", "scan", "assoc", "models", "dyn"};
  int compared = 0;
  for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
    str folder = {0};
    char line[1024];
    str_printf(&folder, "%s/%s", corpus, groups[g]);
    DIR *d = opendir(str_cstr(&folder));
    ck_assert_ptr_nonnull(d);
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
      if (e->d_name[0] == '.') continue;
      snprintf(line, sizeof line, "%s/%.200s", str_cstr(&folder), e->d_name);
      compared += compare_case(line);
    }
    closedir(d);
    str_free(&folder);
  }
  ck_assert_int_gt(compared, 300);
}
END_TEST

/* ---- damage ---- */

static uint64_t random_state;
static size_t below(size_t n) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (size_t)(random_state >> 33) % n;
}

static const char *const victims[] = {"models/gru", "dyn/length_and_batch", "scan/c59_cond_in_scan",
                                      "ops/trig"};

static void read_victim(const char *name, str *out) {
  str path = {0};
  str_printf(&path, "%s/%s/model.pt2", corpus, name);
  ck_assert(slurp(str_cstr(&path), out));
  str_free(&path);
}

static void truncations_of(int i) {
  str bytes = {0};
  read_victim(victims[i], &bytes);
  for (size_t n = 0; n < bytes.len; n += 1 + bytes.len / 500) ck_assert(!survives(bytes.data, n));
  ck_assert(survives(bytes.data, bytes.len));
  str_free(&bytes);
}
START_TEST(truncations) {
  for (int i = 0; i < 4; i++) truncations_of(i);
}
END_TEST

static void flipped_bits_of(int i) {
  str bytes = {0};
  read_victim(victims[i], &bytes);
  random_state = (uint64_t)i;
  for (int k = 0; k < 2000; k++) {
    size_t at = below(bytes.len);
    char was = bytes.data[at];
    bytes.data[at] = (char)(was ^ (1 << below(8)));
    survives(bytes.data, bytes.len);
    bytes.data[at] = was;
  }
  str_free(&bytes);
}
START_TEST(flipped_bits) {
  for (int i = 0; i < 4; i++) flipped_bits_of(i);
}
END_TEST

static unsigned char *find(str *s, size_t from, const char *what, size_t n) {
  return memmem(s->data + from, s->len - from, what, n);
}

static void put32(unsigned char *p, uint32_t v) {
  for (int i = 0; i < 4; i++) p[i] = (unsigned char)(v >> 8 * i);
}

static uint32_t get32(const unsigned char *p) {
  return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* The directory's row of the program; its data. */
static unsigned char *program_row(str *s, size_t *data, size_t *size) {
  for (size_t from = 0;;) {
    unsigned char *row = find(s, from, "PK\1\2", 4);
    ck_assert_ptr_nonnull(row);
    from = (size_t)((char *)row - s->data) + 4;
    size_t name = row[28];
    if (name < 5 || memcmp(row + 46 + name - 5, ".json", 5)) continue;
    if (!memmem(row + 46, name, "/models/", 8)) continue;
    size_t at = get32(row + 42);
    const unsigned char *local = (unsigned char *)s->data + at;
    *size = get32(row + 24);
    *data = at + 30 + (local[26] | (size_t)local[27] << 8) + (local[28] | (size_t)local[29] << 8);
    return row;
  }
}

/* Damage inside the program that the checksum does not tell. */
static void damaged_programs_of(int i) {
  static const char bits[] = "{}[]\",:0123456789-aAs_\\ enull";
  str bytes = {0};
  size_t data, size;
  read_victim(victims[i], &bytes);
  unsigned char *row = program_row(&bytes, &data, &size);
  char *program = bytes.data + data, *good = malloc(size);
  memcpy(good, program, size);
  random_state = (uint64_t)i + 100;
  for (int k = 0; k < 3000; k++) {
    for (size_t n = 1 + below(3); n; n--) {
      size_t len = 1 + below(12), from = below(size - len), to = below(size - len);
      if (below(2)) program[to] = bits[below(sizeof bits - 1)];
      else memmove(program + to, program + from, len);
    }
    put32(row + 16, crc32_add(0, program, size));
    survives(bytes.data, bytes.len);
    memcpy(program, good, size);
  }
  free(good);
  str_free(&bytes);
}
START_TEST(damaged_programs) {
  for (int i = 0; i < 4; i++) damaged_programs_of(i);
}
END_TEST

/* ---- archives made here ---- */

#define TWO "{\"as_int\": 2}, {\"as_int\": 2}"

#define STRIDED ZIP_CONFIG(TWO, "{\"as_int\": 1}, {\"as_int\": 2}")
#define EXPANDED ZIP_CONFIG(TWO, "{\"as_int\": 0}, {\"as_int\": 0}")
static const char weight[16] = "\0\0\0\0\0\0\200\277\0\0\0\0\0\0\0@"; /* 0, -1, 0, 2 */

static void add_small(zip *z, const char *model, const char *config, const char *data, size_t n) {
  str name = {0};
  str_printf(&name, "m/models/%s.json", model);
  zip_add_text(z, str_cstr(&name), ZIP_PROGRAM(TWO, TWO));
  str_clear(&name);
  str_printf(&name, "m/data/weights/%s_weights_config.json", model);
  zip_add_text(z, str_cstr(&name), config);
  zip_add(z, "m/data/weights/weight_0", "m/data/weights/weight_0", data, n, 0, false);
  zip_add_text(z, "m/archive_format", "pt2");
  zip_add_text(z, "m/archive_version", "0");
  str_free(&name);
}

static zip small_zip(const char *model) {
  zip z = {0};
  add_small(&z, model, STRIDED, weight, sizeof weight);
  return z;
}

static void expect_zip(zip *z, bool wide, const char *model, scanc_code code, const char *words) {
  scanc_error err = {0};
  zip_end(z, wide);
  module *m = read_bytes(z->file.data, z->file.len, model, &err);
  ck_assert_msg(err.code == code && (!words || strstr(err.message, words)),
                "expected %s, got %s: %s", scanc_code_text(code), scanc_code_text(err.code),
                err.message);
  module_free(m);
  str_free(&z->file);
}

START_TEST(names_and_layouts) {
  zip z = small_zip("model");
  expect_zip(&z, false, NULL, SCANC_OK, NULL);
  z = small_zip("model");
  expect_zip(&z, true, NULL, SCANC_OK, NULL);
  z = small_zip("model");
  zip_add(&z, "m/wide", "m/wide", "abc", 3, 0, true);
  expect_zip(&z, true, NULL, SCANC_OK, NULL);
  z = small_zip("other");
  expect_zip(&z, false, NULL, SCANC_OK, NULL);
  z = small_zip("other");
  expect_zip(&z, false, "nosuch", SCANC_ERR_USAGE, "it has other");
  z = small_zip("a");
  zip_add_text(&z, "m/models/b.json", ZIP_PROGRAM(TWO, TWO));
  expect_zip(&z, false, NULL, SCANC_ERR_USAGE, "several programs; choose one of a, b");
  z = small_zip("a");
  zip_add_text(&z, "m/models/b.json", "{}");
  expect_zip(&z, false, "a", SCANC_OK, NULL);
  z = small_zip("model");
  zip_add_text(&z, "m/archive_format", "pt2");
  expect_zip(&z, false, NULL, SCANC_ERR_BAD_ARCHIVE, "two entries are named");
  static const char *const bad[] = {"m/../x", "/x", "m//x", "m/./x", "m\\x", "m/\nx", "..", "x/"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    z = small_zip("model");
    zip_add_text(&z, bad[i], "x");
    expect_zip(&z, false, NULL, SCANC_ERR_BAD_ARCHIVE, "entry name");
  }
  z = small_zip("model");
  zip_add(&z, "m/x", "m/y", "x", 1, 0, false);
  expect_zip(&z, false, NULL, SCANC_ERR_BAD_ARCHIVE, "another name");
  z = small_zip("model");
  zip_add(&z, "m/x", "m/x", "x", 1, 8, false);
  expect_zip(&z, false, NULL, SCANC_ERR_UNSUPPORTED, "compressed");
  z = (zip){0};
  zip_add_text(&z, "version", "8.2");
  zip_add_text(&z, "serialized_exported_program.json", ZIP_PROGRAM(TWO, TWO));
  expect_zip(&z, false, NULL, SCANC_OK, NULL);
}
END_TEST

/* An entry inside the data of another one. */
START_TEST(overlaps) {
  zip z = small_zip("model"), inner = {0};
  zip_add_text(&inner, "m/inner", "abc");
  size_t at = (z.file.len + 30 + strlen("m/outer") + 63) / 64 * 64;
  put32((unsigned char *)inner.directory.data + 42, (uint32_t)at);
  zip_add(&z, "m/outer", "m/outer", inner.file.data, inner.file.len, 0, false);
  str_append_n(&z.directory, inner.directory.data, inner.directory.len);
  z.n++;
  expect_zip(&z, false, NULL, SCANC_ERR_BAD_ARCHIVE, "overlap");
  str_free(&inner.file);
  str_free(&inner.directory);
}
END_TEST

static void expect_values(module *m, const float *want) {
  scanc_error err = {0};
  scanc_program *p = scanc_compile(m, NULL, &err);
  ck_assert_msg(p, "%s", err.message);
  scanc_tensor in = {0}, out = {0};
  ck_assert_int_eq(scanc_run(p, &in, 1, &out, 1, &err), SCANC_OK);
  ck_assert_mem_eq(out.data, want, 4 * sizeof *want);
  scanc_tensor_release(&out);
  scanc_program_free(p);
}

static module *again(const module *m) {
  scanc_error err = {0};
  str path = {0};
  const char *dir = getenv("TMPDIR");
  str_printf(&path, "%s/scanc-again-%ld.pt2", dir && *dir ? dir : "/tmp", (long)getpid());
  ck_assert_msg(pt2_write(m, str_cstr(&path), &err), "%s", err.message);
  module *read = load_file(str_cstr(&path), NULL, NULL, &err);
  ck_assert_msg(read, "%s", err.message);
  unlink(str_cstr(&path));
  str_free(&path);
  return read;
}

/* The values of y = relu(w), also once the module was saved. */
static void expect_result(zip *z, const float *want) {
  scanc_error err = {0};
  zip_end(z, false);
  module *m = read_bytes(z->file.data, z->file.len, NULL, &err);
  ck_assert_msg(m, "%s", err.message);
  expect_values(m, want);
  module *saved = again(m);
  module_free(m); /* the values that were saved are its own */
  expect_values(saved, want);
  module_free(saved);
  str_free(&z->file);
}

START_TEST(payloads) {
  static const float columns_first[4] = {0, 0, 0, 2}, zeros[4] = {0, 0, 0, 0},
                     ones[4] = {1, 1, 1, 1};
  zip z = small_zip("model");
  expect_result(&z, columns_first);
  z = (zip){.shift = 1};
  add_small(&z, "model", STRIDED, weight, sizeof weight);
  expect_result(&z, columns_first);
  z = (zip){0};
  add_small(&z, "model", STRIDED, weight, 0);
  expect_result(&z, zeros);
  z = (zip){0};
  add_small(&z, "model", EXPANDED, "\0\0\200\77", 4);
  expect_result(&z, ones);
}
END_TEST

/* ---- large files ---- */

static long resident_kb(void) {
  long pages = 0, rss = -1;
  FILE *f = fopen("/proc/self/statm", "r");
  if (f && fscanf(f, "%ld %ld", &pages, &rss) != 2) rss = -1;
  if (f) fclose(f);
  return rss < 0 ? -1 : rss * (sysconf(_SC_PAGESIZE) / 1024);
}

START_TEST(weights_are_mapped) {
  char path[4096];
  const char *dir = getenv("TMPDIR");
  snprintf(path, sizeof path, "%s/scanc-sparse-XXXXXX", dir && *dir ? dir : "/tmp");
  int fd = mkstemp(path);
  ck_assert_int_ge(fd, 0);
  close(fd);
  ck_assert(zip_write_gigabyte(path));
  scanc_error err = {0};
  long before = resident_kb();
  module *m = load_file(path, NULL, NULL, &err);
  ck_assert_msg(m, "%s", err.message);
  ck_assert_int_eq(scanc_tensor_numel(value_store_find(m->data, "p_w")), 1 << 28);
  if (before >= 0) ck_assert_int_lt(resident_kb() - before, 30 * 1024);
  module_free(m);
  unlink(path);
}
END_TEST

UNIT_MAIN("archives", same_graphs, truncations, flipped_bits, damaged_programs, names_and_layouts,
          overlaps, payloads, weights_are_mapped)
