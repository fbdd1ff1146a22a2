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

/* ---- serial loops ---- */

/* One loop on its way: for (p = 0; p < extent; p++), tested before and at the end. */
typedef struct {
  const loop *l;
  LLVMBasicBlockRef before, head, exit;
  LLVMValueRef counter, extent;
  int *dim;
  LLVMValueRef *outer, *phi, *stride; /* per path */
  cg_value *init, *carry;             /* per carry: values before the loop, phis */
} serial;

static int n_parts(const cg *c, int value) { return cg_varies(c, value) ? c->parts : 1; }

/* The value as it enters or leaves a phi of `in`: vectors if that varies, else the scalar. */
static cg_value as_carry(cg *c, int in, int value) {
  cg_value v = {NULL, {NULL}};
  if (!cg_varies(c, in)) {
    v.scalar = v.part[0] = c->value[value].scalar;
    return v;
  }
  for (int part = 0; part < c->parts; part++) v.part[part] = cg_part(c, value, part);
  return v;
}

static void prepare(cg *c, serial *s, const loop *l, arena *tmp) {
  int n = c->n_paths;
  *s = (serial){.l = l, .extent = extent_of(c, l), .dim = moving_paths(c, l, tmp)};
  s->outer = ARENA_ARRAY(tmp, LLVMValueRef, n);
  s->phi = ARENA_ARRAY(tmp, LLVMValueRef, n);
  s->stride = ARENA_ARRAY(tmp, LLVMValueRef, n);
  s->init = ARENA_ARRAY(tmp, cg_value, l->n_carry);
  s->carry = ARENA_ARRAY(tmp, cg_value, l->n_carry);
  for (int i = 0; i < n; i++) {
    s->outer[i] = c->ptr[i];
    if (s->dim[i] >= 0) s->stride[i] = cg_stride_bytes(c, c->path[i].buffer, s->dim[i]);
  }
  for (int i = 0; i < l->n_carry; i++) s->init[i] = as_carry(c, l->carry[i].in, l->carry[i].init);
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
    for (int part = 0; part < n_parts(c, s->l->carry[i].in); part++) {
      s->carry[i].part[part] = LLVMBuildPhi(c->b, LLVMTypeOf(s->init[i].part[part]), "");
      add_incoming(s->carry[i].part[part], s->init[i].part[part], s->before);
    }
}

/* Phis stand first in a block, so splats of uniform carries come after all of them. */
static void define_carries(cg *c, serial *s) {
  for (int i = 0; i < s->l->n_carry; i++) {
    int in = s->l->carry[i].in;
    if (cg_varies(c, in)) c->value[in] = s->carry[i];
    else cg_set_uniform(c, in, s->carry[i].part[0]);
  }
}

static void close_loop(cg *c, serial *s) {
  const loop *l = s->l;
  cg_value *next = s->init; /* no longer needed */
  LLVMValueRef last[CG_MAX_UNROLL];
  for (int i = 0; i < l->n_carry; i++) next[i] = as_carry(c, l->carry[i].in, l->carry[i].next);
  LLVMValueRef count = LLVMBuildAdd(c->b, s->counter, cg_i64(c, 1), "");
  LLVMBasicBlockRef latch = LLVMGetInsertBlock(c->b);
  add_incoming(s->counter, count, latch);
  for (int i = 0; i < c->n_paths; i++)
    if (s->dim[i] >= 0) add_incoming(s->phi[i], cg_advance(c, s->phi[i], s->stride[i]), latch);
  LLVMBuildCondBr(c->b, LLVMBuildICmp(c->b, LLVMIntSLT, count, s->extent, ""), s->head, s->exit);
  cg_enter(c, s->exit);
  for (int i = 0; i < l->n_carry; i++)
    for (int part = 0; part < n_parts(c, l->carry[i].in); part++) {
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
static void define_results(cg *c, const loop *l) {
  for (int i = 0; i < l->n_carry; i++) {
    cg_value *v = &c->value[l->carry[i].out];
    v->scalar = NULL;
    if (!cg_varies(c, l->carry[i].out)) cg_set_uniform(c, l->carry[i].out, v->part[0]);
  }
}

static void serial_loop(cg *c, const loop *l) {
  arena *tmp = arena_new();
  serial s;
  LLVMValueRef outer_step = c->step;
  prepare(c, &s, l, tmp);
  s.before = LLVMGetInsertBlock(c->b);
  s.head = cg_block(c, c->k->axes.data[l->axis].name);
  s.exit = cg_block(c, "");
  LLVMBuildCondBr(c->b, LLVMBuildICmp(c->b, LLVMIntSGT, s.extent, cg_i64(c, 0), ""), s.head,
                  s.exit);
  cg_enter(c, s.head);
  open_phis(c, &s);
  define_carries(c, &s);
  c->point[l->axis] = s.counter;
  if (loop_is_sequential(l)) c->step = s.counter;
  cg_statements(c, &l->body);
  close_loop(c, &s);
  define_results(c, l);
  c->step = outer_step;
  for (int i = 0; i < c->n_paths; i++) c->ptr[i] = s.outer[i];
  arena_free(tmp);
}

/* ---- lanes ---- */

/* The body for groups of `lanes` * `parts` points. The last group is moved back to end at the
 * extent, which is at least one group. */
static void lane_groups(cg *c, const loop *l, const int *along, int lanes, int parts) {
  int64_t size = (int64_t)lanes * parts;
  LLVMValueRef n = extent_of(c, l), last = LLVMBuildSub(c->b, n, cg_i64(c, size), "");
  LLVMBasicBlockRef before = LLVMGetInsertBlock(c->b),
                    head = cg_block(c, c->k->axes.data[l->axis].name);
  LLVMBasicBlockRef exit = cg_block(c, "");
  arena *tmp = arena_new();
  LLVMValueRef *outer = arena_copy(tmp, c->ptr, sizeof *c->ptr * (size_t)c->n_paths);
  LLVMBuildBr(c->b, head);
  cg_enter(c, head);
  LLVMValueRef first = LLVMBuildPhi(c->b, i64(c), "");
  add_incoming(first, cg_i64(c, 0), before);
  LLVMValueRef inside = LLVMBuildICmp(c->b, LLVMIntSLT, first, last, "");
  LLVMValueRef point = LLVMBuildSelect(c->b, inside, first, last, "");
  for (int i = 0; i < c->n_paths; i++)
    if (along[i] >= 0)
      c->ptr[i] = cg_advance(
          c, outer[i],
          LLVMBuildMul(c->b, point, cg_stride_bytes(c, c->path[i].buffer, along[i]), ""));
  c->point[l->axis] = point;
  c->lanes = lanes;
  c->parts = parts;
  cg_statements(c, &l->body);
  c->lanes = c->parts = 1;
  LLVMValueRef next = LLVMBuildAdd(c->b, first, cg_i64(c, size), "");
  add_incoming(first, next, LLVMGetInsertBlock(c->b));
  LLVMBuildCondBr(c->b, LLVMBuildICmp(c->b, LLVMIntSLT, next, n, ""), head, exit);
  cg_enter(c, exit);
  for (int i = 0; i < c->n_paths; i++) c->ptr[i] = outer[i];
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
  int before = 0;
  for (int i = 0; i < 3; i++) {
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
