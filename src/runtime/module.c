/* Contexts, and modules as wholes: reading, checking and printing them. */
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "frontend/fx.h"
#include "frontend/load.h"
#include "frontend/pt2.h"
#include "runtime/module.h"

/* ---- contexts ---- */

scanc_context *scanc_context_new(const scanc_context_options *opts) {
  scanc_context_options o = SCANC_CONTEXT_OPTIONS_INIT;
  if (opts) memcpy(&o, opts, opts->struct_size < sizeof o ? opts->struct_size : sizeof o);
  scanc_context *ctx = base_malloc(sizeof *ctx);
  ctx->log = (log_sink){o.log, o.log_user, o.log_from};
  return ctx;
}

void scanc_context_free(scanc_context *ctx) { free(ctx); }

void scanc_on_no_memory(scanc_no_memory_fn *fn, void *user) { base_on_no_memory(fn, user); }

/* ---- reading ---- */

static void count_nodes(graph *g, void *n) { *(int *)n += g->n_nodes; }

static module *announce(scanc_context *ctx, module *m, double start) {
  if (!m || !ctx) return m;
  m->log = ctx->log;
  if (!log_wants(&m->log, SCANC_LOG_DEBUG)) return m;
  int n = 0;
  graph_walk(m->main, count_nodes, &n);
  log_say(&m->log, SCANC_LOG_DEBUG, "%s: read %d graphs with %d nodes in %.2f ms", m->name,
          m->graphs.len, n, log_clock_ms() - start);
  return m;
}

scanc_module *scanc_module_parse(scanc_context *ctx, const char *text, size_t n, const char *name,
                                 scanc_error *err) {
  scanc_error local = {0};
  double start = log_clock_ms();
  if (!err) err = &local;
  if (n && !err_given(text, "scanc_module_parse", "text", err)) return NULL;
  return announce(ctx, fx_read(text, n, name ? name : "<text>", err), start);
}

scanc_module *scanc_module_load_named(scanc_context *ctx, const char *path, const char *model,
                                      scanc_error *err) {
  scanc_error local = {0};
  double start = log_clock_ms();
  if (!err) err = &local;
  if (!err_given(path, "scanc_module_load", "path", err)) return NULL;
  return announce(ctx, load_file(path, model, NULL, err), start);
}

scanc_module *scanc_module_load(scanc_context *ctx, const char *path, scanc_error *err) {
  return scanc_module_load_named(ctx, path, NULL, err);
}

void scanc_module_free(scanc_module *mod) { module_free(mod); }

/* ---- checking and printing ---- */

bool module_check(module *m, scanc_error *err) {
  arena *mem = arena_new();
  diagnostics d = {.mem = mem};
  const scanc_error *found = m->err.code ? &m->err : NULL;
  if (!found && !module_lint(m, &d)) found = d.found.len ? &d.found.data[0] : &m->err;
  if (found && err && !err->code) *err = *found;
  arena_free(mem);
  return !found;
}

scanc_code scanc_module_check(const scanc_module *mod, scanc_error *err) {
  scanc_error e = {0};
  module *copy = err_given(mod, "scanc_module_check", "mod", &e) ? module_clone(mod) : NULL;
  if (copy) module_check(copy, &e);
  module_free(copy);
  if (err && !err->code) *err = e;
  return e.code;
}

char *scanc_module_print(const scanc_module *mod, size_t *n, scanc_error *err) {
  if (!err_given(mod, "scanc_module_print", "mod", err)) return NULL;
  if (mod->err.code) {
    if (err && !err->code) *err = mod->err;
    return NULL;
  }
  str text = {0};
  module_print_code(&text, mod);
  if (n) *n = text.len;
  return text.data;
}

scanc_code scanc_module_save(const scanc_module *mod, const char *path, scanc_error *err) {
  scanc_error e = {0};
  if (err_given(mod, "scanc_module_save", "mod", &e) &&
      err_given(path, "scanc_module_save", "path", &e))
    pt2_write(mod, path, &e);
  if (err && !err->code) *err = e;
  return e.code;
}

void scanc_text_free(char *text) { free(text); }
