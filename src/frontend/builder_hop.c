/* Scans, branches and loops over bodies. */
#include <string.h>

#include "frontend/builder.h"

enum { MAX_BODIES = 2 };

/* A call under construction. */
typedef struct {
  builder *b;
  const char *what;
  scope *body[MAX_BODIES];
  int n_bodies;
  VEC(node *) extras; /* values of outer graphs that the bodies use */
} hop_call;

/* ---- bodies ---- */

static bool take_body(hop_call *h, graph *g) {
  scope *s = g && g->mod == h->b->m ? builder_scope(h->b, g) : NULL;
  if (!s || !s->returned) {
    if (s)
      builder_fail(h->b, SCANC_ERR_MISSING_RETURN, "%s: graph '%.100s' has not returned", h->what,
                   g->class_name);
    else builder_fail(h->b, SCANC_ERR_BAD_ARGUMENT, "%s: expected a graph of this module", h->what);
    return false;
  }
  h->body[h->n_bodies++] = s;
  return true;
}

/* The results of a body as a list, also where it returned one bare value. */
static void return_list(hop_call *h, int k) {
  node *out = graph_output(h->body[k]->g);
  val v = out->args[0];
  if (v.kind == VAL_LIST) return;
  v = val_seq(h->b->m->mem, VAL_LIST, &v, 1);
  node_set_args(out, &v, 1, NULL, 0);
}

static void add_extra(hop_call *h, node *n) {
  for (int i = 0; i < h->extras.len; i++)
    if (h->extras.data[i] == n) return;
  vec_push(h->b->m->mem, &h->extras, n);
}

static capture find_capture(const scope *s, const node *outer) {
  for (int i = 0; i < s->captures.len; i++)
    if (s->captures.data[i].outer == outer) return s->captures.data[i];
  return (capture){0};
}

static node *first_operation(const graph *g) {
  node *n = g->first;
  while (n->kind == NODE_PLACEHOLDER) n = n->next;
  return n;
}

/* Every body gets all extras, in the same order. */
static bool settle_captures(hop_call *h, scope *s) {
  bool same = s->captures.len == h->extras.len;
  for (int i = 0; same && i < h->extras.len; i++)
    same = s->captures.data[i].outer == h->extras.data[i];
  if (!same && s->called) {
    builder_fail(h->b, SCANC_ERR_UNSUPPORTED,
                 "%s: graph '%.100s' is already used by a call that passes other outer values; "
                 "expected a graph of its own",
                 h->what, s->g->class_name);
    return false;
  }
  s->called = true;
  if (same) return true;
  scope old = *s;
  memset(&s->captures, 0, sizeof s->captures);
  for (int i = 0; i < h->extras.len; i++) {
    capture c = find_capture(&old, h->extras.data[i]);
    if (!c.outer) c = builder_capture(s, h->extras.data[i]);
    node_move_before(c.param, first_operation(s->g));
    vec_push(h->b->m->mem, &s->captures, c);
  }
  return true;
}

/* Finds what the bodies need of outer graphs and makes it the tuple *out in the open graph. */
static bool pass_extras(hop_call *h, val *out) {
  arena *mem = h->b->m->mem;
  for (int k = 0; k < h->n_bodies; k++)
    for (int i = 0; i < h->body[k]->captures.len; i++)
      add_extra(h, h->body[k]->captures.data[i].outer);
  for (int k = 0; k < h->n_bodies; k++)
    if (!settle_captures(h, h->body[k])) return false;
  val *items = ARENA_ARRAY(mem, val, h->extras.len);
  for (int i = 0; i < h->extras.len; i++) {
    node *n = builder_bring(h->b, h->b->open, h->extras.data[i]);
    if (!n) return false;
    items[i] = val_node(n);
  }
  *out = val_seq(mem, VAL_TUPLE, items, h->extras.len);
  return true;
}

/* A get_attr of body k in the open graph. */
static val body_value(hop_call *h, cursor *c, int k) {
  graph *g = c->g, *sub = h->body[k]->g;
  const char *name = NULL;
  for (int i = 0; i < g->attrs.len; i++)
    if (g->attrs.data[i].sub == sub) name = g->attrs.data[i].name;
  if (!name) {
    name = sub->class_name;
    for (int i = 1; graph_find_attr(g, name); i++)
      name = arena_printf(h->b->m->mem, "%s_%d", sub->class_name, i);
    graph_add_attr(g, name, ATTR_GRAPH, sub);
  }
  return val_node(node_get_attr(c, NULL, name));
}

/* ---- calls ---- */

static hop_call begin(module *m, const char *what) {
  return (hop_call){.b = builder_of(m), .what = what};
}

/* Of a body; without one, of what it is called with. */
static module *module_of(const graph *g, scanc_value v) {
  return g ? g->mod : builder_module(&v, 1);
}

/* The call of a higher-order op: bodies and lists in the order of its signature, extras last. */
static scanc_value finish(hop_call *h, cursor *c, val *args, int n) {
  const char *path = arena_printf(h->b->m->mem, "torch.ops.higher_order.%s", h->what);
  node *call = builder_call(h->b, c, path, args, n, NULL, 0);
  return builder_made(h->b, call, h->what, NULL, 0);
}

/* x with dimension `from` in front, then back to front if asked. */
static val turned_x(builder *b, cursor *c, val x, int from, bool reverse) {
  int64_t zero = 0;
  if (from && !b->m->err.code) {
    val args[3] = {x, val_int(from), val_int(0)};
    x = val_node(builder_call(b, c, "torch.ops.aten.movedim.int", args, 3, NULL, 0));
  }
  if (reverse && !b->m->err.code) {
    val args[2] = {x, val_ints(b->m->mem, &zero, 1)};
    x = val_node(builder_call(b, c, "torch.ops.aten.flip.default", args, 2, NULL, 0));
  }
  return x;
}

