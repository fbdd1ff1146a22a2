/* nest_join: the nest of the entry combine(total, total). */
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

/* needed[v]: by the combinations, which begin with the carries and the items. */
static void find_needed(arena *mem, const scan_nest *n, bool *needed) {
  closure c = {n, ARENA_ARRAY(mem, const stmt *, n->n_value), ARENA_ARRAY(mem, bool, n->n_value),
               needed};
  for (int i = 0; i < n->body.len; i++) c.def[n->body.data[i].value] = &n->body.data[i];
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
    if (n->input_of[c->item] >= 0) continue;
    n->input_of[c->item] = n->inputs.len;
    inputs[n->inputs.len] = (nest_input){c->init, c->item};
    inputs[n->inputs.len++].ref.time = REF_STEP;
  }
  n->inputs.cap = n->inputs.len;
}

const scan_nest *nest_join(arena *mem, const scan_nest *from) {
  scan_nest *n = arena_copy(mem, from, sizeof *from);
  n->operand = arena_copy(mem, n->operand, sizeof *n->operand * (size_t)n->n_operand);
  for (int i = 0; i < n->n_x; i++) n->operand[i].dtype = n->operand[nest_seed(n, i)].dtype;
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
