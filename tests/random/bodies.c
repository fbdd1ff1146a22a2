/* Statements with subgraphs: scans, associative scans, branches. */
#include "generator.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_LEAVES = 4 };

static val list_of(gen *g, val_kind kind, node *const *v, int n) {
  val items[16];
  for (int i = 0; i < n; i++) items[i] = V(v[i]);
  return val_seq(g->m->mem, kind, items, n);
}

static const type *without_first(gen *g, const type *t) {
  return type_tensor(g->m->mem, t->dtype, t->dims + 1, t->n - 1);
}

/* ---- what a scan runs over ---- */

typedef struct {
  dim length;
  int axis[MAX_LEAVES]; /* of each x: the dimension that it was scanned along */
  bool reversed;        /* all of them backwards */
  node *x[MAX_LEAVES];  /* time first */
  int n;
} source;

static node *flipped(scope *s, node *v) {
  return settle(s, CALL(s, "flip.default", V(v), val_ints(s->g->m->mem, (const int64_t[]){0}, 1)));
}

static node *time_first(scope *s, node *v, int axis) {
  return axis ? settle(s, CALL(s, "movedim.int", V(v), val_int(axis), val_int(0))) : v;
}

static void add_source(scope *s, source *from, node *v, int axis) {
  v = time_first(s, v, axis);
  if (v && (from->reversed || chance(&s->g->r, 6))) v = flipped(s, v);
  if (!v) return;
  from->axis[from->n] = axis;
  from->x[from->n++] = v;
}

/* Without xs PyTorch prints zeros that nothing uses. */
static void add_length_only(scope *s, source *from, node *like, int axis) {
  val size = val_seq(s->g->m->mem, VAL_LIST, (val[]){build_size(&s->at, like, axis)}, 1);
  node *v = settle(s, call(s, "full.default", (val[]){size, val_int(0)}, 2, SCANC_I64));
  if (v) from->x[from->n++] = v;
}

static bool choose_source(scope *s, source *from, int most) {
  rng *r = &s->g->r;
  node *first = pick_with_rank(s);
  if (!first) return false;
  int axis = chance(r, 75) ? 0 : below(r, first->type->n), wanted = 1 + below(r, most);
  from->length = first->type->dims[axis];
  from->reversed = chance(r, 25);
  int64_t n = largest(s->g, from->length);
  if (n < 0 || n > 140 || (s->depth && n > 17 && chance(r, 90))) return false;
  if (chance(r, 5) && most > 1) add_length_only(s, from, first, axis);
  else add_source(s, from, first, axis);
  for (int tries = 0; tries < 10 && from->n < wanted; tries++) {
    node *v = pick_with_rank(s);
    int a = v ? below(r, v->type->n) : 0;
    if (v && dim_equal(v->type->dims[a], from->length)) add_source(s, from, v, a);
  }
  return from->n > 0;
}

/* A stacked result turned back to the order of its x. */
static void add_stacked(scope *s, const source *from, node *y, int i) {
  if (from->reversed) y = flipped(s, y);
  int axis = i < from->n ? from->axis[i] : 0;
  if (y && axis && axis < y->type->n)
    settle(s, CALL(s, "movedim.int", V(y), val_int(0), val_int(axis)));
}

/* A call with subgraphs; the generator makes none that inference refuses. */
static node *call_bodies(scope *s, const char *path, const val *args, int n) {
  node *call = node_call(&s->at, NULL, path, args, n, NULL, 0);
  if (s->g->m->err.code) {
    fprintf(stderr, "%s: %s\n", path, s->g->m->err.message);
    abort();
  }
  return call;
}

/* ---- scans ---- */

typedef struct {
  node *init[MAX_LEAVES], *extra[MAX_LEAVES + MAX_SYMBOLS];
  int n_init, n_extra;
} captured;

static captured choose_captured(scope *s, int64_t length) {
  rng *r = &s->g->r;
  captured c = {0};
  for (int n = 1 + below(r, 3); n > 0; n--) {
    node *v = pick(s);
    if (elements(s->g, v->type) * length * s->steps > 20000) continue;
    if (chance(r, 30)) {
      node *z = settle(s, call(s, chance(r, 50) ? "zeros_like.default" : "ones_like.default",
                               (val[]){V(v)}, 1, (int)random_dtype(s->g)));
      v = z ? z : v;
    }
    c.init[c.n_init++] = v;
  }
  for (int n = below(r, 3); n > 0; n--) {
    node *v = pick(s);
    if (elements(s->g, v->type) * length * s->steps <= 20000) c.extra[c.n_extra++] = v;
  }
  for (int i = 0; i < s->n_numbers && chance(r, 40); i++) c.extra[c.n_extra++] = s->number[i];
  return c;
}

