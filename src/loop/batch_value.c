#include "loop/batch_value.h"

#include "ir/build.h"

static int seq_len(val v) { return val_is_seq(v) ? v.n : 0; }

static const node *node_of(val v) { return v.kind == VAL_NODE ? v.node : NULL; }

/* ---- values of all steps ---- */

static void build_operand(node *n, void *ctx) { batch_value(ctx, n); }

static val mapped(node *n, void *ctx) { return ((batch *)ctx)->to[n->id]; }

/* The call with other arguments. */
static node *call_like(batch *b, const node *n, const val *args) {
  const char *const *kw = n->kw;
  if (n->kind == NODE_CALL_METHOD)
    return node_call_method(&b->c, NULL, n->path, args, n->n_pos, kw, n->n_args - n->n_pos);
  return node_call(&b->c, NULL, n->path, args, n->n_pos, kw, n->n_args - n->n_pos);
}

/* Operands of lower rank than the result get dimensions of size 1 behind that of time. */
typedef struct {
  batch *b;
  int rank;
} lifting;

static val lifted(node *n, void *ctx) {
  const lifting *l = ctx;
  batch *b = l->b;
  val v = b->to[n->id];
  if (!b->stepped[n->id] || !type_is_tensor(n->type)) return v;
  for (int r = n->type->n; r < l->rank && v.kind == VAL_NODE; r++)
    v = batch_made(b, build_unsqueeze(&b->c, v, 1));
  return v;
}

typedef struct {
  const batch *b;
  const node *first; /* tensor among the operands */
  bool single;       /* one of one element gets a dimension */
  bool mixed;        /* element types differ, or are halves */
} typing;

static void look_at_type(node *n, void *ctx) {
  typing *t = ctx;
  if (!type_is_tensor(n->type)) return;
  if (!t->first) t->first = n;
  t->single |= t->b->stepped[n->id] && n->type->n == 0;
  t->mixed |= n->type->dtype != t->first->type->dtype || n->type->dtype == SCANC_F16 ||
              n->type->dtype == SCANC_BF16;
}

/* Tensors of one element count less in the choice of the type; with time they are of many. */
static bool keeps_types(const batch *b, const node *n) {
  typing t = {b, NULL, false, false};
  for (int i = 0; i < n->n_args; i++) val_each_node(n->args[i], look_at_type, &t);
  return !t.single || !t.mixed;
}

static val elementwise(batch *b, const node *n) {
  lifting l = {b, n->type->n};
  val *args = ARENA_ARRAY(b->m->mem, val, n->n_args);
  if (!keeps_types(b, n)) return val_none();
  for (int i = 0; i < n->n_args; i++) args[i] = val_map_nodes(b->m->mem, n->args[i], lifted, &l);
  return b->m->err.code ? val_none() : batch_made(b, call_like(b, n, args));
}

/* ---- reductions ---- */

/* The dimensions that operand k names, one further; all of them if it names none. */
static bool shifted_dims(const batch *b, const node *n, int k, val *out) {
  const node *x = node_of(n->operands[0]);
  val v = n->operands[k], items[SCANC_MAX_RANK];
  bool list = val_is_seq(v), none = v.kind == VAL_NONE || v.kind == VAL_ABSENT || (list && !v.n);
  int rank = x->type->n, count = none ? rank : list ? v.n : 1;
  if (count > SCANC_MAX_RANK || count == 0) return false;
  for (int i = 0; i < count; i++) {
    val d = none ? val_int(i) : list ? v.items[i] : v;
    if (d.kind != VAL_INT) return false;
    items[i] = val_int(1 + (d.i < 0 ? d.i + rank : d.i));
  }
  *out = val_seq(b->m->mem, VAL_LIST, items, count);
  return true;
}

static bool has_elements(const node *x) {
  bool some = true;
  for (int d = 0; d < x->type->n; d++)
    some = some && dim_is_int(x->type->dims[d]) && x->type->dims[d].k > 0;
  return some;
}

/* path: of the overload with a list of dimensions. */
static val reduce(batch *b, const node *n, const char *path) {
  bool keep = n->operands[2].kind == VAL_BOOL && n->operands[2].i;
  const node *x = node_of(n->operands[0]);
  val dims;
  if (!x || !b->stepped[x->id] || !shifted_dims(b, n, 1, &dims)) return val_none();
  if ((n->op->id == OP_amax || n->op->id == OP_amin) && !has_elements(x)) return val_none();
  if (n->op->n_operands > 3 && n->operands[3].kind != VAL_NONE && n->operands[3].kind != VAL_ABSENT)
    return val_none();
  val args[] = {b->to[x->id], dims, val_bool(keep)};
  return batch_made(b, node_call(&b->c, NULL, path, args, 3, NULL, 0));
}

