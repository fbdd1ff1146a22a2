/* Symbolic sizes: integer expressions over symbols such as s77, kept in a canonical form (sum of
 * products with integer coefficients) and interned per module, so that equal expressions are equal
 * pointers. Arithmetic follows sympy as PyTorch prints it: floor division and Python's sign of the
 * remainder. */
#ifndef SCANC_IR_SYM_H
#define SCANC_IR_SYM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

typedef struct sym sym;       /* an interned, non-constant expression */
typedef struct symtab symtab; /* owner of the expressions of one module */

/* A size or an integer: the constant k when e is NULL, else the expression e. */
typedef struct {
  int64_t k;
  const sym *e;
} dim;

symtab *symtab_new(arena *mem);

static inline dim dim_int(int64_t k) { return (dim){k, 0}; }
static inline bool dim_is_int(dim d) { return !d.e; }
static inline bool dim_is(dim d, int64_t k) { return !d.e && d.k == k; }
static inline bool dim_equal(dim a, dim b) { return a.e == b.e && (a.e || a.k == b.k); }

dim dim_symbol(symtab *t, const char *name); /* the name is copied */
/* Arithmetic of constants needs no table: t may be NULL. A result that overflows 64 bits saturates
 * and sets the flag of symtab_overflowed. */
dim dim_add(symtab *t, dim a, dim b);
dim dim_sub(symtab *t, dim a, dim b);
dim dim_mul(symtab *t, dim a, dim b);
dim dim_neg(symtab *t, dim a);
dim dim_floordiv(symtab *t, dim a, dim b); /* b constant 0 gives an opaque expression */
dim dim_ceildiv(symtab *t, dim a, dim b);
dim dim_mod(symtab *t, dim a, dim b); /* sign of b, as Python */
dim dim_pow(symtab *t, dim a, dim b);
dim dim_max(symtab *t, dim a, dim b);
dim dim_min(symtab *t, dim a, dim b);
/* Any other function of sympy's vocabulary; kept as it is, evaluated if scanc knows it. */
dim dim_func(symtab *t, const char *name, const dim *args, int n);
bool symtab_overflowed(symtab *t); /* reads and clears */

/* Inclusive bounds of a symbol, from the range constraints; default [0, INT64_MAX] for s*,
 * everything for u*. */
void sym_set_range(symtab *t, const char *name, int64_t min, int64_t max);
void sym_range(const symtab *t, const char *name, int64_t *min, int64_t *max);
/* Bounds that hold for every value of the symbols. */
void dim_bounds(const symtab *t, dim d, int64_t *min, int64_t *max);

/* Symbols in order of first mention. */
int symtab_n_symbols(const symtab *t);
const char *symtab_symbol(const symtab *t, int i);
int symtab_find(const symtab *t, const char *name); /* index, -1 if the name was never mentioned */

/* A symbol is unbacked ("u0") when no input shape determines it. The text of an expression that is
 * no dim ("Piecewise((s0, s0 > 3), (4, True))") may be a symbol, too; it is unbacked. */
bool dim_is_unbacked(dim d);                  /* mentions an unbacked symbol */
bool dim_is_symbol(dim d, const char **name); /* the expression is one bare symbol */
bool dim_mentions(dim d, const char *name);

/* Evaluates with values[i] for symbol i of the table; known[i] false: not bound. Returns false if a
 * needed symbol is unbound, a divisor is zero or 64 bits overflow. */
bool dim_eval(const symtab *t, dim d, const int64_t *values, const bool *known, int64_t *out);
typedef enum { DIM_OPEN, DIM_SOLVED, DIM_IMPOSSIBLE } dim_solution;

/* Solves `d == value` for the one symbol in d that is not known, when d is affine in it (2*s0, s0 +
 * 1). DIM_OPEN if there is no such symbol, DIM_IMPOSSIBLE if no integer solves it. */
dim_solution dim_solve(const symtab *t, dim d, int64_t value, const int64_t *values,
                       const bool *known, int *symbol, int64_t *solution);

/* Rewrites the expression into another table (a copied module). */
dim dim_import(symtab *to, dim d);
/* Prints as PyTorch does: 2*s0 + s1, s0 - 1, ((s0 + 1)//2), s0**2, Mod(s0, 3). */
void dim_print(str *out, dim d);
/* Prints as sympy.srepr does: Add(Symbol('s0', positive=True, integer=True), Integer(1)). */
void dim_print_srepr(str *out, dim d);

#endif
