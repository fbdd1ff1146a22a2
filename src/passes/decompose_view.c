/* Composites among views and joins, written in permute, reshape, slice, cat and their kin. */
#include "ir/shape.h"
#include "passes/decompose.h"

static int rank_of(const node *n, int k) { return val_type(n->owner->mod, n->operands[k])->n; }

static int wrapped(int64_t axis, int rank) {
  return (int)(axis < 0 ? axis + (rank ? rank : 1) : axis);
}

static val permuted(cursor *c, val x, const int *perm, int rank) {
  return V(build_permute(c, x, perm, rank));
}

static val swapped(cursor *c, val x, int rank, int a, int b) {
  int perm[SCANC_MAX_RANK];
  for (int i = 0; i < rank; i++) perm[i] = i == a ? b : i == b ? a : i;
  return rank ? permuted(c, x, perm, rank) : V(build_op(c, OP_alias, &x, 1));
}

/* ---- subscripts ---- */

static bool is_tensor_item(val v) { return v.kind == VAL_NODE && type_is_tensor(v.node->type); }

/* How many dimensions of the operand an item stands for; a mask stands for its own. */
static int dims_of_item(val v) {
  if (v.kind == VAL_NONE || v.kind == VAL_ELLIPSIS) return 0;
  bool mask =
      is_tensor_item(v) && (v.node->type->dtype == SCANC_BOOL || v.node->type->dtype == SCANC_U8);
  return mask ? v.node->type->n : 1;
}

/* Integers, slices and None first, as views; then all tensors at once. */
val decompose_tensor_getitem(cursor *c, node *n) {
  val index = n->operands[1], x = n->operands[0], tensors[2 * SCANC_MAX_RANK];
  bool many = index.kind == VAL_TUPLE || index.kind == VAL_LIST, advanced = false;
  int count = many ? index.n : 1, taken = 0, axis = 0, entries = 0, rank = rank_of(n, 0);
  const val *items = many ? index.items : &index;
  for (int i = 0; i < count; i++) taken += dims_of_item(items[i]);
  for (int i = 0; i < count && x.kind == VAL_NODE && x.node; i++) {
    val v = items[i];
    int width = v.kind == VAL_ELLIPSIS ? rank - taken : v.kind == VAL_NONE ? 1 : dims_of_item(v);
    if (is_tensor_item(v)) {
      advanced = true;
      tensors[entries++] = v;
    } else if (v.kind == VAL_INT || v.kind == VAL_BOOL || v.kind == VAL_NODE) {
      x = V(build_select(c, x, axis, v.kind == VAL_BOOL ? val_int(v.i) : v));
      continue;
    } else {
      bool slice = v.kind == VAL_SLICE, steps = slice && v.items[2].kind != VAL_NONE;
      val step = steps ? v.items[2] : val_int(1);
      if (v.kind == VAL_NONE) x = V(build_unsqueeze(c, x, axis));
      if (slice) x = V(build_slice(c, x, axis, v.items[0], v.items[1], step));
      for (int k = 0; k < width; k++) tensors[entries++] = val_none();
    }
    axis += width;
  }
  if (x.kind != VAL_NODE || !x.node) return val_absent();
  if (!advanced) return x.node == n->operands[0].node ? V(build_op(c, OP_alias, &x, 1)) : x;
  val list = val_seq(c->g->mod->mem, VAL_LIST, tensors, entries);
  node *r = build_op(c, OP_index, (val[]){x, list}, 2);
  if (r) r->type = n->type; /* of masks, a size that only the data tell: the same one */
  return V(r);
}

/* ---- permutations ---- */

val decompose_transpose(cursor *c, node *n) {
  int rank = rank_of(n, 0);
  return swapped(c, n->operands[0], rank, wrapped(n->operands[1].i, rank),
                 wrapped(n->operands[2].i, rank));
}

val decompose_t(cursor *c, node *n) {
  int rank = rank_of(n, 0);
  return swapped(c, n->operands[0], rank, 0, rank - 1);
}

val decompose_mT(cursor *c, node *n) {
  int rank = rank_of(n, 0);
  return swapped(c, n->operands[0], rank, rank - 2, rank - 1);
}

val decompose_adjoint(cursor *c, node *n) { return V(build_conj(c, decompose_mT(c, n))); }

val decompose_numpy_T(cursor *c, node *n) {
  int rank = rank_of(n, 0), perm[SCANC_MAX_RANK];
  for (int i = 0; i < rank; i++) perm[i] = rank - 1 - i;
  return rank ? permuted(c, n->operands[0], perm, rank) : swapped(c, n->operands[0], 0, 0, 0);
}

