/* Functions in symbolic expressions, by their names in sympy and PyTorch. */
#include "frontend/sym_call.h"

#include <ctype.h>
#include <string.h>

#include "frontend/lex.h"

static const sym_function functions[] = {
#define SYM_FUNCTION(name, printed, infix, min, max, takes, gives) \
  {name, printed, infix, min, max, takes, gives},
#include "frontend/sym_functions.def"
#undef SYM_FUNCTION
};
enum { N_FUNCTIONS = sizeof functions / sizeof *functions };

bool sym_name_is(const char *s, size_t n, const char *word) {
  return strlen(word) == n && !memcmp(s, word, n);
}

bool sym_is_symbol(const char *name) {
  static const char *const taken[] = {"True", "False", "int_oo", "oo"};
  bool ok = isalpha((unsigned char)*name) || *name == '_';
  for (const char *p = name; *p; p++) ok = ok && (isalnum((unsigned char)*p) || *p == '_');
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) ok = ok && strcmp(name, taken[i]);
  return ok && strlen(name) <= LEX_MAX_NAME;
}

bool sym_is_float(const char *name, size_t n) { return n > 1 && *name == 'z'; }

const sym_function *sym_function_named(const char *name, size_t n) {
  for (int i = 0; i < N_FUNCTIONS; i++)
    if (sym_name_is(name, n, functions[i].name)) return &functions[i];
  return NULL;
}

const sym_function *sym_function_printed(const char *name, size_t n) {
  for (int i = 0; i < N_FUNCTIONS; i++)
    if (sym_name_is(name, n, functions[i].printed)) return &functions[i];
  return NULL;
}

const char *sym_function_expects(arena *mem, const sym_function *f, const fx_sym_kind *kinds,
                                 int n) {
  if (n < f->min && !f->max) return arena_printf(mem, "operands of %s", f->name);
  if (n < f->min || (f->max && n > f->max))
    return arena_printf(mem, "%d operand%s of %s", f->min, f->min == 1 ? "" : "s", f->name);
  for (int i = 0; i < n && f->takes != '*'; i++) {
    bool condition = kinds[i] == FX_SYM_BOOL;
    if (kinds[i] != FX_SYM_OPAQUE && condition != (f->takes == 'b'))
      return arena_printf(mem, "%s of %s", f->takes == 'b' ? "conditions" : "numbers", f->name);
  }
  return NULL;
}

/* A power with an exponent below zero is a fraction. */
static bool is_fraction(const sym_function *f, const fx_sym_kind *kinds, const dim *d) {
  return !strcmp(f->name, "Pow") && kinds[0] == FX_SYM_INT && kinds[1] == FX_SYM_INT &&
         dim_is_int(d[1]) && d[1].k < 0;
}

fx_sym_kind sym_function_kind(const sym_function *f, const fx_sym_kind *kinds, const dim *d,
                              int n) {
  bool ints = true, floats = false, opaque = false;
  for (int i = 0; i < n; i++) {
    ints = ints && kinds[i] == FX_SYM_INT;
    floats = floats || kinds[i] == FX_SYM_FLOAT;
    opaque = opaque || kinds[i] == FX_SYM_OPAQUE;
  }
  if (f->gives == 'b') return FX_SYM_BOOL;
  if (f->gives == 'f') return FX_SYM_FLOAT;
  if (f->gives == 'n' && (floats || is_fraction(f, kinds, d))) return FX_SYM_FLOAT;
  if (f->gives == 'n' && opaque) return FX_SYM_OPAQUE;
  return ints ? FX_SYM_INT : FX_SYM_WHOLE;
}
