/* Inputs and outputs of the program, bodies with their parameters and results. */
#include <string.h>

#include "frontend/builder.h"
#include "frontend/sym_call.h"
#include "ir/print.h"

/* ---- names ---- */

static bool is_returned(const module *m, const node *n) {
  for (int i = 0; i < m->outputs.len; i++)
    if (n->owner == m->main && !strcmp(m->outputs.data[i].name, n->name)) return true;
  return false;
}

bool builder_claim_name(builder *b, graph *g, const char *name) {
  if (!name || !print_is_identifier(name)) {
    builder_fail(b, SCANC_ERR_BAD_ARGUMENT, "'%.100s' is not an identifier", name ? name : "NULL");
    return false;
  }
  node *holder = graph_find(g, name);
  if (holder && (holder->kind == NODE_PLACEHOLDER || is_returned(b->m, holder))) {
    builder_fail(b, SCANC_ERR_DUPLICATE_NAME, "two values are named '%.100s'", name);
    return false;
  }
  if (holder) node_rename(holder, arena_printf(b->m->mem, "%s_1", name));
  if (!strcmp(graph_fresh_name(g, name), name)) return true;
  builder_fail(b, SCANC_ERR_BAD_ARGUMENT, "'%.100s' cannot be a name: Python has it", name);
  return false;
}

/* ---- parameters of graphs ---- */

static scanc_value add_parameter(builder *b, scope *s, const char *name, const type *t) {
  if (!builder_claim_name(b, s->g, name)) return builder_invalid(b->m);
  cursor c = {.g = s->g, .before = s->g->first};
  while (c.before && c.before->kind == NODE_PLACEHOLDER) c.before = c.before->next;
  node *n = node_placeholder(&c, name, name, t, val_absent());
  n->annotated = true;
  return value_of_node(n);
}

/* NULL after an error. */
static const type *stated_type(builder *b, const char *name, scanc_dtype dtype, scanc_value list) {
  dim dims[SCANC_MAX_RANK];
  int rank;
  int64_t n;
  bool overflow;
  if ((unsigned)dtype >= SCANC_N_DTYPES) {
    builder_fail(b, SCANC_ERR_BAD_DTYPE, "'%.100s': unknown element type %d", name, (int)dtype);
    return NULL;
  }
  if (!value_to_dims(b, list, name, dims, &rank)) return NULL;
  const type *t = type_tensor(b->m->mem, dtype, dims, rank);
  if (!type_numel(t, &n, &overflow) || (!overflow && n <= INT64_MAX / 16)) return t;
  builder_fail(b, SCANC_ERR_SIZE_OVERFLOW, "'%.100s': the number of elements does not fit 64 bits",
               name);
  return NULL;
}

/* ---- inputs ---- */

scanc_value scanc_symbol(scanc_module *mod, const char *name, int64_t min, int64_t max) {
  builder *b = builder_of(mod);
  if (!b) return builder_invalid(mod);
  if (!name || !print_is_identifier(name))
    return builder_fail(b, SCANC_ERR_BAD_ARGUMENT, "symbol '%.100s': not an identifier",
                        name ? name : "NULL");
  if (!sym_is_symbol(name) || sym_is_float(name, strlen(name)))
    return builder_fail(b, SCANC_ERR_BAD_ARGUMENT,
                        "symbol '%.100s': printed expressions would not have it as a size", name);
  dim d = dim_symbol(mod->syms, name);
  if (dim_is_unbacked(d))
    return builder_fail(b, SCANC_ERR_BAD_ARGUMENT,
                        "symbol '%.100s': names of this form stand for sizes that depend on data",
                        name);
  if (min < 0 || min > max)
    return builder_fail(b, SCANC_ERR_RANGE,
                        "symbol '%.100s': expected 0 <= min <= max, got %lld, %lld", name,
                        (long long)min, (long long)max);
  scanc_value v = {.kind = V_SYMBOL, .graph = b->main->g, .u.p = arena_strdup(mod->mem, name)};
  for (int i = 0; i < mod->ranges.len; i++) {
    const range_constraint *r = &mod->ranges.data[i];
    if (!dim_equal(r->expr, d)) continue;
    if (r->min == min && r->max == max) return v;
    return builder_fail(b, SCANC_ERR_RANGE, "symbol '%.100s' has two ranges", name);
  }
  vec_push(mod->mem, &mod->ranges, ((range_constraint){d, min, max}));
  sym_set_range(mod->syms, name, min, max);
  return v;
}

