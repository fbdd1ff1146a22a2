/* Evaluation of higher-order ops: loops and branches over frames.
 *
 * All loops are one: the parameters of a body are carries, then slices, then additional operands. A
 * carry is a view that the loop owns; a slice is a view whose pointer moves; a stacked result is
 * written into its place, and where the body's node can compute it there at once, it does. */
#include <string.h>

#include "loop/watch.h"
#include "runtime/eval_loop.h"

static const scan_attrs *attrs_of(const loop *l) { return eval_exec(l->c)->n->scan; }

/* ---- errors at the body's return ---- */

static bool fail_at_return(const loop *l, scanc_code code, const char *what, int i) {
  interp *in = l->c->in;
  const node *out = graph_output(l->f->g);
  src_loc loc = out->loc;
  if (!loc.file) loc.file = in->mod->name;
  if (in->err->code) return false;
  err_set(in->err, code, loc,
          "%s %d returned by %s changed from one step to the next; expected the shape and element "
          "type of "
          "the step before",
          what, i, l->f->g->class_name);
  if (in->mod->text) err_quote(in->err, in->mod->text, in->mod->text_len);
  return false;
}

static bool same_shape(const tensor *a, const tensor *b) {
  if (a->dtype != b->dtype || a->rank != b->rank) return false;
  for (int i = 0; i < a->rank; i++)
    if (a->sizes[i] != b->sizes[i]) return false;
  return true;
}

/* ---- operands ---- */

static bool eval_dim(const loop *l, dim d, int64_t *out) {
  const interp *in = l->c->in;
  if (dim_is_int(d)) return *out = d.k, true;
  return dim_eval(in->mod->syms, d, in->call->sym_values, in->call->sym_known, out);
}

/* A view without axis `axis`. */
static tensor without_axis(const tensor *t, int axis) {
  tensor v = {.data = t->data, .store = t->store, .dtype = t->dtype};
  for (int i = 0; i < t->rank; i++)
    if (i != axis) {
      v.sizes[v.rank] = t->sizes[i];
      v.strides[v.rank++] = t->strides[i];
    }
  return v;
}

/* The slices of one leaf; *size gets its extent along the scanned axis. */
static bool open_slice(loop *l, int i, const rval *v, int64_t *size, int64_t *first) {
  const scan_attrs *a = attrs_of(l);
  int axis = a ? a->x[i].axis : 0, step = a ? a->x[i].step : 1;
  *first = 0;
  if (v->kind != TYPE_TENSOR || v->t->rank <= axis)
    return eval_fail(l->c, SCANC_ERR_SCAN_RANK, "leaf %d has no dimension %d to scan over", i,
                     axis);
  if (a && !eval_dim(l, a->x[i].start, first))
    return eval_fail(l->c, SCANC_ERR_UNSUPPORTED, "the start of leaf %d is not known", i);
  *size = v->t->sizes[axis];
  slice *x = &l->x[i];
  int64_t stride = v->t->strides[axis] * (int64_t)scanc_dtype_size(v->t->dtype);
  x->t = without_axis(v->t, axis);
  x->base = v->t->data + *first * stride;
  x->advance = step * stride;
  return true;
}

/* Opens all leaves and finds the number of steps. */
bool loop_open_slices(loop *l, const rval *xs) {
  const scan_attrs *a = attrs_of(l);
  bool have = a != NULL;
  if (have && !eval_dim(l, a->length, &l->length))
    return eval_fail(l->c, SCANC_ERR_UNSUPPORTED, "the number of steps is not known");
  for (int i = 0; i < l->n_x; i++) {
    int64_t size, first;
    if (!open_slice(l, i, &xs->items[i], &size, &first)) return false;
    if (!have) l->length = size;
    int64_t last = a ? first + (l->length - 1) * a->x[i].step : size - 1;
    bool fits = a ? l->length <= 0 || (first >= 0 && first < size && last >= 0 && last < size)
                  : size == l->length;
    if (!fits)
      return eval_fail(l->c, SCANC_ERR_SCAN_LENGTH,
                       "leaf %d, dimension %d: expected length %lld, got %lld", i,
                       a ? a->x[i].axis : 0, (long long)l->length, (long long)size);
    have = true;
  }
  return have ||
         eval_fail(l->c, SCANC_ERR_MISSING_LENGTH, "no leaf, so the number of steps is unknown");
}

