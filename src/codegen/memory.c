/* Loads and stores. While a loop is open, the pointer of a path already points at the current point
 * of its axis, so that an access needs no arithmetic but the distance between lanes. */
#include <string.h>

#include "codegen/cg.h"
#include "loop/walk.h"

int cg_dim_of_axis(const cg *c, int buf, const index_map *index, int ax) {
  for (int d = 0; d < c->k->buffers.data[buf].n_dims; d++)
    if (index[d].axis == ax) return d;
  return -1;
}

/* ---- paths ---- */

int cg_path_of(const cg *c, const stmt *s) {
  int n = c->k->buffers.data[s->buffer].n_dims;
  for (int i = 0; i < c->n_paths; i++) {
    bool same = c->path[i].buffer == s->buffer;
    for (int d = 0; same && d < n; d++) same = c->path[i].index[d].axis == s->index[d].axis;
    if (same) return i;
  }
  return -1;
}

typedef struct {
  int n_accesses;
  cg *c;
} path_search;

static void count_access(const stmt *s, void *ctx) {
  path_search *q = ctx;
  q->n_accesses += s->kind == ST_LOAD || s->kind == ST_STORE;
}

static void add_path(const stmt *s, void *ctx) {
  path_search *q = ctx;
  if (s->kind != ST_LOAD && s->kind != ST_STORE) return;
  if (cg_path_of(q->c, s) < 0) q->c->path[q->c->n_paths++] = (cg_path){s->buffer, s->index};
}

void cg_find_paths(cg *c, arena *mem) {
  path_search q = {0, c};
  stmts_walk(&c->k->body, count_access, &q);
  c->path = ARENA_ARRAY(mem, cg_path, q.n_accesses);
  stmts_walk(&c->k->body, add_path, &q);
}

LLVMValueRef cg_number(cg *c, lexpr e) {
  if (!e.is_param) return cg_i64(c, e.k);
  return e.add ? LLVMBuildAdd(c->b, c->ints[e.k], cg_i64(c, e.add), "") : c->ints[e.k];
}

LLVMValueRef cg_stride_bytes(cg *c, int buf, int d) {
  LLVMValueRef elements = cg_number(c, c->k->buffers.data[buf].dims[d].stride);
  return LLVMBuildMul(c->b, elements,
                      cg_i64(c, (int64_t)scanc_dtype_size(c->k->buffers.data[buf].dtype)), "");
}

LLVMValueRef cg_advance(cg *c, LLVMValueRef ptr, LLVMValueRef bytes) {
  return LLVMBuildGEP2(c->b, LLVMInt8TypeInContext(c->ctx), ptr, &bytes, 1, "");
}

/* Distance in bytes that the constant parts of the indices make, the same for the whole kernel;
 * NULL: none. */
static LLVMValueRef constant_offset(cg *c, const stmt *s) {
  LLVMValueRef sum = NULL;
  LLVMBasicBlockRef here = LLVMGetInsertBlock(c->b);
  LLVMPositionBuilderBefore(c->b, c->entry_end);
  for (int d = 0; d < c->k->buffers.data[s->buffer].n_dims; d++) {
    if (!s->index[d].add) continue;
    LLVMValueRef bytes =
        LLVMBuildMul(c->b, cg_stride_bytes(c, s->buffer, d), cg_i64(c, s->index[d].add), "");
    sum = sum ? LLVMBuildAdd(c->b, sum, bytes, "") : bytes;
  }
  cg_enter(c, here);
  return sum;
}

/* p, moved by the indices that are values; lane -1: by those that are the same for all lanes, else
 * by the others, as they are in that lane of the part. */
static LLVMValueRef move_by_values(cg *c, const stmt *s, LLVMValueRef p, int part, int lane) {
  for (int d = 0; d < c->k->buffers.data[s->buffer].n_dims; d++) {
    int v = stmt_index_value(s, d);
    if (v < 0 || cg_varies(c, v) != (lane >= 0)) continue;
    LLVMValueRef at = lane < 0 ? c->value[v].scalar : cg_lane(c, cg_part(c, v, part), lane);
    p = cg_advance(c, p, LLVMBuildMul(c->b, at, cg_stride_bytes(c, s->buffer, d), ""));
  }
  return p;
}

