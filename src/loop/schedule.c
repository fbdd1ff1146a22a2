/* Schedules of scans: the lane loop gets a vector width and a number of vectors worked on together,
 * so that the time loop inside keeps every carry in registers and the latency of its chain is
 * covered. */
#include "loop/scan_nest.h"
#include "loop/walk.h"

enum { MAX_UNROLL = 8, MAX_INSTRUCTIONS = 400 };
/* Without a chain in time the machine overlaps groups by itself, the more so long ones. */
enum { MAX_TIMELESS_UNROLL = 4, MAX_TIMELESS_INSTRUCTIONS = 64 };

typedef struct {
  const kernel *k;
  int time, lanes; /* axes; time -1: none */
  bool *varies;
  int widest; /* bytes */
  int instructions;
  int apart; /* accesses to lanes that do not lie side by side, an instruction or two for each */
} survey;

static void note_width(survey *v, scanc_dtype d) {
  int size = (int)scanc_dtype_size(dtype_acc(d));
  if (size > v->widest) v->widest = size;
}

static bool is(lexpr e, int64_t k) { return !e.is_param && e.k == k; }

/* Parts of complex elements that are neighbours in dimension d come in vectors that are sorted. */
static bool is_pair(const buffer *b, const stmt *s, int d) {
  int last = b->n_dims - 1;
  return d < last && is(b->dims[last].extent, 2) && is(b->dims[last].stride, 1) &&
         s->index[last].axis == -1 && is(b->dims[d].stride, 2);
}

/* Whether lanes are brought one by one; steps side by side are transposed in blocks. */
static bool is_apart(const kernel *k, const stmt *s, int time, int lanes) {
  if ((s->kind != ST_LOAD && s->kind != ST_STORE) || stmt_is_tiled(k, s, time, lanes)) return false;
  const buffer *b = &k->buffers.data[s->buffer];
  for (int d = 0; d < b->n_dims; d++) {
    lexpr stride = b->dims[d].stride;
    bool near = !stride.is_param && stride.k >= -1 && stride.k <= 1;
    if (s->index[d].axis == lanes && !near && !is_pair(b, s, d)) return true;
  }
  return false;
}

static void survey_stmt(const stmt *s, void *ctx) {
  survey *v = ctx;
  v->apart += is_apart(v->k, s, v->time, v->lanes);
  if (s->value >= 0 && v->varies[s->value]) note_width(v, s->dtype);
  if (s->kind == ST_OP && v->varies[s->value]) note_width(v, s->compute);
  v->instructions += stmt_cost(s);
}

/* ---- live values ---- */

/* last[v]: index of the last statement of the time loop that reads v. */
static void find_last_uses(const loop *t, int *last) {
  for (int i = 0; i < t->body.len; i++)
    for (int a = 0; a < t->body.data[i].n_args; a++) last[t->body.data[i].arg[a]] = i;
  for (int c = 0; c < t->n_carry; c++) last[t->carry[c].next] = t->body.len;
}

typedef struct {
  int lasting;   /* carries, and values from outside the loop (constants apart) */
  int temporary; /* most of the others alive at once */
} pressure;

/* Values that are alive in the time loop and vary along the lanes: a vector register each, and that
 * once per unrolled part for the lasting ones, since parts are worked on one after the other. */
static pressure live_values(const kernel *k, const loop *t, const bool *varies) {
  arena *tmp = arena_new();
  int n = k->values.len, live, most;
  int *last = ARENA_ARRAY(tmp, int, n);
  bool *inside = ARENA_ARRAY(tmp, bool, n);
  pressure p = {0, 0};
  for (int v = 0; v < n; v++) last[v] = -1;
  find_last_uses(t, last);
  for (int c = 0; c < t->n_carry; c++)
    inside[t->carry[c].in] = true, p.lasting += varies[t->carry[c].in];
  for (int i = 0; i < t->body.len; i++)
    if (t->body.data[i].value >= 0) inside[t->body.data[i].value] = true;
  for (int v = 0; v < n; v++) p.lasting += last[v] >= 0 && !inside[v] && varies[v];
  live = most = p.lasting;
  for (int i = 0; i < t->body.len; i++) {
    const stmt *s = &t->body.data[i];
    for (int v = 0; v < n; v++) live -= last[v] == i && inside[v] && varies[v];
    if (s->value >= 0 && last[s->value] >= 0) live += varies[s->value];
    if (live > most) most = live;
  }
  p.temporary = most - p.lasting + 1;
  arena_free(tmp);
  return p;
}

