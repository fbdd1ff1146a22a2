/* Compiled scans: opening the code generator, the kernels of a scan by layout, calls. */
#include "runtime/jit.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "loop/codegen.h"
#include "loop/scan_nest.h"

/* ---- the code generator ---- */

static struct {
  pthread_once_t once;
  const codegen_api *api;
  char why[256];
} generator = {.once = PTHREAD_ONCE_INIT};

/* Found through the run path of whatever holds this code: beside it, or beside libscanc once
 * installed. */
static void open_generator(void) {
  void *lib = dlopen("libscanc-codegen.so", RTLD_NOW | RTLD_LOCAL);
  codegen_entry entry = NULL;
  if (lib) *(void **)&entry = dlsym(lib, CODEGEN_SYMBOL);
  const codegen_api *api = entry ? entry() : NULL;
  if (api && api->version == CODEGEN_VERSION) {
    generator.api = api;
    return;
  }
  const char *cause = lib ? "libscanc-codegen.so is of another version" : dlerror();
  snprintf(generator.why, sizeof generator.why, "the code generator cannot be loaded: %s", cause);
}

static const codegen_api *generator_get(str *why) {
  pthread_once(&generator.once, open_generator);
  if (!generator.api) str_append(why, generator.why);
  return generator.api;
}

/* ---- kernels by layout ---- */

typedef struct variant {
  const scan_nest *nest; /* with the parts it has */
  scan_layout layout;
  codegen_code *code;
  kernel_fn fn;
  struct variant *next;
} variant;

struct jit_scan {
  arena *mem;                    /* guarded by lock once the scan is in use */
  const scan_nest *nest, *exact; /* `exact` has the exact parts of `nest` */
  const char *cpu;
  target machine;
  const codegen_api *api;
  pthread_mutex_t lock;
  variant *variants;
};

static kernel *make_kernel(arena *mem, const jit_scan *j, const scan_nest *n,
                           const scan_layout *layout, str *why) {
  kernel *k = nest_kernel(mem, n, layout);
  schedule_scan(k, &j->machine);
  return kernel_verify(k, why) ? k : NULL;
}

static variant *add_variant(jit_scan *j, const scan_nest *n, const scan_layout *layout, str *why) {
  arena *tmp = arena_new();
  kernel *k = make_kernel(tmp, j, n, layout, why);
  codegen_code *code = k ? j->api->compile(k, j->cpu, why) : NULL;
  arena_free(tmp);
  if (!code) return NULL;
  variant *v = ARENA_NEW(j->mem, variant);
  *v = (variant){n, layout_key(j->mem, n, layout), code, j->api->entry(code), j->variants};
  return j->variants = v;
}

/* The kernel for a layout of j's nest or exact nest, made if it is not there yet. */
static kernel_fn kernel_for(jit_scan *j, const scan_nest *n, const scan_layout *layout, str *why) {
  pthread_mutex_lock(&j->lock);
  variant *v = j->variants;
  while (v && (v->nest != n || !layout_equal(n, &v->layout, layout))) v = v->next;
  if (!v) v = add_variant(j, n, layout, why);
  pthread_mutex_unlock(&j->lock);
  return v ? v->fn : NULL;
}

static const scan_nest *exact_nest(arena *mem, const scan_nest *n) {
  scan_nest *e = arena_copy(mem, n, sizeof *n);
  e->part = n->exact;
  e->n_part = n->n_exact;
  return e;
}

static bool prepare(jit_scan *j, const node *scan, const scanc_options *opts, str *why) {
  if (!scan->type || scan->type->kind != TYPE_LIST || !scan->type->known)
    return str_printf(why, "node %s: the types of its results are not known before it runs",
                      scan->name),
           false;
  j->nest = nest_build(j->mem, scan, why);
  if (!j->nest) return false;
  j->exact = exact_nest(j->mem, j->nest);
  arena *tmp = arena_new();
  nest_shape shape = nest_shape_default(tmp, j->nest);
  scan_layout layout = layout_make(tmp, j->nest, &shape, FOLD_RESULTS);
  str reason = {0};
  bool ok = target_get(opts->cpu, &j->machine);
  if (!ok) str_printf(&reason, "unknown CPU level '%s'", opts->cpu);
  if (ok) ok = (j->api = generator_get(&reason)) && kernel_for(j, j->nest, &layout, &reason);
  if (!ok) str_printf(why, "node %s: %s", scan->name, str_cstr(&reason));
  str_free(&reason);
  arena_free(tmp);
  return ok;
}

