/* Inputs that are given once for many runs. */
#include <stdlib.h>
#include <string.h>

#include "runtime/flush.h"
#include "runtime/program.h"

static bool is_cleared(const scanc_tensor *t) { return !t || (!t->data && !t->rank); }

/* A contiguous copy that owns its memory. */
static bool copy(const scanc_tensor *t, scanc_tensor *out) {
  size_t bytes = (size_t)scanc_tensor_numel(t) * scanc_dtype_size(t->dtype);
  void *data = data_alloc(bytes);
  if (!data) return false;
  *out = scanc_tensor_contiguous(data, t->dtype, t->rank, t->sizes);
  out->owner = data;
  out->release = free;
  tensor to = {.data = data, .dtype = t->dtype, .rank = t->rank};
  tensor from = {.data = t->data, .dtype = t->dtype, .rank = t->rank};
  memcpy(to.sizes, t->sizes, sizeof to.sizes);
  memcpy(from.sizes, t->sizes, sizeof from.sizes);
  memcpy(to.strides, out->strides, sizeof to.strides);
  memcpy(from.strides, t->strides, sizeof from.strides);
  if (scanc_tensor_numel(t)) tensor_copy(&to, &from);
  return true;
}

static void unbind(program *p, in_port *q) {
  if (!q->is_bound) return;
  scanc_tensor_release(&q->bound);
  q->is_bound = false;
  p->n_bound--;
}

static bool give(program *p, const char *name, const scanc_tensor *t, scanc_ownership how,
                 scanc_error *err) {
  src_loc loc = {.file = p->mod->name};
  int i = scanc_program_find_input(p, name);
  if (i < 0) return err_set(err, SCANC_ERR_UNDEFINED_NAME, loc, "no input is named '%.200s'", name);
  in_port *q = &p->inputs[i];
  if (is_cleared(t)) return unbind(p, q), true;
  if (!ports_check_kind(p, i, t, err)) return false;
  if (ports_is_missing(t))
    return err_set(err, SCANC_ERR_MISSING_INPUT, loc, "input '%.200s': the array has no data",
                   name);
  scanc_tensor bound = *t;
  bound.release = NULL;
  bound.owner = NULL;
  bool flush = p->opts.ftz && flush_is_due(t);
  if ((how == SCANC_COPY || flush) && !copy(t, &bound))
    return err_set(err, SCANC_ERR_NO_MEMORY, loc, "no memory for a copy of input '%.200s'", name);
  if (flush) flush_array(&bound);
  unbind(p, q);
  q->bound = bound;
  q->is_bound = true;
  p->n_bound++;
  return true;
}

bool ports_bind_stored(program *p, scanc_error *err) {
  const value_store *w = p->mod->data;
  for (int i = 0; w && i < w->list.len; i++)
    if (!give(p, w->list.data[i]->name, &w->list.data[i]->value, SCANC_BORROW, err)) return false;
  return true;
}

scanc_code scanc_program_bind(scanc_program *p, const char *name, const scanc_tensor *t,
                              scanc_ownership how, scanc_error *err) {
  scanc_error e = {0};
  if (err_given(p, "scanc_program_bind", "prog", &e) &&
      err_given(name, "scanc_program_bind", "name", &e))
    give(p, name, t, how, &e);
  if (err && !err->code) *err = e;
  return e.code;
}

/* p describes the inputs of a module, and nothing else. */
static bool give_module(program *p, module *m, const char *name, const scanc_tensor *t,
                        scanc_ownership how, scanc_error *err) {
  src_loc loc = {.file = m->name};
  SCANC_TRY(ports_inputs(p, err) && give(p, name, t, how, err));
  in_port *q = &p->inputs[scanc_program_find_input(p, name)];
  if (!q->is_bound)
    return err_set(err, SCANC_ERR_MISSING_INPUT, loc, "'%.200s': no array was given", name);
  if (q->port.kind == SCANC_PORT_USER)
    return err_set(err, SCANC_ERR_USAGE, loc,
                   "'%.200s' is an argument of the call, not a parameter, buffer or constant",
                   name);
  m->data = value_store_with(m->data, q->port.name, q->bound);
  q->is_bound = false; /* it is the store's */
  return true;
}

scanc_code scanc_module_bind(module *m, const char *name, const scanc_tensor *t,
                             scanc_ownership how, scanc_error *err) {
  scanc_error e = {0};
  program p = {.mem = arena_new(), .mod = m};
  if (err_given(m, "scanc_module_bind", "mod", &e)) e = m->err;
  if (!e.code && err_given(name, "scanc_module_bind", "name", &e))
    give_module(&p, m, name, t, how, &e);
  ports_unbind(&p);
  arena_free(p.mem);
  if (err && !err->code) *err = e;
  return e.code;
}

const scanc_tensor *ports_given(const program *p, const scanc_tensor *in, scanc_tensor *merged) {
  if (!p->n_bound) return in;
  for (int i = 0; i < p->n_inputs; i++) {
    const in_port *q = &p->inputs[i];
    merged[i] = q->is_bound && is_cleared(&in[i]) ? q->bound : in[i];
  }
  return merged;
}

void ports_unbind(program *p) {
  for (int i = 0; i < p->n_inputs; i++) unbind(p, &p->inputs[i]);
}