/* Of a sequential loop and those in it, of which one runs at a time. */
static pressure nested_live_values(const kernel *k, const loop *t, const bool *varies) {
  pressure p = live_values(k, t, varies), most = {0, 0};
  for (int i = 0; i < t->body.len; i++) {
    if (t->body.data[i].kind != ST_LOOP) continue;
    pressure q = nested_live_values(k, t->body.data[i].loop, varies);
    if (q.lasting > most.lasting) most.lasting = q.lasting;
    if (q.temporary > p.temporary) p.temporary = q.temporary;
  }
  p.lasting += most.lasting;
  return p;
}

/* ---- choice ---- */

static int floor_pow2(int64_t n) {
  int p = 1;
  while (2 * (int64_t)p <= n) p *= 2;
  return p;
}

/* most: instructions of all vectors together. */
static int choose_unroll(const target *t, pressure p, int instructions, int most, int lanes,
                         int64_t hint) {
  int budget = t->registers >= 32 ? 20 : 12;
  int k = p.lasting ? (budget - p.temporary) / p.lasting : MAX_UNROLL;
  if (instructions && k * instructions > most) k = most / instructions;
  if (k > MAX_UNROLL) k = MAX_UNROLL;
  if (k < 1) k = 1;
  if (!hint) return floor_pow2(k);
  int64_t vectors = (hint + lanes - 1) / lanes, groups = (vectors + k - 1) / k;
  for (int exact = k; 2 * exact > k; exact--)
    if (vectors % exact == 0) return exact;
  return (int)((vectors + groups - 1) / groups);
}

/* ---- rows ---- */

enum {
  WIDE_ROW = 2048, /* bytes: more than the tiles that groups would take out of each */
  MIN_TILES = 2,
  BLOCK_BYTES = 16384,      /* of what lives from step to step: it stays in the nearest cache */
  LONG_BLOCK_BYTES = 65536, /* longer pieces of rows come faster from memory than from a cache */
  CACHED_BYTES = 8 << 20,   /* of an array that is still in a cache when it is looked at again */
  MAX_LASTING = 8,
  MAX_BLOCK_INSTRUCTIONS = 64 /* beyond, arithmetic takes longer than memory */
};

typedef struct {
  const kernel *k;
  int time, lanes; /* axes */
  bool plain;      /* all that moves along time lies side by side along the lanes */
} row_search;

static void check_access(const stmt *s, void *ctx) {
  row_search *q = ctx;
  if (s->kind != ST_LOAD && s->kind != ST_STORE) return;
  if (!stmt_indexes_axis(q->k, s, q->time)) return;
  const buffer *b = &q->k->buffers.data[s->buffer];
  for (int d = 0; d < b->n_dims; d++) {
    lexpr stride = b->dims[d].stride;
    if (s->index[d].axis <= INDEX_VALUE) q->plain = false;
    if (s->index[d].axis == q->lanes) q->plain = q->plain && !stride.is_param && stride.k == 1;
  }
}

static bool has_loop_or_bool(const kernel *k, const loop *t, const stmt_list *around) {
  for (int i = 0; i < t->body.len; i++)
    if (t->body.data[i].kind == ST_LOOP) return true;
  for (int i = 0; i < around->len; i++) {
    const stmt *s = &around->data[i];
    if (s->kind == ST_LOOP ? s->loop != t : s->kind == ST_POINT || s->dtype == SCANC_BOOL)
      return true;
  }
  for (int c = 0; c < t->n_carry; c++)
    if (k->values.data[t->carry[c].in].dtype == SCANC_BOOL) return true;
  return false;
}

static int64_t block_bytes(const kernel *k, const loop *t, int64_t row) {
  lexpr steps = k->axes.data[t->axis].extent;
  bool cached = !steps.is_param && steps.k <= CACHED_BYTES / row;
  return cached ? BLOCK_BYTES : LONG_BLOCK_BYTES;
}

/* Points that do each step together, 0: a group does all of its steps before the next one. Groups
 * of wide rows would take a piece of a page each step, from as many pages as there are steps. */
