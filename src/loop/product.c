#include "loop/product.h"

/* ---- dimensions ---- */

/* Copies n dimensions of `from` behind those of `to`. */
static void append(nest_view *to, const nest_view *from, int first, int n) {
  for (int i = 0; i < n; i++, to->rank++) {
    to->size[to->rank] = from->size[first + i];
    to->stride[to->rank] = from->stride[first + i];
  }
}

static nest_view part_of(const nest_view *v, int first, int n) {
  nest_view r = *v;
  r.rank = 0;
  append(&r, v, first, n);
  return r;
}

void product_merge(symtab *syms, product *p) {
  nest_view a = part_of(&p->a, 0, p->n_free), b = part_of(&p->b, 0, p->n_free), c = p->c,
            ak = part_of(&p->a, p->n_free, p->n_summed),
            bk = part_of(&p->b, p->n_free, p->n_summed);
  views_merge(syms, (nest_view *[]){&c, &a, &b}, 3);
  views_merge(syms, (nest_view *[]){&ak, &bk}, 2);
  p->n_free = c.rank;
  p->n_summed = ak.rank;
  append(&a, &ak, 0, ak.rank);
  append(&b, &bk, 0, bk.rank);
  p->a = a, p->b = b, p->c = c;
}

product product_range(symtab *syms, const product *p, int d, dim from, dim to) {
  product r = *p;
  r.a = view_range(syms, &p->a, d, from, to);
  r.b = view_range(syms, &p->b, d, from, to);
  r.c = view_range(syms, &p->c, d, from, to);
  return r;
}

product product_tiled(symtab *syms, const product *p, int d, int64_t by) {
  product r = *p;
  r.a = view_tiled(syms, &p->a, d, by);
  r.b = view_tiled(syms, &p->b, d, by);
  r.c = view_tiled(syms, &p->c, d, by);
  r.n_free++;
  return r;
}

/* ---- choice ---- */

enum {
  UNKNOWN_SIZE = 256, /* stands for a size that only a run tells */
  STRIDED_LANE = 2,   /* instructions: an element read on its own and put into a vector */
  LATENCY = 16,       /* instructions that fit into the latency of a sum */
  LOOP = 3,           /* instructions of a step of the loop over k itself */
  MAX_UNROLLED = 400  /* instructions in it */
};

typedef struct {
  const product *p;
  const target *t;
  int width;    /* lanes of a whole vector */
  bool complex; /* two sums per element, of four products */
  product_shape best;
  double cost;
} choice;

static int64_t size_of(const nest_view *v, int d) {
  return dim_is_int(v->size[d]) ? v->size[d].k : UNKNOWN_SIZE;
}

static bool moves(const nest_view *v, int d) { return d >= 0 && !dim_is(v->stride[d], 0); }

/* Instructions for the elements of an operand that one step of a tile needs. */
static double loads(const choice *x, const nest_view *v, const product_shape *s) {
  bool unit = s->lane >= 0 && dim_is(v->stride[s->lane], 1) && !x->complex;
  double each = !moves(v, s->lane) ? 1 : s->unroll * (unit ? 1 : 1 + STRIDED_LANE * s->lanes);
  return each * (moves(v, s->row) ? s->rows : 1) * (x->complex ? 2 : 1);
}

static int64_t tiles(int64_t n, int64_t by) { return (n + by - 1) / by; }

/* How often the loops run whole tiles to cover the two dimensions. */
static double rounds(const choice *x, const product_shape *s) {
  int64_t n = s->lane < 0 ? 1 : size_of(&x->p->c, s->lane),
          m = s->row < 0 ? 1 : size_of(&x->p->c, s->row);
  if (n < (int64_t)s->lanes * s->unroll) return 1e30;
  double rest = (double)(m % s->rows) / s->rows;
  return (double)tiles(n, (int64_t)s->lanes * s->unroll) * ((double)(m / s->rows) + rest * 1.1);
}

