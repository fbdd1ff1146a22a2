/* The types of a program's results for given inputs, without running it. */
#include <string.h>

#include "runtime/program.h"

typedef struct {
  const program *p;
  const scanc_tensor *arrays;
  const symtab *syms;
  int64_t *values; /* per symbol */
  bool *known;
  int n_symbols;
  arena *tmp;
} inference;

/* Room for the symbols of `syms`, which begin with those that are known. */
static void take_symbols(inference *f, const symtab *syms) {
  int n = symtab_n_symbols(syms), n_known = f->n_symbols;
  int64_t *values = ARENA_ARRAY(f->tmp, int64_t, n);
  bool *known = ARENA_ARRAY(f->tmp, bool, n);
  if (n_known) memcpy(values, f->values, sizeof *values * (size_t)n_known);
  if (n_known) memcpy(known, f->known, sizeof *known * (size_t)n_known);
  f->values = values;
  f->known = known;
  f->syms = syms;
  f->n_symbols = n;
}

/* Sizes of an output of type t; false: something is not known. */
static bool result_of(const inference *f, const type *t, scanc_tensor *out) {
  int64_t sizes[SCANC_MAX_RANK];
  scanc_dtype d;
  if (t && ports_number_dtype(t->kind, &d)) {
    *out = scanc_tensor_contiguous(NULL, d, 0, NULL);
    return true;
  }
  if (!t || !type_is_tensor(t)) return false;
  for (int i = 0; i < t->n; i++) {
    sizes[i] = t->dims[i].k;
    if (!dim_is_int(t->dims[i]) && !dim_eval(f->syms, t->dims[i], f->values, f->known, &sizes[i]))
      return false;
    if (sizes[i] < 0) return false;
  }
  *out = scanc_tensor_contiguous(NULL, t->dtype, t->n, sizes);
  return true;
}

/* -1: all results are known; else the first that is not. `types` NULL: those found while compiling.
 */
static int results_of(const inference *f, const type *const *types, scanc_tensor *out) {
  for (int i = 0; i < f->p->n_outputs; i++) {
    const out_port *q = &f->p->outputs[i];
    memset(&out[i], 0, sizeof out[i]);
    if (q->port.kind == SCANC_PORT_NONE) continue;
    if (!result_of(f, types ? types[q->result] : q->type, &out[i])) return i;
  }
  return -1;
}

/* ---- programs whose text does not state types ---- */

static const type *concrete_type(const inference *f, module *m, int i) {
  const scanc_tensor *t = &f->arrays[i];
  dim dims[SCANC_MAX_RANK];
  for (int k = 0; k < t->rank; k++) dims[k] = dim_int(t->sizes[k]);
  return type_tensor(m->mem, t->dtype, dims, t->rank);
}

static bool is_given(const scanc_tensor *t) { return t->data || t->rank; }

static void state_types(const inference *f, graph *g) {
  int i = 0;
  FOR_EACH_NODE (n, g) {
    int k = -1;
    if (n->kind == NODE_PLACEHOLDER && g == g->mod->main) k = i++;
    if (n->kind == NODE_GET_ATTR && !n->type) k = ports_attr((program *)f->p, g, n->path);
    if (k >= 0 && !n->type && is_given(&f->arrays[k])) n->type = concrete_type(f, g->mod, k);
  }
}

/* Infers the module again, with the types of the arrays where it states none. */
static int infer_again(inference *f, scanc_tensor *out) {
  pthread_mutex_t *lock = &((program *)f->p)->lock; /* plans are made from the module too */
  pthread_mutex_lock(lock);
  module *m = module_clone(f->p->mod);
  pthread_mutex_unlock(lock);
  int unknown = 0;
  for (int i = 0; i < m->graphs.len; i++) state_types(f, m->graphs.data[i]);
  if (graph_infer(m->main)) {
    val *leaf;
    int n = ports_leaves(m, f->tmp, &leaf);
    const type **types = ARENA_ARRAY(f->tmp, const type *, n);
    take_symbols(f, m->syms); /* sizes that depend on data */
    for (int i = 0; i < n; i++) types[i] = val_type(m, leaf[i]);
    unknown = results_of(f, types, out);
  }
  module_free(m);
  return unknown;
}

/* ---- entry ---- */

static bool infer(inference *f, scanc_tensor *out, scanc_error *err) {
  const program *p = f->p;
  take_symbols(f, p->mod->syms);
  f->arrays = ports_given(p, f->arrays, ARENA_ARRAY(f->tmp, scanc_tensor, p->n_inputs));
  if (!ports_check_sizes(p, f->arrays, f->values, f->known, err)) return false;
  scanc_tensor *found = ARENA_ARRAY(f->tmp, scanc_tensor, p->n_outputs);
  int unknown = results_of(f, NULL, found);
  if (unknown >= 0) unknown = infer_again(f, found);
  if (unknown >= 0)
    return err_set(err, SCANC_ERR_UNKNOWN_SIZE, (src_loc){.file = p->mod->name},
                   "output %d ('%.100s'): only a run can tell its type or size", unknown,
                   p->outputs[unknown].port.name);
  if (p->n_outputs) memcpy(out, found, sizeof *out * (size_t)p->n_outputs);
  return true;
}

scanc_code scanc_program_infer(const scanc_program *p, const scanc_tensor *in, int n_in,
                               scanc_tensor *out, int n_out, scanc_error *err) {
  scanc_error e = {0};
  inference f = {.p = p, .arrays = in, .tmp = arena_new()};
  if (ports_check_call(p, "scanc_program_infer", in, n_in, out, n_out, &e)) infer(&f, out, &e);
  arena_free(f.tmp);
  if (err && !err->code) *err = e;
  return e.code;
}
