/* Layouts: which loops each part of a kernel needs, and how each operand moves along them. */
#include <string.h>

#include "loop/scan_nest.h"

enum { SYMBOLIC_SIZE = 1 << 20 }; /* stands for a size that only the call knows */

nest_shape nest_shape_alloc(arena *mem, const scan_nest *n, symtab *syms) {
  nest_shape s = {.syms = syms,
                  .extent = ARENA_ARRAY(mem, dim, n->n_class),
                  .stride = ARENA_ARRAY(mem, dim, n->n_operand * SCANC_MAX_RANK)};
  return s;
}

/* False where the product does not fit. */
static bool multiply(symtab *syms, dim a, dim b, dim *out) {
  if (dim_is_int(a) && dim_is_int(b)) {
    *out = dim_int(0);
    return !__builtin_mul_overflow(a.k, b.k, &out->k);
  }
  *out = dim_mul(syms, a, b);
  return !symtab_overflowed(syms);
}

/* Sizes are products of real arrays' sizes, so what does not fit is never looked at. */
static dim product(symtab *syms, dim a, dim b) {
  dim r;
  return multiply(syms, a, b, &r) ? r : dim_int(INT64_MAX);
}

static dim default_size(const nest_shape *s, const nest_operand *p, int d) {
  if (p->dim[d] == DIM_TIME) return dim_int(SYMBOLIC_SIZE);
  return p->dim[d] == DIM_FIXED ? dim_int(p->size[d]) : s->extent[p->dim[d]];
}

nest_shape nest_shape_default(arena *mem, const scan_nest *n) {
  nest_shape s = nest_shape_alloc(mem, n, NULL);
  for (int c = 0; c < n->n_class; c++)
    s.extent[c] = dim_int(n->extent[c] ? n->extent[c] : SYMBOLIC_SIZE);
  for (int o = 0; o < n->n_operand; o++) {
    const nest_operand *p = &n->operand[o];
    dim stride = dim_int(1);
    for (int d = p->rank - 1; d >= 0; d--) {
      s.stride[o * SCANC_MAX_RANK + d] =
          p->dim[d] == DIM_TIME ? product(NULL, stride, dim_int(p->time_step)) : stride;
      stride = product(NULL, stride, default_size(&s, p, d));
    }
  }
  return s;
}

/* ---- merging ---- */

/* The loops of one part before merging; strides in real elements, those of complex operands count
 * twice. */
typedef struct {
  const scan_nest *n;
  const nest_part *part;
  symtab *syms;
  dim extent[SCANC_MAX_RANK];
  dim *stride; /* [o * rank + a], 0: does not move */
} space;

typedef struct {
  int outer, inner; /* loops of the part that one loop covers */
  dim extent;
} group;

/* Of dimension d, in real elements. */
static dim real_stride(const scan_nest *n, const nest_shape *s, int o, int d) {
  dim width = dim_int(dtype_class(n->operand[o].dtype) == 'c' ? 2 : 1);
  return product(s->syms, s->stride[o * SCANC_MAX_RANK + d], width);
}

static dim stride_along(const scan_nest *n, const nest_shape *s, int o, int cls) {
  const nest_operand *p = &n->operand[o];
  for (int d = 0; d < p->rank; d++)
    if (p->dim[d] == cls) return real_stride(n, s, o, d);
  return dim_int(0);
}

bool nest_same_element(const scan_nest *n, const nest_ref *a, const nest_ref *b) {
  return a->operand == b->operand && a->part == b->part &&
         !memcmp(a->at, b->at, sizeof *a->at * (size_t)n->operand[a->operand].rank);
}

int nest_inner_of(const scan_nest *n, const nest_operand *p, int d) {
  for (int i = 0; p->dim[d] >= 0 && i < n->inners.len; i++)
    if (n->inners.data[i].cls == p->dim[d]) return i;
  return -1;
}

bool nest_uses(const scan_nest *n, const nest_part *p, int o, int entry) {
  if (n->operand[o].none) return false;
  if (!n->fold || o < n->n_leaf) return p->operand[o];
  if (o < nest_seed(n, 0)) return p->operand[o] && (entry & FOLD_RESULTS);
  int i = (o - nest_seed(n, 0)) % n->n_x;
  return p->operand[i] && (entry & (o < nest_total(n, 0) ? FOLD_SEED : FOLD_TOTAL));
}

bool nest_operand_is_read(const scan_nest *n, int o) {
  return o < n->n_leaf || (n->fold && o >= nest_seed(n, 0) && o < nest_total(n, 0));
}

static space make_space(arena *mem, const scan_nest *n, const nest_part *part, const nest_shape *s,
                        int entry) {
  space sp = {.n = n,
              .part = part,
              .syms = s->syms,
              .stride = ARENA_ARRAY(mem, dim, n->n_operand * part->rank)};
  for (int a = 0; a < part->rank; a++) {
    sp.extent[a] = s->extent[part->cls[a]];
    for (int o = 0; o < n->n_operand; o++)
      if (nest_uses(n, part, o, entry))
        sp.stride[o * part->rank + a] = stride_along(n, s, o, part->cls[a]);
  }
  return sp;
}

