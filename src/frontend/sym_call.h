/* Functions in symbolic expressions, by their names in sympy and PyTorch (sym_functions.def). */
#ifndef SCANC_FRONTEND_SYM_CALL_H
#define SCANC_FRONTEND_SYM_CALL_H

#include "ir/graph.h"

/* Of conditions and floats only the kind is known; OPAQUE: not even that. WHOLE: an integer that is
 * no dim, as functions of conditions and floats give; it becomes a symbol with its text for a
 * name. */
typedef enum { FX_SYM_INT, FX_SYM_BOOL, FX_SYM_FLOAT, FX_SYM_WHOLE, FX_SYM_OPAQUE } fx_sym_kind;

typedef struct {
  fx_sym_kind kind;
  dim d;            /* INT */
  const char *code; /* what sympy's srepr writes; NULL: not known, of INT: what d says */
} fx_sym;

/* Reads all of an expression as sympy prints it; strings are in `mem`. Symbols that are new are
 * added to m. False: it is none, which m does not note as an error. (fx_sym.c) */
bool fx_sym_parse(module *m, arena *mem, const char *text, fx_sym *out);

enum { SYM_MAX_ARGS = 128 }; /* operands of one function */

/* A row of the table. */
typedef struct {
  const char *name, *printed, *infix;
  int min, max;
  char takes, gives;
} sym_function;

/* By the name in srepr, or in printed programs; NULL: there is none. */
const sym_function *sym_function_named(const char *name, size_t n);
const sym_function *sym_function_printed(const char *name, size_t n);
/* NULL if the function takes these operands; else what it expects, as in "2 operands of FloorDiv",
 * in `mem`. */
const char *sym_function_expects(arena *mem, const sym_function *f, const fx_sym_kind *kinds,
                                 int n);
/* What it gives for operands that it takes; d: those that are INT. */
fx_sym_kind sym_function_kind(const sym_function *f, const fx_sym_kind *kinds, const dim *d, int n);

bool sym_name_is(const char *s, size_t n, const char *word);
/* Whether printed expressions have the word as a symbol: a word of ASCII letters, digits and _ that
 * stands for nothing else. */
bool sym_is_symbol(const char *name);
bool sym_is_float(const char *name, size_t n); /* a symbol that is a float, by its name: z3 */

#endif
