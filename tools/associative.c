/* scanc check --associative: a randomised test of the law that associative scans count on,
 * f(f(a, b), c) = f(a, f(b, c)). Floating-point leaves are tested in f64, complex ones in c128, so
 * that what differs is not rounding; half of the numbers are below 2.1, the others of any magnitude
 * within FAR, where results that overflow tell nothing. A function may keep the law for the values
 * that occur and break it for others: the counterexample tells. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ir/build.h"
#include "ir/convert.h"
#include "tool.h"

enum { SIZE = 2, MAX_SHOWN = 6, KINDS = 6 };

static const double CLOSE = 1e-6; /* relative to the largest number around, or to 1 */
static const double FAR[] = {1e-3, 1e9}, FAR_F16[] = {1e-3, 1e4};

/* One associative scan, and a program that takes the leaves of a, of b and of c, then what the
 * function captures, and returns the leaves of both sides. */
typedef struct {
  const node *scan;
  scanc_program *prog;
  int n_leaf, n_in;
  scanc_tensor *in, *out;
  const double **far; /* per input: magnitudes that its type has */
  uint64_t state;     /* of the generator */
} law;

/* ---- the program ---- */

static scanc_dtype widest(scanc_dtype d) {
  char cls = dtype_class(d);
  return cls == 'f' ? SCANC_F64 : cls == 'c' ? SCANC_C128 : d;
}

static void widen(module *m, graph *g) {
  FOR_EACH_NODE (n, g) {
    if (n->kind == NODE_PLACEHOLDER && type_is_tensor(n->type))
      n->type = type_tensor(m->mem, widest(n->type->dtype), n->type->dims, n->type->n);
    if (n->kind == NODE_CALL_FUNCTION || n->kind == NODE_CALL_METHOD)
      n->type = NULL, n->annotated = false;
  }
}

static graph *counterpart(const module *of, const graph *g, module *copy) {
  for (int i = 0; i < of->graphs.len; i++)
    if (of->graphs.data[i] == g) return copy->graphs.data[i];
  return NULL;
}

/* f(left, right), a value per leaf. */
static void apply(cursor *c, node *f, const node *const *left, const node *const *right,
                  const node *const *extra, int n, int n_extra, const node **out) {
  arena *mem = c->g->mod->mem;
  val *args = ARENA_ARRAY(mem, val, 2 + 2 * n + n_extra);
  args[0] = val_node(f);
  args[1] = val_str(mem, "f");
  for (int i = 0; i < n; i++) {
    args[2 + i] = val_node((node *)left[i]);
    args[2 + n + i] = val_node((node *)right[i]);
  }
  for (int i = 0; i < n_extra; i++) args[2 + 2 * n + i] = val_node((node *)extra[i]);
  node *call = node_call(c, NULL, "torch.ops.higher_order.invoke_subgraph", args,
                         2 + 2 * n + n_extra, NULL, 0);
  for (int i = 0; i < n; i++) out[i] = call ? build_getitem(c, call, i) : NULL;
}

static const node **parameters(cursor *c, const graph *f, int from, int n, const char *name) {
  arena *mem = c->g->mod->mem;
  const node **out = ARENA_ARRAY(mem, const node *, n);
  for (int i = 0; i < n; i++) {
    const char *own = arena_printf(mem, "%s%d", name, i);
    out[i] = node_placeholder(c, own, own, graph_placeholder(f, from + i)->type, val_absent());
  }
  return out;
}

