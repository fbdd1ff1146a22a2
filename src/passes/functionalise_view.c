/* Functionalisation: which ops show the memory of their operand, and how a write through such a
 * view changes it. */
#include <string.h>

#include "passes/functionalise.h"
#include "passes/view.h"

/* ---- which nodes are views ---- */

static node *operand_node(const node *n, int k) {
  return n->op && k < n->op->n_operands && n->operands[k].kind == VAL_NODE ? n->operands[k].node
                                                                           : NULL;
}

static bool is_item_of_view(const node *n) {
  const node *tuple = node_is_op(n, OP_getitem) ? operand_node(n, 0) : NULL;
  return tuple && tuple->op && (tuple->op->traits & T_VIEW) && n->operands[1].kind == VAL_INT;
}

static bool is_int(val v, int64_t i) { return v.kind == VAL_INT && v.i == i; }

/* A tensor laid out as its storage: reshaping it makes no copy. */
static bool is_plain(functionaliser *f, const node *n) {
  for (const cell *c; (c = cell_of(f, (node *)n))->parent; n = c->parent) {
    if (c->same) continue;
    switch (n->op->id) {
      case OP_view:
      case OP_reshape:
      case OP_flatten:
      case OP_unflatten:
      case OP_unsqueeze:
      case OP_squeeze: break;
      case OP_select:
      case OP_slice:
        if (is_int(n->operands[1], 0) && (n->op->id == OP_select || is_int(n->operands[4], 1)))
          break;
        return false;
      default: return false;
    }
  }
  return true;
}

static bool row_is(const node *n, const char *name) {
  return n->row && !strcmp(n->row->name, name);
}

/* Ops that give their operand itself when there is nothing to do. */
static bool gives_operand(functionaliser *f, const node *n) {
  const node *x = operand_node(n, 0);
  if (!x || !n->type || !type_equal(n->type, x->type)) return false;
  if (node_is_op(n, OP_alias)) return true;
  if (row_is(n, "contiguous.default")) return is_plain(f, x);
  return n->row && !strncmp(n->row->name, "to.", 3);
}

static bool may_reshape_in_place(functionaliser *f, const node *n) {
  const node *x = operand_node(n, 0);
  bool reshapes =
      node_is_op(n, OP_reshape) || node_is_op(n, OP_reshape_as) || node_is_op(n, OP_flatten);
  return reshapes && x && is_plain(f, x);
}

/* An earlier get_attr of the same tensor. */
static node *same_attr(const node *n) {
  for (node *p = n->prev; p; p = p->prev)
    if (p->kind == NODE_GET_ATTR && !strcmp(p->path, n->path)) return p;
  return NULL;
}

/* The node whose memory n shows, NULL if none; *same when it shows all of it. */
static node *viewed(functionaliser *f, const node *n, bool *same) {
  *same = true;
  if (n->kind == NODE_GET_ATTR) return val_graph(val_node((node *)n)) ? NULL : same_attr(n);
  if (gives_operand(f, n)) return operand_node(n, 0);
  *same = false;
  bool data = node_is_op(n, OP_getattr) && n->operands[1].kind == VAL_STR &&
              strchr("Tmd", n->operands[1].s[0]) && type_is_tensor(n->type);
  bool view = (n->op && (n->op->traits & T_VIEW)) || is_item_of_view(n) ||
              may_reshape_in_place(f, n) || data;
  return view ? operand_node(n, 0) : NULL;
}

static bool has_basic_parts(val index) {
  bool many = index.kind == VAL_TUPLE;
  for (int i = 0; i < (many ? index.n : 1); i++) {
    val v = many ? index.items[i] : index;
    if (v.kind == VAL_NODE) {
      const type *t = v.node->type;
      if (!t || t->kind != TYPE_INT) return false;
    } else if (v.kind != VAL_INT && v.kind != VAL_SLICE && v.kind != VAL_NONE &&
               v.kind != VAL_ELLIPSIS) {
      return false;
    }
  }
  return true;
}

