/* Walking and cutting strided tensors: what the view, join and index evaluators share. */
#ifndef SCANC_RUNTIME_STRIDED_H
#define SCANC_RUNTIME_STRIDED_H

#include <string.h>

#include "runtime/eval.h"

/* ---- views; each changes a local copy of a tensor in place ---- */
void part_select(tensor *t, int axis, int64_t index);
void part_slice(tensor *t, int axis, int64_t start, int64_t length, int64_t step);
void part_diagonal(tensor *t, int64_t offset, int a, int b, int64_t length);
void part_expand(tensor *t, const int64_t *sizes, int rank);
void part_unsqueeze(tensor *t, int axis);
/* Strides that give t's elements the sizes without a copy; false when there are none. */
bool reshape_strides(const tensor *t, const int64_t *sizes, int rank, int64_t *strides);
/* Start and number of elements of start:end:step in an extent; INT64_MAX as end is the extent. */
int64_t slice_bounds(int64_t extent, int64_t *start, int64_t end, int64_t step);

/* ---- an odometer over an index space with up to four offsets ---- */
enum { ODO_OFFSETS = 4 };
typedef struct {
  int rank, n;
  int64_t sizes[SCANC_MAX_RANK], i[SCANC_MAX_RANK];
  int64_t strides[ODO_OFFSETS][SCANC_MAX_RANK];
  int64_t at[ODO_OFFSETS]; /* in elements */
} odometer;

/* False when the space is empty. */
bool odo_start(odometer *w, const int64_t *sizes, int rank);
void odo_add(odometer *w, const int64_t *strides);
bool odo_next(odometer *w);

/* ---- elements ---- */
static inline void elem_copy(char *d, const char *s, size_t size) {
  switch (size) {
    case 1: *d = *s; break;
    case 2: memcpy(d, s, 2); break;
    case 4: memcpy(d, s, 4); break;
    case 8: memcpy(d, s, 8); break;
    default: memcpy(d, s, 16); break;
  }
}

/* Element `at` of an index tensor (I64, I32 or U8). */
static inline int64_t index_at(const tensor *t, int64_t at) {
  if (t->dtype == SCANC_I64) return ((const int64_t *)t->data)[at];
  return t->dtype == SCANC_I32 ? ((const int32_t *)t->data)[at] : ((const uint8_t *)t->data)[at];
}

/* *dst = *dst OP *src, as the type does: integers wrap, NaN wins in amin and amax. */
typedef enum {
  COMBINE_REPLACE,
  COMBINE_SUM,
  COMBINE_PROD,
  COMBINE_MEAN,
  COMBINE_AMAX,
  COMBINE_AMIN
} combine;
void elem_combine(combine op, scanc_dtype d, char *dst, const char *src);
/* By PyTorch's word ("sum", "add", "prod", "multiply", "mean", "amax", "amin"). */
combine combine_named(const char *name);

/* out[i, j, ...] = x at table[0][i] + table[1][j] + ... (offsets in elements); a NULL table stands
 * for i * stride. out is contiguous and has x's rank and dtype. */
void gather_tables(const tensor *out, const tensor *x, const int64_t *const *table);

/* Integers of a list argument (or one integer); at most SCANC_MAX_RANK * 2. Returns their number.
 */
int eval_ints(const eval_ctx *c, int k, int64_t *out);
/* Text of a string argument. */
const char *eval_str_or(const eval_ctx *c, int k, const char *dflt);
/* Fills out[k] as the view v. */
bool eval_view_out(eval_ctx *c, int k, const tensor *v);
/* i as an index into an extent: a data error makes it 0. Negative i count from the end if `wrap`.
 */
int64_t eval_safe_index(eval_ctx *c, int64_t i, int64_t extent, bool wrap);
/* Zeroed scratch for n offsets. */
int64_t *eval_offsets(eval_ctx *c, int64_t n);

/* x[subscript]: views applied; what is left are index tensors per axis (kind ABSENT or NONE: the
 * whole axis). */
typedef struct {
  tensor view;
  rval index[SCANC_MAX_RANK];
  int n_index;
  bool advanced;
} subscript;
void eval_subscript(const tensor *x, const rval *idx, subscript *s);

#endif
