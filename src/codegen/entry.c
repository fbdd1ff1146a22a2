/* The function of an entry: sizes and places from the integer parameters, then the steps. */
#include <assert.h>
#include <string.h>

#include "codegen/cg.h"
#include "codegen/entry_ir.h"

/* A loop or branch that is open. */
typedef struct {
  const entry_step *s;
  LLVMBasicBlockRef head, exit; /* exit: of a branch what follows it; head: its other side */
  LLVMValueRef counter;
  LLVMValueRef *phi, *out; /* per move: in the loop, after it */
} construct;

typedef struct {
  entry_ir ir;
  LLVMModuleRef mod;
  LLVMValueRef fn;
  const entry_point *e;
  LLVMValueRef *value;  /* per op of e->code */
  LLVMValueRef *buffer; /* pointers; NULL: of a loop that is not open yet */
  arena *mem;
  VEC(construct) open;
  LLVMValueRef ints, bufs, status, told; /* on the stack: the arguments of a kernel; the first data
                                            error; what pieces are told, NULL: there are none */
} emitter;

static LLVMBasicBlockRef block(emitter *x) {
  return LLVMAppendBasicBlockInContext(x->ir.ctx, x->fn, "");
}

/* ---- sizes ---- */

/* Whether Python's quotient or remainder differs from the machine's: a remainder of the other sign.
 * The host has checked that no divisor is zero. */
static LLVMValueRef differs(emitter *x, LLVMValueRef r, LLVMValueRef b) {
  LLVMValueRef some = LLVMBuildICmp(x->ir.b, LLVMIntNE, r, number(x->ir, 0), "");
  LLVMValueRef sign = LLVMBuildXor(x->ir.b, r, b, "");
  return LLVMBuildAnd(x->ir.b, some, LLVMBuildICmp(x->ir.b, LLVMIntSLT, sign, number(x->ir, 0), ""),
                      "");
}

static LLVMValueRef divide(emitter *x, int_op_kind kind, LLVMValueRef a, LLVMValueRef b) {
  LLVMValueRef r = LLVMBuildSRem(x->ir.b, a, b, ""), other = differs(x, r, b);
  if (kind == INT_MOD)
    return LLVMBuildSelect(x->ir.b, other, LLVMBuildAdd(x->ir.b, r, b, ""), r, "");
  LLVMValueRef q = LLVMBuildSDiv(x->ir.b, a, b, "");
  return LLVMBuildSelect(x->ir.b, other, LLVMBuildSub(x->ir.b, q, number(x->ir, 1), ""), q, "");
}

static LLVMValueRef extremum(emitter *x, LLVMIntPredicate p, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildSelect(x->ir.b, LLVMBuildICmp(x->ir.b, p, a, b, ""), a, b, "");
}

static LLVMValueRef size_value(emitter *x, const int_op *o, LLVMValueRef params) {
  LLVMValueRef a = x->value[o->a], b = x->value[o->b];
  switch (o->kind) {
    case INT_CONST: return number(x->ir, o->k);
    case INT_PARAM:
      return LLVMBuildLoad2(x->ir.b, i64(x->ir), element(x->ir, i64(x->ir), params, (int)o->k), "");
    case INT_ADD: return LLVMBuildAdd(x->ir.b, a, b, "");
    case INT_MUL: return LLVMBuildMul(x->ir.b, a, b, "");
    case INT_FLOORDIV:
    case INT_MOD: return divide(x, o->kind, a, b);
    case INT_MAX: return extremum(x, LLVMIntSGT, a, b);
    case INT_MIN: return extremum(x, LLVMIntSLT, a, b);
  }
  SCANC_UNREACHABLE("kind of integer code");
}

/* ---- steps ---- */

static LLVMValueRef place(emitter *x, entry_place p) {
  LLVMValueRef offset = x->value[p.offset];
  return LLVMBuildGEP2(x->ir.b, LLVMInt8TypeInContext(x->ir.ctx), x->buffer[p.buffer], &offset, 1,
                       "");
}

/* status = status != 0 ? status : code == 0 ? 0 : base + code */
static void note(emitter *x, LLVMValueRef code, int base) {
  LLVMValueRef before = LLVMBuildLoad2(x->ir.b, i32(x->ir), x->status, "");
  LLVMValueRef none = LLVMBuildICmp(x->ir.b, LLVMIntEQ, code, number32(x->ir, 0), "");
  LLVMValueRef here = LLVMBuildAdd(x->ir.b, code, number32(x->ir, base), "");
  here = LLVMBuildSelect(x->ir.b, none, number32(x->ir, 0), here, "");
  LLVMValueRef first = LLVMBuildICmp(x->ir.b, LLVMIntEQ, before, number32(x->ir, 0), "");
  LLVMBuildStore(x->ir.b, LLVMBuildSelect(x->ir.b, first, here, before, ""), x->status);
}