static void make_main(module *m, graph *f, int n) {
  arena *mem = m->mem;
  graph *g = graph_new(m, "Law");
  cursor c = cursor_end(g);
  int n_extra = graph_n_placeholders(f) - 2 * n;
  graph_add_attr(g, "f", ATTR_GRAPH, f);
  const node **a = parameters(&c, f, 0, n, "a"), **b = parameters(&c, f, 0, n, "b"),
             **d = parameters(&c, f, 0, n, "c"), **x = parameters(&c, f, 2 * n, n_extra, "x"),
             **ab = ARENA_ARRAY(mem, const node *, n), **bc = ARENA_ARRAY(mem, const node *, n);
  node *callee = node_get_attr(&c, "f", "f");
  const node **sides = ARENA_ARRAY(mem, const node *, 2 * n);
  apply(&c, callee, a, b, x, n, n_extra, ab);
  apply(&c, callee, ab, d, x, n, n_extra, sides);
  apply(&c, callee, b, d, x, n, n_extra, bc);
  apply(&c, callee, a, bc, x, n, n_extra, sides + n);
  val *items = ARENA_ARRAY(mem, val, 2 * n);
  for (int i = 0; i < 2 * n; i++) items[i] = val_node((node *)sides[i]);
  node_output(&c, val_seq(mem, VAL_TUPLE, items, 2 * n));
  m->main = g;
  m->exported = m->has_signature = false;
  m->inputs.len = m->outputs.len = 0;
}

/* wide: in f64 and c128. NULL with an error. */
static scanc_program *compile_law(const module *mod, const node *scan, int n, bool wide,
                                  scanc_error *err) {
  module *m = module_clone(mod);
  graph *f = counterpart(mod, val_graph(scan->operands[0]), m);
  scanc_program *p = NULL;
  if (wide) widen(m, f);
  if (!wide || graph_infer(f)) make_main(m, f, n);
  scanc_options opts = SCANC_OPTIONS_INIT;
  opts.exec = SCANC_EXEC_INTERP;
  if (!m->err.code) p = scanc_compile(m, &opts, err);
  else *err = m->err;
  scanc_module_free(m);
  return p;
}

/* ---- data ---- */

static double uniform(law *w) {
  w->state = w->state * 6364136223846793005U + 1442695040888963407U;
  return (double)(w->state >> 11) / 9007199254740992.0;
}

/* Kinds of data take turns: what one function does not accept, another one needs. */
static number draw(law *w, scanc_dtype d, int trial, double magnitude) {
  double u = uniform(w);
  int64_t small = trial % 3 ? (int64_t)(u * 9) - 4 : (int64_t)(u * SIZE);
  switch (dtype_class(d)) {
    case 'b': return (number){.cls = 'b', .i = u < 0.5};
    case 'i': return (number){.cls = 'i', .i = trial % 3 == 2 ? (int64_t)(u * 4e9) : small};
    case 'f': return (number){.cls = 'f', .f = magnitude * (trial % 2 ? u + 0.1 : 4 * u - 2)};
    default: break;
  }
  return (number){.cls = 'c', .f = magnitude * (2 * u - 1), .im = magnitude * (2 * uniform(w) - 1)};
}

static int64_t count_of(const scanc_tensor *t) {
  int64_t n = 1;
  for (int d = 0; d < t->rank; d++) n *= t->sizes[d];
  return n;
}

static const char *element(const scanc_tensor *t, int64_t i) {
  return (const char *)t->data + (size_t)i * scanc_dtype_size(t->dtype);
}

static bool open_inputs(law *w, const module *mod, arena *mem, bool wide) {
  const graph *f = val_graph(w->scan->operands[0]);
  int n_symbols = symtab_n_symbols(mod->syms);
  int64_t *values = ARENA_ARRAY(mem, int64_t, n_symbols);
  bool *known = ARENA_ARRAY(mem, bool, n_symbols);
  for (int i = 0; i < n_symbols; i++) {
    int64_t min, max;
    sym_range(mod->syms, symtab_symbol(mod->syms, i), &min, &max);
    values[i] = min > SIZE ? min : max < SIZE ? max : SIZE, known[i] = true;
  }
  for (int i = 0; i < w->n_in; i++) {
    int at = i < 3 * w->n_leaf ? i % w->n_leaf : i - w->n_leaf;
    const type *t = graph_placeholder(f, at)->type;
    int64_t sizes[SCANC_MAX_RANK];
    if (!type_is_tensor(t)) return false;
    for (int d = 0; d < t->n; d++) {
      sizes[d] = t->dims[d].k;
      if (!dim_is_int(t->dims[d]) && !dim_eval(mod->syms, t->dims[d], values, known, &sizes[d]))
        return false;
    }
    scanc_dtype d = wide ? widest(t->dtype) : t->dtype;
    w->far[i] = t->dtype == SCANC_F16 ? FAR_F16 : FAR;
    w->in[i] = scanc_tensor_contiguous(NULL, d, t->n, sizes);
    w->in[i].data = arena_alloc(mem, (size_t)(count_of(&w->in[i]) + 1) * scanc_dtype_size(d));
  }
  return true;
}

