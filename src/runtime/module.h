/* Modules as the API hands them out. */
#ifndef SCANC_RUNTIME_MODULE_H
#define SCANC_RUNTIME_MODULE_H

#include "ir/graph.h"

/* Lint; err gets the first fault. Scratch aside, m is unchanged. */
bool module_check(module *m, scanc_error *err);

#endif