/* The extent of an axis that is cut for threads. */
static bool is_cut(const entry_step *s, int param) {
  for (int i = 0; s->split && i < s->split->n_part; i++)
    if (s->k->axes.data[s->split->part[i].axis].param == param) return true;
  return false;
}

/* The functions of a step. */
typedef struct {
  LLVMValueRef whole, chain[CHAIN_ROLES];
} step_functions;

/* By stretches, if that is worth it; else goes on. Returns where both meet. */
static LLVMBasicBlockRef call_chain(emitter *x, const entry_step *s, const step_functions *f) {
  chain_values v = {x->value, x->buffer};
  LLVMBasicBlockRef whole = block(x), done = block(x);
  cg_call_chain(x->ir.b, s->chain, f->chain, &v, LLVMGetParam(x->fn, 2), whole);
  LLVMBuildBr(x->ir.b, done);
  LLVMPositionBuilderAtEnd(x->ir.b, whole);
  return done;
}

/* Other sizes that are constants are in the kernel already. */
static void call_whole(emitter *x, const entry_step *s, LLVMValueRef f) {
  const kernel *k = s->k;
  for (int i = 0; i < k->ints.len; i++)
    if (x->e->code.data[s->ints[i]].kind != INT_CONST || is_cut(s, i))
      LLVMBuildStore(x->ir.b, x->value[s->ints[i]], element(x->ir, i64(x->ir), x->ints, i));
  for (int i = 0; i < k->buffers.len; i++)
    LLVMBuildStore(x->ir.b, place(x, s->place[i]), element(x->ir, pointer(x->ir), x->bufs, i));
  LLVMValueRef args[] = {x->bufs, x->ints, LLVMGetParam(x->fn, 2)};
  LLVMValueRef code = s->split ? cg_call_in_pieces(x->ir.b, s, f, args, x->told)
                               : LLVMBuildCall2(x->ir.b, LLVMGlobalGetValueType(f), f, args, 3, "");
  if (k->faults.len) note(x, code, s->fault_base);
}

/* The host finds moving buffers behind its own. */
static void tell_places(emitter *x) {
  for (int i = x->e->n_buffers; i < x->e->n_buffers + x->e->n_moving; i++)
    if (x->buffer[i])
      LLVMBuildStore(x->ir.b, x->buffer[i],
                     element(x->ir, pointer(x->ir), LLVMGetParam(x->fn, 0), i));
}

/* par->host_step(par->host, index) */
static void call_host(emitter *x, const entry_step *s) {
  tell_places(x);
  LLVMTypeRef params[] = {pointer(x->ir), i32(x->ir)};
  LLVMTypeRef fn_type = LLVMFunctionType(i32(x->ir), params, 2, 0);
  LLVMValueRef par = LLVMGetParam(x->fn, 2);
  LLVMValueRef f = LLVMBuildLoad2(x->ir.b, pointer(x->ir), par, "");
  LLVMValueRef host =
      LLVMBuildLoad2(x->ir.b, pointer(x->ir), element(x->ir, pointer(x->ir), par, 1), "");
  LLVMValueRef args[] = {host, number32(x->ir, s->host)};
  LLVMValueRef code = LLVMBuildCall2(x->ir.b, fn_type, f, args, 2, "");
  LLVMBasicBlockRef failed = block(x), go_on = block(x);
  LLVMBuildCondBr(x->ir.b, LLVMBuildICmp(x->ir.b, LLVMIntSLT, code, number32(x->ir, 0), ""), failed,
                  go_on);
  LLVMPositionBuilderAtEnd(x->ir.b, failed);
  LLVMBuildRet(x->ir.b, code);
  LLVMPositionBuilderAtEnd(x->ir.b, go_on);
  note(x, code, s->fault_base);
}

/* ---- loops and branches ---- */

static void add_incoming(LLVMValueRef phi, LLVMValueRef v, LLVMBasicBlockRef from) {
  LLVMAddIncoming(phi, &v, &from, 1);
}

static void branch_on(emitter *x, LLVMValueRef condition, LLVMBasicBlockRef yes,
                      LLVMBasicBlockRef no) {
  LLVMBuildCondBr(x->ir.b, condition, yes, no);
}

