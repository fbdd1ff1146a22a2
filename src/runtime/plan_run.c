/* Running a program as one entry: which plan serves the inputs, its numbers, memory, the call. */
#include <stdlib.h>
#include <string.h>

#include "runtime/chain.h"
#include "runtime/code_cache.h"
#include "runtime/plan.h"
#include "runtime/threads.h"

enum { KEEP_SCRATCH = 64 << 20 }; /* bytes that a state keeps from run to run */

/* ---- plans ---- */

static plan *empty_plan(const program *p, const plan_key *key) {
  arena *mem = arena_new();
  plan *pl = ARENA_NEW(mem, plan);
  *pl = (plan){.mem = mem, .key = *key};
  pl->key.along = arena_copy(mem, key->along, (size_t)p->n_inputs * SCANC_MAX_RANK);
  return pl;
}

/* A plan without `fn` says that inputs of this layout are served node by node; `why` then has the
 * reason. NULL: the code generator failed, with a message in `why`. */
static plan *make_plan(const program *p, const plan_key *key, str *why) {
  const codegen_api *api = generator_get(why);
  plan *pl = api ? plan_new(p, key, why) : NULL;
  if (!pl || (!pl->n_kernels && pl->hosts.len)) {
    plan_free(pl);
    return empty_plan(p, key);
  }
  if (p->plans_only) return pl;
  double start = log_clock_ms();
  bool found;
  pl->code = code_cache_get(api, &pl->entry, p->opts.cpu ? p->opts.cpu : "native", &found, why);
  if (pl->code)
    log_say(&p->mod->log, SCANC_LOG_DEBUG, "%s: machine code %s in %.2f ms", p->mod->name,
            found ? "found in the cache" : "made", log_clock_ms() - start);
  if (pl->code) {
    pl->fn = code_cache_fn(pl->code);
    return pl;
  }
  plan_free(pl);
  return NULL;
}

static plan *add_plan(program *p, const plan_key *key, str *why, scanc_error *err) {
  plan *pl = make_plan(p, key, why);
  if (!pl) {
    err_set(err, SCANC_ERR_CODEGEN, (src_loc){.file = p->mod->name}, "%s", str_cstr(why));
    return NULL;
  }
  pl->next = p->plans;
  return p->plans = pl;
}

bool plan_compile_default(program *p, scanc_error *err) {
  str why = {0};
  arena *tmp = arena_new();
  plan_key key = {ARENA_ARRAY(tmp, unsigned char, p->n_inputs *SCANC_MAX_RANK), false};
  const plan *pl = add_plan(p, &key, &why, err);
  p->planned = pl && (pl->fn || p->plans_only);
  if (!p->planned)
    p->no_plan = arena_strdup(p->mem, why.len ? str_cstr(&why) : "nothing in it is compiled");
  str_free(&why);
  arena_free(tmp);
  return pl != NULL;
}

const node *plan_interpreted(const program *p) { return p->plans->interpreted; }

const node *plan_refused_scan(const program *p) {
  const plan *pl = p->plans;
  for (int i = 0; i < pl->hosts.len; i++) {
    const node *n = pl->hosts.data[i].n;
    bool scan = node_is_op(n, OP_scan) || node_is_op(n, OP_associative_scan);
    if (scan && p->kernel_of[n->id]) return n;
  }
  return NULL;
}

bool plan_has_loop(const program *p, const node *scan) {
  const plan *pl = p->plans;
  for (int i = 0; i < pl->entry.steps.len; i++)
    if (pl->entry.steps.data[i].kind == STEP_LOOP && pl->step_node.data[i] == scan) return true;
  return false;
}

void plan_free(plan *pl) {
  if (!pl) return;
  code_cache_release(pl->code);
  arena_free(pl->mem);
}

void plans_free(program *p) {
  while (p->plans) {
    plan *pl = p->plans;
    p->plans = pl->next;
    plan_free(pl);
  }
}

static bool same_key(const program *p, const plan_key *a, const plan_key *b) {
  return a->exact == b->exact && !memcmp(a->along, b->along, (size_t)p->n_inputs * SCANC_MAX_RANK);
}

static plan *plan_for(program *p, const plan_key *key, scanc_error *err) {
  str why = {0};
  pthread_mutex_lock(&p->lock);
  plan *pl = p->plans;
  while (pl && !same_key(p, &pl->key, key)) pl = pl->next;
  if (!pl) pl = add_plan(p, key, &why, err);
  pthread_mutex_unlock(&p->lock);
  str_free(&why);
  return pl;
}

/* ---- what a run is given ---- */

