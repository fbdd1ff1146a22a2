/* Canonical form. First, in every graph, copies and views without effect give way to their operand:
 * values are immutable after functionalisation, so a clone is its operand. Then the movedim,
 * permute, transpose, flip and slice ops around a scan fold into the scan node (scan_attrs.h): a
 * reversed, transposed or shifted scan reads and writes in place. Only what leaves every slice its
 * type and its elements is folded. An associative scan of which only the first steps are read has
 * no others. */
#include <string.h>

#include "ir/build.h"
#include "passes/hop.h"
#include "passes/pass.h"
#include "passes/view.h"

typedef struct {
  module *m;
  bool changed;
} canon;

static node *operand(const node *n, int k) {
  return n->op && k < n->op->n_operands && n->operands[k].kind == VAL_NODE ? n->operands[k].node
                                                                           : NULL;
}

static bool is_int(val v, int64_t i) { return v.kind == VAL_INT && v.i == i; }

/* ---- copies and views without effect ---- */

static bool is_identity_permutation(const node *n) {
  int perm[SCANC_MAX_RANK];
  if (!view_permutation(n, perm)) return false;
  for (int i = 0; i < n->type->n; i++)
    if (perm[i] != i) return false;
  return true;
}

/* Ops whose result is their operand, element by element, when the types are equal. */
static bool keeps_elements(const node *n) {
  if (n->op->traits & T_RESHAPE) return true;
  switch (n->op->id) {
    case OP_clone:
    case OP_alias:
    case OP_to:
    case OP_expand:
    case OP_expand_as: return true;
    case OP_slice: return is_int(n->operands[4], 1);
    default: return false;
  }
}

static bool is_no_op(const node *n) {
  const node *x = operand(n, 0);
  if (!x || n->in_place || !n->type || !type_is_tensor(n->type) || !type_equal(n->type, x->type))
    return false;
  return keeps_elements(n) || is_identity_permutation(n);
}

static void simplify(canon *c, graph *g) {
  FOR_EACH_NODE (n, g) {
    if (!is_no_op(n)) continue;
    node_replace_uses(n, operand(n, 0));
    node_erase(n);
    c->changed = true;
  }
}

/* ---- views of an operand ---- */

/* The dimensions other than `axis` keep their order. */
static bool keeps_rest(const int *perm, int rank, int axis) {
  int last = -1;
  for (int i = 0; i < rank; i++) {
    if (i == axis) continue;
    if (perm[i] < last) return false;
    last = perm[i];
  }
  return true;
}

/* A flip of `axis` alone. */
static bool flips_axis(const node *n, int rank, int axis) {
  int k;
  val v = node_is_op(n, OP_flip) ? n->operands[1] : val_none();
  bool one = (v.kind == VAL_LIST || v.kind == VAL_TUPLE) && v.n == 1;
  return one && view_axis(v.items[0], rank, &k) && k == axis;
}

/* Where a slice of step 1 along `axis` begins, as an index that is in range whenever the slice has
 * elements. */
static bool slice_start(module *m, const node *n, int rank, int axis, dim size, dim *start) {
  int k;
  if (!node_is_op(n, OP_slice) || !view_axis(n->operands[1], rank, &k) || k != axis ||
      !is_int(n->operands[4], 1))
    return false;
  *start = dim_int(0);
  if (n->operands[2].kind == VAL_NONE) return true;
  const type *t = val_type(m, n->operands[2]);
  if (!t || t->kind != TYPE_INT || dim_is_unbacked(t->i)) return false;
  int64_t min, max;
  *start = t->i;
  dim_bounds(m->syms, *start, &min, &max);
  if (max < 0) {
    *start = dim_add(m->syms, size, *start);
    dim_bounds(m->syms, *start, &min, &max);
  }
  return min >= 0;
}

/* Takes one view op off an operand: v.operand read by `view` equals the result read as before.
 * NULL: nothing to take.
 */
static node *absorb_operand(module *m, node *v, scan_view *view) {
  node *u = operand(v, 0);
  int perm[SCANC_MAX_RANK];
  dim start;
  if (!u || !u->type || !type_is_tensor(u->type) || !v->type || !type_is_tensor(v->type))
    return NULL;
  int rank = v->type->n, axis = view->axis;
  if (u->type->n != rank) return NULL;
  if (view_permutation(v, perm)) {
    if (!keeps_rest(perm, rank, axis)) return NULL;
    view->axis = perm[axis];
    return u;
  }
  if (flips_axis(v, rank, axis)) {
    view->start = dim_sub(m->syms, dim_sub(m->syms, u->type->dims[axis], dim_int(1)), view->start);
    view->step = -view->step;
    return u;
  }
  if (slice_start(m, v, rank, axis, u->type->dims[axis], &start)) {
    view->start = dim_add(m->syms, view->start, start);
    return u;
  }
  return NULL;
}

