/* Strided index spaces: which axes an op runs over, merged where they are adjacent in memory, and a
 * position in them that advances in row-major order. */
#ifndef SCANC_RUNTIME_WALK_H
#define SCANC_RUNTIME_WALK_H

#include "ir/convert.h"

/* Axes from the outermost to the innermost; size and stride in elements. No axis has size 1. */
typedef struct {
  int n;
  int64_t size[SCANC_MAX_RANK + 1], stride[SCANC_MAX_RANK + 1];
} axes;

/* Appends an inner axis, merged with the last one where that changes no address. */
static inline void axes_push(axes *a, int64_t size, int64_t stride) {
  if (size == 1) return;
  if (a->n > 0 && a->stride[a->n - 1] == size * stride) {
    a->size[a->n - 1] *= size;
    a->stride[a->n - 1] = stride;
    return;
  }
  a->size[a->n] = size;
  a->stride[a->n++] = stride;
}

static inline int64_t axes_count(const axes *a) {
  int64_t n = 1;
  for (int i = 0; i < a->n; i++) n *= a->size[i];
  return n;
}

typedef struct {
  const axes *a;
  int64_t at[SCANC_MAX_RANK + 1];
  int64_t offset; /* of the position, in elements */
} walk;

static inline walk walk_begin(const axes *a) {
  walk w = {.a = a};
  return w;
}

/* Moves on by n positions, n at most what is left of the innermost axis; wraps to the start at the
 * very end. */
static inline void walk_advance(walk *w, int64_t n) {
  int i = w->a->n - 1;
  if (i < 0) return;
  w->at[i] += n;
  w->offset += n * w->a->stride[i];
  for (; i >= 0 && w->at[i] == w->a->size[i]; i--) {
    w->offset -= w->at[i] * w->a->stride[i];
    w->at[i] = 0;
    if (i == 0) return;
    w->at[i - 1]++;
    w->offset += w->a->stride[i - 1];
  }
}

/* What is left of the innermost axis. */
static inline int64_t walk_run(const walk *w) {
  int i = w->a->n - 1;
  return i < 0 ? 1 : w->a->size[i] - w->at[i];
}

static inline int64_t walk_stride(const walk *w) { return w->a->n ? w->a->stride[w->a->n - 1] : 0; }

#endif
