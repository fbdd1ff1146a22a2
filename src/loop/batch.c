#include "loop/batch.h"

#include "ir/build.h"
#include "loop/batch_value.h"
#include "loop/op_cost.h"

enum {
  FEW_LANES = 4,        /* elements of carries that are no vector */
  COSTLY = 15,          /* instructions of an operation that is worth another array */
  MAX_GROWTH = 4,       /* times the bytes of a step's xs and ys */
  MAX_BYTES = 64 << 20, /* of an array for all steps, where they are known */
  FEW_STEPS = 16
};

static int seq_len(val v) { return val_is_seq(v) ? v.n : 0; }

static const node *node_of(val v) { return v.kind == VAL_NODE ? v.node : NULL; }

static bool is_call(const node *n) {
  return n->kind == NODE_CALL_FUNCTION || n->kind == NODE_CALL_METHOD;
}

/* ---- the scan ---- */

static scan_view view_of(const scan_view *all, int i) {
  return all ? all[i] : (scan_view){0, 1, {0}};
}

/* One graph, one call: what the body becomes is for this scan. */
static bool is_own(const module *m, const graph *g) {
  int calls = 0;
  for (int i = 0; i < m->graphs.len; i++)
    for (const node *n = m->graphs.data[i]->first; n; n = n->next)
      for (int k = 0; n->op && n->op->traits & T_BODY && k < n->op->n_operands; k++)
        calls += val_graph(n->operands[k]) == g;
  return calls == 1;
}

/* All xs are read as a whole, and in one direction. */
static bool set_time(batch *b) {
  const scan_attrs *a = b->scan->scan;
  val xs = b->scan->operands[2];
  for (int i = 0; i < b->n_x; i++) {
    const node *x = node_of(xs.items[i]);
    scan_view v = view_of(a ? a->x : NULL, i);
    if (!x || !type_is_tensor(x->type) || v.axis >= x->type->n) return false;
    dim size = x->type->dims[v.axis],
        first = v.step > 0 ? dim_int(0) : dim_sub(b->m->syms, size, dim_int(1));
    if (!i) b->length = a ? a->length : size, b->backward = v.step < 0;
    if ((v.step < 0) != b->backward || !dim_equal(size, b->length) || !dim_equal(v.start, first))
      return false;
  }
  return b->n_x > 0 && !dim_is(b->length, 0);
}

static bool open_batch(module *m, node *scan, batch *b) {
  *b = (batch){.m = m, .scan = scan, .g = val_graph(scan->operands[0])};
  b->n_state = seq_len(scan->operands[1]);
  b->n_x = seq_len(scan->operands[2]);
  int n_extra = seq_len(scan->operands[3]);
  if (!b->g || graph_n_placeholders(b->g) != b->n_state + b->n_x + n_extra || !scan->type ||
      graph_n_results(b->g) < b->n_state || !is_own(m, b->g) || !set_time(b))
    return false;
  b->c = cursor_before(scan);
  b->n_ids = m->n_ids;
  b->stepped = ARENA_ARRAY(m->mem, bool, b->n_ids);
  b->state = ARENA_ARRAY(m->mem, bool, b->n_ids);
  b->to = ARENA_ARRAY(m->mem, val, b->n_ids);
  for (int i = 0; i < n_extra; i++)
    b->to[graph_placeholder(b->g, b->n_state + b->n_x + i)->id] = scan->operands[3].items[i];
  for (int i = 0; i < b->n_state; i++) b->state[graph_placeholder(b->g, i)->id] = true;
  for (int i = 0; i < b->n_x; i++) b->stepped[graph_placeholder(b->g, b->n_state + i)->id] = true;
  for (const node *n = b->g->first; n; n = n->next) {
    for (int i = 0; i < n->n_arg_uses; i++) {
      b->state[n->id] |= b->state[n->arg_uses[i].def->id];
      b->stepped[n->id] |= b->stepped[n->arg_uses[i].def->id];
    }
    b->stepped[n->id] = b->stepped[n->id] && !b->state[n->id];
  }
  return true;
}

