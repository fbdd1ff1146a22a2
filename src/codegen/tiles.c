/* Blocks of steps of a time loop whose lanes lie apart while its steps are neighbours in memory:
 * lanes would be read and written one by one. Here a few steps are read per lane and transposed
 * into a small array, in which the lanes of a step are side by side; what steps store takes the
 * same way back. */
#include <stdio.h>

#include "codegen/cg.h"
#include "loop/walk.h"

typedef struct {
  const stmt *s;
  LLVMValueRef array, now; /* of a block of steps; of the present one */
  bool back;               /* steps lie in descending order */
} tile;

struct cg_tiles {
  const loop *l;
  tile *all;
  int n;
};

/* ---- the functions ---- */

/* Parameters of both: the element of the first step of the first lane, distance of lanes in bytes;
 * the array, distance of its steps in bytes; number of steps. */
enum { ELEMENTS, APART, ARRAY, WIDTH, STEPS, N_PARAMS };

typedef struct {
  cg *c;
  LLVMValueRef f;
  scanc_dtype dtype;
  bool stores, back;
} mover;

static LLVMValueRef at(const mover *m, int base, LLVMValueRef n, int64_t more, int64_t each) {
  LLVMBuilderRef b = m->c->b;
  LLVMValueRef i = LLVMBuildAdd(b, n, cg_i64(m->c, more), "");
  LLVMValueRef by = each ? cg_i64(m->c, each) : LLVMGetParam(m->f, (unsigned)base + 1);
  return cg_advance(m->c, LLVMGetParam(m->f, (unsigned)base), LLVMBuildMul(b, i, by, ""));
}

/* Elements of a lane that are read or written together: 16 bytes, which can be put anywhere in a
 * vector on their way from memory. */
static int piece_of(const mover *m) {
  int n = 16 / (int)scanc_dtype_size(m->dtype);
  return n < m->c->lanes ? n : m->c->lanes;
}

/* v with the n elements of `piece` in place of its lanes from n * q on; NULL: of nothing. */
static LLVMValueRef put_piece(cg *c, LLVMValueRef v, LLVMValueRef piece, int n, int q) {
  LLVMValueRef wide[CG_MAX_LANES], from[CG_MAX_LANES];
  if (n == c->lanes) return piece;
  for (int i = 0; i < c->lanes; i++) {
    bool inside = i / n == q;
    wide[i] = inside ? cg_i32(c, i % n) : LLVMGetUndef(LLVMInt32TypeInContext(c->ctx));
    from[i] = cg_i32(c, inside ? c->lanes + i : i);
  }
  piece = LLVMBuildShuffleVector(c->b, piece, LLVMGetPoison(LLVMTypeOf(piece)),
                                 LLVMConstVector(wide, (unsigned)c->lanes), "");
  if (!v) return piece;
  return LLVMBuildShuffleVector(c->b, v, piece, LLVMConstVector(from, (unsigned)c->lanes), "");
}

static LLVMValueRef take_piece(cg *c, LLVMValueRef v, int n, int q) {
  LLVMValueRef from[CG_MAX_LANES];
  if (n == c->lanes) return v;
  for (int i = 0; i < n; i++) from[i] = cg_i32(c, n * q + i);
  return LLVMBuildShuffleVector(c->b, v, LLVMGetPoison(LLVMTypeOf(v)),
                                LLVMConstVector(from, (unsigned)n), "");
}

/* The elements of a piece's steps from step i on: row r has those of the lanes q * n + r. In
 * descending order the last step comes first in memory. */
static void move_pieces(const mover *m, LLVMValueRef i, LLVMValueRef *row) {
  cg *c = m->c;
  int n = piece_of(m);
  int64_t size = (int64_t)scanc_dtype_size(m->dtype);
  LLVMValueRef p = at(m, ELEMENTS, i, m->back ? n - 1 : 0, m->back ? -size : size);
  for (int lane = 0; lane < c->lanes; lane++) {
    LLVMValueRef *v = &row[lane % n];
    if (m->stores) cg_store_vector(c, m->dtype, take_piece(c, *v, n, lane / n), p);
    else *v = put_piece(c, *v, cg_load_vector(c, m->dtype, p, n), n, lane / n);
    p = cg_advance(c, p, LLVMGetParam(m->f, APART));
  }
}

static void move_rows(const mover *m, LLVMValueRef i, LLVMValueRef *row) {
  cg *c = m->c;
  int n = piece_of(m);
  for (int j = 0; j < n; j++) {
    LLVMValueRef *v = &row[m->back ? n - 1 - j : j], q = at(m, ARRAY, i, j, 0);
    if (m->stores) *v = cg_load_vector(c, m->dtype, q, c->lanes);
    else cg_store_vector(c, m->dtype, *v, q);
  }
}

