#include "loop/batch.h"

#include "ir/build.h"
#include "loop/body.h"
#include "loop/op_cost.h"

enum {
  FEW_LANES = 4,        /* elements of carries that are no vector */
  COSTLY = 15,          /* instructions of an operation that is worth another array */
  MAX_GROWTH = 4,       /* times the bytes of a step's xs and ys */
  MAX_BYTES = 64 << 20, /* of an array for all steps, where they are known */
  FEW_STEPS = 16
};

typedef struct {
  module *m;
  node *scan;
  const graph *g;
  cursor c; /* before the scan */
  dim length;
  bool backward; /* step t is index length - 1 - t */
  int n_state, n_x;
  bool *stepped; /* per node id: depends on xs, and on no carry */
  bool *state;   /* per node id: depends on a carry */
  val *to;       /* per node id: the value of all steps, or of any; ABSENT: not made yet */
  int n_ids;
} batch;

static int seq_len(val v) { return val_is_seq(v) ? v.n : 0; }

static const node *node_of(val v) { return v.kind == VAL_NODE ? v.node : NULL; }

/* ---- values of all steps ---- */

static bool build_value(batch *b, const node *n);

static void build_operand(node *n, void *ctx) { build_value(ctx, n); }

static val mapped(node *n, void *ctx) { return ((batch *)ctx)->to[n->id]; }

static val made(batch *b, node *n) { return n && !b->m->err.code ? val_node(n) : val_none(); }

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
    v = made(b, build_unsqueeze(&b->c, v, 1));
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
  return b->m->err.code ? val_none() : made(b, call_like(b, n, args));
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
  return made(b, node_call(&b->c, NULL, path, args, 3, NULL, 0));
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
    return made(b, build_unsqueeze(&b->c, v, (int)shifted(x, at.i, 1)));
  if (n->op->id == OP_select && at.kind == VAL_INT && n->operands[2].kind == VAL_INT)
    return made(b, build_select(&b->c, v, (int)shifted(x, at.i, 0), n->operands[2]));
  if (n->op->id == OP_permute && seq_len(at) == x->type->n && at.n + 1 <= SCANC_MAX_RANK) {
    for (int i = 0; i < at.n; i++) {
      if (at.items[i].kind != VAL_INT) return val_none();
      perm[1 + i] = (int)shifted(x, at.items[i].i, 0);
    }
    return made(b, build_permute(&b->c, v, perm, at.n + 1));
  }
  return val_none();
}

/* Sizes that are numbers, behind that of time, which is what is left. */
static val reshape(batch *b, const node *n) {
  const node *x = node_of(n->operands[0]);
  val sizes[SCANC_MAX_RANK] = {val_int(-1)};
  if (!x || !b->stepped[x->id] || n->type->n >= SCANC_MAX_RANK || !has_elements(n))
    return val_none();
  for (int d = 0; d < n->type->n; d++) sizes[1 + d] = val_int(n->type->dims[d].k);
  return made(
      b, build_reshape(&b->c, b->to[x->id], val_seq(b->m->mem, VAL_LIST, sizes, n->type->n + 1)));
}

/* ---- products ---- */

/* Of matrices and vectors; sums keep their order. */
static val product(batch *b, const node *n) {
  const node *x = node_of(n->operands[0]), *y = node_of(n->operands[1]);
  if (!x || !y || !type_is_tensor(x->type) || !type_is_tensor(y->type)) return val_none();
  bool left = b->stepped[x->id], right = b->stepped[y->id];
  val p = b->to[x->id], q = b->to[y->id];
  int xr = x->type->n, yr = y->type->n;
  if (xr > 2 || yr > 2 || xr < 1 || yr < 1) return val_none();
  if (!right) return made(b, build_matmul(&b->c, p, q));
  if (yr == 2 && xr == 2) return made(b, build_matmul(&b->c, p, q));
  if (xr == 2 && yr == 1 && !left) { /* rows of the result are products of the matrix */
    node *turned = build_permute(&b->c, p, (int[]){1, 0}, 2);
    return made(b, build_matmul(&b->c, q, V(turned)));
  }
  if (xr == 1 && yr == 1 && !left) return made(b, build_matmul(&b->c, q, p));
  return val_none();
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
    case OP_view:
    case OP_reshape: return reshape(b, n);
    case OP_mm:
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
  return b->m->err.code ? val_none() : made(b, call_like(b, n, args));
}

