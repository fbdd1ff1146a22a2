/* A code generator that makes no code: kernels are kept as loop IR and executed by the evaluator.
 * Built as a library with the name of the real one, so that a test program beside it runs whole
 * programs through lowering, schedules, plans and the evaluator, without LLVM. Emitted functions
 * know nothing but their arguments, so there is a fixed number of functions, each for one slot. */
#include <pthread.h>
#include <string.h>

#include "loop/codegen.h"
#include "loop/target.h"

enum { MAX_CODE = 4096 };

struct codegen_code {
  arena *mem;
  const kernel *k; /* or */
  const entry_point *e;
  bool fma;
  int slot;
};

static codegen_code *slots[MAX_CODE];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- copies, as the originals do not last ---- */

#define COPY(mem, from, n) ((n) ? arena_copy((mem), (from), sizeof *(from) * (size_t)(n)) : NULL)

static void copy_body(arena *mem, const kernel *k, stmt_list *body) {
  body->data = COPY(mem, body->data, body->len);
  for (stmt *s = body->data; s < body->data + body->len; s++) {
    if (s->kind == ST_LOAD || s->kind == ST_STORE)
      s->index = COPY(mem, s->index, k->buffers.data[s->buffer].n_dims);
    if (s->kind != ST_LOOP) continue;
    s->loop = arena_copy(mem, s->loop, sizeof *s->loop);
    s->loop->carry = COPY(mem, s->loop->carry, s->loop->n_carry);
    copy_body(mem, k, &s->loop->body);
  }
}

/* Names are left out: nothing prints the copy. */
static kernel *copy_kernel(arena *mem, const kernel *from) {
  kernel *k = arena_copy(mem, from, sizeof *from);
  k->mem = mem;
  k->axes.data = COPY(mem, from->axes.data, from->axes.len);
  k->buffers.data = COPY(mem, from->buffers.data, from->buffers.len);
  for (int i = 0; i < k->buffers.len; i++)
    k->buffers.data[i].dims = COPY(mem, from->buffers.data[i].dims, from->buffers.data[i].n_dims);
  k->values.data = COPY(mem, from->values.data, from->values.len);
  k->faults.data = COPY(mem, from->faults.data, from->faults.len);
  copy_body(mem, k, &k->body);
  return k;
}

static kernel_split *copy_split(arena *mem, const kernel *k, const kernel_split *from) {
  if (!from) return NULL;
  kernel_split *s = arena_copy(mem, from, sizeof *from);
  s->part = COPY(mem, from->part, from->n_part);
  for (int i = 0; i < s->n_part; i++)
    s->part[i].factor = COPY(mem, from->part[i].factor, from->part[i].n_factors);
  s->buffer = COPY(mem, from->buffer, k->buffers.len);
  return s;
}

static entry_point *copy_entry(arena *mem, const entry_point *from) {
  entry_point *e = arena_copy(mem, from, sizeof *from);
  e->mem = mem;
  e->code.data = COPY(mem, from->code.data, from->code.len);
  e->steps.data = COPY(mem, from->steps.data, from->steps.len);
  for (int i = 0; i < e->steps.len; i++) {
    entry_step *s = &e->steps.data[i];
    int n_places = s->kind == STEP_NUMBER ? 1 : 0;
    if (s->kind == STEP_KERNEL) {
      s->k = copy_kernel(mem, s->k);
      s->split = copy_split(mem, s->k, s->split);
      s->ints = COPY(mem, s->ints, s->k->ints.len);
      n_places = s->k->buffers.len;
    }
    s->place = COPY(mem, s->place, n_places);
  }
  return e;
}

/* ---- execution ---- */

/* The place of an empty tensor may lie before its buffer. */
static void *at_place(void *const *bufs, const entry_place *p, const int64_t *values) {
  return (void *)((uintptr_t)bufs[p->buffer] + (uintptr_t)values[p->offset]);
}

/* A kernel that is evaluated piece by piece. */
typedef struct {
  const entry_step *s;
  void **places;
  int64_t *ints;
  bool fma;
  int32_t n;
  _Atomic int32_t status;
} in_pieces;

static void run_piece(void *arg, int32_t i) {
  in_pieces *p = arg;
  const kernel *k = p->s->k;
  arena *tmp = arena_new();
  int64_t *ints = arena_copy(tmp, p->ints, sizeof *ints * (size_t)(k->ints.len + 1));
  void **places = arena_copy(tmp, p->places, sizeof *places * (size_t)(k->buffers.len + 1));
  split_piece(k, p->s->split, i, p->n, places, ints);
  int32_t status = kernel_eval(k, places, ints, p->fma);
  if (status) p->status = status;
  arena_free(tmp);
}

/* However little work there is, so that every kernel is tested in pieces. */
static int32_t run_kernel(const entry_step *s, void *const *bufs, const int64_t *values,
                          const scanc_par *par, bool fma) {
  arena *tmp = arena_new();
  in_pieces p = {.s = s, .fma = fma, .n = par ? par->threads : 1};
  p.ints = ARENA_ARRAY(tmp, int64_t, s->k->ints.len + 1);
  p.places = ARENA_ARRAY(tmp, void *, s->k->buffers.len + 1);
  for (int i = 0; i < s->k->ints.len; i++) p.ints[i] = values[s->ints[i]];
  for (int i = 0; i < s->k->buffers.len; i++) p.places[i] = at_place(bufs, &s->place[i], values);
  if (s->split && par && par->for_each) par->for_each(par->pool, run_piece, &p, p.n);
  else p.status = kernel_eval(s->k, p.places, p.ints, fma);
  arena_free(tmp);
  return p.status;
}

