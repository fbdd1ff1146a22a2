/* Interpretation of associative scans, in the order that the node says (ir/prefix.h). The earlier
 * element is the left operand everywhere. */
#include <string.h>

#include "runtime/eval_loop.h"

static rval slice_at(loop *l, int i, int64_t t) {
  l->x[i].t.data = l->x[i].base + t * l->x[i].advance;
  return (rval){.kind = TYPE_TENSOR, .t = &l->x[i].t};
}

/* Step 0 is the first slice itself. */
static bool fold_left(loop *l) {
  bool ok = true;
  l->place_from = 1;
  for (int i = 0; ok && i < l->n_carry; i++) {
    rval v = slice_at(l, i, 0);
    cell_set(&l->carry[i], &v);
    ok = loop_push_y(l, i, i, &v, 0);
  }
  for (int64_t t = 1; ok && t < l->length; t++) ok = loop_step(l, t);
  return ok;
}

/* ---- networks ---- */

typedef struct {
  loop *l;
  int lanes, segments, skip;
  int64_t until; /* element of the stretch before which nothing is skipped */
  cell **it;     /* per place in the group: a cell per leaf */
  cell *total;   /* per leaf: what comes before the group */
  cell *last;    /* for work */
  int64_t base;  /* the first element of the stretch */
  bool is_cut;   /* then: */
  cell *seed;    /* per leaf: what comes before the stretch */
  cell **unit;   /* the last elements of up to `lanes` segments or groups */
  int n_units;   /* that are there */
  cell *own;     /* per leaf: the total of the stretch but for these */
  bool has_own;  /* there is one */
} network;

/* `right` becomes combine(left, right). */
static bool combine(network *w, const cell *left, cell *right) {
  loop *l = w->l;
  slot *s = l->f->slots;
  for (int i = 0; i < l->n_carry; i++) s[i].v = left[i].v, s[l->n_carry + i].v = right[i].v;
  if (!frame_run(l->c->in, l->f)) return false;
  l->c->in->cur = eval_exec(l->c);
  l->carry = right;
  return loop_take_carries(l);
}

static bool combine_within(network *w, cell **it, int n) {
  for (int d = 1; d < w->lanes; d *= 2)
    for (int i = 0; i < n; i++)
      if (i & d && !combine(w, it[prefix_partner(i, d)], it[i])) return false;
  return true;
}

static cell **cells(loop *l, int n) {
  cell **it = ARENA_ARRAY(l->c->tmp, cell *, n);
  for (int k = 0; k < n; k++) it[k] = ARENA_ARRAY(l->c->tmp, cell, l->n_carry);
  return it;
}

static void clear_cells(loop *l, cell **it, int n) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < l->n_carry; i++) cell_clear(&it[k][i]);
}

static void copy_cells(loop *l, cell *to, const cell *from) {
  for (int i = 0; i < l->n_carry; i++) {
    rval v = from[i].v;
    cell_clear(&to[i]);
    cell_set(&to[i], &v);
  }
}

static void load_cell(loop *l, cell *it, int64_t t) {
  for (int i = 0; i < l->n_carry; i++) {
    rval v = slice_at(l, i, t);
    cell_clear(&it[i]);
    cell_set(&it[i], &v);
  }
}

static bool push_cell(loop *l, const cell *it, int64_t t) {
  for (int i = 0; i < l->n_carry; i++)
    if (!loop_push_y(l, i, i, &it[i].v, t)) return false;
  return true;
}

/* The units that are there join the total of the stretch. */
static bool join_units(network *w) {
  int n = w->n_units;
  w->n_units = 0;
  if (!n) return true;
  if (!combine_within(w, w->unit, n)) return false;
  if (w->has_own && !combine(w, w->own, w->unit[n - 1])) return false;
  copy_cells(w->l, w->own, w->unit[n - 1]);
  w->has_own = true;
  return true;
}

/* The last element of a segment or of a group. */
static bool add_unit(network *w, const cell *last) {
  if (!w->is_cut) return true;
  copy_cells(w->l, w->unit[w->n_units++], last);
  return w->n_units < w->lanes || join_units(w);
}

