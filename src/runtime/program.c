/* Programs: compiling modules. */
#include "runtime/program.h"

#include <stdlib.h>
#include <string.h>

#include "loop/fuse.h"
#include "loop/split.h"
#include "loop/target.h"
#include "passes/hop.h"
#include "passes/pass.h"
#include "runtime/module.h"
#include "runtime/threads.h"

/* ---- errors ---- */

/* if `to` holds none yet; returns false */
static bool copy_error(scanc_error *to, const scanc_error *from) {
  if (to && !to->code) *to = *from;
  return false;
}

/* ---- kernels ---- */

static bool find_kernels(program *p, graph *g, scanc_error *err);

static bool in_bodies(program *p, const node *n, scanc_error *err) {
  for (int k = 0; k < n->op->n_operands; k++) {
    graph *sub = val_graph(n->operands[k]);
    if (sub && !find_kernels(p, sub, err)) return false;
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

static bool is_scan(const node *n) {
  return node_is_op(n, OP_scan) || node_is_op(n, OP_associative_scan);
}

/* A scan without a kernel is interpreted, so the scans of its body get theirs. */
static bool find_kernel(program *p, node *n, scanc_error *err) {
  str why = {0};
  jit_scan *j = p->kernel_of[n->id] = jit_scan_new(n, &p->opts, &why);
  bool ok = true;
  if (!j && is_scan(n) && p->opts.exec == SCANC_EXEC_JIT) ok = no_kernel(p, n, str_cstr(&why), err);
  else if (!j) ok = in_bodies(p, n, err);
  if (ok && !j && is_scan(n))
    log_say(&p->mod->log, SCANC_LOG_WARNING, "%s:%d: '%s' is interpreted: %s", p->mod->name,
            n->loc.line, n->name, str_cstr(&why));
  if (!j) p->why_not[n->id] = arena_strdup(p->mem, str_cstr(&why));
  str_free(&why);
  return ok;
}

static bool find_kernels(program *p, graph *g, scanc_error *err) {
  bool *seen = &p->seen[graph_index(g)];
  if (*seen) return true;
  *seen = true;
  FOR_EACH_NODE (n, g) {
    if (!n->op || !(n->op->traits & T_BODY)) continue;
    bool nest = is_scan(n) || node_is_op(n, OP_invoke_subgraph);
    if (!(nest ? find_kernel(p, n, err) : in_bodies(p, n, err))) return false;
  }
  return true;
}

/* Kernels that the interpreter calls, made now if there is no plan, else when one is needed. */
static bool compile_kernels(program *p, scanc_error *err) {
  for (int i = 0; i < p->mod->n_ids; i++) {
    str why = {0};
    if (!p->kernel_of[i] || jit_scan_compile(p->kernel_of[i], &why)) continue;
    err_set(err, SCANC_ERR_CODEGEN, (src_loc){p->mod->name, 0, 0}, "%s", str_cstr(&why));
    str_free(&why);
    return false;
  }
  return true;
}

/* Without working machine code the interpreter does it all, if it may. */
static bool interpret_all(program *p, const scanc_error *why, scanc_error *err) {
  if (p->opts.exec == SCANC_EXEC_JIT) return copy_error(err, why);
  log_say(&p->mod->log, SCANC_LOG_WARNING, "%s: all of it is interpreted: %s", p->mod->name,
          why->message);
  p->no_plan = arena_strdup(p->mem, why->message);
  for (int i = 0; i < p->mod->n_ids; i++) {
    if (p->kernel_of[i]) p->why_not[i] = p->no_plan;
    jit_scan_free(p->kernel_of[i]);
    p->kernel_of[i] = NULL;
  }
  return true;
}

/* Whether some computation can be at fault in its data. */
static bool can_fail(const module *m) {
  for (int i = 0; i < m->graphs.len; i++)
    for (const node *n = m->graphs.data[i]->first; n; n = n->next)
      if (n->op && (n->op->traits & T_DATA)) return true;
  return false;
}

static bool compile(program *p, scanc_error *err) {
  scanc_error failed = {0};
  if (p->opts.exec == SCANC_EXEC_INTERP) return true;
  if (can_fail(p->mod)) p->as_written = module_clone(p->mod);
  if (!fuse_elementwise(p->mod)) return copy_error(err, &p->mod->err);
  p->seen = ARENA_ARRAY(p->mem, bool, p->mod->graphs.len);
  p->why_not = ARENA_ARRAY(p->mem, const char *, p->mod->n_ids);
  p->kernel_of = ARENA_ARRAY(p->mem, jit_scan *, p->mod->n_ids);
  if (!find_kernels(p, p->mod->main, err)) return false;
  bool ok = plan_compile_default(p, &failed) && (p->planned || compile_kernels(p, &failed));
  return ok || interpret_all(p, &failed, err);
}

/* ---- compiling ---- */

static void set_options(program *p, const scanc_options *opts) {
  p->opts = (scanc_options)SCANC_OPTIONS_INIT;
  if (opts)
    memcpy(&p->opts, opts, opts->struct_size < sizeof *opts ? opts->struct_size : sizeof *opts);
  p->opts.struct_size = sizeof p->opts;
  if (p->opts.cpu) p->opts.cpu = arena_strdup(p->mem, p->opts.cpu);
  if (!p->opts.max_bytes) p->opts.max_bytes = (size_t)4 << 30;
  if (!p->opts.threads) p->opts.threads = 1;
  p->thread_work = SPLIT_PICOSECONDS;
}

void program_set_thread_work(program *p, int64_t picoseconds) { p->thread_work = picoseconds; }

static bool take_threads(program *p, scanc_error *err) {
  scanc_error e = {0};
  if (p->opts.threads < 0 || p->opts.threads > SCANC_MAX_THREADS) {
    err_set(&e, SCANC_ERR_USAGE, (src_loc){p->mod->name, 0, 0},
            "options: threads is %d, expected 1 to %d", p->opts.threads, SCANC_MAX_THREADS);
    return copy_error(err, &e);
  }
  p->has_threads = p->opts.threads > 1 && !p->opts.for_each;
  if (p->has_threads) threads_take(p->opts.threads);
  return true;
}

/* Results depend on the level through fused multiply-add, so the interpreter computes as foreign
 * levels do where it can. */
static bool set_level(program *p, scanc_error *err) {
  target level = {0}, machine;
  scanc_error e = {0};
  target_get(NULL, &machine);
  if ((unsigned)p->opts.exec > SCANC_EXEC_JIT)
    err_set(&e, SCANC_ERR_USAGE, (src_loc){p->mod->name, 0, 0},
            "options: no such value of exec: %d", (int)p->opts.exec);
  if ((unsigned)p->opts.fp > SCANC_FP_REASSOCIATE)
    err_set(&e, SCANC_ERR_USAGE, (src_loc){p->mod->name, 0, 0}, "options: no such value of fp: %d",
            (int)p->opts.fp);
  if (!target_get(p->opts.cpu, &level))
    err_set(&e, SCANC_ERR_USAGE, (src_loc){p->mod->name, 0, 0}, "unknown CPU level '%s'",
            p->opts.cpu);
  else if (level.foreign && level.fma != machine.fma)
    err_set(&e, SCANC_ERR_USAGE, (src_loc){p->mod->name, 0, 0},
            "this machine cannot compute as CPU level %s does", p->opts.cpu);
  p->fma = level.fma;
  p->mod->contract = level.fma && p->opts.fp != SCANC_FP_STRICT;
  return !e.code || copy_error(err, &e);
}

scanc_program *scanc_compile(const scanc_module *mod, const scanc_options *opts, scanc_error *err) {
  double start = log_clock_ms();
  arena *mem = arena_new();
  program *p = ARENA_NEW(mem, program);
  p->mem = mem;
  pthread_mutex_init(&p->lock, NULL);
  set_options(p, opts);
  p->mod = module_clone(mod);
  bool ok = set_level(p, err) && take_threads(p, err) && module_check(p->mod, err) &&
            ports_inputs(p, err) && ports_bind_stored(p, err);
  if (ok && !passes_run(p->mod, NULL)) ok = copy_error(err, &p->mod->err);
  ok = ok && ports_outputs(p, err) && compile(p, err) && run_prepare(p, err);
  if (ok)
    log_say(&p->mod->log, SCANC_LOG_INFO, "%s: compiled in %.2f ms", p->mod->name,
            log_clock_ms() - start);
  if (ok) return p;
  scanc_program_free(p);
  return NULL;
}

void scanc_program_free(scanc_program *p) {
  if (!p) return;
  for (int i = 0; i < p->idle.len; i++) run_state_free(p->idle.data[i]);
  plans_free(p);
  for (int i = 0; p->kernel_of && i < p->mod->n_ids; i++) jit_scan_free(p->kernel_of[i]);
  ports_unbind(p);
  if (p->has_threads) threads_let_go();
  module_free(p->as_written);
  module_free(p->mod);
  pthread_mutex_destroy(&p->lock);
  arena_free(p->mem);
}
