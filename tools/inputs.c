/* The arrays a run starts from: files, and generated ones whose sizes come from the program, from
 * --dim, and from the sizes of the arrays that were read. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/npy.h"
#include "runtime/tensor.h"
#include "tool.h"

typedef enum { GEN_NORMAL, GEN_ZEROS, GEN_ONES, GEN_ARANGE, N_GENERATORS } generator;
static const char *const generator_names[N_GENERATORS] = {"normal", "zeros", "ones", "arange"};

typedef struct {
  const options *o;
  const module *mod;
  const scanc_program *prog;
  scanc_tensor *in;
  scanc_error *err;
  int64_t *sizes; /* per symbol of the module */
  bool *known;
  bool *given; /* per input */
  size_t left; /* of what --max-bytes allows */
} gathering;

#define FAIL(code, ...) err_set(g->err, SCANC_ERR_##code, (src_loc){0}, __VA_ARGS__)

/* ---- where an input comes from ---- */

static int named_input(const scanc_program *prog, const binding *b) {
  char name[256];
  snprintf(name, sizeof name, "%.*s", b->name_len, b->name);
  return scanc_program_find_input(prog, name);
}

/* The first one for input i, by its name or its target. */
static const binding *find_binding(const gathering *g, int i) {
  for (int k = 0; k < g->o->inputs.len; k++)
    if (named_input(g->prog, &g->o->inputs.data[k]) == i) return &g->o->inputs.data[k];
  return NULL;
}

static bool is_file(const char *value) {
  size_t n = strlen(value);
  return n > 4 && strcmp(value + n - 4, ".npy") == 0;
}

static bool check_names(gathering *g) {
  for (int i = 0; i < g->o->inputs.len; i++) {
    const binding *b = &g->o->inputs.data[i];
    char name[256];
    snprintf(name, sizeof name, "%.*s", b->name_len, b->name);
    int k = named_input(g->prog, b);
    if (k < 0) return FAIL(USAGE, "the program has no input '%s'", name);
    if (find_binding(g, k) != b) return FAIL(USAGE, "input '%s' is given twice", name);
  }
  return true;
}

/* ---- symbolic sizes ---- */

static bool bind_dims(gathering *g) {
  for (int i = 0; i < g->o->dims.len; i++) {
    const binding *b = &g->o->dims.data[i];
    char name[256];
    snprintf(name, sizeof name, "%.*s", b->name_len, b->name);
    int k = symtab_find(g->mod->syms, name);
    if (k < 0) return FAIL(USAGE, "--dim: the program has no symbol '%s'", name);
    g->sizes[k] = strtoll(b->value, NULL, 10);
    g->known[k] = true;
  }
  return true;
}

/* The type of an input in the graph: of a placeholder, or of a tensor attribute. */
static const type *port_type(const gathering *g, const char *name) {
  const node *n = graph_find(g->mod->main, name);
  if (n && n->type) return n->type;
  const attr *a = graph_find_attr(g->mod->main, name);
  return a ? a->type : NULL;
}

static bool contradicts(gathering *g, const char *name, dim d, int64_t want, int64_t got) {
  str text = {0};
  dim_print(&text, d);
  FAIL(INPUT_SHAPE, "input '%s': expected %s = %lld, as --dim or an input before it says, got %lld",
       name, str_cstr(&text), (long long)want, (long long)got);
  str_free(&text);
  return false;
}

static bool learn(gathering *g, const char *name, dim d, int64_t value) {
  int symbol;
  int64_t known, solution;
  if (dim_eval(g->mod->syms, d, g->sizes, g->known, &known))
    return known == value || !g->o->dims.len || contradicts(g, name, d, known, value);
  if (dim_solve(g->mod->syms, d, value, g->sizes, g->known, &symbol, &solution) != DIM_SOLVED)
    return true;
  g->sizes[symbol] = solution;
  return g->known[symbol] = true;
}

/* The sizes of an array that was read tell the symbols it depends on. What --dim says otherwise is
 * an error here; other mismatches are for scanc_run to report. */
static bool learn_from(gathering *g, int i) {
  const char *name = scanc_program_input(g->prog, i).name;
  const type *t = port_type(g, name);
  const scanc_tensor *a = &g->in[i];
  bool ok = true;
  if (!t) return true;
  if (t->kind == TYPE_INT && a->rank == 0 && a->dtype == SCANC_I64)
    ok = learn(g, name, t->i, *(const int64_t *)a->data);
  if (t->kind != TYPE_TENSOR || t->n != a->rank) return ok;
  for (int d = 0; ok && d < a->rank; d++) ok = learn(g, name, t->dims[d], a->sizes[d]);
  return ok;
}

