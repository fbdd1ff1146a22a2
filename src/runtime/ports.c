/* Inputs and outputs of a program: their description, and the binding of arrays to them. */
#include <stdio.h>
#include <string.h>

#include "runtime/program.h"

/* ---- description ---- */

/* The element type of a number as a 0-d array; false: not a number. */
static bool number_dtype(type_kind k, scanc_dtype *out) {
  *out = k == TYPE_INT ? SCANC_I64 : k == TYPE_FLOAT ? SCANC_F64 : SCANC_BOOL;
  return k == TYPE_INT || k == TYPE_FLOAT || k == TYPE_BOOL;
}

static void describe_type(program *p, scanc_port *q, const type *t) {
  bool array = t && type_is_tensor(t);
  q->dtype = SCANC_F32;
  q->typed = array || (t && number_dtype(t->kind, &q->dtype));
  q->rank = array ? t->n : q->typed ? 0 : -1;
  if (array) q->dtype = t->dtype;
  for (int i = 0; i < q->rank; i++) {
    str s = {0};
    dim_print(&s, t->dims[i]);
    q->dim_text[i] = arena_strdup(p->mem, str_cstr(&s));
    q->dims[i] = dim_is_int(t->dims[i]) ? t->dims[i].k : -1;
    str_free(&s);
  }
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
    if (row->target) q->port.target = arena_strdup(p->mem, row->target);
  }
  if (n->n_args) q->dflt = n->args[0];
  q->unused = !node_has_uses(n);
}

