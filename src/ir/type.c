/* Types of values and facts about dtypes. */
#include "ir/type.h"

#include <math.h>
#include <string.h>

typedef struct {
  const char *fx, *torch, *npy;
  size_t size;
  char cls;
  bool sgn;
  scanc_dtype acc;
} dtype_info;

static const dtype_info dtypes[] = {
#define DTYPE(name, fx, torch, size, cls, sgn, acc, npy) \
  {fx, torch, npy, size, cls, sgn, SCANC_##acc},
#include "scanc/dtype.def"
#undef DTYPE
};

size_t scanc_dtype_size(scanc_dtype d) { return (unsigned)d < SCANC_N_DTYPES ? dtypes[d].size : 0; }
const char *scanc_dtype_name(scanc_dtype d) {
  return (unsigned)d < SCANC_N_DTYPES ? dtypes[d].fx : "unknown";
}
char dtype_class(scanc_dtype d) { return dtypes[d].cls; }
bool dtype_signed(scanc_dtype d) { return dtypes[d].sgn; }
scanc_dtype dtype_acc(scanc_dtype d) { return dtypes[d].acc; }
scanc_dtype dtype_fold(scanc_dtype d) { return dtype_class(d) == 'i' ? SCANC_I64 : dtype_acc(d); }
const char *dtype_torch(scanc_dtype d) { return dtypes[d].torch; }
const char *dtype_npy(scanc_dtype d) { return dtypes[d].npy; }

static bool same(const char *word, const char *s, size_t n) {
  return strlen(word) == n && !memcmp(word, s, n);
}

bool dtype_from_fx(const char *s, size_t n, scanc_dtype *out) {
  for (int d = 0; d < SCANC_N_DTYPES; d++)
    if (same(dtypes[d].fx, s, n)) return *out = (scanc_dtype)d, true;
  return false;
}

bool dtype_from_torch(const char *s, size_t n, scanc_dtype *out) {
  static const struct {
    const char *name;
    scanc_dtype d;
  } aliases[] = {{"torch.float", SCANC_F32},  {"torch.double", SCANC_F64},
                 {"torch.half", SCANC_F16},   {"torch.long", SCANC_I64},
                 {"torch.int", SCANC_I32},    {"torch.short", SCANC_I16},
                 {"torch.cfloat", SCANC_C64}, {"torch.cdouble", SCANC_C128}};
  for (int d = 0; d < SCANC_N_DTYPES; d++)
    if (same(dtypes[d].torch, s, n)) return *out = (scanc_dtype)d, true;
  for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
    if (same(aliases[i].name, s, n)) return *out = aliases[i].d, true;
  return false;
}

scanc_dtype dtype_real(scanc_dtype d) {
  return d == SCANC_C64 ? SCANC_F32 : d == SCANC_C128 ? SCANC_F64 : d;
}
scanc_dtype dtype_complex(scanc_dtype d) {
  if (dtype_class(d) == 'c') return d;
  return d == SCANC_F64 ? SCANC_C128 : SCANC_C64;
}

static int class_rank(scanc_dtype d) { return (int)(strchr("bifc", dtype_class(d)) - "bifc"); }

/* Of two integer types the wider wins; u8 with a signed type of its width gives i16, as in PyTorch.
 */
static scanc_dtype promote_ints(scanc_dtype a, scanc_dtype b) {
  if (a == b) return a;
  if ((a == SCANC_U8 && b == SCANC_I8) || (a == SCANC_I8 && b == SCANC_U8)) return SCANC_I16;
  return dtypes[a].size > dtypes[b].size ? a : b;
}

static scanc_dtype promote_floats(scanc_dtype a, scanc_dtype b) {
  if (a == b) return a;
  if (dtypes[a].size == 2 && dtypes[b].size == 2) return SCANC_F32; /* f16 with bf16 */
  return dtypes[a].size > dtypes[b].size ? a : b;
}

scanc_dtype dtype_promote(scanc_dtype a, scanc_dtype b) {
  int ca = class_rank(a), cb = class_rank(b);
  if (ca == 3 || cb == 3)
    return a == SCANC_C128 || b == SCANC_C128 || a == SCANC_F64 || b == SCANC_F64 ? SCANC_C128
                                                                                  : SCANC_C64;
  if (ca != cb) return ca > cb ? a : b;
  if (ca == 1) return promote_ints(a, b);
  if (ca == 2) return promote_floats(a, b);
  return a;
}

const type type_absent = {.kind = TYPE_ABSENT}, type_none = {.kind = TYPE_NONE};

static type *new_type(arena *a, type_kind kind) {
  type *t = ARENA_NEW(a, type);
  t->kind = kind;
  t->known = true;
  return t;
}

const type *type_tensor(arena *a, scanc_dtype dtype, const dim *dims, int rank) {
  type *t = new_type(a, TYPE_TENSOR);
  t->dtype = dtype;
  t->n = rank;
  t->dims = arena_copy(a, dims, sizeof *dims * (size_t)rank);
  return t;
}

const type *type_int(arena *a, dim d) {
  type *t = new_type(a, TYPE_INT);
  t->i = d;
  return t;
}

const type *type_float(arena *a, double v) {
  type *t = new_type(a, TYPE_FLOAT);
  t->f = v;
  return t;
}

static const type *unknown_scalar(arena *a, type_kind kind, const char *text) {
  type *t = new_type(a, kind);
  t->known = false;
  t->s = text ? arena_strdup(a, text) : NULL;
  return t;
}

const type *type_float_unknown(arena *a, const char *text) {
  return unknown_scalar(a, TYPE_FLOAT, text);
}
const type *type_bool_unknown(arena *a, const char *text) {
  return unknown_scalar(a, TYPE_BOOL, text);
}

const type *type_bool(arena *a, bool v) {
  type *t = new_type(a, TYPE_BOOL);
  t->i = dim_int(v);
  return t;
}

const type *type_complex(arena *a, double re, double im) {
  type *t = new_type(a, TYPE_COMPLEX);
  t->f = re;
  t->im = im;
  return t;
}

static const type *text_type(arena *a, type_kind kind, const char *s) {
  type *t = new_type(a, kind);
  t->s = arena_strdup(a, s);
  return t;
}

const type *type_str(arena *a, const char *s) { return text_type(a, TYPE_STR, s); }
const type *type_other(arena *a, const char *s) { return text_type(a, TYPE_OTHER, s); }

const type *type_dtype(arena *a, scanc_dtype d) {
  type *t = new_type(a, TYPE_DTYPE);
  t->dtype = d;
  return t;
}

const type *type_list(arena *a, const type *const *items, int n) {
  type *t = new_type(a, TYPE_LIST);
  t->n = n;
  t->items = arena_copy(a, items, sizeof *items * (size_t)n);
  for (int i = 0; i < n; i++)
    t->known = t->known && items[i] && (items[i]->kind != TYPE_LIST || items[i]->known);
  return t;
}

const type *type_slice(arena *a, const type *const *items) {
  type *t = new_type(a, TYPE_SLICE);
  t->n = 3;
  t->items = arena_copy(a, items, sizeof *items * 3);
  return t;
}

const type *type_graph(arena *a, struct scanc_graph *g) {
  type *t = new_type(a, TYPE_GRAPH);
  t->graph = g;
  return t;
}

bool type_is_tensor(const type *t) { return t && t->kind == TYPE_TENSOR; }
bool type_is_scalar(const type *t) {
  return t && (t->kind == TYPE_INT || t->kind == TYPE_FLOAT || t->kind == TYPE_BOOL ||
               t->kind == TYPE_COMPLEX);
}

static bool dims_equal(const dim *a, const dim *b, int n) {
  for (int i = 0; i < n; i++)
    if (!dim_equal(a[i], b[i])) return false;
  return true;
}

static bool items_equal(const type *a, const type *b) {
  if (a->n != b->n) return false;
  for (int i = 0; i < a->n; i++)
    if (!type_equal(a->items[i], b->items[i])) return false;
  return true;
}

static bool text_equal(const char *a, const char *b) { return a && b ? !strcmp(a, b) : a == b; }

bool type_equal(const type *a, const type *b) {
  if (a == b) return true;
  if (!a || !b || a->kind != b->kind) return false;
  switch (a->kind) {
    case TYPE_TENSOR:
      return a->dtype == b->dtype && a->n == b->n && dims_equal(a->dims, b->dims, a->n);
    case TYPE_INT: return dim_equal(a->i, b->i);
    case TYPE_FLOAT:
    case TYPE_BOOL:
    case TYPE_COMPLEX:
      if (a->known != b->known) return false;
      return a->known
                 ? dim_equal(a->i, b->i) && !memcmp(&a->f, &b->f, 8) && !memcmp(&a->im, &b->im, 8)
                 : text_equal(a->s, b->s);
    case TYPE_DTYPE: return a->dtype == b->dtype;
    case TYPE_LIST:
    case TYPE_SLICE: return items_equal(a, b);
    case TYPE_GRAPH: return a->graph == b->graph;
    case TYPE_STR:
    case TYPE_OTHER: return text_equal(a->s, b->s);
    default: return true;
  }
}

bool type_numel(const type *t, int64_t *out, bool *overflow) {
  int64_t n = 1;
  bool zero = false;
  *overflow = false;
  for (int i = 0; i < t->n; i++) {
    if (!dim_is_int(t->dims[i])) return false;
    if (t->dims[i].k == 0) zero = true;
    else if (__builtin_mul_overflow(n, t->dims[i].k, &n)) *overflow = true;
  }
  *out = zero ? 0 : *overflow ? INT64_MAX : n;
  return true;
}

static void print_dims(str *out, const type *t) {
  str_char(out, '[');
  for (int i = 0; i < t->n; i++) {
    if (i) str_append(out, ", ");
    dim_print(out, t->dims[i]);
  }
  str_char(out, ']');
}

static void print_list(str *out, const type *t) {
  str_char(out, '(');
  for (int i = 0; i < t->n; i++) {
    if (i) str_append(out, ", ");
    type_print(out, t->items[i]);
  }
  str_append(out, t->n == 1 ? ",)" : ")");
}

static void print_scalar(str *out, const type *t) {
  str_append(out, "Sym(");
  if (t->kind == TYPE_INT) dim_print(out, t->i);
  else if (t->s) str_append(out, t->s);
  else if (t->kind == TYPE_BOOL) str_append(out, !t->known ? "bool" : t->i.k ? "True" : "False");
  else if (t->known) str_printf(out, "%.17g", t->f);
  else str_append(out, "float");
  str_char(out, ')');
}

void type_print(str *out, const type *t) {
  if (!t) {
    str_char(out, '?');
    return;
  }
  switch (t->kind) {
    case TYPE_TENSOR:
      str_append(out, dtypes[t->dtype].fx);
      print_dims(out, t);
      break;
    case TYPE_INT:
    case TYPE_FLOAT:
    case TYPE_BOOL:
    case TYPE_COMPLEX: print_scalar(out, t); break;
    case TYPE_LIST: print_list(out, t); break;
    case TYPE_SLICE:
      str_append(out, "slice");
      print_list(out, t);
      break;
    case TYPE_DTYPE: str_append(out, dtypes[t->dtype].torch); break;
    case TYPE_STR: str_printf(out, "'%s'", t->s); break;
    case TYPE_OTHER: str_append(out, t->s); break;
    case TYPE_GRAPH: str_append(out, "graph"); break;
    case TYPE_NONE: str_append(out, "None"); break;
    case TYPE_ABSENT: str_append(out, "nothing"); break;
  }
}

void type_describe(str *out, const type *t) {
  str s = {0};
  type_print(&s, t);
  bool number = type_is_scalar(t);
  str_append_n(out, s.data + (number ? 4 : 0), s.len - (number ? 5 : 0));
  str_free(&s);
}

const type *type_import(arena *a, symtab *syms, const type *t) {
  if (!t) return NULL;
  type *c = arena_copy(a, t, sizeof *t);
  c->i = dim_import(syms, t->i);
  if (t->s) c->s = arena_strdup(a, t->s);
  if (t->kind == TYPE_TENSOR) {
    dim *d = ARENA_ARRAY(a, dim, t->n);
    for (int i = 0; i < t->n; i++) d[i] = dim_import(syms, t->dims[i]);
    c->dims = d;
  }
  if (t->kind == TYPE_LIST || t->kind == TYPE_SLICE) {
    const type **items = ARENA_ARRAY(a, const type *, t->n);
    for (int i = 0; i < t->n; i++) items[i] = type_import(a, syms, t->items[i]);
    c->items = items;
  }
  return c;
}