/* The xs with time in front. */
static void build_xs(batch *b) {
  for (int i = 0; i < b->n_x; i++) {
    val v = b->scan->operands[2].items[i];
    int axis = view_of(b->scan->scan ? b->scan->scan->x : NULL, i).axis, rank = v.node->type->n,
        perm[SCANC_MAX_RANK] = {axis};
    for (int d = 1; d < rank; d++) perm[d] = d - (d <= axis);
    if (axis) v = batch_made(b, build_permute(&b->c, v, perm, rank));
    b->to[graph_placeholder(b->g, b->n_state + i)->id] = v;
  }
}

/* ---- sizes ---- */

/* Bytes of a value in one step, -1: not known. */
static int64_t bytes_of(const type *t) {
  int64_t n = 1;
  for (int d = 0; d < t->n; d++)
    if (!dim_is_int(t->dims[d]) || __builtin_mul_overflow(n, t->dims[d].k, &n)) return -1;
  return n <= INT32_MAX ? n * (int64_t)scanc_dtype_size(t->dtype) : -1;
}

/* To compare sizes: symbols stand for a few elements. */
static int64_t usual_bytes(const type *t) {
  enum { USUAL = 16 };
  int64_t n = 1;
  for (int d = 0; d < t->n; d++)
    if (__builtin_mul_overflow(n, dim_is_int(t->dims[d]) ? t->dims[d].k : USUAL, &n))
      return INT32_MAX;
  return n < INT32_MAX / 16 ? n * (int64_t)scanc_dtype_size(t->dtype) : INT32_MAX;
}

static bool fits_all_steps(const batch *b, int64_t bytes) {
  return bytes >= 0 && (!dim_is_int(b->length) || b->length.k <= MAX_BYTES / (bytes + 1));
}

static bool is_elementwise(const node *n) { return n->op && n->op->kind == OPK_EW; }

/* What lies between operations that are not elementwise becomes an array. */
static bool fits(const batch *b) {
  int64_t limit = 0, most = 0;
  for (int i = 0; i < b->n_x; i++)
    limit += MAX_GROWTH * usual_bytes(graph_placeholder(b->g, b->n_state + i)->type);
  for (int i = b->n_state; i < graph_n_results(b->g); i++)
    limit += MAX_GROWTH * usual_bytes(graph_result(b->g, i).node->type);
  for (const node *n = b->g->first; n; n = n->next) {
    if (!is_call(n) || !n->op) continue;
    bool read = !is_elementwise(n);
    for (const use *u = n->uses; u; u = u->next) read |= !is_elementwise(u->user);
    int64_t bytes = read && type_is_tensor(n->type) ? usual_bytes(n->type) : 0;
    if (bytes > most) most = bytes;
  }
  return most <= limit && fits_all_steps(b, most);
}

/* ---- errors in the data ---- */

/* Marks what the first n_results results of g need. */
static void mark_needed(const graph *g, int n_results, bool *needed) {
  for (int i = 0; i < n_results; i++) needed[graph_result(g, i).node->id] = true;
  for (const node *n = g->last; n; n = n->prev)
    for (int i = 0; needed[n->id] && i < n->n_arg_uses; i++) needed[n->arg_uses[i].def->id] = true;
}

/* Whether whatever fails in a step fails for all steps, too, and nothing fails that no step does.
 */
static bool keeps_errors(const batch *b) {
  bool *needed = ARENA_ARRAY(b->m->mem, bool, b->n_ids), keeps = true;
  int64_t min, max;
  dim_bounds(b->m->syms, b->length, &min, &max);
  mark_needed(b->g, graph_n_results(b->g), needed);
  for (const node *n = b->g->first; n && keeps; n = n->next)
    if (is_call(n) && node_may_fail(n)) keeps = needed[n->id] && (b->stepped[n->id] || min > 0);
  return keeps;
}

/* ---- without carries ---- */

/* Result i where the scan would have put it. */
static val placed(batch *b, int i, val v) {
  scan_view at = view_of(b->scan->scan ? b->scan->scan->y : NULL, i);
  int perm[SCANC_MAX_RANK], rank = v.node->type->n;
  if ((at.step < 0) != b->backward) {
    const int64_t first = 0;
    val args[] = {v, val_ints(b->m->mem, &first, 1)};
    v = batch_made(b, node_call(&b->c, NULL, "torch.ops.aten.flip.default", args, 2, NULL, 0));
  }
  if (v.kind != VAL_NODE || !at.axis) return v;
  for (int d = 0; d < rank; d++) perm[d] = d < at.axis ? d + 1 : d == at.axis ? 0 : d;
  return batch_made(b, build_permute(&b->c, v, perm, rank));
}

