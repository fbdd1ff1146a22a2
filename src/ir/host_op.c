/* The registry of host ops, the signatures they are registered with, and their calls through
 * libffi. */
#include "ir/host_op.h"

#include <assert.h>
#include <complex.h>
#include <ctype.h>
#include <ffi.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/vec.h"
#include "ir/type.h"

struct host_cif {
  ffi_cif cif;
  ffi_type *types[HOST_MAX_OPERANDS];
};

typedef struct host_op {
  op_info op;
  const char *path;
  host_fn *first;
} host_op;

static struct {
  pthread_mutex_t lock;
  arena *mem;
  map by_path, by_symbol; /* host_op, host_fn */
  VEC(host_op *) all;
} registry = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- signatures: "mylib::softclip(f32 x, f32 limit) -> f32" ---- */

typedef struct {
  const char *text, *p;
  scanc_error *err;
  str name;         /* "mylib::softclip" */
  str path;         /* "torch.ops.mylib.softclip" */
  str operands;     /* "x, limit" */
  const char *last; /* in text: the last word of the name, last_len bytes */
  int last_len;
  host_fn fn;
} signature;

#define refuse(s, ...) (refuse_((s)->err, (s)->text, __VA_ARGS__), err_false())
static void refuse_(scanc_error *err, const char *text, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static void refuse_(scanc_error *err, const char *text, const char *fmt, ...) {
  str why = {0};
  va_list ap;
  va_start(ap, fmt);
  str_vprintf(&why, fmt, ap);
  va_end(ap);
  err_set(err, SCANC_ERR_USAGE, (src_loc){0}, "cannot register the operator '%.200s': %s", text,
          str_cstr(&why));
  str_free(&why);
}

static bool is_letter(char c) { return isalpha((unsigned char)c) || c == '_'; }

static int word_length(const char *p) {
  int n = 0;
  if (is_letter(*p))
    while (is_letter(p[n]) || isdigit((unsigned char)p[n])) n++;
  return n;
}

static bool expected(signature *s, const char *what) {
  if (!*s->p) return refuse(s, "expected %s at the end of the signature", what);
  return refuse(s, "expected %s, got '%.40s'", what, s->p);
}

static void skip_blanks(signature *s) {
  while (*s->p == ' ') s->p++;
}

static bool take(signature *s, const char *mark) {
  size_t n = strlen(mark);
  skip_blanks(s);
  if (strncmp(s->p, mark, n)) return false;
  s->p += n;
  return true;
}

/* Appends the next word to `out`. */
static bool take_word(signature *s, const char *what, str *out) {
  skip_blanks(s);
  int n = word_length(s->p);
  if (!n) return expected(s, what);
  str_append_n(out, s->p, (size_t)n);
  s->p += n;
  return true;
}

/* name, namespace::name or namespace::name.overload */
static bool parse_name(signature *s) {
  s->last = s->p;
  SCANC_TRY(take_word(s, "a name", &s->name));
  if (take(s, "::")) {
    s->last = s->p;
    str_printf(&s->path, "torch.ops.%s.", str_cstr(&s->name));
    str_append(&s->name, "::");
    SCANC_TRY(take_word(s, "a name behind '::'", &s->name));
    s->last_len = (int)(s->p - s->last);
    str_append_n(&s->path, s->last, (size_t)s->last_len);
    if (!take(s, ".")) return true;
    str_char(&s->name, '.');
    str_char(&s->path, '.');
    const char *overload = s->p;
    SCANC_TRY(take_word(s, "an overload behind '.'", &s->name));
    str_append_n(&s->path, overload, (size_t)(s->p - overload));
    return true;
  }
  s->last_len = (int)(s->p - s->last);
  str_append(&s->path, str_cstr(&s->name));
  return true;
}

static ffi_type *ffi_type_of(scanc_dtype d) {
  switch (d) {
    case SCANC_BOOL:
    case SCANC_U8: return &ffi_type_uint8;
    case SCANC_I8: return &ffi_type_sint8;
    case SCANC_I16: return &ffi_type_sint16;
    case SCANC_I32: return &ffi_type_sint32;
    case SCANC_I64: return &ffi_type_sint64;
    case SCANC_F32: return &ffi_type_float;
    case SCANC_F64: return &ffi_type_double;
    default: return NULL;
  }
}

static bool parse_dtype(signature *s, scanc_dtype *out) {
  skip_blanks(s);
  int n = word_length(s->p);
  bool known = dtype_from_fx(s->p, (size_t)n, out);
  if (known && !ffi_type_of(*out))
    return refuse(s, "C has no scalars of type %s: take f32 or f64 here and convert in the graph",
                  scanc_dtype_name(*out));
  if (!known) return expected(s, "a type (b8, u8, i8, i16, i32, i64, f32 or f64)");
  s->p += n;
  return true;
}

/* Whether the word is one of those in the first `end` bytes of a list like "x, limit". */
static bool has_word(const char *list, size_t end, const char *word, size_t len) {
  for (size_t at = 0; at < end; at += strspn(list + at, ", ")) {
    size_t n = strcspn(list + at, ",");
    if (n == len && !memcmp(list + at, word, len)) return true;
    at += n;
  }
  return false;
}

static bool parse_operand(signature *s) {
  int k = s->fn.n_operands;
  if (k == HOST_MAX_OPERANDS) return refuse(s, "at most %d operands", HOST_MAX_OPERANDS);
  if (k) str_append(&s->operands, ", ");
  SCANC_TRY(parse_dtype(s, &s->fn.operand[k]));
  skip_blanks(s);
  const char *name = s->p;
  size_t before = s->operands.len;
  SCANC_TRY(take_word(s, "the operand's name", &s->operands));
  s->fn.n_operands++;
  return !has_word(str_cstr(&s->operands), before, name, (size_t)(s->p - name)) ||
         refuse(s, "two operands are called '%.*s'", (int)(s->p - name), name);
}

static bool parse_signature(signature *s) {
  SCANC_TRY(parse_name(s));
  if (!take(s, "(")) return expected(s, "'('");
  do SCANC_TRY(parse_operand(s));
  while (take(s, ","));
  if (!take(s, ")")) return expected(s, "')'");
  if (!take(s, "->")) return expected(s, "'->'");
  SCANC_TRY(parse_dtype(s, &s->fn.result));
  skip_blanks(s);
  return !*s->p || expected(s, "the end of the signature");
}

/* ---- checks, with the lock held ---- */

static bool is_table_name(const signature *s) {
  static const char ops[] = "torch.ops.", aten[] = "torch.ops.aten.";
  const char *path = str_cstr(&s->path);
  if (!strncmp(path, aten, strlen(aten))) {
    path += strlen(aten);
    return aten_overload(path, strcspn(path, "."), 0) || aten_find(path, strlen(path));
  }
  if (!strncmp(path, ops, strlen(ops)))
    return aten_find(path + strlen(ops), strlen(path + strlen(ops)));
  return spelling_find(path) != NULL;
}

static bool same_operands(const host_fn *a, const host_fn *b) {
  return !memcmp(a->operand, b->operand, sizeof *a->operand * (size_t)a->n_operands);
}

static bool same_function(const host_fn *a, const host_fn *b) {
  return a->fn == b->fn && a->n_operands == b->n_operands && a->result == b->result &&
         same_operands(a, b);
}

/* Compiled code has other uses for the names of these functions of libc and libm. */
static bool is_taken(const host_fn *f) {
  static const char *const libc[] = {"memcpy", "memmove", "memset", "memcmp", "bcmp"};
  for (size_t i = 0; i < sizeof libc / sizeof *libc; i++)
    if (!strcmp(libc[i], f->symbol)) return true;
  static const struct {
    const char *name;
    void (*fn)(void);
  } libm[] = {
#define LIBM(name, type) {#name, (void (*)(void))(type)name},
#include "ir/libm.def"
  };
  for (size_t i = 0; i < sizeof libm / sizeof *libm; i++)
    if (!strcmp(libm[i].name, f->symbol)) return libm[i].fn != f->fn;
  return false;
}

static bool check_symbol(const signature *s) {
  const char *symbol = s->fn.symbol;
  const host_fn *other = map_get(&registry.by_symbol, symbol);
  if (!*symbol || word_length(symbol) != (int)strlen(symbol))
    return refuse(s, "'%.60s' is not the name of a C function", symbol);
  if (!strncmp(symbol, "scanc_", 6))
    return refuse(s, "names of C functions that begin with scanc_ belong to compiled code");
  if (is_taken(&s->fn))
    return refuse(
        s, "the C name '%.60s' is that of a function of the C library; give this one its own",
        symbol);
  return !other || same_function(other, &s->fn) ||
         refuse(s, "the C name '%.60s' is another registered function's; give this one its own",
                symbol);
}

/* Whether the function is there already, in *known; false where it contradicts what is there. */
static bool check_op(const signature *s, const host_op *h, bool *known) {
  if (strcmp(h->op.signature, str_cstr(&s->operands)) != 0)
    return refuse(s, "it is registered with the operands (%.200s); expected the same names",
                  h->op.signature);
  for (const host_fn *f = h->first; f; f = atomic_load(&f->next)) {
    if (!same_operands(f, &s->fn)) continue;
    *known = same_function(f, &s->fn) && !strcmp(f->symbol, s->fn.symbol);
    return *known || refuse(s, "another function is registered for these types");
  }
  return true;
}

/* ---- registering ---- */

static const struct host_cif *prepare(const host_fn *f) {
  struct host_cif *c = ARENA_NEW(registry.mem, struct host_cif);
  for (int k = 0; k < f->n_operands; k++) c->types[k] = ffi_type_of(f->operand[k]);
  ffi_status status = ffi_prep_cif(&c->cif, FFI_DEFAULT_ABI, (unsigned)f->n_operands,
                                   ffi_type_of(f->result), c->types);
  return status == FFI_OK ? c : NULL;
}

static host_op *new_op(const signature *s) {
  host_op *h = ARENA_NEW(registry.mem, host_op);
  h->path = arena_strdup(registry.mem, str_cstr(&s->path));
  h->op = *op_get(OP_host_call);
  h->op.name = arena_strdup(registry.mem, str_cstr(&s->name));
  h->op.signature = arena_strdup(registry.mem, str_cstr(&s->operands));
  h->op.host = h;
  op_parse_signature(registry.mem, &h->op);
  return h;
}

/* A function is complete before any reader can reach it. */
static bool add(const signature *s, host_op *h) {
  host_fn *f = arena_copy(registry.mem, &s->fn, sizeof s->fn);
  f->symbol = arena_strdup(registry.mem, s->fn.symbol);
  f->cif = prepare(f);
  if (!f->cif) return refuse(s, "libffi cannot call it");
  map_set(&registry.by_symbol, f->symbol, f);
  if (!h) {
    h = new_op(s);
    h->first = f;
    vec_push(registry.mem, &registry.all, h);
    map_set(&registry.by_path, h->path, h);
    return true;
  }
  host_fn *last = h->first;
  while (atomic_load(&last->next)) last = atomic_load(&last->next);
  atomic_store(&last->next, f);
  return true;
}

static bool check_and_add(const signature *s) {
  if (!registry.mem) {
    registry.mem = arena_new();
    registry.by_path = map_make(registry.mem);
    registry.by_symbol = map_make(registry.mem);
  }
  host_op *h = map_get(&registry.by_path, str_cstr(&s->path));
  bool known = false;
  SCANC_TRY(check_symbol(s));
  if (h) SCANC_TRY(check_op(s, h, &known));
  return known || add(s, h);
}

static bool register_signature(signature *s, const char *symbol, void (*fn)(void)) {
  SCANC_TRY(parse_signature(s));
  if (!fn) return refuse(s, "no function was given");
  if (is_table_name(s)) return refuse(s, "scanc has an operator of that name");
  str own = {0};
  if (!symbol) str_append_n(&own, s->last, (size_t)s->last_len);
  s->fn.symbol = symbol ? symbol : str_cstr(&own);
  s->fn.fn = fn;
  pthread_mutex_lock(&registry.lock);
  bool ok = check_and_add(s);
  pthread_mutex_unlock(&registry.lock);
  str_free(&own);
  return ok;
}

scanc_code scanc_register_op(const char *text, const char *symbol, void (*fn)(void),
                             scanc_error *err) {
  scanc_error own = {0};
  signature s = {.text = text, .err = &own};
  s.p = s.text;
  bool ok =
      err_given(text, "scanc_register_op", "signature", &own) && register_signature(&s, symbol, fn);
  str_free(&s.name);
  str_free(&s.path);
  str_free(&s.operands);
  if (!ok && err && !err->code) *err = own;
  return own.code;
}

/* ---- looking up ---- */

/* As the printer writes them, names outside torch have no dots. */
static void append_key(str *out, const char *path) {
  static const char ops[] = "torch.ops.", dflt[] = ".default";
  size_t n = strlen(path);
  if (!strncmp(path, ops, strlen(ops))) {
    bool cut = n > strlen(dflt) && !strcmp(path + n - strlen(dflt), dflt);
    str_append_n(out, path, cut ? n - strlen(dflt) : n);
    return;
  }
  for (; *path; path++) str_char(out, *path == '.' ? '_' : *path);
}

const op_info *host_op_find(const char *path) {
  str key = {0};
  pthread_mutex_lock(&registry.lock);
  if (registry.mem) append_key(&key, path);
  const host_op *h = registry.mem ? map_get(&registry.by_path, str_cstr(&key)) : NULL;
  pthread_mutex_unlock(&registry.lock);
  str_free(&key);
  return h ? &h->op : NULL;
}

const char *host_op_path(int i) {
  pthread_mutex_lock(&registry.lock);
  const char *path = i < registry.all.len ? registry.all.data[i]->path : NULL;
  pthread_mutex_unlock(&registry.lock);
  return path;
}

static bool fits(host_arg a, scanc_dtype d) {
  static const char order[] = "bif";
  if (a.tensor) return a.dtype == d;
  const char *have = strchr(order, a.cls);
  return have && have <= strchr(order, dtype_class(d));
}

const host_fn *host_op_select(const op_info *op, const host_arg *args) {
  for (const host_fn *f = op->host->first; f; f = atomic_load(&f->next)) {
    int k = 0;
    while (k < f->n_operands && fits(args[k], f->operand[k])) k++;
    if (k == f->n_operands) return f;
  }
  return NULL;
}

void host_op_describe(str *out, const op_info *op) {
  for (const host_fn *f = op->host->first; f; f = atomic_load(&f->next)) {
    str_append(out, f == op->host->first ? "(" : " or (");
    for (int k = 0; k < f->n_operands; k++)
      str_printf(out, "%s%s", k ? ", " : "", scanc_dtype_name(f->operand[k]));
    str_char(out, ')');
  }
}

/* ---- calling ---- */

/* libffi returns what is narrower than a register in the low bits of one. */
typedef union {
  ffi_arg i;
  int64_t i64;
  float f;
  double d;
} returned;

static void store(scanc_dtype d, const returned *r, char *to) {
  uint8_t byte = (uint8_t)r->i;
  uint16_t half = (uint16_t)r->i;
  uint32_t word = (uint32_t)r->i;
  switch (d) {
    case SCANC_BOOL: *to = byte != 0; break;
    case SCANC_I16: memcpy(to, &half, sizeof half); break;
    case SCANC_I32: memcpy(to, &word, sizeof word); break;
    case SCANC_I64: memcpy(to, &r->i64, sizeof r->i64); break;
    case SCANC_F32: memcpy(to, &r->f, sizeof r->f); break;
    case SCANC_F64: memcpy(to, &r->d, sizeof r->d); break;
    default: memcpy(to, &byte, sizeof byte); break;
  }
}

static double call_part(const host_fn *f, const char *const *in, const int64_t *strides,
                        int64_t i) {
  double x[4];
  assert(f->n_operands == 2 || f->n_operands == 4);
  for (int k = 0; k < f->n_operands; k++) memcpy(&x[k], in[k] + i * strides[k], sizeof x[k]);
  if (f->n_operands == 2) return ((double (*)(double, double))f->fn)(x[0], x[1]);
  return ((double (*)(double, double, double, double))f->fn)(x[0], x[1], x[2], x[3]);
}

void host_fn_call(const host_fn *f, int64_t n, char *out, int64_t out_stride, const char *const *in,
                  const int64_t *strides) {
  for (int64_t i = 0; f->part != PART_ALL && i < n; i++) {
    double r = call_part(f, in, strides, i);
    memcpy(out + i * out_stride, &r, sizeof r);
  }
  if (f->part != PART_ALL) return;
  for (int64_t i = 0; i < n; i++) {
    void *args[HOST_MAX_OPERANDS];
    returned r;
    for (int k = 0; k < f->n_operands; k++) args[k] = (char *)in[k] + i * strides[k];
    ffi_call((ffi_cif *)&f->cif->cif, f->fn, &r, args);
    store(f->result, &r, out + i * out_stride);
  }
}
