/* Bundles are grown from what uses a value to what computes it: seeds are stores of neighbours,
 * carries, then what is left over, from the end of the line to its start. Operands of a bundle that
 * do the same are a bundle, too. All statements of a bundle have the same level, the length of the
 * longest chain that they end, so that no bundle waits for itself. */
#include "loop/bundle.h"

#include <stdlib.h>

#include "loop/walk.h"

enum {
  MAX_LANES = 64,
  MIN_LANES = 4, /* or a whole vector */
  MIN_BYTES = 16
};

/* Instead of the statement that defines a value. */
enum { OUTSIDE = -1, CARRIED = -2 };

typedef struct {
  arena *mem;
  const straight_line *line;
  int width;               /* of a vector, bytes */
  int *def;                /* per value: its statement, OUTSIDE (constants, too) or CARRIED */
  int *level, *cost;       /* per statement */
  int *user, *first_user;  /* of value v: user[first_user[v]] to user[first_user[v + 1] - 1] */
  bool *carried_on, final; /* per value: the next one of a carry; all bundles are there */
  bundles out;
} search;

/* ---- the line ---- */

static int n_operands(const stmt *s) { return s->kind == ST_STORE ? 1 : s->n_args; }

static void find_levels(search *x) {
  const straight_line *l = x->line;
  for (int v = 0; v < l->n_values; v++) x->def[v] = OUTSIDE;
  for (int c = 0; c < l->n_carries; c++) {
    x->def[l->carry[c][0]] = CARRIED;
    x->carried_on[l->carry[c][1]] = true;
  }
  for (int i = 0; i < l->n; i++) {
    const stmt *s = &l->s[i];
    x->cost[i] = stmt_cost(s);
    if (s->kind == ST_CONST) continue;
    x->level[i] = 1;
    for (int a = 0; a < s->n_args; a++) {
      int d = x->def[s->arg[a]];
      if (d >= 0 && x->level[d] >= x->level[i]) x->level[i] = x->level[d] + 1;
    }
    if (s->value >= 0) x->def[s->value] = i;
  }
}

static void find_users(search *x) {
  const straight_line *l = x->line;
  int n = 0;
  for (int i = 0; i < l->n; i++) {
    n += l->s[i].n_args;
    for (int a = 0; a < l->s[i].n_args; a++) x->first_user[l->s[i].arg[a] + 1]++;
  }
  for (int v = 0; v < l->n_values; v++) x->first_user[v + 1] += x->first_user[v];
  x->user = ARENA_ARRAY(x->mem, int, n);
  int *fill = arena_copy(x->mem, x->first_user, sizeof *fill * (size_t)(l->n_values + 1));
  for (int i = 0; i < l->n; i++)
    for (int a = 0; a < l->s[i].n_args; a++) x->user[fill[l->s[i].arg[a]]++] = i;
}

static search open_search(arena *mem, const straight_line *l, int width) {
  search x = {.mem = mem, .line = l, .width = width};
  x.def = ARENA_ARRAY(mem, int, l->n_values);
  x.carried_on = ARENA_ARRAY(mem, bool, l->n_values);
  x.level = ARENA_ARRAY(mem, int, l->n);
  x.cost = ARENA_ARRAY(mem, int, l->n);
  x.first_user = ARENA_ARRAY(mem, int, l->n_values + 1);
  x.out.of = ARENA_ARRAY(mem, int, l->n_values);
  x.out.lane = ARENA_ARRAY(mem, int, l->n_values);
  x.out.of_stmt = ARENA_ARRAY(mem, int, l->n);
  x.out.single = ARENA_ARRAY(mem, bool, l->n_values);
  for (int v = 0; v < l->n_values; v++) x.out.of[v] = -1;
  for (int i = 0; i < l->n; i++) x.out.of_stmt[i] = -1;
  find_levels(&x);
  find_users(&x);
  return x;
}

/* ---- what fits together ---- */

static bool same_form(const search *x, int i, int j) {
  const stmt *a = &x->line->s[i], *b = &x->line->s[j];
  if (a->kind != b->kind || a->dtype != b->dtype || x->level[i] != x->level[j]) return false;
  if (a->kind == ST_CAST) return x->line->dtype[a->arg[0]] == x->line->dtype[b->arg[0]];
  return a->kind == ST_OP && a->op == b->op && a->compute == b->compute && b->fault < 0;
}