/* Axes of a literal integer or list. */
static int axes_of(val v, int rank, int *axes) {
  if (!val_is_seq(v)) return axes[0] = wrapped(v.i, rank), 1;
  for (int i = 0; i < v.n; i++) axes[i] = wrapped(v.items[i].i, rank);
  return v.n;
}

val decompose_movedim(cursor *c, node *n) {
  int rank = rank_of(n, 0), from[SCANC_MAX_RANK], to[SCANC_MAX_RANK], perm[SCANC_MAX_RANK];
  int m = axes_of(n->operands[1], rank, from);
  axes_of(n->operands[2], rank, to);
  if (!rank) return swapped(c, n->operands[0], 0, 0, 0);
  shape_movedim(rank, from, to, m, perm);
  return permuted(c, n->operands[0], perm, rank);
}

/* ---- splitting ---- */

static val split_along(cursor *c, node *n, int axis) {
  val args[3] = {n->operands[0], n->operands[1], val_int(axis)};
  const char *path = val_is_seq(args[1]) ? "torch.ops.aten.tensor_split.indices"
                                         : "torch.ops.aten.tensor_split.sections";
  node *split = node_call(c, NULL, path, args, 3, NULL, 0);
  if (!split || !split->type) return val_absent();
  val *items = ARENA_ARRAY(n->owner->mod->mem, val, split->type->n);
  for (int i = 0; i < split->type->n; i++) items[i] = V(build_getitem(c, split, i));
  return val_seq(n->owner->mod->mem, VAL_TUPLE, items, split->type->n);
}

val decompose_hsplit(cursor *c, node *n) { return split_along(c, n, rank_of(n, 0) == 1 ? 0 : 1); }
val decompose_vsplit(cursor *c, node *n) { return split_along(c, n, 0); }
val decompose_dsplit(cursor *c, node *n) { return split_along(c, n, 2); }

/* ---- joining ---- */

/* The tensors of operand 0 raised by `raise` and concatenated. */
static val joined(cursor *c, node *n, val (*raise)(cursor *c, val x, int rank, int axis),
                  int axis) {
  val list = n->operands[0];
  val *items = ARENA_ARRAY(n->owner->mod->mem, val, list.n);
  for (int i = 0; i < list.n; i++)
    items[i] = raise(c, list.items[i], val_type(n->owner->mod, list.items[i])->n, axis);
  return V(build_cat(c, items, list.n, axis));
}

static val unsqueezed(cursor *c, val x, int axis) { return V(build_unsqueeze(c, x, axis)); }

static val raise_any(cursor *c, val x, int rank, int axis) {
  (void)rank;
  return unsqueezed(c, x, axis);
}

static val raise_1(cursor *c, val x, int rank, int axis) {
  (void)axis;
  return rank ? x : unsqueezed(c, x, 0);
}

static val raise_2(cursor *c, val x, int rank, int axis) {
  return rank >= 2 ? x : unsqueezed(c, raise_1(c, x, rank, axis), 0);
}
static val raise_3(cursor *c, val x, int rank, int axis) {
  return rank >= 3 ? x : unsqueezed(c, raise_2(c, x, rank, axis), 2);
}
static val raise_column(cursor *c, val x, int rank, int axis) {
  return rank >= 2 ? x : unsqueezed(c, raise_1(c, x, rank, axis), 1);
}

val decompose_stack(cursor *c, node *n) {
  return joined(c, n, raise_any, wrapped(n->operands[1].i, n->type->n));
}
val decompose_hstack(cursor *c, node *n) { return joined(c, n, raise_1, n->type->n == 1 ? 0 : 1); }
val decompose_vstack(cursor *c, node *n) { return joined(c, n, raise_2, 0); }
val decompose_dstack(cursor *c, node *n) { return joined(c, n, raise_3, 2); }
val decompose_column_stack(cursor *c, node *n) { return joined(c, n, raise_column, 1); }

/* ---- flips ---- */

static val flipped(cursor *c, val x, int64_t axis) {
  arena *mem = c->g->mod->mem;
  val operands[2] = {x, val_ints(mem, &axis, 1)};
  return V(build_op(c, OP_flip, operands, 2));
}

val decompose_fliplr(cursor *c, node *n) { return flipped(c, n->operands[0], 1); }
val decompose_flipud(cursor *c, node *n) { return flipped(c, n->operands[0], 0); }

