/* Matrix products in plans: operands as strided views of all dimensions, packed first where that
 * pays, then one kernel for whole tiles and one for the rows that are left. */
#include "runtime/plan_product.h"
#include "loop/product.h"
#include "runtime/plan_inline.h"

/* ---- steps ---- */

static bool add_kernel(planner *x, const node *n, const product *p, const product_shape *s) {
  view_kernel v = plan_kernel(x, "product");
  product_build(&v, p, s);
  if (!plan_add_kernel(x, n, &v)) return false;
  if (p->before.n || p->after.n) plan_note_with(x);
  return true;
}

/* What is left of n rows by tiles has a shape of its own. */
static bool add_tiles(planner *x, const node *n, const product *p, const target *t) {
  product_shape s = product_choose(p, t, false);
  if (s.row < 0 || s.rows == 1) return add_kernel(x, n, p, &s);
  dim size = p->c.size[s.row], by = dim_int(s.rows),
      whole = dim_mul(x->syms, dim_floordiv(x->syms, size, by), by);
  product main = product_range(x->tmp, x->syms, p, s.row, dim_int(0), whole),
          rest = product_range(x->tmp, x->syms, p, s.row, whole, size);
  if (!dim_is(whole, 0) && !add_kernel(x, n, &main, &s)) return false;
  if (dim_is(rest.c.size[s.row], 0)) return true;
  rest.c.size[s.row] = rest.a.size[s.row] = rest.b.size[s.row] = dim_mod(x->syms, size, by);
  if (dim_is_int(size)) return add_tiles(x, n, &rest, t);
  s.rows = 1;
  return add_kernel(x, n, &rest, &s);
}

/* ---- packing ---- */

static bool moves(const nest_view *v, int d) { return !dim_is(v->stride[d], 0); }

/* The dimensions that v moves along, without the others; `last` comes last. */
static nest_view moving(const nest_view *v, int last, int *from) {
  nest_view r = *v;
  r.rank = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int d = 0; d < v->rank; d++)
      if (moves(v, d) && (d == last) == pass) {
        from[r.rank] = d;
        r.size[r.rank] = v->size[d];
        r.stride[r.rank++] = v->stride[d];
      }
  return r;
}

/* A contiguous copy in the type of computation, dimension `last` innermost; v becomes the copy. */
static bool pack(planner *x, const node *n, nest_view *v, int last) {
  int from[SCANC_MAX_RANK] = {0};
  nest_view old = moving(v, last, from), to;
  bool is_complex = dtype_class(v->dtype) == 'c';
  to = plan_new_array(x, is_complex ? v->dtype : product_acc(v->dtype), old.size, old.rank);
  v->buffer = to.buffer, v->offset = to.offset, v->dtype = to.dtype;
  for (int i = 0; i < to.rank; i++) v->stride[from[i]] = to.stride[i];
  return plan_copy(x, n, &old, &to);
}

enum { NARROW = 8 }; /* so few columns are no lanes */

/* ---- what a loop uses in every iteration ---- */

static bool same_view(const nest_view *v, const nest_view *w) {
  bool same = v->buffer == w->buffer && dim_equal(v->offset, w->offset) && v->rank == w->rank;
  for (int d = 0; same && d < v->rank; d++)
    same = dim_equal(v->size[d], w->size[d]) && dim_equal(v->stride[d], w->stride[d]);
  return same;
}

void plan_use_packed(const planner *x, nest_view *v) {
  for (int i = x->packed.len - 1; i >= 0; i--)
    if (same_view(v, &x->packed.data[i].from)) {
      *v = x->packed.data[i].to;
      return;
    }
}

/* A copy of v with dimension d innermost, unless it is so. */
static bool pack_ahead(planner *x, const node *n, const nest_view *v, int d) {
  plan_packed p = {*v, *v};
  plan_use_packed(x, &p.to);
  bool fine = dim_is(v->stride[d], 1) &&
              (dtype_class(v->dtype) == 'c' || product_acc(v->dtype) == v->dtype);
  if (fine || dim_is(v->size[d], 1) || !same_view(v, &p.to)) return true;
  if (!pack(x, n, &p.to, d)) return false;
  vec_push(x->tmp, &x->packed, p);
  return true;
}

static bool pack_both(planner *x, const node *n, product *p, const bool *which, int last) {
  return (!which[0] || pack(x, n, &p->a, last)) && (!which[1] || pack(x, n, &p->b, last));
}

