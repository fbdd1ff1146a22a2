/* Random programs for differential tests: generate.c and statements.c and bodies.c build a module
 * and print it as PyTorch would, inputs.c makes arrays for its inputs, execute.c runs it through
 * every executor and compares, main.c counts. Everything follows from one 64-bit seed. */
#ifndef SCANC_TESTS_RANDOM_H
#define SCANC_TESTS_RANDOM_H

#include "ir/build.h"
#include "ir/graph.h"
#include "scanc/scanc.h"

/* ---- random numbers ---- */

typedef struct {
  uint64_t state;
} rng;

rng rng_make(uint64_t seed);
uint64_t rng_next(rng *r);
int below(rng *r, int n);         /* 0 <= result < n */
bool chance(rng *r, int percent); /* true in so many of 100 cases */
uint64_t mix(uint64_t seed, uint64_t k);
#define PICK(r, array) ((array)[below((r), (int)(sizeof(array) / sizeof *(array)))])

/* ---- programs ---- */

enum { MAX_PORTS = 12, N_ROUNDS = 3 };

/* The text of program `seed`. Free it. */
str generate(uint64_t seed);
/* Which operators of the table the bodies of all programs so far had, and which they had not. */
void print_coverage(void);

/* ---- inputs ---- */

/* The size that symbol `name` has in round `round` (< N_ROUNDS) of the runs of program `seed`: one
 * of a long dimension where the name begins with s9. */
int64_t symbol_size(uint64_t seed, int round, const char *name);
/* An owned array with random layout and random elements; `writable`: no element has two indices. */
scanc_tensor random_array(rng *r, rng *layout, scanc_dtype d, int rank, const int64_t *sizes,
                          bool writable);
/* An owned array for input i. Its layout is the same in all rounds, but for one in four programs:
 * every layout is compiled for. */
scanc_tensor random_input(rng *r, const scanc_port *in, int i, uint64_t seed, int round);

/* ---- execution ---- */

typedef struct {
  int programs, runs, errors; /* errors: runs that end in the same data or size error everywhere */
  int compiled, refused, threaded, cut, given, in_place, contracted, as_loops;
  int level[4];
} counts;

extern const char *const levels[4];

/* Runs the program through executors, which its seed chooses, and compares. Returns false after
 * printing what differs. */
bool check_program(const str *text, uint64_t seed, counts *c);
void print_refusals(void);

#endif
