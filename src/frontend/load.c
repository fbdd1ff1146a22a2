/* Files of either kind: printed programs and archives. */
#include "frontend/load.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/str.h"
#include "frontend/fx.h"
#include "frontend/pt2.h"

enum { MAX_STREAM = INT_MAX }; /* bytes; files of archives are mapped and may be larger */

static bool read_all(FILE *f, const char *name, str *text, scanc_error *err) {
  char buf[65536];
  size_t n;
  src_loc loc = {.file = name};
  do {
    n = fread(buf, 1, sizeof buf, f);
    if (n > MAX_STREAM - text->len)
      return err_set(err, SCANC_ERR_UNSUPPORTED, loc, "more than %d bytes to read", MAX_STREAM);
    str_append_n(text, buf, n);
  } while (n == sizeof buf);
  return !ferror(f) || err_set(err, SCANC_ERR_IO, loc, "cannot read: %s", strerror(errno));
}

static module *read_bytes(str *text, const char *name, const char *model, diagnostics *faults,
                          scanc_error *err) {
  if (archive_begins(text->data, text->len)) {
    archive *a = archive_of_bytes(text->data, text->len, name, err);
    *text = (str){0};
    return a ? pt2_read(a, model, faults, err) : NULL;
  }
  if (!model) return fx_read_faulty(str_cstr(text), text->len, name, faults, err);
  err_set(err, SCANC_ERR_USAGE, (src_loc){.file = name},
          "only archives hold several programs; '%.100s' cannot be chosen here", model);
  return NULL;
}

module *load_stream(FILE *f, const char *name, const char *model, diagnostics *faults,
                    scanc_error *err) {
  str text = {0};
  module *m = NULL;
  if (read_all(f, name, &text, err)) m = read_bytes(&text, name, model, faults, err);
  str_free(&text);
  return m;
}

bool load_is_archive(const char *path) {
  char head[2];
  size_t n = 0, len = strlen(path);
  FILE *f = fopen(path, "rb");
  if (f) n = fread(head, 1, sizeof head, f);
  if (f) fclose(f);
  return archive_begins(head, n) || (len > 4 && !strcmp(path + len - 4, ".pt2"));
}

module *load_file(const char *path, const char *model, diagnostics *faults, scanc_error *err) {
  if (load_is_archive(path)) {
    archive *a = archive_open(path, err);
    return a ? pt2_read(a, model, faults, err) : NULL;
  }
  FILE *f = fopen(path, "rb");
  if (!f) {
    err_set(err, SCANC_ERR_IO, (src_loc){.file = path}, "cannot open: %s", strerror(errno));
    return NULL;
  }
  module *m = load_stream(f, path, model, faults, err);
  fclose(f);
  return m;
}
