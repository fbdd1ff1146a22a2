/* scanc run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tool.h"

typedef struct {
  const options *o;
  module *mod;
  scanc_program *prog;
  scanc_tensor *in, *out;
  int n_in, n_out;
  double load_ms, compile_ms;
} session;

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static bool prepare(session *s, scanc_error *err) {
  const options *o = s->o;
  double t0 = now_ms();
  s->mod = load_model(o, err);
  if (!s->mod) return false;
  double t1 = now_ms();
  scanc_options opts = options_of_program(o);
  s->prog = scanc_compile(s->mod, &opts, err);
  if (!s->prog) return false;
  s->load_ms = t1 - t0;
  s->compile_ms = now_ms() - t1;
  s->n_in = scanc_program_n_inputs(s->prog);
  s->n_out = scanc_program_n_outputs(s->prog);
  s->in = base_malloc(sizeof *s->in * (size_t)s->n_in);
  s->out = base_malloc(sizeof *s->out * (size_t)s->n_out);
  for (int i = 0; i < s->n_in; i++) s->in[i] = (scanc_tensor){0};
  for (int i = 0; i < s->n_out; i++) s->out[i] = (scanc_tensor){0};
  return true;
}

static void release_outputs(session *s) {
  for (int i = 0; i < s->n_out; i++) scanc_tensor_release(&s->out[i]);
}

/* The best of several runs, at least one and at most a second of them; later ones write into the
 * memory of the first. Leaves the last results. */
static bool run_timed(session *s, scanc_error *err) {
  double start = now_ms(), first = 0, best = 0;
  int n = 0;
  do {
    double t = now_ms();
    if (scanc_run(s->prog, s->in, s->n_in, s->out, s->n_out, err) != SCANC_OK) return false;
    t = now_ms() - t;
    if (n == 0) first = t;
    if (n == 0 || t < best) best = t;
    n++;
  } while (n < 1000 && now_ms() - start < 1000);
  printf("load %.3f ms, compile %.3f ms, first run %.3f ms, best of %d runs %.3f ms\n", s->load_ms,
         s->compile_ms, first, n, best);
  return true;
}

static bool run(session *s, scanc_error *err) {
  const options *o = s->o;
  if (!prepare(s, err) || !inputs_gather(o, s->mod, s->prog, s->in, err)) return false;
  if (o->time ? !run_timed(s, err)
              : scanc_run(s->prog, s->in, s->n_in, s->out, s->n_out, err) != SCANC_OK)
    return false;
  if (o->out && !results_write(s->prog, s->out, o->out, err)) return false;
  if (o->expect && !results_compare(s->prog, s->out, o->expect, (tolerance){o->rtol, o->atol}, err))
    return false;
  if (o->expect) printf("%s: equal to %s\n", o->model, o->expect);
  if (!o->out && !o->expect) results_summary(s->prog, s->out);
  return true;
}

/* Whether the input that is missing is one of those that archives hold. */
static bool is_unread(const session *s, const scanc_error *err) {
  bool found = false;
  for (int i = 0; s->mod && s->mod->values_unread && i < s->mod->inputs.len; i++) {
    const port *p = &s->mod->inputs.data[i];
    bool held = p->kind == PORT_PARAMETER || p->kind == PORT_BUFFER || p->kind == PORT_CONSTANT;
    str quoted = {0};
    str_printf(&quoted, "'%s'", p->name);
    found = found || (held && strstr(err->message, str_cstr(&quoted)));
    str_free(&quoted);
  }
  return found;
}

int cmd_run(const options *o) {
  session s = {.o = o};
  scanc_error err = {0};
  int status = run(&s, &err) ? 0 : diag_print(&err);
  if (err.code == SCANC_ERR_MISSING_INPUT && is_unread(&s, &err))
    fputs("    archives of PyTorch 2.6 and 2.7 hold parameters as objects of Python, which scanc "
          "does not read\n",
          stderr);
  if (err.code == SCANC_ERR_MISSING_INPUT) diag_how_to_give();
  for (int i = 0; i < s.n_in; i++) scanc_tensor_release(&s.in[i]);
  release_outputs(&s);
  free(s.in);
  free(s.out);
  scanc_program_free(s.prog);
  scanc_module_free(s.mod);
  return status;
}