/* ---- views ---- */

static int64_t shifted(const node *x, int64_t d, int more) {
  return 1 + (d < 0 ? d + x->type->n + more : d);
}

static val view(batch *b, const node *n) {
  const node *x = node_of(n->operands[0]);
  if (!x || !b->stepped[x->id]) return val_none();
  val v = b->to[x->id], at = n->op->n_operands > 1 ? n->operands[1] : val_none();
  int perm[SCANC_MAX_RANK] = {0};
  if (n->op->id == OP_unsqueeze && at.kind == VAL_INT)
    return batch_made(b, build_unsqueeze(&b->c, v, (int)shifted(x, at.i, 1)));
  if (n->op->id == OP_select && at.kind == VAL_INT && n->operands[2].kind == VAL_INT)
    return batch_made(b, build_select(&b->c, v, (int)shifted(x, at.i, 0), n->operands[2]));
  if (n->op->id == OP_permute && seq_len(at) == x->type->n && at.n + 1 <= SCANC_MAX_RANK) {
    for (int i = 0; i < at.n; i++) {
      if (at.items[i].kind != VAL_INT) return val_none();
      perm[1 + i] = (int)shifted(x, at.items[i].i, 0);
    }
    return batch_made(b, build_permute(&b->c, v, perm, at.n + 1));
  }
  return val_none();
}

/* The elements of x with the dimensions of t from `first` on, which are numbers, behind one that
 * takes the rest. */
static val rows_of(batch *b, val x, const type *t, int first) {
  val sizes[SCANC_MAX_RANK] = {val_int(-1)};
  for (int d = first; d < t->n; d++) sizes[1 + d - first] = val_int(t->dims[d].k);
  return batch_made(b,
                    build_reshape(&b->c, x, val_seq(b->m->mem, VAL_LIST, sizes, 1 + t->n - first)));
}

static val reshape(batch *b, const node *n) {
  const node *x = node_of(n->operands[0]);
  if (!x || !b->stepped[x->id] || n->type->n >= SCANC_MAX_RANK || !has_elements(n))
    return val_none();
  return rows_of(b, b->to[x->id], n->type, 0);
}

/* A part of one dimension. */
static val slice(batch *b, const node *n) {
  const node *x = node_of(n->operands[0]);
  val args[5];
  if (!x || !b->stepped[x->id] || n->operands[1].kind != VAL_INT) return val_none();
  for (int i = 0; i < 5; i++) args[i] = n->operands[i];
  args[0] = b->to[x->id];
  args[1] = val_int(shifted(x, n->operands[1].i, 0));
  return batch_made(b, build_op(&b->c, OP_slice, args, 5));
}

/* ---- products ---- */

/* Whether a product of those ranks, one of which gets a dimension of time in front, is one of
 * operands whose other dimensions in front still meet. */
static bool time_stays_apart(int stepped, int other) {
  return other <= 2 ? stepped >= 1 : stepped >= other;
}

/* Of matrices, vectors and batches of them; sums keep their order. */
static val product(batch *b, const node *n) {
  const node *x = node_of(n->operands[0]), *y = node_of(n->operands[1]);
  if (!x || !y || !type_is_tensor(x->type) || !type_is_tensor(y->type)) return val_none();
  bool left = b->stepped[x->id], right = b->stepped[y->id];
  val p = b->to[x->id], q = b->to[y->id];
  int xr = x->type->n, yr = y->type->n;
  if (xr < 1 || yr < 1) return val_none();
  if (left && right)
    return xr == yr && xr > 1 ? batch_made(b, build_matmul(&b->c, p, q)) : val_none();
  if (left) return time_stays_apart(xr, yr) ? batch_made(b, build_matmul(&b->c, p, q)) : val_none();
  if (yr > 1)
    return time_stays_apart(yr, xr) ? batch_made(b, build_matmul(&b->c, p, q)) : val_none();
  if (xr == 2) { /* rows of the result are products of the matrix */
    node *turned = build_permute(&b->c, p, (int[]){1, 0}, 2);
    return batch_made(b, build_matmul(&b->c, q, V(turned)));
  }
  return xr == 1 ? batch_made(b, build_matmul(&b->c, q, p)) : val_none();
}

