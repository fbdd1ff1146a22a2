/* The driver of composite ops: replaces each by its expansion until none is left, in every graph once. A body may
 * expand into composites; they are found because the walk goes on at the first node that was created. */
#include "passes/decompose.h"

#include "passes/pass.h"

typedef val (*decompose_fn)(cursor *c, node *n);

static decompose_fn body_of(const op_info *op) {
  switch (op->id) {
#define EW1(name, ...)
#define EW2(name, ...)
#define EW3(name, ...)
#define EW4(name, ...)
#define SYM(name, ...)
#define COMP(name, ...) case OP_##name: return decompose_##name;
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
      return module_fail(m, SCANC_ERR_UNSUPPORTED, user->loc, "'%s' uses the results of '%s' other than by a constant index",
                         user->name, n->name);
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
                                 "'%s': %s needs the type of '%s'; expected an annotation", n->name, n->op->name,
                                 untyped->name);
}

static bool expand(node *n) {
  module *m = n->owner->mod;
  SCANC_TRY(types_are_known(n));
  cursor c = cursor_before(n);
  val v = body_of(n->op)(&c, n);
  if (m->err.code) return false;
  if (v.kind == VAL_ABSENT || (v.kind == VAL_NODE && !v.node))
    return module_fail(m, SCANC_ERR_UNSUPPORTED, n->loc, "'%s': %s cannot be expanded for these operands", n->name, n->op->name);
  if (v.kind == VAL_TUPLE || v.kind == VAL_LIST) SCANC_TRY(replace_items(n, v));
  else node_replace_uses_val(n, v);
  node_erase(n);
  return m->err.code == SCANC_OK;
}

typedef struct {
  bool changed;
} driver;

static void expand_graph(graph *g, void *ctx) {
  driver *d = ctx;
  node *next;
  for (node *n = g->first; n && !g->mod->err.code; n = next) {
    next = n->next;
    if (!n->op || n->op->kind != OPK_COMP) continue;
    node *before = n->prev;
    if (!expand(n)) return;
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
