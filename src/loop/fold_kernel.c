/* A fold is taken apart into blocks of 128 elements, of which element i goes to accumulator i % 8,
 * and what is left over. The accumulators are joined as a tree; blocks are counted in binary: level
 * l holds the fold of 2^l of them while that bit of their number is set. Joining these levels, the
 * lowest first, to what is left over gives the total.
 *
 * The accumulators are carried from row to row of 8 elements, and lanes run along a dimension that
 * stays. Or, where the reduced dimension is the one that lies adjacent in memory, the accumulators
 * themselves are the lanes, and come together through a local array. */
#include "loop/fold_kernel.h"

#include <assert.h>
#include <math.h>

enum {
  LANES = 8,
  BLOCK = FOLD_SHORT_LENGTH,
  GROUPS = 4,      /* blocks that are worked on together where accumulators are lanes */
  MAX_WIDTH = 32,  /* accumulators */
  UNROLLED = 32,   /* elements */
  FEW = 4,         /* accumulators that are joined one by one */
  LONG_ENOUGH = 16 /* to have accumulators as lanes */
};

/* Value ids; the second one of complex elements. */
typedef struct {
  int part[2];
} element;

typedef struct {
  view_kernel *v;
  const fold_op *f;
  const nest_view *x;
  const group_inline *before; /* computes the elements; NULL */
  group_body body;            /* of it */
  int kept;                   /* dimensions of x in front of the reduced one */
  int axis[SCANC_MAX_RANK];   /* their axes, then those of a piece of the reduced one */
  dim n;
  bool along;        /* accumulators are lanes */
  int vector, width; /* lanes of a vector; accumulators */
  int parts;         /* of an element of the state */
  int local;         /* buffer */
  element identity;
  int cost; /* instructions of the group before */
} folder;

/* Some of the reduced dimension: of x, and of the views of the group before. */
typedef struct {
  nest_view x;
  nest_view *before;
} range;

/* A range as further dimensions of a buffer, the last one of numbers. */
typedef struct {
  int buffer, rank;
  int before[GROUP_MAX_VIEWS]; /* buffers */
} piece;

/* ---- elements ---- */

static int op2(folder *w, stmt_list *where, op_id op, scanc_dtype d, int x, int y) {
  return vk_op(w->v, where, op, d, (int[]){x, y}, 2);
}

static int choose(folder *w, stmt_list *where, scanc_dtype d, int p, int x, int y) {
  return vk_op(w->v, where, OP_where, d, (int[]){p, x, y}, 3);
}

static element product(folder *w, stmt_list *where, element x, element y) {
  element r;
  vk_product(w->v, where, w->f->acc, x.part, y.part, r.part);
  return r;
}

static element join(folder *w, stmt_list *where, element x, element y) {
  if (w->parts == 2) return product(w, where, x, y);
  return (element){{op2(w, where, w->f->join, w->f->acc, x.part[0], y.part[0]), -1}};
}

static element pick(folder *w, stmt_list *where, int p, element x, element y) {
  element r = {{-1, -1}};
  for (int i = 0; i < w->parts; i++)
    r.part[i] = choose(w, where, w->f->acc, p, x.part[i], y.part[i]);
  return r;
}

/* The element as the group has it; what others read of it is stored. */
static int compute(folder *w, stmt_list *where, const piece *p, const int64_t *add) {
  int value[GROUP_MAX_VIEWS] = {0};
  group_next(&w->body);
  group_load(&w->body, where, w->before, p->before, add);
  int x = group_result(&w->body, where, w->before->given);
  group_results(&w->body, where, w->before, value);
  group_store(&w->body, where, w->before, p->before, add, value);
  return x;
}

/* The element that is add[] away from the point of the loops; a complex number is true unless both
 * parts are 0. */
