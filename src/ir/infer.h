/* Inference of types: one rule per op, used when a node is created (with symbolic sizes) and by the
 * interpreter (with concrete ones). Rules are named infer_<rule> as the op's row says, live in
 * infer_*.c, and are declared by ops.def. */
#ifndef SCANC_IR_INFER_H
#define SCANC_IR_INFER_H

#include "base/err.h"
#include "ir/op.h"
#include "ir/type.h"

typedef struct infer_ctx {
  arena *mem;
  symtab *syms;
  const op_info *op;
  const type *const *arg; /* one per operand, never NULL unless the operand's type is unknown;
                             TYPE_ABSENT if not given */
  bool lenient; /* sizes that cannot be compared (s0 against s1) count as equal: an annotation
                   vouches, and the program checks when it runs */
  struct scanc_module *mod;      /* NULL in the interpreter */
  const struct scan_attrs *scan; /* of a canonical scan, else NULL */
  scanc_error *err;
  src_loc loc;
  const char *what; /* name of the node, for messages */
} infer_ctx;

/* Result type of the op, NULL after an error (recorded in c->err) or when it is unknown (no error).
 */
const type *infer_op(infer_ctx *c);
/* Records an error "<name>: message" and returns NULL. */
#define infer_fail(...) (infer_record(__VA_ARGS__), infer_nothing())
void infer_record(infer_ctx *c, scanc_code code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static inline const type *infer_nothing(void) { return NULL; }

/* ---- for rules: arguments ---- each returns false after recording an error */
bool arg_given(const infer_ctx *c, int k); /* neither absent nor None */
bool arg_tensor(infer_ctx *c, int k, const type **out);
bool arg_axis(infer_ctx *c, int k, int rank,
              int *out); /* negative counts from the end; rank 0 allows 0 and -1 */
bool arg_axes(infer_ctx *c, int k, int rank, int *axes,
              int *n);                           /* int or list; None or empty list: n = 0 */
bool arg_int(infer_ctx *c, int k, int64_t *out); /* a constant */
bool arg_int_or(infer_ctx *c, int k, int64_t dflt, int64_t *out); /* dflt where None or absent */
bool arg_dim(infer_ctx *c, int k, dim *out);                      /* possibly symbolic */
bool arg_dims(infer_ctx *c, int k, dim *out,
              int *n); /* list (or one int) of at most SCANC_MAX_RANK */
bool arg_bool_or(infer_ctx *c, int k, bool dflt, bool *out);
bool arg_dtype_or(infer_ctx *c, int k, scanc_dtype dflt, scanc_dtype *out);
bool arg_str_or(infer_ctx *c, int k, const char *dflt, const char **out);
/* Tensors of a list argument. */
bool arg_tensors(infer_ctx *c, int k, const type *const **out, int *n);

/* ---- for rules: sizes and dtypes ---- */
/* True if the sizes are equal or may be taken as equal (lenient). No error recorded. */
bool dims_agree(const infer_ctx *c, dim a, dim b);
/* Right-aligned broadcasting of b into out[0..*rank); a symbol never broadcasts, only a literal 1
 * does. */
bool infer_broadcast(infer_ctx *c, dim *out, int *rank, const dim *b, int b_rank);
/* Promotion over tensors and Python numbers, by PyTorch's rules. */
bool infer_promote(infer_ctx *c, const type *const *args, int n, scanc_dtype *out);
/* Type promotion step by step: operands of rank above 0, 0-d tensors and Python numbers count in
 * this order, a later group only where it is of a higher class than the earlier ones.
 * Zero-initialise. */
typedef struct {
  scanc_dtype dtype[3];
  bool has[3];
} promotion;
void promotion_tensor(promotion *p, scanc_dtype d, int rank);
void promotion_number(promotion *p, char cls); /* 'b' 'i' 'f' 'c' */
char infer_number_class(const type *t);        /* of a Python number */
scanc_dtype promotion_result(const promotion *p);
/* The promoted dtype in which an elementwise op stands (f16 stays f16): integers become f32 where
 * promo says so. */
scanc_dtype promotion_of_op(const op_info *op, const promotion *p);
/* For elementwise ops: the dtype to compute in (f32 for f16 and bf16) and that of the result, from
 * c->arg. */
bool infer_elementwise(infer_ctx *c, scanc_dtype *compute, scanc_dtype *result);
/* Of ops with T_FITS: every number that the program gives fits the element type d. */
bool infer_numbers_fit(infer_ctx *c, scanc_dtype d);
/* For host ops: the function that takes arguments of these types, NULL after an error. */
struct host_fn;
const struct host_fn *infer_host_fn(infer_ctx *c);
const type *infer_tensor(infer_ctx *c, scanc_dtype d, const dim *dims,
                         int rank); /* checks sizes for overflow */
/* A tensor of dtype d with the shape that all tensor operands broadcast to. */
const type *infer_broadcast_all(infer_ctx *c, scanc_dtype d);
dim infer_numel(infer_ctx *c, const type *t);

/* the rules */
#define EW1(name, ...)
#define EW2(name, ...)
#define EW3(name, ...)
#define EW4(name, ...)
#define SYM(name, sig, traits, rule, ...) const type *infer_##rule(infer_ctx *c);
#define COMP(name, sig, traits, rule) const type *infer_##rule(infer_ctx *c);
#define OP(name, sig, traits, rule) const type *infer_##rule(infer_ctx *c);
#include "ir/ops.def"

#endif
