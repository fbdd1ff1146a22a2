/* Evaluation of ops by the interpreter: one function per structural op, eval_<op>, declared by
 * ops.def; elementwise ops come from the table's expressions (eval_elementwise.c); symbolic-integer
 * ops from eval_sym.c; composite ops are decomposed before anything runs, so they need none. */
#ifndef SCANC_RUNTIME_EVAL_H
#define SCANC_RUNTIME_EVAL_H

#include "ir/graph.h"
#include "runtime/tensor.h"

/* A run-time value; kind as in type.h. */
typedef struct rval rval;
struct rval {
  type_kind kind; /* ABSENT NONE TENSOR INT FLOAT BOOL COMPLEX STR DTYPE LIST SLICE GRAPH OTHER */
  int n;          /* LIST; SLICE: 3 */
  union {
    tensor *t;
    int64_t i; /* INT, BOOL */
    struct {
      double f, im; /* FLOAT, COMPLEX */
    };
    const char *s;
    scanc_dtype dtype;
    rval *items;
    graph *sub;
  };
};

/* Everything an evaluation function sees. The framework has inferred the result types for these
 * concrete operands and, unless the op has trait T_VIEW, T_ALIAS_OK or T_DYNAMIC, allocated
 * contiguous outputs of those types. T_VIEW, T_ALIAS_OK: out[k] has the inferred dtype, rank and
 * sizes; the function fills data and strides. An output whose store is still NULL afterwards takes
 * that of operand 0; one made by eval_alloc, or whose store the function set (with storage_retain),
 * keeps its own. */
typedef struct eval_ctx {
  const op_info *op;
  const rval *arg; /* one per operand, in the order of the op's signature, defaults filled in */
  int n_arg;
  tensor *out; /* n_out results: fill the elements, see above */
  int n_out;
  rval *scalar_out; /* ops whose result is a Python number (item, sym_size): set kind and value;
                       n_out is 0 */
  pool *mem;
  arena *tmp; /* scratch, reset after the call */
  struct interp *in;
  scanc_error *err; /* with eval_fail / eval_data_error */
} eval_ctx;

typedef bool (*eval_fn)(eval_ctx *c); /* false after eval_fail or when memory ran out */

/* A failure that stops the run. Returns false. */
#define eval_fail(...) (eval_record(__VA_ARGS__), err_false())
void eval_record(eval_ctx *c, scanc_code code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* A data error (docs/design.md, Errors): recorded with node and line; the run goes on with a safe
 * operand and scanc_run returns SCANC_ERR_DATA at the end. The first one (smallest step) wins. */
void eval_data_error(eval_ctx *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* T_DYNAMIC: allocates output k, contiguous. */
bool eval_alloc(eval_ctx *c, int k, scanc_dtype d, const int64_t *sizes, int rank);
/* A contiguous copy (or the tensor itself if it is contiguous and of dtype d) in pool memory,
 * released after the call. */
const tensor *eval_contiguous(eval_ctx *c, const tensor *t, scanc_dtype d);

/* Argument helpers; infer has already checked them. */
const tensor *eval_tensor(const eval_ctx *c, int k);
bool eval_given(const eval_ctx *c, int k);
int64_t eval_int_or(const eval_ctx *c, int k, int64_t dflt);
bool eval_bool_or(const eval_ctx *c, int k, bool dflt);
double eval_float_or(const eval_ctx *c, int k, double dflt);
int eval_axis(const eval_ctx *c, int k, int rank);
int eval_axes(const eval_ctx *c, int k, int rank, int *axes); /* number of axes; None or empty: 0 */
number eval_number(const eval_ctx *c, int k); /* of a scalar argument or a 0-d tensor */
/* Argument k of a window over n of 3 axes: the numbers at v[3 - n] and on; those before, and
 * missing ones, are `fill`. */
void eval_spatial(const eval_ctx *c, int k, int n, int64_t fill, int64_t *v);

/* Any EW row: operands are tensors of any dtype and strides or numbers, out[0] is allocated in the
 * inferred type. */
bool eval_elementwise(eval_ctx *c);
/* Any SYM row: operands are numbers, the result goes to scalar_out. */
bool eval_sym(eval_ctx *c);

#define EW1(name, ...)
#define EW2(name, ...)
#define EW3(name, ...)
#define EW4(name, ...)
#define SYM(name, ...)
#define COMP(name, ...)
#define OP(name, ...) bool eval_##name(eval_ctx *c);
#include "ir/ops.def"

#endif
