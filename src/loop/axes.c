/* Which dimensions run together: union-find over the dimensions of every value of a body. */
#include <inttypes.h>

#include "loop/body.h"

enum { MAX_UNROLLED = 64 }; /* indices of one dimension that become elements of their own */

static int find(const body *b, int c) {
  while (b->classes.data[c].parent != c) c = b->classes.data[c].parent;
  return c;
}

void axes_unite(body *b, int a, int c) {
  a = find(b, a), c = find(b, c);
  if (a == c) return;
  axis_class *x = &b->classes.data[a], *y = &b->classes.data[c];
  y->parent = a;
  if (!x->moved) x->moved = y->moved;
  if (y->inner) axes_inner(b, a, y->inner, y->reversed);
  if (dim_is_int(y->extent)) x->extent = y->extent;
}

void axes_move(body *b, int c, const char *op) {
  axis_class *x = &b->classes.data[find(b, c)];
  if (!x->moved) x->moved = op;
}

void axes_inner(body *b, int c, const node *scan, bool reversed) {
  axis_class *x = &b->classes.data[find(b, c)];
  if (x->inner && x->reversed != reversed) axes_move(b, c, "inner scans in both directions");
  x->inner = scan;
  x->reversed = reversed;
}

const type *axes_type(const node *n, int item) {
  const type *t = n->type;
  if (!t || t->kind != TYPE_LIST) return t;
  return item < t->n ? t->items[item] : NULL;
}

static int rank_of(const type *t) { return type_is_tensor(t) ? t->n : 0; }

int axes_dim(const body *b, const node *n, int item, int d) {
  int c = b->first[n->id];
  for (int i = 0; i < item; i++) c += rank_of(axes_type(n, i));
  return find(b, c + d);
}

bool axes_is_loop(const body *b, const node *n, int item, int d) {
  return !dim_is(axes_type(n, item)->dims[d], 1) && !b->classes.data[axes_dim(b, n, item, d)].moved;
}

bool axes_is_inner(const body *b, const node *n, int item, int d) {
  return axes_is_loop(b, n, item, d) && b->classes.data[axes_dim(b, n, item, d)].inner;
}

bool axes_grid_extent(body *b, const node *n, int item, int d, int *out) {
  const axis_class *c = &b->classes.data[axes_dim(b, n, item, d)];
  dim size = axes_type(n, item)->dims[d];
  *out = 1;
  if (dim_is(size, 1) || !c->moved) return true;
  if (!dim_is_int(size)) return body_refuse(b, n, "%s along an axis of unknown size", c->moved);
  if (size.k > MAX_UNROLLED)
    return body_refuse(b, n, "%s along an axis of size %" PRId64 "; at most %d have a lowering",
                       c->moved, size.k, MAX_UNROLLED);
  *out = (int)size.k;
  return true;
}

int axes_nest_class(body *b, int c) {
  axis_class *x = &b->classes.data[find(b, c)];
  if (x->cls < 0) {
    x->cls = b->extents.len;
    vec_push(b->mem, &b->extents, dim_is_int(x->extent) ? x->extent.k : 0);
    vec_push(b->mem, &b->inner_of, x->inner ? b->n->inners.len : -1);
    nest_inner inner = {x->cls, x->reversed};
    if (x->inner) vec_push(b->mem, &b->n->inners, inner);
  }
  return x->cls;
}

void axes_align(body *b, const node *to, int item, const node *from, int from_item) {
  const type *t = axes_type(to, item), *f = axes_type(from, from_item);
  for (int i = 1; i <= rank_of(f) && i <= rank_of(t); i++)
    if (!dim_is(f->dims[f->n - i], 1))
      axes_unite(b, axes_dim(b, to, item, t->n - i), axes_dim(b, from, from_item, f->n - i));
}

static void declare(body *b, const node *n) {
  if (b->first[n->id] >= 0) return;
  b->first[n->id] = b->classes.len;
  int n_items = n->type && n->type->kind == TYPE_LIST ? n->type->n : 1;
  for (int i = 0; i < n_items; i++) {
    const type *t = axes_type(n, i);
    for (int d = 0; d < rank_of(t); d++) {
      axis_class c = {.parent = b->classes.len, .extent = t->dims[d], .cls = -1};
      vec_push(b->mem, &b->classes, c);
    }
  }
}

static bool is_call(const node *n) {
  return n->kind == NODE_CALL_FUNCTION || n->kind == NODE_CALL_METHOD;
}

static bool join_node(body *b, const node *n) {
  if (!is_call(n) || !n->op) return true;
  const view_rule *rule = view_rule_of(n->op->id);
  if (!rule) rule = flow_rule_of(n->op->id);
  if (rule) return rule->axes(b, n);
  if (!body_is_elementwise(n)) return body_refuse(b, n, "%s is not elementwise", n->op->name);
  for (int k = 0; k < n->op->n_operands && !body_is_fill(n); k++)
    if (n->operands[k].kind == VAL_NODE) axes_align(b, n, 0, n->operands[k].node, 0);
  return true;
}

bool axes_walk(body *b, const graph *g) {
  vec_push(b->mem, &b->graphs, g);
  for (const node *n = g->first; n; n = n->next) declare(b, n);
  for (const node *n = g->first; n; n = n->next)
    if (!join_node(b, n)) return false;
  return true;
}

/* A value with two dimensions of one class (x and its transpose meet): no loop runs over both. */
static void separate(body *b, const node *n) {
  const type *t = n->type;
  for (int d = 0; d < rank_of(t); d++)
    for (int e = 0; e < d; e++)
      if (!dim_is(t->dims[d], 1) && !dim_is(t->dims[e], 1) &&
          axes_dim(b, n, 0, d) == axes_dim(b, n, 0, e))
        axes_move(b, axes_dim(b, n, 0, d), "an access to the transposed");
}

void axes_separate(body *b) {
  for (int i = 0; i < b->graphs.len; i++)
    for (const node *n = b->graphs.data[i]->first; n; n = n->next) separate(b, n);
}
