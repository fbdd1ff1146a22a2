/* Files of either kind: printed programs and archives. */
#ifndef SCANC_FRONTEND_LOAD_H
#define SCANC_FRONTEND_LOAD_H

#include <stdio.h>

#include "ir/graph.h"

/* By its first bytes, or its name, *.pt2. */
bool load_is_archive(const char *path);
/* Reads the file `path`, by what it holds. `model` and `faults` as in pt2_read and fx_read_faulty;
 * a name for `model` is an error USAGE where the file is no archive. */
module *load_file(const char *path, const char *model, diagnostics *faults, scanc_error *err);
/* The same of what `f` still gives; `name` stands for it in messages. */
module *load_stream(FILE *f, const char *name, const char *model, diagnostics *faults,
                    scanc_error *err);

#endif
