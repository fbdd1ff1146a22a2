/* Symbolic sizes: interning, canonical sums, addition, multiplication, symbols and their ranges. */
#include "ir/sym.h"

#include <string.h>

#include "ir/sym_expr.h"

/* ---- interning ---- */

static uint64_t mix(uint64_t h, uint64_t v) {
  h ^= v;
  h *= 0x9E3779B97F4A7C15u;
  return h ^ (h >> 29);
}

static uint64_t hash_dim(dim d) { return d.e ? d.e->hash : mix(0x51, (uint64_t)d.k); }

static uint64_t hash_text(const char *s) {
  uint64_t h = 7;
  for (; *s; s++) h = mix(h, (unsigned char)*s);
  return h;
}

symtab *symtab_new(arena *mem) {
  symtab *t = ARENA_NEW(mem, symtab);
  t->mem = mem;
  t->by_name = map_make(mem);
  t->atoms.n_slots = t->syms.n_slots = 64;
  t->atoms.slots = ARENA_ARRAY(mem, void *, 64);
  t->syms.slots = ARENA_ARRAY(mem, void *, 64);
  return t;
}

static void grow_atoms(arena *mem, intern_set *s) {
  int n_slots = s->n_slots * 2;
  void **slots = ARENA_ARRAY(mem, void *, n_slots);
  for (int i = 0; i < s->n_slots; i++) {
    for (atom *a = s->slots[i], *next; a; a = next) {
      next = a->chain;
      void **head = &slots[a->hash & (uint64_t)(n_slots - 1)];
      a->chain = *head;
      *head = a;
    }
  }
  s->slots = slots;
  s->n_slots = n_slots;
}

static void grow_syms(arena *mem, intern_set *s) {
  int n_slots = s->n_slots * 2;
  void **slots = ARENA_ARRAY(mem, void *, n_slots);
  for (int i = 0; i < s->n_slots; i++) {
    for (struct sym *a = s->slots[i], *next; a; a = next) {
      next = a->chain;
      void **head = &slots[a->hash & (uint64_t)(n_slots - 1)];
      a->chain = *head;
      *head = a;
    }
  }
  s->slots = slots;
  s->n_slots = n_slots;
}

static bool same_args(const atom *a, const dim *args, int n) {
  if (a->n != n) return false;
  for (int i = 0; i < n; i++)
    if (!dim_equal(a->args[i], args[i])) return false;
  return true;
}

const atom *sym_atom(symtab *t, atom_kind kind, const char *name, const dim *args, int n) {
  uint64_t h = mix(hash_text(name), (uint64_t)kind);
  for (int i = 0; i < n; i++) h = mix(h, hash_dim(args[i]));
  void **head = &t->atoms.slots[h & (uint64_t)(t->atoms.n_slots - 1)];
  for (atom *a = *head; a; a = a->chain)
    if (a->hash == h && a->kind == kind && !strcmp(a->name, name) && same_args(a, args, n))
      return a;
  atom *a = ARENA_NEW(t->mem, atom);
  *a = (atom){.kind = kind,
              .symbol = -1,
              .name = arena_strdup(t->mem, name),
              .args = arena_copy(t->mem, args, sizeof(dim) * (size_t)n),
              .n = n,
              .size = 1,
              .hash = h,
              .chain = *head};
  for (int i = 0; i < n; i++) {
    a->size += args[i].e ? args[i].e->size : 1;
    if (args[i].e && args[i].e->depth >= a->depth) a->depth = args[i].e->depth + 1;
  }
  *head = a;
  if (++t->atoms.n > t->atoms.n_slots) grow_atoms(t->mem, &t->atoms);
  return a;
}

static bool same_product(const term *a, const term *b) {
  if (a->n != b->n) return false;
  for (int i = 0; i < a->n; i++)
    if (a->f[i].a != b->f[i].a || a->f[i].pow != b->f[i].pow) return false;
  return true;
}

static bool same_terms(const struct sym *s, const term *terms, int n) {
  if (s->n != n) return false;
  for (int i = 0; i < n; i++)
    if (s->t[i].c != terms[i].c || !same_product(&s->t[i], &terms[i])) return false;
  return true;
}

/* Up to a size that is too large. */
static void measure(const term *terms, int n, int *size, int *depth) {
  for (int i = 0; i < n && *size <= SYM_MAX_SIZE; i++)
    for (int j = 0; j < terms[i].n; j++) {
      const atom *a = terms[i].f[j].a;
      *size += a->size;
      if (a->depth > *depth) *depth = a->depth;
    }
}

