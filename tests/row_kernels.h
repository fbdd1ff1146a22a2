/* Elementwise rows and conversions as kernels of loop IR, and data that meets their corners: for
 * the tests of machine code. */
#ifndef SCANC_TESTS_ROW_KERNELS_H
#define SCANC_TESTS_ROW_KERNELS_H

#include "ir/convert.h"
#include "loop/loop.h"
#include "loop/target.h"

enum { ROW_ARGS = 4 }; /* at most */

/* y[t, i] = op(x0[t, i], x1[t, i]...), computed in `acc`, stored as `io` where the row allows it.
 */
typedef struct {
  const op_info *op; /* NULL: a conversion to `acc` */
  scanc_dtype io, acc;
  int lanes, unroll;
} row_case;

/* Calls fn for every row that has compiled code for elements of type io, and for the conversions of
 * io to every type but complex ones, in vectors as wide as the level has. */
void row_for_each(scanc_dtype io, const target *t, void (*fn)(const row_case *r, void *ctx),
                  void *ctx);
void row_for_each_conversion(scanc_dtype io, const target *t,
                             void (*fn)(const row_case *r, void *ctx), void *ctx);

int row_n_args(const row_case *r);
scanc_dtype row_arg_dtype(const row_case *r, int a);
scanc_dtype row_result_dtype(const row_case *r);
/* "add f32 -> f32", in static storage. */
const char *row_name(const row_case *r);
/* Buffers: arguments, then the result, all [length, lanes]; ints: length, lanes. In `mem`. */
kernel *row_kernel(arena *mem, const row_case *r);

/* The same sequence in every run. */
uint64_t row_random(void);
/* NaN, infinities, zeros, subnormals, extremes of integers, and numbers at random. */
number row_random_number(char cls);
/* Equal bits, or both NaN. */
bool row_same_element(scanc_dtype d, const char *a, const char *b);

#endif