/* n elements from element `first` of the stretch on. */
static bool run_group(network *w, int64_t first, int n) {
  bool any = w->base + first > 0;
  for (int k = 0; k < n; k++) load_cell(w->l, w->it[k], w->base + first + k);
  if (!combine_within(w, w->it, n) || !add_unit(w, w->it[n - 1])) return false;
  copy_cells(w->l, w->last, w->it[n - 1]);
  for (int k = 0; k < n; k++)
    if ((any && !combine(w, w->total, w->it[k])) || !push_cell(w->l, w->it[k], w->base + first + k))
      return false;
  if (any && !combine(w, w->total, w->last)) return false;
  copy_cells(w->l, w->total, w->last);
  return true;
}

/* ---- elements that change nothing ---- */

/* Elements of the last dimensions, from d on. */
static bool same_elements(const tensor *x, const tensor *y, int d, const char *a, const char *b) {
  int64_t size = (int64_t)scanc_dtype_size(x->dtype);
  if (d == x->rank) return !memcmp(a, b, (size_t)size);
  for (int64_t i = 0; i < x->sizes[d]; i++)
    if (!same_elements(x, y, d + 1, a + i * x->strides[d] * size, b + i * y->strides[d] * size))
      return false;
  return true;
}

static bool same_cells(const loop *l, const cell *x, const cell *y) {
  for (int i = 0; i < l->n_carry; i++) {
    const tensor *a = x[i].v.t, *b = y[i].v.t;
    if (!same_elements(a, b, 0, a->data, b->data)) return false;
  }
  return true;
}

/* Whether `skip` elements from element t of the stretch on, combined with the total before them,
 * are that. *ok: false after a failure. */
static bool change_nothing(network *w, int64_t t, bool *ok) {
  for (int k = 0; k < w->skip; k++) {
    load_cell(w->l, w->it[0], w->base + t + k);
    *ok = combine(w, w->total, w->it[0]);
    if (!*ok || !same_cells(w->l, w->it[0], w->total)) return false;
  }
  return true;
}

static bool fill(network *w, int64_t t) {
  for (int k = 0; k < w->skip; k++)
    if (!push_cell(w->l, w->total, w->base + t + k)) return false;
  return true;
}

/* n elements from element t of the stretch on: those that are skipped, or a group, or what is left;
 * returns how many. */
static int run_some(network *w, int64_t t, int64_t n, bool *ok) {
  int lanes = w->lanes;
  if (w->skip && w->base + t && t >= w->until && n >= w->skip) {
    w->until = t + w->skip;
    if (change_nothing(w, t, ok)) {
      *ok = fill(w, t);
      return w->skip;
    }
  }
  if (n < lanes) lanes = (int)n;
  *ok = *ok && run_group(w, t, lanes);
  return lanes;
}

/* ---- blocks of segments ---- */

/* The totals of `lanes` segments from j on. any: something comes before them. */
static bool combine_totals(network *w, cell **it, cell **before, int j, bool any) {
  loop *l = w->l;
  for (int k = 0; k < w->lanes; k++) {
    const cell *last = it[(j + k + 1) * w->lanes - 1];
    copy_cells(l, w->it[k], last);
    if (!add_unit(w, last)) return false;
  }
  if (!combine_within(w, w->it, w->lanes)) return false;
  for (int k = 0; any && k < w->lanes; k++)
    if (!combine(w, w->total, w->it[k])) return false;
  if (any) copy_cells(l, before[j], w->total);
  for (int k = 1; k < w->lanes; k++) copy_cells(l, before[j + k], w->it[k - 1]);
  copy_cells(l, w->total, w->it[w->lanes - 1]);
  return true;
}

/* The elements of a segment, each combined with what comes before it; NULL: nothing does. */
static bool finish_segment(network *w, cell **it, const cell *before, int64_t t) {
  for (int k = 0; k < w->lanes; k++)
    if ((before && !combine(w, before, it[k])) || !push_cell(w->l, it[k], w->base + t + k))
      return false;
  return true;
}

