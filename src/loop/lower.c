/* nest_kernel: a nest and a layout as a loop tree; per part:
 *
 *   for o0, o1... parallel                    outer axes
 *     for i parallel                          the lane axis
 *       load carries and additional inputs; what is the same in every step
 *       for t sequential, carrying the carries
 *         load elements of xs where first used; the body; store ys as soon as they exist
 *         for k sequential                    inner scans, with all statements along their class
 *       store the last carries
 *
 * Elements of xs that are the same in every step (scan_layout.still) are loaded, and what follows
 * from them alone is computed, before the steps.
 *
 * In an associative scan without a seed the carries start as the first elements of the xs, which
 * are also the first results, and step t takes elements t + 1. */
#include "loop/scan_nest.h"

typedef struct {
  const scan_nest *n;
  const nest_part *part;
  const part_layout *l;
  const bool *still; /* per operand */
  bool *fixed;       /* per value of the nest: the same in every step as some leaves are */
  int entry;
  kernel *k;
  int index;              /* of the part */
  int time;               /* axis */
  const int *inner_axis;  /* per inner loop: axis of the kernel */
  bool *inner_done;       /* per inner loop: emitted */
  const stmt *const *def; /* per value of the nest: the statement that defines it, NULL */
  int *axis_of;           /* per loop of the layout: axis of the kernel */
  int *buffer;            /* per operand: buffer of this part, -1 */
  int *scratch;           /* per carry: its buffer, -1: it is carried in registers */
  int *carry_of;          /* per value of the nest: carry in scratch that it is, -1 */
  int *value;             /* per value id of the nest: value id of the kernel, -1 */
  bool *stored;           /* per store */
} lowering;

enum { MAX_DIMS = 2 * SCANC_MAX_RANK + 2 };

/* ---- axes and buffers ---- */

static const char *numbered(lowering *w, const char *base, int i) {
  return arena_printf(w->k->mem, "%s%d", base, i);
}

/* Names of later parts carry the number of the part. */
static const char *part_name(lowering *w, const char *base) {
  return w->index ? numbered(w, base, w->index) : base;
}

static void add_axes(lowering *w) {
  int n = w->l->n_axes;
  w->axis_of = ARENA_ARRAY(w->k->mem, int, n);
  for (int a = 0; a < n; a++) {
    bool lanes = a == n - 1;
    int param = kernel_add_int(w->k, part_name(w, lanes ? "lanes" : numbered(w, "outer", a)));
    lexpr extent = lanes && w->l->lane_hint ? lexpr_const(w->l->lane_hint) : lexpr_param(param);
    w->axis_of[a] = kernel_add_axis(w->k, part_name(w, lanes ? "i" : numbered(w, "o", a)), extent);
    w->k->axes.data[w->axis_of[a]].param = param;
  }
}

static access_class access_of(const lowering *w, int o, int a) {
  return (access_class)w->l->access[o * w->l->n_axes + a];
}

static bool is_complex(const nest_operand *p) { return dtype_class(p->dtype) == 'c'; }

static lexpr time_extent(const lowering *w) {
  lexpr e = w->k->axes.data[w->time].extent;
  e.add = nest_unseeded(w->n, w->entry);
  return e;
}

/* Dimension d of the operand in the kernel. */
static buffer_dim own_dim(lowering *w, int o, int d) {
  const nest_operand *p = &w->n->operand[o];
  int inner = nest_inner_of(w->n, p, d);
  const char *name = p->dim[d] == DIM_TIME ? "t"
                     : inner >= 0          ? w->k->axes.data[w->inner_axis[inner]].name
                                           : numbered(w, "d", d);
  lexpr stride = lexpr_param(
      kernel_add_int(w->k, arena_printf(w->k->mem, "%s.%s", part_name(w, p->name), name)));
  if (p->dim[d] == DIM_TIME)
    return (buffer_dim){w->still[o] ? lexpr_const(1) : time_extent(w), stride};
  if (inner >= 0) return (buffer_dim){w->k->axes.data[w->inner_axis[inner]].extent, stride};
  return (buffer_dim){lexpr_const(p->size[d]), stride};
}

