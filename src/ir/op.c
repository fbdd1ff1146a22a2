/* The op table and the table of PyTorch's names as lookups. Both are parsed once, at the first use.
 */
#include "ir/op.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"

/* What the rows say, before signatures are parsed. */
#define HAS(col) (sizeof(#col) != sizeof("NA"))
#define CLASSES(F, I, B, C) \
  ((HAS(F) ? CLASS_F : 0u) | (HAS(I) ? CLASS_I : 0u) | (HAS(B) ? CLASS_B : 0u) | \
   (HAS(C) ? CLASS_C : 0u))
#define ROW(id, kind, sig, promo, traits, classes) \
  {OP_##id, kind, #id, sig, 0, 0, PROMO_##promo, (traits), (classes), NULL, NULL},
#define EW(id, sig, promo, traits, F, I, B, C) \
  ROW(id, OPK_EW, sig, promo, traits, CLASSES(F, I, B, C))

static op_info ops[] = {
#define EW1(id, ...) EW(id, __VA_ARGS__)
#define EW2(id, ...) EW(id, __VA_ARGS__)
#define EW3(id, ...) EW(id, __VA_ARGS__)
#define EW4(id, ...) EW(id, __VA_ARGS__)
#define SYM(id, sig, traits, ...) ROW(id, OPK_SYM, sig, NONE, traits, 0)
#define COMP(id, sig, traits, rule) ROW(id, OPK_COMP, sig, NONE, traits, 0)
#define OP(id, sig, traits, rule) ROW(id, OPK_OP, sig, NONE, traits, 0)
#include "ir/ops.def"
};

static const aten_row rows[] = {
#define ATEN(name, op, schema) {name, OP_##op, schema},
#include "ir/aten.def"
};

typedef struct {
  const char *row, *param, *value;
  op_id op;
} variant;

static const variant variants[] = {
#define VARIANT(name, param, value, op) {name, #param, #value, OP_##op},
#include "ir/aten.def"
};

enum { OP_none = -1 };
static const spelling spellings[] = {
#define SPELL(path, packet, sym, infix, prefix) {path, packet, OP_##sym, infix, prefix},
#include "ir/aten.def"
};

enum {
  N_ROWS = sizeof rows / sizeof *rows,
  N_VARIANTS = sizeof variants / sizeof *variants,
  N_SPELLINGS = sizeof spellings / sizeof *spellings
};

/* A parsed operand of a signature. */
typedef struct op_operand {
  const char *names; /* "self|input" */
  int names_len;
  const char *first; /* terminated copy of the first alias */
  bool parameter;    /* `$`: no part in promotion */
  val default_value;
} operand;

static struct {
  arena *mem;
  map op_names, row_names, packets, spelling_paths;
  aten_schema schemas[N_ROWS];
  int next_overload[N_ROWS]; /* of the same packet, -1 */
  int first_row[N_OPS];      /* -1 */
} tables;

/* ---- literals of defaults ---- */

static bool is_word(const char *s, size_t n, const char *word) {
  return strlen(word) == n && !memcmp(s, word, n);
}

static val parse_number(const char *text) {
  char *end;
  long long i = strtoll(text, &end, 10);
  if (!*end) return val_int(i);
  return val_float(strtod(text, NULL));
}

/* A Python literal of a schema: None, True, 1, 0.5, 'none', [], [0, 1]; a bare word
 * (contiguous_format) is an atom. */
static val parse_literal(arena *a, const char *s, size_t n) {
  if (is_word(s, n, "None")) return val_none();
  if (is_word(s, n, "True")) return val_bool(true);
  if (is_word(s, n, "False")) return val_bool(false);
  if (*s == '\'' || *s == '"') return val_str(a, arena_strndup(a, s + 1, n - 2));
  if (*s == '[' || *s == '(') {
    val items[SCANC_MAX_RANK];
    int k = 0;
    for (const char *p = s + 1, *end = s + n - 1; p < end && k < SCANC_MAX_RANK;) {
      const char *q = memchr(p, ',', (size_t)(end - p));
      if (!q) q = end;
      while (*p == ' ') p++;
      items[k++] = parse_number(arena_strndup(a, p, (size_t)(q - p)));
      p = q + 1;
    }
    return val_seq(a, VAL_LIST, items, k);
  }
  if (strchr("-0123456789.", *s)) return parse_number(arena_strndup(a, s, n));
  return val_atom(a, arena_strndup(a, s, n));
}

/* The end of the item that starts at p: the next comma outside brackets and quotes. */
static const char *item_end(const char *p) {
  int depth = 0;
  for (char quote = 0; *p; p++) {
    if (quote) quote = *p == quote ? 0 : quote;
    else if (*p == '\'' || *p == '"') quote = *p;
    else if (strchr("[(", *p)) depth++;
    else if (strchr("])", *p)) depth--;
    else if (*p == ',' && !depth) break;
  }
  return p;
}

static int count_items(const char *s) {
  int n = 0;
  while (*s == ' ') s++;
  while (*s) {
    n++;
    s = item_end(s);
    if (*s) s++;
  }
  return n;
}

/* ---- signatures of ops ---- */

static operand parse_operand(arena *a, const char *p, const char *end) {
  operand o = {.default_value = val_absent()};
  if (*p == '$') o.parameter = true, p++;
  const char *eq = memchr(p, '=', (size_t)(end - p));
  if (eq) o.default_value = parse_literal(a, eq + 1, (size_t)(end - eq - 1));
  o.names = p;
  o.names_len = (int)((eq ? eq : end) - p);
  const char *bar = memchr(p, '|', (size_t)o.names_len);
  o.first = arena_strndup(a, p, bar ? (size_t)(bar - p) : (size_t)o.names_len);
  return o;
}

void op_parse_signature(arena *a, op_info *op) {
  int n = count_items(op->signature);
  assert(n <= MAX_OPERANDS);
  operand *o = ARENA_ARRAY(a, operand, n);
  const char *p = op->signature;
  for (int k = 0; k < n; k++) {
    while (*p == ' ') p++;
    const char *end = item_end(p);
    o[k] = parse_operand(a, p, end);
    op->n_tensors += !o[k].parameter;
    p = *end ? end + 1 : end;
  }
  op->n_operands = n;
  op->operands = o;
}

/* ---- ATen schemas ---- */

/* Arguments that say where or how a tensor is stored, not what it holds. */
static bool is_storage_parameter(const char *s, size_t n) {
  static const char *const names[] = {"layout",
                                      "device",
                                      "pin_memory",
                                      "memory_format",
                                      "non_blocking",
                                      "generator",
                                      "requires_grad",
                                      "sparse",
                                      "sparse_grad",
                                      "implicit",
                                      "scale_grad_by_freq",
                                      "padding_idx",
                                      "enabled",
                                      "cudnn_enable",
                                      "cudnn_enabled",
                                      "benchmark",
                                      "deterministic",
                                      "allow_tf32",
                                      "copy",
                                      "names",
                                      "dimnames",
                                      "physical_layout"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (is_word(s, n, names[i])) return true;
  return false;
}

static aten_param parse_param(const op_info *op, const char *p, const char *end, bool kw_only) {
  aten_param q = {.kw_only = kw_only, .operand = -1, .default_value = val_absent()};
  const char *eq = memchr(p, '=', (size_t)(end - p));
  const char *stop = eq ? eq : end;
  const char *name = stop;
  while (name > p && name[-1] != ' ') name--;
  q.type = p;
  q.type_len = (int)(name - 1 - p);
  q.name = name;
  q.name_len = (int)(stop - name);
  q.optional = q.type_len > 0 && p[q.type_len - 1] == '?';
  q.is_list = memchr(p, '[', (size_t)q.type_len) != NULL;
  if (eq)
    q.has_default = true,
    q.default_value = parse_literal(tables.mem, eq + 1, (size_t)(end - eq - 1));
  q.operand = op_operand_index(op, q.name, (size_t)q.name_len);
  q.ignored = q.operand < 0;
  assert(q.operand >= 0 || is_storage_parameter(q.name, (size_t)q.name_len));
  return q;
}

static void parse_schema(int r) {
  const aten_row *row = &rows[r];
  aten_schema *s = &tables.schemas[r];
  aten_param *params = ARENA_ARRAY(tables.mem, aten_param, count_items(row->schema));
  bool kw_only = false;
  s->row = row;
  s->p = params;
  for (const char *p = row->schema; *p;) {
    while (*p == ' ') p++;
    const char *end = item_end(p);
    if (*p == '*' && end == p + 1) kw_only = true;
    else params[s->n++] = parse_param(&ops[row->op], p, end, kw_only);
    p = *end ? end + 1 : end;
  }
  assert(s->n <= MAX_PARAMS);
}

static size_t packet_length(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot ? (size_t)(dot - name) : strlen(name);
}

/* map values are small integers shifted by one, so that 0 means absent. */
static void *index_value(int i) { return (void *)(intptr_t)(i + 1); }
static int index_of(const map *m, const char *s, size_t n) {
  return (int)(intptr_t)map_get_n(m, s, n) - 1;
}

static void register_row(int r) {
  const char *name = rows[r].name;
  assert(!map_has(&tables.row_names, name));
  map_set(&tables.row_names, name, index_value(r));
  if (tables.first_row[rows[r].op] < 0) tables.first_row[rows[r].op] = r;
  tables.next_overload[r] = -1;
  size_t n = packet_length(name);
  int last = index_of(&tables.packets, name, n);
  if (last < 0) {
    map_set(&tables.packets, arena_strndup(tables.mem, name, n), index_value(r));
    return;
  }
  while (tables.next_overload[last] >= 0) last = tables.next_overload[last];
  tables.next_overload[last] = r;
}

static void build_tables(void) {
  tables.mem = arena_new();
  tables.op_names = map_make(tables.mem);
  tables.row_names = map_make(tables.mem);
  tables.packets = map_make(tables.mem);
  tables.spelling_paths = map_make(tables.mem);
  for (int i = 0; i < N_OPS; i++) {
    op_parse_signature(tables.mem, &ops[i]);
    map_set(&tables.op_names, ops[i].name, &ops[i]);
    tables.first_row[i] = -1;
  }
  for (int i = 0; i < N_ROWS; i++) {
    parse_schema(i);
    register_row(i);
  }
  for (int i = 0; i < N_VARIANTS; i++)
    if (tables.first_row[variants[i].op] < 0)
      tables.first_row[variants[i].op] =
          index_of(&tables.row_names, variants[i].row, strlen(variants[i].row));
  for (int i = 0; i < N_SPELLINGS; i++)
    map_set(&tables.spelling_paths, spellings[i].path, index_value(i));
}

static void need_tables(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, build_tables);
}

/* ---- lookups ---- */

const op_info *op_get(op_id id) {
  need_tables();
  return &ops[id];
}

const op_info *op_by_name(const char *name) {
  need_tables();
  return map_get(&tables.op_names, name);
}

int op_operand_index(const op_info *op, const char *name, size_t len) {
  for (int k = 0; k < op->n_operands; k++) {
    const char *p = op->operands[k].names, *end = p + op->operands[k].names_len;
    while (p < end) {
      const char *bar = memchr(p, '|', (size_t)(end - p));
      if (!bar) bar = end;
      if ((size_t)(bar - p) == len && !memcmp(p, name, len)) return k;
      p = bar + 1;
    }
  }
  return -1;
}

val op_operand_default(const op_info *op, int k) { return op->operands[k].default_value; }
const char *op_operand_name(const op_info *op, int k) { return op->operands[k].first; }
bool op_operand_is_parameter(const op_info *op, int k) { return op->operands[k].parameter; }

const aten_row *aten_find(const char *name, size_t len) {
  need_tables();
  int r = index_of(&tables.row_names, name, len);
  return r < 0 ? NULL : &rows[r];
}

const aten_schema *aten_schema_of(const aten_row *row) {
  need_tables();
  return &tables.schemas[row - rows];
}

const aten_row *aten_overload(const char *packet, size_t len, int k) {
  need_tables();
  int r = index_of(&tables.packets, packet, len);
  while (r >= 0 && k-- > 0) r = tables.next_overload[r];
  return r < 0 ? NULL : &rows[r];
}

const aten_row *aten_row_of_op(op_id op) {
  need_tables();
  return tables.first_row[op] < 0 ? NULL : &rows[tables.first_row[op]];
}

int aten_n_rows(void) { return N_ROWS; }
const aten_row *aten_row_at(int i) { return &rows[i]; }

/* Whether the literal v is the value a VARIANT row names. */
static bool is_value(val v, const char *value) {
  if (v.kind == VAL_STR) return !strcmp(v.s, value);
  if (v.kind == VAL_NONE || v.kind == VAL_ABSENT) return !strcmp(value, "None");
  if (v.kind == VAL_BOOL) return !strcmp(value, v.i ? "True" : "False");
  if (!strchr("-0123456789", *value)) return false;
  if (v.kind == VAL_INT) return (double)v.i == strtod(value, NULL);
  return v.kind == VAL_FLOAT && v.f == strtod(value, NULL);
}

/* The literal a VARIANT row names, as a value: strings are bare words. */
static val variant_value(const char *value) {
  if (!strcmp(value, "None")) return val_none();
  if (!strcmp(value, "True") || !strcmp(value, "False")) return val_bool(*value == 'T');
  if (strchr("-0123456789", *value)) return parse_number(value);
  return (val){.kind = VAL_STR, .n = (int)strlen(value), .s = value};
}

op_id aten_variant(const aten_row *row, const val *operands) {
  const op_info *op = op_get(row->op);
  for (int i = 0; i < N_VARIANTS; i++) {
    if (strcmp(variants[i].row, row->name)) continue;
    int k = op_operand_index(op, variants[i].param, strlen(variants[i].param));
    if (k >= 0 && is_value(operands[k], variants[i].value)) return variants[i].op;
  }
  return row->op;
}

void aten_place_operands(const aten_row *row, const op_info *op, const val *operands, int n,
                         val *out) {
  const op_info *base = op_get(row->op);
  for (int k = 0; k < MAX_OPERANDS; k++) out[k] = val_absent();
  for (int k = 0; k < n && k < op->n_operands; k++) {
    const char *name = op_operand_name(op, k);
    int j = op_operand_index(base, name, strlen(name));
    if (j >= 0) out[j] = operands[k];
  }
  for (int i = 0; i < N_VARIANTS; i++) {
    if (variants[i].op != op->id || strcmp(variants[i].row, row->name)) continue;
    int j = op_operand_index(base, variants[i].param, strlen(variants[i].param));
    if (j >= 0 && out[j].kind == VAL_ABSENT) out[j] = variant_value(variants[i].value);
  }
}

const spelling *spelling_find(const char *path) {
  need_tables();
  int i = index_of(&tables.spelling_paths, path, strlen(path));
  return i < 0 ? NULL : &spellings[i];
}

const spelling *spelling_of_infix(const char *op, bool prefix) {
  for (int i = 0; i < N_SPELLINGS; i++)
    if (spellings[i].infix && spellings[i].prefix == prefix && !strcmp(spellings[i].infix, op))
      return &spellings[i];
  return NULL;
}

int spelling_count(void) { return N_SPELLINGS; }
const spelling *spelling_at(int i) { return &spellings[i]; }