static bool mergeable(const space *s, int a, const group *g) {
  for (int o = 0; o < s->n->n_operand; o++) {
    const dim *stride = &s->stride[o * s->part->rank];
    dim inner;
    if (!multiply(s->syms, stride[g->inner], g->extent, &inner) || !dim_equal(stride[a], inner))
      return false;
  }
  return true;
}

/* Drops loops of extent 1, merges neighbours; innermost first. */
static int make_groups(const space *s, group *g) {
  int n_groups = 0;
  for (int a = s->part->rank - 1; a >= 0; a--) {
    if (dim_is(s->extent[a], 1)) continue;
    if (n_groups && mergeable(s, a, &g[n_groups - 1])) {
      g[n_groups - 1].outer = a;
      g[n_groups - 1].extent = product(s->syms, g[n_groups - 1].extent, s->extent[a]);
    } else {
      g[n_groups++] = (group){a, a, s->extent[a]};
    }
  }
  return n_groups;
}

static bool moves_in_time(const nest_operand *p) { return p->time_axis >= 0; }

/* The loop with most unit strides becomes the lanes; the inner one where they tie. */
static int pick_lanes(const space *s, const group *g, int n_groups) {
  int best = 0, best_score = -1;
  for (int i = 0; i < n_groups; i++) {
    int score = 0;
    for (int o = 0; o < s->n->n_operand; o++) {
      int64_t unit = dtype_class(s->n->operand[o].dtype) == 'c' ? 2 : 1;
      if (dim_is(s->stride[o * s->part->rank + g[i].inner], unit))
        score += moves_in_time(&s->n->operand[o]) ? 4 : 1;
    }
    if (score > best_score) best = i, best_score = score;
  }
  return best;
}

static access_class classify(dim stride) {
  return dim_is(stride, 0) ? ACCESS_NONE : dim_is(stride, 1) ? ACCESS_UNIT : ACCESS_STRIDED;
}

static void fill_axis(const space *s, part_layout *l, int ax, const group *g) {
  l->extent[ax] = g->extent;
  for (int o = 0; o < s->n->n_operand; o++) {
    dim stride = s->stride[o * s->part->rank + g->inner];
    l->stride[o * l->n_axes + ax] = stride;
    l->access[o * l->n_axes + ax] = (unsigned char)classify(stride);
  }
}

static int64_t lane_hint(const space *s, const group *g) {
  int64_t hint = 1;
  for (int a = g->outer; a <= g->inner; a++) {
    int64_t extent = s->n->extent[s->part->cls[a]];
    if (!extent) return 0;
    hint *= extent;
  }
  return hint;
}

static part_layout make_part(arena *mem, const scan_nest *n, const nest_part *part,
                             const nest_shape *shape, int entry) {
  space s = make_space(mem, n, part, shape, entry);
  group g[SCANC_MAX_RANK];
  part_layout l = {.n_axes = make_groups(&s, g)};
  l.access = ARENA_ARRAY(mem, unsigned char, n->n_operand *l.n_axes);
  l.stride = ARENA_ARRAY(mem, dim, n->n_operand * l.n_axes);
  if (!l.n_axes) return l;
  int lanes = pick_lanes(&s, g, l.n_axes), ax = 0;
  for (int i = l.n_axes - 1; i >= 0; i--)
    if (i != lanes) fill_axis(&s, &l, ax++, &g[i]);
  fill_axis(&s, &l, ax, &g[lanes]);
  l.lane_hint = lane_hint(&s, &g[lanes]);
  return l;
}

static bool is_still(const scan_nest *n, const nest_shape *s, int o) {
  const nest_operand *p = &n->operand[o];
  bool moves = p->none || p->time_axis < 0 || !s->steps;
  return !moves && dim_is(s->stride[o * SCANC_MAX_RANK + p->time_axis], 0);
}

scan_layout layout_make(arena *mem, const scan_nest *n, const nest_shape *s, int entry) {
  scan_layout l = {entry, ARENA_ARRAY(mem, part_layout, n->n_part),
                   ARENA_ARRAY(mem, bool, n->n_operand)};
  for (int p = 0; p < n->n_part; p++) l.part[p] = make_part(mem, n, &n->part[p], s, entry);
  for (int o = 0; o < n->n_leaf; o++) l.still[o] = is_still(n, s, o);
  return l;
}

