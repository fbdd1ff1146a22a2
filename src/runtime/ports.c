/* Inputs and outputs of a program: their description. */
#include <string.h>

#include "runtime/program.h"

/* ---- description ---- */

bool ports_number_dtype(type_kind k, scanc_dtype *out) {
  *out = k == TYPE_INT ? SCANC_I64 : k == TYPE_FLOAT ? SCANC_F64 : SCANC_BOOL;
  return k == TYPE_INT || k == TYPE_FLOAT || k == TYPE_BOOL;
}

static void describe_type(program *p, scanc_port *q, const type *t) {
  bool array = t && type_is_tensor(t);
  q->dtype = SCANC_F32;
  q->typed = array || (t && ports_number_dtype(t->kind, &q->dtype));
  q->rank = array ? t->n : q->typed ? 0 : -1;
  if (array) q->dtype = t->dtype;
  for (int i = 0; i < q->rank; i++) {
    str s = {0};
    dim_print(&s, t->dims[i]);
    q->dim_text[i] = arena_strdup(p->mem, str_cstr(&s));
    q->dims[i] = dim_is_int(t->dims[i]) ? t->dims[i].k : -1;
    dim_bounds(p->mod->syms, t->dims[i], &q->dim_min[i], &q->dim_max[i]);
    if (q->dim_min[i] < 0) q->dim_min[i] = 0;
    str_free(&s);
  }
  if (t && t->kind == TYPE_INT) dim_bounds(p->mod->syms, t->i, &q->dim_min[0], &q->dim_max[0]);
}

static in_port *new_input(program *p, const char *name, const type *t) {
  if (p->n_inputs == p->cap_inputs) {
    p->cap_inputs = p->cap_inputs ? 2 * p->cap_inputs : 16;
    in_port *grown = ARENA_ARRAY(p->mem, in_port, p->cap_inputs);
    if (p->n_inputs) memcpy(grown, p->inputs, sizeof *grown * (size_t)p->n_inputs);
    p->inputs = grown;
  }
  in_port *q = &p->inputs[p->n_inputs++];
  q->port.name = arena_strdup(p->mem, name);
  q->type = t;
  q->dflt = val_absent();
  describe_type(p, &q->port, t);
  return q;
}

static scanc_port_kind input_kind(port_kind k) {
  switch (k) {
    case PORT_PARAMETER: return SCANC_PORT_PARAMETER;
    case PORT_BUFFER: return SCANC_PORT_BUFFER;
    case PORT_CONSTANT: return SCANC_PORT_CONSTANT;
    default: return SCANC_PORT_USER;
  }
}

static void add_parameter(program *p, const node *n) {
  in_port *q = new_input(p, n->name, n->type);
  for (int i = 0; i < p->mod->inputs.len; i++) {
    const port *row = &p->mod->inputs.data[i];
    if (strcmp(row->name, n->name)) continue;
    q->port.kind = input_kind(row->kind);
    const char *target = row->target ? row->target : row->tree;
    if (target) q->port.target = arena_strdup(p->mem, target);
  }
  if (n->n_args) q->dflt = n->args[0];
  q->unused = !node_has_uses(n);
}

static bool has_input(const program *p, const char *name) {
  for (int i = 0; i < p->n_inputs; i++)
    if (!strcmp(p->inputs[i].port.name, name)) return true;
  return false;
}

/* An attribute is named by its path; a second one of that name by class and path. */
static void add_attribute(program *p, const graph *g, const char *path, const type *t) {
  if (ports_attr(p, g, path) >= 0) {
    const in_port *have = &p->inputs[ports_attr(p, g, path)];
    if (!strcmp(have->class_name, g->class_name)) return;
  }
  bool taken = has_input(p, path);
  in_port *q = new_input(p, taken ? arena_printf(p->mem, "%s.%s", g->class_name, path) : path, t);
  q->port.kind = SCANC_PORT_CONSTANT;
  q->port.target = q->path = arena_strdup(p->mem, path);
  q->class_name = arena_strdup(p->mem, g->class_name);
}

static void add_attributes(graph *g, void *ctx) {
  FOR_EACH_NODE (n, g) {
    const attr *a = n->kind == NODE_GET_ATTR ? graph_find_attr(g, n->path) : NULL;
    if (a && a->kind == ATTR_TENSOR) add_attribute(ctx, g, n->path, a->type);
  }
}

/* Passes may return other nodes, but only add results behind those that were read. */
static void name_results(program *p) {
  val *leaf;
  p->n_results = ports_leaves(p->mod, p->mem, &leaf);
  p->result_names = ARENA_ARRAY(p->mem, const char *, p->n_results);
  for (int i = 0; i < p->n_results; i++)
    p->result_names[i] = leaf[i].kind == VAL_NODE ? arena_strdup(p->mem, leaf[i].node->name) : "";
}

bool ports_inputs(program *p, scanc_error *err) {
  (void)err;
  name_results(p);
  FOR_EACH_NODE (n, p->mod->main) {
    if (n->kind == NODE_PLACEHOLDER) add_parameter(p, n);
  }
  p->n_params = p->n_inputs;
  for (int i = 0; i < p->n_params; i++) p->reads_numbers |= !type_is_tensor(p->inputs[i].type);
  add_attributes(p->mod->main, p);
  graph_walk(p->mod->main, add_attributes, p);
  return true;
}

