/* The graph IR: modules, graphs, nodes, def-use links, and the primitives that edit them.
 *
 * A graph is an ordered doubly linked list of nodes of FX's six kinds. Everything lives in the
 * module's arena; an erased node's memory stays until the module is freed, and the node is marked
 * `erased`. Only the primitives here touch list links, use lists, names and owners; after each of
 * them the structural part of lint holds. Analyses keep their facts in side tables indexed by
 * node->id (mod->n_ids entries). */
#ifndef SCANC_IR_GRAPH_H
#define SCANC_IR_GRAPH_H

#include "base/err.h"
#include "base/log.h"
#include "base/map.h"
#include "base/vec.h"
#include "ir/op.h"
#include "ir/prefix.h"
#include "ir/scan_attrs.h"
#include "ir/type.h"
#include "ir/val.h"
#include "ir/value_store.h"

typedef struct scanc_module module;
typedef struct scanc_graph graph;
typedef struct scanc_node node;
typedef struct use use;

typedef enum {
  NODE_PLACEHOLDER,   /* path: parameter name; args[0]: default value if any */
  NODE_GET_ATTR,      /* path: attribute of the owning graph: a subgraph or a tensor */
  NODE_CALL_FUNCTION, /* target */
  NODE_CALL_MODULE,   /* path: module without text; kept and printed, cannot run */
  NODE_CALL_METHOD,   /* path: method name; target once resolved; args[0] is the receiver */
  NODE_OUTPUT         /* args[0]: the returned structure */
} node_kind;

/* One occurrence of a node among the arguments of another. */
struct use {
  node *user, *def;
  use *next, *prev; /* the other uses of def */
};

/* Where an argument stood in the source, for printing it back: positional up to n_pos, then
 * keywords. */
struct scanc_node {
  int id; /* dense in the module */
  node_kind kind;
  bool erased;
  const char *name; /* unique in the graph */
  graph *owner;
  node *prev, *next;

  const char *path; /* see node_kind; for CALL_FUNCTION the spelling: "torch.ops.aten.add.Tensor",
                       "operator.add" */
  const spelling *spelling; /* how path is printed and resolved; NULL: not in the name table */
  const aten_row *row;      /* the overload it resolved to; NULL: none */
  const op_info *op;        /* what it computes; NULL: unknown, or not a call */
  bool in_place; /* the trailing-underscore form of row: args[0] is changed and is the result */

  const val *args; /* as written: n_pos positional, then one per kw */
  int n_args, n_pos;
  const char *const *kw; /* names of args[n_pos..] */
  const val *operands; /* op->n_operands values in the order of the op's signature, defaults filled
                          in; derived from args by binding */
  const type *type;    /* NULL: unknown */
  bool annotated;      /* the text carried an annotation */
  const scan_attrs *scan; /* canonical scans only (see scan_attrs.h); NULL otherwise */
  prefix_order order;     /* associative scans: set when a program is compiled (loop/prefix.h) */
  src_loc loc;            /* of the statement in the graph's text */
  src_loc
      origin; /* the user's source line ("# File: model.py:6 in forward"), file NULL if unknown */

  use *uses; /* list of occurrences in other nodes' args, most recent first */
  use *arg_uses;
  int n_arg_uses;
};

typedef enum { ATTR_GRAPH, ATTR_TENSOR, ATTR_MODULE } attr_kind;

/* An attribute of `self`. Tensors have no data of their own: they are inputs of the program
 * (in.<name>.npy). */
typedef struct {
  const char *name; /* dotted path */
  attr_kind kind;
  graph *sub;       /* ATTR_GRAPH */
  const type *type; /* ATTR_TENSOR; NULL: unknown */
} attr;

struct scanc_graph {
  module *mod;
  const char *class_name; /* as printed: "GraphModule", "scan_combine_graph_0" */
  bool bare;              /* printed as a `def forward` without a class */
  node *first, *last;
  int n_nodes;
  map names;         /* name -> node */
  map name_counters; /* base -> next suffix (FX's naming) */
  VEC(attr) attrs;   /* in order of registration; subgraphs print in this order */
  src_loc loc;       /* of the def line */
};

