/* Arguments of ops that slide a window over one to three axes. */
#ifndef SCANC_IR_WINDOW_H
#define SCANC_IR_WINDOW_H

#include "ir/infer.h"

typedef struct {
  int n; /* spatial axes */
  int64_t stride[3], padding[3], dilation[3], output_padding[3];
  bool transposed;
  int64_t groups;
} conv_args;

typedef struct {
  int n;
  int64_t kernel[3], stride[3], padding[3], dilation[3];
  bool ceil_mode;
} pool_args;

/* Operand k as n constants: one number or a list of 1 or n, each at least min; dflt where it is absent or empty. */
bool infer_spatial(infer_ctx *c, int k, int n, int64_t dflt, int64_t min, int64_t *out);

#endif
