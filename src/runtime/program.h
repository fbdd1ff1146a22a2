/* What the files of the program runner share. */
#ifndef SCANC_RUNTIME_PROGRAM_H
#define SCANC_RUNTIME_PROGRAM_H

#include <pthread.h>

#include "runtime/interp.h"

typedef struct scanc_program program;

/* An input: a parameter of the main graph, or a tensor attribute of a graph. */
typedef struct {
  scanc_port port;
  const type *type;       /* NULL: anything */
  val dflt;               /* of a parameter; VAL_ABSENT: none */
  bool unused;            /* nothing reads it: it may be missing */
  const char *class_name; /* attributes: of the graph; NULL for a parameter */
  const char *path;
} in_port;

typedef struct {
  scanc_port port;
  int result; /* index among the main graph's leaves */
} out_port;

struct scanc_program {
  arena *mem;
  module *mod; /* as the passes left it */
  scanc_options opts;
  bool fma; /* the CPU level has fused multiply-add */
  in_port *inputs;
  int n_inputs, n_params, cap_inputs;
  out_port *outputs; /* the caller's results first, then the changed inputs */
  int n_outputs;
  map kernels; /* node id as text -> jit_scan */
  VEC(jit_scan *) kernel_list;
  bool *seen; /* per graph, while scans are compiled */
  pthread_mutex_t lock;
  VEC(interp *) idle;
};

/* ports.c */
bool ports_inputs(program *p, scanc_error *err);              /* from the module as read */
bool ports_outputs(program *p, scanc_error *err);             /* from the module after the passes */
int ports_attr(void *prog, const graph *g, const char *path); /* interp_attr_fn */
/* Checks the arrays, binds symbols and makes the values of a run. Errors: MISSING_INPUT,
 * INPUT_DTYPE, INPUT_SHAPE, RANGE. */
bool ports_bind(const program *p, const scanc_tensor *arrays, arena *tmp, pool *mem,
                interp_call *call, scanc_error *err);
void ports_release(const program *p, const interp_call *call); /* also after ports_bind failed */

#endif
