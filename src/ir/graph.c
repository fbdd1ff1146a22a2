/* Modules, graphs, nodes and the primitives that edit them. */
#include "ir/graph.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ir/bind.h"
#include "ir/infer.h"

/* ---- modules ---- */

module *module_new(const char *name) {
  arena *mem = arena_new();
  module *m = ARENA_NEW(mem, module);
  m->mem = mem;
  m->syms = symtab_new(mem);
  m->name = arena_strdup(mem, name);
  return m;
}

void module_free(module *m) {
  if (!m) return;
  value_store_release(m->data);
  arena_free(m->mem);
}

void module_record(module *m, scanc_code code, src_loc loc, const char *fmt, ...) {
  if (m->err.code) return;
  if (!loc.file) loc.file = m->name;
  va_list ap;
  va_start(ap, fmt);
  err_vset(&m->err, code, loc, fmt, ap);
  va_end(ap);
  if (m->text) err_quote(&m->err, m->text, m->text_len);
}

enum { MAX_FAULTS = 100 }; /* noted in one module; the next one ends the work */

void module_note(module *m) {
  if (!m->faults || !m->err.code || m->faults->found.len == MAX_FAULTS) return;
  vec_push(m->faults->mem, &m->faults->found, m->err);
  m->err = (scanc_error){0};
}

/* ---- graphs ---- */

graph *graph_new(module *m, const char *class_name) {
  graph *g = ARENA_NEW(m->mem, graph);
  g->mod = m;
  g->class_name = arena_strdup(m->mem, class_name);
  g->names = map_make(m->mem);
  g->name_counters = map_make(m->mem);
  vec_push(m->mem, &m->graphs, g);
  if (!m->main) m->main = g;
  return g;
}

attr *graph_add_attr(graph *g, const char *name, attr_kind kind, graph *sub) {
  attr a = {.name = arena_strdup(g->mod->mem, name), .kind = kind, .sub = sub};
  vec_push(g->mod->mem, &g->attrs, a);
  return &vec_last(&g->attrs);
}

attr *graph_find_attr(const graph *g, const char *name) {
  for (int i = 0; i < g->attrs.len; i++)
    if (!strcmp(g->attrs.data[i].name, name)) return &g->attrs.data[i];
  return NULL;
}

node *graph_find(const graph *g, const char *name) { return map_get(&g->names, name); }

node *graph_output(const graph *g) {
  return g->last && g->last->kind == NODE_OUTPUT ? g->last : NULL;
}

/* Nothing is noted in the graphs, so that several threads may read one module. */
static void walk(graph *g, bool *seen, void (*fn)(graph *g, void *ctx), void *ctx) {
  int i = 0;
  while (g->mod->graphs.data[i] != g) i++;
  if (seen[i]) return;
  seen[i] = true;
  FOR_EACH_NODE (n, g) {
    graph *sub = n->kind == NODE_GET_ATTR ? val_graph(val_node(n)) : NULL;
    if (sub) walk(sub, seen, fn, ctx);
  }
  fn(g, ctx);
}

void graph_walk(graph *root, void (*fn)(graph *g, void *ctx), void *ctx) {
  arena *mem = arena_new();
  walk(root, ARENA_ARRAY(mem, bool, root->mod->graphs.len), fn, ctx);
  arena_free(mem);
}

/* ---- names, by FX's rules ---- */

static bool is_one_of(const char *const *words, size_t n, const char *s) {
  for (size_t i = 0; i < n; i++)
    if (!strcmp(words[i], s)) return true;
  return false;
}

