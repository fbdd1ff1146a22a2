/* Libraries of host functions. */
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include "tool.h"

/* As other files are, a library is looked for in the current directory before where the system
 * keeps them. */
static void *open_library(const char *path) {
  str here = {0};
  str_printf(&here, "./%s", path);
  bool local = !strchr(path, '/') && access(here.data, F_OK) == 0;
  void *lib = dlopen(local ? here.data : path, RTLD_NOW | RTLD_LOCAL);
  str_free(&here);
  return lib;
}

/* It stays open: its functions are called until the process ends. */
static bool load(const char *path, scanc_error *err) {
  src_loc loc = {.file = path};
  scanc_code (*entry)(scanc_register_fn add, scanc_error *err) = NULL;
  void *lib = open_library(path);
  if (!lib) return err_set(err, SCANC_ERR_IO, loc, "cannot load: %.600s", dlerror());
  *(void **)&entry = dlsym(lib, "scanc_register_ops");
  if (!entry)
    return err_set(err, SCANC_ERR_USAGE, loc,
                   "not a library of operators: it has no function scanc_register_ops");
  scanc_code code = entry(scanc_register_op, err);
  if (code == SCANC_OK && !err->code) return true;
  if (!*err->file) strncat(err->file, path, sizeof err->file - 1);
  return err_set(err, code, loc, "scanc_register_ops failed");
}

bool ops_load(const options *o, scanc_error *err) {
  for (int i = 0; i < o->ops.len; i++) SCANC_TRY(load(o->ops.data[i], err));
  return true;
}