/* A cell that holds its own reference. */
void cell_set(cell *k, const rval *v) {
  k->v = *v;
  if (v->kind != TYPE_TENSOR) return;
  k->t = *v->t;
  if (k->t.store) storage_retain(k->t.store);
  k->v.t = &k->t;
}

void cell_clear(cell *k) {
  if (k->v.kind == TYPE_TENSOR) storage_release(k->t.store);
  k->v = (rval){.kind = TYPE_ABSENT};
}

/* ---- stacked results ---- */

bool loop_open_stack(loop *l, int j, const tensor *row) {
  stack *y = &l->y[j];
  const scan_attrs *a = attrs_of(l);
  int step = a && j < a->n_y ? a->y[j].step : 1;
  int64_t sizes[SCANC_MAX_RANK];
  y->axis = a && j < a->n_y ? a->y[j].axis : 0;
  if (row->rank == SCANC_MAX_RANK || y->axis > row->rank)
    return eval_fail(l->c, SCANC_ERR_UNSUPPORTED, "result %d has too many dimensions to be stacked",
                     j);
  for (int i = 0; i <= row->rank; i++)
    sizes[i] = i < y->axis ? row->sizes[i] : i == y->axis ? l->length : row->sizes[i - 1];
  if (!interp_alloc(l->c, &y->all, row->dtype, sizes, row->rank + 1)) return false;
  y->row = without_axis(&y->all, y->axis);
  int64_t stride = y->all.strides[y->axis] * (int64_t)scanc_dtype_size(row->dtype);
  y->base = y->all.data + (step < 0 ? (l->length - 1) * stride : 0);
  y->advance = step * stride;
  return true;
}

/* Lets the node that computes result j write into the stack from the next step on, if it makes a
 * new tensor there. */
static void place(loop *l, int j, int result) {
  stack *y = &l->y[j];
  const exec *x = l->f->producer[result];
  if (!x || x->manual || x->n_shapes != 1 || x->kind != RESULT_TENSOR || y->axis != 0) return;
  if ((x->n->op->traits & (T_VIEW | T_ALIAS_OK | T_DYNAMIC)) || x->out->place) return;
  y->placed = x->out;
  x->out->place = y->all.store;
  x->out->place_bytes = x->bytes[0];
}

/* The place of the coming step. */
static void aim(loop *l, int64_t t) {
  for (int j = 0; j < l->n_y; j++)
    if (l->y[j].placed) l->y[j].placed->place_data = l->y[j].base + t * l->y[j].advance;
}

bool loop_push_y(loop *l, int j, int result, const rval *v, int64_t t) {
  stack *y = &l->y[j];
  if (v->kind == TYPE_NONE && (t == 0 || y->none)) return y->none = true;
  if (v->kind != TYPE_TENSOR || y->none)
    return fail_at_return(l, SCANC_ERR_BAD_ARGUMENT, "result", result);
  if (t == 0 && !loop_open_stack(l, j, v->t)) return false;
  char *to = y->base + t * y->advance;
  if (!same_shape(&y->row, v->t))
    return fail_at_return(l, SCANC_ERR_SHAPE_MISMATCH, "result", result);
  if (v->t->data != to || !y->placed) {
    y->row.data = to;
    tensor_copy(&y->row, v->t);
  }
  if (t == l->place_from) place(l, j, result);
  return true;
}

static void close_stacks(loop *l) {
  for (int j = 0; j < l->n_y; j++) {
    slot *s = l->y[j].placed;
    if (!s) continue;
    s->place = NULL;
    for (int i = 0; i < s->n_outs; i++) {
      storage_release(s->outs[i].store);
      s->outs[i].store = NULL;
    }
  }
}

/* ---- the loop ---- */

