/* The builder of scanc/build.h: state of a module under construction, shared by builder*.c. */
#ifndef SCANC_FRONTEND_BUILDER_H
#define SCANC_FRONTEND_BUILDER_H

#include "ir/graph.h"
#include "scanc/build.h"

/* A value of an outer graph, and the parameter that brings it into a body. */
typedef struct {
  node *outer, *param;
} capture;

/* A graph under construction, or one that has returned. */
typedef struct scope {
  graph *g;
  struct scope *parent; /* the graph it was begun in; NULL: main */
  bool returned;
  bool called;           /* a call passes its captures: their number is settled */
  VEC(capture) captures; /* parameters behind its own ones, in this order */
} scope;

typedef struct builder {
  module *m;
  scope *main, *open; /* open: where operations go */
  VEC(scope *) scopes;
} builder;

/* ---- state (builder.c) ---- */
/* NULL: there is nothing to build on (no module, one that was read, or one with an error). */
builder *builder_of(module *m);
module *builder_module(const scanc_value *v, int n); /* the first that a value tells; NULL */
scope *builder_scope(const builder *b, const graph *g);
cursor builder_cursor(const scope *s); /* its end */
/* Records the first error. */
scanc_value builder_fail(builder *b, scanc_code code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
scanc_value builder_invalid(module *m); /* m may be NULL */
/* The value of a node; invalid for NULL or after an error, which is told of `what` and the
 * operands. */
scanc_value builder_made(builder *b, node *n, const char *what, const val *operands,
                         int n_operands);
/* n as seen from scope s: itself, or the parameter that brings it in. NULL after an error. */
node *builder_bring(builder *b, scope *s, node *n);
/* A new parameter of s for `outer`, not yet in the list. */
capture builder_capture(scope *s, node *outer);
/* node_call at the end of the open scope. Sizes that cannot be compared do not agree. */
node *builder_call(builder *b, cursor *c, const char *path, const val *args, int n_pos,
                   const char *const *kw, int n_kw);

/* ---- values (builder_value.c) ---- */
enum {
  V_ABSENT,
  V_INVALID,
  V_NODE, /* u.p */
  V_NONE,
  V_INT,
  V_FLOAT,
  V_BOOL,
  V_COMPLEX,
  V_STR,
  V_DTYPE,
  V_LIST,   /* u.p: n values */
  V_INTS,   /* u.p: n integers */
  V_SYMBOL, /* u.p: the name */
  V_SCAN    /* u.p: the node of a scan whose ys are to be turned; n: 2 * dim + reverse */
};
scanc_value value_of_node(node *n);
static inline node *value_node(scanc_value v) { return v.kind == V_NODE ? (node *)v.u.p : NULL; }
/* As an argument of a node in the open scope; false after an error. */
bool value_to_val(builder *b, scanc_value v, val *out);
/* As a list val: a list, or the one value. */
bool value_to_list(builder *b, scanc_value v, const char *what, val *out);
/* The sizes that a list names; false after an error. dims has room for SCANC_MAX_RANK. */
bool value_to_dims(builder *b, scanc_value v, const char *what, dim *dims, int *n);

/* ---- graphs (builder_graph.c) ---- */
/* Makes `name` free for a node of g, which takes it then; false after an error. */
bool builder_claim_name(builder *b, graph *g, const char *name);

#endif