static element load(folder *w, stmt_list *where, const piece *p, int64_t group, int64_t k) {
  bool complex = dtype_class(w->x->dtype) == 'c';
  int64_t add[SCANC_MAX_RANK] = {0};
  element e = {{-1, -1}};
  add[w->kept + 1] = group;
  add[p->rank - 1] = k;
  for (int i = 0; i < (complex ? 2 : 1); i++) {
    int x = w->before ? compute(w, where, p, add) : vk_load(w->v, where, p->buffer, add, i, NULL);
    e.part[i] = vk_cast(w->v, where, vk_cast(w->v, where, x, w->f->via), w->f->acc);
  }
  if (complex && w->parts == 1)
    e.part[0] = op2(w, where, OP_logical_or, SCANC_BOOL, e.part[0], e.part[1]);
  return e;
}

static element constant(folder *w, stmt_list *where, double number) {
  element e = {{vk_const(w->v, where, number, w->f->acc), -1}};
  if (w->parts == 2) e.part[1] = vk_const(w->v, where, 0, w->f->acc);
  return e;
}

static int64_t greatest_integer(scanc_dtype d) {
  int unused = 64 - 8 * (int)scanc_dtype_size(d);
  return dtype_signed(d) ? INT64_MAX >> unused : UINT8_MAX;
}

static element identity_of(folder *w, stmt_list *where) {
  op_id op = w->f->join;
  scanc_dtype d = w->f->acc;
  bool greatest = op == OP_maximum;
  if (op == OP_add || op == OP_logical_or) return constant(w, where, 0);
  if (op == OP_mul || op == OP_logical_and) return constant(w, where, 1);
  if (dtype_class(d) == 'f') return constant(w, where, greatest ? -INFINITY : INFINITY);
  stmt s = {.kind = ST_CONST, .dtype = d, .fault = -1, .i = greatest_integer(d)};
  if (greatest) s.i = dtype_signed(d) ? -s.i - 1 : 0;
  return (element){{stmt_add(w->v->k, where, s, NULL), -1}};
}

/* ---- loops that carry elements ---- */

/* Starts with `init`; in[]: the elements at the start of a step. */
static loop *open_loop(folder *w, stmt_list *where, int axis, int n, const element *init,
                       element *in) {
  loop *l = loop_add(w->v->k, where, axis, ORDER_SEQUENTIAL, n * w->parts);
  for (int i = 0; i < l->n_carry; i++) {
    loop_carry *c = &l->carry[i];
    c->init = init[i / w->parts].part[i % w->parts];
    c->in = in[i / w->parts].part[i % w->parts] = kernel_add_value(w->v->k, w->f->acc, NULL);
  }
  return l;
}

/* out[]: the elements after the last step; may be `next`. */
static void close_loop(folder *w, loop *l, const element *next, element *out) {
  for (int i = 0; i < l->n_carry; i++) {
    loop_carry *c = &l->carry[i];
    c->next = next[i / w->parts].part[i % w->parts];
    c->out = out[i / w->parts].part[i % w->parts] = kernel_add_value(w->v->k, w->f->acc, NULL);
  }
}

/* ---- pieces ---- */

/* A buffer (of each view) for dimensions that the range has; axis[i], i < n: of those behind the
 * kept ones. */
static piece add_piece(folder *w, const char *name, const range *r, const int *axis, int n) {
  piece p = {-1, r->x.rank, {0}};
  assert(r->x.rank == w->kept + n);
  for (int i = 0; i < n; i++) w->axis[w->kept + i] = axis[i];
  if (!w->before) p.buffer = vk_buffer(w->v, name, SPACE_INPUT, &r->x, w->axis);
  for (int i = 0; w->before && i < w->before->n_views; i++) {
    const nest_operand *o = &w->before->n->operand[w->before->operand[i]];
    bool result = group_is_result(w->before->n, w->before->operand[i]);
    p.before[i] =
        vk_buffer(w->v, o->name, result ? SPACE_OUTPUT : SPACE_INPUT, &r->before[i], w->axis);
  }
  return p;
}