jit_scan *jit_compile_scan(const node *scan, const scanc_options *opts, str *why_not) {
  arena *mem = arena_new();
  jit_scan *j = ARENA_NEW(mem, jit_scan);
  j->mem = mem;
  j->cpu = arena_strdup(mem, opts->cpu ? opts->cpu : "native");
  pthread_mutex_init(&j->lock, NULL);
  if (prepare(j, scan, opts, why_not)) return j;
  jit_scan_free(j);
  return NULL;
}

void jit_scan_free(jit_scan *j) {
  if (!j) return;
  for (variant *v = j->variants; v; v = v->next) j->api->free(v->code);
  pthread_mutex_destroy(&j->lock);
  arena_free(j->mem);
}

/* ---- calls ---- */

typedef union {
  int64_t i;
  double f;
  uint8_t b;
} scalar;

typedef struct {
  jit_scan *j;
  const jit_call *call;
  arena *tmp;
  void **base;     /* per operand: its first element in time */
  scalar *scalars; /* the values of additional inputs that are numbers */
  nest_shape shape;
  bool *size_known; /* per class */
} run;

/* Sizes must be equal within a class; what the graph calls equal has been checked by inference, but
 * a call is only run if it is so. */
static bool place_dim(run *r, const nest_operand *p, int d, int64_t size) {
  if (p->dim[d] == DIM_TIME) return true;
  if (p->dim[d] == DIM_FIXED) return size == p->size[d];
  int64_t *extent = &r->shape.extent[p->dim[d]];
  if (!r->size_known[p->dim[d]]) *extent = size;
  r->size_known[p->dim[d]] = true;
  return *extent == size;
}

static bool place_tensor(run *r, int o, const tensor *t) {
  const nest_operand *p = &r->j->nest->operand[o];
  if (t->dtype != p->dtype || t->rank != p->rank) return false;
  for (int d = 0; d < t->rank; d++) {
    if (!place_dim(r, p, d, t->sizes[d])) return false;
    r->shape.stride[o * SCANC_MAX_RANK + d] = t->strides[d];
  }
  r->base[o] = t->data;
  return true;
}

static void place_time(run *r, int o, const tensor *t, int64_t start) {
  const nest_operand *p = &r->j->nest->operand[o];
  int64_t stride = t->strides[p->time_axis];
  r->shape.stride[o * SCANC_MAX_RANK + p->time_axis] = stride * p->time_step;
  r->base[o] = t->data + start * stride * (int64_t)scanc_dtype_size(t->dtype);
}

static bool time_in_bounds(const run *r, const nest_operand *p, const tensor *t, int64_t start) {
  int64_t n = r->call->length, last = start + p->time_step * (n - 1), size = t->sizes[p->time_axis];
  return !n || (start >= 0 && start < size && last >= 0 && last < size);
}

static bool place_scalar(run *r, int o, const rval *v) {
  scanc_dtype d = r->j->nest->operand[o].dtype;
  bool fits = (v->kind == TYPE_INT && d == SCANC_I64) ||
              (v->kind == TYPE_FLOAT && d == SCANC_F64) ||
              (v->kind == TYPE_BOOL && d == SCANC_BOOL);
  if (!fits || r->j->nest->operand[o].rank) return false;
  if (d == SCANC_I64) r->scalars[o].i = v->i;
  else if (d == SCANC_F64) r->scalars[o].f = v->f;
  else r->scalars[o].b = v->i != 0;
  r->base[o] = &r->scalars[o];
  return true;
}

static bool place_leaf(run *r, int o) {
  const scan_nest *n = r->j->nest;
  const rval *v = &r->call->leaf[o];
  if (v->kind != TYPE_TENSOR) return place_scalar(r, o, v);
  if (!place_tensor(r, o, v->t)) return false;
  int x = o - n->n_carry;
  if (n->operand[o].time_axis < 0) return true;
  int64_t start = r->call->x_start ? r->call->x_start[x] : 0;
  if (!time_in_bounds(r, &n->operand[o], v->t, start)) return false;
  place_time(r, o, v->t, start);
  return true;
}

