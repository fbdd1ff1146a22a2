/* What the parts of the archive reader share. The JSON schema is that of torch/_export/serde:
 * structures are objects, a union is an object with one key, the name of the alternative. */
#ifndef SCANC_FRONTEND_PT2_READER_H
#define SCANC_FRONTEND_PT2_READER_H

#include <jansson.h>

#include "frontend/archive.h"
#include "ir/graph.h"

enum {
  PT2_MAX_GRAPH_DEPTH = 150,
  PT2_MAX_TREE_DEPTH = 100,
  PT2_MAX_JSON = 128 << 20, /* bytes of a program */
  PT2_MAX_ATTRS = 20000     /* subgraphs of one graph */
};

typedef struct {
  module *m;
  arena *mem; /* the module's */
  arena *tmp; /* freed when the reader is done */
  archive *a;
  const char *root;  /* of entry names, with the slash; "" in the flat layout of 2.6 and 2.7 */
  const char *model; /* name of the program */
  bool flat;
  const char *call; /* whose arguments are being read, for messages; NULL */
  src_loc loc;      /* of the node being read, with its name and source line as note */
  int depth;        /* of the graph being read */
  map copies[2];    /* of payloads, by entry; [1]: as truth values */
  map constants;    /* `val *`: inputs of the program that are constants, by name */
} pt2;

/* A graph while it is read. */
typedef struct {
  pt2 *r;
  graph *g;
  json_t *json;
  cursor c;
  map names;     /* node by the name in the file */
  map subgraphs; /* last number behind a name */
  int n_fresh;
} pt2_body;

#define pt2_fail(...) (pt2_record(__VA_ARGS__), err_false())
void pt2_record(pt2 *r, scanc_code code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* pt2_json.c: fields of objects. A missing or null field is NULL, or the default. */
/* Checks the checksum and parses; NULL after an error. The caller owns the result. */
json_t *pt2_load_json(pt2 *r, const archive_entry *e);
json_t *pt2_parse_json(pt2 *r, const char *what, const void *text, size_t n);
json_t *pt2_field(json_t *o, const char *key);
const char *pt2_text(json_t *o, const char *key); /* in the JSON's memory */
/* The alternative of a union. False after an error: not an object of one key. */
bool pt2_union(pt2 *r, json_t *v, const char *what, const char **key, json_t **value);
bool pt2_int(pt2 *r, json_t *v, const char *what, int64_t *out);
bool pt2_float(pt2 *r, json_t *v, const char *what, double *out); /* also "Infinity", "NaN" */
bool pt2_bool(pt2 *r, json_t *v, const char *what, bool *out);
bool pt2_is_name(const char *name); /* an identifier */
/* Whether the name may stand in a program; error BAD_JSON. */
bool pt2_check_name(pt2 *r, const char *name, const char *what);
bool pt2_dtype(pt2 *r, json_t *v, const char *what, scanc_dtype *out);
/* The number that files have for the type. */
int pt2_dtype_code(scanc_dtype d);

/* pt2_type.c. `what`: the name of the value, for messages. */
bool pt2_size(pt2 *r, json_t *sym_int, const char *what, dim *out); /* as_int or as_expr */
/* At most SCANC_MAX_RANK. */
bool pt2_sizes(pt2 *r, json_t *list, const char *what, dim *out, int *n);
bool pt2_tensor_type(pt2 *r, json_t *meta, const char *what, const type **out);
/* What the tables of a graph say about a name; NULL: nothing. False after an error. */
bool pt2_stated_type(pt2_body *b, const char *name, const type **out);

/* pt2_sym.c: sympy's srepr. An integer is d; of others `text` is the expression as PyTorch prints
 * it. Functions that sym_functions.def has not are refused. */
typedef struct {
  int kind; /* fx_sym_kind */
  dim d;
  const char *text;
  bool pair; /* a branch of Piecewise */
} pt2_sym;
bool pt2_symbolic(pt2 *r, const char *srepr, const char *what, pt2_sym *out);
/* Whether pt2_symbolic takes the text, for the writer. m notes no error. */
bool pt2_is_srepr(module *m, arena *tmp, const char *text);

/* pt2_args.c */
/* An Argument. `tuple`: a list of tensors is to be a tuple. */
bool pt2_argument(pt2_body *b, json_t *arg, bool tuple, val *out);
/* The name an Argument stands for as a result or parameter; NULL: none. False after an error. */
bool pt2_result_name(pt2 *r, json_t *arg, const char **out);
/* The same of a result of a node, which must be one that has a name, or None. */
bool pt2_output_name(pt2 *r, json_t *arg, const char **out);
bool pt2_lookup(pt2_body *b, const char *name, val *out);

/* pt2_graph.c */
graph *pt2_graph(pt2 *r, json_t *json, const char *name, json_t *input_specs);
const char *pt2_fresh(void *body, const char *base); /* a name that the graph does not define */
node *pt2_call(pt2_body *b, const char *name, const char *path, const val *args, int n_pos,
               const char *const *kw, int n_kw, const type *stated);
/* A call that gives a tuple: its items get the names of the results. */
bool pt2_items(pt2_body *b, node *tuple, json_t *results);
bool pt2_define(pt2_body *b, const char *name, node *n); /* error DUPLICATE_NAME */

/* pt2_hop.c: the scans of 2.6; *done says whether it was one. */
bool pt2_old_form(pt2_body *b, json_t *node, const char *name, const char *path, const val *args,
                  int n, bool *done);

/* pt2_signature.c */
bool pt2_signature(pt2 *r, json_t *signature);
bool pt2_ranges(pt2 *r, json_t *constraints);
const char *pt2_spec_name(json_t *spec); /* of an input that is a constant; NULL */

/* pt2_tree.c: where each user input stands in the arguments, for port.tree. */
bool pt2_trees(pt2 *r, json_t *graph_module);

/* pt2_weights.c: values of parameters, as views of the archive, which the module takes over. */
bool pt2_weights(pt2 *r);

#endif
