/* Inputs for the fuzzer from archives: of each program its JSON and that of its weights, as one.c
 * puts an archive around them, without what nothing reads.
 *   fuzz_seeds FOLDER ARCHIVE...   writes FOLDER/1.json, ... */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "frontend/archive.h"
#include "one.h"

static const char flat_program[] = "serialized_exported_program.json";

static bool ends(const char *s, const char *tail) {
  size_t n = strlen(s), k = strlen(tail);
  return n >= k && !strcmp(s + n - k, tail);
}

/* Stack traces and the like, more than half of a program. */
static void strip(json_t *j) {
  size_t i;
  const char *key;
  json_t *v;
  if (json_is_object(j) && json_object_get(j, "target"))
    json_object_set_new(j, "metadata", json_object());
  json_object_foreach(j, key, v) strip(v);
  json_array_foreach (j, i, v) strip(v);
}

/* The value of the weight that ends in `path`: the bytes that one.c has, or none. */
static void place(const archive *a, json_t *weight) {
  const char *path = json_string_value(json_object_get(weight, "path_name"));
  bool fits = false;
  for (int i = 0; path && i < archive_n_entries(a); i++)
    fits = fits || (ends(archive_at(a, i)->name, path) && archive_at(a, i)->size <= FUZZ_PAYLOAD);
  json_object_set_new(weight, "path_name", json_string(fits ? "weight_0" : "none"));
}

/* Adds the JSON of the first entry that ends in `tail`; false: there is none. */
static bool add_entry(const archive *a, const char *tail, str *out) {
  for (int i = 0; i < archive_n_entries(a); i++) {
    const archive_entry *e = archive_at(a, i);
    if (!ends(e->name, tail)) continue;
    const char *key;
    json_t *weight, *j = json_loadb((const char *)e->data, e->size, 0, NULL);
    if (!j) return false;
    strip(j);
    json_object_foreach(json_object_get(j, "config"), key, weight) place(a, weight);
    char *text = json_dumps(j, JSON_COMPACT);
    str_append(out, text);
    free(text);
    json_decref(j);
    return true;
  }
  return false;
}

/* False: not an archive with one program. */
static bool seed(const char *path, str *out) {
  archive *a = archive_open(path, NULL);
  if (!a) return false;
  bool ok = add_entry(a, "/models/model.json", out) || add_entry(a, flat_program, out);
  str_append_n(out, "", 1);
  add_entry(a, "_weights_config.json", out);
  str_append_n(out, "", 1);
  add_entry(a, "_constants_config.json", out);
  archive_close(a);
  return ok;
}

static bool write_seed(const char *folder, int number, const str *text) {
  str path = {0};
  str_printf(&path, "%s/%d.json", folder, number);
  FILE *f = fopen(str_cstr(&path), "wb");
  bool ok = f && fwrite(str_cstr(text), 1, text->len, f) == text->len;
  if (f) ok = fclose(f) == 0 && ok;
  if (!ok) fprintf(stderr, "fuzz_seeds: cannot write %s\n", str_cstr(&path));
  str_free(&path);
  return ok;
}

int main(int argc, char **argv) {
  int n = 0;
  bool ok = argc > 2;
  for (int i = 2; ok && i < argc; i++) {
    str text = {0};
    if (seed(argv[i], &text)) ok = write_seed(argv[1], ++n, &text);
    str_free(&text);
  }
  printf("%d of %d archives\n", n, argc - 2);
  return ok && n ? EXIT_SUCCESS : EXIT_FAILURE;
}
