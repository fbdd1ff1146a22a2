/* What the parts of the archive writer share. */
#ifndef SCANC_FRONTEND_PT2_WRITER_H
#define SCANC_FRONTEND_PT2_WRITER_H

#include <jansson.h>

#include "ir/convert.h"
#include "ir/graph.h"

typedef struct {
  module *m; /* a copy of what is saved */
  arena *tmp;
  scanc_error *err;
  int64_t *hints; /* a value per symbol, within its range */
  bool *known;
  number *values; /* by node id: of numbers, what the hints make of them; class 0: not known */
  node **first;   /* by node id: of items of one tuple, the first one that reads the same place */
} pt2_writer;

/* Records an error about the module; returns NULL. */
json_t *pt2_refuse(pt2_writer *w, const node *n, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* NULL after an error, here and below. The caller owns the result. */
json_t *pt2_graph_json(pt2_writer *w, graph *g, bool main);
/* An archive repeats a subgraph for each use: nested, that may be more than anything holds. */
bool pt2_has_room(pt2_writer *w);
/* The port of a parameter of the main graph; NULL: the signature does not have it. */
const port *pt2_port(const module *m, const node *parameter);
/* Whether a parameter stands for a value that the program was made for, and that nothing reads. */
bool pt2_constant(const pt2_writer *w, const node *parameter, val *out);
json_t *pt2_meta_json(pt2_writer *w, const type *t);
json_t *pt2_value_json(pt2_writer *w, const node *user, val v, const aten_param *p);
json_t *pt2_float_json(double f); /* also "Infinity", "NaN" */
const char *pt2_name_of(const pt2_writer *w, const node *n);
/* The call whose k-th result n is; NULL: n is no such item. */
const node *pt2_item_of(const node *n, int64_t *k);

#endif
