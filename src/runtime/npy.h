/* NumPy's .npy files (versions 1 to 3), read strictly and written in version 1.0. No IR here. */
#ifndef SCANC_RUNTIME_NPY_H
#define SCANC_RUNTIME_NPY_H

#include <stdio.h>

#include "base/err.h"

/* Reads one array; `out` owns its memory. Fortran order becomes strides, big-endian data are
 * swapped, bools are normalised to 0 and 1. uint16 is read as bf16 bits: scanc has no other use for
 * that type. max_bytes bounds the allocation; 0 is unbounded. Errors: IO, BAD_NPY, SIZE_OVERFLOW,
 * NO_MEMORY; on error `out` is untouched. */
bool npy_read(const char *path, size_t max_bytes, scanc_tensor *out, scanc_error *err);

/* Writes an array of any strides in C order; bf16 as uint16 bits. Whether it worked ferror(to)
 * tells. */
void npy_write(FILE *to, const scanc_tensor *t);

#endif
