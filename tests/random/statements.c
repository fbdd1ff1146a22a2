/* Statements without subgraphs: elementwise rows of the whole op table, casts, views, creation. */
#include "generator.h"

#include <stdio.h>
#include <string.h>

#include "loop/body.h"

/* ---- elementwise rows ---- */

/* The table's elementwise ops and the composites of them come first. */
static bool is_elementwise(const aten_row *row) {
  return row->op <= OP_inplace_mode && !aten_is_in_place(row->name, strcspn(row->name, "."));
}

static const aten_row *random_row(rng *r) {
  static const char *const common[] = {
      "add.Tensor",      "sub.Tensor",   "mul.Tensor",      "mul.Tensor",      "div.Tensor",
      "maximum.default", "neg.default",  "tanh.default",    "sigmoid.default", "exp.default",
      "where.self",      "add.Tensor",   "minimum.default", "gt.Tensor",       "lt.Scalar",
      "mul.Scalar",      "relu.default", "where.self",      "silu.default",    "clamp.default"};
  if (chance(r, 45)) {
    const char *name = PICK(r, common);
    return aten_find(name, strlen(name));
  }
  const aten_row *row;
  do row = aten_row_at(below(r, aten_n_rows()));
  while (!is_elementwise(row));
  return row;
}

static bool type_named(const aten_param *p, const char *name) {
  int n = (int)strlen(name);
  return p->type_len >= n && !strncmp(p->type, name, (size_t)n) &&
         (p->type_len == n || (p->type_len == n + 1 && p->type[n] == '?'));
}

/* A bool value that broadcasts with t. */
static node *random_mask(scope *s, const type *t) {
  for (int i = 0; i < 6; i++) {
    node *v = pick_like(s, t ? t : pick(s)->type);
    if (v->type->dtype == SCANC_BOOL) return v;
  }
  node *v = t ? pick_like(s, t) : pick(s);
  if (dtype_class(v->type->dtype) == 'c') return NULL;
  return settle(s, CALL(s, "gt.Scalar", V(v), val_int(0)));
}

static val tensor_argument(scope *s, const aten_row *row, const aten_param *p, const type *like) {
  bool mask = (p->name_len == 9 && !strncmp(p->name, "condition", 9)) ||
              (p->name_len == 4 && !strncmp(p->name, "mask", 4));
  node *v = mask ? random_mask(s, like) : like ? pick_like(s, like) : pick(s);
  /* The sign of a NaN is not specified, and these two tell it. */
  if (v && (row->op == OP_copysign || row->op == OP_signbit) && dtype_class(v->type->dtype) == 'f')
    v = settle(s, CALL(s, "nan_to_num.default", V(v)));
  return V(v);
}

static val other_argument(scope *s, const aten_param *p) {
  rng *r = &s->g->r;
  if (p->has_default && (type_named(p, "bool") || chance(r, 50))) return val_absent();
  if (type_named(p, "bool")) return val_bool(below(r, 2));
  if (type_named(p, "int")) return val_int(below(r, 5) - 1);
  if (type_named(p, "str")) {
    bool gelu = p->name_len == 11 && !strncmp(p->name, "approximate", 11);
    static const char *const modes[] = {"floor", "trunc", "tanh", "none"};
    return val_str(s->g->m->mem, modes[2 * gelu + below(r, 2)]);
  }
  if (p->type[p->type_len - 1] == '?' && chance(r, 25)) return val_none();
  if (type_named(p, "Scalar") && s->n_numbers && chance(r, 12))
    return V(s->number[below(r, s->n_numbers)]);
  return random_number(s->g);
}

static bool is_zero(val v) { return (v.kind == VAL_INT && v.i == 0) || v.kind == VAL_NODE; }

/* Rows without a compiled form are rare. Integer divisors are constants, but in programs that are
 * to fail: a division by zero ends the comparison of a run. */
static bool may_stay(gen *g, const node *n) {
  bool row = n->op && n->type && n->op->kind == OPK_EW;
  if (row && !body_accepts(g->m, n) && chance(&g->r, 92)) return false;
  bool whole = n->type && dtype_class(n->type->dtype) == 'i';
  return g->faults || !n->op || !(n->op->traits & T_DATA) || !whole || !is_zero(n->operands[1]);
}