/* The steps are more of the batch, the first dimension. */
static val convolution(batch *b, const node *n) {
  const node *x = node_of(n->operands[0]);
  bool fixed = true;
  for (int k = 1; k < n->op->n_operands; k++)
    fixed &= n->operands[k].kind != VAL_NODE || !b->stepped[n->operands[k].node->id];
  if (!fixed || !x || !b->stepped[x->id] || !has_elements(x) || !has_elements(n) ||
      n->type->n >= SCANC_MAX_RANK)
    return val_none();
  val *args = ARENA_ARRAY(b->m->mem, val, n->op->n_operands);
  for (int k = 0; k < n->op->n_operands; k++)
    args[k] = val_map_nodes(b->m->mem, n->operands[k], mapped, b);
  args[0] = rows_of(b, b->to[x->id], x->type, 1);
  if (args[0].kind != VAL_NODE) return val_none();
  val all = batch_made(b, build_op(&b->c, OP_convolution, args, n->op->n_operands));
  return all.kind == VAL_NODE ? rows_of(b, all, n->type, 0) : val_none();
}

/* ---- nodes ---- */

static val stepped_value(batch *b, const node *n) {
  switch (n->op->id) {
    case OP_sum: return reduce(b, n, "torch.ops.aten.sum.dim_IntList");
    case OP_mean: return reduce(b, n, "torch.ops.aten.mean.dim");
    case OP_amax: return reduce(b, n, "torch.ops.aten.amax.default");
    case OP_amin: return reduce(b, n, "torch.ops.aten.amin.default");
    case OP_unsqueeze:
    case OP_select:
    case OP_permute: return view(b, n);
    case OP_slice: return slice(b, n);
    case OP_view:
    case OP_squeeze:
    case OP_reshape: return reshape(b, n);
    case OP_convolution: return convolution(b, n);
    case OP_mm:
    case OP_bmm:
    case OP_mv:
    case OP_dot:
    case OP_matmul: return product(b, n);
    default: break;
  }
  bool plain = n->op->kind == OPK_EW || n->op->id == OP_clone || n->op->id == OP_to;
  return plain && type_is_tensor(n->type) ? elementwise(b, n) : val_none();
}

/* What is the same in every step; once is enough, if there is a step. */
static val same_value(batch *b, const node *n) {
  val *args = ARENA_ARRAY(b->m->mem, val, n->n_args);
  if (n->op->traits & (T_DATA | T_BODY | T_DYNAMIC) || !type_is_tensor(n->type)) return val_none();
  for (int i = 0; i < n->n_args; i++) args[i] = val_map_nodes(b->m->mem, n->args[i], mapped, b);
  return b->m->err.code ? val_none() : batch_made(b, call_like(b, n, args));
}

/* The type of n, with time in front. */
static bool has_type(const batch *b, const node *n) {
  const type *t = node_of(b->to[n->id]) ? node_of(b->to[n->id])->type : NULL;
  int more = b->stepped[n->id];
  bool ok = t && type_is_tensor(t) && t->dtype == n->type->dtype && t->n == n->type->n + more;
  if (ok && more) ok = dim_equal(t->dims[0], b->length);
  for (int d = 0; ok && d < n->type->n; d++) ok = dim_equal(t->dims[d + more], n->type->dims[d]);
  return ok;
}

static bool is_call(const node *n) {
  return n->kind == NODE_CALL_FUNCTION || n->kind == NODE_CALL_METHOD;
}

bool batch_value(batch *b, const node *n) {
  if (b->to[n->id].kind != VAL_ABSENT) return b->to[n->id].kind != VAL_NONE;
  b->to[n->id] = val_none();
  if (!is_call(n) || !n->op || n->in_place || n->op->traits & T_EFFECT || b->m->err.code)
    return false;
  for (int i = 0; i < n->n_args; i++) val_each_node(n->args[i], build_operand, b);
  for (int i = 0; i < n->n_arg_uses; i++)
    if (b->to[n->arg_uses[i].def->id].kind == VAL_NONE) return false;
  b->c.loc = n->loc, b->c.origin = n->origin;
  b->to[n->id] = b->stepped[n->id] ? stepped_value(b, n) : same_value(b, n);
  if (b->to[n->id].kind != VAL_NODE || !has_type(b, n)) b->to[n->id] = val_none();
  return b->to[n->id].kind == VAL_NODE;
}
