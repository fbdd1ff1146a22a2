/* Loops of the entry that never end, as what they carry repeats (loop/watch.h). What is carried is
 * compared and kept as bytes by two functions of the module's own. */
#include "codegen/cg.h"
#include "codegen/entry_ir.h"

enum { WORD = 8 };

static LLVMBasicBlockRef block(entry_ir x, LLVMValueRef fn) {
  return LLVMAppendBasicBlockInContext(x.ctx, fn, "");
}

static void enter(entry_ir x, LLVMBasicBlockRef b) { LLVMPositionBuilderAtEnd(x.b, b); }

/* An element at byte i of an array that lies anywhere. */
static LLVMValueRef load_at(entry_ir x, LLVMTypeRef t, LLVMValueRef array, LLVMValueRef i) {
  LLVMValueRef p = LLVMBuildGEP2(x.b, LLVMInt8TypeInContext(x.ctx), array, &i, 1, "");
  LLVMValueRef v = LLVMBuildLoad2(x.b, t, p, "");
  LLVMSetAlignment(v, 1);
  return v;
}

static void store_at(entry_ir x, LLVMValueRef v, LLVMValueRef array, LLVMValueRef i) {
  LLVMValueRef p = LLVMBuildGEP2(x.b, LLVMInt8TypeInContext(x.ctx), array, &i, 1, "");
  LLVMSetAlignment(LLVMBuildStore(x.b, v, p), 1);
}

/* Bytes `begin` to `end` of arrays a and b, `size` at a time: goes to `differ` where they differ;
 * differ NULL: copies them from a to b. */
static void walk(entry_ir x, LLVMValueRef fn, int size, LLVMValueRef begin, LLVMValueRef end,
                 LLVMBasicBlockRef differ) {
  LLVMTypeRef t = LLVMIntTypeInContext(x.ctx, 8U * (unsigned)size);
  LLVMValueRef a = LLVMGetParam(fn, 0), b = LLVMGetParam(fn, 1);
  LLVMBasicBlockRef before = LLVMGetInsertBlock(x.b), head = block(x, fn), body = block(x, fn),
                    next = block(x, fn), done = block(x, fn);
  LLVMBuildBr(x.b, head);
  enter(x, head);
  LLVMValueRef i = LLVMBuildPhi(x.b, i64(x), "");
  LLVMAddIncoming(i, &begin, &before, 1);
  LLVMBuildCondBr(x.b, LLVMBuildICmp(x.b, LLVMIntULT, i, end, ""), body, done);
  enter(x, body);
  LLVMValueRef from = load_at(x, t, a, i);
  if (differ) {
    LLVMValueRef same = LLVMBuildICmp(x.b, LLVMIntEQ, from, load_at(x, t, b, i), "");
    LLVMBuildCondBr(x.b, same, next, differ);
  } else {
    store_at(x, from, b, i);
    LLVMBuildBr(x.b, next);
  }
  enter(x, next);
  LLVMValueRef more = LLVMBuildAdd(x.b, i, number(x, size), "");
  LLVMBuildBr(x.b, head);
  LLVMAddIncoming(i, &more, &next, 1);
  enter(x, done);
}

/* i1 f(ptr a, ptr b, i64 n): whether n bytes are the same; or copies them from a to b. */
static LLVMValueRef function_of(entry_ir x, bool compares) {
  const char *name = compares ? "scanc_same" : "scanc_keep";
  LLVMBasicBlockRef here = LLVMGetInsertBlock(x.b), differ = NULL;
  LLVMModuleRef mod = LLVMGetGlobalParent(LLVMGetBasicBlockParent(here));
  LLVMValueRef fn = LLVMGetNamedFunction(mod, name);
  if (fn) return fn;
  LLVMTypeRef bit = LLVMInt1TypeInContext(x.ctx), params[] = {pointer(x), pointer(x), i64(x)};
  fn = LLVMAddFunction(mod, name, LLVMFunctionType(bit, params, 3, 0));
  LLVMSetLinkage(fn, LLVMPrivateLinkage);
  enter(x, block(x, fn));
  LLVMValueRef n = LLVMGetParam(fn, 2), whole = LLVMBuildAnd(x.b, n, number(x, -WORD), "");
  if (compares) differ = block(x, fn);
  walk(x, fn, WORD, number(x, 0), whole, differ);
  walk(x, fn, 1, whole, n, differ);
  LLVMBuildRet(x.b, LLVMConstInt(bit, 1, 0));
  if (differ) enter(x, differ), LLVMBuildRet(x.b, LLVMConstInt(bit, 0, 0));
  enter(x, here);
  return fn;
}

static LLVMValueRef place(entry_ir x, const chain_values *v, entry_place p) {
  LLVMValueRef offset = v->value[p.offset];
  return LLVMBuildGEP2(x.b, LLVMInt8TypeInContext(x.ctx), v->buffer[p.buffer], &offset, 1, "");
}

static LLVMValueRef call(entry_ir x, const entry_step *s, const chain_values *v, int i,
                         bool compares) {
  LLVMValueRef fn = function_of(x, compares),
               args[] = {place(x, v, s->place[i]), place(x, v, s->place[s->n_watched + i]),
                         v->value[s->ints[i]]};
  return LLVMBuildCall2(x.b, LLVMGlobalGetValueType(fn), fn, args, 3, "");
}

/* Goes on in the present function if the condition holds, else to `other`. */
static void unless(entry_ir x, LLVMValueRef fn, LLVMValueRef condition, LLVMBasicBlockRef other) {
  LLVMBasicBlockRef yes = block(x, fn);
  LLVMBuildCondBr(x.b, condition, yes, other);
  enter(x, yes);
}

void cg_watch(LLVMBuilderRef b, const entry_step *s, const chain_values *v, LLVMValueRef count,
              LLVMBasicBlockRef endless) {
  entry_ir x = {LLVMGetTypeContext(LLVMTypeOf(count)), b};
  LLVMValueRef fn = LLVMGetBasicBlockParent(LLVMGetInsertBlock(b));
  LLVMBasicBlockRef differs = block(x, fn), done = block(x, fn), keep = block(x, fn);
  LLVMValueRef rest = LLVMBuildAnd(b, count, number(x, WATCH_EVERY - 1), ""),
               power = LLVMBuildAnd(b, count, LLVMBuildSub(b, count, number(x, 1), ""), "");
  unless(x, fn, LLVMBuildICmp(b, LLVMIntEQ, rest, number(x, 0), ""), done);
  unless(x, fn, LLVMBuildICmp(b, LLVMIntSGE, count, number(x, WATCH_FROM), ""), done);
  unless(x, fn, LLVMBuildICmp(b, LLVMIntSGT, count, number(x, WATCH_FROM), ""), differs);
  for (int i = 0; i < s->n_watched; i++) unless(x, fn, call(x, s, v, i, true), differs);
  LLVMBuildBr(b, endless);
  enter(x, differs);
  LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, power, number(x, 0), ""), keep, done);
  enter(x, keep);
  for (int i = 0; i < s->n_watched; i++) call(x, s, v, i, false);
  LLVMBuildBr(b, done);
  enter(x, done);
}