static range range_like(folder *w, nest_view x) {
  range r = {x, NULL};
  if (w->before) r.before = ARENA_ARRAY(w->v->k->mem, nest_view, w->before->n_views);
  return r;
}

/* The reduced dimension as it is. */
static range whole_range(folder *w) {
  range r = range_like(w, *w->x);
  for (int i = 0; w->before && i < w->before->n_views; i++) r.before[i] = w->before->view[i];
  return r;
}

static range tiled(folder *w, const range *from, int d, int64_t by) {
  range r = range_like(w, view_tiled(w->v->syms, &from->x, d, by));
  for (int i = 0; w->before && i < w->before->n_views; i++)
    r.before[i] = view_tiled(w->v->syms, &from->before[i], d, by);
  return r;
}

static range part(folder *w, const range *from, dim begin, dim end) {
  range r = range_like(w, view_range(w->v->syms, &from->x, w->kept, begin, end));
  for (int i = 0; w->before && i < w->before->n_views; i++)
    r.before[i] = view_range(w->v->syms, &from->before[i], w->kept, begin, end);
  return r;
}

static void set_size(folder *w, range *r, dim size) {
  r->x.size[w->kept] = size;
  for (int i = 0; w->before && i < w->before->n_views; i++) r->before[i].size[w->kept] = size;
}

static dim times(folder *w, dim d, int64_t k) { return dim_mul(w->v->syms, d, dim_int(k)); }
static dim over(folder *w, dim d, int64_t k) { return dim_floordiv(w->v->syms, d, dim_int(k)); }
static dim rest(folder *w, dim d, int64_t k) { return dim_mod(w->v->syms, d, dim_int(k)); }

/* ---- rows of accumulators ---- */

/* Rows of elements: `groups` times `width` accumulators begin as the identity and go to out[]. */
typedef struct {
  piece p;
  int axis; /* along the rows */
  int groups;
} row_set;

static void fold_columns(folder *w, stmt_list *where, const row_set *r, element *out) {
  element init[MAX_WIDTH] = {{{0}}}, in[MAX_WIDTH] = {{{0}}};
  for (int k = 0; k < w->width; k++) init[k] = w->identity;
  loop *l = open_loop(w, where, r->axis, w->width, init, in);
  for (int k = 0; k < w->width; k++)
    out[k] = join(w, &l->body, in[k], load(w, &l->body, &r->p, 0, k));
  close_loop(w, l, out, out);
}

/* In any order: the upper half of the accumulators in the local array is joined to the lower one,
 * vectors at a time, while there are many. Returns how many are left. */
static int join_halves(folder *w, stmt_list *where) {
  int n = w->width;
  while (n > FEW) {
    n /= 2;
    int lane = kernel_add_axis(w->v->k, "k", lexpr_const(n));
    loop *l = loop_add(w->v->k, where, lane, ORDER_PARALLEL, 0);
    l->bind = BIND_LANES;
    l->lanes = n < w->vector ? n : w->vector;
    l->unroll = n / l->lanes;
    const index_map lower[] = {{-1, 0}, {lane, 0}}, upper[] = {{-1, 0}, {lane, n}};
    element x = {{stmt_load(w->v->k, &l->body, w->local, lower, NULL), -1}};
    element y = {{stmt_load(w->v->k, &l->body, w->local, upper, NULL), -1}};
    x = join(w, &l->body, x, y);
    stmt_store(w->v->k, &l->body, w->local, lower, x.part[0]);
  }
  return n;
}

/* Accumulator k of group g is element g * width + k of the local array. Returns how many went to
 * out[]. */
