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

static void own_group(arena *mem, group_inline *g) {
  if (g->n) g->view = arena_copy(mem, g->view, sizeof *g->view * (size_t)g->n_views);
}

static void own_views(arena *mem, product *p) {
  own_group(mem, &p->before);
  own_group(mem, &p->after);
}

void product_merge(arena *mem, symtab *syms, product *p) {
  enum { MOST = 4 + 2 * GROUP_MAX_VIEWS };
  nest_view free[MOST], summed[MOST], c = p->c, bias = p->bias, *all[MOST], *sums[MOST],
                                      *whole[MOST] = {&p->a, &p->b};
  int n = 2, n_all = 0;
  own_views(mem, p);
  for (int i = 0; i < p->before.n_views; i++) whole[n++] = &p->before.view[i];
  all[n_all++] = &c;
  for (int i = 0; i < n; i++) {
    free[i] = part_of(whole[i], 0, p->n_free);
    summed[i] = part_of(whole[i], p->n_free, p->n_summed);
    all[n_all++] = &free[i];
    sums[i] = &summed[i];
  }
  if (p->has_bias) all[n_all++] = &bias;
  for (int i = 0; i < p->after.n_views; i++) all[n_all++] = &p->after.view[i];
  views_merge(syms, all, n_all);
  views_merge(syms, sums, n);
  p->n_free = c.rank;
  p->n_summed = summed[0].rank;
  for (int i = 0; i < n; i++) {
    append(&free[i], &summed[i], 0, summed[i].rank);
    *whole[i] = free[i];
  }
  p->c = c, p->bias = bias;
}

product product_range(arena *mem, symtab *syms, const product *p, int d, dim from, dim to) {
  product r = *p;
  own_views(mem, &r);
  r.a = view_range(syms, &p->a, d, from, to);
  r.b = view_range(syms, &p->b, d, from, to);
  r.c = view_range(syms, &p->c, d, from, to);
  if (p->has_bias) r.bias = view_range(syms, &p->bias, d, from, to);
  for (int i = 0; i < p->before.n_views; i++)
    r.before.view[i] = view_range(syms, &p->before.view[i], d, from, to);
  for (int i = 0; i < p->after.n_views; i++)
    r.after.view[i] = view_range(syms, &p->after.view[i], d, from, to);
  return r;
}

product product_tiled(arena *mem, symtab *syms, const product *p, int d, int64_t by) {
  product r = *p;
  own_views(mem, &r);
  r.a = view_tiled(syms, &p->a, d, by);
  r.b = view_tiled(syms, &p->b, d, by);
  r.c = view_tiled(syms, &p->c, d, by);
  if (p->has_bias) r.bias = view_tiled(syms, &p->bias, d, by);
  for (int i = 0; i < p->before.n_views; i++)
    r.before.view[i] = view_tiled(syms, &p->before.view[i], d, by);
  for (int i = 0; i < p->after.n_views; i++)
    r.after.view[i] = view_tiled(syms, &p->after.view[i], d, by);
  r.n_free++;
  return r;
}

/* ---- choice ---- */

enum {
  MAX_UNROLL = 8,          /* what the code generator takes */
  UNKNOWN_SIZE = 256,      /* stands for a size that only a run tells */
  STRIDED_LANE = 4,        /* instructions: an element read on its own and put into a vector */
  FAR_VECTOR = 3,          /* a vector that is read from the second cache */
  FIRST_CACHE = 32 << 10,  /* bytes */
  LARGEST_COPY = 64 << 20, /* bytes; windows that overlap become many times as large */
  SHUFFLE = 2,             /* one of a square, with the moves around it */
  PACK = 1,                /* instructions to copy an element */
  LATENCY = 16,            /* instructions that fit into the latency of a sum */
  LOOP = 3,                /* instructions of a step of the loop over k itself */
  MAX_UNROLLED = 400,      /* instructions in it */
  FEW = 4,                 /* instructions of a group that may be computed for one lane at a time */
  MODEST = 15,             /* and of one that may be computed between the sums of */
  FEW_ROWS = 2             /* more rows than these, which then have no registers left */
};

/* A factor for what it costs to compile a kernel for the rows that are left. */
static const double ONE_MORE_KERNEL = 1.15;

typedef struct {
  const product *p;
  const target *t;
  bool may_pack;
  int width;    /* lanes of a whole vector */
  bool complex; /* two sums per element, of four products */
  product_shape best;
  double cost;
} choice;

