/* The driver of composite ops: replaces each by its expansion until none is left, in every graph
 * once. A body may expand into composites; they are found because the walk goes on at the first
 * node that was created. On the way, operands of f16 and bf16 arithmetic that are of another type
 * are rounded. */
#include "passes/decompose.h"

#include "ir/convert.h"
#include "ir/infer.h"
#include "passes/expand.h"
#include "passes/pass.h"

typedef val (*decompose_fn)(cursor *c, node *n);

static decompose_fn body_of(const op_info *op) {
  switch (op->id) {
#define EW1(name, ...)
#define EW2(name, ...)
#define EW3(name, ...)
#define EW4(name, ...)
#define SYM(name, ...)
#define COMP(name, ...) \
  case OP_##name: return decompose_##name;
#define OP(name, ...)
#include "ir/ops.def"
    default: return NULL;
  }
}

/* Replaces the getitems of n by the items of the tuple. */
static bool replace_items(node *n, val tuple) {
  module *m = n->owner->mod;
  while (n->uses) {
    node *user = n->uses->user;
    val index = node_is_op(user, OP_getitem) ? user->operands[1] : val_none();
    int64_t i = index.kind == VAL_INT ? (index.i < 0 ? index.i + tuple.n : index.i) : -1;
    if (i < 0 || i >= tuple.n)
      return module_fail(m, SCANC_ERR_UNSUPPORTED, user->loc,
                         "'%s' uses the results of '%s' other than by a constant index", user->name,
                         n->name);
    node_replace_uses_val(user, tuple.items[i]);
    node_erase(user);
  }
  return true;
}

static void note_untyped(node *n, void *untyped) {
  if (!n->type) *(const node **)untyped = n;
}

/* Bodies rely on types: of the operands and of the result. */
static bool types_are_known(node *n) {
  const node *untyped = n->type ? NULL : n;
  for (int k = 0; k < n->op->n_operands; k++) val_each_node(n->operands[k], note_untyped, &untyped);
  return !untyped || module_fail(n->owner->mod, SCANC_ERR_UNSUPPORTED, n->loc,
                                 "'%s': %s needs the type of '%s'; expected an annotation", n->name,
                                 n->op->name, untyped->name);
}

static bool expand(node *n) {
  module *m = n->owner->mod;
  SCANC_TRY(types_are_known(n));
  cursor c = cursor_before(n);
  val v = body_of(n->op)(&c, n);
  if (m->err.code) return false;
  if (v.kind == VAL_ABSENT || (v.kind == VAL_NODE && !v.node))
    return module_fail(m, SCANC_ERR_UNSUPPORTED, n->loc,
                       "'%s': %s cannot be expanded for these operands", n->name, n->op->name);
  if (v.kind == VAL_TUPLE || v.kind == VAL_LIST) SCANC_TRY(replace_items(n, v));
  else node_replace_uses_val(n, v);
  node_erase(n);
  return m->err.code == SCANC_OK;
}

/* ---- operands of another type in f16 and bf16 arithmetic ---- */

static void promote_operand(promotion *p, const type *t) {
  if (type_is_tensor(t)) promotion_tensor(p, t->dtype, t->n);
  else if (type_is_scalar(t))
    promotion_number(p, t->kind == TYPE_INT ? 'i' : t->kind == TYPE_BOOL ? 'b' : 'f');
}

/* The promoted type if it is f16 or bf16: both compute in f32, but operands are rounded to it
 * first. */
static bool half_dtype(node *n, scanc_dtype *out) {
  promotion p = {0};
  for (int k = n->op->promo == PROMO_SELECT; k < n->op->n_operands; k++)
    if (!op_operand_is_parameter(n->op, k))
      promote_operand(&p, val_type(n->owner->mod, n->operands[k]));
  *out = promotion_of_op(n->op, &p);
  return *out == SCANC_F16 || *out == SCANC_BF16;
}

static val rounded_number(val v, scanc_dtype half) {
  number x = {.cls = v.kind == VAL_FLOAT ? 'f' : 'i',
              .i = v.i,
              .f = v.kind == VAL_FLOAT ? v.f : (double)v.i};
  uint16_t bits;
  number_store(x, half, &bits);
  double f = number_load(half, &bits).f;
  return f == x.f || f != f ? v : val_float(f);
}

