/* nest_build: which of the ways to build a nest is taken. */
#include "loop/body.h"

/* fold: the associative scan that a group is around, NULL. */
static scan_nest *try_build(arena *mem, const node *scan, const node *fold, str *why_not) {
  scan_nest *n = ARENA_NEW(mem, scan_nest);
  body b = {.n = n, .mem = mem, .mod = scan->owner->mod, .why = why_not, .taken = -1, .loop = -1};
  b.fold = fold;
  n->name = arena_strdup(mem, scan->name);
  n->place = -1;
  b.of = ARENA_ARRAY(mem, node_value, b.mod->n_ids);
  b.first = ARENA_ARRAY(mem, int, b.mod->n_ids);
  for (int i = 0; i < b.mod->n_ids; i++) b.first[i] = -1;
  return (fold ? fold_build : body_build)(&b, scan) ? n : NULL;
}

scan_nest *nest_build(arena *mem, const node *scan, str *why_not) {
  bool group = node_is_op(scan, OP_invoke_subgraph);
  const node *fold = group ? body_fold_of(val_graph(scan->operands[0])) : NULL;
  str own = {0};
  scan_nest *n = fold ? try_build(mem, scan, fold, &own) : NULL;
  str_free(&own);
  return n ? n : try_build(mem, scan, NULL, why_not);
}