val decompose_rot90(cursor *c, node *n) {
  int rank = rank_of(n, 0), axes[SCANC_MAX_RANK] = {0};
  int64_t k = (n->operands[1].i % 4 + 4) % 4;
  val x = n->operands[0];
  axes_of(n->operands[2], rank, axes);
  if (k == 0) return V(build_clone(c, x));
  if (k == 2) return flipped(c, flipped(c, x, axes[0]), axes[1]);
  return swapped(c, flipped(c, x, k == 1 ? axes[1] : axes[0]), rank, axes[0], axes[1]);
}

/* ---- padding with a mode that the name says ---- */

static val padded(cursor *c, node *n, const char *mode) {
  val operands[3] = {n->operands[0], n->operands[1], val_str(n->owner->mod->mem, mode)};
  return V(build_op(c, OP_pad, operands, 3));
}

val decompose_reflection_pad(cursor *c, node *n) { return padded(c, n, "reflect"); }
val decompose_replication_pad(cursor *c, node *n) { return padded(c, n, "replicate"); }
val decompose_circular_pad(cursor *c, node *n) { return padded(c, n, "circular"); }

/* ---- pixels and channels ---- */

/* x viewed with size[0..rank), permuted and viewed as n's type; a size of NULL type is symbolic and
 * comes from x. */
static val regrouped(cursor *c, node *n, const val *split, int n_split, const int *perm,
                     const val *last) {
  arena *mem = n->owner->mod->mem;
  int lead = n->type->n - 3;
  val sizes[SCANC_MAX_RANK + 3], out[SCANC_MAX_RANK];
  int order[SCANC_MAX_RANK + 3];
  node *x = n->operands[0].node;
  for (int i = 0; i < lead; i++) sizes[i] = out[i] = build_size(c, x, i), order[i] = i;
  for (int i = 0; i < n_split; i++) sizes[lead + i] = split[i], order[lead + i] = lead + perm[i];
  for (int i = 0; i < 3; i++) out[lead + i] = last[i];
  node *parts = build_reshape(c, V(x), val_seq(mem, VAL_LIST, sizes, lead + n_split));
  return V(build_reshape(c, V(build_permute(c, V(parts), order, lead + n_split)),
                         val_seq(mem, VAL_LIST, out, lead + 3)));
}

/* The last three sizes of n's result as integers; false when one is symbolic. */
static bool last_sizes(const node *n, val out[3]) {
  for (int i = 0; i < 3; i++) {
    dim d = n->type->dims[n->type->n - 3 + i];
    if (!dim_is_int(d)) return false;
    out[i] = val_int(d.k);
  }
  return true;
}

val decompose_pixel_shuffle(cursor *c, node *n) {
  static const int perm[] = {0, 3, 1, 4, 2};
  val last[3];
  int64_t r = n->operands[1].i;
  if (n->operands[0].kind != VAL_NODE || !last_sizes(n, last)) return val_absent();
  val split[5] = {last[0], val_int(r), val_int(r), val_int(last[1].i / r), val_int(last[2].i / r)};
  return regrouped(c, n, split, 5, perm, last);
}

val decompose_pixel_unshuffle(cursor *c, node *n) {
  static const int perm[] = {0, 2, 4, 1, 3};
  val last[3];
  int64_t r = n->operands[1].i;
  if (n->operands[0].kind != VAL_NODE || !last_sizes(n, last)) return val_absent();
  val split[5] = {val_int(last[0].i / (r * r)), last[1], val_int(r), last[2], val_int(r)};
  return regrouped(c, n, split, 5, perm, last);
}

/* ---- diagonals, order ---- */

val decompose_diag(cursor *c, node *n) {
  val operands[2] = {n->operands[0], n->operands[1]};
  if (rank_of(n, 0) == 1) return V(build_op(c, OP_diag_embed, operands, 2));
  return V(build_clone(c, V(build_op(c, OP_diagonal, operands, 2))));
}

val decompose_diagflat(cursor *c, node *n) {
  val minus = val_int(-1);
  val operands[2] = {
      V(build_reshape(c, n->operands[0], val_seq(n->owner->mod->mem, VAL_LIST, &minus, 1))),
      n->operands[1]};
  return V(build_op(c, OP_diag_embed, operands, 2));
}

val decompose_msort(cursor *c, node *n) {
  val operands[2] = {n->operands[0], val_int(0)};
  node *sorted = build_op(c, OP_sort, operands, 2);
  return sorted ? V(build_getitem(c, sorted, 0)) : val_absent();
}
