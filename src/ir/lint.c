/* Lint: the structural invariants of graphs. All violations are reported, in the order of their
 * lines. */
#include "ir/lint.h"

#include <stdlib.h>
#include <string.h>

bool lint_add(const module *m, diagnostics *d, scanc_code code, src_loc loc, const char *fmt, ...) {
  scanc_error e = {0};
  if (!loc.file) loc.file = m->name;
  va_list ap;
  va_start(ap, fmt);
  err_vset(&e, code, loc, fmt, ap);
  va_end(ap);
  if (m->text) err_quote(&e, m->text, m->text_len);
  vec_push(d->mem, &d->found, e);
  return false;
}

/* One graph under check. order[id] is the position of a node in the list, from 1; 0: not in this
 * graph. */
typedef struct {
  graph *g;
  const module *m;
  diagnostics *d;
  int *order;
} checker;

static bool broken(const checker *c, const node *n, const char *what) {
  return lint_add(c->m, c->d, SCANC_ERR_LINT, n->loc, "'%s' %s", n->name ? n->name : "?", what);
}

/* ---- list and names ---- */

static bool check_list(checker *c) {
  int n_nodes = 0;
  const node *prev = NULL;
  bool ok = true;
  for (const node *n = c->g->first; n; prev = n, n = n->next) {
    if (++n_nodes > c->m->n_ids)
      return lint_add(c->m, c->d, SCANC_ERR_LINT, c->g->loc, "the nodes of %s form a cycle",
                      c->g->class_name);
    if (n->prev != prev) ok = broken(c, n, "is not linked back to the node before it");
    if (n->owner != c->g) ok = broken(c, n, "belongs to another graph");
    if (n->erased) ok = broken(c, n, "was erased but is still listed");
    if (n->kind > NODE_OUTPUT) ok = broken(c, n, "is of no known kind");
    if (n->id < 0 || n->id >= c->m->n_ids) return broken(c, n, "has a number outside the module");
    if (c->order[n->id]) ok = broken(c, n, "shares its number with another node");
    c->order[n->id] = n_nodes;
  }
  if (c->g->last != prev)
    ok = lint_add(c->m, c->d, SCANC_ERR_LINT, c->g->loc,
                  "the last node of %s is not the last of the list", c->g->class_name);
  if (n_nodes != c->g->n_nodes)
    ok = lint_add(c->m, c->d, SCANC_ERR_LINT, c->g->loc, "%s counts %d nodes; expected %d",
                  c->g->class_name, c->g->n_nodes, n_nodes);
  return ok;
}

static bool check_name(checker *c, const node *n) {
  if (!n->name) return broken(c, n, "has no name");
  const node *named = graph_find(c->g, n->name);
  if (named == n) return true;
  if (named)
    return lint_add(c->m, c->d, SCANC_ERR_DUPLICATE_NAME, n->loc, "two nodes of %s are called '%s'",
                    c->g->class_name, n->name);
  return broken(c, n, "is not in the table of names");
}

/* ---- placeholders and output ---- */

static bool check_places(checker *c) {
  const node *out = NULL, *computed = NULL;
  bool ok = true;
  for (const node *n = c->g->first; n; n = n->next) {
    if (out && n->kind == NODE_OUTPUT)
      ok = lint_add(c->m, c->d, SCANC_ERR_TWO_OUTPUTS, n->loc,
                    "%s returns twice; expected one return", c->g->class_name);
    else if (out)
      ok = lint_add(c->m, c->d, SCANC_ERR_CODE_AFTER_RETURN, n->loc,
                    "'%s' stands behind the return of %s", n->name, c->g->class_name);
    if (n->kind == NODE_PLACEHOLDER && computed)
      ok = lint_add(c->m, c->d, SCANC_ERR_LINT, n->loc,
                    "parameter '%s' stands behind '%s'; expected parameters first", n->name,
                    computed->name);
    if (n->kind == NODE_OUTPUT) out = n;
    else if (n->kind != NODE_PLACEHOLDER && !computed) computed = n;
  }
  if (!out)
    ok = lint_add(c->m, c->d, SCANC_ERR_MISSING_RETURN, c->g->loc, "%s has no return",
                  c->g->class_name);
  return ok;
}

/* ---- arguments and uses ---- */

