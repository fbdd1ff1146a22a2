/* Programs: compiling modules. */
#include "runtime/program.h"

#include <stdlib.h>
#include <string.h>

#include "base/fp_env.h"
#include "loop/batch.h"
#include "loop/fuse.h"
#include "loop/prefix.h"
#include "loop/split.h"
#include "loop/target.h"
#include "passes/hop.h"
#include "passes/pass.h"
#include "runtime/border.h"
#include "runtime/flush.h"
#include "runtime/module.h"
#include "runtime/testing.h"
#include "runtime/threads.h"

/* ---- errors ---- */

/* if `to` holds none yet; returns false */
static bool copy_error(scanc_error *to, const scanc_error *from) {
  if (to && !to->code) *to = *from;
  return false;
}

/* ---- kernels ---- */

/* Scans that have a kernel, and what is done node by node. */
typedef struct {
  program *p;
  fuse_scope scope;
  bool *seen;             /* per graph */
  jit_scan **kernel_of;   /* per node id */
  VEC(const node *) none; /* scans without a kernel */
} kernel_search;

static bool is_scan(const node *n) {
  return node_is_op(n, OP_scan) || node_is_op(n, OP_associative_scan);
}

static void find_scans(kernel_search *s, graph *g);

/* What is left of a body without the products of its xs may be a kernel; not that of a few carries
 * that go on with products of their own, all of them unrolled. */
static jit_scan *without_products(program *p, node *n) {
  str why = {0};
  jit_scan *j = batch_ahead(p->mod, n) ? jit_scan_new(n, &p->opts, &why) : NULL;
  str_free(&why);
  if (!j || border_has_lanes(jit_nest(j))) return j;
  jit_scan_free(j);
  return NULL;
}

static void find_scan(kernel_search *s, node *n) {
  program *p = s->p;
  str why = {0};
  bool own = is_scan(n) && (!p->loops_only || n->order.kind != PREFIX_LEFT);
  jit_scan *j = own ? jit_scan_new(n, &p->opts, &why) : NULL;
  if (!j && node_is_op(n, OP_scan) && !p->loops_only) j = without_products(p, n);
  if (border_absorb(p, n, j ? jit_nest(j) : NULL) && j) {
    jit_scan_free(j);
    j = jit_scan_new(n, &p->opts, &why);
  }
  s->kernel_of[n->id] = j;
  if (is_scan(n) && !j) {
    p->why_not[n->id] = arena_strdup(p->mem, str_cstr(&why));
    vec_push(p->mem, &s->none, n);
  }
  bool loops = is_scan(n) || node_is_op(n, OP_while_loop) || node_is_op(n, OP_map_impl);
  if (!j && loops) vec_push(p->mem, &s->scope.loops, n);
  for (int k = 0; !j && k < n->op->n_operands; k++) {
    graph *sub = val_graph(n->operands[k]);
    if (sub) find_scans(s, sub);
  }
  str_free(&why);
}

/* A running sum or the like is a scan, too, in the main graph or in an order of its own. */
static void find_running(kernel_search *s, node *n) {
  str why = {0};
  s->kernel_of[n->id] = jit_scan_new(n, &s->p->opts, &why);
  str_free(&why);
}

/* In g and in the bodies of what has no kernel. */
static void find_scans(kernel_search *s, graph *g) {
  bool *seen = &s->seen[graph_index(g)];
  if (*seen) return;
  *seen = true;
  vec_push(s->p->mem, &s->scope.graphs, g);
  for (node *n = g->first; n; n = n->next) { /* what follows a scan may move into it */
    if (n->op && (n->op->traits & T_BODY)) find_scan(s, n);
    else if (nest_is_cumulative(n) && (g == s->p->mod->main || n->order.kind != PREFIX_LEFT))
      find_running(s, n);
  }
}

/* After fusion: kernels of groups. */
static void find_groups(const kernel_search *s) {
  program *p = s->p;
  for (int i = 0; i < s->scope.graphs.len; i++)
    for (node *n = s->scope.graphs.data[i]->first; n; n = n->next) {
      if (!node_is_op(n, OP_invoke_subgraph)) continue;
      str why = {0};
      p->kernel_of[n->id] = jit_scan_new(n, &p->opts, &why);
      if (!p->kernel_of[n->id]) p->why_not[n->id] = arena_strdup(p->mem, str_cstr(&why));
      str_free(&why);
    }
}

static bool has_kernel(const node *scan, void *ctx) {
  return ((const kernel_search *)ctx)->kernel_of[scan->id] != NULL;
}

/* What is no node of its own any more has no kernel of its own. */
static void drop_erased(kernel_search *s) {
  program *p = s->p;
  bool *there = ARENA_ARRAY(p->mem, bool, p->mod->n_ids);
  for (int i = 0; i < p->mod->graphs.len; i++)
    for (const node *n = p->mod->graphs.data[i]->first; n; n = n->next) there[n->id] = true;
  for (int i = 0; i < p->mod->n_ids; i++) {
    if (there[i] || !p->kernel_of[i]) continue;
    jit_scan_free(p->kernel_of[i]);
    p->kernel_of[i] = NULL;
  }
}