static scanc_value add_input(module *m, const char *name, scanc_dtype dtype, scanc_value dims,
                             port kind) {
  builder *b = builder_of(m);
  if (!b) return builder_invalid(m);
  const type *t = stated_type(b, name ? name : "NULL", dtype, dims);
  if (!t) return builder_invalid(m);
  scanc_value v = add_parameter(b, b->main, name, t);
  if (v.kind == V_INVALID) return v;
  kind.name = value_node(v)->name;
  if (kind.kind == PORT_PARAMETER) kind.target = kind.name;
  vec_push(m->mem, &m->inputs, kind);
  return v;
}

scanc_value scanc_input(scanc_module *mod, const char *name, scanc_dtype dtype, scanc_value dims) {
  port p = {.kind = PORT_USER, .kind_text = "USER_INPUT", .persistent = -1};
  return add_input(mod, name, dtype, dims, p);
}

scanc_value scanc_parameter(scanc_module *mod, const char *name, scanc_dtype dtype,
                            scanc_value dims) {
  port p = {.kind = PORT_PARAMETER, .kind_text = "PARAMETER", .persistent = -1};
  return add_input(mod, name, dtype, dims, p);
}

/* ---- outputs ---- */

/* What an input or a second output of one value is returned as. */
static node *copy_of(builder *b, node *n) {
  cursor c = builder_cursor(b->main);
  val arg = val_node(n);
  bool tensor = n->type && type_is_tensor(n->type);
  return tensor ? builder_call(b, &c, "torch.ops.aten.clone.default", &arg, 1, NULL, 0) : NULL;
}

static node *output_node(builder *b, scanc_value v) {
  val x;
  if (b->open != b->main) {
    builder_fail(b, SCANC_ERR_USAGE, "an output while graph '%.100s' is under construction",
                 b->open->g->class_name);
    return NULL;
  }
  if (!value_to_val(b, v, &x)) return NULL;
  node *n = x.kind == VAL_NODE ? x.node : NULL;
  bool several = n && n->type && n->type->kind == TYPE_LIST;
  if (n && (n->kind == NODE_PLACEHOLDER || is_returned(b->m, n))) n = copy_of(b, n);
  if (!n || several)
    builder_fail(b, SCANC_ERR_BAD_ARGUMENT,
                 "an output must be one computed tensor or one size, got %s",
                 several ? "several results (scanc_get)" : "something else");
  return b->m->err.code ? NULL : n;
}

void scanc_output(scanc_module *mod, const char *name, scanc_value v) {
  builder *b = builder_of(mod);
  node *n = b ? output_node(b, v) : NULL;
  if (!n || (strcmp(n->name, name ? name : "") && !builder_claim_name(b, n->owner, name))) return;
  node_rename(n, name);
  node *out = graph_output(n->owner);
  int k = mod->outputs.len;
  val *items = ARENA_ARRAY(mod->mem, val, k + 1);
  for (int i = 0; i < k; i++) items[i] = out->args[0].items[i];
  items[k] = val_node(n);
  val all = val_seq(mod->mem, VAL_TUPLE, items, k + 1);
  cursor end = cursor_end(n->owner);
  if (out) node_set_args(out, &all, 1, NULL, 0);
  else node_output(&end, all);
  port p = {.name = n->name, .kind = PORT_USER, .kind_text = "USER_OUTPUT", .persistent = -1};
  vec_push(mod->mem, &mod->outputs, p);
}

/* ---- bodies ---- */

scanc_graph *scanc_graph_begin(scanc_module *mod, const char *name) {
  if (!mod) return NULL;
  builder *b = mod->builder;
  if (!builder_of(mod)) return b ? b->open->g : NULL;
  if (!name || !print_is_identifier(name))
    builder_fail(b, SCANC_ERR_BAD_ARGUMENT, "graph '%.100s': not an identifier",
                 name ? name : "NULL");
  scope *s = ARENA_NEW(mod->mem, scope);
  s->g = graph_new(mod, name ? name : "");
  s->parent = b->open;
  vec_push(mod->mem, &b->scopes, s);
  b->open = s;
  return s->g;
}