/* The carries of the next step. All are taken before any is given up: a body may swap them. */
bool loop_take_carries(loop *l) {
  for (int i = 0; i < l->n_carry; i++) {
    const rval *v = &l->f->results[i];
    cell_set(&l->next[i], v);
    bool fits = v->kind == l->carry[i].v.kind &&
                (v->kind != TYPE_TENSOR || same_shape(&l->carry[i].t, v->t));
    if (fits) continue;
    for (int k = 0; k <= i; k++) cell_clear(&l->next[k]);
    bool shape = v->kind == TYPE_TENSOR && l->carry[i].v.kind == TYPE_TENSOR &&
                 v->t->dtype == l->carry[i].t.dtype;
    return fail_at_return(l, shape ? SCANC_ERR_CARRY_SHAPE : SCANC_ERR_CARRY_DTYPE, "carry", i);
  }
  for (int i = 0; i < l->n_carry; i++) {
    cell_clear(&l->carry[i]);
    l->carry[i] = l->next[i];
    l->next[i].v.kind = TYPE_ABSENT;
    if (l->carry[i].v.kind == TYPE_TENSOR) l->carry[i].v.t = &l->carry[i].t;
  }
  return true;
}

bool loop_step(loop *l, int64_t t) {
  slot *s = l->f->slots;
  for (int i = 0; i < l->n_carry; i++) s[i].v = l->carry[i].v;
  for (int i = 0; i < l->n_x; i++) {
    l->x[i].t.data = l->x[i].base + t * l->x[i].advance;
    s[l->n_carry + i].v = (rval){.kind = TYPE_TENSOR, .t = &l->x[i].t};
  }
  aim(l, t);
  if (!frame_run(l->c->in, l->f)) return false;
  l->c->in->cur = eval_exec(l->c);
  for (int j = 0; j < l->n_y; j++) {
    int result = l->fold ? j : l->n_carry + j;
    if (!loop_push_y(l, j, result, &l->f->results[result], t)) return false;
  }
  return loop_take_carries(l);
}

bool loop_bind_extras(eval_ctx *c, frame *f, int at, const rval *extras) {
  int n = list_len(extras);
  if (f->n_params != at + n)
    return eval_fail(c, SCANC_ERR_BODY_ARITY, "%s takes %d parameters, the call passes %d",
                     f->g->class_name, f->n_params, at + n);
  for (int i = 0; i < n; i++) f->slots[at + i].v = extras->items[i];
  return true;
}

/* Shapes of the ys of a loop without steps: from the types, with the sizes of this run. */
static bool empty_ys(loop *l) {
  for (int j = 0; j < l->n_y; j++) {
    val v = graph_result(l->f->g, l->n_carry + j);
    const type *t = v.kind == VAL_NODE ? v.node->type : NULL;
    tensor row = {0};
    if (v.kind == VAL_NONE) {
      l->y[j].none = true;
      continue;
    }
    if (!t || !type_is_tensor(t))
      return eval_fail(l->c, SCANC_ERR_UNSUPPORTED,
                       "no steps, and the shape of result %d is not known", l->n_carry + j);
    row.dtype = t->dtype;
    row.rank = t->n;
    for (int i = 0; i < t->n; i++)
      if (!eval_dim(l, t->dims[i], &row.sizes[i]))
        return eval_fail(l->c, SCANC_ERR_UNSUPPORTED,
                         "no steps, and the shape of result %d is not known", l->n_carry + j);
    if (!loop_open_stack(l, j, &row)) return false;
  }
  return true;
}

/* Carries and stacks become the result; the slot takes references of its own. */
void loop_give_results(loop *l, bool carries) {
  int n = 0;
  rval *items = ARENA_ARRAY(l->c->tmp, rval, l->n_carry + l->n_y);
  for (int i = 0; carries && i < l->n_carry; i++) items[n++] = l->carry[i].v;
  for (int j = 0; j < l->n_y; j++)
    items[n++] =
        l->y[j].none ? (rval){.kind = TYPE_NONE} : (rval){.kind = TYPE_TENSOR, .t = &l->y[j].all};
  rval list = {.kind = TYPE_LIST, .n = n, .items = items};
  slot_set(l->c->in, eval_exec(l->c)->out, &list);
}

