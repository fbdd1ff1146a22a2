/* Printing kernels. One line per axis, buffer and statement; loops indent. Only for people and
 * tests: never read back. */
#include <inttypes.h>

#include "loop/loop.h"

static void print_lexpr(str *out, const kernel *k, lexpr e) {
  if (e.is_param) str_append(out, k->ints.data[e.k]);
  if (e.is_param && e.add) str_printf(out, " + %" PRId64, e.add);
  else if (!e.is_param) str_printf(out, "%" PRId64, e.k);
}

static void print_value(str *out, const kernel *k, int v) {
  const char *name = k->values.data[v].name;
  str_printf(out, "%%%d", v);
  if (name) str_printf(out, ".%s", name);
}

static void print_access(str *out, const kernel *k, const stmt *s) {
  const buffer *b = &k->buffers.data[s->buffer];
  str_append(out, b->name);
  str_char(out, '[');
  for (int d = 0; d < b->n_dims; d++) {
    if (d) str_append(out, ", ");
    index_map m = s->index[d];
    if (m.axis >= 0) str_append(out, k->axes.data[m.axis].name);
    if (m.axis >= 0 && m.add) str_printf(out, " + %" PRId64, m.add);
    if (m.axis <= INDEX_VALUE) print_value(out, k, stmt_index_value(s, d));
    else if (m.axis < 0) str_printf(out, "%" PRId64, m.add);
  }
  str_char(out, ']');
}

static void print_args(str *out, const kernel *k, const stmt *s) {
  for (int a = 0; a < s->n_args; a++) {
    if (a) str_append(out, ", ");
    print_value(out, k, s->arg[a]);
  }
}

static void print_point(str *out, const kernel *k, const stmt *s) {
  bool none = !s->number.is_param && !s->number.k;
  str_append(out, "point ");
  if (s->axis >= 0) str_append(out, k->axes.data[s->axis].name);
  if (s->axis >= 0 && !none) str_append(out, " + ");
  if (s->axis < 0 || !none) print_lexpr(out, k, s->number);
}

static void print_index(str *out, const kernel *k, const stmt *s) {
  str_append(out, "index ");
  print_args(out, k, s);
  str_append(out, s->wrap ? " wrapped below " : " below ");
  print_lexpr(out, k, s->number);
  if (s->fault >= 0) str_printf(out, " fault %d", s->fault);
}

static void print_list(str *out, const kernel *k, const stmt_list *list, int depth);

static void indent(str *out, int depth) { str_printf(out, "%*s", 2 * depth, ""); }

static void print_loop(str *out, const kernel *k, const loop *l, int depth) {
  str_printf(out, "for %s < ", k->axes.data[l->axis].name);
  print_lexpr(out, k, k->axes.data[l->axis].extent);
  int64_t unit = k->axes.data[l->axis].unit;
  if (unit) str_printf(out, " (a multiple of %" PRId64 ")", unit);
  static const char *const orders[] = {" parallel", " sequential", " prefix"};
  str_append(out, orders[l->order]);
  if (l->prefix.kind == PREFIX_NETWORK) str_printf(out, " network of %d", l->lanes);
  else if (l->bind == BIND_LANES) str_printf(out, " lanes %d unroll %d", l->lanes, l->unroll);
  if (l->block) str_printf(out, ", steps by %" PRId64, l->block);
  if (l->tile) str_printf(out, ", transposed by %d steps", l->tile);
  if (l->prefix.segments) str_printf(out, " behind blocks of %d segments", l->prefix.segments);
  if (l->prefix.cut) str_printf(out, ", cut by %d", l->prefix.cut);
  if (l->prefix.exact) str_append(out, ", exact");
  if (l->prefix.skip) str_printf(out, ", skipping %d without effect", l->prefix.skip);
  if (l->prefix.from) str_printf(out, " from %" PRId64 " on", l->prefix.from);
  for (int c = 0; c < l->n_carry; c++) {
    str_append(out, c ? ", " : " carry ");
    print_value(out, k, l->carry[c].in);
    str_append(out, " = ");
    print_value(out, k, l->carry[c].init);
  }
  str_char(out, '\n');
  print_list(out, k, &l->body, depth + 1);
  for (int c = 0; c < l->n_carry; c++) {
    indent(out, depth + 1);
    str_append(out, "next ");
    print_value(out, k, l->carry[c].in);
    str_append(out, " = ");
    print_value(out, k, l->carry[c].next);
    if (l->prefix.kind != PREFIX_LEFT) {
      str_append(out, ", item ");
      print_value(out, k, l->carry[c].item);
    }
    str_append(out, ", last ");
    print_value(out, k, l->carry[c].out);
    str_char(out, '\n');
  }
}

