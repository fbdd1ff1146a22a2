/* Grouping, outlining, and putting the graph in order again. */
#include "loop/fuse.h"

#include <string.h>

#include "ir/build.h"
#include "loop/body.h"
#include "loop/fixed.h"
#include "loop/op_cost.h"
#include "loop/prefix.h"

enum {
  MAX_GROUP = 900, /* instructions per vector, roughly; a node counts as LEAST at least */
  LEAST = 5,
  MAX_SEARCH = 2000 /* nodes */
};

typedef struct {
  module *m;
  graph *g;
  arena *mem;
  int n_ids;    /* nodes that were there before grouping */
  int *group;   /* per node id: representative node id (union-find); -1: in no group */
  int *size;    /* per representative: instructions */
  int *next;    /* per node id: the other members, in a ring */
  node **node;  /* per node id */
  int *visited; /* per node id: number of the last search that came here */
  int search;
  bool *fixed; /* per node id: computed before the loop (fixed.h) */
  bool *done;  /* per representative: outlined, or without lowering */
} fuser;

/* ---- results of their own ---- */

typedef struct {
  node *output;
  VEC(node *) seen;
  arena *mem;
  const fuse_scope *s;
  const bool *fixed; /* per node id */
} owner;

static bool is_loop(const fuse_scope *s, const node *n) {
  for (int i = 0; i < s->loops.len; i++)
    if (s->loops.data[i] == n) return true;
  return false;
}

/* Operands that a loop carries; of associative scans and maps there are none. */
static val carried(const node *n) {
  if (node_is_op(n, OP_associative_scan) || node_is_op(n, OP_map_impl)) return val_none();
  return n->operands[node_is_op(n, OP_while_loop) ? 2 : 1];
}

/* How many of the results of a loop are its carries, which lie in the loop's memory. */
static int n_carries(const node *n) {
  val v = carried(n);
  return val_is_seq(v) ? v.n : 0;
}

static bool is_last_carry(const fuse_scope *s, const node *item) {
  const node *from = item->operands[0].node;
  val i = item->operands[1];
  if (!is_loop(s, from) || i.kind != VAL_INT || !from->type) return false;
  return (i.i < 0 ? i.i + from->type->n : i.i) < n_carries(from);
}

/* Whether the value shares the memory of something else. */
static bool is_borrowed(const fuse_scope *s, const node *n) {
  if (n->kind == NODE_PLACEHOLDER || n->kind == NODE_GET_ATTR) return true;
  if (prefix_is_behind_seed(n)) return false;
  if (node_is_op(n, OP_getitem) && n->operands[0].kind == VAL_NODE)
    return is_last_carry(s, n) || is_borrowed(s, n->operands[0].node);
  return n->op && (n->op->traits & (T_VIEW | T_ALIAS_OK));
}

static val own_result(node *n, void *ctx) {
  owner *o = ctx;
  bool again = false;
  for (int i = 0; i < o->seen.len; i++) again |= o->seen.data[i] == n;
  vec_push(o->mem, &o->seen, n);
  bool own = !again && !is_borrowed(o->s, n) && !o->fixed[n->id];
  if (!type_is_tensor(n->type) || own) return val_node(n);
  cursor c = cursor_before(o->output);
  val v = val_node(n);
  node *copy = build_op(&c, OP_clone, &v, 1);
  return copy ? val_node(copy) : v;
}

static bool own_results(module *m, graph *g, const fuse_scope *s, const bool *fixed) {
  node *out = graph_output(g);
  owner o = {.output = out, .mem = m->mem, .s = s, .fixed = fixed};
  if (!out || !out->n_args) return false;
  val v = val_map_nodes(m->mem, out->args[0], own_result, &o);
  node_set_args(out, &v, 1, NULL, 0);
  return m->err.code == SCANC_OK;
}

/* ---- operands of their own ---- */

static bool is_item_twice(const node *n) {
  const node *from = n->operands[0].node;
  for (const use *u = from->uses; u; u = u->next)
    if (u->user != n && node_is_op(u->user, OP_getitem) &&
        val_equal(u->user->operands[1], n->operands[1], NULL, NULL))
      return true;
  return false;
}

/* Whether a plan can have the node computed in its place in the result of its only user. A cat is
 * itself computed piece by piece. */
static bool is_movable(const fuse_scope *s, const node *n) {
  if (is_borrowed(s, n) || node_is_op(n, OP_cat) || !n->uses || n->uses->next) return false;
  if (!node_is_op(n, OP_getitem)) return true;
  return n->operands[0].kind == VAL_NODE && !is_item_twice(n);
}

