/* From a parsed right side to a node, and the check of its annotation against inference. */
#include <string.h>

#include "frontend/annotation.h"
#include "frontend/fx_reader.h"

/* ---- annotations ---- */

static bool fx_annotate(fx_body *b, node *n, fx_annot ann) {
  if (!ann.type) return true;
  if (!b->autocast) return annotation_apply(n, ann.type, fx_loc(b->r, ann.at));
  n->annotated = true;
  n->type = ann.type;
  return true;
}

/* ---- attributes ---- */

static node *make_get_attr(fx_body *b, const char *name, fx_expr *e, fx_annot ann) {
  attr *a = graph_find_attr(b->g, e->path);
  if (!a && b->g->attrs.len == FX_MAX_ATTRS) {
    fx_fail(b->r, e->at, SCANC_ERR_UNSUPPORTED, "more than %d attributes of one class",
            FX_MAX_ATTRS);
    return NULL;
  }
  if (!a) a = graph_add_attr(b->g, e->path, ATTR_TENSOR, NULL);
  if (a->kind == ATTR_TENSOR && !a->type) a->type = ann.type;
  return node_get_attr(&b->c, name, e->path);
}

/* Which arguments of a higher-order op are graphs: the first ones, for cond the second and third.
 */
static bool is_graph_argument(const char *op, int i) {
  if (!strcmp(op, "cond")) return i == 1 || i == 2;
  if (!strcmp(op, "while_loop")) return i < 2;
  return i == 0;
}

/* An attribute that is passed as a graph although the text has no such class. A bare def has no
 * classes at all: there the call is kept, without a type. */
static bool check_graphs(fx_body *b, const char *path, const val *args, int n) {
  static const char hop[] = "torch.ops.higher_order.";
  if (strncmp(path, hop, strlen(hop))) return true;
  for (int i = 0; i < n; i++) {
    if (!is_graph_argument(path + strlen(hop), i) || args[i].kind != VAL_NODE) continue;
    const node *g = args[i].node;
    if (g->kind != NODE_GET_ATTR || val_graph(args[i])) continue;
    if (!b->cls->bare)
      return module_fail(
          b->r->m, SCANC_ERR_UNKNOWN_SUBGRAPH, g->loc,
          "self has no graph '%.100s': expected a class of that name inside class %.100s", g->path,
          b->cls->name);
    attr *a = graph_find_attr(b->g, g->path);
    if (a->kind == ATTR_TENSOR) a->kind = ATTR_MODULE;
  }
  return true;
}

static node *make_module_call(fx_body *b, const char *name, fx_expr *e) {
  if (!graph_find_attr(b->g, e->path) && b->g->attrs.len < FX_MAX_ATTRS)
    graph_add_attr(b->g, e->path, ATTR_MODULE, NULL);
  int n_kw = e->kw.len;
  return node_call_module(&b->c, name, e->path, e->args.data, e->args.len - n_kw, e->kw.data, n_kw);
}

/* ---- calls ---- */

/* Functions outside torch are printed as one identifier: _operator_not_, math_sqrt. */
static const char *function_path(fx_body *b, const char *path) {
  if (strchr(path, '.') || spelling_find(path)) return path;
  if (!strncmp(path, "_operator_", 10)) return arena_printf(b->r->mem, "operator.%s", path + 10);
  if (!strncmp(path, "math_", 5)) return arena_printf(b->r->mem, "math.%s", path + 5);
  return path;
}

/* A literal that PyTorch has and scanc has not: an integer beyond 64 bits, an element type, a graph
 * that is not in the text. */
static bool is_foreign(const fx_body *b, val v) {
  if (v.kind == VAL_BIGINT) return true;
  if (v.kind == VAL_ATOM)
    return strstr(v.s, "torch.float8") || strstr(v.s, "torch.uint") ||
           strstr(v.s, "torch.complex32");
  if (v.kind != VAL_NODE || v.node->kind != NODE_GET_ATTR) return false;
  const attr *a = graph_find_attr(b->g, v.node->path);
  return a && a->kind == ATTR_MODULE;
}

/* A call with such a literal, or in an autocast region, is kept without a type: it can be printed,
 * not run. So is a call with odd literals in a bare def, which knows no types anyway. */