/* Dimensions: time, inner and fixed ones in the order of the operand, the loops along which it
 * moves, the part of complex elements. */
static void add_buffer(lowering *w, int o) {
  const nest_operand *p = &w->n->operand[o];
  buffer_dim dims[MAX_DIMS];
  int n = 0;
  for (int d = 0; d < p->rank; d++)
    if (nest_has_own_dim(w->n, p, d)) dims[n++] = own_dim(w, o, d);
  for (int a = 0; a < w->l->n_axes; a++) {
    const loop_axis *ax = &w->k->axes.data[w->axis_of[a]];
    lexpr stride = lexpr_const(1);
    if (access_of(w, o, a) == ACCESS_NONE) continue;
    if (access_of(w, o, a) == ACCESS_STRIDED)
      stride =
          lexpr_param(kernel_add_int(w->k, arena_printf(w->k->mem, "%s.%s", p->name, ax->name)));
    dims[n++] = (buffer_dim){ax->extent, stride};
  }
  if (is_complex(p)) dims[n++] = (buffer_dim){lexpr_const(2), lexpr_const(1)};
  buffer b = {p->name, dtype_real(p->dtype),
              nest_operand_is_read(w->n, o) ? SPACE_INPUT : SPACE_OUTPUT, dims, n};
  w->buffer[o] = kernel_add_buffer(w->k, b);
}

/* Dimensions: the inner loop, then the loops of the part. */
static void add_scratch(lowering *w, int c) {
  int in = w->n->carries.data[c].in, n = w->l->n_axes;
  const loop_axis *inner = &w->k->axes.data[w->inner_axis[w->n->domain[in]]];
  buffer_dim dims[SCANC_MAX_RANK + 1] = {{inner->extent, lexpr_const(1)}};
  const char *name = part_name(w, numbered(w, "carry", c));
  for (int a = 0; a < n; a++) {
    dims[a].stride = lexpr_param(kernel_add_int(w->k, arena_printf(w->k->mem, "%s.%d", name, a)));
    dims[a + 1] = (buffer_dim){w->k->axes.data[w->axis_of[a]].extent, lexpr_const(1)};
  }
  buffer b = {name, w->n->dtype[in], SPACE_SCRATCH, dims, n + 1};
  w->scratch[c] = kernel_add_buffer(w->k, b);
  w->carry_of[in] = c;
}

static void scratch_index(const lowering *w, int c, index_map *index) {
  index[0] = (index_map){w->inner_axis[w->n->domain[w->n->carries.data[c].in]], 0};
  for (int a = 0; a < w->l->n_axes; a++) index[a + 1] = (index_map){w->axis_of[a], 0};
}

static int load_scratch(lowering *w, stmt_list *where, int c) {
  index_map index[SCANC_MAX_RANK + 1];
  scratch_index(w, c, index);
  return stmt_load(w->k, where, w->scratch[c], index, w->n->value_name[w->n->carries.data[c].in]);
}

static void store_scratch(lowering *w, stmt_list *where, int c, int value) {
  index_map index[SCANC_MAX_RANK + 1];
  scratch_index(w, c, index);
  stmt_store(w->k, where, w->scratch[c], index, value);
}

static void make_index(const lowering *w, const nest_ref *r, index_map *index) {
  const nest_operand *p = &w->n->operand[r->operand];
  int n = 0;
  for (int d = 0; d < p->rank; d++) {
    if (!nest_has_own_dim(w->n, p, d)) continue;
    int inner = nest_inner_of(w->n, p, d);
    if (inner >= 0) index[n++] = (index_map){w->inner_axis[inner], 0};
    else if (p->dim[d] == DIM_FIXED) index[n++] = (index_map){-1, r->at[d]};
    else if (r->time == REF_FIRST || w->still[r->operand]) index[n++] = (index_map){-1, 0};
    else index[n++] = (index_map){w->time, nest_unseeded(w->n, w->entry)};
  }
  for (int a = 0; a < w->l->n_axes; a++)
    if (access_of(w, r->operand, a) != ACCESS_NONE) index[n++] = (index_map){w->axis_of[a], 0};
  if (is_complex(p)) index[n++] = (index_map){-1, r->part};
}