/* NULL after an error: parameters come first, in the graph under construction. */
static scope *open_for_parameters(builder *b, graph *g) {
  if (b && b->open->g == g && b->open->parent && !b->open->captures.len &&
      (!g->last || g->last->kind == NODE_PLACEHOLDER))
    return b->open;
  if (b)
    builder_fail(b, SCANC_ERR_USAGE,
                 "a parameter of '%.100s' behind its first operation, or while it is not under "
                 "construction",
                 g->class_name);
  return NULL;
}

scanc_value scanc_graph_param(scanc_graph *g, const char *name, scanc_dtype dtype,
                              scanc_value dims) {
  builder *b = g ? builder_of(g->mod) : NULL;
  scope *s = open_for_parameters(b, g);
  const type *t = s ? stated_type(b, name ? name : "NULL", dtype, dims) : NULL;
  return t ? add_parameter(b, s, name, t) : builder_invalid(g ? g->mod : NULL);
}

/* The type of a tensor of this module; NULL after an error. */
static const type *tensor_type(builder *b, scanc_value v, const char *name) {
  const node *n = value_node(v);
  if (n && n->owner->mod == b->m && n->type && type_is_tensor(n->type)) return n->type;
  builder_fail(b, SCANC_ERR_BAD_ARGUMENT,
               "parameter '%.100s': expected a tensor of known type to take the type of",
               name ? name : "NULL");
  return NULL;
}

scanc_value scanc_graph_param_like(scanc_graph *g, const char *name, scanc_value like) {
  builder *b = g ? builder_of(g->mod) : NULL;
  scope *s = open_for_parameters(b, g);
  const type *t = s ? tensor_type(b, like, name) : NULL;
  return t ? add_parameter(b, s, name, t) : builder_invalid(g ? g->mod : NULL);
}

scanc_value scanc_graph_param_step(scanc_graph *g, const char *name, scanc_value xs, int dim_) {
  builder *b = g ? builder_of(g->mod) : NULL;
  scope *s = open_for_parameters(b, g);
  const type *t = s ? tensor_type(b, xs, name) : NULL;
  if (!t) return builder_invalid(g ? g->mod : NULL);
  int axis = dim_ < 0 ? dim_ + t->n : dim_, n = 0;
  if (axis < 0 || axis >= t->n)
    return builder_fail(b, SCANC_ERR_SCAN_RANK,
                        "parameter '%.100s': no dimension %d in a tensor of rank %d",
                        name ? name : "NULL", dim_, t->n);
  dim dims[SCANC_MAX_RANK];
  for (int i = 0; i < t->n; i++)
    if (i != axis) dims[n++] = t->dims[i];
  return add_parameter(b, s, name, type_tensor(b->m->mem, t->dtype, dims, n));
}

static bool check_results(builder *b, val v) {
  int n = v.kind == VAL_LIST ? v.n : 1;
  for (int i = 0; i < n; i++) {
    val item = v.kind == VAL_LIST ? v.items[i] : v;
    bool several = item.kind == VAL_NODE && item.node->type && item.node->type->kind == TYPE_LIST;
    if (several || (item.kind != VAL_NODE && item.kind != VAL_NONE)) {
      builder_fail(b, SCANC_ERR_BAD_ARGUMENT, "result %d of '%.100s': expected one value or None",
                   i, b->open->g->class_name);
      return false;
    }
  }
  return true;
}

void scanc_graph_return(scanc_graph *g, scanc_value results) {
  builder *b = g ? builder_of(g->mod) : NULL;
  val v;
  if (!b) return;
  if (b->open->g != g || !b->open->parent) {
    builder_fail(b, SCANC_ERR_USAGE, "'%.100s' returns while '%.100s' is under construction",
                 g->class_name, b->open->g->class_name);
    return;
  }
  if (!value_to_val(b, results, &v) || !check_results(b, v)) return;
  cursor c = builder_cursor(b->open);
  node_output(&c, v);
  b->open->returned = true;
  b->open = b->open->parent;
}
