/* The call forms of PyTorch 2.5 and 2.6, in which dim and reverse are arguments of the operator.
 * They become the form of 2.7 and later, where movedim and flip around the call say the same:
 *   scan(f, init, xs, dim, reverse[, extra])   ys stay on dim 0, whatever dim is
 *   associative_scan(f, xs, dim)               ys go back to dim */
#include <string.h>

#include "frontend/fx_reader.h"
#include "frontend/old_form.h"

static node *refuse(fx_body *b, const fx_expr *e, const char *what) {
  fx_fail(b->r, e->at, SCANC_ERR_BAD_ARGUMENT, "%s", what);
  return NULL;
}

static bool is_sequence(val v) { return v.kind == VAL_LIST || v.kind == VAL_TUPLE; }

static const char *fresh(void *body, const char *base) { return fx_fresh(body, base); }

static bool move_xs(fx_body *b, val *xs, int64_t from, bool flip) {
  val *items = ARENA_ARRAY(b->r->mem, val, xs->n);
  for (int i = 0; i < xs->n; i++) {
    items[i] = xs->items[i];
    if (items[i].kind != VAL_NODE) continue;
    b->r->m->lenient = false;
    node *n = old_form_input(&b->c, items[i].node, from, flip, fresh, b);
    if (b->r->m->err.code) return false;
    items[i] = val_node(n);
  }
  xs->items = items;
  return true;
}

static node *newer_call(fx_body *b, const char *name, const fx_expr *e, const val *args, int n,
                        fx_old_scan old) {
  old.n = fx_make_call(b, name, e->path, args, n, (fx_annot){0});
  if (old.n && (old.reverse || old.dim)) {
    vec_push(b->r->tmp, &b->old_scans, arena_copy(b->r->tmp, &old, sizeof old));
    map_set(&b->old_by_name, old.n->name, vec_last(&b->old_scans));
  }
  return old.n;
}

static node *old_scan(fx_body *b, const char *name, const fx_expr *e) {
  const val *a = e->args.data;
  if (!is_sequence(a[1]) || !is_sequence(a[2]))
    return refuse(b, e, "scan: expected lists of init and xs");
  if (a[3].kind != VAL_INT || a[4].kind != VAL_BOOL)
    return refuse(b, e, "scan: expected the numbers dim and reverse behind xs");
  val extra = e->args.len == 6 ? a[5] : val_seq(b->r->mem, VAL_TUPLE, NULL, 0), xs = a[2];
  if (extra.kind == VAL_LIST) extra.kind = VAL_TUPLE;
  if (!move_xs(b, &xs, a[3].i, a[4].i)) return NULL;
  val args[4] = {a[0], a[1], xs, extra};
  return newer_call(b, name, e, args, 4, (fx_old_scan){.n_init = a[1].n, .reverse = a[4].i});
}

static node *old_associative(fx_body *b, const char *name, const fx_expr *e) {
  const val *a = e->args.data;
  if (!is_sequence(a[1])) return refuse(b, e, "associative_scan: expected a list of xs");
  val xs = a[1];
  if (!move_xs(b, &xs, a[2].i, false)) return NULL;
  val args[3] = {a[0], xs, val_seq(b->r->mem, VAL_TUPLE, NULL, 0)};
  return newer_call(b, name, e, args, 3, (fx_old_scan){.dim = a[2].i});
}

node *fx_old_form(fx_body *b, const char *name, fx_expr *e, bool *done) {
  int n = e->args.len;
  *done = true;
  if (e->kw.len == 0 && !strcmp(e->path, "torch.ops.higher_order.scan") && (n == 5 || n == 6))
    return old_scan(b, name, e);
  if (e->kw.len == 0 && !strcmp(e->path, "torch.ops.higher_order.associative_scan") && n == 3 &&
      e->args.data[2].kind == VAL_INT)
    return old_associative(b, name, e);
  *done = false;
  return NULL;
}

const fx_old_scan *fx_find_old(const fx_body *b, val v) {
  return v.kind == VAL_NODE ? map_get(&b->old_by_name, v.node->name) : NULL;
}

node *fx_old_item(fx_body *b, const char *name, const fx_old_scan *s, val index, fx_annot ann,
                  bool *done) {
  *done = index.kind == VAL_INT && index.i >= s->n_init;
  if (!*done) return NULL;
  val args[2] = {val_node(s->n), index};
  node *item = fx_make_call(b, fx_fresh(b, "getitem"), "operator.getitem", args, 2, (fx_annot){0});
  if (!item) return NULL;
  b->r->m->lenient = ann.type != NULL;
  int64_t zero = 0;
  val flip[2] = {val_node(item), val_ints(b->r->mem, &zero, 1)};
  val move[3] = {val_node(item), val_int(0), val_int(s->dim)};
  if (s->reverse) return fx_make_call(b, name, "torch.ops.aten.flip.default", flip, 2, ann);
  return fx_make_call(b, name, "torch.ops.aten.movedim.int", move, 3, ann);
}

bool fx_check_old(fx_body *b) {
  for (int i = 0; i < b->old_scans.len; i++) {
    const node *s = b->old_scans.data[i]->n;
    for (const use *u = s->uses; u; u = u->next)
      if (u->user->kind != NODE_CALL_FUNCTION || strcmp(u->user->path, "operator.getitem") ||
          u->user->args[1].kind != VAL_INT)
        return module_fail(b->r->m, SCANC_ERR_UNSUPPORTED, u->user->loc,
                           "%.100s: the result of a scan with dim or reverse must be read "
                           "by constant indices",
                           s->name);
  }
  return true;
}
