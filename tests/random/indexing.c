/* Statements that index by tensors, put parts back, or cut triangles. */
#include "generator.h"

/* A value as indices below `extent`; in programs that are to fail now and then whatever it is. */
static node *indices(scope *s, node *v, int64_t extent) {
  node *n = cast_value(s, v, SCANC_I64);
  if (n->type->dtype != SCANC_I64) return NULL;
  if (s->g->faults && chance(&s->g->r, 30)) return n;
  return settle(s, CALL(s, "remainder.Scalar", V(n), val_int(extent)));
}

static node *row(scope *s, node *v) {
  if (v->type->n == 1) return v;
  return settle(s, CALL(s, "reshape.default", V(v), val_ints(s->g->m->mem, (int64_t[]){-1}, 1)));
}

/* Another value of the same type, or v. */
static node *twin(scope *s, node *v) {
  node *other = pick_like(s, v->type);
  return same_sizes(other->type, v->type) && other->type->dtype == v->type->dtype ? other : v;
}

static void add_along(scope *s, node *v, int d, int64_t extent) {
  static const char *const words[] = {"sum", "prod", "amax", "amin"};
  rng *r = &s->g->r;
  node *i = indices(s, twin(s, v), extent);
  if (!i || !same_sizes(i->type, v->type)) return;
  val at = val_int(d), source = V(twin(s, v));
  switch (below(r, 5)) {
    case 0: settle(s, CALL(s, "scatter.src", V(v), at, V(i), source)); break;
    case 1: settle(s, CALL(s, "scatter_add.default", V(v), at, V(i), source)); break;
    case 2:
      settle(s, CALL(s, "scatter_reduce.two", V(v), at, V(i), source,
                     val_str(s->g->m->mem, PICK(r, words))));
      break;
    default: settle(s, CALL(s, "gather.default", V(v), at, V(i)));
  }
}

static void add_slices(scope *s, node *v, int d, int64_t extent) {
  rng *r = &s->g->r;
  node *w = row(s, pick(s)), *i = w ? indices(s, w, extent) : NULL;
  if (!i) return;
  val at = val_int(d);
  node *taken = settle(s, CALL(s, "index_select.default", V(v), at, V(i)));
  if (!taken || chance(r, 50)) return;
  switch (below(r, 3)) {
    case 0: settle(s, CALL(s, "index_add.default", V(v), at, V(i), V(taken))); break;
    case 1: settle(s, CALL(s, "index_copy.default", V(v), at, V(i), V(taken))); break;
    default: settle(s, CALL(s, "index_fill.int_Scalar", V(v), at, V(i), val_int(below(r, 2))));
  }
}

/* v[..., i, ...] with whole dimensions in front; or with two indices. */
static void add_index(scope *s, node *v, int d, int64_t extent) {
  val list[VALUE_RANK + 1];
  node *i = indices(s, pick(s), extent);
  int n = 0;
  if (!i) return;
  while (n < d) list[n++] = val_none();
  list[n++] = V(i);
  if (n < v->type->n && dim_is_int(v->type->dims[n]) && v->type->dims[n].k &&
      chance(&s->g->r, 30)) {
    node *k = indices(s, pick_like(s, i->type), v->type->dims[n].k);
    if (k) list[n++] = V(k);
  }
  settle(s, CALL(s, "index.Tensor", V(v), val_seq(s->g->m->mem, VAL_LIST, list, n)));
}

static void add_part(scope *s, node *v, int d, int64_t extent) {
  rng *r = &s->g->r;
  int64_t k = below(r, (int)extent);
  val at = val_int(d);
  node *from = twin(s, v);
  if (chance(r, 50)) {
    node *part = settle(s, CALL(s, "select.int", V(from), at, val_int(k)));
    if (part)
      settle(s,
             CALL(s, "select_scatter.default", V(v), V(part), at, val_int(below(r, (int)extent))));
    return;
  }
  node *part = settle(s, CALL(s, "slice.Tensor", V(from), at, val_int(k), val_int(INT64_MAX)));
  if (part)
    settle(s, CALL(s, "slice_scatter.default", V(v), V(part), at, val_int(0), val_int(extent - k)));
}

void add_indexing(scope *s) {
  rng *r = &s->g->r;
  node *v = pick_with_rank(s);
  if (!v) return;
  int d = below(r, v->type->n);
  dim size = v->type->dims[d];
  if (!dim_is_int(size) || !size.k) return;
  switch (below(r, 6)) {
    case 0: add_along(s, v, d, size.k); break;
    case 1: add_slices(s, v, d, size.k); break;
    case 2: add_index(s, v, d, size.k); break;
    case 3: add_part(s, v, d, size.k); break;
    case 4:
      if (v->type->n > 1)
        settle(s, CALL(s, chance(r, 50) ? "tril.default" : "triu.default", V(v),
                       val_int(below(r, 3) - 1)));
      break;
    default:
      settle(s, CALL(s, "repeat_interleave.self_int", V(v), val_int(1 + below(r, 2)), val_int(d)));
  }
}
