/* Loops: one emitter per binding. Inside a loop the pointer of every path that its axis indexes
 * moves along. */
#include "codegen/cg.h"
#include "loop/walk.h"

/* ---- which pointers move ---- */

typedef struct {
  const cg *c;
  int axis;
  int *dim; /* per path: dimension that the axis indexes inside the loop, -1 */
} motion;

static void find_motion(const stmt *s, void *ctx) {
  motion *m = ctx;
  if (s->kind == ST_LOAD || s->kind == ST_STORE)
    m->dim[cg_path_of(m->c, s)] = cg_dim_of_axis(m->c, s->buffer, s->index, m->axis);
}

static int *moving_paths(cg *c, const loop *l, arena *tmp) {
  motion m = {c, l->axis, ARENA_ARRAY(tmp, int, c->n_paths)};
  for (int i = 0; i < c->n_paths; i++) m.dim[i] = -1;
  stmts_walk(&l->body, find_motion, &m);
  return m.dim;
}

static LLVMValueRef extent_of(cg *c, const loop *l) {
  lexpr e = c->k->axes.data[l->axis].extent;
  return cg_number(c, e);
}

static LLVMTypeRef i64(cg *c) { return LLVMInt64TypeInContext(c->ctx); }

static LLVMTypeRef pointer(cg *c) { return LLVMPointerTypeInContext(c->ctx, 0); }

static void add_incoming(LLVMValueRef phi, LLVMValueRef v, LLVMBasicBlockRef from) {
  LLVMAddIncoming(phi, &v, &from, 1);
}

/* ---- counting ---- */

LLVMValueRef cg_open_count(cg *c, const char *name) {
  LLVMBasicBlockRef before = LLVMGetInsertBlock(c->b), head = cg_block(c, name);
  LLVMBuildBr(c->b, head);
  cg_enter(c, head);
  LLVMValueRef i = LLVMBuildPhi(c->b, i64(c), "");
  add_incoming(i, cg_i64(c, 0), before);
  return i;
}

void cg_close_count(cg *c, LLVMValueRef i, LLVMValueRef n, int64_t by) {
  LLVMBasicBlockRef exit = cg_block(c, "");
  LLVMValueRef next = LLVMBuildAdd(c->b, i, cg_i64(c, by), "");
  add_incoming(i, next, LLVMGetInsertBlock(c->b));
  LLVMBuildCondBr(c->b, LLVMBuildICmp(c->b, LLVMIntSLT, next, n, ""), LLVMGetInstructionParent(i),
                  exit);
  cg_enter(c, exit);
}

/* ---- serial loops ---- */

/* One loop on its way: for (p = 0; p < extent; p++), tested before and at the end. */
typedef struct {
  const loop *l;
  LLVMBasicBlockRef before, head, exit;
  LLVMValueRef counter, extent;
  int *dim;
  LLVMValueRef *outer, *phi, *stride; /* per path */
  cg_value *init, *carry;             /* per carry: values before the loop, phis */
  bool rows;                          /* carries that vary lie in memory */
  cg_bundles *bundles;                /* NULL: none */
  cg_tiles *tiles;                    /* NULL: none */
} serial;

static cg_carry_form form_of(const serial *s, int i) {
  return s->bundles ? cg_carry(s->bundles, i) : CARRY_ALONE;
}

/* Phis of carry i. */
static int n_parts(const cg *c, const serial *s, int i) {
  if (form_of(s, i) != CARRY_ALONE) return form_of(s, i) == CARRY_VECTOR;
  return !cg_varies(c, s->l->carry[i].in) ? 1 : s->rows ? 0 : c->parts;
}

/* The initial or next value of carry i as it enters its phis: vectors if they vary, else the
 * scalar. */
static cg_value as_carry(cg *c, const serial *s, int i, bool next) {
  cg_value v = {NULL, {NULL}};
  int in = s->l->carry[i].in, value = next ? s->l->carry[i].next : s->l->carry[i].init;
  if (form_of(s, i) != CARRY_ALONE) {
    if (form_of(s, i) == CARRY_VECTOR) v.part[0] = cg_carry_values(c, s->bundles, i, next);
    return v;
  }
  if (!cg_varies(c, in)) {
    v.scalar = v.part[0] = c->value[value].scalar;
    return v;
  }
  for (int part = 0; part < n_parts(c, s, i); part++) v.part[part] = cg_part(c, value, part);
  return v;
}

