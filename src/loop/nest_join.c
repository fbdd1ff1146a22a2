/* Nests for what is computed by stretches: that of the entry combine(total, total), and what comes
 * before a stretch. */
#include "loop/scan_nest.h"

typedef struct {
  const scan_nest *n;
  const stmt **def; /* per value, NULL */
  bool *stop, *needed;
} closure;

static void need(closure *c, int v) {
  if (c->needed[v]) return;
  c->needed[v] = true;
  for (int a = 0; !c->stop[v] && c->def[v] && a < c->def[v]->n_args; a++)
    need(c, c->def[v]->arg[a]);
}

static closure open_closure(arena *mem, const scan_nest *n, bool *needed) {
  closure c = {n, ARENA_ARRAY(mem, const stmt *, n->n_value), ARENA_ARRAY(mem, bool, n->n_value),
               needed};
  for (int i = 0; i < n->body.len; i++) c.def[n->body.data[i].value] = &n->body.data[i];
  return c;
}

/* needed[v]: by the combinations, which begin with the carries and the items. */
static void find_needed(arena *mem, const scan_nest *n, bool *needed) {
  closure c = open_closure(mem, n, needed);
  for (int i = 0; i < n->carries.len; i++) c.stop[n->carries.data[i].item] = true;
  for (int i = 0; i < n->carries.len; i++) {
    need(&c, n->carries.data[i].item);
    need(&c, n->carries.data[i].next);
  }
}

/* What elements enter with is read as it is. */
static void read_items(arena *mem, scan_nest *n) {
  nest_input *inputs = ARENA_ARRAY(mem, nest_input, n->inputs.len + n->carries.len);
  for (int i = 0; i < n->inputs.len; i++) inputs[i] = n->inputs.data[i];
  n->input_of = arena_copy(mem, n->input_of, sizeof *n->input_of * (size_t)n->n_value);
  n->inputs.data = inputs;
  for (int i = 0; i < n->carries.len; i++) {
    const nest_carry *c = &n->carries.data[i];
    int now = n->input_of[c->item];
    if (now >= 0 && n->inputs.data[now].ref.operand == c->init.operand) continue;
    n->input_of[c->item] = n->inputs.len;
    inputs[n->inputs.len] = (nest_input){c->init, c->item};
    inputs[n->inputs.len++].ref.time = REF_STEP;
  }
  n->inputs.cap = n->inputs.len;
}

const scan_nest *nest_in_turn(arena *mem, const scan_nest *n) {
  scan_nest *turn = arena_copy(mem, n, sizeof *n);
  turn->order = (prefix_order){.kind = PREFIX_LEFT};
  return turn;
}

const scan_nest *nest_join(arena *mem, const scan_nest *from) {
  scan_nest *n = arena_copy(mem, from, sizeof *from);
  n->operand = arena_copy(mem, n->operand, sizeof *n->operand * (size_t)n->n_operand);
  for (int i = 0; i < n->n_x; i++) {
    n->operand[i].dtype = n->operand[nest_seed(n, i)].dtype;
    n->operand[i].none = false; /* xs of a group are there now */
  }
  read_items(mem, n);
  n->part = arena_copy(mem, n->part, sizeof *n->part * (size_t)n->n_part);
  bool *needed = ARENA_ARRAY(mem, bool, n->n_value);
  find_needed(mem, n, needed);
  for (int p = 0; p < n->n_part; p++) {
    bool *value = ARENA_ARRAY(mem, bool, n->n_value);
    for (int v = 0; v < n->n_value; v++) value[v] = n->part[p].value[v] && needed[v];
    n->part[p].value = value;
  }
  return n;
}

void nest_find_carried(arena *mem, const scan_nest *n, bool *carried) {
  closure c = open_closure(mem, n, ARENA_ARRAY(mem, bool, n->n_value));
  for (int y = 0; y < n->stores.len; y++) {
    if (n->stores.data[y].carry >= 0) carried[n->stores.data[y].carry] = true;
    need(&c, n->stores.data[y].value);
  }
  for (bool more = true; more;) {
    more = false;
    for (int i = 0; i < n->carries.len; i++)
      if (carried[i]) need(&c, n->carries.data[i].next);
    for (int i = 0; i < n->carries.len; i++) {
      if (carried[i] || !c.needed[n->carries.data[i].in]) continue;
      carried[i] = more = true;
    }
  }
}