/* ---- statements ---- */

static int load(lowering *w, stmt_list *where, const nest_ref *r, const char *name) {
  index_map index[MAX_DIMS];
  make_index(w, r, index);
  return stmt_load(w->k, where, w->buffer[r->operand], index, name);
}

static void store(lowering *w, stmt_list *where, const nest_ref *r, int value) {
  index_map index[MAX_DIMS];
  make_index(w, r, index);
  stmt_store(w->k, where, w->buffer[r->operand], index, value);
}

static void lower_inner(lowering *w, stmt_list *where, int inner);

/* The kernel's value for one of the nest: if it is not there yet, it is loaded, or what computes it
 * comes now. */
static int value_of(lowering *w, stmt_list *where, int v) {
  if (w->value[v] >= 0) return w->value[v];
  int input = w->n->input_of[v];
  if (input >= 0)
    return w->value[v] = load(w, where, &w->n->inputs.data[input].ref, w->n->value_name[v]);
  if (w->carry_of[v] >= 0) return w->value[v] = load_scratch(w, where, w->carry_of[v]);
  if (v == w->n->place) {
    int64_t before = nest_unseeded(w->n, w->entry);
    return w->value[v] = stmt_point(w->k, where, w->time, lexpr_const(before));
  }
  if (w->def[v]) {
    stmt copy = *w->def[v];
    for (int a = 0; a < copy.n_args; a++) copy.arg[a] = value_of(w, where, copy.arg[a]);
    return w->value[v] = stmt_add(w->k, where, copy, w->n->value_name[v]);
  }
  for (int c = 0; c < w->n->inner_carries.len; c++)
    if (w->n->inner_carries.data[c].out == v)
      lower_inner(w, where, w->n->inner_carries.data[c].inner);
  return w->value[v];
}

static bool is_item(const scan_nest *n, int v) {
  for (int c = 0; c < n->carries.len; c++)
    if (n->carries.data[c].item == v) return true;
  return false;
}

/* Whether what is computed from v is the same in every step if v is. Where elements are combined
 * that come of others, they have the place of items. */
static bool hands_on(const lowering *w, int v) {
  const scan_nest *n = w->n;
  bool left = !n->fold || n->order.kind == PREFIX_LEFT;
  return n->invariant[v] || (w->fixed[v] && (left || !is_item(n, v)));
}

static void find_fixed(lowering *w) {
  const scan_nest *n = w->n;
  for (int i = 0; i < n->inputs.len; i++) {
    int v = n->inputs.data[i].value;
    w->fixed[v] = w->still[n->inputs.data[i].ref.operand] && n->domain[v] < 0;
  }
  for (int i = 0; i < n->body.len; i++) {
    const stmt *s = &n->body.data[i];
    bool fixed = !n->invariant[s->value] && n->domain[s->value] < 0 && s->fault < 0;
    for (int a = 0; a < s->n_args; a++) fixed = fixed && hands_on(w, s->arg[a]);
    w->fixed[s->value] = fixed && s->n_args > 0;
  }
}

static bool is_hoisted(const lowering *w, int v) {
  return w->fixed[v] || (w->n->invariant[v] && w->n->domain[v] < 0);
}

static void lower_invariants(lowering *w, stmt_list *where) {
  const scan_nest *n = w->n;
  for (int i = 0; i < n->inputs.len; i++) {
    int v = n->inputs.data[i].value;
    if (w->part->value[v] && is_hoisted(w, v)) value_of(w, where, v);
  }
  for (int i = 0; i < n->body.len; i++) {
    int v = n->body.data[i].value;
    if (w->part->value[v] && is_hoisted(w, v)) value_of(w, where, v);
  }
}