/* Whether each lane has an index of its own. */
static bool lanes_choose(const cg *c, const stmt *s) {
  bool yes = false;
  for (int d = 0; d < c->k->buffers.data[s->buffer].n_dims; d++)
    yes |= stmt_index_value(s, d) >= 0 && cg_varies(c, stmt_index_value(s, d));
  return yes;
}

/* Pointer to the element of the current point. */
static LLVMValueRef element_pointer(cg *c, const stmt *s) {
  LLVMValueRef offset = constant_offset(c, s), p = c->ptr[cg_path_of(c, s)];
  return move_by_values(c, s, offset ? cg_advance(c, p, offset) : p, 0, -1);
}

static unsigned alignment(scanc_dtype d) { return (unsigned)scanc_dtype_size(d); }

LLVMValueRef cg_load_vector(cg *c, scanc_dtype d, LLVMValueRef ptr, int lanes) {
  LLVMTypeRef t = cg_wide(cg_memory_type(c, d), lanes);
  LLVMValueRef v = LLVMBuildLoad2(c->b, t, ptr, "");
  LLVMSetAlignment(v, alignment(d));
  return d == SCANC_BOOL ? LLVMBuildICmp(c->b, LLVMIntNE, v, LLVMConstNull(t), "") : v;
}

void cg_store_vector(cg *c, scanc_dtype d, LLVMValueRef v, LLVMValueRef ptr) {
  if (d == SCANC_BOOL)
    v = LLVMBuildZExt(c->b, v, cg_wide(cg_memory_type(c, d), cg_lanes_of(v)), "");
  LLVMSetAlignment(LLVMBuildStore(c->b, v, ptr), alignment(d));
}

/* ---- lanes ---- */

/* Whether the lanes are known to be that many elements apart. */
static bool lanes_apart(const cg *c, const stmt *s, int d, int64_t distance) {
  lexpr stride = c->k->buffers.data[s->buffer].dims[d].stride;
  return !stride.is_param && stride.k == distance;
}

/* Pointer to the first lane of a part. */
static LLVMValueRef part_pointer(cg *c, const stmt *s, LLVMValueRef stride, int part) {
  LLVMValueRef distance = cg_i64(c, (int64_t)part * c->lanes), p = element_pointer(c, s);
  if (!part) return p;
  return cg_advance(c, p, LLVMBuildMul(c->b, stride, distance, ""));
}

static LLVMValueRef load_strided(cg *c, const stmt *s, LLVMValueRef p, LLVMValueRef stride) {
  LLVMValueRef v = LLVMGetPoison(cg_wide(cg_type(c, s->dtype), c->lanes));
  for (int lane = 0; lane < c->lanes; lane++) {
    v = cg_set_lane(c, v, cg_load_vector(c, s->dtype, p, 1), lane);
    p = cg_advance(c, p, stride);
  }
  return v;
}

static void store_strided(cg *c, const stmt *s, LLVMValueRef v, LLVMValueRef p,
                          LLVMValueRef stride) {
  for (int lane = 0; lane < c->lanes; lane++) {
    cg_store_vector(c, s->dtype, cg_lane(c, v, lane), p);
    p = cg_advance(c, p, stride);
  }
}

static LLVMValueRef load_chosen(cg *c, const stmt *s, LLVMValueRef p, LLVMValueRef stride,
                                int part) {
  LLVMValueRef v = LLVMGetPoison(cg_wide(cg_type(c, s->dtype), c->lanes));
  for (int lane = 0; lane < c->lanes; lane++) {
    v = cg_set_lane(c, v, cg_load_vector(c, s->dtype, move_by_values(c, s, p, part, lane), 1),
                    lane);
    if (stride) p = cg_advance(c, p, stride);
  }
  return v;
}

static void store_chosen(cg *c, const stmt *s, LLVMValueRef v, LLVMValueRef p, LLVMValueRef stride,
                         int part) {
  for (int lane = 0; lane < c->lanes; lane++) {
    cg_store_vector(c, s->dtype, cg_lane(c, v, lane), move_by_values(c, s, p, part, lane));
    p = cg_advance(c, p, stride);
  }
}

/* ---- neighbours in memory ---- */

