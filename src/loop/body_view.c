/* Views and joins in bodies of scans: which dimensions they keep together, and the grid they make
 * of the grids of their operands. None of them computes anything. */
#include <assert.h>
#include <string.h>

#include "loop/body.h"

/* ---- operands ---- */

static const node *source(const node *at) {
  return at->operands[0].kind == VAL_NODE ? at->operands[0].node : NULL;
}

static int rank_of_source(const node *at) {
  const node *s = source(at);
  return s && type_is_tensor(s->type) ? s->type->n : -1;
}

bool body_known_int(body *b, val v, int64_t *out) {
  const type *t = val_type(b->mod, v);
  if (!t || t->kind != TYPE_INT || !dim_is_int(t->i)) return false;
  *out = t->i.k;
  return true;
}

/* Axis operand k, -1 if it is not known. */
static int axis_of(body *b, const node *at, int k, int rank) {
  int64_t a;
  if (!body_known_int(b, at->operands[k], &a)) return -1;
  if (a < 0) a += rank;
  return a >= 0 && a < rank ? (int)a : -1;
}

static bool no_axis(body *b, const node *at) {
  return body_refuse(b, at, "%s along an axis that is not known", at->op->name);
}

static bool not_tensor(body *b, const node *at) {
  return body_refuse(b, at, "%s of what is not a tensor", at->op->name);
}

/* ---- reshape and its relatives ---- */

static void axes_reshape(body *b, const node *to, const node *from) {
  int x[SCANC_MAX_RANK], y[SCANC_MAX_RANK], n = axes_type(to, 0)->n, m = axes_type(from, 0)->n;
  for (int d = 0; d < n; d++) x[d] = axes_dim(b, to, 0, d);
  for (int d = 0; d < m; d++) y[d] = axes_dim(b, from, 0, d);
  axes_match(b, x, n, y, m, "reshape");
}

static bool reshape_axes(body *b, const node *at) {
  if (rank_of_source(at) < 0 || !type_is_tensor(at->type)) return not_tensor(b, at);
  axes_reshape(b, at, source(at));
  return true;
}

/* The ids of g in row-major order. */
static const int *flat(body *b, const grid *g) {
  int index[SCANC_MAX_RANK] = {0}, w = grid_width(g), n = 0;
  int *v = ARENA_ARRAY(b->mem, int, grid_n_elements(g) * w);
  if (!grid_n_elements(g)) return v;
  do memcpy(&v[w * n++], grid_at(g, index), sizeof(int) * (size_t)w);
  while (grid_next(g, index));
  return v;
}

static bool reshape_grid(body *b, const node *at) {
  grid from, to;
  int *ids;
  if (!body_operand(b, at, 0, &from) || !body_grid(b, at, 0, &to, &ids)) return false;
  if (grid_n_elements(&to) != grid_n_elements(&from))
    return body_refuse(b, at, "%s splits a loop", at->op->name);
  to.v = flat(b, &from);
  body_set(b, at, &to, 1);
  return true;
}

/* ---- permute ---- */

static bool permutation(body *b, const node *at, int *from) {
  int rank = rank_of_source(at);
  val list = at->operands[1];
  if (rank < 0 || !val_is_seq(list) || list.n != rank) return not_tensor(b, at);
  for (int d = 0; d < rank; d++) {
    int64_t a;
    if (!body_known_int(b, list.items[d], &a)) return no_axis(b, at);
    from[d] = (int)(a < 0 ? a + rank : a);
  }
  return true;
}

static bool permute_axes(body *b, const node *at) {
  int from[SCANC_MAX_RANK];
  if (!permutation(b, at, from)) return false;
  for (int d = 0; d < at->type->n; d++) axes_follow(b, at, 0, d, source(at), from[d]);
  return true;
}

static bool permute_grid(body *b, const node *at) {
  int from[SCANC_MAX_RANK] = {0};
  grid g;
  if (!permutation(b, at, from) || !body_operand(b, at, 0, &g)) return false;
  grid r = g;
  for (int d = 0; d < g.rank; d++) r.ext[d] = g.ext[from[d]], r.stride[d] = g.stride[from[d]];
  body_set(b, at, &r, 1);
  return true;
}

/* ---- select ---- */