/* ---- panels ---- */

enum {
  PANEL_BYTES = 16 << 10, /* smaller ones stay in the first cache, wherever their rows are */
  FAR_ROWS = 1024,        /* bytes from row to row from which on they get into each other's way */
  PANEL_REUSE = 64        /* times that an element is used, to pay for a copy of it */
};

/* Whether the columns that are worked on together are better copied to lie together. */
static bool wants_panel(const product *p, const product_shape *s, int i) {
  const nest_view *v = i ? &p->b : &p->a;
  int64_t size = (int64_t)scanc_dtype_size(p->c.dtype), wide = (int64_t)s->lanes * s->unroll;
  dim n = s->lane < 0 ? dim_int(0) : p->c.size[s->lane];
  if (!dim_is_int(n) || n.k < 2 * wide || !p->n_summed || !moves(v, s->lane) ||
      !product_may_copy(v) || (p->before.n && p->computed == i))
    return false;
  dim row = s->pack[i] ? n : v->stride[v->rank - 1];
  return dim_is_int(row) && row.k * size >= FAR_ROWS && product_reuse(p, v) >= PANEL_REUSE &&
         product_depth(p) * (double)(wide * size) > PANEL_BYTES;
}

static bool add_panels(planner *x, const node *n, const product *p, const product_shape *s,
                       const bool *which, const target *t) {
  int64_t wide = (int64_t)s->lanes * s->unroll, size = p->c.size[s->lane].k,
          whole = size / wide * wide;
  product main = product_range(x->tmp, x->syms, p, s->lane, dim_int(0), dim_int(whole)),
          rest = product_range(x->tmp, x->syms, p, s->lane, dim_int(whole), dim_int(size));
  main = product_tiled(x->tmp, x->syms, &main, s->lane, wide);
  if (!pack_both(x, n, &main, which, s->lane + 1) || !add_tiles(x, n, &main, t)) return false;
  return whole == size || plan_product(x, n, &rest);
}

bool plan_product(planner *x, const node *n, product *p) {
  target t = plan_target(x);
  product_merge(x->tmp, x->syms, p);
  product_shape s = product_choose(p, &t, true);
  bool panel[] = {wants_panel(p, &s, 0), wants_panel(p, &s, 1)},
       either[] = {s.pack[0] || panel[0], s.pack[1] || panel[1]};
  if (panel[0] || panel[1]) return add_panels(x, n, p, &s, either, &t);
  return pack_both(x, n, p, s.pack, s.lane) && add_tiles(x, n, p, &t);
}

/* Not where the operand, if it were there, would be copied first. */
static bool takes_before(const planner *x, const product *p) {
  target t = plan_target(x);
  product q = *p;
  product_merge(x->tmp, x->syms, &q);
  product plain = q;
  plain.before = (group_inline){.n = NULL};
  product_shape s = product_choose(&plain, &t, true);
  return !s.pack[q.computed] && !wants_panel(&plain, &s, q.computed) &&
         product_takes_before(&q, &s);
}

bool plan_takes_after(const planner *x, const product *p) {
  target t = plan_target(x);
  product q = *p;
  product_merge(x->tmp, x->syms, &q);
  product_shape s = product_choose(&q, &t, true);
  return product_takes_after(&q, &s);
}

/* ---- operators ---- */

/* Dimensions of a matrix, or of batches of them, in the order [batch..., row, column] of the
 * product; what an operand lacks it does not move along. */
static void put(nest_view *to, const nest_view *from, int at, int d, dim size) {
  to->size[at] = size;
  to->stride[at] = d < 0 || dim_is(from->size[d], 1) ? dim_int(0) : from->stride[d];
}

typedef struct {
  nest_view a, b, c;
  int n_batch, row, column; /* in c; -1: none */
} operands;

static bool put_batches(planner *x, const operands *o, nest_view *to, const nest_view *from) {
  int n = from->rank > 2 ? from->rank - 2 : 0;
  for (int i = 0; i < o->n_batch; i++) {
    int d = i - (o->n_batch - n);
    put(to, from, i, d, o->c.size[i]);
    if (moves(to, i) && !plan_require_equal(x, from->size[d], o->c.size[i])) return false;
  }
  return true;
}