static int fold_along(folder *w, stmt_list *where, const row_set *r, int lane, element *out) {
  element init[GROUPS] = {{{0}}}, in[GROUPS] = {{{0}}};
  loop *lanes = loop_add(w->v->k, where, lane, ORDER_PARALLEL, 0);
  lanes->bind = BIND_LANES;
  lanes->lanes = w->vector;
  lanes->unroll = w->width / w->vector;
  for (int g = 0; g < r->groups; g++) init[g] = w->identity;
  loop *l = open_loop(w, &lanes->body, r->axis, r->groups, init, in);
  for (int g = 0; g < r->groups; g++)
    out[g] = join(w, &l->body, in[g], load(w, &l->body, &r->p, g, 0));
  close_loop(w, l, out, out);
  for (int g = 0; g < r->groups; g++) {
    index_map to[] = {{-1, g}, {lane, 0}};
    stmt_store(w->v->k, &lanes->body, w->local, to, out[g].part[0]);
  }
  int n = w->f->exact ? join_halves(w, where) : r->groups * w->width;
  for (int i = 0; i < n; i++) {
    index_map from[] = {{-1, i / w->width}, {-1, i % w->width}};
    out[i] = (element){{stmt_load(w->v->k, where, w->local, from, NULL), -1}};
  }
  return n;
}

/* The axis of the accumulators of a row, -1 where they are numbers. */
static int lane_axis(folder *w) {
  return w->along ? kernel_add_axis(w->v->k, "k", lexpr_const(w->width)) : -1;
}

static int fold_rows(folder *w, stmt_list *where, const row_set *r, int lane, element *out) {
  if (w->along) return fold_along(w, where, r, lane, out);
  fold_columns(w, where, r, out);
  return w->width;
}

static element tree(folder *w, stmt_list *where, element *lane, int n) {
  int half = 1;
  while (2 * half < n) half *= 2;
  for (int h = half; h > 0; h /= 2)
    for (int k = 0; k < h && k + h < n; k++) lane[k] = join(w, where, lane[k], lane[k + h]);
  return lane[0];
}

/* The same pairwise: n is a power of two. */
static element tree_of_neighbours(folder *w, stmt_list *where, element *x, int n) {
  for (; n > 1; n /= 2)
    for (int k = 0; k < n / 2; k++) x[k] = join(w, where, x[2 * k], x[2 * k + 1]);
  return x[0];
}

/* ---- what is left over ---- */

/* Fewer elements than accumulators, of which there are n: element k is joined to accumulator k, or,
 * if there is no order, to any. */
static void join_tail(folder *w, stmt_list *where, const range *tail, element *lane, int n) {
  dim m = tail->x.size[w->kept];
  const int fixed = -1;
  if (dim_is_int(m) && m.k <= LANES) {
    piece p = add_piece(w, "tail", tail, &fixed, 1);
    for (int k = 0; k < m.k; k++)
      lane[k % n] = join(w, where, lane[k % n], load(w, where, &p, 0, k));
    return;
  }
  int axis = vk_axis(w->v, "tail", m);
  n = w->f->exact ? 1 : w->width - 1;
  element in[MAX_WIDTH] = {{{0}}}, next[MAX_WIDTH] = {{{0}}};
  piece p = add_piece(w, "tail", tail, &axis, 1);
  loop *l = open_loop(w, where, axis, n, lane, in);
  element x = load(w, &l->body, &p, 0, 0);
  int at = w->f->exact ? -1 : stmt_point(w->v->k, &l->body, axis, lexpr_const(0));
  for (int k = 0; k < n; k++) {
    next[k] = join(w, &l->body, in[k], x);
    if (w->f->exact) continue;
    int here = vk_const(w->v, &l->body, k, SCANC_I64);
    int mine = op2(w, &l->body, OP_eq, SCANC_I64, at, here);
    next[k] = pick(w, &l->body, mine, next[k], in[k]);
  }
  close_loop(w, l, next, lane);
}