static bool select_axes(body *b, const node *at) {
  int rank = rank_of_source(at), ax = rank < 0 ? -1 : axis_of(b, at, 1, rank);
  if (ax < 0) return no_axis(b, at);
  axes_move(b, axes_dim(b, source(at), 0, ax), "select");
  for (int d = 0, e = 0; d < rank; d++)
    if (d != ax) axes_follow(b, at, 0, e++, source(at), d);
  return true;
}

static grid grid_select(const grid *g, int ax, int index) {
  grid r = *g;
  r.v += index * g->stride[ax];
  r.rank--;
  for (int d = ax; d < r.rank; d++) r.ext[d] = g->ext[d + 1], r.stride[d] = g->stride[d + 1];
  return r;
}

static bool select_grid(body *b, const node *at) {
  grid g;
  int64_t index;
  if (!body_operand(b, at, 0, &g)) return false;
  int ax = axis_of(b, at, 1, g.rank);
  if (ax < 0 || !body_known_int(b, at->operands[2], &index))
    return body_refuse(b, at, "select of an index that is not known");
  if (index < 0) index += g.ext[ax];
  if (index < 0 || index >= g.ext[ax]) return body_refuse(b, at, "select of an index out of range");
  grid r = grid_select(&g, ax, (int)index);
  body_set(b, at, &r, 1);
  return true;
}

/* ---- slices: slice, narrow, split, chunk, unbind ---- */

static grid grid_slice(const grid *g, int ax, int first, int count, int step) {
  grid r = *g;
  r.v += first * g->stride[ax];
  r.ext[ax] = count;
  r.stride[ax] *= step;
  return r;
}

/* item of `at` holds a stretch of the source along the axis. The whole stays together. */
static void stretch_axes(body *b, const node *at, int item, int ax, bool whole) {
  const node *s = source(at);
  for (int d = 0; d < s->type->n; d++) {
    if (d != ax || whole) {
      axes_follow(b, at, item, d, s, d);
      continue;
    }
    axes_move(b, axes_dim(b, s, 0, d), at->op->name);
    axes_move(b, axes_dim(b, at, item, d), at->op->name);
  }
}

static int64_t int_or(body *b, val v, int64_t dflt, bool *known) {
  int64_t x = dflt;
  if (v.kind != VAL_NONE && v.kind != VAL_ABSENT && !body_known_int(b, v, &x)) *known = false;
  return x;
}

/* Start and step of a slice along an axis of the given size. */
static bool slice_of(body *b, const node *at, int64_t size, int64_t *start, int64_t *step) {
  bool known = true;
  *start = int_or(b, at->operands[2], 0, &known);
  *step = at->op->id == OP_slice ? int_or(b, at->operands[4], 1, &known) : 1;
  if (*start < 0) *start += size;
  if (*start < 0) *start = 0;
  if (*start > size) *start = size;
  return known;
}

static bool is_whole(const node *at, int ax) {
  return dim_equal(at->type->dims[ax], source(at)->type->dims[ax]);
}

static bool slice_axes(body *b, const node *at) {
  int rank = rank_of_source(at), ax = rank < 0 ? -1 : axis_of(b, at, 1, rank);
  if (ax < 0 || !type_is_tensor(at->type)) return no_axis(b, at);
  stretch_axes(b, at, 0, ax, is_whole(at, ax));
  return true;
}

static bool slice_grid(body *b, const node *at) {
  grid g, r;
  int *ids;
  int64_t start = 0, step = 1;
  if (!body_operand(b, at, 0, &g) || !body_grid(b, at, 0, &r, &ids)) return false;
  int ax = axis_of(b, at, 1, g.rank);
  if (is_whole(at, ax)) {
    body_set(b, at, &g, 1);
    return true;
  }
  if (!slice_of(b, at, g.ext[ax], &start, &step))
    return body_refuse(b, at, "%s with bounds that are not known", at->op->name);
  r = grid_slice(&g, ax, (int)start, r.ext[ax], (int)step);
  body_set(b, at, &r, 1);
  return true;
}

static int axis_operand(const node *at) { return at->op->id == OP_unbind ? 1 : 2; }

static bool split_axes(body *b, const node *at) {
  int rank = rank_of_source(at), ax = rank < 0 ? -1 : axis_of(b, at, axis_operand(at), rank);
  if (ax < 0 || at->type->kind != TYPE_LIST) return no_axis(b, at);
  for (int i = 0; i < at->type->n; i++) stretch_axes(b, at, i, ax, at->type->n == 1);
  return true;
}

