/* Host ops: C functions of scalars that stand in graphs as elementwise operators
 * (scanc_register_op in scanc.h). They are global to the process, are never removed, and once found
 * are read without a lock. A call of one is a node whose op has the id OP_host_call and points to
 * the functions of that name, one per choice of operand dtypes. */
#ifndef SCANC_IR_HOST_OP_H
#define SCANC_IR_HOST_OP_H

#include "base/str.h"
#include "ir/op.h"

enum { HOST_MAX_OPERANDS = 8 };

/* What of the result of `symbol` a call gives: all of it, or one part of the complex number that a
 * function of libm returns, whose operands are pairs of parts (complex_fn.h). */
typedef enum { PART_ALL, PART_REAL, PART_IMAGINARY } host_part;

/* One function. Plain data: code generators read it without calling back. */
typedef struct host_fn {
  const char *symbol; /* its C name: what object files call; unique */
  void (*fn)(void);
  int n_operands;
  scanc_dtype operand[HOST_MAX_OPERANDS], result;
  host_part part;
  const struct host_cif *cif;   /* prepared for libffi; NULL for a part, which `fn` computes */
  struct host_fn *_Atomic next; /* of the same name */
} host_fn;

/* What a call passes: a tensor of `dtype`, or a number of class 'b', 'i' or 'f'. */
typedef struct {
  bool tensor;
  scanc_dtype dtype;
  char cls;
} host_arg;

/* The op that the path of a call names ("torch.ops.mylib.softclip.default", "softclip"), NULL. */
const op_info *host_op_find(const char *path);
/* The path under which the i-th op is found, NULL past the end. */
const char *host_op_path(int i);

/* The function of the op for these arguments (op->n_operands): tensors have exactly the dtype of
 * the operand, and numbers are of its class or of a lower one. NULL: none. */
const host_fn *host_op_select(const op_info *op, const host_arg *args);
/* "(f32, f32) or (f64, f64)": the operand dtypes of all functions. */
void host_op_describe(str *out, const op_info *op);

/* out = f(in[0], in[1], ...) for n elements each; strides in bytes. The results do not overlap the
 * operands, or are at the same places. Thread-safe. */
void host_fn_call(const host_fn *f, int64_t n, char *out, int64_t out_stride, const char *const *in,
                  const int64_t *strides);

#endif