static void prepare(cg *c, serial *s, const loop *l, bool rows, arena *tmp) {
  int n = c->n_paths;
  *s = (serial){.l = l, .extent = extent_of(c, l), .dim = moving_paths(c, l, tmp), .rows = rows};
  s->outer = ARENA_ARRAY(tmp, LLVMValueRef, n);
  s->phi = ARENA_ARRAY(tmp, LLVMValueRef, n);
  s->stride = ARENA_ARRAY(tmp, LLVMValueRef, n);
  s->init = ARENA_ARRAY(tmp, cg_value, l->n_carry);
  s->carry = ARENA_ARRAY(tmp, cg_value, l->n_carry);
  for (int i = 0; i < n; i++) {
    s->outer[i] = c->ptr[i];
    if (s->dim[i] >= 0) s->stride[i] = cg_stride_bytes(c, c->path[i].buffer, s->dim[i]);
  }
  if (loop_is_sequential(l) && !rows) s->bundles = cg_find_bundles(c, l, tmp);
  s->tiles = cg_find_tiles(c, l, tmp);
  for (int i = 0; i < l->n_carry; i++) s->init[i] = as_carry(c, s, i, false);
}

static void open_phis(cg *c, serial *s) {
  s->counter = LLVMBuildPhi(c->b, i64(c), "");
  add_incoming(s->counter, cg_i64(c, 0), s->before);
  for (int i = 0; i < c->n_paths; i++) {
    if (s->dim[i] < 0) continue;
    c->ptr[i] = s->phi[i] = LLVMBuildPhi(c->b, pointer(c), "");
    add_incoming(s->phi[i], s->outer[i], s->before);
  }
  for (int i = 0; i < s->l->n_carry; i++)
    for (int part = 0; part < n_parts(c, s, i); part++) {
      s->carry[i].part[part] = LLVMBuildPhi(c->b, LLVMTypeOf(s->init[i].part[part]), "");
      add_incoming(s->carry[i].part[part], s->init[i].part[part], s->before);
    }
}

/* Phis stand first in a block, so splats of uniform carries come after all of them. */
static void define_carries(cg *c, serial *s) {
  for (int i = 0; i < s->l->n_carry; i++) {
    int in = s->l->carry[i].in;
    if (form_of(s, i) == CARRY_VECTOR) cg_set_carries(c, s->bundles, i, s->carry[i].part[0]);
    if (form_of(s, i) != CARRY_ALONE) continue;
    if (cg_varies(c, in)) c->value[in] = s->carry[i];
    else cg_set_uniform(c, in, s->carry[i].part[0]);
  }
}

static void close_loop(cg *c, serial *s) {
  const loop *l = s->l;
  cg_value *next = s->init; /* no longer needed */
  LLVMValueRef last[CG_MAX_UNROLL];
  for (int i = 0; i < l->n_carry; i++) next[i] = as_carry(c, s, i, true);
  LLVMValueRef count = LLVMBuildAdd(c->b, s->counter, cg_i64(c, 1), "");
  LLVMBasicBlockRef latch = LLVMGetInsertBlock(c->b);
  add_incoming(s->counter, count, latch);
  for (int i = 0; i < c->n_paths; i++)
    if (s->dim[i] >= 0) add_incoming(s->phi[i], cg_advance(c, s->phi[i], s->stride[i]), latch);
  LLVMBuildCondBr(c->b, LLVMBuildICmp(c->b, LLVMIntSLT, count, s->extent, ""), s->head, s->exit);
  cg_enter(c, s->exit);
  for (int i = 0; i < l->n_carry; i++)
    for (int part = 0; part < n_parts(c, s, i); part++) {
      LLVMValueRef phi = s->carry[i].part[part], out = LLVMBuildPhi(c->b, LLVMTypeOf(phi), "");
      add_incoming(phi, next[i].part[part], latch);
      add_incoming(out, next[i].part[part], latch);
      LLVMValueRef init = LLVMGetIncomingValue(phi, 0);
      add_incoming(out, init, s->before);
      last[part] = out;
      c->value[l->carry[i].out].part[part] = last[part];
    }
}

/* The values that leave the loop. */
static void define_results(cg *c, const serial *s) {
  const loop *l = s->l;
  for (int i = 0; i < l->n_carry; i++) {
    cg_value *v = &c->value[l->carry[i].out];
    if (form_of(s, i) == CARRY_VECTOR) cg_set_results(c, s->bundles, i, v->part[0]);
    if (form_of(s, i) != CARRY_ALONE) continue;
    v->scalar = NULL;
    if (!cg_varies(c, l->carry[i].out)) cg_set_uniform(c, l->carry[i].out, v->part[0]);
  }
}

