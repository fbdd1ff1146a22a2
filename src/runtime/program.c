/* Programs: reading modules, compiling them, and running them on arrays. */
#include "runtime/program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/fx.h"
#include "loop/target.h"
#include "passes/hop.h"
#include "passes/pass.h"

/* ---- modules ---- */

scanc_module *scanc_module_parse(const char *text, size_t n, const char *name, scanc_error *err) {
  scanc_error local = {0};
  return fx_read(text, n, name ? name : "<text>", err ? err : &local);
}

static bool read_all(FILE *f, str *text) {
  char buf[65536];
  size_t n;
  do {
    n = fread(buf, 1, sizeof buf, f);
    str_append_n(text, buf, n);
  } while (n == sizeof buf);
  return !ferror(f);
}

scanc_module *scanc_module_load(const char *path, scanc_error *err) {
  src_loc loc = {path, 0, 0};
  str text = {0};
  scanc_module *m = NULL;
  FILE *f = fopen(path, "rb");
  if (!f) return err_set(err, SCANC_ERR_IO, loc, "cannot open: %s", strerror(errno)), NULL;
  if (read_all(f, &text)) m = scanc_module_parse(str_cstr(&text), text.len, path, err);
  else err_set(err, SCANC_ERR_IO, loc, "cannot read: %s", strerror(errno));
  fclose(f);
  str_free(&text);
  return m;
}

void scanc_module_free(scanc_module *mod) { module_free(mod); }

/* ---- tensors ---- */

void scanc_tensor_release(scanc_tensor *t) {
  if (!t) return;
  if (t->release) t->release(t->owner);
  memset(t, 0, sizeof *t);
}

/* ---- errors ---- */

/* if `to` holds none yet; returns false */
static bool copy_error(scanc_error *to, const scanc_error *from) {
  if (to && !to->code) *to = *from;
  return false;
}

/* ---- kernels ---- */

static bool compile_scans(program *p, graph *g, scanc_error *err);

static bool compile_bodies(program *p, const node *n, scanc_error *err) {
  for (int k = 0; k < n->op->n_operands; k++) {
    graph *sub = val_graph(n->operands[k]);
    if (sub && !compile_scans(p, sub, err)) return false;
  }
  return true;
}

static bool no_kernel(program *p, const node *n, const char *why, scanc_error *err) {
  scanc_error e = {0};
  err_set(&e, SCANC_ERR_NO_KERNEL,
          (src_loc){n->loc.file ? n->loc.file : p->mod->name, n->loc.line, n->loc.col},
          "this scan cannot be compiled: %s", why);
  if (p->mod->text) err_quote(&e, p->mod->text, p->mod->text_len);
  return copy_error(err, &e);
}

/* A scan without a kernel is interpreted, so the scans of its body get theirs. */
static bool compile_scan(program *p, node *n, scanc_error *err) {
  str why = {0};
  jit_scan *j = jit_compile_scan(n, &p->opts, &why);
  bool ok = true;
  if (j) {
    vec_push(p->mem, &p->kernel_list, j);
    map_set(&p->kernels, arena_printf(p->mem, "%d", n->id), j);
  } else if (p->opts.exec == SCANC_EXEC_JIT) {
    ok = no_kernel(p, n, str_cstr(&why), err);
  } else {
    ok = compile_bodies(p, n, err);
  }
  str_free(&why);
  return ok;
}

static bool compile_scans(program *p, graph *g, scanc_error *err) {
  bool *seen = &p->seen[graph_index(g)];
  if (*seen) return true;
  *seen = true;
  FOR_EACH_NODE (n, g) {
    if (!n->op || !(n->op->traits & T_BODY)) continue;
    bool scan = n->op->id == OP_scan || n->op->id == OP_associative_scan;
    if (!(scan ? compile_scan(p, n, err) : compile_bodies(p, n, err))) return false;
  }
  return true;
}

static bool compile_all_scans(program *p, scanc_error *err) {
  if (p->opts.exec == SCANC_EXEC_INTERP) return true;
  p->seen = ARENA_ARRAY(p->mem, bool, p->mod->graphs.len);
  return compile_scans(p, p->mod->main, err);
}

/* ---- interpreters: one per concurrent run ---- */

static jit_scan *kernel_of(void *ctx, const node *n) {
  const program *p = ctx;
  char key[16];
  int len = snprintf(key, sizeof key, "%d", n->id);
  return map_get_n(&p->kernels, key, (size_t)len);
}

/* NULL with an error. */
static interp *take_interp(program *p, scanc_error *err) {
  pthread_mutex_lock(&p->lock);
  interp *in = p->idle.len ? vec_pop(&p->idle) : NULL;
  pthread_mutex_unlock(&p->lock);
  return in ? in : interp_new(p->mod, ports_attr, kernel_of, p, err);
}

static void return_interp(program *p, interp *in) {
  pthread_mutex_lock(&p->lock);
  vec_push(p->mem, &p->idle, in);
  pthread_mutex_unlock(&p->lock);
}

/* ---- compiling ---- */

static bool check(program *p, scanc_error *err) {
  diagnostics d = {.mem = p->mem};
  if (p->mod->err.code) return copy_error(err, &p->mod->err);
  if (module_lint(p->mod, &d)) return true;
  if (d.found.len) return copy_error(err, &d.found.data[0]);
  return copy_error(err, &p->mod->err);
}

