/* Typed growable vectors in an arena. A vector is `struct { T *data; int len, cap; }`,
 * zero-initialised. */
#ifndef SCANC_BASE_VEC_H
#define SCANC_BASE_VEC_H

#include "base/arena.h"

#define VEC(T) \
  struct { \
    T *data; \
    int len, cap; \
  }

/* Appends x; the elements may move. */
#define vec_push(a, v, x) \
  (vec_reserve_((a), (void **)&(v)->data, &(v)->cap, (v)->len + 1, sizeof *(v)->data), \
   (v)->data[(v)->len++] = (x))
#define vec_last(v) ((v)->data[(v)->len - 1])
#define vec_pop(v) ((v)->data[--(v)->len])

void vec_reserve_(arena *a, void **data, int *cap, int need, size_t elem_size);

#endif
