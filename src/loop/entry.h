/* The entry of a program: kernels called one after the other on pieces of buffers, in loops and
 * branches where a scan or a branch of the program has no kernel of its own.
 *
 * An emitted entry has the type kernel_fn: bufs are the buffers of the program (followed by room
 * for n_moving pointers if there are host steps), ints its integer parameters, from which `code`
 * computes every size, stride and place. It returns 0, or 1 + the index of the first data error in
 * the order of the steps; negative: a host step failed and the rest was not done. */
#ifndef SCANC_LOOP_ENTRY_H
#define SCANC_LOOP_ENTRY_H

#include "ir/sym_code.h"
#include "loop/loop.h"
#include "loop/split.h"
#include "loop/watch.h"

typedef struct scanc_chain scanc_chain;

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
  /* Computes an associative scan in up to n pieces of for_each. NULL: there are no threads. */
  void (*chain)(const scanc_par *par, const scanc_chain *c, int32_t n);
};

/* An associative scan of one row by stretches (ir/prefix.h): the kernels of its entries
 * (scan_nest.h) and what they are for. */
typedef enum {
  CHAIN_FIRST, /* the first stretch: its results, and what comes before the second one */
  CHAIN_LATER, /* another one, from what comes before it: results, and what comes before the next */
  CHAIN_AGAIN, /* its results alone: the same kernel, with another place for the total */
  CHAIN_TOTAL, /* the total of a stretch on its own */
  CHAIN_JOIN,  /* what comes before a stretch and its total: what comes before the next one */
  CHAIN_ROLES
} chain_role;
enum { CHAIN_LENGTH = 0 }; /* the integer parameter of each that tells the number of elements */

/* A kernel and its arguments for stretch 0; those for stretch k: buffers k * advance bytes further,
 * and the length. Part of the binary interface. */
typedef struct {
  kernel_fn fn;
  void *const *bufs;
  const int64_t *advance; /* per buffer */
  const int64_t *ints;
  int32_t n_bufs, n_ints;
  int64_t less; /* than the number of elements: what the kernel gets as length */
} scanc_chain_call;

struct scanc_chain {
  scanc_chain_call call[CHAIN_ROLES];
  int64_t length; /* elements */
  int64_t cut;    /* of a stretch */
  int32_t *flags; /* one per stretch, for the one who computes them */
};

/* bufs[buffer] + the value `offset`, in bytes. */
typedef struct {
  int buffer, offset;
} entry_place;

/* A buffer that a loop moves: in the first iteration it is at `start`, from one to the next it
 * moves by a number of bytes or trades places with another one. After the loop it stays where the
 * next iteration would find it. */
typedef struct {
  int buffer; /* its number */
  entry_place start;
  int step;  /* value: bytes; -1: it trades */
  int trade; /* index among the moves of the loop of the one it trades with */
} entry_move;

typedef struct {
  const kernel *k;
  const int *ints;          /* value per integer parameter */
  const entry_place *place; /* per buffer */
  const int *advance;       /* per buffer: value */
  int n_bufs, less;
} entry_chain_call;

typedef struct {
  entry_chain_call call[CHAIN_ROLES];
  int length;    /* value */
  int64_t least; /* of it, for the stretches to be worth a thought */
  int64_t cut;
  entry_place flags;
  int64_t picoseconds; /* per element, roughly */
} entry_chain;

typedef enum {
  STEP_KERNEL, /* calls kernel k */
  STEP_NUMBER, /* stores a value as i64 at place[0] */
  STEP_HOST,   /* asks the host to do step `host` */
  STEP_LOOP,   /* the steps up to its STEP_END, `value` times; -1: until a STEP_LEAVE */
  STEP_LEAVE,  /* leaves the loop around, unless the bool at place[0] is true */
  STEP_WATCH,  /* ends the entry with a data error if what the endless loop around carries repeats
                  (watch.h) */
  STEP_IF,     /* the steps up to its STEP_ELSE if the bool at place[0] is true, else those after */
  STEP_ELSE,
  STEP_END /* of a LOOP or an IF */
} step_kind;

typedef struct {
  step_kind kind;
  const kernel *k;
  const kernel_split *split; /* how k is cut for threads; NULL: it is not */
  const entry_chain *chain;  /* how threads compute it by stretches; NULL: they do not */
  const int *ints;           /* value per integer parameter of k; WATCH: bytes per thing carried */
  const entry_place *place;  /* per buffer of k; WATCH: of each thing carried, then of each copy */
  int n_watched;             /* WATCH: things carried */
  int needs;                 /* the step is left out when this value is 0; -1: never */
  int value;                 /* NUMBER, LOOP */
  int host;                  /* HOST */
  const entry_move *moves;   /* LOOP */
  int n_moves;
  int fault_base; /* of its data errors */
} entry_step;

typedef struct {
  arena *mem;
  const char *name;        /* symbol */
  int n_buffers, n_params; /* buffers are those of the caller */
  int n_moving; /* buffers that loops move have the numbers from n_buffers on; before a host
                   step the entry puts their places behind the caller's in bufs */
  int_code code;
  VEC(entry_step) steps;
} entry_point;

/* Everything that the code depends on, for people and as the key of the cache. */
void entry_print(str *out, const entry_point *e);

#endif