/* Up to where the body goes, and from there on. */
static void open_serial(cg *c, serial *s) {
  s->before = LLVMGetInsertBlock(c->b);
  s->head = cg_block(c, c->k->axes.data[s->l->axis].name);
  s->exit = cg_block(c, "");
  LLVMBuildCondBr(c->b, LLVMBuildICmp(c->b, LLVMIntSGT, s->extent, cg_i64(c, 0), ""), s->head,
                  s->exit);
  cg_enter(c, s->head);
  open_phis(c, s);
  define_carries(c, s);
  c->point[s->l->axis] = s->counter;
  if (loop_is_sequential(s->l)) c->step = s->counter;
}

static void close_serial(cg *c, serial *s) {
  close_loop(c, s);
  define_results(c, s);
  for (int i = 0; i < c->n_paths; i++) c->ptr[i] = s->outer[i];
}

static void serial_loop(cg *c, const loop *l) {
  arena *tmp = arena_new();
  serial s;
  LLVMValueRef outer_step = c->step;
  const cg_tiles *outer_tiles = c->tiles;
  prepare(c, &s, l, false, tmp);
  open_serial(c, &s);
  c->tiles = s.tiles;
  if (s.tiles) cg_bring_tiles(c, s.tiles, s.counter, s.extent);
  if (s.bundles) cg_bundled_statements(c, s.bundles, LLVMGetBasicBlockTerminator(s.before));
  else cg_statements(c, &l->body);
  if (s.tiles) cg_return_tiles(c, s.tiles, s.counter, s.extent);
  c->tiles = outer_tiles;
  close_serial(c, &s);
  c->step = outer_step;
  arena_free(tmp);
}

/* ---- blocks of lanes that do each step together ---- */

enum { BEFORE, STEP, AFTER, N_SECTIONS };

/* A lane loop around a time loop. Values that vary along the lanes and live in the time loop lie in
 * arrays of one element per point of a block. */
typedef struct {
  const loop *l, *t;
  const int *along;
  LLVMValueRef *slot;         /* per value: its array, NULL */
  LLVMValueRef first, count;  /* points of the block */
  stmt_list same[N_SECTIONS]; /* statements that do the same for all lanes */
  stmt_list lanes[N_SECTIONS];
} rows;

static void add_slot(cg *c, rows *r, int v) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(c->b);
  if (r->slot[v]) return;
  LLVMPositionBuilderBefore(c->b, c->entry_end);
  r->slot[v] = LLVMBuildArrayAlloca(c->b, cg_type(c, c->k->values.data[v].dtype),
                                    cg_i64(c, r->l->block), "");
  LLVMSetAlignment(r->slot[v], 64);
  cg_enter(c, here);
}

static void sort_statements(cg *c, rows *r, const stmt_list *list, int section, arena *tmp) {
  for (int i = 0; i < list->len; i++) {
    const stmt *s = &list->data[i];
    if (s->kind == ST_LOOP) section = AFTER;
    else vec_push(tmp, cg_is_uniform(c, s) ? &r->same[section] : &r->lanes[section], *s);
  }
}

/* What is computed before the time loop and may be used in it or behind it. */
static void add_slots(cg *c, rows *r) {
  for (int i = 0; i < r->lanes[BEFORE].len; i++)
    if (r->lanes[BEFORE].data[i].value >= 0) add_slot(c, r, r->lanes[BEFORE].data[i].value);
  for (const loop_carry *k = r->t->carry; k < r->t->carry + r->t->n_carry; k++) {
    if (!cg_varies(c, k->in)) continue;
    add_slot(c, r, k->in);
    r->slot[k->out] = r->slot[k->in];
  }
}

static LLVMValueRef slot_at(cg *c, const rows *r, int v, LLVMValueRef group, int part) {
  LLVMValueRef at = LLVMBuildAdd(c->b, group, cg_i64(c, (int64_t)part * c->lanes), "");
  return LLVMBuildGEP2(c->b, cg_type(c, c->k->values.data[v].dtype), r->slot[v], &at, 1, "");
}

