#include "base/vec.h"

#include <string.h>

void vec_reserve_(arena *a, void **data, int *cap, int need, size_t elem_size) {
  if (need <= *cap) return;
  int grown = *cap < 4 ? 8 : *cap + *cap / 2;
  if (grown < need) grown = need;
  void *p = arena_alloc(a, (size_t)grown * elem_size);
  if (*cap) memcpy(p, *data, (size_t)*cap * elem_size);
  *data = p;
  *cap = grown;
}
