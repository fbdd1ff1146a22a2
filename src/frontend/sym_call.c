/* Functions in symbolic expressions, by their names in sympy and PyTorch. */
#include "frontend/sym_call.h"

#include <string.h>

bool sym_name_is(const char *s, size_t n, const char *word) {
  return strlen(word) == n && !memcmp(s, word, n);
}

static dim fold(symtab *t, dim (*fn)(symtab *, dim, dim), const dim *a, int n) {
  dim d = a[0];
  for (int i = 1; i < n; i++) d = fn(t, d, a[i]);
  return d;
}

dim sym_function(symtab *t, arena *mem, const char *name, size_t len, const dim *a, int n) {
  static const struct {
    const char *name;
    dim (*fn)(symtab *, dim, dim);
  } known[] = {{"Max", dim_max},         {"Min", dim_min},           {"Mod", dim_mod},
               {"PythonMod", dim_mod},   {"FloorDiv", dim_floordiv}, {"CleanDiv", dim_floordiv},
               {"CeilDiv", dim_ceildiv}, {"PowByNatural", dim_pow}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (sym_name_is(name, len, known[i].name) && (n == 2 || (i < 2 && n > 0)))
      return fold(t, known[i].fn, a, n);
  if (sym_name_is(name, len, "Identity") && n == 1) return a[0];
  return dim_func(t, arena_strndup(mem, name, len), a, n);
}

/* Functions whose value is a condition or a float whatever their arguments are. */
fx_sym_kind sym_function_kind(const char *s, size_t n) {
  static const char *const bools[] = {
      "Eq", "Ne",  "Lt", "Le",  "Gt",
      "Ge", "And", "Or", "Not", "is_non_overlapping_and_dense_indicator"};
  static const char *const floats[] = {"IntTrueDiv", "FloatTrueDiv", "ToFloat", "FloatPow",
                                       "RoundDecimal"};
  for (size_t i = 0; i < sizeof bools / sizeof *bools; i++)
    if (sym_name_is(s, n, bools[i])) return FX_SYM_BOOL;
  for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
    if (sym_name_is(s, n, floats[i])) return FX_SYM_FLOAT;
  if (n > 13 && !memcmp(s, "OpaqueUnaryFn", 13)) return FX_SYM_FLOAT;
  return FX_SYM_INT;
}
