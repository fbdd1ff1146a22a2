/* scanc print, inspect, explain and check: commands that show a program and run nothing. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/archive.h"
#include "frontend/load.h"
#include "ir/lint.h"
#include "ir/print.h"
#include "loop/fuse.h"
#include "loop/loop.h"
#include "passes/pass.h"
#include "runtime/program.h"
#include "tool.h"

/* Writes the text and frees it. */
static void put(str *text) {
  fwrite(str_cstr(text), 1, text->len, stdout);
  str_free(text);
}

/* ---- print ---- */

static void print_as(const options *o, module *mod, str *text) {
  switch ((print_form)o->form) {
    case FORM_CODE: module_print_code(text, mod); break;
    case FORM_TABLE: module_print_table(text, mod); break;
    case FORM_DOT: module_print_dot(text, mod); break;
    case FORM_JSON: module_print_json(text, mod); break;
    case FORM_LOOPS: loops_print(text, mod, o->assoc == SCANC_ASSOC_LEFT); break;
  }
}

int cmd_print(const options *o) {
  scanc_error err = {0};
  bool rewrite = o->after || o->form == FORM_LOOPS;
  module *mod = rewrite ? load_checked(o, &err) : load_model(o, &err);
  if (!mod) return diag_print(&err);
  int status = 0;
  str text = {0};
  mod->contract = o->fp != SCANC_FP_STRICT;
  bool ok = !rewrite || passes_run(mod, o->after);
  fuse_scope all = {0};
  vec_push(mod->mem, &all.graphs, mod->main);
  if (ok && o->form == FORM_LOOPS) ok = fuse_elementwise(mod, &all);
  if (!ok) status = diag_print(&mod->err);
  else print_as(o, mod, &text);
  put(&text);
  scanc_module_free(mod);
  return status;
}

/* ---- inspect ---- */

static const port *find_port(const module *mod, bool inputs, const char *name, int i) {
  const port *p = inputs ? mod->inputs.data : mod->outputs.data;
  int n = inputs ? mod->inputs.len : mod->outputs.len;
  if (!inputs)
    return i < n ? &p[i] : NULL; /* an output may have no name, or the name of another one */
  for (int k = 0; k < n; k++)
    if (strcmp(p[k].name, name) == 0) return &p[k];
  return NULL;
}

/* What a file holds for a parameter. */
static void print_value(str *out, const scanc_tensor *t) {
  str_printf(out, "  %lld bytes",
             (long long)scanc_tensor_numel(t) * (long long)scanc_dtype_size(t->dtype));
  if (scanc_tensor_is_contiguous(t)) return;
  str_append(out, ", strides ");
  for (int i = 0; i < t->rank; i++)
    str_printf(out, "%s%lld", i ? ", " : "[", (long long)t->strides[i]);
  str_char(out, ']');
}

static void print_port(const port *p, const char *name, const type *t, const scanc_tensor *value) {
  str text = {0};
  str_printf(&text, "  %-20s %-16s ", name, p ? p->kind_text : "USER");
  if (t) type_print(&text, t);
  else if (p && p->constant.kind != VAL_ABSENT) {
    str_append(&text, "constant ");
    val_print(&text, p->constant);
  } else str_append(&text, "type unknown");
  const char *target = p ? (p->target ? p->target : p->tree) : NULL;
  if (target) str_printf(&text, "  %s", target);
  if (value) print_value(&text, value);
  str_char(&text, '\n');
  put(&text);
}

static void print_inputs(module *mod) {
  puts("inputs:");
  for (int i = 0; i < graph_n_placeholders(mod->main); i++) {
    const node *n = graph_placeholder(mod->main, i);
    print_port(find_port(mod, true, n->name, i), n->name, n->type,
               value_store_find(mod->data, n->name));
  }
  for (int i = 0; i < mod->main->attrs.len; i++) {
    const attr *a = &mod->main->attrs.data[i];
    if (a->kind == ATTR_TENSOR) print_port(NULL, a->name, a->type, NULL);
  }
}

static void print_outputs(module *mod) {
  puts("outputs:");
  for (int i = 0; i < graph_n_results(mod->main); i++) {
    val v = graph_result(mod->main, i);
    str name = {0};
    val_print(&name, v);
    print_port(find_port(mod, false, NULL, i), str_cstr(&name), val_type(mod, v), NULL);
    str_free(&name);
  }
}

static void print_bound(int64_t k) {
  if (k == INT64_MAX || k == INT64_MIN) fputs(k > 0 ? "int_oo" : "-int_oo", stdout);
  else printf("%" PRId64, k);
}

static void print_range(const char *of, int64_t min, int64_t max) {
  printf("  %-20s [", of);
  print_bound(min);
  fputs(", ", stdout);
  print_bound(max);
  puts("]");
}

