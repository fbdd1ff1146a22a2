/* Loads and stores. While a loop is open, the pointer of a path already points at the current point
 * of its axis, so that an access needs no arithmetic but the distance between lanes. */
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

static LLVMValueRef load_at(cg *c, scanc_dtype d, LLVMValueRef ptr, int lanes) {
  LLVMTypeRef t = cg_wide(cg_memory_type(c, d), lanes);
  LLVMValueRef v = LLVMBuildLoad2(c->b, t, ptr, "");
  LLVMSetAlignment(v, alignment(d));
  return d == SCANC_BOOL ? LLVMBuildICmp(c->b, LLVMIntNE, v, LLVMConstNull(t), "") : v;
}

static void store_at(cg *c, scanc_dtype d, LLVMValueRef v, LLVMValueRef ptr) {
  if (d == SCANC_BOOL)
    v = LLVMBuildZExt(c->b, v, cg_wide(cg_memory_type(c, d), cg_lanes_of(v)), "");
  LLVMSetAlignment(LLVMBuildStore(c->b, v, ptr), alignment(d));
}

/* ---- lanes ---- */

/* Distance of neighbouring lanes in bytes; NULL: adjacent in memory. */
static LLVMValueRef lane_stride(cg *c, const stmt *s, int d) {
  lexpr stride = c->k->buffers.data[s->buffer].dims[d].stride;
  return !stride.is_param && stride.k == 1 ? NULL : cg_stride_bytes(c, s->buffer, d);
}

/* Pointer to the first lane of a part. */
static LLVMValueRef part_pointer(cg *c, const stmt *s, LLVMValueRef stride, int part) {
  LLVMValueRef distance = cg_i64(c, (int64_t)part * c->lanes), p = element_pointer(c, s);
  if (!part) return p;
  if (!stride) stride = cg_i64(c, (int64_t)scanc_dtype_size(s->dtype));
  return cg_advance(c, p, LLVMBuildMul(c->b, stride, distance, ""));
}

static LLVMValueRef load_strided(cg *c, const stmt *s, LLVMValueRef p, LLVMValueRef stride) {
  LLVMValueRef v = LLVMGetPoison(cg_wide(cg_type(c, s->dtype), c->lanes));
  for (int lane = 0; lane < c->lanes; lane++) {
    v = cg_set_lane(c, v, load_at(c, s->dtype, p, 1), lane);
    p = cg_advance(c, p, stride);
  }
  return v;
}

static void store_strided(cg *c, const stmt *s, LLVMValueRef v, LLVMValueRef p,
                          LLVMValueRef stride) {
  for (int lane = 0; lane < c->lanes; lane++) {
    store_at(c, s->dtype, cg_lane(c, v, lane), p);
    p = cg_advance(c, p, stride);
  }
}

static LLVMValueRef load_chosen(cg *c, const stmt *s, LLVMValueRef p, LLVMValueRef stride,
                                int part) {
  LLVMValueRef v = LLVMGetPoison(cg_wide(cg_type(c, s->dtype), c->lanes));
  for (int lane = 0; lane < c->lanes; lane++) {
    v = cg_set_lane(c, v, load_at(c, s->dtype, move_by_values(c, s, p, part, lane), 1), lane);
    if (stride) p = cg_advance(c, p, stride);
  }
  return v;
}

static void store_chosen(cg *c, const stmt *s, LLVMValueRef v, LLVMValueRef p, LLVMValueRef stride,
                         int part) {
  for (int lane = 0; lane < c->lanes; lane++) {
    store_at(c, s->dtype, cg_lane(c, v, lane), move_by_values(c, s, p, part, lane));
    p = cg_advance(c, p, stride);
  }
}

/* The dimension of the access that the lanes move along, -1: the same element for all lanes. */
static int lane_dim(const cg *c, const stmt *s) {
  return c->lane_axis < 0 ? -1 : cg_dim_of_axis(c, s->buffer, s->index, c->lane_axis);
}

/* The distance of the lanes as a number. */
static LLVMValueRef lane_bytes(cg *c, const stmt *s, int d) {
  return d < 0 ? NULL : cg_stride_bytes(c, s->buffer, d);
}

static LLVMValueRef load_part(cg *c, const stmt *s, int d, int part) {
  if (lanes_choose(c, s)) {
    LLVMValueRef stride = lane_bytes(c, s, d);
    return load_chosen(c, s, d < 0 ? element_pointer(c, s) : part_pointer(c, s, stride, part),
                       stride, part);
  }
  LLVMValueRef stride = lane_stride(c, s, d), p = part_pointer(c, s, stride, part);
  return stride ? load_strided(c, s, p, stride) : load_at(c, s->dtype, p, c->lanes);
}

void cg_load(cg *c, const stmt *s, int part) {
  int d = lane_dim(c, s);
  if (d < 0 && !lanes_choose(c, s)) {
    cg_set_uniform(c, s->value, load_at(c, s->dtype, element_pointer(c, s), 1));
    return;
  }
  LLVMValueRef v = load_part(c, s, d, part);
  c->value[s->value].scalar = NULL;
  c->value[s->value].part[part] = v;
}

void cg_store(cg *c, const stmt *s, int part) {
  int d = lane_dim(c, s);
  if (d < 0) {
    store_at(c, s->dtype, c->value[s->arg[0]].scalar, element_pointer(c, s));
    return;
  }
  bool chosen = lanes_choose(c, s);
  LLVMValueRef stride = chosen ? lane_bytes(c, s, d) : lane_stride(c, s, d),
               p = part_pointer(c, s, stride, part), v = cg_part(c, s->arg[0], part);
  if (chosen) store_chosen(c, s, v, p, stride, part);
  else if (stride) store_strided(c, s, v, p, stride);
  else store_at(c, s->dtype, v, p);
}