/* The steps of a piece. */
static void move_piece(const mover *m, LLVMValueRef i) {
  LLVMValueRef row[CG_MAX_LANES] = {NULL};
  (m->stores ? move_rows : move_pieces)(m, i, row);
  cg_transpose(m->c, row, piece_of(m), m->dtype);
  (m->stores ? move_pieces : move_rows)(m, i, row);
}

/* The lanes of step i one by one. */
static void move_step(const mover *m, LLVMValueRef i) {
  cg *c = m->c;
  int64_t size = (int64_t)scanc_dtype_size(m->dtype);
  LLVMValueRef p = at(m, ELEMENTS, i, 0, m->back ? -size : size), q = at(m, ARRAY, i, 0, 0);
  for (int lane = 0; lane < c->lanes; lane++) {
    LLVMValueRef v = cg_load_vector(c, m->dtype, m->stores ? q : p, 1);
    cg_store_vector(c, m->dtype, v, m->stores ? p : q);
    p = cg_advance(c, p, LLVMGetParam(m->f, APART));
    q = cg_advance(c, q, cg_i64(c, size));
  }
}

/* `body` for i = first, first + by... below end. */
static void repeat(const mover *m, LLVMValueRef first, LLVMValueRef end, int64_t by,
                   void (*body)(const mover *m, LLVMValueRef i)) {
  cg *c = m->c;
  LLVMBasicBlockRef some = cg_block(c, ""), done = cg_block(c, "");
  LLVMValueRef n = LLVMBuildSub(c->b, end, first, "");
  LLVMBuildCondBr(c->b, LLVMBuildICmp(c->b, LLVMIntSGT, n, cg_i64(c, 0), ""), some, done);
  cg_enter(c, some);
  LLVMValueRef i = cg_open_count(c, "");
  body(m, LLVMBuildAdd(c->b, first, i, ""));
  cg_close_count(c, i, n, by);
  LLVMBuildBr(c->b, done);
  cg_enter(c, done);
}

static void emit_mover(const mover *m) {
  cg *c = m->c;
  LLVMValueRef steps = LLVMGetParam(m->f, STEPS), zero = cg_i64(c, 0);
  cg_enter(c, LLVMAppendBasicBlockInContext(c->ctx, m->f, ""));
  LLVMValueRef whole = LLVMBuildAnd(c->b, steps, cg_i64(c, -piece_of(m)), "");
  repeat(m, zero, whole, piece_of(m), move_piece);
  repeat(m, whole, steps, 1, move_step);
  LLVMBuildRetVoid(c->b);
}

/* A private function of the module, one for all accesses that it serves. */
static LLVMValueRef mover_function(cg *c, const tile *t) {
  mover m = {c, NULL, t->s->dtype, t->s->kind == ST_STORE, t->back};
  char name[64];
  snprintf(name, sizeof name, "scanc_%s_%d_%s%s", m.stores ? "return" : "bring", c->lanes,
           scanc_dtype_name(m.dtype), m.back ? "_back" : "");
  m.f = LLVMGetNamedFunction(c->mod, name);
  if (m.f) return m.f;
  LLVMTypeRef p = LLVMPointerTypeInContext(c->ctx, 0), n = LLVMInt64TypeInContext(c->ctx),
              params[N_PARAMS] = {p, n, p, n, n};
  LLVMBasicBlockRef here = LLVMGetInsertBlock(c->b);
  LLVMValueRef fn = c->fn;
  m.f = c->fn = LLVMAddFunction(
      c->mod, name, LLVMFunctionType(LLVMVoidTypeInContext(c->ctx), params, N_PARAMS, 0));
  LLVMSetLinkage(m.f, LLVMPrivateLinkage);
  emit_mover(&m);
  c->fn = fn;
  cg_enter(c, here);
  return m.f;
}

/* ---- in the loop ---- */

static LLVMValueRef make_array(cg *c, const cg_tiles *t, scanc_dtype d) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(c->b);
  LLVMPositionBuilderBefore(c->b, c->entry_end);
  LLVMValueRef n = cg_i64(c, (int64_t)t->l->tile * c->lanes * c->parts),
               p = LLVMBuildArrayAlloca(c->b, cg_memory_type(c, d), n, "");
  LLVMSetAlignment(p, 64);
  cg_enter(c, here);
  return p;
}

