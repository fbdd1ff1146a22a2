/* Arithmetic on sizes that several shape rules share. */
#include "ir/shape.h"

#include <stdio.h>

const char *shape_text(infer_ctx *c, const dim *d, int n) {
  str s = {0};
  str_char(&s, '[');
  for (int i = 0; i < n; i++) {
    if (i) str_append(&s, ", ");
    dim_print(&s, d[i]);
  }
  str_char(&s, ']');
  const char *text = arena_strdup(c->mem, str_cstr(&s));
  str_free(&s);
  return text;
}

/* Products of a and b without the symbolic sizes they share, so that s0*6 // s0 never has to be
 * divided. */
static void cancel(infer_ctx *c, const dim *a, int n_a, const dim *b, int n_b, int skip, dim *pa,
                   dim *pb) {
  bool used[SCANC_MAX_RANK] = {false};
  *pa = *pb = dim_int(1);
  for (int i = 0; i < n_a; i++) {
    int j = 0;
    while (j < n_b && (j == skip || used[j] || dim_is_int(a[i]) || !dim_equal(a[i], b[j]))) j++;
    if (j < n_b) used[j] = true;
    else *pa = dim_mul(c->syms, *pa, a[i]);
  }
  for (int j = 0; j < n_b; j++)
    if (!used[j] && j != skip) *pb = dim_mul(c->syms, *pb, b[j]);
}

static bool find_hole(infer_ctx *c, const dim *size, int n, int *hole) {
  *hole = -1;
  for (int i = 0; i < n; i++) {
    if (!dim_is_int(size[i]) || size[i].k >= 0) continue;
    if (size[i].k != -1)
      infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "invalid size %lld in %s", (long long)size[i].k,
                 shape_text(c, size, n));
    else if (*hole >= 0)
      infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "only one size may be -1, got %s",
                 shape_text(c, size, n));
    if (size[i].k != -1 || *hole >= 0) return false;
    *hole = i;
  }
  return true;
}

bool shape_resolve(infer_ctx *c, const dim *have, int n_have, dim *size, int n) {
  int hole;
  if (!find_hole(c, size, n, &hole)) return false;
  dim p, q;
  cancel(c, have, n_have, size, n, hole, &p, &q);
  bool fits = hole < 0 ? dims_agree(c, p, q)
                       : !(dim_is_int(p) && dim_is_int(q)) || (q.k != 0 && p.k % q.k == 0);
  if (!fits) {
    infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "sizes %s do not fit into %s",
               shape_text(c, have, n_have), shape_text(c, size, n));
    return false;
  }
  if (hole >= 0) size[hole] = dim_floordiv(c->syms, p, q);
  return true;
}

void shape_movedim(int rank, const int *from, const int *to, int n, int *perm) {
  bool moved[SCANC_MAX_RANK] = {false}, taken[SCANC_MAX_RANK] = {false};
  for (int i = 0; i < n; i++) {
    perm[to[i]] = from[i];
    moved[from[i]] = taken[to[i]] = true;
  }
  for (int i = 0, a = 0; i < rank; i++) {
    if (taken[i]) continue;
    while (moved[a]) a++;
    perm[i] = a++;
  }
}

static bool at_least(infer_ctx *c, dim d, int64_t k) {
  int64_t min, max;
  if (dim_is_int(d)) return d.k >= k;
  dim_bounds(c->syms, d, &min, &max);
  return min >= k;
}

static bool below_zero(infer_ctx *c, dim d) {
  int64_t min, max;
  if (dim_is_int(d)) return d.k < 0;
  dim_bounds(c->syms, d, &min, &max);
  return max < 0;
}

/* Index x of an extent: negative counts from the end, clamped to [0, extent]. */
static dim shape_clamp(infer_ctx *c, dim x, dim extent) {
  if (dim_is(x, INT64_MAX)) return extent;
  if (below_zero(c, x)) {
    x = dim_add(c->syms, x, extent);
    return at_least(c, x, 0) ? x : dim_max(c->syms, x, dim_int(0));
  }
  if (at_least(c, dim_sub(c->syms, extent, x), 0)) return x;
  return dim_min(c->syms, x, extent);
}

dim shape_slice(infer_ctx *c, dim extent, dim *start, dim end, dim step) {
  *start = shape_clamp(c, *start, extent);
  dim n = dim_sub(c->syms, shape_clamp(c, end, extent), *start);
  if (!at_least(c, n, 0)) n = dim_max(c->syms, n, dim_int(0));
  return dim_is(step, 1) ? n : dim_ceildiv(c->syms, n, step);
}

dim shape_fresh(infer_ctx *c) {
  char name[24] = "u";
  if (!c->mod) return dim_symbol(c->syms, name);
  int i = 0;
  do snprintf(name, sizeof name, "u%d", i++);
  while (symtab_find(c->syms, name) >= 0);
  return dim_symbol(c->syms, name);
}

const type *shape_replace(infer_ctx *c, const type *x, int axis, dim d) {
  dim size[SCANC_MAX_RANK];
  for (int i = 0; i < x->n; i++) size[i] = i == axis ? d : x->dims[i];
  return infer_tensor(c, x->dtype, size, x->n);
}

const type *shape_list(infer_ctx *c, const type *x, int axis, const dim *size, int n) {
  const type **items = ARENA_ARRAY(c->mem, const type *, n);
  for (int i = 0; i < n; i++)
    if (!(items[i] = shape_replace(c, x, axis, size[i]))) return NULL;
  return type_list(c->mem, items, n);
}

bool shape_broadcasts(infer_ctx *c, const type *src, const dim *dst, int rank) {
  bool ok = true;
  int skip = src->n - rank;
  for (int i = 0; i < src->n && ok; i++)
    ok = i < skip ? dim_is(src->dims[i], 1)
                  : dim_is(src->dims[i], 1) || dims_agree(c, src->dims[i], dst[i - skip]);
  if (!ok)
    infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "sizes %s do not broadcast to %s",
               shape_text(c, src->dims, src->n), shape_text(c, dst, rank));
  return ok;
}

bool shape_same(infer_ctx *c, const type *t, const dim *size, int rank) {
  bool same = t->n == rank;
  for (int i = 0; same && i < rank; i++) same = dims_agree(c, t->dims[i], size[i]);
  if (!same)
    infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "expected sizes %s, got %s", shape_text(c, size, rank),
               shape_text(c, t->dims, t->n));
  return same;
}
