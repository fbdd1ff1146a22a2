/* A module in PyTorch's printed form: what print(exported_program) or print_readable() shows.
 * Python with torch can execute it, and the reader gives back an equal module. */
#include <inttypes.h>
#include <string.h>

#include "ir/print.h"

typedef struct {
  str *out;
  const module *m;
  const graph *g;
  arena *mem;  /* for the maps, freed at the end */
  map classes; /* class name by attribute of g: attributes that share a graph share the class */
  int indent;
  int n_temps;
  /* by node id: the values that die behind a node, as a list through next_dead */
  const node **first_dead, **last_dead, **next_dead;
  bool *dies;
} printer;

static void start_line(printer *p) { str_printf(p->out, "%*s", p->indent, ""); }

/* ---- lifetimes ---- */

typedef struct {
  printer *p;
  const node *user;
} death;

static void note_death(node *n, void *ctx) {
  death *d = ctx;
  printer *p = d->p;
  if (p->dies[n->id]) return;
  p->dies[n->id] = true;
  int u = d->user->id;
  *(p->last_dead[u] ? &p->next_dead[p->last_dead[u]->id] : &p->first_dead[u]) = n;
  p->last_dead[u] = n;
}

static void find_deaths(printer *p) {
  for (const node *n = p->g->last; n; n = n->prev) {
    death d = {p, n};
    for (int i = 0; i < n->n_args; i++) val_each_node(n->args[i], note_death, &d);
  }
}

/* ";  a = b = None": what is not used behind n, and n itself if nothing uses it. */
static void print_cleanup(printer *p, const node *n) {
  const node *d = p->first_dead[n->id];
  if (!d && node_has_uses(n)) return;
  str_append(p->out, ";  ");
  for (; d; d = p->next_dead[d->id]) str_printf(p->out, "%s = ", d->name);
  if (!node_has_uses(n)) str_printf(p->out, "%s = ", n->name);
  str_append(p->out, "None");
}

/* ---- canonical scans: what was folded into the node is printed as slice, flip and movedim around
 * it ---- */

static const char *temp_name(printer *p, const char *base) {
  const char *name;
  do name = arena_printf(p->mem, "%s_v%d", base, ++p->n_temps);
  while (graph_find(p->g, name));
  return name;
}

/* A bound of a slice: a number, or counted from the end where the extent is symbolic. */
static void print_bound(printer *p, dim at, dim extent) {
  dim from_end = dim_sub(p->m->syms, at, extent);
  if (dim_is(from_end, 0)) str_append(p->out, "9223372036854775807");
  else if (dim_is_int(at) || !dim_is_int(from_end)) dim_print(p->out, at);
  else str_printf(p->out, "%" PRId64, from_end.k);
}

static const char *print_temp(printer *p, const char *base, const char *op, const char *operand) {
  const char *name = temp_name(p, base);
  start_line(p);
  str_printf(p->out, "%s = torch.ops.aten.%s(%s, ", name, op, operand);
  return name;
}

/* Statements that bring x into the order the steps read it; returns the name of the result. */
static const char *print_x_view(printer *p, const node *x, const scan_view *v, dim length) {
  symtab *t = p->m->syms;
  const char *name = x->name;
  dim lo = v->step > 0 ? v->start : dim_add(t, dim_sub(t, v->start, length), dim_int(1));
  dim hi = dim_add(t, lo, length);
  if (type_is_tensor(x->type) && v->axis < x->type->n) {
    dim extent = x->type->dims[v->axis];
    if (!dim_is(lo, 0) || !dim_equal(hi, extent)) {
      name = print_temp(p, x->name, "slice.Tensor", name);
      str_printf(p->out, "%d, ", v->axis);
      print_bound(p, lo, extent);
      str_append(p->out, ", ");
      print_bound(p, hi, extent);
      str_append(p->out, ")\n");
    }
  }
  if (v->step < 0) {
    name = print_temp(p, x->name, "flip.default", name);
    str_printf(p->out, "[%d])\n", v->axis);
  }
  if (v->axis) {
    name = print_temp(p, x->name, "movedim.int", name);
    str_printf(p->out, "%d, 0)\n", v->axis);
  }
  return name;
}

/* The argument that lists the xs, -1 for other nodes. */
static int xs_argument(const node *n) {
  return node_is_op(n, OP_scan) ? 2 : node_is_op(n, OP_associative_scan) ? 1 : -1;
}

static void print_scan(printer *p, const node *n) {
  int list = xs_argument(n);
  val xs = n->args[list];
  const char **names = ARENA_ARRAY(p->mem, const char *, xs.n);
  for (int i = 0; i < xs.n; i++)
    names[i] = print_x_view(p, xs.items[i].node, &n->scan->x[i], n->scan->length);
  start_line(p);
  str_printf(p->out, "%s = %s(", n->name, n->path);
  for (int i = 0; i < n->n_args; i++) {
    if (i) str_append(p->out, ", ");
    if (i >= n->n_pos) str_printf(p->out, "%s = ", n->kw[i - n->n_pos]);
    if (i != list) {
      val_print(p->out, n->args[i]);
      continue;
    }
    for (int k = 0; k < xs.n; k++) str_printf(p->out, "%s%s", k ? ", " : "[", names[k]);
    str_append(p->out, xs.n ? "]" : "[]");
  }
  str_char(p->out, ')');
}

