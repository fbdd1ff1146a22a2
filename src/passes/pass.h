/* The pass pipeline: rewrites of a module in place, through the primitives of graph.h only. A pass
 * visits every graph once and leaves a module that it does not change bit-identical. pass.def lists
 * the passes in order. */
#ifndef SCANC_PASSES_PASS_H
#define SCANC_PASSES_PASS_H

#include "ir/graph.h"

enum {                      /* what holds after a pass */
       FORM_FUNCTIONAL = 1, /* no in-place op; changed inputs are results */
       FORM_CORE = 2        /* no composite op */
};

/* Rewrites m; *changed is set to true if anything was changed, else left alone. Returns false after
 * recording an error in the module. */
typedef bool (*pass_fn)(module *m, bool *changed);

typedef struct {
  const char *name;
  unsigned
    requires,
  establishes; /* FORM_ bits */
  const char *purpose;
  pass_fn run;
} pass_info;

#define PASS(name, requires, establishes, purpose) bool pass_##name(module *m, bool *changed);
#include "passes/pass.def"
#undef PASS

/* As the pass dce, but keeps what data can make fail: for rewrites after which the same errors are
 * to be found. What such a rewrite has replaced it takes away itself. */
bool dce_leftovers(module *m, bool *changed);

/* Runs the default pipeline up to and including the pass stop_after (NULL: all of it); an unknown
 * name is an error USAGE. Debug builds lint after every pass. Returns false with the error in
 * m->err. */
bool passes_run(module *m, const char *stop_after);

#endif
