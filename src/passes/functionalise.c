/* Functionalisation: in-place ops become values, and changed inputs of the program become
 * additional results. */
#include "passes/functionalise.h"

#include <string.h>

#include "passes/pass.h"

/* ---- cells ---- */

cell *cell_of(functionaliser *f, node *n) {
  while (f->cells.len <= n->id) vec_push(f->mem, &f->cells, NULL);
  cell **c = &f->cells.data[n->id];
  if (!*c) {
    *c = ARENA_NEW(f->mem, cell);
    (*c)->value = n;
  }
  return *c;
}

node *cell_storage(functionaliser *f, node *n) {
  for (cell *c; (c = cell_of(f, n))->parent;) n = c->parent;
  return n;
}

static int version_of(functionaliser *f, node *n) {
  return cell_of(f, cell_storage(f, n))->version;
}

void cell_link(functionaliser *f, node *n, node *parent, node *source, bool same) {
  cell *c = cell_of(f, n);
  c->parent = parent;
  c->source = source;
  c->same = same;
  c->version = version_of(f, parent);
}

typedef struct {
  node *from, *to;
} rename_one;

static val renamed(node *n, void *ctx) {
  const rename_one *r = ctx;
  return val_node(n == r->from ? r->to : n);
}

node *cell_read(functionaliser *f, node *n) {
  cell *c = cell_of(f, n);
  int now = version_of(f, n);
  if (c->version == now) return c->value;
  node *parent = cell_read(f, c->parent);
  if (c->same) {
    c->value = parent;
  } else {
    rename_one r = {c->source, parent};
    c->value = node_copy(&f->at, n, renamed, &r);
  }
  c->version = now;
  return c->value;
}

static val read_leaf(node *n, void *ctx) { return val_node(cell_read(ctx, n)); }

static val cell_read_val(functionaliser *f, val v) {
  return val_map_nodes(f->m->mem, v, read_leaf, f);
}

/* x with the dtype and the sizes of n. */
static node *conform(functionaliser *f, node *n, node *x, const node *by) {
  if (!x || !type_is_tensor(n->type) || !type_is_tensor(x->type)) return x;
  if (x->type->dtype != n->type->dtype) x = build_to(&f->at, val_node(x), n->type->dtype);
  if (!x || type_equal(x->type, n->type)) return x;
  if (x->type->n <= n->type->n)
    x = build_expand(&f->at, val_node(x), build_sizes(&f->at, cell_of(f, n)->value));
  else
    module_fail(f->m, SCANC_ERR_SHAPE_MISMATCH, by->loc,
                "'%s' cannot change '%s' in place: the result has another shape", by->name,
                n->name);
  return x;
}

bool cell_write(functionaliser *f, node *n, node *x, const node *by) {
  x = conform(f, n, x, by);
  int now = version_of(f, n) + 1;
  for (node *next; x; n = next) {
    cell *c = cell_of(f, n);
    next = c->parent;
    node *outer = !next || c->same ? x : view_invert(f, n, x, by);
    c->value = x;
    c->version = now;
    x = outer;
    /* An item of a split: the tuple itself is taken again when it is read. */
    if (next && !c->same && node_is_op(n, OP_getitem)) next = cell_of(f, next)->parent;
    if (next) continue;
    if (!c->changed_by) c->changed_by = by->name, c->changed_at = by->loc;
    return true;
  }
  return false;
}

/* ---- in-place ops ---- */

/* "torch.ops.aten.add_.Tensor" -> "torch.ops.aten.add.Tensor", "add_" -> "add", "operator.iadd" ->
 * "operator.add"; "pow_.Tensor", which has no namesake -> "pow.Tensor_Tensor". */
static const char *functional_path(arena *a, const node *call) {
  const char *op = "operator.i", *path = call->path;
  if (!strncmp(path, op, strlen(op))) return arena_printf(a, "operator.%s", path + strlen(op));
  if (call->row && call->kind == NODE_CALL_FUNCTION &&
      aten_is_in_place(call->row->name, strcspn(call->row->name, ".")))
    return arena_printf(a, "torch.ops.aten.%s", aten_row_of_op(call->op->id)->name);
  const char *packet = strrchr(path, '.');
  size_t n = strlen(path);
  if (packet && !strncmp(path, "torch.ops.", 10)) n = (size_t)(packet - path);
  if (n == 0 || path[n - 1] != '_') return path;
  return arena_printf(a, "%.*s%s", (int)n - 1, path, path + n);
}