/* The inner loop that an element of a result is stored in, -1. */
static int store_domain(const lowering *w, const nest_store *s) {
  const nest_operand *p = &w->n->operand[s->ref.operand];
  for (int d = 0; d < p->rank; d++)
    if (nest_inner_of(w->n, p, d) >= 0) return nest_inner_of(w->n, p, d);
  return -1;
}

/* Stores every result of that inner loop (-1: of none) that is the given value of the nest, or,
 * with value -1, all that are left. */
static void store_results(lowering *w, stmt_list *where, int inner, int value) {
  const scan_nest *n = w->n;
  for (int y = 0; y < n->stores.len; y++) {
    const nest_store *s = &n->stores.data[y];
    if (!w->part->store[y] || !(w->entry & FOLD_RESULTS) || w->stored[y] ||
        (value >= 0 && s->value != value))
      continue;
    if (store_domain(w, s) != inner) continue;
    nest_ref at = s->ref;
    at.time = REF_STEP;
    store(w, where, &at, value_of(w, where, s->value));
    w->stored[y] = true;
  }
}

static void lower_list(lowering *w, stmt_list *where, int inner) {
  const scan_nest *n = w->n;
  for (int i = 0; i < n->body.len; i++) {
    int v = n->body.data[i].value;
    if (!w->part->value[v] || n->domain[v] != inner) continue;
    value_of(w, where, v);
    store_results(w, where, inner, v);
  }
}

/* ---- inner loops ---- */

/* Carry c lies in scratch along the inner loop. */
static bool is_carried_in(const lowering *w, int c, int inner) {
  return w->scratch[c] >= 0 && w->n->domain[w->n->carries.data[c].in] == inner;
}

/* What the statements of the loop use from outside comes before it. */
static void lower_uses(lowering *w, stmt_list *where, int inner) {
  const scan_nest *n = w->n;
  for (int i = 0; i < n->body.len; i++) {
    const stmt *s = &n->body.data[i];
    if (!w->part->value[s->value] || n->domain[s->value] != inner) continue;
    for (int a = 0; a < s->n_args; a++)
      if (n->domain[s->arg[a]] < 0) value_of(w, where, s->arg[a]);
  }
  for (int y = 0; y < n->stores.len; y++) {
    const nest_store *s = &n->stores.data[y];
    if (w->part->store[y] && store_domain(w, s) == inner && n->domain[s->value] < 0)
      value_of(w, where, s->value);
  }
  for (int c = 0; c < n->carries.len; c++) {
    int next = n->carries.data[c].next;
    if (is_carried_in(w, c, inner) && n->domain[next] < 0) value_of(w, where, next);
  }
}

/* The carries in scratch along an inner loop become those of the next step: all are known before
 * one is overwritten. */
static void update_scratch(lowering *w, stmt_list *where, int inner) {
  const scan_nest *n = w->n;
  for (int c = 0; c < n->carries.len; c++)
    if (is_carried_in(w, c, inner)) value_of(w, where, n->carries.data[c].next);
  for (int c = 0; c < n->carries.len; c++)
    if (is_carried_in(w, c, inner))
      store_scratch(w, where, c, value_of(w, where, n->carries.data[c].next));
}

static int open_inner(lowering *w, stmt_list *where, int inner, int *carry, loop_carry *out) {
  const scan_nest *n = w->n;
  int count = 0;
  for (int c = 0; c < n->inner_carries.len; c++) {
    const inner_carry *k = &n->inner_carries.data[c];
    if (!w->part->inner_carry[c] || k->inner != inner) continue;
    carry[count] = c;
    out[count].init = value_of(w, where, k->init);
    if (n->domain[k->next] < 0) value_of(w, where, k->next);
    out[count].in = w->value[k->in] = kernel_add_value(w->k, n->dtype[k->in], n->value_name[k->in]);
    out[count++].out = w->value[k->out] =
        kernel_add_value(w->k, n->dtype[k->out], n->value_name[k->out]);
  }
  return count;
}