static void load_slots(cg *c, const rows *r, LLVMValueRef group) {
  for (int v = 0; v < c->k->values.len; v++) {
    if (!r->slot[v]) continue;
    LLVMTypeRef t = cg_wide(cg_type(c, c->k->values.data[v].dtype), c->lanes);
    c->value[v].scalar = NULL;
    for (int part = 0; part < c->parts; part++)
      c->value[v].part[part] = LLVMBuildLoad2(c->b, t, slot_at(c, r, v, group, part), "");
  }
}

static void store_slot(cg *c, const rows *r, int slot, LLVMValueRef group, int value) {
  for (int part = 0; part < c->parts; part++)
    LLVMBuildStore(c->b, cg_part(c, value, part), slot_at(c, r, slot, group, part));
}

static void store_carries(cg *c, const rows *r, LLVMValueRef group, bool initial) {
  for (const loop_carry *k = r->t->carry; k < r->t->carry + r->t->n_carry; k++)
    if (r->slot[k->in]) store_slot(c, r, k->in, group, initial ? k->init : k->next);
}

static void emit_group(cg *c, const rows *r, int section, LLVMValueRef group) {
  if (section != BEFORE) load_slots(c, r, group);
  cg_statements(c, &r->lanes[section]);
  for (int i = 0; section == BEFORE && i < r->lanes[BEFORE].len; i++) {
    int v = r->lanes[BEFORE].data[i].value;
    if (v >= 0) store_slot(c, r, v, group, v);
  }
  if (section != AFTER) store_carries(c, r, group, section == BEFORE);
}

/* Moves the pointers along the lanes and returns what they were. */
static LLVMValueRef *move_along(cg *c, const int *along, LLVMValueRef points, arena *tmp) {
  LLVMValueRef *outer = arena_copy(tmp, c->ptr, sizeof *c->ptr * (size_t)c->n_paths);
  for (int i = 0; i < c->n_paths; i++)
    if (along[i] >= 0)
      c->ptr[i] = cg_advance(
          c, outer[i],
          LLVMBuildMul(c->b, points, cg_stride_bytes(c, c->path[i].buffer, along[i]), ""));
  return outer;
}

static void move_back(cg *c, const LLVMValueRef *outer) {
  for (int i = 0; i < c->n_paths; i++) c->ptr[i] = outer[i];
}

/* One section for all points of a block. */
static void emit_section(cg *c, rows *r, int section, arena *tmp) {
  cg_statements(c, &r->same[section]);
  LLVMValueRef group = cg_open_count(c, c->k->axes.data[r->l->axis].name);
  LLVMValueRef *outer = move_along(c, r->along, group, tmp);
  c->point[r->l->axis] = LLVMBuildAdd(c->b, r->first, group, "");
  c->lanes = r->l->lanes;
  c->parts = r->l->unroll;
  emit_group(c, r, section, group);
  c->lanes = c->parts = 1;
  cg_close_count(c, group, r->count, (int64_t)r->l->lanes * r->l->unroll);
  move_back(c, outer);
}

static void emit_block(cg *c, rows *r, arena *tmp) {
  serial s;
  LLVMValueRef outer_step = c->step;
  emit_section(c, r, BEFORE, tmp);
  prepare(c, &s, r->t, true, tmp);
  open_serial(c, &s);
  emit_section(c, r, STEP, tmp);
  close_serial(c, &s);
  c->step = outer_step;
  emit_section(c, r, AFTER, tmp);
}

static void block_loop(cg *c, const loop *l, const int *along, arena *tmp) {
  rows r = {.l = l, .t = stmts_time_loop(&l->body), .along = along};
  LLVMValueRef n = extent_of(c, l), block = cg_i64(c, l->block);
  LLVMBasicBlockRef some = cg_block(c, ""), done = cg_block(c, "");
  r.slot = ARENA_ARRAY(tmp, LLVMValueRef, c->k->values.len);
  sort_statements(c, &r, &l->body, BEFORE, tmp);
  sort_statements(c, &r, &r.t->body, STEP, tmp);
  add_slots(c, &r);
  LLVMBuildCondBr(c->b, LLVMBuildICmp(c->b, LLVMIntSGT, n, cg_i64(c, 0), ""), some, done);
  cg_enter(c, some);
  r.first = cg_open_count(c, "block");
  LLVMValueRef *outer = move_along(c, along, r.first, tmp),
               rest = LLVMBuildSub(c->b, n, r.first, "");
  r.count =
      LLVMBuildSelect(c->b, LLVMBuildICmp(c->b, LLVMIntSLT, rest, block, ""), rest, block, "");
  emit_block(c, &r, tmp);
  move_back(c, outer);
  cg_close_count(c, r.first, n, l->block);
  LLVMBuildBr(c->b, done);
  cg_enter(c, done);
}