/* The interned sum of canonical terms, not all constant. */
static dim intern_sum(symtab *t, const term *terms, int n) {
  uint64_t h = 3;
  for (int i = 0; i < n; i++) {
    h = mix(h, (uint64_t)terms[i].c);
    for (int j = 0; j < terms[i].n; j++)
      h = mix(mix(h, terms[i].f[j].a->hash), (uint64_t)terms[i].f[j].pow);
  }
  void **head = &t->syms.slots[h & (uint64_t)(t->syms.n_slots - 1)];
  for (struct sym *s = *head; s; s = s->chain)
    if (s->hash == h && same_terms(s, terms, n)) return (dim){0, s};
  int size = 0, depth = 0;
  measure(terms, n, &size, &depth);
  if (size > SYM_MAX_SIZE || depth > SYM_MAX_NESTING) return sym_saturate(t, false);
  term *copy = ARENA_ARRAY(t->mem, term, n);
  for (int i = 0; i < n; i++) {
    copy[i] = terms[i];
    copy[i].f = arena_copy(t->mem, terms[i].f, sizeof(factor) * (size_t)terms[i].n);
  }
  struct sym *s = ARENA_NEW(t->mem, struct sym);
  *s = (struct sym){.n = n, .size = size, .depth = depth, .t = copy, .hash = h, .chain = *head};
  *head = s;
  if (++t->syms.n > t->syms.n_slots) grow_syms(t->mem, &t->syms);
  return (dim){0, s};
}

/* ---- order ---- */

/* sympy's class_key: numbers, symbols, products, sums, functions, lattice operations. */
static int atom_class(const atom *a) {
  if (a->kind == ATOM_SYMBOL) return 2;
  return a->kind == ATOM_MAX || a->kind == ATOM_MIN ? 6 : 5;
}

int sym_cmp_atom(const atom *a, const atom *b) {
  if (a == b) return 0;
  int c = atom_class(a) - atom_class(b);
  if (!c) c = strcmp(a->name, b->name);
  if (!c) c = a->n - b->n;
  for (int i = 0; !c && i < a->n; i++) c = sym_cmp_dim(a->args[i], b->args[i]);
  return c;
}

static int cmp_int64(int64_t a, int64_t b) { return (a > b) - (a < b); }

static int term_class(const term *t) {
  if (t->n == 0) return 1;
  return t->n == 1 ? atom_class(t->f[0].a) : 3;
}

static int cmp_term_expr(const term *a, const term *b) {
  int c = term_class(a) - term_class(b);
  if (!c) c = a->n - b->n;
  for (int i = 0; !c && i < a->n; i++) {
    c = sym_cmp_atom(a->f[i].a, b->f[i].a);
    if (!c) c = a->f[i].pow - b->f[i].pow;
  }
  return c ? c : cmp_int64(a->c, b->c);
}

int sym_cmp_dim(dim a, dim b) {
  if (dim_equal(a, b)) return 0;
  if (!a.e || !b.e) return !a.e && !b.e ? cmp_int64(a.k, b.k) : (a.e ? 1 : -1);
  int class_a = a.e->n == 1 ? term_class(&a.e->t[0]) : 4,
      class_b = b.e->n == 1 ? term_class(&b.e->t[0]) : 4;
  int c = class_a - class_b;
  if (!c) c = a.e->n - b.e->n;
  for (int i = 0; !c && i < a.e->n; i++) c = cmp_term_expr(&a.e->t[i], &b.e->t[i]);
  return c;
}

/* Lexicographic order of powers, the larger one first. */
static int cmp_monomial(const term *a, const term *b) {
  for (int i = 0; i < a->n && i < b->n; i++) {
    int c = sym_cmp_atom(a->f[i].a, b->f[i].a);
    if (c) return c;
    if (a->f[i].pow != b->f[i].pow) return b->f[i].pow - a->f[i].pow;
  }
  return b->n - a->n;
}

/* ---- sums and products ---- */

dim sym_saturate(symtab *t, bool negative) {
  if (t) t->overflowed = true;
  return dim_int(negative ? INT64_MIN : INT64_MAX);
}

static void sort_terms(term *t, int n) {
  for (int i = 1; i < n; i++) {
    term x = t[i];
    int j = i;
    for (; j > 0 && cmp_monomial(&t[j - 1], &x) > 0; j--) t[j] = t[j - 1];
    t[j] = x;
  }
}

