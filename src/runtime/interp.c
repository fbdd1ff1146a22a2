/* Execution of prepared graphs: operands, result types, memory and release of results, node by
 * node. */
#include "runtime/interp.h"

#include <string.h>

#include "ir/infer.h"

enum {
  KEEP_BYTES = 1 << 14
}; /* a dead result of at most this size keeps its storage for the next step */

/* ---- slots ---- */

static void drop_outs(slot *s) {
  for (int i = 0; i < s->n_outs; i++) {
    storage_release(s->outs[i].store);
    s->outs[i].store = NULL;
  }
}

static void slot_clear(slot *s) {
  drop_outs(s);
  s->n_outs = 0;
  s->v = (rval){.kind = TYPE_ABSENT};
}

/* The slot must be cleared. */
static void reserve_outs(interp *in, slot *s, int n) {
  if (n <= s->cap_outs) return;
  s->outs = ARENA_ARRAY(in->mem, tensor, n);
  s->cap_outs = n;
}

static void reserve_items(interp *in, slot *s, int n) {
  if (n <= s->cap_items) return;
  s->items = ARENA_ARRAY(in->mem, rval, n);
  s->cap_items = n;
}

/* An owned copy of one value; tensors go to s->outs, which has room. */
static rval keep(slot *s, const rval *v) {
  if (v->kind != TYPE_TENSOR) return *v;
  tensor *t = &s->outs[s->n_outs++];
  *t = *v->t;
  if (t->store) storage_retain(t->store);
  return (rval){.kind = TYPE_TENSOR, .t = t};
}

void slot_set(interp *in, slot *s, const rval *v) {
  bool list = v->kind == TYPE_LIST;
  slot_clear(s);
  reserve_outs(in, s, list ? v->n : 1);
  if (!list) {
    s->v = keep(s, v);
    return;
  }
  reserve_items(in, s, v->n);
  for (int i = 0; i < v->n; i++) s->items[i] = keep(s, &v->items[i]);
  s->v = (rval){.kind = TYPE_LIST, .n = v->n, .items = s->items};
}

/* Small whole results keep their memory: the next step fills it again without going to the pool. */
static void slot_drop(slot *s) {
  for (int i = 0; i < s->n_outs; i++) {
    storage *b = s->outs[i].store;
    if (!b ||
        (b->refs == 1 && b->bytes <= KEEP_BYTES && !b->borrowed && s->outs[i].data == b->data))
      continue;
    storage_release(b);
    s->outs[i].store = NULL;
  }
}

/* ---- what the result types depend on ---- */

static int64_t head_of(const rval *v) {
  if (v->kind == TYPE_TENSOR)
    return v->kind | (int64_t)v->t->dtype << 8 | (int64_t)v->t->rank << 16;
  return v->kind | (int64_t)v->n << 16;
}

/* Compares the description of v with *key and moves *key behind it; lengths follow from what was
 * equal before. */
static bool matches(const int64_t **key, const rval *v) {
  if (*(*key)++ != head_of(v)) return false;
  if (v->kind == TYPE_TENSOR) {
    const int64_t *sizes = *key;
    *key += v->t->rank;
    for (int i = 0; i < v->t->rank; i++)
      if (sizes[i] != v->t->sizes[i]) return false;
    return true;
  }
  if (v->kind == TYPE_LIST || v->kind == TYPE_SLICE) {
    for (int i = 0; i < v->n; i++)
      if (!matches(key, &v->items[i])) return false;
    return true;
  }
  return *(*key)++ == v->i;
}

static void key_push(interp *in, exec *x, int64_t k) {
  if (x->n_key == x->cap_key) {
    x->cap_key = x->cap_key ? 2 * x->cap_key : 16;
    int64_t *grown = ARENA_ARRAY(in->mem, int64_t, x->cap_key);
    if (x->n_key) memcpy(grown, x->key, sizeof *grown * (size_t)x->n_key);
    x->key = grown;
  }
  x->key[x->n_key++] = k;
}

static void describe(interp *in, exec *x, const rval *v) {
  key_push(in, x, head_of(v));
  if (v->kind == TYPE_TENSOR)
    for (int i = 0; i < v->t->rank; i++) key_push(in, x, v->t->sizes[i]);
  else if (v->kind == TYPE_LIST || v->kind == TYPE_SLICE)
    for (int i = 0; i < v->n; i++) describe(in, x, &v->items[i]);
  else key_push(in, x, v->i);
}

static bool same_operands(const exec *x) {
  const int64_t *key = x->key;
  for (int i = 0; i < x->n_patches; i++)
    if (!matches(&key, x->patches[i].where)) return false;
  return true;
}