typedef struct {
  program *p;
  run_state *s;
  const scanc_tensor *in;
  scanc_tensor *out;   /* the caller's */
  scanc_tensor *place; /* per output: where the entry writes */
  scanc_error *err;
  arena *tmp;
  int64_t *sym_values;
  bool *sym_known;
  size_t left;             /* of the limit, for host steps */
  interp_call call;        /* host steps */
  VEC(storage *) borrowed; /* by the operands of the present one */
} plan_call;

static bool same_layout(const scanc_tensor *a, const scanc_tensor *b) {
  size_t n = sizeof *a->sizes * (size_t)a->rank;
  return a->dtype == b->dtype && a->rank == b->rank && !memcmp(a->sizes, b->sizes, n) &&
         !memcmp(a->strides, b->strides, n) && !b->data == !a->data;
}

/* Whether the state's plan and numbers are those of this run too. Numbers among the inputs may have
 * changed without a trace. */
static bool as_before(const program *p, const run_state *s, const scanc_tensor *in) {
  if (!s->pl || p->reads_numbers || s->pl->hosts.len) return false;
  for (int i = 0; i < p->n_inputs; i++)
    if ((unsigned)in[i].rank > SCANC_MAX_RANK || !same_layout(&in[i], &s->inputs[i])) return false;
  return true;
}

static along along_of(const scanc_tensor *t, int d, int64_t packed) {
  int64_t stride = t->strides[d];
  return stride == packed || t->sizes[d] == 1 ? ALONG_PACKED
         : stride == 0                        ? ALONG_NOTHING
         : stride == 1                        ? ALONG_UNIT
                                              : ALONG_STRIDED;
}

static plan_key key_of(const plan_call *c) {
  plan_key key = {ARENA_ARRAY(c->tmp, unsigned char, c->p->n_inputs *SCANC_MAX_RANK), false};
  for (int i = 0; i < c->p->n_inputs; i++) {
    const scanc_tensor *t = &c->in[i];
    int64_t packed = 1;
    if (ports_is_missing(t)) continue;
    for (int d = t->rank - 1; d >= 0; d--) {
      key.along[i * SCANC_MAX_RANK + d] = (unsigned char)along_of(t, d, packed);
      packed *= t->sizes[d] ? t->sizes[d] : 1;
    }
  }
  return key;
}

static void reserve(run_state *s, const plan *pl) {
  if (pl->params.len > s->cap_params) {
    s->cap_params = pl->params.len;
    s->params = ARENA_ARRAY(s->mem, int64_t, s->cap_params);
  }
  if (pl->entry.code.len > s->cap_values) {
    s->cap_values = pl->entry.code.len;
    s->values = ARENA_ARRAY(s->mem, int64_t, s->cap_values);
  }
  if (pl->entry.n_buffers + pl->entry.n_moving > s->cap_bufs) {
    s->cap_bufs = pl->entry.n_buffers + pl->entry.n_moving;
    s->bufs = ARENA_ARRAY(s->mem, void *, s->cap_bufs);
  }
}

/* The parameters and all values of the entry's code. False: a run that the plan does not serve. */
static bool evaluate(plan_call *c, const plan *pl) {
  run_state *s = c->s;
  reserve(s, pl);
  for (int i = 0; i < pl->params.len; i++) {
    const plan_param *q = &pl->params.data[i];
    if (q->symbol >= 0 && !c->sym_known[q->symbol]) return false;
    s->params[i] = q->symbol >= 0 ? c->sym_values[q->symbol] : c->in[q->input].strides[q->dim];
  }
  if (!int_code_run(&pl->entry.code, s->params, s->values)) return false;
  for (int i = 0; i < pl->guards.len; i++) {
    int64_t v = s->values[pl->guards.data[i].value];
    if (pl->guards.data[i].zero ? v != 0 : v < 0) return false;
  }
  return true;
}

static bool has_empty(const run_state *s, const plan *pl) {
  for (int i = 0; i < pl->may_be_empty.len; i++)
    if (s->values[pl->may_be_empty.data[i]] == 0) return true;
  return false;
}

/* An input that has a default and is left out is no array that an entry could read. */
static bool has_defaults(const plan_call *c) {
  for (int i = 0; i < c->p->n_inputs; i++)
    if (!c->p->inputs[i].unused && ports_is_missing(&c->in[i])) return true;
  return false;
}