static bool may_start(const stmt *s) {
  return (s->kind == ST_OP && s->fault < 0) || s->kind == ST_CAST || s->kind == ST_LOAD ||
         s->kind == ST_STORE;
}

static bool fits(const search *x, const int *at, int n) {
  const stmt *s = x->line->s;
  bool memory = s[at[0]].kind == ST_LOAD || s[at[0]].kind == ST_STORE;
  if (!may_start(&s[at[0]])) return false;
  for (int i = 0; i < n; i++) {
    if (x->out.of_stmt[at[i]] >= 0) return false;
    for (int j = 0; j < i; j++)
      if (at[j] == at[i]) return false;
    if (!i) continue;
    if (memory ? !stmt_is_next(x->line->k, &s[at[i - 1]], &s[at[i]]) : !same_form(x, at[0], at[i]))
      return false;
  }
  return true;
}

static void add(search *x, bool carried, const int *at, int n) {
  bundle b = {carried, n, arena_copy(x->mem, at, sizeof *at * (size_t)n)};
  vec_push(x->mem, &x->out.all, b);
  for (int i = 0; i < n; i++) {
    int v = bundle_value(x->line, &b, i);
    if (!carried) x->out.of_stmt[at[i]] = x->out.all.len - 1;
    if (v < 0) continue;
    x->out.of[v] = x->out.all.len - 1;
    x->out.lane[v] = i;
  }
}

static void take_back(search *x, int mark) {
  while (x->out.all.len > mark) {
    bundle b = vec_pop(&x->out.all);
    for (int i = 0; i < b.lanes; i++) {
      int v = bundle_value(x->line, &b, i);
      if (!b.carried) x->out.of_stmt[b.at[i]] = -1;
      if (v >= 0) x->out.of[v] = -1;
    }
  }
}

/* Operand a of every lane. */
static void operands(const search *x, const bundle *b, int a, int *value) {
  for (int i = 0; i < b->lanes; i++) value[i] = x->line->s[b->at[i]].arg[a];
}

static void grow(search *x, int mark) {
  int value[MAX_LANES] = {0};
  for (int i = mark; i < x->out.all.len; i++) {
    bundle b = x->out.all.data[i];
    for (int a = 0; !b.carried && a < n_operands(&x->line->s[b.at[0]]); a++) {
      bool computed = true;
      operands(x, &b, a, value);
      for (int lane = 0; lane < b.lanes; lane++) {
        value[lane] = x->def[value[lane]];
        computed &= value[lane] >= 0;
      }
      if (computed && fits(x, value, b.lanes)) add(x, false, value, b.lanes);
    }
  }
}

/* ---- what it is worth ---- */

/* Values outside of bundles come from: the outside, all together; statements that may yet be in one
 * bundle; or each from its own. */
enum { FROM_OUTSIDE = -1, FROM_LATER = -2, FROM_ITSELF = -3 };

static int source_of(const search *x, int v) {
  int d = x->def[v];
  if (x->out.of[v] >= 0) return x->out.of[v];
  if (d == OUTSIDE) return FROM_OUTSIDE;
  bool computed = d >= 0 && (x->line->s[d].kind == ST_OP || x->line->s[d].kind == ST_CAST);
  return computed && !x->final ? FROM_LATER : FROM_ITSELF - v;
}

static bool is_whole(const search *x, const int *value, int n) {
  int b = x->out.of[value[0]];
  const bundle *all = x->out.all.data;
  if (b < 0 || !all || all[b].lanes != n) return false;
  for (int i = 0; i < n; i++)
    if (x->out.of[value[i]] != b || x->out.lane[value[i]] != i) return false;
  return true;
}

/* Of making a vector of these values: what is the same in all steps is made once. */
static int gather_cost(const search *x, const int *value, int n) {
  bool same = true, outside = true;
  int sources = 0;
  for (int i = 0; i < n; i++) {
    bool seen = false;
    for (int j = 0; j < i && !seen; j++) seen = source_of(x, value[j]) == source_of(x, value[i]);
    sources += !seen;
    same &= value[i] == value[0];
    outside &= x->def[value[i]] == OUTSIDE;
  }
  return outside || is_whole(x, value, n) ? 0 : same ? 1 : sources;
}