/* n without the underscore. */
static node *functional_call(functionaliser *f, const node *n, const val *args) {
  const char *path = functional_path(f->m->mem, n);
  int n_kw = n->n_args - n->n_pos;
  if (n->kind == NODE_CALL_METHOD)
    return node_call_method(&f->at, NULL, path, args, n->n_pos, n->kw, n_kw);
  return node_call(&f->at, NULL, path, args, n->n_pos, n->kw, n_kw);
}

/* The new content that the in-place op n computes. */
static node *functional_form(functionaliser *f, node *n) {
  if (n->row && !strcmp(n->row->name, "copy.default") && n->operands[1].kind == VAL_NODE)
    return cell_read(f, n->operands[1].node);
  val *args = ARENA_ARRAY(f->m->mem, val, n->n_args);
  for (int i = 0; i < n->n_args; i++) args[i] = cell_read_val(f, n->args[i]);
  return functional_call(f, n, args);
}

static bool is_user(const node *n, const node *x) {
  for (const use *u = x->uses; u; u = u->next)
    if (u->user == n) return true;
  return false;
}

/* x.unsqueeze_(0) writes nothing: from here on x is another view of the same memory. */
static bool rewrite_reshaping(functionaliser *f, node *n) {
  node *view = functional_call(f, n, n->args);
  if (!view) return false;
  rename_one r = {n->args[0].node, view};
  for (node *p = n->next; p; p = p->next) {
    if (!is_user(p, r.from)) continue;
    val *args = ARENA_ARRAY(f->m->mem, val, p->n_args);
    for (int i = 0; i < p->n_args; i++) args[i] = val_map_nodes(f->m->mem, p->args[i], renamed, &r);
    node_set_args(p, args, p->n_pos, p->kw, p->n_args - p->n_pos);
  }
  node_replace_uses(n, view);
  node_erase(n);
  f->changed = true;
  return !f->m->err.code && view_track(f, view);
}

static bool rewrite_in_place(functionaliser *f, node *n) {
  val target = n->args[0]; /* as written: the operands of the op may be in another order */
  if (target.kind != VAL_NODE)
    return module_fail(f->m, SCANC_ERR_MUTATION, n->loc,
                       "'%s' changes a value that is not a tensor", n->name);
  node *x = functional_form(f, n);
  if (!x || f->m->err.code) return false;
  if (x->in_place || (!x->op && x->kind != NODE_PLACEHOLDER && x->kind != NODE_GET_ATTR))
    return module_fail(f->m, SCANC_ERR_UNKNOWN_OP, n->loc,
                       "'%s': %s has no form that returns a value", n->name, n->path);
  if (!cell_write(f, target.node, x, n)) return false;
  node_replace_uses(n, target.node);
  node_erase(n);
  f->changed = true;
  return f->m->err.code == SCANC_OK;
}

/* x[index] = value. */
static node *assigned_value(functionaliser *f, node *view, val value) {
  const type *t = view->type;
  if (value.kind == VAL_NODE && !type_is_scalar(value.node->type)) return cell_read(f, value.node);
  return build_full(&f->at, val_seq(f->m->mem, VAL_LIST, NULL, 0), cell_read_val(f, value),
                    type_is_tensor(t) ? t->dtype : SCANC_F32);
}

/* The tensors of an index as index_put takes them: None where a dimension is taken whole. */
static bool tensor_indices(functionaliser *f, val index, val *out) {
  val items[SCANC_MAX_RANK];
  bool many = index.kind == VAL_TUPLE || index.kind == VAL_LIST;
  int n = many ? index.n : 1;
  if (n > SCANC_MAX_RANK) return false;
  for (int i = 0; i < n; i++) {
    val v = many ? index.items[i] : index;
    bool whole = v.kind == VAL_SLICE && v.items[0].kind == VAL_NONE &&
                 v.items[1].kind == VAL_NONE && v.items[2].kind == VAL_NONE;
    if (whole) items[i] = val_none();
    else if (v.kind == VAL_NODE && type_is_tensor(v.node->type))
      items[i] = val_node(cell_read(f, v.node));
    else return false;
  }
  *out = val_seq(f->m->mem, VAL_LIST, items, n);
  return true;
}

static bool rewrite_setitem(functionaliser *f, node *n) {
  val target = n->operands[0], indices;
  if (target.kind != VAL_NODE || node_has_uses(n))
    return module_fail(f->m, SCANC_ERR_MUTATION, n->loc,
                       "'%s' cannot be changed by a subscript here", n->name);
  node *view = view_subscript(f, target.node, n->operands[1]), *x;
  if (view) {
    x = assigned_value(f, view, n->operands[2]);
  } else if (tensor_indices(f, n->operands[1], &indices)) {
    view = target.node;
    node *value = assigned_value(f, view, n->operands[2]);
    if (!value) return false;
    x = node_call(&f->at, NULL, "torch.ops.aten.index_put.default",
                  (val[]){val_node(cell_read(f, view)), indices, val_node(value)}, 3, NULL, 0);
  } else {
    return module_fail(f->m, SCANC_ERR_UNSUPPORTED, n->loc,
                       "'%s': a subscript that mixes tensors with integers or slices", n->name);
  }
  if (!cell_write(f, view, x, n)) return false;
  node_erase(n);
  f->changed = true;
  return f->m->err.code == SCANC_OK;
}

