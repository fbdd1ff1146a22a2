#include "passes/absorb.h"

#include <string.h>

#include "ir/build.h"
#include "passes/hop.h"

enum {
  MAX_XS = 8, /* read side by side: every one takes a register for its address */
  MAX_MOVED = 64
};

typedef struct {
  module *m;
  node *scan;
  graph *body;
  int n_carry;
  const absorb_rules *rules;
  moved_nodes *moved;
} border;

/* ---- the call ---- */

static int n_xs(const border *b) { return b->scan->scan->n_x; }
static int n_ys(const border *b) { return b->scan->scan->n_y; }
static val x_at(const border *b, int i) { return b->scan->operands[2].items[i]; }

static bool same_view(const scan_view *a, const scan_view *b) {
  return a->axis == b->axis && a->step == b->step && dim_equal(a->start, b->start);
}

/* Views as the node has them, or plain ones where all xs are known to be of one length. */
static bool open_views(border *b) {
  node *n = b->scan;
  if (n->scan) return true;
  val xs = n->operands[2];
  scan_view *v = ARENA_ARRAY(b->m->mem, scan_view, xs.n + n->type->n);
  for (int i = 0; i < xs.n + n->type->n; i++) v[i] = (scan_view){0, 1, dim_int(0)};
  const type *first = xs.n && xs.items[0].kind == VAL_NODE ? xs.items[0].node->type : NULL;
  for (int i = 0; i < xs.n; i++) {
    const type *t = xs.items[i].kind == VAL_NODE ? xs.items[i].node->type : NULL;
    if (!first || !t || !type_is_tensor(first) || !type_is_tensor(t) || !first->n || !t->n ||
        !dim_equal(t->dims[0], first->dims[0]) || dim_is_unbacked(t->dims[0]))
      return false;
  }
  if (!first) return false;
  scan_attrs *a = ARENA_NEW(b->m->mem, scan_attrs);
  *a = (scan_attrs){first->dims[0], xs.n, n->type->n - b->n_carry, v, v + xs.n};
  n->scan = a;
  return true;
}

static void set_call(border *b, const val *xs, const scan_view *x, int n_x, const scan_view *y,
                     int n_y) {
  node *n = b->scan;
  arena *mem = b->m->mem;
  val args[MAX_OPERANDS] = {0};
  int n_args = n->op->n_operands;
  for (int k = 0; k < n_args; k++) args[k] = n->operands[k];
  args[2] = val_seq(mem, args[2].kind, xs, n_x);
  while (n_args > 0 && (args[n_args - 1].kind == VAL_NONE || args[n_args - 1].kind == VAL_ABSENT))
    n_args--;
  scan_attrs *a = ARENA_NEW(mem, scan_attrs);
  *a = (scan_attrs){n->scan->length, n_x, n_y, arena_copy(mem, x, sizeof *x * (size_t)n_x),
                    arena_copy(mem, y, sizeof *y * (size_t)n_y)};
  n->scan = a;
  node_set_args(n, args, n_args, NULL, 0);
}

static node *x_param(const border *b, int i) { return graph_placeholder(b->body, b->n_carry + i); }

/* Adds an x; returns its parameter. */
static node *add_x(border *b, node *x, const scan_view *view) {
  const scan_attrs *old = b->scan->scan;
  val xs[MAX_XS];
  scan_view views[MAX_XS];
  for (int i = 0; i < old->n_x; i++) xs[i] = x_at(b, i), views[i] = old->x[i];
  xs[old->n_x] = val_node(x);
  views[old->n_x] = *view;
  dim dims[SCANC_MAX_RANK];
  int rank = 0;
  for (int d = 0; d < x->type->n; d++)
    if (d != view->axis) dims[rank++] = x->type->dims[d];
  cursor c = cursor_after(x_param(b, old->n_x - 1));
  node *p = node_placeholder(&c, x->name, x->name,
                             type_tensor(b->m->mem, x->type->dtype, dims, rank), val_absent());
  set_call(b, xs, views, old->n_x + 1, old->y, old->n_y);
  return p;
}

static void remove_x(border *b, int i) {
  const scan_attrs *old = b->scan->scan;
  val xs[MAX_XS];
  scan_view views[MAX_XS];
  int n = 0;
  for (int k = 0; k < old->n_x; k++) {
    if (k == i) continue;
    xs[n] = x_at(b, k);
    views[n++] = old->x[k];
  }
  node_erase(x_param(b, i));
  set_call(b, xs, views, n, old->y, old->n_y);
}