typedef struct {
  checker *c;
  const node *user;
  int n;
  bool ok;
} arg_check;

/* Use k of the user must be the k-th node among its arguments. */
static void check_arg(node *def, void *ctx) {
  arg_check *a = ctx;
  checker *c = a->c;
  int k = a->n++;
  if (!def || def->owner != c->g || def->erased) {
    a->ok = lint_add(c->m, c->d, SCANC_ERR_LINT, a->user->loc,
                     "'%s' uses '%s', which is not in this graph", a->user->name,
                     def ? def->name : "?");
    return;
  }
  if (c->order[def->id] >= c->order[a->user->id])
    a->ok = lint_add(c->m, c->d, SCANC_ERR_USE_BEFORE_DEFINITION, a->user->loc,
                     "'%s' uses '%s', which is defined below it", a->user->name, def->name);
  if (def->kind == NODE_OUTPUT) a->ok = broken(c, a->user, "uses the return as a value");
  if (k >= a->user->n_arg_uses || a->user->arg_uses[k].def != def ||
      a->user->arg_uses[k].user != a->user)
    a->ok = broken(c, a->user, "does not record all uses among its arguments");
}

static bool check_args(checker *c, const node *n) {
  arg_check a = {c, n, 0, true};
  for (int i = 0; i < n->n_args; i++) val_each_node(n->args[i], check_arg, &a);
  if (a.n != n->n_arg_uses) a.ok = broken(c, n, "does not record all uses among its arguments");
  if (n->n_pos < 0 || n->n_pos > n->n_args)
    return broken(c, n, "counts more positional arguments than arguments");
  for (int i = 0; i < n->n_args - n->n_pos; i++)
    for (int j = 0; j < i; j++)
      if (!strcmp(n->kw[i], n->kw[j]))
        a.ok = lint_add(c->m, c->d, SCANC_ERR_OP_ARITY, n->loc, "'%s' has argument '%s' twice",
                        n->name, n->kw[i]);
  return a.ok;
}

static bool is_recorded(const use *u) {
  for (int i = 0; i < u->user->n_arg_uses; i++)
    if (&u->user->arg_uses[i] == u) return true;
  return false;
}

static bool check_uses(checker *c, const node *n) {
  const use *prev = NULL;
  for (const use *u = n->uses; u; prev = u, u = u->next) {
    if (u->def != n || u->prev != prev) return broken(c, n, "has a broken list of uses");
    if (u->user->owner != c->g || u->user->erased || !is_recorded(u))
      return broken(c, n, "has a user that does not use it");
  }
  return true;
}

static bool lint_structure(graph *g, diagnostics *d, arena *scratch) {
  arena_mark mark = arena_save(scratch);
  checker c = {g, g->mod, d, ARENA_ARRAY(scratch, int, g->mod->n_ids)};
  bool ok = check_list(&c);
  if (ok) {
    ok = check_places(&c);
    FOR_EACH_NODE (n, g) {
      bool name = check_name(&c, n), args = check_args(&c, n), uses = check_uses(&c, n);
      ok = ok && name && args && uses;
    }
  }
  arena_reset(scratch, mark);
  return ok;
}

/* ---- modules ---- */

typedef struct {
  diagnostics *d;
  arena *scratch;
  bool ok;
} lint_run;

static void lint_graph(graph *g, void *ctx) {
  lint_run *r = ctx;
  if (!lint_structure(g, r->d,
                      r->scratch)) { /* everything else relies on it, so it is always checked */
    r->ok = false;
    return;
  }
  r->ok &= lint_ops(g, r->d) && lint_types(g, r->d);
}

static int by_line(const void *a, const void *b) {
  const scanc_error *x = a, *y = b;
  return x->line != y->line ? x->line - y->line : x->col - y->col;
}

void lint_sort(diagnostics *d) {
  if (d->found.len > 1) qsort(d->found.data, (size_t)d->found.len, sizeof *d->found.data, by_line);
}

bool module_lint(module *m, diagnostics *d) {
  lint_run r = {d, arena_new(), true};
  if (m->main) graph_walk(m->main, lint_graph, &r);
  else r.ok = lint_add(m, d, SCANC_ERR_LINT, (src_loc){0}, "the module has no main graph");
  arena_free(r.scratch);
  lint_sort(d);
  return r.ok;
}