static bool reads_items_only(const node *scan) {
  bool items = true;
  int n = scan->type->n;
  for (const use *u = scan->uses; u; u = u->next)
    items = items && node_is_op(u->user, OP_getitem) && u->user->operands[1].kind == VAL_INT &&
            u->user->operands[1].i >= 0 && u->user->operands[1].i < n;
  return items;
}

/* All results are functions of the xs. */
static bool ignores_carries(const batch *b) {
  bool ignores = true;
  for (int i = 0; i < graph_n_results(b->g); i++) {
    const node *v = node_of(graph_result(b->g, i));
    ignores = ignores && v && type_is_tensor(v->type) && !b->state[v->id] &&
              (i < b->n_state || b->stepped[v->id]);
  }
  return ignores;
}

/* The carries of the last step, from the elements of that. There must be one. */
static bool build_last(batch *b, val *result) {
  int64_t min, max;
  batch last = *b;
  dim_bounds(b->m->syms, b->length, &min, &max);
  if (b->n_state && min < 1) return false;
  last.stepped = ARENA_ARRAY(b->m->mem, bool, b->n_ids);
  last.to = arena_copy(b->m->mem, b->to, sizeof *b->to * (size_t)b->n_ids);
  for (int i = 0; i < b->n_x; i++) {
    val *x = &last.to[graph_placeholder(b->g, b->n_state + i)->id], at = val_int(b->backward - 1);
    if (x->kind == VAL_NODE) *x = batch_made(b, build_select(&b->c, *x, 0, at));
  }
  for (int i = 0; i < b->n_state; i++) {
    const node *v = node_of(graph_result(b->g, i));
    if (v->kind != NODE_PLACEHOLDER && !batch_value(&last, v)) return false;
    result[i] = last.to[v->id];
    if (result[i].kind != VAL_NODE) return false;
  }
  return true;
}

static bool build_ys(batch *b, val *result) {
  for (int i = b->n_state; i < graph_n_results(b->g); i++) {
    const node *v = node_of(graph_result(b->g, i));
    if (v->kind != NODE_PLACEHOLDER && !batch_value(b, v)) return false;
    if (b->m->err.code || b->to[v->id].kind != VAL_NODE) return false;
    result[i] = placed(b, i - b->n_state, b->to[v->id]);
    if (result[i].kind != VAL_NODE) return false;
  }
  return true;
}

/* What came to nothing must not stay: what can fail is never dead. */
static void take_back(const batch *b, const node *before) {
  while (b->scan->prev != before) node_erase(b->scan->prev);
}

static void replace_scan(batch *b) {
  int n = graph_n_results(b->g);
  const node *before = b->scan->prev;
  val *result = ARENA_ARRAY(b->m->mem, val, n);
  if (!reads_items_only(b->scan) || !fits(b) || !keeps_errors(b)) return;
  build_xs(b);
  if (!build_last(b, result) || !build_ys(b, result) || b->m->err.code) {
    take_back(b, before);
    return;
  }
  while (b->scan->uses) {
    node *item = b->scan->uses->user;
    node_replace_uses_val(item, result[item->operands[1].i]);
    node_erase(item);
  }
  node_erase(b->scan); /* what fails in it fails in what stands for it */
}

/* ---- with few carries ---- */

static bool is_narrow(const batch *b) {
  for (int i = 0; i < graph_n_results(b->g); i++) {
    const node *v = node_of(graph_result(b->g, i));
    if (!v || !type_is_tensor(v->type)) return false;
    int64_t bytes = bytes_of(v->type);
    if (bytes < 0 || bytes > FEW_LANES * (int64_t)scanc_dtype_size(v->type->dtype)) return false;
  }
  return !dim_is_int(b->length) || b->length.k >= FEW_STEPS;
}

static bool is_product(const node *n) {
  static const op_id ids[] = {OP_mm, OP_bmm, OP_mv, OP_dot, OP_matmul, OP_convolution};
  for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
    if (node_is_op(n, ids[i])) return true;
  return false;
}

/* Per node id: what it takes to compute it from the xs is costly, and cannot fail: who does not
 * need its value any more would not see it fail. products: so are they. */