/* Operand k in the promoted type; itself where it is so already, or where the op takes it
 * unrounded. */
static val rounded_operand(cursor *c, const node *n, int k, scanc_dtype half) {
  val v = n->operands[k];
  bool wide = n->op->traits & T_WIDE_NUMBER;
  if (v.kind == VAL_FLOAT || v.kind == VAL_INT) return wide ? v : rounded_number(v, half);
  const type *t = v.kind == VAL_NODE ? v.node->type : NULL;
  if (!t || !type_is_tensor(t) || (wide && t->n == 0) || t->dtype == SCANC_BOOL) return v;
  return val_node(cast(c, v, half));
}

static bool same_operand(val a, val b) {
  return a.kind == b.kind &&
         (a.kind == VAL_NODE ? a.node == b.node : a.kind != VAL_FLOAT || a.f == b.f || a.f != a.f);
}

/* Replaces n by the same op on rounded operands, unless they all are so. Returns whether it did. */
static bool round_operands(node *n) {
  scanc_dtype half;
  val v[MAX_OPERANDS];
  bool changed = false;
  if (!n->type || !half_dtype(n, &half)) return false;
  cursor c = cursor_before(n);
  for (int k = 0; k < n->op->n_operands; k++) {
    bool operand = !op_operand_is_parameter(n->op, k) && !(k == 0 && n->op->promo == PROMO_SELECT);
    v[k] = operand ? rounded_operand(&c, n, k, half) : n->operands[k];
    changed |= !same_operand(v[k], n->operands[k]);
  }
  if (!changed) return false;
  node *r = expand_same_call(&c, n, v);
  if (!r) return false;
  const char *name = n->name;
  node_replace_uses(n, r);
  node_erase(n);
  node_rename(r, name);
  return true;
}

/* PyTorch rounds the quotient of f16 and bf16 before it cuts it, unless the divisor is a number or
 * of rank 0. */
static bool cut_rounded_quotient(node *n) {
  scanc_dtype half;
  if (!node_is_op(n, OP_div_trunc) || !n->type || !half_dtype(n, &half)) return false;
  const type *divisor = val_type(n->owner->mod, n->operands[1]);
  if (!type_is_tensor(divisor) || divisor->n == 0) return false;
  cursor c = cursor_before(n);
  node *r = build_trunc(&c, V(build_div(&c, n->operands[0], n->operands[1])));
  if (!r) return false;
  node_replace_uses(n, r);
  node_erase(n);
  return true;
}

/* ---- masks ---- */

/* What a mask chooses, where that is told without its data. Returns whether n is gone. */
static bool settle_mask(node *n) {
  cursor c = cursor_before(n);
  node *r = decompose_masked_write(&c, n);
  if (!r && !decompose_counts(n)) return false;
  if (r) node_replace_uses(n, r);
  node_erase(n);
  return true;
}

typedef struct {
  bool changed;
} driver;

enum { MAX_EXPANSIONS = 1000 }; /* per node of the graph as it came; far above what any op needs */

static void expand_graph(graph *g, void *ctx) {
  driver *d = ctx;
  node *next;
  int left = MAX_EXPANSIONS * (g->n_nodes + 1);
  for (node *n = g->first; n && !g->mod->err.code; n = next) {
    next = n->next;
    node *before = n->prev;
    if (!n->op) continue;
    if (n->op->kind == OPK_OP && settle_mask(n)) {
      d->changed = true;
      continue;
    }
    bool cut = cut_rounded_quotient(n);
    if (!cut && n->op->kind == OPK_EW) d->changed |= round_operands(n);
    if (!cut && n->op->kind != OPK_COMP) continue;
    if (!cut && !expand(n)) return;
    if (left-- == 0) SCANC_UNREACHABLE("a composite op that expands into itself");
    d->changed = true;
    next = before ? before->next : g->first;
  }
}

bool pass_decompose(module *m, bool *changed) {
  driver d = {false};
  graph_walk(m->main, expand_graph, &d);
  *changed |= d.changed;
  return m->err.code == SCANC_OK;
}
