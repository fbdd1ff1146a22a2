/* Contraction, where the module allows it: a product of f32 or f64 that nothing but one sum or
 * difference uses is fused with it into a multiply-add, rounded once (fma). So are the products of
 * rows that hold both: add, sub and rsub with alpha, addcmul. Of two products that are added, the
 * one that depends on the carry of a scan is fused: the other one is then no part of the chain from
 * step to step. */
#include "ir/build.h"
#include "passes/hop.h"
#include "passes/pass.h"

typedef struct {
  module *m;
  bool *carried; /* by id of the nodes that there were: depends on a carry */
  bool changed;
} contraction;

/* left * right + rest */
typedef struct {
  val left, right, rest;
  node *product; /* what computed left * right; NULL: the sum itself */
} fused;

/* ---- what depends on a carry ---- */

static void mark_carries(contraction *c, node *n, arena *mem) {
  hop h;
  bool prefix = node_is_op(n, OP_associative_scan);
  if ((!prefix && !node_is_op(n, OP_scan)) || !hop_read(n, mem, &h)) return;
  for (int i = 0; i < h.n_slots; i++)
    if ((prefix || i < h.n_carry) && h.slots[i].param >= 0)
      c->carried[graph_placeholder(h.body[0], h.slots[i].param)->id] = true;
}

static void follow(node *def, void *ctx) {
  const void **c = ctx;
  const contraction *of = c[0];
  *(bool *)c[1] |= of->carried[def->id];
}

static void follow_carries(contraction *c, const graph *g) {
  for (node *n = g->first; n; n = n->next) {
    void *ctx[] = {c, &c->carried[n->id]};
    for (int i = 0; i < n->n_args; i++) val_each_node(n->args[i], follow, ctx);
  }
}

/* ---- operands ---- */

static bool is_array(val v) {
  return v.kind == VAL_NODE && v.node->type && type_is_tensor(v.node->type);
}

/* Integers that f64 holds, so that they are the same number as a fraction. */
static bool is_number(val v) {
  const int64_t exact = (int64_t)1 << 53;
  return v.kind == VAL_FLOAT || (v.kind == VAL_INT && v.i <= exact && v.i >= -exact);
}

static bool is_operand(val v) { return is_array(v) || is_number(v); }

/* Without a rounding, and with the sign of zero. */
static bool can_negate(val v, scanc_dtype d) {
  return is_number(v) || (is_array(v) && v.node->type->dtype == d);
}

static val negative(cursor *c, val v) {
  if (v.kind == VAL_NODE) return V(build_neg(c, v));
  return val_float(-(v.kind == VAL_FLOAT ? v.f : (double)v.i));
}

/* ---- products ---- */

/* The product that v is, if nothing but n uses it. */
static node *product_of(const node *n, val v) {
  node *p = is_array(v) ? v.node : NULL;
  bool is = p && (node_is_op(p, OP_mul) || node_is_op(p, OP_square)) && !p->in_place &&
            node_n_uses(p) == 1 && p->type->dtype == n->type->dtype;
  return is ? p : NULL;
}

static val left_of(const node *product) { return product->operands[0]; }
static val right_of(const node *product) {
  return product->operands[node_is_op(product, OP_square) ? 0 : 1];
}

/* The product of the sum n that is to be fused; *rest: the other operand. */
static node *choose_product(const contraction *c, const node *n, val *rest) {
  node *a = product_of(n, n->operands[0]), *b = product_of(n, n->operands[1]);
  bool second = !a || (b && c->carried[b->id] && !c->carried[a->id]);
  *rest = n->operands[second ? 0 : 1];
  return second ? b : a;
}

/* x + y * z where minus is false, x - y * z where it is true. */
static bool fuse_added(cursor *at, scanc_dtype d, val x, val y, val z, bool minus, fused *f) {
  f->left = y, f->right = z, f->rest = x;
  if (!is_operand(x) || !is_operand(y) || !is_operand(z)) return false;
  if (!minus) return true;
  val *turned = is_number(y) || !can_negate(z, d) ? &f->left : &f->right;
  if (!can_negate(*turned, d)) return false;
  *turned = negative(at, *turned);
  return true;
}