static void lower_inner(lowering *w, stmt_list *where, int inner) {
  const scan_nest *n = w->n;
  if (w->inner_done[inner]) return;
  w->inner_done[inner] = true;
  int *carry = ARENA_ARRAY(w->k->mem, int, n->inner_carries.len);
  loop_carry *start = ARENA_ARRAY(w->k->mem, loop_carry, n->inner_carries.len);
  lower_uses(w, where, inner);
  int count = open_inner(w, where, inner, carry, start);
  loop *l = loop_add(w->k, where, w->inner_axis[inner], ORDER_SEQUENTIAL, count);
  lower_list(w, &l->body, inner);
  /* known before scratch is overwritten: one may be what lies there */
  for (int c = 0; c < count; c++) {
    start[c].next = value_of(w, &l->body, n->inner_carries.data[carry[c]].next);
    l->carry[c] = start[c];
  }
  store_results(w, &l->body, inner, -1);
  update_scratch(w, &l->body, inner);
}

/* Inner loops of the part that nothing outside of them needs. */
static void lower_rest(lowering *w, stmt_list *where) {
  const scan_nest *n = w->n;
  for (int v = 0; v < n->n_value; v++)
    if (w->part->value[v] && n->domain[v] >= 0) lower_inner(w, where, n->domain[v]);
  for (int y = 0; y < n->stores.len; y++)
    if (w->part->store[y] && store_domain(w, &n->stores.data[y]) >= 0)
      lower_inner(w, where, store_domain(w, &n->stores.data[y]));
  for (int c = 0; c < n->carries.len; c++)
    if (w->scratch[c] >= 0) lower_inner(w, where, n->domain[n->carries.data[c].in]);
}

/* ---- the time loop ---- */

/* What is computed and stored per point of the loops around: a step, or, in a group of elementwise
 * nodes, all there is. */
static void lower_elements(lowering *w, stmt_list *where) {
  lower_list(w, where, -1);
  lower_rest(w, where);
  store_results(w, where, -1, -1);
}

/* What an element enters with belongs to the loop. */
static int item_of(lowering *w, stmt_list *where, int v) {
  int value = value_of(w, where, v);
  stmt copy = {.kind = ST_CAST, .dtype = w->n->dtype[v], .arg = {value}, .n_args = 1, .fault = -1};
  if (!is_hoisted(w, v)) return value;
  return w->value[v] = stmt_add(w->k, where, copy, w->n->value_name[v]);
}

static void bind_order(lowering *w, loop *t, const int *carry) {
  t->prefix = w->n->order;
  t->headless = nest_unseeded(w->n, w->entry);
  if (t->prefix.kind == PREFIX_LEFT) return;
  t->bind = BIND_LANES;
  t->lanes = t->prefix.lanes;
  for (int c = 0; c < t->n_carry; c++)
    t->carry[c].item = item_of(w, &t->body, w->n->carries.data[carry[c]].item);
}

static void lower_step(lowering *w, loop *t, const int *carry) {
  const scan_nest *n = w->n;
  if (n->fold) bind_order(w, t, carry);
  lower_elements(w, &t->body);
  for (int c = 0; c < t->n_carry; c++)
    t->carry[c].next = value_of(w, &t->body, n->carries.data[carry[c]].next);
}

/* A value of the nest for the first element of a fold. first: per value of the nest, those that are
 * there; -1. */
static int first_value(lowering *w, stmt_list *where, int v, int *first) {
  const scan_nest *n = w->n;
  if (first[v] >= 0) return first[v];
  if (n->invariant[v]) return first[v] = value_of(w, where, v);
  if (v == n->place) return first[v] = stmt_point(w->k, where, -1, lexpr_const(0));
  if (n->input_of[v] >= 0) {
    nest_ref at = n->inputs.data[n->input_of[v]].ref;
    at.time = REF_FIRST;
    return first[v] = load(w, where, &at, n->value_name[v]);
  }
  stmt copy = *w->def[v];
  for (int a = 0; a < copy.n_args; a++) copy.arg[a] = first_value(w, where, copy.arg[a], first);
  return first[v] = stmt_add(w->k, where, copy, n->value_name[v]);
}

