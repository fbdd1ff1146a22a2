/* A module as a graph for Graphviz: a box per node, an edge per use, and a cluster per graph,
 * inside that of the graph that refers to it first. A dashed edge leads from a reference to its
 * graph. */
#include <string.h>

#include "ir/print.h"

enum { MAX_ARGS = 60 }; /* bytes of a node's arguments that are shown */

typedef struct {
  str *out;
  graph_list graphs;
  bool *told; /* per graph of the list */
  int depth;
} dot_printer;

/* ---- text ---- */

static void append_escaped(str *out, const char *text) {
  str clean = {0};
  print_text(&clean, text, strlen(text));
  for (const char *s = str_cstr(&clean); *s; s++) {
    if (*s == '"' || *s == '\\') str_char(out, '\\');
    str_char(out, (unsigned char)*s < ' ' || *s == 0x7f ? ' ' : *s);
  }
  str_free(&clean);
}

static void begin_line(dot_printer *p) { str_printf(p->out, "%*s", 2 * p->depth, ""); }

/* ---- nodes ---- */

static const char *kind_word(const node *n) {
  static const char *const words[] = {"placeholder", "get_attr",    "call_function",
                                      "call_module", "call_method", "output"};
  return n->op ? n->op->name : n->kind == NODE_CALL_FUNCTION ? n->path : words[n->kind];
}

static void append_computation(str *out, const node *n) {
  str args = {0};
  append_escaped(out, kind_word(n));
  if (n->kind == NODE_GET_ATTR || n->kind == NODE_CALL_MODULE) {
    str_char(out, ' ');
    append_escaped(out, n->path);
  }
  if (n->n_args) print_arguments(&args, n, 0);
  if (args.len > MAX_ARGS) {
    args.data[args.len = MAX_ARGS] = '\0';
    str_append(&args, "...");
  }
  append_escaped(out, str_cstr(&args));
  str_free(&args);
}

static void print_box(dot_printer *p, const node *n) {
  str shown = {0};
  begin_line(p);
  str_printf(p->out, "n%d [label=\"", n->id);
  append_escaped(p->out, n->name);
  str_append(p->out, "\\n");
  append_computation(p->out, n);
  if (n->type) {
    type_print(&shown, n->type);
    str_append(p->out, "\\n");
    append_escaped(p->out, str_cstr(&shown));
  }
  str_append(p->out, "\"];\n");
  str_free(&shown);
}

/* ---- graphs ---- */

static void print_cluster(dot_printer *p, const graph *g) {
  int place = print_place(&p->graphs, g);
  p->told[place] = true;
  begin_line(p);
  str_printf(p->out, "subgraph cluster_%d {\n", place);
  p->depth++;
  begin_line(p);
  str_append(p->out, "label=\"");
  append_escaped(p->out, g->class_name);
  str_append(p->out, "\";\n");
  FOR_EACH_NODE (n, g) print_box(p, n);
  FOR_EACH_NODE (n, g) {
    const graph *sub = val_graph(val_node(n));
    if (sub && !p->told[print_place(&p->graphs, sub)]) print_cluster(p, sub);
  }
  p->depth--;
  begin_line(p);
  str_append(p->out, "}\n");
}

/* Uses in the order of the users. */
static void print_edges(dot_printer *p, const graph *g) {
  FOR_EACH_NODE (n, g) {
    const graph *sub = val_graph(val_node(n));
    for (int i = 0; i < n->n_arg_uses; i++)
      str_printf(p->out, "  n%d -> n%d;\n", n->arg_uses[i].def->id, n->id);
    if (sub && sub->first)
      str_printf(p->out, "  n%d -> n%d [lhead=cluster_%d, style=dashed];\n", n->id, sub->first->id,
                 print_place(&p->graphs, sub));
  }
}

void module_print_dot(str *out, const module *m) {
  arena *mem = arena_new();
  dot_printer p = {.out = out, .graphs = print_graphs(m, mem), .depth = 1};
  p.told = ARENA_ARRAY(mem, bool, p.graphs.len);
  str_append(out, "digraph \"");
  append_escaped(out, m->name ? m->name : "");
  str_append(out, "\" {\n  compound=true;\n  node [shape=box, fontname=\"monospace\"];\n");
  print_cluster(&p, m->main);
  for (int i = 0; i < p.graphs.len; i++) print_edges(&p, p.graphs.data[i]);
  str_append(out, "}\n");
  arena_free(mem);
}
