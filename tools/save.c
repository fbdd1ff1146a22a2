/* scanc save. */
#include <stdio.h>
#include <stdlib.h>

#include "frontend/pt2.h"
#include "passes/pass.h"
#include "tool.h"

/* Values for parameters, from files and generators; the module borrows them. */
typedef struct {
  scanc_tensor *in;
  int n;
} values;

/* Arguments of the program have none. */
static bool check_kinds(const options *o, const scanc_program *prog, scanc_error *err) {
  for (int i = 0; i < o->inputs.len; i++) {
    char name[256];
    snprintf(name, sizeof name, "%.*s", o->inputs.data[i].name_len, o->inputs.data[i].name);
    int k = scanc_program_find_input(prog, name);
    if (k >= 0 && scanc_program_input(prog, k).kind == SCANC_PORT_USER)
      return err_set(err, SCANC_ERR_USAGE, (src_loc){0},
                     "'%s' is an argument of the program: an archive has no value for it", name);
  }
  return true;
}

/* Of the arrays in DIR, those of arguments are of no use here. */
static bool bind(module *mod, const scanc_program *prog, const values *v, scanc_error *err) {
  for (int i = 0; i < v->n; i++) {
    scanc_port p = scanc_program_input(prog, i);
    if (!v->in[i].data || p.kind == SCANC_PORT_USER) continue;
    if (scanc_module_bind(mod, p.name, &v->in[i], SCANC_BORROW, err) != SCANC_OK) return false;
  }
  return true;
}

static bool give_values(const options *o, module *mod, values *v, scanc_error *err) {
  scanc_options opts = options_of_program(o);
  if (!o->in && !o->inputs.len) return true;
  opts.exec = SCANC_EXEC_INTERP; /* nothing is run */
  scanc_program *prog = scanc_compile(mod, &opts, err);
  if (!prog) return false;
  v->n = scanc_program_n_inputs(prog);
  v->in = base_malloc(sizeof *v->in * (size_t)v->n + 1);
  for (int i = 0; i < v->n; i++) v->in[i] = (scanc_tensor){0};
  bool ok = check_kinds(o, prog, err) && inputs_gather(o, mod, prog, v->in, err) &&
            bind(mod, prog, v, err);
  scanc_program_free(prog);
  return ok;
}

static bool save(const options *o, module *mod, values *v, scanc_error *err) {
  if (!give_values(o, mod, v, err)) return false;
  if (o->after && !passes_run(mod, o->after)) *err = mod->err;
  return !err->code && pt2_write(mod, o->save, err);
}

int cmd_save(const options *o) {
  scanc_error err = {0};
  values v = {0};
  if (!o->save) return diag_fail(SCANC_ERR_USAGE, "scanc save needs -o FILE.pt2");
  module *mod = load_checked(o, &err);
  int status = mod && save(o, mod, &v, &err) ? 0 : diag_print(&err);
  if (err.code == SCANC_ERR_MISSING_INPUT) diag_how_to_give();
  scanc_module_free(mod);
  for (int i = 0; i < v.n; i++) scanc_tensor_release(&v.in[i]);
  free(v.in);
  return status;
}