/* ---- views of a result ---- */

/* The only user of the stacked result n, if it is a view that may be stored directly; *view is what
 * it makes of it. */
static node *absorb_result(const node *n, dim length, symtab *syms, scan_view *view) {
  int perm[SCANC_MAX_RANK];
  node *user = n->uses && !n->uses->next ? n->uses->user : NULL;
  if (!user || operand(user, 0) != n || !n->type || !type_is_tensor(n->type)) return NULL;
  int rank = n->type->n;
  if (view_permutation(user, perm)) {
    int at = 0;
    while (perm[at] != view->axis) at++;
    if (!keeps_rest(perm, rank, at)) return NULL;
    view->axis = at;
    return user;
  }
  if (!flips_axis(user, rank, view->axis)) return NULL;
  view->step = -view->step;
  view->start = view->step > 0 ? dim_int(0) : dim_sub(syms, length, dim_int(1));
  return user;
}

/* ---- scans ---- */

typedef struct {
  hop h;
  int list;         /* operand that holds the xs */
  int first_x, n_x; /* slots of the xs */
  int first_y, n_y; /* results that are stacked */
  scan_attrs attrs;
  scan_view *x, *y;
} folding;

static bool read_scan(canon *c, node *n, folding *f) {
  if (!node_is_op(n, OP_scan) && !node_is_op(n, OP_associative_scan)) return false;
  if (!hop_read(n, c->m->mem, &f->h) || !n->type || n->type->kind != TYPE_LIST) return false;
  bool assoc = node_is_op(n, OP_associative_scan);
  f->list = assoc ? 1 : 2;
  f->first_x = f->first_y = assoc ? 0 : f->h.n_carry;
  f->n_x = n->operands[f->list].n;
  f->n_y = f->h.n_results - f->first_y;
  return f->n_x > 0;
}

static node *x_node(const folding *f, int i) {
  val v = f->h.call->operands[f->list].items[i];
  return v.kind == VAL_NODE ? v.node : NULL;
}

/* Whether leaf i is known to have as many slices as the first one: a run compares only what is not
 * folded. */
static bool has_length(const folding *f, int i) {
  const node *x = x_node(f, i);
  return x && type_is_tensor(x->type) && x->type->n > 0 &&
         dim_equal(x->type->dims[0], x_node(f, 0)->type->dims[0]);
}

/* Views as the node has them, or plain ones. */
static bool start_views(canon *c, folding *f) {
  const scan_attrs *old = f->h.call->scan;
  const node *first = x_node(f, 0);
  if (!first || !first->type || !type_is_tensor(first->type) || first->type->n == 0) return false;
  for (int i = 1; i < f->n_x; i++)
    if (!old && !has_length(f, i)) return false;
  f->x = ARENA_ARRAY(c->m->mem, scan_view, f->n_x);
  f->y = ARENA_ARRAY(c->m->mem, scan_view, f->n_y);
  for (int i = 0; i < f->n_x; i++) f->x[i] = old ? old->x[i] : (scan_view){0, 1, dim_int(0)};
  for (int i = 0; i < f->n_y; i++) f->y[i] = old ? old->y[i] : (scan_view){0, 1, dim_int(0)};
  f->attrs = (scan_attrs){old ? old->length : first->type->dims[0], f->n_x, f->n_y, f->x, f->y};
  return !dim_is_unbacked(f->attrs.length); /* what tells the symbol may be what is folded away */
}

/* Gives the scan its views and new xs. */
static void set_scan(canon *c, const folding *f, const val *xs) {
  node *n = f->h.call;
  val args[MAX_OPERANDS];
  int n_args = n->op->n_operands;
  for (int k = 0; k < n_args; k++) args[k] = n->operands[k];
  if (xs) args[f->list] = val_seq(c->m->mem, args[f->list].kind, xs, f->n_x);
  while (n_args > 0 && (args[n_args - 1].kind == VAL_NONE || args[n_args - 1].kind == VAL_ABSENT))
    n_args--;
  scan_attrs *a = ARENA_NEW(c->m->mem, scan_attrs);
  *a = f->attrs;
  n->scan = a;
  node_set_args(n, args, n_args, NULL, 0);
  c->changed = true;
}