static void consider(choice *x, product_shape s) {
  double sums = (double)s.rows * s.unroll * (x->complex ? 8 : 2),
         read = loads(x, &x->p->a, &s) + loads(x, &x->p->b, &s), step = sums + read;
  if (s.lane >= 0 && size_of(&x->p->c, s.lane) == 0) return;
  if (step > MAX_UNROLLED) return;
  if (step < LATENCY) step = LATENCY;
  step += LOOP;
  int64_t points =
      (s.lane < 0 ? 1 : size_of(&x->p->c, s.lane)) * (s.row < 0 ? 1 : size_of(&x->p->c, s.row));
  double cost = step * rounds(x, &s) / (double)(points ? points : 1);
  if (cost >= x->cost) return;
  x->cost = cost;
  x->best = s;
}

/* All tiles of these two dimensions whose sums fit into registers. */
static void consider_tiles(choice *x, int lane, int row) {
  int64_t n = lane < 0 ? 1 : size_of(&x->p->c, lane), m = row < 0 ? 1 : size_of(&x->p->c, row);
  int budget = (x->t->registers >= 32 ? 24 : 10) / (x->complex ? 2 : 1), lanes = 1;
  while (lane >= 0 && 2 * lanes <= x->width && 2 * lanes <= n) lanes *= 2;
  for (int rows = 1; rows <= PRODUCT_MAX_ROWS && rows <= (m ? m : 1); rows++)
    for (int unroll = 1; unroll * rows <= budget && unroll <= (lane < 0 ? 1 : 8); unroll++)
      consider(x, (product_shape){lane, lanes, unroll, row, rows, 0});
}

product_shape product_choose(const product *p, const target *t) {
  choice x = {.p = p, .t = t, .complex = dtype_class(p->c.dtype) == 'c', .cost = 1e100};
  x.width = t->vector_bytes / (int)scanc_dtype_size(product_acc(p->c.dtype));
  x.best = (product_shape){-1, 1, 1, -1, 1, 0};
  for (int lane = -1; lane < p->n_free; lane++)
    for (int row = -1; row < p->n_free; row++)
      if (row < 0 || row != lane) consider_tiles(&x, lane, row);
  x.best.cost = (int64_t)(1000 * (x.cost < 1e15 ? x.cost : 0));
  return x.best;
}

/* ---- kernels ---- */

typedef struct {
  view_kernel *v;
  const product_shape *s;
  product p; /* dimension `row` apart into tiles and rows */
  int row;   /* the dimension of rows in a tile, -1 */
  scanc_dtype acc;
  int parts; /* of an element */
  int a, b, c;
  int axis[SCANC_MAX_RANK];
} builder;

static int load(builder *x, stmt_list *body, int buf, const nest_view *v, int r, int part) {
  int64_t add[SCANC_MAX_RANK] = {0};
  if (x->row >= 0) add[x->row] = moves(v, x->row) ? r : 0;
  return vk_cast(x->v, body, vk_load(x->v, body, buf, add, part, NULL), x->acc);
}

static int op2(builder *x, stmt_list *body, op_id op, int p, int q) {
  return vk_op(x->v, body, op, x->acc, (int[]){p, q}, 2);
}

/* sum[part] += p * q */
static void add_product(builder *x, stmt_list *body, const int *p, const int *q, int *sum) {
  int re = op2(x, body, OP_mul, p[0], q[0]);
  if (x->parts == 2) {
    int both = op2(x, body, OP_mul, p[1], q[1]);
    re = op2(x, body, OP_sub, re, both);
    int im = op2(x, body, OP_mul, p[0], q[1]), right = op2(x, body, OP_mul, p[1], q[0]);
    im = op2(x, body, OP_add, im, right);
    sum[1] = op2(x, body, OP_add, sum[1], im);
  }
  sum[0] = op2(x, body, OP_add, sum[0], re);
}

/* The elements of an operand for all rows; those of one that rows share are read once. */
static void load_rows(builder *x, stmt_list *body, int buf, const nest_view *v, int *out) {
  for (int r = 0; r < x->s->rows; r++)
    for (int part = 0; part < x->parts; part++) {
      int i = r * x->parts + part;
      out[i] = r && !moves(v, x->row) ? out[part] : load(x, body, buf, v, r, part);
    }
}

/* One step of the sums of a tile. */
static void add_step(builder *x, stmt_list *body, int *sum) {
  int p[2 * PRODUCT_MAX_ROWS], q[2 * PRODUCT_MAX_ROWS];
  load_rows(x, body, x->a, &x->p.a, p);
  load_rows(x, body, x->b, &x->p.b, q);
  for (int i = 0; i < x->s->rows * x->parts; i += x->parts)
    add_product(x, body, p + i, q + i, sum + i);
}