static void find_costly(const batch *b, bool products, bool *costly) {
  bool *fails = ARENA_ARRAY(b->m->mem, bool, b->n_ids);
  for (const node *n = b->g->first; n; n = n->next) {
    if (!b->stepped[n->id] || !is_call(n) || !type_is_tensor(n->type)) continue;
    fails[n->id] = node_may_fail(n);
    for (int i = 0; i < n->n_arg_uses; i++) {
      costly[n->id] |= costly[n->arg_uses[i].def->id];
      fails[n->id] |= fails[n->arg_uses[i].def->id];
    }
    scanc_dtype d = dtype_acc(dtype_real(n->type->dtype));
    costly[n->id] |=
        is_elementwise(n) ? op_cost(n->op->id, d) >= COSTLY : products && is_product(n);
    costly[n->id] = costly[n->id] && !fails[n->id];
  }
}

/* Whether something else than functions of the xs reads it. */
static bool is_read(const batch *b, const node *n) {
  bool read = false;
  for (const use *u = n->uses; u; u = u->next) read |= !b->stepped[u->user->id];
  return read;
}

typedef VEC(val) val_list;

/* What stands for v in the body: the next x. */
static void add_parameter(batch *b, node *v, val_list *xs) {
  graph *g = v->owner;
  int at = b->n_state + xs->len;
  cursor c = at < graph_n_placeholders(g) ? cursor_before(graph_placeholder(g, at))
                                          : cursor_after(graph_placeholder(g, at - 1));
  node *p = node_placeholder(&c, v->name, v->name, v->type, val_absent());
  vec_push(b->m->mem, xs, b->to[v->id]);
  node_replace_uses(v, p);
}

static void set_views(batch *b, int n_x) {
  const scan_attrs *old = b->scan->scan;
  if (!old) return;
  scan_attrs *a = arena_copy(b->m->mem, old, sizeof *old);
  scan_view *x = ARENA_ARRAY(b->m->mem, scan_view, n_x);
  dim last = dim_sub(b->m->syms, b->length, dim_int(1));
  for (int i = 0; i < n_x; i++)
    x[i] = i < old->n_x ? old->x[i]
                        : (scan_view){0, b->backward ? -1 : 1, b->backward ? last : dim_int(0)};
  a->n_x = n_x;
  a->x = x;
  b->scan->scan = a;
}

static void set_xs(batch *b, const val_list *xs) {
  node *n = b->scan;
  val *args = ARENA_ARRAY(b->m->mem, val, n->n_args);
  for (int i = 0; i < n->n_args; i++) {
    bool is_xs = val_is_seq(n->args[i]) && n->args[i].items == n->operands[2].items;
    args[i] = is_xs ? val_seq(b->m->mem, n->args[i].kind, xs->data, xs->len) : n->args[i];
  }
  set_views(b, xs->len);
  node_set_args(n, args, n->n_pos, n->kw, n->n_args - n->n_pos);
}

static void add_costly_xs(batch *b) {
  bool *costly = ARENA_ARRAY(b->m->mem, bool, b->n_ids);
  VEC(node *) found = {0};
  val_list xs = {0};
  if (!is_narrow(b)) return;
  find_costly(b, false, costly);
  build_xs(b);
  for (node *n = b->g->first; n; n = n->next)
    if (costly[n->id] && is_read(b, n) && fits_all_steps(b, bytes_of(n->type)) && batch_value(b, n))
      vec_push(b->m->mem, &found, n);
  if (!found.len || b->m->err.code) return;
  for (int i = 0; i < b->n_x; i++) vec_push(b->m->mem, &xs, b->scan->operands[2].items[i]);
  for (int i = 0; i < found.len; i++) add_parameter(b, found.data[i], &xs);
  set_xs(b, &xs);
}

/* ---- behind the scan ---- */

/* What only ys need, of what depends on carries. */
typedef struct {
  batch *b;
  bool *core;      /* per node id: a carry needs it */
  bool *costly;    /* per node id: what it takes behind the scan is costly */
  VEC(node *) cut; /* what the scan has to give for it */
  bool fails;      /* something of it can */
} sinking;

static bool is_behind(const sinking *s, const node *n) {
  return s->b->state[n->id] && !s->core[n->id] && is_call(n);
}

