/* Reading MODEL. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "frontend/fx.h"
#include "tool.h"

/* All of a file, or of the standard input for "-"; *name gets what messages call it. */
static bool read_text(const char *path, str *text, const char **name, scanc_error *err) {
  bool std = strcmp(path, "-") == 0;
  char buf[65536];
  size_t n = sizeof buf;
  *name = std ? "<stdin>" : path;
  src_loc loc = {*name, 0, 0};
  FILE *f = std ? stdin : fopen(path, "rb");
  if (!f) return err_set(err, SCANC_ERR_IO, loc, "cannot open: %s", strerror(errno));
  while (n == sizeof buf) {
    n = fread(buf, 1, sizeof buf, f);
    str_append_n(text, buf, n);
  }
  bool ok = !ferror(f) || err_set(err, SCANC_ERR_IO, loc, "cannot read: %s", strerror(errno));
  if (!std) fclose(f);
  return ok;
}

module *load_faulty(const options *o, diagnostics *faults, scanc_error *err) {
  str text = {0};
  const char *name;
  module *mod = NULL;
  if (read_text(o->model, &text, &name, err))
    mod = fx_read_faulty(str_cstr(&text), text.len, name, faults, err);
  str_free(&text);
  return mod;
}

module *load_model(const options *o, scanc_error *err) { return load_faulty(o, NULL, err); }

module *load_checked(const options *o, scanc_error *err) {
  module *mod = load_model(o, err);
  if (!mod) return NULL;
  diagnostics d = {.mem = arena_new()};
  bool ok = module_lint(mod, &d);
  if (!ok) *err = d.found.len ? d.found.data[0] : mod->err;
  arena_free(d.mem);
  if (ok) return mod;
  scanc_module_free(mod);
  return NULL;
}