static bool split_grid(body *b, const node *at) {
  grid g;
  if (!body_operand(b, at, 0, &g)) return false;
  int ax = axis_of(b, at, axis_operand(at), g.rank), n = at->type->n, first = 0;
  grid *items = ARENA_ARRAY(b->mem, grid, n);
  for (int i = 0; i < n; i++) {
    int count;
    if (!axes_grid_extent(b, at, i, ax, &count)) return false;
    items[i] = grid_slice(&g, ax, first, count, 1);
    first += count;
  }
  body_set(b, at, items, n);
  return true;
}

static bool unbind_axes(body *b, const node *at) {
  int rank = rank_of_source(at), ax = rank < 0 ? -1 : axis_of(b, at, 1, rank);
  if (ax < 0 || at->type->kind != TYPE_LIST) return no_axis(b, at);
  axes_move(b, axes_dim(b, source(at), 0, ax), "unbind");
  for (int i = 0; i < at->type->n; i++)
    for (int d = 0, e = 0; d < rank; d++)
      if (d != ax) axes_follow(b, at, i, e++, source(at), d);
  return true;
}

static bool unbind_grid(body *b, const node *at) {
  grid g;
  if (!body_operand(b, at, 0, &g)) return false;
  int ax = axis_of(b, at, 1, g.rank);
  grid *items = ARENA_ARRAY(b->mem, grid, at->type->n);
  for (int i = 0; i < at->type->n; i++) items[i] = grid_select(&g, ax, i);
  body_set(b, at, items, at->type->n);
  return true;
}

/* ---- items of lists ---- */

static bool getitem_axes(body *b, const node *at) {
  const node *list = source(at);
  int64_t i;
  if (!list || !body_known_int(b, at->operands[1], &i) || !type_is_tensor(at->type)) return true;
  for (int d = 0; d < at->type->n; d++)
    axes_unite(b, axes_dim(b, at, 0, d), axes_dim(b, list, (int)i, d));
  return true;
}

static bool getitem_grid(body *b, const node *at) {
  int64_t i;
  const node_value *list = source(at) ? &b->of[source(at)->id] : NULL;
  if (!list || !list->known || !body_known_int(b, at->operands[1], &i) || i < 0 || i >= list->n)
    return body_refuse(b, at, "getitem of what is no list");
  body_set(b, at, &list->g[i], 1);
  return true;
}

/* ---- joins ---- */

static bool cat_axes(body *b, const node *at) {
  int ax = type_is_tensor(at->type) ? axis_of(b, at, 1, at->type->n) : -1;
  val list = at->operands[0];
  if (ax < 0 || !val_is_seq(list)) return no_axis(b, at);
  axes_move(b, axes_dim(b, at, 0, ax), "cat");
  for (int i = 0; i < list.n; i++) {
    const node *s = list.items[i].kind == VAL_NODE ? list.items[i].node : NULL;
    if (!s || !type_is_tensor(s->type)) return not_tensor(b, at);
    if (s->type->n != at->type->n) continue; /* an empty vector */
    axes_move(b, axes_dim(b, s, 0, ax), "cat");
    for (int d = 0; d < s->type->n; d++)
      if (d != ax) axes_follow(b, at, 0, d, s, d);
  }
  return true;
}

/* Copies g into the grid `to` of the same rank, whose ids are given, from index `first` along the
 * axis on. */
static void paste(body *b, const grid *to, int *ids, const grid *g, int ax, int first, int step) {
  int index[SCANC_MAX_RANK] = {0}, place[SCANC_MAX_RANK];
  if (!grid_n_elements(g)) return;
  do {
    memcpy(place, index, sizeof place);
    if (ax >= 0) place[ax] = first + step * index[ax];
    const int *from = grid_at(g, index), *at = grid_at(to, place);
    for (int w = 0; w < grid_width(to); w++) {
      scanc_dtype d = dtype_class(to->dtype) == 'c' ? dtype_real(to->dtype) : to->dtype;
      ids[at - to->v + w] = body_cast(b, from[w], d);
    }
  } while (grid_next(g, index));
}

static bool cat_grid(body *b, const node *at) {
  grid r;
  int *ids, first = 0, ax = axis_of(b, at, 1, at->type->n);
  val list = at->operands[0];
  if (!body_grid(b, at, 0, &r, &ids)) return false;
  for (int i = 0; i < list.n; i++) {
    grid g;
    if (!body_grid_of(b, at, list.items[i], &g)) return false;
    if (g.rank != r.rank) continue;
    if (dtype_class(g.dtype) != dtype_class(r.dtype) && dtype_class(r.dtype) == 'c')
      return body_refuse(b, at, "cat of real and complex parts has no compiled form yet");
    paste(b, &r, ids, &g, ax, first, 1);
    first += g.ext[ax];
  }
  body_set(b, at, &r, 1);
  return true;
}