/* Sums begin with 0, which shows where all elements are -0; other folds with what they find. */
static element fold_unrolled(folder *w, stmt_list *where, const range *all) {
  const int fixed = -1;
  int n = (int)all->x.size[w->kept].k, lanes = w->f->exact ? 1 : LANES;
  piece p = add_piece(w, "x", all, &fixed, 1);
  element lane[LANES] = {{{0}}};
  for (int i = 0; i < n; i++) {
    element x = load(w, where, &p, 0, i), *to = &lane[i % lanes];
    *to = i < lanes && w->parts == 1 ? x : join(w, where, i < lanes ? w->identity : *to, x);
  }
  element r = tree(w, where, lane, n < lanes ? n : lanes);
  return w->f->join == OP_add ? join(w, where, r, w->identity) : r;
}

/* The fold of all elements of `all`, in one block or in any order. */
static element fold_block(folder *w, stmt_list *where, const range *all) {
  dim n = all->x.size[w->kept];
  if (dim_is(n, 0)) return w->identity;
  if (dim_is_int(n) && n.k <= (w->along ? LANES - 1 : UNROLLED / (1 + w->cost / LANES)))
    return fold_unrolled(w, where, all);
  range rows = tiled(w, all, w->kept, w->width),
        tail = part(w, all, times(w, over(w, n, w->width), w->width), n);
  int lane = lane_axis(w), axis = vk_axis(w->v, "rows", over(w, n, w->width));
  row_set r = {add_piece(w, "x", &rows, (int[]){axis, lane}, 2), axis, 1};
  element out[MAX_WIDTH] = {{{0}}};
  int count = fold_rows(w, where, &r, lane, out);
  if (!dim_is(rest(w, n, w->width), 0)) join_tail(w, where, &tail, out, count);
  return tree(w, where, out, count);
}

/* ---- blocks ---- */

enum { MAX_LEVELS = 32 };

/* A number of blocks (or of groups of them) that were counted. */
typedef struct {
  dim n;
  int levels;
  element level[MAX_LEVELS];
} count;

static int levels_of(folder *w, dim n) {
  int64_t min, max;
  int levels = 0;
  dim_bounds(w->v->syms, n, &min, &max);
  if (!dim_is_int(n) && max > FOLD_MAX_LENGTH / BLOCK) max = FOLD_MAX_LENGTH / BLOCK;
  for (; max > 0; max /= 2) levels++;
  return levels;
}

/* The level of the lowest bit of i that is not set takes p, after those below are joined to it.
 * What is joined after that is not used. */
static void push(folder *w, stmt_list *where, int i, element p, const element *in, element *next,
                 int n) {
  for (int l = 0; l < n; l++) {
    int64_t bit = (int64_t)1 << l;
    int mask = vk_const(w->v, where, (double)(2 * bit - 1), SCANC_I64);
    int ones = vk_const(w->v, where, (double)(bit - 1), SCANC_I64);
    int below = op2(w, where, OP_bitwise_and, SCANC_I64, i, mask);
    int takes = op2(w, where, OP_eq, SCANC_I64, below, ones);
    next[l] = pick(w, where, takes, p, in[l]);
    if (l + 1 < n) p = join(w, where, in[l], p);
  }
}

/* Counts what `all` consists of: groups of so many blocks, and nothing left over. */
static void count_blocks(folder *w, stmt_list *where, const range *all, int groups, count *c) {
  element lane[GROUPS * MAX_WIDTH] = {{{0}}}, init[MAX_LEVELS] = {{{0}}}, in[MAX_LEVELS] = {{{0}}};
  c->levels = levels_of(w, c->n);
  if (!c->levels) return;
  range v = tiled(w, all, w->kept, groups * BLOCK);
  v = tiled(w, &v, w->kept + 1, BLOCK);
  v = tiled(w, &v, w->kept + 2, LANES);
  int blocks = vk_axis(w->v, "blocks", c->n), lanes = lane_axis(w),
      axis = vk_axis(w->v, "rows", dim_int(BLOCK / LANES));
  row_set r = {add_piece(w, "x", &v, (int[]){blocks, -1, axis, lanes}, 4), axis, groups};
  for (int l = 0; l < c->levels; l++) init[l] = w->identity;
  loop *l = open_loop(w, where, blocks, c->levels, init, in);
  fold_rows(w, &l->body, &r, lanes, lane);
  for (int g = 0; g < groups; g++) lane[g] = tree(w, &l->body, lane + g * LANES, LANES);
  element p = tree_of_neighbours(w, &l->body, lane, groups);
  int i = stmt_point(w->v->k, &l->body, blocks, lexpr_const(0));
  push(w, &l->body, i, p, in, c->level, c->levels);
  close_loop(w, l, c->level, c->level);
}

