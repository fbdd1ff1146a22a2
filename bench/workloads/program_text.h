/* Program texts with sizes put in. */
#ifndef SCANC_BENCH_PROGRAM_TEXT_H
#define SCANC_BENCH_PROGRAM_TEXT_H

#include <stdint.h>
#include <stdio.h>

/* Writes `text`, in which $t stands for the size called t and $3h for three times the size called
 * h. names: what the sizes are called, single letters with a space between them, as in
 * workload.size_names; n: the sizes in that order. */
void program_text(FILE *to, const char *text, const char *names, const int64_t *n);

/* Writes one line of a body per line of `ops`, each "name operator operands...", all of the same
 * type, which is written like text above: "d sub a b" and "f32[$n]" become
 *
 *               d: "f32[64]" = torch.ops.aten.sub.Tensor(a, b)
 *
 * add, sub, mul and div get the overload Tensor, all others `default`. */
void program_ops(FILE *to, const char *type, const char *ops, const char *names, const int64_t *n);

#endif