/* ---- flip, roll ---- */

/* Calls axes_move or lists the axes that operand k names. */
static bool named_axes(body *b, const node *at, int k, bool *named) {
  int rank = rank_of_source(at);
  val v = at->operands[k];
  if (rank < 0) return not_tensor(b, at);
  for (int d = 0; d < rank; d++) named[d] = false;
  for (int i = 0; i < (val_is_seq(v) ? v.n : 1); i++) {
    int64_t a;
    if (!body_known_int(b, val_is_seq(v) ? v.items[i] : v, &a)) return no_axis(b, at);
    if (a < 0) a += rank;
    if (a >= 0 && a < rank) named[a] = true;
  }
  return true;
}

static int named_operand(const node *at) { return at->op->id == OP_roll ? 2 : 1; }

static bool moving_axes(body *b, const node *at) {
  bool named[SCANC_MAX_RANK];
  if (!named_axes(b, at, named_operand(at), named)) return false;
  for (int d = 0; d < at->type->n; d++) {
    if (!named[d]) {
      axes_follow(b, at, 0, d, source(at), d);
      continue;
    }
    axes_move(b, axes_dim(b, at, 0, d), at->op->name);
    axes_move(b, axes_dim(b, source(at), 0, d), at->op->name);
  }
  return true;
}

static bool flip_grid(body *b, const node *at) {
  bool named[SCANC_MAX_RANK] = {false};
  grid g;
  if (!named_axes(b, at, 1, named) || !body_operand(b, at, 0, &g)) return false;
  for (int d = 0; d < g.rank; d++)
    if (named[d] && g.ext[d]) g = grid_slice(&g, d, g.ext[d] - 1, g.ext[d], -1);
  body_set(b, at, &g, 1);
  return true;
}

/* One axis at a time, each a copy in two stretches. */
static bool roll_grid(body *b, const node *at) {
  val shifts = at->operands[1], dims = at->operands[2];
  grid g;
  if (!body_operand(b, at, 0, &g)) return false;
  int n = val_is_seq(shifts) ? shifts.n : 1;
  if ((val_is_seq(dims) ? dims.n : 1) != n)
    return body_refuse(b, at, "roll of the flattened values has no compiled form yet");
  for (int i = 0; i < n; i++) {
    int64_t shift, ax;
    if (!body_known_int(b, val_is_seq(shifts) ? shifts.items[i] : shifts, &shift) ||
        !body_known_int(b, val_is_seq(dims) ? dims.items[i] : dims, &ax))
      return body_refuse(b, at, "roll by an amount that is not known");
    grid r;
    int *ids, d = (int)(ax < 0 ? ax + g.rank : ax);
    if (!body_grid(b, at, 0, &r, &ids)) return false;
    int k = g.ext[d] ? (int)(((shift % g.ext[d]) + g.ext[d]) % g.ext[d]) : 0;
    grid head = grid_slice(&g, d, 0, g.ext[d] - k, 1), tail = grid_slice(&g, d, g.ext[d] - k, k, 1);
    paste(b, &r, ids, &head, d, k, 1);
    paste(b, &r, ids, &tail, d, 0, 1);
    g = r;
  }
  body_set(b, at, &g, 1);
  return true;
}

/* ---- pad ---- */

/* Widths in front of and behind dimension d; false: they are not known. */
static bool padding(body *b, const node *at, int d, int64_t *before, int64_t *behind) {
  val list = at->operands[1];
  int k = 2 * (at->type->n - 1 - d);
  *before = *behind = 0;
  if (!val_is_seq(list)) return false;
  return k + 1 >= list.n ||
         (body_known_int(b, list.items[k], before) && body_known_int(b, list.items[k + 1], behind));
}

static bool pad_axes(body *b, const node *at) {
  if (rank_of_source(at) < 0 || !type_is_tensor(at->type)) return not_tensor(b, at);
  for (int d = 0; d < at->type->n; d++) {
    int64_t before, behind;
    bool known = padding(b, at, d, &before, &behind);
    stretch_axes(b, at, 0, !known || before || behind ? d : -1, false);
  }
  return true;
}

