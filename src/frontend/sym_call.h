/* Functions in symbolic expressions, by their names in sympy and PyTorch. */
#ifndef SCANC_FRONTEND_SYM_CALL_H
#define SCANC_FRONTEND_SYM_CALL_H

#include "ir/graph.h"

/* Of conditions and floats only the kind is known; OPAQUE: not even that. */
typedef enum { FX_SYM_INT, FX_SYM_BOOL, FX_SYM_FLOAT, FX_SYM_OPAQUE } fx_sym_kind;

typedef struct {
  fx_sym_kind kind;
  dim d;            /* INT */
  const char *code; /* of others: what sympy's srepr writes; NULL: not known */
} fx_sym;

/* Reads all of an expression as sympy prints it; strings are in `mem`. Symbols that are new are
 * added to m. False: it is none, which m does not note as an error. (fx_sym.c) */
bool fx_sym_parse(module *m, arena *mem, const char *text, fx_sym *out);

bool sym_name_is(const char *s, size_t n, const char *word);
/* The kind of value the function gives, INT where that depends on its arguments. */
fx_sym_kind sym_function_kind(const char *name, size_t n);
/* Its value for integers; a function that scanc does not know is kept as it is. n > 0. */
dim sym_function(symtab *t, arena *mem, const char *name, size_t len, const dim *args, int n);

#endif