/* Whether all points are whole groups, as blocks need it. */
static bool are_whole_groups(const cg *c, const loop *l) {
  const loop_axis *a = &c->k->axes.data[l->axis];
  int64_t size = (int64_t)l->lanes * l->unroll, known = a->extent.is_param ? a->unit : a->extent.k;
  return known > 0 && known % size == 0;
}

/* ---- lanes ---- */

/* The body for groups of `lanes` * `parts` points. The last group is moved back to end at the
 * extent, which is at least one group. */
static void lane_groups(cg *c, const loop *l, const int *along, int lanes, int parts) {
  int64_t size = (int64_t)lanes * parts;
  LLVMValueRef n = extent_of(c, l), last = LLVMBuildSub(c->b, n, cg_i64(c, size), "");
  arena *tmp = arena_new();
  LLVMValueRef first = cg_open_count(c, c->k->axes.data[l->axis].name);
  LLVMValueRef inside = LLVMBuildICmp(c->b, LLVMIntSLT, first, last, "");
  LLVMValueRef point = LLVMBuildSelect(c->b, inside, first, last, "");
  LLVMValueRef *outer = move_along(c, along, point, tmp);
  c->point[l->axis] = point;
  c->lanes = lanes;
  c->parts = parts;
  cg_statements(c, &l->body);
  c->lanes = c->parts = 1;
  cg_close_count(c, first, n, size);
  move_back(c, outer);
  arena_free(tmp);
}

/* If there are enough points: groups of this size, then `done`; else falls through to what is
 * emitted next. */
static void groups_if_enough(cg *c, const loop *l, const int *along, int lanes, int parts,
                             LLVMBasicBlockRef done) {
  LLVMBasicBlockRef enough = cg_block(c, ""), fewer = cg_block(c, "");
  LLVMValueRef need = cg_i64(c, (int64_t)lanes * parts);
  LLVMBuildCondBr(c->b, LLVMBuildICmp(c->b, LLVMIntSGE, extent_of(c, l), need, ""), enough, fewer);
  cg_enter(c, enough);
  lane_groups(c, l, along, lanes, parts);
  LLVMBuildBr(c->b, done);
  cg_enter(c, fewer);
}

/* The sizes of groups in the order in which they are tried; with a constant extent, or one that is
 * a multiple, the first that fits is all. */
static void lane_loop(cg *c, const loop *l) {
  const struct {
    int lanes, parts;
  } sizes[] = {{l->lanes, l->unroll}, {l->lanes, 1}, {1, 1}};
  lexpr n = c->k->axes.data[l->axis].extent;
  int64_t unit = c->k->axes.data[l->axis].unit;
  arena *tmp = arena_new();
  const int *along = moving_paths(c, l, tmp);
  bool *varies = ARENA_ARRAY(tmp, bool, c->k->values.len);
  kernel_varies(c->k, l->axis, varies);
  c->lane_axis = l->axis;
  c->varies = varies;
  LLVMBasicBlockRef done = cg_block(c, "");
  bool blocks = l->block && are_whole_groups(c, l);
  if (blocks) block_loop(c, l, along, tmp);
  for (int i = 0, before = 0; !blocks && i < 3; i++) {
    int size = sizes[i].lanes * sizes[i].parts;
    if (size == before || (!n.is_param && n.k < size)) continue;
    before = size;
    groups_if_enough(c, l, along, sizes[i].lanes, sizes[i].parts, done);
    if (!n.is_param || (unit && unit % size == 0)) break;
  }
  LLVMBuildBr(c->b, done);
  cg_enter(c, done);
  c->lane_axis = -1;
  c->varies = NULL;
  arena_free(tmp);
}

static void network_loop(cg *c, const loop *l) {
  arena *tmp = arena_new();
  cg_network(c, l, moving_paths(c, l, tmp));
  arena_free(tmp);
}

void cg_loop(cg *c, const loop *l) {
  if (l->prefix.kind == PREFIX_NETWORK) network_loop(c, l);
  else if (l->bind == BIND_LANES) lane_loop(c, l);
  else serial_loop(c, l);
}
