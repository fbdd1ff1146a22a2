/* Reading MODEL. */
#include <stdio.h>
#include <string.h>

#include "frontend/load.h"
#include "tool.h"

module *load_faulty(const options *o, diagnostics *faults, scanc_error *err) {
  if (strcmp(o->model, "-") == 0) return load_stream(stdin, "<stdin>", o->program, faults, err);
  return load_file(o->model, o->program, faults, err);
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
