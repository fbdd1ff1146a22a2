/* Scans as PyTorch 2.6 saved them, with dim and reverse as arguments (old_form.h). */
#include <string.h>

#include "frontend/old_form.h"
#include "frontend/pt2_reader.h"

static bool is_list(val v) { return v.kind == VAL_LIST || v.kind == VAL_TUPLE; }

static bool move_xs(pt2_body *b, val *xs, int64_t axis, bool flip) {
  val *items = ARENA_ARRAY(b->r->mem, val, xs->n);
  b->r->m->lenient = false;
  for (int i = 0; i < xs->n; i++) {
    items[i] = xs->items[i];
    if (items[i].kind != VAL_NODE) continue;
    items[i] = val_node(old_form_input(&b->c, items[i].node, axis, flip, pt2_fresh, b));
    if (b->r->m->err.code) return false;
  }
  xs->items = items;
  return true;
}

/* The k-th result under the name it has in the file: carries as they are, ys turned back. */
static bool result(pt2_body *b, node *scan, int64_t k, json_t *arg, const char *path,
                   const val *args, int n_args) {
  const char *name;
  const type *stated;
  val item[2] = {val_node(scan), val_int(k)};
  SCANC_TRY(pt2_output_name(b->r, arg, &name));
  if (!name || !strcmp(name, arena_printf(b->r->tmp, "%s_unused_%lld", scan->name, (long long)k)))
    return true;
  SCANC_TRY(pt2_stated_type(b, name, &stated));
  node *n = pt2_call(b, path ? pt2_fresh(b, "getitem") : name, "operator.getitem", item, 2, NULL, 0,
                     path ? NULL : stated);
  if (n && path) {
    val turned[3] = {val_node(n), args[0], args[1]};
    n = pt2_call(b, name, path, turned, 1 + n_args, NULL, 0, stated);
  }
  return n && pt2_define(b, name, n);
}

static bool old_scan(pt2_body *b, json_t *results, const char *name, const char *path, const val *a,
                     int n) {
  int64_t zero = 0;
  bool reverse = a[4].i;
  val xs = a[2], extra = n == 6 ? a[5] : val_seq(b->r->mem, VAL_TUPLE, NULL, 0);
  val axes[2] = {val_ints(b->r->mem, &zero, 1)};
  SCANC_TRY(move_xs(b, &xs, a[3].i, reverse));
  val args[4] = {a[0], a[1], xs, extra};
  node *scan = pt2_call(b, name, path, args, 4, NULL, 0, NULL);
  if (!scan) return false;
  size_t i;
  json_t *arg;
  json_array_foreach (results, i, arg) {
    const char *turn = reverse && (int)i >= a[1].n ? "torch.ops.aten.flip.default" : NULL;
    SCANC_TRY(result(b, scan, (int64_t)i, arg, turn, axes, 1));
  }
  return true;
}

static bool old_associative(pt2_body *b, json_t *results, const char *name, const char *path,
                            const val *a) {
  val xs = a[1], move[2] = {val_int(0), a[2]};
  SCANC_TRY(move_xs(b, &xs, a[2].i, false));
  val args[3] = {a[0], xs, val_seq(b->r->mem, VAL_TUPLE, NULL, 0)};
  node *scan = pt2_call(b, name, path, args, 3, NULL, 0, NULL);
  if (!scan) return false;
  size_t i;
  json_t *arg;
  json_array_foreach (results, i, arg)
    SCANC_TRY(
        result(b, scan, (int64_t)i, arg, a[2].i ? "torch.ops.aten.movedim.int" : NULL, move, 2));
  return true;
}

bool pt2_old_form(pt2_body *b, json_t *n, const char *name, const char *path, const val *a,
                  int n_args, bool *done) {
  json_t *results = pt2_field(n, "outputs");
  bool scan = !strcmp(path, "torch.ops.higher_order.scan") && (n_args == 5 || n_args == 6) &&
              is_list(a[1]) && is_list(a[2]) && a[3].kind == VAL_INT && a[4].kind == VAL_BOOL;
  bool associative = !strcmp(path, "torch.ops.higher_order.associative_scan") && n_args == 3 &&
                     is_list(a[1]) && a[2].kind == VAL_INT;
  *done = scan || associative;
  if (scan) return old_scan(b, results, name, path, a, n_args);
  return !associative || old_associative(b, results, name, path, a);
}
