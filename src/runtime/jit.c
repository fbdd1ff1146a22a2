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
  pthread_once_t once, told;
  const codegen_api *api;
  char why[256];
} generator = {.once = PTHREAD_ONCE_INIT, .told = PTHREAD_ONCE_INIT};

/* Found through the run path of whatever holds this code: beside it, or beside libscanc once
 * installed. */
static void open_generator(void) {
  void *lib = dlopen("libscanc-codegen.so", RTLD_NOW | RTLD_LOCAL);
  codegen_entry entry = NULL;
  if (lib) *(void **)&entry = dlsym(lib, CODEGEN_SYMBOL);
  const codegen_api *api = entry ? entry() : NULL;
  if (api && api->version == CODEGEN_VERSION) {
    generator.api = api;
    api->on_no_memory(base_no_memory, false);
    return;
  }
  const char *cause = lib ? "libscanc-codegen.so is of another version" : dlerror();
  snprintf(generator.why, sizeof generator.why, "the code generator cannot be loaded: %s", cause);
}

static void tell_llvm(void) { generator.api->on_no_memory(base_no_memory, true); }

const struct codegen_api *generator_get(str *why) {
  pthread_once(&generator.once, open_generator);
  if (generator.api && base_tells_no_memory()) pthread_once(&generator.told, tell_llvm);
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
  arena *mem;                          /* guarded by lock once the scan is in use */
  const scan_nest *nest, *turn;        /* as its order says, and as a left fold */
  const scan_nest *exact, *exact_turn; /* with the exact parts */
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

static bool prepare(jit_scan *j, const node *n, const scanc_options *opts, str *why) {
  bool one = nest_is_cumulative(n) && type_is_tensor(n->type);
  if (!one && (!n->type || n->type->kind != TYPE_LIST || !n->type->known))
    return str_printf(why, "node %s: the types of its results are not known before it runs",
                      n->name),
           false;
  j->nest = nest_build(j->mem, n, why);
  if (!j->nest) return false;
  j->exact = nest_exact(j->mem, j->nest);
  j->turn = nest_in_turn(j->mem, j->nest);
  j->exact_turn = nest_in_turn(j->mem, j->exact);
  str reason = {0};
  bool ok = target_get(opts->cpu, &j->machine);
  if (!ok) str_printf(&reason, "unknown CPU level '%s'", opts->cpu);
  /* Associative scans have an order already. */
  if (ok && !j->nest->fold && !nest_fits(j->nest, j->machine.fma)) {
    str_append(&reason, "the body is too large for one kernel");
    ok = false;
  }
  ok = ok && (j->api = generator_get(&reason));
  if (!ok) str_printf(why, "node %s: %s", n->name, str_cstr(&reason));
  str_free(&reason);
  return ok;
}

jit_scan *jit_scan_new(const node *n, const scanc_options *opts, str *why_not) {
  arena *mem = arena_new();
  jit_scan *j = ARENA_NEW(mem, jit_scan);
  j->mem = mem;
  j->cpu = arena_strdup(mem, opts->cpu ? opts->cpu : "native");
  pthread_mutex_init(&j->lock, NULL);
  if (prepare(j, n, opts, why_not)) return j;
  jit_scan_free(j);
  return NULL;
}

bool jit_scan_compile(jit_scan *j, str *why) {
  arena *tmp = arena_new();
  nest_shape shape = nest_shape_default(tmp, j->nest);
  scan_layout layout = layout_make(tmp, j->nest, &shape, FOLD_RESULTS);
  str reason = {0};
  bool ok = kernel_for(j, j->nest, &layout, &reason) != NULL;
  if (!ok) str_printf(why, "node %s: %s", j->nest->name, str_cstr(&reason));
  str_free(&reason);
  arena_free(tmp);
  return ok;
}

const scan_nest *jit_nest(const jit_scan *j) { return j->nest; }

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
  nest_view *view; /* per operand */
  char **base;     /* per operand: the element of index zero */
  scalar *scalars; /* the values of additional inputs that are numbers */
  nest_call bound;
  storage **scratch;
  int n_scratch;
} run;

static void view_tensor(run *r, int o, const tensor *t) {
  nest_view *v = &r->view[o];
  *v = (nest_view){.buffer = o, .offset = dim_int(0), .dtype = t->dtype, .rank = t->rank};
  for (int d = 0; d < t->rank; d++) {
    v->size[d] = dim_int(t->sizes[d]);
    v->stride[d] = dim_int(t->strides[d]);
  }
  r->base[o] = t->data;
}

static bool view_scalar(run *r, int o, const rval *v) {
  scanc_dtype d = v->kind == TYPE_INT ? SCANC_I64 : v->kind == TYPE_FLOAT ? SCANC_F64 : SCANC_BOOL;
  if (v->kind != TYPE_INT && v->kind != TYPE_FLOAT && v->kind != TYPE_BOOL) return false;
  if (d == SCANC_I64) r->scalars[o].i = v->i;
  else if (d == SCANC_F64) r->scalars[o].f = v->f;
  else r->scalars[o].b = v->i != 0;
  r->view[o] = (nest_view){.buffer = o, .offset = dim_int(0), .dtype = d};
  r->base[o] = (char *)&r->scalars[o];
  return true;
}