static bool place_result(run *r, int i) {
  const scan_nest *n = r->j->nest;
  int o = n->n_leaf + i;
  const tensor *t = &r->call->out[i];
  if (n->operand[o].none) return true;
  if (!place_tensor(r, o, t)) return false;
  if (n->operand[o].time_axis < 0) return true;
  int64_t start = n->operand[o].time_step > 0 ? 0 : r->call->length - 1;
  if (!time_in_bounds(r, &n->operand[o], t, start)) return false;
  place_time(r, o, t, start);
  return true;
}

/* Inner scans that run backwards start at the last index. */
static void place_reversed(run *r) {
  const scan_nest *n = r->j->nest;
  for (int o = 0; o < nest_seed(n, 0); o++)
    for (int d = 0; d < n->operand[o].rank; d++) {
      int inner = nest_inner_of(n, &n->operand[o], d);
      if (inner < 0 || !n->inners.data[inner].reversed) continue;
      int64_t *stride = &r->shape.stride[o * SCANC_MAX_RANK + d],
              last = r->shape.extent[n->operand[o].dim[d]] - 1;
      r->base[o] =
          (char *)r->base[o] + last * *stride * (int64_t)scanc_dtype_size(n->operand[o].dtype);
      *stride = -*stride;
    }
}

static bool place_operands(run *r) {
  const scan_nest *n = r->j->nest;
  if (r->call->n_leaf != n->n_leaf || r->call->n_out != n->n_carry + n->n_y || r->call->length < 0)
    return false;
  for (int o = 0; o < n->n_leaf; o++) SCANC_TRY(place_leaf(r, o));
  for (int i = 0; i < r->call->n_out; i++) SCANC_TRY(place_result(r, i));
  place_reversed(r);
  return true;
}

static bool lacks_class(const nest_operand *p, int c) {
  for (int d = 0; d < p->rank; d++)
    if (p->dim[d] == c) return false;
  return true;
}

/* Loops of no points compute nothing: results that do not have that dimension need loops of their
 * own. */
static bool misses_results(const run *r) {
  const scan_nest *n = r->j->nest;
  for (const nest_part *p = n->part; p < n->part + n->n_part; p++)
    for (int a = 0; a < p->rank; a++)
      for (int o = n->n_leaf; !r->shape.extent[p->cls[a]] && o < nest_seed(n, 0); o++)
        if (p->operand[o] && lacks_class(&n->operand[o], p->cls[a])) return true;
  return false;
}

static jit_status report_fault(const run *r, int32_t status, scanc_error *err) {
  const fault_info *f = &r->j->nest->faults.data[status - 1];
  err_set(err, SCANC_ERR_DATA, f->loc, "%s: %s", f->node, f->what);
  return JIT_DATA;
}

static jit_status run_kernel(run *r, scanc_error *err) {
  const scan_nest *n = misses_results(r) ? r->j->exact : r->j->nest;
  scan_layout layout = layout_make(r->tmp, n, &r->shape, FOLD_RESULTS);
  str why = {0};
  kernel_fn fn = kernel_for(r->j, n, &layout, &why);
  if (!fn) {
    err_set(err, SCANC_ERR_CODEGEN, (src_loc){0}, "node %s: %s", n->name, str_cstr(&why));
    str_free(&why);
    return JIT_FAILED;
  }
  int64_t *ints = ARENA_ARRAY(r->tmp, int64_t, nest_max_ints(n));
  void **bufs = ARENA_ARRAY(r->tmp, void *, nest_max_buffers(n));
  layout_ints(n, &layout, &r->shape, r->call->length, ints);
  nest_buffers(n, layout.entry, r->base, bufs);
  int32_t status = fn(bufs, ints, NULL);
  return status ? report_fault(r, status, err) : JIT_OK;
}

jit_status jit_run_scan(jit_scan *j, const jit_call *call, scanc_error *err) {
  arena *tmp = arena_new();
  const scan_nest *n = j->nest;
  run r = {.j = j, .call = call, .tmp = tmp, .shape = nest_shape_alloc(tmp, n)};
  r.base = ARENA_ARRAY(tmp, void *, n->n_operand);
  r.scalars = ARENA_ARRAY(tmp, scalar, n->n_leaf);
  r.size_known = ARENA_ARRAY(tmp, bool, n->n_class);
  jit_status st = JIT_DECLINED;
  if (place_operands(&r)) st = n->fold && !call->length ? JIT_OK : run_kernel(&r, err);
  arena_free(tmp);
  return st;
}
