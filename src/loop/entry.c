/* Printing entries. */
#include "loop/entry.h"

#include <inttypes.h>

static void print_values(str *out, const int_code *code) {
  static const char *const names[] = {"const",    "param", "add", "mul",
                                      "floordiv", "mod",   "max", "min"};
  for (int i = 0; i < code->len; i++) {
    const int_op *o = &code->data[i];
    str_printf(out, "  $%d = %s ", i, names[o->kind]);
    if (o->kind == INT_CONST || o->kind == INT_PARAM) str_printf(out, "%" PRId64 "\n", o->k);
    else str_printf(out, "$%d $%d\n", o->a, o->b);
  }
}

static void print_place(str *out, entry_place p) {
  str_printf(out, " b%d+$%d", p.buffer, p.offset);
}

static void print_moves(str *out, const entry_step *s) {
  for (const entry_move *m = s->moves; m < s->moves + s->n_moves; m++) {
    str_printf(out, ", b%d from", m->buffer);
    print_place(out, m->start);
    if (m->step >= 0) str_printf(out, " by $%d", m->step);
    else str_printf(out, " trades with b%d", s->moves[m->trade].buffer);
  }
}

static void print_chain(str *out, const entry_chain *c) {
  str_printf(out, "  or by stretches of %" PRId64 " of $%d >= %" PRId64 ", flags", c->cut,
             c->length, c->least);
  print_place(out, c->flags);
  str_printf(out, ", %" PRId64 " ps\n", c->picoseconds);
  for (int r = 0; r < CHAIN_ROLES; r++) {
    const entry_chain_call *k = &c->call[r];
    str_printf(out, "    %d: less %d", r, k->less);
    for (int i = 0; i < k->k->ints.len; i++) str_printf(out, " $%d", k->ints[i]);
    for (int i = 0; i < k->n_bufs; i++) {
      print_place(out, k->place[i]);
      str_printf(out, "+k*$%d", k->advance[i]);
    }
    str_char(out, '\n');
  }
}

static void print_step(str *out, const entry_step *s) {
  switch (s->kind) {
    case STEP_LOOP:
      if (s->value < 0) str_append(out, "  loop");
      else str_printf(out, "  loop $%d times", s->value);
      print_moves(out, s);
      break;
    case STEP_LEAVE:
    case STEP_IF:
      str_append(out, s->kind == STEP_IF ? "  if" : "  leave unless");
      print_place(out, s->place[0]);
      break;
    case STEP_WATCH:
      str_append(out, "  watch");
      for (int i = 0; i < 2 * s->n_watched; i++) print_place(out, s->place[i]);
      for (int i = 0; i < s->n_watched; i++) str_printf(out, " $%d", s->ints[i]);
      break;
    case STEP_ELSE: str_append(out, "  else"); break;
    case STEP_END: str_append(out, "  end"); break;
    case STEP_NUMBER:
      str_printf(out, "  store $%d", s->value);
      print_place(out, s->place[0]);
      break;
    case STEP_HOST: str_printf(out, "  host %d", s->host); break;
    case STEP_KERNEL:
      str_printf(out, "  call %s", s->k->name);
      for (int i = 0; i < s->k->ints.len; i++) str_printf(out, " $%d", s->ints[i]);
      for (int i = 0; i < s->k->buffers.len; i++) print_place(out, s->place[i]);
      if (s->needs >= 0) str_printf(out, " needs $%d", s->needs);
      for (int i = 0; s->split && i < s->split->n_part; i++)
        str_printf(out, " cut along %s by %" PRId64, s->k->axes.data[s->split->part[i].axis].name,
                   s->split->part[i].grain);
      break;
  }
  str_printf(out, " faults %d\n", s->fault_base);
  if (s->chain) print_chain(out, s->chain);
}

void entry_print(str *out, const entry_point *e) {
  str_printf(out, "entry %s(%d buffers, %d moving, %d ints)\n", e->name, e->n_buffers, e->n_moving,
             e->n_params);
  print_values(out, &e->code);
  for (int i = 0; i < e->steps.len; i++) print_step(out, &e->steps.data[i]);
  for (int i = 0; i < e->steps.len; i++)
    if (e->steps.data[i].kind == STEP_KERNEL) {
      const entry_chain *c = e->steps.data[i].chain;
      kernel_print(out, e->steps.data[i].k);
      for (int r = 0; c && r < CHAIN_ROLES; r++) kernel_print(out, c->call[r].k);
    }
}