/* Joins the levels that are there to what came after them. */
static element join_levels(folder *w, stmt_list *where, const count *c, element total) {
  if (!c->levels) return total;
  int n = stmt_point(w->v->k, where, -1, vk_number(w->v, "blocks", c->n));
  for (int l = 0; l < c->levels; l++) {
    int mask = vk_const(w->v, where, (double)((int64_t)1 << l), SCANC_I64);
    int zero = vk_const(w->v, where, 0, SCANC_I64);
    int bit = op2(w, where, OP_bitwise_and, SCANC_I64, n, mask);
    bit = op2(w, where, OP_ne, SCANC_I64, bit, zero);
    total = pick(w, where, bit, join(w, where, c->level[l], total), total);
  }
  return total;
}

/* The same for a number that is known; `none`: nothing came after them. */
static element join_known(folder *w, stmt_list *where, const count *c, element total, bool *none) {
  for (int l = 0; l < c->levels; l++) {
    if (!(c->n.k >> l & 1)) continue;
    total = *none ? c->level[l] : join(w, where, c->level[l], total);
    *none = false;
  }
  return total;
}

static element fold_blocks(folder *w, stmt_list *where) {
  symtab *syms = w->v->syms;
  int groups = w->along ? GROUPS : 1;
  dim many = over(w, w->n, (int64_t)groups * BLOCK), blocks = over(w, w->n, BLOCK);
  dim first = times(w, many, (int64_t)groups * BLOCK), last = times(w, blocks, BLOCK);
  count c[2] = {{.n = many}, {.n = dim_sub(syms, blocks, times(w, many, groups))}};
  range all = whole_range(w), v = part(w, &all, dim_int(0), first);
  count_blocks(w, where, &v, groups, &c[0]);
  v = part(w, &all, first, last);
  if (groups > 1) {
    c[1].n = rest(w, blocks, groups);
    count_blocks(w, where, &v, 1, &c[1]);
  }
  v = part(w, &all, last, w->n);
  bool none = dim_is(rest(w, w->n, BLOCK), 0);
  set_size(w, &v, rest(w, w->n, BLOCK));
  element total = none ? w->identity : fold_block(w, where, &v);
  for (int k = 1; k >= 0; k--)
    total = dim_is_int(w->n) ? join_known(w, where, &c[k], total, &none)
                             : join_levels(w, where, &c[k], total);
  return total;
}

/* ---- the whole ---- */

/* The dimension of those kept that lanes run along. */
static int lane_dim(const nest_view *x, int kept) {
  for (int d = 0; d < kept; d++)
    if (dim_is(x->stride[d], 1)) return d;
  return kept - 1;
}

stmt_list *fold_loops(view_kernel *v, const nest_view *x, int kept, int *axis) {
  int order[SCANC_MAX_RANK], n = 0, lanes = lane_dim(x, kept);
  for (int d = 0; d < kept; d++) axis[d] = vk_axis(v, "i", x->size[d]);
  for (int d = 0; d < kept; d++)
    if (d != lanes) order[n++] = axis[d];
  if (kept) order[n++] = axis[lanes];
  return vk_parallel(v, &v->k->body, order, n);
}

static int size_of(scanc_dtype d) { return (int)scanc_dtype_size(dtype_acc(dtype_real(d))); }

int fold_lanes(const target *t, scanc_dtype a, scanc_dtype b) {
  int widest = size_of(a) > size_of(b) ? size_of(a) : size_of(b), n = 1;
  while (2 * n * widest <= t->vector_bytes) n *= 2;
  return n;
}