static LLVMValueRef reverse(cg *c, LLVMValueRef v) {
  LLVMValueRef from[CG_MAX_LANES];
  int n = cg_lanes_of(v);
  for (int i = 0; i < n; i++) from[i] = cg_i32(c, n - 1 - i);
  return LLVMBuildShuffleVector(c->b, v, LLVMGetPoison(LLVMTypeOf(v)),
                                LLVMConstVector(from, (unsigned)n), "");
}

/* A call of llvm.masked.load or store; LLVM 22 has no operand for the alignment. */
static LLVMValueRef masked_call(cg *c, const char *name, LLVMTypeRef vector, LLVMValueRef *args,
                                int n, int align_at, unsigned align) {
  LLVMTypeRef types[] = {vector, LLVMPointerTypeInContext(c->ctx, 0)};
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef f = LLVMGetIntrinsicDeclaration(c->mod, id, types, 2), all[4];
  LLVMTypeRef t = LLVMGlobalGetValueType(f);
  int extra = (int)LLVMCountParamTypes(t) - n;
  for (int i = 0; i < n; i++) all[i < align_at ? i : i + extra] = args[i];
  if (extra) all[align_at] = cg_i32(c, align);
  return LLVMBuildCall2(c->b, t, f, all, (unsigned)(n + extra), "");
}

/* Lanes that are not there are 0. */
static LLVMValueRef load_masked(cg *c, scanc_dtype d, LLVMValueRef p, LLVMValueRef mask) {
  LLVMTypeRef t = cg_wide(cg_memory_type(c, d), c->lanes);
  LLVMValueRef args[] = {p, mask, LLVMConstNull(t)};
  LLVMValueRef v = masked_call(c, "llvm.masked.load", t, args, 3, 1, alignment(d));
  return d == SCANC_BOOL ? LLVMBuildICmp(c->b, LLVMIntNE, v, LLVMConstNull(t), "") : v;
}

static void store_masked(cg *c, scanc_dtype d, LLVMValueRef v, LLVMValueRef p, LLVMValueRef mask) {
  LLVMTypeRef t = cg_wide(cg_memory_type(c, d), c->lanes);
  if (d == SCANC_BOOL) v = LLVMBuildZExt(c->b, v, t, "");
  LLVMValueRef args[] = {v, p, mask};
  masked_call(c, "llvm.masked.store", t, args, 3, 2, alignment(d));
}

static LLVMValueRef load_neighbours(cg *c, scanc_dtype d, LLVMValueRef p, LLVMValueRef mask) {
  return mask ? load_masked(c, d, p, mask) : cg_load_vector(c, d, p, c->lanes);
}

static void store_neighbours(cg *c, scanc_dtype d, LLVMValueRef v, LLVMValueRef p,
                             LLVMValueRef mask) {
  if (mask) store_masked(c, d, v, p, mask);
  else cg_store_vector(c, d, v, p);
}

/* Where the last lane is, of neighbours in descending order. */
static LLVMValueRef last_lane(cg *c, scanc_dtype d, LLVMValueRef p) {
  return cg_advance(c, p, cg_i64(c, -(int64_t)scanc_dtype_size(d) * (c->lanes - 1)));
}

/* ---- some lanes, any distance ---- */

/* Copies the lanes that are there, one after the other. */
static void copy_lanes(cg *c, scanc_dtype d, LLVMValueRef to, LLVMValueRef to_stride,
                       LLVMValueRef from, LLVMValueRef from_stride) {
  LLVMTypeRef t = cg_memory_type(c, d);
  LLVMBasicBlockRef before = LLVMGetInsertBlock(c->b), head = cg_block(c, ""),
                    exit = cg_block(c, "");
  LLVMValueRef zero = cg_i64(c, 0);
  LLVMBuildBr(c->b, head);
  cg_enter(c, head);
  LLVMValueRef i = LLVMBuildPhi(c->b, LLVMInt64TypeInContext(c->ctx), "");
  LLVMValueRef v =
      LLVMBuildLoad2(c->b, t, cg_advance(c, from, LLVMBuildMul(c->b, i, from_stride, "")), "");
  LLVMSetAlignment(v, alignment(d));
  LLVMValueRef p = cg_advance(c, to, LLVMBuildMul(c->b, i, to_stride, ""));
  LLVMSetAlignment(LLVMBuildStore(c->b, v, p), alignment(d));
  LLVMValueRef next = LLVMBuildAdd(c->b, i, cg_i64(c, 1), "");
  LLVMAddIncoming(i, &zero, &before, 1);
  LLVMAddIncoming(i, &next, &head, 1);
  LLVMBuildCondBr(c->b, LLVMBuildICmp(c->b, LLVMIntSLT, next, c->n_lanes, ""), head, exit);
  cg_enter(c, exit);
}