static bool run_block(network *w, cell **it, cell **before, int64_t t) {
  int lanes = w->lanes, size = w->segments * lanes;
  for (int k = 0; k < size; k++) load_cell(w->l, it[k], w->base + t + k);
  for (int k = 1; k < lanes; k++)
    for (int j = 0; j < w->segments; j++)
      if (!combine(w, it[j * lanes + k - 1], it[j * lanes + k])) return false;
  for (int j = 0; j < w->segments; j += lanes)
    if (!combine_totals(w, it, before, j, w->base + t || j)) return false;
  for (int j = 0; j < w->segments; j++)
    if (!finish_segment(w, it + j * lanes, w->base + t || j ? before[j] : NULL, t + j * lanes))
      return false;
  return true;
}

/* As many as there are whole ones in a stretch of n elements; *t becomes the element that follows.
 */
static bool run_blocks(network *w, int64_t n, int64_t *t) {
  int size = w->segments * w->lanes;
  cell **it = cells(w->l, size), **before = cells(w->l, w->segments);
  bool ok = true;
  for (; ok && size && n - *t >= size; *t += size) ok = run_block(w, it, before, *t);
  clear_cells(w->l, it, size);
  clear_cells(w->l, before, w->segments);
  return ok;
}

/* ---- stretches ---- */

static bool run_stretch(network *w, int64_t n) {
  int64_t t = 0;
  bool ok = run_blocks(w, n, &t);
  w->until = 0;
  while (ok && t < n) t += run_some(w, t, n - t, &ok);
  if (!ok || !w->is_cut) return ok;
  if (!join_units(w) || (w->base && !combine(w, w->seed, w->own))) return false;
  copy_cells(w->l, w->seed, w->own);
  copy_cells(w->l, w->total, w->own);
  w->has_own = false;
  return true;
}

enum { WORK = 4 };

/* The first element is what comes before the others. */
static bool take_seed(network *w) {
  loop *l = w->l;
  load_cell(l, w->total, 0);
  load_cell(l, w->seed, 0);
  w->base = 1;
  return push_cell(l, w->total, 0);
}

static bool fold_network(loop *l, prefix_order order) {
  cell **work = cells(l, WORK);
  network w = {.l = l, .lanes = order.lanes, .segments = order.segments, .skip = order.skip};
  w.it = cells(l, w.lanes), w.unit = cells(l, w.lanes);
  w.total = work[0], w.seed = work[1], w.own = work[2], w.last = work[3];
  w.is_cut = prefix_is_cut(order, l->length - order.seeded);
  int64_t cut = prefix_stretch(order, l->length - order.seeded);
  cell *own = l->carry;
  bool ok = true;
  l->place_from = -1;
  if (order.seeded) ok = take_seed(&w);
  for (; ok && w.base < l->length; w.base += cut)
    ok = run_stretch(&w, l->length - w.base < cut ? l->length - w.base : cut);
  clear_cells(l, w.it, w.lanes);
  clear_cells(l, w.unit, w.lanes);
  clear_cells(l, work, WORK);
  l->carry = own;
  return ok;
}

/* ---- the whole ---- */

/* Elements of a step. */
static int64_t step_elements(const loop *l) {
  int64_t n = 0;
  for (int i = 0; i < l->n_x; i++) n += tensor_numel(&l->x[i].t);
  return n;
}

static bool open_stacks(loop *l) {
  for (int i = 0; i < l->n_y; i++)
    if (!loop_open_stack(l, i, &l->x[i].t)) return false;
  return true;
}

bool eval_prefix(eval_ctx *c) {
  frame *f = eval_exec(c)->sub[0];
  const rval *xs = &c->arg[1];
  prefix_order order = eval_exec(c)->n->order;
  int n = list_len(xs);
  if (f->n_results != n || n == 0)
    return eval_fail(c, SCANC_ERR_LEAF_COUNT, "%s returns %d leaves, expected %d", f->g->class_name,
                     f->n_results, n);
  loop l = loop_new(c, f, n, n, n);
  l.fold = true;
  if (!loop_open_slices(&l, xs) || !loop_bind_extras(c, f, 2 * n, &c->arg[2])) return false;
  bool ok = l.length <= 0 ? open_stacks(&l)
            : prefix_is_left(order, step_elements(&l), l.length - order.seeded)
                ? fold_left(&l)
                : fold_network(&l, order);
  if (ok) loop_give_results(&l, false);
  loop_close(&l);
  return ok;
}