static int64_t size_of(const nest_view *v, int d) {
  return dim_is_int(v->size[d]) ? v->size[d].k : UNKNOWN_SIZE;
}

static bool moves(const nest_view *v, int d) { return d >= 0 && !dim_is(v->stride[d], 0); }

static bool is_computed(const product *p, int operand) {
  return p->before.n && p->computed == operand;
}

/* The last summed dimension; -1: all are gone. */
static int last_summed(const product *p) { return p->n_summed ? p->n_free + p->n_summed - 1 : -1; }

/* Whether lanes of the operand are apart and neighbours in memory are steps of the sum. */
static bool is_square(const product *p, const nest_view *v, int lane) {
  int k = last_summed(p);
  return moves(v, lane) && !dim_is(v->stride[lane], 1) && k >= 0 && dim_is(v->stride[k], 1);
}

static bool in_squares(const choice *x, const nest_view *v, int lane) {
  return !x->complex && is_square(x->p, v, lane);
}

static int log2_of(int n) { return n > 1 ? 1 + log2_of(n / 2) : 0; }

double product_reuse(const product *p, const nest_view *v) {
  double n = 1;
  for (int d = 0; d < p->n_free; d++)
    if (!moves(v, d)) n *= (double)size_of(v, d);
  return n;
}

double product_depth(const product *p) {
  double n = 1;
  for (int d = p->n_free; d < p->a.rank; d++) n *= (double)size_of(&p->a, d);
  return n;
}

bool product_may_copy(const nest_view *v) {
  double bytes = (double)scanc_dtype_size(product_acc(v->dtype));
  for (int d = 0; d < v->rank; d++)
    if (moves(v, d)) bytes *= (double)size_of(v, d);
  return bytes <= LARGEST_COPY;
}

/* Vectors that all rows read come from the second cache if they do not fit into the first one. */
static double vector_cost(const choice *x, const product_shape *s) {
  double bytes =
      product_depth(x->p) * s->lanes * s->unroll * (double)scanc_dtype_size(x->p->c.dtype);
  return bytes > FIRST_CACHE ? FAR_VECTOR : 1;
}

/* Instructions for the elements of an operand that one step of a tile needs. */
static double loads(const choice *x, const nest_view *v, const product_shape *s) {
  bool unit = s->lane >= 0 && dim_is(v->stride[s->lane], 1) && !x->complex;
  double vector = 1 + STRIDED_LANE * s->lanes;
  if (unit || s->pack[v == &x->p->b]) vector = vector_cost(x, s);
  else if (s->depth > 1 && in_squares(x, v, s->lane)) vector = 1 + SHUFFLE * log2_of(s->lanes);
  double each = !moves(v, s->lane) ? 1 : s->unroll * vector;
  return each * (moves(v, s->row) ? s->rows : 1) * (x->complex ? 2 : 1);
}

static int64_t tiles(int64_t n, int64_t by) { return (n + by - 1) / by; }

/* How often the loops run whole tiles to cover the two dimensions. */
static double rounds(const choice *x, const product_shape *s) {
  int64_t n = s->lane < 0 ? 1 : size_of(&x->p->c, s->lane),
          m = s->row < 0 ? 1 : size_of(&x->p->c, s->row);
  if (n < (int64_t)s->lanes * s->unroll) return 1e30;
  int64_t whole = m / s->rows;
  double rest = (double)(m % s->rows) / s->rows, price = rest > 0 ? ONE_MORE_KERNEL : 1;
  return (double)tiles(n, (int64_t)s->lanes * s->unroll) * ((double)whole + rest) * price;
}

/* Instructions per product for what is done outside of the loop over k. */
static double around(const choice *x, const product_shape *s) {
  double depth = product_depth(x->p), cost = 0;
  for (int i = 0; i < 2; i++)
    if (s->pack[i]) cost += PACK / product_reuse(x->p, i ? &x->p->b : &x->p->a);
  bool unit = s->lane < 0 || dim_is(x->p->c.stride[s->lane], 1);
  return cost + (unit ? 1.0 / s->lanes : STRIDED_LANE) / (depth > 1 ? depth : 1);
}