static int operands_cost(const search *x, const bundle *b) {
  int value[MAX_LANES] = {0}, sum = 0;
  if (b->carried) {
    for (int i = 0; i < b->lanes; i++) value[i] = x->line->carry[b->at[i]][1];
    return gather_cost(x, value, b->lanes);
  }
  for (int a = 0; a < n_operands(&x->line->s[b->at[0]]); a++) {
    operands(x, b, a, value);
    sum += gather_cost(x, value, b->lanes);
  }
  return sum;
}

static bool needs_single(const search *x, int v) {
  if (v < 0) return false;
  for (int u = x->first_user[v]; u < x->first_user[v + 1]; u++)
    if (x->out.of_stmt[x->user[u]] < 0) return true;
  for (int c = 0; x->carried_on[v] && c < x->line->n_carries; c++)
    if (x->line->carry[c][1] == v && x->out.of[x->line->carry[c][0]] < 0) return true;
  return false;
}

static int singles_cost(const search *x, const bundle *b) {
  int n = 0;
  for (int i = 0; i < b->lanes; i++) n += needs_single(x, bundle_value(x->line, b, i));
  return n;
}

/* Instructions that the bundles from `mark` on save. */
static int gain(const search *x, int mark) {
  int sum = 0;
  for (int i = mark; i < x->out.all.len; i++) {
    const bundle *b = &x->out.all.data[i];
    if (!b->carried) sum += (b->lanes - 1) * x->cost[b->at[0]];
    sum -= operands_cost(x, b) + singles_cost(x, b);
  }
  return sum;
}

/* ---- seeds ---- */

/* Elements of a vector of what the statement computes, rounded down to a power of two <= n; 0: too
 * few. */
static int lanes_for(const search *x, int at, int n) {
  const stmt *s = &x->line->s[at];
  int size = (int)scanc_dtype_size(dtype_acc(s->dtype)), lanes = 1;
  if (s->kind == ST_OP && (int)scanc_dtype_size(s->compute) > size)
    size = (int)scanc_dtype_size(s->compute);
  int most = x->width / size < MAX_LANES ? x->width / size : MAX_LANES;
  while (2 * lanes <= n && 2 * lanes <= most) lanes *= 2;
  return lanes >= MIN_LANES || (lanes > 1 && lanes == most) ? lanes : 0;
}

/* Statements that fit together, as many at a time as possible. */
static void seed(search *x, const int *at, int n) {
  for (int i = 0, lanes; i < n; i += lanes) {
    lanes = lanes_for(x, at[i], n - i);
    if (!lanes) return;
    int mark = x->out.all.len;
    if (!fits(x, at + i, lanes)) continue;
    add(x, false, at + i, lanes);
    grow(x, mark);
    if (gain(x, mark) <= 0) take_back(x, mark);
  }
}

static void seed_stores(search *x) {
  const straight_line *l = x->line;
  int *at = ARENA_ARRAY(x->mem, int, l->n), n = 0;
  for (int i = 0; i < l->n; i++) {
    if (l->s[i].kind != ST_STORE) continue;
    if (n && !stmt_is_next(l->k, &l->s[at[n - 1]], &l->s[i])) {
      seed(x, at, n);
      n = 0;
    }
    at[n++] = i;
  }
  seed(x, at, n);
}

/* Carries from c on whose next values fit together, and are in no bundle or in one that they are.
 */
static void seed_carries(search *x) {
  const straight_line *l = x->line;
  int carry[MAX_LANES] = {0}, at[MAX_LANES] = {0}, value[MAX_LANES] = {0};
  for (int c = 0, n; c < l->n_carries; c += n ? n : 1) {
    int first = x->def[l->carry[c][1]], mark = x->out.all.len;
    for (n = 0; first >= 0 && n < MAX_LANES && c + n < l->n_carries; n++) {
      int d = x->def[l->carry[c + n][1]];
      if (d < 0 || l->dtype[l->carry[c + n][0]] != l->dtype[l->carry[c][0]]) break;
      if (d != first && !same_form(x, first, d)) break;
      carry[n] = c + n, at[n] = d, value[n] = l->carry[c + n][1];
    }
    n = n ? lanes_for(x, first, n) : 0;
    if (!n || (!is_whole(x, value, n) && !fits(x, at, n))) continue;
    add(x, true, carry, n);
    if (!is_whole(x, value, n)) add(x, false, at, n);
    grow(x, mark);
    if (gain(x, mark) < 0) take_back(x, mark);
  }
}