static void find_core(sinking *s) {
  const graph *g = s->b->g;
  mark_needed(g, s->b->n_state, s->core);
  for (const node *n = g->first; n; n = n->next) {
    if (!is_behind(s, n) || !type_is_tensor(n->type)) continue;
    for (int i = 0; i < n->n_arg_uses; i++) s->costly[n->id] |= s->costly[n->arg_uses[i].def->id];
    scanc_dtype d = dtype_acc(dtype_real(n->type->dtype));
    s->costly[n->id] |= is_elementwise(n) && op_cost(n->op->id, d) >= COSTLY;
  }
}

/* Marks the cone of n as something of all steps, down to the cut. */
static void find_cut(sinking *s, node *n) {
  batch *b = s->b;
  if (!b->state[n->id] || b->stepped[n->id]) return;
  b->stepped[n->id] = true;
  if (!is_behind(s, n)) vec_push(b->m->mem, &s->cut, n);
  else s->fails |= node_may_fail(n);
  for (int i = 0; is_behind(s, n) && i < n->n_arg_uses; i++) find_cut(s, n->arg_uses[i].def);
}

static void add_y_views(batch *b, int n_y) {
  const scan_attrs *old = b->scan->scan;
  if (!old) return;
  scan_attrs *a = arena_copy(b->m->mem, old, sizeof *old);
  scan_view *y = ARENA_ARRAY(b->m->mem, scan_view, n_y);
  dim last = dim_sub(b->m->syms, b->length, dim_int(1));
  for (int i = 0; i < n_y; i++)
    y[i] = i < old->n_y ? old->y[i]
                        : (scan_view){0, b->backward ? -1 : 1, b->backward ? last : dim_int(0)};
  a->n_y = n_y;
  a->y = y;
  b->scan->scan = a;
}

/* The values of the cut become ys. */
static bool add_ys(sinking *s) {
  batch *b = s->b;
  node *out = graph_output(b->g), *scan = b->scan;
  int n = graph_n_results(b->g), more = s->cut.len;
  val *items = ARENA_ARRAY(b->m->mem, val, n + more);
  for (int i = 0; i < n; i++) items[i] = graph_result(b->g, i);
  for (int i = 0; i < more; i++) items[n + i] = val_node(s->cut.data[i]);
  val all = val_seq(b->m->mem, out->args[0].kind, items, n + more);
  if (!val_is_seq(out->args[0])) return false;
  node_set_args(out, &all, 1, NULL, 0);
  add_y_views(b, n - b->n_state + more);
  val *args = arena_copy(b->m->mem, scan->args, sizeof *args * (size_t)scan->n_args);
  node_set_args(scan, args, scan->n_pos, scan->kw, scan->n_args - scan->n_pos);
  b->c = cursor_after(scan);
  for (int i = 0; i < more; i++)
    b->to[s->cut.data[i]->id] = batch_made(b, build_getitem(&b->c, scan, n + i));
  return !b->m->err.code;
}

static void replace_y(batch *b, int result, val v) {
  for (const use *u = b->scan->uses; u; u = u->next)
    if (u->user->operands[1].i == result) node_replace_uses_val(u->user, v);
}

/* Costly functions that only ys need, of what a step of few elements has computed, follow the scan.
 */
static void move_behind(batch *b) {
  sinking s = {.b = b};
  int n = graph_n_results(b->g);
  VEC(int) found = {0};
  if (!b->n_state || !is_narrow(b) || !reads_items_only(b->scan)) return;
  s.core = ARENA_ARRAY(b->m->mem, bool, b->n_ids);
  s.costly = ARENA_ARRAY(b->m->mem, bool, b->n_ids);
  find_core(&s);
  for (int i = b->n_state; i < n; i++) {
    node *v = graph_result(b->g, i).node;
    if (!s.costly[v->id] || !fits_all_steps(b, bytes_of(v->type))) continue;
    find_cut(&s, v);
    vec_push(b->m->mem, &found, i);
  }
  for (int i = 0; i < s.cut.len; i++)
    if (!type_is_tensor(s.cut.data[i]->type) || bytes_of(s.cut.data[i]->type) < 0) return;
  if (!found.len || s.fails || s.cut.len > 2 * found.len) return;
  build_xs(b);
  if (!add_ys(&s)) return;
  for (int i = 0; i < found.len; i++) {
    const node *v = graph_result(b->g, found.data[i]).node;
    if (!batch_value(b, v)) continue;
    val y = placed(b, found.data[i] - b->n_state, b->to[v->id]);
    if (y.kind == VAL_NODE && !b->m->err.code) replace_y(b, found.data[i], y);
  }
}