static bool forgive(fx_body *b, const val *args, int n) {
  scanc_error *err = &b->r->m->err;
  if (!err->code) return true;
  bool foreign = b->cls->bare, about_argument = err->code == SCANC_ERR_BAD_ARGUMENT ||
                                                err->code == SCANC_ERR_UNSUPPORTED ||
                                                err->code == SCANC_ERR_BAD_DTYPE;
  for (int i = 0; i < n && about_argument; i++) foreign = foreign || is_foreign(b, args[i]);
  if (!(about_argument && foreign) && !(b->autocast && err->code == SCANC_ERR_DTYPE_MISMATCH))
    return false;
  *err = (scanc_error){0};
  return true;
}

/* Tuples of tuples share their parts, so a short text can name a value with more leaves than any
 * analysis could visit.
 */
static bool within(const type *t, int *left) {
  if (!t || t->kind != TYPE_LIST) return --*left >= 0;
  for (int i = 0; i < t->n; i++)
    if (!within(t->items[i], left)) return false;
  return --*left >= 0;
}

static node *finish(fx_body *b, node *n, fx_annot ann) {
  int left = FX_MAX_LEAVES;
  if (!n || !forgive(b, n->args, n->n_args)) return NULL;
  if (!within(n->type, &left)) {
    module_fail(b->r->m, SCANC_ERR_UNSUPPORTED, n->loc, "%.100s: a value of more than %d parts",
                n->name, FX_MAX_LEAVES);
    return NULL;
  }
  return fx_annotate(b, n, ann) ? n : NULL;
}

static void set_lenient(fx_body *b, const char *path, fx_annot ann) {
  b->r->m->lenient = ann.type || !strncmp(path, "torch.ops.higher_order.", 23);
}

node *fx_make_call(fx_body *b, const char *name, const char *path, const val *args, int n,
                   fx_annot ann) {
  set_lenient(b, path, ann);
  return finish(b, node_call(&b->c, name, path, args, n, NULL, 0), ann);
}

static node *make_function(fx_body *b, const char *name, fx_expr *e, fx_annot ann) {
  bool done = false;
  const char *path = function_path(b, e->path);
  int n_kw = e->kw.len, n_pos = e->args.len - n_kw;
  if (!name) name = fx_fresh(b, strrchr(path, '.') ? strrchr(path, '.') + 1 : path);
  if (!check_graphs(b, path, e->args.data, n_pos)) return NULL;
  if (!strncmp(path, "torch.amp.autocast_mode.", 24))
    b->autocast = !strcmp(path + 24, "_enter_autocast");
  set_lenient(b, path, ann);
  node *old = fx_old_form(b, name, e, &done);
  if (done) return old;
  return finish(b, node_call(&b->c, name, path, e->args.data, n_pos, e->kw.data, n_kw), ann);
}

static node *make_method(fx_body *b, const char *name, fx_expr *e, fx_annot ann) {
  VEC(val) args = {0};
  vec_push(b->r->tmp, &args, e->v);
  for (int i = 0; i < e->args.len; i++) vec_push(b->r->tmp, &args, e->args.data[i]);
  set_lenient(b, "", ann);
  return finish(b,
                node_call_method(&b->c, name, e->path, args.data, args.len - e->kw.len, e->kw.data,
                                 e->kw.len),
                ann);
}

static node *make_getattr(fx_body *b, const char *name, fx_expr *e, fx_annot ann) {
  val args[3] = {e->v, val_str(b->r->mem, e->path), e->index};
  return fx_make_call(b, name, "builtins.getattr", args, e->index.kind == VAL_ABSENT ? 2 : 3, ann);
}

static node *make_item(fx_body *b, const char *name, fx_expr *e, fx_annot ann) {
  bool done = false;
  const fx_old_scan *s = fx_find_old(b, e->v);
  node *n = s ? fx_old_item(b, name, s, e->index, ann, &done) : NULL;
  if (done) return n;
  val args[2] = {e->v, e->index};
  return fx_make_call(b, name, "operator.getitem", args, 2, ann);
}

node *fx_make(fx_body *b, const token *name_token, fx_expr *e, fx_annot ann) {
  const char *name = name_token ? fx_text(b->r, name_token) : NULL;
  switch (e->kind) {
    case FX_SELF:
      return finish(b, e->called ? make_module_call(b, name, e) : make_get_attr(b, name, e, ann),
                    ann);
    case FX_PATH: return make_function(b, name, e, ann);
    case FX_ATTR: return e->called ? make_method(b, name, e, ann) : make_getattr(b, name, e, ann);
    case FX_ITEM: return make_item(b, name, e, ann);
    case FX_VALUE: break;
  }
  fx_fail(b->r, e->at, SCANC_ERR_SYNTAX, "expected an operation, got the bare value %s",
          fx_show(b->r, e->at));
  return NULL;
}