static void print_rhs(str *out, const kernel *k, const stmt *s) {
  static const char *const parts[] = {"", ".real", ".imag"};
  switch (s->kind) {
    case ST_LOAD:
      str_append(out, "load ");
      print_access(out, k, s);
      break;
    case ST_OP:
      str_printf(out, "%s.%s ", op_get(s->op)->name, scanc_dtype_name(s->compute));
      print_args(out, k, s);
      if (s->fault >= 0) str_printf(out, " fault %d", s->fault);
      break;
    case ST_CALL:
      str_printf(out, "call %s%s ", s->host->symbol, parts[s->host->part]);
      print_args(out, k, s);
      break;
    case ST_CAST:
      str_append(out, "cast ");
      print_args(out, k, s);
      break;
    case ST_CONST:
      if (dtype_class(s->dtype) == 'f') str_printf(out, "const %.17g", s->f);
      else str_printf(out, "const %" PRId64, s->i);
      break;
    case ST_POINT: print_point(out, k, s); break;
    case ST_INDEX: print_index(out, k, s); break;
    case ST_STORE:
    case ST_LOOP: break;
  }
}

static void print_stmt(str *out, const kernel *k, const stmt *s, int depth) {
  indent(out, depth);
  if (s->kind == ST_LOOP) {
    print_loop(out, k, s->loop, depth);
    return;
  }
  if (s->kind == ST_STORE) {
    str_append(out, "store ");
    print_access(out, k, s);
    str_append(out, " = ");
    print_value(out, k, s->arg[0]);
  } else {
    print_value(out, k, s->value);
    str_printf(out, ": %s = ", scanc_dtype_name(s->dtype));
    print_rhs(out, k, s);
  }
  str_char(out, '\n');
}

static void print_list(str *out, const kernel *k, const stmt_list *list, int depth) {
  for (int i = 0; i < list->len; i++) print_stmt(out, k, &list->data[i], depth);
}

static void print_buffer(str *out, const kernel *k, const buffer *b) {
  static const char *const spaces[] = {"in", "out", "scratch", "local"};
  str_printf(out, "  %s %s: %s[", spaces[b->space], b->name, scanc_dtype_name(b->dtype));
  for (int d = 0; d < b->n_dims; d++) {
    if (d) str_append(out, ", ");
    print_lexpr(out, k, b->dims[d].extent);
  }
  str_append(out, "] strides [");
  for (int d = 0; d < b->n_dims; d++) {
    if (d) str_append(out, ", ");
    print_lexpr(out, k, b->dims[d].stride);
  }
  str_append(out, "]\n");
}

void kernel_print(str *out, const kernel *k) {
  str_printf(out, "kernel %s(", k->name);
  for (int i = 0; i < k->ints.len; i++) str_printf(out, "%s%s", i ? ", " : "", k->ints.data[i]);
  str_append(out, ")\n");
  for (int i = 0; i < k->buffers.len; i++) print_buffer(out, k, &k->buffers.data[i]);
  for (int i = 0; i < k->faults.len; i++)
    str_printf(out, "  fault %d: %s in %s\n", i, k->faults.data[i].what, k->faults.data[i].node);
  print_list(out, k, &k->body, 1);
}