/* Which element of `extent` is at place i, -1: none. Negative widths cut; around what they leave
 * elements repeat themselves. */
static int padded_place(const char *mode, int i, int extent, int64_t before, int64_t behind) {
  int at = i - (int)before, cut = before < 0 ? -(int)before : 0,
      left = extent - cut - (behind < 0 ? -(int)behind : 0);
  if (!strcmp(mode, "circular")) return left > 0 ? cut + ((at - cut) % left + left) % left : -1;
  bool reflects = !strcmp(mode, "reflect");
  if (reflects && at < 0) at = -at;
  if (reflects && at >= extent) at = 2 * (extent - 1) - at;
  if (!strcmp(mode, "replicate")) at = at < 0 ? 0 : at < extent ? at : extent - 1;
  return at >= 0 && at < extent ? at : -1;
}

/* What a constant is padded with: of a complex one both parts. */
static bool pad_value(body *b, const node *at, const grid *r, int *out) {
  val v = at->operands[3];
  grid g;
  scanc_dtype d = dtype_real(r->dtype);
  if (v.kind == VAL_NONE || v.kind == VAL_ABSENT) v = val_int(0);
  out[1] = body_const(b, val_int(0), d);
  out[0] = out[1];
  if (!val_is_number(v)) {
    if (!body_grid_of(b, at, v, &g)) return false;
    out[0] = body_cast(b, *g.v, d);
  } else if (v.kind != VAL_COMPLEX) {
    out[0] = body_const(b, v, d);
  } else {
    return body_refuse(b, at, "pad with a complex number has no compiled form yet");
  }
  return true;
}

static bool pad_grid(body *b, const node *at) {
  val given = at->operands[2];
  const char *mode = given.kind == VAL_STR ? given.s : "constant";
  grid g, r;
  int *ids, fill[2] = {-1, -1}, index[SCANC_MAX_RANK] = {0};
  int64_t width[SCANC_MAX_RANK][2];
  if (!body_operand(b, at, 0, &g) || !body_grid(b, at, 0, &r, &ids) || !pad_value(b, at, &r, fill))
    return false;
  for (int d = 0; d < g.rank; d++)
    if (!padding(b, at, d, &width[d][0], &width[d][1]))
      return body_refuse(b, at, "pad by an amount that is not known");
  const int wide = grid_width(&r);
  assert(wide <= 2);
  if (grid_n_elements(&r)) do {
      int place[SCANC_MAX_RANK], there = 1;
      for (int d = 0; d < g.rank; d++) {
        place[d] = padded_place(mode, index[d], g.ext[d], width[d][0], width[d][1]);
        there &= place[d] >= 0;
      }
      const int *from = there ? grid_at(&g, place) : fill;
      for (int w = 0; w < wide; w++) ids[grid_at(&r, index) - r.v + w] = from[w];
    } while (grid_next(&r, index));
  body_set(b, at, &r, 1);
  return true;
}

/* ---- writes through views, as functionalisation leaves them ---- */

static bool scatter_axes(body *b, const node *at) {
  int rank = rank_of_source(at), ax = rank < 0 ? -1 : axis_of(b, at, 2, rank);
  const node *src = at->operands[1].kind == VAL_NODE ? at->operands[1].node : NULL;
  if (ax < 0 || !src || !type_is_tensor(src->type)) return no_axis(b, at);
  bool slice = at->op->id == OP_slice_scatter;
  for (int d = 0, e = 0; d < rank; d++) {
    axes_follow(b, at, 0, d, source(at), d);
    if (d != ax || slice) {
      if (d != ax) axes_follow(b, at, 0, d, src, e);
      else axes_move(b, axes_dim(b, src, 0, e), at->op->name);
      e++;
    }
  }
  axes_move(b, axes_dim(b, at, 0, ax), at->op->name);
  axes_move(b, axes_dim(b, source(at), 0, ax), at->op->name);
  return true;
}

/* The part of r (the result, of extent `size` along the axis) that src replaces. */
static bool scatter_place(body *b, const node *at, int64_t size, int64_t *first, int64_t *step) {
  bool known = true;
  *first = int_or(b, at->operands[3], 0, &known);
  *step = at->op->id == OP_slice_scatter ? int_or(b, at->operands[5], 1, &known) : 1;
  if (*first < 0) *first += size;
  return known && *first >= 0 && *first <= size;
}