typedef enum {
  PORT_USER,
  PORT_PARAMETER,
  PORT_BUFFER,
  PORT_CONSTANT,
  PORT_MUTATION_BUFFER,
  PORT_MUTATION_PARAMETER,
  PORT_MUTATION_USER,
  PORT_OTHER
} port_kind;

/* One line of the "Graph signature". */
typedef struct {
  const char *name; /* node name; "" for a constant output */
  port_kind kind;
  const char *kind_text; /* USER_INPUT, BUFFER_MUTATION... as printed */
  const char *target;    /* qualified name, NULL */
  int persistent;        /* -1 not stated */
  src_loc loc;
  bool frozen;      /* a parameter of which the archive says that it takes no gradient */
  const char *tree; /* where it stands in the tree of arguments: "h.p"; NULL: not known */
  val constant;     /* of an input that the program was made for one value of, and that nothing
                       reads: None, a number, a string; else absent */
} port;

typedef struct {
  dim expr;
  int64_t min, max; /* INT64_MIN / INT64_MAX: unbounded */
} range_constraint;

/* Errors that did not end the work. */
typedef struct {
  arena *mem;
  VEC(scanc_error) found;
} diagnostics;

struct scanc_module {
  arena *mem;
  symtab *syms;
  const char *name; /* of the file */
  const char *text; /* source, for the caret of diagnostics; NULL for built modules */
  size_t text_len;
  graph *main;
  VEC(graph *) graphs; /* all, main included, in order of creation */
  bool exported;       /* printed with "ExportedProgram:", signature and ranges */
  bool has_signature;
  VEC(port) inputs; /* empty when there is no signature */
  VEC(port) outputs;
  VEC(range_constraint) ranges;
  int n_ids;
  bool lenient;    /* sizes that cannot be compared count as equal: annotations vouch, the program
                      checks when it runs */
  bool contract;   /* products may be fused with sums (passes/contract.c) */
  scanc_error err; /* the first error sticks; builder calls return invalid values afterwards */
  log_sink log;
  const char *call_spec;   /* of an archive: how arguments and results are nested, as JSON
                              (frontend/pt2_tree.c); NULL: not known */
  bool values_unread;      /* the file has values of parameters, but as objects of Python */
  value_store *data;       /* values of parameters, shared by all copies; NULL: none */
  struct builder *builder; /* of a module built from C (frontend/builder.h); NULL for others */
  diagnostics *faults;     /* while a text is read: operations that do not fit are noted here and
                             reading goes on with what annotations say; NULL otherwise */
};

