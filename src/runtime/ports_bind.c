/* The arrays of a run against what the program takes: kinds, sizes, the values of symbols. */
#include <stdarg.h>
#include <string.h>

#include "runtime/program.h"

typedef struct {
  const program *p;
  const scanc_tensor *arrays;
  int64_t *values; /* per symbol */
  bool *known;
  bool sizes_only; /* data are not looked at, but for those of numbers */
  scanc_error *err;
} binder;

static bool reject(const binder *b, scanc_code code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static bool reject(const binder *b, scanc_code code, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  err_vset(b->err, code, (src_loc){.file = b->p->mod->name}, fmt, ap);
  va_end(ap);
  return false;
}

bool ports_is_missing(const scanc_tensor *t) {
  if (t->data) return false;
  for (int i = 0; i < t->rank && i < SCANC_MAX_RANK; i++)
    if (t->sizes[i] == 0) return false;
  return true;
}

bool ports_check_call(const program *p, const char *call, const scanc_tensor *in, int n_in,
                      const scanc_tensor *out, int n_out, scanc_error *err) {
  SCANC_TRY(err_given(p, call, "prog", err));
  if (n_in != p->n_inputs || n_out != p->n_outputs)
    return err_set(err, SCANC_ERR_USAGE, (src_loc){.file = p->mod->name},
                   "expected %d inputs and %d outputs, got %d and %d", p->n_inputs, p->n_outputs,
                   n_in, n_out);
  return (!n_in || err_given(in, call, "in", err)) && (!n_out || err_given(out, call, "out", err));
}

/* Without data, only a cleared tensor is one that is not given; a 0-d array of bool, which looks
 * the same, is given where one is expected. */
static bool is_missing(const binder *b, int i) {
  const scanc_tensor *t = &b->arrays[i];
  const scanc_port *q = &b->p->inputs[i].port;
  if (!b->sizes_only) return ports_is_missing(t);
  bool cleared = !t->data && !t->rank && t->dtype == (scanc_dtype)0;
  return cleared && !(q->typed && q->rank == 0 && q->dtype == (scanc_dtype)0);
}

static bool sizes_are_valid(const scanc_tensor *t) {
  if (t->rank < 0 || t->rank > SCANC_MAX_RANK || (unsigned)t->dtype >= SCANC_N_DTYPES) return false;
  int64_t n = 16;
  for (int i = 0; i < t->rank; i++)
    if (t->sizes[i] < 0 || (t->sizes[i] && __builtin_mul_overflow(n, t->sizes[i], &n)))
      return false;
  return true;
}

/* Element type and rank against the annotation. */
static bool check_kind(const binder *b, const in_port *q, const scanc_tensor *t) {
  const char *name = q->port.name;
  if (!sizes_are_valid(t))
    return reject(b, SCANC_ERR_INPUT_SHAPE, "input '%s': the array has impossible sizes", name);
  if (!q->port.typed) return true;
  if (t->dtype != q->port.dtype)
    return reject(b, SCANC_ERR_INPUT_DTYPE, "input '%s': expected %s, got %s", name,
                  scanc_dtype_name(q->port.dtype), scanc_dtype_name(t->dtype));
  if (t->rank == q->port.rank) return true;
  str want = {0}, got = {0};
  for (int i = 0; i < q->port.rank; i++) str_printf(&want, i ? ", %s" : "%s", q->port.dim_text[i]);
  for (int i = 0; i < t->rank; i++) str_printf(&got, i ? ", %lld" : "%lld", (long long)t->sizes[i]);
  reject(b, SCANC_ERR_INPUT_SHAPE,
         "input '%s' has another number of dimensions: expected [%.200s], got [%.200s]", name,
         str_cstr(&want), str_cstr(&got));
  str_free(&want);
  str_free(&got);
  return false;
}

static bool check_kinds(const binder *b) {
  for (int i = 0; i < b->p->n_inputs; i++) {
    const in_port *q = &b->p->inputs[i];
    const scanc_tensor *t = &b->arrays[i];
    if (!is_missing(b, i)) {
      if (!check_kind(b, q, t)) return false;
    } else if (!q->unused && q->dflt.kind == VAL_ABSENT) {
      return reject(b, SCANC_ERR_MISSING_INPUT, "no array was given for input '%s'", q->port.name);
    }
  }
  return true;
}

/* ---- symbols ---- */

/* Solves d == value for a symbol; true if one became known. */
static bool learn(binder *b, dim d, int64_t value) {
  int symbol;
  int64_t solution;
  if (dim_solve(b->p->mod->syms, d, value, b->values, b->known, &symbol, &solution) != DIM_SOLVED)
    return false;
  b->values[symbol] = solution;
  b->known[symbol] = true;
  return true;
}

static bool is_number(const in_port *q) { return q->type && q->type->kind == TYPE_INT; }
static int64_t number_of(const scanc_tensor *t) { return number_load(t->dtype, t->data).i; }

static bool learn_all(binder *b) {
  bool any = false;
  for (int i = 0; i < b->p->n_inputs; i++) {
    const in_port *q = &b->p->inputs[i];
    const scanc_tensor *t = &b->arrays[i];
    if (!q->port.typed || is_missing(b, i)) continue;
    if (is_number(q) && t->data) any |= learn(b, q->type->i, number_of(t));
    for (int k = 0; k < q->port.rank; k++) any |= learn(b, q->type->dims[k], t->sizes[k]);
  }
  return any;
}

/* "input 'x', dimension 1: expected size s1 = 4, got 5"; axis -1: a number. `want` NULL: no symbol
 * can be that. */
static bool reject_size(const binder *b, const in_port *q, dim d, int axis, const int64_t *want,
                        int64_t got) {
  str text = {0};
  str_printf(&text, "input '%s'", q->port.name);
  str_printf(&text, axis < 0 ? ": expected " : ", dimension %d: expected size ", axis);
  dim_print(&text, d);
  if (!want) str_append(&text, " with an integer symbol");
  else if (!dim_is_int(d)) str_printf(&text, " = %lld", (long long)*want);
  reject(b, SCANC_ERR_INPUT_SHAPE, "%s, got %lld", str_cstr(&text), (long long)got);
  str_free(&text);
  return false;
}

/* A size against its annotation; one that mentions an unbound symbol cannot be checked further. */
static bool check_size(const binder *b, const in_port *q, dim d, int axis, int64_t value) {
  const symtab *syms = b->p->mod->syms;
  int64_t want = d.k;
  int symbol;
  if (!dim_is_int(d) && !dim_eval(syms, d, b->values, b->known, &want))
    return dim_solve(syms, d, value, b->values, b->known, &symbol, &want) != DIM_IMPOSSIBLE ||
           reject_size(b, q, d, axis, NULL, value);
  return value == want || reject_size(b, q, d, axis, &want, value);
}

static bool check_sizes(const binder *b) {
  for (int i = 0; i < b->p->n_inputs; i++) {
    const in_port *q = &b->p->inputs[i];
    const scanc_tensor *t = &b->arrays[i];
    if (!q->port.typed || is_missing(b, i)) continue;
    if (is_number(q) && t->data && !check_size(b, q, q->type->i, -1, number_of(t))) return false;
    for (int k = 0; k < q->port.rank; k++)
      if (!check_size(b, q, q->type->dims[k], k, t->sizes[k])) return false;
  }
  return true;
}

static bool check_range(const binder *b, const char *what, int64_t value, int64_t min,
                        int64_t max) {
  if (value >= min && value <= max) return true;
  if (max == INT64_MAX)
    return reject(b, SCANC_ERR_RANGE,
                  "%.120s is outside its range: expected at least %lld, got %lld", what,
                  (long long)min, (long long)value);
  return reject(b, SCANC_ERR_RANGE, "%.120s is outside its range: expected %lld to %lld, got %lld",
                what, (long long)min, (long long)max, (long long)value);
}

static bool check_ranges(const binder *b) {
  const module *m = b->p->mod;
  for (int i = 0; i < symtab_n_symbols(m->syms); i++) {
    int64_t min, max;
    if (!b->known[i]) continue;
    sym_range(m->syms, symtab_symbol(m->syms, i), &min, &max);
    if (!check_range(b, symtab_symbol(m->syms, i), b->values[i], min, max)) return false;
  }
  for (int i = 0; i < m->ranges.len; i++) {
    const range_constraint *r = &m->ranges.data[i];
    int64_t value = r->expr.k;
    if (!dim_is_int(r->expr) && !dim_eval(m->syms, r->expr, b->values, b->known, &value)) continue;
    str text = {0};
    dim_print(&text, r->expr);
    bool ok = check_range(b, str_cstr(&text), value, r->min, r->max);
    str_free(&text);
    if (!ok) return false;
  }
  return true;
}

/* ---- values ---- */

static rval default_value(val v) {
  switch (v.kind) {
    case VAL_INT: return (rval){.kind = TYPE_INT, .i = v.i};
    case VAL_BOOL: return (rval){.kind = TYPE_BOOL, .i = v.i};
    case VAL_FLOAT: return (rval){.kind = TYPE_FLOAT, .f = v.f};
    default: return (rval){.kind = TYPE_NONE};
  }
}

static bool array_value(const binder *b, const in_port *q, const scanc_tensor *t, arena *tmp,
                        pool *mem, rval *out) {
  scanc_dtype d;
  if (q->type && ports_number_dtype(q->type->kind, &d)) {
    number x = number_load(t->dtype, t->data);
    *out = (rval){.kind = q->type->kind};
    if (d == SCANC_F64) out->f = x.f;
    else out->i = x.i;
    return true;
  }
  tensor *v = ARENA_NEW(tmp, tensor);
  *v = (tensor){.data = t->data, .dtype = t->dtype, .rank = t->rank};
  memcpy(v->sizes, t->sizes, sizeof v->sizes);
  memcpy(v->strides, t->strides, sizeof v->strides);
  v->store = pool_borrow(mem, t->data, 0);
  if (!v->store) return reject(b, SCANC_ERR_NO_MEMORY, "out of memory");
  *out = (rval){.kind = TYPE_TENSOR, .t = v};
  return true;
}

static bool check(binder *b) {
  if (!check_kinds(b)) return false;
  while (learn_all(b)) continue;
  return check_sizes(b) && check_ranges(b);
}

bool ports_check(const program *p, const scanc_tensor *arrays, int64_t *sym_values, bool *sym_known,
                 scanc_error *err) {
  return check(&(binder){p, arrays, sym_values, sym_known, false, err});
}

bool ports_check_sizes(const program *p, const scanc_tensor *arrays, int64_t *sym_values,
                       bool *sym_known, scanc_error *err) {
  return check(&(binder){p, arrays, sym_values, sym_known, true, err});
}

bool ports_check_kind(const program *p, int i, const scanc_tensor *t, scanc_error *err) {
  binder b = {.p = p, .err = err};
  const in_port *q = &p->inputs[i];
  if (!check_kind(&b, q, t)) return false;
  for (int k = 0; k < q->port.rank; k++)
    if (q->port.dims[k] >= 0 && t->sizes[k] != q->port.dims[k])
      return reject_size(&b, q, q->type->dims[k], k, &q->port.dims[k], t->sizes[k]);
  return true;
}

bool ports_bind(const program *p, const scanc_tensor *arrays, arena *tmp, pool *mem,
                interp_call *call, scanc_error *err) {
  int n_symbols = symtab_n_symbols(p->mod->syms);
  binder b = {
      p,     arrays, ARENA_ARRAY(tmp, int64_t, n_symbols), ARENA_ARRAY(tmp, bool, n_symbols),
      false, err};
  if (!check(&b)) return false;
  rval *values = ARENA_ARRAY(tmp, rval, p->n_inputs);
  call->inputs = values;
  for (int i = 0; i < p->n_inputs; i++) {
    if (is_missing(&b, i)) values[i] = default_value(p->inputs[i].dflt);
    else if (!array_value(&b, &p->inputs[i], &arrays[i], tmp, mem, &values[i])) return false;
  }
  call->sym_values = b.values;
  call->sym_known = b.known;
  return true;
}

void ports_release(const program *p, const interp_call *call) {
  for (int i = 0; call->inputs && i < p->n_inputs; i++)
    if (call->inputs[i].kind == TYPE_TENSOR) storage_release(call->inputs[i].t->store);
}
