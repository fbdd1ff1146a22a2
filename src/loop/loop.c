/* Building kernels, and facts about them that several users need. */
#include "loop/loop.h"

#include "loop/op_cost.h"
#include "loop/walk.h"

kernel *kernel_new(arena *mem, const char *name) {
  kernel *k = ARENA_NEW(mem, kernel);
  k->mem = mem;
  k->name = arena_strdup(mem, name);
  return k;
}

int kernel_add_axis(kernel *k, const char *name, lexpr extent) {
  loop_axis a = {arena_strdup(k->mem, name), extent, extent.is_param ? (int)extent.k : -1, 0};
  vec_push(k->mem, &k->axes, a);
  return k->axes.len - 1;
}

int kernel_add_int(kernel *k, const char *name) {
  vec_push(k->mem, &k->ints, arena_strdup(k->mem, name));
  return k->ints.len - 1;
}

int kernel_add_buffer(kernel *k, buffer b) {
  b.name = arena_strdup(k->mem, b.name);
  b.dims = arena_copy(k->mem, b.dims, sizeof *b.dims * (size_t)b.n_dims);
  vec_push(k->mem, &k->buffers, b);
  return k->buffers.len - 1;
}

int kernel_add_value(kernel *k, scanc_dtype dtype, const char *name) {
  value_info v = {dtype, name ? arena_strdup(k->mem, name) : NULL};
  vec_push(k->mem, &k->values, v);
  return k->values.len - 1;
}

loop *loop_add(kernel *k, stmt_list *where, int ax, loop_order order, int n_carry) {
  loop *l = ARENA_NEW(k->mem, loop);
  *l = (loop){.axis = ax, .order = order, .n_carry = n_carry, .lanes = 1, .unroll = 1};
  l->carry = ARENA_ARRAY(k->mem, loop_carry, n_carry);
  stmt s = {.kind = ST_LOOP, .value = -1, .fault = -1, .loop = l};
  vec_push(k->mem, where, s);
  return l;
}

int stmt_add(kernel *k, stmt_list *where, stmt s, const char *name) {
  s.value = kernel_add_value(k, s.dtype, name);
  vec_push(k->mem, where, s);
  return s.value;
}

static const index_map *copy_index(kernel *k, int buf, const index_map *index) {
  return arena_copy(k->mem, index, sizeof *index * (size_t)k->buffers.data[buf].n_dims);
}

int stmt_load_by(kernel *k, stmt_list *where, int buf, const index_map *index, const int *by, int n,
                 const char *name) {
  stmt s = {.kind = ST_LOAD, .dtype = k->buffers.data[buf].dtype, .buffer = buf, .fault = -1};
  s.index = copy_index(k, buf, index);
  for (int i = 0; i < n; i++) s.arg[s.n_args++] = by[i];
  return stmt_add(k, where, s, name);
}

void stmt_store_by(kernel *k, stmt_list *where, int buf, const index_map *index, const int *by,
                   int n, int value) {
  stmt s = {.kind = ST_STORE, .value = -1, .arg = {value}, .n_args = 1, .buffer = buf, .fault = -1};
  s.dtype = k->buffers.data[buf].dtype;
  s.index = copy_index(k, buf, index);
  for (int i = 0; i < n; i++) s.arg[s.n_args++] = by[i];
  vec_push(k->mem, where, s);
}

int stmt_load(kernel *k, stmt_list *where, int buf, const index_map *index, const char *name) {
  return stmt_load_by(k, where, buf, index, NULL, 0, name);
}

void stmt_store(kernel *k, stmt_list *where, int buf, const index_map *index, int value) {
  stmt_store_by(k, where, buf, index, NULL, 0, value);
}

int stmt_point(kernel *k, stmt_list *where, int ax, lexpr number) {
  stmt s = {.kind = ST_POINT, .dtype = SCANC_I64, .axis = ax, .number = number, .fault = -1};
  return stmt_add(k, where, s, NULL);
}

int stmt_index(kernel *k, stmt_list *where, int value, lexpr extent, bool wrap, int fault) {
  stmt s = {.kind = ST_INDEX, .dtype = SCANC_I64, .arg = {value}, .n_args = 1, .fault = fault};
  s.number = extent;
  s.wrap = wrap;
  return stmt_add(k, where, s, NULL);
}

/* ---- walking ---- */

void stmts_walk(const stmt_list *list, void (*fn)(const stmt *s, void *ctx), void *ctx) {
  for (int i = 0; i < list->len; i++) {
    fn(&list->data[i], ctx);
    if (list->data[i].kind == ST_LOOP) stmts_walk(&list->data[i].loop->body, fn, ctx);
  }
}

int stmt_cost(const stmt *s) {
  switch (s->kind) {
    case ST_OP: return op_cost(s->op, s->compute);
    case ST_CALL: return OP_COST_CALL;
    case ST_INDEX: return OP_COST_INDEX;
    case ST_CONST:
    case ST_LOOP: return 0;
    default: return 1;
  }
}

bool stmt_is_next(const kernel *k, const stmt *a, const stmt *b) {
  const buffer *buf = &k->buffers.data[a->buffer];
  int step = 0;
  if (b->kind != a->kind || b->buffer != a->buffer) return false;
  for (int d = 0; d < buf->n_dims; d++) {
    int64_t by = b->index[d].add - a->index[d].add;
    bool unit = !buf->dims[d].stride.is_param && buf->dims[d].stride.k == 1;
    if (b->index[d].axis <= INDEX_VALUE) return false;
    if (b->index[d].axis != a->index[d].axis || (by && (by != 1 || !unit))) return false;
    step += by == 1;
  }
  return step == 1;
}

