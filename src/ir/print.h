/* Printers for other programs, and pieces of the printers that several files use. */
#ifndef SCANC_IR_PRINT_H
#define SCANC_IR_PRINT_H

#include "ir/graph.h"

void module_print_dot(str *out, const module *m);  /* for Graphviz (print_dot.c) */
void module_print_json(str *out, const module *m); /* docs/json.md has the shape (print_json.c) */

/* print_text.c */
/* The graphs of a module that are in use, the main one first. */
typedef VEC(const graph *) graph_list;
graph_list print_graphs(const module *m, arena *mem);
int print_place(const graph_list *l, const graph *g); /* in the list; -1: it is not there */
/* n bytes, with what is no UTF-8 as question marks. */
void print_text(str *out, const char *s, size_t n);

/* print_val.c */
void print_string(str *out, const char *s, int n, bool bytes); /* with quotes */
bool print_is_identifier(const char *s);
/* An operand of an infix operator: a signed number gets parentheses. */
void print_operand(str *out, val v);

/* print_node.c */
/* ": \"f32[2]\"" if the type is one that PyTorch shows. */
void print_annotation(str *out, const type *t);
/* The same of a size that is a number because its text says so. */
void print_stated_number(str *out, const node *n);
/* The right side of the node's statement. `path` replaces that of a get_attr or call_module; NULL:
 * its own. */
void print_right_side(str *out, const node *n, const char *path);
void print_arguments(str *out, const node *n, int first);

#endif
