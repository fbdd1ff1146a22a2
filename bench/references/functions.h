/* Functions of one variable, one element after the other: what is computed, and what the compilers
 * make of it. */
#ifndef SCANC_BENCH_FUNCTIONS_H
#define SCANC_BENCH_FUNCTIONS_H

#include <math.h>

#include "variants.h"

static inline float sigmoid(float x) { return 1 / (1 + expf(-x)); }

#define MATH(name, of_x) \
  REFERENCE(name) { \
    const float *x = in[0]; \
    float *y = out[0]; \
    for (int64_t i = 0; i < n[0]; i++) y[i] = of_x(x[i]); \
  }

MATH(math_exp, expf)
MATH(math_log, logf)
MATH(math_tanh, tanhf)
MATH(math_sigmoid, sigmoid)

#endif