/* ---- nodes that move ---- */

static bool same_shape(const type *a, const type *b) {
  if (!type_is_tensor(a) || !type_is_tensor(b) || a->n != b->n) return false;
  for (int d = 0; d < a->n; d++)
    if (!dim_equal(a->dims[d], b->dims[d])) return false;
  return true;
}

static bool is_number(val v) {
  return v.kind != VAL_NODE && !val_is_seq(v); /* or a dtype, a flag... */
}

/* Whether all that the node computes with is of its shape, or a number. */
static bool keeps_shape(const node *n) {
  bool any = false;
  for (int i = 0; i < n->n_args; i++) {
    if (is_number(n->args[i])) continue;
    if (n->args[i].kind != VAL_NODE || !same_shape(n->type, n->args[i].node->type)) return false;
    any = true;
  }
  return any;
}

/* What the nodes that one of them uses are in the body. */
typedef struct {
  node *from[MAX_OPERANDS], *to[MAX_OPERANDS];
  int n;
} renaming;

static val renamed(node *n, void *ctx) {
  const renaming *r = ctx;
  for (int i = 0; i < r->n; i++)
    if (r->from[i] == n) return val_node(r->to[i]);
  return val_node(n);
}

static int find_x(const border *b, const node *x, const scan_view *view) {
  for (int i = 0; i < n_xs(b); i++)
    if (x_at(b, i).kind == VAL_NODE && x_at(b, i).node == x &&
        same_view(&b->scan->scan->x[i], view))
      return i;
  return -1;
}

/* Whether so many of the operands of n fit beside the xs that are there. */
static bool has_room(const border *b, const node *n, const scan_view *view) {
  int more = 0;
  for (int i = 0; i < n->n_args; i++)
    more += n->args[i].kind == VAL_NODE && find_x(b, n->args[i].node, view) < 0;
  return n_xs(b) + more <= MAX_XS;
}

static void rename_x(border *b, renaming *r, node *x, const scan_view *view) {
  int i = find_x(b, x, view);
  for (int k = 0; k < r->n; k++)
    if (r->from[k] == x) return;
  r->from[r->n] = x;
  r->to[r->n++] = i >= 0 ? x_param(b, i) : add_x(b, x, view);
}

/* ---- xs ---- */

static node *first_computed(graph *g) {
  node *n = g->first;
  while (n && n->kind == NODE_PLACEHOLDER) n = n->next;
  return n;
}

/* What computes x i, if nothing else uses it. */
static bool absorb_x(border *b, int i) {
  node *x = x_at(b, i).kind == VAL_NODE ? x_at(b, i).node : NULL;
  scan_view view = b->scan->scan->x[i];
  renaming r = {.n = 0};
  if (!x || !b->rules->before(b->m, x, x_param(b, i)) || node_n_uses(x) != 1 || !keeps_shape(x) ||
      !has_room(b, x, &view))
    return false;
  for (int a = 0; a < x->n_args; a++)
    if (x->args[a].kind == VAL_NODE) rename_x(b, &r, x->args[a].node, &view);
  node *param = x_param(b, i);
  cursor c = cursor_before(first_computed(b->body));
  node *copy = node_copy(&c, x, renamed, &r);
  if (b->m->err.code) return false;
  node_replace_uses(param, copy);
  remove_x(b, i);
  node_erase(x);
  vec_push(b->m->mem, b->moved, copy);
  return true;
}

/* ---- ys ---- */

/* Index among the ys of the one that n is; -1. */
static int y_of(const border *b, const node *n) {
  if (!node_is_op(n, OP_getitem) || n->operands[0].kind != VAL_NODE ||
      n->operands[0].node != b->scan || n->operands[1].kind != VAL_INT)
    return -1;
  int64_t i = n->operands[1].i - b->n_carry;
  return i >= 0 && i < n_ys(b) && graph_result(b->body, b->n_carry + (int)i).kind == VAL_NODE
             ? (int)i
             : -1;
}

static bool is_before(const node *n, const node *where) {
  for (const node *p = where->prev; p; p = p->prev)
    if (p == n) return true;
  return false;
}