typedef struct {
  const fuse_scope *s;
  node *user;
  const bool *fixed; /* per node id */
} operand_owner;

static val own_operand(node *n, void *ctx) {
  const operand_owner *o = ctx;
  bool own = is_movable(o->s, n) && !(o->fixed[n->id] && fixed_needed_anew(o->s, n, o->user));
  if (!type_is_tensor(n->type) || own) return val_node(n);
  cursor c = cursor_before(o->user);
  val v = val_node(n);
  node *copy = build_op(&c, OP_clone, &v, 1);
  return copy ? val_node(copy) : v;
}

static bool is_initial_carry(const node *n, val arg) {
  val v = carried(n);
  return val_is_seq(v) && val_is_seq(arg) && v.items == arg.items;
}

/* What is joined, and what a loop begins with, is computed for that alone. */
static bool own_operands(module *m, graph *g, const fuse_scope *s, const bool *fixed) {
  FOR_EACH_NODE (n, g) {
    bool cat = node_is_op(n, OP_cat) && !prefix_seeded_by(n);
    operand_owner o = {s, n, fixed};
    if (!cat && !is_loop(s, n)) continue;
    val *args = ARENA_ARRAY(m->mem, val, n->n_args);
    for (int i = 0; i < n->n_args; i++) {
      bool own = cat || is_initial_carry(n, n->args[i]);
      args[i] = own ? val_map_nodes(m->mem, n->args[i], own_operand, &o) : n->args[i];
    }
    node_set_args(n, args, n->n_pos, n->kw, n->n_args - n->n_pos);
  }
  return m->err.code == SCANC_OK;
}

/* ---- groups ---- */

static int find(fuser *f, int id) {
  while (f->group[id] != id) id = f->group[id] = f->group[f->group[id]];
  return id;
}

static bool same_shape(const type *a, const type *b) {
  if (a->n != b->n) return false;
  for (int i = 0; i < a->n; i++)
    if (!dim_equal(a->dims[i], b->dims[i])) return false;
  return true;
}

typedef struct {
  fuser *f;
  int a, b; /* the groups to be merged */
  VEC(node *) queue;
  int first;    /* of the queue: not looked at yet */
  bool outside; /* the operands at hand are those of a node outside */
  bool found;
} cycle_search;

static void reach(node *n, void *ctx) {
  cycle_search *s = ctx;
  fuser *f = s->f;
  int id = f->group[n->id] < 0 ? -1 : find(f, n->id);
  if (id >= 0 && (id == s->a || id == s->b)) {
    s->found |= s->outside;
    return;
  }
  if (f->visited[n->id] == f->search) return;
  f->visited[n->id] = f->search;
  vec_push(f->mem, &s->queue, n);
}

static void reach_operands(cycle_search *s, const node *n) {
  for (int i = 0; i < n->n_args; i++) val_each_node(n->args[i], reach, s);
}

/* A group is computed as a whole. */
static void reach_group(cycle_search *s, int id) {
  fuser *f = s->f;
  int i = id;
  do {
    f->visited[i] = f->search;
    reach_operands(s, f->node[i]);
    i = f->next[i];
  } while (i != id);
}

/* Whether the two groups as one would need a value that needs them; what takes too long to find out
 * counts as yes. */
static bool would_cycle(fuser *f, int a, int b) {
  cycle_search s = {.f = f, .a = a, .b = b};
  arena_mark mark = arena_save(f->mem);
  f->search++;
  reach_group(&s, a);
  reach_group(&s, b);
  s.outside = true;
  while (!s.found && s.first < s.queue.len) {
    const node *n = s.queue.data[s.first++];
    if (f->group[n->id] < 0) reach_operands(&s, n);
    else reach_group(&s, find(f, n->id));
    s.found |= s.first > MAX_SEARCH;
  }
  arena_reset(f->mem, mark);
  return s.found;
}

typedef struct {
  fuser *f;
  node *n;
} joining;

static void join_operand(node *x, void *ctx) {
  joining *j = ctx;
  fuser *f = j->f;
  if (f->group[x->id] < 0 || !same_shape(x->type, j->n->type)) return;
  if (f->fixed[x->id] != f->fixed[j->n->id]) return;
  int a = find(f, x->id), b = find(f, j->n->id);
  if (a == b || f->size[a] + f->size[b] > MAX_GROUP || would_cycle(f, a, b)) return;
  f->group[a] = b;
  f->size[b] += f->size[a];
  int next = f->next[a];
  f->next[a] = f->next[b];
  f->next[b] = next;
}

