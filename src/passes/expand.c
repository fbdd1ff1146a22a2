/* Helpers of the bodies of composite ops. */
#include "passes/expand.h"

#include <string.h>

node *expand_call(cursor *c, const char *path, const val *args, int n) {
  module *m = c->g->mod;
  for (int i = 0; i < n; i++)
    if (args[i].kind == VAL_NODE && !args[i].node) return NULL;
  if (m->err.code) return NULL;
  node *r = node_call(c, NULL, path, args, n, NULL, 0);
  return m->err.code ? NULL : r;
}

node *expand_same_call(cursor *c, const node *n, const val *operands) {
  val placed[MAX_OPERANDS];
  if (!n->row) return build_op(c, n->op->id, operands, n->op->n_operands);
  aten_place_operands(n->row, n->op, operands, n->op->n_operands, placed);
  return node_call_row(c, n->row, placed, op_get(n->row->op)->n_operands);
}

/* ---- operands ---- */

double float_of(val v, double dflt) {
  if (v.kind == VAL_FLOAT) return v.f;
  return v.kind == VAL_INT || v.kind == VAL_BOOL ? (double)v.i : dflt;
}

int64_t int_of(val v, int64_t dflt) {
  if (v.kind == VAL_FLOAT) return (int64_t)v.f;
  return v.kind == VAL_INT || v.kind == VAL_BOOL ? v.i : dflt;
}

bool bool_of(val v, bool dflt) { return v.kind == VAL_BOOL || v.kind == VAL_INT ? v.i != 0 : dflt; }

int axis_of(val v, int rank) {
  int64_t a = int_of(v, 0);
  return (int)(a < 0 ? a + (rank ? rank : 1) : a);
}

val list_of(cursor *c, const val *items, int n) {
  return val_seq(c->g->mod->mem, VAL_LIST, items, n);
}

/* ---- dtypes ---- */

scanc_dtype wide_dtype(scanc_dtype d) { return dtype_acc(d); }

node *cast(cursor *c, val v, scanc_dtype d) {
  if (v.kind == VAL_NODE && v.node && type_is_tensor(v.node->type) && v.node->type->dtype == d)
    return v.node;
  return build_to(c, v, d);
}

node *widen(cursor *c, val v) {
  if (v.kind != VAL_NODE || !v.node || !type_is_tensor(v.node->type)) return NULL;
  return cast(c, v, wide_dtype(v.node->type->dtype));
}

val narrow(cursor *c, node *r, const type *t) {
  return r && t ? V(cast(c, val_node(r), t->dtype)) : val_absent();
}

/* ---- axes ---- */

void axes_of(val v, int rank, bool *reduced) {
  bool all = !given(v) || (val_is_seq(v) && v.n == 0);
  for (int i = 0; i < SCANC_MAX_RANK; i++) reduced[i] = all && i < rank;
  if (all || rank == 0) return;
  if (!val_is_seq(v)) reduced[axis_of(v, rank)] = true;
  else
    for (int i = 0; i < v.n; i++) reduced[axis_of(v.items[i], rank)] = true;
}

void one_axis(int axis, int rank, bool *reduced) {
  for (int i = 0; i < SCANC_MAX_RANK; i++) reduced[i] = i == axis && rank > 0;
}

val axes_list(cursor *c, const bool *reduced, int rank) {
  int64_t a[SCANC_MAX_RANK];
  int n = 0;
  for (int i = 0; i < rank; i++)
    if (reduced[i]) a[n++] = i;
  return val_ints(c->g->mod->mem, a, n);
}

val size_mul(cursor *c, val a, val b) {
  if (a.kind == VAL_INT && b.kind == VAL_INT) {
    int64_t p;
    return val_int(__builtin_mul_overflow(a.i, b.i, &p) ? INT64_MAX : p);
  }
  if (a.kind == VAL_INT && a.i == 1) return b;
  if (b.kind == VAL_INT && b.i == 1) return a;
  return val_node(expand_call(c, "operator.mul", (val[]){a, b}, 2));
}

