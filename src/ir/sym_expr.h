/* How symbolic sizes are represented; private to sym.c, sym_div.c, sym_eval.c and sym_print.c.
 *
 * An expression is a sum of terms, a term an integer coefficient times a product of powers of
 * atoms, an atom a symbol or a function of sizes. Factors of a term are in the order of
 * sym_cmp_atom; terms are in sympy's printing order (lexicographic in the powers, the constant
 * last), so that printing needs no sorting. Both are interned. */
#ifndef SCANC_IR_SYM_EXPR_H
#define SCANC_IR_SYM_EXPR_H

#include "base/map.h"
#include "base/vec.h"
#include "ir/sym.h"

typedef enum {
  ATOM_SYMBOL,
  ATOM_FLOORDIV,
  ATOM_MOD,
  ATOM_MAX,
  ATOM_MIN,
  ATOM_POW,
  ATOM_FUNC
} atom_kind;

typedef struct atom atom;
struct atom {
  atom_kind kind;
  int symbol;       /* SYMBOL: its index in the table */
  const char *name; /* SYMBOL, FUNC; else how sympy calls it */
  const dim *args;
  int n;
  int size, depth; /* symbols and functions in it; functions around the innermost symbol */
  uint64_t hash;
  atom *chain;
};

typedef struct {
  const atom *a;
  int pow; /* >= 1 */
} factor;

typedef struct {
  int64_t c; /* never 0 */
  int n;     /* 0: the constant */
  const factor *f;
} term;

struct sym {
  int n;
  int size, depth; /* of all its atoms; of the deepest one */
  const term *t;
  uint64_t hash;
  struct sym *chain;
};

typedef struct {
  const atom *a;
  int64_t min, max;
} symbol_info;

typedef struct {
  void **slots; /* heads of chains */
  int n_slots, n;
} intern_set;

struct symtab {
  arena *mem;
  map by_name; /* symbol name -> symbol_info index + 1 */
  VEC(symbol_info) symbols;
  intern_set atoms, syms;
  bool overflowed;
};

/* What is larger counts as an overflow: expressions are printed and read as trees, and what shares
 * parts is a large one. */
enum { SYM_MAX_TERMS = 128, SYM_MAX_POW = 64, SYM_MAX_SIZE = 5000, SYM_MAX_NESTING = 40 };

/* Order of factors and of arguments of Max, as sympy sorts them. */
int sym_cmp_atom(const atom *a, const atom *b);
int sym_cmp_dim(dim a, dim b);

/* The interned atom; args are copied. */
const atom *sym_atom(symtab *t, atom_kind kind, const char *name, const dim *args, int n);
dim sym_of_atom(symtab *t, const atom *a);
/* A sum of n terms in any order, equal products added up, zeros dropped. `terms` is used as work
 * space. */
dim sym_of_terms(symtab *t, term *terms, int n);
/* Terms of d: copied to out (room for SYM_MAX_TERMS); constants become one term, 0 none. */
int sym_terms(dim d, term *out);
dim sym_saturate(symtab *t, bool negative); /* sets the overflow flag */

/* Python's floor division and remainder; b != 0. */
int64_t sym_floordiv64(int64_t a, int64_t b);
int64_t sym_mod64(int64_t a, int64_t b);

#endif
