/* Archives of torch.export.save: the layout of the file, and the program in it. */
#include "frontend/pt2.h"

#include <stdio.h>
#include <string.h>

#include "frontend/pt2_reader.h"

void pt2_record(pt2 *r, scanc_code code, const char *fmt, ...) {
  char message[640];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(message, sizeof message, fmt, ap);
  va_end(ap);
  module_record(r->m, code, r->loc, "%.100s%s%s", r->call ? r->call : "", r->call ? ": " : "",
                message);
}

/* ---- layout ---- */

enum { MAX_SMALL = 1 << 20 }; /* bytes */
static const char flat_program[] = "serialized_exported_program.json";

static const archive_entry *entry(pt2 *r, const char *name) {
  return archive_find(r->a, arena_printf(r->tmp, "%s%s", r->root, name));
}

/* Whether a short entry is there and holds exactly `text`. */
static bool expect(pt2 *r, const char *name, const char *text, scanc_code code, bool required) {
  const archive_entry *e = entry(r, name);
  if (!e && required)
    return pt2_fail(r, SCANC_ERR_MISSING_ENTRY, "the archive has no entry '%s'", name);
  if (!e) return true;
  SCANC_TRY(archive_check(r->a, e, &r->m->err));
  if (e->size == strlen(text) && !memcmp(e->data, text, e->size)) return true;
  return pt2_fail(r, code, "entry '%s': expected '%s', got '%.*s'", name, text,
                  (int)(e->size > 60 ? 60 : e->size), (const char *)e->data);
}

/* All entries lie below the first part of the first one's name; those of 2.6 and 2.7 at the top. */
static bool find_root(pt2 *r) {
  const char *first = archive_n_entries(r->a) ? archive_at(r->a, 0)->name : "";
  const char *slash = strchr(first, '/');
  r->flat = archive_find(r->a, flat_program) != NULL;
  r->root = r->flat || !slash ? "" : arena_strndup(r->tmp, first, (size_t)(slash - first) + 1);
  if (r->flat) return true;
  return expect(r, "archive_format", "pt2", SCANC_ERR_BAD_ARCHIVE, true) &&
         expect(r, "archive_version", "0", SCANC_ERR_SCHEMA_VERSION, true) &&
         expect(r, "byteorder", archive_byte_order(), SCANC_ERR_UNSUPPORTED, false);
}

/* Everything but weights, unless it is large, is read now, so that damage is not found later; the
 * checksums of weights are for archive_check. */
static bool check_small(pt2 *r) {
  const char *weights = arena_printf(r->tmp, "%sdata/weights/", r->root);
  const char *constants = arena_printf(r->tmp, "%sdata/constants/", r->root);
  for (int i = 0; i < archive_n_entries(r->a); i++) {
    const archive_entry *e = archive_at(r->a, i);
    bool value = !strncmp(e->name, weights, strlen(weights)) ||
                 !strncmp(e->name, constants, strlen(constants));
    if (!value && e->size <= MAX_SMALL) SCANC_TRY(archive_check(r->a, e, &r->m->err));
  }
  return true;
}

/* The program's name if entry e is "models/NAME.json"; NULL. */
static const char *model_name(pt2 *r, const archive_entry *e) {
  const char *folder = arena_printf(r->tmp, "%smodels/", r->root);
  size_t n = strlen(e->name), skip = strlen(folder);
  if (n <= skip + 5 || strncmp(e->name, folder, skip) || strcmp(e->name + n - 5, ".json"))
    return NULL;
  return arena_strndup(r->tmp, e->name + skip, n - 5 - skip);
}

/* "a, b"; *only is the name if there is one. */
static char *model_names(pt2 *r, const char **only, int *n) {
  str names = {0};
  *n = 0;
  for (int i = 0; i < archive_n_entries(r->a); i++) {
    const char *name = model_name(r, archive_at(r->a, i));
    if (!name) continue;
    if (names.len < 300) str_printf(&names, *n ? ", %s" : "%s", name);
    *only = name;
    ++*n;
  }
  char *copy = arena_strdup(r->tmp, str_cstr(&names));
  str_free(&names);
  return copy;
}

static const archive_entry *find_program(pt2 *r) {
  const char *only = "model";
  int n;
  char *names = model_names(r, &only, &n);
  const char *wanted = r->model;
  if (r->flat) return archive_find(r->a, flat_program);
  if (!r->model) r->model = n == 1 ? only : "model";
  const archive_entry *e = entry(r, arena_printf(r->tmp, "models/%s.json", r->model));
  if (e) return e;
  if (n == 0)
    pt2_record(r, SCANC_ERR_MISSING_ENTRY, "the archive has no entry 'models/%.100s.json'",
               r->model);
  else if (wanted)
    pt2_record(r, SCANC_ERR_USAGE, "the archive has no program '%.100s'; it has %.300s", wanted,
               names);
  else
    pt2_record(r, SCANC_ERR_USAGE, "the archive has several programs; choose one of %.300s", names);
  return NULL;
}

/* ---- the program ---- */

/* Version 0.0 stands for none. */
static bool check_version(pt2 *r, json_t *version) {
  int64_t major, minor = json_integer_value(pt2_field(version, "minor"));
  SCANC_TRY(pt2_int(r, pt2_field(version, "major"), "schema_version", &major));
  if (major == 8 || (major == 0 && minor == 0)) return true;
  return pt2_fail(r, SCANC_ERR_SCHEMA_VERSION, "schema version %lld.%lld; expected 8.x",
                  (long long)major, (long long)minor);
}

static bool read_program(pt2 *r, json_t *j) {
  json_t *gm = pt2_field(j, "graph_module"), *signature = pt2_field(gm, "signature");
  json_t *specs = pt2_field(signature, "input_specs");
  SCANC_TRY(check_version(r, pt2_field(j, "schema_version")));
  if (!json_is_array(specs))
    return pt2_fail(r, SCANC_ERR_BAD_JSON, "a program without signature.input_specs");
  SCANC_TRY(pt2_ranges(r, pt2_field(j, "range_constraints")));
  r->m->exported = true;
  r->m->main = pt2_graph(r, pt2_field(gm, "graph"), "GraphModule", specs);
  return r->m->main && pt2_signature(r, signature) && pt2_trees(r, gm) && pt2_weights(r);
}

static bool read_archive(pt2 *r) {
  const archive_entry *e = find_root(r) && check_small(r) ? find_program(r) : NULL;
  json_t *j = e ? pt2_load_json(r, e) : NULL;
  bool ok = j && read_program(r, j);
  json_decref(j);
  return ok && !r->m->err.code;
}

module *pt2_read(archive *a, const char *model, diagnostics *faults, scanc_error *err) {
  module *m = module_new(archive_name(a));
  m->data = value_store_new(archive_close, a);
  m->faults = faults;
  pt2 r = {.m = m, .mem = m->mem, .tmp = arena_new(), .a = a, .model = model};
  for (int i = 0; i < 2; i++) r.copies[i] = map_make(r.tmp);
  r.constants = map_make(r.tmp);
  bool ok = read_archive(&r);
  arena_free(r.tmp);
  m->faults = NULL;
  m->lenient = true;
  if (ok) return m;
  if (err && !err->code) *err = m->err;
  module_free(m);
  return NULL;
}