/* The first results of a group around the scan, computed from all first elements. */
static void store_first_of_group(lowering *w, stmt_list *where, const int *carry,
                                 const loop_carry *start, int count, int *first) {
  const scan_nest *n = w->n;
  for (int c = 0; c < count; c++) first[n->carries.data[carry[c]].next] = start[c].init;
  for (int y = 0; y < n->stores.len; y++) {
    const nest_store *s = &n->stores.data[y];
    if (w->part->store[y] && s->carry < 0)
      store(w, where, &s->ref, first_value(w, where, s->value, first));
  }
}

/* The first elements are the first results. */
static void store_first(lowering *w, stmt_list *where, int carry, int *first) {
  const scan_nest *n = w->n;
  for (int y = 0; (w->entry & FOLD_RESULTS) && y < n->stores.len; y++) {
    const nest_store *s = &n->stores.data[y];
    if (w->part->store[y] && s->carry == carry)
      store(w, where, &s->ref, first_value(w, where, s->value, first));
  }
}

/* Before the loop: the initial carries; in a fold without a seed, the first elements. Of seeds that
 * no result needs nothing is there, and nothing is computed from what stands for them. */
static void open_carries(lowering *w, stmt_list *where, const int *carry, loop_carry *out,
                         int count) {
  const scan_nest *n = w->n;
  int *first = ARENA_ARRAY(w->k->mem, int, n->n_value);
  for (int v = 0; v < n->n_value; v++) first[v] = -1;
  for (int c = 0; c < count; c++) {
    const nest_carry *k = &n->carries.data[carry[c]];
    nest_ref init = k->init;
    if (w->entry & FOLD_SEED) init.operand = nest_seed(n, init.operand);
    if (!nest_unseeded(n, w->entry)) {
      stmt nothing = {.kind = ST_CONST, .dtype = n->dtype[k->in], .fault = -1};
      out[c].init = n->operand[init.operand].none ? stmt_add(w->k, where, nothing, NULL)
                                                  : load(w, where, &init, n->value_name[k->in]);
      continue;
    }
    out[c].init = first_value(w, where, k->item, first);
    int before = first[k->next];
    first[k->next] = out[c].init;
    store_first(w, where, carry[c], first);
    first[k->next] = before;
  }
  if (n->n_made && nest_unseeded(n, w->entry) && w->entry & FOLD_RESULTS)
    store_first_of_group(w, where, carry, out, count, first);
}

static void close_carries(lowering *w, stmt_list *where, const int *carry, const loop *t) {
  for (int c = 0; c < t->n_carry; c++) {
    const nest_carry *k = &w->n->carries.data[carry[c]];
    if (w->part->last[carry[c]]) store(w, where, &k->last, t->carry[c].out);
    if (!(w->entry & FOLD_TOTAL)) continue;
    nest_ref total = k->init;
    total.operand = nest_total(w->n, k->init.operand);
    if (!w->n->operand[total.operand].none) store(w, where, &total, t->carry[c].out);
  }
}

static const char *last_name(const lowering *w, const nest_carry *k) {
  return k->last.operand < 0 ? NULL : w->n->operand[k->last.operand].name;
}

/* Puts the initial values of carries into scratch, or stores the last ones. */
static void copy_scratch(lowering *w, stmt_list *where, bool last) {
  const scan_nest *n = w->n;
  for (int c = 0; c < n->carries.len; c++) {
    const nest_carry *k = &n->carries.data[c];
    if (w->scratch[c] < 0 || (last && !w->part->last[c])) continue;
    int axis = w->inner_axis[n->domain[k->in]];
    stmt_list *body = &loop_add(w->k, where, axis, ORDER_SEQUENTIAL, 0)->body;
    if (last) store(w, body, &k->last, load_scratch(w, body, c));
    else store_scratch(w, body, c, load(w, body, &k->init, n->value_name[k->in]));
  }
}

