/* Running programs: as one entry where there is a plan, else node by node. */
#include <stdlib.h>
#include <string.h>

#include "base/fp_env.h"
#include "runtime/flush.h"
#include "runtime/program.h"

bool no_memory(const program *p, scanc_error *err) {
  return err_set(err, SCANC_ERR_NO_MEMORY, (src_loc){.file = p->mod->name},
                 "out of memory, or the run needs more than the limit of %zu bytes",
                 p->opts.max_bytes);
}

/* ---- states: one per concurrent run ---- */

run_state *run_state_take(program *p) {
  pthread_mutex_lock(&p->lock);
  run_state *s = p->idle.len ? vec_pop(&p->idle) : NULL;
  pthread_mutex_unlock(&p->lock);
  if (s) return s;
  arena *mem = arena_new();
  s = ARENA_NEW(mem, run_state);
  s->mem = mem;
  s->inputs = ARENA_ARRAY(mem, scanc_tensor, p->n_inputs);
  s->places = ARENA_ARRAY(mem, scanc_tensor, p->n_outputs);
  return s;
}

void run_state_return(program *p, run_state *s) {
  pthread_mutex_lock(&p->lock);
  vec_push(p->mem, &p->idle, s);
  pthread_mutex_unlock(&p->lock);
}

void run_state_free(run_state *s) {
  interp_free(s->in);
  free(s->scratch);
  arena_free(s->mem);
}

static jit_scan *kernel_of(void *ctx, const node *n) {
  const program *p = ctx;
  return p->kernel_of ? p->kernel_of[n->id] : NULL;
}

interp *run_interp_of(program *p, run_state *s, scanc_error *err) {
  if (!s->in) s->in = interp_new(p->mod, ports_attr, kernel_of, p, err);
  return s->in;
}

bool run_prepare(program *p, scanc_error *err) {
  run_state *s = run_state_take(p);
  scanc_error e = {0};
  bool ok = run_interp_of(p, s, err ? err : &e) != NULL;
  run_state_return(p, s);
  return ok;
}

/* ---- node by node ---- */

/* A number whose type was not known when the program was compiled becomes a 0-d tensor. */
static rval as_tensor(const rval *v, tensor *t, void *data) {
  *t = (tensor){.data = data};
  switch (v->kind) {
    case TYPE_INT: t->dtype = SCANC_I64; break;
    case TYPE_BOOL: t->dtype = SCANC_BOOL; break;
    case TYPE_FLOAT: t->dtype = SCANC_F64; break;
    default: return *v;
  }
  number x = {.cls = v->kind == TYPE_FLOAT ? 'f' : 'i', .i = v->i, .f = v->f};
  number_store(x, t->dtype, data);
  return (rval){.kind = TYPE_TENSOR, .t = t};
}

/* Moves a result to the caller: the storage itself if nobody else refers to it and it is the whole
 * of it, else a copy. */
static bool move_out(tensor *t, scanc_tensor *out, size_t *left) {
  storage *s = t->store;
  bool whole = s && s->refs == 1 && !s->borrowed && t->data == s->data && tensor_contiguous(t);
  if (!whole) {
    if (!result_new(out, t->dtype, t->sizes, t->rank, left)) return false;
    result_copy(out, t);
    return true;
  }
  out->dtype = t->dtype;
  out->rank = t->rank;
  int64_t stride = 1;
  for (int i = t->rank - 1; i >= 0; i--) {
    out->sizes[i] = t->sizes[i];
    out->strides[i] = stride;
    stride *= t->sizes[i] > 0 ? t->sizes[i] : 1;
  }
  out->data = out->owner = storage_detach(s);
  out->release = free;
  t->store = NULL;
  return true;
}

/* References to the results that outlive the interpreter's own; `number` holds what was a plain
 * number. */
typedef struct {
  tensor t;
  bool given;
  int64_t number[2];
} result;

static result *keep_results(const program *p, const rval *results, arena *tmp) {
  result *kept = ARENA_ARRAY(tmp, result, p->n_outputs);
  for (int i = 0; i < p->n_outputs; i++) {
    result *r = &kept[i];
    tensor t;
    if (p->outputs[i].port.kind == SCANC_PORT_NONE) continue;
    rval v = as_tensor(&results[p->outputs[i].result], &t, r->number);
    r->given = v.kind == TYPE_TENSOR;
    if (r->given) r->t = *v.t;
    if (r->given && !r->t.store) r->t.data = (char *)r->number;
    storage_retain(r->t.store);
  }
  return kept;
}

/* Arrays of the caller's get copies, made when nothing can fail any more. */
static void hand_over(const program *p, scanc_tensor *moved, scanc_tensor *out) {
  for (int i = 0; i < p->n_outputs; i++) {
    if (!out[i].data) {
      out[i] = moved[i];
      continue;
    }
    tensor from = {.data = moved[i].data, .dtype = moved[i].dtype, .rank = moved[i].rank};
    memcpy(from.sizes, moved[i].sizes, sizeof from.sizes);
    memcpy(from.strides, moved[i].strides, sizeof from.strides);
    if (moved[i].data) result_copy(&out[i], &from);
    scanc_tensor_release(&moved[i]);
  }
}