/* Memory for the lanes of one access. */
static LLVMValueRef lane_slot(cg *c, scanc_dtype d) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(c->b);
  LLVMPositionBuilderBefore(c->b, c->entry_end);
  LLVMValueRef slot = LLVMBuildAlloca(c->b, cg_wide(cg_memory_type(c, d), c->lanes), "");
  cg_enter(c, here);
  return slot;
}

static LLVMValueRef load_some(cg *c, scanc_dtype d, LLVMValueRef p, LLVMValueRef stride) {
  LLVMValueRef slot = lane_slot(c, d), size = cg_i64(c, (int64_t)scanc_dtype_size(d));
  LLVMBuildStore(c->b, LLVMConstNull(cg_wide(cg_memory_type(c, d), c->lanes)), slot);
  copy_lanes(c, d, slot, size, p, stride);
  return cg_load_vector(c, d, slot, c->lanes);
}

static void store_some(cg *c, scanc_dtype d, LLVMValueRef v, LLVMValueRef p, LLVMValueRef stride) {
  LLVMValueRef slot = lane_slot(c, d);
  cg_store_vector(c, d, v, slot);
  copy_lanes(c, d, p, stride, slot, cg_i64(c, (int64_t)scanc_dtype_size(d)));
}

/* The dimension of the access that the lanes move along, -1: the same element for all lanes. */
static int lane_dim(const cg *c, const stmt *s) {
  return c->lane_axis < 0 ? -1 : cg_dim_of_axis(c, s->buffer, s->index, c->lane_axis);
}

/* The distance of the lanes as a number. */
static LLVMValueRef lane_bytes(cg *c, const stmt *s, int d) {
  return d < 0 ? NULL : cg_stride_bytes(c, s->buffer, d);
}

/* ---- complex elements ---- */

/* Lanes that are neighbours among complex elements: the dimension of their parts, -1. */
static int pair_dim(const cg *c, const stmt *s, int d) {
  const buffer *buf = &c->k->buffers.data[s->buffer];
  int last = buf->n_dims - 1;
  if (last <= d || c->lanes < 2 || c->mask || lanes_choose(c, s) || !lanes_apart(c, s, d, 2))
    return -1;
  lexpr parts = buf->dims[last].extent;
  bool pair = !parts.is_param && parts.k == 2 && s->index[last].axis == -1;
  return pair && lanes_apart(c, s, last, 1) && s->dtype != SCANC_BOOL ? last : -1;
}

/* Every other lane of a and b from the first or second on, or, of two halves, lanes that take
 * turns. */
static LLVMValueRef mix(cg *c, LLVMValueRef a, LLVMValueRef b, int first, bool take_turns) {
  LLVMValueRef from[CG_MAX_LANES];
  int n = c->lanes;
  for (int i = 0; i < n; i++)
    from[i] = cg_i32(c, take_turns ? i % 2 * n + first + i / 2 : 2 * i + first);
  return LLVMBuildShuffleVector(c->b, a, b, LLVMConstVector(from, (unsigned)n), "");
}

/* Pointer to the first part of the first lane's element, and of the lanes in the second half. */
static LLVMValueRef pair_pointer(cg *c, const stmt *s, LLVMValueRef p, int parts_dim, bool second) {
  int64_t lanes = second ? c->lanes : 0, bytes = (int64_t)scanc_dtype_size(s->dtype);
  return cg_advance(c, p, cg_i64(c, (lanes - s->index[parts_dim].add) * bytes));
}

/* One part of each element; LLVM sees that the loads of the other part are the same. */
static LLVMValueRef load_pair(cg *c, const stmt *s, LLVMValueRef p, int parts_dim) {
  LLVMValueRef low = cg_load_vector(c, s->dtype, pair_pointer(c, s, p, parts_dim, false), c->lanes);
  LLVMValueRef high = cg_load_vector(c, s->dtype, pair_pointer(c, s, p, parts_dim, true), c->lanes);
  return mix(c, low, high, (int)s->index[parts_dim].add, false);
}

