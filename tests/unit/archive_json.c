/* Programs of archives, written out: older layouts, what saving keeps, later versions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../slurp.h"
#include "../zip.h"
#include "frontend/load.h"
#include "frontend/pt2.h"
#include "unit.h"

/* Ends the archive and reads it. */
static module *read_zip(zip *z) {
  scanc_error err = {0};
  zip_end(z, false);
  archive *a = archive_of_bytes(z->file.data, z->file.len, "test.pt2", &err);
  module *m = a ? pt2_read(a, NULL, NULL, &err) : NULL;
  ck_assert_msg(m, "%s", err.message);
  return m;
}

/* ---- the layouts of PyTorch 2.6 ---- */

/* The program in a file of json/. */
static str program_text(const char *file) {
  str path = {0}, text = {0};
  str_printf(&path, "%s/unit/json/%s", TEST_DIR, file);
  ck_assert(slurp(str_cstr(&path), &text));
  str_free(&path);
  return text;
}

static void add_program(zip *z, const char *entry, const char *file) {
  str text = program_text(file);
  zip_add_text(z, entry, str_cstr(&text));
  str_free(&text);
}

/* y[i, j] = x[i, 0] + ... + x[i, j]: associative_scan(body, xs, dim). */
START_TEST(old_associative_scan) {
  zip z = {0};
  scanc_error err = {0};
  zip_add_text(&z, "version", "8.2");
  add_program(&z, "serialized_exported_program.json", "old_associative.json");
  module *m = read_zip(&z);
  scanc_program *p = scanc_compile(m, NULL, &err);
  ck_assert_msg(p, "%s", err.message);
  float x[6] = {1, 2, 3, 10, 20, 30};
  static const float want[6] = {1, 3, 6, 10, 30, 60};
  scanc_tensor in = scanc_tensor_contiguous(x, SCANC_F32, 2, (int64_t[]){2, 3}), out = {0};
  ck_assert_msg(scanc_run(p, &in, 1, &out, 1, &err) == SCANC_OK, "%s", err.message);
  ck_assert_mem_eq(out.data, want, sizeof want);
  scanc_tensor_release(&out);
  scanc_program_free(p);
  module_free(m);
}
END_TEST

/* ---- saving what was read ---- */

/* Two parameters over one payload, sizes and a condition and a float over a symbol, nested
 * arguments and results. */
#define SIZE(n) "{\"as_int\": " #n "}"
#define WEIGHT(name, sizes, strides, offset) \
  "\"" name "\": {\"path_name\": \"weight_0\", \"is_param\": true, \"use_pickle\": false, " \
  "\"tensor_meta\": {\"dtype\": 7, \"sizes\": [" sizes "], \"strides\": [" strides \
  "], \"storage_offset\": " SIZE(offset) ", \"layout\": 7}}"

static zip zip_around(const char *program) {
  static const float values[4] = {1, 2, 3, 4};
  zip z = {0};
  zip_add_text(&z, "m/models/model.json", program);
  zip_add_text(&z, "m/data/weights/model_weights_config.json",
               "{\"config\": {" WEIGHT("v", SIZE(2), SIZE(1), 1) ", " WEIGHT(
                   "w", SIZE(2) ", " SIZE(2), SIZE(1) ", " SIZE(2), 0) "}}");
  zip_add(&z, "m/data/weights/weight_0", "m/data/weights/weight_0", (const char *)values,
          sizeof values, 0, false);
  zip_add_text(&z, "m/archive_format", "pt2");
  zip_add_text(&z, "m/archive_version", "0");
  return z;
}

static module *nested_module(void) {
  str text = program_text("nested.json");
  zip z = zip_around(str_cstr(&text));
  str_free(&text);
  return read_zip(&z);
}

static const char *temporary(void) {
  static char path[4096];
  const char *dir = getenv("TMPDIR");
  snprintf(path, sizeof path, "%s/scanc-saved-%ld.pt2", dir && *dir ? dir : "/tmp", (long)getpid());
  return path;
}

static int n_payloads(const char *path) {
  int n = 0;
  archive *a = archive_open(path, NULL);
  ck_assert_ptr_nonnull(a);
  for (int i = 0; i < archive_n_entries(a); i++)
    n += strstr(archive_at(a, i)->name, "/data/weights/weight_") != NULL;
  archive_close(a);
  return n;
}

START_TEST(saved_as_it_was) {
  const char *path = temporary();
  scanc_error err = {0};
  str why = {0};
  module *m = nested_module();
  ck_assert_msg(pt2_write(m, path, &err), "%s", err.message);
  module *again = load_file(path, NULL, NULL, &err);
  ck_assert_msg(again, "%s", err.message);
  ck_assert_int_eq(n_payloads(path), 1);
  unlink(path);
  ck_assert_msg(module_equal(m, again, &why), "%s", str_cstr(&why));
  ck_assert_str_eq(m->inputs.data[2].tree, "h.k");
  ck_assert_str_eq(again->inputs.data[2].tree, "h.k");
  ck_assert_str_eq(m->call_spec, again->call_spec);
  const scanc_tensor *v = value_store_find(again->data, "p_v"),
                     *w = value_store_find(again->data, "p_w");
  ck_assert(w->strides[0] == 1 && w->strides[1] == 2 && (char *)v->data == (char *)w->data + 4);
  ck_assert_ptr_nonnull(strstr(graph_find(again->main, "ge")->type->s, ">= 3"));
  ck_assert_ptr_nonnull(strstr(graph_find(again->main, "half")->type->s, "IntTrueDiv"));
  module_free(again);
  module_free(m);
}
END_TEST

/* ---- later versions of the schema ---- */

/* The text with `more` in front of each `key`; how many there are. */
static int put_before(str *text, const char *key, const char *more) {
  str out = {0};
  int n = 0;
  const char *rest = str_cstr(text);
  for (const char *p; (p = strstr(rest, key)) != NULL; rest = p + strlen(key), n++) {
    str_append_n(&out, rest, (size_t)(p - rest));
    str_append(&out, more);
    str_append(&out, key);
  }
  str_append(&out, rest);
  str_free(text);
  *text = out;
  return n;
}

/* Fields that this reader does not know, in every structure, change nothing. */
START_TEST(unknown_fields) {
  static const char *const keys[] = {
      "\"graph_module\":",  "\"graph\":",   "\"input_specs\":", "\"inputs\":",
      "\"tensor_values\":", "\"target\":",  "\"kind\":",        "\"dtype\":",
      "\"expr_str\":",      "\"min_val\":", "\"major\":",       "\"in_spec\":",
      "\"fqn\":",           "\"arg\":",     "\"name\":"};
  str text = program_text("nested.json"), why = {0};
  int n = 0;
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    str more = {0};
    str_printf(&more, "\"later_%zu\": {\"as_later\": [null, 1]}, ", i);
    n += put_before(&text, keys[i], str_cstr(&more));
    str_free(&more);
  }
  ck_assert_int_gt(n, 50);
  zip z = zip_around(str_cstr(&text));
  module *m = nested_module(), *later = read_zip(&z);
  ck_assert_msg(module_equal(m, later, &why), "%s", str_cstr(&why));
  module_free(m);
  module_free(later);
  str_free(&text);
}
END_TEST

UNIT_MAIN("archive_json", old_associative_scan, saved_as_it_was, unknown_fields)