void loop_close(loop *l) {
  close_stacks(l);
  for (int i = 0; i < l->n_carry; i++) cell_clear(&l->carry[i]);
  for (int j = 0; j < l->n_y; j++) storage_release(l->y[j].all.store);
}

loop loop_new(eval_ctx *c, frame *f, int n_carry, int n_x, int n_y) {
  loop l = {.c = c, .f = f, .n_carry = n_carry, .n_x = n_x, .n_y = n_y};
  l.carry = ARENA_ARRAY(c->tmp, cell, n_carry);
  l.next = ARENA_ARRAY(c->tmp, cell, n_carry);
  l.x = ARENA_ARRAY(c->tmp, slice, n_x);
  l.y = ARENA_ARRAY(c->tmp, stack, n_y);
  return l;
}

/* scan and map: init and extras may be empty. */
static bool run_scan(eval_ctx *c, const rval *init, const rval *xs, const rval *extras) {
  frame *f = eval_exec(c)->sub[0];
  int n_init = list_len(init);
  if (f->n_results < n_init)
    return eval_fail(c, SCANC_ERR_LEAF_COUNT, "%s returns %d leaves, expected at least %d",
                     f->g->class_name, f->n_results, n_init);
  loop l = loop_new(c, f, n_init, list_len(xs), f->n_results - n_init);
  if (!loop_open_slices(&l, xs) || !loop_bind_extras(c, f, n_init + l.n_x, extras)) return false;
  for (int i = 0; i < n_init; i++) cell_set(&l.carry[i], &init->items[i]);
  bool ok = l.length > 0 || empty_ys(&l);
  for (int64_t t = 0; ok && t < l.length; t++) ok = loop_step(&l, t);
  if (ok) loop_give_results(&l, true);
  loop_close(&l);
  return ok;
}

/* ---- compiled scans ---- */

/* Allocates results of the node's types with the sizes of this run; false if they are not known, or
 * make no sense: the interpreter says which operation is at fault. */
static bool alloc_results(loop *l, tensor *out, int n_out) {
  const type *list = eval_exec(l->c)->n->type;
  if (!list || list->kind != TYPE_LIST || list->n != n_out) return false;
  for (int i = 0; i < n_out; i++) {
    const type *t = list->items[i];
    int64_t sizes[SCANC_MAX_RANK];
    if (!t) return false;
    if (t->kind == TYPE_NONE) continue;
    if (!type_is_tensor(t)) return false;
    for (int k = 0; k < t->n; k++)
      if (!eval_dim(l, t->dims[k], &sizes[k]) || sizes[k] < 0) return false;
    if (!interp_alloc(l->c, &out[i], t->dtype, sizes, t->n)) return false;
  }
  return true;
}

static jit_status call_kernel(loop *l, const rval *const *lists, tensor *out, int n_out) {
  eval_ctx *c = l->c;
  const scan_attrs *a = attrs_of(l);
  jit_call call = {.length = l->length, .out = out, .n_out = n_out, .mem = c->in->call->mem};
  for (int k = 0; k < 3; k++) call.n_leaf += list_len(lists[k]);
  rval *leaf = ARENA_ARRAY(c->tmp, rval, call.n_leaf);
  int64_t *start = ARENA_ARRAY(c->tmp, int64_t, l->n_x);
  int n = 0;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < list_len(lists[k]); i++) leaf[n++] = lists[k]->items[i];
  for (int i = 0; a && i < l->n_x; i++) eval_dim(l, a->x[i].start, &start[i]);
  call.leaf = leaf;
  call.x_start = a ? start : NULL;
  jit_status st = jit_run_scan(eval_exec(c)->kernel, &call, c->err);
  const module *m = c->in->mod;
  if (st == JIT_DATA && m->text && !*c->err->source) err_quote(c->err, m->text, m->text_len);
  return st;
}

static void give_tensors(eval_ctx *c, tensor *out, int n_out) {
  rval *items = ARENA_ARRAY(c->tmp, rval, n_out);
  for (int i = 0; i < n_out; i++)
    items[i] = out[i].store ? (rval){.kind = TYPE_TENSOR, .t = &out[i]} : (rval){.kind = TYPE_NONE};
  rval list = {.kind = TYPE_LIST, .n = n_out, .items = items};
  slot_set(c->in, eval_exec(c)->out, &list);
}