static int add_scan_results(scope *b, const captured *c, const int first, bool *none) {
  rng *r = &b->g->r;
  val items[2 * MAX_LEAVES];
  node *param[MAX_LEAVES];
  int n = 0, n_y = below(r, 4);
  for (int i = 0; i < c->n_init; i++) param[i] = b->v[i];
  for (int i = 0; i < c->n_init; i++) items[n++] = V(fit(b, param[i], c->init[i]->type, first));
  for (int i = 0; i < n_y; i++) {
    none[i] = chance(r, 4);
    items[n++] = none[i] ? val_none() : V(pick(b));
  }
  node_output(&b->at, val_seq(b->g->m->mem, VAL_LIST, items, n));
  return n_y;
}

void add_scan(scope *s) {
  gen *g = s->g;
  source from = {0};
  bool none[MAX_LEAVES];
  if (!choose_source(s, &from, 3)) return;
  int64_t length = largest(g, from.length);
  captured c = choose_captured(s, length);
  if (!c.n_init) return;
  node *get;
  scope b = scope_inside(s, "scan_combine_graph", length, &get);
  for (int i = 0; i < c.n_init; i++) add_parameter(&b, c.init[i]->type);
  for (int i = 0; i < from.n; i++) add_parameter(&b, without_first(g, from.x[i]->type));
  for (int i = 0; i < c.n_extra; i++) add_parameter(&b, c.extra[i]->type);
  int first = b.n;
  grow(&b, 2 + below(&g->r, s->depth ? 4 : 12));
  int n_y = add_scan_results(&b, &c, first, none);
  val args[] = {V(get), list_of(g, VAL_LIST, c.init, c.n_init),
                list_of(g, VAL_LIST, from.x, from.n), list_of(g, VAL_TUPLE, c.extra, c.n_extra)};
  node *scan = call_bodies(s, "torch.ops.higher_order.scan", args, 4);
  g->n_scans++;
  for (int i = 0; i < c.n_init; i++) settle(s, build_getitem(&s->at, scan, i));
  for (int i = 0; i < n_y; i++) {
    node *y = none[i] ? NULL : settle(s, build_getitem(&s->at, scan, c.n_init + i));
    if (y) add_stacked(s, &from, y, i);
  }
}

/* ---- associative scans ---- */

/* Statements of known operators: l[0..n-1] is what came before, r[0..n-1] what comes after. */
typedef struct {
  scope *b;
  node **l, **r;
} operands;

static node *op2(scope *b, const char *name, node *x, node *y) {
  return x && y ? settle(b, CALL(b, name, V(x), V(y))) : NULL;
}

/* a * l + b in the semiring (times, plus) */
static node *multiply_add(scope *b, const char *times, const char *plus, node *l, node *a,
                          node *c) {
  return op2(b, plus, op2(b, times, l, a), c);
}

static int affine(operands o, node **out) {
  scope *b = o.b;
  bool tropical = chance(&b->g->r, 30) && o.l[0]->type->dtype != SCANC_BOOL;
  const char *times = tropical ? "add.Tensor" : "mul.Tensor",
             *plus = tropical ? "maximum.default" : "add.Tensor";
  out[0] = op2(b, times, o.l[0], o.r[0]);
  out[1] = multiply_add(b, times, plus, o.l[1], o.r[0], o.r[1]);
  return 2;
}

static int matrices(operands o, node **out) {
  for (int i = 0; i < 4; i++)
    out[i] = multiply_add(o.b, "mul.Tensor", "add.Tensor", o.r[i / 2 * 2], o.l[i % 2],
                          op2(o.b, "mul.Tensor", o.r[i / 2 * 2 + 1], o.l[2 + i % 2]));
  return 4;
}

static int least_pair(operands o, node **out) {
  node *less = op2(o.b, "lt.Tensor", o.r[0], o.l[0]);
  for (int i = 0; i < 2; i++)
    out[i] = less ? settle(o.b, CALL(o.b, "where.self", V(less), V(o.r[i]), V(o.l[i]))) : NULL;
  return 2;
}

static int segmented(operands o, node **out) {
  node *flag = settle(o.b, CALL(o.b, "gt.Scalar", V(o.r[0]), val_int(0)));
  node *sum = op2(o.b, "add.Tensor", o.l[1], o.r[1]);
  out[0] = op2(o.b, "maximum.default", o.l[0], o.r[0]);
  out[1] = flag && sum ? settle(o.b, CALL(o.b, "where.self", V(flag), V(o.r[1]), V(sum))) : NULL;
  return 2;
}

static int single(operands o, node **out) {
  static const char *const names[] = {"add.Tensor",      "mul.Tensor",        "maximum.default",
                                      "minimum.default", "logaddexp.default", "bitwise_xor.Tensor"};
  if (chance(&o.b->g->r, 20)) out[0] = chance(&o.b->g->r, 50) ? o.l[0] : o.r[0];
  else out[0] = op2(o.b, PICK(&o.b->g->r, names), o.l[0], o.r[0]);
  return 1;
}

