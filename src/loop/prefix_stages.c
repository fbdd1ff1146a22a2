#include "loop/prefix_stages.h"

#include "loop/walk.h"

typedef struct {
  const kernel *k;
  const loop *l;
  unsigned char *stage;
  int *def;   /* per value: the statement of the body that defines it, -1 */
  bool *stop; /* per value: what computes it belongs to another stage */
  const char *wrong;
} staging;

/* The statement, and what it needs, are of this stage. */
static void mark(staging *g, int stmt_index, unsigned char stage) {
  const stmt *s = &g->l->body.data[stmt_index];
  if (g->stage[stmt_index] & stage) return;
  g->stage[stmt_index] |= stage;
  if (s->kind == ST_LOOP) g->wrong = "loop within a prefix loop that is no left fold";
  if (s->kind == ST_LOAD && stage == STAGE_COMBINE && stmt_indexes_axis(g->k, s, g->l->axis))
    g->wrong = "load of no item along a prefix loop";
  for (int a = 0; a < s->n_args; a++)
    if (!g->stop[s->arg[a]] && g->def[s->arg[a]] >= 0) mark(g, g->def[s->arg[a]], stage);
}

static void mark_value(staging *g, int v, unsigned char stage) {
  if (!g->stop[v] && g->def[v] >= 0) mark(g, g->def[v], stage);
}

static void mark_items(staging *g) {
  for (int c = 0; c < g->l->n_carry; c++) mark_value(g, g->l->carry[c].item, STAGE_ITEM);
}

/* Data that are at fault count, whether a result needs them or not. */
static void mark_combination(staging *g) {
  const loop *l = g->l;
  for (int c = 0; c < l->n_carry; c++) g->stop[l->carry[c].item] = true;
  for (int c = 0; c < l->n_carry; c++) mark_value(g, l->carry[c].next, STAGE_COMBINE);
  for (int i = 0; i < l->body.len; i++)
    if (l->body.data[i].kind == ST_OP && l->body.data[i].fault >= 0 && !g->stage[i])
      mark(g, i, STAGE_COMBINE);
  for (int c = 0; c < l->n_carry; c++) g->stop[l->carry[c].item] = false;
}

static void mark_results(staging *g) {
  const loop *l = g->l;
  for (int c = 0; c < l->n_carry; c++) g->stop[l->carry[c].next] = true;
  for (int i = 0; i < l->body.len; i++) {
    if (l->body.data[i].kind != ST_STORE) continue;
    mark(g, i, STAGE_RESULT);
    if (!stmt_indexes_axis(g->k, &l->body.data[i], l->axis))
      g->wrong = "store of no result of a prefix loop";
  }
}

static bool is_next(const loop *l, int v) {
  for (int c = 0; c < l->n_carry; c++)
    if (l->carry[c].next == v) return true;
  return false;
}

/* No stage computes from the carry but the combination (which may be the carry as it is), and
 * results are computed once. */
static void check_uses(staging *g) {
  const loop *l = g->l;
  for (int c = 0; c < l->n_carry; c++) {
    int next = g->def[l->carry[c].next], in = l->carry[c].in;
    if (next >= 0 && g->stage[next] & STAGE_RESULT) g->wrong = "result that is computed twice";
    for (int i = 0; !is_next(l, in) && i < l->body.len; i++)
      for (int a = 0; a < l->body.data[i].n_args; a++)
        if (l->body.data[i].arg[a] == in && g->stage[i] & ~STAGE_COMBINE)
          g->wrong = "use of a carry that is no combination";
  }
}

const char *prefix_stages(const kernel *k, const loop *l, unsigned char *stage) {
  arena *tmp = arena_new();
  int n = k->values.len;
  staging g = {k, l, stage, ARENA_ARRAY(tmp, int, n), ARENA_ARRAY(tmp, bool, n), NULL};
  for (int v = 0; v < n; v++) g.def[v] = -1;
  for (int i = 0; i < l->body.len; i++) {
    stage[i] = 0;
    if (l->body.data[i].value >= 0) g.def[l->body.data[i].value] = i;
  }
  mark_items(&g);
  mark_combination(&g);
  mark_results(&g);
  check_uses(&g);
  arena_free(tmp);
  return g.wrong;
}