/* Leaves the loop from the present block; `at`: the places of its buffers from then on. */
static void add_exit(emitter *x, construct *c, const LLVMValueRef *at) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(x->ir.b);
  for (int i = 0; i < c->s->n_moves; i++) add_incoming(c->out[i], at[i], here);
}

static void open_exit(emitter *x, construct *c) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(x->ir.b);
  c->exit = block(x);
  LLVMPositionBuilderAtEnd(x->ir.b, c->exit);
  for (int i = 0; i < c->s->n_moves; i++) c->out[i] = LLVMBuildPhi(x->ir.b, pointer(x->ir), "");
  LLVMPositionBuilderAtEnd(x->ir.b, here);
}

static void open_loop(emitter *x, const entry_step *s) {
  construct c = {.s = s, .head = block(x)};
  c.phi = ARENA_ARRAY(x->mem, LLVMValueRef, s->n_moves);
  c.out = ARENA_ARRAY(x->mem, LLVMValueRef, s->n_moves);
  LLVMValueRef *start = ARENA_ARRAY(x->mem, LLVMValueRef, s->n_moves);
  open_exit(x, &c);
  for (int i = 0; i < s->n_moves; i++) start[i] = place(x, s->moves[i].start);
  LLVMBasicBlockRef before = LLVMGetInsertBlock(x->ir.b);
  if (s->value < 0) LLVMBuildBr(x->ir.b, c.head);
  else {
    LLVMValueRef some =
        LLVMBuildICmp(x->ir.b, LLVMIntSGT, x->value[s->value], number(x->ir, 0), "");
    add_exit(x, &c, start);
    branch_on(x, some, c.head, c.exit);
  }
  LLVMPositionBuilderAtEnd(x->ir.b, c.head);
  c.counter = LLVMBuildPhi(x->ir.b, i64(x->ir), "");
  add_incoming(c.counter, number(x->ir, 0), before);
  for (int i = 0; i < s->n_moves; i++) {
    c.phi[i] = x->buffer[s->moves[i].buffer] = LLVMBuildPhi(x->ir.b, pointer(x->ir), "");
    add_incoming(c.phi[i], start[i], before);
  }
  vec_push(x->mem, &x->open, c);
}

/* What the loops in a loop or branch have moved is nowhere after it. */
static void forget_inner(emitter *x, const construct *c) {
  const entry_step *end = &x->e->steps.data[x->e->steps.len];
  int depth = 1;
  for (const entry_step *s = c->s + 1; s < end && depth; s++) {
    depth += (s->kind == STEP_LOOP || s->kind == STEP_IF) - (s->kind == STEP_END);
    for (int i = 0; i < s->n_moves; i++) x->buffer[s->moves[i].buffer] = NULL;
  }
}

static LLVMValueRef next_place(emitter *x, const construct *c, int i) {
  const entry_move *m = &c->s->moves[i];
  if (m->step < 0) return c->phi[m->trade];
  LLVMTypeRef byte = LLVMInt8TypeInContext(x->ir.ctx);
  return LLVMBuildGEP2(x->ir.b, byte, c->phi[i], &x->value[m->step], 1, "");
}

static void close_loop(emitter *x, construct *c) {
  const entry_step *s = c->s;
  LLVMValueRef count = LLVMBuildAdd(x->ir.b, c->counter, number(x->ir, 1), "");
  LLVMValueRef *next = ARENA_ARRAY(x->mem, LLVMValueRef, s->n_moves);
  for (int i = 0; i < s->n_moves; i++) next[i] = next_place(x, c, i);
  LLVMBasicBlockRef latch = LLVMGetInsertBlock(x->ir.b);
  add_incoming(c->counter, count, latch);
  for (int i = 0; i < s->n_moves; i++) add_incoming(c->phi[i], next[i], latch);
  if (s->value < 0) LLVMBuildBr(x->ir.b, c->head);
  else {
    add_exit(x, c, next);
    branch_on(x, LLVMBuildICmp(x->ir.b, LLVMIntSLT, count, x->value[s->value], ""), c->head,
              c->exit);
  }
  LLVMPositionBuilderAtEnd(x->ir.b, c->exit);
  forget_inner(x, c);
  for (int i = 0; i < s->n_moves; i++) x->buffer[s->moves[i].buffer] = c->out[i];
}