static bool find_kernels(kernel_search *s) {
  program *p = s->p;
  int n = p->mod->n_ids;
  s->seen = ARENA_ARRAY(p->mem, bool, p->mod->graphs.len);
  s->kernel_of = ARENA_ARRAY(p->mem, jit_scan *, n);
  p->why_not = ARENA_ARRAY(p->mem, const char *, n);
  p->moved = ARENA_ARRAY(p->mem, moved_nodes, n);
  find_scans(s, p->mod->main);
  bool ok = fuse_elementwise(p->mod, &s->scope) && fuse_prefixes(p->mod, has_kernel, s);
  const char **why_not = p->why_not;
  moved_nodes *moved = p->moved;
  p->kernel_of = ARENA_ARRAY(p->mem, jit_scan *, p->mod->n_ids);
  p->why_not = ARENA_ARRAY(p->mem, const char *, p->mod->n_ids);
  memcpy(p->kernel_of, s->kernel_of, sizeof *s->kernel_of * (size_t)n);
  memcpy(p->why_not, why_not, sizeof *why_not * (size_t)n);
  p->moved = ARENA_ARRAY(p->mem, moved_nodes, p->mod->n_ids);
  memcpy(p->moved, moved, sizeof *moved * (size_t)n);
  drop_erased(s);
  if (ok) find_groups(s);
  return ok;
}

static bool no_kernel(program *p, const node *n, const char *why, scanc_error *err) {
  scanc_error e = {0};
  src_loc loc = n->loc;
  if (!loc.file) loc.file = p->mod->name;
  err_set(&e, SCANC_ERR_NO_KERNEL, loc, "this scan cannot be compiled: %s", why);
  if (p->mod->text) err_quote(&e, p->mod->text, p->mod->text_len);
  return copy_error(err, &e);
}

/* What is special about the operands of a step, for a message. */
static const char *special_operands(const node *n) {
  const char *what = "";
  for (int i = 0; i < n->n_arg_uses; i++) {
    const type *t = n->arg_uses[i].def->type;
    if (!t || !type_is_tensor(t)) continue;
    for (int d = 0; d < t->n; d++)
      if (dim_is(t->dims[d], 0)) return " of a tensor without elements";
    if (dtype_class(t->dtype) == 'c') what = " of complex numbers";
  }
  return what;
}

/* A scan that the interpreter does, all of it or a part of every step, is an error if it must not.
 */
static bool tell_interpreted(program *p, const kernel_search *s, scanc_error *err) {
  const node *step = p->planned ? plan_interpreted(p) : NULL;
  for (int i = 0; i < s->none.len; i++) {
    const node *n = s->none.data[i];
    const char *why = p->why_not[n->id];
    if (p->planned && plan_has_loop(p, n)) {
      if (!step) continue;
      why = arena_printf(p->mem, "node %s: %s%s has no compiled form yet", step->name,
                         step->op->name, special_operands(step));
    }
    if (p->opts.exec == SCANC_EXEC_JIT) return no_kernel(p, n, why, err);
    log_say(&p->mod->log, SCANC_LOG_WARNING, "%s:%d: '%s' is interpreted: %s", p->mod->name,
            n->loc.line, n->name, why);
  }
  const node *refused = p->planned ? plan_refused_scan(p) : NULL;
  if (refused && p->opts.exec == SCANC_EXEC_JIT)
    return no_kernel(p, refused, p->why_not[refused->id], err);
  return true;
}

/* Without a plan the interpreter computes running sums and the like itself, and so the scans in
 * groups. */
static void drop_running(program *p, const graph *g) {
  for (const node *n = g->first; n; n = n->next) {
    const jit_scan *j = p->kernel_of[n->id];
    if (!nest_is_cumulative(n) && !(j && jit_nest(j)->n_made)) continue;
    jit_scan_free(p->kernel_of[n->id]);
    p->kernel_of[n->id] = NULL;
  }
}

