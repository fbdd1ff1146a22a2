/* Which dimensions run together: union-find over the dimensions of every value of a body. */
#include <inttypes.h>

#include "loop/body.h"

enum { MAX_UNROLLED = 64 }; /* indices of one dimension that become elements of their own */

static int find(const body *b, int c) {
  while (b->classes.data[c].parent != c) c = b->classes.data[c].parent;
  return c;
}

/* ---- classes that are taken apart ---- */

static int new_class(body *b, dim extent) {
  axis_class c = {.parent = b->classes.len, .extent = extent, .outer = -1, .within = -1, .cls = -1};
  vec_push(b->mem, &b->classes, c);
  return b->classes.len - 1;
}

static bool is_apart(const body *b, int c) { return b->classes.data[c].outer >= 0; }

static void collect_factors(const body *b, int c, int *out, int *n) {
  c = find(b, c);
  if (is_apart(b, c)) {
    collect_factors(b, b->classes.data[c].outer, out, n);
    collect_factors(b, b->classes.data[c].within, out, n);
    return;
  }
  if (*n < SCANC_MAX_RANK) out[*n] = c;
  ++*n;
}

int axes_factors(const body *b, int c, int *out) {
  int n = 0;
  collect_factors(b, c, out, &n);
  return n <= SCANC_MAX_RANK ? n : 0;
}

bool axes_class_moved(const body *b, int c) { return b->classes.data[c].moved != NULL; }

dim axes_class_extent(const body *b, int c) { return b->classes.data[c].extent; }

static void move_class(body *b, int c, const char *op) {
  c = find(b, c);
  if (is_apart(b, c)) {
    move_class(b, b->classes.data[c].outer, op);
    move_class(b, b->classes.data[c].within, op);
    return;
  }
  if (!b->classes.data[c].moved) b->classes.data[c].moved = op;
}

void axes_move(body *b, int c, const char *op) {
  move_class(b, c, op);
  if (!b->log) return;
  axis_event e = {c, b->log->at};
  vec_push(b->mem, &b->log->moves, e);
}

/* Takes c apart; `within` becomes the extent of the inner class. */
static void take_apart(body *b, int c, dim outer, dim within) {
  int o = new_class(b, outer), w = new_class(b, within);
  axis_class *x = &b->classes.data[c];
  x->outer = o;
  x->within = w;
  const char *moved = x->moved ? x->moved : x->inner ? "an inner scan" : NULL;
  if (moved) move_class(b, c, moved);
}

bool axes_is_long(const body *b, int c) {
  dim size = b->classes.data[find(b, c)].extent;
  return !dim_is_int(size) || size.k > MAX_UNROLLED;
}

/* ---- matching ---- */

/* The classes of one side that are not matched yet: at[first] to at[n - 1], in the order of the
 * dimensions. */
typedef struct {
  int *at;
  int first, n;
} side;

static side open_side(body *b, const int *c, int n) {
  side s = {.at = ARENA_ARRAY(b->mem, int, 64 + n)};
  for (int i = 0; i < n; i++) s.at[s.n++] = c[i];
  return s;
}

/* The last class of the side, not one that is taken apart or a 1; -1: there is none. */
static int last_of(const body *b, side *s) {
  while (s->n > s->first) {
    int c = find(b, s->at[s->n - 1]);
    s->n--;
    if (is_apart(b, c)) {
      s->at[s->n++] = b->classes.data[c].outer;
      s->at[s->n++] = b->classes.data[c].within;
    } else if (!dim_is(b->classes.data[c].extent, 1)) {
      s->at[s->n++] = c;
      return c;
    }
  }
  return -1;
}

static bool is_alone(const body *b, side *s) {
  side rest = *s;
  rest.n--;
  return last_of(b, &rest) < 0;
}

/* Whether c can be taken apart so that `within` is the size of the inner class. */
static bool divides(body *b, int c, dim within, bool alone, dim *outer) {
  dim size = b->classes.data[c].extent;
  if (dim_is(within, 0)) return false;
  *outer = dim_floordiv(b->mod->syms, size, within);
  return alone || dim_equal(dim_mul(b->mod->syms, *outer, within), size);
}

static void split_last(body *b, side *s, int c, dim outer, dim within) {
  take_apart(b, c, outer, within);
  s->at[s->n - 1] = c;
  last_of(b, s);
}