static void consider(choice *x, product_shape s) {
  double sums = (double)s.rows * s.unroll * (x->complex ? 8 : 2),
         step = sums + loads(x, &x->p->a, &s) + loads(x, &x->p->b, &s);
  double points = s.lane < 0 ? 1 : (double)size_of(&x->p->c, s.lane);
  if (s.row >= 0) points *= (double)size_of(&x->p->c, s.row);
  bool unit = s.lane < 0 || dim_is(x->p->c.stride[s.lane], 1);
  int stores = s.rows * s.unroll * (unit ? 1 : 2 * s.lanes);
  if (step * s.depth + stores > MAX_UNROLLED || points < 1) return;
  if (step < LATENCY) step = LATENCY;
  step += (double)LOOP / s.depth;
  double cost = step * rounds(x, &s) / points + around(x, &s);
  if (cost >= x->cost) return;
  x->cost = cost;
  x->best = s;
}

/* The shape, and those in which operands that are strided along the lanes are packed. */
static void consider_packed(choice *x, product_shape s) {
  consider(x, s);
  for (int i = 0; i < 2 && x->may_pack && s.lane >= 0 && !x->complex; i++) {
    const nest_view *v = i ? &x->p->b : &x->p->a;
    s.pack[i] = moves(v, s.lane) && !dim_is(v->stride[s.lane], 1) && product_may_copy(v) &&
                !is_computed(x->p, i);
  }
  s.depth = 1;
  if (s.pack[0] || s.pack[1]) consider(x, s);
}

/* Squares have as many steps of the sum as there are lanes. */
static int depth_of(const choice *x, int lane, int lanes) {
  bool squares = in_squares(x, &x->p->a, lane) || in_squares(x, &x->p->b, lane);
  if (!squares || lanes < 2 || lanes > PRODUCT_MAX_DEPTH) return 1;
  return size_of(&x->p->a, last_summed(x->p)) < lanes ? 1 : lanes;
}

/* Sums stay in registers, and so does what vectors one after the other are multiplied with. */
static bool fits(const choice *x, int rows, int unroll) {
  int shared = unroll > 1 ? rows : 1, parts = x->complex ? 2 : 1;
  return parts * (rows * unroll + shared + 2) <= x->t->registers;
}

/* All tiles of these two dimensions whose sums fit into registers. */
static void consider_tiles(choice *x, int lane, int row) {
  int64_t n = lane < 0 ? 1 : size_of(&x->p->c, lane), m = row < 0 ? 1 : size_of(&x->p->c, row);
  int lanes = 1;
  while (lane >= 0 && 2 * lanes <= x->width && 2 * lanes <= n) lanes *= 2;
  int depth = depth_of(x, lane, lanes);
  for (int rows = 1; rows <= PRODUCT_MAX_ROWS && rows <= (m ? m : 1); rows++)
    for (int unroll = 1; fits(x, rows, unroll) && unroll <= (lane < 0 ? 1 : MAX_UNROLL); unroll++)
      consider_packed(x, (product_shape){lane, lanes, unroll, row, rows, depth, {0}});
}

product_shape product_choose(const product *p, const target *t, bool may_pack) {
  choice x = {.p = p,
              .t = t,
              .may_pack = may_pack,
              .complex = dtype_class(p->c.dtype) == 'c',
              .cost = 1e100};
  x.width = t->vector_bytes / (int)scanc_dtype_size(product_acc(p->c.dtype));
  x.best = (product_shape){-1, 1, 1, -1, 1, 1, {0}};
  for (int lane = -1; lane < p->n_free; lane++)
    for (int row = -1; row < p->n_free; row++)
      if (row < 0 || row != lane) consider_tiles(&x, lane, row);
  return x.best;
}

/* Whether the tile has all points that one element of v is for. */
static bool reads_once(const product *p, const nest_view *v, const product_shape *s) {
  for (int d = 0; d < p->n_free; d++) {
    int64_t covered = d == s->row ? s->rows : d == s->lane ? (int64_t)s->lanes * s->unroll : 1;
    if (!moves(v, d) && size_of(&p->c, d) > covered) return false;
  }
  return true;
}