/* far: of a magnitude that is drawn, too. */
static void fill(law *w, int trial, bool far) {
  double u = far ? uniform(w) : 0;
  for (int i = 0; i < w->n_in; i++) {
    double magnitude = far ? w->far[i][0] * pow(w->far[i][1] / w->far[i][0], u) : 1;
    for (int64_t k = 0; k < count_of(&w->in[i]); k++)
      number_store(draw(w, w->in[i].dtype, trial, magnitude), w->in[i].dtype,
                   (char *)element(&w->in[i], k));
  }
}

/* ---- comparison ---- */

static double size_of(number v) {
  double x = v.cls == 'c' ? hypot(v.f, v.im) : v.cls == 'f' ? fabs(v.f) : fabs((double)v.i);
  return isfinite(x) ? x : 0;
}

/* The largest number among 1, the inputs and the results. */
static double scale_of(const law *w) {
  double most = 1;
  for (int i = 0; i < w->n_in + 2 * w->n_leaf; i++) {
    const scanc_tensor *t = i < w->n_in ? &w->in[i] : &w->out[i - w->n_in];
    for (int64_t k = 0; k < count_of(t); k++)
      most = fmax(most, size_of(number_load(t->dtype, element(t, k))));
  }
  return most;
}

static bool is_same(number a, number b, double scale) {
  if (a.cls == 'b' || a.cls == 'i') return a.i == b.i;
  if ((isnan(a.f) && isnan(b.f)) || a.f == b.f)
    return a.cls == 'f' || fabs(a.im - b.im) <= CLOSE * scale;
  return fabs(a.f - b.f) <= CLOSE * scale && fabs(a.im - b.im) <= CLOSE * scale;
}

static bool holds(const law *w, int *leaf, int64_t *at) {
  double scale = scale_of(w);
  for (*leaf = 0; *leaf < w->n_leaf; ++*leaf) {
    const scanc_tensor *x = &w->out[*leaf], *y = &w->out[w->n_leaf + *leaf];
    for (*at = 0; *at < count_of(x); ++*at)
      if (!is_same(number_load(x->dtype, element(x, *at)), number_load(y->dtype, element(y, *at)),
                   scale))
        return false;
  }
  return true;
}

static bool is_finite(const law *w) {
  for (int i = 0; i < 2 * w->n_leaf; i++)
    for (int64_t k = 0; k < count_of(&w->out[i]); k++) {
      number v = number_load(w->out[i].dtype, element(&w->out[i], k));
      if ((v.cls == 'f' || v.cls == 'c') && !isfinite(v.f)) return false;
      if (v.cls == 'c' && !isfinite(v.im)) return false;
    }
  return true;
}

static void print_tensor(str *out, const char *name, int leaf, const scanc_tensor *t) {
  int64_t n = count_of(t);
  str_printf(out, "\n    %s%d =", name, leaf);
  for (int64_t k = 0; k < n && k < MAX_SHOWN; k++) {
    number v = number_load(t->dtype, element(t, k));
    if (v.cls == 'c') str_printf(out, " %.6g%+.6gj", v.f, v.im);
    else if (v.cls == 'f') str_printf(out, " %.6g", v.f);
    else str_printf(out, " %" PRId64, v.i);
  }
  if (n > MAX_SHOWN) str_append(out, " ...");
}