/* ---- result types ---- */

static const type *type_of(interp *in, const rval *v) {
  arena *a = in->tmp;
  const type **items;
  dim d[SCANC_MAX_RANK];
  switch (v->kind) {
    case TYPE_TENSOR:
      for (int i = 0; i < v->t->rank; i++) d[i] = dim_int(v->t->sizes[i]);
      return type_tensor(a, v->t->dtype, d, v->t->rank);
    case TYPE_INT: return type_int(a, dim_int(v->i));
    case TYPE_FLOAT: return type_float(a, v->f);
    case TYPE_BOOL: return type_bool(a, v->i != 0);
    case TYPE_COMPLEX: return type_complex(a, v->f, v->im);
    case TYPE_STR: return type_str(a, v->s);
    case TYPE_DTYPE: return type_dtype(a, v->dtype);
    case TYPE_NONE: return &type_none;
    case TYPE_ABSENT: return &type_absent;
    case TYPE_GRAPH: return type_graph(a, v->sub);
    case TYPE_LIST:
    case TYPE_SLICE:
      items = ARENA_ARRAY(a, const type *, v->n);
      for (int i = 0; i < v->n; i++) items[i] = type_of(in, &v->items[i]);
      return v->kind == TYPE_LIST ? type_list(a, items, v->n) : type_slice(a, items);
    default: return type_other(a, v->s ? v->s : "object");
  }
}

static bool all_tensors(const type *t) {
  for (int i = 0; i < t->n; i++)
    if (!type_is_tensor(t->items[i])) return false;
  return t->n > 0;
}

static bool add_shape(exec *x, const type *t) {
  tensor *s = &x->shapes[x->n_shapes];
  *s = (tensor){.dtype = t->dtype, .rank = t->n};
  int64_t bytes = (int64_t)scanc_dtype_size(t->dtype);
  for (int i = 0; i < t->n; i++) {
    s->sizes[i] = dim_is_int(t->dims[i]) ? t->dims[i].k : 0;
    if (__builtin_mul_overflow(bytes, s->sizes[i], &bytes))
      return eval_fail(&x->c, SCANC_ERR_SIZE_OVERFLOW,
                       "the number of bytes of the result does not fit 64 bits");
  }
  tensor_default_strides(s);
  x->bytes[x->n_shapes++] = (size_t)bytes;
  return true;
}

static void reserve_shapes(interp *in, exec *x, int n) {
  x->n_shapes = 0;
  if (n <= x->cap_shapes) return;
  x->shapes = ARENA_ARRAY(in->mem, tensor, n);
  x->bytes = ARENA_ARRAY(in->mem, size_t, n);
  x->cap_shapes = n;
}

/* Gives the slot its form for results of the inferred types: n tensors, a list or a number. */
static bool set_form(interp *in, exec *x, const type *t) {
  slot *s = x->out;
  bool tensors = t ? t->kind == TYPE_TENSOR || (t->kind == TYPE_LIST && all_tensors(t))
                   : (x->n->op->traits & T_DYNAMIC) != 0;
  int n = !tensors ? 0 : t && t->kind == TYPE_LIST ? t->n : 1;
  slot_clear(s);
  reserve_outs(in, s, n);
  reserve_shapes(in, x, n);
  for (int i = 0; i < n; i++) {
    if (!t) x->shapes[x->n_shapes++] = (tensor){0};
    else if (!add_shape(x, t->kind == TYPE_LIST ? t->items[i] : t)) return false;
    s->outs[i] = x->shapes[i];
  }
  s->n_outs = x->c.n_out = n;
  x->c.out = s->outs;
  x->kind = !tensors ? RESULT_NUMBER : t && t->kind == TYPE_LIST ? RESULT_LIST : RESULT_TENSOR;
  if (x->kind == RESULT_LIST) {
    reserve_items(in, s, n);
    for (int i = 0; i < n; i++) s->items[i] = (rval){.kind = TYPE_TENSOR, .t = &s->outs[i]};
  }
  return true;
}

/* The sizes of this run do not fit. An earlier data error stands. */
static bool infer_failed(interp *in, scanc_error *err) {
  if (in->mod->text) err_quote(err, in->mod->text, in->mod->text_len);
  if (!in->err->code) *in->err = *err;
  return false;
}

/* Whether a size of this run is what the program's text says; what no symbol tells is not known. */
static bool size_holds(const interp *in, dim said, dim got) {
  int64_t n = said.k;
  bool known = dim_is_int(said) ||
               dim_eval(in->mod->syms, said, in->call->sym_values, in->call->sym_known, &n);
  return !known || dim_is(got, n);
}