/* Finds the plan and its numbers for inputs that are new to the state. */
static plan_status prepare(plan_call *c) {
  program *p = c->p;
  int n_symbols = symtab_n_symbols(p->mod->syms);
  c->sym_values = ARENA_ARRAY(c->tmp, int64_t, n_symbols);
  c->sym_known = ARENA_ARRAY(c->tmp, bool, n_symbols);
  c->s->pl = NULL;
  if (!ports_check(p, c->in, c->sym_values, c->sym_known, c->err)) return PLAN_FAILED;
  if (has_defaults(c)) return PLAN_DECLINED;
  plan_key key = key_of(c);
  plan *pl = NULL;
  for (int again = 0; again < 2; again++) {
    pl = plan_for(p, &key, c->err);
    if (!pl) return PLAN_FAILED;
    if (!pl->fn || !evaluate(c, pl)) return PLAN_DECLINED;
    if (!has_empty(c->s, pl)) break;
    key.exact = true;
  }
  c->s->pl =
      pl; /* not before: a run that is declined leaves no plan with the inputs of an older one */
  memcpy(c->s->inputs, c->in, sizeof *c->in * (size_t)p->n_inputs);
  return PLAN_RAN;
}

/* ---- memory ---- */

static void sizes_of(const plan_call *c, const plan_view *v, int64_t *sizes) {
  for (int d = 0; d < v->rank; d++) sizes[d] = c->s->values[v->size[d]];
}

static bool is_packed(const scanc_tensor *t) {
  int64_t packed = 1;
  for (int d = t->rank - 1; d >= 0; d--) {
    if (t->sizes[d] != 1 && t->strides[d] != packed) return false;
    packed *= t->sizes[d] ? t->sizes[d] : 1;
  }
  return true;
}

/* Bytes of the results that get memory and of the scratch; 0 where they are no number. */
static size_t bytes_needed(const plan_call *c) {
  const plan *pl = c->s->pl;
  size_t need = (size_t)c->s->values[pl->scratch], bytes;
  for (int i = 0; i < c->p->n_outputs; i++) {
    const plan_output *o = &pl->outputs[i];
    if (o->kind == PLAN_NOTHING || c->out[i].data) continue;
    scanc_tensor t = {.rank = o->kind == PLAN_TENSOR ? o->view.rank : 0};
    if (t.rank) sizes_of(c, &o->view, t.sizes);
    int64_t n = scanc_tensor_numel(&t);
    if (n < 0 || __builtin_mul_overflow((size_t)n, scanc_dtype_size(o->dtype), &bytes) ||
        __builtin_add_overflow(need, bytes, &need))
      return 0;
  }
  return need;
}

static bool too_little_memory(const plan_call *c) {
  size_t need = bytes_needed(c), limit = c->p->opts.max_bytes;
  if (need <= limit) return no_memory(c->p, c->err);
  return err_set(c->err, SCANC_ERR_NO_MEMORY, (src_loc){.file = c->p->mod->name},
                 "the run needs %zu bytes, more than the limit of %zu bytes", need, limit);
}

static bool place_output(plan_call *c, int i, size_t *left) {
  const plan_output *o = &c->s->pl->outputs[i];
  int64_t sizes[SCANC_MAX_RANK];
  scanc_tensor *given = &c->out[i];
  int rank = o->kind == PLAN_TENSOR ? o->view.rank : 0;
  if (o->kind == PLAN_NOTHING) return true;
  if (rank) sizes_of(c, &o->view, sizes);
  if (given->data) {
    if (!result_fits(c->p, i, given, o->dtype, sizes, rank, c->err)) return false;
    if (is_packed(given) && !result_is_input(c->p, c->in, given)) return c->place[i] = *given, true;
  }
  return result_new(&c->place[i], o->dtype, sizes, rank, left) || too_little_memory(c);
}

static bool take_scratch(plan_call *c, size_t left) {
  run_state *s = c->s;
  size_t need = (size_t)s->values[s->pl->scratch];
  if (need <= s->scratch_bytes) return true;
  free(s->scratch);
  s->scratch_bytes = 0;
  s->scratch = need <= left ? data_alloc(need) : NULL;
  if (s->scratch) s->scratch_bytes = need;
  return s->scratch || too_little_memory(c);
}

static void drop_scratch(run_state *s) {
  if (s->scratch_bytes <= KEEP_SCRATCH) return;
  free(s->scratch);
  s->scratch = NULL;
  s->scratch_bytes = 0;
}

/* Values without elements have a place, too. */
static char no_scratch[1];

