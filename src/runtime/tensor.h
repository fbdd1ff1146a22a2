/* Run-time tensors: strided views of reference-counted storage. No IR here beyond dtypes. */
#ifndef SCANC_RUNTIME_TENSOR_H
#define SCANC_RUNTIME_TENSOR_H

#include <stdbool.h>

#include "base/err.h"
#include "ir/convert.h"

/* Reference-counted bytes, aligned to 64. Counts are not atomic: storage belongs to one run. */
typedef struct storage {
  char *data;
  size_t bytes;
  int refs;
  bool borrowed; /* data belong to the caller of the run */
  struct pool *pool;
  struct storage *next_free;
} storage;

/* Memory of one run: hands out storage, keeps freed blocks for reuse, bounds the total. Not
 * thread-safe. */
typedef struct pool pool;
pool *pool_new(size_t max_bytes);
void pool_free(pool *p); /* frees every block that is not referenced any more */
/* NULL when the allocation fails or would exceed the limit. Contents are undefined. */
storage *pool_alloc(pool *p, size_t bytes);
storage *pool_borrow(pool *p, void *data, size_t bytes);
void storage_retain(storage *s);
void storage_release(storage *s); /* NULL is allowed */
/* Takes the data out of storage that has one reference, which is given up: free() them. Not for
 * borrowed storage. */
void *storage_detach(storage *s);

/* Memory for the elements of an array, aligned to 64 bytes, with some bytes to spare where that is
 * cheap; large ones lie on huge pages if the system has some. NULL when there is none; free() it.
 */
void *data_alloc(size_t bytes);

typedef struct tensor {
  char *data; /* element [0, ..., 0] */
  storage *store;
  scanc_dtype dtype;
  int rank;
  int64_t sizes[SCANC_MAX_RANK], strides[SCANC_MAX_RANK]; /* strides in elements */
} tensor;

int64_t tensor_numel(const tensor *t);
bool tensor_contiguous(const tensor *t);
void tensor_default_strides(tensor *t);
/* Numbers of one element as double / int64 / complex, converted as `to` does. */
double tensor_get_f64(const tensor *t, int64_t offset);
/* Copies src into dst of equal shape, converting the dtype; any strides. Overlap only if identical.
 */
void tensor_copy(const tensor *dst, const tensor *src);

#endif