static void print_symbols(const module *mod) {
  int n = symtab_n_symbols(mod->syms);
  if (n) puts("symbols:");
  for (int i = 0; i < n; i++) {
    int64_t min, max;
    const char *name = symtab_symbol(mod->syms, i);
    sym_range(mod->syms, name, &min, &max);
    print_range(name, min, max);
  }
  for (int i = 0; i < mod->ranges.len; i++) { /* of expressions over them */
    const range_constraint *c = &mod->ranges.data[i];
    const char *name;
    if (dim_is_symbol(c->expr, &name)) continue;
    str text = {0};
    dim_print(&text, c->expr);
    print_range(str_cstr(&text), c->min, c->max);
    str_free(&text);
  }
}

static void print_subgraphs(const module *mod) {
  bool titled = false;
  for (int i = 0; i < mod->graphs.len; i++) {
    const graph *g = mod->graphs.data[i];
    if (g == mod->main) continue;
    if (!titled) puts("subgraphs:");
    titled = true;
    printf("  %-20s %d parameters, %d results, %d nodes\n", g->class_name, graph_n_placeholders(g),
           graph_n_results(g), g->n_nodes);
  }
}

int cmd_inspect(const options *o) {
  scanc_error err = {0};
  module *mod = load_model(o, &err);
  if (!mod) return diag_print(&err);
  print_inputs(mod);
  print_outputs(mod);
  print_symbols(mod);
  print_subgraphs(mod);
  scanc_module_free(mod);
  return 0;
}

/* ---- explain ---- */

/* With inputs on the command line: for their sizes. */
static bool explain(const options *o, module *mod, scanc_program *prog, str *text,
                    scanc_error *err) {
  if (!o->inputs.len && !o->in) return explain_program(text, prog, NULL, err);
  int n = scanc_program_n_inputs(prog);
  scanc_tensor *in = base_malloc(sizeof *in * (size_t)n + 1);
  for (int i = 0; i < n; i++) in[i] = (scanc_tensor){0};
  bool ok = inputs_gather(o, mod, prog, in, err) && explain_program(text, prog, in, err);
  for (int i = 0; i < n; i++) scanc_tensor_release(&in[i]);
  free(in);
  return ok;
}

int cmd_explain(const options *o) {
  scanc_error err = {0};
  str text = {0};
  module *mod = load_checked(o, &err);
  scanc_options opts = options_of_program(o);
  scanc_program *prog = mod ? scanc_compile(mod, &opts, &err) : NULL;
  bool ok = prog && explain(o, mod, prog, &text, &err);
  if (ok) put(&text);
  else str_free(&text);
  scanc_program_free(prog);
  scanc_module_free(mod);
  return ok ? 0 : diag_print(&err);
}

/* ---- check ---- */

/* Adds `more` to d, but for what was said before, and for what is about the line of one of the
 * first n_read errors, those of reading: it follows from them. */
static void add_found(diagnostics *d, int n_read, const diagnostics *more) {
  for (int i = 0; i < more->found.len; i++) {
    const scanc_error *e = &more->found.data[i];
    bool known = false;
    for (int k = 0; k < d->found.len && !known; k++) {
      const scanc_error *f = &d->found.data[k];
      known = f->line == e->line && (k < n_read || strcmp(f->message, e->message) == 0);
    }
    if (!known) vec_push(d->mem, &d->found, *e);
  }
  lint_sort(d);
}

/* The checksums of all of an archive; of other files there are none. Those of what loading reads
 * were compared there. */
static bool check_sums(const options *o, scanc_error *err) {
  archive *a =
      strcmp(o->model, "-") && load_is_archive(o->model) ? archive_open(o->model, err) : NULL;
  bool ok = true;
  for (int i = 0; ok && a && i < archive_n_entries(a); i++)
    ok = archive_check(a, archive_at(a, i), err);
  archive_close(a);
  return ok;
}

int cmd_check(const options *o) {
  scanc_error err = {0};
  diagnostics d = {.mem = arena_new()}, read = {.mem = d.mem}, lint = {.mem = d.mem};
  module *mod = load_faulty(o, &read, &err);
  if (mod) check_sums(o, &err);
  if (mod) module_lint(mod, &lint);
  if (mod && o->torch) module_lint_torch(mod, &lint);
  if (mod && o->mode == SCANC_POINTWISE) module_lint_pointwise(mod, &lint);
  add_found(&d, 0, &read);
  add_found(&d, d.found.len, &lint);
  for (int i = 0; i < d.found.len; i++) diag_print(&d.found.data[i]);
  int status = err.code ? diag_print(&err) : d.found.len ? 1 : 0;
  if (!status && o->associative) status = check_associative(mod, o->associative);
  if (!status) printf("%s: no errors\n", o->model);
  arena_free(d.mem);
  scanc_module_free(mod);
  return status;
}