/* What nobody reads is computed for its error. */
static bool is_candidate(module *m, const node *n) {
  bool call = n->kind == NODE_CALL_FUNCTION || n->kind == NODE_CALL_METHOD;
  return call && n->op && !n->in_place && !(n->op->traits & (T_EFFECT | T_VIEW)) &&
         type_is_tensor(n->type) && (node_has_uses(n) || node_may_fail(n)) && body_accepts(m, n);
}

static int cost_of(const node *n) {
  int cost = op_cost(n->op->id, dtype_acc(n->type->dtype));
  return cost > LEAST ? cost : LEAST;
}

static void make_groups(fuser *f) {
  for (int i = 0; i < f->n_ids; i++) f->group[i] = -1;
  FOR_EACH_NODE (n, f->g) {
    f->node[n->id] = n;
    if (!is_candidate(f->m, n)) continue;
    f->group[n->id] = n->id;
    f->size[n->id] = cost_of(n);
    f->next[n->id] = n->id;
    joining j = {f, n};
    for (int i = 0; i < n->n_args; i++) val_each_node(n->args[i], join_operand, &j);
  }
}

/* ---- outlining ---- */

/* A group on its way into a graph of its own. */
typedef struct {
  fuser *f;
  int id; /* of the group */
  graph *sub;
  val *to;        /* per node id: its value in `sub`; ABSENT: none yet */
  VEC(val) outer; /* what the parameters stand for */
  VEC(node *) results;
} outline;

static bool in_group(const outline *o, const node *n) {
  return n->id < o->f->n_ids && o->f->group[n->id] >= 0 && find(o->f, n->id) == o->id;
}

static void add_parameter(node *x, void *ctx) {
  outline *o = ctx;
  if (in_group(o, x) || o->to[x->id].kind != VAL_ABSENT) return;
  cursor c = cursor_end(o->sub);
  o->to[x->id] = val_node(node_placeholder(&c, x->name, x->name, x->type, val_absent()));
  vec_push(o->f->mem, &o->outer, val_node(x));
}

static val mapped(node *n, void *ctx) { return ((outline *)ctx)->to[n->id]; }

/* A group has at least one result: what nobody reads is one. */
static bool is_result(const outline *o, const node *n) {
  bool result = !node_has_uses(n);
  for (const use *u = n->uses; u && !result; u = u->next) result = !in_group(o, u->user);
  return result;
}

static void copy_nodes(outline *o) {
  fuser *f = o->f;
  cursor c = cursor_end(o->sub);
  for (node *n = f->g->first; n; n = n->next)
    if (in_group(o, n))
      for (int i = 0; i < n->n_args; i++) val_each_node(n->args[i], add_parameter, o);
  for (node *n = f->g->first; n; n = n->next) {
    if (!in_group(o, n)) continue;
    o->to[n->id] = val_node(node_copy(&c, n, mapped, o));
    if (is_result(o, n)) vec_push(f->mem, &o->results, n);
  }
  val *items = ARENA_ARRAY(f->mem, val, o->results.len);
  for (int i = 0; i < o->results.len; i++) items[i] = o->to[o->results.data[i]->id];
  node_output(&c, val_seq(f->m->mem, VAL_TUPLE, items, o->results.len));
}

static node *call_group(outline *o, cursor *c) {
  fuser *f = o->f;
  const char *name = arena_strdup(f->m->mem, o->sub->class_name);
  graph_add_attr(f->g, name, ATTR_GRAPH, o->sub);
  node *callee = node_get_attr(c, name, name);
  val *args = ARENA_ARRAY(f->mem, val, o->outer.len + 2);
  args[0] = val_node(callee);
  args[1] = val_str(f->m->mem, name);
  for (int i = 0; i < o->outer.len; i++) args[2 + i] = o->outer.data[i];
  return node_call(c, NULL, "torch.ops.higher_order.invoke_subgraph", args, o->outer.len + 2, NULL,
                   0);
}

static bool has_lowering(const node *call) {
  arena *tmp = arena_new();
  str why = {0};
  bool ok = nest_build(tmp, call, &why) != NULL;
  str_free(&why);
  arena_free(tmp);
  return ok;
}

static void replace_members(outline *o, node *call, cursor *c) {
  for (int i = 0; i < o->results.len; i++)
    node_replace_uses(o->results.data[i], build_getitem(c, call, i));
  for (node *n = o->f->g->last, *prev; n; n = prev) {
    prev = n->prev;
    if (in_group(o, n)) node_erase(n);
  }
}