/* `dim` counted from the front in the first leaf; xs brought into the order of the steps. */
static bool turn_xs(hop_call *h, cursor *c, val *xs, int *dim_, bool reverse) {
  const type *t = xs->n && xs->items[0].kind == VAL_NODE ? xs->items[0].node->type : NULL;
  if (*dim_ < 0 && t && type_is_tensor(t)) *dim_ += t->n;
  if (*dim_ < 0 || (t && type_is_tensor(t) && *dim_ >= t->n)) {
    builder_fail(h->b, SCANC_ERR_SCAN_RANK, "%s: no dimension %d in the first leaf of xs", h->what,
                 *dim_);
    return false;
  }
  val *items = ARENA_ARRAY(h->b->m->mem, val, xs->n);
  for (int i = 0; i < xs->n; i++) items[i] = turned_x(h->b, c, xs->items[i], *dim_, reverse);
  *xs = val_seq(h->b->m->mem, VAL_LIST, items, xs->n);
  return !h->b->m->err.code;
}

static scanc_value with_turn(scanc_value v, int dim_, bool reverse) {
  if (v.kind != V_NODE || (!dim_ && !reverse)) return v;
  v.kind = V_SCAN;
  v.n = 2 * dim_ + reverse;
  return v;
}

scanc_value scanc_scan(scanc_graph *body, scanc_value init, scanc_value xs, int dim_,
                       bool reverse) {
  module *m = module_of(body, xs);
  hop_call h = begin(m, "scan");
  val a[4];
  if (!h.b) return builder_invalid(m);
  cursor c = builder_cursor(h.b->open);
  if (!take_body(&h, body) || !value_to_list(h.b, init, "scan, init", &a[1]) ||
      !value_to_list(h.b, xs, "scan, xs", &a[2]) || !turn_xs(&h, &c, &a[2], &dim_, reverse) ||
      !pass_extras(&h, &a[3]))
    return builder_made(h.b, NULL, "scan", NULL, 0);
  return_list(&h, 0);
  a[0] = body_value(&h, &c, 0);
  return with_turn(finish(&h, &c, a, 4), dim_, reverse);
}

scanc_value scanc_associative_scan(scanc_graph *body, scanc_value xs, int dim_, bool reverse) {
  module *m = module_of(body, xs);
  hop_call h = begin(m, "associative_scan");
  val a[3];
  if (!h.b) return builder_invalid(m);
  cursor c = builder_cursor(h.b->open);
  if (!take_body(&h, body) || !value_to_list(h.b, xs, "associative_scan, xs", &a[1]) ||
      !turn_xs(&h, &c, &a[1], &dim_, reverse) || !pass_extras(&h, &a[2]))
    return builder_made(h.b, NULL, "associative_scan", NULL, 0);
  return_list(&h, 0);
  a[0] = body_value(&h, &c, 0);
  return with_turn(finish(&h, &c, a, 3), dim_, reverse);
}

scanc_value scanc_map(scanc_graph *body, scanc_value xs) {
  module *m = module_of(body, xs);
  hop_call h = begin(m, "map_impl");
  val a[3];
  if (!h.b) return builder_invalid(m);
  cursor c = builder_cursor(h.b->open);
  if (!take_body(&h, body) || !value_to_list(h.b, xs, "map, xs", &a[1]) || !pass_extras(&h, &a[2]))
    return builder_made(h.b, NULL, "map", NULL, 0);
  return_list(&h, 0);
  a[0] = body_value(&h, &c, 0);
  return finish(&h, &c, a, 3);
}

/* Operands and extras are one list for branches: both are what the branches get. */
static val joined(builder *b, val list, val extras) {
  val *items = ARENA_ARRAY(b->m->mem, val, list.n + extras.n);
  for (int i = 0; i < list.n + extras.n; i++)
    items[i] = i < list.n ? list.items[i] : extras.items[i - list.n];
  return (val){.kind = VAL_TUPLE, .n = list.n + extras.n, .items = items};
}

scanc_value scanc_cond(scanc_value pred, scanc_graph *yes, scanc_graph *no, scanc_value operands) {
  module *m = module_of(yes, pred);
  hop_call h = begin(m, "cond");
  val a[4], extras;
  if (!h.b) return builder_invalid(m);
  cursor c = builder_cursor(h.b->open);
  if (!take_body(&h, yes) || !take_body(&h, no) || !value_to_val(h.b, pred, &a[0]) ||
      !value_to_list(h.b, operands, "cond, operands", &a[3]) || !pass_extras(&h, &extras))
    return builder_made(h.b, NULL, "cond", NULL, 0);
  for (int k = 0; k < 2; k++) {
    return_list(&h, k);
    a[1 + k] = body_value(&h, &c, k);
  }
  a[3] = joined(h.b, a[3], extras);
  return finish(&h, &c, a, 4);
}

scanc_value scanc_while_loop(scanc_graph *test, scanc_graph *body, scanc_value carried) {
  module *m = module_of(test, carried);
  hop_call h = begin(m, "while_loop");
  val a[4];
  if (!h.b) return builder_invalid(m);
  cursor c = builder_cursor(h.b->open);
  if (!take_body(&h, test) || !take_body(&h, body) ||
      !value_to_list(h.b, carried, "while_loop, carried", &a[2]) || !pass_extras(&h, &a[3]))
    return builder_made(h.b, NULL, "while_loop", NULL, 0);
  return_list(&h, 1);
  for (int k = 0; k < 2; k++) a[k] = body_value(&h, &c, k);
  a[2].kind = VAL_TUPLE;
  return finish(&h, &c, a, 4);
}