/* Integers divided by odd numbers, or by whatever there is. */
static void add_division(scope *s) {
  static const char *const names[] = {"remainder.Tensor", "fmod.Tensor", "floor_divide.default"};
  static const scanc_dtype dtypes[] = {SCANC_I32, SCANC_I64, SCANC_U8, SCANC_I8, SCANC_I16};
  scanc_dtype d = PICK(&s->g->r, dtypes);
  node *a = cast_value(s, pick(s), d), *b = cast_value(s, pick_like(s, a->type), d);
  if (!s->g->faults || chance(&s->g->r, 70))
    b = settle(s, CALL(s, "bitwise_or.Scalar", V(b), val_int(1)));
  if (b) settle(s, CALL(s, PICK(&s->g->r, names), V(a), V(b)));
}

void add_elementwise(scope *s) {
  if (chance(&s->g->r, s->g->faults ? 20 : 3)) add_division(s);
  const aten_row *row = random_row(&s->g->r);
  const aten_schema *schema = aten_schema_of(row);
  val args[MAX_PARAMS + 1];
  const char *kw[MAX_PARAMS];
  const type *like = NULL;
  int n = 0, n_pos = 0;
  for (int i = 0; i < schema->n; i++) {
    const aten_param *p = &schema->p[i];
    if (p->ignored) continue;
    val v = type_named(p, "Tensor") ? tensor_argument(s, row, p, like) : other_argument(s, p);
    if (v.kind == VAL_ABSENT && !p->has_default) return;
    if (v.kind == VAL_ABSENT && !p->kw_only) break;
    if (v.kind == VAL_ABSENT) continue;
    if (v.kind == VAL_NODE && type_is_tensor(v.node->type) && (!like || v.node->type->n > like->n))
      like = v.node->type;
    if (p->kw_only) kw[n - n_pos] = arena_printf(s->g->m->mem, "%.*s", p->name_len, p->name);
    else n_pos++;
    args[n++] = v;
  }
  char path[80];
  snprintf(path, sizeof path, "torch.ops.aten.%s", row->name);
  node *made = node_call(&s->at, NULL, path, args, n_pos, kw, n - n_pos);
  if (made && !s->g->m->err.code && !may_stay(s->g, made)) node_erase(made);
  else settle(s, made);
}

void add_cast(scope *s) { cast_value(s, pick(s), random_dtype(s->g)); }

/* ---- creation ---- */

/* The sizes of t as a list; false: they are symbolic. */
static bool size_list(scope *s, const type *t, val *out) {
  int64_t sizes[SCANC_MAX_RANK];
  for (int d = 0; d < t->n; d++) {
    if (!dim_is_int(t->dims[d])) return false;
    sizes[d] = t->dims[d].k;
  }
  *out = val_ints(s->g->m->mem, sizes, t->n);
  return true;
}

void add_creation(scope *s) {
  rng *r = &s->g->r;
  node *v = pick(s);
  val size, number = random_number(s->g);
  int d = (int)random_dtype(s->g);
  bool fixed = size_list(s, v->type, &size);
  switch (below(r, 6)) {
    case 0: settle(s, call(s, "zeros_like.default", (val[]){V(v)}, 1, d)); break;
    case 1:
      settle(s, call(s, "ones_like.default", (val[]){V(v)}, 1, chance(r, 50) ? -1 : d));
      break;
    case 2: settle(s, call(s, "full_like.default", (val[]){V(v), number}, 2, d)); break;
    case 3:
      if (fixed) settle(s, call(s, "full.default", (val[]){size, number}, 2, d));
      break;
    case 4:
      if (v->type->n && dim_is_int(v->type->dims[v->type->n - 1]) && (!s->depth || chance(r, 5)))
        settle(s, call(s, "arange.default", (val[]){val_int(v->type->dims[v->type->n - 1].k)}, 1,
                       chance(r, 50) ? SCANC_F32 : SCANC_I64));
      break;
    default: settle(s, call(s, "scalar_tensor.default", (val[]){number}, 1, d));
  }
}

static void add_sum(scope *s, node *v, int d, bool keep) {
  static const char *const names[] = {"sum.dim_IntList", "sum.dim_IntList", "mean.dim"};
  rng *r = &s->g->r;
  const int64_t both[] = {d, d ? 0 : 1};
  val dims = val_ints(s->g->m->mem, both, v->type->n > 1 && chance(r, 25) ? 2 : 1);
  const char *name = PICK(r, names);
  int dtype = chance(r, 15) ? (int)random_dtype(s->g) : -1;
  settle(s, call(s, name, (val[]){V(v), dims, val_bool(keep)}, 3, dtype));
}