bool stmt_indexes_axis(const kernel *k, const stmt *s, int ax) {
  if (s->kind != ST_LOAD && s->kind != ST_STORE) return false;
  for (int d = 0; d < k->buffers.data[s->buffer].n_dims; d++)
    if (s->index[d].axis == ax) return true;
  return false;
}

bool stmt_is_tiled(const kernel *k, const stmt *s, int time, int lanes) {
  bool side_by_side = false, apart = false;
  if ((s->kind != ST_LOAD && s->kind != ST_STORE) || s->dtype == SCANC_BOOL) return false;
  const buffer *b = &k->buffers.data[s->buffer];
  if (b->space != (s->kind == ST_LOAD ? SPACE_INPUT : SPACE_OUTPUT)) return false;
  for (int d = 0; d < b->n_dims; d++) {
    lexpr stride = b->dims[d].stride;
    bool near = !stride.is_param && stride.k >= -1 && stride.k <= 1;
    if (s->index[d].axis <= INDEX_VALUE) return false;
    if (s->index[d].axis == time) side_by_side = near && stride.k;
    if (s->index[d].axis == lanes) apart = !near;
  }
  return side_by_side && apart;
}

/* ---- variance ---- */

typedef struct {
  const kernel *k;
  int axis;
  bool *varies, changed;
} variance;

static void vary(variance *v, int value, bool yes) {
  if (!yes || v->varies[value]) return;
  v->varies[value] = true;
  v->changed = true;
}

static void vary_stmt(const stmt *s, void *ctx) {
  variance *v = ctx;
  if (s->kind == ST_LOOP) {
    for (int c = 0; c < s->loop->n_carry; c++) {
      loop_carry *k = &s->loop->carry[c];
      bool yes = v->varies[k->init] || v->varies[k->next];
      vary(v, k->in, yes);
      vary(v, k->out, yes);
    }
    return;
  }
  if (s->kind == ST_LOAD) vary(v, s->value, stmt_indexes_axis(v->k, s, v->axis));
  if (s->kind == ST_POINT) vary(v, s->value, s->axis == v->axis);
  for (int a = 0; s->value >= 0 && a < s->n_args; a++) vary(v, s->value, v->varies[s->arg[a]]);
}

void kernel_varies(const kernel *k, int ax, bool *varies) {
  variance v = {k, ax, varies, true};
  for (int i = 0; i < k->values.len; i++) varies[i] = false;
  while (v.changed) {
    v.changed = false;
    stmts_walk(&k->body, vary_stmt, &v);
  }
}

/* ---- loops and cost ---- */

typedef struct {
  bool lanes;
  const loop *found;
} loop_search;

/* Carries on their way to or from scratch, before and after the time loop. */
static bool only_copies(const loop *l) {
  for (int i = 0; i < l->body.len; i++)
    if (l->body.data[i].kind != ST_LOAD && l->body.data[i].kind != ST_STORE) return false;
  return !l->n_carry && l->body.len;
}

static void match_loop(const stmt *s, void *ctx) {
  loop_search *q = ctx;
  if (s->kind != ST_LOOP) return;
  if (!q->lanes && !q->found && loop_is_sequential(s->loop) && !only_copies(s->loop))
    q->found = s->loop;
  if (q->lanes && !q->found && s->loop->bind == BIND_LANES) q->found = s->loop;
}

const loop *stmts_lane_loop(const stmt_list *list) {
  loop_search q = {true, NULL};
  stmts_walk(list, match_loop, &q);
  return q.found;
}

const loop *stmts_time_loop(const stmt_list *list) {
  loop_search q = {false, NULL};
  stmts_walk(list, match_loop, &q);
  return q.found;
}

typedef struct {
  kernel_cost sum;
  bool timed; /* only what is in a sequential loop counts */
  int depth;
} cost;

static void add_cost(const stmt *s, kernel_cost *c) {
  bool op = s->kind == ST_OP || s->kind == ST_CALL || s->kind == ST_INDEX;
  scanc_dtype computed = s->kind == ST_OP ? s->compute : s->dtype;
  c->ops += op;
  c->flops += op && dtype_class(computed) == 'f';
  if (s->kind == ST_LOAD || s->kind == ST_STORE) c->bytes += (int)scanc_dtype_size(s->dtype);
}

static void cost_list(const stmt_list *list, cost *c) {
  for (int i = 0; i < list->len; i++) {
    const stmt *s = &list->data[i];
    if (s->kind == ST_LOOP) {
      c->depth += loop_is_sequential(s->loop);
      cost_list(&s->loop->body, c);
      c->depth -= loop_is_sequential(s->loop);
    } else if (c->depth || !c->timed) {
      add_cost(s, &c->sum);
    }
  }
}

kernel_cost kernel_part_cost(const kernel *k, const stmt *part) {
  stmt_list one = {(stmt *)part, 1, 1};
  const stmt_list *list = part ? &one : &k->body;
  cost c = {.timed = stmts_time_loop(list) != NULL};
  cost_list(list, &c);
  return c.sum;
}