static void fold_xs(canon *c, folding *f) {
  val *xs = ARENA_ARRAY(c->m->mem, val, f->n_x);
  bool any = false;
  for (int i = 0; i < f->n_x; i++) {
    node *v = x_node(f, i), *u;
    scan_view view = f->x[i];
    while (v && (u = absorb_operand(c->m, v, &view)) && !dim_is_unbacked(view.start)) {
      f->x[i] = view;
      v = u;
      any = true;
    }
    xs[i] = v ? val_node(v) : f->h.call->operands[f->list].items[i];
  }
  if (any) set_scan(c, f, xs);
}

/* The getitem of result i if it is the only one. */
static node *only_getitem(const hop *h, int i) {
  node *found = NULL;
  for (const use *u = h->call->uses; u; u = u->next) {
    int k = hop_result_index(h, u->user);
    if (k < 0 || (k == i && found)) return NULL;
    if (k == i) found = u->user;
  }
  return found;
}

/* Stores result j the way its only reader wants it. */
static bool fold_y(canon *c, folding *f, int j) {
  node *item = only_getitem(&f->h, f->first_y + j);
  node *user = item ? absorb_result(item, f->attrs.length, c->m->syms, &f->y[j]) : NULL;
  if (!user) return false;
  set_scan(c, f, NULL);
  node_set_args(item, (val[]){item->operands[0], item->operands[1]}, 2, NULL, 0);
  node_replace_uses(user, item);
  node_erase(user);
  return true;
}

/* The only reader of result j, if it takes the first `*length` steps; NULL: it is something else.
 */
static node *first_steps(canon *c, const folding *f, int j, dim *length) {
  const node *item = only_getitem(&f->h, f->first_y + j);
  node *part = item && item->uses && !item->uses->next ? item->uses->user : NULL;
  if (!part || operand(part, 0) != item || !type_is_tensor(item->type)) return NULL;
  const scan_view *y = &f->y[j];
  dim start, size = item->type->dims[y->axis];
  int64_t min, max;
  if (!slice_start(c->m, part, item->type->n, y->axis, size, &start)) return NULL;
  *length = part->type->dims[y->axis];
  dim_bounds(c->m->syms, *length, &min, &max);
  bool from_first =
      y->step > 0 ? dim_is(start, 0) : dim_equal(dim_add(c->m->syms, start, *length), size);
  return from_first && min >= 0 ? part : NULL;
}

static bool is_read(const folding *f, int j) {
  for (const use *u = f->h.call->uses; u; u = u->next)
    if (hop_result_index(&f->h, u->user) == j) return true;
  return false;
}

/* An associative scan of which only the first results are wanted has no more steps. */
static bool shorten(canon *c, folding *f) {
  dim length = f->attrs.length;
  node **part = ARENA_ARRAY(c->m->mem, node *, f->n_y);
  bool any = false;
  if (!node_is_op(f->h.call, OP_associative_scan)) return false;
  for (int j = 0; j < f->n_y; j++) {
    dim own;
    if (!is_read(f, j)) continue;
    if (!(part[j] = first_steps(c, f, j, &own)) || (any && !dim_equal(own, length))) return false;
    length = own;
    any = true;
  }
  if (!any || dim_equal(length, f->attrs.length)) return false;
  f->attrs.length = length;
  for (int j = 0; j < f->n_y; j++)
    if (f->y[j].step < 0) f->y[j].start = dim_sub(c->m->syms, length, dim_int(1));
  set_scan(c, f, NULL);
  for (int j = 0; j < f->n_y; j++) {
    if (!part[j]) continue;
    node *item = operand(part[j], 0);
    node_set_args(item, (val[]){item->operands[0], item->operands[1]}, 2, NULL, 0);
    node_replace_uses(part[j], item);
    node_erase(part[j]);
  }
  return true;
}

static void fold_scan(canon *c, node *n) {
  folding f = {0};
  if (!read_scan(c, n, &f) || !start_views(c, &f)) return;
  fold_xs(c, &f);
  for (bool more = true; more && !c->m->err.code;) {
    more = false;
    for (int j = 0; j < f.n_y && !more; j++) more = fold_y(c, &f, j);
    more = !c->m->err.code && (more || shorten(c, &f));
  }
}

static void visit_graph(graph *g, void *ctx) {
  canon *c = ctx;
  if (c->m->err.code) return;
  simplify(c, g);
  for (node *n = g->first; n; n = n->next) fold_scan(c, n);
}

bool pass_canonicalise(module *m, bool *changed) {
  canon c = {m, false};
  graph_walk(m->main, visit_graph, &c);
  *changed |= c.changed;
  return m->err.code == SCANC_OK;
}
