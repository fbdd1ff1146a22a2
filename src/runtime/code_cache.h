/* Machine code of entries, shared by all programs of the process: compiling the same program for
 * the same CPU level again finds it. Code that no program uses any more is kept for a while. */
#ifndef SCANC_RUNTIME_CODE_CACHE_H
#define SCANC_RUNTIME_CODE_CACHE_H

#include "loop/codegen.h"

typedef struct cached_code cached_code;

/* NULL with a message in `why` when it cannot be compiled. `found` tells whether it was compiled
 * before. Thread-safe. */
cached_code *code_cache_get(const codegen_api *api, const entry_point *e, const char *cpu,
                            bool *found, str *why);
kernel_fn code_cache_fn(const cached_code *c);
void code_cache_release(cached_code *c); /* NULL is allowed; the code must not be running */

#endif