LLVMValueRef cg_part_pointer(cg *c, const stmt *s, int part, LLVMValueRef *stride) {
  *stride = lane_bytes(c, s, lane_dim(c, s));
  return part_pointer(c, s, *stride, part);
}

static LLVMValueRef load_lanes(cg *c, const stmt *s, int d, int part) {
  LLVMValueRef tile = cg_tile_of(c, s, part), stride = lane_bytes(c, s, d);
  if (tile) return cg_load_vector(c, s->dtype, tile, c->lanes);
  if (lanes_choose(c, s))
    return load_chosen(c, s, d < 0 ? element_pointer(c, s) : part_pointer(c, s, stride, part),
                       stride, part);
  LLVMValueRef p = part_pointer(c, s, stride, part);
  if (lanes_apart(c, s, d, 1)) return load_neighbours(c, s->dtype, p, c->mask);
  if (c->lanes > 1 && lanes_apart(c, s, d, -1)) {
    LLVMValueRef mask = c->mask ? reverse(c, c->mask) : NULL;
    return reverse(c, load_neighbours(c, s->dtype, last_lane(c, s->dtype, p), mask));
  }
  if (pair_dim(c, s, d) >= 0) return load_pair(c, s, p, pair_dim(c, s, d));
  return c->mask ? load_some(c, s->dtype, p, stride) : load_strided(c, s, p, stride);
}

void cg_load(cg *c, const stmt *s, int part) {
  int d = lane_dim(c, s);
  if (d < 0 && !lanes_choose(c, s)) {
    cg_set_uniform(c, s->value, cg_load_vector(c, s->dtype, element_pointer(c, s), 1));
    return;
  }
  c->value[s->value].scalar = NULL;
  c->value[s->value].part[part] = load_lanes(c, s, d, part);
}

static void store_lanes(cg *c, const stmt *s, int d, int part) {
  LLVMValueRef stride = cg_stride_bytes(c, s->buffer, d), p = part_pointer(c, s, stride, part),
               v = cg_part(c, s->arg[0], part), tile = cg_tile_of(c, s, part);
  if (tile) {
    cg_store_vector(c, s->dtype, v, tile);
  } else if (lanes_choose(c, s)) {
    store_chosen(c, s, v, p, stride, part);
  } else if (lanes_apart(c, s, d, 1)) {
    store_neighbours(c, s->dtype, v, p, c->mask);
  } else if (c->lanes > 1 && lanes_apart(c, s, d, -1)) {
    LLVMValueRef mask = c->mask ? reverse(c, c->mask) : NULL;
    store_neighbours(c, s->dtype, reverse(c, v), last_lane(c, s->dtype, p), mask);
  } else if (c->mask) {
    store_some(c, s->dtype, v, p, stride);
  } else {
    store_strided(c, s, v, p, stride);
  }
}

void cg_store(cg *c, const stmt *s, int part) {
  int d = lane_dim(c, s);
  if (d < 0) cg_store_vector(c, s->dtype, c->value[s->arg[0]].scalar, element_pointer(c, s));
  else store_lanes(c, s, d, part);
}

/* The store of the other part of the elements of s; -1. */
static int other_part(const cg *c, const stmt *s, const stmt *list, int n, int parts_dim) {
  for (int i = 0; i < n; i++) {
    const stmt *o = &list[i];
    if (o->kind != ST_STORE || o->buffer != s->buffer) continue;
    bool same = o->index[parts_dim].add == !s->index[parts_dim].add;
    for (int d = 0; d < c->k->buffers.data[s->buffer].n_dims; d++)
      same = same && o->index[d].axis == s->index[d].axis && s->index[d].axis > INDEX_VALUE &&
             (d == parts_dim || o->index[d].add == s->index[d].add);
    if (same) return i;
  }
  return -1;
}

bool cg_store_pair(cg *c, const stmt *list, int n, int i, int part) {
  const stmt *s = &list[i];
  int d = s->kind == ST_STORE ? lane_dim(c, s) : -1, parts_dim = d < 0 ? -1 : pair_dim(c, s, d);
  if (parts_dim < 0 || c->k->buffers.data[s->buffer].space != SPACE_OUTPUT) return false;
  int other = other_part(c, s, list, n, parts_dim);
  if (other < 0) return false;
  if (other > i) return true;
  bool real = !s->index[parts_dim].add;
  LLVMValueRef mine = cg_part(c, s->arg[0], part), its = cg_part(c, list[other].arg[0], part),
               re = real ? mine : its, im = real ? its : mine;
  LLVMValueRef p = part_pointer(c, s, cg_stride_bytes(c, s->buffer, d), part);
  cg_store_vector(c, s->dtype, mix(c, re, im, 0, true), pair_pointer(c, s, p, parts_dim, false));
  cg_store_vector(c, s->dtype, mix(c, re, im, c->lanes / 2, true),
                  pair_pointer(c, s, p, parts_dim, true));
  return true;
}

