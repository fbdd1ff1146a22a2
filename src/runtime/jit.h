/* Compiled scans, and groups of elementwise nodes, that the interpreter calls: in programs that
 * have no plan, and where a run cannot be served by one. A jit_scan belongs to one node after the
 * passes; it is made once when the program is compiled and run any number of times, from any
 * thread.
 *
 * Making one decides from the graph alone whether the node has a lowering. Machine code is made per
 * layout, at the first run that needs it, and kept in the jit_scan. */
#ifndef SCANC_RUNTIME_JIT_H
#define SCANC_RUNTIME_JIT_H

#include "ir/graph.h"
#include "runtime/eval.h"
#include "runtime/tensor.h"

typedef struct jit_scan jit_scan;

/* Of a node that nest_build takes, for the CPU level opts->cpu. Returns NULL
 * when it has no lowering or the code generator cannot be loaded; `why_not` then gets one line
 * "node <name>: reason" without newline. The jit_scan keeps nothing of the module. Thread-safe. */
jit_scan *jit_scan_new(const node *n, const scanc_options *opts, str *why_not);
/* Makes the machine code for the layout that the types promise (contiguous leaves). */
bool jit_scan_compile(jit_scan *j, str *why);
const struct scan_nest *jit_nest(const jit_scan *j);
void jit_scan_free(jit_scan *j); /* NULL is allowed; no run may be going on */

/* One run. Nothing is retained. */
typedef struct jit_call {
  const rval *leaf; /* carries (init), then xs, then additional inputs: exactly the scan's operands,
                       in order (an associative scan has no carries). Tensors of any strides;
                       additional inputs may be INT, FLOAT or BOOL numbers. xs are the whole
                       operands: their time axis is the one of node->scan (0 without attrs) */
  int n_leaf;
  int64_t length; /* number of steps: node->scan->length evaluated, or the size of the xs along axis
                     0; >= 0 */
  const int64_t *x_start; /* per x: node->scan->x[i].start evaluated; NULL: all 0 */
  tensor *out; /* final carries, then ys (time along node->scan->y[i].axis; 0 without attrs):
                  allocated by the caller with the node's result types, any strides, no overlap with
                  the leaves; ignored where the result is None */
  int n_out;
  struct pool *mem; /* for scratch, given back before the call ends */
} jit_call;

typedef enum {
  JIT_OK,
  JIT_DECLINED, /* these operands have no lowering, nothing was written, `err` untouched: run the
                   interpreter */
  JIT_DATA,     /* outputs are complete, but the data were at fault (division by zero): `err` holds
                   SCANC_ERR_DATA with     the message and place of the earliest step, unless it already
                   held an error */
  JIT_FAILED    /* `err` holds the failure (out of memory, code generator): no results */
} jit_status;

/* Thread-safe. */
jit_status jit_run_scan(jit_scan *j, const jit_call *call, scanc_error *err);

/* The code generator, opened when it is first asked for; NULL with a message if it cannot be. */
const struct codegen_api *generator_get(str *why);

#endif