static void add_extremum(scope *s, node *v, int d, bool keep) {
  static const char *const names[] = {"amax.default", "amin.default"};
  static const char *const at[] = {"argmax.default", "argmin.default"};
  static const char *const pairs[] = {"max.dim", "min.dim"};
  rng *r = &s->g->r;
  val dims = val_ints(s->g->m->mem, (const int64_t[]){d}, 1), k = val_bool(keep);
  switch (below(r, 4)) {
    case 0:
      settle(s, CALL(s, PICK(r, at), V(v), chance(r, 20) ? val_none() : val_int(d), k));
      break;
    case 1: settle_items(s, CALL(s, PICK(r, pairs), V(v), val_int(d), k)); break;
    default: settle(s, CALL(s, PICK(r, names), V(v), dims, k));
  }
}

static void add_running(scope *s, node *v, int d) {
  static const char *const names[] = {"cumsum.default", "cumprod.default", "logcumsumexp.default"};
  static const char *const pairs[] = {"cummax.default", "cummin.default"};
  rng *r = &s->g->r;
  if (chance(r, 70)) settle(s, CALL(s, PICK(r, names), V(v), val_int(d)));
  else settle_items(s, CALL(s, PICK(r, pairs), V(v), val_int(d)));
}

/* Bodies have kernels of their own along few elements; other lengths are less frequent there. */
void add_reduction(scope *s) {
  static const char *const composite[] = {"softmax.int", "log_softmax.int"};
  static const char *const truth[] = {"any.dim", "all.dim"};
  rng *r = &s->g->r;
  node *v = pick_with_rank(s);
  if (!v) return;
  int d = below(r, v->type->n);
  dim size = v->type->dims[d];
  if (s->depth && (!dim_is_int(size) || size.k > 24) && chance(r, 40)) return;
  val dims = val_ints(s->g->m->mem, (const int64_t[]){d}, 1);
  bool keep = chance(r, 60);
  switch (below(r, 8)) {
    case 0:
    case 1: add_sum(s, v, d, keep); break;
    case 2: settle(s, CALL(s, "prod.dim_int", V(v), val_int(d), val_bool(keep))); break;
    case 3: add_extremum(s, v, d, keep); break;
    case 4: add_running(s, v, d); break;
    case 5: settle(s, CALL(s, PICK(r, truth), V(v), val_int(d), val_bool(keep))); break;
    case 6: settle(s, CALL(s, "var.dim", V(v), dims, val_bool(false), val_bool(keep))); break;
    default: settle(s, CALL(s, PICK(r, composite), V(v), val_int(d)));
  }
}

/* v times itself or another value, transposed until it fits. */
void add_product(scope *s) {
  rng *r = &s->g->r;
  node *v = pick_with_rank(s), *w = pick_with_rank(s);
  if (!v || !w) return;
  if (chance(r, 50)) w = v;
  dim size = v->type->dims[v->type->n - 1];
  if (s->depth && (!dim_is_int(size) || size.k > 12) && chance(r, 92)) return;
  int contracted = w->type->n > 1 ? w->type->n - 2 : 0;
  if (!dim_equal(w->type->dims[contracted], size)) {
    w = settle(s, CALL(s, "transpose.int", V(w), val_int(-1), val_int(contracted)));
    if (!w || !dim_equal(w->type->dims[contracted], size)) return;
  }
  w = cast_value(s, w, v->type->dtype);
  if (w) settle(s, CALL(s, "matmul.default", V(v), V(w)));
}

/* ---- views ---- */

static void add_pad(scope *s, node *v, int d) {
  int64_t pad[2 * SCANC_MAX_RANK] = {0};
  int n = 2 * (v->type->n - d);
  pad[n - 2] = below(&s->g->r, 3);
  pad[n - 1] = below(&s->g->r, 2);
  settle(s, CALL(s, "constant_pad_nd.default", V(v), val_ints(s->g->m->mem, pad, n),
                 random_number(s->g)));
}

/* Statements that move along dimension d, of which loops cannot be made in bodies: there they are
 * kept to short dimensions. */
static void add_moving_view(scope *s, node *v, int d) {
  rng *r = &s->g->r;
  dim size = v->type->dims[d];
  if ((!dim_is_int(size) || size.k == 0 || (s->depth && size.k > 8)) && chance(r, 92)) return;
  int n = dim_is_int(size) && size.k ? (int)size.k : 3, k = below(r, n);
  val at = val_int(d);
  switch (below(r, 8)) {
    case 0: settle(s, CALL(s, "select.int", V(v), at, val_int(chance(r, 50) ? k : k - n))); break;
    case 1: settle(s, CALL(s, "slice.Tensor", V(v), at, val_int(k), val_int(INT64_MAX))); break;
    case 2:
      settle(s,
             CALL(s, "slice.Tensor", V(v), at, val_int(k), val_int(n), val_int(1 + below(r, 3))));
      break;
    case 3:
      settle(s, CALL(s, "flip.default", V(v), val_ints(s->g->m->mem, (const int64_t[]){d}, 1)));
      break;
    case 4:
      settle(s, CALL(s, "roll.default", V(v), val_ints(s->g->m->mem, (const int64_t[]){k}, 1),
                     val_ints(s->g->m->mem, (const int64_t[]){d}, 1)));
      break;
    case 5: {
      node *other = chance(r, 50) ? pick_like(s, v->type) : v;
      val both[] = {V(v), V(other)};
      settle(s, CALL(s, "cat.default", val_seq(s->g->m->mem, VAL_LIST, both, 2), at));
      break;
    }
    case 6: add_pad(s, v, d); break;
    default: settle(s, CALL(s, "narrow.default", V(v), at, val_int(k), val_int(n - k)));
  }
}