/* Passes may move a get_attr to another graph: then the path alone decides. */
int ports_attr(void *prog, const graph *g, const char *path) {
  const program *p = prog;
  int found = -1;
  for (int i = p->n_params; i < p->n_inputs; i++) {
    if (strcmp(p->inputs[i].path, path)) continue;
    if (!strcmp(p->inputs[i].class_name, g->class_name)) return i;
    if (found < 0) found = i;
  }
  return found;
}

/* ---- outputs ---- */

static int count_leaves(val v) {
  if (v.kind != VAL_LIST && v.kind != VAL_TUPLE && v.kind != VAL_DICT) return 1;
  int n = 0, step = v.kind == VAL_DICT ? 2 : 1;
  for (int i = step - 1; i < v.n; i += step) n += count_leaves(v.items[i]);
  return n;
}

static void collect_leaves(val v, val *out, int *n) {
  if (v.kind != VAL_LIST && v.kind != VAL_TUPLE && v.kind != VAL_DICT) {
    out[(*n)++] = v;
    return;
  }
  int step = v.kind == VAL_DICT ? 2 : 1;
  for (int i = step - 1; i < v.n; i += step) collect_leaves(v.items[i], out, n);
}

static bool is_mutation(const port *row) {
  return row && (row->kind == PORT_MUTATION_BUFFER || row->kind == PORT_MUTATION_PARAMETER ||
                 row->kind == PORT_MUTATION_USER);
}

/* The input that a mutation's target names: by its own name or by the qualified one. */
static const char *mutated_input(const program *p, const char *target) {
  int i = target ? scanc_program_find_input(p, target) : -1;
  return i < 0 ? target : p->inputs[i].port.name;
}

/* Anything but a tensor, a number, or a value of unknown type. */
static bool has_no_array(val v, const type *t) {
  scanc_dtype d;
  if (v.kind == VAL_NODE && !t) return false;
  return !type_is_tensor(t) && !(t && ports_number_dtype(t->kind, &d));
}

static bool add_output(program *p, val v, int result, const port *row, scanc_error *err) {
  const type *t = val_type(p->mod, v);
  out_port *q = &p->outputs[p->n_outputs++];
  q->result = result;
  q->type = t;
  const char *name = v.kind == VAL_NODE ? v.node->name : "";
  q->port.name = result < p->n_results ? p->result_names[result] : arena_strdup(p->mem, name);
  q->port.kind = has_no_array(v, t) ? SCANC_PORT_NONE : SCANC_PORT_USER;
  describe_type(p, &q->port, q->port.kind == SCANC_PORT_NONE ? NULL : t);
  if (is_mutation(row)) {
    q->port.kind = SCANC_PORT_MUTATION;
    q->port.target = mutated_input(p, row->target);
  }
  if (v.kind != VAL_NODE || !t || t->kind != TYPE_LIST) return true;
  src_loc loc = v.node->loc;
  loc.file = p->mod->name;
  return err_set(err, SCANC_ERR_UNSUPPORTED, loc,
                 "%.120s: the program returns a tuple as one value; return its items",
                 v.node->name);
}

int ports_leaves(const module *m, arena *a, val **leaves) {
  const node *out = graph_output(m->main);
  val v = out && out->n_args ? out->args[0] : val_none();
  int n = count_leaves(v), k = 0;
  *leaves = ARENA_ARRAY(a, val, n);
  collect_leaves(v, *leaves, &k);
  return n;
}

bool ports_outputs(program *p, scanc_error *err) {
  val *leaf;
  int n = ports_leaves(p->mod, p->mem, &leaf);
  bool rows = p->mod->outputs.len == n;
  p->outputs = ARENA_ARRAY(p->mem, out_port, n);
  for (int mutations = 0; mutations < 2; mutations++)
    for (int i = 0; i < n; i++) {
      const port *row = rows ? &p->mod->outputs.data[i] : NULL;
      if (is_mutation(row) == mutations && !add_output(p, leaf[i], i, row, err)) return false;
    }
  return true;
}

static const scanc_port no_port = {.kind = SCANC_PORT_NONE, .rank = -1};

int scanc_program_n_inputs(const scanc_program *p) { return p ? p->n_inputs : 0; }
int scanc_program_n_outputs(const scanc_program *p) { return p ? p->n_outputs : 0; }
scanc_port scanc_program_input(const scanc_program *p, int i) {
  return i >= 0 && i < scanc_program_n_inputs(p) ? p->inputs[i].port : no_port;
}
scanc_port scanc_program_output(const scanc_program *p, int i) {
  return i >= 0 && i < scanc_program_n_outputs(p) ? p->outputs[i].port : no_port;
}

int scanc_program_find_output(const scanc_program *p, const char *name) {
  if (!p || !name) return -1;
  for (int i = 0; i < p->n_outputs; i++)
    if (!strcmp(p->outputs[i].port.name, name)) return i;
  return -1;
}

int scanc_program_find_input(const scanc_program *p, const char *name) {
  if (!p || !name) return -1;
  for (int i = 0; i < p->n_inputs; i++)
    if (!strcmp(p->inputs[i].port.name, name)) return i;
  for (int i = 0; i < p->n_inputs; i++)
    if (p->inputs[i].port.target && !strcmp(p->inputs[i].port.target, name)) return i;
  return -1;
}