/* Operand k, or what has its sizes: a[..., m, k] or [k], b[..., k, n] or [k]. */
static bool put_operand(planner *x, const operands *o, int k, const nest_view *from,
                        nest_view *to) {
  int r = from->rank, n = o->c.rank;
  *to = *from;
  to->rank = n + 1;
  if (!put_batches(x, o, to, from)) return false;
  if (o->row >= 0) put(to, from, o->row, k ? -1 : r - 2, o->c.size[o->row]);
  if (o->column >= 0) put(to, from, o->column, k ? r - 1 : -1, o->c.size[o->column]);
  put(to, from, n, !k ? r - 1 : r > 1 ? r - 2 : 0, o->a.size[o->a.rank - 1]);
  return true;
}

static bool make_product(planner *x, const operands *o, product *p) {
  int ar = o->a.rank, br = o->b.rank, k = o->c.rank;
  *p = (product){.c = o->c, .n_free = k, .n_summed = 1};
  return put_operand(x, o, 0, &o->a, &p->a) && put_operand(x, o, 1, &o->b, &p->b) &&
         plan_require_equal(x, o->b.size[br > 1 ? br - 2 : 0], o->a.size[ar - 1]) &&
         (o->row < 0 || plan_require_equal(x, o->a.size[ar - 2], o->c.size[o->row])) &&
         (o->column < 0 || plan_require_equal(x, o->b.size[br - 1], o->c.size[o->column]));
}

bool plan_is_matmul(op_id op) {
  return op == OP_mm || op == OP_bmm || op == OP_mv || op == OP_dot || op == OP_matmul;
}

/* What the operands of n are, given as views; c is left open. */
static bool open_operands(const node *n, operands *o) {
  if (!type_is_tensor(n->type) || o->a.dtype != n->type->dtype || o->b.dtype != n->type->dtype)
    return false;
  int rank = n->type->n, ar = o->a.rank, br = o->b.rank;
  o->row = o->column = -1;
  o->n_batch = rank - (ar > 1) - (br > 1);
  if (!ar || !br || rank + 2 > SCANC_MAX_RANK || o->n_batch < 0) return false;
  if (ar > 1) o->row = o->n_batch;
  if (br > 1) o->column = rank - 1;
  return true;
}

/* The operand that the group before is; -1: there is none. */
static int computed_operand(const planner *x, const node *n) {
  for (int k = 0; x->before && k < 2; k++) {
    const node *item = plan_operand_item(n, k);
    if (item && node_is_op(item, OP_getitem) && item->operands[0].node == x->before->group)
      return k;
  }
  return -1;
}

static bool put_before(planner *x, const operands *o, int k, product *p) {
  const group_inline *g = &x->before->g;
  p->before = *g;
  p->before.view = ARENA_ARRAY(x->tmp, nest_view, GROUP_MAX_VIEWS);
  p->computed = k;
  for (int i = 0; i < g->n_views; i++)
    if (!put_operand(x, o, k, &g->view[i], &p->before.view[i])) return false;
  return true;
}

/* A product with groups around it; a result of the one behind it takes the place of the product's.
 */
static plan_steps matmul_with(planner *x, const node *n, operands *o, int computed) {
  const group_inline *after = x->after ? &x->after->g : NULL;
  product p;
  o->c = after ? after->view[after->n_views - 1] : plan_as_array(x, n->type);
  o->c.dtype = n->type->dtype;
  if (!make_product(x, o, &p) || (computed >= 0 && !put_before(x, o, computed, &p)))
    return STEPS_NONE;
  if (after) p.after = *after;
  if ((after && !plan_takes_after(x, &p)) || (computed >= 0 && !takes_before(x, &p)))
    return STEPS_NONE;
  if (!after) {
    p.c = plan_result(x, n, n->type);
    x->of[n->id] = (plan_value){.kind = VALUE_TENSOR, .view = p.c};
  }
  return plan_product(x, n, &p) ? STEPS_MADE : STEPS_REFUSED;
}

static plan_steps plan_matmul(planner *x, const node *n) {
  operands o;
  product p;
  int computed = computed_operand(x, n);
  nest_view *to[] = {&o.a, &o.b};
  for (int k = 0; k < 2; k++) {
    if (k == computed) *to[k] = x->before->element;
    else if (!plan_tensor(x, n, k, to[k])) return STEPS_NONE;
  }
  if (!open_operands(n, &o)) return STEPS_NONE;
  for (int k = 0; k < 2; k++)
    if (k != computed) plan_use_packed(x, to[k]);
  if (x->before || x->after) return matmul_with(x, n, &o, computed);
  o.c = plan_result(x, n, n->type);
  x->of[n->id] = (plan_value){.kind = VALUE_TENSOR, .view = o.c};
  return make_product(x, &o, &p) && plan_product(x, n, &p) ? STEPS_MADE : STEPS_REFUSED;
}