dim sym_of_terms(symtab *t, term *terms, int n) {
  sort_terms(terms, n);
  int m = 0;
  for (int i = 0; i < n;) {
    term sum = terms[i++];
    for (; i < n && same_product(&sum, &terms[i]); i++)
      if (__builtin_add_overflow(sum.c, terms[i].c, &sum.c)) return sym_saturate(t, terms[i].c < 0);
    if (sum.c) terms[m++] = sum;
  }
  if (m > SYM_MAX_TERMS) return sym_saturate(t, false);
  if (m == 0) return dim_int(0);
  if (m == 1 && terms[0].n == 0) return dim_int(terms[0].c);
  return intern_sum(t, terms, m);
}

int sym_terms(dim d, term *out) {
  if (d.e) {
    memcpy(out, d.e->t, sizeof(term) * (size_t)d.e->n);
    return d.e->n;
  }
  *out = (term){d.k, 0, NULL};
  return d.k != 0;
}

dim sym_of_atom(symtab *t, const atom *a) {
  factor f = {a, 1};
  term one = {1, 1, &f};
  return intern_sum(t, &one, 1);
}

/* Product of two monomials. Returns false (with the overflow flag) when it does not fit. */
static bool sym_mul_term(symtab *t, term a, term b, term *out) {
  factor *f = ARENA_ARRAY(t->mem, factor, a.n + b.n);
  int n = 0, i = 0, j = 0;
  while (i < a.n || j < b.n) {
    int c = i == a.n ? 1 : j == b.n ? -1 : sym_cmp_atom(a.f[i].a, b.f[j].a);
    f[n] = c <= 0 ? a.f[i] : b.f[j];
    if (c == 0) f[n].pow += b.f[j].pow;
    if (f[n].pow > SYM_MAX_POW) return sym_saturate(t, false), false;
    i += c <= 0;
    j += c >= 0;
    n++;
  }
  *out = (term){0, n, f};
  if (__builtin_mul_overflow(a.c, b.c, &out->c))
    return sym_saturate(t, (a.c < 0) != (b.c < 0)), false;
  return true;
}

dim dim_add(symtab *t, dim a, dim b) {
  if (!a.e && !b.e) {
    int64_t k;
    return __builtin_add_overflow(a.k, b.k, &k) ? sym_saturate(t, a.k < 0) : dim_int(k);
  }
  if (dim_is(a, 0)) return b;
  if (dim_is(b, 0)) return a;
  term terms[2 * SYM_MAX_TERMS];
  int n = sym_terms(a, terms);
  n += sym_terms(b, terms + n);
  return sym_of_terms(t, terms, n);
}

/* All pairwise products; a and b together have a symbolic part. */
static dim multiply_out(symtab *t, dim a, dim b) {
  term ta[SYM_MAX_TERMS], tb[SYM_MAX_TERMS];
  int na = sym_terms(a, ta), nb = sym_terms(b, tb);
  if (na * nb > 4 * SYM_MAX_TERMS) return sym_saturate(t, false);
  term *terms = ARENA_ARRAY(t->mem, term, na * nb);
  for (int i = 0; i < na; i++)
    for (int j = 0; j < nb; j++)
      if (!sym_mul_term(t, ta[i], tb[j], &terms[i * nb + j]))
        return sym_saturate(t, (ta[i].c < 0) != (tb[j].c < 0));
  return sym_of_terms(t, terms, na * nb);
}

dim dim_mul(symtab *t, dim a, dim b) {
  if (!a.e && !b.e) {
    int64_t k;
    return __builtin_mul_overflow(a.k, b.k, &k) ? sym_saturate(t, (a.k < 0) != (b.k < 0))
                                                : dim_int(k);
  }
  if (dim_is(a, 1)) return b;
  if (dim_is(b, 1)) return a;
  return multiply_out(t, a, b);
}

dim dim_neg(symtab *t, dim a) { return dim_mul(t, a, dim_int(-1)); }

dim dim_sub(symtab *t, dim a, dim b) {
  if (dim_equal(a, b)) return dim_int(0);
  if (!a.e && !b.e) {
    int64_t k;
    return __builtin_sub_overflow(a.k, b.k, &k) ? sym_saturate(t, a.k < 0) : dim_int(k);
  }
  return dim_add(t, a, dim_neg(t, b));
}

