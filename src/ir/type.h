/* Types of values: what inference knows. A literal and a node have the same kind of type, so a
 * shape rule does not care whether an argument was written as a number, a symbolic size or a node.
 * Immutable, in the module's arena. */
#ifndef SCANC_IR_TYPE_H
#define SCANC_IR_TYPE_H

#include "base/str.h"
#include "ir/sym.h"
#include "scanc/scanc.h"

typedef enum {
  TYPE_ABSENT, /* an argument that was not given and has no default */
  TYPE_NONE,
  TYPE_TENSOR,  /* dtype, rank, dims */
  TYPE_INT,     /* i: value, possibly symbolic */
  TYPE_FLOAT,   /* f: value if known */
  TYPE_BOOL,    /* i.k: value if known */
  TYPE_COMPLEX, /* f, im: value if known */
  TYPE_STR,     /* s */
  TYPE_DTYPE,   /* dtype */
  TYPE_LIST,    /* items; tuples and lists alike */
  TYPE_SLICE,   /* slice(start, stop, step): three items, each INT or NONE */
  TYPE_GRAPH,   /* graph: a subgraph */
  TYPE_OTHER /* s: devices, layouts, Ellipsis ("Ellipsis"), anything without a meaning for shapes */
} type_kind;

typedef struct type type;
struct type {
  type_kind kind;
  bool known; /* FLOAT, BOOL, COMPLEX: the value is known. INT: always (symbolic counts). LIST:
                 every item is. */
  scanc_dtype dtype;        /* TENSOR, DTYPE */
  int n;                    /* TENSOR: rank; LIST: number of items */
  const dim *dims;          /* TENSOR */
  const type *const *items; /* LIST; an item may be NULL: unknown */
  dim i;
  double f, im;
  const char *s; /* STR, OTHER; FLOAT, BOOL of symbolic origin: the expression as text */
  struct scanc_graph *graph;
};

/* Facts about a dtype, from dtype.def. */
char dtype_class(scanc_dtype d); /* 'b' bool, 'i' integer, 'f' float, 'c' complex */
bool dtype_signed(scanc_dtype d);
scanc_dtype dtype_acc(scanc_dtype d);  /* the type elementwise ops compute in */
scanc_dtype dtype_fold(scanc_dtype d); /* the type sums and products run in: integers in i64, halves
                                          in f32 */
const char *dtype_torch(scanc_dtype d); /* "torch.float32" */
const char *dtype_npy(scanc_dtype d);
bool dtype_from_fx(const char *s, size_t n, scanc_dtype *out); /* "f32" */
bool dtype_from_torch(const char *s, size_t n,
                      scanc_dtype *out);  /* "torch.float32", also "torch.float" and "torch.long" */
scanc_dtype dtype_real(scanc_dtype d);    /* c64 -> f32, c128 -> f64, others unchanged */
scanc_dtype dtype_complex(scanc_dtype d); /* f32 -> c64, f64 -> c128, f16 -> c64 */
scanc_dtype dtype_promote(scanc_dtype a, scanc_dtype b); /* both dimensioned */

extern const type type_absent, type_none;

const type *type_tensor(arena *a, scanc_dtype dtype, const dim *dims,
                        int rank); /* dims are copied */
const type *type_int(arena *a, dim d);
const type *type_float(arena *a, double v);
const type *type_float_unknown(arena *a, const char *text);
const type *type_bool(arena *a, bool v);
const type *type_bool_unknown(arena *a, const char *text);
const type *type_complex(arena *a, double re, double im);
const type *type_str(arena *a, const char *s);
const type *type_dtype(arena *a, scanc_dtype d);
const type *type_list(arena *a, const type *const *items, int n); /* items are copied */
const type *type_slice(arena *a, const type *const *items);       /* start, stop, step */
const type *type_graph(arena *a, struct scanc_graph *g);
const type *type_other(arena *a, const char *s);

bool type_is_tensor(const type *t);
bool type_is_scalar(const type *t); /* a Python number: int, float, bool, complex */
/* Same kind, dtype, rank and sizes; unknown (NULL) equals only unknown. */
bool type_equal(const type *a, const type *b);
/* Number of elements: constant only; false if a size is symbolic; `*overflow` set if it does not
 * fit 63 bits. */
bool type_numel(const type *t, int64_t *out, bool *overflow);
/* As in annotations: f32[s0, 4], Sym(s0), (f32[2], i64[2]). */
void type_print(str *out, const type *t);
void type_describe(str *out,
                   const type *t); /* for messages: the same, but numbers are 3 or s0, not Sym(3) */
const type *type_import(arena *a, symtab *syms, const type *t);

#endif