static void lower_time(lowering *w, stmt_list *where) {
  const scan_nest *n = w->n;
  int *carry = ARENA_ARRAY(w->k->mem, int, n->carries.len), count = 0;
  for (int c = 0; c < n->carries.len; c++)
    if (w->part->carry[c] && w->scratch[c] < 0) carry[count++] = c;
  loop_carry *start = ARENA_ARRAY(w->k->mem, loop_carry, count);
  open_carries(w, where, carry, start, count);
  copy_scratch(w, where, false);
  lower_invariants(w, where);
  loop *t = loop_add(w->k, where, w->time, n->fold ? ORDER_PREFIX : ORDER_SEQUENTIAL, count);
  for (int c = 0; c < count; c++) {
    const nest_carry *k = &n->carries.data[carry[c]];
    scanc_dtype d = n->dtype[k->in];
    start[c].in = w->value[k->in] = kernel_add_value(w->k, d, n->value_name[k->in]);
    start[c].out = kernel_add_value(w->k, d, last_name(w, k));
    t->carry[c] = start[c];
  }
  lower_step(w, t, carry);
  close_carries(w, where, carry, t);
  copy_scratch(w, where, true);
}

static void lower_part(kernel *k, const scan_nest *n, const scan_layout *l, int index, int time,
                       const int *inner_axis) {
  const stmt **def = ARENA_ARRAY(k->mem, const stmt *, n->n_value);
  for (int i = 0; i < n->body.len; i++) def[n->body.data[i].value] = &n->body.data[i];
  lowering w = {.def = def,
                .inner_axis = inner_axis,
                .n = n,
                .part = &n->part[index],
                .l = &l->part[index],
                .still = l->still,
                .entry = l->entry,
                .k = k,
                .index = index,
                .time = time};
  w.fixed = ARENA_ARRAY(k->mem, bool, n->n_value);
  w.inner_done = ARENA_ARRAY(k->mem, bool, n->inners.len);
  w.value = ARENA_ARRAY(k->mem, int, n->n_value);
  w.stored = ARENA_ARRAY(k->mem, bool, n->stores.len);
  w.buffer = ARENA_ARRAY(k->mem, int, n->n_operand);
  w.scratch = ARENA_ARRAY(k->mem, int, n->carries.len);
  w.carry_of = ARENA_ARRAY(k->mem, int, n->n_value);
  for (int v = 0; v < n->n_value; v++) w.value[v] = w.carry_of[v] = -1;
  for (int c = 0; c < n->carries.len; c++) w.scratch[c] = -1;
  add_axes(&w);
  for (int o = 0; o < n->n_operand; o++)
    if (nest_uses(n, w.part, o, l->entry)) add_buffer(&w, o);
  for (int c = 0; c < n->carries.len; c++)
    if (nest_in_scratch(n, w.part, c)) add_scratch(&w, c);
  find_fixed(&w);
  stmt_list *where = &k->body;
  for (int a = 0; a < w.l->n_axes; a++)
    where = &loop_add(k, where, w.axis_of[a], ORDER_PARALLEL, 0)->body;
  if (n->timeless) lower_elements(&w, where);
  else lower_time(&w, where);
}

kernel *nest_kernel(arena *mem, const scan_nest *n, const scan_layout *l) {
  kernel *k = kernel_new(mem, arena_printf(mem, "scanc_k_%s", n->name));
  const char *steps = nest_unseeded(n, l->entry) ? "steps" : "length";
  int time = n->timeless ? -1 : kernel_add_axis(k, "t", lexpr_param(kernel_add_int(k, steps)));
  for (int f = 0; f < n->faults.len; f++) vec_push(mem, &k->faults, n->faults.data[f]);
  int *inner_axis = ARENA_ARRAY(mem, int, n->inners.len);
  for (int i = 0; i < n->inners.len; i++) {
    int param = kernel_add_int(k, arena_printf(mem, "inner%d", i));
    inner_axis[i] = kernel_add_axis(k, arena_printf(mem, "k%d", i), lexpr_param(param));
  }
  for (int p = 0; p < n->n_part; p++) lower_part(k, n, l, p, time, inner_axis);
  return k;
}