/* ---- without a kernel ---- */

enum { MAX_AHEAD = 16 << 20 }; /* bytes for all steps, where they are known */

/* Bytes that a step may have of each value that is computed ahead, by what it reads and writes
 * anyway. */
static int64_t limit_ahead(const batch *b) {
  int64_t all = 0;
  for (int i = 0; i < b->n_x + graph_n_results(b->g); i++) {
    const node *v = i < b->n_x ? graph_placeholder(b->g, b->n_state + i)
                               : node_of(graph_result(b->g, i - b->n_x));
    if (v && type_is_tensor(v->type)) all += usual_bytes(v->type);
  }
  all = all > MAX_AHEAD ? MAX_AHEAD : MAX_GROWTH * all;
  return dim_is_int(b->length) && all > MAX_AHEAD / b->length.k ? MAX_AHEAD / b->length.k : all;
}

/* Values of all steps of what is costly; ahead[n]: n has one. */
static void build_ahead(batch *b, const bool *costly, bool *ahead) {
  int64_t limit = limit_ahead(b);
  for (node *n = b->g->first; n; n = n->next) {
    if (!costly[n->id]) continue;
    ahead[n->id] = usual_bytes(n->type) <= limit && batch_value(b, n);
    b->m->err = (scanc_error){0}; /* it stays where it is, then */
  }
}

/* Whether the body needs n beside what it has ahead. */
static bool is_read_in_steps(const node *n, const bool *ahead) {
  bool read = false;
  for (const use *u = n->uses; u; u = u->next) read |= !ahead[u->user->id];
  return read;
}

/* What nothing needs, from `last` back to behind `first`. */
static void sweep(const node *first, node *last) {
  for (node *n = last, *prev; n && n != first; n = prev) {
    prev = n->prev;
    bool call = is_call(n) && n->op && !(n->op->traits & (T_EFFECT | T_BODY)) && !node_may_fail(n);
    if (call && !node_has_uses(n)) node_erase(n);
  }
}

bool batch_ahead(module *m, node *scan) {
  batch b;
  VEC(node *) found = {0};
  val_list xs = {0};
  const node *before = scan->prev;
  if (!open_batch(m, scan, &b)) return false;
  bool *costly = ARENA_ARRAY(m->mem, bool, b.n_ids), *ahead = ARENA_ARRAY(m->mem, bool, b.n_ids);
  find_costly(&b, true, costly);
  build_xs(&b);
  build_ahead(&b, costly, ahead);
  for (node *n = b.g->first; n; n = n->next)
    if (ahead[n->id] && is_read_in_steps(n, ahead)) vec_push(m->mem, &found, n);
  for (int i = 0; found.len && i < b.n_x; i++) vec_push(m->mem, &xs, scan->operands[2].items[i]);
  for (int i = 0; i < found.len; i++) add_parameter(&b, found.data[i], &xs);
  if (found.len) set_xs(&b, &xs);
  sweep(NULL, b.g->last);
  sweep(before, scan->prev);
  return found.len > 0;
}

/* ---- the module ---- */

typedef struct {
  arena *mem;
  VEC(node *) scans;
} scan_search;

static void collect(graph *g, void *ctx) {
  scan_search *s = ctx;
  for (node *n = g->first; n; n = n->next)
    if (node_is_op(n, OP_scan)) vec_push(s->mem, &s->scans, n);
}

bool batch_scans(module *m, bool *changed) {
  scan_search s = {.mem = m->mem};
  graph_walk(m->main, collect, &s); /* inner graphs first */
  for (int i = 0; i < s.scans.len && !m->err.code; i++) {
    batch b;
    if (!open_batch(m, s.scans.data[i], &b)) continue;
    int n_ids = b.n_ids;
    if (ignores_carries(&b)) replace_scan(&b);
    else {
      add_costly_xs(&b);
      m->err = (scanc_error){0};
      if (open_batch(m, s.scans.data[i], &b)) move_behind(&b);
    }
    *changed |= m->n_ids > n_ids; /* what came to nothing is dead */
    m->err = (scanc_error){0};    /* types that inference could not tell */
  }
  return true;
}