static bool type_holds(const interp *in, const type *said, const type *got) {
  if (!said || !got || said->kind != got->kind) return true;
  bool list = said->kind == TYPE_LIST, same = said->n == got->n;
  for (int i = 0; same && list && i < said->n; i++)
    same = type_holds(in, said->items[i], got->items[i]);
  for (int i = 0; same && type_is_tensor(said) && i < said->n; i++)
    same = size_holds(in, said->dims[i], got->dims[i]);
  return same || (!list && !type_is_tensor(said));
}

static bool in_main(const interp *in, const exec *x) { return x->n->owner == in->mod->main; }

/* The types of the main graph hold for the run, as the plans of compiled code take them to do. */
static bool check_type(interp *in, exec *x, const type *t) {
  if (!in_main(in, x) || type_holds(in, x->n->type, t)) return true;
  str text = {0};
  type_print(&text, x->n->type);
  str_append(&text, ", got ");
  type_print(&text, t);
  eval_fail(&x->c, SCANC_ERR_SHAPE_MISMATCH,
            "the result has another shape than its type says: expected %.300s", str_cstr(&text));
  str_free(&text);
  return false;
}

static bool infer_node(interp *in, exec *x) {
  const type **args = ARENA_ARRAY(in->tmp, const type *, x->c.n_arg);
  for (int k = 0; k < x->c.n_arg; k++) args[k] = type_of(in, &x->c.arg[k]);
  scanc_error err = {0};
  infer_ctx c = {.mem = in->tmp,
                 .syms = in->syms,
                 .op = x->n->op,
                 .arg = args,
                 .err = &err,
                 .loc = x->n->loc,
                 .what = x->n->name};
  if (!c.loc.file) c.loc.file = in->mod->name;
  const type *t = infer_op(&c);
  x->kind = RESULT_UNKNOWN;
  if (err.code) return infer_failed(in, &err);
  if (!t && !(x->n->op->traits & T_DYNAMIC) && x->n->op->id != OP_item)
    return eval_fail(&x->c, SCANC_ERR_UNSUPPORTED, "the type of the result of %s cannot be found",
                     x->n->op->name);
  if (!check_type(in, x, t)) return false;
  if (!set_form(in, x, t)) return x->kind = RESULT_UNKNOWN, false;
  x->n_key = 0;
  for (int i = 0; i < x->n_patches; i++) describe(in, x, x->patches[i].where);
  return true;
}

/* ---- memory of results ---- */

/* True when the storage is this result's alone and large enough to be filled again. */
static bool reusable(const tensor *t, size_t bytes) {
  return t->store && t->store->refs == 1 && !t->store->borrowed && t->store->bytes >= bytes &&
         t->data == t->store->data;
}

static bool place_out(exec *x, int k) {
  slot *s = x->out;
  tensor *t = &s->outs[k];
  size_t bytes = x->bytes[k];
  if (s->place && bytes == s->place_bytes) {
    if (t->store != s->place) {
      storage_release(t->store);
      t->store = s->place;
      storage_retain(s->place);
    }
    t->data = s->place_data;
    return true;
  }
  if (reusable(t, bytes)) return true;
  storage_release(t->store);
  return interp_alloc(&x->c, t, x->shapes[k].dtype, x->shapes[k].sizes, x->shapes[k].rank);
}

static void reset_view(tensor *t, const tensor *shape) {
  storage_release(t->store);
  t->store = NULL;
  t->data = NULL;
  t->dtype = shape->dtype;
  t->rank = shape->rank;
  memcpy(t->sizes, shape->sizes, sizeof *t->sizes * (size_t)shape->rank);
  memcpy(t->strides, shape->strides, sizeof *t->strides * (size_t)shape->rank);
}

static bool prepare_outs(exec *x) {
  slot *s = x->out;
  bool own = x->n->op->traits & (T_VIEW | T_ALIAS_OK | T_DYNAMIC);
  for (int k = 0; k < x->n_shapes; k++) {
    if (own) reset_view(&s->outs[k], &x->shapes[k]);
    else if (!place_out(x, k)) return false;
  }
  return true;
}

static void share_storage(exec *x) {
  if (!(x->n->op->traits & (T_VIEW | T_ALIAS_OK)) || x->c.arg[0].kind != TYPE_TENSOR) return;
  storage *base = x->c.arg[0].t->store;
  for (int k = 0; k < x->n_shapes; k++)
    if (!x->out->outs[k].store && base) {
      x->out->outs[k].store = base;
      storage_retain(base);
    }
}