static void set_options(program *p, const scanc_options *opts) {
  p->opts = (scanc_options)SCANC_OPTIONS_INIT;
  if (opts)
    memcpy(&p->opts, opts, opts->struct_size < sizeof *opts ? opts->struct_size : sizeof *opts);
  p->opts.struct_size = sizeof p->opts;
  if (p->opts.cpu) p->opts.cpu = arena_strdup(p->mem, p->opts.cpu);
  target level, machine;
  target_get(NULL, &machine);
  p->fma = target_get(p->opts.cpu, &level) && level.fma && machine.fma;
  if (!p->opts.max_bytes) p->opts.max_bytes = (size_t)4 << 30;
}

/* Prepares one interpreter, so that what cannot run is known now. */
static bool prepare(program *p, scanc_error *err) {
  interp *in = take_interp(p, err);
  if (in) return_interp(p, in);
  return in != NULL;
}

scanc_program *scanc_compile(const scanc_module *mod, const scanc_options *opts, scanc_error *err) {
  arena *mem = arena_new();
  program *p = ARENA_NEW(mem, program);
  p->mem = mem;
  p->kernels = map_make(mem);
  pthread_mutex_init(&p->lock, NULL);
  set_options(p, opts);
  p->mod = module_clone(mod);
  bool ok = check(p, err) && ports_inputs(p, err);
  if (ok && !passes_run(p->mod, NULL)) ok = copy_error(err, &p->mod->err);
  ok = ok && ports_outputs(p, err) && compile_all_scans(p, err) && prepare(p, err);
  if (ok) return p;
  scanc_program_free(p);
  return NULL;
}

static void free_kernels(program *p) {
  for (int i = 0; i < p->kernel_list.len; i++) jit_scan_free(p->kernel_list.data[i]);
}

void scanc_program_free(scanc_program *p) {
  if (!p) return;
  for (int i = 0; i < p->idle.len; i++) interp_free(p->idle.data[i]);
  free_kernels(p);
  module_free(p->mod);
  pthread_mutex_destroy(&p->lock);
  arena_free(p->mem);
}

/* ---- running ---- */

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

/* A copy of a result in memory of its own, within the same limit. */
static bool copy_out(const tensor *t, scanc_tensor *out, size_t *left) {
  tensor to = {.dtype = t->dtype, .rank = t->rank};
  memcpy(to.sizes, t->sizes, sizeof to.sizes);
  tensor_default_strides(&to);
  size_t bytes = scanc_dtype_size(to.dtype);
  bool empty = false;
  for (int i = 0; i < to.rank; i++) {
    empty |= to.sizes[i] == 0;
    if (to.sizes[i] && __builtin_mul_overflow(bytes, (size_t)to.sizes[i], &bytes)) return false;
  }
  if (empty) bytes = 0;
  if (bytes > *left) return false;
  *left -= bytes;
  out->data = aligned_alloc(64, (bytes + 64) & ~(size_t)63);
  if (!out->data) return false;
  to.data = out->data;
  tensor_copy(&to, t);
  return true;
}

/* Moves a result to the caller: the storage itself if nobody else refers to it and it is the whole
 * of it. */
static bool move_out(tensor *t, scanc_tensor *out, size_t *left) {
  storage *s = t->store;
  *out = (scanc_tensor){.dtype = t->dtype, .rank = t->rank};
  memcpy(out->sizes, t->sizes, sizeof out->sizes);
  if (s && s->refs == 1 && !s->borrowed && t->data == s->data && tensor_contiguous(t)) {
    out->data = storage_detach(s);
    t->store = NULL;
  } else if (!copy_out(t, out, left)) {
    return false;
  }
  out->owner = out->data;
  out->release = free;
  int64_t stride = 1;
  for (int i = t->rank - 1; i >= 0; i--) {
    out->strides[i] = stride;
    stride *= t->sizes[i] > 0 ? t->sizes[i] : 1;
  }
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
    storage_retain(r->t.store);
  }
  return kept;
}

/* All or none: `out` is written when every result has been moved. */
static bool move_results(const program *p, result *kept, scanc_tensor *out, arena *tmp,
                         scanc_error *err) {
  size_t left = p->opts.max_bytes;
  scanc_tensor *moved = ARENA_ARRAY(tmp, scanc_tensor, p->n_outputs);
  for (int i = 0; i < p->n_outputs; i++) {
    if (!kept[i].given || move_out(&kept[i].t, &moved[i], &left)) continue;
    while (i-- > 0) scanc_tensor_release(&moved[i]);
    return err_set(err, SCANC_ERR_NO_MEMORY, (src_loc){p->mod->name, 0, 0},
                   "the results do not fit in memory or in the limit of %zu bytes",
                   p->opts.max_bytes);
  }
  if (p->n_outputs) memcpy(out, moved, (size_t)p->n_outputs * sizeof *out);
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

scanc_code scanc_run(scanc_program *p, const scanc_tensor *in, int n_in, scanc_tensor *out,
                     int n_out, scanc_error *err) {
  scanc_error e = {0};
  if (n_in != p->n_inputs || n_out != p->n_outputs) {
    err_set(&e, SCANC_ERR_USAGE, (src_loc){p->mod->name, 0, 0},
            "expected %d inputs and %d outputs, got %d and %d", p->n_inputs, p->n_outputs, n_in,
            n_out);
  } else {
    interp *it = take_interp(p, &e);
    pool *mem = pool_new(p->opts.max_bytes);
    if (it && mem) run_in_pool(p, it, mem, in, out, &e);
    else if (it) err_set(&e, SCANC_ERR_NO_MEMORY, (src_loc){p->mod->name, 0, 0}, "out of memory");
    if (it) return_interp(p, it);
    if (mem) pool_free(mem);
  }
  copy_error(err, &e);
  return e.code;
}