/* The loops over the summed dimensions from the d-th on; sum: before, then after them. */
static void sum_loops(builder *x, stmt_list *where, int d, int *sum) {
  int n = x->s->rows * x->parts;
  if (d == x->p.n_free + x->p.n_summed) {
    add_step(x, where, sum);
    return;
  }
  loop *l = loop_add(x->v->k, where, x->axis[d], ORDER_SEQUENTIAL, n);
  int next[2 * PRODUCT_MAX_ROWS];
  for (int i = 0; i < n; i++) {
    l->carry[i].init = sum[i];
    l->carry[i].in = next[i] = kernel_add_value(x->v->k, x->acc, NULL);
  }
  sum_loops(x, &l->body, d + 1, next);
  for (int i = 0; i < n; i++) {
    l->carry[i].next = next[i];
    l->carry[i].out = sum[i] = kernel_add_value(x->v->k, x->acc, NULL);
  }
}

static void tile(builder *x, stmt_list *body) {
  int sum[2 * PRODUCT_MAX_ROWS], zero = vk_zero(x->v, body, x->acc);
  int64_t add[SCANC_MAX_RANK] = {0};
  for (int i = 0; i < x->s->rows * x->parts; i++) sum[i] = zero;
  sum_loops(x, body, x->p.n_free, sum);
  for (int r = 0; r < x->s->rows; r++)
    for (int part = 0; part < x->parts; part++) {
      if (x->row >= 0) add[x->row] = r;
      int e = vk_cast(x->v, body, sum[r * x->parts + part], dtype_real(x->p.c.dtype));
      vk_store(x->v, body, x->c, add, part, e);
    }
}

static void make_axes(builder *x) {
  static const char *const names[] = {"k", "k1", "k2", "k3", "k4"};
  for (int d = 0; d < x->p.n_free + x->p.n_summed; d++) {
    const char *name = d >= x->p.n_free ? names[d - x->p.n_free] : "i";
    x->axis[d] = d == x->row ? -1 : vk_axis(x->v, name, x->p.a.size[d]);
  }
}

/* A single lane says that no other loop is to become one. */
static stmt_list *open_lanes(builder *x, stmt_list *body, int lane) {
  loop *l = loop_add(x->v->k, body, x->axis[lane], ORDER_PARALLEL, 0);
  l->bind = BIND_LANES;
  l->lanes = x->s->lanes;
  l->unroll = x->s->unroll;
  return &l->body;
}

/* Loops from the outermost inwards: lanes around tiles of rows, so that what all rows read stays in
 * the nearest cache. */
static stmt_list *open_loops(builder *x, int lane, int row) {
  stmt_list *body = &x->v->k->body;
  for (int d = x->p.n_free - 1; lane < 0 && d >= 0; d--)
    if (x->axis[d] >= 0 && d != row) lane = d;
  for (int d = 0; d < x->p.n_free; d++)
    if (x->axis[d] >= 0 && d != lane && d != row) body = vk_parallel(x->v, body, &x->axis[d], 1);
  if (lane >= 0) body = open_lanes(x, body, lane);
  else if (row >= 0) return open_lanes(x, body, row);
  return row >= 0 ? vk_parallel(x->v, body, &x->axis[row], 1) : body;
}

void product_build(view_kernel *v, const product *p, const product_shape *s) {
  builder x = {.v = v, .s = s, .p = *p, .row = -1, .acc = product_acc(p->c.dtype)};
  int lane = s->lane, row = s->row;
  x.parts = dtype_class(p->c.dtype) == 'c' ? 2 : 1;
  if (row >= 0) {
    x.p = product_tiled(v->syms, p, row, s->rows);
    x.row = row + 1;
    lane += lane > row;
  }
  make_axes(&x);
  x.a = vk_buffer(v, "a", SPACE_INPUT, &x.p.a, x.axis);
  x.b = vk_buffer(v, "b", SPACE_INPUT, &x.p.b, x.axis);
  x.c = vk_buffer(v, "c", SPACE_OUTPUT, &x.p.c, x.axis);
  tile(&x, open_loops(&x, lane, row));
}