bool symtab_overflowed(symtab *t) {
  bool was = t->overflowed;
  t->overflowed = false;
  return was;
}

/* ---- symbols ---- */

/* Also the text of an expression that is no dim, such as a Piecewise. */
static bool unbacked_name(const char *name) {
  return (name[0] == 'u' && name[1] >= '0' && name[1] <= '9') || !strncmp(name, "zuf", 3) ||
         strpbrk(name, "( ");
}

/* The record of a symbol, made when the name is new. Symbols may move when another one is added. */
static symbol_info *symbol_of(symtab *t, const char *name) {
  int i = symtab_find(t, name);
  if (i >= 0) return &t->symbols.data[i];
  atom *a = (atom *)sym_atom(t, ATOM_SYMBOL, name, NULL, 0);
  i = a->symbol = t->symbols.len;
  symbol_info info = {a, unbacked_name(name) ? INT64_MIN : 0, INT64_MAX};
  vec_push(t->mem, &t->symbols, info);
  map_set(&t->by_name, a->name, (void *)(intptr_t)(i + 1));
  return &t->symbols.data[i];
}

dim dim_symbol(symtab *t, const char *name) { return sym_of_atom(t, symbol_of(t, name)->a); }

void sym_set_range(symtab *t, const char *name, int64_t min, int64_t max) {
  symbol_info *s = symbol_of(t, name);
  s->min = min;
  s->max = max;
}

void sym_range(const symtab *t, const char *name, int64_t *min, int64_t *max) {
  int i = symtab_find(t, name);
  *min = i < 0 ? (unbacked_name(name) ? INT64_MIN : 0) : t->symbols.data[i].min;
  *max = i < 0 ? INT64_MAX : t->symbols.data[i].max;
}

int symtab_n_symbols(const symtab *t) { return t->symbols.len; }

const char *symtab_symbol(const symtab *t, int i) { return t->symbols.data[i].a->name; }

int symtab_find(const symtab *t, const char *name) {
  return (int)(intptr_t)map_get(&t->by_name, name) - 1;
}

bool dim_is_symbol(dim d, const char **name) {
  if (!d.e || d.e->n != 1) return false;
  const term *t = &d.e->t[0];
  if (t->c != 1 || t->n != 1 || t->f[0].pow != 1 || t->f[0].a->kind != ATOM_SYMBOL) return false;
  if (name) *name = t->f[0].a->name;
  return true;
}

typedef bool (*atom_test)(const atom *a, const char *name);

static bool any_symbol(dim d, atom_test test, const char *name) {
  if (!d.e) return false;
  for (int i = 0; i < d.e->n; i++) {
    for (int j = 0; j < d.e->t[i].n; j++) {
      const atom *a = d.e->t[i].f[j].a;
      if (a->kind == ATOM_SYMBOL && test(a, name)) return true;
      for (int k = 0; k < a->n; k++)
        if (any_symbol(a->args[k], test, name)) return true;
    }
  }
  return false;
}

static bool is_unbacked(const atom *a, const char *name) {
  (void)name;
  return unbacked_name(a->name);
}

static bool is_named(const atom *a, const char *name) { return !strcmp(a->name, name); }

bool dim_is_unbacked(dim d) { return any_symbol(d, is_unbacked, NULL); }

bool dim_mentions(dim d, const char *name) { return any_symbol(d, is_named, name); }

/* ---- copying ---- */

static const atom *import_atom(symtab *to, const atom *a) {
  if (a->kind == ATOM_SYMBOL) return symbol_of(to, a->name)->a;
  dim *args = ARENA_ARRAY(to->mem, dim, a->n);
  for (int i = 0; i < a->n; i++) args[i] = dim_import(to, a->args[i]);
  return sym_atom(to, a->kind, a->name, args, a->n);
}

/* Terms keep their order, which depends on names only. */
dim dim_import(symtab *to, dim d) {
  if (!d.e) return d;
  term *terms = ARENA_ARRAY(to->mem, term, d.e->n);
  for (int i = 0; i < d.e->n; i++) {
    terms[i] = d.e->t[i];
    factor *f = ARENA_ARRAY(to->mem, factor, terms[i].n);
    for (int j = 0; j < terms[i].n; j++)
      f[j] = (factor){import_atom(to, d.e->t[i].f[j].a), d.e->t[i].f[j].pow};
    terms[i].f = f;
  }
  return intern_sum(to, terms, d.e->n);
}