/* Gives up the last classes of both sides until their sizes agree. */
static void move_group(body *b, side *x, side *y, const char *op) {
  int64_t product[2] = {1, 1};
  bool known = true, first = true;
  while (first || !known || product[0] != product[1]) {
    int c[2] = {last_of(b, x), last_of(b, y)}, k = c[0] >= 0 ? 0 : 1;
    if (c[0] >= 0 && c[1] >= 0) k = product[0] > product[1];
    if (c[k] < 0) return;
    dim size = b->classes.data[c[k]].extent;
    known = known && dim_is_int(size) && size.k < INT32_MAX && product[k] < INT32_MAX;
    if (known) product[k] *= size.k;
    axes_move(b, c[k], op);
    (k ? y : x)->n--;
    first = false;
  }
}

void axes_match(body *b, const int *x, int n_x, const int *y, int n_y, const char *op) {
  side l = open_side(b, x, n_x), r = open_side(b, y, n_y);
  while (l.first < l.n && r.first < r.n &&
         dim_equal(axes_class_extent(b, find(b, l.at[l.first])),
                   axes_class_extent(b, find(b, r.at[r.first]))))
    axes_unite(b, l.at[l.first++], r.at[r.first++]);
  for (;;) {
    int p = last_of(b, &l), q = last_of(b, &r);
    dim outer;
    if (p < 0 || q < 0) break;
    dim ep = axes_class_extent(b, p), eq = axes_class_extent(b, q);
    if (p == q || dim_equal(ep, eq) || (is_alone(b, &l) && is_alone(b, &r)))
      axes_unite(b, p, q), l.n--, r.n--;
    else if (divides(b, p, eq, is_alone(b, &l), &outer)) split_last(b, &l, p, outer, eq);
    else if (divides(b, q, ep, is_alone(b, &r), &outer)) split_last(b, &r, q, outer, ep);
    else move_group(b, &l, &r, op);
  }
  for (int c; (c = last_of(b, &l)) >= 0; l.n--) axes_move(b, c, op);
  for (int c; (c = last_of(b, &r)) >= 0; r.n--) axes_move(b, c, op);
}

/* ---- union ---- */

static void unite_factors(body *b, int a, int c) {
  int x[SCANC_MAX_RANK], y[SCANC_MAX_RANK], n = axes_factors(b, a, x), m = axes_factors(b, c, y);
  axes_match(b, x, n, y, m, "reshape");
}

/* Whether c is `whole` or a part of it. */
static bool contains(const body *b, int whole, int c) {
  whole = find(b, whole);
  if (whole == find(b, c)) return true;
  const axis_class *x = &b->classes.data[whole];
  return is_apart(b, whole) && (contains(b, x->outer, c) || contains(b, x->within, c));
}

/* A class that meets a part of its own is as long as that: the other parts are 1, or there are no
 * elements. No loop runs over both. */
static bool move_whole(body *b, int a, int c) {
  int whole = contains(b, a, c) ? a : contains(b, c, a) ? c : -1;
  if (whole >= 0) axes_move(b, whole, "a reshape that meets its own part");
  return whole >= 0;
}

void axes_unite(body *b, int a, int c) {
  a = find(b, a), c = find(b, c);
  if (a == c || move_whole(b, a, c)) return;
  if (is_apart(b, c) && !is_apart(b, a)) axes_unite(b, c, a);
  else if (is_apart(b, c)) {
    unite_factors(b, a, c);
    b->classes.data[c].parent = a;
  } else {
    axis_class *x = &b->classes.data[a], y = b->classes.data[c];
    b->classes.data[c].parent = a;
    if (y.moved) move_class(b, a, y.moved);
    if (y.inner) axes_inner(b, a, y.inner, y.reversed);
    if (dim_is_int(y.extent)) x->extent = y.extent;
  }
}

void axes_inner(body *b, int c, const node *scan, bool reversed) {
  c = find(b, c);
  axis_class *x = &b->classes.data[c];
  if (is_apart(b, c)) axes_move(b, c, "an inner scan");
  if (x->inner && x->reversed != reversed) axes_move(b, c, "inner scans in both directions");
  x->inner = scan;
  x->reversed = reversed;
}

/* ---- dimensions ---- */

const type *axes_type(const node *n, int item) {
  const type *t = n->type;
  if (!t || t->kind != TYPE_LIST) return t;
  return item < t->n ? t->items[item] : NULL;
}

static int rank_of(const type *t) { return type_is_tensor(t) ? t->n : 0; }

int axes_own(const body *b, const node *n, int item, int d) {
  int c = b->first[n->id];
  for (int i = 0; i < item; i++) c += rank_of(axes_type(n, i));
  return c + d;
}

int axes_dim(const body *b, const node *n, int item, int d) {
  return find(b, axes_own(b, n, item, d));
}

