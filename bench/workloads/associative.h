/* Programs that are one associative scan over one or more arrays of the same sizes. */
#ifndef SCANC_BENCH_ASSOCIATIVE_H
#define SCANC_BENCH_ASSOCIATIVE_H

#include <stdint.h>
#include <stdio.h>

enum { ASSOCIATIVE_MAX_LEAVES = 6, ASSOCIATIVE_MAX_LINES = 22 };

/* One array that is scanned. */
typedef struct {
  const char *name, *type; /* "a", "f32"; in the combine function the earlier element is called a,
                              the later one a_1 */
  const char *made;        /* NULL: a parameter of the program; "zeros_like.default(x)" of one */
  int returned;            /* 1: its prefixes are a result of the program */
} associative_leaf;

/* body: the lines of the combine function, made with COMBINE, and RETURN. */
typedef struct {
  associative_leaf leaf[ASSOCIATIVE_MAX_LEAVES + 1]; /* ended by name NULL */
  const char *body[ASSOCIATIVE_MAX_LINES];           /* ended by NULL */
} associative;

/* call: without torch.ops.aten, for example "add.Tensor(a, a_1)". */
#define COMBINE(result, type, call) \
  "            " result ": \"" type "[@]\" = torch.ops.aten." call "\n"
#define RETURN(leaves) "            return [" leaves "]\n"

/* Writes the program for arrays of these sizes, scanned along `axis`. */
void associative_program(FILE *to, const associative *what, int rank, const int64_t *sizes,
                         int axis);

/* The same for sizes "o t i", scanned along t: an outer or inner axis of size 1 is left out. */
void associative_program_oti(FILE *to, const associative *what, const int64_t *n);

/* Programs that apply the operator `op`, called as aten.op.default(x, axis), to an f32 array of
 * such sizes. */
void prefix_op_program(FILE *to, const char *op, const int64_t *n);

/* o * t * i. */
double oti_elements(const int64_t *n);

/* Sizes as "[8, 64]". */
void print_sizes(FILE *to, int rank, const int64_t *sizes);

#endif
