/* The pass table and the runner. */
#include "passes/pass.h"

#include <string.h>

static const pass_info passes[] = {
#define PASS(name, requires, establishes, purpose) \
  {#name, requires, establishes, purpose, pass_##name},
#include "passes/pass.def"
#undef PASS
};
enum { N_PASSES = sizeof passes / sizeof *passes };

static const pass_info *pass_find(const char *name) {
  for (int i = 0; i < N_PASSES; i++)
    if (!strcmp(passes[i].name, name)) return &passes[i];
  return NULL;
}

/* ---- the signature ---- */

typedef struct {
  module *m;
  int next;
} port_walk;

/* Rows of the signature name the nodes that are returned: they follow when a pass returns another
 * node. */
static void name_ports(port_walk *w, val v) {
  bool dict = v.kind == VAL_DICT;
  if (v.kind == VAL_LIST || v.kind == VAL_TUPLE || dict) {
    for (int i = dict; i < v.n; i += 1 + dict) name_ports(w, v.items[i]);
    return;
  }
  port *p = w->next < w->m->outputs.len ? &w->m->outputs.data[w->next++] : NULL;
  if (p && v.kind == VAL_NODE && *p->name) p->name = v.node->name;
}

/* ---- running ---- */

#ifndef NDEBUG
/* A pass that leaves lint red is a bug of scanc, reported as the first violation. */
static bool lint_after(module *m, const pass_info *p) {
  diagnostics d = {.mem = m->mem};
  if (module_lint(m, &d)) return true;
  const scanc_error *e = &d.found.data[0];
  return module_fail(m, SCANC_ERR_LINT, (src_loc){.line = e->line, .col = e->col},
                     "after pass %s: %s", p->name, e->message);
}
#else
static bool lint_after(module *m, const pass_info *p) {
  (void)p;
  return m->err.code == SCANC_OK;
}
#endif

static bool run(module *m, const pass_info *p) {
  bool did = false;
  if (m->err.code || !p->run(m, &did) || m->err.code) return false;
  port_walk w = {m, 0};
  if (did && m->main && graph_output(m->main)) name_ports(&w, graph_output(m->main)->args[0]);
  return !did || lint_after(m, p);
}

bool passes_run(module *m, const char *stop_after) {
  unsigned forms = 0;
  if (stop_after && !pass_find(stop_after))
    return module_fail(m, SCANC_ERR_USAGE, (src_loc){0}, "no pass is called '%s'", stop_after);
  for (int i = 0; i < N_PASSES; i++) {
    const pass_info *p = &passes[i];
    if ((forms & p->requires) != p->requires)
      SCANC_UNREACHABLE("a pass runs before what it requires");
    SCANC_TRY(run(m, p));
    forms |= p->establishes;
    if (stop_after && !strcmp(p->name, stop_after)) break;
  }
  return true;
}