static bool view_operands(run *r) {
  const scan_nest *n = r->j->nest;
  const jit_call *call = r->call;
  if (call->n_leaf != n->n_leaf || call->n_out != n->n_carry + n->n_y) return false;
  for (int o = 0; o < n->n_leaf; o++) {
    if (call->leaf[o].kind == TYPE_TENSOR) view_tensor(r, o, call->leaf[o].t);
    else SCANC_TRY(view_scalar(r, o, &call->leaf[o]));
  }
  for (int i = 0; i < call->n_out; i++) view_tensor(r, n->n_leaf + i, &call->out[i]);
  return true;
}

static bool bind(run *r) {
  const scan_nest *n = r->j->nest;
  dim *start = ARENA_ARRAY(r->tmp, dim, n->n_x);
  for (int x = 0; x < n->n_x && r->call->x_start; x++) start[x] = dim_int(r->call->x_start[x]);
  return view_operands(r) && nest_bind(r->tmp, n, NULL, r->view, dim_int(r->call->length),
                                       r->call->x_start ? start : NULL, &r->bound);
}

static bool needs_exact(const run *r) {
  const scan_nest *n = r->j->nest;
  for (int c = 0; c < n->n_class; c++)
    if (!r->bound.shape.extent[c].k && nest_needs_exact(n, c)) return true;
  return false;
}

/* Whether what is combined is combined as a left fold. */
static bool is_left(const run *r) {
  const scan_nest *n = r->j->nest;
  int64_t wide = 0;
  for (int x = 0; x < n->n_x && n->fold; x++) {
    const nest_operand *p = &n->operand[x];
    int64_t step = 1;
    for (int d = 0; d < r->view[x].rank; d++)
      if (d != p->axis[p->time_axis]) step *= r->view[x].size[d].k;
    wide += step;
  }
  return prefix_is_left(n->order, wide, r->call->length);
}

static jit_status report_fault(const run *r, int32_t status, scanc_error *err) {
  const fault_info *f = &r->j->nest->faults.data[status - 1];
  err_set(err, SCANC_ERR_DATA, f->loc, "%s: %s", f->node, f->what);
  return JIT_DATA;
}

/* Memory for the carries that the kernel keeps in scratch, in the order of its buffers. False:
 * there is not enough. */
static bool take_scratch(run *r, const scan_nest *n, const scan_layout *l) {
  dim *bytes = ARENA_ARRAY(r->tmp, dim, nest_max_buffers(n));
  int count = layout_scratch(n, l, &r->bound.shape, bytes);
  r->scratch = ARENA_ARRAY(r->tmp, storage *, count);
  for (; r->n_scratch < count; r->n_scratch++) {
    r->scratch[r->n_scratch] = pool_alloc(r->call->mem, (size_t)bytes[r->n_scratch].k);
    if (!r->scratch[r->n_scratch]) return false;
  }
  return true;
}

static void **make_buffers(run *r, const scan_nest *n, int entry) {
  int *operand = ARENA_ARRAY(r->tmp, int, nest_max_buffers(n)), count, k = 0;
  void **bufs = ARENA_ARRAY(r->tmp, void *, nest_max_buffers(n));
  count = nest_buffers(n, entry, operand);
  for (int i = 0; i < count; i++)
    bufs[i] = operand[i] < 0 ? r->scratch[k++]->data
                             : r->base[operand[i]] + r->bound.offset[operand[i]].k;
  return bufs;
}

static int64_t *make_ints(run *r, const scan_nest *n, const scan_layout *l) {
  dim *d = ARENA_ARRAY(r->tmp, dim, nest_max_ints(n));
  int64_t *ints = ARENA_ARRAY(r->tmp, int64_t, nest_max_ints(n));
  int count = layout_ints(n, l, &r->bound.shape, dim_int(r->call->length), d);
  for (int i = 0; i < count; i++) ints[i] = d[i].k;
  return ints;
}

static jit_status run_kernel(run *r, scanc_error *err) {
  bool exact = needs_exact(r);
  const jit_scan *j = r->j;
  const scan_nest *n = is_left(r) ? exact ? j->exact_turn : j->turn : exact ? j->exact : j->nest;
  scan_layout layout = layout_make(r->tmp, n, &r->bound.shape, FOLD_RESULTS);
  str why = {0};
  kernel_fn fn = kernel_for(r->j, n, &layout, &why);
  if (!fn) {
    err_set(err, SCANC_ERR_CODEGEN, (src_loc){0}, "node %s: %s", n->name, str_cstr(&why));
    str_free(&why);
    return JIT_FAILED;
  }
  if (!take_scratch(r, n, &layout)) {
    err_set(err, SCANC_ERR_NO_MEMORY, (src_loc){0}, "node %s: scratch memory", n->name);
    return JIT_FAILED;
  }
  int32_t status = fn(make_buffers(r, n, layout.entry), make_ints(r, n, &layout), NULL);
  return status ? report_fault(r, status, err) : JIT_OK;
}

jit_status jit_run_scan(jit_scan *j, const jit_call *call, scanc_error *err) {
  arena *tmp = arena_new();
  const scan_nest *n = j->nest;
  run r = {.j = j, .call = call, .tmp = tmp};
  r.view = ARENA_ARRAY(tmp, nest_view, n->n_operand);
  r.base = ARENA_ARRAY(tmp, char *, n->n_operand);
  r.scalars = ARENA_ARRAY(tmp, scalar, n->n_leaf);
  jit_status st = JIT_DECLINED; /* so are scans with seeds, which are kernels of plans */
  if (!(n->order.seeded && n->order.kind != PREFIX_LEFT) && bind(&r))
    st = n->fold && !call->length ? JIT_OK : run_kernel(&r, err);
  for (int i = 0; i < r.n_scratch; i++) storage_release(r.scratch[i]);
  arena_free(tmp);
  return st;
}
