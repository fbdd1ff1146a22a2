/* Contexts, and modules as wholes: reading, checking and printing them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "frontend/fx.h"
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
  return announce(ctx, fx_read(text, n, name ? name : "<text>", err ? err : &local), start);
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

scanc_module *scanc_module_load(scanc_context *ctx, const char *path, scanc_error *err) {
  src_loc loc = {path, 0, 0};
  str text = {0};
  scanc_module *m = NULL;
  FILE *f = fopen(path, "rb");
  if (!f) return err_set(err, SCANC_ERR_IO, loc, "cannot open: %s", strerror(errno)), NULL;
  if (read_all(f, &text)) m = scanc_module_parse(ctx, str_cstr(&text), text.len, path, err);
  else err_set(err, SCANC_ERR_IO, loc, "cannot read: %s", strerror(errno));
  fclose(f);
  str_free(&text);
  return m;
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
  module *copy = module_clone(mod);
  module_check(copy, &e);
  module_free(copy);
  if (err && !err->code) *err = e;
  return e.code;
}

char *scanc_module_print(const scanc_module *mod, size_t *n, scanc_error *err) {
  if (mod->err.code) {
    if (err && !err->code) *err = mod->err;
    return NULL;
  }
  str text = {0};
  module_print_code(&text, mod);
  if (n) *n = text.len;
  return text.data;
}

void scanc_text_free(char *text) { free(text); }
