/* The entry of a program: kernels called one after the other on pieces of buffers.
 *
 * An emitted entry has the type kernel_fn: bufs are the buffers of the program, ints its integer
 * parameters, from which `code` computes every size, stride and place. It returns 0, or 1 + the
 * index of the first data error in the order of the steps; negative: a host step failed and the
 * rest was not done. */
#ifndef SCANC_LOOP_ENTRY_H
#define SCANC_LOOP_ENTRY_H

#include "ir/sym_code.h"
#include "loop/loop.h"
#include "loop/split.h"

/* What a host gives to an entry that has host steps or may use threads; part of its binary
 * interface. */
struct scanc_par {
  /* Does step `index`. Returns 0, 1 for a data error, -1 when it failed. */
  int32_t (*host_step)(void *host, int32_t index);
  void *host;
  /* Calls fn(arg, i) once for every 0 <= i < n, in any order, some of them maybe at the same time,
   * and returns when all are done. NULL: one thread. */
  void (*for_each)(void *pool, void (*fn)(void *arg, int32_t i), void *arg, int32_t n);
  void *pool;
  int32_t threads; /* the most that are of use at the same time */
  int64_t worth;   /* a thread: that much work, in picoseconds by the measure of split.h; >= 1 */
};

/* bufs[buffer] + the value `offset`, in bytes. */
typedef struct {
  int buffer, offset;
} entry_place;

typedef enum {
  STEP_KERNEL, /* calls kernel k */
  STEP_NUMBER, /* stores a value as i64 at place[0] */
  STEP_HOST    /* asks the host to do step `host` */
} step_kind;

typedef struct {
  step_kind kind;
  const kernel *k;
  const kernel_split *split; /* how k is cut for threads; NULL: it is not */
  const int *ints;           /* value per integer parameter of k */
  const entry_place *place;  /* per buffer of k */
  int needs;                 /* the step is left out when this value is 0; -1: never */
  int value;                 /* NUMBER */
  int host;                  /* HOST */
  int fault_base;            /* of its data errors */
} entry_step;

typedef struct {
  arena *mem;
  const char *name; /* symbol */
  int n_buffers, n_params;
  int_code code;
  VEC(entry_step) steps;
} entry_point;

/* Everything that the code depends on, for people and as the key of the cache. */
void entry_print(str *out, const entry_point *e);

#endif
