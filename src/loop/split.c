/* Cutting kernels for threads. */
#include "loop/split.h"

#include "loop/op_cost.h"
#include "loop/walk.h"

enum {
  ENOUGH_PIECES = 4, /* per thread: an outer axis with that many is cut, however long others are */
  SYMBOLIC_SIZE = 1 << 20, /* stands for a size that only the call knows */
  BLOCK_POINTS =
      256,           /* of part of a row; more leave no whole block, and share too much of a page */
  LEAST_RUN = 65536, /* bytes side by side that a thread writes of rows */
  PICOSECONDS_PER_VECTOR = 300, /* instruction */
  PICOSECONDS_PER_BYTE = 15
};

/* ---- which axis ---- */

static int64_t pieces_along(const kernel *k, const loop *l, int64_t grain) {
  lexpr e = k->axes.data[l->axis].extent;
  return e.is_param ? SYMBOLIC_SIZE / grain : (e.k + grain - 1) / grain;
}

/* Whole groups if they go round, else single vectors. */
static int64_t grain_of(const kernel *k, const loop *l, int threads) {
  int64_t group = (int64_t)l->lanes * l->unroll;
  if (l->bind != BIND_LANES) return 1;
  return pieces_along(k, l, group) >= threads ? group : l->lanes;
}

typedef struct {
  int axis;
  bool found;
} point_search;

static void find_point(const stmt *s, void *ctx) {
  point_search *q = ctx;
  q->found |= s->kind == ST_POINT && s->axis == q->axis;
}

/* A piece does not know where it begins. */
static bool tells_point(const loop *l) {
  point_search q = {l->axis, false};
  stmts_walk(&l->body, find_point, &q);
  return q.found;
}

/* The parallel loop in l, if it is the only loop there: every piece would do the others, too. */
static loop *inner_parallel(const loop *l) {
  loop *found = NULL;
  int n = 0;
  for (int i = 0; i < l->body.len; i++) {
    const stmt *s = &l->body.data[i];
    if (s->kind != ST_LOOP) continue;
    n++;
    if (s->loop->order == ORDER_PARALLEL) found = s->loop;
  }
  return n == 1 ? found : NULL;
}

/* Threads that write neighbouring parts of each row take cache lines from each other, as they are
 * fetched ahead: that costs more than arithmetic in vectors does. stored: bytes per point, 0: there
 * is more arithmetic. */
static bool shares_rows(const kernel *k, const loop *l, int threads, int stored) {
  lexpr e = k->axes.data[l->axis].extent;
  return l->bind == BIND_LANES && stmts_time_loop(&l->body) && !e.is_param &&
         e.k / threads * stored < LEAST_RUN;
}

/* The outermost loop that goes round well, else the one with most pieces; NULL: one piece only. */
static loop *pick_loop(const kernel *k, const stmt *part, int threads, int stored, int64_t *grain) {
  loop *best = NULL;
  int64_t most = 1;
  if (part->loop->order != ORDER_PARALLEL) return NULL;
  for (loop *l = part->loop; l; l = inner_parallel(l)) {
    int64_t g = grain_of(k, l, threads), n = pieces_along(k, l, g);
    if (k->axes.data[l->axis].param < 0 || n <= most || tells_point(l)) continue;
    if (stored && shares_rows(k, l, threads, stored)) continue;
    best = l, most = n, *grain = g;
    if (n >= (int64_t)ENOUGH_PIECES * threads) break;
  }
  return best;
}

/* ---- what a point costs ---- */

typedef struct {
  int64_t instructions, bytes;
  int lanes, combines; /* vectors that one vector of points takes */
  int stored;          /* bytes of an element */
} costing;

static int floor_log2(int n) { return n > 1 ? 1 + floor_log2(n / 2) : 0; }

static void count_statement(const stmt *s, void *ctx) {
  (void)s;
  ++*(int *)ctx;
}

/* The axes of the loops in each other. Of loops one after the other the one with most statements
 * counts: others are for what it leaves over. */
static void add_factors(const stmt_list *list, split_part *p) {
  const loop *longest = NULL;
  for (int i = 0, most = -1; i < list->len; i++) {
    int n = 0;
    if (list->data[i].kind != ST_LOOP) continue;
    stmts_walk(&list->data[i].loop->body, count_statement, &n);
    if (n > most) most = n, longest = list->data[i].loop;
  }
  if (!longest) return;
  p->factor[p->n_factors++] = longest->axis;
  add_factors(&longest->body, p);
}

static void add_cost(const stmt *s, void *ctx) {
  costing *c = ctx;
  switch (s->kind) {
    case ST_OP: c->instructions += op_cost(s->op, s->compute); break;
    case ST_CALL: c->instructions += OP_COST_CALL; break;
    case ST_INDEX: c->instructions += OP_COST_INDEX; break;
    case ST_LOAD:
    case ST_STORE:
      if (s->kind == ST_STORE) c->stored = (int)scanc_dtype_size(s->dtype);
      c->bytes += (int64_t)scanc_dtype_size(s->dtype);
      break;
    case ST_LOOP:
      if (s->loop->bind == BIND_LANES) c->lanes = s->loop->lanes;
      if (s->loop->prefix.kind == PREFIX_NETWORK) c->combines += floor_log2(s->loop->lanes);
      break;
    default: break;
  }
}