bool product_takes_before(const product *p, const product_shape *s) {
  const nest_view *v = p->computed ? &p->b : &p->a;
  int cost = group_cost(p->before.n), each = s->depth;
  if (!reads_once(p, v, s) || (!moves(v, s->lane) && cost > FEW)) return false;
  if (s->rows > FEW_ROWS && cost > MODEST) return false;
  for (int i = 0; i < p->before.n_views; i++) {
    const nest_view *w = &p->before.view[i];
    bool square = s->depth > 1 && is_square(p, w, s->lane);
    if (moves(w, s->lane) && !dim_is(w->stride[s->lane], 1) && !square) return false;
  }
  if (moves(v, s->row)) each *= s->rows;
  if (moves(v, s->lane)) each *= s->unroll;
  return cost * each <= MAX_UNROLLED;
}

bool product_takes_after(const product *p, const product_shape *s) {
  return group_cost(p->after.n) * s->rows * s->unroll <= MAX_UNROLLED;
}

/* ---- kernels ---- */

/* The operands as one loop over the last summed dimension sees them. */
typedef struct {
  nest_view a, b, *before;
  int in[2];                      /* buffers of a and b */
  int in_before[GROUP_MAX_VIEWS]; /* buffers */
  int axis[SCANC_MAX_RANK];
  int step; /* the dimension of the steps in one round of the loop, -1 */
  int depth;
} strip;

typedef struct {
  view_kernel *v;
  const product_shape *s;
  product p; /* dimension `row` apart into tiles and rows */
  int row;   /* the dimension of rows in a tile, -1 */
  scanc_dtype acc;
  int parts; /* of an element */
  int n_sums;
  int bias;                   /* buffer */
  int after[GROUP_MAX_VIEWS]; /* buffers */
  int axis[SCANC_MAX_RANK];
  strip strip[2];
  int n_strips;
} builder;

typedef struct {
  int v[PRODUCT_MAX_DEPTH * PRODUCT_MAX_ROWS * 2];
} elements;

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

/* The elements [row][step][part] of an operand that a round needs; those that rows share are read
 * once. Loads of neighbours come one after the other, as they may be a square. */
static void load_all(builder *x, stmt_list *body, const strip *t, bool is_b, elements *e) {
  const nest_view *v = is_b ? &t->b : &t->a;
  int buf = t->in[is_b], per_row = t->depth * x->parts, rows = x->s->rows;
  for (int r = 0; r < rows; r++)
    for (int i = 0; i < per_row; i++) {
      int64_t add[SCANC_MAX_RANK] = {0};
      if (x->row >= 0) add[x->row] = r;
      if (t->step >= 0) add[t->step] = i / x->parts;
      bool shared = r && !moves(v, x->row);
      e->v[r * per_row + i] = shared ? e->v[i] : vk_load(x->v, body, buf, add, i % x->parts, NULL);
    }
  for (int r = 0; r < rows; r++)
    for (int i = 0; i < per_row; i++) {
      bool shared = r && !moves(v, x->row);
      int at = r * per_row + i;
      e->v[at] = shared ? e->v[i] : vk_cast(x->v, body, e->v[at], x->acc);
    }
}

/* The elements [row][step] of view i of the group before. */
static void load_view(builder *x, stmt_list *body, const strip *t, int i, int *loaded) {
  const nest_view *v = &t->before[i];
  for (int r = 0; r < x->s->rows; r++)
    for (int k = 0; k < t->depth; k++) {
      int64_t add[SCANC_MAX_RANK] = {0};
      int *e = &loaded[r * t->depth + k];
      if (x->row >= 0) add[x->row] = r;
      if (t->step >= 0) add[t->step] = k;
      if (r && !moves(v, x->row)) *e = loaded[k];
      else if (k && !moves(v, t->step)) *e = e[-1];
      else *e = vk_load(x->v, body, t->in_before[i], add, 0, NULL);
    }
}

/* The same of an operand that a group computes. */
static void compute_all(builder *x, stmt_list *body, const strip *t, elements *e) {
  const group_inline *w = &x->p.before;
  const nest_view *v = x->p.computed ? &t->b : &t->a;
  int loaded[GROUP_MAX_VIEWS][PRODUCT_MAX_DEPTH * PRODUCT_MAX_ROWS] = {{0}};
  group_body g = group_open(x->v, w->n);
  for (int i = 0; i < w->n_views; i++) load_view(x, body, t, i, loaded[i]);
  for (int at = 0; at < x->s->rows * t->depth; at++) {
    bool shared = at >= t->depth && !moves(v, x->row);
    if (shared) e->v[at] = e->v[at - t->depth];
    if (shared) continue;
    group_next(&g);
    for (int i = 0; i < w->n_views; i++) group_set(&g, w->operand[i], loaded[i][at]);
    e->v[at] = vk_cast(x->v, body, group_result(&g, body, w->given), x->acc);
  }
}

