/* A module as tables, one per graph: a row per node. */
#include <string.h>

#include "ir/print.h"

enum { N_COLUMNS = 6 };

static const char *const kind_names[] = {"placeholder", "get_attr",    "call_function",
                                         "call_module", "call_method", "output"};

typedef struct {
  const char *cell[N_COLUMNS];
} row;

static const char *keep(arena *mem, str *s) {
  const char *copy = arena_strdup(mem, str_cstr(s));
  str_clear(s);
  return copy;
}

static row row_of(arena *mem, const node *n) {
  str s = {0};
  row r = {{kind_names[n->kind], n->name, n->path ? n->path : n->name}};
  if (n->kind != NODE_PLACEHOLDER || n->n_args) print_arguments(&s, n, 0);
  r.cell[3] = keep(mem, &s);
  str_printf(&s, "%d", node_n_users(n));
  r.cell[4] = keep(mem, &s);
  if (n->type) type_print(&s, n->type);
  r.cell[5] = keep(mem, &s);
  str_free(&s);
  return r;
}

static size_t text_width(const char *s) {
  size_t n = 0;
  for (; *s; s++) n += ((unsigned char)*s & 0xc0) != 0x80;
  return n;
}

static void print_row(str *out, const row *r, const size_t *width) {
  size_t blanks = 0;
  for (int k = 0; k < N_COLUMNS; k++) {
    if (*r->cell[k]) str_printf(out, "%*s%s", (int)blanks, "", r->cell[k]), blanks = 0;
    size_t w = text_width(r->cell[k]);
    blanks += (width[k] > w ? width[k] - w : 0) + 2;
  }
  str_char(out, '\n');
}

static void print_rule(str *out, const size_t *width) {
  for (int k = 0; k < N_COLUMNS; k++) {
    if (k) str_append(out, "  ");
    for (size_t i = 0; i < width[k]; i++) str_char(out, '-');
  }
  str_char(out, '\n');
}

static void print_graph_table(str *out, const graph *g) {
  static const row head = {{"opcode", "name", "target", "args", "users", "type"}};
  arena *mem = arena_new();
  row *rows = ARENA_ARRAY(mem, row, g->n_nodes);
  size_t width[N_COLUMNS];
  int n_rows = 0;
  FOR_EACH_NODE (n, g) rows[n_rows++] = row_of(mem, n);
  for (int k = 0; k < N_COLUMNS; k++) {
    width[k] = strlen(head.cell[k]);
    for (int i = 0; i < n_rows; i++)
      if (text_width(rows[i].cell[k]) > width[k]) width[k] = text_width(rows[i].cell[k]);
    if ((k == 2 || k == 3) && width[k] > 100) width[k] = 100;
  }
  print_row(out, &head, width);
  print_rule(out, width);
  for (int i = 0; i < n_rows; i++) print_row(out, &rows[i], width);
  arena_free(mem);
}

typedef struct {
  str *out;
  const module *m;
} table_printer;

static void print_one(graph *g, void *ctx) {
  table_printer *p = ctx;
  if (g == p->m->main) return;
  str_printf(p->out, "\n%s:\n", g->class_name);
  print_graph_table(p->out, g);
}

void module_print_table(str *out, const module *m) {
  table_printer p = {out, m};
  str_printf(out, "%s:\n", m->main->class_name);
  print_graph_table(out, m->main);
  graph_walk(m->main, print_one, &p);
}