static int32_t run_step(const entry_step *s, void *const *bufs, const int64_t *values,
                        const scanc_par *par, bool fma) {
  if (s->needs >= 0 && !values[s->needs]) return 0;
  if (s->kind == STEP_HOST) return par->host_step(par->host, s->host);
  if (s->kind == STEP_KERNEL) return run_kernel(s, bufs, values, par, fma);
  memcpy(at_place(bufs, &s->place[0], values), &values[s->value], sizeof(int64_t));
  return 0;
}

static int32_t run_entry(const codegen_code *c, void *const *bufs, const int64_t *ints,
                         const scanc_par *par) {
  arena *tmp = arena_new();
  int64_t *values = ARENA_ARRAY(tmp, int64_t, c->e->code.len + 1);
  int32_t first = 0;
  int_code_run(&c->e->code, ints, values);
  for (int i = 0; i < c->e->steps.len; i++) {
    const entry_step *s = &c->e->steps.data[i];
    int32_t status = run_step(s, bufs, values, par, c->fma);
    if (status < 0) {
      first = status;
      break;
    }
    if (status && !first) first = s->fault_base + status;
  }
  arena_free(tmp);
  return first;
}

static int32_t run_slot(int slot, void *const *bufs, const int64_t *ints, const scanc_par *par) {
  const codegen_code *c = slots[slot];
  return c->k ? kernel_eval(c->k, bufs, ints, c->fma) : run_entry(c, bufs, ints, par);
}

/* ---- one function per slot ---- */

/* clang-format off */
#define F1(n) \
  static int32_t run_##n(void *const *bufs, const int64_t *ints, const scanc_par *par) { \
    return run_slot(0x##n, bufs, ints, par); \
  }
#define TIMES16(M, n) \
  M(n##0) M(n##1) M(n##2) M(n##3) M(n##4) M(n##5) M(n##6) M(n##7) \
  M(n##8) M(n##9) M(n##a) M(n##b) M(n##c) M(n##d) M(n##e) M(n##f)
#define F16(n) TIMES16(F1, n)
#define F256(n) \
  F16(n##0) F16(n##1) F16(n##2) F16(n##3) F16(n##4) F16(n##5) F16(n##6) F16(n##7) \
  F16(n##8) F16(n##9) F16(n##a) F16(n##b) F16(n##c) F16(n##d) F16(n##e) F16(n##f)
#define ALL(M) M(0) M(1) M(2) M(3) M(4) M(5) M(6) M(7) M(8) M(9) M(a) M(b) M(c) M(d) M(e) M(f)
#define N1(n) run_##n,
#define N16(n) TIMES16(N1, n)
#define N256(n) \
  N16(n##0) N16(n##1) N16(n##2) N16(n##3) N16(n##4) N16(n##5) N16(n##6) N16(n##7) \
  N16(n##8) N16(n##9) N16(n##a) N16(n##b) N16(n##c) N16(n##d) N16(n##e) N16(n##f)
/* clang-format on */

ALL(F256)
static const kernel_fn functions[MAX_CODE] = {ALL(N256)};

/* ---- the interface ---- */

static codegen_code *add(const kernel *k, const entry_point *e, const char *cpu, str *err) {
  target t;
  arena *mem = arena_new();
  codegen_code *c = ARENA_NEW(mem, codegen_code);
  *c = (codegen_code){.mem = mem, .slot = -1};
  if (k) c->k = copy_kernel(mem, k);
  else c->e = copy_entry(mem, e);
  c->fma = target_get(cpu, &t) && t.fma;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < MAX_CODE && c->slot < 0; i++)
    if (!slots[i]) slots[c->slot = i] = c;
  pthread_mutex_unlock(&lock);
  if (c->slot >= 0) return c;
  str_append(err, "the evaluator has no slot left");
  arena_free(mem);
  return NULL;
}

static codegen_code *compile_kernel(const kernel *k, const char *cpu, str *err) {
  return add(k, NULL, cpu, err);
}

static codegen_code *compile_entry(const entry_point *e, const char *cpu, str *err) {
  return add(NULL, e, cpu, err);
}

static kernel_fn entry_of(const codegen_code *c) { return functions[c->slot]; }

static void free_code(codegen_code *c) {
  if (!c) return;
  pthread_mutex_lock(&lock);
  slots[c->slot] = NULL;
  pthread_mutex_unlock(&lock);
  arena_free(c->mem);
}

static bool emit(const kernel *k, const char *cpu, codegen_form form, str *out, str *err) {
  (void)k, (void)cpu, (void)form, (void)out;
  str_append(err, "the evaluator emits nothing");
  return false;
}

static const codegen_api api = {.version = CODEGEN_VERSION,
                                .compile = compile_kernel,
                                .compile_entry = compile_entry,
                                .entry = entry_of,
                                .free = free_code,
                                .emit = emit};

__attribute__((visibility("default"))) const codegen_api *scanc_codegen_api(void);
const codegen_api *scanc_codegen_api(void) { return &api; }