/* Returns the bytes of an element that is stored if memory takes longer than arithmetic, else 0. */
static int find_cost(const kernel *k, const stmt *part, split_part *p) {
  stmt_list one = {(stmt *)part, 1, 1};
  costing c = {1, 0, 1, 1, 0};
  p->factor = ARENA_ARRAY(k->mem, int, k->axes.len);
  add_factors(&one, p);
  stmts_walk(&one, add_cost, &c);
  int64_t compute = c.instructions * c.combines * PICOSECONDS_PER_VECTOR / c.lanes,
          memory = c.bytes * PICOSECONDS_PER_BYTE;
  p->picoseconds = compute > memory ? compute : memory;
  return compute > memory ? 0 : c.stored;
}

int64_t split_cost(const kernel *k) {
  split_part p = {0};
  for (int i = 0; i < k->body.len; i++)
    if (k->body.data[i].kind == ST_LOOP) find_cost(k, &k->body.data[i], &p);
  return p.picoseconds;
}

/* ---- what moves ---- */

typedef struct {
  kernel *k;
  kernel_split *s;
  int part;
} marking;

/* The extent of the axis, and of the dimensions it indexes, is what the call says. Every buffer
 * belongs to one part. */
static void mark_buffer(const stmt *s, void *ctx) {
  marking *m = ctx;
  if (s->kind != ST_LOAD && s->kind != ST_STORE) return;
  buffer *b = &m->k->buffers.data[s->buffer];
  const loop_axis *a = &m->k->axes.data[m->s->part[m->part].axis];
  for (int d = 0; d < b->n_dims; d++) {
    if (s->index[d].axis != m->s->part[m->part].axis) continue;
    m->s->buffer[s->buffer] =
        (split_buffer){m->part, b->dims[d].stride, (int64_t)scanc_dtype_size(b->dtype)};
    if (b->dims[d].extent.is_param) continue;
    buffer_dim *dims = arena_copy(m->k->mem, b->dims, sizeof *dims * (size_t)b->n_dims);
    dims[d].extent = (lexpr){true, a->param, b->dims[d].extent.k - a->extent.k};
    b->dims = dims;
  }
}

static void mark_part(kernel *k, kernel_split *s, int part) {
  marking m = {k, s, part};
  loop_axis *a = &k->axes.data[s->part[part].axis];
  stmts_walk(&k->body, mark_buffer, &m);
  if (!a->extent.is_param && a->extent.k % s->part[part].grain == 0) a->unit = s->part[part].grain;
  a->extent = lexpr_param(a->param);
}

/* Blocks of points that do each step together are whole ones in every piece. */
static void narrow_block(const kernel *k, loop *l, int threads) {
  int64_t tile = (int64_t)l->lanes * l->unroll, piece = k->axes.data[l->axis].extent.k / threads,
          most = piece < BLOCK_POINTS ? piece : BLOCK_POINTS;
  if (l->block > most) l->block = most < tile ? tile : most / tile * tile;
}

static bool choose(kernel *k, const stmt *part, int threads, split_part *p) {
  if (part->kind != ST_LOOP) return false;
  loop *l = pick_loop(k, part, threads, find_cost(k, part, p), &p->grain);
  if (!l) return false;
  if (l->block) narrow_block(k, l, threads);
  p->axis = l->axis;
  return true;
}

kernel_split *split_make(kernel *k, int threads) {
  kernel_split *s = ARENA_NEW(k->mem, kernel_split);
  s->n_part = k->body.len;
  s->part = ARENA_ARRAY(k->mem, split_part, s->n_part);
  s->buffer = ARENA_ARRAY(k->mem, split_buffer, k->buffers.len);
  for (int i = 0; i < k->buffers.len; i++) s->buffer[i].part = -1;
  for (int i = 0; i < s->n_part; i++)
    if (!choose(k, &k->body.data[i], threads, &s->part[i])) return NULL;
  for (int i = 0; i < s->n_part; i++) mark_part(k, s, i);
  return s->n_part ? s : NULL;
}

/* ---- calls ---- */

static int64_t value_of(lexpr e, const int64_t *ints) {
  return e.is_param ? ints[e.k] + e.add : e.k;
}

void split_piece(const kernel *k, const kernel_split *s, int32_t i, int32_t n, void **bufs,
                 int64_t *ints) {
  arena *tmp = arena_new();
  int64_t *begin = ARENA_ARRAY(tmp, int64_t, s->n_part);
  for (int b = 0; b < s->n_part; b++) {
    const split_part *p = &s->part[b];
    int param = k->axes.data[p->axis].param;
    int64_t extent = ints[param], grains = (extent + p->grain - 1) / p->grain,
            size = (grains + n - 1) / n * p->grain, left;
    begin[b] = i * size < extent ? i * size : extent;
    left = extent - begin[b];
    ints[param] = left < size ? left : size;
  }
  for (int b = 0; b < k->buffers.len; b++) {
    const split_buffer *m = &s->buffer[b];
    if (m->part < 0) continue;
    int64_t bytes = begin[m->part] * value_of(m->stride, ints) * m->size;
    bufs[b] = (void *)((uintptr_t)bufs[b] + (uintptr_t)bytes);
  }
  arena_free(tmp);
}