static void read_all(builder *x, stmt_list *body, const strip *t, bool is_b, elements *e) {
  if (is_computed(&x->p, is_b)) compute_all(x, body, t, e);
  else load_all(x, body, t, is_b, e);
}

static void add_steps(builder *x, stmt_list *body, const strip *t, int *sum) {
  elements p = {{0}}, q = {{0}};
  read_all(x, body, t, false, &p);
  read_all(x, body, t, true, &q);
  for (int i = 0; i < t->depth; i++)
    for (int r = 0; r < x->s->rows; r++) {
      int at = (r * t->depth + i) * x->parts;
      add_product(x, body, p.v + at, q.v + at, sum + r * x->parts);
    }
}

/* A sequential loop that carries the sums; *next: to be changed by what is put into its body. */
static loop *open_sums(builder *x, stmt_list *where, int axis, const int *sum, int *next) {
  loop *l = loop_add(x->v->k, where, axis, ORDER_SEQUENTIAL, x->n_sums);
  for (int i = 0; i < x->n_sums; i++) {
    l->carry[i].init = sum[i];
    l->carry[i].in = next[i] = kernel_add_value(x->v->k, x->acc, NULL);
  }
  return l;
}

static void close_sums(builder *x, loop *l, const int *next, int *sum) {
  for (int i = 0; i < x->n_sums; i++) {
    l->carry[i].next = next[i];
    l->carry[i].out = sum[i] = kernel_add_value(x->v->k, x->acc, NULL);
  }
}

/* The loops over the summed dimensions from the d-th on; sum: before, then after them. */
static void sum_loops(builder *x, stmt_list *where, int d, int *sum) {
  int next[2 * PRODUCT_MAX_ROWS] = {0}, last = last_summed(&x->p);
  if (last < 0) add_steps(x, where, &x->strip[0], sum);
  if (d < last) {
    loop *l = open_sums(x, where, x->axis[d], sum, next);
    sum_loops(x, &l->body, d + 1, next);
    close_sums(x, l, next, sum);
  }
  for (int i = 0; d == last && i < x->n_strips; i++) {
    loop *l = open_sums(x, where, x->strip[i].axis[d], sum, next);
    add_steps(x, &l->body, &x->strip[i], next);
    close_sums(x, l, next, sum);
  }
}

static void add_bias(builder *x, stmt_list *body, int *sum) {
  int shared = -1;
  for (int r = 0; r < x->n_sums; r++) {
    int64_t add[SCANC_MAX_RANK] = {0};
    if (x->row >= 0) add[x->row] = r;
    if (shared < 0 || moves(&x->p.bias, x->row)) {
      shared = vk_load(x->v, body, x->bias, add, 0, NULL);
      shared = vk_cast(x->v, body, shared, x->acc);
    }
    sum[r] = op2(x, body, OP_add, sum[r], shared);
  }
}

static void store_sums(builder *x, stmt_list *body, int out, const int *sum) {
  int64_t add[SCANC_MAX_RANK] = {0};
  for (int i = 0; i < x->n_sums; i++) {
    if (x->row >= 0) add[x->row] = i / x->parts;
    int e = vk_cast(x->v, body, sum[i], dtype_real(x->p.c.dtype));
    vk_store(x->v, body, out, add, i % x->parts, e);
  }
}

/* All rows are computed before one is stored, so that what they share is read once. */
static void store_after(builder *x, stmt_list *body, const int *sum) {
  const group_inline *w = &x->p.after;
  int value[PRODUCT_MAX_ROWS][GROUP_MAX_VIEWS] = {{0}};
  int64_t add[SCANC_MAX_RANK] = {0};
  group_body g = group_open(x->v, w->n);
  for (int r = 0; r < x->s->rows; r++) {
    if (x->row >= 0) add[x->row] = r;
    group_next(&g);
    group_set(&g, w->given, vk_cast(x->v, body, sum[r], x->p.c.dtype));
    group_load(&g, body, w, x->after, add);
    group_results(&g, body, w, value[r]);
  }
  for (int r = 0; r < x->s->rows; r++) {
    if (x->row >= 0) add[x->row] = r;
    group_store(&g, body, w, x->after, add, value[r]);
  }
}

