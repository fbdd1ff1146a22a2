/* Symbolic sizes as straight-line code: what programs evaluate once per call, and what the code
 * generator emits. Value i is the result of op i; equal expressions share a value. */
#ifndef SCANC_IR_SYM_CODE_H
#define SCANC_IR_SYM_CODE_H

#include "base/vec.h"
#include "ir/sym.h"

typedef enum {
  INT_CONST, /* k */
  INT_PARAM, /* parameter k: the k-th symbol of the table */
  INT_ADD,   /* of values a and b, as are the following */
  INT_MUL,
  INT_FLOORDIV, /* Python's */
  INT_MOD,
  INT_MAX,
  INT_MIN
} int_op_kind;

typedef struct {
  int_op_kind kind;
  int a, b;
  int64_t k;
} int_op;

typedef VEC(int_op) int_code;

/* The value that d has; -1 if it has a function without code. */
int int_code_add(arena *mem, int_code *code, dim d);
/* values: one per op. False when a divisor is zero or 64 bits overflow. */
bool int_code_run(const int_code *code, const int64_t *params, int64_t *values);

#endif
