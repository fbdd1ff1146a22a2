/* The benchmark harness: what its files share.
 *
 * A workload is a program in PyTorch's printed form, a way to make its inputs from a seed, and C
 * functions that compute the same: references. The harness runs all of them on the same arrays in
 * one process, in turn, compares every result with that of the plain reference before a time
 * counts, and reports ratios of times that were measured side by side. */
#ifndef SCANC_BENCH_BENCH_H
#define SCANC_BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "scanc/scanc.h"

enum {
  BENCH_MAX_SIZES = 6,
  BENCH_MAX_CASES = 10,
  BENCH_MAX_ARRAYS = 16,
  BENCH_MAX_REFERENCES = 40
};

/* The sizes of one case, in the order of the workload's size_names. */
typedef struct {
  int64_t n[BENCH_MAX_SIZES];
  bool quick; /* belongs to --quick */
} bench_size;

/* How an input is filled: from the seed, the same numbers on every machine. */
typedef enum {
  FILL_NORMAL,  /* standard normal times `b` plus `a` (f32, f64; pairs for c64) */
  FILL_UNIFORM, /* in [a, b): floats; integers too */
  FILL_WHOLE,   /* whole numbers in [a, b), in any type: sums of them are exact in any order */
  FILL_FLAGS,   /* 1 with probability a, else 0 (bool and integers) */
  FILL_TIES, /* whole numbers in [a, b) that tend to grow along the array, so that the largest one
                so far comes again */
  FILL_TIES_NAN /* the same with a NaN after three quarters of them */
} bench_fill_kind;

typedef struct {
  bench_fill_kind kind;
  double a, b;
} bench_fill;

/* Computes what the program computes. in: the inputs in the order of the program's parameters, out:
 * its outputs in order, all contiguous; n: the sizes. May be called any number of times; allocates
 * nothing that it does not free. */
typedef void (*reference_fn)(void *const *in, void *const *out, const int64_t *n);

typedef enum {
  REF_PLAIN,  /* the scalar loop that says what is computed, with libm, not vectorised: the judge */
  REF_GOOD,   /* what a good C programmer writes in an hour, left to the compiler's optimiser */
  REF_KERNEL, /* specialised, with intrinsics */
  REF_LIBRARY /* somebody else's, in C or C++ */
} reference_kind;

typedef struct {
  reference_kind kind;
  bool reordered; /* computes in an order or a form that the program does not allow: shown, but
                     not what scanc is held to */
  const char *compiler; /* "gcc", "clang" */
  bool v3;              /* built with -march=x86-64-v3, else for this CPU */
  bool contract;        /* built with -ffp-contract=fast */
  const char *name;     /* of a kernel or library; NULL */
  reference_fn fn;
  bool team; /* all threads of the team compute together (team.h), as many as --threads says */
} reference;

typedef struct {
  const char *name; /* "cumsum_f32": letters, digits and _; the name of a case appends its sizes */
  int row;          /* of the suite, for the report */
  const char *what; /* one line in plain words */
  const char *size_names;            /* "n" or "b t d": what the sizes are called */
  bench_size sizes[BENCH_MAX_CASES]; /* ended by n[0] == 0 */
  /* Writes the program for these sizes. */
  void (*program)(FILE *to, const int64_t *n);
  bench_fill fill[BENCH_MAX_ARRAYS]; /* per input */
  /* Per input, other values that every function has to get right (NaN, ties, overflow): compared
   * before those of `fill`, not timed. b == a == 0 in the first: there are none. */
  bench_fill corner[BENCH_MAX_ARRAYS];
  double rtol, atol; /* of every result against the plain reference; integers are exact */
  /* So many times rtol and atol are allowed: more steps round more often. NULL: once. */
  double (*looser)(const int64_t *n);
  /* Per run of the program: bytes that must be moved (inputs once, outputs once), floating-point
   * operations, and the units that times are given per (elements, steps). */
  double (*bytes)(const int64_t *n);
  double (*flops)(const int64_t *n);
  double (*units)(const int64_t *n);
  const char *unit;            /* "element", "step" */
  const reference *references; /* ended by fn NULL; the first is REF_PLAIN with contract false */
} workload;

/* All workloads, ended by NULL (workloads.def). */
extern const workload *const workloads[];

#endif