static void tile(builder *x, stmt_list *body, int out) {
  int sum[2 * PRODUCT_MAX_ROWS] = {0}, zero = vk_zero(x->v, body, x->acc);
  for (int i = 0; i < x->n_sums; i++) sum[i] = zero;
  sum_loops(x, body, x->p.n_free, sum);
  if (x->p.has_bias) add_bias(x, body, sum);
  if (x->p.after.n) store_after(x, body, sum);
  else store_sums(x, body, out, sum);
}

/* ---- axes and buffers ---- */

static void make_axes(builder *x) {
  int last = last_summed(&x->p);
  for (int d = 0; d < x->p.n_free + x->p.n_summed; d++) {
    const char *name = d >= x->p.n_free ? "k" : x->row >= 0 && d == x->row - 1 ? "row" : "i";
    x->axis[d] = d == x->row || d == last ? -1 : vk_axis(x->v, name, x->p.a.size[d]);
  }
}

/* The view with steps `begin` to `end` of dimension k, `depth` at a time; k -1: as it is. */
static nest_view strip_of(builder *x, const nest_view *v, int k, dim begin, dim end, int depth) {
  if (k < 0) return *v;
  nest_view r = view_range(x->v->syms, v, k, begin, end);
  return view_tiled(x->v->syms, &r, k, depth);
}

/* Steps `begin` to `end` of the last summed dimension, `depth` at a time. */
static void add_strip(builder *x, dim begin, dim end, int depth) {
  strip *t = &x->strip[x->n_strips++];
  const group_inline *w = &x->p.before;
  int k = last_summed(&x->p);
  *t = (strip){.step = k < 0 ? -1 : k + 1, .depth = depth};
  t->a = strip_of(x, &x->p.a, k, begin, end, depth);
  t->b = strip_of(x, &x->p.b, k, begin, end, depth);
  for (int d = 0; d < x->p.a.rank; d++) t->axis[d] = x->axis[d];
  if (k >= 0) t->axis[k] = vk_axis(x->v, "k", t->a.size[k]), t->axis[k + 1] = -1;
  if (!is_computed(&x->p, 0)) t->in[0] = vk_buffer(x->v, "a", SPACE_INPUT, &t->a, t->axis);
  if (!is_computed(&x->p, 1)) t->in[1] = vk_buffer(x->v, "b", SPACE_INPUT, &t->b, t->axis);
  t->before = ARENA_ARRAY(x->v->k->mem, nest_view, w->n_views);
  for (int i = 0; i < w->n_views; i++) {
    t->before[i] = strip_of(x, &w->view[i], k, begin, end, depth);
    t->in_before[i] =
        vk_buffer(x->v, w->n->operand[w->operand[i]].name, SPACE_INPUT, &t->before[i], t->axis);
  }
}

static void add_strips(builder *x) {
  symtab *syms = x->v->syms;
  int k = last_summed(&x->p), depth = x->s->depth;
  dim size = k >= 0 ? x->p.a.size[k] : dim_int(1), by = dim_int(depth),
      whole = dim_mul(syms, dim_floordiv(syms, size, by), by);
  if (depth == 1 || !dim_is(whole, 0)) add_strip(x, dim_int(0), whole, depth);
  if (!dim_equal(whole, size)) add_strip(x, whole, size, 1);
}

/* The buffers that take the place of c. */
static int add_after(builder *x) {
  const group_inline *w = &x->p.after;
  for (int i = 0; i < w->n_views; i++)
    x->after[i] = vk_buffer(x->v, w->n->operand[w->operand[i]].name,
                            group_is_result(w->n, w->operand[i]) ? SPACE_OUTPUT : SPACE_INPUT,
                            &w->view[i], x->axis);
  return -1;
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
  x.n_sums = s->rows * x.parts;
  if (row >= 0) {
    x.p = product_tiled(v->k->mem, v->syms, p, row, s->rows);
    x.row = row + 1;
    lane += lane > row;
  }
  make_axes(&x);
  add_strips(&x);
  if (p->has_bias) x.bias = vk_buffer(v, "bias", SPACE_INPUT, &x.p.bias, x.axis);
  int out = x.p.after.n ? add_after(&x) : vk_buffer(v, "c", SPACE_OUTPUT, &x.p.c, x.axis);
  tile(&x, open_loops(&x, lane, row), out);
}