/* Dimension d of `to` is dimension e of `from`. */
static void unite_dims(body *b, const node *to, int item, int d, const node *from, int from_item,
                       int e) {
  axes_unite(b, axes_dim(b, to, item, d), axes_dim(b, from, from_item, e));
  if (!b->log) return;
  axis_link l = {axes_own(b, to, item, d), axes_own(b, from, from_item, e), b->log->at,
                 axes_type(to, item)->n - d != axes_type(from, from_item)->n - e};
  vec_push(b->mem, &b->log->links, l);
}

void axes_follow(body *b, const node *to, int item, int d, const node *from, int e) {
  if (!dim_is(axes_type(from, 0)->dims[e], 1)) unite_dims(b, to, item, d, from, 0, e);
}

bool axes_is_loop(const body *b, const node *n, int item, int d) {
  int f[SCANC_MAX_RANK], count = axes_factors(b, axes_dim(b, n, item, d), f);
  bool runs = false;
  for (int i = 0; i < count; i++)
    runs |= !axes_class_moved(b, f[i]) && !dim_is(axes_class_extent(b, f[i]), 1);
  return runs && !dim_is(axes_type(n, item)->dims[d], 1);
}

bool axes_is_inner(const body *b, const node *n, int item, int d) {
  return axes_is_loop(b, n, item, d) && b->classes.data[axes_dim(b, n, item, d)].inner;
}

bool axes_is_time(const body *b, int c) { return b->fold && find(b, c) == find(b, b->time); }

bool axes_grid_extent(body *b, const node *n, int item, int d, int *out) {
  int f[SCANC_MAX_RANK], count = axes_factors(b, axes_dim(b, n, item, d), f);
  *out = 1;
  if (!count) return body_refuse(b, n, "reshapes into too many dimensions");
  if (dim_is(axes_type(n, item)->dims[d], 1)) return true;
  for (int i = 0; i < count; i++) {
    const char *moved = b->classes.data[f[i]].moved;
    dim size = count > 1 ? axes_class_extent(b, f[i]) : axes_type(n, item)->dims[d];
    if (!moved) continue;
    if (!dim_is_int(size)) return body_refuse(b, n, "%s along an axis of unknown size", moved);
    if (size.k * *out > MAX_UNROLLED)
      return body_refuse(b, n, "%s along an axis of size %" PRId64 "; at most %d have a lowering",
                         moved, size.k * *out, MAX_UNROLLED);
    *out *= (int)size.k;
  }
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
    if (!dim_is(f->dims[f->n - i], 1)) unite_dims(b, to, item, t->n - i, from, from_item, f->n - i);
}

void axes_declare(body *b, const node *n) {
  if (b->first[n->id] >= 0) return;
  b->first[n->id] = b->classes.len;
  int n_items = n->type && n->type->kind == TYPE_LIST ? n->type->n : 1;
  for (int i = 0; i < n_items; i++) {
    const type *t = axes_type(n, i);
    for (int d = 0; d < rank_of(t); d++) new_class(b, t->dims[d]);
  }
}

static bool is_call(const node *n) {
  return n->kind == NODE_CALL_FUNCTION || n->kind == NODE_CALL_METHOD;
}

bool axes_join(body *b, const node *n) {
  if (!is_call(n) || !n->op) return true;
  const view_rule *rule = body_rule_of(n->op->id);
  if (rule) return rule->axes(b, n);
  if (!body_is_elementwise(n)) return body_refuse(b, n, "%s is not elementwise", n->op->name);
  for (int k = 0; k < n->op->n_operands && !body_is_fill(n); k++)
    if (n->operands[k].kind == VAL_NODE) axes_align(b, n, 0, n->operands[k].node, 0);
  return true;
}

bool axes_walk(body *b, const graph *g) {
  vec_push(b->mem, &b->graphs, g);
  for (const node *n = g->first; n; n = n->next) axes_declare(b, n);
  for (const node *n = g->first; n; n = n->next)
    if (!axes_join(b, n)) return false;
  return true;
}

/* A value with two dimensions of one class (x and its transpose meet): no loop runs over both. */
static void separate(body *b, const node *n) {
  const type *t = n->type;
  int f[SCANC_MAX_RANK * SCANC_MAX_RANK], count = 0;
  for (int d = 0; d < rank_of(t); d++)
    if (!dim_is(t->dims[d], 1)) count += axes_factors(b, axes_dim(b, n, 0, d), f + count);
  for (int i = 0; i < count; i++)
    for (int k = 0; k < i; k++)
      if (f[i] == f[k] && !dim_is(axes_class_extent(b, f[i]), 1))
        axes_move(b, f[i], "an access to the transposed");
}

void axes_separate(body *b) {
  for (int i = 0; i < b->graphs.len; i++)
    for (const node *n = b->graphs.data[i]->first; n; n = n->next) separate(b, n);
}