val axes_extent(cursor *c, node *x, const bool *reduced) {
  val n = val_int(1);
  for (int i = 0; x && i < x->type->n; i++)
    if (reduced[i]) n = size_mul(c, n, build_size(c, x, i));
  return n;
}

node *drop_axes(cursor *c, node *x, const bool *reduced, int rank) {
  for (int i = rank - 1; i >= 0 && x; i--)
    if (reduced[i]) x = build_squeeze(c, val_node(x), i);
  return x;
}

node *slice_of(cursor *c, node *x, int axis, int64_t start, int64_t end) {
  return x ? build_slice(c, val_node(x), axis, val_int(start),
                         val_int(end == TO_END ? INT64_MAX : end), val_int(1))
           : NULL;
}

node *reduce_loss(cursor *c, node *x, int64_t reduction) {
  val all = val_ints(c->g->mod->mem, NULL, 0);
  if (!x || reduction == 0) return x;
  return reduction == 1 ? build_mean(c, val_node(x), all, false)
                        : build_sum(c, val_node(x), all, false);
}

/* ---- contraction ---- */

static int find(const labelled *a, int label) {
  for (int i = 0; i < a->n; i++)
    if (a->label[i] == label) return i;
  return -1;
}

static bool is_one(const labelled *a, int i) { return a->x && dim_is(a->x->type->dims[i], 1); }

/* Axes of size 1 that the other operand has in full size go: they are broadcast. */
static labelled drop_broadcast(cursor *c, labelled a, const labelled *other) {
  for (int i = a.n - 1; i >= 0; i--) {
    int j = find(other, a.label[i]);
    if (!is_one(&a, i) || j < 0 || is_one(other, j)) continue;
    a.x = build_squeeze(c, V(a.x), i);
    memmove(a.label + i, a.label + i + 1, sizeof *a.label * (size_t)(a.n - i - 1));
    a.n--;
  }
  return a;
}

labelled sum_labels(cursor *c, labelled a, const bool *keep) {
  bool gone[SCANC_MAX_RANK] = {false}, any = false;
  int n = 0;
  for (int i = 0; i < a.n; i++) any |= gone[i] = !keep[a.label[i]];
  if (!any || !a.x) return a;
  a.x = build_sum(c, V(a.x), axes_list(c, gone, a.n), false);
  for (int i = 0; i < a.n; i++)
    if (!gone[i]) a.label[n++] = a.label[i];
  a.n = n;
  return a;
}

node *arrange(cursor *c, const labelled *x, const int *label, int n) {
  int perm[SCANC_MAX_RANK];
  bool same = n == x->n;
  for (int i = 0; i < n; i++) {
    perm[i] = find(x, label[i]);
    same &= perm[i] == i;
  }
  return same || !x->x ? x->x : build_permute(c, val_node(x->x), perm, n);
}

/* Groups of labels: those in both that are kept, a's own, b's own, and those that are summed. */
typedef struct {
  int n_batch, n_a, n_b, n_sum;
  int batch[SCANC_MAX_RANK], a[SCANC_MAX_RANK], b[SCANC_MAX_RANK], sum[SCANC_MAX_RANK];
} groups;

static groups group_labels(const labelled *a, const labelled *b, const bool *keep) {
  groups g = {0};
  for (int i = 0; i < a->n; i++) {
    int label = a->label[i];
    if (find(b, label) < 0) g.a[g.n_a++] = label;
    else if (keep[label]) g.batch[g.n_batch++] = label;
    else g.sum[g.n_sum++] = label;
  }
  for (int i = 0; i < b->n; i++)
    if (find(a, b->label[i]) < 0) g.b[g.n_b++] = b->label[i];
  return g;
}

static val labels_extent(cursor *c, const labelled *a, const int *label, int n) {
  bool reduced[SCANC_MAX_RANK] = {false};
  for (int i = 0; i < n; i++) reduced[find(a, label[i])] = true;
  return axes_extent(c, a->x, reduced);
}