/* ---- several statements at a time ---- */

LLVMValueRef cg_load_neighbours(cg *c, const stmt *first, int n) {
  return cg_load_vector(c, first->dtype, element_pointer(c, first), n);
}

void cg_store_neighbours(cg *c, const stmt *first, LLVMValueRef v) {
  cg_store_vector(c, first->dtype, v, element_pointer(c, first));
}

/* Whether as many loads, or stores, as there are lanes are of neighbours, each with lanes that are
 * apart. */
static bool is_block(const cg *c, const stmt *s, int n) {
  int d = s->kind == ST_LOAD || s->kind == ST_STORE ? lane_dim(c, s) : -1;
  if (d < 0 || n < c->lanes || c->lanes < 2 || c->mask || s->dtype == SCANC_BOOL) return false;
  lexpr stride = c->k->buffers.data[s->buffer].dims[d].stride;
  if (!stride.is_param && stride.k == 1) return false;
  for (int i = 1; i < c->lanes; i++)
    if (!stmt_is_next(c->k, &s[i - 1], &s[i])) return false;
  return true;
}

/* Exchanges bit h of the rows' numbers with that of the lanes'. */
static void exchange(cg *c, LLVMValueRef *row, int n_rows, int h) {
  LLVMValueRef low[CG_MAX_LANES], high[CG_MAX_LANES];
  int n = c->lanes;
  for (int i = 0; i < n; i++) {
    low[i] = cg_i32(c, i & h ? n + i - h : i);
    high[i] = cg_i32(c, i & h ? n + i : i + h);
  }
  LLVMValueRef low_mask = LLVMConstVector(low, (unsigned)n),
               high_mask = LLVMConstVector(high, (unsigned)n);
  for (int i = 0; i < n_rows; i++) {
    if (i & h) continue;
    LLVMValueRef a = row[i], b = row[i + h];
    row[i] = LLVMBuildShuffleVector(c->b, a, b, low_mask, "");
    row[i + h] = LLVMBuildShuffleVector(c->b, a, b, high_mask, "");
  }
}

/* LLVM spends more time on looking for a better way through a large square than on all else of a
 * kernel; it looks at halves of it instead. */
void cg_transpose(cg *c, LLVMValueRef *row, int n, scanc_dtype d) {
  enum { LARGE = 16 };
  bool hide = c->machine.vectors && n >= LARGE && d == SCANC_F32;
  for (int h = n / 2; h; h /= 2) {
    exchange(c, row, n, h);
    for (int i = 0; hide && h * h == n && i < n; i++)
      row[i] = cg_opaque(c, row[i], c->machine.vectors);
  }
}

int cg_access_block(cg *c, const stmt *s, int n, int part) {
  if (!is_block(c, s, n) || cg_tile_of(c, s, part)) return 0;
  LLVMValueRef row[CG_MAX_LANES] = {NULL}, stride = lane_bytes(c, s, lane_dim(c, s)),
               p = part_pointer(c, s, stride, part);
  bool loads = s->kind == ST_LOAD;
  for (int i = 0; !loads && i < c->lanes; i++) row[i] = cg_part(c, s[i].arg[0], part);
  if (!loads) cg_transpose(c, row, c->lanes, s->dtype);
  for (int i = 0; i < c->lanes; i++) {
    if (loads) row[i] = cg_load_vector(c, s->dtype, p, c->lanes);
    else cg_store_vector(c, s->dtype, row[i], p);
    p = cg_advance(c, p, stride);
  }
  if (loads) cg_transpose(c, row, c->lanes, s->dtype);
  for (int i = 0; loads && i < c->lanes; i++) {
    c->value[s[i].value].scalar = NULL;
    c->value[s[i].value].part[part] = row[i];
  }
  return c->lanes;
}