/* The kernel of a scan over the leaves of the operands init (NULL: an associative scan), xs (NULL:
 * a group without time) and extras. JIT_DECLINED: the interpreter runs the node. */
static jit_status run_kernel(eval_ctx *c, const rval *init, const rval *xs, const rval *extras) {
  const rval none = {.kind = TYPE_NONE}, *lists[3] = {init ? init : &none, xs ? xs : &none, extras};
  frame *f = eval_exec(c)->sub[0];
  int n_out = f->n_results;
  loop l = loop_new(c, f, 0, list_len(lists[1]), 0);
  l.length = 1;
  if (xs && !loop_open_slices(&l, xs)) return JIT_FAILED;
  tensor *out = ARENA_ARRAY(c->tmp, tensor, n_out);
  jit_status st = alloc_results(&l, out, n_out) ? call_kernel(&l, lists, out, n_out)
                  : c->err->code                ? JIT_FAILED
                                                : JIT_DECLINED;
  if (st == JIT_OK || st == JIT_DATA) give_tensors(c, out, n_out);
  for (int i = 0; i < n_out; i++) storage_release(out[i].store);
  return st;
}

/* Whether the interpreter may run what the kernel has declined; else an error. */
static bool may_interpret(eval_ctx *c) {
  return !c->in->call->must_compile || eval_fail(c, SCANC_ERR_NO_KERNEL,
                                                 "this scan cannot be compiled for these inputs: a "
                                                 "size or a kind of value that only the run tells");
}

bool eval_scan(eval_ctx *c) {
  if (eval_exec(c)->kernel) {
    jit_status st = run_kernel(c, &c->arg[1], &c->arg[2], &c->arg[3]);
    if (st != JIT_DECLINED) return st != JIT_FAILED;
    if (!may_interpret(c)) return false;
  }
  return run_scan(c, &c->arg[1], &c->arg[2], &c->arg[3]);
}

bool eval_map_impl(eval_ctx *c) {
  rval none = {.kind = TYPE_NONE};
  return run_scan(c, &none, &c->arg[1], &c->arg[2]);
}

bool eval_associative_scan(eval_ctx *c) {
  if (eval_exec(c)->kernel) {
    jit_status st = run_kernel(c, NULL, &c->arg[1], &c->arg[2]);
    if (st != JIT_DECLINED) return st != JIT_FAILED;
    if (!may_interpret(c)) return false;
  }
  return eval_prefix(c);
}

/* ---- branches, calls, while ---- */

static bool run_once(eval_ctx *c, frame *f, const rval *operands) {
  if (!loop_bind_extras(c, f, 0, operands) || !frame_run(c->in, f)) return false;
  c->in->cur = eval_exec(c);
  rval list = {.kind = TYPE_LIST, .n = f->n_results, .items = f->results};
  slot_set(c->in, eval_exec(c)->out, f->sequence || f->n_results != 1 ? &list : &f->results[0]);
  return true;
}

bool eval_cond(eval_ctx *c) {
  exec *x = eval_exec(c);
  if (c->arg[0].kind == TYPE_TENSOR && tensor_numel(c->arg[0].t) != 1)
    return eval_fail(c, SCANC_ERR_BAD_ARGUMENT, "the condition must have one element");
  return run_once(c, x->sub[eval_bool_or(c, 0, false) ? 0 : 1], &c->arg[3]);
}

bool eval_invoke_subgraph(eval_ctx *c) {
  const rval *operands = &c->arg[1];
  if (operands->kind == TYPE_LIST && operands->n == 1 && operands->items[0].kind == TYPE_LIST)
    operands = &operands->items[0];
  if (eval_exec(c)->kernel) {
    jit_status st = run_kernel(c, NULL, NULL, operands);
    if (st != JIT_DECLINED) return st != JIT_FAILED;
  }
  return run_once(c, eval_exec(c)->sub[0], operands);
}