static void add_permute(scope *s, node *v) {
  int64_t p[SCANC_MAX_RANK];
  int n = v->type->n;
  for (int i = 0; i < n; i++) p[i] = i;
  for (int i = n - 1; i > 0; i--) {
    int k = below(&s->g->r, i + 1);
    int64_t t = p[i];
    p[i] = p[k], p[k] = t;
  }
  settle(s, CALL(s, "permute.default", V(v), val_ints(s->g->m->mem, p, n)));
}

/* A dimension of size 1 becomes one of the space, or a new one is put before. */
static void add_expand(scope *s, node *v) {
  int64_t to[SCANC_MAX_RANK + 1];
  int n = 0, rank = v->type->n;
  dim wanted = s->g->space[1 + below(&s->g->r, SPACE_RANK - 1)];
  int64_t size = dim_is_int(wanted) ? wanted.k : 3;
  if (chance(&s->g->r, 30)) to[n++] = size;
  for (int d = 0; d < rank; d++) {
    bool one = dim_is(v->type->dims[d], 1);
    to[n++] = one && chance(&s->g->r, 60) ? size : -1;
  }
  settle(s, CALL(s, "expand.default", V(v), val_ints(s->g->m->mem, to, n)));
}

/* One dimension is taken apart, or joined with the next one. */
static void add_reshape(scope *s, node *v) {
  int64_t to[SCANC_MAX_RANK + 1];
  int n = 0, rank = v->type->n, at = below(&s->g->r, rank), n_unknown = 0;
  int64_t part = 2 + below(&s->g->r, 3);
  bool join = at + 1 < rank && chance(&s->g->r, 50);
  for (int d = 0; d < rank; d++) {
    dim size = v->type->dims[d];
    if (d == at && join) size = dim_mul(s->g->m->syms, size, v->type->dims[++d]);
    bool apart = d == at && !join && dim_is(dim_mod(s->g->m->syms, size, dim_int(part)), 0);
    if (apart) size = dim_floordiv(s->g->m->syms, size, dim_int(part));
    n_unknown += !dim_is_int(size);
    to[n++] = dim_is_int(size) ? size.k : -1;
    if (apart) to[n++] = part;
  }
  if (n_unknown < 2) settle(s, CALL(s, "view.default", V(v), val_ints(s->g->m->mem, to, n)));
}

static void add_shape_view(scope *s, node *v) {
  rng *r = &s->g->r;
  int rank = v->type->n, d = below(r, rank + 1);
  switch (below(r, 10)) {
    case 0: settle(s, CALL(s, "unsqueeze.default", V(v), val_int(d))); break;
    case 1: add_permute(s, v); break;
    case 2:
      if (rank >= 2)
        settle(s, CALL(s, "transpose.int", V(v), val_int(below(r, rank)), val_int(-1)));
      break;
    case 3: add_expand(s, v); break;
    case 4:
      for (int i = 0; i < rank; i++)
        if (dim_is(v->type->dims[i], 1)) {
          settle(s, CALL(s, "squeeze.dim", V(v), val_int(i)));
          break;
        }
      break;
    case 5:
      if (rank >= 2)
        settle(s,
               CALL(s, "reshape.default", V(v), val_ints(s->g->m->mem, (const int64_t[]){-1}, 1)));
      break;
    case 6:
      if (rank) settle(s, CALL(s, "movedim.int", V(v), val_int(0), val_int(below(r, rank))));
      break;
    case 7:
    case 8:
      if (rank) add_reshape(s, v);
      break;
    default: settle(s, CALL(s, "clone.default", V(v)));
  }
}

void add_view(scope *s) {
  node *v = pick(s);
  if (v->type->n && s->views && chance(&s->g->r, 50))
    add_moving_view(s, v, below(&s->g->r, v->type->n));
  else add_shape_view(s, v);
}