static LLVMValueRef truth_at(emitter *x, entry_place p) {
  LLVMTypeRef byte = LLVMInt8TypeInContext(x->ir.ctx);
  LLVMValueRef v = LLVMBuildLoad2(x->ir.b, byte, place(x, p), "");
  return LLVMBuildICmp(x->ir.b, LLVMIntNE, v, LLVMConstNull(byte), "");
}

static construct *innermost(emitter *x, bool loop_only) {
  int i = x->open.len - 1;
  while (i > 0 && loop_only && x->open.data[i].s->kind != STEP_LOOP) i--;
  assert(i >= 0 && x->open.data);
  return &x->open.data[i];
}

/* A loop is left with all branches in it. */
static void leave_loop(emitter *x, const entry_step *s) {
  construct *c = innermost(x, true);
  LLVMBasicBlockRef stay = block(x);
  LLVMValueRef go_on = truth_at(x, s->place[0]);
  add_exit(x, c, c->phi);
  branch_on(x, go_on, stay, c->exit);
  LLVMPositionBuilderAtEnd(x->ir.b, stay);
}

/* What comes after an endless loop never comes. */
static void watch_loop(emitter *x, const entry_step *s) {
  chain_values v = {x->value, x->buffer};
  LLVMBasicBlockRef endless = block(x);
  cg_watch(x->ir.b, s, &v, innermost(x, true)->counter, endless);
  LLVMBasicBlockRef go_on = LLVMGetInsertBlock(x->ir.b);
  LLVMPositionBuilderAtEnd(x->ir.b, endless);
  note(x, number32(x->ir, 1), s->fault_base);
  LLVMBuildRet(x->ir.b, LLVMBuildLoad2(x->ir.b, i32(x->ir), x->status, ""));
  LLVMPositionBuilderAtEnd(x->ir.b, go_on);
}

static void open_branch(emitter *x, const entry_step *s) {
  construct c = {.s = s, .head = block(x), .exit = block(x)};
  LLVMBasicBlockRef yes = block(x);
  branch_on(x, truth_at(x, s->place[0]), yes, c.head);
  LLVMPositionBuilderAtEnd(x->ir.b, yes);
  vec_push(x->mem, &x->open, c);
}

static void end_side(emitter *x, const construct *c, LLVMBasicBlockRef next) {
  LLVMBuildBr(x->ir.b, c->exit);
  LLVMPositionBuilderAtEnd(x->ir.b, next);
  forget_inner(x, c);
}

static void end_construct(emitter *x) {
  construct c = *innermost(x, false);
  x->open.len--;
  if (c.s->kind == STEP_LOOP) close_loop(x, &c);
  else end_side(x, &c, c.exit);
}

static void call_kernel(emitter *x, const entry_step *s, const step_functions *f) {
  LLVMBasicBlockRef done = s->chain ? call_chain(x, s, f) : NULL;
  call_whole(x, s, f->whole);
  if (!done) return;
  LLVMBuildBr(x->ir.b, done);
  LLVMPositionBuilderAtEnd(x->ir.b, done);
}

static void emit_step(emitter *x, const entry_step *s, const step_functions *f) {
  LLVMBasicBlockRef after = s->needs >= 0 ? block(x) : NULL;
  if (after) {
    LLVMBasicBlockRef doit = block(x);
    LLVMValueRef some = LLVMBuildICmp(x->ir.b, LLVMIntNE, x->value[s->needs], number(x->ir, 0), "");
    LLVMBuildCondBr(x->ir.b, some, doit, after);
    LLVMPositionBuilderAtEnd(x->ir.b, doit);
  }
  switch (s->kind) {
    case STEP_KERNEL: call_kernel(x, s, f); break;
    case STEP_NUMBER: LLVMBuildStore(x->ir.b, x->value[s->value], place(x, s->place[0])); break;
    case STEP_HOST: call_host(x, s); break;
    case STEP_LOOP: open_loop(x, s); break;
    case STEP_LEAVE: leave_loop(x, s); break;
    case STEP_WATCH: watch_loop(x, s); break;
    case STEP_IF: open_branch(x, s); break;
    case STEP_ELSE: {
      const construct *c = innermost(x, false);
      end_side(x, c, c->head);
      break;
    }
    case STEP_END: end_construct(x); break;
  }
  if (!after) return;
  LLVMBuildBr(x->ir.b, after);
  LLVMPositionBuilderAtEnd(x->ir.b, after);
}

/* ---- the whole ---- */

