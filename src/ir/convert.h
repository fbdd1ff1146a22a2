/* Conversion of elements between dtypes, with PyTorch's meaning: to bool is "not zero"; float to
 * integer truncates, and gives what x86 gives when out of range or NaN: i64 the smallest i64, i32
 * the smallest i32, i8 and i16 the low bits of the i32 result, u8 those of the i64 result; complex
 * to real drops the imaginary part; integers wrap. */
#ifndef SCANC_IR_CONVERT_H
#define SCANC_IR_CONVERT_H

#include "scanc/scanc.h"

/* dst[i * ds] = src[i * ss] for i < n; strides in elements. The ranges do not overlap, or are
 * identical with equal strides and element sizes. */
typedef void (*convert_fn)(int64_t n, void *dst, int64_t ds, const void *src, int64_t ss);
convert_fn convert_of(scanc_dtype to, scanc_dtype from);

/* One number of any class. */
typedef struct {
  char cls; /* 'b' 'i' 'f' 'c' */
  int64_t i;
  double f, im;
} number;
void number_store(number v, scanc_dtype d, void *p); /* converted to `d`, written to p */
number number_load(scanc_dtype d, const void *p);

#endif
