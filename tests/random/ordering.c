/* Statements that sort, select by order, search, pool or transform. */
#include "generator.h"

/* One of the results of an operation with two, or both. */
void settle_items(scope *s, node *n) {
  if (!n || s->g->m->err.code) {
    settle(s, n);
    return;
  }
  int which = below(&s->g->r, 3);
  for (int i = 0; i < 2; i++)
    if (which == 2 || which == i) settle(s, build_getitem(&s->at, n, i));
}

static void add_sort(scope *s, node *v, int d, int64_t extent) {
  rng *r = &s->g->r;
  val at = val_int(d), yes = val_bool(chance(r, 50)), k = val_int(1 + below(r, (int)extent));
  switch (below(r, 6)) {
    case 0: settle(s, CALL(s, "argsort.default", V(v), at, yes)); break;
    case 1: settle_items(s, CALL(s, "topk.default", V(v), k, at, yes)); break;
    case 2: settle_items(s, CALL(s, "kthvalue.default", V(v), k, at, yes)); break;
    case 3: settle_items(s, CALL(s, "median.dim", V(v), at, yes)); break;
    case 4: settle(s, CALL(s, "median.default", V(v))); break;
    default: settle_items(s, CALL(s, "sort.default", V(v), at, yes));
  }
}

static void add_search(scope *s, node *v) {
  if (v->type->n != 1) return;
  node *sorted = CALL(s, "sort.default", V(v), val_int(0));
  if (!sorted || s->g->m->err.code) {
    settle(s, sorted);
    return;
  }
  node *row = settle(s, build_getitem(&s->at, sorted, 0));
  if (row) settle(s, CALL(s, "bucketize.Tensor", V(pick(s)), V(row)));
}

/* The last dimension, and the one before it if there are three. */
static void add_pool(scope *s, node *v, int64_t extent) {
  rng *r = &s->g->r;
  if (v->type->n < 2 || v->type->n > 3 || extent < 4) return;
  val size = val_int(1 + below(r, 3)), step = val_int(1 + below(r, 2));
  val edge = val_int(size.i > 1 ? below(r, 2) : 0);
  if (chance(r, 50)) settle(s, CALL(s, "avg_pool1d.default", V(v), size, step, edge));
  else settle_items(s, CALL(s, "max_pool1d_with_indices.default", V(v), size, step, edge));
}

static void add_transform(scope *s, node *v, int d) {
  val dims = val_ints(s->g->m->mem, (const int64_t[]){d}, 1);
  val norm = val_int(below(&s->g->r, 3));
  bool complex = dtype_class(v->type->dtype) == 'c';
  if (complex) settle(s, CALL(s, "_fft_c2c.default", V(v), dims, norm, val_bool(true)));
  else settle(s, CALL(s, "_fft_r2c.default", V(v), dims, norm, val_bool(true)));
}

/* The element of v that another value tells. */
static void add_chosen_element(scope *s, node *v, int64_t extent) {
  node *i = cast_value(s, pick(s), SCANC_I64);
  if (i->type->dtype != SCANC_I64) return;
  if (i->type->n) i = settle(s, CALL(s, "amax.default", V(i)));
  if (i) i = settle(s, CALL(s, "remainder.Scalar", V(i), val_int(extent)));
  if (i) settle(s, CALL(s, "take.default", V(v), V(i)));
}

void add_ordering(scope *s) {
  node *v = pick_with_rank(s);
  if (!v) return;
  int d = below(&s->g->r, v->type->n);
  dim size = v->type->dims[d], last = v->type->dims[v->type->n - 1];
  if (!dim_is_int(size) || !size.k || size.k > 300) return;
  switch (below(&s->g->r, 6)) {
    case 0: add_search(s, v); break;
    case 1:
      if (dim_is_int(last)) add_pool(s, v, last.k);
      break;
    case 2: add_transform(s, v, d); break;
    case 3: add_chosen_element(s, v, size.k); break;
    default: add_sort(s, v, d, size.k);
  }
}