static void set_value(interp *in, exec *x) {
  slot *s = x->out;
  if (x->kind == RESULT_TENSOR) s->v = (rval){.kind = TYPE_TENSOR, .t = s->outs};
  else if (x->kind == RESULT_LIST)
    s->v = (rval){.kind = TYPE_LIST, .n = x->n_shapes, .items = s->items};
  else if (s->v.kind == TYPE_LIST) {
    reserve_items(in, s, s->v.n);
    memmove(s->items, s->v.items, sizeof *s->items * (size_t)s->v.n);
    s->v.items = s->items;
  }
}

/* ---- one node ---- */

static bool evaluate(interp *in, exec *x) {
  bool typed = x->kind != RESULT_UNKNOWN && same_operands(x);
  if (!typed && !infer_node(in, x)) return false;
  if (x->kind == RESULT_NUMBER) {
    x->out->v = (rval){.kind = TYPE_NONE};
    x->c.scalar_out = &x->out->v;
  }
  if (!prepare_outs(x) || !x->fn(&x->c)) return false;
  share_storage(x);
  set_value(in, x);
  return true;
}

/* Numbers from numbers: nothing to infer. */
static bool evaluate_number(exec *x) {
  x->c.scalar_out = &x->out->v;
  return x->fn(&x->c);
}

static void learn_symbols(const interp *in, const told_symbols *tells) {
  for (int i = 0; i < tells->len; i++) {
    const told_symbol *s = &tells->data[i];
    const rval *v = &s->from->v;
    bool size = s->dim >= 0 && v->kind == TYPE_TENSOR && s->dim < v->t->rank;
    in->call->sym_known[s->symbol] = size || (s->dim < 0 && v->kind == TYPE_INT);
    if (in->call->sym_known[s->symbol])
      in->call->sym_values[s->symbol] = size ? v->t->sizes[s->dim] : v->i;
  }
}

static bool exec_run(interp *in, exec *x) {
  for (int i = 0; i < x->n_patches; i++) *x->patches[i].where = x->patches[i].from->v;
  arena_mark mark = arena_save(in->tmp);
  in->cur = x;
  x->c.mem = in->call->mem;
  x->c.err = in->err;
  bool ok = x->manual                   ? x->fn(&x->c)
            : x->n->op->kind == OPK_SYM ? evaluate_number(x)
                                        : evaluate(in, x);
  in->cur = x;
  if (ok && x->manual && in_main(in, x)) ok = check_type(in, x, type_of(in, &x->out->v));
  if (!ok && !in->err->code)
    eval_fail(&x->c, SCANC_ERR_NO_MEMORY, "out of memory (limit %zu bytes)", in->call->max_bytes);
  if (ok) learn_symbols(in, &x->tells);
  for (int i = 0; i < in->temps.len; i++) storage_release(in->temps.data[i]);
  in->temps.len = 0;
  arena_mark now = arena_save(in->tmp);
  if (now.block != mark.block || now.used != mark.used) arena_reset(in->tmp, mark);
  for (int i = 0; i < x->n_dead; i++) slot_drop(x->dead[i]);
  return ok;
}

bool frame_run(interp *in, frame *f) {
  learn_symbols(in, &f->tells);
  for (exec *x = f->execs, *end = x + f->n_execs; x < end; x++)
    if (!exec_run(in, x)) return false;
  for (int i = 0; i < f->n_patches; i++) *f->patches[i].where = f->patches[i].from->v;
  return true;
}

/* ---- a run ---- */

void interp_begin(interp *in, const interp_call *call, scanc_error *err) {
  in->call = call;
  in->err = err;
}

void interp_set(interp *in, const node *n, const rval *v) { in->slot_of[n->id]->v = *v; }

bool interp_step(interp *in, const node *n, const rval **result) {
  exec *x = in->exec_of[n->id];
  *result = &x->out->v;
  return exec_run(in, x);
}

bool interp_run(interp *in, const interp_call *call, const rval **results, int *n_results,
                scanc_error *err) {
  interp_begin(in, call, err);
  for (int i = 0; i < in->n_main; i++) in->main->slots[i].v = call->inputs[i];
  for (int i = 0; i < in->n_attrs; i++) in->attrs[i].s->v = call->inputs[in->attrs[i].input];
  *results = in->main->results;
  *n_results = in->main->n_results;
  return frame_run(in, in->main);
}

void interp_clear(interp *in) {
  for (int i = 0; i < in->mod->graphs.len; i++) {
    frame *f = &in->frames[i];
    for (int k = 0; f->g && k < f->n_slots; k++) {
      drop_outs(&f->slots[k]);
      f->slots[k].place = NULL;
    }
  }
  for (int i = 0; i < in->temps.len; i++) storage_release(in->temps.data[i]);
  in->temps.len = 0;
}
