/* The main graph: sizes, inputs, statements, results. */
#include "generator.h"

#include <math.h>
#include <stdio.h>

/* ---- random numbers ---- */

uint64_t mix(uint64_t seed, uint64_t k) {
  uint64_t z = seed + (k + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

rng rng_make(uint64_t seed) { return (rng){mix(seed, 0)}; }
uint64_t rng_next(rng *r) {
  r->state += 0x9e3779b97f4a7c15u;
  return mix(r->state, 0);
}
int below(rng *r, int n) { return (int)(rng_next(r) % (uint64_t)n); }
bool chance(rng *r, int percent) { return below(r, 100) < percent; }

/* ---- values ---- */

int64_t largest(const gen *g, dim d) {
  int64_t most = -1, n;
  for (int r = 0; r < N_ROUNDS; r++) {
    if (!dim_eval(g->m->syms, d, g->size[r], g->known, &n)) return -1;
    if (n > most) most = n;
  }
  return most;
}

int64_t elements(const gen *g, const type *t) {
  int64_t n = 1;
  for (int d = 0; d < t->n; d++) {
    int64_t size = largest(g, t->dims[d]);
    if (size < 0 || size > 1 << 20) return -1;
    n *= size ? size : 1;
    if (n > 1 << 20) return -1;
  }
  return n;
}

bool same_sizes(const type *a, const type *b) {
  if (a->n != b->n) return false;
  for (int d = 0; d < a->n; d++)
    if (!dim_equal(a->dims[d], b->dims[d])) return false;
  return true;
}

bool broadcasts(const type *a, const type *b) {
  for (int i = 1; i <= a->n && i <= b->n; i++) {
    dim x = a->dims[a->n - i], y = b->dims[b->n - i];
    if (!dim_equal(x, y) && !dim_is(x, 1) && !dim_is(y, 1)) return false;
  }
  return true;
}

node *settle(scope *s, node *n) {
  module *m = s->g->m;
  bool failed = m->err.code != SCANC_OK;
  m->err = (scanc_error){0};
  if (!n) return NULL;
  int64_t size = type_is_tensor(n->type) && n->type->n <= VALUE_RANK ? elements(s->g, n->type) : -1;
  if (failed || size < 0 || size * s->steps > 40000 || size > 10000 || s->n == MAX_VALUES) {
    node_erase(n);
    return NULL;
  }
  return s->v[s->n++] = n;
}

node *call(scope *s, const char *name, const val *args, int n, int dtype) {
  char path[80];
  val all[8];
  const char *kw[] = {"dtype"};
  snprintf(path, sizeof path, "torch.ops.aten.%s", name);
  for (int i = 0; i < n; i++) all[i] = args[i];
  if (dtype >= 0) all[n] = val_dtype((scanc_dtype)dtype);
  return node_call(&s->at, NULL, path, all, n, kw, dtype >= 0);
}

node *pick(scope *s) {
  rng *r = &s->g->r;
  int recent = s->n < 5 ? s->n : 5;
  return chance(r, 50) ? s->v[s->n - 1 - below(r, recent)] : s->v[below(r, s->n)];
}

node *pick_like(scope *s, const type *t) {
  for (int i = 0; i < 8; i++) {
    node *v = pick(s);
    if (broadcasts(v->type, t)) return v;
  }
  return pick(s);
}

node *pick_with_rank(scope *s) {
  for (int i = 0; i < 8; i++) {
    node *v = pick(s);
    if (v->type->n) return v;
  }
  return NULL;
}

val random_number(gen *g) {
  static const int64_t ints[] = {0, 1, 2, 3, -1, -2, 5, 7, 10, 100, 255, -128, 31, 64};
  static const double floats[] = {0.5,  2.0,  -1.5,  0.1,   3.0, 1e-3, 1e5,
                                  -0.0, 0.25, -0.75, 1e-40, 6.5, 20.0, -3.0};
  rng *r = &g->r;
  if (chance(r, 3)) return val_bool(below(r, 2));
  if (chance(r, 2)) return val_float(PICK(r, ((const double[]){INFINITY, -INFINITY, NAN, 1e300})));
  return chance(r, 50) ? val_int(PICK(r, ints)) : val_float(PICK(r, floats));
}

scanc_dtype random_dtype(gen *g) {
  static const scanc_dtype dtypes[] = {SCANC_F32, SCANC_F32,  SCANC_F32,  SCANC_F32,  SCANC_F32,
                                       SCANC_F32, SCANC_F64,  SCANC_F64,  SCANC_I32,  SCANC_I64,
                                       SCANC_I64, SCANC_F16,  SCANC_BF16, SCANC_BOOL, SCANC_U8,
                                       SCANC_I8,  SCANC_BOOL, SCANC_BF16, SCANC_F16,  SCANC_I16};
  if (chance(&g->r, g->complex ? 50 : 1)) return chance(&g->r, 50) ? SCANC_C64 : SCANC_C128;
  return PICK(&g->r, dtypes);
}

node *cast_value(scope *s, node *v, scanc_dtype d) {
  if (v->type->dtype == d) return v;
  node *n = chance(&s->g->r, 50) ? call(s, "_to_copy.default", (val[]){V(v)}, 1, (int)d)
                                 : CALL(s, "to.dtype", V(v), val_dtype(d));
  n = settle(s, n);
  return n ? n : v;
}

node *fit(scope *s, node *base, const type *want, int first) {
  node *from = base;
  for (int i = first; i < s->n; i++)
    if (same_sizes(s->v[i]->type, want) && (from == base || chance(&s->g->r, 60))) from = s->v[i];
  for (int i = s->n - 1; i >= first && from == base; i--) {
    if (!broadcasts(s->v[i]->type, want) || s->v[i]->type->n > want->n) continue;
    node *sum = settle(s, CALL(s, "add.Tensor", V(base), V(s->v[i])));
    if (sum && same_sizes(sum->type, want)) from = sum;
  }
  from = cast_value(s, from, want->dtype); /* unless that is too much work */
  return from->type->dtype == want->dtype ? from : base;
}

/* ---- statements ---- */

void grow(scope *s, int n) {
  rng *r = &s->g->r;
  for (int k = 0; k < n; k++) {
    int roll = below(r, 100);
    bool inner = s->depth < 2 && s->g->n_scans < 4 && (s->depth == 0 || s->views);
    int control = s->depth == 0 ? 35 : inner ? 8 : 0;
    if (roll < control * 6 / 10 && inner) add_scan(s);
    else if (roll < control * 9 / 10 && inner) add_fold(s);
    else if (roll < control) add_cond(s);
    else if (roll < control + 5) add_creation(s);
    else if (roll < control + 12) add_cast(s);
    else if (roll < control + 22) add_view(s);
    else if (roll < control + 27) add_reduction(s);
    else if (roll < control + 30) add_product(s);
    else if (roll < control + 34) add_indexing(s);
    else if (roll < control + 37) add_ordering(s);
    else add_elementwise(s);
  }
}

scope scope_inside(scope *s, const char *prefix, int64_t times, node **get) {
  char name[48];
  snprintf(name, sizeof name, "%s_%d", prefix, s->g->n_graphs++);
  graph *g = graph_new(s->g->m, name);
  graph_add_attr(s->graph, name, ATTR_GRAPH, g);
  *get = node_get_attr(&s->at, name, name);
  scope in = {.g = s->g, .graph = g, .at = cursor_end(g), .depth = s->depth + 1};
  in.steps = s->steps * (times > 0 ? times : 1);
  in.views = chance(&s->g->r, 40);
  return in;
}

node *add_parameter(scope *s, const type *t) {
  char name[16];
  snprintf(name, sizeof name, "arg%d_1", graph_n_placeholders(s->graph));
  node *n = node_placeholder(&s->at, name, name, t, val_absent());
  n->annotated = true;
  if (type_is_tensor(t)) s->v[s->n++] = n;
  else s->number[s->n_numbers++] = n;
  return n;
}

/* ---- the main graph ---- */

static void choose_space(gen *g, uint64_t seed) {
  static const int lengths[] = {1, 2, 3, 5, 8, 17, 33, 64},
                   extents[] = {1, 2, 3, 4, 5, 7, 8, 13, 16, 17, 33, 64, 130};
  bool symbols = chance(&g->r, 40);
  int64_t product;
  for (int i = 0; i < MAX_SYMBOLS; i++) {
    char name[8];
    snprintf(name, sizeof name, "s%d", i);
    dim_symbol(g->m->syms, name);
    g->known[i] = true;
    for (int r = 0; r < N_ROUNDS; r++) g->size[r][i] = symbol_size(seed, r, name);
  }
  do {
    product = 1;
    for (int d = 0; d < SPACE_RANK; d++) {
      int size = d == 0 ? PICK(&g->r, lengths) : extents[below(&g->r, d == 3 ? 13 : 5)];
      if (chance(&g->r, 2)) size = 0;
      char name[] = {'s', (char)('0' + below(&g->r, MAX_SYMBOLS)), 0};
      g->space[d] = symbols && chance(&g->r, 40) ? dim_symbol(g->m->syms, name) : dim_int(size);
      int64_t most = largest(g, g->space[d]);
      product *= most ? most : 1;
    }
  } while (product > 5000);
}

static const type *input_type(gen *g) {
  dim d[VALUE_RANK];
  int n = 0, rank = below(&g->r, SPACE_RANK);
  int time = chance(&g->r, 60) ? 0 : chance(&g->r, 30) ? below(&g->r, rank + 1) : -1;
  for (int i = 0; i <= rank; i++) {
    if (i == time) d[n++] = g->space[0];
    if (i < rank) d[n++] = chance(&g->r, 18) ? dim_int(1) : g->space[SPACE_RANK - rank + i];
  }
  return type_tensor(g->m->mem, random_dtype(g), d, n);
}

static void add_numbers(scope *s) {
  for (int i = 0; i < s->n; i++)
    for (int d = 0; d < s->v[i]->type->n; d++)
      if (!dim_is_int(s->v[i]->type->dims[d]) && s->n_numbers < MAX_SYMBOLS && chance(&s->g->r, 30))
        s->number[s->n_numbers++] = CALL(s, "sym_size.int", V(s->v[i]), val_int(d));
}

static void add_results(scope *s, int n_inputs) {
  val items[MAX_PORTS];
  int n = 0;
  for (int i = s->n - 1; i >= n_inputs && n < 6; i--)
    if (!node_has_uses(s->v[i]) || chance(&s->g->r, 25)) items[n++] = V(s->v[i]);
  if (!n) items[n++] = V(s->v[s->n - 1]);
  node_output(&s->at, val_seq(s->g->m->mem, VAL_TUPLE, items, n));
}

/* ---- what has been drawn ---- */

static int n_drawn[N_OPS]; /* in bodies of scans, branches and so on */

static void count_ops(const module *m) {
  for (int i = 0; i < m->graphs.len; i++)
    for (const node *n = m->graphs.data[i]->first; n; n = n->next)
      n_drawn[n->op ? n->op->id : 0] += n->op && m->graphs.data[i] != m->main;
}

/* Arithmetic on plain numbers is no operation of a body, nor is what a host gives. */
static bool is_drawable(const op_info *op, bool elementwise) {
  return op->kind != OPK_SYM && op->id != OP_host_call && (op->kind == OPK_EW) == elementwise;
}

static void print_kind(const char *what, bool elementwise) {
  int n = 0, missing = 0;
  long calls = 0;
  for (int i = 0; i < N_OPS; i++) {
    if (!is_drawable(op_get((op_id)i), elementwise)) continue;
    n++;
    missing += !n_drawn[i];
    calls += n_drawn[i];
  }
  printf("  in bodies: %ld calls of %d of %d %s", calls, n - missing, n, what);
  for (int i = 0, shown = 0; i < N_OPS; i++)
    if (is_drawable(op_get((op_id)i), elementwise) && !n_drawn[i])
      printf("%s%s", shown++ ? " " : ", not of: ", op_get((op_id)i)->name);
  putchar('\n');
}

void print_coverage(void) {
  print_kind("elementwise operators", true);
  print_kind("other operators", false);
}

str generate(uint64_t seed) {
  gen g = {.r = rng_make(seed), .m = module_new("random")};
  str text = {0};
  scope s = {.g = &g, .steps = 1, .graph = graph_new(g.m, "GraphModule"), .views = true};
  g.m->main = s.graph;
  s.at = cursor_end(s.graph);
  choose_space(&g, seed);
  g.faults = chance(&g.r, 15);
  g.complex = chance(&g.r, 10);
  int n_inputs = 2 + below(&g.r, 4);
  for (int i = 0; i < n_inputs; i++) add_parameter(&s, input_type(&g));
  add_numbers(&s);
  if (chance(&g.r, 85)) chance(&g.r, 65) ? add_scan(&s) : add_fold(&s);
  grow(&s, 3 + below(&g.r, 10));
  add_results(&s, n_inputs);
  count_ops(g.m);
  module_print_code(&text, g.m);
  module_free(g.m);
  return text;
}
