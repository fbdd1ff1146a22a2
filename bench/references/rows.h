/* Prefixes of one row by all threads of the team (../team.h), in the two ways that are known:
 * blocks that look back at those before them, and totals of equal parts before the results. For
 * files of this directory. */
#ifndef ROWS_H
#define ROWS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "../team.h"

/* What the elements of a stretch come to, one number per leaf. */
typedef struct {
  float leaf[2];
} summary;

typedef struct {
  /* The results of elements [from, from + n), behind what comes to `before`; returns what comes
   * before the next ones. */
  summary (*prefixes)(void *const *in, void *const *out, int64_t from, int64_t n, summary before);
  summary (*sum)(void *const *in, int64_t from, int64_t n); /* without results */
  summary (*join)(summary earlier, summary later);
  summary nothing; /* joins without effect */
} row_operation;

typedef struct {
  const row_operation *op;
  void *const *in, *const *out;
  int64_t n;
} row_job;

/* ---- blocks ---- */

/* Elements in a block: its arrays fit the second cache, so what is read twice is read from there.
 * Short rows have smaller ones. */
enum { BLOCK_ELEMENTS = 1 << 17, LEAST_ELEMENTS = 1 << 12, BLOCKS_EACH = 4, MOST_BLOCKS = 1 << 12 };

/* What others can see of a block. */
enum { UNKNOWN, HAS_SUM, HAS_ALL };

typedef struct {
  _Alignas(64) _Atomic int state;
  summary sum, all; /* of the block; of everything up to its end */
} block_facts;

typedef struct {
  row_job row;
  int64_t length, count; /* of blocks */
  _Atomic int64_t next;
  block_facts *facts;
} block_job;

static inline int block_state(const block_job *j, int64_t block) {
  return atomic_load_explicit(&j->facts[block].state, memory_order_acquire);
}

static inline void publish(block_job *j, int64_t block, int state) {
  atomic_store_explicit(&j->facts[block].state, state, memory_order_release);
}

/* What comes before the block: sums of blocks back to one that knows everything. */
static inline summary look_back(const block_job *j, int64_t block) {
  summary later = j->row.op->nothing;
  for (int64_t k = block - 1;; k--) {
    int state;
    for (unsigned turn = 0; (state = block_state(j, k)) == UNKNOWN; turn++) team_pause(turn);
    const block_facts *f = &j->facts[k];
    later = j->row.op->join(state == HAS_ALL ? f->all : f->sum, later);
    if (state == HAS_ALL) return later;
  }
}

static inline void one_block(block_job *j, int64_t block) {
  const row_job *r = &j->row;
  block_facts *f = &j->facts[block];
  int64_t from = block * j->length, n = r->n - from < j->length ? r->n - from : j->length;
  if (block == 0 || block_state(j, block - 1) == HAS_ALL) {
    f->all =
        r->op->prefixes(r->in, r->out, from, n, block ? j->facts[block - 1].all : r->op->nothing);
    publish(j, block, HAS_ALL);
    return;
  }
  f->sum = r->op->sum(r->in, from, n);
  publish(j, block, HAS_SUM);
  summary before = look_back(j, block);
  f->all = r->op->join(before, f->sum);
  publish(j, block, HAS_ALL);
  r->op->prefixes(r->in, r->out, from, n, before);
}

/* Blocks are taken in order, so nobody waits for one that nobody has. */
static inline void take_blocks(void *job, int member) {
  block_job *j = job;
  int64_t block;
  (void)member;
  while ((block = atomic_fetch_add_explicit(&j->next, 1, memory_order_relaxed)) < j->count)
    one_block(j, block);
}

static inline void row_by_blocks(const row_operation *op, void *const *in, void *const *out,
                                 int64_t n) {
  static block_facts facts[MOST_BLOCKS];
  int64_t length = BLOCK_ELEMENTS;
  while (length > LEAST_ELEMENTS && n / length < BLOCKS_EACH * team_size()) length /= 2;
  while ((n + length - 1) / length > MOST_BLOCKS) length *= 2;
  block_job j = {{op, in, out, n}, length, (n + length - 1) / length, 0, facts};
  for (int64_t k = 0; k < j.count; k++)
    atomic_store_explicit(&facts[k].state, UNKNOWN, memory_order_relaxed);
  team_run(take_blocks, &j);
}

/* ---- equal parts ---- */

enum { MOST_PARTS = 256, PART_MULTIPLE = 64 };

typedef struct {
  row_job row;
  int parts;
  _Atomic int arrived;
  summary sum[MOST_PARTS];
} part_job;

static inline int64_t part_begin(const part_job *j, int part) {
  int64_t unit = j->row.n / PART_MULTIPLE * part / j->parts * PART_MULTIPLE;
  return part == j->parts ? j->row.n : unit;
}

static inline void one_part(void *job, int member) {
  part_job *j = job;
  const row_job *r = &j->row;
  int64_t from = part_begin(j, member), n = part_begin(j, member + 1) - from;
  summary before = r->op->nothing;
  if (member < j->parts - 1) j->sum[member] = r->op->sum(r->in, from, n);
  atomic_fetch_add_explicit(&j->arrived, 1, memory_order_acq_rel);
  for (unsigned turn = 0; atomic_load_explicit(&j->arrived, memory_order_acquire) < j->parts;
       turn++)
    team_pause(turn);
  for (int k = 0; k < member; k++) before = r->op->join(before, j->sum[k]);
  r->op->prefixes(r->in, r->out, from, n, before);
}

static inline void row_by_parts(const row_operation *op, void *const *in, void *const *out,
                                int64_t n) {
  part_job j = {.row = {op, in, out, n}, .parts = team_size()};
  team_run(one_part, &j);
}

#endif
