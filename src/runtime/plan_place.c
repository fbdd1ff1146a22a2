/* The places of a plan: what shares the scratch block, and the steps as those of the entry. */
#include <stdio.h>

#include "runtime/plan.h"

/* A piece of the scratch block. */
typedef struct {
  dim bytes;
  int busy_until; /* step */
} slot_info;

/* ---- scratch ---- */

static bool serves(dim piece, dim bytes) {
  return dim_equal(piece, bytes) || (dim_is_int(piece) && dim_is_int(bytes) && piece.k >= bytes.k);
}

/* Gives every block of scratch a piece of the scratch block that no other one needs meanwhile; the
 * offsets per piece go to *offset. Blocks come in the order of their first steps. */
static dim place_blocks(planner *x, dim **offset) {
  VEC(slot_info) slots = {0};
  for (int i = 0; i < x->blocks.len; i++) {
    plan_block *b = &x->blocks.data[i];
    dim bytes = dim_mul(x->syms, dim_ceildiv(x->syms, b->bytes, dim_int(64)), dim_int(64));
    int s = 0;
    if (b->output >= 0 || b->moving) continue;
    while (s < slots.len &&
           (slots.data[s].busy_until >= b->first || !serves(slots.data[s].bytes, bytes)))
      s++;
    slot_info fresh = {bytes, b->last};
    if (s == slots.len) vec_push(x->tmp, &slots, fresh);
    slots.data[s].busy_until = b->last;
    b->slot = s;
  }
  dim at = dim_int(0);
  *offset = ARENA_ARRAY(x->tmp, dim, slots.len);
  for (int s = 0; s < slots.len; s++) {
    (*offset)[s] = at;
    at = dim_add(x->syms, at, slots.data[s].bytes);
  }
  return at;
}

/* Where a place of the planner is in the entry. */
typedef struct {
  planner *x;
  dim *slot_offset;
} places;

static int final_buffer(const places *p, int where, dim *offset) {
  planner *x = p->x;
  if (where < x->p->n_inputs) return where;
  const plan_block *b = &x->blocks.data[where - x->p->n_inputs];
  if (b->output >= 0) return x->p->n_inputs + b->output;
  if (b->moving) return x->pl->entry.n_buffers + b->slot;
  *offset = dim_add(x->syms, *offset, p->slot_offset[b->slot]);
  return x->p->n_inputs + x->p->n_outputs;
}

static bool final_view(const places *p, plan_view *v) {
  dim moved = dim_int(0);
  v->buffer = final_buffer(p, v->buffer, &moved);
  if (dim_is(moved, 0)) return true;
  int_op sum = {INT_ADD, v->offset, plan_code(p->x, moved), 0};
  if (sum.b < 0) return false;
  vec_push(p->x->pl->mem, &p->x->pl->entry.code, sum);
  v->offset = p->x->pl->entry.code.len - 1;
  return true;
}

static bool final_value(const places *p, plan_host_value *v) {
  if (v->kind == PLAN_TENSOR) return final_view(p, &v->view);
  for (int i = 0; v->kind == PLAN_LIST && i < v->n; i++)
    if (!final_value(p, &v->items[i])) return false;
  return true;
}

static bool final_place(const places *p, int where, dim offset, entry_place *out) {
  out->buffer = final_buffer(p, where, &offset);
  out->offset = plan_code(p->x, offset);
  return out->offset >= 0;
}

static bool final_moves(const places *p, const plan_step *s, entry_step *e) {
  planner *x = p->x;
  entry_move *moves = ARENA_ARRAY(x->pl->mem, entry_move, s->n_moves);
  bool ok = true;
  dim none = dim_int(0);
  for (int i = 0; i < s->n_moves; i++) {
    const plan_move *m = &s->moves[i];
    moves[i] =
        (entry_move){.buffer = final_buffer(p, m->buffer, &none), .step = -1, .trade = m->trade};
    ok = final_place(p, m->start, m->offset, &moves[i].start) && ok;
    if (m->trade < 0) ok = (moves[i].step = plan_code(x, m->step)) >= 0 && ok;
  }
  e->moves = moves;
  e->n_moves = s->n_moves;
  e->value = s->endless ? -1 : plan_code(x, s->number);
  return ok && (s->endless || e->value >= 0);
}