bool graph_is_keyword(const char *s) {
  static const char *const words[] = {
      "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
      "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
      "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
      "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
  return is_one_of(words, sizeof words / sizeof *words, s);
}

/* Names that FX never gives bare: keywords, builtins and what generated code uses. */
static bool is_reserved(const char *s) {
  static const char *const words[] = {
      "abs",       "all",      "any",    "bin",    "bool",     "bytes",     "chr",    "complex",
      "copyright", "credits",  "dict",   "dir",    "divmod",   "enumerate", "eval",   "exec",
      "exit",      "filter",   "float",  "format", "getattr",  "hash",      "help",   "hex",
      "id",        "input",    "int",    "iter",   "len",      "license",   "list",   "map",
      "max",       "min",      "next",   "object", "oct",      "open",      "ord",    "pow",
      "print",     "property", "quit",   "range",  "repr",     "reversed",  "round",  "set",
      "setattr",   "slice",    "sorted", "str",    "sum",      "super",     "tuple",  "type",
      "vars",      "zip",      "inf",    "nan",    "NoneType", "torch",     "device", "fx_pytree",
      "pytree"};
  return graph_is_keyword(s) || is_one_of(words, sizeof words / sizeof *words, s);
}

/* An identifier made of candidate: illegal runs become `_`, a leading digit gets `_` in front. */
static char *legal_name(arena *a, const char *candidate) {
  char *s = arena_alloc(a, strlen(candidate) + 12), *q = s;
  if (isdigit((unsigned char)*candidate)) *q++ = '_';
  for (const char *p = candidate; *p; p++) {
    bool ok = isalnum((unsigned char)*p) || *p == '_' || (unsigned char)*p >= 0x80;
    if (ok) *q++ = *p;
    else if (q == s || q[-1] != '_') *q++ = '_';
  }
  if (q == s) strcpy(s, "_unnamed");
  return s;
}

const char *graph_fresh_name(graph *g, const char *candidate) {
  arena *a = g->mod->mem;
  char *base = legal_name(a, candidate);
  char *tail = base + strlen(base);
  while (tail > base && isdigit((unsigned char)tail[-1])) tail--;
  long long k = -1; /* no number */
  if (*tail && tail > base + 1 && tail[-1] == '_' && strlen(tail) < 10) {
    k = atoll(tail);
    tail[-1] = 0;
  }
  const char *name = k >= 0 ? arena_printf(a, "%s_%lld", base, k) : base;
  if (!map_has(&g->names, name) && (k >= 0 || !is_reserved(name))) return name;
  intptr_t next = (intptr_t)map_get(&g->name_counters, base);
  do name = arena_printf(a, "%s_%lld", base, (long long)++next);
  while (map_has(&g->names, name));
  map_set(&g->name_counters, base, (void *)next);
  return name;
}

/* The candidate name of a call: the last telling part of its path in snake case. */
static const char *name_of_path(arena *a, const char *path) {
  static const char *const spaces[] = {"torch.ops.aten.", "torch.ops.prims."};
  const char *hop = "torch.ops.higher_order.";
  for (int i = 0; i < 2; i++) {
    if (strncmp(path, spaces[i], strlen(spaces[i]))) continue;
    const char *s = path + strlen(spaces[i]), *dot = strchr(s, '.');
    return dot ? arena_strndup(a, s, (size_t)(dot - s)) : arena_strdup(a, s);
  }
  if (!strncmp(path, hop, strlen(hop))) return path + strlen(hop);
  const char *dot = strrchr(path, '.');
  return dot ? dot + 1 : path;
}

/* ---- uses ---- */

typedef struct {
  node *user;
  int n;
} use_counter;

static void count_use(node *n, void *ctx) {
  (void)n;
  ((use_counter *)ctx)->n++;
}

static void link_use(node *def, void *ctx) {
  use_counter *c = ctx;
  use *u = &c->user->arg_uses[c->n++];
  *u = (use){.user = c->user, .def = def, .next = def->uses};
  if (def->uses) def->uses->prev = u;
  def->uses = u;
}

static void each_arg_node(node *n, void (*fn)(node *n, void *ctx), void *ctx) {
  for (int i = 0; i < n->n_args; i++) val_each_node(n->args[i], fn, ctx);
}

static void drop_uses(node *n) {
  for (int i = 0; i < n->n_arg_uses; i++) {
    use *u = &n->arg_uses[i];
    if (u->next) u->next->prev = u->prev;
    *(u->prev ? &u->prev->next : &u->def->uses) = u->next;
  }
  n->n_arg_uses = 0;
}

static void add_uses(node *n) {
  use_counter c = {n, 0};
  each_arg_node(n, count_use, &c);
  n->arg_uses = ARENA_ARRAY(n->owner->mod->mem, use, c.n);
  n->n_arg_uses = c.n;
  c.n = 0;
  each_arg_node(n, link_use, &c);
}

bool node_has_uses(const node *n) { return n->uses != NULL; }

int node_n_uses(const node *n) {
  int k = 0;
  for (const use *u = n->uses; u; u = u->next) k++;
  return k;
}

/* True for the first of several uses by one user in list order. */
static bool first_of_user(const node *n, const use *u) {
  for (const use *v = n->uses; v != u; v = v->next)
    if (v->user == u->user) return false;
  return true;
}

int node_n_users(const node *n) {
  int k = 0;
  for (const use *u = n->uses; u; u = u->next) k += first_of_user(n, u);
  return k;
}

node *node_user(const node *n, int i) {
  for (const use *u = n->uses; u; u = u->next)
    if (first_of_user(n, u) && i-- == 0) return u->user;
  return NULL;
}

/* ---- types of values ---- */

static const type *seq_type(module *m, val v) {
  const type **items = ARENA_ARRAY(m->mem, const type *, v.n);
  for (int i = 0; i < v.n; i++) items[i] = val_type(m, v.items[i]);
  return type_list(m->mem, items, v.n);
}

const type *val_type(module *m, val v) {
  switch (v.kind) {
    case VAL_ABSENT: return &type_absent;
    case VAL_NODE: return v.node->type;
    case VAL_NONE: return &type_none;
    case VAL_BOOL: return type_bool(m->mem, v.i);
    case VAL_INT: return type_int(m->mem, dim_int(v.i));
    case VAL_FLOAT: return type_float(m->mem, v.f);
    case VAL_COMPLEX: return type_complex(m->mem, v.f, v.im);
    case VAL_STR: return type_str(m->mem, v.s);
    case VAL_DTYPE: return type_dtype(m->mem, v.dtype);
    case VAL_LIST:
    case VAL_TUPLE:
    case VAL_SIZE: return seq_type(m, v);
    case VAL_SLICE: return type_slice(m->mem, seq_type(m, v)->items);
    case VAL_ELLIPSIS: return type_other(m->mem, "Ellipsis");
    case VAL_BIGINT:
    case VAL_ATOM:
    case VAL_BYTES: return type_other(m->mem, v.s);
    default: return type_other(m->mem, "object");
  }
}

graph *val_graph(val v) {
  if (v.kind != VAL_NODE || !v.node->type || v.node->type->kind != TYPE_GRAPH) return NULL;
  return v.node->type->graph;
}

/* ---- inference of one node ---- */

static void infer_call(node *n) {
  module *m = n->owner->mod;
  n->type = NULL;
  if (!n->op || m->err.code) return;
  const type *args[MAX_OPERANDS];
  for (int k = 0; k < n->op->n_operands; k++) args[k] = val_type(m, n->operands[k]);
  infer_ctx c = {.mem = m->mem,
                 .syms = m->syms,
                 .op = n->op,
                 .arg = args,
                 .lenient = m->lenient,
                 .mod = m,
                 .scan = n->scan,
                 .err = &m->err,
                 .loc = n->loc,
                 .what = n->name};
  if (!c.loc.file) c.loc.file = m->name;
  n->type = infer_op(&c);
  const type *changed = n->in_place && n->n_args ? val_type(m, n->args[0]) : NULL;
  bool reshapes = n->op->traits & T_VIEW; /* x.unsqueeze_(0): another view from now on */
  if (n->type && changed && type_is_tensor(changed) && !reshapes) n->type = changed;
  if (m->err.code && m->text && !*m->err.source) err_quote(&m->err, m->text, m->text_len);
}

/* Resolves the target with the present arguments and infers the type. An annotation stays where
 * inference knows nothing. */
static void bind_node(node *n) {
  if (n->kind != NODE_CALL_FUNCTION && n->kind != NODE_CALL_METHOD) return;
  module *m = n->owner->mod;
  const type *annotation = n->annotated ? n->type : NULL;
  resolution r;
  n->op = NULL;
  n->row = NULL;
  n->type = annotation;
  if (!bind_call(m, n->kind, n->path, n->args, n->n_pos, n->kw, n->n_args - n->n_pos, n->loc, &r)) {
    module_note(m);
    return;
  }
  n->spelling = r.spelling;
  n->row = r.row;
  n->op = r.op;
  n->in_place = r.in_place;
  if (!r.op) return;
  n->operands = arena_copy(m->mem, r.operands, sizeof(val) * (size_t)r.op->n_operands);
  infer_call(n);
  module_note(m);
  if (!n->type) n->type = annotation;
}

/* ---- list links ---- */

static void link_before(node *n, node *where) {
  graph *g = n->owner;
  n->next = where;
  n->prev = where ? where->prev : g->last;
  *(n->prev ? &n->prev->next : &g->first) = n;
  *(where ? &where->prev : &g->last) = n;
  g->n_nodes++;
}

static void unlink_node(node *n) {
  graph *g = n->owner;
  *(n->prev ? &n->prev->next : &g->first) = n->next;
  *(n->next ? &n->next->prev : &g->last) = n->prev;
  n->prev = n->next = NULL;
  g->n_nodes--;
}

/* ---- cursors ---- */

cursor cursor_end(graph *g) { return (cursor){.g = g}; }
cursor cursor_before(node *n) { return (cursor){n->owner, n, n->loc, n->origin}; }
cursor cursor_after(node *n) { return (cursor){n->owner, n->next, n->loc, n->origin}; }

/* ---- creating ---- */

static void copy_args(node *n, const val *args, int n_pos, const char *const *kw, int n_kw) {
  arena *a = n->owner->mod->mem;
  n->args = arena_copy(a, args, sizeof *args * (size_t)(n_pos + n_kw));
  n->n_args = n_pos + n_kw;
  n->n_pos = n_pos;
  const char **names = ARENA_ARRAY(a, const char *, n_kw);
  for (int i = 0; i < n_kw; i++) names[i] = arena_strdup(a, kw[i]);
  n->kw = names;
}

static node *new_node(cursor *c, node_kind kind, const char *name, const char *path,
                      const val *args, int n_pos, const char *const *kw, int n_kw) {
  module *m = c->g->mod;
  node *n = ARENA_NEW(m->mem, node);
  n->id = m->n_ids++;
  n->kind = kind;
  n->owner = c->g;
  n->loc = c->loc;
  n->origin = c->origin;
  n->path = path ? arena_strdup(m->mem, path) : NULL;
  n->name = graph_fresh_name(c->g, name ? name : path ? name_of_path(m->mem, path) : "output");
  map_set(&c->g->names, n->name, n);
  copy_args(n, args, n_pos, kw, n_kw);
  add_uses(n);
  link_before(n, c->before);
  return n;
}

node *node_placeholder(cursor *c, const char *name, const char *target, const type *t,
                       val default_value) {
  node *n = new_node(c, NODE_PLACEHOLDER, name, target, &default_value,
                     default_value.kind != VAL_ABSENT, NULL, 0);
  n->type = t;
  return n;
}

node *node_get_attr(cursor *c, const char *name, const char *path) {
  node *n = new_node(c, NODE_GET_ATTR, name, path, NULL, 0, NULL, 0);
  const attr *a = graph_find_attr(c->g, path);
  if (a && a->kind == ATTR_GRAPH) n->type = type_graph(c->g->mod->mem, a->sub);
  if (a && a->kind == ATTR_TENSOR) n->type = a->type;
  return n;
}

node *node_output(cursor *c, val value) {
  node *n = new_node(c, NODE_OUTPUT, "output", NULL, &value, 1, NULL, 0);
  n->type = val_type(c->g->mod, value);
  return n;
}

static node *new_call(cursor *c, node_kind kind, const char *name, const char *path,
                      const val *args, int n_pos, const char *const *kw, int n_kw) {
  node *n = new_node(c, kind, name, path, args, n_pos, kw, n_kw);
  bind_node(n);
  return n;
}

node *node_call_module(cursor *c, const char *name, const char *path, const val *args, int n_pos,
                       const char *const *kw, int n_kw) {
  return new_call(c, NODE_CALL_MODULE, name, path, args, n_pos, kw, n_kw);
}

node *node_call_method(cursor *c, const char *name, const char *path, const val *args, int n_pos,
                       const char *const *kw, int n_kw) {
  return new_call(c, NODE_CALL_METHOD, name, path, args, n_pos, kw, n_kw);
}

node *node_call(cursor *c, const char *name, const char *path, const val *args, int n_pos,
                const char *const *kw, int n_kw) {
  return new_call(c, NODE_CALL_FUNCTION, name, path, args, n_pos, kw, n_kw);
}

static bool is_default(val given, val dflt) {
  return given.kind == VAL_ABSENT || val_equal(given, dflt, NULL, NULL);
}

node *node_call_row(cursor *c, const aten_row *row, const val *operands, int n) {
  const aten_schema *s = aten_schema_of(row);
  val args[MAX_PARAMS];
  const char *kw[MAX_PARAMS];
  int n_pos = 0, n_kw = 0;
  bool gap = false; /* a positional parameter was left out: the rest goes by keyword */
  for (int k = 0; k < s->n; k++) {
    const aten_param *p = &s->p[k];
    bool given = p->operand >= 0 && p->operand < n &&
                 !(p->has_default && is_default(operands[p->operand], p->default_value));
    if (!given || operands[p->operand].kind == VAL_ABSENT) {
      gap = true;
      continue;
    }
    args[n_pos + n_kw] = operands[p->operand];
    if (!gap && !p->kw_only) n_pos++;
    else kw[n_kw++] = arena_strndup(c->g->mod->mem, p->name, (size_t)p->name_len);
  }
  bool other = !strncmp(row->name, "higher_order.", 13) || !strncmp(row->name, "prims.", 6);
  const char *prefix = other ? "torch.ops." : "torch.ops.aten.";
  return node_call(c, NULL, arena_printf(c->g->mod->mem, "%s%s", prefix, row->name), args, n_pos,
                   kw, n_kw);
}

/* ---- editing ---- */

void node_erase(node *n) {
  assert(!n->uses && !n->erased);
  drop_uses(n);
  unlink_node(n);
  map_remove(&n->owner->names, n->name);
  n->erased = true;
}

static void reset_args(node *n, const val *args, int n_pos, const char *const *kw, int n_kw) {
  drop_uses(n);
  copy_args(n, args, n_pos, kw, n_kw);
  add_uses(n);
  bind_node(n);
  if (n->kind == NODE_OUTPUT) n->type = val_type(n->owner->mod, n->args[0]);
}

void node_set_args(node *n, const val *args, int n_pos, const char *const *kw, int n_kw) {
  reset_args(n, args, n_pos, kw, n_kw);
}

typedef struct {
  node *old;
  val by;
} substitution;

static val substitute(node *n, void *ctx) {
  substitution *s = ctx;
  return n == s->old ? s->by : val_node(n);
}

static void substitute_in(node *user, node *old, val by) {
  arena *a = user->owner->mod->mem;
  substitution s = {old, by};
  val *args = ARENA_ARRAY(a, val, user->n_args);
  for (int i = 0; i < user->n_args; i++) args[i] = val_map_nodes(a, user->args[i], substitute, &s);
  reset_args(user, args, user->n_pos, user->kw, user->n_args - user->n_pos);
}

void node_replace_uses_val(node *n, val by) {
  node *keep = by.kind == VAL_NODE ? by.node : NULL;
  if (keep == n) return;
  for (use *u = n->uses; u;) {
    if (u->user == keep) {
      u = u->next;
      continue;
    }
    substitute_in(u->user, n, by);
    u = n->uses; /* the list changed: start again; uses by `keep` stay */
    while (u && u->user == keep) u = u->next;
  }
}

void node_replace_uses(node *n, node *by) { node_replace_uses_val(n, val_node(by)); }
void node_replace_input(node *user, node *old, node *by) { substitute_in(user, old, val_node(by)); }

void node_move_before(node *n, node *where) {
  if (n == where) return;
  unlink_node(n);
  link_before(n, where);
}

void node_rename(node *n, const char *candidate) {
  map_remove(&n->owner->names, n->name);
  n->name = graph_fresh_name(n->owner, candidate);
  map_set(&n->owner->names, n->name, n);
}

node *node_copy(cursor *c, const node *n, val (*fn)(node *n, void *ctx), void *ctx) {
  arena *a = c->g->mod->mem;
  val *args = ARENA_ARRAY(a, val, n->n_args);
  for (int i = 0; i < n->n_args; i++) args[i] = val_map_nodes(a, n->args[i], fn, ctx);
  node *copy = new_node(c, n->kind, n->name, n->path, args, n->n_pos, n->kw, n->n_args - n->n_pos);
  copy->loc = n->loc;
  copy->origin = n->origin;
  copy->annotated = n->annotated;
  copy->scan = n->scan;
  copy->order = n->order;
  copy->type = n->kind == NODE_GET_ATTR && graph_find_attr(c->g, n->path) ? NULL : n->type;
  bind_node(copy);
  if (!copy->type) copy->type = n->type;
  return copy;
}

/* ---- reading ---- */

bool node_is_op(const node *n, op_id op) { return n->op && n->op->id == op; }

int graph_n_placeholders(const graph *g) {
  int k = 0;
  FOR_EACH_NODE (n, g) k += n->kind == NODE_PLACEHOLDER;
  return k;
}

node *graph_placeholder(const graph *g, int i) {
  FOR_EACH_NODE (n, g)
    if (n->kind == NODE_PLACEHOLDER && i-- == 0) return n;
  return NULL;
}

static bool returns_many(const graph *g) {
  const node *out = graph_output(g);
  return out && (out->args[0].kind == VAL_LIST || out->args[0].kind == VAL_TUPLE);
}

int graph_n_results(const graph *g) {
  const node *out = graph_output(g);
  return !out ? 0 : returns_many(g) ? out->args[0].n : 1;
}

val graph_result(const graph *g, int i) {
  const node *out = graph_output(g);
  return returns_many(g) ? out->args[0].items[i] : out->args[0];
}

bool graph_infer(graph *g) {
  FOR_EACH_NODE (n, g) {
    if (n->kind == NODE_OUTPUT) n->type = val_type(g->mod, n->args[0]);
    else if (n->kind != NODE_PLACEHOLDER && n->kind != NODE_GET_ATTR) bind_node(n);
    if (g->mod->err.code) return false;
  }
  return true;
}