static void open_function(emitter *x) {
  LLVMTypeRef params[3] = {pointer(x->ir), pointer(x->ir), pointer(x->ir)};
  x->fn = LLVMAddFunction(x->mod, x->e->name, LLVMFunctionType(i32(x->ir), params, 3, 0));
  unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", strlen("nounwind"));
  LLVMAddAttributeAtIndex(x->fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(x->ir.ctx, nounwind, 0));
  LLVMPositionBuilderAtEnd(x->ir.b, block(x));
}

static void open_slots(emitter *x) {
  int n_ints = 1, n_bufs = 1;
  bool split = false;
  for (int i = 0; i < x->e->steps.len; i++) {
    const kernel *k = x->e->steps.data[i].k;
    if (k && k->ints.len > n_ints) n_ints = k->ints.len;
    if (k && k->buffers.len > n_bufs) n_bufs = k->buffers.len;
    split |= x->e->steps.data[i].split != NULL;
  }
  x->ints = LLVMBuildArrayAlloca(x->ir.b, i64(x->ir), number(x->ir, n_ints), "ints");
  x->bufs = LLVMBuildArrayAlloca(x->ir.b, pointer(x->ir), number(x->ir, n_bufs), "bufs");
  x->status = LLVMBuildAlloca(x->ir.b, i32(x->ir), "status");
  if (split) x->told = LLVMBuildAlloca(x->ir.b, cg_told_type(x->ir.ctx), "told");
  LLVMBuildStore(x->ir.b, number32(x->ir, 0), x->status);
}

static void emit(emitter *x, const step_functions *kernels) {
  const entry_point *e = x->e;
  open_function(x);
  open_slots(x);
  for (int i = 0; i < e->code.len; i++)
    x->value[i] = size_value(x, &e->code.data[i], LLVMGetParam(x->fn, 1));
  for (int i = 0; i < e->n_buffers; i++) {
    LLVMValueRef at = element(x->ir, pointer(x->ir), LLVMGetParam(x->fn, 0), i);
    x->buffer[i] = LLVMBuildLoad2(x->ir.b, pointer(x->ir), at, "");
  }
  for (int i = 0; i < e->steps.len; i++) emit_step(x, &e->steps.data[i], &kernels[i]);
  LLVMBuildRet(x->ir.b, LLVMBuildLoad2(x->ir.b, i32(x->ir), x->status, ""));
}

/* A function, private to the module, for every kernel but those that are the same. */
typedef struct {
  LLVMModuleRef mod;
  cg_machine machine;
  arena *mem;
  VEC(const kernel *) kernels;
  VEC(LLVMValueRef) functions; /* theirs */
} function_table;

static LLVMValueRef function_of(function_table *t, const kernel *k, str *err) {
  for (int i = 0; i < t->kernels.len; i++)
    if (kernel_same(t->kernels.data[i], k)) return t->functions.data[i];
  LLVMValueRef f = cg_add_kernel(t->mod, k, t->machine, err);
  if (!f) return NULL;
  LLVMSetLinkage(f, LLVMPrivateLinkage);
  vec_push(t->mem, &t->kernels, k);
  vec_push(t->mem, &t->functions, f);
  return f;
}

static bool add_functions(function_table *t, const entry_step *s, step_functions *f, str *err) {
  if (s->kind != STEP_KERNEL) return true;
  if (!(f->whole = function_of(t, s->k, err))) return false;
  for (int r = 0; s->chain && r < CHAIN_ROLES; r++) {
    if (r == CHAIN_AGAIN) f->chain[r] = f->chain[CHAIN_LATER];
    else if (!(f->chain[r] = function_of(t, s->chain->call[r].k, err))) return false;
  }
  return true;
}

bool cg_add_entry(LLVMModuleRef mod, const entry_point *e, cg_machine machine, str *err) {
  arena *tmp = arena_new();
  LLVMContextRef ctx = LLVMGetModuleContext(mod);
  emitter x = {.ir = {ctx, LLVMCreateBuilderInContext(ctx)}, .mod = mod, .e = e, .mem = tmp};
  step_functions *kernels = ARENA_ARRAY(tmp, step_functions, e->steps.len);
  x.value = ARENA_ARRAY(tmp, LLVMValueRef, e->code.len);
  x.buffer = ARENA_ARRAY(tmp, LLVMValueRef, e->n_buffers + e->n_moving);
  function_table table = {.mod = mod, .machine = machine, .mem = tmp};
  bool ok = true;
  for (int i = 0; ok && i < e->steps.len; i++)
    ok = add_functions(&table, &e->steps.data[i], &kernels[i], err);
  if (ok) emit(&x, kernels);
  LLVMDisposeBuilder(x.ir.b);
  arena_free(tmp);
  return ok;
}
