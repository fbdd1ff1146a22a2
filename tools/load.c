/* Reading MODEL. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "tool.h"

static module *read_stdin(scanc_error *err) {
  static const char name[] = "<stdin>";
  char buf[65536];
  size_t n;
  str text = {0};
  while ((n = fread(buf, 1, sizeof buf, stdin)) > 0) str_append_n(&text, buf, n);
  module *mod = NULL;
  if (ferror(stdin)) err_set(err, SCANC_ERR_IO, (src_loc){name, 0, 0}, "cannot read: %s", strerror(errno));
  else mod = scanc_module_parse(str_cstr(&text), text.len, name, err);
  str_free(&text);
  return mod;
}

module *load_model(const options *o, scanc_error *err) {
  return strcmp(o->model, "-") == 0 ? read_stdin(err) : scanc_module_load(o->model, err);
}

module *load_checked(const options *o, scanc_error *err) {
  module *mod = load_model(o, err);
  if (!mod) return NULL;
  diagnostics d = {.mem = arena_new()};
  bool ok = module_lint(mod, LINT_ALL, &d);
  if (!ok) *err = d.found.len ? d.found.data[0] : mod->err;
  arena_free(d.mem);
  if (ok) return mod;
  scanc_module_free(mod);
  return NULL;
}