static int report(const law *w, const module *mod, int leaf, int64_t at) {
  static const char *const names[] = {"a", "b", "c"};
  scanc_error err = {0};
  str t = {0};
  for (int i = 0; i < w->n_in; i++) {
    bool own = i < 3 * w->n_leaf;
    print_tensor(&t, own ? names[i / w->n_leaf] : "captured ",
                 own ? i % w->n_leaf : i - 3 * w->n_leaf, &w->in[i]);
  }
  print_tensor(&t, "f(f(a, b), c) leaf ", leaf, &w->out[leaf]);
  print_tensor(&t, "f(a, f(b, c)) leaf ", leaf, &w->out[w->n_leaf + leaf]);
  src_loc loc = w->scan->loc;
  if (!loc.file) loc.file = mod->name;
  err_set(&err, SCANC_ERR_MISMATCH, loc,
          "%.80s: the function is not associative for these values: leaf %d, element %" PRId64
          " differs",
          w->scan->name, leaf, at);
  int status = diag_print(&err);
  fprintf(stderr, "%s\n", str_cstr(&t) + 1);
  str_free(&t);
  return status;
}

/* ---- trials ---- */

static bool run_trial(law *w, scanc_error *err) {
  memset(w->out, 0, sizeof *w->out * (size_t)(2 * w->n_leaf));
  return scanc_run(w->prog, w->in, w->n_in, w->out, 2 * w->n_leaf, err) == SCANC_OK;
}

/* Data that the function does not accept count for nothing. */
static int run_trials(law *w, const module *mod, int64_t trials) {
  int64_t done = 0, at = 0;
  int status = 0, leaf = 0;
  scanc_error err = {0};
  for (int64_t k = 0; !status && k < trials; k++) {
    scanc_error e = {0};
    bool far = k / KINDS % 2;
    fill(w, (int)(k % KINDS), far);
    bool ran = run_trial(w, &e);
    if (!ran) err = e;
    ran = ran && (!far || is_finite(w));
    done += ran;
    if (ran && !holds(w, &leaf, &at)) status = report(w, mod, leaf, at);
    for (int i = 0; i < 2 * w->n_leaf; i++) scanc_tensor_release(&w->out[i]);
  }
  if (status) return status;
  if (done)
    printf("%s: associative in %" PRId64 " of %" PRId64 " trials\n", w->scan->name, done, trials);
  else printf("%s: not tested: %s\n", w->scan->name, err.message);
  return 0;
}

static bool has_floats(const graph *f) {
  for (int i = 0; i < graph_n_placeholders(f); i++) {
    const type *t = graph_placeholder(f, i)->type;
    if (type_is_tensor(t) && widest(t->dtype) != t->dtype) return true;
  }
  return false;
}

static int check_scan(const module *mod, const node *scan, int64_t trials) {
  const graph *f = val_graph(scan->operands[0]);
  law w = {.scan = scan, .n_leaf = graph_n_results(f), .state = 1};
  scanc_error err = {0};
  arena *mem = arena_new();
  bool wide = has_floats(f);
  w.n_in = graph_n_placeholders(f) + w.n_leaf;
  w.in = ARENA_ARRAY(mem, scanc_tensor, w.n_in);
  w.far = ARENA_ARRAY(mem, const double *, w.n_in);
  w.out = ARENA_ARRAY(mem, scanc_tensor, 2 * w.n_leaf);
  w.prog = compile_law(mod, scan, w.n_leaf, wide, &err);
  int status = 0;
  if (!w.prog) printf("%s: not tested: %s\n", scan->name, err.message);
  else if (!open_inputs(&w, mod, mem, wide))
    printf("%s: not tested: a parameter that is no tensor of known sizes\n", scan->name);
  else status = run_trials(&w, mod, trials);
  scanc_program_free(w.prog);
  arena_free(mem);
  return status;
}

int check_associative(const module *mod, int64_t trials) {
  int status = 0;
  for (int i = 0; i < mod->graphs.len; i++)
    for (const node *n = mod->graphs.data[i]->first; n; n = n->next)
      if (node_is_op(n, OP_associative_scan) && val_graph(n->operands[0])) {
        int s = check_scan(mod, n, trials);
        if (s) status = s;
      }
  return status;
}
