/* Builder calls. */
#include "ir/build.h"

static bool invalid(const cursor *c, const val *v, int n) {
  for (int i = 0; i < n; i++)
    if (v[i].kind == VAL_NODE && !v[i].node) return true;
  return c->g->mod->err.code != SCANC_OK;
}

node *build_op(cursor *c, op_id op, const val *operands, int n) {
  if (invalid(c, operands, n)) return NULL;
  const aten_row *row = aten_row_of_op(op);
  const op_info *base = op_get(row->op), *info = op_get(op);
  val v[MAX_OPERANDS];
  for (int k = 0; k < MAX_OPERANDS; k++) v[k] = val_absent();
  /* A variant's row has the signature of the row's main op: operands move by name, the deciding one
   * by its value. */
  aten_place_operands(row, info, operands, n, v);
  node *r = node_call_row(c, row, v, base->n_operands);
  return c->g->mod->err.code ? NULL : r;
}

#define EW1(name, ...) \
  node *build_##name(cursor *c, val a) { return build_op(c, OP_##name, &a, 1); }
#define EW2(name, ...) \
  node *build_##name(cursor *c, val a, val b) { return build_op(c, OP_##name, (val[]){a, b}, 2); }
#define EW3(name, ...) \
  node *build_##name(cursor *c, val a, val b, val d) { \
    return build_op(c, OP_##name, (val[]){a, b, d}, 3); \
  }
#define EW4(name, ...) \
  node *build_##name(cursor *c, val a, val b, val d, val e) { \
    return build_op(c, OP_##name, (val[]){a, b, d, e}, 4); \
  }
#include "ir/ops.def"

/* A call of a named overload with positional arguments. */
static node *call(cursor *c, const char *path, const val *args, int n) {
  if (invalid(c, args, n)) return NULL;
  node *r = node_call(c, NULL, path, args, n, NULL, 0);
  return c->g->mod->err.code ? NULL : r;
}
#define CALL(c, path, ...) \
  call((c), path, (val[]){__VA_ARGS__}, (int)(sizeof((val[]){__VA_ARGS__}) / sizeof(val)))

node *build_to(cursor *c, val a, scanc_dtype d) {
  return CALL(c, "torch.ops.aten.to.dtype", a, val_dtype(d));
}
node *build_getitem(cursor *c, node *tuple, int i) {
  return CALL(c, "operator.getitem", val_node(tuple), val_int(i));
}
node *build_sum(cursor *c, val a, val dims, bool keepdim) {
  return CALL(c, "torch.ops.aten.sum.dim_IntList", a, dims, val_bool(keepdim));
}
node *build_mean(cursor *c, val a, val dims, bool keepdim) {
  return CALL(c, "torch.ops.aten.mean.dim", a, dims, val_bool(keepdim));
}
node *build_amax(cursor *c, val a, val dims, bool keepdim) {
  return CALL(c, "torch.ops.aten.amax.default", a, dims, val_bool(keepdim));
}
node *build_reshape(cursor *c, val a, val sizes) {
  return CALL(c, "torch.ops.aten.reshape.default", a, sizes);
}
node *build_expand(cursor *c, val a, val sizes) {
  return CALL(c, "torch.ops.aten.expand.default", a, sizes);
}
node *build_permute(cursor *c, val a, const int *perm, int rank) {
  int64_t p[SCANC_MAX_RANK];
  for (int i = 0; i < rank; i++) p[i] = perm[i];
  return CALL(c, "torch.ops.aten.permute.default", a, val_ints(c->g->mod->mem, p, rank));
}
node *build_unsqueeze(cursor *c, val a, int axis) {
  return CALL(c, "torch.ops.aten.unsqueeze.default", a, val_int(axis));
}
node *build_squeeze(cursor *c, val a, int axis) {
  return CALL(c, "torch.ops.aten.squeeze.dim", a, val_int(axis));
}
node *build_select(cursor *c, val a, int axis, val index) {
  return CALL(c, "torch.ops.aten.select.int", a, val_int(axis), index);
}
node *build_slice(cursor *c, val a, int axis, val start, val end, val step) {
  return CALL(c, "torch.ops.aten.slice.Tensor", a, val_int(axis), start, end, step);
}
node *build_cat(cursor *c, const val *items, int n, int axis) {
  if (invalid(c, items, n)) return NULL;
  return CALL(c, "torch.ops.aten.cat.default", val_seq(c->g->mod->mem, VAL_LIST, items, n),
              val_int(axis));
}
node *build_matmul(cursor *c, val a, val b) {
  return CALL(c, "torch.ops.aten.matmul.default", a, b);
}
node *build_full(cursor *c, val sizes, val value, scanc_dtype d) {
  if (c->g->mod->err.code) return NULL;
  node *r = node_call(c, NULL, "torch.ops.aten.full.default", (val[]){sizes, value, val_dtype(d)},
                      2, (const char *[]){"dtype"}, 1);
  return c->g->mod->err.code ? NULL : r;
}
node *build_clone(cursor *c, val a) { return CALL(c, "torch.ops.aten.clone.default", a); }

val build_size(cursor *c, node *a, int axis) {
  if (!a) return val_node(NULL);
  if (type_is_tensor(a->type) && dim_is_int(a->type->dims[axis]))
    return val_int(a->type->dims[axis].k);
  return val_node(CALL(c, "torch.ops.aten.sym_size.int", val_node(a), val_int(axis)));
}

val build_sizes(cursor *c, node *a) {
  if (!a || !type_is_tensor(a->type)) return val_node(NULL);
  val items[SCANC_MAX_RANK];
  for (int i = 0; i < a->type->n; i++) items[i] = build_size(c, a, i);
  return val_seq(c->g->mod->mem, VAL_LIST, items, a->type->n);
}
