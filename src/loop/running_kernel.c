#include "loop/running_kernel.h"

#include <math.h>

#include "loop/fold_kernel.h"

/* Value ids: the parts of a complex number, or an extremum and its index. */
typedef struct {
  int part[2];
} state;

typedef struct {
  view_kernel *v;
  const running_op *f;
  bool extremum, complex;
  int x;     /* buffer */
  int axis;  /* that runs */
  int parts; /* of the state */
} running;

static int op2(running *w, stmt_list *where, op_id op, scanc_dtype d, int x, int y) {
  return vk_op(w->v, where, op, d, (int[]){x, y}, 2);
}

static scanc_dtype type_of(const running *w, int part) {
  return w->extremum && part ? SCANC_I64 : w->f->acc;
}

static int load(running *w, stmt_list *where, int buf, int part) {
  int x = vk_load(w->v, where, buf, NULL, part, NULL);
  return vk_cast(w->v, where, vk_cast(w->v, where, x, w->f->via), w->f->acc);
}

static state product(running *w, stmt_list *where, state x, state y) {
  state r;
  vk_product(w->v, where, w->f->acc, x.part, y.part, r.part);
  return r;
}

static state extremum(running *w, stmt_list *where, state s, int x) {
  scanc_dtype d = w->f->acc;
  int p = op2(w, where, w->f->join, d, x, s.part[0]);
  if (dtype_class(d) == 'f') {
    int sound = op2(w, where, OP_eq, d, s.part[0], s.part[0]), nan = op2(w, where, OP_ne, d, x, x);
    p = op2(w, where, OP_logical_and, SCANC_BOOL, sound, p);
    p = op2(w, where, OP_logical_or, SCANC_BOOL, nan, p);
  }
  int here = stmt_point(w->v->k, where, w->axis, lexpr_const(0));
  int value = vk_op(w->v, where, OP_where, d, (int[]){p, x, s.part[0]}, 3);
  int at = vk_op(w->v, where, OP_where, SCANC_I64, (int[]){p, here, s.part[1]}, 3);
  return (state){{value, at}};
}

static state step(running *w, stmt_list *where, state s) {
  state x = {{load(w, where, w->x, 0), -1}};
  if (w->complex) x.part[1] = load(w, where, w->x, 1);
  if (w->extremum) return extremum(w, where, s, x.part[0]);
  if (w->complex) return product(w, where, s, x);
  int r = w->f->join == OP_logaddexp ? op2(w, where, OP_logaddexp, w->f->acc, x.part[0], s.part[0])
                                     : op2(w, where, w->f->join, w->f->acc, s.part[0], x.part[0]);
  return (state){{r, -1}};
}

/* Extrema start with the first element. */
static state start(running *w, stmt_list *where, int first) {
  const running_op *f = w->f;
  double number = f->join == OP_mul ? 1 : f->join == OP_add ? 0 : -INFINITY;
  state s = {{w->extremum ? load(w, where, first, 0) : vk_const(w->v, where, number, f->acc), -1}};
  if (w->extremum) s.part[1] = vk_const(w->v, where, 0, SCANC_I64);
  if (w->complex) s.part[1] = vk_const(w->v, where, 0, f->acc);
  return s;
}

/* The view of the first element along the last dimension. */
static int first_buffer(view_kernel *v, const nest_view *x, int *axis) {
  int last = x->rank - 1, runs = axis[last];
  nest_view first = view_range(v->syms, x, last, dim_int(0), dim_int(1));
  axis[last] = -1;
  int b = vk_buffer(v, "first", SPACE_INPUT, &first, axis);
  axis[last] = runs;
  return b;
}

void running_kernel(view_kernel *v, const running_op *f, const nest_view *x, const nest_view *y,
                    const nest_view *at) {
  running w = {.v = v, .f = f, .complex = dtype_class(x->dtype) == 'c'};
  int axis[SCANC_MAX_RANK], last = x->rank - 1;
  w.extremum = f->join == OP_ge || f->join == OP_le;
  w.parts = 1 + (w.extremum || w.complex);
  stmt_list *body = fold_loops(v, x, last, axis);
  w.axis = axis[last] = vk_axis(v, "t", x->size[last]);
  w.x = vk_buffer(v, "x", SPACE_INPUT, x, axis);
  int out = vk_buffer(v, "y", SPACE_OUTPUT, y, axis);
  int where = at ? vk_buffer(v, "at", SPACE_OUTPUT, at, axis) : -1;
  state s = start(&w, body, w.extremum ? first_buffer(v, x, axis) : -1);
  loop *l = loop_add(v->k, body, w.axis, ORDER_SEQUENTIAL, w.parts);
  for (int i = 0; i < w.parts; i++) {
    l->carry[i].init = s.part[i];
    s.part[i] = l->carry[i].in = kernel_add_value(v->k, type_of(&w, i), NULL);
  }
  s = step(&w, &l->body, s);
  for (int i = 0; i <= (int)w.complex; i++)
    vk_store(v, &l->body, out, NULL, i, vk_cast(v, &l->body, s.part[i], dtype_real(y->dtype)));
  if (at) vk_store(v, &l->body, where, NULL, 0, s.part[1]);
  for (int i = 0; i < w.parts; i++) {
    l->carry[i].next = s.part[i];
    l->carry[i].out = kernel_add_value(v->k, type_of(&w, i), NULL);
  }
}