cg_tiles *cg_find_tiles(cg *c, const loop *l, arena *mem) {
  if (!l->tile || c->lanes < 2) return NULL;
  cg_tiles *t = ARENA_NEW(mem, cg_tiles);
  *t = (cg_tiles){l, ARENA_ARRAY(mem, tile, l->body.len), 0};
  for (int i = 0; i < l->body.len; i++) {
    const stmt *s = &l->body.data[i];
    if (!stmt_is_tiled(c->k, s, l->axis, c->lane_axis)) continue;
    int d = cg_dim_of_axis(c, s->buffer, s->index, l->axis);
    bool back = c->k->buffers.data[s->buffer].dims[d].stride.k < 0;
    t->all[t->n++] = (tile){s, make_array(c, t, s->dtype), NULL, back};
  }
  return t;
}

static int64_t width_of(const cg *c, const tile *x) {
  return (int64_t)scanc_dtype_size(x->s->dtype) * c->lanes * c->parts;
}

/* Moves `steps` steps, the first of which is `before` steps before the present one. */
static void move(cg *c, const tile *x, LLVMValueRef before, LLVMValueRef steps) {
  LLVMValueRef f = mover_function(c, x), call[N_PARAMS], first = NULL;
  int64_t size = (int64_t)scanc_dtype_size(x->s->dtype);
  if (before) first = LLVMBuildMul(c->b, before, cg_i64(c, x->back ? size : -size), "");
  for (int part = 0; part < c->parts; part++) {
    LLVMValueRef p = cg_part_pointer(c, x->s, part, &call[APART]);
    call[ELEMENTS] = first ? cg_advance(c, p, first) : p;
    call[ARRAY] = cg_advance(c, x->array, cg_i64(c, part * size * c->lanes));
    call[WIDTH] = cg_i64(c, width_of(c, x));
    call[STEPS] = steps;
    LLVMBuildCall2(c->b, LLVMGlobalGetValueType(f), f, call, N_PARAMS, "");
  }
}

void cg_bring_tiles(cg *c, cg_tiles *t, LLVMValueRef counter, LLVMValueRef extent) {
  LLVMBasicBlockRef first = cg_block(c, ""), go_on = cg_block(c, "");
  LLVMValueRef all = cg_i64(c, t->l->tile),
               step = LLVMBuildAnd(c->b, counter, cg_i64(c, t->l->tile - 1), "");
  LLVMValueRef starts = LLVMBuildICmp(c->b, LLVMIntEQ, step, cg_i64(c, 0), "");
  cg_weigh(c, LLVMBuildCondBr(c->b, starts, first, go_on), 1, (int)t->l->tile - 1);
  cg_enter(c, first);
  LLVMValueRef rest = LLVMBuildSub(c->b, extent, counter, ""),
               fewer = LLVMBuildICmp(c->b, LLVMIntSLT, rest, all, "");
  LLVMValueRef steps = LLVMBuildSelect(c->b, fewer, rest, all, "");
  for (int i = 0; i < t->n; i++)
    if (t->all[i].s->kind == ST_LOAD) move(c, &t->all[i], NULL, steps);
  LLVMBuildBr(c->b, go_on);
  cg_enter(c, go_on);
  for (int i = 0; i < t->n; i++) {
    LLVMValueRef bytes = LLVMBuildMul(c->b, step, cg_i64(c, width_of(c, &t->all[i])), "");
    t->all[i].now = cg_advance(c, t->all[i].array, bytes);
  }
}

void cg_return_tiles(cg *c, cg_tiles *t, LLVMValueRef counter, LLVMValueRef extent) {
  LLVMBasicBlockRef last = cg_block(c, ""), go_on = cg_block(c, "");
  LLVMValueRef one = cg_i64(c, 1), most = cg_i64(c, t->l->tile - 1),
               step = LLVMBuildAnd(c->b, counter, most, ""),
               steps = LLVMBuildAdd(c->b, step, one, "");
  LLVMValueRef full = LLVMBuildICmp(c->b, LLVMIntEQ, step, most, ""),
               end =
                   LLVMBuildICmp(c->b, LLVMIntEQ, LLVMBuildAdd(c->b, counter, one, ""), extent, "");
  cg_weigh(c, LLVMBuildCondBr(c->b, LLVMBuildOr(c->b, full, end, ""), last, go_on), 1,
           (int)t->l->tile - 1);
  cg_enter(c, last);
  for (int i = 0; i < t->n; i++)
    if (t->all[i].s->kind == ST_STORE) move(c, &t->all[i], step, steps);
  LLVMBuildBr(c->b, go_on);
  cg_enter(c, go_on);
}

LLVMValueRef cg_tile_of(cg *c, const stmt *s, int part) {
  for (int i = 0; c->tiles && i < c->tiles->n; i++) {
    const tile *x = &c->tiles->all[i];
    int64_t bytes = (int64_t)part * c->lanes * (int64_t)scanc_dtype_size(s->dtype);
    if (x->s == s) return cg_advance(c, x->now, cg_i64(c, bytes));
  }
  return NULL;
}