/* An attribute is named by its path; a second one of that name by class and path. */
static void add_attribute(program *p, const graph *g, const char *path, const type *t) {
  if (ports_attr(p, g, path) >= 0) {
    const in_port *have = &p->inputs[ports_attr(p, g, path)];
    if (!strcmp(have->class_name, g->class_name)) return;
  }
  bool taken = scanc_program_find_input(p, path) >= 0;
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

bool ports_inputs(program *p, scanc_error *err) {
  (void)err;
  FOR_EACH_NODE (n, p->mod->main) {
    if (n->kind == NODE_PLACEHOLDER) add_parameter(p, n);
  }
  p->n_params = p->n_inputs;
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
  for (int i = 0; target && i < p->n_inputs; i++) {
    const scanc_port *q = &p->inputs[i].port;
    if (!strcmp(q->name, target) || (q->target && !strcmp(q->target, target))) return q->name;
  }
  return target;
}

/* Anything but a tensor, a number, or a value of unknown type. */
static bool has_no_array(val v, const type *t) {
  scanc_dtype d;
  if (v.kind == VAL_NODE && !t) return false;
  return !type_is_tensor(t) && !(t && number_dtype(t->kind, &d));
}

static bool add_output(program *p, val v, int result, const port *row, scanc_error *err) {
  const type *t = val_type(p->mod, v);
  out_port *q = &p->outputs[p->n_outputs++];
  q->result = result;
  q->port.name = arena_strdup(p->mem, v.kind == VAL_NODE ? v.node->name : "");
  q->port.kind = has_no_array(v, t) ? SCANC_PORT_NONE : SCANC_PORT_USER;
  describe_type(p, &q->port, q->port.kind == SCANC_PORT_NONE ? NULL : t);
  if (is_mutation(row)) {
    q->port.kind = SCANC_PORT_MUTATION;
    q->port.target = mutated_input(p, row->target);
  }
  if (v.kind != VAL_NODE || !t || t->kind != TYPE_LIST) return true;
  return err_set(
      err, SCANC_ERR_UNSUPPORTED, (src_loc){p->mod->name, v.node->loc.line, v.node->loc.col},
      "%.120s: the program returns a tuple as one value; return its items", v.node->name);
}

bool ports_outputs(program *p, scanc_error *err) {
  const node *out = graph_output(p->mod->main);
  val v = out && out->n_args ? out->args[0] : val_none();
  int n = count_leaves(v), k = 0;
  val *leaf = ARENA_ARRAY(p->mem, val, n);
  collect_leaves(v, leaf, &k);
  bool rows = p->mod->outputs.len == n;
  p->outputs = ARENA_ARRAY(p->mem, out_port, n);
  for (int mutations = 0; mutations < 2; mutations++)
    for (int i = 0; i < n; i++) {
      const port *row = rows ? &p->mod->outputs.data[i] : NULL;
      if (is_mutation(row) == mutations && !add_output(p, leaf[i], i, row, err)) return false;
    }
  return true;
}

int scanc_program_n_inputs(const scanc_program *p) { return p->n_inputs; }
int scanc_program_n_outputs(const scanc_program *p) { return p->n_outputs; }
scanc_port scanc_program_input(const scanc_program *p, int i) { return p->inputs[i].port; }
scanc_port scanc_program_output(const scanc_program *p, int i) { return p->outputs[i].port; }

int scanc_program_find_input(const scanc_program *p, const char *name) {
  for (int i = 0; i < p->n_inputs; i++)
    if (!strcmp(p->inputs[i].port.name, name)) return i;
  return -1;
}

/* ---- binding arrays ---- */

typedef struct {
  const program *p;
  const scanc_tensor *arrays;
  int64_t *values; /* per symbol */
  bool *known;
  scanc_error *err;
} binder;

static bool reject(const binder *b, scanc_code code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static bool reject(const binder *b, scanc_code code, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  err_vset(b->err, code, (src_loc){b->p->mod->name, 0, 0}, fmt, ap);
  va_end(ap);
  return false;
}

static bool is_missing(const scanc_tensor *t) {
  if (t->data) return false;
  for (int i = 0; i < t->rank; i++)
    if (t->sizes[i] == 0) return false;
  return true;
}

static bool sizes_are_valid(const scanc_tensor *t) {
  if (t->rank < 0 || t->rank > SCANC_MAX_RANK || (unsigned)t->dtype >= SCANC_N_DTYPES) return false;
  int64_t n = 16;
  for (int i = 0; i < t->rank; i++)
    if (t->sizes[i] < 0 || (t->sizes[i] && __builtin_mul_overflow(n, t->sizes[i], &n)))
      return false;
  return true;
}

/* Element type and rank against the annotation. */
static bool check_kind(const binder *b, const in_port *q, const scanc_tensor *t) {
  const char *name = q->port.name;
  if (!sizes_are_valid(t))
    return reject(b, SCANC_ERR_INPUT_SHAPE, "input '%s': the array has impossible sizes", name);
  if (!q->port.typed) return true;
  if (t->dtype != q->port.dtype)
    return reject(b, SCANC_ERR_INPUT_DTYPE, "input '%s': expected %s, got %s", name,
                  scanc_dtype_name(q->port.dtype), scanc_dtype_name(t->dtype));
  if (t->rank == q->port.rank) return true;
  str want = {0}, got = {0};
  for (int i = 0; i < q->port.rank; i++) str_printf(&want, i ? ", %s" : "%s", q->port.dim_text[i]);
  for (int i = 0; i < t->rank; i++) str_printf(&got, i ? ", %lld" : "%lld", (long long)t->sizes[i]);
  reject(b, SCANC_ERR_INPUT_SHAPE,
         "input '%s' has another number of dimensions: expected [%.200s], got [%.200s]", name,
         str_cstr(&want), str_cstr(&got));
  str_free(&want);
  str_free(&got);
  return false;
}

static bool check_kinds(const binder *b) {
  for (int i = 0; i < b->p->n_inputs; i++) {
    const in_port *q = &b->p->inputs[i];
    const scanc_tensor *t = &b->arrays[i];
    if (!is_missing(t)) {
      if (!check_kind(b, q, t)) return false;
    } else if (!q->unused && q->dflt.kind == VAL_ABSENT) {
      return reject(b, SCANC_ERR_MISSING_INPUT, "no array was given for input '%s'", q->port.name);
    }
  }
  return true;
}

/* ---- symbols ---- */

/* Solves d == value for a symbol; true if one became known. */
static bool learn(binder *b, dim d, int64_t value) {
  int symbol;
  int64_t solution;
  if (dim_solve(b->p->mod->syms, d, value, b->values, b->known, &symbol, &solution) != DIM_SOLVED)
    return false;
  b->values[symbol] = solution;
  b->known[symbol] = true;
  return true;
}

static bool is_number(const in_port *q) { return q->type && q->type->kind == TYPE_INT; }
static int64_t number_of(const scanc_tensor *t) { return number_load(t->dtype, t->data).i; }

static bool learn_all(binder *b) {
  bool any = false;
  for (int i = 0; i < b->p->n_inputs; i++) {
    const in_port *q = &b->p->inputs[i];
    const scanc_tensor *t = &b->arrays[i];
    if (!q->port.typed || is_missing(t)) continue;
    if (is_number(q)) any |= learn(b, q->type->i, number_of(t));
    for (int k = 0; k < q->port.rank; k++) any |= learn(b, q->type->dims[k], t->sizes[k]);
  }
  return any;
}

/* "input 'x', dimension 1: expected size s1 = 4, got 5"; axis -1: a number. `want` NULL: no symbol
 * can be that. */
static bool reject_size(const binder *b, const in_port *q, dim d, int axis, const int64_t *want,
                        int64_t got) {
  str text = {0};
  str_printf(&text, "input '%s'", q->port.name);
  str_printf(&text, axis < 0 ? ": expected " : ", dimension %d: expected size ", axis);
  dim_print(&text, d);
  if (!want) str_append(&text, " with an integer symbol");
  else if (!dim_is_int(d)) str_printf(&text, " = %lld", (long long)*want);
  reject(b, SCANC_ERR_INPUT_SHAPE, "%s, got %lld", str_cstr(&text), (long long)got);
  str_free(&text);
  return false;
}

/* A size against its annotation; one that mentions an unbound symbol cannot be checked further. */
static bool check_size(const binder *b, const in_port *q, dim d, int axis, int64_t value) {
  const symtab *syms = b->p->mod->syms;
  int64_t want = d.k;
  int symbol;
  if (!dim_is_int(d) && !dim_eval(syms, d, b->values, b->known, &want))
    return dim_solve(syms, d, value, b->values, b->known, &symbol, &want) != DIM_IMPOSSIBLE ||
           reject_size(b, q, d, axis, NULL, value);
  return value == want || reject_size(b, q, d, axis, &want, value);
}

static bool check_sizes(const binder *b) {
  for (int i = 0; i < b->p->n_inputs; i++) {
    const in_port *q = &b->p->inputs[i];
    const scanc_tensor *t = &b->arrays[i];
    if (!q->port.typed || is_missing(t)) continue;
    if (is_number(q) && !check_size(b, q, q->type->i, -1, number_of(t))) return false;
    for (int k = 0; k < q->port.rank; k++)
      if (!check_size(b, q, q->type->dims[k], k, t->sizes[k])) return false;
  }
  return true;
}

static bool check_range(const binder *b, const char *what, int64_t value, int64_t min,
                        int64_t max) {
  if (value >= min && value <= max) return true;
  if (max == INT64_MAX)
    return reject(b, SCANC_ERR_RANGE,
                  "%.120s is outside its range: expected at least %lld, got %lld", what,
                  (long long)min, (long long)value);
  return reject(b, SCANC_ERR_RANGE, "%.120s is outside its range: expected %lld to %lld, got %lld",
                what, (long long)min, (long long)max, (long long)value);
}

static bool check_ranges(const binder *b) {
  const module *m = b->p->mod;
  for (int i = 0; i < symtab_n_symbols(m->syms); i++) {
    int64_t min, max;
    if (!b->known[i]) continue;
    sym_range(m->syms, symtab_symbol(m->syms, i), &min, &max);
    if (!check_range(b, symtab_symbol(m->syms, i), b->values[i], min, max)) return false;
  }
  for (int i = 0; i < m->ranges.len; i++) {
    const range_constraint *r = &m->ranges.data[i];
    int64_t value = r->expr.k;
    if (!dim_is_int(r->expr) && !dim_eval(m->syms, r->expr, b->values, b->known, &value)) continue;
    str text = {0};
    dim_print(&text, r->expr);
    bool ok = check_range(b, str_cstr(&text), value, r->min, r->max);
    str_free(&text);
    if (!ok) return false;
  }
  return true;
}

/* ---- values ---- */

static rval default_value(val v) {
  switch (v.kind) {
    case VAL_INT: return (rval){.kind = TYPE_INT, .i = v.i};
    case VAL_BOOL: return (rval){.kind = TYPE_BOOL, .i = v.i};
    case VAL_FLOAT: return (rval){.kind = TYPE_FLOAT, .f = v.f};
    default: return (rval){.kind = TYPE_NONE};
  }
}

static bool array_value(const binder *b, const in_port *q, const scanc_tensor *t, arena *tmp,
                        pool *mem, rval *out) {
  scanc_dtype d;
  if (q->type && number_dtype(q->type->kind, &d)) {
    number x = number_load(t->dtype, t->data);
    *out = (rval){.kind = q->type->kind};
    if (d == SCANC_F64) out->f = x.f;
    else out->i = x.i;
    return true;
  }
  tensor *v = ARENA_NEW(tmp, tensor);
  *v = (tensor){.data = t->data, .dtype = t->dtype, .rank = t->rank};
  memcpy(v->sizes, t->sizes, sizeof v->sizes);
  memcpy(v->strides, t->strides, sizeof v->strides);
  v->store = pool_borrow(mem, t->data, 0);
  if (!v->store) return reject(b, SCANC_ERR_NO_MEMORY, "out of memory");
  *out = (rval){.kind = TYPE_TENSOR, .t = v};
  return true;
}

bool ports_bind(const program *p, const scanc_tensor *arrays, arena *tmp, pool *mem,
                interp_call *call, scanc_error *err) {
  int n_symbols = symtab_n_symbols(p->mod->syms);
  binder b = {p, arrays, ARENA_ARRAY(tmp, int64_t, n_symbols), ARENA_ARRAY(tmp, bool, n_symbols),
              err};
  if (!check_kinds(&b)) return false;
  while (learn_all(&b)) continue;
  if (!check_sizes(&b) || !check_ranges(&b)) return false;
  rval *values = ARENA_ARRAY(tmp, rval, p->n_inputs);
  call->inputs = values;
  for (int i = 0; i < p->n_inputs; i++) {
    if (is_missing(&arrays[i])) values[i] = default_value(p->inputs[i].dflt);
    else if (!array_value(&b, &p->inputs[i], &arrays[i], tmp, mem, &values[i])) return false;
  }
  call->sym_values = b.values;
  call->sym_known = b.known;
  return true;
}

void ports_release(const program *p, const interp_call *call) {
  for (int i = 0; call->inputs && i < p->n_inputs; i++)
    if (call->inputs[i].kind == TYPE_TENSOR) storage_release(call->inputs[i].t->store);
}
