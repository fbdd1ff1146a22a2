/* nest_kernel: a scan body and a layout as a loop tree:
 *
 *   for o0, o1... parallel                    outer axes
 *     for i parallel                          the lane axis
 *       load carries and additional inputs; what is the same in every step
 *       for t sequential, carrying the carries
 *         load slices of xs where first used; the body; store ys as soon as they exist
 *       store the last carries */
#include "loop/scan_nest.h"

typedef struct {
  const scan_nest *n;
  const scan_layout *l;
  kernel *k;
  int time;     /* axis */
  int *axis_of; /* per layout axis: axis of the kernel */
  int *value;   /* per value id of the nest: value id of the kernel, -1 */
  bool *stored; /* per y */
} lowering;

static const char *numbered(lowering *w, const char *base, int i) { return arena_printf(w->k->mem, "%s%d", base, i); }

static void add_axes(lowering *w) {
  int n = w->l->n_axes;
  w->time = kernel_add_axis(w->k, "t", lexpr_param(kernel_add_int(w->k, "length")));
  w->axis_of = ARENA_ARRAY(w->k->mem, int, n);
  for (int a = 0; a < n; a++) {
    bool lanes = a == n - 1;
    int param = kernel_add_int(w->k, lanes ? "lanes" : numbered(w, "outer", a));
    lexpr extent = lanes && w->l->lane_hint ? lexpr_const(w->l->lane_hint) : lexpr_param(param);
    w->axis_of[a] = kernel_add_axis(w->k, lanes ? "i" : numbered(w, "o", a), extent);
  }
}

static access_class access_of(const lowering *w, int o, int a) { return (access_class)w->l->access[o * w->l->n_axes + a]; }

/* Dimensions of operand o in the kernel: time first, then the axes along which it moves. */
static int operand_index(const lowering *w, int o, index_map *index) {
  int n = 0;
  if (w->n->operand[o].time_axis >= 0) index[n++].axis = w->time;
  for (int a = 0; a < w->l->n_axes; a++)
    if (access_of(w, o, a) != ACCESS_NONE) index[n++].axis = w->axis_of[a];
  return n;
}

static void add_buffer(lowering *w, int o) {
  const nest_operand *p = &w->n->operand[o];
  buffer_dim dims[SCANC_MAX_RANK + 1];
  int n = 0;
  if (p->time_axis >= 0) {
    int stride = kernel_add_int(w->k, arena_printf(w->k->mem, "%s.t", p->name));
    dims[n++] = (buffer_dim){w->k->axes.data[w->time].extent, lexpr_param(stride)};
  }
  for (int a = 0; a < w->l->n_axes; a++) {
    const axis *ax = &w->k->axes.data[w->axis_of[a]];
    lexpr stride = lexpr_const(1);
    if (access_of(w, o, a) == ACCESS_NONE) continue;
    if (access_of(w, o, a) == ACCESS_STRIDED)
      stride = lexpr_param(kernel_add_int(w->k, arena_printf(w->k->mem, "%s.%s", p->name, ax->name)));
    dims[n++] = (buffer_dim){ax->extent, stride};
  }
  buffer b = {p->name, p->dtype, o < w->n->n_leaf ? SPACE_INPUT : SPACE_OUTPUT, dims, n};
  kernel_add_buffer(w->k, b);
}

static int load_leaf(lowering *w, stmt_list *where, int leaf) {
  index_map index[SCANC_MAX_RANK + 1];
  operand_index(w, leaf, index);
  return w->value[leaf] = stmt_load(w->k, where, leaf, index, w->n->value_name[leaf]);
}

static void store_operand(lowering *w, stmt_list *where, int o, int value) {
  index_map index[SCANC_MAX_RANK + 1];
  operand_index(w, o, index);
  stmt_store(w->k, where, o, index, value);
}

static void lower_stmt(lowering *w, stmt_list *where, const stmt *s) {
  stmt copy = *s;
  for (int a = 0; a < s->n_args; a++) {
    if (w->value[s->arg[a]] < 0) load_leaf(w, where, s->arg[a]);
    copy.arg[a] = w->value[s->arg[a]];
  }
  w->value[s->value] = stmt_add(w->k, where, copy, w->n->value_name[s->value]);
}

static void lower_invariants(lowering *w, stmt_list *where) {
  const scan_nest *n = w->n;
  for (int x = n->n_carry + n->n_x; x < n->n_leaf; x++)
    if (n->operand[x].used) load_leaf(w, where, x);
  for (int i = 0; i < n->body.len; i++)
    if (n->invariant[n->body.data[i].value]) lower_stmt(w, where, &n->body.data[i]);
}

/* Stores every y that is the given value of the nest, or, with value -1, all that are left. */
static void store_ys(lowering *w, stmt_list *where, int value) {
  const scan_nest *n = w->n;
  for (int y = 0; y < n->n_y; y++) {
    int v = n->result[n->n_carry + y];
    if (w->stored[y] || (value >= 0 && v != value)) continue;
    if (w->value[v] < 0) load_leaf(w, where, v);
    store_operand(w, where, n->n_leaf + n->n_carry + y, w->value[v]);
    w->stored[y] = true;
  }
}

static void lower_step(lowering *w, loop *t) {
  const scan_nest *n = w->n;
  for (int i = 0; i < n->body.len; i++) {
    const stmt *s = &n->body.data[i];
    if (n->invariant[s->value]) continue;
    lower_stmt(w, &t->body, s);
    store_ys(w, &t->body, s->value);
  }
  store_ys(w, &t->body, -1);
  for (int c = 0; c < n->n_carry; c++) {
    int v = n->result[c];
    if (w->value[v] < 0) load_leaf(w, &t->body, v);
    t->carry[c].next = w->value[v];
  }
}

static void lower_time(lowering *w, stmt_list *where) {
  const scan_nest *n = w->n;
  loop_carry *carry = ARENA_ARRAY(w->k->mem, loop_carry, n->n_carry);
  for (int c = 0; c < n->n_carry; c++) carry[c].init = load_leaf(w, where, c);
  lower_invariants(w, where);
  loop *t = loop_add(w->k, where, w->time, ORDER_SEQUENTIAL, n->n_carry);
  for (int c = 0; c < n->n_carry; c++) {
    scanc_dtype d = n->operand[c].dtype;
    carry[c].in = w->value[c] = kernel_add_value(w->k, d, n->value_name[c]);
    carry[c].out = kernel_add_value(w->k, d, n->operand[n->n_leaf + c].name);
    t->carry[c] = carry[c];
  }
  lower_step(w, t);
  for (int c = 0; c < n->n_carry; c++) store_operand(w, where, n->n_leaf + c, carry[c].out);
}

kernel *nest_kernel(arena *mem, const scan_nest *n, const scan_layout *l) {
  lowering w = {.n = n, .l = l, .k = kernel_new(mem, arena_printf(mem, "scanc_k_%s", n->name))};
  add_axes(&w);
  for (int o = 0; o < n->n_operand; o++) add_buffer(&w, o);
  for (int f = 0; f < n->faults.len; f++) vec_push(mem, &w.k->faults, n->faults.data[f]);
  w.value = ARENA_ARRAY(mem, int, n->n_value);
  w.stored = ARENA_ARRAY(mem, bool, n->n_y);
  for (int v = 0; v < n->n_value; v++) w.value[v] = -1;
  stmt_list *where = &w.k->body;
  for (int a = 0; a < l->n_axes; a++) where = &loop_add(w.k, where, w.axis_of[a], ORDER_PARALLEL, 0)->body;
  lower_time(&w, where);
  return w.k;
}
