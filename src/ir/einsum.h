/* The equation of an einsum: which label each axis of each operand and of the result carries. */
#ifndef SCANC_IR_EINSUM_H
#define SCANC_IR_EINSUM_H

#include "scanc/scanc.h"

enum { EINSUM_MAX_OPERANDS = 16, EINSUM_MAX_LABELS = 52 + SCANC_MAX_RANK };

/* Labels: 0..25 for A-Z, 26..51 for a-z, 52.. for the axes that an ellipsis stands for, counted
 * from the left of the broadcast ellipsis. */
typedef struct {
  int n_in;
  int in[EINSUM_MAX_OPERANDS][SCANC_MAX_RANK];
  int n_out;
  int out[SCANC_MAX_RANK];
} einsum;

/* Returns NULL, or what is wrong with the equation for operands of the given ranks. Without "->"
 * the result has the ellipsis and then the labels that occur once, in alphabetical order. */
const char *einsum_parse(einsum *e, const char *equation, const int *ranks, int n);

#endif