/* All or none: `out` is written when every result has been moved. */
static bool move_results(const program *p, result *kept, scanc_tensor *out, arena *tmp,
                         scanc_error *err) {
  size_t left = p->opts.max_bytes;
  scanc_tensor *moved = ARENA_ARRAY(tmp, scanc_tensor, p->n_outputs);
  for (int i = 0; i < p->n_outputs; i++) {
    const tensor *t = &kept[i].t;
    bool fits = !kept[i].given || !out[i].data ||
                result_fits(p, i, &out[i], t->dtype, t->sizes, t->rank, err);
    if (fits && (!kept[i].given || move_out(&kept[i].t, &moved[i], &left))) continue;
    while (i-- > 0) scanc_tensor_release(&moved[i]);
    return fits && no_memory(p, err);
  }
  hand_over(p, moved, out);
  return true;
}

static void run_in_pool(program *p, interp *in, pool *mem, const scanc_tensor *arrays,
                        scanc_tensor *out, scanc_error *err) {
  arena *tmp = arena_new();
  interp_call call = {.mem = mem,
                      .max_bytes = p->opts.max_bytes,
                      .fma = p->fma,
                      .must_compile = p->opts.exec == SCANC_EXEC_JIT};
  const rval *results;
  int n_results;
  if (ports_bind(p, arrays, tmp, mem, &call, err) &&
      interp_run(in, &call, &results, &n_results, err) && !err->code) {
    result *kept = keep_results(p, results, tmp);
    interp_clear(in);
    move_results(p, kept, out, tmp, err);
    for (int i = 0; i < p->n_outputs; i++) storage_release(kept[i].t.store);
  }
  interp_clear(in);
  ports_release(p, &call);
  arena_free(tmp);
}

static void run_nodes(program *p, run_state *s, const scanc_tensor *in, scanc_tensor *out,
                      scanc_error *err) {
  interp *it = run_interp_of(p, s, err);
  pool *mem = pool_new(p->opts.max_bytes);
  if (it && mem) run_in_pool(p, it, mem, in, out, err);
  else if (it) no_memory(p, err);
  if (mem) pool_free(mem);
}

/* Fusion moves nodes, so the data error that a run meets first may not be the first one of the
 * program as written: that is found by interpreting it. The inputs are as they were. */
static void tell_first_error(program *p, const scanc_tensor *in, scanc_error *err) {
  arena *tmp = arena_new();
  scanc_tensor *out = ARENA_ARRAY(tmp, scanc_tensor, p->n_outputs);
  scanc_error first = {0};
  interp *it = interp_new(p->as_written ? p->as_written : p->mod, ports_attr, NULL, p, &first);
  pool *mem = pool_new(p->opts.max_bytes);
  if (it && mem) run_in_pool(p, it, mem, in, out, &first);
  if (first.code == SCANC_ERR_DATA || (first.code && err->code == SCANC_ERR_NO_KERNEL))
    *err = first;
  for (int i = 0; i < p->n_outputs; i++) scanc_tensor_release(&out[i]);
  interp_free(it);
  if (mem) pool_free(mem);
  arena_free(tmp);
}

static void run_on(program *p, run_state *s, const scanc_tensor *in, scanc_tensor *out,
                   scanc_error *e) {
  plan_status st = p->planned ? plan_run(p, s, in, out, e) : PLAN_DECLINED;
  if (st == PLAN_DECLINED) {
    *e = (scanc_error){0};
    if (results_apart(p, in, out, e)) run_nodes(p, s, in, out, e);
  }
  bool moved = e->code == SCANC_ERR_DATA && p->as_written;
  if (moved || e->code == SCANC_ERR_NO_KERNEL) tell_first_error(p, in, e);
}

static void run_program(program *p, const scanc_tensor *in, scanc_tensor *out, scanc_error *e) {
  run_state *s = run_state_take(p);
  if (p->n_bound && !s->given) s->given = ARENA_ARRAY(s->mem, scanc_tensor, p->n_inputs);
  in = ports_given(p, in, s->given);
  fp_env env = fp_env_set(p->opts.ftz);
  if (p->opts.ftz) in = flush_inputs(p, s, in, out, e);
  if (in || !p->opts.ftz) run_on(p, s, in, out, e);
  if (p->opts.ftz) flush_release(p, s);
  fp_env_restore(env);
  run_state_return(p, s);
}

scanc_code scanc_run(scanc_program *p, const scanc_tensor *in, int n_in, scanc_tensor *out,
                     int n_out, scanc_error *err) {
  scanc_error e; /* filled only where there is one: it is large */
  e.code = SCANC_OK;
  if (ports_check_call(p, "scanc_run", in, n_in, out, n_out, &e)) run_program(p, in, out, &e);
  if (e.code && err && !err->code) *err = e;
  return e.code;
}