/* ---- modules and graphs ---- */
module *module_new(const char *name);
void module_free(module *m);
module *
module_clone(const module *m); /* deep copy in an arena of its own; ids are renumbered densely */
graph *graph_new(module *m, const char *class_name);
attr *graph_add_attr(graph *g, const char *name, attr_kind kind, graph *sub);
attr *graph_find_attr(const graph *g, const char *name); /* NULL when absent */
bool graph_is_keyword(const char *s);                    /* of Python */
/* A name not yet in use in g, made from `candidate` by FX's rules. */
const char *graph_fresh_name(graph *g, const char *candidate);
node *graph_find(const graph *g, const char *name);
node *graph_output(const graph *g); /* NULL while there is none */
/* Records an error in the module, quoting the source line. Returns false. */
#define module_fail(...) (module_record(__VA_ARGS__), err_false())
/* With faults: moves an error from m->err to them. */
void module_note(module *m);
void module_record(module *m, scanc_code code, src_loc loc, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Calls fn once for every graph reachable from root through attributes that some node names, inner
 * graphs first. */
void graph_walk(graph *root, void (*fn)(graph *g, void *ctx), void *ctx);

/* Nodes in order; safe when the current node is erased inside the loop. */
#define FOR_EACH_NODE(n, g) \
  for (node *n = (g)->first, *n##_next = n ? n->next : NULL; n; \
       n = n##_next, n##_next = n ? n->next : NULL)

/* ---- cursors ---- */
/* A place to create nodes at. An "after" cursor advances: what is created second comes second. */
typedef struct {
  graph *g;
  node *before;        /* insert before this node; NULL: at the end */
  src_loc loc, origin; /* given to created nodes */
} cursor;
cursor cursor_end(graph *g);
cursor cursor_before(node *n); /* takes the location of n */
cursor cursor_after(node *n);

/* ---- creating ---- */
/* All copy what they are given. They infer the type; a failure is recorded in the module (and the
 * node, if any, has type NULL). name NULL: derived from the target. */
node *node_placeholder(cursor *c, const char *name, const char *target, const type *t,
                       val default_value);
node *node_get_attr(cursor *c, const char *name, const char *path);
node *node_output(cursor *c, val value);
node *node_call_module(cursor *c, const char *name, const char *path, const val *args, int n_pos,
                       const char *const *kw, int n_kw);
/* method: FX's call_method; path is the method name and args[0] the receiver. */
node *node_call_method(cursor *c, const char *name, const char *path, const val *args, int n_pos,
                       const char *const *kw, int n_kw);
/* path: any spelling of the name table ("torch.ops.aten.add.Tensor", "torch.movedim",
 * "operator.add"); unknown ones make a node without op, which lint reports. */
node *node_call(cursor *c, const char *name, const char *path, const val *args, int n_pos,
                const char *const *kw, int n_kw);
/* A call of the overload `row`, operands in the order of the signature of row->op; those equal to
 * the default or VAL_ABSENT are left out. Spelled torch.ops.aten.<row>. */
node *node_call_row(cursor *c, const aten_row *row, const val *operands, int n);

/* ---- editing ---- */
void node_erase(node *n);                    /* n must have no uses */
void node_replace_uses(node *n, node *by);   /* all uses of n, except those in `by` itself */
void node_replace_uses_val(node *n, val by); /* the same with any value */
void node_replace_input(node *user, node *old, node *by);
void node_set_args(node *n, const val *args, int n_pos, const char *const *kw,
                   int n_kw); /* binds and infers again */
void node_move_before(node *n, node *where);
void node_rename(node *n, const char *candidate);
node *node_copy(cursor *c, const node *n, val (*fn)(node *n, void *ctx),
                void *ctx); /* args mapped through fn */

/* ---- reading ---- */
bool node_has_uses(const node *n);
int node_n_uses(const node *n);        /* occurrences */
int node_n_users(const node *n);       /* distinct nodes */
node *node_user(const node *n, int i); /* i-th distinct user, in no promised order */
bool node_is_op(const node *n, op_id op);
/* Whether data can make it fail, or something in a body that it calls: an index, an integer
 * division by zero, a number or a size that only the data tell. */
bool node_may_fail(const node *n);
bool node_has_data_number(const node *n); /* a number of that kind is among its arguments */
int graph_n_placeholders(const graph *g);
node *graph_placeholder(const graph *g, int i);
/* The subgraph that a value names: a get_attr node of a graph. NULL otherwise. */
graph *val_graph(val v);
/* Returned leaves of a graph: the output's structure if it is a list or tuple, else that one value.
 */
int graph_n_results(const graph *g);
val graph_result(const graph *g, int i);
const type *val_type(module *m, val v); /* type of any value; NULL: unknown */

/* Re-runs inference for the whole graph in order, e.g. after placeholder types became known. */
bool graph_infer(graph *g);

/* ---- checking ---- */
/* Reports all violations in g and, recursively, in the subgraphs it names. Returns true when there
 * is none. */
bool module_lint(module *m, diagnostics *d);
/* What PyTorch itself would refuse: aliasing outputs, returned inputs, mutated carries. */
bool module_lint_torch(module *m, diagnostics *d);
/* What SCANC_POINTWISE refuses: operations in combine functions of associative scans that do not
 * work element by element. */
bool module_lint_pointwise(module *m, diagnostics *d);

/* ---- printing ---- (print.c) */
void module_print_code(str *out,
                       const module *m); /* PyTorch's printed form; reads back to an equal module */
void module_print_table(str *out,
                        const module *m); /* one row per node: opcode name target args users type */
void node_print(str *out, const node *n); /* the statement alone, for messages */
void val_print(str *out, val v);
/* Same structure, targets, arguments, names, types, signature and ranges. `why` (may be NULL) gets
 * the first difference. */
bool module_equal(const module *a, const module *b, str *why);

#endif