bool view_track(functionaliser *f, node *n) {
  if (node_is_op(n, OP_tensor_getitem) && operand_node(n, 0) && has_basic_parts(n->operands[1])) {
    node *view = view_subscript(f, operand_node(n, 0), n->operands[1]);
    if (!view) return !f->m->err.code;
    node_replace_uses(n, view);
    node_erase(n);
    return true;
  }
  bool same;
  node *parent = viewed(f, n, &same);
  cell_refresh_args(f, n);
  if (parent) cell_link(f, n, parent, n->kind == NODE_GET_ATTR ? parent : operand_node(n, 0), same);
  return !f->m->err.code;
}

/* ---- subscripts ---- */

static node *linked(functionaliser *f, node *parent, node *source, node *n) {
  if (n) cell_link(f, n, parent, source, false);
  return n;
}

static node *subscript_part(functionaliser *f, node *x, val part, int *axis) {
  val src = val_node(cell_read(f, x));
  if (part.kind == VAL_NONE) return linked(f, x, src.node, build_unsqueeze(&f->at, src, (*axis)++));
  if (part.kind != VAL_SLICE) return linked(f, x, src.node, build_select(&f->at, src, *axis, part));
  val step = part.items[2].kind == VAL_NONE ? val_int(1) : part.items[2];
  val start = part.items[0], end = part.items[1];
  return linked(f, x, src.node, build_slice(&f->at, src, (*axis)++, start, end, step));
}

node *view_subscript(functionaliser *f, node *x, val index) {
  if (!has_basic_parts(index) || !x->type || !type_is_tensor(x->type)) return NULL;
  bool many = index.kind == VAL_TUPLE;
  int n = many ? index.n : 1, taken = 0, axis = 0, rank = x->type->n;
  for (int i = 0; i < n; i++) {
    val v = many ? index.items[i] : index;
    taken += v.kind != VAL_NONE && v.kind != VAL_ELLIPSIS;
  }
  for (int i = 0; i < n && x; i++) {
    val v = many ? index.items[i] : index;
    if (v.kind == VAL_ELLIPSIS) axis += rank - taken;
    else x = subscript_part(f, x, v, &axis);
  }
  return x;
}

/* ---- writes through views ---- */

static node *scatter(functionaliser *f, const char *path, const node *view, node *x, int n_rest) {
  val args[MAX_OPERANDS] = {val_node(cell_read(f, cell_of(f, (node *)view)->parent)), val_node(x)};
  for (int k = 0; k < n_rest; k++) args[2 + k] = view->operands[1 + k];
  return node_call(&f->at, NULL, path, args, 2 + n_rest, NULL, 0);
}

static node *invert_permutation(functionaliser *f, const int *perm, int rank, node *x) {
  int inverse[SCANC_MAX_RANK];
  for (int i = 0; i < rank; i++) inverse[perm[i]] = i;
  return build_permute(&f->at, val_node(x), inverse, rank);
}

static node *invert_narrow(functionaliser *f, const node *view, node *x) {
  val start = view->operands[2], length = view->operands[3];
  if (start.kind != VAL_INT || length.kind != VAL_INT) return NULL;
  val args[] = {val_node(cell_read(f, cell_of(f, (node *)view)->parent)), val_node(x),
                view->operands[1], start, val_int(start.i + length.i)};
  return node_call(&f->at, NULL, "torch.ops.aten.slice_scatter.default", args, 5, NULL, 0);
}

