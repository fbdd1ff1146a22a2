/* Associative scans of one row by stretches, for threads: whether that is worth it, and the call
 * that does it. Which stretch is computed when, and by whom, is a matter of the host
 * (scanc_par.chain). */
#include "codegen/cg.h"
#include "codegen/entry_ir.h"

enum { PAR_FOR_EACH = 2, PAR_THREADS = 4, PAR_WORTH = 5, PAR_CHAIN = 6 }; /* words of scanc_par */

static LLVMTypeRef call_type(entry_ir x) {
  LLVMTypeRef members[] = {pointer(x), pointer(x), pointer(x), pointer(x), i32(x), i32(x), i64(x)};
  return LLVMStructTypeInContext(x.ctx, members, 7, 0);
}

static LLVMTypeRef chain_type(entry_ir x) {
  LLVMTypeRef members[] = {LLVMArrayType2(call_type(x), CHAIN_ROLES), i64(x), i64(x), pointer(x)};
  return LLVMStructTypeInContext(x.ctx, members, 4, 0);
}

/* ---- whether ---- */

/* The number of pieces, i32: as many as there are threads, if the work is worth it for so many. */
static LLVMValueRef count_pieces(entry_ir x, const entry_chain *c, LLVMValueRef length,
                                 LLVMValueRef par) {
  LLVMValueRef threads = load(x, i32(x), element(x, i64(x), par, PAR_THREADS), 0);
  LLVMValueRef work = LLVMBuildMul(x.b, length, number(x, c->picoseconds), "");
  LLVMValueRef n = LLVMBuildUDiv(x.b, work, load(x, i64(x), par, PAR_WORTH), "");
  threads = LLVMBuildZExt(x.b, threads, i64(x), "");
  LLVMValueRef fewer = LLVMBuildICmp(x.b, LLVMIntULT, n, threads, "");
  return LLVMBuildTrunc(x.b, LLVMBuildSelect(x.b, fewer, n, threads, ""), i32(x), "");
}

static LLVMBasicBlockRef block(entry_ir x) {
  LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInsertBlock(x.b));
  return LLVMAppendBasicBlockInContext(x.ctx, f, "");
}

static void unless(entry_ir x, LLVMValueRef condition, LLVMBasicBlockRef other) {
  LLVMBasicBlockRef go_on = block(x);
  LLVMBuildCondBr(x.b, condition, go_on, other);
  LLVMPositionBuilderAtEnd(x.b, go_on);
}

static LLVMValueRef not_null(entry_ir x, LLVMValueRef p) {
  return LLVMBuildICmp(x.b, LLVMIntNE, p, LLVMConstNull(pointer(x)), "");
}

/* ---- the arguments ---- */

static LLVMValueRef place(const chain_values *v, entry_ir x, entry_place p) {
  LLVMValueRef offset = v->value[p.offset];
  return LLVMBuildGEP2(x.b, LLVMInt8TypeInContext(x.ctx), v->buffer[p.buffer], &offset, 1, "");
}

/* Memory for n of them, where the function begins: the call may be in a loop. */
static LLVMValueRef array_of(entry_ir x, LLVMTypeRef t, int n) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(x.b),
                    first = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(here));
  LLVMPositionBuilderBefore(x.b, LLVMGetFirstInstruction(first));
  LLVMValueRef p = LLVMBuildArrayAlloca(x.b, t, number(x, n ? n : 1), "");
  LLVMPositionBuilderAtEnd(x.b, here);
  return p;
}

static void fill_call(const chain_values *v, entry_ir x, const entry_chain_call *c, LLVMValueRef f,
                      LLVMValueRef at) {
  LLVMValueRef bufs = array_of(x, pointer(x), c->n_bufs), advance = array_of(x, i64(x), c->n_bufs),
               ints = array_of(x, i64(x), c->k->ints.len);
  for (int i = 0; i < c->n_bufs; i++) {
    LLVMBuildStore(x.b, place(v, x, c->place[i]), element(x, pointer(x), bufs, i));
    LLVMBuildStore(x.b, v->value[c->advance[i]], element(x, i64(x), advance, i));
  }
  for (int i = 0; i < c->k->ints.len; i++)
    LLVMBuildStore(x.b, v->value[c->ints[i]], element(x, i64(x), ints, i));
  LLVMValueRef members[] = {f,
                            bufs,
                            advance,
                            ints,
                            number32(x, c->n_bufs),
                            number32(x, c->k->ints.len),
                            number(x, c->less)};
  for (unsigned i = 0; i < 7; i++)
    LLVMBuildStore(x.b, members[i], LLVMBuildStructGEP2(x.b, call_type(x), at, i, ""));
}

static LLVMValueRef fill_chain(const chain_values *v, entry_ir x, const entry_chain *c,
                               const LLVMValueRef *f) {
  LLVMValueRef at = array_of(x, chain_type(x), 1);
  LLVMValueRef calls = LLVMBuildStructGEP2(x.b, chain_type(x), at, 0, "");
  for (int r = 0; r < CHAIN_ROLES; r++)
    fill_call(v, x, &c->call[r], f[r], element(x, call_type(x), calls, r));
  LLVMValueRef members[] = {v->value[c->length], number(x, c->cut), place(v, x, c->flags)};
  for (unsigned i = 0; i < 3; i++)
    LLVMBuildStore(x.b, members[i], LLVMBuildStructGEP2(x.b, chain_type(x), at, i + 1, ""));
  return at;
}

void cg_call_chain(LLVMBuilderRef b, const entry_chain *c, const LLVMValueRef *functions,
                   const chain_values *v, LLVMValueRef par, LLVMBasicBlockRef whole) {
  entry_ir x = {LLVMGetTypeContext(LLVMTypeOf(par)), b};
  unless(x, not_null(x, par), whole);
  unless(x, not_null(x, load(x, pointer(x), par, PAR_FOR_EACH)), whole);
  LLVMValueRef chain = load(x, pointer(x), par, PAR_CHAIN), length = v->value[c->length];
  unless(x, not_null(x, chain), whole);
  unless(x, LLVMBuildICmp(b, LLVMIntSGE, length, number(x, c->least), ""), whole);
  LLVMValueRef n = count_pieces(x, c, length, par);
  unless(x, LLVMBuildICmp(b, LLVMIntSGT, n, number32(x, 1), ""), whole);
  LLVMTypeRef params[] = {pointer(x), pointer(x), i32(x)};
  LLVMTypeRef t = LLVMFunctionType(LLVMVoidTypeInContext(x.ctx), params, 3, 0);
  LLVMValueRef args[] = {par, fill_chain(v, x, c, functions), n};
  LLVMBuildCall2(b, t, chain, args, 3, "");
}