/* x * y - z */
static bool fuse_reduced(cursor *at, scanc_dtype d, const node *product, val z, fused *f) {
  f->left = left_of(product), f->right = right_of(product);
  if (!is_operand(f->left) || !is_operand(f->right) || !can_negate(z, d)) return false;
  f->rest = negative(at, z);
  return true;
}

static bool fuse_sum(const contraction *c, cursor *at, const node *n, fused *f) {
  val rest;
  const node *p = f->product = choose_product(c, n, &rest);
  scanc_dtype d = n->type->dtype;
  if (!p) return false;
  if (node_is_op(n, OP_add)) return fuse_added(at, d, rest, left_of(p), right_of(p), false, f);
  bool taken_away = (p == n->operands[1].node) == node_is_op(n, OP_sub);
  return taken_away ? fuse_added(at, d, rest, left_of(p), right_of(p), true, f)
                    : fuse_reduced(at, d, p, rest, f);
}

/* What n computes as a fused multiply-add; false: it is none. May add nodes in front of n. */
static bool fuse(const contraction *c, cursor *at, const node *n, fused *f) {
  const val *x = n->operands;
  scanc_dtype d = n->type->dtype;
  switch (n->op->id) {
    case OP_add:
    case OP_sub:
    case OP_rsub: return fuse_sum(c, at, n, f);
    case OP_add_scaled: return fuse_added(at, d, x[0], x[1], x[2], false, f);
    case OP_sub_scaled: return fuse_added(at, d, x[0], x[1], x[2], true, f);
    case OP_rsub_scaled: return fuse_added(at, d, x[1], x[0], x[2], true, f);
    case OP_addcmul: return fuse_added(at, d, x[0], x[1], x[2], false, f);
    default: return false;
  }
}

/* ---- graphs ---- */

static bool is_real(const node *n) {
  return n->op && !n->in_place && n->type && type_is_tensor(n->type) &&
         (n->type->dtype == SCANC_F32 || n->type->dtype == SCANC_F64);
}

static void erase_unused(node *from, const node *end) {
  while (from != end) {
    node *before = from->prev;
    if (!node_has_uses(from)) node_erase(from);
    from = before;
  }
}

static void visit_node(contraction *c, node *n) {
  cursor at = cursor_before(n);
  node *before = n->prev;
  fused f = {.product = NULL};
  if (!fuse(c, &at, n, &f)) return;
  /* Sizes that were not known to be equal in the two operations are no more so in one. */
  bool lenient = c->m->lenient;
  c->m->lenient = true;
  node *r = build_fma(&at, f.left, f.right, f.rest);
  c->m->lenient = lenient;
  if (!r) return;
  if (!type_equal(r->type, n->type)) {
    erase_unused(n->prev, before);
    return;
  }
  node_replace_uses(n, r);
  node_erase(n);
  if (f.product) node_erase(f.product);
  c->changed = true;
}

static void visit_graph(graph *g, void *ctx) {
  contraction *c = ctx;
  follow_carries(c, g);
  FOR_EACH_NODE (n, g)
    if (c->m->err.code == SCANC_OK && is_real(n)) visit_node(c, n);
}

bool pass_contract(module *m, bool *changed) {
  if (!m->contract) return true;
  arena *mem = arena_new();
  contraction c = {.m = m, .carried = ARENA_ARRAY(mem, bool, m->n_ids)};
  for (int i = 0; i < m->graphs.len; i++)
    for (node *n = m->graphs.data[i]->first; n; n = n->next) mark_carries(&c, n, mem);
  graph_walk(m->main, visit_graph, &c);
  arena_free(mem);
  *changed |= c.changed;
  return m->err.code == SCANC_OK;
}