static int64_t choose_block(const kernel *k, const loop *lanes, const loop *t, pressure p,
                            const survey *v, int64_t hint) {
  int64_t tile = (int64_t)lanes->lanes * lanes->unroll;
  if (!t || hint % tile != 0 || hint < MIN_TILES * tile || hint * v->widest < WIDE_ROW ||
      p.lasting < 1 || p.lasting > MAX_LASTING || v->instructions > MAX_BLOCK_INSTRUCTIONS ||
      has_loop_or_bool(k, t, &lanes->body))
    return 0;
  row_search q = {k, t->axis, lanes->axis, true};
  stmts_walk(&t->body, check_access, &q);
  if (!q.plain) return 0;
  int64_t bytes = block_bytes(k, t, hint * v->widest),
          block = bytes / (p.lasting * v->widest) / tile * tile;
  return block < MIN_TILES * tile ? 0 : block < hint ? block : hint;
}

/* ---- steps side by side ---- */

enum {
  TILE_BYTES = 16384, /* of the arrays of a block of steps: they stay in the nearest cache */
  MOST_STEPS = 64,
  LEAST_STEPS = 16,
  LEAST_LANES = 4 /* fewer are read one by one in less time */
};

/* Steps that are transposed at a time, 0: none. */
static int choose_tile(const kernel *k, const loop *lanes, const loop *t) {
  int bytes = 0, steps = MOST_STEPS, size = lanes->lanes * lanes->unroll;
  lexpr extent = k->axes.data[t->axis].extent;
  if (lanes->lanes < LEAST_LANES || (!extent.is_param && extent.k < LEAST_STEPS)) return 0;
  for (int i = 0; i < t->body.len; i++) {
    const stmt *s = &t->body.data[i];
    if (stmt_is_tiled(k, s, t->axis, lanes->axis)) bytes += size * (int)scanc_dtype_size(s->dtype);
  }
  while (steps > LEAST_STEPS && (int64_t)bytes * steps > TILE_BYTES) steps /= 2;
  return bytes && (int64_t)bytes * steps <= TILE_BYTES ? steps : 0;
}

static void choose_tiles(const kernel *k, loop *lanes) {
  for (int i = 0; i < lanes->body.len; i++) {
    loop *t = lanes->body.data[i].loop;
    bool steps = lanes->body.data[i].kind == ST_LOOP && loop_is_sequential(t);
    if (steps && !lanes->block) t->tile = choose_tile(k, lanes, t);
  }
}

/* ---- parts ---- */

static loop *innermost_parallel(const stmt *s) {
  loop *found = NULL;
  while (s->kind == ST_LOOP && s->loop->order == ORDER_PARALLEL) {
    found = s->loop;
    const stmt *inner = NULL;
    for (int i = 0; i < found->body.len; i++)
      if (found->body.data[i].kind == ST_LOOP) inner = &found->body.data[i];
    if (!inner) break;
    s = inner;
  }
  return found;
}

/* One part: a loop of the kernel's body. Lanes along time are there already. */
static void schedule_part(kernel *k, const stmt *part, const target *t) {
  loop *lanes = innermost_parallel(part);
  if (!lanes) return;
  const loop *time = stmts_time_loop(&lanes->body);
  if (time && time->bind == BIND_LANES) return;
  arena *tmp = arena_new();
  survey v = {.k = k, .time = time ? time->axis : -1, .lanes = lanes->axis, .widest = 1};
  v.varies = ARENA_ARRAY(tmp, bool, k->values.len);
  lexpr extent = k->axes.data[lanes->axis].extent;
  int64_t hint = extent.is_param ? 0 : extent.k;
  kernel_varies(k, lanes->axis, v.varies);
  stmts_walk(&lanes->body, survey_stmt, &v);
  int width = t->vector_bytes / v.widest;
  if (hint && hint < width) width = floor_pow2(hint);
  lanes->bind = BIND_LANES;
  lanes->lanes = width;
  pressure p = nested_live_values(k, time ? time : lanes, v.varies);
  int most = time ? MAX_INSTRUCTIONS : MAX_TIMELESS_INSTRUCTIONS,
      instructions = v.instructions + (time ? 2 * v.apart * width : 0);
  lanes->unroll = choose_unroll(t, p, instructions, most, width, hint);
  if (!time && lanes->unroll > MAX_TIMELESS_UNROLL) lanes->unroll = MAX_TIMELESS_UNROLL;
  lanes->block = choose_block(k, lanes, time, p, &v, hint);
  choose_tiles(k, lanes);
  arena_free(tmp);
}

void schedule_scan(kernel *k, const target *t) {
  for (int i = 0; i < k->body.len; i++)
    if (k->body.data[i].kind == ST_LOOP) schedule_part(k, &k->body.data[i], t);
}