static bool take_memory(plan_call *c) {
  const program *p = c->p;
  size_t left = p->opts.max_bytes;
  void **bufs = c->s->bufs;
  for (int i = 0; i < p->n_outputs; i++) {
    if (!place_output(c, i, &left)) return false;
    bufs[p->n_inputs + i] = c->place[i].data;
  }
  if (!take_scratch(c, left)) return false;
  c->left = left > c->s->scratch_bytes ? left - c->s->scratch_bytes : 0;
  for (int i = 0; i < p->n_inputs; i++) bufs[i] = c->in[i].data;
  bufs[p->n_inputs + p->n_outputs] = c->s->scratch ? c->s->scratch : no_scratch;
  return true;
}

static bool is_given(const plan_call *c, int i) { return c->place[i].data == c->out[i].data; }

static void drop_places(plan_call *c) {
  for (int i = 0; i < c->p->n_outputs; i++)
    if (c->place[i].data && !is_given(c, i)) scanc_tensor_release(&c->place[i]);
}

/* ---- host steps ---- */

static tensor tensor_of(const plan_call *c, const plan_view *v) {
  const int64_t *values = c->s->values;
  /* The place of an empty tensor may lie before its buffer. */
  uintptr_t place = (uintptr_t)c->s->bufs[v->buffer] + (uintptr_t)values[v->offset];
  tensor t = {.data = (char *)place, .dtype = v->dtype, .rank = v->rank};
  for (int d = 0; d < v->rank; d++) {
    t.sizes[d] = values[v->size[d]];
    t.strides[d] = values[v->stride[d]];
  }
  return t;
}

static bool host_operand(plan_call *c, const plan_host_value *v, rval *out) {
  *out = (rval){.kind = TYPE_NONE};
  if (v->kind == PLAN_NUMBER) *out = (rval){.kind = TYPE_INT, .i = c->s->values[v->number]};
  if (v->kind == PLAN_INPUT) *out = c->call.inputs[v->number];
  if (v->kind == PLAN_CELL) {
    tensor t = tensor_of(c, &v->view);
    number a = number_load(t.dtype, t.data);
    *out = (rval){.kind = a.cls == 'f' ? TYPE_FLOAT : a.cls == 'b' ? TYPE_BOOL : TYPE_INT};
    if (a.cls == 'f') out->f = a.f;
    else out->i = a.i;
  }
  if (v->kind == PLAN_TENSOR) {
    tensor *t = ARENA_NEW(c->tmp, tensor);
    *t = tensor_of(c, &v->view);
    t->store = pool_borrow(c->call.mem, t->data, 0);
    if (t->store) vec_push(c->tmp, &c->borrowed, t->store);
    *out = (rval){.kind = TYPE_TENSOR, .t = t};
    return t->store != NULL;
  }
  if (v->kind != PLAN_LIST) return true;
  rval *items = ARENA_ARRAY(c->tmp, rval, v->n);
  for (int i = 0; i < v->n; i++)
    if (!host_operand(c, &v->items[i], &items[i])) return false;
  *out = (rval){.kind = TYPE_LIST, .n = v->n, .items = items};
  return true;
}

/* The sizes are what inference promised, or the result does not fit its place. */
static bool keep_result(plan_call *c, const node *n, const plan_host_value *v, const rval *r) {
  if (v->kind == PLAN_LIST) {
    for (int i = 0; i < v->n; i++)
      if (r->kind != TYPE_LIST || r->n != v->n || !keep_result(c, n, &v->items[i], &r->items[i]))
        return false;
    return true;
  }
  if (v->kind != PLAN_TENSOR) return true;
  tensor to = tensor_of(c, &v->view);
  bool fits = r->kind == TYPE_TENSOR && r->t->dtype == to.dtype && r->t->rank == to.rank;
  for (int d = 0; fits && d < to.rank; d++) fits = r->t->sizes[d] == to.sizes[d];
  if (fits) tensor_copy(&to, r->t);
  else
    err_set(c->err, SCANC_ERR_SHAPE_MISMATCH, n->loc,
            "%.120s: the result has another shape than its type says", n->name);
  return fits;
}

static int32_t host_step(void *host, int32_t index) {
  plan_call *c = host;
  const plan_host *h = &c->s->pl->hosts.data[index];
  arena_mark mark = arena_save(c->tmp);
  bool had_error = c->err->code != SCANC_OK, ok = true;
  const rval *r;
  for (int i = 0; ok && i < h->n_operands; i++) {
    rval v;
    ok = host_operand(c, &h->value[i], &v);
    if (ok) interp_set(c->s->in, h->operand[i], &v);
  }
  ok = ok && interp_step(c->s->in, h->n, &r) && keep_result(c, h->n, &h->result, r);
  for (int i = 0; i < c->borrowed.len; i++) storage_release(c->borrowed.data[i]);
  memset(&c->borrowed, 0, sizeof c->borrowed);
  arena_reset(c->tmp, mark);
  if (!ok) {
    if (!c->err->code) no_memory(c->p, c->err);
    return -1;
  }
  return !had_error && c->err->code;
}

