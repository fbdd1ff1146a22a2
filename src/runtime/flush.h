/* Subnormal numbers with scanc_options.ftz. Arithmetic flushes them by itself (base/fp_env.h), but
 * what only moves or chooses elements does not, and machines and compilers differ in what counts as
 * that. So none gets in: literals, bound arrays and inputs are flushed beforehand. */
#ifndef SCANC_RUNTIME_FLUSH_H
#define SCANC_RUNTIME_FLUSH_H

#include "runtime/program.h"

/* Literals of the program become zeros. */
void flush_literals(module *m);
/* Whether the array, which is valid, holds subnormals. Halves (f16) do not count: computing widens
 * them first. */
bool flush_is_due(const scanc_tensor *t);
/* Those of a contiguous array become zeros of their sign. */
void flush_array(const scanc_tensor *t);
/* The arrays of a run, in which copies take the place of those that hold subnormals. NULL with an
 * error: NO_MEMORY, or OVERLAP, as it is told of the arrays as they were given. */
const scanc_tensor *flush_inputs(program *p, run_state *s, const scanc_tensor *in,
                                 const scanc_tensor *out, scanc_error *err);
void flush_release(const program *p, run_state *s); /* the copies, after the run */

#endif