typedef struct {
  int level, kind, op, compute, dtype, from, at;
} left_over;

/* The last level first; statements of one form are neighbours. */
static int compare(const void *p, const void *q) {
  const left_over *a = p, *b = q;
  int d[] = {b->level - a->level, a->kind - b->kind, a->op - b->op, a->compute - b->compute,
             a->dtype - b->dtype, a->from - b->from, a->at - b->at};
  for (size_t i = 0; i < sizeof d / sizeof *d; i++)
    if (d[i]) return d[i];
  return 0;
}

static void seed_left_over(search *x) {
  const straight_line *l = x->line;
  left_over *rest = ARENA_ARRAY(x->mem, left_over, l->n);
  int *at = ARENA_ARRAY(x->mem, int, l->n), n = 0, len = 0;
  for (int i = 0; i < l->n; i++) {
    const stmt *s = &l->s[i];
    bool op = s->kind == ST_OP && s->fault < 0;
    if (op || s->kind == ST_CAST)
      rest[n++] = (left_over){x->level[i],
                              (int)s->kind,
                              op ? (int)s->op : 0,
                              op ? (int)s->compute : 0,
                              (int)s->dtype,
                              op ? 0 : (int)l->dtype[s->arg[0]],
                              i};
  }
  qsort(rest, (size_t)n, sizeof *rest, compare);
  for (int i = 0; i < n; i++) {
    if (x->out.of_stmt[rest[i].at] < 0) at[len++] = rest[i].at;
    if (i + 1 < n && same_form(x, rest[i].at, rest[i + 1].at)) continue;
    if (len) seed(x, at, len);
    len = 0;
  }
}

/* ---- the whole ---- */

static void add_up(search *x) {
  x->final = true;
  for (int i = 0; i < x->line->n; i++) {
    x->out.cost_apart += x->cost[i];
    if (x->out.of_stmt[i] < 0) x->out.cost += x->cost[i];
  }
  for (int i = 0; i < x->out.all.len; i++) {
    const bundle *b = &x->out.all.data[i];
    x->out.cost += operands_cost(x, b) + singles_cost(x, b);
    if (!b->carried) x->out.cost += x->cost[b->at[0]];
  }
  for (int v = 0; v < x->line->n_values; v++)
    x->out.single[v] = x->out.of[v] >= 0 && needs_single(x, v);
}

bool bundles_find(arena *mem, const straight_line *line, int vector_bytes, bundles *out) {
  bool any = false;
  for (int width = vector_bytes; width >= MIN_BYTES; width /= 2) {
    search x = open_search(mem, line, width);
    if (line->k) seed_stores(&x);
    seed_carries(&x);
    seed_left_over(&x);
    add_up(&x);
    if (any && x.out.cost >= out->cost) continue;
    *out = x.out;
    any = true;
  }
  return any && 3 * out->cost <= 2 * out->cost_apart;
}

/* Statements that hand values over through memory stay in order. */
static bool is_straight(const kernel *k, const loop *l) {
  for (int i = 0; i < l->body.len; i++) {
    const stmt *s = &l->body.data[i];
    if (s->kind == ST_LOOP) return false;
    if (s->kind != ST_LOAD && s->kind != ST_STORE) continue;
    buffer_space space = k->buffers.data[s->buffer].space;
    if (space != SPACE_INPUT && space != SPACE_OUTPUT) return false;
  }
  return l->bind == BIND_SERIAL && loop_is_sequential(l);
}

bool bundles_of_loop(arena *mem, const kernel *k, const loop *l, int vector_bytes,
                     straight_line *line, bundles *out) {
  if (!is_straight(k, l)) return false;
  int n = k->values.len;
  scanc_dtype *dtype = ARENA_ARRAY(mem, scanc_dtype, n);
  int(*carry)[2] = arena_alloc(mem, sizeof *carry * (size_t)l->n_carry);
  for (int v = 0; v < n; v++) dtype[v] = k->values.data[v].dtype;
  for (int c = 0; c < l->n_carry; c++) carry[c][0] = l->carry[c].in, carry[c][1] = l->carry[c].next;
  *line = (straight_line){k, l->body.data, l->body.len, dtype, n, carry, l->n_carry};
  return bundles_find(mem, line, vector_bytes, out);
}
