/* What tests need of programs beyond the public interface. */
#ifndef SCANC_RUNTIME_TESTING_H
#define SCANC_RUNTIME_TESTING_H

#include "loop/prefix.h"
#include "scanc/scanc.h"

/* What tests choose in the place of what costs least; all zero: nothing. */
typedef struct {
  bool loops_only;     /* every scan is a loop of the entry, whatever its body, but for those that
                          are no left folds */
  prefix_wish order;   /* of associative scans and running sums */
  bool plans_only;     /* no machine code: the program cannot run */
  const char *refused; /* an operator of which every kernel counts as one that is not valid */
} program_choices;

/* scanc_compile; `choices` may be NULL. */
scanc_program *program_new(const scanc_module *mod, const scanc_options *opts,
                           const program_choices *choices, scanc_error *err);
/* Before the first run: how much work is worth a thread (>= 1, by the measure of loop/split.h):
 * tests have little. */
void program_set_thread_work(scanc_program *p, int64_t picoseconds);

#endif
