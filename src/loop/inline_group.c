#include "loop/inline_group.h"

#include "loop/op_cost.h"

int group_rank(const scan_nest *n) { return n->operand[n->n_leaf].rank; }

/* ---- which groups ---- */

static bool is_plain(const nest_operand *p) {
  bool plain = !p->none && p->rank == p->n_axes && dtype_class(p->dtype) != 'c';
  for (int d = 0; plain && d < p->rank; d++)
    plain = p->dim[d] >= 0 || (p->dim[d] == DIM_FIXED && p->size[d] == 1);
  return plain;
}

/* The dimension of the results that a class is, -1. */
static int place_of(const scan_nest *n, int cls) {
  const nest_operand *r = &n->operand[n->n_leaf];
  for (int d = 0; d < r->rank; d++)
    if (r->dim[d] == cls) return d;
  return -1;
}

static bool fits_results(const scan_nest *n, int o) {
  const nest_operand *p = &n->operand[o], *r = &n->operand[n->n_leaf];
  int last = -1;
  if (!is_plain(p)) return false;
  for (int d = 0; d < p->rank; d++) {
    if (p->dim[d] < 0) continue;
    int at = place_of(n, p->dim[d]);
    if (at <= last) return false;
    last = at;
  }
  bool ok = !group_is_result(n, o) || p->rank == r->rank;
  for (int d = 0; ok && group_is_result(n, o) && d < p->rank; d++) ok = p->dim[d] == r->dim[d];
  return ok;
}

bool group_fits(const scan_nest *n) {
  if (!n->timeless || !n->n_y || n->faults.len || n->inners.len || n->stores.len != n->n_y)
    return false;
  if (n->n_leaf + n->n_y > GROUP_MAX_VIEWS) return false;
  int seen = 0;
  for (int o = 0; o < n->n_leaf + n->n_y; o++)
    if (!fits_results(n, o)) return false;
  for (int i = 0; i < n->body.len; i++)
    if (n->body.data[i].kind == ST_CALL || n->body.data[i].fault >= 0) return false;
  for (int i = 0; i < n->stores.len; i++) seen += n->stores.data[i].ref.operand >= n->n_leaf;
  return seen == n->n_y;
}

int group_cost(const scan_nest *n) {
  int cost = 0;
  for (int i = 0; i < n->body.len; i++) {
    const stmt *s = &n->body.data[i];
    cost += s->kind == ST_OP ? op_cost(s->op, s->compute) : s->kind == ST_CAST;
  }
  return cost;
}

nest_view group_view(const scan_nest *n, const nest_call *call, const nest_view *operand, int o) {
  const nest_operand *p = &n->operand[o], *r = &n->operand[n->n_leaf];
  nest_view v = {.buffer = operand[o].buffer, .offset = call->offset[o], .dtype = p->dtype};
  v.rank = r->rank;
  for (int d = 0; d < v.rank; d++) {
    v.size[d] = r->dim[d] < 0 ? dim_int(1) : call->shape.extent[r->dim[d]];
    v.stride[d] = dim_int(0);
  }
  for (int d = 0; d < p->rank; d++)
    if (p->dim[d] >= 0)
      v.stride[place_of(n, p->dim[d])] = call->shape.stride[o * SCANC_MAX_RANK + d];
  return v;
}

/* ---- statements ---- */

group_body group_open(view_kernel *v, const scan_nest *n) {
  group_body g = {v, n, ARENA_ARRAY(v->k->mem, const stmt *, n->n_value),
                  ARENA_ARRAY(v->k->mem, int, n->n_value)};
  for (int i = 0; i < n->body.len; i++) g.def[n->body.data[i].value] = &n->body.data[i];
  group_next(&g);
  return g;
}

void group_next(group_body *g) {
  for (int i = 0; i < g->n->n_value; i++) g->value[i] = -1;
}

void group_set(group_body *g, int leaf, int value) {
  for (int i = 0; i < g->n->inputs.len; i++)
    if (g->n->inputs.data[i].ref.operand == leaf) g->value[g->n->inputs.data[i].value] = value;
}

static int value_of(group_body *g, stmt_list *where, int v) {
  if (g->value[v] >= 0) return g->value[v];
  stmt copy = *g->def[v];
  for (int a = 0; a < copy.n_args; a++) copy.arg[a] = value_of(g, where, copy.arg[a]);
  return g->value[v] = stmt_add(g->v->k, where, copy, g->n->value_name[v]);
}

int group_result(group_body *g, stmt_list *where, int operand) {
  for (int i = 0; i < g->n->stores.len; i++)
    if (g->n->stores.data[i].ref.operand == operand)
      return value_of(g, where, g->n->stores.data[i].value);
  return -1;
}

/* ---- views ---- */

void group_load(group_body *g, stmt_list *where, const group_inline *w, const int *bufs,
                const int64_t *add) {
  for (int i = 0; i < w->n_views; i++)
    if (!group_is_result(w->n, w->operand[i]))
      group_set(g, w->operand[i],
                vk_load(g->v, where, bufs[i], add, 0, w->n->operand[w->operand[i]].name));
}

void group_results(group_body *g, stmt_list *where, const group_inline *w, int *value) {
  for (int i = 0; i < w->n_views; i++)
    if (group_is_result(w->n, w->operand[i])) value[i] = group_result(g, where, w->operand[i]);
}

void group_store(group_body *g, stmt_list *where, const group_inline *w, const int *bufs,
                 const int64_t *add, const int *value) {
  for (int i = 0; i < w->n_views; i++)
    if (group_is_result(w->n, w->operand[i])) vk_store(g->v, where, bufs[i], add, 0, value[i]);
}