static bool scatter_grid(body *b, const node *at) {
  grid g, src, r;
  int *ids;
  int64_t first, step;
  if (!body_operand(b, at, 0, &g) || !body_operand(b, at, 1, &src) ||
      !body_grid(b, at, 0, &r, &ids))
    return false;
  int ax = axis_of(b, at, 2, g.rank);
  if (grid_width(&r) != grid_width(&src) || !scatter_place(b, at, g.ext[ax], &first, &step))
    return body_refuse(b, at, "%s to a place that is not known", at->op->name);
  if (src.rank < r.rank) { /* select_scatter: an axis of extent 1 is put in */
    for (int d = src.rank; d > ax; d--)
      src.ext[d] = src.ext[d - 1], src.stride[d] = src.stride[d - 1];
    src.ext[ax] = 1, src.stride[ax] = 0;
    src.rank++;
  }
  paste(b, &r, ids, &g, -1, 0, 1);
  paste(b, &r, ids, &src, ax, (int)first, (int)step);
  body_set(b, at, &r, 1);
  return true;
}

/* ---- complex numbers and their parts ---- */

static bool parts_axes(body *b, const node *at) {
  int rank = rank_of_source(at);
  if (rank < 0 || !type_is_tensor(at->type)) return not_tensor(b, at);
  for (int d = 0; d < rank && d < at->type->n; d++) axes_follow(b, at, 0, d, source(at), d);
  if (at->type->n > rank) axes_move(b, axes_dim(b, at, 0, rank), "view_as_real");
  if (at->type->n < rank) axes_move(b, axes_dim(b, source(at), 0, rank - 1), "view_as_complex");
  return true;
}

static bool parts_grid(body *b, const node *at) {
  grid g, r;
  if (!body_operand(b, at, 0, &g)) return false;
  if (at->op->id == OP_view_as_complex) {
    int *ids;
    if (!body_grid(b, at, 0, &r, &ids)) return false;
    r.v = flat(b, &g);
    body_set(b, at, &r, 1);
    return true;
  }
  r = g;
  r.dtype = dtype_real(g.dtype);
  if (at->op->id == OP_imag && grid_width(&g) != 2)
    return body_refuse(b, at, "imag of what is real");
  if (at->op->id == OP_imag) r.v++;
  if (at->op->id == OP_view_as_real) r.ext[r.rank] = 2, r.stride[r.rank++] = 1;
  body_set(b, at, &r, 1);
  return true;
}

/* ---- the table ---- */

const view_rule *view_rule_of(op_id op) {
  static const view_rule rules[] = {
      {OP_view, reshape_axes, reshape_grid},
      {OP_view_as, reshape_axes, reshape_grid},
      {OP_reshape, reshape_axes, reshape_grid},
      {OP_reshape_as, reshape_axes, reshape_grid},
      {OP_flatten, reshape_axes, reshape_grid},
      {OP_unflatten, reshape_axes, reshape_grid},
      {OP_unsqueeze, reshape_axes, reshape_grid},
      {OP_squeeze, reshape_axes, reshape_grid},
      {OP_atleast_1d, reshape_axes, reshape_grid},
      {OP_atleast_2d, reshape_axes, reshape_grid},
      {OP_atleast_3d, reshape_axes, reshape_grid},
      {OP_permute, permute_axes, permute_grid},
      {OP_select, select_axes, select_grid},
      {OP_slice, slice_axes, slice_grid},
      {OP_narrow, slice_axes, slice_grid},
      {OP_split, split_axes, split_grid},
      {OP_split_with_sizes, split_axes, split_grid},
      {OP_chunk, split_axes, split_grid},
      {OP_unbind, unbind_axes, unbind_grid},
      {OP_getitem, getitem_axes, getitem_grid},
      {OP_cat, cat_axes, cat_grid},
      {OP_flip, moving_axes, flip_grid},
      {OP_roll, moving_axes, roll_grid},
      {OP_pad, pad_axes, pad_grid},
      {OP_select_scatter, scatter_axes, scatter_grid},
      {OP_slice_scatter, scatter_axes, scatter_grid},
      {OP_real, parts_axes, parts_grid},
      {OP_imag, parts_axes, parts_grid},
      {OP_view_as_real, parts_axes, parts_grid},
      {OP_view_as_complex, parts_axes, parts_grid},
  };
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if (rules[i].op == op) return &rules[i];
  return NULL;
}