/* Item `item` of a split of p: the slice behind the sizes of the items before it. */
static node *invert_item(functionaliser *f, const node *item, node *x) {
  const node *tuple = cell_of(f, (node *)item)->parent;
  const type *parts = tuple->type;
  node *p = cell_read(f, cell_of(f, (node *)tuple)->parent);
  int axis_operand = node_is_op(tuple, OP_unbind) ? 1 : 2, axis;
  if (!parts || parts->kind != TYPE_LIST || !p->type || tuple->op->n_operands <= axis_operand ||
      !view_axis(tuple->operands[axis_operand], p->type->n, &axis))
    return NULL;
  int64_t k = item->operands[1].i, start = 0;
  if (k < 0) k += parts->n;
  if (node_is_op(tuple, OP_unbind))
    return node_call(&f->at, NULL, "torch.ops.aten.select_scatter.default",
                     (val[]){val_node(p), val_node(x), val_int(axis), val_int(k)}, 4, NULL, 0);
  for (int64_t i = 0; i <= k; i++)
    if (!parts->items[i] || !type_is_tensor(parts->items[i]) ||
        !dim_is_int(parts->items[i]->dims[axis]))
      return NULL;
  for (int64_t i = 0; i < k; i++) start += parts->items[i]->dims[axis].k;
  val args[] = {val_node(p), val_node(x), val_int(axis), val_int(start),
                val_int(start + parts->items[k]->dims[axis].k)};
  return node_call(&f->at, NULL, "torch.ops.aten.slice_scatter.default", args, 5, NULL, 0);
}

static node *invert_complex(functionaliser *f, const node *view, node *x) {
  val p = val_node(cell_read(f, cell_of(f, (node *)view)->parent));
  switch (view->op->id) {
    case OP_view_as_real: return build_op(&f->at, OP_view_as_complex, (val[]){val_node(x)}, 1);
    case OP_view_as_complex: return build_op(&f->at, OP_view_as_real, (val[]){val_node(x)}, 1);
    case OP_real:
      return build_op(&f->at, OP_complex, (val[]){val_node(x), V(build_op(&f->at, OP_imag, &p, 1))},
                      2);
    default:
      return build_op(&f->at, OP_complex, (val[]){V(build_op(&f->at, OP_real, &p, 1)), val_node(x)},
                      2);
  }
}

/* NULL without an error: no inverse is known. */
static node *invert(functionaliser *f, node *n, node *x) {
  int perm[SCANC_MAX_RANK];
  node *parent = cell_of(f, n)->parent;
  if (view_permutation(n, perm)) return invert_permutation(f, perm, n->type->n, x);
  if (n->op->traits & T_RESHAPE)
    return build_reshape(&f->at, val_node(x), build_sizes(&f->at, cell_of(f, parent)->value));
  switch (n->op->id) {
    case OP_getattr: return x;
    case OP_getitem: return invert_item(f, n, x);
    case OP_select: return scatter(f, "torch.ops.aten.select_scatter.default", n, x, 2);
    case OP_slice: return scatter(f, "torch.ops.aten.slice_scatter.default", n, x, 4);
    case OP_diagonal: return scatter(f, "torch.ops.aten.diagonal_scatter.default", n, x, 3);
    case OP_as_strided: return scatter(f, "torch.ops.aten.as_strided_scatter.default", n, x, 3);
    case OP_narrow: return invert_narrow(f, n, x);
    case OP_view_as_real:
    case OP_view_as_complex:
    case OP_real:
    case OP_imag: return invert_complex(f, n, x);
    default: return NULL;
  }
}

node *view_invert(functionaliser *f, node *n, node *x, const node *by) {
  bool expands = node_is_op(n, OP_expand) || node_is_op(n, OP_expand_as);
  if (expands) {
    module_fail(f->m, SCANC_ERR_MUTATION, by->loc,
                "'%s' writes to '%s', whose elements share memory (expand)", by->name, n->name);
    return NULL;
  }
  node *p = invert(f, n, x);
  if (!p || f->m->err.code) {
    module_fail(f->m, SCANC_ERR_UNSUPPORTED, by->loc,
                "'%s' writes through the view '%s' (%s), which scanc cannot undo", by->name,
                n->name, n->op ? n->op->name : "unknown");
    return NULL;
  }
  return p;
}
