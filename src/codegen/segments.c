/* Blocks of segments: `segments` times `lanes` elements. Segments are rows of a table, elements of
 * a segment its columns; transposed, a vector is a column of `lanes` rows, so that one combination
 * works on as many segments. Several such vectors are worked on side by side, as one waits for the
 * one before it.
 *
 *   for every block
 *     rows = what the elements enter with; transpose
 *     for column 1, 2...: combine with the column before it
 *     totals: the last columns as groups; before[u] = what comes before the segments of vector u
 *     every column = before combined with it
 *     transpose; store the results of the rows
 *
 * Everything lies in tables on the stack: `segments` vectors per carry. */
#include <stdio.h>

#include "codegen/network.h"

typedef struct {
  const network *w;
  cg *c;
  int vectors;                   /* of segments */
  value *table, *before, *carry; /* per carry: pointers; NULL where it is not needed */
  LLVMTypeRef *type;             /* per carry: of a vector */
  value e;                       /* the first element of the block */
} blocks;

/* ---- counting loops ---- */

typedef struct {
  LLVMBasicBlockRef head;
  value i;
} count_loop;

static void add_incoming(value phi, value v, LLVMBasicBlockRef from) {
  LLVMAddIncoming(phi, &v, &from, 1);
}

/* i = first, first + 1... */
static count_loop open_count(cg *c, value first) {
  LLVMBasicBlockRef before = LLVMGetInsertBlock(c->b);
  count_loop l = {.head = cg_block(c, "")};
  LLVMBuildBr(c->b, l.head);
  cg_enter(c, l.head);
  l.i = LLVMBuildPhi(c->b, LLVMInt64TypeInContext(c->ctx), "");
  add_incoming(l.i, first, before);
  return l;
}

/* ... while the next one, `step` further, is below n. */
static void close_count(cg *c, const count_loop *l, value step, value n) {
  value next = LLVMBuildAdd(c->b, l->i, step, "");
  LLVMBasicBlockRef exit = cg_block(c, "");
  add_incoming(l->i, next, LLVMGetInsertBlock(c->b));
  LLVMBuildCondBr(c->b, LLVMBuildICmp(c->b, LLVMIntSLT, next, n, ""), l->head, exit);
  cg_enter(c, exit);
}

static void close_upto(cg *c, const count_loop *l, int64_t n) {
  close_count(c, l, cg_i64(c, 1), cg_i64(c, n));
}

/* ---- tables ---- */

static value entry_in(const blocks *x, const value *table, int carry, value i) {
  return LLVMBuildGEP2(x->c->b, x->type[carry], table[carry], &i, 1, "");
}

static void load_entries(const blocks *x, const value *table, value i, value *out) {
  for (int k = 0; k < x->w->l->n_carry; k++)
    out[k] = table[k] ? LLVMBuildLoad2(x->c->b, x->type[k], entry_in(x, table, k, i), "") : NULL;
}

static void store_entries(const blocks *x, const value *table, value i, const value *v) {
  for (int k = 0; k < x->w->l->n_carry; k++)
    if (table[k] && v[k]) LLVMBuildStore(x->c->b, v[k], entry_in(x, table, k, i));
}

static value make_table(const blocks *x, int carry, int n) {
  cg *c = x->c;
  LLVMBasicBlockRef here = LLVMGetInsertBlock(c->b);
  LLVMPositionBuilderBefore(c->b, c->entry_end);
  value t = LLVMBuildAlloca(c->b, LLVMArrayType2(x->type[carry], (unsigned)n), "");
  cg_enter(c, here);
  return t;
}

static void make_tables(blocks *x) {
  const loop *l = x->w->l;
  x->table = network_row(x->w), x->before = network_row(x->w), x->carry = network_row(x->w);
  x->type = ARENA_ARRAY(x->w->tmp, LLVMTypeRef, l->n_carry);
  for (int i = 0; i < l->n_carry; i++) {
    x->type[i] = cg_wide(cg_type(x->c, x->c->k->values.data[l->carry[i].in].dtype), x->w->lanes);
    if (x->w->elements[i]) x->table[i] = make_table(x, i, l->prefix.segments);
    if (x->w->carried[i]) x->before[i] = make_table(x, i, x->vectors);
    if (x->w->carried[i]) x->carry[i] = make_table(x, i, 1);
  }
}

/* ---- transposing ---- */

/* Blocks of h by h lanes of two rows that are h apart change places. */
static void exchange(cg *c, value *a, value *b, int h, int n) {
  value low[CG_MAX_LANES], high[CG_MAX_LANES], x = *a, y = *b;
  for (int i = 0; i < n; i++) {
    bool moved = i & h;
    low[i] = cg_i32(c, moved ? n + i - h : i);
    high[i] = cg_i32(c, moved ? n + i : i + h);
  }
  *a = LLVMBuildShuffleVector(c->b, x, y, LLVMConstVector(low, (unsigned)n), "");
  *b = LLVMBuildShuffleVector(c->b, x, y, LLVMConstVector(high, (unsigned)n), "");
}