/* Whether n, which uses y j, needs nothing that comes later, nor a y stored otherwise. */
static bool depends_on_ys(const border *b, const node *n, int j) {
  const scan_view *y = b->scan->scan->y;
  for (int a = 0; a < n->n_args; a++) {
    if (n->args[a].kind != VAL_NODE) continue;
    int k = y_of(b, n->args[a].node);
    if (k >= 0 ? !same_view(&y[k], &y[j]) : !is_before(n->args[a].node, b->scan)) return false;
  }
  return true;
}

static node *add_result(border *b, node *value, const scan_view *view) {
  const scan_attrs *old = b->scan->scan;
  arena *mem = b->m->mem;
  node *out = graph_output(b->body);
  val seq = out->args[0], *items = ARENA_ARRAY(mem, val, seq.n + 1), xs[MAX_XS];
  memcpy(items, seq.items, sizeof *items * (size_t)seq.n);
  items[seq.n] = val_node(value);
  val all = val_seq(mem, seq.kind, items, seq.n + 1);
  scan_view *y = ARENA_ARRAY(mem, scan_view, old->n_y + 1);
  memcpy(y, old->y, sizeof *y * (size_t)old->n_y);
  y[old->n_y] = *view;
  for (int i = 0; i < old->n_x; i++) xs[i] = x_at(b, i);
  node_set_args(out, &all, 1, NULL, 0);
  set_call(b, xs, old->x, old->n_x, y, old->n_y + 1);
  cursor c = cursor_after(b->scan);
  return build_getitem(&c, b->scan, seq.n);
}

static bool absorb_user(border *b, int j, node *n) {
  scan_view view = b->scan->scan->y[j];
  renaming r = {.n = 0};
  const node *inside = graph_result(b->body, b->n_carry + j).node;
  if (!b->rules->behind(b->m, n, inside) || !keeps_shape(n) || !depends_on_ys(b, n, j) ||
      !has_room(b, n, &view))
    return false;
  for (int a = 0; a < n->n_args; a++) {
    node *x = n->args[a].kind == VAL_NODE ? n->args[a].node : NULL;
    int k = x ? y_of(b, x) : -1;
    if (x && k < 0) rename_x(b, &r, x, &view);
    if (k < 0) continue;
    r.from[r.n] = x;
    r.to[r.n++] = graph_result(b->body, b->n_carry + k).node;
  }
  cursor c = cursor_before(graph_output(b->body));
  node *copy = node_copy(&c, n, renamed, &r);
  node *item = b->m->err.code ? NULL : add_result(b, copy, &view);
  if (!item) return false;
  node_replace_uses(n, item);
  node_erase(n);
  vec_push(b->m->mem, b->moved, copy);
  return true;
}

static bool absorb_next_user(border *b) {
  for (const use *u = b->scan->uses; u; u = u->next) {
    int j = y_of(b, u->user);
    for (const use *v = u->user->uses; j >= 0 && v; v = v->next)
      if (absorb_user(b, j, v->user)) return true;
  }
  return false;
}

/* ys that nothing reads any more. */
static void drop_unread(border *b) {
  hop h;
  bool any = false;
  if (!hop_read(b->scan, b->m->mem, &h)) return;
  bool *read = ARENA_ARRAY(b->m->mem, bool, h.n_results);
  for (const use *u = b->scan->uses; u; u = u->next) {
    int i = hop_result_index(&h, u->user);
    if (i < 0) return;
    read[i] |= node_has_uses(u->user);
  }
  for (int i = 0; i < h.n_slots; i++) {
    h.slots[i].live = h.slots[i].result < h.n_carry || read[h.slots[i].result];
    any |= !h.slots[i].live;
  }
  if (any) hop_shrink(&h, true);
}

/* ---- the whole ---- */

bool absorb_border(module *m, node *scan, const absorb_rules *rules, moved_nodes *moved) {
  border b = {m, scan, val_graph(scan->operands[0]), scan->operands[1].n, rules, moved};
  if (!b.body || !scan->type || scan->operands[2].n < 1 || scan->operands[2].n > MAX_XS ||
      !graph_output(b.body) || !val_is_seq(graph_output(b.body)->args[0]) || !open_views(&b))
    return false;
  for (int i = 0; i < n_xs(&b) && moved->len < MAX_MOVED && !m->err.code;)
    i = absorb_x(&b, i) ? 0 : i + 1; /* what it was computed from may follow */
  int before = moved->len;
  while (moved->len < MAX_MOVED && !m->err.code && absorb_next_user(&b)) continue;
  if (moved->len > before && !m->err.code) drop_unread(&b);
  return moved->len && !m->err.code;
}
