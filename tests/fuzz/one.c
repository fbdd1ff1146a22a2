#include "one.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../zip.h"
#include "frontend/fx.h"
#include "frontend/pt2.h"
#include "passes/pass.h"
#include "runtime/module.h"

/* Unlike assert, also where assertions are off. */
static void require(bool ok, const char *promise, const char *found) {
  if (ok) return;
  fprintf(stderr, "broken promise: %s: %s\n", promise, found);
  abort();
}

/* ---- reading ---- */

/* The next part of the input, up to a zero byte or the end. */
static str next_part(const uint8_t **data, size_t *n) {
  const uint8_t *end = memchr(*data, 0, *n);
  size_t len = end ? (size_t)(end - *data) : *n, used = end ? len + 1 : len;
  str part = {0};
  str_append_n(&part, (const char *)*data, len);
  *data += used;
  *n -= used;
  return part;
}

static void add(zip *z, const char *name, const char *data, size_t n) {
  zip_add(z, name, name, data, n, 0, false);
}

/* Around the JSON, an archive in order. */
static archive *archive_around(const uint8_t *data, size_t n, scanc_error *err) {
  static const char *const names[] = {"m/models/model.json",
                                      "m/data/weights/model_weights_config.json",
                                      "m/data/constants/model_constants_config.json"};
  static const char payload[FUZZ_PAYLOAD] = "\0\0\200?\0\0\0@\1\2\3\4\5\6\7\10";
  zip z = {0};
  add(&z, "m/archive_format", "pt2", 3);
  add(&z, "m/archive_version", "0", 1);
  for (int i = 0; i < 3 && n; i++) {
    str part = next_part(&data, &n);
    add(&z, names[i], part.data, part.len);
    str_free(&part);
  }
  add(&z, "m/data/weights/weight_0", payload, sizeof payload);
  add(&z, "m/data/constants/weight_0", payload, sizeof payload);
  add(&z, "m/data/weights/none", "", 0);
  add(&z, "m/data/constants/none", "", 0);
  zip_end(&z, false);
  return archive_of_bytes(z.file.data, z.file.len, "fuzzed.pt2", err);
}

/* A copy of exactly the size, so that a sanitizer sees what lies outside. */
static void *copy_of(const uint8_t *data, size_t n) {
  void *copy = malloc(n ? n : 1);
  if (n) memcpy(copy, data, n);
  return copy;
}

static module *read_module(const uint8_t *data, size_t n, scanc_error *err) {
  archive *a;
  if (archive_begins(data, n)) a = archive_of_bytes(copy_of(data, n), n, "fuzzed.pt2", err);
  else if (n && *data == '{') a = archive_around(data, n, err);
  else {
    char *copy = copy_of(data, n);
    module *m = fx_read(copy, n, "fuzzed.fx", err);
    free(copy);
    return m;
  }
  return a ? pt2_read(a, NULL, NULL, err) : NULL;
}

/* ---- promises ---- */

/* What is printed can be read. It is the same module; or, where views were folded into scans, one
 * that the passes take. */
static void print_and_read(const module *m, bool rewritten, const char *promise) {
  str text = {0}, why = {0};
  scanc_error err = {0};
  module_print_code(&text, m);
  module *again = fx_read(str_cstr(&text), text.len, "printed.fx", &err);
  if (!again) fprintf(stderr, "%s\n", str_cstr(&text));
  require(again, promise, err.message);
  if (rewritten) require(passes_run(again, NULL), promise, again->err.message);
  else if (!module_equal(m, again, &why)) {
    fprintf(stderr, "%s\n", str_cstr(&text));
    require(false, promise, str_cstr(&why));
  }
  module_free(again);
  str_free(&text);
  str_free(&why);
}

/* What is saved can be loaded. */
static void save_and_load(const module *m) {
  const char *dir = getenv("TMPDIR");
  str path = {0};
  scanc_error err = {0};
  str_printf(&path, "%s/scanc-fuzzed-%ld.pt2", dir && *dir ? dir : "/tmp", (long)getpid());
  if (pt2_write(m, str_cstr(&path), &err)) {
    archive *a = archive_open(str_cstr(&path), &err);
    require(a, "a saved module can be opened", err.message);
    module *again = pt2_read(a, NULL, NULL, &err);
    require(again, "a saved module can be loaded", err.message);
    module_free(again);
    unlink(str_cstr(&path));
  } else {
    require(err.code && err.message[0], "a refusal to save says why", "it does not");
  }
  str_free(&path);
}

int fuzz_n_valid;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  scanc_error err = {0};
  module *m = read_module(data, n, &err);
  if (!m) {
    require(err.code && err.message[0], "a refusal says why", "it does not");
    return 0;
  }
  require(!err.code, "a module that was read holds no error", err.message);
  if (module_check(m, &err)) {
    fuzz_n_valid++;
    print_and_read(m, false, "a module is printed as it is");
    save_and_load(m);
    if (passes_run(m, NULL))
      print_and_read(m, true, "a rewritten module is printed as a valid one");
    else require(m->err.code && m->err.message[0], "a pass that fails says why", "it does not");
  }
  module_free(m);
  return 0;
}