static bool runs_along(const nest_view *x) {
  dim n = x->size[x->rank - 1];
  return dim_is(x->stride[x->rank - 1], 1) && dtype_class(x->dtype) != 'c' &&
         (!dim_is_int(n) || n.k >= LONG_ENOUGH);
}

static void set_lanes(folder *w, const target *t) {
  w->along = runs_along(w->x);
  w->vector = fold_lanes(t, w->x->dtype, w->f->acc);
  w->width = !w->f->exact ? LANES : w->along ? 4 * w->vector : 1;
  if (w->width > MAX_WIDTH) w->width = MAX_WIDTH;
  if (w->vector > w->width) w->vector = w->width;
}

/* Accumulators that are lanes are fewer than the lanes of the widest vectors. */
bool fold_takes_before(const fold_op *f, const target *t, const nest_view *x, int cost) {
  enum { CHEAP = 4 };
  bool narrow = !f->exact && runs_along(x) && fold_lanes(t, x->dtype, x->dtype) > LANES;
  return !narrow || cost <= CHEAP;
}

static element mean_of(folder *w, stmt_list *where, element total) {
  lexpr n = vk_number(w->v, "n", w->n);
  int by = vk_cast(w->v, where, stmt_point(w->v->k, where, -1, n), w->f->acc);
  return (element){{op2(w, where, OP_div, w->f->acc, total.part[0], by), -1}};
}

static void store_after(folder *w, stmt_list *body, const group_inline *g, int total,
                        const int *bufs) {
  int value[GROUP_MAX_VIEWS] = {0};
  group_body b = group_open(w->v, g->n);
  group_set(&b, g->given, total);
  group_load(&b, body, g, bufs, NULL);
  group_results(&b, body, g, value);
  group_store(&b, body, g, bufs, NULL, value);
}

static void add_after(folder *w, const group_inline *g, int *bufs) {
  for (int i = 0; i < g->n_views; i++)
    bufs[i] = vk_buffer(w->v, g->n->operand[g->operand[i]].name,
                        group_is_result(g->n, g->operand[i]) ? SPACE_OUTPUT : SPACE_INPUT,
                        &g->view[i], w->axis);
}

void fold_kernel(view_kernel *v, const fold_op *f, fold_lengths lengths, const target *t,
                 const fold_views *views) {
  const nest_view *x = views->x, *y = views->y;
  const group_inline *before = views->before->n ? views->before : NULL,
                     *after = views->after->n ? views->after : NULL;
  folder w = {.v = v, .f = f, .x = x, .before = before, .parts = 1};
  int to = -1, later[GROUP_MAX_VIEWS] = {0};
  w.kept = x->rank - 1;
  w.n = x->size[w.kept];
  if (before) w.body = group_open(v, before->n), w.cost = group_cost(before->n);
  if (dtype_class(x->dtype) == 'c' && f->acc != SCANC_BOOL) w.parts = 2;
  set_lanes(&w, t);
  stmt_list *body = fold_loops(v, x, w.kept, w.axis);
  if (after) add_after(&w, after, later);
  else to = vk_buffer(v, "y", SPACE_OUTPUT, y, w.axis);
  if (w.along) w.local = vk_local(v, "accumulators", f->acc, GROUPS, w.width);
  w.identity = identity_of(&w, body);
  bool blocks = !f->exact && (lengths == FOLD_LONG || (dim_is_int(w.n) && w.n.k > BLOCK));
  range all = whole_range(&w);
  element total = blocks ? fold_blocks(&w, body) : fold_block(&w, body, &all);
  if (f->mean) total = mean_of(&w, body, total);
  for (int i = 0; i < w.parts; i++) {
    int e = vk_cast(v, body, total.part[i], dtype_real(y->dtype));
    if (after) store_after(&w, body, after, e, later);
    else vk_store(v, body, to, NULL, i, e);
  }
}