/* Whether the group has a lowering; without one it stays as it is. */
static bool outline_group(fuser *f, int id, node *first) {
  outline o = {.f = f, .id = id, .to = ARENA_ARRAY(f->mem, val, f->m->n_ids)};
  o.sub = graph_new(f->m, arena_printf(f->m->mem, "fused_%d", f->m->graphs.len));
  copy_nodes(&o);
  cursor c = cursor_before(first);
  node *call = call_group(&o, &c);
  if (!call || f->m->err.code) return false;
  if (has_lowering(call)) {
    replace_members(&o, call, &c);
    return true;
  }
  node *callee = call->args[0].node;
  node_erase(call);
  node_erase(callee);
  return false;
}

/* What has no lowering together may have one alone: a division takes its sizes from operands, which
 * the group may compute without having them. */
static void outline_each(fuser *f, int id) {
  int i = id;
  do {
    f->group[i] = i;
    i = f->next[i];
  } while (i != id);
  do {
    f->done[i] = true;
    outline_group(f, i, f->node[i]);
    i = f->next[i];
  } while (i != id);
}

static void outline_groups(fuser *f) {
  for (int i = 0; i < f->n_ids; i++) {
    if (!f->node[i] || f->group[i] < 0 || f->done[find(f, i)]) continue;
    int id = find(f, i);
    f->done[id] = true;
    if (!outline_group(f, id, f->node[i]) && f->next[id] != id) outline_each(f, id);
  }
}

/* ---- order ---- */

typedef struct {
  arena *mem;
  bool *placed; /* per node id */
  VEC(node *) stack;
} ordering;

static void push_unplaced(node *n, void *ctx) {
  ordering *o = ctx;
  if (!o->placed[n->id]) vec_push(o->mem, &o->stack, n);
}

/* Puts n, and before it what it needs, before `end`. */
static void place(ordering *o, node *n, node *end) {
  push_unplaced(n, o);
  while (o->stack.len) {
    node *top = o->stack.data[o->stack.len - 1];
    int before = o->stack.len;
    for (int i = 0; i < top->n_args && !o->placed[top->id]; i++)
      val_each_node(top->args[i], push_unplaced, o);
    if (o->stack.len > before) continue;
    o->stack.len--;
    if (!o->placed[top->id]) node_move_before(top, end);
    o->placed[top->id] = true;
  }
}

/* Definitions before uses again; what need not move keeps its order. */
static void sort_graph(fuser *f) {
  node *out = graph_output(f->g);
  ordering o = {.mem = f->mem, .placed = ARENA_ARRAY(f->mem, bool, f->m->n_ids)};
  int n = 0;
  node **all = ARENA_ARRAY(f->mem, node *, f->g->n_nodes);
  FOR_EACH_NODE (x, f->g) {
    if (x != out) all[n++] = x;
  }
  for (int i = 0; i < n; i++) place(&o, all[i], out);
}

static bool *find_fixed(arena *mem, module *m, const graph *g, const fuse_scope *s) {
  bool *fixed = ARENA_ARRAY(mem, bool, m->n_ids);
  fixed_find(g, s, fixed);
  return fixed;
}

static bool fuse_graph(module *m, graph *g, const fuse_scope *s) {
  arena *tmp = arena_new();
  if (!graph_output(g) || !own_results(m, g, s, find_fixed(tmp, m, g, s)) ||
      !own_operands(m, g, s, find_fixed(tmp, m, g, s))) {
    arena_free(tmp);
    return m->err.code == SCANC_OK;
  }
  fuser f = {.m = m, .g = g, .mem = tmp, .n_ids = m->n_ids};
  f.group = ARENA_ARRAY(tmp, int, f.n_ids);
  f.size = ARENA_ARRAY(tmp, int, f.n_ids);
  f.next = ARENA_ARRAY(tmp, int, f.n_ids);
  f.node = ARENA_ARRAY(tmp, node *, f.n_ids);
  f.visited = ARENA_ARRAY(tmp, int, f.n_ids);
  f.done = ARENA_ARRAY(tmp, bool, f.n_ids);
  f.fixed = find_fixed(tmp, m, g, s);
  fixed_drop_anew(g, s, f.fixed);
  make_groups(&f);
  outline_groups(&f);
  sort_graph(&f);
  arena_free(tmp);
  return m->err.code == SCANC_OK;
}

bool fuse_elementwise(module *m, const fuse_scope *s) {
  bool ok = true;
  for (int i = 0; ok && i < s->graphs.len; i++) ok = fuse_graph(m, s->graphs.data[i], s);
  return ok;
}