/* ---- running statistics ---- */

/* Batch norm in training changes its running mean and variance. */
static bool updates_statistics(const node *n) {
  if (!node_is_op(n, OP_batch_norm) && !node_is_op(n, OP_native_batch_norm)) return false;
  const val *v = n->operands;
  return v[3].kind == VAL_NODE && v[4].kind == VAL_NODE && v[5].kind == VAL_BOOL && v[5].i;
}

/* The form that returns (result, mean, rstd, new running mean, new running variance). */
static bool rewrite_batch_norm(functionaliser *f, node *n) {
  val args[8];
  for (int k = 0; k < 8; k++) args[k] = cell_read_val(f, n->operands[k]);
  node *all = node_call(&f->at, NULL, "torch.ops.aten._native_batch_norm_legit_functional.default",
                        args, 8, NULL, 0);
  node *mean = build_getitem(&f->at, all, 3), *variance = build_getitem(&f->at, all, 4);
  node *result = node_is_op(n, OP_batch_norm) ? build_getitem(&f->at, all, 0) : all;
  if (!mean || !variance || !result) return false;
  if (!cell_write(f, n->operands[3].node, mean, n) ||
      !cell_write(f, n->operands[4].node, variance, n))
    return false;
  node_replace_uses(n, result);
  node_erase(n);
  f->changed = true;
  return f->m->err.code == SCANC_OK;
}

/* ---- readers ---- */

static void find_stale(node *n, void *ctx) {
  functionaliser *f = ((void **)ctx)[0];
  if (cell_of(f, n)->version != version_of(f, n) || cell_of(f, n)->value != n)
    *(bool *)((void **)ctx)[1] = true;
}

void cell_refresh_args(functionaliser *f, node *n) {
  bool stale = false;
  void *ctx[] = {f, &stale};
  for (int i = 0; i < n->n_args; i++) val_each_node(n->args[i], find_stale, ctx);
  if (!stale) return;
  val *args = ARENA_ARRAY(f->m->mem, val, n->n_args);
  for (int i = 0; i < n->n_args; i++) args[i] = cell_read_val(f, n->args[i]);
  node_set_args(n, args, n->n_pos, n->kw, n->n_args - n->n_pos);
}

/* ---- graphs ---- */

static bool is_in_place(const node *n) {
  if (!n->in_place || n->n_args == 0) return false;
  const type *t = n->args[0].kind == VAL_NODE ? n->args[0].node->type : NULL;
  return !t || type_is_tensor(t);
}

static void has_changes(graph *g, void *ctx) {
  void **p = ctx;
  const functionaliser *f = p[0];
  if (f->info[graph_index(g)].n) *(bool *)p[1] = true;
}

static bool calls_changing_body(functionaliser *f, node *n) {
  bool found = false;
  void *ctx[] = {f, &found};
  node_each_body(n, has_changes, ctx);
  return found || (node_is_op(n, OP_scan) && n->n_args > n->n_pos);
}

static bool needs_work(functionaliser *f, graph *g) {
  FOR_EACH_NODE (n, g) {
    if (is_in_place(n) || node_is_op(n, OP_tensor_setitem) || updates_statistics(n)) return true;
    if (n->op && (n->op->traits & T_BODY) && calls_changing_body(f, n)) return true;
  }
  return false;
}

static bool rewrite_node(functionaliser *f, node *n) {
  f->at = cursor_before(n);
  if (is_in_place(n))
    return n->op && n->op->traits & T_VIEW ? rewrite_reshaping(f, n) : rewrite_in_place(f, n);
  if (node_is_op(n, OP_tensor_setitem)) return rewrite_setitem(f, n);
  if (updates_statistics(n)) return rewrite_batch_norm(f, n);
  if (n->op && (n->op->traits & T_BODY) && calls_changing_body(f, n))
    return call_functionalise(f, n);
  return view_track(f, n);
}

/* What graph g does to its parameters. */
static void note_changes(functionaliser *f, graph *g) {
  graph_changes *info = &f->info[graph_index(g)];
  info->changes = ARENA_ARRAY(f->mem, change, graph_n_placeholders(g));
  int k = 0;
  FOR_EACH_NODE (n, g) {
    if (n->kind != NODE_PLACEHOLDER) continue;
    const cell *c = cell_of(f, n);
    if (c->changed_by)
      info->changes[info->n++] = (change){k, c->value, c->changed_at, c->changed_by};
    k++;
  }
}