/* void f(pointer to n vectors of n lanes) */
static void emit_transpose(cg *c, value f, LLVMTypeRef vector) {
  int n = (int)LLVMGetVectorSize(vector);
  value row[CG_MAX_LANES] = {NULL}, at[CG_MAX_LANES] = {NULL}, table = LLVMGetParam(f, 0);
  cg_enter(c, LLVMAppendBasicBlockInContext(c->ctx, f, ""));
  for (int i = 0; i < n; i++) {
    value index = cg_i64(c, i);
    at[i] = LLVMBuildGEP2(c->b, vector, table, &index, 1, "");
    row[i] = LLVMBuildLoad2(c->b, vector, at[i], "");
  }
  for (int h = 1; h < n; h *= 2)
    for (int i = 0; i < n; i++)
      if (!(i & h)) exchange(c, &row[i], &row[i + h], h, n);
  for (int i = 0; i < n; i++) LLVMBuildStore(c->b, row[i], at[i]);
  LLVMBuildRetVoid(c->b);
}

/* A private function of the module, one for all tables of that type. */
static value transpose_function(const blocks *x, LLVMTypeRef vector) {
  cg *c = x->c;
  char name[48];
  LLVMTypeRef element = LLVMGetElementType(vector), pointer = LLVMPointerTypeInContext(c->ctx, 0);
  bool integer = LLVMGetTypeKind(element) == LLVMIntegerTypeKind;
  int bits = integer                                          ? (int)LLVMGetIntTypeWidth(element)
             : LLVMGetTypeKind(element) == LLVMDoubleTypeKind ? 64
                                                              : 32;
  snprintf(name, sizeof name, "scanc_transpose_%d_%c%d", x->w->lanes, integer ? 'i' : 'f', bits);
  value f = LLVMGetNamedFunction(c->mod, name);
  if (f) return f;
  LLVMBasicBlockRef here = LLVMGetInsertBlock(c->b);
  f = LLVMAddFunction(c->mod, name,
                      LLVMFunctionType(LLVMVoidTypeInContext(c->ctx), &pointer, 1, 0));
  LLVMSetLinkage(f, LLVMPrivateLinkage);
  emit_transpose(c, f, vector);
  cg_enter(c, here);
  return f;
}

/* Rows become columns, for every vector of segments. */
static void transpose(const blocks *x, int carry) {
  cg *c = x->c;
  value f = transpose_function(x, x->type[carry]);
  count_loop u = open_count(c, cg_i64(c, 0));
  value first = LLVMBuildMul(c->b, u.i, cg_i64(c, x->w->lanes), "");
  value at = entry_in(x, x->table, carry, first);
  LLVMBuildCall2(c->b, LLVMGlobalGetValueType(f), f, &at, 1, "");
  close_upto(c, &u, x->vectors);
}

/* ---- a block ---- */

static void move_to_row(const blocks *x, value row) {
  value at = LLVMBuildMul(x->c->b, row, cg_i64(x->c, x->w->lanes), "");
  network_move(x->w, LLVMBuildAdd(x->c->b, x->e, at, ""));
}

static void fill_rows(const blocks *x) {
  value *it = network_row(x->w);
  count_loop row = open_count(x->c, cg_i64(x->c, 0));
  move_to_row(x, row.i);
  network_load(x->w, it);
  store_entries(x, x->table, row.i, it);
  close_upto(x->c, &row, x->w->l->prefix.segments);
  for (int i = 0; i < x->w->l->n_carry; i++)
    if (x->table[i]) transpose(x, i);
}

/* Column k of the segments of vector u. */
static value column(const blocks *x, value k, int u) {
  return LLVMBuildAdd(x->c->b, k, cg_i64(x->c, (int64_t)u * x->w->lanes), "");
}

static void combine_columns(const blocks *x) {
  const network *w = x->w;
  value *left = network_row(w), *right = network_row(w), *next = network_row(w);
  count_loop k = open_count(x->c, cg_i64(x->c, 1));
  for (int u = 0; u < x->vectors; u++) {
    value at = column(x, k.i, u);
    load_entries(x, x->table, LLVMBuildSub(x->c->b, at, cg_i64(x->c, 1), ""), left);
    load_entries(x, x->table, at, right);
    network_combine(w, left, right, w->elements, w->in_steps, next);
    store_entries(x, x->table, at, next);
  }
  close_upto(x->c, &k, w->lanes);
}

/* Lane i gets lane i - 1 of v, the first one what was carried. */
static value shifted(cg *c, value v, value carried, int n) {
  value from[CG_MAX_LANES];
  for (int i = 0; i < n; i++) from[i] = cg_i32(c, i ? i - 1 : n);
  return LLVMBuildShuffleVector(c->b, v, carried, LLVMConstVector(from, (unsigned)n), "");
}

/* Whether nothing comes before the segments of vector u; NULL: never. */
static value is_first(const blocks *x, value u) {
  return network_first(x->w, LLVMBuildOr(x->c->b, x->e, u, ""));
}