/* Any statements at all: executors combine in the same order, so the law does not matter. */
static int anything(operands o, int n, node **out) {
  int first = o.b->n;
  grow(o.b, 2 + below(&o.b->g->r, 5));
  for (int i = 0; i < n; i++) out[i] = fit(o.b, o.l[i], o.l[i]->type, first);
  return n;
}

static int combine(scope *b, int n, node **out) {
  node *l[MAX_LEAVES], *r[MAX_LEAVES];
  for (int i = 0; i < n; i++) l[i] = b->v[i], r[i] = b->v[n + i];
  operands o = {b, l, r};
  if (n == 4 && chance(&b->g->r, 80)) return matrices(o, out);
  if (n == 1 && chance(&b->g->r, 60)) return single(o, out);
  if (n == 2 && chance(&b->g->r, 75)) {
    int kind = below(&b->g->r, 3);
    return kind == 0 ? affine(o, out) : kind == 1 ? least_pair(o, out) : segmented(o, out);
  }
  return anything(o, n, out);
}

/* Leaves of one shape: more of them are made from the first one. */
static void alike(scope *s, source *from, int n) {
  static const char *const makers[] = {"neg.default", "sigmoid.default", "square.default",
                                       "sin.default", "clone.default"};
  while (from->n < n) {
    node *v = settle(s, CALL(s, PICK(&s->g->r, makers), V(from->x[0])));
    if (!v) v = from->x[0];
    from->axis[from->n] = from->axis[0];
    from->x[from->n++] = v;
  }
}

void add_fold(scope *s) {
  gen *g = s->g;
  source from = {0};
  int n = chance(&g->r, 15) ? 4 : 1 + below(&g->r, 2);
  bool mixed = chance(&g->r, 15);
  if (!choose_source(s, &from, mixed ? 3 : 1)) return;
  if (!mixed) alike(s, &from, n);
  node *get, *extra[1], *out[MAX_LEAVES];
  int n_extra = chance(&g->r, 12) && mixed;
  if (n_extra) extra[0] = pick(s);
  scope b = scope_inside(s, "associative_scan_combine_graph", largest(g, from.length), &get);
  for (int i = 0; i < 2 * from.n; i++)
    add_parameter(&b, without_first(g, from.x[i % from.n]->type));
  if (n_extra) add_parameter(&b, extra[0]->type);
  n = combine(&b, from.n, out);
  for (int i = 0; i < n; i++)
    out[i] = cast_value(&b, out[i] && same_sizes(out[i]->type, b.v[i]->type) ? out[i] : b.v[i],
                        b.v[i]->type->dtype);
  node_output(&b.at, list_of(g, VAL_LIST, out, n));
  val args[] = {V(get), list_of(g, VAL_LIST, from.x, from.n),
                list_of(g, VAL_TUPLE, extra, n_extra)};
  node *scan = call_bodies(s, "torch.ops.higher_order.associative_scan", args, 3);
  g->n_scans++;
  for (int i = 0; i < from.n; i++) {
    node *y = settle(s, build_getitem(&s->at, scan, i));
    if (y) add_stacked(s, &from, y, i);
  }
}

/* ---- branches ---- */

static node *predicate(scope *s) {
  node *v = NULL;
  for (int i = 0; i < 10 && (!v || v->type->n); i++) v = pick(s);
  if (v->type->n && s->depth == 0) v = settle(s, CALL(s, "any.default", V(v)));
  if (!v || v->type->n || dtype_class(v->type->dtype) == 'c') return NULL;
  if (v->type->dtype == SCANC_BOOL) return v;
  return settle(s, CALL(s, "gt.Scalar", V(v), val_int(0)));
}

static node *branch(scope *s, const char *prefix, node *const *in, int n) {
  node *get, *out[MAX_LEAVES];
  scope b = scope_inside(s, prefix, 1, &get);
  for (int i = 0; i < n; i++) add_parameter(&b, in[i]->type);
  int first = b.n;
  grow(&b, 1 + below(&s->g->r, 4));
  for (int i = 0; i < n; i++) out[i] = fit(&b, b.v[i], in[i]->type, first);
  node_output(&b.at, list_of(s->g, VAL_TUPLE, out, n));
  return get;
}

void add_cond(scope *s) {
  node *p = predicate(s), *in[MAX_LEAVES];
  if (!p) return;
  int n = 1 + below(&s->g->r, 2);
  for (int i = 0; i < n; i++) in[i] = pick(s);
  node *yes = branch(s, "true_graph", in, n), *no = branch(s, "false_graph", in, n);
  val args[] = {V(p), V(yes), V(no), list_of(s->g, VAL_TUPLE, in, n)};
  node *cond = call_bodies(s, "torch.ops.higher_order.cond", args, 4);
  for (int i = 0; i < n; i++) settle(s, build_getitem(&s->at, cond, i));
}
