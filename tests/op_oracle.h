/* What the simple rows of the op table mean, written without the table: integers in 64 bits and
 * then wrapped, halves exactly in double and then rounded. */
#ifndef SCANC_TESTS_OP_ORACLE_H
#define SCANC_TESTS_OP_ORACLE_H

#include "ir/op.h"
#include "scanc/scanc.h"

/* One value: i for integers and bools, f for floats. */
typedef struct {
  int64_t i;
  double f;
} plain;

typedef enum { ORACLE_NONE, ORACLE_EXACT, ORACLE_NEAR } oracle_kind;

/* The result of the row for operands of dtype d, as a value of dtype `to` (already wrapped or
 * rounded). NEAR: of a function of which the neighbouring values of `to` are right too. NONE: not
 * known here, or no such case (division by zero). */
oracle_kind op_oracle(op_id op, scanc_dtype d, scanc_dtype to, const plain *arg, plain *result);
/* A value of dtype `from` converted to `to`. */
plain convert_oracle(scanc_dtype from, scanc_dtype to, plain v);
/* Rounds to the nearest f16 or bf16, ties to even, by arithmetic in double. */
double round_half(double x, scanc_dtype d);
/* The integer as a value of an integer dtype or bool. */
int64_t wrap(int64_t x, scanc_dtype d);

#endif