/* The lanes of the first vector of segments that nothing comes before: the very first one. */
static value first_lane(const blocks *x, value first) {
  value all[CG_MAX_LANES];
  if (!first) return NULL;
  for (int i = 0; i < x->w->lanes; i++)
    all[i] = LLVMConstInt(LLVMInt1TypeInContext(x->c->ctx), i == 0, 0);
  return LLVMBuildAnd(x->c->b, cg_splat(x->c, first, x->w->lanes),
                      LLVMConstVector(all, (unsigned)x->w->lanes), "");
}

static void combine_totals(const blocks *x) {
  const network *w = x->w;
  cg *c = x->c;
  value *it = network_row(w), *y = network_row(w), *carry = network_row(w);
  value zero = cg_i64(c, 0), last = cg_i64(c, w->lanes - 1);
  count_loop u = open_count(c, zero);
  value end =
      LLVMBuildMul(c->b, LLVMBuildAdd(c->b, u.i, cg_i64(c, 1), ""), cg_i64(c, w->lanes), "");
  value first = is_first(x, u.i);
  load_entries(x, x->table, LLVMBuildSub(c->b, end, cg_i64(c, 1), ""), it);
  load_entries(x, x->carry, zero, carry);
  c->rarely = true;
  network_within(w, it);
  if (w->own)
    network_join_totals(w, it, last,
                        LLVMBuildICmp(c->b, LLVMIntEQ, LLVMBuildOr(c->b, x->e, u.i, ""), zero, ""));
  network_join(w, carry, it, first, y);
  c->rarely = false;
  for (int i = 0; i < w->l->n_carry; i++)
    if (y[i]) carry[i] = shifted(c, y[i], carry[i], w->lanes);
  network_splat(w, y, last, y);
  store_entries(x, x->before, u.i, carry);
  store_entries(x, x->carry, zero, y);
  close_upto(c, &u, x->vectors);
}

static void combine_before_all(const blocks *x) {
  const network *w = x->w;
  cg *c = x->c;
  value *it = network_row(w), *before = network_row(w), *y = network_row(w);
  count_loop u = open_count(c, cg_i64(c, 0));
  value none = first_lane(x, is_first(x, u.i));
  load_entries(x, x->before, u.i, before);
  count_loop k = open_count(c, cg_i64(c, 0));
  value at = LLVMBuildAdd(c->b, LLVMBuildMul(c->b, u.i, cg_i64(c, w->lanes), ""), k.i, "");
  load_entries(x, x->table, at, it);
  network_join(w, before, it, none, y);
  store_entries(x, x->table, at, y);
  close_upto(c, &k, w->lanes);
  close_upto(c, &u, x->vectors);
}

static void store_rows(const blocks *x) {
  value *y = network_row(x->w);
  for (int i = 0; i < x->w->l->n_carry; i++)
    if (x->w->carried[i]) transpose(x, i);
  count_loop row = open_count(x->c, cg_i64(x->c, 0));
  move_to_row(x, row.i);
  load_entries(x, x->table, row.i, y);
  for (int i = 0; i < x->w->l->n_carry; i++)
    if (!x->w->carried[i]) y[i] = NULL;
  network_store(x->w, y);
  close_upto(x->c, &row, x->w->l->prefix.segments);
}

/* ---- all blocks ---- */

value network_blocks(const network *w, value *carry) {
  cg *c = w->c;
  blocks x = {.w = w, .c = c, .vectors = w->l->prefix.segments / w->lanes};
  value size = cg_i64(c, (int64_t)w->l->prefix.segments * w->lanes), zero = cg_i64(c, 0);
  make_tables(&x);
  c->mask = c->n_lanes = NULL;
  store_entries(&x, x.carry, zero, carry);
  LLVMBasicBlockRef before = LLVMGetInsertBlock(c->b), some = cg_block(c, ""),
                    after = cg_block(c, "");
  LLVMBuildCondBr(c->b, LLVMBuildICmp(c->b, LLVMIntSGE, w->n, size, ""), some, after);
  cg_enter(c, some);
  count_loop block = open_count(c, zero);
  x.e = block.i;
  c->step = c->step ? LLVMBuildAdd(c->b, c->step, x.e, "") : x.e;
  fill_rows(&x);
  combine_columns(&x);
  combine_totals(&x);
  if (network_stores(w)) {
    combine_before_all(&x);
    store_rows(&x);
  }
  value end = LLVMBuildAdd(c->b, x.e, size, "");
  close_count(c, &block, size,
              LLVMBuildSub(c->b, LLVMBuildAdd(c->b, w->n, cg_i64(c, 1), ""), size, ""));
  LLVMBasicBlockRef behind = LLVMGetInsertBlock(c->b);
  LLVMBuildBr(c->b, after);
  cg_enter(c, after);
  value e = LLVMBuildPhi(c->b, LLVMInt64TypeInContext(c->ctx), "");
  add_incoming(e, zero, before);
  add_incoming(e, end, behind);
  load_entries(&x, x.carry, zero, carry);
  return e;
}
