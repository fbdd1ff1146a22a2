/* Layouts: which axes of the iteration space a kernel needs as loops, and how each operand moves along them. */
#include <string.h>

#include "loop/scan_nest.h"

enum { SYMBOLIC_SIZE = 1 << 20 }; /* stands for a size that only the call knows */

nest_shape nest_shape_alloc(arena *mem, const scan_nest *n) {
  nest_shape s = {.stride = ARENA_ARRAY(mem, int64_t, n->n_operand * n->rank),
                  .time_stride = ARENA_ARRAY(mem, int64_t, n->n_operand)};
  return s;
}

static int64_t mul_saturated(int64_t a, int64_t b) {
  int64_t r;
  return __builtin_mul_overflow(a, b, &r) ? INT64_MAX : r;
}

nest_shape nest_shape_default(arena *mem, const scan_nest *n) {
  nest_shape s = nest_shape_alloc(mem, n);
  for (int a = 0; a < n->rank; a++) s.extent[a] = n->extent[a] ? n->extent[a] : SYMBOLIC_SIZE;
  for (int o = 0; o < n->n_operand; o++) {
    const nest_operand *p = &n->operand[o];
    int64_t stride = 1;
    for (int d = p->rank - 1; d >= 0; d--) {
      if (d == p->time_axis) {
        s.time_stride[o] = stride * p->time_step;
        stride = mul_saturated(stride, SYMBOLIC_SIZE);
      }
      for (int a = 0; a < n->rank; a++) {
        if (p->dim_of[a] != d) continue;
        s.stride[o * n->rank + a] = stride;
        stride = mul_saturated(stride, s.extent[a]);
      }
    }
  }
  return s;
}

/* ---- merging ---- */

typedef struct {
  int outer, inner; /* axes of the iteration space that one loop covers */
  int64_t extent;
} group;

static bool mergeable(const scan_nest *n, const nest_shape *s, int a, const group *g) {
  for (int o = 0; o < n->n_operand; o++) {
    const int64_t *stride = &s->stride[o * n->rank];
    int64_t inner;
    if (__builtin_mul_overflow(stride[g->inner], g->extent, &inner) || stride[a] != inner) return false;
  }
  return true;
}

/* Drops axes of extent 1, merges neighbours; innermost first. */
static int make_groups(const scan_nest *n, const nest_shape *s, group *g) {
  int n_groups = 0;
  for (int a = n->rank - 1; a >= 0; a--) {
    if (s->extent[a] == 1) continue;
    if (n_groups && mergeable(n, s, a, &g[n_groups - 1])) {
      g[n_groups - 1].outer = a;
      g[n_groups - 1].extent *= s->extent[a];
    } else {
      g[n_groups++] = (group){a, a, s->extent[a]};
    }
  }
  return n_groups;
}

/* The axis with most unit strides becomes the lanes; the inner one where they tie. */
static int pick_lanes(const scan_nest *n, const nest_shape *s, const group *g, int n_groups) {
  int best = 0, best_score = -1;
  for (int i = 0; i < n_groups; i++) {
    int score = 0;
    for (int o = 0; o < n->n_operand; o++)
      if (s->stride[o * n->rank + g[i].inner] == 1) score += n->operand[o].time_axis >= 0 ? 4 : 1;
    if (score > best_score) best = i, best_score = score;
  }
  return best;
}

static access_class classify(int64_t stride) {
  return stride == 0 ? ACCESS_NONE : stride == 1 ? ACCESS_UNIT : ACCESS_STRIDED;
}

static void fill_axis(const scan_nest *n, const nest_shape *s, scan_layout *l, int ax, const group *g) {
  l->extent[ax] = g->extent;
  for (int o = 0; o < n->n_operand; o++) {
    int64_t stride = s->stride[o * n->rank + g->inner];
    l->stride[o * l->n_axes + ax] = stride;
    l->access[o * l->n_axes + ax] = (unsigned char)classify(stride);
  }
}

static int64_t lane_hint(const scan_nest *n, const group *g) {
  int64_t hint = 1;
  for (int a = g->outer; a <= g->inner; a++) {
    if (!n->extent[a]) return 0;
    hint *= n->extent[a];
  }
  return hint;
}

scan_layout layout_make(arena *mem, const scan_nest *n, const nest_shape *s) {
  group g[SCANC_MAX_RANK];
  scan_layout l = {.n_axes = make_groups(n, s, g)};
  l.access = ARENA_ARRAY(mem, unsigned char, n->n_operand * l.n_axes);
  l.stride = ARENA_ARRAY(mem, int64_t, n->n_operand * l.n_axes);
  if (!l.n_axes) return l;
  int lanes = pick_lanes(n, s, g, l.n_axes), ax = 0;
  for (int i = l.n_axes - 1; i >= 0; i--)
    if (i != lanes) fill_axis(n, s, &l, ax++, &g[i]);
  fill_axis(n, s, &l, ax, &g[lanes]);
  l.lane_hint = lane_hint(n, &g[lanes]);
  return l;
}

scan_layout layout_key(arena *mem, const scan_nest *n, const scan_layout *l) {
  scan_layout k = {.n_axes = l->n_axes, .lane_hint = l->lane_hint};
  k.access = arena_copy(mem, l->access, (size_t)(n->n_operand * l->n_axes));
  return k;
}

bool layout_equal(const scan_nest *n, const scan_layout *a, const scan_layout *b) {
  return a->n_axes == b->n_axes && a->lane_hint == b->lane_hint &&
         !memcmp(a->access, b->access, (size_t)(n->n_operand * a->n_axes));
}

/* ---- integer parameters: in the order in which nest_kernel declares them ---- */

int nest_max_ints(const scan_nest *n) { return 1 + n->rank + n->n_operand * (1 + n->rank); }

int layout_ints(const scan_nest *n, const scan_layout *l, const nest_shape *s, int64_t length, int64_t *ints) {
  int k = 0;
  ints[k++] = length;
  for (int a = 0; a < l->n_axes; a++) ints[k++] = l->extent[a];
  for (int o = 0; o < n->n_operand; o++) {
    if (n->operand[o].time_axis >= 0) ints[k++] = s->time_stride[o];
    for (int a = 0; a < l->n_axes; a++)
      if (l->access[o * l->n_axes + a] == ACCESS_STRIDED) ints[k++] = l->stride[o * l->n_axes + a];
  }
  return k;
}