/* a as a matrix per batch: axes [batch, rows, cols], each group as one axis, the batch left out
 * when there is none. */
static node *as_matrix(cursor *c, const labelled *a, const groups *g, const int *rows, int n_rows,
                       const int *cols, int n_cols) {
  int order[3 * SCANC_MAX_RANK], n = 0;
  for (int i = 0; i < g->n_batch; i++) order[n++] = g->batch[i];
  for (int i = 0; i < n_rows; i++) order[n++] = rows[i];
  for (int i = 0; i < n_cols; i++) order[n++] = cols[i];
  node *x = arrange(c, a, order, n);
  if (n_rows == 1 && n_cols == 1 && g->n_batch <= 1) return x;
  val sizes[3];
  int k = 0;
  if (g->n_batch) sizes[k++] = labels_extent(c, a, g->batch, g->n_batch);
  sizes[k++] = labels_extent(c, a, rows, n_rows);
  sizes[k++] = labels_extent(c, a, cols, n_cols);
  return x ? build_reshape(c, val_node(x), list_of(c, sizes, k)) : NULL;
}

/* The product without a sum: both operands with all axes of the result, missing ones of size 1. */
static node *spread(cursor *c, const labelled *a, const labelled *result) {
  int order[SCANC_MAX_RANK], n = 0;
  for (int i = 0; i < result->n; i++)
    if (find(a, result->label[i]) >= 0) order[n++] = result->label[i];
  node *x = arrange(c, a, order, n);
  bool inner = false; /* missing leading axes need no place */
  int at = 0;
  for (int i = 0; i < result->n && x; i++) {
    bool present = find(a, result->label[i]) >= 0;
    inner |= present;
    if (inner && !present) x = build_unsqueeze(c, val_node(x), at);
    at += inner;
  }
  return x;
}

labelled contract(cursor *c, labelled a, labelled b, const bool *keep) {
  labelled r = {0}, full = a;
  a = drop_broadcast(c, a, &b);
  b = drop_broadcast(c, b, &full);
  if (!a.x || !b.x) return r;
  bool in_b[MAX_LABELS] = {false}, in_a[MAX_LABELS] = {false};
  for (int i = 0; i < b.n; i++) in_b[b.label[i]] = true;
  for (int i = 0; i < a.n; i++) in_a[a.label[i]] = true;
  for (int i = 0; i < MAX_LABELS; i++) in_b[i] |= keep[i], in_a[i] |= keep[i];
  a = sum_labels(c, a, in_b);
  b = sum_labels(c, b, in_a);
  groups g = group_labels(&a, &b, keep);
  for (int i = 0; i < g.n_batch; i++) r.label[r.n++] = g.batch[i];
  for (int i = 0; i < g.n_a; i++) r.label[r.n++] = g.a[i];
  for (int i = 0; i < g.n_b; i++) r.label[r.n++] = g.b[i];
  if (g.n_sum == 0) {
    node *x = spread(c, &a, &r);
    r.x = build_mul(c, V(x), V(spread(c, &b, &r)));
    return r;
  }
  node *x = as_matrix(c, &a, &g, g.a, g.n_a, g.sum, g.n_sum),
       *y = as_matrix(c, &b, &g, g.sum, g.n_sum, g.b, g.n_b);
  if (!x || !y) return r;
  r.x = g.n_batch ? CALL(c, "bmm.default", V(x), V(y)) : CALL(c, "mm.default", V(x), V(y));
  if (g.n_a == 1 && g.n_b == 1 && g.n_batch <= 1) return r;
  val sizes[SCANC_MAX_RANK];
  for (int i = 0; i < r.n; i++) {
    const labelled *from = find(&a, r.label[i]) >= 0 ? &a : &b;
    sizes[i] = build_size(c, from->x, find(from, r.label[i]));
  }
  r.x = r.x ? build_reshape(c, val_node(r.x), list_of(c, sizes, r.n)) : NULL;
  return r;
}