static bool final_chain(const places *p, const plan_chain *from, entry_chain *to) {
  planner *x = p->x;
  bool ok = (to->length = plan_code(x, from->length)) >= 0;
  ok = final_place(p, from->flags, dim_int(0), &to->flags) && ok;
  to->least = from->least;
  to->cut = from->cut;
  to->picoseconds = from->picoseconds;
  for (int r = 0; r < CHAIN_ROLES; r++) {
    const plan_places *q = &from->place[r];
    int n_ints = from->k[r]->ints.len, *ints = ARENA_ARRAY(x->pl->mem, int, n_ints),
        *advance = ARENA_ARRAY(x->pl->mem, int, q->n);
    entry_place *place = ARENA_ARRAY(x->pl->mem, entry_place, q->n);
    for (int i = 0; i < n_ints; i++) ok = (ints[i] = plan_code(x, from->ints[r][i])) >= 0 && ok;
    for (int i = 0; i < q->n; i++) {
      ok = final_place(p, q->buffer[i], q->offset[i], &place[i]) && ok;
      ok = (advance[i] = plan_code(x, q->advance[i])) >= 0 && ok;
    }
    to->call[r] = (entry_chain_call){from->k[r], ints, place, advance, q->n, from->less[r]};
  }
  return ok;
}

static bool final_step(const places *p, const plan_step *s) {
  planner *x = p->x;
  arena *mem = x->pl->mem;
  entry_step e = {.kind = s->kind, .k = s->k, .split = s->split, .needs = -1, .host = s->host};
  e.fault_base = s->fault_base;
  e.n_watched = s->n_watched;
  int n_ints = s->k ? s->k->ints.len : s->n_watched, *ints = ARENA_ARRAY(mem, int, n_ints);
  entry_place *place = ARENA_ARRAY(mem, entry_place, s->n_places);
  bool ok = true;
  for (int i = 0; i < n_ints; i++) ok = (ints[i] = plan_code(x, s->ints[i])) >= 0 && ok;
  for (int i = 0; i < s->n_places; i++) {
    dim offset = s->kind == STEP_NUMBER ? dim_int(0) : s->offset[i];
    ok = final_place(p, s->buffer[i], offset, &place[i]) && ok;
  }
  e.ints = ints;
  e.place = place;
  entry_chain *chain = s->chain ? ARENA_NEW(mem, entry_chain) : NULL;
  if (chain) ok = final_chain(p, s->chain, chain) && ok;
  e.chain = chain;
  if (s->has_needs) ok = (e.needs = plan_code(x, s->needs)) >= 0 && ok;
  if (s->kind == STEP_LOOP) ok = final_moves(p, s, &e) && ok;
  if (s->kind == STEP_NUMBER) ok = (e.value = plan_code(x, s->number)) >= 0 && ok;
  vec_push(mem, &x->pl->entry.steps, e);
  vec_push(mem, &x->pl->step_node, s->n);
  vec_push(mem, &x->pl->step_with, s->with);
  return ok;
}

static void number_moving(planner *x) {
  entry_point *e = &x->pl->entry;
  e->n_buffers = x->p->n_inputs + x->p->n_outputs + 1;
  for (int i = 0; i < x->blocks.len; i++)
    if (x->blocks.data[i].moving) x->blocks.data[i].slot = e->n_moving++;
}

static bool place_all(planner *x) {
  places p = {.x = x};
  plan *pl = x->pl;
  number_moving(x);
  dim scratch = place_blocks(x, &p.slot_offset);
  pl->scratch = plan_code(x, scratch);
  bool ok = pl->scratch >= 0;
  for (int i = 0; ok && i < x->steps.len; i++) ok = final_step(&p, &x->steps.data[i]);
  for (int i = 0; ok && i < pl->hosts.len; i++) {
    plan_host *h = &pl->hosts.data[i];
    for (int k = 0; ok && k < h->n_operands; k++) ok = final_value(&p, &h->value[k]);
    ok = ok && final_value(&p, &h->result);
  }
  for (int i = 0; ok && i < x->p->n_outputs; i++)
    if (pl->outputs[i].kind == PLAN_TENSOR) ok = final_view(&p, &pl->outputs[i].view);
  return ok || plan_refuse(x, graph_output(x->p->mod->main), "sizes without code");
}

/* What each symbol of the plan's table is to a run. */
static bool name_params(planner *x) {
  for (int i = 0; i < symtab_n_symbols(x->syms); i++) {
    plan_param q = {.symbol = symtab_find(x->p->mod->syms, symtab_symbol(x->syms, i))};
    if (q.symbol < 0 &&
        sscanf(symtab_symbol(x->syms, i), "input %d stride %d", &q.input, &q.dim) != 2)
      return plan_refuse(x, graph_output(x->p->mod->main), "a symbol that no input tells");
    vec_push(x->pl->mem, &x->pl->params, q);
  }
  x->pl->entry.n_params = symtab_n_symbols(x->syms);
  return true;
}

bool plan_place(planner *x) { return place_all(x) && name_params(x); }