/* The view of the y that n reads from a canonical scan; NULL: n reads something else, or the y as
 * it is. */
static const scan_view *y_view(const node *n) {
  if (n->kind != NODE_CALL_FUNCTION || strcmp(n->path, "operator.getitem") ||
      n->args[0].kind != VAL_NODE || n->args[1].kind != VAL_INT)
    return NULL;
  const node *s = n->args[0].node;
  if (!s->scan || s->n_args < 2 || !val_is_seq(s->args[1])) return NULL;
  int64_t k = n->args[1].i - (node_is_op(s, OP_scan) ? s->args[1].n : 0);
  if (k < 0 || k >= s->scan->n_y) return NULL;
  const scan_view *v = &s->scan->y[k];
  return v->axis || v->step < 0 ? v : NULL;
}

static void print_y(printer *p, const node *n, const scan_view *v) {
  const char *name = temp_name(p, n->name);
  start_line(p);
  str_printf(p->out, "%s = ", name);
  print_right_side(p->out, n, NULL);
  str_char(p->out, '\n');
  bool moved = v->axis != 0;
  if (v->step < 0 && moved) {
    name = print_temp(p, n->name, "flip.default", name);
    str_append(p->out, "[0])\n");
  }
  start_line(p);
  str_append(p->out, n->name);
  print_annotation(p->out, n->type);
  if (moved) str_printf(p->out, " = torch.ops.aten.movedim.int(%s, 0, %d)", name, v->axis);
  else str_printf(p->out, " = torch.ops.aten.flip.default(%s, [0])", name);
}

/* ---- statements ---- */

static bool same_origin(src_loc a, src_loc b) {
  return a.line == b.line && (a.file == b.file || (a.file && b.file && !strcmp(a.file, b.file)));
}

static void print_statement(printer *p, const node *n) {
  const scan_view *y = y_view(n);
  int list = xs_argument(n);
  if (n->scan && list >= 0 && n->n_args > list && val_is_seq(n->args[list]) &&
      n->args[list].n == n->scan->n_x) {
    print_scan(p, n);
  } else if (y) {
    print_y(p, n, y);
  } else {
    start_line(p);
    const char *path = n->kind == NODE_GET_ATTR || n->kind == NODE_CALL_MODULE
                           ? map_get(&p->classes, n->path)
                           : NULL;
    if (path) {
      str_append(p->out, n->name);
      print_annotation(p->out, n->type);
      str_append(p->out, " = ");
      print_right_side(p->out, n, path);
    } else {
      node_print(p->out, n);
    }
  }
  if (n->kind != NODE_OUTPUT) print_cleanup(p, n);
  str_char(p->out, '\n');
}

static const char *target_of(const node *n) { return n->path ? n->path : n->name; }

static const char *bare_target(const node *n) {
  const char *s = target_of(n);
  while (*s == '*') s++;
  return s;
}

static void print_parameters(printer *p) {
  str_append(p->out, "self");
  FOR_EACH_NODE (n, p->g) {
    if (n->kind != NODE_PLACEHOLDER) continue;
    str_printf(p->out, ", %s", target_of(n));
    print_annotation(p->out, n->type);
    print_stated_number(p->out, n);
    if (n->n_args) {
      str_append(p->out, " = ");
      val_print(p->out, n->args[0]);
    }
  }
}

/* l_x_ = L_x_ where the node has another name than the parameter. */
static bool print_aliases(printer *p) {
  bool any = false;
  FOR_EACH_NODE (n, p->g) {
    if (n->kind != NODE_PLACEHOLDER || !strcmp(n->name, bare_target(n))) continue;
    start_line(p);
    str_printf(p->out, "%s = %s\n", n->name, bare_target(n));
    any = true;
  }
  return any;
}

static void print_body(printer *p) {
  src_loc origin = {0};
  bool first = !print_aliases(p);
  FOR_EACH_NODE (n, p->g) {
    if (n->kind == NODE_PLACEHOLDER) continue;
    if (n->kind != NODE_OUTPUT && !same_origin(n->origin, origin)) {
      if (!first) str_char(p->out, '\n');
      start_line(p);
      if (n->origin.file) str_printf(p->out, "# File: %s:%d\n", n->origin.file, n->origin.line);
      else str_append(p->out, "# No stacktrace found for following nodes\n");
      origin = n->origin;
    }
    first = false;
    print_statement(p, n);
  }
}

/* ---- classes ---- */

/* Which attributes the graph uses as graphs, and the class each is printed as. */
static void name_classes(printer *p) {
  map used = map_make(p->mem), by_graph = map_make(p->mem);
  p->classes = map_make(p->mem);
  FOR_EACH_NODE (n, p->g)
    if (n->kind == NODE_GET_ATTR || n->kind == NODE_CALL_MODULE) map_set(&used, n->path, n);
  for (int i = 0; i < p->g->attrs.len; i++) {
    const attr *a = &p->g->attrs.data[i];
    if (a->kind != ATTR_GRAPH || !map_has(&used, a->name)) continue;
    const char *key = arena_printf(p->mem, "%p", (void *)a->sub);
    if (!map_has(&by_graph, key)) map_set(&by_graph, key, (void *)a->name);
    map_set(&p->classes, a->name, map_get(&by_graph, key));
  }
}