static bool test_holds(loop *l, frame *test, const rval *extras, bool *holds) {
  eval_ctx *c = l->c;
  for (int i = 0; i < l->n_carry; i++) test->slots[i].v = l->carry[i].v;
  if (!loop_bind_extras(c, test, l->n_carry, extras) || !frame_run(c->in, test)) return false;
  c->in->cur = eval_exec(c);
  const rval *v = &test->results[0];
  if (test->n_results != 1 ||
      (v->kind == TYPE_TENSOR ? tensor_numel(v->t) != 1
                              : v->kind != TYPE_BOOL && v->kind != TYPE_INT))
    return eval_fail(c, SCANC_ERR_BAD_ARGUMENT, "%s must return one bool", test->g->class_name);
  eval_ctx probe = {.arg = v, .n_arg = 1};
  *holds = eval_bool_or(&probe, 0, false);
  return true;
}

/* Finds a loop that can never end, as entries do (loop/watch.h); not where memory lacks. */
typedef struct {
  size_t bytes;        /* of the carried values */
  storage *then, *now; /* NULL: not watched */
  int64_t steps;
} watch;

static size_t cell_bytes(const cell *k) {
  size_t bytes;
  if (k->v.kind != TYPE_TENSOR) return sizeof k->v.i;
  return __builtin_mul_overflow((size_t)tensor_numel(&k->t), scanc_dtype_size(k->t.dtype), &bytes)
             ? SIZE_MAX
             : bytes;
}

static void watch_open(const loop *l, watch *w) {
  w->bytes = 1; /* there is always a place */
  for (int i = 0; i < l->n_carry; i++)
    if (__builtin_add_overflow(w->bytes, cell_bytes(&l->carry[i]), &w->bytes)) return;
  w->then = pool_alloc(l->c->mem, w->bytes);
  w->now = w->then ? pool_alloc(l->c->mem, w->bytes) : NULL;
}

static void watch_close(watch *w) {
  storage_release(w->then);
  storage_release(w->now);
}

static void write_state(const loop *l, char *to) {
  for (int i = 0; i < l->n_carry; i++) {
    const cell *k = &l->carry[i];
    if (k->v.kind == TYPE_TENSOR) {
      tensor flat = k->t;
      flat.data = to;
      tensor_default_strides(&flat);
      tensor_copy(&flat, &k->t);
    } else {
      memcpy(to, &k->v.i, sizeof k->v.i);
    }
    to += cell_bytes(k);
  }
  *to = 0;
}

static bool repeats(const loop *l, watch *w) {
  int64_t n = ++w->steps;
  if (!watch_is_due(n)) return false;
  if (n == WATCH_FROM) watch_open(l, w);
  if (!w->now) return false;
  write_state(l, w->now->data);
  if (n > WATCH_FROM && !memcmp(w->now->data, w->then->data, w->bytes)) return true;
  storage *kept = w->then;
  if (watch_keeps(n)) w->then = w->now, w->now = kept;
  return false;
}

bool eval_while_loop(eval_ctx *c) {
  frame *test = eval_exec(c)->sub[0], *body = eval_exec(c)->sub[1];
  const rval *carried = &c->arg[2], *extras = &c->arg[3];
  int n = list_len(carried);
  if (body->n_results != n)
    return eval_fail(c, SCANC_ERR_LEAF_COUNT, "%s returns %d leaves, expected %d",
                     body->g->class_name, body->n_results, n);
  loop l = loop_new(c, body, n, 0, 0);
  for (int i = 0; i < n; i++) cell_set(&l.carry[i], &carried->items[i]);
  watch w = {0};
  bool ok = true, holds = false;
  while ((ok = test_holds(&l, test, extras, &holds)) && holds) {
    ok = loop_bind_extras(c, body, n, extras) && loop_step(&l, 0);
    if (ok && repeats(&l, &w))
      ok = eval_fail(c, SCANC_ERR_DATA, "the loop never ends: its values repeat");
    if (!ok) break;
  }
  watch_close(&w);
  watch_close(&w);
  if (ok) loop_give_results(&l, true);
  loop_close(&l);
  return ok;
}