/* ---- the call ---- */

static void report_fault(const plan_call *c, int32_t status) {
  const fault_info *f = &c->s->pl->faults.data[status - 1];
  const module *m = c->p->mod;
  src_loc loc = f->loc;
  if (!f->what) return; /* the interpreter has told */
  if (!loc.file) loc.file = m->name;
  *c->err = (scanc_error){0};
  err_set(c->err, SCANC_ERR_DATA, loc, "%s: %s", f->node, f->what);
  if (m->text) err_quote(c->err, m->text, m->text_len);
}

static int32_t call_entry(plan_call *c, pool *mem) {
  const plan *pl = c->s->pl;
  const scanc_options *opts = &c->p->opts;
  host_threads host = {opts->for_each, opts->pool};
  scanc_par par = {host_step,         c,        threads_for_each, NULL, opts->threads,
                   c->p->thread_work, chain_run};
  if (host.for_each) par.for_each = host_for_each, par.pool = &host;
  if (opts->threads == 1) par.for_each = NULL, par.chain = NULL;
  if (!pl->hosts.len) return pl->fn(c->s->bufs, c->s->params, par.for_each ? &par : NULL);
  c->call = (interp_call){.mem = mem,
                          .max_bytes = c->p->opts.max_bytes,
                          .fma = c->p->fma,
                          .must_compile = c->p->opts.exec == SCANC_EXEC_JIT};
  if (!run_interp_of(c->p, c->s, c->err) || !ports_bind(c->p, c->in, c->tmp, mem, &c->call, c->err))
    return -1;
  interp_begin(c->s->in, &c->call, c->err);
  int32_t status = pl->fn(c->s->bufs, c->s->params, &par);
  interp_clear(c->s->in);
  return status;
}

static int32_t call_with_pool(plan_call *c) {
  if (!c->s->pl->hosts.len) return call_entry(c, NULL);
  pool *mem = pool_new(c->left);
  int32_t status = mem ? call_entry(c, mem) : -1;
  if (!mem) no_memory(c->p, c->err);
  ports_release(c->p, &c->call);
  if (mem) pool_free(mem);
  return status;
}

static void give_results(plan_call *c) {
  const plan *pl = c->s->pl;
  for (int i = 0; i < c->p->n_outputs; i++) {
    const plan_output *o = &pl->outputs[i];
    if (o->kind == PLAN_NUMBER) *(int64_t *)c->place[i].data = c->s->values[o->number];
    if (o->kind == PLAN_NOTHING || is_given(c, i)) continue;
    if (!c->out[i].data) {
      c->out[i] = c->place[i];
      continue;
    }
    const scanc_tensor *t = &c->place[i];
    tensor from = {.data = t->data, .dtype = t->dtype, .rank = t->rank};
    memcpy(from.sizes, t->sizes, sizeof from.sizes);
    memcpy(from.strides, t->strides, sizeof from.strides);
    result_copy(&c->out[i], &from);
    scanc_tensor_release(&c->place[i]);
  }
}

static plan_status run(plan_call *c) {
  if (!results_apart(c->p, c->in, c->out, c->err) || !take_memory(c)) {
    drop_places(c);
    return PLAN_FAILED;
  }
  int32_t status = call_with_pool(c);
  if (status > 0) report_fault(c, status);
  if (status) drop_places(c);
  else give_results(c);
  drop_scratch(c->s);
  return status ? PLAN_FAILED : PLAN_RAN;
}

plan_status plan_resolve(program *p, run_state *s, const scanc_tensor *in, scanc_error *err) {
  plan_call c = {.p = p, .s = s, .in = in, .err = err, .tmp = arena_new()};
  plan_status st = prepare(&c);
  arena_free(c.tmp);
  return st;
}

plan_status plan_run(program *p, run_state *s, const scanc_tensor *in, scanc_tensor *out,
                     scanc_error *err) {
  plan_call c = {.p = p, .s = s, .in = in, .out = out, .place = s->places, .err = err};
  bool before = as_before(p, s, in);
  if (p->n_outputs) memset(s->places, 0, sizeof *s->places * (size_t)p->n_outputs);
  if (before) return run(&c);
  c.tmp = arena_new();
  plan_status st = prepare(&c);
  if (st == PLAN_RAN) st = run(&c);
  arena_free(c.tmp);
  return st;
}