/* ---- ahead of a loop ---- */

bool plan_has_product_ahead(const node *n) {
  if (!n->op || !plan_is_matmul(n->op->id) || !type_is_tensor(n->type)) return false;
  for (int k = 0; k < 2; k++) {
    const type *t = n->operands[k].kind == VAL_NODE ? n->operands[k].node->type : NULL;
    if (!t || !type_is_tensor(t) || t->dtype != n->type->dtype || !t->n) return false;
  }
  return n->type->n + 3 <= SCANC_MAX_RANK;
}

/* A dimension in front of the others, over which one operand of every step lies. */
static void put_steps(nest_view *v, dim steps, dim stride) {
  for (int d = v->rank++; d > 0; d--) v->size[d] = v->size[d - 1], v->stride[d] = v->stride[d - 1];
  v->size[0] = steps;
  v->stride[0] = stride;
}

bool plan_product_ahead(planner *x, const node *n, int k, const nest_view *slice, dim steps,
                        dim stride, nest_view *all) {
  operands o;
  product p;
  nest_view other;
  if (!plan_tensor(x, n, 1 - k, &other)) return false;
  o.a = k ? other : *slice;
  o.b = k ? *slice : other;
  if (!open_operands(n, &o)) return false;
  plan_use_packed(x, k ? &o.a : &o.b);
  dim size[SCANC_MAX_RANK] = {steps};
  for (int d = 0; d < n->type->n; d++) size[d + 1] = plan_dim(x, n->type->dims[d]);
  *all = plan_new_array(x, n->type->dtype, size, n->type->n + 1);
  o.c = *all;
  o.c.rank--;
  for (int d = 0; d < o.c.rank; d++)
    o.c.size[d] = all->size[d + 1], o.c.stride[d] = all->stride[d + 1];
  if (!make_product(x, &o, &p)) return false;
  put_steps(&p.a, steps, k ? dim_int(0) : stride);
  put_steps(&p.b, steps, k ? stride : dim_int(0));
  put_steps(&p.c, steps, all->stride[0]);
  p.n_free++;
  return plan_product(x, n, &p);
}

plan_op_fn plan_product_of(op_id op) {
  if (plan_is_matmul(op)) return plan_matmul;
  if (op == OP_convolution_backward) return plan_convolution_backward;
  return op == OP_convolution ? plan_convolution : NULL;
}

/* ---- ahead of loops ---- */

/* The matrix that is the same in every iteration gets its columns, or for a vector its rows,
 * adjacent. */
static bool pack_matrices(planner *x, const node *n, const bool *same) {
  nest_view v;
  if (same[1] && plan_tensor(x, n, 1, &v)) return v.rank < 2 || pack_ahead(x, n, &v, v.rank - 1);
  const type *t = n->operands[1].node->type;
  dim columns = t->n < 2 ? dim_int(1) : t->dims[t->n - 1];
  bool narrow = dim_is_int(columns) && columns.k < NARROW;
  if (!same[0] || !narrow || !plan_tensor(x, n, 0, &v)) return true;
  return v.rank < 2 || pack_ahead(x, n, &v, v.rank - 2);
}

/* So do the weights of a convolution of few positions, along the channels that come out. */
static bool pack_weight(planner *x, const node *n, const bool *same) {
  nest_view w;
  int64_t positions = 1;
  if (!same[1] || same[0] || !plan_tensor(x, n, 1, &w)) return true;
  for (int d = n->type->n - (w.rank - 2); d < n->type->n; d++)
    positions *= dim_is_int(n->type->dims[d]) ? n->type->dims[d].k : NARROW;
  return positions >= NARROW || pack_ahead(x, n, &w, 0);
}

bool plan_pack_ahead(planner *x, const node *n, const bool *varies) {
  if (!n->op || !plan_product_of(n->op->id) || !type_is_tensor(n->type) || x->barred[n->id])
    return true;
  bool same[2];
  for (int i = 0; i < 2; i++) {
    const node *v = n->operands[i].kind == VAL_NODE ? n->operands[i].node : NULL;
    if (!v || !type_is_tensor(v->type)) return true;
    same[i] = !varies[v->id];
  }
  return n->op->id == OP_convolution ? pack_weight(x, n, same) : pack_matrices(x, n, same);
}