/* The type of n, with time in front. */
static bool has_type(const batch *b, const node *n) {
  const type *t = node_of(b->to[n->id]) ? node_of(b->to[n->id])->type : NULL;
  int more = b->stepped[n->id];
  bool ok = type_is_tensor(t) && t->dtype == n->type->dtype && t->n == n->type->n + more;
  if (ok && more) ok = dim_equal(t->dims[0], b->length);
  for (int d = 0; ok && d < n->type->n; d++) ok = dim_equal(t->dims[d + more], n->type->dims[d]);
  return ok;
}

static bool is_call(const node *n) {
  return n->kind == NODE_CALL_FUNCTION || n->kind == NODE_CALL_METHOD;
}

/* Fills to[] for n and what it needs. False: it cannot be. */
static bool build_value(batch *b, const node *n) {
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

/* ---- the scan ---- */

static scan_view view_of(const scan_view *all, int i) {
  return all ? all[i] : (scan_view){0, 1, {0}};
}

/* One graph, one call: what the body becomes is for this scan. */
static bool is_own(const module *m, const graph *g) {
  int calls = 0;
  for (int i = 0; i < m->graphs.len; i++)
    for (const node *n = m->graphs.data[i]->first; n; n = n->next)
      for (int k = 0; n->op && n->op->traits & T_BODY && k < n->op->n_operands; k++)
        calls += val_graph(n->operands[k]) == g;
  return calls == 1;
}

/* All xs are read as a whole, and in one direction. */
static bool set_time(batch *b) {
  const scan_attrs *a = b->scan->scan;
  val xs = b->scan->operands[2];
  for (int i = 0; i < b->n_x; i++) {
    const node *x = node_of(xs.items[i]);
    scan_view v = view_of(a ? a->x : NULL, i);
    if (!x || !type_is_tensor(x->type) || v.axis >= x->type->n) return false;
    dim size = x->type->dims[v.axis],
        first = v.step > 0 ? dim_int(0) : dim_sub(b->m->syms, size, dim_int(1));
    if (!i) b->length = a ? a->length : size, b->backward = v.step < 0;
    if ((v.step < 0) != b->backward || !dim_equal(size, b->length) || !dim_equal(v.start, first))
      return false;
  }
  return b->n_x > 0 && !dim_is(b->length, 0);
}

static bool open_batch(module *m, node *scan, batch *b) {
  *b = (batch){.m = m, .scan = scan, .g = val_graph(scan->operands[0])};
  b->n_state = seq_len(scan->operands[1]);
  b->n_x = seq_len(scan->operands[2]);
  int n_extra = seq_len(scan->operands[3]);
  if (!b->g || graph_n_placeholders(b->g) != b->n_state + b->n_x + n_extra || !scan->type ||
      graph_n_results(b->g) < b->n_state || !is_own(m, b->g) || !set_time(b))
    return false;
  b->c = cursor_before(scan);
  b->n_ids = m->n_ids;
  b->stepped = ARENA_ARRAY(m->mem, bool, b->n_ids);
  b->state = ARENA_ARRAY(m->mem, bool, b->n_ids);
  b->to = ARENA_ARRAY(m->mem, val, b->n_ids);
  for (int i = 0; i < n_extra; i++)
    b->to[graph_placeholder(b->g, b->n_state + b->n_x + i)->id] = scan->operands[3].items[i];
  for (int i = 0; i < b->n_state; i++) b->state[graph_placeholder(b->g, i)->id] = true;
  for (int i = 0; i < b->n_x; i++) b->stepped[graph_placeholder(b->g, b->n_state + i)->id] = true;
  for (const node *n = b->g->first; n; n = n->next) {
    for (int i = 0; i < n->n_arg_uses; i++) {
      b->state[n->id] |= b->state[n->arg_uses[i].def->id];
      b->stepped[n->id] |= b->stepped[n->arg_uses[i].def->id];
    }
    b->stepped[n->id] = b->stepped[n->id] && !b->state[n->id];
  }
  return true;
}

/* The xs with time in front. */
static void build_xs(batch *b) {
  for (int i = 0; i < b->n_x; i++) {
    val v = b->scan->operands[2].items[i];
    int axis = view_of(b->scan->scan ? b->scan->scan->x : NULL, i).axis, rank = v.node->type->n,
        perm[SCANC_MAX_RANK] = {axis};
    for (int d = 1; d < rank; d++) perm[d] = d - (d <= axis);
    if (axis) v = made(b, build_permute(&b->c, v, perm, rank));
    b->to[graph_placeholder(b->g, b->n_state + i)->id] = v;
  }
}

/* ---- sizes ---- */

/* Bytes of a value in one step, -1: not known. */
static int64_t bytes_of(const type *t) {
  int64_t n = 1;
  for (int d = 0; d < t->n; d++)
    if (!dim_is_int(t->dims[d]) || __builtin_mul_overflow(n, t->dims[d].k, &n)) return -1;
  return n <= INT32_MAX ? n * (int64_t)scanc_dtype_size(t->dtype) : -1;
}

static bool fits_all_steps(const batch *b, int64_t bytes) {
  return bytes >= 0 && (!dim_is_int(b->length) || b->length.k <= MAX_BYTES / (bytes + 1));
}

static bool is_elementwise(const node *n) { return n->op && n->op->kind == OPK_EW; }

/* What lies between operations that are not elementwise becomes an array. */
static bool fits(const batch *b) {
  int64_t limit = 0, most = 0;
  for (int i = 0; i < b->n_x; i++) {
    int64_t bytes = bytes_of(graph_placeholder(b->g, b->n_state + i)->type);
    if (bytes < 0) return false;
    limit += MAX_GROWTH * bytes;
  }
  for (int i = b->n_state; i < graph_n_results(b->g); i++) {
    int64_t bytes = bytes_of(graph_result(b->g, i).node->type);
    if (bytes < 0) return false;
    limit += MAX_GROWTH * bytes;
  }
  for (const node *n = b->g->first; n; n = n->next) {
    if (!is_call(n) || !n->op) continue;
    bool read = !is_elementwise(n);
    for (const use *u = n->uses; u; u = u->next) read |= !is_elementwise(u->user);
    int64_t bytes = read && type_is_tensor(n->type) ? bytes_of(n->type) : 0;
    if (bytes < 0) return false;
    if (bytes > most) most = bytes;
  }
  return most <= limit && fits_all_steps(b, most);
}

/* ---- without carries ---- */

/* Result i where the scan would have put it. */
static val placed(batch *b, int i, val v) {
  scan_view at = view_of(b->scan->scan ? b->scan->scan->y : NULL, i);
  int perm[SCANC_MAX_RANK], rank = v.node->type->n;
  if ((at.step < 0) != b->backward) {
    const int64_t first = 0;
    val args[] = {v, val_ints(b->m->mem, &first, 1)};
    v = made(b, node_call(&b->c, NULL, "torch.ops.aten.flip.default", args, 2, NULL, 0));
  }
  if (v.kind != VAL_NODE || !at.axis) return v;
  for (int d = 0; d < rank; d++) perm[d] = d < at.axis ? d + 1 : d == at.axis ? 0 : d;
  return made(b, build_permute(&b->c, v, perm, rank));
}

static bool reads_items_only(const node *scan) {
  bool items = true;
  int n = scan->type->n;
  for (const use *u = scan->uses; u; u = u->next)
    items = items && node_is_op(u->user, OP_getitem) && u->user->operands[1].kind == VAL_INT &&
            u->user->operands[1].i >= 0 && u->user->operands[1].i < n;
  return items;
}

/* All results are functions of the xs. */
static bool ignores_carries(const batch *b) {
  bool ignores = true;
  for (int i = 0; i < graph_n_results(b->g); i++) {
    const node *v = node_of(graph_result(b->g, i));
    ignores = ignores && v && type_is_tensor(v->type) && !b->state[v->id] &&
              (i < b->n_state || b->stepped[v->id]);
  }
  return ignores;
}

/* The carries of the last step, from the elements of that. There must be one. */
static bool build_last(batch *b, val *result) {
  int64_t min, max;
  batch last = *b;
  dim_bounds(b->m->syms, b->length, &min, &max);
  if (b->n_state && min < 1) return false;
  last.stepped = ARENA_ARRAY(b->m->mem, bool, b->n_ids);
  last.to = arena_copy(b->m->mem, b->to, sizeof *b->to * (size_t)b->n_ids);
  for (int i = 0; i < b->n_x; i++) {
    val *x = &last.to[graph_placeholder(b->g, b->n_state + i)->id], at = val_int(b->backward - 1);
    if (x->kind == VAL_NODE) *x = made(b, build_select(&b->c, *x, 0, at));
  }
  for (int i = 0; i < b->n_state; i++) {
    const node *v = node_of(graph_result(b->g, i));
    if (v->kind != NODE_PLACEHOLDER && !build_value(&last, v)) return false;
    result[i] = last.to[v->id];
    if (result[i].kind != VAL_NODE) return false;
  }
  return true;
}

static bool build_ys(batch *b, val *result) {
  for (int i = b->n_state; i < graph_n_results(b->g); i++) {
    const node *v = node_of(graph_result(b->g, i));
    if (v->kind != NODE_PLACEHOLDER && !build_value(b, v)) return false;
    if (b->m->err.code || b->to[v->id].kind != VAL_NODE) return false;
    result[i] = placed(b, i - b->n_state, b->to[v->id]);
    if (result[i].kind != VAL_NODE) return false;
  }
  return true;
}

static bool replace_scan(batch *b) {
  int n = graph_n_results(b->g);
  val *result = ARENA_ARRAY(b->m->mem, val, n);
  if (!reads_items_only(b->scan) || !fits(b)) return false;
  build_xs(b);
  if (!build_last(b, result) || !build_ys(b, result) || b->m->err.code) return false;
  while (b->scan->uses) {
    node *item = b->scan->uses->user;
    node_replace_uses_val(item, result[item->operands[1].i]);
    node_erase(item);
  }
  return true;
}

/* ---- with few carries ---- */

static bool is_narrow(const batch *b) {
  for (int i = 0; i < graph_n_results(b->g); i++) {
    const node *v = node_of(graph_result(b->g, i));
    if (!v || !type_is_tensor(v->type)) return false;
    int64_t bytes = bytes_of(v->type);
    if (bytes < 0 || bytes > FEW_LANES * (int64_t)scanc_dtype_size(v->type->dtype)) return false;
  }
  return !dim_is_int(b->length) || b->length.k >= FEW_STEPS;
}

/* Per node id: what it takes to compute it from the xs is costly. */
static void find_costly(const batch *b, bool *costly) {
  for (const node *n = b->g->first; n; n = n->next) {
    if (!b->stepped[n->id] || !is_call(n) || !type_is_tensor(n->type)) continue;
    for (int i = 0; i < n->n_arg_uses; i++) costly[n->id] |= costly[n->arg_uses[i].def->id];
    scanc_dtype d = dtype_acc(dtype_real(n->type->dtype));
    costly[n->id] |= is_elementwise(n) && op_cost(n->op->id, d) >= COSTLY;
  }
}

/* Whether something else than functions of the xs reads it. */
static bool is_read(const batch *b, const node *n) {
  bool read = false;
  for (const use *u = n->uses; u; u = u->next) read |= !b->stepped[u->user->id];
  return read;
}

typedef VEC(val) val_list;

/* What stands for v in the body: the next x. */
static void add_parameter(batch *b, node *v, val_list *xs) {
  graph *g = v->owner;
  int at = b->n_state + xs->len;
  cursor c = at < graph_n_placeholders(g) ? cursor_before(graph_placeholder(g, at))
                                          : cursor_after(graph_placeholder(g, at - 1));
  node *p = node_placeholder(&c, v->name, v->name, v->type, val_absent());
  vec_push(b->m->mem, xs, b->to[v->id]);
  node_replace_uses(v, p);
}

static void set_views(batch *b, int n_x) {
  const scan_attrs *old = b->scan->scan;
  if (!old) return;
  scan_attrs *a = arena_copy(b->m->mem, old, sizeof *old);
  scan_view *x = ARENA_ARRAY(b->m->mem, scan_view, n_x);
  dim last = dim_sub(b->m->syms, b->length, dim_int(1));
  for (int i = 0; i < n_x; i++)
    x[i] = i < old->n_x ? old->x[i]
                        : (scan_view){0, b->backward ? -1 : 1, b->backward ? last : dim_int(0)};
  a->n_x = n_x;
  a->x = x;
  b->scan->scan = a;
}

static void set_xs(batch *b, const val_list *xs) {
  node *n = b->scan;
  val *args = ARENA_ARRAY(b->m->mem, val, n->n_args);
  for (int i = 0; i < n->n_args; i++) {
    bool is_xs = val_is_seq(n->args[i]) && n->args[i].items == n->operands[2].items;
    args[i] = is_xs ? val_seq(b->m->mem, n->args[i].kind, xs->data, xs->len) : n->args[i];
  }
  set_views(b, xs->len);
  node_set_args(n, args, n->n_pos, n->kw, n->n_args - n->n_pos);
}

static bool add_costly_xs(batch *b) {
  bool *costly = ARENA_ARRAY(b->m->mem, bool, b->n_ids);
  VEC(node *) found = {0};
  val_list xs = {0};
  if (!is_narrow(b)) return false;
  find_costly(b, costly);
  build_xs(b);
  for (node *n = b->g->first; n; n = n->next)
    if (costly[n->id] && is_read(b, n) && fits_all_steps(b, bytes_of(n->type)) && build_value(b, n))
      vec_push(b->m->mem, &found, n);
  if (!found.len || b->m->err.code) return false;
  for (int i = 0; i < b->n_x; i++) vec_push(b->m->mem, &xs, b->scan->operands[2].items[i]);
  for (int i = 0; i < found.len; i++) add_parameter(b, found.data[i], &xs);
  set_xs(b, &xs);
  return true;
}

/* ---- the module ---- */

typedef struct {
  arena *mem;
  VEC(node *) scans;
} scan_search;

static void collect(graph *g, void *ctx) {
  scan_search *s = ctx;
  for (node *n = g->first; n; n = n->next)
    if (node_is_op(n, OP_scan)) vec_push(s->mem, &s->scans, n);
}

bool batch_scans(module *m, bool *changed) {
  scan_search s = {.mem = m->mem};
  graph_walk(m->main, collect, &s); /* inner graphs first */
  for (int i = 0; i < s.scans.len && !m->err.code; i++) {
    batch b;
    if (!open_batch(m, s.scans.data[i], &b)) continue;
    *changed |= ignores_carries(&b) ? replace_scan(&b) : add_costly_xs(&b);
    *changed |= m->n_ids > b.n_ids; /* what came to nothing is dead */
    m->err = (scanc_error){0};      /* types that inference could not tell */
  }
  return true;
}
