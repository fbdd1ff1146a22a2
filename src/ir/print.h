/* Pieces of the printers that several files use. */
#ifndef SCANC_IR_PRINT_H
#define SCANC_IR_PRINT_H

#include "ir/graph.h"

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