static void no_changed_attr(functionaliser *f, graph *g) {
  FOR_EACH_NODE (n, g) {
    const cell *c = cell_of(f, n);
    if (n->kind == NODE_GET_ATTR && c->changed_by)
      module_fail(f->m, SCANC_ERR_MUTATION, c->changed_at,
                  "'%s' changes 'self.%s' inside a subgraph", c->changed_by, n->path);
  }
}

static void visit_graph(graph *g, void *ctx) {
  functionaliser *f = ctx;
  if (f->m->err.code || !needs_work(f, g)) return;
  f->g = g;
  f->cells.len = f->cells.cap = 0;
  f->cells.data = NULL;
  FOR_EACH_NODE (n, g) {
    if (!rewrite_node(f, n)) return;
  }
  note_changes(f, g);
  if (g != f->m->main) no_changed_attr(f, g);
}

/* ---- results of the program ---- */

static int n_leaves(val v) {
  if (!val_is_seq(v) || v.kind == VAL_SLICE || v.kind == VAL_RANGE || v.kind == VAL_SIZE) return 1;
  int n = 0;
  for (int i = v.kind == VAL_DICT; i < v.n; i += 1 + (v.kind == VAL_DICT))
    n += n_leaves(v.items[i]);
  return n;
}

static const port *input_port(const module *m, const node *n) {
  for (int i = 0; i < m->inputs.len; i++)
    if (!strcmp(m->inputs.data[i].name, n->name)) return &m->inputs.data[i];
  return NULL;
}

/* A row "<value>: BUFFER_MUTATION target='buf'" as PyTorch writes it. */
static void add_port(module *m, const node *changed, const node *value) {
  const port *in = input_port(m, changed);
  port p = {.name = value->name,
            .kind = PORT_MUTATION_USER,
            .kind_text = "USER_INPUT_MUTATION",
            .target = changed->kind == NODE_GET_ATTR ? changed->path : changed->name,
            .persistent = -1,
            .loc = changed->loc};
  bool buffer = changed->kind == NODE_GET_ATTR || (in && in->kind == PORT_BUFFER);
  if (buffer) p.kind = PORT_MUTATION_BUFFER, p.kind_text = "BUFFER_MUTATION";
  if (in && in->kind == PORT_PARAMETER)
    p.kind = PORT_MUTATION_PARAMETER, p.kind_text = "PARAMETER_MUTATION";
  if (in && in->kind != PORT_USER && in->target) p.target = in->target;
  vec_push(m->mem, &m->outputs, p);
}

/* Without a signature the results get rows too, so that the added ones can be told from them. */
static void describe_results(module *m, val v) {
  if (m->outputs.len) return;
  for (int i = n_leaves(v); i > 0; i--) {
    port p = {.name = "", .kind = PORT_USER, .kind_text = "USER_OUTPUT", .persistent = -1};
    vec_push(m->mem, &m->outputs, p);
  }
}

/* Returns the new content of changed inputs after the results. */
static void return_changed_inputs(functionaliser *f) {
  module *m = f->m;
  node *out = graph_output(m->main);
  val v = out->args[0];
  bool seq = v.kind == VAL_LIST || v.kind == VAL_TUPLE;
  val *items = ARENA_ARRAY(m->mem, val, (seq ? v.n : 1) + m->main->n_nodes);
  int n = seq ? v.n : 1, n_before = n;
  if (seq) memcpy(items, v.items, sizeof(val) * (size_t)v.n);
  else items[0] = v;
  FOR_EACH_NODE (p, m->main) {
    const cell *c = p->kind == NODE_PLACEHOLDER || p->kind == NODE_GET_ATTR ? cell_of(f, p) : NULL;
    if (!c || !c->changed_by) continue;
    if (n == n_before) describe_results(m, v);
    add_port(m, p, c->value);
    items[n++] = val_node(c->value);
  }
  if (n == n_before) return;
  val all = val_seq(m->mem, seq ? v.kind : VAL_TUPLE, items, n);
  node_set_args(out, &all, 1, NULL, 0);
}

bool pass_functionalise(module *m, bool *changed) {
  arena *mem = arena_new();
  functionaliser f = {.m = m, .mem = mem};
  f.info = ARENA_ARRAY(mem, graph_changes, m->graphs.len);
  graph_walk(m->main, visit_graph, &f);
  if (!m->err.code && f.info[graph_index(m->main)].changes) return_changed_inputs(&f);
  arena_free(mem);
  *changed |= f.changed;
  return m->err.code == SCANC_OK;
}
