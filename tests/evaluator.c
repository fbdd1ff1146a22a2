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
    int n_places = s->kind == STEP_NUMBER || s->kind == STEP_LEAVE || s->kind == STEP_IF;
    if (s->kind == STEP_WATCH) n_places = 2 * s->n_watched;
    if (s->kind == STEP_WATCH) s->ints = COPY(mem, s->ints, s->n_watched);
    s->moves = COPY(mem, s->moves, s->n_moves);
    if (s->kind == STEP_KERNEL) {
      s->k = copy_kernel(mem, s->k);
      s->chain = NULL;
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

/* A call of an entry. */
typedef struct {
  const entry_point *e;
  void **bufs; /* with those that move */
  const int64_t *values;
  const scanc_par *par;
  bool fma, left; /* left: the innermost loop */
  int32_t first;  /* data error; negative: a host step failed */
  int64_t done;   /* iterations of the innermost loop */
} calling;

static void run_steps(calling *c, int begin, int end);

/* The END of the LOOP or IF at i, or its ELSE. */
static int matching(const calling *c, int i, step_kind kind) {
  int depth = 0;
  for (;; i++) {
    const entry_step *s = &c->e->steps.data[i];
    depth += (s->kind == STEP_LOOP || s->kind == STEP_IF) - (s->kind == STEP_END);
    if (depth == (kind == STEP_ELSE) && s->kind == kind) return i;
  }
}

static bool truth_at(const calling *c, const entry_step *s) {
  return *(const char *)at_place(c->bufs, s->place, c->values) != 0;
}

static void move_buffers(calling *c, const entry_step *s) {
  for (const entry_move *m = s->moves; m < s->moves + s->n_moves; m++) {
    int other = m->step < 0 ? s->moves[m->trade].buffer : -1;
    void *p = c->bufs[m->buffer];
    if (other < 0) c->bufs[m->buffer] = (void *)((uintptr_t)p + (uintptr_t)c->values[m->step]);
    else if (other < m->buffer) c->bufs[m->buffer] = c->bufs[other], c->bufs[other] = p;
  }
}

static void run_loop(calling *c, int i, int end) {
  const entry_step *s = &c->e->steps.data[i];
  int64_t outside = c->done;
  for (const entry_move *m = s->moves; m < s->moves + s->n_moves; m++)
    c->bufs[m->buffer] = at_place(c->bufs, &m->start, c->values);
  for (int64_t t = 0; c->first >= 0 && (s->value < 0 || t < c->values[s->value]); t++) {
    c->done = t;
    run_steps(c, i + 1, end);
    if (c->left) break;
    move_buffers(c, s);
  }
  c->left = false;
  c->done = outside;
}

static void run_call(calling *c, const entry_step *s) {
  int32_t status = 0;
  if (s->needs >= 0 && !c->values[s->needs]) return;
  if (s->kind == STEP_HOST) status = c->par->host_step(c->par->host, s->host);
  else if (s->kind == STEP_KERNEL) status = run_kernel(s, c->bufs, c->values, c->par, c->fma);
  else memcpy(at_place(c->bufs, &s->place[0], c->values), &c->values[s->value], sizeof(int64_t));
  if (status < 0) c->first = status;
  else if (status && !c->first) c->first = s->fault_base + status;
}

/* An endless loop is left, and the run goes on with an error. */
static void watch(calling *c, const entry_step *s) {
  bool same = c->done > WATCH_FROM;
  if (!watch_is_due(c->done)) return;
  for (int i = 0; i < s->n_watched; i++) {
    size_t bytes = (size_t)c->values[s->ints[i]];
    const void *now = at_place(c->bufs, &s->place[i], c->values);
    void *then = at_place(c->bufs, &s->place[s->n_watched + i], c->values);
    same = same && (!bytes || !memcmp(now, then, bytes));
    if (bytes && watch_keeps(c->done)) memcpy(then, now, bytes);
  }
  if (same && !c->first) c->first = s->fault_base + 1;
  c->left |= same;
}

static void run_steps(calling *c, int begin, int end) {
  for (int i = begin; i < end && c->first >= 0 && !c->left; i++) {
    const entry_step *s = &c->e->steps.data[i];
    int last = s->kind == STEP_LOOP || s->kind == STEP_IF ? matching(c, i, STEP_END) : i;
    if (s->kind == STEP_LOOP) run_loop(c, i, last);
    else if (s->kind == STEP_LEAVE) c->left = !truth_at(c, s);
    else if (s->kind == STEP_WATCH) watch(c, s);
    else if (s->kind == STEP_IF) {
      int other = matching(c, i, STEP_ELSE);
      if (truth_at(c, s)) run_steps(c, i + 1, other);
      else run_steps(c, other + 1, last);
    } else run_call(c, s);
    i = last;
  }
}

static int32_t run_entry(const codegen_code *code, void *const *bufs, const int64_t *ints,
                         const scanc_par *par) {
  arena *tmp = arena_new();
  int64_t *values = ARENA_ARRAY(tmp, int64_t, code->e->code.len + 1);
  calling c = {code->e, (void **)bufs, values, par, code->fma, false, 0, 0};
  int_code_run(&code->e->code, ints, values);
  run_steps(&c, 0, code->e->steps.len);
  arena_free(tmp);
  return c.first;
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

static void on_no_memory(void (*fn)(size_t bytes), bool llvm) { (void)fn, (void)llvm; }

static const codegen_api api = {.version = CODEGEN_VERSION,
                                .compile = compile_kernel,
                                .compile_entry = compile_entry,
                                .entry = entry_of,
                                .free = free_code,
                                .emit = emit,
                                .on_no_memory = on_no_memory};

__attribute__((visibility("default"))) const codegen_api *scanc_codegen_api(void);
const codegen_api *scanc_codegen_api(void) { return &api; }