static bool dim_value(gathering *g, const char *name, dim d, int64_t *out) {
  if (dim_eval(g->mod->syms, d, g->sizes, g->known, out) && *out >= 0) return true;
  str text = {0};
  dim_print(&text, d);
  FAIL(MISSING_INPUT, "the size %s of input '%s' is not known; give its symbols with --dim",
       str_cstr(&text), name);
  str_free(&text);
  return false;
}

/* ---- generators ---- */

static uint64_t next_random(uint64_t *state) {
  uint64_t z = *state += 0x9E3779B97F4A7C15u; /* SplitMix64 */
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

/* Box-Muller, one value per two draws. */
static double next_normal(uint64_t *state) {
  double u = ((double)(next_random(state) >> 11) + 1) / 9007199254740993.0;
  double v = (double)(next_random(state) >> 11) / 9007199254740992.0;
  return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

static number generate(generator kind, scanc_dtype d, int64_t i, uint64_t *state) {
  char cls = dtype_class(d);
  if (kind == GEN_ZEROS) return (number){.cls = 'i'};
  if (kind == GEN_ONES) return (number){.cls = 'i', .i = 1};
  if (kind == GEN_ARANGE) return (number){.cls = 'i', .i = i};
  double x = next_normal(state);
  if (cls == 'c') return (number){.cls = 'c', .f = x, .im = next_normal(state)};
  if (cls == 'f') return (number){.cls = 'f', .f = x};
  if (cls == 'b') return (number){.cls = 'i', .i = x > 0};
  int64_t k = (int64_t)lrint(3 * x);
  return (number){.cls = 'i', .i = dtype_signed(d) ? k : llabs(k)};
}

static void free_data(void *owner) { free(owner); }

/* Fills t (dtype, rank, sizes set) with fresh contiguous data. */
static bool fill(gathering *g, const char *name, scanc_tensor *t, generator kind) {
  size_t count = 1, elem = scanc_dtype_size(t->dtype), limit = g->left;
  for (int d = t->rank - 1; d >= 0; d--) {
    t->strides[d] = (int64_t)count;
    if (t->sizes[d] && count > limit / elem / (size_t)t->sizes[d])
      return FAIL(NO_MEMORY, "input '%s' would need more than --max-bytes", name);
    count *= (size_t)t->sizes[d];
  }
  g->left -= count * elem < g->left ? count * elem : g->left;
  char *data = malloc(count ? count * elem : 1);
  if (!data) return FAIL(NO_MEMORY, "no memory for input '%s'", name);
  t->data = t->owner = data;
  t->release = free_data;
  uint64_t state = (uint64_t)g->o->seed;
  for (const char *c = name; *c; c++) state = state * 1099511628211u + (unsigned char)*c;
  for (size_t i = 0; i < count; i++)
    number_store(generate(kind, t->dtype, (int64_t)i, &state), t->dtype, data + i * elem);
  return true;
}

static bool parse_generator(const char *s, generator *out) {
  for (int k = 0; k < N_GENERATORS; k++) {
    if (strcmp(s, generator_names[k]) != 0) continue;
    *out = (generator)k;
    return true;
  }
  return false;
}

/* "f32[8,64]": dtype and sizes. */
static bool parse_shape(const char *s, const char *end, scanc_tensor *t) {
  const char *open = memchr(s, '[', (size_t)(end - s));
  if (!open || end[-1] != ']' || !dtype_from_fx(s, (size_t)(open - s), &t->dtype)) return false;
  const char *p = open + 1;
  while (p < end - 1) {
    char *stop;
    if (t->rank == SCANC_MAX_RANK || *p < '0' || *p > '9') return false;
    t->sizes[t->rank++] = strtoll(p, &stop, 10);
    p = stop + (*stop == ',') + (*stop == ',' && stop[1] == ' ');
    if (p == stop && p != end - 1) return false;
  }
  return true;
}

/* dtype and sizes as the program has them. */
static bool shape_of_port(gathering *g, const char *name, scanc_tensor *t) {
  const type *ty = port_type(g, name);
  if (!ty || ty->kind != TYPE_TENSOR)
    return FAIL(MISSING_INPUT,
                "the file does not say what input '%s' is; write %s=f32[8,64]:normal", name, name);
  t->dtype = ty->dtype;
  t->rank = ty->n;
  for (int d = 0; d < ty->n; d++)
    if (!dim_value(g, name, ty->dims[d], &t->sizes[d])) return false;
  return true;
}

/* A symbolic integer: NAME=N, else what --dim or the arrays say. */
static bool fill_integer(gathering *g, const char *name, const binding *b, dim d, scanc_tensor *t) {
  int64_t value;
  if (b) {
    char *end;
    value = strtoll(b->value, &end, 10);
    if (*end) return FAIL(USAGE, "input '%s' is an integer, got '%s'", name, b->value);
    if (!learn(g, name, d, value)) return false;
  } else if (!dim_eval(g->mod->syms, d, g->sizes, g->known, &value)) {
    return true;
  }
  *t = (scanc_tensor){.dtype = SCANC_I64};
  if (!fill(g, name, t, GEN_ZEROS)) return false;
  memcpy(t->data, &value, sizeof value);
  return true;
}

static bool fill_generated(gathering *g, const char *name, const binding *b, scanc_tensor *t) {
  generator kind;
  const char *colon = strrchr(b->value, ':');
  if (!parse_generator(colon ? colon + 1 : b->value, &kind))
    return FAIL(USAGE,
                "%s=%s: expected FILE.npy, normal, zeros, ones, arange or DTYPE[SIZES]:GENERATOR",
                name, b->value);
  scanc_tensor shape = {0};
  if (colon && !parse_shape(b->value, colon, &shape))
    return FAIL(USAGE, "%s=%s: expected a type like f32[8,64] before the colon", name, b->value);
  if (!colon && !shape_of_port(g, name, &shape)) return false;
  *t = shape;
  return fill(g, name, t, kind);
}

/* ---- gathering ---- */

static bool read_file(gathering *g, const char *path, int i) {
  const scanc_tensor *t = &g->in[i];
  if (!npy_read(path, g->left ? g->left : 1, &g->in[i], g->err)) return false;
  size_t bytes = scanc_dtype_size(t->dtype);
  for (int d = 0; d < t->rank; d++) bytes *= (size_t)t->sizes[d];
  g->left -= bytes < g->left ? bytes : g->left;
  g->given[i] = true;
  return learn_from(g, i);
}

/* What is known at once: arrays in files, and integers that were given. They tell the symbols. */
static bool gather_given(gathering *g, int i) {
  scanc_port p = scanc_program_input(g->prog, i);
  const binding *b = find_binding(g, i);
  const type *t = port_type(g, p.name);
  if (b && is_file(b->value)) return read_file(g, b->value, i);
  if (b && t && t->kind == TYPE_INT) {
    g->given[i] = true;
    return fill_integer(g, p.name, b, t->i, &g->in[i]);
  }
  if (b) return true;
  if (!g->o->in) return true;
  str path = {0};
  str_printf(&path, "%s/in.%s.npy", g->o->in, p.name);
  if (access(path.data, F_OK) != 0 && p.target) {
    str_clear(&path);
    str_printf(&path, "%s/in.%s.npy", g->o->in, p.target);
  }
  bool ok = access(path.data, F_OK) != 0 || read_file(g, path.data, i);
  str_free(&path);
  return ok;
}

/* Makes input i unless a file gave it. One that is not given at all stays empty: whether it may,
 * scanc_run decides. */
static bool gather_rest(gathering *g, int i) {
  if (g->given[i]) return true;
  const char *name = scanc_program_input(g->prog, i).name;
  const binding *b = find_binding(g, i);
  const type *t = port_type(g, name);
  if (t && t->kind == TYPE_INT) return fill_integer(g, name, NULL, t->i, &g->in[i]);
  return !b || fill_generated(g, name, b, &g->in[i]);
}

static bool check_directory(gathering *g) {
  struct stat st;
  const char *dir = g->o->in;
  if (!dir || (stat(dir, &st) == 0 && S_ISDIR(st.st_mode))) return true;
  return err_set(g->err, SCANC_ERR_IO, (src_loc){.file = dir},
                 "not a directory to read inputs from");
}

bool inputs_gather(const options *o, const module *mod, const scanc_program *prog, scanc_tensor *in,
                   scanc_error *err) {
  arena *mem = arena_new();
  int n = scanc_program_n_inputs(prog), n_symbols = symtab_n_symbols(mod->syms);
  gathering g = {o,
                 mod,
                 prog,
                 in,
                 err,
                 ARENA_ARRAY(mem, int64_t, n_symbols),
                 ARENA_ARRAY(mem, bool, n_symbols),
                 ARENA_ARRAY(mem, bool, n),
                 o->max_bytes ? (size_t)o->max_bytes : (size_t)4 << 30};
  bool ok = check_directory(&g) && check_names(&g) && bind_dims(&g);
  for (int i = 0; ok && i < n; i++) ok = gather_given(&g, i);
  for (int i = 0; ok && i < n; i++) ok = gather_rest(&g, i);
  arena_free(mem);
  return ok;
}