scan_layout layout_key(arena *mem, const scan_nest *n, const scan_layout *l) {
  scan_layout k = {l->entry, ARENA_ARRAY(mem, part_layout, n->n_part),
                   arena_copy(mem, l->still, (size_t)n->n_operand)};
  for (int p = 0; p < n->n_part; p++) {
    k.part[p] = (part_layout){.n_axes = l->part[p].n_axes, .lane_hint = l->part[p].lane_hint};
    k.part[p].access =
        arena_copy(mem, l->part[p].access, (size_t)n->n_operand * (size_t)l->part[p].n_axes);
  }
  return k;
}

bool layout_equal(const scan_nest *n, const scan_layout *a, const scan_layout *b) {
  if (a->entry != b->entry || memcmp(a->still, b->still, (size_t)n->n_operand) != 0) return false;
  for (int p = 0; p < n->n_part; p++) {
    const part_layout *x = &a->part[p], *y = &b->part[p];
    if (x->n_axes != y->n_axes || x->lane_hint != y->lane_hint) return false;
    if (memcmp(x->access, y->access, (size_t)n->n_operand * (size_t)x->n_axes) != 0) return false;
  }
  return true;
}

/* ---- buffers and integer parameters: in the order in which nest_kernel declares them ---- */

int nest_max_buffers(const scan_nest *n) { return n->n_part * (n->n_operand + n->carries.len); }

bool nest_in_scratch(const scan_nest *n, const nest_part *p, int c) {
  return p->carry[c] && n->domain[n->carries.data[c].in] >= 0;
}

int nest_buffers(const scan_nest *n, int entry, int *operand) {
  int count = 0;
  for (int p = 0; p < n->n_part; p++) {
    for (int o = 0; o < n->n_operand; o++)
      if (nest_uses(n, &n->part[p], o, entry)) operand[count++] = o;
    for (int c = 0; c < n->carries.len; c++)
      if (nest_in_scratch(n, &n->part[p], c)) operand[count++] = -1;
  }
  return count;
}

/* Points of the part's loops from axis `a` on. */
static dim points_from(const nest_shape *s, const part_layout *l, int a) {
  dim points = dim_int(1);
  for (; a < l->n_axes; a++) points = product(s->syms, points, l->extent[a]);
  return points;
}

int layout_scratch(const scan_nest *n, const scan_layout *l, const nest_shape *s, dim *bytes) {
  int count = 0;
  for (int p = 0; p < n->n_part; p++)
    for (int c = 0; c < n->carries.len; c++) {
      if (!nest_in_scratch(n, &n->part[p], c)) continue;
      int in = n->carries.data[c].in, cls = n->inners.data[n->domain[in]].cls;
      dim size = dim_int((int64_t)scanc_dtype_size(n->dtype[in]));
      size = product(s->syms, size, points_from(s, &l->part[p], 0));
      bytes[count++] = product(s->syms, size, s->extent[cls]);
    }
  return count;
}

int nest_max_ints(const scan_nest *n) {
  int per_part = SCANC_MAX_RANK + (n->n_operand + n->carries.len) * 2 * SCANC_MAX_RANK;
  return 1 + n->inners.len + n->n_part * per_part;
}

bool nest_has_own_dim(const scan_nest *n, const nest_operand *p, int d) {
  return p->dim[d] == DIM_TIME || (p->dim[d] == DIM_FIXED && p->size[d] > 1) ||
         nest_inner_of(n, p, d) >= 0;
}

/* Strides of the dimensions of operand o that are no parallel loops: time, inner and fixed ones. */
static int own_strides(const scan_nest *n, const nest_shape *s, int o, dim *ints) {
  const nest_operand *p = &n->operand[o];
  int k = 0;
  for (int d = 0; d < p->rank; d++)
    if (nest_has_own_dim(n, p, d)) ints[k++] = real_stride(n, s, o, d);
  return k;
}

int layout_ints(const scan_nest *n, const scan_layout *l, const nest_shape *s, dim length,
                dim *ints) {
  int k = 0;
  if (!n->timeless)
    ints[k++] = nest_unseeded(n, l->entry) ? dim_sub(s->syms, length, dim_int(1)) : length;
  for (int i = 0; i < n->inners.len; i++) ints[k++] = s->extent[n->inners.data[i].cls];
  for (int p = 0; p < n->n_part; p++) {
    const part_layout *q = &l->part[p];
    for (int a = 0; a < q->n_axes; a++) ints[k++] = q->extent[a];
    for (int o = 0; o < n->n_operand; o++) {
      if (!nest_uses(n, &n->part[p], o, l->entry)) continue;
      k += own_strides(n, s, o, ints + k);
      for (int a = 0; a < q->n_axes; a++)
        if (q->access[o * q->n_axes + a] == ACCESS_STRIDED)
          ints[k++] = q->stride[o * q->n_axes + a];
    }
    for (int c = 0; c < n->carries.len; c++)
      for (int a = 0; a < q->n_axes && nest_in_scratch(n, &n->part[p], c); a++)
        ints[k++] = points_from(s, q, a);
  }
  return k;
}
