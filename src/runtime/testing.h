/* What tests need of programs beyond the public interface. */
#ifndef SCANC_RUNTIME_TESTING_H
#define SCANC_RUNTIME_TESTING_H

#include <stdbool.h>
#include <stdint.h>

#include "scanc/scanc.h"

/* scanc_compile; with loops_only every scan is a loop of the entry, whatever its body. */
scanc_program *program_new(const scanc_module *mod, const scanc_options *opts, bool loops_only,
                           scanc_error *err);
/* Before the first run: how much work is worth a thread (>= 1, by the measure of loop/split.h):
 * tests have little. */
void program_set_thread_work(scanc_program *p, int64_t picoseconds);

#endif