static void print_identifier(str *out, const char *s) {
  if (!print_is_identifier(s)) {
    str_char(out, '_');
    for (; *s; s++) str_char(out, print_is_identifier((char[]){'_', *s, 0}) ? *s : '_');
  } else {
    str_append(out, s);
  }
}

static void print_graph(const printer *outer, const graph *g, const char *class_name, int indent) {
  printer p = *outer;
  p.g = g;
  p.indent = indent;
  p.n_temps = 0;
  name_classes(&p);
  find_deaths(&p);
  if (class_name) {
    start_line(&p);
    str_append(p.out, "class ");
    print_identifier(p.out, class_name);
    str_append(p.out, "(torch.nn.Module):\n");
    p.indent += 4;
  }
  start_line(&p);
  str_append(p.out, "def forward(");
  print_parameters(&p);
  str_append(p.out, "):\n");
  p.indent += 4;
  print_body(&p);
  p.indent -= 4;
  for (int i = 0; i < g->attrs.len; i++) {
    const attr *a = &g->attrs.data[i];
    const char *name = a->kind == ATTR_GRAPH ? map_get(&p.classes, a->name) : NULL;
    if (!name || strcmp(name, a->name)) continue;
    str_char(p.out, '\n');
    print_graph(&p, a->sub, a->name, p.indent);
  }
}

/* ---- signature and ranges ---- */

typedef struct {
  const char **names;
  int n, cap;
} name_list;

static void list_leaves(name_list *l, val v) {
  if (v.kind == VAL_LIST || v.kind == VAL_TUPLE || v.kind == VAL_DICT) {
    for (int i = v.kind == VAL_DICT; i < v.n; i += v.kind == VAL_DICT ? 2 : 1)
      list_leaves(l, v.items[i]);
  } else if (l->n++ < l->cap) {
    l->names[l->n - 1] = v.kind == VAL_NODE ? v.node->name : "";
  }
}

/* A rewritten graph returns other nodes than its signature was read with: lines are named after
 * what is returned now.
 */
static name_list returned_names(arena *mem, const module *m) {
  const node *out = graph_output(m->main);
  name_list l = {ARENA_ARRAY(mem, const char *, m->outputs.len), 0, m->outputs.len};
  if (out) list_leaves(&l, out->args[0]);
  return l;
}

static void print_port(str *out, const port *p, const char *name) {
  str_printf(out, "    %s: %s", name, p->kind_text);
  if (p->target) {
    str_append(out, " target=");
    print_string(out, p->target, (int)strlen(p->target), false);
  }
  if (p->persistent >= 0) str_printf(out, " persistent=%s", p->persistent ? "True" : "False");
  str_char(out, '\n');
}

static void print_signature(str *out, arena *mem, const module *m) {
  name_list names = returned_names(mem, m);
  str_append(out, "\nGraph signature:\n    # inputs\n");
  for (int i = 0; i < m->inputs.len; i++)
    print_port(out, &m->inputs.data[i], m->inputs.data[i].name);
  str_append(out, "\n    # outputs\n");
  for (int i = 0; i < m->outputs.len; i++)
    print_port(out, &m->outputs.data[i],
               names.n == m->outputs.len ? names.names[i] : m->outputs.data[i].name);
}

static void print_limit(str *out, int64_t v) {
  if (v == INT64_MAX) str_append(out, "int_oo");
  else if (v == INT64_MIN) str_append(out, "-int_oo");
  else str_printf(out, "%" PRId64, v);
}

static void print_ranges(str *out, const module *m) {
  str_append(out, "\nRange constraints: {");
  for (int i = 0; i < m->ranges.len; i++) {
    const range_constraint *r = &m->ranges.data[i];
    if (i) str_append(out, ", ");
    dim_print(out, r->expr);
    str_append(out, ": VR[");
    print_limit(out, r->min);
    str_append(out, ", ");
    print_limit(out, r->max);
    str_char(out, ']');
  }
  str_append(out, "}\n");
}

void module_print_code(str *out, const module *m) {
  arena *mem = arena_new();
  printer p = {.out = out, .m = m, .mem = mem};
  p.first_dead = ARENA_ARRAY(mem, const node *, m->n_ids);
  p.last_dead = ARENA_ARRAY(mem, const node *, m->n_ids);
  p.next_dead = ARENA_ARRAY(mem, const node *, m->n_ids);
  p.dies = ARENA_ARRAY(mem, bool, m->n_ids);
  if (m->exported) str_append(out, "ExportedProgram:\n");
  print_graph(&p, m->main, m->main->bare ? NULL : m->main->class_name, m->exported ? 4 : 0);
  if (m->has_signature) print_signature(out, mem, m);
  if (m->exported || m->ranges.len) print_ranges(out, m);
  arena_free(mem);
}