/* Kernels that the interpreter calls, made now if there is no plan, else when one is needed. */
static bool compile_kernels(program *p, scanc_error *err) {
  for (int i = 0; i < p->mod->graphs.len; i++) drop_running(p, p->mod->graphs.data[i]);
  for (int i = 0; i < p->mod->n_ids; i++) {
    str why = {0};
    if (!p->kernel_of[i] || jit_scan_compile(p->kernel_of[i], &why)) continue;
    err_set(err, SCANC_ERR_CODEGEN, (src_loc){.file = p->mod->name}, "%s", str_cstr(&why));
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

/* What needs no carry is computed for all steps at once; what that leaves behind goes. */
static bool batch(program *p) {
  bool changed = false;
  return batch_scans(p->mod, &changed) && (!changed || dce_leftovers(p->mod, &changed));
}

static bool compile(program *p, scanc_error *err) {
  scanc_error failed = {0};
  if (p->opts.exec == SCANC_EXEC_INTERP) return true;
  if (can_fail(p->mod)) p->as_written = module_clone(p->mod);
  if (!p->loops_only && !batch(p)) return copy_error(err, &p->mod->err);
  kernel_search s = {.p = p};
  if (!find_kernels(&s)) return copy_error(err, &p->mod->err);
  bool ok = plan_compile_default(p, &failed) && (p->planned || compile_kernels(p, &failed));
  return ok ? tell_interpreted(p, &s, err) : interpret_all(p, &failed, err);
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
    err_set(&e, SCANC_ERR_USAGE, (src_loc){.file = p->mod->name},
            "options: threads is %d, expected 1 to %d", p->opts.threads, SCANC_MAX_THREADS);
    return copy_error(err, &e);
  }
  p->has_threads = p->opts.threads > 1 && !p->opts.for_each;
  if (p->has_threads) threads_take(p->opts.threads);
  return true;
}

/* Results depend on the level through fused multiply-add and through the order of associative
 * scans; the interpreter computes as foreign levels do where it can. */
static bool set_level(program *p, scanc_error *err) {
  target level = {0}, machine;
  scanc_error e = {0};
  target_get(NULL, &machine);
  if ((unsigned)p->opts.exec > SCANC_EXEC_JIT)
    err_set(&e, SCANC_ERR_USAGE, (src_loc){.file = p->mod->name},
            "options: no such value of exec: %d", (int)p->opts.exec);
  if ((unsigned)p->opts.fp > SCANC_FP_REASSOCIATE)
    err_set(&e, SCANC_ERR_USAGE, (src_loc){.file = p->mod->name},
            "options: no such value of fp: %d", (int)p->opts.fp);
  if ((unsigned)p->opts.assoc > SCANC_ASSOC_LEFT)
    err_set(&e, SCANC_ERR_USAGE, (src_loc){.file = p->mod->name},
            "options: no such value of assoc: %d", (int)p->opts.assoc);
  if ((unsigned)p->opts.mode > SCANC_POINTWISE)
    err_set(&e, SCANC_ERR_USAGE, (src_loc){.file = p->mod->name},
            "options: no such value of mode: %d", (int)p->opts.mode);
  if (p->opts.ftz && !FP_ENV_CAN_FLUSH)
    err_set(&e, SCANC_ERR_USAGE, (src_loc){.file = p->mod->name},
            "options: ftz: how this machine flushes subnormal numbers is not known");
  if (!target_get(p->opts.cpu, &level))
    err_set(&e, SCANC_ERR_USAGE, (src_loc){.file = p->mod->name}, "unknown CPU level '%s'",
            p->opts.cpu);
  else if (level.foreign && level.fma != machine.fma)
    err_set(&e, SCANC_ERR_USAGE, (src_loc){.file = p->mod->name},
            "this machine cannot compute as CPU level %s does", p->opts.cpu);
  p->fma = level.fma;
  p->mod->contract = level.fma && p->opts.fp != SCANC_FP_STRICT;
  return !e.code || copy_error(err, &e);
}

static bool check_mode(program *p, scanc_error *err) {
  if (p->opts.mode == SCANC_GENERIC) return true;
  diagnostics d = {.mem = p->mem};
  return module_lint_pointwise(p->mod, &d) || copy_error(err, &d.found.data[0]);
}

static void set_orders(program *p, prefix_wish wish) {
  target level;
  target_get(p->opts.cpu, &level);
  if (p->opts.assoc == SCANC_ASSOC_LEFT) wish.form = PREFIX_IN_TURN;
  prefix_orders(p->mod, &level, wish);
}

scanc_program *scanc_compile(const scanc_module *mod, const scanc_options *opts, scanc_error *err) {
  return err_given(mod, "scanc_compile", "mod", err) ? program_new(mod, opts, NULL, err) : NULL;
}

/* In the floating-point environment of runs: what is computed here has the value that it would have
 * there, and code is made for it. */
static bool prepare(program *p, const program_choices *choices, scanc_error *err) {
  if (p->opts.ftz) flush_literals(p->mod);
  bool ok = set_level(p, err) && take_threads(p, err) && module_check(p->mod, err) &&
            check_mode(p, err) && ports_inputs(p, err) && ports_bind_stored(p, err);
  if (ok && !passes_run(p->mod, NULL)) ok = copy_error(err, &p->mod->err);
  if (ok) set_orders(p, choices->order);
  return ok && ports_outputs(p, err) && compile(p, err) && run_prepare(p, err);
}

program *program_new(const module *mod, const scanc_options *opts, const program_choices *choices,
                     scanc_error *err) {
  const program_choices none = {0};
  double start = log_clock_ms();
  arena *mem = arena_new();
  program *p = ARENA_NEW(mem, program);
  p->mem = mem;
  if (!choices) choices = &none;
  p->loops_only = choices->loops_only;
  p->refused = choices->refused;
  p->plans_only = choices->plans_only;
  pthread_mutex_init(&p->lock, NULL);
  set_options(p, opts);
  p->mod = module_clone(mod);
  fp_env env = fp_env_set(p->opts.ftz);
  bool ok = prepare(p, choices, err);
  fp_env_restore(env);
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
